"""What is a number of NumPy's in the example and a row for arrays of more axes: a row is seen to change, a
copy of it is not, however the program makes that copy, or that view.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import importlib.util
import pathlib
import sys
import types
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

#: Copies, views, and what does nothing, of `{}`.
BOTH = """{} * 1; 1 * {}; {} / 1; {} - 0; {} ** 1; {} // 1; -(-{}); +{}; {} + 0; {}; {}.T; {}.real
    {}.squeeze()
    {}[...]; {}.reshape(-1)[0]; {}.reshape({}.shape); copy.deepcopy({}); ({} * 1).T; ({} * 1) * 1; {}.real * 1
    twice({}); once({}); [{} * 1][0]; (lambda v: v * 1)({}); {}.reshape(-1) * 1; {}[None] * 1
    {}.reshape(-1)[:1] * 1; {}.ravel() / 1"""
OF = {
    "numpy": """np.positive({}); np.copy({}); np.array({}); np.asarray({}); {}.copy(); {}.astype({}.dtype)
    {}.astype({}.dtype, copy=False); np.real({}); np.real({}) * 1; np.imag({}); {}.view(); {}[()]; {}.conj()
    np.transpose({}); np.squeeze({}); np.squeeze({} * 1); np.clip({}, None, None); np.atleast_1d({})[0]
    np.expand_dims({}, 0)[0]; np.broadcast_to({}, {}.shape); np.reshape({}, {}.shape); {}.T.real
    np.asarray({}.real); np.asarray({}) * 1; np.maximum({}, {}); np.add({}, 0); np.multiply({}, 1)
    np.sum({}, axis=()); np.where(True, {}, {}); np.nan_to_num({}); {}.ravel()[0]
    np.reshape({}, (-1,)); np.expand_dims({}, 0); np.ravel({}); {}.ravel(); {}.flatten()
    np.take(a, 0, axis=0); a.take(0, 0); (a * 1)[0]; a.astype(a.dtype)[0]; np.power({}, 1)
    np.subtract({}, 0); np.atleast_1d({}); np.expand_dims({}, 0) * 1; np.broadcast_to({}, (1,)) * 1""",
    "torch": """torch.positive({}); {}.clone(); {}.detach(); {}.to({}.dtype); {}.double(); torch.real({})
    {}.contiguous(); torch.squeeze({} * 1); {}.unsqueeze(0)[0]; {}.expand_as({}); {}.view_as({}); {}.mul(1)
    torch.div({}, 1); {}.view({}.shape); torch.conj({}); torch.clamp({}, None, 9.0); {}.type_as({})
    torch.where(torch.tensor(True), {}, {}); {}.reshape(-1); {}.ravel(); {}.flatten(); {}.unsqueeze(0)
    {}.view(-1); a.flip(0)[-1]; (a * 1)[0]; {}.pow(1); {}.neg().neg(); {}.div(1); {}[None]""",
}
PROGRAMS = {
    "swapped": "t = {a[0]}\n    a[0] = a[1]\n    a[1] = t\n    return a, t",
    "bubbled": """\
for i in range(len(a) - 1):
        t = {a[i]}
        a[i] = a[i + 1]
        a[i + 1] = t
    return a""",
    "augmented": "t = {a[0]}\n    t += 5\n    return a, t",
    "read": "t = {a[0]}\n    a[0] = a[1] + 5\n    return t",
    "moved": "t = {a[0]}\n    a += 1\n    return t",
    "augmented before": "t = a[0]\n    t += 1\n    u = {t}\n    a += 5\n    return u, a",
    "of sums": "s = a.sum(0)\n    t = {s}\n    t *= 5\n    return s, t",
    "largest": """\
best = a[0] * 1
    for v in a:
        if v.sum() > best.sum():
            best = {v}
    a[:] = 0
    return best""",
}
EXPRESSIONS = {
    (framework, e.strip())
    for framework in OF
    for e in (BOTH + "\n" + OF[framework]).replace("\n", ";").split(";")
}
HEAD = """\
import copy

import numpy as np
import torch


def twice(x):
    y = x * 1
    return y - 0


def once(x):
    return x * 1
"""
V = np.array([3.0, 1.0, 2.0])
M = np.array([[3.0, 5.0], [1.0, 7.0], [2.0, 2.0]])
GIVEN = (V, M, M[:, :1], np.arange(12.0).reshape(3, 2, 2))


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> types.ModuleType:
    """All programs, in a file."""
    parts = [HEAD]
    for framework, expression in sorted(EXPRESSIONS):
        for name, body in PROGRAMS.items():
            before, _, rest = body.partition("{")
            of, _, after = rest.partition("}")
            text = before + expression.replace("{}", of) + after
            parts.append(f"\n\ndef {named(framework, expression, name)}(a):\n    {text}\n")
    path: pathlib.Path = tmp_path_factory.mktemp("programs") / "rows_or_numbers.py"
    path.write_text("".join(parts))
    spec = importlib.util.spec_from_file_location("rows_or_numbers", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["rows_or_numbers"] = module
    spec.loader.exec_module(module)
    return module


def named(framework: str, expression: str, name: str) -> str:
    return f"{name.replace(' ', '_')}_{framework}_{sorted(EXPRESSIONS).index((framework, expression))}"


def results(fn: Any, given: np.ndarray, framework: str) -> list[np.ndarray]:
    """What a function gives, and what it leaves in its argument."""
    array = convert(given.copy(), framework)
    found = fn(array)
    return [to_numpy(each) for each in (*(found if isinstance(found, tuple) else (found,)), array)]


@pytest.mark.covering
@pytest.mark.parametrize(
    "name", [n if n == "swapped" else pytest.param(n, marks=pytest.mark.slow) for n in PROGRAMS]
)
@pytest.mark.parametrize(("framework", "expression"), sorted(EXPRESSIONS))
def test_rows_and_numbers_are_copied_or_seen(
    framework: str, expression: str, name: str, programs: types.ModuleType
) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = getattr(programs, named(framework, expression, name))
    for example in (V, M):
        try:
            results(fn, example, framework)
        except Exception:
            continue  # the program itself fails
        for to in ("numpy", "torch"):
            try:
                out = tl.transpile(fn, to=to, args=(convert(example, framework),))
            except tl.TraceError:
                continue
            for given in GIVEN:
                try:
                    expected = results(fn, given, framework)
                except Exception:
                    continue  # it takes no such array
                try:
                    found = results(out, given, to)
                except (AssertionError, TypeError, ValueError):  # NumPy writes no array into a number
                    assert given is not example
                    continue
                for one, other in zip(expected, found, strict=True):
                    np.testing.assert_array_equal(
                        other, one, f"to {to} of {given.shape}:\n{out.source}", strict=True
                    )


def chosen(x):
    t = (x[0] if x.sum() > 0 else x[2]) * 1
    x[0] = 7
    x[2] = 8
    return t, x


def negated_twice(x):
    t = -(-(x[0] if x.sum() > 0 else x[2]))
    x[:] = 7
    return t, x


def chosen_or_a_number(x):
    t = (x[0] if x[-1].sum() > 0 else 1.0) * 1.0
    x[0] = 7
    return x * t


def first(x):
    return x[0]


def by_a_helper(x):
    t = first(x) * 1
    x[0] = 7
    return t, x


def scaled_rows(x):
    for i in range(len(x)):
        p = x[i] * 1
        x[i] = x[i] / p
        x[-1] = p
    return x


LATER = (chosen, negated_twice, chosen_or_a_number, by_a_helper, scaled_rows)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("framework", ["numpy", "torch"])
@pytest.mark.parametrize("fn", LATER, ids=lambda fn: fn.__name__)
def test_what_is_left_out_is_not_read_later(fn, framework: str, to: str) -> None:
    for example in (V, M):
        try:
            out = tl.transpile(fn, to=to, args=(convert(example, framework),))
        except tl.TraceError:
            assert example is M or fn in (chosen_or_a_number, by_a_helper)
            continue
        for given in GIVEN:
            expected = results(fn, given, framework)
            try:
                found = results(out, given, to)
            except AssertionError:
                assert given is not example
                continue
            for one, other in zip(expected, found, strict=True):
                np.testing.assert_array_equal(other, one, out.source)
