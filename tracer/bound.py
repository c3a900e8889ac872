"""Bound: a method of a proxy, before it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .proxy import Proxy


class Bound:
    """A method of a proxy, before it is called."""

    __slots__ = ("proxy", "name")

    def __init__(self, proxy: Proxy, name: str) -> None:
        self.proxy = proxy
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tracer = self.proxy.tracer
        return tracer.framework.method(tracer, self.proxy, self.name, args, kwargs)
