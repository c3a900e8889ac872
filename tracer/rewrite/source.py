"""Source: the `def` or `lambda` that a code object was compiled from.

The whole file is parsed once, so nothing need be dedented or guessed. A candidate is the right one iff it
compiles to that very code: a file that was edited since it was imported is never taken for what runs.
"""

from __future__ import annotations
import __future__

import ast
import linecache
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from types import CodeType
from typing import Any, TypeAlias

from ...ir.errors import TraceError
from .names import Comprehension, own, within

Leaf: TypeAlias = ast.FunctionDef | ast.Lambda
Enclosing: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | Comprehension
Path: TypeAlias = tuple[Enclosing, ...]

_FUTURES = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})

_MEANING = (
    *("co_code", "co_names", "co_varnames", "co_cellvars", "co_freevars", "co_flags"),
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_firstlineno"),
)

# since 3.12 these run in the frame around them
_INLINED = (ast.ListComp, ast.SetComp, ast.DictComp) if sys.version_info >= (3, 12) else ()


class NoSource(TraceError):
    """The source of a function is not to be had, so that it can only be run as it is."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A function's own node, what encloses it, outermost first, and the names that its module imports."""

    node: Leaf
    enclosing: Path
    imports: tuple[str, ...]

    @property
    def private(self) -> str | None:
        """The class whose name mangles `__x`."""
        classes = [node.name for node in self.enclosing if isinstance(node, ast.ClassDef)]
        return classes[-1] if classes else None

    def compile(self, node: Leaf, code: CodeType) -> CodeType:
        """`node` compiled in this definition's place, to do for what `code` does.

        Only the scopes around it are built, with the variables it takes from them: so qualified names, name
        mangling and the cells, `__class__` among them, come out as they were.
        """
        leaf = _bare(node)
        child: ast.stmt | ast.expr = leaf
        closed_over = [name for name in code.co_freevars if name != "__class__" or self.private is None]
        outermost = next((scope for scope in self.enclosing if not isinstance(scope, ast.ClassDef)), None)
        for scope in reversed(self.enclosing):
            child = _around(child, scope, closed_over if scope is outermost else [])
        # CPython calls the functions of imported modules by other instructions
        imports = [ast.Import([ast.alias(name)]) for name in self.imports]
        module = ast.fix_missing_locations(ast.Module([*imports, _as_statement(child)], []))
        leaf.body = node.body  # only now: it is the bulk, and lacks no location
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made: CodeType = compile(
                module, code.co_filename, "exec", flags=code.co_flags & _FUTURES, dont_inherit=True
            )
        own_code = [scope for scope in self.enclosing if not isinstance(scope, _INLINED)]
        for _ in (*own_code, node):
            made = next(const for const in made.co_consts if isinstance(const, CodeType))
        return made


def find(code: CodeType, module: dict[str, Any]) -> Definition:
    """The definition of `code`, a function of the module with these globals.

    Raises:
        NoSource: there is no text, or it is not what `code` was compiled from.
    """
    candidates = begun(code, module)
    # A notebook compiles the statements of a cell one by one, without the imports above them.
    for choice in (candidates, [replace(found, imports=()) for found in candidates if found.imports]):
        compiled = [(found, found.compile(found.node, code)) for found in choice]
        same = [(found, made) for found, made in compiled if _alike(made, code) or _is_of_a_test(code)]
        positions = list(code.co_positions())
        exact = [(found, made) for found, made in same if list(made.co_positions()) == positions]
        for found, _ in exact or same:
            return found
    if candidates:
        why, hint = "its file has changed since it was imported", "import it again"
    else:
        why, hint = "its text is not to be had", "define it in a file or a notebook cell"
    raise NoSource(f"no source for {code.co_qualname}: {why}", hint=hint)


def begun(code: CodeType, module: dict[str, Any]) -> list[Definition]:
    """The definitions of its name that begin where `code` does, which may have been rewritten since."""
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename, module))
    return _definitions(text).get((code.co_firstlineno, code.co_name), []) if text else []


def _is_of_a_test(code: CodeType) -> bool:
    """Whether pytest has rewritten the asserts of `code`, so that no source compiles to it."""
    return any(name.startswith("@py") for name in (*code.co_names, *code.co_varnames))


def _alike(one: object, other: object) -> bool:
    """Whether two code objects or constants mean the same: `==` also compares what running has cached."""
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        same = all(getattr(one, name) == getattr(other, name) for name in _MEANING)
        same = same and len(one.co_consts) == len(other.co_consts)
        return same and all(map(_alike, one.co_consts, other.co_consts))
    if isinstance(one, frozenset):
        return one == other
    return repr(one) == repr(other)


@lru_cache(maxsize=16)
def _definitions(text: str) -> dict[tuple[int, str], list[Definition]]:
    """The functions of a file by the line and name that their code bears."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return {}
    imports = tuple(_imports(module))
    found: dict[tuple[int, str], list[Definition]] = {}
    todo: list[tuple[ast.AST, Path]] = [(module, ())]
    while todo:
        node, enclosing = todo.pop()
        if isinstance(node, ast.FunctionDef):
            first = node.decorator_list[0] if node.decorator_list else node
            found.setdefault((first.lineno, node.name), []).append(Definition(node, enclosing, imports))
        elif isinstance(node, ast.Lambda):
            found.setdefault((node.lineno, "<lambda>"), []).append(Definition(node, enclosing, imports))
        todo.extend(_parts(node, enclosing))
    return found


def _imports(module: ast.Module) -> Iterator[str]:
    for node in own([module]):
        if isinstance(node, ast.alias) and node.name != "*":
            yield node.asname or node.name.partition(".")[0]


def _parts(node: ast.AST, enclosing: Path) -> Iterator[tuple[ast.AST, Path]]:
    """The children of `node`, each with the scopes that it stands in."""
    inner: set[ast.AST] = set()
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            inner.update(node.body)
        case ast.Lambda():
            inner.add(node.body)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield node.generators[0].iter, enclosing
            for part in within(node):
                yield part, (*enclosing, node)
            return
    for child in ast.iter_child_nodes(node):
        if child in inner:
            assert isinstance(node, Enclosing)
            yield child, (*enclosing, node)
        else:
            yield child, enclosing


def _bare(node: Leaf) -> Leaf:
    """The function with no body, and without what is evaluated where it is made. It starts where it did."""
    args = node.args
    bare = _arguments([arg.arg for arg in args.posonlyargs], [arg.arg for arg in args.args])
    bare.kwonlyargs = [ast.arg(arg.arg) for arg in args.kwonlyargs]
    bare.kw_defaults = [None for _ in args.kwonlyargs]
    bare.vararg = args.vararg and ast.arg(args.vararg.arg)
    bare.kwarg = args.kwarg and ast.arg(args.kwarg.arg)
    if isinstance(node, ast.Lambda):
        return ast.copy_location(ast.Lambda(bare, ast.Constant(None)), node)
    # a function starts at the line of its first decorator
    decorators = [ast.copy_location(ast.Constant(None), old) for old in node.decorator_list[:1]]
    return ast.copy_location(ast.FunctionDef(node.name, bare, [], [*decorators]), node)


def _around(child: ast.stmt | ast.expr, scope: Enclosing, binds: list[str]) -> ast.stmt | ast.expr:
    """A scope like `scope` that holds nothing but `child` and the variables `binds`."""
    if isinstance(scope, ast.ClassDef):
        return ast.ClassDef(scope.name, [], [], [_as_statement(child)], [])
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return type(scope)(scope.name, _arguments([], binds), [_as_statement(child)], [])
    assert isinstance(child, ast.expr)
    if isinstance(scope, ast.Lambda):
        return ast.Lambda(_arguments([], binds), child)
    targets = ast.Tuple([ast.Name(name, ast.Store()) for name in binds], ast.Store())
    generators = [ast.comprehension(targets, ast.Tuple([], ast.Load()), [], 0)]
    if isinstance(scope, ast.DictComp):
        return ast.DictComp(child, ast.Constant(None), generators)
    return type(scope)(child, generators)


def _arguments(posonly: list[str], names: list[str]) -> ast.arguments:
    first, rest = ([ast.arg(name) for name in several] for several in (posonly, names))
    return ast.arguments(first, rest, None, [], [], None, [])


def _as_statement(node: ast.stmt | ast.expr) -> ast.stmt:
    return ast.Expr(node) if isinstance(node, ast.expr) else node
