"""Python's garbage collector, which looks while much is made, though there is next to nothing to find."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the collector, which would go through all there is once for every few modules that are
    imported, or texts that are written. What is left over is found when it looks next.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
