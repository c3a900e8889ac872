"""The texts of the forty functions, to the letter: `pytest --bless` writes tests/golden/corpus anew. Each is
read beside its source when it changes; what is checked besides is that black would leave it as it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import black
import pytest
from test_corpus import ENTRIES, TARGETS, entry, refusal

import tracelate as tl

pytestmark = pytest.mark.complete

Golden = Callable[[str, str], None]
TEXTS = [(name, to) for name in ENTRIES for to in TARGETS if refusal(entry(name).name, to) is None]


@pytest.mark.parametrize(("name", "to"), TEXTS)
def test_the_text_of_an_entry(name: str, to: str, golden: Golden) -> None:
    made = entry(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = tl.symbolic_trace(made.fn, made.args).source(to)
    assert black.format_str(text, mode=black.Mode()) == text
    golden(f"corpus/{name.replace('/', '.')}_{to}.py.txt", text)
