"""Choosing: a compiled `if` between numbers that are there already is a choice, `jnp.where(test, a, b)`.

Only of arrays without axes: of others `where` would broadcast one to the shape of the other, where an `if`
gives the one that it is. Nor of two arrays, since `where` would promote them, given others, and an `if` wants
them of one dtype; of an array beside a number that is checked. And only of values that are there, since both
sides of a choice are computed, and what is not chosen would send its nan into a gradient.
"""

from __future__ import annotations

from typing import Any

from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import cond, graphs
from ....ir.graphs.walk import every_graph
from ....ir.meaning.op import REGISTER
from ....ir.meaning.operands import scalar
from ....ir.noting import note_type
from ....ir.program import Program
from ....ir.values.dtypes import PYTHON, bool_
from ....ir.values.spec import Spec
from .tidy import name, results

#: How many values a person would choose one by one.
FEW = 2


def choices(program: Program) -> None:
    """Write the conds of a program, and of the graphs in it, as choices where that says the same."""
    for graph in every_graph(program, inner_first=True):
        for node in list(graph.nodes):
            if node.target is cond and is_choice(node):
                choose(graph, node)


def is_choice(node: Node) -> bool:
    """Whether a cond only decides between numbers that are known outside of it."""
    predicate, *_ = node.args
    test = isinstance(predicate, Node) and predicate.spec == Spec((), bool_)
    plain = all(isinstance(spec, Spec) and spec.shape == () for spec in node.spec)
    if not test or not plain or not 0 < len(node.spec) <= FEW or node.is_impure():
        return False
    sides = graphs(node)
    if any(side.output_node.target != "yield" for side in sides):
        return False
    columns = list(zip(node.spec, *(side.output_node.args[0] for side in sides)))
    known = all(is_known(value, spec) for spec, *values in columns for value in values)
    return known and all(spec.dtype == bool_ or any(map(is_said, values)) for spec, *values in columns)


def is_said(value: Node) -> bool:
    """Whether a side says a number."""
    return value.op != "placeholder"


def is_known(value: Any, spec: Spec) -> bool:
    """Whether a value of a side is one from outside, or a number, of the dtype that comes out."""
    if not isinstance(value, Node) or value.spec != spec:
        return False
    if value.target not in (REGISTER["array"], REGISTER["full"]):
        return value.op == "placeholder"
    number = value.kwargs["value" if value.target is REGISTER["array"] else "fill_value"]
    if isinstance(number, Node) and (number.op != "placeholder" or not scalar(number)):
        return False
    kind = number.spec.type if isinstance(number, Node) else type(number)
    return kind in PYTHON and spec.dtype is not None and PYTHON[kind].kind == spec.dtype.kind


def choose(program: Program, node: Node) -> None:
    parts = results(node)
    for i, several in enumerate(parts):
        with program.inserting_before(node):
            program.origin = node.origin
            one, other = (outside(node, side, i) for side in graphs(node))
            for value in (one, other):  # an `if` wants both of one type, and `where` would promote
                note_type(getattr(value, "origin", None) or value)
            flag = one is True and other is False
            made = node.args[0] if flag else choice(program, node, i, one, other)
        for part in several:
            if made is not node.args[0]:
                if "carried" in part.meta:  # a number of the program, as what a loop counts
                    made.meta["counted"] = True
                made.stands_for = made.stands_for or part.stands_for
            part.replace_all_uses_with(made)
            program.erase_node(part)
    program.erase_node(node)


def choice(program: Program, node: Node, number: int, one: Any, other: Any) -> Node:
    dtype = node.spec[number].dtype
    made: Node = program.call(REGISTER["where"], node.args[0], one, other, result=[dtype])
    if called := name(node, number):
        made.meta.setdefault("step", called)
    return made


def outside(node: Node, side: Graph, number: int) -> Any:
    """What a side of a cond gives, in the words of the graph around: an array, or a number."""
    value = side.output_node.args[0][number]
    given = dict(zip(side.placeholders, node.args[3]))
    if value in given:
        return given[value]
    said = value.kwargs["value" if value.target is REGISTER["array"] else "fill_value"]
    return given.get(said, said) if isinstance(said, Node) else said
