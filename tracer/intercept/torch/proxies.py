"""torch's proxies: tensors without storage, and the mode that sees every call of a torch function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

from ....ir.graphs.graph import Node
from ....ir.sizes.dim import hint_of
from ...proxy import Proxy, current
from .specs import DTYPES

if TYPE_CHECKING:
    from ...tracer import Tracer


class TensorProxy(torch.Tensor, Proxy):
    """A tensor without storage. `node` and `tracer` as in Proxy."""

    node: Any
    tracer: Tracer

    @staticmethod
    def __new__(cls, tracer: Tracer, node: Node) -> TensorProxy:
        spec = node.spec
        # Without axes where even their number is unknown: C++ takes such a tensor for a number too.
        shape = [2 if hint is None else hint for hint in map(hint_of, spec.shape or ())]
        kind = torch.float32 if spec.dtype is None else DTYPES[spec.dtype.name]
        made: TensorProxy = torch.Tensor._make_wrapper_subclass(cls, shape, dtype=kind, device="cpu")
        made.node = node
        made.tracer = tracer
        return made

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return current().foreign(func, args, kwargs or {})

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise current().error(
            f"{func} was called behind torch's Python functions and cannot be recorded",
            "transforms (torch.func) and modules stay outside: trace the function that they are given",
        )

    def __bool__(self) -> bool:
        return bool(self.tracer.truth(self))

    def __len__(self) -> int:
        return int(self.tracer.length(self))

    def __iter__(self) -> Any:
        return self.tracer.rows(self)

    def __repr__(self, **kwargs: Any) -> str:
        return f"<torch proxy {self.node.name}: {self.node.spec}>"

    __hash__ = object.__hash__


TensorProxy.__name__ = "Tensor"  # as torch's messages call it


class Mode(TorchFunctionMode):
    """Sees every call of a torch function while a trace runs."""

    def __init__(self, tracer: Tracer) -> None:
        super().__init__()
        self.tracer = tracer

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return self.tracer.framework.foreign(self.tracer, func, args, kwargs or {})
