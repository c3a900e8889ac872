"""Random loops over lists and dicts of arrays, of several ranks, for test_rolled.py."""

from __future__ import annotations

import itertools
import linecache
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

#: How a loop begins, what one calls the places of items in it, and whether that is a key.
OF_LISTS = (
    ("for i, (p, g) in enumerate(zip(params, grads)):", "i"),
    ("for i, p in enumerate(params):", "i"),
    ("for i in range(len(params)):", "i"),
    ("for p, g in zip(params, grads):", ""),
    ("for p in params:", ""),
)
OF_DICTS = (
    ("for k, p in params.items():", "k"),
    ("for k in params:", "k"),
    ("for k, p in sorted(params.items()):", "k"),
    ("for p in params.values():", ""),
)
#: What may stand in a turn; {p} and {g} are items, {k} where they are.
STATEMENTS = (
    "g = {g} * 2",
    "h = {p} + {g}",
    "p = {p} * 0.5",
    "{p} -= lr * {g}",
    "{p} *= 2",
    "m[{k}] *= 0.9",
    "m[{k}] += (1 - 0.9) * {g}",
    "m[{k}] = m[{k}] + {g}",
    "m[{k}] = {p} * 1",
    "total += float({p}.sum())",
    "total = total + {g}.sum()",
    "total = total * lr",
    "before = {p}.sum()",
    "total = total + before",
    "total, before = before, total",
    "out.append({p} * {g})",
    "out.append({p})",
    "out.append(total * 1.0)",
    "new[{k}] = {p} + total",
    "new[{k}] = {g}",
    "w, v = {p}, {g}",
    "w += v",
    "{p}[...] = {g}",
)
#: Tests that Python decides while tracing, and some that it does not.
TESTS = (
    "{p}.ndim > 1",
    "{p}.ndim == 1",
    "{k} == 0",
    "{k} > 0 and lr",
    "{k} < len(params) - 1",
    "{k}.endswith('b')",
    "lr and not {k}.endswith('b')",
    "{k} == 'a'",
    "lr > 0.2",
    "total > 3",
)

#: What takes one of two things by such a test.
CHOICES = (
    "g = {g} * 2 if {t} else {g}",
    "total = total if {t} else total + {g}.sum()",
    "before = total if {t} else before",
    "total = before if {t} else {p}.sum()",
    "before = {g}.sum() if {t} else total",
    "before = before * 2 if {t} else total * lr",
    "out.append({g} if {t} else {p} + 1)",
)


def written(rng: random.Random) -> tuple[str, bool]:
    """A program, and whether it goes through dicts."""
    dicts = rng.random() < 0.4
    lines = ["total = 0.0", "before = 1.0", "out = []", "new = {}"]
    for _ in range(rng.choice((1, 1, 1, 2))):
        header, place = rng.choice(OF_DICTS if dicts else OF_LISTS)
        lines += loop(rng, header, place, dicts)
    if rng.random() < 0.3:
        copies = "{k: g * 1 for k, g in grads.items()}" if dicts else "[g * 1 for g in grads]"
        lines.insert(4, f"grads = {copies}")
    kept = rng.sample(["params", "total", "out", "new", "before", "m"], 4)
    return "\n".join([*lines, f"return {', '.join(kept)}"]), dicts


def loop(rng: random.Random, header: str, place: str, dicts: bool) -> list[str]:
    bound = header.split(" in ")[0]
    words = {
        "k": place,
        "p": "p" if "p" in bound else f"params[{place}]" if place else "",
        "g": "g" if "g" in bound else f"grads[{place}]" if place else "",
    }

    def says(text: str) -> bool:
        """Whether there are words for all of it, and keys are asked what keys can say."""
        known = all(words[w] for w in "kpg" if f"{{{w}}}" in text)
        of_keys, of_numbers = "'" in text, "{k}" in text and any(sign in text for sign in "<>0")
        return known and not (of_keys and not dicts) and not (of_numbers and dicts)

    def one(pool: Sequence[str]) -> str:
        return rng.choice([*filter(says, pool)]).format(**words, t="{t}")

    lines = [header]
    for _ in range(rng.randint(1, 5)):
        if rng.random() < 0.3:
            inner = "continue" if rng.random() < 0.15 else one(STATEMENTS)
            lines += [f"    if {one(TESTS)}:", f"        {inner}"]
            if rng.random() < 0.3 and "continue" not in lines[-1]:
                lines += ["    else:", f"        {one(STATEMENTS)}"]
        elif rng.random() < 0.3:
            lines.append(f"    {one(CHOICES).replace('{t}', one(TESTS))}")
        else:
            lines.append(f"    {one(STATEMENTS)}")
    return lines


_numbers = itertools.count()


def program(text: str) -> Any:
    """A function of params, grads, m and lr of these lines."""
    file = f"<rolled {next(_numbers)}>"
    whole = "def f(params, grads, m, lr=0.5):\n" + "".join(f"    {line}\n" for line in text.splitlines())
    linecache.cache[file] = len(whole), None, whole.splitlines(True), file
    module: dict[str, Any] = {"np": np, "__name__": __name__}
    exec(compile(whole, file, "exec"), module)
    return module["f"]


def arguments(ranks: Sequence[int], dicts: bool, seed: int = 0) -> list[Any]:
    """params, grads and m, with arrays of these ranks."""
    rng = np.random.default_rng(seed)
    each = [[rng.normal(size=(2, 3)[:rank] or ()).astype(np.float32) for rank in ranks] for _ in range(3)]
    return [dict(zip("abcd", arrays)) if dicts else arrays for arrays in each]
