"""Structured: the containers among the arguments, and what Python was told of them (python/structure.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..ir.graphs.graph import Graph
from ..ir.graphs.leaves import GIVEN, ITSELF, SEQUENCE
from ..ir.graphs.presence import note_presence
from ..ir.values.tree import beyond, children, holdings, is_record, record_fields, surely
from .frozen import Frozen
from .place import is_own
from .proxy import Shape, is_proxy


@dataclass(frozen=True, slots=True)
class Given:
    """A container among the arguments of the function that `graph` belongs to, which says `path` for it.
    `held`: the keys that it came with, or how long it was. `object`: the id of the example's.
    """

    container: Any
    graph: Graph
    path: str
    held: Any
    object: int

    def note(self, what: Any) -> None:
        """Let the function check this: "whole", or a pair of a key and whether it is there. What a record
        holds its class says.
        """
        if is_record(self.container):
            return
        asked = self.graph.meta.setdefault("structure", {})
        asked.setdefault(self.path, {})[what] = self.held


    def note_attribute(self, name: str, what: Any) -> None:
        """Let the function check whether the object has an attribute, or that it has no others: ''."""
        self.graph.meta.setdefault("attributes", {}).setdefault(self.path, {})[name] = what


class Structure:
    """The containers among the arguments of the functions that are being traced, by id."""

    def __init__(self) -> None:
        self.given: dict[int, Given] = {}
        self.frozen = Frozen()
        #: Items of lists that a loop goes through, which its text has a name for, by id.
        self.items: dict[int, Any] = {}
        #: Those that are one of several by the way that the program goes, by id, each with the several.
        self.joined: dict[int, tuple[Any, list[Given]]] = {}
        #: Iterators over them, by id, each with the several that it may go through.
        self.iterators: dict[int, tuple[Any, list[Given]]] = {}

    def add(self, container: Any, graph: Graph, path: str, example: Any) -> None:
        if is_record(container):
            held: Any = tuple(getattr(container, "__dict__", holdings(container)))
        else:
            held = tuple(container) if isinstance(container, Mapping) else len(container)
        self.given[id(container)] = Given(container, graph, path, held, id(example))

    def again(self, container: Any, found: Given) -> None:
        """A container was made anew of one among the arguments: what is asked of it is asked of that."""
        self.given[id(container)] = replace(found, container=container)

    def find(self, value: Any) -> Given | None:
        found = self.given.get(id(value))
        return found if found is not None and found.container is value else None

    def join(self, made: Any, values: Iterable[Any]) -> None:
        """A container was made that is one of these, by the way that the program goes."""
        found = [given for value in values for given in self.all_of(value)] if self.given else []
        if found:
            self.joined[id(made)] = made, found

    def is_item(self, value: Any) -> bool:
        """Whether this stands for any item of a list, or a container in one."""
        return bool(self.items) and self.items.get(id(value)) is value

    def all_of(self, value: Any) -> list[Given]:
        """The containers among the arguments that a value may be."""
        found = self.find(value)
        if found is not None:
            return [found]
        made, several = self.joined.get(id(value), (None, []))
        return several if made is value else []

    def iterates(self, made: Any, container: Any) -> None:
        """An iterator over a container was made. That asks nothing; but whoever takes an item of it, or is
        told that there is none left, is told of all that the container holds.
        """
        if made is not container and (found := self.all_of(container)):
            self.iterators[id(made)] = made, found

    def whole(self, *values: Any) -> None:
        """Python is told of all that these hold, or give."""
        for value in values if self.given else ():
            made, several = self.iterators.get(id(value), (None, []))
            for found in several if made is value and several else self.all_of(value):
                found.note("whole")

    def deep(self, *values: Any) -> None:
        """Python is told of all that these hold, and what those hold."""
        if not self.given:
            return
        for value in values:
            self.whole(value)
            if not is_proxy(value) and type(value) is not Shape:
                self.deep(*(item for _, item in children(value) or ()))

    def truth(self, value: Any) -> None:
        """Python is told whether a container holds anything; a record is true, and so no None."""
        self.whole(value)
        if is_record(value):
            self.kind_itself(value)

    def key(self, container: Any, key: Any) -> None:
        """Python is told whether a mapping has this key."""
        for found in self.all_of(container) if self.given else ():
            found.note((key, key in found.held if isinstance(container, Mapping) else key in container))

    def attribute(self, record: Any, name: str) -> None:
        """Python is told whether an object has an attribute, which others of its class may have or not."""
        self.frozen.presence(record, name)
        found = self.find(record)
        if found is not None and is_record(record) and not surely(type(record), name):
            found.note_attribute(name, name in holdings(record) or name in beyond(record))

    def attributes(self, record: Any) -> None:
        """Python is told of all attributes that an object has."""
        self.frozen.all(record)
        found = self.find(record)
        if found is not None and hasattr(record, "__dict__") and is_record(record):
            found.note_attribute("", found.held)
        elif found is not None and is_record(record):
            for name in record_fields(type(record)):
                self.attribute(record, name)

    def answered(self, mapping: Mapping[Any, Any], name: str) -> None:
        """A mapping is asked for an attribute. One that answers to any may ask what it holds."""
        if hasattr(type(mapping), "__getattr__") and not hasattr(type(mapping), name) and name not in mapping:
            self.whole(mapping)

    def given_one(self, value: Any) -> None:
        """Python is told that there is a container, not None."""
        for found in self.all_of(value):
            note_presence(found.graph, found.path)

    def kind(self, container: Any) -> None:
        """Python is told whether a container is a list or a tuple, or of which class of the user's."""
        for found in self.all_of(container) if self.given else ():
            if is_own(type(container).__module__):
                self.kind_itself(container)
            elif type(container) in (list, tuple):
                asked = found.graph.meta.setdefault("kinds asked", {})
                if asked.get(found.path, GIVEN) == GIVEN:
                    asked[found.path] = type(container).__name__

    def sequence(self, container: Any) -> None:
        """Python is told whether a container is a sequence, which a pattern takes whatever its class."""
        found = self.find(container)
        if found is not None and type(container) in (list, tuple):
            asked = found.graph.meta.setdefault("kinds asked", {})
            if asked.get(found.path, GIVEN) == GIVEN:
                asked[found.path] = SEQUENCE
        else:
            self.kind(container)

    def kind_itself(self, container: Any) -> None:
        """Python is told of which class a container is, or an object."""
        self.frozen.kind(container)
        for found in self.all_of(container) if self.given else ():
            name = ITSELF + type(found.container).__name__
            found.graph.meta.setdefault("kinds asked", {})[found.path] = name

    def kinds(self, *values: Any) -> None:
        """What comes of these, or the caller is given, are containers of their kinds, and of those in them.
        """
        if not self.given:
            return
        for value in values:
            self.kind(value)
            if not is_proxy(value) and type(value) is not Shape:
                self.kinds(*(item for _, item in children(value) or ()))

    def kinds_compared(self, *values: Any) -> None:
        """Python is told whether these, and what they hold, are equal to other values, which they may not be
        for what they are.
        """
        if not self.given:
            return
        for value in values:
            if isinstance(value, (list, tuple)):
                self.kind(value)
            else:
                self.kind_itself(value)
            if not is_proxy(value) and type(value) is not Shape:
                self.kinds_compared(*(item for _, item in children(value) or ()))

    def kinds_themselves(self, value: Any) -> None:
        """Python is told of which classes these containers are."""
        self.kind_itself(value)
        for name in record_fields(type(value)) if self.given and is_record(value) else ():
            self.attribute(value, name)
        if not is_proxy(value) and type(value) is not Shape:
            for _, item in children(value) or ():
                self.kinds_themselves(item)

    def made(self, result: Any, given: Any) -> None:
        """A function that is not seen made this of that: containers of like kinds, if it made any."""
        if self.given and children(result) is not None and not is_proxy(result) and type(result) is not Shape:
            self.kinds(given)

    def everything(self) -> None:
        """Code that is not seen may ask anything."""
        for found in self.given.values():
            found.note("whole")
