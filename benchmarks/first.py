"""The first call in a fresh process: what importing tracelate, the first trace and the first text take,
beside importing the framework. Python keeps bytecode, as an installed package has it.

With the first shape that torch is asked for, of a tensor without numbers, torch imports its compiler, which
takes as long as torch itself. It is no part of tracelate's, so that it has a line of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from common import figure

PROGRAM = """
import time

def step(since):
    print(time.process_time() - since)
    return time.process_time()

start = time.process_time()
import {framework} as xp
start = step(start)
import tracelate as tl
trace = tl.symbolic_trace
start = step(start)

def f(x, w):
    h = xp.tanh(x @ w) + 1
    return h / h.sum()

args = xp.ones((2, 3)), xp.ones((3, 4))
start = time.process_time()
{shape}
start = step(start)
traced = trace(f, args)
start = step(start)
traced.source("{target}")
step(start)
"""

#: The framework, how it is asked for a shape, for what the text is, and how many times as long as its import
#: each may take.
CASES = (
    ("numpy", "", "torch", {"import": 4.0, "trace": 0.6, "emission": 0.25}),
    (
        "torch", 'xp.tanh(xp.ones(2, device="meta"))', "numpy",
        {"import": 0.3, "trace": 0.07, "emission": 0.03},
    ),
)  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        measured(environment)


def measured(environment: dict[str, str]) -> None:
    for framework, shape, target, limits in CASES:
        program = PROGRAM.format(framework=framework, shape=shape, target=target)
        runs = []
        for _ in range(8):  # the first writes the bytecode
            command = [sys.executable, "-c", program]
            ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
            runs.append([float(line) for line in ran.stdout.split()])
        whole, imported, asked, *rest = (min(each) for each in zip(*runs))
        parts = [imported, *rest]
        if shape:
            figure(f"(what {framework} imports when it is asked for a shape)", asked / whole, 1.5)
        for (what, limit), part in zip(limits.items(), parts):
            figure(f"first {what} from {framework}, beside importing {framework}", part / whole, limit)
        figure(f"all of it from {framework}", sum(parts) / whole, sum(limits.values()))


if __name__ == "__main__":
    main()
