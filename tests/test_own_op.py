"""An op of the user's own: its meaning by `tl.op`, its phrases by `tl.say`, in every direction."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
import torch

import tracelate as tl
from tracelate.backends.backend import NAMES
from tracelate.backends.lowering.precision import orders
from tracelate.backends.phrase import PhraseError
from tracelate.backends.typing import gives_bools
from tracelate.backends.unions import is_operator
from tracelate.ir.meaning.op import REGISTER, compare, free, inexact
from tracelate.ir.meaning.operands import numbers_held
from tracelate.ir.ops.elementary import erf, log
from tracelate.ir.program import Program
from tracelate.ir.values.dtypes import float32, int64
from tracelate.ir.values.spec import Spec

pytestmark = pytest.mark.usefixtures("dictionary")

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "numpy": lambda x: scipy.special.log_ndtr(x) * 2,
    "jax": lambda x: jax.scipy.special.log_ndtr(x) * 2,
    "torch": lambda x: torch.special.log_ndtr(x) * 2,
}
ARRAYS: dict[str, Callable[[Any], Any]] = {"numpy": np.asarray, "jax": jnp.asarray, "torch": torch.asarray}
X = np.array([[-30.0, -1.5, 0.0], [0.25, 2.0, 9.0]], dtype=np.float32)

DIRECTIONS = [(a, b) for a in NAMES for b in NAMES if a != b]


def declare(**cells: str | None) -> tl.op:  # type: ignore[valid-type]
    """The logarithm of the normal distribution's mass below x."""

    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def log_normal_mass(x):  # type: ignore[no-untyped-def]
        """The logarithm of the normal distribution's mass below x."""
        return log(0.5 * (1 + erf(x / math.sqrt(2))))

    words = {
        "numpy": "scipy.special.log_ndtr(x)",
        "jax": "jax.scipy.special.log_ndtr(x)",
        "torch": "torch.special.log_ndtr(x)",
    }
    tl.say(log_normal_mass, **{**words, **cells})
    return log_normal_mass


@pytest.mark.parametrize(("source", "to"), DIRECTIONS, ids=[f"{a} to {b}" for a, b in DIRECTIONS])
def test_two_rows_and_it_is_translated_in_every_direction(source: str, to: str) -> None:
    declare()
    x = ARRAYS[source](X)
    out = tl.transpile(FUNCTIONS[source], (x,), to=to, verify=True)
    assert "log_ndtr(x) * 2" in out.source
    wanted = 2 * scipy.special.log_ndtr(X.astype(np.float64))
    np.testing.assert_allclose(np.asarray(out(ARRAYS[to](X))), wanted, rtol=1e-4)


def test_it_is_unknown_before() -> None:
    with pytest.raises(tl.UnsupportedError, match=r"torch\.special\.log_ndtr cannot be translated"):
        tl.transpile(FUNCTIONS["torch"], (torch.asarray(X),), to="jax")


def test_where_a_framework_has_no_word_the_meaning_speaks() -> None:
    declare(numpy=None)
    x = torch.asarray(X[1])
    out = tl.transpile(FUNCTIONS["torch"], (x,), to="numpy", verify=True)
    assert "log_ndtr" not in out.source and "scipy.special.erf(x / math.sqrt(2))" in out.source


def test_without_word_and_meaning_it_is_refused_by_name() -> None:
    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def log_normal_mass(x):  # type: ignore[no-untyped-def]
        """Not told in terms of other ops."""
        ...

    tl.say(log_normal_mass, None, None, "torch.special.log_ndtr(x)")
    with pytest.raises(
        tl.UnsupportedError, match=r"torch\.special\.log_ndtr cannot be written for jax"
    ) as caught:
        tl.transpile(FUNCTIONS["torch"], (torch.asarray(X),), to="jax")
    assert '"torch": lambda x: torch.special.log_ndtr(x) * 2' in str(caught.value)


def test_a_parameter_chooses_the_word_and_other_spellings_are_read() -> None:
    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def bessel(x, *, scaled=False):  # type: ignore[no-untyped-def]
        """The modified Bessel function of order 0; scaled, divided by exp(|x|)."""
        ...

    tl.say(
        bessel,
        ("scipy.special.i0(x) if scaled=False", "scipy.special.i0e(x) if scaled=True"),
        ("jax.scipy.special.i0(x) if scaled=False", "jax.scipy.special.i0e(x) if scaled=True"),
        ("torch.special.i0(x) if scaled=False", "torch.special.i0e(x) if scaled=True"),
        reads=["scipy.special.ive(0, x) if scaled=True"],
    )

    def both(x: Any) -> Any:
        return scipy.special.i0(x), scipy.special.ive(0, x)

    out = tl.transpile(both, (X,), to="torch", verify=True)
    assert "return torch.special.i0(x), torch.special.i0e(x)" in out.source


def test_a_row_that_is_no_row_says_what_is_wrong() -> None:
    with pytest.raises(PhraseError, match="'y' in .* is neither an array nor a parameter of the op"):
        declare(numpy="scipy.special.log_ndtr(y)")
    with pytest.raises(PhraseError, match="log_normal_mass has its row already"):
        tl.say(declare(), torch="torch.special.log_ndtr(x)")


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"domain": "fine"}, "scaled has no domain 'fine': a domain is one of any, finite, .* as in any-nan"),
        ({"domain": "any-odd"}, "scaled has no domain 'any-odd'"),
        ({"domain": "unit+special"}, "scaled has no domain 'unit[+]special'"),
        ({"domain": "y: unit"}, "scaled has no array y, of which its domain 'y: unit' speaks"),
        ({"domain": "unit, x: finite, small"}, "scaled has two domains for all arrays"),
        ({"samples": {"factr": (1, 2)}}, "scaled has no parameter factr to have samples: .* shapes, factor"),
        ({"samples": {"factor": "many"}}, "scaled has samples of factor that are neither values nor a func"),
        ({"samples": {"factor": ()}}, "scaled has samples of factor that are neither"),
        ({"samples": {"shapes": [((3,), (3,))]}}, "scaled has 1 arrays, and samples of the shapes"),
        ({"tolerance": "strict"}, "scaled has no tolerance 'strict': it is one of exact, moved, elementwise"),
    ],
    ids=str,
)
def test_what_it_says_of_its_samples_is_about_itself(facts: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):

        @tl.op("X[~] -> Y[~]", dtype=inexact, **facts)
        def scaled(x, *, factor):  # type: ignore[no-untyped-def]
            """x so many times."""
            ...

    assert "scaled" not in REGISTER


def test_what_it_says_of_its_samples_is_kept_by_array_and_parameter() -> None:
    @tl.op("X[~] Y[~] -> Z[~]", dtype=inexact, elementwise=True, domain="finite-large, y: unit")
    def blended(x, y):  # type: ignore[no-untyped-def]
        """Something of both."""
        ...

    assert blended.domain == {"x": "finite-large", "y": "unit"}
    assert (blended.samples, blended.tolerance) == ({}, "elementwise")


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"numbers": "filler"}, "scaled has no parameter filler"),
        ({"natural": "numbers"}, "natural='numbers' of scaled, which has none"),
        ({"natural": "as x"}, "natural='as x' of scaled is no word: it is one of like, numbers, int"),
    ],
    ids=str,
)
def test_what_it_says_of_its_dtype_is_about_itself(facts: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):

        @tl.op("X[~] -> Y[~]", dtype=inexact, **facts)
        def scaled(x, *, factor):  # type: ignore[no-untyped-def]
            """x so many times."""
            ...


def test_what_ops_are_asked_is_asked_of_it_too() -> None:
    """Whatever it is called."""

    @tl.op("X[#~] Y[#~] -> Z[~]", dtype=compare, elementwise=True)
    def beyond(x, y):  # type: ignore[no-untyped-def]
        """x > y."""
        ...

    @tl.op("X[~] -> Y[~]", dtype=free, natural="like", numbers="filler")
    def blank(x, *, filler, dtype):  # type: ignore[no-untyped-def]
        """`filler` wherever x has an element."""
        ...

    assert orders(beyond) and gives_bools(beyond) and not is_operator(beyond)
    program = Program("f")
    x = program.create_node("placeholder", "x")
    x.spec = Spec((3,), float32)
    assert numbers_held(program.call(blank, x, filler=2**40, dtype=int64)) == [2**40]


def test_what_the_program_says_of_it() -> None:
    declare()
    program = tl.symbolic_trace(FUNCTIONS["torch"], (torch.asarray(X),)).program
    assert "log_normal_mass(x)" in str(program)


def test_a_body_that_means_its_own_op_is_refused() -> None:
    """Spelling it out would never end."""

    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def endless(x):  # type: ignore[no-untyped-def]
        """x, said by itself."""
        return endless(x) + endless(x)

    tl.say(endless, numpy="scipy.special.spence(x)")
    with pytest.raises(tl.UnsupportedError, match="endless is told by itself: its meaning comes back to it"):
        tl.transpile(lambda x: scipy.special.spence(x), (X,), to="torch")


def test_so_is_one_that_comes_back_by_another() -> None:
    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def hen(x):  # type: ignore[no-untyped-def]
        """x, from the egg."""
        return egg(x, power=2) + 1

    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def egg(x, *, power):  # type: ignore[no-untyped-def]
        """x, from the hen; with greater powers without an end."""
        return hen(x) if power == 2 else egg(x, power=power + 1)

    tl.say(hen, numpy="scipy.special.spence(x)")
    tl.say(egg, numpy="scipy.special.i0(x) if power=3")
    with pytest.raises(tl.UnsupportedError, match="hen is told by itself"):
        tl.transpile(lambda x: scipy.special.spence(x), (X,), to="torch")
    with pytest.raises(tl.UnsupportedError, match="torch has no counterpart of egg"):
        tl.transpile(lambda x: scipy.special.i0(x), (X,), to="torch")
