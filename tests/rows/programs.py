"""Random programs: rows put together, a line each, as a person might write them in any of the three
frameworks.

A program is drawn without a framework: ops, operands, parameters, names, what nests in what. `source` writes
it for one. In a program of floats no value grows beyond LIMIT, and only what was not rounded yet is compared,
so that frameworks which round differently still agree. A program of integers is exact, and wraps round.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from domains import Array
from lines import phrases, speaks, spelled
from samples import Shape

from tracelate.ir.errors import ShapeError
from tracelate.ir.meaning.op import REGISTER, Op
from tracelate.ir.meaning.results import infer
from tracelate.ir.values.dtypes import DTYPES, bool_
from tracelate.ir.values.spec import Spec

LIMIT = 1e4
SHAPES: tuple[Shape, ...] = ((3, 4), (4,), (2, 3, 4), (3, 1), (4, 4), ())
NAMES = (
    "h",
    "scores",
    "total",
    "mask",
    "left",
    "right",
    "z",
    "norm",
    "w",
    "k",
    "b",
    "c",
    "u",
    "v",
    "weights",
)
Draw = Callable[[Sequence[Any]], Any]


@dataclass(frozen=True)
class Value:
    """A value of a program: how it is written, and what is known of it.

    Attributes:
        kind: "f" for floats, "i" for ints, "b" for bools.
        bound: it is at most so large.
        exact: nothing was rounded on the way here.
    """

    text: str
    shape: Shape
    kind: str
    bound: float
    exact: bool = True

    @property
    def spec(self) -> Spec:
        return Spec(self.shape, {"f": DTYPES["float64"], "i": DTYPES["int32"], "b": bool_}[self.kind])


@dataclass(frozen=True)
class Step:
    """`name = op(*operands)`. Operands are values and numbers."""

    name: str
    op: Op
    operands: tuple[Any, ...]
    params: dict[str, Any]


@dataclass
class Program:
    """`nested` are the steps that have no name of their own where they are written."""

    inputs: list[Value]
    steps: list[Step] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    nested: set[str] = field(default_factory=set)

    def uses(self) -> Counter[str]:
        return Counter(o.text for step in self.steps for o in step.operands if isinstance(o, Value))


# Ops by what they take: f floats, n floats or ints, a anything, e what is exact, x a number. The function
# bounds the result by the operands' bounds and by how many elements meet in one.
# fmt: off
TAKES: dict[str, tuple[str, Callable[..., float]]] = {
    "add": ("nn", lambda n, a, b: a + b),          "subtract": ("nn", lambda n, a, b: a + b),
    "multiply": ("nn", lambda n, a, b: a * b),     "maximum": ("nn", lambda n, a, b: max(a, b)),
    "minimum": ("nn", lambda n, a, b: max(a, b)),  "matmul": ("nn", lambda n, a, b: a * b * n),
    "negative": ("n", lambda n, a: a),             "abs": ("n", lambda n, a: a),
    "square": ("n", lambda n, a: a * a),           "sin": ("f", lambda n, a: 1),
    "tanh": ("f", lambda n, a: 1),                 "exp": ("f", lambda n, a: math.exp(min(a, 99))),
    "divide": ("fx", lambda n, a, b: a),           "add ": ("nx", lambda n, a, b: a + 3),
    "multiply ": ("nx", lambda n, a, b: 3 * a),    "sum": ("n", lambda n, a: a * n),
    "mean": ("f", lambda n, a: a),                 "max": ("n", lambda n, a: a),
    "min": ("n", lambda n, a: a),                  "cumulative_sum": ("n", lambda n, a: a * n),
    "softmax": ("f", lambda n, a: 1),              "reshape": ("a", lambda n, a: a),
    "permute_dims": ("a", lambda n, a: a),         "expand_dims": ("a", lambda n, a: a),
    "flip": ("a", lambda n, a: a),                 "swapaxes": ("a", lambda n, a: a),
    "roll": ("a", lambda n, a: a),                 "getitem": ("a", lambda n, a: a),
    "broadcast_to": ("a", lambda n, a: a),         "concat": ("nn", lambda n, a, b: max(a, b)),
    "stack": ("nn", lambda n, a, b: max(a, b)),    "where": ("bnn", lambda n, c, a, b: max(a, b)),
    "sort": ("e", lambda n, a: a),                 "greater": ("ee", lambda n, a, b: 1),
    "less_equal": ("ex", lambda n, a, b: 1),       "equal": ("ee", lambda n, a, b: 1),
    "argmax": ("e", lambda n, a: n),               "logical_not": ("b", lambda n, a: 1),
    "bitwise_and": ("bb", lambda n, a, b: 1),      "floor_divide": ("ix", lambda n, a, b: a),
    "remainder": ("ix", lambda n, a, b: 3),        "bitwise_xor": ("ii", lambda n, a, b: max(a, b)),
}
#: Parameters, drawn for the shape of the first operand; the rest stay at their defaults.
DRAWN: dict[str, Callable[[Draw, Shape], Any]] = {
    "axis": lambda draw, s: draw([*range(-len(s), len(s))] or [0]),
    "keepdims": lambda draw, s: draw([False, True]),
    "reshape.shape": lambda draw, s: draw([(-1,), s[::-1], (*s, 1), (1, *s)]),
    "broadcast_to.shape": lambda draw, s: (2, *s),
    "axes": lambda draw, s: draw([tuple(reversed(range(len(s)))), (*range(1, len(s)), 0)[: len(s)]]),
    "axis1": lambda draw, s: 0, "axis2": lambda draw, s: -1,
    "shift": lambda draw, s: draw([1, -1, 2]),
    "key": lambda draw, s: tuple(
        draw([slice(None), slice(1, None), slice(None, -1), 0, -1, None, slice(None, None, 2)]) for _ in s[:2]
    ),
}
# fmt: on
CLASSES = {"compare": "b", "bool": "b", "index": "i"}


def drawn(draw: Draw, kind: str, length: int) -> Program:
    """A program of so many steps, of floats ("f") or of ints ("i"). What no step uses is returned."""
    values = [Value(f"x{i}", shape, kind, 3.0) for i, shape in enumerate(SHAPES[: 1 + draw(range(3))])]
    program = Program(list(values))
    for name in names(length):
        made = attempt(draw, values, name)
        if made is not None:
            program.steps.append(made[0])
            values.append(made[1])
    used = program.uses()
    program.outputs = [step.name for step in program.steps if not used[step.name]] + [
        step.name for step in program.steps[3:4]
    ]
    program.nested = {
        step.name for step in program.steps if used[step.name] == 1 and draw([False, True])
    } - set(program.outputs)
    return program


def names(count: int) -> Iterator[str]:
    for i in range(count):
        yield NAMES[i % len(NAMES)] + (f"_{i // len(NAMES) + 1}" if i >= len(NAMES) else "")


def attempt(draw: Draw, values: list[Value], name: str) -> tuple[Step, Value] | None:
    """A step that is legal, from a few that are drawn; None where none of them is."""
    for _ in range(8):
        word = draw(list(TAKES))
        takes, grown = TAKES[word]
        op = REGISTER[word.strip()]
        operands = [draw(found) if (found := fitting(values[::-1], kind)) else None for kind in takes]
        if None in operands or not same_kind(takes, operands):
            continue
        given = [o for o in operands if isinstance(o, Value)]
        params = parameters(draw, op, given[0].shape)
        try:
            specs = [o.spec if isinstance(o, Value) else Spec((), given[0].spec.dtype) for o in operands]
            shape = infer(op, specs, params)[0].shape
        except ShapeError:
            continue
        sizes = [math.prod(o.shape) for o in given]
        bound = grown(max(sizes), *(o.bound if isinstance(o, Value) else abs(o) for o in operands))
        if (
            shape is None
            or math.prod(shape) > 200
            or math.prod(shape) == 0
            or bound > LIMIT
            and given[-1].kind == "f"
        ):
            continue
        kind = CLASSES.get(op.rules[0].cls, given[-1].kind)
        moved = op.tolerance == "moved" or kind != "f"
        return Step(name, op, tuple(operands), params), Value(
            name, shape, kind, bound, moved and all(o.exact for o in given)
        )
    return None


def fitting(values: list[Value], kind: str) -> list[Any]:
    """The values of this kind, the first of them more often."""
    if kind == "x":
        return [2, 3, -2] if values[0].kind == "i" else [2.0, 3, 0.5]
    kinds = {"n": "fi", "a": "fib", "e": "fi"}.get(kind, kind)
    found = [v for v in values if v.kind in kinds and (kind != "e" or v.exact)]
    return [*found[:3], *found[:3], *found[3:]]


def same_kind(takes: str, operands: Sequence[Any]) -> bool:
    """Operands that are to be one dtype are of one kind; a condition is not."""
    return len({o.kind for o, kind in zip(operands, takes) if isinstance(o, Value) and kind != "b"}) <= 1


def parameters(draw: Draw, op: Op, shape: Shape) -> dict[str, Any]:
    found = {name: DRAWN.get(f"{op.name}.{name}", DRAWN.get(name)) for name in op.params}
    return {name: op.params[name] if fn is None else fn(draw, shape) for name, fn in found.items()}


def source(program: Program, framework: str) -> str | None:
    """The program as a function `f` of the framework; None where it has no word for one of the ops."""
    written: dict[str, str] = {}
    body = []
    for step in program.steps:
        operands = [
            (written.get(o.text, o.text), o.spec) if isinstance(o, Value) else o for o in step.operands
        ]
        found = (
            spelled(p, operands, step.params, True)
            for p in phrases(step.op, framework)
            if speaks(p, step.params, operands)
        )
        text = next(filter(None, found), None)
        if text is None:
            return None
        if step.name in program.nested:
            written[step.name] = text
        else:
            body.append(f"    {step.name} = {text}")
    head = f"def f({', '.join(value.text for value in program.inputs)}):"
    return "\n".join([head, *body, f"    return {', '.join(program.outputs)}", ""])


def arrays(program: Program, seed: int, dtype: str) -> list[Array]:
    rng = np.random.default_rng(seed)
    made = [
        3 * rng.uniform(-1, 1, v.shape) if v.kind == "f" else rng.integers(-3, 4, v.shape)
        for v in program.inputs
    ]
    return [np.asarray(a, dtype) for a in made]
