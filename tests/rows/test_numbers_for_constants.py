"""A constant beside an array, which the text has as a number: other words of the target's may say that, as
torch.clamp for torch.maximum, and another dtype may come out for other arrays than the example's.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools
import linecache
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

CALLS = {
    "torch": ["torch.maximum({}, {})", "torch.minimum({}, {})", "torch.max({}, {})", "torch.fmax({}, {})"],
    "numpy": ["np.maximum({}, {})", "np.minimum({}, {})", "np.fmax({}, {})", "np.hypot({}, {})"],
    "jax": ["jnp.maximum({}, {})", "jnp.minimum({}, {})", "jnp.fmax({}, {})"],
}
CONSTANTS = {
    "torch": ["torch.tensor(-1.0)", "torch.as_tensor(2.0)", "torch.tensor(float('-inf'))", "torch.tensor(2)"],
    "numpy": ["np.float32(-1)", "np.array(2, np.float32)", "np.float64(2)"],
    "jax": ["jnp.float32(-1)", "jnp.array(2.0)"],
}
ARRAYS = ["x.max()", "x[0]", "x"]
OTHERS = ("float16", "float32", "float64", "int32", "int64")


def program(text: str) -> Any:
    file = f"<constants {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module = {"np": np, "torch": torch, "jnp": jnp}
    exec(compile(text, file, "exec"), module)
    return module["f"]


@pytest.mark.covering
@pytest.mark.parametrize("into", ["torch", "numpy", "jax"])
@pytest.mark.parametrize(
    ("framework", "call", "array"), [(s, c, a) for s in CALLS for c, a in itertools.product(CALLS[s], ARRAYS)]
)
def test_a_constant_beside_other_dtypes(framework: str, call: str, array: str, into: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    x = np.array([1, 3, 2])
    ways = itertools.product(CONSTANTS[framework], ("float32", "int64"), (False, True))
    for constant, dtype, turned in ways:
        said = call.format(*((constant, array) if turned else (array, constant)))
        fn = program(f"def f(x):\n    return {said}\n")
        try:
            out = tl.transpile(fn, [convert(x.astype(dtype), framework)], to=into)
        except tl.TraceError:
            continue
        for other in OTHERS if framework != "jax" else ("float16", "float32", "int32"):
            given = x.astype(other)
            try:
                expected = fn(convert(given, framework))
            except (RuntimeError, TypeError):
                continue
            try:
                found = out(convert(given, into))
            except AssertionError:
                assert other != dtype, out.source
                continue
            differing = list(compare(expected, found, narrowed="jax" in (framework, into)))
            assert not differing, (other, differing, out.source)
