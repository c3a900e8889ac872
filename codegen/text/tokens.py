"""The tokens of one flat line, with what a line breaker must know of each: depth, partner, weight of a break.

The text comes from statement.py, so it is known to be well formed, on one line, and spaced as it should be.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .expression import SOFT_CLOSE, SOFT_OPEN

TOKEN = re.compile(
    r"""(\ ?)(?:
        (?P<string> [a-z]* (?: "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' ) )
      | (?P<number> \d+ (?:\.\d+)? (?:e-?\d+)? j? )
      | (?P<name>   [^\W\d]\w* )
      | (?P<dots>   \.\.\. )
      | (?P<open>   [(\[{\x01] )
      | (?P<close>  [)\]}\x02] )
      | (?P<sign>   -> | \*\*=? | //=? | >>=? | <<=? | [-+*/%@&|^<>=!]= | [-+*/%@&|^<>=~.,:] )
    )""",
    re.VERBOSE,
)
OPERANDS = frozenset({"string", "number", "dots", "close"})
WORDS = frozenset(keyword.kwlist) - {"None", "True", "False"}

# Where a line is broken first: the greater goes before the less.
COMPREHENSION, COMMAS, TERNARY, LOGIC, COMPARISON, DOT = 20, 18, 16, 14, 10, 1
OPERATORS = {
    "<": COMPARISON, ">": COMPARISON, "==": COMPARISON, "!=": COMPARISON, "<=": COMPARISON, ">=": COMPARISON,
    "|": 9, "^": 8, "&": 7, "<<": 6, ">>": 6, "+": 5, "-": 5,
    "*": 4, "/": 4, "//": 4, "%": 4, "@": 4, "**": 2,
}  # fmt: skip
KEYWORDS = {"and": LOGIC, "or": LOGIC, "is": COMPARISON, "in": COMPARISON, "for": COMPREHENSION}


@dataclass(slots=True, eq=False)
class Token:
    """A word of the line. `text` of a soft bracket is empty until a break makes it visible.

    `weight` says how much a break right after this token is wanted, 0 not at all. `partner` of a closing
    bracket is the one that opened it. `hugs`: an opening one that follows an operand, as a call's does.
    """

    text: str
    space: str
    kind: str
    depth: int = 0
    weight: int = 0
    partner: Token | None = None
    hugs: bool = False

    @property
    def width(self) -> int:
        return len(self.space) + len(self.text)

    @property
    def is_operand(self) -> bool:
        """Whether a sign after it takes two sides."""
        return self.text not in WORDS if self.kind == "name" else self.kind in OPERANDS

    def show(self) -> None:
        """Make a soft bracket a parenthesis."""
        self.text = self.text or ("(" if self.kind == "open" else ")")


def tokens(text: str) -> list[Token]:
    """The tokens of a line that statement.py wrote."""
    found: list[Token] = []
    opened: list[Token] = []
    loops = [False]  # whether a `for` stands in the bracket: then an `if` is the comprehension's
    inner: list[tuple[str, int]] = []  # `for` targets and `lambda` parameters are deeper, up to `in` and `:`
    depth = understood = 0
    for match in TOKEN.finditer(text):
        understood += len(match[0])
        kind = match.lastgroup or ""
        word = match[kind]
        token = Token("" if word in (SOFT_OPEN, SOFT_CLOSE) else word, match[1], kind)
        last = found[-1] if found else None
        ends_targets = bool(inner) and inner[-1] == (word, depth)
        if ends_targets:
            inner.pop()
            depth -= 1
        elif last is not None:
            last.weight = last.weight or _weight_before(token, last, loops[-1])
        if kind == "close":
            depth -= 1
            token.partner = opened.pop()
            loops.pop()
        token.depth = depth
        if kind == "open":
            token.hugs = last is not None and last.is_operand and word != SOFT_OPEN
            opened.append(token)
            loops.append(False)
            depth += 1
        elif word == ",":
            token.weight = COMMAS
        elif word in ("for", "lambda"):
            loops[-1] = loops[-1] or word == "for"
            depth += 1
            inner.append(("in" if word == "for" else ":", depth))
        found.append(token)
    if understood < len(text):
        raise AssertionError(f"not all of the line was understood: {text!r}")
    return found


def _weight_before(token: Token, last: Token, in_loop: bool) -> int:
    """How much a break between `last` and `token` is wanted."""
    word = token.text
    if token.kind == "sign":
        if word == ".":
            return DOT if last.kind == "close" else 0
        return OPERATORS.get(word, 0) if last.is_operand else 0
    if token.kind != "name":
        return 0
    if word == "not" and last.is_operand:  # of `not in`
        return COMPARISON
    if word == "in" and last.text == "not":
        return 0
    if word in ("if", "else"):
        return COMPREHENSION if in_loop else TERNARY
    return KEYWORDS.get(word, 0)


def copied(line: Iterable[Token]) -> list[Token]:
    """The same tokens anew, so that what becomes visible in one attempt does not in another."""
    fresh: dict[Token, Token] = {}
    for token in line:
        partner = fresh.get(token.partner, token.partner) if token.partner else None
        fresh[token] = replace(token, partner=partner)
    return list(fresh.values())


def can_be_broken(line: Sequence[Token]) -> bool:
    """False for what surely cannot: a word, or a string and no more than one call of its methods."""
    if len(line) < 2:
        return False
    if line[0].kind != "string" or line[1].text != ".":
        return True
    calls = dots = 0
    following = line[-1]
    for token in reversed(line[:-1]):
        if token.kind == "open":
            if following.kind != "close":
                return False
            calls += 1
        elif token.text == ".":
            dots += 1
        elif token.kind == "name":
            if following.text != "." and following.kind != "open":
                return False
        elif token.kind != "close":
            return False
        if dots > 1 and calls > 1:
            return False
    return True


def is_simple_power(line: Sequence[Token], place: int) -> bool:
    """Whether black writes the `**` at `place` without spaces: between names, dotted names and numbers."""
    before, after = line[place - 1], line[place + 1]
    if not before.is_operand or before.kind not in ("name", "number"):
        return False
    if place > 2 and line[place - 2].text == "." and line[place - 3].text in (")", "]"):
        return False
    start = place + 2 if after.kind == "sign" else place + 1
    if start >= len(line) or line[start].kind not in ("name", "number"):
        return False
    for token in line[start:]:  # black looks past the words that follow, and so do we
        if token.kind == "open" and token.text != "{":
            return False
        if token.text != "." and (token.kind != "name" or token.text == "for"):
            return True
    return True
