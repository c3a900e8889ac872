"""Staged: a loop that is being recorded as one region.

What its body changes is found by tracing it again until nothing new is found: what a variable is at the
start of a turn then covers what it is at the end of one, whatever way the turn goes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from ....ir.errors import UnsupportedError
from ....ir.graphs.graph import Node
from ....ir.graphs.regions import UNDEFINED, for_loop, left_early, while_loop
from ....ir.graphs.regions import results as ways_to
from ...memory.aliasing import is_linked, root
from ...memory.writes import refuse_unclear
from ...objects import heap, twins
from ...objects.containers import fill
from ...objects.unseen import may_work_unseen
from ...place import here, raised_at
from ...proxy import is_array_proxy
from ...rewrite.runtime import BROKE, CONTINUED, FELL, RETURNED
from ...settling import test_at
from ...trying.finishing import crossed
from ...values import predicate
from ...values.listed import Listed
from ...values.sources import Sources
from .. import together
from ..branch import aliases, known_elsewhere, leak_all, parts
from ..join import look, noded, replaced
from ..side import RAISED, Side, aligned, raising
from ..templates import Column, has_column
from . import unpacked
from .after import is_even, results_of, turns_surely
from .growing import append_then, appended, refuse_uneven
from .rows import kinds, look_after, rows_stay
from .state import State, differs
from .swapping import swapped
from .taking import all_taken, forms, handed, paths, refuse_changes
from .turn import Turn

if TYPE_CHECKING:
    from ...python.hooks import Tracing

ROUNDS = 12


class Writes(Exception):
    """The test of a loop writes into arrays, or changes containers, as its body does."""


class Staged(State):
    """See the module.

    Attributes:
        containers: lists that no frame of the user's reaches, to which the body appends.
        without: cells of variables that are among the names.
        items: what the items of a turn are called, where no `for` statement says so.
        home: the graph that it is recorded in.
        spelled: where it stands, for who wants what it collects one by one: see Rolling.
        kind: what the user wrote: a statement, a call of a function of the framework's or a comprehension.
        scan: whether what the user wrote is a scan, and to where it goes.
        breaks: whether a `break` was met.
    """

    def __init__(
        self,
        hooks: Tracing,
        names: Sequence[str],
        init: Sequence[Any],
        test: Callable[..., Any] | None,
        body: Callable[..., Any],
        sources: Sources | None,
        flag: bool,
    ) -> None:
        super().__init__(hooks.tracer, names, init, flag)
        self.test = test
        self.body = body
        self.sources = sources
        self.breaks = False
        self.containers: list[Any] = []
        self.without: Sequence[Any] = ()
        self.items: tuple[str, ...] = ()
        #: What the user calls the parts of what he gives one name, by the names that they have else.
        self.spoken: dict[str, str] = {}
        self.kind, self.scan = "statement", ""
        self.spelled = test_at(here())
        self.home = hooks.tracer.graph

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
            self.uneven |= self.is_uneven(turn)
            if not changed:
                return self.finish(turn, side)
        raise UnsupportedError(
            "this loop",
            why=f"{', '.join(f'`{n}`' for n in self.names)}: shapes or dtypes change without end",
            span=self.tracer.span(),
            hint="give them their final shape and dtype before the loop",
        )

    # Tracing.

    def trace(self, turn: Turn) -> Side:
        """The body, once."""
        side = turn.side = Side(self.tracer, "body", self.containers, self.without)

        def way() -> Any:
            turn.taken = all_taken(self.tracer, self.sources)
            look_after(self, turn.taken)
            values = turn.open()
            touched = len(self.tracer.memory.touched)
            items = (each.value for each in turn.taken)
            given = [self.sources.form(*items)] if self.sources is not None else []
            self.tracer.stack.loops.append(turn)
            depth = len(self.tracer.stack.loops)
            try:
                return self.body(*given, *values)
            finally:
                turn.writes = len(self.tracer.memory.touched) > touched
                del self.tracer.stack.loops[depth - 1 :]

        noted = len(self.tracer.containers.twins)
        side.run(way, self.body)
        known = {id(change.container) for change in self.changing}
        with side.reopened():
            numbers = self.tracer.entry.form and self.spelled not in self.tracer.rolling.spelled
            turn.growing = appended(self.tracer, side, known, numbers)
        kept = (side.value, *(change.after for change in side.changed.values()))
        refuse_changes(self.tracer, turn.taken, (p for p, _ in {**side.written, **turn.wrote}.values()), kept)
        with side.reopened():
            self.end(turn, side)
        if turn.keeps():
            del self.tracer.containers.twins[noted:]
        else:
            twins.refuse_changed(self.tracer)
            twins.stay(self.tracer, (change.container for change in side.changed.values()))
        refuse_uneven(turn)
        return side

    def end(self, turn: Turn, side: Side) -> None:
        """The output of the body."""
        if side.exit in (FELL, CONTINUED, BROKE):
            kind = "break" if side.exit is BROKE else "yield"
            leaves = [leaf for g in turn.growing for leaf in g.leaves] if kind != "break" else []
            grown = [noded(self.tracer, leaf) for leaf in leaves]
            side.graph.output((*turn.leaving(side.value, kind), *grown), kind)
            append_then(turn)
        elif side.exit is RETURNED:
            through = crossed(self.tracer, returns=True)
            self.tracer.answers.beyond = True
            self.tracer.leaves_function(through=through)
            self.tracer.stores()
            self.tracer.stack.frames[-1].returned.append(self.tracer.outgoing(side.value))
            side.graph.output(self.tracer.returned(side.value), "return").place = here()
        elif side.exit == RAISED:
            side.graph.output(raising(self.tracer, side.value), "raise").place = raised_at(side.value)

    def found_more(self, turn: Turn, side: Side) -> bool:
        """Whether the body changes something from outside that was not part of the state yet."""
        known = {id(p) for p in self.written}
        written = {**side.written, **turn.wrote}
        new = [root(self.tracer, proxy) for key, (proxy, _) in written.items()]
        new = [p for p in {id(p): p for p in new}.values() if id(p) not in known and self.outside(p, side)]
        swaps = swapped(self, turn)
        for place, (name, init) in enumerate(zip(self.names, self.init)):
            template = turn.entry[place]
            if not isinstance(template, Column) or place in swaps:
                continue
            rebound = any(given[place] is not turn.proxies[template.number] for given, _ in turn.ends)
            if rebound and any(init is p for p in new):
                raise self.bound_anew(name)
            if id(turn.proxies[template.number]) not in self.tracer.memory.touched:
                continue
            if not is_array_proxy(init) or rebound:
                raise self.bound_anew(name)
            refuse_unclear(self.tracer, init, f"writing into `{name}`")
            self.keeping.add(place)
            whole = root(self.tracer, init)
            if not any(whole is p for p in (*self.written, *new)):
                new.append(whole)
        self.written += new
        grown_now = {id(g.container) for g in turn.growing}
        known = {id(change.container) for change in self.changing}
        more_held = [
            change
            for key, change in {**turn.altered, **side.changed}.items()
            if key not in known and key not in grown_now
        ]
        self.changing += more_held
        if self.sources is not None:
            rows_stay(self, self.sources)
        self.containers_stay(turn)
        grown = [g.container for g in self.growing]
        more = any(all(g.container is not c for c in grown) for g in turn.growing)
        more = more or turn.asked or not turn.unsure <= self.unsure
        self.unsure |= turn.unsure
        self.growing = turn.growing
        known_before = len(self.tracer.memory.leaked), len(self.shared)
        for each in turn.growing:
            for leaf in filter(is_array_proxy, each.leaves):
                if known_elsewhere(self.tracer, leaf) or self.tracer.reaches(leaf.node):
                    self.tracer.leak(leaf, each.name)
                if is_linked(self.tracer, leaf):
                    leak_all(self.tracer, root(self.tracer, leaf), each.name)
        own = {t.number for t in self.of_written(turn.entry) if isinstance(t, Column)}
        own |= {n for n, p in enumerate(turn.proxies) if id(p) in self.tracer.memory.touched}  # from now on
        for number, ends in turn.leaves.items():
            if number in own:  # all names of what is written into are those of one array
                continue
            name, outside = turn.columns.names[number], [v for v in ends if v is not turn.proxies[number]]
            aliases(self.tracer, name, [turn.columns.leaves[number][0]])
            if aliases(self.tracer, name, outside):
                self.shared.add(name)
        changed = (len(self.tracer.memory.leaked), len(self.shared)) != known_before
        if new or more_held:  # the state is another one now than what the turn was traced with
            return True
        return self.found_together(turn) or more or changed

    def bound_anew(self, name: str) -> UnsupportedError:
        return UnsupportedError(
            f"`{name}` in this loop",
            why="it is written in place, and bound to another array as well",
            span=self.tracer.span(),
            hint=f"let each turn make the array that it writes into, new = {name}.copy(), and bind "
            f"`{name}` to that; {name} = {name} + ... does for {name} += ...",
        )

    def found_together(self, turn: Turn) -> bool:
        """Whether a turn may begin with what lies in one memory, and writes into arrays."""
        if not turn.writes or not self.tracer.framework.aliasing:
            return False
        names, before = turn.columns.names, len(self.together)
        for one, other in turn.lying().pairs(turn.lying().ending):
            if max(one, other) < len(names):
                self.together.add((names[one], names[other]))
        return len(self.together) > before

    def containers_stay(self, turn: Turn) -> None:
        """Raises UnsupportedError where the body writes into an array that a tuple or the like brings it."""
        named = {t.number for t in turn.entry if isinstance(t, Column)}
        for number, proxy in enumerate(turn.proxies):
            if number not in named and id(proxy) in self.tracer.memory.touched:
                raise UnsupportedError(
                    f"writing into `{turn.columns.names[number]}` in this loop",
                    why="it is an item of a container, and another array in every turn",
                    span=self.tracer.span(),
                    hint="carry it from turn to turn under a name of its own, or write into a copy",
                )

    def is_short(self) -> bool:
        """Whether so few turns are known that they may as well be written out."""
        if self.sources is None or self.kind == "call" or not self.tracer.rolling.short:
            return False
        length = self.sources.length
        return self.listed or isinstance(length, int) and length <= self.tracer.rolling.short

    @property
    def goes(self) -> bool:
        """Whether the loop may go through lists."""
        return self.tracer.rolling.lists and self.spelled not in self.tracer.rolling.spelled

    @property
    def listed(self) -> bool:
        """Whether the loop goes through lists."""
        return self.sources is not None and any(isinstance(each, Listed) for each in self.sources.each)

    def is_uneven(self, turn: Turn) -> bool:
        """Whether a turn gives some array another shape or dtype than it had before the loop."""
        for number, (first, *_) in enumerate(turn.columns.leaves):
            ends = [out[number] for _, out in turn.ends if isinstance(out[number], Node)]
            if first is not UNDEFINED and any(differs(look(self.tracer, first).spec, e.spec) for e in ends):
                return True
        return False

    def outside(self, proxy: Any, side: Side) -> bool:
        """Whether an array was there before the loop."""
        return self.tracer.reaches(proxy.node) and proxy.node.graph is not side.graph

    # The region.

    def finish(self, turn: Turn, side: Side) -> list[Any]:
        if any(each.listed for each in turn.taken) and left_early(side.graph):
            hint = "write the rest of the turn under an if"
            raise self.tracer.error("a loop over a list that is left before its end", hint)
        if self.is_short() and any(has_column(t) and not isinstance(t, Column) for t in turn.entry):
            raise self.tracer.error("a short loop that carries containers", "carry what is in them")
        sides, leading = [side], [[*(n for each in turn.taken for n in each.nodes), *turn.placeholders]]
        placeholders: list[Node] = []
        if self.test is not None:
            tested, placeholders = self.tested(turn)
            sides, leading = [tested, side], [placeholders, turn.placeholders]
        operands = aligned(sides, leading)
        init = tuple(noded(self.tracer, leaf) for leaf, *_ in turn.columns.leaves)
        first: Any = sides[0].graph
        if self.sources is not None:
            first = tuple(given for s in self.sources.each for given in handed(self.tracer, s))
        target = for_loop if self.sources is not None else while_loop
        node = self.tracer.graph.create_node(
            "call_function", target, (first, side.graph, init, tuple(operands)), name=target.name
        )
        node.place = here()
        for number, placeholder in (*enumerate(turn.placeholders), *enumerate(placeholders)):
            placeholder.meta["loop"] = node, number
            placeholder.meta["any of"] = tuple(v for v in ways_to(node, number) if isinstance(v, Node))
        statement = node.place.statement if node.place is not None else None
        node.meta["items"] = self.items or (statement.items if statement is not None else ())
        node.meta["forms"] = forms(turn.taken)
        if self.sources is not None:
            node.meta["lists"], node.meta["placed"] = paths(self.sources.each), self.sources.placed
        node.meta |= {"kind": self.kind, "scan": self.scan, **kinds(self.sources)}
        surely = node.meta["turns"] = turns_surely(self, turn)
        results = results_of(self, turn, surely)
        lying = turn.lying()
        length = self.sources.length if self.sources is not None and not self.breaks else None
        pairs = lying.after(surely)
        for name, join in lying.joins(pairs):
            together.stand(results, name, join, [])
        for grown in self.growing:
            grown.add(results, self.tracer, length, even=is_even(self, turn), listed=self.listed)
        places = {id(p): t.number for p, t in zip(self.written, self.of_written(turn.entry))}
        results.rebound = [(p, places[id(p)]) for p in self.written]
        node.names = tuple(self.spoken.get(name, name) for name in results.names)
        unpacked.call(chain(*turn.columns.leaves, *results.leaves), self.spoken)
        node.spec = tuple(s.spec for s in results.seen)
        renewed = together.renewed(self.tracer, turn) if surely else ()
        made = parts(self.tracer, node, results, lying.pairs(pairs), renewed)
        self.earlier(turn, made)
        for grown in self.growing:
            one_by_one = grown.uneven or grown.numbers or self.kind == "comprehension"
            spelled = self.spelled if one_by_one else None
            grown.put(self.tracer, made[grown.first :], self.listed, spelled)
        after = [replaced(results, template, made) for template in turn.entry]
        for change, held in zip(self.changing, self.of_changing(after)):
            fill(change.container, held)
        return after[: len(self.names) + self.flag]

    def earlier(self, turn: Turn, made: list[Any]) -> None:
        """Note what results may be that was other names' at the start of a turn, or was given to these."""
        given = together.given(self.tracer, turn)
        for number, others in together.wandering(self.tracer, turn).items():
            held = ((m, (turn.columns.leaves[m][0], *given[m])) for m in others)
            for name, init in ((turn.columns.names[m], value) for m, values in held for value in values):
                if is_array_proxy(init) and made[number].node.graph is self.tracer.graph:
                    made[number].node.meta["aliased"] |= aliases(self.tracer, name, [init], made[number])
                    together.come_from(self.tracer, made[number], [init])

    def tested(self, turn: Turn) -> tuple[Side, list[Node]]:
        """The graph of the test, and its placeholders."""
        side = Side(self.tracer, "test", without=self.without)
        body = turn.placeholders, turn.proxies
        test = self.test
        assert test is not None

        def way() -> Any:
            values = turn.open()
            runs = [("collected", each) for each in (*self.containers, test)]
            held = heap.Later(self.tracer, sys._getframe(1), runs, self.without)
            if self.containers:
                held.look()
            if may_work_unseen([test]):
                heap.wake(self.tracer)
            try:
                found = test(*values)
            finally:
                held.done()
            if held.changed():
                raise Writes
            return FELL, found

        side.run(way, test)
        ends = ((p, node) for p, node in side.written.values() if root(self.tracer, p) is p)
        if any(node not in turn.placeholders for _, node in ends):
            raise Writes
        placeholders = turn.placeholders
        turn.placeholders, turn.proxies = body
        with side.reopened():
            side.graph.output((predicate.node_of(self.tracer, side.value),), "yield")
        return side, placeholders
