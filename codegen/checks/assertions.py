"""Assertions: every check of an emitted function, of shapes as of dtypes and flags, in the form that is asked
for.

    guards="assert"    assert x.shape == (2, 3), x.shape
    guards="raise"     if x.shape != (2, 3):
                           raise ValueError(f"f was traced with x.shape=(2, 3), not {tuple(x.shape)}")
    guards="none"      nothing
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..text.unparsing import unparsed

#: So many characters of a check fit into one line.
LONGEST = 84
#: The forms of checks.
FORMS = ("assert", "raise", "none")



def known_form(form: str) -> str:
    """The form, if there is one of this name.

    Raises:
        ValueError: where there is none.
    """
    if form not in FORMS:
        raise ValueError(f"guards= is one of {', '.join(FORMS)}, not {form!r}")
    return form


OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}  # fmt: skip
#: What is so of numbers of which none is NaN.
ORDERED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check:
    """What must hold of the arguments.

    Attributes:
        held: the test.
        given: what the message shows where it does not hold.
        traced: how an error goes on after "f was traced", up to what was given.
        shown: what an error shows instead of `given`.
        quoted: whether an error shows it as Python would write it.
        whole: whether the test compares whole numbers, none of which is NaN.
        of_all: whether the test is about all items of a list, see families.py.
        each: the name under which the test speaks of each of `every`, where it is made of several.
    """

    held: ast.expr
    given: tuple[ast.expr, ...]
    traced: str
    shown: tuple[ast.expr, ...] = ()
    quoted: bool = False
    whole: bool = False
    of_all: bool = False
    each: str = ""
    every: tuple[ast.expr, ...] = ()


def written(function: str, checks: Iterable[Check], form: str) -> list[ast.stmt]:
    """The statements that make these checks of a function."""
    return [statement(function, check, form) for check in checks] if form != "none" else []


def statement(function: str, check: Check, form: str) -> ast.stmt:
    made = asserted(check) if form == "assert" else raising(function, check)
    if not check.each:
        return made
    return ast.For(ast.Name(check.each, ast.Store()), ast.Tuple([*check.every], ast.Load()), [made], [])


def asserted(check: Check) -> ast.stmt:
    """`assert held, given`; a line that is too long for both shows itself what it asks."""
    if not check.given:
        return ast.Assert(check.held)
    given = check.given[0] if len(check.given) == 1 else ast.Tuple([*check.given], ast.Load())
    made = ast.Assert(check.held, given)
    return made if len(unparsed(made)) <= LONGEST else ast.Assert(check.held)


def raising(function: str, check: Check) -> ast.stmt:
    """`if not held: raise ValueError(f"{function} was traced {…}{given} and {given}")`"""
    parts: list[ast.expr] = [ast.Constant(f"{function} was traced {check.traced}")]
    for number, value in enumerate(check.shown or check.given):
        between = [ast.Constant(" and ")] if number else []
        said = value if isinstance(value, ast.Constant) else None
        parts += [*between, said or ast.FormattedValue(value, ord("r") if check.quoted else -1)]
    plain = [part.value for part in parts if isinstance(part, ast.Constant)]
    text = ast.JoinedStr(parts) if len(parts) > len(plain) else ast.Constant("".join(map(str, plain)))
    error = ast.Call(ast.Name("ValueError", ast.Load()), [text], [])
    return ast.If(negated(check.held, check.whole), [ast.Raise(error)], [])


def negated(test: ast.expr, whole: bool = False) -> ast.expr:
    """`not test`, as one would write it.

    Args:
        whole: whether it compares whole numbers.
    """
    turned = OPPOSITE | ORDERED if whole else OPPOSITE
    match test:
        case ast.Compare(left, [sign], [right]) if type(sign) in turned:
            return ast.Compare(left, [turned[type(sign)]()], [right])
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.BoolOp(ast.Or(), values):
            return ast.BoolOp(ast.And(), [negated(value, whole) for value in values])
    return ast.UnaryOp(ast.Not(), test)


def equal(values: Sequence[ast.expr]) -> ast.expr:
    """`a == b == c`"""
    return ast.Compare(values[0], [ast.Eq() for _ in values[1:]], [*values[1:]])
