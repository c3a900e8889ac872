"""Rolled: loops of the user's over containers whose turns were traced one by one, as loops again.

Where the statements of all turns are the same but for the items, they are printed once, below the header that
the user wrote. How many items there are, or which keys, is checked as before.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from ....ir.graphs.graph import Graph
from ....ir.graphs.leaves import ITSELF, leaves
from ....ir.source.remarks import Key, Remarked, module_of, remarks
from ...checks.apart import checks_of
from ...plan.names import legal
from ...text.unparsing import unparsed
from ...text.walking import Transformer, copied, dumped, walked
from ..written.annotations import parameters
from ..written.named_items import mentioned, stored, takings
from ..written.named_turns import named_by
from ..written.positions import calls, position, within
from ..written.remarks import defined
from ..written.stated import counts, is_path
from .alike import Turns
from .collecting import collect, collect_variables
from .decided import Decided, Unlike, pairs, settled
from .displays import Renamed, free, name_lists, put_together, stored_anew
from .headers import Bound, Given, called, in_full
from .picked import others
from .same import is_same
from .segments import Segments
from .trees import put_trees
from .users_loops import aliases, computed, inner_loops, loops

if TYPE_CHECKING:
    from ..emitter import Emitter


def roll(made: ast.FunctionDef, graph: Graph, emitter: Emitter) -> None:
    """Print loops of the user's as such, in a function that was emitted for a graph."""
    own = defined(graph)
    asked = graph.meta.get("structure", {})
    counted = dict(counts(checks_of(made)))
    held = {**counted, **{normal(path): facts["whole"] for path, facts in asked.items() if "whole" in facts}}
    if own is None or not isinstance(own.node, ast.FunctionDef) or not held:
        return
    keys = {normal(path): {key: there for key, there in pairs(facts)} for path, facts in asked.items()}
    ranks = {normal(path): node.spec.rank for path, node in leaves(graph).items()}
    nothing = {normal(path): None for path, value in graph.meta.get("static", {}).items() if value is None}
    count = made.checks[0] + len(checks_of(made))  # type: ignore[attr-defined]
    head, body = made.body[:count], made.body[count:]
    roots = {arg.arg: arg.arg for arg in parameters(made.args)}
    for name in stored(own.node.body):
        roots.pop(name, None)
    for each in takings(own, {*roots}, counted):
        roots |= each.paths
    kinds = {normal(path): k.removeprefix(ITSELF) for path, k in graph.meta.get("kinds asked", {}).items()}
    ordered, packages = not emitter.module.target.sorts_keys, emitter.module.source.packages
    say, helpers = functools.partial(tree_word, emitter), {*emitter.module.helpers}
    unroll, back = graph.meta.get("unroll", 0), graph.meta.get("given back")
    back = {(keys, normal(path)) for keys, path in back} if back is not None else None
    given = Given(held, keys, {**nothing, **ranks}, kinds, roots, ordered, unroll, packages, say, back)
    names, numbers = [arg.arg for arg in parameters(made.args)], emitter.module.target.own_numbers

    def attempt(step: Callable[[], Any]) -> bool:
        before, known = copied(body), copy.deepcopy((given.held, given.kinds, given.roots))
        done = bool(step())
        if done and not is_same(before, body, given, names, numbers=numbers):
            body[:] = before
            for mine, was in zip((given.held, given.kinds, given.roots), known):
                mine.clear()
                mine.update(was)
            return False
        return done

    if any(isinstance(statement, ast.If) for block in blocks(body) for statement in block):
        attempt(lambda: settle(body, given))
    put_trees(body, own, given, attempt)
    name_lists(body, own, given, attempt)
    waiting = [*((each, roots) for each in loops(own.blocks)), *inner_loops(own, body, roots)]
    while waiting:
        left = [
            (user, known)
            for user, known in waiting
            if header_of(user, given, known) is None
            or not attempt(functools.partial(is_rolled, user, body, given, known))
        ]
        if len(left) == len(waiting):
            break
        waiting = left
    put_together(body, own, given, attempt)
    made.body = [*head, *body]
    said = {name for statement in body for name in mentioned(statement)}
    for helper in {"tree_map", "tree_leaves"} - said - helpers:  # of what was taken back
        emitter.module.helpers.pop(helper, None)


def settle(body: list[ast.stmt], given: Given) -> bool:
    """Leave out tests of how many items there are, in loops that were written out for as many."""
    freed: list[ast.stmt] = []
    for block in blocks(body):
        for statement in [*block]:
            found = settled(statement.test, given.held) if isinstance(statement, ast.If) else None
            if found is not None and in_loop(position(statement)):
                assert isinstance(statement, ast.If)
                at = block.index(statement)
                block[at : at + 1] = side = statement.body if found else statement.orelse
                freed += side
    once = {name for name, count in Counter(stored(body)).items() if count == 1} if freed else set()
    for statement in freed:
        match statement:  # which only the `if` made another name
            case ast.Assign([ast.Name(name)], ast.Name(other)) if {name, other} <= once and statement in body:
                body.remove(statement)
                for each in body:
                    Renamed(name, ast.Name(other, ast.Load())).visit(each)
    return bool(freed)


def in_loop(key: Key | None) -> bool:
    """Whether a statement of the user's stands in a loop."""
    user = remarks(key[0]).found.get(key) if key is not None else None
    while user is not None and not user.is_function:
        user = user.parent
        if user is not None and isinstance(user.node, ast.For):
            return True
    return False


def tree_word(emitter: Emitter, what: str) -> ast.expr:
    """How the text says what maps over trees, or lists their leaves: by a function of its own where the
    target has none.
    """
    target = emitter.module.target
    if word := {"map": target.tree_map, "leaves": target.tree_leaves}[what]:
        return emitter.writer.name(word)
    emitter.module.helpers[f"tree_{what}"] = None
    made: Any = ast.Name(f"tree_{what}", ast.Load())
    made.helper = True  # see mentions.py
    return made  # type: ignore[no-any-return]


def header_of(user: Remarked, given: Given, roots: Mapping[str, str]) -> Bound | None:
    """What the names of a header are in each turn; None where that is not known, or others have the names."""
    header: Any = user.node
    names = called(header.target, in_full(header.iter, roots), given.held, ordered=given.ordered)
    if names is None or not all(legal(name) == name and name not in roots for name in names):
        return None
    return names if len(next(iter(names.values()))) > given.unroll else None


def is_rolled(user: Remarked, body: list[ast.stmt], given: Given, roots: Mapping[str, str]) -> bool:
    """Print a loop as such. Returns whether that can be."""
    names = header_of(user, given, roots)
    if names is None:
        return False
    also = aliases(user, names, roots)
    decided = Decided(names | also, given, module_of(user.key[0]), user.key)
    return Rolling(user, names | also | computed(user, names), decided, roots, body, {*also}).roll()


class Rolling:
    """One loop of the user's.

    Args:
        names: what the names of its header are in each turn, and `also` those of items beside these.
        body: the statements that are printed of the function.
    """

    def __init__(
        self,
        user: Remarked,
        names: Bound,
        decided: Decided,
        roots: Mapping[str, str],
        body: list[ast.stmt],
        also: Set[str],
    ) -> None:
        self.also = also
        self.user = user
        self.names = names
        self.decided = decided
        self.roots = roots
        self.body = body
        self.turns = len(next(iter(names.values())))

    def roll(self) -> bool:
        for block in [*blocks(self.body, but=self.holds)]:  # what it holds is a part of a turn
            if not any(self.holds(statement) for inner in blocks(block) for statement in inner):
                continue
            found = copied(block)
            lift(found)
            put_in_time(found, self.holds)
            collect(found, self.user, self.turns, self.holds)
            places = [place for place, statement in enumerate(found) if self.holds(statement)]
            if places and self.rolled(found, places, block is self.body):
                block[:] = found
                return True
        return False

    def holds(self, statement: ast.stmt) -> bool:
        """Whether a statement is one of the loop's."""
        at = position(statement)
        block = self.user.blocks[0]
        inside = at is not None and at[0] == self.user.key[0] and within(at, block[0].node, block[-1].node)
        return inside and not isinstance(statement, ast.Return)

    def rolled(self, block: list[ast.stmt], places: Sequence[int], outermost: bool) -> bool:
        """Print the turns among the statements of a block as one loop. Returns whether that can be."""
        first, last = places[0], places[-1] + 1
        if len(places) != last - first:
            return False
        theirs = calls(block[first:last])
        for segments in Segments(self.names).of(block[first:last]):
            now = [*block]
            if all(segments):
                now[last:] = copied(block[last:])
                segments = collect_variables(now, self.user, segments, theirs)
            begins = now.index(block[first])
            before, rest = now[:begins], now[begins + last - first :]
            for named in (theirs, {}):
                if (made := self.of_turns(segments, before, rest, outermost, named)) is not None:
                    block[:] = [*before, *made]
                    return True
        return False

    def of_turns(
        self,
        segments: list[list[ast.stmt]],
        before: Sequence[ast.stmt],
        rest: list[ast.stmt],
        outermost: bool,
        named: Mapping[str, str],
    ) -> list[ast.stmt] | None:
        """The loop of these turns, and what stands behind it. `named`: what the user calls variables."""
        segments, rest = copied((segments, rest))
        for turn, segment in enumerate(segments):
            self.called_as_items(segment, rest, turn)
        turns = Turns(self.names, [{*stored(segment)} for segment in segments], self.decided, named)
        turns.sources = others(self.user.node)
        try:
            inner = turns.block(segments, self.user.blocks[0])
            turns.end()
        except Unlike:
            return None
        if not inner or not self.is_free([*before, *rest]) or not self.goes_on(turns, outermost, rest):
            return None
        header: Any = self.user.node
        begun = [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in turns.begun.items()]
        for given in self.named(turns):
            inner.insert(next((i for i, s in enumerate(inner) if stands_behind(s, given)), 0), given)
        made: Any = ast.For(copied(header.target), in_full(header.iter, self.roots), inner, [])
        made.of, made.rolled = self.user.key, self.decided
        Plainly(self.user, self.names).visit(made)
        return [*begun, made, *rest]

    def named(self, turns: Turns) -> Iterator[ast.stmt]:
        """The statements by which the user gives names to items beside those of the header."""
        for each in self.user.blocks[0]:
            pairs = [(n, v) for n, v in named_by(each.node) if n in self.also & turns.used]
            if pairs:
                targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name, _ in pairs]
                values = [in_full(value, self.roots) for _, value in pairs]
                several = len(pairs) > 1
                given: Any = ast.Assign(
                    [ast.Tuple(targets, ast.Store()) if several else targets[0]],
                    ast.Tuple(values, ast.Load()) if several else values[0],
                )
                given.of = each.key
                yield given

    def called_as_items(self, segment: list[ast.stmt], rest: Sequence[ast.stmt], turn: int) -> None:
        """What is but another name of an item is said as the item: `p = params[0]`."""
        items = {unparsed(item[turn]) for item in self.names.values()}
        for statement in [*segment]:
            match statement:
                case ast.Assign([ast.Name(name)], value) if unparsed(value) in items:
                    if [*stored_anew(segment)].count(name) == 1:
                        segment.remove(statement)
                        for other in (*segment, *rest):
                            Renamed(name, value).visit(other)

    def is_free(self, others: Sequence[ast.stmt]) -> bool:
        """Whether the names of the header are nothing else to other statements of the function."""
        return not any({*self.names} & {*free(statement)} for statement in others)

    def goes_on(self, turns: Turns, outermost: bool, rest: Sequence[ast.stmt]) -> bool:
        """Let what follows read what the last turn has bound; whether that is all it reads."""
        last = turns.own[-1]
        after = {name for statement in rest for name in mentioned(statement)}
        if not outermost:
            return all(last.get(name) == name for name in turns.everything | turns.binds)
        if any(name not in last for name in after & turns.everything):
            return False
        if any(last.get(name) != name for name in after & turns.binds):
            return False
        renamed = {name: called for name, called in last.items() if name in after}
        for statement in rest:
            for node in walked(statement):
                if isinstance(node, ast.Name):
                    node.id = renamed.get(node.id, node.id)
        return True


def stands_behind(statement: ast.stmt, other: ast.stmt) -> bool:
    """Whether the user has a statement behind another."""
    place, before = position(statement), position(other)
    return place is not None and before is not None and place[0] == before[0] and place > before


class Plainly(Transformer):
    """Writes `p -= step`, where the user does, for `p[...] -= step`."""

    def __init__(self, user: Remarked, names: Bound) -> None:
        self.theirs = {*in_place(user.node)}
        self.names = names

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        match node.target:
            case ast.Subscript(ast.Name(name), ast.Constant(value)) if value is ... and name in self.names:
                if name in self.theirs:
                    node.target = ast.Name(name, ast.Store())
        return node


def in_place(code: ast.AST) -> Iterator[str]:
    """The variables of arrays that are changed by an operator or a method: `p *= 2`, `p.data.mul_(2)`."""
    for node in walked(code):
        match node:
            case ast.AugAssign(changed):
                pass
            case ast.Call(ast.Attribute(changed, method)) if method[-1:] == "_" != method[-2:-1]:
                pass
            case _:
                continue
        match changed:
            case ast.Name(name) | ast.Attribute(ast.Name(name), "data"):
                yield name
            case ast.Call(ast.Attribute(ast.Name(name), "detach")):
                yield name


def put_in_time(block: list[ast.stmt], holds: Any) -> None:
    """Put into containers what a loop puts there as soon as it is known."""
    for statement in [*block]:
        match statement:
            case ast.Assign([place], ast.Name(name)) if is_path(place) and holds(statement):
                at = block.index(statement)
                made = [i for i, other in enumerate(block[:at]) if name in {*stored([other])}]
                between = block[made[-1] + 1 : at] if made else []
                if made and holds(block[made[-1]]) and not any(touches(s, place) for s in between):
                    block.insert(made[-1] + 1, block.pop(at))


def lift(block: list[ast.stmt]) -> None:
    """What both sides of an `if` end with stands behind it."""
    for statement in [*block]:
        match statement:
            case ast.If(_, [_, *_, one], [other]) if dumped(one) == dumped(other):
                one.of = position(statement)  # type: ignore[attr-defined]
                block.insert(block.index(statement) + 1, statement.body.pop())
                statement.orelse = []


def touches(statement: ast.stmt, place: ast.expr) -> bool:
    """Whether a statement may see what is put into a place: it reads that, or the container whole."""
    assert isinstance(place, ast.Subscript)
    whole, inside = unparsed(place.value), set[int]()
    for node in walked(statement):
        if isinstance(node, ast.Subscript) and is_path(node) and unparsed(node.value) == whole:
            if unparsed(node) == unparsed(place):
                return True
            inside |= {id(part) for part in walked(node)}
        elif isinstance(node, ast.expr) and id(node) not in inside and unparsed(node) == whole:
            return True
    return False


def blocks(
    body: list[ast.stmt], but: Callable[[ast.stmt], bool] = lambda statement: False
) -> Iterator[list[ast.stmt]]:
    """A block and those in it; `but` those in some statements."""
    yield body
    for statement in body:
        if but(statement):
            continue
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                yield from blocks(inner, but)


def normal(path: str) -> str:
    return unparsed(ast.parse(path, mode="eval").body)
