"""The truth of `m is None`, of a parameter with a default, beside tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import agrees_or_raises

X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
B = np.float32([1, -2, 3])

#: What may be made of the truth of `m is None`, beside tests.
TRUTHS = [
    lambda x, m=None: x * (1 + (m is None)),
    lambda x, m=None: x * int(m is None),
    lambda x, m=None: x * [1, 2][m is None],
    lambda x, m=None: x * len(f"{m is None}"),
    lambda x, m=None: x * (3 if (m is None) == True else 2),  # noqa: E712
    lambda x, m=None: x * {True: 3, False: 2}[m is None],
    lambda x, m=None: x * float(m is not None),
    lambda x, m=None: (x, m is None),
    lambda x, m=None: x * sum([m is None, x is None]),
    lambda x, m=None: x * (3 if (m is None) is True else 2),
    lambda x, m=None: x * (-(m is None)),
    lambda x, m=None: x * (m is None),
    lambda x, m=None: x * (3 if (m is None) in (True, 5) else 2),
    lambda x, m=None: x * isinstance(m is None, bool),
    lambda x, m=None: x * (3 if type(m is None) is bool else 2),
    lambda x, m=None: x * max(m is None, 0),
    lambda x, m=None: x * len("%s" % (m is None)),
    lambda x, m=None: x * len(str(m is None)),
    lambda x, m=None: x * (3 if bool(m is None) else 2),
    lambda x, m=None: np.where(m is None, x, 2),
    lambda x, m=None: x * (m is not None) + 1,
    lambda x, m=None: x * any([m is None]) + 1,
    lambda x, m=None: x.sum(keepdims=m is None),
    lambda x, m=None: x * ((m is None) & True),
    lambda x, m=None: {"a": x, "b": [m is not None]},
]  # fmt: skip


@pytest.mark.parametrize("program", TRUTHS)
@pytest.mark.parametrize("to", ["torch", "jax"])
def test_the_truth_of_is_none_is_a_bool(program: Any, to: str) -> None:
    agrees_or_raises(program, "numpy", (X, B), [(X,)], to)
    agrees_or_raises(program, "numpy", (X,), [(X, B)], to)
