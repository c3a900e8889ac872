"""What the tests of names that stand above the functions share."""

from __future__ import annotations

from typing import Any

import numpy as np

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

X = np.linspace(0.1, 1.0, 24, dtype=np.float32).reshape(8, 3)
TARGETS = ("numpy", "jax", "torch")
SOURCES = {"numpy": "import numpy as np", "jax": "import jax.numpy as np", "torch": "import torch as np"}


def texts(f: Any, x: Any = X, source: str = "numpy") -> dict[str, str]:
    """The texts for all frameworks, each of which gives what the function gives."""
    found = {}
    given = convert(x, source)
    wanted = to_numpy(f(given))
    for to in SOURCES:
        out: Any = tl.transpile(f, (given,), to=to)
        np.testing.assert_allclose(to_numpy(out(convert(x, to))), wanted, rtol=1e-5)
        found[to] = out.source
    return found


def head(source: str) -> list[str]:
    """What stands above the functions, but for imports and comments on all of it."""
    lines = source.partition("\n\n\n")[0].splitlines() if "\n\n\ndef " in f"\n\n\n{source}" else []
    return [line for line in lines if line and not line.startswith(("import", "from", "#", "def", " "))]


def check(f: Any, source: str, to: str, x: Any = X, **options: Any) -> str:
    """The text, which gives twice what the function gives, whatever is done to what it gave first."""
    given = convert(x, source)
    out: Any = tl.transpile(f, (given,), to=to, **options)
    for _ in range(2):
        wanted, found = f(convert(x, source)), out(convert(x, to))
        pairs = zip(wanted, found) if isinstance(wanted, tuple) else [(wanted, found)]
        for one, other in pairs:
            np.testing.assert_allclose(to_numpy(other), to_numpy(one), rtol=1e-5)
            if to != "jax" and not isinstance(other, np.generic):
                other[...] = 100
    return str(out.source)
