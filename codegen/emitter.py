"""Emitter: a lowered Program -> the statements of one function, as an `ast` tree. codegen/layout.py makes it
text.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Sequence
from typing import Any

from ..backends.filling import CannotSay, Written, operation
from ..backends.phrase import OPERATORS
from ..backends.typing import Operand
from ..backends.writer import Writer
from ..ir.dtypes import PYTHON
from ..ir.errors import UnsupportedError
from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.program import operand_specs
from ..ir.regions import Function, cond, guard
from ..ir.spec import Spec
from ..ir.static import Scalar
from ..ir.tree import is_record
from .guards import checks, facts
from .names import Names
from .scaffold import Scaffold, nested_in, own_name, part, plan, unpacks, whole

#: How long the right side of a statement may be before parts of it get lines of their own.
LINE = 70
PYTHON_OPERATORS = set(OPERATORS.values())


class Emitter:
    """Writes one function, or one branch of it. `functions` names the user's functions that it calls."""

    def __init__(self, graph: Graph, module: Any, names: Names) -> None:
        self.graph = graph
        self.module = module
        self.names = names
        self.writer = Writer(module.target, self.value, module.imports, module.helpers)
        self.known: dict[Node, Written] = {}
        self.parts: dict[Node, list[str]] = {}
        self.spelling_out = False

    # Statements.

    def statements(self, made: Scaffold | None = None) -> list[ast.stmt]:
        """The body, in the order of the plan; of a branch, without what it yields."""
        made = made or plan(self.graph)
        for node in self.graph.placeholders:
            name = node.target.lstrip("*") if isinstance(node.target, str) else ""
            if self.graph.output_node.target == "output" and name in self.names.until:
                self.names.until[name] = made.until.get(node, -1)
        body: list[ast.stmt] = []
        for number, node in made.statements:
            if node.op == "output":
                if node.target != "yield":
                    body += [*self.hoisted(node, number, made), self.leave(node)]
            elif node.target is guard:
                continue
            elif node.target is cond:
                body += self.cond(node, number, made)
            else:
                body += self.hoisted(node, number, made)
                body.append(self.assign(node, made.wanted[node], number, made))
        return [*self.guards(), *body]

    def guards(self) -> list[ast.stmt]:
        """The checks of what was looked at in this graph."""
        return checks(self.module.function_name, facts(self.graph, self.fact), self.writer.literal)

    def assign(self, node: Node, wanted: tuple[str, ...], number: float, made: Scaffold) -> ast.stmt:
        expr, operand = self.expression(node)
        until = made.until.get(node, number)
        if len(wanted) == 1 and (not isinstance(node.spec, tuple) or not unpacks(node)):
            name = self.names.give(wanted[0], node, number, until)
            self.known[node] = ast.Name(name, ast.Load()), operand
            return ast.Assign([ast.Name(name, ast.Store())], expr)
        ends: dict[int, float] = {user.args[1]: 0 for user in node.users if part(user)}
        for user in node.users:
            if part(user):
                ends[user.args[1]] = max(ends[user.args[1]], made.until.get(user, number))
        names = [
            self.names.give(w, node, number, ends[i]) if i in ends else "_" for i, w in enumerate(wanted)
        ]
        self.parts[node] = names
        target = ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())
        return ast.Assign([target], expr)

    def hoisted(self, node: Node, number: int, made: Scaffold) -> list[ast.stmt]:
        """Statements for what a line that would be long spells out by lowering: a mean or maximum that is
        broadcast again, as one would write it on a line of its own.
        """
        apart = [inner for inner in nested_in(node, made.wanted) if aggregate(inner)]
        if not apart:
            return []
        expr = self.tree(node.args[0]) if node.op == "output" else self.expression(node)[0]
        if len(ast.unparse(expr)) <= LINE:
            return []
        made.until |= dict.fromkeys(apart, number)
        return [self.assign(inner, (own_name(inner),), number - 0.5, made) for inner in apart]

    def leave(self, node: Node) -> ast.stmt:
        return ast.Return(self.tree(node.args[0]))

    def fact(self, node: Node) -> str:
        """A static value in terms of the function's arguments alone, for a check at its top."""
        self.spelling_out = True
        try:
            return ast.unparse(self.value(node)[0])
        finally:
            self.spelling_out = False

    def cond(self, node: Node, number: int, made: Scaffold) -> list[ast.stmt]:
        """A static `if`: each side assigns the names that are read afterwards."""
        predicate, then, orelse, operands = node.args
        sides = [self.branch(p, operands) for p in made.branches[node]]
        until = made.until.get(node, number)
        names = []
        for i, wanted in enumerate(made.wanted[node]):
            carried = [
                n for n in (self.carried(graph, operands, i) for graph in (then, orelse)) if n is not None
            ]
            if carried and self.names.until.get(carried[0], 0) <= number:
                names.append(self.names.reserve(carried[0], node, until))
            else:
                names.append(self.names.give(wanted, node, number, until))
        self.parts[node] = names
        bodies = [emitter.yields(body, emitter.graph, names) for emitter, body in sides]
        test = self.tree(predicate)
        if not bodies[0]:
            return [ast.If(negated(test), bodies[1], [])] if bodies[1] else []
        return [ast.If(test, bodies[0], bodies[1])]

    def carried(self, graph: Graph, operands: Sequence[Any], index: int) -> str | None:
        """The outer name of the value that a branch hands through unchanged, if it bears the result's name
        already.
        """
        value = graph.output_node.args[0][index]
        if isinstance(value, Node) and value.op == "placeholder":
            outer = operands[graph.placeholders.index(value)]
            expr = self.value(outer)[0]
            return expr.id if isinstance(expr, ast.Name) else None
        return None

    def branch(self, planned: Scaffold, operands: Sequence[Any]) -> tuple[Emitter, list[ast.stmt]]:
        inner = Emitter(planned.graph, self.module, self.names)
        for placeholder, outer in zip(planned.graph.placeholders, operands):
            inner.known[placeholder] = self.value(outer)
        return inner, inner.statements(planned)

    def yields(self, body: list[ast.stmt], graph: Graph, names: Sequence[str]) -> list[ast.stmt]:
        """`body`, then the assignments of what the branch yields to the names of the result."""
        pairs = []
        for name, value in zip(names, graph.output_node.args[0]):
            expr = self.tree(value)
            if not (isinstance(expr, ast.Name) and expr.id == name):
                pairs.append((name, expr))
        written = [name for name, _ in pairs]
        clash = any(
            isinstance(inner, ast.Name) and inner.id in written[:i]
            for i, (_, expr) in enumerate(pairs)
            for inner in ast.walk(expr)
        )
        if clash:
            target = ast.Tuple([ast.Name(n, ast.Store()) for n in written], ast.Store())
            return [*body, ast.Assign([target], ast.Tuple([e for _, e in pairs], ast.Load()))]
        return [*body, *(ast.Assign([ast.Name(n, ast.Store())], e) for n, e in pairs)]

    # Expressions.

    def value(self, node: Node) -> Written:
        """A node where it is used: its name, or its expression."""
        found = self.known.get(node)
        if found is not None and not (self.spelling_out and node.op != "placeholder"):
            return found
        if part(node) and node.args[0] in self.parts and not self.spelling_out:
            spec = node.spec
            return ast.Name(self.parts[node.args[0]][node.args[1]], ast.Load()), operand_of(spec)
        return self.expression(node)

    def expression(self, node: Node) -> Written:
        """What a node computes.

        Raises:
            UnsupportedError: where the target cannot say it.
        """
        try:
            return self.computed(node)
        except CannotSay as error:
            raise UnsupportedError(
                self.module.operation(node),
                backend=self.module.target.name,
                why=str(error),
                span=node.span,
                hint=error.hint,
            ) from None

    def computed(self, node: Node) -> Written:
        target = node.target
        if node.op == "get_attr":
            return ast.Name(node.target, ast.Load()), operand_of(node.spec)
        if isinstance(target, Op) and not target.static:
            return self.writer.write(node)
        if isinstance(target, Function):
            name = self.module.function(target)
            args = [self.tree(a) for a in node.args]
            extra = [ast.keyword(c, ast.Name(c, ast.Load())) for c in self.module.constants(target.graph)]
            return ast.Call(ast.Name(name, ast.Load()), args, extra), operand_of(node.spec)
        return self.python(node), operand_of(node.spec)

    def python(self, node: Node) -> ast.expr:
        """Plain Python on static values, and items of containers."""
        target = node.target
        if target is getattr:
            return ast.Attribute(self.tree(node.args[0]), node.args[1], ast.Load())
        if target is operator.getitem:
            return self.item(node)
        name = getattr(target, "__name__", "")
        if getattr(target, "__module__", "") == "_operator":
            args = [self.tree(a) for a in node.args]
            if target is operator.is_not:
                return ast.Compare(args[0], [ast.IsNot()], [args[1]])
            if target is operator.is_:
                return ast.Compare(args[0], [ast.Is()], [args[1]])
            if target is operator.not_:
                return ast.UnaryOp(ast.Not(), args[0])
            return operation(name if name in PYTHON_OPERATORS else name + "_", args)
        args = [self.tree(a) for a in node.args]
        function: ast.expr = ast.Name(name, ast.Load())
        if getattr(target, "__module__", "") == "math":
            function = self.writer.name(f"math.{name}")
        return ast.Call(function, args, [])

    def item(self, node: Node) -> ast.expr:
        whole, key = node.args
        expr = self.value(whole)[0] if isinstance(whole, Node) else self.tree(whole)
        fields = self.fields(whole)
        if fields and isinstance(key, int):
            return ast.Attribute(expr, fields[key], ast.Load())
        return ast.Subscript(expr, self.tree(key), ast.Load())

    def fields(self, whole: Any) -> tuple[str, ...]:
        """The names of a namedtuple's items, by which they are read."""
        if isinstance(whole, Node) and whole.op == "placeholder":
            return tuple(whole.meta.get("fields", ()))
        if isinstance(whole, Node) and isinstance(whole.target, Function):
            returned = whole.target.graph.output_node.args[0]
            return tuple(getattr(returned, "_fields", ()))
        if isinstance(whole, Node) and isinstance(whole.target, Op):
            phrase = self.writer.case(whole.target, whole.kwargs, operand_specs(whole.target, whole.args))
            return phrase.fields if phrase is not None else ()
        return ()

    def tree(self, value: Any) -> ast.expr:
        """A nested value with nodes in it."""
        if isinstance(value, Node):
            return self.value(value)[0]
        call = whole(value)
        if call is not None and call not in self.parts:
            return self.value(call)[0]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            name = self.module.namedtuple(type(value))
            if name is None:
                return ast.Tuple([self.tree(v) for v in value], ast.Load())
            return ast.Call(ast.Name(name, ast.Load()), [self.tree(v) for v in value], [])
        if is_record(value):
            items = [ast.keyword(n, self.tree(getattr(value, n))) for n in value.__dataclass_fields__]
            return ast.Call(ast.Name(self.module.record(type(value)), ast.Load()), [], items)
        if isinstance(value, tuple):
            return ast.Tuple([self.tree(v) for v in value], ast.Load())
        if isinstance(value, list):
            return ast.List([self.tree(v) for v in value], ast.Load())
        if isinstance(value, dict):
            return ast.Dict([self.writer.literal(k) for k in value], [self.tree(v) for v in value.values()])
        if isinstance(value, slice):
            parts = [None if p is None else self.tree(p) for p in (value.start, value.stop, value.step)]
            return ast.Slice(*parts)
        return self.writer.literal(value)


def aggregate(node: Node) -> bool:
    """Whether lowering made this reduction, which keeps its axes so that it fits what it was made of."""
    return bool(node.kwargs.get("keepdims")) and node.meta.get("for") is None


def operand_of(spec: Any) -> Operand:
    """What the target makes of a name that bears a value of this spec."""
    if isinstance(spec, Scalar):
        return Operand(0, PYTHON.get(spec.type), "python", None)
    if isinstance(spec, Spec):
        return Operand(spec.rank, spec.dtype, "array")
    return Operand(None, None, "array")


def negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        swapped = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}.get(
            type(test.ops[0])
        )
        if swapped is not None:
            return ast.Compare(test.left, [swapped()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)

