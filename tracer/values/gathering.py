"""Python's own functions that go through all items: max, min, any and all of a generator or a list that holds
recorded values.
"""

from __future__ import annotations

import builtins
import functools
import gc
import operator
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.regions import Function, Region, graphs, guard, prints, raises
from ...ir.values.tree import leaves
from ..objects import heap
from ..objects.opaque import is_iterator
from ..objects.unseen import may_work_unseen
from ..plain import exactly
from ..proxy import is_array_proxy, is_proxy, isinstance_scalar
from . import list_rows, predicate
from .advancing import Since
from .reckoning import number
from .sources import Sources
from .streams import Stream

if TYPE_CHECKING:
    from ..python.hooks import Tracing
    from ..tracer import Tracer

ITERATORS = (types.GeneratorType, map, zip, filter, enumerate, Sources, Stream)
CONTAINERS: tuple[Any, ...] = (list, tuple, set, frozenset, type({}.values()))
EXTREMES = (builtins.max, builtins.min)
TRUTHS = (builtins.any, builtins.all)
#: So many truths are joined by `or` and `and`, more are stacked.
FEW = 3


def is_pythons(value: Any) -> bool:
    """Whether a value is a number of Python's own, recorded or not."""
    return isinstance_scalar(value) or not is_proxy(value) and isinstance(value, (int, float))


def concerned(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call goes through items some of which may be recorded values."""
    if f is not builtins.sorted and not any(f is each for each in (*EXTREMES, *TRUTHS)):
        return False
    if len(args) > 1 and "key" not in kwargs:
        return False
    value = args[0] if len(args) == 1 else args
    if kwargs.get("key") is not None and isinstance(value, (range, *CONTAINERS)):
        return True
    if isinstance(value, CONTAINERS):
        return any(is_proxy(leaf) for item in value for leaf in leaves(item)) or list_rows.holds(value)
    return isinstance(value, ITERATORS) or is_array_proxy(value)


def gathered(hooks: Tracing, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `f(*args, **kwargs)` gives."""
    value: Any = args[0] if len(args) == 1 else args
    hooks.hands(*args)
    if f is builtins.sorted:
        return in_order(hooks, list(list_rows.spread(hooks.tracer, value)), **kwargs)
    if f in EXTREMES:
        return extreme(hooks, f, list(list_rows.spread(hooks.tracer, value)), **kwargs)
    if is_array_proxy(value) and value.node.spec.rank == 1:
        return number(hooks.tracer, hooks.call(hooks.getattr_(value, f.__name__)), bool)
    return truth(hooks, f is builtins.any, value)


# The greatest and the least.


def extreme(hooks: Tracing, f: Callable[..., Any], items: list[Any], key: Any = None, **default: Any) -> Any:
    """One item after the other is held against what was best so far, as Python does."""
    keys = items if key is None else [hooks.call(key, item) for item in items]
    if not any(map(is_proxy, keys)):
        places = list(range(len(items)))
        return items[f(places, key=keys.__getitem__)] if items else exactly(f, (), **default)
    if key is None and all(map(is_pythons, items)):
        return functools.reduce(partial(hooks.tracer.scalar, f), items)
    greater = f is builtins.max
    best, _ = functools.reduce(partial(further, hooks, greater), zip(items, keys))
    return best


def in_order(hooks: Tracing, items: list[Any], key: Any = None, reverse: bool = False) -> list[Any]:
    """The items as Python sorts them.

    Raises:
        UnsupportedError: where only the running program knows their order.
    """
    keys = items if key is None else [hooks.call(key, item) for item in items]
    if any(predicate.is_open(hooks.tracer, k) and not predicate.can_settle(k) for k in keys):
        library = f"{hooks.tracer.backend.functions[0]}."
        raise UnsupportedError(
            "sorted() by the values of an array",
            why="their order is known only when the program runs",
            span=hooks.tracer.span(),
            hint=f"{library}sort(x) sorts an array, and {library}argsort(x) says in which order it does",
        )
    return [items[i] for i in exactly(sorted, range(len(items)), key=keys.__getitem__, reverse=reverse)]


def further(hooks: Tracing, greater: bool, best: Any, other: Any) -> Any:
    """The item, with its key, that goes on as the best."""
    (item, key), (old, reached) = other, best
    beats = hooks.compare("gt" if greater else "lt", key, reached)
    if is_proxy(beats):
        beats.node.names = ()  # the statement's name is that of the result
    if item is key and old is reached:
        found = hooks.ifexp(beats, lambda: item, lambda: old)
        return found, found
    return hooks.ifexp(beats, lambda: (item, key), lambda: (old, reached))


# Whether any of them is true, or all are.


def truth(hooks: Tracing, wanted: bool, items: Iterable[Any]) -> Any:
    """Python stops at the first item that is `wanted`. Those behind one that it cannot tell of are asked
    all the same, which only shows where that does something.

    Raises:
        UnsupportedError: where it does.
    """
    tracer = hooks.tracer
    found: list[Any] = []
    before: Any = None
    shared = is_held(tracer, items)
    for item in list_rows.spread(tracer, items):
        if predicate.is_open(tracer, item):
            found.append(predicate.as_truth(tracer, item))
        elif hooks.truth(item) is wanted:
            found = [wanted]
            break
        if found and before is None:
            before = moment(tracer, items)
            heap.wake(tracer)  # C goes on with them, unseen
    if before is not None and (shared or acted(tracer, before)):
        what = "an iterator that others have" if shared else "items that print or change something"
        raise UnsupportedError(
            f"{'any' if wanted else 'all'}() of {what}",
            why="Python would stop where the answer is clear, which only the running program knows",
            span=tracer.span(),
            hint="make a list of the items first" if shared else "write it as a loop",
        )
    if not found:
        return not wanted
    if len(found) > FEW and all(map(is_array_proxy, found)):
        stacked = hooks.call(tracer.framework.stacks, found)
        joined = hooks.call(hooks.getattr_(stacked, "any" if wanted else "all"))
    else:
        first, *rest = found
        joined = (hooks.any_ if wanted else hooks.all_)(first, *(partial(itself, t) for t in rest))
    return number(tracer, joined, bool) if is_array_proxy(joined) else joined


def is_held(tracer: Tracer, items: Any) -> bool:
    """Whether somebody else may ask one of the iterators for more that give these items."""
    mine = {id(each) for each in iterators(items)}
    return bool(mine) and not mine.isdisjoint(heap.in_reach(tracer).met)


def iterators(value: Any) -> Iterator[Any]:
    """An iterator, and those from which it takes its items."""
    if is_iterator(value):
        yield value
        frame = value.gi_frame if isinstance(value, types.GeneratorType) else None
        for each in (*(frame.f_locals.values() if frame is not None else ()), *gc.get_referents(value)):
            yield from iterators(each)
    elif type(value) in (tuple, list):
        yield from chain.from_iterable(map(iterators, value))


def itself(value: Any) -> Any:
    return value


def moment(tracer: Tracer, *runs: Any) -> tuple[Since, int, Any]:
    """What `acted` needs to know of this moment. `runs`: what runs since, and no variable may hold."""
    before = heap.Later(tracer, sys._getframe(1), [("given", each) for each in runs])
    if may_work_unseen(runs):
        heap.wake(tracer)
    return Since.begins(tracer, before), len(tracer.memory.log), tracer.graph.latest


def acted(tracer: Tracer, since: tuple[Since, int, Any]) -> bool:
    """Whether the program printed or changed something since a moment, that was there by then."""
    before, log, latest = since
    return wrote(tracer, log, latest) or effects(tracer, latest) or before.has_changed()


def wrote(tracer: Tracer, log: int, since: Any) -> bool:
    """Whether an array was written into that is older than what follows a node."""
    if len(tracer.memory.log) == log:
        return False
    made = {node for node in after(tracer, since)}
    first: dict[int, Any] = {}
    for proxy, old in tracer.memory.log[log:]:
        first.setdefault(id(proxy), old)
    return any(old not in made for old in first.values())


def after(tracer: Tracer, since: Any) -> Iterator[Any]:
    """The nodes of the open graph that follow one of them, the last first."""
    node = tracer.graph.latest
    while node is not since and node.op != "root":
        yield node
        node = node.prev


def effects(tracer: Tracer, since: Any) -> bool:
    """Whether something was printed since a node, or may have been raised."""
    return any(map(is_effect, after(tracer, since)))


def is_effect(node: Any) -> bool:
    """Whether a node does anything but write into arrays, which the log of these has."""
    if isinstance(node.target, Region):
        return any(prints(graph) or raises(graph) for graph in graphs(node))
    if isinstance(node.target, Function):
        return prints(node.target.graph) or raises(node.target.graph)
    return node.is_impure() and node.target not in (guard, operator.setitem)
