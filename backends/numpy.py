"""NumPy: the facts that are NumPy's rather than an op's. Same order as in jax.py and torch.py."""

from ..ir import dtypes
from .backend import Backend

BACKEND = Backend(
    name="numpy",
    module="numpy",
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
    literals={"inf": "np.inf", "nan": "np.nan", "newaxis": "None"},
)
