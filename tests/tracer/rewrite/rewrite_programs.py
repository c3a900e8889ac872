"""Small random programs: every statement of Python, most of them on variables that may have no value."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

NAMES = ("a", "b", "c", "d", "y", "z")
ATOMS = (*NAMES, *NAMES, *NAMES, "0", "1", "-2", "0", "1", "-2", "None", "'s'", "[1, 2]")
OPERATORS = ("and", "or", "and", "or", "==", "!=", "is", "is not", "+", "-", "*", "<", "in", "not in")

#: {e}: an expression, {n}: a name
EXPRESSIONS = (
    "({e} {o} {e})",
    "({e} {o} {e})",
    "({e} if {e} else {e})",
    "({e} < {e} <= {e})",
    "(not {e})",
    "log({e})",
    "log(*[{e}], k={e})",
    "[{e} for {n} in range(3) if {e}]",
    "[{e} for {n}, ({n}, {n}) in [(1, (2, 3)), (3, 4)]]",
    "sum(({e} for {n} in (1, 2)))",
    "(lambda: {e})()",
    "(lambda {n}={e}: {e})(1)",
    'f"{{{n}!r:>{{w}}}}"',
    "({n} := {e})",
    "box[{e}]",
    "box[{e}:]",
    "obj.{n}",
    "later.append(lambda: {e})",
    "{{{e}: {e}, **{{1: {e}}}}}",
)
SIMPLE = (
    "{n} = {e}",
    "{n} = {e}",
    "{n} = {n} = {e}",
    "{n} += {e}",
    "box[{e}] = {e}",
    "box[{e}] += {e}",
    "obj.{n} = {e}",
    "obj.{n} += {e}",
    "{n}, {n} = {e}, {e}",
    "{n}, *{n} = {e}, {e}",
    "{n}, (box[{e}], {n}) = {e}, ({e}, {e})",
    "{n}, {n} = {e}",
    "{n}: int = {e}",
    "{e}",
    "log({n})",
    "del {n}",
    "log({n})",
    "log({e})",
    "assert {e} or {e}, {e}",
    "return {e}",
    "raise KeyError(1)",
    "raise TypeError(log({e})) from None",
    "pass",
)
LOOPS = (
    "for a in range(3)",
    "for b, c in [(1, 2), (3, 4)]",
    "for (a, *d) in [(1, 2), {e}]",
    "for box[0] in range(2)",
    "for (a, (b, c)) in [(1, (2, 3)), (4, 5)]",
    "for a in range(3)",
    "for y in told(3)",
    "for z in growing([1, 2])",
    "while fuel() and {e}",
    "while fuel() and {e}",
    "while fuel() and ({n} := {e})",
    "while True",
)
PLAIN_PATTERNS = ("1", "0 | 1", "-2 | 's'", "None", "True | False", "obj.a", "b", "(1 | 2) as y", "d")
MANAGERS = ("swallow()", "swallow() as a", "swallow() as (a, b), swallow() as c", "swallow() as box[0]")


@dataclass(frozen=True)
class Style:
    """What a program is made of; `start` is how its body begins."""

    atoms: tuple[str, ...]
    operators: tuple[str, ...]
    expressions: tuple[str, ...]
    simple: tuple[str, ...]
    loops: tuple[str, ...]
    managers: tuple[str, ...]
    start: str = ""


WILD = Style(ATOMS, OPERATORS, EXPRESSIONS, SIMPLE, LOOPS, MANAGERS)

#: It hardly ever fails, so that a program gets far.
CALM = Style(
    atoms=(*NAMES, *NAMES, "0", "1", "2", "3"),
    operators=("==", "!=", "and", "or", "is", "is not"),
    expressions=(
        "({e} {o} {e})",
        "({e} {o} {e})",
        "({e} if {e} else {e})",
        "(not {e})",
        "log({e})",
        "[{e} for {n} in range(3) if {e}]",
        "any({e} for {n} in (1, 2))",
        "({n} := {e})",
        "later.append(lambda: {e})",
        "size({e})",
        "box[{e}]",
    ),
    simple=(
        "{n} = {e}",
        "{n} = {e}",
        "{n}, {n} = {e}, {e}",
        "{n} = size({n}) + 1",
        "{n} = size({n}) + 1",
        "log({n})",
        "log({n}, {n})",
        "{e}",
        "del {n}",
        "{n}: int = {e}",
        "return {e}",
        "raise TypeError({e})",
    ),
    loops=LOOPS,
    managers=MANAGERS,
    start="c = d = 1\n",
)

#: All that it does is to change variables.
PURE = Style(
    atoms=CALM.atoms,
    operators=CALM.operators,
    expressions=(
        "({e} {o} {e})",
        "({e} if {e} else {e})",
        "(not {e})",
        "(lambda: {e})",
        "call({n})",
        "call({n})",
        "[{e} for {n} in range(3) if {e}]",
        "any({e} for {n} in (1, 2))",
        "({n} := {e})",
    ),
    simple=(
        "{n} = {e}",
        "{n} = {e}",
        "{n} = {e}",
        "{n}, {n} = {e}, {e}",
        "{n} = size({n}) + 1",
        "{n} = lambda: {e}",
        "del {n}",
        "return {e}",
        "raise TypeError({e})",
    ),
    loops=("for {n} in range(2)", "for {n}, {n} in [(1, 2), (3, 4)]", "for {n} in range(2)", "while {e}"),
    managers=("swallow()", "swallow() as {n}"),
    start="c = d = 1\n",
)


class Writer:
    """Writes programs; the same `source` always gives the same one."""

    def __init__(self, source: random.Random, style: Style) -> None:
        self.choice = source.choice
        self.chance: Callable[[], bool] = lambda: source.random() < 0.5
        self.style = style

    def program(self) -> str:
        """A function `f(a, b=2, z=None, *, y=None, w=5)`, sometimes a generator."""
        ending = self.choice(("", "", "", "yield 1\n"))
        head = "def f(a, b=2, z=None, *, y=None, w=5):\n"
        block = self.style.start + self.block(3, False) + "log(a, b)\n" + ending
        return head + indented(block + "return (a, b)\n")

    def fill(self, text: str, depth: int = 2) -> str:
        holes = (("{n}", self.name), ("{o}", self.operator), ("{e}", lambda: self.expression(depth)))
        for hole, write in holes:
            while hole in text:
                text = text.replace(hole, write().replace("{", "\0").replace("}", "\1"), 1)
        return text.replace("{{", "{").replace("}}", "}").replace("\0", "{").replace("\1", "}")

    def name(self) -> str:
        return self.choice(NAMES)

    def operator(self) -> str:
        return self.choice(self.style.operators)

    def expression(self, depth: int = 2) -> str:
        if depth == 0 or self.chance():
            return self.choice(self.style.atoms)
        return self.fill(self.choice(self.style.expressions), depth - 1)

    def static(self) -> str:
        """A test that may be recorded."""
        one, other = (f"{self.choice('zy')} {self.choice(('is', 'is not'))} None" for _ in range(2))
        return self.choice((one, one, f"not {one}", f"{one} and {other}", f"not ({one} or {other})"))

    def block(self, depth: int, loop: bool) -> str:
        return "".join(self.statement(depth, loop) for _ in range(self.choice((1, 2, 2, 3))))

    def inner(self, depth: int, loop: bool) -> str:
        return indented(self.block(depth - 1, loop))

    def statement(self, depth: int, loop: bool) -> str:
        if depth == 0 or self.choice(range(4)) == 0:
            if loop and self.choice(range(4)) == 0:
                return self.choice(("break\n", "continue\n"))
            return self.fill(self.choice(self.style.simple)) + "\n"
        kinds = (self.if_, self.loop, self.if_, self.loop, self.if_, self.try_, self.with_, self.function)
        return self.choice((*kinds, self.match, self.plain_match))(depth, loop)

    def if_(self, depth: int, loop: bool) -> str:
        test = self.static if self.choice(range(3)) else self.expression
        text = f"if {test()}:\n{self.inner(depth, loop)}"
        if self.chance():
            text += f"elif {test()}:\n{self.inner(depth, loop)}"
        return text + self.otherwise("else", depth, loop)

    def otherwise(self, word: str, depth: int, loop: bool) -> str:
        return f"{word}:\n{self.inner(depth, loop)}" if self.chance() else ""

    def loop(self, depth: int, loop: bool) -> str:
        head, body = self.fill(self.choice(self.style.loops)), self.inner(depth, True)
        if head == "while True":
            body = f"    fuel()\n{body}"
        start = ""
        if self.style is PURE and head.startswith("while"):
            turns = f"turns_{depth}"
            start, head = f"{turns} = 2\n", f"{head} and {turns}"
            body = f"    {turns} = {turns} - 1\n{body}"
        text = f"{start}{head}:\n{body}"
        return text + self.otherwise("else", depth, loop)

    def try_(self, depth: int, loop: bool) -> str:
        text = f"try:\n{self.inner(depth, loop)}"
        catches = self.chance()
        if catches:
            caught = self.choice(("", " as a", " as y"))
            text += f"except (NameError, TypeError){caught}:\n{self.inner(depth, loop)}"
            text += self.otherwise("else", depth, loop)
        if catches and self.chance():
            return text
        return f"{text}finally:\n{self.inner(depth, loop)}"

    def with_(self, depth: int, loop: bool) -> str:
        return f"with {self.fill(self.choice(self.style.managers))}:\n{self.inner(depth, loop)}"

    def match(self, depth: int, loop: bool) -> str:
        first, second, third = (indented(self.inner(depth, loop)) for _ in range(3))
        guard, subject = self.expression(), self.expression()
        several = f"    case [a, *d] if {guard}:\n{first}"
        return f"match {subject}:\n{several}    case int(b) | str(b):\n{second}    case _:\n{third}"

    def plain_match(self, depth: int, loop: bool) -> str:
        text = f"match {self.expression()}:\n"
        for _ in range(self.choice((1, 2, 3))):
            pattern = self.choice(PLAIN_PATTERNS)
            guard = f" if {self.expression()}" if self.chance() or pattern in ("b", "d") else ""
            text += f"    case {pattern}{guard}:\n{indented(self.inner(depth, loop))}"
        return text

    def function(self, depth: int, loop: bool) -> str:
        name = self.choice(("helper", "a", "c"))
        kinds = ("", "", "", "", "    nonlocal b\n", "    nonlocal y\n")
        declared = self.choice(kinds) if name == "c" else ""
        return f"def {name}(d=1, z=None):\n{declared}{self.inner(depth, False)}log({name}())\n"


def indented(block: str) -> str:
    return "".join(f"    {line}\n" for line in block.splitlines())
