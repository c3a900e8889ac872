"""Dtypes that a translation depends on are checked; what is said of others holds for them too."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from corners import CORNERS
from corpora import CORPORA
from ways import source_of

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy
from tracelate.ir.values.tree import leaves

pytestmark = pytest.mark.filterwarnings("ignore")

PROGRAMS = [
    pytest.param(*program[:2], id=f"{corpus.__name__.removesuffix('_programs')}-{program[0].__name__}")
    for corpus in (*CORPORA, *CORNERS)
    for program in corpus.PROGRAMS
]
OTHER = {"float32": "float64", "float64": "float32"}


def floats(args: Any, dtype: str) -> Any:
    """The arguments with all floats in them of this dtype."""

    def cast(a: Any) -> Any:
        if isinstance(a, torch.Tensor):
            return a.to(getattr(torch, dtype)) if a.is_floating_point() else a.clone()
        return a.astype(dtype) if a.dtype.kind == "f" else a.copy()

    return map_arrays(args, cast)


def run(fn: Any, args: Any, framework: str) -> Any:
    """The leaves of the result, or the error."""
    try:
        found = fn(*map_arrays(args, lambda a: convert(a, framework)))
    except Exception as error:
        return error
    return [np.asarray(to_numpy(v)) for v in leaves(found)]


def is_guard(error: Any) -> bool:
    return isinstance(error, AssertionError)


def others(args: Any, dtype: str) -> Iterator[Any]:
    """The arguments with all floats of other dtypes than `dtype`, and with one array at a time of another."""
    yield floats(args, OTHER[dtype])
    yield floats(args, "int32")
    count = sum(1 for leaf in leaves(args) if hasattr(leaf, "dtype"))
    for other in (OTHER[dtype], "int64", "bool") if count > 1 else ():
        for mine in range(count):
            number = itertools.count()
            usual = floats(args, dtype)
            yield map_arrays(usual, lambda a: floats(a, other) if next(number) == mine else a)


@pytest.mark.covering(("fn", "samples"), "dtype", "to")
@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("dtype", ["float32", pytest.param("float64", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("fn", "samples"), PROGRAMS)
def test_other_dtypes_agree_or_are_refused(fn: Any, samples: Any, dtype: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    args = samples[0]
    source = source_of(args)
    try:
        traced = tl.symbolic_trace(fn, floats(args, dtype), source=source)
        out = traced.to(to, x64=True if to == "jax" else None)
    except (tl.TraceError, UnboundLocalError):
        return  # a program that is refused, or that raises by itself
    for given in others(args, dtype):
        wanted, found = run(fn, given, source), run(out, given, to)
        if isinstance(found, Exception):
            loud = isinstance(found, (RuntimeError, TypeError, NotImplementedError))  # the target's own word
            assert is_guard(found) or loud or type(found) is type(wanted), (to, found, wanted, out.source)
        elif not isinstance(wanted, Exception):
            for one, other in zip(wanted, found, strict=True):
                assert one.dtype == other.dtype, (to, out.source)
                assert one.shape == other.shape and np.allclose(one, other, rtol=1e-4, equal_nan=True), to


def compared(x):
    return x * 2 if x.dtype == torch.float32 else x + 1


def asked(x):
    return x * 2 if x.is_floating_point() else x + 1


def asked_torch(x):
    return x * 2 if torch.is_floating_point(x) else x + 1


def smallest(x):
    return x + torch.finfo(x.dtype).tiny


def like_it(x):
    return torch.zeros(3, dtype=x.dtype) + x


def new(x):
    return x.new_full((3,), 2.0) + x


def typed_like(y, x):
    return y.to(x.dtype)


def typed_as(y, x):
    return y.type_as(x)


def promoted(x):
    return x.to(torch.promote_types(x.dtype, torch.float16)) + 1


def in_loop(x):
    t = x * 0
    for row in x:
        if t.dtype == torch.float32:
            t = t + row
    return t


def helper(x):
    return torch.ones(3, dtype=x.dtype) + x


def through_a_function(x):
    return helper(x * 2)


def mean_of_ints(x):
    return x.sum() / 2


def kind(x):
    return x // 2 if x.dtype.kind == "i" else x / 2


def subtype(x):
    return x / 2 if np.issubdtype(x.dtype, np.floating) else x // 2


def resulting(x):
    return x.astype(np.result_type(x, np.float32)) + 1


def epsilon(x):
    return x + jnp.finfo(x.dtype).eps


def subtype_jax(x):
    return x * 2 if jnp.issubdtype(x.dtype, jnp.floating) else x


F, D, J = torch.ones(3), np.ones(3), jnp.ones(3)
LOOKS = [
    (compared, (F,), "x"), (asked, (F,), "x"), (asked_torch, (F,), "x"), (smallest, (F,), "x"),
    (like_it, (F,), "x"), (new, (F,), "x"), (typed_like, (torch.ones(3, dtype=torch.int64), F), "x"),
    (typed_as, (torch.ones(3, dtype=torch.int64), F), "x"), (promoted, (F,), "x"), (in_loop, (F,), "x"),
    (through_a_function, (F,), "x"), (mean_of_ints, (torch.ones(3, dtype=torch.int64),), "x"),
    (kind, (D,), "x"), (subtype, (D,), "x"), (resulting, (D,), "x"), (epsilon, (J,), "x"),
    (subtype_jax, (J,), "x"),
]  # fmt: skip


@pytest.mark.parametrize(("fn", "args", "name"), LOOKS, ids=lambda v: getattr(v, "__name__", None))
def test_a_dtype_that_was_looked_at_is_checked(fn: Any, args: Any, name: str) -> None:
    out = tl.transpile(fn, args=args, to="numpy", guards="raise")
    given = [to_numpy(a) for a in args]
    assert np.allclose(out(*given), to_numpy(fn(*args)))
    given[-1] = given[-1].astype(np.int32)
    traced = to_numpy(args[-1]).dtype
    with pytest.raises(ValueError, match=f"was traced for {name} of (dtype {traced}|floats), not int32"):
        out(*given)


def item(parameters):
    return torch.zeros(2, dtype=parameters["w"].dtype) + parameters["b"]


def test_a_dtype_in_a_dict_is_checked() -> None:
    out = tl.transpile(item, args=({"w": torch.ones(2), "b": torch.ones(2)},), to="numpy", guards="raise")
    one = np.ones(2, np.float32)
    assert out({"w": one, "b": one}).dtype == np.float32
    with pytest.raises(ValueError, match=r"parameters\['w'\] of dtype float32, not float64"):
        out({"w": one.astype(np.float64), "b": one})


def maybe(x, z=None):
    if z is not None:
        x = x + z * torch.finfo(z.dtype).eps
    return x


def test_an_argument_that_is_none_has_no_dtype_to_check() -> None:
    out = tl.transpile(maybe, args=(F, F), to="numpy", guards="raise")
    assert out(np.ones(3, np.float32)).dtype == np.float32
    with pytest.raises(ValueError, match="for z of dtype float32, not float64"):
        out(np.ones(3, np.float32), np.ones(3))


def explicit(x):
    return x.float() * 2


def converted(x):
    return np.asarray(x, dtype=np.float64) * 2


@pytest.mark.parametrize(("fn", "arg"), [(explicit, F), (converted, D)])
@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_cast_that_the_user_wrote_is_there_for_others(fn: Any, arg: Any, to: str) -> None:
    out = tl.transpile(fn, args=(arg,), to=to)
    for dtype in ("float32", "float64", "int32"):
        given = np.ones(3, dtype)
        wanted = to_numpy(fn(convert(given, source_of((arg,)))))
        found = to_numpy(out(convert(given, to)))
        assert wanted.dtype == found.dtype and np.array_equal(wanted, found)
    assert "raise" not in out.source


def test_a_cast_is_dropped_where_the_dtype_is_known_anyway() -> None:
    def known(x):
        return (x > 0).bool() & torch.zeros(3).float().bool()

    assert ".astype(np.float32)" not in tl.transpile(known, args=(F,), to="numpy").source


def unlooked(x, y):
    return torch.relu(x @ y) * 2


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_what_needs_no_check_has_none(to: str) -> None:
    assert "raise" not in tl.transpile(unlooked, args=(torch.ones(2, 2), torch.ones(2, 2)), to=to).source
