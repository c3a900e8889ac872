"""Arguments: the arrays that a function is given, what each may be, and what of it must be checked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from ...ir.program import Program
from ...ir.values import dtypes
from ...ir.values.dtypes import DType
from ..typing.jax import narrow
from .variants import RELATED, kind

#: What an argument may be given as, beside the dtype of the example.
GIVEN = (
    dtypes.float32, dtypes.float64, dtypes.float16, dtypes.int64, dtypes.int32, dtypes.bool_,
    dtypes.complex64, dtypes.complex128, dtypes.int8, dtypes.uint8, dtypes.uint64,
)  # fmt: skip
#: Beside the kinds: uint8 alone, which says no positions in torch but is a mask.
BYTES = "uint8"
#: Where only these come out otherwise, as unsigned integers of sums, they alone are refused.
FEW = ({"uint"}, {BYTES}, {"bool"}, {BYTES, "bool"})


@dataclass(eq=False)
class Arguments:
    """The arrays among a function's arguments: what each may be, and which must be checked.

    Attributes:
        exact: those whose dtype must be the example's.
        blamed: of kinds of numbers, those that must not be of it, but of the example's kind.
        alike: of those that have one dtype, the first; `unequal` are those of them that might have another.
        refused: the dtypes of arguments for which the source raises.
    """

    examples: dict[str, DType]
    given: dict[str, tuple[DType, ...]]
    exact: set[str] = field(default_factory=set)
    blamed: dict[str, set[str]] = field(default_factory=dict)
    alike: dict[str, str] = field(default_factory=dict)
    unequal: set[str] = field(default_factory=set)
    refused: set[tuple[str, DType]] = field(default_factory=set)
    #: Those that have one dtype, by the one that stands for them; empty where that is not known.
    members: dict[str, set[str]] = field(default_factory=dict)
    #: What was answered of the arguments, and how often that has changed.
    known: dict[str, tuple[tuple[DType, ...], str]] = field(default_factory=dict)
    version: int = 0
    #: Whether only what the source refuses is looked for, which joins arguments without a check.
    early: bool = False
    #: Whether anything else was found then, and left out.
    later: bool = False
    #: What was found of functions that are called, see calls.py.
    calls: dict[Any, Any] = field(default_factory=dict)
    #: What is known of ops whatever their operands are, see wording.py.
    wordings: dict[Any, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.all_given = dict(self.given)
        self.all = frozenset(self.examples)
        self.order = {path: number for number, path in enumerate(self.examples)}
        self.of_dtype: dict[DType, set[str]] = {}
        for path, dtype in self.examples.items():
            self.of_dtype.setdefault(dtype, set()).add(path)

    def begin_again(self) -> None:
        """Forget what must be checked but that some have one dtype, and what was left out for it."""
        self.exact.clear()
        self.blamed.clear()
        self.given = dict(self.all_given)
        self.changed()

    def changed(self) -> None:
        """Something is known now by which what was asked before may have another answer."""
        self.version += 1
        self.known.clear()

    @classmethod
    def of(cls, program: Program, *, wide: bool) -> Arguments:
        """Those of a function. `wide`: whether there are 64-bit dtypes."""
        leaves, pinned = program.meta.get("leaves", {}), program.meta.get("pinned", ())
        examples = {p: n.spec.dtype for p, n in leaves.items() if n.spec.dtype is not None}
        options = GIVEN if wide else dict.fromkeys(map(narrow, GIVEN))
        others = {p: [d for d in options if d != usual and p not in pinned] for p, usual in examples.items()}
        return cls(examples, {p: (usual, *others[p]) for p, usual in examples.items()})

    def copy(self) -> Arguments:
        """The same, of which other things can be found from here on."""
        blamed = {other: {*paths} for other, paths in self.blamed.items()}
        members = {first: {*paths} for first, paths in self.members.items()}
        return replace(
            self, given=dict(self.given), exact={*self.exact}, blamed=blamed, alike=dict(self.alike),
            unequal={*self.unequal}, refused={*self.refused}, members=members, known={}, calls={},
        )  # fmt: skip

    def may_be(self, path: str) -> tuple[DType, ...]:
        """What an argument may be given as."""
        first, given = self.first(path), self.given[path]
        return tuple(d for d in given if (first, d) not in self.refused) if self.refused else given

    def options(self, paths: Collection[str]) -> frozenset[DType]:
        """What any of these may be given as."""
        return frozenset(dtype for path in paths for dtype in self.may_be(path))

    def ever(self, paths: Collection[str]) -> frozenset[DType]:
        """What any of these could be given as if nothing was checked."""
        given = ((self.first(path), dtype) for path in paths for dtype in self.all_given[path])
        return frozenset(each[1] for each in given if each not in self.refused)

    def given_as(self, path: str) -> tuple[tuple[DType, ...], str] | None:
        """What an array among the arguments may be, and the one that stands for it; None for what is none."""
        if path not in self.known and path in self.given:
            self.known[path] = self.may_be(path), self.first(path)
        return self.known.get(path)

    def first(self, path: str) -> str:
        """The one that stands for all those that have one dtype."""
        return self.alike.get(path, path)

    def join(self, paths: Collection[str], *, checked: bool) -> None:
        """Let these have one dtype, and those that have one with them."""
        if checked and self.early:
            self.later = True
            return
        if checked:
            self.unequal.update(paths)
        if not self.differ(paths):
            return
        rest, firsts = set(paths), list[str]()
        while rest:
            firsts.append(self.first(rest.pop()))
            rest -= self.members[firsts[-1]]
        first = min(firsts, key=self.order.__getitem__)
        for other in firsts:
            if other != first:
                more = self.members.pop(other)
                self.members[first] |= more
                self.alike.update(dict.fromkeys(more, first))
        self.alike[first] = first
        self.changed()

    def differ(self, paths: Collection[str]) -> bool:
        """Whether these may be of several dtypes."""
        if not self.members:
            for path in self.examples:
                self.members.setdefault(self.first(path), set()).add(path)
        return any(not self.members[self.first(path)].issuperset(paths) for path in islice(paths, 1))

    def is_joined(self, leaf: str) -> bool:
        """Whether this one has one dtype with another that stands for it."""
        return self.first(leaf) != leaf

    def exactly(self, paths: Collection[str], *, open: bool = False) -> None:
        """Let these have the dtypes of the example; `open`: those that might have another."""
        self.exact.update(paths if not open else (path for path in paths if len(self.may_be(path)) > 1))

    def refuse(self, leaf: str, dtypes: Collection[DType]) -> None:
        """The source raises for these dtypes of an argument, unless they are checked: of such it is not known
        what there is on each way, after each turn.
        """
        new = {(leaf, dtype) for dtype in dtypes if not self.is_blamed(leaf, dtype)} - self.refused
        if new:
            self.refused |= new
            self.changed()

    def is_blamed(self, leaf: str, dtype: DType) -> bool:
        """Whether an argument, or one that has one dtype with it, must not be of a dtype."""
        blamed = self.blamed.get(kind(dtype), set()) | self.blamed.get(dtype.name, set()) | self.exact
        return any(self.first(path) == self.first(leaf) for path in blamed)

    def blame(self, paths: Collection[str], other: str) -> None:
        """Let none of these be of this kind. If one is of it in the example, they are as in that."""
        examples = (self.examples[path] for path in paths if path in self.examples)
        if any(other in (kind(dtype), dtype.name) for dtype in examples):
            self.exactly(paths)
            return
        self.blamed.setdefault(other, set()).update(paths)

    @property
    def kinds(self) -> dict[str, set[str]]:
        """The arguments whose kind must be the example's, with the kinds of which they must not be."""
        found: dict[str, set[str]] = {}
        for other, paths in self.blamed.items():
            for path in paths:
                found.setdefault(path, set()).add(other)
        return found

    def may_be_alike(self, paths: Collection[str]) -> bool:
        """Whether these have one dtype in the example, and might have several."""
        alike = (self.of_dtype[self.examples[path]].issuperset(paths) for path in islice(paths, 1))
        return self.differ(paths) and all(alike)

    def fix(self) -> bool:
        """Leave out all but the dtype of the example where that is checked. Returns whether there was any."""
        before = dict(self.given)
        firsts = {self.first(path) for path in self.exact}
        self.given |= {path: (usual,) for path, usual in self.examples.items() if self.first(path) in firsts}
        self.changed()
        return self.given != before

    def narrow(self) -> bool:
        """Leave out the kinds of numbers that the checks refuse. Returns whether there was any."""
        before, kinds = dict(self.given), self.kinds
        together: dict[str, list[str]] = {}
        for path in self.examples:
            together.setdefault(self.first(path), []).append(path)
        for mine in together.values():
            options = [d for d in self.may_be(mine[0]) if all(d in self.given[p] for p in mine)]
            refused = plain(set().union(*(kinds.get(p, ()) for p in mine)))
            for path in mine:
                usual = self.examples[path]
                if refused in FEW and kind(usual) != "uint":
                    kept = [d for d in options if kind(d) not in refused and d.name not in refused]
                else:
                    fine = {kind(usual), *({RELATED.get(kind(usual))} - whole(refused))}
                    kept = [d for d in options if not refused or kind(d) in fine]
                self.given[path] = tuple(kept)
        self.changed()
        return self.given != before

    def narrow_apart(self, alike: dict[str, str], unequal: set[str]) -> bool:
        """The same, as long as only these are known to have one dtype. What else was joined may come apart,
        and then nobody checks of one of them what is left out for another.
        """
        found = self.alike, self.unequal
        self.alike, self.unequal = alike, unequal
        self.members.clear()
        if self.narrow():
            self.exact.clear()
            return True
        self.alike, self.unequal = found
        self.members.clear()
        self.changed()
        return False


def plain(kinds: set[str]) -> set[str]:
    """Kinds, each said once."""
    return kinds - {BYTES} if "uint" in kinds else kinds


def whole(kinds: set[str]) -> set[str]:
    """Kinds, with all unsigned integers for bytes."""
    return {"uint" if kind == BYTES else kind for kind in kinds}
