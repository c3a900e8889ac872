"""The forms of control flow that can be asked for: JAX without regions, and torch for torch.export."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from corpora import COMPILED, NAMES, PROGRAMS
from ways import agree, attempt, source_of

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays

pytestmark = pytest.mark.usefixtures("wide")

#: What torch cannot export: raising, and another dtype, in what is compiled; reading the numbers of two loops
#: in a branch; writing at an index that is an array without axes; and slices that move in a loop that may be
#: left.
REFUSED = {
    **COMPILED,
    "multi_ret": "the numbers of several loops",
    "at_numbers": "cannot write at an array without axes",
    "t_at_numbers": "cannot write at an array without axes",
    "column_by_its_own_rolled": "beside other indices",
    "picked": "one that arrays decide",
    "t_placed": "one that arrays decide",
    "places_in_order": "one that arrays decide",
    "histogram": "one that arrays decide",
    "cholesky": "beside other indices",
    "solved": "beside other indices",
    "first_large_window": "a slice with bounds",
    "the_large_window": "a slice with bounds",
}


def traced(fn: Any, inputs: list[tuple[Any, ...]]) -> tl.Traced:
    source = source_of(inputs[0])
    return tl.symbolic_trace(fn, map_arrays(inputs[0], lambda a: convert(a, source)), source=source)


@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS, ids=NAMES)
def test_jax_in_plain_python_agrees_on_every_way(fn: Any, inputs: list[tuple[Any, ...]]) -> None:
    if fn.__name__ in ("into_arg", "t_arg"):
        with pytest.raises(tl.UnsupportedError, match="not returned"):
            traced(fn, inputs).to("jax", x64=True, control="python")
        return
    out = traced(fn, inputs).to("jax", x64=True, control="python")
    assert "jax.lax" not in out.source and "jax.jit" not in out.source
    for args in inputs:
        expected = attempt(fn, args, source_of(args), arguments=False)
        found = attempt(out, args, "jax", arguments=False)
        assert agree(expected, found), f"{args}: {expected}, not {found}"


def root(a: torch.Tensor, tolerance: float = 1e-6) -> torch.Tensor:
    x = a
    while torch.max(torch.abs(x * x - a)) > tolerance:
        x = 0.5 * (x + a / x)
    return x


PYTHON = """\
import jax
import jax.numpy as jnp


def root(a: jax.Array, tolerance: float = 1e-6) -> jax.Array:
    x = a
    while jnp.max(jnp.abs(x * x - a)) > tolerance:
        x = 0.5 * (x + a / x)
    return x
"""


def test_jax_in_plain_python_reads_so() -> None:
    assert tl.symbolic_trace(root, torch.ones(3)).source("jax", x64=False, control="python") == PYTHON
    out = tl.transpile(root, torch.ones(3), to="jax", x64=False, control="python", verify=True)
    assert out.source == PYTHON and not hasattr(out, "lower")  # it is not jitted
    assert tl.check(root, torch.tensor([4.0, 2.0]), to="jax", control="python")


@pytest.mark.parametrize(
    ("to", "control", "known"),
    [("numpy", "export", "'python'"), ("jax", "export", "'lax' or 'python'"), ("torch", "lax", "'export'")],
)
def test_a_form_that_the_target_does_not_have(to: str, control: str, known: str) -> None:
    with pytest.raises(ValueError, match=f"control={control!r} makes no sense for {to}: .*{known}"):
        tl.transpile(root, torch.ones(3), to=to, control=control)


class Whole(torch.nn.Module):
    """A function as a module, which is what torch.export takes."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any) -> Any:
        return self.function(*args)


def exported(out: Any, args: tuple[Any, ...]) -> Any:
    """What torch.export makes of a translation, for arguments of these shapes and numbers."""
    given = map_arrays(args, lambda a: convert(a, "torch"))
    return torch.export.export(Whole(out), given, strict=False).module()


@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS, ids=NAMES)
def test_torch_for_export_agrees_on_every_way(fn: Any, inputs: list[tuple[Any, ...]]) -> None:
    if fn.__name__ in REFUSED:
        with pytest.raises(tl.UnsupportedError, match=REFUSED[fn.__name__]):
            traced(fn, inputs).to("torch", control="export")
        return
    out = traced(fn, inputs).to("torch", control="export")
    made: dict[Any, Any] = {}
    for args in inputs:
        shapes = str(map_arrays(args, lambda a: a.shape))
        expected = attempt(fn, args, source_of(args), arguments=False)
        if isinstance(expected, type):
            with pytest.raises(expected):
                exported(out, args)
            continue
        made[shapes] = made.get(shapes) or exported(out, args)
        found = attempt(made[shapes], args, "torch", arguments=False)
        assert agree(expected, found), f"{args}: {expected}, not {found}"


EXPORTED = """\
import torch


def root(a: torch.Tensor, tolerance: float = 1e-6) -> torch.Tensor:
    def unfinished(x):
        return torch.max(torch.abs(x * x - a)) > tolerance

    def step(x):
        return (0.5 * (x + a / x),)

    (x,) = torch.while_loop(unfinished, step, (a,))
    return x
"""


def test_torch_for_export_reads_so() -> None:
    assert tl.symbolic_trace(root, torch.ones(3)).source("torch", control="export") == EXPORTED


def smoothed(u: torch.Tensor, steps: int) -> torch.Tensor:
    u = u.clone()
    for i in range(steps):
        if u.sum() > 9:
            break
        u[1:-1] += 0.5 * (u[2:] - u[:-2]) + i
    return u


SMOOTHED = """\
import torch


def smoothed(u: torch.Tensor, steps: int) -> torch.Tensor:
    u = u.clone()

    def unfinished(i, u, broke):
        return torch.logical_and(torch.logical_not(broke), torch.tensor(i) < steps)

    def step(i, u, broke):
        broke = u.sum() > 9

        def otherwise():
            u_2 = u.clone()
            u_2[1:-1] += 0.5 * (u_2[2:] - u_2[:-2]) + i
            return u_2

        u = torch.cond(broke, lambda: u.clone(), otherwise)
        return i + 1, u, broke

    _, u, _ = torch.while_loop(unfinished, step, (0, u, torch.tensor(False)))
    return u
"""


def test_a_loop_that_writes_and_breaks_for_export() -> None:
    start = torch.tensor([0.0, 0.1, 0.4, 0.9, 1.6])
    out = tl.transpile(smoothed, (start, 4), to="torch", control="export")
    assert out.source == SMOOTHED
    for u, steps in ((start, 4), (start, 0), (start, 1), (start + 2, 4)):
        before = u.clone()
        assert torch.equal(exported(out, (u, steps))(u, steps), smoothed(u, steps))
        assert torch.equal(u, before)


def stepped(x: torch.Tensor) -> torch.Tensor:
    i = 0
    total = x[0]
    while total < 9:
        if total > 3:
            i = i + 1
        total = total + x[i]
    return total


def test_an_index_that_an_array_decides_is_refused_for_export() -> None:
    with pytest.raises(tl.UnsupportedError, match="with a key that a loop computes cannot"):
        tl.transpile(stepped, torch.ones(9), to="torch", control="export")


def written(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        x[0] = 5
        return x + 1
    return x - 1


def test_a_write_into_an_argument_on_one_way_out_is_refused_for_export() -> None:
    with pytest.raises(tl.UnsupportedError, match="writing into the argument x cannot be written for torch"):
        tl.transpile(written, torch.ones(3), to="torch", control="export")


def announced(x: torch.Tensor) -> torch.Tensor:
    print("begin")
    if x.sum() > 0:
        print("positive")
        return x + 1
    return x - 1


def test_print_in_a_branch_is_refused_for_export_only(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(tl.UnsupportedError, match="print in an exported branch or loop"):
        tl.transpile(announced, torch.ones(3), to="torch", control="export")
    tl.transpile(announced, torch.ones(3), to="torch")(torch.ones(3))
    assert capsys.readouterr().out == "begin\npositive\n"


def table(x: torch.Tensor, n: int) -> torch.Tensor:
    total = torch.zeros(())
    for i in range(n):
        for j in range(n):
            product = x[i] * x[j]
            if product > total:
                total = total + product * (i + 1)
    return total


def test_what_two_loops_count_by_is_computed_before_a_branch_for_export() -> None:
    x = torch.tensor([1.0, 3.0, -2.0])
    out = tl.transpile(table, (x, 3), to="torch", control="export")
    assert torch.equal(exported(out, (x, 3))(x, 3), table(x, 3))


def filled(x: torch.Tensor) -> torch.Tensor:
    while x.sum() < 9:
        x[0] += 2
    return x.sum()


def test_a_write_into_an_argument_is_made_after_the_loop() -> None:
    out = tl.transpile(filled, torch.ones(3), to="torch", control="export")
    mine, theirs = torch.ones(3), torch.ones(3)
    assert torch.equal(exported(out, (mine,))(mine), filled(theirs)) and torch.equal(mine, theirs)


def widening(x: torch.Tensor, n: int) -> torch.Tensor:
    for i in range(n):
        if x.sum() > i:
            x = torch.cat([x, x])
    return x


def test_a_value_that_changes_its_shape_is_refused_for_export() -> None:
    with pytest.raises(tl.UnsupportedError, match="shape"):
        tl.transpile(widening, (torch.ones(2), 20), to="torch", control="export")


def test_what_is_for_export_can_be_compiled_and_differentiated() -> None:
    def scaled(x: torch.Tensor) -> torch.Tensor:
        return x * 2 if x.sum() > 0 else x * x

    out = tl.transpile(scaled, torch.ones(3), to="torch", control="export")
    for x in (torch.ones(3), -torch.ones(3)):
        given = x.clone().requires_grad_()
        out(given).sum().backward()
        assert given.grad is not None
        assert torch.equal(given.grad, torch.where(x > 0, 2.0, 2 * x))


@pytest.mark.slow
@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS, ids=NAMES)
def test_what_came_out_for_export_can_be_traced_again(fn: Any, inputs: list[tuple[Any, ...]]) -> None:
    if fn.__name__ in (*REFUSED, "insertion"):
        pytest.skip("torch cannot export it, or it writes into what a loop gave, of which we know no owner")
    there = traced(fn, inputs).to("torch", control="export")
    given = map_arrays(inputs[0], lambda a: convert(a, "torch"))
    back = tl.transpile(there, given, to="numpy", source="torch")
    for args in inputs:
        expected = attempt(fn, args, source_of(args), arguments=False)
        found = attempt(back, args, "numpy", arguments=False)
        number = any(isinstance(arg, np.generic) for arg in args)  # a tensor there, which is written into
        refused = number and found is AssertionError
        assert refused or agree(expected, found), f"{args}: {expected}, not {found}"


def conditional(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    def positive(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + y

    def negative(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x - y

    x = torch.cond(x.sum() > 0, positive, negative, (x, y))
    _, x = torch.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * y[i]), (0, x))
    return x


def test_functions_of_torch_that_are_control_flow_are_read() -> None:
    x, y = torch.ones(3), torch.tensor([1.0, 2.0, 3.0])
    text = tl.symbolic_trace(conditional, (x, y)).source("numpy")
    assert "x = x + y if x.sum() > 0 else x - y" in text and "while i < 3:" in text
    for x in (x, -x):
        assert tl.check(conditional, (x, y), to="numpy")
        assert tl.check(conditional, (x, y), to="jax")
