"""Emitter: a lowered Program -> the statements of one function, as a tree; text/layout.py makes it text."""

from __future__ import annotations

import ast
import functools
import math
import operator
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...backends.phrase import OPERATORS
from ...backends.unions import is_number, keeps
from ...backends.writing.filling import CannotSay, Written, operand_of, operation
from ...backends.writing.writer import Writer
from ...ir.errors import UnsupportedError
from ...ir.graphs.attempts import attempted
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import UNDEFINED, Function, Region, after, guard, put, since, store
from ...ir.graphs.static import item, sized
from ...ir.meaning.op import Op
from ...ir.meaning.operands import operand_specs
from ...ir.meaning.operators import OPS
from ...ir.ops.indexing import UPDATES
from ...ir.sizes.dimtext import source
from ...ir.source.printing import print_
from ...ir.values.listing import is_list
from ...ir.values.tree import holdings, is_record, tuple_fields
from ..checks.guards import checks, facts, is_nan
from ..plan.called import bound, own_name, takes_apart
from ..plan.containers import part, whole
from ..plan.lists import Lists
from ..plan.names import Names
from ..plan.reading import nested_in
from ..plan.scaffold import Scaffold, choice, plan
from ..text.unparsing import unparsed
from . import abreast, listed, putting, updates
from .constants.arrays import note as note_array
from .control import appending, compiled_control, loop_lists, measuring, printing, python_control, strong
from .written.remarks import mark, mark_region, mark_value
from .written.spread import spread

if TYPE_CHECKING:
    from ..module import Module

#: How long the right side of a statement may be before parts of it get lines of their own.
LINE = 70
PYTHON_OPERATORS = set(OPERATORS.values())


class Emitter:
    """Writes one function, or one branch of it."""

    def __init__(self, graph: Graph, module: Module, names: Names) -> None:
        self.graph = graph
        self.module = module
        self.names = names
        ints = module.source.default_int
        self.writer = Writer(module.target, self.value, module.imports, module.helpers, module.decided, ints)
        self.known: dict[Node, Written] = {}
        self.parts: dict[Node, list[str]] = {}
        self.spelling_out = False
        self.made: Scaffold = Scaffold(graph)
        #: The names of the state of the loop around; the lists to which a way out of it appends.
        self.loop: Sequence[str] = ()
        self.appending: Sequence[tuple[str, Any]] = ()
        #: How many results of a loop are its state; the others are lists of what it collected.
        self.collected: dict[Node, int] = {}
        #: Those that hold containers, by what is in one: see appending.py.
        self.grown: dict[Node, dict[str, str]] = {}
        #: Regions of one result that is written where it is used.
        self.whole: dict[Node, ast.expr] = {}
        #: Whether the user takes what the function gives.
        self.entry = bool(graph.meta.get("entry"))
        #: The lists among the arguments that loops go through, see checks/families.py.
        self.lists = Lists.of(graph)

    # Statements.

    def statements(self, made: Scaffold | None = None) -> list[ast.stmt]:
        """The body, in the order of the plan; of a branch, without what it yields."""
        made = self.made = made or plan(self.graph)
        if self.graph.output_node.target == "output" or "parameters" in self.graph.meta:
            self.names.read_last(self.graph, made.until)
        body: list[ast.stmt] = []
        puts: list[ast.stmt] = []
        for number, node in made.statements:
            if node.target == "output" and node.args[0] is None and body:
                continue  # a function that only prints ends by itself
            written = len(body)
            if node.op == "output":
                body += [*self.hoisted(node, number, made), *self.end(node)]
            elif node.target is guard:
                continue
            elif node.target is store:
                body.append(self.stored(node))
            elif node.target is put:
                body.append(self.placed(node))
                puts.append(body[-1])
            elif node.target is print_:
                body.append(printing.statement(self, node))
            elif node.target is attempted:
                body.append(ast.Expr(self.tree(node.args[0])))
            elif node.meta.get("inplace"):
                body += [*self.hoisted(node, number, made), self.updated(node, made)]
            elif isinstance(node.target, Region):
                write = compiled_control.region if node.meta.get("compiled") else python_control.region
                body += write(self, node, number, made)
                mark_region(body[written:], node)
            else:
                body += self.hoisted(node, number, made)
                body.append(self.assign(node, made.wanted[node], number, made))
            for statement in body[written : written + 1]:
                mark(statement, node)
        fresh = functools.partial(self.names.give, node=self.graph.output_node, at=-1, until=math.inf)
        return [*self.guards(), *abreast.abreast(putting.read_in_time(body, puts, fresh))]

    def updated(self, node: Node, made: Scaffold) -> ast.stmt:
        """A write in place: the array goes on under the name that it has."""
        written = updates.statement(self, node)
        mark_value(written.value, node)
        name = self.known[node][0]
        if isinstance(name, ast.Name):
            until = made.until.get(node, 0)
            self.names.until[name.id] = max(self.names.until.get(name.id, 0), until)
        return written

    def stored(self, node: Node) -> ast.stmt:
        """What an argument holds in the end, where it was not written there step by step."""
        argument, value = (self.tree(a) for a in node.args)
        return ast.Assign([ast.Subscript(argument, ast.Constant(...), ast.Store())], value)

    def placed(self, node: Node) -> ast.stmt:
        """An item that a container among the arguments holds in the end."""
        container, key, value = node.args
        if key is None:
            append = ast.Attribute(self.tree(container), "append", ast.Load())
            return ast.Expr(ast.Call(append, [self.tree(value)], []))
        place = ast.Subscript(self.tree(container), self.writer.literal(key), ast.Store())
        return ast.Assign([place], self.tree(value))

    def guards(self) -> list[ast.stmt]:
        """The checks of what was looked at in this graph."""
        found = facts(self.graph, self.fact)
        for fact in found:
            self.imported(f"{fact.what} {fact.other} {'math.isnan' if is_nan(fact.expected) else ''}")
        made: list[ast.stmt] = self.module.checked(checks(found, self.writer.literal))
        return made

    def imported(self, text: str) -> str:
        """Text that may name functions of math, which are imported."""
        for name in re.findall(r"\bmath\.\w+", text):
            self.writer.name(name)
        return text

    def assign(self, node: Node, wanted: tuple[str, ...], number: float, made: Scaffold) -> ast.stmt:
        strong.named(self, node)
        expr, operand = self.expression(node)
        if not wanted:
            return ast.Expr(expr)
        until = made.until.get(node, number)
        if len(wanted) == 1 and not takes_apart(node, wanted):
            name = self.names.give(wanted[0], node, number, until)
            self.known[node] = ast.Name(name, ast.Load()), operand
            return abreast.item(ast.Assign([ast.Name(name, ast.Store())], expr), node)
        ends: dict[int, float] = {}
        for user in filter(part, node.users):
            place = user.args[1] % len(wanted)  # the last of a shape is [-1]
            ends[place] = max(ends.get(place, 0), made.until.get(user, number))
        named = functools.partial(self.names.give, node=node, at=number)
        names = [named(w, until=ends[i]) if i in ends else "_" for i, w in enumerate(wanted)]
        if wanted == bound(node):  # what nobody reads has the user's name too, where nothing else has
            names = [w if n == "_" and self.names.is_free(w, number) else n for n, w in zip(names, wanted)]
        self.parts[node] = names
        target = ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())
        return ast.Assign([target], expr)

    def hoisted(self, node: Node, number: int, made: Scaffold) -> list[ast.stmt]:
        """Statements for what a line that would be long spells out by lowering: a mean or maximum that is
        broadcast again, as one would write it on a line of its own.
        """
        apart = [inner for inner in nested_in(node, made.wanted) if aggregate(inner)]
        if not apart:
            return []
        expr = self.tree(node.args[0]) if node.op == "output" else self.expression(node)[0]
        if len(unparsed(expr)) <= LINE:
            return []
        made.until |= dict.fromkeys(apart, number)
        return [self.assign(inner, (own_name(inner),), number - 0.5, made) for inner in apart]

    def inside(self, graph: Graph) -> Emitter:
        """An emitter for a graph in this one, which shares its names."""
        made = Emitter(graph, self.module, self.names)
        made.entry, made.lists = self.entry, self.lists
        return made

    def yields(self, body: list[ast.stmt], values: Sequence[Any], names: Sequence[str]) -> list[ast.stmt]:
        """`body`, then the assignments of what a graph hands on to the names of the results."""
        together = self.ended(tuple(values)) if len(names) > 1 else None
        if together is not None:
            target = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
            return [*body, ast.Assign([target], together)]
        pairs, ends = [], []
        for name, value in zip(names, values):
            expr = None if value is UNDEFINED else self.bare(value)
            if expr is not None and not (isinstance(expr, ast.Name) and expr.id == name):
                pairs.append((name, expr))
                ends.append(value)
        return [*body, *abreast.abreast(map(abreast.item, python_control.assignments(pairs), ends))]

    def end(self, node: Node) -> list[ast.stmt]:
        """How the graph is left; what goes on after a region is the region's to write."""
        match node.target:
            case "yield":
                return []
            case "break" | "continue":
                leave: ast.stmt = ast.Break() if node.target == "break" else ast.Continue()
                appends = appending.behind(self, node.args[0])
                return [*appends, *self.yields([], node.args[0][: len(self.loop)], self.loop), leave]
            case "raise":
                kind, args = node.args[0]
                said = [printing.argument(self, a) if isinstance(a, tuple) else self.tree(a) for a in args]
                error = ast.Call(ast.Name(kind, ast.Load()), said, [])
                return [ast.Raise(error if args else ast.Name(kind, ast.Load()))]
        value = node.args[0]
        return [ast.Return(self.tree(value) if self.entry else strong.handed(self, value))]

    def fact(self, node: Node) -> str:
        """A static value in terms of the function's arguments alone, for a check at its top."""
        self.spelling_out = True
        try:
            return unparsed(self.value(node)[0])
        finally:
            self.spelling_out = False

    # Expressions.

    def value(self, node: Node) -> Written:
        """A node where it is used: its name, or its expression."""
        found = self.known.get(node)
        if found is not None and not (self.spelling_out and node.op != "placeholder"):
            return found
        if part(node) and node.args[0] in self.parts and not self.spelling_out:
            whole, index = node.args
            name = loop_lists.stacked(self, node) or ast.Name(self.parts[whole][index], ast.Load())
            return name, operand_of(node)
        if self.spelling_out and sized(node):  # as an expression of the arguments, whatever it was asked of
            return ast.parse(self.imported(source(node.spec.value)), mode="eval").body, operand_of(node)
        return self.expression(node)

    def expression(self, node: Node) -> Written:
        """What a node computes.

        Raises:
            UnsupportedError: where the target cannot say it.
        """
        try:
            written = self.computed(node)
            note_array(self, written[0], node)
            mark(written[0], node)
            spread(self, written[0], node)
            return written
        except CannotSay as error:
            what, name = self.module.operation(node), self.module.target.name
            raise UnsupportedError(
                what, backend=name, why=str(error), span=node.span, hint=error.hint
            ) from None

    def computed(self, node: Node) -> Written:
        target = node.target
        if node.op == "get_attr":
            return ast.Name(node.target, ast.Load()), operand_of(node)
        if (own := listed.rounded(self, node)) is not None:
            return own, operand_of(node)
        if target in (after, since):
            return self.value(node.args[0])
        if is_number(node) and keeps(node, self.module.target, self.module.source):
            number = node.meta["said"] if "said" in node.meta else node.kwargs["fill_value"]
            return self.tree(number), operand_of(node)
        if wrote(node, operator.abs):
            return listed.absolute(self, node), operand_of(node)
        if target in UPDATES:
            return updates.at(self, node)
        if isinstance(target, Op) and not target.static:
            made = loop_lists.begun(self, node) or loop_lists.picked(self, node)
            return (made, operand_of(node)) if made is not None else listed.written(self, node)
        if isinstance(target, Function):
            return strong.call(self, node, self.module.function(target)), operand_of(node)
        return self.python(node), operand_of(node)

    def ended(self, value: Any) -> ast.expr | None:
        """The call of a region, where a graph ends with all that it gives."""
        first = value[0] if isinstance(value, tuple) and value else value
        if isinstance(first, Node) and part(first) and first.args[0] in self.whole:
            return self.whole[first.args[0]]
        return None

    def python(self, node: Node) -> ast.expr:
        """Plain Python on static values, and items of containers."""
        target = node.target
        if (measured := measuring.said(self, node)) is not None:
            return measured
        if part(node) and choice(node.args[0]):
            return python_control.chosen(self, node.args[0], self.made)
        if target is getattr:
            return ast.Attribute(self.tree(node.args[0]), node.args[1], ast.Load())
        if target is operator.getitem:
            return self.item(node)
        if target is item:
            return loop_lists.number_of(self, node)
        name = getattr(target, "__name__", "")
        if getattr(target, "__module__", "") == "_operator":
            args = [self.tree(a) for a in node.args]
            if target in (operator.is_, operator.is_not):
                return ast.Compare(args[0], [ast.Is() if target is operator.is_ else ast.IsNot()], [args[1]])
            if target is operator.contains:
                return ast.Compare(args[1], [ast.In()], [args[0]])
            if target is operator.not_:
                return python_control.denied(args[0])
            if target is operator.abs:
                return ast.Call(ast.Name(name, ast.Load()), args, [])
            return operation(name if name in PYTHON_OPERATORS else name + "_", args)
        if is_list(target):
            return loop_lists.formed(self, node)
        args = [self.tree(a) for a in node.args]
        function: ast.expr = ast.Name(name, ast.Load())
        if getattr(target, "__module__", "") == "math":
            function = self.writer.name(f"math.{name}")
        return ast.Call(function, args, [])

    def item(self, node: Node) -> ast.expr:
        whole, key = node.args
        count = loop_lists.counted(self, whole, key)
        if count is not None:
            return count
        expr = self.value(whole)[0] if isinstance(whole, Node) else self.tree(whole)
        fields = self.fields(whole)
        if fields and isinstance(key, int):
            return ast.Attribute(expr, fields[key], ast.Load())
        return ast.Subscript(expr, self.tree(key), ast.Load())

    def fields(self, whole: Any) -> tuple[str, ...]:
        """The names of a namedtuple's items, by which they are read."""
        if isinstance(whole, Node) and whole.op == "placeholder":
            return tuple(whole.meta.get("fields", ()))
        if isinstance(whole, Node) and isinstance(whole.target, Function):
            returned = whole.target.graph.output_node.args[0]
            return tuple_fields(type(returned)) or ()
        if isinstance(whole, Node) and isinstance(whole.target, Op):
            phrase = self.writer.case(whole.target, whole.kwargs, operand_specs(whole.target, whole.args))
            return phrase.fields if phrase is not None else ()
        return ()

    def bare(self, value: Any, *, compiled: bool = False, numbers: bool = False) -> ast.expr:
        """A value that a region takes or yields. A number that is an array only because it is one on another
        way stays a number in what is compiled. `numbers`: see strong.py.
        """
        if isinstance(value, Node) and (number := strong.plain(self, value, compiled)) is not None:
            return self.tree(number)
        return strong.handed(self, value, numbers=numbers)

    def tree(self, value: Any) -> ast.expr:
        """A nested value with nodes in it."""
        if (ended := self.ended(value)) is not None:
            return ended
        if isinstance(value, ast.expr):
            return value
        if isinstance(value, Node):
            return self.value(value)[0]
        call = whole(value)
        if call is not None and call not in self.parts:
            return self.value(call)[0]
        if tuple_fields(type(value)) is not None:
            name = self.module.classes.namedtuple(type(value))
            if name is None:
                return ast.Tuple([self.tree(v) for v in value], ast.Load())
            return ast.Call(ast.Name(name, ast.Load()), [self.tree(v) for v in value], [])
        if is_record(value):
            items = [ast.keyword(n, self.tree(item)) for n, item in holdings(value).items()]
            return ast.Call(ast.Name(self.module.classes.record(value, self.writer), ast.Load()), [], items)
        if isinstance(value, tuple | list):
            return (ast.Tuple if isinstance(value, tuple) else ast.List)([*map(self.tree, value)], ast.Load())
        if isinstance(value, dict):
            return ast.Dict([self.writer.literal(k) for k in value], [self.tree(v) for v in value.values()])
        if isinstance(value, slice):
            parts = (value.start, value.stop) if value.step is None else (value.start, value.stop, value.step)
            return ast.Call(ast.Name("slice", ast.Load()), [self.tree(p) for p in parts], [])
        return self.writer.literal(value)


def aggregate(node: Node) -> bool:
    """Whether lowering made this reduction, which keeps its axes so that it fits what it was made of."""
    return bool(node.kwargs.get("keepdims")) and node.stands_for is None


def wrote(node: Node, function: Any) -> bool:
    """Whether the user wrote this function of Python's, `not` or `abs`, where the op stands that it is."""
    call = node.stands_for
    return getattr(node.target, "name", "") == OPS[function] and call is not None and call.target is function
