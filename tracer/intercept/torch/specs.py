"""What torch itself says of a call: the shapes and dtypes that it gives for tensors without numbers.

Tensors on torch's meta device answer fastest. They know no other device, and not every kernel: where they
refuse, fake tensors are asked, which pretend to be on the CPU.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from ....backends.backend import backend
from ....backends.reading.inference import Seen
from ....ir.errors import UNFIT, UNLIKE, TraceError, UnsupportedError
from ....ir.graphs.graph import Node
from ....ir.sizes.dim import hint_of
from ....ir.values.dtypes import dtype
from ....ir.values.spec import Spec
from ....ir.values.tree import leaves, made_of
from ...proxy import Proxy, Shape, isinstance_scalar

if TYPE_CHECKING:
    from ...tracer import Tracer

DTYPES = {name: getattr(torch, name) for name in backend("torch").dtypes if hasattr(torch, name)}

_fake = FakeTensorMode(allow_non_fake_inputs=True)

#: No tensor of more elements is computed with.
LARGE = 2**20


class Unfakeable(Exception):
    """No tensor can stand for a value of unknown rank or dtype."""


def ask(op: str, target: Any, args: Any, kwargs: Any) -> tuple[Any, tuple[bool, ...]]:
    """What the call gives: Seen for tensors, nested as torch nests them; and for each of these whether it
    lies in the memory of an operand.

    Raises:
        Unfakeable: where too little is known of an operand.
        TypeError, ValueError, RuntimeError, IndexError, NotImplementedError, OverflowError: where torch
            refuses the call.
    """
    if target in (operator.getitem, operator.setitem):
        args = (args[0], numbered(args[1]), *args[2:])
    function = (lambda x, *rest, **kw: getattr(x, target)(*rest, **kw)) if op == "call_method" else target
    operands = Operands(metas)
    given, named = operands.of(args), operands.of(kwargs)
    if operands.made and "device" not in kwargs:
        try:
            with torch._C.DisableTorchFunction():
                return answer(function(*given, **named), operands)
        except (TypeError, ValueError, RuntimeError, IndexError, NotImplementedError, OverflowError):
            pass  # fake tensors say why, in words that do not speak of meta tensors
    operands = Operands(faked)
    given, named = operands.of(args), operands.of(kwargs)
    with torch._C.DisableTorchFunction(), _fake:
        return answer(function(*given, **named), operands)


def ask_with_numbers(op: str, target: Any, args: Any, kwargs: Any) -> tuple[Any, tuple[bool, ...]]:
    """Likewise, of tensors of zeros: what torch computes although its fake tensors refuse it."""
    function = (lambda x, *rest, **kw: getattr(x, target)(*rest, **kw)) if op == "call_method" else target
    operands = Operands(zeros)
    given, named = operands.of(args), operands.of(kwargs)
    with torch._C.DisableTorchFunction(), torch.random.fork_rng(devices=()):
        return answer(function(*given, **named), operands)


def answer(result: Any, operands: Operands) -> tuple[Any, tuple[bool, ...]]:
    storages = {made.untyped_storage()._cdata for made in operands.made}
    tensors = (leaf for leaf in leaves(result) if isinstance(leaf, torch.Tensor))
    return template(result), tuple(tensor.untyped_storage()._cdata in storages for tensor in tensors)


def numbered(key: Any) -> Any:
    """A key of x[...] in which a number stands for each tensor of one, which torch would ask for it."""
    if isinstance(key, tuple):
        return tuple(map(numbered, key))
    whole = issubclass(type(key), Proxy) and not isinstance_scalar(key)
    single = whole and key.node.spec.shape == () and key.node.spec.dtype is not None
    return 0 if single and key.node.spec.dtype.is_integer else key


class Operands:
    """Arguments of a call with a tensor without numbers for each tensor."""

    def __init__(self, maker: Callable[[Node], Any]) -> None:
        self.maker = maker
        self.made: list[torch.Tensor] = []

    def of(self, value: Any) -> Any:
        kind = type(value)
        if issubclass(kind, Proxy):
            if isinstance_scalar(value):
                hint = value.spec.hint
                return value.spec.type(0) if hint is None else hint
            self.made.append(self.maker(value.node))
            return self.made[-1]
        if kind is Shape or isinstance(value, torch.Size):
            return torch.Size(self.of(value.dims if kind is Shape else tuple(value)))
        if isinstance(value, (tuple, list)):
            items = [self.of(v) for v in value]
            return made_of(kind, items)
        if isinstance(value, dict):
            return {k: self.of(v) for k, v in value.items()}
        if kind is slice:
            return slice(self.of(value.start), self.of(value.stop), self.of(value.step))
        if issubclass(kind, torch.Tensor):
            self.made.append(self.real(value))
            return self.made[-1]
        return value

    def real(self, value: torch.Tensor) -> torch.Tensor:
        """A stand-in for a tensor of the user's own."""
        with torch._C.DisableTorchFunction():
            if self.maker is metas:
                return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
            if self.maker is zeros:
                return torch.zeros_like(value)
            with _fake:
                return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="cpu")


def metas(node: Node) -> torch.Tensor:
    """A tensor of the node's spec on the meta device."""
    found: torch.Tensor | None = node.meta.get("meta")
    if found is None:
        shape, kind = known(node.spec)
        with torch._C.DisableTorchFunction():
            found = node.meta["meta"] = torch.empty(shape, dtype=kind, device="meta")
    return found


def faked(node: Node) -> torch.Tensor:
    """A fake tensor of the node's spec."""
    found: torch.Tensor | None = node.meta.get("fake")
    if found is None:
        shape, kind = known(node.spec)
        with torch._C.DisableTorchFunction(), _fake:
            found = node.meta["fake"] = torch.empty(shape, dtype=kind, device="cpu")
    return found


def zeros(node: Node) -> torch.Tensor:
    """A tensor of zeros of the node's spec.

    Raises:
        Unfakeable: where it would be a large one.
    """
    shape, kind = known(node.spec)
    if math.prod(shape) > LARGE:
        raise Unfakeable
    with torch._C.DisableTorchFunction():
        return torch.zeros(shape, dtype=kind)


def known(spec: Spec) -> tuple[Any, torch.dtype]:
    """The example's shape, and torch's dtype.

    Raises:
        Unfakeable: where the shape or the dtype is not known.
    """
    shape = spec.hint_shape
    if shape is None or spec.dtype is None:
        raise Unfakeable
    return shape, DTYPES[spec.dtype.name]


def template(value: Any) -> Any:
    """A result with Seen for its tensors."""
    if isinstance(value, torch.Tensor):
        return Seen(Spec(tuple(map(int, value.shape)), dtype(value.dtype)))
    if isinstance(value, (tuple, list)):
        items = [template(v) for v in value]
        if type(value).__module__ == "torch.return_types":
            return type(value)(items)
        return made_of(type(value), items)
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        raise UnsupportedError(str(value), why="its value depends on the data")
    return value


def symbolic(template: Any, inferred: Any) -> Any:
    """torch's specs, with the dictionary's expressions for the dims wherever their hints agree."""
    if isinstance(template, Seen) and isinstance(inferred, Seen):
        mine, theirs = template.spec, inferred.spec
        if isinstance(mine, Spec) and isinstance(theirs, Spec) and theirs.shape is not None:
            shape, hints = mine.shape or (), [hint_of(dim) for dim in theirs.shape]
            if len(hints) == len(shape) and all(h in (None, n) for h, n in zip(hints, shape)):
                return Seen(Spec(theirs.shape, mine.dtype))
        return template
    if (
        isinstance(template, (tuple, list))
        and isinstance(inferred, (tuple, list))
        and len(template) == len(inferred)
    ):
        items = [symbolic(t, i) for t, i in zip(template, inferred)]
        return made_of(type(template), items)
    return template


def is_dynamic(error: Exception) -> bool:
    """Whether a fake tensor says that it is numbers which decide the result."""
    kind = type(error).__name__
    return "Dynamic" in kind or "DataDependent" in kind or "data-dependent" in str(error).lower()


def unasked(tracer: Tracer, op: str, target: Any, seen: Any, named: Any) -> Any:
    """What the dictionary says of a call of which torch cannot be asked.

    Raises:
        TraceError: where an argument is of a kind that no program of torch's has there.
    """
    try:
        return tracer.infer(op, target, seen, named)
    except UNFIT as error:
        name = target if isinstance(target, str) else getattr(target, "__name__", str(target))
        raise TraceError(f"{name} {UNLIKE}", span=tracer.span()) from error


def mixed(value: Any) -> bool:
    """Whether a value is a number on one way and an array on another."""
    return isinstance(value, Seen) and isinstance(value.form, tuple)
