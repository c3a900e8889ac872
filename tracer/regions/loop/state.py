"""State: what a loop that is being recorded carries from turn to turn, and what is known of it.

That is what the names of the loop stand for, whether it was not broken, the arrays and containers from
outside that its body changes, and the last items of lists that it appends to and reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import CellType
from typing import TYPE_CHECKING, Any

from ....ir.errors import UnsupportedError
from ....ir.graphs.static import Scalar
from ....ir.sizes.dim import hint_of
from ....ir.values.carried import carries
from ....ir.values.spec import Spec
from ....ir.values.tree import children, rebuilt
from ...objects import heap
from ...objects.containers import is_container, named
from ...objects.heap import Change
from ...proxy import Shape
from ...rewrite.runtime import UNDEFINED as UNBOUND
from ..join import Columns, Different, holds_twin, is_leaf, look, refusal
from ..templates import Column, has_column, parts, pieces, remade
from .growing import Growing
from .turn import Turn, own, wider

if TYPE_CHECKING:
    from ...tracer import Tracer


class State:
    """See the module.

    Attributes:
        init: what the names stand for before the loop.
        written: arrays from outside that the body writes into: part of the state, though every name of
            theirs stays as it is.
        changing: containers from outside that the body changes.
        keeping: the places of names that stand for one of these on every way.
        growing: lists from outside that the body appends to.
        lasts: those whose last item a turn reads, each with what stands last before the loop.
        shared: the names of state that, at the end of some turn, may be part of another array.
        together: pairs of names of state that may lie in one memory at the start of a turn.
        unsure: what is called so is a number of NumPy's in one turn and an array in another.
        flag: whether the state says that no `break` ended the loop.
        uneven: whether some of it is another kind of thing before the loop than after a turn.
    """

    def __init__(self, tracer: Tracer, names: Sequence[str], init: Sequence[Any], flag: bool) -> None:
        self.tracer = tracer
        self.names = list(names)
        self.init = list(init)
        self.flag = flag
        self.written: list[Any] = []
        self.changing: list[Change] = []
        self.keeping: set[int] = set()
        self.growing: list[Growing] = []
        self.lasts: list[tuple[Any, Any]] = []
        self.shared: set[str] = set()
        self.together: set[tuple[str, str]] = set()
        self.unsure: set[str] = set()
        self.uneven = False

    @property
    def all(self) -> list[tuple[str, Any]]:
        """The state: names, whether it was not broken, arrays that are written into, and containers."""
        flags = [("finished", True)] if self.flag else []
        written = [(self.called(p), p) for p in self.written]
        held = [(c.name, c.before) for c in self.changing]
        lasts = [("last", value) for _, value in self.lasts]
        return [*zip(self.names, self.init), *flags, *written, *held, *lasts]

    def of_written(self, state: Sequence[Any]) -> Sequence[Any]:
        """The part of a state that is about arrays that are written into."""
        first = len(self.names) + self.flag
        return state[first : first + len(self.written)]

    def of_changing(self, state: Sequence[Any]) -> Sequence[Any]:
        """The part of a state that is about containers."""
        first = len(self.names) + self.flag + len(self.written)
        return state[first : first + len(self.changing)]

    def called(self, proxy: Any) -> str:
        own = next((name for name, value in zip(self.names, self.init) if value is proxy), None)
        return own or heap.name_of(self.tracer, proxy) or str(proxy.node.name)

    def start(self) -> tuple[list[Any], Columns]:
        """Before anything is known of what turns do, every number and array may change."""
        columns = Columns(self.tracer)
        first = len(self.names) + self.flag + len(self.written)
        # What a cell holds is a value like those of names, which others may have as well.
        containers = {first + i for i, c in enumerate(self.changing) if type(c.container) is not CellType}
        entry = [
            self.held(columns, name, value) if i in containers else self.opening(columns, i, name, value)
            for i, (name, value) in enumerate(self.all)
        ]
        return entry, columns

    def held(self, columns: Columns, name: str, value: Any) -> Any:
        """What a container holds: a container in it stays the one it is, and is looked after for itself."""
        items = children(value)
        if is_leaf(self.tracer, value) or not items or type(value) is Shape:
            return self.opening(columns, -1, name, value)
        if carries(value):
            return value
        return rebuilt(
            value,
            {k: v if is_container(v) else self.held(columns, named(name, k, value), v) for k, v in items},
        )

    def opening(self, columns: Columns, place: int, name: str, value: Any) -> Any:
        if place in self.keeping:
            return value
        if is_leaf(self.tracer, value):
            return columns.add(name, [value], own(self.tracer, name, look(self.tracer, value)))
        items = children(value)
        if not items or any(value is g.container for g in self.growing):
            return value
        if type(value) is Shape or carries(value):  # what is made of its items is another thing
            return value
        made = rebuilt(value, {k: self.opening(columns, -1, named(name, k, value), v) for k, v in items})
        self.tracer.structure.join(made, [value])
        return columns.stands_for(name, made, [value])

    def widened(self, turn: Turn) -> tuple[list[Any], Columns, bool]:
        """The entry of the next tracing, and whether it differs from that of this one."""
        columns = Columns(self.tracer, [{}, *turn.changes])
        changed = False
        entry = []
        for i, ((name, init), template) in enumerate(zip(self.all, turn.entry, strict=True)):
            ends = [given[i] for given, _ in turn.ends]
            outs = [out for _, out in turn.ends]
            made, differs = self.wider(columns, turn, name, template, init, ends, outs)
            is_written = 0 <= i - len(self.names) - self.flag < len(self.written)
            if is_written and not isinstance(made, Column):  # it keeps its place
                if not isinstance(template, Column):
                    raise self.refusal(name, Different("it is written in place, and then something else"))
                number = template.number
                made, differs = columns.add(name, [init], turn.columns.seen[number]), False
            entry.append(made)
            changed |= differs
        return entry, columns, changed

    def wider(
        self,
        columns: Columns,
        turn: Turn,
        name: str,
        template: Any,
        init: Any,
        ends: list[Any],
        outs: list[Any],
    ) -> tuple[Any, bool]:
        if isinstance(template, Column):
            number = template.number
            if any(out[number] is None for out in outs):
                return self.anew(columns, name, init, ends), True
            before = turn.columns.seen[number]
            if init is not UNBOUND and all(out[number] is turn.placeholders[number] for out in outs):
                return init, True
            leaves = [e for e in ends if e is not UNBOUND]
            try:
                seen = wider(self.tracer, name, before, [look(self.tracer, e) for e in leaves])
            except Different as why:
                raise self.refusal(name, why) from None
            return columns.add(name, [init], seen), seen is not before
        if has_column(template):
            mine = parts(template)
            theirs = [dict(columns.pieces(way, template, e)) for way, e in enumerate(ends, 1)]
            if any(list(t) != [k for k, _ in mine] for t in theirs):
                return self.anew(columns, name, init, ends), True
            inits = dict.fromkeys(dict(mine), UNBOUND) if init is UNBOUND else dict(pieces(template, init))
            made = {
                k: self.wider(
                    columns, turn, named(name, k, template), inner, inits[k], [t[k] for t in theirs], outs
                )
                for k, inner in mine
            }
            widened = remade(template, {k: v for k, (v, _) in made.items()})
            self.tracer.structure.join(widened, [template, init, *ends])
            another = False
            if id(template) in turn.columns.twins:
                columns.twins[id(widened)] = widened, *turn.columns.twins[id(template)][1:]
            else:
                columns.stands_for(name, widened, [init, *ends])
                another = id(widened) in columns.twins
            return widened, another or any(d for _, d in made.values())
        made = self.anew(columns, name, init, ends)
        another = holds_twin(columns, made) and not holds_twin(turn.columns, template)
        return made, has_column(made) or another

    def anew(self, columns: Columns, name: str, init: Any, ends: Sequence[Any]) -> Any:
        try:
            return columns.join(name, [init, *ends])
        except Different as why:
            raise self.refusal(name, why) from None

    def refusal(self, name: str, why: Different) -> UnsupportedError:
        self.uneven = True
        return refusal(self.tracer, name, "from turn to turn", str(why))


def differs(init: Spec | Scalar, end: Spec | Scalar) -> bool:
    """Whether what a turn gives is, in the example, of another shape or dtype than what was there before."""
    if isinstance(end, Scalar):
        return False
    if isinstance(init, Scalar):
        return end.shape != ()
    shapes = [None if s.shape is None else [*map(hint_of, s.shape)] for s in (init, end)]
    return shapes[0] != shapes[1] or init.dtype != end.dtype
