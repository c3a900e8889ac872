"""Structure: what the program asks of the containers among its arguments, and the checks that it costs.

A container that is only taken apart by constant keys, `p["w"]` and `ws[0]`, may hold more than it did in the
example. Whatever else is done with one tells Python how long it is, or what keys it has: then the emitted
function checks that. `in` and `get` are looks at one key.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Mapping
from typing import Any

from ...ir.values.tree import leaves
from .. import idle
from ..objects import naming, special_methods, wrapped
from ..own import attribute, hashable, partial, tabled
from ..place import users_own
from ..printing import is_recorded
from ..proxy import Shape, is_array_proxy, is_proxy, isinstance_scalar
from ..regions.loop import comprehended, placed
from ..rewrite.hooks import Thunk
from ..tracer import Tracer
from ..trying import watching
from ..values import kinds
from ..values.listed import Listed
from ..values.sources import STREAMING, Sources
from .hooks import Tracing
from .unpacking import taken

#: What asks what kind of thing its argument is.
ASKING = frozenset({isinstance, type, callable, hasattr, iter})
#: What asks whether its arguments, or the items in them, are true.
TRUTHS = frozenset({bool, any, all, operator.truth, operator.not_})
#: What compares its arguments; and the methods that compare what they are given with what there is.
COMPARING = frozenset({operator.eq, operator.ne, operator.contains, operator.countOf, operator.indexOf})
SEEKING = frozenset({"index", "count", "remove"})
#: What makes texts of its arguments, with the names of their classes.
TELLING = frozenset({str, repr, ascii, format, print})
#: What else says yes or no tells, for all that is known, of what kind its arguments are.
SAYING = TRUTHS | COMPARING | ASKING


def runs(f: Any) -> bool:
    """Whether what is called is the user's: what it asks is seen when it is traced."""
    if partial(f) is not None or special_methods.own(f, "__call__") is not None:
        return True
    if isinstance(f, type):
        return special_methods.initializer(f) is not None
    plain = attribute(wrapped.unjitted(f), "__func__", wrapped.unjitted(f))
    return isinstance(plain, types.FunctionType) and users_own(plain)


class Watching(Tracing):
    """Hooks that watch what is asked of containers.

    Attributes:
        looking: whether an idle look is being run; `stirred`: it may have done more than ask.
    """

    def __init__(self, tracer: Tracer) -> None:
        super().__init__(tracer)
        self.looking = self.stirred = False

    def idle(self, look: Thunk, asks: bool, /) -> Any:
        return idle.looked(self, look, asks)

    def rewritten(self, fn: Any, inline: bool = False) -> Any:
        self.stirred = True
        made = super().rewritten(fn, inline)
        if made is fn and isinstance(fn, types.FunctionType):
            self.tracer.structure.everything()
        return made

    def call(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        found = self.called(f, *args, **kwargs)
        if type(found) is bool and not runs(f) and not (tabled(f) and f in SAYING):
            typed = tabled(f) and f in self.tracer.framework.typed  # which ask arrays for their dtypes
            for value in args:
                if not typed or not is_array_proxy(value):
                    kinds.told(self.tracer, value)
        return found

    def called(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        structure = self.tracer.structure
        if self.looking and not idle.only_asks(self.tracer, f):
            self.stirred = True
        if self.tracer.tries.open and not runs(f):
            watching.asked(self.tracer, f, args, kwargs)
        if args and tabled(f) and f in ASKING:
            self.tracer.guard_kind(args[0])
            structure.kind_itself(args[0])
            if f is iter and is_array_proxy(args[0]):  # not one without axes
                self.tracer.rank(args[0].node)
        owner = attribute(f, "__self__")
        if args:
            self.sought(owner, args[0])
        if structure.given:
            if isinstance(owner, Mapping) and attribute(f, "__name__", "") == "get" and hashable(args[0]):
                structure.key(owner, args[0])
            elif not (tabled(f) and f in ASKING) and not runs(f):
                streams = tabled(f) and (f in STREAMING or comprehended.takes(self, f, args, kwargs))
                told = [a for a in args if not (streams and Listed.of(self.tracer, a) is not None)]
                structure.deep(owner, *told, *kwargs.values())
                if tabled(f) and f in TELLING:
                    structure.kinds(*args)
                if tabled(f) and f in TRUTHS:
                    for value in (*args, *(item for arg in args for item in held(arg))):
                        structure.truth(value)
                if tabled(f) and f in COMPARING or attribute(f, "__name__", "") in SEEKING:
                    structure.kinds_compared(*held(owner), *args)
                found = super().call(f, *args, **kwargs)
                if not isinstance(f, type) and f is not sorted:  # they make what they are
                    structure.made(found, (owner, args, tuple(kwargs.values())))
                return found
        found = super().call(f, *args, **kwargs)
        if args and tabled(f) and f is iter:
            structure.iterates(found, args[0])
        return found

    def getattr_(self, obj: Any, name: str, /) -> Any:
        if name.startswith("__") or self.tracer.structure.given and special_methods.of_class(obj, name):
            self.tracer.structure.kind_itself(obj)
        if self.tracer.tries.open:
            watching.attribute_looked(self.tracer, obj, name)
        if isinstance(obj, Mapping):
            self.tracer.structure.answered(obj, name)
        found = super().getattr_(obj, name)
        naming.attribute_read(self.tracer, obj, name, found)
        return taken(found)

    def sought(self, table: Any, key: Any) -> None:
        """Python looks for a key, which may be there if it is of another kind."""
        if type(key) is str or not isinstance(table, (dict, set, frozenset)):
            return
        for leaf in filter(is_array_proxy, leaves(key)):
            self.tracer.guard_kind(leaf)
        self.tracer.structure.deep(key)
        self.tracer.structure.kinds_compared(key)

    def getitem(self, obj: Any, index: Any, /) -> Any:
        if isinstance(obj, Sources):
            return obj.item(index)
        if isinstance_scalar(index) and (item := placed.item(self.tracer, obj, index)) is not placed.NOWHERE:
            return item
        self.sought(obj, index)
        structure = self.tracer.structure
        if self.tracer.tries.open:
            watching.item(self.tracer, obj, index)
        if structure.given:
            structure.deep(index)
            structure.kinds(index)  # a tuple is an index for each axis
            if isinstance(obj, Mapping) and hashable(index):
                if index not in obj:
                    structure.key(obj, index)
                    structure.kind_itself(obj)  # which says what is there instead
            elif not isinstance(index, int) or is_proxy(index) or not 0 <= index < length(obj):
                structure.whole(obj)
                if isinstance(index, slice):
                    structure.kind(obj)
        found = super().getitem(obj, index)
        naming.item_read(self.tracer, obj, index, found)
        return taken(found)

    def setitem(self, obj: Any, index: Any, value: Any, /) -> None:
        self.tracer.structure.deep(obj, index)
        self.tracer.structure.kinds(index)
        if type(obj) is list:  # a tuple takes no item, not even the one that it has: `ws[0] *= 2`
            self.tracer.structure.kind(obj)
        super().setitem(obj, index, value)

    def delitem(self, obj: Any, index: Any, /) -> None:
        self.tracer.structure.whole(obj)
        super().delitem(obj, index)

    def star(self, value: Any, /) -> Any:
        self.tracer.structure.whole(value)
        return super().star(value)

    def dstar(self, value: Any, /) -> Any:
        self.tracer.structure.whole(value)
        return value

    iter_ = star

    def subject(self, value: Any, kinds: bool, /) -> Any:
        if kinds:
            self.tracer.structure.frozen.all(value)
        self.tracer.structure.deep(value)
        if kinds:
            self.tracer.structure.kinds_themselves(value)
        return super().subject(value, kinds)

    def unpack(self, value: Any, count: int, star: int | None, /) -> Any:
        self.tracer.structure.whole(value)
        return super().unpack(value, count, star)

    def for_(self, iterable: Any, *rest: Any) -> Any:
        if Listed.of(self.tracer, iterable) is None:  # which says itself what it relies on
            self.tracer.structure.whole(iterable)
        return super().for_(iterable, *rest)

    def contains(self, item: Any, container: Any, /) -> Any:
        self.tracer.structure.frozen.every((item, container))
        if isinstance(container, (dict, tuple, list, set, frozenset)):
            self.tracer.structure.frozen.among(item, container)
        if not isinstance(container, (Mapping, tuple, list, set, frozenset, str)):
            self.stirred = True  # an iterator is used up
        self.sought(container, item)
        if isinstance(container, Mapping) and hashable(item):
            self.tracer.structure.key(container, item)
        else:
            self.tracer.structure.deep(item, container)
            self.tracer.structure.kinds_compared(item, *held(container))
        return super().contains(item, container)

    def binary(self, op: str, a: Any, b: Any, /) -> Any:
        self.tracer.structure.frozen.every((a, b))
        if (structure := self.tracer.structure).given:
            structure.deep(a, b)
            (structure.kinds_compared if op in ("eq", "ne") else structure.kinds)(a, b)
        return super().binary(op, a, b)

    def inplace(self, op: str, a: Any, b: Any, /) -> Any:
        if (structure := self.tracer.structure).given:
            structure.deep(a, b)
            structure.kinds(a, b)
        return super().inplace(op, a, b)

    def truth(self, value: Any, why: str = "", /) -> bool:
        self.tracer.structure.truth(value)
        return super().truth(value, why)

    def not_(self, a: Any, /) -> Any:
        self.tracer.structure.truth(a)
        return super().not_(a)

    def format_(self, value: Any, conversion: str | None, spec: str, to: Any = None, /) -> str:
        if to is not print or not is_recorded(value):
            self.tracer.structure.frozen.every((value,))
            self.tracer.structure.deep(value)
            self.tracer.structure.kinds(value)
        return super().format_(value, conversion, spec, to)


def held(value: Any) -> list[Any]:
    """What a list or a tuple holds."""
    return [*value] if isinstance(value, (tuple, list)) and type(value) is not Shape else []


def length(value: Any) -> int:
    return len(value) if isinstance(value, (tuple, list)) and type(value) is not Shape else 0
