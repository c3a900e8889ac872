"""What the benchmarks share: the shortest of several runs, and a line for each figure beside what it may be
at most.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def best(run: Callable[[], object], repeat: int = 5, number: int = 1) -> float:
    """Seconds of one `run` of this process alone, the shortest of `repeat` tries of `number` runs each."""
    shortest = float("inf")
    for _ in range(repeat):
        gc.collect()
        gc.disable()
        start = time.process_time()
        for _ in range(number):
            run()
        shortest = min(shortest, (time.process_time() - start) / number)
        gc.enable()
    return shortest


def in_turns(
    one: Callable[[], object], other: Callable[[], object], repeat: int = 15, number: int = 1
) -> tuple[float, float]:
    """Seconds of both, which take turns, so that both meet the same noise."""
    a = b = float("inf")
    gc.collect()
    gc.freeze()  # so that between turns only what they leave is looked at
    for _ in range(repeat):
        a = min(a, best(one, 1, number))
        b = min(b, best(other, 1, number))
    gc.unfreeze()
    return a, b


def side_by_side(
    one: Callable[[], object], other: Callable[[], object], repeat: int = 15, number: int = 1
) -> float:
    """How many times as long `one` takes as `other`."""
    a, b = in_turns(one, other, repeat, number)
    return a / b


def figure(what: str, value: float, limit: float, unit: str = "×") -> None:
    """Print a figure, and whether it keeps its limit."""
    verdict = "ok" if value <= limit else "OVER"
    print(f"{what:<72} {value:8.3f} {unit:<3} at most {limit:g}  {verdict}")
