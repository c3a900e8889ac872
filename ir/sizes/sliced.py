"""Sliced: how many items of an axis a slice takes.

Law: where the length says no more of what it is one (`x[len(x) - 4:]` has 4 rows as long as x has as many),
and that is not so for all sizes, it is a size of its own, `len(range(n)[n - 4:])`. So nobody can take it for
the 4 of the example without a look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .dim import APPLY, COMPARISONS, REDUCE, Dim, Sym, alone, compare, compound, hint_of, maximum, minimum
from .extent import first, replaced
from .local import is_local

Holds = Callable[[str, Dim, Dim], bool]
#: Sizes, and what they are as long as a slice is as in the example.
Facts = list[tuple[Any, Any]]


def decided(op: str, left: Dim, right: Dim) -> bool:
    """Whether `left op right` holds for all values.

    Raises:
        TypeError: where that depends on them.
    """
    answer = compare(op, left, right)
    if answer is None:
        raise TypeError(f"{left} {op} {right} is decided only when the program runs")
    return answer


def ceildiv(a: Dim, b: Dim) -> Dim:
    """a / b rounded up; a symbolic b is taken to be positive."""
    if type(b) is int and b == 1:
        return a
    if isinstance(a, int) and isinstance(b, int):
        return -(-a // b)
    return (a + b - 1) // b


def slicelen(
    n: Dim, start: Dim | None = None, stop: Dim | None = None, step: int | None = None, holds: Holds = decided
) -> Dim:
    """How many of `n` items the slice start:stop:step takes.

    Raises:
        TypeError: where `step` is symbolic. ValueError: where it is 0.
    """
    if step is None:
        step = 1
    if not isinstance(step, int):
        raise TypeError("the step of a slice must be a known int")
    if isinstance(n, int) and not isinstance(start, Sym) and not isinstance(stop, Sym):
        return len(range(*slice(start, stop, step).indices(n)))
    if step == 0:
        raise ValueError("the step of a slice cannot be zero")
    length = plainly(n, start, stop, step, holds)
    guessed = isinstance(length, int) or any(map(is_open, (start, stop)))
    if guessed and length != certainly(n, start, stop, step):
        return of_its_own(n, start, stop, step)
    return length


def is_open(bound: Dim | None) -> bool:
    """Whether a bound is counted from the front in one turn of a loop and from behind in another, which
    nobody can check.
    """
    return bound is not None and is_local(bound) and compare("<", bound, 0) is None


def plainly(n: Dim, start: Dim | None, stop: Dim | None, step: int, holds: Holds) -> Dim:
    """The length as a polynomial of the sizes, by what `holds` says of them."""
    found = _forward(n, start, stop, holds) if step > 0 else _backward(n, start, stop, holds)
    return ceildiv(found, abs(step))


def certainly(n: Dim, start: Dim | None, stop: Dim | None, step: int) -> Dim | None:
    """The length for all values; None where there is no such."""
    try:
        return plainly(n, start, stop, step, decided)
    except TypeError:
        return None


def of_its_own(n: Dim, start: Dim | None, stop: Dim | None, step: int) -> Dim:
    """The length as an expression that does not say how long it is."""
    words = ":".join("" if part is None else str(part) for part in (start, stop))
    text = f"len(range({n})[{words}{'' if step == 1 else f':{step}'}])"
    first = (0 if step > 0 else n - 1) if start is None else start
    end = (n if step > 0 else -n - 1) if stop is None else stop
    return compound("slicelen", (n, first, end, step), counted, text)


def counted(n: int, start: int, stop: int, step: int) -> int:
    """How many items a slice takes, of known sizes."""
    return len(range(n)[start:stop:step])


def again(n: Dim, start: Dim, stop: Dim, step: int) -> Dim:
    """The length where some of its names have values."""
    if any(isinstance(part, Sym) for part in (n, start, stop)):
        return of_its_own(n, start, stop, step)
    return counted(n, start, stop, step)  # type: ignore[arg-type]


APPLY["slicelen"] = REDUCE["slicelen"] = again


def as_in_the_example(parts: Sequence[Any], found: Facts) -> Dim:
    """The length, of these parts, as a polynomial, as if the slice lay in the axis as it does in the example;
    `found` takes up that it does.
    """

    def holds(op: str, left: Dim, right: Dim) -> bool:
        known = compare(op, left, right)
        if known is None:
            here, there = hint_of(left), hint_of(right)
            known = True if here is None or there is None else COMPARISONS[op](here, there)
            less, more = (left, right) if known else (right, left)
            found.append((maximum(less - more + ((op == "<") == known), 0), 0))
        return known

    n, start, stop, step = parts
    return plainly(n, start, stop, step, holds)


def one_in_every_turn(size: Dim) -> Facts | None:
    """What makes a slice of one item have it, whatever a loop counts to: `x[:, t : t + 1]` where x has as
    many columns as there are turns. None where nothing that is known before the loop says so.
    """
    if not isinstance(size, Sym):
        return None
    for atom in size.factors:
        slope, rest = size.split(atom)
        if atom.op == "min" and slope == 1:
            lengths = [part + rest for part in atom.parts]
            least = [at_least(length) for length in lengths if length != 1]
            if len(least) == len(lengths) or None in least:
                return None
            return [(maximum(1 - length, 0), 0) for length in least if length is not None]
    return None


def at_least(size: Dim) -> Dim | None:
    """The smallest that a size is in any turn of the loops that decide it."""
    while isinstance(size, Sym) and is_local(size):
        counted = first([atom for atom in size.factors if is_local(alone(atom))])
        least: Dim | None = None if counted is None else replaced(size, counted, upper=False)
        if least is None:
            return None
        size = least
    return size


def surely(holds: Holds, left: Dim, right: Dim) -> bool:
    """Whether left <= right, for all values or as `holds` judges; not where only the running program
    knows.
    """
    try:
        return holds("<=", left, right)
    except TypeError:
        return False


def _forward(n: Dim, start: Dim | None, stop: Dim | None, holds: Holds) -> Dim:
    if start is None:
        start = 0
    elif holds("<", start, 0):
        if stop is None:
            return minimum(n, -start)
        start = maximum(n + start, 0)
    if stop is None:
        end, surely_positive = n, start == 0
    elif holds("<", stop, 0):
        end, surely_positive = n + stop, False
    else:
        whole = compare("<=", n, stop) if is_local(n - stop) else surely(holds, n, stop)
        end, surely_positive = n if whole else minimum(n, stop), start == 0
    # Where the example says that the slice is not empty, the length is the plain difference: max(max(n - 1,
    # 0) - 1, 0) would grow with every slice of a slice.
    if surely_positive:
        return end
    return end - start if surely(holds, start, end) else maximum(end - start, 0)


def _backward(n: Dim, start: Dim | None, stop: Dim | None, holds: Holds) -> Dim:
    if start is None:
        first = n - 1
    else:
        first = n + start if holds("<", start, 0) else minimum(n - 1, start)
    if stop is None:
        end: Dim = -1
    else:
        end = maximum(n + stop, -1) if holds("<", stop, 0) else stop
    length = first - end
    return length if length == n else maximum(length, 0)
