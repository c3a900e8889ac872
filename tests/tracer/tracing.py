"""What the tests of tracing look at: the calls on the tape, the emitted text, the numbers."""

from __future__ import annotations

from typing import Any

import jax
import torch

import tracelate as tl
from tracelate.ir.graphs.regions import guard

X = torch.ones(2, 3)


def calls(fn: Any, *args: Any, **options: Any) -> list[str]:
    """The names of the calls on the tape, guards and unused dims left out."""
    graph = tl.symbolic_trace(fn, args or None, **options).graph
    graph.eliminate_dead_code()
    return [n.name for n in graph.nodes if n.op.startswith("call") and n.target is not guard]


def text(fn: Any, *args: Any, to: str = "numpy", **options: Any) -> str:
    """The body of what is emitted."""
    source = tl.symbolic_trace(fn, args or None, **options).source(to)
    return source[source.index("def ") :]


def same(fn: Any, *args: Any, to: str = "numpy", x64: bool | None = None, **options: Any) -> None:
    with jax.enable_x64(bool(x64)):
        report = tl.check(fn, args, to=to, x64=x64, **options)
    assert report.ok, str(report)
