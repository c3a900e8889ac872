"""Hooks: what rewritten code calls for each construct of Python.

Law: Plain does what Python does, so that a function rewritten for it cannot be told from the original. Where
a C function of Python's says a construct, it is the hook itself: no frame of ours then stands between the
user's and what is called. Hooks that decide where the program goes ask `truth`: only it need be overridden.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from types import CodeType
from typing import Any, Protocol

from .runtime import ALONE, ONE, Exit

Thunk = Callable[[], Any]
Branch = Callable[..., tuple[Exit, Any]]
State = tuple[Any, ...]


class Hooks(Protocol):
    """The calls that rewritten code makes; operators are named as in the `operator` module.

    The frame that calls a hook stands at the user's expression: its position is that expression's span.
    """

    @property
    def codes(self) -> dict[tuple[int, bool], tuple[CodeType, CodeType]]:
        """The code that was made for them, beside that which it stands for, by the id of that, and whether it
        is to end up inline.
        """

    def call(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`f(*args, **kwargs)`"""

    def star(self, value: Any, /) -> Iterable[Any]:
        """The `*value` of a call, a list, a tuple or a set: what Python then spreads."""

    def dstar(self, value: Any, /) -> Mapping[Any, Any]:
        """The `**value` of a call or a dict: what Python then spreads."""

    def function(self, fn: Any, /) -> Any:
        """A `def` or `lambda` inside rewritten code: `fn` is rewritten already, and not yet decorated."""

    def getattr_(self, obj: Any, name: str, /) -> Any:
        """`obj.name`, the name mangled where Python mangles it."""

    def setattr_(self, obj: Any, name: str, value: Any, /) -> object:
        """`obj.name = value`"""

    def getitem(self, obj: Any, index: Any, /) -> Any:
        """`obj[index]`, with real slices in `index`"""

    def setitem(self, obj: Any, index: Any, value: Any, /) -> object:
        """`obj[index] = value`"""

    def decorator(self, value: Any, /) -> Any:
        """What Python is about to call with a function or a class"""

    def binary(self, op: str, a: Any, b: Any, /) -> Any:
        """`a + b` for op "add", and so on"""

    def delitem(self, obj: Any, index: Any, /) -> object:
        """`del obj[index]`"""

    def inplace(self, op: str, a: Any, b: Any, /) -> Any:
        """The new `a` of `a += b` for op "iadd", and so on. `a[i] += b` is getitem, inplace, setitem."""

    def unary(self, op: str, a: Any, /) -> Any:
        """`-a` for op "neg", `+a` for "pos", `~a` for "invert"."""

    def compare(self, op: str, a: Any, b: Any, /) -> Any:
        """`a < b` for op "lt", and le eq ne gt ge; a chain is and_ or all_ of its links."""

    def contains(self, item: Any, container: Any, /) -> Any:
        """`item in container`; `not in` is not_ of it."""

    def is_(self, a: Any, b: Any, /) -> Any:
        """`a is b`"""

    def is_not(self, a: Any, b: Any, /) -> Any:
        """`a is not b`"""

    def not_(self, a: Any, /) -> Any:
        """`not a`"""

    def and_(self, first: Any, /, *rest: Thunk) -> Any:
        """`first and ...` where its value is wanted."""

    def or_(self, first: Any, /, *rest: Thunk) -> Any:
        """`first or ...` where its value is wanted."""

    def all_(self, first: Any, /, *rest: Thunk) -> Any:
        """`first and ...` in a test, where only its truth is wanted."""

    def any_(self, first: Any, /, *rest: Thunk) -> Any:
        """`first or ...` in a test, where only its truth is wanted."""

    def truth(self, value: Any, why: str = "", /) -> bool:
        """What Python shall take the test of an `if`, `while`, filter or guard to be.

        `why` says, of an `if` or `while` that Python runs, what keeps it from being formed.
        """

    def idle(self, look: Thunk, asks: bool, /) -> Any:
        """`look()`, of which nothing is made; `asks`: Python asks for its truth. See idle.py."""

    def asserted(self, test: Any, message: Thunk | None, /) -> bool:
        """What Python shall take the test of an `assert` to be. If it fails, Python evaluates the message.

        `message` evaluates it for a hook that wants it anyway; None: there is none, or it cannot be a thunk.
        """

    def raise_(self, error: Any, /) -> Any:
        """What Python shall raise for `raise error`: an exception, or a class of them."""

    def returned(self, value: Any, /) -> Any:
        """What a function returns for `return value`."""

    def begun(self) -> object:
        """Called first in a `try` that has a `finally`."""

    def ended(self) -> AbstractContextManager[object]:
        """What is around that `finally`."""

    def jumps(self, values: tuple[Any, ...], why: str, /) -> tuple[Any, ...]:
        """What moved code hands over where it leaves a loop that Python runs; `why` says why it does."""

    def subject(self, value: Any, kinds: bool, /) -> Any:
        """What Python shall match against patterns; `kinds`: some ask of what kind the values in it are."""

    def fails(self, types: Thunk | None, place: str, /) -> Any:
        """Whether to go on with the handler of a `try` instead of the `try`; `types` gives what it catches,
        None: everything. `place` says where in its file the `try` stands.
        """

    def trying(self, types: Thunk | None, raises: bool, place: str, /) -> AbstractContextManager[object]:
        """What the body of a `try` runs in; `types` and `place` as in fails, for all handlers.
        `raises`: each of them raises an exception in its turn.
        """

    def caught(self) -> object:
        """The first thing that a handler does."""

    def manager(self, manager: Any, /) -> Any:
        """What a `with` statement enters."""

    def ifexp(self, test: Any, then: Thunk, orelse: Thunk, /) -> Any:
        """`then() if test else orelse()`"""

    def if_(
        self, test: Any, then: Branch, orelse: Branch, state: State, names: tuple[str, ...], /
    ) -> tuple[Exit, Any]:
        """An `if` statement: `(then if test else orelse)(*state)`.

        A branch returns how it was left and what goes with that, which is handed on as it is:
        after FELL, the values of `names`: what it may have changed and is still wanted;
        after RETURNED, the value returned;
        after BROKE and CONTINUED, the values of the names of the loop around, if that is formed, or else of
        `names`. UNDEFINED stands for a variable without a value, in `state` as in what is returned.
        """

    def while_(
        self,
        test: Callable[..., Any] | None,
        body: Branch,
        orelse: Branch | None,
        state: State,
        names: tuple[str, ...],
        /,
    ) -> tuple[Exit, Any]:
        """A `while` statement; `state` holds the values of `names` on entry: what the loop may change and is
        wanted in a later turn, or after it.

        `test(*state)` is what is tested, not asked for its truth yet; None: it goes on until it is left.
        `body(*state)` is a turn: FELL, CONTINUED or BROKE and the values of `names`, or RETURNED and a value.
        `orelse` is a branch, as in if_, for what stands under `else`: it runs unless the body broke.

        Returns FELL and the values of `names`, RETURNED and the value returned, or what `orelse` returned.
        """

    def for_(
        self, iterable: Any, body: Branch, orelse: Branch | None, state: State, names: tuple[str, ...], /
    ) -> tuple[Exit, Any]:
        """A `for` statement; all is as in while_, but that a turn is `body(item, *state)`."""

    def unpack(self, value: Any, count: int, star: int | None, /) -> Iterable[Any]:
        """What Python shall unpack into `count` targets, the one at `star` being starred."""

    def iter_(self, value: Any, /) -> Iterable[Any]:
        """What Python shall loop over in a comprehension, or in a `for` that is not formed."""

    def collect(self, items: Any, some: Callable[[Any], list[Any]], names: tuple[str, ...], /) -> list[Any]:
        """A comprehension that makes a list; `some(items)` is what it makes of these items, which it calls by
        these names.
        """

    def generate(
        self, items: Any, some: Callable[[Any], Iterator[Any]], names: tuple[str, ...], /
    ) -> Iterator[Any]:
        """The same of a generator."""

    def format_(self, value: Any, conversion: str | None, spec: str, /) -> str:
        """A `{value!conversion:spec}` of an f-string; conversion is "s", "r", "a" or None."""

    def said(self, value: Any, conversion: str | None, spec: str, /) -> str:
        """One of an f-string that an exception is given."""

    def joined(self, text: str, /) -> str:
        """An f-string, put together."""


_call: Callable[..., Any] = operator.call
_CONVERSIONS: dict[str, Callable[[Any], str]] = {"s": str, "r": repr, "a": ascii}


def _same(value: Any, /) -> Any:
    return value


class Plain:
    """Hooks that do what Python does."""

    @cached_property
    def codes(self) -> dict[tuple[int, bool], tuple[CodeType, CodeType]]:
        return {}

    call: Callable[..., Any] = staticmethod(_call)
    star: Callable[[Any], Any] = staticmethod(_same)
    dstar: Callable[[Any], Any] = staticmethod(_same)
    function: Callable[[Any], Any] = staticmethod(_same)
    iter_: Callable[[Any], Any] = staticmethod(_same)

    def collect(self, items: Any, some: Callable[[Any], list[Any]], names: tuple[str, ...], /) -> list[Any]:
        return some(items)

    def generate(
        self, items: Any, some: Callable[[Any], Iterator[Any]], names: tuple[str, ...], /
    ) -> Iterator[Any]:
        return some(items)

    raise_: Callable[[Any], Any] = staticmethod(_same)
    returned: Callable[[Any], Any] = staticmethod(_same)
    manager: Callable[[Any], Any] = staticmethod(_same)

    def begun(self) -> object:
        return None

    def ended(self) -> AbstractContextManager[object]:
        return nullcontext()

    def jumps(self, values: tuple[Any, ...], why: str, /) -> tuple[Any, ...]:
        return values

    def fails(self, types: Thunk | None, place: str, /) -> Any:
        return False

    def trying(self, types: Thunk | None, raises: bool, place: str, /) -> AbstractContextManager[object]:
        return nullcontext()

    def caught(self) -> object:
        return None

    def subject(self, value: Any, kinds: bool, /) -> Any:
        return value

    getattr_: Callable[[Any, str], Any] = staticmethod(getattr)
    setattr_: Callable[[Any, str, Any], object] = staticmethod(setattr)
    getitem: Callable[[Any, Any], Any] = staticmethod(operator.getitem)
    setitem: Callable[[Any, Any, Any], object] = staticmethod(operator.setitem)
    delitem: Callable[[Any, Any], object] = staticmethod(operator.delitem)

    is_: Callable[[Any, Any], Any] = staticmethod(operator.is_)
    is_not: Callable[[Any, Any], Any] = staticmethod(operator.is_not)
    not_: Callable[[Any], Any] = staticmethod(operator.not_)

    def truth(self, value: Any, why: str = "", /) -> bool:
        return bool(value)

    def idle(self, look: Thunk, asks: bool, /) -> Any:
        return look()

    def asserted(self, test: Any, message: Thunk | None, /) -> bool:
        return self.truth(test)

    def decorator(self, value: Any, /) -> Any:
        return value

    def binary(self, op: str, a: Any, b: Any, /) -> Any:
        return getattr(operator, op)(a, b)

    def inplace(self, op: str, a: Any, b: Any, /) -> Any:
        return getattr(operator, op)(a, b)

    def unary(self, op: str, a: Any, /) -> Any:
        return getattr(operator, op)(a)

    def compare(self, op: str, a: Any, b: Any, /) -> Any:
        return getattr(operator, op)(a, b)

    def contains(self, item: Any, container: Any, /) -> Any:
        return item in container

    def and_(self, first: Any, /, *rest: Thunk) -> Any:
        for thunk in rest:
            if not self.truth(first):
                return first
            first = thunk()
        return first

    def or_(self, first: Any, /, *rest: Thunk) -> Any:
        for thunk in rest:
            if self.truth(first):
                return first
            first = thunk()
        return first

    def all_(self, first: Any, /, *rest: Thunk) -> Any:
        return self.truth(first) and all(self.truth(thunk()) for thunk in rest)

    def any_(self, first: Any, /, *rest: Thunk) -> Any:
        return self.truth(first) or any(self.truth(thunk()) for thunk in rest)

    def ifexp(self, test: Any, then: Thunk, orelse: Thunk, /) -> Any:
        return then() if self.truth(test) else orelse()

    def if_(
        self, test: Any, then: Branch, orelse: Branch, state: State, names: tuple[str, ...], /
    ) -> tuple[Exit, Any]:
        return then(*state) if self.truth(test) else orelse(*state)

    def while_(
        self,
        test: Callable[..., Any] | None,
        body: Branch,
        orelse: Branch | None,
        state: State,
        names: tuple[str, ...],
        /,
    ) -> tuple[Exit, Any]:
        while test is None or self.truth(test(*state)):
            exit, values = body(*state)
            if exit is Exit.RETURNED:
                return exit, values
            state = values
            if exit is Exit.BROKE:
                return Exit.FELL, state
        return (Exit.FELL, state) if orelse is None else orelse(*state)

    def for_(
        self, iterable: Any, body: Branch, orelse: Branch | None, state: State, names: tuple[str, ...], /
    ) -> tuple[Exit, Any]:
        try:
            for item in self.iter_(iterable):
                exit, values = body(item, *state)
                if exit is Exit.RETURNED:
                    return exit, values
                state = values
                if exit is Exit.BROKE:
                    return Exit.FELL, state
        finally:
            del iterable  # a generator is closed before an error goes on, though that keeps this frame
        return (Exit.FELL, state) if orelse is None else orelse(*state)

    def unpack(self, value: Any, count: int, star: int | None, /) -> Any:
        return value

    def format_(self, value: Any, conversion: str | None, spec: str, /) -> str:
        return format(value if conversion is None else _CONVERSIONS[conversion](value), spec)

    def said(self, value: Any, conversion: str | None, spec: str, /) -> str:
        if conversion in (ALONE, ONE):
            return f"%{spec}" % (value if conversion == ALONE else (value,))
        return self.format_(value, conversion, spec)

    def joined(self, text: str, /) -> str:
        return text
