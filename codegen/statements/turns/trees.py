"""Trees: nested containers of arrays of which a function of the user's makes others leaf by leaf.

    mu = jax.tree.map(lambda m, g: 0.9 * m + g, state["mu"], grads)

What was traced of it leaf by leaf is printed as that, where it is the same for all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....ir.source.remarks import Remarked, module_of, remarks
from ...plan.names import legal
from ...text.unparsing import unparsed
from ...text.walking import Transformer, copied, parts_of, walked
from ..written.annotations import parameters
from ..written.named_items import mentioned, root_of, stored
from ..written.positions import position, within
from ..written.remarks import said
from .alike import Turns
from .collecting import places
from .decided import Decided, Unlike
from .displays import Instead, Renamed, free, gives_item, stored_anew
from .headers import Attempt, Bound, Given, at, in_full, is_map
from .leaf_names import give
from .segments import Segments

#: What nested containers hold: those of a dict by key, of a list by place; None for what is no container.
Tree = dict[Any, "Tree"] | None


def tree_of(path: ast.expr, given: Given) -> Tree:
    """The containers in an argument, as far as the text checks them."""
    found = given.held.get(unparsed(path))
    if found is None:
        return None
    keys = found if isinstance(found, tuple) else range(found)
    return {key: tree_of(at(path, key), given) for key in keys}


def paths(path: ast.expr, tree: Tree) -> list[ast.expr]:
    """The leaves of a tree in the order in which JAX has them: of dicts by their keys."""
    if tree is None:
        return [path]
    return [leaf for key in in_order(tree) for leaf in paths(at(path, key), tree[key])]


def in_order(tree: dict[Any, Tree]) -> list[Any]:
    return sorted(tree) if all(isinstance(key, str) for key in tree) else [*tree]


def leaves_of(node: ast.expr, tree: Tree) -> list[ast.expr] | None:
    """The leaves in the containers that some code puts together; None where it makes no such tree, whose
    dicts have their keys in order.
    """
    match node:
        case _ if tree is None:
            return [node]
        case ast.Dict(keys, values):
            said = [key.value if isinstance(key, ast.Constant) else None for key in keys]
            items = values if said == in_order(tree) else None
        case ast.List(items) | ast.Tuple(items):
            items = items if [*tree] == [*range(len(items))] else None
        case _:
            return None
    inner = [leaves_of(item, tree[key]) for item, key in zip(items or (), in_order(tree))]
    return None if items is None or None in inner else [leaf for part in inner for leaf in part or ()]


def put_trees(body: list[ast.stmt], own: Remarked, given: Given, attempt: Attempt) -> None:
    """Print what a function makes leaf by leaf as such."""
    module = module_of(own.key[0])
    for user in statements(own):
        for call in walked(user.node):
            if is_map(call, module, given.packages):
                attempt(lambda call=call, user=user: Mapped(call, user, own, given).put(body))  # type: ignore[misc]


def statements(own: Remarked) -> Iterator[Remarked]:
    """The statements of a function, in the order of the text, without those of functions in it."""
    waiting = [each for block in own.blocks for each in block]
    while waiting:
        each = waiting.pop(0)
        if each.is_function:
            continue
        if not each.blocks:
            yield each
        waiting = [*(inner for block in each.blocks for inner in block), *waiting]


class Mapped:
    """One call of the user's by which a tree is made.

    Attributes:
        bound: what the parameters of the function are, by leaf.
    """

    def __init__(self, call: ast.Call, user: Remarked, own: Remarked, given: Given) -> None:
        self.user = user
        self.given = given
        self.function = call.args[0]
        self.trees = [in_full(tree, given.roots) for tree in call.args[1:]]
        self.tree = tree_of(self.trees[0], given)
        self.defined = self.definition(own)
        self.bound: Bound = {}
        self.name = ""
        match user.node:
            case ast.Assign([ast.Name(name)], value) if value is call:
                self.name = name

    def definition(self, own: Remarked) -> Remarked | None:
        """The function of the user's that is called of each leaf, where that is one with a name."""
        if not isinstance(self.function, ast.Name):
            return None
        name = self.function.id
        inner = (each for block in own.blocks for each in block)
        found = next((e for e in inner if isinstance(e.node, ast.FunctionDef) and e.node.name == name), None)
        if found is None and hasattr(function := module_of(own.key[0]).get(name), "__code__"):
            file = remarks(function.__code__.co_filename)  # type: ignore[union-attr]
            found = file.functions.get(function.__code__.co_firstlineno)  # type: ignore[union-attr]
        return found

    def put(self, body: list[ast.stmt]) -> bool:
        """Print it as a tree, if that can be."""
        if self.tree is None or not self.binds():
            return False
        if self.defined is not None and self.name:
            found = copied(body)
            if self.of_statements(found) or self.spread(found) and self.of_statements(found):
                body[:] = found
                return True
        if self.name and self.of_items(body) or self.of_display(body):
            return True
        found = copied(body)
        if not self.name or not give(found, self.user.key, self.bound, self.name) or not self.of_items(found):
            return False
        body[:] = found
        return True

    def binds(self) -> bool:
        """Find out what the parameters are, by leaf; whether that is known."""
        match self.function:
            case ast.Lambda(args):
                names = [arg.arg for arg in parameters(args)]
            case _ if self.defined is not None:
                names = [arg.arg for arg in parameters(self.defined.node.args)]  # type: ignore[attr-defined]
            case _:
                names = ["x", "y", "z", "u", "v"][: len(self.trees)]
        others = [tree_of(tree, self.given) for tree in self.trees]
        if len(names) != len(self.trees) or any(other != self.tree for other in others):
            return False
        self.bound = {name: paths(path, self.tree) for name, path in zip(names, self.trees)}
        return len(self.bound) == len(names) and len(self.bound[names[0]]) > 1

    def alike(self, items: Sequence[ast.expr]) -> ast.expr | None:
        """The function by which these are made, as the text has it."""
        turns = Turns(self.bound, [()] * len(items), self.decided())
        outside = {name for leaf, item in enumerate(items) for name in self.others(item, leaf)}
        try:
            made = turns.expression([copied(item) for item in items])
        except Unlike:
            return None
        if outside & {*self.bound} or not turns.used:
            return None
        match made:
            case ast.Call(function, [*given], []) if [unparsed(g) for g in given] == [*self.bound]:
                if not {*mentioned(function)} & {*self.bound}:
                    return function
        arguments = [ast.arg(name) for name in self.bound]
        return ast.Lambda(ast.arguments([], arguments, None, [], [], None, []), made)

    def others(self, item: ast.AST, leaf: int) -> Iterator[str]:
        """The names that something is said by beside those of a leaf."""
        mine = [unparsed(leaves[leaf]) for leaves in self.bound.values()]
        if isinstance(item, ast.expr) and unparsed(item) in mine:
            return
        if isinstance(item, ast.Name):
            yield item.id
        for child in parts_of(item):
            yield from self.others(child, leaf)

    def decided(self) -> Decided:
        return Decided(self.bound, self.given, module_of(self.user.key[0]), self.user.key)

    def called(self, function: ast.expr) -> ast.expr:
        return ast.Call(self.given.say("map"), [function, *copied(self.trees)], [])

    # Where each leaf has a name.

    def of_items(self, body: list[ast.stmt]) -> bool:
        """Of statements that give a leaf each."""
        there = [place for place, statement in enumerate(body) if gives_item(statement, self.user.key)]
        count = len(self.bound[next(iter(self.bound))])
        if len(there) != count or there != [*range(there[0], there[-1] + 1)]:
            return False
        each: list[Any] = [body[place] for place in there]
        function = self.alike([statement.value for statement in each])
        names = [statement.targets[0].id for statement in each]
        if function is None or not self.may_be_named(body, there[-1] + 1, names):
            return False
        self.replace(body, there[0], there[-1] + 1, [self.assigned(function)], names)
        return True

    def of_statements(self, body: list[ast.stmt]) -> bool:
        """Of statements that are those of a function of the user's, as often as there are leaves."""
        assert self.defined is not None
        block = self.defined.blocks[0]
        there = [place for place, statement in enumerate(body) if self.is_inside(statement, block)]
        if not there or there != [*range(there[0], there[-1] + 1)]:
            return False
        first, last = there[0], there[-1] + 1
        segments = Segments(self.bound).by_items(copied(body[first:last]))
        if segments is None or not all(segments):
            return False
        results = [segment[-1] for segment in segments]
        if not all(isinstance(r, ast.Assign) and isinstance(r.targets[0], ast.Name) for r in results):
            return False
        names = [r.targets[0].id for r in results]  # type: ignore[attr-defined]
        turns = Turns(self.bound, [{*stored(segment)} for segment in segments], self.decided())
        try:
            inner: list[Any] = turns.block(segments, block)
            turns.end()
        except Unlike:
            return False
        others = {name for s in [*body[:first], *body[last:]] for name in (*free(s), *stored([s]))}
        if turns.begun or turns.carried or (turns.everything - {*names}) & others:
            return False
        if not isinstance(inner[-1], ast.Assign) or not self.may_be_named(body, last, names):
            return False
        inner[-1] = ast.copy_location(ast.Return(inner[-1].value), inner[-1])
        if hasattr(results[0], "of"):
            inner[-1].of = results[0].of  # type: ignore[attr-defined]
        node: Any = self.defined.node
        if node.name in others or legal(node.name) != node.name:
            return False
        arguments = [ast.arg(name) for name in self.bound]
        made: Any = ast.FunctionDef(
            node.name, ast.arguments([], arguments, None, [], [], None, []), inner, [], None
        )
        made.of, made.rolled = self.defined.key, self.decided()
        self.replace(body, first, last, [made, self.assigned(ast.Name(node.name, ast.Load()))], names)
        return True

    def spread(self, body: list[ast.stmt]) -> bool:
        """Give names to what the function gives of each leaf, where a later statement puts that together."""
        assert self.defined is not None
        block = self.defined.blocks[0]
        ends = block[-1].key
        for number, statement in enumerate(body):
            for node in walked(statement):
                display = isinstance(node, (ast.Dict, ast.List, ast.Tuple))
                items = leaves_of(node, self.tree) if display else None
                if items is None or not any(getattr(item, "of", None) == ends for item in items):
                    continue
                behind = places(body[:number], items, lambda s: self.is_inside(s, block), ends)
                if behind is None:
                    return False
                for leaf, (place, item) in [*enumerate(zip(behind, items))][::-1]:
                    name = f"{self.name}_leaf_{leaf}"
                    made: Any = ast.Assign([ast.Name(name, ast.Store())], item, lineno=0)
                    made.of = ends
                    Instead(item, ast.Name(name, ast.Load())).visit(statement)
                    body.insert(place, made)
                return True
        return False

    def is_inside(self, statement: ast.stmt, block: Sequence[Remarked]) -> bool:
        place = position(statement)
        same = place is not None and place[0] == block[0].key[0]
        return same and within(place, block[0].node, block[-1].node)

    def may_be_named(self, body: list[ast.stmt], last: int, names: Sequence[str]) -> bool:
        """Whether the tree may have the user's name, in the place of these of its leaves."""
        given = {root_of(ast.parse(path, mode="eval").body) for path in self.given.held}
        alias = self.given.roots.get(self.name, self.name) != self.name  # of `mu, count = state`
        others = body[last:] if alias or self.name in given else body
        known = {bound for statement in others for bound in mentioned(statement)} - {*names}
        bound = [*stored_anew(body)]
        free = self.name not in known and (alias or self.name not in self.given.roots)
        free = free and legal(self.name) == self.name
        return free and len({*names}) == len(names) and all(bound.count(name) == 1 for name in names)

    def assigned(self, function: ast.expr) -> ast.stmt:
        made: Any = ast.Assign([ast.Name(self.name, ast.Store())], self.called(function), lineno=0)
        made.of = self.user.key
        return made  # type: ignore[no-any-return]

    def replace(
        self, body: list[ast.stmt], first: int, last: int, made: list[ast.stmt], names: Sequence[str]
    ) -> None:
        """Put statements in the place of others, and let what follows read leaves of the tree."""
        whole = ast.Name(self.name, ast.Load())
        for name, path in zip(names, paths(whole, self.tree)):
            for statement in body[last:]:
                Renamed(name, path).visit(statement)
        body[first:last] = made
        self.given.roots[self.name] = self.name
        self.given.held.update(holdings(whole, self.tree))
        self.given.kinds.update([*kinds(whole, self.trees[0], self.tree, self.given.kinds)])
        for statement in body[first + len(made) :]:
            Whole(whole, self.tree, self.trees[0], self.given.kinds).visit(statement)

    def is_mine(self, item: ast.expr) -> bool:
        """Whether an expression is of the user's statement, or of the function that is called there."""
        key = said(item, "of")
        if key in (None, self.user.key) or self.defined is None:
            return key in (None, self.user.key)
        first, last = self.defined.blocks[0][0], self.defined.blocks[0][-1]
        return key[0] == first.key[0] and within(key, first.node, last.node)

    # Where it is part of a statement.

    def of_display(self, body: list[ast.stmt]) -> bool:
        """Of a container that is put together somewhere; before that, if the user gives it a name."""
        for place, statement in enumerate(body):
            for node in walked(statement):
                if isinstance(node, (ast.Dict, ast.List, ast.Tuple)):
                    items = leaves_of(node, self.tree)
                    mine = items is not None and all(map(self.is_mine, items))
                    function = self.alike(items) if mine and items is not None else None
                    if function is None:
                        continue
                    there = ast.Name("_", ast.Load())  # which is no mention of the trees
                    Instead(node, there).visit(statement)
                    named = self.name and self.may_be_named(body, place, ())
                    made = ast.Name(self.name, ast.Load()) if named else self.called(function)
                    Instead(there, made).visit(statement)
                    body[place:place] = [self.assigned(function)] if named else []
                    return True
        return False


def holdings(path: ast.expr, tree: Tree) -> Iterator[tuple[str, Any]]:
    """What containers hold, as it is noted of the arguments."""
    if tree is not None:
        listed = [*tree] == [*range(len(tree))]
        yield unparsed(path), len(tree) if listed else tuple(in_order(tree))
        for key, inner in tree.items():
            yield from holdings(at(path, key), inner)


def kinds(path: ast.expr, of: ast.expr, tree: Tree, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Of which classes containers are, where they are of those of another tree."""
    if tree is not None:
        if (kind := known.get(unparsed(of))) is not None:
            yield unparsed(path), kind
        for key, inner in tree.items():
            yield from kinds(at(path, key), at(of, key), inner, known)


class Whole(Transformer):
    """Says a tree by its name where it is put together again, of the same containers.

    Args:
        of: the tree that it was made of, with lists where that has lists.
        kinds: what is known of that.
    """

    def __init__(self, path: ast.expr, tree: Tree, of: ast.expr, kinds: Mapping[str, str]) -> None:
        self.path = path
        self.tree = tree
        self.of = of
        self.kinds = kinds
        self.leaves = [unparsed(leaf) for leaf in paths(path, tree)]

    def visit_Dict(self, node: Any) -> Any:
        items = leaves_of(node, self.tree)
        if items is not None and [unparsed(item) for item in items] == self.leaves:
            if self.is_of_kind(node, self.of, self.tree):
                return self.path
        return self.generic_visit(node)

    def is_of_kind(self, node: ast.expr, of: ast.expr, tree: Tree) -> bool:
        """Whether lists are put together where there are lists, and tuples where there are tuples."""
        if tree is None:
            return True
        if isinstance(node, ast.Dict):
            inner = zip(node.values, in_order(tree))
        else:
            assert isinstance(node, (ast.List, ast.Tuple))
            if self.kinds.get(unparsed(of)) != ("list" if isinstance(node, ast.List) else "tuple"):
                return False
            inner = zip(node.elts, tree)
        return all(self.is_of_kind(value, at(of, key), tree[key]) for value, key in inner)

    visit_List = visit_Dict
