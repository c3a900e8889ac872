"""Faults: what is ours says so and shows the user's line; what the program raises comes through as it is."""

from __future__ import annotations

import io
import operator
import re
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

#: Something of each stage that every trace or translation needs.
STAGES = {
    "rewrite": "tracer.rewrite.rewriter._new",
    "trace": "tracer.tracer.digest",
    "audit": "tracer.oracle.supply",
    "read": "backends.reading.tape.Reading",
    "passes": "codegen.pipeline.prepare",
    "generality": "backends.generality.Walk",
    "lower": "backends.lowering.lower.phrase_for",
    "emit": "traced.emit",
    "load": "codegen.load.compile",
}


def scaled(x: Any) -> Any:
    return x * x.sum(0)


def closed() -> io.StringIO:
    """A file that does not even say where it is."""
    made = io.StringIO("1")
    made.close()
    return made


def fail(monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    """Let a stage raise what none of ours should: a function of C, so that our frame is the innermost."""
    name = STAGES[stage]
    fault: Any = {}.__getitem__
    monkeypatch.setattr(f"tracelate.{name}", fault, raising=stage != "load")


@pytest.mark.parametrize("stage", STAGES)
def test_a_fault_of_ours_is_told_as_one_from_every_stage(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(monkeypatch, stage)

    def doubled(x: Any) -> Any:
        return x * 2

    with pytest.raises(tl.InternalError, match="this is our fault") as caught:
        tl.transpile(doubled, (X,), to="torch")
    assert isinstance(caught.value, tl.TraceError)
    assert isinstance(caught.value.__cause__, (TypeError, KeyError))
    assert caught.value.versions["numpy"] == np.__version__
    assert "return x * 2" in caught.value.source
    assert "return x * 2" in str(caught.value)


def test_it_shows_the_line_that_was_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tracelate.tracer.tracer.canonical_names", {}.__getitem__)
    with pytest.raises(tl.InternalError, match=r"test_faults.py:\d+    return x \* x.sum\(0\)"):
        tl.symbolic_trace(scaled, (X,))


def test_every_entry_has_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    traced = tl.symbolic_trace(scaled, (X,))
    entries: dict[str, list[Any]] = {
        "read": [lambda: traced.program, traced.read, lambda: traced.lowered("jax")],
        "lower": [lambda: traced.to("torch")],
        "emit": [lambda: traced.source("torch"), lambda: tl.check(scaled, (X,), to="torch")],
        "trace": [lambda: tl.transpile(to="torch", source="numpy")(scaled)(torch.ones(2, 3))],
    }
    for stage, calls in entries.items():
        for call in calls:
            with monkeypatch.context() as patch, pytest.raises(tl.InternalError):
                fail(patch, stage)
                call()
    monkeypatch.setattr("tracelate.tracer.interpreter.map_arg", {}.__getitem__)
    with pytest.raises(tl.InternalError):
        traced(X)


def test_the_command_line_prints_what_to_send(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("import numpy as np\n\ndef f(x):\n    return np.sin(x)\n")
    script = (
        "import sys, tracelate.traced as traced, tracelate.__main__ as command\n"
        "traced.emit = {}.__getitem__\n"
        f"sys.argv = ['tracelate', 'transpile', {str(tmp_path / 'model.py:f')!r}, '--to', 'numpy']\n"
        "command.main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" in done.stderr and "tracelate.InternalError" in done.stderr
    assert "return np.sin(x)" in done.stderr


# What the program itself raises.


def a_key(x: Any) -> Any:
    return {"a": x}["b"]


def an_index(x: Any) -> Any:
    return [x, x][x.shape[0]]


def an_axis(x: Any) -> Any:
    return x.shape[2]


def a_number(x: Any) -> Any:
    return x * int("many")


def a_method(x: Any) -> Any:
    return x.undone()


def of_a_number(x: Any) -> Any:
    return x * x.shape[0].missing


def a_loop(x: Any) -> Any:
    total = 0
    for i in x.shape[0]:
        total = total + i
    return x * total


def a_string(x: Any) -> Any:
    return x * ("n" + x.shape[0])


def an_argument(x: Any) -> Any:
    return scaled(x, 2)  # type: ignore[call-arg]


def of_a_closure(x: Any) -> Any:
    def inner(a: Any, b: Any) -> Any:
        return a + b

    return inner(x)  # type: ignore[call-arg]


def by_zero(x: Any) -> Any:
    return x * (1 // (x.shape[0] - 2))


def singular(x: Any) -> Any:
    return np.linalg.inv(x[:, :2] * 0)


def put_outside(x: Any) -> Any:
    y = x.copy()
    np.put_along_axis(y, np.array([[9]]), 1.0, 1)
    return y


def added_outside(x: Any) -> Any:
    y = x.copy()
    np.add.at(y, np.array([7]), 1.0)
    return y


def of_numpys(x: Any) -> Any:
    return x * np.dtype("nonsense").itemsize


def unpacked(x: Any) -> Any:
    a, b, c = x
    return a + b + c


def endless(x: Any) -> Any:
    return (lambda f: f(f))(lambda f: f(f)) * x


def said(x: Any) -> Any:
    raise OSError(f"no {x.shape[0]}")


OWN = (
    (a_key, KeyError), (an_index, IndexError), (an_axis, IndexError), (a_number, ValueError),
    (a_method, AttributeError), (of_a_number, AttributeError), (a_loop, TypeError), (a_string, TypeError),
    (an_argument, TypeError), (of_a_closure, TypeError), (by_zero, ZeroDivisionError),
    (singular, np.linalg.LinAlgError), (put_outside, IndexError), (added_outside, IndexError),
    (of_numpys, TypeError),
    (unpacked, ValueError), (endless, RecursionError), (said, OSError),
)  # fmt: skip


@pytest.mark.parametrize(("program", "kind"), OWN, ids=lambda p: getattr(p, "__name__", ""))
def test_what_the_program_raises_comes_through(program: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind) as theirs:
        program(X)
    with pytest.raises(kind) as caught:
        tl.transpile(program, (X,), to="numpy")
    assert type(caught.value) is type(theirs.value)


def test_so_does_what_a_framework_raises() -> None:
    with pytest.raises(TypeError, match="expected Tensor"):
        tl.symbolic_trace(lambda x: torch.stack([x, "x"]), (torch.ones(2),))  # type: ignore[list-item]
    with pytest.raises(ValueError, match="Cannot broadcast"):
        tl.symbolic_trace(lambda x: x.at[0].add(x[:1]), (jnp.ones(2),))
    with pytest.raises(ValueError, match="traced with"):
        tl.symbolic_trace(lambda x: x * x.shape[0].bit_length(), (jnp.ones(2),))(jnp.ones(9))


def test_no_handler_gets_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def careful(x: Any) -> Any:
        try:
            return np.sin(x)
        except Exception:
            return x

    monkeypatch.setattr("tracelate.tracer.tracer.canonical_names", {}.__getitem__)
    with pytest.raises(tl.InternalError):
        tl.symbolic_trace(careful, (X,))


@pytest.mark.parametrize("stage", ["replaced", "template", "is_pure"])
def test_nor_is_one_taken_for_what_a_framework_refuses(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that nobody knows is asked for on arrays that are made up."""
    monkeypatch.setattr(f"tracelate.tracer.guessing.{stage}", operator.itemgetter("missing"))
    with pytest.raises(tl.InternalError):
        tl.symbolic_trace(lambda x: np.i0(x), (X,))


@pytest.mark.parametrize("given", [X, np.ones((2, 2), "complex64"), jnp.ones(3, "bfloat16")])
def test_what_a_framework_refuses_is_a_missing_word(given: Any) -> None:
    word = np.i0 if isinstance(given, np.ndarray) else jnp.unwrap
    with pytest.raises(tl.UnsupportedError, match=rf"{word.__name__} cannot be translated"):
        tl.symbolic_trace(lambda x: word(x), (given,))


def test_nor_for_an_iterator_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    items = iter([1.0, 2.0])
    monkeypatch.setattr("tracelate.tracer.objects.opaque.flat", {}.__getitem__)
    with pytest.raises(tl.InternalError):
        tl.symbolic_trace(lambda x: x * next(items), (X,))


@pytest.mark.parametrize("items", [re.finditer("a", "aa"), closed()])
def test_an_iterator_may_say_nothing(items: Any) -> None:
    assert tl.symbolic_trace(lambda x: x * (items is not None), (X,))(X) is not None


def test_a_class_of_the_users_may_be_called_as_it_likes() -> None:
    class Duck:
        pass

    with pytest.raises(AttributeError, match="'Duck' object has no attribute"):
        tl.symbolic_trace(lambda x: x * Duck().quack, (X,))  # type: ignore[attr-defined]


def test_the_decorator_refuses_what_it_cannot_tell_apart() -> None:
    decorated = tl.transpile(to="torch", source="numpy")(lambda x, names: x * len(names))
    assert decorated(torch.ones(2), [1, 2]).tolist() == [2, 2]
    with pytest.raises(tl.TraceError, match="an argument is a set"):
        decorated(torch.ones(2), {1, 2})


def test_an_array_of_jax_of_more_bits_than_it_has_is_refused() -> None:
    """Some functions of JAX keep the dtype of such an array, and others do not."""
    with jax.enable_x64(True):
        wide, counts = jnp.arange(3.0), jnp.arange(3)
        tl.symbolic_trace(lambda x: x[0] * 2, (wide,))
    for value in (wide, counts, {"a": counts}):
        with pytest.raises(tl.TraceError, match="64 bits are off"):
            tl.symbolic_trace(lambda x: x, (value,))
    with pytest.raises(tl.TraceError, match="an array of float64 is given"):
        tl.symbolic_trace(lambda x: x + wide, (jnp.ones(3),))


@pytest.mark.parametrize("name", ["sub", "isub", "mul", "imul", "truediv", "itruediv", "pow", "ipow"])
def test_what_python_refuses_of_lists_is_no_fault_of_ours(name: str) -> None:
    function = getattr(operator, name)

    def program(xs: Any) -> Any:
        if name == "isub":
            xs -= 1
            return xs
        if name == "itruediv":
            xs /= 2
            return xs
        return function(xs, 0.5)

    with pytest.raises((tl.UnsupportedError, TypeError)) as caught:
        tl.symbolic_trace(program, ([np.ones(2), np.ones(2)],))
    assert not isinstance(caught.value, tl.InternalError), caught.value


class State:
    def __init__(self) -> None:
        self.n, self.scale = 0, 3


def carrying_what_stays(x: Any) -> Any:
    state = State()
    while np.abs(x).max() > 4:
        x = x / 2
        state.n += 1
        if state.n > 6:
            break
    return x[0] * state.scale, state.n


def halves(x: Any, flip: bool) -> Any:
    a = x[:, 1:] if flip else x[:, :1]
    return a.sum() + x


def choosing_slices(x: Any, n: int = 2) -> Any:
    for i in range(n):
        x = halves(x, i % 2 == 1)
    return x


def of_a_deque(x: Any) -> Any:
    rows = deque([x, x * 2], maxlen=2)
    rows.append(x + 1)
    return np.stack(rows), np.concatenate(rows), np.array(rows), np.stack(arrays=rows)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", [carrying_what_stays, choosing_slices, of_a_deque])
def test_programs_that_were_faults_of_ours(program: Any, to: str) -> None:
    if to == "jax" and program is choosing_slices:
        pytest.skip("what is compiled has one shape on both ways")
    with jax.enable_x64(True):
        out = tl.transpile(program, (X,), to=to, x64=True if to == "jax" else None)
        for given in (X, X * 10, -X):
            assert not [*compare(program(given.copy()), out(convert(given, to)), kind="reduction")]


def test_what_a_complex_number_is_as_a_float_is_refused() -> None:
    for kind in (float, int):
        with pytest.raises(tl.TraceError, match=rf"{kind.__name__}\(x\) of a complex number"):
            tl.symbolic_trace(lambda x, kind=kind: x * kind((x * 1j).sum()), (X,))
