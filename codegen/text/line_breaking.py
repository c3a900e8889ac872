"""A line that is too long is broken as black breaks it (its stable style, 88 columns).

A definition is broken at its parameters; what stands inside brackets at its delimiters of the greatest
weight: all commas, else all `and`s, and so on; anything else at its last pair of brackets, or at an earlier
one where what follows fits behind it, or at soft brackets, which then become visible. And so each piece.

The law: black finds nothing to change in what comes out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .expression import SOFT_CLOSE, SOFT_OPEN
from .tokens import COMMAS, DOT, Token, can_be_broken, copied, is_simple_power, tokens

WIDTH = 88
INDENT = "    "


def broken(text: str, indent: int) -> list[str]:
    """The lines of a flat statement that stands `indent` steps deep."""
    if "**" not in text:
        plain = INDENT * indent + text.replace(SOFT_OPEN, "").replace(SOFT_CLOSE, "")
        if width(plain) <= WIDTH:
            return [plain]
    return _laid(_Line(tokens(text), indent))


def width(text: str) -> int:
    """Columns on a screen: wide East Asian letters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


@dataclass(slots=True)
class _Line:
    """A piece of a statement on its way to lines.

    `inside`: it is what stood between two brackets, or a part of that. `tail`: it begins with a closing one.
    `explode`: it is broken even if it fits. `comma`: a comma was added at its end.
    """

    tokens: list[Token]
    indent: int
    inside: bool = False
    tail: bool = False
    explode: bool = False
    comma: bool = False

    @property
    def text(self) -> str:
        rest = "".join([token.space + token.text for token in self.tokens[1:]])
        return INDENT * self.indent + self.tokens[0].text + rest

    @property
    def hugged(self) -> str:
        """The text as it is printed: `**` stands close to simple operands."""
        words = [token.space + token.text for token in self.tokens]
        words[0] = self.tokens[0].text
        for place, token in enumerate(self.tokens):
            if token.text == "**" and 0 < place < len(words) - 1 and is_simple_power(self.tokens, place):
                words[place] = "**"
                words[place + 1] = self.tokens[place + 1].text
        return INDENT * self.indent + "".join(words)

    @property
    def depth(self) -> int:
        return self.tokens[0].depth

    def fits(self, limit: int = WIDTH) -> bool:
        return width(self.text) <= limit

    def starts_with(self, *words: str) -> bool:
        return self.tokens[0].text in words

    def weights(self) -> list[int]:
        """Those of the delimiters between its parts; a comma at the end separates nothing."""
        return [token.weight for token in self.tokens[:-1] if token.weight and token.depth == self.depth]

    def soft(self) -> list[Token]:
        """The closing ones of the soft brackets that are wholly in it."""
        found: list[Token] = []
        opened: set[Token | None] = set()
        for token in () if self.tail else self.tokens:
            if token.kind == "open" and not token.text:
                opened.add(token)
            elif token.kind == "close" and token.partner in opened:
                found.append(token)
        return found


@dataclass(slots=True)
class _Split:
    """A line taken apart at a pair of brackets: `head` ends with the one, `tail` begins with the other."""

    head: _Line
    body: _Line
    tail: _Line

    @property
    def opening(self) -> Token:
        return self.head.tokens[-1]

    @property
    def closing(self) -> Token:
        return self.tail.tokens[0]

    def lines(self) -> list[_Line]:
        self.opening.show()
        self.closing.show()
        return [self.head, self.body, self.tail]


_Way = Callable[[_Line, bool], list[_Line] | None]


def _laid(line: _Line, forced: bool = False) -> list[str]:
    """The lines that `line` becomes. `forced`: soft brackets are always made visible."""
    printed = line.hugged
    if line.explode or width(printed) > WIDTH:
        ways: tuple[_Way, ...] = (_at_last_brackets,)
        if line.starts_with("def"):
            ways = (_at_parameters,)
        elif line.inside:
            ways = (_at_delimiters, _at_last_brackets)
        for way in ways:
            lines = _tried(line, way, forced)
            if lines is not None:
                return lines
    return [printed]


def _tried(line: _Line, way: _Way, forced: bool) -> list[str] | None:
    text, soft = line.text, line.soft()
    pieces = way(line, forced)
    if pieces is None or any(piece.text == text for piece in pieces):
        return None
    lines = [printed for piece in pieces for printed in _laid(piece, forced)]
    if (
        forced
        or way is not _at_last_brackets
        or not soft
        or any(token.text for token in soft if token.depth == line.depth)
        or width(lines[0]) <= WIDTH
        or line.comma
    ):
        return lines
    second = _tried(_Line(copied(line.tokens), line.indent, line.inside), way, True)
    if second is None:
        return None
    return second if all(width(printed) <= WIDTH for printed in second) else lines


def _at_parameters(line: _Line, forced: bool) -> list[_Line] | None:
    """A definition taken apart at its first brackets that hold something."""
    for opening in line.tokens:
        if opening.kind == "open":
            closing = next(token for token in line.tokens if token.partner is opening)
            split = _split(line, closing)
            if split is not None:
                return split.lines()
    return None


def _at_delimiters(line: _Line, forced: bool) -> list[_Line] | None:
    """The parts between the delimiters of the greatest weight; commas get one more at the end."""
    weights = line.weights()
    weight = max(weights, default=0)
    if not weight or (weight == DOT and weights.count(DOT) == 1):
        return None
    depth = line.depth
    pieces = [_Line([], line.indent, inside=True)]
    for token in line.tokens:
        pieces[-1].tokens.append(token)
        if token.weight == weight and token.depth == depth and token is not line.tokens[-1]:
            pieces.append(_Line([], line.indent, inside=True))
    for piece in pieces:
        piece.tokens[0].space = ""
    if weight == COMMAS:
        _end_with_comma(pieces[-1])
    return pieces


def _end_with_comma(line: _Line) -> None:
    if line.tokens[-1].text != ",":
        line.tokens.append(Token(",", "", "sign", line.depth, COMMAS))
        line.comma = True


def _at_last_brackets(line: _Line, forced: bool) -> list[_Line] | None:
    """Head, body and tail at the last brackets, or at earlier ones if so the head fits."""
    first: list[_Line] | None = None
    softly = False
    for omitted in _omissions(line):
        if omitted and _is_hopeless(line, omitted):
            continue
        split = _split(line, _last_closing(line, omitted))
        soft = split is not None and not split.closing.text
        lines = _with_or_without_soft(split, line, omitted, forced) if split else None
        if split is None or lines is None:
            return None
        if first is None:
            first, softly = lines, soft and bool(split.closing.text)
        if lines[0].fits():
            # A comma that ends a line makes black come back to the soft brackets on its second pass.
            return first if softly and not line.inside and _leaves_comma(lines[1]) else lines
    return first


def _leaves_comma(body: _Line) -> bool:
    trial = _Line(copied(body.tokens), body.indent, inside=True, explode=body.explode)
    return any(printed.endswith(",") for printed in _laid(trial))


def _is_hopeless(line: _Line, omitted: frozenset[Token]) -> bool:
    """Whether the brackets to break at begin beyond the edge."""
    closing = next(token for token in reversed(line.tokens) if token.kind == "close" and token not in omitted)
    opening = closing.partner
    if opening not in line.tokens or not opening.text:
        return False
    before = line.tokens[: line.tokens.index(opening)]
    return len(INDENT) * line.indent + sum(token.width for token in before) > WIDTH


def _omissions(line: _Line) -> Iterator[frozenset[Token]]:
    """Closing brackets to pass over: none, then more and more from the right while what they close fits."""
    omitted: frozenset[Token] = frozenset()
    yield omitted
    length = len(INDENT) * line.indent
    closing: Token | None = None
    opening: Token | None = None
    passed: list[Token] = []
    for place in range(len(line.tokens) - 1, -1, -1):
        token = line.tokens[place]
        length += token.width
        if length > WIDTH:
            return
        if opening is not None:
            if token is opening:
                opening = None
            elif token.kind == "close":
                passed.append(token)
        elif token.kind == "close":
            if place and line.tokens[place - 1].kind == "open":
                passed.append(token)  # nothing to break in empty brackets
                continue
            if closing is not None:
                omitted = omitted.union(passed, [closing])
                passed.clear()
                yield omitted
            if token.text:
                opening, closing = token.partner, token


def _last_closing(line: _Line, omitted: frozenset[Token]) -> Token | None:
    """The last closing bracket, not passed over, that closes something."""
    place = len(line.tokens) - 1
    while place >= 0:
        token = line.tokens[place]
        if token.kind == "close" and token not in omitted:
            if not (place and line.tokens[place - 1] is token.partner):
                return token
            place -= 1
        place -= 1
    return None


def _split(line: _Line, closing: Token | None) -> _Split | None:
    """`line` taken apart at the brackets that `closing` closes."""
    if closing is None or closing.partner not in line.tokens:
        return None
    opening = closing.partner
    start, end = line.tokens.index(opening), line.tokens.index(closing)
    if end == start + 1:
        return None
    head = _Line(line.tokens[: start + 1], line.indent)
    body = _Line(line.tokens[start + 1 : end], line.indent + 1, inside=True)
    tail = _Line(line.tokens[end:], line.indent, tail=True)
    imports = line.starts_with("from", "import")
    if imports or (line.starts_with("def") and opening.text == "(" and not _has_commas(body)):
        _end_with_comma(body)
    body.explode = max(body.weights(), default=0) == COMMAS and (imports or not opening.hugs)
    return _Split(head, body, tail)


def _has_commas(line: _Line) -> bool:
    """Whether parameters hold a comma outside an annotation."""
    annotated = False
    for token in line.tokens:
        if token.depth == line.depth and token.text in (":", "="):
            annotated = token.text == ":"
        if token.text == "," and not (annotated and token.depth > line.depth):
            return True
    return False


def _with_or_without_soft(
    split: _Split, line: _Line, omitted: frozenset[Token], forced: bool
) -> list[_Line] | None:
    """The split as it is, or, at soft brackets that are not needed, one further left."""
    soft = not split.opening.text and not split.closing.text
    if forced or not soft or line.starts_with("from", "import") or not _can_omit(split.body):
        return split.lines()
    omitted = omitted | {split.closing}
    other = _split(line, _last_closing(line, omitted))
    if other is not None and not _prefers(other, split):
        return split.lines()
    lines = _with_or_without_soft(other, line, omitted, forced) if other is not None else None
    if lines is not None:
        return lines
    chained = sum(token.text == "=" for token in line.tokens) > 1
    if not chained and not can_be_broken(split.body.tokens) and not split.body.fits():
        return None
    return split.lines()


def _prefers(other: _Split, split: _Split) -> bool:
    """Whether a split that leaves the soft brackets out is better than the one at them."""
    head = split.head.tokens
    if len(head) < 2 or head[-2].text != "=" or not split.head.fits(WIDTH - 1):
        return True
    if not any(token.kind in ("open", "close") for token in head[:-1]):
        return True
    equals = [[token.text for token in tokens].count("=") for tokens in (head, other.head.tokens)]
    if equals[0] > 1 and equals[0] > equals[1]:
        return False
    for token in reversed(other.head.tokens):
        if token.text == "=":
            break
        if token.kind == "close":
            return True
    return equals[1] > 0 and other.head.fits()


def _can_omit(line: _Line) -> bool:
    """Whether the body of soft brackets reads well without them."""
    weights = line.weights()
    weight = max(weights, default=0)
    if not weight:
        return True
    if weights.count(weight) > 1:
        return False
    if weight == DOT:
        return True
    first, second, before, last = line.tokens[0], line.tokens[1], line.tokens[-2], line.tokens[-1]
    if first.kind == "open" and second.kind != "close" and _fits_after(line, first):
        return True
    if last.kind == "close" and (last.text != "]" or not (last.partner and last.partner.hugs)):
        return before.kind != "open" and _fits_before(line, last)
    return False


def _fits_after(line: _Line, first: Token) -> bool:
    """Whether what follows the brackets that begin the line fits, or can be broken further."""
    length = len(INDENT) * line.indent
    counting = False
    for token in line.tokens:
        counting = counting or token.partner is first
        if counting:
            length += token.width
            if length > WIDTH:
                return False
            if token.kind == "open":
                counting = False
    return True


def _fits_before(line: _Line, last: Token) -> bool:
    """Whether what precedes the brackets that end the line fits, or can be broken further."""
    length = len(INDENT) * line.indent
    for token in line.tokens:
        length += token.width
        if token is last.partner:
            return length <= WIDTH
        if token.kind == "open":
            return True
    return False
