"""Arguments: the arrays that a function is given, what each may be, and what of it must be checked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from ...ir import dtypes
from ...ir.dtypes import DType
from ...ir.program import Program
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
FEW = ({"uint"}, {BYTES}, {BYTES, "bool"})


@dataclass
class Arguments:
    """The arrays among a function's arguments: what each may be, and which must be checked.

    Attributes:
        exact: those whose dtype must be the example's.
        kinds: those whose kind of numbers must be the example's, with the kinds of which they must not be.
        alike: of those that have one dtype, the first; `unequal` are those of them that might have another.
        refused: the dtypes of arguments for which the source raises.
    """

    examples: dict[str, DType]
    given: dict[str, list[DType]]
    exact: set[str] = field(default_factory=set)
    kinds: dict[str, set[str]] = field(default_factory=dict)
    alike: dict[str, str] = field(default_factory=dict)
    unequal: set[str] = field(default_factory=set)
    refused: set[tuple[str, DType]] = field(default_factory=set)
    #: What was found of functions that are called, see calls.py.
    calls: dict[Any, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.all_given = dict(self.given)

    def begin_again(self) -> None:
        """Forget what must be checked but that some have one dtype, and what was left out for it."""
        self.exact.clear()
        self.kinds.clear()
        self.given = dict(self.all_given)

    @classmethod
    def of(cls, program: Program, *, wide: bool) -> Arguments:
        """Those of a function. `wide`: whether there are 64-bit dtypes."""
        leaves, pinned = program.meta.get("leaves", {}), program.meta.get("pinned", ())
        examples = {p: n.spec.dtype for p, n in leaves.items() if n.spec.dtype is not None}
        options = [dtype for dtype in GIVEN if wide or dtype == narrow(dtype)]
        others = {p: [d for d in options if d != usual and p not in pinned] for p, usual in examples.items()}
        return cls(examples, {p: [usual, *others[p]] for p, usual in examples.items()})

    def may_be(self, path: str) -> list[DType]:
        """What an argument may be given as."""
        return [dtype for dtype in self.given[path] if (self.first(path), dtype) not in self.refused]

    def first(self, path: str) -> str:
        """The one that stands for all those that have one dtype."""
        return self.alike.get(path, path)

    def join(self, paths: Collection[str], *, checked: bool) -> None:
        """Let these have one dtype, and those that have one with them."""
        if checked:
            self.unequal.update(paths)
        firsts = {self.first(path) for path in paths}
        mine = [p for p in self.examples if self.first(p) in firsts]
        self.alike.update(dict.fromkeys(mine, mine[0]))

    @property
    def all(self) -> frozenset[str]:
        return frozenset(self.examples)

    def is_given(self, path: str) -> bool:
        """Whether this is an array among the arguments."""
        return path in self.given

    def is_joined(self, leaf: str) -> bool:
        """Whether this one has one dtype with another that stands for it."""
        return self.first(leaf) != leaf

    def exactly(self, paths: Collection[str], *, open: bool = False) -> None:
        """Let these have the dtypes of the example; `open`: those that might have another."""
        self.exact.update(path for path in paths if not open or len(self.may_be(path)) > 1)

    def refuse(self, leaf: str, dtypes: Collection[DType]) -> None:
        """The source raises for these dtypes of an argument."""
        self.refused.update((leaf, dtype) for dtype in dtypes)

    def blame(self, paths: Collection[str], kind: str) -> None:
        """Let none of these be of this kind."""
        for path in paths:
            self.kinds.setdefault(path, set()).add(kind)

    def may_be_alike(self, paths: Collection[str]) -> bool:
        """Whether these have one dtype in the example, and might have several."""
        return len({self.examples[p] for p in paths}) == 1 < len({self.first(p) for p in paths})

    def fix(self) -> bool:
        """Leave out all but the dtype of the example where that is checked. Returns whether there was any."""
        before = dict(self.given)
        firsts = {self.first(path) for path in self.exact}
        self.given |= {path: [usual] for path, usual in self.examples.items() if self.first(path) in firsts}
        return self.given != before

    def narrow(self) -> bool:
        """Leave out the kinds of numbers that the checks refuse. Returns whether there was any."""
        before = dict(self.given)
        together: dict[str, list[str]] = {}
        for path in self.examples:
            together.setdefault(self.first(path), []).append(path)
        for mine in together.values():
            options = [d for d in self.may_be(mine[0]) if all(d in self.given[p] for p in mine)]
            refused = plain(set().union(*(self.kinds.get(p, ()) for p in mine)))
            for path in mine:
                usual = self.examples[path]
                if refused in FEW and kind(usual) != "uint":
                    kept = [d for d in options if kind(d) not in refused and d.name not in refused]
                else:
                    fine = {kind(usual), *({RELATED.get(kind(usual))} - whole(refused))}
                    kept = [d for d in options if not refused or kind(d) in fine]
                self.given[path] = kept
        return self.given != before


def plain(kinds: set[str]) -> set[str]:
    """Kinds, each said once."""
    return kinds - {BYTES} if "uint" in kinds else kinds


def whole(kinds: set[str]) -> set[str]:
    """Kinds, with all unsigned integers for bytes."""
    return {"uint" if kind == BYTES else kind for kind in kinds}
