"""Random helpers that are called with several flags, words, keys and None, for test_versions.py."""

from __future__ import annotations

import itertools
import linecache
import random
from typing import Any

import numpy as np

#: What a helper may do with `x` and `y`, arrays of one shape.
STATEMENTS = (
    "y = x * 2",
    "y = y + x",
    "x = x - y",
    "x = x - x.mean(0)",
    "y = np.maximum(y, x * k)",
    "y = y * k",
    "z = y.sum(0)",
    "y = y + z",
    "out.append(y * 1)",
    "total = total + k",
    "y = y * total",
    'y = y * p["w"]',
    "for row in x:\n    y = y + row",
    "for i in range(3):\n    y = y * 0.5 + i",
)
#: What Python decides by its arguments.
TESTS = (
    "flag", "not flag", 'kind == "a"', 'kind in ("a", "b")', "m is None", "m is not None", '"b" in p',
    '"b" not in p', 'flag and "b" in p', 'flag or kind == "b"', "n > 1", "n == 2", "x.ndim == 2",
)  # fmt: skip
#: And what stands below such a test.
BELOW = {"m is not None": "y = y + m", '"b" in p': 'y = y + p["b"]', 'flag and "b" in p': 'x = x * p["b"]'}
CHOICES = (
    "y = x * 2 if {t} else y", "y = y if {t} else x + 1", "w = x if {t} else y", "k = k * 2 if {t} else k",
    "y = y + (x if {t} else 1)", "y = np.sqrt(np.abs(y)) if {t} else np.abs(y)",
)  # fmt: skip


def helper(rng: random.Random) -> list[str]:
    """The statements of a helper of x, p, m, flag, kind, n and k."""
    lines = ["y = x * 1", "z = y.sum(0)", "w = x", "out = []", "total = 1.0"]
    for _ in range(rng.randint(2, 6)):
        test, kind = rng.choice(TESTS), rng.random()
        if kind < 0.3:
            lines.append(rng.choice(CHOICES).format(t=test))
        elif kind < 0.65:
            inner = [BELOW.get(test, rng.choice(STATEMENTS))]
            inner += [rng.choice(STATEMENTS)] if rng.random() < 0.4 else []
            inner += ["return y * 3, x"] if rng.random() < 0.15 else []
            lines += [f"if {test}:", *(f"    {line}" for each in inner for line in each.split("\n"))]
            if rng.random() < 0.5:
                other = rng.choice(STATEMENTS).split("\n")
                lines += ["else:", *(f"    {line}" for line in other)]
        else:
            lines += rng.choice(STATEMENTS).split("\n")
    return [*lines, rng.choice(("return y, x", "return y + w, z", "y = y + sum(out)\nreturn y, x + total"))]


def calls(rng: random.Random) -> list[str]:
    """What calls it several times."""
    lines = ["h = x"]
    for number in range(rng.randint(2, 4)):
        given = [rng.choice(("x", "h", "h * 2")), f"ps[{number % 3}]"]
        given += [f"m={rng.choice(('x[0]', 'None'))}"] if rng.random() < 0.6 else []
        given += [f"flag={rng.choice(('True', 'False'))}"] if rng.random() < 0.7 else []
        given += [f"kind={rng.choice(('a', 'b', 'c'))!r}"] if rng.random() < 0.5 else []
        given += [f"n={rng.choice((1, 2))}"] if rng.random() < 0.5 else []
        given += [f"k={rng.choice((2.0, 0.5, 3))}"] if rng.random() < 0.4 else []
        lines.append(f"h, g = helper({', '.join(given)})")
        lines.append("h = h + g.sum()")
    return [*lines, "return h, g"]


_numbers = itertools.count()


def program(rng: random.Random) -> Any:
    """A function of x and ps, three dicts."""
    file = f"<versions {next(_numbers)}>"
    text = 'def helper(x, p, m=None, flag=True, kind="a", n=1, k=2.0):\n'
    text += "".join(f"    {line}\n" for each in helper(rng) for line in each.split("\n"))
    text += "def f(x, ps):\n" + "".join(f"    {line}\n" for line in calls(rng))
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {"np": np, "__name__": __name__}
    exec(compile(text, file, "exec"), module)
    return module["f"], text


def arguments(seed: int, size: int, keys: tuple[str, ...] = ("w", "wb", "b")) -> list[Any]:
    rng = np.random.default_rng(seed)

    def one(*shape: int) -> Any:
        return rng.normal(size=shape).astype(np.float32)

    return [one(size, 3), [{key: one(3) for key in each} for each in keys]]
