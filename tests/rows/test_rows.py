"""Every op, in every spelling, from every framework into every framework, against the framework that it was
written for.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from domains import special
from lines import all_lines, line, lines, phrases
from refusals import Row, allowed, missing, stale
from running import Finding, batches, runs
from samples import Sample, samples

from tracelate.backends.phrase import Phrase
from tracelate.ir.meaning.op import REGISTER, Op

#: Beginnings of spellings that not every machine can run, or that want more axes than a sample has.
ELSEWHERE = (
    "torch.Tensor.cuda",
    "torch.nn.functional.adaptive_avg_pool3d",
    "torch.nn.functional.adaptive_max_pool3d",
)

CASES = Path(__file__).parents[1] / "backends" / "phrases"


def judged(op: Op, source: str, every: bool = False) -> None:
    """Run an op from one source.

    Args:
        every: every sample in every dtype; else a few of them, and whether the tables are used up is looked
            at too.

    Raises:
        AssertionError: for what is wrong, what is refused without a reason, and what could not be tested at
            all.
    """
    problems, met, silent = surveyed(op, source, every)
    if not every:
        problems += [f"no sample makes {source} say {p.text!r}" for p in silent]
        problems += [f"nothing is refused any more: {row}" for row in stale(op.name, source, met)]
    assert not problems, f"{len(problems)} problems\n" + "\n".join(problems[:8])


def surveyed(op: Op, source: str, every: bool) -> tuple[list[str], set[Row], list[Phrase]]:
    """The problems, the rows of the table that were needed, and the spellings that never spoke."""
    problems: list[str] = []
    met: set[Row] = set()
    found = samples(op)
    if special(op):
        found = (*found, *(replace(sample, special=True) for sample in found))
    made = {
        made: (phrase, sample) for phrase, sample, made in (all_lines if every else lines)(op, source, found)
    }
    for batch in batches(source, list(made)):
        for finding in batch.findings():
            rows = allowed(op.name, finding)
            met.update(rows)
            if not rows and not shared(made[finding.line][1], finding) and not (every and missing(finding)):
                problems.append(str(finding))
    spoke = [phrase for phrase, _ in made.values()]
    silent = [p for p in phrases(op, source) if p not in spoke and not p.text.startswith(ELSEWHERE)]
    return problems, met, silent


def shared(sample: Sample, finding: Finding) -> bool:
    """Whether the target itself, asked in its own words, refuses the same call."""
    asked = [line(phrase, sample, finding.line.dtype) for phrase in phrases(sample.op, finding.target)]
    words = [made for made in asked if made is not None]
    return finding.kind == "refused" and bool(words) and not any(runs(finding.target, made) for made in words)


def test_every_row_means_the_same(op: Op, source: str) -> None:
    judged(op, source)


@pytest.mark.slow
def test_every_row_means_the_same_in_all_samples(op: Op, source: str) -> None:
    judged(op, source, every=True)


@pytest.mark.parametrize("name", [op.name for op in REGISTER.values() if isinstance(op.samples, str)])
def test_what_has_no_samples_has_cases_of_its_own(name: str) -> None:
    words = {
        word
        for source in ("numpy", "jax", "torch")
        for p in phrases(REGISTER[name], source)
        for word in (p.callee.rpartition(".")[2],)
    }
    text = "".join(file.read_text(encoding="utf-8") for file in CASES.glob("test_*.py"))
    assert any(word in text for word in (name, *words)), f"{name} has no cases in tests/backends/phrases"


@pytest.mark.ops(lambda op: op.body is not None)
def test_a_body_says_what_the_phrases_say_or_nothing(op: Op, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where every framework has a word, so that nobody asks the body: a row may be narrowed some day."""
    from tracelate.backends.lowering import lower

    says = lower.says

    def without(node: Any, target: Any) -> bool:
        spelled = any(outer.op is op for outer in node.meta.get("spelled out of", ()))
        return (node.target is not op or spelled) and says(node, target)

    monkeypatch.setattr(lower, "says", without)
    problems = [str(problem) for problem in surveyed(op, "numpy", False)[0]]
    wrong = [problem for problem in problems if problem.startswith(("wrong", "broken"))]
    assert not wrong, "\n".join(wrong[:3])
