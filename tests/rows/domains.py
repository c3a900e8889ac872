"""Numbers for the operands of an op, of the domains that it says in the words of ir/meaning/sampling.py.

The default, `any`, mixes random numbers with all that is special: zeros of both signs, NaN, infinities, ones,
ties, the ends of the dtype. What an op does not take, or what frameworks say nothing about, it says itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from tracelate.ir.meaning.op import Op
from tracelate.ir.meaning.sampling import taken_apart

Array = np.ndarray[Any, Any]


def large(x: Array) -> Any:
    return np.isfinite(x) & (np.abs(x) > 1e4)


def ends(x: Array) -> Any:
    """Integers that may be rounded to one which the dtype does not hold."""
    if x.dtype.kind not in "iu":
        return np.zeros(x.shape, bool)
    return (x > np.iinfo(x.dtype).max - 10) | ((x < np.iinfo(x.dtype).min + 10) & (x.dtype.kind == "i"))


#: Where no tolerance fits.
UNJUDGED = {
    ("divide", "bool"): "XLA has 0 for some 0 / 0 of bools that broadcast",
    ("lgamma", "bool"): "it is 5e-7 in JAX where it should be 0, and nothing larger stands beside",
    ("dot_product_attention", "float64"): "JAX's has the digits of float32 alone, since its softmax has",
}  # fmt: skip

#: What a domain may go without.
WITHOUT: dict[str, Callable[[Array], Any]] = {
    "nan": np.isnan,
    "inf": np.isinf,
    "zero": lambda x: x == 0,
    "negative": lambda x: x < 0,
    "large": large,
    "ends": ends,
}


def domain(op: Op, array: str) -> str:
    """The word of an array's domain."""
    return taken_apart(op.domain[array], op.name)[0]


def special(op: Op) -> bool:
    """Whether an op meets what is special in samples of their own, and not in all."""
    return any(taken_apart(said, op.name)[1] for said in op.domain.values())


def left_out(op: Op, array: str) -> tuple[str, ...]:
    """The words of WITHOUT for this array."""
    return taken_apart(op.domain[array], op.name)[2]


def outside(made: Array, without: tuple[str, ...]) -> Any:
    """Which numbers these words name."""
    return np.logical_or.reduce([WITHOUT[word](made) for word in without])


def numpy_dtype(name: str) -> np.dtype[Any]:
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


@cache
def numbers(
    of: str, shape: tuple[int, ...], dtype: str, seed: int, bound: int = 3, without: tuple[str, ...] = ()
) -> Array:
    """Numbers of the domain `of`. The same arguments give the same numbers.

    Args:
        bound: for positions, how many there are.
        without: words of WITHOUT; threes take the place of what they name.
    """
    made = draw(of, shape, dtype, seed, bound)
    if not without:
        return made
    with np.errstate(invalid="ignore"):
        return np.where(outside(made, without), np.full_like(made, 3), made)


def draw(of: str, shape: tuple[int, ...], dtype: str, seed: int, bound: int) -> Array:
    rng = np.random.default_rng([seed, *shape])
    kind = "f" if dtype == "bfloat16" else np.dtype(dtype).kind
    if of == "position":
        chosen = dtype if dtype in ("int32", "int64") else "int64"
        return rng.integers(0, max(bound, 1), shape).astype(chosen)
    if kind == "b" and of in ("invertible", "definite"):
        return np.broadcast_to(np.eye(shape[-1], dtype=bool), shape)
    if of == "mask" or kind == "b":
        return rng.random(shape) > (-1 if of == "nonzero" else 0.4)
    # Frameworks agree about zero and infinity to a power only where they are real.
    of = {
        "base": "nonzero" if kind == "c" else "any",
        "exponent": "any" if kind == "f" else "small",
        "tame": "finite" if kind in "iu" else "any",
    }.get(of, of)
    made = DRAWN[of](rng, shape, kind)
    if kind == "c":
        made = made + 1j * DRAWN[of](rng, shape, kind)
    with np.errstate(all="ignore"):
        made = made.astype(numpy_dtype(dtype))
    return sprinkled(rng, made, dtype) if of == "any" else made


def finite(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    if kind in "iu":
        return rng.integers(0 if kind == "u" else -5, 6, shape)
    return 2 * rng.standard_normal(shape)


def positive(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    return rng.integers(1, 6, shape) if kind in "iu" else rng.uniform(0.1, 5, shape)


def unit(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    return rng.integers(0, 2, shape) if kind in "iu" else rng.uniform(0, 1, shape)


def nonzero(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    made = finite(rng, shape, kind)
    return np.where(made == 0, 3, made)


def small(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    return rng.integers(0, 4, shape) if kind in "iu" else rng.uniform(-1, 2, shape)


def bits(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    return rng.integers(0, 8, shape)


def ordered(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    return np.sort(finite(rng, shape, kind), axis=-1)


def distinct(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    count = int(np.prod(shape))
    return rng.permutation(count).reshape(shape) - (0 if kind == "u" else count // 2)


def invertible(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    return finite(rng, shape, kind) + 7 * np.eye(shape[-1], dtype=int)


def definite(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    half = rng.integers(0 if kind == "u" else -2, 3, shape) if kind in "iu" else rng.standard_normal(shape)
    return (
        half @ np.swapaxes(half, -1, -2) + 4 * np.eye(shape[-1], dtype=int)
        if kind != "c"
        else half + half.mT + 9 * np.eye(shape[-1])
    )


DRAWN = {
    "any": finite, "finite": finite, "positive": positive, "unit": unit, "nonzero": nonzero, "small": small,
    "bits": bits, "sorted": ordered, "distinct": distinct, "invertible": invertible, "definite": definite,
}  # fmt: skip


def sprinkled(rng: np.random.Generator, made: Array, dtype: str) -> Array:
    """About half of the numbers replaced by special ones."""
    chosen = rng.choice(specials(dtype), made.shape)
    return np.where(rng.random(made.shape) < 0.5, chosen, made).astype(made.dtype)


def specials(dtype: str) -> Array:
    of = numpy_dtype(dtype)
    if of.kind in "iu":
        ends = np.iinfo(of)
        return np.array(
            [
                0,
                1,
                2,
                3,
                100,
                ends.max,
                ends.max - 1,
                ends.min,
                ends.min + 1,
                *([-1, -2] if of.kind == "i" else []),
            ],
            of,
        )
    if of.kind == "c":
        return np.array([0, 1, -1, 1j, -1j, 2 + 1j, -0.5], of)
    large = {"float16": 6e4, "float64": 1e300}.get(dtype, 1e30)
    return np.array(
        [0.0, -0.0, np.nan, np.inf, -np.inf, 1, -1, 0.5, 1.5, 2.5, -2.5, 3, large, -large], np.float64
    ).astype(of)
