"""Identity: whether two values of a program are one object, `a is b`.

An array may be the very object that a call was given: `np.asarray(x)`, `x.float()`. What is sure is said.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ...backends import overloads
from ...backends.memory import CAST, FLAT, LINED, RESHAPE, gives_itself
from ...backends.reading.tape import canonical_names
from ...backends.signatures import known
from ...ir.analysis.outside import MAYBE, NEW, VIEW
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Function, Region, through
from ...ir.graphs.static import number_leaves, pin
from ...ir.meaning.operators import OPERATORS
from ...ir.values.spec import Spec
from ...ir.values.tree import children
from ...ir.worklist import Worklist
from ..memory import numpy_scalars, relations
from ..memory.keys import is_part
from ..proxy import is_array_proxy, is_proxy, isinstance_scalar
from . import predicate

if TYPE_CHECKING:
    from ..python.hooks import Tracing
    from ..tracer import Tracer

#: What copies where the elements of an array do not lie in memory as it needs them.
ORDERED = (RESHAPE, LINED, FLAT)
#: What Python computes with.
OPERATING = frozenset(each.function for each in OPERATORS)
#: What writes into its first operand, and gives it.
WRITING = frozenset({operator.setitem, through})


def is_same(hooks: Tracing, a: Any, b: Any) -> Any:
    """`a is b`: a bool, or a recorded one.

    Raises:
        UnsupportedError: where it is not certain, or depends on the call.
    """
    tracer = hooks.tracer
    a, b = predicate.answered(a), predicate.answered(b)
    for value, other in ((a, b), (b, a)):
        if other is None and is_array_proxy(value):
            decided = predicate.decided(tracer, value)
            if decided is not None:
                return decided
            if predicate.optional(value):
                return predicate.Question(tracer, value, operator.is_)
        elif other is None and isinstance_scalar(value) and predicate.optional(value):
            predicate.Question(tracer, value, operator.is_).settle()  # a number was given, and is again
        if isinstance_scalar(value) and isinstance(other, bool) and value.spec.type is bool:
            if is_given(value):
                return tracer.scalar(operator.is_, value, other)
            return value if other else tracer.scalar(operator.not_, value)
        if isinstance(other, bool) and is_array_proxy(value) and may_be_pythons(value.node):
            raise uncertain(tracer)
    if a is b:
        return True
    if any(map(tracer.structure.is_item, (a, b))) and None not in (children(a), children(b)):
        raise uncertain(tracer)  # which of the items of a list it is, only the running program knows
    loose = tracer.caches.may_be_one(a, b)
    told(tracer, a, b)
    told(tracer, b, a)
    tracer.structure.frozen.same(a, b)
    if not is_proxy(a) and not is_proxy(b) and not loose:
        return False
    answer = same_object(tracer, a, b) if not loose else None
    if answer is None:
        raise uncertain(tracer)
    return answer


def may_be_pythons(node: Node) -> bool:
    """Whether an operator made a value of what may be one of Python's numbers, by the way that the program
    goes.
    """
    if node.target not in OPERATING:
        return False
    operands = node.all_input_nodes
    handed = (n.op == "placeholder" and "path" not in n.meta or is_result(n) for n in operands)
    return any(handed) or any(map(may_be_pythons, operands))


def is_result(node: Node) -> bool:
    """Whether a region or a function gave it."""
    call = node.args[0] if is_part(node) else node
    return isinstance(call, Node) and isinstance(call.target, Region | Function)


def is_other(hooks: Tracing, a: Any, b: Any) -> Any:
    """`a is not b`, see `is_same`."""
    for value, other in ((a, b), (b, a)):
        if isinstance_scalar(value) and isinstance(other, bool) and is_given(value):
            return hooks.tracer.scalar(operator.is_not, value, other)
    return hooks.not_(is_same(hooks, a, b))


def is_given(value: Any) -> bool:
    """Whether a recorded bool is an argument: 1 may be given for it, which is not True."""
    return value.spec.type is bool and any(number_leaves(value.node))


def uncertain(tracer: Tracer) -> UnsupportedError:
    return UnsupportedError(
        "`is` between values of a trace",
        why="whether they are one object is not certain, or depends on the call",
        span=tracer.span(),
        hint="compare them by ==, or keep a flag of your own",
    )


def told(tracer: Tracer, value: Any, other: Any) -> None:
    """Python is told that a value is not `other`: it is of another kind, or a container of its own."""
    found = tracer.structure.find(value)
    if other is None:
        tracer.guard_given(value)
    elif found is not None and (another := tracer.structure.find(other)) is not None:
        apart(tracer, found, another)
    elif found is not None:
        tracer.structure.kind_itself(value)
        tracer.structure.whole(value)
    elif is_array_proxy(value) and not is_proxy(other) and not tracer.framework.is_array(other):
        tracer.guard_kind(value)


def apart(tracer: Tracer, found: Any, other: Any) -> None:
    """See to it that two containers among the arguments are two, as is checked then.

    Raises:
        UnsupportedError: where they are one in the example.
    """
    if found.graph is not other.graph or found.object == other.object:
        raise uncertain(tracer)
    found.graph.meta.setdefault("distinct", set()).add(tuple(sorted((found.path, other.path))))


def same_object(tracer: Tracer, a: Any, b: Any) -> bool | None:
    """Whether two different values are one object while the program runs; None where that is not certain."""
    if isinstance_scalar(a) or isinstance_scalar(b):
        kinds = [v.spec.type if isinstance_scalar(v) else type(v) for v in (a, b)]
        for value in filter(isinstance_scalar, (a, b)):
            tracer.guard_kind(value)
        return False if kinds[0] is not kinds[1] else None  # equal numbers may be one object
    if not (is_proxy(a) or tracer.framework.is_array(a)) or not (is_proxy(b) or tracer.framework.is_array(b)):
        return False
    one, other = (origins(tracer, v.node) if is_proxy(v) else {id(v): True} for v in (a, b))
    shared = one.keys() & other.keys()
    if shared:
        return True if len(one) == len(other) == 1 else None
    if any(is_chosen(made) and not older(made, two) for made, two in ((one, other), (other, one))):
        return None
    # Two that come from outside may be one: the same array may be given twice.
    return None if any(map(is_outside, one)) and any(map(is_outside, other)) else False


def is_chosen(origins: dict[Any, bool]) -> bool:
    """Whether a branch, a loop, or a function that may give it twice has said which object it is."""
    nodes = [origin for origin in origins if isinstance(origin, Node)]
    calls = [node.args[0] for node in nodes if is_part(node)]
    return any(isinstance(c.target, Region) or c.meta.get("aliased") for c in calls)


def older(origins: dict[Any, bool], others: dict[Any, bool]) -> bool:
    """Whether what made the others comes after all of these, in one graph, and for the first time."""
    latest = set(others)
    for node in origins:
        while latest and isinstance(node, Node) and node.next is not node and node.op != "root":
            latest.discard(node)
            node = node.next
    made = [node for node in others if isinstance(node, Node) and not is_outside(node)]
    return not latest and len(made) == len(others) and not any(node.meta.get("again") for node in made)


def collected(node: Node) -> Node | None:
    """What a loop has collected, if a node gives an element of that."""
    while node.target is operator.getitem and not is_part(node) and isinstance(node.args[0], Node):
        node = node.args[0]
        if node.meta.get("collected"):
            return node
    return None


def is_outside(origin: Any) -> bool:
    return not isinstance(origin, Node) or origin.op in ("placeholder", "get_attr") or "path" in origin.meta


def origins(tracer: Tracer, node: Node) -> dict[Any, bool]:
    """The nodes that may have made the object that a node gives: one, where it is certain."""
    found: dict[Any, bool] = {}
    ahead = Worklist([node])
    for at in ahead:
        if "outer" in at.meta:
            ahead.add([at.meta["outer"]])
            continue
        arrays = [n for n in at.all_input_nodes if isinstance(n.spec, Spec)]
        how = "made" if "path" in at.meta or not arrays else gives(tracer, at)
        if (rows := collected(at)) is not None:  # what some turn of a loop had, under any name
            found[rows] = True
        if how != "operand":
            found[at] = True
        if how != "made":
            ahead.add(arrays if how == "either" else arrays[:1])
    return found


def gives(tracer: Tracer, node: Node) -> str:
    """What the result of a call is: an object that it has "made", its first "operand" itself, or "either"."""
    name = numpy_scalars.name(node)
    if node.target in WRITING or node.meta.get("operand") == "array":
        return "operand"
    if node.op == "call_method" and name.endswith("_") and not name.endswith("__"):
        return "operand"
    if node.target is not operator.pos and getattr(node.target, "__module__", "") == "_operator":
        if node.target is not operator.getitem:
            return "made"
    if not tracer.framework.aliasing:
        return "either"
    parent = node.args[0] if node.args and isinstance(node.args[0], Node) else None
    if parent is None or not isinstance(parent.spec, Spec):
        return "either"
    names = canonical_names(node.op, node.target, node.args, tracer.backend)
    itself = gives_itself(tracer.framework.name, names)
    pin_kind(tracer, parent)
    if numpy_scalars.is_number(tracer, parent):
        return "either" if numpy_scalars.keeps(tracer, node) else "made"
    fact = relations.relation(tracer, node, SimpleNamespace(node=parent))
    said = relations.declared(tracer, node)
    if said == CAST and fact != MAYBE:
        if relations.casts(tracer, node) and not hands_on(names, node):
            pin([parent])  # of another dtype it would be the other
        return "operand" if fact == VIEW else "made"
    if fact == NEW or node.target is operator.getitem or itself is False and fact == VIEW:
        return "made"
    return "operand" if itself and fact == VIEW and said not in ORDERED else "either"


def pin_kind(tracer: Tracer, node: Node) -> None:
    """See to it that what is computed stays a number of NumPy's, or an array: what calls give hangs on it."""
    if not tracer.backend.own_numbers or tracer.is_argument(node):
        return
    if node.spec.shape == ():
        tracer.rank(node)
    else:
        numpy_scalars.pin_axes(tracer, node)


def hands_on(names: Iterable[str], node: Node) -> bool:
    """Whether a call that could be told a dtype is not: it gives the one that it is given."""
    keys = (*range(len(node.args)), *node.kwargs)
    ways = [way.parameters for name in names if known(name) for way in overloads.taking(name, keys)]
    told = ({p.name for key in keys if (p := overloads.at(way, key))} for way in ways)
    could = all("dtype" in (parameter.name for parameter in way) for way in ways)
    return bool(ways) and could and not any("dtype" in each for each in told)
