"""Items: what a `for` of Python's goes through, and what its turns bind, under the user's names.

    for i in range(n)            a count
    for row in x                 the rows of an array
    for w, b in params           the items of a list, unpacked
    for p in layers              or not: the arrays in one are then p["w"]
    for i in range(len(ws))      a count, by which the turn takes the items of lists: ws[i]
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ....backends.writing.filling import operand_of
from ....ir.graphs import regions
from ....ir.graphs.graph import Node
from ....ir.graphs.regions import Loop, forms_of, lists_of, loop, placed
from ....ir.values.tree import children, is_record, leaves, map_leaves, tuple_fields
from ...plan.scaffold import Scaffold
from ...text.unparsing import unparsed
from ...text.walking import Transformer, dumped, walked
from . import loop_lists
from .rebuilt import entire
from .strong import handed

if TYPE_CHECKING:
    from ..emitter import Emitter


class Items:
    """What one loop binds.

    Attributes:
        stores: what stands between `for` and `in`, for each thing that is gone through.
        known: the placeholders of the items, each with how the body says it.
        whole: the containers in an item, as a text that puts them together says them, each as the body does.
    """

    def __init__(self, emitter: Emitter, node: Node, names: Sequence[str], planned: Scaffold) -> None:
        self.emitter = emitter
        self.parts = loop(node)
        self.planned = planned
        self.start = planned.statements[0][0] - 0.5
        self.yielded = [
            (item, name)
            for name, item, carried in zip(names, self.parts.yields, self.parts.carried)
            if not carried.users
        ]
        self.known: list[tuple[Node, Any]] = []
        self.whole: dict[Hashable, ast.expr] = {}
        forms, lists = forms_of(node), lists_of(node)
        first = len(forms) - placed(node)
        self.by_place = [self.parts.items[number] for number in leaves(forms[first:]) if number is not None]
        wanted = regions.item_names(node)
        self.stores = [self.store(*each) for each in called(forms[:first], wanted, self.usual)]
        for form, path in zip(forms[first:], lists[first:]):
            (place, *_) = (node for node in walked(self.stores[0]) if isinstance(node, ast.Name))
            whole = gone_through(emitter, self.parts, form, path)
            self.take_apart(form, ast.Subscript(whole, ast.Name(place.id, ast.Load()), ast.Load()))

    def usual(self, form: Any) -> str:
        """What an item is called of which the user says no name."""
        source = self.parts.sources[form] if isinstance(form, int) else []
        return "i" if isinstance(source, tuple) else "row" if isinstance(source, Node) else "item"

    def store(self, form: Any, name: Any) -> ast.expr:
        """What binds an item, or the items in it where there are several names."""
        if isinstance(name, tuple):
            inner = dict(children(form) or ()).values()
            return ast.Tuple([self.store(*pair) for pair in zip(inner, name)], ast.Store())
        numbers = [number for number in leaves(form) if number is not None]
        given = self.name(name, [self.parts.items[number] for number in numbers])
        if form in numbers and children(form) is None:
            self.know(form, ast.Name(given, ast.Load()))
        elif given != "_":
            self.take_apart(form, ast.Name(given, ast.Load()))
        return ast.Name(given, ast.Store())

    def name(self, name: str, items: Sequence[Node]) -> str:
        """A name for what is bound; what the name is after the loop is the last item."""
        last = [name for item, name in self.yielded if len(items) == 1 and item is items[0]]
        if name in last:
            return name
        if self.by_place and items == [self.parts.items[0]]:  # the number by which they are taken
            items = [*items, *self.by_place]
        if not any(item.users for item in items):
            return "_"
        until = max(self.planned.until.get(item, self.start) for item in items)
        given: str = self.emitter.names.give(name, items[0], self.start, until)
        return given

    def know(self, number: int, said: ast.expr) -> None:
        item = self.parts.items[number]
        self.known.append((item, (said, operand_of(item))))

    def take_apart(self, form: Any, said: ast.expr) -> None:
        """Let the body say the arrays in an item as parts of it."""
        if (items := children(form)) is None:
            if form is not None:
                self.know(form, said)
            return
        named = is_record(form) or tuple_fields(type(form)) is not None
        for key, inner in items:
            field = key if is_record(form) else tuple_fields(type(form))[key] if named else None  # type: ignore[index]
            part: ast.expr = (
                ast.Attribute(said, field, ast.Load())
                if field is not None
                else ast.Subscript(said, self.emitter.writer.literal(key), ast.Load())
            )
            self.take_apart(inner, part)
        if any(number is not None for number in leaves(form)):
            self.whole[dumped(self.emitter.tree(self.said(form)))] = said

    def said(self, form: Any) -> Any:
        """An item as a text says it that puts it together."""
        known = {node: said for node, (said, _) in self.known}
        return map_leaves(form, lambda number: None if number is None else known[self.parts.items[number]])


class Whole(Transformer):
    """Says a container as it is where a text would put it together again, since the program hands it on as it
    is. One that the program puts together stays so: the item may hold more.
    """

    def __init__(self, whole: dict[Hashable, ast.expr]) -> None:
        self.whole = whole

    def visit(self, node: ast.AST) -> Any:
        if getattr(node, "of_items", False) and (said := self.whole.get(dumped(node))) is not None:
            return said
        return self.generic_visit(node)


def called(
    forms: Sequence[Any], wanted: Sequence[str], usual: Callable[[Any], str]
) -> Iterator[tuple[Any, Any]]:
    """What each item is called: a name, or a tuple of names where the user unpacks it."""
    flat = [each for form in forms for each in unpacked(form)]
    if len(wanted) == len(flat):
        supply = iter(wanted)
        yield from ((form, several(form, supply)) for form in forms)
    else:
        yield from zip(forms, wanted if len(wanted) == len(forms) else map(usual, forms))


def unpacked(form: Any) -> list[Any]:
    """What an item holds for whoever unpacks it."""
    if not isinstance(form, (tuple, list)):
        return [form]
    return [each for inner in form for each in unpacked(inner)]


def several(form: Any, supply: Iterator[str]) -> Any:
    if not isinstance(form, (tuple, list)):
        return next(supply)
    return tuple(several(inner, supply) for inner in form)


def target_of(node: Node, stores: Sequence[ast.expr]) -> ast.expr:
    """What stands between `for` and `in`."""
    if len(stores) == 1:
        return stores[0]
    if counts(node) and len(stores) > 2:
        return ast.Tuple([stores[0], ast.Tuple([*stores[1:]], ast.Store())], ast.Store())
    return ast.Tuple([*stores], ast.Store())


def counts(node: Node) -> bool:
    """Whether the first source only counts the items of the others."""
    first, *rest = loop(node).sources[: len(forms_of(node)) - placed(node)]
    return isinstance(first, tuple) and bool(rest) and isinstance(first[0], int) and first[2] == 1


def iterated(emitter: Emitter, node: Node) -> ast.expr:
    """What a `for` goes through."""
    parts = loop(node)
    first = len(forms_of(node)) - placed(node)
    forms, lists = forms_of(node)[:first], lists_of(node)[:first]
    made = [gone_through(emitter, parts, *each) for each in zip(forms, lists or [""] * len(forms))]
    if not counts(node):
        return zipped(made)
    start = parts.sources[0][0]
    return calling("enumerate", [zipped(made[1:]), *([ast.Constant(start)] if start else [])])


def zipped(made: Sequence[ast.expr]) -> ast.expr:
    return made[0] if len(made) == 1 else calling("zip", [*made])


def gone_through(emitter: Emitter, parts: Loop, form: Any, path: str) -> ast.expr:
    """One thing that a loop goes through; `path`: what the function says for it if it is an argument's."""
    source = parts.sources[form] if isinstance(form, int) else None
    if isinstance(source, tuple):
        return ranged(emitter, source)
    if isinstance(source, Node):
        return loop_lists.gone_through(emitter, source) or handed(emitter, source)
    first = parts.sources[next(number for number in leaves(form) if number is not None)]
    if isinstance(first, Node):
        return loop_lists.containers(emitter, parts.sources, form)
    length = len(first)
    items = [
        map_leaves(form, lambda number: None if number is None else parts.sources[number][turn])  # noqa: B023
        for turn in range(length)
    ]
    if (found := container(emitter, items, path)) is not None:
        return found
    texts = [unparsed(emitter.tree(leaf)) for leaf in leaves(items) if leaf is not None]
    emitter.lists.spell(texts)
    return ast.List([entire(emitter, handed(emitter, item)) for item in items], ast.Load())


def container(emitter: Emitter, items: Sequence[Any], path: str) -> ast.expr | None:
    """The container whose items these are, or a part of it; None where they are of no one. Of one that is not
    gone through itself, but whose items the program has put together, they are all of it only as long as it
    is as long as in the example.
    """
    taken = [whole(item) for item in items]
    places = [node.args[1] for node in taken if node is not None]
    held = {node.args[0] for node in taken if node is not None}
    if len(held) != 1 or len(places) != len(items):
        return of_outside(emitter, items, path)
    (holder,) = held
    within = (holder.origin or holder).meta
    if within.get("container") not in (list, tuple):
        return None
    mine = str(within.get("within", ""))[:-1]
    if mine != path and mine not in emitter.lists.pinned:
        return None
    length = len(holder.spec)
    if places == [*range(length)]:
        return emitter.tree(holder)
    if places == [*range(length)][::-1]:
        return calling("reversed", [emitter.tree(holder)])
    first, last = places[0], places[-1]
    if places != [*range(first, last + 1)]:
        return None
    ends = (first or None, None if last == length - 1 else last + 1)
    lower, upper = (None if end is None else ast.Constant(end) for end in ends)
    return ast.Subscript(emitter.tree(holder), ast.Slice(lower, upper), ast.Load())


def of_outside(emitter: Emitter, items: Sequence[Any], path: str) -> ast.expr | None:
    """A list among the arguments whose items these are, in a loop or a branch."""
    if emitter.lists.lengths.get(path) != len(items):
        return None
    said = [dumped(emitter.tree(leaf)) for leaf in leaves(items) if leaf is not None]
    wanted = [
        dumped(ast.parse(f"{path}[{place}]{rest}", mode="eval").body)
        for place, item in enumerate(items)
        for rest in paths_in(item)
    ]
    return ast.parse(path, mode="eval").body if said == wanted else None


def paths_in(item: Any, path: str = "") -> Iterator[str]:
    """Where the values in an item lie."""
    if (inner := children(item)) is None:
        yield from () if item is None else (path,)
        return
    fields = tuple_fields(type(item))
    for key, value in inner:
        yield from paths_in(value, f"{path}.{fields[key]}" if fields else f"{path}[{key!r}]")


def whole(item: Any) -> Node | None:
    """The node that takes an item out of a container; None where it was put together otherwise."""
    items = children(item)
    if items is None:
        return item if takes(item) else None
    parts = [(key, whole(inner)) for key, inner in items if inner is not None]
    holders = {None if part is None or part.args[1] != key else part.args[0] for key, part in parts}
    (holder,) = holders if len(holders) == 1 else (None,)
    if holder is None or not takes(holder) or list(holder.spec) != [key for key, _ in items]:
        return None
    return holder if is_of(item, holder) else None


def is_of(item: Any, holder: Node) -> bool:
    """Whether an item is a container of the class that its parts are taken out of."""
    return (holder.origin or holder).meta.get("container", type(item)) is type(item)


def takes(node: Any) -> bool:
    """Whether a node takes an item out of a container."""
    picks = isinstance(node, Node) and node.target is operator.getitem
    return picks and isinstance(node.args[0], Node) and isinstance(node.args[0].spec, dict)


def ranged(emitter: Emitter, source: tuple[Any, Any, Any]) -> ast.expr:
    start, stop, step = source
    kept = [stop] if start == 0 and step == 1 else [start, stop] if step == 1 else [start, stop, step]
    return calling("range", [emitter.tree(v) for v in kept])


def calling(name: str, args: list[ast.expr]) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), args, [])
