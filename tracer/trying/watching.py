"""Watching: a `try` behind whose handlers the program goes on, and what may raise in it for other arguments.

The program gives something there, so its translation must not give something else. Law: what a look or a call
in it is given is checked, as far as it may raise what is caught for other arguments, whether the text has it
or not: that keys are there, kinds, ranks, dtypes, and the sizes by which a call refuses its operands. What
the source refuses counts here, other than in backends/generality.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...backends.reading.inference import Refusal, Sizes, infer_call
from ...backends.reading.tape import canonical_names
from ...ir.errors import TraceError
from ...ir.graphs.graph import Node
from ...ir.graphs.leaves import ARRAY, NUMBER, behind, pin_axes
from ...ir.graphs.static import Scalar, ask_type, number_leaves, pin, pin_rank
from ...ir.meaning.operators import PARTIAL
from ...ir.sizes.dim import Sym
from ...ir.sizes.local import is_local
from ..bound import Bound
from ..own import attribute, hashable
from ..place import own_file
from ..proxy import Shape, is_array_proxy, is_proxy, isinstance_scalar
from .catching import RAISED, handlers

if TYPE_CHECKING:
    from ..tracer import Tracer

#: What is raised for kinds of things, for the ranks and sizes of arrays, and for their dtypes.
KINDS = (TypeError, AttributeError)
FORMS = (*RAISED, TypeError)
DTYPES = (ValueError, RuntimeError, NotImplementedError, IndexError, OverflowError)
#: What is raised for functions of Python's numbers, their kinds aside.
NUMBERS = (ValueError, ArithmeticError)
WHY = "other sizes may raise what is caught"


def goes_on(tracer: Tracer) -> bool:
    """Whether the program may go on somewhere where something is raised here."""
    return any(trying.goes_on for trying in tracer.tries.open)


def takes_checks(tracer: Tracer) -> bool:
    """Whether a check that fails here would be caught by a `try` that the text has."""
    named = [kind for trying in tracer.tries.open if trying.is_recorded for kind in trying.named]
    return any(issubclass(error, kind) for kind in named for error in (AssertionError, ValueError))


def catches(tracer: Tracer, *errors: type[BaseException]) -> bool:
    """Whether it goes on where one of these is raised by Python or a framework, or one derived from it."""
    return any(issubclass(n, e) or issubclass(e, n) for n in caught(tracer) for e in errors)


def caught(tracer: Tracer) -> list[type[BaseException]]:
    """What the program goes on behind, but for the user's own classes, which only code of his raises."""
    named = [kind for trying in tracer.tries.open if trying.goes_on for kind in trying.named]
    return [kind for kind in named if isinstance(kind, type) and not of_users(kind)]


def of_users(kind: type) -> bool:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file is not None and own_file(file)


# Looks.


def item(tracer: Tracer, obj: Any, index: Any) -> None:
    """`obj[index]` is looked at, of something that is no array."""
    if isinstance(obj, Mapping):
        if hashable(index) and catches(tracer, KeyError, TypeError):
            tracer.structure.key(obj, index)
    elif type(obj) is Shape:
        if catches(tracer, IndexError):
            tracer.rank(obj.of)
    elif is_proxy(obj):
        kinds(tracer, obj)
    elif catches(tracer, IndexError, TypeError):
        tracer.structure.whole(obj)
        tracer.structure.kind_itself(obj)


def attribute_looked(tracer: Tracer, obj: Any, name: str) -> None:
    """An attribute of something is looked at."""
    kinds(tracer, obj)
    if catches(tracer, AttributeError):
        tracer.structure.attribute(obj, name)


def asked(tracer: Tracer, f: Any, args: Any, kwargs: Any) -> None:
    """A function is called that is not the user's: it may only ask, and is not recorded then."""
    owner = f.proxy if isinstance(f, Bound) else attribute(f, "__self__")
    for value in (owner, *args, *kwargs.values()):
        kinds(tracer, value)
        if is_array_proxy(value) and catches(tracer, *FORMS):
            tracer.rank(value.node)


def kinds(tracer: Tracer, value: Any) -> None:
    """Things of another kind may not be what is asked here."""
    if not catches(tracer, *KINDS):
        return
    if isinstance_scalar(value):
        ask_type(tracer.use(value.node))
    elif is_array_proxy(value):
        for leaf in behind([value.node]):
            kind = NUMBER if leaf.meta.get("number") else ARRAY
            leaf.graph.meta.setdefault("kinds asked", {}).setdefault(leaf.meta["path"], kind)
        pin_axes([value.node])  # which numbers have not, where jax.jit makes arrays of them
    else:
        tracer.structure.kind_itself(value)


# Calls.


def reckoned(tracer: Tracer, node: Node) -> None:
    """A function of Python's numbers is recorded. Those that values are refused by stay, see
    backends/failing.py; what sizes are refused is checked.
    """
    numbers = [a for a in node.args if isinstance(a, Node) and isinstance(a.spec, Scalar)]
    if catches(tracer, *KINDS, *NUMBERS):
        for number in numbers:
            ask_type(number)
    if refuses(node) and not any(number_leaves(node)) and catches(tracer, *NUMBERS):
        for number in numbers:
            if isinstance(number.spec.value, Sym) and not number.spec.local:
                tracer.known(number.spec.value, WHY)


def refuses(node: Node) -> bool:
    """Whether a function of numbers takes only some."""
    return node.target in PARTIAL or getattr(node.target, "__module__", "") == "math"


def called(tracer: Tracer, node: Node, args: Any, kwargs: Any) -> None:
    """A call was recorded, of these Seen."""
    node.meta |= handlers(tracer)
    if not catches(tracer, *FORMS):
        return
    named = caught(tracer)
    dtypes = any(issubclass(n, TypeError) or any(issubclass(e, n) for e in DTYPES) for n in named)
    node.meta["watched"] = dtypes
    given = node.all_input_nodes
    arrays = [n for n in given if not isinstance(n.spec, Scalar) and not n.meta.get("watched", not dtypes)]
    pin_rank(arrays)
    if dtypes:
        pin(arrays)
        for number in (n for n in given if isinstance(n.spec, Scalar)):
            ask_type(number)
    if catches(tracer, *RAISED, tracer.backend.shape_error):
        sizes(tracer, node, args, kwargs)


def sizes(tracer: Tracer, node: Node, args: Any, kwargs: Any) -> None:
    """Guard what must hold of the sizes of a call's operands that it takes them; `unsure`: what no check can
    speak of has to do with it.
    """
    program, source = Sizes(), tracer.backend
    try:
        infer_call(source, canonical_names(node.op, node.target, args, source), args, kwargs, program)
    except (Refusal, TraceError):
        return  # it is refused, or told of elsewhere
    for constraint in program.assumed:
        left, right = constraint.lhs, constraint.rhs
        if constraint.op != "==" or isinstance(right, int):
            program.fixed += left, right
        elif is_local(left) or is_local(right):
            node.meta["unsure"] = True
        elif isinstance(left, Sym):
            tracer.guard(left - right, 0, WHY)
    for size in program.fixed:
        if size is None or is_local(size):
            node.meta["unsure"] = True
        else:
            tracer.known(size, WHY)


