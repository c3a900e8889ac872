"""Hooks: what the constructs of rewritten code mean while tracing.

Everything that no proxy takes part in is plain Python. A call of a framework's function is recorded,
factories included; a module-level function of the user's becomes a call with its own Graph
(tracer/python/functions.py); other functions of the user's are rewritten and run, so that they end up inline.
"""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Callable
from typing import Any

from ...backends.signatures.users import names_of as users_names
from ...ir.meaning.op import Op
from ...ir.values.carried import carriers
from ...ir.values.carried import refusal as carried
from ...ir.values.tree import leaves
from .. import modules, printing, settling
from ..memory import constants, giving, writes
from ..objects import heap, naming, special_methods, standing, wrapped
from ..objects.standing import original
from ..objects.unseen import goes_on_unseen, works_unseen
from ..own import attribute, partial, tabled
from ..place import here, package_of, users_own
from ..plain import looked, looked_within, plainly
from ..proxy import is_array_proxy, is_proxy, isinstance_scalar
from ..regions.branch import both
from ..regions.branch import settled as taken
from ..regions.expressions import expression, joined_tests
from ..regions.leaving import Jump
from ..regions.loop import comprehended
from ..regions.loop.run import For, While
from ..rewrite import NoSource, rewrite, unread
from ..rewrite.hooks import Branch, Thunk
from ..rewrite.moving import handed_on
from ..rewrite.runtime import FELL, Exit
from ..state.stack import Frame
from ..tracer import Tracer
from ..trying import attempts, catching, finishing, managers
from ..values import advancing, gathering, identity, joining, kinds, list_rows, predicate, sources, words
from ..values.predicate import Question
from . import built, functions, protocols, wording
from .asking import SPECIAL
from .operating import Operators, refuse_running
from .unpacking import chosen, returned, unpacked


class Tracing(Operators):
    """The hooks of one trace."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        tracer.hooks = self

    # Functions.

    def enter(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Run the traced function itself, rewritten where it has source."""
        fn = wrapped.untried(fn)
        if (bound := partial(fn)) is not None:
            return self.enter(bound.func, (*bound.args, *args), {**bound.keywords, **kwargs})
        if isinstance(fn, types.MethodType):
            return self.enter(fn.__func__, (fn.__self__, *args), kwargs)
        if wrapped.is_cached(fn):
            return self.enter(getattr(fn, "__wrapped__"), args, kwargs)
        if (inner := wrapped.unjitted(fn)) is not fn:
            self.tracer.stack.compiled, self.tracer.graph.meta["compiled"] = True, frozenset()
            args, kwargs = self.tracer.framework.taken(self.tracer, fn, args, kwargs)
            return self.enter(inner, args, kwargs)
        if not isinstance(fn, types.FunctionType) and callable(fn):
            call = original(getattr(type(fn), "__call__", None))
            if isinstance(call, types.FunctionType):
                return self.enter(call, (fn, *args), kwargs)
        heap = self.tracer.outside.heap
        frame = Frame(attribute(fn, "__code__"), inline=False, loops=0, heap=heap)
        frame.compiled = self.tracer.stack.compiled
        self.tracer.stack.frames.append(frame)
        made = self.rewritten(fn)
        if attribute(fn, "__wrapped__") is None:  # whose parameters may have other names
            self.tracer.entry.unread = unread(fn)
        return made(*args, **kwargs)

    def rewritten(self, fn: Any, inline: bool = False) -> Any:
        """The function with its constructs made visible; itself where its source is not to be had or it is a
        library's. `inline`: see rewriter.rewrite.
        """
        if not isinstance(fn, types.FunctionType):
            return fn
        self.tracer.outside.entering(fn)
        naming.entered(self.tracer, fn)
        try:
            made = rewrite(fn, self, giving.code_of(fn.__code__) in self.tracer.entry.joined, inline)
        except NoSource as error:
            self.tracer.tries.sourceless = self.tracer.tries.sourceless or error
            heap.wake(self.tracer)
            self.tracer.outside.unseen(fn)
            self.tracer.structure.frozen.every()
            return fn
        if works_unseen(made.__code__):
            heap.wake(self.tracer)
            self.tracer.tries.unseen |= goes_on_unseen(made.__code__)
        return made

    def method(self, fn: types.FunctionType, name: str, args: Any, kwargs: Any) -> Any:
        """A method of a class of the user's, which Python or a library calls, see objects/standing.py."""
        heap.wake(self.tracer)  # whoever calls it may do anything
        self.tracer.structure.kind_itself(args[0] if args else None)
        run = functions.settled if standing.may_be_caught(fn, name) else functions.inline
        return protocols.given(self, name, run(self, fn, args, kwargs))

    def call(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        f = protocols.seen(self, f)
        if isinstance(f, Op):
            return f(*args, **kwargs)
        if users_names(f) and any(map(is_proxy, leaves((args, kwargs)))):
            return self.tracer.record(f, args, kwargs)
        known = tabled(f)
        if known and f in self.tracer.framework.control:
            return returned(self.tracer, self.tracer.framework.control[f](self, *args, **kwargs))
        if f is builtins.print:
            return printing.printed(self.tracer, *list_rows.spread(self.tracer, args), **kwargs)
        if (text := wording.worded(self, f, args, kwargs)) is not None:
            return text
        if known and f in kinds.ANSWERS:
            return kinds.ANSWERS[f](self, *args)
        if known and comprehended.takes(self, f, args, kwargs):
            return comprehended.TAKING[f](self, *args)
        if gathering.concerned(f, args, kwargs):
            return gathering.gathered(self, f, args, kwargs)
        if known and f in self.tracer.framework.asked:
            return self.tracer.framework.asked[f](self.tracer, *args, **kwargs)
        if known and f in SPECIAL and sources.any_open(self.tracer, f, args):
            return SPECIAL[f](self.tracer, *args, **kwargs)
        if type(f) in protocols.GETTERS:
            return protocols.got(self, f, args)
        method = f.__func__ if isinstance(f, types.MethodType) else None
        if isinstance(method, types.FunctionType) and users_own(method):
            modules.refuse(self.tracer, f)
            return functions.inline(self, method, (f.__self__, *args), kwargs)
        if wrapped.is_cached(f) or wrapped.is_asked(f):
            return wrapped.cached(self, f, args, kwargs)
        if (bound := partial(f)) is not None:
            return self.call(bound.func, *bound.args, *args, **{**bound.keywords, **kwargs})
        if (way := built.way(f)) is not None:
            return way(self, *args, **kwargs)
        if (chosen := kinds.dispatched(self, f, args)) is not None:
            return self.call(chosen, *args, **kwargs)
        if isinstance(f, types.FunctionType) and users_own(f):
            inner = wrapped.untried(f)
            return functions.call(self, f, args, kwargs) if inner is f else self.call(inner, *args, **kwargs)
        if (inner := wrapped.unjitted(f)) is not f:
            self.tracer.stack.compiled = True
            args, kwargs = self.tracer.framework.taken(self.tracer, f, args, kwargs)
            return functions.jitted(self, inner, args, kwargs)
        if (method := self.own(f, "__call__")) is not None:
            return functions.inline(self, method, (f, *args), kwargs)
        if isinstance(f, type) and (method := special_methods.initializer(f)) is not None:
            made: Any = object.__new__(f)
            functions.inline(self, method, (made, *args), kwargs)
            return made
        if self.tracer.containers.collects and list_rows.within((attribute(f, "__self__"), args, kwargs)):
            return joining.with_rows(self, f, args, kwargs)
        framework = self.tracer.framework
        if known and f in framework.typed:
            return framework.answered(self.tracer, f, args, kwargs)
        casts = isinstance(f, type) and f in framework.casts and any(map(is_proxy, args))
        if casts or not isinstance(f, type) and framework.recorded(f):
            return constants.recorded(self.tracer, f, args, kwargs)
        return self.plain_call(f, args, kwargs)

    def plain_call(self, f: Any, args: Any, kwargs: Any) -> Any:
        """A call of what nobody records or rewrites: of Python's own, or of a library's."""
        compiled = isinstance(f, (types.BuiltinFunctionType, type))
        if not protocols.stores(f):  # else it may read all that there is, copy.copy(cfg)
            self.tracer.structure.frozen.every((*args, *kwargs.values(), attribute(f, "__self__")))
        if protocols.keeps_numbers(f):
            args, kwargs = looked_within(args), looked_within(kwargs)
        if compiled and protocols.only_holds(f):
            args = tuple(map(original, args))
        elif compiled or package_of(attribute(f, "__code__", EMPTY).co_filename):
            args = tuple(protocols.twin(self, a, f is map) for a in args)
        self.reads_module(attribute(f, "__self__"))
        self.touches(f, args, kwargs)
        f, args = managers.enters(self.tracer, f, args)
        refuse_running(self.tracer, f, args, kwargs)
        found = constants.watched_call(self.tracer, f, args, kwargs)
        self.tracer.modes.called(f)
        return printing.marked(self.tracer, original(found))

    # Access.

    def getattr_(self, obj: Any, name: str, /) -> Any:
        if name == "__class__" and kinds.is_stand_in(obj):
            return kinds.type_(self, obj)
        kinds.has(self.tracer, obj, name)
        if is_proxy(obj) and not isinstance_scalar(obj):
            if name == "shape":
                return self.tracer.shape(obj)
            if name == "ndim":
                return len(self.tracer.shape(obj))
            if name == "size" and not self.tracer.backend.size_method:
                return self.tracer.shape(obj, named=False).numel()
            return self.tracer.framework.attribute(obj, name)
        if (method := special_methods.getter(obj, name)) is not None:
            run = wrapped.cached if wrapped.is_cached(method) else functions.inline
            value = run(self, method, (obj,), {})
            kept = special_methods.kept_as(obj, name)
            return value if kept is None else built.keep(self, obj, kept, value)
        if name == "__dict__":  # whoever has it may change it
            self.changes(obj, f"changing the attributes of a {type(obj).__name__}")
        found = protocols.dispatching(self, obj, name) or original(plainly(getattr, obj, name))
        if isinstance(obj, types.ModuleType):
            self.reads_module(vars(obj), name)
        elif name == "__dict__" and isinstance(obj, type):
            found = types.MappingProxyType(standing.members(obj))
        frozen = self.tracer.structure.frozen
        if frozen.path(obj) is not None and frozen.paths[id(obj)][2].get(name) is found:
            if (carrier := carriers(found)) is not None:
                raise carried(carrier, self.tracer.span())
        frozen.read(obj, name, found)
        return found

    def star(self, value: Any, /) -> Any:
        self.hands(value)
        return list_rows.spread(self.tracer, value) if list_rows.holds(value) else looked(value)

    iter_ = star

    def setattr_(self, obj: Any, name: str, value: Any, /) -> None:
        if isinstance(obj, (type, types.ModuleType)):
            raise self.tracer.outside.rebinding(obj)
        if isinstance_scalar(obj):
            raise self.tracer.error(f"setting .{name} of a number", "keep it in a variable or a dict")
        if is_array_proxy(obj) and not hasattr(self.tracer.framework.array_class, name):
            raise self.tracer.error(f"setting .{name} of an array", "keep it in a variable or a dict")
        if is_array_proxy(obj) and writes.sets_part(self.tracer, obj, name, value):
            return
        constants.attributed(self.tracer, obj, name)
        self.tracer.outside.attributed(obj, name)
        advancing.sets(self.tracer, obj, f"setting .{name} of a {type(obj).__name__}")
        if (method := special_methods.setter(obj, name)) is not None:
            self.tracer.structure.kind_itself(obj)
            functions.inline(self, method, (obj, value), {})
        else:
            setattr(obj, name, value)
            self.tracer.modes.attributed(obj)

    def format_(self, value: Any, conversion: str | None, spec: str, to: Any = None, /) -> str:
        return wording.in_string(self, words.opened(value), conversion, spec, to is builtins.print)

    def joined(self, text: str, /) -> str:
        return printing.marked(self.tracer, text)  # type: ignore[no-any-return]

    def said(self, value: Any, conversion: str | None, spec: str, /) -> str:
        return wording.in_error(self, words.opened(value), conversion, spec)

    def decorator(self, value: Any, /) -> Any:
        heap.wake(self.tracer)
        self.hands(value)
        return value

    # Where the program goes.

    def is_(self, a: Any, b: Any, /) -> Any:
        return identity.is_same(self, a, b)

    def is_not(self, a: Any, b: Any, /) -> Any:
        return identity.is_other(self, a, b)

    def not_(self, a: Any, /) -> Any:
        return not list_rows.truth(self, a) if list_rows.holds(a) else predicate.negated(self.tracer, a)

    def truth(self, value: Any, why: str = "", /) -> bool:
        """Python's own decision, where a construct could not be made visible, for what `why` says."""
        if isinstance(value, Question):
            return value.settle()
        if list_rows.holds(value):
            return bool(list_rows.truth(self, value))
        if why and predicate.is_open(self.tracer, value) and not predicate.can_settle(value):
            settling.want(self.tracer, value)
            raise self.tracer.undecided(why)
        return bool(value)

    def and_(self, first: Any, /, *rest: Thunk) -> Any:
        return self.several(first, rest, "and", value=True)

    def or_(self, first: Any, /, *rest: Thunk) -> Any:
        return self.several(first, rest, "or", value=True)

    def all_(self, first: Any, /, *rest: Thunk) -> Any:
        return self.several(first, rest, "and", value=False)

    def any_(self, first: Any, /, *rest: Thunk) -> Any:
        return self.several(first, rest, "or", value=False)

    def several(self, first: Any, rest: tuple[Thunk, ...], kind: str, *, value: bool) -> Any:
        """`first and ...`, or `or`. What Python can decide, it does; the operands after an open one are
        traced as a branch.
        """
        for number, thunk in enumerate(rest):
            if self.tracer.answers.on and predicate.can_settle(first):
                first = taken(self.tracer, first)
            if predicate.is_open(self.tracer, first):
                further = rest[number:]
                return joined_tests(self, first, further, kind, value=value)
            if self.truth(first) is (kind == "or"):
                return first
            first = thunk()
        return first

    def ifexp(self, test: Any, then: Thunk, orelse: Thunk, /) -> Any:
        if predicate.is_open(self.tracer, test):
            return expression(self, test, then, orelse)
        return chosen(super().ifexp(test, then, orelse))

    def if_(
        self, test: Any, then: Branch, orelse: Branch, state: tuple[Any, ...], names: tuple[str, ...], /
    ) -> tuple[Exit, Any]:
        if predicate.is_open(self.tracer, test):
            ways = (lambda: then(*state), lambda: orelse(*state))
            return both(self, test, ways, names, without=handed_on((then, orelse), names))
        return then(*state) if self.truth(test) else orelse(*state)

    def while_(
        self,
        test: Any,
        body: Branch,
        orelse: Branch | None,
        state: tuple[Any, ...],
        names: tuple[str, ...],
        /,
    ) -> tuple[Exit, Any]:
        return While(self, test, body, orelse, state, names).go()

    def for_(
        self,
        iterable: Any,
        body: Branch,
        orelse: Branch | None,
        state: tuple[Any, ...],
        names: tuple[str, ...],
        /,
    ) -> tuple[Exit, Any]:
        self.hands(iterable)
        return For(self, iterable, body, orelse, state, names).go()

    def asserted(self, test: Any, message: Thunk | None = None, /) -> bool:
        """An assert that Python cannot decide is recorded, as an `if` that raises."""
        if not predicate.is_open(self.tracer, test):
            return self.truth(test)

        def fail() -> Any:
            raise self.raise_(AssertionError(*([] if message is None else [message()])))

        both(self, test, (lambda: (FELL, ()), fail), ())
        return True

    def raise_(self, error: Any, /) -> Any:
        """Remember what the user raises, so that it is told from errors of tracing."""
        self.tracer.stack.raised = error() if isinstance(error, type) else error
        advancing.changing(self.tracer, self.tracer.stack.raised, "raising an exception")
        return self.tracer.stack.raised

    def returned(self, value: Any, /) -> Any:
        """Remember where a function was left, as an error of what it returns finds nobody there any more."""
        self.tracer.stack.left = here()
        return value

    def begun(self) -> None:
        finishing.begun(self.tracer, sys._getframe(1), "a `try` with a `finally`")

    def ended(self) -> Any:
        return finishing.ended(self.tracer, sys._getframe(1))

    def jumps(self, values: tuple[Any, ...], why: str, /) -> tuple[Any, ...]:
        return Jump(values, why)

    def subject(self, value: Any, asks: bool, /) -> Any:
        return kinds.matched(self.tracer, value, asks)

    def fails(self, types: Thunk | None, place: str, /) -> Any:
        return attempts.fails(self.tracer, types, (sys._getframe(1).f_code.co_filename, place))

    def trying(self, types: Thunk | None, raises: bool, place: str, /) -> catching.Trying:
        return catching.Trying(self.tracer, types, raises, (sys._getframe(1).f_code.co_filename, place))

    def manager(self, manager: Any, /) -> Any:
        return managers.entered(self.tracer, manager)

    def caught(self) -> None:
        catching.caught(self.tracer, sys.exc_info()[1])

    def unpack(self, value: Any, count: int, star: int | None, /) -> Any:
        return unpacked(self.tracer, value if is_array_proxy(value) else self.star(value), count, star)


EMPTY = types.SimpleNamespace(co_filename="")
