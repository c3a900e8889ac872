"""Reckoning: Python's numbers that are not known while tracing. They are computed from sizes and other such
numbers, or taken out of arrays: `float(x)`, `x.item()`.

A number that counts, and so may be a size, has an expression of the arguments for its value, or a name of its
own where a branch or a loop computes it. Of the others only the type matters.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..ir.dim import Sym, hint_of, sym
from ..ir.graph import Node
from ..ir.local import is_local, local
from ..ir.static import Scalar, item
from .catching import handlers
from .memory import current
from .place import here
from .plain import exactly
from .proxy import Scalar_, isinstance_scalar

#: How what Python computes with is written; the functions of math and builtins aside.
SIGNS = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.floordiv: "//",
    operator.mod: "%", operator.pow: "**",
}  # fmt: skip
#: What stands for a number of which nothing is known but its type.
STAND_INS = (1, 2, 0.5, 0)
KINDS = {"bool": bool, "int": int, "uint": int, "float": float}


def computed(tracer: Any, fn: Callable[..., Any], args: Sequence[Any], node: Node) -> Scalar:
    """What Python computes of recorded numbers, by the call that was recorded for it."""
    values = [a.spec.value if isinstance_scalar(a) else a for a in args]
    own = any(isinstance_scalar(a) and a.spec.local for a in args) or any(map(is_local, values))
    hints = [hint_of(v) if isinstance(v, Sym) else v for v in values]
    known, result = example(tracer, fn, args, hints, own)
    if type(result) is not int:
        return Scalar(type(result), result if known else None, own)
    if all(isinstance(v, (int, Sym)) for v in values):
        try:
            return Scalar(int, fn(*values), own)
        except TypeError:
            pass  # no function of symbols
    hint = result if known else None
    text = None if own else written(node)
    if text is None:
        return Scalar(int, local(tracer.fresh("number"), hint), local=True)
    return Scalar(int, sym(ast.unparse(ast.parse(text, mode="eval")), hint))


def example(
    tracer: Any, fn: Callable[..., Any], args: Sequence[Any], hints: Sequence[Any], own: bool
) -> tuple[bool, Any]:
    """What a call gives for the example, and whether that is known; else something of its type."""
    unknown = [isinstance_scalar(a) and h is None for a, h in zip(args, hints)]
    if not any(unknown):
        try:
            return True, exactly(fn, *hints)
        except (ArithmeticError, ValueError):
            if not own:  # another call need not raise it, and a handler of the user's may tell
                for scalar in filter(isinstance_scalar, args):
                    tracer.look(scalar, "it decides whether an exception is raised")
                raise
            unknown = [isinstance_scalar(a) for a in args]
    for number in STAND_INS:
        try:
            return False, fn(*(a.spec.type(number) if u else h for a, u, h in zip(args, unknown, hints)))
        except (ArithmeticError, ValueError):
            continue
    raise tracer.error("what this gives is not known while tracing", "give example arguments with args=")


def written(value: Any) -> str | None:
    """A number as an expression of the arguments; None where it cannot be said so."""
    if not isinstance(value, Node):
        return repr(value) if type(value) in (int, float, bool) and math.isfinite(value) else None
    if isinstance(value.spec, Scalar) and isinstance(value.spec.value, Sym):
        return f"({value.spec.value})"
    if "outer" in value.meta:
        return written(value.meta["outer"])
    if value.op == "placeholder":
        return str(value.target)
    parts = [written(a) for a in value.args]
    if any(part is None for part in parts):
        return None
    sign = SIGNS.get(value.target)
    if sign is not None and len(parts) == 2:
        return f"({parts[0]} {sign} {parts[1]})"
    name = getattr(value.target, "__name__", "")
    root = {"math": "math.", "builtins": ""}.get(getattr(value.target, "__module__", ""))
    return None if root is None else f"{root}{name}({', '.join(map(str, parts))})"


def number(tracer: Any, array: Any, kind: type | None = None) -> Any:
    """`kind(array)`; None: `array.item()`, whose type is that of the array.

    Raises:
        TypeError, ValueError: where Python or the framework do.
    """
    known = tracer.concrete(array.node)
    if tracer.tries and array.node.spec.shape is not None:  # a handler would have an array of other sizes
        tracer.rank(array.node)
        for dim in array.node.spec.shape:
            tracer.known(dim, "a number is taken out of it inside a `try`")
    if known is not None:
        return known.item() if kind is None else kind(known.item())
    array = without_axes(tracer, array, kind)
    if kind is None and array.node.spec.dtype is None:
        raise tracer.error("the dtype of this array is not known", "give example arguments with args=")
    dtype = tracer.dtype(array.node) if kind is None else array.node.spec.dtype
    if dtype is not None and dtype.kind == "complex":
        if kind in (int, float):
            raise TypeError(f"can't convert complex to {kind.__name__}")
        raise tracer.wants_number(array, "a complex number")
    made = tracer.graph.create_node("call_function", kind or item, (tracer.use(current(tracer, array)),))
    found = kind or KINDS[dtype.kind]
    value = local(tracer.fresh(found.__name__), None) if found is int else None
    made.spec, made.place = Scalar(found, value, local=True), here()
    made.meta |= handlers(tracer)
    return Scalar_(tracer, made.spec, node=made)


def without_axes(tracer: Any, array: Any, kind: type | None) -> Any:
    """An array of one element as one that has no axes."""
    shape = array.node.spec.shape
    if not shape:
        return array
    if any(hint_of(dim) not in (1, None) for dim in shape):
        raise tracer.error(
            f"one number of an array of shape ({', '.join(map(str, shape))})", "pick one, or reduce the array"
        )
    if kind is not None and tracer.framework.name != "torch":
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return tracer.record("reshape", (array, ()), op="call_method")
