"""Operators: what Python calls them, how they are written, and the ops that they are on arrays; one table."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple


class Operator(NamedTuple):
    """One of Python's operators.

    Attributes:
        name: in the module `operator`.
        sign: how it is written.
        kind: its class in a syntax tree.
        op: the op that it is on arrays; "" for `+x`.
        in_place: whether there is `x += y`.
    """

    name: str
    sign: str
    kind: type[ast.operator | ast.unaryop | ast.cmpop]
    op: str
    in_place: bool = False

    @property
    def function(self) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(operator, self.name)
        return found

    @property
    def method(self) -> str:
        """The middle of the names of the methods that mean it: "and" of `__and__` and `__rand__`."""
        return self.name.strip("_")


BINARY = (
    Operator("add", "+", ast.Add, "add", True),
    Operator("sub", "-", ast.Sub, "subtract", True),
    Operator("mul", "*", ast.Mult, "multiply", True),
    Operator("truediv", "/", ast.Div, "divide", True),
    Operator("floordiv", "//", ast.FloorDiv, "floor_divide", True),
    Operator("mod", "%", ast.Mod, "remainder", True),
    Operator("pow", "**", ast.Pow, "pow", True),
    Operator("matmul", "@", ast.MatMult, "matmul", True),
    Operator("and_", "&", ast.BitAnd, "bitwise_and", True),
    Operator("or_", "|", ast.BitOr, "bitwise_or", True),
    Operator("xor", "^", ast.BitXor, "bitwise_xor", True),
    Operator("lshift", "<<", ast.LShift, "bitwise_left_shift", True),
    Operator("rshift", ">>", ast.RShift, "bitwise_right_shift", True),
)
ORDERING = (
    Operator("lt", "<", ast.Lt, "less"),
    Operator("le", "<=", ast.LtE, "less_equal"),
    Operator("gt", ">", ast.Gt, "greater"),
    Operator("ge", ">=", ast.GtE, "greater_equal"),
)
EQUALITY = (
    Operator("eq", "==", ast.Eq, "equal"),
    Operator("ne", "!=", ast.NotEq, "not_equal"),
)
COMPARING = (*ORDERING, *EQUALITY)
UNARY = (
    Operator("neg", "-", ast.USub, "negative"),
    Operator("pos", "+", ast.UAdd, ""),
    Operator("invert", "~", ast.Invert, "bitwise_invert"),
)
OPERATORS = (*BINARY, *COMPARING, *UNARY)
#: What else Python computes of numbers, and the ops that it is on arrays.
FUNCTIONS: dict[Callable[..., Any], str] = {
    operator.not_: "logical_not", operator.abs: "abs", abs: "abs", min: "minimum", max: "maximum",
    math.floor: "floor", math.ceil: "ceil",
}  # fmt: skip
#: What divides numbers, and what else Python refuses for some.
DIVIDING = (operator.truediv, operator.floordiv, operator.mod)
PARTIAL = (*DIVIDING, divmod, operator.pow, pow, operator.lshift, operator.rshift)
#: The ops that Python's operators and functions are on arrays.
OPS: dict[Any, str] = {each.function: each.op for each in OPERATORS if each.op} | FUNCTIONS
