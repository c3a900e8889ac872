"""The programs in examples/ are ordinary programs: they run as they are, in their own framework."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("name", ("calibration", "foo", "gpt_block", "metrics", "mixture"))
def test_a_program_runs_by_itself(name: str) -> None:
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout
