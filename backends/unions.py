"""Unions: values that are a number on one way and an array on another.

In the framework that the user wrote for, the number is written as a number. In another it is an array, lest
what is computed of it be of another dtype. But a number beside an array is of the array's dtype in all of
them, if it is of no higher kind: where a union is only compared with such arrays, computed with them, and
returned, the number stays one as well; generality/ops.py sees to it that the arrays are of no other kind.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from ..ir.errors import UnsupportedError
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.regions import Function, Region, cond, graphs, is_loop, loop, put
from ..ir.graphs.static import Scalar
from ..ir.graphs.walk import every_node
from ..ir.meaning import operators
from ..ir.meaning.op import REGISTER, Op
from ..ir.meaning.operands import numbers_held, of_numbers
from ..ir.meaning.operators import OPS
from ..ir.passes.fold import raw
from ..ir.values import dtypes
from ..ir.values.dtypes import PYTHON, DType
from ..ir.values.spec import Spec
from ..ir.values.tree import leaves
from ..ir.worklist import reached
from .backend import Backend
from .begun import Begun, carried
from .flows import Flows
from .small_ints import is_held, value_of
from .typing import Operand, Typing
from .typing.row import fits

#: The ops that Python's own operators are on arrays, `abs` and `not` among them.
OPERATORS = frozenset(each.op for each in operators.OPERATORS) | {OPS[operator.abs], OPS[operator.not_]}
#: The classes of those of which arrays give bools, and of those of which they give their own dtype.
TESTING, COMPUTING = frozenset({"compare", "bool"}), frozenset({"promote", "real"})
PICKING = frozenset({max, min})
BOTH_ARRAYS = "the text would have an array on both"
#: What gives a number of the type of its operands.
OF_ITS_OPERANDS = frozenset({
    operator.add, operator.sub, operator.mul, operator.mod, operator.floordiv, operator.neg, operator.pos,
    operator.abs, abs, max, min,
})  # fmt: skip


def mark(graph: Graph) -> None:
    """Note of the numbers among the unions of a function which stay numbers in any framework."""
    flows = Flows.of(graph)
    numbers = [node for node in every_node(graph) if is_number(node)]
    unions = reach(numbers, flows.onward)
    for number in numbers:
        found = reach([number], flows.onward, unions)
        number.meta["returned"] = bool(found & flows.returned)
        uses = [(value, user) for value in found for user in value.users]
        kept = all(leaves_it(value, user, unions) for value, user in uses)
        number.meta["kept"] = kept and not found & flows.collected and is_held(number)
        number.meta["computed"] = [v for v in found if v.meta.get("apart")]
        number.meta["risked"] = [user for _, user in uses if is_risked(user, unions)]
        for value in found:
            value.meta.setdefault("unions", []).append(number)


def mark_again(graph: Graph) -> None:
    """The same where more is known of loops."""
    for node in every_node(graph):
        node.meta.pop("unions", None)
    mark(graph)


def is_lost(number: Node, target: Backend, source: Backend) -> bool:
    """Whether it would be seen that the text has an array for a number, or has no `try` around it."""
    risked = number.meta.get("risked", ())
    if not all("tried" in each.meta for each in risked):
        return True
    if not is_number(number) or keeps(number, target, source):
        return False
    computed = number.meta.get("computed", ())
    if target.compiles:  # of bools that are added another number comes out, and not only another dtype
        return any(value.spec.dtype.kind == "bool" for value in computed)
    return bool(risked or computed or number.meta.get("returned"))


def is_risked(user: Node, unions: Set[Node]) -> bool:
    """Whether Python may raise where it computes this of nothing but numbers and unions, as frameworks do not
    of arrays, and a `try` goes on behind that.
    """
    call = user.origin
    if call is None or not (call.meta.get("tried") or call.meta.get("attempted")):
        return False
    if call.target not in operators.PARTIAL or any(is_array(arg) and arg not in unions for arg in user.args):
        return False
    match raw(user.args[1]):
        case int() | float() as last:
            return last == 0 if call.target in (*operators.DIVIDING, divmod) else not last >= 0
    return True


def lost(graph: Graph, target: Backend, source: Backend) -> Iterator[UnsupportedError]:
    """The numbers of which the text would have arrays, where that would be seen: what Python computes of them
    is of another dtype, or the caller is given them.
    """
    for number in every_node(graph):
        if is_lost(number, target, source):
            risked = number.meta.get("risked")
            computed = risked or number.meta.get("computed")
            said = f"the number {number.meta.get('said', '')}".rstrip()
            why = "of the one Python may raise what is caught here" if risked else BOTH_ARRAYS
            yield UnsupportedError(
                f"computing with {said}" if computed else f"returning {said}",
                backend=target.name,
                why=f"it is one on one way, and an array on another, and {why}",
                span=computed[0].span if computed else number.span,
                hint="make it an array of one dtype on every way",
            )


def overflowing(graph: Graph, target: Backend, source: Backend) -> Iterator[UnsupportedError]:
    """The numbers that small ints with which they are computed do not hold."""
    for number in every_node(graph) if target.name != source.name else ():
        if not is_number(number) or is_held(number):
            continue
        value = value_of(number)
        value = value.spec.hint if isinstance(value, Node) and isinstance(value.spec, Scalar) else value
        if isinstance(value, int) and not fits(value, number.spec.dtype):
            yield UnsupportedError(
                f"the number {value} beside arrays of {number.spec.dtype}",
                backend=target.name,
                why=f"{number.spec.dtype} does not hold it, of which {source.name} makes another number",
                span=number.span,
                hint="begin with a number that it holds, or with what comes first",
            )


def mixed(graph: Graph, target: Backend, source: Backend) -> Iterator[UnsupportedError]:
    """The arrays that are made of a number which is an int on one way and a float on another, and have its
    dtype: other frameworks make arrays of other dtypes of these, and what compiles has a float on all ways.
    """
    if target.name == source.name and not target.compiles:  # said alike
        return
    for node in every_node(graph):
        if not of_numbers(node.target) or node.meta.get("dtype said"):
            continue
        if any(map(is_mixed, numbers_held(node))):
            yield UnsupportedError(
                "an array of a number that is an int on one way and a float on another",
                backend=target.name,
                why="it has a dtype of its own on each",
                span=node.span,
                hint="make it a float on all ways, 0.0 for 0, or say the dtype",
            )


def say_dtypes(graph: Graph, target: Backend, source: Backend) -> None:
    """Note the numbers of which the text has to make arrays, since a `cond` gives one or the other, or a loop
    begins with them and goes on with arrays: both must be of one dtype, and that of a number in JAX is
    another by itself. (Where it is weak, a loop takes that of what a turn makes of it, but not of what two
    turns make; and of ints and a float it makes its own.) That it is weak while a turn is traced counts too.
    """
    found = Begun(graph, is_number, target) if not source.weak else None
    usual = {target.default_float, target.default_int, dtypes.bool_}
    for node in every_node(graph):
        if is_loop(node):
            values = list(zip(loop(node).state, zip(*carried(node))))
        else:
            sides = graphs(node) if node.target is cond else ()
            values = [(v, ()) for side in sides for v in leaves(side.output_node.args[0])]
        for value, inner in values:
            if isinstance(value, Node) and is_number(value):
                settled = found is None or all(map(found.settles, inner))
                value.meta["typed"] = target.narrowed(value.spec.dtype) not in usual or not settled


def say_arrays(graph: Graph) -> None:
    """Note the numbers of which the text has to make arrays, since a function that is compiled takes or gives
    them: what is an array on another way is one in there, and asked for what no number has.
    """
    regions = [node for node in every_node(graph) if node.meta.get("compiled")]
    takers = {*regions, *(inner.output_node for node in regions for inner in graphs(node))}
    onward = Flows.of(graph).onward if takers else {}
    for number in filter(is_number, every_node(graph) if takers else ()):
        if any(user in takers for value in reach([number], onward) for user in value.users):
            number.meta["typed"] = True


def is_mixed(number: Any, known: dict[Node, bool] | None = None) -> bool:
    """Whether a number of Python's is an int on one way and a float on another, or computed of such a one.
    `known`: of which that has been found out.
    """
    if not isinstance(number, Node) or not isinstance(number.spec, Scalar):
        return False
    known = {} if known is None else known
    if number not in known:
        known[number] = isinstance(number.form, tuple) or computes_mixed(number, known)
    return known[number]


def computes_mixed(number: Node, known: dict[Node, bool]) -> bool:
    if number.target not in OF_ITS_OPERANDS:
        return False
    operands = [*leaves(number.args)]
    mixed = [is_mixed(operand, known) for operand in operands]
    sure = (operand for operand, is_one in zip(operands, mixed) if not is_one)
    types = {operand.spec.type if isinstance(operand, Node) else type(operand) for operand in sure}
    if number.target in PICKING:  # one of them, as it is
        checked = "type path" in (number.origin or number).meta  # as an expression of the arguments
        return any(mixed) or {int, float} <= types and not checked
    return float not in types and any(mixed)


def keeps(number: Node, target: Backend, source: Backend) -> bool:
    """Whether the text has a number for a number that is an array on another way."""
    return not target.compiles and (target.name == source.name or bool(number.meta.get("kept")))


def is_kept(value: Any, target: Backend, source: Backend) -> bool:
    """Whether what the text has for a value may be a number of Python's."""
    numbers = value.meta.get("unions", ()) if isinstance(value, Node) else ()
    return any(keeps(number, target, source) for number in numbers)


def note(graph: Graph, target: Backend, source: Backend) -> None:
    """Note what the text may have numbers for, see `is_kept`."""
    for node in every_node(graph):
        if is_kept(node, target, source):
            node.meta["union"] = True


def by_operator(callee: str, op: Op) -> bool:
    """Whether a call is an operator that Python itself can compute, of numbers of its own."""
    return callee.startswith("operator.") and is_operator(op)


def is_operator(op: Op) -> bool:
    """Whether an op is an operator that gives of Python's numbers what it does of arrays: it raises for none,
    but for powers, which see, and is of no bits.
    """
    cls = op.rules[0].cls
    own = cls in TESTING or cls in COMPUTING and not op.raises or cls in ("divide", "power")
    return op.name in OPERATORS and own and bool(op.elementwise)


def computed(callee: str, op: Op, forms: Sequence[Sequence[Operand]]) -> DType | None:
    """The stand-in of the number that Python makes where all operands are numbers, else None."""
    kinds = [{o.dtype for o in several if o.form == "python"} for several in forms]
    cls = op.rules[0].cls
    if not by_operator(callee, op) or not all(kinds):
        return None
    if cls in TESTING:  # of which Python computes with ints
        return PYTHON[bool]
    # Values say whether a power is an int, a float or a complex number, unless the exponent is known.
    if cls == "power" and not all(type(o.value) is int and o.value >= 0 for o in forms[1]):
        return None
    order = [PYTHON[kind] for kind in (bool, int, float, complex)]
    widest = max((dtype for several in kinds for dtype in several if dtype in order), key=order.index)
    if cls == "real" and widest == PYTHON[complex]:
        return PYTHON[float]
    least = PYTHON[float if cls == "divide" else int]
    return max(widest, least, key=order.index)


def either(operands: Sequence[Sequence[Operand]], found: Sequence[Typing]) -> tuple[str, str]:
    """What is said of an op on operands of which one is one thing or another, and what to do about it.

    Args:
        found: how the op is typed for each, not alike.
    """
    what, hint = several([forms for forms in operands if len(forms) > 1])
    results = dict.fromkeys(str(typed.result) for typed in found)
    computed = dict.fromkeys(str(typed.compute) for typed in found if typed.compute is not None)
    if len(results) > 1:
        return f"an operand is {what}, and so the result would be {' or '.join(results)}", hint
    return f"an operand is {what}, and so it would be computed in {' or '.join(computed)}", hint


def several(operands: Sequence[Sequence[Operand]]) -> tuple[str, str]:
    for forms in operands:
        if all(form.form == "python" for form in forms):
            kinds = [kind.__name__ for form in forms for kind in PYTHON if PYTHON[kind] == form.dtype]
            words = " or ".join(f"an {kind}" if kind == "int" else f"a {kind}" for kind in kinds)
            return f"{words}, as values say", "say which: float(...) makes a float of it, int(...) an int"
    number = any(form.form == "python" for forms in operands for form in forms)
    what = "a number" if number else "of one dtype"
    return f"{what} on one way and {'an array' if number else 'of another'} on another", (
        "make it an array of one dtype on every way"
    )


def is_number(node: Node) -> bool:
    """Whether a node is a number of the user's that is an array only because it is one on another way."""
    return bool(node.meta.get("number")) and "wrote" in node.meta


def reach(
    numbers: Iterable[Node], onward: Mapping[Node, list[Node]], unions: Set[Node] | None = None
) -> set[Node]:
    """The values that may be one of these numbers, or be Python's own of one; among `unions`, if given."""
    found: set[Node] = set()

    def leads_to(node: Node) -> Iterator[Node]:
        found.add(node)
        yield from onward.get(node, ())
        among = found if unions is None else unions
        yield from (user for user in node.users if user.implicit or operates(user, among))

    return set(reached(numbers, leads_to))


def operates(user: Node, unions: Set[Node]) -> bool:
    """Whether this is an operator of Python's, or a `round`, on nothing but numbers and unions."""
    if not isinstance(user.target, Op) or user.target.name not in OPERATORS and not rounds(user):
        return False
    return all(arg in unions for arg in user.args if is_array(arg))


def rounds(node: Node) -> bool:
    """Whether it is `round(x, digits)`, which of arrays is a method."""
    call = node.origin
    return call is not None and call.op == "call_method" and call.target == "round"


def leaves_it(value: Node, user: Node, unions: set[Node]) -> bool:
    """Whether a use does not depend on whether a value is a number or an array."""
    if user.op == "output":
        return bool(user.target != "raise")
    if isinstance(user.target, Function) or user.target is put:
        return True
    if isinstance(user.target, Region):
        return all(value is not leaf for leaf in leaves(loop(user).sources)) if is_loop(user) else True
    if not isinstance(user.target, Op):
        return False
    cls, dtype = user.target.rules[0].cls, value.spec.dtype
    if user.target is REGISTER["getitem"]:  # a position
        return value is not user.args[0] and dtype.is_integer and user.spec.shape == ()
    others = [raw(arg) for arg in user.args if arg is not value]
    if any(is_array(arg) and arg not in unions and arg.spec.dtype != dtype for arg in others):
        return False
    if not is_operator(user.target) or cls in TESTING:
        return is_operator(user.target)
    if any(is_flag(arg) for arg in others):  # of which some frameworks want an array
        return False
    return user.spec.dtype == dtype and (cls in COMPUTING or cls == "divide" and dtype.is_inexact)


def is_flag(value: Any) -> bool:
    """Whether a value is one of Python's bools."""
    kind = value.spec.type if isinstance(value, Node) and isinstance(value.spec, Scalar) else type(value)
    return kind is bool


def is_array(value: Any) -> bool:
    return isinstance(value, Node) and isinstance(value.spec, Spec) and not is_number(value)
