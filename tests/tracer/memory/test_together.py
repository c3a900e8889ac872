"""Results of one region that are one array, or an array and a view of it, which was made inside: a write into
the one shows in the other, or is refused."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import pytest
from together_programs import OTHERS, REGIONS, SHAPES, SHARED, WRITES, X, program
from ways import agrees_or_raises

import tracelate as tl


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


@pytest.mark.covering
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(("source", "region", "text"), rows())
def test_a_write_into_one_result_shows_in_another_or_is_refused(source, region, text, write) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    agrees_or_refuses(source, "numpy", region, text, write, "return z, w")


@pytest.mark.covering
@pytest.mark.slow
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(("source", "region", "text"), rows())
def test_also_in_other_frameworks(source, region, text, write) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    for to in ("torch", "jax"):
        agrees_or_refuses(source, to, region, text, write, "return z, w")


@pytest.mark.parametrize("region", ["if", "for", "break", "collected", "helper"])
def test_also_in_jax(region) -> None:
    text = REGIONS.get(region, REGIONS["a helper"]).format(one="w = z", two="w = z * 1")
    agrees_or_refuses("numpy", "jax", region, text, "z *= 10", "return z, w")


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", pytest.param("jax", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("source", "region", "text"), rows())
def test_what_nobody_writes_into_stays(source, region, text, to) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    try:
        agrees_or_raises(program(region, text, "return z + w.sum(), w"), source, (X,), OTHERS, to)
    except tl.UnsupportedError as error:
        assert to == "jax" and SHAPES in str(error)


@pytest.mark.parametrize("region", [r for r in REGIONS if "helper" not in r])
def test_a_copy_may_be_written_into(region) -> None:
    text = REGIONS[region].format(one="w = z", two="w = z * 1")
    for rest in ("z = z.copy()\nz[1] = 50\nreturn z, w", "w = w.copy()\nw *= 10\nreturn z, w"):
        agrees_or_raises(program(region, text, rest), "numpy", (X,), OTHERS, "numpy")


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
