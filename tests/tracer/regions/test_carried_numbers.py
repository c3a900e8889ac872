"""`n = 0; while ...: n += 1; return x / n`: a number that a compiled loop carries is an array in JAX, weak as
long as it meets no array. Whatever the text computes with it must come out right for both.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from jax import numpy as jnp

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.backends.typing import NoTyping, Operand, typing
from tracelate.ir.values import dtypes

DTYPES = ("float16", "float32", "float64", "int8", "int32", "int64", "uint8", "bool")


def divided_by_a_count(x):
    n = 0
    for v in x:
        if v > 0:
            n += 1
    return x / n


def times_a_count(x):
    n = 0
    while x.sum() < 100:
        x = x + 1
        n += 1
    return n * x


def halved(x):
    t = 1.0
    for v in x:
        if v > 0:
            t = t * 0.5
    return t * x


def root_of_a_float(x):
    t = 1.0
    for v in x:
        if v > 0:
            t = t * 0.5
    return np.sqrt(t) * x


def root_of_a_count(x):
    n = 1
    for v in x:
        if v > 0:
            n += 1
    return x * np.sqrt(n)


def summed_ints(x):
    n = 0
    for v in x:
        if v > 0:
            n += int(v)
    return x * n


def turn_by_turn(x):
    s = 1
    for i in range(1, 40):
        s = s + i
        x = np.maximum(x, s // i)
    return x


def powers(x):
    k = 0
    while k < 3 and x.max() < 50:
        x = x + x / (k + 2)
        k += 1
    return x


PROGRAMS = [
    divided_by_a_count, times_a_count, halved, root_of_a_float, root_of_a_count, summed_ints, turn_by_turn,
    powers,
]  # fmt: skip


def array(dtype: str) -> Any:
    return np.array([1, 2, 3]).astype(dtype)


def agrees(fn: Any, example: str, source: str, x64: bool) -> None:
    """The translation gives what the program gives, of its dtype, for arrays of all dtypes, or raises."""
    try:
        out = tl.transpile(fn, (convert(array(example), source),), to="jax", x64=x64, source=source)
    except tl.UnsupportedError as error:
        pytest.skip(f"refused: {error.why}")
    for given in DTYPES if x64 else ("float16", "float32", "int8", "int32", "uint8", "bool"):
        if source == "torch" and given == "bool" or not x64 and given in ("float64", "int64"):
            continue
        try:
            theirs = fn(convert(array(given), source))
        except Exception:
            continue
        try:
            found = out(jnp.asarray(array(given)))
        except (AssertionError, TypeError):  # a check of the text's, or what JAX itself refuses
            assert given != example, out.source
            continue
        wrong = list(compare(theirs, found, kind="reduction", narrowed=not x64))
        assert not wrong, f"{given}: {wrong[0]}\n{out.source}"


@pytest.mark.parametrize("example", ["float16", "float32", "int8", "int32"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_numpy(fn: Any, example: str) -> None:
    agrees(fn, example, "numpy", False)


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("example", ["float16", "float32", "float64", "int8", "int32", "int64"])
@pytest.mark.parametrize("fn", PROGRAMS)
def test_numpy_with_64_bits(fn: Any, example: str) -> None:
    agrees(fn, example, "numpy", True)


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("example", ["float16", "float32", "float64", "int8", "int32", "int64"])
@pytest.mark.parametrize("fn", [divided_by_a_count, times_a_count, halved, summed_ints, powers])
def test_torch_with_64_bits(fn: Any, example: str) -> None:
    agrees(fn, example, "torch", True)


def test_what_is_weak_or_not_is_typed_where_both_agree() -> None:
    either, whole, real = (
        Operand(0, dtypes.int64, "either"), Operand(1, dtypes.int32), Operand(1, dtypes.float32),
    )  # fmt: skip
    assert typing("jax", "promote", [either, real], op="add", x64=True).result == dtypes.float32
    assert typing("jax", "promote", [either], op="negative", x64=True).form == "either"
    with pytest.raises(NoTyping, match="weak"):
        typing("jax", "promote", [either, whole], op="add", x64=True)
    with pytest.raises(NoTyping, match="weak"):
        typing("jax", "divide", [whole, either], op="divide", x64=True)
