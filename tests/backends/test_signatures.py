"""The signature data against the frameworks: written anew, calls replayed, torch asked through its errors."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import jax.scipy.special
import numpy as np
import pytest
import scipy.linalg
import scipy.special
import torch
import torch.nn.functional as F

from tracelate.backends import signatures
from tracelate.backends.signatures import (
    NO_VALUE,
    REQUIRED,
    Binding,
    Passing,
    SignatureError,
    Symbol,
    callee,
    canonical,
    known,
    name_of,
    names,
    names_of,
    signature,
)
from tracelate.backends.signatures.data import framework_of
from tracelate.backends.signatures.generate import generated, installed
from tracelate.ir.errors import TraceError

FRAMEWORKS = ("numpy", "jax", "torch")

A = np.arange(1.0, 7.0).reshape(2, 3)
J = jnp.asarray(A, dtype=jnp.float32)
T = torch.from_numpy(A)
IMAGE, KERNEL = np.ones((1, 2, 5, 5), np.float32), np.ones((3, 2, 3, 3), np.float32)


# The files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_data_is_what_the_installed_framework_says(framework: str) -> None:
    recorded = signatures.versions(framework)
    if installed(framework) != recorded:
        pytest.skip(f"the data is of {recorded}, installed is {installed(framework)}: make signatures")
    file = Path(signatures.__file__).with_name(f"{framework}.json")
    assert generated(framework) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("framework", FRAMEWORKS)
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


# Calls, replayed ----------------------------------------------------------------------------------

Call = tuple[str, tuple[Any, ...], dict[str, Any]]


def call(name: str, *args: Any, **kwargs: Any) -> Call:
    return name, args, kwargs


CALLS = [
    call("torch.sum", T),
    call("torch.sum", T, 1, True),
    call("torch.sum", T, axis=-1, keepdims=True),
    call("torch.sum", x=T, axis=(0, 1)),
    call("torch.sum", T, None, True),
    call("torch.add", T, T, alpha=2),
    call("torch.add", T, x2=3),
    call("torch.max", T),
    call("torch.max", T, 1),
    call("torch.max", T, T * 0 + 2),
    call("torch.max", T, axis=0, keepdims=True),
    call("torch.var", T, 0),
    call("torch.var", T, False),
    call("torch.var", T, dim=1, correction=0),
    call("torch.where", T > 2, T, 0.0),
    call("torch.where", T > 2),
    call("torch.clamp", T, 2, 4),
    call("torch.clip", T, max=T * 0 + 2),
    call("torch.full", (2, 3), 1.5),
    call("torch.zeros", 2, 3),
    call("torch.zeros", (2, 3), dtype=torch.int32),
    call("torch.zeros", size=[2]),
    call("torch.arange", 4),
    call("torch.arange", 1, 4),
    call("torch.arange", 1, 7, 2, dtype=torch.float32),
    call("torch.cat", [T, T], 1),
    call("torch.concatenate", (T, T), axis=1),
    call("torch.einsum", "ij,kj->ik", T, T),
    call("torch.unique", T, True, True),
    call("torch.norm", T, 2, 1),
    call("torch.split", T, 1, 0),
    call("torch.repeat_interleave", T, 2, 1),
    call("torch.gather", T, 1, torch.zeros(2, 1, dtype=torch.int64)),
    call("torch.linalg.norm", T, "fro"),
    call("torch.linalg.norm", x=T, axis=0),
    call("torch.linalg.vector_norm", T, 1, 1, True),
    call("torch.linalg.solve", torch.eye(2, dtype=T.dtype), T),
    call("torch.linalg.pinv", T, 1e-8),
    call("torch.fft.fft", T, 4, 0, "ortho"),
    call("torch.fft.fftn", a=T, axis=1),
    call("torch.special.xlogy", T, 2.0),
    call("torch.special.xlogy", 2.0, T),
    call("torch.special.polygamma", 1, T),
    call("torch.nn.functional.softmax", T, 1),
    call("torch.nn.functional.gelu", T, approximate="tanh"),
    call("torch.nn.functional.conv2d", torch.ones(1, 2, 5, 5), torch.ones(3, 2, 3, 3), None, 2, 1),
    call("torch.nn.functional.conv2d", torch.ones(1, 2, 5, 5), torch.ones(3, 2, 3, 3), padding="same"),
    call("torch.nn.functional.max_pool2d", torch.ones(1, 2, 4, 4), 2, return_indices=True),
    call("torch.nn.functional.pad", T, (1, 0)),
    call("torch.nn.functional.layer_norm", T, (3,)),
    call("torch.Tensor.sum", T, 1, True),
    call("torch.Tensor.sum", T, axis=0, keepdims=True),
    call("torch.Tensor.max", T, T * 2),
    call("torch.Tensor.view", T, 3, 2),
    call("torch.Tensor.view", T, (3, 2)),
    call("torch.Tensor.view", T, -1),
    call("torch.Tensor.view", T, torch.int64),
    call("torch.Tensor.reshape", T, [3, 2]),
    call("torch.Tensor.reshape", T, shape=(6,)),
    call("torch.Tensor.permute", T, 1, 0),
    call("torch.Tensor.permute", T, (1, 0)),
    call("torch.Tensor.expand", T[:1], 2, 3),
    call("torch.Tensor.repeat", T, 2, 1),
    call("torch.Tensor.flip", T, 0, 1),
    call("torch.Tensor.squeeze", T[:1], 0),
    call("torch.Tensor.new_zeros", T, 2, 2),
    call("torch.Tensor.to", T, torch.float32),
    call("torch.Tensor.to", T, "cpu"),
    call("torch.Tensor.to", T, torch.ones(1, dtype=torch.float16)),
    call("torch.Tensor.size", T, 1),
    call("torch.Tensor.transpose", T, 0, 1),
    call("torch.Tensor.split", T, 1),
    call("np.sum", A, 1),
    call("np.sum", A, 0, np.float32, None, True),
    call("np.std", A, 0, None, None, 1),
    call("np.max", A, 1, None, True),
    call("np.add", A, A, where=A > 2, out=A * 0),
    call("np.add", A, A, None, dtype=np.float32),
    call("np.clip", A, 2, 4),
    call("np.clip", A, min=3),
    call("np.arange", 4),
    call("np.arange", 1, 4),
    call("np.arange", start=1, stop=4),
    call("np.arange", 1, 7, 2, np.float32),
    call("np.where", A > 2, A, 0),
    call("np.concatenate", [A, A], 1),
    call("np.einsum", "ij,kj->ik", A, A),
    call("np.linalg.norm", A, None, 1, True),
    call("np.fft.fft", A, 4, 0),
    call("np.pad", A, 1, constant_values=7),
    call("np.float32", 1.5),
    call("np.ndarray.sum", A, 0, None, None, True),
    call("np.ndarray.max", A, 1, keepdims=True),
    call("np.ndarray.mean", A, 1, dtype=np.float32),
    call("np.ndarray.reshape", A, 3, 2),
    call("np.ndarray.reshape", A, (3, 2), order="F"),
    call("np.ndarray.transpose", A),
    call("np.ndarray.transpose", A, 1, 0),
    call("np.ndarray.transpose", A, (1, 0)),
    call("np.ndarray.transpose", A, None),
    call("np.ndarray.astype", A, np.int32, casting="unsafe"),
    call("np.ndarray.clip", A, max=3),
    call("np.ufunc.reduce", np.add, A, 1, keepdims=True),
    call("scipy.special.erf", A),
    call("scipy.special.logsumexp", A, 1, keepdims=True),
    call("jnp.sum", J, 1, keepdims=True),
    call("jnp.sum", J, 0, jnp.float32, None, True),
    call("jnp.add", J, J),
    call("jnp.clip", J, 2, 4),
    call("jnp.arange", 4),
    call("jnp.arange", 1, 7, 2, jnp.float32),
    call("jnp.einsum", "ij,kj->ik", J, J),
    call("jnp.linalg.norm", J, None, 1),
    call("jnp.pad", J, 1, constant_values=7),
    call("jax.Array.sum", J, 0, keepdims=True),
    call("jax.Array.reshape", J, 3, 2),
    call("jax.Array.reshape", J, (3, 2)),
    call("jax.Array.transpose", J, 1, 0),
    call("jax.Array.astype", J, jnp.int32),
    call("jax.nn.softmax", J, 0),
    call("jax.nn.gelu", J, False),
    call("jax.nn.one_hot", jnp.arange(2), 3),
    call("jax.lax.conv_general_dilated", IMAGE, KERNEL, (2, 2), "SAME", feature_group_count=1),
    call("jax.lax.select_n", J > 2, J, J * 0),
    call("jax.scipy.special.logsumexp", J, 1),
]


@pytest.mark.parametrize("name, args, kwargs", CALLS, ids=[name for name, _, _ in CALLS])
def test_a_call_means_the_same_by_canonical_names_and_with_its_defaults(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    function = runnable(name, args)
    wanted = function(*args, **kwargs)
    binding = signature(name).bind(args, kwargs)
    assert_same(replay(function, binding, {}), wanted)
    # A ufunc takes no signature beside a dtype, be both of them None.
    plain = {k: v for k, v in binding.defaults.items() if k != "signature" and not isinstance(v, Symbol)}
    assert_same(replay(function, binding, plain), wanted)


def runnable(name: str, args: tuple[Any, ...]) -> Any:
    """The function; the methods of jax.Array are abstract there, so those of the array's own class."""
    prefix, _, word = name.rpartition(".")
    return getattr(type(args[0]), word) if prefix == "jax.Array" else callee(framework_of(name) or "", name)


def replay(function: Callable[..., object], binding: Binding, defaults: dict[str, object]) -> object:
    """The call with its arguments, and `defaults`, by canonical name as far as the function takes names."""
    given, args, kwargs = defaults | binding, [], {}
    listed = {p.name: p for p in binding.overload.parameters if p.passing is not Passing.VAR_KEYWORD}
    spread = any(p.passing is Passing.VAR_POSITIONAL and p.name in binding for p in listed.values())
    for name, parameter in listed.items():
        if parameter.passing is Passing.VAR_POSITIONAL:
            args.extend(given.get(name, ()))
        elif parameter.passing is Passing.POSITIONAL_ONLY and name in given:
            args.append(given[name])
        elif parameter.passing is Passing.POSITIONAL_OR_KEYWORD and spread:
            args.append(given[name])
        elif name in given:
            kwargs[name] = given[name]
    return function(*args, **kwargs, **{name: value for name, value in given.items() if name not in listed})


def assert_same(got: Any, wanted: Any) -> None:
    if isinstance(wanted, (tuple, list)):
        assert len(got) == len(wanted)
        for one, other in zip(got, wanted):
            assert_same(one, other)
    else:
        np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))
        assert getattr(got, "dtype", None) == getattr(wanted, "dtype", None)


# torch's parser, asked by its errors --------------------------------------------------------------

#: The kinds of the types that the parser's messages name.
SAID = {
    "Tensor": "tensor",
    "tuple of Tensors": "tensors",
    "Number": "number",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "tuple of ints": "ints",
    "tuple of floats": "floats",
    "torch.dtype": "dtype",
    "torch.device": "device",
    "torch.layout": "layout",
    "torch.memory_format": "memory_format",
    "torch.Generator": "generator",
}


class Typed:
    """A value of which only its type is known, as the parser's message names it."""

    def __init__(self, type_: str) -> None:
        self.kind = SAID.get(type_)


def builtins() -> Iterator[tuple[str, Any]]:
    """Every function and method of torch that its parser serves, without the operators."""
    for name in names("torch"):
        function = callee("torch", name)
        written_in_c = type(function).__name__ in ("builtin_function_or_method", "method_descriptor")
        if written_in_c and "__" not in name:
            yield name, function


def message(function: Any, *args: object) -> str:
    try:
        function(*args, no_such_argument=1)
    except TypeError as error:
        return str(error)
    except RuntimeError:  # a builtin that the parser does not serve
        return ""
    return ""


def test_torch_lists_no_overload_that_the_data_lacks() -> None:
    told = 0
    for name, function in builtins():
        method = name.startswith("torch.Tensor.")
        said = message(function, *[T] * method)
        for listed in re.findall(r"^ \* \((.*)\)$", said, re.MULTILINE):
            told += 1
            args, kwargs = parsed(listed)
            values = [Typed("Tensor")] * method + list(args.values())
            binding = signature(name).bind(values, kwargs, lambda value: getattr(value, "kind", None))
            expected = ["self"] * method + list(args) + list(kwargs)
            assert sorted(binding) == sorted(expected), f"{name}({listed})"
    assert told > 400


def test_torch_lacks_no_argument_that_the_data_does_not_require() -> None:
    told = 0
    for name, function in builtins():
        method = name.startswith("torch.Tensor.")
        said = message(function, *[T] * method)
        if found := re.search(r"missing \d+ required positional arguments?: (.*)", said):
            told += 1
            lacking = re.findall(r'"(\w+)"', found[1])
            overloads = [overload.parameters[method:] for overload in signature(name).overloads]
            required = [[p.name for p in parameters if p.required] for parameters in overloads]
            assert lacking in required, f"{name} lacks {lacking}"
    assert told > 700


def parsed(listed: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments that the parser lists, `Tensor input, *, Tensor out = None`: by position, by name."""
    args: dict[str, Any] = {}
    kwargs: dict[str, Any] = {}
    into = args
    for part in filter(None, listed.split(", ")):
        if part == "*":
            into = kwargs
        elif found := re.fullmatch(r"([\w. ]+) (\w+)(?: = .*)?", part):
            into[found[2]] = Typed(found[1])
    return args, kwargs


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
    function: Any = callee(framework_of(name) or "", name)
    with pytest.raises(TypeError):
        function(*args, **kwargs)
    with pytest.raises(SignatureError, match=re.escape(words)) as caught:
        signature(name).bind(args, kwargs)
    assert isinstance(caught.value, TraceError)
    assert caught.value.function == name and name in str(caught.value)


# Names and functions ------------------------------------------------------------------------------


@pytest.mark.parametrize("framework", FRAMEWORKS)
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
