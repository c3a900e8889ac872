"""Whether a program of what is changed and undone gives what its translation gives, or is refused."""

from __future__ import annotations

from typing import Any

from undone_programs import EXAMPLES

import tracelate as tl
from tracelate.backends.arrays import compare

#: Where such programs stand: a refusal names one of them.
FILES = ("undone_programs.py", "undone_ways.py", "test_cores_undone.py", "test_rebound.py")


def agrees(program: Any) -> bool:
    """A translation gives what the source gives, or is refused with the user's line. Returns whether there is
    one.
    """
    try:
        out: Any = tl.transpile(program, (EXAMPLES[0],), to="numpy", source="numpy")
    except tl.UnsupportedError as error:
        assert any(name in str(error) for name in FILES)
        return False
    for x in EXAMPLES:
        expected = program(x)
        try:
            found = out(x)
        except (AssertionError, IndexError):
            assert x is not EXAMPLES[0]
            continue
        wrong = list(compare(expected, found))
        assert not wrong, f"{wrong[0]}\n{out.source}"
    return True
