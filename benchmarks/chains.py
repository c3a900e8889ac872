"""Chains of 1e3, 1e4 and 1e5 nodes, from the trace to the loaded text: time and memory must grow linearly."""

from __future__ import annotations

import math
import time
import tracemalloc
from typing import Any

import numpy as np
from common import figure

import tracelate as tl

LENGTHS = (1_000, 10_000, 100_000)


def chain(length: int) -> Any:
    def steps(x: Any) -> Any:
        for _ in range(length):
            x = np.sin(x)
        return x

    return steps


def run(length: int) -> dict[str, float]:
    """Seconds of each stage, for one chain."""
    args = (np.ones(3),)
    seconds: dict[str, float] = {}

    def timed(stage: str, start: float) -> float:
        now = time.process_time()
        seconds[stage] = now - start
        return now

    start = time.process_time()
    traced = tl.symbolic_trace(chain(length), args, unroll=True)
    start = timed("trace", start)
    traced.program
    start = timed("read", start)
    traced.source("torch")
    start = timed("source", start)
    traced.to("numpy")
    timed("to", start)
    return seconds


def best(length: int, times: int = 2) -> dict[str, float]:
    """The least that each stage took, of a few runs."""
    runs = [run(length) for _ in range(times)]
    return {stage: min(seconds[stage] for seconds in runs) for stage in runs[0]}


def memory(length: int) -> float:
    """Bytes at the peak."""
    tracemalloc.start()
    tl.symbolic_trace(chain(length), (np.ones(3),), unroll=True).source("torch")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return float(peak)


def exponent(small: float, large: float) -> float:
    """k where the cost grows as n**k, over the last factor of ten."""
    return math.log10(large / small)


def main() -> None:
    run(LENGTHS[0])
    found = {length: best(length) for length in LENGTHS}
    for stage in found[LENGTHS[0]]:
        figure(
            f"{stage}: exponent of time, 1e4 to 1e5 nodes",
            exponent(found[LENGTHS[1]][stage], found[LENGTHS[2]][stage]), 1.05, "",
        )  # fmt: skip
    figure("exponent of memory, 1e3 to 1e4 nodes", exponent(memory(LENGTHS[0]), memory(LENGTHS[1])), 1.05, "")


if __name__ == "__main__":
    main()
