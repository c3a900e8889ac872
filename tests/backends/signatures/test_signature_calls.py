"""The signature data against calls: by canonical names, and with its defaults, a call means the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from signature_arrays import A, J, T

from tracelate.backends.backend import speaker
from tracelate.backends.signatures import Binding, Passing, Symbol, callee, signature

IMAGE, KERNEL = np.ones((1, 2, 5, 5), np.float32), np.ones((3, 2, 3, 3), np.float32)
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
    if prefix == "jax.Array":
        return getattr(type(args[0]), word)
    return callee(speaker(name) or "", name, load=True)


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
