"""What a trace keeps in memory for each node, beside what torch.fx keeps of the same program with its fake
tensors.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import torch
import torch.fx
from common import figure
from helpers import X, chain
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from tracing import repeated

import tracelate as tl

LENGTH = 10_000


def kept(make: Callable[[], Any]) -> int:
    """The bytes that what is made keeps."""
    make()
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    made = make()
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert made is not None
    return after - before


def fx(program: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    made = torch.fx.symbolic_trace(program)
    FakeTensorProp(made).propagate(*args)
    return made


def main() -> None:
    for program, args, what in (
        (repeated, (torch.ones(8),), "a chain of ops"),
        (chain(LENGTH), (X,), "a chain of calls of helpers"),
    ):
        mine = kept(lambda: tl.symbolic_trace(program, args, unroll=True).graph)  # noqa: B023
        theirs = kept(lambda: fx(program, args))  # noqa: B023
        figure(f"memory kept for {what}, beside torch.fx", mine / theirs, 1.3)


if __name__ == "__main__":
    main()
