"""Named: functions among the arguments, which are checked to be of the name of the example's, or of what the
target has for it. Two of one name cannot be told apart: two lambdas.
"""

from __future__ import annotations

import ast
import types
from typing import Any

import numpy as np

from ...backends.backend import Backend, owner, speaker
from ...backends.rows import reading, written
from ...backends.signatures import SignatureError, callee, names_of
from .assertions import Check, equal
from .guards import parsed

FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, np.ufunc)


def names_in(value: Any, target: Backend) -> list[str]:
    """The names of a function and of its counterparts in the target; none for another object."""
    if not is_function(value) or not isinstance(name := getattr(value, "__name__", None), str):
        return []
    return list(dict.fromkeys([name, *map(called, counterparts(value, target))]))


def counterparts(value: Any, target: Backend) -> list[str]:
    """What the target has for a function of a framework's."""
    names = names_of(value) if is_function(value) else ()
    known = (phrase for own in names for phrase in reading(speaker(own) or "", own))
    cases = (case for phrase in known for case in written(phrase.op, target.name)[:1])
    return [case.callee for case in cases if case.form == "call"]


def is_function(value: Any) -> bool:
    """Whether a value is a function. Frameworks have some that are objects of their own classes."""
    return isinstance(value, FUNCTIONS) or owner(type(value).__module__) is not None


def called(name: str) -> str:
    """The name that a function of a framework has, which need not be the one that it is called by."""
    try:
        found = callee(speaker(name) or "", name)
    except (KeyError, SignatureError):
        found = None
    return str(getattr(found, "__name__", name.rpartition(".")[2]))


def of_names(path: str, names: list[str]) -> Check:
    """The check that a function has one of these names."""
    name = ast.Attribute(parsed(path), "__name__", ast.Load())
    test = equal([name, ast.Constant(names[0])])
    if len(names) > 1:
        several = ast.Tuple([ast.Constant(each) for each in names], ast.Load())
        test = ast.Compare(name, [ast.In()], [several])
    return Check(test, (parsed(path),), f"with {path}={names[0]}, not ")
