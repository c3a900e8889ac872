"""The form of the checks at the top of a text: asserts, errors, or none."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert as as_array
from tracelate.backends.arrays import map_arrays

X = np.ones((3, 2), np.float32)


def pool(x, w, mode="mean", n=None):
    if x.shape != w.shape:
        raise ValueError("no")
    return x[0].sum() + np.zeros(2, x.dtype) if mode.lower() == "mean" and n is None else [w]


FORMS = {
    "assert": [
        'assert mode == "mean", mode',
        "assert n is None, type(n)",
        "assert x.dtype == np.float32, x.dtype",
        "assert x.shape == w.shape, (x.shape, w.shape)",
    ],
    "raise": [
        'if mode != "mean":',
        "raise ValueError(f\"pool was traced with mode='mean', not {mode!r}\")",
        "if n is not None:",
        'raise ValueError(f"pool was traced with n=None, not {type(n).__name__}")',
        "if x.dtype != np.float32:",
        'raise ValueError(f"pool was traced for x of dtype float32, not {x.dtype}")',
        "if x.shape != w.shape:",
        "raise ValueError(",
        'f"pool was traced with x.shape == w.shape, not {x.shape} and {w.shape}"',
        ")",
    ],
    "none": [],
}


@pytest.mark.parametrize("form", FORMS)
def test_the_forms_of_checks(form):
    text = tl.symbolic_trace(pool, (X, X)).source("numpy", guards=form)
    body, *apart = text.split("n=None):\n")[1].split("\n\n\ndef ")
    begins = "" if form == "none" else "check_inputs(x, w, mode, n)\n    "
    assert body.strip().startswith(f"{begins}return ")
    checks = [line.strip() for text in apart for line in text.splitlines()]
    head = ["check_inputs(x, w, mode, n):", '"""What the arguments must be."""'] if checks else []
    assert checks == head + FORMS[form]


def by_halves(x, dim, xs):
    return x * [1.0, 2.0][dim % 4] * [1.0, 2.0][x.shape[1] % 2] * [1.0, 2.0][(dim + len(xs)) % 6 > 2]


def test_a_check_shows_what_was_given_and_not_what_came_of_it():
    args = (X, 4, [X, X])
    text = tl.transpile(by_halves, args, to="torch").source
    assert "assert dim % 4 == 0, dim\n" in text and "assert x.shape[1] % 2 == 0, x.shape[1]\n" in text
    refusing = tl.transpile(by_halves, args, to="numpy", guards="raise")
    with pytest.raises(ValueError, match=r"dim % 4 == 0, not for dim of 6$"):
        refusing(X, 6, [X, X])


def test_a_check_that_nothing_is_given_does_not_show_an_array():
    layer = tl.transpile(lambda x, bias=None: x if bias is None else x + bias, (X,), to="numpy")
    with pytest.raises(AssertionError, match="^<class 'numpy.ndarray'>$"):
        layer(X, np.zeros((1000, 2)))


def test_a_form_that_there_is_not():
    with pytest.raises(ValueError, match="guards= is one of assert, raise, none, not 'maybe'"):
        tl.transpile(pool, (X, X), to="torch", guards="maybe")


def test_every_door_takes_the_form():
    assert "raise" in tl.transpile(pool, (X, X), to="numpy", guards="raise").source
    assert "assert" not in tl.symbolic_trace(pool, (X, X)).to("torch", guards="none").source
    assert tl.check(pool, (X, X), to="torch", guards="raise")

    @tl.transpile(to="jax", source="numpy", guards="raise")
    def decorated(x, n=None):
        return x if n is None else -x

    assert "raise" in decorated.traced((X,), {}).source


def test_dtypes_are_one_check():
    def told(x, y, z=None):
        return np.zeros(2, x.dtype), np.ones(2, y.dtype), np.ones(2, z.dtype)

    text = tl.symbolic_trace(told, (X, X, X)).source("jax")
    assert "    assert x.dtype == y.dtype == jnp.float32, (x.dtype, y.dtype)\n" in text
    assert "    assert z is None or z.dtype == jnp.float32, z.dtype\n" in text


def test_checks_speak_inside_a_jitted_function():
    def turned(x, z=None, mode="mean", n=3):
        while x.sum() < n:
            x = x * 2
        return x if z is None and mode.lower() == "mean" else -x

    out = tl.transpile(turned, (X,), to="jax")
    assert "@functools.partial(jax.jit" in out.source
    x = jnp.asarray(X)
    assert out(x).shape == (3, 2)
    for options in ({"mode": "max"}, {"z": x}, {"z": [x]}):
        with pytest.raises(AssertionError):
            out(x, **options)


@pytest.mark.parametrize("form, own", [("assert", AssertionError), ("raise", ValueError)])
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_arrays_of_another_framework_are_named(to, form, own):
    """Whichever check would stop them; by the text alone, as a file has it, both dtypes are said."""
    given = torch.ones(3, 2) if to != "torch" else X
    target, source = {"numpy": ("NumPy", "torch.Tensor"), "jax": ("JAX", "torch.Tensor")}.get(
        to, ("PyTorch", "numpy.ndarray")
    )
    for fn in (pool, lambda x, z: np.zeros(2, x.dtype) + z.sum()):
        out = tl.transpile(fn, (X, X), to=to, guards=form)
        words = f" was translated for {target} and was given a {source} as `x`: give it {target} arrays, "
        words = words if to != "jax" else r"torch\.Tensor"  # JAX names it, before the text begins
        with pytest.raises(own if to != "jax" else TypeError, match=words):
            out(given, given)
    known: dict[str, object] = {}
    exec(tl.symbolic_trace(pool, (X, X)).source("numpy", guards="raise"), known)
    with pytest.raises(ValueError, match="float32, not torch.float32"):
        known["pool"](torch.ones(3, 2), torch.ones(3, 2))  # type: ignore[operator]


#: Programs that leave a check of each form behind, and arguments for them.
def of_rank(x, k):
    return x + x.ndim


def of_dtype(x, k):
    return np.zeros(2, x.dtype) + x.sum()


def of_kind(x, k):
    return x * 2 if isinstance(k, float) else x


def of_type(x, k):
    return x * 2 if type(k) is int else x


def of_flag(x, k):
    return x * 2 if k else x


def of_string(x, k):
    return x * 2 if k.lower() == "a" else x


def of_length(x, k):
    return x * len(k)


def of_index(x, k):
    return x[k]


def of_keys(x, k):
    return x * sum(k.values())


def of_key(x, k):
    return x * k.get("w", 2.0)


def of_items(x, k):
    return x + k["w"].ndim


def of_array(x, k):
    return x + k.ndim + np.zeros(3, k.dtype).sum()


def of_shapes(x, k):
    return x + k if x.shape == k.shape and x.shape[0] == 3 and k.shape[0] == 3 else x


def of_floats(x, k):
    return x / 2 + k / 2


def of_several(x, k):
    return x + sum(np.zeros(3, a.dtype).sum() + a.ndim for a in k)


V = np.ones(3, np.float32)
EVERY = [
    (of_rank, 1.0), (of_dtype, 1.0), (of_kind, 1.0), (of_type, 1), (of_flag, True), (of_flag, None),
    (of_string, "a"), (of_length, [V, V]), (of_length, (V,)), (of_index, [0, 1]), (of_index, (0,)),
    (of_keys, {"w": V}), (of_key, {"b": V}), (of_key, {"w": V}), (of_items, {"w": V}), (of_array, V),
    (of_shapes, V), (of_floats, V), (of_several, [V, V, V]),
]  # fmt: skip


class Odd:
    """An object that cannot be asked anything."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other):
        raise RuntimeError("not to be compared")


def wrong(to):
    array = {"numpy": V, "jax": jnp.asarray(V), "torch": torch.from_numpy(V)}[to]
    plain = [None, 3, 2.5, "other", [1.0], ["a"], (1, 2, 3), {"a": 1}, {1, 2}, object(), Odd()]
    return [*plain, array, array[None], [array], {"w": array}, {"w": None}, np.float64(3)]


@pytest.mark.covering(("fn", "example"), "form", "to")
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("form", ["assert", "raise"])
@pytest.mark.parametrize("fn, example", EVERY, ids=lambda v: getattr(v, "__name__", None))
def test_a_check_raises_nothing_but_its_own_error(fn, example, form, to):
    """Whatever is given: where the error comes from a check, it is the check's.
    Of the cases those that have all pairs of values, see covering.py.
    """
    out = tl.transpile(fn, (V, example), to=to, guards=form)
    lines = out.source.splitlines()
    own = AssertionError if form == "assert" else ValueError
    good = wrong(to)[11]
    for value in wrong(to):
        for args in ((good, value), (value, convert(example, to))):
            try:
                out(*args)
            except own:
                continue
            except Exception as error:
                trace = error.__traceback__
                while trace is not None:
                    if trace.tb_frame.f_code.co_filename.startswith("<tracelate"):
                        line = lines[trace.tb_lineno - 1].strip()
                        assert not line.startswith(("assert", "if ", "raise")), (line, value, error)
                    trace = trace.tb_next


def convert(value, to):
    return map_arrays(value, lambda a: as_array(a, to))


def test_what_a_check_cannot_ask_is_said_in_words():
    out = tl.transpile(of_rank, (V, 1.0), to="numpy")
    with pytest.raises(AssertionError, match="^x.ndim == 1 cannot be asked of x of type NoneType$"):
        out(None, 1.0)
    out = tl.transpile(of_rank, (V, 1.0), to="torch", guards="raise")
    with pytest.raises(ValueError, match="^of_rank was traced with x.ndim=1, not x of type list$"):
        out([1.0], 1.0)


def test_what_cannot_be_asked_is_named():
    out = tl.transpile(lambda ws: ws[0] + ws[1], ([X, X],), to="torch")
    for given, name in ([None, torch.ones(3)], "0"), ([torch.ones(3), None], "1"):
        with pytest.raises(AssertionError, match=rf"cannot be asked of ws\[{name}\] of type NoneType$"):
            out(given)


def test_the_kind_of_an_index_is_checked_before_its_length():
    """In the text alone, as a file has it."""
    text = tl.symbolic_trace(of_index, (V, [0, 1])).source("numpy")
    known: dict[str, object] = {}
    exec(text, known)
    with pytest.raises(AssertionError):
        known["of_index"](V, 1)  # type: ignore[operator]


@pytest.mark.parametrize("value", [["a"], {"a": 1}, jnp.ones(2), np.ones(2), {1}, ("a", ["a"])], ids=str)
@pytest.mark.parametrize("form, own", [("assert", AssertionError), ("raise", ValueError)])
def test_checks_come_before_what_jax_says_of_static_arguments(form, own, value):
    def looped(x, act="a"):
        while x.sum() < 10:
            x = x * 2
        return x if act.lower() == "a" else -x

    for fn, example in ((of_string, "a"), (of_type, 1), (looped, "a")):
        out = tl.transpile(fn, (V, example), to="jax", guards=form)
        with pytest.raises(own) as caught:
            out(jnp.asarray(V), value)
        assert "hash" not in str(caught.value)
        assert out(jnp.asarray(V), example).shape == (3,)
        assert out.lower(jnp.asarray(V), example)


@pytest.mark.parametrize("given", [np.asarray(3), jnp.asarray(3), [3]], ids=["numpy", "jax", "list"])
def test_what_jax_cannot_take_as_a_static_argument_is_named(given):
    def turned(x, n):
        for _ in range(n):
            x = x * 2
        return x

    out = tl.transpile(turned, (V, 3), to="jax")
    assert not [line for line in out.source.split("\n") if "assert" in line]
    with pytest.raises(ValueError, match="depends on `n`, a static argument of jax.jit: give it"):
        out(jnp.asarray(V), given)
    assert out(jnp.asarray(V), np.int64(4)).tolist() == (V * 16).tolist()


def over_axis(x):
    return np.sum(x * 2, axis=0)


def over_items(p):
    return np.mean(p["w"][0] * 2, axis=0)


def decided(x):
    y = x * 2
    return np.sum(y, axis=0) if np.max(y, axis=0) > 0 else np.mean(y, axis=0)


@pytest.mark.parametrize("form", ["assert", "raise", "none"])
@pytest.mark.parametrize(
    "fn, path, wrap",
    [
        (over_axis, "x", lambda a: a),
        (over_items, r"p\['w'\]\[0\]", lambda a: {"w": [a]}),
        (decided, "x", lambda a: a),
    ],
)
def test_arrays_of_another_framework_are_named_without_any_check(fn, path, wrap, form):
    out = tl.transpile(fn, (wrap(V),), to="numpy", guards=form)
    words = f"^{fn.__name__} was translated for NumPy and was given a torch.Tensor as `{path}`: "
    with pytest.raises(TypeError, match=f"{words}give it NumPy arrays, {path}.numpy\\(\\)$"):
        out(wrap(torch.from_numpy(V)))
    out = tl.transpile(fn, (wrap(V),), to="torch", guards=form)
    words = f"^{fn.__name__} was translated for PyTorch and was given a numpy.ndarray as `{path}`: "
    with pytest.raises((TypeError, AssertionError, ValueError), match=words):
        out(wrap(V))
    out = tl.transpile(fn, (wrap(V),), to="jax", guards=form)
    with pytest.raises(TypeError, match=r"torch\.Tensor"):
        out(wrap(torch.from_numpy(V)))


def test_what_the_program_raises_stays_its_own():
    def refused(x, n=2):
        if n > 2:
            raise TypeError("too many")
        return x * n

    out = tl.transpile(refused, (V, 2), to="numpy")
    with pytest.raises(TypeError, match="^too many"):
        out(torch.from_numpy(V), 3)
    with pytest.raises(TypeError, match="^too many"):
        out(V, 3)


def test_a_loaded_text_is_traced_and_compiled_as_its_function():
    first = tl.transpile(over_axis, (V,), to="numpy")
    assert first.__wrapped__.__code__.co_filename == first.__code__.co_filename
    assert "jnp.sum(x * 2, axis=0)" in tl.symbolic_trace(first, (V,)).source("jax")
    assert "jnp.sum(x * 2, axis=0)" in tl.symbolic_trace(lambda x: first(x) * 2, (V,)).source("jax")
    graphs = []

    def backend(graph, example):
        graphs.append(graph)
        return graph

    torch.compiler.reset()
    out = torch.compile(tl.transpile(decided, (V,), to="torch"), backend=backend)
    assert float(out(torch.from_numpy(V))) == 6 and len(graphs) == 2
