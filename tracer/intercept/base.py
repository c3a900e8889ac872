"""What the three interceptions share: how a proxy answers for its attributes, and how constants get their
names.
"""

from __future__ import annotations

import contextlib
import operator
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backends.backend import Backend
from ...backends.reading.inference import Seen
from ...backends.signatures import known, names_of
from ...backends.typing import Operand, asks_ranks
from ...ir.errors import TraceError, UnsupportedError
from ...ir.graphs.graph import Node, map_arg
from ...ir.graphs.static import pin_rank
from ...ir.values.dtypes import DType, dtype
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ..bound import Bound
from ..interpreter import Interpreter
from ..own import tabled
from ..place import gate, users
from ..proxy import ACTIVE, Duck, Scalar_, current, is_array_proxy, is_proxy, isinstance_scalar
from ..trying import catching, managers
from ..values import hashing, reckoning
from .lists import Lists

if TYPE_CHECKING:
    from ..tracer import Tracer

#: The types of Python's numbers.
NUMBERS = (bool, int, float, complex)
#: What says the same as an attribute that is not recorded.
INSTEAD = {"flat": "x.ravel() goes through the same elements, and x.ravel()[i] is one of them"}


class Framework:
    """The base. A subclass names its framework and its array class, and says how calls are evaluated."""

    name: str
    backend: Backend
    array_class: Any
    #: What to do where the size of an array of distinct values is asked for.
    unique_hint = ""
    #: The functions that join arrays along the first axis, and that move an axis to another place.
    joins: Any
    moves: Any
    copies: Any
    #: What gives an array of equally spaced numbers, and what joins arrays along a new axis.
    counter: Any
    stacks: Any
    #: How arrays are made of lists of Python's numbers, where that is recorded.
    lists: Lists | None = None
    values = frozenset({"item", "tolist", "__array__", "tobytes"})  # which give the numbers of an array
    #: Attributes that are arrays and therefore recorded.
    array_attributes = frozenset({"T", "mT", "real", "imag", "at"})

    def __init__(self) -> None:
        self.by_identity: dict[int, tuple[Any, bool]] = {}

    @contextlib.contextmanager
    def active(self, tracer: Tracer) -> Iterator[None]:
        yield

    @property
    def aliasing(self) -> bool:
        """Whether arrays of this framework can share memory, so that a write into one is seen in another."""
        return self.backend.mutable

    def aside(self) -> contextlib.AbstractContextManager[object]:
        """Within it calls of the framework are no part of the program."""
        return contextlib.nullcontext()

    def is_array(self, value: Any) -> bool:
        return isinstance(value, self.array_class)

    def weak(self, value: Any) -> bool:
        return False

    def spec(self, value: Any) -> Spec:
        """The spec of a real array, its shape plain ints.

        Raises:
            TraceError: for a dtype that is none of numbers.
        """
        try:
            return Spec(tuple(map(int, value.shape)), dtype(value.dtype))
        except TypeError:
            raise TraceError(
                f"arrays of dtype {value.dtype} cannot be translated",
                span=ACTIVE[-1].span() if ACTIVE else None,
                hint="keep them out of the traced function",
            ) from None

    def in_order(self, value: Any) -> bool:
        """Whether the elements of a real array lie in memory row by row."""
        return True

    def share(self, one: Any, other: Any) -> bool:
        """Whether two real arrays may share memory."""
        return False

    def wrap(self, tracer: Tracer, node: Node) -> Any:
        return Duck(tracer, node)

    def given(self, value: Any) -> Any:
        """What an example argument stands for."""
        return value

    def class_of(self, proxy: Any) -> Any:
        """The class that code which is not rewritten shall take a proxy to be of."""
        return self.array_class

    def hashed(self, proxy: Any) -> int:
        """What a set or a dict that is to find a proxy is told."""
        return hashing.hashed(proxy.tracer, proxy)

    #: What shapes are.
    shape_class: Any = tuple

    def witness(self, kind: Any, rank: int, dtype: DType, number: bool) -> Any:
        """A value of the type that arrays, or numbers, of this rank and dtype have."""
        raise NotImplementedError

    def computed(self, node: Node, found: dict[Node, Any]) -> Any:
        """What a call gives on values that are known."""
        args, kwargs = map_arg(node.args, found.__getitem__), map_arg(node.kwargs, found.__getitem__)
        return Interpreter(node.graph).run_node(node, args, kwargs)

    @gate
    def tried(self, call: Callable[..., Any], given: Any) -> Any:
        """What a call gives that is no part of the program, on arrays that stand for others."""
        with self.aside(), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(*given)

    def audited(self, run: Callable[..., Any], given: Sequence[Any]) -> None:
        """Run a tape on these arguments; how, that is the framework's."""
        with np.errstate(all="ignore"):
            run(*given)

    def ones(self, shape: Sequence[int], dtype: str) -> Any:
        """An array of ones, that stands for one of which nothing but its spec is known."""
        return np.ones(shape, dtype)

    def evaluate(
        self, tracer: Tracer, op: str, target: Any, args: Any, kwargs: Any, seen: Any, named: Any
    ) -> Any:
        """What a call gives: Seen for arrays, nested as the framework would nest them."""
        return tracer.infer(op, target, seen, named)

    def attribute(self, proxy: Any, name: str) -> Any:
        """What `proxy.name` is: a query answered from the spec, a recorded array, or a method."""
        tracer = proxy.tracer
        if name == "shape":
            tracer.rank(proxy.node)
            return tuple(tracer.known(d, ".shape was read here") for d in self.shape_of(proxy))
        if name in ("ndim",):
            return len(tracer.shape(proxy))
        if name == "size" and not self.backend.size_method:
            total = 1
            tracer.rank(proxy.node)
            for d in self.shape_of(proxy):
                total *= tracer.known(d, ".size was read here")
            return total
        if name == "dtype":
            return self.dtype_object(proxy)
        if name in self.array_attributes:
            return tracer.record(getattr, (proxy, name))
        if known(f"{self.backend.array_type}.{name}") or name in self.values:
            return Bound(proxy, name)
        kind = self.class_of(proxy)
        number = kind is not self.array_class
        if hasattr(kind if number else self.made_class, name):
            hint = INSTEAD.get(name, f"take .{name} outside, and give it as an argument or a global")
            raise tracer.error(f".{name} of {'a number' if number else 'an array'} cannot be recorded", hint)
        if number:
            tracer.dtype(proxy.node)  # those of other dtypes may have it
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")

    @property
    def made_class(self) -> Any:
        """The class of the arrays that the framework makes."""
        return self.array_class

    def shape_of(self, proxy: Any) -> Any:
        shape = proxy.node.spec.shape
        if shape is None:
            raise proxy.tracer.shapeless(proxy.node)
        return shape

    def dtype_object(self, proxy: Any) -> Any:
        raise NotImplementedError

    def method(self, tracer: Tracer, proxy: Any, name: str, args: Any, kwargs: Any) -> Any:
        if name in self.values:
            concrete = tracer.concrete(proxy.node)
            if concrete is not None:
                return getattr(concrete, name)(*args, **kwargs)
            if name == "item" and not args and not kwargs:
                return reckoning.number(tracer, proxy)
            raise tracer.wants_number(proxy, f".{name}()")
        return tracer.record(name, (proxy, *args), kwargs, op="call_method")

    def wants_array(self, tracer: Tracer, proxy: Any) -> TraceError:
        return tracer.wants_number(proxy, "a NumPy array")

    def flipped(self, tracer: Tracer, array: Any) -> Any:
        """The rows of an array, the last first."""
        return tracer.record(operator.getitem, (array, slice(None, None, -1)))

    def ufunc(self, ufunc: Any, method: str, inputs: Any, kwargs: Any) -> Any:
        return NotImplemented

    def listed(self, value: Any) -> Any:
        """A list beside an array, as the array constant that it stands for; lists that hold proxies stay
        lists.
        """
        if any(map(is_proxy, leaves(value))):
            return value
        try:
            return self.make(value)
        except Exception as error:
            raise catching.refused(current(), "a list beside an array", error) from None

    def make(self, value: Any) -> Any:
        raise NotImplementedError

    def recorded(self, function: Any) -> bool:
        """Whether a callable is a function of the framework that the dictionary knows by name."""
        found = self.by_identity.get(id(function))
        if found is None or found[0] is not function:
            if not tabled(function):
                return False
            try:
                named = function not in self.typed and bool(names_of(function))
                found = function, named and not managers.makes(function)
            except TypeError:
                found = function, False
            self.by_identity[id(function)] = found
        return found[1]

    @property
    def control(self) -> Mapping[Any, Callable[..., Any]]:
        """Functions of the framework that are control flow, and what records them, given the hooks."""
        return {}

    #: Functions that only ask for sizes, and what the user's own code gets: recorded numbers, no ints.
    asked: Mapping[Any, Callable[..., Any]] = {}
    #: The functions that go through containers in which None is nothing.
    flattens: frozenset[Any] = frozenset()
    #: The methods of arrays that only ask.
    queries: frozenset[str] = frozenset()

    #: Functions that only ask for dtypes. They run, on arrays without numbers in the place of recorded ones.
    typed: frozenset[Any] = frozenset()

    def stand_in(self, node: Node) -> Any:
        """An array, of any numbers, that has the dtype of a recorded one, and axes where that has."""
        dtype = np.dtype(node.spec.dtype.name)
        return np.zeros([1] * (node.spec.rank or 0), dtype)

    @gate
    def answered(self, tracer: Tracer, function: Any, args: Any, kwargs: Any) -> Any:
        """What a function of `typed` says. Where it depends on the type of a number, that is checked."""

        def given(value: Any) -> Any:
            if not is_proxy(value):
                return value
            if isinstance_scalar(value):
                return value.spec.type(0)
            tracer.dtype(value.node)
            return self.stand_in(value.node)

        found = {name: given(value) for name, value in (*enumerate(args), *kwargs.items())}
        arrays = [value.node for value in (*args, *kwargs.values()) if is_array_proxy(value)]
        operands = [Operand(array.spec.rank, array.spec.dtype) for array in arrays]
        if len(arrays) > 1 and asks_ranks(self.name, "promote", operands):
            pin_rank(arrays)
        answer = said(function, found)
        for name, value in (*enumerate(args), *kwargs.items()):
            if not isinstance_scalar(value):
                continue
            others: dict[type, Any] = {kind: said(function, {**found, name: kind(0)}) for kind in NUMBERS}
            if all(same_answer(answer, other) for other in others.values()):
                continue
            if not all(same_answer(answer, others[kind]) for kind in reckoning.kinds(value)):
                why = "it asks for the type of a number that is of one type or another, as values say"
                hint = "make it a float or an int first, float(...) or int(...)"
                raise UnsupportedError(f"{function.__name__}()", why=why, span=tracer.span(), hint=hint)
            tracer.guard_kind(value)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def hint(self, error: TraceError) -> str | None:
        """What to do about shapes that do not fit."""
        return error.hint

    def number(self, tracer: Tracer, value: Any, dtype: Any = None) -> Any:
        """A number of Python's as an array; where no dtype is named, as the framework takes numbers."""
        raise NotImplementedError

    def handed(self, tracer: Tracer, value: Any) -> Any:
        """What the framework hands on of nested values where it compiles, see tracer/regions/trees.py."""
        return value

    def taken(self, tracer: Tracer, function: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """The arguments that a function gets which is compiled."""
        return args, kwargs

    #: Types that turn their argument into an array or scalar of the framework: np.float32(x),
    #: torch.tensor(x).
    casts: frozenset[Any] = frozenset()

    def foreign(self, tracer: Tracer, func: Any, args: Any, kwargs: Any) -> Any:
        """A call of a function of any framework that a protocol handed to us."""
        raise NotImplementedError

    def called(self, tracer: Tracer, function: Any, args: Any, kwargs: Any) -> Any:
        """A function of the framework, called from rewritten code."""
        return self.foreign(tracer, function, args, kwargs)

    def constant_name(self, value: Any) -> str | None:
        """What the user calls this array: a name in the frame that uses it."""
        frame: Any = sys._getframe(2)
        while frame is not None:
            if users(frame.f_code):
                for scope in (frame.f_locals, frame.f_globals):
                    for name, held in scope.items():
                        if held is value and name.isidentifier() and not name.startswith("_"):
                            return str(name)
                return None
            frame = frame.f_back
        return None


def said(function: Any, given: Mapping[Any, Any]) -> Any:
    """What a function gives, or raises, of arguments by place or by name."""
    args = [value for name, value in given.items() if isinstance(name, int)]
    try:
        return function(*args, **{name: value for name, value in given.items() if isinstance(name, str)})
    except Exception as error:
        return error


def same_answer(one: Any, other: Any) -> bool:
    """Whether two answers are one."""
    return type(one) is type(other) and (isinstance(one, Exception) or bool(one == other))


__all__ = ["Framework", "Scalar_", "Seen"]
