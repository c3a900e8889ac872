"""Named: functions among the arguments, which are checked to be of the name of the example's, or of what the
target has for it. Two of one name cannot be told apart: two lambdas.
"""

from __future__ import annotations

import ast
import sys
import types
from functools import reduce
from typing import Any

import numpy as np

from ...backends.backend import Backend
from ...backends.phrase import ROOTS
from ...backends.rows import reading, written
from ...backends.signatures import names_of
from .assertions import Check, equal
from .guards import parsed, root

FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, np.ufunc)
MODULES = {"np": "numpy", "jnp": "jax.numpy"}
#: Whose functions are objects of their own classes.
OWNERS = (*ROOTS.values(), "jaxlib")


def names_in(value: Any, target: Backend) -> list[str]:
    """The names of a function and of its counterparts in the target; none for another object."""
    plain = isinstance(value, FUNCTIONS) or root(type(value).__module__) in OWNERS
    if not plain or not isinstance(name := getattr(value, "__name__", None), str):
        return []
    return list(dict.fromkeys([name, *map(called, counterparts(value, target))]))


def counterparts(value: Any, target: Backend) -> list[str]:
    """What the target has for a function of a framework's."""
    plain = isinstance(value, FUNCTIONS) or root(type(value).__module__) in OWNERS
    known = (p for own in (names_of(value) if plain else ()) for p in reading(ROOTS.get(root(own), ""), own))
    cases = (case for phrase in known for case in written(phrase.op, target.name)[:1])
    return [case.callee for case in cases if case.form == "call"]


def called(callee: str) -> str:
    """The name that a function of a framework has, which need not be the one that it is called by."""
    root, _, path = callee.partition(".")
    try:
        found = reduce(getattr, path.split("."), sys.modules[MODULES.get(root, root)])
    except (AttributeError, KeyError):
        found = None
    return str(getattr(found, "__name__", path.rpartition(".")[2]))


def of_names(path: str, names: list[str]) -> Check:
    """The check that a function has one of these names."""
    name = ast.Attribute(parsed(path), "__name__", ast.Load())
    test = equal([name, ast.Constant(names[0])])
    if len(names) > 1:
        several = ast.Tuple([ast.Constant(each) for each in names], ast.Load())
        test = ast.Compare(name, [ast.In()], [several])
    return Check(test, (parsed(path),), f"with {path}={names[0]}, not ")
