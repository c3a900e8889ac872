"""Which functions are methods of arrays, or operators, is what the installed frameworks do: each is called as
both.
"""

from __future__ import annotations

import pytest

from tracelate.backends import forms as measured
from tracelate.backends.backend import NAMES, backend
from tracelate.backends.overloads import keys, taking
from tracelate.backends.signatures import forms, known

METHODS = [(framework, name) for framework in NAMES for name in measured.candidates(framework)]
OPERATORS = [(framework, name) for framework in NAMES for name in measured.operators(framework)]


@pytest.mark.parametrize(("framework", "name"), METHODS)
def test_a_function_is_a_method_where_the_data_says_so(framework: str, name: str) -> None:
    phrases = measured.candidates(framework)[name]
    assert measured.is_method(framework, name, phrases) == (name in forms(framework, "methods"))


@pytest.mark.parametrize(("framework", "name"), OPERATORS)
def test_a_function_is_an_operator_where_the_data_says_so(framework: str, name: str) -> None:
    word = measured.operators(framework)[name]
    assert measured.is_operator(framework, name, word) == (name in forms(framework, "operators"))


@pytest.mark.parametrize("framework", NAMES)
def test_the_data_has_nothing_else(framework: str) -> None:
    assert forms(framework, "methods") <= measured.candidates(framework).keys()
    assert forms(framework, "operators") <= measured.operators(framework).keys()
    kind = backend(framework).array_type
    for name, phrases in measured.candidates(framework).items():
        method = f"{kind}.{name.rpartition('.')[2]}"
        assert known(method) and all(taking(method, keys(phrase)) for phrase in phrases)


@pytest.mark.parametrize(
    ("framework", "form", "name"),
    [
        ("numpy", "methods", "np.sort"),  # writes into its array
        ("numpy", "methods", "np.conj"),  # gives a real array itself
        ("numpy", "methods", "np.dot"),  # NumPy's numbers have none
        ("numpy", "operators", "np.power"),  # x**2 is a square, in another dtype
        ("torch", "methods", "torch.where"),  # of another array
        ("torch", "operators", "torch.dot"),  # of lines alone
        ("jax", "methods", "jnp.sort"),  # lists have one, which gives None
    ],
)
def test_what_is_not_the_same(framework: str, form: str, name: str) -> None:
    assert name not in forms(framework, form)
