"""Every pass leaves a program that is well-formed, whatever the program and the target."""

from __future__ import annotations

import copy

import pytest
from hunt import Program, programs

import tracelate as tl
from tracelate.backends.backend import target_of
from tracelate.backends.lowering.passes import Way
from tracelate.backends.reading.tape import read
from tracelate.codegen.pipeline import pipeline, run
from tracelate.ir.errors import TraceError
from tracelate.ir.noting import Noted, noting
from tracelate.ir.passes import Pass

pytestmark = pytest.mark.usefixtures("wide")

ALL = programs()
WAYS = (("numpy", None), ("torch", None), ("jax", None), ("jax", "python"), ("torch", "export"))


def verified(program: Program, to: str, control: str | None) -> None:
    """What cannot be traced or translated is refused, which is no matter here."""
    try:
        traced = tl.symbolic_trace(program.fn, copy.deepcopy(program.args), source=program.source)
        way = Way(target_of(to, True, control), traced.origin)
        with noting(Noted(translates=to != program.source)):
            made = read(traced.graph, traced.origin)
            made.verify()
            verify = Pass("verify", "it is well-formed", lambda program: program.verify())
            run(made, way, [each for one in pipeline(way) for each in (one, verify)])
    except tl.GraphError:
        raise
    except TraceError:
        return


@pytest.mark.covering
@pytest.mark.parametrize(("to", "control"), WAYS)
@pytest.mark.parametrize("program", ALL[::8], ids=lambda p: p.name)
def test_a_sample_is_well_formed_after_every_pass(program: Program, to: str, control: str | None) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    verified(program, to, control)


@pytest.mark.covering
@pytest.mark.slow
@pytest.mark.parametrize(("to", "control"), WAYS)
@pytest.mark.parametrize("program", ALL, ids=lambda p: p.name)
def test_every_program_is_well_formed_after_every_pass(
    program: Program, to: str, control: str | None
) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    verified(program, to, control)
