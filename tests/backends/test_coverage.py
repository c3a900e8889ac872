"""What the rows must be as a whole: complete, callable where they say so, invertible, and seldom written by
hand.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import click.testing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tracelate.__main__
from tracelate.backends import signatures
from tracelate.backends.coverage import LIMIT, hatches
from tracelate.backends.helpers import parsed
from tracelate.backends.lenses import LENSES, NotExpressible
from tracelate.backends.phrase import Phrase, equal
from tracelate.backends.rows import READERS, READS, REFUSED, STATEMENTS, WRITES
from tracelate.backends.rows import load as load_phrases
from tracelate.ir.meaning.op import REGISTER

load_phrases()

PHRASES = [
    *(p for row in WRITES.values() for cases in row.values() for p in cases),
    *(p for read in READS.values() for p in read if p.read_only),
]
SIZES = st.integers(0, 5)
PAIRS = st.lists(st.tuples(SIZES, SIZES), min_size=1, max_size=4).map(tuple)
EVEN = st.lists(SIZES.map(lambda n: (n, n)), min_size=1, max_size=3).map(tuple)

#: What a parameter that a lens looks at may be, as we have it, and as the framework has it; None where it is
#: only written.
LENSED: dict[str, tuple[st.SearchStrategy[Any], st.SearchStrategy[Any] | None]] = {
    "last_first": (PAIRS, PAIRS.map(lambda pairs: tuple(n for pair in pairs for n in pair))),
    "trailing": (PAIRS, None),
    "inner": (PAIRS, None),
    "uniform": (st.lists(SIZES, min_size=1).map(tuple), None),
    "sides": (PAIRS | EVEN, None),
    "symmetric": (PAIRS | EVEN | st.just("same"), None),
    "xla_padding": (PAIRS | EVEN | st.just("same"), None),
    "written": (SIZES, None),
    "paired": (st.tuples(SIZES, SIZES) | st.tuples(st.tuples(SIZES), st.tuples(SIZES)) | SIZES, None),
    "unless_one": (st.lists(SIZES, min_size=1).map(tuple), None),
    "listed": (st.lists(SIZES).map(tuple), st.lists(SIZES)),
    "dims": (
        st.none() | SIZES | st.lists(SIZES).map(tuple),
        st.none() | SIZES | st.lists(SIZES, min_size=1).map(tuple),
    ),
    "only": (st.tuples(SIZES), SIZES),
    "inverted": (st.booleans(), st.booleans()),
}
for n in (1, 2, 3):
    each, edges = st.tuples(*[SIZES] * n), st.tuples(*[SIZES.map(lambda size: (size, size))] * n)
    LENSED[f"each{n}"] = (each, each.map(LENSES[f"each{n}"].to))
    LENSED[f"edges{n}"] = (edges, edges.map(LENSES[f"edges{n}"].to))


def test_hatches_are_few() -> None:
    """Readers and helpers written by hand: the limit may be lowered, never raised."""
    by_hand, cells = hatches()
    assert by_hand <= LIMIT * cells, f"{by_hand} of {cells} cells are written by hand: {by_hand / cells:.1%}"


def test_every_op_has_a_row() -> None:
    missing = [name for name, op in REGISTER.items() if not op.static and name not in WRITES.keys() |
    STATEMENTS]
    assert not missing, f"ops without a row in backends/phrases: {', '.join(missing)}"


def test_every_op_is_said_somehow() -> None:
    """By a phrase, or, where a framework has none, by its meaning, unless no framework but one has it."""
    mute = [name for name, row in WRITES.items() if REGISTER[name].body is None and not any(row.values())]
    assert not mute, f"no framework says {', '.join(mute)}, and they have no meaning in terms of others"


@pytest.mark.parametrize("framework", ["numpy", "jax", "torch"])
def test_every_callee_exists(framework: str) -> None:
    missing = [f"{p.op.name}: {p.callee}" for p in PHRASES if p.framework == framework and not exists(p)]
    missing += [name for source, name in READERS if source == framework and not found(framework, name)]
    refused = [name for source, name in REFUSED if source == framework]  # some of which take no arrays
    missing += [name for name in refused if not found(framework, name) and not at_hand(name)]
    assert not missing, f"not in the {framework} that is installed: {', '.join(missing)}"


def exists(phrase: Phrase) -> bool:
    if phrase.form == "helper":
        return phrase.callee.removeprefix("helper.") in parsed(phrase.framework)[0]
    return phrase.form not in ("call", "method") or found(phrase.framework, phrase.callee)


def found(framework: str, name: str) -> bool:
    if name.startswith(("operator.", "attribute.")):
        return True
    try:
        return callable(signatures.callee(framework, name, load=True))
    except signatures.SignatureError:
        return False


def at_hand(name: str) -> bool:
    """Whether a framework has a function of this name, whose signature nobody has noted."""
    root, *path = name.split(".")
    module = importlib.import_module({"np": "numpy", "jnp": "jax.numpy"}.get(root, root))
    try:
        return callable(functools.reduce(getattr, path, module))
    except AttributeError:
        return False


@pytest.mark.parametrize("name", sorted(LENSES))
@given(data=st.data())
@settings(max_examples=50, deadline=None)
def test_every_lens_is_a_bijection(name: str, data: st.DataObject) -> None:
    assert name in LENSED, f"{name} is a new lens: say in LENSED of {__file__} what it looks at"
    ours, theirs = LENSED[name]
    lens, value = LENSES[name], data.draw(ours)
    try:
        said = lens.to(value)
    except NotExpressible:
        said = None
    else:
        if theirs is None:
            with pytest.raises(NotExpressible):
                lens.back(said)
        else:
            assert equal(lens.back(said), value)
    if theirs is not None:
        word = data.draw(theirs)
        assert equal(lens.to(lens.back(word)), word)


def test_ops_are_listed() -> None:
    """`tracelate ops` shows every op, and how often the work was done by hand."""
    made = click.testing.CliRunner().invoke(tracelate.__main__.cli, ["ops"])
    assert made.exit_code == 0, made.output
    listed = {line.split()[0] for line in made.output.splitlines() if line.split()}
    assert {name for name, op in REGISTER.items() if not op.static} <= listed
    assert "by a hand-written reader or helper" in made.output


def test_ops_of_a_family_are_listed() -> None:
    made = click.testing.CliRunner().invoke(tracelate.__main__.cli, ["ops", "--family", "fft"])
    listed = {line.split()[0] for line in made.output.splitlines() if line.split()}
    assert made.exit_code == 0 and "fft" in listed and "softmax" not in listed and "sum" not in listed
