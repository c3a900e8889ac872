"""Graph and Node: links, users, editing, lint. With torch.fx's names, and beside torch.fx where it can be
compared.
"""

from __future__ import annotations

import operator
from typing import Any

import pytest

from tracelate.ir.errors import GraphError
from tracelate.ir.graphs.graph import Graph, Node
from tracelate.ir.graphs.regions import guard


def build() -> tuple[Graph, Node, Node, Node]:
    """graph(x): a = x + 1; b = a * a; return b"""
    graph = Graph("f")
    x = graph.placeholder("x")
    a = graph.call_function(operator.add, (x, 1))
    b = graph.call_function(operator.mul, (a, a))
    graph.output(b)
    return graph, x, a, b


def names(graph: Graph) -> list[str]:
    return [node.name for node in graph.nodes]


def test_users_and_inputs_are_kept_in_step() -> None:
    graph, x, a, b = build()
    assert b.all_input_nodes == [a] and b.input_nodes == [a]
    assert list(a.users) == [b] and list(x.users) == [a]
    b.args = (x, x)
    assert not a.users and list(x.users) == [a, b]


def test_nested_arguments_are_inputs_too() -> None:
    graph, x, a, b = build()
    with graph.inserting_before(graph.output_node):
        made = graph.call_function(print, ([x, (a,)],), {"key": slice(b, None)})
    assert made.all_input_nodes == [x, a, b]
    assert made in b.users


def test_names_are_unique_and_readable() -> None:
    graph, x, *_ = build()
    made = [graph.call_function(operator.add, (x, 2)).name for _ in range(3)]
    assert made == ["add_1", "add_2", "add_3"]
    assert graph.call_method("sum", (x,)).name == "sum"


def test_insertion_points() -> None:
    graph, x, a, b = build()
    with graph.inserting_before(b):
        before = graph.call_function(operator.neg, (a,))
    with graph.inserting_after(x):
        after = graph.call_function(operator.pos, (x,))
    assert names(graph) == ["x", after.name, "add", before.name, "mul", "output"]
    graph.lint()


def test_what_is_used_is_not_erased() -> None:
    graph, _, a, b = build()
    with pytest.raises(GraphError, match="add is still used by mul"):
        graph.erase_node(a)
    graph.output_node.args = (a,)
    graph.erase_node(b)
    graph.lint()
    assert names(graph) == ["x", "add", "output"]


def test_replace_all_uses_with() -> None:
    graph, x, a, b = build()
    assert a.replace_all_uses_with(x) == [b]
    assert b.args == (x, x) and not a.users
    graph.erase_node(a)
    graph.lint()


def test_replace_input_with_changes_one_input() -> None:
    _, x, a, b = build()
    b.replace_input_with(a, x)
    assert b.args == (x, x) and b in x.users and b not in a.users


def test_update_and_insert_arg() -> None:
    _, x, _, b = build()
    b.update_arg(1, x)
    b.insert_arg(0, 7)
    b.update_kwarg("out", x)
    assert b.args[0] == 7 and b.args[2] is x and b.kwargs == {"out": x}


def test_dead_code_goes_and_effects_stay() -> None:
    graph, x, a, b = build()
    with graph.inserting_before(graph.output_node):
        graph.call_function(operator.neg, (a,))
        graph.call_function(print, (x,))
        graph.call_function(guard, (x, 1))
    assert graph.eliminate_dead_code()
    assert names(graph) == ["x", "add", "mul", "print", "guard", "output"]
    assert not graph.eliminate_dead_code()


def test_a_dead_chain_goes_whole() -> None:
    graph, x, _, b = build()
    with graph.inserting_before(graph.output_node):
        node = x
        for _ in range(1000):
            node = graph.call_function(operator.neg, (node,))
    graph.eliminate_dead_code()
    assert len(graph.nodes) == 4


def test_an_unused_argument_is_no_dead_code() -> None:
    graph = Graph()
    graph.placeholder("x")
    graph.output(None)
    graph.eliminate_dead_code()
    assert names(graph) == ["x", "output"]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda g, x, a, b: b.append(a), "uses add, which does not come before it"),
        (lambda g, x, a, b: setattr(b, "name", "add"), "two nodes are named add"),
        (lambda g, x, a, b: a.users.clear(), "add does not know its user mul"),
        (lambda g, x, a, b: g.call_function(operator.neg, (a,)), "the output is not the last node"),
    ],
)
def test_lint_finds(spoil: Any, message: str) -> None:
    graph, x, a, b = build()
    spoil(graph, x, a, b)
    with pytest.raises(GraphError, match=message):
        graph.lint()


def test_a_copy_is_independent() -> None:
    graph, *_ = build()
    copy = graph.copy()
    copy.lint()
    assert str(copy) == str(graph)
    copy.output_node.args = (copy.placeholders[0],)
    copy.eliminate_dead_code()
    assert len(copy.nodes) == 2 and len(graph.nodes) == 4


def test_the_kinds_of_node_are_fixed() -> None:
    with pytest.raises(GraphError, match="'call' is no kind of node"):
        Graph().create_node("call", "x")


def test_print_tabular(capsys: pytest.CaptureFixture[str]) -> None:
    graph, *_ = build()
    graph.print_tabular()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["opcode", "name", "target", "args", "kwargs", "spec"]
    assert lines[3].split()[:3] == ["call_function", "add", "operator.add"]


def test_the_same_editing_as_torch_fx() -> None:
    """One script of edits, run on our Graph and on torch.fx's, leaves the same nodes in the same order."""
    fx = pytest.importorskip("torch.fx", reason="compares with torch.fx, which is not installed")

    def script(graph: Any) -> list[tuple[str, str, list[str], list[str]]]:
        x, y = graph.placeholder("x"), graph.placeholder("y")
        a = graph.call_function(operator.add, (x, y))
        b = graph.call_function(operator.mul, (a, 2))
        c = graph.call_method("relu", (b,))
        graph.output((c, [a]))
        with graph.inserting_before(b):
            d = graph.call_function(operator.neg, (a,))
        a.replace_all_uses_with(d, delete_user_cb=lambda user: user is not d)
        b.args = (d, x)
        with graph.inserting_after(c):
            graph.call_function(operator.sub, (c, y))
        graph.eliminate_dead_code()
        graph.lint()
        return [
            (n.op, n.name, [i.name for i in n.all_input_nodes], sorted(u.name for u in n.users))
            for n in graph.nodes
        ]

    assert script(Graph()) == script(fx.Graph())
