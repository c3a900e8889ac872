"""Hooks: what rewritten code calls for each construct of Python.

Law: Plain does what Python does, so that a function rewritten for it cannot be told from the original. Where
a C function of Python's says a construct, it is the hook itself: no frame of ours then stands between the
user's and what is called. Hooks that decide where the program goes ask `truth`: only it need be overridden.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from .runtime import Exit

Thunk = Callable[[], Any]
Branch = Callable[..., tuple[Exit, Any]]


class Hooks(Protocol):
    """The calls that rewritten code makes; operators are named as in the `operator` module.

    The frame that calls a hook stands at the user's expression: its position is that expression's span.
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

    def binary(self, op: str, a: Any, b: Any, /) -> Any:
        """`a + b` for op "add", and so on"""

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

    def truth(self, value: Any, /) -> bool:
        """What Python shall take the test of `if`, `while`, `assert`, a filter or a guard to be."""

    def ifexp(self, test: Any, then: Thunk, orelse: Thunk, /) -> Any:
        """`then() if test else orelse()`"""

    def if_(
        self, test: Any, then: Branch, orelse: Branch, state: tuple[Any, ...], names: tuple[str, ...], /
    ) -> tuple[Exit, Any]:
        """An `if` statement that may be recorded: `(then if test else orelse)(*state)`.

        A branch returns how it was left, and after RETURNED the value returned, else the values of `names`:
        what it may have changed and is still wanted. UNDEFINED stands for a variable without a value.
        """

    def unpack(self, value: Any, count: int, star: int | None, /) -> Iterable[Any]:
        """What Python shall unpack into `count` targets, the one at `star` being starred."""

    def iter_(self, value: Any, /) -> Iterable[Any]:
        """What Python shall loop over in a `for` or a comprehension."""

    def format_(self, value: Any, conversion: str | None, spec: str, /) -> str:
        """A `{value!conversion:spec}` of an f-string; conversion is "s", "r", "a" or None."""


_call: Callable[..., Any] = operator.call
_CONVERSIONS: dict[str, Callable[[Any], str]] = {"s": str, "r": repr, "a": ascii}


def _same(value: Any, /) -> Any:
    return value


class Plain:
    """Hooks that do what Python does."""

    call: Callable[..., Any] = staticmethod(_call)
    star: Callable[[Any], Any] = staticmethod(_same)
    dstar: Callable[[Any], Any] = staticmethod(_same)
    function: Callable[[Any], Any] = staticmethod(_same)
    iter_: Callable[[Any], Any] = staticmethod(_same)

    getattr_: Callable[[Any, str], Any] = staticmethod(getattr)
    setattr_: Callable[[Any, str, Any], object] = staticmethod(setattr)
    getitem: Callable[[Any, Any], Any] = staticmethod(operator.getitem)
    setitem: Callable[[Any, Any, Any], object] = staticmethod(operator.setitem)

    is_: Callable[[Any, Any], Any] = staticmethod(operator.is_)
    is_not: Callable[[Any, Any], Any] = staticmethod(operator.is_not)
    not_: Callable[[Any], Any] = staticmethod(operator.not_)
    truth: Callable[[Any], bool] = staticmethod(operator.truth)

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
        self, test: Any, then: Branch, orelse: Branch, state: tuple[Any, ...], names: tuple[str, ...], /
    ) -> tuple[Exit, Any]:
        return then(*state) if self.truth(test) else orelse(*state)

    def unpack(self, value: Any, count: int, star: int | None, /) -> Any:
        return value

    def format_(self, value: Any, conversion: str | None, spec: str, /) -> str:
        return format(value if conversion is None else _CONVERSIONS[conversion](value), spec)
