"""Sorting and searching in every spelling: order, ties, NaN, the dtype of positions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from calls import grouped

RANDOM = np.random.default_rng(11)
NAN, INF = np.nan, np.inf

# fmt: off
ARRAYS = {
    "f32": RANDOM.permutation(24).reshape(2, 3, 4).astype("float32"),
    "f16": RANDOM.permutation(24).reshape(2, 3, 4).astype("float16"),
    "f64": RANDOM.permutation(24).reshape(2, 3, 4).astype("float64"),
    "i32": RANDOM.permutation(24).reshape(2, 3, 4).astype("int32") - 12,
    "i8": np.array([[-128, 127, 0, -1]], "int8"),
    "u8": np.array([[255, 0, 128, 1]], "uint8"),
    "bool": np.array([[True, False, True], [False, False, True]]),
    "ties": RANDOM.integers(0, 4, (3, 60)).astype("float32"),
    "numbers": RANDOM.integers(0, 9, (4, 5)),
    "odd": np.array([[NAN, 1, -INF, INF, 3], [0.5, 0.0, 7, NAN, NAN], [INF, INF, 2, 1, -1]], "float32"),
    "nan": np.array([[NAN, 1, -INF, INF, 3], [0.5, 0.0, 7, NAN, -2], [INF, 9, 2, 1, -1]], "float32"),
    "vector": RANDOM.permutation(7).astype("float32"),
    "pairs": np.array([[1, 2], [4, 3], [INF, INF], [-INF, 1], [NAN, 1]], "float32"),
    "empty": np.zeros((0, 3), "float32"),
    "c64": np.array([[1 + 2j, 1 + 1j, 0.5]], "complex64"),
}
DISTINCT = "f32 f16 f64 i32 i8 u8 nan"

NUMPY = [
    (lambda x: np.sort(x),                                  f"{DISTINCT} bool ties odd vector empty"),
    (lambda x: np.sort(x, axis=0),                          "f32 i32 ties odd empty"),
    (lambda x: np.sort(x, axis=None),                       "f32 vector"),
    (lambda x: np.sort(x, 0, kind="stable"),                "f32 bool"),
    (lambda x: np.argsort(x),                               DISTINCT),
    (lambda x: np.argsort(x, 0),                            "f32 i32"),
    (lambda x: np.argsort(x, axis=1, kind="stable"),        f"{DISTINCT} ties odd bool"),
    (lambda x: np.argsort(x, kind="mergesort"),             "ties odd"),
    (lambda x: np.argsort(x, stable=True),                  "ties odd"),
    (lambda x: np.argsort(x, axis=None, kind="stable"),     "ties"),
    (lambda x: x.argsort(axis=-1, kind="stable"),           "ties"),
    (lambda x: np.median(x),                                "f32 i32 odd bool vector numbers"),
    (lambda x: np.median(x, axis=1),                        "f32 f64 i8 odd pairs numbers"),
    (lambda x: np.median(x, axis=0, keepdims=True),         "f32 odd"),
    (lambda x: np.median(x, keepdims=True),                 "f32"),
]

JAX = [
    (lambda x: jnp.sort(x),                                 f"{DISTINCT} bool ties odd vector"),
    (lambda x: jnp.sort(x, axis=0, descending=True),        f"{DISTINCT} bool odd"),
    (lambda x: jnp.sort(x, axis=None),                      "f32"),
    (lambda x: x.sort(1),                                   "f32"),
    (lambda x: jnp.argsort(x),                              f"{DISTINCT} ties odd bool"),
    (lambda x: jnp.argsort(x, axis=0),                      "ties odd"),
    (lambda x: jnp.argsort(x, descending=True),             f"{DISTINCT} ties odd bool"),
    (lambda x: jnp.argsort(x, stable=False),                DISTINCT),
    (lambda x: x.argsort(axis=0, descending=True),          "ties odd"),
    (lambda x: jax.lax.top_k(x, 2),                         f"{DISTINCT} ties odd bool vector"),
    (lambda x: jax.lax.top_k(x, 2)[1],                      "ties"),
    (lambda x: jax.lax.top_k(x, 2, axis=1)[0],              "f32"),
    (lambda x: jnp.median(x, axis=-1),                      "f32 i32 odd pairs"),
]

TORCH = [
    (lambda x: torch.sort(x),                               DISTINCT),
    (lambda x: torch.sort(x, 0, True),                      "f32 i32 nan"),
    (lambda x: torch.sort(x, dim=-1, descending=True).values, f"{DISTINCT} ties odd bool"),
    (lambda x: torch.sort(x, stable=True),                  f"{DISTINCT} ties odd bool empty"),
    (lambda x: torch.sort(x, stable=True, dim=1, descending=True), f"{DISTINCT} ties odd bool"),
    (lambda x: x.sort(descending=True)[0],                  "f32 ties"),
    (lambda x: x.sort(0).indices,                           "f32"),
    (lambda x: torch.msort(x),                              "f32 ties"),
    (lambda x: torch.argsort(x),                            DISTINCT),
    (lambda x: torch.argsort(x, descending=True),           DISTINCT),
    (lambda x: torch.argsort(x, dim=0, stable=True),        "ties odd bool"),
    (lambda x: torch.argsort(x, descending=True, stable=True), "ties odd bool"),
    (lambda x: x.argsort(1, True),                          "f32"),
    (lambda x: torch.topk(x, 2),                            DISTINCT),
    (lambda x: torch.topk(x, 2, dim=1, largest=False),      DISTINCT.replace("i8 u8 ", "")),
    (lambda x: torch.topk(x, k=1, dim=0).values,            "f32 i32"),
    (lambda x: x.topk(3, sorted=True).indices,              "f32 vector"),
    (lambda x: x.topk(3)[0],                                "f32 ties"),
    (lambda x: torch.median(x),                             "f32 f64 ties odd vector"),
]

#: The size of what comes out depends on the values: NumPy and torch only.
UNIQUE = [
    ("numpy", lambda x: np.unique(x),                                     "f32 ties odd bool numbers empty"),
    ("numpy", lambda x: np.unique(x, equal_nan=False),                    "ties odd numbers"),
    ("numpy", lambda x: np.unique(x, return_inverse=True),                "numbers bool"),
    ("numpy", lambda x: np.unique(x, return_counts=True),                 "numbers bool"),
    ("numpy", lambda x: np.unique(x, False, True, True),                  "numbers"),
    ("numpy", lambda x: np.unique(x, return_counts=True, equal_nan=False), "ties odd"),
    ("torch", lambda x: torch.unique(x),                                  "f32 ties odd bool numbers empty"),
    ("torch", lambda x: torch.unique(x, return_inverse=True),             "ties odd numbers"),
    ("torch", lambda x: torch.unique(x, return_counts=True),              "ties odd numbers"),
    ("torch", lambda x: torch.unique(x, True, True, True),                "ties odd numbers"),
    ("torch", lambda x: x.unique(sorted=True),                            "ties"),
]

F, N = np.array([1, 2, 2, 5, 9], "float32"), np.array([1, 2, 2, 5, 9])
SEARCHED = np.array([[0, 1, 2], [2.5, 9, 10], [NAN, INF, -INF]], "float32")
SEARCHES = [
    ("numpy", lambda x, v: np.searchsorted(x, v),                         F, SEARCHED),
    ("numpy", lambda x, v: np.searchsorted(x, v, side="right"),           F, SEARCHED),
    ("numpy", lambda x, v: x.searchsorted(v, "right"),                    F, SEARCHED),
    ("numpy", lambda x, v: np.searchsorted(x, v),                         N, np.array(2)),
    ("numpy", lambda x, v: np.searchsorted(x, 2.5),                       F, F),
    ("torch", lambda x, v: torch.searchsorted(x, 2),                      N, F),
    ("numpy", lambda x, v: np.searchsorted(x, v), N.astype("int8"), np.array([2.5, 300.0], "float32")),
    ("jax",   lambda x, v: jnp.searchsorted(x, v),                        F, SEARCHED),
    ("jax",   lambda x, v: jnp.searchsorted(x, v, side="right"),          N, np.array([2, 5, 7])),
    ("torch", lambda x, v: torch.searchsorted(x, v),                      F, SEARCHED),
    ("torch", lambda x, v: torch.searchsorted(x, v, right=True),          N, np.array([[2, 5, 7]])),
    ("torch", lambda x, v: torch.searchsorted(x, v, side="right"),        F, SEARCHED),
    ("torch", lambda x, v: torch.bucketize(v, x),                         F, SEARCHED),
    ("torch", lambda x, v: torch.bucketize(v, x, right=True),             F, SEARCHED),
]

REFUSED = [
    ("numpy", lambda x: np.unique(x), "f32", "jax", "what is compiled must know it before"),
    ("torch", lambda x: torch.unique(x, return_counts=True), "f32", "jax", "must know it before"),
    ("numpy", lambda x: np.unique(x, return_counts=True),   "f32", "torch", "every NaN"),
    ("numpy", lambda x: np.unique(x, return_index=True),    "f32", "numpy", "return_index"),
    ("numpy", lambda x: np.unique(x, axis=0),               "f32", "numpy", "axis"),
    ("numpy", lambda x: x.sort(),                           "f32", "numpy", "in place"),
    ("torch", lambda x: torch.median(x, dim=1),             "f32", "numpy", "'dim'"),
    ("torch", lambda x: torch.unique(x, dim=0),             "f32", "numpy", "dim"),
    ("torch", lambda x: torch.searchsorted(x, x),           "f32", "numpy", "one axis"),
]
# fmt: on


@pytest.mark.parametrize(("source", "fn", "arrays"), grouped(NUMPY, JAX, TORCH, ARRAYS))
def test_the_same_in_every_framework(same, source, fn, arrays):
    same(lambda *xs: [fn(x) for x in xs], *arrays, source=source)


def test_complex_numbers_are_in_order_where_there_is_one(same, refused):
    same(lambda x: (np.sort(x), np.argsort(x)), ARRAYS["c64"], to=("numpy", "jax"))
    refused(lambda x: np.sort(x), ARRAYS["c64"], to=("torch",), match="no sort of complex64")


@pytest.mark.parametrize(("source", "fn", "names"), UNIQUE)
def test_distinct_elements(same, source, fn, names):
    for name in names.split():
        same(fn, ARRAYS[name], source=source, to=("numpy", "torch"))


@pytest.mark.parametrize(("source", "fn", "x", "v"), SEARCHES)
def test_searches(same, source, fn, x, v):
    same(fn, x, v, source=source)


def test_searches_compare_in_the_dtype_of_the_source(same, refused):
    x, v = np.array([1, 2**24 + 1]), np.array([2**24], "float32")
    same(lambda x, v: np.searchsorted(x, v, side="right"), x, v, x64=True)
    same(lambda x, v: torch.searchsorted(x, v, side="right"), x, v, source="torch")
    same(lambda x, v: jnp.searchsorted(x, v, side="right"), x, v, source="jax")


def test_a_number_that_is_searched_for_is_rounded_as_the_source_does(same, refused):
    x, small = np.array([2**24, 2**24 + 2], "float32"), np.array([1, 44, 200], "uint8")
    same(lambda x: np.searchsorted(x, 2**24 + 1), x, x64=True)
    refused(lambda x: np.searchsorted(x, 2**24 + 1), x, to=("jax",), match="beyond the floats", x64=False)
    same(lambda x: jnp.searchsorted(x, 2**24 + 1), x, source="jax")
    same(lambda x: torch.searchsorted(x, 2**24 + 1), x, source="torch")
    same(lambda x: (np.searchsorted(x, 0.5), np.searchsorted(x, len(x))), F, to=("numpy", "torch"))
    same(lambda x: np.searchsorted(x, 300), small)
    same(lambda x: jnp.searchsorted(x, 300), small, source="jax")
    same(lambda x: torch.searchsorted(x, 300), small, source="torch")
    refused(lambda x: torch.searchsorted(x, 2**63), N, source="torch", match="out of bounds for int64")


@pytest.mark.parametrize(("source", "fn", "name", "to", "match"), REFUSED)
def test_what_has_no_counterpart_is_refused(refused, source, fn, name, to, match):
    refused(fn, ARRAYS[name], source=source, to=(to,), match=match)
