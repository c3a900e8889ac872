"""Choices: which combinations of what an op's operands may be are looked at.

Two groups have few, and all are looked at. Of more there would be 11 to the power of their number. What an
op computes in hangs on which dtypes there are among its operands, and among those without axes, not on how
often: NumPy's loop is the first that holds each of them, JAX and torch join them two by two. So it is enough
that

- any two groups are of any two dtypes, beside the others of the example's;
- those that are of one dtype in the example are of any one together, so that none is left of the example's;
- one group, or those of one dtype, have any dtype, and all others any one together: alike all of them, too.

Three dtypes at once, none of them the example's, are not looked at: they are joined of such as were.

Groups of which nothing tells one from another, as the twenty arrays that are stacked, may change places. So
two of them stand for all, and what must be checked of one must be of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .variants import Question

#: As many combinations as this are looked at one by one.
MOST = 400
#: Of more groups than this, those that may change places are not looked at one by one.
MANY = 2


def choices(question: Question) -> Iterator[tuple[Any, ...]]:
    """The keys of the groups: all combinations, or those that say something of the others."""
    keys = [[key for key, _ in items] for _, items in question.groups]
    if prod(map(len, keys)) <= MOST:
        return product(*keys)
    return iter(dict.fromkeys(several(question)))


def several(question: Question) -> Iterator[tuple[Any, ...]]:
    example = [key for key, _ in question.groups]
    tables = [dict(items) for _, items in question.groups]
    free = [i for i, table in enumerate(tables) if len(table) > 1]
    units = together(question, free)
    options = [tables[unit[0]] for unit in units]
    for (one, mine), (two, theirs) in combinations(zip(units, options), 2):
        for pair in product(mine, theirs) if not {*one} & {*two} else ():
            made = list(example)
            for unit, key in zip((one, two), pair):
                for i in unit:
                    made[i] = key
            yield tuple(made)
    looks = dict.fromkeys(elements[0] for table in options for elements in table.values())
    for rest in looks:
        alike = [like(rest, table, usual) for table, usual in zip(tables, example)]
        for unit, table in zip(units, options):
            for key in table:
                yield tuple(key if i in unit else other for i, other in enumerate(alike))


def like(look: Any, table: dict[Any, Any], usual: Any) -> Any:
    """The key of a group that is like another, at least in its dtype; that of the example where none is."""
    found = [key for key, elements in table.items() if elements[0].dtype == look.dtype]
    return next((key for key in found if table[key][0] == look), found[0] if found else usual)


def together(question: Question, free: Sequence[int]) -> list[list[int]]:
    """The groups that are changed at once: one of them, or all that have the same to choose from."""
    same: dict[Any, list[int]] = {}
    for i in free:
        same.setdefault(question.groups[i], []).append(i)
    kin = twins(question, free)
    found = [[i] for mine in kin for i in mine[:2]]
    found += [mine for mine in (*kin, *same.values()) if 1 < len(mine) < len(free)]
    return [mine for n, mine in enumerate(found) if mine not in found[:n]]


def twins(question: Question, free: Sequence[int]) -> list[list[int]]:
    """The groups, those together that may change places."""
    if len(free) <= MANY or question.spelled is not None:
        return [[i] for i in free]
    told = {question.places[place].group for place, *_ in question.when}
    found: dict[Any, list[int]] = {}
    for i in free:
        mine = tuple(place._replace(group=None) for place in question.places if place.group == i)
        found.setdefault((question.groups[i], mine, i if i in told else None), []).append(i)
    return [*found.values()]
