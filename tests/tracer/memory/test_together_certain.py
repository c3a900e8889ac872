"""Writes into results of a region of which it is certain what they change, and later ones, which are refused
only where another result, in what may be the same memory, is used after them.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import pytest
from together_programs import OTHERS, REGIONS, X, plain, program
from ways import agrees_or_raises

import tracelate as tl

ACCEPTED = plain({
    "what is one on every way": """
        if x[0] > 0:
            z = x * 2
            w = z
        else:
            z = x * 3
            w = z
        z[1] = 50
        w *= 2
    """,
    "the same view on every way": """
        if x[0] > 0:
            z = x * 2
            w = z[1:]
        else:
            z = x * 3
            w = z[1:]
        z[1] = 50
        w *= 2
    """,
    "the same row on every way": """
        m = x.reshape(1, 3)
        if x[0] > 0:
            z = m / m.sum(axis=1, keepdims=True)
            w = z[0]
        else:
            z = np.ones_like(m)
            w = z[0]
        z *= 100
        w[1] = 7
    """,
    "copies": """
        z, w = x * 2, x * 3
        for i in range(12):
            z = z + x
            w = z.copy()
        z[1] = 50
        w *= 2
    """,
    "the value of the turn before": """
        z, w = x * 2, x * 0
        for i in range(12):
            w = z
            z = z + x
        z *= 2
    """,
    "a copy that is collected": """
        z, w = x * 2, []
        for i in range(12):
            z = z + x
            w.append(z.copy())
        z *= 2
    """,
    "what is read before the write": """
        z, out = x * 2, []
        for i in range(12):
            z = z + x
            out.append(z)
        w = np.stack(out)
        z *= 2
    """,
    "a sum before the write": """
        if x[0] > 0:
            z = x * 2
            w = z
        else:
            z = x * 3
            w = z * 1
        w = w.sum()
        z *= 2
    """,
    "a list that was returned before": """
        z, out = x * 2, []
        for i in range(12):
            z = z + x
            out.append(z)
        w = out
    """,
})  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("name", ACCEPTED)
def test_writes_of_which_it_is_certain_what_they_change(name, to) -> None:
    agrees_or_raises(program(name, ACCEPTED[name], "return z, w"), "numpy", (X,), OTHERS, to)


LATER = {
    "in a branch": "if x[0] > 0:\n    z[0] = 5",
    "in a loop": "while z.sum() < 200 and z.sum() > 0:\n    z += 5",
    "after another loop": "for i in range(12):\n    z = z * 2\nz += 1",
}


@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("later", LATER)
def test_later_writes_are_refused_only_where_the_other_result_is_used_then(later, to) -> None:
    before = REGIONS["collected"].format() + "\ns = np.stack(out)"
    agrees_or_raises(program(later, before, LATER[later], "return z, s"), "numpy", (X,), OTHERS, to)
    after = program(later, before, LATER[later], "return z, out[-1]")
    if later == "after another loop":
        agrees_or_raises(after, "numpy", (X,), OTHERS, to)
    else:
        with pytest.raises(tl.UnsupportedError, match="memory"):
            tl.transpile(after, (X,), to=to)
