"""Operators in rewritten code: those of arrays are recorded, those of the user's own classes run as his
functions do.
"""

from __future__ import annotations

import operator
import types
from collections import deque
from collections.abc import Callable, Iterator, ValuesView
from typing import TYPE_CHECKING, Any, cast

from ...ir.errors import UnsupportedError
from ...ir.graphs.presence import ask_kind
from ...ir.graphs.static import ask_type
from ...ir.values.tree import leaves
from .. import modules, printing
from ..memory import constants, making, numbers_given, numpy_scalars, writes
from ..objects import heap, special_methods, wrapped
from ..objects.unseen import only_computes, runs_unseen
from ..own import attribute, tabled
from ..place import FRAMEWORKS, is_module_dict, module_of, package_of, users_own
from ..plain import exactly, plainly, settled
from ..proxy import Shape, is_array_proxy, is_proxy, isinstance_scalar
from ..regions.loop import comprehended
from ..rewrite.hooks import Plain
from ..tracer import Tracer
from ..values import advancing, hashing, kinds, list_rows, words
from ..values.predicate import Elsewhere
from . import functions, wording

if TYPE_CHECKING:
    from .hooks import Tracing

#: What looks for an item by comparing one after the other.
ITEMS = (list, tuple, deque, ValuesView)


class Operators(Plain):
    """The part of Tracing (hooks.py) that is about operators."""

    tracer: Tracer

    @property
    def hooks(self) -> Tracing:
        return cast("Tracing", self)

    def hands(self, *values: Any) -> None:
        """Something may be about to take items from these values, or to change them."""
        for value in values:
            self.tracer.outside.handed(value)
            advancing.handed(self.tracer, value)

    def collect(self, items: Any, some: Callable[[Any], list[Any]], names: tuple[str, ...], /) -> list[Any]:
        self.hands(items)
        return comprehended.collected(self.hooks, items, some, names)

    def generate(
        self, items: Any, some: Callable[[Any], Iterator[Any]], names: tuple[str, ...], /
    ) -> Iterator[Any]:
        self.hands(items)
        return comprehended.generated(self.hooks, items, some, names)

    def touches(self, f: Any, args: Any, kwargs: Any) -> None:
        """A function that is not rewritten is about to be called, which may change any of these.

        Raises:
            Elsewhere: where it is not, as the example does not come here.
        """
        if self.tracer.stack.elsewhere and not only_computes(f):
            raise Elsewhere(f"{attribute(f, '__name__')} may do more than compute", span=self.tracer.span())
        if tabled(f) and f in self.tracer.framework.flattens:
            flattened = self.tracer.scopes[0].graph.meta.setdefault("flattened", {})
            stays = "map" in f.__name__  # None in the place of None; of others there is one leaf less
            for leaf in filter(is_array_proxy, leaves((args, kwargs))):
                flattened[leaf.node] = flattened.get(leaf.node, True) and stays
        self.tracer.outside.touch(attribute(f, "__self__"))
        if isinstance(f, types.FunctionType):
            if package_of(f.__code__.co_filename) not in ("", *FRAMEWORKS):
                self.tracer.outside.entering(f)  # what it keeps may decide what it gives
            self.tracer.outside.unseen(f)
        advancing.called(self.tracer, f, args)
        for value in (*args, *kwargs.values()):
            self.tracer.outside.touch(value, again=False)
            advancing.handed(self.tracer, value)
        if self.tracer.tries.attempts or self.tracer.tries.moments:
            self.hands(*advancing.within((*args, *kwargs.values())))
            for value in filter(advancing.is_called, (*args, *kwargs.values())):
                advancing.called(self.tracer, value, ())

    def call_back(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a function gives that control flow, or Python's own code, was given: one that another function
        defines is part of what calls it.
        """
        is_plain = isinstance(f, types.FunctionType) and users_own(f) and wrapped.untried(f) is f
        if is_plain and functions.is_nested(f):
            return functions.inline(self.hooks, f, args, kwargs)
        return self.hooks.call(f, *args, **kwargs)

    def changes(self, value: Any, what: str, sets: bool = False) -> None:
        """This value is about to be changed, unless it is one that says so itself; `sets`: an item is set."""
        self.tracer.outside.touch(value)
        (advancing.sets if sets else advancing.changing)(self.tracer, value, what)

    def binary(self, op: str, a: Any, b: Any, /) -> Any:
        fn = getattr(operator, op)
        for method, operands in self.methods(op.strip("_"), a, b):
            found = functions.inline(self.hooks, method, operands, {})
            if found is not NotImplemented:
                return found
        if is_array_proxy(a) or is_array_proxy(b) or self.meets(a, b) or self.meets(b, a):
            if not (op == "mod" and isinstance(a, str)):
                return self.tracer.binary(fn, *list_rows.spread(self.tracer, (a, b)))
        for items, number in ((a, b), (b, a)) if op == "mul" else ():
            if isinstance(items, (list, tuple)) and isinstance_scalar(number):
                ask_type(self.tracer.use(number.node))  # an array multiplies the items
        if op == "mod" and isinstance(a, str) and wording.has_open(b):
            return printing.marked(self.tracer, wording.percent(self.hooks, a, b))
        self.hands(a, b)
        return printing.marked(self.tracer, making.made(self.tracer, plainly(fn, a, b)))

    def meets(self, number: Any, array: Any) -> bool:
        """Whether a recorded number is computed with an array that was there before."""
        return isinstance_scalar(number) and self.tracer.framework.is_array(array)

    def own(self, obj: Any, name: str) -> types.FunctionType | None:
        """The user's method of this name that Python runs for an object, whose class says which."""
        method = special_methods.own(obj, name)
        if method is not None:
            self.tracer.structure.kind_itself(obj)
        return method

    def methods(self, op: str, a: Any, b: Any) -> Iterator[tuple[Any, tuple[Any, Any]]]:
        """The methods of the user's classes that say what an operator is, in the order in which Python asks
        them. NumPy's arrays ask no other operand: they take it for an element.
        """
        mine, theirs = self.own(a, f"__{op}__"), self.own(b, f"__r{op}__")
        asked = not (is_array_proxy(a) and not self.tracer.backend.asks_operands)
        found = [(mine, (a, b)), (theirs if asked else None, (b, a))]
        if type(b) is not type(a) and isinstance(b, type(a)):
            found.reverse()
        yield from ((method, operands) for method, operands in found if method is not None)

    def compare(self, op: str, a: Any, b: Any, /) -> Any:
        for value in (a, b):
            printing.refuse(value, "comparing a string", self.tracer.span())
        if (asked := words.compared(self.tracer, op, a, b)) is not None:
            return asked
        return self.binary(op, list_rows.spread(self.tracer, a), list_rows.spread(self.tracer, b))

    def unary(self, op: str, a: Any, /) -> Any:
        fn = getattr(operator, op)
        if (method := self.own(a, f"__{op.strip('_')}__")) is not None:
            return functions.inline(self.hooks, method, (a,), {})
        if is_array_proxy(a):
            return self.tracer.record(fn, (a,))
        return making.made(self.tracer, plainly(fn, a))

    def inplace(self, op: str, a: Any, b: Any, /) -> Any:
        fn = getattr(operator, op)
        if is_array_proxy(a):
            return self.tracer.inplace(fn, a, b)
        if (method := self.own(a, f"__{op}__")) is not None:
            found = functions.inline(self.hooks, method, (a, b), {})
            if found is not NotImplemented:
                return found
        if is_proxy(b) and self.tracer.framework.is_array(a) and hasattr(a, "__setitem__"):
            writes.refuse_unclear(self.tracer, a, f"{op.removeprefix('i')} in place")
        if is_array_proxy(b) or is_proxy(a) or is_proxy(b):
            return self.binary(
                op.removeprefix("i").replace("and", "and_").replace("or", "or_")
                if op in ("iand", "ior")
                else op[1:],
                a,
                b,
            )
        constants.let_write(self.tracer, a, f"{op.removeprefix('i')} in place")
        self.changes(a, f"{op.removeprefix('i')} in place to a {type(a).__name__}")
        self.hands(b)
        return printing.marked(self.tracer, making.made(self.tracer, plainly(fn, a, b)))

    def refuse_numbers(self, array: Any) -> None:
        """An array changes in place that somebody else has too. A number among the arguments, in its stead,
        would stay there what it is.
        """
        first = numpy_scalars.first(array.node)
        if not numbers_given.may_be(self.tracer, first):
            return
        if self.tracer.backend.own_numbers and getattr(first.spec, "rank", None):
            numpy_scalars.pin_axes(self.tracer, array.node)
        elif self.tracer.is_argument(array.node):
            kinds.told(self.tracer, array)
        elif self.tracer.backend.own_numbers:
            ask_kind(numpy_scalars.kept(self.tracer, array.node))
        else:
            numbers_given.refuse(array.node)

    def getitem(self, obj: Any, index: Any, /) -> Any:
        if list_rows.holds(obj):
            return list_rows.element(self.hooks, obj, index)
        if type(obj) is Shape and isinstance(index, int):
            number = operator.index(index)
            obj.dims[number]  # raises where there is none
            return obj.dim(number)
        if not is_proxy(obj) and self.tracer.framework.is_array(obj) and any(map(is_proxy, leaves(index))):
            return self.tracer.record(operator.getitem, (obj, index))
        if (method := self.own(obj, "__getitem__")) is not None:
            return functions.inline(self.hooks, method, (obj, index), {})
        if hasattr(type(obj), "__missing__"):  # which may put something in
            heap.wake(self.tracer)
            self.hands(*advancing.within([getattr(obj, "default_factory", None)]))
        elif runs_unseen([obj]):
            self.hands(*advancing.reached([obj]))
        if module_of(type(obj)).partition(".")[0] in FRAMEWORKS:
            index = settled(index)  # np.mgrid and its kin
        self.reads_module(obj, index)
        return making.made(self.tracer, plainly(operator.getitem, obj, index))

    def reads_module(self, obj: Any, name: Any = None) -> None:
        """Names of a module may be read that no code says, `globals()[name]`: what they stand for is looked
        at. `name`: the only one.
        """
        if type(obj) is dict and is_module_dict(obj):
            read = obj.items() if name is None else [(name, obj[name])] if name in obj else ()
            self.tracer.outside.look([(str(n), v) for n, v in read if not isinstance(v, types.ModuleType)])

    def setitem(self, obj: Any, index: Any, value: Any, /) -> None:
        if (
            is_array_proxy(obj)
            or self.tracer.framework.is_array(obj)
            and any(map(is_proxy, leaves((index, value))))
        ):
            writes.setitem(self.tracer, obj, index, value)
        elif (method := self.own(obj, "__setitem__")) is not None:
            functions.inline(self.hooks, method, (obj, index, value), {})
        else:
            constants.let_write(self.tracer, obj, "x[...] = value")
            self.hands(value)
            self.changes(obj, f"{type(obj).__name__}[...] = value", sets=True)
            exactly(operator.setitem, list_rows.expanded(self.tracer, obj), index, value)

    def delitem(self, obj: Any, index: Any, /) -> None:
        if (method := self.own(obj, "__delitem__")) is not None:
            functions.inline(self.hooks, method, (obj, index), {})
        else:
            self.changes(obj, f"del {type(obj).__name__}[...]", sets=True)
            exactly(operator.delitem, list_rows.expanded(self.tracer, obj), index)

    def contains(self, item: Any, container: Any, /) -> Any:
        for value in (item, container):
            printing.refuse(value, "looking into a string", self.tracer.span())
        if type(item) is words.Word:
            return words.within(self.tracer, item, container)
        self.hands(container)
        container = list_rows.spread(self.tracer, container)
        if is_array_proxy(container):
            raise self.tracer.error("`in` an array cannot be recorded", "compare and use any()")
        try:
            return plainly(operator.contains, container, item)
        except UnsupportedError as error:
            if not isinstance(container, ITEMS):
                raise
            raise hashing.sought(error) from None


def refuse_running(tracer: Tracer, f: Any, args: Any, kwargs: Any) -> None:
    """Raises UnsupportedError for what Python must not run: on strings that hold values, of modules."""
    printing.refuse_reading(tracer, f, args)
    printing.logged(tracer, f, args, kwargs)
    if not isinstance(f, (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)):
        modules.refuse(tracer, f)
