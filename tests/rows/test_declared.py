"""What an op says of how it is tried, in the words of meaning/sampling.py; a new op is told in two places."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from domains import WITHOUT, numbers
from lines import column
from samples import DTYPES
from samples import samples as tried

from tracelate.backends.backend import backend
from tracelate.backends.lowering.lower import refusal
from tracelate.backends.lowering.picked import NEUTRAL, lowest
from tracelate.backends.tolerance import COLUMNS
from tracelate.eager import called
from tracelate.ir.errors import UnsupportedError
from tracelate.ir.meaning import sampling
from tracelate.ir.meaning.op import REGISTER, WORDS, Op, inexact
from tracelate.ir.meaning.results import infer
from tracelate.ir.ops.indexing import Slot
from tracelate.ir.program import Program
from tracelate.ir.values import dtypes
from tracelate.ir.values.dtypes import float32
from tracelate.ir.values.spec import Spec

pytestmark = pytest.mark.complete

ROOT = Path(__file__).parents[2]
#: What the tests of a row need: the package, and they themselves.
NEEDED = (
    *("*.py", "ir/**/*", "backends/**/*", "tracer/**/*", "codegen/**/*", "varying/**/*"),
    *("tests/*.*", "tests/rows/*"),
)

#: Three ops that there are not: a plain one, one whose parameter no convention is about, and one that not
#: just any numbers show.
OPS = {
    "ir/ops/elementary.py": '''

bessel = unary("bessel", "the modified Bessel function of order 0, over exp(|x|)", tolerance="reduction")


@op("X[~] -> Y[~]", dtype=inexact, domain="positive", samples={"order": (1, 2)}, tolerance="linalg")
def polygamma(x, *, order):
    """The derivative of digamma of this order, of which torch has nine digits."""
    ...


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True, domain="unit")
def logit(x):
    """The inverse of sigmoid."""
    ...
''',
    "backends/phrases/elementary.py": '''
TYPES = """
    numpy: bool|integer>float float>float64 float32
    jax: bool|integer>float float
    torch: bool|integer>float float
"""
say(e.bessel,
    numpy="scipy.special.i0e(x)",
    jax="jax.scipy.special.i0e(x)",
    torch="torch.special.i0e(x)",
    types=TYPES)
say(e.polygamma,
    numpy="scipy.special.polygamma(order, x)",
    jax="jax.scipy.special.polygamma(order, x)",
    torch="torch.special.polygamma(order, x)",
    types="""
        numpy: bool|integer|float>float64
        jax: bool|integer>float float
        torch: bool|integer>float float
    """)
say(e.logit,
    numpy="scipy.special.logit(x)",
    jax="jax.scipy.special.logit(x)",
    torch="torch.logit(x)",
    types=TYPES)
''',
}


def test_a_new_op_is_told_in_two_places_and_the_tests_follow(tmp_path: Path) -> None:
    copy = tmp_path / "tracelate"
    files = [file.relative_to(ROOT) for pattern in NEEDED for file in ROOT.glob(pattern) if file.is_file()]
    for file in files:
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, copy / file)
    for name, text in OPS.items():
        with (copy / name).open("a", encoding="utf-8") as file:
            file.write(text)
    names = ("bessel", "polygamma", "logit")
    cases = [f"tests/rows/test_rows.py::test_every_row_means_the_same[{name}-numpy]" for name in names]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *cases],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "3 passed" in done.stdout, done.stdout + done.stderr
    touched = [file for file in files if not filecmp.cmp(ROOT / file, copy / file, shallow=False)]
    assert {file.as_posix() for file in touched} == OPS.keys()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("word", sampling.DOMAINS)
def test_every_domain_has_numbers_of_every_dtype(word: str, dtype: str) -> None:
    made = numbers(word, (3, 3), dtype, 0)
    assert made.shape == (3, 3)
    special = made.dtype.kind == "f" and not np.isfinite(made).all()
    assert not special or word in ("any", "tame", "base", "exponent")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("word", sampling.WITHOUT)
def test_what_a_domain_goes_without_is_not_there(word: str, dtype: str) -> None:
    made = numbers("any", (20, 20), dtype, 0, without=(word,))
    with np.errstate(invalid="ignore"):
        assert not WITHOUT[word](made).any()


def test_every_word_is_said_of_some_op() -> None:
    said = [sampling.taken_apart(of, op.name) for op in REGISTER.values() for of in op.domain.values()]
    assert {word for word, *_ in said} == sampling.DOMAINS.keys()
    assert {word for *_, without in said for word in without} == sampling.WITHOUT.keys() == WITHOUT.keys()
    assert {op.tolerance for op in REGISTER.values()} == sampling.TOLERANCES.keys()


def test_every_op_is_judged_by_a_column_of_the_table() -> None:
    assert {column(op) for op in REGISTER.values()} == {*COLUMNS}


def test_a_convention_is_of_several_ops() -> None:
    """What one op alone has, it says itself."""
    sampled = [op for op in REGISTER.values() if not isinstance(op.samples, str)]
    names = [name for op in sampled for name in op.params.keys() - op.samples.keys()]
    assert not {name for name in sampling.PARAMETERS if names.count(name) < 2}


def test_what_depends_on_values_has_no_size_and_nothing_else_has_none(op: Op) -> None:
    unknown = False
    for sample in tried(op):
        if any(isinstance(shape, (int, float)) for shape in sample.shapes):
            continue  # numbers in the place of arrays
        shapes = cast(tuple[tuple[int, ...] | None, ...], sample.shapes)
        specs = [None if shape is None else Spec(shape, float32) for shape in shapes]
        unknown |= any(made.shape is None for made in infer(op, specs, sample.params))
    assert unknown == (op.size == "values")


REDUCTIONS = [
    (op, name)
    for op in REGISTER.values() if op.neutral
    for name in ("bool", "int8", "uint8", "int32", "float32")
    if name == "float32" or op.rules[0] != inexact  # which in a Program is given floats alone
]  # fmt: skip


@pytest.mark.parametrize(("reduction", "dtype"), REDUCTIONS, ids=str)
def test_a_reduction_is_the_same_with_neutral_elements(reduction: Op, dtype: str) -> None:
    """Also where all that is reduced is the least number itself."""
    low = lowest(dtypes.dtype(dtype))
    for x in (np.array([3, 1, 2]).astype(dtype), np.array([low, low]).astype(dtype)):
        more = np.append(x, np.array([NEUTRAL[reduction.neutral](dtypes.dtype(dtype))] * 2, dtype))
        params = {"ord": 2} if reduction.name == "vector_norm" else {}
        try:
            alone = called(reduction, [x], {"axis": None, "keepdims": False, **params})
        except UnsupportedError:
            continue  # of this dtype there is none
        among = called(reduction, [more], {"axis": None, "keepdims": False, **params})
        assert (alone.dtype, alone.tolist()) == (among.dtype, among.tolist())


def test_no_op_says_a_word_that_there_is_not() -> None:
    """And every word is said of some op."""
    for fact, words in WORDS.items():
        assert {getattr(op, fact) for op in REGISTER.values()} == {"", *words}


@pytest.mark.parametrize("sizeless", [op for op in REGISTER.values() if op.size == "values"], ids=str)
def test_where_sizes_are_known_before_what_depends_on_values_is_refused(sizeless: Op) -> None:
    program = Program("f")
    x = program.create_node("placeholder", "x")
    x.spec = Spec((3,), float32)
    given = {"getitem_mask": (x, x), "repeat_each": (x, x)}.get(sizeless.name, (x,))
    params = {"key": (Slot(0),)} if sizeless.name == "getitem_mask" else {}
    made = program.call(sizeless, *given, **params)
    node = made[0].args[0] if isinstance(made, tuple) else made
    refused = refusal(node, backend("jax"), backend("numpy"))
    assert "the size of its result depends on the values" in str(refused) and "try: " in str(refused)
