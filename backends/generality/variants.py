"""Variants: what an op gives in source and target, for every combination of what its operands may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

from ...ir import dtypes
from ...ir.dtypes import DType
from ..typing import NoTyping, Operand, Refused, Typing, typing
from ..typing.jax import narrow
from . import spelled
from .spelled import Step

#: More combinations than this are not looked at all together, but two groups at a time.
MOST = 400
HALVES = (dtypes.float16, dtypes.bfloat16)
#: Classes of ops that compute in what they are given, or whose computing dtype is of no account.
OWN = frozenset({"same", "keep"})


class Element(NamedTuple):
    """What an array may be: in the source, and in the target, where 64-bit dtypes may be missing."""

    dtype: DType
    form: str
    given: DType
    given_form: str


class Place(NamedTuple):
    """An operand of a question: its rank, and where it stands among the groups; or a Python scalar, and what
    that is in the target.
    """

    rank: int | None
    group: int | None
    column: int
    scalar: Operand | None
    given: Operand | None


class Side(NamedTuple):
    """A framework, and whether it has 64-bit dtypes."""

    name: str
    x64: bool


class Spelling(NamedTuple):
    """An op in the words of others.

    Attributes:
        steps: those that say what dtype comes out; None where they are not known.
        places: of each array of the op.
        alike: the dtypes for which the steps are those of the example; None where they are for all.
    """

    steps: tuple[Step, ...] | None
    places: tuple[Place, ...]
    alike: frozenset[DType] | None


class Question(NamedTuple):
    """An op on operands that may be several things.

    Attributes:
        cls, op, dtype: as in typing.
        groups: of each group of operands that hang together, the example's key, and all keys with what each
        operand is there.
        spelled: how the target spells the op out, where it has no phrase for it.
        when: places whose dtypes, in source (0) or target (2), must be of these kinds for what was read, and
        for the phrase that is written.
        dropped: whether the text leaves the op out, and gives its array as it is.
    """

    cls: str
    op: str
    dtype: DType | None
    places: tuple[Place, ...]
    groups: tuple[tuple[Any, tuple[tuple[Any, tuple[Element, ...]], ...]], ...]
    spelled: Spelling | None
    dropped: bool
    when: tuple[tuple[int, int, str], ...]


@dataclass
class Answer:
    """What comes of a question.

    Attributes:
        given: by the keys of the groups, the result, where source and target agree.
        refused: the keys for which the source raises.
        kinds: the groups whose kind must be the example's, each with one that it must not be.
        exact: the groups whose dtypes must be the example's.
        alike: whether the groups must have one dtype.
    """

    given: dict[tuple[Any, ...], Element] = field(default_factory=dict)
    refused: list[tuple[Any, ...]] = field(default_factory=list)
    kinds: set[tuple[int, str]] = field(default_factory=set)
    exact: set[int] = field(default_factory=set)
    alike: bool = False


@lru_cache(maxsize=4096)
def answer(question: Question, source: Side, target: Side) -> Answer | None:
    """What comes of a question; None where the text casts already in the example, which is checked anyway."""
    asked = Asked(question, [dict(items) for _, items in question.groups], source, target)
    if not asked.usual():
        return None
    found = Answer()
    differing = []
    for keys in choices(question):
        try:
            said = asked.said(keys)
        except Refused:
            found.refused.append(keys)
            continue
        except NoTyping:
            said = None
        if said is None and question.spelled is None and source == target and not question.dropped:
            continue  # the same function, whatever it does
        try:
            if said is not None:
                found.given[keys] = asked.agreed(keys, said)
                continue
        except Refused:
            continue
        except NoTyping:
            pass
        differing.append(keys)
    # Those in which few are of another kind say most: what they exclude explains the others.
    for keys in sorted(differing, key=lambda keys: len(asked.off_kind(keys))):
        asked.blame(found, keys)
    return found


def choices(question: Question) -> Iterator[tuple[Any, ...]]:
    """The keys of the groups: all combinations, or any two groups with the others as in the example."""
    keys = [[key for key, _ in items] for _, items in question.groups]
    if prod(map(len, keys)) <= MOST:
        yield from product(*keys)
        return
    example = [key for key, _ in question.groups]
    for i, j in combinations(range(len(keys)), 2):
        for one_, two in product(keys[i], keys[j]):
            made = list(example)
            made[i], made[j] = one_, two
            yield tuple(made)


@dataclass
class Asked:
    """A question to both sides. `strict`: whether both must compute in one dtype, as in the example."""

    question: Question
    table: Sequence[dict[Any, tuple[Element, ...]]]
    source: Side
    target: Side
    strict: bool = True

    @property
    def example(self) -> tuple[Any, ...]:
        return tuple(key for key, _ in self.question.groups)

    def usual(self) -> bool:
        """Whether the two agree in the example."""
        for self.strict in (True, False):
            try:
                self.agreed(self.example, self.said(self.example))
            except NoTyping:
                continue
            return True
        return False

    def said(self, keys: Any) -> Typing:
        return self.typed(keys, self.source, 0)

    def typed(self, keys: Any, framework: Side, side: int) -> Typing:
        """How a framework types the op on these operands, as they are in the source (0) or the target (2)."""
        operands = [self.operand(place, keys, side) for place in self.question.places]
        cls, op, dtype = self.question[:3]
        return typing(framework.name, cls, operands, op=op, dtype=dtype, x64=framework.x64)

    def operand(self, place: Place, keys: Any, side: int) -> Operand:
        if place.group is None:
            number = place.scalar if side == 0 else place.given
            assert number is not None
            return number
        element = self.table[place.group][keys[place.group]][place.column]
        if side == 0:
            return Operand(place.rank, element.dtype, element.form)
        return Operand(place.rank, element.given, element.given_form)

    def agreed(self, keys: Any, said: Typing) -> Element:
        """What comes out, where source and target agree.

        Raises:
            NoTyping: where they do not. Refused: where the target raises.
        """
        form = "weak" if said.weak else "array"
        for place, side, kinds in self.question.when:
            dtype = self.operand(self.question.places[place], keys, side).dtype
            if dtype is not None and not {dtype.kind, dtype.name} & {*kinds.split("|")}:
                raise NoTyping("said in another way")
        if self.question.spelled is not None:
            return self.spelled(self.question.spelled, keys, said)
        if self.question.dropped:
            (group,) = (p.group for p in self.question.places if p.group is not None)
            (element,) = self.table[group][keys[group]]
            if element.dtype != said.result:
                raise NoTyping("left out")
            return element
        found = self.typed(keys, self.target, 2)
        if found.exact or said.exact or found.result != self.known(said.result):
            raise NoTyping("another dtype")
        free = self.question.cls in OWN or found.result in HALVES or None in (said.compute, found.compute)
        if self.strict and not free and found.compute != self.known(said.compute):
            raise NoTyping("computed in another dtype")
        return Element(said.result, form, found.result, "weak" if found.weak else "array")

    def spelled(self, spelling: Spelling, keys: Any, said: Typing) -> Element:
        """What comes out where the target spells the op out."""
        steps, places, alike = spelling
        free = [i for i, (_, items) in enumerate(self.question.groups) if len(items) > 1]
        dtypes = {element.dtype for i in free for element in self.table[i][keys[i]]}
        usual = {element.dtype for i in free for element in self.table[i][self.example[i]]}
        if len(dtypes) == 1 and dtypes == usual or keys == self.example:
            made = said.result
        elif steps is None or alike is not None and (len(dtypes) > 1 or not dtypes <= alike):
            raise NoTyping("spelled out in another way")
        else:
            operands = [self.operand(place, keys, 2) for place in places]
            made = spelled.result(steps, operands, self.target.name, self.target.x64)
        if made != self.known(said.result):
            raise NoTyping("another dtype")
        return Element(said.result, "weak" if said.weak else "array", made, "array")

    def known(self, dtype: Any) -> DType:
        """A dtype as the target has it: that its integers have 32 bits is a fact of its own."""
        made: DType = dtype if self.target.x64 or dtype.is_inexact else narrow(dtype)
        return made

    def off_kind(self, keys: Any) -> set[int]:
        """The groups that are of another kind than in the example."""
        pairs = enumerate(zip(keys, self.example))
        return {i for i, (key, usual) in pairs if self.differs(i, key, usual) and kind(key) != kind(usual)}

    def differs(self, group: int, key: Any, usual: Any) -> bool:
        return self.table[group][key] != self.table[group][usual]

    def blame(self, found: Answer, keys: Any) -> None:
        """Note what must be checked lest this combination comes out wrong."""
        off = self.off_kind(keys)
        if any((i, kind(keys[i])) in found.kinds for i in off):
            return
        found.kinds |= {(i, kind(keys[i])) for i in off}
        free = [i for i, (_, items) in enumerate(self.question.groups) if len(items) > 1]
        usual = {self.example[i] for i in free}
        if off:
            return
        if len(usual) == 1 < len({keys[i] for i in free}) and all(isinstance(key, DType) for key in usual):
            found.alike = True
        else:
            found.exact |= {i for i, pair in enumerate(zip(keys, self.example)) if self.differs(i, *pair)}


def kind(key: Any) -> str:
    """Of a dtype, or of an Element."""
    dtype = key.dtype if isinstance(key, Element) else key
    return "half" if dtype in HALVES else "int" if dtype.is_integer else str(dtype.kind)
