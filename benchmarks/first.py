"""The first call in a fresh process: what importing tracelate, the first trace and the first text take, beside
importing the framework. Afterwards all of it is there.
"""

from __future__ import annotations

import subprocess
import sys

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
traced = trace(f, args)
start = step(start)
traced.source("{target}")
step(start)
"""

#: The framework, for what the text is, and how many times as long as its import each may take.
CASES = (
    ("numpy", "torch", {"import": 3.0, "trace": 3.0, "emission": 3.0}),
    ("torch", "numpy", {"import": 0.3, "trace": 0.3, "emission": 0.3}),
)


def main() -> None:
    for framework, target, limits in CASES:
        program = PROGRAM.format(framework=framework, target=target)
        runs = []
        for _ in range(7):
            ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
            runs.append([float(line) for line in ran.stdout.split()])
        whole, *parts = (min(each) for each in zip(*runs))
        for (what, limit), part in zip(limits.items(), parts):
            figure(f"first {what} from {framework}, beside importing {framework}", part / whole, limit)
        figure(f"all of it from {framework}", sum(parts) / whole, sum(limits.values()))


if __name__ == "__main__":
    main()
