"""Functions traced without any example: texts for arrays of any shape, or of one that is checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays

Given = tuple[tuple[int, ...], ...]
rng = np.random.default_rng(5)


def softmax(x: Any, axis: int = -1) -> Any:
    x = x - x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def attention(q: Any, k: Any, v: Any) -> Any:
    _batch, _time, channels = q.shape
    return softmax(q @ k.swapaxes(-1, -2) / channels**0.5) @ v


def of_any_rank(x: Any, w: Any, b: Any) -> Any:
    return np.tanh(x @ w + b).mean(axis=0)


def last(x: Any) -> Any:
    return x.reshape(x.shape[0], -1) / x.shape[-1] + np.float32(len(x))


def larger(x: Any) -> Any:
    return np.abs(x) * 2 if x.shape[0] > 3 else np.abs(x) + 1


def ranked(x: Any) -> Any:
    if x.ndim == 1:
        x = x[None]
    return np.sum(x, axis=-1)


def gone_through(x: Any) -> Any:
    out = []
    for row in x:
        out.append(row / np.sum(row))
    return np.stack(out)


def unpacked(q: Any) -> Any:
    w, x, y, z = q
    return np.stack([w * x, y * z, w - z])


def images(x: Any) -> Any:
    n, _channels, height, width = x.shape
    return np.sum(x, axis=(2, 3)).reshape(n, -1) / (height * width)


def fitted(x: Any, y: Any) -> Any:
    n, _d = x.shape
    (m,) = y.shape
    return (x.T @ y) / n + np.sum(y) / m


def masked(x: Any, mask: Any = None) -> Any:
    scores = x @ np.swapaxes(x, -1, -2) / x.shape[-1]
    if mask is not None:
        scores = np.where(mask == 0, -1e9, scores)
    return scores


def transposed(x: Any) -> Any:
    return np.exp(x.T), x.mT + 1, x[0]


#: Functions, the shapes that they are called with, and those that the text is allowed to refuse.
PROGRAMS: list[tuple[Callable[..., Any], list[Given], list[Given]]] = [
    (softmax, [((3,),), ((2, 3),), ((2, 3, 4),)], []),
    (attention, [((2, 3, 4),) * 3, ((1, 5, 2),) * 3], []),
    (of_any_rank, [((2, 3), (3, 4), (4,)), ((2, 5, 3), (3, 4), (4,)), ((2, 3), (3, 4), (1,))], []),
    (last, [((2, 3),)], [((4, 3, 2),), ((3,),)]),
    (larger, [((2,),), ((5, 2),), ((3, 1),)], []),
    (ranked, [((2, 3),)], [((3,),), ((2, 3, 4),)]),
    (gone_through, [((2, 3),), ((4, 3),)], [((4, 3, 2),)]),
    (unpacked, [((4,),), ((4, 3),)], [((4, 2, 3),)]),
    (images, [((2, 3, 4, 5),)], []),
    (fitted, [((4, 3), (4,))], []),
    (masked, [((4, 3),), ((2, 4, 3),), ((4, 3), (4, 4))], []),
    (transposed, [((4, 3),)], [((2, 4, 3),)]),
]
CASES = [
    pytest.param(program, to, id=f"{program[0].__name__}-{to}")
    for program in PROGRAMS
    for to in ("numpy", "torch", "jax")
]


@pytest.mark.parametrize(("program", "to"), CASES)
def test_texts_give_what_the_source_gives(program: Any, to: str) -> None:
    fn, taken, perhaps = program
    with jax.enable_x64(True):
        out = tl.transpile(fn, to=to)
        for shapes in [*taken, *perhaps]:
            for dtype in ("float64", "float32"):
                args = [(rng.random(shape) + 0.5).astype(dtype) for shape in shapes]
                try:
                    got = out(*(convert(a, to) for a in args))
                except (AssertionError, ValueError, TypeError):
                    assert shapes in perhaps or dtype == "float32", (shapes, dtype, out.source)
                    continue
                assert not list(compare(fn(*args), map_arrays(got, np.asarray))), (shapes, dtype, out.source)


def first_set(a: Any, b: Any) -> Any:
    a[0] = 5.0
    return np.sum(b) * 2


def doubled(a: Any, b: Any) -> Any:
    b *= 2
    return np.abs(a)


def one_of(x: Any, y: Any = None) -> Any:
    if y is not None:
        y[0] = 1.0
    return np.abs(x)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [first_set, doubled, one_of])
def test_what_is_written_into_arguments_is_written(fn: Any, to: str) -> None:
    out = tl.transpile(fn, to=to)
    args = rng.random((3, 2)), rng.random((3, 2))
    mine, theirs = [a.copy() for a in args], [convert(a.copy(), to) for a in args]
    expected, got = fn(*mine), out(*theirs)
    assert not list(compare([expected, *mine], map_arrays([got, *theirs], np.asarray))), out.source
    with pytest.raises(tl.UnsupportedError, match="writing into the argument"):
        tl.transpile(fn, to="jax")


def test_a_text_without_examples_says_no_size() -> None:
    assert "8" not in tl.transpile(attention, to="numpy").source
    assert "_batch, _time, channels = q.shape" in tl.transpile(attention, to="torch").source


def test_words_of_torch_are_traced_without_examples() -> None:
    def block(x: Any, weight: Any) -> Any:
        b, t, c = x.shape
        h = torch.nn.functional.layer_norm(x, (c,)) @ weight
        return h.view(b, t, 2, c // 2).transpose(1, 2)

    x, weight = torch.randn(2, 3, 8), torch.randn(8, 8)
    out = tl.transpile(block, to="numpy")
    np.testing.assert_allclose(out(x.numpy(), weight.numpy()), block(x, weight), rtol=1e-5, atol=1e-5)


def test_a_missing_word_is_told_as_with_examples() -> None:
    calls = []

    def unknown(x: Any) -> Any:
        calls.append(1)
        return np.i0(x) + x.shape[0]

    with pytest.raises(tl.UnsupportedError, match="np.i0"):
        tl.transpile(unknown, to="torch")
    assert len(calls) < 8


def test_what_no_shape_is_found_for_asks_for_an_example() -> None:
    def odd(x: Any) -> Any:
        a, b, c, d, e, f, g = x.shape
        return x * (a + g)

    with pytest.raises(tl.TraceError, match="give example arguments with args="):
        tl.transpile(odd, to="jax", source="numpy")


@pytest.mark.parametrize("fn", [lambda p: {**p, "extra": p["w"] + 1}, lambda p: [v * 2 for v in p.values()]])
def test_what_takes_no_array_asks_for_an_example(fn: Any) -> None:
    with pytest.raises(tl.TraceError, match="taken for arrays.*\n.*give example arguments") as caught:
        tl.symbolic_trace(fn, source="numpy")
    assert not isinstance(caught.value, tl.InternalError) and "Duck" not in str(caught.value)


def test_a_function_without_calls_is_of_the_framework_that_its_module_imports(tmp_path: Any) -> None:
    namespace: dict[str, Any] = {"__name__": "kinetic"}
    file = tmp_path / "kinetic.py"
    file.write_text("import torch\n\ndef energy(m, v):\n    return 0.5 * (m * (v ** 2).sum(-1)).sum()\n")
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    assert tl.symbolic_trace(namespace["energy"]).framework == "torch"


def scaled_by_the_first(x: Any, i: Any) -> Any:
    k = i[0] + 1
    i[0] = 3
    return x * k, i


def written_by_the_first(x: Any, i: Any) -> Any:
    x = x.clone()
    x[0] = i[0]
    return x * i[0]


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("fn", [scaled_by_the_first, written_by_the_first], ids=lambda fn: fn.__name__)
def test_of_how_many_axes_there_are_nothing_follows_for_dtypes(fn: Any, to: str) -> None:
    """torch lets arrays without axes count for little, as `i[0]` is one where `i` has one."""
    out = tl.transpile(fn, to=to, source="torch", x64=True if to == "jax" else None)
    for shape in ((3,), (3, 3)):
        x, i = np.ones(shape, np.float32), np.ones(shape, np.float32)
        expected = jax.tree.leaves(fn(torch.tensor(x), torch.tensor(i)))
        found = jax.tree.leaves(out(convert(x, to), convert(i, to)))
        for one, other in zip(expected, found, strict=True):
            compare(convert(one, "numpy"), convert(other, "numpy"))
        with pytest.raises(AssertionError):
            out(convert(x, to), convert(i.astype(np.float64), to))
