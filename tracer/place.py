"""Place: where in the user's text a call stands, kept as (code, offset) while tracing and looked up only when
asked for.

CPython's position table gives the exact expression of every instruction, in rewritten code too, since the
rewriter keeps positions. From it come spans for errors, the statement that a value belongs to, and the name
that it is bound to.
"""

from __future__ import annotations

import ast
import functools
import linecache
import os
import re
import sys
import sysconfig
import types
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from ..backends.backend import whole
from ..ir.source.span import Span

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FRAMEWORKS = whole()
#: Rooms of this package, and its doors, whose frames are never the user's; tests, examples and notebooks are.
DOORS = ("api.py", "traced.py", "checking.py", "__main__.py")
ROOMS = (
    *(os.path.join(PACKAGE, room) + os.sep for room in ("ir", "backends", "tracer", "codegen")),
    *(os.path.join(PACKAGE, door) for door in DOORS),
)
#: Functions of ours that run an operation of the program's as it is: what they raise is the program's own.
#: Each with whether stand-ins may be among its arguments, which are not what the program would give it.
GATES: dict[types.CodeType, bool] = {}
#: Functions of ours that call the program, by their names: what called them is no part of it.
EDGES: dict[str, set[types.CodeType]] = {}
#: Those that call a function of the program's for what the program called: what it gives has no name there.
BETWEEN: set[types.CodeType] = set()

Called = TypeVar("Called", bound=Callable[..., Any])
Positions = tuple[
    int, int, int, int
]  # first line, last line, first column, last column; columns in utf-8 bytes


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the user's: its `key` tells it from all others, `targets` are the names that it binds.

    `value` is the position of the bound expression; for `a, b = f(x)` targets are ("a", "b") and `unpacks` is
    true. `items` are the names, however nested, that a `for` binds every turn, `nested` is the tree of those
    of `(a, b), c = f(x)`; `beside` says that it binds others as well to values that it has one by one,
    `a, b = x, y`.
    """

    key: tuple[str, int, int]
    targets: tuple[str, ...]
    value: Positions | None
    unpacks: bool
    items: tuple[str, ...] = ()
    beside: bool = False
    nested: Any = ()


class Place:
    """One instruction of one frame. `frame` tells calls of one function apart."""

    __slots__ = ("code", "offset", "frame", "_positions", "_statement")

    def __init__(self, code: types.CodeType, offset: int, frame: int) -> None:
        self.code = code
        self.offset = offset
        self.frame = frame
        #: What is asked again and again of a call, once it was; ... before that.
        self._positions: Any = ...
        self._statement: Any = ...

    @property
    def positions(self) -> Positions | None:
        if self._positions is ...:
            self._positions = positions(self.code, self.offset)
        found: Positions | None = self._positions
        return found

    @property
    def span(self) -> Span | None:
        found = self.positions
        if found is None:
            return None
        line, end_line, column, end_column = found
        file = self.code.co_filename
        return Span(
            file,
            line,
            characters(file, line, column),
            end_line,
            characters(file, end_line, end_column),
            self.code.co_name,
        )

    @property
    def statement(self) -> Statement | None:
        if self._statement is ...:
            where = self.positions
            self._statement = statement_at(self.code.co_filename, where) if where else None
        found: Statement | None = self._statement
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the statement binds to this very value; empty where it binds another, or none."""
        found = self.statement
        return found.targets if found is not None and found.value == self.positions else ()

    @property
    def unpacks(self) -> bool:
        """Whether the statement takes this very value apart: `B, T, C = x.shape`."""
        return bool(self.names) and self.statement is not None and self.statement.unpacks


def here() -> Place | None:
    """The innermost frame of a program that is neither tracelate's nor a framework's; functools' only call
    others. None where the program has returned.
    """
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if is_program(code.co_filename) and code.co_filename != functools.__file__:
            return Place(code, frame.f_lasti, id(frame))
        if code.co_name in EDGES and code in EDGES[code.co_name]:  # code takes long to hash
            return None
        frame = frame.f_back
    return None


def own_place(outermost: types.FrameType | None) -> Place | None:
    """The innermost frame, down from `outermost`, in a file of the user's: no library's nor Python's own."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame is not outermost:
        if users(frame.f_code) and own_file(frame.f_code.co_filename):
            return Place(frame.f_code, frame.f_lasti, id(frame))
        frame = frame.f_back
    return None


@functools.cache
def is_own(module: str) -> bool:
    """Whether a module, by name, is the user's: one without a file that is not Python's own is."""
    root = module.partition(".")[0]
    if root in FRAMEWORKS or root in sys.builtin_module_names or root in sys.stdlib_module_names:
        return root == "__main__"
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is None or own_file(file) and not file.startswith(ROOMS)


def is_module_dict(names: dict[Any, Any]) -> bool:
    """Whether these are the names of a module of the user's."""
    name = names.get("__name__") if "__builtins__" in names else None
    if not isinstance(name, str) or not is_own(name):
        return False
    return getattr(sys.modules.get(name), "__dict__", None) is names


def module_of(kind: type) -> str:
    """The module of a class; "" where it does not say."""
    found = kind.__module__
    return found if isinstance(found, str) else ""


def raised_at(error: BaseException) -> Place | None:
    """Where the user's code raised what has not left it yet, or now stands."""
    trace, found = error.__traceback__, None
    while trace is not None:
        code = trace.tb_frame.f_code
        if users(code):
            found = Place(code, trace.tb_lasti, id(trace.tb_frame))
        trace = trace.tb_next
    return found or here()


def gate(function: Called) -> Called:
    """Note that a function of ours runs operations of the program's, on what it has; see faults.py."""
    GATES[cast(Any, function).__code__] = False
    return function


def loose_gate(function: Called) -> Called:
    """The same where stand-ins may be among its arguments."""
    GATES[cast(Any, function).__code__] = True
    return function


def edge(function: Called) -> Called:
    """Note that a function of ours calls the program."""
    code = cast(Any, function).__code__
    EDGES.setdefault(code.co_name, set()).add(code)
    return function


def between(function: Called) -> Called:
    """Note that a function of ours calls one of the program's for what the program called."""
    BETWEEN.add(cast(Any, function).__code__)
    return function


@functools.cache
def is_ours(file: str) -> bool:
    """Whether a file is tracelate's own."""
    return file.startswith(ROOMS)


def users(code: types.CodeType) -> bool:
    """Whether code is the user's or of a library that is traced through."""
    return is_program(code.co_filename)


@functools.cache
def is_program(file: str) -> bool:
    """Whether a file is."""
    if is_ours(file) or file.startswith("<frozen"):
        return False
    return package_of(file) not in FRAMEWORKS and not file.startswith("<__array_function__")


@functools.cache
def package_of(file: str) -> str:
    """The installed package that a file is part of, "" for one that is not installed."""
    parts = file.replace("\\", "/").split("/")
    for folder in ("site-packages", "dist-packages"):
        if folder in parts:
            return parts[parts.index(folder) + 1].partition(".")[0]
    return ""


def positions(code: types.CodeType, offset: int) -> Positions | None:
    index = offset // 2
    found = table(code)
    if not 0 <= index < len(found) or None in found[index]:
        return None
    line, end_line, column, end_column = found[index]
    return line, end_line, column, end_column  # type: ignore[return-value]


@functools.lru_cache(maxsize=4096)
def table(code: types.CodeType) -> list[tuple[int | None, int | None, int | None, int | None]]:
    return list(code.co_positions())


def characters(file: str, line: int, column: int) -> int:
    """A column in utf-8 bytes as one in characters."""
    text = linecache.getline(file, line)
    return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))


def statement_at(file: str, where: Positions) -> Statement | None:
    """The innermost simple statement around a position."""
    return index(file, len(linecache.getlines(file))).at(where)


@functools.lru_cache(maxsize=256)
def index(file: str, lines: int) -> Index:
    return Index(file)


class Index:
    """The statements of a file, by position."""

    def __init__(self, file: str) -> None:
        self.found: dict[Positions, Statement | None] = {}
        self.nodes: list[tuple[tuple[int, int], tuple[int, int], ast.stmt]] = []
        try:
            tree = ast.parse("".join(linecache.getlines(file)))
        except SyntaxError:
            tree = ast.Module([], [])
        self.file = file
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt) and not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
                self.nodes.append(((node.lineno, node.col_offset), end, node))
        self.nodes.sort(key=lambda item: (item[0], (-item[1][0], -item[1][1])))
        self.starts = [start for start, _, _ in self.nodes]

    def at(self, where: Positions) -> Statement | None:
        if where not in self.found:
            self.found[where] = self.search(where)
        return self.found[where]

    def search(self, where: Positions) -> Statement | None:
        line, end_line, column, end_column = where
        i = bisect_right(self.starts, (line, column)) - 1
        while i >= 0:
            start, end, node = self.nodes[i]
            if end >= (end_line, end_column):
                return describe(self.file, node, where)
            if line - start[0] > 10_000:
                return None
            i -= 1
        return None


def describe(file: str, node: ast.stmt, where: Positions) -> Statement:
    key = (file, node.lineno, node.col_offset)
    match node:
        case ast.Assign(targets=[target], value=value):
            names, unpacks = target_names(target)
            alone = item_name(target, value, where) if unpacks else None
            if alone is not None:
                return Statement(key, (alone,), where, False, beside=True)
            return Statement(key, names, span_of(value), unpacks, nested=() if names else tree_of(target))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return Statement(key, (name,), span_of(value), False)
        case ast.For(target=target):
            return Statement(key, (), None, False, items_of(target))
        case ast.AugAssign(target=ast.Name(id=name)):
            return Statement(key, (name,), span_of(node), False)
    for inner in ast.walk(node):
        if isinstance(inner, ast.NamedExpr) and span_of(inner.value) == where:
            return Statement(key, (inner.target.id,), where, False)
    return Statement(key, (), None, False)


def target_names(target: ast.expr) -> tuple[tuple[str, ...], bool]:
    if isinstance(target, ast.Name):
        return (target.id,), False
    if isinstance(target, (ast.Tuple, ast.List)) and all(isinstance(t, ast.Name) for t in target.elts):
        return tuple(t.id for t in target.elts if isinstance(t, ast.Name)), True
    return (), False


def item_name(target: Any, value: ast.expr, where: Positions) -> str | None:
    """The name that `a, b = x, y` binds to the item that stands here, unless a later item reads that name."""
    if not isinstance(value, (ast.Tuple, ast.List)) or len(value.elts) != len(target.elts):
        return None
    for i, (name, item) in enumerate(zip(target.elts, value.elts)):
        if span_of(item) == where:
            later = {n.id for v in value.elts[i + 1 :] for n in ast.walk(v) if isinstance(n, ast.Name)}
            return None if name.id in later else str(name.id)
    return None


def items_of(target: ast.expr) -> tuple[str, ...]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return tuple(name for part in target.elts for name in items_of(part))
    return (target.id,) if isinstance(target, ast.Name) else ("",)


def tree_of(target: ast.expr) -> Any:
    """The names of `(a, b), c` as nested tuples, "" for what is no name."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return tuple(map(tree_of, target.elts))
    return target.id if isinstance(target, ast.Name) else ""


def span_of(node: Any) -> Positions:
    return node.lineno, node.end_lineno or node.lineno, node.col_offset, node.end_col_offset or 0


@functools.cache
def is_standard(file: str) -> bool:
    """Whether a file is of the standard library, or of Python itself."""
    stdlib = sysconfig.get_paths()["stdlib"]
    return not package_of(file) and file.startswith((stdlib, "<frozen", "<__array_function__"))


def own_file(file: str) -> bool:
    """Whether the code in a file is traced: that of an installed package is if it is made for arrays."""
    package = package_of(file)
    return made_for_arrays(package) if package else not is_standard(file)


@functools.cache
def made_for_arrays(package: str) -> bool:
    """Whether an installed package needs a framework, as what it says of itself has it, and is none."""
    if package in FRAMEWORKS:
        return False
    from importlib import metadata  # which takes longer to import than any file of ours

    found = metadata.packages_distributions().get(package, ())
    needs = (need for each in found for need in metadata.requires(each) or () if "extra ==" not in need)
    return any((name := re.match(r"[\w-]+", need)) and name[0].lower() in FRAMEWORKS for need in needs)


def users_own(function: types.FunctionType) -> bool:
    """Whether a function is the user's: not of a framework or the standard library, nor of an installed
    library that has nothing to do with arrays.
    """
    return users(function.__code__) and own_file(function.__code__.co_filename)
