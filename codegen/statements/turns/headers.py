"""Headers: what the names of a `for` of the user's are in each turn, as the text says it.

    for i, (p, g) in enumerate(zip(params, grads))      i: 0, 1      p: params[0], params[1]
    for name, p in params.items()                       name: "w", "b"      p: params["w"], params["b"]
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...text.unparsing import unparsed
from ...text.walking import Transformer, copied
from ..written.stated import is_path, items_of

#: How many items a list has, or which keys a dict has, by the path of it.
Held = Mapping[str, Any]
#: Which keys a dict has, and has not, as far as that is checked.
Keys = Mapping[Any, bool]
#: Changes the text of a function, and takes that back where it is another program.
Attempt = Callable[[Callable[[], Any]], bool]
#: What a name is in each turn.
Bound = dict[str, list[ast.expr]]


@dataclass(frozen=True)
class Given:
    """What is known of the arguments of a function.

    Attributes:
        held: how many items the containers among them have, or which keys, as it is checked.
        keys: whether some keys are there, by the paths of dicts, as it is checked.
        ranks: those of the arrays; None for what is None.
        roots: the arguments, and what the user calls parts of them, in terms of them.
        kinds: of which classes containers are, as it is checked.
        ordered: whether dicts come in with their keys in the order of the example's.
        unroll: loops of how many turns stay written out.
        back: which containers of a result are arguments: their keys in it, and paths.
        packages: those of the framework that the user writes for.
        say: how the text calls what maps a function over the leaves of a tree ("map"), or lists them
            ("leaves").
    """

    held: dict[str, Any]
    keys: Mapping[str, Keys]
    ranks: Mapping[str, int | None]
    kinds: dict[str, str]
    roots: dict[str, str]
    ordered: bool
    unroll: float
    packages: Sequence[str]
    say: Callable[[str], ast.expr]
    back: Collection[tuple[tuple[Any, ...], str]] | None = None


def called(target: ast.expr, iterated: ast.expr, held: Held, *, ordered: bool) -> Bound | None:
    """What the names of a header are; None where that is not known.

    Args:
        iterated: in terms of the arguments.
        ordered: whether a dict that is given has its keys in the order of the example's.
    """
    items = gone_through(iterated, held, ordered)
    if items is None or len(items) < 2:
        return None
    found: Bound = {}
    return found if all(take(target, item, number, found) for number, item in enumerate(items)) else None


def take(target: ast.expr, item: ast.expr, number: int, found: Bound) -> bool:
    """Note what the names of a target are in this turn. Returns whether that is known of all."""
    if isinstance(target, ast.Name):
        found.setdefault(target.id, []).append(item)
        return len(found[target.id]) == number + 1
    inner = items_of(target)
    if not inner or any(isinstance(each, ast.Starred) for each in inner):
        return False
    parts = item.elts if isinstance(item, ast.Tuple) else [at(item, place) for place in range(len(inner))]
    return len(parts) == len(inner) and all(take(*pair, number, found) for pair in zip(inner, parts))


def gone_through(iterated: ast.expr, held: Held, ordered: bool) -> list[ast.expr] | None:
    """The items that a loop goes through, one by one."""
    match iterated:
        case ast.Call(ast.Name("zip"), [_, *_] as each, [] | [ast.keyword("strict")]):
            columns = [gone_through(one, held, ordered) for one in each]
            if None in columns:
                return None
            return [ast.Tuple(list(row), ast.Load()) for row in zip(*columns)]
        case ast.Call(ast.Name("enumerate"), [one], []):
            items = gone_through(one, held, ordered)
            return items and [
                ast.Tuple([ast.Constant(place), item], ast.Load()) for place, item in enumerate(items)
            ]
        case ast.Call(ast.Name("list" | "tuple"), [one], []):
            return gone_through(one, held, ordered)
        case ast.Call(_, [one], []) if is_leaves(iterated):
            return leaves(one, held)
        case ast.Call(ast.Name("sorted"), [one], []):
            return in_turn(one, held)
        case ast.Call(ast.Name("reversed"), [one], []):
            items = gone_through(one, held, ordered)
            return items and items[::-1]
        case ast.Call(ast.Name("range"), [ast.Call(ast.Name("len"), [whole], [])], []):
            found = held.get(unparsed(whole))
            return [ast.Constant(place) for place in range(length(found))] if found is not None else None
        case ast.Call(ast.Attribute(whole, "items" | "keys" | "values" as part), [], []):
            keys = held.get(unparsed(whole))
            return said(whole, keys, part) if isinstance(keys, tuple) and in_order(keys, ordered) else None
        case _ if isinstance(iterated, ast.Name) or is_path(iterated):
            found = held.get(unparsed(iterated))
            if isinstance(found, tuple):
                return said(iterated, found, "keys") if in_order(found, ordered) else None
            return None if found is None else [at(iterated, place) for place in range(found)]
    return None


def is_leaves(call: ast.Call) -> bool:
    """Whether some code of the user's lists the leaves of a tree."""
    said = unparsed(call.func)
    return said == "tree_leaves" or said.endswith((".tree_leaves", "tree.leaves"))


def maps(call: ast.Call) -> bool:
    """Whether some code of the text's maps a function over trees."""
    said = unparsed(call.func)
    return said == "tree_map" or said.endswith(".tree.map")


def is_map(call: ast.AST, module: dict[str, Any], packages: Sequence[str]) -> bool:
    """Whether some code of the user's calls the function of these packages that makes a tree leaf by leaf."""
    if not isinstance(call, ast.Call) or len(call.args) < 2 or call.keywords:
        return False
    found: Any = None
    match call.func:
        case ast.Name(name):
            found = module.get(name)
        case ast.Attribute():
            first, *rest = unparsed(call.func).split(".")
            found = module.get(first)
            for name in rest:
                found = getattr(found, name, None)
    home = str(getattr(found, "__module__", "")).split(".")[0]
    return home in packages and getattr(found, "__name__", "") in ("map", "tree_map")


def leaves(whole: ast.expr, held: Held) -> list[ast.expr]:
    """The leaves of nested containers, of dicts in the order of their keys."""
    found = held.get(unparsed(whole))
    if found is None:
        return [whole]
    keys = sorted(found, key=str) if isinstance(found, tuple) else range(found)
    return [leaf for key in keys for leaf in leaves(at(whole, key), held)]


def in_turn(one: ast.expr, held: Held) -> list[ast.expr] | None:
    """The keys of a dict, or its items, by the order of the keys."""
    match one:
        case ast.Call(ast.Attribute(whole, "items" | "keys" as part), [], []):
            keys = held.get(unparsed(whole))
        case _:
            whole, keys, part = one, held.get(unparsed(one)), "keys"
    if not isinstance(keys, tuple) or any(type(key) is not str for key in keys):
        return None
    return said(whole, sorted(keys), part)


def in_order(keys: Sequence[Any], ordered: bool) -> bool:
    """Whether a dict is gone through in the order of the example: where its keys come in sorted, if that is
    theirs.
    """
    return ordered or all(type(key) is type(keys[0]) for key in keys) and [*keys] == sorted(keys)


def said(whole: ast.expr, keys: Sequence[Any], part: str) -> list[ast.expr] | None:
    """The keys of a dict, its values or both."""
    if not all(type(key) in (str, int) for key in keys):
        return None
    pairs = [(ast.Constant(key), at(whole, key)) for key in keys]
    if part == "items":
        return [ast.Tuple(list(pair), ast.Load()) for pair in pairs]
    return [key if part == "keys" else value for key, value in pairs]


def length(found: Any) -> int:
    return len(found) if isinstance(found, tuple) else int(found)


def at(whole: ast.expr, key: Any) -> ast.expr:
    return ast.Subscript(whole, ast.Constant(key), ast.Load())


def in_full(code: ast.expr, roots: Mapping[str, str]) -> Any:
    """Some code of the user's in terms of the arguments, whatever he calls their parts."""
    return InFull(roots).visit(copied(code))


class InFull(Transformer):
    def __init__(self, roots: Mapping[str, str]) -> None:
        self.roots = roots

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse(self.roots.get(node.id, node.id), mode="eval").body
