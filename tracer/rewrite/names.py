"""Names: which variables a piece of code reads, binds, deletes and hands to closures.

Law: a read, capture or escape too many, or a sure bind too few, only costs a rewrite; the other way round
would change a program.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TypeAlias

from .runtime import FRAME_READERS

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

#: Builtins that have done with a generator, or with a function given by keyword, when they return.
EXHAUSTING = frozenset("all any dict frozenset list max min set sorted sum tuple".split())
COMPARING = frozenset(("max", "min", "sorted"))


class Names(ast.NodeVisitor):
    """What code does to the variables of the scope that it stands in.

    Attributes:
        reads: read while the code runs.
        binds: may get a value, in the order of the text; `maybes` of them where the code may also not do so,
            `walruses` by an assignment inside an expression.
        unbinds: deleted, or forgotten at the end of an `except`.
        captures: seen by a closure, generator or class body that the code makes.
        escapes: those of them that may be read at any later time.
        writes: those that may be changed then.
        global_, nonlocal_: declared so.
        pauses: whether the code hands over to its caller, to go on later.
    """

    def __init__(self, *nodes: ast.AST | None) -> None:
        self.reads: set[str] = set()
        self.binds: dict[str, None] = {}
        self.maybes: set[str] = set()
        self.walruses: set[str] = set()
        self.unbinds: set[str] = set()
        self.captures: set[str] = set()
        self.escapes: set[str] = set()
        self.writes: set[str] = set()
        self.global_: set[str] = set()
        self.nonlocal_: set[str] = set()
        self.pauses = False
        self.visit_all(nodes)

    @property
    def declared(self) -> set[str]:
        return self.global_ | self.nonlocal_

    @property
    def used(self) -> set[str]:
        return self.reads | self.captures

    def visit_all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def bind(self, name: str | None) -> None:
        if name is not None:
            self.binds[name] = None

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.bind(node.id)
        else:
            self.reads.add(node.id)
            if isinstance(node.ctx, ast.Del):
                self.bind(node.id)
                self.unbinds.add(node.id)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.walruses.add(node.target.id)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        self.perhaps(node.values[1:])

    def visit_Compare(self, node: ast.Compare) -> None:
        self.visit_all((node.left, node.comparators[0]))
        self.perhaps(node.comparators[1:])

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self.perhaps((node.body, node.orelse))

    def visit_Assert(self, node: ast.Assert) -> None:
        self.visit(node.test)
        self.perhaps((node.msg,))

    def perhaps(self, nodes: Iterable[ast.expr | None]) -> None:
        """Visit what Python may leave out."""
        sure, self.walruses = self.walruses, set()
        self.visit_all(nodes)
        self.maybes |= self.walruses - sure
        self.walruses |= sure

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.reads.add(node.target.id)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is None and isinstance(node.target, ast.Name):
            self.maybes.add(node.target.id)
        self.visit_all((node.value, node.target))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name is not None:
            self.bind(node.name)
            self.maybes.add(node.name)
            self.unbinds.add(node.name)
        self.generic_visit(node)

    def visit_alias(self, node: ast.alias) -> None:
        self.bind(node.asname or node.name.partition(".")[0])

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self.bind(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self.bind(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.bind(node.rest)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom | ast.Await) -> None:
        self.pauses = True
        self.generic_visit(node)

    visit_YieldFrom = visit_Await = visit_Yield

    def visit_Global(self, node: ast.Global) -> None:
        self.global_.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.nonlocal_.update(node.names)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.visit_all((*node.decorator_list, node.returns, node.args))
        self.bind(node.name)
        self.close_over(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.args)
        self.close_over(node)

    def close_over(self, node: Function) -> None:
        """The names that a function takes from outside, globals among them."""
        inner = Names(*body(node))
        own = _variables(node, inner)
        outer = (inner.reads | inner.captures | inner.nonlocal_) - own - inner.global_
        self.captures |= outer
        self.escapes |= outer
        self.writes |= (inner.nonlocal_ | inner.writes) - own

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.visit_all((*node.decorator_list, *node.bases, *node.keywords))
        inner = Names(*node.body)
        self.reads |= inner.reads
        self.captures |= inner.reads | inner.captures | inner.nonlocal_
        self.escapes |= inner.escapes | inner.nonlocal_
        self.writes |= inner.writes | inner.nonlocal_
        self.bind(node.name)

    def visit_Call(self, node: ast.Call) -> None:
        """A generator that is used up by the call it is made for does not escape."""
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        self.visit(node.func)
        for argument in node.args:
            if isinstance(argument, ast.GeneratorExp) and called in EXHAUSTING:
                self.comprehension(argument, at_once=True)
            else:
                self.visit(argument)
        before = self.escapes.copy()
        self.visit_all(node.keywords)
        if called in COMPARING and all(isinstance(keyword.value, ast.Lambda) for keyword in node.keywords):
            self.escapes = before

    def comprehension(self, node: Comprehension, at_once: bool = False) -> None:
        first, *_ = node.generators
        self.visit(first.iter)
        targets = Names(*(generator.target for generator in node.generators))
        inner = Names(*within(node))
        kept = set(targets.binds)
        self.reads |= inner.reads - kept
        self.captures |= inner.captures - kept
        self.escapes |= inner.escapes - kept
        self.writes |= inner.writes
        for name in sorted(inner.walruses):
            self.bind(name)
        self.maybes |= inner.walruses - self.walruses
        self.walruses |= inner.walruses
        if isinstance(node, ast.GeneratorExp):
            seen = (inner.reads | inner.walruses) - kept
            self.captures |= seen
            if not at_once:
                self.escapes |= seen
                self.writes |= inner.walruses

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension


def within(node: Comprehension) -> Iterator[ast.AST]:
    """The parts of a comprehension that run in its own scope: all but what it first loops over."""
    if isinstance(node, ast.DictComp):
        yield from (node.key, node.value)
    else:
        yield node.elt
    for place, generator in enumerate(node.generators):
        yield generator.target
        yield from generator.ifs
        if place:
            yield generator.iter


def parameters(args: ast.arguments) -> list[ast.arg]:
    stars = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *stars]


def body(node: Function) -> Sequence[ast.AST]:
    return [node.body] if isinstance(node, ast.Lambda) else node.body


def variables(node: Function) -> frozenset[str]:
    """The local variables of a function, parameters included."""
    return _variables(node, Names(*body(node)))


def _variables(node: Function, inner: Names) -> frozenset[str]:
    return frozenset(({arg.arg for arg in parameters(node.args)} | inner.binds.keys()) - inner.declared)


def own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What runs as part of `nodes`, comprehensions included: no bodies of functions or classes."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            todo.extend((*node.decorator_list, node.args))
        elif isinstance(node, ast.ClassDef):
            todo.extend((*node.decorator_list, *node.bases, *node.keywords))
        elif isinstance(node, ast.Lambda):
            todo.append(node.args)
        else:
            todo.extend(ast.iter_child_nodes(node))


def is_deferrable(node: ast.expr, local: Set[str]) -> bool:
    """Whether an expression means the same as the body of a lambda."""
    inside = Names(node)
    return not (inside.pauses or inside.walruses or inside.reads & (FRAME_READERS.keys() - local))


def assigns(node: ast.expr) -> bool:
    """Whether an expression contains a walrus."""
    return bool(Names(node).walruses)


def mangled(name: str, private: str | None) -> str:
    """`name` as Python spells it inside the class `private`."""
    owner = (private or "").lstrip("_")
    if not owner or not name.startswith("__") or name.endswith("__"):
        return name
    return f"_{owner}{name}"
