"""What ops say of their gradients, against what JAX and torch make of the ops themselves.

An op's rule is written in the words of each framework, on its samples. What all three give is compared with
JAX's own gradient and with torch's; and what JAX and torch make of the written text, differentiated once
more, with their own second derivatives.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from domains import domain, left_out, numbers
from gradient_runs import Call, Trial, by_jax, by_numpy, by_torch, results
from lines import spread
from running import quiet
from samples import Sample, samples

import tracelate as tl
from tracelate.backends.arrays import compare
from tracelate.ir.meaning.op import REGISTER, Op, gradient_of, index, inexact
from tracelate.ir.ops.elementary import log, sigmoid, sqrt, tanh
from tracelate.ir.ops.elementwise import divide_, maximum, minimum, pow_
from tracelate.ir.ops.indexing import Slot, accumulate, getitem, indexed, update
from tracelate.ir.ops.reduction import argmax, max, min
from tracelate.ir.ops.sorting import sort

#: What numbers stand in the place of those of a domain: at NaN and infinities nobody promises a gradient, a
#: logarithm of negative ones is NaN, and kinks have a table of their own.
DRAWN = {"any": "finite", "tame": "finite", "base": "positive", "exponent": "finite"}


class Apart(NamedTuple):
    """Calls whose gradient in one framework is not looked at, and why."""

    op: str
    framework: str
    when: Callable[[Call], bool]
    why: str


APART = (
    Apart("pow", "torch", lambda call: call.operands[0] is True,
          "an assertion inside torch fails for True ** x"),
    Apart("mean", "torch", lambda call: 0 in call.arrays[0].shape,
          "the mean of nothing is NaN, and so is what it hands back, save in torch"),
)

#: Numbers where a derivative jumps or is infinite: JAX's choice is ours, and torch's where the last column
#: does not say why it has another.
KINKS: list[tuple[Op, Sequence[Any], dict[str, Any], str]] = [
    (maximum, ([1, 2, 3, -0.0], [1, 3, 2, 0]), {}, ""),
    (minimum, ([1, 2, 3, -0.0], [1, 3, 2, 0]), {}, ""),
    (maximum, ([1, 2, 3], 2), {}, "torch clamps, and at the bound the array has all of it"),
    (max, ([[1, 3, 3], [2, 2, 2]],), {"axis": 1}, ""),
    (max, ([[1, 3, 3], [2, 2, 3]],), {"axis": None}, ""),
    (max, ([[1, 3, 3], [2, 2, 3]],), {"axis": (0, 1), "keepdims": True}, ""),
    (min, ([[1, 1, 3], [2, 2, 2]],), {"axis": -1, "keepdims": True}, ""),
    (min, ([[1, 1, 3], [2, 2, 2]],), {"axis": None}, ""),
    (sort, ([2, 1, 2, 1, 1],), {"axis": 0}, ""),
    (sort, ([2, 1, 2, 1, 1],), {"axis": 0, "descending": True}, "torch leaves open which of equals is first"),
    (pow_, ([0, 0, 2], 2), {}, ""),
    (pow_, ([0, 0, 2], 0), {}, ""),
    (pow_, ([0, 0, 2], 1.0), {}, ""),
    (pow_, (0, [0, 1, 2]), {}, "in the second derivative torch takes the logarithm of 0"),
    (pow_, ([0, 0, 0], [1, 2, 0.5]), {}, "likewise"),
    (pow_, ([0, 0, 0], [0, -1, 0]), {}, "to JAX x ** 0.0 has no slope at 0, to torch it has that of 1"),
    (sqrt, ([0, 4],), {}, ""),
    (log, ([0, 4, -1],), {}, ""),
    (divide_, ([0, 1, 2], [0, 0, 1]), {}, ""),
    (sigmoid, ([-200, 0, 200],), {}, ""),
    (tanh, ([-200, 0, 200],), {}, ""),
]  # fmt: skip

DTYPES = ("float32", pytest.param("float64", marks=pytest.mark.slow))
S = slice
#: Keys and index arrays.
KEYS: list[tuple[tuple[Any, ...], list[Any]]] = [
    ((1,), []),
    ((..., -1), []),
    ((S(1, None), S(None, None, 2)), []),
    ((S(None, None, -1), None, S(3, 0, -2), 0), []),
    ((S(2, 2),), []),
    ((Slot(0),), [[0, -1]]),
    ((Slot(0),), [[0, 2, -1]]),
    ((Slot(0),), [2]),
    ((S(None), Slot(0)), [[[0, 1], [3, 1]]]),
    ((Slot(0), S(1, 3), Slot(1)), [[0, 2, 0], [1, 4, 1]]),
    ((..., Slot(0), Slot(1)), [[[0], [2]], [1, 4, 1]]),
    ((Slot(0), None, S(None, None, 2)), [[1, 0]]),
]  # fmt: skip


def called(sample: Sample, dtype: str) -> Call:
    """A sample with numbers."""
    def operand(number: int, name: str, shape: Any) -> Any:
        if not isinstance(shape, tuple):
            return shape
        of = domain(sample.op, name)
        bound = builtins.min(sample.sizes, default=1)
        return np.array(numbers(DRAWN.get(of, of), shape, dtype, number, bound, left_out(sample.op, name)))

    operands = [operand(i, *each) for i, each in enumerate(zip(sample.names(), sample.shapes))]
    return Call(sample.op, tuple(operands), sample.params, dtype == "float64")


def tried(call: Call) -> Trial | None:
    """A call with numbers for what comes in; None where nothing is differentiated."""
    specs = [node.spec for node in results(call).output_node.args[0]]
    if not specs or not call.floats:
        return None
    floats = [call.arrays[i] for i in call.floats]
    incoming = [
        np.array(numbers("finite", spec.shape, str(spec.dtype), 7 + i)) for i, spec in enumerate(specs)
    ]
    weights = [np.array(numbers("finite", v.shape, str(v.dtype), 11 + i)) for i, v in enumerate(floats)]
    return Trial(call, incoming, weights)


def problems(call: Call, compared: Sequence[str], met: set[str] | None = None) -> Iterator[str]:
    """What is wrong with the gradient of a call, by what these frameworks make of it themselves; those that
    take it are added to `met`.
    """
    trial = tried(call)
    if trial is None:
        return
    found = {
        name: by(trial, own)
        for name, by in (("jax", by_jax), ("torch", by_torch))
        if name in compared and (own := trial.own(name)) is not None
    }
    if met is not None:
        met.update(found)
    told = {name: (each.told.first, each.text) for name, each in found.items()}
    if found and trial.own("numpy") is not None:
        told["numpy"] = by_numpy(trial)
    kind = "linalg" if call.op.tolerance == "linalg" else "reduction"
    for by, each in found.items():
        for name, (mine, text) in told.items():
            for difference in compare(each.own.first, mine, kind=kind):
                yield f"{call} in {name} is not {by}'s: {difference}\n{text}"
        for difference in compare(each.own.second, each.told.second, kind=kind):
            yield f"{call}, the second derivative in {by}: {difference}\n{each.text}"


def judged(calls: Sequence[tuple[Call, Sequence[str]]]) -> None:
    """Raise AssertionError for what is wrong, and where nothing could be compared with some framework."""
    found: list[str] = []
    met: set[str] = set()
    for call, compared in calls:
        with quiet(call.wide):
            found += problems(call, compared, met)
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])
    assert met == {name for _, compared in calls for name in compared}, f"compared with {met} alone"


def chosen(op: Op, every: bool) -> Iterator[tuple[Call, Sequence[str]]]:
    """Calls, and the frameworks with which they are compared."""
    legal = [sample for sample in samples(op) if sample.legal()]
    for dtype, count in (("float32", 2), ("float64", 1)):
        for sample in legal if every else spread(legal, count):
            call = called(sample, dtype)
            apart = [row.framework for row in APART if row.op == op.name and row.when(call)]
            yield call, [name for name in ("jax", "torch") if name not in apart]


def has_gradient(op: Op) -> bool:
    return gradient_of(op) is not None


@pytest.mark.ops.with_args(has_gradient)
def test_a_gradient_is_that_of_jax_and_of_torch(op: Op) -> None:
    judged([*chosen(op, every=False)])


@pytest.mark.slow
@pytest.mark.ops.with_args(has_gradient)
def test_a_gradient_is_that_of_jax_and_of_torch_in_all_samples(op: Op) -> None:
    judged([*chosen(op, every=True)])


@pytest.mark.parametrize(("of", "operands", "params", "torch"), KINKS, ids=str)
def test_at_a_kink_a_gradient_is_jaxs(
    of: Op, operands: Sequence[Any], params: dict[str, Any], torch: str
) -> None:
    for dtype in ("float32", "float64"):
        values = [np.array(v, dtype) if isinstance(v, list) else v for v in operands]
        call = Call(of, tuple(values), params, dtype == "float64")
        judged([(call, ("jax",) if torch else ("jax", "torch"))])
        with quiet(call.wide):
            assert not torch or [*problems(call, ("torch",))], f"torch's is the same now: {call}"


@pytest.mark.parametrize("row", APART, ids=lambda row: f"{row.op}-{row.framework}")
def test_what_is_apart_is(row: Apart) -> None:
    """A row that is not needed any more fails."""
    op = REGISTER[row.op]
    call = next(call for call, _ in chosen(op, every=True) if row.when(call))
    with quiet(call.wide):
        try:
            assert [*problems(call, (row.framework,))], row.why
        except RuntimeError:  # inside of it
            pass


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("key", "indices"), KEYS, ids=str)
def test_a_gradient_at_a_key(key: Any, indices: list[Any], dtype: str) -> None:
    x, arrays = numbers("finite", (3, 4, 5), dtype, 0), [np.array(i) for i in indices]
    judged([(Call(getitem, (x, *arrays), {"key": key}, dtype == "float64"), ("jax", "torch"))])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("key", "indices"), KEYS, ids=str)
def test_a_gradient_of_a_write_at_a_key(key: Any, indices: list[Any], dtype: str) -> None:
    """Where a place is named twice only the last that was written there has one. To torch all have."""
    x, arrays = numbers("finite", (3, 4, 5), dtype, 0), [np.array(i) for i in indices]
    shape = indexed(x.shape, *[i.shape for i in arrays], key=key)
    for sizes in {shape, (), shape[-1:], (1, 1, 1, *shape)}:
        operands, wide = (x, np.array(numbers("finite", sizes, dtype, 1)), *arrays), dtype == "float64"
        many = len(sizes) > len(shape)  # axes that only torch's assignments leave out
        alike = [*["jax"] * (not many), *["torch"] * (not twice(x, key, arrays))]
        judged([(Call(update, operands, {"key": key}, wide), alike)])
        for how in ("add", "subtract") if indices and not many else ():  # by slices alone, it is an update
            judged([(Call(accumulate, operands, {"key": key, "how": how}, wide), ("jax", "torch"))])


def twice(x: Any, key: Any, indices: Sequence[Any]) -> bool:
    """Whether a key names a place more than once."""
    counts = np.zeros(x.shape)
    np.add.at(counts, tuple(indices[k.number] if isinstance(k, Slot) else k for k in key), 1)
    return bool((counts > 1).any())


@pytest.mark.parametrize("shape", [(3, 4), (3,)], ids=str)
def test_a_gradient_of_a_write_at_a_mask(shape: tuple[int, ...]) -> None:
    x, value = (np.array(numbers("finite", of, "float32", i)) for i, of in enumerate(((3, 4), ())))
    mask = numbers("mask", shape, "float32", 2)
    assert mask.any() and not mask.all()
    judged([(Call(update, (x, value, mask), {"key": (Slot(0),)}), ("jax", "torch"))])


@pytest.mark.usefixtures("dictionary")
def test_an_op_of_the_users_says_a_gradient_too() -> None:
    """Of two results, one of which nobody need differentiate."""
    @tl.op("X[~ n] W[n] -> Y[~ n] I[~]", dtype=(inexact, index))
    def weighed(x, w, *, power=2):  # type: ignore[no-untyped-def]
        """x ** power * w, and where it is largest."""
        y = x**power * w
        return y, argmax(y, axis=-1)

    @weighed.gradient
    def _(g, y, x, w, *, power):  # type: ignore[no-untyped-def]
        assert g[1] is None
        return g[0] * w * power * x ** (power - 1), g[0] * x**power

    arrays = (numbers("finite", (3, 4), "float32", 0), numbers("finite", (4,), "float32", 1))
    judged([(Call(weighed, arrays, {"power": power}), ("jax", "torch")) for power in (2, 3)])
    weighed.gradient(lambda g, y, x, w: (g[0] * w, None))
    with pytest.raises(AssertionError, match="weighed.* in numpy is not jax's"):
        judged([(Call(weighed, arrays, {"power": 2}), ("jax",))])
