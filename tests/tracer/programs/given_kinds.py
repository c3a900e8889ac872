"""Programs that ask whether an argument is something else than it is in the example."""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: E711, F632
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

EMPTY = ()


@dataclass
class Pair:
    w: Any
    b: Any


def by_is(x, m):
    return x if m is None else x * 2


def by_is_not(x, m):
    if m is not None:
        return x * 2
    return x


def negated(x, m):
    is_none = m is None
    return x * 2 if not is_none else x


def as_a_key(x, m):
    return {True: x, False: 2 * x}[m is None]


def counted(x, m):
    return x * sum(v is not None for v in (m, x))


def filtered(x, m):
    return x * len([v for v in (m, x) if v is not None])


def any_of(x, m):
    return x if any(v is None for v in [m]) else x * 2


def continued(x, m):
    out = []
    for v in (m, x):
        if v is None:
            continue
        out.append(x)
    return out


def matched(x, m):
    match m:
        case None:
            return x
    return x * 2


def by_default(x, m):
    m = x if m is None else m
    return [x, x * 2] if m is x else x


def in_a_helper(x, m):
    return chosen(x, m)


def chosen(x, m):
    return x if m is None else x * 2


def of_all(*args):
    return chosen(*args)


def handed_back(x, m):
    y, z = swapped(x, m)
    return x if y is None else z * 2


def swapped(x, m):
    return m, x


def on_one_way(x, m):
    y = m if x.sum() > 0 else m
    return x if y is None else x * 2


def from_turn_to_turn(x, m):
    y = m
    for v in x:
        y = m if v > 100 else y
    return x if y is None else x * 2


def inside_a_loop(x, m):
    c = m
    for _ in range(20):
        x = x + 1 if c is None else x * 0.5
        c = m
    return x


def by_type(x, m):
    return x if type(m) is type(None) else x * 2


def by_isinstance(x, m):
    return x if isinstance(m, type(None)) else x * 2


def is_false(x, m):
    return x if m is False else x * 2


def is_dots(x, m):
    return x if m is ... else x * 2


def is_a_constant(x, m=EMPTY):
    return x if m is EMPTY else x * 2


def equal_to_none(x, m):
    return x if m == None else x * 2


def among_words(x, m):
    return x if m in (None, "auto") else x * 2


def equal_to_a_word(x, m):
    return x if m == "auto" else x * 2


def a_word_equal_to_it(x, m):
    return x if "auto" == m else x * 2


def unequal_to_nothing(x, m):
    return x if m != () else x * 2


def equal_to_a_dict(x, m):
    return x if m == {} else x * 2


def equal_to_a_list(x, m):
    return x if m == [2, 3] else x * 2


def equal_to_a_tuple(x, m):
    return x if m == (2, 3) else x * 2


def looked_up(x, m):
    return x * {"auto": 1}.get(m, 5)


def in_a_dict(x, m):
    return x if m in {"auto": 1} else x * 2


def in_a_set(x, m):
    return x if m in {"auto", "a"} else x * 2


def in_a_list(x, m):
    return x if m in ["auto", "a"] else x * 2


def counted_among(x, m):
    return x * (1 + ("auto", "a").count(m))


def holding_none(x, m):
    return x if None in m else x * 2


def falsy(x, m):
    return x if not m else x * 2


def truthy(x, m):
    return x if m else x * 2


def by_bool(x, m):
    return x if bool(m) else x * 2


def or_else(x, m):
    return x * len([m or {}])


FORMS: list[Callable[..., Any]] = [
    value for value in list(globals().values())
    if getattr(value, "__module__", "") == __name__ and value not in (Pair, chosen, swapped)
]  # fmt: skip
A, B = np.arange(1.0, 4.0, dtype=np.float32), np.arange(2.0, 5.0, dtype=np.float32)
#: What the example gives, and what is given instead.
EXAMPLES: list[Any] = [B, 3, 2.5, [B], {"w": B}, (B,), Pair(B, B), [2, 3], [1.0, 2.0], "word", True]
GIVEN: list[Any] = [
    None, False, True, ..., (), {}, [], "auto", "a", 3, 2.5, B, [B], {"w": B}, {"k": B}, (B,), Pair(B, B),
    [2, 3], (2, 3), [None, 2.0], {None: 1},
]  # fmt: skip


def two_may_be_left_out(a, b):
    if a is None and b is None:
        return 0
    if a is None:
        return b
    return a, b


def from_a_cache(x, cache):
    k = cache["k"]
    return {"k": x, "n": 1} if k is None else {"k": k, "n": 2}


def from_a_record(x, c):
    return [v for v in (c.w, c.b) if v is not None]


def by_getattr(x, c):
    return x if getattr(c, "w", None) is None else x * 2


def by_get(x, p):
    return x if p.get("k") is None else x * 2


def popped(x, p):
    p = dict(p)
    return x if p.pop("k", None) is None else x * 2


def of_a_dict(p):
    out: dict[str, Any] = {}
    for k, v in p.items():
        if k == "a":
            out[k] = v
        elif v is None:
            continue
        else:
            out.setdefault("rest", []).append(v)
    return out


def in_a_list_of_them(x, ms):
    return [m for m in ms if m is not None]


#: A program, an example and other arguments.
INSIDE: list[tuple[Callable[..., Any], tuple[Any, ...], list[tuple[Any, ...]]]] = [
    (two_may_be_left_out, (A, B), [(None, B), (None, None)]),
    (from_a_cache, (A, {"k": B, "n": 1}), [(A, {"k": None, "n": 1})]),
    (from_a_cache, (A, {"k": [B], "n": 1}), [(A, {"k": None, "n": 1})]),
    (from_a_record, (A, Pair(A, B)), [(A, Pair(A, None)), (A, Pair(None, None))]),
    (by_getattr, (A, Pair(A, B)), [(A, Pair(None, B))]),
    (by_get, (A, {"k": B}), [(A, {"k": None}), (A, {})]),
    (by_get, (A, {"k": {"a": B}}), [(A, {"k": None}), (A, {})]),
    (popped, (A, {"k": B}), [(A, {"k": None}), (A, {})]),
    (of_a_dict, ({"a": A, "b": B},), [({"a": A, "b": None},), ({"a": None, "b": B},)]),
    (in_a_list_of_them, (A, [A, B]), [(A, [A, None]), (A, [None, None])]),
    (in_a_list_of_them, (A, [[A], (B,)]), [(A, [[A], None]), (A, [None, (B,)])]),
]
