"""Arguments that take many ways of the corner programs."""

from __future__ import annotations

import numpy as np

X, Y, M = np.array([1.0, 2.0, 3.0]), np.array([3.0, 4.0, 0.5]), np.arange(9.0).reshape(3, 3)

#: Arguments that take many ways; the first are the example.
XYN = [(X, Y, 2), (-X, -Y, 3), (2 * X, 0.1 * Y, 1), (X[:2], Y[:2], 2), (X, -Y, 0)]
ONLY_X = [(X,), (-X,), (2 * X,), (X[:2],), (X,)]
XY = [(X, Y), (-X, -Y), (2 * X, 0.1 * Y), (X[:2], Y[:2]), (X, -Y)]
XN = [(X, 2), (-X, 3), (2 * X, 1), (X[:2], 2), (X, 0)]
XM = [(X, M), (-X, M), (2 * X, -M), (X[:2], M[:2, :2]), (X, M)]
YX = [(Y, X), (-Y, -X), (0.1 * Y, 2 * X), (Y[:2], X[:2]), (-Y, X)]
XYM = [(X, Y, M), (-X, -Y, M), (2 * X, 0.1 * Y, -M), (X[:2], Y[:2], M[:2, :2]), (X, -Y, M)]
XMN = [(X, M, 2), (-X, M, 3), (2 * X, -M, 1), (X[:2], M[:2, :2], 2), (X, M, 0)]
XYMN = [(X, Y, M, 2), (-X, -Y, M, 3), (2 * X, 0.1 * Y, -M, 1), (X[:2], Y[:2], M[:2, :2], 2), (X, -Y, M, 0)]
