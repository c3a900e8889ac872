"""Installed libraries: one that is made for arrays is traced like the program's own code, others run as they
are.
"""

from __future__ import annotations

import functools
import importlib
import math
import pathlib
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torchmetrics.functional import mean_absolute_error

import tracelate as tl

X = np.arange(6.0).reshape(2, 3)

CODE = '''
import functools

import numpy as np

KEPT = {}
COUNT = 0


def counting(x):
    global COUNT
    COUNT += 1
    return x * COUNT


def filling(x, seen=[]):
    seen.append(1)
    return x + len(seen)


@functools.lru_cache
def pairs(n, k):
    return n * (n - 1) // k


def remembered(n):
    if n not in KEPT:
        KEPT[n] = [n]
    return KEPT[n][0]


def centred(x):
    """x less its mean."""
    if x.sum() > 0:  # an array decides
        x = x - x.mean()
    return x / x.shape[0]


def counted(x):
    return x * len(x) + sum(range(x.shape[1]))  # Python's own sum sees an int


def bump(x, by=1.0):
    x[0] += by


def keeps(x):
    KEPT["last"] = x
    return x + 1


class Scaler:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        self.by = x.max()
        return x / self.by
'''

Install = Callable[[str, str], types.ModuleType]


@pytest.fixture
def install(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Make a library of the code above that says it needs this."""
    folder = tmp_path / "site-packages"
    monkeypatch.syspath_prepend(str(folder))

    def made(name: str, needs: str) -> types.ModuleType:
        about = folder / f"{name}-1.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{needs}\n")
        (about / "top_level.txt").write_text(name)
        (folder / f"{name}.py").write_text(CODE)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    return made


def agree(fn: Any, out: Any, x: Any) -> None:
    given, theirs = x.copy(), x.copy()
    found, wanted = out(given), fn(theirs)
    np.testing.assert_allclose(found, wanted)
    np.testing.assert_array_equal(given, theirs)


def test_a_library_for_arrays_is_traced(install: Install) -> None:
    made = install("arrays_a", "Requires-Dist: numpy>=1.20")

    def centred(x: Any) -> Any:
        return made.centred(x) * 2

    def counted(x: Any) -> Any:
        return made.counted(x)

    def written(x: Any) -> Any:
        y = x * 1
        made.bump(y[1:], by=3.0)
        made.bump(x)
        return y

    for fn in (centred, counted, written):
        out = tl.transpile(fn, (X,), to="numpy")
        for x in (X, -X, np.ones((4, 3)), np.ones((2, 3))):
            agree(fn, out, x)
    source = tl.transpile(centred, (X,), to="numpy").source
    assert "if x.sum() > 0:  # an array decides" in source
    assert "def centred_2(x):" in source or "def centred(x):" in source


def test_a_function_of_a_library_is_traced_where_it_is_given_itself(install: Install) -> None:
    made = install("arrays_b", "Requires-Dist: torch")
    agree(made.centred, tl.transpile(made.centred, (X,), to="numpy"), np.ones((4, 5)))


@pytest.mark.parametrize("needs", ["", "Requires-Dist: tqdm", 'Requires-Dist: numpy; extra == "test"'])
def test_another_sees_ints_and_they_are_checked(install: Install, needs: str) -> None:
    made = install(f"tools_{len(needs)}", needs)

    def counted(x: Any) -> Any:
        return made.counted(x)

    out = tl.transpile(counted, (X,), to="numpy")
    agree(counted, out, X + 1)
    with pytest.raises(AssertionError, match=r"\(4, 3\)"):
        out(np.ones((4, 3)))


def test_what_a_library_keeps_is_refused(install: Install) -> None:
    made = install("arrays_c", "Requires-Dist: numpy")
    scaler = made.Scaler(2.0)

    def keeps(x: Any) -> Any:
        return made.keeps(x)

    def scaled(x: Any) -> Any:
        return scaler(x)

    for fn, what in ((keeps, "KEPT"), (scaled, "by")):
        with pytest.raises(tl.TraceError, match=what):
            tl.transpile(fn, (X,), to="numpy")
    assert made.KEPT == {} and scaler.by == 2.0


@pytest.mark.parametrize("name", ["counting", "filling"])
def test_what_a_library_keeps_decides_nothing_unseen(install: Install, name: str) -> None:
    made = install(f"state_{name}", "")

    def twice(x: Any) -> Any:
        return getattr(made, name)(x) + getattr(made, name)(x)

    with pytest.raises(tl.UnsupportedError, match="outlives the call"):
        tl.transpile(twice, (X,), to="numpy")
    assert made.COUNT == 0 and made.filling(X)[0, 0] == 1


COMBINATIONS = functools.lru_cache(math.comb)


def test_what_keeps_numbers_is_given_pythons_own(install: Install) -> None:
    made = install("caches", "")

    def of_a_cache(x: Any) -> Any:
        return x * COMBINATIONS(len(x) + 2, 2)

    def of_a_library(x: Any) -> Any:
        return x * made.pairs(len(x), 2) + made.remembered(len(x))

    for fn in (of_a_cache, of_a_library):
        for to in ("numpy", "torch"):
            out = tl.transpile(fn, (X,), to=to)
            assert "assert x.shape" in out.source
        agree(fn, tl.transpile(fn, (X,), to="numpy"), X + 1)
    assert {type(key) for key in made.KEPT} <= {int}


def test_a_metric_holds_for_other_sizes() -> None:
    out = tl.transpile(mean_absolute_error, (torch.ones(2, 3), torch.ones(2, 3)), to="numpy")
    x, y = np.ones((4, 3), np.float32), np.zeros((4, 3), np.float32)
    assert out(x, y) == mean_absolute_error(torch.tensor(x), torch.tensor(y)).item() == 1
