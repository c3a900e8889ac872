"""PyTorch: the facts that are torch's rather than an op's. Same order as in numpy.py and jax.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.values import dtypes
from ..ir.values.dtypes import DType
from .backend import Backend
from .compiled import Compiled
from .handling import Handling, Place


class Torchs(Handling):
    def to_numpy(self, value: Any) -> np.ndarray[Any, Any]:
        value = value.detach().cpu().resolve_conj().resolve_neg()
        if dtypes.dtype(value.dtype).name == "bfloat16":
            import ml_dtypes

            return np.asarray(value.float().numpy()).astype(ml_dtypes.bfloat16)
        return np.asarray(value.numpy())

    def from_numpy(self, array: np.ndarray[Any, Any]) -> Any:
        torch = BACKEND.imported
        if array.dtype.name == "bfloat16":
            return torch.from_numpy(array.astype(np.float32)).to(torch.bfloat16)
        return torch.from_numpy(array) if array.ndim else torch.tensor(array)

    def dtype(self, of: DType) -> Any:
        return getattr(BACKEND.imported, of.name)

    def stack(self, values: Sequence[Any]) -> Any:
        import torch

        return torch.stack(list(values))

    def empty(self, shape: tuple[int, ...], of: DType) -> Any:
        import torch

        return torch.empty(shape, dtype=getattr(torch, of.name))

    def place(self, value: Any) -> Place | None:
        if value.layout != value.new_empty(()).layout:
            return None  # a sparse tensor has no one memory
        storage = value.untyped_storage()
        length = storage.nbytes() // value.element_size()
        return Place(storage.data_ptr(), length, value.storage_offset(), tuple(value.stride()))

    def whole(self, value: Any, place: Place) -> Any:
        return self.to_numpy(value.as_strided((place.length,), (1,), 0))

    def view(self, memory: Any, shape: tuple[int, ...], place: Place) -> Any:
        return memory.as_strided(shape, place.strides, place.offset)

    def share(self, one: Any, other: Any) -> bool:
        return bool(one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr())


BACKEND = Backend(
    name="torch",
    words="PyTorch",
    module="torch",
    packages=("torch", "torchmetrics"),
    array_classes=("Tensor", "TensorBase"),
    imports={
        "torch": ("torch", "import torch"),
        "torch._higher_order_ops.scan": ("scan", "from torch._higher_order_ops import scan"),
        "torch.nn.functional": ("F", "import torch.nn.functional as F"),
        "math": ("math", "import math"),
    },
    dtypes={name: f"torch.{name}" for name in dtypes.DTYPES},
    default_float=dtypes.float32,
    default_int=dtypes.int64,
    array="torch.tensor",
    array_type="torch.Tensor",
    functions=("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special"),
    roots=("torch",),
    stack="torch.stack",
    literals={"inf": "torch.inf", "nan": "torch.nan", "newaxis": "None"},
    handling=Torchs(),
    shape_error=RuntimeError,
    controls=("python", "export"),
    compiled=Compiled(
        {
            "cond": "torch.cond",
            "while_loop": "torch.while_loop",
            "scan": "torch._higher_order_ops.scan",
        },
        counter="torch.arange",
        spread=True,
    ),
    whole=("torch",),
    module_class=("torch.nn.modules.module", "Module"),
    differentiated=frozenset({"Function"}),
    to_common="{}.numpy()",
    from_common="torch.from_numpy({})",
    from_others="torch.from_dlpack({})",
    tries=("float64", "int64", "float16", "bool", "float32", "int32", "uint8", "complex64", "bfloat16"),
    negative_strides=False,
    deep_copies_together=True,
    sums_first=True,
    overlaps=False,  # it forbids that, or computes with what it has written already
    in_place="_",
    detached="{}.detach()",
    joins={"multiply": "prod", "minimum": "amin", "maximum": "amax"},
    own_limits=False,
    elements="{}.numel()",
    without_gradients="torch.no_grad",
    in_order=("{0}.is_contiguous()", "{0}.stride()"),
    views=frozenset({"attribute.H", "attribute.mH", "torch.Tensor.requires_grad_"}),
    memory="{0}.untyped_storage().data_ptr()",
    linear_error="torch.linalg.LinAlgError",
    asked=True,
    compiles_try=False,
    item_detaches=True,  # a new leaf
    one_element=True,
    size_method=True,
    hashed_by_identity=True,
    list_arguments=True,
    byte_masks=True,
    index_numbers=True,
    array_parameters=False,
    bool_conditions=False,
    carries_ints=True,
    assigned="placed",
    wide_parameters=True,
    dtype_words="torch.{}",
    kind_methods={"float": "is_floating_point", "complex": "is_complex"},
    listed_kinds=frozenset({"int", "signed", "unsigned"}),
)
