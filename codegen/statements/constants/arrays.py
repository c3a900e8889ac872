"""Arrays that are constants, and may stand above the functions: those in whose memory nobody writes, and
which nobody gets.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ....backends.arrays import dtype_object
from ....backends.backend import COMMON, Backend
from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import Function, Region, is_loop, loop
from ....ir.graphs.walk import every_node
from ....ir.meaning.op import REGISTER, Op
from ....ir.ops.indexing import UPDATES
from ....ir.source.readings import Readings
from ....ir.values.dtypes import DType, dtype
from ....ir.values.tree import leaves
from ....ir.verification import handed
from ...plan.aliases import views
from ...text.walking import copied, walked
from ..written.remarks import key_of
from .expressions import constant_parts, found
from .tables import Table, table
from .word import Word
from .words import LEAST, Scope

if TYPE_CHECKING:
    from ..emitter import Emitter


#: Up to which number a float of any dtype that is printed so holds each int.
EXACT = 2**24


class Constant:
    """A constant array of a program, as a target has it."""

    def __init__(self, node: Node, target: Backend) -> None:
        self.target = target
        self.dtype: DType = node.spec.dtype
        self.table = self.cast(node.kwargs["value"])

    def cast(self, value: Any) -> Table:
        """A value in its dtype."""
        with np.errstate(all="ignore"):
            return table(np.array(value, dtype_object(self.dtype, COMMON)))

    def words(self, scope: Scope, expression: ast.expr) -> Iterator[Word]:
        """The words for it in an expression of the user's."""
        for part in constant_parts(expression, scope):
            yield from (word for word in scope.words(part) if self.is_of(word.number))

    def is_of(self, found: Any) -> bool:
        if not isinstance(found, Table) or found.shape != self.table.shape:
            return False
        return self.target.narrowed(dtype(found.dtype)) == self.dtype and self.cast(found.array) == self.table


class Printed(Constant):
    """One that is printed.

    Attributes:
        text: its definition; None where it must be made anew each time.
    """

    def __init__(self, written: ast.Call, node: Node, emitter: Emitter) -> None:
        super().__init__(node, emitter.module.target)
        shared = is_shared(node, self.target) and is_closed(written) and node.form == "array"
        self.text = copied(written) if shared and not is_wide(self.dtype, self.target) else None
        self.said = ast.keyword("dtype", emitter.writer.literal(self.dtype))

    def words(self, scope: Scope, expression: ast.expr) -> Iterator[Word]:
        return super().words(scope, expression) if self.text is not None else iter(())

    def holds(self, numbers: Any, told: bool) -> bool:
        """Whether the array is made of these, in whatever framework.

        Args:
            told: whether its dtype is said: floats are made of ints only then.
        """
        wanted = self.table.array.dtype
        try:
            found = np.array(numbers)
        except ValueError:  # rows of several lengths
            return False
        floats = told and bool((abs(found) <= EXACT).all()) if found.dtype.kind == "i" else False
        whole = found.dtype.kind == "i" and (wanted.kind == "i" or floats)
        same = whole or found.dtype.kind == wanted.kind == "f"
        exact = same and wanted.kind in "fi" and wanted.itemsize >= LEAST
        return exact and found.shape == self.table.shape and self.cast(found) == self.table

    def of(self, listed: ast.expr | None, found: Table) -> ast.expr:
        """The definition, of the user's list where it is known. It is run when the file is imported: which
        dtype is JAX's own may change after, and what was not narrowed stays what it is.
        """
        made = copied(self.text)
        assert made is not None, "only what has a definition has words"
        if made.args and listed is not None:
            made.args[0] = listed
        untold = not any(keyword.arg == "dtype" for keyword in made.keywords)
        if self.target.narrows and untold and found.dtype == self.dtype.name:
            made.keywords.append(self.said)
        return made


def is_known(node: Node) -> bool:
    """Whether it is an array of numbers that are known, and not one of a recorded number."""
    if node.target is not REGISTER["array"] or node.spec.dtype is None:
        return False
    return not any(isinstance(leaf, Node) for leaf in leaves(node.kwargs["value"]))


def note(emitter: Emitter, written: Any, node: Node) -> None:
    """Note on what is printed which constant array it is."""
    if is_known(node) and isinstance(written, ast.Call):
        written.array = Printed(written, node, emitter)  # type: ignore[attr-defined]


def name_shared(program: Graph, target: Backend, readings: Readings) -> None:
    """Note which constants need no statement of their own, since each of their users has a name for them."""
    for node in every_node(program):
        if is_known(node) and node.uses > 1 and node.form == "array":
            if not is_wide(node.spec.dtype, target) and is_shared(node, target):
                constant = Constant(node, target)
                node.meta["named"] = all(is_named(user, constant, readings) for user in node.users)


def is_named(user: Node, constant: Constant, readings: Readings) -> bool:
    place: Any = user.stands_for.place if user.stands_for is not None else None
    key = key_of(user)
    known = found(key, place.positions, readings) if key is not None else None
    return known is not None and any(True for _ in constant.words(*known))


def is_wide(dtype: DType, target: Backend) -> bool:
    """Whether a target has a dtype only where a flag says so."""
    return target.narrows and dtype != target.with_x64(False).narrowed(dtype)


def is_shared(node: Node, target: Backend) -> bool:
    """Whether one array may stand for it each time: all that is done with it, and with what may be printed as
    a view of it, is to compute something.
    """
    if target.compiles and target.mutable:
        return False
    for view in views(node, target):
        for user in view.users:
            if isinstance(user.target, Region) and is_loop(user) and moves(user, view):
                return False
            if isinstance(user.target, Function | Region):
                taken = (pair for graph, given in handed(user) for pair in zip(given, graph.placeholders))
                if not all(is_shared(inner, target) for given, inner in taken if given is view):
                    return False
            elif not isinstance(user.target, Op) and user.target is not getattr:
                return False
            elif target.mutable and user.target in UPDATES:
                return False
    return True


def moves(run: Node, value: Node) -> bool:
    """Whether a loop goes through a value, or carries it."""
    return any(leaf is value for leaf in leaves((loop(run).sources, loop(run).state)))


def is_closed(written: ast.expr) -> bool:
    """Whether it says no names but those of modules."""
    names = (part for part in walked(written) if isinstance(part, ast.Name))
    return all(getattr(name, "imported", False) for name in names)
