"""Every function of JAX, of every dtype, in a product with a float16: whether what it gives has a weak type
decides what comes out, and the audit says where the rules take it for another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax._src.lax.lax import _convert_element_type
from lines import lines
from running import Line, loaded, own, quiet
from samples import samples

import tracelate.api as api
from tracelate.ir.errors import InternalError, TraceError
from tracelate.ir.meaning.op import Op

#: What each is tried in, in the place of float32.
KINDS = ("float32", "int8", "int32", "uint8", "bool", "float16")


def product(line: Line) -> Any:
    """A function of the line's arrays, and of one more."""
    return loaded(f"def f({', '.join([*line.arrays, 'half'])}):\n    return ({line.text}) * half\n")


def wrong(op: Op, x64: bool) -> Iterator[str]:
    met: set[Any] = set()
    for phrase, _, line in lines(op, "jax", samples(op)):
        if phrase in met or line.wide or not line.arrays:
            continue
        met.add(phrase)
        fn = product(line)
        for kind in KINDS if line.dtype == "float32" else (line.dtype,):
            arrays = {n: a.astype(kind) if a.dtype == np.float32 else a for n, a in line.arrays.items()}
            given = (*own(arrays, "jax"), jnp.float16(1))
            try:
                api.symbolic_trace(fn, given, source="jax")
            except InternalError as error:
                yield f"{line.text} of {kind}: {error}"
            except (TraceError, TypeError, ValueError):
                pass  # several results, or JAX has none of this dtype


def weak(array: Any) -> Any:
    """An array of JAX's whose dtype counts for nothing beside another's, as `jnp.full(3, 1.0)` is one."""
    return _convert_element_type(jnp.asarray(array), weak_type=True)


def wrong_of_weak(op: Op) -> Iterator[str]:
    """With arrays that are weak themselves: all of them, or one."""
    met: set[Any] = set()
    for phrase, _, line in lines(op, "jax", samples(op)):
        if phrase in met or line.wide or not line.arrays:
            continue
        met.add(phrase)
        fn = product(line)
        for kind, half in (("float32", jnp.float16(1)), ("int32", jnp.int8(1))):
            arrays = {n: a.astype(kind) if a.dtype == np.float32 else a for n, a in line.arrays.items()}
            able = [n for n, a in arrays.items() if a.dtype == kind]
            given = own(arrays, "jax")
            for chosen in {tuple(able), *((name,) for name in able)}:
                args = [weak(a) if n in chosen else a for n, a in zip(arrays, given)]
                try:
                    api.symbolic_trace(fn, (*args, half), source="jax")
                except InternalError as error:
                    yield f"{line.text} of {kind}, weak {', '.join(chosen)}: {error}"
                except (TraceError, TypeError, ValueError):
                    pass  # several results, or JAX has none of this dtype


def test_what_comes_of_weak_arrays_is_known(op: Op) -> None:
    with quiet(False):
        found = list(wrong_of_weak(op))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_what_is_weak_is_known(op: Op, x64: bool) -> None:
    with quiet(x64):
        found = list(wrong(op, x64))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])
