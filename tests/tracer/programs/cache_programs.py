"""Programs whose functions are cached: whether Python remembers what they gave, or makes it anew, shows.

Each is the body of a function of `x`, in which `ones` makes an array; `calls` counts.
"""

from __future__ import annotations

import linecache
import textwrap
from functools import cache, lru_cache
from typing import Any

import numpy as np
import torch

#: What must be translated, in NumPy and in torch.
KEPT = """
@cache
def tab(n): return ones(n)
t = tab(3); t[0] = 5
return x + tab(3)

@cache
def tab(n): return ones(n)
t = tab(3); t += x
return tab(3) + tab(4)[:3]

@cache
def tab(n): return ones(n)
return x, tab(3) is tab(3), tab(3) is tab(4)

@cache
def tab(n): return [ones(n), n]
tab(3).append(7)
return x, len(tab(3)), len(tab(4))

@cache
def tab(n): return [ones(n), n]
u = tab(3)[0]
u += x
return tab(3)[0]

@cache
def tab(n): return {"n": n}
tab(3)["m"] = x
return tab(3)["m"], len(tab(4))

@lru_cache()
def f(n): return type(n).__name__
return x, f(1), f(1.0), f(True)

@lru_cache(typed=True)
def f(n): return type(n).__name__
return x, f(1), f(1.0), f(True)

@lru_cache(typed=True)
def f(n, m=0): return type(m).__name__
return x, f(1, m=2), f(1, m=True), f(1, m=2.0)

@lru_cache(maxsize=1)
def f(k): calls.append(k); return k
f(1), f(2), f(1)
return x, len(calls)

@lru_cache(maxsize=2)
def f(k): calls.append(k); return k
f(1), f(2), f(1), f(3), f(1), f(2)
return x, len(calls)

@lru_cache(maxsize=0)
def f(k): calls.append(k); return k
f(1), f(1)
return x, len(calls)

@lru_cache(maxsize=-5)
def f(k): calls.append(k); return k
f(1), f(1)
return x, len(calls)

@lru_cache(maxsize=0)
def f(k): return k[0] * 2
return f([x, x])

@lru_cache
def f(k): calls.append(k); return k
f(1), f(1)
return x, len(calls)

@cache
def f(k): calls.append(k); return k
f(1)
f.cache_clear()
f(1)
return x, len(calls)

@cache
def f(p=1, q=2): calls.append(p); return p
f(1, q=2), f(p=1, q=2), f(q=2, p=1), f()
return x, len(calls)

@cache
def f(p): return p
f(1), f(1), f(2)
return x, f.cache_info().hits, f.cache_info().misses

@lru_cache(5)
def f(p): return p
f(1), f(1), f(2)
return x, tuple(f.cache_info())

@lru_cache(2)
def f(p): return p
f(1), f(3), f(2)
f.cache_clear()
f(3)
return x, tuple(f.cache_info())

@cache
def f(p): return p
return x, f.cache_parameters()["maxsize"] is None, f.cache_parameters()["typed"]

@cache
def f(p): return p
return x, f.__wrapped__(3)

@cache
def fib(k): return x if k < 2 else fib(k - 1) + fib(k - 2)
return fib(30)

@cache
def fib(k): calls.append(k); return k if k < 2 else fib(k - 1) + fib(k - 2)
return x * fib(9), len(calls)

@cache
def f(k): return x * k
u = f(2)
u += 1
return f(2), u is f(2), f(3)

@cache
def f(k): calls.append(k); return x * k
return [f(k) for k in (1, 2, 1, 1)], len(calls)

@cache
def f(k): calls.append(k); return x * k
return list(map(f, (1, 2, 1, 1))), len(calls)

@cache
def f(k): calls.append(k); return -k
return x, sorted([3, 1, 3], key=f), len(calls)

@cache
def f(k): return ones(k)
y = f(3) if x.sum() > 0 else f(3) * 2
return y + f(3)

@cache
def f(k): return k * k
y = f(3) if x.sum() > 0 else f(4)
return x * y + f(3)

@cache
def f(k): return ones(k)
y = x
if x.sum() > 0:
    y = y + f(3)
f.cache_clear()
t = f(3)
return y + t

@cache
def f(k): return ones(k)
y = x
for i in range(20):
    y = y + f(3) * i
return y + f(3)

@cache
def f(k): return x * k
y = x
for i in range(20):
    y = y + f(3) * i
return y + f(3)

@cache
def f(k): return ones(k)
y = x
t = f(3)
t += 1
for i in range(20):
    y = y + f(3) * i
return y + f(3)

@cache
def f(k): calls.append(k); return k
y = x
for i in range(20):
    y = y + f(i % 3)
return y, len(calls)

@cache
def f(k): calls.append(k); return k
y = x
for i in range(20):
    y = y + f(3)
return y, len(calls)

n = 0
@cache
def f(k): nonlocal n; n += 1; return x * n
return f(1) + f(2) + f(1), n

n = 0
@cache
def f(k): nonlocal n; n += 1; return x * n
y = x
for i in range(3):
    y = y + f(i % 2)
return y, n

@cache
def f(k): return x * k
return helped(x, f) + f(2)

return x * steps(7) + stepped(x)

@lru_cache(maxsize=2)
def f(k): return x * k
return f(1) + f(2) + f(3) + f(1)

def f(k): calls.append(k); return k
g = cache(f)
h = cache(f)
g(1), h(1), g(1)
return x, len(calls)

@cache
def f(*a, **k): calls.append(k); return len(a)
f(1, 2), f((1, 2)), f(1, 2, z=3), f(1, 2)
return x, len(calls)

class A:
    @cache
    def f(self, k): calls.append(k); return k
a, b = A(), A()
a.f(1), a.f(1), b.f(1), A.f(a, 1)
return x, len(calls)

class A:
    @property
    @cache
    def f(self): calls.append(1); return ones(3)
a = A()
u = a.f
u += x
return a.f, len(calls)

@cache
def f(k):
    if k > 2: raise ValueError
    calls.append(k)
    return k
for k in (1, 3, 3, 1):
    try:
        f(k)
    except ValueError:
        calls.append(-1)
return x, len(calls)

@lru_cache(maxsize=2)
def f(k): return ones(3) * k
return sum(f(int(k)) for k in x) + f(1)

@cache
def f(k): return ones(3) * k
return sum(f(int(k)) for k in x) + f(1)

if x.sum() > 0:
    @cache
    def f(k): return x * k
    y = f(1)
    y += 1
    y = y + f(1)
else:
    y = x * 1
return y

y = x
for i in range(20):
    @cache
    def f(k): return x * k
    t = f(1)
    t += 1
    y = y + f(1)
return y
"""
#: Likewise in NumPy, with caches that outlive the call.
OUTSIDE = """
return stepped(x) + table(3)[0]

t = table(3)
return x * t, table(3) is t

return sum(table(3)) * x

return helped(x, table) + table(3)[0]

return x * BOX.ones[0] + BOX.ones, BOX.ones is BOX.ones

return x * Box.pair(2)[0], Box.pair(2) is Box.pair(2)

return x * BOX.total(2), BOX.total(2) is BOX.total(2)

steps.cache_clear()
return x * steps(3)

steps.cache_clear()
steps(1)
return x * steps.cache_info().misses
"""


@cache
def table(n: int) -> Any:
    return np.ones(n) * 2


@cache
def lists(n: int) -> list[Any]:
    return [n]


@lru_cache
def doubled(v: Any) -> Any:
    return v * 2


@cache
def steps(n: int) -> int:
    return 0 if n <= 1 else 1 + steps(n // 2 if n % 2 == 0 else 3 * n + 1)


def stepped(x: Any) -> Any:
    return x * steps(7) + steps(9)


def helped(x: Any, f: Any) -> Any:
    return x * f(2)[0] + f(2)[0]


def shown(y: Any, g: Any) -> Any:
    return g(y) + 1


def twice(y: Any) -> Any:
    return doubled(y) + 1


class Box:
    @property
    @cache  # noqa: B019
    def ones(self) -> Any:
        return np.ones(3)

    @staticmethod
    @cache
    def pair(n: int) -> list[int]:
        return [n, n]

    @cache  # noqa: B019
    def total(self, n: int) -> Any:
        return np.ones(n).sum()


BOX = Box()
CACHES = (table, lists, doubled, steps, Box.pair, Box.total, vars(Box)["ones"].fget)
NAMES = {"cache": cache, "lru_cache": lru_cache, "np": np, "torch": torch, "table": table, "lists": lists,
         "doubled": doubled, "steps": steps, "stepped": stepped, "helped": helped, "shown": shown,
         "twice": twice, "Box": Box, "BOX": BOX}  # fmt: skip


def blocks(text: str) -> list[str]:
    return text.strip("\n").split("\n\n")


def program(body: str, ones: str) -> Any:
    """The function of `x` with this body."""
    lines = textwrap.indent("calls = []\n" + body.replace("ones(", f"{ones}("), "    ")
    text = f"def f(x):\n{lines}\n"
    file = f"<{ones}: {body}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module = dict(NAMES)
    exec(compile(text, file, "exec"), module)
    return module["f"]
