"""Lenses: named pairs of functions between our form of a parameter and a framework's. `back(to(v)) == v` for
every v.

    last_first(pairs)     ((1, 1), (0, 2)) <-> (0, 2, 1, 1): torch's pad lists the last axis first, flat
    uniform(stride)       (2, 2) -> 2: where all axes agree torch takes one number
    sides(padding)        ((1, 1), (2, 2)) -> (1, 2), ((1, 1), (1, 1)) -> 1; `symmetric` says no to others
    xla_padding(padding)  "same" -> "SAME", ((0, 0), (0, 0)) -> "VALID"
    each2(window)         (2, 2) <-> 2: torch takes one number for both axes; each1, each3 of other ranks
    edges2(padding)       ((1, 1), (2, 2)) <-> (1, 2), ((1, 1), (1, 1)) <-> 1, likewise
    unless_one(dilation)  (1, 1) -> None: JAX's default
    paired(axes)          (1, 0) -> ((1,), (0,)): torch wants tuples
    trailing(pairs)       the same without pairs of zeros in front: only written, as the axes are not counted
    inner(pairs)          the same for the other modes, which torch has for all axes but the first one or two
    listed(values)        (1, 2) <-> [1, 2]
    written(k)            k, of a call that is another op where it is read
    dims(axis)            None <-> None, (): most reductions of torch take no dims at all for all of them
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class NotExpressible(Exception):
    """The value has no counterpart on the other side; the phrase does not fit."""


@dataclass(frozen=True, slots=True)
class Lens:
    name: str
    to: Callable[[Any], Any]
    back: Callable[[Any], Any]


LENSES: dict[str, Lens] = {}


def lens(name: str, to: Callable[[Any], Any], back: Callable[[Any], Any]) -> None:
    """Declare a lens that phrases may name."""
    LENSES[name] = Lens(name, to, back)


def _flat(pairs: Any) -> tuple[Any, ...]:
    return tuple(end for pair in reversed(pairs) for end in pair)


def _pairs(flat: Any) -> tuple[Any, ...]:
    if not isinstance(flat, (tuple, list)) or len(flat) % 2:
        raise NotExpressible("an even number of entries")
    return tuple((flat[i], flat[i + 1]) for i in range(len(flat) - 2, -1, -2))


def _one(value: Any) -> Any:
    if isinstance(value, tuple) and len(value) == 1:
        return value[0]
    raise NotExpressible("one entry")


def _negated(value: Any) -> Any:
    if not isinstance(value, bool):
        raise NotExpressible("a bool")
    return not value


def _dims(axis: Any) -> Any:
    if axis == ():
        raise NotExpressible("an axis")
    return axis


def _trailing(pairs: Any) -> tuple[Any, ...]:
    first = next((i for i, pair in enumerate(pairs[:-1]) if tuple(pair) != (0, 0)), len(pairs) - 1)
    return _flat(pairs[first:])


def _inner(pairs: Any) -> tuple[Any, ...]:
    count = max(len(_trailing(pairs)) // 2, len(pairs) - 2)
    if not 1 <= count < len(pairs) or count > 3:
        raise NotExpressible("widths of the last axes only")
    return _flat(pairs[-count:])


def _only_written(value: Any) -> Any:
    raise NotExpressible("read by hand")


def _listed(values: Any) -> Any:
    if not isinstance(values, (tuple, list)):
        raise NotExpressible("a list")
    return tuple(values)


def _uniform(values: Any) -> Any:
    return values[0] if isinstance(values, tuple) and all(v == values[0] for v in values) else values


def _sides(padding: Any) -> Any:
    if isinstance(padding, tuple) and all(low == high for low, high in padding):
        return _uniform(tuple(low for low, _ in padding))
    return padding


def _symmetric(padding: Any) -> Any:
    sides = _sides(padding)
    if sides == "same" or isinstance(sides, tuple) and isinstance(sides[0], tuple):
        raise NotExpressible("as wide on both sides")
    return sides


def _xla_padding(padding: Any) -> Any:
    return {"same": "SAME", 0: "VALID"}.get(_sides(padding), padding)


def _unless_one(values: Any) -> Any:
    return None if all(v == 1 for v in values) else values


def _paired(axes: Any) -> Any:
    if not isinstance(axes, tuple):
        return axes
    return tuple(axis if isinstance(axis, tuple) else (axis,) for axis in axes)


def _each(count: int) -> Callable[[Any], Any]:
    """What one number, or one for each of so many axes, is as a tuple; nothing stays nothing."""

    def back(values: Any) -> Any:
        if values is None or isinstance(values, (tuple, list)) and not values:
            return None
        found = tuple(values) if isinstance(values, (tuple, list)) else (values,)
        if len(found) not in (1, count):
            raise NotExpressible(f"one number, or {count}")
        return found * (count // len(found))

    return back


def _edges(count: int) -> Callable[[Any], Any]:
    return lambda padding: tuple((side, side) for side in _each(count)(padding) or ())


for _count in (1, 2, 3):
    lens(f"each{_count}", _uniform, _each(_count))
    lens(f"edges{_count}", _symmetric, _edges(_count))
lens("last_first", _flat, _pairs)
lens("trailing", _trailing, _only_written)
lens("inner", _inner, _only_written)
lens("listed", list, _listed)
lens("uniform", _uniform, _only_written)
lens("sides", _sides, _only_written)
lens("symmetric", _symmetric, _only_written)
lens("xla_padding", _xla_padding, _only_written)
lens("written", lambda value: value, _only_written)
lens("paired", _paired, _only_written)
lens("unless_one", _unless_one, _only_written)
lens("dims", _dims, lambda dims: None if dims in ((), []) else dims)
lens("only", _one, lambda value: (value,))
lens("inverted", _negated, _negated)
