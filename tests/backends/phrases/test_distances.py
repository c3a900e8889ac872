"""Distances of every order, of batches, and of nothing."""

import math

import numpy as np
import pytest
import torch
from calls import every

RANDOM = np.random.default_rng(3)
ORDERS = (2, 1, 0, 3.0, 0.5, math.inf)
POINTS, OTHERS = (RANDOM.standard_normal(shape).astype("float32") for shape in ((5, 3), (4, 3)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_distances_of_every_order(same, dtype):
    fn = every([lambda x, y, p=p: (torch.cdist(x, y, p), torch.pdist(x, p)) for p in ORDERS])
    same(fn, POINTS.astype(dtype), OTHERS.astype(dtype), source="torch")
    odd = POINTS.copy()
    odd[1, 2] = np.nan
    same(fn, odd.astype(dtype), OTHERS.astype(dtype), source="torch")


def test_distances_of_batches_and_of_nothing(same):
    batches = np.stack([POINTS[None], 2 * POINTS[None]]), np.stack([OTHERS] * 3)
    same(lambda x, y: torch.cdist(x, y), *batches, source="torch")
    same(lambda x: (torch.nn.functional.pdist(x[:1]), torch.pdist(x[:0])), POINTS, source="torch")
    same(lambda x, y: torch.cdist(x, y[:0]), POINTS, OTHERS, source="torch")


def test_distances_are_said_as_people_do(same):
    texts = same(lambda x, y: torch.cdist(x, y), POINTS, OTHERS, source="torch")
    assert "np.sqrt(np.sum((x[:, None] - y) ** 2, axis=-1))" in texts["numpy"]
    assert "torch.cdist(x, y)" in texts["torch"]
