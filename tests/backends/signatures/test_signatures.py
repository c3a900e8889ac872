"""The signature data: written anew from the frameworks, what binds, and which functions have which names."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special
import numpy as np
import pytest
import scipy.linalg
import scipy.special
import torch
import torch.nn.functional as F
from signature_arrays import A, J, T

from tracelate.backends import signatures
from tracelate.backends.backend import NAMES, speaker
from tracelate.backends.signatures import (
    NO_VALUE,
    REQUIRED,
    SignatureError,
    callee,
    canonical,
    known,
    name_of,
    names,
    names_of,
    signature,
)
from tracelate.backends.signatures.generate import generated, installed
from tracelate.ir.errors import TraceError

# The files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("framework", NAMES)
def test_the_data_is_what_the_installed_framework_says(framework: str) -> None:
    recorded = signatures.versions(framework)
    if installed(framework) != recorded:
        pytest.skip(f"the data is of {recorded}, installed is {installed(framework)}: make signatures")
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the data is written with Python 3.11; later ones know signatures of more builtins")
    file = Path(signatures.__file__).with_name(f"{framework}.json")
    assert generated(framework) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("framework", NAMES)
def test_every_entry_can_be_read(framework: str) -> None:
    found = names(framework)
    assert len(found) > 500 and found == sorted(set(found))
    for name in found:
        assert signature(name).overloads
        assert canonical(canonical(name)) == canonical(name)


def test_a_lookup_is_fast_and_imports_no_framework() -> None:
    script = """
import sys, time
from tracelate.backends import signatures
start = time.perf_counter()
signatures.signature("torch.sum").bind((object(), 1), {"keepdims": True})
took = time.perf_counter() - start
signatures.signature("jnp.sum"), signatures.signature("np.sum"), signatures.name_of(print)
print(took, *{"torch", "jax", "scipy"} & sys.modules.keys())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    took, *imported = done.stdout.split()
    assert not imported
    assert float(took) < 0.03


# Bindings -----------------------------------------------------------------------------------------


def test_names_are_canonical_and_in_order() -> None:
    binding = signature("torch.sum").bind((T,), {"keepdims": True, "axis": 1})
    assert list(binding) == ["input", "dim", "keepdim"]
    assert binding["dim"] == 1 and binding["keepdim"] is True
    assert binding.defaults == {"dtype": None, "out": None}
    assert binding.value("dtype") is None


@pytest.mark.parametrize("args", [(T, 3, 2), (T, (3, 2)), (T, torch.Size((3, 2)))])
def test_sizes_are_one_tuple(args: tuple[Any, ...]) -> None:
    assert signature("torch.Tensor.view").bind(args)["size"] == (3, 2)
    assert signature("np.ndarray.reshape").bind(args)["shape"] == (3, 2)


def test_values_may_be_anything() -> None:
    x, d, p = object(), object(), object()
    kinds = {x: "tensor", d: "int", p: "dtype"}
    assert dict(signature("torch.max").bind((x, d), {}, kinds.get)) == {"input": x, "dim": d}
    assert dict(signature("torch.max").bind((x, x), {}, kinds.get)) == {"input": x, "other": x}
    assert signature("torch.Tensor.view").bind((x, d, 2), {}, kinds.get)["size"] == (d, 2)
    assert signature("torch.Tensor.view").bind((x, (d, 2)), {}, kinds.get)["size"] == (d, 2)
    assert signature("torch.Tensor.view").bind((x, p), {}, kinds.get)["dtype"] is p
    assert signature("torch.Tensor.view").bind((x, object()))["size"]
    assert signature("torch.cat").bind(([x, d], 0))["tensors"] == [x, d]


def test_keywords_beyond_the_list_keep_their_names() -> None:
    binding = signature("np.pad").bind((A, 1), {"constant_values": 7})
    assert binding["constant_values"] == 7


def test_defaults() -> None:
    assert signature("np.sum").default("keepdims") == NO_VALUE
    assert signature("np.sum").default("axis") is None
    assert signature("torch.sum").default("dim") is REQUIRED
    assert signature("torch.var").default("dim") is REQUIRED, "the overloads disagree"
    assert signature("torch.nn.functional.gelu").default("approximate") == "none"
    assert signature("torch.clone").default("memory_format") is None
    assert signature("torch.linalg.matrix_norm").default("dim") == [-2, -1]
    assert signature("jax.nn.softmax").default("axis") == -1
    assert [p.name for p in signature("torch.max").parameters] == ["input", "out", "other", "dim", "keepdim"]
    assert all(p.required for p in signature("torch.Tensor.size").parameters)


@pytest.mark.parametrize(
    "name, args, kwargs, words",
    [
        ("torch.sum", (T,), {"axes": 0}, "torch.sum takes no argument 'axes'"),
        ("torch.sum", (T, 0), {"dim": 0}, "'dim' twice"),
        ("torch.sum", (T,), {"dim": 0, "axis": 0}, "'dim' twice"),
        ("torch.sum", (T, True), {}, "bool as 'dim'"),
        ("torch.sum", (T, 1, 1), {}, "int as 'keepdim'"),
        ("torch.nn.functional.softmax", (T,), {"axis": 0}, "takes no argument 'axis'"),
        ("torch.nn.functional.gelu", (T, "tanh"), {}, "takes 1 arguments by position, not 2"),
        ("torch.linalg.solve", (T,), {}, "lacks its argument 'B'"),
        ("torch.Tensor.view", (T, 1.5), {}, "float as 'dtype'"),
        ("np.add", (A,), {"x2": A}, "takes no argument 'x2'"),
        ("np.ndarray.reshape", (A,), {"shape": (6,)}, "takes no argument 'shape'"),
        ("jnp.sum", (J,), {"dim": 0}, "takes no argument 'dim'"),
        ("jax.nn.softmax", (J, 0, None, 1), {}, "takes 3 arguments by position, not 4"),
    ],
)
def test_what_the_function_refuses_is_refused_by_name(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any], words: str
) -> None:
    function: Any = callee(speaker(name) or "", name)
    with pytest.raises(TypeError):
        function(*args, **kwargs)
    with pytest.raises(SignatureError, match=re.escape(words)) as caught:
        signature(name).bind(args, kwargs)
    assert isinstance(caught.value, TraceError)
    assert caught.value.function == name and name in str(caught.value)


# Names and functions ------------------------------------------------------------------------------


@pytest.mark.parametrize("framework", NAMES)
def test_every_name_leads_to_its_function_and_back(framework: str) -> None:
    for name in names(framework):
        found = names_of(callee(framework, name, load=True))
        assert name in found and found[0] == canonical(name)


@pytest.mark.parametrize(
    "function, name",
    [
        (np.sum, "np.sum"),
        (np.abs, "np.absolute"),
        (np.ndarray.sum, "np.ndarray.sum"),
        (scipy.special.erf, "scipy.special.erf"),
        (scipy.linalg.expm, "scipy.linalg.expm"),
        (jnp.sin, "jnp.sin"),
        (jax.numpy.linalg.solve, "jnp.linalg.solve"),
        (jax.nn.relu, "jax.nn.relu"),
        (jax.nn.softmax, "jax.nn.softmax"),
        (jax.lax.scan, "jax.lax.scan"),
        (jax.scipy.special.logsumexp, "jax.nn.logsumexp"),
        (torch.sum, "torch.sum"),
        (torch.mm, "torch.mm"),
        (torch.arccos, "torch.acos"),
        (torch.special.expit, "torch.sigmoid"),
        (torch.conv2d, "torch.nn.functional.conv2d"),
        (F.relu, "torch.nn.functional.relu"),
        (torch.functional.einsum, "torch.einsum"),
        (torch.Tensor.add, "torch.Tensor.add"),
        (torch.Tensor.__getitem__, "torch.Tensor.__getitem__"),
    ],
)
def test_functions_have_their_public_names(function: object, name: str) -> None:
    assert name_of(function) == name


def test_what_is_no_function_of_a_framework_has_no_name() -> None:
    assert name_of(print) is None
    assert name_of([1]) is None
    assert names_of(lambda x: x) == ()
    assert name_of(torch.Tensor) is None


def test_unknown_names() -> None:
    assert known("np.abs") and known("torch.Tensor.view")
    assert not known("np.nonsense") and not known("nonsense") and not known("versions")
    with pytest.raises(SignatureError, match="np.nonsense"):
        signature("np.nonsense")
    with pytest.raises(SignatureError, match="np.nonsense"):
        callee("numpy", "np.nonsense")
    with pytest.raises(SignatureError, match="np.random.nowhere.x"):
        callee("numpy", "np.random.nowhere.x")


def test_a_framework_is_loaded_only_when_asked_to() -> None:
    script = """
from tracelate.backends.signatures import SignatureError, callee
try:
    callee("numpy", "scipy.special.erf")
except SignatureError as error:
    print(error)
print(callee("numpy", "scipy.special.erf", load=True)(0.0))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0].startswith("scipy.special.erf is not at hand")
    assert float(done.stdout.splitlines()[1]) == 0


def test_a_function_that_wraps_one_of_a_framework_is_not_that_one() -> None:
    import torch._dynamo  # puts wrappers in the place of some functions

    assert names_of(torch.manual_seed) == ("torch.manual_seed",)
    assert names_of(functools.wraps(torch.sin)(lambda x: 2 * x)) == ()
