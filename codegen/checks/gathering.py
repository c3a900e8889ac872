"""Gathering: what is asked of several arguments, asked of all of them in one line.

    all(a.dtype == np.float32 for a in p.values())         all that a dict holds
    all(p[k].dtype == np.float32 for k in ("w", "b"))      some of it
    all(a.dtype == np.float32 for a in (x, y, z))          arguments of their own
    all(a.dtype == jnp.float32 for a in jax.tree.leaves(params))
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.values.spec import Spec
from ..text.unparsing import unparsed
from .families import ANY, Families
from .guards import parsed, root

#: Fewer items of a container are asked one by one.
SEVERAL = 3

#: A test of an array, as an expression; the path is that of one of those that it is of.
Test = Callable[[ast.expr, str], ast.expr]


@dataclass(frozen=True, slots=True)
class Group:
    """Arguments, or families of them, of which one thing is asked.

    Attributes:
        loops: what a comprehension goes through for them, with what it binds; none for one of its own.
        said: how they are said there, or one of those that it goes through.
        whole: whether that is all that an argument holds, however nested.
    """

    paths: Sequence[str]
    loops: Sequence[tuple[str, ast.expr]]
    said: Sequence[ast.expr]
    whole: bool = False

    def held(self, families: Families, test: Test) -> ast.expr:
        """That a test holds for all of them."""
        tests = [test(each, path) for each, path in zip(self.said, self.paths)]
        asked = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
        lists = self.paths[0].split(ANY)[:-1] if not self.whole else []
        if not lists and not self.loops:
            return asked
        loops = [families.loop(lists[0])] if lists else []
        loops += [ast.comprehension(ast.Name(name, ast.Store()), each, [], 0) for name, each in self.loops]
        return ast.Call(ast.Name("all", ast.Load()), [ast.GeneratorExp(asked, loops)], [])


class Gathering:
    """Finds such groups.

    Args:
        leaves: the arrays among the arguments, by path.
        tree: the function of the target that gives all that nested containers hold, if it has one.
    """

    def __init__(
        self, leaves: Mapping[str, Node], families: Families, tree: str, say: Callable[[str], ast.expr]
    ) -> None:
        #: Those that are in items of lists by their families, the first of each.
        self.leaves: dict[str, Node] = {}
        for path, leaf in leaves.items():
            self.leaves.setdefault(families.of(path), leaf)
        self.families = families
        self.tree = tree
        self.say = say
        taken = {*families.taken, *(n for item in families.items.values() for n in item.names.values())}
        self.array = next(name for name in ("a", "array", "a_") if name not in taken)
        self.key = next(name for name in ("k", "key", "k_") if name not in taken)

    def groups(self, paths: Sequence[str]) -> Iterator[Group]:
        """Those of these arguments and families; what is in no container with others is alone."""
        left = dict.fromkeys(paths)
        for name in dict.fromkeys(map(root, paths)) if self.tree else ():
            mine = [path for path in left if root(path) == name]
            if len(mine) > 1 and self.is_all_of(name, mine):
                call = ast.Call(self.say(self.tree), [parsed(name)], [])
                yield Group(mine, [(self.array, call)], [parsed(self.array)], True)
                for path in mine:
                    del left[path]
        held: dict[str, list[str]] = {}
        for path in left:
            held.setdefault(parent(path), []).append(path)
        for container, mine in held.items():
            if container and self.families.says(container) and self.are_several(container, mine):
                yield self.of_container(container, mine)
            elif ANY in container:
                yield Group(mine, [], [self.families.each(path) for path in mine])
            else:
                yield from (Group([path], [], [self.families.each(path)]) for path in mine)

    def of_container(self, container: str, mine: Sequence[str]) -> Group:
        """Some of what a container holds, or all of it."""
        said = self.families.each(container)
        keys = [key_of(path) for path in mine]
        if self.is_whole(mine):
            named = isinstance(keys[0], str)
            values = ast.Call(ast.Attribute(said, "values", ast.Load()), [], []) if named else said
            return Group(mine, [(self.array, values)], [parsed(self.array)])
        several = ast.Tuple([ast.Constant(key) for key in keys], ast.Load())
        return Group(mine, [(self.key, several)], [ast.Subscript(said, parsed(self.key), ast.Load())])

    def are_several(self, container: str, mine: Sequence[str]) -> bool:
        """Whether these are many, or all that each item of a list holds."""
        return len(mine) >= SEVERAL or ANY in container and self.is_whole(mine)

    def is_whole(self, mine: Sequence[str]) -> bool:
        """Whether these are all that a container holds, which are several arrays."""
        spec = self.spec_of(mine[0])
        keys = [key_of(path) for path in mine] if spec is not None and len(spec) > 1 else []
        return spec is not None and list(spec) == keys and all(isinstance(e, Spec) for e in spec.values())

    def spec_of(self, path: str) -> Mapping[Any, Any] | None:
        """What the container holds in which something is."""
        leaf = self.leaves[path]
        holder = leaf.args[0] if leaf.op == "call_function" and leaf.args else None
        return holder.spec if isinstance(holder, Node) and isinstance(holder.spec, Mapping) else None

    def is_all_of(self, name: str, mine: Sequence[str]) -> bool:
        """Whether these are all that an argument holds, however nested, and none is an attribute of an
        object, which the target may take for a leaf.
        """
        if any(root(path) == name and path not in mine for path in self.leaves):
            return False
        for path in mine:
            node = self.leaves[path]
            while node.op == "call_function" and node.args and isinstance(node.args[0], Node):
                if node.target is getattr:
                    return False
                node = node.args[0]
        return isinstance(node.spec, Mapping) and only_arrays(node.spec)


def only_arrays(spec: Any) -> bool:
    return all(map(only_arrays, spec.values())) if isinstance(spec, Mapping) else isinstance(spec, Spec)


def parent(path: str) -> str:
    """The container in which something is, by a key; '' where it is in none."""
    match parsed(path.replace(ANY, "[...]")):
        case ast.Subscript(value, ast.Constant(key)) if key is not ...:
            return unparsed(value).replace("[...]", ANY)
    return ""


def key_of(path: str) -> Any:
    expr = parsed(path.replace(ANY, "[...]"))
    assert isinstance(expr, ast.Subscript) and isinstance(expr.slice, ast.Constant)
    return expr.slice.value
