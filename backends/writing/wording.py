"""Wording: a call as the user would write it. What he called as a method of an array stays one where the
target's arrays have it, and a function stays a function, also where the target has an operator or a method.

Both ways to say it do the same: of methods and of operators that was measured (forms.py).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...ir.analysis.outside import VIEW
from ...ir.graphs.graph import Node
from ...ir.meaning.layers import remembered
from ...ir.meaning.op import Op
from ...ir.meaning.operands import scalar
from ...ir.values.dtypes import DType
from ...ir.values.spec import Spec
from ..backend import NAMES, Backend, backend, speaker
from ..memory import FLAT, RESHAPE, gives
from ..overloads import fitting, keys, taking
from ..phrase import Hole, Phrase
from ..rows import READS, reading, written
from ..signatures import Passing, forms, known
from ..speaking import fits
from ..typing import Operand

Written = tuple[ast.expr, Operand]
WORD = re.compile(r"\w+")
#: Beside functions, how the target says what the user may have called as one.
FORMS = ("operator", "method", "attribute")
#: What may stand before a method, so that it reads well.
RECEIVERS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare)


def worded(
    phrase: Phrase,
    node: Node,
    params: Mapping[str, Any],
    specs: Sequence[Any],
    operands: Sequence[Written | None],
    target: Backend,
) -> Phrase:
    """The phrase that says an op as the user called what it stands for, where that is this one in another
    form or has his own word; else the phrase itself.
    """
    form, word = called(node)
    if not form or phrase.framework not in NAMES or phrase.priority or phrase.device or phrase.when:
        return phrase  # what users say is said so
    if (mine := own(phrase, node, params, specs, operands, target)) is not None:
        return mine
    if phrase.form == "call":
        return (as_method(phrase, node, operands, target) or phrase) if form == "method" else phrase
    if form == "method" or phrase.form not in FORMS:  # an operator of a library's may be recorded as a method
        return phrase
    named = dict(zip(phrase.op.arrays, specs))
    exact = phrase.form != "operator" or "read" not in node.meta
    for other in functions(phrase.op, phrase.framework, phrase.form == "operator", word):
        if exact and last(other) != word:
            break
        if not fits(other, params, named, node.args, target) or not alike(other, phrase, target):
            continue
        if takes(other, node, operands) and not alone(other, params) and not single(other, params):
            return other
    return phrase


def own(
    phrase: Phrase,
    node: Node,
    params: Mapping[str, Any],
    specs: Sequence[Any],
    operands: Sequence[Written | None],
    target: Backend,
) -> Phrase | None:
    """The phrase that says an op by the very call of the user's, in a text for his own framework. What he
    calls by another name, np.abs, or has a library call, is not said so.
    """
    span, word = node.span, spelled(node).rpartition(".")[2]
    if span is None or word not in WORD.findall(span.text):
        return None
    named, memory = dict(zip(phrase.op.arrays, specs)), gives(target.name, (phrase.callee,))
    for other in spoken(phrase.op, phrase.framework, spelled(node)):
        if other.fields != phrase.fields or not fits(other, params, named, node.args, target):
            continue
        if alone(other, params) or single(other, params):
            return None
        fact = gives(target.name, (other.callee,))
        if fact not in (memory, VIEW, FLAT if memory == RESHAPE else memory):
            return None
        if fact != memory and node.stands_for is not None and "put in order" in node.stands_for.meta:
            return None  # a view wants elements in order, which the text need not put there
        said = is_receiver(other, node, operands) if other.form == "method" else takes(other, node, operands)
        return as_given(other, node) if said or other.callee == phrase.callee else None
    return None


def as_given(phrase: Phrase, node: Node) -> Phrase:
    """A phrase with the arguments by position that the user gives so, but for dtypes."""
    count, ways = len(node.stands_for.args) if node.stands_for is not None else 0, fitting(phrase)
    parameters = ways[0].parameters if ways else ()
    arguments: list[Any] = []
    for place, (key, argument) in enumerate(phrase.arguments):
        known = parameters[place] if place < len(parameters) else None
        by_place = known is not None and known.passing is Passing.POSITIONAL_OR_KEYWORD and place < count
        by_place = by_place and key != "dtype"
        if isinstance(key, str) and known is not None and key in (known.name, *known.spellings) and by_place:
            key = place
        elif isinstance(key, str):
            count = 0
        arguments.append((key, argument))
    return replace(phrase, arguments=tuple(arguments))


@remembered()
def spoken(op: Op, framework: str, callee: str) -> tuple[Phrase, ...]:
    """The phrases of a framework that say an op by calling this function, or method: as the function of its
    name, where it has no phrases of its own.
    """
    own, (root, _, word) = backend(framework), callee.rpartition(".")
    if root not in (own.array_type, *own.functions):
        return ()
    found = reading(framework, callee)
    if not found and root == own.array_type:
        functions = (reading(framework, f"{module}.{word}") for module in own.functions)
        found = tuple(
            replace(phrase, form="method", callee=callee)
            for phrase in next(filter(None, functions), ())
            if phrase.form == "call" and known(callee) and taking(callee, keys(phrase))
        )
    said = (phrase for phrase in found if phrase.op is op and phrase.form in ("call", "method"))
    return tuple(phrase for phrase in said if all(test.name in op.params for test in phrase.conditions))


def is_receiver(phrase: Phrase, node: Node, operands: Sequence[Written | None]) -> bool:
    """Whether the text has an array, on which a method can be called, for a phrase's first argument."""
    place, first = phrase.arguments[0]
    if place != 0 or not isinstance(first, Hole) or first.name not in phrase.op.arrays:
        return False
    number = phrase.op.arrays.index(first.name)
    said = operands[number]
    return said is not None and is_array(node.args[number], said) and isinstance(said[0], RECEIVERS)


def spelled(node: Node) -> str:
    """The name of what the user called where a node stands for it."""
    return node.stands_for.meta.get("spelled", "") if node.stands_for is not None else ""


def called(node: Node) -> tuple[str, str]:
    """How the user called what a node stands for, "method", "function" or "", and by which word."""
    root, _, word = spelled(node).rpartition(".")
    if root in {backend(framework).array_type for framework in NAMES}:
        return "method", word
    return ("function", word) if speaker(root) else ("", word)


def as_method(
    phrase: Phrase, node: Node, operands: Sequence[Written | None], target: Backend
) -> Phrase | None:
    """A phrase that calls a function as one that calls the method of its first array; None where arrays have
    none that does the same, or the text may have something else there than an array.
    """
    method = f"{target.array_type}.{last(phrase)}"
    if phrase.callee not in forms(phrase.framework, "methods") or not taking(method, keys(phrase)):
        return None
    return replace(phrase, form="method", callee=method) if is_receiver(phrase, node, operands) else None


def is_array(value: Any, said: Written | None) -> bool:
    """Whether the text surely has an array of the target's for an operand, and no number of Python's."""
    if not isinstance(value, Node) or not isinstance(value.spec, Spec) or said is None:
        return False
    return said[1].form == "array" and not value.meta.get("unions") and not isinstance(value.form, tuple)


def takes(phrase: Phrase, node: Node, operands: Sequence[Written | None]) -> bool:
    """Whether a function takes for operands what an operator does: arrays, and behind the first of them
    numbers where its parameters may be numbers.
    """
    for place, (value, said) in enumerate(zip(node.args, operands)):
        if is_array(value, said):
            continue
        kinds = [overload.parameters[place].takes for overload in fitting(phrase) or ()]
        if not place or not scalar(value) or not any(not each or "number" in each for each in kinds):
            return False
    return True


@remembered()
def functions(op: Op, framework: str, operator: bool, word: str) -> tuple[Phrase, ...]:
    """The functions that say what an operator or a method says of an op, those of this name first."""
    callees = [callee for own, callee in READS if own == framework]
    methods = {last(phrase) for phrase in written(op, framework) if phrase.form == "method"}
    found = [
        phrase
        for callee in forms(framework, "operators" if operator else "methods")
        for phrase in reading(framework, callee)
        if phrase.op is op and phrase.form == "call" and not any(asked(phrase))
    ]
    mine = [phrase for phrase in found if operator or last(phrase) in methods]
    return tuple(sorted(mine, key=lambda phrase: (last(phrase) != word, callees.index(phrase.callee))))


def asked(phrase: Phrase) -> Iterator[bool]:
    """Of each condition of a phrase, whether it is about more than what a parameter is."""
    yield phrase.when is not None or phrase.priority != 0
    for test in phrase.conditions:
        yield test.kind is not None or test.name not in phrase.op.params or isinstance(test.literal, DType)


def alike(one: Phrase, other: Phrase, target: Backend) -> bool:
    """Whether two phrases give the same parts, in the same memory."""
    memory = [gives(target.name, (phrase.callee,)) for phrase in (one, other)]
    return one.fields == other.fields and memory[0] == memory[1]


def alone(phrase: Phrase, params: Mapping[str, Any]) -> bool:
    """Whether an argument would be None, or a tuple of one, `(-1,)`: what methods need not be told, or take
    as it is.
    """
    holes = [argument.name for _, argument in phrase.arguments if isinstance(argument, Hole)]
    given = [params[name] for name in holes if name in params]
    return any(value is None or isinstance(value, (tuple, list)) and len(value) == 1 for value in given)


def single(phrase: Phrase, params: Mapping[str, Any]) -> bool:
    """Whether an int would be given for what a function takes a tuple of: `x.reshape(-1)`."""
    for place, argument in phrase.arguments:
        value = params.get(argument.name) if isinstance(argument, Hole) else None
        if type(value) is not int and not (
            isinstance(value, Node) and getattr(value.spec, "type", None) is int
        ):
            continue
        given = [
            p
            for overload in fitting(phrase) or ()
            for i, p in enumerate(overload.parameters)
            if place in (i, p.name)
        ]
        if given and not any({"int", "number"} & p.takes or not p.takes for p in given):
            return True
    return False


def last(phrase: Phrase) -> str:
    return phrase.callee.rpartition(".")[2]
