"""Checks of the ranks of arguments, at the top of the emitted function.

Checked are ranks that the program asked for, and those by which the text was chosen: an axis counted from the
front, a phrase that speaks of matrices, what torch makes of an array without axes. A line of the text that
cannot be run with another rank says it as well: `B, T = x.shape`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence

from ...ir.graphs.graph import Graph
from ...ir.graphs.leaves import leaves
from ...ir.graphs.presence import is_optional
from ..text.line_breaking import WIDTH
from ..text.unparsing import unparsed
from ..text.walking import walked
from .assertions import Check, equal
from .families import ANY, Families
from .gathering import Gathering
from .guards import parsed, root


def rank_checks(
    graph: Graph, ranks: Collection[str], axes: Collection[str], form: str, gathering: Gathering
) -> list[Check]:
    """The checks of a function.

    Args:
        ranks: the arguments that must have the ranks of the example; `axes`: those that must have axes.
        form: how checks are written, see codegen/checks/assertions.py.
    """
    families = gathering.families
    optional = {str(node.target) for node in graph.placeholders if is_optional(node)}
    found: dict[int, list[str]] = {}
    checks = []
    items: dict[str, ast.expr] = {}
    for path, leaf in leaves(graph).items():
        rank = leaf.spec.rank
        if path not in ranks or rank is None:
            continue
        if ANY in (family := families.of(path)):
            items[family] = equal([ranked(families.each(family)), ast.Constant(rank)])
        elif root(path) in optional:
            checks.append(of_rank(unless_absent(path, is_of([path], rank)), [path], rank))
        else:
            found.setdefault(rank, []).append(path)
    said = {path for path, leaf in leaves(graph).items() if path in ranks and leaf.spec.rank is not None}
    some_axes = {families.of(path) for path in axes if path not in said}
    for path in sorted(path for path in some_axes if ANY in path and path not in items):
        items[path] = ast.Compare(ranked(families.each(path)), [ast.Gt()], [ast.Constant(0)])
    checks += [of_items(*each, families, optional) for each in families.together(items)]
    for path in sorted(path for path in some_axes if ANY not in path):
        some: ast.expr = ast.Compare(parsed(f"{path}.ndim"), [ast.Gt()], [ast.Constant(0)])
        some = unless_absent(path, some) if root(path) in optional else some
        checks.append(Check(some, (parsed(f"{path}.shape"),), f"for {path} with axes, not ", whole=True))
    for rank, all_of_it in found.items():
        paths = list(all_of_it)
        for group in (group for group in gathering.groups(paths) if group.loops):
            test = group.held(families, lambda array, _: equal([ranked(array), ast.Constant(rank)]))  # noqa: B023
            checks.append(Check(test, (), f"for {', '.join(group.paths)} of rank {rank}", of_all=True))
            paths = [path for path in paths if path not in group.paths]
        checks += [of_rank(is_of(group, rank), group, rank) for group in grouped(paths, rank, form)]
    return checks


def grouped(paths: Sequence[str], rank: int, form: str) -> list[list[str]]:
    """Arguments of one rank, as many together as one line takes."""
    found: list[list[str]] = []
    for path in paths:
        together = [*found[-1], path] if found and form == "assert" else []
        if 1 < len(together) <= MOST and len(f"    assert {unparsed(is_of(together, rank))}") <= WIDTH:
            found[-1].append(path)
        else:
            found.append([path])
    return found


def of_items(container: str, tests: list[ast.expr], families: Families, optional: Collection[str]) -> Check:
    """The check of the ranks of what is in the items of a list."""
    held = families.all(container, tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests))
    held = unless_absent(container, held) if root(container) in optional else held
    return Check(held, (), f"with items of {container} of other ranks", of_all=True)


def unless_absent(path: str, held: ast.expr) -> ast.expr:
    """What must hold of an argument that may be None."""
    return ast.BoolOp(ast.Or(), [ast.Compare(parsed(root(path)), [ast.Is()], [ast.Constant(None)]), held])


def ranked(array: ast.expr) -> ast.expr:
    return ast.Attribute(array, "ndim", ast.Load())


#: How many arguments one check is about.
MOST = 4


def of_rank(held: ast.expr, paths: Sequence[str], rank: int) -> Check:
    words = f"with {' == '.join(f'{path}.ndim' for path in paths)}={rank}, not "
    given = tuple(parsed(f"{path}.shape") for path in paths)
    return Check(held, given, words, tuple(parsed(f"{path}.ndim") for path in paths))


def is_of(paths: Sequence[str], rank: int) -> ast.expr:
    return equal([*(parsed(f"{path}.ndim") for path in paths), ast.Constant(rank)])


def stated(statements: Iterable[ast.stmt]) -> Iterable[tuple[str, int]]:
    """The arrays whose ranks are said by a line that fails for all others: a check of the whole shape, or an
    unpacking of it.
    """
    bound: set[str] = set()
    for statement in statements:
        match statement:
            case ast.Assert(ast.Compare(ast.Attribute(array, "shape"), [ast.Eq()], [ast.Tuple(sizes)])):
                yield unparsed(array), len(sizes)
            case ast.If(ast.Compare(ast.Attribute(array, "shape"), [ast.NotEq()], [ast.Tuple(sizes)])):
                if isinstance(statement.body[0], ast.Raise):
                    yield unparsed(array), len(sizes)
            case ast.Assign([ast.Tuple(names)], ast.Attribute(array, "shape")):
                path = unparsed(array)
                if root(path) not in bound and not any(isinstance(n, ast.Starred) for n in names):
                    yield path, len(names)
            case ast.FunctionDef() | ast.For() | ast.While():
                pass
        if not isinstance(statement, (ast.Assert, ast.Assign)):
            if not isinstance(statement, ast.If) or not isinstance(statement.body[0], ast.Raise):
                return
        stored = (n for n in walked(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        bound |= {name.id for name in stored}
