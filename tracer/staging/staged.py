"""Staged: a loop that is being recorded as one region.

What its body changes is found by tracing it again until nothing new is found: what a variable is at the
start of a turn then
covers what it is at the end of one, whatever way the turn goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...backends.inference import Seen
from ...ir.errors import UnsupportedError
from ...ir.graph import Node
from ...ir.regions import for_loop, while_loop
from ...ir.spec import Spec
from ...ir.static import Scalar, local
from ...ir.tree import children, rebuilt
from ..place import here
from ..proxy import Scalar_, is_proxy
from ..rewrite.runtime import BROKE, CONTINUED, FELL, RETURNED
from ..rewrite.runtime import UNDEFINED as UNBOUND
from ..writes import check, root
from . import heap, predicate
from .cond import aliases, known_elsewhere, parts
from .containers import fill, is_container, named
from .growing import Growing, appended
from .heap import Change
from .join import (
    Column,
    Columns,
    Different,
    has_column,
    is_leaf,
    look,
    noded,
    refusal,
    replaced,
)
from .side import RAISED, Side, aligned, raising
from .sources import Sources, hint
from .turn import Turn, own, refreshed, wider

ROUNDS = 12


class Staged:
    """See the module.

    Attributes:
        written: arrays from outside that the body writes into: part of the state, though every name of
        theirs stays as it is.
        changing: containers from outside that the body changes: what they hold is part of the state.
        keeping: the places of names that stand for one of these on every way.
        growing: lists from outside that the body appends to.
        flag: whether the state says, last, that no `break` ended the loop.
    """

    def __init__(
        self,
        hooks: Any,
        names: Sequence[str],
        init: Sequence[Any],
        test: Callable[..., Any] | None,
        body: Callable[..., Any],
        sources: Sources | None,
        flag: bool,
    ) -> None:
        self.tracer = hooks.tracer
        self.names = list(names)
        self.init = list(init)
        self.test = test
        self.body = body
        self.sources = sources
        self.flag = flag
        self.breaks = False
        #: Lists that no frame of the user's reaches, to which the body appends.
        self.containers: list[Any] = []
        #: Cells of variables that are among the names.
        self.without: Sequence[Any] = ()
        #: What the items of a turn are called, where no `for` statement says so.
        self.items: tuple[str, ...] = ()
        self.written: list[Any] = []
        self.keeping: set[int] = set()
        self.growing: list[Growing] = []
        self.changing: list[Change] = []
        #: Growing lists whose last item a turn reads, each with what stands last before the loop.
        self.lasts: list[tuple[Any, Any]] = []

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
        return heap.name_of(self.tracer, proxy) or str(proxy.node.name)

    def record(self) -> list[Any]:
        """Record the loop. Returns what the names are after it, and whether it was not broken, where
        `flag` asks.

        Raises:
            TraceError: where it cannot be one loop.
        """
        entry, columns = self.start()
        for _ in range(ROUNDS):
            turn = Turn(self, entry, columns)
            side = self.trace(turn)
            if self.found_more(turn, side):
                entry, columns = self.start()
                continue
            entry, columns, changed = self.widened(turn)
            if not changed:
                return self.finish(turn, side)
        raise UnsupportedError(
            "this loop",
            why=f"{', '.join(f'`{n}`' for n in self.names)}: shapes or dtypes change without end",
            span=self.tracer.span(),
            hint="give them their final shape and dtype before the loop",
        )

    # What is known at the start of a turn.

    def start(self) -> tuple[list[Any], Columns]:
        """Before anything is known of what turns do, every number and array may change."""
        columns = Columns(self.tracer)
        first = len(self.names) + self.flag + len(self.written)
        containers = range(first, first + len(self.changing))
        entry = [
            self.held(columns, name, value) if i in containers else self.opening(columns, i, name, value)
            for i, (name, value) in enumerate(self.all)
        ]
        return entry, columns

    def held(self, columns: Columns, name: str, value: Any) -> Any:
        """What a container holds: a container in it stays the one it is, and is looked after for itself."""
        items = children(value)
        if is_leaf(self.tracer, value) or not items:
            return self.opening(columns, -1, name, value)
        return rebuilt(
            value,
            {k: v if is_container(v) else self.held(columns, named(name, k), v) for k, v in items},
        )

    def opening(self, columns: Columns, place: int, name: str, value: Any) -> Any:
        if place in self.keeping:
            return value
        if is_leaf(self.tracer, value):
            return columns.add(name, [value], own(self.tracer, name, look(self.tracer, value)))
        items = children(value)
        if not items or any(value is g.container for g in self.growing):
            return value
        made = rebuilt(value, {k: self.opening(columns, -1, named(name, k), v) for k, v in items})
        return columns.stands_for(name, made, [value])

    def widened(self, turn: Turn) -> tuple[list[Any], Columns, bool]:
        """The entry of the next tracing, and whether it differs from that of this one."""
        columns = Columns(self.tracer)
        changed = False
        entry = []
        for i, ((name, init), template) in enumerate(zip(self.all, turn.entry, strict=True)):
            ends = [given[i] for given, _ in turn.ends]
            outs = [out for _, out in turn.ends]
            made, differs = self.wider(columns, turn, name, template, init, ends, outs)
            is_written = 0 <= i - len(self.names) - self.flag < len(self.written)
            if is_written and not isinstance(made, Column):  # it keeps its place
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
                raise refusal(self.tracer, name, "from turn to turn", str(why)) from None
            return columns.add(name, [init], seen), seen is not before
        if has_column(template):
            mine = children(template) or []
            theirs = [dict(children(e) or ()) for e in ends]
            if any(list(t) != [k for k, _ in mine] for t in theirs):
                return self.anew(columns, name, init, ends), True
            inits = dict(children(init) or ())
            made = {
                key: self.wider(
                    columns, turn, named(name, key), inner, inits[key], [t[key] for t in theirs], outs
                )
                for key, inner in mine
            }
            widened = rebuilt(template, {k: v for k, (v, _) in made.items()})
            if id(template) in turn.columns.twins:
                columns.twins[id(widened)] = widened, *turn.columns.twins[id(template)][1:]
            return widened, any(d for _, d in made.values())
        made = self.anew(columns, name, init, ends)
        return made, has_column(made)

    def anew(self, columns: Columns, name: str, init: Any, ends: Sequence[Any]) -> Any:
        try:
            return columns.join(name, [init, *ends])
        except Different as why:
            raise refusal(self.tracer, name, "from turn to turn", str(why)) from None

    # Tracing.

    def trace(self, turn: Turn) -> Side:
        """The body, once."""
        side = Side(self.tracer, "body", self.containers, self.without)

        def way() -> Any:
            items = [self.item(source) for source in self.sources.each] if self.sources is not None else []
            turn.items = [i.node for i in items]
            values = turn.open()
            given = [self.sources.form(*items)] if self.sources is not None else []
            self.tracer.loops.append(turn)
            depth = len(self.tracer.loops)
            try:
                return self.body(*given, *values)
            finally:
                del self.tracer.loops[depth - 1 :]

        side.run(way)
        known = {id(change.container) for change in self.changing}
        turn.growing = appended(self.tracer, side, known)
        with side.reopened():
            self.end(turn, side)
        return side

    def item(self, source: Any) -> Any:
        """What one turn gets from a source."""
        node = self.tracer.graph.create_node("placeholder", "i" if isinstance(source, tuple) else "row")
        node.meta["item"] = True
        if isinstance(source, tuple):
            node.spec = Scalar(int, local(self.tracer.fresh("i"), hint(source)), local=True)
            return Scalar_(self.tracer, node.spec, node=node)
        spec = source.node.spec
        row = self.tracer.wrap(node, Seen(Spec(spec.shape[1:], spec.dtype)))
        one_number = self.tracer.framework.name == "numpy" and len(spec.shape) == 1
        if self.tracer.framework.aliasing and not one_number:
            node.meta["aliased"] = True
            self.tracer.row_of[id(row)] = row, source
        return row

    def end(self, turn: Turn, side: Side) -> None:
        """The output of the body."""
        if side.exit in (FELL, CONTINUED, BROKE):
            kind = "break" if side.exit is BROKE else "yield"
            grown = (
                []
                if kind == "break"
                else [noded(self.tracer, item) for g in turn.growing for item in g.leaves]
            )
            side.graph.output((*turn.leaving(side.value, kind), *grown), kind)
        elif side.exit is RETURNED:
            self.tracer.leaves_function()
            side.graph.output(self.tracer.returned(side.value), "return")
        elif side.exit == RAISED:
            side.graph.output(raising(self.tracer, side.value), "raise")

    def found_more(self, turn: Turn, side: Side) -> bool:
        """Whether the body changes something from outside that was not part of the state yet."""
        known = {id(p) for p in self.written}
        written = {**side.written, **turn.wrote}
        new = [root(self.tracer, proxy) for key, (proxy, _) in written.items()]
        new = [p for p in {id(p): p for p in new}.values() if id(p) not in known and self.outside(p, side)]
        for place, (name, init) in enumerate(zip(self.names, self.init)):
            template = turn.entry[place]
            if (
                not isinstance(template, Column)
                or id(turn.proxies[template.number]) not in self.tracer.touched
            ):
                continue
            if not is_proxy(init) or any(
                given[place] is not turn.proxies[template.number] for given, _ in turn.ends
            ):
                raise UnsupportedError(
                    f"`{name}` in this loop",
                    why="it is written in place, and bound to another array as well",
                    span=self.tracer.span(),
                    hint=f"write {name} = {name} + ... instead of {name} += ...",
                )
            check(self.tracer, init, f"writing into `{name}`")
            self.keeping.add(place)
            if not any(init is p for p in (*self.written, *new)):
                new.append(init)
        self.written += new
        grown_now = {id(g.container) for g in turn.growing}
        known = {id(change.container) for change in self.changing}
        more_held = [
            change
            for key, change in {**turn.altered, **side.changed}.items()
            if key not in known and key not in grown_now
        ]
        self.changing += more_held
        self.sources_stay()
        grown = [g.container for g in self.growing]
        more = any(all(g.container is not c for c in grown) for g in turn.growing)
        more = more or turn.asked
        self.growing = turn.growing
        leaked = len(self.tracer.leaked)
        for each in turn.growing:
            for leaf in each.leaves:
                if known_elsewhere(self.tracer, leaf) or self.tracer.reaches(leaf.node):
                    self.tracer.leak(leaf)
        for number, ends in turn.leaves.items():
            outside = [v for v in ends if v is not turn.proxies[number]]
            aliases(self.tracer, turn.columns.names[number], [turn.columns.leaves[number][0], *outside])
        return bool(new or more_held) or more or len(self.tracer.leaked) > leaked

    def sources_stay(self) -> None:
        """Raises UnsupportedError where the body writes into an array whose rows the loop goes through."""
        written = {id(p) for p in self.written}
        for source in self.sources.each if self.sources is not None else ():
            if id(root(self.tracer, source)) in written:
                raise UnsupportedError(
                    "writing into an array while a loop goes through its rows",
                    why="a later turn gets what an earlier one has written",
                    span=self.tracer.span(),
                    hint="loop over a copy of it, or over range(len(...))",
                )

    def outside(self, proxy: Any, side: Side) -> bool:
        """Whether an array was there before the loop."""
        return self.tracer.reaches(proxy.node) and proxy.node.graph is not side.graph

    # The region.

    def finish(self, turn: Turn, side: Side) -> list[Any]:
        sides, leading = [side], [[*turn.items, *turn.placeholders]]
        if self.test is not None:
            tested, placeholders = self.tested(turn)
            sides, leading = [tested, side], [placeholders, turn.placeholders]
        operands = aligned(sides, leading)
        init = tuple(noded(self.tracer, leaf) for leaf, *_ in turn.columns.leaves)
        first: Any = sides[0].graph
        if self.sources is not None:
            first = tuple(self.tracer.digest(s)[0] for s in self.sources.each)
        target = for_loop if self.sources is not None else while_loop
        node = self.tracer.graph.create_node(
            "call_function", target, (first, side.graph, init, tuple(operands)), name=target.name
        )
        node.place = here()
        statement = node.place.statement if node.place is not None else None
        node.meta["items"] = self.items or (statement.items if statement is not None else ())
        results = Columns(self.tracer)
        results.twins = turn.columns.twins
        for name, (leaf, *_), seen in zip(turn.columns.names, turn.columns.leaves, turn.columns.seen):
            ends = [v for v in turn.leaves.get(len(results.seen), ()) if all(v is not p for p in
            turn.proxies)]
            results.add(name, [leaf, *ends], refreshed(self.tracer, name, seen))
        length = self.sources.length if self.sources is not None and not self.breaks else None
        for grown in self.growing:
            grown.add(results, self.tracer, length)
        places = {
            id(p): t.number for p, t in zip(self.written, self.of_written(turn.entry))
        }
        results.rebound = [(p, places[id(p)]) for p in self.written]
        node.meta["names"] = tuple(results.names)
        node.spec = tuple(s.spec for s in results.seen)
        made = parts(self.tracer, node, results)
        for grown in self.growing:
            grown.put(self.tracer, made[grown.first :])
        after = [replaced(results, template, made) for template in turn.entry]
        for change, held in zip(self.changing, self.of_changing(after)):
            fill(change.container, held)
        return after[: len(self.names) + self.flag]

    def tested(self, turn: Turn) -> tuple[Side, list[Node]]:
        """The graph of the test, and its placeholders."""
        side = Side(self.tracer, "test", without=self.without)
        body = turn.placeholders, turn.proxies
        test = self.test
        assert test is not None
        side.run(lambda: (FELL, test(*turn.open())))
        placeholders = turn.placeholders
        turn.placeholders, turn.proxies = body
        with side.reopened():
            side.graph.output((predicate.node_of(self.tracer, side.value),), "yield")
        return side, placeholders
