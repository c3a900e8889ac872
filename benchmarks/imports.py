"""What `import tracelate` costs beyond NumPy: at most 0.15 s, and no framework."""

from __future__ import annotations

import subprocess
import sys

from common import figure

PROGRAM = (
    "import numpy, time; start = time.perf_counter(); import tracelate; print(time.perf_counter() - start)"
)


def main() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
        for _ in range(7)
    ]
    figure("import tracelate, beyond numpy", min(float(run.stdout) for run in runs), 0.15, "s")


if __name__ == "__main__":
    main()
