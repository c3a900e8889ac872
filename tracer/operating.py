"""Operators in rewritten code: those of arrays are recorded, those of the user's own classes run as his
functions do.
"""

from __future__ import annotations

import operator
from typing import Any

from . import constants, functions, objects, printing, writes
from .plain import plainly
from .proxy import is_array_proxy, is_proxy
from .rewrite.hooks import Plain
from .staging import rows
from .tracer import Tracer


class Operators(Plain):
    """The part of Hooks that is about operators."""

    tracer: Tracer

    def binary(self, op: str, a: Any, b: Any, /) -> Any:
        fn = getattr(operator, op)
        if is_array_proxy(a) or is_array_proxy(b):
            return self.tracer.binary(fn, *rows.spread(self.tracer, (a, b)))
        if (method := objects.own(a, f"__{op.strip('_')}__")) is not None:
            found = functions.inline(self, method, (a, b), {})
            if found is not NotImplemented:
                return found
        return plainly(fn, a, b)

    def compare(self, op: str, a: Any, b: Any, /) -> Any:
        for value in (a, b):
            printing.refuse(value, "comparing a string", self.tracer.span())
        return self.binary(op, rows.spread(self.tracer, a), rows.spread(self.tracer, b))

    def unary(self, op: str, a: Any, /) -> Any:
        fn = getattr(operator, op)
        if (method := objects.own(a, f"__{op.strip('_')}__")) is not None:
            return functions.inline(self, method, (a,), {})
        return self.tracer.record(fn, (a,)) if is_array_proxy(a) else plainly(fn, a)

    def inplace(self, op: str, a: Any, b: Any, /) -> Any:
        fn = getattr(operator, op)
        if is_array_proxy(a):
            return self.tracer.inplace(fn, a, b)
        if is_array_proxy(b) and self.tracer.framework.is_array(a) and hasattr(a, "__setitem__"):
            writes.check(self.tracer, a, f"{op.removeprefix('i')} in place")
        if is_array_proxy(b) or is_proxy(a) or is_proxy(b):
            return self.binary(
                op.removeprefix("i").replace("and", "and_").replace("or", "or_")
                if op in ("iand", "ior")
                else op[1:],
                a,
                b,
            )
        constants.check(self.tracer, a, f"{op.removeprefix('i')} in place")
        return fn(a, b)

    def contains(self, item: Any, container: Any, /) -> Any:
        for value in (item, container):
            printing.refuse(value, "looking into a string", self.tracer.span())
        self.tracer.outside.handed(container)
        container = rows.spread(self.tracer, container)
        if is_array_proxy(container):
            raise self.tracer.error("`in` an array cannot be recorded", "compare and use any()")
        return plainly(operator.contains, container, item)
