"""Proxies: values that record what is done to them.

A Proxy never answers a question about a value that it does not have. What it is asked about shape or dtype it
answers from its spec, and where the answer depends on the arguments, a guard is recorded.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..ir.errors import TraceError
from ..ir.graphs.graph import Node
from ..ir.graphs.static import Scalar
from ..ir.meaning import operators
from ..ir.meaning.op import Op
from ..ir.sizes.local import is_local
from ..ir.values.spec import Spec

if TYPE_CHECKING:
    from .tracer import Tracer

BINARY = tuple(each.name for each in operators.BINARY)
COMPARE = tuple(each.name for each in operators.COMPARING)
UNARY = (*(each.name for each in operators.UNARY), "abs")


#: The tracers at work, the innermost last.
ACTIVE: list[Tracer] = []


def current() -> Tracer:
    """The tracer at work.

    Raises:
        TraceError: when none is: a proxy has outlived its trace.
    """
    if not ACTIVE:
        raise TraceError(
            "a value of a finished trace was used", hint="return it from the traced function instead"
        )
    return ACTIVE[-1]


class Proxy:
    """The base of all of them: `node` is where the value comes from, `tracer` who records."""

    __slots__ = ()
    node: Any  # a Node; some make it when they are asked
    tracer: Tracer

    def __called_op__(self, op: Op, operands: Any, params: Any) -> Any:
        """An op of the dictionary that is called on it, and is recorded as such."""
        return self.tracer.record(op, operands, params)


def is_proxy(value: Any) -> bool:
    return issubclass(type(value), Proxy)


class Scalar_(Proxy):
    """A Python int, float or bool that depends on the arguments: a dim, a parameter, or what is computed from
    them.

    Its node is made when something uses it. Asking for its value gives the example's, and records a guard.
    """

    __slots__ = ("tracer", "spec", "_node", "make", "ranked", "sizes")

    def __init__(
        self,
        tracer: Tracer,
        spec: Scalar,
        make: Callable[[], Node] | None = None,
        node: Node | None = None,
        ranked: tuple[Node, ...] = (),
        sizes: tuple[Any, ...] = (),
    ):
        #: The arrays of which it would be another number if they had other ranks.
        self.ranked = ranked
        #: The sizes of arrays that were computed of which it was computed.
        self.sizes = sizes
        self.tracer = tracer
        self.spec = spec
        self.make = make
        self._node = node

    @property
    def node(self) -> Node:
        """Made again where a branch made it that is closed by now, or where it was taken back."""
        node = self._node
        if node is None or self.make is not None and not self.tracer.reaches(node):
            assert self.make is not None
            node = self._node = self.make()
        return node

    @property
    def local(self) -> bool:
        return self.spec.local or is_local(self.spec.value)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self.spec.type

    def look(self, why: str = "its value was asked for") -> Any:
        return self.tracer.look(self, why)

    def __bool__(self) -> bool:
        return bool(self.look())

    def __int__(self) -> int:
        return int(self.look())

    def __float__(self) -> float:
        return float(self.look())

    def __index__(self) -> int:
        return int(self.tracer.index(self))

    def __hash__(self) -> int:
        return int(self.tracer.framework.hashed(self))

    def __repr__(self) -> str:
        return repr(self.typed())

    def __format__(self, spec: str) -> str:
        return format(self.typed(), spec)

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.typed(), digits) if digits is not None else round(self.look())

    def typed(self, why: str = "its value was asked for") -> Any:
        """The value, where 2 is not 2.0, nor 0.0 -0.0."""
        self.tracer.guard_kind(self)
        return self.tracer.look_signed(self, why)

    def __copy__(self) -> Scalar_:
        return self

    def __deepcopy__(self, memo: Any) -> Scalar_:
        return self

    def bit_length(self) -> int:
        return int(self.look().bit_length())

    def is_integer(self) -> bool:
        return bool(self.look().is_integer())

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return current().foreign(func, args, kwargs or {})

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise self.tracer.error(
            "a recorded number cannot become a NumPy array here", "call the function from traced code"
        )


def _scalar_binary(name: str, swapped: bool = False) -> Any:
    fn = getattr(operator, name)

    def method(self: Scalar_, other: Any) -> Any:
        if is_proxy(other) and not isinstance_scalar(other):
            return self.tracer.binary(fn, *((other, self) if swapped else (self, other)))
        if not isinstance(other, (int, float, complex)):
            if name in ("eq", "ne") and not self.tracer.framework.is_array(other):
                self.tracer.guard_kind(self)  # which has no such value because it is a number
            return NotImplemented
        return self.tracer.scalar(fn, *((other, self) if swapped else (self, other)))

    return method


def isinstance_scalar(value: Any) -> bool:
    return type(value) is Scalar_


def is_array_proxy(value: Any) -> bool:
    return is_proxy(value) and not isinstance_scalar(value)


for _name in BINARY:
    _dunder = _name.strip("_")
    setattr(Scalar_, f"__{_dunder}__", _scalar_binary(_name))
    setattr(Scalar_, f"__r{_dunder}__", _scalar_binary(_name, swapped=True))
for _name in COMPARE:
    setattr(Scalar_, f"__{_name}__", _scalar_binary(_name))
for _name in UNARY:
    setattr(Scalar_, f"__{_name}__", lambda self, _fn=getattr(operator, _name): self.tracer.scalar(_fn, self))


class Shape(tuple[Any, ...]):
    """The shape of a proxy: a tuple of dims whose own node is used where the whole of it is passed on.
    Whatever tells Python how many dims there are is a look at the rank.

    Attributes:
        of: the array.
        dim: the size at an index, asked for by the statement at hand.
    """

    tracer: Tracer
    of: Node
    make: Callable[[], Node]
    dim: Callable[[int], Any]

    @property
    def dims(self) -> tuple[Any, ...]:
        """The dims, for the tracer's own use: no look at the rank."""
        return tuple(tuple.__iter__(self))

    def __len__(self) -> int:
        self.tracer.rank(self.of)
        return tuple.__len__(self)

    def __iter__(self) -> Iterator[Any]:
        self.tracer.rank(self.of)
        return tuple.__iter__(self)

    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        if type(index) is int:
            return self.dim(index)  # one counted from behind stays so
        self.tracer.rank(self.of)
        return found

    def __eq__(self, other: object) -> bool:
        shapes = [self, other] if isinstance(other, Shape) else [self]
        alike = len({tuple.__len__(s) for s in shapes}) == 1 < len(shapes) and bool(self.dims)
        whole = alike and all("path" in s.of.meta and s.of.graph is self.tracer.graph for s in shapes)
        for shape in () if whole else shapes:  # one check says that all of two is equal
            self.tracer.rank(shape.of)
        return tuple.__eq__(self, other.dims if isinstance(other, Shape) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __add__(self, other: Any) -> Any:
        return tuple(self) + tuple(other) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return tuple(other) + tuple(self) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        return tuple(self) * count

    __rmul__ = __mul__

    def __contains__(self, size: object) -> bool:
        return size in tuple(self)

    def index(self, *args: Any) -> int:
        return tuple(self).index(*args)

    def count(self, size: Any) -> int:
        return tuple(self).count(size)

    @property
    def node(self) -> Node:
        return self.make()

    def numel(self) -> Any:
        """The number of elements: recorded as one product where it depends on the arguments."""
        return self.tracer.product(self)


class Duck(Proxy):
    """An array proxy that is not a subclass of the framework's array: NumPy's, JAX's, and torch's of unknown
    rank.

    Its `__class__` says that it is one, operators and methods record, and everything that wants its numbers
    raises.
    """

    __slots__ = ("node", "tracer", "__weakref__")
    __array_priority__ = 1000

    def __init__(self, tracer: Tracer, node: Node) -> None:
        object.__setattr__(self, "tracer", tracer)
        object.__setattr__(self, "node", node)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self.tracer.framework.class_of(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.tracer.framework.attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "node":
            object.__setattr__(self, name, value)
            return
        raise self.tracer.error(
            f"setting .{name} of an array cannot be recorded", "compute a new array instead"
        )

    def __getitem__(self, key: Any) -> Any:
        return self.tracer.record(operator.getitem, (self, key))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.tracer.setitem(self, key, value)

    def __len__(self) -> int:
        return int(self.tracer.length(self))

    def __iter__(self) -> Iterator[Any]:
        rows: Iterator[Any] = self.tracer.rows(self)
        return rows

    def __bool__(self) -> bool:
        return bool(self.tracer.truth(self))

    def __int__(self) -> int:
        raise self.tracer.wants_number(self, "int")

    def __float__(self) -> float:
        raise self.tracer.wants_number(self, "float")

    def __complex__(self) -> complex:
        raise self.tracer.wants_number(self, "complex")

    def __index__(self) -> int:
        raise self.tracer.wants_number(self, "an index")

    def __hash__(self) -> int:
        return int(self.tracer.framework.hashed(self))

    def __copy__(self) -> Any:
        return self.tracer.shallow_copy(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return self.tracer.deep_copy(self, memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise self.tracer.wants_number(self, "a pickle")

    def __repr__(self) -> str:
        if self.tracer.texts.spelling:
            return str(self.tracer.in_text(self, "r", ""))
        return f"<{self.tracer.framework.name} proxy {self.node.name}: {self.node.spec}>"

    def __format__(self, spec: str) -> str:
        return str(self.tracer.in_text(self, None, spec))

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise self.tracer.framework.wants_array(self.tracer, self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return self.tracer.framework.ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self.tracer.foreign(func, args, kwargs)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return current().foreign(func, args, kwargs or {})

    def __jax_array__(self) -> Any:
        raise self.tracer.wants_number(self, "a JAX array")


Duck.__name__ = "Duck_"  # told from a class of the user's in what Python says of it


def _duck_binary(name: str, swapped: bool = False) -> Any:
    fn = getattr(operator, name)

    def method(self: Duck, other: Any) -> Any:
        return self.tracer.binary(fn, *((other, self) if swapped else (self, other)))

    return method


def _duck_inplace(name: str) -> Any:
    fn = getattr(operator, "i" + name.strip("_"))

    def method(self: Duck, other: Any) -> Any:
        self.tracer.hooks.refuse_numbers(self)  # by operator.iadd, whose result has another name
        return self.tracer.inplace(fn, self, other)

    return method


for _name in BINARY:
    _dunder = _name.strip("_")
    setattr(Duck, f"__{_dunder}__", _duck_binary(_name))
    setattr(Duck, f"__r{_dunder}__", _duck_binary(_name, swapped=True))
    setattr(Duck, f"__i{_dunder}__", _duck_inplace(_name))
for _name in COMPARE:
    setattr(Duck, f"__{_name}__", _duck_binary(_name))
for _name in UNARY:
    setattr(Duck, f"__{_name}__", lambda self, _fn=getattr(operator, _name): self.tracer.record(_fn, (self,)))
del _name, _dunder

_ = (Spec, TraceError)
