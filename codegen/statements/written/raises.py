"""Raises of the user's about ranks: they are decided while tracing, and what he raises of other ranks stays.

    if x.ndim != 2:                                       assert x.ndim == 2, x.shape
        raise ValueError(f"a matrix, not {x.shape}")      would be what is left of that
"""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Collection, Iterator

from ....ir.graphs.graph import Graph
from ....ir.source.remarks import Remarked
from ....ir.values.spec import Spec
from ...checks.apart import checks_of, replace
from ...checks.assertions import negated
from ...text.unparsing import unparsed
from ...text.walking import Transformer, walked
from .asserts import may_stand
from .named_items import stored


def keep_raises(function: ast.FunctionDef, own: Remarked | None, graph: Graph) -> None:
    """Let a function raise what the user's does of arrays of other ranks, before anything is checked."""
    if own is None or not isinstance(own.node, ast.FunctionDef):
        return
    bound = {*stored(own.node.body)}
    arrays = {p.target for p in graph.placeholders if isinstance(p.spec, Spec)} - bound
    known = {arg.arg for arg in walked(function.args) if isinstance(arg, ast.arg)} - bound
    made = [*found(own, arrays & known, known)]
    there = {unparsed(part.test) for part in walked(function) if isinstance(part, ast.If)}
    made = [each for each in made if unparsed(each.test) not in there]
    said = {unparsed(fact) for each in made for fact in facts(negated(each.test))}
    replace(function, [check for check in checks_of(function) if not is_said(check, said)])
    begins, count = getattr(function, "checks", (0, 0))
    function.body[begins:begins] = made
    function.checks = (begins + len(made), count)  # type: ignore[attr-defined]


def found(own: Remarked, arrays: Collection[str], known: Collection[str]) -> Iterator[ast.If]:
    """Those of the user's that are reached whatever came before, in words of every framework."""
    for each in itertools.takewhile(lambda each: not may_return(each.node), own.blocks[0]):
        statement = Ranks(arrays).visit(copied(each.node)) if isinstance(each.node, ast.If) else None
        match statement:
            case ast.If(test, [ast.Raise(ast.Call(ast.Name(kind), args, []), None)], []):
                pass
            case ast.If(test, [ast.Raise(ast.Name(kind), None)], []):
                args = []
            case _:
                continue
        raised = getattr(builtins, kind, None)
        if not isinstance(raised, type) or not issubclass(raised, Exception) or kind in known:
            continue
        if of_ranks(test, arrays) and all(may_stand(part, known) for arg in args for part in walked(arg)):
            statement.of = each.key  # type: ignore[attr-defined]
            yield statement


def facts(test: ast.expr) -> Iterator[ast.expr]:
    """What a test asks, one by one."""
    match test:
        case ast.BoolOp(ast.And(), values):
            for value in values:
                yield from facts(value)
        case ast.Compare(first, [ast.Eq(), *_] as signs, others) if len({*map(type, signs)}) == 1:
            *ranks, last = first, *others
            yield from (ast.Compare(rank, [ast.Eq()], [last]) for rank in ranks)
        case _:
            yield test


def is_said(check: ast.stmt, said: Collection[str]) -> bool:
    """Whether a check asks nothing else than what is said."""
    match check:
        case ast.Assert(test):
            return all(unparsed(fact) in said for fact in facts(test))
        case ast.If(test, [ast.Raise()], []):
            return unparsed(negated(test)) in said
    return False


def may_return(statement: ast.stmt) -> bool:
    return any(isinstance(part, ast.Return) for part in walked(statement))


def copied(statement: ast.stmt) -> ast.stmt:
    return ast.parse(ast.unparse(statement)).body[0]


def of_ranks(test: ast.expr, arrays: Collection[str]) -> bool:
    """Whether a test asks nothing but the ranks of arrays."""
    match test:
        case ast.BoolOp(_, values):
            return all(of_ranks(value, arrays) for value in values)
        case ast.UnaryOp(ast.Not(), operand):
            return of_ranks(operand, arrays)
        case ast.Compare(ast.Attribute(ast.Name(name), "ndim"), [_], [other]):
            return name in arrays and all(isinstance(part, PLAIN) for part in walked(other))
    return False


#: What a rank is compared with: numbers, and several of them.
PLAIN = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.expr_context)


class Ranks(Transformer):
    """Says the ranks of arrays as every framework does, `x.ndim`."""

    def __init__(self, arrays: Collection[str]) -> None:
        self.arrays = arrays

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Attribute(ast.Name(name), "dim"), [], []):
                pass
            case ast.Call(ast.Name("len"), [ast.Attribute(ast.Name(name), "shape")], []):
                pass
            case ast.Call(ast.Attribute(ast.Name(), "ndim"), [ast.Name(name)], []):
                pass
            case _:
                return node
        if name not in self.arrays:
            return node
        return ast.Attribute(ast.Name(name, ast.Load()), "ndim", ast.Load())
