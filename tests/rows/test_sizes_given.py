"""Integers among the parameters that are sizes, or arguments: a translation gives what the source gives, or
says why not, and never what is our own fault.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from lines import lines_of
from running import Line, differences, loaded, own, quiet
from test_generality import attempted

import tracelate as tl
import tracelate.api as api
from tracelate.ir.errors import InternalError, TraceError
from tracelate.ir.meaning.op import Op
from tracelate.ir.values.tree import leaves


def counted(line: Line) -> Iterator[Line]:
    """The line with one of its integers at a time computed from a size."""
    array = max(line.arrays, key=lambda name: line.arrays[name].ndim, default=None)
    if array is None or not line.arrays[array].size or not line.arrays[array].ndim:
        return
    size = line.arrays[array].shape[0]
    tree = ast.parse(line.text, mode="eval")
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            made = ast.parse(line.text, mode="eval")
            meant = [*ast.walk(made)][number]
            given = f"({array}.shape[0] - {size - node.value})"
            text = ast.unparse(Put(meant, ast.parse(given, mode="eval").body).visit(made))
            yield dataclasses.replace(line, text=text)


class Put(ast.NodeTransformer):
    def __init__(self, old: Any, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


def function(line: Line) -> Any:
    return loaded(f"def f({', '.join(line.arrays)}):\n    return ({line.text},)\n")


def wrong(op: Op, source: str, targets: tuple[str, ...]) -> Iterator[str]:
    met: set[Any] = set()
    for *key, given in lines_of(op, source):
        shape = key[0], ast.dump(Unnumbered().visit(ast.parse(given.text)))
        if given.dtype != "float32" or shape in met or given.wide:
            continue
        met.add(shape)
        for line in counted(given):
            yield from faults(line, source, targets)


class Unnumbered(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> Any:
        return ast.Constant(0) if type(node.value) is int else node


def faults(line: Line, source: str, targets: tuple[str, ...]) -> Iterator[str]:
    fn = function(line)
    expected = attempted(fn, line, source)
    if isinstance(expected, Exception):
        return
    try:
        traced = api.symbolic_trace(fn, own(line.arrays, source), source=source)
    except InternalError as error:
        yield f"{source}: {line.text} {[np.shape(a) for a in line.arrays.values()]}: {error}"
        return
    except TraceError:
        return
    except Exception as error:
        yield f"{source}: {line.text}: raw {type(error).__name__} {error}"
        return
    for target in targets:
        try:
            out = traced.to(target, x64=True)
        except InternalError as error:
            yield f"{source} -> {target}: {line.text} {[np.shape(a) for a in line.arrays.values()]}: {error}"
            return
        except TraceError:
            continue
        except Exception as error:
            yield f"{source} -> {target}: {line.text}: raw {type(error).__name__} {error}"
            return
        got = attempted(out, line, target)
        if isinstance(got, OverflowError):  # NumPy raises for a number beyond the dtype, where others wrap it
            continue
        if isinstance(got, Exception):
            yield f"{source} -> {target}: {line.text}: {type(got).__name__} {got}\n{out.source}"
        elif found := differences(expected, got, line, narrowed=False):
            yield f"{source} -> {target}: {line.text}: {found}\n{out.source}"


@pytest.mark.slow
def test_a_size_as_a_parameter_agrees_or_is_refused(op: Op, source: str) -> None:
    with quiet(True):
        found = list(wrong(op, source, tuple(t for t in ("numpy", "jax", "torch") if t != source)))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])


def corner(x):
    return torch.diag(x, x.shape[0] - 1), torch.diagonal(x, offset=-(x.shape[1] - 2)), torch.trace(x)


def embedded(x):
    return torch.diag(x[0], x.shape[0] - 2)


@pytest.mark.parametrize("fn", [corner, embedded])
@pytest.mark.parametrize("target", ["numpy", "jax"])
def test_an_offset_that_a_size_gives(fn: Any, target: str) -> None:
    out = api.transpile(fn, [torch.ones(4, 5)], source="torch", to=target, x64=True)
    for shape in (4, 5), (2, 3), (6, 4), (3, 3):
        x = np.arange(float(np.prod(shape)), dtype=np.float32).reshape(shape)
        expected, got = leaves(fn(torch.from_numpy(x))), leaves(out(own({"x": x}, target)[0]))
        for one, other in zip(expected, got, strict=True):
            np.testing.assert_array_equal(one.numpy(), np.asarray(other), strict=True)


def test_an_axis_that_a_size_gives_is_refused_with_the_line() -> None:
    def f(x):
        return torch.diagonal(x, dim1=1, dim2=x.shape[0] - 4)

    with pytest.raises(tl.UnsupportedError, match="x.shape") as raised:
        api.transpile(f, [torch.ones(4, 5)], source="torch", to="numpy")
    assert raised.value.span.source_line.strip().startswith("return") and raised.value.hint
