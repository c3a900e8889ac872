"""Kinds: what Python says of the type of a value: `type(x)`, `isinstance(x, C)`, `np.isscalar(x)`.

A witness is asked: a value of the type that the program would have there, of any numbers.
"""

from __future__ import annotations

import builtins
import operator
import types
from collections.abc import Callable
from functools import _find_impl as find_implementation  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.static import pin
from ...ir.values.dtypes import DTYPES
from ...ir.values.spec import Spec
from ...ir.values.tree import children
from ...ir.worklist import Worklist
from ..memory import numpy_scalars
from ..objects import special_methods
from ..objects.standing import members
from ..plain import plainly
from ..proxy import Shape, is_array_proxy, is_proxy, isinstance_scalar
from . import identity, predicate, reckoning
from .list_rows import Rows
from .sources import Sources
from .streams import Stream

if TYPE_CHECKING:
    from ..python.hooks import Tracing
    from ..tracer import Tracer

#: Where answers that differ by dtype are told from those that do not.
TRIED = tuple(DTYPES[name] for name in ("float32", "float64", "int64", "bool"))


def is_stand_in(value: Any) -> bool:
    """Whether the type of a value is not the one that it has when the program runs."""
    return is_proxy(value) or isinstance(value, (Shape, Sources, Stream, Rows, predicate.Question))


def witness(tracer: Tracer, value: Any, dtype: Any = None) -> Any:
    """A value of the type that a recorded one has when the program runs.

    Args:
        dtype: that of an array; None: the one that it has.

    Raises:
        UnsupportedError: where that is not known.
    """
    if isinstance(value, predicate.Question):
        return True
    if isinstance_scalar(value):
        hint = value.spec.hint
        return value.spec.type() if hint is None else hint
    if isinstance(value, Shape):
        return tracer.framework.shape_class(d.spec.hint if isinstance_scalar(d) else d for d in value)
    if not is_array_proxy(value):
        raise unknown(tracer, "what a loop goes through has another type while it is traced")
    if predicate.decided(tracer, value):
        return None
    if tracer.stack.compiled and tracer.backend.jits:
        jit = tracer.backend.regions.jit
        raise unknown(tracer, f"{jit} hands other objects to the functions that it compiles")
    node = value.node
    dtype = dtype or node.spec.dtype
    if dtype is None or node.spec.shape is None and node.op != "placeholder":
        raise tracer.error("what type this has is not known", "give example arguments with args=")
    if may_be_number(node):
        raise unknown(tracer, "it is a number on one way, and an array on another")
    known = node.meta.get("class") or tracer.framework.array_class
    with tracer.framework.aside():
        number = numpy_scalars.is_number(tracer, node)
        return tracer.framework.witness(known, node.spec.rank or 0, dtype, number)


def witnesses(tracer: Tracer, value: Any) -> list[Any]:
    """One for each type that a recorded value may be of."""
    kinds = reckoning.kinds(value) if isinstance_scalar(value) else []
    return [kind() for kind in kinds] if len(kinds) > 1 else [witness(tracer, value)]


def may_be_number(node: Node) -> bool:
    """Whether an array is a number of Python's on another way, or computed of nothing but such."""
    ahead = Worklist([node])
    for each in ahead:
        form = each.form
        if "outer" in each.meta:
            ahead.add([each.meta["outer"]])
        elif isinstance(form, tuple):
            if all(kind != "python" for _, kind in form):
                return False
        else:
            computed = getattr(each.target, "__module__", "") == "_operator"
            given = [a for a in each.args if isinstance(a, Node) and isinstance(a.spec, Spec)]
            if not computed or each.target is operator.getitem or not given:
                return False
            ahead.add(given)
    return True


def unknown(tracer: Tracer, why: str) -> UnsupportedError:
    return UnsupportedError(
        "asking for the type of a value", why=why, span=tracer.span(), hint="ask for its dtype or its shape"
    )


def kind_looked_at(tracer: Tracer, value: Any, why: str) -> None:
    """Python was told of what type a value is: the program holds for arguments of such types."""
    tracer.guard_kind(value)
    if not is_array_proxy(value):
        return
    if predicate.optional(value) and predicate.decided(tracer, value) is None:
        predicate.Question(tracer, value, operator.is_).settle()
    node = value.node
    if tracer.backend.own_numbers and node.spec.shape == ():
        node.meta["kind"] = "number" if numpy_scalars.is_number(tracer, node) else "array"


def asked(tracer: Tracer, value: Any, question: Callable[[Any], Any], why: str) -> Any:
    """What a question about the type of a value gives. Where it depends on its dtype, that is checked."""
    answer, *others = [question(w) for w in witnesses(tracer, value)]
    if any(other != answer for other in others):
        raise unknown(tracer, "it is a number of one type or another, as values say")
    kind_looked_at(tracer, value, why)
    if is_array_proxy(value) and any(question(witness(tracer, value, d)) != answer for d in TRIED):
        pin([value.node])
    return answer


def type_(hooks: Tracing, *args: Any) -> Any:
    """`type(x)`"""
    if len(args) != 1 or not is_stand_in(args[0]):
        return type(*args)
    return asked(hooks.tracer, args[0], type, "its type was asked for")


def isinstance_(hooks: Tracing, value: Any, kinds: Any) -> bool:
    """`isinstance(x, C)`"""
    if not is_stand_in(value):
        return bool(plainly(isinstance, value, kinds))
    return answered(hooks.tracer, value, lambda v: isinstance(v, kinds), "isinstance was asked")


def answered(tracer: Tracer, value: Any, question: Callable[[Any], bool], why: str) -> bool:
    """What `isinstance` or `hasattr` says of what stands for a value."""
    answer = compiled(tracer, value, question)
    if answer is None:
        return bool(asked(tracer, value, question, why))
    kind_looked_at(tracer, value, why)
    return answer


def compiled(tracer: Tracer, value: Any, question: Callable[[Any], bool]) -> bool | None:
    """What is said of an array in what is compiled; None where it would be another thing without that, or
    this is something else.
    """
    jitted = tracer.stack.compiled and tracer.backend.jits
    if not jitted or not is_array_proxy(value) or predicate.optional(value):
        return None
    said: list[bool] = []
    with tracer.framework.aside():
        array = tracer.framework.make(0.0)
        tracer.framework.tried(lambda stand_in: said.append(question(stand_in)), (array,))
    return said[0] if said[0] is question(array) else None


def hasattr_(hooks: Tracing, value: Any, name: str) -> bool:
    """`hasattr(x, "ndim")`"""
    if not is_stand_in(value):
        hooks.tracer.structure.attribute(value, name)
        if special_methods.getter(value, name) is None:
            return bool(plainly(hasattr, value, name))
        try:
            hooks.getattr_(value, name)
        except AttributeError:
            return False
        return True
    return answered(hooks.tracer, value, lambda v: hasattr(v, name), "its attributes were asked for")


def getattr_(hooks: Tracing, value: Any, name: str, *default: Any) -> Any:
    """`getattr(x, "ndim", 5)`: that it is there, or is not, is told of the kind of thing that x is."""
    if not default:
        return hooks.getattr_(value, name)
    told(hooks.tracer, value)
    hooks.tracer.structure.attribute(value, name)
    try:
        return hooks.getattr_(value, name)
    except AttributeError:
        return default[0]


def told(tracer: Tracer, value: Any) -> None:
    """Python was told something that follows from what kind of thing a value is."""
    kind_looked_at(tracer, value, "its kind was asked for")
    tracer.structure.kind_itself(value)


def has(tracer: Tracer, value: Any, name: str) -> None:
    """
    Raises:
        AttributeError: where a number or a shape has no such attribute, though what stands for it may.
    """
    if not isinstance_scalar(value) and type(value) is not Shape:
        return
    kind = value.spec.type if isinstance_scalar(value) else tracer.framework.shape_class
    if not hasattr(kind, name):
        told(tracer, value)
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")


def dir_(hooks: Tracing, value: Any) -> Any:
    """`dir(x)`"""
    if is_stand_in(value):
        return asked(hooks.tracer, value, dir, "its attributes were asked for")
    told(hooks.tracer, value)
    hooks.tracer.structure.attributes(value)
    return dir(value)


def callable_(hooks: Tracing, value: Any) -> bool:
    return False if is_stand_in(value) else callable(value)


def id_(hooks: Tracing, value: Any) -> int:
    """`id(x)`

    Raises:
        UnsupportedError: for a value that is made anew by every call.
    """
    structure = hooks.tracer.structure
    if is_stand_in(value) or structure.is_item(value) or structure.all_of(value):
        raise UnsupportedError(
            "id() of a value", why="it is another one at every call", span=hooks.tracer.span(),
            hint="ask whether two are one by `is`",
        )  # fmt: skip
    return id(value)


def vars_(hooks: Tracing, value: Any) -> Any:
    """`vars(x)`: of a function of the user's the very dict that it has."""
    hooks.touches(builtins.vars, (value,), {})
    told(hooks.tracer, value)
    hooks.tracer.structure.attributes(value)
    return types.MappingProxyType(members(value)) if isinstance(value, type) else builtins.vars(value)


#: Python's own functions that ask for types or identity, and the one that is a statement.
ANSWERS: dict[Any, Callable[..., Any]] = {
    type: type_,
    builtins.isinstance: isinstance_,
    builtins.hasattr: hasattr_,
    builtins.callable: callable_,
    builtins.id: id_,
    builtins.dir: dir_,
    builtins.getattr: getattr_,
    builtins.vars: vars_,
    builtins.setattr: lambda hooks, value, name, held: hooks.setattr_(value, name, held),
    operator.is_: identity.is_same,
    operator.is_not: identity.is_other,
}


def of_type(fn: Callable[[Any], Any], ranked: bool = False) -> Callable[..., Any]:
    """A framework's function of one value, which only asks for its type: np.isscalar; `ranked`: and whether
    an array has axes.
    """

    def answer(tracer: Tracer, value: Any) -> Any:
        if is_stand_in(value):
            if ranked and is_array_proxy(value):
                tracer.rank(value.node)
            return asked(tracer, value, fn, "its type was asked for")
        told(tracer, value)
        return fn(value)

    return answer


def matched(tracer: Tracer, value: Any, asks: bool) -> Any:
    """The subject of a `match`; `asks`: its patterns may ask for the type of each value in it."""
    if is_proxy(value):
        asked(tracer, value, type, "a pattern asks for its type")
        if asks and isinstance_scalar(value) and value.spec.type is bool:
            what = "a bool that `case True` or `case False` may ask for"
            raise tracer.error(what, "ask for it with an `if`")
    elif not isinstance(value, Shape):
        tracer.structure.sequence(value)
        for _, item in children(value) or () if asks else ():
            matched(tracer, item, asks)
    return value


def dispatched(hooks: Tracing, function: Any, args: Any) -> Any:
    """The implementation that a functools.singledispatch has for its first argument; None: it is none. Its
    own `dispatch` would write the answer into a cache, which outlives the trace.
    """
    own: Any = vars(function) if type(function) is types.FunctionType else {}
    if not args or "registry" not in own or "dispatch" not in own:
        return None
    kind, registry = class_of(hooks, args[0]), own["registry"]
    return registry[kind] if kind in registry else find_implementation(kind, registry)


def class_of(hooks: Tracing, value: Any) -> Any:
    """The class of a value, by which an implementation is chosen."""
    hooks.tracer.structure.kind_itself(value)
    return type_(hooks, value)
