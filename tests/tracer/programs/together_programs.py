"""Regions with results that are one array, or an array and a view of it, writes into these, and the programs
that are made of such texts: for test_together.py and test_together_certain.py.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import linecache
import textwrap
from typing import Any

import numpy as np
import torch

NAMES = {"np": np, "torch": torch}


def plain(texts: dict[str, str]) -> dict[str, str]:
    return {name: textwrap.dedent(text).strip() for name, text in texts.items()}


#: Regions that give z and w: `{one}` makes them one, or lie together, and `{two}` apart.
REGIONS = plain({
    "if": """
        if x[0] > 0:
            z = x * 2
            {one}
        else:
            z = x * 3
            {two}
    """,
    "if, always": """
        if x[0] > 0:
            z = x * 2
            {one}
        else:
            z = x * 3
            {one}
    """,
    "within try": """
        try:
            if x[0] > 0:
                z = x * 2
                {one}
            else:
                z = x * 3
                {two}
        finally:
            k = 1
    """,
    "for": """
        z = x * 2
        w = x * 3
        for i in range(12):
            z = z + x
            {one}
    """,
    "an if in a for": """
        z, w = x * 2, x * 3
        for i in range(12):
            z = z - x * i
            if x[i % 3] > 1:
                {one}
    """,
    "break": """
        z, w = x * 2, x * 3
        for i in range(12):
            if x[i % 3] > 1:
                z = x * i
                {one}
                break
    """,
    "continue": """
        z, w = x * 2, x * 3
        for i in range(12):
            if x[i % 3] > 1:
                z = x * i
                {one}
                continue
            z = x + i
            {two}
    """,
    "unrolled": """
        z, w = x * 2, x * 3
        for i in range(3):
            if x[i] > 1:
                z = x * i
                {one}
    """,
    "while": """
        z, w = x * 2, x * 3
        while z.sum() < 40 and z.sum() > -40:
            z = z + x + 1
            {one}
    """,
    "a turn before": """
        z, v, w = x * 2, x * 3, x * 4
        for i in range(12):
            w = v
            v = x * i
            z = v
            {one}
    """,
    "expression": "z, w = pair(x * 2) if x[0] > 0 else (x * 3, x * 4)",
    "items": """
        d = {{}}
        if x[0] > 0:
            d['z'] = x * 2
            d['w'] = d['z']
        else:
            d['z'], d['w'] = x * 3, x * 4
        z, w = d['z'], d['w']
    """,
    "attributes": """
        if x[0] > 0:
            z = x * 2
            p = Pair(z, z)
        else:
            p = Pair(x * 3, x * 4)
        z, w = p.z, p.w
    """,
    "a list": "p = [x * 2] * 2 if x[0] > 0 else [x * 3, x * 4]\nz, w = p",
    "collected": """
        z, out = x * 2, []
        for i in range(12):
            z = z + x
            out.append(z)
        w = out[-1]
    """,
    "collected before": """
        z, y, out = x * 2, x * 0, []
        for i in range(12):
            z = y
            y = x * i
            out.append(y)
        w = out[-2]
    """,
    "collected twice": """
        y, out = x * 0, []
        for i in range(12):
            if x[i % 3] > 100:
                y = x * i
            out.append(y)
        z, w = out[0], out[1]
    """,
    "collected in two lists": """
        out, more = [], []
        for i in range(12):
            y = x * i
            out.append(y)
            more.append(y)
        z, w = out[3], more[3]
    """,
    "a helper": "z, w = helper(x)",
    "a helper with a loop": "z, w = looping(x)",
})  # fmt: skip
#: How w lies in z, and how it does not.
SHARED = {
    "numpy": [
        ("w = z", "w = z.copy()"), ("w = z", "w = z * 1"), ("w = z[1:]", "w = z[1:] * 1"),
        ("w = z[1:]", "w = z[:2]"), ("w = z[::-1]", "w = z * 2"),
        ("w = np.expand_dims(z, 0)", "w = np.expand_dims(x, 0) * 2"),
    ],
    "torch": [
        ("w = z", "w = z.clone()"), ("w = z.view(-1)", "w = z.clone()"), ("w = z[1:]", "w = z[1:] * 1"),
    ],
}  # fmt: skip
WRITES = {"z[1] = 50": "z", "z *= 10": "z", "w += 5": "w", "w[0] = 60": "w"}
X = np.array([1, 2, 3], "float32")
#: Why JAX has no loop in which w is of one shape before it and of another after.
SHAPES = "of shape"
OTHERS = ((-X,), (X * 0.5,), (X[::-1].copy(),))


class Pair:
    def __init__(self, z, w):
        self.z, self.w = z, w


def pair(a):
    return a, a


def helper(x):
    if x[0] > 0:
        z = x * 2
        w = z
    else:
        z = x * 3
        w = z * 2
    return z, w


def looping(x):
    z, w = x * 2, x * 3
    for i in range(12):
        z = z + x
        w = z
    return z, w


def program(name: str, *lines: str) -> Any:
    text = "def f(x):\n" + "".join(f"    {line}\n" for part in lines for line in part.split("\n"))
    file = f"<{name} {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module = {**NAMES, "Pair": Pair, "pair": pair, "helper": helper, "looping": looping, "__name__": __name__}
    exec(compile(text, file, "exec"), module)
    return module["f"]
