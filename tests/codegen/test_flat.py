"""One line of text says one tree: no parenthesis too many, none too few, constants exactly."""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tracelate.codegen
from tracelate.codegen.text.layout import render
from tracelate.codegen.text.statement import flat

Sound = Callable[[ast.Module], str]


@pytest.mark.parametrize(
    "text",
    [
        "a * b + c",
        "a + (b + c)",
        "a * (b / c)",
        "(a + b) * c",
        "a - b - c",
        "a - (b - c)",
        "-x",
        "-(x**2)",
        "(-x) ** 2",
        "2**-x",
        "a**b**c",
        "(a**b) ** c",
        "x.y**2",
        "f(x) ** 2",
        "x[0] ** n",
        "not a == b",
        "(not a) + b",
        "a and (b or c)",
        "a or b and c",
        "a < b < c",
        "(a < b) < c",
        "x[0, :]",
        "x[1:-1]",
        "x[a + 1 :]",
        "x[: n + 1, ::2]",
        "x[f(a) : f(b) : 2]",
        "x[:, None, ...]",
        "x[()]",
        "x[(a,)]",
        "x[1:2,]",
        "(a if b else c)[0]",
        "a if b else c if d else e",
        "(a if b else c) if d else e",
        "(lambda x, *, n=2: x + n)(3)",
        "lambda: (yes, no)",
        "f(x for x in xs)",
        "f((x for x in xs), 1)",
        "[(a, b) for a, b in zip(x, y) if a]",
        '{**a, "b": 1, **(c or d)}',
        "{k: v for k, v in d.items()}",
        "f(*args, k=1, **kw)",
        "(1).real",
        "1e-5 + 1e20 + 2j",
        "w @ x.T + b",
        "~a & b | c ^ d",
        "a << (b >> c)",
        "f\"{x!r:>{n}} {y.shape[0]} {{}} {d['key']}\"",
        '"it\'s"',
        "'say \"hi\"'",
        'b"\\x00\'"',
        '"a\\n\\t\\\\b\\x01é"',
        "{*()}",
        "[*a, *b]",
        "a is not b not in c",
    ],
)
def test_no_parenthesis_too_many_and_none_too_few(text: str, sound: Sound) -> None:
    assert sound(ast.parse(f"y = {text}")) == f"y = {text}\n"


def test_a_node_may_stand_in_two_places() -> None:
    shared = ast.parse("a + b").body[0].value  # type: ignore[attr-defined]
    assert flat(ast.BinOp(ast.Subscript(shared, shared), ast.Mult(), shared)) == "(a + b)[a + b] * (a + b)"
    assert flat(ast.Call(shared, [shared, ast.Attribute(shared, "T")], [])) == "(a + b)(a + b, (a + b).T)"
    assert flat(shared) == "a + b"


def test_nothing_is_left_on_the_nodes() -> None:
    tree = ast.parse("import a, b\ny = -f(x[1:]) ** 2 if a and b else (c, d)")
    before = [vars(node).copy() for node in ast.walk(tree)]
    render(tree)
    assert [vars(node) for node in ast.walk(tree)] == before


# Constants.


@pytest.mark.parametrize("value", [-1, -0.0, -1.5, 1e100, 5e-324, 2j, -2j, 1 + 2j, -1 - 2j, 10**40])
def test_numbers_keep_their_value_wherever_they_stand(value: Any) -> None:
    number = ast.Constant(value)
    squared = ast.BinOp(number, ast.Pow(), ast.Constant(2))
    assert repr(evaluated(number)) == repr(value)
    assert evaluated(squared) == value**2
    assert evaluated(ast.Attribute(number, "real")) == value.real
    assert evaluated(ast.BinOp(ast.Constant(3), ast.Sub(), number)) == 3 - value
    assert evaluated(ast.BinOp(ast.Constant(3), ast.Mult(), number)) == 3 * value


def evaluated(node: ast.expr) -> Any:
    return eval(render(ast.Module([ast.Expr(node)], [])))


@given(st.one_of(st.text(), st.binary(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
@settings(max_examples=100, deadline=None)
def test_constants_read_back(value: Any) -> None:
    assert "\n" not in flat(ast.Constant(value))
    assert repr(evaluated(ast.List([ast.Constant(value)]))) == repr([value])


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, complex(0, math.inf), complex(-0.0, 3.0)])
def test_what_has_no_literal_is_refused(value: complex) -> None:
    with pytest.raises(ValueError, match="no literal"):
        flat(ast.Constant(value))


@pytest.mark.parametrize("value", [(1, 2), np.float32(1), np.int64(3), np.bool_(True), [1]])
def test_what_is_no_constant_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="no literal"):
        flat(ast.Constant(value))


@pytest.mark.parametrize(
    "source",
    [
        "async def f(): await g()",
        "def f(): yield 1",
        "def f(): yield from g()",
        "f(x := 1)",
        "match x:\n    case 1: pass",
        "try: pass\nexcept* ValueError: pass",
        "[x async for x in y]",
    ],
)
def test_what_has_no_place_in_emitted_code_is_refused(source: str) -> None:
    with pytest.raises(TypeError, match="no place"):
        render(ast.parse(source))


@pytest.mark.parametrize("inner", ['"both \' and \\""', "'back\\\\slash'"])
def test_an_f_string_that_python_3_11_could_not_read_is_refused(inner: str) -> None:
    value = ast.FormattedValue(ast.parse(inner).body[0].value, -1)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no f-string"):
        flat(ast.JoinedStr([value]))


# Random trees.

EMPTY = ast.Dict([], [])
NAMES = st.sampled_from(["x", "y", "jnp", "weight", "attention_mask", "a_name_that_is_rather_long"])
LOAD = ast.Load()
BINARY = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow, ast.FloorDiv, ast.BitOr, ast.BitAnd]
COMPARING = [ast.Eq, ast.NotEq, ast.Lt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot]
CONSTANTS = st.sampled_from([0, 1, 2.5, 1e-05, 1e22, 3j, True, None, ..., "key", "it's", b"b", "{", "a\\\n"])
names = st.builds(ast.Name, NAMES, st.just(LOAD))
atoms = st.one_of(names, names, st.builds(ast.Constant, CONSTANTS))


def few(strategy: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[list[Any]]:
    return st.lists(strategy, min_size=least, max_size=3)


def compounds(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Every kind of expression over `inner`."""
    maybe = st.one_of(st.none(), inner)
    slices = st.builds(ast.Slice, maybe, maybe, maybe)
    starred = st.one_of(inner, inner, st.builds(ast.Starred, inner, st.just(LOAD)))
    keywords = st.builds(ast.keyword, st.sampled_from(["axis", "keepdims", None]), inner)
    loops = st.builds(ast.comprehension, names, inner, few(inner), st.just(0))
    fields = st.builds(ast.FormattedValue, names, st.sampled_from([-1, 114]), st.none())
    indices = st.one_of(inner, slices, st.builds(ast.Tuple, few(st.one_of(inner, slices), 2), st.just(LOAD)))
    binary, comparing = st.sampled_from(BINARY), st.sampled_from(COMPARING)
    unary, joining = st.sampled_from([ast.USub, ast.Not, ast.Invert]), st.sampled_from([ast.And, ast.Or])
    return st.one_of(
        st.builds(ast.Attribute, inner, st.sampled_from(["T", "shape", "at"]), st.just(LOAD)),
        st.builds(ast.Call, inner, few(starred), few(keywords)),
        st.builds(ast.Subscript, inner, indices, st.just(LOAD)),
        st.builds(lambda a, op, b: ast.BinOp(a, op(), b), inner, binary, inner),
        st.builds(lambda op, a: ast.UnaryOp(op(), a), unary, inner),
        st.builds(lambda op, v: ast.BoolOp(op(), v), joining, few(inner, 2)),
        st.builds(lambda a, op, b: ast.Compare(a, [op()], [b]), inner, comparing, inner),
        st.builds(ast.IfExp, inner, inner, inner),
        st.builds(ast.Tuple, few(starred), st.just(LOAD)),
        st.builds(ast.List, few(starred), st.just(LOAD)),
        st.builds(ast.Set, few(starred, 1)),
        few(st.tuples(maybe, inner)).map(lambda items: ast.Dict(*map(list, zip(*items))) if items else EMPTY),
        st.builds(ast.Lambda, parameters(inner), inner),
        st.builds(ast.ListComp, inner, few(loops, 1)),
        st.builds(ast.GeneratorExp, inner, few(loops, 1)),
        st.builds(ast.DictComp, inner, inner, few(loops, 1)),
        st.builds(lambda a, b: ast.JoinedStr([a, ast.Constant(" {'\""), b]), fields, fields),
    )


@st.composite
def parameters(draw: Any, inner: st.SearchStrategy[Any]) -> ast.arguments:
    words = [ast.arg(name) for name in draw(st.lists(st.sampled_from("abcdef"), unique=True, max_size=5))]
    first, second = sorted([draw(st.integers(0, len(words))), draw(st.integers(0, len(words)))])
    defaults = draw(st.lists(inner, max_size=second))
    keyword_defaults = [draw(st.one_of(st.none(), inner)) for _ in words[second:]]
    rest = draw(st.sampled_from([None, ast.arg("rest")]))
    groups = words[:first], words[first:second], rest, words[second:]
    return ast.arguments(*groups, keyword_defaults, None, defaults)


expressions = st.recursive(atoms, compounds, max_leaves=12)


@given(expressions)
@settings(max_examples=200, deadline=None)
def test_any_expression_parses_back_to_its_tree(shape: Callable[[ast.AST], str], tree: ast.expr) -> None:
    module = ast.Module([ast.Return(tree)], [])
    assert shape(ast.parse(render(module))) == shape(module)


@given(st.lists(expressions, min_size=1, max_size=3), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_black_leaves_any_assignment_as_it_is(
    left_by_black: Callable[[str], None], trees: list[ast.expr], depth: int
) -> None:
    body: list[ast.stmt] = [ast.Assign([ast.Name("result")], tree) for tree in trees]
    for _ in range(depth):
        body = [ast.While(ast.Name("unfinished"), body, [])]
    left_by_black(render(ast.Module(body, [])))


def test_long_chains_do_not_recurse() -> None:
    names = [f"x{number}" for number in range(2000)]
    tree: ast.expr = ast.Name(names[0])
    for name in names[1:]:
        tree = ast.BinOp(tree, ast.Add(), ast.Name(name))
    text = render(ast.Module([ast.Assign([ast.Name("y")], tree)], []))
    assert text.split() == ["y", "=", "(", *" + ".join(names).split(), ")"]
    branch: list[ast.stmt] = [ast.Pass()]
    for name in names:
        branch = [ast.If(ast.Name(name), [ast.Pass()], branch)]
    assert render(ast.Module(branch, [])).count("elif") == len(names) - 1


def test_astor_is_called_in_one_place() -> None:
    room = Path(inspect.getfile(tracelate.codegen)).parent
    callers = [file.name for file in room.rglob("*.py") for _ in re.findall(r"to_source\(", file.read_text())]
    assert callers == ["statement.py"]
