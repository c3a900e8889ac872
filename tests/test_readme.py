"""What the README shows is so: its Python runs, its translation comes out, its commands work."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import pathlib
import re
import shlex
import shutil
import types
from typing import Any

import pytest
import torch
from click.testing import CliRunner

from tracelate.__main__ import cli

ROOT = pathlib.Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PYTHON = [text for language, text in BLOCKS if language == "python"]


def written(text: str, folder: pathlib.Path) -> types.ModuleType:
    """A block as a module with a file, which tracing needs."""
    file = folder / "block.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("block", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.usefixtures("dictionary")
def test_its_python_runs_and_prints_what_it_shows(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, translate, after, usage, forms, own_op = PYTHON
    monkeypatch.chdir(tmp_path)
    foo = written(before, tmp_path).foo
    x, y, z = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    names: dict[str, Any] = {"foo": foo, "fn": foo, "x": x, "y": y, "z": z, "args": (x, y, z)}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(translate, names)
    assert printed.getvalue() == f"{after}\n"
    with contextlib.redirect_stdout(io.StringIO()):
        exec(usage.replace("traced(*args)", "assert traced(*args).shape == (3,)"), names)
        exec(forms, names)
        exec(own_op, names)
    assert (tmp_path / "translated" / "model.py").exists()
    tl = names["tl"]
    assert tl.check(written(NORMAL, tmp_path).f, (x,), to="numpy").ok


NORMAL = "import torch\n\n\ndef f(x):\n    return torch.special.ndtr(x)\n"


def commands() -> list[list[str]]:
    lines = [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("tracelate ")]


@pytest.mark.parametrize("command", commands(), ids=lambda command: command[0])
def test_its_commands_work(
    command: list[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output


def test_the_files_that_it_points_to_are_there() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README) + re.findall(r"`(\w+/|\w+\.(?:py|txt))`", README)
    assert len(targets) > 10
    assert [target for target in targets if not (ROOT / target).exists()] == []
