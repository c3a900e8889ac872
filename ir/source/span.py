"""Span: a piece of the user's own text, for names, statements and error messages."""

from __future__ import annotations

import linecache
import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Where something stands: `file` as Python knows it, lines from 1, columns from 0 in characters.

    `function` is the name of the enclosing function, "" at module level.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    function: str = ""

    @property
    def place(self) -> str:
        """`model.py:41`, short enough for a message."""
        return f"{os.path.basename(self.file)}:{self.line}"

    @property
    def source_line(self) -> str:
        """The line where it starts, as the user wrote it; "" where the source is not to be had."""
        return linecache.getline(self.file, self.line).rstrip("\n")

    @property
    def text(self) -> str:
        """The piece itself, as the user wrote it; "" where the source is not to be had."""
        lines = linecache.getlines(self.file)[self.line - 1 : self.end_line]
        lines[-1:] = [line[: self.end_column] for line in lines[-1:]]
        return "".join(lines)[self.column :]

    def report(self) -> str:
        """Place and line, and a row of carets under the piece that is meant."""
        text = self.source_line
        place = f"  {self.place}"
        if not text.strip():
            return place
        end = self.end_column if self.end_line == self.line else len(text)
        shown = text.strip()
        indent = len(text) - len(text.lstrip())
        start = max(self.column - indent, 0)
        width = max(min(end - indent, len(shown)) - start, 1)
        lead = f"{place}    "
        return f"{lead}{shown}\n{' ' * (len(lead) + start)}{'^' * width}"

    def __str__(self) -> str:
        return self.place
