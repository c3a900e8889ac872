"""Whether a call gives what it is given itself, `np.asarray(x) is x`: a translation says what the source
says, for arrays of other dtypes, ranks and orders in memory too, or it is refused. Of every callee that was
seen to give a view, or its operand.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import importlib.util
import pathlib
import re
import types
import warnings
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends import memory
from tracelate.backends.arrays import convert, to_numpy

TOLD = {
    "numpy": """np.reshape(x, x.shape); np.transpose(x, None); np.astype(x, x.dtype, copy=False)
    np.broadcast_to(x, x.shape); np.array(x, copy=False); np.asarray(x, x.dtype); np.asarray(x, np.float64)
    x.astype(np.float32, copy=False); x.reshape(-1); x[...]; x.T.T; np.nan_to_num(x, copy=False)
    np.asarray(np.asarray(x)); np.squeeze(x, axis=()); np.copy(x); x * 1; np.abs(x)""",
    "torch": """x.to(torch.float64); x.to(x.dtype); x.to("cpu"); x.type(torch.float32); x.view(x.shape)
    torch.as_tensor(x, dtype=torch.float64); x.expand(x.shape); torch.asarray(x); x.to(x); x.type_as(x)
    torch.nn.functional.dropout(x, 0.5, False); torch.reshape(x, x.shape); x.contiguous().contiguous()
    x.flip(0); x.clone(); +x; -x; abs(x)""",
}


def spelled(name: str) -> str:
    """A call of a callee's with x alone."""
    root, _, word = name.rpartition(".")
    return {"attribute": f"x.{word}", "np.ndarray": f"x.{word}()", "torch.Tensor": f"x.{word}()"}.get(
        root, f"{name}(x)"
    )


def expressions() -> list[tuple[str, str]]:
    found = []
    for framework, told in TOLD.items():
        own = memory.data(framework)
        names = [n for n in (*own["shared"], *own["itself"], *own["views"]) if not n.startswith("operator.")]
        said = [spelled(name) for name in dict.fromkeys(names)] + [
            e.strip() for e in told.replace("\n", ";").split(";")
        ]
        found += [(framework, e) for e in dict.fromkeys(said)]
    return found


EXPRESSIONS = expressions()
#: What NumPy makes a number of for some ranks, and an array for others.
COMPUTED = ("x.sum(-1)", "x[0]", "x + 1", "np.sin(x)")
OF_COMPUTED = [(made, e) for framework, e in EXPRESSIONS if framework == "numpy" for made in COMPUTED]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> types.ModuleType:
    """All programs, in a file."""
    lines = ["import numpy as np", "import torch"]
    for number, (_, expression) in enumerate(EXPRESSIONS):
        lines += ["", "", f"def same_{number}(x):", f"    return x * 3 if {expression} is x else x + 1"]
    for number, (made, expression) in enumerate(OF_COMPUTED):
        lines += ["", "", f"def same_of_{number}(x):", f"    y = {made}"]
        asked = re.sub(r"\bx\b", "y", expression)
        lines += [f"    return x * 3 if {asked} is y else x + 1"]
    path: pathlib.Path = tmp_path_factory.mktemp("programs") / "same_objects.py"
    path.write_text("\n".join(lines) + "\n")
    spec = importlib.util.spec_from_file_location("same_objects", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def others(framework: str) -> list[Any]:
    made = [
        np.arange(1.0, 5).reshape(2, 2),
        np.arange(1, 4),
        np.arange(1.0, 4, dtype=np.float32),
        np.ones((1, 1)),
    ]
    made += [np.array(True), np.array(2.0), np.arange(1.0, 5) * 1j, np.ones((2, 1, 1), np.float16)]
    found = [convert(array, framework) for array in made]
    square = convert(np.arange(9.0).reshape(3, 3), framework)
    return [*found, square.T, square[::2], square[:, 1], square[None, :1]]


@pytest.mark.parametrize(("framework", "expression"), EXPRESSIONS)
@pytest.mark.parametrize("shape", [(3,), (2, 2)])
@pytest.mark.filterwarnings("ignore")
def test_what_is_the_same_object_stays_so(
    framework: str, expression: str, shape: tuple[int, ...], programs: types.ModuleType
) -> None:
    fn = getattr(programs, f"same_{EXPRESSIONS.index((framework, expression))}")
    example = convert(np.random.default_rng(0).random(shape), framework)
    try:
        fn(example)
    except Exception:
        pytest.skip("the framework takes no such array")
    stays(fn, example, framework)


@pytest.mark.covering
@pytest.mark.parametrize(("made", "expression"), OF_COMPUTED)
@pytest.mark.parametrize("shape", [(3,), (2, 2), ()])
@pytest.mark.filterwarnings("ignore")
def test_what_is_computed_is_the_same_object_for_these_ranks(
    made: str, expression: str, shape: tuple[int, ...], programs: types.ModuleType
) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = getattr(programs, f"same_of_{OF_COMPUTED.index((made, expression))}")
    example = np.asarray(np.random.default_rng(0).random(shape))
    try:
        fn(example)
    except Exception:
        pytest.skip("NumPy takes no such array")
    stays(fn, example, "numpy")


def stays(fn: Any, example: Any, framework: str) -> None:
    """A translation says the same of other arrays, or refuses them."""
    for to in ("numpy", "torch"):
        try:
            out = tl.transpile(fn, (example,), to=to, source=framework)
        except tl.TraceError:
            continue
        for given in (example, *others(framework)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    expected = fn(given)
                except Exception:
                    continue
                array = given if framework == to else convert(to_numpy(given), to)
                try:
                    found = out(array)
                except AssertionError:
                    assert given is not example
                    continue
            np.testing.assert_array_equal(
                to_numpy(found), to_numpy(expected), f"to {to} of {given}:\n{out.source}", strict=True
            )


def test_some_are_told() -> None:
    def kept(x):
        return x * 3 if np.asarray(x) is x else x

    def cast(x):
        return x * 3 if x.float() is x else x

    assert ".dtype" not in tl.transpile(kept, (np.ones(2),), to="numpy").source
    assert "dtype == torch.float32" in tl.transpile(cast, (torch.ones(2),), to="torch").source


def test_an_array_from_outside_may_be_the_argument() -> None:
    last = [np.ones(3)]

    def kept(x):
        return x if last[0] is x else x * 2

    with pytest.raises(tl.UnsupportedError, match="`is` between"):
        tl.transpile(kept, (np.ones(4),), to="numpy")


def test_a_test_of_what_may_be_a_number_is_not_told_from_true() -> None:
    def f(x):
        s = 2
        for v in x:
            s = v
        return (s > 0) is True

    with pytest.raises(tl.UnsupportedError, match="compare them by =="):
        tl.transpile(f, (np.ones(3),), to="torch")
