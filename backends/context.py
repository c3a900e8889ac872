"""Reading: how a recorded call becomes ops, with the source framework's typing.

Here promotion becomes explicit: the operands of an op are cast to the dtype in which the *source* framework
computes (backends/typing), so that a Program needs no rules of any framework. Casts made here are marked
implicit: the writer drops those that the target's own promotion makes superfluous.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from itertools import islice, product
from typing import Any

from ..ir.bodies.sizing import computed
from ..ir.graphs.fitting import beside, rely
from ..ir.graphs.graph import Node
from ..ir.graphs.leaves import is_pinned
from ..ir.graphs.regions import Function, guard
from ..ir.graphs.static import Scalar, is_shape, pin, pin_rank, roots, saying, static
from ..ir.meaning.op import REGISTER, Op
from ..ir.meaning.operands import scalar
from ..ir.meaning.results import over
from ..ir.noting import by_rank, is_noting, note_type
from ..ir.program import Program
from ..ir.sizes.dim import Sym, compare, hint_of, maximum, minimum
from ..ir.sizes.local import is_local
from ..ir.values.dtypes import DTYPES, PYTHON, DType
from ..ir.values.dtypes import dtype as dtype_named
from ..ir.values.spec import Spec
from ..ir.values.tree import is_record
from . import unions
from .backend import Backend, framework_of, is_common
from .literals import Literals, refuse_arrays, whole
from .literals import Refusal as Refusal
from .loading import load
from .made import behind as behind
from .made import placed
from .typing import NoTyping, Operand, Typing, asks_ranks, row_of, typing
from .typing.jax import NARROW

#: How many combinations of what operands may be are looked at.
MEMBERS = 64


#: What is said of a function that no row reads.
NO_WORD = "the dictionary does not know this function", "write it with known ones: `tracelate ops` lists them"


class Reading(Literals):
    """One pass over a tape (or one call, for its spec). Readers written by hand use `op` and `known`."""

    def __init__(self, source: Backend, program: Program) -> None:
        load()
        self.source = source
        self.program = program
        self.callee = ""  # of the call that is read
        self.assumed: set[tuple[Any, Any]] = set()
        #: What the outputs of the graphs inside must be, see reading/regions.py.
        self.leaving: Any = None
        #: The calls of the user's functions, by their nodes on the tape.
        self.calls: dict[Node, Node] = {}
        #: What was read of these functions, by the graph on the tape and what it is called with.
        self.functions: dict[Hashable, Function] = {}
        #: The graph of the region in which all this stands, or is called.
        self.inside: Program | None = None

    # Ops with the source's typing.

    def op(self, op: Op | str, *operands: Any, dtype: DType | None = None, **params: Any) -> Any:
        """Add an op the way the source framework would run it on these operands: promoted by its rules.

        Args:
            dtype: an explicit `dtype=` argument of the call.

        Raises:
            Refusal: when the source framework itself refuses these operands, or too little is known of them.
        """
        op = REGISTER[op] if isinstance(op, str) else op
        refuse_arrays({name: value for name, value in params.items() if name not in op.dynamic})
        operands = tuple(self.operand(o) for o in operands)
        if "dtype" in op.params:
            params, dtype = {**params, "dtype": dtype}, None
        rule = op.rules[0]
        if rule.cls == "free" or not operands:
            made = self.program.call(op, *operands, **params)
            return made if rule.cls == "free" else placed(self, made, dtype)
        mine = [o for o in over(op, rule, operands) if o is not None]
        typed = self.typed(op, mine, dtype)
        traits = row_of(self.source.name, op.name, rule.cls).traits
        if traits & {"nearest", "wrapped"}:
            operands = tuple(
                self.in_bounds(o, name, typed.compute, traits) for o, name in zip(operands, op.arrays)
            )
        if typed.compute is not None and typed.compute.is_integer:
            if any(type(o) is int and o not in whole(typed.compute) for o in mine):
                self.pin()  # another dtype would hold it
        casting = rule.cls not in ("same", "bool", "keep") or dtype is not None
        if typed.compute is not None and casting:
            operands = tuple(
                self.cast(o, typed.compute) if any(o is m for m in mine) else o for o in operands
            )
        if op.truth:  # a number's truth, which need not fit any dtype
            operands = tuple(bool(o) if isinstance(o, (int, float, complex)) else o for o in operands)
        told = rule.cls == "index" and "dtype" not in op.params or all(map(scalar, mine))
        result = [typed.result] if len(op.rules) == 1 and told else None
        made = self.program.call(op, *operands, result=result, **params)
        if isinstance(made, Node) and made.spec.dtype is not None and made.spec.dtype != typed.result:
            made = self.cast(made, typed.result)
        if len(op.rules) > 1 and "dtype" not in op.params:
            made = tuple(
                self.cast(m, self.source.default_int) if r.cls == "index" else m
                for m, r in zip(made, op.rules)
            )
        for node in made if isinstance(made, tuple) else (made,):
            if dtype is not None:
                behind(node).meta["asked"] = dtype
                self.said()
            if typed.weak:
                node.form = "weak"
            elif any(isinstance(o, Node) and isinstance(o.form, tuple) for o in mine):
                self.mixed(node)
                if number := unions.computed(self.callee, op, [self.forms(m) for m in mine]):
                    node.form = ((node.spec.dtype, "array"), (number, "python"))
                    node.meta["apart"] = number != node.spec.dtype
        return made

    def typed(self, op: Op, mine: Sequence[Any], dtype: DType | None) -> Typing:
        """How the source types the op on these operands. Where one of them is one thing or another, depending
        on the way that the program went, it must be typed alike for all.
        """
        found: dict[Typing, None] = {}
        plainly = unions.by_operator(self.callee, op) and not all(map(scalar, mine))
        for operands in islice(product(*(self.forms(o) for o in mine)), MEMBERS + 1):
            if plainly and all(o.form == "python" for o in operands):
                continue  # numbers of Python's, of which it makes one of its own
            try:
                made = typing(
                    self.source.name, op.rules[0].cls, operands, op=op.name, dtype=dtype, x64=self.source.x64
                )
            except NoTyping as error:
                if all(o.form == "python" for o in operands) and not all(map(scalar, mine)):
                    raise Refusal(
                        "an operand is a number on one way and an array on another",
                        "make it an array of one dtype on every way",
                    ) from None
                raise Refusal(str(error)) from None
            found[made] = None
            if is_noting():
                cls, name, x64 = op.rules[0].cls, self.source.name, self.source.x64
                if asks_ranks(name, cls, operands, op=op.name, x64=x64):
                    origin = self.program.origin
                    asked = origin is not None and is_pinned(origin.all_input_nodes)
                    by_rank(*mine, typing=not asked)
        first, *others = sorted(found, key=lambda t: t.form)
        if any((t.compute, t.result) != (first.compute, first.result) for t in others):
            raise Refusal(*unions.either([self.forms(operand) for operand in mine], list(found)))
        if getattr(first, "exact", False):
            raise Refusal(
                "NumPy compares these integers exactly, and no dtype holds both",
                "cast both operands to one dtype first",
            )
        return first

    def mixed(self, node: Node) -> None:
        """Weak operands give a weak result; where they may be weak, it may be."""
        if self.source.weak and isinstance(node.spec, Spec) and node.spec.dtype is not None:
            node.form = ((node.spec.dtype, "array"), (node.spec.dtype, "weak"))

    def forms(self, operand: Any) -> list[Operand]:
        """What an operand may be to the source's promotion, by the way that the program went."""
        form = operand.form if isinstance(operand, Node) else "array"
        if not isinstance(form, tuple):
            return [self.form(operand)]
        rank = None if isinstance(operand.spec, Scalar) else operand.spec.rank
        return [Operand(0 if kind == "python" else rank, dtype, kind) for dtype, kind in form]

    def form(self, operand: Any) -> Operand:
        if isinstance(operand, Node):
            spec = operand.spec
            if isinstance(spec, Scalar):
                return Operand(0, PYTHON.get(spec.type), "python", None)
            return Operand(spec.rank, spec.dtype, operand.form)
        return Operand(0, PYTHON[type(operand)], "python", operand)

    def operand(self, value: Any) -> Any:
        """An array operand: nodes and Python scalars as they are, other data as constants."""
        if is_shape(value):
            return self.array(self.dims(value))
        if value is None or isinstance(value, Node) or type(value) in PYTHON or type(value) is complex:
            return value
        if isinstance(value, (list, tuple)):
            return self.array(value)
        if framework_of(value) in self.source.takes:
            return self.numpys(value)
        if is_common(value) and value.shape == ():
            return float(value) if value.dtype == bool else value.item()  # torch takes True for a float too
        if isinstance(value, (bool, int, float, complex)):  # of an Enum, or a class of the user's
            kinds: tuple[Any, ...] = (int, float, complex)
            return next(kind(value) for kind in kinds if isinstance(value, kind))
        hint = "give what it holds, as `x + m.w`, or call its method by name" if is_record(value) else ""
        raise Refusal(f"{type(value).__name__} is no array operand", hint)

    def said(self) -> None:
        """What is read says a dtype, which the text may leave out: numbers of which another would be made by
        itself must stay of their types.
        """
        if self.program.origin is not None:
            for number in saying(self.program.origin.all_input_nodes):
                note_type(number)

    def pin(self) -> None:
        """What is read says a dtype that its operands have: it must stay theirs."""
        if self.program.origin is not None:
            pin(self.program.origin.all_input_nodes)

    def cast(self, value: Any, dtype: DType) -> Any:
        """The operand in this dtype; Python scalars take it by themselves."""
        if not isinstance(value, Node) or scalar(value) or value.spec.dtype == dtype:
            return value
        node = self.program.call(REGISTER["cast"], value, dtype=dtype)
        node.implicit = True
        return node

    def rank(self, value: Any, why: str) -> int:
        """The rank of an array, which a reader needs to know.

        Raises:
            Refusal: when it is not known.
        """
        if not isinstance(value, Node) or static(value):
            return 0
        shape = value.spec.shape
        by_rank(value)
        if shape is None:
            raise Refusal(
                f"the rank of its operand is not known, and {why}", "give example arguments with args="
            )
        return len(shape)

    def known(self, size: Any, why: str) -> Any:
        """A number as Python's own. Where it depends on the arguments it is the example's, and a guard says
        that it stays so.

        Raises:
            Refusal: when no example says what it is.
        """
        if isinstance(size, Node) and size.spec.type is bool:
            self.assume(size, size.spec.hint, why)
            return size.spec.hint
        if isinstance(size, Node) and not isinstance(size.spec.value, (Sym, int)):
            for leaf in roots(size):
                what = leaf.spec.value if isinstance(leaf.spec.value, Sym) else leaf
                self.assume(what, leaf.spec.hint, why)
            return size.spec.hint
        value = size.spec.value if isinstance(size, Node) else size
        if not isinstance(value, Sym):
            return value
        if value.hint is None:
            raise Refusal(
                f"{'a number' if is_local(value) else value} is not known while tracing, and {why}",
                "give example arguments with args=",
            )
        self.assume(value, value.hint, why)
        for pair in beside(self.program, value):
            self.same_size(*pair, why)
        return value.hint

    def decided(self, value: Any, why: str) -> Any:
        """A flag as Python's own: it decides what is done."""
        flag = isinstance(value, Node) and isinstance(value.spec, Scalar) and value.spec.type is bool
        return self.known(value, why) if flag else value

    def assume(self, size: Any, expected: Any, why: str) -> None:
        """Guard that a size, as an expression, has this value, unless that is certain.

        Raises:
            Refusal: where no check at the top of the function could speak of it.
        """
        if is_local(size) or isinstance(size, Node) and size.spec.local:
            raise Refusal(
                f"{why}, and a size that a loop or a branch decides is known only when the program runs",
                "make it the same on every way",
            )
        if isinstance(size, (Sym, Node)) and (size, expected) not in self.assumed:
            self.assumed.add((size, expected))
            rely(self.program, size)
            self.program.create_node("call_function", guard, (size, expected), {"why": why}).spec = Scalar(
                type(None)
            )

    def least(self, number: Any, least: int, why: str) -> None:
        """Guard that an int is at least so large, unless that is certain."""
        value = number.spec.value if isinstance(number, Node) else number
        if isinstance(value, Sym) and not compare(">=", value, least):
            self.assume(maximum(least - value, 0), 0, why)

    def in_bounds(self, operand: Any, name: str, dtype: DType | None, traits: frozenset[str]) -> Any:
        """A bound that only the running program knows, as the source takes one that a small dtype does not
        hold: as the nearest that it holds, or wrapped round.
        """
        number = isinstance(operand, Node) and isinstance(operand.spec, Scalar) and operand.spec.type is int
        if not number or dtype is None or not dtype.is_integer:
            return operand
        value, held = operand.spec.value, whole(dtype)
        if isinstance(value, Sym) and compare(">=", value, held[0]) and compare("<=", value, held[-1]):
            return operand
        self.pin()
        note_type(operand.origin or operand)
        if dtype.bits > 16 or "bounded" in traits and dtype.kind == "int":
            return operand
        if "nearest" in traits:
            nearest = (max, held[0]) if name == "low" else (min, held[-1])
            return self.reckoned(nearest[0], operand, nearest[1])
        shifted = operand if dtype.kind == "uint" else self.reckoned(operator.add, operand, -held[0])
        rest = self.reckoned(operator.mod, shifted, len(held))
        return rest if dtype.kind == "uint" else self.reckoned(operator.add, rest, held[0])

    def reckoned(self, function: Callable[..., Any], number: Node, other: int) -> Node:
        """What Python computes of a recorded int and another."""
        value = number.spec.value
        made = computed(function, [value, other]) if isinstance(value, (int, Sym)) else None
        return self.program.static(function, number, other, spec=Scalar(int, made, number.spec.local))

    def same_size(self, one: Any, other: Any, why: str) -> None:
        """Guard that two sizes are equal, unless that is certain."""
        if isinstance(one, int):
            one, other = other, one
        self.assume(*((one, other) if isinstance(other, int) else (one - other, 0)), why)

    def other_size(self, one: Any, other: Any, why: str) -> None:
        """Guard that two sizes are not equal, unless that is certain."""
        self.assume(minimum(maximum(one - other, other - one), 1), 1, why)

    def same_shape(self, one: Any, other: Any, why: str) -> bool:
        """Whether two arrays, or flat lists, have one shape: if so, that is guarded."""
        by_rank(one, other)
        shapes = [*map(flat_shape, (one, other))]
        if None in shapes or [*map(hint_of, shapes[0])] != [*map(hint_of, shapes[1])]:
            return False
        for mine, theirs in zip(*shapes):
            self.same_size(mine, theirs, why)
        return True

    def shape(self, value: Any) -> Any:
        """The whole shape of an array as a parameter: ints where they are known, else what the program will
        read.
        """
        sizes = value.spec.shape
        if sizes is not None and all(isinstance(size, int) for size in sizes):
            by_rank(value)
            return tuple(sizes)
        return self.program.static(getattr, value, "shape", spec=Scalar(tuple, sizes))

    def dims(self, shape: Node) -> list[Any]:
        """The sizes in a shape, one by one: the text depends on how many there are."""
        if self.program.origin is not None:
            pin_rank(self.program.origin.all_input_nodes)
        sizes = enumerate(shape.spec.value or ())
        return [
            size if isinstance(size, int)
            else self.program.static(operator.getitem, shape, axis, spec=Scalar(int, size))
            for axis, size in sizes
        ]  # fmt: skip

    def dim(self, value: Any, axis: int) -> Any:
        """One size of an array of known rank, likewise."""
        size = value.spec.shape[axis]
        if isinstance(size, int):
            return size
        return self.program.static(operator.getitem, self.shape(value), axis, spec=Scalar(int, size))

    def dtype(self, value: Any) -> DType:
        """The dtype that an argument names, as the source has it: JAX without x64 narrows.

        Raises:
            Refusal: when it names none.
        """
        found = dtype_of(value)
        return found if self.source.x64 else DTYPES[NARROW.get(found.name, found.name)]


def dtype_of(value: Any) -> DType:
    if isinstance(value, Node):
        raise Refusal("a dtype must be known while tracing")
    try:
        return dtype_named(value)
    except TypeError as error:
        raise Refusal(str(error)) from None


def flat_shape(value: Any) -> Any:
    """The shape of an array, a flat list or a number."""
    if isinstance(value, Node):
        return () if static(value) else value.spec.shape
    return (len(value),) if isinstance(value, (list, tuple)) else ()
