"""Numbers for the operands of an op, by the op's family, its name and the names of its arrays.

The default, `any`, mixes random numbers with all that is special: zeros of both signs, NaN, infinities, ones,
ties, the ends of the dtype. What an op does not take, or what frameworks say nothing about, is narrowed in
DOMAINS, the one table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from tracelate.ir.op import Op

Array = np.ndarray[Any, Any]

#: By "op.array", "op", ".array" and "family/", of which the first counts.
DOMAINS = {
    "contraction/": "finite", "linalg/": "finite", "fft/": "finite", "nn/": "finite", "reduction/": "finite", "trace": "finite",
    "convolution/": "finite", "loss/": "finite",
    ".indices": "position", "one_hot.x": "position", ".mask": "mask", ".c": "mask", "masked_fill.value": "finite",
    "solve.a": "invertible", "solve_triangular.a": "invertible", "inv": "invertible", "det": "invertible", "slogdet": "invertible",
    "cholesky": "definite", "eigvalsh": "definite", "matrix_power": "small",
    # Integers by zero: each framework does what it likes.
    "floor_divide.y": "nonzero", "divmod.y": "nonzero", "remainder.y": "nonzero", "fmod.y": "nonzero", "trunc_divide.y": "nonzero",
    # The smallest integer has no divisor, and JAX looks for it forever.
    "gcd": "finite", "lcm": "finite",
    # JAX's is exp(x * log(2)), whose error grows with x.
    "exp2": "tame",
    "pow.x": "base", "pow.y": "exponent",
    "bitwise_left_shift.y": "bits", "bitwise_right_shift.y": "bits",
    # What a number that does not fit is cast to, C does not say.
    "cast": "positive",
    "searchsorted.x": "sorted",
    "batch_norm.var": "positive", "binary_cross_entropy.x": "unit", "binary_cross_entropy.target": "unit",
    "binary_cross_entropy_with_logits.target": "unit", "kl_div.target": "unit",
    "nll_loss.target": "position", "cross_entropy.target": "position", "nll_loss.weight": "positive", "cross_entropy.weight": "positive",
    # Which of equal elements comes first, an order that is not stable leaves open.
    "argsort": "distinct", "topk": "distinct",
}  # fmt: skip


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

#: What is left out of a domain, and stands for nothing: by "op.array" and "op".
WITHOUT: dict[str, Callable[[Array], Any]] = {
    # The sign of a NaN is nobody's business.
    "copysign.y": np.isnan, "signbit": np.isnan,
    # Where these are not finite, the libraries differ, and ir/ops/elementwise.py promises nothing; between the
    # poles of lgamma JAX has few digits.
    "lgamma": lambda x: x < 0, "digamma": lambda x: x == 0,
    # What cancels, or overflows on the way, depends on the order and on how wide the steps between are.
    "sum": large, "mean": large, "cumulative_sum": large, "std": large, "addcdiv": large, "addcmul": large,
    "vector_norm": large, "normalize": large, "sinc": large,
    # What a number that does not fit is cast to, C does not say.
    "round": ends,
    # Nor is the mean promised of what is infinite.
    "var_mean": lambda x: np.isinf(x) | large(x), "std_mean": lambda x: np.isinf(x) | large(x),
}  # fmt: skip


def family(op: Op) -> str:
    return op.module.rpartition(".")[2]


def domain(op: Op, array: str) -> str:
    keys = (f"{op.name}.{array}", op.name, f".{array}", f"{family(op)}/")
    return next((DOMAINS[key] for key in keys if key in DOMAINS), "any")


def special(op: Op) -> bool:
    """Whether an op meets what is special in samples of their own, and not in all."""
    return family(op) == "reduction" or family(op) == "nn" and len(op.arrays) == 1


def left_out(op: Op, array: str) -> str:
    """The key of WITHOUT for this array, "" for none."""
    return next((key for key in (f"{op.name}.{array}", op.name) if key in WITHOUT), "")


def numpy_dtype(name: str) -> np.dtype[Any]:
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


@cache
def numbers(of: str, shape: tuple[int, ...], dtype: str, seed: int, bound: int = 3, without: str = "") -> Array:
    """Numbers of the domain `of`. The same arguments give the same numbers.

    Args:
        bound: for positions, how many there are.
        without: a key of WITHOUT; threes take the place of what it names.
    """
    made = draw(of, shape, dtype, seed, bound)
    if not without:
        return made
    with np.errstate(invalid="ignore"):
        return np.where(WITHOUT[without](made), np.full_like(made, 3), made)


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
    of = {"base": "nonzero" if kind == "c" else "any", "exponent": "any" if kind == "f" else "small", "tame": "finite" if kind in "iu" else "any"}.get(
        of, of
    )
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
    "any": finite, "finite": finite, "positive": positive, "unit": unit, "nonzero": nonzero, "small": small, "bits": bits, "sorted": ordered,
    "distinct": distinct, "invertible": invertible, "definite": definite,
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
