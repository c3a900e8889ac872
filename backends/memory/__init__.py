"""Memory: whether what a callee gives lies in the memory of what it was given.

That is a fact of the callee in its framework: `flip` gives a view in NumPy and an array of its own in torch.
One table, by framework and callee, serves both ends: the tracer asks what the source's call gives, the
emitter what the target's will. Which callees give arrays of their own was measured (`make memory`, into
new.json); the others say so in the dictionary, beside their phrases (`gives=`). Of what nobody measured
nothing is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ...ir.analysis.outside import MAYBE, NEW, VIEW
from ...ir.meaning.layers import Table, remembered
from ...ir.meaning.operators import BINARY
from ..backend import COMMON, NAMES, backend, ground, speaker
from ..loading import load

#: The operators that write in place, and those that give the same value.
INPLACE = {f"i{each.method}": each.name for each in BINARY if each.in_place}

#: What a callee may give, beside NEW, an array of its own, VIEW, one of its first array, and MAYBE, where
#: nobody knows: for each of its arrays, a view of that.
EACH = "each"
#: It gives its first array, into which it has written.
WRITTEN = "written"
#: Or it depends on the call: on whether the dtype changes, on the key, on how the elements lie in memory; and
#: on whether the array is complex: of another there is no part.
CAST, INDEX, RESHAPE, PART = "cast", "index", "reshape", "part"
#: It gives the array itself where its elements lie row by row, and else a copy in which they do.
LINED = "lined"
#: So does this, in one line; a reshape has a view of more arrays, such as a line with steps.
FLAT = "flat"
#: It gives copies, unless it is told not to.
TOLD = "told"
#: Of one array it may give a view; of several it computes.
ALONE = "alone"
FACTS = frozenset({NEW, VIEW, EACH, CAST, INDEX, RESHAPE, PART, LINED, FLAT, TOLD, ALONE})

#: The facts that the dictionary says, by framework and callee.
DECLARED: Table[tuple[str, str], str] = Table("gives")
MEASURED = Path(__file__).with_name("new.json")

#: What a callee of NumPy's gives that has no axes: a number, in which nobody writes; an array; of a number a
#: number and of an array an array, or so unless of complex ones, of which it computes numbers; or either, as
#: its arguments say.
NUMBER, ARRAY, KEPT, COMPUTED, EITHER = "number", "array", "kept", "kept unless complex", "either"
NUMBERS = Path(__file__).with_name("numbers.json")


def declare(text: str, callees: Iterable[tuple[str, str]]) -> None:
    """Say what callees give that are not measured to give arrays of their own, a fact a line: `numpy: view`
    of all of NumPy's among `callees`, `np.ravel: flat` of one.

    Args:
        callees: those that a row or a reader speaks of, with their frameworks.

    Raises:
        ValueError: where there is no such fact, or none of the callees is meant, or one is said to give
            another thing.
    """
    spoken = list(callees)
    for line in filter(None, map(str.strip, text.splitlines())):
        who, said, fact = line.rpartition(": ")
        if not said:
            raise ValueError(f"{line!r} is no fact, such as '{COMMON}: new'")
        for word in who.split():
            meant = [(ground(f), name) for f, name in spoken if word in (f, name)]
            meant = [(f, name) for f, name in meant if backend(f).mutable]
            if not meant or fact not in FACTS:
                raise ValueError(f"{line!r} says nothing of what is called here")
            for callee in meant:
                known = DECLARED.newest().get(callee, fact)
                if known != fact:
                    raise ValueError(f"{callee[1]} gives {known!r}, as another row says")
                DECLARED[callee] = fact


def gives(framework: str, names: Iterable[str]) -> str:
    """What a call gives, by the names that the dictionary has for its callee. A method gives what the
    function of its name does, unless something else is known of itself.
    """
    own = ground(framework)
    return found(own, tuple(names)) if backend(own).mutable else NEW


def methods(framework: str) -> tuple[str, str]:
    """The class whose methods are called as functions are, and where these are."""
    own = backend(framework)
    return f"{own.array_type}.", f"{own.functions[0]}."


def spellings(framework: str, names: Iterable[str]) -> list[str]:
    """The names of a callee, and those of the functions that are called as a method is."""
    kind, functions = methods(framework)
    return [one for name in names for one in (name, name.replace(kind, functions, 1))]


@remembered(4096)
def found(framework: str, names: tuple[str, ...]) -> str:
    spelled = spellings(framework, names)
    load()
    for name in spelled:
        if name in backend(framework).views or (framework, name) in DECLARED:
            return DECLARED.get((framework, name), VIEW)
    if any(map(writes, spelled)):
        return WRITTEN
    return next((measured(framework)[name] for name in spelled if name in measured(framework)), MAYBE)


def is_known(framework: str, names: Iterable[str]) -> bool:
    """Whether somebody has declared or measured what a call gives."""
    spelled = spellings(framework, names)
    load()
    return any((framework, name) in DECLARED or name in measured(framework) for name in spelled)


@cache
def writes(name: str) -> bool:
    """Whether a callee writes into its first array: `+=` and its kin, methods whose names end so,
    np.add.at.
    """
    framework, last = speaker(name), name.rpartition(".")[2]
    known = framework is not None and name in backend(framework).writing
    return known or last == "at" or not_in_place(name) is not None


def not_in_place(name: str) -> str | None:
    """The op whose result a call of this name writes into its first operand; None for any other name."""
    root, _, last = name.rpartition(".")
    if root == "operator":
        return f"operator.{INPLACE[last]}" if last in INPLACE else None
    end = next((own.in_place for own in map(backend, NAMES) if own.array_type == root), "")
    return name.removesuffix(end) if end and last.endswith(end) and not last.endswith("__") else None


@remembered()
def reforms(framework: str, name: str) -> bool:
    """Whether a method that writes in place gives its array another form in the memory that it has, as
    `t_` of torch does: the one that does not gives a view. What `detach` gives has the form of the array.
    """
    plain = not_in_place(name)
    return plain is not None and found(framework, (plain,)) == VIEW and not plain.endswith(".detach")


@cache
def measured(framework: str) -> dict[str, str]:
    return dict.fromkeys(data(framework)["shared"], MAYBE) | dict.fromkeys(data(framework)["new"], NEW)


@cache
def data(framework: str) -> dict[str, list[str]]:
    """What was measured: `new`, the callees that give arrays of their own; `shared`, those that sometimes
    do not: `itself`, those of them that sometimes give an operand itself, and `views`, another array in its
    memory; and `unordered`, those of all whose elements may lie in memory otherwise than row by row though
    those of their operands do.
    """
    found: dict[str, dict[str, list[str]]] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return found[framework]


def gives_itself(framework: str, names: Iterable[str]) -> bool | None:
    """Whether what a callee gives in the memory of an operand is that operand, the same object; None where it
    may be another array, or nobody knows.
    """
    known = data(ground(framework))
    met = [name for name in spellings(framework, names) if name in known["new"] or name in known["shared"]]
    if not any(name in known["itself"] for name in met):
        return False if met else None
    return None if any(name in known["views"] for name in met) else True


def kind(framework: str, names: Iterable[str]) -> str | None:
    """What a callee gives that has no axes, where that may be a number of the framework's own; None where
    nobody has measured it.
    """
    return next((kinds()[name] for name in spellings(framework, names) if name in kinds()), None)


@cache
def kinds() -> dict[str, str]:
    found: dict[str, list[str]] = json.loads(NUMBERS.read_text(encoding="utf-8"))
    return {name: kind for kind, names in found.items() for name in names}


def keeps_order(framework: str, names: Iterable[str]) -> bool:
    """Whether the elements of what a callee gives lie in memory row by row where those of its operands do."""
    load()
    known = data(framework)
    met = [n for n in names if n in known["new"] or n in known["shared"]]
    met = [n for n in met if DECLARED.get((framework, n)) != EACH]
    return any(n not in known["unordered"] for n in met)  # what is broadcast lies otherwise
