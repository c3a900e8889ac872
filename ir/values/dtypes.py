"""DType: the element types that a Program knows, by NumPy's names, and what no framework disputes about them.

How two of them promote is a framework's own affair: see backends/typing.py.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

#: Kinds in the order in which every framework promotes: a later kind holds the values of an earlier one.
KINDS = ("bool", "uint", "int", "float", "complex")
#: What stands for several kinds.
CLASSES: dict[str, tuple[str, ...]] = {
    **{kind: (kind,) for kind in KINDS},
    "integer": ("uint", "int"),
    "inexact": ("float", "complex"),
    "real": ("uint", "int", "float"),
    "num": ("uint", "int", "float", "complex"),
    "any": KINDS,
}


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """An element type: `name` as NumPy spells it, its `kind`, and `bits` a element.

    There is one of each, copies are the same one: dtypes are keys in much that is asked of every call.
    """

    name: str
    kind: str
    bits: int

    def __reduce__(self) -> tuple[Any, ...]:
        return by_name, (self.name,)

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "uint")

    @property
    def is_inexact(self) -> bool:
        return self.kind in ("float", "complex")

    @property
    def real(self) -> DType:
        """The dtype of the real part: complex64 -> float32; every other dtype is its own."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name


bool_ = DType("bool", "bool", 8)
uint8 = DType("uint8", "uint", 8)
uint16 = DType("uint16", "uint", 16)
uint32 = DType("uint32", "uint", 32)
uint64 = DType("uint64", "uint", 64)
int8 = DType("int8", "int", 8)
int16 = DType("int16", "int", 16)
int32 = DType("int32", "int", 32)
int64 = DType("int64", "int", 64)
float16 = DType("float16", "float", 16)
bfloat16 = DType("bfloat16", "float", 16)
float32 = DType("float32", "float", 32)
float64 = DType("float64", "float", 64)
complex64 = DType("complex64", "complex", 64)
complex128 = DType("complex128", "complex", 128)

DTYPES: dict[str, DType] = {
    d.name: d
    for d in (
        bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64,
        float16, bfloat16, float32, float64, complex64, complex128,
    )
}  # fmt: skip



def by_name(name: str) -> DType:
    return DTYPES[name]


#: NumPy's short names, in which a number says how many bytes there are.
CODES = {
    "?": "bool", "b1": "bool", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
    "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "f2": "float16", "f4": "float32",
    "f8": "float64", "c8": "complex64", "c16": "complex128", "e": "float16", "f": "float32",
    "d": "float64", "half": "float16", "single": "float32", "double": "float64", "int": "int64",
    "float": "float64", "complex": "complex128",
}  # fmt: skip

#: The dtype that stands for a Python scalar of this type, before any promotion.
PYTHON: dict[type, DType] = {bool: bool_, int: int64, float: float64, complex: complex128}


def widest(kinds: Collection[type]) -> type | None:
    """The type of a number of Python's that is of one of these types or another, None where there is none:
    an int among floats counts as one of them, a bool as nothing else.
    """
    if not set(kinds) <= PYTHON.keys() or bool in kinds and len(kinds) > 1:
        return None
    return max(kinds, key=list(PYTHON).index)


def takes_number(dtype: DType, kind: type) -> bool:
    """Whether an array of this dtype can be what is a number of Python's of this type on another way."""
    number = PYTHON[kind].kind
    least = KINDS.index("uint" if number == "int" else number)
    return (number == "bool") == (dtype.kind == "bool") and KINDS.index(dtype.kind) >= least


def held(value: Any, dtype: DType) -> Any:
    """A number of Python's, or nested lists of them, as an array of this dtype holds it."""
    if isinstance(value, list):
        return [held(item, dtype) for item in value]
    if dtype.kind == "complex":
        whole = complex(value)
        return complex(*(rounded(part, dtype.real) for part in (whole.real, whole.imag)))
    if dtype.kind == "float":
        return rounded(float(value), dtype)
    return bool(value) if dtype.kind == "bool" else int(value)


def rounded(value: float, dtype: DType) -> float:
    """The float of this dtype that is nearest to a number; infinite where it is too large."""
    if dtype is bfloat16:  # the upper half of a float32, rounded to even
        (bits,) = struct.unpack("<I", struct.pack("<f", rounded(value, float32)))
        if math.isfinite(value):
            bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
        return float(struct.unpack("<f", struct.pack("<I", bits))[0])
    form = {"float16": "<e", "float32": "<f"}.get(dtype.name, "<d")
    try:
        return float(struct.unpack(form, struct.pack(form, value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def dtype(name: object) -> DType:
    """The DType of this name, of a framework's dtype object ("torch.float32", np.dtype), or of a Python
    scalar type.

    Raises:
        TypeError: where no such element type is known.
    """
    if isinstance(name, DType):
        return name
    if isinstance(name, type) and name in PYTHON:
        return PYTHON[name]
    text = str(getattr(name, "__name__", name)).rpartition(".")[2].removesuffix("_")
    text = CODES.get(text.lstrip("=<|"), text)
    if text in DTYPES:
        return DTYPES[text]
    raise TypeError(f"unknown dtype {name!r}; known are {', '.join(DTYPES)}")


#: The complex counterpart of a dtype, for ops such as fft.
COMPLEX: dict[str, DType] = {
    "float16": complex64, "bfloat16": complex64, "float32": complex64, "float64": complex128,
    "complex64": complex64, "complex128": complex128,
}  # fmt: skip
