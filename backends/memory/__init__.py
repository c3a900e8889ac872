"""Memory: whether what a callee gives lies in the memory of what it was given.

That is a fact of the callee in its framework: `flip` gives a view in NumPy and an array of its own in
torch. One table, by framework and callee, serves both ends: the tracer asks what the source's call gives,
the emitter what the target's will. Which callees give arrays of their own was measured (`make memory`, into
new.json); the others are declared here. Of what nobody measured nothing is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from ...ir.outside import MAYBE, NEW, VIEW
from ..backend import backend

#: The operators that write in place, and those that give the same value.
INPLACE = {
    "iadd": "add", "isub": "sub", "imul": "mul", "itruediv": "truediv", "ifloordiv": "floordiv",
    "imod": "mod", "ipow": "pow", "imatmul": "matmul", "iand": "and_", "ior": "or_", "ixor": "xor",
    "ilshift": "lshift", "irshift": "rshift",
}  # fmt: skip

#: What a callee gives, beside NEW, an array of its own, VIEW, one of its first array, and MAYBE, where nobody
#: knows: for each of its arrays, a view of that.
EACH = "each"
#: It gives its first array, into which it has written.
WRITTEN = "written"
#: Or it depends on the call: on whether the dtype changes, on the key, on how the elements lie in memory; and
#: on whether the array is complex: of another there is no part.
CAST, INDEX, RESHAPE, PART = "cast", "index", "reshape", "part"
#: It gives the array itself where its elements lie row by row, and else a copy in which they do.
LINED = "lined"
#: So does this, in one line; a reshape has a view of more arrays, such as a line with steps.
FLAT = "flat"
#: It gives copies, unless it is told not to.
TOLD = "told"
#: Of one array it may give a view; of several it computes.
ALONE = "alone"

DECLARED: dict[str, dict[str, str]] = {
    "numpy": {
        VIEW: """
            attribute.T attribute.mT attribute.real np.real np.transpose np.permute_dims np.matrix_transpose
            np.linalg.matrix_transpose np.swapaxes np.moveaxis np.expand_dims np.squeeze np.flip np.fliplr
            np.flipud np.broadcast_to np.diagonal np.split np.array_split np.hsplit np.vsplit np.unstack
            np.ndarray.transpose np.ndarray.swapaxes np.ndarray.squeeze np.ndarray.diagonal
        """,
        EACH: "np.broadcast_arrays",
        RESHAPE: "np.reshape np.ndarray.reshape",
        FLAT: "np.ravel np.ndarray.ravel",
        LINED: "np.ascontiguousarray",
        TOLD: "np.meshgrid np.nan_to_num",
        CAST: """
            np.astype np.asarray np.asanyarray np.array np.ndarray.astype np.bool np.int8 np.int16 np.int32
            np.int64 np.uint8 np.uint16 np.uint32 np.uint64 np.float16 np.float32 np.float64 np.complex64
            np.complex128
        """,
        INDEX: "operator.getitem",
        PART: "attribute.imag np.imag",
        ALONE: "np.einsum",
    },
    "torch": {
        VIEW: """
            attribute.T attribute.mT attribute.H attribute.mH attribute.data attribute.real attribute.imag
            operator.pos torch.real torch.imag torch.conj torch.positive torch.detach torch.permute
            torch.transpose torch.swapaxes torch.movedim torch.t torch.squeeze torch.unsqueeze torch.select
            torch.narrow torch.diagonal torch.broadcast_to torch.unflatten torch.chunk torch.split
            torch.split_with_sizes torch.tensor_split torch.hsplit torch.vsplit torch.unbind torch.dropout
            torch.alpha_dropout torch.feature_dropout torch.nn.functional.dropout
            torch.nn.functional.dropout1d torch.nn.functional.dropout2d torch.nn.functional.dropout3d
            torch.nn.functional.alpha_dropout torch.nn.functional.feature_alpha_dropout torch.Tensor.cpu
            torch.Tensor.expand torch.Tensor.expand_as torch.Tensor.view torch.Tensor.view_as
            torch.Tensor.requires_grad_
        """,
        EACH: "torch.broadcast_tensors torch.meshgrid",
        RESHAPE: "torch.reshape torch.flatten torch.Tensor.reshape_as",
        FLAT: "torch.ravel",
        LINED: "torch.Tensor.contiguous",
        CAST: """
            torch.as_tensor torch.asarray torch.Tensor.to torch.Tensor.type torch.Tensor.type_as
            torch.Tensor.float torch.Tensor.double torch.Tensor.half torch.Tensor.bfloat16 torch.Tensor.int
            torch.Tensor.long torch.Tensor.short torch.Tensor.char torch.Tensor.byte torch.Tensor.bool
            torch.Tensor.cfloat torch.Tensor.cdouble
        """,
        INDEX: "operator.getitem",
        ALONE: "torch.einsum",
    },
}
#: NumPy's functions that write into their first array.
WRITING = frozenset("np.copyto np.fill_diagonal np.place np.put np.put_along_axis np.putmask".split())
MEASURED = Path(__file__).with_name("new.json")


def gives(framework: str, names: Iterable[str]) -> str:
    """What a call gives, by the names that the dictionary has for its callee. A method gives what the
    function of its name does, unless something else is known of itself.
    """
    return found(framework, tuple(names)) if framework in DECLARED else NEW  # JAX's are never written into


def methods(framework: str) -> tuple[str, str]:
    """The class whose methods are called as functions are, and where these are."""
    own = backend(framework)
    return f"{own.array_type}.", f"{own.functions[0]}."


@lru_cache(maxsize=4096)
def found(framework: str, names: tuple[str, ...]) -> str:
    kind, functions = methods(framework)
    spelled = [one for name in names for one in (name, name.replace(kind, functions, 1))]
    for name in spelled:
        if name in declared(framework):
            return declared(framework)[name]
    if any(map(writes, spelled)):
        return WRITTEN
    return next((measured(framework)[name] for name in spelled if name in measured(framework)), MAYBE)


def is_known(framework: str, names: Iterable[str]) -> bool:
    """Whether somebody has declared or measured what a call gives."""
    kind, functions = methods(framework)
    spelled = [one for name in names for one in (name, name.replace(kind, functions, 1))]
    return any(name in declared(framework) or name in measured(framework) for name in spelled)


@cache
def writes(name: str) -> bool:
    """Whether a callee writes into its first array: `+=` and its kin, torch's methods that end so,
    np.add.at.
    """
    root, _, last = name.rpartition(".")
    in_place = root == "operator" and last in INPLACE or root == "torch.Tensor" and last.endswith("_")
    return in_place and not last.endswith("__") or last == "at" or name in WRITING


@cache
def reforms(name: str) -> bool:
    """Whether a method of torch that ends in "_" gives its tensor another form in the memory that it has, as
    `t_` does: the one without gives a view. What `detach` gives has the form of the tensor.
    """
    plain = name.removesuffix("_")
    return found("torch", (plain,)) == VIEW and not plain.endswith(".detach")


@cache
def declared(framework: str) -> dict[str, str]:
    return {name: fact for fact, names in DECLARED[framework].items() for name in names.split()}


@cache
def measured(framework: str) -> dict[str, str]:
    return dict.fromkeys(data(framework)["shared"], MAYBE) | dict.fromkeys(data(framework)["new"], NEW)


@cache
def data(framework: str) -> dict[str, list[str]]:
    """What was measured: `new`, the callees that give arrays of their own; `shared`, those that sometimes
    do not; and `unordered`, those of all whose elements may lie in memory otherwise than row by row though
    those of their operands do.
    """
    found: dict[str, dict[str, list[str]]] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return found[framework]


def keeps_order(framework: str, names: Iterable[str]) -> bool:
    """Whether the elements of what a callee gives lie in memory row by row where those of its operands do."""
    known, views = data(framework), declared(framework)
    met = [n for n in names if (n in known["new"] or n in known["shared"]) and views.get(n) != EACH]
    return any(n not in known["unordered"] for n in met)  # what is broadcast lies otherwise
