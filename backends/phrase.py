"""Phrases: how a framework says an op.

A phrase is a line of the framework's own source in which our parameter names are the holes. The reader
matches calls against it, the writer fills it in, so a row is true in both directions or wrong in both. To
keep it so, an argument of a phrase is one of three things and nothing else: a hole, a literal, or a lens (a
named pair of functions, to and back) on a hole.

    say(sort,
        numpy="np.sort(x, axis=axis)                         if descending=False",
        jax="jnp.sort(x, axis=axis, descending=descending)",
        torch="torch.sort(x, dim=axis, descending=descending) -> values  if axis: int",
        reads="np.sort(x, axis=axis, stable=True)")              # what is only read

A condition after `if` is `name=literal` or `name: kind`: a rank (`2d`), a type of number, or the dtypes, by
the words of ir.dtypes.CLASSES too (`integer|float32`, `any-bfloat16`). A parameter that the call does not
mention is, when it is read, what the literal says (a dtype's name is one too). `-> values, indices` names the
fields of a tuple result, `-> list` says that it is a list. A cell that starts with "helper:" calls a function
of backends/helpers, which is copied into the emitted file. None: say the meaning.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..ir.errors import TraceError
from ..ir.graphs.graph import Node
from ..ir.graphs.likeness import equal
from ..ir.meaning import operators
from ..ir.meaning.op import Op
from ..ir.meaning.operands import scalar
from ..ir.noting import by_rank
from ..ir.values.dtypes import CLASSES, DTYPES, KINDS, PYTHON, DType
from ..ir.values.spec import Spec
from .backend import backend
from .lenses import LENSES, Lens

OPERATORS: dict[type, str] = {each.kind: each.name for each in operators.OPERATORS}


class PhraseError(TraceError):
    """A row that is not well-formed: the fault is ours, or of whoever added the op."""


@dataclass(frozen=True, slots=True)
class Hole:
    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    value: Any


@dataclass(frozen=True, slots=True)
class Lensed:
    lens: Lens
    name: str


@dataclass(frozen=True, slots=True)
class Spread:
    """`*xs`: the variadic operands, each an argument of its own."""

    name: str


#: What a condition asks of the target, and not of the op.
DEVICE = "device"
Argument = Hole | Literal | Lensed | Spread | tuple[Any, ...]

KIND_TESTS: dict[str, Callable[[Any], bool]] = {
    "int": lambda v: isinstance(v, int) and not isinstance(v, bool) or _static(v, int),
    "float": lambda v: isinstance(v, float) or _static(v, float),
    "bool": lambda v: isinstance(v, bool) or _static(v, bool),
    "tuple": lambda v: isinstance(v, (tuple, list)) or _static(v, tuple),
    "str": lambda v: isinstance(v, str),
    "given": lambda v: v is not None,
    "natural": lambda v: (v.spec.hint or 0) >= 0 if _static(v, int) else isinstance(v, int) and v >= 0,
    "number": lambda v: isinstance(v, (int, float)) or _static(v, int) or _static(v, float),
    "double": lambda v: type(v) is not int or float(v) == v,
    "known": lambda v: not isinstance(v, Node),
    "forward": lambda v: not any(isinstance(k, slice) and k.step is not None and k.step < 0 for k in v),
    "array": lambda v: isinstance(v, Spec) or isinstance(v, Node) and isinstance(v.spec, Spec),
}


def _static(value: Any, kind: type) -> bool:
    return isinstance(value, Node) and getattr(value.spec, "type", None) is kind


@dataclass(frozen=True, slots=True)
class Condition:
    """`name=literal`, or `name: kind` where kind is one of KIND_TESTS, a dtype kind or a rank such as "2d"
    (of a tuple: its length).
    """

    name: str
    literal: Any = None
    kind: str | None = None

    @property
    def of_dtypes(self) -> bool:
        """Whether it is about the dtype of an array, or the type of a number."""
        return self.kind is not None and {*self.kind.split("|")} <= DTYPES.keys() | {*KINDS}


@dataclass(frozen=True, slots=True)
class Phrase:
    """One case of one cell, parsed. `callee` is a canonical name: "np.sum", "operator.add",
    "torch.Tensor.reshape".

    What is only asked where it is written: `device`, the one that the text is for; `when`, a function of the
    op's arrays and of its parameters (speaking.py); and of several that fit, `priority`.
    """

    op: Op
    framework: str
    text: str
    callee: str
    form: str  # call | method | operator | attribute | index | same | helper
    arguments: tuple[tuple[str | int, Argument], ...]
    conditions: tuple[Condition, ...] = ()
    fields: tuple[str, ...] = ()
    in_list: bool = False
    read_only: bool = False
    device: str | None = None
    priority: int = 0
    when: Callable[..., Any] | None = None

    def holes(self) -> list[str]:
        """The names of the op's arrays and parameters that the phrase mentions."""
        found: list[str] = []

        def walk(argument: Any) -> None:
            if isinstance(argument, (Hole, Lensed, Spread)):
                found.append(argument.name)
            elif isinstance(argument, tuple):
                for item in argument:
                    walk(item)

        for _, argument in self.arguments:
            walk(argument)
        return found


#: What a condition may ask beside dtypes and types of numbers: a rank, or whether there is an operand.
WORD = re.compile(r"^(\d+[dD]|absent|given)$")
CASE = re.compile(r"^(?P<expr>.*?)(?:\s*->\s*(?P<fields>[\w, ]+?))?(?:\s+if\s+(?P<conditions>.*))?$")


def parse(op: Op, text: str, framework: str, read_only: bool = False) -> Phrase:
    """Parse one case.

    Raises:
        PhraseError: with the row's text.
    """
    helper = text.startswith("helper:")
    found = CASE.match(text.removeprefix("helper:").strip())
    assert found
    try:
        expr = ast.parse(found["expr"], mode="eval").body
    except SyntaxError as error:
        raise PhraseError(f"{op.name}: {text!r} is not an expression") from error
    callee, form, arguments = Parser(op, text, framework).expression(expr)
    if helper:
        callee, form = f"helper.{callee}", "helper"
    known = {*op.arrays, *op.params, op.variadic}
    in_list = found["fields"] == "list"
    fields = () if in_list else tuple(f.strip() for f in (found["fields"] or "").split(",") if f.strip())
    parts = [condition(op, part, text) for part in split(found["conditions"] or "")]
    device = next((part.literal for part in parts if part.name == DEVICE), None)
    conditions = tuple(part for part in parts if part.name != DEVICE)
    phrase = Phrase(
        op, framework, text, callee, form, tuple(arguments), conditions, fields, in_list, read_only, device
    )
    for name in (*phrase.holes(), *(c.name for c in conditions)):
        if name not in known:
            raise PhraseError(
                f"{op.name}: {name!r} in {text!r} is neither an array nor a parameter of the op"
            )
    return phrase


def split(text: str) -> list[str]:
    """Conditions separated by commas outside brackets."""
    return [part for part in (p.strip() for p in re.split(r",(?![^(\[]*[)\]])", text)) if part]


def condition(op: Op, part: str, text: str) -> Condition:
    wrong = PhraseError(f"{op.name}: {part!r} in {text!r} is no condition")
    if "=" in part:
        name, value = map(str.strip, part.split("=", 1))
        try:
            return Condition(name, literal=DTYPES[value] if value in DTYPES else ast.literal_eval(value))
        except (ValueError, SyntaxError):
            raise wrong from None
    name, _, kind = (word.strip() for word in part.partition(":"))
    if not kind or name == DEVICE:
        raise wrong
    words = "|".join(map(dtypes_of, kind.split("|")))
    known = KIND_TESTS.keys() | DTYPES.keys() | {*KINDS}
    if not all(word in known or WORD.match(word) for word in words.split("|")):
        raise wrong
    return Condition(name, kind=words)


def dtypes_of(word: str) -> str:
    """A class of dtypes, less some, by the names of kinds and dtypes; any other word as it is.

    Raises:
        PhraseError: where what is taken away is not there.
    """
    name, *gone = word.split("-")
    if not gone:
        return word if word in KIND_TESTS else "|".join(CLASSES.get(name, (word,)))
    held = [dtype.name for dtype in DTYPES.values() if dtype.kind in CLASSES.get(name, ())]
    if not {*gone} <= {*held}:
        raise PhraseError(f"{word!r}: {name} has no {', '.join({*gone} - {*held})}")
    return "|".join(dtype for dtype in held if dtype not in gone)


class Parser:
    """Turns the expression of a phrase into callee, form and arguments."""

    def __init__(self, op: Op, text: str, framework: str) -> None:
        self.op = op
        self.text = text
        self.framework = framework

    def expression(self, expr: ast.expr) -> tuple[str, str, list[tuple[str | int, Argument]]]:
        if isinstance(expr, ast.Name):
            return "same", "same", [(0, Hole(expr.id))]
        if isinstance(expr, ast.BinOp):
            return f"operator.{OPERATORS[type(expr.op)]}", "operator", self.positional(expr.left, expr.right)
        if isinstance(expr, ast.Compare):
            return (
                f"operator.{OPERATORS[type(expr.ops[0])]}",
                "operator",
                self.positional(expr.left, expr.comparators[0]),
            )
        if isinstance(expr, ast.UnaryOp):
            return f"operator.{OPERATORS[type(expr.op)]}", "operator", self.positional(expr.operand)
        if isinstance(expr, ast.Subscript):
            return "operator.getitem", "index", self.positional(expr.value, expr.slice)
        if isinstance(expr, ast.Attribute):
            return f"attribute.{expr.attr}", "attribute", self.positional(expr.value)
        if isinstance(expr, ast.Call):
            return self.call(expr)
        raise PhraseError(f"{self.op.name}: {self.text!r} is neither a call nor an operator")

    def call(self, expr: ast.Call) -> tuple[str, str, list[tuple[str | int, Argument]]]:
        name = ast.unparse(expr.func)
        array = backend(self.framework).array_type
        form, first = "method" if name.startswith(f"{array}.") else "call", []
        if isinstance(expr.func, ast.Attribute) and name.partition(".")[0] in self.op.arrays:
            name, form, first = f"{array}.{expr.func.attr}", "method", [expr.func.value]
        arguments = self.positional(*first, *expr.args)
        arguments += [(k.arg, self.argument(k.value)) for k in expr.keywords if k.arg]
        return name, form, arguments

    def positional(self, *values: ast.expr) -> list[tuple[str | int, Argument]]:
        return [(i, self.argument(value)) for i, value in enumerate(values)]

    def argument(self, expr: ast.expr) -> Argument:
        if isinstance(expr, ast.Name):
            return Hole(expr.id)
        if isinstance(expr, ast.Starred) and isinstance(expr.value, ast.Name):
            return Spread(expr.value.id)
        if isinstance(expr, (ast.Tuple, ast.List)):
            return tuple(self.argument(item) for item in expr.elts)
        if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Name) and expr.func.id in LENSES:
            (hole,) = expr.args
            if isinstance(hole, ast.Name):
                return Lensed(LENSES[expr.func.id], hole.id)
        try:
            return Literal(ast.literal_eval(expr))
        except ValueError:
            raise PhraseError(
                f"{self.op.name}: {ast.unparse(expr)!r} in {self.text!r} is no hole, literal or lens"
            ) from None


def asks_rank(test: Condition) -> bool:
    """Whether a condition is about the rank of an array."""
    return test.kind is not None and test.kind[0].isdigit() and test.kind.islower()


def holds(test: Condition, value: Any, spec: Any) -> bool:
    """Whether a condition holds of a value, an array's with its spec."""
    if asks_rank(test):
        by_rank(value)
    if test.kind is None:
        return equal(value, test.literal)
    if test.kind == "absent":
        return value is None
    if test.kind == "given":
        return value is not None
    if test.kind in KIND_TESTS and not (test.kind in KINDS and isinstance(spec, Spec)):
        return KIND_TESTS[test.kind](value)
    dtype = value if isinstance(value, DType) else getattr(spec, "dtype", None)
    if dtype is None and scalar(value):
        dtype = PYTHON.get(value.spec.type if isinstance(value, Node) else type(value))
    kinds = test.kind.split("|")
    if kinds[0][0].isdigit():
        rank = len(value) if isinstance(value, tuple) else getattr(spec, "rank", None)
        return any(rank == int(k[:-1]) for k in kinds)
    return "absent" in kinds if dtype is None else dtype.kind in kinds or dtype.name in kinds


def own_default(op: Op, name: str) -> Any:
    """What a parameter is whose default in a framework is no literal: the op's own default, or None."""
    found = op.params.get(name)
    return None if found is ... else found
