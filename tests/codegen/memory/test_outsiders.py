"""Arguments that share memory, and results that would: as in the program, or checked."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

V = np.arange(6.0, dtype=np.float32) - 2
PROGRAMS = {
    "numpy": [
        "s = x.sum(); y[0] = 100.0; t = x.sum(); return s, t, y",
        "y[0] = 100.0; return x * 2, y",
        "r = x[1:] * 2; y += 1; return r + x[1:], y",
        "z = x + y; y[:] = 0; return z, x, y",
        "v = x[1]; y[1] = 7; return v + x, y",
        "m = x > 0; y[m] = 5; return x * 1, m, y",
        "a = x - y; x *= 2; b = x - y; return a, b, x",
        "y[0] = x.max(); y[1] = x.max(); return x, y",
        "u = x * 1.5; y[0] = 3; w = x * 1.5; return u, w, y",
        "s = np.flip(x); y[0] = 100.0; return s * 1, y",
        "s = np.flip(np.flip(x)); y[0] = 100.0; return s * 1, y", "s = x[::-1][::-1]; y += 1; return s, y",
        "t = x.copy(); x[:] = y; y[:] = t; return x, y",
        "k = y * 1; o = y.copy(); y[0] = 3; q = y; y = y * 2; x[0] += 1; return q + o + k, x",
        "for i in range(3): y[i] = x[i] * 2 + 1; return x.sum(), y",
    ],
    "torch": [
        "s = torch.softmax(x, 0); y[0] = 100.0; t = torch.softmax(x, 0); return s, t, y",
        "s = x.flip(0); y[0] = 100.0; return s, y",
        "v = x[1]; y[1] = 7; return v + x, y",
        "z = x.sum() + y.add_(1).sum(); return z, y",
        "x.mul_(2).add_(y); return x + y",
    ],
}


def program(body: str) -> Any:
    lines = [line.strip() for line in body.split("; ")]
    text = "def f(x, y):\n" + "".join(f"    {line}\n" for line in lines)
    file = f"<outsiders {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module = {"np": np, "torch": torch}
    exec(compile(text, file, "exec"), module)
    return module["f"]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("source", "body"), [(s, b) for s, bodies in PROGRAMS.items() for b in bodies])
def test_an_array_given_twice(source: str, body: str, to: str) -> None:
    f = program(body)
    out = tl.transpile(f, [convert(V, source), convert(V, source)], to=to)
    for shared in (False, True):
        mine, theirs = ([convert(V, name) for _ in range(2)] for name in (source, to))
        if shared:
            mine, theirs = mine[:1] * 2, theirs[:1] * 2
        expected = f(*mine)
        try:
            got = out(*theirs)
        except AssertionError:
            assert shared and ("may_share_memory" in out.source or "data_ptr" in out.source)
            continue
        found = [*compare(expected, got, kind="reduction"), *compare(mine, theirs)]
        assert not found, f"{shared}: {found[0]}\n{out.source}"


def test_in_jax_arguments_must_be_apart() -> None:
    f = program("y[0] = 100.0; return x * 2, y")
    assert "Arguments must not share memory" in tl.transpile(f, (V, V.copy()), to="jax").source
    for args in ((V, V), (V[:2], V[1:])):
        with pytest.raises(tl.UnsupportedError, match="shares memory with x in the example"):
            tl.transpile(f, args, to="jax")
    assert "memory" not in tl.transpile(program("x = x * 2; return x + y"), (V, V), to="jax").source


LEFT_EARLY = [
    "for v in x:\n        y[0] += v\n        if v > 1: break\n    return y * 1",
    "for k in range(3):\n        y[k] = x[k] * 2\n        if x[k] > 3: return x.sum()\n    return y.sum()",
    "n = 0\n    while x[0] < 5:\n        y[0] += 1\n        n += 1\n        if n > 10: break\n    return n",
    "if x[0] > 0:\n        y[0] = 7\n        return x[0] * 2\n    return x[1]",
    "for v in x:\n        if v > 1:\n            y *= x\n            return y * 1\n    return y * 1",
]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("body", LEFT_EARLY)
def test_what_is_left_early_and_written_into_is_checked_to_be_apart(body: str, to: str) -> None:
    """There the array takes its new value at the end, so that nothing read before may be part of it."""
    f, ints = program(body), np.array([1, 2, 0])
    out = tl.transpile(f, (ints.copy(), ints + 1), to=to)
    for shared in (False, True):
        mine, theirs = ([convert(ints.copy(), name), convert(ints + 3, name)] for name in ("numpy", to))
        if shared:
            mine, theirs = mine[:1] * 2, theirs[:1] * 2
        try:
            got = out(*theirs)
        except AssertionError:
            assert shared and ("may_share_memory" in out.source or "data_ptr" in out.source)
            continue
        found = [*compare(f(*mine), got), *compare(mine, theirs)]
        assert not found, f"{found[0]}\n{out.source}"


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("body", LEFT_EARLY)
def test_an_example_that_shares_memory_is_not_refused_by_the_text(body: str, to: str) -> None:
    f, ints = program(body), np.array([1, 2, 0])
    try:
        out = tl.transpile(f, (ints, ints), to=to)
    except tl.UnsupportedError as caught:
        assert "x and y share memory in the example" in str(caught) and caught.span is not None
        return
    mine, theirs = ints.copy(), convert(ints.copy(), to)
    assert not list(compare(f(mine, mine), out(theirs, theirs)))
    assert not list(compare(mine, theirs))


RESULTS = [
    (lambda x: x.copy(), "numpy"), (lambda x: x * 1, "numpy"), (lambda x: (x, x * 1, x[1:]), "numpy"),
    (lambda x: {"a": x.flatten(), "b": x.reshape(-1)}, "numpy"),
    (lambda x: [np.array(x), np.asarray(x)], "numpy"),
    (lambda x: (x + 1, (x + 1).copy()), "numpy"), (lambda x: (x.clone(), x.detach()), "torch"),
    (lambda x: (x.flip(0), x + 0), "torch"), (lambda x: x.float().clone().view(-1), "torch"),
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("number", range(len(RESULTS)))
def test_what_a_caller_writes_into_results_changes_nothing_else(number: int, to: str) -> None:
    fn, source = RESULTS[number]
    mine, theirs = convert(V, source), convert(V, to)
    expected, got = fn(mine), tl.transpile(fn, (convert(V, source),), to=to)(theirs)
    for result in (expected, got):
        first = next(iter(result.values())) if isinstance(result, dict) else result
        first = first[0] if isinstance(first, (tuple, list)) else first
        first[...] = 7.0
    assert not list(compare(mine, theirs)) and not list(compare(expected, got))


#: Programs that write into an argument, and what of it they give: itself, or memory of its own.
WRITTEN = {
    "numpy": [
        "x[0] = 4; return x[1:] * 1", "x[0] = 4; return x.T * 1", "x += 1; return x.reshape(-1) / 1",
        "for i in range(12): x[0] += i; return x[1:] * 1", "x[0] = 4; return np.moveaxis(x[None], 0, 1) ** 1",
        "x[0] = 4; z = x * 1; return z, z.T * 1", "z = x + 1; z[0] = 4; return z, z.T * 1, z[1:]",
        "v = x * 2; w = x.reshape(-1); w[:] = v[::-1]; return x, v", "x.T[...] = x.T[::-1] * 2; return x",
        "while x[0] < 5:\n        x[0] = x[0] + 1\n        if x[1] > 3: break\n    return x",
    ],
    "torch": [
        "x[0] = 4; return x[1:] * 1", "x[0] = 4; return x.conj() * 1", "x.add_(1); return x.view(-1) * 1",
        "v = x * 2; w = x.view(-1); w.copy_(v.flip(0)); return x, v", "a, b = x.chunk(2); a += 1; return x",
        "while x[0] < 5:\n        x[0] += 1\n        if x[1] > 3: break\n    return x",
    ],
}  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("source", "body"), [(s, b) for s, bodies in WRITTEN.items() for b in bodies])
def test_what_is_given_of_an_argument_that_is_written_into(source: str, body: str, to: str) -> None:
    f = program(body)
    out = tl.transpile(f, (convert(V, source), convert(V, source)), to=to)
    mine, theirs = ([convert(V, name), convert(V, name)] for name in (source, to))
    expected, got = f(*mine), out(*theirs)
    mine[0][...] = theirs[0][...] = 100.0  # which shows in what is part of it
    assert not [*compare(expected, got), *compare(mine, theirs)], out.source
    for result in (expected, got):
        (result[0] if isinstance(result, tuple) else result)[...] = 7.0
    assert not [*compare(expected, got), *compare(mine, theirs)], out.source


def test_a_number_is_not_copied_for_fear_of_a_write() -> None:
    f = program("n = len(y)\n    for i in range(n - 2, n):\n        y[i] = 0\n        x[i] = 0\n    return y")
    for to in ("numpy", "torch"):
        out = tl.transpile(f, (convert(V, "numpy"), convert(V, "numpy")), to=to)
        assert "copy" not in out.source and "clone" not in out.source
        mine, theirs = ([convert(V, name), convert(V, name)] for name in ("numpy", to))
        assert not [*compare(f(*mine), out(*theirs)), *compare(mine, theirs)]


def written_by_items(params, grads, decay):
    for p, g in zip(params, grads):
        if decay:
            g = g + p
        p -= g
    return params


def written_one_after_another(arrays):
    rows = [a.reshape(-1) for a in arrays]
    for row in rows:
        row *= 2
    return arrays


@pytest.mark.parametrize("count", [2, 3, 12])
@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_arrays_of_lists_are_asked_for_together(to: str, count: int) -> None:
    apart = {
        "numpy": ("assertnotany(np.may_share_memory(a,b)for", "np.may_share_memory("),
        "torch": ("assertall(a.untyped_storage().data_ptr()!=b", "data_ptr()!="),
    }

    def arrays(name: str) -> list[Any]:
        return [convert(V[: 2 + n % 3].copy(), name) for n in range(count)]

    for fn, args, loops in (
        (written_by_items, lambda name: [arrays(name), arrays(name), 1], "for a in grads"),
        (written_one_after_another, lambda name: [arrays(name)], "for i, a in enumerate(arrays)"),
    ):
        out = tl.transpile(fn, args("numpy"), to=to)
        if count > 2:
            several, single = apart[to]
            text = "".join(out.source.split())
            assert several in text and text.count(single) == 1 and loops.replace(" ", "") in text, out.source
        mine, theirs = args("numpy"), args(to)
        assert not [*compare(fn(*mine), out(*theirs)), *compare(mine, theirs)]
        base = convert(V.copy(), to)
        theirs = args(to)
        theirs[-2 if len(theirs) > 2 else 0][0] = theirs[0][-1] = base
        with pytest.raises(AssertionError):
            out(*theirs)
