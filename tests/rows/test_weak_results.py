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


def phrases(op: Op) -> Iterator[Line]:
    """A line for each phrase that JAX has for an op."""
    found = {}
    for phrase, _, line in lines(op, "jax", samples(op)):
        if not line.wide and line.arrays:
            found.setdefault(phrase, line)
    yield from found.values()


def of(line: Line, kind: str) -> dict[str, Any]:
    """The line's arrays, those of float32 in another dtype."""
    return {n: a.astype(kind) if a.dtype == np.float32 else a for n, a in line.arrays.items()}


def missed(line: Line, given: tuple[Any, ...]) -> Iterator[str]:
    """What is an error of ours where the line's product is traced."""
    try:
        api.symbolic_trace(product(line), given, source="jax")
    except InternalError as error:
        yield f"{line.text}: {error}"
    except (TraceError, TypeError, ValueError):
        pass  # several results, or JAX has none of this dtype


def wrong(op: Op) -> Iterator[str]:
    for line in phrases(op):
        for kind in KINDS if line.dtype == "float32" else (line.dtype,):
            for problem in missed(line, (*own(of(line, kind), "jax"), jnp.float16(1))):
                yield f"of {kind}, {problem}"


def weak(array: Any) -> Any:
    """An array of JAX's whose dtype counts for nothing beside another's, as `jnp.full(3, 1.0)` is one."""
    return _convert_element_type(jnp.asarray(array), weak_type=True)


def wrong_of_weak(op: Op) -> Iterator[str]:
    """With arrays that are weak themselves: all of them, or one."""
    for line in phrases(op):
        for kind, half in (("float32", jnp.float16(1)), ("int32", jnp.int8(1))):
            arrays = of(line, kind)
            able = [n for n, a in arrays.items() if a.dtype == kind]
            given = own(arrays, "jax")
            for chosen in {tuple(able), *((name,) for name in able)}:
                args = [weak(a) if n in chosen else a for n, a in zip(arrays, given)]
                for problem in missed(line, (*args, half)):
                    yield f"of {kind}, weak {', '.join(chosen)}, {problem}"


def test_what_comes_of_weak_arrays_is_known(op: Op) -> None:
    with quiet(False):
        found = list(wrong_of_weak(op))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_what_is_weak_is_known(op: Op, x64: bool) -> None:
    with quiet(x64):
        found = list(wrong(op))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])
