"""Results of one region that are one array, or an array and a view of it, which was made inside: a write into
the one shows in the other, or is refused."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import linecache
import textwrap
from typing import Any

import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl

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


def rows() -> list[Any]:
    found = []
    for source, ways in SHARED.items():
        for region, text in REGIONS.items():
            for one, two in ways if "{one}" in text else ways[:1]:
                made = text.format(one=one, two=two)
                found.append(pytest.param(source, region, made, id=f"{source}: {region}, {one}, {two}"))
    return found


def agrees_or_refuses(source: str, to: str, name: str, text: str, write: str, use: str) -> None:
    """It gives what the program gives, whatever way it goes, or is refused at the write."""
    f = program(name, text, write, use)
    try:
        agrees_or_raises(f, source, (X,), OTHERS, to)
    except tl.UnsupportedError as error:
        assert "memory" in str(error) and write in str(error) or to == "jax" and SHAPES in str(error), error


@pytest.mark.sampled(3)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(("source", "region", "text"), rows())
def test_a_write_into_one_result_shows_in_another_or_is_refused(source, region, text, write) -> None:
    agrees_or_refuses(source, "numpy", region, text, write, "return z, w")


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(("source", "region", "text"), rows())
def test_also_in_other_frameworks(source, region, text, write) -> None:
    for to in ("torch", "jax"):
        agrees_or_refuses(source, to, region, text, write, "return z, w")


@pytest.mark.parametrize("region", ["if", "for", "break", "collected", "helper"])
def test_also_in_jax(region) -> None:
    text = REGIONS.get(region, REGIONS["a helper"]).format(one="w = z", two="w = z * 1")
    agrees_or_refuses("numpy", "jax", region, text, "z *= 10", "return z, w")


@pytest.mark.parametrize("to", ["numpy", "torch", pytest.param("jax", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("source", "region", "text"), rows())
def test_what_nobody_writes_into_stays(source, region, text, to) -> None:
    try:
        agrees_or_raises(program(region, text, "return z + w.sum(), w"), source, (X,), OTHERS, to)
    except tl.UnsupportedError as error:
        assert to == "jax" and SHAPES in str(error)


@pytest.mark.parametrize("region", [r for r in REGIONS if "helper" not in r])
def test_a_copy_may_be_written_into(region) -> None:
    text = REGIONS[region].format(one="w = z", two="w = z * 1")
    for rest in ("z = z.copy()\nz[1] = 50\nreturn z, w", "w = w.copy()\nw *= 10\nreturn z, w"):
        agrees_or_raises(program(region, text, rest), "numpy", (X,), OTHERS, "numpy")


ACCEPTED = plain({
    "what is one on every way": """
        if x[0] > 0:
            z = x * 2
            w = z
        else:
            z = x * 3
            w = z
        z[1] = 50
        w *= 2
    """,
    "the same view on every way": """
        if x[0] > 0:
            z = x * 2
            w = z[1:]
        else:
            z = x * 3
            w = z[1:]
        z[1] = 50
        w *= 2
    """,
    "the same row on every way": """
        m = x.reshape(1, 3)
        if x[0] > 0:
            z = m / m.sum(axis=1, keepdims=True)
            w = z[0]
        else:
            z = np.ones_like(m)
            w = z[0]
        z *= 100
        w[1] = 7
    """,
    "copies": """
        z, w = x * 2, x * 3
        for i in range(12):
            z = z + x
            w = z.copy()
        z[1] = 50
        w *= 2
    """,
    "the value of the turn before": """
        z, w = x * 2, x * 0
        for i in range(12):
            w = z
            z = z + x
        z *= 2
    """,
    "a copy that is collected": """
        z, w = x * 2, []
        for i in range(12):
            z = z + x
            w.append(z.copy())
        z *= 2
    """,
    "what is read before the write": """
        z, out = x * 2, []
        for i in range(12):
            z = z + x
            out.append(z)
        w = np.stack(out)
        z *= 2
    """,
    "a sum before the write": """
        if x[0] > 0:
            z = x * 2
            w = z
        else:
            z = x * 3
            w = z * 1
        w = w.sum()
        z *= 2
    """,
    "a list that was returned before": """
        z, out = x * 2, []
        for i in range(12):
            z = z + x
            out.append(z)
        w = out
    """,
})  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("name", ACCEPTED)
def test_writes_of_which_it_is_certain_what_they_change(name, to) -> None:
    agrees_or_raises(program(name, ACCEPTED[name], "return z, w"), "numpy", (X,), OTHERS, to)


def test_a_turn_does_not_write_into_what_an_earlier_one_has_handed_on() -> None:
    turn = "if x[i % 3] > 1:\n        w = x * i\n    w[0] = 1\n    z = z + 1\n    w = z"
    text = f"z, w = x * 2, x * 3\nfor i in range(12):\n    {turn}"
    agrees_or_refuses("numpy", "numpy", "turn", text, "w[0] = 1", "return z, w")


def test_a_result_may_be_what_another_name_was_before_the_loop() -> None:
    def f(x, n):
        z, w = x, x * 3
        for _ in range(n):
            w = z
            z = z + 1
        w[0] = 5
        return z, w

    with pytest.raises(tl.UnsupportedError, match="memory"):
        tl.transpile(f, (X, 12), to="numpy")


@pytest.mark.parametrize("text", [
    "if x[0] > 0:\n    d = {'a': x * 1}\n    e = d\nelse:\n    d, e = {'a': x * 3}, {'a': x * 4}",
    "d, e = {'a': x * 1}, {'a': x * 2}\nfor i in range(12):\n    d = {'a': d['a'] + x}\n    e = d",
])  # fmt: skip
@pytest.mark.parametrize("source", ["numpy", "torch"])
def test_one_dict_under_two_names_is_not_changed(text, source) -> None:
    with pytest.raises(tl.UnsupportedError, match="may stand for"):
        tl.transpile(program("dicts", text, "d['a'] = x * 5", "return d, e"), (X,), to="numpy")
    agrees_or_raises(program("dicts", text, "return d, e"), source, (X,), OTHERS, "numpy")


@pytest.mark.parametrize("region", REGIONS)
def test_results_that_may_be_one_object_are_not_told_apart(region) -> None:
    f = program(region, REGIONS[region].format(one="w = z", two="w = z * 1"), "return z is w")
    try:
        agrees_or_raises(f, "numpy", (X,), OTHERS, "numpy")
    except tl.UnsupportedError as error:
        assert "one object" in str(error)


def test_an_element_of_a_list_is_not_told_apart_from_what_the_loop_carries() -> None:
    collected = REGIONS["collected"].format()
    for asked in ("out[-1] is z", "out[0] is out[0]", "out[0] is out[1]"):
        with pytest.raises(tl.UnsupportedError, match="one object"):
            tl.transpile(program("asked", collected, f"return {asked}, z"), (X,), to="numpy")
    new = program("asked", collected, "y = x + 1", "return out[0] is y, y")
    agrees_or_raises(new, "numpy", (X,), OTHERS, "numpy")


LATER = {
    "in a branch": "if x[0] > 0:\n    z[0] = 5",
    "in a loop": "while z.sum() < 200 and z.sum() > 0:\n    z += 5",
    "after another loop": "for i in range(12):\n    z = z * 2\nz += 1",
}


@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("later", LATER)
def test_later_writes_are_refused_only_where_the_other_result_is_used_then(later, to) -> None:
    before = REGIONS["collected"].format() + "\ns = np.stack(out)"
    agrees_or_raises(program(later, before, LATER[later], "return z, s"), "numpy", (X,), OTHERS, to)
    after = program(later, before, LATER[later], "return z, out[-1]")
    if later == "after another loop":
        agrees_or_raises(after, "numpy", (X,), OTHERS, to)
    else:
        with pytest.raises(tl.UnsupportedError, match="memory"):
            tl.transpile(after, (X,), to=to)
