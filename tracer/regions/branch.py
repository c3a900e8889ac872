"""`if`, the conditional expression, `and` and `or`, where Python cannot decide: both ways are traced, a
cond is recorded.

A way that leaves by return, break, continue or an exception ends its Graph so; the program goes on with
the other.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...ir.errors import TraceError, UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import cond, guarded, results
from ..asked import Asked
from ..memory import aliasing, numpy_scalars
from ..objects import heap
from ..objects.containers import fill
from ..place import here, raised_at
from ..printing import spoken
from ..proxy import is_proxy, isinstance_scalar
from ..rewrite.runtime import BROKE, CONTINUED, FELL, RETURNED, Exit
from ..settling import test_at, want
from ..trying.finishing import crossed
from ..values import predicate
from ..values.predicate import Elsewhere, Question
from . import together
from .join import Columns, Different, exact, look, noded, of_expression, refusal, replaced
from .leaving import Jump
from .side import RAISED, Side, aligned, raising

if TYPE_CHECKING:
    from ..python.hooks import Tracing
    from ..tracer import Tracer

TERMINATORS = {RETURNED: "return", BROKE: "break", CONTINUED: "continue", RAISED: "raise"}
#: Where both sides leave, the one that leaves further out ends in its graph.
FURTHER = (RAISED, RETURNED, BROKE, CONTINUED, FELL)

#: How often a function may call itself inside branches that an array decides.
DEEPEST = 8

Way = Callable[[], tuple[Exit, Any]]


class Inexact(Exception):
    """A static predicate whose two ways give values of different kinds: better to take one of them."""


def both(
    hooks: Tracing,
    test: Any,
    ways: tuple[Way, Way],
    names: Sequence[str],
    kind: str = "if",
    without: Sequence[Any] = (),
) -> tuple[Exit, Any]:
    """Trace both ways and record the cond.

    Args:
        names: what the values that a way hands on are called.
        kind: "if", or "expression" where each way gives one value.
        without: the cells of variables whose values they hand on.

    Raises:
        TraceError: where they cannot be recorded.
    """
    tracer = hooks.tracer
    static = predicate.can_settle(test)
    answers = tracer.answers
    settles = tracer.recurs or answers.on or answers.tests and test_at(here()) in answers.tests
    if settles and static:  # both ways would call it again, and again
        return ways[0]() if settled(tracer, test) else ways[1]()
    if tracer.recurs > DEEPEST:
        raise recursion(tracer)
    mark, refused = tracer.mark(), len(tracer.guesses.refused)
    asked = Asked(tracer) if static else None
    try:
        found = recorded(tracer, test, ways, names, kind, static, without)
        if not static or len(tracer.guesses.refused) == refused:
            return found
    except Exception as error:
        # A call may fail of sizes that the example does not have there: a step of `len(x) // n` that is 0.
        if not isinstance(error, (Inexact, TraceError)) and error is not tracer.memo.failed:
            raise
        if not static:
            if not isinstance(error, Elsewhere):
                want(tracer, test)
            raise
    tracer.rollback(mark)
    if asked is not None:
        asked.restore()
    return ways[0]() if settled(tracer, test) else ways[1]()


def recursion(tracer: Tracer) -> UnsupportedError:
    return UnsupportedError(
        "recursion that an array decides",
        why="how deep it goes is known only when the program runs",
        span=tracer.span(),
        hint="write it as a loop",
    )


def settled(tracer: Tracer, test: Any) -> bool:
    """The example's answer, guarded."""
    return (
        test.settle()
        if isinstance(test, Question)
        else bool(tracer.look(test, "which way to go depends on it"))
    )


def recorded(
    tracer: Tracer,
    test: Any,
    ways: tuple[Way, Way],
    names: Sequence[str],
    kind: str,
    static: bool,
    without: Sequence[Any],
) -> tuple[Exit, Any]:
    question = predicate.node_of(tracer, test)
    sides = [one(tracer, test, way, i == 0, without) for i, way in enumerate(ways)]
    if isinstance(test, Question) and {s.exit for s in sides} == {FELL}:
        order = sides if test.fn is operator.is_not else sides[::-1]
        predicate.replaced(test, *(s.value for s in order))
    further = min(sides, key=lambda s: FURTHER.index(s.exit))
    exits = {s.exit for s in sides}
    if raised := exits == {RAISED}:
        if not tracer.graph.meta.get("branch"):
            raise spoken(tracer, sides[0].value)
        # One way raises; what the other raises comes after it.
        sides[1], names, exits = Side(tracer, "orelse").run(lambda: (FELL, ())), (), {RAISED, FELL}
    leaving = None
    if len(exits) > 1:
        leaving = further
    elif exits == {RETURNED} and tracer.may_leave():
        leaving = sides[0]
    if leaving is not None:
        known = static and isinstance_scalar(test) and test.spec.hint is not None
        passed = known and bool(test.spec.hint) != (leaving is sides[0])
        answers = tracer.answers
        answers.beyond |= leaving.exit is RETURNED and not passed
        if static and sides.index(leaving) == predicate.of_example(test):
            answers.left.add(test_at(here()))
        leave(tracer, leaving, static)
    staying = [s for s in sides if s is not leaving]
    exit = staying[0].exit
    called = names if isinstance(staying[0].value, Jump) else names_of(tracer, exit, names)
    taken = predicate.of_example(test)
    example = next((i for i, side in enumerate(staying) if sides.index(side) == taken), 0)
    columns, joined = merged(tracer, staying, called, static, kind, example)
    if predicate.of_several_dtypes(test, columns.seen):
        raise Inexact
    node = finish(tracer, question, sides, staying, columns, kind)
    results = parts(tracer, node, columns)
    value = replaced(columns, joined, results)
    for container, template in columns.held:
        fill(container, replaced(columns, template, results))
    return ways[1]() if raised else (exit, value)  # type: ignore[return-value]


def one(tracer: Tracer, test: Any, way: Way, when: bool, without: Sequence[Any]) -> Side:
    """One side. Where it was asked whether a parameter is None, it is known there.

    Raises:
        Inexact: where a flag keeps the example from this way, which asks for more of the arguments: that is
            not asked of those who do not go it.
    """
    side = Side(tracer, "then" if when else "orelse", without=without)
    if (answer := predicate.by_flags(test)) is not None and answer is not when:
        return unseen(tracer, side, way, predicate.can_settle(test))
    if isinstance(test, Question):
        none = (test.fn is operator.is_) == when
        if (name := predicate.optional(test.value)) is not None:
            with assuming(tracer, name, none):
                return side.run(way)
    return side.run(way)


def unseen(tracer: Tracer, side: Side, way: Way, settles: bool) -> Side:
    """A side from which a flag keeps the example."""
    asked, stack = Asked(tracer), tracer.stack
    before, stack.elsewhere = stack.elsewhere, True
    try:
        side.run(way)
    finally:
        stack.elsewhere = before
    if settles and (asked.more() or guarded(side.graph)):
        raise Inexact
    return side


@contextmanager
def assuming(tracer: Tracer, name: str, none: bool) -> Iterator[None]:
    before = tracer.stack.assumed_none.get(name)
    tracer.stack.assumed_none[name] = none
    try:
        yield
    finally:
        if before is None:
            del tracer.stack.assumed_none[name]
        else:
            tracer.stack.assumed_none[name] = before


def leave(tracer: Tracer, side: Side, static: bool) -> None:
    """End the graph of a side that leaves."""
    kind = TERMINATORS[side.exit]
    through = crossed(tracer, kind == "return") if kind != "raise" else []
    with side.reopened():
        if kind == "raise":
            tracer.may_raise(side.value)
            side.graph.output(raising(tracer, side.value), "raise").place = raised_at(side.value)
        elif kind == "return":
            tracer.leaves_function(bool(side.written), static, through)
            tracer.stores()
            tracer.stack.frames[-1].returned.append(tracer.outgoing(side.value))
            side.graph.output(tracer.returned(side.value), "return").place = here()
        else:
            loop = tracer.left_loop(side.value)
            side.graph.output(loop.leaving(side.value, kind, through), kind)
            loop.wrote.update(side.written)
            loop.altered.update(loop.changes[-1])


def names_of(tracer: Tracer, exit: Any, names: Sequence[str]) -> Sequence[str]:
    """What the values are called that a side hands on which is left in this way."""
    if exit is FELL:
        return names
    if exit in (BROKE, CONTINUED):
        found: Sequence[str] = tracer.stack.loops[-1].names
        return found
    return ("result",)


def merged(
    tracer: Tracer, sides: Sequence[Side], names: Sequence[str], static: bool, kind: str, example: int
) -> tuple[Columns, Any]:
    """The columns of the cond, and what it hands on in terms of them."""
    columns = Columns(tracer, [side.changed for side in sides], example)
    columns.same = {} if tracer.framework.aliasing else None
    single = sides[0].exit is RETURNED
    values = [(s.value,) if single else s.value for s in sides]

    def join(name: str, several: Sequence[Any]) -> Any:
        try:
            return columns.join(name, several)
        except Different as why:
            if static:
                raise Inexact from None
            if kind != "if":
                raise of_expression(tracer, kind, str(why)) from None
            raise refusal(tracer, name, "after this if", str(why)) from None

    joined = [join(name, [v[i] for v in values]) for i, name in enumerate(names)]
    held = [(made, [v[i] for v in values]) for i, made in enumerate(joined)]
    changes = {key: change for s in sides for key, change in s.changed.items()}
    for key, change in changes.items():
        several = [s.changed[key].after if key in s.changed else change.before for s in sides]
        columns.held.append((change.container, join(change.name, several)))
        held.append((columns.held[-1][1], several))
    together.same_containers(columns, names, held)
    for key in dict.fromkeys(k for s in sides for k in s.written):
        proxy = next(s.written[key][0] for s in sides if key in s.written)
        columns.add(heap.name_of(tracer, proxy) or proxy.node.name, [proxy] * len(sides), look(tracer, proxy))
        columns.rebound.append((proxy, len(columns.seen) - 1))
    known = all(exact(s, leaves, tracer) for s, leaves in zip(columns.seen, columns.leaves))
    if static and kind == "if" and not known:
        raise Inexact
    return columns, joined[0] if single else tuple(joined)


def finish(
    tracer: Tracer, question: Any, sides: Sequence[Side], staying: Sequence[Side], columns: Columns, kind: str
) -> Node:
    for i, side in enumerate(staying):
        with side.reopened():
            out = tuple(noded(tracer, leaves[i]) for leaves in columns.leaves)
            side.graph.output(out, "yield")
    outer = aligned(sides, [(), ()])
    node: Node = tracer.graph.create_node(
        "call_function", cond, (question, sides[0].graph, sides[1].graph, tuple(outer)), name="cond"
    )
    node.place = here()
    if kind == "if":
        node.names = tuple(columns.names)
    node.meta["kind"] = kind
    node.spec = tuple(s.spec for s in columns.seen)
    return node


def parts(
    tracer: Tracer,
    node: Node,
    columns: Columns,
    pairs: together.Pairs | None = None,
    renewed: Collection[int] = (),
) -> list[Any]:
    """The results of a region as proxies. What was written into is rebound to its new value.

    Args:
        pairs: of a loop, the numbers of those that may lie in one memory.
        renewed: of those that surely are not what they were before it.
    """
    made: list[Any] = []
    views: dict[int, Any] = {}
    branch = pairs is None
    if pairs is None:
        pairs = together.on_ways(tracer, columns.leaves)
        views = together.views(tracer, columns.leaves, pairs)
    for i, (name, seen) in enumerate(zip(columns.names, columns.seen)):
        part = tracer.graph.create_node("call_function", operator.getitem, (node, i), name=name)
        part.meta["any of"] = tuple(value for value in results(node, i) if isinstance(value, Node))
        kept = any(number == i for _, number in columns.rebound)
        made.append(tracer.wrap(part, seen))
        known = not kept and i not in views
        leaves = columns.leaves[i][i in renewed :]
        part.meta["aliased"] = known and aliases(tracer, name, leaves, made[i])
        part.meta["aliased"] |= numpy_scalars.note(tracer, part, columns.leaves[i]) and not kept
        aliasing.hand_on(tracer, made[i], columns.leaves[i])
    for proxy, number in columns.rebound:
        tracer.rebind(proxy, made[number].node)
        made[number] = proxy
    for i, proxy in enumerate(made):
        together.come_from(tracer, proxy, columns.leaves[i][i in renewed :])
    if branch:
        together.doubted(tracer, made, columns.leaves)
    together.stay_views(tracer, made, views)
    together.tell(tracer, made, pairs)
    return made


def aliases(tracer: Tracer, name: str, leaves: Sequence[Any], made: Any = None) -> bool:
    """Whether a result may be an array that is known under another name too: it is not written into from then
    on. Nor is the other array; but where `made` is the result, it is rather not used after such a write.
    """
    found = False
    for leaf in leaves if tracer.framework.aliasing else ():
        if not is_proxy(leaf) and isinstance(leaf, tracer.framework.array_class):
            found = True  # a constant
        if not is_proxy(leaf) or isinstance_scalar(leaf) or numpy_scalars.is_number(tracer, leaf.node):
            continue
        others = [aliasing.root(tracer, leaf)] if aliasing.is_linked(tracer, leaf) else []
        held = tracer.reaches(leaf.node) and heap.held_elsewhere(tracer, leaf, name)
        if held or known_elsewhere(tracer, leaf):
            others += tracer.wholes(leaf)
            found = True
        for other in others:
            leak_all(tracer, other, name) if made is None else aliasing.tie(tracer, made, other)
        found = found or shared(leaf.node)
    return found


def leak_all(tracer: Tracer, array: Any, name: str) -> None:
    """What may share memory with an array that a turn gives the next one is written into no more."""
    for other in (array, *aliasing.linked(tracer, array)):
        if tracer.reaches(other.node):
            tracer.leak(other, name)


def known_elsewhere(tracer: Tracer, leaf: Any) -> bool:
    """Whether an array is a part of another one."""
    return id(leaf) in tracer.memory.views or id(leaf) in tracer.memory.row_of


def shared(node: Node) -> bool:
    """Whether what a node gives may be part of something else's memory."""
    while "shared" not in node.meta:  # which says it of a loop's state
        if node.op in ("placeholder", "get_attr") or node.meta.get("aliased") or node.meta.get("linked"):
            return True
        node, written = numpy_scalars.before(node), node
        if node is written:
            return False
    return bool(node.meta["shared"])
