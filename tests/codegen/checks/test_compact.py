"""Checks in fewer lines refuse what they refused one by one, and nothing else."""

from __future__ import annotations

import ast
import copy
import random
from types import SimpleNamespace
from typing import Any

import pytest

from tracelate.codegen.checks.compact import compact
from tracelate.codegen.text.layout import render

NAMES = ["a", "b", "c", "d"]


def array(rng: random.Random) -> Any:
    return SimpleNamespace(ndim=rng.choice((1, 2)), dtype=rng.choice(("f4", "f8")), shape=(1,))


def made(rng: random.Random) -> Any:
    """Something like `[{"w": array, "b": array}, …]`, or a part of it."""
    match rng.randrange(6):
        case 0:
            return array(rng)
        case 1:
            return None
        case 2:
            return [array(rng) for _ in range(rng.choice((1, 2, 3)))]
        case 3:
            return {key: array(rng) for key in rng.choice(("wb", "bw", "w"))}
        case _:
            return [{key: array(rng) for key in "wb"} for _ in range(rng.choice((1, 2, 3)))]


def asked(name: str, value: Any, rng: random.Random) -> list[str]:
    """Checks of a value, as a text has them."""
    found = []
    match value:
        case None:
            found.append(f"assert {name} is None, {name}")
        case list():
            found.append(f"assert len({name}) == {len(value)}, len({name})")
            for place, item in enumerate(value):
                found += asked(f"{name}[{place}]", item, rng)
        case dict():
            found.append(f"assert list({name}) == {[*value]}, list({name})")
            for key, item in value.items():
                found += asked(f"{name}[{key!r}]", item, rng)
        case _:
            found.append(f"assert {name}.ndim == {value.ndim}, {name}.shape")
            found.append(f"assert {name}.dtype == {value.dtype!r}, {name}.dtype")
            found.append(f"assert {name} is not None")
            found.append(f"assert {name} is None or {name}.dtype == {value.dtype!r}")
    return [each for each in found if rng.random() < 0.85]


def together(values: dict[str, Any], rng: random.Random) -> list[str]:
    """Checks of several."""
    arrays = [name for name, value in values.items() if isinstance(value, SimpleNamespace)]
    if len(arrays) < 2:
        return []
    one, *others = rng.sample(arrays, len(arrays))
    rank = values[one].ndim
    same = [name for name in arrays if values[name].ndim == rank]
    return [
        f"assert {' == '.join(f'{name}.ndim' for name in same)} == {rank}",
        f"for array in ({', '.join(arrays)}):\n    assert array.dtype in ('f4', 'f8'), array.dtype",
        f"assert {others[0]}.dtype == {one}.dtype, ({one}.dtype, {others[0]}.dtype)"
        if values[others[0]].dtype == values[one].dtype
        else f"assert {one}.dtype != {others[0]}.dtype",
    ]


def holds(checks: list[ast.stmt], values: dict[str, Any]) -> bool:
    try:
        exec(render(ast.Module(copy.deepcopy(checks), [])), dict(values))
    except (AssertionError, AttributeError, LookupError, TypeError):
        return False
    return True


@pytest.mark.parametrize("seed", range(60))
def test_fewer_checks_refuse_the_same(seed: int) -> None:
    rng = random.Random(seed)
    shared = made(rng)
    values = {name: copy.deepcopy(shared) if rng.random() < 0.6 else made(rng) for name in NAMES}
    lines = [line for name, value in values.items() for line in asked(name, value, rng)]
    lines += together(values, rng)
    rng.shuffle(lines)
    checks = ast.parse("\n".join(lines)).body
    fewer = compact(copy.deepcopy(checks), NAMES)
    text = render(ast.Module(copy.deepcopy(fewer), []))
    assert text.count("\n") <= render(ast.Module(copy.deepcopy(checks), [])).count("\n")
    assert holds(checks, values) and holds(fewer, values), text
    for _ in range(40):
        other = copy.deepcopy(values)
        for name in rng.sample(NAMES, rng.choice((1, 1, 2))):
            other[name] = changed(other[name], rng)
        assert holds(fewer, other) == holds(checks, other), (other, text)


def changed(value: Any, rng: random.Random) -> Any:
    """A value with something else in it."""
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        return [changed(each, rng) if i == place else each for i, each in enumerate(value)]
    if isinstance(value, dict) and rng.random() < 0.8:
        key = rng.choice([*value])
        return {k: changed(each, rng) if k == key else each for k, each in value.items()}
    if isinstance(value, list) and rng.random() < 0.5:
        return [*value, array(rng)]
    return array(rng) if rng.random() < 0.5 else made(rng)


def test_what_is_asked_alike_is_asked_in_a_loop() -> None:
    lines = [
        line
        for name in ("params", 'state["mu"]', 'state["nu"]')
        for line in (
            f"assert len({name}) == 2, len({name})",
            *(
                line
                for place in (0, 1)
                for line in (
                    f'assert list({name}[{place}]) == ["w", "b"], list({name}[{place}])',
                    f'assert {name}[{place}]["w"].ndim == 2, {name}[{place}]["w"].shape',
                )
            ),
        )
    ]
    checks = compact(ast.parse("\n".join(lines)).body, ["params", "state"])
    assert render(ast.Module(checks, [])) == (
        'for item in (params, state["mu"], state["nu"]):\n'
        "    assert len(item) == 2, len(item)\n"
        "    for each in item:\n"
        '        assert list(each) == ["w", "b"], list(each)\n'
        '        assert each["w"].ndim == 2, each["w"].shape\n'
    )


def test_what_others_say_too_is_left_out() -> None:
    checks = ast.parse(
        "assert type(fog) is float, fog\n"
        "assert fog is not None, fog\n"
        "assert len(xs) == 3, len(xs)\n"
        "assert len(ys) == 3, len(ys)\n"
        "assert len(xs) == len(ys), (len(xs), len(ys))\n"
        "assert x.dtype == np.float32, x.dtype\n"
        "assert x is not None\n"
    ).body
    text = render(ast.Module(compact(checks, ["fog", "xs", "ys", "x"]), []))
    assert text == (
        "assert type(fog) is float, fog\n"
        "assert len(xs) == len(ys) == 3, (len(xs), len(ys))\n"
        "assert x.dtype == np.float32, x.dtype\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "for array in (x, y):\n    if array.ndim != 2:\n        raise ValueError(array)",
        "for array in xs:\n    assert array.ndim == 2",
        "if x.ndim != 2:\n    raise ValueError(x)",
    ],
)
def test_other_checks_stay_as_they_are(text: str) -> None:
    checks = ast.parse(f"{text}\n{text}").body
    assert [*map(ast.dump, compact(checks, ["x", "y", "xs"]))] == [*map(ast.dump, checks)]


def test_what_is_asked_alike_stands_together() -> None:
    """But nothing is asked of an argument before what is asked of it first."""
    first = "assert x.dtype == np.float32, x.dtype\n"
    between = "assert all(a.dtype == np.float32 for a in ws)\n"
    kind, last = "assert isinstance(y, np.ndarray), y\n", "assert y.dtype == np.float32, y.dtype\n"
    item = "assert len(ws) == 2, len(ws)\nassert ws[1].dtype == np.float32, ws[1].dtype\n"
    both = "assert x.dtype == y.dtype == np.float32, (x.dtype, y.dtype)\n"
    for text, wanted in (
        (first + between + last, both + between),
        (first + between + kind + last, first + between + kind + last),
        (first + between + item, first + between + item),
    ):
        checks = ast.parse(text).body
        assert render(ast.Module(compact(checks, ["x", "y", "ws"]), [])) == wanted
