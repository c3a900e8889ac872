"""Predicates: what an `if` or a loop asks, where Python does not know the answer while tracing.

A *static* predicate is one that Python knows when the program runs: whether an optional parameter was given,
or a test of sizes and numbers. It stays Python's in every framework, and where both ways cannot be recorded
the example's answer is taken and guarded. What asks the values of an array becomes the target's own control
flow.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ...backends.reading.inference import Seen
from ...ir.errors import TraceError
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import cond, results
from ...ir.graphs.static import Scalar, is_bool
from ...ir.sizes.dim import hint_of
from ...ir.values.dtypes import bool_
from ...ir.values.spec import Spec
from ..memory.aliasing import current
from ..place import Place, here
from ..proxy import Scalar_, is_proxy, isinstance_scalar
from .reckoning import number

if TYPE_CHECKING:
    from ..tracer import Tracer

#: What asks for bools, and answers with one.
TESTS = (operator.not_, operator.is_, operator.is_not, operator.eq, operator.ne, operator.contains)
#: What no array would stand for.
STANDING = (int, float, bool, str, tuple, list)


class Replaced(BaseException):
    """A number takes the place of a parameter that is left out, of which nothing else is known.

    Attributes:
        name: of the parameter.
    """

    def __init__(self, name: str) -> None:
        self.name = name


class Elsewhere(TraceError):
    """Something is called, that may do more than compute, on a way from which a flag keeps the example."""


class Question:
    """`z is None`, not decided: whoever needs an answer settles it for good, and a guard says so. Its place
    is where it was asked, and not where something hangs on it: `y = a if z is None else b` calls the choice
    y.
    """

    def __init__(
        self, tracer: Tracer, value: Any, fn: Callable[[Any, Any], bool], place: Place | None = None
    ) -> None:
        self.tracer = tracer
        self.value = value
        self.fn = fn
        self.place = place or here()

    def negated(self) -> Question:
        fn = operator.is_ if self.fn is operator.is_not else operator.is_not
        return Question(self.tracer, self.value, fn, self.place)

    def __bool__(self) -> bool:
        return self.settle()

    def settle(self) -> bool:
        """The example's answer, guarded."""
        answer = self.fn(self.value, None)
        self.tracer.guard(self.node(), answer, "it was asked here")
        return answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self.settle(), name)

    def node(self) -> Node:
        node = self.tracer.graph.create_node(
            "call_function", self.fn, (self.tracer.use(self.value.node), None)
        )
        node.spec, node.place = Scalar(bool, self.fn(self.value, None)), self.place
        return node


def _settled(name: str) -> Any:
    return lambda self, *args: getattr(self.settle(), name)(*map(answered, args))


#: What is no test wants a bool.
for _name in vars(int).keys() - {*vars(Question), "__new__", "__getattribute__", "__doc__"}:
    if _name.startswith("__"):
        setattr(Question, _name, _settled(_name))
for _name in ("__str__", "__eq__", "__hash__"):
    setattr(Question, _name, _settled(_name))


def answered(value: Any) -> Any:
    """A value of which something else is made than a test."""
    return value.settle() if type(value) is Question else value


def optional(value: Any) -> str | None:
    """The name of the parameter that may be None and that a value is."""
    return value.node.meta.get("optional") or None


def replaced(test: Question, given: Any, otherwise: Any) -> None:
    """Look at what the two sides of `if x is None` hand on, the first where x was given.

    Raises:
        Replaced: where nothing is known of x but that a number may stand for it.
    """
    if not test.value.node.meta.get("assumed") or not isinstance(given, tuple):
        return
    for value, other in zip(given, otherwise):
        if value is test.value and (isinstance_scalar(other) or type(other) in STANDING):
            raise Replaced(test.value.node.meta["optional"])


def of_several_dtypes(test: Any, seen: Iterable[Seen]) -> bool:
    """Whether an array that both sides hand on is of one dtype where x is None and of another where it was
    given: then the example's way is taken.
    """
    arrays = (each.spec for each in seen if isinstance(each.spec, Spec))
    return isinstance(test, Question) and any(spec.dtype is None for spec in arrays)


def decided(tracer: Tracer, value: Any) -> bool | None:
    """Whether a branch around us has found the value to be None; None where none has asked."""
    name = optional(value)
    return None if name is None else tracer.stack.assumed_none.get(name)


def is_open(tracer: Tracer, value: Any) -> bool:
    """Whether Python cannot tell the truth of a value while tracing."""
    if isinstance(value, Question):
        return True
    if not is_proxy(value):
        return False
    return isinstance_scalar(value) or tracer.concrete(value.node) is None


def can_settle(value: Any) -> bool:
    """Whether the example's answer can be taken, and guarded."""
    return isinstance(value, Question) or isinstance_scalar(value) and not value.local


def by_flags(test: Any) -> bool | None:
    """The answer to a test, where bools among the arguments are enough to tell it; else None."""
    return told(test.node) if isinstance_scalar(test) and test.spec.type is bool else None


def told(value: Any) -> Any:
    """What bools among the arguments say that a value is; None where they do not."""
    if not isinstance(value, Node):
        return value
    if "outer" in value.meta:
        return told(value.meta["outer"])
    if value.op == "placeholder":
        is_flag = "number path" in value.meta and is_bool(value) and not value.spec.local
        return value.spec.value if is_flag or "compared" in value.meta else None
    if value.target is operator.getitem and getattr(value.args[0], "target", None) is cond:
        answer, ways = told(value.args[0].args[0]), [*map(told, results(*value.args))]
        if len(ways) == 1 or answer is None:  # one way, if the other leaves
            return ways[0] if ways[0] is ways[-1] else None
        return ways[not answer]
    if value.target in TESTS and (None not in (found := [*map(told, value.args)])):
        return value.target(*found)
    return None


def of_example(test: Any) -> int:
    """The number of the way that the example takes, 0 where the test holds; 0 where nobody knows."""
    if isinstance(test, Question):
        return int(not test.fn(test.value, None))
    hint = test.spec.hint if isinstance_scalar(test) else True
    return int(hint is not None and not hint)


def node_of(tracer: Tracer, value: Any) -> Any:
    """The node, in the open graph, of a value that is tested; a constant as it is.

    Raises:
        TraceError: for an array of more than one element, whose truth is ambiguous.
    """
    if isinstance(value, Question):
        return value.node()
    if not is_proxy(value):
        return bool(value)
    if not isinstance_scalar(value):
        one_element(tracer, value)
    return tracer.use(current(tracer, value))


def one_element(tracer: Tracer, value: Any) -> None:
    shape = value.node.spec.shape
    if shape is None or not shape:
        return
    hints = [hint_of(d) for d in shape]
    if any(hint != 1 for hint in hints):
        raise TraceError(
            f"the truth of an array of shape ({', '.join(map(str, shape))}) is ambiguous",
            span=tracer.span(),
            hint="ask for .any() or .all()",
        )
    for dim in shape:
        tracer.known(dim, "its truth was asked for")


def negated(tracer: Tracer, value: Any) -> Any:
    """`not value`"""
    if isinstance(value, Question):
        return value.negated()
    if not is_open(tracer, value):
        return not value
    if isinstance_scalar(value):
        return tracer.scalar(operator.not_, value)
    one_element(tracer, value)
    found = number(tracer, value, bool)  # a bool of Python's comes of it, with which others are computed
    if not is_proxy(found):
        return not found
    found.node.names = ()  # which are those of what the statement gives
    return tracer.scalar(operator.not_, found)


def as_truth(tracer: Tracer, value: Any) -> Any:
    """What Python would take a tested value to be: a bool, or a recorded one."""
    if isinstance(value, Question):
        return Scalar_(tracer, Scalar(bool, value.fn(value.value, None)), value.node)
    if not is_proxy(value):
        return bool(value)
    if isinstance_scalar(value):
        return value if value.spec.type is bool else tracer.scalar(bool, value)
    one_element(tracer, value)
    spec = value.node.spec
    return value if spec.dtype == bool_ and spec.shape == () else tracer.record(operator.truth, (value,))
