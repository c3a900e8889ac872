"""Backend: one record a framework. Facts that belong to a framework rather than to an op stand in numpy.py,
jax.py, torch.py.

A framework is text here, and is imported only once the user has imported it or asks to run in it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..ir import dtypes
from ..ir.dtypes import DType
from ..ir.errors import TraceError

NAMES = ("numpy", "jax", "torch")
#: What 64-bit integers are where there are none; see `Backend.x64`.
NARROW: dict[str, DType] = {"int64": dtypes.int32, "uint64": dtypes.uint32}


@dataclass(frozen=True, slots=True)
class Backend:
    """What emission and reading must know of a framework, op by op facts aside.

    Attributes:
        module: what a user imports; also where its functions are looked up.
        imports: the longest prefix of a dotted name decides which import it needs and how the prefix is then
        written.
        dtypes: how a dtype is written, by our name; a dtype that is missing does not exist there.
        default_float, default_int: dtypes of arrays made from Python numbers.
        array: the callee that turns nested lists into an array.
        array_type: prefix of its array's methods in the signatures.
        controls: the forms that control flow can have, the usual one first: "python" is Python's own
        statements, "lax" and "export" are the framework's functions of functions.
        x64: whether 64-bit dtypes exist (jax: a flag of the running program).
        control: the form that is chosen.
    """

    name: str
    module: str
    imports: Mapping[str, tuple[str, str]]
    dtypes: Mapping[str, str]
    default_float: DType
    default_int: DType
    array: str
    array_type: str
    functions: tuple[str, ...]
    literals: Mapping[str, str]
    controls: tuple[str, ...] = ("python",)
    x64: bool = True
    control: str = "python"

    def spelled(self, dotted: str) -> tuple[str, str | None]:
        """How a dotted name is written, and the import line that this needs."""
        prefix = max(
            (p for p in self.imports if dotted == p or dotted.startswith(p + ".")), key=len, default=""
        )
        if not prefix:
            return dotted, None
        alias, line = self.imports[prefix]
        return alias + dotted[len(prefix) :], line

    def with_x64(self, x64: bool) -> Backend:
        """The same framework with 64-bit dtypes on or off; only jax can switch them off."""
        if self.name != "jax" or x64 == self.x64:
            return self
        wide = (dtypes.float64, dtypes.int64) if x64 else (dtypes.float32, dtypes.int32)
        return replace(self, x64=x64, default_float=wide[0], default_int=wide[1])

    def narrowed(self, dtype: DType) -> DType:
        """The dtype in which the framework has what is of this one."""
        return dtype if self.x64 else NARROW.get(dtype.name, dtype)

    def with_control(self, control: str | None) -> Backend:
        """The same framework with another form of control flow; None is the usual one.

        Raises:
            ValueError: for a form that it does not have.
        """
        if control is not None and control not in self.controls:
            known = " or ".join(f"{c!r}" for c in self.controls)
            raise ValueError(f"control={control!r} makes no sense for {self.name}: it is {known} there")
        return replace(self, control=control or self.controls[0])

    @property
    def compiles(self) -> bool:
        """Whether regions are functions of values, which a compiler can take, and not Python's statements."""
        return self.control != "python"

    @property
    def imported(self) -> Any:
        """The framework's module, imported now if it was not.

        Raises:
            TraceError: when it is not installed.
        """
        try:
            return importlib.import_module(self.module)
        except ImportError as error:
            raise TraceError(
                f"{self.name} is not installed, and this needs to run in it",
                hint=f"pip install tracelate[{self.name}]",
            ) from error


def backend(name: str) -> Backend:
    """The record of "numpy", "jax" or "torch".

    Raises:
        TraceError: for any other name.
    """
    if name not in NAMES:
        raise TraceError(f"{name!r} is no framework that tracelate knows", hint=f"one of {', '.join(NAMES)}")
    record: Backend = importlib.import_module(f".{name}", __package__).BACKEND
    return record


def target_of(name: str, x64: bool | None, control: str | None = None) -> Backend:
    """The record to write for: for JAX with 64-bit dtypes only where `x64` says so.

    Raises:
        ValueError: where the framework has no such form of control flow.
    """
    return backend(name).with_x64(bool(x64) if name == "jax" else True).with_control(control)


def framework_of(value: object) -> str | None:
    """Which framework an array belongs to; None for what is no array. Imports nothing."""
    for kind in type(value).__mro__:
        root = kind.__module__.partition(".")[0]
        if root == "numpy" and kind.__name__ in ("ndarray", "generic"):
            return "numpy"
        if root == "torch" and kind.__name__ in ("Tensor", "TensorBase"):
            return "torch"
        if root in ("jax", "jaxlib") and kind.__name__ in ("ArrayImpl", "Tracer", "Array"):
            return "jax"
    return None


def loaded(name: str) -> bool:
    """Whether the user has imported the framework."""
    return name in sys.modules


def tupled(value: Any) -> Any:
    """Lists as tuples and numbers of NumPy's as Python's, all the way down."""
    if type(value) in (tuple, list):
        return tuple(map(tupled, value))
    return value.item() if framework_of(value) == "numpy" and value.shape == () else value
