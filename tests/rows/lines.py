"""Lines from rows: an op's phrase, its holes filled with arrays and parameters, as the framework's own
source.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from domains import UNJUDGED, Array, domain, left_out, numbers
from running import Line, runs
from samples import DTYPES as SAMPLED
from samples import WIDE, Sample, combined, samples

from tracelate.backends.backend import NAMES, backend
from tracelate.backends.lenses import NotExpressible
from tracelate.backends.phrase import Phrase
from tracelate.backends.rows import READS, WRITES
from tracelate.backends.speaking import fits
from tracelate.backends.typing import Operand
from tracelate.backends.writing.filling import CannotSay
from tracelate.backends.writing.writer import Writer
from tracelate.ir.meaning.op import Op
from tracelate.ir.values.dtypes import DTYPES, PYTHON
from tracelate.ir.values.spec import Spec

#: Callees that promise no order, and have none for ints.
UNORDERED = {"np.unique_values"}
#: Callees whose values nobody promises: only their shapes and dtypes are compared.
UNSPECIFIED = {"empty", "empty_like", "new_empty"}


def phrases(op: Op, source: str) -> list[Phrase]:
    """Every spelling of the op that a user may write: what is written, and what is only read."""
    read = [
        p
        for spelled in READS.values()
        for p in spelled
        if p.op is op and p.framework == source and p.read_only
    ]
    return [p for p in (*WRITES.get(op.name, {}).get(source, ()), *read) if p.form != "helper"]


def column(op: Op) -> str:
    """The column of the table of tolerances by which an op is judged."""
    return "exact" if op.tolerance == "moved" else op.tolerance


def line(phrase: Phrase, sample: Sample, dtype: str) -> Line | None:
    """The phrase as a line; None where it does not speak for this sample."""
    operands = [
        shape if not isinstance(shape, tuple) else labelled(sample, number, name, shape, dtype)
        for number, (name, shape) in enumerate(zip(sample.names(), sample.shapes))
    ]
    arrays = dict(operand for operand in operands if isinstance(operand, tuple))
    if (sample.op.name, dtype) in UNJUDGED or dtype == "bool" and unordered(sample):
        return None
    if not speaks(phrase, sample.params, operands):
        return None
    text = spelled(phrase, operands, sample.params, dtype in WIDE)
    if text and phrase.callee in UNORDERED:
        text = f"np.sort({text})"
    module, name = phrase.callee.partition(".")[0], phrase.callee.rpartition(".")[2]
    if text and name in UNSPECIFIED:
        text = f"{module}.zeros_like({text})"
    moved = sample.op.tolerance == "moved"
    return text and Line(text, arrays, column(sample.op), dtype, dtype in WIDE, moved)


def unordered(sample: Sample) -> bool:
    """Whether it leaves open which of equal elements comes first."""
    distinct = any(domain(sample.op, name) == "distinct" for name in sample.op.domain)
    return distinct and not sample.params.get("stable")


def labelled(sample: Sample, number: int, name: str, shape: tuple[int, ...], dtype: str) -> tuple[str, Array]:
    """Numbers for an operand, and a name: the same for the same numbers."""
    of = domain(sample.op, name)
    if of == "finite" and sample.special or of == "distinct" and not unordered(sample):
        of = "any"
    bound = sample.params.get("num_classes") or min(sample.sizes, default=1 if "x" in sample.op.arrays else 3)
    without = left_out(sample.op, name)
    array = numbers(of, shape, dtype, number, bound, without)
    tail = f"_{bound}" if of == "position" else "".join(f"_{word}" for word in without)
    return f"{'xyzwv'[number % 5]}_{of}_{array.dtype}_{'x'.join(map(str, shape))}{tail}", array


def known(op: Op, operands: Sequence[Any]) -> dict[str, Any]:
    """Specs by the names of arrays, None for one that is absent; a number has none."""
    return {
        name: spec(operand[1]) if isinstance(operand, tuple) else None
        for name, operand in zip(op.arrays, operands) if isinstance(operand, tuple) or operand is None
    }  # fmt: skip


def spec(array: Array | Spec) -> Spec:
    return array if isinstance(array, Spec) else Spec(array.shape, DTYPES[str(array.dtype)])


def speaks(phrase: Phrase, params: Mapping[str, Any], operands: Sequence[Any]) -> bool:
    """Whether a phrase fits on its own, whatever case stands before it. `operands` as for `spelled`."""
    try:
        return fits(phrase, params, known(phrase.op, operands), operands, backend(phrase.framework))
    except TypeError:  # a lens was given what the case before would have taken
        return False


def spelled(
    phrase: Phrase, operands: Sequence[Any], params: Mapping[str, Any], x64: bool = False
) -> str | None:
    """The phrase with its holes filled; None where the framework has no such literal.

    Args:
        operands: (name, array) pairs, expressions with a Spec, Python scalars, and None for what is absent.
    """
    writer = Writer(backend(phrase.framework).with_x64(x64), lambda node: node)
    try:
        written = [operand if operand is None else written_as(writer, operand) for operand in operands]
        return ast.unparse(ast.fix_missing_locations(writer.fill(phrase, written, params)))
    except (CannotSay, NotExpressible):
        return None


def written_as(writer: Writer, operand: Any) -> tuple[ast.expr, Operand]:
    if isinstance(operand, (bool, int, float, complex)):
        return writer.literal(operand), Operand(0, PYTHON[type(operand)], "python", operand)
    name, given = operand
    what = spec(given)
    return ast.parse(name, mode="eval").body, Operand(what.rank, what.dtype)


def lines(op: Op, source: str, chosen: Sequence[Sample]) -> Iterator[tuple[Phrase, Sample, Line]]:
    """A few lines for every spelling: in float32, or, where that is not taken, in the first dtype that is;
    and one in each dtype.
    """
    for number, phrase in enumerate(phrases(op, source)):
        spoke = False
        for dtype in dtypes(source):
            if spoke and number > 0:
                break
            some = said(phrase, dtype, chosen)
            if dtype == "float32" and not phrase.read_only:
                some = iter(spread(list(some), 4 if number else 8))
            legal = (entry for entry in some if runs(source, entry[2]))
            for entry in itertools.islice(legal, None if dtype == "float32" and not phrase.read_only else 1):
                spoke = True
                yield entry
        if not spoke:
            yield from itertools.islice(searched(phrase, source), 1)


@cache
def lines_of(op: Op, source: str) -> tuple[tuple[Phrase, Sample, Line], ...]:
    """The lines of the op's own samples, whose arrays nobody writes into. Many tests ask for them, and it
    takes longer to find which of them the source runs than to do most of what is done with them.
    """
    return tuple(lines(op, source, samples(op)))


def searched(phrase: Phrase, source: str) -> Iterator[tuple[Phrase, Sample, Line]]:
    """Lines for a phrase that wants parameters which no sample has together."""
    for dtype in dtypes(source):
        some = said(phrase, dtype, itertools.islice(combined(phrase.op), 3000))
        yield from (entry for entry in some if runs(source, entry[2]))


def all_lines(op: Op, source: str, chosen: Sequence[Sample]) -> Iterator[tuple[Phrase, Sample, Line]]:
    """All samples in float32 for what is written, two for each other spelling, and some in every other dtype.
    Each is for one target, which take turns from sample to sample, from dtype to dtype and from spelling to
    spelling, so that all pairs of these occur; `lines` are for all targets.
    """
    for number, phrase in enumerate(phrases(op, source)):
        for place, dtype in enumerate(dtypes(source)):
            turn = NAMES.index(source) + number + place
            some = list(said(phrase, dtype, chosen))
            if phrase.read_only or dtype != "float32":
                some = list(spread(some, 2 if phrase.read_only else 6))
            if dtype != "float32" and len(some) > len(NAMES):
                some = some[turn % 2 :: 2]
            yield from ((p, s, taking_turns(made, turn + i)) for i, (p, s, made) in enumerate(some))


def taking_turns(made: Line, turn: int) -> Line:
    return replace(made, targets=(NAMES[turn % len(NAMES)],))


def said(phrase: Phrase, dtype: str, chosen: Iterable[Sample]) -> Iterator[tuple[Phrase, Sample, Line]]:
    return ((phrase, sample, made) for sample in chosen if (made := line(phrase, sample, dtype)) is not None)


def dtypes(source: str) -> Sequence[str]:
    """Those of a framework; NumPy has bfloat16 by courtesy of ml_dtypes: nobody computes in it there."""
    return [d for d in SAMPLED if (source, d) != ("numpy", "bfloat16")]


def spread(found: Sequence[Any], count: int) -> Sequence[Any]:
    """So many of them, far apart, the first among them."""
    return [found[i * len(found) // count] for i in range(count)] if len(found) > count else found
