"""Small arrays, and the frameworks' own numbers, keep the names that the user gave them."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
import textwrap
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

X = np.linspace(0.1, 1.0, 24, dtype=np.float32).reshape(8, 3)
COUNT = itertools.count()
TARGETS = ("numpy", "jax", "torch")
IMPORTS = "import numpy as np\nimport jax\nimport jax.numpy as jnp\nimport torch\n"


@pytest.fixture
def traced(module: Any) -> Any:
    """Makes the function `f` of a text."""
    return lambda text: module(IMPORTS + textwrap.dedent(text)).f


def check(f: Any, source: str, to: str, x: Any = X, **options: Any) -> str:
    """The text, which gives twice what the function gives, whatever is done to what it gave first."""
    given = convert(x, source)
    out: Any = tl.transpile(f, (given,), to=to, **options)
    for _ in range(2):
        wanted, found = f(convert(x, source)), out(convert(x, to))
        pairs = zip(wanted, found) if isinstance(wanted, tuple) else [(wanted, found)]
        for one, other in pairs:
            np.testing.assert_allclose(to_numpy(other), to_numpy(one), rtol=1e-5)
            if to != "jax" and not isinstance(other, np.generic):
                other[...] = 100
    return str(out.source)


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
    assert "EPS = 9.999999747378752e-06  # np.float32(1e-5); as in the paper\n" in text
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


#: What writes into the array, hands it on, or makes it anew.
OTHERS = {
    "a copy is written into": """
        def f(x):
            y = K.copy()
            y[0] = x[0, 0]
            return y * 2
    """,
    "returned": """
        def f(x):
            return x * 2, K
    """,
    "a view is returned": """
        def f(x):
            return x * 2, K.reshape(3, 1)
    """,
    "returned by a helper": """
        def g(x, k):
            return x * 2, k

        def f(x):
            return g(x, K)
    """,
    "a helper writes into its copy": """
        def g(x, k):
            k[0] = 7
            return x * k

        def f(x):
            return g(x, K.copy())
    """,
    "what a loop begins with": """
        def f(x):
            y = K
            for row in x:
                y = y + row
            return y
    """,
    "what an if gives": """
        def f(x):
            y = K if x.sum() > 100 else K * 2
            return y
    """,
    "put into what is written": """
        def f(x):
            y = np.zeros_like(x)
            y[0] = K
            y[1] = K + y[0]
            return y
    """,
    "no copy, where there need be none": """
        def f(x):
            y = np.asarray(K, dtype=np.float32)
            return y.reshape(3), x
    """,
    "added to in place": """
        def f(x):
            y = K + 0
            y += x[0]
            return y
    """,
    "written into on one way": """
        def f(x):
            y = K * 1 if x.sum() > 100 else K + 0
            if x.sum() > 1:
                y[0] = 9
            return y, x * K
    """,
    "gone through by a loop that writes into rows": """
        def f(x):
            rows = np.stack([K, K]) + 0
            for row in rows:
                row *= 2
            return rows, x * K
    """,
    "handed out by a loop": """
        def f(x):
            y = x[0]
            for row in x:
                y = K if row[0] > 0.5 else y
            return y, x * K
    """,
    "collected by a loop": """
        def f(x):
            found = []
            for row in x:
                found.append(K)
            return np.stack(found), x * K
    """,
    "written into by a helper in a loop": """
        def g(k, row):
            k[0] = row[0]
            return k * 2

        def f(x):
            y = K.copy()
            for row in x:
                y = g(y, row)
            return y, x * K
    """,
}


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("case", OTHERS)
def test_nobody_writes_into_a_constant(case: str, to: str, traced: Any) -> None:
    check(traced("K = np.array([1., 2., 3.], np.float32)\n" + textwrap.dedent(OTHERS[case])), "numpy", to)


@pytest.mark.parametrize("to", TARGETS)
def test_a_helper_that_only_reads_gets_it_by_name(to: str, traced: Any) -> None:
    f = traced("""
        K = np.array([1., 2., 3.], np.float32)

        def g(x, k):
            return x * k + k

        def f(x):
            return g(x, K)
    """)
    assert "return g(x, K)" in check(f, "numpy", to)


@pytest.mark.parametrize("to", TARGETS)
def test_loops_and_branches_that_only_read_have_it_by_name(to: str, traced: Any) -> None:
    f = traced("""
        K = np.array([1., 2., 3.], np.float32)

        def g(x, k):
            n, = k.shape
            y = x
            for i in range(n):
                if x[0, i] > k[i] / 10:
                    y = y + k[i] * k
            return y

        def f(x):
            return g(x, K)
    """)
    assert "g(x, K)" in check(f, "numpy", to)


@pytest.mark.parametrize("to", TARGETS)
def test_what_was_changed_since_is_what_it_was(to: str, traced: Any) -> None:
    f = traced("""
        K = np.array([1., 2., 3.], np.float32)

        def f(x):
            return x * K
    """)
    assert "K = " in check(f, "numpy", to)
    f.__globals__["K"][0] = 9
    assert "[9.0, 2.0, 3.0]" in check(f, "numpy", to)


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
    assert "mean = jnp.array([0.485, 0.456, 0.406], dtype=jnp.float32)\neps = 1e-5\n" in back.source
    np.testing.assert_allclose(to_numpy(back(convert(X, "jax"))), f(X), rtol=1e-5)


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_an_array_of_a_number_that_is_given_has_no_name(to: str) -> None:
    def bounded(x, k):
        return x * np.maximum(k, 3)

    out = tl.transpile(bounded, (np.ones(2), 2), to=to)
    for k in (2, 5):
        np.testing.assert_array_equal(np.asarray(out(convert(np.ones(2), to), k)), bounded(np.ones(2), k))
