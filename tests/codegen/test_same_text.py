"""The text of a program is the same in every process: nothing in it hangs on the order of a set."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
#: What a process prints: the texts of the forty functions in all targets, or of the metrics.
CORPUS = """
import test_corpus
for name in test_corpus.ENTRIES:
    made = test_corpus.entry(name)
    for to in test_corpus.TARGETS:
        if test_corpus.refusal(made.name, to) is None:
            print(tl.symbolic_trace(made.fn, made.args).source(to))
"""
METRICS = """
import metrics
for metric, options in metrics.METRICS:
    for to in ("numpy", "jax", "torch"):
        print(tl.symbolic_trace(metric, metrics.inputs(), options).source(to))
"""


def printed(program: str, seed: int) -> str:
    folders = HERE.parent / "corpus", HERE.parents[1] / "examples"
    paths = "\n".join(f"sys.path.insert(0, {str(folder)!r})" for folder in folders)
    quiet = "import sys, warnings\nwarnings.simplefilter('ignore')"
    code = f"{quiet}\n{paths}\nimport tracelate as tl\n{program}"
    env = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return ran.stdout


@pytest.mark.parametrize(
    "program", [METRICS, pytest.param(CORPUS, marks=pytest.mark.slow)], ids=["metrics", "corpus"]
)
def test_the_text_is_the_same_whatever_strings_hash_to(program: str) -> None:
    first, *others = (printed(program, seed) for seed in (1, 2, 3))
    assert first and all(other == first for other in others)
