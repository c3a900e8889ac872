"""check and verify look at the arguments too: what a call leaves of them is part of what it means."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.afterwards import afterwards, changed, returned
from tracelate.backends.backend import backend
from tracelate.backends.copies import copied, share_memory
from tracelate.ir.meaning.op import inexact


@pytest.fixture
def wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def emptied(x: Any) -> Any:
    x[0] = 7.0
    return x[1:].sum()


def halves(low: Any, high: Any) -> Any:
    low[0] = 100.0
    return high * 2, low


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("x", [np.ones(3), torch.ones(3)], ids=["numpy", "torch"])
def test_what_is_written_into_an_argument_is_compared(x: Any, to: str) -> None:
    assert tl.check(emptied, (x,), to=to).ok
    assert float(x[0]) == 1.0


def test_an_argument_that_is_left_otherwise_is_a_difference(dictionary: None) -> None:
    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def wrong(x):  # type: ignore[no-untyped-def]
        """Whatever its words say."""
        ...

    tl.say(wrong, "np.sin(x)", "jnp.sin(x)", "torch.special.i1(x)")

    def f(x: Any) -> Any:
        x[0] = torch.special.i1(x[1])
        return x.shape[0]

    report = tl.check(f, (torch.ones(3),), to="numpy")
    assert [d.path for d in report.differences] == ["argument x"]
    assert report.differences[0].what.endswith("after the call")
    with pytest.raises(tl.MismatchError, match="argument x: values differ by up to .* after the call"):
        tl.transpile(f, (torch.ones(3),), to="numpy", verify=True)


def test_arguments_that_share_memory_do_so_on_both_sides() -> None:
    base = np.arange(4.0)
    for to in ("numpy", "torch"):
        assert tl.check(halves, (base[1:], base[:-1]), to=to).ok
        assert tl.check(halves, (base, base), to=to).ok
    assert base.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_copies_share_what_the_originals_share() -> None:
    base = np.arange(6.0).reshape(2, 3)
    given = {"row": base[1], "turned": base.T, "whole": [base, base], "apart": np.ones(6)}
    for framework in ("numpy", "torch"):
        made = copied(given, framework)
        assert made["whole"][0] is made["whole"][1]
        made["whole"][0][1, 2] = -1.0
        assert float(made["row"][2]) == float(made["turned"][2, 1]) == -1.0
        assert not share_memory(made["apart"], made["row"])
    assert base[1, 2] == 5.0
    tensor = torch.arange(4.0)
    one, other = copied((tensor[1:], tensor[::2]), "numpy")
    one[1] = 9.0
    assert other.tolist() == [0.0, 9.0]


def test_what_is_copied_alone_is_apart() -> None:
    base = np.arange(4.0)
    (one,) = copied((base[1:],))
    assert one.base is None and one.tolist() == [1.0, 2.0, 3.0]
    turned = copied((base[::-1], base), "torch")
    assert turned[0].tolist() == [3.0, 2.0, 1.0, 0.0]


def test_for_jax_what_is_written_must_be_returned(wide: None) -> None:
    def doubled(x: Any) -> Any:
        x *= 2
        return x

    assert tl.check(doubled, (np.ones(3),), to="jax", x64=True).ok
    before = {"x": [np.ones(2), np.zeros(2)], "n": 1}
    after = {"x": [np.ones(2), np.ones(2)], "n": 1}
    ((path, value),) = changed(before, after, "argument p")
    assert path == "argument p['x'][1]" and value is after["x"][1]
    assert returned(value, (1, [after["x"][1][:1]])) and not returned(value, (after["x"][1].copy(), 1))
    assert [path for path, _ in changed(before, {**after, "n": 2}, "argument p")] == ["argument p"]
    assert [path for path, _ in changed([1], [1, 2], "argument l")] == ["argument l"]


@pytest.mark.parametrize(
    "make", [set, lambda: {1, 2}, lambda: deque([np.ones(2)]), lambda: bytearray(b"a"), lambda: [{"k": {3}}]]
)
def test_collections_are_copied_and_compared(make: Any) -> None:
    def inner(value: Any) -> Any:
        return value[0]["k"] if isinstance(value, list) else value

    def change(value: Any) -> None:
        held = inner(value)
        held.add(9) if isinstance(held, set) else held.append(9)

    given = make()
    before, source, translation = ({"p": value} for value in (given, copied(given), copied(given)))
    change(source["p"])
    assert len(inner(given)) == len(inner(make())) and inner(source["p"]) is not inner(given)
    signature = inspect.signature(lambda p: None)
    bound = [inspect.BoundArguments(signature, values) for values in (before, source, translation)]  # type: ignore[arg-type]
    for name in ("numpy", "jax"):
        assert [d.path.partition("[")[0] for d in afterwards(*bound, None, backend(name))] == ["argument p"]
    change(translation["p"])
    assert [*afterwards(*bound, None, backend("numpy"))] == []
