"""Programs with a `try` behind whose handler they go on, in which they look for what their arguments may not
have: a key, an axis, an attribute, an item. Each has arguments that have it, and some that have it not.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import contextlib
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

Scaled = namedtuple("Scaled", "x scale")
Plain = namedtuple("Plain", "x")


class Missing(Exception):
    pass


def a_key(p):
    try:
        w = p["w"]  # noqa: F841
    except KeyError:
        return p["x"] * 2
    return p["x"] + 1


def a_key_of_a_sum(p):
    try:
        w = p["w"]
        r = 2.0
        z = w + 1  # noqa: F841
    except LookupError:
        r = 1.0
    return p["x"] * r


def a_key_in_a_tuple(p):
    try:
        v = (p["w"], 2.0)[1]
    except KeyError:
        v = 5.0
    return p["x"] * v


def a_key_suppressed(p):
    k = 2.0
    with contextlib.suppress(KeyError):
        p["w"]
        k = 3.0
    return p["x"] * k


def a_key_in_turns(p):
    s = 0.0
    for i in range(3):
        try:
            p["w"]
        except KeyError:
            continue
        s = s + p["x"] * i
    return s + p["x"]


def a_key_in_many_turns(p):
    s = p["x"]
    for _ in range(12):
        try:
            p["w"]
        except KeyError:
            continue
        s = s * 1.5
    return s


def a_key_raised_anew(p):
    try:
        try:
            p["w"]
        except KeyError:
            raise ValueError("no w") from None
    except ValueError:
        return p["x"] * 2
    return p["x"]


def a_key_and_leaving(p):
    try:
        p["w"]
        p = {"x": p["x"] + 1}
    finally:
        return p["x"]  # noqa: B012


def a_key_and_going_on(p):
    r = p["x"]
    for _ in range(2):
        try:
            p["w"]
            r = r + 1
        finally:
            continue
    return r


def needs(p):
    p["w"]
    p["x"].shape[0]


def a_helpers_key(p):
    try:
        needs(p)
    except KeyError:
        return p["x"] * 2
    return p["x"]


def refuses(p):
    if "w" not in p:
        raise Missing


def of_ones_own(p):
    try:
        refuses(p)
    except Missing:
        return p["x"] * 2
    return p["x"]


def an_axis(x):
    try:
        x.shape[1]
    except IndexError:
        return x * 2
    return x + 1


def an_axis_else(x):
    try:
        n = x.shape[1]  # noqa: F841
    except IndexError:
        r = x * 2
    else:
        r = x + 1
    return r


def an_axis_finally(x):
    r = x
    try:
        x.shape[1]
        r = x + 1
    except IndexError:
        pass
    finally:
        r = r * 3
    return r


def an_axis_of_a_product(x):
    try:
        n = x.shape[1]
        m = n * 2  # noqa: F841
        k = 3.0
    except IndexError:
        k = 1.0
    return x * k


def an_axis_further_out(x):
    try:
        try:
            x.shape[1]
        except KeyError:
            return x * 5
    except IndexError:
        return x * 2
    return x


def a_sum_along(x):
    try:
        x.sum(1)
        r = 2.0
    except (ValueError, IndexError):
        r = 1.0
    return x * r


def a_length(x):
    try:
        len(x)
    except TypeError:
        return x * 2
    return x + 1


def a_shape(x):
    try:
        x.shape
    except AttributeError:
        return x * 3
    return x * 2


def a_dtype(x):
    try:
        x.dtype
    except AttributeError:
        return x * 3
    return x * 1.5


def a_field(c):
    try:
        s = c.scale
        t = s * 2  # noqa: F841
    except AttributeError:
        return c.x
    return c.x * 2


def an_item(ws):
    try:
        ws[1]
        r = 2.0
    except IndexError:
        r = 1.0
    return ws[0] * r


def two_items(x):
    try:
        a, b = x  # noqa: F841
        r = 2.0
    except ValueError:
        r = 1.0
    return x * r


ONE, TWO, THREE, SQUARE, NUMBER = np.ones(1), np.ones(2), np.ones(3), np.ones((2, 2)), np.array(2.0)

Row = tuple[Callable[..., Any], tuple[Any, ...], tuple[tuple[Any, ...], ...]]
KEYS = (
    a_key, a_key_of_a_sum, a_key_in_a_tuple, a_key_suppressed, a_key_in_turns, a_key_in_many_turns,
    a_key_raised_anew, a_key_and_leaving, a_key_and_going_on, a_helpers_key, of_ones_own,
)  # fmt: skip
AXES = (an_axis, an_axis_else, an_axis_finally, an_axis_of_a_product, an_axis_further_out, a_sum_along)

#: Each with its example, and arguments for which its handler runs.
LOOKED_FOR: tuple[Row, ...] = (
    *((fn, ({"x": TWO, "w": ONE},), (({"x": TWO},),)) for fn in KEYS),
    *((fn, (SQUARE,), ((TWO,),)) for fn in AXES),
    (a_length, (TWO,), ((NUMBER,), (3.0,))),
    (a_shape, (TWO,), ((3.0,),)),
    (a_dtype, (TWO,), ((3.0,),)),
    (a_field, (Scaled(TWO, TWO),), ((Plain(TWO),),)),
    (an_item, ([TWO, TWO],), (([TWO],),)),
    (two_items, (TWO,), ((THREE,),)),
)  # fmt: skip
