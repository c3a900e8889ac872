"""Writer: an op of a Program as an expression of the target.

Operands come as (expression, Operand): the text so far and what the *target* will make of it. An implicit
cast is printed only where the target's own promotion would compute in another dtype, or give one, than the
Program says.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.meaning.op import HOMOGENEOUS, REGISTER, Op, Rule, power
from ...ir.meaning.operands import numbers_held, of_numbers, operand_specs, scalar
from ...ir.meaning.results import over
from ...ir.noting import by_rank, is_noting
from ...ir.passes.algebra import only_casts
from ...ir.values import dtypes
from ...ir.values.dtypes import PYTHON, DType, held
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ..phrase import Phrase
from ..rows import function_for, written
from ..signatures import signature
from ..speaking import fits
from ..typing import NoTyping, Operand, Typing, asks_ranks, traits, typing
from .filling import CannotSay, Filling, Written
from .numbers import exact, is_strong, kind_of, known, made_of, narrow, said_of_number, wider
from .wording import worded


@dataclass
class Writer(Filling):
    """Writes ops for one target: chooses the phrase, and the casts that the target needs. `decided` collects
    the nodes at which dtypes are written that the source does not say: of other arguments they would be
    others. Beyond `ints` the source raises where an int of Python's meets an array.
    """

    decided: list[Node] = field(default_factory=list)
    ints: DType = dtypes.int64

    def case(
        self, op: Op, params: Mapping[str, Any], specs: Sequence[Any], operands: Sequence[Any] = ()
    ) -> Phrase | None:
        """The first phrase that speaks for these parameters."""
        named = dict(zip(op.arrays, specs))
        for phrase in written(op, self.target.name):
            if fits(phrase, params, named, operands, self.target):
                return phrase
        return None

    def write(self, node: Node) -> Written:
        """The expression of an op node.

        Raises:
            CannotSay: where no phrase fits, or the target computes in another dtype.
        """
        op: Op = node.target
        params, specs = self.params(op, node), operand_specs(op, node.args)
        phrase = self.case(op, params, specs, node.args)
        if phrase is None:
            raise CannotSay(f"{self.target.name} has no phrase for {op.name}")
        wanted = node.spec[0] if isinstance(node.spec, tuple) else node.spec
        if op.rules[0].cls == "widen" and phrase.form == "call":
            summed = self.summed(phrase, op, node, params, specs)
            if summed is not None:
                return summed
        if op.rules[0].cls == "free":
            operands, typed = [self.operand(a) for a in node.args], None
        else:
            operands, typed = self.typed(op, node, specs, wanted)
            self.ranked(op, node, operands)
            if (alone := self.cast_alone(node, operands)) is not None:
                return alone
            if phrase.form == "operator" and all(o is None or o[1].form == "python" for o in operands):
                phrase = function_for(op, self.target.name) or phrase  # an operator would give a number
        cast = typed is not None and typed.result != wanted.dtype
        told = node.meta.get("decided") and params.get("dtype") is not None and not narrow(node)
        if implicit(node) or cast or told:
            self.decided.append(node)
        phrase = worded(phrase, node, params, specs, operands, self.target)
        expr = self.fill(phrase, operands, params, node.meta.get("told", ()))
        if isinstance(node.spec, tuple):
            return expr, Operand(None, None, "array")
        form = typed.form if typed is not None else self.form(op, params, operands)
        return self.cast_result(expr, wanted, typed, form)

    def cast_alone(self, node: Node, operands: Sequence[Written | None]) -> Written | None:
        """A cast that the text says for an op that does nothing else, `i * 1.0`; None for any other op."""
        cast = only_casts(node)
        if cast is None or len(cast.users) > 1:
            return None
        found = operands[[*node.args].index(cast)]
        return found if found is not None and found[1].dtype == cast.spec.dtype else None

    def ranked(self, op: Op, node: Node, operands: Sequence[Written | None]) -> None:
        """Note whether the target would type an op in another way if its operands had other ranks."""
        if is_noting(typing=True):
            given = [o[1] for o in over(op, op.rules[0], operands) if o is not None]
            if asks_ranks(self.target.name, op.rules[0].cls, given, op=op.name, x64=self.target.x64):
                by_rank(*node.args, typing=True)

    def summed(
        self, phrase: Phrase, op: Op, node: Node, params: Mapping[str, Any], specs: Sequence[Any]
    ) -> Written | None:
        """A sum or product that the target would give in another dtype, without a cast of its terms: `dtype=`
        says it, or the result is cast, which is the same for integers, since they wrap round. None where
        neither is needed, or will do.
        """
        term, wanted = node.args[0], node.spec
        operand = self.operand(term.args[0] if implicit(term) else term)
        assert operand is not None
        ways = self.ways(term.args[0] if implicit(term) else term, operand[1])
        plain, asked = (self.typing_of(op, [ways], dtype) for dtype in (None, wanted.dtype))
        if wanted.dtype is None or plain is not None and plain.result == wanted.dtype:
            return None
        self.decided.append(node)
        phrase = worded(phrase, node, params, specs, [operand], self.target)
        expr = self.fill(phrase, [operand], params)
        if asked is not None and any(p.name == "dtype" for p in signature(phrase.callee).parameters):
            assert isinstance(expr, ast.Call)
            expr.keywords.append(ast.keyword("dtype", self.literal(wanted.dtype)))
            return expr, Operand(wanted.rank, wanted.dtype, "array")
        whole = plain is not None and plain.result.is_integer and not wanted.dtype.is_inexact
        if plain is None or not whole or plain.result.bits < wanted.dtype.bits:
            return None
        return self.cast_result(expr, wanted, plain, "array")

    def typing_of(
        self, op: Op, operands: Sequence[Sequence[Operand]], dtype: DType | None = None
    ) -> Typing | None:
        """What the target computes, whatever of these each operand is; None where that is not one thing."""
        cls, x64 = op.rules[0].cls, self.target.x64
        try:
            found = {
                typing(self.target.name, cls, each, op=op.name, dtype=dtype, x64=x64)
                for each in product(*operands)
            }
        except NoTyping:
            return None
        return found.pop() if len(found) == 1 else None

    def ways(self, value: Any, operand: Operand) -> Sequence[Operand]:
        """What an operand may be, by the way that the program went."""
        form = value.form if isinstance(value, Node) and operand.dtype is None else "array"
        if not isinstance(form, tuple) or self.target.weak and any(kind != "array" for _, kind in form):
            return [operand]
        return [replace(operand, dtype=dtype, form="array") for dtype, _ in form]

    def form(self, op: Op, params: Mapping[str, Any], operands: Sequence[Written | None]) -> str:
        """The form of a new array: JAX's is weak of a number, or like a weak array, without a dtype."""
        if not self.target.weak or params.get("dtype") is not None:
            return "array"
        if op.natural == "like":
            return operands[0][1].form if operands[0] is not None else "array"
        if "weak" not in traits(self.target.name, op):
            return "array"
        value = next((params.get(name) for name in op.numbers), None)
        if isinstance(value, Node) and isinstance(value.spec, Spec):
            return self.printed(value)[1].form
        kind = value.spec.type if isinstance(value, Node) else type(value)
        return "weak" if kind in (int, float, complex) else "array"

    def cast_result(self, expr: ast.expr, wanted: Spec, typed: Typing | None, form: str) -> Written:
        if typed is None or typed.result == wanted.dtype or wanted.dtype is None:
            return expr, Operand(wanted.rank, wanted.dtype, form)
        return self.cast(expr, wanted.dtype), Operand(wanted.rank, wanted.dtype, "array")

    def cast(self, expr: ast.expr, dtype: DType) -> ast.expr:
        (phrase,) = written(REGISTER["cast"], self.target.name)[:1]
        return self.fill(phrase, [(expr, Operand(None, dtype, "array"))], {"dtype": dtype})

    def params(self, op: Op, node: Node) -> dict[str, Any]:
        """The op's parameters, without a dtype that the target would choose by itself."""
        params = dict(node.kwargs)
        if op.rules[0].cls == "free" and params.get("dtype") is not None and op is not REGISTER["cast"]:
            if self.natural(op, node) == params["dtype"] and not said_of_number(node):
                params["dtype"] = None
        return params

    def natural(self, op: Op, node: Node) -> DType | None:
        """The dtype of a new array for which the target is given none."""
        if "untold" in traits(self.target.name, op):
            return None
        if self.target.weak and (is_strong(node) or node.meta.get("strong") or self.must_be_strong(node)):
            return None  # jnp.array(0.1) has no dtype of its own
        if op.natural == "like":
            if "read" in node.meta and not node.meta.get("natural"):
                return None  # the user says it, whatever else the array may be given as
            found: DType | None = node.args[0].spec.dtype
            return found
        if op.natural == "int":
            return self.target.default_int
        if of_numbers(op):
            kinds = [*map(kind_of, numbers_held(node))]
            kind = next((k for k in ("complex", "float", "int", "bool") if k in kinds), "float")
            if kind == "complex":
                return dtypes.COMPLEX[self.target.default_float.name]
            return {"float": self.target.default_float, "int": self.target.default_int, "bool": dtypes.bool_}[
                kind
            ]
        return self.target.default_float

    def must_be_strong(self, node: Node) -> bool:
        """Whether an array is given to an op that wants one with a dtype of its own."""
        ops = (user.target for user in node.users if isinstance(user.target, Op))
        return any("by shape" in traits(self.target.name, op) for op in ops)

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
            if strong:
                self.decided.append(node)
            if typed is not None:
                return operands, typed
            try:
                return self.widest(op, node, specs, wanted, strong)
            except CannotSay as why:
                refusal = refusal or why
            if op.rules[0] == power or not any(map(scalar, node.args)):  # an exponent never wraps round
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
        like = made_of(op, wanted)
        for kept in subsets(casts):
            given = [a.args[0] if i in casts and i not in kept else a for i, a in enumerate(node.args)]
            operands = [self.operand(a, strong and known(spec, like)) for a, spec in zip(given, specs)]
            met = [(g, o[1]) for a, g, o in zip(node.args, given, operands) if id(a) in mine and o]
            found = [(g, self.bounded(rule, o)) for g, o in met]
            typed = self.typing_of(op, [self.ways(*pair) for pair in found])
            if typed is None:
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

    def bounded(self, rule: Rule, operand: Operand) -> Operand:
        """An operand, where an int of Python's that is not known is one that the source takes."""
        of_int = operand.form == "python" and operand.value is None and operand.dtype == PYTHON[int]
        return replace(operand, dtype=self.ints) if of_int and rule.cls == "compare" else operand

    def widest(
        self, op: Op, node: Node, specs: Sequence[Any], wanted: Spec, strong: bool
    ) -> tuple[list[Written | None], Typing]:
        """All casts printed; what then comes out in another dtype is cast afterwards.

        Raises:
            CannotSay: where the target computes in another dtype all the same.
        """
        like = made_of(op, wanted)
        operands = [self.operand(a, strong and known(spec, like)) for a, spec in zip(node.args, specs)]
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
            raise CannotSay(str(error), error.hint) from None
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
                raise CannotSay(f"Python integer {value} out of bounds for int32", "transpile(..., x64=True)")
            value = (value + (low := 2 ** (dtype.bits - 1) * (dtype.kind == "int"))) % 2**dtype.bits - low
        elif isinstance(value, int) and not -(2**63) <= value < 2**63:  # more than ml_dtypes takes
            value = float(value)
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
        value = held(array.kwargs["value"], array.spec.dtype)
        if not all(exact(v, dtype) for v in leaves(value)):
            self.decided.append(cast)
        said = None if self.natural(array.target, array) == dtype else dtype
        params = dict(array.kwargs, value=value, dtype=said)
        phrase = self.case(array.target, params, [])
        if phrase is None:
            raise CannotSay(f"{self.target.name} has no phrase for array")
        return self.fill(phrase, [], params), Operand(cast.spec.rank, dtype, "array")


def implicit(value: Any) -> bool:
    """Whether a value is a cast that the reader made, for promotion's sake."""
    return isinstance(value, Node) and value.target is REGISTER["cast"] and value.implicit


def constant_cast(value: Node) -> bool:
    return implicit(value) and value.args[0].target is REGISTER["array"] and len(value.args[0].users) == 1


def subsets(items: Sequence[int]) -> Iterator[frozenset[int]]:
    """All subsets, the smallest first."""
    for size in range(len(items) + 1):
        for chosen in combinations(items, size):
            yield frozenset(chosen)
