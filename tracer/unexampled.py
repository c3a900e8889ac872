"""Unexampled: tracing without examples.

At first nothing is taken of the arguments, so that the text holds for arrays of any shape. Where the program,
or a text, asks for more than that, it is traced again as if examples of some rank had been given, the likely
ones first. What the text then owes to that is checked, as what it owes to an example is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from typing import Any

from ..backends.backend import backend
from ..backends.reading.tape import read
from ..ir.errors import EXAMPLES, InternalError, TraceError, UnsupportedError
from ..ir.graphs.graph import Graph
from ..ir.values.dtypes import DType
from .supposed import Supposed
from .trace import trace

#: Ranks, and the sizes of all axes, in the order in which they are tried.
RANKS = (2, 3, 1, 4, 5)
SIZES = (8, 3, 4, 2)
#: How often a function is traced at most; how many arguments of several ranks it has, and of how many.
MOST, SEVERAL = 60, 4
#: So often an error that came without a shape comes with one until it is believed.
ENOUGH = 3
#: What Python says of a shape that is unpacked into another number of names.
UNPACKED = re.compile(r"expected (\d+)")


def lacking(error: Exception) -> bool:
    """Whether an error is that too little is known of the arguments."""
    return isinstance(error, TraceError) and EXAMPLES in str(error)


def trace_unexampled(
    fn: Callable[..., Any],
    source: str | None,
    dtype: DType | None,
    unroll: float | None,
    *,
    known: bool,
    form: bool = True,
) -> tuple[Graph, str]:
    """The tape of `fn`, and the name of the framework that it is written for, see `trace`. Where nothing need
    be known of shapes for it, it is not looked whether the dictionary can read it.

    Args:
        dtype: that of arrays; None: any.
        known: whether shapes are to be known.
        form: see Entry.

    Raises:
        TraceError: what was wrong where nothing was known; or where ranks were, if that says more.
    """

    def traced(supposed: Supposed) -> tuple[Graph, str]:
        return trace(fn, None, None, source, supposed, unroll, form)

    def readable(tape: Graph, name: str) -> tuple[Graph, str]:
        read(tape, backend(name).with_x64(bool(tape.meta.get("x64", True))))
        return tape, name

    nothing, first = Supposed(dtype), None
    try:
        made = traced(nothing)
        if not known:
            return made
        readable(*made)
    except InternalError:
        raise
    except Exception as error:
        first = error
    refused, same, likely = None, 0, [2, 1, 3]
    for supposed in islice(after(nothing, likely), MOST):
        try:
            return readable(*traced(supposed))
        except InternalError:
            raise
        except Exception as error:
            if isinstance(error, UnsupportedError) and not lacking(error):
                refused = refused or error
            if (said := UNPACKED.search(str(error))) is not None and int(said[1]) not in likely:
                likely.append(int(said[1]))
            same += str(error) == str(first) and not lacking(error)
            if same == ENOUGH:
                break
    if first is not None and not isinstance(first, TraceError):
        raise taken_for_arrays(first) from first
    if first is not None and not lacking(first):
        raise first
    if (told := first if refused is None else refused) is not None:
        raise told
    return made


def taken_for_arrays(error: Exception) -> TraceError:
    return TraceError(
        "without an example all arguments are taken for arrays, and then it raises "
        f"{type(error).__name__}: {str(error).replace('Duck_', 'array')}",
        hint=EXAMPLES,
    )


def after(nothing: Supposed, likely: Sequence[int]) -> Iterator[Supposed]:
    """What may be supposed where nothing is known: all of one rank, the likely ones first, then of several
    that are `likely` by then.
    """
    dtype, names = nothing.dtype, list(dict.fromkeys(nothing.met))
    for size in SIZES:
        for rank in RANKS if size == SIZES[0] else RANKS[:2]:
            yield Supposed(dtype, rank, size)
    yield from (Supposed(dtype, rank, SIZES[0], optional=True) for rank in RANKS)
    for ranks in product(likely[:SEVERAL], repeat=len(names)) if 1 < len(names) <= SEVERAL else ():
        if len({*ranks}) > 1:
            yield Supposed(dtype, dict(zip(names, ranks)), SIZES[0], optional=True)
