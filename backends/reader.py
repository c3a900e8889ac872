"""read: tape -> Program. A recorded call becomes an op, or an UnsupportedError with the user's line.

Here promotion becomes explicit: the operands of an op are cast to the dtype in which the *source* framework
computes (backends/typing.py), so that a Program needs no rules of any framework. Casts made here are marked
implicit: the writer drops those that the target's own promotion makes superfluous.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections import namedtuple
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ..ir.dim import Sym
from ..ir.dtypes import COMPLEX, DTYPES, PYTHON, DType
from ..ir.errors import ShapeError, TraceError, UnsupportedError, several
from ..ir.graph import Graph, Node, map_arg, target_name
from ..ir.op import REGISTER, Op, over
from ..ir.ops import load as load_ops
from ..ir.program import Program, scalar
from ..ir.regions import Function, Region, guard
from ..ir.spec import Spec
from ..ir.static import Scalar, static
from .backend import Backend, framework_of
from .lenses import NotExpressible
from .phrase import READERS, READS, Hole, Lensed, Literal, Phrase, Spread, equal
from .phrases import load as load_phrases
from .signatures import NO_VALUE, REQUIRED, Binding, SignatureError, canonical, known, names_of, signature
from .typing import NoTyping, Operand, Typing, typing
from .typing.jax import NARROW

#: Arguments that never change a number; they are dropped.
HARMLESS = frozenset(
    """
    device requires_grad pin_memory layout non_blocking memory_format order subok casting precision
    like copy generator _stacklevel out_sharding unique_indices indices_are_sorted optimize
    """.split()
)

#: The operators that write in place, and those that give the same value.
INPLACE = {
    "iadd": "add",
    "isub": "sub",
    "imul": "mul",
    "itruediv": "truediv",
    "ifloordiv": "floordiv",
    "imod": "mod",
    "ipow": "pow",
    "imatmul": "matmul",
    "iand": "and_",
    "ior": "or_",
    "ixor": "xor",
    "ilshift": "lshift",
    "irshift": "rshift",
}


class Refusal(Exception):
    """Why a call cannot be read; the caller knows the operation and the line."""

    def __init__(self, why: str, hint: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint


class Reading:
    """One pass over a tape (or one call, for its spec). Readers written by hand use `op` and `known`."""

    def __init__(self, source: Backend, program: Program) -> None:
        load_ops()
        load_phrases()
        self.source = source
        self.program = program
        self.assumed: set[tuple[Any, Any]] = set()

    # Ops with the source's typing.

    def op(self, op: Op | str, *operands: Any, dtype: DType | None = None, **params: Any) -> Any:
        """Add an op the way the source framework would run it on these operands: promoted by its rules.

        Args:
            dtype: an explicit `dtype=` argument of the call.

        Raises:
            Refusal: when the source framework itself refuses these operands, or too little is known of them.
        """
        op = REGISTER[op] if isinstance(op, str) else op
        operands = tuple(self.operand(o) for o in operands)
        if "dtype" in op.params:
            params, dtype = {**params, "dtype": dtype}, None
        if op.rules[0].cls == "free" or not operands:
            return self.program.call(op, *operands, **params)
        rule = op.rules[0]
        mine = [o for o in over(op, rule, operands) if o is not None]
        typed = self.typed(op, mine, dtype)
        casting = rule.cls not in ("same", "bool", "keep") or dtype is not None
        if typed.compute is not None and casting:
            operands = tuple(
                self.cast(o, typed.compute) if any(o is m for m in mine) else o for o in operands
            )
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
            if typed.weak:
                node.meta["form"] = "weak"
        return made

    def typed(self, op: Op, mine: Sequence[Any], dtype: DType | None) -> Typing:
        try:
            found = typing(
                self.source.name,
                op.rules[0].cls,
                [self.form(o) for o in mine],
                op=op.name,
                dtype=dtype,
                x64=self.source.x64,
            )
        except NoTyping as error:
            raise Refusal(str(error)) from None
        if getattr(found, "exact", False):
            raise Refusal(
                "NumPy compares these integers exactly, and no dtype holds both",
                "cast both operands to one dtype first",
            )
        return found

    def form(self, operand: Any) -> Operand:
        """An operand as the source's promotion sees it."""
        if isinstance(operand, Node):
            spec = operand.spec
            if isinstance(spec, Scalar):
                return Operand(0, PYTHON.get(spec.type), "python", None)
            return Operand(spec.rank, spec.dtype, operand.meta.get("form", "array"))
        return Operand(0, PYTHON[type(operand)], "python", operand)

    def operand(self, value: Any) -> Any:
        """An array operand: nodes and Python scalars as they are, other data as constants."""
        if value is None or isinstance(value, (Node, bool, int, float, complex)):
            return value
        if isinstance(value, (list, tuple)):
            return self.array(value)
        if self.source.name == "jax" and framework_of(value) == "numpy":
            return self.numpys(value)
        raise Refusal(f"{type(value).__name__} is no array operand")

    def numpys(self, value: Any) -> Node:
        """An array of NumPy's as the literal that it stands for in a program of another framework."""
        if value.size > 32:
            raise Refusal(
                "a large array of NumPy's", f"make it an array of {self.source.name} outside the function"
            )
        made: Node = self.program.call(REGISTER["array"], value=value.tolist(), dtype=self.dtype(value.dtype))
        return made

    def array(self, value: Any, dtype: DType | None = None) -> Any:
        """Nested lists of numbers as an array constant; lists that hold arrays are stacked."""
        leaves = list(flatten(value))
        if any(isinstance(leaf, Node) for leaf in leaves):
            return self.stacked(value, dtype)
        if dtype is None:
            kinds = [PYTHON[type(leaf)] for leaf in leaves if type(leaf) in PYTHON]
            if len(kinds) != len(leaves):
                raise Refusal("a list of something other than numbers is no array")
            order = [d.kind for d in kinds]
            dtype = (
                COMPLEX[self.source.default_float.name]
                if "complex" in order
                else self.source.default_float
                if "float" in order or not order
                else self.source.default_int
                if "int" in order
                else PYTHON[bool]
            )
        return self.program.call(REGISTER["array"], value=listed(value), dtype=dtype)

    def stacked(self, value: Any, dtype: DType | None) -> Any:
        if isinstance(value, Node):
            return value
        parts = [self.stacked(v, None) if isinstance(v, (list, tuple)) else v for v in value]
        arrays = [p if isinstance(p, Node) and not static(p) else self.single(p) for p in parts]
        made = self.op("stack", *arrays, axis=0)
        return made if dtype is None else self.op("cast", made, dtype=dtype)

    def single(self, value: Any) -> Node:
        """A number as an array without axes; JAX's is weak."""
        found = self.scalar_dtype(value)
        if isinstance(value, Node):
            made: Node = self.program.call(REGISTER["full"], shape=(), fill_value=value, dtype=found)
        else:
            made = self.program.call(REGISTER["array"], value=value, dtype=found)
        if self.source.name == "jax" and found.kind != "bool":
            made.meta["form"] = "weak"
        return made

    def scalar_dtype(self, value: Any) -> DType:
        kind = value.spec.type if isinstance(value, Node) else type(value)
        if kind is complex:
            return COMPLEX[self.source.default_float.name]
        return {float: self.source.default_float, int: self.source.default_int, bool: PYTHON[bool]}[kind]

    def cast(self, value: Any, dtype: DType) -> Any:
        """The operand in this dtype; Python scalars take it by themselves."""
        if not isinstance(value, Node) or scalar(value) or value.spec.dtype == dtype:
            return value
        node = self.program.call(REGISTER["cast"], value, dtype=dtype)
        node.meta["implicit"] = True
        return node

    def rank(self, value: Any, why: str) -> int:
        """The rank of an array, which a reader needs to know.

        Raises:
            Refusal: when it is not known.
        """
        if not isinstance(value, Node) or static(value):
            return 0
        shape = value.spec.shape
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
                f"{value} is not known while tracing, and {why}", "give example arguments with args="
            )
        self.assume(value, value.hint, why)
        return value.hint

    def assume(self, size: Any, expected: Any, why: str) -> None:
        """Guard that a size, as an expression, has this value, unless that is certain."""
        if isinstance(size, (Sym, Node)) and (size, expected) not in self.assumed:
            self.assumed.add((size, expected))
            self.program.create_node("call_function", guard, (size, expected), {"why": why}).spec = Scalar(
                type(None)
            )

    def same_size(self, one: Any, other: Any, why: str) -> None:
        """Guard that two sizes are equal, unless that is certain."""
        if isinstance(one, int):
            one, other = other, one
        self.assume(*((one, other) if isinstance(other, int) else (one - other, 0)), why)

    def shape(self, value: Any) -> Any:
        """The whole shape of an array as a parameter: ints where they are known, else what the program will
        read.
        """
        sizes = value.spec.shape
        if sizes is not None and all(isinstance(size, int) for size in sizes):
            return tuple(sizes)
        return self.program.static(getattr, value, "shape", spec=Scalar(tuple, sizes))

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

    # Calls.

    def call(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Read the call of a canonical name. What writes in place is read as its value, in the dtype of what
        it writes into.

        Raises:
            Refusal: when no row reads it.
        """
        plain = self.not_in_place(name)
        if plain is not None:
            made = self.call(plain, args, kwargs)
            return self.cast(made, args[0].spec.dtype)
        if name.startswith("attribute."):
            args = args[:1]  # the tape has the attribute's name as well
        reasons: list[Refusal] = []
        for callee, given, named in self.spellings(name, args, kwargs):
            try:
                return self.spelled(callee, given, named)
            except Refusal as refusal:
                reasons.append(refusal)
        if reasons:
            raise reasons[-1]
        raise Refusal("the dictionary has no row for it yet")

    def not_in_place(self, name: str) -> str | None:
        """The name of the op whose result a call of this name writes into its first operand; None for any
        other name.
        """
        root, _, last = name.rpartition(".")
        if root == "operator" and last in INPLACE:
            return f"operator.{INPLACE[last]}"
        if root == "torch.Tensor" and last.endswith("_") and not last.endswith("__"):
            return name.removesuffix("_")
        return None

    def spellings(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The name itself where it has a row, then the functions that a method stands for."""
        framework = self.source.name
        if (framework, name) in READERS or (framework, name) in READS:
            yield name, args, kwargs
            return
        prefix = self.source.array_type + "."
        if not name.startswith(prefix):
            return
        method = name.removeprefix(prefix)
        bound = bind(name, args, kwargs) if known(name) else None
        for module in self.source.functions:
            function = f"{module}.{method}"
            if (framework, function) in READERS or (framework, function) in READS:
                if not isinstance(bound, Binding):
                    yield function, args, kwargs
                else:
                    rest = dict(bound)
                    nameless = [
                        p.name for p in bound.overload.parameters if not p.spellings and p.name in rest
                    ]
                    yield function, tuple(rest.pop(n) for n in nameless), rest
                return

    def spelled(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        framework = self.source.name
        bound = bind(name, args, kwargs)
        if bound.get("order", "C") not in ("C", None) and name.rpartition(".")[2] in (
            "reshape",
            "ravel",
            "flatten",
        ):
            raise Refusal(
                f"order={bound['order']!r} takes the elements in another order than rows", "transpose first"
            )
        reader = READERS.get((framework, name))
        if reader is not None:
            try:
                return (
                    reader(self, **significant(reader, name, bound))
                    if known(name)
                    else reader(self, *args, **kwargs)
                )
            except TypeError as error:
                if "argument" not in str(error):
                    raise
                raise Refusal(str(error).partition(") ")[2] or str(error)) from None
        refusal: Refusal | None = None
        for phrase in READS[framework, name]:
            try:
                return self.matched(phrase, bound, name)
            except Refusal as why:
                refusal = refusal or why
        assert refusal is not None
        raise refusal

    def matched(self, phrase: Phrase, bound: Mapping[str, Any], name: str) -> Any:
        """The op that this phrase stands for, if the bound arguments fit it."""
        op = phrase.op
        found: dict[str, Any] = {}
        left = dict(bound)
        order, defaults = shape_of_call(name, bound)
        for key, argument in phrase.arguments:
            if isinstance(key, int) and key >= len(order):
                raise Refusal(f"{name} takes {len(order)} arguments here")
            parameter = order[key] if isinstance(key, int) else canonical_parameter(bound, key)
            if isinstance(argument, Spread):
                found[argument.name] = left.pop(parameter, ())
                continue
            if parameter not in left and parameter not in defaults:
                raise Refusal(f"argument {parameter!r} is missing")
            value = left.pop(parameter) if parameter in left else defaults[parameter]
            if value == NO_VALUE and isinstance(argument, Hole):
                value = op.params[argument.name]
            self.match(argument, value, found, parameter)
        dtype = None
        for parameter, value in left.items():
            if parameter in HARMLESS or parameter in defaults and alike(value, defaults[parameter]):
                continue
            if parameter == "dtype":
                dtype = None if value is None else self.dtype(value)
                continue
            raise Refusal(f"argument {parameter!r} has no counterpart in {op.name}")
        for test in phrase.conditions:
            if test.kind is None:
                found.setdefault(test.name, test.literal)
        return self.finish(phrase, found, dtype)

    def match(self, argument: Any, value: Any, found: dict[str, Any], parameter: str) -> None:
        match argument:
            case Hole(hole):
                if hole in found and not equal(found[hole], value):
                    raise Refusal(f"argument {parameter!r} differs from {hole}")
                found[hole] = value
            case Literal(literal):
                if not equal(value, literal):
                    raise Refusal(f"argument {parameter!r} is {value!r}; only {literal!r} can be translated")
            case Lensed(lens, hole):
                try:
                    found[hole] = lens.back(value)
                except NotExpressible as error:
                    raise Refusal(f"argument {parameter!r} should be {error}") from None
            case tuple():
                if not isinstance(value, (tuple, list)) or len(value) != len(argument):
                    raise Refusal(f"argument {parameter!r} should have {len(argument)} entries")
                for inner, item in zip(argument, value):
                    self.match(inner, item, found, parameter)

    def finish(self, phrase: Phrase, found: dict[str, Any], dtype: DType | None) -> Any:
        op = phrase.op
        operands = [found.pop(name, None) for name in op.arrays]
        if op.variadic and op.variadic in found:
            spread = found.pop(op.variadic)
            if isinstance(spread, Node):
                raise Refusal("its operands should be a list of arrays")
            operands += list(spread)
        for name, value in found.items():
            if any(isinstance(leaf, Node) and not static(leaf) for leaf in flatten(value)):
                raise Refusal(f"{name!r} is an array; it must be known while tracing")
        if "dtype" in op.params and found.get("dtype") is not None:
            found["dtype"] = self.dtype(found["dtype"])
        params = {k: self.parameter(v) for k, v in found.items()}
        from .phrase import holds

        for test in phrase.conditions:
            value = params.get(
                test.name, operands[op.arrays.index(test.name)] if test.name in op.arrays else None
            )
            spec = getattr(value, "spec", None) if isinstance(value, Node) else None
            if not holds(test, value, spec):
                raise Refusal(f"{test.name} is not {test.literal if test.kind is None else test.kind}")
        if phrase.form == "same":
            return operands[0]
        if phrase.op.rules[0].cls == "free" and "dtype" in op.params and params.get("dtype") is None:
            params["dtype"] = self.created(op, operands, params)
        made = self.op(op, *operands, dtype=params.pop("dtype", dtype), **params)
        return (
            results(self.source.module, phrase.fields)(*made)
            if phrase.fields and isinstance(made, tuple)
            else made
        )

    def parameter(self, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) and type(value) is list else value

    def created(self, op: Op, operands: Sequence[Any], params: Mapping[str, Any]) -> Any:
        """The dtype of an array made from nothing or from Python scalars."""
        for operand in operands:
            if isinstance(operand, Node) and isinstance(operand.spec, Spec):
                return operand.spec.dtype
        kinds = [
            self.scalar_dtype(v) for k, v in params.items()
            if k in ("fill_value", "start", "stop", "step")
            and (isinstance(v, Node) or type(v) in (int, float, bool))
        ]  # fmt: skip
        if op.name == "arange" or op.name == "full":
            return next(
                (k for k in kinds if k.kind == "float"), kinds[0] if kinds else self.source.default_int
            )
        return self.source.default_float


@cache
def results(module: str, fields: tuple[str, ...]) -> type[Any]:
    """The named tuple in which a framework returns several results."""
    return namedtuple("results", fields, module=module)


def significant(reader: Any, name: str, bound: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a hand-written reader is given: not those that it does not know and that say nothing
    new.
    """
    taken = inspect.signature(reader).parameters
    defaults = shape_of_call(name, bound)[1]
    return {
        k: v
        for k, v in bound.items()
        if k in taken or not (k in HARMLESS or k in defaults and alike(v, defaults[k]))
    }


def alike(value: Any, default: Any) -> bool:
    """Whether an argument says what its default does; 0 says what 0.0 does."""
    numbers = type(value) in (int, float) and type(default) in (int, float)
    return value == default if numbers else equal(value, default)


def roots(node: Node) -> list[Node]:
    """The arguments, or items of arguments, that a recorded number is computed from."""
    found: dict[Node, None] = {}
    stack = [node]
    while stack:
        inner = stack.pop()
        numbers = [
            n for n in inner.all_input_nodes if isinstance(n.spec, Scalar) and n.spec.type is not tuple
        ]
        if numbers:
            stack += numbers
        else:
            found[inner] = None
    return list(found)


def bind(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by the callee's own parameter names. Operators and attributes take theirs by position."""
    if not known(name):
        return {str(i): a for i, a in enumerate(args)} | dict(kwargs)
    try:
        return signature(name).bind(args, kwargs, kind_of=kind_of_node)
    except SignatureError as error:
        raise Refusal(error.why) from None


def kind_of_node(value: Any) -> str | None:
    """What a recorded value is to a signature with several overloads."""
    if isinstance(value, Node):
        kind = value.spec.type.__name__ if isinstance(value.spec, Scalar) else "tensor"
        return "ints" if kind == "tuple" else kind
    if isinstance(value, (tuple, list)) and value and all(isinstance(v, Node) for v in value):
        return "tensors" if all(isinstance(v.spec, Spec) for v in value) else "ints"
    return None


def shape_of_call(name: str, bound: Mapping[str, Any]) -> tuple[list[str], Mapping[str, Any]]:
    """The parameters of the overload that was called, in order, and the defaults of those omitted."""
    if isinstance(bound, Binding):
        return [p.name for p in bound.overload.parameters], flatten_defaults(bound.overload)
    return list(bound) if not known(name) else [p.name for p in signature(name).parameters], {}


def canonical_parameter(bound: Mapping[str, Any], name: str) -> str:
    """The parameter that a phrase names, by any of its spellings."""
    if isinstance(bound, Binding):
        for parameter in bound.overload.parameters:
            if name == parameter.name or name in parameter.spellings:
                return parameter.name
    return name


def flatten_defaults(overload: Any) -> dict[str, Any]:
    return {p.name: p.default for p in overload.parameters if p.default is not REQUIRED}


def dtype_of(value: Any) -> DType:
    from ..ir.dtypes import dtype

    if isinstance(value, Node):
        raise Refusal("a dtype must be known while tracing")
    try:
        return dtype(value)
    except TypeError as error:
        raise Refusal(str(error)) from None


def flatten(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from flatten(item)
    else:
        yield value


def listed(value: Any) -> Any:
    return [listed(v) for v in value] if isinstance(value, (list, tuple)) else value


def canonical_names(op: str, target: Any, args: Sequence[Any], source: Backend) -> tuple[str, ...]:
    """The names under which the dictionary may know what a tape node calls."""
    if op == "call_method":
        name = f"{source.array_type}.{target}"
        return (name, canonical(name)) if known(name) and canonical(name) != name else (name,)
    if target is getattr:
        return (f"attribute.{args[1]}",)
    if getattr(target, "__module__", None) == "_operator":
        return (f"operator.{target.__name__}",)
    return tuple(names_of(target))


def written_name(op: str, target: Any, source: Backend, args: Sequence[Any] = (None, "attribute")) -> str:
    """The operation as the user knows it: "torch.nonzero", "torch.Tensor.add_", ".T"."""
    names = canonical_names(op, target, args, source)
    return names[0].removeprefix("attribute") if names else target_name(target)


def read(graph: Graph, source: Backend) -> Program:
    """The Program of a tape.

    Raises:
        UnsupportedError: listing every call that cannot be read.
    """
    refusals: list[UnsupportedError] = []
    program = read_graph(graph, source, refusals)
    if refusals:
        raise several(refusals)
    return program


def read_graph(graph: Graph, source: Backend, refusals: list[UnsupportedError]) -> Program:
    program = Program(graph.name)
    program.meta = dict(graph.meta)
    program.guards = list(graph.guards)
    program.constants = dict(graph.constants)
    reading = Reading(source, program)
    env: dict[Node, Any] = {}
    for node in graph.nodes:
        program.origin = node
        if node.op == "placeholder":
            env[node] = made = program.create_node("placeholder", node.target, node.args, name=node.name)
            made.spec, made.meta = node.spec, dict(node.meta)
        elif node.op == "get_attr":
            env[node] = constant(reading, node)
        elif node.op == "output":
            program.output(map_arg(node.args[0], env.__getitem__), node.target)
        else:
            args, kwargs = map_arg(node.args, env.__getitem__), map_arg(node.kwargs, env.__getitem__)
            env[node] = made = read_node(reading, node, args, kwargs, refusals)
            for part in made if isinstance(made, tuple) else (made,):
                if isinstance(part, Node) and part.origin is node:
                    part.meta.setdefault("for", node)
                    if part.target is operator.getitem and isinstance(part.args[0].spec, tuple):
                        part.args[0].meta.setdefault("for", node)
    return program


def read_node(reading: Reading, node: Node, args: Any, kwargs: Any, refusals: list[UnsupportedError]) -> Any:
    try:
        return read_call(reading, node, args, kwargs, refusals)
    except Refusal as refusal:
        refusals.append(
            UnsupportedError(
                written_name(node.op, node.target, reading.source, node.args),
                why=refusal.why,
                span=node.span,
                hint=refusal.hint,
            )
        )
    except ShapeError as error:
        if error.span is None:
            raise ShapeError(error.message, reports=error.reports, span=node.span) from None
        raise
    # The program is refused in any case; a stand-in lets the other refusals be found too.
    return stand_in(reading, node)


def stand_in(reading: Reading, node: Node) -> Any:
    specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
    made = []
    for spec in specs:
        part = reading.program.create_node("placeholder", "refused")
        part.spec = spec
        made.append(part)
    return tuple(made) if isinstance(node.spec, tuple) else made[0]


def read_call(reading: Reading, node: Node, args: Any, kwargs: Any, refusals: list[UnsupportedError]) -> Any:
    target = node.target
    if isinstance(target, (Region, Function)):
        return read_region(reading, node, args, refusals)
    if isinstance(node.spec, Scalar):
        return reading.program.static(
            target if node.op == "call_function" else node.target, *args, spec=node.spec, **kwargs
        )
    if target is operator.getitem and isinstance(args[0], (tuple, list, dict)):
        return args[0][args[1]]
    if target in (operator.getitem, getattr) and isinstance(getattr(args[0], "spec", None), (tuple, dict)):
        item = reading.program.create_node("call_function", target, args)
        item.spec = node.spec
        return item
    names = canonical_names(node.op, node.target, node.args, reading.source)
    if not names:
        raise Refusal(
            "the dictionary does not know this function",
            "leave it out of the traced function, or write it with known ones",
        )
    refusal: Refusal | None = None
    for name in names:
        try:
            made = reading.call(name, args, kwargs)
            break
        except Refusal as why:
            if refusal is None or refusal.why.startswith("the dictionary"):
                refusal = why
    else:
        assert refusal is not None
        raise refusal
    agree(node, made)
    return made


def agree(node: Node, made: Any) -> None:
    """Hold what the dictionary infers against what the framework itself said of this call.

    Raises:
        TraceError: where they differ: a row is wrong, and its numbers cannot be trusted.
    """
    for said, found in pairs(node.spec, made):
        if not isinstance(said, Spec) or not isinstance(found, Node) or not isinstance(found.spec, Spec):
            continue
        if said.dtype is not None and found.spec.dtype is not None and said.dtype != found.spec.dtype:
            raise TraceError(
                f"{target_name(node.target)} gives {said.dtype}, but the dictionary says {found.spec.dtype}",
                span=node.span,
            )
        if (
            said.shape is not None
            and found.spec.shape is not None
            and said.hint_shape != found.spec.hint_shape
        ):
            raise TraceError(
                f"{target_name(node.target)} gives {said}, but the dictionary says {found.spec}",
                span=node.span,
            )
        if said.shape is not None or found.spec.shape is None:
            found.spec = Spec(
                said.shape if said.shape is not None else found.spec.shape, found.spec.dtype or said.dtype
            )


def pairs(said: Any, made: Any) -> list[tuple[Any, Any]]:
    if isinstance(said, tuple) and isinstance(made, (tuple, list)):
        return [p for s, m in zip(said, made) for p in pairs(s, m)]
    return [(said, made)]


def read_region(reading: Reading, node: Node, args: Any, refusals: list[UnsupportedError]) -> Any:
    graphs = [read_graph(g, reading.source, refusals) if isinstance(g, Graph) else g for g in args]
    target = node.target
    if isinstance(target, Function):
        target = Function(target.name, read_graph(target.graph, reading.source, refusals))
    made = reading.program.create_node("call_function", target, tuple(graphs), name=target.name)
    made.spec = node.spec
    if isinstance(node.spec, tuple):
        return tuple(reading.program.project(made, i) for i in range(len(node.spec)))
    return made


def constant(reading: Reading, node: Node) -> Any:
    """An array that the function closes over: a literal where it is small, else a parameter of its own."""
    value = reading.program.constants[node.target]
    spec = node.spec
    if math.prod(spec.shape) <= 32 and spec.dtype.name != "bfloat16":
        import numpy as np

        return reading.program.call(REGISTER["array"], value=np.asarray(value).tolist(), dtype=spec.dtype)
    made = reading.program.create_node("get_attr", node.target, name=node.name)
    made.spec = spec
    return made
