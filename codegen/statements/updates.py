"""Updates as they are written: `x[key] = value` and `x[key] += value`, in JAX `x.at[key].set(value)` and
`.add`. Where each of the places counts that an index array names, `np.add.at` and what is like it.
"""

from __future__ import annotations

import ast
import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...backends.lowering.storing import fits_itself, number_said
from ...backends.signatures import known
from ...backends.typing import Operand
from ...backends.writing.filling import AST_OPERATORS, Written, operand_of
from ...backends.writing.writer import implicit
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Function, Region
from ...ir.meaning.op import REGISTER, Op
from ..plan.augmented import AUGMENTED, again, attached
from ..plan.outsiders import memory
from ..text.unparsing import unparsed
from .written.remarks import mark_value

if TYPE_CHECKING:
    from .emitter import Emitter

#: What these ops are called behind .at[...].
AT = {"add": "add", "multiply": "multiply", "divide": "divide"}


def statement(emitter: Emitter, node: Node) -> ast.Assign | ast.AugAssign | ast.Expr:
    """An update in place."""
    base = emitter.tree(node.args[0])
    emitter.known[node] = base, emitter.value(node.args[0])[1]
    place = base_of(emitter, node)
    for outer in node.meta.get("outer", ()):
        place = ast.Subscript(place, emitter.writer.key(outer, []), ast.Load())
    if node.target is REGISTER["accumulate"]:
        join = function_join if emitter.module.target.scatters else method_join
        return ast.Expr(join(emitter, node, place))
    op, value = again(node, wider=True)
    if op is None and (method := into(emitter, node)) is not None:
        return method
    if op is not None and (method := of_detached(emitter, node, op, value)) is not None:
        return method
    target: Any = ast.Subscript(place, key(emitter, node), ast.Store())
    if op is not None and node.kwargs["key"] == (...,) and assignable(node.args[0], base):
        target = base
    if op is not None:
        written = bare(emitter, value, node) if takes(emitter, op, node, value) else emitter.tree(value)
        made = ast.AugAssign(target, AST_OPERATORS[AUGMENTED[op]](), written)
        made.of_array = is_array(node.args[0])  # type: ignore[attr-defined]
        return made
    return ast.Assign([target], bare(emitter, value, node))


def into(emitter: Emitter, node: Node) -> ast.Expr | None:
    """`x.lerp_(y, w)`: the method of an op that writes what it gives into its first operand, or through
    `x.detach()`.
    """
    value, suffix = node.args[1], emitter.module.target.in_place
    if not suffix or node.kwargs["key"] != (...,) or not node.meta.get("into") or len(value.users) != 1:
        return None
    by_element = isinstance(value.target, Op) and bool(value.target.elementwise)
    if not by_element or attached(value.args[0]) is not node.args[0]:
        return None
    if not fits(value, node) or value.meta.get("statement") or value in emitter.known:
        return None
    written = emitter.tree(value)
    if not isinstance(written, ast.Call) or not isinstance(written.func, ast.Attribute):
        return None
    first, *rest = written.func.value, *written.args
    if getattr(first, "imported", False) and rest:  # a function of the framework's
        first, *rest = rest
    method, base = f"{written.func.attr}{suffix}", emitter.tree(value.args[0])
    if unparsed(first) != unparsed(base) or not known(f"{emitter.module.target.array_type}.{method}"):
        return None
    return ast.Expr(ast.Call(ast.Attribute(base, method, ast.Load()), rest, written.keywords))


def fits(value: Node, node: Node) -> bool:
    """Whether a value is of the dtype and shape of the array that it is written into, or what is written does
    not fit for any framework.
    """
    mine, theirs = ((each.spec.dtype, each.spec.hint_shape) for each in (value, node))
    return mine == theirs


def of_detached(emitter: Emitter, node: Node, op: str, operand: Any) -> ast.Expr | None:
    """`x.detach().mul_(y)`, as no gradient sees it; None for an array that is not detached, or cannot be."""
    suffix = emitter.module.target.in_place
    if not suffix or not node.meta.get("detached") or node.kwargs["key"] != (...,):
        return None
    names = (f"{AUGMENTED[op]}{suffix}", f"{op}{suffix}")  # torch has no `truediv_`
    name = next((n for n in names if known(f"{emitter.module.target.array_type}.{n}")), None)
    if name is None:
        return None
    said = ast.Attribute(base_of(emitter, node), name, ast.Load())
    return ast.Expr(ast.Call(said, [bare(emitter, operand, node)], []))


def base_of(emitter: Emitter, node: Node) -> ast.expr:
    """The array that an update writes into, detached where the program's is."""
    base: ast.expr = emitter.tree(node.args[0])
    words = emitter.module.target.detached
    if not words or not node.meta.get("detached"):
        return base
    return ast.parse(words.format(unparsed(base)), mode="eval").body


def is_array(value: Any) -> bool:
    """Whether a value is no number in NumPy either, whatever the ranks of the arguments are: what was given,
    or made as an array. What is computed of arrays without axes is a number there.
    """
    found = memory(value)
    if found.target is REGISTER["copy"]:
        return is_array(found.args[0])
    if isinstance(found.target, Op):
        return found.target.rules[0].cls == "free" and found.target is not REGISTER["cast"]
    part = found.target is operator.getitem and isinstance(found.args[0], Node)
    whole = found.args[0] if part else found
    return not isinstance(whole.target, (Region, Function, Op))


def takes(emitter: Emitter, op: str, node: Node, value: Any) -> bool:
    """Whether the target computes with what an implicit cast is of as it is: torch subtracts no bools."""
    if not isinstance(value, Node) or not implicit(value) or node.spec.dtype is None:
        return True
    operands = (Operand(each.spec.rank, each.spec.dtype, "array") for each in (node, value.args[0]))
    return emitter.writer.typing_of(REGISTER[op], [[operand] for operand in operands]) is not None


def assignable(node: Node, base: ast.expr) -> bool:
    """Whether `base += value` may be said of an array: by its name, or as an item of a dict or a list."""
    while node.meta.get("inplace"):
        node = node.args[0]
    if isinstance(base, ast.Name) or node.target is not operator.getitem:
        return isinstance(base, ast.Name)
    container = node.args[0].origin or node.args[0]
    return container.meta.get("container") is dict  # for a list a tuple may be given, which takes no item


def at(emitter: Emitter, node: Node) -> Written:
    """An update where arrays are not written into. What comes of a weak array of JAX's is weak."""
    if node.target is REGISTER["accumulate"]:
        method, value = emitter.module.target.joins[node.kwargs["how"]], node.args[1]
    else:
        op, value = again(node)
        once = all(index.spec.shape == () for index in node.args[2:])
        method, value = (AT[op], value) if op in AT and once else ("set", node.args[1])
    base, given = emitter.value(node.args[0])
    place = ast.Subscript(ast.Attribute(base, "at", ast.Load()), key(emitter, node), ast.Load())
    said = bare(emitter, value, node)
    mark_value(said, node)
    made = ast.Call(ast.Attribute(place, method, ast.Load()), [said], [])
    return made, replace(operand_of(node), form=given.form)


def function_join(emitter: Emitter, node: Node, place: ast.expr) -> ast.expr:
    """`np.add.at(x, key, value)`"""
    found = key(emitter, node)
    if any(isinstance(k, slice) for k in node.kwargs["key"]):
        found = ast.Subscript(emitter.writer.name(emitter.module.target.keys), found, ast.Load())
    function = emitter.writer.name(emitter.module.target.scatters.format(node.kwargs["how"]))
    return ast.Call(function, [place, found, bare(emitter, node.args[1], node)], [])


def method_join(emitter: Emitter, node: Node, place: ast.expr) -> ast.expr:
    """`x.index_put_((i, j), value, accumulate=True)`, which adds; what does not is by one index array."""
    value, *indices = (emitter.tree(a) for a in node.args[1:])
    if node.kwargs["how"] == "add":
        accumulates = [ast.keyword("accumulate", ast.Constant(True))]
        return ast.Call(
            ast.Attribute(place, "index_put_", ast.Load()),
            [ast.Tuple(indices, ast.Load()), value],
            accumulates,
        )
    how = ast.Constant(emitter.module.target.joins[node.kwargs["how"]])
    return ast.Call(
        ast.Attribute(place, "scatter_reduce_", ast.Load()), [ast.Constant(0), *indices, value, how], []
    )


def key(emitter: Emitter, node: Node) -> ast.expr:
    indices = [emitter.tree(index) for index in node.args[2:]]
    found: ast.expr = emitter.writer.key(node.kwargs["key"], indices)
    return found


def bare(emitter: Emitter, value: Any, node: Node) -> ast.expr:
    """A value as it is assigned: numbers as they are, without the casts that assigning makes."""
    if not isinstance(value, Node):
        found: ast.expr = emitter.tree(value)
        return found
    if value not in emitter.known and value.spec is not None and not value.stands_for:
        if value.target is REGISTER["array"] and not isinstance(value.kwargs["value"], list):
            literal: ast.expr = emitter.writer.literal(number_said(value))
            return literal
        if value.target is REGISTER["full"] and value.kwargs["shape"] == ():
            filled: ast.expr = emitter.tree(value.kwargs["fill_value"])
            return filled
        fits = fits_itself(node, emitter.module.target)
        if value.target is REGISTER["cast"] and value.implicit and fits:
            value = value.args[0]
    expr: ast.expr = emitter.tree(value)
    return expr
