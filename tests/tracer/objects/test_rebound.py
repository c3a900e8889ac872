"""Equal is not the same: what takes the place of an equal object in a branch counts from there on."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import contextvars
import functools
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
from undone_agreement import agrees


def attribute_rebound(x):
    def h():
        pass

    h.n = [0]
    if x.sum() > 3:
        h.n[0] = 3
    else:
        h.n[0] = 3
        h.n = [0]
    return x + h.n[0]


def attributes_rebound(x):
    def h():
        pass

    h.n = 1
    held = vars(h)
    if x.sum() > 3:
        h.__dict__ = {"n": 1}
    held["n"] = 3
    return x + h.n


def default_rebound(x):
    def h(k=[0]):
        return k[0]

    if x.sum() > 3:
        h.__defaults__[0][0] = 3
    else:
        h.__defaults__[0][0] = 3
        h.__defaults__ = ([0],)
    return x + h()


def defaults_by_name_rebound(x):
    def h(*, k=0):
        return k

    held = h.__kwdefaults__
    if x.sum() > 3:
        h.__kwdefaults__ = {"k": 0}
    held["k"] = 3
    return x + h()


def annotations_rebound(x):
    def h(a: int):
        return a

    held = h.__annotations__
    if x.sum() > 3:
        h.__annotations__ = dict(held)
    held["b"] = int
    return x + len(h.__annotations__)


def variable_rebound(x):
    v: contextvars.ContextVar[Any] = contextvars.ContextVar("v")
    v.set([0])
    if x.sum() > 3:
        v.get()[0] = 3
    else:
        v.get()[0] = 3
        v.set([0])
    return x + v.get()[0]


def arguments_rebound(x):
    e = ValueError([0])
    if x.sum() > 3:
        e.args[0][0] = 3
    else:
        e.args[0][0] = 3
        e.args = ([0],)
    return x + e.args[0][0]


def partial_rebound(x):
    def f(k):
        return k[0]

    p = functools.partial(f, [0])
    if x.sum() > 3:
        p.args[0][0] = 3
    else:
        p.args[0][0] = 3
        p.__setstate__((f, ([0],), {}, None))
    return x + p()


def words_of_a_partial_rebound(x):
    def f(k):
        return k

    p = functools.partial(f, k=1)
    held = p.keywords
    if x.sum() > 3:
        p.__setstate__((f, (), {"k": 1}, None))
    held["k"] = 3
    return x + p()


def attribute_of_a_partial_rebound(x):
    p: Any = functools.partial(max, 1)
    p.n = [0]
    if x.sum() > 3:
        p.n[0] = 3
    else:
        p.n[0] = 3
        p.n = [0]
    return x + p.n[0]


def attribute_of_an_exception_rebound(x):
    e: Any = ValueError("a")
    e.n = [0]
    if x.sum() > 3:
        e.n[0] = 3
    else:
        e.n[0] = 3
        e.n = [0]
    return x + e.n[0]


def child_rebound(x):
    e = ET.Element("a")
    e.append(ET.Element("b", k="0"))
    child = e[0]
    if x.sum() > 3:
        e[0] = ET.Element("b", k="0")
    child.set("k", "3")
    return x + int(e[0].get("k") or 0)


def factory_of_a_class(x):
    class Made(Exception):
        def __eq__(self, other):
            return True

        __hash__ = Exception.__hash__

    one, other = Made(1), Made(2)
    e = ValueError(one)
    if x.sum() > 3:
        e.args = (other,)
    return x + e.args[0].args[0]


REBOUND = [
    attribute_rebound, attributes_rebound, default_rebound, defaults_by_name_rebound, annotations_rebound,
    variable_rebound, arguments_rebound, partial_rebound, words_of_a_partial_rebound,
    attribute_of_a_partial_rebound, attribute_of_an_exception_rebound, child_rebound, factory_of_a_class,
]  # fmt: skip


@pytest.mark.parametrize("fn", REBOUND, ids=lambda fn: fn.__name__)
def test_equal_is_not_the_same(fn: Callable[..., Any]) -> None:
    agrees(fn)
