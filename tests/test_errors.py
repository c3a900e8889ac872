"""Errors, by what they say: what happened, where in the user's own text, why, and what to do."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = torch.arange(6.0).reshape(2, 3)
ARRAYS = {"np": X.numpy(), "jnp": jnp.asarray(X.numpy()), "torch": X}


def refused(fn: Callable[..., Any], *args: Any, to: str = "jax", **options: Any) -> tl.TraceError:
    """The error, once it is certain that it shows this file, the line, and carets below a piece of it."""
    with pytest.raises(tl.TraceError) as caught:
        tl.transpile(fn, args or (X,), to=to, **options)
    message = str(caught.value)
    lines, first = inspect.getsourcelines(fn)
    place = re.search(r"^  test_errors\.py:(\d+)    (.*)\n( *)\^+$", message, re.MULTILINE)
    assert place is not None, message
    assert first <= int(place[1]) < first + len(lines)
    assert lines[int(place[1]) - first].strip() == place[2]
    return caught.value


def pointed_at(error: tl.TraceError) -> str:
    """The piece of the user's text that the carets are below."""
    lines = str(error).splitlines()
    number = next(i for i, line in enumerate(lines) if line.strip() and set(line.strip()) == {"^"})
    start, end = lines[number].index("^"), len(lines[number])
    return lines[number - 1][start:end]


# What arrays decide.


def number(x: Any) -> Any:
    return x * (1.0, 2.0)[x.argmax()]


def item(x: Any) -> Any:
    return x * complex(x.max())


def counted(x: Any) -> Any:
    return [x + i for i in range(int(x.sum()))]


CHOICES = [
    (number, "(1.0, 2.0)[x.argmax()]", "known only when the program runs", "pass the number as an argument"),
    (item, "complex(x.max())", "known only when the program runs", "pass the number as an argument"),
    (counted, "[x + i for i in range(int(x.sum()))]", "known only when the program runs", "a constant range"),
]


@pytest.mark.parametrize("xp", ARRAYS)
@pytest.mark.parametrize(("fn", "piece", "why", "hint"), CHOICES, ids=[c[0].__name__ for c in CHOICES])
def test_what_only_the_values_decide(
    fn: Callable[[Any], Any], piece: str, why: str, hint: str, xp: str
) -> None:
    error = refused(fn, ARRAYS[xp])
    assert isinstance(error, tl.UnsupportedError) and why in str(error)
    assert pointed_at(error).strip("()") == piece.strip("()")
    assert hint.replace("xp", xp) in (error.hint or "")


# Writes.


TABLE = np.zeros(3)


def into_what_may_be_a_view(x: Any) -> Any:
    y = x + 1
    z = y.T.reshape(-1)
    z[0] = 1
    return y, z


def into_a_constant(x: Any) -> Any:
    TABLE[0] = x[0]
    return x


def into_an_array_of_jax(x: Any) -> Any:
    x[0] = 1
    return x


WRITES: list[tuple[Callable[[Any], Any], str, str]] = [
    (into_what_may_be_a_view, "np", "it may share memory with another array, or it may not"),
    (into_what_may_be_a_view, "torch", "it may share memory with another array, or it may not"),
    (into_a_constant, "np", "made outside the traced function"),
    (into_an_array_of_jax, "jnp", "arrays of JAX cannot be written into"),
]


@pytest.mark.parametrize(("fn", "xp", "why"), WRITES, ids=[f"{fn.__name__}-{xp}" for fn, xp, _ in WRITES])
def test_writes_that_cannot_be_kept(fn: Callable[[Any], Any], xp: str, why: str) -> None:
    error = refused(fn, ARRAYS[xp])
    assert why in str(error) and error.hint
    assert "[0]" in pointed_at(error)
    assert TABLE.tolist() == [0, 0, 0]


# Calls.


def test_a_function_that_no_row_reads() -> None:
    def unknown(x: Any) -> Any:
        return torch.special.airy_ai(x) + 1

    error = refused(unknown)
    assert error.message.startswith("torch.special.airy_ai cannot be translated: ")
    assert pointed_at(error) == "torch.special.airy_ai(x)"


def test_all_that_is_refused_is_told_at_once() -> None:
    def several(x: Any) -> Any:
        a = torch.fft.hfft(x)
        b = torch.special.airy_ai(x)
        c = torch.special.bessel_y0(x)
        return a, b + c

    first, further = str(refused(several)).split("also, further down:")
    assert "torch.fft.hfft" in first and "b = torch.special.airy_ai(x)" in further
    assert "c = torch.special.bessel_y0(x)" in further and "the same reason" in further


def test_an_argument_that_no_phrase_takes() -> None:
    def summed(x: Any) -> Any:
        return np.sum(x, where=x > 0)

    error = refused(summed, np.ones(3, dtype=np.float32))
    assert "np.sum" in str(error) and "where" in error.message


def test_arguments_that_the_framework_itself_refuses() -> None:
    def crowded(x: Any) -> Any:
        return np.hypot(x, x, x, x)

    assert "by position" in str(refused(crowded, np.ones(3)))

    def odd(x: Any) -> Any:
        return x @ x

    assert "torch itself refuses matmul" in str(refused(odd))

    def no_axes(x: Any) -> Any:
        return np.tensordot(x, [])

    def ragged(x: Any) -> Any:
        return x + [[1.0], [1.0, 2.0]]

    assert "numpy itself refuses tensordot: shape-mismatch" in str(refused(no_axes, np.ones((2, 3))))
    assert "numpy itself refuses a list beside an array" in str(refused(ragged, np.ones((2, 3))))
    assert "torch itself refuses add: int too big" in str(refused(lambda x: x + 10**30, torch.ones(3)))


def test_shapes_that_do_not_fit_are_counted_out() -> None:
    def product(x: Any, y: Any) -> Any:
        return jnp.matmul(x, y)

    error = refused(product, jnp.ones((2, 3)), jnp.ones((4, 5)), to="torch")
    assert isinstance(error, tl.ShapeError) and isinstance(error, ValueError)
    assert "matmul" in str(error) and "axis 0" in str(error) and len(error.reports) == 1


def test_what_a_target_cannot_say() -> None:
    def kept(x: Any) -> Any:
        return x[x > 0]

    error = refused(kept)
    assert isinstance(error, tl.UnsupportedError) and error.backend == "jax"
    assert "the size of its result depends on the values" in error.why
    assert "where" in (error.hint or "")


# Dtypes.


def test_a_constant_beyond_32_bits() -> None:
    def shifted(x: Any) -> Any:
        return x + 5_000_000_000

    error = refused(shifted, torch.arange(3))
    assert "5000000000 out of bounds for int32" in str(error)


def test_a_text_for_64_bits_checks_the_flag() -> None:
    made = tl.transpile(lambda x: x + 1, (X.double(),), to="jax", x64=True)
    with pytest.raises(AssertionError, match="jax_enable_x64"):
        made(jnp.ones(3))


def test_a_dtype_that_was_assumed_is_checked() -> None:
    made = tl.transpile(lambda x: torch.sin(x), to="numpy", assume="float32", guards="raise")
    with pytest.raises(ValueError, match="traced for x of dtype float32, not float64"):
        made(np.ones(3))


class Key:
    """One that no text can say."""


def keyed(x: torch.Tensor, table: Any) -> torch.Tensor:
    return x * len(table)


def test_what_no_text_can_say_of_an_argument_is_refused_at_the_def() -> None:
    error = refused(keyed, X, {Key(): 1.0})
    assert "def keyed(x: torch.Tensor, table: Any)" in str(error) and error.span is not None


# The public functions themselves.

WITHOUT_TEXT: dict[str, Any] = {}
exec("import numpy\ndef fill(x):\n    y = numpy.zeros(3)\n    y[0] = x[0]\n    return y", WITHOUT_TEXT)


def doubled(x: torch.Tensor) -> torch.Tensor:
    return x * 2


SCRIPTED: Any = torch.jit.script(doubled)  # type: ignore[no-untyped-call, unused-ignore]


PUBLIC: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: tl.symbolic_trace(3), TypeError, "3 is no function"),  # type: ignore[arg-type]
    (lambda: tl.symbolic_trace(lambda x: x + 1), tl.TraceError, "does not say which framework"),
    (
        lambda: tl.symbolic_trace(len, (X,), source="numpy"),
        tl.TraceError,
        "len is written in C, so that there is nothing to see of what it does\n  try: trace a function",
    ),
    (
        lambda: tl.symbolic_trace(WITHOUT_TEXT["fill"], (np.ones(3),)),
        tl.TraceError,
        "no source for fill: its text is not to be had\n  try: define it in a file or a notebook cell",
    ),
    (
        lambda: tl.symbolic_trace(lambda x: SCRIPTED(x) + 1, (X,), source="torch"),
        tl.UnsupportedError,
        "a call of what torch.jit.script has compiled",
    ),
    (lambda: tl.transpile(lambda x: x, (X,), to="jax", x64=3), TypeError, "x64= is True or False, not 3"),  # type: ignore[arg-type]
    (
        lambda: tl.symbolic_trace(lambda x: x, (X,), source="tensorflow"),
        tl.TraceError,
        "'tensorflow' is no framework that tracelate knows\n  try: source= is one of numpy, jax, torch",
    ),
    (
        lambda: tl.symbolic_trace(lambda x, y: x + y, (X, np.ones(3))),
        tl.TraceError,
        'mixes numpy and torch\n  try: source="torch"',
    ),
    (
        lambda: tl.symbolic_trace(lambda x: x + 1, (X, X)),
        tl.TraceError,
        "args= do not fit <lambda>(x): too many positional arguments",
    ),
    (
        lambda: tl.symbolic_trace(lambda x: x + 1, (X,), {"factor": 1}),
        tl.TraceError,
        "got an unexpected keyword argument 'factor'",
    ),
    (
        lambda: tl.symbolic_trace(lambda x: x + 1, (X,), [1]),  # type: ignore[arg-type]
        TypeError,
        "kwargs= is a dict of arguments by name, not [1]",
    ),
    (lambda: tl.transpile(lambda x: x, (X,), to="haskell"), tl.TraceError, "one of numpy, jax, torch"),
    (
        lambda: tl.transpile(lambda x: x, (X,), to="jax", passes=("polish",)),
        tl.TraceError,
        "there is no pass named 'polish'\n  try: the passes are fold,",
    ),
    (lambda: tl.spec((2,), "float8"), TypeError, "unknown dtype 'float8'; known are bool, "),
    (lambda: tl.spec((2, -1)), TypeError, "(2, -1) is no shape"),
    (lambda: tl.spec((2, "a b")), TypeError, "(2, 'a b') is no shape"),
    (lambda: tl.spec(3), TypeError, "3 is no shape"),  # type: ignore[arg-type]
    (
        lambda: tl.check(lambda x: torch.sin(x), to="jax"),
        tl.TraceError,
        "a check runs <lambda>, and for that missing a required argument: 'x'\n  try: give real arrays",
    ),
    (
        lambda: tl.transpile(lambda x: torch.sin(x), (tl.spec((2,)),), to="jax", verify=True),
        tl.TraceError,
        "a check runs <lambda>, and x is a spec without numbers\n  try: give real arrays",
    ),
]


@pytest.mark.parametrize(
    ("call", "kind", "message"), PUBLIC, ids=[m.partition("\n")[0] for _, _, m in PUBLIC]
)
def test_calls_that_are_wrong(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        call()


def test_one_array_needs_no_tuple() -> None:
    assert "return x + 1" in tl.transpile(lambda x: x + 1, X, to="numpy").source


def test_errors_of_the_users_own_come_through() -> None:
    def forgetful(x: Any) -> Any:
        return {}["weight"] + x

    with pytest.raises(KeyError, match="weight"):
        tl.symbolic_trace(forgetful, (X,))


def test_the_parts_of_an_error_are_attributes() -> None:
    error = refused(number)
    assert isinstance(error, tl.UnsupportedError)
    assert error.op == "an index from an array" and error.why.startswith("its numbers are known only")
    assert error.span is not None and error.span.function == "number"
    assert error.message in str(error) and error.hint is not None


def test_a_range_of_an_unknown_step_outside_of_a_for_is_refused() -> None:
    def steps(x: Any, k: int) -> Any:
        return [x[i] for i in range(0, 3, k)]

    with pytest.raises(tl.UnsupportedError, match="a range of a step"):
        tl.transpile(steps, (np.ones(3), 2), to="numpy")


@dataclass
class Added:
    w: Any

    def __radd__(self, other: Any) -> Any:
        return self.w + other


def copied(keep: Any) -> Any:
    for i in range(keep.shape[0]):
        if not keep[i]:
            continue
        keep = keep.clone()
        for j in range(i + 1, keep.shape[0]):
            keep[j] = keep[j] & ~keep[i]
    return keep


def envelope(x: Any, g: Any) -> Any:
    level = 0.0
    g = np.exp(-g)
    found = []
    for v in x:
        if level < v:
            level = g * level + (1 - g) * v
        found.append(level)
    return np.array(found)


ONES = np.ones(13, np.float32)


@pytest.mark.parametrize("fn, args, said, hint", [
    (lambda x, m: x + m, (ONES, Added(ONES)), "Added is no array operand", "call its method by name"),
    (lambda m, y: np.eye(13)[y[m]], (ONES > 0, np.arange(13)),
     "the shape of an index array is not known", "where"),
    (envelope, (ONES, 0.5),
     "a number on one way and an array on another, and so it would be computed in float", "of one dtype"),
])  # fmt: skip
def test_refusals_say_what_is_so_and_a_way_out(fn: Any, args: Any, said: str, hint: str) -> None:
    with pytest.raises(tl.UnsupportedError) as refused:
        tl.transpile(fn, args, to="jax" if fn is envelope else "numpy")
    assert said in str(refused.value) and hint in (refused.value.hint or "")


def test_the_ways_out_are_some() -> None:
    out = tl.transpile(lambda x, m: m.__radd__(x) + (x + m.w), (ONES, Added(ONES)), to="torch")
    assert out(torch.ones(13), Added(torch.ones(13))).tolist() == [4.0] * 13
    keep = torch.ones(12, dtype=torch.bool)
    assert tl.transpile(copied, (keep,), to="numpy")(keep.numpy()).tolist() == copied(keep).tolist()
