"""lax.cond, while_loop, fori_loop and scan of JAX, and what torch calls so: recorded as the
regions that they are.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...ir.tree import children, leaves, rebuilt
from ..proxy import is_array_proxy, is_proxy, isinstance_scalar
from ..reckoning import number
from ..rewrite.runtime import FELL
from . import heap, predicate
from .cond import both
from .sources import Sources
from .staged import Staged


def cond(hooks: Any, pred: Any, true_fun: Any, false_fun: Any, *operands: Any, **options: Any) -> Any:
    if "operand" in options:
        operands = (options["operand"],)
    def way(function: Any) -> Callable[[], Any]:
        return lambda: (FELL, (arrays(hooks, hooks.call(function, *operands)),))

    if not predicate.is_open(hooks.tracer, pred):
        return hooks.call(true_fun if hooks.truth(pred) else false_fun, *operands)
    _, (result,) = both(hooks, pred, (way(true_fun), way(false_fun)), ("result",), "expression")
    return result


def while_loop(hooks: Any, cond_fun: Any, body_fun: Any, init_val: Any) -> Any:
    def body(state: Any) -> Any:
        return FELL, (hooks.call(body_fun, state),)

    def test(state: Any) -> Any:
        return hooks.call(cond_fun, state)

    init = carried(hooks, init_val, lambda state: hooks.call(body_fun, state))
    (result,) = Staged(hooks, [named(body_fun, 0, "state")], [init], test, body, None, False).record()
    return result


def fori_loop(hooks: Any, lower: Any, upper: Any, body_fun: Any, init_val: Any, **options: Any) -> Any:
    lower, upper = (number(hooks.tracer, b, int) if is_array_proxy(b) else b for b in (lower, upper))

    def body(i: Any, state: Any) -> Any:
        return FELL, (hooks.call(body_fun, i, state),)

    sources = Sources(hooks.tracer, ((lower, upper, 1),), lambda i: i)
    init = carried(hooks, init_val, lambda state: hooks.call(body_fun, lower, state))
    staged = Staged(hooks, [named(body_fun, 1, "state")], [init], None, body, sources, False)
    staged.items = (named(body_fun, 0, "i"),)
    (result,) = staged.record()
    return result


def scan(
    hooks: Any, f: Any, init: Any, xs: Any = None, length: Any = None, reverse: bool = False, **options: Any
) -> Any:
    if reverse:
        raise hooks.tracer.error("a scan in reverse is not read yet", "scan over xs[::-1]")
    each: tuple[Any, ...] = tuple(leaf for leaf in leaves(xs) if is_proxy(leaf)) or ((0, length, 1),)
    collected: list[Any] = []
    last: list[Any] = []

    def body(item: Any, state: Any) -> Any:
        carry, y = hooks.call(f, state, item)
        last[:] = leaves(y)
        if y is not None:
            collected.append(y)
        return FELL, (carry,)

    def form(*items: Any) -> Any:
        return None if xs is None else filled(xs, iter(items))

    def turn(state: Any) -> Any:
        record = hooks.tracer.record
        first = (record(operator.getitem, (a, 0)) if is_proxy(a) else 0 for a in each)
        return hooks.call(f, state, form(*first))[0]

    sources = Sources(hooks.tracer, each, form)
    begun = carried(hooks, init, turn)
    staged = Staged(hooks, [named(f, 0, "carry")], [begun], None, body, sources, False)
    staged.items = (named(f, 1, "row"),) if len(each) == 1 else ()
    staged.containers = [collected]
    (carry,) = staged.record()
    ys = collected[0].items[0] if collected else None
    for stacked, y in zip(leaves(ys), last):
        if is_array_proxy(stacked) and is_array_proxy(y) and y.node.meta.get("form") == "weak":
            stacked.node.meta["form"] = "weak"
    return carry, ys


def carried(hooks: Any, init: Any, turn: Callable[[Any], Any]) -> Any:
    """What a loop begins with, Python's numbers as arrays. JAX gives them the dtype in which a turn leaves
    them; a turn is tried for it, and forgotten.
    """
    begun, tracer = arrays(hooks, init), hooks.tracer
    if tracer.framework.name != "jax" or all(map(is_array_proxy, leaves(init))):
        return begun
    mark, reach = tracer.mark(), heap.in_reach(tracer)
    try:
        dtypes = [leaf.node.spec.dtype if is_array_proxy(leaf) else None for leaf in leaves(turn(begun))]
    finally:
        reach.restore()
        tracer.rollback(mark)
    if len(dtypes) == len(list(leaves(init))):
        begun = typed(hooks, init, begun, iter(dtypes))
    given = {id(leaf) for leaf in leaves(init)}
    for leaf in leaves(begun):
        if is_array_proxy(leaf) and id(leaf) not in given:
            leaf.node.meta["begins"] = True  # a loop, with the dtype of what a turn makes of it
    return begun


def typed(hooks: Any, init: Any, begun: Any, dtypes: Iterator[Any]) -> Any:
    """The numbers among what a loop begins with as arrays of these dtypes."""
    items = children(init)
    if items is not None:
        own = dict(children(begun) or ())
        return rebuilt(begun, {key: typed(hooks, item, own[key], dtypes) for key, item in items})
    dtype = next(dtypes)
    if is_array_proxy(init) or dtype is None or not is_array_proxy(begun) or begun.node.spec.dtype == dtype:
        return begun
    if isinstance(init, int) and dtype.is_integer:  # JAX lets it wrap round
        init = int(np.array(init).astype(dtype.name))
    return hooks.tracer.framework.number(hooks.tracer, init, dtype)


def arrays(hooks: Any, value: Any) -> Any:
    """Python's numbers among nested values as arrays, which is what JAX makes of them."""
    items = children(value)
    if items is not None:
        return rebuilt(value, {key: arrays(hooks, item) for key, item in items})
    framework = hooks.tracer.framework
    number = isinstance_scalar(value) or not is_proxy(value) and isinstance(value, (int, float, complex))
    if framework.name != "jax" or not number or framework.is_array(value):
        return value
    return framework.number(hooks.tracer, value)


def named(function: Any, place: int, otherwise: str) -> str:
    """What the user calls a parameter of a function."""
    try:
        return list(inspect.signature(function).parameters)[place]
    except (TypeError, ValueError, IndexError):
        return otherwise


def filled(value: Any, items: Any) -> Any:
    found = children(value)
    if found is None:
        return next(items) if is_proxy(value) else value
    return rebuilt(value, {k: filled(v, items) for k, v in found})


def torch_cond(hooks: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any = ()) -> Any:
    return cond(hooks, pred, true_fn, false_fn, *operands)


def torch_while_loop(hooks: Any, cond_fn: Any, body_fn: Any, carried_inputs: Any) -> Any:
    """torch passes the values of the state one by one."""

    def test(*state: Any) -> Any:
        return hooks.call(cond_fn, *state)

    def body(*state: Any) -> Any:
        return FELL, tuple(hooks.call(body_fn, *state))

    init = list(carried_inputs)
    names = [named(body_fn, i, "state") for i in range(len(init))]
    return tuple(Staged(hooks, names, init, test, body, None, False).record())


def torch_scan(
    hooks: Any, combine_fn: Any, init: Any, xs: Any, *, dim: int = 0, reverse: bool = False
) -> Any:
    if dim != 0:
        raise hooks.tracer.error("a scan along another axis than the first is not read", "move the axis")
    return scan(hooks, combine_fn, init, xs, reverse=reverse)


CONTROL = {"cond": cond, "while_loop": while_loop, "fori_loop": fori_loop, "scan": scan}
TORCH = {"cond": torch_cond, "while_loop": torch_while_loop, "scan": torch_scan}
