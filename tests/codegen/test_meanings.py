"""What a target has no word for is a function of the text's, where it would be said twice or at length."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import tracelate as tl
from tracelate.ir.meaning.op import inexact
from tracelate.ir.ops.elementary import exp

X = torch.linspace(-2, 3, 12).reshape(3, 4)
TARGETS = ("numpy", "jax", "torch")


def text(fn: Any, *args: Any, to: str = "numpy") -> str:
    """The text, which agrees with the function on these arguments and others."""
    report = tl.check(fn, args, to=to, vary=8)
    assert report, str(report)
    return str(tl.transpile(fn, args, to=to).source)


def functions(source: str) -> dict[str, list[str]]:
    """The functions of a text, each with its parameters."""
    found = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    return {each.name: [arg.arg for arg in each.args.args] for each in found}


def softmax(x):
    return F.softmax(x, -1) * 2


def of_two_axes(x, w):
    return F.softmax(x, dim=0) + F.softmax(w, dim=-1)


def beside_one_of_the_users(x):
    return F.softmax(x, dim=0) + softmax(x)


def of_numbers_given(x, eps):
    return F.group_norm(x, 2, eps=eps) + F.group_norm(x * 2, 2, eps=1e-3)


def of_two_forms(x, w):
    y = F.layer_norm(x, (4,), w) + F.layer_norm(x * 2, (4,), w)
    return F.layer_norm(y, (3, 4), x) + F.layer_norm(y * 2, (3, 4), x)


def in_a_loop(x):
    for i in range(x.shape[0]):
        x = F.silu(x) + F.silu(x * i)
    return x


def in_a_branch(x):
    if x.sum() > 0:
        return F.silu(x) - F.silu(-x)
    return x


def of_other_ranks(x):
    return F.softmax(x, 0).sum() + F.softmax(x[0], 0).sum()


def written_into(x):
    s = F.softmax(x, 0)
    t = F.softmax(x * 2, 0)
    t[0] = 5
    s += 1
    return s, t


PROGRAMS: dict[Any, tuple[Any, ...]] = {
    of_two_axes: (X, X * 2),
    beside_one_of_the_users: (X,),
    of_numbers_given: (X, 1e-5),
    of_two_forms: (X, X[0]),
    in_a_loop: (X,),
    in_a_branch: (X,),
    of_other_ranks: (X,),
    written_into: (X,),
}
MADE = {
    of_two_axes: {"softmax": ["x", "axis"]},
    beside_one_of_the_users: {"softmax": ["x"], "softmax_2": ["x", "axis"]},
    of_numbers_given: {"group_norm": ["x", "eps"]},
    of_two_forms: {"layer_norm": ["x", "weight", "eps"], "layer_norm_2": ["x", "weight", "eps"]},
    in_a_loop: {"silu": ["x"], "sigmoid": ["x"]},
    in_a_branch: {"silu": ["x"], "sigmoid": ["x"]},
    of_other_ranks: {"softmax": ["x", "axis"]},
    written_into: {"softmax": ["x", "axis"]},
}


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: str(fn.__name__))
def test_a_function_says_it_once(fn: Any, to: str) -> None:
    source = text(fn, *PROGRAMS[fn], to=to)
    if to == "numpy":
        made = functions(source)
        del made[fn.__name__]
        made.pop("check_inputs", None)
        assert made == MADE[fn], source


def test_what_is_said_once_and_shortly_stays() -> None:
    def once(x):
        return F.gelu(x), F.relu(x), F.linear(x, x), F.linear(x * 2, x)

    assert [*functions(text(once, X))] == ["once"]


def test_what_reads_an_operand_twice_or_is_long_is_a_function_though_it_is_said_once() -> None:
    def once(x, w, b):
        return F.group_norm(x, 2, w, b) + F.mish(x + 1) * F.softmax(x * 2, dim=0)

    made = functions(text(once, X, torch.ones(4), torch.zeros(4)))
    assert made["group_norm"] == ["x", "weight", "bias", "eps"]
    assert made["mish"] == ["x"] and made["softmax"] == ["x", "axis"]


def test_what_is_all_that_a_function_does_stays_in_it() -> None:
    def layer_norm(x, params):
        return F.layer_norm(x, (4,), params["weight"], params["bias"])

    def softened(x):
        return F.softmax(x, -1)

    assert [*functions(text(layer_norm, X, {"weight": X[0], "bias": X[1]}))] == ["layer_norm"]
    assert [*functions(text(softened, X))] == ["softened"]


@pytest.mark.parametrize("to", TARGETS)
def test_a_name_that_hides_it_is_another(to: str) -> None:
    def hidden(softmax, x):
        silu = F.silu(x)
        return F.softmax(softmax, 0) + F.softmax(x, 1) + F.silu(silu)

    found = text(hidden, X, X + 1, to=to)
    if to == "numpy":
        assert {"softmax_2", "silu_2"} <= functions(found).keys()


def test_what_the_text_calls_of_pythons_is_not_hidden() -> None:
    """An op of the user's may have the name of a function of Python's."""
    with tl.dictionary():

        @tl.op("X[~] -> Y[~]", dtype=inexact)
        def len(x):
            e = exp(x - 1.5)
            return e / (1 + e) + e

        def program(xs):
            return len(xs[0]) + len(xs[1])

        out: Any = tl.transpile(program, ([X.numpy(), X.numpy()],), to="torch")
        assert "len_2" in functions(out.source), out.source
        assert torch.allclose(out([X, X]), program([X, X]), rtol=1e-5)


def test_dtypes_that_it_says_are_asked_of_the_arguments() -> None:
    def losses(x, t):
        return F.cross_entropy(x, t) + F.cross_entropy(x * 2, t)

    out: Any = tl.transpile(losses, (X, torch.tensor([0, 1, 3])), to="numpy")
    assert "cross_entropy" in functions(out.source)
    with pytest.raises(AssertionError):
        out(X.numpy().astype(np.float64), np.array([0, 1, 3]))


def of_what_is_read_twice(x, w):
    h = F.gelu(x @ w)
    return F.gelu(F.silu(h + 1) @ w) + F.silu(h)


def test_what_reads_an_operand_twice_is_a_function_where_it_is_said_again() -> None:
    source = text(of_what_is_read_twice, X, X.T @ X)
    found = functions(source)
    assert found["gelu"] == ["x"] and found["silu"] == ["x"], source
    assert "h = gelu(x @ w)" in source and "math.sqrt(2)" in source, source


def test_a_number_of_an_op_is_what_it_is_computed_from() -> None:
    source = text(lambda x: F.gelu(x, approximate="tanh") * 1.4142135623730951, X)
    assert "math.sqrt(2 / math.pi)" in source and "1.4142135623730951" in source, source
