"""Names that a text needs, and that the user has given to something else: builtins, modules, our helpers."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

TARGETS = ("numpy", "jax", "torch")
X = np.linspace(-1.0, 1.0, 12, dtype=np.float32).reshape(4, 3)

#: The framework of each program, what the entry is called, and its arguments.
PROGRAMS: dict[str, tuple[str, tuple[Any, ...], str]] = {
    "a helper called min": ("numpy", (X, 3), """
        import builtins

        def min(a, b=None):
            return a * 2 if b is None else np.minimum(a, b) + 10

        def f(x, n):
            return min(x, 0.5), min(x), x * builtins.min(n, 2)
    """),
    "a helper called abs": ("torch", (X, -2), """
        import builtins

        def abs(x, p=1):
            return torch.abs(x) ** p

        def f(x, n):
            return abs(x, 2) * builtins.abs(n)
    """),
    "a variable called as its function": ("numpy", (X, 3), """
        def norm(x):
            norm = np.sqrt((x * x).sum())
            return x / norm

        def power(x, n):
            power = x * 1
            for i in range(n):
                power = power * x
            return power

        def f(x, n):
            f = norm(x) + power(x, n)
            return f * norm(f)
    """),
    "a helper called all": ("numpy", ([X, X + 1], X), """
        def all(x, k=None):
            return x if k is None else x * k

        def f(xs, w):
            return [x / w for x in xs], all(w), all(w, 2.0)
    """),
    "a helper called range": ("jax", (X, 3), """
        def range(x, k=2):
            return x.max() - x.min() * k

        def f(x, n):
            return jax.lax.fori_loop(0, n, lambda i, y: y + range(x), x), range(x, 3)
    """),
    "a helper called F": ("numpy", (X,), """
        def F(x, k=1.0):
            return -k * x

        def f(x):
            return np.where(x > 0, F(x), F(x, 2.0)), np.pad(x, ((1, 1), (1, 1)), mode="edge")
    """),
    "helpers called as modules": ("torch", (X, 4), """
        def math(x):
            return x + 1

        def functools(x):
            return x * 2

        def jnp(x):
            return x - 1

        def f(x, n):
            for i in range(n):
                x = torch.sin(math(x)) + functools(x) / n ** 0.5
            return jnp(x)
    """),
    "locals as the aliases of modules": ("numpy", (X, 2), """
        def scaled(x, np=2.0, torch=1.0, math=0.5):
            return x * np + torch * math

        def f(x, n):
            np_ = scaled(x)
            torch_ = scaled(np_, 3.0)
            math_ = np.exp(torch_) * n
            jnp_ = np.tanh(math_)
            return np_, torch_, math_ + jnp_
    """),
    "parameters as modules and their aliases": ("numpy", (X, 2.0, 3.0), """
        import numpy

        def f(x, np, np_):
            return numpy.exp(x) * np + np_
    """),
    "a parameter called functools": ("numpy", (X, 2, 5), """
        def f(x, functools, n):
            for i in range(n):
                x = np.sin(x) * functools
            return x
    """),
    "a helper called tree_map": ("jax", ({"a": X},), """
        def tree_map(x, k=2):
            return x * k

        def f(d):
            return jax.tree.map(lambda v: v + 1, d), tree_map(d["a"])
    """),
    "parameters called as builtins": ("torch", ([X, X], X, 2, 1.0), """
        def f(zip, all, len, type):
            for x in zip:
                all = all + x
            return all * len + type
    """),
    "parameters called as classes": ("torch", (X, 3, 2), """
        def f(x, int, isinstance):
            return torch.arange(int) * isinstance + x.sum(0)
    """),
    "parameters as modules that have constants": ("numpy", (X, 2.0, 3.0), """
        def f(x, torch, jnp):
            return np.sin(x) * np.pi + torch * jnp + np.e
    """),
    "parameters of helpers": ("numpy", (X, 3), """
        def clipped(x, min, max, len=2):
            return np.clip(x, min, max) * len

        def f(x, n):
            return clipped(x, -0.5, 0.5), clipped(x, min(n, 1), max(n, 2)), len(x)
    """),
}  # fmt: skip
#: What the entry itself is called.
ENTRIES = ("sum", "len", "F", "np", "tree_map", "isinstance", "np_", "softmax", "check_inputs")


def differ(found: Any, wanted: Any) -> None:
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(to_numpy(one), to_numpy(other), rtol=1e-5)


def given(args: tuple[Any, ...], framework: str) -> Any:
    return jax.tree.map(lambda a: convert(a, framework) if isinstance(a, np.ndarray) else a, args)


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_name_means_what_it_means_to_the_user(name: str, to: str, traced: Any) -> None:
    source, args, text = PROGRAMS[name]
    f = traced(text)
    out: Any = tl.transpile(f, given(args, source), source=source, to=to)
    differ(out(*given(args, to)), f(*given(args, source)))


def test_the_checks_of_a_text_ask_python(traced: Any) -> None:
    f = traced(PROGRAMS["a helper called all"][2])
    out: Any = tl.transpile(f, ([X, X + 1], X), to="torch")
    with pytest.raises(AssertionError):
        out(*given(([X, X.astype(np.int64)], X), "torch"))
    assert "def all_(x, k=None)" in out.source


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("name", ENTRIES)
def test_the_entry_keeps_its_name(name: str, to: str, module: Any) -> None:
    made = module(f"""
import numpy
import jax


def shifted(x, k=1):
    return x + k


def {name}(xs, n=3):
    total = shifted(xs[0]) * 0
    for x in xs:
        total = total + numpy.exp(x) * n
    e = numpy.exp(total - numpy.max(total, axis=-1, keepdims=True))
    turned = e / numpy.sum(e, axis=-1, keepdims=True)
    return turned, shifted(total, min(n, 2)), numpy.pad(total, 1, mode="edge")
""")
    f = getattr(made, name)
    out: Any = tl.transpile(f, ([X, X + 1], 3), to=to)
    differ(out(given(([X, X + 1],), to)[0], 3), f([X, X + 1], 3))
    assert f"\ndef {name}(xs, n=3):" in out.source


def test_what_is_hidden_is_said_in_full(traced: Any) -> None:
    f = traced(PROGRAMS["parameters called as builtins"][2])
    args = given(PROGRAMS["parameters called as builtins"][1], "torch")
    text = tl.symbolic_trace(f, args).source("numpy")
    assert text.startswith("import builtins\n") and "builtins.all(" in text
    assert "    for x in zip:\n        all = all + x\n    return all * len + type\n" in text


@pytest.mark.parametrize("to", TARGETS)
def test_a_letter_that_is_a_modules_stays_the_users(traced: Any, to: str) -> None:
    """`F` is a matrix to who filters, and torch.nn.functional to who imports it."""
    f = traced("""
        def f(x):
            F = torch.eye(3) + 1
            y = torch.nn.functional.gelu(x)
            for _ in range(2):
                F = F @ F.T
            return y @ F
    """)
    out = tl.transpile(f, given((X,), "torch"), to=to)
    differ(out(*given((X,), to)), f(*given((X,), "torch")))
    assert "    F = F @ F.T\n" in out.source
    assert to != "torch" or "import torch.nn.functional as F_\n" in out.source
