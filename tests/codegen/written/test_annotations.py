"""Annotations are kept where a file can say them, with the arrays of the target for those of the source."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import collections.abc
import typing
from collections.abc import Callable
from typing import Any, Literal, Optional

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from torch import Tensor

import tracelate as tl

X = torch.ones(3)
OWN = {"numpy": "np.ndarray", "torch": "torch.Tensor", "jax": "jax.Array"}


class Own:
    pass


def everything(
    x: Tensor,
    n: int = 3,
    scale: float | None = None,
    several: tuple[int, ...] = (1, 2),
    mode: Literal["a", "b"] = "a",
    act: Callable[[Tensor], torch.Tensor] | None = None,
    other: Optional["Tensor"] = None,  # noqa: UP037, UP045
    own: Own | None = None,
    sized: np.ndarray[Any, Any] | None = None,
    odd: float[3] = 1.5,  # type: ignore[valid-type]
    missing: Missing = None,  # type: ignore[name-defined]  # noqa: F821
    *parts: np.ndarray,
    more: dict[str, list[Any]] | None = None,
    seq: typing.Sequence[int] = (),
    **rest: collections.abc.Iterable,
) -> tuple[Tensor, None]:
    return x * n, None


@pytest.mark.parametrize("to", OWN)
def test_annotations(to: str) -> None:
    out = tl.transpile(everything, (X,), to=to, source="torch")
    signature = out.source.partition("def everything(")[2].partition("\n    assert")[0].replace("\n    ", " ")
    array = OWN[to]
    for said in (
        f"x: {array},", "n: int = 3,", "scale: float | None = None,", "several: tuple[int, ...] = (1, 2),",
        'mode: Literal["a", "b"] = "a",', f"act: Callable[[{array}], {array}] | None = None,",
        f"other: Optional[{array}] = None,",
        " own=None,", " sized=None,", " odd=1.5,", " missing=None,",
        f"*parts: {array},", "more: dict[str, list[Any]] | None = None,",
        "seq: Sequence[int] = (),", "**rest: Iterable,", f") -> tuple[{array}, None]:",
    ):  # fmt: skip
        assert said in signature, (said, out.source)
    assert "from collections.abc import Callable, Iterable\n" in out.source
    assert "from typing import Any, Literal, Optional, Sequence\n" in out.source


def written(p: Tensor) -> None:
    p += 1


def writes(x: Tensor) -> Tensor:
    y = x * 1
    written(y)
    return y


def test_what_hands_back_more_than_it_says_says_nothing() -> None:
    assert "def written(p: torch.Tensor) -> None:" in tl.transpile(writes, (X,), to="torch").source
    assert "def written(p: jax.Array):" in tl.transpile(writes, (X,), to="jax", source="torch").source


def local_ones(x: Tensor) -> Tensor:
    n: int = x.shape[0]
    rate: float = 1e-2
    y: Tensor = x * rate  # scaled
    own: Own = y + 1
    found: "Optional[Tensor]" = own * n
    return found


@pytest.mark.parametrize("to", OWN)
def test_variables_keep_theirs(to: str) -> None:
    text = tl.symbolic_trace(local_ones, (X,)).source(to)
    assert "n: int = x.shape[0]" in text and "rate: float = 1e-2" in text, text
    assert f"y: {OWN[to]} = x * rate  # scaled" in text and "    own = y + 1" in text, text
    assert f"found: Optional[{OWN[to]}] = own * n" in text and "from typing import Optional" in text, text
    assert tl.check(local_ones, (X,), to=to)


def of_jax(x: jax.Array, k: jax.Array | None = None, m: "jnp.ndarray | None" = None) -> tuple[jax.Array, ...]:
    return x * 2, x


def of_numpy(x: np.ndarray, k: np.ndarray | None = None) -> np.ndarray:
    return x * 2


@pytest.mark.parametrize("to", OWN)
def test_arrays_of_every_framework(to: str) -> None:
    array = OWN[to]
    text = " ".join(tl.symbolic_trace(of_jax, (jnp.ones(3),)).source(to).split())
    for said in (f"x: {array},", f"k: {array} | None = None", f"m: {array} | None = None"):
        assert said in text
    assert f"-> tuple[{array}, ...]:" in text
    text = tl.symbolic_trace(of_numpy, (np.ones(3, np.float32),)).source(to)
    assert f"def of_numpy(x: {array}, k: {array} | None = None) -> {array}:" in text
