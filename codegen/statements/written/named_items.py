"""Named items: what the user calls the items of the containers that a function is given.

    w1, b1, w2, b2 = params
    layer = params["layers"][0]

Such a statement computes nothing, so no node stands for it: what is printed of its names are the items of
the argument, `params[0]`. Where that is all they ever are, the statement is put before the first that reads
one of them, and they are called by their names.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....ir.source.remarks import Remarked, remarks
from ...checks.apart import checks_of
from ...plan.names import legal
from ...text.unparsing import unparsed
from ...text.walking import Transformer, copied, walked
from .annotations import parameters
from .positions import position
from .remarks import keys, lines
from .stated import bounds, counts, is_path, items_of

#: What is asked of a container without changing it.
ASKING = frozenset("items keys values get index count copy".split())


@dataclass
class Taking:
    """A statement of the user's that takes items out of an argument, and what each of its names is."""

    user: Remarked
    target: ast.expr
    value: ast.expr
    path: str
    paths: dict[str, str]


def name_items(made: ast.FunctionDef, own: Remarked | None, taken: Collection[str]) -> None:
    """Let a function say the items of its arguments by the user's names.

    Args:
        own: the definition that it was traced from.
        taken: names of the file's.
    """
    if own is None or not isinstance(own.node, ast.FunctionDef):
        return
    checks = {id(check) for check in checks_of(made)}
    body = [statement for statement in made.body if id(statement) not in checks]
    arguments = {arg.arg for arg in parameters(made.args)}
    counted = dict(counts(checks_of(made)))
    found: list[Taking] = []
    if takes := [*takings(own, arguments - {*stored(body)}, counted)]:
        printed = Printed(body, arguments.union(taken), arguments - {*stored(own.node.body)})
        for each in takes:
            if printed.takes(each, found):
                found.append(each)
        put(made, body, [(each, printed.stands(each)) for each in found])
    made.body = [statement for statement in made.body if not says_nothing(statement)]
    for part in lines(body) if counted else ():
        respell(part, counted)


def respell(statement: ast.stmt, counted: Mapping[str, int]) -> None:
    """Let a part of a list be said as the user says it: `ws[:-1]`, not `ws[:2]`, of three."""
    theirs = [remarks(key[0]).found[key].node for key in keys(statement) if key in remarks(key[0]).found]
    spelled = [part for node in theirs for part in slices(node)]
    for mine, taken in slices(statement):
        places = range(counted.get(unparsed(mine.value), 0))
        for user, wanted in spelled if places else ():
            if unparsed(user.value) == unparsed(mine.value) and places[wanted] == places[taken]:
                mine.slice = user.slice


def slices(code: ast.AST) -> Iterator[tuple[ast.Subscript, slice]]:
    """The parts of variables in some code whose bounds are numbers."""
    for node in walked(code):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            found = bounds(node.slice)
            if found is not None:
                yield node, found


class Printed:
    """The statements that are printed of a function, which names are to be put into.

    Args:
        taken: names that no variable can have.
        arguments: those that the user binds to nothing else.
    """

    def __init__(self, body: Sequence[ast.stmt], taken: Collection[str], arguments: Collection[str]) -> None:
        self.body = body
        self.taken = taken
        self.arguments = arguments
        self.names = [{*mentioned(statement)} for statement in body]
        self.paths = [paths_in(statement) for statement in body]
        #: What functions within read, whenever they are called.
        inner = [function for statement in body for function in functions_in(statement)]
        self.later = {path for function in inner for path in paths_in(function)}
        self.inner = {name for function in inner for name in mentioned(function)}
        self.changed = {*changed(body)}

    def takes(self, each: Taking, before: Sequence[Taking]) -> bool:
        """Whether these names can be those of the items as long as these are read, besides what is named
        `before`: the user may bind them to others afterwards.
        """
        if any(name in self.taken or legal(name) != name for name in each.paths):
            return False
        if any(inside(path, base) for path in each.paths.values() for base in self.changed):
            return False
        known = {name for other in before for name in other.paths}
        heads = {*mentioned(each.value)}.difference(self.arguments)
        if not heads <= known or any(heads & names for names in self.names):
            return False
        pairs = ((other, name) for other in before for name in each.paths.keys() & other.paths.keys())
        return all(self.is_free(name, each) for name in each.paths) and all(
            self.follows(each, other, name) for other, name in pairs
        )

    def reads(self, path: str, each: Taking) -> list[int]:
        """Which statements behind the user's own read an item."""
        return [place for place in range(self.stands(each), len(self.body)) if path in self.paths[place]]

    def begins(self, each: Taking) -> int:
        places = (place for path in each.paths.values() for place in self.reads(path, each))
        return min(places, default=len(self.body))

    def stands(self, each: Taking) -> int:
        """The first statement that the user has behind this one, or in it."""
        behind = (i for i in range(len(self.body)) if self.line(i, each) >= each.user.key[1])
        return next(behind, len(self.body))

    def line(self, place: int, each: Taking) -> int:
        """In which line of the user's function a statement begins; one of ours where that before it does."""
        function = each.user.function
        assert function is not None
        at = position(self.body[place])
        last = function.node.end_lineno or function.node.lineno
        if at is not None and at[0] == each.user.key[0] and function.node.lineno <= at[1] <= last:
            return at[1]
        return self.line(place - 1, each) if place else function.node.lineno

    def is_free(self, name: str, each: Taking) -> bool:
        """Whether a name is bound to something else, if at all, when the item is read no more."""
        begins, path = self.begins(each), each.paths[name]
        places = [place for place, names in enumerate(self.names) if name in names]
        met = next((place for place in places if place >= begins), None)
        if not places or met is None and name not in self.inner:
            return True
        if met is None or met > places[0]:
            return False
        bound = self.body[met]
        anew = isinstance(bound, ast.Assign) and name not in {*mentioned(bound.value)}
        return anew and met >= max(self.reads(path, each), default=0) and path not in self.later

    def follows(self, each: Taking, other: Taking, name: str) -> bool:
        """Whether a name is read no more as what another statement takes once this one has bound it."""
        path = other.paths[name]
        return path not in self.later and max(self.reads(path, other), default=-1) < self.begins(each)


def put(made: ast.FunctionDef, body: Sequence[ast.stmt], found: Sequence[tuple[Taking, int]]) -> None:
    """Put the statements that are wanted before the first that reads what they name.

    Args:
        found: them, each with the number of the first statement that may read its names.
    """
    paths = {name: path for each, _ in found for name, path in each.paths.items()}
    naming: list[tuple[ast.stmt, Naming]] = []
    for number, statement in enumerate(body if found else ()):
        known = (each for each, first in found if number >= first)
        naming.append((statement, Naming({p: name for each in known for name, p in each.paths.items()})))
        naming[-1][1].visit(statement)
    anchors = [statement for statement, _ in naming]
    stands: list[ast.Assign] = []
    for taking, _ in reversed(found):
        own = {*taking.paths.values()}
        first = next((i for i, (_, each) in enumerate(naming) if each.met & own), None)
        if first is None:
            continue
        naming[first][1].met.update(paths[name] for name in mentioned(taking.value) if name in paths)
        given = ast.Assign([taking.target], taking.value, lineno=0)
        given.of = taking.user.key  # type: ignore[attr-defined]
        given.path = taking.path  # type: ignore[attr-defined]
        readers = (each for each in stands if not taking.paths.keys().isdisjoint(mentioned(each.value)))
        place = min(map(made.body.index, [anchors[first], *readers]))
        made.body.insert(earlier(made, place, taking), given)
        anchors[first] = given
        stands.append(given)


def earlier(made: ast.FunctionDef, place: int, taking: Taking) -> int:
    """Where the user has such a statement: before those that stand behind it in his text, if these mention
    none of its names.
    """
    first = sum(getattr(made, "checks", (0, 0)))
    names = {*taking.paths} | {*mentioned(taking.value)} & {*stored(made.body)}
    while place > first:
        statement = made.body[place - 1]
        at = position(statement)
        behind = at is not None and at[0] == taking.user.key[0] and at > taking.user.key
        if not behind or names & {*mentioned(statement)}:
            break
        place -= 1
    return place


def says_nothing(statement: ast.stmt) -> bool:
    """Whether it is `h = h`, or `b, t = b, t`."""
    match statement:
        case ast.Assign([ast.Name() | ast.Tuple() as target], ast.Name() | ast.Tuple() as value):
            return unparsed(target) == unparsed(value)
    return False


def takings(own: Remarked, known: Collection[str], counted: Mapping[str, int]) -> Iterator[Taking]:
    """The statements of a function, in no block of it, that take items out of these parameters, which are
    bound to nothing else there. `counted`: how many items containers have.
    """
    assert isinstance(own.node, ast.FunctionDef)
    bound = Counter(stored(own.node.body))
    theirs = {arg.arg for arg in parameters(own.node.args)}
    roots = {name: name for name in known if name in theirs and not bound[name]}
    for each in own.blocks[0]:
        if not isinstance(each.node, ast.Assign) or len(each.node.targets) != 1:
            continue
        (target,), given = each.node.targets, each.node.value
        value = FromTheFront(roots, counted).visit(copied(given))
        paths = dict(parts(target, value, roots))
        if paths and (items_of(target) or is_path(value)):
            roots |= {name: path for name, path in paths.items() if bound[name] == 1}
            yield Taking(each, target, given, full(value, roots), paths)


class FromTheFront(Transformer):
    """Counts places from the front: `params[-1]` of three items is `params[2]`."""

    def __init__(self, roots: Mapping[str, str], counted: Mapping[str, int]) -> None:
        self.roots = roots
        self.counted = counted

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        self.generic_visit(node)
        match node.slice:
            case ast.UnaryOp(ast.USub(), ast.Constant(int() as back)):
                count = self.counted.get(full(node.value, self.roots), 0)
                if 0 < back <= count:
                    node.slice = ast.Constant(count - back)
        return node


def parts(target: ast.expr, value: ast.expr, roots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What each name of a target is, of parts of variables; nothing where one is something else."""
    items = items_of(target)
    if isinstance(value, ast.Tuple) and len(value.elts) == len(items):
        found = [dict(parts(item, each, roots)) for item, each in zip(items, value.elts)]
        yield from (pair for each in found if all(found) for pair in each.items())
    elif isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        for item, each in zip(items, sizes(value.value, value.slice, len(items))):
            yield from parts(item, each, roots)
    elif root_of(value) in roots and not any(isinstance(item, ast.Starred) for item in items):
        if isinstance(target, ast.Name) and target.id != "_":
            yield target.id, full(value, roots)
        for number, item in enumerate(items):
            yield from parts(item, ast.Subscript(value, ast.Constant(number), ast.Load()), roots)


def sizes(shape: ast.expr, part: ast.Slice, count: int) -> Iterator[ast.expr]:
    """So many axes that a part of a shape says: `x.shape[:2]`, `x.shape[-2:]`."""
    limits = bounds(part)
    if limits is None or not isinstance(shape, ast.Attribute) or shape.attr != "shape":
        return
    first, last = limits.start or 0, limits.stop
    if limits.step is None and (last is None and first == -count or first >= 0 and last == first + count):
        yield from (ast.Subscript(shape, number(first + place), ast.Load()) for place in range(count))


def number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def full(value: ast.expr, roots: Mapping[str, str]) -> str:
    """An expression as a part of a parameter."""
    root = root_of(value)
    return roots.get(root, root) + unparsed(value).removeprefix(root)


def root_of(value: ast.expr) -> str:
    """The variable that an expression is, or is a part of; "" of any other."""
    while is_path(value):
        assert isinstance(value, (ast.Subscript, ast.Attribute))
        value = value.value
    return value.id if isinstance(value, ast.Name) else ""


def paths_in(node: ast.AST) -> set[str]:
    return {unparsed(part) for part in walked(node) if is_path(part)}


def functions_in(statement: ast.stmt) -> Iterator[ast.AST]:
    return (node for node in walked(statement) if isinstance(node, (ast.FunctionDef, ast.Lambda)))


def mentioned(code: ast.AST) -> Iterator[str]:
    """The names in some code, of functions and their parameters too."""
    for node in walked(code):
        match node:
            case ast.Name(name) | ast.arg(name) | ast.FunctionDef(name):
                yield name
            case ast.ExceptHandler(name=str() as name):
                yield name


#: What binds a name that it has as a string; a handler may have none.
DEFINING = frozenset({ast.FunctionDef, ast.ClassDef, ast.ExceptHandler})


def stored(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements bind, each as often as they do."""
    for node in (node for statement in body for node in walked(statement)):
        kind = node.__class__
        if kind is ast.Name:
            if isinstance(node.__dict__.get("ctx"), (ast.Store, ast.Del)):  # it may have none
                yield node.id
        elif kind in DEFINING and node.name is not None:
            yield node.name
        elif kind is ast.Global or kind is ast.Nonlocal:
            yield from (*node.names, *node.names)


def inside(path: str, changed: str) -> bool:
    """Whether a path leads through what is changed. An array that is written into keeps its shape."""
    base = changed.removesuffix("[]")
    if base == changed:
        return path.startswith(changed)
    return path.startswith((f"{base}[", f"{base}.")) and not path.startswith(f"{base}.shape")


def changed(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The attributes that are set; with `[]` the containers of which an item is, or that a method changes."""
    for node in (node for statement in body for node in walked(statement)):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield unparsed(node)
            case ast.Subscript(value, ctx=ast.Store() | ast.Del()):
                yield f"{unparsed(value)}[]"
            case ast.Call(ast.Attribute(value, method)) if method not in ASKING:
                yield f"{unparsed(value)}[]"


class Naming:
    """Puts names in the place of paths, and notes which. Expressions are made anew: what is checked
    before may be the same object.

    Args:
        names: by path. `path_of`: that of an expression, "" where it has none.
    """

    def __init__(self, names: dict[str, str], path_of: Callable[[Any], str] | None = None) -> None:
        self.names = names
        self.path_of = path_of or (lambda node: unparsed(node) if is_path(node) else "")
        self.met: set[str] = set()

    def visit(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self.visit(each) for each in node]
        if not isinstance(node, ast.AST):
            return node
        path = self.path_of(node)
        if path in self.names:
            self.met.add(path)
            return ast.copy_location(ast.Name(self.names[path], node.ctx), node)  # type: ignore[attr-defined]
        made = node if isinstance(node, ast.stmt) else copy.copy(node)
        for field, value in ast.iter_fields(node):
            setattr(made, field, self.visit(value))
        return made
