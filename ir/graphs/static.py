"""Scalar: what is known of a value that Python, not a framework, computes with: a dim, a flag, a float
parameter, a shape.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..sizes.dim import Sym, hint_of
from ..sizes.local import is_local
from ..values.spec import Spec
from ..values.tree import leaves
from ..worklist import Worklist, operands_first, reached
from .graph import Graph, Node, map_arg
from .leaves import behind, pin_arrays
from .regions import Function, Region, results
from .walk import returned


@dataclass(frozen=True, slots=True)
class Scalar:
    """`type` is the Python type; `value` an int, float, bool, str, a Sym, or a tuple of these: an expression
    with a hint.

    `value` is None where only the type is known. A `local` value depends on the way that the program went, or
    on the turn of a loop: no check at the top of the function could speak of it.
    """

    type: type
    value: Any = None
    local: bool = False

    @property
    def hint(self) -> Any:
        """The value at the example inputs, free of symbols; None where it is not known."""
        if isinstance(self.value, tuple):
            return tuple(hint_of(v) if isinstance(v, Sym) else v for v in self.value)
        return hint_of(self.value) if isinstance(self.value, Sym) else self.value

    def __str__(self) -> str:
        return self.type.__name__


def in_words(spec: Spec | Scalar) -> str:
    """What a value is, for who reads a message: as the example has it."""
    if isinstance(spec, Spec):
        dtype = "" if spec.dtype is None else f" of {spec.dtype}"
        shape = spec.hint_shape
        if shape == ():
            return f"an array{dtype} without axes"
        return f"an array{dtype}" if shape is None else f"an array{dtype} of shape {shape}"
    if spec.type is str or spec.type is type(None):
        return repr(spec.value)
    return f"{'an' if spec.type is int else 'a'} {spec.type.__name__}"


def roots(node: Node) -> list[Node]:
    """The arguments, or items of arguments, that a recorded number is computed from."""
    return [n for n in reached([node], number_inputs) if not number_inputs(n)]


def number_inputs(node: Node) -> list[Node]:
    return [n for n in node.all_input_nodes if isinstance(n.spec, Scalar) and n.spec.type is not tuple]


def is_shape(value: Any) -> bool:
    """Whether a value is a shape, or a tuple of Python's numbers like it, that the program computes."""
    return isinstance(value, Node) and isinstance(value.spec, Scalar) and value.spec.type is tuple


def item(array: Any) -> Any:
    """The number of an array of one element, of the type that the array has."""
    return array.item()


#: What makes a bool of bools, and an int of ints.
JOINING = (operator.and_, operator.or_, operator.xor)
#: What makes a float of a float and any real number.
MIXING = (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod)
#: So many steps are followed to show that a number is a float.
DEEP = 40
#: What takes the number out of an array.
TAKING = (item, int, float, bool, complex)


def number_leaves(node: Node) -> Iterator[tuple[str, Node]]:
    """The numbers among the arguments that decide the type of one, by path; and what is computed of them that
    is of one type or another by their values, by the expression for it.
    """
    ahead = Worklist([node])
    for node in ahead:
        if node.target in TAKING:
            continue
        if "outer" in node.meta:
            ahead.add([node.meta["outer"]])
        elif "number path" in node.meta:
            yield node.meta["number path"], node
        elif not is_type_fixed(node):
            if "type path" in node.meta:
                yield node.meta["type path"], node
            ahead.add(way for way in ways(node) if isinstance(way, Node))


def kinds_of(leaf: Node) -> dict[str, str]:
    """The kinds that a function checks, by path, of the function of one of `number_leaves`."""
    found: dict[str, str] = leaf.graph.meta.get("home", leaf.graph).meta.setdefault("kinds asked", {})
    return found


def note_number(node: Node, path: str) -> None:
    """`node` is a number among the arguments of its graph's function, which says `path` for it."""
    node.meta["number path"] = path
    node.graph.meta.setdefault("kinds asked", {})


def ask_type(node: Node) -> None:
    """What the function is depends on the type of a number: those behind it are checked to keep theirs."""
    for path, leaf in () if is_float(node) else number_leaves(node):
        kinds_of(leaf)[path] = leaf.spec.type.__name__


def is_asked(leaf: tuple[str, Node]) -> bool:
    """Whether it is checked of which type one of `number_leaves` is."""
    path, node = leaf
    return path in kinds_of(node)


def pin(nodes: Iterable[Node]) -> None:
    """The program depends on the dtypes of these values: those of the arrays behind them are checked, and the
    types of the numbers that have a say in them.
    """
    nodes = list(nodes)
    pin_arrays(nodes)
    for number in saying(nodes):
        ask_type(number)


def pin_rank(nodes: Iterable[Node]) -> None:
    """The program depends on the ranks of these values: those of the arrays behind them are checked, and the
    types of the numbers in keys, since `x[k]` has an axis less than x for an int, and as many for a slice.
    """
    calls: list[Node] = []
    for leaf in behind(nodes, calls):
        leaf.graph.meta["ranks"].add(leaf.meta["path"])
    for number in key_numbers(calls):
        ask_type(number)


def key_numbers(calls: Iterable[Node]) -> Iterator[Node]:
    """The numbers in keys by which these give parts of arrays."""
    for node in calls:
        if node.target is operator.getitem:
            for entry in node.args[1] if isinstance(node.args[1], tuple) else (node.args[1],):
                if isinstance(entry, Node) and isinstance(entry.spec, Scalar):
                    yield entry


def saying(nodes: Iterable[Node]) -> Iterator[Node]:
    """The numbers behind these values that have a say in their dtypes: not those beside floats, where an int
    says what a float does.
    """
    ahead = Worklist(nodes)
    for node in ahead:
        if "path" in node.meta or node.kwargs.get("dtype") is not None:
            continue  # the last are of the dtype that they say
        if isinstance(node.spec, Scalar):
            yield node
        elif "outer" in node.meta:
            ahead.add([node.meta["outer"]])
        elif "any of" in node.meta:
            ahead.add(node.meta["any of"])
        elif "row of" in node.meta:
            ahead.add([node.meta["row of"]])
        elif "within" in node.meta:
            yield from numbers(node.graph, node.meta["within"])
        elif node.op == "placeholder":
            yield from numbers(node.graph.meta.get("home", node.graph), "")
        else:
            given = [n for n in node.all_input_nodes if isinstance(n.spec, Scalar)]
            others = [n for n in node.all_input_nodes if n not in given]
            dtypes = [n.spec.dtype for n in others if isinstance(n.spec, Spec)]
            floats = any(dtype is not None and dtype.is_inexact for dtype in dtypes)
            ahead.add(others)
            if not floats and node.target is not operator.getitem:  # whose numbers are places
                yield from given


def is_float(number: Any, assumed: frozenset[Node] = frozenset(), depth: int = 0) -> bool:
    """Whether a number is a float of whatever types those are that it is computed from: one of two that are
    added is a float, or it is a quotient.

    Args:
        assumed: what a loop carries, of which that is to be shown.
    """
    if not isinstance(number, Node):
        return type(number) is float
    if number in assumed or depth > DEEP:
        return depth <= DEEP
    if not static(number) or number.spec.type is not float:
        return False
    if number.target in TAKING or number.target is operator.truediv:
        return True
    if number.target in MIXING:
        return any(is_float(each, assumed, depth + 1) for each in number.args)
    region = number.target is operator.getitem and isinstance(number.args[0].target, Region)
    if region or number.op == "placeholder" and "loop" in number.meta:
        return all(is_float(each, assumed | {number}, depth + 1) for each in ways(number))
    return False


def is_type_fixed(node: Node) -> bool:
    """Whether a number is of its type whatever others are: a test, and what a loop counts."""
    return "item" in node.meta or is_bool(node) and "type path" not in node.meta and not hands_on(node)


def is_bool(node: Node) -> bool:
    return isinstance(node.spec, Scalar) and node.spec.type is bool


def hands_on(node: Node) -> bool:
    """Whether a bool is one that was given, or is made of such, and no answer to a test."""
    return node.op == "placeholder" or node.target in (operator.getitem, *JOINING)


def ways(node: Node) -> Iterator[Any]:
    """What a number is, or is computed from, by the way that the program goes."""
    given = node.args[0] if node.target is operator.getitem else node
    if node.op == "placeholder" and "loop" in node.meta:
        yield from results(*node.meta["loop"])
    elif node.op == "placeholder" and "state" in node.meta:  # of a loop that is being recorded
        yield from numbers(node.graph.meta["home"], "")
    elif isinstance(given, Node) and isinstance(given.target, Region):
        for number in [node.args[1]] if given is not node else range(len(node.spec)):
            yield from results(given, number)
    elif isinstance(given, Node) and isinstance(given.target, Function):
        yield from handed(given)
    elif node.target is operator.getitem and isinstance(given, Node) and isinstance(given.spec, Mapping):
        yield given
    else:
        yield from (inner for inner in node.all_input_nodes if isinstance(inner.spec, Scalar))


def handed(call: Node) -> Iterator[Any]:
    """What a function of the user's is called with that may be among what it returns."""
    graph = call.target.graph
    given = dict(zip(graph.placeholders, call.args))
    found = [leaf for value in returned(graph) for leaf in leaves(value) if isinstance(leaf, Node)]
    leaf_of = {leaf for value in found for _, leaf in number_leaves(value) if "number path" in leaf.meta}
    for inner in leaf_of:
        while inner not in given and inner.graph is graph:
            inner = inner.args[0]
        for value in leaves(given.get(inner, inner)):
            while isinstance(value, Node) and "outer" in value.meta:
                value = value.meta["outer"]
            within = value.meta.get("within") if isinstance(value, Node) else None
            yield from [value] if within is None else numbers(value.graph, within)


def numbers(graph: Graph, within: str) -> Iterator[Node]:
    """The numbers among the arguments of a function, or in one of the containers there."""
    for node in graph.nodes:
        if "number path" in node.meta and node.meta["number path"].startswith(within):
            yield node


def takes(node: Node) -> bool:
    """Whether a call takes the number out of an array, which only the running program knows."""
    return node.target in TAKING and isinstance(node.args[0], Node) and isinstance(node.args[0].spec, Spec)


def taken(node: Node) -> bool:
    """Whether a number is computed from one that was taken out of an array."""

    def given(each: Node) -> list[Node]:
        return each.all_input_nodes if each.op == "call_function" and static(each) else []

    def unknown(each: Node) -> list[Node]:
        return [n for n in given(each) if "taken" not in n.meta]

    for each in operands_first([node] if "taken" not in node.meta else [], unknown):
        each.meta["taken"] = takes(each) or any(n.meta["taken"] for n in given(each))
    return bool(node.meta["taken"])


def is_size(node: Node) -> bool:
    """Whether a value is computed of sizes, and of no elements."""
    return static(node) and not hangs_on_elements(node)


def hangs_on_elements(node: Node) -> bool:
    """Whether a write into an array may change a number: one that was taken out of an array, that a function
    or region gives, which may have, or a size that elements decide.
    """
    if not static(node):
        return False
    sizes = node.spec.value if isinstance(node.spec.value, tuple) else (node.spec.value,)
    return taken(node) or node.spec.local or any(map(is_local, sizes))


def static(node: Node) -> bool:
    """Whether the node is a Python value rather than an array."""
    return isinstance(node.spec, Scalar)


def sized(node: Node) -> bool:
    """Whether a node is a number that is computed from the sizes of the arguments."""
    value = node.spec.value if isinstance(node.spec, Scalar) else None
    return isinstance(value, Sym) and not is_local(value)


def decided(predicate: Any) -> bool:
    """Whether Python knows a predicate when it calls the function."""
    return not isinstance(predicate, Node) or isinstance(predicate.spec, Scalar) and not predicate.spec.local


def values(params: Mapping[str, Any]) -> dict[str, Any]:
    """`params` with every static node replaced by its expression, so that shapes can be computed from
    them; None stands for a number that an array has. In a key, where None is a new axis, any number does.
    """

    def known(node: Node) -> Any:
        return getattr(node.spec, "value", None)

    def index(node: Node) -> Any:
        return 0 if known(node) is None else known(node)

    return {name: map_arg(value, index if name == "key" else known) for name, value in params.items()}


def given_back(call: Node) -> Any:
    """What is known of what a function of the user's gives, where numbers among several values have become
    arrays in it.
    """
    given = None if isinstance(call.spec, Scalar) else next(returned(call.target.graph), None)
    return as_given(call.spec, given)


def as_given(spec: Any, value: Any) -> Any:
    """What is known of what a function gives, once numbers in it are arrays."""
    if isinstance(spec, Scalar) and isinstance(value, Node) and isinstance(value.spec, Spec):
        return value.spec
    if isinstance(spec, (tuple, list)) and type(spec) is type(value):
        return type(spec)(map(as_given, spec, value))
    if isinstance(spec, dict) and isinstance(value, dict):
        return {key: as_given(each, value.get(key)) for key, each in spec.items()}
    return spec
