"""Gradients: what the ops of a Program say of theirs (Op.gradient), added to it, one call at a time.

A function that says the gradient of an op, `def _(g, y, a, b, *, axis)`, is given

- `g`, the gradient that comes in, in the shape of the result; of several results a tuple, with None for one
  that is no float; and `y`, the result, or a tuple.
- the operands in order, Python numbers as they are, None for one that is absent.
- by keyword the parameters that it names, or all of them for `**params`.

It returns a gradient for each array operand, a tuple where there are several, and None where there is none.
It may leave them in the shape to which operands were broadcast, or in one that broadcasts to theirs: they are
made to fit here. It is about real numbers, and refuses what it does not speak of by a NotImplementedError
that says why.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Sequence
from typing import Any

from .bodies.building import Value, building
from .errors import GraphError, UnsupportedError
from .graphs.graph import Node
from .meaning.op import Op, gradient_of
from .ops.creation import zeros_like
from .ops.reduction import sum
from .ops.shape import broadcast_to, reshape
from .program import Program
from .sizes.dim import hint_of
from .values.spec import Spec


def backward(program: Program, node: Node, gradients: Sequence[Node | None]) -> list[Node | None]:
    """Add the gradients of an op's operands where the program is being built, and give them in the order of
    the operands: None for what is no array of floats, and where no gradient runs.

    Args:
        node: the call of the op.
        gradients: those of its results, None for one on which nothing depends.

    Raises:
        GraphError: where no gradient is said of the op.
        UnsupportedError: where what is said does not speak of this call, or the numbers are complex.
    """
    op = node.target
    function = gradient_of(op) if isinstance(op, Op) else None
    if function is None:
        raise GraphError(f"{op} says no gradient", span=node.span)
    before = program.latest
    operands = [wrapped(program, operand) for operand in node.args]
    results = parts(program, node)
    g = [incoming(program, result, given) for result, given in zip(results, gradients, strict=True)]
    if all(each is None for each in g):
        return [None] * len(operands)
    with building(program, [v.node for v in (*operands, *results) if isinstance(v, Value)]):
        y, dy = (tuple(results), tuple(g)) if op.several else (results[0], g[0])
        try:
            made = function(dy, y, *operands, **wanted(function, node.kwargs))
        except NotImplementedError as error:
            raise UnsupportedError(f"the gradient of {op}", why=str(error), span=node.span) from None
        made = made if isinstance(made, tuple) else (made,)
        found = [fitted(operand, value) for operand, value in zip(operands, made, strict=True)]
    tidied(program, before, found)
    return found


def wrapped(program: Program, operand: Any) -> Any:
    """An operand as a gradient's function is given it."""
    array = isinstance(operand, Node) and isinstance(operand.spec, Spec)
    return Value(program, operand) if array else operand


def parts(program: Program, node: Node) -> list[Value]:
    """The results of a call, one by one."""
    if not node.target.several:
        return [Value(program, node)]
    known = {user.args[1]: user for user in node.users if user.target is operator.getitem}
    return [
        Value(program, known[i] if i in known else program.project(node, i)) for i in range(len(node.spec))
    ]


def incoming(program: Program, result: Value, given: Node | None) -> Value | None:
    """The gradient of one result: 0 where nothing depends on it."""
    if not is_float(result):
        return None
    return zeros_like(result, dtype=result.dtype) if given is None else Value(program, given)


def wanted(function: Any, params: dict[str, Any]) -> dict[str, Any]:
    """Those of an op's parameters that a function takes."""
    taken = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in taken):
        return params
    return {p.name: params[p.name] for p in taken if p.kind is p.KEYWORD_ONLY and p.name in params}


def fitted(operand: Any, value: Value | None) -> Node | None:
    """The gradient of an operand in its shape."""
    if value is None or not isinstance(operand, Value) or not is_float(operand):
        return None
    made: Node = fit(value, operand).node
    return made


def is_float(value: Value) -> bool:
    """Whether there may be a gradient of it."""
    if value.dtype.kind == "complex":
        why = "frameworks do not agree what it is of complex numbers"
        raise UnsupportedError("a gradient", why=why, span=value.node.span)
    return value.dtype.kind == "float"


def fit(g: Value, like: Value) -> Value:
    """g in the shape of `like`: summed over what broadcasting stretched, and stretched where g has fewer
    elements. Which axes these are the sizes of the example say.
    """
    new = g.rank - like.rank
    summed = [i for i in range(g.rank) if i < new or is_one(like.shape[i - new]) and not is_one(g.shape[i])]
    if summed:
        g = sum(g, axis=tuple(summed), keepdims=any(i >= new for i in summed))
    if g.rank > like.rank:
        g = reshape(g, shape=like.sizes)
    if len(g.shape) < like.rank or any(is_one(a) and not is_one(b) for a, b in zip(g.shape, like.shape)):
        g = broadcast_to(g, shape=like.sizes)
    return g


def is_one(size: Any) -> bool:
    return hint_of(size) == 1


def tidied(program: Program, before: Node, results: Sequence[Node | None]) -> None:
    """Take out what was added since `before` and nobody uses: gradients of numbers, for one."""
    node = program.latest
    while node is not before:
        previous = node.prev
        if not node.users and node not in results and not node.is_impure():
            program.erase_node(node)
        node = previous
