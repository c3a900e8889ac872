"""Bound: a method of a proxy, before it is called."""

from __future__ import annotations

from typing import Any


class Bound:
    """A method of a proxy, before it is called."""

    __slots__ = ("proxy", "name")

    def __init__(self, proxy: Any, name: str) -> None:
        self.proxy = proxy
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tracer = self.proxy.tracer
        return tracer.framework.method(tracer, self.proxy, self.name, args, kwargs)
