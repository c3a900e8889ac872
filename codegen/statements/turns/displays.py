"""Displays: containers whose items are printed one by one, as the user says them.

    {"w": p["w"] * 2, "b": p["b"] * 2}      {name: value * 2 for name, value in p.items()}
    [params[0], params[1]]                  params, where that is what is returned
    0 + f(xs[0]) + f(xs[1])                 sum(f(x) for x in xs)
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ....ir.source.remarks import Remarked, remarks
from ...plan.names import legal
from ...text.unparsing import unparsed
from ...text.walking import Transformer, copied, dumped, parts_of, walked
from ..written.named_items import mentioned, stored
from ..written.remarks import keys, lines, returned
from ..written.stated import is_path
from .alike import Turns
from .decided import Decided, Unlike
from .headers import Attempt, Bound, Given, Held, at, called, in_full, is_leaves, length

#: Of so many items those that are left out are looked for.
MOST = 8
COMPREHENSIONS = (ast.ListComp, ast.DictComp, ast.GeneratorExp)


def put_together(body: Sequence[ast.stmt], own: Remarked, given: Given, attempt: Attempt) -> None:
    """Say the containers in the statements of a function as the user does, where he does."""
    ends = returned(own)
    for statement in lines(body):
        found = {key: remarks(key[0]).found.get(key) for key in keys(statement)}
        if ends is not None and isinstance(statement, ast.Return) and statement is body[-1]:
            found[ends.key] = ends
        users = [each.node for each in found.values() if each is not None and not each.blocks]
        if isinstance(statement, ast.Return) and statement.value is not None and given.back is not None:
            mark(statement.value, given)
        made = Displays(users, given, own.node, statement) if users else None
        if made is not None and changes(statement, made):
            attempt(lambda s=statement, made=made: made.visit_in(s))  # type: ignore[misc]


def changes(statement: ast.stmt, displays: Displays) -> bool:
    """Whether there is something in a statement that the user says otherwise."""
    parts = [value for _, value in ast.iter_fields(statement) if isinstance(value, ast.expr)]
    found = copied(parts)
    made = [displays.visit(part) for part in found]
    return any(dumped(one) != dumped(other) for one, other in zip(made, parts))


def mark(node: ast.expr, given: Given, keys: tuple[Any, ...] = ()) -> None:
    """Note of the lists and dicts in what is returned which arguments they are."""
    if isinstance(node, ast.List | ast.Dict):
        node.is_argument = {path for where, path in given.back or () if where == keys}  # type: ignore[union-attr]
    match node:
        case ast.List(items) | ast.Tuple(items):
            parts: list[Any] = [*enumerate(items)]
        case ast.Dict(names, items):
            parts = [(getattr(name, "value", None), item) for name, item in zip(names, items)]
        case _:
            parts = []
    for key, part in parts:
        mark(part, given, (*keys, key))


class Displays(Transformer):
    """Those in one statement.

    Args:
        users: the statements of the user's of which there is something in it.
        function: the user's, in which they stand.
    """

    def __init__(
        self, users: Sequence[ast.stmt], given: Given, function: ast.stmt, statement: ast.stmt
    ) -> None:
        self.given = given
        self.nodes = [node for user in users for node in walked(user)]
        self.loops: list[Any] = [node for node in self.nodes if isinstance(node, COMPREHENSIONS)]
        self.whole = Counter(whole(users))
        self.bound = {*bound(function)}
        self.items = Counter(items_of(statement))

    def visit_in(self, statement: ast.stmt) -> bool:
        """Go through the expressions of a statement, not through the statements in it."""
        for field, value in ast.iter_fields(statement):
            if isinstance(value, ast.expr):
                setattr(statement, field, self.visit(value))
        return True

    def visit_List(self, node: ast.List) -> ast.expr:
        made = self.handed_on(node, node.elts) or self.made(node.elts, ast.ListComp)
        return made or self.inside(node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        return self.handed_on(node, node.elts) or self.inside(node)

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        pairs = [ast.Tuple([k, v], ast.Load()) for k, v in zip(node.keys, node.values) if k is not None]
        made = self.handed_on(node, node.values, node.keys) or self.made(pairs, ast.DictComp)
        return made or self.inside(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        items = [*added(node)]
        if items and isinstance(items[0], ast.Constant) and repr(items[0].value) == "0":
            found = self.made(items[1:], ast.GeneratorExp)
            if found is not None:
                return ast.Call(ast.Name("sum", ast.Load()), [found], [])
        return self.generic_visit(node)

    def inside(self, node: Any) -> Any:
        return self.generic_visit(node)

    def handed_on(
        self, node: ast.expr, items: Sequence[ast.expr], keyed: Sequence[Any] | None = None
    ) -> ast.expr | None:
        """An argument, or a part of one, that is handed on whole."""
        if not items or not all(isinstance(item, ast.Subscript) and is_path(item) for item in items):
            return None
        first: Any = items[0]
        path = unparsed(first.value)
        found = self.given.held.get(path)
        if found is None or length(found) != len(items):
            return None
        names = found if isinstance(found, tuple) else range(found)
        wanted = [unparsed(at(first.value, name)) for name in names]
        if [unparsed(item) for item in items] != wanted:
            return None
        if keyed is not None and [getattr(key, "value", None) for key in keyed] != [*names]:
            return None
        says = self.whole
        kind = {ast.List: "list", ast.Tuple: "tuple", ast.Dict: "dict"}[type(node)]
        theirs = {name for name, full in self.given.roots.items() if full == path} | {path}
        known = "dict" if isinstance(found, tuple) else self.given.kinds.get(path)
        copies = any((kind, name) in says for name in theirs)
        itself = getattr(node, "is_argument", None)
        if itself and path in itself:
            return first.value  # type: ignore[no-any-return]
        spelled = self.spelled_out(type(node))
        copies = copies or itself is not None and not spelled and any(says["", name] for name in theirs)
        named = 0 if spelled else sum(says["", name] for name in theirs - self.bound)
        if kind == known and not copies and named >= self.items[type(node), path]:
            return first.value  # type: ignore[no-any-return]
        if (copies or named and kind == known) and isinstance(found, tuple) == (kind == "dict"):
            return ast.Call(ast.Name(kind, ast.Load()), [first.value], [])
        return None

    def spelled_out(self, kind: type[Any]) -> bool:
        """Whether the user writes a container of this kind item by item."""
        found = (node for node in self.nodes if isinstance(node, kind))
        return any(is_path(part) for node in found for part in parts_of(node))

    def made(self, items: Sequence[ast.expr], kind: type[Any]) -> ast.expr | None:
        """A comprehension of the user's that these are the items of."""
        for user in self.loops:
            if not (isinstance(user, kind) or kind is ast.ListComp and isinstance(user, ast.GeneratorExp)):
                continue
            (loop, *more) = user.generators
            if more or len(loop.ifs) > 1 or loop.is_async or len(items) <= self.given.unroll:
                continue
            header = in_full(loop.iter, self.given.roots)
            names = called(loop.target, header, self.given.held, ordered=self.given.ordered)
            if names is None or any(legal(name) != name or name in self.given.roots for name in names):
                continue
            found = self.of_items(items, names, loop.ifs)
            if found is None:
                continue
            item, tests = found
            if {*names} & {n.id for each in items for n in walked(each) if isinstance(n, ast.Name)}:
                continue  # which is something else outside
            said = Respelled(self.given).visit(header)
            inner = [ast.comprehension(copied(loop.target), said, tests, 0)]
            said_of = item.elts if kind is ast.DictComp else [item]
            made: Any = kind(*said_of, inner)
            made.rolled = Decided(names, self.given, {})
            return made  # type: ignore[no-any-return]
        return None


    def of_items(
        self, items: Sequence[ast.expr], names: Bound, ifs: Sequence[ast.expr]
    ) -> tuple[Any, list[ast.expr]] | None:
        """What all the items are, and the test of which of them there are."""
        turns = len(next(iter(names.values())))
        decided = Decided(names, self.given, {})
        if turns < len(items) or turns > len(items) and (not ifs or turns > MOST):
            return None
        for there in itertools.combinations(range(turns), len(items)):
            others = [turn for turn in range(turns) if turn not in there]
            tests = [decided.test(test, there, others) for test in ifs]
            found = Turns(names, [()] * turns, decided)
            if None in tests:
                continue
            try:
                with found.among(there):
                    return found.expression([copied(each) for each in items]), [t for t in tests if t]
            except Unlike:
                continue
        return None


class Respelled(Transformer):
    """Says what the leaves of a tree are in the words of the target."""

    def __init__(self, given: Given) -> None:
        self.given = given

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if is_leaves(node):
            return ast.Call(self.given.say("leaves"), node.args, [])
        return self.generic_visit(node)


def added(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of a sum, in the order in which they are added."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from added(node.left)
        yield node.right
    else:
        yield node


def whole(users: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    """The parts of arguments that the user hands on whole, and by which function of Python's, if by one."""
    for user in users:
        waiting: list[tuple[ast.AST, str]] = [(user, "")]
        while waiting:
            node, inside = waiting.pop()
            match node:
                case ast.Call(ast.Name("list" | "tuple" | "dict" as kind), [given], []):
                    waiting.append((given, kind))
                case ast.Name(ctx=ast.Load()):
                    yield inside, unparsed(node)
                case ast.Subscript() if is_path(node):
                    yield inside, unparsed(node)
                case ast.Dict([None], [given]):
                    waiting.append((given, "dict"))
                case ast.List([ast.Starred(given)]):
                    waiting.append((given, "list"))
                case ast.Dict(keys, values):
                    waiting += [(value, "") for key, value in zip(keys, values) if key is not None]
                case ast.Return() | ast.Assign() | ast.Tuple() | ast.List() | ast.keyword():
                    waiting += [(inner, "") for inner in parts_of(node)]


def bound(function: Any) -> Iterator[str]:
    """The names that a function surely binds anew."""
    for statement in function.body if isinstance(function, ast.FunctionDef) else ():
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            names = (node for node in walked(target) if isinstance(node, ast.Name))
            yield from (name.id for name in names if isinstance(name.ctx, ast.Store))


def items_of(statement: ast.stmt) -> Iterator[tuple[type[ast.expr], str]]:
    """For each display in a statement of what kind it is, and of what its first item is one."""
    for node in walked(statement):
        items = node.values if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        if items and isinstance(items[0], ast.Subscript):
            yield type(node), unparsed(items[0].value)


def name_lists(body: list[ast.stmt], own: Remarked, given: Given, attempt: Attempt) -> None:
    """Give lists that the user makes by a comprehension their names, where each of their items has one.

        first = grads[0].copy()
        second = grads[1].copy()        copies = [g.copy() for g in grads]

    `given` learns of them.
    """
    for user in simple(own.blocks):
        match user.node:
            case ast.Assign([ast.Name(name)], ast.ListComp()) if any(gives_item(s, user.key) for s in body):
                attempt(lambda name=name, user=user: name_list(body, name, user, given))  # type: ignore[misc]


def name_list(body: list[ast.stmt], name: str, user: Remarked, given: Given) -> bool:
    places = [place for place, statement in enumerate(body) if gives_item(statement, user.key)]
    if len(places) < 2 or places != [*range(places[0], places[-1] + 1)]:
        return False
    each: list[Any] = [body[place] for place in places]
    made = Displays([user.node], given, user.node, user.node).made([one.value for one in each], ast.ListComp)
    rest = body[places[-1] + 1 :]
    names = [one.targets[0].id for one in each]
    known = {bound for statement in body for bound in mentioned(statement)}
    after = {other for statement in rest for other in mentioned(statement)}
    if made is None or name in (after if name in roots_of(given.held) else known):
        return False
    if any([*stored_anew(body)].count(n) != 1 for n in names):
        return False
    listed: Any = ast.Assign([ast.Name(name, ast.Store())], made, lineno=0)
    listed.of = user.key
    for place, called_so in enumerate(names):
        for statement in rest:
            Renamed(called_so, at(ast.Name(name, ast.Load()), place)).visit(statement)
    body[places[0] : places[-1] + 1] = [listed]
    given.held[name], given.roots[name] = len(names), name
    return True


def roots_of(held: Held) -> set[str]:
    return {node.id for path in held for node in walked(ast.parse(path)) if isinstance(node, ast.Name)}


def gives_item(statement: ast.stmt, key: Any) -> bool:
    match statement:
        case ast.Assign([ast.Name()]):
            return key in keys(statement)
    return False


def simple(blocks: Sequence[Sequence[Remarked]]) -> Iterator[Remarked]:
    """The statements of a function that have no others in them."""
    for each in (each for block in blocks for each in block):
        if each.blocks and not each.is_function:
            yield from simple(each.blocks)
        elif not each.blocks:
            yield each


class Renamed(Transformer):
    """Says an expression where a name stands."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self.name:
            return node
        made: Any = copied(self.value)
        made.ctx = node.ctx
        return made  # type: ignore[no-any-return]


def stored_anew(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements bind, without what they go on with in place."""
    for statement in body:
        changed = [n for n in walked(statement) if isinstance(n, ast.AugAssign)]
        skipped = {id(part.target) for part in changed}
        for node in walked(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in skipped:
                yield node.id


class Instead(Transformer):
    """Puts an expression in the place of another."""

    def __init__(self, node: ast.expr, other: ast.expr) -> None:
        self.node = node
        self.other = other

    def visit(self, node: ast.AST) -> Any:
        return self.other if node is self.node else self.generic_visit(node)


def free(node: ast.AST) -> Iterator[str]:
    """The names that are read in some code and that it does not bind itself before."""
    bound: set[str] = set()
    match node:
        case ast.Name(name, ast.Load()):
            yield name
        case ast.For(target, iterated):
            yield from free(iterated)
            bound = {*mentioned(target)}
            yield from unbound(node.body) - bound
            yield from unbound(node.orelse) - bound
            return
        case ast.If(test):
            yield from free(test)
            yield from unbound(node.body)
            yield from unbound(node.orelse)
            return
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            bound = {name for loop in node.generators for name in mentioned(loop.target)}
        case ast.Lambda(args):
            bound = {*mentioned(args)}
    yield from (name for part in parts_of(node) for name in free(part) if name not in bound)


def unbound(body: Sequence[ast.stmt]) -> set[str]:
    """The names that statements read and have not bound by then."""
    found, bound = set[str](), set[str]()
    for statement in body:
        found |= {*free(statement)} - bound
        bound |= {*stored([statement])}
    return found
