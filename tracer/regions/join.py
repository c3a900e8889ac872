"""Joins: what a value is that was made in one of several ways.

A join is as exact as all ways allow. Sizes that differ become one that only the running program knows; dtypes
that differ, or a number beside an array, are kept as alternatives: what promotes differently for them is
refused where it happens (backends/context.py), never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...backends.reading.inference import Seen
from ...ir.errors import UnsupportedError
from ...ir.graphs.regions import UNDEFINED
from ...ir.graphs.static import Scalar
from ...ir.sizes.dim import Shape as Sizes
from ...ir.sizes.dim import hint_of
from ...ir.sizes.local import is_local, local
from ...ir.sizes.stretched import facts_of_equality
from ...ir.values.carried import carries
from ...ir.values.dtypes import PYTHON, takes_number, widest
from ...ir.values.spec import Spec
from ...ir.values.tree import children, rebuilt
from ..memory.aliasing import current
from ..objects.containers import Held as Attributes
from ..objects.containers import ItemName, inside, is_object, like, named, same_members
from ..objects.twins import known_elsewhere, note
from ..proxy import Shape, is_proxy, isinstance_scalar
from ..rewrite.runtime import UNDEFINED as UNBOUND
from .templates import Column, Instance, has_column, has_instance, parts

if TYPE_CHECKING:
    from ..objects.heap import Change
    from ..tracer import Tracer

NUMBERS = (bool, int, float, complex)


class Different(Exception):
    """Why several values cannot be one."""


class Columns:
    """The values that come out of a region, one for each leaf that is not the same on every way.

    Attributes:
        names: how the user calls each.
        leaves: for each, what it is on every way: a proxy, a number, or UNDEFINED.
        seen: for each, the join.
        rebound: the proxies that were written into, each with the number of its column.
        held: the containers that were changed, each with the join of what it holds.
        twins: for joins of containers that others hold too, by id: the join, its name and the containers.
        ways: for each way, the containers that it has changed, by id: what they hold at its end, though
            that is undone by now.
        example: the way that the example takes, as far as is known: sizes are there what they are behind it.
    """

    def __init__(
        self, tracer: Tracer, ways: Sequence[Mapping[int, Change]] = (), example: int = 0
    ) -> None:
        self.tracer = tracer
        self.ways = ways
        self.example = example
        self.names: list[str] = []
        self.leaves: list[tuple[Any, ...]] = []
        self.seen: list[Seen] = []
        self.rebound: list[tuple[Any, int]] = []
        self.held: list[tuple[Any, Any]] = []
        self.twins: dict[int, tuple[Any, str, list[Any]]] = {}
        self.open: set[int] = set()
        #: Of a branch, the columns of what is one array on every way, by the ids of what it is there.
        self.same: dict[tuple[int, ...], Column] | None = None

    def join(self, name: str, values: Sequence[Any]) -> Any:
        """One value for several: itself where they are the same, Columns where they are not, in the
        containers that all of them have in common.

        Raises:
            Different: where they cannot be one.
        """
        first = values[0]
        if all(v is first for v in values) and outside(self.tracer, first):
            return first
        if all(type(v) is Shape and v.of is first.of for v in values):
            return first
        values = [self.sizes(v) for v in values]
        known = [v for v in values if v is not UNBOUND]
        if not known:
            return UNBOUND
        if all(is_leaf(self.tracer, v) for v in known):
            return self.column(name, values)
        items = [self.items(way, v) for way, v in enumerate(values) if v is not UNBOUND]
        if items == [None] * len(known) and several(known):
            return self.object(name, values, known)
        if any(i is None for i in items):
            changed = any(id(v) in way for way, v in zip(self.ways, values))
            alike = len({type(v) for v in known}) == 1 and len(known) == len(values) and not changed
            if alike and all(equal(v, first) for v in known):
                return first
            raise Different(either(values))
        if any(type(v) is Shape or carries(v) for v in known):
            raise Different(either(values))
        keys = [[k for k, _ in i or ()] for i in items]
        if len({type(v) for v in known}) > 1 or any(k != keys[0] for k in keys):
            raise Different(either(values))
        given = iter([dict(found or ()) for found in items])
        ways = [UNBOUND if v is UNBOUND else next(given) for v in values]
        columns = {
            key: self.join(named(name, key, known[0]), [UNBOUND if w is UNBOUND else w[key] for w in ways])
            for key in keys[0]
        }
        made = rebuilt(known[0], columns)
        self.tracer.structure.join(made, known)
        return self.stands_for(name, made, known)

    def items(self, way: int, value: Any) -> list[tuple[Any, Any]] | None:
        """Keys and items of a container as it is at the end of a way; None for what is none."""
        found = children(value)
        change = self.ways[way].get(id(value)) if found is not None and self.ways else None
        if change is None:
            return found
        now = dict(children(change.after) or ())
        order = [key for key, _ in found or ()]  # attributes lie in another one
        return [(key, now[key]) for key in order] if now.keys() == {*order} else list(now.items())

    def attributes(self, way: int, value: Any) -> dict[str, Any]:
        """The attributes of an object, likewise."""
        change = self.ways[way].get(id(value)) if self.ways else None
        found: dict[str, Any] = inside(value) if change is None else change.after
        return found

    def pieces(self, way: int, template: Any, value: Any) -> list[tuple[Any, Any]]:
        """Those of a value that a join joins, likewise."""
        if isinstance(template, Instance):
            return list(self.attributes(way, value).items()) if type(value) is template.kind else []
        return self.items(way, value) or []

    def sizes(self, value: Any) -> Any:
        """The shape of one of several arrays, as the tuple that it is to NumPy and JAX."""
        return tuple(value) if type(value) is Shape and self.tracer.framework.shape_class is tuple else value

    def object(self, name: str, values: Sequence[Any], known: Sequence[Any]) -> Any:
        """One object for several of a class of the user's, attribute by attribute."""
        held = [self.attributes(way, v) for way, v in enumerate(values) if v is not UNBOUND]
        if any(h.keys() != held[0].keys() for h in held):
            raise Different(either(held))
        if self.open & {id(v) for v in known}:
            raise Different(either(values))
        self.open |= {id(v) for v in known}
        given = iter(held)
        ways = [UNBOUND if v is UNBOUND else next(given) for v in values]
        joined = {
            key: self.join(named(name, key), [UNBOUND if way is UNBOUND else way[key] for way in ways])
            for key in held[0]
        }
        self.open -= {id(v) for v in known}
        return self.stands_for(name, Instance(type(known[0]), joined), list(known))

    def stands_for(self, name: str, made: Any, values: list[Any]) -> Any:
        """`made`, a join of containers."""
        originals = known_elsewhere(self.tracer, name, values)
        if originals:
            self.twins[id(made)] = made, name, originals
        return made

    def column(self, name: str, values: Sequence[Any]) -> Any:
        first = values[0]
        if type(first) in NUMBERS and all(type(v) is type(first) and repr(v) == repr(first) for v in values):
            return first
        key = tuple(map(id, values))
        if self.same is not None and key in self.same:
            return self.same[key]
        known = [v for v in values if v is not UNBOUND]
        example = sum(v is not UNBOUND for v in values[: self.example])
        made = self.add(name, values, joined(self.tracer, name, known, min(example, len(known) - 1)))
        if self.same is not None and all(is_proxy(v) and not isinstance_scalar(v) for v in values):
            self.same[key] = made
        return made

    def add(self, name: str, values: Sequence[Any], seen: Seen) -> Column:
        """A column of which it is known what it is."""
        for value in values if isinstance(name, ItemName) else ():
            if is_proxy(value) and not isinstance_scalar(value):
                value.node.meta.setdefault("called", str(name))
        self.names.append(name)
        self.leaves.append(tuple(UNDEFINED if v is UNBOUND else v for v in values))
        self.seen.append(seen)
        return Column(len(self.seen) - 1)


def is_leaf(tracer: Tracer, value: Any) -> bool:
    return is_proxy(value) or type(value) in NUMBERS or tracer.framework.is_array(value)


def several(values: Sequence[Any]) -> bool:
    """Whether these are different objects of one class of the user's."""
    first, *others = values
    alike = all(type(v) is type(first) and is_object(v) for v in values)
    return alike and any(v is not first for v in others)


def outside(tracer: Tracer, value: Any) -> bool:
    """Whether nothing in a value was made in a graph that is closed by now."""
    if is_proxy(value):
        made = value._node if isinstance_scalar(value) else value.node
        return made is None or tracer.reaches(made)
    return all(outside(tracer, item) for _, item in children(value) or ())


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, set) and isinstance(b, set):
        return same_members(a, b)
    try:
        return bool(a is b or a == b)
    except Exception:  # what cannot be compared is not the same
        return False


def replaced(columns: Columns, value: Any, results: Sequence[Any]) -> Any:
    """A join with the results of the region in place of its columns."""
    if isinstance(value, Column):
        return results[value.number]
    made = value
    within = any(holds_twin(columns, inner) for _, inner in parts(value))
    if isinstance(value, Instance) or has_column(value) or has_instance(value) or within:
        items = {k: replaced(columns, v, results) for k, v in parts(value)}
        made = like(value.kind, items) if isinstance(value, Instance) else rebuilt(value, items)
        columns.tracer.structure.join(made, [value])
    if id(value) in columns.twins:
        _, name, originals = columns.twins[id(value)]
        note(columns.tracer, name, made, originals)
    return made


def holds_twin(columns: Columns, value: Any) -> bool:
    """Whether a join is, or holds, one of containers that others hold too."""
    return id(value) in columns.twins or any(holds_twin(columns, v) for _, v in parts(value))


def either(values: Sequence[Any]) -> str:
    """What a value is that may be one of several."""
    objects = [v for v in values if isinstance(v, Attributes)]
    once = {name for v in objects for name in v if any(name not in other for other in objects)}
    if once and len(objects) == len(values):
        kind = objects[0].kind.__name__
        return f"a {kind} with the attribute `{min(once)}` on one way, and without it on another"
    found = list(dict.fromkeys(map(describe, values)))
    return " or ".join(found) if len(found) > 1 else f"{found[0]} or another"


def describe(value: Any) -> str:
    if isinstance(value, Seen):
        return str(value.spec)
    if value is UNBOUND:
        return "without a value"
    if is_proxy(value):
        return str(value.spec if isinstance_scalar(value) else value.node.spec)
    items = children(value)
    if items is not None:
        return f"a {type(value).__name__} of {len(items)}"
    return (
        "None"
        if value is None
        else f"{value!r}"
        if isinstance(value, (str, *NUMBERS))
        else f"a {type(value).__name__}"
    )


def look(tracer: Tracer, value: Any) -> Seen:
    """What is known of a leaf."""
    if isinstance(value, Seen):
        return value
    if isinstance_scalar(value):
        return Seen(value.spec, value._node.form if value._node is not None else "array")
    if is_proxy(value):
        found: Seen = tracer.seen(value.node)[0]
        return found
    if type(value) not in NUMBERS:
        return Seen(tracer.framework.spec(value), "weak" if tracer.framework.weak(value) else "array")
    return Seen(Scalar(type(value), value))


def alternatives(seen: Seen) -> tuple[tuple[Any, str], ...]:
    """What the leaf may be, as promotion sees it: pairs of dtype and form."""
    if isinstance(seen.form, tuple):
        return seen.form
    if isinstance(seen.spec, Scalar):
        return ((PYTHON.get(seen.spec.type), "python"),)
    return ((seen.spec.dtype, seen.form),)


def joined(tracer: Tracer, name: str, values: Sequence[Any], example: int = 0) -> Seen:
    """The join of several leaves.

    Args:
        example: the one that it is with the example.

    Raises:
        Different: where no spec covers them.
    """
    seen = [look(tracer, v) for v in values]
    forms = tuple(dict.fromkeys(pair for s in seen for pair in alternatives(s)))
    form: Any = forms if len(forms) > 1 else forms[0][1]
    scalars = [s.spec for s in seen if isinstance(s.spec, Scalar)]
    if len(scalars) == len(seen):
        first = [scalars[example], *scalars]
        return Seen(numbers(tracer, name, first), form if len(forms) > 1 else "array")
    arrays = [s.spec for s in seen if isinstance(s.spec, Spec)]
    dtypes = {a.dtype for a in arrays}
    dtype = arrays[0].dtype if len(dtypes) == 1 else None
    if scalars and (dtype is None or not all(takes_number(dtype, s.type) for s in scalars)):
        raise Different(" or ".join(dict.fromkeys(map(describe, values))))
    shapes = [s.spec.shape if isinstance(s.spec, Spec) else () for s in seen]
    shape = shapes[0]
    for other in shapes[1:]:
        shape = joined_shape(tracer, name, shape, other, shapes[example])
    return Seen(Spec(shape, dtype), form)


def numbers(tracer: Tracer, name: str, specs: Sequence[Scalar]) -> Scalar:
    kind = widest({s.type for s in specs})
    if kind is None:
        raise Different("a bool or a number")
    hint = kind(next((s.hint for s in specs if s.hint is not None), kind(0)))
    return Scalar(kind, local(tracer.names.fresh(name), hint) if kind is int else hint, local=True)


def joined_shape(
    tracer: Tracer, name: str, one: Sizes | None, other: Sizes | None, example: Sizes | None
) -> Sizes | None:
    if one is None or other is None or len(one) != len(other):
        return None
    hints = map(hint_of, one if example is None or len(example) != len(one) else example)
    same = [same_size(tracer, a, b) for a, b in zip(one, other)]
    return tuple(
        a if equal else local(tracer.names.fresh(name), hint, 0) for a, equal, hint in zip(one, same, hints)
    )


def same_size(tracer: Tracer, a: Any, b: Any) -> bool:
    """Whether two sizes are equal. One to which others broadcast is what it was in the example, and is
    checked to be, where that makes them equal.
    """
    if type(a) is type(b) and a == b:
        return True
    facts = [] if is_local(a) or is_local(b) else facts_of_equality(a, b)
    for size, known in facts:
        tracer.guard(size, known, "a loop or a branch gives arrays of one shape")
    return bool(facts)


def exact(seen: Seen, leaves: Sequence[Any], tracer: Tracer) -> bool:
    """Whether a join knows as much as every one of its ways, but for sizes that are equal in the example, of
    which it has its own; of shapes without an example nobody knows more.
    """
    specs = [look(tracer, leaf).spec for leaf in leaves if leaf is not UNDEFINED]
    arrays = [spec for spec in specs if isinstance(spec, Spec)]
    if isinstance(seen.spec, Spec) and (seen.spec.shape is not None or tracer.supposed.met):
        hints = {None if spec.shape is None else tuple(map(hint_of, spec.shape)) for spec in arrays}
        if seen.spec.shape is None or len(hints) == 1:
            arrays = [replace(spec, shape=seen.spec.shape) for spec in arrays]
    return not isinstance(seen.form, tuple) and all(spec == seen.spec for spec in arrays)


#: What is said of lists whose length values decide.
GROWN = "append on every way, what does not count as nan or with a mask; or take x[mask] at once"


#: What is said of objects that have an attribute on one way only.
SET_BEFORE = "set that attribute before, to a value of the same kind, shape and dtype"


def refusal(tracer: Tracer, name: str, where: str, why: str, hint: str = "") -> UnsupportedError:
    if not hint and why.startswith("a list of "):
        hint = GROWN
    elif not hint and "attribute `" in why:
        hint = SET_BEFORE
    return UnsupportedError(
        f"`{name}` {where}" if name else where,
        why=f"it is {why}",
        span=tracer.span(),
        hint=hint or "make it the same kind of value, of the same shape and dtype, on every way",
    )


def of_expression(tracer: Tracer, kind: str, why: str) -> UnsupportedError:
    """The values of an `and`, an `or` or a conditional expression cannot be one."""
    where = "this conditional expression" if kind == "expression" else f"the value of this `{kind}`"
    hint = "write an `if` statement for what it does, or give the same kind of value on both ways"
    return refusal(tracer, "", where, why, hint)


def noded(tracer: Tracer, leaf: Any) -> Any:
    """What the open graph yields for a leaf."""
    if is_proxy(leaf):
        return tracer.use(current(tracer, leaf))
    return leaf if leaf is UNDEFINED or type(leaf) in NUMBERS else tracer.constant(leaf)
