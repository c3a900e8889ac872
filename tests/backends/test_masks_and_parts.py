"""What torch's functions make of masks of another dtype, of parts of other shapes, and of negative widths."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F

import tracelate as tl

ENTER = {"numpy": np.asarray, "jax": jnp.asarray, "torch": torch.as_tensor}
DRAWN = torch.Generator().manual_seed(0)
Q, K, V = (torch.randn(2, 2, 4, 8, generator=DRAWN) for _ in range(3))
SEEN = torch.rand(4, 4, generator=DRAWN) > 0.3
BIAS = torch.randn(4, 4, generator=DRAWN)


def attend(q, k, v, m):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=m)


def padded_keys(q, k, v, m):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=m[:2, None, None, :]) * 2


def given(value: Any, to: str) -> Any:
    return ENTER[to](value.numpy()) if isinstance(value, torch.Tensor) else value


@pytest.mark.parametrize("to", ENTER)
@pytest.mark.parametrize("program", [attend, padded_keys])
@pytest.mark.parametrize(("example", "other"), [(SEEN, BIAS), (BIAS, SEEN)])
def test_a_mask_that_says_which_pairs_count_is_none_that_is_added(
    program: Any, example: Any, other: Any, to: str
) -> None:
    out = tl.transpile(program, (Q, K, V, example), to=to)
    for mask in (example, other):
        try:
            found = out(*(given(a, to) for a in (Q, K, V, mask)))
        except AssertionError:
            assert mask is other
            continue
        np.testing.assert_allclose(np.asarray(found), program(Q, K, V, mask), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("sizes", [((3, 4), (1, 3, 4)), ((4,), (3, 4)), ((1, 4), (3, 4)), ((3, 4), (4,))])
def test_parts_of_complex_numbers_fit_as_others_do(sizes: Any) -> None:
    out = tl.transpile(lambda x, y: torch.complex(x, y) * 2, (torch.ones(3, 4), torch.ones(3, 4)), to="numpy")
    x, y = (torch.randn(shape, generator=DRAWN) for shape in sizes)
    np.testing.assert_allclose(out(x.numpy(), y.numpy()), torch.complex(x, y) * 2)


@pytest.mark.parametrize("to", ENTER)
def test_negative_widths_that_the_program_reads_cut_off(to: str) -> None:
    out = tl.transpile(lambda x, w: F.pad(x, w), (BIAS, (1, -1)), to=to)
    for widths in ((1, -1), (3, -1)):
        np.testing.assert_allclose(np.asarray(out(given(BIAS, to), widths)), F.pad(BIAS, widths))
    with pytest.raises(AssertionError, match="-2"):
        out(given(BIAS, to), (1, -2))
