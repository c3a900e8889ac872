"""unroll=: which loops of known length stay loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl


def grown(x: np.ndarray) -> np.ndarray:
    for i in range(3):
        x = x * 2 + i
    return x


def halved(x: np.ndarray) -> np.ndarray:
    i = 0
    while i < 4:
        x = x / 2
        i += 1
    return x


def unlike(x: np.ndarray) -> np.ndarray:
    for i in range(3):
        x = np.concatenate([x, x]) if i == 1 else x + i
    return x


LOOP = """\
import numpy as np


def grown(x: np.ndarray) -> np.ndarray:
    for i in range(3):
        x = x * 2 + i
    return x
"""

OUT = """\
import numpy as np


def grown(x: np.ndarray) -> np.ndarray:
    x = x * 2 + 0
    x = x * 2 + 1
    x = x * 2 + 2
    return x
"""


@pytest.mark.parametrize(
    ("unroll", "text"), [(None, LOOP), (True, OUT), (3, OUT), (2, LOOP), (0, LOOP), (False, LOOP)]
)
def test_how_many_turns_are_written_out(unroll: Any, text: str) -> None:
    traced = tl.symbolic_trace(grown, np.ones(2), unroll=unroll)
    assert traced.source("numpy") == text
    assert tl.check(grown, np.ones(2), to="torch", unroll=unroll)


def long(x: torch.Tensor) -> torch.Tensor:
    for i in range(20):
        x = torch.sin(x) + i
    return x


def test_a_long_loop_stays_one_unless_it_is_asked_for() -> None:
    assert "for i in range(20):" in tl.symbolic_trace(long, torch.ones(2)).source("torch")
    assert "fori_loop" in tl.symbolic_trace(long, torch.ones(2)).source("jax")
    out = tl.transpile(long, torch.ones(2), to="jax", unroll=True, verify=True)
    assert out.source.count("jnp.sin") == 20 and "jax.lax" not in out.source


def test_a_while_that_counts() -> None:
    assert "while i < 4" in tl.symbolic_trace(halved, np.ones(2)).source("numpy")
    assert "while" not in tl.symbolic_trace(halved, np.ones(2), unroll=8).source("numpy")


def test_sizes_that_change_from_turn_to_turn() -> None:
    out = tl.transpile(unlike, np.ones(2), to="numpy", unroll=False)
    assert "for i in range(3):" in out.source
    for x in (np.ones(2), np.zeros(5)):
        assert np.array_equal(out(x), unlike(x))


def layered(x: torch.Tensor, weights: list[torch.Tensor]) -> torch.Tensor:
    for weight in weights:
        x = torch.tanh(x @ weight)
    return x


def test_a_loop_over_a_list_stays_one_unless_it_is_asked_for() -> None:
    args = (torch.ones(2), [torch.ones(2, 2), torch.ones(2, 3)])
    assert "for weight in weights:" in tl.symbolic_trace(layered, args).source("jax")
    for unroll in (2, True):
        assert "for " not in tl.symbolic_trace(layered, args, unroll=unroll).source("torch")


def test_a_short_loop_is_pythons_in_jax_and_a_long_one_is_compiled() -> None:
    assert "for i in range(3):" in tl.symbolic_trace(grown, np.ones(2)).source("jax", x64=True)


def kept(x: np.ndarray) -> list[np.ndarray]:
    outs = [x.sum()]
    for i in range(3):
        outs.append(x * i)
    return outs


def test_a_short_loop_that_cannot_be_recorded_is_written_out() -> None:
    text = tl.symbolic_trace(kept, np.ones(2)).source("numpy")
    assert "for " not in text
    with pytest.raises(tl.UnsupportedError):
        tl.symbolic_trace(kept, np.ones(2), unroll=0)


@pytest.mark.parametrize(("unroll", "error"), [(-1, ValueError), ("8", TypeError), (2.5, TypeError)])
def test_what_is_no_number_of_turns(unroll: Any, error: type) -> None:
    with pytest.raises(error, match="unroll="):
        tl.symbolic_trace(grown, np.ones(2), unroll=unroll)
