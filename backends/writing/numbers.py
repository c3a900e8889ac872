"""Numbers beside arrays: what a text makes of them, and what may be left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...ir.graphs.graph import Node
from ...ir.meaning.op import OTHER, REGISTER, Op
from ...ir.meaning.operands import numbers_held, of_numbers
from ...ir.values import dtypes
from ...ir.values.dtypes import PYTHON, DType
from ...ir.values.spec import Spec


def is_strong(node: Node) -> bool:
    """Whether a node is a number as an array that has a dtype of its own, of which JAX must be told."""
    alone = node.target is REGISTER["array"] and node.spec.shape == () and node.spec.dtype != dtypes.bool_
    return alone and node.form != "weak" and not node.meta.get("number")


def exact(value: Any, dtype: DType) -> bool:
    """Whether a number is the same in this dtype, so that it may be promoted from there as from any other."""
    if dtype.kind != "float" or dtype.bits < 32:
        return dtype.is_integer and type(value) is int
    return type(value) in (bool, int, float) and bool(np.dtype(dtype.name).type(value) == value)


def narrow(node: Node) -> bool:
    """Whether a node gives a number in a dtype from which any float promotes it, and leaves it what it is."""
    value = node.kwargs.get("value")
    return value is not None and node.spec.dtype.bits <= 32 and exact(value, node.spec.dtype)


def known(spec: Spec | None, wanted: Spec) -> Spec:
    """The spec that a Python scalar has as an array: of what it meets, else of what comes out."""
    return wanted if spec is None or spec.dtype is None else spec


def made_of(op: Op, wanted: Spec) -> Spec:
    """What comes out, as far as it tells what went in: a comparison gives bools of anything."""
    return replace(wanted, dtype=None) if op.rules[0].cls in OTHER else wanted


def wider(left: DType, right: DType) -> bool:
    """Whether `left` holds every number of `right`, and is of the same kind."""
    return left.kind == right.kind and left.bits > right.bits


def said_of_number(node: Node) -> bool:
    """Whether the source says the dtype of an array of recorded numbers, which may be of another type."""
    recorded = any(isinstance(value, Node) for value in numbers_held(node))
    return of_numbers(node.target) and recorded and bool(node.meta.get("dtype said"))


def kind_of(value: Any) -> str:
    """Of a number that Python knows, or that the program computes."""
    if isinstance(value, Node) and isinstance(value.spec, Spec):
        return "" if value.spec.dtype is None else value.spec.dtype.kind
    return PYTHON[value.spec.type if isinstance(value, Node) else type(value)].kind
