"""Same: whether two texts of a function are one program, once its loops over known items are gone through.

Law: a text that is printed otherwise than it was planned is held against that plan. Both are run on symbols:
a variable is what it was bound to, an item what the argument holds at its place. What they write, call, test
and return must be the same, in the same order.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from typing import Any

from ....backends.backend import roots
from ...text.unparsing import unparsed
from ...text.walking import walked
from ..written.named_items import stored
from ..written.stated import items_of
from .displays import unbound
from .headers import Given
from .symbols import LISTS, Ended, Env, Symbols, Unclear, Value, Values

#: What a text may say that its plan does not.
WORDS = (*dir(builtins), "tree_map", "tree_leaves")


def is_same(
    before: Sequence[ast.stmt],
    after: Sequence[ast.stmt],
    given: Given,
    arguments: Sequence[str],
    numbers: bool = False,
) -> bool:
    """Whether these statements of a function do what the others do.

    Args:
        numbers: whether what is computed may be a number for other arguments than the example's, as in NumPy.
    """
    values = Values()
    try:
        one = Run(values, given, arguments, numbers).whole(before)
        values.known = {*WORDS, *roots(), *unbound(before)}
        return one == Run(values, given, arguments, numbers).whole(after)
    except Unclear:
        return False


class Run(Symbols):
    """One text that is run on symbols.

    Attributes:
        events: what it writes, calls, tests and returns.
        puts: what it puts into containers that it was given.
    """

    def __init__(self, values: Values, given: Given, arguments: Sequence[str], numbers: bool) -> None:
        super().__init__(values, given, arguments)
        self.numbers = numbers
        #: What is no container of Python's to this, and has been written into.
        self.written: set[Value] = set()

    def whole(self, body: Sequence[ast.stmt]) -> tuple[Any, ...]:
        self.env = {name: self.held(ast.Name(name, ast.Load())) for name in self.arguments}
        self.run(body)
        return tuple(self.events), tuple(sorted(self.puts, key=lambda put: put[0]))

    def held(self, path: ast.expr) -> Value:
        """An argument, or a part of one: a container of its parts where these are known."""
        base = self.path(path)
        found = self.given.held.get(unparsed(path))
        if found is None:
            return base
        keys = found if isinstance(found, tuple) else range(found)
        parts = [self.held(ast.Subscript(path, ast.Constant(key), ast.Load())) for key in keys]
        kind = self.given.kinds.get(unparsed(path), "")
        return self.display(
            found if isinstance(found, tuple) else None, parts, kind if kind in LISTS else "seq"
        )

    # Statements.

    def run(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            getattr(self, f"run_{type(statement).__name__}", self.other)(statement)

    def inside(self, body: Sequence[ast.stmt], env: Env) -> tuple[tuple[Any, ...], Env]:
        """What statements do, and what variables are after them."""
        events, before, self.events, self.env = self.events, self.env, [], dict(env)
        try:
            self.run(body)
        except Ended:
            raise Unclear from None
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
        if parts[0] not in (*LISTS, "dict"):
            self.written.add(whole)
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
            if self.values.parts[whole][0] in (*LISTS, "dict"):
                self.rebind(place.value, self.changed(whole, self.value(place.slice), value))

    def changed(self, whole: Value, key: Value, value: Value) -> Value:
        """A container with another item."""
        kind, *rest = self.values.parts[whole]
        said = self.values.parts[key]
        if kind in LISTS:
            place = int(said[2]) if said[:2] == ("const", "int") else -1
            if not 0 <= place < len(rest):
                raise Unclear
            return self.values.of(kind, *rest[:place], value, *rest[place + 1 :])
        keys, *items = rest
        if key in keys:
            place = keys.index(key)
            return self.values.of("dict", keys, *items[:place], value, *items[place + 1 :])
        return self.values.of("dict", (*keys, key), *items, value)

    def run_AugAssign(self, node: ast.AugAssign) -> None:
        target, value = self.place(node.target), self.value(node.value)
        self.events.append(("write", type(node.op).__name__, target, value))
        number = self.numbers and not getattr(node, "of_array", False)
        if number and isinstance(node.target, ast.Name):
            # The variable is another number then, and what holds the array that it was does not see it.
            self.env[node.target.id] = self.values.of("augmented", type(node.op).__name__, target, value)

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
            case ast.Call(ast.Attribute(place, method), given) if self.is_container(place):
                if method != "append" or len(given) != 1:
                    raise Unclear
                self.events.append(("do", self.value(node.value)))
                items = *self.values.parts[self.value(place)], self.value(given[0])
                self.rebind(place, self.values.of(*items))
            case _:
                self.events.append(("do", self.value(node.value)))

    def run_Delete(self, node: ast.Delete) -> None:
        if any(isinstance(t, ast.Subscript) and self.is_container(t.value) for t in node.targets):
            raise Unclear
        self.other(node)

    def is_container(self, place: ast.expr) -> bool:
        """Whether a variable, or a part of one, is a container of Python's whose items are known."""
        known = isinstance(place, (ast.Name, ast.Subscript)) and self.root(place) in self.env
        return known and self.values.parts[self.value(place)][0] in (*LISTS, "dict")

    def is_list(self, name: str) -> bool:
        mine = name in self.env and name not in self.arguments
        return mine and self.values.parts[self.env[name]][0] == "list"

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
        for part in walked(test):
            if isinstance(part, ast.Compare) and isinstance(part.ops[0], (ast.In, ast.NotIn)):
                self.has_its_keys(part)
        found = self.turn[0].answer(test, self.turn[1])
        if not isinstance(found, bool):
            raise Unclear
        return found

    def has_its_keys(self, asked: ast.Compare) -> None:
        """Where a test asks for a key, the text has put none there, or taken one out, that the source has
        not by then: what it computes it may put there earlier.

        Raises:
            Unclear: where it may have.
        """
        (whole,) = asked.comparators
        value = self.value(whole)
        kind, *rest = self.values.parts[value]
        assert self.turn is not None
        there = self.turn[0].answer(asked, self.turn[1]) == isinstance(asked.ops[0], ast.In)
        if value in self.written or kind == "dict" and (self.value(asked.left) in rest[0]) != there:
            raise Unclear

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
        events, after = self.inside(node.body, inner)
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
