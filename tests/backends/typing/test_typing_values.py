"""The compute dtypes that the rules of backends/typing say, against the framework itself.

A compute dtype shows only in values: plain(x, y) must equal plain(x as compute, y as compute) as result.
"""

import warnings
from collections import defaultdict

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import torch
from typing_cases import CASES, INTS, ONE, SCALARS, TWO, arrays, build, called, cast, deliberate, said, scalar

pytestmark = pytest.mark.filterwarnings("ignore")

# fmt: off
PROBES = (
    0, 1, 2, 3, -1, 255, 300, 0.1, -0.7, 2**24, 2**24 + 1, 2**31, 2**31 + 1, 2**53, 2**53 + 1, 16777216.5,
)
# fmt: on
VALUED = [op for op in TWO if op not in ("concat", "matmul", "logical_and", "gcd", "where")]
#: JAX compiles an op anew for each pair.
SLOW = [("less", "jax"), ("less", "jax x64"), ("add", "jax x64"), ("divide", "jax x64")]
COMPILED = [pytest.param(*case, marks=pytest.mark.slow) for case in SLOW]
#: Computed by other loops for a scalar than for an array, equal to a rounding or two of the result.
ROUNDED = ("pow", "divide", "floor_divide", "remainder", "fmod", "atan2", "hypot", "logaddexp")
#: The second operand's probes where others would be undefined or an error.
SECOND = {
    "pow": (1, 2, 3, 5),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), (0, 1, 2, 5)),
    **dict.fromkeys(("floor_divide", "remainder", "fmod"), (1, 2, 3, 7)),
}


@pytest.mark.parametrize(("op", "mode"), said(VALUED, ("numpy", "torch")) + COMPILED)
def test_compute_dtype_gives_the_values(op, mode):
    some = arrays(mode) + (arrays(mode, rank=0) if mode == "torch" else [])
    ints = () if op in SECOND else INTS[:2] if mode.startswith("jax") else INTS
    scalars = [scalar(value) for value in (*SCALARS, 0.1, *ints)]
    several = [[x, y] for x in some for y in some + scalars]
    several += [] if mode.startswith("jax") else [[y, x] for x in some for y in scalars]
    with jax.enable_x64(mode == "jax x64"), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        assert not wrong_values(mode, op, [o for o in several if not deliberate(mode, op, o)])


def wrong_values(mode, op, several):
    """A line for each pair where plain(x, y) is not plain(x as compute, y as compute) as result."""
    function, second = CASES[op].function(mode), SECOND.get(op, PROBES)
    shape = len(PROBES), len(second)
    trials = [(operands, found) for operands in several if (found := CASES[op].typing(mode, operands))]
    given = [(probes(mode, x, PROBES, (-1, 1)), probes(mode, y, second, (1, -1))) for (x, y), _ in trials]
    plain = [np.broadcast_to(numbers(value), shape) for value in every(mode, function, given)]
    wrong, groups = [], defaultdict(list)
    for i, (_, found) in enumerate(trials):
        if not found.exact:
            groups[found.compute, found.result].append(i)
        elif not (plain[i] == exactly(function, *given[i])).all():
            wrong.append(i)
    stacks = [
        [stacked(mode, [given[i][side] for i in members], compute, shape) for side in (0, 1)]
        for (compute, _), members in groups.items()
    ]
    for (_, result), members, value in zip(groups, groups.values(), every(mode, function, stacks)):
        casted = numbers(cast(mode, value, result))
        wrong += [i for i, part in zip(members, casted) if not close(plain[i], part, result, op in ROUNDED)]
    return [f"{called(mode, op, trials[i][0])}: {trials[i][1]}" for i in wrong]


def every(mode, function, given):
    """function(x, y) for each pair; JAX compiles them all at once."""
    if not mode.startswith("jax"):
        return [function(x, y) for x, y in given]
    scalars = [None if hasattr(y, "shape") else y for _, y in given]

    def run(pairs):
        return [function(x, y if scalar is None else scalar) for (x, y), scalar in zip(pairs, scalars)]

    pairs = [(x, y if scalar is None else 0) for (x, y), scalar in zip(given, scalars)]
    return jax.jit(run, compiler_options={"xla_backend_optimization_level": 0})(pairs)


def probes(mode, operand, data, shape):
    """Probe values along one axis of two; for an operand without axes a single one, which no float holds."""
    if operand.form == "python":
        return operand.value
    if not operand.rank:
        return build(mode, operand, (data[-1],))
    data = [complex(v, v) for v in data] if operand.dtype.kind == "complex" else data
    return build(mode, operand, data).reshape(shape)


def stacked(mode, values, dtype, shape):
    """The values cast to `dtype`, ints wrapped, and spread to `shape`, where no rule for scalars holds."""
    found = [cast(mode, as_array(mode, value, dtype), dtype) for value in values]
    match mode:
        case "torch":
            return torch.stack([value.expand(shape) for value in found])
        case "numpy":
            return np.stack([np.broadcast_to(value, shape) for value in found])
    return jnp.asarray(np.stack([np.broadcast_to(value, shape) for value in found]))


def as_array(mode, value, dtype):
    if hasattr(value, "shape"):
        return np.asarray(value) if mode.startswith("jax") else value
    if type(value) is int:
        value = np.asarray(value % 2**64, "uint64") if dtype.is_integer else float(value)
    return torch.as_tensor(np.asarray(value)) if mode == "torch" else np.asarray(value)


def exactly(function, x, y):
    """The comparison of integers as Python makes it."""
    x, y = (np.asarray(value).astype(object) for value in (x, y))
    return function(x, y).astype(bool)


def numbers(value):
    if isinstance(value, torch.Tensor):
        return (value.float() if value.dtype is torch.bfloat16 else value.resolve_conj()).numpy()
    value = np.asarray(value)
    return value.astype(np.float32) if value.dtype == ml_dtypes.bfloat16 else value


def close(left, right, dtype, rounded):
    if not rounded or not dtype.is_inexact:
        return np.array_equal(left, right, equal_nan=dtype.is_inexact)
    epsilon = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "complex64": 1e-4}.get(dtype.name, 1e-12)
    return np.allclose(left, right, rtol=epsilon, atol=epsilon, equal_nan=True)


@pytest.mark.parametrize(("op", "mode"), said(ONE, ("numpy", "torch")))
def test_compute_dtype_of_one_operand_gives_the_values(op, mode):
    function = CASES[op].function(mode)
    typed = [(operand, CASES[op].typing(mode, [operand])) for operand in arrays(mode)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for operand, found in typed:
            if found is not None and found.compute is not None:
                x = build(mode, operand, PROBES[:8])
                casted = cast(mode, function(cast(mode, x, found.compute)), found.result)
                plain, result = numbers(function(x)), found.result
                assert close(plain, numbers(casted), result, rounded=True), called(mode, op, [operand])
