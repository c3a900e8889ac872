"""Every function of the dictionary that is a method too, called as one: it means the same in every framework,
and stays a method in its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from lines import line, phrases, spread
from refusals import allowed
from running import Line, batches, runs
from samples import samples
from test_rows import shared

from tracelate.backends.backend import NAMES, backend
from tracelate.backends.overloads import keys, taking
from tracelate.backends.phrase import Phrase
from tracelate.backends.signatures import forms
from tracelate.ir.meaning.op import REGISTER, Op


def methods(op: Op, source: str) -> list[Phrase]:
    """The phrases of a framework that call functions, calling the methods of these names."""
    made = []
    for phrase in phrases(op, source):
        method = f"{backend(source).array_type}.{phrase.callee.rpartition('.')[2]}"
        called = phrase.form == "call" and phrase.callee in forms(source, "methods")
        if called and taking(method, keys(phrase)):
            made.append(replace(phrase, form="method", callee=method))
    return made


def some(phrase: Phrase, source: str, dtype: str) -> Iterator[Line]:
    spoken = [made for sample in samples(phrase.op) if (made := line(phrase, sample, dtype)) is not None]
    return (made for made in spread(spoken, 6) if runs(source, made))


SAMPLED = [op for op in REGISTER.values() if not isinstance(op.samples, str)]
WITH = [(op, source) for op in SAMPLED for source in NAMES if methods(op, source)]


@pytest.mark.parametrize(("which", "framework"), WITH, ids=lambda value: str(value))
def test_a_method_means_the_same_and_stays_one(which: Op, framework: str) -> None:
    problems: list[str] = []
    for phrase in methods(which, framework):
        found = [*some(phrase, framework, "float32")] or [*some(phrase, framework, "int64")]
        found += itertools.islice(some(phrase, framework, "bool"), 1)
        for batch in batches(framework, found):
            problems += [
                str(f) for f in batch.findings() if not allowed(which.name, f) and not refused(which, f)
            ]
        if found and not phrase.read_only:
            assert stays(phrase, framework, found), phrase.text
    assert not problems, "\n".join(problems[:5])


def refused(op: Op, finding: object) -> bool:
    return shared(samples(op)[0], finding)  # type: ignore[arg-type]


def stays(phrase: Phrase, framework: str, lines: list[Line]) -> bool:
    """Whether a text for the framework of the program has the method too."""
    word = f".{phrase.callee.rpartition('.')[2]}("
    texts = [
        batch.text([i], framework) for batch in batches(framework, lines) for i in range(len(batch.lines))
    ]
    return any(word in text for text in texts)
