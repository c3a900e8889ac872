"""Lists: how torch makes tensors of numbers of Python's, of its default dtype where none is asked for."""

from __future__ import annotations

from typing import Any

import torch

from ..lists import Lists, kind
from .specs import DTYPES

WIDEST = {float: torch.float64, int: torch.int64, bool: torch.bool}


class TorchLists(Lists):
    functions = (torch.tensor, torch.as_tensor)

    def array(self, hooks: Any, column: Any, dtype: Any) -> Any:
        own = DTYPES[column.node.spec.dtype.name]
        if dtype is None:
            dtype = torch.get_default_dtype() if own.is_floating_point else own
        if dtype == own:
            return hooks.call(torch.clone, column)
        return hooks.call(hooks.getattr_(column, "to"), dtype)

    def single(self, hooks: Any, number: Any) -> Any:
        return hooks.call(torch.tensor, number, dtype=WIDEST[kind(number)])
