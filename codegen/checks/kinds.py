"""Checks of the kinds of arguments, at the top of the emitted function: that one is an array, a container or
a number of Python's, and of which type.

The program asked for it, or the text depends on it: ops that make arrays of numbers, or take numbers beside
arrays of integers, give another dtype for a float than for an int, each framework its own.
"""

from __future__ import annotations

import ast
import builtins
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...backends.writing.writer import Writer
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.leaves import ARRAY, GIVEN, ITSELF, NO_LIST, NUMBER
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import every_graph, own_graphs, own_nodes
from ...ir.noting import Noted
from ...ir.values.spec import Spec
from ..text.unparsing import unparsed
from ..text.walking import dumped, parts_of, walked
from .assertions import Check, equal
from .guards import parsed
from .reaching import Onward, between, flagless, kinds_asked, promotes, typed

#: The types of numbers.
NUMBERS = frozenset({"int", "float", "complex", "bool"})
#: What holds code that may not run.
SOMETIMES = (
    ast.If, ast.For, ast.While, ast.Try, ast.With, ast.FunctionDef, ast.Lambda, ast.IfExp, ast.BoolOp,
    ast.comprehension,
)  # fmt: skip
#: Of what `np.asarray` makes arrays.
PLAIN = (list, tuple, int, float, complex)
#: What a number is that is neither True nor False.
NO_FLAG = "no flag"
#: And one of which only comes what is a float of an int as of a float.
REAL = "real"


def kind_checks(graph: Graph, writer: Writer, borders: Onward, noted: Noted) -> list[Check]:
    """The checks of a function, whose text is written.

    Args:
        borders: where values of the program go, see reaching.py.
        noted: whether source and target are two frameworks, else what has to do with dtypes comes out as in
            the source, but where the text casts; and numbers whose types decided the text.
    """
    checks = []
    asked = kinds_asked(graph, noted)
    counted = {*compiled(graph)}
    for path, kind in asked.items():
        if path in counted and kind in NUMBERS:
            continue
        if kind == NUMBER:
            checks.append(number(path, writer))
        else:
            checks.append(of_kind(path, array(writer, noted) if kind == ARRAY else kind))
    cast = set(writer.decided)
    calls = {node.origin for node in cast if node.origin is not None}
    weak = writer.target.weak  # where a number of a list is an array of no dtype of its own

    def told(op: Node) -> bool:
        written = op in cast or op.origin in calls or not cast.isdisjoint(op.all_input_nodes)
        return noted.translates or written or weak and bool(op.meta.get("listed")) or promotes(op)

    found = [(p, n) for p, n in numbers(graph) if p not in asked]
    decided = {p: n for p, n in found if any(map(told, checked(n, borders)))}
    exact = {p for p, n in found if p in decided and any(map(told, checked(n, borders, divided=False)))}
    checks += [of_kind(p, n.spec.type.__name__ if p in exact else REAL) for p, n in decided.items()]
    checks += [of_kind(path, NO_FLAG) for path in flagless(graph, noted) if path not in {*asked, *decided}]
    checks += [of_ends(path, *ends) for path, ends in between(graph, noted).items()]
    for name in (name for found in checks for given in found.given for name in functions(given)):
        writer.name(name)
    return checks


def compiled(graph: Graph) -> Iterator[str]:
    """The numbers that a helper is given, in containers too, which are arrays where it is compiled: what a
    loop counts.
    """
    for node in graph.nodes if not graph.meta.get("entry") else ():
        path = (node.origin or node).meta.get("number path")
        if path is not None and isinstance(node.spec, Spec):
            yield path


def functions(given: ast.expr) -> list[str]:
    """The functions of math in what is checked, which are imported."""
    return re.findall(r"\bmath\.\w+", unparsed(given))


def checked(number: Node, borders: Onward, *, divided: bool = True) -> Iterator[Node]:
    """The ops for which the function that is given a number checks its type. The functions that it hands it
    to check their own; who calls it checks what comes back, unless it lies in a container that was handed on.
    """
    mine = {*own_graphs(number.graph)}
    others = {*every_graph(number.graph)} - mine
    within = number.op != "placeholder"
    for op in typed(number, borders, divided=divided):
        if op.graph in mine or within and op.graph not in others:
            yield op


def array(writer: Writer, noted: Noted) -> str:
    """The class of arrays, as the target says it; with that of its numbers where the source has arrays for
    them, which its functions give where nothing has axes.
    """
    own, number = writer.target.array_type, writer.target.number_type
    classes = [own] if number is None or not noted.translates else [own, number]
    said = [unparsed(writer.name(name)) for name in classes]
    return said[0] if len(said) == 1 else f"({', '.join(said)})"


def number(path: str, writer: Writer) -> Check:
    """That an argument is a number of the target's own, or else an array without axes."""
    if writer.target.number_type is not None:
        return of_kind(path, unparsed(writer.name(writer.target.number_type)))
    found = of_kind(path, unparsed(writer.name(writer.target.array_type)))
    alone = equal([parsed(f"{path}.ndim"), ast.Constant(0)])
    return replace(found, held=ast.BoolOp(ast.And(), [found.held, alone]))


def of_kind(path: str, kind: str) -> Check:
    given = parsed(path)
    if kind == GIVEN:
        there = ast.Compare(given, [ast.IsNot()], [ast.Constant(None)])
        return Check(there, (), f"with {path}, not with None")
    if kind == NO_LIST:
        has = ast.Call(ast.Name("hasattr", ast.Load()), [given, ast.Constant("dtype")], [])
        return Check(has, (given,), f"for an array {path}, not ")
    own = ast.Call(ast.Name("type", ast.Load()), [given], [])
    name = kind.strip("()").replace(", ", " or ").removeprefix(ITSELF)
    words = f"for {path} of type {name}, not "
    if kind == NO_FLAG:
        return Check(ast.Compare(own, [ast.IsNot()], [parsed("bool")]), (given,), f"with {path}, not with ")
    if kind == REAL:
        real = ast.Compare(own, [ast.In()], [ast.Tuple([parsed("int"), parsed("float")], ast.Load())])
        return Check(real, (given,), f"for {path} of type int or float, not ", (own,))
    if kind.startswith(ITSELF) or kind.isidentifier() and not hasattr(builtins, kind):  # one of the user's
        class_ = equal([ast.Attribute(own, "__name__", ast.Load()), ast.Constant(name)])
        if name in ("list", "tuple", "dict"):
            class_ = ast.Compare(own, [ast.Is()], [parsed(name)])
        return Check(class_, (given,), words, (own,))
    if kind in ("int", "float", "complex"):  # a bool is an int too, and a number of NumPy's a float
        return Check(ast.Compare(own, [ast.Is()], [parsed(kind)]), (given,), words, (own,))
    test = ast.Call(ast.Name("isinstance", ast.Load()), [given, parsed(kind)], [])
    return Check(test, (given,), words, (own,))


def of_ends(path: str, low: float, high: float) -> Check:
    """That a number lies between two ends; the upper one may be infinite."""
    given = parsed(path)
    ends: list[ast.expr] = [ast.Constant(int(end)) for end in (low, high) if math.isfinite(end)]
    held = ast.Compare(given, [ast.GtE()], ends)
    if len(ends) == 2:
        held = ast.Compare(ends[0], [ast.LtE(), ast.LtE()], [given, ends[1]])
    return Check(held, (given,), f"for {unparsed(held)}, not ")


def without_needless(checks: list[Check], statements: Sequence[ast.stmt]) -> list[Check]:
    """Checks without those that something is not None of what others ask more, which None does not have; that
    something is an array of which they, or the text, ask what only arrays have; and that two are equal of
    which others say what they are. Each is made once.
    """
    tests = [check.held for check in checks]
    tests += [s.test for s in statements if isinstance(s, (ast.Assert, ast.If))]
    told = {text for test in tests for text in asked_of(test)}
    arrays = {text for test in tests for text in asked_of(test, array=True)}
    if any(map(made, checks)):
        arrays |= {text for statement in statements for text in read_of(statement)}
    known = {subject(check) for check in checks if is_constant(check.held)}
    once = {dumped(ast.Tuple([check.held, *check.every])): check for check in checks}
    return [
        check
        for check in checks
        if once[dumped(ast.Tuple([check.held, *check.every]))] is check
        and not (is_presence(check) and subject(check) in told or made(check) in arrays)
        and not (is_equation(check.held) and follows(check, known))
    ]


def follows(check: Check, known: set[str]) -> bool:
    """Whether it is known of both sides of an equation what they are."""
    return len(check.given) == 2 and known.issuperset(map(unparsed, check.given))


def is_constant(test: ast.expr) -> bool:
    """Whether a test says what something is."""
    match test:
        case ast.Compare(_, [ast.Eq()], [ast.Constant()]):
            return True
    return False


def is_equation(test: ast.expr) -> bool:
    """Whether a test says that two things are equal."""
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)


def is_presence(check: Check) -> bool:
    """Whether it is only checked that something is not None."""
    match check.held:
        case ast.Compare(_, [ast.IsNot()], [ast.Constant(None)]):
            return not check.given
    return False


def subject(check: Check) -> str:
    return unparsed(check.held.left) if isinstance(check.held, ast.Compare) else ""


def made(check: Check) -> str:
    """What is only checked to be no list or number, of which the program would make an array."""
    match check.held:
        case ast.Call(ast.Name("hasattr"), [value, ast.Constant("dtype")]):
            return unparsed(value)
    return ""


def read_of(node: ast.AST) -> Iterator[str]:
    """That of which a statement surely reads an attribute that no list or number has, `x.shape`."""
    if isinstance(node, SOMETIMES):
        return
    if isinstance(node, ast.Attribute) and not any(hasattr(kind, node.attr) for kind in PLAIN):
        yield unparsed(node.value)
    for inner in parts_of(node):
        yield from read_of(inner)


def asked_of(test: ast.expr, *, array: bool = False) -> Iterator[str]:
    """What an expression asks for its shape, rank or dtype, whatever else holds; and for its length, unless
    `array`.
    """
    if not isinstance(test, ast.Compare):
        return
    for node in walked(test):
        match node:
            case ast.Attribute(value, "shape" | "ndim" | "dtype"):
                yield unparsed(value)
            case ast.Call(ast.Name("len" | "list"), [value]) if not array:
                yield unparsed(value)


def numbers(graph: Graph) -> Iterator[tuple[str, Node]]:
    """The numbers among the arguments, by path; and those computed of them whose types depend on values."""
    for node in graph.nodes:
        path = (node.origin or node).meta.get("number path")
        if path is not None and isinstance(node.spec, Scalar):
            yield path, node
    for node in own_nodes(graph):
        origin = node.origin or node
        if "type path" in origin.meta and "outer" not in origin.meta and isinstance(node.spec, Scalar):
            yield origin.meta["type path"], node
