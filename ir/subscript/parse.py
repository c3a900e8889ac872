"""parse: the text of a Subscript to its Form, or a SubscriptError with a caret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from .expr import Expr
from .form import BATCH, Arg, Form, Let, Term
from .kinds import is_kind
from .report import SubscriptError

WORD = r"[^\W\d]\w*"
TOKEN = re.compile(
    rf"""\s+
    | (?P<mark>->|\.\.\.|[\[\],:?\#*@~)])
    | (?P<name>{WORD}(?:[-.]{WORD})*'?)
    | (?P<size>\d+)
    | (?P<group>\()
    """,
    re.VERBOSE,
)
#: Where a clause of the where begins that needs no comma before it.
START = re.compile(rf"(?<![\w'.])(?:len\s*\(\s*(?P<of>{WORD}'?)\s*\)|(?P<name>{WORD}'?))\s*=(?!=)")
RESTRICTION = re.compile(rf"\s*({WORD}'?)\s*<=\s*({WORD})\s*")


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is mark, name, size, group (all that stands in round brackets) or end."""

    kind: str
    text: str
    start: int


def parse(text: str) -> Form:
    """The Form of `text`.

    Raises:
        SubscriptError: where it is ill-formed.
    """
    return _Parser(" ".join(text.split("\n"))).form()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.where = len(text)
        self.tokens = list(self.scan())
        self.at = 0
        self.counted: frozenset[str] = frozenset(
            token.text for token, after in zip(self.tokens, self.tokens[1:]) if after.text == "..."
        )

    def fail(self, why: str, position: int) -> NoReturn:
        raise SubscriptError(why, self.text, position)

    def scan(self) -> Iterator[Token]:
        """The tokens up to the where, which is found on the way."""
        position, depth = 0, 0
        while position < len(self.text):
            found = TOKEN.match(self.text, position)
            if not found:
                hint = ": arithmetic goes in round brackets" if depth else ""
                self.fail(f"unexpected {self.text[position]!r}{hint}", position)
            kind, end = found.lastgroup or "space", found.end()
            if kind == "group":
                end = self.closing(position)
            word = self.text[position:end]
            depth += (word == "[") - (word == "]")
            if word == "where" and depth == 0:
                self.where = position
                break
            if kind == "name":
                word = re.sub("[-.]", "_", word)
            if kind != "space":
                yield Token(kind, word, position)
            position = end
        yield Token("end", "", self.where)

    def closing(self, start: int) -> int:
        depth = 0
        for position in range(start, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[position], 0)
            if depth == 0:
                return position + 1
        self.fail("unclosed (", start)

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self, text: str) -> bool:
        if self.token.kind == "mark" and self.token.text == text:
            self.at += 1
            return True
        return False

    def form(self) -> Form:
        inputs = self.side(output=False)
        if not self.take("->"):
            late = re.search("->", self.text[self.where :])
            if late:
                self.fail("where stands at the end, after ->", self.where)
            self.fail("there is no ->", self.token.start)
        outputs = self.side(output=True)
        if self.token.kind != "end":
            self.fail("more than one ->", self.token.start)
        self.check_sides(inputs, outputs)
        return self.clauses(inputs, outputs)

    def side(self, *, output: bool) -> list[tuple[Arg, int]]:
        args = []
        while self.token.kind != "end" and self.token.text != "->":
            if not self.take(","):
                start = self.token.start
                args.append((self.arg(output), start))
        return args

    def arg(self, output: bool) -> Arg:
        name, dtype, variadic, optional = None, "", False, False
        if self.token.kind == "name":
            name = self.token.text
            self.at += 1
            variadic, optional = self.take("..."), self.take("?")
            if self.take(":"):
                dtype = self.dtype()
        opening = self.token.start
        if not self.take("["):
            if self.token.text == "]":
                self.fail("] without [", self.token.start)
            if self.token.kind == "name":
                self.fail(f"two names before [: {name} {self.token.text}", self.token.start)
            self.fail(f"expected [ after {name}" if name else "expected an argument", self.token.start)
        terms: list[Term] = []
        while not self.take("]"):
            if self.token.kind == "end" or self.token.text == "->":
                self.fail("unclosed [", opening)
            terms.append(self.term(variadic, output, terms))
        return Arg(name, tuple(terms), variadic, optional, dtype)

    def dtype(self) -> str:
        if self.token.kind != "name":
            self.fail("expected a dtype after :", self.token.start)
        text, start = self.token.text, self.token.start
        self.at += 1
        if self.token.kind == "group":
            if text != "promote":
                self.fail(f"{text} is no function of dtypes: there is promote(T, U)", start)
            text = f"promote({', '.join(self.token.text[1:-1].replace(',', ' ').split())})"
            self.at += 1
        return text

    def term(self, variadic: bool, output: bool, before: list[Term]) -> Term:
        broadcast = self.take("#")
        token = self.token
        self.at += 1
        match token.kind, token.text:
            case "mark", "~":
                if any(term.name == BATCH for term in before):
                    self.fail("~ may be used once in an argument", token.start)
                return Term("run", BATCH, broadcast=broadcast)
            case "mark", "*" | "@":
                name = self.token
                if name.kind != "name":
                    self.fail(f"expected a name after {token.text}", name.start)
                if token.text == "@" and (not variadic or broadcast):
                    self.fail("@ belongs in an argument with ..., and takes no #", token.start)
                self.at += 1
                return Term("run" if token.text == "*" else "each", name.text, broadcast=broadcast)
            case "name", "_" if not broadcast:
                if output:
                    self.fail("_ stands for an axis of an input: an output needs a size", token.start)
                return Term("any")
            case "name", _:
                return Term("symbol", token.text, broadcast=broadcast)
            case "size", _:
                return Term("size", size=int(token.text), broadcast=broadcast)
            case "group", _ if not broadcast:
                inner = token.text[1:-1]
                return Term("expr", expr=Expr.parse(inner, self.text, token.start + 1, self.counted))
        if token.text == "[":
            self.fail("[ within [", token.start)
        self.fail(f"unexpected {token.text!r} in an argument", token.start)

    def check_sides(self, inputs: list[tuple[Arg, int]], outputs: list[tuple[Arg, int]]) -> None:
        before = [term for arg, _ in inputs for term in arg.terms]
        for arg, start in outputs:
            if any(term.name == BATCH for term in arg.terms) and not any(
                term.name == BATCH for term in before
            ):
                self.fail("~ stands after -> only: nothing determines it", start)
        many = [start for arg, start in inputs if arg.variadic]
        if len(many) > 1:
            self.fail("more than one input with ...", many[1])
        for (first, start), (second, _) in zip(inputs, inputs[1:]):
            if first.optional and not second.optional:
                self.fail("an optional input before one that is required", start)

    def clauses(self, inputs: list[tuple[Arg, int]], outputs: list[tuple[Arg, int]]) -> Form:
        before, after = tuple(arg for arg, _ in inputs), tuple(arg for arg, _ in outputs)
        lets: list[Let] = []
        constraints: list[Expr] = []
        restrictions: list[tuple[str, str]] = []
        variables = {arg.dtype for arg in (*before, *after)}
        for start, end in self.pieces():
            piece = self.text[start:end]
            restriction = RESTRICTION.fullmatch(piece)
            if restriction and restriction[1] in variables:
                if not is_kind(restriction[2]):
                    self.fail(f"{restriction[2]} is no class of dtypes", start + restriction.start(2))
                restrictions.append((restriction[1], restriction[2]))
                continue
            let = START.match(self.text, start, end)
            body = let.end() if let else start
            if not self.text[body:end].strip():
                self.fail("a where without an expression" if let else "an empty clause", start)
            expr = Expr.parse(self.text[body:end], self.text, body, self.counted)
            if let is None:
                constraints.append(expr)
                continue
            new = Let(let["of"] or let["name"], expr, length=let["of"] is not None)
            if any((new.name, new.length) == (old.name, old.length) for old in lets):
                self.fail(f"{new.name} is defined twice", start)
            lets.append(new)
        self.check_circles(lets)
        return Form(before, after, tuple(lets), tuple(constraints), tuple(restrictions))

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Where the clauses of the where begin and end."""
        if self.where == len(self.text):
            return
        begin, depth = self.where + len("where"), 0
        if again := re.search(r"\bwhere\b", self.text[begin:]):
            self.fail("more than one where", begin + again.start())
        if arrow := re.search("->", self.text[begin:]):
            self.fail("-> after where", begin + arrow.start())
        position = begin
        while position < len(self.text):
            found = START.match(self.text, position) if depth == 0 else None
            if found:
                if self.text[begin:position].strip():
                    yield begin, position
                begin, position = position, found.end()
                continue
            letter = self.text[position]
            depth += (letter in "([") - (letter in ")]")
            if letter == "," and depth == 0:
                yield begin, position
                begin = (
                    position + 1 + len(self.text[position + 1 :]) - len(self.text[position + 1 :].lstrip())
                )
                position = begin
                continue
            position += 1
        yield begin, len(self.text)

    def check_circles(self, lets: list[Let]) -> None:
        needs = {(let.name, let.length): set(let.expr.names) for let in lets}
        waiting = {name: {other for other in needs if other[0] in names} for name, names in needs.items()}
        while free := [name for name, others in waiting.items() if not others & waiting.keys()]:
            for name in free:
                del waiting[name]
        if waiting:
            circle = ", ".join(name for name, _ in waiting)
            self.fail(f"the where goes in a circle: {circle}", self.where)
