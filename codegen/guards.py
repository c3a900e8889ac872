"""Guards: what was looked at while tracing, checked at the top of the emitted function.

A fact is an expression of the arguments and the value that it had. Facts about all dims of an array become
one check of its shape. Each raises ValueError with the expected and the given value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..ir.dim import Sym
from ..ir.graph import Graph, Node
from ..ir.regions import guard
from ..ir.spec import Spec

DIM = re.compile(r"^(?P<array>.+)\.shape\[(?P<axis>\d+)\]$")


@dataclass(frozen=True, slots=True)
class Fact:
    """`what`, an expression of the arguments, was `expected`."""

    what: str
    expected: Any


def facts(graph: Graph, written: Callable[[Node], str]) -> list[Fact]:
    """The facts that a function's graph depends on, in the order in which they were looked at."""
    found: dict[str, Any] = {}
    for node in graph.nodes:
        if node.target is guard:
            what, expected = node.args
            found.setdefault(str(what) if isinstance(what, Sym) else written(what), expected)
    return merged(found, graph)


def merged(found: dict[str, Any], graph: Graph) -> list[Fact]:
    """Facts about every axis of an array as one about its shape."""
    ranks = {n.target: n.spec.rank for n in graph.placeholders if isinstance(n.spec, Spec)}
    shapes: dict[str, dict[int, int]] = {}
    for what, expected in found.items():
        dim = DIM.match(what)
        if dim is not None and dim["array"] in ranks:
            shapes.setdefault(dim["array"], {})[int(dim["axis"])] = expected
    whole = {a: dims for a, dims in shapes.items() if len(dims) == ranks[a]}
    made: dict[str, Fact] = {}
    for what, expected in found.items():
        dim = DIM.match(what)
        if dim is not None and dim["array"] in whole:
            dims = whole[dim["array"]]
            shape = f"{dim['array']}.shape"
            made.setdefault(shape, Fact(shape, tuple(dims[i] for i in range(len(dims)))))
        else:
            made[what] = Fact(what, expected)
    return list(made.values())


def checks(function: str, found: Iterable[Fact], literal: Callable[[Any], ast.expr]) -> list[ast.stmt]:
    """The statements that check the facts."""
    return [check(function, fact, literal) for fact in found]


def check(function: str, fact: Fact, literal: Callable[[Any], ast.expr]) -> ast.stmt:
    """`if what != expected: raise ValueError("… was traced with what=expected, not …")`."""
    expr = ast.parse(fact.what, mode="eval").body
    if isinstance(fact.expected, bool) and isinstance(expr, (ast.Compare, ast.BoolOp)):
        return predicate(function, fact, expr)
    single = fact.expected is None or isinstance(fact.expected, bool)
    test = ast.Compare(expr, [ast.IsNot() if single else ast.NotEq()], [literal(fact.expected)])
    shape = fact.what.endswith(".shape")
    given = ast.Call(ast.Name("tuple", ast.Load()), [expr], []) if shape else expr
    message = ast.JoinedStr([
        ast.Constant(f"{function} was traced with {fact.what}={fact.expected!r}, not "),
        ast.FormattedValue(given, -1 if shape else 114),
    ])  # fmt: skip
    raised = ast.Raise(ast.Call(ast.Name("ValueError", ast.Load()), [message], []))
    return ast.If(test, [raised], [])


def predicate(function: str, fact: Fact, expr: ast.expr) -> ast.stmt:
    """A test that went one way while tracing must go that way again."""
    test = ast.UnaryOp(ast.Not(), expr) if fact.expected else expr
    text = f"{function} was traced for {fact.what}, which does not hold"
    if not fact.expected:
        text = f"{function} was traced for not ({fact.what})"
    return ast.If(
        test, [ast.Raise(ast.Call(ast.Name("ValueError", ast.Load()), [ast.Constant(text)], []))], []
    )


def dtype_checks(function: str, graph: Graph, dtype: Callable[[Any], ast.expr]) -> list[ast.stmt]:
    """Where no example was given the dtypes are an assumption, and it is checked."""
    made: list[ast.stmt] = []
    for node in graph.placeholders:
        if not node.meta.get("assumed") or not used(node) or node.meta.get("captured"):
            continue
        given = ast.Attribute(ast.Name(node.target, ast.Load()), "dtype", ast.Load())
        test: ast.expr = ast.Compare(given, [ast.NotEq()], [dtype(node.spec.dtype)])
        if node.meta.get("optional"):
            absent = ast.Compare(ast.Name(node.target, ast.Load()), [ast.IsNot()], [ast.Constant(None)])
            test = ast.BoolOp(ast.And(), [absent, test])
        message = ast.JoinedStr([
            ast.Constant(f"{function} was traced for {node.target} of dtype {node.spec.dtype}, not "),
            ast.FormattedValue(given, -1),
        ])  # fmt: skip
        raised = ast.Raise(ast.Call(ast.Name("ValueError", ast.Load()), [message], []))
        made.append(ast.If(test, [raised], []))
    return made


def used(node: Node) -> bool:
    return bool(node.users)
