"""Filling: a phrase with its holes filled, as an expression of the target."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.likeness import equal
from ...ir.graphs.static import Scalar
from ...ir.ops.indexing import Slot
from ...ir.values.dtypes import PYTHON, DType
from ...ir.values.spec import Spec
from ...ir.values.tree import plain_constant
from ..backend import Backend
from ..helpers import defaults as helper_defaults
from ..phrase import OPERATORS, Hole, Lensed, Literal, Phrase, Spread, own_default
from ..signatures import REQUIRED, Symbol, known, signature, users
from ..typing import Operand

#: What Python writes as it is.
CONSTANTS = frozenset({bool, int, float, complex, str, bytes, type(None)})
AST_OPERATORS = {name: kind for kind, name in OPERATORS.items()}
Written = tuple[ast.expr, Operand]


class CannotSay(Exception):
    """The target has no way to say this with the dtypes that the Program demands; `hint` is a way out."""

    def __init__(self, why: str, hint: str | None = None) -> None:
        super().__init__(why)
        self.hint = hint


@dataclass
class Filling:
    """Fills phrases for one target, and notes what the text needs: import lines and helpers."""

    target: Backend
    printed: Callable[[Node], Written]
    imports: set[str] = field(default_factory=set)
    helpers: dict[str, None] = field(default_factory=dict)

    def fill(
        self,
        phrase: Phrase,
        operands: Sequence[Written | None],
        params: Mapping[str, Any],
        told: Collection[str] = (),
    ) -> ast.expr:
        """The phrase with its holes filled. Parameters are left out that are as by default, unless `told`."""
        op = phrase.op
        arrays: dict[str, Any] = {n: o[0] for n, o in zip(op.arrays, operands) if o is not None}
        if op.variadic:
            arrays[op.variadic] = [o[0] for o in operands[len(op.arrays) :] if o is not None]
        if phrase.form == "index":
            params = {**params, "key": self.key(params["key"], arrays[op.variadic or ""])}
        args: list[ast.expr] = []
        keywords: list[ast.keyword] = []
        defaults = self.defaults(phrase)
        for key, argument in phrase.arguments:
            if isinstance(argument, Spread):
                args += arrays.get(argument.name) or self.spread(params[argument.name])
                continue
            value = self.value(argument, arrays, params)
            if isinstance(key, int):
                args.append(self.expression(value))
            elif name_of(argument) in told or not (key in defaults and says_default(value, defaults[key])):
                keywords.append(ast.keyword(key, self.expression(value)))
        expr = self.shape(phrase, args, keywords)
        if phrase.fields and not op.several:
            return ast.Attribute(expr, phrase.fields[0], ast.Load())
        return expr

    def defaults(self, phrase: Phrase) -> dict[str, Any]:
        if phrase.form == "helper":
            return helper_defaults(self.target.name, phrase.callee.removeprefix("helper."))
        if phrase.form not in ("call", "method") or not known(phrase.callee):
            return {}
        called = signature(phrase.callee)
        parameters = (*called.parameters, *called.overloads[0].parameters)
        found = {p.name: p.default for p in parameters if p.default is not REQUIRED}
        for key, argument in phrase.arguments:
            if isinstance(argument, Hole) and isinstance(found.get(str(key)), Symbol):
                found[str(key)] = own_default(phrase.op, argument.name)
        return found

    def key(self, key: Sequence[Any], indices: Sequence[ast.expr]) -> ast.expr:
        """What stands in the brackets of x[...]."""
        entries = [self.index(indices[k.number]) if isinstance(k, Slot) else self.literal(k) for k in key]
        return entries[0] if len(entries) == 1 else ast.Tuple(entries, ast.Load())

    def index(self, expr: ast.expr) -> ast.expr:
        """An index array; one of numbers is the bare list, where that may be one: torch takes a list in which
        there is a tensor for a tuple.
        """
        match expr:
            case ast.Call(func, [ast.List(entries) as values]) if ast.unparse(func) == self.target.array:
                flat = bool(entries) and not any(isinstance(e, ast.List) for e in entries)
                numbers = self.target.own_numbers or all(map(is_number, entries))
                return values if flat and numbers and self.target.list_indices else expr
        return expr

    def spread(self, value: Any) -> list[ast.expr]:
        """The entries of a parameter as arguments of their own; one that is no tuple, or empty, as one
        argument.
        """
        several = isinstance(value, (tuple, list)) and len(value) > 0
        return [self.expression(v) for v in (value if several else [value])]

    def value(self, argument: Any, arrays: Mapping[str, Any], params: Mapping[str, Any]) -> Any:
        match argument:
            case Hole(name):
                return arrays[name] if name in arrays else params[name]
            case Literal(value):
                return value
            case Lensed(lens, name):
                return lens.to(params[name])
            case tuple():
                return tuple(self.value(a, arrays, params) for a in argument)
        raise AssertionError(argument)

    def shape(self, phrase: Phrase, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
        if phrase.form == "same":
            return args[0]
        if phrase.form == "index":
            return ast.Subscript(args[0], args[1], ast.Load())
        if phrase.form == "attribute":
            return ast.Attribute(args[0], phrase.callee.removeprefix("attribute."), ast.Load())
        if phrase.form == "operator":
            return operation(phrase.callee.removeprefix("operator."), args)
        if phrase.form == "method":
            method = phrase.callee.rpartition(".")[2]
            return ast.Call(ast.Attribute(args[0], method, ast.Load()), args[1:], keywords)
        if phrase.form == "helper":
            name = phrase.callee.removeprefix("helper.")
            self.helpers[name] = None
            called = ast.Name(name, ast.Load())
            called.helper = True  # type: ignore[attr-defined]  # renamed where the user has the name
            return ast.Call(called, args, keywords)
        return ast.Call(self.name(phrase.callee), args, keywords)

    def name(self, dotted: str) -> ast.expr:
        """A dotted name of the framework, and its import noted."""
        spelled, line = self.target.spelled(dotted)
        if line or dotted in users.LIBRARIES:
            self.imports.add(line or f"import {users.module_of(dotted)}")
        expr: ast.expr
        first, *rest = spelled.split(".")
        expr = ast.Name(first, ast.Load())
        expr.imported = True  # type: ignore[attr-defined]  # a parameter may have the name
        for part in rest:
            expr = ast.Attribute(expr, part, ast.Load())
        return expr

    def expression(self, value: Any) -> ast.expr:
        if isinstance(value, ast.AST):
            return value  # type: ignore[return-value]
        return self.literal(value)

    def literal(self, value: Any) -> ast.expr:
        """A parameter as the target writes it. Of what class it is, if it is one made of Python's, nobody
        sees, or it is checked.
        """
        value = plain_constant(value)
        match value:
            case Node():
                return self.printed(value)[0]
            case ast.expr():
                return value
            case DType():
                if value.name not in self.target.dtypes:
                    raise CannotSay(f"{self.target.name} has no dtype {value}")
                return self.name(self.target.dtypes[value.name])
            case float() if not math.isfinite(value):
                word = self.name(self.target.literals["nan" if math.isnan(value) else "inf"])
                return ast.UnaryOp(ast.USub(), word) if value < 0 else word
            case complex() if not is_sum(value):
                parts = [self.literal(part) for part in (value.real, value.imag)]
                return ast.Call(ast.Name("complex", ast.Load()), parts, [])
            case tuple():
                return ast.Tuple([self.literal(v) for v in value], ast.Load())
            case list():
                return ast.List([self.literal(v) for v in value], ast.Load())
            case dict():
                return ast.Dict([self.literal(k) for k in value], [self.literal(v) for v in value.values()])
            case slice():
                ends = [None if p is None else self.literal(p) for p in (value.start, value.stop, value.step)]
                return ast.Slice(*ends)
            case bool() | int() | float() if value < 0 or (
                isinstance(value, float) and math.copysign(1, value) < 0
            ):
                return ast.UnaryOp(ast.USub(), ast.Constant(-value))
            case bool() | int() | float() | complex() | str() | bytes() | None if type(value) in CONSTANTS:
                return ast.Constant(value)
        if value is Ellipsis:
            return ast.Constant(...)
        raise CannotSay(f"{value!r} cannot be written as source")


def is_sum(value: complex) -> bool:
    """Whether a sum of two numbers gives a complex one, `1 - 2j`: not where one part alone is -0.0."""
    if not (math.isfinite(value.real) and math.isfinite(value.imag)):
        return False
    zeros = [part == 0 and math.copysign(1, part) < 0 for part in (value.real, value.imag)]
    return not any(zeros) or zeros[0] and math.copysign(1, value.imag) < 0


def name_of(argument: Any) -> str:
    """The parameter that an argument of a phrase says; "" where it says none, or several."""
    return argument.name if isinstance(argument, (Hole, Lensed)) else ""


def says_default(value: Any, default: Any) -> bool:
    """Whether an argument may be left out; one number says what as many of it do."""
    if isinstance(value, ast.AST):
        return False
    same = isinstance(default, list) and default and type(value) is int
    return all(equal(value, item) for item in default) if same else equal(value, default)


def operation(name: str, args: Sequence[ast.expr]) -> ast.expr:
    """An operator of Python on expressions."""
    kind = AST_OPERATORS[name]()
    if isinstance(kind, ast.unaryop):
        return ast.UnaryOp(kind, args[0])
    if isinstance(kind, ast.cmpop):
        return ast.Compare(args[0], [kind], [args[1]])
    return ast.BinOp(args[0], kind, args[1])


def operand_of(node: Node) -> Operand:
    """What the target makes of a name that bears this value."""
    spec = node.spec
    if isinstance(spec, Scalar):
        return Operand(0, PYTHON.get(spec.type), "python", None)
    if isinstance(spec, Spec):
        return Operand(spec.rank, spec.dtype, node.meta.get("carried", "array"))
    return Operand(None, None, "array")


def is_number(entry: ast.expr) -> bool:
    """Whether an expression is a number as it stands."""
    negative = isinstance(entry, ast.UnaryOp) and isinstance(entry.op, ast.USub)
    return isinstance(entry.operand if negative else entry, ast.Constant)  # type: ignore[attr-defined]
