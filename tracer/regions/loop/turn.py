"""Turn: one tracing of the body of a loop that is being recorded, and what a value is from turn to turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ....backends.reading.inference import Seen
from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import UNDEFINED
from ....ir.graphs.static import Scalar
from ....ir.sizes.dim import hint_of
from ....ir.sizes.local import is_local, local
from ....ir.values.spec import Spec
from ....ir.values.tree import leaves
from ...memory import aliasing, numpy_scalars
from ...objects import heap, twins
from ...objects.containers import fill, inside
from ...objects.reach import reachable
from ...proxy import is_proxy, isinstance_scalar
from ...rewrite.runtime import UNDEFINED as UNBOUND
from ...values.list_rows import Earlier
from ..branch import known_elsewhere, shared
from ..join import Columns, alternatives, is_leaf, joined, noded, replaced, same_size
from ..templates import Column, has_column, parts, pieces
from ..together import Turns, on_turns
from .growing import Growing, grown
from .taking import Taken

if TYPE_CHECKING:
    from ...tracer import Tracer
    from ..side import Side
    from .record import Staged


class Turn:
    """One tracing of a loop's body.

    Attributes:
        entry: for every name what it is at the start of a turn: a value that no turn changes, or Columns.
        columns: what the columns are at the start of a turn.
        ends: what the names are wherever a turn ends or the loop is left, and the nodes of the columns there;
            None where the value does not have the form of the entry.
    """

    def __init__(self, staged: Staged, entry: Sequence[Any], columns: Columns) -> None:
        self.staged = staged
        self.tracer = staged.tracer
        self.names = staged.names
        self.entry = entry
        self.columns = columns
        self.ends: list[tuple[list[Any], list[Any]]] = []
        self.placeholders: list[Node] = []
        self.proxies: list[Any] = []
        self.taken: list[Taken] = []
        self.growing: list[Growing] = []
        self.wrote: dict[int, tuple[Any, Node]] = {}
        self.altered: dict[int, Any] = {}
        #: For each of the `ends`, the containers that are changed there, by id.
        self.changes: list[dict[int, Any]] = []
        self.leaves: dict[int, list[Any]] = {}
        self.finished: Any = None
        self.found: Turns | None = None
        self.lasts = list(staged.lasts)
        self.asked = False
        #: Whether the body writes into arrays.
        self.writes = False
        #: What the state is at the start.
        self.opened: list[Any] = []
        self.unsure: set[str] = set()
        #: Whether a `continue` on one side of an `if` ends it.
        self.continued = False
        #: The body; and the graphs that leave the loop, each with the lists that the turn has appended to by
        #: then, by id: the arrays in what it appended, as the body and as that graph know them.
        self.side: Side
        self.broken: list[tuple[Graph, dict[int, list[tuple[Node, Node]]]]] = []

    def left(self) -> None:
        """See Running.left: this one can be left."""

    def leaving(self, values: Sequence[Any], kind: str, through: Sequence[Any] = ()) -> tuple[Any, ...]:
        """What a way out, or the end of the body, hands on: a value for every column. `through`: what is done
        on the way out.
        """
        self.changes.append({id(change.container): change for change in self.side.left(through)})
        if kind == "break":
            self.staged.breaks = True
            self.broken.append((self.tracer.graph, dict(self.appended(self.changes[-1].values()))))
        self.continued |= kind == "continue"
        flags = [False if kind == "break" else self.finished] if self.staged.flag else []
        held = [inside(change.container) for change in self.staged.changing]
        lasts = [self.last(container) for container, _ in self.lasts]
        given = [*values, *flags, *self.staged.written, *held, *lasts]
        out: list[Any] = [None] * len(self.columns.seen)
        for template, value in zip(self.entry, given, strict=True):
            self.flatten(template, value, out)
        self.ends.append((given, out))
        return tuple(out)

    def appended(self, changes: Iterable[Any]) -> Iterator[tuple[int, list[tuple[Node, Node]]]]:
        """What the turn has appended by now to each of the lists that it changes, see `broken`."""
        for change in filter(grown, changes):
            items = [item for item in change.after[len(change.before) :] if type(item) is not Earlier]
            arrays = [leaf for leaf in leaves(items) if is_proxy(leaf)]
            yield id(change.container), [(leaf.node, noded(self.tracer, leaf)) for leaf in arrays]

    def keeps(self) -> bool:
        """Whether the body changes a container that a name of the loop stands for on every way: the name is
        that container from now on, as it was before the loop, and no join of it.
        """
        found = {id(container) for _, container in twins.changed(self.tracer)}
        found |= {id(change.container) for way in self.changes for change in way.values()}
        before = len(self.staged.keeping)
        for place, template in enumerate(self.entry[: len(self.names)] if found else ()):
            value = self.opened[place]
            stands = has_column(template) and not isinstance(template, Column)
            if stands and any(id(held) in found for _, held in reachable([("", value)])):
                if all(given[place] is value for given, _ in self.ends):
                    self.staged.keeping.add(place)
        return len(self.staged.keeping) > before

    def flatten(self, template: Any, value: Any, out: list[Any]) -> None:
        """Put the leaves of `value` into the places that `template` gives them."""
        if isinstance(template, Column):
            self.leaves.setdefault(template.number, []).append(value)
            node = self.placeholders[template.number]
            known = value is UNBOUND or numpy_scalars.counts(self.tracer, value)
            if node.meta.get("number") and not known:
                self.unsure.add(self.columns.names[template.number])
            if value is UNBOUND or is_leaf(self.tracer, value):
                out[template.number] = UNDEFINED if value is UNBOUND else noded(self.tracer, value)
        elif has_column(template):
            mine, theirs = parts(template), pieces(template, value)
            if [k for k, _ in mine] == [k for k, _ in theirs]:
                for (_, inner), (_, item) in zip(mine, theirs):
                    self.flatten(inner, item, out)

    def open(self) -> list[Any]:
        """Placeholders for the columns in the open graph. Returns the values of the names."""
        self.placeholders, self.proxies = [], []
        for name, seen, (first, *_) in zip(self.columns.names, self.columns.seen, self.columns.leaves):
            node = self.tracer.graph.create_node("placeholder", name, name=name)
            node.meta["state"] = True
            array = is_proxy(first) and not isinstance_scalar(first)
            node.meta["first"] = first.node if array else first
            node.meta["shared"] = name in self.staged.shared or array and self.is_shared(name, first)
            self.placeholders.append(node)
            self.proxies.append(self.tracer.wrap(node, seen))
            aliasing.hand_on(self.tracer, self.proxies[-1], [first])
            numpy_scalars.note(self.tracer, node, self.columns.leaves[len(self.proxies) - 1])
            if name in self.staged.unsure:
                node.meta["number"], node.meta["aliased"] = False, True
        values = self.opened = [replaced(self.columns, template, self.proxies) for template in self.entry]
        for proxy, value in zip(self.staged.written, self.staged.of_written(values)):
            self.tracer.rebind(proxy, value.node)
        if self.staged.changing or self.staged.growing:
            heap.wake(self.tracer)
        for change, held in zip(self.staged.changing, self.staged.of_changing(values)):
            fill(change.container, held)
        self.together()
        last = values[len(values) - len(self.lasts) :]
        lasts = {id(container): value for (container, _), value in zip(self.lasts, last)}
        for growing in self.staged.growing:
            growing.container.append(Earlier(self.tracer, self.asking(growing, lasts)))
        self.finished = values[len(self.names)] if self.staged.flag else None
        return values[: len(self.names)]

    def seen_at_ends(self, number: int) -> Seen | None:
        """What a value is after a turn; None where it may be what it was before, or without a value."""
        ends = self.leaves.get(number, [])
        if not ends or any(end is self.proxies[number] or end is UNBOUND for end in ends):
            return None
        before = self.columns.seen[number]
        found = joined(self.tracer, self.columns.names[number], ends)
        if not isinstance(before.spec, Spec) or not isinstance(found.spec, Spec):
            return None
        return Seen(Spec(before.spec.shape, found.spec.dtype), found.form)

    def lying(self) -> Turns:
        """What of the state, and of what is collected, lies together when it ends."""
        if self.found is None:
            self.found = on_turns(self.tracer, self)
        return self.found

    def together(self) -> None:
        """Note which arrays at the start of a turn may be one, for what an earlier turn has made of them."""
        written = {t.number: p for p, t in zip(self.staged.written, self.staged.of_written(self.entry))}
        known = self.staged.together
        for one, other in combinations(range(len(self.proxies)), 2) if known else ():
            if (self.columns.names[one], self.columns.names[other]) in known:
                bases = [written.get(number, self.proxies[number]) for number in (one, other)]
                aliasing.tie(self.tracer, *bases)

    def is_shared(self, name: str, first: Any) -> bool:
        """Whether what the state begins with is, or may be, known under another name."""
        known = shared(first.node) or known_elsewhere(self.tracer, first)
        return known or heap.held_elsewhere(self.tracer, first, name)

    def asking(self, growing: Growing, lasts: dict[int, Any]) -> Callable[[], Any]:
        """What to do where the last item of a growing list is read: it becomes part of the state."""
        before = list(growing.container)

        def ask() -> Any:
            if id(growing.container) not in lasts:
                lasts[id(growing.container)] = found = growing.last(self.tracer, before)
                self.staged.lasts.append((growing.container, found))
                self.asked = True
            return lasts[id(growing.container)]

        return ask

    def last(self, container: list[Any]) -> Any:
        """What stands last in a growing list."""
        found = container[-1]
        return found.ask() if isinstance(found, Earlier) else found


def own(tracer: Tracer, name: str, seen: Seen) -> Seen:
    """A number at the start of a turn is another one each time."""
    spec = seen.spec
    if not isinstance(spec, Scalar):
        return seen
    hint = spec.hint if spec.hint is not None else spec.type(0)
    value = local(tracer.names.fresh(name), hint) if spec.type is int else hint
    return Seen(Scalar(spec.type, value, local=True), seen.form)


def refreshed(tracer: Tracer, name: str, seen: Seen, sizes: Sequence[int | None] | None = None) -> Seen:
    """What a column is after the loop: its unknown sizes are others than at the start of a turn, in the
    example these.
    """
    spec = seen.spec
    if isinstance(spec, Scalar):
        return own(tracer, name, seen)
    if spec.shape is None:
        return seen
    hints = [*map(hint_of, spec.shape)] if sizes is None else sizes
    fresh = tracer.names.fresh
    shape = tuple(local(fresh(name), h, 0) if is_local(d) else d for d, h in zip(spec.shape, hints))
    return Seen(Spec(shape, spec.dtype), seen.form)


def wider(tracer: Tracer, name: str, entry: Seen, ends: Sequence[Seen]) -> Seen:
    """What covers `entry` and all ends; `entry` itself where it does."""
    found = entry
    for end in ends:
        if not covers(tracer, found, end):
            found = joined_seen(tracer, name, found, end)
    return found


def covers(tracer: Tracer, entry: Seen, end: Seen) -> bool:
    if not set(alternatives(end)) <= set(alternatives(entry)):
        return False
    if isinstance(entry.spec, Scalar):
        return isinstance(end.spec, Scalar)
    if isinstance(end.spec, Scalar):
        return not entry.spec.shape
    mine, theirs = entry.spec.shape, end.spec.shape
    if mine is None:
        return True
    return (
        theirs is not None
        and len(mine) == len(theirs)
        and all(is_local(a) or same_size(tracer, a, b) for a, b in zip(mine, theirs))
    )


def joined_seen(tracer: Tracer, name: str, one: Seen, other: Seen) -> Seen:
    return joined(tracer, name, (one, other))
