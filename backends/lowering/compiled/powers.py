"""Powers of Python's numbers that only a compiled program knows.

Python makes a complex number of what is negative to a fraction, and a float of an int to a negative power;
where all numbers are arrays NaN comes out, or a wrong int. Such powers are refused, unless it is known
between which ends their operands lie. What that takes of a number among the arguments is checked.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ....ir.errors import UnsupportedError
from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import UNDEFINED
from ....ir.graphs.static import TAKING, Scalar, number_leaves
from ....ir.graphs.walk import every_node
from ....ir.meaning.op import REGISTER, Op
from ....ir.meaning.operators import OPERATORS, OPS
from ....ir.noting import note_between, note_type
from ....ir.passes.fold import raw
from ....ir.sizes.dim import Sym
from ....ir.sizes.extent import extent, within
from ....ir.sizes.local import is_local
from ....ir.values.spec import Spec
from ....ir.worklist import reached
from ... import unions
from ...backend import Backend
from ...flows import Flows
from ...small_ints import value_of
from .binding_time import Binding

#: The least and the most that a number can be.
Ends = tuple[float, float]

ANY: Ends = (-math.inf, math.inf)
POSITIVE: Ends = (0.0, math.inf)
#: Ends are rounded outwards to these, so that a loop gets to an end of them.
LANDMARKS = (-math.inf, -1.0, 0.0, 1.0, math.inf)
#: What is asked of an argument, the weakest first.
ASKED = (POSITIVE, (0.0, 1.0))
LARGEST = 2**62
POWERS = (operator.pow, pow)
#: Functions of Python's, by the ops that they are on arrays.
FUNCTIONS: Mapping[str, Any] = {name: function for function, name in OPS.items()} | {
    each.op: each.function for each in OPERATORS
}


def whole(program: Graph, found: Binding, target: Backend) -> None:
    """Refuse the powers of which values decide whether they are of the type that is written for them.

    Raises:
        UnsupportedError: with the first.
    """
    powers = [n for n in every_node(program) if n.target in POWERS and n in found.arrays and n.args[2:] == ()]
    for node in unsure(program, powers):
        raise refusal(node, target)


def lost(graph: Graph, target: Backend, source: Backend) -> Iterator[UnsupportedError]:
    """Likewise of what is a number on one way and an array on another, where the text has arrays for both."""
    if target.compiles or target.name != source.name:
        powers = [*filter(of_union, every_node(graph))]
        yield from (refusal(node, target) for node in unsure(graph, powers, numbers=True))


def of_union(node: Node) -> bool:
    """Whether it is a power of nothing but numbers, on one way."""
    if node.target is not REGISTER["pow"] or node.origin is None or node.origin.target not in POWERS:
        return False
    return not any(is_array(raw(arg)) for arg in node.args) and not all(map(is_scalar, node.args))


def is_array(value: Any) -> bool:
    """Whether a value is an array on every way."""
    number = isinstance(value, Node) and (value.meta.get("unions") or unions.is_number(value))
    return isinstance(value, Node) and isinstance(value.spec, Spec) and not number


def is_scalar(value: Any) -> bool:
    value = raw(value)
    return not isinstance(value, Node) or isinstance(value.spec, Scalar)


def unsure(program: Graph, powers: Sequence[Node], *, numbers: bool = False) -> Iterator[Node]:
    """Those of some powers of which nothing known says that they are of the type that is taken. What must be
    so of an argument is noted.

    Args:
        numbers: whether it is asked of the numbers alone, and not of the arrays that they are on other ways.
    """
    for node in powers:  # what else it is given for an int may be a fraction
        exponent = raw(node.args[1])
        if isinstance(exponent, Node):
            exponent = value_of(exponent) if unions.is_number(exponent) else exponent
            note_type(getattr(exponent, "origin", None) or exponent)
    decided = [node for node in powers if decided_by_values(node)]
    reach = Reach(program, numbers) if decided else None
    for node in decided:
        assert reach is not None
        if is_fine(node, reach.ends({})):
            continue
        arguments = reach.arguments(node)
        ways = ({a: way for a in arguments if holds(a, way)} for way in ASKED)
        asked = next((way for way in ways if way and is_fine(node, reach.ends(way))), None)
        if asked is None:
            yield node
            continue
        for argument, way in asked.items():
            others = {a: w for a, w in asked.items() if a is not argument}
            if not is_fine(node, reach.ends(others)):
                note_between(argument, way)


def decided_by_values(node: Node) -> bool:
    """Whether only some values of its operands make a power of the type that is taken for it."""
    exponent, (kind, other) = raw(node.args[1]), kinds(node)
    if "complex" in (kind, other):
        return False
    if other == "float":
        return isinstance(exponent, Node) or not float(exponent).is_integer()
    return kind != "float" and (isinstance(exponent, Node) or exponent < 0)


def kinds(node: Node) -> list[str]:
    """Of which kind the operands of a power are; that of a complex number is of no account where the example
    has it for a root.
    """
    found = []
    for value in map(raw, node.args):
        if isinstance(value, Node) and isinstance(value.spec, Spec):
            found.append(value.spec.dtype.kind if value.spec.dtype is not None else "float")
        else:
            found.append((value.spec.type if isinstance(value, Node) else type(value)).__name__)
    return found


def is_fine(node: Node, ends: Callable[[Any], Ends]) -> bool:
    base, exponent = node.args
    return ends(base if kinds(node)[1] == "float" else exponent)[0] >= 0


def holds(argument: Node, way: Ends) -> bool:
    hint = argument.spec.hint
    return isinstance(hint, (int, float)) and way[0] <= hint <= way[1]


class Reach:
    """Between which numbers the values of a program lie."""

    def __init__(self, program: Graph, numbers: bool) -> None:
        self.program = program
        self.numbers = numbers
        self.nodes = [*every_node(program)]
        flows = Flows.of(program)
        #: What a value of a region or a function is, wherever it comes from.
        self.sources: dict[Node, list[Any]] = {node: [*given] for node, given in flows.begun.items()}
        for value, places in flows.onward.items():
            for place in places:
                self.sources.setdefault(place, []).append(value)

    def arguments(self, node: Node) -> list[Node]:
        """The numbers among the program's arguments that one is computed from."""

        def before(each: Node) -> Iterator[Node]:
            yield from each.all_input_nodes
            yield from (source for source in self.sources.get(each, ()) if isinstance(source, Node))

        return [each for each in reached([node], before) if is_argument(each, self.program)]

    def ends(self, given: Mapping[Node, Ends]) -> Callable[[Any], Ends]:
        """The ends of each value, with `given` those of arguments."""
        known: dict[Node, Ends] = {**given}

        def of(value: Any) -> Ends | None:
            value = raw(value)
            if isinstance(value, (bool, int, float)):
                return (value, value) if value == value else ANY
            return known.get(value) if isinstance(value, Node) else ANY

        changed = True
        while changed:
            changed = False
            for node in self.nodes:
                if node in given:
                    continue
                sources = self.sources.get(node)
                if unions.is_number(node):
                    sources = [value_of(node)]
                if sources is not None:
                    ways = [of(source) for source in sources if source is not UNDEFINED]
                    found = joined([way for way in ways if way is not None])
                elif self.numbers and is_array(node):
                    found = None
                elif self.numbers and isinstance(node.spec, Scalar) and any(map(is_array, node.args)):
                    found = ANY  # what is taken out of an array, or a size of one
                else:
                    found = computed(node, of)
                found = outwards(meet(found, own(node))) if found is not None else None
                if found is not None and found != known.get(node):
                    known[node], changed = found, True
        nothing = POSITIVE if self.numbers else ANY  # that it is a number on no way
        return lambda value: of(value) or nothing


def is_argument(node: Node, program: Graph) -> bool:
    return node.op == "placeholder" and node.graph is program and isinstance(node.spec, Scalar)


def own(node: Node) -> Ends:
    """The ends of an int by what is known of it as a size."""
    value = node.spec.value if isinstance(node.spec, Scalar) else None
    if not isinstance(value, Sym):
        return ANY
    least, most = extent(value, upper=False), extent(value, upper=True)
    size = not is_local(value) and not any(number_leaves(node.origin or node))
    if least is None and size and within(value, 0, LARGEST):
        least = 0
    return (-math.inf if least is None else least, math.inf if most is None else most)


def computed(node: Node, of: Callable[[Any], Ends | None]) -> Ends | None:
    """The ends of what a node computes; None where nothing has got to it yet."""
    if not isinstance(node.spec, Scalar) and not isinstance(node.target, Op):
        return ANY
    operands = [of(arg) for arg in node.args]
    known = [ends for ends in operands if ends is not None]
    if len(known) < len(operands):  # of max and min one of them comes out, as it is
        return joined(known) if node.origin is not None and node.origin.target in (max, min) else None
    function = FUNCTIONS.get(node.target.name) if isinstance(node.target, Op) else node.target
    if not known:
        return ANY
    if is_square(node, function):
        return POSITIVE
    if isinstance(node.target, Op) and function is None:
        kept = node.target.neutral or node.target is REGISTER["mean"] or node.target is REGISTER["cast"]
        return POSITIVE if kept and known[0][0] >= 0 else ANY
    if function in (max, min):
        return functools.reduce(functools.partial(of_function, function), known)
    return of_function(function, *known) if len(known) <= 2 else ANY


def is_square(node: Node, function: Any) -> bool:
    if function in POWERS:
        exponent = raw(node.args[1]) if len(node.args) == 2 else None
        return isinstance(exponent, (int, float)) and exponent % 2 == 0
    twice = len(node.args) == 2 and node.args[0] is node.args[1] and isinstance(node.args[0], Node)
    vectors = node.target in (REGISTER["matmul"], REGISTER["dot"]) and node.spec.shape == ()
    return twice and (function is operator.mul or vectors)


def of_function(function: Any, first: Ends, second: Ends = ANY) -> Ends:
    """The ends of what a function of Python's gives of numbers with such."""
    if function is operator.add:
        return first[0] + second[0], first[1] + second[1]
    if function is operator.sub:
        return first[0] - second[1], first[1] - second[0]
    if function is operator.neg:
        return -first[1], -first[0]
    if function is operator.mul:
        products = [0.0 if 0 in (a, b) else a * b for a in first for b in second]
        return min(products), max(products)
    if function in (operator.truediv, operator.floordiv):
        positive = first[0] >= 0 and second[0] >= 0
        return (0.0, first[1] if second[0] >= 1 else math.inf) if positive else ANY
    if function is operator.mod:
        return (0.0, second[1]) if second[0] >= 0 else ANY
    if function in POWERS:
        small = first[1] <= 1 and second[0] >= 0
        return (0.0, 1.0 if small else math.inf) if first[0] >= 0 else ANY
    if function is max:
        return max(first[0], second[0]), max(first[1], second[1])
    if function is min:
        return min(first[0], second[0]), min(first[1], second[1])
    if function in (abs, operator.abs, math.fabs, math.exp, math.sqrt):
        return POSITIVE
    if function in (*TAKING, operator.pos, float, round, math.floor, math.ceil):
        return math.floor(first[0]) if first[0] > -math.inf else -math.inf, math.inf
    return (0.0, 1.0) if function in COMPARED else ANY


COMPARED = {each.function for each in OPERATORS if each.name in ("lt", "le", "gt", "ge", "eq", "ne")}


def joined(ways: list[Ends]) -> Ends | None:
    return (min(low for low, _ in ways), max(high for _, high in ways)) if ways else None


def meet(one: Ends, other: Ends) -> Ends:
    return max(one[0], other[0]), min(one[1], other[1])


def outwards(ends: Ends) -> Ends:
    low, high = ends
    if math.isnan(low) or math.isnan(high):
        return ANY
    return max(m for m in LANDMARKS if m <= low), min(m for m in LANDMARKS if m >= high)


def refusal(node: Node, target: Backend) -> UnsupportedError:
    float_ = kinds(node)[1] == "float"
    comes = "a complex number of a negative one" if float_ else "a float where the exponent is negative"
    return UnsupportedError(
        "a power of numbers that are computed",
        backend=target.name,
        span=node.span,
        why=f"Python makes {comes}, and an array has one dtype for all values",
        hint="take a root with np.sqrt" if float_ else "make a float of the base",
    )
