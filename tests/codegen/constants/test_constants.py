"""Numbers come out as the user spelled and named them, and are the very numbers that the trace had."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import ast
import importlib.util
import itertools
import math
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy
from tracelate.codegen.statements.constants.tables import spelled

X = np.linspace(0.1, 1.0, 12, dtype=np.float32).reshape(4, 3)
COUNT = itertools.count()


TEXT = """
    import math
    import numpy as np

    HEADS = 4  # heads of attention
    WIDTH = HEADS * 16
    MASK, FLOOR = -1E4, .5
    STEPS: int = 20


    def f(x, momentum=.9, eps=1e-5):
        for _ in range(STEPS):
            x = x * 1e-1 + FLOOR
        y = np.where(x > 0.50, x, MASK) * (1 << 10) / math.sqrt(WIDTH)
        z = y.reshape(-1, HEADS // 4) * math.pi + np.pi * 10_000.0
        return np.clip(z * (1 - momentum), -1e-3, 1 / 3) + 0xff, eps
"""
JAX = """\
HEADS = 4  # heads of attention
WIDTH = HEADS * 16
STEPS = 20
MASK, FLOOR = -1e4, 0.5
"""
BODY = """\
    y = jnp.where(x > 0.50, x, MASK) * (1 << 10) / math.sqrt(WIDTH)
    z = y.reshape(-1, HEADS // 4) * math.pi + jnp.pi * 10_000.0
    return jnp.clip(z * (1 - momentum), -1e-3, 1 / 3) + 0xFF, eps
"""


def test_numbers_have_the_users_words(module: Any) -> None:
    f = module(TEXT).f
    for to, own in (("numpy", "np"), ("jax", "jnp"), ("torch", "torch")):
        out = tl.transpile(f, (X,), to=to)
        body = BODY.replace("jnp", own)
        lines = body.splitlines() if to != "torch" else body.splitlines()[:2]
        for line in (*lines, *JAX.splitlines(), "def f(x, momentum=0.9, eps=1e-5):"):
            assert line.strip() in out.source, out.source
        assert "range(STEPS)" in out.source or "fori_loop(0, STEPS" in out.source
        for one, other in zip(out(convert(X, to)), f(X)):
            np.testing.assert_allclose(to_numpy(one), other, rtol=1e-5)


OTHERS = {
    "a local bound twice": ("def f(x):\n    K = 2.0\n    K = 3.0\n    return x * K", {}, "x * 3.0"),
    "a parameter of the name": ("K = 2.0\ndef f(x, K=5.0):\n    return x * (K + 1)", {}, "x * (K + 1)"),
    "changed meanwhile": ("K = 2.0\ndef f(x):\n    return x * K", {"K": 3.0}, "x * 3.0"),
    "bound twice": ("K = 2.0\nK = 3.0\ndef f(x):\n    return x * K", {}, "x * 3.0"),
    "computed, bound twice": ("K = float('2.5')\nK = 3.5\ndef f(x):\n    return x * K", {}, "x * 3.5"),
    "a name of Python's": ("sum = 7.0\ndef f(x):\n    return x * sum", {}, "x * 7.0"),
    "a function's name": ("def f(x):\n    def K(x):\n        return x\n    return K(x) * 7.0", {}, ") * 7.0"),
    "of another type": ("K = 2\ndef f(x):\n    return x * float(K)", {}, "x * 2.0"),
}  # fmt: skip


@pytest.mark.parametrize("case", OTHERS)
def test_else_a_number_is_its_own_text(case: str, module: Any) -> None:
    text, later, expected = OTHERS[case]
    made = module(text)
    vars(made).update(later)
    out: Any = tl.transpile(made.f, (X,), to="torch")
    assert expected in out.source
    np.testing.assert_allclose(to_numpy(out(convert(X, "torch"))), made.f(X), rtol=1e-6)


def test_constants_of_two_modules(module: Any) -> None:
    one = module("EPS = 1e-5\ndef g(x):\n    return x + EPS")
    other = module("EPS = 1e-3\ndef f(x):\n    return g(x) * EPS")
    other.g = one.g
    source = tl.transpile(other.f, (X,), to="jax").source
    assert "EPS = 1e-3\nEPS_2 = 1e-5\n" in source
    assert "g(x) * EPS\n" in source and "x + EPS_2\n" in source


def test_of_two_that_are_equal_each_has_its_own_word(module: Any) -> None:
    f = module("TWO = 2.0\nEPS = 2.0\ndef f(x):\n    return x * TWO + EPS - (x + 2.0) / (x - 2.00)").f
    assert "return x * TWO + EPS - (x + 2.0) / (x - 2.00)" in tl.transpile(f, (X,), to="torch").source


LITERALS = st.sampled_from("1 2. .5 1e-3 1E2 3 0x10 1_0 2.50 K math.pi L 7j".split())
SIGNS = st.sampled_from(["+", "-", "*", "/", "**", "//", "%", "<<"])


def longer(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    both = st.builds("({} {} {})".format, inner, SIGNS, inner)
    return both | st.builds("-{}".format, inner) | st.builds("math.sqrt({})".format, inner)


EXPRESSIONS = st.recursive(LITERALS, longer, max_leaves=5)


@settings(max_examples=60, deadline=None)
@given(text=EXPRESSIONS)
def test_an_expression_of_constants_gives_the_very_number(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    names = {"math": math, "np": np, "K": 3, "L": 0.25}
    try:
        number = eval(text, dict(names))
    except (ArithmeticError, TypeError, ValueError):
        return
    if isinstance(number, complex) or not math.isfinite(number) or abs(number) > 1e9:
        return
    file = tmp_path_factory.mktemp("constants") / f"given_{next(COUNT)}.py"
    file.write_text(f"import math\nimport numpy as np\nK = 3\nL = 0.25\ndef f(x):\n    return x + {text}\n")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    made = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    try:
        source = tl.transpile(made.f, (X.astype(np.float64),), to="numpy").source
    finally:
        del sys.modules[file.stem]
    (returned,) = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Return))
    assert isinstance(returned.value, ast.BinOp), source
    defined = dict(names)
    exec(source.partition("\n\n\ndef ")[0], defined)
    found = eval(ast.unparse(returned.value.right), defined)
    same = found == number if isinstance(returned.value.op, ast.Add) else -found == number
    assert same and type(found) is type(number), source


BLACKS = {"1E5": "1e5", "1.": "1.0", ".5": "0.5", "1.E3": "1.0e3", "0XfF": "0xFF", "1J": "1j", "1_0": "1_0"}


@pytest.mark.parametrize(("text", "expected"), BLACKS.items())
def test_a_literal_is_spelled_as_black_leaves_it(text: str, expected: str) -> None:
    assert spelled(text) == expected


def written(x, k):
    x = x.copy()
    x[0] = 7
    x[1:] = -1
    x[:, 0] = 2.0
    x[0, 1] = 1 + 2
    x[1, 1] = 2**3
    x[k] = 1
    x[x > 3] = 0
    return x


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_an_int_that_is_written_into_floats_stays_one(to: str, dtype: str) -> None:
    x = X.astype(dtype)
    out = tl.transpile(written, (x, 2), to=to)
    for number in ("7", "-1", "2.0", "1 + 2", "2**3", "1"):
        assert f"= {number}\n" in out.source or f".set({number})" in out.source, out.source
    assert "] = 0\n" in out.source or "> 3, 0, " in out.source, out.source
    assert np.array_equal(to_numpy(out(convert(x, to), 2)), written(x, 2))


ZEROS = [complex(*pair) for pair in itertools.product([0.0, -0.0, 1.0, -2.5, math.inf], repeat=2)]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("number", ZEROS, ids=repr)
def test_a_complex_number_keeps_its_signed_zeros(number, to) -> None:
    """No sum gives some of them: `-0.0 + 1j` is 1j."""
    out = tl.transpile(lambda x: (x, number), (X,), to=to)
    assert repr(out(convert(X, to))[1]) == repr(number), out.source
