"""Rebuilt: what JAX makes anew of a container that it hands on, with the keys of dicts in order. Who only
takes arrays out of it by their keys, and goes through its lists, may as well have the container itself:

    run({"b": params["b"], "w": params["w"]}, x)   is   run(params, x)

In a text that is compiled as the source was, whatever is done with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...checks.guards import is_path
from ...text.unparsing import unparsed
from ...text.walking import Transformer, unshared, walked

if TYPE_CHECKING:
    from ..emitter import Emitter

DISPLAYS = (ast.Dict, ast.List, ast.Tuple)


def gathered(emitter: Emitter, args: Sequence[ast.expr], function: ast.FunctionDef) -> list[ast.expr]:
    """What a function is given, with the containers whose items displays have in place of these."""
    made = [*args]
    for place, (arg, parameter) in enumerate(zip(args, [*function.args.posonlyargs, *function.args.args])):
        base = base_of(arg)
        if base is None or not is_path(base):
            continue
        if is_same(emitter, arg, base) or Use(emitter).of(function, parameter.arg, arg, base):
            base.of_items = getattr(arg, "of_items", False)  # type: ignore[attr-defined]
            made[place] = base
    return made


def gone_through(emitter: Emitter, made: ast.For) -> None:
    """Let a loop over displays go through the lists whose items these have."""
    for target, iterated in pairs(made.target, made.iter):
        base = base_of(iterated)
        if base is None or not is_path(base):
            continue
        if is_same(emitter, iterated, base) or Use(emitter).of_items(made, made, target, iterated, base):
            made.iter = Put(iterated, base).visit(made.iter)


def entire(emitter: Emitter, display: ast.expr) -> ast.expr:
    """A container of the arguments in place of a display of all that it holds. Where there is none since its
    keys have another order, what it holds is checked: whoever is given the display asks that of it in vain.
    """
    if not isinstance(display, DISPLAYS):
        return display
    base = base_of(display)
    spec = spec_of(emitter, base) if base is not None and is_path(base) else None
    if base is None or spec is None:
        parts = display.values if isinstance(display, ast.Dict) else display.elts
        parts[:] = [entire(emitter, part) for part in parts]
        return display
    if holds_as_much(emitter, display, base):
        return base
    pin(emitter, display, base)
    return display


def spec_of(emitter: Emitter, base: ast.expr) -> Mapping[Any, Any] | None:
    """What a container among the arguments holds in the example."""
    match base:
        case ast.Name(name):
            nodes = emitter.lists.graph.placeholders if emitter.lists.graph is not None else ()
            found = next((node.spec for node in nodes if str(node.target) == name), None)
        case ast.Subscript(value, ast.Constant(key)):
            found = (spec_of(emitter, value) or {}).get(key)
        case _:
            found = None
    return found if isinstance(found, Mapping) else None


def holds_as_much(emitter: Emitter, display: ast.expr, base: ast.expr) -> bool:
    """Whether a display is of all that a dict holds, in its order, and dicts in it likewise."""
    spec, held = spec_of(emitter, base), [*items(display)]
    if spec is None or not isinstance(display, ast.Dict) or list(spec) != [key for key, _ in held]:
        return False
    inner = [(item, ast.Subscript(base, ast.Constant(key), ast.Load())) for key, item in held]
    return all(holds_as_much(emitter, *each) for each in inner if isinstance(each[0], DISPLAYS))


def pin(emitter: Emitter, display: ast.expr, base: ast.expr) -> None:
    """Let the function check what a container holds, and the containers in it, and of which kind they are."""
    spec, graph, path = spec_of(emitter, base), emitter.lists.graph, unparsed(base)
    if spec is None or graph is None:
        return
    listed = not isinstance(display, ast.Dict)
    asked = graph.meta.get("structure", {})
    whole = {**asked.get(path, {}), "whole": len(spec) if listed else tuple(spec)}
    graph.meta["structure"] = {**asked, path: whole}
    if listed:
        kind = "list" if isinstance(display, ast.List) else "tuple"
        graph.meta["kinds asked"] = {**graph.meta.get("kinds asked", {}), path: kind}
    for key, item in items(display):
        if isinstance(item, DISPLAYS):
            pin(emitter, item, ast.Subscript(base, ast.Constant(key), ast.Load()))


def is_same(emitter: Emitter, display: ast.expr, base: ast.expr) -> bool:
    """Whether a container, and those in it, are made anew in the text too, and checked to hold as much."""
    return not isinstance(display, DISPLAYS) or (
        emitter.module.remade
        and emitter.lists.pinned.get(unparsed(base)) == len([*items(display)])
        and all(
            is_same(emitter, item, ast.Subscript(base, ast.Constant(key), ast.Load()))
            for key, item in items(display)
        )
    )


def base_of(display: ast.expr) -> ast.expr | None:
    """The container whose items are in a display, each under the key that it has there."""
    bases: dict[str, ast.expr] = {}
    for key, item in items(display):
        match base_of(item) or item:
            case ast.Subscript(value, ast.Constant(said)) if type(said) is type(key) and said == key:
                bases[unparsed(value)] = value
            case _:
                return None
    return next(iter(bases.values())) if len(bases) == 1 else None


def items(display: ast.expr) -> Iterator[tuple[Any, ast.expr]]:
    """The keys and the items of a display; of any other expression there are none."""
    match display:
        case ast.Dict(keys, values):
            for key, value in zip(keys, values):
                yield key.value if isinstance(key, ast.Constant) else None, value
        case ast.List(values) | ast.Tuple(values):
            yield from enumerate(values)


class Use:
    """What code does with a container, in the functions too that it hands it to."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.open: list[ast.AST] = []

    def of(self, code: ast.AST, name: str, display: ast.expr, base: ast.expr) -> bool:
        """Whether code does with a variable only what is the same with a display and with its base."""
        nodes = walked(unshared(code))
        bound = [node for node in nodes if binds(node, name)]
        if len(bound) != 1 or code in self.open:
            return False
        self.open.append(code)
        taken = {id(node): keys for node in nodes if (keys := keys_from(node, name)) is not None}
        part_of = {id(n.value) for n in nodes if isinstance(n, ast.Subscript) and id(n) in taken}
        handed = {id(each): (f, p) for call in nodes for each, f, p in self.given(call)}
        loops = {id(i): (n, t) for n in nodes if isinstance(n, ast.For) for t, i in pairs(n.target, n.iter)}
        same = True
        for node in (node for node in nodes if id(node) in taken and id(node) not in part_of):
            keys = taken[id(node)]
            found = inside(display, base, keys)
            if node in bound:
                continue
            if found is None or not is_read(node):
                same = False
            elif isinstance(found[0], DISPLAYS):
                if id(node) in handed:
                    function, parameter = handed[id(node)]
                    same = same and self.of(function, parameter, *found)
                else:
                    loop, target = loops.get(id(node), (None, None))
                    same = same and loop is not None and self.of_items(nodes[0], loop, target, *found)
        self.open.pop()
        return same

    def of_items(self, code: ast.AST, loop: ast.For, target: Any, display: ast.expr, base: ast.expr) -> bool:
        """Likewise of what a loop in it goes through, item by item."""
        if not isinstance(target, ast.Name) or not self.is_whole(display, base):
            return False
        within, beside = ([n for n in walked(each) if mentions(n, target.id)] for each in (loop, code))
        return len(within) == len(beside) and all(
            self.of(loop, target.id, item, ast.Subscript(base, ast.Constant(key), ast.Load()))
            for key, item in items(display)
            if isinstance(item, DISPLAYS)
        )

    def is_whole(self, display: ast.expr, base: ast.expr) -> bool:
        """Whether the base of a list is checked to be as long as that."""
        count = self.emitter.lists.pinned.get(unparsed(base))
        return not isinstance(display, ast.Dict) and count == len([*items(display)])

    def given(self, call: ast.AST) -> Iterator[tuple[ast.expr, ast.FunctionDef, str]]:
        """What a call gives a function by place, each with the function and its parameter."""
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            function = self.emitter.module.defs.get(call.func.id)
            if function is not None and not any(isinstance(arg, ast.Starred) for arg in call.args):
                parameters = [*function.args.posonlyargs, *function.args.args]
                yield from ((arg, function, own.arg) for arg, own in zip(call.args, parameters))


def pairs(target: ast.expr, iterated: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a loop goes through, each with what it is bound to, item by item."""
    match target, iterated:
        case ast.Tuple([_, inner]), ast.Call(ast.Name("enumerate"), [counted, *_]):
            yield from pairs(inner, counted)
        case ast.Tuple(targets), ast.Call(ast.Name("zip"), several) if len(targets) == len(several):
            for each, other in zip(targets, several):
                yield from pairs(each, other)
        case _:
            yield target, iterated


class Put(Transformer):
    """Puts an expression in the place of another."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old = old
        self.new = new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def binds(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.arg) and node.arg == name or mentions(node, name) and not is_read(node)


def mentions(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def keys_from(node: ast.AST, name: str) -> tuple[Any, ...] | None:
    """The keys by which an expression takes something out of a variable."""
    match node:
        case ast.Name(own):
            return () if own == name else None
        case ast.Subscript(value, ast.Constant(key)):
            before = keys_from(value, name)
            return None if before is None else (*before, key)
    return None


def inside(display: ast.expr, base: ast.expr, keys: Sequence[Any]) -> tuple[ast.expr, ast.expr] | None:
    """What lies in a display under these keys, and in its base; what is taken out of an array is its part."""
    for key in keys:
        if not isinstance(display, DISPLAYS):
            break
        found = [item for own, item in items(display) if type(own) is type(key) and own == key]
        if len(found) != 1:
            return None
        display, base = found[0], ast.Subscript(base, ast.Constant(key), ast.Load())
    return display, base
