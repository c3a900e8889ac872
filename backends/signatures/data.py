"""The parameter lists as data: numpy.json, jax.json and torch.json beside this file, one function a line.

A line is `"np.sum": ["(a, axis=None, dtype=None, ...)"]`: the overloads in the order in which the framework
tries them, each in Python's notation, its defaults as literals or as the name of what is no literal (`inf`,
`np._NoValue`). A string instead of a list is the canonical name of the same function. Kinds are stated where
they tell calls apart: `dim: int|ints|none`. In torch.json a parameter with a kind is read by torch's own
argument parser, which knows further names for some: the line "aliases" has them.

Written by `generate`, never by hand. A line is parsed when it is asked for; no framework is imported.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ...ir.meaning.layers import remembered
from ..backend import speaker
from . import users
from .model import REQUIRED, Overload, Parameter, Passing, Signature, SignatureError, Symbol

#: The functions that are methods of arrays, or operators, by framework (../forms.py).
FORMS = Path(__file__).with_name("forms.json")


@remembered()
def signature(name: str) -> Signature:
    """What the function of this name takes: "np.sum", "jax.nn.softmax", "torch.Tensor.view".

    Raises:
        SignatureError: where the data has no such function.
    """
    if users.known(name):
        return users.signature(name)
    first = canonical(name)
    aliases = _line(speaker(first), "aliases")
    return Signature(name, tuple(Overload(text, tuple(parameters(text, aliases))) for text in _entry(first)))


def known(name: str) -> bool:
    """Whether the data has a function of this name, or a row names it and it is at hand."""
    return _entry(name) is not None or users.known(name)


def canonical(name: str) -> str:
    """The one name that stands for all names of a function: "np.abs" -> "np.absolute".

    Raises:
        SignatureError: where the data has no such function.
    """
    entry = _entry(name)
    if users.known(name):
        return name
    if entry is None:
        raise SignatureError(name, "is no function whose parameters are known")
    return entry if isinstance(entry, str) else name


def names(framework: str) -> list[str]:
    """Every name that the data of "numpy", "jax" or "torch" has, in alphabetical order."""
    return re.findall(r'^"([\w.]+\.\w+)": ', _text(framework), flags=re.MULTILINE)


def versions(framework: str) -> dict[str, str]:
    """The releases that the data was taken from: {"numpy": "2.4.6", "scipy": ...}."""
    found: dict[str, str] = _line(framework, "versions")
    return found


@cache
def forms(framework: str, form: str) -> frozenset[str]:
    """The functions of "numpy", "jax" or "torch" that can be said in another form with the same arguments and
    results: "methods", those that its arrays have as methods of the same name, `x.mean()`, or "operators".
    """
    found: dict[str, dict[str, list[str]]] = json.loads(FORMS.read_text(encoding="utf-8"))
    return frozenset(found[framework][form])


@cache
def _text(framework: str) -> str:
    return Path(__file__).with_name(f"{framework}.json").read_text(encoding="utf-8")


@cache
def _entry(name: str) -> Any:
    return _line(speaker(name), name)


@cache
def _lines(framework: str) -> dict[str, str]:
    """What stands in each line, by its key."""
    entries = (line[1:].partition('": ') for line in _text(framework).split("\n") if line.startswith('"'))
    return {key: value.rstrip(",") for key, _, value in entries}


def _line(framework: str | None, key: str) -> Any:
    """The value of one line, without parsing the others; None where there is no such line."""
    found = _lines(framework).get(key) if framework else None
    return None if found is None else json.loads(found)


def parameters(text: str, aliases: dict[str, list[str]]) -> Iterator[Parameter]:
    """The parameters that an overload's text lists; those with a kind answer to `aliases` as well."""
    function = ast.parse(f"def _{text}: pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    a = function.args

    def parameter(arg: ast.arg, passing: Passing, default: ast.expr | None = None) -> Parameter:
        # A parameter named by a keyword, such as random_'s `from`, bears an underscore in the text.
        name = arg.arg.removesuffix("_")
        name = name if keyword.iskeyword(name) else arg.arg
        takes = frozenset(ast.unparse(arg.annotation).split(" | ")) if arg.annotation else frozenset()
        value = REQUIRED if default is None else constant(default)
        return Parameter(name, passing, value, tuple(aliases.get(name, ())) if takes else (), takes)

    required = len(a.posonlyargs) + len(a.args) - len(a.defaults)
    for i, arg in enumerate([*a.posonlyargs, *a.args]):
        only = i < len(a.posonlyargs)
        passing = Passing.POSITIONAL_ONLY if only else Passing.POSITIONAL_OR_KEYWORD
        yield parameter(arg, passing, a.defaults[i - required] if i >= required else None)
    if a.vararg:
        yield parameter(a.vararg, Passing.VAR_POSITIONAL)
    for arg, default in zip(a.kwonlyargs, a.kw_defaults):
        yield parameter(arg, Passing.KEYWORD_ONLY, default)
    if a.kwarg:
        yield parameter(a.kwarg, Passing.VAR_KEYWORD)


def constant(node: ast.expr) -> object:
    """The default that an expression says: a literal, a float's name, else a Symbol."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        name = ast.unparse(node)
        return float(name) if name in ("inf", "-inf", "nan") else Symbol(name)
