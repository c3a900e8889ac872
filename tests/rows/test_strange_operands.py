"""Every function given what is no array where it takes one: the source's own error or a refusal, never a
fault of ours; and where the source takes it, its numbers.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any

from lines import lines_of
from running import Line, agree, function, given, own, quiet

import tracelate.api as api
from tracelate.ir.errors import InternalError
from tracelate.ir.meaning.op import Op

#: What users pass by mistake, {} being the array.
STRANGE = (
    "None",
    "'a'",
    "({}, None)",
    "[None, 1.0]",
    "[[1.0], [1.0, 2.0]]",
    "[{}, [1.0, 2.0]]",
    "{{'a': {}}}",
    "{{1.0}}",
    "object()",
    "slice(None)",
    "...",
    "float",
    "len",
    "[]",
    "({},)",
    "10**30",
)


def strange(op: Op, source: str) -> Iterator[Line]:
    """A line of each phrase, with each of its arrays another thing."""
    met: set[Any] = set()
    for line, (phrase, _) in ((made, key) for *key, made in lines_of(op, source)):
        if phrase in met or line.dtype != "float32" or line.wide:
            continue
        met.add(phrase)
        for name in line.arrays:
            for other in STRANGE:
                text = re.sub(rf"\b{name}\b", lambda _: f"({other.format(name)})", line.text)
                yield dataclasses.replace(line, text=text)


def wrong(op: Op, source: str) -> Iterator[str]:
    if (op.name, source) == ("split", "numpy"):  # which looks for the axis in the list, not in its array
        return
    for line in strange(op, source):
        fn = function([line])
        try:
            traced = api.symbolic_trace(fn, own(line.arrays, source), source=source)
            outs = {to: traced.to(to, x64=True) for to in ("numpy", "torch", "jax")}
        except InternalError as error:
            yield f"{source}: {line.text}: {error}"
            continue
        except Exception:
            continue
        expected = given(fn, own(line.arrays, source))
        if isinstance(expected, (Exception, str, slice)):
            continue
        for to, out in outs.items():
            got = given(inspect.unwrap(out), own(line.arrays, to))
            if not isinstance(got, Exception) and not agree(expected, got):
                yield f"{source} to {to}: {line.text} gives {got}, not {expected}\n{out.source}"


def test_what_is_no_array(op: Op, source: str) -> None:
    with quiet(True):
        found = list(wrong(op, source))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])
