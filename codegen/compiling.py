"""Compiling: which functions of a text JAX compiles. Those that the user has compiled; and an entry that
holds loops or branches of JAX's, which would be compiled anew at each call if it were run call by call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..ir.errors import UnsupportedError
from ..ir.graphs.graph import Graph
from .jitting import static_argnames
from .statements.written.annotations import parameters

if TYPE_CHECKING:
    from .module import Module


def compile_functions(module: Module, entry: ast.FunctionDef, program: Graph, jit: bool) -> None:
    """Decorate functions with what compiles them.

    Args:
        jit: whether the entry is to be compiled in any case.

    Raises:
        UnsupportedError: where it is to be, and cannot.
    """
    static = static_argnames(program)
    if jit and static is None:
        raise UnsupportedError(
            f"compiling {entry.name}",
            backend=module.target.name,
            why=f"{module.target.regions.jit} hands on arrays, and numbers that decide no shape, in"
            " containers that it knows",
            hint="leave jit=True out: the result of .to() runs it call by call",
        )
    if static is not None and (jit or module.jitted or "compiled" in program.meta):
        decorate(module, entry, static)
    for made in module.defs.values():
        graphs: list[Graph] = getattr(made, "graphs", [])
        asked = [known_names(graph) for graph in graphs]
        if graphs and None not in asked:
            names = [*(name for names in asked for name in names or ()), *told(made, graphs)]
            decorate(module, made, dict.fromkeys(names))


def told(made: ast.FunctionDef, graphs: Iterable[Graph]) -> Iterator[str]:
    """The parameters that are static for the user and none of the graphs', since each of these is of one
    value of it: `mode`, in a text for all of them.
    """
    theirs = {name for graph in graphs for name in graph.meta["compiled"]}
    computed = {node.target for graph in graphs for node in graph.placeholders}
    return (arg.arg for arg in parameters(made.args) if arg.arg in theirs - computed)


def known_names(graph: Graph) -> tuple[str, ...] | None:
    """The parameters that must be known to compile a function of the user's; None where he does not compile
    it, or not with these: its callers may hand on what is computed of arrays, a loop's counter among it.
    """
    theirs = graph.meta.get("compiled")
    names = static_argnames(graph, numbers=False) if theirs is not None else None
    return names if names is not None and theirs is not None and theirs.issuperset(names) else None


def decorate(module: Module, function: ast.FunctionDef, static: Iterable[str]) -> None:
    """Let a function be compiled for each value of the arguments that are `static`."""
    arguments = function.args
    known = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    names = [ast.Constant(name) for name in static if name in known]
    compiled = module.target.regions
    jit = module.say(compiled.jit)
    if names:
        listed = ast.Tuple([*names], ast.Load()) if len(names) > 1 else names[0]
        module.imports.add("import functools")
        partial = ast.Attribute(ast.Name("functools", ast.Load()), "partial", ast.Load())
        partial.value.imported = True  # type: ignore[attr-defined]
        jit = ast.Call(partial, [jit], [ast.keyword(compiled.static, listed)])
    function.decorator_list = [jit]
