"""Defaults: what a parameter is where it is left out, as the target writes it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from ...backends.arrays import to_numpy
from ...backends.backend import framework_of
from ...backends.writing.filling import CannotSay
from ...backends.writing.writer import Writer
from ...ir.errors import UnsupportedError
from ...ir.meaning.op import REGISTER
from ...ir.values.dtypes import bool_, dtype
from ...ir.values.tree import children, is_record, leaves, map_leaves, tuple_fields
from . import statics
from .named import counterparts


def default(
    writer: Writer, parameter: inspect.Parameter, tree: Callable[[Any], ast.expr]
) -> ast.expr | None:
    """The default of a parameter, None where it has none; arrays in it are written out.

    Args:
        tree: how a nested value is written, of which the file defines the classes.

    Raises:
        UnsupportedError: for one that cannot be written.
    """
    value = parameter.default
    if not isinstance(value, type) and (words := counterparts(value, writer.target)):
        return writer.name(words[0])
    has_classes = holds_classes(value)
    if not has_classes and not any(framework_of(leaf) is not None for leaf in leaves(value)):
        return statics.default(parameter, writer.literal)
    try:
        if has_classes:
            return tree(map_leaves(value, lambda leaf: written(writer, leaf)))
        return written(writer, value)
    except CannotSay as error:
        raise UnsupportedError(
            f"the default of {parameter.name}", backend=writer.target.name, why=str(error),
            hint="make None the default, and choose it in the function",
        ) from error  # fmt: skip


def holds_classes(value: Any) -> bool:
    """Whether there is a namedtuple or a dataclass in a nested value."""
    if tuple_fields(type(value)) is not None or is_record(value):
        return True
    return any(holds_classes(item) for _, item in children(value) or ())


def written(writer: Writer, value: Any) -> ast.expr:
    if framework_of(value) is not None:
        return array(writer, value)
    if type(value) is list:
        return ast.List([written(writer, v) for v in value], ast.Load())
    if type(value) is tuple:
        return ast.Tuple([written(writer, v) for v in value], ast.Load())
    if type(value) is dict:
        return ast.Dict([writer.literal(k) for k in value], [written(writer, v) for v in value.values()])
    return writer.literal(value)


def array(writer: Writer, value: Any) -> ast.expr:
    value = to_numpy(value)
    kind = dtype(value.dtype)
    if not writer.target.x64 and kind.bits == 64 and kind.kind in ("int", "uint"):
        kind = dtype(kind.name.replace("64", "32"))
    natural = {"float": writer.target.default_float, "int": writer.target.default_int, "bool": bool_}
    told = kind if value.size == 0 or natural.get(kind.kind) != kind else None
    empty = 0 in value.shape[:-1]  # of which no list says the axes behind the first 0
    params = {"shape": value.shape, "dtype": kind} if empty else {"value": value.tolist(), "dtype": told}
    phrase = writer.case(REGISTER["zeros" if empty else "array"], params, [])
    if phrase is None:
        raise CannotSay(f"{writer.target.name} has no phrase for an array of {kind}")
    return writer.fill(phrase, [], params)
