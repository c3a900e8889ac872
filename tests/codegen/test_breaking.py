"""Long lines are broken where black breaks them, in linear time."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable

import pytest

from tracelate.codegen.text.layout import render

Sound = Callable[[ast.Module], str]
Calls = Callable[[Callable[[], object]], int]


BROKEN = [
    (
        "attention = jnp.where(mask[:, None, :], queries @ keys.swapaxes(-2, -1) * scale, "
        "jnp.full((1, 1), -jnp.inf))",
        """
        attention = jnp.where(
            mask[:, None, :],
            queries @ keys.swapaxes(-2, -1) * scale,
            jnp.full((1, 1), -jnp.inf),
        )
        """,
    ),
    (
        "hidden_state = jax.lax.fori_loop(0, number_of_steps, lambda i, state: step(i, state), first)",
        """
        hidden_state = jax.lax.fori_loop(
            0, number_of_steps, lambda i, state: step(i, state), first
        )
        """,
    ),
    (
        "total_energy = kinetic_energy_of_particles + potential_energy_of_particles + energy_of_the_field",
        """
        total_energy = (
            kinetic_energy_of_particles + potential_energy_of_particles + energy_of_the_field
        )
        """,
    ),
    (
        "total = first_long_term * second_long_factor + another_long_term * yet_another_factor "
        "- a_correction_term * 0.5",
        """
        total = (
            first_long_term * second_long_factor
            + another_long_term * yet_another_factor
            - a_correction_term * 0.5
        )
        """,
    ),
    (
        "mean_of_everything, variance_of_everything = normalise("
        "inputs, running_mean, running_variance, momentum)",
        """
        mean_of_everything, variance_of_everything = normalise(
            inputs, running_mean, running_variance, momentum
        )
        """,
    ),
    (
        "def scaled_dot_product_attention(query, key, value, mask=None, *, dropout_rate=0.0, "
        "is_causal=False): return key",
        """
        def scaled_dot_product_attention(
            query, key, value, mask=None, *, dropout_rate=0.0, is_causal=False
        ):
            return key
        """,
    ),
    (
        "y = np.reshape(np.transpose(a_long_array_name, (0, 2, 1)), (batch, 3)).astype(np.float32)"
        ".sum(axis=-1, keepdims=True)",
        """
        y = (
            np.reshape(np.transpose(a_long_array_name, (0, 2, 1)), (batch, 3))
            .astype(np.float32)
            .sum(axis=-1, keepdims=True)
        )
        """,
    ),
    (
        "z = f(a_rather_long_name if some_condition_holds and another_condition else another_long_name, "
        "1, axis=0)",
        """
        z = f(
            (
                a_rather_long_name
                if some_condition_holds and another_condition
                else another_long_name
            ),
            1,
            axis=0,
        )
        """,
    ),
    (
        "from jax.scipy.special import expit, logsumexp, gammaln, digamma, polygamma, zeta, entr, betainc",
        """
        from jax.scipy.special import (
            expit,
            logsumexp,
            gammaln,
            digamma,
            polygamma,
            zeta,
            entr,
            betainc,
        )
        """,
    ),
    (
        "if x.shape[0] != y.shape[0] and x.ndim == y.ndim or not some_flag_of_the_caller "
        "or another_flag_of_it: pass",
        """
        if (
            x.shape[0] != y.shape[0]
            and x.ndim == y.ndim
            or not some_flag_of_the_caller
            or another_flag_of_it
        ):
            pass
        """,
    ),
]


@pytest.mark.parametrize(("source", "expected"), BROKEN)
def test_long_lines_are_broken_as_black_does(source: str, expected: str, sound: Sound) -> None:
    assert sound(ast.parse(source)) == textwrap.dedent(expected).lstrip("\n")


@pytest.mark.parametrize("element", ["x{0}", "[x, {0}]", "(x if y else {0})", "f(x, **{{'a': {0}}})"])
def test_work_is_linear_in_the_length_of_a_statement(element: str, calls: Calls) -> None:
    def work(count: int) -> int:
        tree = ast.parse(f"table = [{', '.join(element.format(number) for number in range(count))}]")
        return calls(lambda: render(tree))

    assert work(400) < 2.1 * work(200)
