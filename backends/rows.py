"""The rows of the dictionary: how each framework says each op, and what reads each function.

Phrases are in phrase.py; the rows themselves, by family, in phrases/.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable
from typing import Any

from ..ir.graphs.graph import Node
from ..ir.meaning.layers import Table, is_built_in, remembered, staged
from ..ir.meaning.op import REGISTER, Op
from . import memory, overloads, typing
from .backend import NAMES, backend, chain, roots, speaker
from .cells import Cell, cases
from .helpers import declare as declare_helper
from .helpers import known as known_helpers
from .loading import load
from .phrase import Phrase, PhraseError
from .said import Cases, Said
from .signatures import known, users

#: How ops are written: by their names, and within by framework, the cases in order.
WRITES: Table[str, dict[str, Cases]] = Table("writes")
#: What reads the calls of a framework's function: phrases, and functions written by hand, of a Reading and
#: the bound arguments.
READS: Table[tuple[str, str], Cases] = Table("reads")
READERS: Table[tuple[str, str], Callable[..., Any]] = Table("readers")
#: The parameters of theirs that are sizes, though others call axes so.
SIZES: Table[tuple[str, str], frozenset[str]] = Table("sizes")
#: Callees that cannot be read, whatever their arguments: why, and what to do.
REFUSED: Table[tuple[str, str], tuple[str, str | None]] = Table("refused")
#: What to write where the function of an op is called to do another thing, by the op's name.
OTHERWISE: Table[str, str] = Table("otherwise")
#: What to write instead of a call that makes an array of 64 bits of a number, by the op's name.
FOR_NUMBERS: Table[str, str] = Table("for numbers")
#: Why a framework has no phrase for an op, and what to do: by the op's name and the framework.
ABSENT: Table[tuple[str, str], tuple[str, str | None]] = Table("absent")
#: Constructs of Python's own, by callee, that are read with no row: what writes.
CONSTRUCTS: Table[str, Callable[..., Any]] = Table("constructs")
#: Ops that are no expression but a statement, which the emitter knows; for each framework that has it not
#: for all operands and parameters, those for which it does.
STATEMENTS: Table[str, dict[str, Callable[[Node], bool]]] = Table("statements")
#: What to do without a parameter.
WITHOUT = {
    "where": "leave it out, and choose: where(ok, f(x), 0), or where(ok, x / where(ok, y, 1), 0)",
    "q": "median(x) can be; for others sort(x), and compute between two of its elements",
}


@remembered()
def written(op: Op, framework: str) -> tuple[Phrase, ...]:
    """How a framework says an op, in the order in which the cases are tried: by priority, those of a newer
    layer before those of an older one; last those of the framework on which a column of the users' is based.
    """
    load()
    rows = WRITES.each(op.name)
    cases = [case for column in chain(framework) for row in rows for case in row.get(column, ())]
    return tuple(sorted((case for case in cases if case.op is op), key=lambda case: -case.priority))


@remembered()
def reading(framework: str, callee: str) -> tuple[Phrase, ...]:
    """The phrases that read the calls of a function, those of a newer layer first."""
    load()
    phrases = (phrase for found in READS.each((framework, callee)) for phrase in found)
    return tuple(phrase for phrase in phrases if REGISTER.get(phrase.op.name) is phrase.op)


@remembered()
def takes_lists(op: Op) -> bool:
    """Whether some framework says an op as lists have it too: `x + y`, `x[k]`, `x.copy()`, or just x."""
    phrases = (phrase for framework in NAMES for phrase in written(op, framework))
    return any(phrase.form in ("same", "index") or hasattr(list, method(phrase)) for phrase in phrases)


def method(phrase: Phrase) -> str:
    """The method that a phrase calls; "" where it calls a function."""
    name = phrase.callee.rpartition(".")[2]
    return {"operator": f"__{name}__", "method": name}.get(phrase.form, "")


def elementwise(framework: str, names: Iterable[str]) -> bool:
    """Whether a call looks, for each element of what it gives, at those at its place alone."""
    ops = [phrase.op for name in names for phrase in reading(framework, name)]
    return bool(ops) and all(op.arrays and {*op.arrays} <= op.elementwise for op in ops)


def detaches(framework: str, names: Iterable[str]) -> bool:
    """Whether a call gives an array as it is, but that no gradient goes back through."""
    ops = (phrase.op for name in names for phrase in reading(framework, name))
    return REGISTER["stop_gradient"] in ops


def reorders(framework: str, names: Iterable[str]) -> bool:
    """Whether a call may take all axes in another order: which, hangs on how many there are."""
    return any(phrase.op is REGISTER["permute_dims"] for name in names for phrase in reading(framework, name))


def function_for(op: Op, framework: str) -> Phrase | None:
    """The function that does what an operator is written for, `np.multiply(x, y)`; None where it has none."""
    root = f"{backend(framework).functions[0]}."
    callees = [callee for own, callee in READS if own == framework and callee.startswith(root)]
    found = (phrase for callee in callees for phrase in reading(framework, callee))
    return next((phrase for phrase in found if phrase.op is op and phrase.form == "call"), None)


def say(
    op: Op,
    numpy: Cell = None,
    jax: Cell = None,
    torch: Cell = None,
    *,
    reads: Cell = None,
    types: str = "",
    gives: str = "",
    helpers: Iterable[Callable[..., Any]] = (),
    when: Callable[..., Any] | None = None,
    priority: int = 0,
    **columns: Cell,
) -> None:
    """Say how each framework phrases `op`, in a cell for each (cells.py): None where it has no word for it.

    Args:
        reads: further spellings, of any framework, that are read but never written.
        types: the dtypes that each framework takes and what it makes of them, where that is not what it does
            for the op's class: `torch: float`, a framework a line (typing/row.py).
        gives: whose memory the results lie in, where that is not known to be their own: `numpy torch: view`
            of all that these call here, `np.ravel: flat` of one, a fact a line (memory/).
        helpers: functions that `helper:name(x)` may name, which are copied into the emitted file.
        when: whether these phrases speak, asked with the ranks and dtypes of the op's arrays (`x.rank`,
            `x.dtype`: speaking.py) and with its parameters by name. What it asks, the text checks.
        priority: where several phrases speak, that of the greatest is written; among equal ones what users
            say before what is built in, and then the first.
        columns: cells of the users' own columns (backend.column).

    Raises:
        PhraseError: where a cell is not a phrase, mentions a name that the op does not have, or fits no way
            to call its function; where `types` or `gives` say nothing, or a helper's text is not to be had.
    """
    refuse_other_types(op, types, gives, priority)
    cells = {**dict(zip(NAMES, (numpy, jax, torch))), **columns}
    row = {
        name: [Said(op, name, text, False, when, priority) for text in cases_of(op, name, cell)]
        for name, cell in cells.items()
    }
    found = [said for written in row.values() for said in written]
    for spelling in cases_of(op, "reads", reads):
        framework = speaker(re.split(r"\W", spelling, maxsplit=1)[0])
        names = [framework] if framework else NAMES
        found += [Said(op, name, spelling, read_only=True) for name in names]
    if not is_built_in():  # a test holds ours
        for said in found:
            overloads.hold_to_signature(said.phrase)
    with contextlib.nullcontext() if is_built_in() else staged():
        forget(op)
        try:
            typing.declare(op.name, types)
            memory.declare(gives, [(said.framework, said.callee) for said in found])
            for helper in helpers:
                declare_helper(helper)
        except ValueError as error:
            raise PhraseError(f"{op.name}: {error}") from None
        WRITES[op.name] = {name: Cases(written) for name, written in row.items()}
        for said in found:
            enter(said)


def refuse_other_types(op: Op, types: str, gives: str, priority: int) -> None:
    """Refuse what users give where another type is meant."""
    if not isinstance(op, Op):
        raise PhraseError(f"{op!r} is no op: say what tl.op has made, or one of tracelate.ir.ops")
    for name, value, kind in (("types", types, str), ("gives", gives, str), ("priority", priority, int)):
        if not isinstance(value, kind):
            raise PhraseError(f"{op.name}: {name}={value!r} is no {kind.__name__}")


def enter(said: Said) -> None:
    """Let a phrase be read.

    Raises:
        PhraseError: where it names a helper that there is not.
    """
    root, _, name = said.callee.partition(".")
    if root == "helper" and name not in known_helpers(said.framework):
        raise PhraseError(f"{said.op}: there is no helper named {name}: give it in helpers=")
    if said.made and said.made.form == "call" and root not in roots():
        if not name:
            raise PhraseError(f"{said.op}: {said.text!r} calls what is in no module: helper:{root}(…)?")
        users.declare(said.callee)
    key = said.framework, said.callee
    READS[key] = Cases([*READS.newest().get(key, Cases()).said, said])


def forget(op: Op) -> None:
    """Forget the row of an op of the same name that was declared anew.

    Raises:
        PhraseError: where it is the row of this very op.
    """
    if op.name not in WRITES.newest():
        return
    for callee, found in list(READS.newest().items()):
        if any(said.op is op for said in found.said):
            raise PhraseError(f"{op.name} has its row already")
        READS[callee] = Cases(said for said in found.said if said.op.name != op.name)


def cases_of(op: Op, column: str, cell: Cell) -> list[str]:
    """The cases of a cell; what a user has given may be none."""
    try:
        return cases(cell)
    except TypeError:
        raise PhraseError(f"{op.name}: {column}={cell!r} is no phrase, nor several") from None


def alike(*ops: Op, written: str | None = None, reads: Cell = None, types: str = "", gives: str = "") -> None:
    """Say ops that are the same word in every framework: the function of the op's own name, which takes its
    operands by position, or what is `written`. Functions of that name are read wherever there is one.
    """
    for op in ops:
        name = op.name.rpartition(".")[2]
        call = f"{name}({', '.join(op.arrays)})"
        homes = [backend(framework).functions for framework in NAMES]
        numpy, jax, torch = (written or f"{usual}.{call}" for usual, *_ in homes)
        others = [f"{home}.{call}" for several in homes for home in several if known(f"{home}.{name}")]
        others = [text for text in others if text not in (numpy, jax, torch)]
        say(op, numpy, jax, torch, reads=[*others, *cases(reads)], types=types, gives=gives)


def construct(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a function as what reads a construct, or functions that say the same, in every framework that has
    them.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            CONSTRUCTS[name] = function
        return function

    return register


def statement(op: Op, **takes: Callable[[Node], bool]) -> None:
    """Say that the emitter writes `op` as a statement.

    Args:
        takes: by the name of a framework, for which nodes it has the statement; for all where it is left
            out.
    """
    STATEMENTS[op.name] = takes


def absent(op: Op, framework: str, why: str = "", hint: str | None = None) -> None:
    """Say why a framework's cell is None and the op has no meaning in terms of others, for those who are
    refused, where the op does not say it, and what to write instead.
    """
    ABSENT[op.name, framework] = why, hint


def refused(*names: str, why: str, hint: str | None = None) -> None:
    """Say why these callees cannot be read, and what to write instead."""
    for name in names:
        root = speaker(name)
        for framework in [root] if root else NAMES:
            REFUSED[framework, name] = why, hint


def reads(
    *names: str, gives: str = "", sizes: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a function as the reader of these callees, for what no phrase can say. It gets a Reading and the
    bound arguments. `gives` is as of `say`; `sizes` names parameters of theirs, see SIZES.
    """
    roots = {name: speaker(name) for name in names}
    spoken = [(f, name) for name, root in roots.items() for f in ([root] if root else NAMES)]

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for framework, name in spoken:
            if (framework, name) in READERS.newest():
                raise PhraseError(f"{name} has a reader already")
            READERS[framework, name] = function
            SIZES[framework, name] = frozenset(sizes.split())
        memory.declare(gives, spoken)
        return function

    return register
