"""The dtypes of a Subscript.

`A:float[~]` is a class, `A:float32[~]` a dtype, `A:T[~]` a variable, which is what its first argument says.
How two dtypes promote in `C:promote(T, U)[~]` is a framework's own affair: the caller says it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ..values.dtypes import CLASSES, DTYPES, DType, bool_
from .form import Arg, Form
from .report import Report

Promote: TypeAlias = Callable[..., DType]
#: A label, an argument and its dtype, None where that is unknown.
Typed: TypeAlias = tuple[str, Arg, DType | None]


def is_kind(name: str) -> bool:
    """Whether this is a class or a dtype, and so no variable."""
    return name in CLASSES or name in DTYPES


def belongs(dtype: DType, name: str) -> bool:
    """Whether `dtype` is of the class, or is the dtype, called `name`."""
    return dtype.kind in CLASSES[name] if name in CLASSES else dtype == DTYPES[name]


def match_dtypes(
    form: Form,
    inputs: Sequence[Typed],
    outputs: Sequence[Arg],
    env: Mapping[str, Any],
    promote: Promote | None,
) -> tuple[tuple[DType | None, ...], list[Report]]:
    """The dtypes of `outputs`, None where they are unknown, and what does not fit."""
    reports: list[Report] = []
    bound: dict[str, tuple[DType, str]] = {}
    for arg in (*form.inputs, *form.outputs):
        if isinstance(env.get(arg.dtype), DType):
            bound[arg.dtype] = env[arg.dtype], "the constructor"
    for label, arg, dtype in inputs:
        if dtype is None or not arg.dtype:
            continue
        if is_kind(arg.dtype):
            if not belongs(dtype, arg.dtype):
                reports.append(_report(label, arg.dtype, dtype))
            continue
        first, origin = bound.setdefault(arg.dtype, (dtype, label))
        if first != dtype:
            text = f"{label}: {arg.dtype} is {first} (by {origin}) but got {dtype}"
            reports.append(Report("dtype", text, arg=label, symbol=arg.dtype, expected=first, got=dtype))
    for variable, kind in form.restrictions:
        if variable in bound and not belongs(bound[variable][0], kind):
            reports.append(_report(bound[variable][1], kind, bound[variable][0]))
    found = []
    for arg in outputs:
        dtype, report = _result(arg, inputs, bound, promote)
        found.append(dtype)
        reports += [report] if report else []
    return tuple(found), reports


def _report(label: str, expected: str, got: DType) -> Report:
    return Report(
        "dtype", f"{label}: {expected} expected but got {got}", arg=label, expected=expected, got=got
    )


def _result(
    arg: Arg, inputs: Sequence[Typed], bound: Mapping[str, tuple[DType, str]], promote: Promote | None
) -> tuple[DType | None, Report | None]:
    named = [dtype for _, other, dtype in inputs if other.name is not None and other.name == arg.name]
    first = [*named, *(dtype for _, _, dtype in inputs), None][0]
    if not arg.dtype:
        return first, None
    if arg.dtype == "bool":
        return bool_, None
    if arg.dtype in DTYPES:
        return DTYPES[arg.dtype], None
    if arg.dtype in CLASSES:
        return first if first is not None and belongs(first, arg.dtype) else None, None
    if not arg.dtype.startswith("promote("):
        return bound[arg.dtype][0] if arg.dtype in bound else None, None
    operands = [bound.get(variable) for variable in arg.dtype[len("promote(") : -1].split(", ")]
    known = [operand[0] for operand in operands if operand is not None]
    if len(known) < len(operands):
        return None, None
    if promote is None:
        text = f"{arg.name or 'the output'}: {arg.dtype} needs the promotion table of a framework"
        return None, Report("dtype", text, arg=arg.name, expected=arg.dtype)
    return promote(*known), None
