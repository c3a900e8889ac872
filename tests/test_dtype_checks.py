"""What an emitted function checks of the dtypes of its arguments: as little as will do."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jax import lax

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

F, D, J, WHOLE = torch.ones(3), np.ones(3), jnp.ones(3), np.arange(3)


def checks(fn: Any, to: str, *args: Any, **options: Any) -> list[str]:
    """The tests at the top of the emitted function, those of a loop with what it goes through."""
    lines = tl.transpile(fn, args=args, to=to, **options).source.splitlines()
    return [line.strip().rstrip(":") for line in lines if line.lstrip().startswith(("assert ", "for array"))]


def halved(x):
    return x / 2


def doubled(x):
    return x * 2


def sine(x):
    return jnp.sin(x)


def centred(x):
    return x - x.mean()


def beside(x, y):
    return x + y.max()


def together(x, y):
    return torch.relu(x @ y) + y.sum()


def told(x):
    return np.zeros(()) + x


def counted(x, n: int):
    t = 0
    for _ in range(n):
        t = t + x
    return t


def normed(x):
    return torch.nn.functional.layer_norm(x, (3,))


def masked(x):
    x = x.copy()
    x[x > 2] = 0.0
    return x


def inner(v):
    return np.sqrt(v)


def outer(x):
    return inner(x) + 1


def maybe(x, y=None):
    return np.exp(x) if y is None else np.exp(x) * np.exp(y)


def three(x, y, z):
    return np.exp(x) + np.sin(y) + np.cos(z)


def ratio(i):
    return i * 2 + 1


def kept(x):
    return x * 1.0


FLOATS = "(np.float64, np.float32, np.float16)"


@pytest.mark.parametrize(
    ("fn", "to", "args", "wanted"),
    [
        (halved, "torch", (D,), ["assert x.is_floating_point(), x.dtype"]),
        (halved, "numpy", (F,), [f"assert x.dtype in {FLOATS}, x.dtype"]),
        (halved, "jax", (F,), []),
        (doubled, "torch", (D,), []),
        (doubled, "torch", (WHOLE,), []),
        (ratio, "jax", (WHOLE.astype(np.int32),), []),
        (sine, "numpy", (J,), [f"assert x.dtype in {FLOATS}, x.dtype"]),
        (sine, "torch", (J,), []),
        (centred, "torch", (D,), []),  # torch has no mean of integers, and says so
        (beside, "torch", (D, D), ["assert y.dtype == x.dtype, (x.dtype, y.dtype)"]),
        (beside, "numpy", (D, D), []),
        # int8 + the int64 of a sum: int8 in torch, which counts it for nothing
        (together, "jax", (torch.ones(3, 3), torch.ones(3, 3)),
         ["assert jnp.issubdtype(x.dtype, jnp.floating), x.dtype"]),
        (told, "torch", (D,), ["assert x.dtype == torch.float64, x.dtype"]),
        (told, "numpy", (D,), []),
        (normed, "numpy", (F,), ["assert x.dtype in (np.float32, np.float64), x.dtype"]),
        (normed, "torch", (F,), []),
        (counted, "numpy", (D, 12), [f"assert x.dtype in {FLOATS}, x.dtype"]),
        (masked, "torch", (D,), []),
        (outer, "torch", (D,), ["assert x.is_floating_point(), x.dtype"]),
        (maybe, "torch", (D, D), ["assert x.is_floating_point(), x.dtype",
                                    "assert y is None or y.is_floating_point(), y.dtype"]),
        (three, "torch", (D, D, D), ["for array in (x, y, z)",
                                     "assert array.is_floating_point(), array.dtype"]),
        (kept, "numpy", (D,), []),
    ],
)  # fmt: skip
def test_what_is_checked(fn: Any, to: str, args: Any, wanted: list[str]) -> None:
    assert checks(fn, to, *args) == wanted


def test_in_jax_without_64_bits_floats_are_float32() -> None:
    assert checks(normed, "jax", F) == ["assert x.dtype == jnp.float32, x.dtype"]


def test_a_write_at_a_mask_is_a_choice_in_jax() -> None:
    with jax.enable_x64(True):
        wanted = "assert jnp.issubdtype(x.dtype, jnp.floating), x.dtype"
        assert wanted in checks(masked, "jax", D, x64=True)


@pytest.mark.parametrize(
    ("fn", "given", "message"),
    [
        (halved, (WHOLE,), r"halved was traced for x of floats, not torch\.int64"),
        (beside, (D, D.astype("f")), r"for x and y of one dtype, not torch\.float64 and torch\.float32"),
        (told, (D.astype(np.float32),), r"for x of dtype torch.float64, not torch\.float32"),
        (maybe, (WHOLE, D), r"maybe was traced for x of floats, not torch\.int64"),
    ],
)
def test_the_message_says_what_was_expected_and_what_was_given(fn: Any, given: Any, message: str) -> None:
    out = tl.transpile(fn, args=(D,) * len(given), to="torch", guards="raise")
    with pytest.raises(ValueError, match=message):
        out(*map(torch.tensor, given))


def test_a_parameter_may_have_the_name_that_checks_would_use() -> None:
    def taken(array, np, x):
        return torch.sin(array) + torch.cos(np) + torch.exp(x)

    out = tl.transpile(taken, args=(F, F, F), to="numpy", guards="raise")
    one = F.numpy()
    assert out(one, one, one).dtype == one.dtype
    with pytest.raises(ValueError, match="for floats, not int64"):
        out(WHOLE, one, one)


#: Casts to the dtype of the example.
STAYING = [
    ("numpy", lambda x: x.astype(np.float32)), ("numpy", lambda x: np.float32(x)),
    ("numpy", lambda x: np.array(x, np.float32)), ("numpy", lambda x: np.asarray(x, dtype="float32")),
    ("jax", lambda x: x.astype(jnp.float32)), ("jax", lambda x: jnp.float32(x)),
    ("jax", lambda x: jnp.array(x, jnp.float32)), ("jax", lambda x: lax.convert_element_type(x, "float32")),
    ("torch", lambda x: x.float()), ("torch", lambda x: x.to(torch.float32)),
    ("torch", lambda x: torch.tensor(x, dtype=torch.float32)), ("torch", lambda x: x.type(torch.float32)),
    ("torch", lambda x: torch.as_tensor(x, dtype=torch.float32)),
    ("torch", lambda x: torch.asarray(x, dtype=torch.float32)),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:To copy construct")
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("source", "cast"), STAYING)
def test_a_cast_that_the_example_does_not_need_stays(source: str, cast: Any, to: str) -> None:
    out = tl.transpile(cast, (convert(np.ones(3, np.float32), source),), to=to)
    for dtype in ("float16", "int32", "bool"):
        found = out(convert(np.ones(3, dtype), to))
        assert str(found.dtype).endswith("float32"), f"{dtype}\n{out.source}"


def at(x, i):
    return x[i]


def taken(x, i):
    return np.take(x, i)


@pytest.mark.filterwarnings("ignore:indexing with dtype torch.uint8")
@pytest.mark.parametrize(
    ("fn", "source", "to", "wanted"),
    [
        (at, "numpy", "torch", ["assert i.ndim > 0, i.shape", "assert i.dtype != torch.uint8, i.dtype"]),
        (at, "torch", "numpy", ["assert i.dtype != np.uint8, i.dtype"]),
        (at, "numpy", "jax", []), (at, "torch", "torch", []),
        (taken, "numpy", "torch", [
            "assert i.ndim > 0, i.shape", "assert x.ndim == 1, x.shape",
            "assert i.dtype not in (torch.bool, torch.uint8), i.dtype",
        ]),
    ],
)  # fmt: skip
def test_positions_are_no_mask_of_torchs(fn: Any, source: str, to: str, wanted: list[str]) -> None:
    x, i = np.arange(3, dtype=np.float32), np.array([2, 0, 0])
    out = tl.transpile(fn, (convert(x, source), convert(i, source)), to=to)
    lines = [line.strip() for line in out.source.splitlines()]
    assert [line for line in lines if line.startswith("assert")] == wanted
    for dtype in ("int32", "uint8"):
        expected = fn(convert(x, source), convert(i.astype(dtype), source))
        try:
            found = out(convert(x, to), convert(i.astype(dtype), to))
        except AssertionError:
            assert dtype == "uint8"
            continue
        assert np.array_equal(to_numpy(found), to_numpy(expected))


def set_to_a_half(b):
    b = b * 1
    b[0] = 2.5
    return b


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_an_array_of_floats_would_hold_is_checked_for_one_of_ints(to: str) -> None:
    out = tl.transpile(set_to_a_half, (np.array([1, 2]),), to=to)
    assert out(convert(np.array([1, 2]), to))[0] == 2
    with pytest.raises(AssertionError):
        out(convert(np.array([1.0, 2.0]), to))


def test_a_mask_is_not_of_bytes() -> None:
    for source, to in (("numpy", "torch"), ("torch", "numpy")):
        args = [convert(a, source) for a in (np.ones(3), np.array([True, False, True]))]
        assert ".uint8" in "".join(checks(lambda x, m: x[m], to, *args))
