"""Ops of three arrays and more: which combinations of dtypes are looked at says something of all others."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tracelate.backends.generality import choices, variants
from tracelate.backends.generality.arguments import GIVEN, Arguments
from tracelate.backends.generality.variants import Asked, Element, Place, Question, Side
from tracelate.backends.loading import load
from tracelate.backends.typing import NoTyping, Operand, Refused, typing
from tracelate.ir.values import dtypes
from tracelate.ir.values.dtypes import DType

OPS = (("promote", "concat"), ("promote", "where"), ("inexact", "lerp"), ("divide", ""), ("bitwise", ""))
FRAMEWORKS = ("numpy", "jax", "torch")


def question(cls: str, op: str, source: str, example: tuple[DType, ...], ranks: tuple[int, ...]) -> Any:
    """An op on arrays of which each may be of any dtype; None where there is no such op."""
    try:
        usual = typing(source, cls, [Operand(r, d) for r, d in zip(ranks, example)], op=op)
    except NoTyping:
        return None
    places = tuple(
        Place(rank, i, 0, None, None, usual.compute if dtype != usual.compute else None)
        for i, (rank, dtype) in enumerate(zip(ranks, example))
    )
    groups = tuple(
        (d, tuple((o, (Element(o, "array", o, "array"),)) for o in dict.fromkeys([d, *GIVEN])))
        for d in example
    )
    return Question(cls, op, None, places, groups, None, False, (), usual.result, None, False)


def left(asked: Question, found: variants.Answer) -> list[tuple[DType, ...]]:
    """What each operand may still be once what was found is checked."""
    paths = [str(i) for i in range(len(asked.groups))]
    arguments = Arguments(
        {path: usual for path, (usual, _) in zip(paths, asked.groups)},
        {path: tuple(key for key, _ in items) for path, (_, items) in zip(paths, asked.groups)},
    )
    for i, kind in found.kinds:
        arguments.blame({paths[i]}, kind)
    if found.exact:
        alike = len({*arguments.examples.values()}) == 1
        arguments.exactly(paths if alike else {paths[i] for i in found.exact})
    arguments.narrow()
    arguments.fix()
    return [arguments.given[path] for path in paths]


DTYPES = st.sampled_from(
    [dtypes.float64, dtypes.float32, dtypes.int64, dtypes.int32, dtypes.bool_, dtypes.uint8]
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(OPS),
    st.tuples(st.sampled_from(FRAMEWORKS), st.sampled_from(FRAMEWORKS)),
    st.lists(st.tuples(DTYPES, st.sampled_from([1, 1, 0])), min_size=3, max_size=5),
    st.booleans(),
    st.integers(0, 2**20),
)
def test_no_combination_is_left_that_differs(op: Any, ways: Any, operands: Any, one: bool, seed: int) -> None:
    load()
    example, ranks = zip(*(([(operands[0][0], rank) for _, rank in operands]) if one else operands))
    asked = question(*op, ways[0], example, ranks)
    if asked is None:
        return
    source, target = (Side(name, True) for name in ways)
    found = variants.answer(asked, source, target)
    both = Asked(asked, [dict(items) for _, items in asked.groups], source, target)
    if found is None or not both.usual() or found.alike:  # which is looked at anew, as of one array
        return
    options = left(asked, found)
    chance = random.Random(seed)
    for _ in range(60):
        keys = tuple(map(chance.choice, options))
        try:
            both.agreed(keys, both.said(keys))
        except Refused:
            continue
        except NoTyping as why:
            try:
                both.said(keys)
            except NoTyping:  # as little is known of the source
                continue
            raise AssertionError(f"{op} {ways} {example} {ranks}: {keys} {why}") from None


def test_many_operands_are_few_combinations() -> None:
    load()
    asked = question("promote", "concat", "numpy", (dtypes.float32,) * 20, (1,) * 20)
    assert len([*choices.choices(asked)]) < 1000
