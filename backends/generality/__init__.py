"""Generality: for which other dtypes of its arguments a text says what the program does.

A text is made for the dtypes of the example. Given others, it promotes as its own framework does, and the
program as the source does. Here every op is typed in both, for all dtypes that may reach it. Where the two
differ, the arguments behind it are noted, and the emitted function checks them: their kind, where only other
kinds differ (integers where the example has floats), else their dtypes; floats of 16 bits are a kind of their
own. Dtypes that the source refuses, or that the target refuses aloud, need no check: where a `try` goes on
behind what the source refuses, the tracer has them checked.
"""

from __future__ import annotations

from typing import Any

from ...ir.graphs.graph import Graph
from ...ir.graphs.static import Scalar, number_leaves, takes
from ...ir.graphs.walk import every_node
from ...ir.program import Program
from ..backend import Backend
from .arguments import FEW, Arguments, plain, whole
from .spoken import is_free, on_tape
from .variants import RELATED, kind
from .walk import Walk

#: What is checked of a kind of numbers, with and without the kind that is related to it.
NARROWER = {"float": "wide", "int": "signed", "uint": "unsigned"}
WIDER = {"uint": "int"}


def checks(program: Program, target: Backend, source: Backend) -> dict[str, Any]:
    """What the text for `target` must check, as notes for a program: `pinned` arguments have the dtypes of
    the example, `kinds` are of its kinds of numbers ("wide": floats of more than 16 bits), `alike` have one
    dtype with another.
    """
    if target.compiles and takes_numbers(program):  # which are arrays there, whose dtype counts for more
        return {"pinned": {*Arguments.of(program, wide=False).examples}, "kinds": {}, "alike": {}}
    arguments = Arguments.of(program, wide=target.x64 and source.x64)
    walked = join_refused(arguments, program, target, source)
    other = arguments.copy()
    settle(arguments, program, target, source, walked=walked)
    if arguments.exact:  # some of it may be since another argument may be of another kind
        settle(other, program, target, source, walked=walked, kinds=True)
        arguments = min(arguments, other, key=lambda a: len(a.exact))
    examples = arguments.examples
    found = arguments.kinds
    narrow = {p for p, others in found.items() if plain(others) not in FEW}
    exact = arguments.exact | {p for p in narrow if kind(examples[p]) in ("bool", "half")}
    firsts = {arguments.first(p) for p in exact}
    exact |= {p for p in arguments.unequal if arguments.first(p) in firsts}
    checked: dict[str, set[str]] = {}
    for path, others in found.items():
        checked.setdefault(arguments.first(path), set()).update(others)
    kinds = {path: kind(examples[path]) for path in examples if path in checked}
    return {
        "pinned": {*program.meta.get("pinned", ()), *exact},
        "kinds": {path: allowed(kind, checked[path]) for path, kind in kinds.items()},
        "alike": {p: first for p, first in arguments.alike.items() if p in arguments.unequal},
    }


def settle(
    arguments: Arguments,
    program: Program,
    target: Backend,
    source: Backend,
    *,
    walked: bool,
    kinds: bool = False,
) -> None:
    """Find what must be checked of the arguments: that they are of one dtype, then of which kinds; of `kinds`
    first. What that leaves out reaches no op, so less may be wrong then. After that, what floats among them
    given as ints would change: beside ints they have a say in JAX, and none elsewhere. `walked`: whether the
    last look at the arguments has found all there is.
    """
    ways: list[type] = [float]
    if source.weak != target.weak and has_free_floats(program):
        ways += [int, bool]
    ahead = ways.copy()
    while ahead:
        alike, unequal, refused = arguments.alike.copy(), arguments.unequal.copy(), arguments.refused.copy()
        if not walked:
            Walk(arguments, target, source, ahead[0]).program(program)
        walked = False
        if kinds and arguments.refused == refused and arguments.narrow_apart(alike, unequal):
            ahead = ways.copy()
        elif arguments.alike != alike or arguments.refused != refused:
            arguments.begin_again()
            ahead = ways.copy()
        elif not arguments.narrow() | arguments.fix():
            ahead.pop(0)


def has_free_floats(program: Program) -> bool:
    """Whether there are floats whose types hang on numbers among the arguments that may be ints as well."""
    numbers = (node for node in every_node(program) if isinstance(node.spec, Scalar))
    floats = (node for node in numbers if node.spec.type is float)
    return any(is_free(leaf) for node in floats for leaf in number_leaves(on_tape(node)))


def join_refused(arguments: Arguments, program: Program, target: Backend, source: Backend) -> bool:
    """Let arguments have one dtype of which the source refuses several, before anything is checked: what is
    computed of these is of one dtype then. Returns whether the last look has found all that is to be checked:
    nothing was left out of it.
    """
    arguments.early = True
    while True:
        before = arguments.alike.copy(), arguments.refused.copy()
        arguments.later = False
        Walk(arguments, target, source, float).program(program)
        if before == (arguments.alike, arguments.refused):
            break
        arguments.begin_again()
    arguments.early = False
    if arguments.later:
        arguments.begin_again()
        arguments.calls.clear()
    return not arguments.later


def allowed(kind: str, others: set[str]) -> str:
    """What is checked of an argument of this kind in the example, that must be of none of the others."""
    if plain(others) in FEW and kind != "uint":
        return f"any but {' and '.join(sorted(plain(others)))}"
    others = whole(others)
    return NARROWER[kind] if RELATED.get(kind) in others else WIDER.get(kind, kind)


def takes_numbers(graph: Graph) -> bool:
    """Whether a program computes with numbers that it takes out of arrays."""
    return any(takes(node) and node.spec.type is not bool for node in every_node(graph))
