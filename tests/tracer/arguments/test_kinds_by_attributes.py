"""What an attribute, or a function that answers yes or no, tells of the kind of an argument: given another, a
text gives what the program gives, or raises.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import contextlib
import inspect
import numbers
import operator
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl

X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
B = np.float32([1, -2, 3])


@dataclass
class Biased:
    bias: Any = None


@dataclass
class Plain:
    k: float = 2.0


PROGRAMS = [
    lambda x, k: x * getattr(k, "real", 5),
    lambda x, k: x * getattr(k, "real"),
    lambda x, k: x * getattr(k, "numerator", 5),
    lambda x, k: x * (3 if getattr(k, "is_integer", None) else 1),
    lambda x, k: x * (3 if hasattr(k, "numerator") else 1),
    lambda x, k: x * (3 if getattr(k, "spec", None) else 1),
    lambda x, k: x * (3 if hasattr(k, "node") else 1),
    lambda x, k: x * getattr(k, "ndim", 5),
    lambda x, k: x * len(getattr(k, "shape", ())),
    lambda x, k: x + getattr(k, "T", x),
    lambda x, k: x * 3 if getattr(k, "keys", None) else x,
    lambda x, k: x * (3 if k.__class__ is float else 1),
    lambda x, k: x * (3 if k.__class__.__name__ == "list" else 1),
    lambda x, k: x * (3 if "__len__" in dir(k) else 1),
    lambda x, k: x * (3 if np.isscalar(k) else 1),
    lambda x, k: x * (3 if np.iterable(k) else 1),
    lambda x, k: x * (3 if inspect.isfunction(k) else 1),
    lambda x, k: x * (3 if isinstance(k, numbers.Number) else 1),
    lambda x, k: x * (np.ndim(k) + 1),
    lambda x, k: x * k if np.ndim(k) == 0 else x,
    lambda x, k: x * np.size(k),
    lambda x, k: x * (3 if np.shape(k) == () else 1),
    lambda x, k: x * len(np.shape(k)),
    lambda x, k: x * operator.attrgetter("real")(k),
    lambda x, k: x * operator.attrgetter("shape")(k)[0],
]
VALUES = [None, B, 2.0, 3, [B], [1.0, 2.0], (1, 2), {"a": B}]
EXAMPLES = {"array": B, "float": 2.0, "list": [B], "numbers": [1.0, 2.0], "dict": {"a": B}, "None": None}


def taken(program, others):
    """The arguments that a program itself takes."""
    found = []
    for args in others:
        with contextlib.suppress(Exception):
            program(*args)
            found.append(args)
    return found


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_an_attribute_tells_is_checked(program: Any, example: str) -> None:
    given = taken(program, [(X, EXAMPLES[example])])
    if given:
        agrees_or_raises(program, "numpy", given[0], taken(program, [(X, v) for v in VALUES]), "torch")


@pytest.mark.parametrize("example", [2.0, 3])
@pytest.mark.parametrize(
    "program",
    [
        lambda x, k: x * (getattr(k, "imag", 5) + 1),
        lambda x, k: x * (3 if np.iscomplexobj(k) else 1),
        lambda x, k: x * (3 if np.isrealobj(k) else 1),
    ],
)
def test_what_is_asked_of_numbers(program: Any, example: Any) -> None:
    agrees_or_raises(program, "numpy", (X, example), [(X, 2.0), (X, 3), (X, 2j)], "torch")


@pytest.mark.parametrize("example", [torch.tensor(B), 2.0, None, [torch.tensor(B)]], ids=str)
def test_whether_it_is_a_tensor(example: Any) -> None:
    out = tl.transpile(
        lambda x, k: x * (3 if torch.is_tensor(k) else 1), (torch.tensor(X), example), to="numpy"
    )
    for k in (B, 2.0, None, [B]):
        try:
            found = out(X, k)
        except AssertionError:  # a check
            continue
        np.testing.assert_array_equal(found, X * (3 if isinstance(k, np.ndarray) else 1))


RECORDS = [
    lambda x, c: x if c.bias is None else x + c.bias,
    lambda x, c: x if getattr(c, "bias", None) is None else x + c.bias,
    lambda x, c: x if vars(c).get("bias") is None else x + c.bias,
    lambda x, c: x if c.__dict__.get("bias") is None else x + c.bias,
    lambda x, c: x * 2 if "bias" in dir(c) else x,
    lambda x, c: x * 2 if hasattr(c, "bias") else x,
]


@pytest.mark.parametrize("example", [Biased(), Biased(2.0), Biased(B), Plain()], ids=repr)
@pytest.mark.parametrize("program", RECORDS)
def test_what_a_record_has_is_checked(program: Any, example: Any) -> None:
    others = [(X, c) for c in (Biased(), Biased(2.0), Biased(B), Plain(), Plain(3.0))]
    for args in taken(program, [(X, example)]):
        agrees_or_raises(program, "numpy", args, taken(program, others), "torch")


def test_a_size_has_the_attributes_of_an_int() -> None:
    out = tl.transpile(lambda x: x * getattr(x.shape[0], "real", 5), (X,), to="torch")
    np.testing.assert_array_equal(out(torch.tensor(X)), X * 2)


def test_the_rank_of_a_number_in_jax() -> None:
    out = tl.transpile(lambda x, k: x * k if jnp.ndim(k) == 0 else x, (jnp.asarray(X), 2.0), to="numpy")
    np.testing.assert_array_equal(out(X, 2.0), X * 2)
    with pytest.raises(AssertionError):
        out(X, X)
