"""Variants: what an op gives in source and target, for every combination of what its operands may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from ...ir.meaning.layers import remembered
from ...ir.meaning.op import REGISTER
from ...ir.values import dtypes
from ...ir.values.dtypes import DType
from ..typing import NoTyping, Operand, Refused, Typing, exceeds, typing
from ..typing.jax import narrow
from . import spelled
from .choices import choices, twins
from .plan import Plan, planned
from .spelled import Step

HALVES = (dtypes.float16, dtypes.bfloat16)
#: Classes of ops that compute in what they are given, or whose computing dtype is of no account.
OWN = frozenset({"same", "keep"})
#: The kind that is let in beside that of the example, where nothing speaks against it.
RELATED = {"float": "half", "int": "uint", "uint": "int"}


class Element(NamedTuple):
    """What an array may be: in the source, and in the target, where 64-bit dtypes may be missing."""

    dtype: DType
    form: str
    given: DType
    given_form: str


class Place(NamedTuple):
    """An operand of a question: its rank, and where it stands among the groups; or a Python scalar, and what
    that is in the target. `cast`: the dtype to which promotion casts it. An array of one number that the text
    has as a Python scalar, `given`, stands among the groups too.
    """

    rank: int | None
    group: int | None
    column: int
    scalar: Operand | None
    given: Operand | None
    cast: DType | None = None


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
        wanted: the dtype that comes out in the example.
        sums: of an op that makes sums, whether the target's function takes `dtype=`; None of any other op.
        same: whether the text calls the function that the user does.
    """

    cls: str
    op: str
    dtype: DType | None
    places: tuple[Place, ...]
    groups: tuple[tuple[Any, tuple[tuple[Any, tuple[Element, ...]], ...]], ...]
    spelled: Spelling | None
    dropped: bool
    when: tuple[tuple[int, int, str], ...]
    wanted: DType
    sums: bool | None
    same: bool


@dataclass
class Answer:
    """What comes of a question.

    Attributes:
        given: by the keys of the groups, the result, where source and target agree.
        refused: the keys for which the source raises; `differing`: those for which the two do not agree.
        kinds: the groups whose kind must be the example's, each with one that it must not be.
        exact: the groups whose dtypes must be the example's.
        alike: whether the groups must have one dtype.
    """

    given: dict[tuple[Any, ...], Element] = field(default_factory=dict)
    refused: list[tuple[Any, ...]] = field(default_factory=list)
    differing: list[tuple[Any, ...]] = field(default_factory=list)
    kinds: set[tuple[int, str]] = field(default_factory=set)
    exact: set[int] = field(default_factory=set)
    alike: bool = False


@remembered(4096)
def answer(question: Question, source: Side, target: Side) -> Answer | None:
    """What comes of a question; None where the source's own typing of the example is not known."""
    asked = Asked(question, [dict(items) for _, items in question.groups], source, target)
    if asked.usual() is None:
        return None
    found = Answer()
    for keys in choices(question):
        try:
            said = asked.said(keys)
        except Refused:
            found.refused.append(keys)
            continue
        except NoTyping:
            said = None
        if said is None and question.spelled is None and question.same and not question.dropped:
            continue  # the same function, whatever it does
        try:
            if said is not None:
                found.given[keys] = asked.agreed(keys, said)
                continue
        except Refused:
            continue
        except NoTyping:
            pass
        found.differing.append(keys)
    # Those in which few are of another kind say most: what they exclude explains the others.
    # But where arguments are of one dtype, they say that it is not for being of several that they differ.
    mixed = asked.alike()
    for keys in sorted(found.differing, key=lambda k: (mixed and len({*k}) > 1, len(asked.off_kind(k)))):
        asked.blame(found, keys)
    for mine in twins(question, asked.free):
        found.kinds |= {(i, other) for i in mine for j, other in [*found.kinds] if j in mine}
        found.exact |= {*mine} if found.exact & {*mine} else set()
    return found


@dataclass
class Asked:
    """A question to both sides.

    Attributes:
        strict: whether both must compute in one dtype, as in the example.
        plan: the casts that the text has; None where they are not known.
    """

    question: Question
    table: Sequence[dict[Any, tuple[Element, ...]]]
    source: Side
    target: Side
    strict: bool = True
    plan: Plan | None = None

    @property
    def example(self) -> tuple[Any, ...]:
        return tuple(key for key, _ in self.question.groups)

    def usual(self) -> bool | None:
        """Whether the two agree in the example, with the casts that the text has; None where the source's own
        typing is not known.
        """
        try:
            said = self.said(self.example)
        except NoTyping:
            return None
        operands = self.operands(self.example, 2)
        casts = [place.cast and self.known(place.cast) for place in self.question.places]
        wanted, sums = self.known(self.question.wanted), self.question.sums
        for self.strict in (True, False):
            fine = partial(self.computes, said)
            self.plan = planned(operands, casts, wanted, sums, self.target_typing, fine)
            try:
                self.agreed(self.example, said)
            except NoTyping:
                continue
            return True
        self.plan = None
        return False

    def said(self, keys: Any) -> Typing:
        """How the source types the op on these operands.

        Raises:
            Refused: where it raises. NoTyping: where that is not known, or the call would be read otherwise.
        """
        cls, op, dtype = self.question[:3]
        operands = self.operands(keys, 0)
        try:
            return typing(self.source.name, cls, operands, op=op, dtype=dtype, x64=self.source.x64)
        except Refused:
            if not all(self.met(keys, *each) for each in self.question.when if each[1] == 0):
                raise NoTyping("read in another way") from None
            raise

    def met(self, keys: Any, place: int, side: int, kinds: str) -> bool:
        """Whether an operand is of the kinds for which the op was read so, or is written so."""
        dtype = self.operand(self.question.places[place], keys, side).dtype
        return dtype is None or bool({dtype.kind, dtype.name} & {*kinds.split("|")})

    def target_typing(self, operands: Sequence[Operand], dtype: DType | None) -> Typing:
        cls, op, _ = self.question[:3]
        return typing(self.target.name, cls, operands, op=op, dtype=dtype, x64=self.target.x64)

    def operands(self, keys: Any, side: int) -> list[Operand]:
        return [self.operand(place, keys, side) for place in self.question.places]

    def operand(self, place: Place, keys: Any, side: int) -> Operand:
        """An operand as it is in the source (0) or the target (2)."""
        if side == 2 and place.given is not None:
            return place.given
        if place.group is None:
            assert place.scalar is not None
            return place.scalar
        element = self.table[place.group][keys[place.group]][place.column]
        if side == 0:
            return Operand(0 if element.form == "python" else place.rank, element.dtype, element.form)
        return Operand(0 if element.given_form == "python" else place.rank, element.given, element.given_form)

    def agreed(self, keys: Any, said: Typing) -> Element:
        """What comes out, where source and target agree.

        Raises:
            NoTyping: where they do not. Refused: where the target raises.
        """
        form = said.form
        if not all(self.met(keys, *each) for each in self.question.when):
            raise NoTyping("said in another way")
        if self.question.spelled is not None:
            return self.spelled(self.question.spelled, keys, said)
        if self.question.dropped:
            (group,) = (p.group for p in self.question.places if p.group is not None)
            (element,) = self.table[group][keys[group]]
            if element.dtype != said.result:
                raise NoTyping("left out")
            return element
        if self.question.same and self.question.cls == "compare":
            plain = not any(place.cast for place in self.question.places)
            if plain and self.operands(keys, 0) == self.operands(keys, 2):  # in whatever dtype that is
                return Element(said.result, form, said.result, form)
        if self.plan is None:
            raise NoTyping("written in a way that is not known")
        if keys != self.example and self.plan.cuts(self.operands(keys, 2)):
            raise NoTyping("cast to what cannot hold it")
        found = self.plan.typed(self.operands(keys, 2), self.target_typing)
        if found.exact or said.exact or found.result != self.known(said.result):
            raise NoTyping("another dtype")
        if not self.computes(said, found):
            raise NoTyping("computed in another dtype")
        return Element(said.result, form, found.result, found.form)

    def computes(self, said: Typing, found: Typing) -> bool:
        """Whether the target computes in the dtype that the source does, or that is of no account."""
        if None in (said.compute, found.compute) or self.question.cls in OWN:
            return True
        if found.result in HALVES:  # rounded once more, which is of no account where all numbers are held
            numbers = [place.scalar for place in self.question.places if place.scalar is not None]
            free = not self.jumps and not any(exceeds(n, found.result) for n in numbers)
        else:
            free = not self.strict
        return free or found.compute == self.known(said.compute)

    def spelled(self, spelling: Spelling, keys: Any, said: Typing) -> Element:
        """What comes out where the target spells the op out."""
        steps, places, alike = spelling
        dtypes, usual = self.dtypes(keys), self.dtypes(self.example)
        operands = [self.operand(place, keys, 2) for place in places]
        if len(dtypes) == 1 and dtypes == usual or keys == self.example:
            made, form = self.known(said.result), self.form_of(steps, operands)
        elif steps is None or alike is not None and (len(dtypes) > 1 or not dtypes <= alike):
            raise NoTyping("spelled out in another way")
        else:
            made, form = spelled.result(steps, operands, self.target.name, self.target.x64)
        if self.jumps and made in HALVES and said.compute not in HALVES:
            raise NoTyping("a number that is rounded first")
        if made != self.known(said.result):
            raise NoTyping("another dtype")
        return Element(said.result, said.form, made, form)

    def form_of(self, steps: Sequence[Step] | None, operands: Sequence[Operand]) -> str:
        """Whether what is spelled out is weak, where the dtype that comes out is known."""
        try:
            found = spelled.result(steps, operands, self.target.name, self.target.x64) if steps else None
        except (NoTyping, Refused):
            found = None
        return found[1] if found is not None else "array"

    def known(self, dtype: Any) -> DType:
        """A dtype as the target has it: that its numbers have 32 bits is a fact of its own."""
        made: DType = dtype if self.target.x64 else narrow(dtype)
        return made

    @property
    def jumps(self) -> bool:
        """Whether a number that is rounded a little may make a difference of 1."""
        found = REGISTER.get(self.question.op)  # none for what is asked of a class
        return found is not None and found.jumps

    @property
    def free(self) -> list[int]:
        """The groups that may be several things."""
        return [i for i, (_, items) in enumerate(self.question.groups) if len(items) > 1]

    def dtypes(self, keys: Any) -> set[DType]:
        """What the groups are that may be several things."""
        return {element.dtype for i in self.free for element in self.table[i][keys[i]]}

    def alike(self) -> bool:
        """Whether several arguments, of one dtype in the example, have to do with it."""
        usual = {self.example[i] for i in self.free}
        return len(usual) == 1 < len(self.free) and all(isinstance(key, DType) for key in usual)

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
        related = all(kind(keys[i]) == RELATED.get(kind(self.example[i])) for i in off)
        if related and self.alike() and len({keys[i] for i in self.free}) > 1:
            found.alike = True
        elif off and related and len(self.dtypes(keys)) > len(self.dtypes(self.example)) == 1:
            found.exact |= {*self.free}
        elif off:
            found.kinds |= {(i, kind(keys[i])) for i in off}
        else:
            found.exact |= {i for i, pair in enumerate(zip(keys, self.example)) if self.differs(i, *pair)}


def kind(key: Any) -> str:
    """Of a dtype, or of an Element."""
    dtype = key.dtype if isinstance(key, Element) else key
    return "half" if dtype in HALVES else str(dtype.kind)
