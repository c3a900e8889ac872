"""Symbols: what the expressions of a text come to, if variables are what they were bound to; see same.py."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...text.unparsing import unparsed
from ...text.walking import walked
from ..written.named_items import stored
from ..written.stated import is_path
from .headers import Given, called, is_leaves, maps

#: The number of an expression, or of what it is put together of.
Value = int
Env = dict[str, Value]
#: What holds items in their order; "seq" where nobody knows whether it is a list or a tuple.
LISTS = ("list", "tuple", "seq")


class Unclear(Exception):
    """A loop is not what was taken for granted of it."""


class Ended(Exception):
    """A turn ends before its last statement."""


class Values:
    """Numbers for expressions; equal ones have one.

    Attributes:
        known: the names that are read though nothing has bound them, where no others may be.
    """

    def __init__(self) -> None:
        self.known: set[str] | None = None
        self.numbers: dict[Any, Value] = {}
        self.parts: list[Any] = []

    def of(self, *parts: Any) -> Value:
        if parts not in self.numbers:
            self.numbers[parts] = len(self.parts)
            self.parts.append(parts)
        return self.numbers[parts]


class Symbols:
    """What expressions come to.

    Attributes:
        env: what variables are.
        events: what is written, called, tested and returned.
        puts: what is put into containers that were given.
    """

    def __init__(self, values: Values, given: Given, arguments: Sequence[str]) -> None:
        self.values = values
        self.given = given
        self.arguments = frozenset(arguments)
        self.events: list[Any] = []
        self.puts: list[Any] = []
        self.env: Env = {}
        #: The turn that is run, and what decides its tests.
        self.turn: tuple[Any, int] | None = None
        #: The functions that are called leaf by leaf, and how often they have been.
        self.functions: dict[Value, Any] = {}
        self.calls: dict[Value, int] = {}

    def run(self, body: Sequence[ast.stmt]) -> None:
        raise NotImplementedError

    def path(self, path: ast.expr) -> Value:
        if isinstance(path, ast.Subscript):
            return self.values.of("sub", self.path(path.value), self.constant(path.slice.value))  # type: ignore[attr-defined]
        return self.values.of("name", unparsed(path))

    def constant(self, value: Any) -> Value:
        return self.values.of("const", type(value).__name__, repr(value))

    def display(self, keys: Sequence[Any] | None, parts: Sequence[Value], kind: str = "list") -> Value:
        if keys is None:
            return self.values.of(kind, *parts)
        return self.values.of("dict", tuple(self.constant(key) for key in keys), *parts)

    def items(self, target: ast.expr, iterated: ast.expr) -> Iterator[Env]:
        """What the names of a header are in each turn, of what is gone through as it is then."""
        found = called(target, iterated, self.given.held, ordered=self.given.ordered)
        if found is None or not all(map(self.is_as_given, walked(iterated))):
            raise Unclear
        for turn in range(len(next(iter(found.values())))):
            yield {name: self.value(each[turn]) for name, each in found.items()}

    def is_as_given(self, node: ast.AST) -> bool:
        """Whether a container has as many items, or the keys, that it came with: none was added."""
        held = self.given.held.get(unparsed(node)) if is_path(node) or isinstance(node, ast.Name) else None
        kind, *rest = self.values.parts[self.value(node)] if held is not None else ("",)
        if kind == "dict" and isinstance(held, tuple):
            return [*rest[0]] == [*map(self.constant, held)]
        return kind not in LISTS or len(rest) == held

    def known(self, value: Value) -> Any:
        """The constant that a value is; None where it is none."""
        kind, *rest = self.values.parts[value]
        return ast.literal_eval(rest[1]) if kind == "const" and rest[0] in ("int", "bool") else None

    def of_BinOp(self, node: ast.BinOp) -> Value:
        """What is computed of the places of items is a place."""
        sides = self.value(node.left), self.value(node.right)
        left, right = map(self.known, sides)
        if isinstance(node.op, (ast.Add, ast.Sub)) and type(left) is int and type(right) is int:
            return self.constant(left + right if isinstance(node.op, ast.Add) else left - right)
        return self.values.of("BinOp", sides[:1], (self.value(node.op),), sides[1:])

    def of_Compare(self, node: ast.Compare) -> Value:
        first, *others = map(self.value, (node.left, *node.comparators))
        sides = [*map(self.known, (first, *others))]
        if len(sides) == 2 and all(type(side) is int for side in sides):
            asked = ast.Compare(ast.Constant(sides[0]), node.ops, [ast.Constant(sides[1])])
            return self.constant(eval(unparsed(asked), {"__builtins__": {}}))
        return self.values.of("Compare", (first,), tuple(map(self.value, node.ops)), tuple(others))

    def value(self, node: ast.AST) -> Value:
        return getattr(self, f"of_{type(node).__name__}", self.generic)(node)

    def generic(self, node: Any) -> Value:
        parts: list[Any] = [type(node).__name__]
        for name, field in ast.iter_fields(node):
            if name in ("ctx", "type_comment"):
                continue
            several = field if isinstance(field, list) else [field]
            parts.append(tuple(self.value(f) if isinstance(f, ast.AST) else repr(f) for f in several))
        return self.values.of(*parts)

    def of_Name(self, node: ast.Name) -> Value:
        if node.id not in self.env and self.values.known is not None and node.id not in self.values.known:
            raise Unclear
        return self.env[node.id] if node.id in self.env else self.values.of("name", node.id)

    def of_Constant(self, node: ast.Constant) -> Value:
        return self.constant(node.value)

    def of_BoolOp(self, node: ast.BoolOp) -> Value:
        """An `and` without what is True anyhow."""
        true = self.constant(True)
        parts = [part for part in map(self.value, node.values) if isinstance(node.op, ast.Or) or part != true]
        return parts[0] if len(parts) == 1 else self.values.of(type(node.op).__name__, *parts)

    def of_IfExp(self, node: ast.IfExp) -> Value:
        """One side where Python decided which while tracing."""
        if not hasattr(node, "decided"):
            return self.generic(node)
        return self.value(node.body if self.decides(node.test) else node.orelse)

    def decides(self, test: ast.expr) -> bool:
        raise NotImplementedError

    def of_List(self, node: ast.List) -> Value:
        return self.display(None, [self.value(item) for item in node.elts])

    def of_Tuple(self, node: ast.Tuple) -> Value:
        return self.display(None, [self.value(item) for item in node.elts], "tuple")

    def of_Dict(self, node: ast.Dict) -> Value:
        keys = tuple(self.value(key) if key is not None else -1 for key in node.keys)
        return self.values.of("dict", keys, *map(self.value, node.values))

    def of_Subscript(self, node: ast.Subscript) -> Value:
        return self.item(self.value(node.value), self.value(node.slice))

    def item(self, whole: Value, key: Value) -> Value:
        kind, *rest = self.values.parts[whole]
        said = self.values.parts[key]
        if kind in LISTS and said[:2] == ("const", "int"):
            if not -len(rest) <= int(said[2]) < len(rest):
                raise Unclear
            return rest[int(said[2])]  # type: ignore[no-any-return]
        if kind == "dict" and key in rest[0]:
            return rest[1 + rest[0].index(key)]  # type: ignore[no-any-return]
        return self.values.of("sub", whole, key)

    def of_Lambda(self, node: ast.Lambda) -> Value:
        names = [arg.arg for arg in node.args.args]
        given = [self.values.of("given", place) for place in range(len(names))]
        found = self.with_names(names, given, node.body)
        return self.values.of("lambda", len(names), found)

    def with_names(self, names: Sequence[str], values: Sequence[Value], body: ast.expr) -> Value:
        around, self.env = self.env, {**self.env, **dict(zip(names, values))}
        found = self.value(body)
        self.env = around
        return found

    def of_ListComp(self, node: Any) -> Value:
        rows = self.comprehended(node)
        if rows is None:
            return self.unknown_comprehension(node)
        kind = "list" if isinstance(node, ast.ListComp) else "seq"
        return self.display(None, [row[0] for row in rows], kind)

    of_GeneratorExp = of_ListComp

    def of_DictComp(self, node: ast.DictComp) -> Value:
        rows = self.comprehended(node)
        if rows is None:
            return self.unknown_comprehension(node)
        return self.values.of("dict", tuple(row[0] for row in rows), *(row[1] for row in rows))

    def comprehended(self, node: Any) -> list[list[Value]] | None:
        """What a comprehension over known items gives in each turn."""
        decided = getattr(node, "rolled", None)
        if decided is None:
            return None
        (loop,) = node.generators
        said = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        rows = []
        for turn, items in enumerate(self.items(loop.target, loop.iter)):
            if all(decided.answer(test, turn) is True for test in loop.ifs):
                names, values = [*items], [*items.values()]
                rows.append([self.with_names(names, values, part) for part in said])
        return rows

    def unknown_comprehension(self, node: Any) -> Value:
        around, parts = dict(self.env), []
        for number, loop in enumerate(node.generators):
            parts.append(self.value(loop.iter))
            names = list(dict.fromkeys(stored([ast.Expr(loop.target)])))
            self.env.update({name: self.values.of("each", number, place) for place, name in enumerate(names)})
            parts += [self.generic(loop.target), *map(self.value, loop.ifs)]
        said = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        parts += [self.value(part) for part in said]
        self.env = around
        return self.values.of(type(node).__name__, *parts)

    def of_Call(self, node: ast.Call) -> Value:
        match node:
            case ast.Call(ast.Name("list" | "tuple" as name), [one], []):
                kind, *items = self.values.parts[self.value(one)]
                if kind in LISTS:
                    return self.values.of(name, *items)
            case ast.Call(ast.Name("dict"), [one], []):
                if self.values.parts[found := self.value(one)][0] == "dict":
                    return found
            case ast.Call(ast.Name("len"), [one], []):
                kind, *items = self.values.parts[self.value(one)]
                if kind in (*LISTS, "dict"):
                    return self.constant(len(items) - (kind == "dict"))
            case ast.Call(ast.Name("sum"), [one], []):
                found = self.value(one)
                if self.values.parts[found][0] in LISTS:
                    return self.added(self.values.parts[found][1:])
            case _ if is_leaves(node):
                return self.display(None, self.leaves(self.value(node.args[0])))
            case ast.Call(_, [function, *trees], []) if maps(node):
                return self.mapped(function, [self.value(tree) for tree in trees])
        return self.generic(node)

    def added(self, items: Sequence[Value]) -> Value:
        total = self.constant(0)
        for item in items:
            total = self.values.of("BinOp", (total,), (self.values.of("Add"),), (item,))
        return total

    # Trees.

    def inner(self, tree: Value) -> Mapping[Value, Value] | None:
        """The items of a container by their keys, of dicts in the order of these."""
        kind, *rest = self.values.parts[tree]
        if kind in LISTS:
            return {self.constant(place): item for place, item in enumerate(rest)}
        if kind == "dict":
            return dict(sorted(zip(rest[0], rest[1:]), key=lambda pair: str(self.values.parts[pair[0]])))
        return None

    def leaves(self, tree: Value) -> list[Value]:
        items = self.inner(tree)
        return [tree] if items is None else [leaf for item in items.values() for leaf in self.leaves(item)]

    def mapped(self, function: ast.expr, trees: Sequence[Value]) -> Value:
        """What a function makes of trees leaf by leaf."""
        inner = [self.inner(tree) for tree in trees]
        known = next((tree for tree, items in zip(trees, inner) if items is not None), None)
        if known is None:
            return self.applied(function, trees)
        keys = [*(self.inner(known) or {})]
        rows = ([self.item(tree, key) for tree in trees] for key in keys)
        made = [self.mapped(function, row) for row in rows]
        if (kind := self.values.parts[known][0]) in LISTS:
            return self.values.of(kind, *made)
        return self.values.of("dict", tuple(keys), *made)

    def applied(self, function: ast.expr, values: Sequence[Value]) -> Value:
        """What a function gives of these."""
        if isinstance(function, ast.Lambda):
            return self.with_names([arg.arg for arg in function.args.args], values, function.body)
        called = self.value(function)
        if (node := self.functions.get(called)) is None:
            return self.values.of("Call", (called,), tuple(values), ())
        around, before = self.env, self.turn
        self.env = {**self.env, **dict(zip([arg.arg for arg in node.args.args], values))}
        self.turn = node.rolled, self.calls.get(called, 0)
        self.calls[called] = self.calls.get(called, 0) + 1
        *body, last = node.body
        self.run(body)
        found = self.value(last.value)
        self.turn, self.env = before, around
        return found
