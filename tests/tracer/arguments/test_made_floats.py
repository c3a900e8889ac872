"""torch refuses arrays of two dtypes in `x @ w`, but not ints of which floats were made before,
`x @ (w * 0.5)`. What comes of these has the dtype that torch makes of ints, or they are refused.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
import linecache
from typing import Any

import pytest
import torch
import torch.nn.functional as F

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.ir.values.dtypes import float16, float32

pytestmark = [pytest.mark.usefixtures("wide"), pytest.mark.filterwarnings("ignore")]

X = torch.linspace(-1, 2, 12).reshape(3, 4)
W = torch.tensor([[4.0, 1, 1, 2], [1, 3, 1, 1], [1, 2, 4, 1], [1, 1, 1, 3]])
B = torch.tensor([1.0, 2, 3, 4])
CALLS = (
    "x @ {w}", "torch.matmul(x, {w})", "torch.bmm(x[None], {w}[None])", "torch.addmm({b}, x, w)",
    "torch.mv(x, {b})", "F.linear(x, {w})", "F.linear(x, w, {b})", "torch.einsum('ij,jk->ik', x, {w})",
    "torch.dot(x[0], {b})", "F.layer_norm(x, (4,), {b})", "F.layer_norm(x, (4,), b, {b})",
    "F.batch_norm(x, {b}, {b})", "F.batch_norm(x, b, {b})", "torch.linalg.solve({w}, x.T)",
    "torch.cross(x[:, :3], {w}[:3, :3], dim=1)", "F.conv1d(x[None], {w}[:, :3, None])",
    "torch.where(b > 2, x, 0) @ {w}", "(x + {b}) @ {w}", "(x @ {w}, b / 2)",
    "F.layer_norm(x + {b}, (4,), b), w / 2", "F.layer_norm(x + b, (4,), w[0]), {b}",
)  # fmt: skip
MADE = ("{} * 0.5", "{} / 2", "{}.sqrt()", "torch.exp({})", "({} + 0.5)", "{}.abs() ** 0.5")
DTYPES = ("int8", "int32", "int64", "float16", "float64", "bool")


def program(call: str, made: str) -> Any:
    text = "(" + call.replace("{w}", f"({made.format('w')})").replace("{b}", f"({made.format('b')})") + ")"
    source, file = f"def f(x, w, b):\n    return {text}\n", f"<made floats {text}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    module: dict[str, Any] = {"torch": torch, "F": F}
    exec(compile(source, file, "exec"), module)
    return module["f"]


def others() -> Any:
    """Some of the arrays in another dtype."""
    for dtype, mask in itertools.product(DTYPES, itertools.product([False, True], repeat=3)):
        yield tuple(a.to(getattr(torch, dtype)) if other else a for a, other in zip((X, W, B), mask))


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("call", CALLS)
def test_what_floats_are_made_of_agrees_or_is_refused(call: str, made: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    f = program(call, made)
    out: Any = tl.transpile(f, (X, W, B), to=to)
    for given in others():
        try:
            expected = f(*given)
            found = out(*(convert(a, to) for a in given))
        except (RuntimeError, AssertionError, ValueError, TypeError, IndexError):
            continue
        floats = float16 if any(a.dtype == torch.float16 for a in given) else float32
        wrong = list(compare(expected, found, kind="linalg", floats=floats))
        assert not wrong, f"{[str(a.dtype) for a in given]}: {wrong[0]}\n{out.source}"


def test_ints_are_refused_and_what_torch_refuses_needs_no_check() -> None:
    def scaled(x, w):
        return x @ (w * 0.5)

    def plain(x, w):
        return x @ w

    out: Any = tl.transpile(scaled, (X, W), to="numpy")
    assert "assert w.dtype in" in out.source, out.source
    with pytest.raises(AssertionError):
        out(X.numpy(), W.to(torch.int32).numpy())
    assert "w.dtype" not in tl.transpile(plain, (X, W), to="numpy").source
