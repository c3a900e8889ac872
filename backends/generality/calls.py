"""Calls of functions of the user's: what holds for one holds for another of which the same is known.

A function is looked at in its own words: its operands, and the arguments that it takes out of containers,
have names in it, and what they mean outside is said here. What it asks and what it finds is noted, so that
for another call the answers can be compared and the findings told again.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from ...ir.dtypes import DType
from .arguments import Arguments
from .held import Held

#: What a function calls all arguments of the function that is looked at.
ALL = "*"
#: A method of the arguments, what it was called with, and what it answered.
Event = tuple[str, tuple[Any, ...], dict[str, Any], Any]


class Inside:
    """The arguments, as a function that is called with some of them says them; see arguments.py.

    Args:
        outer: as its caller says them.
        said: what its caller says for each of its parameters; "" for what is none of them.

    Attributes:
        means: the arguments that a name stands for, as the caller says them.
        events: what was asked of the arguments, with the answers, and what was found.
    """

    def __init__(self, outer: Arguments | Inside, said: dict[str, str]) -> None:
        self.outer = outer
        self.said = said
        self.means: dict[str, Collection[str]] = {ALL: outer.all}
        self.leaves: dict[str, str] = {}
        self.events: list[Event] = []
        self.calls: dict[Any, Any] = outer.calls

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

    def again(self, events: Collection[Event]) -> bool:
        """Let the same be found; whether all that was asked has the same answers."""
        told = (getattr(self, f"_{name}")(*args, **named) == found for name, args, named, found in events)
        return all(told)

    def note(self, name: str, *args: Any, **kwargs: Any) -> Any:
        found = getattr(self, f"_{name}")(*args, **kwargs)
        self.events.append((name, args, kwargs, found))
        return found

    # What is asked.

    @property
    def all(self) -> frozenset[str]:
        return frozenset({ALL})

    def is_given(self, path: str) -> bool:
        return bool(self.note("is_given", path))

    def _is_given(self, path: str) -> bool:
        root = re.split(r"[.\[]", path, maxsplit=1)[0]
        outer = self.said.get(root, "")
        if not outer or not self.outer.is_given(outer + path[len(root) :]):
            return False
        self.means[path] = {outer + path[len(root) :]}
        return True

    def may_be(self, name: str) -> list[DType]:
        found: list[DType] = self.note("may_be", name)
        return found

    def _may_be(self, name: str) -> list[DType]:
        return list(dict.fromkeys(d for path in sorted(self.means[name]) for d in self.outer.may_be(path)))

    def first(self, name: str) -> str:
        return str(self.note("first", name))

    def _first(self, name: str) -> str:
        return self.leaf(self.outer.first(self.outer_leaf(name)))

    def is_joined(self, leaf: str) -> bool:
        return bool(self.note("is_joined", leaf))

    def _is_joined(self, leaf: str) -> bool:
        return self.outer.is_joined(self.outer_leaf(leaf))

    def may_be_alike(self, names: Collection[str]) -> bool:
        return bool(self.note("may_be_alike", names))

    def _may_be_alike(self, names: Collection[str]) -> bool:
        return self.outer.may_be_alike(self.outside(names))

    # What is found.

    def exactly(self, names: Collection[str], *, open: bool = False) -> None:
        self.note("exactly", names, open=open)

    def _exactly(self, names: Collection[str], *, open: bool) -> None:
        self.outer.exactly(self.outside(names), open=open)

    def blame(self, names: Collection[str], kind: str) -> None:
        self.note("blame", names, kind)

    def _blame(self, names: Collection[str], kind: str) -> None:
        self.outer.blame(self.outside(names), kind)

    def join(self, names: Collection[str], *, checked: bool) -> None:
        self.note("join", names, checked=checked)

    def _join(self, names: Collection[str], *, checked: bool) -> None:
        self.outer.join(self.outside(names), checked=checked)

    def refuse(self, leaf: str, dtypes: Collection[DType]) -> None:
        self.note("refuse", leaf, dtypes)

    def _refuse(self, leaf: str, dtypes: Collection[DType]) -> None:
        self.outer.refuse(self.outer_leaf(leaf), dtypes)
