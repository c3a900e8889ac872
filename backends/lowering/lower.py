"""Spelling out: what a target cannot say is replaced by its meaning, the op's body in terms of other ops."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...ir.analysis.anew import instead
from ...ir.analysis.axes import by_axes
from ...ir.bodies.building import Unknown, inline
from ...ir.bodies.unknown import Asked
from ...ir.errors import UNFIT, UNLIKE, UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.static import is_shape, saying
from ...ir.graphs.walk import between, every_graph
from ...ir.meaning.op import REGISTER, Op
from ...ir.meaning.operands import operand_specs, scalar
from ...ir.meaning.results import over
from ...ir.noting import by_rank, note_type
from ...ir.program import Program
from ...ir.values import dtypes
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ..backend import Backend, ground
from ..phrase import Phrase, asks_rank
from ..reading.tape import written_name
from ..rows import ABSENT, STATEMENTS, written
from ..speaking import fits
from ..typing import NoTyping, Operand, traits, typing
from .halves import HALVES, holds_less, promised, widened
from .narrowing import narrow
from .scalars import as_arrays, is_plain, may_be_number, unwrapped

#: So often an op may come out of its own body, of other operands or parameters each time.
MOST = 8


def spell_out(program: Program, target: Backend, source: Backend, refusals: list[UnsupportedError]) -> None:
    """Replace, in a program and the graphs inside it, the ops that the target has no phrase for."""
    for graph in every_graph(program, inner_first=True):
        if not target.x64:
            narrow(graph, list(graph.nodes))
        current = next(iter(graph.nodes), None)
        while current is not None and current.op != "root":
            current = lowered(graph, current, target, source, refusals)
        graph.eliminate_dead_code()


def lowered(
    program: Program, node: Node, target: Backend, source: Backend, refusals: list[UnsupportedError]
) -> Node | None:
    """Replace one node if need be. Returns the node to go on with: the first of those that took its place."""
    before, following = node.prev, node.next
    op = node.target
    if not isinstance(op, Op) or op.static:
        return following
    if op.line or "line" in traits(source.name, op):
        for array in (a for a in node.args if isinstance(a, Node)):
            by_axes(array)
    if op is REGISTER["where"] and not target.bool_conditions and scalar(node.args[0]):
        chosen(program, node)
        return node
    if is_plain(node, target):
        unwrapped(program, node)
        return before.next
    if target.compiles and op is REGISTER["cast"] and may_be_number(node.args[0]):
        with program.inserting_before(node):
            made = program.call(REGISTER["array"], value=node.args[0], dtype=node.kwargs["dtype"])
        replace(program, node, made)
        return before.next
    if in_halves(node, target) or holds_less(node, source):
        replace(program, node, widened(program, node))
        return before.next
    if says(node, target):
        return following
    return spelled_out(program, node, target, source, refusals)


def spelled_out(
    program: Program, node: Node, target: Backend, source: Backend, refusals: list[UnsupportedError]
) -> Node | None:
    """Put the meaning of an op in its place. Returns the node to go on with, as `lowered` does."""
    op, before, following = node.target, node.prev, node.next
    outer, asked = node.meta.get("spelled out of", ()), question(node)
    if asked in outer:
        why = f"{op.name} is told by itself: its meaning comes back to it with the same parameters"
        refusals.append(UnsupportedError(operation(node, source), why=why, span=node.span))
        return following
    if op.body is None or sum(one.op is op for one in outer) > MOST:
        refusals.append(refusal(node, target, source))
        return following
    by_rank(*shapes(node))
    try:
        with program.inserting_before(node):
            program.origin = node.origin
            made = inline(program, op, as_arrays(program, node, source), node.kwargs)
            if not target.x64:  # before it is asked whether the dtypes are those that were read
                narrow(program, between(before, node))
            made = promised(program, node, made)
    except NotImplementedError:  # it says what the op means of some operands, not of these
        refusals.append(refusal(node, target, source))
        return following
    except Asked as error:
        name = next((name for name, value in node.kwargs.items() if value is error.node), "")
        hint = f"give it {name}= as a constant" if name else None
        refusals.append(UnsupportedError(operation(node, source), why=str(error), span=node.span, hint=hint))
        return following
    except UNFIT as error:
        given = (*node.all_input_nodes, *(node.origin.all_input_nodes if node.origin is not None else ()))
        asks = any(isinstance(v, Node) for v in node.kwargs.values())  # for a number that it cannot know
        if not asks and all(v.spec.shape is not None for v in given if isinstance(v.spec, Spec)):
            failed(node, error, source, refusals)
            return following
        unlike = UnsupportedError(operation(node, source), why=f"it {UNLIKE}", span=node.span)
        refusals.append(refusal(node, target, source) if asks else unlike)
        return following
    except Unknown as error:
        why = f"{target.name} has no word for it, and to spell it out, {error}"
        what, hint = operation(node, source), "give example arguments with args="
        refusals.append(UnsupportedError(what, backend=target.name, span=node.span, why=why, hint=hint))
        return following
    except Exception as error:
        failed(node, error, source, refusals)
        return following
    new = between(before, node)
    for inner in new:
        inner.meta["decided"] = True
        inner.meta["spelled out of"] = (*outer, asked)
    arrays = [value for value in node.args if isinstance(value, Node)]
    replace(program, node, made)
    note_unread(arrays)
    if not target.x64:
        narrow(program, new)
    return before.next


def failed(node: Node, error: Exception, source: Backend, refusals: list[UnsupportedError]) -> None:
    """The meaning of an op has raised: that is our fault where it is one of ours."""
    if node.target.is_ours:
        raise error
    why = f"its meaning raises {type(error).__name__}: {error}"
    refusals.append(UnsupportedError(operation(node, source), why=why, span=node.span))


@dataclass(frozen=True)
class Spelled:
    """An op that is spelled out, with its parameters, and what is known of its operands."""

    op: Op
    params: dict[str, Any]
    specs: list[Any]
    operands: tuple[Any, ...] = field(compare=False)


def question(node: Node) -> Spelled:
    specs = [value.spec if isinstance(value, Node) else value for value in node.args]
    return Spelled(node.target, node.kwargs, specs, node.args)


def note_unread(arrays: Sequence[Node]) -> None:
    """Of what an op was given and its meaning does not read, at most the dtype was asked: what numbers say it
    must stay of their types.
    """
    for number in saying([a.origin for a in arrays if not a.users and a.origin is not None]):
        note_type(number)


def chosen(program: Program, node: Node) -> None:
    """Let a bool of Python's that chooses be an array, which torch.where wants."""
    value = node.args[0]
    with program.inserting_before(node):
        program.origin = node.origin
        if isinstance(value, Node):
            made = program.call(REGISTER["full"], shape=(), fill_value=value, dtype=dtypes.bool_)
        else:
            made = program.call(REGISTER["array"], value=bool(value), dtype=dtypes.bool_)
    node.args = (made, *node.args[1:])


def shapes(node: Node) -> Iterator[Node]:
    """The arrays whose whole shapes are parameters of an op. To spell it out is to look at how long those
    shapes are.
    """
    for value in leaves(node.kwargs):
        if is_shape(value):
            yield from value.all_input_nodes




def in_halves(node: Node, target: Backend) -> bool:
    """Whether the target has the op, but not of these 16-bit floats; or makes float32 of what it adds up."""
    op: Op = node.target
    rule = op.rules[0]
    specs = [s for s in over(op, rule, operand_specs(op, node.args)) if s is not None]
    if rule.cls == "free" or not any(s.dtype in HALVES for s in specs) or any(map(scalar, node.args)):
        return False
    try:
        operands = [Operand(s.rank, s.dtype) for s in specs]
        found = typing(target.name, rule.cls, operands, op=op.name, x64=target.x64)
    except NoTyping:
        return says(node, target)
    return found.compute is dtypes.float32 and rule.cls == "promote" and says(node, target)


def says(node: Node, target: Backend) -> bool:
    if node.target.name in STATEMENTS:
        takes = STATEMENTS[node.target.name].get(ground(target.name))
        return takes is None or takes(node)
    return phrase_for(node, target) is not None


def phrase_for(node: Node, target: Backend) -> Phrase | None:
    """The first phrase of the target's that speaks for an op."""
    specs = dict(zip(node.target.arrays, operand_specs(node.target, node.args)))
    phrases = written(node.target, target.name)
    for phrase in phrases:
        ranked = {test.name for test in phrase.conditions if asks_rank(test)}
        by_rank(*(operand for name, operand in zip(specs, node.args) if name in ranked))
        if fits(phrase, node.kwargs, specs, node.args, target):
            return phrase
    return None


def replace(program: Program, node: Node, made: Any) -> None:
    if isinstance(made, tuple):
        for user in list(node.users):
            if user.target is operator.getitem:
                new = made[user.args[1]]
                stands_for(new, user, node)
                user.replace_all_uses_with(new)
                program.erase_node(user)
    else:
        made = instead(program, node, made) if made in node.args else made
        if made is not node and made.op == "call_function":
            if made.stands_for is None and node.stands_for is not None:
                made.stands_for = node.stands_for
                made.meta |= {"part": node.meta["part"]} if "part" in node.meta else {}
            elif made.stands_for is None and node.meta.get("step") is not None:
                made.meta["step"] = node.meta["step"]
        node.replace_all_uses_with(made)
    program.erase_node(node)


def stands_for(new: Node, item: Node, whole: Node) -> None:
    """Let what lowering made of one item of a result bear that item's name."""
    if item.stands_for is None or new.stands_for is not None:
        return
    new.stands_for = item.stands_for
    if new.target is operator.getitem and isinstance(new.args[0].spec, tuple):
        several = new.args[0]
        several.stands_for = several.stands_for or whole.stands_for
        if "fields" in whole.meta:
            several.meta.setdefault("fields", whole.meta["fields"])
    else:
        new.meta["part"] = item.args[1]


def operation(node: Node, source: Backend) -> str:
    origin = node.origin
    if origin is None:
        return str(node.target.name)
    return written_name(origin.op, origin.target, source, origin.args)


#: What to do about reductions along no axes, which torch has not.
NO_AXES = "test for that before: along no axes a sum, mean, max or min is x itself, and var and std are 0"


def refusal(node: Node, target: Backend, source: Backend) -> UnsupportedError:
    given = ", ".join(f"{k}={v!r}" for k, v in node.kwargs.items() if node.target.params.get(k) is not v)
    why = f"{target.name} has no counterpart of {node.target.name}" + (f" with {given}" if given else "")
    number = next((k for k, v in node.kwargs.items() if isinstance(v, Node)), None)
    hint = NO_AXES if node.kwargs.get("axis") == () else number and f"give it {number}= as a constant"
    if target.jits and node.target.size == "values":
        why = "the size of its result depends on the values, and what is compiled must know it before"
    said, instead = ABSENT.get((node.target.name, ground(target.name)), (None, None))
    why, hint = said or why, instead or hint
    return UnsupportedError(operation(node, source), backend=target.name, why=why, span=node.span, hint=hint)
