"""The command line: what it prints where, and how it ends."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import pty
import subprocess
import sys
from collections.abc import Callable

import jax
import pytest

import tracelate as tl
from tracelate.__main__ import main
from tracelate.ir.meaning.op import inexact

PROGRAM = '''\
import numpy as np
import torch


def wave(x, y):
    """Two waves."""
    both = torch.sin(x) + torch.cos(y)
    return both * 2


def wide(x):
    return np.sin(x)


class Scale:
    def __call__(self, x):
        return x * 3


scale = Scale()
sensitive = [0.1, 0.2]


def decide(x):
    if x.sum().tolist() > 0:
        return x
    return -x


def forgetful(x):
    return {}["weight"] + x


def heaving(x):
    return torch.special.i1(x)


def inputs():
    return torch.ones(2, 3), torch.ones(2, 3)
'''


@dataclasses.dataclass
class Ended:
    """How a command ended: its exit code, what it printed, what it complained of."""

    code: int
    out: str
    err: str


Tracelate = Callable[..., Ended]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    made = tmp_path_factory.mktemp("programs")
    (made / "program.py").write_text(PROGRAM)
    (made / "broken.py").write_text("import torch\n\n\ndef f(x:\n    return x\n")
    (made / "lacking.py").write_text("import torch\nimport a_module_that_is_nowhere\n")
    return made


@pytest.fixture
def tracelate(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Tracelate:
    """The program `tracelate` in the folder, in this process: another takes seconds to import torch."""

    def run(*command: str) -> Ended:
        with monkeypatch.context() as patch, pytest.raises(SystemExit) as ended:
            patch.chdir(folder)
            patch.setattr(sys, "argv", ["tracelate", *command])
            patch.setattr(sys, "path", [*sys.path])
            main()
            sys.exit(0)
        printed = capsys.readouterr()
        return Ended(ended.value.code or 0, printed.out, printed.err)  # type: ignore[arg-type]

    return run


WAVE = """\
import jax.numpy as jnp


def wave(x, y):
    \"\"\"Two waves.\"\"\"
    both = jnp.sin(x) + jnp.cos(y)
    return both * 2
"""


LOOP = """\
import numpy as np


def halved(x):
    while np.sum(x) > 1:
        x = x / 2
    return x
"""


def test_transpile_prints_the_source_and_nothing_else(tracelate: Tracelate) -> None:
    done = tracelate("transpile", "program.py:wave", "--to", "jax", "--args", "inputs()")
    assert (done.code, done.out, done.err) == (0, WAVE, "")


def test_transpile_writes_a_file(tracelate: Tracelate, folder: pathlib.Path) -> None:
    done = tracelate("transpile", "program.py:wave", "--to", "jax", "--args", "inputs()", "-o", "wave.py")
    assert (done.code, done.out, done.err) == (0, "", "wrote wave.py\n")
    assert (folder / "wave.py").read_text() == WAVE


def test_a_spec_stands_for_an_argument(tracelate: Tracelate) -> None:
    spec = "float32[2, n]"
    done = tracelate("transpile", "program.py:wave", "--to", "jax", "--spec", spec, "--spec", spec)
    assert (done.code, done.out) == (0, WAVE)


def test_without_arguments_the_dtypes_are_any(tracelate: Tracelate) -> None:
    done = tracelate("transpile", "program.py:wide", "--to", "jax")
    assert done.code == 0 and "float64" not in done.out and "PrecisionWarning" not in done.err
    done = tracelate("transpile", "program.py:wide", "--to", "numpy", "--assume", "float32")
    assert done.code == 0 and "assert x.dtype == np.float32, x.dtype" in done.out


def test_x64_is_jax_with_64_bits(tracelate: Tracelate) -> None:
    wide = ("transpile", "program.py:wave", "--to", "jax", "--spec", "float64[2]", "--spec", "float64[2]")
    narrowed = tracelate(*wide)
    assert narrowed.code == 0 and "64-bit floats are 32-bit here" in narrowed.out
    assert "tracelate.PrecisionWarning: wave: the argument x has floats of 64 bits" in narrowed.err
    done = tracelate(*wide, "--x64")
    assert done.code == 0 and "assert jax.config.jax_enable_x64" in done.out


def test_the_form_of_control_flow_is_chosen(tracelate: Tracelate, folder: pathlib.Path) -> None:
    (folder / "loop.py").write_text(LOOP)
    asked = ("transpile", "loop.py:halved", "--to", "jax", "--spec", "float32[3]")
    assert "jax.lax.while_loop" in tracelate(*asked).out
    done = tracelate(*asked, "--control", "python")
    assert done.code == 0 and "while jnp.sum(x) > 1:" in done.out
    shown = tracelate("show", "loop.py:halved", "--at", "source", *asked[2:], "--control", "python")
    assert shown.out == done.out
    wrong = tracelate(*asked, "--control", "export")
    assert wrong.code == 2 and "makes no sense for jax" in wrong.err
    given = ("--args", "(np.ones(3),)", "--control", "export")
    checked = tracelate("check", "loop.py:halved", "--to", "torch", *given)
    assert checked.code == 0 and "agree" in checked.out


def test_how_many_turns_are_written_out(tracelate: Tracelate, folder: pathlib.Path) -> None:
    more = "\n\ndef more(x):\n    for i in range(5):\n        x = x * i\n    return x\n"
    (folder / "loop.py").write_text(LOOP + more)
    asked = ("transpile", "loop.py:more", "--to", "torch", "--spec", "float32[3]", "--source", "numpy")
    assert "for i in range(5):" in tracelate(*asked).out
    assert "for" not in tracelate(*asked, "--unroll", "5").out


def test_an_object_that_can_be_called_and_a_path_elsewhere(
    tracelate: Tracelate, folder: pathlib.Path
) -> None:
    path = f"../{folder.name}/program.py:scale"
    done = tracelate("transpile", path, "--to", "jax", "--args", "torch.ones(3)")
    assert done.code == 0 and "return x * 3" in done.out


@pytest.mark.parametrize(
    ("at", "sign"),
    [
        ("graph", "call_function[target=torch.sin](args = (%x,), kwargs = {})"),
        ("program", "sin = sin(x)"),
        ("source", "both = torch.sin(x) + torch.cos(y)"),
    ],
)
def test_show_prints_a_stage(tracelate: Tracelate, at: str, sign: str) -> None:
    done = tracelate("show", "program.py:wave", "--at", at)
    assert (done.code, done.err) == (0, "") and sign in done.out
    assert "\x1b" not in done.out, "no colour in a pipe"


def test_show_after_a_pass(tracelate: Tracelate, folder: pathlib.Path) -> None:
    (folder / "loop.py").write_text(LOOP)
    asked = ("show", "loop.py:halved", "--to", "jax", "--spec", "float32[3]", "--after")
    done = tracelate(*asked, "lost")
    assert done.code == 0 and "while_loop(" in done.out and "def body(" in done.out
    wrong = tracelate(*asked, "polish")
    assert wrong.code == 1 and "there is no pass named 'polish' on the way to jax" in wrong.err
    assert "they are supposed-dtypes, dtype-checks, fold, raise" in wrong.err


def test_the_passes_of_a_target(tracelate: Tracelate) -> None:
    ways = [("--to", "jax"), ("--to", "torch"), ("--to", "torch", "--control", "export")]
    jax, torch, exported = (tracelate("passes", *way).out for way in ways)
    assert "functional " in jax and "in-place " not in jax
    assert "in-place " in torch and "stage " not in torch
    assert all(name in exported for name in ("stage ", "hand-back ", "own "))


def test_show_in_the_words_of_a_target(tracelate: Tracelate) -> None:
    done = tracelate("show", "program.py:wave", "--at", "source", "--to", "numpy")
    assert done.code == 0 and "np.sin(x)" in done.out


def test_check_agrees(tracelate: Tracelate) -> None:
    done = tracelate("check", "program.py:wave", "--to", "numpy", "--args", "inputs()")
    assert (done.code, done.err) == (0, "")
    assert done.out == "wave: torch and numpy agree on the result and on 4 calls one by one\n"


def test_check_of_wide_numbers(tracelate: Tracelate) -> None:
    options = ("--to", "jax", "--x64", "--unroll", "3", "--args", "(np.ones(3),)")
    try:
        done = tracelate("check", "program.py:wide", *options)
    finally:
        jax.config.update("jax_enable_x64", False)
    assert (done.code, done.err) == (0, ""), done.err
    assert "numpy and jax agree on the result" in done.out


def test_ops_lists_every_family_or_one(tracelate: Tracelate) -> None:
    done = tracelate("ops", "--family", "reduction")
    lines = done.out.splitlines()
    assert done.code == 0 and lines[0].split() == ["op", "numpy", "jax", "torch"]
    assert any(line.split()[0] == "sum" and "np.sum(" in line and "torch.sum(" in line for line in lines)
    assert len(tracelate("ops").out.splitlines()) > len(lines)


def refusal(line: str, piece: str, first: str) -> str:
    """The error that is printed for a line of the program: its number, the text, and carets below a piece."""
    number = PROGRAM[: PROGRAM.index(line)].count("\n") + 1
    lead = f"  program.py:{number}    "
    return f"{first}\n{lead}{line}\n{' ' * (len(lead) + line.index(piece))}{'^' * len(piece)}\n"


def test_a_refusal_shows_the_line_and_no_traceback(tracelate: Tracelate) -> None:
    done = tracelate("transpile", "program.py:decide", "--to", "jax", "--args", "inputs()[0]")
    assert (done.code, done.out) == (1, "")
    message = "tracelate.UnsupportedError: .tolist() from an array cannot be translated: its numbers are "
    message += "known only when the program runs"
    assert done.err.startswith(refusal("if x.sum().tolist() > 0:", "x.sum().tolist()", message))
    assert done.err.splitlines()[-1].startswith("  try: ")


@pytest.mark.parametrize("command", ["transpile", "check"])
def test_an_error_of_the_users_own_shows_the_line_too(tracelate: Tracelate, command: str) -> None:
    done = tracelate(command, "program.py:forgetful", "--to", "jax", "--args", "inputs()[0]")
    assert (done.code, done.out) == (1, "")
    assert done.err == refusal(
        'return {}["weight"] + x', '{}["weight"]', "tracelate.TraceError: KeyError: 'weight'"
    )


def test_a_file_that_cannot_be_run(tracelate: Tracelate) -> None:
    done = tracelate("transpile", "broken.py:f", "--to", "jax")
    assert done.code == 1 and "Traceback" not in done.err
    assert done.err.startswith("tracelate.TraceError: SyntaxError: ")
    assert "broken.py:4    def f(x:" in done.err
    done = tracelate("transpile", "lacking.py:f", "--to", "jax")
    assert done.code == 1 and "Traceback" not in done.err
    assert "No module named 'a_module_that_is_nowhere'" in done.err
    assert "lacking.py:2    import a_module_that_is_nowhere" in done.err


WRONG = [
    (("transpile", "program.py:nowhere", "--to", "jax"), "program.py has no nowhere"),
    (("transpile", "program.py:sensitive", "--to", "jax"), "sensitive in program.py is no function"),
    (("transpile", "program.py:np", "--to", "jax"), "np in program.py is no function"),
    (("transpile", "program.py:Scale", "--to", "jax"), "Scale in program.py is no function"),
    (
        ("transpile", "program.py", "--to", "jax"),
        "'program.py' is not PATH.py:FUNCTION of a file that exists",
    ),
    (("transpile", "nowhere.py:f", "--to", "jax"), "is not PATH.py:FUNCTION of a file that exists"),
    (("transpile", "program.py:wave", "--to", "haskell"), "'haskell' is not one of 'numpy', 'jax', 'torch'"),
    (("transpile", "program.py:wave"), "Missing option '--to'"),
    (("transpile", "program.py:wave", "--to", "jax", "--args", "nothing()"), "name 'nothing' is not defined"),
    (("transpile", "program.py:wave", "--to", "jax", "--args", "(("), "'((' fails: SyntaxError"),
    (("transpile", "program.py:wave", "--to", "jax", "--spec", "float32(2)"), "is not DTYPE[DIMS]"),
    (("transpile", "program.py:wave", "--to", "jax", "--spec", "float8[2]"), "unknown dtype 'float8'"),
    (("transpile", "program.py:wave", "--to", "jax", "--spec", "float32[-2]"), "is no shape"),
    (("show", "program.py:wave", "--at", "end"), "'end' is not one of 'graph', 'program', 'source'"),
    (("ops", "--family", "cheese"), "there is no family 'cheese' of ops"),
    (("translate",), "No such command 'translate'"),
]


@pytest.mark.parametrize(("command", "message"), WRONG, ids=[m for _, m in WRONG])
def test_a_wrong_command_line_ends_with_2(
    tracelate: Tracelate, command: tuple[str, ...], message: str
) -> None:
    done = tracelate(*command)
    assert (done.code, done.out) == (2, "")
    assert message in " ".join(done.err.split())


def test_what_cannot_be_done_ends_with_1(tracelate: Tracelate) -> None:
    done = tracelate("show", "program.py:wave", "--passes", "fold,polish")
    assert done.code == 1 and "there is no pass named 'polish'" in done.err
    done = tracelate("transpile", "program.py:wave", "--to", "jax", "-o", "no/such/folder.py")
    assert done.code == 1 and "Traceback" not in done.err


def test_a_check_that_differs_ends_with_1(tracelate: Tracelate, dictionary: None) -> None:
    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def heave(x):  # type: ignore[no-untyped-def]
        """A row that is wrong in JAX."""
        ...

    tl.say(heave, "np.i0(x)", "jnp.i0(x)", "torch.special.i1(x)")
    done = tracelate("check", "program.py:heaving", "--to", "jax", "--args", "inputs()[0]")
    assert done.code == 1 and done.err == ""
    assert done.out.startswith("heaving: torch and jax differ\n")
    assert "    return torch.special.i1(x)\n" in done.out


def test_a_process_of_its_own_pipes_clean_text(folder: pathlib.Path) -> None:
    command = [sys.executable, "-m", "tracelate", "transpile", "program.py:wave", "--to", "jax"]
    done = subprocess.run([*command, "--args", "inputs()"], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, WAVE, "")


def test_on_a_terminal_source_is_coloured(folder: pathlib.Path) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "tracelate", "show", "program.py:wave", "--at", "source"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    subprocess.run(command, cwd=folder, stdout=follower, env=environment, check=True)
    os.close(follower)
    assert b"\x1b[" in os.read(leader, 4096)
    os.close(leader)


def test_check_tries_other_arguments(tracelate: Tracelate) -> None:
    done = tracelate("check", "program.py:wave", "--to", "numpy", "--args", "inputs()", "--vary", "6")
    assert done.code == 0 and "7 variations: " in done.out
