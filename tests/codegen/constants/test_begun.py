"""What is begun, indexed and copied in the user's statements is so in the text."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from named_texts import TARGETS, X, check

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy


@pytest.mark.parametrize("to", TARGETS)
def test_lists_that_are_begun_together(to: str, traced: Any) -> None:
    f = traced("""
        def f(x, ws=(1.0, 2.0, 3.0)):
            inputs, outputs = [], []
            for w in (x, x * 2, x * 3):
                inputs.append(w)
                outputs.append(np.exp(w) + len(inputs))
            return inputs[0] + outputs[-1]
    """)
    assert check(f, "numpy", to)


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_an_augmented_write_is_indexed_by_is_said_once(to: str, traced: Any) -> None:
    f = traced("""
        def f(x):
            x = x * 2
            x[x[:, 0] > 0.5] *= 3.0
            x[np.arange(4), np.arange(4) % 3] += 1.0
            return x
    """)
    text = check(f, "numpy", to)
    assert "    x[x[:, 0] > 0.5] *= 3.0\n" in text and "% 3] += 1.0\n" in text


def test_a_copy_that_jax_needs_not_leaves_its_name(traced: Any) -> None:
    f = traced("""
        def f(x):
            first = x[0].copy()
            total = first * 2 + first
            return total - first.sum()
    """)
    assert "    first = x[0]\n    total = first * 2 + first\n" in check(f, "numpy", "jax")


def test_the_outcome_of_a_test_is_cast_once(traced: Any) -> None:
    f = traced("""
        import torch.nn.functional as F

        def f(x):
            codes = x.argmax(dim=1)
            return F.one_hot(codes, 3).to(x.dtype) * x + (x > 0.5).long().to(x.dtype)
    """)
    text = check(f, "torch", "numpy")
    assert "int64" not in text and text.count(".astype(") == 2


OWN = {
    "given back": ("return y", True),
    "kept in a list": ("kept.append(y)\n            return y", False),
    "kept as a part": ("kept.append(y[1:])\n            return y", False),
    "kept by another": ("keep(y, kept)\n            return y", False),
}


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("case", OWN)
def test_what_a_helper_makes_is_written_into_where_it_is_its_own(case: str, to: str, traced: Any) -> None:
    ends, own = OWN[case]
    f = traced(f"""
        def keep(y, kept):
            kept.append(y)

        def g(x, kept):
            y = jnp.exp(x)
            {ends}

        def f(x):
            kept = []
            y = g(x, kept)
            y = y.at[0].set(1.0)
            return y, [each + 0 for each in kept]
    """)
    x = convert(X, "jax")
    out: Any = tl.transpile(f, (x,), to=to)
    for one, other in zip(jax.tree.leaves(out(convert(X, to))), jax.tree.leaves(f(x)), strict=True):
        np.testing.assert_allclose(to_numpy(one), to_numpy(other), rtol=1e-6)
    copies = out.source.count(".copy()") + out.source.count(".clone()")
    assert copies == 0 if own else True


@pytest.mark.parametrize("to", ["numpy", "jax"])
def test_a_meaning_that_takes_two_lines_is_a_function_where_it_is_said_twice(to: str, traced: Any) -> None:
    f = traced("""
        import torch.nn.functional as F

        def f(x):
            return F.normalize(x, dim=-1) @ F.normalize(x * 2, dim=-1).T
    """)
    text = check(f, "torch", to)
    assert text.count("def normalize(x, axis, eps):") == 1 and text.count("normalize(") == 3


@pytest.mark.parametrize("to", TARGETS)
def test_items_are_taken_as_the_user_takes_them(to: str, traced: Any) -> None:
    f = traced("""
        def f(x, ps=None):
            ps = [(x, x + 1), (x * 2, x - 1), (x * 3, x)]
            return g(ps, x)

        def g(ps, x):
            total = x * 0
            for i in reversed(range(len(ps))):
                w, _ = ps[i]
                total = total + w * w
            for _ in range(20):
                total = total * 0.5
            return total
    """)
    text = check(f, "numpy", to)
    assert "w, _ = ps[i]\n" in text or "ps[i][0]" not in text


@pytest.mark.parametrize("to", TARGETS)
def test_what_is_called_underscore_stays_what_it_is(to: str, traced: Any) -> None:
    f = traced("""
        def g(ps, x):
            _ = x * 3
            total = x * 0
            for i in reversed(range(len(ps))):
                w, b = ps[i]
                total = total + w
            return total + _

        def f(x):
            return g([(x, x + 1), (x * 2, x - 1)], x)
    """)
    check(f, "numpy", to)
