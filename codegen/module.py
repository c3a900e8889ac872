"""Module: the whole emitted file. Imports, the entry, its parts in the order in which a reader meets them, helpers last."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from ..backends.backend import Backend
from ..backends.helpers import source as helper_source
from ..ir.errors import UnsupportedError, several
from ..ir.graph import Graph, Node
from ..ir.regions import Function
from .emitter import Emitter, check
from .layout import render
from .names import Names


class Module:
    """Collects what the functions of one file share: imports, helpers, and each other."""

    def __init__(self, target: Backend, source: Backend) -> None:
        self.target = target
        self.source = source
        self.imports: set[str] = set()
        self.helpers: dict[str, None] = {}
        self.defs: dict[str, ast.FunctionDef] = {}
        self.named: dict[Function, str] = {}
        self.tuples: dict[str, type] = {}
        self.function_name = ""
        self.refusals: list[UnsupportedError] = []

    def function(self, function: Function) -> str:
        """The name under which a function of the user's is emitted; equal bodies share one."""
        if function not in self.named:
            outer = self.function_name
            made = self.define(function.graph, function.name)
            self.function_name = outer
            self.named[function] = self.place(made)
        return self.named[function]

    def place(self, made: ast.FunctionDef) -> str:
        base, number = made.name, 1
        while made.name in self.defs:
            if ast.dump(self.defs[made.name]) == ast.dump(made):
                return made.name
            number += 1
            made.name = f"{base}_{number}"
        self.defs[made.name] = made
        return made.name

    def define(self, graph: Graph, name: str) -> ast.FunctionDef:
        self.function_name = name
        names = Names(frozenset({name, "np", "jnp", "jax", "torch", "F", "math", "scipy"}))
        emitter = Emitter(graph, self, names)
        arguments = self.arguments(graph, emitter)
        body: list[ast.stmt] = []
        if graph.meta.get("doc"):
            body.append(ast.Expr(ast.Constant(graph.meta["doc"])))
        for path, value in graph.meta.get("static", {}).items():
            try:
                body.append(check(name, ast.parse(path, mode="eval").body, path, value, emitter.writer))
            except Exception as error:
                raise error
        body += emitter.statements()
        return ast.FunctionDef(name, arguments, body, [], None, type_params=[])  # type: ignore[call-overload,no-any-return]

    def arguments(self, graph: Graph, emitter: Emitter) -> ast.arguments:
        from .emitter import operand_of

        by_name = {n.target: n for n in graph.placeholders}
        made = ast.arguments([], [], None, [], [], None, [])
        for parameter in graph.meta.get("parameters") or [simple(n) for n in graph.placeholders]:
            arg = ast.arg(parameter.name)
            emitter.names.reserve(parameter.name)
            node = by_name.get(parameter.name) or by_name.get(f"*{parameter.name}") or by_name.get(f"**{parameter.name}")
            if node is not None:
                emitter.known[node] = ast.Name(parameter.name, ast.Load()), operand_of(node.spec)
            default = None if parameter.default is parameter.empty else emitter.writer.literal(parameter.default)
            match parameter.kind:
                case parameter.VAR_POSITIONAL:
                    made.vararg = arg
                case parameter.VAR_KEYWORD:
                    made.kwarg = arg
                case parameter.KEYWORD_ONLY:
                    made.kwonlyargs.append(arg)
                    made.kw_defaults.append(default)
                case parameter.POSITIONAL_ONLY:
                    made.posonlyargs.append(arg)
                    made.defaults += [default] if default is not None else []
                case _:
                    made.args.append(arg)
                    made.defaults += [default] if default is not None else []
        for node in graph.nodes:
            if node.op == "get_attr":
                made.kwonlyargs.append(ast.arg(node.target))
                made.kw_defaults.append(None)
                emitter.names.reserve(node.target)
        return made

    def namedtuple(self, kind: type) -> str | None:
        """The name of a namedtuple of the user's, which the file then defines; None for a framework's."""
        if kind.__module__.partition(".")[0] in ("torch", "numpy", "jax"):
            return None
        self.tuples[kind.__name__] = kind
        return kind.__name__

    def operation(self, node: Node) -> str:
        """How the user wrote what a node stands for."""
        from ..backends.reader import written_name

        origin = node.origin
        return written_name(origin.op, origin.target, self.source) if origin is not None else str(node.target)

    def text(self, entry: ast.FunctionDef) -> str:
        imports = [ast.parse(line).body[0] for line in sorted(self.imports, key=import_order)]
        helpers = [d for name in self.helpers for d in helper_source(self.target.name, name, self.imports)]
        parts = list(self.defs.values())
        return render(ast.Module([*imports, *self.tuple_defs(), entry, *parts, *helpers], []))

    def tuple_defs(self) -> list[ast.stmt]:
        if not self.tuples:
            return []
        fields = {n: [ast.Constant(f) for f in k._fields] for n, k in self.tuples.items()}  # type: ignore[attr-defined]
        return [
            ast.Assign(
                [ast.Name(n, ast.Store())],
                ast.Call(ast.Name("namedtuple", ast.Load()), [ast.Constant(n), ast.List(f, ast.Load())], []),
            )
            for n, f in fields.items()
        ]


def simple(node: Node) -> inspect.Parameter:
    default = node.args[0] if node.args else inspect.Parameter.empty
    return inspect.Parameter(node.target, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


def import_order(line: str) -> tuple[bool, str]:
    """The standard library first."""
    return not line.startswith(("import math", "from collections")), line


def emit(program: Graph, target: Backend, source: Backend) -> str:
    """The source of a lowered Program.

    Raises:
        UnsupportedError: where the target cannot say something.
    """
    module = Module(target, source)
    entry = module.define(program, program.name)
    if module.refusals:
        raise several(module.refusals)
    return module.text(entry)


_: Any = None
