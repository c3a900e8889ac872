"""Strong: values as a text for JAX hands them on to where nobody sees what they were made of.

What JAX makes of numbers of Python's, `jnp.abs(k)`, is weak: beside an array its dtype counts for nothing.
The writer sees that and casts the array. But what a function takes or gives, and what a branch, a loop or a
list hands on, is an array of its dtype to whoever reads it there; so it is made one where it goes. In a
program that was written for JAX being weak is part of its meaning.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ....backends.unions import is_number, keeps
from ....backends.writing.filling import operand_of
from ....ir.graphs.graph import Node, map_arg
from ....ir.graphs.regions import Function, graphs, is_loop, loop
from ....ir.graphs.static import Scalar
from ....ir.meaning.op import REGISTER
from ....ir.meaning.operands import scalar
from ....ir.values.dtypes import PYTHON
from ....ir.values.spec import Spec
from ....ir.values.tree import children, leaves
from ...plan.containers import part
from .rebuilt import entire, gathered

if TYPE_CHECKING:
    from ..emitter import Emitter

#: What makes an array of a number, and where that stands.
MAKING: dict[Any, str] = {REGISTER["array"]: "value", REGISTER["full"]: "fill_value"}


def handed(
    emitter: Emitter, value: Any, *, numbers: bool = False, weak: Container[Node] = frozenset()
) -> ast.expr:
    """A nested value that is handed on. `numbers`: also what was a number in the source, and is an array
    since it is compiled. Where that is one on the other side too, it may be weak there, as `weak` are.
    """
    if weakens(emitter) and emitter.ended(value) is None:
        value = map_arg(value, lambda node: strong(emitter, node, numbers and node not in weak))
    made: ast.expr = emitter.tree(value)
    return made


def weakens(emitter: Emitter) -> bool:
    return bool(emitter.module.target.weakens(emitter.module.source))


def strong(emitter: Emitter, node: Node, numbers: bool) -> Any:
    """One value: what the text says for it, or the node where that is what it will be."""
    spec, known = node.spec, node in emitter.known
    if not isinstance(spec, Spec) or spec.dtype is None or not numbers and counts(node):
        return node
    if part(node) and not known and operand_of(node).form == "array":
        return node
    if is_number(node) and keeps(node, emitter.module.target, emitter.module.source):
        return node
    if not known and makes(node):
        node.meta["strong"] = True
    expr, operand = emitter.value(node)
    if operand.form not in ("weak", "either") or spec.dtype.kind == "bool":  # of which there are no weak ones
        return expr
    emitter.writer.decided.append(node)
    return emitter.writer.cast(expr, spec.dtype)


def plain(emitter: Emitter, node: Node, compiled: bool) -> Any:
    """The number for an array of one that a region takes or yields; None where an array must be said."""
    target, source = emitter.module.target, emitter.module.source
    if node in emitter.known or node.meta.get("typed"):
        return None
    if compiled and begins(emitter, node):
        return number(node)
    stays = compiled or target.compiles and target.name == source.name
    return number(node) if node.meta.get("number") and stays else None


def begins(emitter: Emitter, node: Node) -> bool:
    """Whether it is a number of Python's with which a loop of the user's begins in JAX, as the text does."""
    said = (node.stands_for or node).meta.get("begins")
    return bool(said and node.target in MAKING and emitter.module.target.weak and emitter.module.source.weak)


def number(node: Node) -> Any:
    """The number that an array is made of; None for one of another kind, which is cast."""
    found = node.kwargs[MAKING[node.target]]
    if not isinstance(found, Node):
        return found
    dtype = PYTHON[found.spec.type] if isinstance(found.spec, Scalar) else found.spec.dtype
    return found if dtype.kind == node.spec.dtype.kind else None


def makes(node: Node) -> bool:
    """Whether a node makes an array of a number; it may be told the dtype."""
    return node.target in MAKING and scalar(node.kwargs[MAKING[node.target]])


def named(emitter: Emitter, node: Node) -> None:
    """Let an array of a number that gets a name be told its dtype where it is made, if it is handed on."""
    if not weakens(emitter) or not makes(node) or counts(node):
        return
    if any(hands(emitter, user, node) for user in node.users):
        node.meta["strong"] = True


def hands(emitter: Emitter, user: Node, node: Node) -> bool:
    """Whether a value is handed on here."""
    if is_loop(user):
        return any(node is each for each in leaves((loop(user).state, loop(user).sources)))
    if user.op == "output":
        return user.target == "yield" or not emitter.entry
    return isinstance(user.target, Function)


def counts(node: Node) -> bool:
    """Whether a value was a number in the source."""
    return bool(node.meta.get("carried") or node.meta.get("counted"))


def call(emitter: Emitter, node: Node, name: str) -> ast.Call:
    """The call of a function of the user's. What is built into that is noted, see versions.py."""
    args, keywords = arguments(emitter, node)
    if emitter.module.rebuilds and name in emitter.module.defs:
        args = [entire(emitter, a) for a in gathered(emitter, args, emitter.module.defs[name])]
    made: Any = ast.Call(ast.Name(name, ast.Load()), args, keywords)
    made.baked = (node.origin or node).meta.get("baked", {})
    return made  # type: ignore[no-any-return]


def arguments(emitter: Emitter, node: Node) -> tuple[list[ast.expr], list[ast.keyword]]:
    """What a call of a function gives it: by their names the numbers of what an op means, and the arrays that
    the function closes over.
    """
    made: list[Any] = [argument(emitter, node, i) for i in range(len(node.args))]
    for i in (i for i in (node.origin or node).meta.get("of items", ()) if i < len(made)):
        made[i].of_items = True  # see loop_items.Whole
    named = node.target.graph.meta.get("meaning", ())
    first = len(made) - len(named)
    closed = (ast.keyword(c, ast.Name(c, ast.Load())) for c in emitter.module.constants(node.target.graph))
    return made[:first], [*map(ast.keyword, named, made[first:]), *closed]


def argument(emitter: Emitter, call: Node, number: int) -> ast.expr:
    """What a function of the user's is given."""
    placeholders, value = call.target.graph.placeholders, call.args[number]
    if number >= len(placeholders):
        return handed(emitter, value)
    weak = {*counted(value, placeholders[number])} if not isinstance(value, Node) else ()
    return handed(emitter, value, numbers=not counts(placeholders[number]), weak=weak)


def counted(value: Any, holder: Node) -> Iterator[Node]:
    """What lies in a container that a function gets, and was a number in the source there too."""
    inner = dict(children(value) or ())
    for taken in holder.users:
        if taken.target in (operator.getitem, getattr) and taken.args[1] in inner:
            item = inner[taken.args[1]]
            if not isinstance(item, Node):
                yield from counted(item, taken)
            elif counts(taken):
                yield item


def columns(node: Node) -> Sequence[bool]:
    """Of what a compiled region gives, whether it is an array in the source too."""
    readers: list[list[Node]] = [[] for _ in node.spec]
    for user in node.users:
        if user.target is operator.getitem:
            readers[user.args[1]].append(user)
    if is_loop(node):
        skip = len(loop(node).items)
        for graph in graphs(node):
            first = skip if graph is loop(node).body else 0
            for found, placeholder in zip(readers, graph.placeholders[first:][: len(loop(node).state)]):
                found.append(placeholder)
    return [bool(found) and not any(map(counts, found)) for found in readers]
