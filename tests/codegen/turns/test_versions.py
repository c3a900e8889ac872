"""What a helper is for several flags, words, keys and None is one function, as the user has it."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
import enum
import linecache
import random
import textwrap
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from agreeing import agrees, given
from versions_at_random import arguments, program

import tracelate as tl
from tracelate.backends.arrays import compare
from tracelate.ir.values.dtypes import float32

A = np.ones((3, 3), np.float32)


def norm(x, p, eps=1e-5, center=True, kind="layer"):
    """A norm."""
    if center:
        x = x - x.mean(-1, keepdims=True)  # about zero
    if kind == "layer":
        y = x / np.sqrt((x * x).mean(-1, keepdims=True) + eps)
    elif kind == "max":
        y = x / np.abs(x).max()
    else:
        y = x * 0.5
    if "w" in p:
        y = y * p["w"]
    # where the width changes
    skip = y @ p["k"] if "k" in p else x
    return y + skip


def norms(x, ps):
    a = norm(x, ps[0])
    b = norm(x, ps[1], center=False, kind="max")
    return norm(a + b, ps[2], 1e-3, kind="no")


NORMS = """
    a = norm(x, ps[0])
    b = norm(x, ps[1], center=False, kind="max")
    return norm(a + b, ps[2], 1e-3, kind="no")


def norm(x, p, eps=1e-5, center=True, kind="layer"):
    \"\"\"A norm.\"\"\"
    if center:
        x = x - x.mean(-1, keepdims=True)  # about zero
    if kind == "layer":
        y = x / np.sqrt((x * x).mean(-1, keepdims=True) + eps)
    elif kind == "max":
        y = x / np.abs(x).max()
    else:
        y = x * 0.5
    if "w" in p:
        y = y * p["w"]
    # where the width changes
    skip = y @ p["k"] if "k" in p else x
    return y + skip
"""


def attend(q, k, mask=None):
    score = q @ k.T
    if mask is not None:
        score = torch.where(mask, score, -1e9)
    return torch.softmax(score, -1)


def attended(q, k, mask):
    return attend(q, k, mask) + attend(k, q)


ATTENDED = """
def attend(q, k, mask=None):
    score = q @ k.T
    if mask is not None:
        score = np.where(mask, score, -1e9)
    return softmax(score, axis=-1)
"""


def scanned(xs, reverse=False):
    order = reversed(range(len(xs))) if reverse else range(len(xs))
    h = torch.zeros_like(xs[0])
    for t in order:
        h = torch.tanh(h + xs[t])
    return h


def both_ways(xs):
    return scanned(xs) + scanned(xs, reverse=True)


BOTH_WAYS = """
def scanned(xs, reverse=False):
    h = np.zeros_like(xs[0])
    for t in range(len(xs) - 1, -1, -1) if reverse else range(len(xs)):
        h = np.tanh(h + xs[t])
    return h
"""


def ended(x, how):
    if how == "none":
        return x
    y = jnp.square(x)
    if how == "sum":
        return y.sum(axis=0)
    return y.mean(axis=0)


def endings(x):
    return ended(x, "sum") + ended(x, "none") + ended(x, "mean")


ENDINGS = """
def ended(x, how):
    if how == "none":
        return x
    y = np.square(x)
    if how == "sum":
        return y.sum(axis=0)
    return y.mean(axis=0)
"""

def scaled(x, about_zero=False):
    if about_zero:
        x = x - x[0]
    y = x * np.float32(2)
    return np.maximum(y, 0.5)


TEXTS = [
    (norms, "numpy", (A, [{"w": A[0]}, {"k": A}, {"w": A[0], "k": A}]), NORMS),
    (attended, "torch", (A, A, A > 0), ATTENDED),
    (both_ways, "torch", (A,), BOTH_WAYS),
    (endings, "jax", (A,), ENDINGS),
]


@pytest.mark.parametrize(("fn", "source", "args", "text"), TEXTS, ids=lambda v: getattr(v, "__name__", ""))
def test_what_is_printed(fn: Any, source: str, args: Any, text: str) -> None:
    out = tl.transpile(fn, given(args, source), to="numpy")
    assert textwrap.dedent(text).strip("\n") in out.source, out.source
    assert not [*compare(fn(*given(args, source)), out(*given(args, "numpy")), floats=float32)]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_loop_calls_it_with_what_its_turns_have(to: str) -> None:
    def fn(x, layers):
        for i, p in enumerate(layers):
            x = norm(x, p, center=i > 0)
        return x

    args = (A, [{"w": A[0]}, {"k": A}, {"w": A[0], "k": A}])
    out = tl.transpile(fn, given(args, "numpy"), to=to)
    assert out.source.count("def norm") == 1, out.source
    assert not [*compare(fn(*args), out(*given(args, to)), floats=float32)]


def test_what_has_no_test_of_the_users_stays_apart() -> None:
    """A flag that happens to be another where a dtype is another says nothing of it."""

    def fn(x, n):
        return scaled(x), scaled(n, about_zero=True)

    out = tl.transpile(fn, (A, np.arange(6).reshape(2, 3)), to="torch")
    assert "if about_zero else" not in out.source and "def scaled_2" in out.source, out.source


def test_the_keys_of_each_call_are_checked() -> None:
    out = tl.transpile(norms, (A, [{"w": A[0]}, {"k": A}, {"w": A[0], "k": A}]), to="numpy")
    for keys in ("k", "k", "wk"), ("w", "kw", "kw"), ("w", "k", "k"):
        with pytest.raises(AssertionError):
            out(A, [{key: A if key == "k" else A[0] for key in each} for each in keys])


@pytest.mark.parametrize("seed", range(100))
def test_random_helpers(seed: int) -> None:
    rng = random.Random(seed)
    fn, _ = program(rng)
    example = arguments(0, 4)
    try:
        fn(*copy.deepcopy(example))
    except Exception as error:
        pytest.skip(f"the program itself raises {error!r}")
    for to in ("numpy", ("torch", "jax")[seed % 2]):
        try:
            out = tl.transpile(fn, given(example, "numpy"), to=to)
        except tl.InternalError:
            raise
        except tl.TraceError:
            continue
        for args in (example, arguments(1, 2), arguments(2, 1), arguments(3, 4, ("wb", "w", "wb"))):
            agrees(fn, out, to, args, is_example=args is example, least=0.01)


# Tests that the source does not reach in each call, and names that are something else by then.


class Kind(enum.Enum):
    PLAIN = 1
    SCALED = 2


class Word(str, enum.Enum):
    MEAN = "mean"
    SUM = "sum"


class Scale:
    def norm(self, x):
        scale = x.abs().max() + 0.5
        return x / scale


SCALE = Scale()


def raw_first(x, p, raw=False):
    y = x @ p["w"]
    if raw:
        return y
    if "b" in p:
        y = y + p["b"]
    return y


def word_first(x, w=None, kind="sq"):
    if kind == "raw":
        return x
    if w is None:
        x = x * 3
    return x * x


def kind_first(x, p, kind=Kind.SCALED):
    y = x @ p["w"]
    if kind is Kind.PLAIN:
        if "b" in p:
            y = y + p["b"]
    return y


def tag_first(x, m, tag=""):
    y = x * 2
    if tag:
        if m.ndim == 1:
            y = y + m[0]
    return y + m


def by_a_method(x, scale=False):
    y = SCALE.norm(x)
    if scale:
        y = y * 10
    return y


def part(x):
    kind = x * 2
    return kind.sum(0), x.shape


def by_a_part(x, kind="a"):
    s, _ = part(x)
    return x + s if kind == "a" else x - s


def by_rank(x, xs):
    def step(h, x):
        z = jnp.tanh(h + x)
        return z, z.sum()

    h, s = jax.lax.scan(step, x, xs)
    if x.ndim == 2:
        h = h.sum(0)
    return h, s


def hidden(x, xs, flag=True):
    def step(h, flag):
        y = flag * 2
        return h + y, y

    h, _ = jax.lax.scan(step, x, xs)
    return h * 2 if flag else h


def by_word(x, how):
    if how == "mean":
        return x.mean(0)
    return x.sum(0)


W, B = A, A[0]
UNREACHED = [
    (lambda x, p, q: raw_first(raw_first(x, p, raw=True), q), "numpy", [
        (A, {"w": W}, {"w": W, "b": B}), (A, {"w": W, "b": B}, {"w": W, "b": B}), (A, {"w": W}, {"w": W}),
    ]),
    (lambda x, w: word_first(x, w, "raw") + word_first(x), "torch", [(A, A), (A, None)]),
    (lambda x, p, q: kind_first(kind_first(x, p, Kind.PLAIN), q), "torch", [
        (A, {"w": W, "b": B}, {"w": W}), (A, {"w": W, "b": B}, {"w": W, "b": B}), (A, {"w": W}, {"w": W}),
    ]),
    (lambda x, m, w: tag_first(x, m, "a") + tag_first(x, w), "numpy", [(A, B, A), (A, B, B), (A, A, B)]),
    (lambda x: by_a_method(x) + by_a_method(x, True), "torch", [(A,), (A[:1],)]),
    (lambda x: by_a_part(x) * by_a_part(x, "b"), "torch", [(A,), (A[:1],)]),
    (lambda a, b, xs: (by_rank(a, xs)[0] + by_rank(b, xs)[0], by_rank(b, xs)[1]), "jax", [(A, B, A)]),
    (lambda x, xs: hidden(x, xs) + hidden(x, xs, False), "jax", [(B, A), (B, A[:1])]),
    (lambda x: by_word(x, Word.MEAN) + by_word(x, Word.SUM), "numpy", [(A,)]),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(UNREACHED)))
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_no_test_is_asked_that_the_source_does_not_ask(number: int, to: str) -> None:
    fn, source, calls = UNREACHED[number]
    out = tl.transpile(fn, given(calls[0], source), to=to)
    for args in calls:
        agrees(fn, out, to, args, is_example=args is calls[0], source=source)


def test_long_expressions_take_no_longer_than_they_are_long() -> None:
    terms = " + ".join(f"x * {number}.5" for number in range(60))
    file = "<terms>"
    text = f"def h(x, flag=False):\n    y = {terms}\n    if flag:\n        y = y * 2\n    return y\n"
    text += "def f(x):\n    return h(x) + h(x, True)\n"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, file, "exec"), module)
    assert "if flag:" in tl.symbolic_trace(module["f"], (A,)).source("numpy")
