"""Every word that is missing is told of at once, and what is told is true."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate import UnsupportedError

X = np.arange(6.0).reshape(2, 3)


def helper(x):
    return np.i0(x) * 2


def in_helpers_and_loops(x):
    total = helper(x).sum()
    for row in x:
        total = total + np.unwrap(row).sum()
    return total


def in_branches(x):
    if x.sum() > 0:
        y = np.i0(x)
    else:
        y = np.unwrap(x)
    return np.interp(y, x[0], x[1]) + np.add(x, x, where=x > 0)


def before_an_error(x):
    y = np.i0(x)
    return sorted(y, key=np.sum)


def in_jax(x):
    y = jax.scipy.special.zeta(x, x)
    return y.sum() + jnp.unwrap(x)


def in_torch(x):
    y = torch.special.zeta(x, x)
    return y.sum() + torch.special.bessel_j0(x)


PROGRAMS: tuple[tuple[Callable[..., Any], Any, tuple[str, ...]], ...] = (
    (in_helpers_and_loops, X, ("np.i0", "np.unwrap")),
    (in_branches, X, ("np.i0", "np.unwrap", "np.add")),
    (before_an_error, X, ("np.i0", "sorted() by the values of an array")),
    (in_jax, jnp.asarray(X), ("jax.scipy.special.zeta", "jnp.unwrap")),
    (in_torch, torch.from_numpy(X), ("torch.special.zeta", "torch.special.bessel_j0")),
)


@pytest.mark.parametrize("fn, x, words", PROGRAMS, ids=lambda value: getattr(value, "__name__", ""))
def test_all_missing_words_are_told(fn: Callable[..., Any], x: Any, words: tuple[str, ...]) -> None:
    with pytest.raises(UnsupportedError) as caught:
        tl.symbolic_trace(fn, (x,)).source("numpy")
    text = str(caught.value)
    for word in words:
        assert re.search(rf"^(.*    )?{re.escape(word)}(:| cannot)", text, re.MULTILINE), text
    assert caught.value.span is not None and caught.value.span.file == __file__


def test_a_way_that_is_not_taken_may_have_missing_words() -> None:
    """A size decides, and which way it decided is checked."""

    def of_size(x, k):
        if k > 7:
            return np.i0(x) * k
        return x * k

    def t_of_size(x, k):
        return torch.special.bessel_j0(x) if k > 7 else x * k

    for fn, x in ((of_size, X), (t_of_size, torch.from_numpy(X))):
        out = tl.symbolic_trace(fn, (x, 2)).to("numpy")
        np.testing.assert_array_equal(out(X, 2), X * 2)
        with pytest.raises(AssertionError):
            out(X, 9)


def test_nothing_is_written_to_find_out(tmp_path: Path) -> None:
    """What an unknown call gives is asked only where that does nothing else."""
    file = tmp_path / "x.npy"
    shown = np.get_printoptions()

    def saved(x):
        np.save(str(file), x)
        return x

    def shown_otherwise(x):
        np.set_printoptions(x)
        return x

    def written(x):
        x.tofile(str(file))
        return x

    def dumped(x):
        x.dump(file)
        return x

    for fn in (saved, shown_otherwise, written, dumped):
        with pytest.raises(tl.TraceError):
            tl.symbolic_trace(fn, (X,))
    assert not file.exists() and np.get_printoptions() == shown


def test_who_gave_examples_is_not_asked_for_them() -> None:
    def counted(x):
        return x[x > 0].size

    def dotted(x):
        return np.dot(x[x > 0], x[x > 0])

    for fn in (counted, dotted):
        with pytest.raises(tl.TraceError) as caught:
            tl.symbolic_trace(fn, (X,)).source("torch")
        assert "args=" not in str(caught.value) and "where(mask, x, 0)" in str(caught.value)
    with pytest.raises(tl.TraceError, match="args="):
        tl.symbolic_trace(counted, source="numpy")


def test_whose_code_asks_for_a_bool() -> None:
    def ordered(x):
        return sorted(x, key=np.sum)

    with pytest.raises(UnsupportedError, match="their order is known only when the program runs"):
        tl.symbolic_trace(ordered, (X,))
    space: dict[str, Any] = {}
    exec("def chosen(x):\n    return x if x.sum() > 0 else -x", space)
    with pytest.raises(UnsupportedError, match="this code is not rewritten"):
        tl.symbolic_trace(space["chosen"], (X,))
