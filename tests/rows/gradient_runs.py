"""Gradients of one call of an op, as the three frameworks give them: what its rule says, written in their
words, and what JAX and torch make of the op itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
import torch
from running import QUICK

from tracelate.backends.arrays import convert, to_numpy
from tracelate.backends.backend import target_of
from tracelate.backends.lowering.passes import Way
from tracelate.backends.rows import load as load_phrases
from tracelate.codegen.load import load
from tracelate.codegen.module import emit
from tracelate.codegen.pipeline import pipeline, run
from tracelate.ir.gradients import backward
from tracelate.ir.graphs.graph import Node
from tracelate.ir.meaning.op import Op
from tracelate.ir.program import Program
from tracelate.ir.values.dtypes import DTYPES
from tracelate.ir.values.spec import Spec

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]

load_phrases()


@dataclass(frozen=True)
class Call:
    """A call of an op: NumPy arrays, Python numbers and None in the place of its operands."""

    op: Op
    operands: tuple[Any, ...]
    params: dict[str, Any]
    #: JAX wants x64 for it.
    wide: bool = False

    @property
    def arrays(self) -> list[Array]:
        return [value for value in self.operands if isinstance(value, np.ndarray)]

    @property
    def floats(self) -> list[int]:
        """Which of the arrays have a gradient."""
        return [i for i, array in enumerate(self.arrays) if array.dtype.kind == "f"]

    def __str__(self) -> str:
        shapes = [
            f"{v.dtype}{list(v.shape)}" if isinstance(v, np.ndarray) else repr(v) for v in self.operands
        ]
        return f"{self.op}({', '.join(shapes)}, {self.params})"


def placeholder(program: Program, name: str, array: Array) -> Node:
    node = program.placeholder(name)
    node.spec = Spec(array.shape, DTYPES[str(array.dtype)])
    return node


def forward(call: Call) -> tuple[Program, list[Node]]:
    """A program of the call, without an output, and the results that are floats."""
    program = Program("forward")
    operands = [
        placeholder(program, f"x{i}", v) if isinstance(v, np.ndarray) else v
        for i, v in enumerate(call.operands)
    ]
    made = program.call(call.op, *operands, **call.params)
    results = made if isinstance(made, tuple) else (made,)
    return program, [node for node in results if node.spec.dtype.kind == "float"]


def results(call: Call) -> Program:
    program, found = forward(call)
    program.output(tuple(found))
    return program


def gradients(call: Call, incoming: Sequence[Array]) -> tuple[Program, list[bool]]:
    """The program of a call's gradients, and for each array that has one whether there is a path to it."""
    program, found = forward(call)
    given = iter([placeholder(program, f"g{i}", g) for i, g in enumerate(incoming)])
    node = next(node for node in program.nodes if node.target is call.op)
    specs = node.spec if call.op.several else (node.spec,)
    made = backward(program, node, [next(given) if spec.dtype.kind == "float" else None for spec in specs])
    program.output(tuple(d for d in made if d is not None))
    floats = [i for i, v in enumerate(call.operands) if isinstance(v, np.ndarray) and v.dtype.kind == "f"]
    return program, [made[i] is not None for i in floats]


def written(program: Program, framework: str, wide: bool) -> tuple[Function, str]:
    """A program as a function of a framework, and its text."""
    target = target_of(framework, wide)
    way = Way(target, target)
    name = program.name
    text = emit(run(program, way, pipeline(way, None), None), target, target, "none")
    return load(text, name, framework).function, text


@dataclass
class Gradients:
    """First and second derivatives, as NumPy arrays: `second` is the gradient, by the arrays and by what came
    in, of the first ones times some weights.
    """

    first: list[Array]
    second: list[Array]


@dataclass
class Found:
    """What a framework makes of a call: `own`, of the op itself; `told`, of the text of its rule."""

    own: Gradients
    told: Gradients
    text: str


@dataclass(frozen=True)
class Trial:
    """A call, what comes in for its results, and the weights of what comes out."""

    call: Call
    incoming: Sequence[Array]
    weights: Sequence[Array]

    def own(self, framework: str) -> Function | None:
        """The op itself, a function of its floats alone; None where the framework does not take the call."""
        try:
            program = results(self.call)
            shapes = [node.spec.shape for node in program.output_node.args[0]]
            function, _ = written(program, framework, self.call.wide)
            arrays = [convert(array, framework) for array in self.call.arrays]
            made = jax.eval_shape(function, *arrays) if framework == "jax" else function(*arrays)
        except Exception:
            return None
        if [tuple(value.shape) for value in made] != shapes:  # an axis that is no int, say
            return None
        return lambda *floats: function(*self.among(arrays, floats))

    def rule(self, framework: str) -> tuple[Function, str]:
        """The gradients, a function of the floats and of what comes in, and its text."""
        program, paths = gradients(self.call, self.incoming)
        function, text = written(program, framework, self.call.wide)
        arrays = [convert(array, framework) for array in self.call.arrays]

        def told(floats: Sequence[Any], g: Sequence[Any]) -> list[Any]:
            made = iter(function(*self.among(arrays, floats), *g))
            return [next(made) if path else 0 * value for path, value in zip(paths, floats, strict=True)]

        return told, text

    def among(self, arrays: Sequence[Any], floats: Sequence[Any]) -> list[Any]:
        """All arrays of the call, the floats among them these."""
        of = dict(zip(self.call.floats, floats, strict=True))
        return [of.get(i, array) for i, array in enumerate(arrays)]

    def values(self, framework: str) -> list[list[Any]]:
        """The floats, what comes in, and the weights."""
        floats = [self.call.arrays[i] for i in self.call.floats]
        return [[convert(v, framework) for v in part] for part in (floats, self.incoming, self.weights)]


def by_numpy(trial: Trial) -> tuple[list[Array], str]:
    """What the rule gives in NumPy, and its text."""
    rule, text = trial.rule("numpy")
    floats, g, _ = trial.values("numpy")
    return [np.asarray(v) for v in rule(floats, g)], text


def by_jax(trial: Trial, own: Function) -> Found:
    rule, text = trial.rule("jax")

    def known(floats: Any, g: Any) -> Any:
        return list(jax.vjp(own, *floats)[1](tuple(g)))

    def derived(function: Function, floats: Any, g: Any, w: Any) -> Any:
        def total(floats: Any, g: Any) -> Any:
            made = function(floats, g)
            return sum((a * b).sum() for a, b in zip(made, w, strict=True)), made

        second, first = jax.grad(total, argnums=(0, 1), has_aux=True)(floats, g)
        return first, [*second[0], *second[1]]

    both = jax.jit(lambda *values: [derived(f, *values) for f in (known, rule)], compiler_options=QUICK)
    made = [
        Gradients(*([np.asarray(v) for v in part] for part in each)) for each in both(*trial.values("jax"))
    ]
    return Found(*made, text)


def by_torch(trial: Trial, own: Function) -> Found:
    rule, text = trial.rule("torch")

    def known(floats: Any, g: Any) -> Any:
        return differentiated(own(*floats), floats, g)

    made = []
    for function in (known, rule):
        floats, g, w = trial.values("torch")
        inputs = [v.requires_grad_() for v in (*floats, *g)]
        first = function(floats, g)
        second = differentiated(first, inputs, w)
        made.append(Gradients(*([to_numpy(v.detach()) for v in part] for part in (first, second))))
    return Found(*made, text)


def differentiated(results: Sequence[Any], inputs: Sequence[Any], g: Sequence[Any]) -> list[Any]:
    """torch's gradients; 0 where there is no path."""
    some = [(y, given) for y, given in zip(results, g, strict=True) if y.requires_grad]
    if not some:
        return [torch.zeros_like(v) for v in inputs]
    made = torch.autograd.grad(
        [y for y, _ in some], inputs, [d for _, d in some], create_graph=True, allow_unused=True
    )
    return [torch.zeros_like(v) if d is None else d for v, d in zip(inputs, made, strict=True)]
