"""Reckoning: Python's numbers that are not known while tracing. They are computed from sizes and other such
numbers, or taken out of arrays: `float(x)`, `x.item()`.

A number that counts, and so may be a size, has an expression of the arguments for its value, or a name of its
own where a branch or a loop computes it. Of the others only the type matters.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from ...ir.graphs.graph import Node
from ...ir.graphs.leaves import pin_parts
from ...ir.graphs.static import Scalar, item, number_leaves
from ...ir.meaning.operators import BINARY, UNARY
from ...ir.sizes.dim import Sym, hint_of, maximum, minimum, sym
from ...ir.sizes.extent import within
from ...ir.sizes.local import is_local, local
from ...ir.values.dtypes import PYTHON, widest
from ..memory.aliasing import current
from ..place import here
from ..plain import exactly
from ..proxy import Scalar_, is_proxy, isinstance_scalar
from ..trying.catching import handlers

if TYPE_CHECKING:
    from ..tracer import Tracer

#: How what Python computes with is written; the functions of math and builtins aside.
SIGNS = {each.function: each.sign for each in BINARY[:7]}
#: Those of one number.
SIGNS_OF_ONE = {each.function: each.sign for each in UNARY}
#: What gives one of the numbers that it is given, and of what type they are.
PICKING = (max, min)
#: What computes them of sizes.
SYMBOLIC: dict[Any, Callable[..., Any]] = {max: maximum, min: minimum}
POWERS = (pow, operator.pow)
#: What stands for a number of which nothing is known but its type.
STAND_INS = (1, 2, 0.5, 0)
#: As many as an axis may have.
LARGEST = 2**31
KINDS = {"bool": bool, "int": int, "uint": int, "float": float}


def specify(
    tracer: Tracer, fn: Callable[..., Any], args: Sequence[Any], node: Node, known: Scalar | None = None
) -> None:
    """Say what is known of what Python computes of recorded numbers, `known` if that was made before."""
    node.spec = known or computed(tracer, fn, args, node)
    note_types(tracer, fn, args, node)


def computed(tracer: Tracer, fn: Callable[..., Any], args: Sequence[Any], node: Node) -> Scalar:
    """What Python computes of recorded numbers, by the call that was recorded for it."""
    values = [a.spec.value if isinstance_scalar(a) else a for a in args]
    own = any(isinstance_scalar(a) and a.spec.local for a in args) or any(map(is_local, values))
    hints = [hint_of(v) if isinstance(v, Sym) else v for v in values]
    known, result = example(tracer, fn, args, hints, own)
    if type(result) is not int:
        return Scalar(type(result), result if known else None, own)
    # Of a bool that is recorded only the example is known.
    open_bools = any(isinstance_scalar(a) and a.spec.type is bool for a in args)
    if not open_bools and all(isinstance(v, (int, Sym)) for v in values):
        try:
            return Scalar(int, SYMBOLIC.get(fn, fn)(*values), own)
        except TypeError:
            pass  # no function of symbols
    hint = result if known else None
    text = None if own else written(node)
    if text is None:
        return Scalar(int, local(tracer.names.fresh("number"), hint), local=True)
    return Scalar(int, sym(ast.unparse(ast.parse(text, mode="eval")), hint))


def example(
    tracer: Tracer, fn: Callable[..., Any], args: Sequence[Any], hints: Sequence[Any], own: bool
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
    if "number path" in value.meta:
        return str(value.meta["number path"])
    if value.op == "placeholder":
        return str(value.target)
    parts = [written(a) for a in value.args]
    if any(part is None for part in parts):
        return None
    sign = SIGNS.get(value.target)
    if sign is not None and len(parts) == 2:
        return f"({parts[0]} {sign} {parts[1]})"
    if value.target in SIGNS_OF_ONE:
        return f"({SIGNS_OF_ONE[value.target]}{parts[0]})"
    name = getattr(value.target, "__name__", "")
    root = {"math": "math.", "builtins": ""}.get(getattr(value.target, "__module__", ""))
    return None if root is None else f"{root}{name}({', '.join(map(str, parts))})"


def reworded(tracer: Tracer, text: str, given: Mapping[str, Any]) -> Any:
    """An int that a function computes, `int(n * scale)`, in terms of what its caller gives for its
    parameters; None where more than numbers have to do with it.

    Args:
        given: that, by the names of the parameters.
    """
    tree = ast.parse(text, mode="eval")
    names = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)} & given.keys()
    fine = (isinstance_scalar(given[name]) or type(given[name]) in (int, float, bool) for name in names)
    if not names or not all(fine):
        return None
    numbers = {name: given[name].spec.value if is_proxy(given[name]) else given[name] for name in names}
    hints = {name: hint_of(number) for name, number in numbers.items()}
    hint = None if None in hints.values() else eval(text, {"math": math}, hints)
    if not any(is_proxy(given[name]) for name in names):
        return hint
    words = {name: written(getattr(given[name], "node", given[name])) for name in names}
    if None in words.values():
        return local(tracer.names.fresh("number"), hint)
    made = Renaming({name: ast.parse(str(word), mode="eval").body for name, word in words.items()})
    return sym(ast.unparse(made.visit(tree)), hint)


class Renaming(ast.NodeTransformer):
    """Names become what they stand for."""

    def __init__(self, words: Mapping[str, ast.expr]) -> None:
        self.words = words

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.words.get(node.id, node)


# Of which type it is.


def note_types(tracer: Tracer, fn: Callable[..., Any], args: Sequence[Any], node: Node) -> None:
    """Say of a number whose type depends on the values of others how the arguments say it, so that its type
    can be checked; where they do not say it, of which types it may be.
    """
    ways = [kinds(a) for a in args]
    own = all(len(way) == 1 for way in ways)
    found = types(tracer, fn, args, ways) | {node.spec.type}
    if len(found) == 1:
        return
    text = written(node) if own and not node.spec.local else None
    if text is not None:
        node.meta["type path"] = ast.unparse(ast.parse(text, mode="eval"))
    elif found == {float, complex} and node.spec.type is complex:  # by the value of the example's first turn
        node.spec = Scalar(float, None, node.spec.local)
    elif (widest_ := widest(found - {complex})) is not None and len(found - {complex}) > 1:
        node.form = tuple((PYTHON[kind], "python") for kind in PYTHON if kind in found - {complex})
        if widest_ is not node.spec.type:
            node.spec = Scalar(widest_, node.spec.hint and widest_(node.spec.hint), node.spec.local)


def kinds(value: Any) -> list[type]:
    """The types of which a number may be, by the way that the program went."""
    if not isinstance_scalar(value):
        return [type(value)]
    form = value._node.form if value._node is not None else None
    if not isinstance(form, tuple):
        return [value.spec.type]
    return [kind for kind, dtype in PYTHON.items() if dtype in dict(form)]


def types(
    tracer: Tracer, fn: Callable[..., Any], args: Sequence[Any], ways: Sequence[list[type]]
) -> set[type]:
    """The types of what a call gives, for all values that recorded numbers may have."""
    if fn in PICKING:
        return {kind for way in ways for kind in way}
    if fn in POWERS and len(args) == 2:
        return {kind for pair in product(*ways) for kind in powers(tracer, *args, *pair)}
    if all(len(way) == 1 for way in ways):
        return set()
    return {kind for given in product(*ways) for kind in told(fn, args, given)}


def told(fn: Callable[..., Any], args: Sequence[Any], given: Sequence[type]) -> Iterator[type]:
    """The type of what a call gives of numbers of these types."""
    for number in STAND_INS:
        try:
            yield type(fn(*(k(number) if isinstance_scalar(a) else a for a, k in zip(args, given))))
            return
        except (ArithmeticError, ValueError, TypeError):
            continue


def powers(tracer: Tracer, base: Any, exponent: Any, kind: type, other: type) -> set[type]:
    """The types of a power of numbers of two types: an int to a negative one is a float, and what is negative
    to a fraction is complex.
    """
    if complex in (kind, other):
        return {complex}
    if other is float:
        whole = not isinstance_scalar(exponent) and float(exponent).is_integer()
        positive = not isinstance_scalar(base) and base >= 0
        return {float} if whole or positive else {float, complex}
    if kind is float:
        return {float}
    if not isinstance_scalar(exponent):
        return {int if exponent >= 0 else float}
    value = exponent.spec.value
    if not any(number_leaves(exponent.node)) and isinstance(value, Sym) and within(value, 0, LARGEST):
        return {int}
    return {int} if tracer.certain(operator.ge, value, 0) else {int, float}


# Numbers of arrays.


def number(tracer: Tracer, array: Any, kind: type | None = None) -> Any:
    """`kind(array)`; None: `array.item()`, whose type is that of the array.

    Raises:
        TypeError, ValueError: where Python or the framework do.
    """
    known = tracer.concrete(array.node)
    if tracer.tries.open:  # a handler would have an array of other sizes, or a complex one
        if array.node.spec.shape is None:
            raise tracer.shapeless(array.node)
        pin_parts([array.node])
        tracer.rank(array.node)
        for dim in array.node.spec.shape:
            tracer.known(dim, "a number is taken out of it inside a `try`")
    if known is not None:
        return known.item() if kind is None else kind(known.item())
    array = without_axes(tracer, array, kind)
    dtype = tracer.dtype(array.node) if kind is None else array.node.spec.dtype
    if dtype is not None and dtype.kind == "complex":
        if kind in (int, float):  # some raise, some leave out what is imaginary
            raise tracer.error(f"{kind.__name__}(x) of a complex number", "say x.real")
        raise tracer.wants_number(array, "a complex number")
    made = tracer.graph.create_node("call_function", kind or item, (tracer.use(current(tracer, array)),))
    found = kind or KINDS[dtype.kind]
    value = local(tracer.names.fresh(found.__name__), None) if found is int else None
    made.spec, made.place = Scalar(found, value, local=True), here()
    made.meta |= handlers(tracer)
    return Scalar_(tracer, made.spec, node=made)


def without_axes(tracer: Tracer, array: Any, kind: type | None) -> Any:
    """An array of one element as one that has no axes."""
    shape = array.node.spec.shape
    if not shape:
        return array
    if any(hint_of(dim) not in (1, None) for dim in shape):
        raise tracer.error(
            f"one number of an array of shape ({', '.join(map(str, shape))})", "pick one, or reduce the array"
        )
    if kind not in (None, bool) and not tracer.backend.one_element:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return tracer.record("reshape", (array, ()), op="call_method")
