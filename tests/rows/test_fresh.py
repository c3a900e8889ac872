"""Emitted files in a process of their own, in which neither tracelate nor, for NumPy, torch and JAX can be
imported.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate.api as api
from tracelate.backends.arrays import compare, convert, map_arrays
from tracelate.backends.backend import framework_of

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((4, 6)).astype(np.float32), RNG.standard_normal((6, 5)).astype(np.float32)
INDICES = RNG.integers(0, 4, (3,))
TABLE = RNG.standard_normal((6, 40)).astype(np.float32)

#: A function for each way in which a file needs something: imports, helpers, its own arrays, functions,
#: containers.
FUNCTIONS: dict[str, tuple[Callable[..., Any], Any]] = {}


def written_for(framework: str, *arrays: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def keep(fn: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS[fn.__name__] = fn, [convert(array, framework) for array in arrays]
        return fn

    return keep


@written_for("torch", X, Y)
def layer(x, w):
    h = torch.tanh(x @ w)
    return torch.softmax(h, dim=-1) + h.mean()


@written_for("torch", X)
def statistics(x):
    return {
        "mean": x.mean(0),
        "std": torch.std(x, dim=0),
        "top": torch.topk(x, 2).values,
        "range": (x.amax(), x.amin()),
    }


@written_for("torch", X)
def helped(x):
    return torch.erf(x) + torch.sigmoid(x), torch.logsumexp(x, 1)


@written_for("torch", X, INDICES)
def picked(x, i):
    return x[i, ::2], x.flip(0)[..., None], torch.cat([x, x[i]], dim=0)


@written_for("numpy", X)
def standardised(x):
    centred = x - np.mean(x, axis=0)
    return centred / np.sqrt(np.var(x, axis=0, ddof=1) + np.float32(1e-5))


@written_for("numpy", X, INDICES)
def sorted_rows(x, i):
    order = np.argsort(x[:, 0], kind="stable")
    return x[order], np.cumsum(i), np.where(x > 0, x, np.float32(0))


@written_for("numpy", X)
def bound(x):
    return x @ TABLE


def twice(x):
    return x + x


@written_for("numpy", X)
def calling(x):
    return twice(np.exp(-twice(x)))


@written_for("numpy", X)
def special(x):
    return np.clip(x, -np.inf, 0.5), np.full((2,), np.nan, np.float32), np.sum(x > 0)


@written_for("jax", X, Y)
def attention(q, k):
    scores = jnp.matmul(q, k) / 2.0
    return jax.nn.softmax(scores, axis=-1)


@written_for("jax", X)
def shapes(x):
    return jnp.pad(x, ((1, 0), (0, 2))).reshape(2, -1).T, jnp.split(x, 2, axis=1)


@written_for("jax", X)
def optional(x, y=None):
    return jnp.sin(x) if y is None else jnp.sin(x) + y


#: Runs every file of its folder on arguments from arguments.npz, and writes what comes out to results.npz.
RUNNER = """
import importlib.abc, importlib.util, json, pathlib, sys

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ImportError(name + " is not to be imported here")

sys.meta_path.insert(0, Blocked())
import numpy as np

def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [v for part in value for v in leaves(part)]
    return [np.asarray(value)]

folder = pathlib.Path(sys.argv[1])
plan, given, found = json.loads((folder / "plan.json").read_text()), np.load(folder / "arguments.npz"), {}
for name, (arguments, bound) in plan.items():
    spec = importlib.util.spec_from_file_location(name, folder / (name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    keywords = {k: OWN(given[a]) for k, a in bound.items()}
    made = getattr(module, name)(*[OWN(given[a]) for a in arguments], **keywords)
    found |= {f"{name}.{i}": leaf for i, leaf in enumerate(leaves(made))}
np.savez(folder / "results.npz", **found)
left = sorted(m for m in BLOCKED if m in sys.modules)
assert not left, left
"""
OWN = {
    "numpy": "np.array",
    "jax": "__import__('jax.numpy').numpy.asarray",
    "torch": "__import__('torch').tensor",
}
BLOCKED = {
    "numpy": ("tracelate", "torch", "jax"),
    "jax": ("tracelate", "torch"),
    "torch": ("tracelate", "jax"),
}


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_emitted_files_run_alone(to: str, tmp_path: Path) -> None:
    plan: dict[str, Any] = {}
    given: dict[str, Any] = {}
    for name, (fn, arrays) in FUNCTIONS.items():
        out = api.transpile(fn, arrays, to=to)
        (tmp_path / f"{name}.py").write_text(out.source, encoding="utf-8")
        arguments = {f"{name}.{i}": np.asarray(array) for i, array in enumerate(arrays)}
        params = {key: f"{name}.{key}" for key in out.params}
        given |= arguments | {params[key]: np.asarray(value) for key, value in out.params.items()}
        plan[name] = list(arguments), params
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    np.savez(tmp_path / "arguments.npz", **given)
    script = tmp_path / "run.py"
    script.write_text(RUNNER.replace("BLOCKED", repr(BLOCKED[to])).replace("OWN", OWN[to]))
    done = subprocess.run(
        [sys.executable, "-I", str(script), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    got = np.load(tmp_path / "results.npz")
    for name, (fn, arrays) in FUNCTIONS.items():
        expected = leaves(fn(*arrays))
        for i, leaf in enumerate(expected):
            found = list(compare(leaf, got[f"{name}.{i}"], narrowed=to == "jax"))
            assert not found, f"{name}[{i}]: {found[0]}\n{(tmp_path / f'{name}.py').read_text()}"


def leaves(value: Any) -> list[Any]:
    found: list[Any] = []
    map_arrays(value, found.append)
    return found


def test_there_is_a_dozen_from_every_framework() -> None:
    assert len(FUNCTIONS) == 12
    assert {framework_of(arrays[0]) for _, arrays in FUNCTIONS.values()} == {"numpy", "jax", "torch"}
