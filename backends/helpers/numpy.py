"""Helpers for emitted numpy source."""

import numpy as np


def descending_argsort(x, axis):
    """The positions of the elements from the largest to the smallest; equal ones stay in their own order."""
    positions = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(positions, axis)
