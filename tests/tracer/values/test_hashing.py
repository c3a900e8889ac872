"""What sets, dicts and caches are asked of a value that only the running program knows."""

from __future__ import annotations

import collections
import enum
import functools
import itertools
import linecache
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

V = np.array([3, 7, 2])
T, J = torch.tensor([3, 7, 2]), jnp.array([3, 7, 2])


class Kind(enum.Enum):
    LOW = 3
    HIGH = 7


@functools.lru_cache
def doubled(v: Any) -> Any:
    return v * 2


@functools.lru_cache
def halved(v: Any) -> Any:
    return v * 0.5


@functools.lru_cache
def told(v: Any) -> Any:
    print(v)
    return v * 2


NAMES = {"np": np, "torch": torch, "collections": collections, "itertools": itertools, "Kind": Kind,
         "doubled": doubled, "halved": halved, "told": told}  # fmt: skip

#: Each asks for the hash of a number of NumPy's, or of Python's, that only the running program knows.
LOOKED_UP = """
return x[0] in {3, 7}
return x[0] not in {3, 7}
return 1 if x[0] in {3, 7} else 2
return x.sum() in frozenset((12, 7))
return x[0] in {3: 10.0}
return x[0] in {3: 10.0}.keys()
return {3: 10.0, 7: 20.0}.get(x[0], 0.0) * x
return {3: 1, 7: 2}[x[0]]
return {x[0]} == {3}
return len({x[0]} | {3, 7})
return len({v for v in x})
return len(set(x))
return len(frozenset(2 * x))
return len(set(map(lambda v: float(v), x)))
return sorted(set(x))[0]
return max(set(x), key=lambda v: -v)
return set(x).issubset({1, 2})
return len(dict.fromkeys(x))
return dict(zip(x, 2 * x))[x[0]]
return {v: 2 * v for v in x}[x[1]]
return {(v, 0): v for v in x}[x[0], 0]
return {3: 1}.get((x[0] + x[1]) % 5, 0)
return len({int(v): 1 for v in x})
return float(x[0]) in {3.0, 7.0}
return {x[0].item(): 1}.get(3, 0)
return {bool(x[0] > 2): 5}.get(True, 0)
return {True: x, False: -x}[x[0] > 2]
return {3: 1, 4: 2}[int(x[0]) + x.shape[0] - 3]
return hash(x[0])
return x * hash(x.max())
return hash((x[0], 1))
return len(collections.Counter(x))
return collections.Counter(v % 2 for v in x)[1]
return Kind(x[0]).name
return [3, 7].index(x[0]) if x[0] in {3, 7} else -1
s = {3, 7}; s.discard(x[0]); return len(s)
s = set(); s.add(x[0]); return 3 in s
d = {}; d[x[0]] = x; return d[x[0]]
d = {}; d.setdefault(x[0], []).append(1); return len(d)
d = {3: 1}; return d.pop(x[0], 0)
d = {3: 1}; del d[x[0]]; return len(d)
d = collections.defaultdict(int); d[x[0] % 2] += 1; return d[1]
d = {}; d.update({x[0]: 1}); return len(d)
d = {}; d[0, x[0]] = 1; return d.get((0, 3), 0)
x = np.float32(x[0]); return x in {3}
x = x.max(axis=0); return x in {7}
x = np.sqrt(x[0]); return x in {2}
x = x[0] if x[1] > 3 else x.sum(); return x in {3}
x = x[0] if x[1] > 3 else np.array(3); return x in {3}
"""
#: NumPy raises a TypeError for each of them: arrays are no keys.
UNHASHABLE = """
return x in {3, 7}
return {x: 1}
return len({x[:1], x[1:]})
return hash(x)
return {3: 1}.get(x, 0)
return np.array(3) in {3}
return np.where(x[0] > 2, x[0], 0) in {3}
return {(x, 0): 1}
return doubled(x)
"""
#: What asks for no hash of such a number, or of one that is known.
KEPT = """
return x * 2 if any(x[0] == k for k in (3, 7)) else x
return {3: 1.0, 4: 2.0}.get(x.shape[0], 0.0) * x
return x * 2 if x.ndim in {1, 2} else x
return np.unique(x)
return doubled.__wrapped__(x.sum())
return halved(float(x[0]))
return x * doubled(x.shape[0])
d = {i: v for i, v in enumerate(x)}; return d[1]
d = {}; d[0, 1] = x; return d.get((0, 1), 0)
return x * {2: 3}[np.arange(3)[2]]
return x * (3 in set(np.array([3, 4])))
return len({id: x[0]}) * x
"""


def rows(text: str) -> list[str]:
    return [line for line in text.strip().splitlines() if line]


def program(body: str) -> Any:
    text = f"def f(x):\n    {body}\n"
    file = f"<{body}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module = dict(NAMES)
    exec(compile(text, file, "exec"), module)
    return module["f"]


@pytest.mark.parametrize("body", rows(LOOKED_UP))
@pytest.mark.parametrize("x", [V, np.arange(12.0)], ids=["short", "long"])
def test_a_number_that_only_the_program_knows_is_no_key(body: str, x: Any) -> None:
    f = program(body)
    for attempt in (lambda: tl.symbolic_trace(f, (x,)), lambda: tl.check(f, (x,), to="numpy", vary=True)):
        with pytest.raises(tl.UnsupportedError, match="hash of a number") as error:
            attempt()
        assert error.value.span is not None and error.value.span.file == f"<{body}>"
        assert "any(v == k for k in (3, 7))" in str(error.value.hint)


def two_sum(x: Any) -> Any:
    seen: dict[Any, int] = {}
    for i, v in enumerate(x):
        if 9 - v in seen:
            return seen[9 - v], i
        seen[v] = i
    return -1, -1


def groups(x: Any) -> Any:
    found: dict[Any, list[Any]] = {}
    for v in x:
        found.setdefault(v % 2, []).append(v)
    return len(found)


def without_doubles(x: Any) -> Any:
    seen, out = set(), []
    for v in x:
        if v not in seen:
            seen.add(v)
            out.append(v)
    return np.array(out)


def counts(x: Any) -> Any:
    found: dict[Any, int] = {}
    for v in x:
        found[v] = found.get(v, 0) + 1
    return list(found.values())


def longest_run(x: Any) -> Any:
    held, best = set(x), 0
    for v in x:
        if v - 1 not in held:
            best = max(best, 1)
    return best


@pytest.mark.parametrize("fn", [two_sum, groups, without_doubles, counts, longest_run])
@pytest.mark.parametrize("x", [V, np.array([3, 3, 2]), np.array([2.0, 7.0, 11.0] * 4)])
def test_programs_that_remember_numbers_are_refused(fn: Any, x: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="hash of a number"):
        tl.transpile(fn, (x,), to="numpy")


@pytest.mark.parametrize("body", rows(UNHASHABLE))
def test_an_array_is_unhashable_as_it_is_in_numpy(body: str) -> None:
    f = program(body)
    with pytest.raises(TypeError) as wanted:
        f(V)
    with pytest.raises(TypeError) as found:
        tl.symbolic_trace(f, (V,))
    assert str(found.value) == str(wanted.value)


@pytest.mark.parametrize("body", ["return x in {3, 7}", "return x[0] in {3, 7}", "return doubled(x.sum())"])
def test_an_array_is_unhashable_as_it_is_in_jax(body: str) -> None:
    f = program(body)
    with pytest.raises(TypeError) as wanted:
        f(J)
    with pytest.raises(TypeError) as found:
        tl.symbolic_trace(f, (J,))
    assert str(found.value) == str(wanted.value)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("body", rows(KEPT))
def test_what_is_known_may_be_a_key(body: str, to: str) -> None:
    assert tl.check(program(body), (V,), to=to, vary=True).ok


def caught(x: Any) -> Any:
    try:
        hash(x)
    except TypeError:
        return x + 1
    return x - 1


def test_that_an_array_is_unhashable_is_not_caught() -> None:
    with pytest.raises(tl.UnsupportedError, match="the form of the example raises it"):
        tl.transpile(caught, (V,), to="numpy")


#: Tensors are keys by what they are, not by what they hold.
TENSORS = """
return x * 2 if x[0] in {3, 7} else x
return {3: 1}.get(x[0], 0) * x
return x * len({x[0], x[0]})
y = x * 2; d = {x: 3, y: 4}; d[y] += 1; return d[x] * x + d[y] * y
y = x * 1; seen = {y}; y += 1; return x * 2 if y in seen else x
return x * {(x, 0): 5}[x, 0]
return x * {id: 5}[id]
return doubled(x)
"""


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("body", rows(TENSORS))
def test_a_tensor_is_a_key_by_its_identity(body: str, to: str) -> None:
    doubled.cache_clear()
    assert tl.check(program(body), (T,), to=to, vary=True).ok


@pytest.mark.parametrize("body", ["return float(x[0]) in {3, 7}", "return {x[0].item(): 1}[3]"])
@pytest.mark.parametrize("x", [T, J], ids=["torch", "jax"])
def test_a_number_taken_out_of_a_tensor_is_no_key(body: str, x: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="hash of a number"):
        tl.symbolic_trace(program(body), (x,))


@pytest.mark.parametrize("body", ["return x[0] in [3, 7]", "return float(x[0]) in (3, 7)",
                                  "return x[0] in {1: 3}.values()"])  # fmt: skip
def test_a_list_says_how_else_to_look_into_it(body: str) -> None:
    with pytest.raises(tl.UnsupportedError, match="any\\(v == k for k in \\(3, 7\\)\\)"):
        tl.symbolic_trace(program(body), (V,))


@pytest.mark.parametrize("body", ["return doubled(x.sum())", "return [doubled(v) for v in x]"])
def test_a_cache_asks_for_the_hash_of_a_number_too(body: str) -> None:
    with pytest.raises(tl.UnsupportedError, match="hash of a number") as error:
        tl.symbolic_trace(program(body), (V,))
    assert "doubled.__wrapped__" in str(error.value.hint)


def many(x: Any) -> Any:
    calls = []

    @functools.cache
    def once(v: Any) -> Any:
        calls.append(v)
        return v * 2

    for v in x:
        once(float(v))
    return len(calls)


def many_floats(x: Any) -> Any:
    y = x * 1

    @functools.cache
    def once(v: Any) -> Any:
        y[0] += 1
        return v * 2

    for v in x:
        once(float(v))
    return y


@pytest.mark.parametrize("fn", [many, many_floats, program("return [told(float(v)) for v in x]")])
def test_a_cache_around_what_does_something_is_refused(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="under a cache"):
        tl.symbolic_trace(fn, (V,))


#: Each looks up a string that has a number in it which only the running program knows.
WRITTEN = """
return {"3": 1}.get(str(x[0]), 0)
return {str(x[0]): 1}["3"]
return {"3": 1}[repr(x[0])]
return str(x[0]) in {"3"}
return {(str(x[0]), 1): 4}.get(("3", 1), 0)
return (f"{x[0]}", 1) in [("3", 1)]
return {"a3": 1}.get("a" + str(x[0]), 0)
return {"3a": 1}.get(str(x[0]) + "a", 0)
return {"33": 1}.get(str(x[0]) * 2, 0)
return {"a3": 1}.get("a%s" % x[0], 0)
return {"a3": 1}.get("a{}".format(x[0]), 0)
return {"a3": 1}.get("".join(["a", str(x[0])]), 0)
return {"a3": 1}.get(f"a{x[0]}", 0)
return {"  3": 1}.get(f"{x[0]:{x.ndim + 2}}", 0)
s = "a"; s += str(x[0]); return {"a3": 1}.get(s, 0)
return len({f"{v}" for v in x})
return len(set(map(lambda v: f"{v}", x)))
return len(collections.Counter(str(v) for v in x))
return ["3"].index(str(x[0]))
return ["3"].count(f"{x[0]}")
return dict(a=1).get(f"a{x.sum()}", x)
return {f"{x[0]}": x}
d = {}; d[str(x[0])] = x; return d
return [str(x[0])] == ["3"]
return {"a": str(x[0])} == {"a": "3"}
return hash(f"{x[0]}")
return doubled(f"{x[0]}")
"""


@pytest.mark.parametrize("body", rows(WRITTEN))
def test_a_string_with_such_a_number_in_it_is_no_key(body: str) -> None:
    with pytest.raises(tl.UnsupportedError) as error:
        tl.transpile(program(body), (V,), to="numpy")
    assert error.value.span is not None


@pytest.mark.parametrize("body", ["return {f'a{x.shape[0]}': 5}['a3'] * x",
                                  "return {f'{x.ndim}': x, str(x.ndim + 1): 1}['1']"])  # fmt: skip
def test_a_string_of_what_is_known_is_one(body: str) -> None:
    assert tl.check(program(body), (V,), to="numpy", vary=True).ok


def matched(x: Any) -> Any:
    match x[0]:
        case 3:
            return x
        case 7:
            return -x
    return x * 0


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_a_pattern_compares(to: str) -> None:
    assert tl.check(matched, (V,), to=to, vary=True).ok
