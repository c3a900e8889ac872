"""The programs that tests run, and what tests share, are imported as plain modules: from here, from programs/
and from rewrite/.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import jax
import pytest

HERE = Path(__file__).parent
sys.path[:0] = map(str, (HERE, HERE / "programs", HERE / "rewrite"))


@pytest.fixture
def wide() -> Iterator[None]:
    """JAX has 64 bits."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)
