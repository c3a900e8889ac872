"""Lines from rows: an op's phrase, its holes filled with arrays and parameters, as the framework's own source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from domains import domain, draw, family
from running import Line
from samples import Sample

from tracelate.backends.backend import backend
from tracelate.backends.lenses import NotExpressible
from tracelate.backends.phrase import READS, WRITES, Phrase, fits
from tracelate.backends.typing import Operand
from tracelate.backends.writer import CannotSay, Writer
from tracelate.ir.dtypes import DTYPES
from tracelate.ir.op import Op
from tracelate.ir.spec import Spec

EXACT = ("compare", "bool", "index", "bitwise", "shift", "keep", "same")
MOVED = ("shape", "indexing", "creation")
#: Where the family misleads.
COLUMNS = {"linspace": "elementwise", "trace": "reduction", "matrix_power": "reduction"}


def phrases(op: Op, source: str) -> list[Phrase]:
    """Every spelling of the op that a user may write: what is written, and what is only read."""
    read = [p for spelled in READS.values() for p in spelled if p.op is op and p.framework == source and p.read_only]
    return [p for p in (*WRITES.get(op.name, {}).get(source, ()), *read) if p.form != "helper"]


def column(op: Op) -> str:
    """The column of the table of tolerances by which an op is judged."""
    if op.name in COLUMNS:
        return COLUMNS[op.name]
    if family(op) in MOVED or all(rule.cls in EXACT for rule in op.rules):
        return "exact"
    return {"elementwise": "elementwise", "linalg": "linalg", "fft": "linalg"}.get(family(op), "reduction")


def line(phrase: Phrase, sample: Sample, dtype: str, x64: bool = False) -> Line | None:
    """The phrase as a line; None where it does not speak for this sample."""
    names = sample.names()
    bound = min((n for s in sample.shapes[:1] for n in s or ()), default=1) if "x" in sample.op.arrays else 3
    bound = sample.params.get("num_classes", bound)
    arrays = {}
    operands: list[Any] = []
    for i, (name, shape) in enumerate(zip(names, sample.shapes)):
        of = "any" if sample.special and domain(sample.op, name) == "finite" else domain(sample.op, name)
        array = None if shape is None else draw(of, shape, dtype, i, bound)
        label = "" if array is None else f"a{i}_{of}_{array.dtype}_" + "x".join(map(str, array.shape)) + (f"_{bound}" if of == "position" else "")
        operands.append((name, label, array))
        if array is not None:
            arrays[label] = array
    specs = {n: None if a is None else Spec(a.shape, DTYPES[str(a.dtype)]) for n, _, a in operands if n in sample.op.arrays}
    if not speaks(phrase, sample.params, specs):
        return None
    writer = Writer(backend(phrase.framework).with_x64(x64), lambda node: node)
    written = [None if a is None else (ast.Name(label), Operand(a.ndim, DTYPES[str(a.dtype)])) for _, label, a in operands]
    try:
        text = ast.unparse(ast.fix_missing_locations(writer.fill(phrase, written, sample.params)))
    except (CannotSay, NotExpressible):
        return None
    judged = column(sample.op)
    return Line(text, arrays, judged, dtype, moved=judged == "exact" and family(sample.op) in MOVED)


def speaks(phrase: Phrase, params: Any, specs: Any) -> bool:
    """Whether a phrase fits on its own, whatever case stands before it."""
    try:
        return fits(phrase, params, specs)
    except TypeError:  # a lens was given what the case before would have taken
        return False


def lines(op: Op, source: str, dtype: str, chosen: Sequence[Sample], x64: bool = False) -> Iterator[tuple[Phrase, Line]]:
    """For every spelling its lines: all samples for the first, a few for the others."""
    for phrase in phrases(op, source):
        found = [made for sample in chosen if (made := line(phrase, sample, dtype, x64)) is not None]
        for made in found[:4] if phrase.read_only else found:
            yield phrase, made
