"""Small random programs of views that have a name, read and written by it and by others, for NumPy and torch.

A name has one type: v is a vector of four of its own, m a matrix of four by four, p a part of one, four
elements long, w one of two by four, and b a buffer, a vector that is handed on under other names. See
random_memory.py, whose helpers and numbers these are.
"""

from __future__ import annotations

import re

from hypothesis import strategies as st
from random_memory import HELPERS, IMPORTS, SPELLED, named

VIEWS = (
    "{p!} = {m}[{i}]",
    "{p!} = {m}[:, {i}]",
    "{p!} = {w}[{j}]",
    "{p!} = {p}",
    "{p!} = {m}.T[{i}]",
    "{p!}, {p!} = {m}[{i}], {m}[{i}]",
    "{w!} = {m}[1:3]",
    "{w!} = {m}[2:]",
    "{w!} = {m}[::2]",
    "{w!} = {m}[{j}:][:2]",
    "{w!} = {m}.T[:2]",
)
READS = (
    "{v!} = {p} * 1",
    "{v!} = {p} + {v}",
    "{v!} = {w}[{j}] - {p}",
    "{v!} = {m}[{i}] * {p}",
    "{v!} = {w}.sum(0)",
    "{v!} = {b} + {b}",
)
WRITES = (
    "{p}[{i}] = {k}",
    "{p}[1:] = {k}",
    "{p} += {k}",
    "{p} *= 2",
    "{p} -= {v} * 1",
    "{p} += {p}",
    "{p}[:] = {v} * 1",
    "{p}[:] = {p} * 0.5",
    "{p}[1:] += {p}[:-1] * 1",
    "{p}[{p} > {k}] = 0.25",
    "{p}[{i}] += {p}[{i}]",
    "{w} += {k}",
    "{w} *= {p}",
    "{w}[{j}] = {v} * 1",
    "{w}[{j}] = {p} * 1",
    "{w}[:, {i}] -= {k}",
    "{m}[{i}] = {v} * 1",
    "{m}[:, {i}] += {k}",
    "{m} -= 1",
    "{m}[{i}, {i}] = {k}",
    "bump({p})",
    "tail_zero({p})",
    "scale({w}, 0.5)",
    "add_into({p}, {v} * 1)",
    "{m!} = {m} + {p}",
    "{p} = {p} + {k}",
    "{p!} = same({p})",
    "{b}[{i}] = {k}",
    "{b}[1:] = {b}[:-1] * 2",
    "{b} += {b} * 0.5",
    "{b} *= {v} * 1",
    "{b!} = {p} * 1",
    "{b!}, {b!} = {b}, {b}",
)
#: Each {s} is a statement of these.
AROUND = """\
for i in range(3):
    {s}

for i in range(4):
    {p!} = {m}[i]
    {s}
    {s}

for i in range(5):
    {s}
    {s}

for i in range(4):
    {p}[i] = {v}[i]
    {s}

for a in {m}:
    {p} += a
    {s}

for a in {m}:
    a[0] = {k}
    {s}

for a in {m}:
    a -= a.sum()

for i, a in enumerate({m}):
    a *= i
    {s}

if {v}[0] > {k}:
    {s}

if {p}[0] > {k}:
    {s}
else:
    {s}

if {p}[0] > {k}:
    {p!} = {m}[{i}]
    {s}
{s}

for i in range(3):
    if {p}[i] > {k}:
        {s}
    {s}

i = 0
while {p}[0] < 2 and i < 4:
    {s}
    i += 1

for i in range(4):
    {s}
    if {p}[0] > {k}:
        break

for i in range(4):
    {s}
    if {p}[i] > {k}:
        continue
    {s}

for i in range(4):
    {v!} = {v} + {p}
    {s}
    if {v}[0] > {k}:
        {v!} = {p}
        break
    {s}

for i in range(4):
    if {m}[i, 0] > {k}:
        if {v}[i] > {k}:
            break
        {s}
    {s}

for i in range(5):
    {s}
    b0, b1 = b1, b0

for i in range(5):
    b0[i % 4] = b1.sum()
    {s}
    if b0[0] > {k}:
        break
    b0, b1 = b1, b0

for i in range(3):
    b0[1:] = b1[:-1] * 0.5
    {b!}, {b!} = {b}, {b}
    {s}

for i in range(4):
    b0, b1, {b!} = b1, {b}, b0
    b0[i] = {k}
    {p!} = b1

for i in range(4):
    {v!} = FRESH({p})
    {s}
    if {v}[1] < {p}[1]:
        break
else:
    {s}

i = 0
while True:
    {s}
    i += 1
    if {p}[0] > {k} or i > 3:
        break
    {m}[{j}] = {v} * 1
""".split("\n\n")
NAMES = {"v": ("x", "y", "v0"), "m": ("m", "m0"), "p": ("p0", "p1"), "w": ("w0", "w1")}
NAMES["b"] = ("b0", "b1", "b2")
START = ("v0 = x * 1", "m0 = m * 1", "p0 = m0[1]", "p1 = m[:, 2]", "w0 = m0[1:3]", "w1 = m[:2]")
BUFFERS = ("b0 = y * 1", "b1 = y * 2", "b2 = x - 1")


@st.composite
def viewing(draw: st.DrawFn, framework: str) -> str:
    """The text of a module with a function `f(x, y, m)`."""
    lines = [*START, *BUFFERS]
    templates = (*VIEWS, *READS, *WRITES, *WRITES, *AROUND, *AROUND)
    for _ in range(draw(st.integers(2, 6))):
        lines.append(filled(draw, draw(st.sampled_from(templates))).rstrip())
    body = "\n".join([*lines, "return x, y, m, v0, m0, p0, p1, w0, w1, b0, b1, b2"]).replace("\n", "\n    ")
    copy, _ = SPELLED[framework]
    text = f"{IMPORTS[framework]}\n\n\n{HELPERS}def f(x, y, m):\n    {body}\n"
    return re.sub(r"FRESH\((\w+)\)", lambda found: copy.format(found[1]), text)


def filled(draw: st.DrawFn, text: str) -> str:
    """A template with its holes filled."""
    while "{s}" in text:
        before = text[: text.index("{s}")]
        indent = " " * (len(before) - len(before.rstrip(" ")))
        inner = draw(st.sampled_from((*READS, *WRITES)))
        text = text.replace("{s}", inner.replace("\n", f"\n{indent}"), 1)
    return named(draw, text, NAMES)
