"""Whatever a helper does to what its caller has beside arrays, in whatever words, its caller sees."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import array
import bisect
import collections
import contextvars
import copy
import dataclasses
import functools
import heapq
import linecache
import operator
import textwrap
from typing import Any

import numpy as np
import pytest

import tracelate as tl

SEEN = [0]
VAR: contextvars.ContextVar[int] = contextvars.ContextVar("VAR", default=0)


class Counting:
    """Counts what it is asked."""

    def __init__(self):
        self.n = 0

    def bump(self, x):
        self.n += 1
        return x + self.n

    @property
    def p(self):
        self.n += 1
        return self.n

    def told(self, *given):
        self.n += 1
        return True

    def one(self, *given):
        self.n += 1
        return 1

    def __iter__(self):
        self.n += 1
        return iter([1, 2])

    def __str__(self):
        self.n += 1
        return "o"

    def __format__(self, spec):
        self.n += 1
        return "o"

    def __iadd__(self, other):
        self.n += 1
        return self

    def __float__(self):
        self.n += 1
        return 1.0

    def __add__(self, other):
        self.n += 1
        return other

    def __call__(self, x):
        self.n += 1
        return x

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, *given):
        self.n += 1

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        object.__setattr__(self, "n", self.n + 1)
        return 1.0

    __lt__ = __eq__ = __bool__ = __contains__ = told
    __len__ = __getitem__ = __index__ = one
    __radd__ = __add__
    __hash__ = object.__hash__


@dataclasses.dataclass
class Data:
    a: int = 1


def with_attributes(x):
    return x


def with_default(x, acc=[]):  # noqa: B006
    acc.append(1)
    return x + len(acc)


@functools.lru_cache
def cached(n):
    SEEN.append(n)
    return n


NAMES: dict[str, Any] = {
    "array": array, "bisect": bisect, "collections": collections, "copy": copy, "dataclasses": dataclasses,
    "functools": functools, "heapq": heapq, "operator": operator, "np": np, "O": Counting, "Data": Data,
    "G": SEEN, "cv": VAR, "fa": with_attributes, "fdef": with_default, "cached": cached,
}  # fmt: skip

#: What a helper does.
FORMS = {
    "append": "l.append(1)",
    "setitem": "l[0] = 5",
    "iadd": "l += [1]",
    "slice": "l[:] = [2]",
    "del": "del l[0]",
    "dict": "d['k'] = 1",
    "update": "d.update(k=2)",
    "pop": "d.pop('a')",
    "setdefault": "d.setdefault('z', 1)",
    "attr": "o.n = 5",
    "iattr": "o.n += 1",
    "setattr": "setattr(o, 'n', 7)",
    "delattr": "del o.n",
    "objdict": "o.__dict__['n'] = 3",
    "vars": "vars(o)['n'] = 3",
    "method": "x = o.bump(x)",
    "prop": "x = x + o.p",
    "len": "x = x + len(o)",
    "getitem": "x = x + o[0]",
    "oiadd": "o += 1",
    "lt": "b = o < 1",
    "eq": "b = o == 1",
    "bool": "b = 1 if o else 0",
    "not": "b = not o",
    "and": "b = o and 1",
    "call": "x = o(x)",
    "with": "with o: x = x * 1",
    "iter": "b = [y for y in o]",
    "forl": "for y in o: x = x + y",
    "fstr": "b = f'{o}'",
    "str": "b = str(o)",
    "getattr": "x = x + o.foo",
    "in": "b = 1 in o",
    "index": "b = [1,2,3][o]",
    "float": "b = float(o)",
    "add": "x = o + x",
    "radd": "x = x + (1 + o)",
    "star": "b = [*o]",
    "unpack": "p, q = o",
    "sortkey": "b = sorted([3,1], key=lambda v: l.append(v) or v)",
    "map": "b = list(map(l.append, [1,2]))",
    "sort": "l.sort()",
    "reverse": "l.reverse()",
    "heap": "heapq.heappush(l, 1)",
    "insort": "bisect.insort(l, 1)",
    "iternext": "b = next(it)",
    "iterin": "b = 2 in it",
    "iterlist": "b = list(it)",
    "iterunpack": "p, q, r = it",
    "iterzip": "b = list(zip(it, [1]))",
    "iterfor": "for y in it: x = x + y",
    "iterstar": "b = max(*it)",
    "gen": "b = next(g)",
    "partial": "functools.partial(l.append, 1)()",
    "reduce": "functools.reduce(lambda a, b: l.append(b), [1,2,3])",
    "opsetitem": "operator.setitem(l, 0, 9)",
    "opiadd": "operator.iadd(l, [9])",
    "deque": "q.append(1)",
    "rotate": "q.rotate(1)",
    "counter": "c['a'] += 1",
    "defaultdict": "dd['new']",
    "defaultdict2": "dd['q'].append(1)",
    "set": "s.add(5)",
    "setor": "s |= {7}",
    "nested": "d['l'].append(1)",
    "ctx": "cv.set(3)",
    "bytearray": "ba[0] = 3",
    "array": "ar.append(1)",
    "memory": "memoryview(ba)[0] = 9",
    "global": "G.append(1)",
    "globald": "G[0] = 1",
    "fnattr": "fa.count = 3",
    "fndefault": "x = fdef(x)",
    "exec": "exec('l.append(1)')",
    "walrus": "(l := l + [1]).append(2)",
    "walrus2": "(m := l).append(2)",
    "chain": "a = b = l; a.append(1)",
    "tuple": "t[0].append(1)",
    "zipdict": "b = {k: l.append(k) for k in 'ab'}",
    "any": "b = any(l.append(i) for i in range(2))",
    "sumit": "b = sum(it)",
    "filter": "b = list(filter(l.append, [1]))",
    "lenit": "b = operator.length_hint(it)",
    "copy": "b = copy.copy(l); b.append(1)",
    "replace": "b = dataclasses.replace(dc, a=2)",
    "dcset": "dc.a = 4",
    "try": "try:\n    l.append(1)\nfinally:\n    pass",
    "assert": "assert not l.append(1)",
    "cond": "b = l.append(1) if l else None",
    "lambda": "(lambda: l.append(1))()",
    "inner": "def inner():\n    l.append(1)\ninner()",
    "cls": "class Q:\n    l.append(1)",
    "target": "[0 for o.n in range(4)]",
    "keyed target": "[0 for d['k'] in range(3)]",
    "class body": "class Q:\n    d['k'] = 3",
    "class body, attribute": "class Q:\n    o.n = 7",
    "compare": "b = 1 < o.p < 3",
    "sliceobj": "b = [1,2,3][o:]",
    "formatm": "b = '{}'.format(o)",
    "percent": "b = '%s' % o",
    "join": "b = ''.join(str(l.append(v)) for v in 'ab')",
    "hash": "b = {o: 1}",
    "match": "match d:\n    case {'a': v}:\n        l.append(v)\n    case _:\n        pass",
    "matchobj": "match o:\n    case O(p=v):\n        x = x + v\n    case _:\n        pass",
    "npset": "na[0] = 3.",
    "npadd": "na += 1",
    "nput": "np.put(na, [0], 3.)",
    "isinst": "b = isinstance(o, O)",
    "typ": "b = type(o)",
    "repr": "b = repr(l)",
    "id": "b = id(l)",
    "isin": "b = l in [l]",
    "count": "b = l.count(1)",
    "listindex": "b = [o].index(1)",
    "min": "b = min(o, o)",
    "sorted": "b = sorted([o, o])",
    "enumerate": "b = list(enumerate(o))",
    "reversed": "b = list(reversed(l))",
    "print": "print(l, file=None) if 0 else None",
    "abs": "b = divmod(7, 2)",
    "getatt": "b = getattr(o, 'zzz')",
    "hasattr": "b = hasattr(o, 'yyy')",
    "methodcall": "O.bump(o, x)",
    "super": "b = object.__getattribute__(o, 'n')",
    "attrgetter": "b = operator.attrgetter('p')(o)",
    "methodcaller": "b = operator.methodcaller('append', 1)(l)",
    "cachedfn": "x = cached(3) * x",
}

TEXT = """
def helper(x, l, d, o, it, g, q, c, dd, s, ba, ar, t, dc, na):
{body}
    return x * 2


def f(x):
    l, d, o, it, g = [1, 2], {{"a": 1, "l": []}}, O(), iter([1, 2, 3]), (i for i in range(3))
    q, c, dd, s = collections.deque([1, 2]), collections.Counter(), collections.defaultdict(list), {{1}}
    ba, ar, t, dc, na = bytearray(b"abc"), array.array("i", [1]), ([],), Data(), np.zeros(3)
    y = helper(x, l, d, o, it, g, q, c, dd, s, ba, ar, t, dc, na)
    y = helper(y, l, d, o, it, g, q, c, dd, s, ba, ar, t, dc, na)
    held = len(l) + o.__dict__.get("n", 0) + len(d) + len(d["l"]) + len(q) + len(c) + len(dd) + len(s)
    return y + held + len(t[0]) + dc.a + ba[0] + len(ar)
"""


@pytest.mark.parametrize("form", FORMS)
def test_what_a_helper_changes(form):
    text = TEXT.format(body=textwrap.indent(FORMS[form], "    "))
    file = f"<changes {form}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module = {**NAMES, "__name__": __name__}
    exec(compile(text, file, "exec"), module)
    x = np.arange(3.0)

    def fresh():
        SEEN[:] = [0]
        with_default.__defaults__[0].clear()
        cached.cache_clear()

    fresh()
    try:
        expected = module["f"](x)
    except Exception as error:
        expected = type(error)
    fresh()
    try:
        out = tl.transpile(module["f"], (x,), to="numpy")
    except tl.TraceError:
        return
    except Exception as error:
        assert type(error) is expected
        return
    assert np.allclose(expected, out(x)), out.source
