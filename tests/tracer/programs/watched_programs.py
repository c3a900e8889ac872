"""Programs with a `try` behind whose handler they go on, each with arguments for which nothing is raised in
it, and some for which something is, mostly what nothing else is done with. Those that only look for what
their arguments may not have are in watched_looks.py.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import torch
from watched_looks import LOOKED_FOR, NUMBER, SQUARE, THREE, TWO, Row


def an_addition(x, y):
    try:
        z = x + y  # noqa: F841
        k = 3.0
    except (ValueError, TypeError, RuntimeError):
        k = 1.0
    return x * k


def an_addition_in_turns(x, y):
    s = x * 0
    for _ in range(20):
        try:
            z = x + y  # noqa: F841
            s = s + 1
        except Exception:
            s = s + 2
    return s


def an_addition_on_one_way(x, y):
    if x.sum() > 0:
        try:
            z = x + y  # noqa: F841
            k = 3.0
        except:  # noqa: E722
            k = 1.0
    else:
        k = 2.0
    return x * k


def a_product(x, y):
    try:
        x @ y
    except (ValueError, TypeError, RuntimeError):
        return x * 0
    return x


def a_form(x, n):
    try:
        x.reshape(n, -1)
    except Exception:
        return x * 0
    return x


def a_division_by_a_size(x):
    try:
        k = 10 // (x.shape[0] - 2)  # noqa: F841
        r = 2.0
    except ZeroDivisionError:
        r = 1.0
    return x * r


def a_number(x, k):
    try:
        int(k)
    except (TypeError, ValueError):
        return x * 0
    return x


def a_number_and_one(x, k):
    try:
        k + 1
        r = 2.0
    except TypeError:
        r = 1.0
    return x * r


def the_largest(x):
    try:
        x.max()
        r = 2.0
    except (ValueError, RuntimeError):
        r = 1.0
    return x * r


def written(x, y):
    z = x * 1
    try:
        z[:] = y
    except (ValueError, RuntimeError):
        z = z * 2
    return z


def shifted(x, y):
    try:
        x << y
        k = 3.0
    except (TypeError, RuntimeError):
        k = 1.0
    return x * k


def t_axis(x):
    try:
        x.size(1)
    except IndexError:
        x = x[:, None]
    return x * 2


def t_mean(x):
    try:
        return x.mean()
    except RuntimeError:
        return x.sum()


def t_product(x, y):
    try:
        return x @ y
    except RuntimeError:
        return x.float() @ y.float()


def t_softmax(x):
    try:
        return x.softmax(0)
    except (RuntimeError, NotImplementedError):
        return x


def t_dot(x, y):
    try:
        return torch.dot(x, y)
    except RuntimeError:
        return (x * y).sum()


INTS = np.arange(1, 3)
SINGLE = np.ones(2, np.float32)

#: Each with its example, and arguments for which its handler runs.
ALL: tuple[Row, ...] = (
    *LOOKED_FOR,
    (an_addition, (TWO, TWO), ((TWO, THREE), (TWO, np.ones((2, 3))))),
    (an_addition_in_turns, (TWO, TWO), ((TWO, THREE),)),
    (an_addition_on_one_way, (TWO, TWO), ((TWO, THREE),)),
    (a_product, (TWO, TWO), ((TWO, THREE), (TWO, NUMBER))),
    (a_form, (np.ones(4), 2), ((np.ones(4), 3),)),
    (a_division_by_a_size, (THREE,), ((TWO,),)),
    (a_number, (TWO, 2), ((TWO, None), (TWO, "q"), (TWO, float("nan")))),
    (a_number_and_one, (TWO, 2), ((TWO, None), (TWO, "q"))),
    (the_largest, (TWO,), ((np.ones(0),),)),
    (written, (THREE, THREE), ((THREE, TWO),)),
    (shifted, (INTS, INTS), ((TWO, INTS),)),
)  # fmt: skip
TORCH: tuple[Row, ...] = (
    (t_axis, (SQUARE,), ((TWO,),)),
    (t_mean, (SINGLE,), ((INTS,),)),
    (t_product, (SINGLE, SINGLE), ((TWO, SINGLE),)),
    (t_softmax, (SINGLE,), ((INTS,),)),
    (t_dot, (SINGLE, SINGLE), ((SQUARE, SQUARE), (TWO, SINGLE))),
)
