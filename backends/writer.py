"""Writer: an op of a Program as an expression of the target.

Operands come as (expression, Operand): the text so far and what the *target* will make of it. An implicit
cast is printed only where the target's own promotion would compute in another dtype, or give one, than the
Program says.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from ..ir import dtypes
from ..ir.dtypes import PYTHON, DType
from ..ir.graph import Node
from ..ir.op import HOMOGENEOUS, REGISTER, Op, over
from ..ir.ops.indexing import Slot
from ..ir.program import operand_specs, scalar
from ..ir.spec import Spec
from ..ir.static import Scalar
from .backend import Backend
from .helpers import defaults as helper_defaults
from .phrase import OPERATORS, WRITES, Hole, Lensed, Literal, Phrase, Spread, equal, fits
from .reader import flatten
from .signatures import NO_VALUE, REQUIRED, known, signature
from .typing import NoTyping, Operand, Typing, typing

AST_OPERATORS = {name: kind for kind, name in OPERATORS.items()}
Written = tuple[ast.expr, Operand]


class CannotSay(Exception):
    """The target has no way to say this with the dtypes that the Program demands."""


@dataclass
class Writer:
    """Writes ops for one target, and notes what the text needs: import lines and helpers."""

    target: Backend
    printed: Callable[[Node], Written]
    imports: set[str] = field(default_factory=set)
    helpers: dict[str, None] = field(default_factory=dict)

    # Ops.

    def case(
        self, op: Op, params: Mapping[str, Any], specs: Sequence[Any], operands: Sequence[Any] = ()
    ) -> Phrase | None:
        """The first phrase that speaks for these parameters."""
        named = dict(zip(op.arrays, specs))
        for phrase in WRITES.get(op.name, {}).get(self.target.name, ()):
            if fits(phrase, params, named, operands):
                return phrase
        return None

    def write(self, node: Node) -> Written:
        """The expression of an op node.

        Raises:
            CannotSay: where no phrase fits, or the target computes in another dtype.
        """
        op: Op = node.target
        params = self.params(op, node)
        specs = operand_specs(op, node.args)
        phrase = self.case(op, params, specs, node.args)
        if phrase is None:
            raise CannotSay(f"{self.target.name} has no phrase for {op.name}")
        wanted = node.spec[0] if isinstance(node.spec, tuple) else node.spec
        if op.rules[0].cls == "widen" and phrase.form == "call":
            summed = self.summed(phrase, op, node, params)
            if summed is not None:
                return summed
        if op.rules[0].cls == "free":
            operands, typed = [self.operand(a) for a in node.args], None
        else:
            operands, typed = self.typed(op, node, specs, wanted)
        expr = self.fill(phrase, operands, params)
        if isinstance(node.spec, tuple):
            return expr, Operand(None, None, "array")
        weak = typed.weak if typed is not None else self.weak(op, params, operands)
        form = "weak" if weak else "array"
        return self.cast_result(expr, wanted, typed, form)

    def summed(self, phrase: Phrase, op: Op, node: Node, params: Mapping[str, Any]) -> Written | None:
        """A sum or product that the target would give in another dtype, without a cast of its terms: `dtype=`
        says it, or the result is cast, which is the same for integers, since they wrap round. None where
        neither is needed, or will do.
        """
        term, wanted = node.args[0], node.spec
        operand = self.operand(term.args[0] if implicit(term) else term)
        assert operand is not None
        plain, asked = (self.typing_of(op, operand[1], dtype) for dtype in (None, wanted.dtype))
        if wanted.dtype is None or plain is not None and plain.result == wanted.dtype:
            return None
        expr = self.fill(phrase, [operand], params)
        if asked is not None and any(p.name == "dtype" for p in signature(phrase.callee).parameters):
            assert isinstance(expr, ast.Call)
            expr.keywords.append(ast.keyword("dtype", self.literal(wanted.dtype)))
            return expr, Operand(wanted.rank, wanted.dtype, "array")
        whole = plain is not None and plain.result.is_integer and not wanted.dtype.is_inexact
        if plain is None or not whole or plain.result.bits < wanted.dtype.bits:
            return None
        return self.cast_result(expr, wanted, plain, "array")

    def typing_of(self, op: Op, operand: Operand, dtype: DType | None) -> Typing | None:
        try:
            return typing(
                self.target.name, op.rules[0].cls, [operand], op=op.name, dtype=dtype, x64=self.target.x64
            )
        except NoTyping:
            return None

    def weak(self, op: Op, params: Mapping[str, Any], operands: Sequence[Written | None]) -> bool:
        """Whether JAX makes a weak array: of a number, or like a weak array, and without a dtype."""
        if self.target.name != "jax" or params.get("dtype") is not None:
            return False
        if op.name.endswith("_like"):
            return operands[0] is not None and operands[0][1].form == "weak"
        value = params.get("fill_value" if op.name == "full" else "value")
        kind = value.spec.type if isinstance(value, Node) else type(value)
        return op.name in ("full", "array") and kind in (int, float, complex)

    def cast_result(self, expr: ast.expr, wanted: Spec, typed: Typing | None, form: str) -> Written:
        if typed is None or typed.result == wanted.dtype or wanted.dtype is None:
            return expr, Operand(wanted.rank, wanted.dtype, form)
        return self.cast(expr, wanted.dtype), Operand(wanted.rank, wanted.dtype, "array")

    def cast(self, expr: ast.expr, dtype: DType) -> ast.expr:
        (phrase,) = WRITES["cast"][self.target.name][:1]
        return self.fill(phrase, [(expr, Operand(None, dtype, "array"))], {"dtype": dtype})

    def params(self, op: Op, node: Node) -> dict[str, Any]:
        """The op's parameters, without a dtype that the target would choose by itself."""
        params = dict(node.kwargs)
        if op.rules[0].cls == "free" and params.get("dtype") is not None and op.name != "cast":
            if self.natural(op, node) == params["dtype"]:
                params["dtype"] = None
        return params

    def natural(self, op: Op, node: Node) -> DType | None:
        """The dtype of a new array for which the target is given none."""
        if op.name.endswith("_like"):
            found: DType | None = node.args[0].spec.dtype
            return found
        if op.name in ("arange", "full", "array"):
            names = ("fill_value", "start", "stop", "step", "value")
            leaves = [
                leaf
                for n in names
                if n in node.kwargs
                for leaf in flatten(node.kwargs[n])
                if leaf is not None
            ]
            kinds = [PYTHON[v.spec.type if isinstance(v, Node) else type(v)].kind for v in leaves]
            kind = next((k for k in ("complex", "float", "int", "bool") if k in kinds), "float")
            if kind == "complex":
                return dtypes.COMPLEX[self.target.default_float.name]
            return {"float": self.target.default_float, "int": self.target.default_int, "bool": dtypes.bool_}[
                kind
            ]
        return self.target.default_float

    # Operands and casts.

    def typed(
        self, op: Op, node: Node, specs: Sequence[Any], wanted: Spec
    ) -> tuple[list[Written | None], Typing]:
        """Operands with the fewest casts, else with all, else with Python scalars as arrays, which some
        functions want.

        Raises:
            CannotSay: where the target computes in another dtype all the same.
        """
        refusal: CannotSay | None = None
        for strong in (False, True):
            operands, typed = self.operands(op, node, specs, wanted, strong)
            if typed is not None:
                return operands, typed
            try:
                return self.widest(op, node, specs, wanted, strong)
            except CannotSay as why:
                refusal = refusal or why
            if op.name == "pow" or not any(map(scalar, node.args)):  # an exponent never wraps round
                break
        assert refusal is not None
        raise refusal

    def operands(
        self, op: Op, node: Node, specs: Sequence[Any], wanted: Spec, strong: bool
    ) -> tuple[list[Written | None], Typing | None]:
        """The fewest casts with which the target computes what the Program says; (…, None) if none will
        do.
        """
        rule = op.rules[0]
        mine = {id(a) for a in over(op, rule, node.args) if a is not None}
        compute = next((s.dtype for a, s in zip(node.args, specs) if id(a) in mine and s is not None), None)
        casts = [i for i, a in enumerate(node.args) if id(a) in mine and implicit(a)]
        for kept in subsets(casts):
            operands = [
                self.operand(a.args[0] if i in casts and i not in kept else a, strong and (spec or wanted))
                for i, (a, spec) in enumerate(zip(node.args, specs))
            ]
            try:
                typed = typing(
                    self.target.name,
                    rule.cls,
                    [o[1] for a, o in zip(node.args, operands) if id(a) in mine and o],
                    op=op.name,
                    x64=self.target.x64,
                )
            except NoTyping:
                continue
            fine = (
                typed.compute is None
                or compute is None
                or typed.compute == compute
                or rule.cls in ("same", "keep")
            )
            if fine and not typed.exact and (wanted.dtype is None or typed.result == wanted.dtype):
                return operands, typed
        return [], None

    def widest(
        self, op: Op, node: Node, specs: Sequence[Any], wanted: Spec, strong: bool
    ) -> tuple[list[Written | None], Typing]:
        """All casts printed; what then comes out in another dtype is cast afterwards.

        Raises:
            CannotSay: where the target computes in another dtype all the same.
        """
        operands = [self.operand(a, strong and (spec or wanted)) for a, spec in zip(node.args, specs)]
        rule = op.rules[0]
        mine = {id(a) for a in over(op, rule, node.args) if a is not None}
        compute = next((s.dtype for a, s in zip(node.args, specs) if id(a) in mine and s is not None), None)
        try:
            typed = typing(
                self.target.name,
                rule.cls,
                [o[1] for a, o in zip(node.args, operands) if id(a) in mine and o],
                op=op.name,
                x64=self.target.x64,
            )
        except NoTyping as error:
            raise CannotSay(str(error)) from None
        alone = (
            compute is None and rule.cls in HOMOGENEOUS and rule.cls != "compare"
        )  # Python scalars and nothing else
        compute = wanted.dtype if alone else compute
        if typed.exact or (
            typed.compute is not None
            and compute is not None
            and typed.compute != compute
            and rule.cls not in ("same", "keep", "index", "real", "mean", "widen")
            and not (wider(typed.compute, compute) and (alone or rule.cls == "inexact"))
        ):
            raise CannotSay(f"{self.target.name} computes {op.name} of {compute} in {typed.compute}")
        return operands, typed

    def operand(self, value: Any, strong: Any = None) -> Written | None:
        """An operand; a Python scalar as an array of the dtype of `strong`, a Spec, where one is given."""
        if value is None:
            return None
        if strong and scalar(value):
            return self.strong(value, strong.dtype)
        if isinstance(value, Node):
            return self.printed(value) if not constant_cast(value) else self.constant(value)
        return self.literal(value), Operand(0, PYTHON[type(value)], "python", value)

    def strong(self, value: Any, dtype: DType | None) -> Written:
        """A Python scalar as an array without axes; an int that is out of bounds wraps round, as a cast of it
        does.
        """
        kind = value.spec.type if isinstance(value, Node) else type(value)
        dtype = dtype or PYTHON[kind]
        if isinstance(value, int) and dtype.is_integer:
            if not self.target.x64 and not -(2**31) <= value < 2**31:
                raise CannotSay(f"Python integer {value} out of bounds for int32")
            value = (value + (low := 2 ** (dtype.bits - 1) * (dtype.kind == "int"))) % 2**dtype.bits - low
        natural = {float: self.target.default_float, int: self.target.default_int, bool: dtypes.bool_}.get(
            kind
        )
        params = {"value": value, "dtype": None if dtype == natural else dtype}
        phrase = self.case(REGISTER["array"], params, [])
        if phrase is None:
            raise CannotSay(f"{self.target.name} has no phrase for array")
        return self.fill(phrase, [], params), Operand(0, dtype, "array")

    def constant(self, cast: Node) -> Written:
        """An array constant that must be cast is written in the dtype that it is cast to."""
        array, dtype = cast.args[0], cast.kwargs["dtype"]
        params = dict(array.kwargs, dtype=None if self.natural(array.target, array) == dtype else dtype)
        phrase = self.case(array.target, params, [])
        if phrase is None:
            raise CannotSay(f"{self.target.name} has no phrase for array")
        return self.fill(phrase, [], params), Operand(cast.spec.rank, dtype, "array")

    # Text.

    def fill(self, phrase: Phrase, operands: Sequence[Written | None], params: Mapping[str, Any]) -> ast.expr:
        """The phrase with its holes filled."""
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
            elif not (key in defaults and not isinstance(value, ast.AST) and equal(value, defaults[key])):
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
            if isinstance(argument, Hole) and found.get(str(key)) == NO_VALUE:
                found[str(key)] = phrase.op.params[argument.name]
        return found

    def key(self, key: Sequence[Any], indices: Sequence[ast.expr]) -> ast.expr:
        """What stands in the brackets of x[...]."""
        entries = [self.index(indices[k.number]) if isinstance(k, Slot) else self.literal(k) for k in key]
        return entries[0] if len(entries) == 1 else ast.Tuple(entries, ast.Load())

    def index(self, expr: ast.expr) -> ast.expr:
        """An index array; a constant one is the bare list, save that JAX takes no lists."""
        match expr:
            case ast.Call(func, [ast.List(entries) as values]) if ast.unparse(func) == self.target.array:
                flat = bool(entries) and not any(isinstance(e, ast.List) for e in entries)
                return values if flat and self.target.name != "jax" else expr
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
        if line:
            self.imports.add(line)
        expr: ast.expr
        first, *rest = spelled.split(".")
        expr = ast.Name(first, ast.Load())
        for part in rest:
            expr = ast.Attribute(expr, part, ast.Load())
        return expr

    def expression(self, value: Any) -> ast.expr:
        if isinstance(value, ast.AST):
            return value  # type: ignore[return-value]
        return self.literal(value)

    def literal(self, value: Any) -> ast.expr:
        """A parameter as the target writes it."""
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
            case tuple() if hasattr(value, "_fields") or type(value) is not tuple:
                return ast.Tuple([self.literal(v) for v in value], ast.Load())
            case tuple():
                return ast.Tuple([self.literal(v) for v in value], ast.Load())
            case list():
                return ast.List([self.literal(v) for v in value], ast.Load())
            case dict():
                return ast.Dict([self.literal(k) for k in value], [self.literal(v) for v in value.values()])
            case slice():
                parts = [
                    None if p is None else self.literal(p) for p in (value.start, value.stop, value.step)
                ]
                return ast.Slice(*parts)
            case bool() | int() | float() if value < 0 or (
                isinstance(value, float) and math.copysign(1, value) < 0
            ):
                return ast.UnaryOp(ast.USub(), ast.Constant(-value))
            case bool() | int() | float() | complex() | str() | None:
                return ast.Constant(value)
        if value is Ellipsis:
            return ast.Constant(...)
        raise CannotSay(f"{value!r} cannot be written as source")


def operation(name: str, args: Sequence[ast.expr]) -> ast.expr:
    """An operator of Python on expressions."""
    kind = AST_OPERATORS[name]()
    if isinstance(kind, ast.unaryop):
        return ast.UnaryOp(kind, args[0])
    if isinstance(kind, ast.cmpop):
        return ast.Compare(args[0], [kind], [args[1]])
    return ast.BinOp(args[0], kind, args[1])


def wider(left: DType, right: DType) -> bool:
    """Whether `left` holds every number of `right`, and is of the same kind."""
    return left.kind == right.kind and left.bits > right.bits


def implicit(value: Any) -> bool:
    """Whether a value is a cast that the reader made, for promotion's sake."""
    return isinstance(value, Node) and value.target is REGISTER["cast"] and bool(value.meta.get("implicit"))


def constant_cast(value: Node) -> bool:
    return implicit(value) and value.args[0].target is REGISTER["array"] and len(value.args[0].users) == 1


def subsets(items: Sequence[int]) -> Iterator[frozenset[int]]:
    """All subsets, the smallest first."""
    for size in range(len(items) + 1):
        for chosen in combinations(items, size):
            yield frozenset(chosen)


__all__ = ["CannotSay", "Scalar", "Writer", "Written", "implicit", "operation"]
