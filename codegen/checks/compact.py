"""Compact: many checks as a person would write them.

    assert len(params) == len(grads) == len(velocity) == 4
    for tree in (params, grads, state["mu"]):
        assert list(tree) == ["embed", "layers"], list(tree)
        assert len(tree["layers"]) == 2, len(tree["layers"])

What is asked alike of several arguments, or of several parts of them, is asked of each in a loop.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise, zip_longest
from typing import Any

from ..text.line_breaking import WIDTH
from ..text.walking import copied, walked
from .assertions import LONGEST, equal
from .guards import is_path, parsed

#: How many lines a loop must spare that goes through no list, but through some arguments.
SPARED = 2
#: What stands for one of those that a loop goes through, and for a path in a text.
EACH, HOLE = "@", "\ufffc"
#: What the items are called that loops go through.
NAMES = dict.fromkeys(("item", "each", "part", "item_", "each_")).keys()
#: How many operands one chain has.
LONG_CHAIN = 6


@dataclass(eq=False)
class Atom:
    """One thing that is asked.

    Attributes:
        message: what the check shows; None where it shows nothing.
        lines: how many lines of the text it takes.
        paths: the arguments, and the parts of them, that it speaks of, in order; `between`: the text around
            these.
        loop: the check of several that it is one of.
    """

    test: ast.expr
    message: ast.expr | None
    lines: float
    paths: tuple[str, ...]
    between: tuple[str, ...]
    loop: ast.For | None = None

    @property
    def text(self) -> str:
        return "".join(chain(*zip_longest(self.between, self.paths, fillvalue="")))

    def of(self, path: str) -> str | None:
        """What is asked, of whatever stands for this path; None where it is asked of others too."""
        if not all(is_under(each, path) for each in self.paths):
            return None
        each = [EACH + known[len(path) :] for known in self.paths]
        return "".join(chain(*zip_longest(self.between, each, fillvalue="")))


class Put(ast.NodeTransformer):
    """Puts a name in the place of a path."""

    def __init__(self, path: str, name: str) -> None:
        self.path = ast.dump(ast.Name(path, ast.Load()) if path == EACH else parsed(path))
        self.name = name

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self.name, ast.Load()) if ast.dump(node) == self.path else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if ast.dump(node) == self.path:
            return ast.Name(self.name, ast.Load())
        return self.generic_visit(node)  # type: ignore[return-value]


def compact(checks: Sequence[ast.stmt], names: Sequence[str]) -> list[ast.stmt]:
    """The checks of a function, fewer and shorter.

    Args:
        names: its parameters, in order.
    """
    if not all(map(is_asserted, checks)):
        return [*checks]
    taken = {*names} | {node.id for check in checks for node in walked(check) if isinstance(node, ast.Name)}
    free = [name for name in NAMES if name not in taken]
    left = [atom for check in checks for atom in atoms(check, names)]
    return [*settled(without_needless(left), names, free)]


def is_asserted(check: ast.stmt) -> bool:
    """Whether a check is an assert, or one of several in a loop."""
    match check:
        case ast.Assert() | ast.For(ast.Name(), ast.Tuple(), [ast.Assert()]):
            return True
    return False


def settled(asked: Sequence[Atom], names: Sequence[str], free: Sequence[str]) -> Iterator[ast.stmt]:
    """The statements that ask this.

    Args:
        free: names for what loops go through, and loops in them.
    """
    left: list[Atom | Loop] = [*asked]
    while free and (found := Loop.best([each for each in left if isinstance(each, Atom)], names)) is not None:
        places = [left.index(atom) for atom in found.atoms]
        left.insert(max(places) + 1, found)
        left = [part for part in left if part not in found.atoms]
    yield from chained([*unbroken(left)], free)


def unbroken(parts: Sequence[Atom | Loop]) -> Iterator[Atom | Loop | ast.For]:
    """What is asked, with the loops of which nothing was taken as they were."""
    for loop, group in groupby(parts, lambda part: part.loop if isinstance(part, Atom) else None):
        several = [*group]
        paths: Any = loop.iter if loop is not None else None
        if loop is not None and len(paths.elts) == len(several):
            yield loop
        else:
            yield from several


def atoms(check: ast.stmt, names: Collection[str]) -> Iterator[Atom]:
    """What a check asks, one by one."""
    match check:
        case ast.For(ast.Name(name), ast.Tuple(paths), [ast.Assert(test, message)]):
            several = (len(paths) + 3 if len(ast.unparse(check.iter)) > WIDTH - 15 else 2) / len(paths)
            for path in paths:
                put = Put(name, "?")
                swap = Swap(path)
                shown = swap.visit(put.visit(copied(message))) if message is not None else None
                made = atom(swap.visit(put.visit(copied(test))), shown, several, names)
                made.loop = check
                yield made
        case ast.Assert(ast.Compare(first, signs, rest), message) if len(rest) > 1 and is_equal(signs):
            *others, last = first, *rest
            if atom(last, None, 0, names).paths:
                yield atom(check.test, message, lines_of(check), names)
                return
            shown = [*message.elts] if isinstance(message, ast.Tuple) else []
            for number, one in enumerate(others):
                of_it = shown[number] if len(shown) == len(others) else None
                yield atom(equal([one, last]), of_it, lines_of(check) / len(others), names)
        case ast.Assert(test, message):
            yield atom(test, message, lines_of(check), names)


class Swap(ast.NodeTransformer):
    """Puts an expression in the place of `?`."""

    def __init__(self, path: ast.expr) -> None:
        self.path = path

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copied(self.path) if node.id == "?" else node


def atom(test: ast.expr, message: ast.expr | None, lines: float, names: Collection[str]) -> Atom:
    holes = Holes(names)
    said = re.split(f"{HOLE}([0-9]+)", ast.unparse(holes.visit(copied(test))))  # in the order of the text
    paths = tuple(holes.paths[int(number)] for number in said[1::2])
    return Atom(test, message, lines, paths, tuple(said[::2]))


class Holes(ast.NodeTransformer):
    """Puts a hole in the place of each of the longest paths that begin with one of the names."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = names
        self.paths: list[str] = []

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name | ast.Subscript) and is_path(node):
            if root_of(node) not in self.names:
                return node
            self.paths.append(ast.unparse(node))
            return ast.Name(f"{HOLE}{len(self.paths) - 1}", ast.Load())
        return super().generic_visit(node)


def is_equal(signs: Iterable[ast.cmpop]) -> bool:
    return all(isinstance(sign, ast.Eq) for sign in signs)


def root_of(path: ast.expr) -> str:
    while isinstance(path, ast.Subscript):
        path = path.value
    return path.id if isinstance(path, ast.Name) else ""


@functools.lru_cache(maxsize=4096)
def prefixes(path: str) -> tuple[str, ...]:
    """A path, and those of the containers that it goes through."""
    return tuple(outwards(path))


def outwards(path: str) -> Iterator[str]:
    expr: ast.expr = parsed(path)
    while True:
        yield ast.unparse(expr)
        if not isinstance(expr, ast.Subscript):
            return
        expr = expr.value


def is_under(path: str, container: str) -> bool:
    return path == container or path.startswith(f"{container}[")


def lines_of(check: ast.Assert) -> int:
    return 1 if len(ast.unparse(check)) <= WIDTH - 4 else 3


def without_needless(atoms: Sequence[Atom]) -> list[Atom]:
    """Without what is said twice, and without what others say too: that something is there of which they ask
    more, that two lists are of one length of which each is said.
    """
    said, kept = set[str](), list[Atom]()
    asked = {path for each in atoms for path in asks_more(each)}
    lengths = {each.text for each in atoms}
    for each in atoms:
        text = each.text
        match each.test:
            case ast.Compare(value, [ast.IsNot()], [ast.Constant(None)]):
                if ast.unparse(value) in asked:
                    continue
            case ast.Compare(ast.Call(ast.Name("len")) as one, [ast.Eq()], [ast.Call() as two]):
                begins, other = f"{ast.unparse(one)} == ", ast.unparse(two)
                mine = [said.removeprefix(begins) for said in lengths if said.startswith(begins)]
                if any(f"{other} == {length}" in lengths for length in mine if length.isdigit()):
                    continue
        if text not in said:
            said.add(text)
            kept.append(each)
    return kept


def asks_more(atom: Atom) -> Iterator[str]:
    """What an atom could not ask of None."""
    if isinstance(atom.test, ast.BoolOp):  # `x is None or …`
        return
    for part in walked(atom.test):
        match part:
            case ast.Attribute(value, "ndim" | "dtype" | "shape" | "is_floating_point" | "is_complex"):
                yield ast.unparse(value)
    match atom.test:
        case ast.Compare(ast.Call(ast.Name("type" | "len"), [value]), [ast.Is() | ast.Eq()]):
            yield ast.unparse(value)
        case ast.Call(ast.Name("isinstance"), [value, _]):
            yield ast.unparse(value)


@dataclass(eq=False)
class Loop:
    """What is asked of each of several paths.

    Attributes:
        atoms: all that it stands for.
        body: what is asked of the first of them.
        whole: the list that they are all items of; "" where there is none.
    """

    paths: Sequence[str]
    atoms: Sequence[Atom]
    body: Sequence[Atom]
    whole: str = ""

    @classmethod
    def best(cls, atoms: Sequence[Atom], names: Sequence[str]) -> Loop | None:
        """The loop that spares most lines; None where none spares many."""
        asked: dict[str, dict[str, Atom]] = {}
        for each in atoms:
            for path in dict.fromkeys(p for one in each.paths[:1] for p in prefixes(one)):
                if (text := each.of(path)) is not None:
                    asked.setdefault(path, {}).setdefault(text, each)
        by_text: dict[str, list[str]] = {}
        for path, texts in asked.items():
            for text in texts:
                by_text.setdefault(text, []).append(path)
        tried = dict.fromkeys(tuple(apart(in_order(paths, names))) for paths in by_text.values())
        loops = (cls.of(paths, asked, atoms) for paths in tried if len(paths) > 1)
        ranked = sorted((loop for loop in loops if loop is not None), key=lambda loop: -loop.spared)
        first = ranked[0] if ranked else None
        return first if first is not None and first.spared >= (1 if first.whole else SPARED) else None

    @classmethod
    def of(
        cls, paths: Sequence[str], asked: Mapping[str, Mapping[str, Atom]], atoms: Sequence[Atom]
    ) -> Loop | None:
        """The loop over these paths."""
        common = [text for text in asked[paths[0]] if all(text in asked[path] for path in paths[1:])]
        if not common:
            return None
        every = [asked[path][text] for path in paths for text in common]
        return cls(paths, every, [asked[paths[0]][text] for text in common], whole_of(paths, atoms))

    @property
    def spared(self) -> float:
        """How many lines fewer it is."""
        long = not self.whole and len(f"    for each in ({', '.join(self.paths)}):") > WIDTH
        header = len(self.paths) + 2 if long else 1
        return sum(atom.lines for atom in self.atoms) - len(self.body) - header

    def statement(self, free: Sequence[str]) -> ast.stmt:
        name, *others = free
        put = Put(self.paths[0], name)
        body = []
        for each in self.body:
            message = put.visit(copied(each.message)) if each.message is not None else None
            body.append(atom(put.visit(copied(each.test)), message, 1, [name]))
        paths = ast.Tuple([parsed(path) for path in self.paths], ast.Load())
        iterated = parsed(self.whole) if self.whole else paths
        return ast.For(ast.Name(name, ast.Store()), iterated, [*settled(body, [name], others)], [])


def in_order(paths: Sequence[str], names: Sequence[str]) -> list[str]:
    """Paths in the order of the parameters, and of items."""

    def place(path: str) -> Any:
        steps = [parsed(each) for each in reversed([*prefixes(path)])]
        keys = [each.slice for each in steps if isinstance(each, ast.Subscript)]
        numbers = [key.value if isinstance(key, ast.Constant) else 0 for key in keys]
        return names.index(root_of(steps[0])), [n if isinstance(n, int) else 0 for n in numbers]

    return sorted(paths, key=place)


def apart(paths: Sequence[str]) -> list[str]:
    """Those of which none is a part of another."""
    return [p for p in paths if not any(p != other and is_under(p, other) for other in paths)]


def whole_of(paths: Sequence[str], atoms: Sequence[Atom]) -> str:
    """The list of which these are all items."""
    container = paths[0].removesuffix("[0]")
    items = [f"{container}[{place}]" for place in range(len(paths))]
    length = f"len({container}) == {len(paths)}"
    return container if [*paths] == items and any(a.text == length for a in atoms) else ""


def chained(parts: Sequence[Atom | Loop | ast.For], free: Sequence[str]) -> Iterator[ast.stmt]:
    """The statements, those in one that ask the same of several: `len(a) == len(b) == 4`."""
    waiting: list[Atom] = []
    for part, following in pairwise([*parts, None]):
        if isinstance(part, Atom):
            waiting.append(part)
            if not isinstance(following, Atom) or not fits([*waiting, following]):
                yield joined(waiting)
                waiting = []
        elif part is not None:
            yield part.statement(free) if isinstance(part, Loop) else part


def fits(several: Sequence[Atom]) -> bool:
    """Whether these may be one comparison."""
    kinds = set()
    for each in several:
        match each.test:
            case ast.Compare(ast.Call(ast.Name(name), [_]) | ast.Attribute(_, name), [ast.Eq()], [right]):
                kinds.add((name, ast.unparse(right)))
            case _:
                return False
    rights = [each.test.comparators[0] for each in several if isinstance(each.test, ast.Compare)]
    plain = not any(any(isinstance(n, ast.Call) for n in walked(right)) for right in rights)
    short = len(ast.unparse(joined(several).test)) <= WIDTH - 11 and len(several) <= LONG_CHAIN
    return len(kinds) == 1 and plain and short


def joined(several: Sequence[Atom]) -> ast.Assert:
    if len(several) == 1:
        return with_message(several[0].test, several[0].message or shown_by(several[0].test))
    compared = [each.test for each in several if isinstance(each.test, ast.Compare)]
    test = equal([*(each.left for each in compared), compared[0].comparators[0]])
    shown = [each.message or shown_by(each.test) for each in several]
    known = [each for each in shown if each is not None]
    return with_message(test, ast.Tuple(known, ast.Load()) if len(known) == len(several) else None)


def shown_by(test: ast.expr) -> ast.expr | None:
    """What a check shows of an array."""
    match test:
        case ast.Compare(ast.Attribute(array, "ndim" | "dtype" as what), [ast.Eq()], [right]):
            if not any(isinstance(part, ast.Attribute) and part.attr == what for part in walked(right)):
                return ast.Attribute(copied(array), "shape" if what == "ndim" else "dtype", ast.Load())
    return None


def with_message(test: ast.expr, message: ast.expr | None) -> ast.Assert:
    made = ast.Assert(test, message)
    inside = NAMES & {part.id for part in walked(test) if isinstance(part, ast.Name)}
    most = LONGEST - (4 if inside else 0)
    return made if message is None or len(ast.unparse(made)) <= most else ast.Assert(test)
