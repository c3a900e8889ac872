"""Control flow that Python cannot decide while tracing, and writes into arrays: translations agree on
every way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import COMPILED, PROGRAMS
from ways import agree, attempt, source_of

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays

pytestmark = pytest.mark.usefixtures("wide")

#: What JAX cannot do: raise once it has compiled a function, and write into an argument for the caller to
#: see.
REFUSED = {
    **COMPILED,
    "into_arg": "not returned",
    "t_arg": "not returned",
}


@pytest.mark.parametrize("to", ["tape", "numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS, ids=[fn.__name__ for fn, _ in PROGRAMS])
def test_every_way_agrees(fn: Any, inputs: list[tuple[Any, ...]], to: str) -> None:
    source = source_of(inputs[0])
    traced = tl.symbolic_trace(fn, map_arrays(inputs[0], lambda a: convert(a, source)), source=source)
    if to == "jax" and fn.__name__ in REFUSED:
        with pytest.raises(tl.UnsupportedError, match=REFUSED[fn.__name__]):
            traced.to(to, x64=True)
        return
    out = traced if to == "tape" else traced.to(to, x64=True)
    for args in inputs:
        expected = attempt(fn, args, source, arguments=to != "jax")
        found = attempt(out, args, source if to == "tape" else to, arguments=to != "jax")
        assert agree(expected, found), f"{args}: {expected}, not {found}"


@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS, ids=[fn.__name__ for fn, _ in PROGRAMS])
def test_a_check_finds_no_difference(fn: Any, inputs: list[tuple[Any, ...]]) -> None:
    report = tl.check(fn, inputs[0], to="numpy", source=source_of(inputs[0]))
    assert report.ok, str(report)


@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS, ids=[fn.__name__ for fn, _ in PROGRAMS])
def test_what_came_out_for_jax_can_be_traced_again(fn: Any, inputs: list[tuple[Any, ...]]) -> None:
    if fn.__name__ in REFUSED:
        pytest.skip("JAX cannot do it")
    source = source_of(inputs[0])
    traced = tl.symbolic_trace(fn, map_arrays(inputs[0], lambda a: convert(a, source)), source=source)
    there = traced.to("jax", x64=True)
    back = tl.transpile(there, map_arrays(inputs[0], lambda a: convert(a, "jax")), to="numpy", source="jax")
    for args in inputs:
        expected = attempt(fn, args, source, arguments=False)
        found = attempt(back, args, "numpy", arguments=False)
        number = any(isinstance(arg, np.generic) for arg in args)  # an array there, which is written into
        refused = number and found is AssertionError
        assert refused or agree(expected, found), f"{args}: {expected}, not {found}"
