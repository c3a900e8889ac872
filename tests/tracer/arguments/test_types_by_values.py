"""Of which type a number of Python's is may depend on the values of others: `max(k, 0.5)` and `2**k` are an
int or a float. Beside an array that decides a dtype, which each framework makes in its own way.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from number_ways import defined

import tracelate as tl
from tracelate.backends.arrays import compare, convert

pytestmark = pytest.mark.filterwarnings("ignore")

FUNCTIONS = (
    "max(k, 0.5)", "min(k, 0)", "min(k, 0.5)", "max(k, n)", "max(k, 0.5, n)", "max([k, 0.5])", "max(-k, 1)",
    "max(v for v in (k, 0.5))", "max(k, 0.5, key=abs)", "sorted([k, 0.5])[0]", "max(max(k, 0.5), 2)",
    "max(k, True)", "min(max(k, 0.5), 3)", "(max(k, 0.5) + 1)", "-max(k, 0.5)", "abs(max(k, 0.5))",
    "max(k, 0.5) ** 2", "max(math.sqrt(abs(k)), 1)", "max(k, x.shape[0])", "min(k, x[0].item())",
    "round(max(k, 0.5))", "int(max(k, 0.5))", "float(max(k, 0.5))", "helped(k)", "(k or 0.5)", "(k and 0.5)",
    "(k if k > 0 else 0.5)", "((k if k > 0 else 0.5) + 1)", "max(k if k > 0 else 0.5, 1)", "2**k", "k**n",
    "pow(2, k)", "pow(k, -1)", "k**2", "k**0.5", "2 ** x.shape[0]", "k / 2", "k // 2", "divmod(k, 2)[0]",
    "divmod(k, 2)[1]", "round(k)", "round(k, 1)", "abs(k)", "math.floor(k)", "math.fmod(k, 2)",
    "sum([k, 1, 2])",
)  # fmt: skip
BESIDE = {
    "x * {k}": "", "x + {k} + x": "", "x / {k}": "", "x > {k}": "", "({k}, x)": "", "np.full((3,), {k})": "",
    "np.where(x > 1, x, {k})": "", "np.array([{k}, 1]) * x[:2]": "np.tensor([{k}, 1]) * x[:2]",
    "np.maximum(x, {k})": "np.clamp(x, min={k})", "x * (2 if isinstance({k}, int) else 3)": "",
}  # fmt: skip
X = [np.array([3, 1, 2], np.int32), np.array([2.5, 1.5, 0.5], np.float32)]
NUMBERS = [(2, 2), (2.5, 2), (-3, 1), (0, 3), (-0.5, 2), (True, 2), (7, -1), (2, 0.5), (0.25, 3)]
#: What a check refuses, and torch that has no order of complex numbers: `k**0.5` is one of these for k < 0.
REFUSED = (AssertionError, NotImplementedError, RuntimeError)
SOON = ("max(k, 0.5)", "min(k, 0)", "2**k", "max(k if k > 0 else 0.5, 1)")


def program(source: str, number: str, beside: str) -> Any:
    said = (source == "torch" and BESIDE[beside] or beside).replace("{k}", number)
    helper = "def helped(v):\n    if v > 0:\n        return max(v, 0.5)\n    return 1\n"
    text = f"{helper}\ndef f(x, k, n):\n    return {said}\n"
    return defined(text, f"<types by values {source} {number} {beside}>", source)


def fits(f: Any, x: Any, k: Any, n: Any) -> bool:
    try:
        f(x, k, n)
    except Exception:
        return False
    return True


CASES = [
    pytest.param(number, beside, marks=() if number in SOON and beside[:3] == "x *" else pytest.mark.slow)
    for number in FUNCTIONS
    for beside in BESIDE
]


@pytest.mark.covering
@pytest.mark.parametrize("source", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("number", "beside"), CASES)
def test_an_int_or_a_float_as_values_say_agrees_or_is_refused(number: str, beside: str, source: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    f = program(source, number, beside)
    inputs = [(x, k, n) for x in X for k, n in NUMBERS if fits(f, convert(x, source), k, n)]
    results = [f(convert(x, source), k, n) for x, k, n in inputs]
    texts = set()
    for x, k, n in (given for given in inputs if given[1:] in NUMBERS[:3]):
        try:
            traced = tl.symbolic_trace(f, (convert(x, source), k, n), source=source)
        except tl.UnsupportedError:
            continue
        for to in ("numpy", "torch", "jax"):
            try:
                out = traced.to(to)
            except tl.UnsupportedError:
                continue
            if (to, out.source) in texts:  # of another example's
                continue
            texts.add((to, out.source))
            for (y, k2, n2), expected in zip(inputs, results, strict=True):
                try:
                    found = out(convert(y, to), k2, n2)
                except REFUSED:
                    continue
                if to == "jax" and beside == "({k}, x)" and hasattr(found[0], "item"):
                    expected = type(found[0].item())(expected[0]), expected[1]  # a float on all ways
                wrong = list(compare(expected, found, kind="reduction", narrowed="jax" in (source, to)))
                assert not wrong, f"{to}, {k} {n} {x.dtype}, {k2} {n2} {y.dtype}: {wrong[0]}\n{out.source}"


def test_the_check_is_of_the_type_and_lets_other_values_pass() -> None:
    def f(x, k):
        return x * max(k, 0.5)

    out = tl.transpile(f, to="torch", args=(X[0], 2))
    assert "assert type(max(k, 0.5)) is int" in out.source
    assert out(convert(X[0], "torch"), 7).tolist() == [21, 7, 14]
    with pytest.raises(AssertionError):
        out(convert(X[0], "torch"), -3)


def test_floats_and_sizes_need_no_check() -> None:
    def floats(x, k):
        return x * max(k, 0.5) * 2**k

    def sizes(x, k):
        return x[: max(k, 1)] * 2 ** x.shape[0]

    assert "max(k, 0.5))" not in tl.transpile(floats, to="torch", args=(X[1], 2)).source
    assert "2 ** x.shape[0]) is" not in tl.transpile(sizes, to="torch", args=(X[0], 2)).source


def test_where_no_expression_says_it_the_program_is_refused_with_a_way_out() -> None:
    def f(x):
        return x * max(x[0].item(), 0.5)

    def way_out(x):
        return x * float(max(x[0].item(), 0.5))

    with pytest.raises(tl.UnsupportedError, match="an int or a float, as values say.*\n.*\n.*\n.*float"):
        tl.transpile(f, to="torch", args=(X[0],))
    assert tl.transpile(way_out, to="torch", args=(X[0],))(convert(X[0], "torch")).tolist() == [9, 3, 6]
