"""Collecting: the lists that a loop of Python's appends to, and stacks after it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ....ir.graphs.graph import Node
from ....ir.graphs.regions import loop
from ....ir.meaning.op import REGISTER
from ....ir.ops.indexing import UPDATES
from ....ir.values.dtypes import PYTHON, DType
from ....ir.values.tree import leaves, map_leaves
from ....ir.worklist import reached
from ...plan.containers import part
from .appending import appended, display, numbered, of_numbers
from .strong import handed, makes, number

if TYPE_CHECKING:
    from ..emitter import Emitter

#: What the items of one turn are called where they are put together again.
NAMES = "abcdefghijklmnop"


def held(node: Node, index: int) -> list[Any]:
    """What stands in the list before the loop: what is joined, after it, with what was collected."""
    parts = [user for user in node.users if user.args[1] == index]
    joined = [user for collected in parts for user in collected.users]
    if len(joined) != 1 or not joins(joined[0], parts[0]):
        return []
    return [as_number(item.args[0], parts[0]) for item in joined[0].args[:-1]]


def read_last(emitter: Emitter, node: Node) -> Iterator[str]:
    """The names of arrays that nobody reads any more once the lists of a loop have begun: what a turn hands
    on may be called so.
    """
    earlier = before(node)
    begins = [item for form in appended(node) for item in held(node, min(leaves(form)))]
    inner = reached(filter(is_node, begins), lambda n: () if is_named(emitter, n) else n.all_input_nodes)
    nested = set(inner)
    for value in nested & {*filter(is_node, loop(node).state)} - {*loop(node).operands}:
        others = (user for user in value.users if user not in nested and not is_item(user))
        name = emitter.known[value][0] if value in emitter.known else None
        if isinstance(name, ast.Name) and all(user in earlier or user is node for user in others):
            yield name.id


def is_node(value: Any) -> bool:
    return isinstance(value, Node)


def is_named(emitter: Emitter, value: Node) -> bool:
    return value in emitter.known and isinstance(emitter.known[value][0], ast.Name)


def joins(node: Node, collected: Node) -> bool:
    """Whether a node joins single arrays, known before the loop, with what the loop collected."""
    if not is_concat(node) or node.kwargs.get("axis", 0) != 0:
        return False
    *items, last = node.args
    earlier = before(collected.args[0])
    if last is not collected or not all(is_item(item) for item in items):
        return False
    begins = [as_number(item.args[0], collected) for item in items]
    return all(not isinstance(value, Node) or value in earlier for value in begins)


def as_number(value: Node, collected: Node) -> Any:
    """A value that stands in a list before a loop; the number of Python's for an array of one, where the loop
    collects such.
    """
    if makes(value) and of_numbers(*collected.args) and (found := number(value)) is not None:
        return found
    return value


def is_concat(value: Any) -> bool:
    return isinstance(value, Node) and value.target is REGISTER["concat"]


def is_item(value: Any) -> bool:
    """Whether a value is an array with a new axis in front."""
    return value.target is REGISTER["getitem"] and value.kwargs["key"] == (None,) and len(value.users) == 1


def before(node: Node) -> set[Node]:
    found = set()
    while node.prev.op != "root":
        node = node.prev
        found.add(node)
    return found


def begun(emitter: Emitter, node: Node) -> ast.expr | None:
    """The stacked list, where a node is a copy of what a loop collected, or joins something with it, which
    may be nothing.
    """
    copies = node.target in (REGISTER["copy"], REGISTER["cast"])
    made = arrayed(emitter, node.args[0], node.spec.dtype) if copies else arrayed(emitter, node)
    if made is not None:
        return made
    name = continued(emitter, node)
    if name is None and node.target is REGISTER["copy"]:
        name = listed(emitter, node.args[0])
    along = node.kwargs.get("axis"), node.kwargs.get("dtype")
    if name is None and node.target is REGISTER["concat"] and along == (0, None):
        name = unstacked(emitter, node)
    return name and ast.Call(emitter.writer.name(emitter.module.target.stack), [name], [])


def continued(emitter: Emitter, node: Node) -> ast.expr | None:
    """The list, where a node joins what stood in it before a loop with what that collected."""
    last = node.args[-1] if node.args else None
    if not isinstance(last, Node) or len(last.users) != 1 or (name := listed(emitter, last)) is None:
        return None
    return name if joins(node, last) else None


def listed(emitter: Emitter, value: Any) -> ast.expr | None:
    """The list itself, where a value is what a loop has collected in one: arrays, each as it would be in that
    value.
    """
    name = list_of(emitter, value)
    return name if name is not None and not of_numbers(*value.args) else None


def list_of(emitter: Emitter, value: Any) -> ast.expr | None:
    """The list in which a loop has collected what a value is made of."""
    if not isinstance(value, Node) or not part(value):
        return None
    whole, index = value.args
    if whole not in emitter.parts or index < emitter.collected.get(whole, index + 1):
        return None
    return ast.Name(emitter.parts[whole][index], ast.Load())


def numbers(emitter: Emitter, value: Any) -> ast.expr | None:
    """The list of numbers of Python's of which a value is made, with what stood in it before the loop."""
    last = value
    if is_concat(value):
        last = value.args[-1]
        if list_of(emitter, last) is None or len(last.users) != 1 or not joins(value, last):
            return None
    name = list_of(emitter, last)
    return name if name is not None and of_numbers(*last.args) else None


def arrayed(emitter: Emitter, value: Any, dtype: DType | None = None) -> ast.expr | None:
    """The array that is made of a list of numbers, of a dtype, that of `value` by default; None where it is
    none.
    """
    if (name := numbers(emitter, value)) is None:
        return None
    kind = next(kind for kind in (bool, int, float) if PYTHON[kind].kind == value.spec.dtype.kind)
    made, _ = emitter.writer.strong(kind(0), value.spec.dtype if dtype is None else dtype)
    match made:
        case ast.Call(function, [_], keywords):
            return ast.Call(function, [name], keywords)
    return None


def stacked(emitter: Emitter, value: Any) -> ast.expr | None:
    if (made := arrayed(emitter, value)) is not None:
        return made
    name = listed(emitter, value)
    return name and ast.Call(emitter.writer.name(emitter.module.target.stack), [name], [])


def unstacked(emitter: Emitter, value: Any) -> ast.expr | None:
    """The list of which a stacked array was made, with what stood in it before and after."""
    if not is_concat(value):
        return listed(emitter, value)
    if (name := continued(emitter, value)) is not None:
        return name
    items: list[ast.expr] = []
    for each in value.args:
        name = listed(emitter, each)
        if name is None and not is_item(each):
            return None
        items.append(handed(emitter, each.args[0]) if name is None else ast.Starred(name, ast.Load()))
    return ast.List(items, ast.Load()) if any(isinstance(item, ast.Starred) for item in items) else None


def rows(emitter: Emitter, value: Any) -> Any:
    """What a list is made of at once: numbers of NumPy's, or what is joined in an array, need no copy."""
    if not isinstance(value, Node) or value.target is not REGISTER["copy"] or value in emitter.known:
        return value
    (given,) = value.args
    numbers = emitter.module.target.own_numbers and value.spec.rank == 1
    needless = numbers and listed(emitter, given) is None or given.target is REGISTER["concat"]
    return given if needless else value


def formed(emitter: Emitter, node: Node) -> ast.expr:
    """The list of what a loop has appended, of the lists or arrays that it has collected."""
    if node.target is list or node.target.single:
        (given,) = node.args
        made = unstacked(emitter, given) if node.target is list else numbers(emitter, given)
        if made is not None:
            return made
        array = emitter.tree(rows(emitter, given))
        if node.target is not list and not emitter.module.target.compiles:
            return ast.Call(ast.Attribute(array, "tolist", ast.Load()), [], [])
        return ast.Call(ast.Name("list", ast.Load()), [array], [])
    if (name := grown(emitter, node.args, node.target.items)) is not None:
        return name
    found = [unstacked(emitter, value) or emitter.tree(value) for value in node.args]
    return put_together(emitter, found, node.target.items, pairs=node.target.pairs)


def put_together(emitter: Emitter, found: Sequence[ast.expr], forms: Sequence[Any], pairs: bool) -> ast.expr:
    """A list of containers, in which numbers stand for items of these lists. `pairs`: whether each is a tuple
    of one of each.
    """
    rows = ast.Call(ast.Name("zip", ast.Load()), [*found], []) if len(found) > 1 else found[0]
    if pairs and len(found) > 1:
        return ast.Call(ast.Name("list", ast.Load()), [rows], [])
    names = NAMES[: len(found)]
    target: ast.expr = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
    if len(names) == 1:
        target = ast.Name(names[0], ast.Store())
    loops = [ast.comprehension(target, rows, [], 0)]
    literal = emitter.writer.literal
    items = [display(form, lambda number: ast.Name(names[number], ast.Load()), literal) for form in forms]
    if len(items) == 1:
        return ast.ListComp(items[0], loops)
    loops.append(ast.comprehension(ast.Name("item", ast.Store()), ast.Tuple(items, ast.Load()), [], 0))
    return ast.ListComp(ast.Name("item", ast.Load()), loops)


def grown(emitter: Emitter, values: Sequence[Any], forms: Sequence[Any]) -> ast.expr | None:
    """The list to which a loop has appended containers of this form, whose numbers stand for values."""
    first = values[next(leaves(forms[0]))]
    if len(forms) > 1 or not part(first):
        return None
    name = emitter.grown.get(first.args[0], {}).get(repr(numbered(forms[0], values, first)))
    return None if name is None else ast.Name(name, ast.Load())


def containers(emitter: Emitter, sources: Sequence[Any], form: Any) -> ast.expr:
    """What a loop goes through whose items are containers of what other ones have collected."""
    if (name := grown(emitter, sources, [form])) is not None:
        return name
    order = [*dict.fromkeys(leaves(form))]
    found = [listed(emitter, sources[number]) or handed(emitter, sources[number]) for number in order]
    return put_together(emitter, found, [map_leaves(form, order.index)], pairs=False)


def picked(emitter: Emitter, node: Node) -> ast.expr | None:
    """`outs[i]`, where one of what was collected is picked, and nothing is written into any of it."""
    name, entry = part_of(emitter, node)
    if name is None or not isinstance(entry, int | Node):
        return None
    return ast.Subscript(name, emitter.tree(entry), ast.Load())


def number_of(emitter: Emitter, node: Node) -> ast.expr:
    """The number in an array without axes: `losses[-1]`, where a loop has collected such."""
    (array,) = node.args
    if array not in emitter.known and array.target is REGISTER["getitem"] and len(array.args) == 1:
        (entry, *more), name = array.kwargs["key"], numbers(emitter, array.args[0])
        if name is not None and not more and isinstance(entry, int | Node):
            return ast.Subscript(name, emitter.tree(entry), ast.Load())
    return ast.Call(ast.Attribute(emitter.tree(array), "item", ast.Load()), [], [])


def gone_through(emitter: Emitter, value: Any) -> ast.expr | None:
    """What a loop goes through: the list that another one has collected, or a slice of it."""
    if (name := listed(emitter, value)) is not None or not isinstance(value, Node) or len(value.users) > 1:
        return name
    name, entry = part_of(emitter, value)
    if name is None or not isinstance(entry, slice):
        return None
    bounds = (None if b is None else emitter.tree(b) for b in (entry.start, entry.stop, entry.step))
    return ast.Subscript(name, ast.Slice(*bounds), ast.Load())


def part_of(emitter: Emitter, node: Node) -> tuple[ast.expr | None, Any]:
    """The list that a loop has collected, and where in it a node looks; None where something is written."""
    if node.target is not REGISTER["getitem"] or len(node.args) > 1 or len(node.kwargs["key"]) != 1:
        return None, None
    if any(user.target in UPDATES for user in node.args[0].users):
        return None, None
    return listed(emitter, node.args[0]), node.kwargs["key"][0]


def counted(emitter: Emitter, whole: Any, key: Any) -> ast.expr | None:
    """`len(outs)`, where it is the first size of what was collected that is asked for."""
    if key != 0 or not isinstance(whole, Node) or whole.target is not getattr or whole.args[1] != "shape":
        return None
    name = list_of(emitter, whole.args[0])
    return name and ast.Call(ast.Name("len", ast.Load()), [name], [])
