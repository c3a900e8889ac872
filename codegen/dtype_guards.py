"""Checks of the dtypes of arguments, at the top of the emitted function.

Three things are checked: an argument's dtype, that two have one dtype, and that some are of a kind of
numbers. Which of them a text depends on is found in backends/generality and by the writer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from ..backends.lower import NARROW
from ..backends.writer import Writer
from ..ir.dtypes import DType, float32, float64
from ..ir.graph import Graph, Node
from ..ir.leaves import behind, leaves
from ..ir.spec import Spec
from .guards import refuse, root

#: The kinds of numbers: in words, as JAX calls them, and as NumPy's dtypes say them.
KINDS = {
    "float": "floats", "wide": "floats of 32 or 64 bits", "int": "integers", "signed": "signed integers",
    "unsigned": "unsigned integers", "any but unsigned": "signed numbers", "complex": "complex numbers",
}  # fmt: skip
ABSTRACT = {
    "float": "floating", "int": "integer", "signed": "signedinteger", "unsigned": "unsignedinteger",
    "complex": "complexfloating",
}  # fmt: skip
LETTERS = {"float": "f", "int": "iu", "signed": "i", "unsigned": "u", "complex": "c"}
#: torch's integers, the unsigned ones of many bits left out: it computes next to nothing with them.
WHOLE = {
    "int": ("uint8", "int8", "int16", "int32", "int64"), "signed": ("int8", "int16", "int32", "int64"),
    "unsigned": ("uint8", "uint16", "uint32", "uint64"),
}  # fmt: skip


def dtype_checks(function: str, graph: Graph, decided: Iterable[Node], writer: Writer) -> list[ast.stmt]:
    """The checks of dtypes: of those that were assumed since no example was given, that the program looked
    at, and that the text depends on.

    Args:
        decided: the nodes at which the text says dtypes that the program does not.
    """
    known = {path: leaf for path, leaf in leaves(graph).items() if leaf.spec.dtype is not None}
    pinned = {*graph.meta.get("pinned", ()), *said(known.values(), decided)}
    kinds, alike = graph.meta.get("kinds", {}), graph.meta.get("alike", {})
    checks = Checks(function, writer, graph)
    together: dict[str, list[tuple[str, bool]]] = {}
    for node in graph.placeholders:
        name = str(node.target).lstrip("*")
        optional = bool(node.meta.get("optional") or node.args == (None,))
        if node.meta.get("assumed") and node.users and not node.meta.get("captured"):
            checks.exact(name, node.spec.dtype, optional)
            continue
        for path in (p for p in known if root(p) == name):
            first = alike.get(path, path)
            if path in pinned:
                checks.exact(path, known[path].spec.dtype, optional)
            elif first != path and first not in pinned:
                checks.alike(first, path, optional)
            elif path in kinds:
                together.setdefault(kinds[path], []).append((path, optional))
    for kind, paths in together.items():
        checks.kind(kind, paths)
    return checks.made


def said(known: Iterable[Node], decided: Iterable[Node]) -> Iterable[str]:
    """The arguments behind the dtypes that the text says and the program does not."""
    for node in decided:
        if isinstance(node.spec, Spec) and node.spec.dtype is not None and not node.spec.dtype.is_inexact:
            continue  # integers of any size may index, and count
        found = known if node.origin is None else behind(node.origin.all_input_nodes)
        # What an op is spelled out in may have the dtype of its floats, never one that integers have.
        spelled = node.meta.get("decided")
        yield from (leaf.meta["path"] for leaf in found if not spelled or inexact(leaf))


def inexact(leaf: Node) -> bool:
    return leaf.spec.dtype is not None and leaf.spec.dtype.is_inexact


class Checks:
    """The checks of one function, as they are made."""

    def __init__(self, function: str, writer: Writer, graph: Graph) -> None:
        self.function = function
        self.writer = writer
        self.target = writer.target
        self.parameters = {str(node.target).lstrip("*") for node in graph.placeholders}
        self.made: list[ast.stmt] = []

    def exact(self, path: str, dtype: DType, optional: bool) -> None:
        """An argument's dtype."""
        dtype = dtype if self.target.x64 else NARROW.get(dtype.name, dtype)
        test = ast.Compare(self.dtype(path), [ast.NotEq()], [self.writer.literal(dtype)])
        self.refuse(self.present(test, path, optional), f"{path} of dtype {dtype}", path)

    def alike(self, first: str, path: str, optional: bool) -> None:
        """That two arguments have one dtype."""
        test = ast.Compare(self.dtype(path), [ast.NotEq()], [self.dtype(first)])
        self.refuse(self.present(test, path, optional), f"{first} and {path} of one dtype", first, path)

    def kind(self, kind: str, paths: Sequence[tuple[str, bool]]) -> None:
        """That arguments are of a kind of numbers; several are checked in turn."""
        words = KINDS[kind] if self.target.x64 or kind != "wide" else "dtype float32"
        if len(paths) == 1:
            ((path, optional),) = paths
            test = self.present(self.other(path, kind), path, optional)
            self.refuse(test, f"{path} of {words}", path)
            return
        array = next(n for n in ("array", "values", "argument", "array_") if n not in self.parameters)
        test = self.present(self.other(array, kind), array, any(optional for _, optional in paths))
        self.refuse(test, words, array)
        every = ast.Tuple([parsed(path) for path, _ in paths], ast.Load())
        self.made.append(ast.For(ast.Name(array, ast.Store()), every, [self.made.pop()], []))

    def refuse(self, test: ast.expr, what: str, *paths: str) -> None:
        given = (self.dtype(path) for path in paths)
        self.made.append(refuse(test, f"{self.function} was traced for {what}, not ", *given))

    def present(self, test: ast.expr, path: str, optional: bool) -> ast.expr:
        """A test of an argument that may be None."""
        if not optional:
            return test
        absent = ast.Compare(ast.Name(root(path), ast.Load()), [ast.IsNot()], [ast.Constant(None)])
        return ast.BoolOp(ast.And(), [absent, test])

    def dtype(self, path: str) -> ast.expr:
        """The dtype of an argument. JAX takes arrays of NumPy's too, in the dtypes that it has itself."""
        if self.target.name == "jax":
            return ast.Call(self.writer.name("jnp.result_type"), [parsed(path)], [])
        return ast.Attribute(parsed(path), "dtype", ast.Load())

    def other(self, path: str, kind: str) -> ast.expr:
        """Whether an argument is of another kind of numbers."""
        if kind == "any but unsigned":
            return positive(self.other(path, "unsigned"))
        if kind == "wide":
            floats = [self.writer.literal(dtype) for dtype in (float32, float64)[: 1 + self.target.x64]]
            if len(floats) == 1:
                return ast.Compare(self.dtype(path), [ast.NotEq()], floats)
            return ast.Compare(self.dtype(path), [ast.NotIn()], [ast.Tuple(floats, ast.Load())])
        if self.target.name == "torch" and kind not in WHOLE:
            method = "is_floating_point" if kind == "float" else "is_complex"
            return negated(ast.Call(ast.Attribute(parsed(path), method, ast.Load()), [], []))
        if self.target.name == "torch":
            known: list[ast.expr] = [self.writer.name(f"torch.{name}") for name in WHOLE[kind]]
            return ast.Compare(self.dtype(path), [ast.NotIn()], [ast.Tuple(known, ast.Load())])
        if self.target.name == "numpy":  # the fastest way to ask
            letters = ast.Constant(LETTERS[kind])
            differs = ast.NotIn() if len(LETTERS[kind]) > 1 else ast.NotEq()
            return ast.Compare(ast.Attribute(self.dtype(path), "kind", ast.Load()), [differs], [letters])
        within, abstract = (self.writer.name(f"jnp.{name}") for name in ("issubdtype", ABSTRACT[kind]))
        return negated(ast.Call(within, [self.dtype(path), abstract], []))


def positive(test: ast.expr) -> ast.expr:
    """The contrary of a test."""
    if isinstance(test, ast.UnaryOp):
        return test.operand
    assert isinstance(test, ast.Compare)
    contrary = ast.Eq() if isinstance(test.ops[0], ast.NotEq) else ast.In()
    return ast.Compare(test.left, [contrary], test.comparators)


def negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def parsed(path: str) -> ast.expr:
    """An argument, or a part of one, as the function says it."""
    return ast.parse(path, mode="eval").body
