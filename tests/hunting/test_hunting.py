"""The hunt: no program of tests/hunting/programs is silently wrong, for any target, on any variation."""

from __future__ import annotations

import collections

import pytest
from hunt import TARGETS, Program, hunt, normal, programs
from known import KNOWN

pytestmark = pytest.mark.usefixtures("wide")

ALL = programs()
#: Those that the ordinary run tries, with few variations and without JAX, which compiles for each shape anew.
SAMPLE = [program for program in ALL if program.source != "jax"][::8]
FEW = 8
#: How many variations there are where all programs are tried.
MANY = {"numpy": 24, "torch": 24, "jax": 8}


def tried(program: Program, to: str, count: int) -> None:
    """A program that is known to be wrong must be so, lest known.py keep what is mended."""
    found = hunt(program, to, count)
    known = KNOWN.get(program.name, {})
    if to not in known:
        assert not found.fault, f"{program.name} to {to}: {found.kind}\n{found.detail}"
    elif count > FEW or to == "jax":
        assert found.fault, f"{program.name} to {to} is mended ({known[to]}): take it out of known.py"


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", SAMPLE, ids=lambda p: p.name)
def test_a_sample_agrees_or_is_refused(program: Program, to: str) -> None:
    tried(program, to, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("program", ALL, ids=lambda p: p.name)
def test_every_program_agrees_or_is_refused(program: Program, to: str) -> None:
    tried(program, to, MANY[to])


def test_no_two_programs_are_equal_but_for_names_and_numbers() -> None:
    count = collections.defaultdict(list)
    for program in ALL:
        count[normal(program)].append(program.name)
    assert not [names for names in count.values() if len(names) > 1]


def test_there_are_many_and_long_ones() -> None:
    long = [program for program in ALL if len(program.text.splitlines()) >= 20]
    assert len(ALL) >= 500 and len(long) >= 100


def test_only_programs_that_are_there_are_known() -> None:
    assert KNOWN.keys() <= {program.name for program in ALL}
