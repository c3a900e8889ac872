"""Every rule of backends/typing against the framework itself: result dtypes, refusals, weak types."""

import jax
import numpy as np
import pytest
from typing_cases import CASES, INTS, ONE, SCALARS, TWO, arrays, build, called, deliberate, said, scalar, weak

from tracelate.ir.values.dtypes import DTYPES

pytestmark = pytest.mark.filterwarnings("ignore")

#: On these all pairs are tried in JAX too; rows of others see the common dtype and whether it is weak.
WHOLE = ("add", "pow")


@pytest.fixture(autouse=True, scope="module")
def quick_refusals():
    """JAX spends more time on filtering a traceback than on refusing."""
    before = jax.config.jax_traceback_filtering
    jax.config.update("jax_traceback_filtering", "off")
    yield
    jax.config.update("jax_traceback_filtering", before)


def observe(mode, function, operands):
    """(dtype, weak) of what the framework makes of them; None where it refuses, or the dtype is its own."""
    try:
        if mode.startswith("jax"):
            result = abstract(function, operands)
        else:
            result = function(*(build(mode, operand, (1, 1)) for operand in operands))
    except Exception:
        return None
    name = str(result.dtype if hasattr(result, "dtype") else np.asarray(result).dtype).removeprefix("torch.")
    return (name, getattr(result, "weak_type", False) and name != "bool") if name in DTYPES else None


def abstract(function, operands):
    given = [operand for operand in operands if operand.form != "python"]
    specs = [jax.ShapeDtypeStruct((2,), o.dtype.name, weak_type=o.form == "weak") for o in given]

    def call(*arrays):
        rest = iter(arrays)
        return function(*(o.value if o.form == "python" else next(rest) for o in operands))

    return jax.eval_shape(call, *specs)


def disagreements(mode, op, several):
    """A line for each list of operands on which the rules and the framework differ."""
    case, found = CASES[op], []
    with jax.enable_x64(mode == "jax x64"):
        for operands in several:
            mine, theirs = case.typing(mode, operands), observe(mode, case.function(mode), operands)
            if (mine and (mine.result.name, mine.weak)) != theirs and not deliberate(mode, op, operands):
                found.append(f"{called(mode, op, operands)} is {theirs}, not {mine}")
    return found


@pytest.mark.parametrize(("op", "mode"), said(ONE))
def test_results_of_one_operand(op, mode):
    assert not disagreements(mode, op, [[operand] for operand in arrays(mode) + weak(mode)])


@pytest.mark.parametrize(("op", "mode"), said(TWO))
def test_results_of_two_operands(op, mode):
    assert not disagreements(mode, op, pairs(mode, op))


def pairs(mode, op):
    """Every pair of dtypes, ranks and forms; in JAX, save for WHOLE, enough for each common dtype."""
    some = arrays(mode) + weak(mode)
    if mode == "torch" and op not in ("concat", "matmul"):
        some += arrays(mode, rank=0)
    scalars = [scalar(value) for value in SCALARS] if op not in ("concat", "matmul") else []
    if mode.startswith("jax") and op not in WHOLE:
        late = weak(mode) if mode == "jax x64" else []
        found = [[x, x] for x in some] + [[y, x] for x in some for y in late]
        return found + [[x, y] for x in some for y in scalars[2:]]
    ints = [scalar(value) for value in INTS] if scalars else []
    return [[x, y] for x in some for y in some + scalars + ints] + [[y, x] for x in some for y in scalars]
