"""Reductions in every spelling, of every source, in every target: values, dtype and shape as the source gives them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
import torch

RANDOM = np.random.default_rng(7)
NAN, INF = np.nan, np.inf

# fmt: off
ARRAYS = {
    "f32": RANDOM.normal(size=(2, 3, 4)).astype("float32"),
    "f64": RANDOM.normal(size=(2, 3, 4)),
    "f16": RANDOM.normal(size=(2, 3, 4)).astype("float16"),
    "c64": (RANDOM.normal(size=(2, 3, 4)) + 1j * RANDOM.normal(size=(2, 3, 4))).astype("complex64"),
    "i8": RANDOM.integers(-100, 100, (2, 3, 4)).astype("int8"),
    "s8": RANDOM.choice([-2, -1, 1, 2], (2, 3, 4)).astype("int8"),
    "u8": RANDOM.integers(0, 255, (2, 3, 4)).astype("uint8"),
    "i32": RANDOM.integers(-9, 9, (2, 3, 4)).astype("int32"),
    "i64": RANDOM.integers(-9, 9, (2, 3, 4)),
    "bool": RANDOM.integers(0, 2, (2, 3, 4)).astype(bool),
    "ties": np.array([[3, 1, 3], [2, 2, 2], [0, 0, 1]], "float32"),
    "odd": np.array([[NAN, 1, -INF, INF], [-0.0, 0.0, NAN, NAN], [INF, INF, 2, 1], [-INF, -INF, -INF, -INF]], "float32"),
    "vector": RANDOM.normal(size=5).astype("float32"),
    "number": np.array(2.5, "float32"),
    "one": np.array([[4.0]], "float32"),
    "empty": np.zeros((0, 3), "float32"),
}
FLOATS = "f32 f16 odd one"
REALS = f"{FLOATS} f64 i8 u8 i32 i64 bool ties"

NUMPY = [
    (lambda x: np.sum(x),                                         f"{REALS} c64 number empty"),
    (lambda x: np.sum(x, 0),                                      f"{REALS} c64 empty"),
    (lambda x: np.sum(x, axis=-1, keepdims=True),                 f"{REALS} c64"),
    (lambda x: np.sum(x, (0, -1)),                                "f32 i8 u8"),
    (lambda x: np.sum(a=x, axis=None, keepdims=True),             "f32 i32"),
    (lambda x: x.sum(),                                           "f32 bool"),
    (lambda x: x.sum(axis=1, keepdims=False),                     "f32"),
    (lambda x: np.sum(x, dtype=np.float64),                       "f32 i32"),
    (lambda x: np.sum(x, dtype=np.int32),                         "i8 i64 bool f32"),
    (lambda x: np.sum(x, 0, np.uint8),                            "u8"),
    (lambda x: np.prod(x),                                        "f32 s8 bool c64 empty one vector"),
    (lambda x: np.prod(x, axis=1),                                "f32 i8 u8 s8 i64 f16"),
    (lambda x: np.prod(x, axis=(0, -1)),                          "f32 i32"),
    (lambda x: np.prod(x, keepdims=True),                         "f32 s8"),
    (lambda x: np.prod(x, axis=(1,), keepdims=True),              "f32"),
    (lambda x: np.mean(x),                                        f"{REALS} c64"),
    (lambda x: np.mean(x, axis=(0, 1), keepdims=True),            "f32 i32 bool c64"),
    (lambda x: x.mean(-1),                                        "f32 f64 i8"),
    (lambda x: np.mean(x, dtype=np.float32),                      "i32 u8 bool"),
    (lambda x: np.max(x),                                         f"{REALS} number"),
    (lambda x: np.amax(x, axis=1),                                f"{REALS}"),
    (lambda x: np.max(x, axis=(0, 1), keepdims=True),             "f32 i32"),
    (lambda x: np.max(x, keepdims=True),                          "f32 odd"),
    (lambda x: np.min(x),                                         REALS),
    (lambda x: np.amin(x, 0),                                     REALS),
    (lambda x: x.min(axis=-1, keepdims=True),                     "f32 u8 bool"),
    (lambda x: np.argmax(x),                                      f"{REALS} number"),
    (lambda x: np.argmax(x, axis=1),                              REALS),
    (lambda x: np.argmax(x, -1, keepdims=True),                   "f32 ties odd bool"),
    (lambda x: np.argmax(x, keepdims=True),                       "f32 bool"),
    (lambda x: np.argmin(x),                                      REALS),
    (lambda x: x.argmin(0),                                       REALS),
    (lambda x: np.var(x),                                         f"f32 f64 c64 i8 i32 bool vector one"),
    (lambda x: np.var(x, axis=1, ddof=1),                         "f32 f64 i32 c64"),
    (lambda x: np.var(x, axis=(0, 2), correction=1, keepdims=True), "f32"),
    (lambda x: np.var(x, ddof=1),                                 "f32 one"),
    (lambda x: np.var(x, 0, np.float64),                          "f32"),
    (lambda x: np.std(x, keepdims=True),                          "f32 u8"),
    (lambda x: np.std(x, -1, ddof=1.5),                           "f32 f64"),
    (lambda x: x.std(ddof=2),                                     "f32"),
    (lambda x: x.var(0),                                          "f32 f64"),
    (lambda x: np.all(x),                                         f"{REALS} c64 empty number"),
    (lambda x: np.all(x, axis=(0, 1)),                            "f32 i8 bool u8"),
    (lambda x: np.any(x, 0, keepdims=True),                       f"{REALS} c64 empty"),
    (lambda x: np.any(x, axis=()),                                "u8 bool"),
    (lambda x: x.any(),                                           "bool u8"),
    (lambda x: np.count_nonzero(x),                               "f32 i8 bool odd"),
    (lambda x: np.count_nonzero(x, axis=1),                       f"{REALS} c64 empty"),
    (lambda x: np.count_nonzero(x, axis=(0, 1)),                  "f32"),
    (lambda x: np.cumsum(x),                                      "f32 i8 u8 bool vector number"),
    (lambda x: np.cumsum(x, axis=-1),                             f"{REALS} c64"),
    (lambda x: np.cumsum(x, 1, np.float64),                       "f32 i32"),
    (lambda x: np.cumsum(x, 0, dtype=np.int8),                    "i8 i32"),
    (lambda x: x.cumsum(0),                                       "f32 u8"),
    (lambda x: np.cumulative_sum(x, axis=1),                      "f32 i8"),
    (lambda x: np.cumulative_sum(x),                              "vector"),
    (lambda x: np.cumprod(x, axis=1),                             "f32 i8 c64"),
    (lambda x: np.cumprod(x),                                     "f32 vector"),
    (lambda x: np.linalg.norm(x),                                 "f32 f64 i32 c64 vector bool odd"),
    (lambda x: np.linalg.norm(x, axis=-1, keepdims=True),         "f32 f64 i8 c64"),
    (lambda x: np.linalg.norm(x, axis=(0, 1)),                    "f32"),
    (lambda x: np.linalg.norm(x, "fro", axis=(-2, -1)),           "f32"),
    (lambda x: np.linalg.norm(x, 1, 0),                           "f32 i32 c64"),
    (lambda x: np.linalg.norm(x, np.inf),                         "vector"),
    (lambda x: np.linalg.norm(x, -np.inf, axis=1),                "f32 i64"),
    (lambda x: np.linalg.norm(x, ord=0, axis=1),                  "f32 i32 ties"),
    (lambda x: np.linalg.norm(x, 3, axis=1),                      "f32"),
    (lambda x: np.linalg.vector_norm(x, ord=1, keepdims=True),    "f32 i32 c64"),
    (lambda x: scipy.special.logsumexp(x),                        "f32 f64 i32 i8 bool odd number"),
    (lambda x: scipy.special.logsumexp(x, axis=(0, 1), keepdims=True), "f32 f64"),
    (lambda x: scipy.special.logsumexp(x, axis=-1),               "f32 odd"),
]

JAX = [
    (lambda x: jnp.sum(x),                                        f"{REALS} c64 number empty"),
    (lambda x: jnp.sum(x, axis=(0, 1), keepdims=True),            "f32 i8 u8 bool"),
    (lambda x: x.sum(-1),                                         "f32 i32 bool"),
    (lambda x: jnp.sum(x, dtype=jnp.float32),                     "i32 f16"),
    (lambda x: jnp.prod(x, axis=(0, 2)),                          "f32 i8 u8"),
    (lambda x: jnp.mean(x, axis=1),                               f"{REALS} c64"),
    (lambda x: jnp.max(x, axis=-1, keepdims=True),                REALS),
    (lambda x: jnp.amin(x),                                       REALS),
    (lambda x: jnp.argmax(x),                                     REALS),
    (lambda x: jnp.argmax(x, axis=1, keepdims=True),              REALS),
    (lambda x: x.argmin(-1),                                      REALS),
    (lambda x: jnp.var(x, axis=0, ddof=1),                        "f32 i32 c64"),
    (lambda x: jnp.var(x),                                        "f32 f64 i32 u8 one"),
    (lambda x: jnp.std(x, axis=(0, 1), keepdims=True),            "f32 f64 c64"),
    (lambda x: jnp.std(x, correction=1),                          "f32"),
    (lambda x: jnp.all(x),                                        f"{REALS} c64"),
    (lambda x: jnp.any(x, axis=-1),                               f"{REALS} c64"),
    (lambda x: jnp.count_nonzero(x, axis=0),                      REALS),
    (lambda x: jnp.cumsum(x),                                     "f32 i8 vector"),
    (lambda x: jnp.cumsum(x, axis=1),                             f"{REALS} c64"),
    (lambda x: jax.lax.cumsum(x, axis=2),                         "f32 i8"),
    (lambda x: jnp.cumulative_sum(x, axis=0),                     "f32 c64"),
    (lambda x: jnp.cumprod(x, axis=-1),                           "f32 u8"),
    (lambda x: jnp.linalg.norm(x),                                "f32 i32 c64 f64"),
    (lambda x: jnp.linalg.norm(x, jnp.inf, axis=0),               "f32 i32 bool"),
    (lambda x: jnp.linalg.vector_norm(x, axis=(0, 1), ord=1),     "f32"),
    (lambda x: jax.nn.logsumexp(x),                               "f32 odd i32 f64"),
    (lambda x: jax.nn.logsumexp(x, axis=(0, -1), keepdims=True),  "f32"),
    (lambda x: jax.scipy.special.logsumexp(x, axis=0),            "f32 bool"),
]

TORCH = [
    (lambda x: torch.sum(x),                                      f"{REALS} c64 number empty"),
    (lambda x: torch.sum(x, 1, True),                             REALS),
    (lambda x: torch.sum(x, dim=(0, -1)),                         "f32 i8 u8"),
    (lambda x: torch.sum(x, axis=0, keepdims=True),               "f32"),
    (lambda x: torch.sum(x, dim=()),                              "f32"),
    (lambda x: torch.sum(x, dim=[]),                              "f32"),
    (lambda x: torch.sum(x, dim=None, keepdim=True),              "f32"),
    (lambda x: torch.sum(x, [0, 1]),                              "f32"),
    (lambda x: x.sum(),                                           "f32 bool"),
    (lambda x: x.sum(0, True),                                    "f32"),
    (lambda x: x.sum((0, 1)),                                     "f32"),
    (lambda x: torch.sum(x, dtype=torch.int32),                   "i8 bool f32"),
    (lambda x: x.sum(dim=1, dtype=torch.float64),                 "f32 i32"),
    (lambda x: torch.prod(x),                                     "f32 s8 bool"),
    (lambda x: torch.prod(x, 1, keepdim=True),                    "f32 i8"),
    (lambda x: x.mean(),                                          "f32 f16 f64 c64 odd"),
    (lambda x: torch.mean(x, dim=(), keepdim=True),               "f32"),
    (lambda x: torch.mean(x, (0, 1)),                             "f32"),
    (lambda x: torch.mean(x, dtype=torch.float32),                "i32 bool"),
    (lambda x: torch.max(x),                                      f"{REALS} number"),
    (lambda x: torch.max(x, 1),                                   "f32 i8 u8 i64 ties odd"),
    (lambda x: torch.max(x, dim=-1, keepdim=True).values,         "f32 i32"),
    (lambda x: torch.min(x, dim=0)[1],                            "f32 ties odd"),
    (lambda x: x.max(dim=0).indices,                              "f32 ties"),
    (lambda x: x.max(0)[0],                                       "f32"),
    (lambda x: torch.amax(x, dim=(0, 1)),                         "f32 bool"),
    (lambda x: torch.amax(x, dim=()),                             "f32"),
    (lambda x: torch.amin(x, 1, True),                            REALS),
    (lambda x: torch.aminmax(x, dim=1),                           "f32 i32"),
    (lambda x: torch.aminmax(x),                                  "f32 i32"),
    (lambda x: torch.argmax(x),                                   "f32 i8 ties odd number"),
    (lambda x: torch.argmax(x, 1, keepdim=True),                  "f32 u8 ties odd"),
    (lambda x: x.argmin(dim=-1),                                  "f32 i64 ties odd"),
    (lambda x: torch.argmin(x, keepdim=True),                     "f32"),
    (lambda x: torch.var(x),                                      "f32 f64 c64 vector one"),
    (lambda x: torch.var(x, 1),                                   "f32"),
    (lambda x: torch.var(x, 1, False),                            "f32"),
    (lambda x: torch.var(x, False),                               "f32"),
    (lambda x: torch.var(x, dim=(0, 1), correction=0, keepdim=True), "f32"),
    (lambda x: x.std(0, unbiased=False),                          "f32"),
    (lambda x: x.std(dim=-1, correction=2),                       "f32 c64"),
    (lambda x: torch.std(x, unbiased=True),                       "f32"),
    (lambda x: torch.std(x, dim=()),                              "f32"),
    (lambda x: torch.std_mean(x, 1),                              "f32"),
    (lambda x: torch.var_mean(x, dim=(0, 1), correction=0, keepdim=True), "f32 f64"),
    (lambda x: torch.any(x),                                      f"{REALS} c64"),
    (lambda x: torch.all(x, 1),                                   f"{REALS} c64"),
    (lambda x: torch.any(x, dim=(0, 1), keepdim=True),            "bool f32 u8"),
    (lambda x: torch.any(x, dim=()),                              "bool f32"),
    (lambda x: x.all(-1, True),                                   "bool"),
    (lambda x: torch.count_nonzero(x),                            f"{REALS} c64"),
    (lambda x: torch.count_nonzero(x, dim=(0, 1)),                "f32"),
    (lambda x: x.count_nonzero(1),                                "f32"),
    (lambda x: torch.cumsum(x, 1),                                "f32 i8 u8 i32 bool f64 c64"),
    (lambda x: x.cumsum(dim=-1, dtype=torch.float64),             "f32 i32"),
    (lambda x: torch.cumprod(x, dim=0),                           "f32 i8 u8"),
    (lambda x: torch.norm(x),                                     "f32 f64 c64 odd"),
    (lambda x: x.norm(dim=1),                                     "f32"),
    (lambda x: x.norm(p=1, dim=(0, 1), keepdim=True),             "f32"),
    (lambda x: torch.norm(x, 3),                                  "f32"),
    (lambda x: torch.norm(x, p="fro", dim=[0, 1]),                "f32"),
    (lambda x: torch.linalg.norm(x),                              "f32 c64"),
    (lambda x: torch.linalg.norm(x, dim=-1, keepdim=True),        "f32"),
    (lambda x: torch.linalg.norm(x, float("inf"), dim=0),         "f32"),
    (lambda x: torch.linalg.vector_norm(x),                       "f32"),
    (lambda x: torch.linalg.vector_norm(x, 1, dim=(0, 2)),        "f32 c64"),
    (lambda x: torch.linalg.vector_norm(x, 0.5, dim=1),           "f32"),
    (lambda x: torch.logsumexp(x, 1),                             "f32 odd f64 i32"),
    (lambda x: torch.logsumexp(x, dim=(0, 1), keepdim=True),      "f32"),
    (lambda x: x.logsumexp(-1),                                   "f32"),
]

REFUSED = [
    ("numpy", lambda x: np.sum(x, initial=3.0),                   "initial"),
    ("numpy", lambda x: np.max(x, initial=0.0),                   "initial"),
    ("numpy", lambda x: np.sum(x, where=x > 0),                   "where"),
    ("numpy", lambda x: np.mean(x, where=x > 0),                  "where"),
    ("numpy", lambda x: np.add.reduce(x),                         "reduce"),
    ("numpy", lambda x: np.linalg.norm(x[0], 2),                  "matrix norm of order 2"),
    ("numpy", lambda x: np.linalg.norm(x[0], "nuc"),              "nuc"),
    ("jax",   lambda x: jnp.max(x, initial=0.0),                  "initial"),
    ("jax",   lambda x: jnp.sum(x, where=x > 0),                  "where"),
    ("jax",   lambda x: jax.nn.logsumexp(x, b=x),                 "'b'"),
    ("torch", lambda x: torch.norm(x[0], "nuc"),                  "nuclear"),
    ("torch", lambda x: torch.linalg.norm(x[0], 2),               "matrix norm of order 2"),
    ("torch", lambda x: torch.mean(x.to(torch.int32)),            "mean"),
]
# fmt: on

WIDE = {"f64"}
CASES = [
    pytest.param(source, fn, [ARRAYS[name] for name in group], id=f"{source}-{i}-{'-'.join(sorted(group))}")
    for source, table in (("numpy", NUMPY), ("jax", JAX), ("torch", TORCH))
    for i, (fn, names) in enumerate(table)
    for group in (set(names.split()) - WIDE, set(names.split()) & WIDE)
    if group
]


@pytest.mark.parametrize(("source", "fn", "arrays"), CASES)
def test_the_same_in_every_framework(same, source, fn, arrays):
    same(lambda *xs: [fn(x) for x in xs], *arrays, source=source)


@pytest.mark.parametrize(("source", "fn", "match"), REFUSED)
def test_what_has_no_counterpart_is_refused_by_name(refused, source, fn, match):
    refused(fn, ARRAYS["f32"], source=source, match=match)
