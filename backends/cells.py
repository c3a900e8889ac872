"""Cells: what is said in one column of a row, as its cases.

A cell is a block of lines, one case a line, the first that fits being the one that is written. A case goes on
in the next line while a bracket is open, or where that line starts with its condition.

    numpy="np.fft.fftn(x, s=s, axes=axes, norm=norm)",
    torch='''
        torch.fft.fft2(x, s=s, norm=norm)                if axes=(-2, -1)
        torch.fft.fftn(x, s=s, dim=axes, norm=norm)
    ''',

What is made by a loop may stand beside it, `["torch.max(x)", *pooled("max")]`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from .backend import NAMES, backend

Cell = str | Iterable[str] | None

def cases(cell: Cell) -> list[str]:
    """The cases of a cell, in order, none for None."""
    if cell is None:
        return []
    if not isinstance(cell, str):
        return [case for part in cell for case in cases(part)]
    found: list[str] = []
    for line in cell.splitlines():
        text = " ".join(line.partition("#")[0].split())
        if found and text and (open_brackets(found[-1]) or text.startswith("if ")):
            found[-1] += f" {text}"
        elif text:
            found.append(text)
    return [spelled_out(case) for case in found]


def open_brackets(text: str) -> int:
    """How many brackets are open at the end of a text."""
    return sum(text.count(left) - text.count(right) for left, right in ("()", "[]"))


def spelled_out(case: str) -> str:
    """A case with the full name of what it calls."""
    for alias, module in shortened().items():
        if case.startswith(f"{alias}."):
            return case.replace(alias, module, 1)
    return case


@cache
def shortened() -> dict[str, str]:
    """The modules that everybody imports under another name, by that name, where phrases have the whole."""
    known = (pair for framework in NAMES for pair in backend(framework).imports.items())
    return {alias: module for module, (alias, line) in known if alias != module and " as " in line}
