"""Patterns: a rule is a pair (what to look for, what it becomes), both written by calling ops.

    X, Y = Variable("x"), Variable("y")
    rules = Rules(
        (negative(negative(X)), X),
        (cast(X, dtype=Any("d")), lambda x, d: x if x.dtype == d else None),     # None: the rule does not
        apply
    )

A Variable matches any value, the same one each time; `Any` matches any parameter. A Python number matches
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any as Anything

from ..analysis.anew import copies_number, instead
from ..bodies.building import Value, building
from ..graphs.graph import Node
from ..graphs.regions import store
from ..graphs.static import Scalar, is_asked, number_leaves
from ..meaning.op import CALLED, Op
from ..program import Program
from ..values.spec import Spec
from ..worklist import reached


@dataclass(frozen=True, slots=True)
class Variable:
    """Matches any operand."""

    name: str


@dataclass(frozen=True, slots=True)
class Any:
    """Matches any parameter."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """An op applied to patterns."""

    op: Op
    operands: tuple[Anything, ...]
    params: Mapping[str, Anything]


def pattern(op: Op, *operands: Anything, **params: Anything) -> Pattern:
    """The pattern of an op. Its parameters that are not given must have their defaults."""
    return Pattern(op, operands, {**{k: v for k, v in op.params.items() if v is not ...}, **params})


Rule = tuple[Pattern, "Variable | Callable[..., Anything]"]


class Rules:
    """A pass made of rules, tried in order at every node until none applies."""

    def __init__(self, *rules: Rule) -> None:
        self.by_op: dict[Op, list[Rule]] = {}
        for rule in rules:
            self.by_op.setdefault(rule[0].op, []).append(rule)

    def __call__(self, program: Program) -> None:
        for node in program.nodes:
            for left, right in self.by_op.get(node.target, ()) if isinstance(node.target, Op) else ():
                found: dict[str, Anything] = {}
                if (
                    node.graph is program
                    and match(left, node, found)
                    and replace(program, node, right, found)
                ):
                    break

    def left(self, node: Node) -> Anything:
        """What a rule has in place of a node that is there already; None where none has such."""
        for left, right in self.by_op.get(node.target, ()) if isinstance(node.target, Op) else ():
            found: dict[str, Anything] = {}
            if isinstance(right, Variable) and match(left, node, found):
                return found[right.name]
        return None


def match(left: Anything, value: Anything, found: dict[str, Anything]) -> bool:
    """Whether a value is of this form; what the variables stand for is put into `found`."""
    if isinstance(left, Variable):
        return found.setdefault(left.name, value) is value
    if not isinstance(left, Pattern):
        return type(left) is type(value) and bool(left == value)
    if not isinstance(value, Node) or value.target is not left.op or len(value.args) != len(left.operands):
        return False
    if not all(match(inner, operand, found) for inner, operand in zip(left.operands, value.args)):
        return False
    for name, wanted in left.params.items():
        given = value.kwargs[name]
        if isinstance(wanted, Any):
            if wanted.name in found and found[wanted.name] != given:
                return False
            found[wanted.name] = given
        elif type(wanted) is not type(given) or wanted != given:
            return False
    return True


def replace(
    program: Program, node: Node, right: Variable | Callable[..., Anything], found: Mapping[str, Anything]
) -> bool:
    """Put what the rule says in place of the node, if it applies and keeps shape and dtype."""
    if isinstance(right, Variable):
        new = found[right.name]
        if counts(node, new):
            return False
        if isinstance(new, Node) and any(user.target is store and user.args[1] is new for user in new.users):
            return False  # what an argument holds in the end is not what was made of it
    else:
        wrapped = {
            k: Value(program, v) if isinstance(v, Node) and isinstance(v.spec, Spec) else v
            for k, v in found.items()
        }
        with program.inserting_before(node), building(program):
            program.origin = node.origin
            made = right(**wrapped)
        new = made.node if isinstance(made, Value) else made
    if not isinstance(new, Node) or not same(new.spec, node.spec):
        return False
    if copies_number(node, new):
        return False
    new = instead(program, node, new)
    if node.stands_for is not None and new.op == "call_function":
        new.stands_for = new.stands_for or node.stands_for
    node.replace_all_uses_with(new)
    program.erase_node(node)
    return True


def counts(node: Node, operand: Anything) -> bool:
    """Whether a node has a say in the dtype of what it gives, which has the numbers of an operand: this is
    cast for it, and no one else would ask for that cast; the node's number is an array in the source; or the
    operand may be of another kind for a number of another type, of which nobody asks.
    """
    if not isinstance(operand, Node):
        return False
    return operand.implicit or bool(node.meta.get("bare")) or has_free_numbers(operand)


def has_free_numbers(value: Node) -> bool:
    """Whether a value is computed of numbers among the arguments whose types are not checked."""
    behind = reached([value], lambda node: node.all_input_nodes)
    numbers = (node.origin or node for node in behind if isinstance(node.spec, Scalar))
    return any(not is_asked(leaf) for number in numbers for leaf in number_leaves(number))


def same(a: Anything, b: Anything) -> bool:
    return isinstance(a, Spec) and isinstance(b, Spec) and a.dtype == b.dtype and a.shape == b.shape


__all__ = ["CALLED", "Any", "Pattern", "Rules", "Sequence", "Variable", "pattern"]
