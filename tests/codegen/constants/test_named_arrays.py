"""Small arrays, and the frameworks' own numbers, keep the names that the user gave them."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from named_texts import TARGETS, X, check

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

DEFINED = {
    ("numpy", "jax"): "KERNEL = jnp.array([1.0, 2.5, 0.1], dtype=jnp.float32)  # binomial",
    ("numpy", "numpy"): "KERNEL = np.array([1.0, 2.5, 0.1], dtype=np.float32)  # binomial",
    ("numpy", "torch"): "KERNEL = torch.tensor([1.0, 2.5, 0.1])  # binomial",
    ("jax", "jax"): "KERNEL = jnp.array([1.0, 2.5, 0.1], dtype=jnp.float32)  # binomial",
    ("jax", "numpy"): "KERNEL = np.array([1.0, 2.5, 0.1], dtype=np.float32)  # binomial",
    ("jax", "torch"): "KERNEL = torch.tensor([1.0, 2.5, 0.1])  # binomial",
    ("torch", "jax"): "KERNEL = jnp.array([1.0, 2.5, 0.1], dtype=jnp.float32)  # binomial",
    ("torch", "numpy"): "KERNEL = np.array([1.0, 2.5, 0.1], dtype=np.float32)  # binomial",
    ("torch", "torch"): "KERNEL = torch.tensor([1.0, 2.5, 0.1])  # binomial",
}
MADE = {
    "numpy": "np.array([1., 2.5, .1], np.float32)",
    "jax": "jnp.array([1., 2.5, .1])",
    "torch": "torch.tensor([1., 2.5, .1])",
}


@pytest.mark.parametrize(("source", "to"), DEFINED)
def test_an_array_of_a_module_stands_above_the_functions(source: str, to: str, traced: Any) -> None:
    f = traced(f"""
        KERNEL = {MADE[source]}  # binomial

        def f(x):
            y = x * KERNEL
            return y + KERNEL
    """)
    text = check(f, source, to)
    assert f"\n{DEFINED[source, to]}\n\n\ndef f(x):" in text
    assert "y = x * KERNEL\n    return y + KERNEL" in text


@pytest.mark.parametrize("to", TARGETS)
def test_arrays_of_classes_objects_and_closures(to: str, traced: Any) -> None:
    f = traced("""
        class Model:
            mean = np.array([0.485, 0.456, 0.406], np.float32)

            def __init__(self):
                self.std = np.array([[0.25, 0.5, 1 / 3]], np.float32)

            def __call__(self, x):
                return (x - self.mean) / self.std

        def make(model):
            shift = np.array([1, 2, 3], np.float32)
            def f(x):
                return model(x) * shift
            return f

        f = make(Model())
    """)
    text = check(f, "numpy", to)
    assert "(x - mean) / std * shift" in text
    for line in ("mean = ", "array([0.485, 0.456, 0.406]", "[[0.25, 0.5, 1 / 3]]", "shift = "):
        assert line.replace("array" if to == "torch" else " ", "tensor" if to == "torch" else " ") in text


@pytest.mark.parametrize("to", TARGETS)
def test_numbers_of_frameworks_are_told_by_their_spelling(to: str, traced: Any) -> None:
    text = check(
        traced("""
            EPS = np.float32(1e-5)  # as in the paper
            SCALE = np.float32(0.1)

            def f(x):
                return x * SCALE + EPS
        """),
        "numpy",
        to,
    )
    assert "EPS = 9.999999747378752e-6  # np.float32(1e-5); as in the paper\n" in text
    assert "SCALE = 0.10000000149011612  # np.float32(0.1)\n" in text
    assert "return x * SCALE + EPS" in text


@pytest.mark.parametrize("to", TARGETS)
def test_arrays_without_axes_that_stay_arrays(to: str, traced: Any) -> None:
    f = traced("""
        N = np.int32(3)

        def f(x):
            return x * N
    """)
    assert "x * N" in check(f, "numpy", to) or to == "torch"


def test_of_two_with_one_name_each_has_its_own(traced: Any) -> None:
    f = traced("""
        class Layer:
            def __init__(self, w):
                self.w = np.array([w, 1.0, 0.5], np.float32)

        layers = [Layer(1.5), Layer(2.5), Layer(1.5)]

        def f(x):
            for layer in layers:
                x = x * layer.w
            return x
    """)
    text = check(f, "numpy", "torch")
    assert "w = torch.tensor([1.5, 1.0, 0.5])\nw_2 = torch.tensor([2.5, 1.0, 0.5])\n" in text
    assert text.count("* w_2") == 1


def test_large_arrays_are_parameters_as_before(traced: Any) -> None:
    f = traced("""
        K = np.arange(33, dtype=np.float32)

        def f(x):
            return x * K[:3]
    """)
    check(f, "numpy", "torch")


def test_dtypes_of_jax_are_said_where_the_module_is_imported(traced: Any) -> None:
    """The flag may change after that; what needs 64 bits is made when the function is called. What is
    narrowed follows the flag.
    """
    f = traced("""
        K = np.array([1., 2., 3.])
        L = np.array([1., 2., 3.], np.float32)

        def f(x):
            return x * K + L
    """)
    x = X.astype(np.float64)
    narrow = tl.transpile(f, (x,), to="jax", x64=False).source
    assert "K = jnp.array([1.0, 2.0, 3.0])\nL = jnp.array([1.0, 2.0, 3.0], dtype=jnp.float32)\n" in narrow
    with jax.enable_x64(True):
        followed: dict[str, Any] = {}
        exec(narrow, followed)
        assert followed["K"].dtype == np.float64 and followed["L"].dtype == np.float32
    wide = tl.transpile(f, (x,), to="jax", x64=True).source
    assert "K =" not in wide and "x * jnp.array([1.0, 2.0, 3.0]) + L" in wide
    names: dict[str, Any] = {}
    exec(wide, names)
    with jax.enable_x64(True):
        found = names["f"](jax.numpy.asarray(x))
        assert found.dtype == np.float64
        np.testing.assert_array_equal(found, f(x))


@pytest.mark.parametrize("control", ["python", "export"])
def test_control_of_torch(control: str, traced: Any) -> None:
    f = traced("""
        K = torch.tensor([1., 2., 3.])

        def f(x):
            if x.sum() > 0:
                y = x * K
            else:
                y = x + K
            return y
    """)
    text = check(f, "torch", "torch", control=control)
    assert ("K = torch" in text) == (control == "python")


def test_a_list_among_the_numbers_is_not_mixed_up_with_others(traced: Any) -> None:
    f = traced("""
        TWO = 2.0

        def f(x):
            k = torch.tensor([1.0, 2.0, 1.0])
            return x * k.abs() * TWO
    """)
    assert "* TWO" in check(f, "torch", "jax")


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize(
    "made",
    [
        "np.array([True, False, True])",
        "np.array([1, 2, 3], np.int8)",
        "np.array([1j, 2, 3], np.complex64)",
        "np.array([0.1, 0.2, 0.3], np.float16)",
        "np.array([-0.0, 1e-8, 3], np.float32)",
        "np.array([[1, 2, 3]] * 4, np.float32)",
        "np.hanning(5)[:3].astype(np.float32)",
        "np.array([1e-50, 0.1, 3], np.float32)",
    ],
)
def test_each_dtype(made: str, to: str, traced: Any) -> None:
    f = traced(f"""
        K = {made}

        def f(x):
            return np.where(K == 0, 1, K) + x[:4].sum()
    """)
    text = check(f, "numpy", to)
    assert "K = " in text, text


ODD = {
    "nested": "torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])",
    "a key of JAX's": "jax.random.key(0)",
    "of strings": "np.array(['a', 'b'])",
    "of objects": "np.array([None, {}], dtype=object)",
    "masked": "np.ma.array([1.0, 2.0], mask=[True, False])",
}


@pytest.mark.parametrize("case", ODD)
def test_arrays_that_cannot_be_asked_are_left_alone(case: str, traced: Any) -> None:
    f = traced(f"""
        ODD = {ODD[case]}

        class Config:
            odd = ODD
            two = 2.0

        def f(x):
            kept = [ODD, Config.odd]
            return x * (1.50 if kept is not None and ODD is not None else Config.two)
    """)
    assert "x * 1.50" in check(f, "numpy", "torch")


def test_a_text_is_traced_again(traced: Any) -> None:
    f = traced("""
        class Model:
            eps = 1e-5
            mean = np.array([0.485, 0.456, 0.406], np.float32)

        def f(x):
            return x * Model.mean + Model.eps
    """)
    out: Any = tl.transpile(f, (X,), to="torch")
    back: Any = tl.transpile(out, (convert(X, "torch"),), to="jax")
    assert "eps = 1e-5\nmean = jnp.array([0.485, 0.456, 0.406], dtype=jnp.float32)\n" in back.source
    np.testing.assert_allclose(to_numpy(back(convert(X, "jax"))), f(X), rtol=1e-5)


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_an_array_of_a_number_that_is_given_has_no_name(to: str) -> None:
    def bounded(x, k):
        return x * np.maximum(k, 3)

    out = tl.transpile(bounded, (np.ones(2), 2), to=to)
    for k in (2, 5):
        np.testing.assert_array_equal(np.asarray(out(convert(np.ones(2), to), k)), bounded(np.ones(2), k))
