"""Casts of the outcome of a test are the program's, whatever is beside them: `(w > 0).float() * w`."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import re
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

pytestmark = pytest.mark.filterwarnings("ignore")

NAMES = ("float64", "float32", "float16", "int64", "int32", "int8", "bool")


#: The bodies of programs of one array, which is `w`; CAST of a test makes it numbers.
PROGRAMS = {
    "times": "return CAST(w > 0) * w",
    "less": "return w - CAST(w > 1)",
    "on a way": "y = w\n    if w.sum() > 1:\n        y = CAST(w > 0) * w\n    return y",
    "early": "if w.sum() > 1:\n        return w * CAST(w > 0)\n    return w",
    "in a loop": "for _ in range(2):\n        w = CAST(w > 0) * w\n    return w",
    "chosen": "return where(w > 1, CAST(w > 0), w)",
    "twice": "return CAST((w > 0) * 1) + w",
}
CASTS = {"numpy": ".astype(np.{})", "jax": ".astype(jnp.{})", "torch": ".to(torch.{})"}
IMPORTS = {
    "numpy": "import numpy as np\nfrom numpy import where",
    "jax": "import jax.numpy as jnp\nfrom jax.numpy import where",
    "torch": "import torch\nfrom torch import where",
}


def written(program: str, framework: str, cast: str) -> str:
    said = rf"\1{CASTS[framework].format(cast)}"
    body = re.sub(r"CAST(\((?:[^()]|\([^()]*\))*\))", said, PROGRAMS[program])
    return f"{IMPORTS[framework]}\n\ndef f(w):\n    {body}\n"


def of(name: str, framework: str) -> Any:
    return convert(np.array([1.5, -2.5, 0.25, 3]).astype(name), framework)


@pytest.mark.covering
@pytest.mark.parametrize("target", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("cast", ["float32", "float16", "int32", "int8"])
@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_dtypes_are_those_of_the_program(
    program: str, source: str, cast: str, target: str, traced: Any
) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    f = traced(written(program, source, cast))
    with jax.enable_x64(True):
        for example in ("float64", "float32", "int32"):
            try:
                out = tl.transpile(f, (of(example, source),), to=target, x64=target == "jax" or None)
            except tl.UnsupportedError:
                continue
            for name in NAMES:
                holds(f, out, example, name, source, target)


def holds(f: Any, out: Any, example: str, name: str, source: str, target: str) -> None:
    """Holds a text against the program where it is given an array of this dtype."""
    try:
        wanted = f(of(name, source))
    except (TypeError, RuntimeError):  # the program takes none of these
        return
    try:
        found = out(of(name, target))
    except (AssertionError, TypeError, RuntimeError):  # a check, or what JAX compiles refuses
        assert name != example, out.source
        return
    wrong = [*compare(wanted, found, kind="reduction")]
    assert not wrong, f"{example}, {name}: {wrong[0]}\n{out.source}"
