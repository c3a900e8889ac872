"""Every op, in every spelling, from every framework into every framework, against the framework that it was written for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from domains import SPECIAL, family
from lines import lines, phrases
from refusals import Row, allowed, stale
from running import Finding, batches, executed, quiet
from samples import BY_HAND, DTYPES, WIDE, Sample, samples

from tracelate.backends.phrase import Phrase
from tracelate.ir.op import REGISTER, Op

CASES = Path(__file__).parents[1] / "backends" / "phrases"


def judged(op: Op, source: str, every: bool = False) -> None:
    """Run an op from one source.

    Args:
        every: every sample in every dtype; else a few of them, and whether the tables are used up is looked at too.

    Raises:
        AssertionError: for what is wrong, what is refused without a reason, and what could not be tested at all.
    """
    problems, met, silent = surveyed(op, source, every)
    if not every:
        problems += [f"no sample of tests/rows/samples.py makes {source} say {p.text!r}" for p in silent]
        problems += [f"nothing is refused any more: {row}" for row in stale(op.name, source, met)]
    assert not problems, f"{len(problems)} problems\n" + "\n".join(problems[:8])


def surveyed(op: Op, source: str, every: bool) -> tuple[list[str], set[Row], list[Phrase]]:
    """The problems, the rows of the table that were needed, and the spellings that never spoke."""
    problems: list[str] = []
    met: set[Row] = set()
    silent = phrases(op, source)
    found = samples(op)
    if family(op) in SPECIAL:
        found = (*found, *(replace(sample, special=True) for sample in found))
    for x64 in (False, True):
        dtypes = [d for d in DTYPES if (d in WIDE) == x64 and (source, d) != ("numpy", "bfloat16")]
        made = {made: (p, s) for d in dtypes for p, s, made in lines(op, source, d, found, x64, every=every)}
        for batch in batches(source, list(made), x64):
            silent = [p for p in silent if all(made[line][0] is not p for line in batch.lines)]
            for finding in batch.findings():
                rows = allowed(op.name, finding)
                met.update(rows)
                if not rows and not shared(op, made[finding.line][1], finding, batch.x64):
                    problems.append(str(finding))
    return problems, met, silent


def shared(op: Op, sample: Sample, finding: Finding, x64: bool) -> bool:
    """Whether the target itself, asked in its own words, refuses the same call."""
    if finding.kind != "refused" or finding.target == "any":
        return False
    asked = [made for _, _, made in lines(op, finding.target, finding.line.dtype, [sample], x64, every=True)]
    with quiet(x64):
        return bool(asked) and all(value is None for value in executed(finding.target, asked))


def test_every_row_means_the_same(op: Op, source: str) -> None:
    judged(op, source)


@pytest.mark.slow
def test_every_row_means_the_same_in_all_samples(op: Op, source: str) -> None:
    judged(op, source, every=True)


@pytest.mark.parametrize("name", BY_HAND)
def test_what_no_table_samples_has_cases_of_its_own(name: str) -> None:
    words = {word for source in ("numpy", "jax", "torch") for p in phrases(REGISTER[name], source) for word in (p.callee.rpartition(".")[2],)}
    text = "".join(file.read_text(encoding="utf-8") for file in CASES.glob("test_*.py"))
    assert any(word in text for word in (name, *words)), f"{name} has no cases in tests/backends/phrases"
