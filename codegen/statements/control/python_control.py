"""Control flow in the target's own Python: `if`, `while` and `for`, with what leaves them.

The results of a region are the names that its graphs assign; nothing is carried by hand.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from ....backends.failing import caught
from ....backends.writing.filling import operand_of
from ....ir.graphs.attempts import Fails, is_attempt
from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import UNDEFINED, cond, loop, placed, while_loop
from ....ir.graphs.static import Scalar
from ....ir.values.tree import children, leaves
from ...plan.called import given_names, result_names
from ...plan.scaffold import Scaffold
from ...text.walking import walked
from ..written.remarks import key_of
from . import loop_lists
from .appending import appended, appends, before_leaving, into_branches, leaves_behind
from .comprehensions import comprehended
from .loop_items import Items, Whole, iterated, target_of
from .rebuilt import gone_through
from .row_loops import go_through_rows
from .strong import handed

if TYPE_CHECKING:
    from ..emitter import Emitter


def region(emitter: Emitter, node: Node, number: float, made: Scaffold) -> list[ast.stmt]:
    """The statements of a region; the emitter knows the names of its results afterwards."""
    if node.target is cond:
        return branches(emitter, node, number, made)
    return turns(emitter, node, number, made)


def inner(
    emitter: Emitter, planned: Scaffold, given: Sequence[tuple[Node, Any]], leaving: Sequence[str] | None
) -> Any:
    """An emitter for a graph inside, which knows what its placeholders are. `leaving`: the names of the
    state of its loop.
    """
    made = emitter.inside(planned.graph)
    made.made = planned
    made.loop = emitter.loop if leaving is None else leaving
    made.appending = emitter.appending if leaving is None else ()
    for placeholder, outer in given:
        made.known[placeholder] = written(emitter, placeholder, outer)
    return made


def written(emitter: Emitter, placeholder: Node, outer: Any) -> Any:
    """What a graph inside has for a placeholder: a value of the graph around, what is written already, or a
    number.
    """
    if isinstance(outer, Node):
        return emitter.value(outer)
    if isinstance(outer, tuple) and outer and isinstance(outer[0], ast.AST):
        return outer
    return emitter.tree(outer), operand_of(placeholder)


# if.


def branches(emitter: Emitter, node: Node, number: float, made: Scaffold) -> list[ast.stmt]:
    """An `if`: each side assigns the names that are read afterwards."""
    predicate, then, orelse, operands = node.args
    sides = []
    for planned in made.inner[node]:
        side = inner(emitter, planned, list(zip(planned.graph.placeholders, operands)), None)
        # Of a `try` the handler reads what was there before the body.
        free = nullcontext() if is_attempt(node) else free_in(emitter, planned, operands, number)
        with free:
            sides.append((side, side.statements(planned)))
    names = result_bindings(emitter, node, number, made)
    emitter.parts[node] = names
    bodies = [
        body
        if side.graph.output_node.target != "yield"
        else side.yields(body, side.graph.output_node.args[0], names)
        for side, body in sides
    ]
    if is_attempt(node):
        return [attempt(emitter, predicate.target, *bodies)] if bodies[1] else []
    test = truth_of(emitter.tree(predicate))
    if not any(bodies):
        return []
    chosen_ = ast.If(test, *bodies) if bodies[0] else ast.If(negated(test), bodies[1], [])
    chosen_.turned = not bodies[0]  # type: ignore[attr-defined]
    chosen_.leaves_behind = leaves_behind(node)  # type: ignore[attr-defined]
    return [chosen_]


def attempt(emitter: Emitter, fails: Fails, handler: list[ast.stmt], body: list[ast.stmt]) -> ast.stmt:
    """A `try` with its one handler."""
    types = [emitter.writer.name(name) for name in caught(fails.types, emitter.module.target)]
    named = types[0] if len(types) == 1 else ast.Tuple(types, ast.Load())
    return ast.Try(body, [ast.ExceptHandler(named, None, handler or [ast.Pass()])], [], [])


@contextmanager
def free_in(emitter: Emitter, planned: Scaffold, operands: Sequence[Any], number: float) -> Iterator[None]:
    """In one side of an `if` that ends at `number`, names that nobody reads after it are free once that side
    has read them, whatever the other does; and all others where it leaves the function.
    """
    until = emitter.names.until
    leaves = planned.graph.output_node.target == "return"  # what is raised may be caught
    reads: dict[str, float] = {}
    for placeholder, operand in zip(planned.graph.placeholders, operands):
        for part in walked(emitter.value(operand)[0]) if isinstance(operand, Node) else ():
            if isinstance(part, ast.Name) and part.id in until and (leaves or until[part.id] <= number):
                reads[part.id] = max(reads.get(part.id, -1.0), planned.until.get(placeholder, -1.0))
    others = [name for name, last in until.items() if leaves and last < math.inf and name not in reads]
    before = {name: until[name] for name in (*reads, *others)}
    until.update(dict.fromkeys(others, -1.0) | reads)
    yield
    until.update(before)


def result_bindings(emitter: Emitter, node: Node, number: float, made: Scaffold) -> list[str]:
    """The names of the results. One that bears the name already, and goes through unchanged, keeps it."""
    _, then, orelse, operands = node.args
    names = []
    for i, (wanted, until) in enumerate(zip(result_names(node), made.ends(node, number))):
        carried = [handed_through(emitter, g, operands, i) for g in (then, orelse)]
        if wanted in carried and emitter.names.until.get(wanted, 0) <= number:
            names.append(emitter.names.reserve(wanted, node, until))
        else:
            names.append(emitter.names.give(wanted, node, number, until))
    return names


def handed_through(emitter: Emitter, graph: Graph, operands: Sequence[Any], index: int) -> str | None:
    """The outer name of the value that a branch hands through unchanged."""
    if graph.output_node.target != "yield":
        return None
    value = graph.output_node.args[0][index]
    if isinstance(value, Node) and value.op == "placeholder":
        expr = emitter.value(operands[graph.placeholders.index(value)])[0]
        return expr.id if isinstance(expr, ast.Name) else None
    return None


def chosen(emitter: Emitter, node: Node, made: Scaffold) -> ast.expr:
    """A cond as an expression."""
    predicate, _, _, operands = node.args
    sides = []
    for planned in made.inner[node]:
        side = inner(emitter, planned, list(zip(planned.graph.placeholders, operands)), None)
        sides.append(side.bare(planned.graph.output_node.args[0][0]))
    test = emitter.tree(predicate)
    match node.meta.get("kind"):
        case "and":
            decided = is_flag(predicate) and is_constant(sides[0], True)  # a flag that is checked
            return test if decided else ast.BoolOp(ast.And(), joined(ast.And, test, sides[0]))
        case "or":
            decided = is_flag(predicate) and is_constant(sides[1], False)
            return test if decided else ast.BoolOp(ast.Or(), joined(ast.Or, test, sides[1]))
    return ast.IfExp(truth_of(test), sides[0], sides[1])


def truth_of(test: ast.expr) -> ast.expr:
    """A test of which only the truth is asked, without what was known: `decay and True` is `decay`."""
    if not isinstance(test, ast.BoolOp):
        return test
    open_ = [value for value in test.values if not is_constant(value, isinstance(test.op, ast.And))]
    return test if not open_ else open_[0] if len(open_) == 1 else ast.BoolOp(test.op, open_)


def is_flag(value: Any) -> bool:
    """Whether a test is one of Python's, which gives True or False."""
    return isinstance(value, Node) and isinstance(value.spec, Scalar) and value.spec.type is bool


def is_constant(expr: ast.expr, value: bool) -> bool:
    return isinstance(expr, ast.Constant) and expr.value is value


def joined(kind: type[ast.boolop], left: ast.expr, right: ast.expr) -> list[ast.expr]:
    """`a and (b and c)` is `a and b and c`."""
    if isinstance(right, ast.BoolOp) and isinstance(right.op, kind):
        return [left, *right.values]
    return [left, right]


#: What says the opposite; of equality where strings are compared, whose answer is a bool.
NEGATED = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
NEGATED_WORDS = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}


def denied(test: ast.expr) -> ast.expr:
    """`not test`, which is a bool where the test is none: what asks for the truth itself asks it of all."""
    match test:
        case ast.Call(ast.Name("bool"), [asked], []):
            test = asked
    return negated(test) if isinstance(test, ast.Compare) else ast.UnaryOp(ast.Not(), test)


def negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        sides = (test.left, *test.comparators)
        words = any(isinstance(side, ast.Constant) and type(side.value) is str for side in sides)
        if (swapped := (NEGATED | NEGATED_WORDS if words else NEGATED).get(type(test.ops[0]))) is not None:
            return ast.Compare(test.left, [swapped()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


# Loops.


def turns(emitter: Emitter, node: Node, number: float, made: Scaffold) -> list[ast.stmt]:
    """A `while` or `for`: the names of the state are assigned before it and at the end of every turn."""
    parts = loop(node)
    start = made.starts[node]
    ends, wanted = made.ends(node, number), result_names(node)
    wanted = (*wanted[: len(parts.state)], *given_names(node)[len(parts.state) :])
    until = max([number, *ends])
    names: list[str] = []
    before: list[tuple[str, ast.expr]] = []
    freed = [*loop_lists.read_last(emitter, node)]
    emitter.names.until |= dict.fromkeys(freed, start)
    for name, value, end in zip(wanted, parts.state, ends):
        expr = None if value is UNDEFINED else emitter.bare(value)
        same = isinstance(expr, ast.Name) and expr.id == name and emitter.names.until.get(name, 0) <= start
        if same and isinstance(expr, ast.Name):
            names.append(emitter.names.reserve(expr.id, node, end))
        else:
            names.append(emitter.names.give(name, node, start, end))
            if expr is not None and not (isinstance(expr, ast.Name) and expr.id == names[-1]):
                before.append((names[-1], expr))
    head, lists = list[ast.stmt](), []
    head += () if freed else assignments(before)
    for form in appended(node):
        index = min(leaves(form))
        name = emitter.names.give(wanted[index], node, start, until)
        before_it = [handed(emitter, item) for item in loop_lists.held(node, index)]
        head.append(assign(name, ast.List(before_it, ast.Load())))
        lists.append((name, form))
    head += assignments(before) if freed else ()
    planned = made.inner[node][-1]
    reads_of = {name: planned.until.get(p, -1.0) for name, p in zip(names, parts.carried)}
    items = Items(emitter, node, names, planned)
    body = turn(emitter, node, planned, names, lists, items.known, reads_of)
    emitter.names.until |= dict(zip(names, ends))
    by_number = {number: name for name, form in lists for number in leaves(form)}
    emitter.parts[node] = [*names, *(by_number[n] for n in range(len(names), len(wanted)))]
    emitter.collected[node] = len(names)
    emitter.grown[node] = {repr(form): name for name, form in lists if children(form) is not None}
    if node.target is while_loop:
        return [*head, *whiled(emitter, node, made.inner[node][0], names, body)]
    body = [Whole(items.whole).visit(statement) for statement in body] if items.whole else body
    turned: Any = ast.For(target_of(node, items.stores), iterated(emitter, node), body, [])
    turned.placed = key_of(node) if placed(node) else None
    if emitter.module.rebuilds:
        gone_through(emitter, turned)
    if (call := node.stands_for) is not None and "by number" in call.meta:
        go_through_rows(turned, call.meta["by number"])
    if (single := comprehended(node, head, turned)) is None:
        return [*head, turned]
    # What it goes through is read by then, and may have had the name.
    if name_in(single) != wanted[0]:
        named(emitter, single, node, emitter.names.give(wanted[0], node, number, until))
    return [single]


def named(emitter: Emitter, single: ast.Assign, node: Node, name: str) -> None:
    """Let what a loop gives in one statement be called so."""
    single.targets = [ast.Name(name, ast.Store())]
    emitter.parts[node] = [name] * len(node.spec)
    emitter.grown[node] = dict.fromkeys(emitter.grown[node], name)


def name_in(statement: ast.Assign) -> str:
    (target,) = statement.targets
    return target.id if isinstance(target, ast.Name) else ""


def turn(
    emitter: Emitter,
    node: Node,
    planned: Scaffold,
    names: Sequence[str],
    lists: Sequence[tuple[str, Any]],
    items: Sequence[tuple[Node, Any]],
    reads_of: dict[str, float],
) -> list[ast.stmt]:
    """The body of a loop."""
    parts = loop(node)
    known = sorted(items, key=lambda pair: parts.items.index(pair[0]))
    known += [(p, name_of(n, p)) for p, n in zip(parts.carried, names)]
    first = len(parts.sources) + len(names)
    known += list(zip(planned.graph.placeholders[first:], parts.operands))
    made = inner(emitter, planned, known, names)
    made.appending = lists
    for name in names:
        emitter.names.until[name] = reads_of[name]
    output = planned.graph.output_node
    output.meta["apart"] = bool(lists)
    body = made.statements(planned)
    if output.target == "yield":
        values = output.args[0]
        place = before_leaving(body)
        body[place:place] = appends(made, lists, values)
        body = into_branches(made.yields(body, values[: len(names)], names))
    return body or [ast.Pass()]


def name_of(name: str, node: Node) -> Any:
    return ast.Name(name, ast.Load()), operand_of(node)


def whiled(
    emitter: Emitter, node: Node, planned: Scaffold, names: Sequence[str], body: list[ast.stmt]
) -> list[ast.stmt]:
    parts = loop(node)
    placeholders = planned.graph.placeholders
    known: list[Any] = [(p, name_of(n, p)) for p, n in zip(placeholders, names)]
    known += list(zip(placeholders[len(names) :], parts.operands))
    test = inner(emitter, planned, known, names)
    statements = test.statements(planned)
    expr = test.tree(planned.graph.output_node.args[0][0])
    if not statements:
        return [ast.While(expr, body, [])]
    return [ast.While(ast.Constant(True), [*statements, ast.If(negated(expr), [ast.Break()], []), *body], [])]


def assign(name: str, expr: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], expr)


def assignments(pairs: Sequence[tuple[str, ast.expr]]) -> list[ast.Assign]:
    """Assignments of several names, together where one of them is read by a later one."""
    written = [name for name, _ in pairs]
    clash = any(
        isinstance(node, ast.Name) and node.id in written[:i]
        for i, (_, expr) in enumerate(pairs)
        for node in walked(expr)
    )
    if clash:
        target = ast.Tuple([ast.Name(n, ast.Store()) for n in written], ast.Store())
        return [ast.Assign([target], ast.Tuple([e for _, e in pairs], ast.Load()))]
    return [assign(name, expr) for name, expr in pairs]
