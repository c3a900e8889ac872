"""Small random programs on arrays: nested control flow that arrays decide, and writes in place.

A name has one type: s is a scalar array, f a number or one, c an int, v a vector of x's length, m a square
matrix, p a part of a vector, b a truth value. Numbers are sums of few powers of two, so that every
framework computes the same to the last bit.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from random_words import (
    ALIASES,
    CONSTANTS,
    EXPRESSIONS,
    LOOPS,
    MAKING,
    SIMPLE,
    SPELLINGS,
    START,
    WRITES,
)
from rewrite_programs import indented


@dataclass
class Scope:
    """The names that have a value, by type; `loops` counts those around."""

    names: dict[str, list[str]] = field(default_factory=dict)
    loop: bool = False

    def inner(self, loop: bool = False) -> Scope:
        return Scope({kind: list(names) for kind, names in self.names.items()}, loop or self.loop)

    def add(self, kind: str, name: str) -> None:
        known = self.names.setdefault(kind, [])
        if name not in known:
            known.append(name)


class Writer:
    """Writes programs; the same seed always gives the same one."""

    def __init__(self, seed: int, framework: str, small: bool = False) -> None:
        self.small = small
        self.random = random.Random(seed)
        self.choice = self.random.choice
        self.framework = framework
        self.counter = 0
        self.aliasing = self.chance(6)

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def program(self) -> str:
        """A function `f(x, y, m, n)`."""
        scope = Scope({"v": ["x", "y"], "m": ["m"], "s": ["s0"]})
        self.pure = not self.chance(4)
        text = self.spelled("x, y, m = COPY(x), COPY(y), COPY(m)\n") if self.pure else ""
        for line in START[:1] + START[2:4] if self.small else START:
            name = line.split()[0]
            scope.add(name[0], name)
            text += line
        if self.framework == "torch" and not self.chance(4):
            text += "s0 = s0 + 1.0\n"
        self.result = "return s0, v0, c0, x, y, m" if self.small else "return s0, f0, c0, v0, m0, x, y, m"
        text += self.block(
            scope,
            self.choice((1, 2) if self.small else (1, 2, 2, 3)),
            self.choice((2, 3) if self.small else (2, 3, 4)),
        )
        text += self.result + "\n"
        module = "numpy as np" if self.framework == "numpy" else "torch"
        return f"import {module}\n\n\ndef f(x, y, m, n: int):\n" + indented(text)

    # Expressions.

    def spelled(self, text: str) -> str:
        table = SPELLINGS[self.framework]
        text = text.replace("NP.", table["np"] + ".")
        for word in ("COPY", "FRESH"):
            while word + "(" in text:
                start = text.index(word + "(")
                end, depth = start + len(word) + 1, 1
                while depth:
                    depth += {"(": 1, ")": -1}.get(text[end], 0)
                    end += 1
                inside = text[start + len(word) + 1 : end - 1]
                text = text[:start] + table[word.lower()].format(inside) + text[end:]
        return text

    def fill(self, text: str, scope: Scope, depth: int) -> str | None:
        """The text with its holes filled from the left; what it binds is not known inside it."""
        bound: list[str] = []
        while "{" in text:
            start, end = text.index("{"), text.index("}")
            made = self.hole(text[start + 1 : end], scope, depth, bound)
            if made is None:
                return None
            text = text[:start] + made + text[end + 1 :]
        for name in bound:
            scope.add(name[0], name)
        return self.spelled(text)

    def hole(self, hole: str, scope: Scope, depth: int, bound: list[str]) -> str | None:
        if hole == "k":
            return self.choice(CONSTANTS)
        if hole == "k2":
            return self.choice(("0.5", "-0.5", "0.25", "-1.0"))
        if hole == "i":
            return self.index(scope)
        if hole.endswith("!"):
            name = self.bindable(hole[0], scope)
            bound.append(name)
            return name
        if hole.endswith("+") and not self.aliasing:
            return self.making(hole[0], scope, depth)
        if hole.endswith("n"):
            known = scope.names.get(hole[0])
            return self.choice(known) if known else None
        return self.expression(hole[0], scope, depth)

    def making(self, kind: str, scope: Scope, depth: int) -> str:
        """An expression whose value is an array of its own."""
        while True:
            made = self.fill(self.choice(MAKING[kind]), scope, depth - 1)
            if made is not None:
                return made

    def bindable(self, kind: str, scope: Scope) -> str:
        names = [f"{kind}{i}" for i in range({"v": 3, "m": 2, "c": 2}.get(kind, 2))]
        return self.choice([*names, names[0]])

    def index(self, scope: Scope) -> str:
        j = scope.names.get("j", [])
        if j and not self.chance(3):
            return self.choice(j)
        ints = [*scope.names.get("i", []), *scope.names.get("c", [])]
        if ints and self.chance(4):
            return f"{self.choice(ints)} % x.shape[0]"
        return self.choice(("0", "1", "-1", "0", "1"))

    def expression(self, kind: str, scope: Scope, depth: int) -> str:
        known = scope.names.get(kind, [])
        if kind == "c":
            known = [*known, *scope.names.get("i", []), *scope.names.get("j", []), "1", "n"]
        if known and (depth <= 0 or not self.chance(2)):
            return self.choice(known)
        while True:
            made = self.fill(self.choice(EXPRESSIONS[kind]), scope, depth - 1)
            if made is not None:
                return made

    # Statements.

    def block(self, scope: Scope, depth: int, length: int | None = None) -> str:
        text = ""
        for _ in range(length or self.choice((1,) if self.small else (1, 1, 2))):
            text += self.statement(scope, depth)
        return text

    def statement(self, scope: Scope, depth: int) -> str:
        if depth == 0 or self.chance(3):
            return self.simple(scope)
        kinds = (self.if_, self.if_, self.if_, self.for_, self.for_, self.for_, self.while_, self.flagged)
        return self.choice((*kinds, self.state, self.record, self.collected))(scope, depth)

    def simple(self, scope: Scope) -> str:
        while True:
            kinds = (SIMPLE, WRITES, ALIASES) if self.aliasing else (SIMPLE, WRITES)
            made = self.fill(self.choice(self.choice(kinds)), scope, 2)
            if made is not None:
                return made + "\n"

    def test(self, scope: Scope) -> str:
        return self.fill(self.choice(("{t}", "{s} > {k}", "{v}.sum() > {f}")), scope, 1) or "n > 1"

    def leaving(self, scope: Scope) -> str:
        if scope.loop and not self.chance(4):
            return self.choice(("break\n", "continue\n"))
        return self.result + "\n"

    def if_(self, scope: Scope, depth: int) -> str:
        text = f"if {self.test(scope)}:\n"
        sides = [scope.inner()]
        inner = self.block(sides[0], depth - 1)
        if self.chance(5):
            inner += self.leaving(scope)
        text += indented(inner)
        if self.chance(4):
            sides.append(scope.inner())
            text += f"elif {self.test(scope)}:\n{indented(self.block(sides[-1], depth - 1))}"
        if self.chance(2):
            sides.append(scope.inner())
            inner = self.block(sides[-1], depth - 1)
            if self.chance(8):
                inner += self.leaving(scope)
            text += f"else:\n{indented(inner)}"
            for kind, names in sides[0].names.items():
                for name in names:
                    if all(name in s.names.get(kind, ()) for s in sides):
                        scope.add(kind, name)
        return text

    def number(self) -> int:
        self.counter += 1
        return self.counter

    def for_(self, scope: Scope, depth: int) -> str:
        head, kinds = self.choice(LOOPS)
        inner = scope.inner(loop=True)
        names = []
        for kind in kinds:
            name = f"{kind}{self.number() + 9}" if self.chance(3) or kind in "ij" else f"{kind}9"
            if name in names:
                name = f"{kind}{self.number() + 9}"
            names.append(name)
        for i, name in enumerate(names):
            head = head.replace(f"{{{i}}}", name)
        filled = self.fill(head, scope, 0)
        assert filled is not None
        for kind, name in zip(kinds, names):
            inner.add(kind, name)
        body = self.block(inner, depth - 1)
        if self.chance(3):
            body += f"if {self.test(inner)}:\n{indented(self.simple(inner) + self.leaving(inner))}"
            body += self.simple(inner)
        text = f"{filled}\n{indented(body)}"
        return text + self.otherwise(scope, depth)

    def otherwise(self, scope: Scope, depth: int) -> str:
        return f"else:\n{indented(self.block(scope.inner(), depth - 1))}" if self.chance(5) else ""

    def while_(self, scope: Scope, depth: int) -> str:
        count = f"t{self.number()}"
        inner = scope.inner(loop=True)
        test = self.choice(
            (f"{self.test(scope)} and {count} < 4", f"{count} < 3 and {self.test(scope)}", "True")
        )
        step = f"{count} = {count} + 1\n"
        if test == "True":
            body = self.block(inner, depth - 1)
            endless = "continue" in body
            body = step + (f"if {count} > 4:\n    break\n" if endless else "") + body
            body += f"if {self.test(inner)} or {count} > 3:\n    break\n"
        else:
            body = step + self.block(inner, depth - 1)
        return f"{count} = 0\nwhile {test}:\n{indented(body)}" + self.otherwise(scope, depth)

    def flagged(self, scope: Scope, depth: int) -> str:
        """A variable defined on one way, and read on the same."""
        flag, name = f"b{self.number() + 9}", f"v{self.number() + 9}"
        inner = scope.inner()
        text = (
            f"{flag} = {self.fill('{b}', scope, 1)}\nif {flag}:\n    {name} = {self.fill('{v+}', scope, 1)}\n"
        )
        text += self.block(inner, depth - 1)
        after = scope.inner()
        after.add("v", name)
        return text + f"if {flag}:\n{indented(self.block(after, depth - 1))}"

    def state(self, scope: Scope, depth: int) -> str:
        """A tuple that is taken apart and made anew in each turn."""
        number = self.number() + 9
        state, s, v = f"st{number}", f"s{number}", f"v{number}"
        inner = scope.inner(loop=True)
        inner.add("s", s)
        inner.add("v", v)
        text = f"{state} = ({self.fill('{s}, {v+}', scope, 1)})\n"
        body = f"{s}, {v} = {state}\n{self.block(inner, depth - 1)}"
        body += f"{state} = ({self.fill('{s}, {v+}', inner, 1)})\n"
        head = self.choice(("for _ in range(n):", "for _ in range(3):"))
        if self.chance(4):
            head = f"if {self.test(scope)}:"
            body = body.replace("break\n", "pass\n").replace("continue\n", "pass\n")
        return text + f"{head}\n{indented(body)}s0, v0 = {state}\n"

    def record(self, scope: Scope, depth: int) -> str:
        """A dict as state."""
        name = f"d{self.number()}"
        s, v = f'{name}["s"]', f'{name}["v"]'
        inner = scope.inner()
        inner.names.setdefault("s", []).extend([s, s])
        inner.names.setdefault("v", []).extend([v, v])
        text = f"{name} = {{{self.fill(chr(34) + 's' + chr(34) + ': {s}, ', scope, 1)}"
        text += f"{self.fill(chr(34) + 'v' + chr(34) + ': {v+}', scope, 1)}}}\n"
        block = self.block(inner, depth)
        changes = (f"{s} = {{s}}\n", f"{v} = {{v+}}\n", f"{v} += {{v}}\n", f"{v}[{{i}}] = {{s}}\n")
        change = self.choice(changes)
        head = self.choice(("for _ in range(n):\n", f"if {self.test(scope)}:\n"))
        text += head + indented(self.fill(change, inner, 1) or "pass\n")
        return text + block + self.spelled(f"s0, v0 = {s}, COPY({v})\n")

    def collected(self, scope: Scope, depth: int) -> str:
        """A list that grows and is stacked."""
        name = f"outs{self.number()}"
        kind = self.choice("sv")
        head = self.choice(
            ("for {0} in range(3):", "for {0} in range(n):", "for {0} in {mn}:", "for {0} in {vn}:")
        )
        item = {"r": "i", "m": "v", "v": "s"}[head.split(" in ")[1].strip("{")[0]]
        one = f"{item}{self.number() + 9}"
        inner = scope.inner(loop=True)
        inner.add(item, one)
        body = self.block(inner, depth - 1) + f"{name}.append({self.fill(f'{{{kind}}}', inner, 1)})\n"
        if self.chance(3):
            body += self.simple(inner)
        first = self.fill(f"{{{kind}}}", scope, 0) if self.chance(2) else ""
        text = f"{name} = [{first}]\n{self.fill(head.replace('{0}', one), scope, 0)}\n{indented(body)}"
        stacked = self.spelled(f"NP.stack({name})")
        return text + (f"s0 = {stacked}.sum()\n" if kind == "s" else f"v0 = {stacked}.sum(0)\n")
