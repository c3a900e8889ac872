"""Eager: an op of a program that is called on arrays, outside of any trace: what its framework has of it.

So `mylib_op(x)` is a function like any other, in a program that is to be traced too, and a tape that holds it
runs.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .backends.backend import Backend, backend, framework_of
from .backends.context import Reading
from .backends.lowering.passes import Way
from .codegen.load import load
from .codegen.module import emit
from .codegen.pipeline import pipeline, run
from .ir.graphs.graph import Node
from .ir.meaning.layers import LOCK, remembered
from .ir.meaning.op import Op
from .ir.program import Program
from .ir.values.dtypes import DType, dtype
from .ir.values.spec import Spec


def called(op: Op, operands: Sequence[Any], params: Mapping[str, Any]) -> Any:
    """What an op gives of these arrays and Python numbers, in the framework of the first array.

    Raises:
        TypeError: where there is no array.
        UnsupportedError: where the framework does not have it.
    """
    framework = next(filter(None, map(framework_of, operands)), None)
    if framework is None:
        raise TypeError(f"{op.name} of no array: give it arrays of NumPy, JAX or torch")
    given = tuple(None if framework_of(value) else (value,) for value in operands)
    arrays = [value for value in operands if framework_of(value)]
    specs = tuple(
        (tuple(value.shape), dtype(value.dtype), bool(getattr(value, "weak_type", False))) for value in arrays
    )
    with LOCK:
        own = backend(framework).configured()
        found = function(op, own, specs, Exactly((given, params)), Exactly(outside(op)))
    return found(*arrays)


class Exactly:
    """Values as a key: those of one text are the same, 0.0 and -0.0 are not, nor 1 and True."""

    def __init__(self, values: Any) -> None:
        self.values = values
        self.text = repr(values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exactly) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


def outside(op: Op) -> list[Any]:
    """What the body of an op has of its module and of functions around it, which may change."""
    body: Any = op.body
    if not isinstance(body, types.FunctionType):
        return []
    names = [name for name in body.__code__.co_names if name in body.__globals__]
    cells = [cell.cell_contents for cell in body.__closure__ or ()]
    values = [*(body.__globals__[name] for name in names), *cells]
    return [value if isinstance(value, (int, float, str, tuple)) else id(value) for value in values]


def placeholder(program: Program, shape: tuple[int, ...], kind: DType, weak: bool) -> Node:
    """An array among the arguments."""
    node = program.create_node("placeholder", f"x{len(program.placeholders)}")
    node.spec, node.form = Spec(shape, kind), "weak" if weak else "array"
    return node


@remembered(1024)
def function(
    op: Op, source: Backend, specs: Sequence[Any], told: Exactly, around: Exactly
) -> Callable[..., Any]:
    """The function of arrays that does what an op does of arrays like these, told these numbers."""
    given, params = told.values
    program = Program(op.name.rpartition(".")[2])
    described = iter(specs)
    operands = [value[0] if value else placeholder(program, *next(described)) for value in given]
    program.output(Reading(source, program).op(op, *operands, **params))
    way = Way(source, source)
    text = emit(run(program, way, pipeline(way, None), None), source, source, "none")
    return load(text, program.name, source.name).function
