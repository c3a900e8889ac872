"""Expr: the Python expressions in a Subscript, checked when it is written, evaluated by a walk of the tree.

Law: nothing runs that is not on the list below. Sizes may be symbolic; every comparison goes through a Judge.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..sizes.dim import COMPARISONS, Sym
from ..sizes.sliced import slicelen
from .helpers import FUNCTIONS
from .judge import Judge
from .report import SubscriptError

#: A trailing ' in a name, as Python can read it: U+02B9 MODIFIER LETTER PRIME is a letter.
PRIME = "\u02b9"

ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip
COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
ALLOWED = (
    ast.Name, ast.Load, ast.Tuple, ast.UnaryOp, ast.USub, ast.Not, ast.BinOp, *ARITHMETIC,
    ast.Compare, *COMPARED, ast.BoolOp, ast.And, ast.Or, ast.IfExp, ast.Subscript, ast.Slice, ast.Call,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression: text, tree, and the names it needs in order ("len(X)" for the count of inputs X...)."""

    text: str
    tree: ast.expr = field(compare=False, repr=False)
    names: tuple[str, ...] = field(compare=False)

    @classmethod
    def parse(cls, text: str, whole: str, position: int, counted: Collection[str] = ()) -> Expr:
        """The expression `text`, which stands at `position` of the Subscript `whole`.

        `counted` are the arguments of which len() is the number of arrays they take.

        Raises:
            SubscriptError: where it is no expression, or not one of the allowed kind.
        """
        position += len(text) - len(text.lstrip())
        text = text.strip()
        try:
            tree = ast.parse(text.replace("'", PRIME), mode="eval").body
        except SyntaxError as error:
            place = position + max((error.offset or 1) - 1, 0)
            raise SubscriptError(f"`{text}` is not an expression", whole, min(place, len(whole))) from None
        for node in ast.walk(tree):
            complaint = _complaint(node)
            if complaint:
                column = getattr(node, "col_offset", 0)
                raise SubscriptError(complaint, whole, position + column)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.id = node.id.replace(PRIME, "'")
        return cls(text, tree, tuple(dict.fromkeys(_names(tree, counted))))

    def value(self, scope: Mapping[str, Any], judge: Judge) -> Any:
        """Its value where every name has the value that `scope` says; raises what Python raises for it."""
        return _Walk(scope, judge).value(self.tree)

    def truth(self, scope: Mapping[str, Any], judge: Judge) -> bool:
        """Whether it holds; what only the running program can tell is assumed, and recorded by `judge`."""
        return _Walk(scope, judge).truth(self.tree, True)

    def __str__(self) -> str:
        return self.text


def _complaint(node: ast.AST) -> str | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return "sizes are whole numbers: use // for /"
    if isinstance(node, ast.Constant):
        return None if type(node.value) is int else f"{node.value!r} is no whole number"
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            return f"unknown function {ast.unparse(node.func)}: there are {', '.join(sorted(FUNCTIONS))}"
        if node.keywords:
            return f"{node.func.id} takes arguments by position only"
    if not isinstance(node, (*ALLOWED, ast.Constant)):
        return f"{type(node).__name__} has no place in a Subscript"
    return None


def _names(tree: ast.expr, counted: Collection[str]) -> Iterator[str]:
    if isinstance(tree, ast.Name):
        yield tree.id
    elif isinstance(tree, ast.Call):
        if len(tree.args) == 1 and _count(tree) in {f"len({name})" for name in counted}:
            yield _count(tree)
        else:
            for argument in tree.args:
                yield from _names(argument, counted)
    else:
        for child in ast.iter_child_nodes(tree):
            if isinstance(child, ast.expr):
                yield from _names(child, counted)


def _count(call: ast.Call) -> str:
    """The name under which a scope keeps the count that this call may ask for."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    argument = call.args[0] if call.args else None
    return f"{name}({argument.id})" if isinstance(argument, ast.Name) else ""


class _Walk:
    """The value of a tree whose nodes have been checked."""

    def __init__(self, scope: Mapping[str, Any], judge: Judge) -> None:
        self.scope = scope
        self.judge = judge

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self.scope[node.id]
            case ast.BinOp():
                return ARITHMETIC[type(node.op)](self.value(node.left), self.value(node.right))
            case ast.Call():
                return self.call(node)
            case ast.Tuple():
                return tuple(self.value(element) for element in node.elts)
            case ast.UnaryOp(op=ast.USub()):
                return -self.value(node.operand)
            case ast.Subscript():
                return self.value(node.value)[self.key(node.slice)]
            case ast.IfExp():
                return self.value(node.body if self.truth(node.test, True) else node.orelse)
            case ast.BoolOp():
                for operand in node.values[:-1]:
                    value = self.value(operand)
                    if self.true(value, True) == isinstance(node.op, ast.Or):
                        return value
                return self.value(node.values[-1])
        return self.truth(node, True)

    def truth(self, node: ast.expr, want: bool) -> bool:
        """Whether `node` holds. `want` is the answer to give where there is nothing to go by."""
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return not self.truth(node.operand, not want)
            case ast.BoolOp(op=ast.And()):
                return all(self.truth(operand, want) for operand in node.values)
            case ast.BoolOp():
                return any(self.truth(operand, want) for operand in node.values)
            case ast.Compare():
                values = [self.value(part) for part in (node.left, *node.comparators)]
                ops = [COMPARED[type(op)] for op in node.ops]
                return all(self.compared(op, a, b, want) for op, a, b in zip(ops, values, values[1:]))
        return self.true(self.value(node), want)

    def true(self, value: Any, want: bool) -> bool:
        return self.judge.holds("!=", value, 0, want) if isinstance(value, Sym) else bool(value)

    def compared(self, op: str, left: Any, right: Any, want: bool) -> bool:
        if isinstance(left, tuple) and isinstance(right, tuple) and op in ("==", "!="):
            same = len(left) == len(right) and all(
                self.compared("==", a, b, want == (op == "==")) for a, b in zip(left, right)
            )
            return same == (op == "==")
        if isinstance(left, (int, Sym)) and isinstance(right, (int, Sym)):
            return self.judge.holds(op, left, right, want)
        return bool(COMPARISONS[op](left, right))

    def key(self, node: ast.expr) -> Any:
        if not isinstance(node, ast.Slice):
            return self.value(node)
        parts = (node.lower, node.upper, node.step)
        return slice(*(None if part is None else self.value(part) for part in parts))

    def call(self, node: ast.Call) -> Any:
        if (count := _count(node)) in self.scope:
            return self.scope[count]
        assert isinstance(node.func, ast.Name)
        function = FUNCTIONS[node.func.id]
        arguments = [self.value(argument) for argument in node.args]
        if function is slicelen:
            function = partial(slicelen, holds=self.judge.holds)
        return function(*arguments)
