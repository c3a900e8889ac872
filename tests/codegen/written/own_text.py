"""What the tests of statements and of words hold a translation against: its text below the head."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = np.arange(1.0, 7.0, dtype=np.float32).reshape(2, 3)
OF = {"numpy": np.asarray, "jax": jnp.asarray, "torch": lambda x: torch.tensor(np.asarray(x))}
EVERYWHERE = pytest.mark.parametrize("to", ["numpy", "jax", "torch"])


def body(fn: Callable[..., Any], to: str, *args: Any) -> str:
    """What a translation says below its head, which gives what the program gives."""
    assert tl.check(fn, to=to, args=args)
    text = tl.symbolic_trace(fn, args=args).source(to=to, guards="none")
    return "\n".join(text.split("def ", 1)[1].splitlines()[1:]).strip()
