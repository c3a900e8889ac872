"""Checks of the dtypes of arguments, at the top of the emitted function.

Three things are checked: an argument's dtype, that two have one dtype, and that some are of a kind of
numbers. Which of them a text depends on is found in backends/generality and by the writer.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ...backends.backend import NARROW
from ...backends.typing import gives_bools
from ...backends.writing.writer import Writer
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.leaves import behind, leaves
from ...ir.graphs.presence import is_optional
from ...ir.graphs.regions import for_loop, loop
from ...ir.graphs.walk import own_nodes
from ...ir.meaning.op import REGISTER, Op
from ...ir.passes.fold import called, raw
from ...ir.values.dtypes import DTYPES, DType, float32, float64
from ...ir.values.spec import Spec
from ..text.line_breaking import WIDTH
from ..text.unparsing import unparsed
from .assertions import Check, equal, negated
from .families import ANY
from .gathering import SEVERAL, Gathering, Test, key_of, parent
from .guards import parsed, root
from .relied import Relied

#: The kinds of numbers: in words, and as NumPy and JAX call them.
KINDS = {
    "float": "floats", "wide": "floats of 32 or 64 bits", "int": "integers", "signed": "signed integers",
    "unsigned": "unsigned integers", "complex": "complex numbers", "any but uint": "signed numbers",
    "any but uint8": "any dtype but uint8", "any but bool": "any dtype but bool",
    "any but bool and uint8": "any dtype but bool and uint8",
}  # fmt: skip
ABSTRACT = {
    "float": "floating", "int": "integer", "signed": "signedinteger", "unsigned": "unsignedinteger",
    "complex": "complexfloating",
}  # fmt: skip
#: torch's integers, the unsigned ones of many bits left out: it computes next to nothing with them.
WHOLE = {
    "int": ("uint8", "int8", "int16", "int32", "int64"), "signed": ("int8", "int16", "int32", "int64"),
    "unsigned": ("uint8", "uint16", "uint32", "uint64"),
}  # fmt: skip
#: What is asked for by name, of the other kinds.
MEMBERS = WHOLE | {
    "float": ("float64", "float32", "float16"), "complex": ("complex128", "complex64"),
}  # fmt: skip
#: The kinds of dtypes that are of such a kind.
OF = {"int": ("int", "uint"), "signed": ("int",), "unsigned": ("uint",)}
#: How many arguments are named in one check of dtypes, and of kinds; of more each is checked in turn.
MOST, FEW = 4, 2

#: An argument, and whether it may be None.
Path = tuple[str, bool]


def dtype_checks(
    graph: Graph, asked: Relied, writer: Writer, form: str, gathering: Gathering, *, translates: bool
) -> list[Check]:
    """The checks of dtypes: of those that were assumed since no example was given, that the program looked
    at, and that the text depends on.

    Args:
        form: how checks are written, see codegen/checks/assertions.py.
        translates: whether source and target are two frameworks.
    """
    known = arrays(graph)
    pinned = {*asked.dtypes}
    kinds, alike = graph.meta.get("kinds", {}), dict(graph.meta.get("alike", {}))
    for several in asked.alike:
        pinned |= joined(several, alike)
    if not writer.target.x64:  # where floats of more than 16 bits are of one dtype
        pinned |= {path for path, kind in kinds.items() if kind == "wide"}
    fixed = {alike.get(path, path) for path in pinned}
    pinned |= {path for path, first in alike.items() if first in fixed} | (fixed & {*alike.values()})
    of = gathering.families.of
    one = {of(path): of(first) for path, first in alike.items() if of(path) != of(first)}
    kinds = {of(path): kind for path, kind in kinds.items()}
    if translates:  # which says one thing of all items
        items = {*in_lists(graph), *(path for path, first in alike.items() if of(path) == of(first))}
        one |= {of(path): first_of(of(path)) for path in sorted(items) if of(path) not in (path, *one)}
        optional = {str(node.target).lstrip("*") for node in graph.placeholders if is_optional(node)}
        by = others(one, optional)
        one = {path: by.get(first, first) for path, first in one.items() if by.get(first) != path} | by
        kinds |= {
            path: kinds.pop(family) for family, path in by.items() if family in kinds and path not in kinds
        }
    checks = Checks(writer, graph, form, gathering)
    checks.of(graph, known, {of(path) for path in pinned}, kinds, one)
    return checks.made


def others(one: Mapping[str, str], optional: Collection[str]) -> dict[str, str]:
    """Arguments by which the items of lists may be asked for their dtype, by family: it may be empty."""
    found: dict[str, str] = {}
    for path, first in one.items():
        if (
            ANY in first
            and ANY not in path
            and one.get(first) == first_of(first)
            and root(path) not in optional
        ):
            found.setdefault(first, path)
    return found


def arrays(graph: Graph) -> dict[str, Node]:
    """The arrays among the arguments of a function whose dtypes are known, by path."""
    return {path: leaf for path, leaf in leaves(graph).items() if leaf.spec.dtype is not None}


def in_lists(graph: Graph) -> Iterator[str]:
    """The arrays in the items of lists that loops go through."""
    for node in (node for node in own_nodes(graph) if node.target is for_loop):
        for each in (each for source in loop(node).sources if isinstance(source, list) for each in source):
            if (path := (each.origin or each).meta.get("path")) is not None:
                yield path


def joined(several: Sequence[Node], alike: dict[str, str]) -> set[str]:
    """Let arguments that have one dtype in the example be checked to. Returns those that have several."""
    paths = [str(leaf.meta["path"]) for leaf in several]
    if len({leaf.spec.dtype for leaf in several}) > 1:
        return set(paths)
    firsts = {alike.get(path, path) for path in paths}
    mine = [*paths, *(path for path, first in alike.items() if first in firsts)]
    alike.update(dict.fromkeys(mine, paths[0]) if len(paths) > 1 else {})
    return set()


def said(graph: Graph, decided: Iterable[Node]) -> Iterable[Node]:
    """The arguments behind the dtypes that the text says and the program does not, at the nodes `decided`."""
    known = arrays(graph).values()
    for node in decided:
        whole = isinstance(node.spec, Spec) and node.spec.dtype is not None and not node.spec.dtype.is_inexact
        if whole and not of_several(node):
            continue  # integers of any size may index, and count
        if node.users and all(map(of_fixed, node.users if called(node, REGISTER["cast"]) else [node])):
            continue
        found = known if node.origin is None else behind(node.origin.all_input_nodes)
        # What an op is spelled out in may have the dtype of its floats, never one that integers have.
        spelled = node.meta.get("decided")
        yield from (leaf for leaf in found if not spelled or inexact(leaf))


def of_several(node: Node) -> bool:
    """Whether the text says the dtype of what is of one dtype on one way and of another on another: given
    others, it may be of any.
    """
    arrays = (raw(value).spec for value in node.all_input_nodes)
    return any(isinstance(spec, Spec) and spec.dtype is None for spec in arrays)


def of_fixed(op: Node) -> bool:
    """Whether an op computes with nothing but arrays whose dtypes are the same for all arguments."""
    arrays = [raw(value) for value in op.all_input_nodes if isinstance(value.spec, Spec)]
    return isinstance(op.target, Op) and bool(arrays) and all(map(is_fixed, arrays))


def is_fixed(value: Node) -> bool:
    """Whether an array has one dtype for all arguments: what is compared is bool, unless a framework's row
    says that it makes bytes of bytes, and what is made of that alone has the dtype that follows.
    """
    asks = isinstance(value.target, Op) and value.target.rules[0].cls in ("compare", "bool")
    return asks and gives_bools(value.target) or of_fixed(value)


def inexact(leaf: Node) -> bool:
    return leaf.spec.dtype is not None and leaf.spec.dtype.is_inexact


def first_of(path: str) -> str:
    """The first of a family."""
    return path.replace(ANY, "[0]")


class Checks:
    """The checks of one function, as they are made."""

    def __init__(self, writer: Writer, graph: Graph, form: str, gathering: Gathering) -> None:
        self.gathering, self.families = gathering, gathering.families
        self.writer = writer
        self.target = writer.target
        #: The arrays among the arguments, by path, or by family the first.
        self.leaves: dict[str, Node] = {}
        self.parameters = {str(node.target).lstrip("*") for node in graph.placeholders}
        #: Whether what is said of several arguments is one check.
        self.together = form == "assert"
        self.made: list[Check] = []

    def of(
        self,
        graph: Graph,
        known: Mapping[str, Node],
        pinned: Collection[str],
        kinds: Mapping[str, str],
        alike: Mapping[str, str],
    ) -> None:
        """The checks of a function.

        Args:
            known: its arrays, by path.
            pinned, kinds, alike: those of one dtype, those of a kind of numbers, and those that have the
            dtype of another: arrays, or families of them.
        """
        exact: dict[DType, list[Path]] = {}
        equals: dict[str, list[Path]] = {}
        together: dict[str, list[Path]] = {}
        for path, leaf in known.items():
            self.leaves.setdefault(self.families.of(path), leaf)
        for node in graph.placeholders:
            name = str(node.target).lstrip("*")
            optional = is_optional(node)
            for path in (p for p in self.leaves if root(p) == name):
                if path in pinned or kinds.get(path) == "wide" and not self.target.x64:
                    exact.setdefault(self.leaves[path].spec.dtype, []).append((path, optional))
                    continue
                if path in alike:
                    equals.setdefault(alike[path], []).append((path, optional))
                if path in kinds and (path not in alike or kinds.get(alike[path]) != kinds[path]):
                    together.setdefault(kinds[path], []).append((path, optional))
        for dtype, paths in exact.items():
            self.exact(dtype, paths)
        for first, paths in self.among_items(equals).items():
            self.alike(first, paths)
        for kind, paths in together.items():
            self.kind(kind, paths)

    def exact(self, dtype: DType, paths: Sequence[Path]) -> None:
        """The dtype of arguments."""
        dtype = dtype if self.target.x64 else NARROW.get(dtype.name, dtype)
        expected = self.writer.literal(dtype)
        words = f"of dtype {self.target.dtype_words.format(dtype)}"
        self.each(paths, words, lambda array, _: equal([of_array(array), expected]), chain=expected)

    def among_items(self, equals: Mapping[str, list[Path]]) -> dict[str, list[Path]]:
        """Check that the items of lists have the dtypes of the first, where they are dicts of several arrays;
        what is left.
        """
        left = dict(equals)
        held: dict[str, list[str]] = {}
        for first, paths in equals.items():
            if len(paths) == 1 and not paths[0][1] and paths[0][0].count(ANY) == 1:
                if first_of(first) == first_of(paths[0][0]):
                    held.setdefault(parent(paths[0][0]), []).append(paths[0][0])
        for container, mine in held.items():
            if ANY in container and len(mine) >= SEVERAL and self.families.says(container):
                self.made.append(self.of_first(container, mine))
                left = {first: paths for first, paths in left.items() if paths[0][0] not in mine}
        return left

    def of_first(self, container: str, mine: Sequence[str]) -> Check:
        """That what the items of a list hold under these keys has the dtype of what the first holds."""
        key = ast.Name(self.gathering.key, ast.Load())
        items = (self.families.each(container), parsed(first_of(container)))
        asked = equal([of_array(ast.Subscript(item, key, ast.Load())) for item in items])
        keys = ast.Tuple([ast.Constant(key_of(path)) for path in mine], ast.Load())
        every = ast.comprehension(ast.Name(self.gathering.key, ast.Store()), keys, [], 0)
        loops = [self.families.loop(container.split(ANY)[0]), every]
        held = ast.Call(ast.Name("all", ast.Load()), [ast.GeneratorExp(asked, loops)], [])
        return Check(held, (), f"for {', '.join(mine)} of one dtype in all items", of_all=True)

    def alike(self, first: str, paths: Sequence[Path]) -> None:
        """That arguments have one dtype."""
        first = first_of(first)
        known = of_array(parsed(first))
        alone = {path for path, _ in paths if ANY not in path}
        for group in self.gathering.groups([path for path, optional in paths if not optional]):
            alone -= {*group.paths} if group.loops else set()
        for path, optional in (pair for pair in paths if pair[0] in alone):
            mine = of_array(parsed(path))
            test = self.present(equal([mine, known]), path, optional)
            self.made.append(Check(test, (known, mine), f"for {first} and {path} of one dtype, not "))
        together = [pair for pair in paths if pair[0] not in alone]
        self.each(together, f"of the dtype of {first}", lambda array, _: equal([of_array(array), known]))

    def kind(self, kind: str, paths: Sequence[Path]) -> None:
        """That arguments are of a kind of numbers."""
        self.each(paths, f"of {KINDS[kind]}", lambda array, path: self.is_kind(array, kind, path))

    def each(self, paths: Sequence[Path], words: str, test: Test, *, chain: ast.expr | None = None) -> None:
        """A check of all of these, in as few lines as they make. `chain`: what their dtypes are equal to."""
        groups = list(self.gathering.groups([path for path, optional in paths if not optional]))
        whole = [group for group in groups if group.loops or ANY in group.paths[0]]
        self.alone([group.paths[0] for group in groups if group not in whole], words, test, chain)
        for group in whole:
            said = f"for {', '.join(group.paths)} {words}"
            self.made.append(Check(group.held(self.families, test), (), said, of_all=True))
        for group in self.gathering.groups([path for path, optional in paths if optional]):
            path = group.paths[0]
            several = bool(group.loops) or ANY in path
            held = self.present(group.held(self.families, test), path, True)
            given = () if several else (of_array(parsed(path)),)
            said = f"for {', '.join(group.paths)} {words}" + ("" if several else ", not ")
            self.made.append(Check(held, given, said, of_all=several))

    def alone(self, paths: Sequence[str], words: str, test: Test, chain: ast.expr | None) -> None:
        """A check of arguments that are in no container with others."""
        dtypes = tuple(of_array(parsed(path)) for path in paths)
        chained = equal([*dtypes, chain]) if chain is not None and 1 < len(paths) <= MOST else None
        short = chained is not None and len("    assert " + unparsed(chained)) <= WIDTH
        if chained is not None and self.together and (short or len(paths) <= FEW):
            self.made.append(Check(chained, dtypes, f"for {words}, not "))
        elif len(paths) > FEW:
            array = next(n for n in ("array", "values", "argument", "array_") if n not in self.parameters)
            traced = f"for {words.removeprefix('of ')}, not "
            asked, every = parsed(array), tuple(map(parsed, paths))
            held = test(asked, paths[0])
            self.made.append(Check(held, (of_array(asked),), traced, each=array, every=every))
        else:
            for path, dtype in zip(paths, dtypes):
                held = test(parsed(path), path)
                self.made.append(Check(held, (dtype,), f"for {path} {words}, not "))

    def present(self, test: ast.expr, path: str, optional: bool) -> ast.expr:
        """A test of an argument that may be None."""
        if not optional:
            return test
        absent = ast.Compare(ast.Name(root(path), ast.Load()), [ast.Is()], [ast.Constant(None)])
        return ast.BoolOp(ast.Or(), [absent, test])

    def is_kind(self, array: ast.expr, kind: str, path: str) -> ast.expr:
        """Whether an argument is of a kind of numbers."""
        if kind == "any but uint":
            return negated(self.is_kind(array, "unsigned", path))
        if kind.startswith("any but "):
            names = kind.removeprefix("any but ").split(" and ")
            return negated(one_of(array, [self.writer.literal(DTYPES[name]) for name in names]))
        if kind == "wide":
            return one_of(array, [self.writer.literal(dtype) for dtype in (float32, float64)])
        module = self.target.functions[0]
        if kind in self.target.kind_methods:
            method = self.target.kind_methods[kind]
            return ast.Call(ast.Attribute(array, method, ast.Load()), [], [])
        if kind in self.target.listed_kinds:
            # The fastest way to ask that has an answer for dtypes of another framework.
            members = dict.fromkeys((*MEMBERS[kind], *self.own(path, kind)))
            return one_of(array, [self.writer.name(f"{module}.{name}") for name in members])
        within, abstract = (self.writer.name(f"{module}.{name}") for name in ("issubdtype", ABSTRACT[kind]))
        return ast.Call(within, [of_array(array), abstract], [])

    def own(self, path: str, kind: str) -> list[str]:
        """The dtype that an argument has in the example, if it is of this kind."""
        dtype = self.leaves[path].spec.dtype if path in self.leaves else None
        return [dtype.name] if dtype is not None and dtype.kind in OF.get(kind, (kind,)) else []


def of_array(array: ast.expr) -> ast.expr:
    return ast.Attribute(array, "dtype", ast.Load())


def one_of(array: ast.expr, dtypes: list[ast.expr]) -> ast.expr:
    if len(dtypes) == 1:
        return equal([of_array(array), *dtypes])
    return ast.Compare(of_array(array), [ast.In()], [ast.Tuple(dtypes, ast.Load())])
