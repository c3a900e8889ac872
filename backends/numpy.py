"""NumPy: the facts that are NumPy's rather than an op's. Same order as in jax.py and torch.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.values import dtypes
from .backend import Backend
from .handling import Handling, Place


class NumPys(Handling):
    def is_constant(self, value: Any) -> bool:
        return isinstance(value, np.generic)

    def place(self, value: Any) -> Place | None:
        if not isinstance(value, np.ndarray):
            return None
        root = root_of(value)
        start = root.__array_interface__["data"][0]
        offset, rest = divmod(value.__array_interface__["data"][0] - start, value.itemsize)
        solid = root.flags.c_contiguous or root.flags.f_contiguous
        if not solid or rest or root.dtype != value.dtype or any(s % value.itemsize for s in value.strides):
            return None
        return Place(start, root.size, offset, tuple(s // value.itemsize for s in value.strides))

    def whole(self, value: Any, place: Place) -> Any:
        return root_of(value).ravel(order="K")

    def view(self, memory: Any, shape: tuple[int, ...], place: Place) -> Any:
        strides = tuple(s * memory.itemsize for s in place.strides)
        return np.lib.stride_tricks.as_strided(memory[place.offset :], shape, strides)

    def share(self, one: Any, other: Any) -> bool:
        return bool(np.may_share_memory(one, other))


def root_of(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array that has the memory."""
    while isinstance(value.base, np.ndarray):
        value = value.base
    return value


BACKEND = Backend(
    name="numpy",
    words="NumPy",
    module="numpy",
    packages=("numpy",),
    array_classes=("ndarray", "generic"),
    imports={
        "np": ("np", "import numpy as np"),
        "scipy.special": ("scipy.special", "import scipy.special"),
        "scipy.linalg": ("scipy.linalg", "import scipy.linalg"),
        "ml_dtypes": ("ml_dtypes", "import ml_dtypes"),
        "math": ("math", "import math"),
    },
    dtypes={name: f"np.{name}" for name in dtypes.DTYPES}
    | {"bool": "bool", "bfloat16": "ml_dtypes.bfloat16"},
    default_float=dtypes.float64,
    default_int=dtypes.int64,
    array="np.array",
    array_type="np.ndarray",
    functions=("np",),
    roots=("np", "scipy"),  # where programs of NumPy look for what it lacks
    stack="np.stack",
    literals={"inf": "np.inf", "nan": "np.nan", "newaxis": "None"},
    handling=NumPys(),
    shape_error=ValueError,
    number_type="np.generic",
    whole=("numpy", "scipy", "ml_dtypes"),
    tries=("float32", "int64", "float16", "bool", "float64", "int32", "uint8", "complex128", "int8"),
    cast_copies=True,
    in_order=("{0}.flags.c_contiguous", "{0}.strides"),
    writing=frozenset("np.copyto np.fill_diagonal np.place np.put np.put_along_axis np.putmask".split()),
    may_share="np.may_share_memory",
    linear_error="np.linalg.LinAlgError",
    gradients=False,
    asks_operands=False,  # an operand that is no array is an element to them
    list_operands=True,
    borrowed=frozenset({"bfloat16"}),
    listed_kinds=frozenset({"float", "complex"}),
    scatters="np.{}.at",
    keys="np.s_",
)
