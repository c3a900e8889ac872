"""Placing: what a program puts into dicts and lists that it was given, where no argument is changed.

In JAX, and in what is for export, a container that is returned is a new one, which holds what the program has
put there. One that is not returned would be missed by who called.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import put, store
from ...ir.program import Program
from ...ir.values.tree import children, rebuilt


def placed(program: Program, target: str) -> None:
    """Return containers anew.

    Raises:
        UnsupportedError: for one that the program changes and does not return.
    """
    puts = [node for node in program.nodes if node.target is put]
    if not puts:
        return
    made = Anew(program, puts)
    program.meta["apart"] = program.meta.get("apart") or bool(program.meta.pop("distinct", ()))
    output = program.output_node
    with program.inserting_before(output):
        output.args = (made.value(output.args[0]),)
    for node in puts:
        container = node.args[0]
        if container not in made.met:
            name = (container.origin or container).meta.get("within", container.name).rstrip("[.")
            raise UnsupportedError(
                f"changing the {kind(container).__name__} `{name}`",
                backend=target,
                why="no argument is changed there, and what was put into it is not returned",
                span=node.span,
                hint=f"return {name} as well",
            )
        program.erase_node(node)


class Anew:
    """Makes what is returned, with new containers for those into which something was put.

    Attributes:
        found: what was put into each container, by keys. `stored`: what arrays among the arguments hold in
            the end. `met`: the containers that are returned.
    """

    def __init__(self, program: Program, puts: Sequence[Node]) -> None:
        self.program = program
        stores = [node for node in program.nodes if node.target is store]
        self.stored: dict[Node, Node] = {node.args[0]: node.args[1] for node in stores}
        self.met: set[Node] = set()
        self.found: dict[Node, dict[Any, Any]] = {}
        for container, key, value in (node.args for node in puts):
            items = self.found.setdefault(container, {})
            items[max([-1, *container.spec, *items]) + 1 if key is None else key] = value

    def value(self, value: Any) -> Any:
        if isinstance(value, Node) and value in self.found:
            self.met.add(value)
            items = dict.fromkeys([*value.spec, *self.found[value]])
            for key in items:
                put_there = key in self.found[value]
                items[key] = self.value(self.found[value][key] if put_there else self.item(value, key))
            return [*items.values()] if kind(value) is list else items
        inner = None if isinstance(value, Node) else children(value)
        return value if inner is None else rebuilt(value, {key: self.value(held) for key, held in inner})

    def item(self, container: Node, key: Any) -> Node:
        """An item of a container that nothing was put in the place of."""
        for user in container.users:
            if user.target is operator.getitem and user.args[1] == key:
                return self.stored.get(user, user)
        made: Node = self.program.create_node("call_function", operator.getitem, (container, key))
        made.spec = container.spec[key]
        return made


def kind(container: Node) -> type:
    found: type = (container.origin or container).meta["container"]
    return found
