"""Same: whether two texts of a function are one program, once its loops over known items are gone through.

Law: a text that is printed otherwise than it was planned is held against that plan. Both are run on symbols:
a variable is what it was bound to, an item what the argument holds at its place. What they write, call, test
and return must be the same, in the same order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .headers import Given, called, is_leaves
from .named_items import stored
from .stated import items_of

#: A value: the number of an expression, or of what it is put together of.
Value = int
Env = dict[str, Value]
#: What maps a function over trees, as the text calls it.
MAPS = ("tree_map", "jax.tree.map")


class Unclear(Exception):
    """A loop is not what was taken for granted of it."""


class Ended(Exception):
    """A turn ends before its last statement."""


class Values:
    """Numbers for expressions; equal ones have one."""

    def __init__(self) -> None:
        self.numbers: dict[Any, Value] = {}
        self.parts: list[Any] = []

    def of(self, *parts: Any) -> Value:
        if parts not in self.numbers:
            self.numbers[parts] = len(self.parts)
            self.parts.append(parts)
        return self.numbers[parts]


def is_same(
    before: Sequence[ast.stmt], after: Sequence[ast.stmt], given: Given, arguments: Sequence[str]
) -> bool:
    """Whether these statements of a function do what the others do."""
    values = Values()
    try:
        one, other = (Run(values, given, arguments).whole(body) for body in (before, after))
    except Unclear:
        return False
    return one == other


class Run:
    """One text that is run on symbols.

    Attributes:
        events: what it writes, calls, tests and returns.
        puts: what it puts into containers that it was given.
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

    def whole(self, body: Sequence[ast.stmt]) -> tuple[Any, ...]:
        self.env = {name: self.held(ast.Name(name, ast.Load())) for name in self.arguments}
        self.run(body)
        return tuple(self.events), tuple(sorted(self.puts, key=lambda put: put[0]))

    def held(self, path: ast.expr) -> Value:
        """An argument, or a part of one: a container of its parts where these are known."""
        base = self.path(path)
        found = self.given.held.get(ast.unparse(path))
        if found is None:
            return base
        keys = found if isinstance(found, tuple) else range(found)
        parts = [self.held(ast.Subscript(path, ast.Constant(key), ast.Load())) for key in keys]
        return self.display(found if isinstance(found, tuple) else None, parts)

    def path(self, path: ast.expr) -> Value:
        if isinstance(path, ast.Subscript):
            return self.values.of("sub", self.path(path.value), self.constant(path.slice.value))  # type: ignore[attr-defined]
        return self.values.of("name", ast.unparse(path))

    def constant(self, value: Any) -> Value:
        return self.values.of("const", type(value).__name__, repr(value))

    def display(self, keys: Sequence[Any] | None, parts: Sequence[Value]) -> Value:
        if keys is None:
            return self.values.of("seq", *parts)
        return self.values.of("dict", tuple(self.constant(key) for key in keys), *parts)

    # Statements.

    def run(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            getattr(self, f"run_{type(statement).__name__}", self.other)(statement)

    def inside(self, body: Sequence[ast.stmt], env: Env) -> tuple[tuple[Any, ...], Env]:
        """What statements do, and what variables are after them."""
        events, before, self.events, self.env = self.events, self.env, [], dict(env)
        self.run(body)
        found = tuple(self.events), self.env
        self.events, self.env = events, before
        return found

    def other(self, node: ast.stmt) -> None:
        self.events.append(self.generic(node))

    def run_Pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def run_Continue(self, node: ast.Continue) -> None:
        raise Ended

    def run_Assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self.bind(target, value)

    def bind(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.env[target.id] = value
        elif items_of(target):
            for place, item in enumerate(items_of(target)):
                self.bind(item, self.item(value, self.constant(place)))
        elif isinstance(target, ast.Subscript):
            self.put(target, value)
        else:
            self.events.append(("set", self.generic(target), value))

    def put(self, target: ast.Subscript, value: Value) -> None:
        """An item of a container is another from now on; what is no container of Python's is written into."""
        whole, key = self.value(target.value), self.value(target.slice)
        parts = self.values.parts[whole]
        if parts[0] not in ("seq", "dict"):
            self.events.append(("set", whole, key, value))
            return
        changed = self.changed(whole, key, value)
        self.rebind(target.value, changed)
        if self.root(target.value) in self.arguments:
            self.puts.append((self.path_of(target.value), key, value))

    def root(self, node: ast.expr) -> str:
        while isinstance(node, (ast.Subscript, ast.Attribute)):
            node = node.value
        return node.id if isinstance(node, ast.Name) else ""

    def path_of(self, node: ast.expr) -> str:
        """How the text says a container; that of an item by its value, whatever it is called."""
        if isinstance(node, ast.Name):
            return node.id
        assert isinstance(node, (ast.Subscript, ast.Attribute))
        place = self.value(node.slice) if isinstance(node, ast.Subscript) else node.attr
        return f"{self.path_of(node.value)}[{place}]"

    def rebind(self, place: ast.expr, value: Value) -> None:
        """Let a variable, or an item of one, hold another value."""
        if isinstance(place, ast.Name):
            self.env[place.id] = value
        elif isinstance(place, ast.Subscript):
            whole = self.value(place.value)
            if self.values.parts[whole][0] in ("seq", "dict"):
                self.rebind(place.value, self.changed(whole, self.value(place.slice), value))

    def changed(self, whole: Value, key: Value, value: Value) -> Value:
        """A container with another item."""
        kind, *rest = self.values.parts[whole]
        said = self.values.parts[key]
        if kind == "seq":
            place = int(said[2]) if said[:2] == ("const", "int") else -1
            if not 0 <= place < len(rest):
                raise Unclear
            return self.values.of("seq", *rest[:place], value, *rest[place + 1 :])
        keys, *items = rest
        if key in keys:
            place = keys.index(key)
            return self.values.of("dict", keys, *items[:place], value, *items[place + 1 :])
        return self.values.of("dict", (*keys, key), *items, value)

    def run_AugAssign(self, node: ast.AugAssign) -> None:
        target = self.place(node.target)
        self.events.append(("write", type(node.op).__name__, target, self.value(node.value)))

    def place(self, target: ast.expr) -> Any:
        """What is written into: an array, whole or a part of it."""
        if isinstance(target, ast.Subscript):
            if isinstance(target.slice, ast.Constant) and target.slice.value is ...:
                return self.value(target.value)
            return self.item(self.value(target.value), self.value(target.slice))
        return self.value(target)

    def run_Expr(self, node: ast.Expr) -> None:
        match node.value:
            case ast.Call(ast.Attribute(ast.Name(name), "append"), [item]) if self.is_list(name):
                self.env[name] = self.values.of(*self.values.parts[self.env[name]], self.value(item))
            case ast.Call(ast.Attribute(ast.Name(name), "reverse"), []) if self.is_list(name):
                kind, *items = self.values.parts[self.env[name]]
                self.env[name] = self.values.of(kind, *items[::-1])
            case _:
                self.events.append(("do", self.value(node.value)))

    def is_list(self, name: str) -> bool:
        mine = name in self.env and name not in self.arguments
        return mine and self.values.parts[self.env[name]][0] == "seq"

    def run_Return(self, node: ast.Return) -> None:
        self.events.append(("return", None if node.value is None else self.value(node.value)))

    def run_If(self, node: ast.If) -> None:
        test: ast.expr = node.test
        if (decided := getattr(node, "decided", None)) is not None:
            parts = test.values if isinstance(test, ast.BoolOp) and len(decided) > 1 else [test]
            holds = all(self.decides(part) for part, static in zip(parts, decided) if static)
            dynamic = [part for part, static in zip(parts, decided) if not static]
            if not holds or not dynamic:
                self.run(node.body if holds else node.orelse)
                return
            test = dynamic[0] if len(dynamic) == 1 else ast.BoolOp(ast.And(), dynamic)
        asked = self.value(test)
        if (known := self.known(asked)) is not None:
            self.run(node.body if known else node.orelse)
            return
        ways = [self.inside(body, self.env) for body in (node.body, node.orelse)]
        for name in {name for _, env in ways for name in env}:
            one, other = (env.get(name) for _, env in ways)
            same = one == other and one is not None
            self.env[name] = one if same else self.values.of("or", asked, one, other)  # type: ignore[assignment]
        if any(events for events, _ in ways):
            self.events.append(("if", asked, *(events for events, _ in ways)))

    def decides(self, test: ast.expr) -> bool:
        """What Python said of a test while tracing, in this turn."""
        if self.turn is None:
            raise Unclear
        found = self.turn[0].answer(test, self.turn[1])
        if not isinstance(found, bool):
            raise Unclear
        return found

    def run_For(self, node: ast.For) -> None:
        rolled = getattr(node, "rolled", None)
        if rolled is None:
            self.loop(node, [node.target])
            return
        given = self.items(node.target, node.iter)
        around = self.turn
        for turn, items in enumerate(given):
            self.turn = rolled, turn
            for name, value in items.items():
                self.env[name] = value
            try:
                self.run(node.body)
            except Ended:
                continue
        self.turn = around

    def items(self, target: ast.expr, iterated: ast.expr) -> Iterator[Env]:
        """What the names of a header are in each turn, of what is gone through as it is then."""
        found = called(target, iterated, self.given.held, ordered=self.given.ordered)
        if found is None:
            raise Unclear
        for turn in range(len(next(iter(found.values())))):
            yield {name: self.value(each[turn]) for name, each in found.items()}

    def run_While(self, node: ast.While) -> None:
        self.loop(node, [])

    def loop(self, node: Any, targets: Sequence[ast.expr]) -> None:
        """A loop of which nobody knows how often it turns: what it binds is another value in each turn."""
        head = None if isinstance(node, ast.While) else self.value(node.iter)
        bound = (name for target in targets for name in stored([ast.Expr(target)]))
        names = list(dict.fromkeys([*stored(node.body), *bound]))
        inner = dict(self.env)
        before = tuple(self.env.get(name) for name in names)
        inner.update({name: self.values.of("turn", number) for number, name in enumerate(names)})
        self.env, around = inner, self.env
        test = self.value(node.test) if isinstance(node, ast.While) else None
        self.env = around
        try:
            events, after = self.inside(node.body, inner)
        except Ended:
            raise Unclear from None
        made = ("loop", head, test, before, tuple(after[name] for name in names), events)
        self.events.append(made)
        self.env.update({name: self.values.of("after", made, number) for number, name in enumerate(names)})
        self.run(node.orelse)

    def run_FunctionDef(self, node: ast.FunctionDef) -> None:
        if hasattr(node, "rolled"):
            self.env[node.name] = made = self.values.of("mapped", node.name, len(self.functions))
            self.functions[made] = node
            return
        arguments = [arg.arg for arg in node.args.args]
        inner = {**self.env, **{name: self.values.of("given", place) for place, name in enumerate(arguments)}}
        events, _ = self.inside(node.body, inner)
        defaults = tuple(self.value(each) for each in node.args.defaults)
        self.env[node.name] = self.values.of("function", len(arguments), defaults, events)

    # Expressions.

    def known(self, value: Value) -> Any:
        """The constant that a value is; None where it is none."""
        kind, *rest = self.values.parts[value]
        return ast.literal_eval(rest[1]) if kind == "const" and rest[0] in ("int", "bool") else None

    def of_BinOp(self, node: ast.BinOp) -> Value:
        """What is computed of the places of items is a place."""
        left, right = (self.known(self.value(side)) for side in (node.left, node.right))
        if isinstance(node.op, (ast.Add, ast.Sub)) and type(left) is int and type(right) is int:
            return self.constant(left + right if isinstance(node.op, ast.Add) else left - right)
        return self.generic(node)

    def of_Compare(self, node: ast.Compare) -> Value:
        sides = [self.known(self.value(side)) for side in (node.left, *node.comparators)]
        if len(sides) == 2 and all(type(side) is int for side in sides):
            asked = ast.Compare(ast.Constant(sides[0]), node.ops, [ast.Constant(sides[1])])
            return self.constant(eval(ast.unparse(asked), {"__builtins__": {}}))
        return self.generic(node)

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
        return self.env[node.id] if node.id in self.env else self.values.of("name", node.id)

    def of_Constant(self, node: ast.Constant) -> Value:
        return self.constant(node.value)

    def of_BoolOp(self, node: ast.BoolOp) -> Value:
        """An `and` without what is True anyhow."""
        true = self.constant(True)
        parts = [part for part in map(self.value, node.values) if isinstance(node.op, ast.Or) or part != true]
        return parts[0] if len(parts) == 1 else self.values.of(type(node.op).__name__, *parts)

    def of_List(self, node: ast.List | ast.Tuple) -> Value:
        return self.display(None, [self.value(item) for item in node.elts])

    of_Tuple = of_List

    def of_Dict(self, node: ast.Dict) -> Value:
        keys = tuple(self.value(key) if key is not None else -1 for key in node.keys)
        return self.values.of("dict", keys, *map(self.value, node.values))

    def of_Subscript(self, node: ast.Subscript) -> Value:
        return self.item(self.value(node.value), self.value(node.slice))

    def item(self, whole: Value, key: Value) -> Value:
        kind, *rest = self.values.parts[whole]
        said = self.values.parts[key]
        if kind == "seq" and said[:2] == ("const", "int") and -len(rest) <= int(said[2]) < len(rest):
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
        return self.display(None, [row[0] for row in rows])

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
            case ast.Call(ast.Name("list" | "tuple" | "dict"), [one], []):
                found = self.value(one)
                if self.values.parts[found][0] in ("seq", "dict"):
                    return found
            case ast.Call(ast.Name("len"), [one], []):
                kind, *items = self.values.parts[self.value(one)]
                if kind in ("seq", "dict"):
                    return self.constant(len(items) - (kind == "dict"))
            case ast.Call(ast.Name("sum"), [one], []):
                found = self.value(one)
                if self.values.parts[found][0] == "seq":
                    return self.added(self.values.parts[found][1:])
            case _ if is_leaves(node):
                return self.display(None, self.leaves(self.value(node.args[0])))
            case ast.Call(maps, [function, *trees], []) if ast.unparse(maps) in MAPS:
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
        if kind == "seq":
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
        if self.values.parts[known][0] == "seq":
            return self.values.of("seq", *made)
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
