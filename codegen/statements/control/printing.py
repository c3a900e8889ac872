"""Printing as it is written: `print` with f-strings, and the framework's own where it compiles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ....ir.errors import UnsupportedError
from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import Region, graphs, is_loop
from ....ir.graphs.static import Scalar, is_shape
from ....ir.graphs.walk import every_node
from ....ir.source.printing import print_

if TYPE_CHECKING:
    from ..emitter import Emitter


def statement(emitter: Emitter, node: Node) -> ast.stmt:
    """A recorded print."""
    if emitter.module.target.compiles:
        return ast.Expr(compiled(emitter, node))
    options = [ast.keyword(name, ast.Constant(value)) for name, value in node.kwargs.items()]
    values = [argument(emitter, text) for text in node.args]
    return ast.Expr(ast.Call(ast.Name("print", ast.Load()), values, options))


def argument(emitter: Emitter, text: Any) -> ast.expr:
    """A text: a value as it is, a string, or an f-string."""
    if len(text) == 1 and not isinstance(text[0], str) and text[0][1:] == ("s", ""):
        found: ast.expr = emitter.tree(text[0][0])
        return found
    if all(isinstance(piece, str) for piece in text):
        return ast.Constant("".join(text))
    return ast.JoinedStr([written(emitter, piece) for piece in text])


def written(emitter: Emitter, piece: Any) -> ast.expr:
    """A piece of an f-string."""
    if isinstance(piece, str):
        return ast.Constant(piece)
    value, conversion, spec = piece
    format_spec = ast.JoinedStr([ast.Constant(spec)]) if spec else None
    return ast.FormattedValue(emitter.tree(value), ord(conversion) if conversion else -1, format_spec)


def compiled(emitter: Emitter, node: Node) -> ast.expr:
    """The print that prints each time that the compiled function runs; where that is several times, or there
    are others, in what order one must say.
    """
    target = emitter.module.target
    prints = target.regions.prints
    values: list[ast.expr] = []
    texts = [template(emitter, text, values) for text in node.args]
    end = str(node.kwargs.get("end", "\n"))
    if not end.endswith("\n"):
        raise UnsupportedError(
            "print without a new line", backend=target.name, why=f"{prints} ends every line", span=node.span,
            hint="print the line as a whole",
        )  # fmt: skip
    whole = str(node.kwargs.get("sep", " ")).join(texts) + end[:-1]
    ordered = [ast.keyword("ordered", ast.Constant(True))] * emitter.module.ordered
    return ast.Call(emitter.writer.name(prints), [ast.Constant(whole), *values], ordered)


def prints_in_order(program: Graph) -> bool:
    """Whether a program prints more than once: in several places, a loop, or a function that may be called
    again.
    """
    printing = {node for node in every_node(program) if node.target is print_}
    return len(printing) > 1 or not printing <= set(met_once(program))


def met_once(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph, and of its branches."""
    for node in graph.nodes:
        yield node
        if isinstance(node.target, Region) and not is_loop(node):
            for inner in graphs(node):
                yield from met_once(inner)


def template(emitter: Emitter, text: Any, values: list[ast.expr]) -> str:
    """A text with braces for its values, which are added to `values`; a shape is a word, since what prints
    makes arrays of numbers.
    """
    found = ""
    for piece in text:
        if isinstance(piece, str):
            held = "{" in piece or "}" in piece  # which it takes for values, however they are written
            values += [ast.Constant(piece)] * held
            found += "{}" if held else piece
        else:
            value = emitter.tree(piece[0])
            values.append(ast.Call(ast.Name("str", ast.Load()), [value], []) if is_shape(piece[0]) else value)
            spec = as_number(emitter, *piece)
            found += f"{{:{spec}}}" if spec else "{}"
    return found


#: The format of a word: what fills it up, to which side it goes, and how wide it is.
WIDE = re.compile(r"(?:.?([<>^]))?\d+")


def as_number(emitter: Emitter, value: Any, conversion: str, spec: str) -> str:
    """The format of a value that is not made a word first, which is what `print` of a framework is given.

    Raises:
        UnsupportedError: where there is none.
    """
    if not (conversion and spec):
        return spec
    scalar = value.spec if isinstance(value, Node) else None
    wide = WIDE.fullmatch(spec)
    if wide is None or not isinstance(scalar, Scalar) or scalar.type not in (int, float):
        raise UnsupportedError(
            f"{{...!{conversion}:{spec}}} in a text that is printed",
            backend=emitter.module.target.name,
            why=f"{emitter.module.target.regions.prints} makes no words of what it formats",
            hint="leave out the width, or the conversion",
        )
    return spec if wide[1] else f"<{spec}"  # words stand to the left, numbers to the right
