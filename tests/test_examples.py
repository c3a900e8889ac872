"""The programs in examples/ are ordinary programs: they run as they are, and their translations agree."""

from __future__ import annotations

import importlib
import pathlib
import subprocess
import sys
from typing import Any

import jax
import pytest

import tracelate as tl

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("name", ("calibration", "foo", "gpt_block", "metrics", "mixture"))
def test_a_program_runs_by_itself(name: str) -> None:
    done = subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def programs() -> list[tuple[str, str, dict[str, Any]]]:
    """Module, function and keyword arguments of what is translated."""
    metrics = {
        "peak_signal_noise_ratio": {"data_range": 1.0},
        "spectral_angle_mapper": {},
        "universal_image_quality_index": {},
        "structural_similarity_index_measure": {"data_range": 1.0},
    }
    own = [("foo", "foo"), ("gpt_block", "block"), ("calibration", "calibrate"), ("mixture", "fit")]
    return [*((m, f, {}) for m, f in own), *(("metrics", f, options) for f, options in metrics.items())]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("name", "entry", "options"), programs(), ids=[f for _, f, _ in programs()])
def test_a_translation_agrees_call_by_call(
    name: str, entry: str, options: dict[str, Any], to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    module = importlib.import_module(name)
    wide = name == "calibration" and to == "jax"
    with jax.enable_x64(wide):
        report = tl.check(getattr(module, entry), module.inputs(), options, to=to, x64=True if wide else None)
    assert report.ok, str(report)
    assert report.compared >= 3
