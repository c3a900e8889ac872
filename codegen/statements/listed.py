"""Listed: an array of a list of numbers, which a program has as one call and the trace as many; and what it
has as a call of Python's own.

    np.array([a, b, 1.0])       np.stack([np.array(a), np.array(b), np.array(1.0)])
    np.array(mean)              of all that the tuple `mean` holds
    abs(x)                      np.abs(x), which makes NumPy's numbers of Python's
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ...backends.unions import is_kept, rounds
from ...backends.writing.filling import Written
from ...ir.graphs.graph import Node
from ...ir.meaning.op import REGISTER
from ..text.unparsing import unparsed
from .control.rebuilt import base_of

if TYPE_CHECKING:
    from .emitter import Emitter

#: What makes an array of a number.
OF_NUMBERS = (REGISTER["array"], REGISTER["full"])


def written(emitter: Emitter, node: Node) -> Written:
    """What an op computes; an array of a list by the call that the program makes."""
    expr, operand = found = emitter.writer.write(node)
    match expr:
        case ast.Call(_, [ast.List(items)], []) if node.meta.get("in one") and len(items) == len(node.args):
            made = array_of(emitter, node, items)
            return (made, operand) if made is not None else found
    return found


def rounded(emitter: Emitter, node: Node) -> ast.expr | None:
    """`round(x, digits)` of what may be a number of Python's in the text; None of anything else."""
    module = emitter.module
    if "decimals" not in node.kwargs or not rounds(node):
        return None
    if not is_kept(node.args[0], module.target, module.source):
        return None
    given = [emitter.tree(node.args[0]), emitter.tree(node.kwargs["decimals"])]
    return ast.Call(ast.Name("round", ast.Load()), given, [])


def absolute(emitter: Emitter, node: Node) -> ast.expr:
    """`abs(x)`, which the user wrote of an array, or of what may be a number of Python's in the text."""
    module = emitter.module
    if is_kept(node.args[0], module.target, module.source):
        return ast.Call(ast.Name("abs", ast.Load()), [emitter.tree(node.args[0])], [])
    match written(emitter, node)[0]:
        case ast.Call(ast.Attribute(ast.Name(), "abs"), [given], []):
            return ast.Call(ast.Name("abs", ast.Load()), [given], [])
        case other:
            return other


def array_of(emitter: Emitter, node: Node, items: list[ast.expr]) -> ast.expr | None:
    """`np.array([…])` of items of which each is printed as an array; None where that would be another.

    What is an array in the program stays one: torch's would lose its gradient, and JAX's promote otherwise.
    Of another framework's only NumPy's arrays are taken as they are.
    """
    nodes = [each for each in node.args if isinstance(each, Node)]  # others are numbers as they stand
    calls = [
        call_of(each, item) if isinstance(each, Node) else None for each, item in zip(node.args, items)
    ]
    numbers = [call for call in calls if call is not None]
    if not numbers or len({unparsed(call.func) for call in numbers}) > 1:
        return None
    said = {unparsed(keyword) for call in numbers for keyword in call.keywords}
    untold = any(not call.keywords for call in numbers)
    if len(numbers) < len(nodes):
        own = emitter.module.target.name == emitter.module.source.name
        deep = any(each.spec.shape != () for each in nodes)  # of which some would be arrays in lists
        if not (own or emitter.module.target.own_numbers) or said or deep:
            return None
    elif len(said) > 1 or said and untold and any(each.spec.dtype != node.spec.dtype for each in nodes):
        return None
    shown = [item if call is None else call.args[0] for call, item in zip(calls, items)]
    keywords = next((call.keywords for call in numbers if call.keywords), [])
    made: Any = ast.Call(numbers[0].func, [whole(emitter, ast.List(shown, ast.Load()))], keywords)
    made.in_one = True
    return made  # type: ignore[no-any-return]


def call_of(value: Node, item: ast.expr) -> ast.Call | None:
    """The call by which a number is printed as an array, or a list of them."""
    made = value.target in OF_NUMBERS and value.spec.shape == () or getattr(item, "in_one", False)
    match item:
        case ast.Call(_, [of], keywords) if made and not isinstance(of, ast.Starred):
            told = [keyword.arg for keyword in keywords] in ([], ["dtype"])
            return item if told else None
    return None


def whole(emitter: Emitter, display: ast.List) -> ast.expr:
    """A list or tuple among the arguments for a display of all that it holds."""
    base = base_of(display)
    if base is None or emitter.lists.pinned.get(unparsed(base)) != len(display.elts):
        return display
    return base
