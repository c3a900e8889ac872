"""What a container, an attribute or a call takes without a name, computed of an array that is written into
afterwards: it is computed before, whatever it is.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools
import linecache
import zlib
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert
from tracelate.ir.values.tree import leaves

VALUES = {
    "numpy": [
        "x.max() if k > 0 else x.min()", "x.max() if x[0] > 9 else 0.0", "x.max() if x.size else 0.0",
        "(x[0] > 0) and x[1]", "k > 0 and x.sum()", "k > 9 or x.sum() > 0",
        "-(x.max() if k > 0 else x.min())", "x.sum() if k < 0 else (x.max() if k > 1 else x.min())",
        "(lambda v: v.sum() if k > 1 else v.max())(x)", "pick(x, k)", "first(x)", "both(x)[0]", "both(x)",
        "named(x)['a']", "named(x)", "float(x.sum())", "int(x[0])", "x.sum().item()", "-x[1:].sum()",
        "[v * 2 for v in x]", "sum(x)", "max(x[0], x[1])", "min(v * 1 for v in x)", "any(v > 3 for v in x)",
        "x[x > 1].sum()", "not x[0] > 0", "0 < x[0] < 9", "[x[0] * 1, {'b': x.sum()}]",
        "x * 2 if k else x - 1",
        "number(x)", "2 * number(x)", "1.0 + (number(x) if k else 0.5)", "-least(x)", "least(x) * 2 + k",
        "len(np.nonzero(x > 2)[0]) * 2", "np.nonzero(x > 2)[0].shape",
        "np.split(x * 1, 2)[0]", "np.divmod(x, 3)[0]", "np.divmod(x, 3)", "np.linalg.eigh(np.diag(x))[0]",
        "(x.max() if k else x.min(), 2)", "k * float(x[0] if k else x[1])", "len([v for v in x if v > 2])",
    ],
    "torch": [
        "x.max() if k > 0 else x.min()", "x.max() if x[0] > 9 else 0.0", "(x[0] > 0) and x[1]",
        "k > 0 and x.sum()", "-(x.max() if k > 0 else x.min())", "pick(x, k)", "first(x)", "both(x)[0]",
        "both(x)", "named(x)['a']", "float(x.sum())", "x[0].item()", "x.max(0)[0]", "x.max(0).values",
        "x.max(0)", "x.topk(2)[0]", "x.chunk(2)[0] * 1", "[v * 2 for v in x]", "sum(x)",
        "x * 2 if k else x - 1", "torch.where(x > 1, x, 0)", "x.sum().item() if k else 0.0",
        "2 * number(x)", "1 + (x.sum().item() if k else 0.0)", "-least(x)",
    ],
}  # fmt: skip
HOLDERS = [
    "h = [E]", "h = {'a': E}", "h = (E, 1.0)", "h = []; h.append(E)", "h = dict(a=E)",
    "h = Box(); h.best = E", "h = wrap(E)", "h = {}; h['k'] = E", "h = {'a': [E]}", "h = [E] + [1.0]",
    "h = E", "h = [*wrap(E)]",
    "h = kept(v=E)", "h = [0.0]; h[0] = E", "h = [1]; h.insert(0, E)",
]  # fmt: skip
WRITES = ["x += 1", "x[0] = 100", "x[:2] = x[:2] * 3", "bump(x)", "v = x[1:]; v *= 7", "x *= -1; x[1] = 2"]
HELPERS = """
class Box:
    best = None

def pick(v, k):
    return v.max() if k > 0 else v.min()

def first(v):
    if v[0] > 0:
        return v[0] * 1
    return v[1] * 1

def both(v):
    return v.max(), v.min()

def named(v):
    return {"a": v.sum(), "b": v.max()}

def number(v):
    return float(v.sum())

def least(v):
    found = 100.0
    for each in v:
        if float(each) < found:
            found = float(each)
    return found

def wrap(v):
    return [v]

def kept(v):
    return {"kept": v}

def bump(v):
    v[:2] += 3
"""
X = np.arange(1.0, 5.0, dtype=np.float32)


def program(value: str, holder: str, write: str, loop: bool) -> Any:
    held = "h.best" if "Box" in holder else "h"
    body = [*holder.replace("E", value).split("; "), *write.split("; ")]
    if loop:
        turn = ["x = x * w", *body, f"held.append({held})"]
        body, held = ["held = []", "for w in (1.0, 2.0):", *(f"    {line}" for line in turn)], "held"
    lines = ["def f(x, k):", "    x = x * 1", *(f"    {line}" for line in body), f"    return {held}, x"]
    text = HELPERS + "\n".join(lines) + "\n"
    file = f"<nested {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module = {"np": np, "torch": torch}
    exec(compile(text, file, "exec"), module)
    return module["f"]


CASES = [(s, *each) for s in VALUES for each in itertools.product(VALUES[s], HOLDERS)]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("source", "value", "holder"), CASES)
def test_what_is_held_is_of_before_the_write(source: str, value: str, holder: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    write = WRITES[zlib.crc32(f"{value} {holder}".encode()) % len(WRITES)]
    for loop in (False, True):
        fn = program(value, holder, write, loop)
        expected = fn(convert(X, source), 2)
        try:
            out = tl.transpile(fn, [convert(X, source), 2], to=to)
        except tl.UnsupportedError:
            continue
        found = out(convert(X, to), 2)
        for a, b in zip(leaves(expected), leaves(found), strict=True):
            np.testing.assert_allclose(np.asarray(b), np.asarray(a), rtol=1e-5, err_msg=out.source)
