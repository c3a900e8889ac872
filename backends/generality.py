"""Generality: for which other dtypes of its arguments a text says what the program does.

A text is made for the dtypes of the example. Given others, it promotes as its own framework does, and the
program as the source does. Here every op is typed in both, for all dtypes that may reach it. Where the two
differ, the arguments behind it are noted, and the emitted function checks them: their kind, where only other
kinds differ (integers where the example has floats), else their dtypes. Dtypes that the source refuses, or
that the target refuses aloud, need no check.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ir import dtypes
from ..ir.dtypes import COMPLEX, PYTHON, DType
from ..ir.graph import Graph, Node
from ..ir.op import Op, over
from ..ir.program import Program
from ..ir.regions import UNDEFINED, Function, Region, is_loop, loop
from ..ir.spec import Spec
from .backend import Backend
from .lower import says
from .spelled import steps
from .typing import Operand
from .typing.jax import narrow
from .variants import Element, Place, Question, Side, answer, kind

#: What an argument may be given as, beside the dtype of the example.
GIVEN = (
    dtypes.float32, dtypes.float64, dtypes.float16, dtypes.int64, dtypes.int32, dtypes.bool_,
    dtypes.complex64, dtypes.complex128,
)  # fmt: skip
#: How often the body of a loop is looked at until what it carries stays as it is.
TURNS = 4
#: Ops that the passes leave out where their scalar is this one.
LAWS = {("multiply", 1), ("divide", 1), ("subtract", 0), ("pow", 1)}


@dataclass(frozen=True, slots=True)
class Held:
    """All that an array may be.

    Attributes:
        example: its key in the example.
        by: what it is, by the dtype of the one argument that decides it, else by itself.
        leaf: the path of that argument.
        behind: the paths of all arguments that may have to do with it.
    """

    example: Any
    by: Mapping[Any, Element]
    leaf: str | None
    behind: frozenset[str]


@dataclass
class Arguments:
    """The arrays among a function's arguments: what each may be, and which must be checked. `alike`: of those
    that must have one dtype, the first.
    """

    examples: dict[str, DType]
    given: dict[str, list[DType]]
    exact: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    alike: dict[str, str] = field(default_factory=dict)

    def first(self, path: str) -> str:
        """The one that stands for all those that have one dtype."""
        return self.alike.get(path, path)

    def join(self, paths: Iterable[str]) -> None:
        """Let these have one dtype, and those that have one with them."""
        firsts = {self.first(path) for path in paths}
        mine = [p for p in self.examples if self.first(p) in firsts]
        self.alike.update(dict.fromkeys(mine, mine[0]))

    def narrow(self) -> bool:
        """Leave out what the checks refuse. Returns whether there was any."""
        before = dict(self.given)
        for path, usual in self.examples.items():
            mine = [p for p in self.examples if self.first(p) == self.first(path)]
            options = [d for d in self.given[path] if all(d in self.given[p] for p in mine)]
            if self.exact & {*mine}:
                options = [usual]
            elif self.kinds & {*mine}:
                options = [d for d in options if kind(d) == kind(usual)]
            self.given[path] = options
        return self.given != before


def generalised(program: Program, target: Backend, source: Backend) -> Program:
    """The program, with a note on each function of what the text for `target` must check."""
    if target.name != source.name:
        look(program, target, source)
    return program


def look(graph: Graph, target: Backend, source: Backend) -> None:
    """Look at one function, again where a check leaves less to look at."""
    wide = target.x64 and source.x64
    available = [d for d in GIVEN if wide or d == narrow(d)]
    found = {p: n.spec.dtype for p, n in graph.meta.get("leaves", {}).items() if n.spec.dtype is not None}
    pinned = graph.meta.get("pinned", ())
    given = {p: [d] if p in pinned else [d, *(a for a in available if a != d)] for p, d in found.items()}
    arguments = Arguments(found, given)
    while True:
        before = dict(arguments.alike)
        Walk(arguments, target, source).graph(graph, None)
        if arguments.alike != before:  # of those that have one dtype, less may be wrong
            arguments = Arguments(found, dict(given), alike=arguments.alike)
        if not arguments.narrow() and arguments.alike == before:
            break
    arguments.exact |= {p for p in arguments.kinds if found[p].kind == "bool"}
    graph.meta["pinned"] = {*pinned, *arguments.exact}
    graph.meta["kinds"] = {p: kind(found[p]) for p in found if p in arguments.kinds}
    graph.meta["alike"] = arguments.alike


class Walk:
    """One pass over a function, with what its values may be by node."""

    def __init__(self, arguments: Arguments, target: Backend, source: Backend) -> None:
        self.arguments = arguments
        self.target = target
        self.source = source
        self.known: dict[Node, Any] = {}
        #: What the parameters of the function at hand are, as the function that is looked at says it.
        self.called: dict[str, str] = {}
        self.depth = 0

    # What a value may be.

    def held(self, value: Any) -> Held | None:
        """None for what is no array."""
        if not isinstance(value, Node) or not isinstance(value.spec, Spec) or value.spec.dtype is None:
            return None
        found = self.known.get(value)
        return found if isinstance(found, Held) else self.anything(value.spec.dtype, self.arguments.examples)

    def element(self, dtype: DType, form: str = "array") -> Element:
        return Element(dtype, form, dtype if self.target.x64 else narrow(dtype), form)

    def fixed(self, dtype: DType, form: str = "array") -> Held:
        """What is of one dtype whatever the arguments are."""
        made = self.element(dtype, form)
        return Held(made, {made: made}, None, frozenset())

    def anything(self, dtype: DType, behind: Iterable[str]) -> Held:
        """What may be of any dtype that an argument may be of."""
        usual = self.element(dtype)
        options = {d for path in behind for d in self.arguments.given.get(path, ())}
        made = [usual, *(self.element(d) for d in GIVEN if d in options and d != dtype)]
        return Held(usual, {e: e for e in made}, None, frozenset(behind))

    def leaf(self, node: Node, path: str) -> Held:
        form = node.meta.get("form", "array")
        form = form if isinstance(form, str) else "array"
        options = {d: self.element(d, form) for d in self.arguments.given[path]}
        return Held(node.spec.dtype, options, self.arguments.first(path), frozenset((path,)))

    def joined(self, *several: Held | None) -> Held | None:
        """What is one thing or another."""
        found = [h for h in several if h is not None]
        if not found:
            return None
        first = found[0]
        if all(h.leaf == first.leaf is not None for h in found):
            by: dict[Any, Element] = {}
            if all(by.setdefault(key, e) == e for h in found for key, e in h.by.items()):
                return Held(first.example, by, first.leaf, first.behind)
        elements = {e: e for h in found for e in h.by.values()}
        usual = first.by[first.example]
        return Held(usual, {usual: usual, **elements}, None, frozenset().union(*(h.behind for h in found)))

    # The nodes of a graph.

    def graph(self, graph: Graph, given: Sequence[Held | None] | None) -> list[Held | None] | None:
        """What the graph of a region or function hands on; None where it leaves."""
        if given is not None:
            self.known.update(zip(graph.placeholders, given))
        for node in graph.nodes:
            path = path_of(node)
            if path is not None and not isinstance(self.known.get(node), Held):
                path = self.outside(path)
            if path in self.arguments.given and isinstance(node.spec, Spec) and node not in self.known:
                self.known[node] = self.leaf(node, path)
            elif node.op == "get_attr" and isinstance(node.spec, Spec) and node.spec.dtype is not None:
                self.known[node] = self.fixed(node.spec.dtype, form_of(node))
            elif node.op == "call_function":
                self.known[node] = self.call(node)
        output = graph.output_node
        if output.target not in ("yield", "output"):
            return None
        values = output.args[0]
        return [self.held(v) for v in (values if isinstance(values, (tuple, list)) else (values,))]

    def call(self, node: Node) -> Any:
        if isinstance(node.target, Function):
            return self.function(node)
        if isinstance(node.target, Region):
            return self.loop(node) if is_loop(node) else self.cond(node)
        if node.target is operator.getitem and isinstance(self.known.get(node.args[0]), list):
            found = self.known[node.args[0]]
            return found[node.args[1]] if node.args[1] < len(found) else None
        if isinstance(node.target, Op) and not node.target.static:
            return self.op(node)
        return None

    def function(self, node: Node) -> Any:
        """A call of a function of the user's. What it depends on is checked before it is called."""
        outer = self.known, self.called
        graph = node.target.graph  # type: ignore[union-attr]
        given = [self.held(a) for a in node.args]
        said = {str(p.target): self.outside(text(a)) for p, a in zip(graph.placeholders, node.args)}
        self.known, self.called = {}, said
        made = self.graph(graph, given)
        self.known, self.called = outer
        return None if made is None or isinstance(node.spec, dict) else self.result(node, made)

    def outside(self, path: str) -> str:
        """What the function that is looked at says for what the function at hand calls `path`."""
        root = re.split(r"[.\[]", path, maxsplit=1)[0]
        return self.called.get(root, "" if self.called else root) + path[len(root) :]

    def result(self, node: Node, made: list[Held | None]) -> Any:
        return made if isinstance(node.spec, tuple) else made[0] if len(made) == 1 else None

    def cond(self, node: Node) -> list[Held | None]:
        _, then, orelse, operands = node.args
        given = [self.held(o) for o in operands]
        self.depth += 1
        sides = [s for s in (self.graph(then, given), self.graph(orelse, given)) if s is not None]
        self.depth -= 1
        return [self.joined(*column) for column in zip(*sides)]

    def loop(self, node: Node) -> list[Held | None]:
        parts = loop(node)
        state = [None if v is UNDEFINED else self.held(v) for v in parts.state]
        operands = [self.held(o) for o in parts.operands]
        items = [self.held(s) for s in parts.sources]
        made: list[Held | None] = []
        self.depth += 1
        for _ in range(TURNS):
            if parts.test is not None:
                self.graph(parts.test, [*state, *operands])
            made = self.graph(parts.body, [*items, *state, *operands]) or list(state)
            before, state = state, [self.joined(*pair) for pair in zip(state, made)]
            if state == before:
                break
        else:
            state = [h and self.anything(h.by[h.example].dtype, self.arguments.examples) for h in state]
            made = self.graph(parts.body, [*items, *state, *operands]) or list(state)
        self.depth -= 1
        return [*state, *made[len(state) :]]

    # Ops.

    def op(self, node: Node) -> Any:
        op: Op = node.target  # type: ignore[assignment]
        if op.rules[0].cls == "free":
            return self.free(node)
        mine = [raw(a) for a in over(op, op.rules[0], node.args) if a is not None]
        groups: dict[Any, list[Held]] = {}
        places = [self.place(value, groups) for value in mine]
        if not groups or any(p.scalar is not None and p.scalar.dtype is None for p in places):
            return self.several(node, None)
        numbers = [p.scalar.value for p in places if p.scalar is not None]
        dropped = len(places) == 2 and (op.name, *numbers) in LAWS
        question = Question(
            op.rules[0].cls, op.name, node.meta.get("asked"), tuple(places),
            tuple((columns[0].example, rows(columns)) for columns in groups.values()),
            self.spelled(node, groups), dropped,
        )  # fmt: skip
        return self.several(node, self.answered(question, list(groups.values())))

    def place(self, value: Any, groups: dict[Any, list[Held]]) -> Place:
        """Where an operand stands among the groups, which it joins."""
        held = self.held(value)
        if held is None:
            return Place(0, None, 0, python(value))
        key = held.leaf or id(value)
        columns = groups.setdefault(key, [])
        if held not in columns:
            columns.append(held)
        return Place(value.spec.rank, list(groups).index(key), columns.index(held), None)

    def spelled(self, node: Node, groups: dict[Any, list[Held]]) -> Any:
        if says(node, self.target):
            return ()
        found = steps(node)
        arrays = [raw(a) for a in node.args if isinstance(a, Node) and isinstance(a.spec, Spec)]
        known = {raw(a) for a in over(node.target, node.target.rules[0], node.args) if isinstance(a, Node)}  # type: ignore[arg-type,union-attr]
        if found is None or any(a not in known for a in arrays):
            return None
        return found, tuple(self.place(a, groups) for a in arrays)

    def answered(self, question: Question, groups: list[list[Held]]) -> Held | None:
        """What comes out, and what must be checked."""
        sides = (Side(side.name, side.x64) for side in (self.source, self.target))
        found = answer(question, *sides)
        if found is None:
            return None
        behind = [frozenset().union(*(h.behind for h in columns)) for columns in groups]
        self.arguments.kinds.update(*(behind[i] for i in found.kinds))
        self.arguments.exact.update(*(behind[i] for i in found.exact))
        if found.alike:
            self.arguments.join(columns[0].leaf for columns in groups if columns[0].leaf is not None)
        example = tuple(columns[0].example for columns in groups)
        first = groups[0][0]
        if len(groups) == 1 and first.leaf is not None:
            if not self.depth:
                gone = {keys[0] for keys in found.refused}
                options = self.arguments.given[first.leaf]
                self.arguments.given[first.leaf] = [d for d in options if d not in gone]
            by = {keys[0]: e for keys, e in found.given.items()}
            return Held(first.example, by, first.leaf, behind[0]) if example in found.given else None
        usual = found.given.get(example)
        if usual is None:
            return None
        elements = {usual: usual, **{e: e for e in found.given.values()}}
        return Held(usual, elements, None, frozenset().union(*behind))

    def several(self, node: Node, held: Held | None) -> Any:
        """The results of an op, by what its first is."""
        specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
        rules = node.target.rules  # type: ignore[union-attr]
        made: list[Held | None] = []
        for i, spec in enumerate(specs):
            rule = rules[min(i, len(rules) - 1)]
            if not isinstance(spec, Spec) or spec.dtype is None:
                made.append(None)
            elif held is None:
                made.append(self.fixed(spec.dtype))
            elif i == 0 or rule.cls == rules[0].cls:
                made.append(held)
            else:
                made.append(converted(held, rule.cls, self.fixed(spec.dtype)))
        return made if isinstance(node.spec, tuple) else made[0]

    def free(self, node: Node) -> Held | None:
        """An op whose parameter says its dtype; where the text leaves it out, an array says it."""
        if not isinstance(node.spec, Spec) or node.spec.dtype is None:
            return None
        like = self.held(raw(node.args[0])) if node.args else None
        if node.target.name == "cast" or like is None:  # type: ignore[union-attr]
            return self.fixed(node.spec.dtype, form_of(node))
        if node.kwargs.get("dtype") is None:
            return like
        if like.by[like.example].dtype == node.spec.dtype and len(like.by) > 1:
            self.arguments.exact |= like.behind
        return self.fixed(node.spec.dtype)


def rows(columns: Sequence[Held]) -> tuple[tuple[Any, tuple[Element, ...]], ...]:
    """What operands that hang together are, by key."""
    keys = [key for key in columns[0].by if all(key in held.by for held in columns)]
    return tuple((key, tuple(held.by[key] for held in columns)) for key in keys)


def converted(held: Held, cls: str, otherwise: Held) -> Held:
    """A further result of an op, of this class."""
    change = {"real": lambda d: d.real, "complex": lambda d: COMPLEX.get(d.name, d)}.get(cls)
    if change is None or held.leaf is None:
        return otherwise
    by = {k: Element(change(e.dtype), e.form, change(e.given), e.given_form) for k, e in held.by.items()}
    return Held(held.example, by, held.leaf, held.behind)


def raw(value: Any) -> Any:
    """An operand before it was promoted."""
    while isinstance(value, Node) and value.meta.get("implicit"):
        value = value.args[0]
    return value


def python(value: Any) -> Operand:
    """A number as promotion sees it."""
    if isinstance(value, Node):
        return Operand(0, PYTHON.get(value.spec.type), "python", None)
    return Operand(0, PYTHON.get(type(value)), "python", value)


def form_of(node: Node) -> str:
    form = node.meta.get("form", "array")
    return form if isinstance(form, str) else "array"


def text(value: Any) -> str:
    """What a function says for an argument that it hands on; "" for what is none."""
    if not isinstance(value, Node):
        return ""
    if value.op == "placeholder":
        return str(value.target)
    if value.target is operator.getitem:
        return f"{text(value.args[0])}[{value.args[1]!r}]"
    return f"{text(value.args[0])}.{value.args[1]}" if value.target is getattr else ""


def path_of(node: Node) -> Any:
    """What the function says for an array among its arguments."""
    return node.meta.get("path") or (node.origin.meta.get("path") if node.origin is not None else None)



