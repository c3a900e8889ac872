"""Compact: many checks as a person would write them.

    assert len(params) == len(grads) == len(velocity) == 4
    for tree in (params, grads, state["mu"]):
        assert list(tree) == ["embed", "layers"], list(tree)
        assert len(tree["layers"]) == 2, len(tree["layers"])

What is asked alike of several arguments, or of several parts of them, is asked of each in a loop.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from ..text.line_breaking import WIDTH
from ..text.unparsing import unparsed
from ..text.walking import copied, walked
from .asked import Atom, Put, atom, atoms, is_under, prefixes, root_of
from .assertions import LONGEST, equal
from .guards import parsed

#: How many lines a loop must spare that goes through no list, but through some arguments.
SPARED = 2
#: What the items are called that loops go through.
NAMES = dict.fromkeys(("item", "each", "part", "item_", "each_")).keys()
#: How many operands one chain has.
LONG_CHAIN = 6


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
    yield from chained(gathered([*unbroken(left)]), free)


def unbroken(parts: Sequence[Atom | Loop]) -> Iterator[Atom | Loop | ast.For]:
    """What is asked, with the loops of which nothing was taken as they were."""
    for loop, group in groupby(parts, lambda part: part.loop if isinstance(part, Atom) else None):
        several = [*group]
        paths: Any = loop.iter if loop is not None else None
        if loop is not None and len(paths.elts) == len(several):
            yield loop
        else:
            yield from several


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
                if unparsed(value) in asked:
                    continue
            case ast.Compare(ast.Call(ast.Name("len")) as one, [ast.Eq()], [ast.Call() as two]):
                begins, other = f"{unparsed(one)} == ", unparsed(two)
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
                yield unparsed(value)
    match atom.test:
        case ast.Compare(ast.Call(ast.Name("type" | "len"), [value]), [ast.Is() | ast.Eq()]):
            yield unparsed(value)
        case ast.Call(ast.Name("isinstance"), [value, _]):
            yield unparsed(value)


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


def gathered(parts: Sequence[Atom | Loop | ast.For]) -> list[Atom | Loop | ast.For]:
    """The parts, what is asked alike of several arguments together, where nothing that is asked of one of
    them before stays behind.
    """
    left, made = [*parts], list[Atom | Loop | ast.For]()
    while left:
        first = left.pop(0)
        made.append(first)
        alike = [first] if isinstance(first, Atom) else []
        for each in [*left] if alike else ():
            between = left[: left.index(each)]
            if isinstance(each, Atom) and fits([*alike, each]) and may_go_first(each, between):
                left.remove(each)
                alike.append(each)
                made.append(each)
    return made


def may_go_first(atom: Atom, others: Sequence[Atom | Loop | ast.For]) -> bool:
    """Whether something may be asked of an argument before others are asked."""
    apart = all(isinstance(each, Atom) and not {*each.paths} & {*atom.paths} for each in others)
    return not others or apart and all(path.isidentifier() for path in atom.paths)


def fits(several: Sequence[Atom]) -> bool:
    """Whether these may be one comparison."""
    kinds = set()
    for each in several:
        match each.test:
            case ast.Compare(ast.Call(ast.Name(name), [_]) | ast.Attribute(_, name), [ast.Eq()], [right]):
                kinds.add((name, unparsed(right)))
            case _:
                return False
    rights = [each.test.comparators[0] for each in several if isinstance(each.test, ast.Compare)]
    plain = not any(any(isinstance(n, ast.Call) for n in walked(right)) for right in rights)
    short = len(unparsed(joined(several).test)) <= WIDTH - 11 and len(several) <= LONG_CHAIN
    return len(kinds) == 1 and plain and short


def joined(several: Sequence[Atom]) -> ast.Assert:
    if len(several) == 1:
        return with_message(several[0].test, several[0].message or shown_by(several[0].test))
    compared = [each.test for each in several if isinstance(each.test, ast.Compare)]
    test = equal([*(each.left for each in compared), compared[0].comparators[0]])
    shown = [each.message or shown_by(each.test) for each in several]
    parts = [part for each in shown for part in (each.elts if isinstance(each, ast.Tuple) else [each])]
    known = {unparsed(part): part for part in parts if part is not None}  # each once
    return with_message(test, None if None in shown else ast.Tuple([*known.values()], ast.Load()))


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
    return made if message is None or len(unparsed(made)) <= most else ast.Assert(test)
