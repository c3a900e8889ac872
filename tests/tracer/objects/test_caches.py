"""functools.cache and lru_cache are what they are in Python: keys, types, forgetting, counting, identity."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import functools
import gc
import math
import time
from typing import Any

import einops
import numpy as np
import pytest
import torch
from cache_programs import BOX, CACHES, KEPT, OUTSIDE, blocks, program
from cache_programs_refused import EITHER, REFUSED, TENSORS, TENSORS_EITHER

import tracelate as tl

VALUES = [1.0, 2.0, 3.0], [-1.0, -2.0, -3.0], [3.0, 1.0, 3.0]
MAKE: dict[str, Any] = {"numpy": np.array, "torch": lambda v: torch.tensor(v, dtype=torch.float64)}
ONES = {"numpy": "np.ones", "torch": "torch.ones"}


@pytest.fixture(autouse=True)
def _empty() -> Any:
    for cache in CACHES:
        cache.cache_clear()


def shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(shown, value)]
    if isinstance(value, (np.ndarray, np.generic, torch.Tensor)):
        return np.asarray(value).round(3).tolist()
    return type(value), value


def assert_same(f: Any, out: Any, framework: str) -> None:
    for value in VALUES:
        for _ in range(2):
            given = MAKE[framework](value)
            assert shown(out(given)) == shown(f(MAKE[framework](value)))


def translated(body: str, framework: str) -> tuple[Any, Any]:
    f = program(body, ONES[framework])
    return f, tl.transpile(f, (MAKE[framework](VALUES[0]),), to=framework)


@pytest.mark.parametrize("framework", ["numpy", "torch"])
@pytest.mark.parametrize("body", blocks(KEPT))
def test_a_cache_of_the_programs_own(body: str, framework: str) -> None:
    assert_same(*translated(body, framework), framework)


@pytest.mark.parametrize("body", blocks(TENSORS))
def test_tensors_as_keys(body: str) -> None:
    assert_same(*translated(body, "torch"), "torch")


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("body", blocks(OUTSIDE))
def test_a_cache_that_outlives_the_call(body: str, full: bool) -> None:
    """Whatever it holds when the program is translated, which it goes on to hold."""
    for cache in CACHES[:4] if full else ():
        cache(3)
    if full:
        assert len(BOX.ones) == 3
    before = [cache.cache_info() for cache in CACHES]
    f, out = translated(body, "numpy")
    assert [cache.cache_info() for cache in CACHES] == before
    assert_same(f, out, "numpy")


@pytest.mark.parametrize(
    ("body", "framework"),
    [*((body, framework) for body in blocks(EITHER) for framework in MAKE),
     *((body, "torch") for body in blocks(TENSORS_EITHER))],
)  # fmt: skip
def test_what_only_the_running_program_knows_is_right_or_refused(body: str, framework: str) -> None:
    try:
        f, out = translated(body, framework)
    except tl.UnsupportedError as error:
        assert error.span is not None and error.hint
        return
    assert_same(f, out, framework)


@pytest.mark.parametrize("body", blocks(REFUSED))
def test_what_a_cache_shares_with_later_calls_is_not_changed(body: str) -> None:
    with pytest.raises(tl.UnsupportedError) as error:
        translated(body, "numpy")
    assert error.value.span is not None and error.value.hint
    assert all(cache.cache_info().currsize == 0 for cache in CACHES)


def test_each_result_is_computed_once() -> None:
    def f(x: Any, n: int) -> Any:
        @functools.cache
        def fib(k: int) -> Any:
            return x if k < 2 else fib(k - 1) + fib(k - 2)

        return fib(n)

    begun = time.perf_counter()
    out = tl.transpile(f, (np.ones(3), 30), to="numpy")
    assert time.perf_counter() - begun < 20 and out.source.count("+") <= 30
    np.testing.assert_array_equal(out(np.ones(3), 30), f(np.ones(3), 30))


#: A cache around what is nobody's program.
PRODUCTS = functools.lru_cache(math.prod)


def of_the_shape(x, k):
    return x * PRODUCTS(x.shape)


def of_sizes(x, k):
    return x * PRODUCTS((x.shape[0], 2))


def of_numbers(x, k):
    return x * PRODUCTS((k, (k, 2)[1]))


def of_nested(x, k):
    return x * len(PRODUCTS.__wrapped__.__name__) * PRODUCTS((k, PRODUCTS((k, k))))


@pytest.mark.complete
@pytest.mark.parametrize("framework", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [of_the_shape, of_sizes, of_numbers, of_nested])
def test_no_number_of_a_trace_stays_in_a_cache_of_others(fn, framework):
    PRODUCTS.cache_clear()
    x = MAKE[framework]([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    for _ in range(2):  # the second would meet what the first had left
        out = tl.transpile(fn, (x, 5), to="numpy")
        assert np.array_equal(out(np.asarray(x), 5), np.asarray(fn(x, 5)))
    own = vars(PRODUCTS)
    found = [each for each in gc.get_referents(PRODUCTS) if isinstance(each, dict) and each is not own]
    kinds = {type(item) for held in found for key in held for item in tree_of(key)}
    assert kinds == {int, tuple, type(x.shape)} or kinds == {int, tuple}, kinds
    assert fn(x, 5).shape == (3, 2)


def tree_of(value):
    yield value
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from tree_of(item)


def test_a_function_of_a_package_that_caches_shapes():
    x = torch.arange(96.0).reshape(2, 3, 4, 4)
    options = {"p": 2, "q": 2}
    for _ in range(2):
        out = tl.transpile(einops.reduce, (x, "b c (h p) (w q) -> b c h w", "mean"), options, to="numpy")
        expected = einops.reduce(x, "b c (h p) (w q) -> b c h w", "mean", **options)
        assert np.allclose(out(x.numpy(), "b c (h p) (w q) -> b c h w", "mean", **options), expected)
