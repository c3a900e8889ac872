"""Cases that cover all pairs of values: all of them, not many more than are needed, the same each time."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from covering import cover, pairs

pytestmark = pytest.mark.slow

TABLES = {
    "three columns": list(product(range(9), range(4), range(3))),
    "two columns": list(product(range(5), range(3))),
    "one column": [(i,) for i in range(5)],
    "four columns": list(product("abc", range(3), (True, False), range(5))),
    "not all rows": [row for row in product(range(6), range(6), range(3)) if row[0] != row[1]],
}


@pytest.mark.parametrize("kept", [(), (0, 3, 4)], ids=str)
@pytest.mark.parametrize("name", TABLES)
def test_every_pair_of_values_occurs(name: str, kept: tuple[int, ...]) -> None:
    rows: list[tuple[Any, ...]] = TABLES[name]
    chosen = cover(rows, kept)
    assert {*kept} <= chosen == cover(rows, kept)
    assert set().union(*(pairs(rows[i]) for i in chosen)) == set().union(*map(pairs, rows))
    sizes = [len({(row[i], row[j]) for row in rows}) for i, j in combinations(range(len(rows[0])), 2)]
    assert len(chosen) <= 1.4 * max(sizes, default=len(rows)) + len(kept)
