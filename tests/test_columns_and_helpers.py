"""Functions of the users' that phrases name, which are copied into the text, and columns of their own."""

from __future__ import annotations

import ast
import types
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends import helpers, rows
from tracelate.ir.ops.elementary import exp, sin

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


def scale(x: Any, factor: float = 2.0) -> Any:
    """x, `factor` times."""
    return np.multiply(x, factor)


def twice_the_sine(x: Any) -> Any:
    """Twice the sine."""
    return scale(np.sin(x))


TABLE = [1, 2]


def with_a_table(x: Any) -> Any:
    return x * TABLE[0]


@pytest.mark.usefixtures("dictionary")
def test_a_helper_may_be_a_function_of_the_users() -> None:
    tl.say(exp, numpy="helper:twice_the_sine(x)", helpers=[twice_the_sine], gives="numpy: new")
    out = tl.transpile(lambda x: torch.exp(x), (torch.tensor(X),), to="numpy")
    assert "    return twice_the_sine(x)\n" in out.source
    assert "import numpy as np\n" in out.source
    assert "def scale(x: Any, factor: float = 2.0) -> Any:" in out.source
    np.testing.assert_allclose(out(X), 2 * np.sin(X), rtol=1e-6)


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    ("helper", "why"),
    [
        (with_a_table, "uses TABLE of its module: make it a parameter"),
        (lambda x: x, "is no plain `def`"),
        (np.sin, "is no function of a module's"),
    ],
)
def test_a_helper_that_cannot_be_copied_is_refused(helper: Any, why: str) -> None:
    with pytest.raises(rows.PhraseError, match=why):
        tl.say(exp, numpy="helper:with_a_table(x)", helpers=[helper])


def softplus(x: Any) -> Any:
    """A name that a built-in helper or a builtin may have."""
    return np.log1p(np.exp(x))


def through_an_alias(x: Any) -> Any:
    return scaled(x)


scaled = scale


@pytest.mark.usefixtures("dictionary")
def test_a_helper_calls_others_by_their_own_names() -> None:
    with pytest.raises(rows.PhraseError, match="scaled"):
        tl.say(exp, numpy="helper:through_an_alias(x)", helpers=[through_an_alias], priority=1)


@pytest.mark.usefixtures("dictionary")
def test_helpers_of_one_name_do_not_take_each_others_place() -> None:
    def scale(x: Any) -> Any:
        return x

    for taken in ("sorted", "scale"):
        mine = types.FunctionType(scale.__code__.replace(co_name=taken), globals(), taken)
        with pytest.raises(rows.PhraseError):
            tl.say(exp, numpy=f"helper:{taken}(x)", helpers=[twice_the_sine, mine])


def bent(x: Any) -> Any:
    y = torch.sin(x) + 1
    if y.sum() > 0:
        y = y * 2
    first = y[0]
    first += 1
    return torch.softmax(y, -1), torch.nn.functional.max_pool1d(x[None], 2)


@pytest.mark.usefixtures("dictionary")
def test_a_column_of_the_users_says_some_things_otherwise() -> None:
    with pytest.raises(tl.TraceError, match="one of numpy, jax, torch"):
        tl.transpile(bent, (torch.ones(2, 4),), to="series")
    tl.column("series", base="numpy", words="NumPy in short series")
    tl.say(sin, series="helper:series_of_sine(x)", helpers=[series_of_sine], gives="series: new")
    x = torch.linspace(-1, 1, 8).reshape(2, 4)
    traced = tl.symbolic_trace(bent, (x,))
    out = traced.to("series")
    for mine, theirs in zip(out(x.numpy()), bent(x)):
        np.testing.assert_allclose(mine, theirs.numpy(), atol=1e-4)
    mine, theirs = (
        text[text.index("def bent") : text.index("return")]
        for text in map(traced.source, ("series", "numpy"))
    )
    assert mine != theirs and mine.replace("series_of_sine(x)", "np.sin(x)") == theirs


def series_of_sine(x: Any) -> Any:
    """The sine, by the first terms of its series."""
    return x - x**3 / 6 + x**5 / 120 - x**7 / 5040


def test_a_column_needs_a_name_of_its_own_and_a_base() -> None:
    with tl.dictionary():
        with pytest.raises(ValueError, match="'torch' is no name for a column of your own"):
            tl.column("torch", base="numpy")
        with pytest.raises(tl.TraceError, match="'tensorflow' is no framework that tracelate knows"):
            tl.column("series", base="tensorflow")
        with pytest.raises(tl.TraceError, match="'series' is no framework that tracelate knows"):
            tl.say(sin, series="np.sin(x)")


@pytest.mark.parametrize("framework", ["numpy", "jax", "torch"])
def test_no_name_in_a_helper_is_another_helpers(framework: str) -> None:
    """It would bring that one along."""
    functions, _ = helpers.parsed(framework)
    for function in functions.values():
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        assert not (stored | {arg.arg for arg in function.args.args}) & functions.keys(), function.name
