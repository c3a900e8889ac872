"""Containers of arrays, in and out, and Python as people write it: what goes in so comes out so."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = torch.arange(6.0).reshape(2, 3)
TARGETS = ("numpy", "jax", "torch")


class Point(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass
class Layer:
    weight: Any
    scale: float
    bias: Any = None


def agrees(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """The body for JAX, once the translations into all three agree with the function."""
    for to in TARGETS:
        report = tl.check(fn, args, kwargs, to=to)
        assert report.ok, str(report)
    text: str = tl.symbolic_trace(fn, args, kwargs).source("jax")
    return text[text.index("def ") :]


# What comes out.

RESULTS: list[tuple[str, Callable[[Any], Any]]] = [
    ("a tuple", lambda x: (x, x + 1)),
    ("a tuple of one", lambda x: (x + 1,)),
    ("a list", lambda x: [x, [x + 1, (x * 2,)]]),
    ("a dict", lambda x: {"last": x, "first": {"deep": x * 2}}),
    ("a dict with ints for keys", lambda x: {1: x, 0: x + 1}),
    ("nothing", lambda x: None),
    ("no array", lambda x: ()),
    ("None among arrays", lambda x: {"a": [None, x], "b": None}),
    ("numbers and words", lambda x: (x, 1, 2.5, True, "word")),
    ("keys of several types", lambda x: {"a": x, 3: x + 1}),
    ("sizes", lambda x: (x.shape, x.shape[0] * 2, x.ndim)),
    ("the argument itself", lambda x: x),
    ("one array twice", lambda x: (x, x)),
]


@pytest.mark.parametrize("fn", [f for _, f in RESULTS], ids=[name for name, _ in RESULTS])
@pytest.mark.parametrize("to", TARGETS)
def test_a_result_keeps_its_form(fn: Callable[[Any], Any], to: str) -> None:
    got = tl.transpile(fn, (X,), to=to)(convert(to))
    assert shown(got) == shown(fn(X))


def convert(to: str) -> Any:
    return {"numpy": X.numpy(), "jax": jnp.asarray(X.numpy()), "torch": X}[to]


def shown(value: Any) -> Any:
    """The same containers with arrays as lists, so that they can be compared."""
    if isinstance(value, dict):
        return {k: shown(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return (isinstance(value, list), [shown(v) for v in value])
    return value.tolist() if hasattr(value, "tolist") else (type(value), value)


@pytest.mark.parametrize("to", TARGETS)
def test_a_namedtuple_comes_out_as_one(to: str) -> None:
    out = tl.transpile(lambda p: Point(p.y, p.x + 1), (Point(X, X),), to=to, verify=True)
    made = out(Point(convert(to), convert(to)))
    assert made._fields == ("x", "y") and type(made).__name__ == "Point"


@pytest.mark.parametrize("to", TARGETS)
def test_a_dataclass_comes_out_as_one(to: str) -> None:
    def f(layer: Layer) -> Layer:
        return Layer(layer.weight + 1, 2.0, layer.bias)

    out = tl.transpile(f, (Layer(X, 3.0),), to=to, verify=True)
    made = out(Layer(convert(to), 3.0))
    assert type(made).__name__ == "Layer" and made.scale == 2.0 and made.bias is None
    assert made.weight.tolist() == (X + 1).tolist()


def stats(x: Any) -> Point:
    return Point(torch.mean(x), torch.var(x))


def scaled(p: Point, x: Any) -> Any:
    return (x - p.x) / torch.sqrt(p.y)


def layers(x: Any) -> dict[str, Any]:
    return {"first": x + 1, "rest": (x * 2, [x - 1])}


def folded(tree: dict[str, Any]) -> Any:
    return tree["first"] + tree["rest"][0] + tree["rest"][1][0]


def test_a_container_goes_whole_from_function_to_function() -> None:
    def f(x: Any) -> Any:
        point = stats(x)
        tree = layers(scaled(point, x))
        return folded(tree), point.y, tree

    text = agrees(f, X)
    assert "point = stats(x)\n    tree = layers(scaled(point, x))\n" in text
    assert "return folded(tree), point.y, tree\n" in text
    assert "return (x - p.x) / jnp.sqrt(p.y)" in text


def test_a_container_that_is_used_once_needs_no_name() -> None:
    assert "return folded(layers(x))\n" in agrees(lambda x: folded(layers(x)), X)


def test_parts_of_one_result() -> None:
    def f(x: Any) -> Any:
        parts = x.split(1)
        return parts[0] * parts[1], parts[1]

    text = agrees(f, X)
    assert "parts = jnp.split(x, 2)\n    return parts[0] * parts[1], parts[1]\n" in text


# What goes in.


def test_containers_go_in_as_they_are() -> None:
    def f(p: Any, layer: Any, pair: Any, lists: Any, nothing: Any, empty: Any) -> Any:
        hidden = p.x * layer.scale + layer.weight
        return hidden + pair[0]["w"]["a"] * lists[1][0], nothing, empty

    text = agrees(f, Point(X, X), Layer(X, 3.0), ({"w": {"a": X}},), [X, (X,)], None, {})
    assert "hidden = p.x * layer.scale + layer.weight" in text
    assert 'return hidden + pair[0]["w"]["a"] * lists[1][0], None, {}' in text
    assert "assert layer.bias is None, type(layer.bias)" in text
    assert "assert nothing is None, type(nothing)" in text


def test_none_in_a_container_is_checked() -> None:
    def f(params: Any) -> Any:
        return params["w"] if params["b"] is None else params["w"] + params["b"]

    out = tl.transpile(f, ({"w": X, "b": None},), to="numpy")
    assert 'assert params["b"] is None, type(params["b"])' in out.source
    with pytest.raises(AssertionError):
        out({"w": X.numpy(), "b": X.numpy()})
    agrees(f, {"w": X, "b": X})


def test_what_stands_beside_an_array_is_kept_and_checked() -> None:
    def f(x: Any, options: Any) -> Any:
        y = x.sum(options["axis"]) if options["mode"] == "sum" else x
        return y * options["factor"] if options["loud"] else y

    options = {"mode": "sum", "axis": 1, "factor": 0.5, "loud": True, "unused": X}
    agrees(f, X, options)
    for to in TARGETS:
        out = tl.transpile(f, (X, options), to=to)
        with pytest.raises(AssertionError, match="mean"):
            out(convert(to), {**options, "unused": convert(to), "mode": "mean"})


def test_sizes_as_arguments_and_in_tuples() -> None:
    agrees(lambda x, n: x.reshape(n, -1), X, 3)
    agrees(lambda x, size: x.reshape(size), X, (3, 2))
    agrees(lambda x, size: x.reshape(size[0], size[1]), X, [3, 2])
    agrees(lambda x, axes: x.sum(axes), X, (0, 1))
    agrees(lambda x, *size: x.reshape(size), X, 3, 2)


def test_a_number_that_decides_is_known_when_jax_compiles() -> None:
    def f(x: Any, threshold: float) -> Any:
        return x * threshold if threshold > 0 else x

    out = tl.transpile(f, (X, 1.5), to="jax", verify=True)
    assert out(jnp.ones(2), 2.5).tolist() == [2.5, 2.5]
    assert out(jnp.ones(2), -1.0).tolist() == [1.0, 1.0]


def test_a_mere_number_does_not_compile_anew() -> None:
    out = tl.transpile(lambda x, rate: x * rate, (X, 0.5), to="jax")
    for rate in (0.5, 0.25, 0.125):
        out(jnp.ones(2), rate)
    assert out._cache_size() == 1


def test_arguments_that_have_no_literal_stay() -> None:
    text = agrees(lambda x, kind: x.to(kind), X, torch.float16)
    assert "def fn(x, kind):" in text
    assert "jnp.sin(x)" in agrees(lambda x, f: f(x), X, torch.sin)


def test_dicts_and_lists_that_are_taken_apart() -> None:
    agrees(lambda d: {k: v * 2 for k, v in d.items()}, {"b": X, "a": X + 1})
    agrees(lambda xs: sum(x * i for i, x in enumerate(xs)), [X, X, X])
    agrees(lambda xs: torch.stack([*xs, xs[0]]), (X, X + 1))
    agrees(lambda a, b: [p * q for p, q in zip(a, b)], [X, X], (X, X + 1))

    def keep(x: Any) -> Any:
        held: dict[str, Any] = {}
        held["a"], (held["b"], *rest) = x, [x + 1, x + 2, x + 3]
        slots = [None] * 2
        slots[0] = held["a"] * held["b"]
        return slots[0], rest

    agrees(keep, X)


# Functions of all kinds.


class Model:
    def __init__(self) -> None:
        self.weight = X * 2
        self.power = 2

    @property
    def turned(self) -> Any:
        return self.weight.T

    @staticmethod
    def shifted(x: Any) -> Any:
        return x + 1

    @classmethod
    def twice(cls, x: Any) -> Any:
        return cls.shifted(x) * 2

    def __call__(self, x: Any) -> Any:
        return x @ self.turned * self.power

    def forward(self, x: Any) -> Any:
        return self(x) + self.power


def test_methods_of_every_kind() -> None:
    model = Model()
    assert "def forward(x: Any) -> Any:" in agrees(model.forward, X)
    agrees(model, X)
    agrees(model.shifted, X)
    agrees(Model.twice, X)
    agrees(Model().twice, X)


def test_closures_and_functions_in_functions() -> None:
    def scaled_by(factor: float) -> Callable[[Any], Any]:
        shift = torch.tensor([1.0, 2.0, 3.0])

        def scaled(x: Any) -> Any:
            def inner(y: Any) -> Any:
                return y * factor + shift

            return inner(x) - inner(x * 2)

        return scaled

    assert agrees(scaled_by(2.5), X).startswith("def scaled(x: Any) -> Any:")
    assert "factor = 2.5\n" in tl.symbolic_trace(scaled_by(2.5), (X,)).source("jax")


def test_lambdas_in_lists_partials_and_star_arguments() -> None:
    steps = [lambda x, i=i: x * i for i in range(1, 4)]

    def run(x: Any, *rest: Any, **named: Any) -> Any:
        for step in steps:
            x = step(x)
        return functools.partial(torch.add, x)(rest[0]) + named["bias"]

    text = agrees(run, X, X, bias=X)
    assert text.startswith("def run(x: Any, *rest: Any, **named: Any) -> Any:")


def test_keyword_only_and_positional_only_parameters() -> None:
    def f(x: Any, /, y: Any, *, factor: float = 2.0) -> Any:
        return x * factor + y

    text = agrees(f, X, X, factor=3.0)
    assert text.startswith("def f(x: Any, /, y: Any, *, factor: float = 2.0) -> Any:")


def test_loops_over_what_is_known_are_run() -> None:
    def f(x: Any) -> Any:
        picked = []
        for i in range(2):
            for j in range(3):
                if i == j:
                    continue
                picked.append(x[i, j])
            else:
                picked.append(x[i, 0])
        count = 0
        while True:
            count += 1
            if count == 3:
                break
        return torch.stack(picked) * count

    agrees(f, X)


def test_statements_that_only_python_sees() -> None:
    def f(x: Any, mode: str = "a") -> Any:
        try:
            offset = {"b": 1}[mode]
        except KeyError:
            offset = 2
        finally:
            more = 1
        match mode:
            case "a":
                x = x + more
            case _:
                x = x - more
        if (n := len(f"{mode}bc")) > 2:
            x = x * n
        return x + offset + math.pi * math.sqrt(x.shape[0])

    agrees(f, X)


def fall(x: Any, n: int) -> Any:
    return x if n == 0 else fall(x * 2, n - 1)


def test_a_function_that_calls_itself() -> None:
    out = tl.transpile(fall, (X, 3), to="numpy", verify=True)
    assert np.array_equal(out(X.numpy(), 3), 8 * X.numpy())
    with pytest.raises(AssertionError, match="4|3"):
        out(X.numpy(), 4)


def last(x: Any, size: int) -> Any:
    return x.reshape(size, -1) if size == 2 else x


def times(x: Any, factor: float, rounds: int) -> Any:
    for _ in range(rounds):
        x = x * factor if factor > 0 else x
    return x


def test_numbers_that_functions_depend_on_are_checked_where_they_come_from() -> None:
    for to in TARGETS:
        out = tl.transpile(lambda x, a, n: times(x, a * 2, n), (X, 0.5, 2), to=to, verify=True)
        assert np.allclose(out(convert(to), 0.5, 3), X.numpy())
        assert np.allclose(out(convert(to), -0.5, 2), X.numpy())


def test_trees_that_jax_knows_are_jitted_and_others_are_not() -> None:
    jitted = type(jax.jit(lambda x: x))
    assert isinstance(tl.transpile(lambda d: {"a": d["x"][0]}, ({"x": (X,)},), to="jax"), jitted)
    assert not isinstance(tl.transpile(lambda layer: layer.weight, (Layer(X, 1.0),), to="jax"), jitted)


def early(x: Any) -> Any:
    if x.max() > 2:
        return Point(x, 0.0)
    return Point(x * 2, 1.0)


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_a_named_tuple_that_ways_return_stays_one(to: str, scale: float) -> None:
    out = tl.transpile(early, args=(X,), to=to)
    found = out({"numpy": X.numpy(), "jax": jnp.asarray(X.numpy()), "torch": X}[to] * scale)
    assert type(found).__name__ == "Point" and found._fields == ("x", "y")
    assert np.allclose(np.asarray(found.x), early(X * scale).x)
