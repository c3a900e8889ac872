"""Containers as arguments: given other items, or more, a text gives what the program gives, or raises."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy
from tracelate.ir.values.tree import leaves

X, Y, Z = (np.arange(3.0, dtype=np.float32) + i for i in range(3))


def added(ws):
    total = 0
    for w in ws:
        total = total + w
    return total


def mean(ws):
    return sum(ws) / len(ws)


def last(ws):
    return ws[-1]


def all_but_first(ws):
    return [w * 2 for w in ws[1:]]


def if_any(ws):
    if ws:
        return ws[0] * 2
    return np.zeros(3, np.float32)


def stacked(ws):
    return np.stack(ws).sum(0)


def unpacked(ws):
    a, *rest = ws
    return a * len(rest)


def enumerated(ws):
    return [w * i for i, w in enumerate(ws)]


def zipped(ws):
    return [a + b for a, b in zip(ws, ws)]


def spread(ws):
    return np.concatenate([*ws, ws[0]])


def joined(ws):
    return added(ws + [ws[0]])


def helped(ws):
    return added(ws)


def compared(ws):
    return ws[0] if len(ws) == 2 else ws[0] * 2


def tried(ws):
    try:
        return ws[0] + ws[2]
    except IndexError:
        return ws[0]


def sorted_out(ws):
    return sum(w for w in reversed(ws) if w.shape[0] == 3)


def shown(ws):
    return ws[0] * len(str(len(ws)))


LISTS = [
    added, mean, last, all_but_first, if_any, stacked, unpacked, enumerated, zipped, spread, joined, helped,
    compared, tried, sorted_out, shown,
]  # fmt: skip


def scaled(p):
    return p["w"] * p.get("scale", 1.0)


def maybe_biased(p):
    return p["w"] + p["bias"] if "bias" in p else p["w"] * 2


def unbiased(p):
    if "bias" not in p:
        return p["w"]
    return p["w"] + 1


def doubled(p):
    return {k: v * 2 for k, v in p.items()}


def in_order(p):
    return [p[k] for k in p]


def of_values(p):
    return sum(p.values())


def counted(p):
    return p["w"] * len(p)


def keyed(p):
    return p["w"] * (2 if p.keys() == {"w"} else 3)


def by_keywords(p):
    return keywords(**p)


def keywords(w, bias=0.0):
    return w + bias


def merged(p):
    return {**p, "more": p["w"]}


def handled(p):
    try:
        return p["w"] + p["bias"]
    except KeyError:
        return p["w"]


DICTS = [
    scaled, maybe_biased, unbiased, doubled, in_order, of_values, counted, keyed, by_keywords, merged,
    handled,
]  # fmt: skip


def run(fn: Any, args: Any, framework: str) -> Any:
    try:
        found = fn(*map_arrays(args, lambda a: convert(a, framework)))
    except Exception as error:
        return error
    if isinstance(found, dict):  # jax.jit puts keys in order
        found = dict(sorted(found.items()))
    return type(found), [np.asarray(to_numpy(v)) for v in leaves(found)]


def agree(one: Any, other: Any) -> bool:
    same = (list, tuple, dict)
    return (one[0] is other[0] or one[0] not in same) and len(one[1]) == len(other[1]) and all(
        a.shape == b.shape and np.allclose(a, b) for a, b in zip(one[1], other[1])
    )


def judge(fn: Any, examples: Any, inputs: Any, to: str) -> None:
    for example in examples:
        expected = run(fn, example, "numpy")
        if isinstance(expected, Exception):
            continue
        try:
            out = tl.transpile(fn, example, source="numpy", to=to)
        except tl.UnsupportedError:
            continue
        assert agree(expected, run(out, example, to)), out.source
        for given in inputs:
            expected, found = run(fn, given, "numpy"), run(out, given, to)
            if isinstance(found, Exception):
                known = (AssertionError, LookupError, TypeError, ValueError)  # of the text, or the target
                assert isinstance(found, known), (found, out.source)
            else:
                assert not isinstance(expected, Exception), out.source
                assert agree(expected, found), f"{example} {given}\n{out.source}"


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", LISTS, ids=lambda fn: fn.__name__)
def test_lists_of_another_length_agree_or_are_refused(fn: Any, to: str) -> None:
    judge(fn, [([X, Y],), ([X],)], [([],), ([X],), ([X, Y],), ([X, Y, Z],)], to)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", DICTS, ids=lambda fn: fn.__name__)
def test_dicts_of_other_keys_agree_or_are_refused(fn: Any, to: str) -> None:
    one, two, other = {"w": X}, {"w": X, "bias": Y}, {"w": X, "scale": Z}
    judge(fn, [(one,), (two,)], [(one,), (two,), (other,), ({**two, "scale": Z},)], to)


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_the_order_of_keys_counts_where_it_was_gone_through(to: str) -> None:
    judge(in_order, [({"w": X, "bias": Y},)], [({"bias": Y, "w": X},)], to)


def gathered(x, *rest, **named):
    return x + sum(rest) + sum(named.values())


def alone(x, *rest, **named):
    return x * 2


@pytest.mark.parametrize("fn", [gathered, alone])
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_arguments_without_a_name_are_counted(fn: Any, to: str) -> None:
    for args, kwargs in (((X,), {}), ((X, Y), {}), ((X,), {"z": Z})):
        out = tl.symbolic_trace(fn, args, kwargs).to(to)
        for more, named in (((X,), {}), ((X, Y), {}), ((X, Y, Z), {}), ((X,), {"z": Z}), ((X,), {"y": Z})):
            call = [convert(a, to) for a in more], {k: convert(v, to) for k, v in named.items()}
            if (len(more), set(named)) == (len(args), set(kwargs)):
                assert np.allclose(to_numpy(out(*call[0], **call[1])), fn(*more, **named))
            else:
                with pytest.raises(AssertionError):
                    out(*call[0], **call[1])


def part(p):
    return p["w"] + p["layers"][0]["w"]


def test_what_is_taken_by_a_constant_key_may_stand_beside_more() -> None:
    example = {"w": X, "layers": [{"w": Y}, {"w": Z}]}
    out = tl.transpile(part, (example,), to="numpy", source="numpy")
    assert "assert" not in out.source
    assert np.allclose(out({"w": X, "layers": [{"w": Y, "b": X}], "more": 1}), X + Y)


def test_the_texts() -> None:
    def body(fn: Any, example: Any, to: str = "numpy", **options: Any) -> str:
        text = tl.symbolic_trace(fn, (example,), source="numpy").source(to, **options)
        return text.split("def ", 1)[1].split(":\n", 1)[1]

    two = {"w": X, "bias": Y}
    assert body(mean, [X, Y]).endswith("    assert len(ws) > 0, len(ws)\n    return sum(ws) / len(ws)\n")
    assert body(doubled, two).startswith('    assert list(p) == ["w", "bias"], list(p)\n')
    assert body(doubled, two, "jax").startswith('    assert p.keys() == {"w", "bias"}, list(p)\n')
    assert body(scaled, two).startswith('    assert "scale" not in p, list(p)\n')
    assert body(maybe_biased, two).startswith('    assert "bias" in p, list(p)\n')
    text = body(mean, [X, Y], guards="raise")
    assert 'raise ValueError(f"mean was traced with len(ws) > 0, not {len(ws)}")' in text
