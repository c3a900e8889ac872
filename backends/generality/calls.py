"""Calls of functions of the user's: what holds for one holds for another of which the same is known.

A function is looked at in its own words: its operands, and the arguments that it takes out of containers,
have names in it, and what they mean outside is said here. What it asks and what it finds is noted, so that
for another call the answers can be compared and the findings told again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...ir.values.dtypes import DType
from .arguments import Arguments
from .held import Held
from .variants import kind

#: What a function calls all arguments of the function that is looked at.
ALL = "*"


@dataclass(slots=True)
class Found:
    """What was found of a call.

    Attributes:
        events: what was asked and decided, in order: a method of `Inside`, its arguments, the answer.
        exact, kinds: what must be checked, see arguments.py.
        made: what the function gives; None where it never returns.
        last: the state in which this was told last, and what names meant then.
    """

    events: list[tuple[str, tuple[Any, ...], Any]]
    exact: Collection[str]
    kinds: Mapping[str, Collection[str]]
    made: list[Held | None] | None
    last: tuple[Any, dict[str, Collection[str]]] | None = None


class Inside:
    """The arguments, as a function that is called with some of them says them; see arguments.py.

    Args:
        outer: as its caller says them.
        said: what its caller says for each of its parameters; "" for what is none of them.

    Attributes:
        means: the arguments that a name stands for, as the caller says them.
        leaves: the names of those that decide a dtype.
        made: what the function gives, in its own words, once that is known.
    """

    def __init__(self, outer: Arguments | Inside, said: dict[str, str]) -> None:
        self.outer = outer
        self.said = said
        self.means: dict[str, Collection[str]] = {ALL: outer.all}
        self.leaves: dict[str, str] = {}
        self.events: list[tuple[str, tuple[Any, ...], Any]] = []
        self.answers: dict[tuple[str, tuple[Any, ...]], Any] = {}
        self.exact: set[str] = set()
        self.kinds: dict[str, set[str]] = {}
        self.calls: dict[Any, Found] = outer.calls
        self.wordings: dict[Any, Any] = outer.wordings
        self.made: list[Held | None] | None = None

    # What goes in and comes out.

    def taken(self, held: Held | None) -> Held | None:
        """An operand in the words of the function."""
        if held is None:
            return None
        name = f"operand {len(self.means)}"
        self.means[name] = held.behind
        leaf = None if held.leaf is None else self.leaf(held.leaf)
        return replace(held, leaf=leaf, behind=frozenset({name}))

    def given(self, held: Held | None) -> Held | None:
        """A result in the words of the caller."""
        if held is None:
            return None
        leaf = None if held.leaf is None else self.outer_leaf(held.leaf)
        return replace(held, leaf=leaf, behind=self.outside(held.behind))

    def leaf(self, outer: str) -> str:
        """The name of an argument that decides a dtype: one for all operands that it decides."""
        name = self.leaves.setdefault(outer, f"leaf {len(self.leaves)}")
        self.means[name] = {outer}
        return name

    def outer_leaf(self, name: str) -> str:
        (outer,) = self.means[name]
        return outer

    def outside(self, names: Collection[str]) -> frozenset[str]:
        return frozenset().union(*(self.means[name] for name in names))

    # What is known of one call, and holds for another.

    def again(self, call: Hashable) -> bool:
        """Let the same be found as of an earlier call that was like this. Returns whether there was one, and
        all that was asked has the same answers.
        """
        found = self.calls.get(call)
        if found is None:
            return False
        state = self.outer, self.version, self.said, dict(self.means)
        if found.last is not None and found.last[0] == state:
            self.means = found.last[1]
        elif all(getattr(self, name)(*args) == told for name, args, told in found.events):
            self.tell(found)
            found.last = (self.outer, self.version, self.said, state[-1]), self.means
        else:
            return False
        self.made = found.made
        return True

    @property
    def version(self) -> int:
        return self.outer.version

    def remember(self, call: Hashable, made: list[Held | None] | None) -> None:
        self.made = made
        self.calls[call] = found = Found(self.events, self.exact, self.kinds, made)
        self.tell(found)

    def tell(self, found: Found) -> None:
        """Tell the caller what must be checked. No answer depends on that."""
        if found.exact:
            self.outer.exactly(self.outside(found.exact))
        for other, names in found.kinds.items():
            self.outer.blame(self.outside(names), other)

    def note(self, name: str, *args: Any) -> Any:
        """Ask or decide something; what was asked is known until something is decided."""
        if (name, args) in self.answers:
            return self.answers[name, args]
        found = getattr(self, name)(*args)
        if found is None and name != "_given_as":
            self.answers.clear()
        self.answers[name, args] = found
        self.events.append((name, args, found))
        return found

    # What is asked.

    @property
    def all(self) -> frozenset[str]:
        return frozenset({ALL})

    def given_as(self, path: str) -> tuple[tuple[DType, ...], str] | None:
        root = ROOT.match(path)[0]  # type: ignore[index]
        found: tuple[tuple[DType, ...], str] | None = self.note("_given_as", root, path[len(root) :])
        return found

    def _given_as(self, root: str, rest: str) -> tuple[tuple[DType, ...], str] | None:
        outer = self.said.get(root, "")
        found = self.outer.given_as(outer + rest) if outer else None
        if found is None:
            return None
        self.means[root + rest] = (outer + rest,)
        return found[0], self.leaf(found[1])

    def options(self, names: Collection[str]) -> frozenset[DType]:
        found: frozenset[DType] = self.note("_options", names)
        return found

    def _options(self, names: Collection[str]) -> frozenset[DType]:
        return self.outer.options(self.outside(names))

    def ever(self, names: Collection[str]) -> frozenset[DType]:
        found: frozenset[DType] = self.note("_ever", names)
        return found

    def _ever(self, names: Collection[str]) -> frozenset[DType]:
        return self.outer.ever(self.outside(names))

    def is_joined(self, leaf: str) -> bool:
        return bool(self.note("_is_joined", leaf))

    def _is_joined(self, leaf: str) -> bool:
        return self.outer.is_joined(self.outer_leaf(leaf))

    def may_be_alike(self, names: Collection[str]) -> bool:
        return bool(self.note("_may_be_alike", names))

    def _may_be_alike(self, names: Collection[str]) -> bool:
        return self.outer.may_be_alike(self.outside(names))

    def differ(self, names: Collection[str]) -> bool:
        return bool(self.note("_differ", names))

    def _differ(self, names: Collection[str]) -> bool:
        return self.outer.differ(self.outside(names))

    # What is found.

    def join(self, names: Collection[str], *, checked: bool) -> None:
        self.note("_join", names, checked)

    def _join(self, names: Collection[str], checked: bool) -> None:
        self.outer.join(self.outside(names), checked=checked)

    def refuse(self, leaf: str, dtypes: Collection[DType]) -> None:
        """See `Arguments.refuse`; which operands are of that argument is the caller's to know."""
        left = [d for d in dtypes if not self.exact and not {kind(d), d.name} & self.kinds.keys()]
        self.note("_refuse", leaf, tuple(left))

    def _refuse(self, leaf: str, dtypes: Collection[DType]) -> None:
        self.outer.refuse(self.outer_leaf(leaf), dtypes)

    def exactly(self, names: Collection[str], *, open: bool = False) -> None:
        if open:
            self.note("_exactly_open", names)
        else:
            self.exact.update(names)

    def _exactly_open(self, names: Collection[str]) -> None:
        self.outer.exactly(self.outside(names), open=True)

    def blame(self, names: Collection[str], other: str) -> None:
        self.kinds.setdefault(other, set()).update(names)


#: What a path begins with: the name of a parameter.
ROOT = re.compile(r"[^.\[]*")
