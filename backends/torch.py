"""PyTorch: the facts that are torch's rather than an op's. Same order as in numpy.py and jax.py."""

from ..ir import dtypes
from .backend import Backend

BACKEND = Backend(
    name="torch",
    module="torch",
    imports={
        "torch": ("torch", "import torch"),
        "torch.nn.functional": ("F", "import torch.nn.functional as F"),
        "math": ("math", "import math"),
    },
    dtypes={name: f"torch.{name}" for name in dtypes.DTYPES},
    default_float=dtypes.float32,
    default_int=dtypes.int64,
    array="torch.tensor",
    array_type="torch.Tensor",
    functions=("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special"),
    literals={"inf": "torch.inf", "nan": "torch.nan", "newaxis": "None"},
    controls=("python", "export"),
)
