"""Functions of installed packages, translated where they stand: what becomes of each, in numbers.

Nothing of them is kept here. Those of packages that are not among what the tests install are skipped.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import ast
import importlib
import inspect
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from test_corpus import TARGETS, checks, code

import tracelate as tl


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def jnps(*shape: int) -> Any:
    return jnp.asarray(rng().standard_normal(shape), dtype=jnp.float32)


def tensors(*shape: int) -> Any:
    return torch.from_numpy(rng().standard_normal(shape)).float()


def one_hot(count: int, classes: int) -> Any:
    return jnp.eye(classes)[np.arange(count) % classes]


def images(*shape: int) -> Any:
    return torch.sigmoid(tensors(1, 3, *shape)), torch.sigmoid(tensors(1, 3, *shape) * 0.9 + 0.1)


#: What is called with what, by package and function.
CALLS = {
    "optax.softmax_cross_entropy": lambda: (jnps(4, 3), one_hot(4, 3)),
    "optax.softmax_cross_entropy_with_integer_labels": lambda: (jnps(4, 3), jnp.array([0, 1, 2, 0])),
    "optax.sigmoid_binary_cross_entropy": lambda: (jnps(4, 3), one_hot(4, 3)),
    "optax.huber_loss": lambda: (jnps(5), jnps(5) * 2),
    "optax.log_cosh": lambda: (jnps(5), jnps(5) * 2),
    "optax.hinge_loss": lambda: (jnps(5), jnp.sign(jnps(5))),
    "optax.cosine_similarity": lambda: (jnps(4, 3), jnps(4, 3) ** 2),
    "optax.kl_divergence": lambda: (jax.nn.log_softmax(jnps(4, 3)), one_hot(4, 3)),
    "optax.ctc_loss": lambda: (
        jnps(2, 5, 4), jnp.zeros((2, 5)), jnp.array([[1, 2], [3, 0]]), jnp.array([[0.0, 0], [0, 1]])
    ),
    "optax.incremental_update": lambda: ({"w": jnps(3)}, {"w": jnps(3) + 1}, 0.1),
    "torchmetrics.functional.mean_squared_error": lambda: (tensors(5), tensors(5) * 2),
    "torchmetrics.functional.cosine_similarity": lambda: (tensors(4, 3), tensors(4, 3) ** 2, "mean"),
    "torchmetrics.functional.kl_divergence": lambda: (
        tensors(4, 3).softmax(-1), (tensors(4, 3) ** 2).softmax(-1)
    ),
    "torchmetrics.functional.mean_absolute_percentage_error": lambda: (tensors(6), tensors(6) + 1),
    "torchmetrics.functional.pairwise_euclidean_distance": lambda: (tensors(4, 3), 0.3 - tensors(5, 3)),
    "torchmetrics.functional.image.peak_signal_noise_ratio": lambda: (*images(8, 8), 1.0),
    "torchmetrics.functional.image.spectral_angle_mapper": lambda: images(8, 8),
    "torchmetrics.functional.image.total_variation": lambda: images(8, 8)[:1],
    "torchmetrics.functional.image.universal_image_quality_index": lambda: images(16, 16),
    "torchmetrics.functional.audio.scale_invariant_signal_distortion_ratio": lambda: (
        tensors(8), tensors(8) + 0.5
    ),
    "einops.rearrange": lambda: (tensors(2, 3, 8), "b t (h d) -> b h t d"),
    "einops.reduce": lambda: (tensors(2, 3, 4, 4), "b c (h p) (w q) -> b c h w", "mean"),
    "transformers.models.llama.modeling_llama.apply_rotary_pos_emb": lambda: (
        *[tensors(2, 2, 3, 4)] * 2, *[tensors(2, 3, 4)] * 2
    ),
    "transformers.models.llama.modeling_llama.repeat_kv": lambda: (tensors(2, 2, 3, 4), 2),
}  # fmt: skip
#: Sizes that einops is told by name.
OPTIONS = {"einops.rearrange": {"h": 2}, "einops.reduce": {"p": 2, "q": 2}}


def called(name: str) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    module, _, function = name.rpartition(".")
    package = name.partition(".")[0]
    if package not in ("optax", "torchmetrics", "einops"):  # which the tests install
        pytest.importorskip(package, reason=f"{package} is not installed")
    return getattr(importlib.import_module(module), function), CALLS[name](), OPTIONS.get(name, {})


def lines_run(fn: Any, args: tuple[Any, ...], options: dict[str, Any], package: str) -> int:
    """How many lines the statements have that a call runs of functions of the package."""
    run: dict[types.CodeType, set[int]] = {}

    def watch(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_globals.get("__name__", "").partition(".")[0] != package:
            return None
        run.setdefault(frame.f_code, set()).add(frame.f_lineno)
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        fn(*args, **options)
    finally:
        sys.settrace(before)
    return sum(len({*statements(code, lines)}) for code, lines in run.items())


def statements(function: types.CodeType, run: set[int]) -> Iterator[int]:
    """The lines of the statements that are run of a function, its head included."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(inspect.cleandoc("\n" + "".join(lines)))
    except (OSError, SyntaxError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            whole = {*range(node.lineno + first - 1, last + first)}
            if whole & run:
                yield from whole


@pytest.mark.parametrize("name", CALLS)
def test_a_function_of_a_package_agrees_where_it_stands(name):
    fn, args, options = called(name)
    for to in TARGETS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report = tl.check(fn, args, options, to=to)
        assert report, str(report)


#: What the sums over the texts are at most, as of the functions of our own.
LINES = {"numpy": 1.1, "torch": 1.1, "jax": 1.3}
#: How many of a hundred lines are checks; most of these functions are of a few lines.
CHECKS = 9.7


@pytest.mark.slow
@pytest.mark.parametrize("to", TARGETS)
def test_how_long_the_texts_of_packages_are(to):
    source = text = checked = 0
    for name in CALLS:
        try:
            fn, args, options = called(name)
        except pytest.skip.Exception:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = tl.symbolic_trace(fn, args, options).source(to)
            mine = lines_run(fn, args, options, name.partition(".")[0])
        source, text, checked = source + mine, text + len(code(found)), checked + len(checks(found))
    assert (text - checked) / source <= LINES[to] and 100 * checked / text <= CHECKS
