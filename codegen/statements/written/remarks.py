"""What the user wrote beside his statements, put beside what is printed of them.

A comment goes where the first line of its statement goes, once. That of a statement of which nothing is
printed goes to the next one in its block; what stands in a block of which nothing is printed was not taken.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from typing import Any

from ....ir.graphs.graph import Graph, Node
from ....ir.meaning.op import Op
from ....ir.source.remarks import Key, Remarked, remarks
from ...text.walking import parts_of, walked


def key_of(node: Node) -> Key | None:
    """The statement of the user's in which a node was written."""
    source = node.stands_for
    found = source.place.statement if source is not None and source.place is not None else None
    key: Key | None = found.key if found is not None else None
    return key


def mark(written: Any, node: Node) -> None:
    """Note on a statement or an expression of whose statement of the user's it is, and on the numbers in it
    in which expression they were written.
    """
    if isinstance(written, ast.Name):
        return
    if (key := key_of(node)) is None:
        written.leads = isinstance(node.target, Op)
        return
    written.of = key
    if isinstance(written, ast.expr):
        place: Any = node.stands_for.place if node.stands_for is not None else None
        written.at = place.positions  # type: ignore[attr-defined]
        written.unnamed = place is not None and place.code.co_name == "<lambda>"  # type: ignore[attr-defined]
        written_in(written, key, place.positions)


def mark_region(written: Sequence[ast.stmt], node: Node) -> None:
    """The same of the statements of a region: the numbers in its header are of the user's header."""
    key = key_of(node)
    for statement in written if key is not None else ():
        if isinstance(statement, (ast.For, ast.Assign, ast.Expr)):
            written_in(statement.iter if isinstance(statement, ast.For) else statement.value, key, None)


def mark_value(written: Any, node: Node) -> None:
    """The same of the value of a write, which is all that the user's statement says behind its `=`."""
    key = key_of(node) if not isinstance(written, ast.Name) and said(written, "of") is None else None
    if key is not None:
        written.of = key
        written_in(written, key, None)


def written_in(written: ast.expr, key: Any, positions: Any) -> None:
    """Note on numbers in which expression of a statement they were written; None for that of its header."""
    waiting: list[ast.AST] = [written]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Constant) or said(part, "array") is not None or infinity(part):
            part.within = key, positions  # type: ignore[attr-defined]
        waiting += [inner for inner in parts_of(part) if said(inner, "of") is None]


def infinity(part: ast.AST) -> float | None:
    """The number of `np.inf` or `-np.inf`."""
    match part:
        case ast.Attribute(ast.Name(), "inf"):
            return math.inf
        case ast.UnaryOp(ast.USub(), ast.Attribute(ast.Name(), "inf")):
            return -math.inf
    return None


def remark(graph: Graph, made: ast.FunctionDef) -> None:
    """Put remarks beside the statements of a function that was emitted for a graph."""
    printed = [*lines(made.body)]
    made.own = own = defined(graph)  # type: ignore[attr-defined]
    if own is not None and own.above:
        made.comment = "\n".join(own.above)  # type: ignore[attr-defined]
    ends = returned(own) if own is not None else None
    places: dict[Key, list[int]] = {}
    for number, statement in enumerate(printed):
        if ends is not None and statement is made.body[-1] and isinstance(statement, ast.Return):
            places.setdefault(ends.key, []).append(number)
            if statement.value is not None:
                written_in(statement.value, ends.key, None)
        for key in [*keys(statement)] or leading_to(statement, printed[number + 1 : number + 2]):
            if key in handed_in(statement, own):
                continue
            places.setdefault(key, []).append(number)
    found = [remarks(key[0]).found.get(key) for key in places]
    functions = dict.fromkeys(each.function for each in found if each is not None)
    for function in functions:
        for block in function.blocks if function is not None else ():
            Placing(places, printed).block(block)


def handed_in(statement: ast.stmt, own: Remarked | None) -> set[Key]:
    """The statements of other functions than its own that are in a statement as a `lambda` of theirs is: what
    stands beside them is said where they are.
    """
    parts = [part for part in walked(statement) if said(part, "unnamed")] if own is not None else ()
    found = ((part.of, remarks(part.of[0]).found.get(part.of)) for part in parts)
    return {key for key, each in found if each is not None and each.function is not own}


def leading_to(statement: ast.stmt, following: Sequence[ast.stmt]) -> list[Key]:
    """The user's statement of which a statement of lowering says a part, `weights = np.exp(x)`, if the next
    one reads it.
    """
    match statement, following:
        case ast.Assign([ast.Name(name)]), [ast.Assign() | ast.Return() as last] if said(statement, "leads"):
            read = (part for part in walked(last) if isinstance(part, ast.Name))
            return [*keys(last)][:1] if any(part.id == name for part in read) else []
    return []


class Placing:
    """Puts what stands beside the statements of one function of the user's.

    Args:
        known: the places among what is printed where there is something of a statement.
    """

    def __init__(self, known: dict[Key, list[int]], printed: Sequence[ast.stmt]) -> None:
        self.known = known
        self.printed = printed

    def places(self, each: Remarked) -> list[int]:
        """Where there is something of a statement or of those in it."""
        inner = [] if each.is_function else [s for block in each.blocks for s in block]
        return [*self.known.get(each.key, ()), *(place for s in inner for place in self.places(s))]

    def block(self, statements: Sequence[Remarked], around: ast.stmt | None = None) -> None:
        """Place what stands beside the statements of a block. What is printed in the line of the statement
        `around` it is said above that.
        """
        waiting: list[Remarked] = []
        last: ast.stmt | None = None
        for each in statements:
            places = self.places(each)
            if not places:
                waiting += [] if each.blocks else [each]
                continue
            spot = self.printed[min(places)]
            for other in waiting:
                above(spot, [*other.above, other.trailing], other.paragraph)
            waiting = []
            if each.key in self.known and spot is not around:
                behind = "" if said(spot, "turned") else each.trailing  # it is of the way that is not printed
                above(spot, each.above, each.paragraph, behind)
            else:
                above(spot, [*each.above, each.trailing], each.paragraph and spot is not around)
            for block in each.blocks if not each.is_function else ():
                self.block(block, around if said(spot, "of") in {inner.key for inner in block} else spot)
            last = self.printed[max(places)]
            (above if last is around else below)(last, each.below)
        for other in waiting if last is not None else ():
            (above if last is around else below)(last, [*other.above, other.trailing, *other.below])


def above(spot: Any, comments: Sequence[str], paragraph: bool = False, trailing: str = "") -> None:
    """Say it above what is printed, and behind it; above that what is said of statements before."""
    kept = [comment for comment in comments if comment]
    if kept or trailing:
        before = filter(None, (said(spot, "comment"), said(spot, "trailing")))
        spot.comment, spot.trailing = "\n".join([*before, *kept]), trailing
    spot.paragraph = said(spot, "paragraph") or paragraph


def below(spot: Any, comments: Sequence[str]) -> None:
    kept = [comment for comment in comments if comment]
    if kept and isinstance(spot, ast.FunctionDef):
        spot = spot.body[-1]
    spot.below = "\n".join([*filter(None, [said(spot, "below")]), *kept])


def said(spot: Any, name: str) -> Any:
    return getattr(spot, name, None)


def users(statement: ast.stmt) -> Remarked | None:
    """The statement of the user's of which one of the text is."""
    key = said(statement, "of")
    return remarks(key[0]).found.get(key) if key is not None else None


def defined(graph: Graph) -> Remarked | None:
    """The definition of the function that a graph was traced from."""
    file, line = graph.meta.get("defined") or ("", 0)
    return remarks(file).functions.get(line) if file else None


def returned(function: Remarked) -> Remarked | None:
    """The statement by which a function returns at its end."""
    last = function.blocks[0][-1]
    return last if isinstance(last.node, ast.Return) else None


def lines(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body and those in them, in the order in which they are printed."""
    for statement in body:
        yield statement
        for _, value in ast.iter_fields(statement):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield from lines(value)
            elif isinstance(value, list) and value and isinstance(value[0], ast.excepthandler):
                yield from (inner for handler in value for inner in lines(handler.body))


def keys(statement: ast.stmt) -> Iterator[Key]:
    """The statements of the user's of which there is something in a statement, without those in it."""
    if (own := said(statement, "of")) is not None:
        yield own
    waiting: list[ast.AST] = [statement]
    while waiting:
        for part in parts_of(waiting.pop()):
            if not isinstance(part, (ast.stmt, ast.excepthandler)):
                if (key := said(part, "of")) is not None:
                    yield key
                waiting.append(part)
