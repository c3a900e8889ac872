"""Writing: what a Tracer does about writes in place, see writes.py."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.regions import store
from ...ir.graphs.static import Scalar
from ..part import Part
from . import aliasing, deep_copies, writes


class Writing(Part):
    """The part of a Tracer that is about writes."""

    def refuse_write(self, what: str) -> None:
        """Raises UnsupportedError for a write that cannot be recorded."""
        raise UnsupportedError(
            what, why="this kind of write is not recorded", span=self.tracer.span(), hint="x[...] = value is"
        )

    def stores(self) -> None:
        """Note what the arguments that were written into hold where the traced function is left."""
        for proxy, placeholder in self.memory.arguments if len(self.stack.frames) <= 1 else ():
            if proxy.node is not placeholder:
                values = self.tracer.use(placeholder), self.tracer.use(aliasing.current(self.tracer, proxy))
                node = self.graph.create_node("call_function", store, values)
                node.spec = Scalar(type(None))

    def leak(self, proxy: Any, name: str) -> None:
        """Note that an array is known under a name that does not see what is written into it."""
        for base in self.wholes(proxy):
            self.memory.leaked.setdefault(id(base), (base, name))

    def wholes(self, proxy: Any) -> list[Any]:
        """The array that another is a part of; of a row in a loop the one, or those, that it goes through."""
        found = aliasing.wholes(self.tracer, aliasing.root(self.tracer, proxy))
        return [base for base in found if id(base) not in self.memory.row_of]

    def shallow_copy(self, array: Any) -> Any:
        """`array.__copy__()`"""
        return deep_copies.made(self.tracer, array)

    def deep_copy(self, array: Any, memo: Any) -> Any:
        """`array.__deepcopy__(memo)`"""
        return deep_copies.deeply(self.tracer, array, memo)

    def setitem(self, target: Any, key: Any, value: Any) -> None:
        """`target[key] = value`"""
        writes.setitem(self.tracer, target, key, value)

    def inplace(self, fn: Callable[..., Any], target: Any, value: Any) -> Any:
        """`target += value` and its kin."""
        return writes.inplace(self.tracer, fn, target, value)

    def inplace_call(self, target: Any, name: str, write: Callable[[], Any]) -> Any:
        """A method that writes into its array, such as torch's add_; `write` records it."""
        return writes.inplace(self.tracer, operator.iadd, target, None, write)
