"""What random programs are made of, see random_flow.py: expressions, tests, writes and loops, with holes."""

from __future__ import annotations

#: What the frameworks spell in different ways.
SPELLINGS = {
    "numpy": {"np": "np", "copy": "{0}.copy()", "fresh": "{0}.copy()"},
    "torch": {"np": "torch", "copy": "{0}.clone()", "fresh": "({0}).clone()"},
}
START = (
    "s0 = x.sum()\n",
    "f0 = 0.5\n",
    "c0 = 1\n",
    "v0 = y * 0.5\n",
    "m0 = m + 1.0\n",
)
CONSTANTS = ("0.5", "1.0", "-1.0", "2.0", "0.25", "-0.5", "3.0", "0.0")
#: {s}: a scalar array, {f}: a float or a scalar array, {c}: an int, {v}, {m}: a vector and a matrix,
#: {p}: a part of a vector, {t}: a test, {k}: a constant, {i}: an index; {vn}: one that has a name, {v!}: a
#: name to bind, {v+}: an array of its own
EXPRESSIONS = {
    "s": (
        "{v}.sum()",
        "{v}.max()",
        "{m}.sum()",
        "{vn}[{i}]",
        "{vn}[{i}]",
        "{mn}[{i}, {i}]",
        "({s} + {s})",
        "({s} - {s})",
        "({s} * {k2})",
        "-{s}",
        "abs({s})",
        "NP.minimum({s}, {s})",
        "({s} if {t} else {s})",
        "({s} + {c})",
        "{pn}.sum()",
    ),
    "f": ("{k}", "{s}", "({f} + {s})", "({f} - {k})", "({f} * {k2})", "({f} if {t} else {f})"),
    "c": ("0", "1", "2", "n", "n", "x.shape[0]", "len(y)", "({c} + 1)", "({c} % 2)", "({c} if {t} else {c})"),
    "t": (
        "{s} > {k}",
        "{s} > {s}",
        "{s} <= {f}",
        "{v}.sum() > {k}",
        "{s} == {s}",
        "{c} > {c}",
        "n % 2 == 0",
        "x.shape[0] > 2",
        "({t} and {t})",
        "({t} or {t})",
        "not ({t})",
        "{k} < {s} <= {k}",
        "({v} > {k}).any()",
        "({v} > {k}).all()",
        "{bn}",
    ),
    "v": (
        "({v} + {v})",
        "({v} - {v})",
        "({v} * {k2})",
        "({v} + {s})",
        "({v} + {k})",
        "-{v}",
        "abs({v})",
        "NP.where({v} > {v}, {v}, {v})",
        "NP.minimum({v}, {v})",
        "{mn}[{i}]",
        "{mn}[:, {i}]",
        "{mn}.T[{i}]",
        "{m}.sum(0)",
        "COPY({vn})",
        "({v} if {t} else {v})",
        "NP.zeros_like({vn})",
    ),
    "m": (
        "({m} * {k2})",
        "({m} + {v})",
        "({m} - {m})",
        "COPY({mn})",
        "NP.zeros_like({mn})",
        "({mn}.T + {s})",
    ),
    "p": ("{vn}[1:]", "{vn}[:2]", "{mn}[{i}, 1:]", "{mn}[0][:-1]", "{mn}.T[1][1:]", "COPY({vn})[:2]"),
    "b": ("{s} > {k}", "{c} > {c}", "({v} > {k}).any()"),
}
#: Those whose value is an array of its own.
MAKING = {
    kind: [e for e in EXPRESSIONS[kind] if " if " not in e and not e.endswith(("]", "].T"))] for kind in "vm"
}
SIMPLE = (
    "{s!} = {s}",
    "{s!} = {s}",
    "{f!} = {f}",
    "{f!} = {f}",
    "{c!} = {c}",
    "{v!} = {v+}",
    "{v!} = {v+}",
    "{v!} = {v+}",
    "{m!} = {m+}",
    "{b!} = {b}",
    "{s!}, {v!} = {s}, {v+}",
)
#: Several names for one memory, which few programs have: what is written then is often refused.
ALIASES = (
    "{v!} = {v}",
    "{v!} = {vn}",
    "{v!} = {mn}[{i}]",
    "{v!} = {mn}.T[{i}]",
    "{m!} = {mn}.T",
    "{p!} = {p}",
    "{s!}, {v!} = {s}, {v}",
    "{vn}, {v!} = {v}, {vn}",
)
WRITES = (
    "{sn} += {s}",
    "{fn} -= {k}",
    "{cn} += 1",
    "{vn}[{i}] = {s}",
    "{vn}[{i}] = {k}",
    "{vn}[{i}] += {s}",
    "{vn}[{i}] *= {k2}",
    "{vn}[1:] += {s}",
    "{vn}[:2] = {k}",
    "{vn}[1:] = FRESH({vn}[:-1])",
    "{vn}[:] = FRESH({v})",
    "{vn} += FRESH({v})",
    "{vn} -= {s}",
    "{vn} *= {k2}",
    "{vn}[{vn} > {k}] = {k}",
    "{vn}[{vn} > {k}] *= {k2}",
    "{mn}[{i}] = {v}",
    "{mn}[{i}] += FRESH({v})",
    "{mn}[{i}] *= {k2}",
    "{mn}[:, {i}] = FRESH({v})",
    "{mn}[:, {i}] -= {s}",
    "{mn}[{i}, {i}] = {s}",
    "{mn}[{i}, {i}] += {k}",
    "{mn}[{i}][{i}] = {s}",
    "{mn}.T[{i}][1:] = {k}",
    "{mn} += FRESH({v})",
    "{mn} *= {k2}",
    "{pn} += {s}",
    "{pn}[0] = {s}",
    "{pn} *= {k2}",
    "{pn}[{pn} > {k}] = {k}",
    "{vn}[0], {vn}[1] = {s}, {s}",
)
#: Names for the items of loops, and which of them are made.
LOOPS = (
    ("for {0} in range(n):", "i"),
    ("for {0} in range(n):", "i"),
    ("for {0} in range(x.shape[0]):", "j"),
    ("for {0} in range(1, n):", "i"),
    ("for {0} in range(len(x) - 1):", "j"),
    ("for {0} in range(3):", "i"),
    ("for {0} in {mn}:", "v"),
    ("for {0}, {1} in enumerate({mn}):", "jv"),
    ("for {0} in {vn}:", "s"),
    ("for {0}, {1} in zip({vn}, {vn}):", "ss"),
    ("for {0}, {1} in zip({mn}, {vn}):", "vs"),
    ("for {0}, {1} in enumerate({vn}):", "js"),
    ("for {0} in reversed(range(n)):", "i"),
)
