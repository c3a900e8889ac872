"""Functions, lambdas and classes in rewritten code: their bodies are rewritten too, async ones left alone."""

from __future__ import annotations

import ast

from . import names
from .calls import keywords
from .desugar import desugared
from .template import Template
from .walk import ClassScope, Rules, Scope, Walk

FUNCTION = Template("HOOKS.function(VALUE)")
FUNCTION_HOOK = Template("HOOKS.function")
DECORATOR = Template("HOOKS.decorator(VALUE)")


def scope_of(node: ast.FunctionDef | ast.Lambda, private: str | None, apart: bool = True) -> Scope:
    """The scope of a function, in simpler statements; `apart`: see there."""
    node = node if isinstance(node, ast.Lambda) else desugared(node, apart)
    return Scope(names.variables(node), node=node, private=private)


def body(scope: Scope, rules: Rules) -> list[ast.stmt]:
    """The statements of a function, rewritten. What only its branches bind is still declared its own."""
    node = scope.node
    assert isinstance(node, ast.FunctionDef)
    made = Walk(rules, scope, here=scope.locals).block(node.body)
    has_docstring = ast.get_docstring(node, clean=False) is not None
    arguments = {arg.arg for arg in names.parameters(node.args)}
    declarations = [_declaration(name, node) for name in sorted(scope.dropped - arguments)]
    made[has_docstring:has_docstring] = declarations
    return made


def _declaration(name: str, at: ast.AST) -> ast.stmt:
    """`name: None`, which makes a variable local and does nothing."""
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    annotation = ast.copy_location(ast.Constant(None), at)
    return ast.copy_location(ast.AnnAssign(target, annotation, None, 1), at)


def lambda_body(scope: Scope, rules: Rules) -> ast.expr:
    assert isinstance(scope.node, ast.Lambda)
    return Walk(rules, scope, here=scope.locals).value(scope.node.body)


def function(node: ast.FunctionDef, walk: Walk) -> list[ast.stmt]:
    """Decorators are called by Python, as they are around the outermost function, after the hook."""
    decorators = [*decorated(node, walk), FUNCTION_HOOK(node)]
    statements = body(scope_of(node, walk.scope.private), walk.rules)
    made = ast.FunctionDef(node.name, _arguments(node.args, walk), statements, decorators, node.returns)
    return [ast.copy_location(made, node)]


def decorated(node: ast.FunctionDef | ast.ClassDef, walk: Walk) -> list[ast.expr]:
    return [DECORATOR(each, VALUE=walk.value(each)) for each in node.decorator_list]


def lambda_(node: ast.Lambda, walk: Walk) -> ast.expr:
    inner = lambda_body(scope_of(node, walk.scope.private), walk.rules)
    made = ast.Lambda(_arguments(node.args, walk), inner)
    return FUNCTION(node, VALUE=ast.copy_location(made, node))


def class_(node: ast.ClassDef, walk: Walk) -> list[ast.stmt]:
    inner = Walk(walk.rules, ClassScope((), private=node.name), here=frozenset())
    made = ast.ClassDef(
        node.name,
        walk.values(node.bases),
        keywords(node.keywords, walk),
        inner.block(node.body),
        decorated(node, walk),
    )
    return [ast.copy_location(made, node)]


def left_alone(node: ast.AsyncFunctionDef, walk: Walk) -> list[ast.stmt]:
    return [node]


def _arguments(node: ast.arguments, walk: Walk) -> ast.arguments:
    """Defaults are evaluated where the function is made; annotations stay as they are."""
    return ast.arguments(
        node.posonlyargs,
        node.args,
        node.vararg,
        node.kwonlyargs,
        [None if default is None else walk.value(default) for default in node.kw_defaults],
        node.kwarg,
        walk.values(node.defaults),
    )
