"""Literals: numbers and lists of Python's, and NumPy's arrays, as the arrays that a source makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.graphs.graph import Node
from ..ir.graphs.static import is_shape, static
from ..ir.meaning.op import REGISTER, Op
from ..ir.meaning.operands import scalar
from ..ir.program import Program
from ..ir.values.dtypes import COMPLEX, PYTHON, DType
from ..ir.values.tree import leaves
from .backend import Backend, framework_of

NO_ARRAY = "a list of something other than numbers is no array"


def array_of(program: Program, value: Any, dtype: DType) -> Node:
    """An array of NumPy's as a literal; of one without elements no list says the axes behind the first 0."""
    said = {"shape": value.shape} if 0 in value.shape[:-1] else {"value": value.tolist()}
    made: Node = program.call(REGISTER["zeros" if "shape" in said else "array"], **said, dtype=dtype)
    return made


class Refusal(Exception):
    """Why a call cannot be read; the caller knows the operation and the line."""

    def __init__(self, why: str, hint: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint


def refuse_arrays(parameters: Mapping[str, Any]) -> None:
    """Refuse arrays among what an op is told besides its operands."""
    for name, value in parameters.items():
        if any(isinstance(leaf, Node) and not static(leaf) for leaf in leaves(value)):
            raise Refusal(
                f"{name!r} is an array, where a number or several are wanted",
                "int(x) takes the number out of an array",
            )


class Literals:
    """The part of a Reading (context.py) that makes arrays of what is none."""

    source: Backend
    program: Program

    def op(self, op: Op | str, *operands: Any, **params: Any) -> Any:
        raise NotImplementedError

    def dims(self, value: Any) -> Any:
        raise NotImplementedError

    def dtype(self, value: Any) -> DType:
        raise NotImplementedError

    def numpys(self, value: Any) -> Node:
        """An array of NumPy's as the literal that it stands for in a program of another framework."""
        if value.size > 32:
            raise Refusal("a large array of NumPy's", f"make it {self.source.name}'s outside the function")
        return array_of(self.program, value, self.dtype(value.dtype))

    def array(self, value: Any, dtype: DType | None = None) -> Any:
        """Nested lists of numbers as an array constant; lists that hold arrays are stacked."""
        found = list(leaves(value))
        if any(isinstance(leaf, Node) for leaf in found):
            return self.stacked(value, dtype)
        if dtype is None:
            kinds = [PYTHON[type(leaf)] for leaf in found if type(leaf) in PYTHON]
            if len(kinds) != len(found):
                raise Refusal(NO_ARRAY)
            order = [d.kind for d in kinds]
            kind = next((k for k in (complex, float, int, bool) if PYTHON[k].kind in order), float)
            dtype = self.scalar_dtype(kind())
        return self.program.call(REGISTER["array"], value=listed(value, dtype), dtype=dtype)

    def stacked(self, value: Any, dtype: DType | None) -> Any:
        if isinstance(value, Node):
            return value
        if dtype is not None and all(map(scalar, leaves(value))):
            return self.numbers(value, dtype)
        parts = [self.stacked(v, None) if isinstance(v, (list, tuple)) else v for v in value]
        for item, part in zip(items := self.items(parts), parts):
            item.meta["listed"] = isinstance(part, Node) and static(part)
        made = self.op("stack", *items, axis=0)
        made.meta["in one"] = True
        return made if dtype is None else self.op("cast", made, dtype=dtype)

    def numbers(self, value: Any, dtype: DType) -> Any:
        """Nested lists of numbers, some of them recorded, as an array of a dtype."""
        if isinstance(value, (list, tuple)):
            made = self.op("stack", *(self.numbers(v, dtype) for v in value), axis=0)
            made.meta["in one"] = True
            return made
        return said(self.program.call(REGISTER["full"], shape=(), fill_value=value, dtype=dtype))

    def items(self, values: Any) -> list[Any]:
        """The arrays of a list; numbers and lists among them become arrays before dtypes are looked at.

        Raises:
            Refusal: where it is no list but an array.
        """
        if isinstance(values, Node):
            raise Refusal(
                "its operands should be a list of arrays", "the rows of an array are joined by reshape"
            )
        return [v if isinstance(v, Node) and not static(v) else self.item(v) for v in values]

    def item(self, value: Any) -> Any:
        if framework_of(value) in self.source.takes:
            return self.numpys(value)
        value = self.dims(value) if is_shape(value) else value
        return self.array(value) if isinstance(value, (list, tuple)) else self.single(value)

    def single(self, value: Any) -> Node:
        """A number as an array without axes; JAX's is weak."""
        found = self.scalar_dtype(value)
        if isinstance(value, Node):
            made: Node = self.program.call(REGISTER["full"], shape=(), fill_value=value, dtype=found)
        else:
            made = self.program.call(REGISTER["array"], value=fitting(value, found), dtype=found)
        if self.source.weak and found.kind != "bool":
            made.form = "weak"
        return made

    def scalar_dtype(self, value: Any) -> DType:
        kind = value.spec.type if isinstance(value, Node) else type(value)
        if kind is complex:
            return COMPLEX[self.source.default_float.name]
        defaults = {float: self.source.default_float, int: self.source.default_int, bool: PYTHON[bool]}
        if kind not in defaults:
            raise Refusal(NO_ARRAY)
        return defaults[kind]


def said(made: Node) -> Node:
    """A new array of which the source says the dtype."""
    made.meta["dtype said"] = True
    return made


def listed(value: Any, dtype: DType) -> Any:
    return [listed(v, dtype) for v in value] if isinstance(value, (list, tuple)) else fitting(value, dtype)


def fitting(value: Any, dtype: DType) -> Any:
    """A number that an array of a dtype has to hold.

    Raises:
        Refusal: where it does not.
    """
    if isinstance(value, int) and dtype.is_integer and value not in whole(dtype):
        raise Refusal(f"{value} is no {dtype}")
    return value


def whole(dtype: DType) -> range:
    """The numbers of a dtype of integers."""
    ones = 2 ** (dtype.bits - (dtype.kind == "int"))
    return range(-ones if dtype.kind == "int" else 0, ones)
