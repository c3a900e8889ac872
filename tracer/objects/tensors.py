"""Tensors: torch's arrays that there really are, as buffers.py looks after them."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

from ..own import attributes
from ..proxy import Proxy
from .held import Held


def tensor_class() -> Any:
    """torch's class of arrays, once the user has imported it; else no class at all."""
    return getattr(sys.modules.get("torch"), "Tensor", ())


def is_tensor(value: Any) -> bool:
    kind = type(value)
    return issubclass(kind, tensor_class()) and not issubclass(kind, Proxy)


def aside() -> contextlib.AbstractContextManager[object]:
    """Within it calls of torch's are no part of a program."""
    torch: Any = sys.modules.get("torch")
    unseen: contextlib.AbstractContextManager[object] = torch._C.DisableTorchFunction()
    return unseen


def copied(value: Any) -> Any:
    with aside():
        return value.clone()


def blank(value: Any) -> Any:
    with aside():
        return sys.modules["torch"].zeros_like(value)


def address(value: Any) -> int | None:
    with aside():
        return int(value.untyped_storage().data_ptr()) or None


def held(value: Any) -> Held | None:
    try:
        with aside():
            more = {"requires_grad": value.requires_grad, "grad": value.grad if value.is_leaf else None}
            return Held(value.detach().clone(), form(value), {**more, **(attributes(value) or {})})
    except Exception:  # a tensor without memory of its own
        return None


def size(value: Any) -> int:
    with aside():
        return int(value.numel() * value.element_size())


def form(value: Any) -> tuple[Any, ...]:
    return tuple(value.shape), value.stride(), value.dtype, value.storage_offset()


def same_bytes(one: Any, other: Any) -> bool:
    torch: Any = sys.modules["torch"]
    with aside():
        a, b = (v.detach().resolve_conj().reshape(-1).view(torch.uint8) for v in (one, other))
        return bool(torch.equal(a, b))


def restore(value: Any, before: Held) -> None:
    torch: Any = sys.modules["torch"]
    with aside(), torch.no_grad():
        shape, strides, _, offset = before.form
        if form(value) != before.form:
            value.requires_grad_(False)
            value.data = before.values if value.dtype != before.form[2] else value.data
            value.as_strided_(shape, strides, offset) if fits(value, before) else value.set_(before.values)
        value.detach().copy_(before.values)
        attributes_of = attributes(value)
        if attributes_of is not None:
            attributes_of.clear()
            attributes_of.update({k: v for k, v in before.more.items() if k not in ("requires_grad", "grad")})
        if value.is_leaf:
            value.requires_grad_(before.more["requires_grad"])
            value.grad = before.more["grad"]


def fits(value: Any, before: Held) -> bool:
    """Whether the memory of a tensor is large enough for the form that it had."""
    shape, strides, _, offset = before.form
    last = offset + sum((n - 1) * s for n, s in zip(shape, strides)) + 1 if all(shape) else 0
    return bool(value.untyped_storage().nbytes() >= last * value.element_size())
