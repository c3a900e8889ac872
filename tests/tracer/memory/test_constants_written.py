"""Arrays that outlive the call: a program that writes into one, however it gets at the memory, is refused,
and the array is what it was; one that only reads it, or writes into a copy, is translated.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import importlib.util
import textwrap
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends import measure
from tracelate.backends.arrays import convert, to_numpy
from tracelate.backends.memory import WRITTEN, gives
from tracelate.ir.analysis.outside import NEW

HEAD = """
import copy, ctypes, random, struct
import numpy as np, torch
from numpy.lib.stride_tricks import as_strided
def viewed(x, w):
    return np.reshape(w, -1)
def adding(w, x):
    w += x
    return w
def made(w):
    return w.copy()
def f(x):
"""
#: Ways of writing into a constant; `x` is as long as W and T.
NUMPY = """
b = np.asarray(W); b += x; return x + W[0]
b = np.asarray(W); b -= b.mean(); return x * b
b = np.asanyarray(W); b[0] = 5; return x + W[0]
b = np.ascontiguousarray(W); b += x; return x + W[0]
b = np.squeeze(W); np.add(b, x, out=b); return x + W[0]
b = np.ravel(W); np.copyto(b, x); return x + W[0]
b = np.reshape(W, (-1,)); np.add.at(b, [0], x[0]); return x + W[0]
b = np.swapaxes(M, 0, 1); b[0] = x; return x + M[0, 0]
b = np.split(W, [1]); b[0][0] = 9; return x + W[0]
b = np.nan_to_num(W, copy=False); b += x; return x + W[0]
np.nan_to_num(NAN, copy=False); return x + NAN[0]
np.nan_to_num(NAN, False); return x + NAN[0]
b = np.array(W, copy=None); b += x; return x + W[0]
np.asarray(W)[0] += x[0]; return x + W[0]
np.asarray(M)[0] += x[0]; return x + M[0, 0]
np.asarray(LIST[0])[0] += 1; return x + W[0]
b = W if x.sum() > 0 else x * 2; b += 1; return b
b = np.asarray(W) if x.sum() > 0 else x * 2; b[0] = x[0]; return b
for r in np.asarray(M): r += x[0]
for i in range(20): np.asarray(W)[0] += x[0]
i = int(x[0]); r = M[i]; r += x[0]; return x + M[0, 0]
r = M[x.argmax()]; r += x[0]; return x + M[0, 0]
b = viewed(x, W); b += 1; return x + W[0]
adding(W, x); return x + W[0]
adding(np.asarray(W), x); return x + W[0]
np.add(W, 1, W); return x + W[0]
np.clip(W, 2, 2, W); return x + W[0]
np.cumsum(W, out=W); return x + W[1]
np.add.reduce(M, axis=1, out=W); return x + W[0]
W.flat[0] += 3; return x + W[0]
b = W.flat; b[:] = 1; return x + W[0]
b = W.data; b[0] = 7.; return x + W[0]
b = memoryview(W); b[0] = 7.; return x + W[0]
np.put(W, 0, 5); return x + W[0]
W[::-1].sort(); return x + W[0]
W.fill(2); return x + W[0]
ZERO.__imul__(-1); return x + ZERO[0]
np.add.at(W, 0, 1); return x + W[0]
struct.pack_into("f", W, 0, 9.); return x + W[0]
struct.pack_into("f", W[:], 0, 9.); return x + W[0]
struct.pack_into("f", W.data, 0, 9.); return x + W[0]
random.Random(0).shuffle(W); return x + W[0]
random.Random(0).shuffle(W[:]); return x + W[0]
W.setflags(write=False); return x + W[0]
W.shape = (-1, 1); return x + W[0, 0]
W.dtype = np.int32; return x + W[0]
M.strides = (4, 4); return x + M[1, 1]
W.resize((2, 2), refcheck=False); return x + W[0, 0]
W.real = 3; return x + W[0]
W.flat = 3; return x + W[0]
W.real[...] = 3; return x + W[0]
as_strided(W)[0] = 3; return x + W[0]
for v in np.nditer(W, op_flags=["readwrite"]): v[...] = 3
b = np.nditer(W, op_flags=["readwrite"]); b[0] = 3; return x + W[0]
b = W.ctypes.data_as(ctypes.POINTER(ctypes.c_float)); b[0] = 3.; return x + W[0]
np.ctypeslib.as_ctypes(W)[0] = 3.; return x + W[0]
np.ndarray.__setitem__(W, 0, 5); return x + W[0]
setattr(W, "shape", (-1, 1)); return x + W[0, 0]
BASE.flat[0] = 3; return x + W[0]
a = W[:]; a += x; return a
a = W.T; a += x; return a
a = M.reshape(-1); a[0] = x[0]; return a
a = [W, W * 2]; a[0] += x; return a[0]
a = [W * 2, W][-1]; a += x; return a
a = W * 2 if len(x) > 9999 else W; a += x; return a
a = {"w": W}; b = dict(a); b["w"] += x; return b["w"]
"""
#: Arrays that Python makes of constants while tracing, and that the program then writes into.
MADE = r"""
a = W.copy(); a += x; return a
a = W * 2; a += x; return a
a = -W; a -= x; return a
a = 0; a += W; a = a + W; a += x; return a
a = sum(LIST); a *= x; return a
a = W.reshape(1, -1).copy(); a[0] += x; return a
a = W[::-1].copy(); a[1:] = x[1:]; return a
a = W * 1; a += 1; a[0] = x[0]; return a
a = W.astype(np.float64).astype(np.float32); a[x > 1] = 0; return a
a = np.zeros_like(W); a[0] = x[0]; return a
a = M.T.copy(); b = a.reshape(-1); b[:2] += x[:2]; return a + b[0]
a = M[:, [0, 1]]; a[0] += x[0]; return a
a = W.copy(); b = a[1:]; c = np.asarray(a); a += x; b[0] = 9; return a * 1, b * 1, c * 1
a = W.copy(); b = np.asarray(a); b += x; return x + b
a = W.copy(); b = np.asarray(a); a[0] = 7; return a * b + x
a = W.copy(); b = a; y = x + a; a += x; return b, y
a = W.copy(); y = np.stack([a, x]); a += x; return y, a
a = W * 2; s = float(a.sum()); n = a.shape[0]; a[0] = x[0]; return a * s + n
a = W.copy(); np.add(a, x, out=a); np.copyto(a[1:], x[1:]); return a
a = [W.copy()] * 2; a[0] += x; return a[1]
a = [r.copy() for r in M]; a[0] += x[0]; return a[0] + a[1]
a = copy.deepcopy(LIST); a[0] += x; return a[0] + W
a = copy.deepcopy({"a": {"w": W}}); a["a"]["w"] -= x; return a["a"]["w"]
a = made(W); b = made(W); a += x; return a, b
a = W.copy(); adding(a, x); return a
a = W.copy()\nfor i in range(12): a += x * i
a = W.copy()\nfor i in range(12): a[i % 3] = x[i % 3] + a[i % 3]
a = W.copy()\nfor i in range(12):\n  b = W * 2\n  b += x * i\n  a = a + b
a = W.copy()\nif x.sum() > 0: a[0] = 5\na[1] += 1
a = W.copy()\nwhile a[0] < 100: a += x
a = W.copy(); n = 0\nwhile n < 20:\n  a[0] += 1\n  n += 1\n  if x.sum() < n: x = x + 1
a = W.copy()\nfor i in range(20):\n  a[0] += 1\n  if x.sum() < a[0]: break\n  x = x - 1
a = W.copy()\nfor r in np.stack([x, x]):\n  a[0] += 1\n  if r.sum() > a[0]: x = x + r
"""
TORCH = """
T[0].add_(1); return x + T
b = T.reshape(-1); b.add_(x); return x + T
b = T.contiguous(); b.add_(x); return x + T
b = T.float(); b += x; return x + T
b = T.to(torch.float32); b[0] = 1; return x + T
b = T.unsqueeze(0); b.add_(x); return x + T
b = TM.t(); b.add_(1); return x + TM[0, 0]
b = torch.as_tensor(T); b.add_(x); return x + T
b = TM.chunk(2)[0]; b.add_(x[0]); return x + TM[0, 0]
b = TM.unbind(0)[0]; b.add_(x[0]); return x + TM[0, 0]
b = T.view(-1); b.add_(x); return x + b
b = T.detach(); b.add_(x); return x + b
b = T.type(torch.float32); b.add_(x); return x + b
b = T if x.sum() > 0 else x * 2; b.add_(1); return b
b = torch.frombuffer(W, dtype=torch.float32); b += 1; return x + b
torch.nn.functional.relu(TN, inplace=True); return x + TN
T.numpy()[0] += 5; return x + T
T.numpy().fill(3); return x + T
T.numpy().flat[0] = 5.; return x + T
T.view(-1).numpy()[0] = 5.; return x + T
np.asarray(T)[0] = 5; return x + T
memoryview(T.numpy())[0] = 5.; return x + T
torch.from_numpy(W)[0] = 1; return x + float(W[0])
T.resize_(2); return x + T[0]
TM.t_(); return x + TM[0, 0]
T.requires_grad_(); return x + T
T.requires_grad = True; return x + T
T.data = torch.zeros(3); return x + T
T.grad = torch.zeros_like(T); return x + T
T.set_(torch.zeros(3)); return x + T
T.tag = 3; return x + T
"""
#: Programs that only read constants, write into copies, or into arrays of their own.
FINE_NUMPY = """
b = np.asarray(W); return x * b.reshape(-1) + np.ravel(b)[0]
b = np.reshape(M, (-1,))[:2]; return x * b[1] + np.swapaxes(M, 0, 1)[0]
b = np.array(W); b += x; return b + W[0]
b = np.asarray(W, dtype=np.float64); b += 1; return x * b
b = W.copy(); b += 1; return x + b
b = W * 1; return x + b
b = np.copy(W); b += x; return b + W[0]
b = np.array([W, W]); b[0] = x; return b
b = np.array([x, W]); b[0] = 1; return b
b = np.diag(W); b += x[0]; return b
b = np.einsum("i,i->i", W, x * 2); b += x; return b
b = np.meshgrid(W, W)[0]; b += x[0]; return b
b = np.sort(W); b += x; return x * b
b = np.full_like(W, 2); b += x; return x * b
b = M[x.argsort()]; b[0] += x[0]; return b
np.nan_to_num(x, copy=False); return x + W[0]
a = W.copy(); y = x + a; a[0] = 5.; return y + a
a = W.copy(); y = x + a; a.sort(); a += 1; return y + a
a = W.copy(); y = x * a.reshape(-1); a.flat[0] = 3; return y + a
a = W.copy(); v = a[1:]; y = x[1:] + v; a[1] = 5.; return y + v
a = W.copy(); y = x + a; random.Random(0).shuffle(a); return y + a
k, m = np.broadcast_arrays(W, x); x[0] = 5; return k + m
return x + len(W) + sum(W.flat) + W.mean() + memoryview(W)[0]
"""
FINE_TORCH = """
b = T.view(-1); return x + b + T.reshape(-1) + TM.t()[0]
b = T.clone(); b.add_(x); return x + b
b = torch.clone(T); b += x; return x + b
b = T * 1; b += x; return x + b
b = torch.einsum("i,i->i", T, x); b += 1; return b
b = torch.stack([T, x]); b += 1; return b
a = W.copy(); y = x + torch.from_numpy(a); a[0] = 5.; return y + torch.from_numpy(a)
return x + float(T.numpy()[0])
"""


def rows(text: str) -> list[str]:
    return text.strip().splitlines()


def module(body: str, count: int, path: Path) -> Any:
    """A module with a program, and arrays for its globals: small ones and large."""
    text = body.replace("; ", "\n") + ("" if "return" in body else "\nreturn x + W[0] + M[0, 0]")
    (path / "program.py").write_text(HEAD + textwrap.indent(text, "    ") + "\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("program", path / "program.py")
    assert spec is not None and spec.loader is not None
    made: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    w = np.arange(1, count + 1).astype(np.float32)
    m = np.arange(2 * count).reshape(count, 2).astype(np.float32)
    made.W, made.M, made.LIST, made.BASE, made.ZERO = w, m, [w], w[:], w * 0
    made.NAN, made.T, made.TM, made.TN = w / 0, torch.tensor(w), torch.tensor(m), -torch.tensor(w)
    made.NAN[0] = np.nan
    return made


def held(made: Any) -> dict[str, Any]:
    """What the arrays of a module hold, and their form."""
    found: dict[str, Any] = {}
    for name, value in vars(made).items():
        if isinstance(value, np.ndarray):
            flags = value.flags.writeable, value.flags.aligned
            found[name] = value.shape, value.strides, value.dtype, flags, value.tobytes()
        elif isinstance(value, torch.Tensor):
            more = value.requires_grad, value.grad, dict(vars(value))
            found[name] = value.shape, value.stride(), more, value.detach().numpy().tobytes()
    return found


def example(framework: str, count: int) -> Any:
    x = np.arange(1, count + 1).astype(np.float32)
    return x if framework == "numpy" else torch.tensor(x)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


WRITING = [*(("numpy", row) for row in rows(NUMPY)), *(("torch", row) for row in rows(TORCH))]
OWN = [row.replace("\\n", "\n") + ("" if "return" in row else "\nreturn a + x") for row in rows(MADE)]
READING = [*(("numpy", row) for row in rows(FINE_NUMPY)), *(("torch", row) for row in rows(FINE_TORCH))]
FINE = [*READING, *(("numpy", row) for row in OWN)]


@pytest.mark.parametrize("count", [3, 2000])
@pytest.mark.parametrize(("framework", "body"), WRITING)
def test_a_constant_is_not_written_into(framework: str, body: str, count: int, tmp_path: Path) -> None:
    made = module(body, count, tmp_path)
    before = held(made)
    with pytest.raises(tl.TraceError) as caught:
        tl.transpile(made.f, example(framework, count), to=framework, source=framework)
    assert not isinstance(caught.value, tl.InternalError)
    assert "program.py" in str(caught.value)
    assert held(made) == before


@pytest.mark.parametrize("count", [3, 2000])
@pytest.mark.parametrize(("framework", "body"), FINE)
def test_what_only_reads_constants_is_translated(
    framework: str, body: str, count: int, tmp_path: Path
) -> None:
    made = module(body, count, tmp_path)
    before = held(made)
    translated = tl.transpile(made.f, example(framework, count), to=framework, source=framework)
    assert held(made) == before
    for _ in range(2):
        expected, found = made.f(example(framework, count)), translated(example(framework, count))
        assert isinstance(expected, tuple) is isinstance(found, tuple)
        several = isinstance(expected, tuple)
        for one, two in zip(expected, found) if several else [(expected, found)]:
            np.testing.assert_array_equal(np.asarray(one), np.asarray(two))
        for array in found if several else (found,):  # the text makes it anew at each call
            if np.asarray(array).flags.writeable:
                array[...] = -1
    assert held(made) == before


@pytest.mark.parametrize("to", ["torch", "jax"])
@pytest.mark.parametrize("body", OWN)
def test_what_python_makes_is_made_at_each_call(body: str, to: str, tmp_path: Path) -> None:
    made = module(body, 3, tmp_path)
    before = held(made)
    translated = tl.transpile(made.f, example("numpy", 3), to=to, source="numpy")
    for _ in range(2):
        expected, found = made.f(example("numpy", 3)), translated(convert(example("numpy", 3), to))
        for one, two in zip(expected, found) if isinstance(expected, tuple) else [(expected, found)]:
            np.testing.assert_allclose(one, to_numpy(two), rtol=1e-5)
    assert held(made) == before


def test_what_python_makes_beside_a_program_for_torch_is_told_as_that() -> None:
    w = np.ones(3, np.float32)

    def program(x):
        a = w.copy()
        b = torch.from_numpy(a)
        b += x
        return b

    with pytest.raises(tl.UnsupportedError, match="Python makes beside the program"):
        tl.transpile(program, (torch.ones(3),), to="torch")


SHARING = [
    (framework, name)
    for framework in measure.FRAMEWORKS
    for name in measure.callees(framework)
    if not name.startswith("helper.") and gives(framework, (name,)) not in (NEW, WRITTEN)
]


def views(framework: str, name: str) -> Iterator[tuple[Any, int | None, list[Any]]]:
    """Calls of a callee that give a view of a constant: the number of that among the results; the arrays."""
    for world in (("float32", (3, 3)), ("complex64", (2, 2, 2))):
        for number, (call, _) in enumerate(measure.calls(framework, name, world)):
            if number > 100:
                return
            try:
                made = call()
            except Exception:
                continue
            given = list(measure.flat([*call.args, *call.keywords.values()]))
            single = hasattr(made, "dtype")
            for i, part in enumerate([made] if single else made):
                shares = hasattr(part, "dtype") and any(measure.share(framework, part, a) for a in given)
                if shares and np.ndim(part) and getattr(getattr(part, "flags", None), "writeable", True):
                    yield call, None if single else i, given
                    break


@pytest.mark.parametrize(("framework", "name"), SHARING)
def test_no_call_gives_a_constant_to_be_written_into(framework: str, name: str) -> None:
    for number, (call, part, given) in enumerate(views(framework, name)):
        target, args, kwargs = call.func, call.args, call.keywords
        arrays = types.SimpleNamespace(**{f"a{i}": a for i, a in enumerate(given)})
        before = held(arrays)

        def program(x):
            made = target(*args, **kwargs)
            made = made if part is None else made[part]
            made[...] = x[0]
            return x + 1

        with pytest.raises(tl.TraceError) as caught:
            tl.transpile(program, example(framework, 3), to=framework, source=framework)
        assert not isinstance(caught.value, tl.InternalError), caught.value
        assert held(arrays) == before
        if number == 3:
            break


def test_most_of_these_calls_give_a_view_of_a_constant() -> None:
    called = [name for framework, name in SHARING if next(views(framework, name), None) is not None]
    assert len(called) > len(SHARING) * 0.6, [name for _, name in SHARING if name not in called]
