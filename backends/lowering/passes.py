"""The passes of lowering: what a Program goes through until a target can say it."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field

from ...ir.errors import UnsupportedError, several
from ...ir.graphs.graph import Graph
from ...ir.graphs.regions import Region
from ...ir.graphs.walk import every_node
from ...ir.passes import Pass, everywhere
from ...ir.passes.common import shared_steps
from ...ir.passes.fold import cast_once, fold
from ...ir.program import Program
from .. import failing, unions
from ..backend import Backend
from . import gradients, meanings
from .compiled import tidy
from .compiled.binding_time import bound
from .compiled.choosing import choices
from .compiled.loops import uncollecting
from .compiled.reversing import reversed_scans
from .compiled.sizes import equalized
from .compiled.undefined import chosen
from .compiled.values import staged
from .exits import flattened, leaves_open
from .export_limits import exportable
from .handing_back import handed_back
from .loop_exits import closed
from .lower import spell_out
from .placing import placed
from .precision import narrowable
from .pure import functional
from .python_exits import checks


@dataclass
class Way:
    """From which framework a Program goes to which, and what was refused on the way."""

    target: Backend
    source: Backend
    refusals: list[UnsupportedError] = field(default_factory=list)

    @property
    def way(self) -> Way:
        return self

    @property
    def name(self) -> str:
        return self.target.name

    @property
    def x64(self) -> bool:
        return self.target.x64

    @property
    def mutable(self) -> bool:
        """Whether the target writes into arrays."""
        return self.target.mutable

    @property
    def compiles(self) -> bool:
        return self.target.compiles

    @property
    def exports(self) -> bool:
        return self.target.exports

    def end(self) -> None:
        """Raise what was refused, if anything was."""
        if self.refusals:
            raise several(self.refusals)


def left(program: Program, target: Backend) -> None:
    if target.compiles and leaves_open(program):
        closed(program, target.name)
    else:
        flattened(program)


def settle(program: Program, way: Way) -> None:
    """Raises UnsupportedError for all that was refused until now."""
    failing.settled(program, way.target, way.source, way.refusals)
    way.end()


def weak_carries(program: Graph) -> None:
    """Note the weak arrays of JAX's that regions carry."""
    for node in every_node(program):
        part = node.target is operator.getitem and isinstance(node.args[0].target, Region)
        if node.form == "weak" and (part or node.op == "placeholder" and node.graph is not program):
            node.meta["carried"] = "either"


def functions(way: Way) -> bool:
    return not way.mutable


def compiles(way: Way) -> bool:
    return way.compiles


def exports(way: Way) -> bool:
    return way.exports


def traces(way: Way) -> bool:
    """Whether regions are functions that run once, with stand-ins."""
    return way.target.traces


BOTH = ("target", "source")

#: In the order in which they run.
PASSES: tuple[Pass, ...] = (
    Pass(
        "precision",
        "what numbers of 32 bits would make another program of is refused",
        narrowable,
        ("way",),
        lambda way: not way.x64,
    ),
    Pass("trim", "regions and loops hand on nothing that nobody reads", tidy.trimmed),
    Pass("equalize", "sizes that a compiled region joins are one", equalized, when=compiles),
    Pass(
        "containers",
        "dicts and lists that the program changes are returned anew",
        placed,
        ("name",),
        lambda way: way.compiles or way.target.pure,
    ),
    Pass(
        "functional",
        "no stores: a write at a mask is a choice, and what masks pick is reduced where it stands",
        functional,
        ("target",),
        functions,
    ),
    Pass(
        "gradients",
        "loops through which gradients can go are noted",
        gradients.note,
        when=lambda way: not way.mutable and way.source.gradients and not way.target.loop_gradients,
    ),
    Pass("hand-back", "functions give back what they write into", handed_back, when=exports),
    Pass("early-checks", "checks of what Python knows stand before what is compiled", checks, when=compiles),
    Pass(
        "exits",
        "no compiled region is left early; what follows stands in the side that goes on",
        left,
        ("target",),
    ),
    Pass(
        "bind", "it is known which regions are compiled and which are Python's", bound, ("target",), exports
    ),
    Pass("whiles", "a compiled loop that collects nothing is a `while`", uncollecting, when=exports),
    Pass("undefined", "what has no value on a way is what it is on another", chosen, when=traces),
    Pass("stage", "numbers in compiled regions are arrays, and their shapes known", staged, BOTH, compiles),
    Pass(
        "fold-numbers",
        "numbers that became arrays stand as numbers beside arrays",
        everywhere(fold),
        when=compiles,
    ),
    Pass("lean", "what a compiled `cond` does not decide stands outside of it", tidy.lean, when=compiles),
    Pass(
        "number-dtypes",
        "numbers beside which a region has arrays have a dtype",
        unions.say_dtypes,
        BOTH,
        traces,
    ),
    Pass(
        "number-arrays",
        "numbers that compiled functions take, and have arrays for, are arrays",
        unions.say_arrays,
        when=exports,
    ),
    Pass("choose", "an `if` between numbers that are there is a choice", choices, when=traces),
    Pass("weak-carries", "weak arrays that regions carry are noted", weak_carries, when=traces),
    Pass("reverse", "a scan through reversed rows is one in reverse", reversed_scans, when=traces),
    Pass("unions", "what the text may have numbers for is noted", unions.note, BOTH),
    Pass(
        "export-limits",
        "what cannot be exported is refused",
        exportable,
        ("target",),
        when=exports,
    ),
    Pass("spell-out", "ops without words are said by their meaning", spell_out, (*BOTH, "refusals")),
    Pass("casts", "what becomes a number of a test is cast once", everywhere(cast_once)),
    Pass("meanings", "what is spelled out twice, or at length, is a function", meanings.set_apart),
    Pass("steps", "steps of what was spelled out that are the same are one", everywhere(shared_steps)),
    Pass("may-raise", "what may raise raises alike, or is refused", settle, ("way",)),
)

#: After the last a Program is in ops that the target has phrases for.
LOWERED = PASSES[-1].name
