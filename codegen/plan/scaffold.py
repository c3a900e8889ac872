"""Scaffold: which values of a Program are statements of their own, and under which name.

The user's statements are the scaffold: a value that the user bound to a name is a statement; what was born
inside a statement nests if it is used once. Values that lowering made nest while the line stays short.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...ir.graphs.attempts import attempted
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import (  # fmt: skip
    Function,
    Region,
    after,
    cond,
    graphs,
    guard,
    is_loop,
    loop,
    operands,
    put,
    since,
    store,
)
from ...ir.graphs.static import is_shape, static, taken, takes
from ...ir.graphs.walk import between
from ...ir.meaning.op import REGISTER, Op
from ...ir.ops.indexing import UPDATES
from ...ir.source.printing import print_
from ...ir.values.spec import Spec
from .augmented import again, old
from .called import (  # fmt: skip
    bound,
    call_names,
    chosen_name,
    forming,
    own_name,
    part_name,
    result_names,
    target,
    together,
    unpacks,
    writers,
    written_name,
)
from .containers import contains, handed_on, part
from .reading import inside, reads

#: Nesting deeper than this is broken up whoever wrote it: Python's parser has its limits, and readers too.
DEPTH = 40


@dataclass
class Scaffold:
    """The plan of one function or branch.

    Attributes:
        statements: its statements in order, each with its number; numbers go on through branches.
        wanted: the names that a statement should bind.
        until: the number of the last statement that reads a value.
        inner: the plans of the graphs of a region, which are numbered before the region itself.
        starts: the number at which a region begins, before those of its graphs.
    """

    graph: Graph
    statements: list[tuple[int, Node]] = field(default_factory=list)
    wanted: dict[Node, tuple[str, ...]] = field(default_factory=dict)
    until: dict[Node, int] = field(default_factory=dict)
    inner: dict[Node, list[Scaffold]] = field(default_factory=dict)
    starts: dict[Node, int] = field(default_factory=dict)

    @property
    def is_expression(self) -> bool:
        """Whether there is no statement but the end."""
        return len(self.statements) == 1

    def ends(self, node: Node, number: float) -> list[float]:
        """The number of the last statement that reads each result of a node, itself statement `number`."""
        if not all(map(part, node.users)):
            return [max(self.until.get(node, number), number)] * len(node.spec)
        ends = [number] * len(node.spec)
        for user in node.users:
            place = user.args[1]
            ends[place] = max(ends[place], self.until.get(user, number))
        return ends


def plan(
    graph: Graph,
    numbers: Iterator[int] | None = None,
    collected: tuple[Any, ...] = (),
    turns: bool = False,
    carried: Sequence[Node] = (),
) -> Scaffold:
    """Decide, for every node, whether it is a statement.

    Args:
        collected: what goes into lists.
        turns: whether it is the body of a loop that is compiled.
        carried: what the state of one that is not is called at the start of a turn.
    """
    numbers = itertools.count() if numbers is None else numbers
    made = Scaffold(graph)
    depth: dict[Node, int] = {}
    staying: list[Node] = []
    for node in graph.nodes:
        if node.op in ("placeholder", "get_attr"):
            continue
        if node.op == "output" or node.target in (guard, store, put, print_, attempted):
            made.statements.append((next(numbers), node))
            continue
        depth[node] = 1 + max((depth.get(n, 0) for n in node.all_input_nodes), default=0)
        if isinstance(node.target, Region):
            made.starts[node] = next(numbers)
            rows = loop(node).yields[len(loop(node).state) :] if is_loop(node) else ()
            turned = is_loop(node) and bool(node.meta.get("compiled"))
            carried = loop(node).carried if is_loop(node) and not turned else ()
            made.inner[node] = [plan(graph, numbers, rows, turned, carried) for graph in graphs(node)]
            if spelled_inline(node, made.inner[node]):
                continue
            if choice(node) and not node.meta.get("compiled"):
                node.meta["kind"], node.names = "if", chosen_name(node)
        name = statement_name(node, depth[node], made.wanted)
        if name is None and collected and carried and stays(node):
            name = bound(node)
            staying.append(node)
        if name is None and turns and written_in_turn(node):
            name = (written_name(node),)
        if name is None and node in collected and isinstance(node.target, Op) and not unpacks(node):
            name = bound(node) or None
        if name is None:
            continue
        made.wanted[node] = name
        made.statements.append((next(numbers), node))
        depth[node] = 0
    followed(made)
    for node in staying:
        if renames(node, made, carried):
            del made.wanted[node]
            made.statements = [(number, each) for number, each in made.statements if each is not node]
            followed(made)
    return made


def followed(made: Scaffold) -> None:
    """Note by which statements values are read last."""
    made.until.clear()
    for number, node in made.statements:
        for read in reads(node, made.wanted):
            made.until[read] = max(number, made.until.get(read, number))
        if is_loop(node):
            started(node, number, made)


def stays(node: Node) -> bool:
    """Whether what the end of a turn alone uses is a statement of the user's, which may stand where he has
    it.
    """
    single = len(bound(node)) == 1 and not unpacks(node) and isinstance(node.spec, Spec)
    return single and yielded(node) and isinstance(node.target, Op) and not node.meta.get("inplace")


def renames(node: Node, made: Scaffold, carried: Sequence[Node]) -> bool:
    """Whether it would need another name than the state has for it: what has that is still read then."""
    values = made.graph.output_node.args[0]
    place = next(i for i, value in enumerate(values) if value is node)
    number = next(number for number, each in made.statements if each is node)
    (name,) = made.wanted[node]
    called = [each for each, names in made.wanted.items() if name in names and each is not node]
    return any(made.until.get(each, -1) > number for each in (*called, *carried[place : place + 1]))


def started(node: Node, number: int, made: Scaffold) -> None:
    """What a loop reads only to begin with is read where it begins."""
    parts = loop(node)
    # Arrays are gone through as the loop turns, ranges and lists are made once.
    rows = [source for source in parts.sources if isinstance(source, Node)]
    again = set(inside((parts.operands, rows), made.wanted))
    for read in inside(parts.state, made.wanted):
        others = [n for n, user in made.statements if user is not node and read in reads(user, made.wanted)]
        if read not in again and max(others, default=-1) < number:
            made.until[read] = max([made.starts[node], *others])


def spelled_inline(node: Node, plans: list[Scaffold]) -> bool:
    """Whether a cond is an expression: `a if test else b`, `a and b`, `a or b`."""
    return choice(node) and not node.meta.get("compiled") and all(p.is_expression for p in plans)


def choice(node: Node) -> bool:
    """Whether the user wrote the cond as an expression."""
    expression = node.meta.get("kind") in ("expression", "and", "or")
    return node.target is cond and expression and len(node.spec) == 1


def statement_name(node: Node, depth: int, wanted: Mapping[Node, Any]) -> tuple[str, ...] | None:
    """The names of the statement that this node is; None where it nests. `wanted` has those before it."""
    if node.meta.get("inplace"):
        return ()
    if node.target in (after, since):
        return None
    if isinstance(node.target, Function) and (node.target.writes or "handed_back" in node.meta):
        alone = not isinstance(node.spec, tuple) and not node.is_impure() and yielded(node)
        return None if alone else call_names(node)
    if node.meta.get("statement") and picks(node) and node.args[0] not in wanted:
        names = bound(node)
        return names if len(names) == 1 and not unpacks(node) else (part_name(*node.args),)
    value = isinstance(node.spec, Spec) or static(node)
    held = node.meta.get("statement") and value and not part(node)
    if written_into(node) or held and not isinstance(node.target, Region):
        names = bound(node)
        return names if len(names) == 1 and not unpacks(node) else (written_name(node),)
    if isinstance(node.target, Region):
        return result_names(node)
    if part(node):
        return result_name(node)
    names = bound(node)
    bare = not (names and node.users)
    if bare and isinstance(node.target, Function) and node.is_impure() and not in_order(node):
        return (own_name(node),) if node.users else ()
    if yielded(node):
        return None
    if contains(node):
        if len(names) == (len(node.spec) if unpacks(node) else 1):
            return names
        return None if handed_on(node) and not node.meta.get("statement") else (own_name(node),)
    if isinstance(node.spec, tuple):
        if unpacks(node) and len(names) == len(node.spec) or len(names) == 1 and not unpacks(node):
            return names
        if len(node.users) > 1:
            return tuple(part_name(node, i) for i in range(len(node.spec)))
        return None
    if static(node):
        if unpacks(node) and names and is_shape(node):
            return names
        if len(names) == 1 and not unpacks(node) and node.users:
            return names
        return (own_name(node),) if takes(node) and node.uses > 1 or taken(node) and captured(node) else None
    if (implicit(node) or recast(node)) and not captured(node):
        return None
    if len(names) == 1 and not unpacks(node):
        return names
    if (name := target(node)) and (written_again(node) or carried_on(node)):
        return (name,)
    if (node.uses > 1 and not said_once(node) or captured(node)) and not cheap(node):
        return (forming(node) or own_name(node),)
    return (own_name(node),) if depth >= DEPTH else None


def in_order(node: Node) -> bool:
    """Whether a call that may raise or print nests: nothing that can be seen happens between it and the
    statement of the user's that it is a part of, but what stands behind it there; and it writes into nothing.
    """
    if not isinstance(node.target, Function) or node.target.writes or "watched" in node.target.graph.meta:
        return False
    way = upwards(node)
    seen = [each for each in between(node, way[-1]) if each.is_impure() or each.target in UPDATES]
    return len(way) > 1 and all(in_order(each) and is_behind(each, way) for each in seen if each not in way)


def upwards(node: Node) -> list[Node]:
    """A node, what alone uses it, and so on up to the statement of the user's; the node alone if there is no
    such way.
    """
    way = [node]
    while len(way[-1].users) == way[-1].uses == 1:
        (user,) = way[-1].users
        if isinstance(user.target, Region):
            break
        way.append(user)
        if user.op == "output" or bound(user):
            return way
    return [node]


def is_behind(call: Node, way: list[Node]) -> bool:
    """Whether a call nests in a later operand of what is on the way from another to its statement."""
    other = upwards(call)
    place = next((i for i, each in enumerate(other) if each in way), 0)
    if not place:
        return False
    user = other[place]
    if isinstance(user.target, Op) and not (user.target.elementwise or user.target.variadic):
        return False
    places = user.all_input_nodes
    return places.index(way[way.index(user) - 1]) < places.index(other[place - 1])


def result_name(node: Node) -> tuple[str, ...] | None:
    """Likewise of one of several results."""
    whole, names = node.args[0], bound(node)
    single = len(names) == 1 and not unpacks(node)
    if choice(whole) and not whole.meta.get("compiled"):
        if single:
            return names
        return ("chosen",) if node.uses > 1 or whole.meta.get("statement") else None
    if (
        isinstance(whole.target, Function)
        or isinstance(whole.spec, tuple)
        and (isinstance(whole.target, Region) or together(whole) or len(bound(whole)) == 1)
    ):
        return None
    return names if single else None


def written_into(node: Node) -> bool:
    """Whether a value needs a name, being written into."""
    return bool(writers(node)) and not part(node) and isinstance(node.spec, Spec)


def written_again(node: Node) -> bool:
    """Whether a later statement of the user's writes into what this one has written into."""
    place = node.stands_for.place if node.stands_for is not None else None
    again = [u.stands_for for u in node.users if u.args and u.args[0] is node and target(u) == target(node)]
    later = [found.place for found in again if found is not None and found.place is not None]
    return place is not None and any(found.statement.key != place.statement.key for found in later)


def written_in_turn(node: Node) -> bool:
    """Whether the end of a turn alone uses what the user wrote into, beside other values."""
    written = target(node) is not None or node.target in UPDATES and len(bound(node)) == 1
    return written and yielded(node) and len(next(iter(node.users)).args[0]) > 1


def carried_on(node: Node) -> bool:
    """Whether a loop begins with what the user has written into."""
    return any(
        is_loop(user) and user.meta.get("compiled") and node in loop(user).state for user in node.users
    )


def captured(node: Node) -> bool:
    """Whether the graph of a region reads the value: it is computed once, before."""
    return any(isinstance(user.target, Region) and node in operands(user) for user in node.users)


def yielded(node: Node) -> bool:
    """Whether only the end of a branch uses the value, and once: it is written where results are assigned."""
    if len(node.users) != 1:
        return False
    (user,) = node.users
    if user.meta.get("handed"):
        node, (user,) = user, user.users
    leaves = user.op == "output" and user.target in ("yield", "break", "continue")
    return leaves and user.args[0].count(node) == 1


def picks(node: Node) -> bool:
    """Whether the node is the result of an op that is used alone of several."""
    return part(node) and isinstance(node.args[0].target, Op) and isinstance(node.spec, Spec)


def cheap(node: Node) -> bool:
    """Whether writing the node twice is no worse than naming it: items of containers, single numbers, lists
    of them that have a name, and what stands above the functions.
    """
    constant = node.target is REGISTER["array"]
    single = constant and not isinstance(node.kwargs["value"], list)
    number = node.target is REGISTER["full"] and node.kwargs["shape"] == ()
    listed = node.target is REGISTER["concat"] and bool((node.stands_for or node).meta.get("collected"))
    return part(node) or single or number or listed or constant and bool(node.meta.get("named"))


def implicit(node: Node) -> bool:
    return node.implicit


def recast(node: Node) -> bool:
    """Whether the node is an array constant that is written in the dtype that its one user casts it to."""
    constant = node.target is REGISTER["array"]
    return constant and len(node.users) == 1 and implicit(next(iter(node.users)))


def said_once(node: Node) -> bool:
    """Whether it is an index of `x[i] += y` and of nothing else: of the array, and of what was in it."""
    updates = [user for user in node.users if user.meta.get("inplace")]
    if len(updates) != 1 or len(node.users) != 2 or node.uses != 2:
        return False
    op, _ = again(updates[0], wider=True)
    return op is not None and any(user is old(updates[0]) for user in node.users)


