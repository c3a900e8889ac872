"""Guards: what was looked at while tracing, checked at the top of the emitted function.

A fact is an expression of the arguments and the value that it had. Facts about all dims of an array become
one check of its shape. How a check is written is said in codegen/checks/assertions.py.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import guard
from ...ir.graphs.static import Scalar
from ...ir.sizes.dim import COMPARISONS, Sym, alone
from ...ir.sizes.dimtext import source
from ...ir.sizes.stretched import unstretched
from ...ir.values.spec import Spec
from ...ir.values.tree import children, plain_constant
from ...ir.worklist import operands_first, reached
from ..text.unparsing import unparsed
from ..text.walking import parts_of
from .assertions import ORDERED, Check, equal, negated

ITEM = re.compile(r"^(?P<whole>.+)\[(?P<number>\d+)\]$")
LEAST = re.compile(r"^(?P<size>.+) >= (?P<least>\d+)$")


@dataclass(frozen=True, slots=True)
class Fact:
    """`what`, an expression of the arguments, was `expected`, or what `other` was where that is given.

    Attributes:
        whole: whether `what` compares whole numbers.
    """

    what: str
    expected: Any
    other: str = ""
    whole: bool = False


def facts(graph: Graph, written: Callable[[Node], str]) -> list[Fact]:
    """The facts that a function's graph depends on, in the order in which they were looked at. One that
    follows from others, since it is computed from numbers that are given in full, is left out. A float of 0
    is not, which may be -0.0.
    """
    found: dict[str, Fact] = {}
    needs: dict[str, set[str]] = {}
    sizes: dict[Node, int] = {}
    looked = [node.args for node in graph.nodes if node.target is guard]
    for asked in (each for what, expected in looked for each in said(what, expected, sizes)):
        for what, expected in unstretched(*plain(*asked)):
            fact = (
                relation(what, expected)
                if isinstance(what, Sym)
                else Fact(written(what), expected, whole=compares_ints(what))
            )
            text = " == ".join(sorted([fact.what, fact.other]))
            found.setdefault(text, fact)
            needs[text] = leaves(what, written)
    given = {fact.what for fact in found.values() if not fact.other and not is_zero(fact.expected)}
    kept = [f for text, f in found.items() if f.what in needs[text] or not needs[text] <= given]
    return merged(kept, graph)


def is_zero(value: Any) -> bool:
    return type(value) is float and value == 0


def is_nan(value: Any) -> bool:
    """Whether it is a number that is not equal to itself."""
    return isinstance(value, float) and math.isnan(value)


#: How many operations a check may be computed by, those counted twice that it says twice.
MOST = 100


def said(what: Any, expected: Any, sizes: dict[Node, int]) -> Iterator[tuple[Any, Any]]:
    """What is looked at, and what it was. Where that is too long to be said, each number that it is computed
    from, which are fewer: where these are what they were, so is it.

    Args:
        sizes: how long numbers are, as far as they were measured.
    """
    if not isinstance(what, Node) or length(what, sizes) <= MOST:
        yield what, expected
        return
    for each in number_leaves(what):
        yield each, each.spec.hint


def length(node: Node, sizes: dict[Node, int]) -> int:
    """How many operations an expression has in terms of the arguments."""
    for made in operands_first([node], lambda one: [n for n in scalars(one) if n not in sizes]):
        sizes[made] = 1 + sum(sizes[n] for n in scalars(made))
    return sizes[node]


def number_leaves(node: Node) -> Iterator[Node]:
    """The numbers that a number is computed from, each once."""
    return (each for each in reached([node], scalars) if not scalars(each))


def scalars(node: Node) -> list[Node]:
    """The numbers that a number is computed from at once; none of a size, which is said by itself, nor of
    what is computed from anything else.
    """
    if is_size(node):
        return []
    inner = node.all_input_nodes
    return inner if all(isinstance(n.spec, Scalar) and n.spec.type is not tuple for n in inner) else []


def is_size(node: Node) -> bool:
    return isinstance(node.spec, Scalar) and isinstance(node.spec.value, Sym)


def compares_ints(node: Node) -> bool:
    """Whether a test compares ints, whose order is what it seems to be."""
    numbers = [getattr(a.spec, "type", None) if isinstance(a, Node) else type(a) for a in node.args]
    return node.target in COMPARISONS.values() and all(kind is int for kind in numbers)


def plain(what: Any, expected: Any) -> tuple[Any, Any]:
    """A test of two sizes for equality, as their difference."""
    if isinstance(what, Node) and (what.target, expected) in ((operator.eq, True), (operator.ne, False)):
        left, right = (a.spec.value if isinstance(a, Node) else a for a in what.args)
        if isinstance(left, (int, Sym)) and isinstance(right, (int, Sym)) and left != right:
            return left - right, 0
    return what, expected


def leaves(what: Any, written: Callable[[Node], str]) -> set[str]:
    """The numbers that a fact is computed from, as they are written."""
    if isinstance(what, Sym):
        return set(what.atoms)
    found = number_leaves(what)
    return set().union(*({*n.spec.value.atoms} if is_size(n) else {written(n)} for n in found))


def relation(what: Sym, expected: Any) -> Fact:
    """A difference that was 0 is an equation of its two sides; one that was none above 0, their order."""
    if expected == 0 and (excess := exceeding(what)) is not None:
        less, more = excess.sides
        bound = isinstance(less, int)
        text = f"{source(more)} >= {source(less)}" if bound else f"{source(less)} <= {source(more)}"
        return Fact(text, True, whole=True)
    left, right = what.sides
    if isinstance(left, int):
        left, right = right, left
    if expected == 0 and left != 0 and right != 0:
        fixed = isinstance(right, int)
        return Fact(source(left), right) if fixed else Fact(source(left), None, source(right))
    return Fact(source(what), expected)


def exceeding(what: Sym) -> Sym | None:
    """The d of max(d, 0)."""
    atoms = what.factors
    if len(atoms) != 1 or atoms[0].op != "max" or what != alone(atoms[0]) or 0 not in atoms[0].parts:
        return None
    others = [part for part in atoms[0].parts if part != 0]
    return others[0] if len(others) == 1 and isinstance(others[0], Sym) else None


def merged(found: list[Fact], graph: Graph) -> list[Fact]:
    """Facts about every size of an array, or every item of a tuple, as one about the whole."""
    found = [*largest(found)]
    lengths = {f"{n.target}.shape": n.spec.rank for n in graph.placeholders if isinstance(n.spec, Spec)}
    lengths |= {f"{path}.shape": n.spec.rank for path, n in graph.meta.get("leaves", {}).items()}
    lengths |= {str(n.target): len(n.spec) for n in graph.placeholders if isinstance(n.spec, dict)}
    items: dict[str, dict[int, Any]] = {}
    for fact in found:
        item = ITEM.match(fact.what)
        if item is not None and not fact.other:
            items.setdefault(item["whole"], {})[int(item["number"])] = fact.expected
    pairs = [two_items(fact) for fact in found]
    made: dict[str, Fact] = {}
    for fact, pair in zip(found, pairs):
        if pair is not None and pairs.count(pair) == lengths.get(pair[0]) == lengths.get(pair[1]):
            made.setdefault(" == ".join(pair), Fact(pair[0], None, pair[1]))
            continue
        item = ITEM.match(fact.what)
        whole = item["whole"] if item is not None and not fact.other else ""
        if whole in lengths and len(items[whole]) == lengths[whole]:
            text = whole if whole.endswith(".shape") else f"tuple({whole})"
            made.setdefault(text, Fact(text, tuple(value for _, value in sorted(items[whole].items()))))
        else:
            made[fact.what + fact.other] = fact
    return list(made.values())


def largest(found: Sequence[Fact]) -> Iterator[Fact]:
    """The facts without that a size is at least so large where it is at least larger."""
    least: dict[str, int] = {}
    for fact in found:
        if fact.expected is True and (bound := LEAST.match(fact.what)) is not None:
            least[bound["size"]] = max(least.get(bound["size"], 0), int(bound["least"]))
    for fact in found:
        bound = LEAST.match(fact.what) if fact.expected is True else None
        if bound is None or int(bound["least"]) == least[bound["size"]]:
            yield fact


def two_items(fact: Fact) -> tuple[str, str] | None:
    """The arrays, by their shapes, one of whose sizes a fact says to be equal, on the same axis."""
    left, right = ITEM.match(fact.what), ITEM.match(fact.other)
    if left is None or right is None or left["number"] != right["number"]:
        return None
    return left["whole"], right["whole"]


def checks(found: Iterable[Fact], literal: Callable[[Any], ast.expr]) -> list[Check]:
    """The checks of the facts."""
    return [of_fact(fact, literal) for fact in found]


def of_fact(fact: Fact, literal: Callable[[Any], ast.expr]) -> Check:
    """`what == expected`, with what it was traced with."""
    expr = parsed(fact.what)
    if isinstance(fact.expected, bool) and isinstance(expr, (ast.Compare, ast.BoolOp)):
        return predicate(fact, expr)
    if fact.other:  # two sizes that were equal while tracing
        sides = expr, parsed(fact.other)
        return Check(equal(sides), sides, f"with {fact.what} == {fact.other}, not ")
    if fact.expected is None:  # what else is given may be a large array
        kind = ast.Call(ast.Name("type", ast.Load()), [expr], [])
        absent = ast.Compare(expr, [ast.Is()], [ast.Constant(None)])
        name = ast.Attribute(kind, "__name__", ast.Load())
        return Check(absent, (kind,), f"with {fact.what}=None, not ", (name,))
    single = isinstance(fact.expected, bool)
    test: ast.expr = ast.Compare(expr, [ast.Is() if single else ast.Eq()], [literal(fact.expected)])
    if is_nan(fact.expected):
        test = ast.Call(parsed("math.isnan"), [expr], [])
    if not single and not is_path(expr):  # what was computed with says more than what came of it
        return of_numbers(test, expr, f"with {unparsed(test)}")
    if kinds := [*of_classes(fact.what, fact.expected)]:
        test = ast.BoolOp(ast.And(), [*kinds, test])
    shape = fact.what.endswith(".shape")
    shown = (ast.Call(ast.Name("tuple", ast.Load()), [expr], []),) if shape else ()
    return Check(test, (expr,), f"with {fact.what}={fact.expected!r}, not ", shown, quoted=not shape)


def of_classes(path: str, value: Any) -> Iterator[ast.expr]:
    """That texts and numbers of classes made of Python's, such as a member of an IntEnum, are of these."""
    if plain_constant(value) is not value:
        yield equal([parsed(f"type({path}).__name__"), ast.Constant(type(value).__name__)])
    for key, item in children(value) or ():
        yield from of_classes(f"{path}[{plain_constant(key)!r}]", item)
    if isinstance(value, dict) and any(plain_constant(key) is not key for key in value):
        names = [ast.Constant(type(key).__name__) for key in value]
        yield equal([parsed(f"[type(key).__name__ for key in {path}]"), ast.List([*names], ast.Load())])


def predicate(fact: Fact, expr: ast.Compare | ast.BoolOp) -> Check:
    """A test that went one way while tracing must go that way again."""
    held = expr if fact.expected else negated(expr, fact.whole)
    compares = isinstance(expr, ast.Compare) and isinstance(expr.ops[0], (*ORDERED,))
    sides = (expr.left, *expr.comparators) if compares and isinstance(expr, ast.Compare) else ()
    given = tuple(side for side in sides if not isinstance(side, ast.Constant))
    if compares and isinstance(held, ast.Compare):
        return Check(held, given, f"with {unparsed(held)}, not ", whole=fact.whole)
    how = "holds" if fact.expected else "does not hold"
    return of_numbers(held, expr, f"with arguments for which {fact.what} {how}", fact.whole)


def of_numbers(held: ast.expr, expr: ast.expr, text: str, whole: bool = False) -> Check:
    """A check that shows the numbers from which is computed what it asks."""
    paths = {unparsed(path): path for path in asked(expr)}
    text = f"{text}, not for {' and '.join(paths)} of " if paths else text
    return Check(held, tuple(paths.values()), text, whole=whole, quoted=True)


def is_path(expr: ast.expr) -> bool:
    """Whether an expression says an argument, a part of one, or how many parts it has."""
    match expr:
        case ast.Name():
            return True
        case ast.Attribute(value) | ast.Subscript(value, ast.Constant()):
            return is_path(value)
        case ast.Call(ast.Name("len" | "tuple"), [value], []):
            return is_path(value)
    return False


def asked(expr: ast.expr) -> Iterator[ast.expr]:
    """The arguments, and the parts of them, with which an expression computes."""
    if is_path(expr):
        yield expr
        return
    inner = expr.args if isinstance(expr, ast.Call) else parts_of(expr)
    for part in inner:
        if isinstance(part, ast.expr):
            yield from asked(part)


def root(path: str) -> str:
    """The parameter that an expression is about."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def about(text: str) -> str:
    """The parameter that an expression of one is about: `cfg` of `type(cfg).__name__`."""
    inner = parsed(text)
    while not isinstance(inner, ast.Name):
        parts = inner.args or [inner.func] if isinstance(inner, ast.Call) else parts_of(inner)
        inner = next(part for part in parts if isinstance(part, ast.expr))
    return inner.id


def parsed(path: str) -> ast.expr:
    """An argument, or a part of one, as the function says it."""
    return ast.parse(path, mode="eval").body
