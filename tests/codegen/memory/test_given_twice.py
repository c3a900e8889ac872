"""One array given as two arguments: what a call made of it before a write, it has after it.

The calls come from the rows: every callee that one array is enough for.
"""

from __future__ import annotations

import linecache
import warnings
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.backends.rows import READERS, READS, load

load()
V = np.float32([[4, 2, 1], [2, 5, 3], [1, 3, 6]])
MODULES = {"numpy": np, "torch": torch}
METHODS = {"numpy": "np.ndarray.", "torch": "torch.Tensor."}
#: What computes by itself of the operands that a call hands on.
OPERATORS = ["y * 1", "1 * y", "y / 1", "y - 0", "y ** 1", "-(-y)", "+y", "y[0] * 1", "y.T * 1"]
FLAT = {
    "numpy": ["y.flatten().reshape(3, 3)", "np.ascontiguousarray(y.T).T"],
    "torch": ["y.T.contiguous().T"],
}


def calls(framework: str) -> list[str]:
    """How one array is handed to each function, method and attribute that is read."""
    found = [*OPERATORS, *FLAT[framework]]
    method = METHODS[framework]
    for name in sorted({callee for own, callee in (*READS, *READERS) if own == framework}):
        text = f"y.{name.removeprefix(method)}()" if name.startswith(method) else f"{name}(y)"
        found += [text] if name.startswith((method, "np.", "torch.")) and works(text, framework) else []
    return found


def works(text: str, framework: str) -> bool:
    """Whether the call gives numbers of an array, the same each time."""
    if "empty" in text or "dropout" in text:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            one, other = (run(text, convert(V, framework)) for _ in range(2))
            return not list(compare(one, other))
        except Exception:  # it wants other arguments, or is none of arrays
            return False


def run(text: str, y: Any) -> Any:
    return eval(text, {"np": np, "torch": torch}, {"y": y})


#: What is written into the second array before it is read.
BEFORE = ("", "y[1:] *= 2", "double(y)", "y = doubled(y)", "if y.sum() > 0:\n        double(y)")
HELPERS = """\
def double(a):
    a *= 2


def doubled(a):
    a *= 2
    return a


"""


def program(text: str, before: str = "") -> Any:
    source = f"{HELPERS}def f(x, y):\n    {before}\n    s = {text}\n    x[0] = 9\n    return s, y[0] + 1\n"
    file = f"<twice {before} {text}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    module: dict[str, Any] = {"np": np, "torch": torch}
    exec(compile(source, file, "exec"), module)
    return module["f"]


CASES = [(framework, text) for framework in MODULES for text in calls(framework)]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("source", "text"), CASES)
def test_what_was_made_of_an_array_stays_when_it_is_written_into(source: str, text: str, to: str) -> None:
    judge(program(text), source, to, text)


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("before", BEFORE[1:])
@pytest.mark.parametrize("text", OPERATORS)
@pytest.mark.parametrize("source", MODULES)
def test_what_was_made_of_what_was_written_stays(source: str, text: str, before: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    judge(program(text, before), source, to, text)


@pytest.mark.slow
@pytest.mark.parametrize("before", BEFORE[1:])
@pytest.mark.parametrize(("source", "text"), CASES)
def test_what_any_call_made_of_what_was_written_stays(source: str, text: str, before: str) -> None:
    judge(program(text, before), source, "torch" if source == "numpy" else "numpy", text)


def judge(f: Any, source: str, to: str, text: str) -> None:
    """Translate for a target, and call with one array as both arguments."""
    try:
        out = tl.transpile(f, [convert(V, source), convert(V, source)], to=to)
    except tl.TraceError as error:
        pytest.skip(f"refused: {error.message}")
    mine, theirs = convert(V, source), convert(V, to)
    try:
        got = out(theirs, theirs)
    except AssertionError:
        assert "may_share_memory" in out.source or "data_ptr" in out.source
        return
    found = list(compare(f(mine, mine), got, kind="linalg"))
    if "eigh" in text:  # whose vectors are unique up to signs
        found = [difference for difference in found if not difference.path.endswith("[1]")]
    assert not found, f"{found[0]}\n{out.source}"
