"""The dictionary: what users say of ops, for how long, and what counts where several say something."""

from __future__ import annotations

import sys
import threading
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends import rows
from tracelate.ir.meaning.layers import LOCK
from tracelate.ir.meaning.op import REGISTER, inexact
from tracelate.ir.ops.activation import softmax
from tracelate.ir.ops.elementary import exp, sin
from tracelate.ir.ops.elementwise import where

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


def said(**options: Any) -> str:
    """What `np.sin(x)` is in torch."""
    text: str = tl.transpile(lambda x: np.sin(x), (X,), to="torch", **options).source
    return text.splitlines()[-1].removeprefix("    return ")


def test_what_is_said_within_a_block_is_forgotten_after_it() -> None:
    with tl.dictionary():

        @tl.op("X[~] -> Y[~]", dtype=inexact)
        def half_sine(x):  # type: ignore[no-untyped-def]
            """Half the sine."""
            return sin(x) / 2

        tl.say(half_sine, torch="torch.special.i1(x)")
        tl.say(sin, torch="torch.special.i0(x)", gives="torch: new")
        assert said() == "torch.special.i0(x)"
        with tl.dictionary():
            tl.say(sin, torch="torch.special.i1e(x)", gives="torch: new")
            assert said() == "torch.special.i1e(x)"
        assert said() == "torch.special.i0(x)" and "half_sine" in REGISTER
    assert said() == "torch.sin(x)" and "half_sine" not in REGISTER


def test_what_is_said_within_a_block_other_threads_do_not_see() -> None:
    seen: list[str] = []
    with tl.dictionary():
        tl.say(sin, torch="torch.special.i0(x)", gives="torch: new")
        thread = threading.Thread(target=lambda: seen.append(said()))
        thread.start()
        thread.join()
        assert (said(), seen) == ("torch.special.i0(x)", ["torch.sin(x)"])


@pytest.mark.usefixtures("dictionary")
def test_what_users_say_of_an_op_that_is_built_in_adds_to_its_row() -> None:
    tl.say(sin, torch="torch.special.i0(x)  if x: float64", reads="torch.special.i1(x)")
    assert said() == "torch.sin(x)"  # which speaks where the user's condition does not hold
    wide = tl.transpile(lambda x: np.sin(x), (X.astype(np.float64),), to="torch")
    assert "torch.special.i0(x)" in wide.source
    read = tl.transpile(lambda x: torch.special.i1(x) + torch.sin(x), (torch.tensor(X),), to="numpy")
    assert "np.sin(x) + np.sin(x)" in read.source


@pytest.mark.usefixtures("dictionary")
def test_of_several_phrases_that_speak_that_of_the_greatest_priority_is_written() -> None:
    tl.say(sin, torch="torch.special.i0(x)", priority=-1)
    assert said() == "torch.sin(x)"
    with tl.dictionary():
        tl.say(sin, torch="torch.special.i1(x)")  # which may be a view, as far as anybody has said
        assert said() == "torch.special.i1(x).clone()"


@pytest.mark.usefixtures("dictionary")
def test_a_phrase_speaks_on_its_device_and_where_its_predicate_holds() -> None:
    asked: list[tuple[Any, Any]] = []

    def wide(x: Any, *, axis: int) -> bool:
        asked.append((x, axis))
        return axis == -1

    tl.say(sin, torch="torch.special.i0(x)  if device='cuda'", gives="torch: new")
    assert (said(), said(device="cpu"), said(device="cuda")) == (
        "torch.sin(x)", "torch.sin(x)", "torch.special.i0(x)",
    )  # fmt: skip
    tl.say(softmax, torch="torch.special.softmax(x, axis)", when=wide)
    x = torch.tensor(X)
    texts = [tl.transpile(lambda x, d=d: torch.softmax(x, d), (x,), to="torch").source for d in (0, -1)]
    assert "torch.softmax(x, 0)" in texts[0] and "torch.special.softmax(x, -1)" in texts[1]
    assert {axis for _, axis in asked} == {0, -1} and asked[0][0].rank == 2


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    ("when", "check"),
    [
        (lambda x: x.rank == 2, "assert x.ndim == 2, x.shape"),
        (lambda x: x.dtype.name == "float32", "assert x.dtype == torch.float32, x.dtype"),
    ],
)
def test_what_a_predicate_asks_is_checked_by_the_text(when: Any, check: str) -> None:
    tl.say(sin, torch="torch.special.i0(x)", gives="torch: new", when=when)
    source = tl.transpile(lambda x: np.sin(x), (X,), to="torch").source
    assert check in source and "return torch.special.i0(x)" in source
    assert "return torch.sin(x)" in tl.transpile(lambda x: np.sin(x), (X[0].astype("f8"),), to="torch").source


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    ("when", "why"),
    [
        (lambda x: x.shape[-1] == 3, "may ask the rank and the dtype of an array, not its shape"),
        (lambda x: 1 / 0, "division by zero"),
        (lambda: True, "takes 0 positional arguments"),
        (lambda x: x.rank, "gave 2, no bool"),
    ],
)
def test_a_predicate_that_cannot_be_answered_is_refused(when: Any, why: str) -> None:
    tl.say(sin, torch="torch.special.i0(x)", gives="torch: new", when=when)
    with pytest.raises(rows.PhraseError, match=why):
        said()


@pytest.mark.usefixtures("dictionary")
def test_a_namespace_keeps_an_op_apart_from_one_that_is_built_in() -> None:
    @tl.op("X[~] -> Y[~]", dtype=inexact, namespace="mylib")
    def sigmoid(x):  # type: ignore[no-untyped-def]
        """A straight line where it bends, and 0 and 1 outside."""
        return where(x < -2, 0.0, where(x > 2, 1.0, x / 4 + 0.5))

    tl.say(sigmoid, torch="torch.special.i0(x)")
    out = tl.transpile(lambda x: torch.special.i0(x) + torch.sigmoid(x), (torch.tensor(X),), to="numpy")
    assert "np.where(" in out.source and "np.exp(" in out.source
    program = tl.symbolic_trace(lambda x: torch.special.i0(x), (torch.tensor(X),)).program
    assert "mylib.sigmoid(x)" in str(program)
    with pytest.raises(ValueError, match="an op named exp exists already: give yours a namespace="):

        @tl.op("X[~] -> Y[~]", dtype=inexact)
        def exp(x):  # type: ignore[no-untyped-def]
            """e ** x."""
            ...


@pytest.mark.usefixtures("dictionary")
def test_what_is_declared_anew_counts() -> None:
    """As in a notebook, where a cell is run twice."""
    for factor in (2.0, 3.0):

        @tl.op("X[~] -> Y[~]", dtype=inexact)
        def scaled(x, factor=factor):  # type: ignore[no-untyped-def]
            """x, scaled."""
            ...

        @tl.op("X[~] -> Y[~]", dtype=inexact)
        def bent(x):  # type: ignore[no-untyped-def]
            """Another curve."""
            return exp(x) if factor == 2 else sin(x)

        tl.say(bent, torch="torch.special.i0(x)" if factor == 2 else "torch.special.i1(x)")
    assert not rows.reading("torch", "torch.special.i0")
    out = tl.transpile(lambda x: torch.special.i1(x), (torch.tensor(X),), to="numpy")
    assert "np.sin(x)" in out.source


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"torch": 3}, "torch=3 is no phrase"),
        ({"reads": 3}, "reads=3 is no phrase"),
        ({"torch": "torch.sin(x)", "types": 3}, "types=3 is no str"),
        ({"torch": "torch.sin(x)", "gives": ["new"]}, "is no str"),
        ({"torch": "torch.sin(x)", "priority": "high"}, "priority='high' is no int"),
    ],
)
def test_what_is_of_another_type_than_it_must_be_is_refused(given: dict[str, Any], why: str) -> None:
    with pytest.raises(rows.PhraseError, match=why):
        tl.say(exp, **given)


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    "cell", ["np.exp(x) if x: flaot32", "np.exp(x) if x: 2d|nonsense", "np.exp(x) if device: cpu"]
)
def test_a_condition_that_means_nothing_is_refused(cell: str) -> None:
    with pytest.raises(rows.PhraseError, match="is no condition"):
        tl.say(exp, numpy=cell)


@pytest.mark.usefixtures("dictionary")
def test_what_is_refused_leaves_nothing_behind() -> None:
    with pytest.raises(rows.PhraseError):
        tl.say(sin, torch="torch.special.i0(x)", numpy="np.sin(z)", gives="torch: new")
    assert said() == "torch.sin(x)"
    with pytest.raises(rows.PhraseError):
        tl.say(sin, torch="torch.special.i0(x)", gives="torch: nonsense")
    assert said() == "torch.sin(x)"


def counted(x: Any) -> Any:
    y = np.sin(x)
    if x.sum() > 0:
        y = y * 2
    for i in range(3):
        y = y @ np.eye(3, dtype=np.float32) + i
    return y


def halved(x: Any) -> Any:
    y = torch.sin(x)
    while y.sum() > 1:
        y = y / 2
    return torch.softmax(y, -1)


class Scaling:
    """What Python asks by itself is caught while a trace runs, in the class."""

    def __bool__(self) -> bool:
        return True

    def __call__(self, x: Any) -> Any:
        return np.exp(x) if self else x


def test_threads_that_trace_at_once_do_not_meet() -> None:
    programs: list[tuple[Any, Any, str]] = [
        (counted, np.ones((3, 3), np.float32), "torch"),
        (halved, torch.ones(3, 3), "numpy"),
        (Scaling(), np.ones(3, np.float32), "jax"),
    ]
    wanted = [tl.transpile(fn, (x,), to=to).source for fn, x, to in programs]
    found: list[tuple[int, str]] = []

    def work(start: int) -> None:
        for i in range(start, start + 6):
            fn, x, to = programs[i % 3]
            found.append((i % 3, tl.transpile(fn, (x,), to=to).source))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(start,)) for start in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(found) == 24 and all(text == wanted[i] for i, text in found)


def test_a_thread_waits_until_another_has_traced() -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(said()))
    with LOCK:
        thread.start()
        thread.join(0.2)
        assert not found
    thread.join()
    assert found == ["torch.sin(x)"]


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"torch": "torch.sinnn(x)"}, r"calls torch.sinnn, which is not there"),
        ({"numpy": "np.fft.hfft3(x)"}, r"calls np.fft.hfft3, which is not there"),
        ({"torch": "torch.special.i0(x)", "types": "torch"}, "starts with no framework and a colon"),
        ({"torch": "torch.special.i0(x)", "gives": "torch"}, "'torch' is no fact"),
    ],
)
def test_a_row_that_says_nothing_is_refused(row: dict[str, str], why: str) -> None:
    with pytest.raises(rows.PhraseError, match=why):
        tl.say(sin, **row)  # type: ignore[arg-type]


def test_what_is_no_op_has_no_row() -> None:
    for wrong in ("sin", np.sin):
        with pytest.raises(rows.PhraseError, match="is no op"):
            tl.say(wrong, torch="torch.sin(x)")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="dtype='float32' is no class of dtypes"):
        tl.op("X[~] -> Y[~]", dtype="float32")(lambda x: x)  # type: ignore[arg-type]


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    ("gives", "kind"), [(lambda x: None, "NoneType"), (lambda x: [x], "list"), (lambda x: X, "ndarray")]
)
def test_a_body_gives_arrays_of_ops(gives: Any, kind: str) -> None:
    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def odd(x):  # type: ignore[no-untyped-def]
        """Nothing of use."""
        return gives(x)

    with pytest.raises(tl.UnsupportedError, match=f"it gives a {kind}, and no array that an op made"):
        tl.transpile(lambda x: odd(x), (X,), to="torch")
