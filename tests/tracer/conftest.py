"""What the rewriter is tested on stands in plain modules of this folder: rewrite_corpus, rewrite_programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import jax
import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def wide() -> Iterator[None]:
    """JAX has 64 bits."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)
