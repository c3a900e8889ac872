"""Tuples, lists and strings of a module keep their names, as do numbers in writes, and infinities."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import pytest
from named_texts import TARGETS, X, check

import tracelate as tl
from tracelate.backends.arrays import convert

MAKES = {"numpy": "np.array({}, dtype=x.dtype)", "jax": "jnp.array({})", "torch": "torch.tensor({})"}


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("source", TARGETS)
def test_an_array_is_made_of_the_tuple_that_the_user_named(source: str, to: str, traced: Any) -> None:
    f = traced(f"""
        BRIGHT = 0.70
        LUMA = (0.299, 1 / 3, BRIGHT)  # of red, green and blue

        def f(x):
            return x * {MAKES[source].format("LUMA")}
    """)
    text = check(f, source, to)
    assert "\nBRIGHT = 0.70\nLUMA = (0.299, 1 / 3, BRIGHT)  # of red, green and blue\n\n\ndef f(x):" in text
    assert "(LUMA" in text


@pytest.mark.parametrize("to", TARGETS)
def test_rows_of_lists_and_numbers_that_are_cast(to: str, traced: Any) -> None:
    f = traced("""
        KERNEL = [[0, 1, 0], [1, -4, 1]]

        def f(x):
            return x + np.array(KERNEL).sum(axis=0).astype(np.float32) + np.array(KERNEL, np.float32)[1]
    """)
    text = check(f, "numpy", to)
    assert "KERNEL = [[0, 1, 0], [1, -4, 1]]\n" in text and text.count("KERNEL") == 3


def test_what_is_another_tuple_by_then_has_no_name(traced: Any) -> None:
    f = traced("""
        LUMA = [0.25, 0.5, 0.125]

        def f(x):
            return x * np.array(LUMA, np.float32)
    """)
    out = tl.symbolic_trace(f, (X,))
    f.__globals__["LUMA"][0] = 0.75
    text = out.source("torch")
    assert "LUMA" not in text and "[0.25, 0.5, 0.125]" in text


def test_a_word_has_its_name_where_the_target_says_it_alike(traced: Any) -> None:
    f = traced("""
        MODE = "edge"

        def f(x):
            return np.pad(x, 1, mode=MODE)
    """)
    assert 'MODE = "edge"\n' in check(f, "numpy", "jax")
    assert "mode=MODE" in tl.symbolic_trace(f, (X,)).source("jax")
    assert "MODE" not in check(f, "numpy", "torch")


@pytest.mark.parametrize("to", TARGETS)
def test_a_name_that_a_function_binds_is_not_taken(to: str, traced: Any) -> None:
    f = traced("""
        LUMA = (0.25, 0.5, 0.125)

        def g(x, LUMA):
            return x * LUMA

        def f(x):
            return g(x * np.array(LUMA, np.float32), x)
    """)
    assert "LUMA = (" not in check(f, "numpy", to)


@pytest.mark.parametrize("to", TARGETS)
def test_numbers_of_writes_have_their_names(to: str, traced: Any) -> None:
    f = traced("""
        LEAK = 0.01
        DECAY = 0.9  # of the average
        FLOOR = -2.50

        def f(x):
            mean = x * 0.1
            mean *= DECAY
            mean += (1 - DECAY) * x
            mean[mean <= 0] *= LEAK
            mean[0] = FLOOR
            return mean
    """)
    text = check(f, "numpy", to)
    assert "LEAK = 0.01\nDECAY = 0.9  # of the average\nFLOOR = -2.50\n" in text
    assert all(text.count(name) == count for name, count in (("LEAK", 2), ("DECAY", 3), ("FLOOR", 2)))


INFINITE = {"numpy": "-np.inf", "jax": "-jnp.inf", "torch": "-torch.inf"}


@pytest.mark.parametrize("to", TARGETS)
def test_an_infinity_has_its_name(to: str, traced: Any) -> None:
    f = traced("""
        HIDDEN = float("-inf")  # gives exp a zero

        def f(x):
            return torch.exp(torch.where(x > 0, x, HIDDEN)), x.masked_fill(x > 1, -HIDDEN)
    """)
    text = check(f, "torch", to)
    assert f"\nHIDDEN = {INFINITE[to]}  # gives exp a zero\n" in text
    assert "HIDDEN)" in text and "-HIDDEN" in text


def test_an_infinity_in_a_function_stays_as_it_is(traced: Any) -> None:
    f = traced("""
        def f(x):
            least = -math.inf
            return np.where(x > 0, x, least)
    """.replace("def f", "import math\n\n        def f"))
    assert "-math.inf" in check(f, "numpy", "torch")


def test_calls_give_by_name_what_the_user_gives_so(traced: Any) -> None:
    f = traced("""
        def scaled(x, base=10.0, by=1.0, *, power=2):
            return (x * by / base) ** power

        def f(x):
            return scaled(x, by=3.0) + scaled(x, 4.0) + scaled(by=2.0, x=x) + scaled(x, 10.0, 5.0, power=3)
    """)
    text = check(f, "numpy", "torch")
    for call in ("scaled(x, by=3.0)", "scaled(x, 4.0)", "scaled(x=x, by=2.0)", "scaled(x, by=5.0, power=3)"):
        assert call in text


def test_names_of_helpers_of_ours_are_free_for_the_user(traced: Any) -> None:
    f = traced("""
        import torch.nn.functional as F

        def f(x):
            pairs = torch.stack([x[0], -x[0]])
            conv = F.conv1d(x.reshape(1, 1, -1), pairs[:, None])
            return pairs, conv
    """)
    text = check(f, "torch", "numpy")
    assert "    pairs = np.stack([x[0], -x[0]])" in text and "pairs_2" not in text and "conv_2" not in text


def test_each_result_of_a_loop_has_its_name_as_long_as_it_is_read(traced: Any) -> None:
    f = traced("""
        def f(x):
            total, count = np.zeros_like(x), np.zeros_like(x)
            for i in range(9):
                total = total + x
                count = count + 0.5
            total = total * 2
            return total, count
    """)
    text = check(f, "numpy", "torch")
    assert "    total = total * 2\n    return total, count" in text and "_2" not in text


LIMITS = {
    "numpy": ("float(np.finfo(np.float32).min)", "float(np.finfo(np.float32).eps)"),
    "jax": ("float(jnp.finfo(jnp.float32).min)", "float(jnp.finfo(jnp.float32).eps)"),
    "torch": ("torch.finfo(torch.float32).min", "torch.finfo(torch.float32).eps"),
}


@pytest.mark.parametrize("to", TARGETS)
def test_the_limits_of_a_dtype_are_said_as_such(to: str, traced: Any) -> None:
    f = traced("""
        def f(x):
            hidden = x.masked_fill(x > 0.5, torch.finfo(x.dtype).min)
            return torch.exp(hidden) + torch.finfo(torch.float32).eps
    """)
    text = check(f, "torch", to)
    assert all(limit in text for limit in LIMITS[to])
    again: Any = tl.symbolic_trace(f, (convert(X, "torch"),)).source(to)
    assert again == text


@pytest.mark.parametrize("to", TARGETS)
def test_a_limit_of_its_own_dtype_is_an_array(to: str, traced: Any) -> None:
    f = traced("""
        def f(x):
            return jnp.where(x > 0.5, x, jnp.finfo(x.dtype).min)
    """)
    text = check(f, "jax", to)
    assert "finfo(" in text and "e38" not in text and "float(" not in text
