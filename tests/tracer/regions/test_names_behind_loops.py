"""What is bound in the turns of a short loop, and read behind it, where an array decides how it is left."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert


def halved(x):
    for it in range(4):
        x = x * 0.5
        if x.sum() < 1:
            break
    return x, it


def balanced(x):
    for k in range(6):
        y = x / x.sum()
        error = abs(y - x).max()
        x = y
        if error < 1e-3:
            break
    return x, error, k, y


def patient(x):
    best, waited = x.sum() * 0 + 1e9, 0
    for epoch in range(3):
        loss = x[epoch]
        if loss < best:
            best, waited = loss, 0
        else:
            waited += 1
            if waited >= 2:
                break
    return best, epoch, waited


def nested(x):
    for i in range(3):
        for j in range(3):
            x = x + i * j
            if x.sum() > 20:
                break
        if x.sum() > 30:
            break
    return x, i, j


FORMS = [("numpy", None), ("jax", None), ("torch", None), ("torch", "export")]


@pytest.mark.parametrize(("to", "control"), FORMS)
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("program", [halved, balanced, patient, nested])
def test_they_have_the_values_of_the_last_turn(program: Any, source: str, to: str, control: Any) -> None:
    example = np.array([0.5, 2.0, 1.0, 4.0], np.float32)
    out = tl.transpile(program, (convert(example, source),), to=to, control=control)
    for x in (example, example * 4, example[::-1].copy(), np.full(4, 0.01, np.float32)):
        expected = program(x)
        for found, value in zip(out(convert(x, to)), expected):
            np.testing.assert_allclose(np.asarray(found), np.asarray(value), rtol=1e-5, atol=1e-6)
