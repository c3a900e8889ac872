"""Small random programs of views, writes, helpers and containers, for NumPy and torch.

A name has one type: v is a vector of four, m a matrix of four by four, l a list of two vectors, d a dict with
a vector under "v" and one under "w". So every line is right after every other, and what shares memory with
what is all that a program is about. Numbers are small sums of quarters: no framework rounds them.
"""

from __future__ import annotations

from hypothesis import strategies as st

HELPERS = """\
def bump(a):
    a[0] = 5.0


def scale(a, k):
    a *= k


def add_into(a, b):
    a += b


def tail_zero(a):
    v = a[1:]
    v[:] = 0.0


def same(a):
    return a


def written(a):
    a[1] = -3.0
    return a


def row(a, k):
    return a[k]


def swap(a, b):
    t = FRESH(a)
    a[:] = b
    b[:] = t


def into_list(things, a):
    things[0] = a


def both(a):
    a[0] = 1.0
    return a * 2, a


def early(a, k):
    if a[0] > k:
        return a
    return a * 2


def early_view(a, b, k):
    if a[0] > k:
        return a[:]
    b[1] = k
    return b


"""

#: {v}, {m}, {l}, {d}: a name of that type; {i}: an index; {k}: a number.
VECTORS = (
    "{v} * 1",
    "{v}",
    "{v} + {v}",
    "-{v}",
    "FRESH({v})",
    "{m}[{i}]",
    "{m}[:, {i}]",
    "{m}.T[{i}]",
    "{m}[{i}:][0]",
    "{l}[{j}]",
    '{d}["v"]',
    '{d}["w"]',
    "same({v})",
    "written({v})",
    "row({m}, {i})",
    "early({v}, {k})",
    "early_view({v}, {v}, {k})",
    "both({v})[1]",
    "both({v})[0]",
    "{m}.sum(0)",
    "{v}.reshape(2, 2).reshape(4)",
    "NP.where({v} > {k}, {v}, {v})",
    "({v} if {v}[0] > {k} else {v})",
)
OWN_VECTORS = {
    "numpy": (
        "{v}[::-1]",
        "np.flip({v})",
        "np.asarray({v})",
        "np.array({v})",
        "np.split({m}, 4)[{i}][0]",
        "np.vsplit({m}, 2)[{j}][1]",
        "np.hsplit({m}, 2)[{j}][:, 0]",
        "np.fliplr({m})[{i}]",
        "+{v}",
        "np.roll({v}, 1)",
        "np.moveaxis({m}, 0, 1)[{i}]",
        "{v}[np.array([3, 2, 1, 0])]",
    ),
    "torch": (
        "{v}.flip(0)",
        "torch.as_tensor({v})",
        "{m}.split(2)[{j}][1]",
        "{m}.chunk(2)[{j}][0]",
        "{m}.unbind(1)[{i}]",
        "{v}.contiguous()",
        "{v}.float()",
        "+{v}",
        "{m}.select(0, {i})",
        "{m}.max(0).values",
        "{v}.view(2, 2).view(-1)",
        "{v}[torch.tensor([3, 2, 1, 0])]",
        "{v}.expand(2, 4)[{j}]",
    ),
    "jax": ("{v}[::-1]", "jnp.flip({v})", "jnp.split({m}, 4)[{i}][0]", "{m}.at[{i}].add({v}).sum(0)"),
}
#: Updates that give a new array, which a text for NumPy or torch writes in place where nobody sees it.
UPDATED = {
    "numpy": (),
    "torch": (
        "{v}.index_fill(0, torch.tensor([{i}]), {k})",
        "{v}.index_add(0, torch.tensor([{i}, 0]), {v}[:2])",
        "{v}.scatter(0, torch.tensor([{i}]), {k})",
        "{v}.index_copy(0, torch.tensor([{i}]), {v}[1:2])",
    ),
    "jax": (
        "{v}.at[{i}].set({k})",
        "{v}.at[{i}].add({v}[0])",
        "{v}.at[1:].multiply(2.0)",
        "{v}.at[:2].set({v}[2:])",
        "{m}.at[{i}].set({v})[1]",
    ),
}
#: Statements of which {u} gives an array by an update.
CARRIED = (
    "for i in range(9):\n    {v!} = {u}",
    "for i in range(9):\n    {v!}, {v!} = {u}, {v}",
    "for i in range(9):\n    {v!}, {v!} = {v}, {u}\n    {v!} = {u}",
    "for i in range(9):\n    if {v}[0] > {k}:\n        {v!} = {v}\n    {v!} = {u}",
    "for i in range(9):\n    {v!} = {u} if {v}[0] > {k} else {v}\n    {v!} = {u}",
    "for i in range(9):\n    for j in range(9):\n        {v!}, {v!} = {v}, {u}\n    {v!} = {u}",
    "for i in range(9):\n    {v!} = {u}\n    if {v}[0] > {k}:\n        break\n    {v!} = {u}",
    "i = 0\nwhile {v}[0] < 2 and i < 9:\n    {v!}, {v!} = {u}, {v}\n    i += 1",
    "rows = []\nfor i in range(4):\n    {v!}, {v!} = {v}, {u}\n    rows.append({v})\n{m!} = NP.stack(rows)",
    "if {v}[0] > {k}:\n    {v!}, {v!} = {v}, {u}\nelse:\n    {v!} = {u}",
    "if {v}[0] > {k}:\n    {v!} = {v!} = {u}\n{v!} = {u}",
    "{v!}, {v!} = {u}, {v}",
    "{v!}, {v!} = {v}, {v}",
    "{v!} = {u} if {v}[0] > {k} else {v}",
)
LAX = (
    "{v!}, {v!} = lax.cond({v}[0] > {k}, lambda a, b: (a, b), lambda a, b: ({a}, b), {v}, {v})",
    "{v!}, {v!} = lax.cond({v}[0] > {k}, lambda a, b: (b, b), lambda a, b: (b, {a}), {v}, {v})",
    "{v!} = lax.cond({v}[0] > {k}, lambda a: a, lambda a: {a}, {v})",
    "{v!}, {v!} = lax.fori_loop(0, 5, lambda i, c: (c[1].at[i % 4].add({k}), c[0]), ({v}, {v}))",
    "{v!}, {v!}, {v!} = lax.fori_loop(0, 5, lambda i, c: (c[1].at[0].add(1.0), c[2], c[0]), ({v}, {v}, {v}))",
    "{v!}, {m!} = lax.scan(lambda a, b: ({a}, a), {v}, {v})",
    "({v!}, {v!}), {m!} = lax.scan(lambda c, b: ((c[1], c[0].at[0].add(b)), c[1]), ({v}, {v}), {v})",
    "{v!}, _ = lax.while_loop(lambda c: c[1] < 5, lambda c: (c[0].at[c[1] % 4].add(1), c[1] + 1), ({v}, 0))",
)
PLAIN = ("{v} * 2", "{v}", "{u}", "{m}[{i}]", "{m}.T[{i}]", "NP.where({v} > {k}, {v}, {v})")
CARRIED_BY = {"jax": [*CARRIED, *LAX], "torch": [*CARRIED]}
LAX_UPDATES = ("a.at[{i}].set({k})", "a.at[1:].add(1.0)", "a.at[:2].set(a[2:])", "a * 2")
MATRICES = (
    "{m} * 1",
    "{m}",
    "{m}.T",
    "FRESH({m})",
    "{m} + {v}",
    "same({m})",
    "({m} if {v}[0] > {k} else {m})",
)
LISTS = ("[{v}, {v}]", "{l}", "[{m}[0], {v}]", "list({l})", "{l}[::-1]", "[a * 1 for a in {l}]")
DICTS = ('{"v": {v}, "w": {v}}', "{d}", "dict({d})", '{"v": {l}[0], "w": {m}[1]}', "{**{d}}")
STATEMENTS = (
    "{v}[{i}] = {k}",
    "{v}[{i}] += {v}[{i}]",
    "{v}[1:] = {k}",
    "{v}[:2] *= 2",
    "{v} += {k}",
    "{v} *= -1",
    "{v}[:] = {v} * 1",
    "{v}[{v} > {k}] = 0.25",
    "{m}[{i}] = {v} * 1",
    "{m}[:, {i}] = {k}",
    "{m} += 1",
    "{m}[{i}, {i}] -= {k}",
    "{l}[{j}][{i}] = {k}",
    "{l}[{j}] += 1",
    "{l}[{j}] = {v}",
    '{d}["v"] += {k}',
    '{d}["v"][{i}] = {k}',
    '{d}["w"] = {v}',
    "bump({v})",
    "bump({m}[{i}])",
    "scale({v}, {k})",
    "scale({m}[:, {i}], 2.0)",
    "add_into({v}, {v} * 1)",
    "tail_zero({v})",
    "swap({v}, {v})",
    "into_list({l}, {v})",
    "{l}[0], {l}[1] = {l}[1], {l}[0]",
    "{l}.reverse()",
    "{l}.append({v})",
    "{l}.insert(0, {v})",
    '{d}["v"], {d}["w"] = {d}["w"], {d}["v"]',
    "({l} if {v}[0] > {k} else {l})[{j}] = {v}",
    "({v} if {v}[0] > {k} else {v})[{i}] = {k}",
    "for a in {l}:\n    bump(a)",
    "for a in {m}:\n    a[0] = {k}",
    "for k in range(3):\n    {v}[k] = {v}[k + 1] * 2",
    "if {v}[0] > {k}:\n    {v}[1] = 7.0",
    "if {v}[0] > {k}:\n    bump({v})\nelse:\n    scale({v}, 0.5)",
    "for a in {m}:\n    if a[0] > {k}:\n        break\n    a[0] = {k}",
)
SPELLED = {
    "numpy": ("np.array({})", "np."),
    "torch": ("({}).clone()", "torch."),
    "jax": ("jnp.array({})", "jnp."),
}
IMPORTS = {"numpy": "import numpy as np", "torch": "import torch"}
IMPORTS["jax"] = "import jax.numpy as jnp\nfrom jax import lax"
NAMES = {"v": ("x", "y", "v0", "v1"), "m": ("m", "m0"), "l": ("l0", "l1"), "d": ("d0", "d1")}
START = ("v0 = x * 1", "v1 = y", "m0 = m * 1", "l0 = [v0, v1]", "l1 = [y * 1, x]")
START_DICTS = ('d0 = {"v": v0, "w": m0[0]}', 'd1 = {"v": y * 1, "w": x}')


@st.composite
def programs(draw: st.DrawFn, framework: str) -> str:
    """The text of a module with a function `f(x, y, m)`."""
    lines = [*START, *START_DICTS]
    for _ in range(draw(st.integers(2, 7))):
        lines.append(filled(draw, draw(st.sampled_from(makers(framework))), framework))
    result = "return x, y, m, v0, v1, m0, l0, l1, d0, d1"
    body = "\n".join([*lines, result]).replace("\n", "\n    ")
    module = IMPORTS[framework]
    copy, _ = SPELLED[framework]
    helpers = HELPERS.replace("FRESH(a)", copy.format("a"))
    return f"{module}\n\n\n{helpers}def f(x, y, m):\n    {body}\n"


def makers(framework: str) -> tuple[str, ...]:
    """Templates of lines, one per expression and statement."""
    made = [f"{{v!}} = {e}" for e in (*VECTORS, *OWN_VECTORS[framework])]
    made += [f"{{m!}} = {e}" for e in MATRICES]
    made += [f"{{l!}} = {e}" for e in LISTS] + [f"{{d!}} = {e}" for e in DICTS]
    return (*made, *STATEMENTS)


@st.composite
def updates(draw: st.DrawFn, framework: str) -> str:
    """The same, of a program that updates arrays and writes into none itself."""
    lines = ["v0 = x * 1", "v1 = y", "m0 = m"]
    made = [f"{{v!}} = {e}" for e in PLAIN] + CARRIED_BY[framework]
    for _ in range(draw(st.integers(2, 5))):
        lines.append(filled(draw, draw(st.sampled_from(made)), framework))
    body = "\n".join([*lines, "return v0, v1, m0"]).replace("\n", "\n    ")
    return f"{IMPORTS[framework]}\n\n\ndef f(x, y, m):\n    {body}\n"


def filled(draw: st.DrawFn, text: str, framework: str) -> str:
    """A template with its holes filled."""
    for hole, texts in (("u", UPDATED[framework]), ("a", LAX_UPDATES)):
        while f"{{{hole}}}" in text:
            text = text.replace(f"{{{hole}}}", draw(st.sampled_from(texts)), 1)
    text = named(draw, text, NAMES)
    copy, prefix = SPELLED[framework]
    while "FRESH(" in text:
        start = text.index("FRESH(")
        end = text.index(")", start)
        text = text[:start] + copy.format(text[start + 6 : end]) + text[end + 1 :]
    return text.replace("NP.", prefix)


def named(draw: st.DrawFn, text: str, known: dict[str, tuple[str, ...]]) -> str:
    """A template with names, by their types, and numbers in its holes; arguments are not bound anew."""
    for kind, names in known.items():
        while f"{{{kind}!}}" in text:
            own = [n for n in names if n not in ("x", "y", "m")]
            text = text.replace(f"{{{kind}!}}", draw(st.sampled_from(own)), 1)
        while f"{{{kind}}}" in text:
            text = text.replace(f"{{{kind}}}", draw(st.sampled_from(names)), 1)
    for hole, values in (("i", "0123"), ("j", "01"), ("k", ("0.5", "-1.0", "2.0"))):
        while f"{{{hole}}}" in text:
            text = text.replace(f"{{{hole}}}", draw(st.sampled_from(values)), 1)
    return text
