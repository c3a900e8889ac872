"""The public functions: what `to` gives, saving and loading, the decorator, and what importing costs."""

from __future__ import annotations

import inspect
import json
import pathlib
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate import api
from tracelate.__main__ import main
from tracelate.backends.arrays import convert, to_numpy
from tracelate.backends.reading import tape
from tracelate.ir import passes

TABLE = torch.arange(40.0).reshape(8, 5)
BIAS = torch.tensor([1.0, 2.0])
X = torch.ones(2, 8)


def embed(x: Any) -> Any:
    """Through a table that the function closes over."""
    return (x @ TABLE).sum(-1) + BIAS


def run(script: str, *options: str, cwd: pathlib.Path) -> str:
    """What a fresh Python process prints."""
    process = [sys.executable, *options, "-c", inspect.cleandoc(script)]
    done = subprocess.run(process, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


# What comes back.


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_the_result_is_the_function_with_attributes(to: str) -> None:
    out = tl.transpile(embed, (X,), to=to)
    assert out.framework == to and out.__name__ == "embed"
    assert out.__doc__.startswith("Through a table")
    assert "def embed(x: Any, *, TABLE) -> Any:" in out.source and "[1.0, 2.0]" in out.source
    assert list(out.params) == ["TABLE"] and not out.narrowed
    assert inspect.getsource(inspect.unwrap(out)) == out.source[out.source.index("def embed") :]


def test_other_constants_can_be_given() -> None:
    out = tl.transpile(embed, (X,), to="jax")
    x, zeros = jnp.ones((2, 8)), jnp.zeros((8, 5))
    assert out(x).tolist() == embed(X).tolist()
    assert out.apply({"TABLE": zeros}, x).tolist() == [1.0, 2.0]
    assert out(x, TABLE=zeros).tolist() == [1.0, 2.0]


def test_narrowed_says_that_ints_lost_half_their_bits() -> None:
    def f(x: Any) -> Any:
        return x + 1

    assert tl.transpile(f, (torch.arange(3),), to="jax").narrowed
    assert not tl.transpile(f, (torch.arange(3),), to="numpy").narrowed
    with jax.enable_x64(True):
        assert not tl.transpile(f, (torch.arange(3),), to="jax", x64=True).narrowed


def test_traced_runs_and_prints_and_is_traced_once() -> None:
    traced = tl.symbolic_trace(embed, (X,))
    assert torch.equal(traced(X), embed(X)) and traced.framework == "torch"
    assert str(traced) == str(traced.graph) and traced.__name__ == "embed"
    assert tl.symbolic_trace(traced) is traced
    assert tl.transpile(traced, to="numpy").source == traced.source("numpy")


def test_a_tape_is_read_once_and_goes_through_each_pass_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is checked on the way, and whatever becomes of the text."""
    read, ran = [], []

    def counted(graph: Any, source: Any) -> Any:
        read.append(graph)
        return tape.read(graph, source)

    def noted(self: passes.Pass, *args: Any) -> Any:
        ran.append(self.name)
        return call(self, *args)

    call = passes.Pass.__call__
    monkeypatch.setattr(tl.traced, "read", counted)
    monkeypatch.setattr(passes.Pass, "__call__", noted)
    traced = tl.symbolic_trace(embed, (X,))
    for to in ("numpy", "jax", "torch"):
        traced.to(to)
        assert read == [traced.graph]
        assert sorted(ran) == sorted(set(ran))
        read.clear()
        ran.clear()


def test_what_comes_out_can_be_traced_again() -> None:
    there = tl.transpile(embed, (X,), to="jax")
    back = tl.transpile(there, (jnp.ones((2, 8)),), to="torch")
    assert torch.equal(back(X), embed(X))
    again = tl.transpile(tl.transpile(embed, (X,), to="numpy"), (np.ones((2, 8), np.float32),), to="torch")
    assert torch.equal(again(X), embed(X))


# Saving.


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_saved_function_needs_nothing_of_ours(to: str, tmp_path: pathlib.Path) -> None:
    out = tl.transpile(embed, (X,), to=to)
    out.save(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model.py", "params.safetensors"]
    assert (tmp_path / "model.py").read_text(encoding="utf-8") == out.source
    module = {"numpy": "numpy", "jax": "flax", "torch": "torch"}[to] if to != "jax" else "numpy"
    script = f"""
    import json, sys
    sys.modules["tracelate"] = None
    import numpy as np
    from safetensors.{module} import load_file
    from model import embed
    import {to}
    ones = torch.ones if "{to}" == "torch" else np.ones
    x = ones((2, 8), dtype=getattr(torch if "{to}" == "torch" else np, "float32"))
    print(json.dumps(embed(x, **load_file("params.safetensors")).tolist()))
    """
    assert json.loads(run(script, cwd=tmp_path)) == embed(X).tolist()


def test_without_constants_there_is_one_file(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "new" / "folder"
    tl.transpile(lambda x: x + BIAS, (X[:, :2],), to="numpy").save(str(folder))
    assert [file.name for file in folder.iterdir()] == ["model.py"]


def test_a_table_that_is_shared_or_turned_is_saved_all_the_same(tmp_path: pathlib.Path) -> None:
    turned = TABLE.T

    def f(x: Any) -> Any:
        return x @ turned @ TABLE

    out = tl.transpile(f, (torch.ones(2, 5),), to="numpy", verify=True)
    out.save(tmp_path)
    from safetensors.numpy import load_file

    loaded = load_file(tmp_path / "params.safetensors")
    assert np.array_equal(loaded["turned"], TABLE.T.numpy()) and np.array_equal(
        loaded["TABLE"], TABLE.numpy()
    )


def test_bfloat16_is_saved(tmp_path: pathlib.Path) -> None:
    half = torch.arange(40.0).to(torch.bfloat16)

    def f(x: Any) -> Any:
        return x * half

    tl.transpile(f, (half,), to="torch", verify=True).save(tmp_path)
    from safetensors.torch import load_file

    assert torch.equal(load_file(tmp_path / "params.safetensors")["half"], half)


# The decorator.


def test_the_decorator_traces_at_the_first_call_and_again_for_other_arguments(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    traced: list[Any] = []
    trace = api.symbolic_trace
    monkeypatch.setattr(api, "symbolic_trace", lambda *a, **k: traced.append(a) or trace(*a, **k))

    @tl.transpile(to="jax")
    def wave(x: Any, factor: float = 2.0) -> Any:
        """A wave."""
        return torch.sin(x) * factor

    assert wave.__name__ == "wave" and wave.__doc__ == "A wave." and not traced
    x = jnp.asarray([0.0, 1.0], dtype="float32")
    first = wave(x)
    assert isinstance(first, jax.Array) and np.allclose(first, 2 * np.sin([0.0, 1.0]))
    wave(x + 1)
    assert len(traced) == 1
    assert np.allclose(wave(x, factor=3.0), 3 * np.sin([0.0, 1.0]))
    assert wave(x.astype("float16")).dtype == jnp.float16 and len(traced) == 3


def test_the_decorator_checks_if_asked_to() -> None:
    @tl.transpile(to="numpy", verify=True)
    def doubled(x: Any) -> Any:
        return jnp.exp(x) * 2

    assert np.allclose(doubled(np.zeros(3, np.float32)), 2.0)


def test_a_method_is_translated_bound() -> None:
    class Model:
        def __init__(self) -> None:
            self.weight = torch.tensor([1.0, 2.0])

        @tl.transpile(to="numpy")
        def decorated(self, x: Any) -> Any:
            return x * self.weight

        def forward(self, x: Any) -> Any:
            return x * self.weight

    with pytest.raises(tl.TraceError, match=r"decorated is a method.*\n.*transpile\(object.decorated"):
        Model().decorated(np.ones(2, np.float32))
    out = tl.transpile(Model().forward, (torch.ones(2),), to="numpy")
    assert out(np.ones(2, np.float32)).tolist() == [1.0, 2.0]


# Importing.


def test_every_public_name_is_there() -> None:
    for name in tl.__all__:
        assert getattr(tl, name) is not None
    assert set(tl.__all__) <= set(dir(tl))
    with pytest.raises(AttributeError, match="no attribute 'translate'"):
        tl.translate  # type: ignore[attr-defined]
    assert callable(main)


def test_importing_warns_of_nothing_and_brings_no_framework(tmp_path: pathlib.Path) -> None:
    script = """
    import sys
    import tracelate as tl
    names = [getattr(tl, name) for name in tl.__all__]
    print(*{"jax", "torch", "scipy"} & sys.modules.keys(), "end")
    """
    assert run(script, "-W", "error", cwd=tmp_path) == "end\n"


def test_source_for_a_framework_that_is_not_installed(tmp_path: pathlib.Path) -> None:
    """NumPy alone is enough to write for all three."""
    (tmp_path / "program.py").write_text("import numpy as np\n\n\ndef f(x):\n    return np.sin(x) @ x\n")
    script = """
    import sys
    for name in ("jax", "torch", "scipy"):
        sys.modules[name] = None
    import tracelate as tl
    from program import f
    traced = tl.symbolic_trace(f, [tl.spec((3,), "float32")])
    print(traced.source("jax") + traced.source("torch"))
    try:
        traced.to("jax")
    except tl.TraceError as error:
        print(error)
    """
    printed = run(script, cwd=tmp_path)
    assert "jnp.sin(x) @ x" in printed and "torch.sin(x) @ x" in printed
    assert "jax is not installed, and this needs to run in it\n  try: pip install tracelate[jax]" in printed


@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
def test_sizes_may_have_names(source: str) -> None:
    for fn in (lambda a: a.T @ a, lambda a: a + a.sum(0), lambda a: a.reshape(-1)):
        for to in ("numpy", "jax", "torch"):
            out = tl.transpile(fn, (tl.spec(("m", "n")),), to=to, source=source)
            for shape in ((3, 4), (1, 2)):
                x = np.arange(float(np.prod(shape)), dtype=np.float32).reshape(shape)
                assert np.allclose(to_numpy(out(convert(x, to))), fn(x))
