"""No op stands in a table outside of the dictionary: what is asked of one is a fact that its rows say.

A table of names grows with every op, and says nothing of those of the users'. What the IR itself is made of
is met as the op that it is, `node.target is REGISTER["update"]`; what Python's operators are on arrays, the
table of operators says (ir/meaning/operators.py).
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

import pytest

from tracelate.ir.meaning import op as meaning
from tracelate.ir.meaning.op import REGISTER, Rule
from tracelate.ir.values.dtypes import CLASSES

ROOT = Path(__file__).parents[2]
ROOMS = ("ir", "backends", "codegen", "tracer")
#: Where the dictionary itself is.
ROWS = ("backends/phrases/", "backends/signatures/", "backends/helpers/")
#: Words that mean another thing in a table of words: classes and kinds of dtypes, and functions of Python's.
CLASSES_OF_OPS = {rule.cls for rule in vars(meaning).values() if isinstance(rule, Rule)}
OTHERS = CLASSES_OF_OPS | {*CLASSES} | {*dir(builtins)}
#: The tables that may be, by file and words, and why.
ALLOWED = {
    ("ir/meaning/operators.py", "logical_not abs abs minimum maximum floor ceil"): "the table of operators",
    ("ir/ops/activation.py", "none tanh"): "what `approximate` may be",
    ("backends/rows.py", "where q"): "parameters",
    ("backends/jax.py", "add subtract multiply minimum maximum"): "what `how` may be",
    ("backends/jax.py", "add subtract multiply min max"): "methods of JAX's `.at`",
    ("backends/torch.py", "multiply minimum maximum"): "what `how` may be",
    ("codegen/statements/updates.py", "add multiply divide"): "methods of JAX's `.at`",
    ("tracer/intercept/numpy.py", "copy"): "a parameter",
    ("tracer/memory/writes.py", "real imag"): "attributes of arrays",
    ("tracer/tracer.py", "outer"): "a key of `meta`",
    ("tracer/values/joining.py", "stack array asarray vstack"): "functions of the frameworks, one by one",
}


def words(node: ast.AST) -> list[str]:
    """The strings that a display, or a text that is split, has; those of a part of it."""
    match node:
        case ast.Set(items) | ast.List(items) | ast.Tuple(items):
            return [word for item in items for word in words(item)]
        case ast.Call(ast.Attribute(ast.Constant(str(text)), "split"), [], []):
            return text.split()
        case ast.Call(ast.Name("frozenset" | "set" | "tuple" | "list"), [made]):
            return words(made)
        case ast.Constant(str(text)):
            return [text]
    return []


def asks_name(node: ast.AST) -> bool:
    """Whether it is `op.name`, `getattr(op, "name", …)`, or `call.op` of a call that has a name for it."""
    match node:
        case ast.Attribute(_, "name") | ast.Attribute(ast.Name("call"), "op"):
            return True
        case ast.Call(ast.Name("getattr"), [_, ast.Constant("name"), *_]):
            return True
    return False


def compared(tree: ast.AST) -> Iterator[list[str]]:
    """The words with which names are compared."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left, _, others) if any(map(asks_name, [left, *others])):
                yield [word for side in (left, *others) for word in words(side)]
            case ast.Match(subject, cases) if asks_name(subject):
                parts = [part for case in cases for part in ast.walk(case.pattern)]
                yield [word for part in parts for word in words(part)]
            case ast.Call(ast.Attribute(of, "startswith" | "endswith" as how), [part]) if asks_name(of):
                ends = tuple(words(part))
                yield [name for name in REGISTER if getattr(name, how)(ends)]


def tables(tree: ast.AST) -> Iterator[list[str]]:
    """The words of each set, of the keys of each dict and of its values, and of what is a constant."""
    for node in ast.walk(tree):
        match node:
            case ast.Set() | ast.Call(ast.Name("frozenset" | "set"), [_]):
                yield words(node)
            case ast.Dict(keys, values):
                yield words(ast.List([key for key in keys if key is not None]))
                yield words(ast.List(values))
            case ast.Assign([ast.Name(name)], ast.Tuple() | ast.List() | ast.Call()) if name.isupper():
                yield words(node.value)


def named(text: str) -> Iterator[list[str]]:
    """The tables of a text that list ops, and what is compared with their names."""
    tree = ast.parse(text)
    yield from (found for found in compared(tree) if {*found} & REGISTER.keys())
    for found in tables(tree):
        ops = [word for word in found if word in REGISTER and word not in OTHERS]
        if ops and 2 * len(ops) >= len(found):
            yield found


def files() -> Iterator[tuple[str, str]]:
    for file in sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py")):
        name = file.relative_to(ROOT).as_posix()
        if not name.startswith(ROWS):
            yield name, file.read_text(encoding="utf-8")


def test_no_table_lists_ops_outside_of_the_dictionary() -> None:
    found = {(name, " ".join(table)) for name, text in files() for table in named(text)}
    assert not found - ALLOWED.keys(), "declare a fact of the op, and ask for that"
    assert not ALLOWED.keys() - found, "these are allowed, and there are none"


@pytest.mark.parametrize(
    "text",
    [
        'op.name == "take"',
        'node.target.name in ("any", "all")',
        'op.name.endswith("_like")',
        'call.op == "pow"',
        'getattr(node.target, "name", "") != "cast"',
        'match node.target.name:\n    case "reshape" | "expand":\n        pass',
        'DIVIDING = frozenset({"floor_divide", "trunc_divide"})',
        'DIVIDING = frozenset("floor_divide trunc_divide".split())',
        'x = {"sqrt": math.sqrt}',
        'MOMENTS = ("mean", "var", "std")',
    ],
)
def test_a_table_of_ops_is_found(text: str) -> None:
    assert [*named(text)]


@pytest.mark.parametrize(
    "text", ['dtype.kind in ("float", "complex")', 'KINDS = {"int", "complex"}', 'x is REGISTER["cast"]']
)
def test_other_words_are_none(text: str) -> None:
    assert not [*named(text)]
