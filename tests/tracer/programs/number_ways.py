"""How a number gets from an argument to an op, and what is done with it there: programs for
test_number_ways.py.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import linecache
import math
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
import torch

MODULES = {"numpy": np, "jax": jnp, "torch": torch}


@dataclass
class Held:
    k: float


#: What is done with `s` for `k`, by the name of the way. A way of several lines has the lines of a body.
WAYS = {
    "direct": "k = s",
    "sum": "k = s + 1",
    "negative": "k = -s",
    "abs": "k = abs(s)",
    "max": "k = max(s, 1)",
    "floor": "k = s // 1",
    "conjugate": "k = s.conjugate()",
    "real": "k = s.real",
    "if": "k = 1\nif s > 0:\n    k = s",
    "if an array": "k = 1\nif x[0] > 0:\n    k = s",
    "expression": "k = s if s > 0 else 1",
    "expression of an array": "k = s if x[0] > 0 else 1",
    "or": "k = s or 2",
    "and": "k = s and s + 1",
    "while": "k = s\nwhile k > 10:\n    k = k - 3",
    "for": "k = 0\nfor i in range(12):\n    k = k + s",
    "short for": "k = 0\nfor i in range(3):\n    k = k + s",
    "handed on": "a = b = k = 1\nfor i in range(12):\n    k = b\n    b = a\n    a = s",
    "break": "k = 1\nfor i in range(12):\n    if i > s:\n        k = s\n        break",
    "swap": "k, b = s, 1\nif k < b:\n    k, b = b, k",
    "helper": "def twice(v):\n    return 2 * v\nk = twice(s)",
    "two returns": "def chosen(v):\n    if v > 0:\n        return v\n    return 1\nk = chosen(s)",
    "closure": "def own():\n    return s if s > 0 else 1\nk = own()",
    "pair": "def pair(v):\n    return 1, v\n_, k = pair(s)",
    "loop in a helper": (
        "def total(v):\n    t = 0\n    for i in range(12):\n        t = t + v\n    return t\nk = total(s)"
    ),
    "listed": "found = []\nfound.append(s)\nk = sum(found)",
    "in a dict": 'found = {"a": 1}\nif x[0] > 0:\n    found["a"] = s\nk = found["a"]',
}
#: Ways of an argument that holds the number.
HELD = {
    "dict item": ({"k": 0}, 'k = s["k"]'),
    "list item": ([0], "k = s[0]"),
    "attribute": (Held(0), "k = s.k"),
    "joined item": ({"k": 0}, 'k = s["k"] or 2'),
    "sum of a list": ([0, 0], "k = sum(s)"),
    "max of a list": ([0, 0], "k = 0\nfor v in s:\n    k = max(k, v)"),
    "dict in a helper": ({"k": 0}, 'def item(p):\n    return p["k"] or 2\nk = item(s)'),
}
#: What is done with it, by framework; `np` stands for the framework's module.
USES = {
    "times": {"": "return x * k"},
    "array": {"": "return np.array([k, 1]) * x[:2]", "torch": "return np.tensor([k, 1]) * x[:2]"},
    "made": {"": "return np.array([k, 1])", "torch": "return np.tensor([k, 1])"},
    "full": {"": "return np.full((3,), k)"},
    "arange": {"": "return np.arange(k)"},
    "where": {"": "return np.where(x > 1, x, k)"},
    "maximum": {"": "return np.maximum(x, k)", "torch": "return np.clamp(x, min=k)"},
    "clip": {"": "return np.clip(x, 0, k)", "torch": "return np.clamp(x, 0, k)"},
    "asarray": {"": "return np.asarray(k)", "torch": "return np.tensor(k)"},
    "set": {
        "": "x = x.copy()\nx[0] = k\nreturn x", "torch": "x = x.clone()\nx[0] = k\nreturn x",
        "jax": "return x.at[0].set(k)",
    },
    "added in place": {
        "": "x = x.copy()\nx += k\nreturn x", "torch": "x = x.clone()\nx += k\nreturn x",
        "jax": "return x.at[0].add(k)",
    },
    "compared": {"": "return x > k"},
    "divided": {"": "return x / k"},
    "asked": {"": "return x * (2 if isinstance(k, int) else 3)"},
    "rounded": {"": "return x * int(k)"},
}  # fmt: skip
CASES = [(source, way, use) for source in MODULES for way in (*WAYS, *HELD, "default") for use in USES]


def program(source: str, way: str, use: str) -> Any:
    """A program of an array `x` and a number `s`, or what holds one."""
    lines = "k = s" if way == "default" else WAYS[way] if way in WAYS else HELD[way][1]
    said = USES[use].get(source, USES[use][""])
    body = "".join(f"    {line}\n" for line in f"{lines}\n{said}".split("\n"))
    text = f"def f(x, s{'=2' * (way == 'default')}):\n{body}"
    return defined(text, f"<number ways {source} {way} {use}>", source)


def defined(text: str, file: str, source: str) -> Any:
    """The function `f` of a text in which `np` stands for a framework's module."""
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {"np": MODULES[source], "math": math}
    exec(compile(text, file, "exec", dont_inherit=True), module)
    return module["f"]


def given(way: str, number: float) -> Any:
    """What is given for `s`."""
    if way not in HELD:
        return number
    kind = HELD[way][0]
    if isinstance(kind, Held):
        return Held(number)
    return {"k": number} if isinstance(kind, dict) else [number] * len(kind)
