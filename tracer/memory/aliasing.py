"""Memory: which proxies lie in the same memory.

A view knows what call made it of which array. A write into that array makes it stale, and a stale view is
taken anew when it is used. What may share memory with an array or not, as the framework pleases, is linked
to it: a write into the one leaves nobody sure of the other, which must not be used any more.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ...backends.memory import EACH, FLAT, LINED, PART, RESHAPE, WRITTEN
from ...ir.analysis.outside import MAYBE, NEW, VIEW
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node, map_arg
from ...ir.graphs.leaves import pin_parts
from ...ir.graphs.static import pin, pin_rank
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ...ir.worklist import reached
from ..objects.buffers import address
from ..place import here
from ..proxy import is_array_proxy
from . import giving, layout, making, numpy_scalars
from .keys import copies, is_part, keyed, pin_key
from .operands import Constant, is_array, of_constants, operand
from .relations import casts, declared, of_number, part_key, relation
from .sharing import Doubt, Lost, View

if TYPE_CHECKING:
    from ..tracer import Tracer


def note(tracer: Tracer, node: Node, args: Any, kwargs: Any, result: Any, shared: Any) -> None:
    """Remember what the results of a call share memory with.

    Args:
        shared: for each array that comes out, whether it lies in the memory of one that went in, if asked.
    """
    said = declared(tracer, node)
    if said == NEW and node.all_input_nodes and not (shared and any(shared)):
        node.meta["gives"] = NEW  # whatever it is given
        return
    operands = [operand(tracer, node, a) for a in leaves((list(args), kwargs)) if is_array(tracer, a)]
    if not operands and not node.all_input_nodes:
        return
    made = [r for r in leaves(result) if is_array_proxy(r)]
    parent = operands[0] if args and is_array(tracer, args[0]) else None
    fact = relation(tracer, node, parent)
    if fact == WRITTEN:
        return
    if fact != NEW and parent is not None and numpy_scalars.is_number(tracer, parent.node):
        node.meta["gives"] = NEW
        for proxy in (r for r in leaves(result) if is_array_proxy(r)):
            doubt(tracer, proxy, [Doubt(parent, parent.node, pin_rank)])  # of an array it might be a view
        return
    if fact == NEW and said == LINED:
        shared = None  # which is asked of arrays that lie row by row
    constants = [o for o in operands if isinstance(o, Constant)]
    if fact == MAYBE and 0 < len(constants) == len(operands):
        fact, shared = of_constants(tracer, node, constants)
    node.meta["gives"] = fact
    if of_layout := said in (LINED, FLAT) and parent is not None:
        node.meta["lined"] = layout.paths(tracer, parent.node)
    for i, proxy in enumerate(made):
        of = parent if fact != EACH else operands[i] if i < len(operands) else None
        known = fact in (VIEW, EACH) and proxy.node.spec.shape is not None
        if shared is not None and i < len(shared) and shared[i] != (fact != NEW):
            known = False
            if fact == NEW:
                fact = MAYBE
        if fact != NEW and of is not None and numpy_scalars.is_number(tracer, proxy.node):
            doubt(tracer, proxy, [Doubt(of, of.node, pin_rank)])  # of another rank it would be a view
        elif known and of is not None:
            proxy.node.meta["of"] = of.node
            key = None if proxy.node is node or fact == EACH else part_key(of, made, i, node)
            made_of = View(proxy, of, proxy.node, i if fact == EACH else 0, key)
            if of_layout or said == RESHAPE:
                made_of.needs = layout.in_order(tracer, of.node) or set()
            tracer.memory.views[id(proxy)] = made_of
        elif fact != NEW:
            link(tracer, proxy, operands)
        elif of is not None and said == LINED and not isinstance(of, Constant):
            part(tracer, proxy, of)
        elif of is not None and (pinned := depends(tracer, node)) is not None:
            doubt(tracer, proxy, [Doubt(of, of.node, pinned)])
    if fact != NEW:
        tracer.memory.constants.update(address(o.value) for o in constants)


# Views.


def current(tracer: Tracer, proxy: Any, behind: tuple[Any, ...] = ()) -> Node:
    """The node of a proxy; of a view of what was written into since, a new one.

    Args:
        behind: those that may be a view of it, for all that is known.

    Raises:
        UnsupportedError: where a write may have changed it.
    """
    if tracer.memory.lost:
        refuse_lost(tracer, proxy)
    for doubted in doubts(tracer, proxy):
        if any(doubted.of is each for each in (proxy, *behind)):  # two that change places from turn to turn
            raise unsure("x[...] = value", tracer.span())
        if current(tracer, doubted.of, (proxy, *behind)) is not doubted.then:
            doubted.pin([doubted.then])  # if it were a view, what was written since would show
    view = tracer.memory.views.get(id(proxy)) if tracer.memory.views else None
    if view is None or view.proxy is not proxy:
        node: Node = proxy.node
        return node
    parent = current(tracer, view.parent)
    if proxy.node.meta.get("of") is not parent:
        for node in (view.node, *view.others):
            pinned = depends(tracer, node)
            if pinned is not None:  # if it were none, it would not have been written with that
                pinned(node.all_input_nodes)
        if of_number(tracer, view.node):
            numpy_scalars.pin_axes(tracer, view.node.args[0])
        tracer.rebind(proxy, taken(tracer, view, parent))
    found: Node = proxy.node
    return found


def depends(tracer: Tracer, node: Node) -> Callable[[Iterable[Node]], None] | None:
    """What pins that by which a call is a view or none: its operand's dtype or rank, or the key."""
    if casts(tracer, node):  # by its operand's dtype, and that of an array that says it: `x.type_as(w)`
        like = [each for each in node.all_input_nodes if isinstance(each.spec, Spec)]
        return lambda nodes: pin([*nodes, *like])
    if node.op != "placeholder" and declared(tracer, node) == PART:
        return pin_parts
    pins: list[Callable[[Iterable[Node]], None]] = []
    if keyed(node):
        pins.append(lambda _: pin_key(node))
    indexes = tracer.backend.own_numbers and node.target is operator.getitem and not is_part(node)
    if indexes and numpy_scalars.picks(node) and not copies(node):
        pins.append(pin_rank)

    def pinned(nodes: Iterable[Node]) -> None:
        for each in pins:
            each(nodes)

    return pinned if pins else None


def doubts(tracer: Tracer, proxy: Any) -> list[Doubt]:
    """What an array that is no view might be one of."""
    made, found = tracer.memory.doubtful.get(id(proxy), (None, []))
    return found if made is proxy else []


def doubt(tracer: Tracer, made: Any, of: list[Doubt]) -> None:
    """Note what an array might be a view of; it is of its own if that is nothing."""
    if not of:
        return
    made.node.meta["doubtful"] = of[0].pin
    tracer.memory.doubtful[id(made)] = made, of


def hand_on(tracer: Tracer, made: Any, values: Iterable[Any]) -> None:
    """Note of a result of a region that one of these values may be in it."""
    inside = [d for value in values for d in doubts(tracer, value)]
    found = [d for each in inside for d in seen_outside(tracer, each) if tracer.reaches(d.of.node)]
    if found:
        doubt(tracer, made, found)


def seen_outside(tracer: Tracer, inside: Doubt) -> list[Doubt]:
    """A doubt about a part of a row that a loop goes through, as one about that of which it is a row."""
    of = inside.of
    while not tracer.reaches(of.node):
        row, sources = tracer.memory.row_of.get(id(of), (None, ()))
        view = tracer.memory.views.get(id(of))
        if row is of:
            made = (Doubt(source, source.node, inside.pin) for source in sources)
            return [found for each in made for found in seen_outside(tracer, each)]
        if view is None:  # one that is no view itself may be one for all that is known
            further = doubts(tracer, of)
            return [found for each in further for found in seen_outside(tracer, each)] or [inside]
        of = view.parent
    return [inside if of is inside.of else Doubt(of, of.node, inside.pin)]


def taken(tracer: Tracer, view: View, parent: Node) -> Node:
    """The view, taken anew of what its parent is now."""
    made = again(tracer, view.node, view.number, parent)
    made.meta["of"] = parent
    return made


def again(tracer: Tracer, node: Node, number: int, parent: Node) -> Node:
    """A call, or one of its results, with another array wherever the operand of this number is given. Its
    results are taken once.
    """
    if is_part(node):
        call, key = node.args
        known = call, operands(call)[number], parent
        found = tracer.memory.retaken.get(known)
        if found is None or not tracer.reaches(found):
            found = tracer.memory.retaken[known] = again(tracer, call, number, parent)
        args: Any = (found, key)
    else:
        old = operands(node)[number]

        def placed(operand: Node) -> Any:
            return tracer.use(parent if operand is old else operand)

        args = map_arg(node.args, placed)
    made: Node = tracer.graph.create_node(
        node.op, node.target, args, map_arg(node.kwargs, tracer.use), name=node.name
    )
    made.spec, made.place = node.spec, here()
    made.names = ()
    made.meta |= {known: node.meta[known] for known in ("gives", "lined") if known in node.meta}
    made.meta["retaken"] = node.meta.get("retaken", node)
    return made


def root(tracer: Tracer, proxy: Any) -> Any:
    """The proxy of the array that a view is a part of."""
    view = tracer.memory.views.get(id(proxy))
    while view is not None and view.proxy is proxy:
        proxy = view.parent
        view = tracer.memory.views.get(id(proxy))
    return proxy


def operands(node: Node) -> list[Node]:
    """The arrays that a call is given, one for each place."""
    found: list[Node] = []
    map_arg(node.args, lambda operand: found.append(operand) if isinstance(operand.spec, Spec) else None)
    return found


# What may share memory.


def wholes(tracer: Tracer, base: Any) -> Iterator[Any]:
    """An array, and those of which it is a row, or an item, in a loop over them."""
    yield base
    for source in tracer.memory.row_of[id(base)][1] if id(base) in tracer.memory.row_of else ():
        yield from wholes(tracer, root(tracer, source))


def link(tracer: Tracer, made: Any, operands: Iterable[Any]) -> None:
    """Note that an array and others may share memory, and what these might be views of."""
    made.node.meta["linked"] = True
    operands = list(operands)
    if inherited := [doubted for each in operands for doubted in doubts(tracer, each)]:
        doubt(tracer, made, [*doubts(tracer, made), *inherited])
    for each in operands:
        for base in wholes(tracer, root(tracer, each)):
            base.node.meta["linked"] = True
            tie(tracer, made, base)


def tie(tracer: Tracer, made: Any, base: Any) -> None:
    """Note that a write into one array may change the other."""
    for one, other in ((made, base), (base, made)):
        tracer.memory.links.setdefault(id(one), {})[id(other)] = other


def kin(tracer: Tracer, made: Any, origin: Any) -> None:
    """Note that the result of a region may be an array that was there before."""
    for one, other in ((made, origin), (origin, made)):
        tracer.memory.kin.setdefault(id(one), {})[id(other)] = other


def part(tracer: Tracer, made: Any, of: Any) -> None:
    """Note that an array is a copy of another, as that does not lie row by row. Where it is of memory from
    outside, a write pins that; else only one after which the other is used.
    """
    pinned = layout.stay_apart(tracer, of)
    if is_outside(tracer, root(tracer, of)):
        doubt(tracer, made, [Doubt(of, of.node, pinned)])
        return
    link(tracer, made, [of])
    tracer.memory.apart[id(made)] = made, pinned


def kept_apart(tracer: Tracer, one: Any, other: Any) -> bool:
    """Whether of two linked arrays one is a copy of the other, which is then pinned."""
    for made, base in ((one, other), (other, one)):
        known, pinned = tracer.memory.apart.get(id(made), (None, None))
        linked = tracer.memory.links[id(made)] if known is made else {}
        if pinned is not None and id(base) in linked and linked[id(base)] is base:
            pinned([base.node])
            return True
    return False


def is_outside(tracer: Tracer, proxy: Any) -> bool:
    """Whether others may hold an array: an argument, or what comes from outside a graph."""
    held = proxy.node.op in ("placeholder", "get_attr") or isinstance(proxy, Constant)
    return held or any(proxy is argument for argument, _ in tracer.memory.arguments)


def is_linked(tracer: Tracer, proxy: Any) -> bool:
    """Whether another array may share memory with one."""
    return id(root(tracer, proxy)) in tracer.memory.links


def linked(tracer: Tracer, base: Any) -> Iterator[Any]:
    """The arrays that may share memory with one."""
    found = reached([base], lambda each: tracer.memory.links.get(id(each), {}).values(), key=id)
    return (other for other in found if other is not base)


def lose(tracer: Tracer, base: Any, what: str) -> None:
    """See to it that nothing is used any more that may share memory with an array that was written into, and
    that its views are views.

    Raises:
        UnsupportedError: where it cannot be told whether that is used later: it outlives the call, or comes
            from outside of this branch or loop, and is no result of one before. What is made in one is used
            in it, or handed on by it.
    """
    for view in tracer.memory.views.values():
        if view.needs and root(tracer, view.proxy) is base:
            layout.note_order(view.needs)
    near = tracer.memory.kin.get(id(base), {})
    if not near and id(base) not in tracer.memory.links:
        return
    outside = {id(proxy) for proxy, _ in tracer.memory.arguments}
    for other in {**near, **{id(other): other for other in linked(tracer, base)}}.values():
        held = id(other) in outside or other.node.op == "get_attr" or isinstance(other, Constant)
        if not held and not tracer.reaches(other.node):
            continue  # of a region that is over; what that has handed on is linked itself
        held = held or other.node.op == "placeholder"
        if held or other.node.graph is not tracer.graph and "result" not in other.node.meta:
            if kept_apart(tracer, base, other):
                continue
            making.want_all(tracer)
            giving.want(tracer, base.node, other.node)
            raise unsure(what, tracer.span())
        name = base.node.name
        tracer.memory.lost[id(other)] = Lost(other, name, tracer.span(), base)


def refuse_lost(tracer: Tracer, proxy: Any) -> None:
    base = root(tracer, proxy)
    lost = tracer.memory.lost.get(id(base))
    if lost is not None and lost.proxy is base and not kept_apart(tracer, base, lost.by):
        giving.want(tracer, base.node, lost.by.node)
        raise unsure("x[...] = value", lost.span, "; what may share it is used afterwards")


def unsure(what: str, span: Any, more: str = "") -> UnsupportedError:
    return UnsupportedError(
        what,
        why=f"it may share memory with another array, or it may not{more}",
        span=span,
        hint="write into a copy of it",
    )


def shared(tracer: Tracer, what: str, base: Any) -> UnsupportedError | None:
    """The refusal of a write into a part of `base`, where it is known with what it shares memory."""
    _, name = tracer.memory.leaked.get(id(base), (None, None))
    if name is None:
        return None
    if isinstance(name, Remembered):
        return UnsupportedError(
            what,
            why=f"a cache remembers it, and {name} may give it again, as it is by then",
            span=tracer.span(),
            hint=f"write into a copy of what {name} gives",
        )
    return UnsupportedError(
        what,
        why=f"`{name}` has the same memory, or a part of it, and would not see in every turn what is written",
        span=tracer.span(),
        hint=f"let `{name}` have a copy, if it need not see that; or write into a new array",
    )


class Remembered(str):
    """The call of a cached function, where an array is leaked by that."""


def alias(node: Node, operands: Iterable[Any]) -> None:
    """Note that a node and some of its operands may share memory."""
    node.meta["aliased"] = True
    for source in operands:
        if isinstance(source, Node) and isinstance(source.spec, Spec):
            source.meta["aliased"] = True
