"""Every torch function of the dictionary, called with a tensor whose size values decide, beside numbers.

torch's C++ parser decides what each argument is. Whatever it takes these for, it must not crash.

Run as a script: what was called last stands in the last line, if it dies.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

import tracelate as tl
from tracelate.backends import rows
from tracelate.backends.rows import READERS, READS

X = torch.tensor([1.0, -2.0, 3.0])
PLACES: tuple[Callable[[Any], tuple[Any, ...]], ...] = (
    lambda s: (s,), lambda s: (s, 0), lambda s: (0, s), lambda s: (s, s, 0), lambda s: (s > 0, 0, s),
    lambda s: (0.5, s, s), lambda s: ((2,), s), lambda s: ([s, s], 0), lambda s: (s, 0, 1),
    lambda s: (s, [0]),
)  # fmt: skip


def functions() -> Iterator[tuple[str, Any]]:
    """The functions and methods of torch that are read, by name."""
    rows.load()
    for framework, name in sorted({*READS, *READERS}):
        root, *path = name.split(".")
        if framework != "torch" or root != "torch":
            continue
        try:
            yield name, functools.reduce(getattr, path, torch)
        except AttributeError:
            continue  # of another version


def main() -> None:
    faults = 0
    for name, function in functions():
        for number, place in enumerate(PLACES):
            print(name, number, flush=True)
            try:
                tl.symbolic_trace(lambda x: function(*place(x[x > 0])), (X,)).source("numpy")
            except tl.InternalError as error:
                faults += 1
                print("fault:", error.message, flush=True)
            except Exception:
                continue  # a refusal, of torch's or of ours
    sys.exit(f"{faults} faults of ours" if faults else 0)


if __name__ == "__main__":
    main()
