"""lax.cond, while_loop, fori_loop and scan of JAX, and what torch calls so: recorded as the
regions that they are.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ....ir.values.tree import children, leaves, rebuilt
from ...objects import pure
from ...place import between
from ...proxy import is_array_proxy, is_proxy
from ...rewrite.runtime import FELL
from ...values import predicate
from ...values.reckoning import number
from ...values.sources import Sources
from ...weak import Weak, array, bare, filled
from ..branch import both
from ..start import Start
from .record import Staged
from .unpacked import item_names, state_names

if TYPE_CHECKING:
    from ...python.hooks import Tracing
    from ...tracer import Tracer


@between
def called(hooks: Tracing, what: str, function: Any, *args: Any) -> Any:
    """What a function gives that control flow calls."""
    return pure.run(hooks.tracer, what, function, lambda: hooks.call_back(function, *args))


def by_name(hooks: Tracing, function: Any) -> None:
    """Let the open graph of a region be called as its function is, if that has a name."""
    name = getattr(function, "__name__", "")
    if inspect.isfunction(function) and name.isidentifier():  # not a lambda
        hooks.tracer.graph.meta["called"] = name


def cond(hooks: Tracing, pred: Any, true_fun: Any, false_fun: Any, *operands: Any, **options: Any) -> Any:
    if "operand" in options:
        operands = (options["operand"],)
    pred, operands = bare(pred), tuple(handed(hooks, operand) for operand in operands)

    def way(function: Any) -> Callable[[], Any]:
        def taken() -> Any:
            by_name(hooks, function)
            return FELL, (arrays(hooks, called(hooks, "cond", function, *operands)),)

        return taken

    if not predicate.is_open(hooks.tracer, pred):
        taken = true_fun if hooks.truth(pred) else false_fun
        return handed(hooks, called(hooks, "cond", taken, *operands))
    _, (result,) = both(hooks, pred, (way(true_fun), way(false_fun)), ("result",), "expression")
    return result


def while_loop(hooks: Tracing, cond_fun: Any, body_fun: Any, init_val: Any) -> Any:
    def turn(state: Any) -> Any:
        return arrays(hooks, called(hooks, "while_loop", body_fun, state))

    asked: set[Any] = set()

    def body(state: Any) -> Any:
        by_name(hooks, body_fun)
        return FELL, (turn(state),)

    def test(state: Any) -> Any:
        by_name(hooks, cond_fun)
        found = bare(called(hooks, "while_loop", cond_fun, state))
        asked.update(hooks.tracer.scopes[-1].captures)
        return found

    init, own = carried(hooks, init_val, turn)
    names = [named(body_fun, 0, "state")]
    staged = Staged(hooks, names, [init], test, body, None, False)
    staged.spoken = state_names(body_fun, names[0], init, cond_fun)
    (result,) = staged.record()
    return filled(result, lambda leaf: leaf if leaf.node in asked else own(leaf))


def fori_loop(hooks: Tracing, lower: Any, upper: Any, body_fun: Any, init_val: Any, **options: Any) -> Any:
    tracer = hooks.tracer
    lower, upper = map(bare, (lower, upper))
    counter = counting(tracer, lower, upper)
    lower, upper = (number(tracer, b, int) if is_array_proxy(b) else b for b in (lower, upper))

    def turn(i: Any, state: Any) -> Any:
        return arrays(hooks, called(hooks, "fori_loop", body_fun, i, state))

    def body(i: Any, state: Any) -> Any:
        by_name(hooks, body_fun)
        return FELL, (turn(i, state),)

    sources = Sources(tracer, ((lower, upper, 1),), counter)
    init, own = carried(hooks, init_val, lambda state: turn(counter(lower), state))
    names = [named(body_fun, 1, "state")]
    staged = Staged(hooks, names, [init], None, body, sources, False)
    staged.items, staged.kind = (named(body_fun, 0, "i"),), "call"
    staged.spoken = state_names(body_fun, names[0], init)
    (result,) = staged.record()
    return filled(result, own)


def counting(tracer: Tracer, lower: Any, upper: Any) -> Callable[[Any], Any]:
    """What the body of a loop gets for a number that it counts: an array of the dtype of Python's ints,
    unless the bounds have another.
    """
    if tracer.stack.compiled:
        dtypes = [tracer.dtype(b.node) for b in (lower, upper) if is_array_proxy(b)]
        other = next((dtype for dtype in dtypes if dtype != tracer.backend.default_int), None)
        if other is not None:
            return lambda i: tracer.framework.number(tracer, i, other)
    return lambda i: Weak(tracer, i)


def scan(
    hooks: Tracing,
    f: Any,
    init: Any,
    xs: Any = None,
    length: Any = None,
    reverse: bool = False,
    **options: Any,
) -> Any:
    xs = turned_round(hooks, xs) if reverse else arrays(hooks, xs)
    each: tuple[Any, ...] = tuple(leaf for leaf in leaves(xs) if is_proxy(leaf)) or ((0, bare(length), 1),)
    collected: list[Any] = []
    last: list[Any] = []

    def body(item: Any, state: Any) -> Any:
        by_name(hooks, f)
        carry, y = called(hooks, "scan", f, state, item)
        y = arrays(hooks, y)
        last[:] = leaves(y)
        if y is not None:
            collected.append(y)
        return FELL, (arrays(hooks, carry),)

    def form(*items: Any) -> Any:
        supply = iter(items)
        return None if xs is None else filled(xs, lambda _: next(supply))

    def turn(state: Any) -> Any:
        record = hooks.tracer.record
        first = (record(operator.getitem, (a, 0)) if is_proxy(a) else 0 for a in each)
        return arrays(hooks, called(hooks, "scan", f, state, form(*first))[0])

    sources = Sources(hooks.tracer, each, form)
    begun, own = carried(hooks, init, turn)
    names, row = [named(f, 0, "carry")], named(f, 1, "row")
    staged = Staged(hooks, names, [begun], None, body, sources, False)
    staged.spoken, staged.kind = state_names(f, names[0], begun), "call"
    staged.scan = "backward" if reverse else "forward"
    staged.items = item_names(f, row, xs) or ((row,) if len(each) == 1 else ())
    staged.containers = [collected]
    (carry,) = staged.record()
    ys = collected[0].items[0] if collected else None
    for stacked, y in zip(leaves(ys), last):
        if is_array_proxy(stacked) and is_array_proxy(y) and y.node.form == "weak":
            stacked.node.form = "weak"
    return filled(carry, own), turned_round(hooks, ys) if reverse else ys


def turned_round(hooks: Tracing, tree: Any) -> Any:
    """Arrays in containers with their rows in reverse order."""
    back = slice(None, None, -1)
    return filled(arrays(hooks, tree), lambda leaf: hooks.tracer.record(operator.getitem, (leaf, back)))


def carried(hooks: Tracing, init: Any, turn: Callable[[Any], Any]) -> tuple[Any, Callable[[Any], Any]]:
    """What a loop begins with, Python's numbers as arrays. JAX gives them the dtype in which a turn leaves
    them; a turn is tried for it, and forgotten.

    Returns:
        It, and what becomes of each array in it that no turn changes: JAX gives Python's numbers back then.
    """
    given, tracer = {id(leaf) for leaf in leaves(init)}, hooks.tracer
    init = handed(hooks, init)
    begun = arrays(hooks, init)
    if not tracer.backend.weak or not any(type(leaf) is Weak for leaf in leaves(init)):
        return begun, lambda leaf: leaf
    with Start(tracer, turn, init) as start:
        try:
            dtypes = [leaf.node.spec.dtype if is_array_proxy(leaf) else None for leaf in leaves(turn(begun))]
        finally:
            start.back()
    if len(dtypes) == len(list(leaves(init))):
        begun = typed(hooks, init, begun, iter(dtypes))
    own = {}
    for leaf, made in zip(leaves(init), leaves(begun)):
        if type(leaf) is Weak:
            made.node.meta["begins"] = True  # a loop, with the dtype of what a turn makes of it
            made.node.names = ()  # those of the statement are of what the loop gives
            own[id(made)] = leaf if id(leaf) in given else leaf.number
    return begun, lambda leaf: own.get(id(leaf), leaf)


def typed(hooks: Tracing, init: Any, begun: Any, dtypes: Iterator[Any]) -> Any:
    """The numbers among what a loop begins with as arrays of these dtypes."""
    items = children(init)
    if items is not None:
        own = dict(children(begun) or ())
        return rebuilt(begun, {key: typed(hooks, item, own[key], dtypes) for key, item in items})
    dtype, value = next(dtypes), bare(init)
    if type(init) is not Weak or dtype is None or begun.node.spec.dtype == dtype:
        return begun
    if isinstance(value, int) and not is_proxy(value) and dtype.is_integer:  # JAX lets it wrap round
        value = int(np.array(value).astype(dtype.name))
    return hooks.tracer.framework.number(hooks.tracer, value, dtype)


def handed(hooks: Tracing, value: Any) -> Any:
    """Nested values as JAX hands them on, see tracer/regions/trees.py."""
    return hooks.tracer.framework.handed(hooks.tracer, value)


def arrays(hooks: Tracing, value: Any) -> Any:
    """Likewise what regions take and give: weak arrays are none there that count as numbers."""
    return filled(handed(hooks, value), array)


def named(function: Any, place: int, otherwise: str) -> str:
    """What the user calls a parameter of a function."""
    try:
        return list(inspect.signature(function).parameters)[place]
    except (TypeError, ValueError, IndexError):
        return otherwise


def torch_cond(hooks: Tracing, pred: Any, true_fn: Any, false_fn: Any, operands: Any = ()) -> Any:
    return cond(hooks, pred, true_fn, false_fn, *operands)


def torch_while_loop(hooks: Tracing, cond_fn: Any, body_fn: Any, carried_inputs: Any) -> Any:
    """torch passes the values of the state one by one."""

    def test(*state: Any) -> Any:
        return called(hooks, "while_loop", cond_fn, *state)

    def body(*state: Any) -> Any:
        return FELL, tuple(called(hooks, "while_loop", body_fn, *state))

    init = list(carried_inputs)
    names = [named(body_fn, i, "state") for i in range(len(init))]
    return tuple(Staged(hooks, names, init, test, body, None, False).record())


def torch_scan(
    hooks: Tracing, combine_fn: Any, init: Any, xs: Any, *, dim: int = 0, reverse: bool = False
) -> Any:
    if dim != 0:
        raise hooks.tracer.error("a scan along another axis than the first is not read", "move the axis")
    return scan(hooks, combine_fn, init, xs, reverse=reverse)


CONTROL = {"cond": cond, "while_loop": while_loop, "fori_loop": fori_loop, "scan": scan}
TORCH = {"cond": torch_cond, "while_loop": torch_while_loop, "scan": torch_scan}
