"""Arrays that are updated anew and handed on by regions: the text writes in place where nobody sees it.

Each program hands arrays on in one way (swapped, rotated, by a branch, collected, as a view), in one kind of
loop or branch, and updates them. What it gives, and what it leaves of its arguments, is that of the source.
"""

from __future__ import annotations

import linecache
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jax import lax

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.float32([1, 2, 3, 4])
EXAMPLES = [X, -X, X[::-1] * 4]
#: An update of an array at a place, and one that writes two elements.
UPDATES = {
    "jax": ("{}.at[{} % 4].add(1)", "{}.at[1:3].set(0.5)"),
    "torch": (
        "{}.index_add(0, torch.tensor([{} % 4]), torch.ones(1))",
        "{}.index_fill(0, torch.tensor([1, 2]), 0.5)",
    ),
}
START = {
    "one": "a, b, c = x, x, x",
    "own": "a, b, c = x * 2, x * 3, x",
    "view": "a = x * 2\nb, c = a, x[::1]",
}
#: What a turn does; U(v) updates v.
TURNS = {
    "swap": "a, b = U(b), a",
    "swap back": "b, a = a, U(b)",
    "rotate": "a, b, c = b, c, U(a)",
    "rotate and branch": "a, b, c = b, c, U(a)\nif a[0] > 3:\n    b = b * 2",
    "later": "a, b = b, a\nc = a\nb = U(b)",
    "branch": "if a[0] > 3:\n    a = a - 1\na = U(a)",
    "branch of three": "if a[0] > 3:\n    a = a - 1\nelif a[1] > 3:\n    a = b\na = U(a)",
    "expression": "a = a if a[0] > 3 else b\na = U(a)",
    "swap on one way": "if a[0] > 1:\n    a, b = b, a\na = U(a)",
    "twice on one way": "if a[0] > 1:\n    b = a = a * 0.5\nelse:\n    a, b = b, b * 2\na = U(a)",
    "updated on one way": "if a[0] > 1:\n    b = a = U(a)\na = U(a)",
    "nested": "for j in range(9):\n    a, b = U(b), a\nc = U(c)",
    "nested branch": "if a[0] > 1:\n    if a[1] > 1:\n        b = a\n    a = U(a)\nb = U(b)",
    "view of it": "c = a[::1]\na = U(a)\na, b = b, a",
    "fresh": "b, a = U(a), a * 0",
}
#: Where a turn stands.
PLACES = {
    "once": "i = 1\n{turn}",
    "for": "for i in range(10):\n    {turn}",
    "for of rows": "i = 0\nfor row in x:\n    {turn}",
    "collected": "rows = []\nfor i in range(10):\n    {turn}\n    rows.append(a)\n    rows.append(b)",
    "while": "i = 0\nwhile i < 10 and a[3] < 99:\n    {turn}\n    i += 1",
    "left early": "for i in range(10):\n    {turn}\n    if a[0] > 50:\n        break",
}
LAST = ("", "a = U(a)", "b = U(b)\nc = U(c)")
#: Programs of JAX's own regions, which take functions.
LAX = {
    "fori swap": "a, b = lax.fori_loop(0, 9, lambda i, s: (s[1].at[i % 4].add(1), s[0]), (x, x))",
    "fori rotate": "a, b, c = lax.fori_loop(0, 9, lambda i, s: (s[1].at[0].add(1), s[2], s[0]), (x, x, x))",
    "fori in fori": "a, b = lax.fori_loop(0, 3, lambda i, s: lax.fori_loop(0, 2, lambda j, d: "
    "(d[1].at[j].add(1), d[0]), s), (x, x * 2))",
    "double buffer": "a, b = lax.fori_loop(0, 9, lambda i, s: (s[1].at[:].set(s[0] + 1), s[0]), (x, x * 0))",
    "scan": "a, b = lax.scan(lambda s, t: (s.at[0].add(t), s), x, x)",
    "scan swap": "(a, b), c = lax.scan(lambda s, t: ((s[1].at[0].add(t), s[0]), s[0]), (x, x), x)",
    "scan view": "a, b = lax.scan(lambda s, t: (s.at[0].add(t), s[:2]), x * 1, x)",
    "while cond": "a, _ = lax.while_loop(lambda s: s[1] < 9, lambda s: (lax.cond(s[0].sum() > 10, "
    "lambda v: v * 0.5, lambda v: v, s[0]).at[0].add(1), s[1] + 1), (x, 0))",
    "cond twice": "a, b = lax.cond(x[0] > 0, lambda p, q: (p, p.at[0].set(9)), "
    "lambda p, q: (q, q), x * 2, x)",
    "cond both": "a, b = lax.cond(x[0] > 0, lambda p: (p, p), lambda p: (p * 2, p), x * 2)",
    "cond updated": "p = x * 2\na, b = lax.cond(x[0] > 0, lambda p: (lambda z: (z, z))(p.at[0].set(7)), "
    "lambda p: (p, p * 2), p)",
    "cond view": "a, b = lax.cond(x[0] > 0, lambda p: (p, p[1:]), lambda p: (p * 2, p[:3]), x * 2)",
    "cond updated view": "a, b = lax.cond(x[0] > 0, lambda p: (lambda z: (z, z[1:]))(p.at[0].set(7)), "
    "lambda p: (lambda z: (z, z[1:]))(p.at[1].set(8)), x * 2)",
}
IN_LAX = ("", "a = a.at[1].set(50)", "b = b.at[0].set(60)", "a = a.at[0].set(1)\nb = b.at[0].add(a[0])")


#: Writes through views of views, which are results.
VIEWS = {
    "first": "c[0] = 50",
    "through each": "d = c[1:]\nd[0] = 50\nc[0] = 7\nb += 1\nd *= 2",
    "in a loop": "for i in range(12):\n    c[i % 2] += i",
}


def updated(text: str, source: str) -> str:
    """With an update for each U(v), one kind after the other."""
    for count in range(text.count("U(")):
        start = text.index("U(")
        name = text[start + 2]
        text = text[:start] + UPDATES[source][count % 2].format(name, "i") + text[start + 4 :]
    return text


def program(body: str, result: str) -> Any:
    """A function of x, of these lines."""
    lines = [*body.splitlines(), f"return {result}"]
    source = "def f(x):\n" + "".join(f"    {line}\n" for line in lines)
    file = f"<lending {hash(source)}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    module: dict[str, Any] = {"jnp": jnp, "lax": lax, "torch": torch}
    exec(compile(source, file, "exec"), module)
    return module["f"]


def judge(f: Any, source: str, to: str) -> None:
    """Translate for a target; compare results and arguments afterwards, before and after the caller has
    written into the results.
    """
    out = tl.transpile(f, [convert(X, source)], to=to)
    for example in EXAMPLES:
        mine, theirs = convert(example.copy(), source), convert(example.copy(), to)
        results, got = f(mine), out(theirs)
        different = [*compare(results, got), *compare(mine, theirs)]
        assert not different, f"{different[0]}\n{out.source}"
        for value, made in zip(results, got) if source != "jax" else ():
            value += 100
            made += 100
        different = [*compare(results, got), *compare(mine, theirs)]
        assert not different, f"written into a result: {different[0]}\n{out.source}"


def texts(source: str) -> list[tuple[str, str]]:
    found = []
    for number, (start, turn, place) in enumerate((s, t, p) for s in START for t in TURNS for p in PLACES):
        indent = "\n" if place == "once" else "\n    "
        body = PLACES[place].format(turn=TURNS[turn].replace("\n", indent))
        text = "\n".join(filter(None, (START[start], body, LAST[number % len(LAST)])))
        module = "jnp" if source == "jax" else "torch"
        rows = f", {module}.stack(rows)" if place == "collected" else ""
        found.append((updated(text, source), f"a, b, c, x{rows}"))
    return found


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(
    ("source", "body", "result"), [(source, *text) for source in UPDATES for text in texts(source)]
)
def test_what_is_updated_in_a_region_is_nobody_elses(source: str, body: str, result: str, to: str) -> None:
    judge(program(body, result), source, to)


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("last", IN_LAX)
@pytest.mark.parametrize("body", LAX.values(), ids=list(LAX))
def test_what_regions_of_jax_hand_on_is_nobody_elses(body: str, last: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    names = "a, x" if "b" not in body.split("=")[0] else "a, b, x"
    if "b" in last and names == "a, x":
        return
    judge(program("\n".join(filter(None, (body, last))), names), "jax", to)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("start", ["a = x * 2", "a = x"])
@pytest.mark.parametrize("writes", VIEWS.values(), ids=list(VIEWS))
def test_a_view_of_a_view_is_one_after_a_write(writes: str, start: str, source: str, to: str) -> None:
    judge(program(f"{start}\nb = a[1:]\nc = b[:2]\n{writes}", "a, b, c, x"), source, to)
