"""Eager: an op of a program that is called on arrays, outside of any trace: what its framework has of it.

So `mylib_op(x)` is a function like any other, in a program that is to be traced too, and a tape that holds it
runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .backends.backend import backend, framework_of
from .backends.context import Reading
from .backends.lowering.passes import Way
from .codegen.load import load
from .codegen.module import emit
from .codegen.pipeline import pipeline, run
from .ir.dtypes import DType, dtype
from .ir.graph import Node
from .ir.layers import remembered
from .ir.op import Op
from .ir.program import Program
from .ir.spec import Spec


def called(op: Op, operands: Sequence[Any], params: Mapping[str, Any]) -> Any:
    """What an op gives of these arrays and Python numbers, in the framework of the first array.

    Raises:
        TypeError: where there is no array.
        UnsupportedError: where the framework does not have it.
    """
    framework = next(filter(None, map(framework_of, operands)), None)
    if framework is None:
        raise TypeError(f"{op.name} of no array: give it arrays of NumPy, JAX or torch")
    given = tuple(None if framework_of(value) else (type(value), value) for value in operands)
    arrays = [value for value in operands if framework_of(value)]
    specs = tuple(
        (tuple(value.shape), dtype(value.dtype), bool(getattr(value, "weak_type", False))) for value in arrays
    )
    return function(op, framework, specs, given, tuple(params.items()))(*arrays)


def placeholder(program: Program, shape: tuple[int, ...], kind: DType, weak: bool) -> Node:
    """An array among the arguments."""
    node = program.create_node("placeholder", f"x{len(program.placeholders)}")
    node.spec, node.form = Spec(shape, kind), "weak" if weak else "array"
    return node


@remembered(1024)
def function(
    op: Op, framework: str, specs: Sequence[Any], given: Sequence[Any], params: Sequence[tuple[str, Any]]
) -> Callable[..., Any]:
    """The function of arrays that does what an op does of arrays like these, beside these numbers."""
    source = backend(framework)
    program = Program(op.name.rpartition(".")[2])
    described = iter(specs)
    operands = [value[1] if value else placeholder(program, *next(described)) for value in given]
    program.output(Reading(source, program).op(op, *operands, **dict(params)))
    way = Way(source, source)
    text = emit(run(program, way, pipeline(way, None), None), source, source, "none")
    return load(text, program.name, framework).function
