"""Programs of a line or two, each of a family of faults: called with what else they may be given, too."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl

X, Z = np.array([1.0, 2.0, 3.0, 4.0]), np.arange(12.0).reshape(4, 3) / 7


# Parts that are written into, and views that see a write.


def parts_of_chunk(x):
    a = x * 1
    for c in a.chunk(2):
        c[0] = 9
    return a


def parts_of_array_split(x):
    a = x * 1
    for i, p in enumerate(np.array_split(a, 3)):
        p += i
    return a


def stretched_view(x):
    a = x * 1
    v = a[0]
    e = v.expand(2, 3)
    a[0] = 5
    return e * 1


# What is asked of kinds.


def of_a_tuple(x):
    return x * 2 if type(x.shape) is tuple else x


def of_an_item(x):
    return x * 2 if isinstance(x[0], np.ndarray) else x


def of_a_class(x, k):
    return x * 2 if "int" in str(type(k)) else x * 3


def scaled(x):
    return x * np.float32(0.1)


# What was an error of our own.


def of_the_width(x, w_shape):
    return x / w_shape[0]


def in_a_helper(x):
    return of_the_width(x, x.shape)


def counted(x):
    for i in range(3):
        x = x + np.int32(i)
    return x


def of_rows(x):
    return np.array([[r.sum(), r.max()] for r in x])


# Loops that begin with a number.


def from_two_numbers(x, tol):
    err, n = 1.0, 0
    while err > tol:
        new = (x + 2 / x) / 2
        err, n = np.abs(new - x).max(), n + 1
        x = new
    return x, n


HALF = X.astype(np.float16)
PROGRAMS = {
    "chunk": ("torch", parts_of_chunk, (X,), [(X[:2],), (np.ones(5),), (np.ones((4, 2)),)]),
    "array_split": ("numpy", parts_of_array_split, (X,), [(X[:3],), (np.ones(7),), (np.ones((4, 2)),)]),
    "expand": ("torch", stretched_view, (Z,), [(Z + 1,), (np.ones((1, 3)),), (np.ones(3),)]),
    "shape": ("numpy", of_a_tuple, (X,), [(Z,)]),
    "item": ("numpy", of_an_item, (X,), [(Z,)]),
    "item of a matrix": ("numpy", of_an_item, (Z,), [(X,)]),
    "class": ("numpy", of_a_class, (X, 1), [(X, 1.5), (X, True), (X, np.float64(2)), (X, 7)]),
    "float32": ("numpy", scaled, (X,), [(X.astype(np.float32),), (HALF,), (X.astype(int),)]),
    "float32 of float32": ("numpy", scaled, (X.astype(np.float32),), [(X,), (HALF,), (X.astype(np.int8),)]),
    "width": ("numpy", in_a_helper, (X,), [(Z,), (X[:1],)]),
    "int32": ("numpy", counted, (X,), [(X.astype(np.float32),), (X.astype(np.int8),), (X.astype(int),)]),
    "rows": ("numpy", of_rows, (Z,), [(Z[:1],), (Z.astype(np.float32),), (Z.astype(int),)]),
    "numbers": ("numpy", from_two_numbers, (X, 1e-6), [(X, 1e-2), (X.astype(np.float32), 1e-4), (X, 2.0)]),
}


@pytest.mark.complete
@pytest.mark.parametrize("name, to", product(PROGRAMS, ["numpy", "jax", "torch"]))
def test_it_is_what_the_program_gives(name, to):
    source, fn, example, others = PROGRAMS[name]
    with jax.enable_x64(True):
        agrees_or_raises(fn, source, example, others, to, **{"x64": True} if to == "jax" else {})


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_two_leaves_that_are_one_array(to):
    def written(p):
        p["u"][0] = 7.0
        return p["v"] * 1

    for example in ({"u": X.copy(), "v": X.copy()}, dict.fromkeys("uv", X.copy())):
        out = tl.transpile(written, (example,), to=to)
        for shared in (True, False):
            x, y = X.copy(), X.copy()
            given = {"u": x, "v": x if shared else y}
            if to == "torch":
                first = torch.from_numpy(x)
                given = {"u": first, "v": first if shared else torch.from_numpy(y)}
            assert np.asarray(out(given))[0] == (7.0 if shared else 1.0)


def test_whether_a_copy_was_needed_is_not_known():
    def asked(x):
        return x * 2 if x.contiguous() is x else x

    for to in ("numpy", "jax", "torch"):
        with pytest.raises(tl.TraceError, match="test_smallest_programs.py"):
            tl.transpile(asked, (torch.from_numpy(Z),), to=to)


@pytest.mark.parametrize("wrap", [jax.grad, jax.checkpoint, jax.jit, jax.hessian, jax.value_and_grad])
def test_transforms_never_ask_for_an_array_of_ours(wrap):
    def applied(x):
        return wrap(lambda y: jnp.sum(jnp.sin(y)))(x)

    try:
        tl.transpile(applied, (jnp.asarray(X),), to="numpy")
    except tl.TraceError as error:
        assert not isinstance(error, tl.InternalError)
        assert "__jax_array__" not in str(error) and "test_smallest_programs.py" in str(error)
