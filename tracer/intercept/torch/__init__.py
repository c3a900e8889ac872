"""torch: a wrapper subclass under a function mode.

The proxy is a real torch.Tensor to library code, with no storage: what reaches C++ unseen raises. The mode
sees every call of torch, factories too. Nothing else may say that it is a tensor: C++ believes it, and reads
memory that is none. So where sizes are not known the proxy has some; only the mode's answers are seen.
"""

from __future__ import annotations

import contextlib
import logging
import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import torch

from ....backends.backend import backend
from ....backends.memory import reforms
from ....backends.reading.inference import OTHER_SHAPES, Refusal, Seen, pattern, regular, resized
from ....backends.reading.tape import canonical_names
from ....ir.errors import ShapeError, TraceError
from ....ir.graphs.graph import Node
from ....ir.values.dtypes import DType
from ....ir.values.spec import Spec
from ....ir.values.tree import leaves
from ... import guessing, settling
from ...bound import Bound
from ...memory import overlap, writes
from ...place import gate
from ...proxy import current, is_proxy, isinstance_scalar
from ...regions.loop.lax import TORCH
from ...trying import catching
from ...values import reckoning
from ...values.kinds import of_type
from ..asking import asks, size
from ..base import Framework
from .lists import TorchLists
from .proxies import Mode, TensorProxy
from .queries import GRADIENTS, PLACES, QUERIES, guard
from .resizing import fits
from .specs import DTYPES, Unfakeable, ask, ask_with_numbers, faked, is_dynamic, mixed, symbolic, unasked

if TYPE_CHECKING:
    from ...tracer import Tracer

#: How torch refuses a call, in C++ or in its Python.
REFUSALS = (
    TypeError, ValueError, RuntimeError, IndexError, AssertionError, AttributeError, KeyError, OverflowError
)  # fmt: skip
#: torch still has Python 2's names for division.
DIVISIONS = {"div": "truediv", "rdiv": "rtruediv", "idiv": "itruediv"}
ARRAY_ATTRIBUTES = frozenset({"T", "mT", "H", "mH", "real", "imag", "data"})
#: What torch.no_grad() and its kin call: no number depends on it.
SWITCHES = frozenset({torch._C._set_grad_enabled, torch.is_grad_enabled, torch.is_inference_mode_enabled})
NUMBERS = {
    "__bool__": "bool",
    "__int__": "int",
    "__float__": "float",
    "__index__": "an index",
    "__complex__": "complex",
    "item": ".item()",
    "tolist": ".tolist()",
    "numpy": ".numpy()",
    "__array__": "a NumPy array",
}

# A call that torch refuses is reported by us, with the user's line, not by its logger too.
logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)

#: The functions of torch that are control flow, of which torch itself keeps some apart.
CONTROL = {
    getattr(home, name): record
    for name, record in TORCH.items()
    for home in (torch, torch._higher_order_ops)
    if hasattr(home, name)
}


def gradients() -> bool:
    """Whether gradients are on."""
    with torch._C.DisableTorchFunction():
        return bool(torch.is_grad_enabled())


class Torch(Framework):
    name = "torch"
    shape_class = torch.Size
    backend = backend("torch")
    array_class = torch.Tensor
    values = Framework.values | {"numpy"}
    array_attributes = ARRAY_ATTRIBUTES
    queries = QUERIES
    asked = {torch.numel: asks(torch.numel, size), torch.is_tensor: of_type(torch.is_tensor)}
    typed = frozenset(
        {torch.result_type, torch.promote_types, torch.can_cast, torch.is_floating_point, torch.is_complex}
        | {torch.get_default_dtype}
    )
    lists = TorchLists()
    joins, moves, copies = staticmethod(torch.cat), staticmethod(torch.movedim), staticmethod(torch.clone)
    counter, stacks = staticmethod(torch.arange), staticmethod(torch.stack)

    @property
    def control(self) -> Any:
        return CONTROL

    @contextlib.contextmanager
    def active(self, tracer: Tracer) -> Iterator[None]:
        tracer.entry.gradients = gradients if gradients() else None
        with Mode(tracer):
            yield

    def aside(self) -> contextlib.AbstractContextManager[object]:
        unseen: contextlib.AbstractContextManager[object] = torch._C.DisableTorchFunction()
        return unseen

    def is_array(self, value: Any) -> bool:
        return issubclass(type(value), torch.Tensor)

    def spec(self, value: Any) -> Spec:
        with torch._C.DisableTorchFunction():
            return super().spec(value)

    def in_order(self, value: Any) -> bool:
        with torch._C.DisableTorchFunction():
            return bool(value.is_contiguous())

    def share(self, one: Any, other: Any) -> bool:
        with torch._C.DisableTorchFunction():
            places = [array.untyped_storage().data_ptr() for array in (one, other)]
        return bool(places[0] == places[1] != 0)

    def wrap(self, tracer: Tracer, node: Node) -> Any:
        return TensorProxy(tracer, node)

    def computed(self, node: Node, found: dict[Node, Any]) -> Any:
        with torch._C.DisableTorchFunction():
            return super().computed(node, found)

    def flipped(self, tracer: Tracer, array: Any) -> Any:
        return tracer.record(torch.flip, (array, [0]))

    def dtype_object(self, proxy: Any) -> Any:
        return DTYPES[proxy.tracer.dtype(proxy.node).name]

    def witness(self, kind: Any, rank: int, dtype: DType, number: bool) -> Any:
        made = torch.zeros([1] * rank, dtype=DTYPES[dtype.name])
        return torch.nn.Parameter(made, made.is_floating_point()) if kind is torch.nn.Parameter else made

    def stand_in(self, node: Node) -> Any:
        shape = node.spec.shape
        if shape is None:
            raise current().shapeless(node)
        return torch.empty([1] * len(shape), dtype=DTYPES[node.spec.dtype.name], device="meta")

    def make(self, value: Any) -> Any:
        with torch._C.DisableTorchFunction():
            return torch.tensor(value)

    def attribute(self, proxy: Any, name: str) -> Any:
        if name in PLACES:
            return self.query(proxy.tracer, name, proxy, (), {})
        own = name not in ("shape", "ndim", "dtype") and name not in self.array_attributes
        if own and callable(getattr(torch.Tensor, name, None)):
            return Bound(proxy, name)
        return super().attribute(proxy, name)

    def method(self, tracer: Tracer, proxy: Any, name: str, args: Any, kwargs: Any) -> Any:
        if name in MEASURED:
            return MEASURED[name](tracer, proxy, *args, **kwargs)
        return self.named(tracer, name, (proxy, *args), kwargs)

    @gate
    def called(self, tracer: Tracer, function: Any, args: Any, kwargs: Any) -> Any:
        """Recorded at once where torch's own parser would ask a recorded number for its value; else torch
        runs, and we watch.
        """
        if any(map(isinstance_scalar, leaves((args, kwargs)))):
            return self.foreign(tracer, function, args, kwargs)
        found = function(*args, **kwargs)
        if is_proxy(found):
            tracer.modes.watch()
        else:  # it may be there to set one
            tracer.modes.called(function)
        return found

    # Catching.

    def foreign(self, tracer: Tracer, func: Any, args: Any, kwargs: Any) -> Any:
        name = getattr(func, "__name__", str(func))
        if name == "__get__":
            return self.property(tracer, func.__self__.__name__, args[0])
        if name == "__set__":
            raise tracer.error(
                "setting an attribute of a tensor cannot be recorded", "compute a new tensor instead"
            )
        if func in self.typed:
            with torch._C.DisableTorchFunction():
                return self.answered(tracer, func, args, kwargs)
        if func in SWITCHES:
            with torch._C.DisableTorchFunction():
                found = func(*args, **kwargs)
            tracer.entry.switched(tracer)
            return found
        if kwargs.get("inplace") is True:
            kwargs = {**kwargs, "inplace": False, "out": args[0]}
        if kwargs.get("out") is not None:
            return self.into(tracer, func, args, kwargs)
        if getattr(torch.Tensor, f"__{name}__", None) is func:  # which has the name of what it wraps
            name = f"__{name}__"
        if getattr(func, "__objclass__", None) is not None or getattr(torch.Tensor, name, None) is func:
            return self.named(tracer, name, args, kwargs)
        return tracer.record(func, args, kwargs)

    def property(self, tracer: Tracer, name: str, value: Any) -> Any:
        if not is_proxy(value):
            with torch._C.DisableTorchFunction():
                return getattr(value, name)
        if name in QUERIES:
            return self.query(tracer, name, value, (), {})
        return tracer.record(getattr, (value, name))

    def named(self, tracer: Tracer, name: str, args: Any, kwargs: Any) -> Any:
        """A method of Tensor, by name."""
        first = args[0]
        if name in QUERIES and is_proxy(first):
            return self.query(tracer, name, first, args[1:], kwargs)
        if name in NUMBERS:
            return self.of_number(tracer, name, first, args[1:], kwargs)
        if name == "__deepcopy__":
            return tracer.deep_copy(*args)
        if name.startswith("__") and name.endswith("__"):
            return self.dunder(tracer, name[2:-2], args, kwargs)
        if name.endswith("_") and name not in ("requires_grad_",):
            return self.in_place(tracer, name, args, kwargs)
        if name == "type" and len(args) == 1 and not kwargs:
            raise tracer.error(".type() without an argument gives a string", "use .dtype")
        return tracer.record(name, args, kwargs, op="call_method")

    def dunder(self, tracer: Tracer, name: str, args: Any, kwargs: Any) -> Any:
        name = DIVISIONS.get(name, name)
        if name == "setitem":
            return writes.setitem(tracer, *args)
        if name == "getitem":
            return tracer.record(operator.getitem, args)
        if name == "iter":
            return tracer.rows(args[0])
        another = hasattr(operator, f"__{name[1:]}__")
        if another and name.startswith("i") and name != "invert":
            return tracer.inplace(getattr(operator, name), *args)
        swapped = another and name.startswith("r") and name not in ("rshift", "round")
        fn = getattr(operator, name[1:] if swapped else name, None)
        fn = fn or getattr(operator, f"{name.lstrip('r')}_", None)
        if fn is None:
            return tracer.record(f"__{name}__", args, kwargs, op="call_method")
        a = args[::-1] if swapped else args
        return tracer.binary(fn, *a) if len(a) == 2 else tracer.record(fn, a)

    def of_number(self, tracer: Tracer, name: str, value: Any, args: Any, kwargs: Any) -> Any:
        if not is_proxy(value):
            with torch._C.DisableTorchFunction():
                return getattr(value, name)(*args, **kwargs)
        concrete = tracer.concrete(value.node)
        if concrete is not None:
            with torch._C.DisableTorchFunction():
                return getattr(concrete, name)(*args, **kwargs)
        if name == "__bool__":
            return tracer.truth(value)
        if name == "item":
            return reckoning.number(tracer, value)
        raise tracer.wants_number(value, NUMBERS[name])

    def in_place(self, tracer: Tracer, name: str, args: Any, kwargs: Any) -> Any:
        target = args[0]
        called = canonical_names("call_method", name, args, self.backend)
        if any(reforms(self.name, each) for each in called):
            raise tracer.error(
                f".{name}() gives the tensor another form, and its views none, and cannot be recorded",
                f"bind what .{name[:-1]}() gives",
            )
        if not is_proxy(target):
            writes.refuse_unclear(tracer, target, name)
        for operand in args[1:]:
            overlap.refuse_common(tracer, target, operand, f"torch.Tensor.{name}")

        def write(a: Any, *rest: Any) -> Any:
            return tracer.record(name, (a, *rest), kwargs, op="call_method")

        return tracer.inplace_call(target, name, lambda: write(*args))

    def into(self, tracer: Tracer, func: Any, args: Any, kwargs: Any) -> Any:
        """`f(..., out=x)` is x[...] = f(...)."""
        out = kwargs["out"]
        result = tracer.foreign(func, args, {k: v for k, v in kwargs.items() if k != "out"})
        if isinstance(out, (tuple, list)) or not is_proxy(out):
            tracer.refuse_write(f"torch.{func.__name__}(out=)")
        if kwargs.get("inplace") is None:
            fits(tracer, result, out, f"torch.{func.__name__}")
        writes.into(tracer, out, result)
        return out

    def query(self, tracer: Tracer, name: str, value: Any, args: Any, kwargs: Any) -> Any:
        """What torch says of a tensor of this spec. Looking at its shape is guarded."""
        node = value.node
        if isinstance_scalar(value):
            raise tracer.error(f"a number has no .{name}")
        if node.spec.shape is None:
            if name == "dtype" and node.spec.dtype is not None:
                return self.dtype_object(value)
            if name == "device":
                return torch.device("cpu")
            raise tracer.error(f".{name} of an array of unknown rank", "give example arguments with args=")
        tensors = (*tracer.entry.given, *tracer.names.constants.values())
        if name in GRADIENTS and any(map(requires_grad, tensors)):
            raise tracer.error(f".{name} where a tensor requires gradients", "trace with tensors that do not")
        guard(tracer, node, name, args, kwargs)
        fake = faked(node) if node.spec.hint_shape is not None else self.stand_in(node)
        with torch._C.DisableTorchFunction():
            found = getattr(fake, name)
            return found(*args, **kwargs) if callable(found) else found

    # Specs.

    def evaluate(
        self, tracer: Tracer, op: str, target: Any, args: Any, kwargs: Any, seen: Any, named: Any
    ) -> Any:
        """torch's own answer, on tensors without numbers; its dims as expressions where the dictionary knows
        the call.

        Of a call whose result has one form for all sizes torch is asked once for each pattern of dtypes and
        ranks: where the dictionary said the same, it is believed for other sizes.
        """
        names = canonical_names(op, target, seen, self.backend)
        key = pattern((names, seen, named)) if regular("torch", names) else None
        try:
            known = None if key is None else tracer.memo.patterns.get(key)
            if known is not None:
                found = resized("torch", names, known, (seen, named))
                return tracer.infer(op, target, seen, named) if found is None else found
        except (TypeError, ShapeError):
            key = None  # no key of a dict; or torch itself shall refuse these shapes, in its words
        try:
            template, tracer.memory.shared = ask(op, target, args, kwargs)
        except Unfakeable:
            return unasked(tracer, op, target, seen, named)
        except REFUSALS as error:
            if isinstance(error, TraceError):
                raise
            if is_dynamic(error):
                return tracer.infer(op, target, seen, named)
            settling.want(tracer, args, kwargs)
            template, tracer.memory.shared = refused(tracer, error, op, target, args, kwargs)
        try:
            inferred = tracer.infer(op, target, seen, named)
        except (Refusal, ShapeError) as error:  # torch takes these shapes
            refusal = error if isinstance(error, Refusal) else Refusal(*OTHER_SHAPES)
            settling.want(tracer, args, kwargs)
            if any(map(mixed, leaves((seen, named)))):  # torch was asked of one of the things that it may be
                raise
            return guessing.noted(tracer, op, target, args, refusal, template)
        answer = symbolic(template, inferred)
        if key is not None and isinstance(answer, Seen) and answer == inferred:  # of several torch has names
            tracer.memo.patterns[key] = answer
        return answer


def refused(
    tracer: Tracer, error: Exception, op: str, target: Any, args: Any, kwargs: Any
) -> tuple[Any, tuple[bool, ...]]:
    """What torch gives for a call that its fake tensors refuse.

    Raises:
        TraceError: in torch's words, where it refuses the call itself.
        UnsupportedError: where the program has a handler for that.
    """
    try:
        return ask_with_numbers(op, target, args, kwargs)
    except Unfakeable:
        pass
    except REFUSALS as real:
        error = real
    raise catching.refused(tracer, target, error) from None


def requires_grad(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad


def sized(tracer: Tracer, x: Any, dim: int | None = None) -> Any:
    return tracer.shape(x) if dim is None else size(tracer, x, dim)


#: Methods that only ask for sizes. Those that the user's code asks for are recorded, as its `.shape` is; the
#: code of a library gets ints.
MEASURED: dict[str, Callable[..., Any]] = {"size": sized, "numel": size, "nelement": size}


FRAMEWORK = Torch()
