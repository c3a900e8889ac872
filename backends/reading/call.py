"""A call by the name of what it calls, as ops: by a phrase with that callee, or by a hand-written reader."""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.likeness import equal
from ...ir.graphs.static import Scalar
from ...ir.meaning.op import REGISTER, Op
from ...ir.meaning.operands import scalar
from ...ir.ops.indexing import UPDATES
from ...ir.passes.fold import open_
from ...ir.values.dtypes import DType
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ..backend import backend, speaker, tupled
from ..context import Reading, Refusal, behind
from ..lenses import NotExpressible
from ..literals import refuse_arrays, said
from ..memory import not_in_place
from ..overloads import speaks_of
from ..phrase import Condition, Hole, Lensed, Literal, Phrase, Spread, own_default
from ..rows import CONSTRUCTS, OTHERWISE, READERS, REFUSED, SIZES, WITHOUT
from ..rows import reading as phrases_of
from ..signatures import Binding, Symbol, known
from ..signatures.model import Passing
from .binding import bind, canonical_parameter, shape_of_call, told
from .conditions import Mismatch, hold_conditions

#: The ops that programs call themselves, by id: several may have one name.
OPS: dict[int, Op] = {}
#: Arguments that never change a number; they are dropped.
HARMLESS = frozenset(
    """
    device requires_grad pin_memory layout non_blocking memory_format order subok casting precision
    like copy generator _stacklevel out_sharding unique_indices indices_are_sorted optimize
    padding_idx sparse_grad implicit
    """.split()
)

#: The parameters, by any framework's name, that say which axes are meant.
AXES = frozenset(
    """axis axes axis1 axis2 dim dims dim0 dim1 dimension dimensions permutation source destination
    start_dim end_dim""".split()
)


def by_rows(reading: Reading, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Read the call of a canonical name. What writes in place is read as its value, in that dtype.

    Raises:
        Refusal: when no row reads it.
    """
    reading.callee = name
    if name in CONSTRUCTS:
        return spelled(reading, name, args, kwargs)
    plain = not_in_place(name)
    if plain is not None:
        spec = args[0].spec
        made = reading.cast(by_rows(reading, plain, args, kwargs), spec.dtype)
        fits = isinstance(spec, Spec) and reading.source.mutable and not is_picked(args[0])
        if not fits or not isinstance(made, Node):
            return made
        if made.spec.shape is not None and made.spec.hint_shape != args[0].spec.hint_shape:
            return made
        if made.target in UPDATES and made.args[0] is args[0]:
            return made
        return reading.program.call(REGISTER["update"], args[0], made, key=(...,))
    if name.startswith("op."):
        flags = {k: reading.decided(v, f"what it does depends on its {k}") for k, v in kwargs.items()}
        return reading.op(OPS[int(name[3:])], *args, **flags)
    if name.startswith("attribute."):
        args = args[:1]  # the tape has the attribute's name as well
    reasons: list[Refusal] = []
    for callee, given, named in spellings(reading, name, args, kwargs):
        try:
            return spelled(reading, callee, given, named)
        except Refusal as refusal:
            reasons.append(refusal)
    if reasons:
        raise reasons[-1]
    framework = speaker(name)
    if framework not in (None, reading.source.name):
        raise Refusal(
            f"it is a function of {framework} in a program of {reading.source.name}",
            f"use that of {reading.source.name}, or give example arguments of {framework}",
        )
    raise Refusal("the dictionary has no row for it yet", "`tracelate ops` lists what it has")


def is_picked(array: Node) -> bool:
    """Whether an array is what was picked out of another, how much of it is not known: the other is written
    into then.
    """
    return array.spec.shape is None and array.target is REGISTER["getitem_mask"]


def spellings(reading: Reading, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The name itself where it has a row, then the functions that a method stands for."""
    framework = reading.source.name
    if (framework, name) in REFUSED:
        raise Refusal(*REFUSED[framework, name])
    if readable(framework, name):
        yield name, args, kwargs
        return
    prefix = reading.source.array_type + "."
    if not name.startswith(prefix):
        return
    method = name.removeprefix(prefix)
    bound = bind(name, args, kwargs) if known(name) else None
    for module in reading.source.functions:
        function = f"{module}.{method}"
        if readable(framework, function):
            if not isinstance(bound, Binding):
                yield function, args, kwargs
            else:
                rest = dict(bound)
                nameless = [p.name for p in bound.overload.parameters if not p.spellings and p.name in rest]
                yield function, tuple(rest.pop(n) for n in nameless), rest
            return


def readable(framework: str, name: str) -> bool:
    return bool((framework, name) in READERS or phrases_of(framework, name) or name in CONSTRUCTS)


def spelled(reading: Reading, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    framework = reading.source.name
    bound = bind(name, args, kwargs)
    for parameter in (AXES & bound.keys()) - SIZES.get((framework, name), frozenset()):
        bound[parameter] = settled(reading, bound[parameter])
    last = name.rpartition(".")[2]
    if bound.get("order", "C") not in ("C", None) and last in ("reshape", "ravel", "flatten"):
        why = f"order={bound['order']!r} takes the elements in another order than rows"
        raise Refusal(why, "transpose first")
    reader = READERS.get((framework, name)) or CONSTRUCTS.get(name)
    if reader is not None:
        return by_hand(reading, reader, name, args, kwargs, bound)
    refusals: list[Refusal] = []
    for phrase in phrases_of(framework, name):
        try:
            return matched(reading, phrase, bound, name)
        except Refusal as why:
            refusals.append(why)
    # Of a phrase that the call fits, the reason is the call's own.
    raise next((why for why in refusals if not isinstance(why, Mismatch)), refusals[0])


def matched(reading: Reading, phrase: Phrase, bound: Mapping[str, Any], name: str) -> Any:
    """The op that this phrase stands for, if the bound arguments fit it."""
    op = phrase.op
    found: dict[str, Any] = {}
    left = dict(bound)
    if isinstance(bound, Binding) and not speaks_of(phrase, bound.overload):
        raise Mismatch(f"{name} is called in another way here", OTHERWISE.get(op.name))
    order, defaults = shape_of_call(name, bound)
    for key, argument in phrase.arguments:
        if isinstance(key, int) and key >= len(order):
            raise Mismatch(f"{name} takes {len(order)} arguments here")
        parameter = order[key] if isinstance(key, int) else canonical_parameter(bound, key)
        if isinstance(argument, Spread):
            found[argument.name] = spread(phrase, argument.name, left.pop(parameter, None))
            continue
        if parameter not in left and parameter not in defaults:
            raise Mismatch(f"argument {parameter!r} is missing")
        value = left.pop(parameter) if parameter in left else defaults[parameter]
        if isinstance(argument, Hole) and argument.name in op.arrays and collects(bound, parameter):
            value = only(value, parameter)
        if isinstance(value, Symbol) and isinstance(argument, Hole):
            value = own_default(op, argument.name)
        match(reading, argument, value, found, parameter)
    dtype = None
    for parameter, value in left.items():
        if parameter in HARMLESS or parameter in defaults and says_default(value, defaults[parameter]):
            continue
        if parameter == "dtype" and "dtype" not in op.params and op.rules[0].cls != "same":
            dtype = None if value is None else reading.dtype(value)
            continue
        raise Mismatch(f"argument {parameter!r} has no counterpart in {op.name}", WITHOUT.get(parameter))
    open_ = [test for test in phrase.conditions if test.kind is not None or test.name in found]
    found |= {test.name: test.literal for test in phrase.conditions if test not in open_}
    return finish(reading, phrase, found, open_, dtype, told(phrase, bound, order))


def collects(bound: Mapping[str, Any], parameter: str) -> bool:
    """Whether a parameter takes any number of arguments, `*arys`."""
    given = bound.overload.parameters if isinstance(bound, Binding) else ()
    return any(p.name == parameter and p.passing is Passing.VAR_POSITIONAL for p in given)


def only(given: Any, parameter: str) -> Any:
    """The one array that such a parameter is given. Of several there would be as many results."""
    if not isinstance(given, tuple) or len(given) != 1 or isinstance(given[0], (tuple, list, type(None))):
        raise Mismatch(f"{parameter!r} is not one array", "call it for each")
    return given[0]


def spread(phrase: Phrase, name: str, given: Any) -> Any:
    """What `*name` stands for: all the arguments; some frameworks take arrays as one list too. A parameter of
    which there are none is as by default.
    """
    alone = isinstance(given, tuple) and len(given) == 1 and isinstance(given[0], (tuple, list))
    if name == phrase.op.variadic:
        return given[0] if alone and backend(phrase.framework).list_arguments else given or ()
    if given is None:
        given = phrase.op.params[name]
    return () if given is ... else given[0] if alone else given


def match(reading: Reading, argument: Any, value: Any, found: dict[str, Any], parameter: str) -> None:
    match argument:
        case Hole(hole):
            if hole in found and not equal(found[hole], value):
                raise Mismatch(f"argument {parameter!r} differs from {hole}")
            found[hole] = value
        case Literal(literal):
            if not equal(value, literal):
                shown = "computed" if any(isinstance(v, Node) for v in leaves(value)) else repr(value)
                why = f"argument {parameter!r} is {shown}; only {literal!r} can be translated"
                raise Mismatch(why, WITHOUT.get(parameter))
        case Lensed(lens, hole):
            try:
                found[hole] = lens.back(value)
            except NotExpressible as error:
                raise Mismatch(f"argument {parameter!r} should be {error}") from None
        case tuple():
            if not isinstance(value, (tuple, list)) or len(value) != len(argument):
                raise Mismatch(f"argument {parameter!r} should have {len(argument)} entries")
            for inner, item in zip(argument, value):
                match(reading, inner, item, found, parameter)


def finish(
    reading: Reading,
    phrase: Phrase,
    found: dict[str, Any],
    tests: Sequence[Condition],
    dtype: DType | None,
    telling: frozenset[str],
) -> Any:
    op = phrase.op
    operands = [reading.operand(found.pop(name, None)) for name in op.arrays]
    missing = [name for o, name in zip(operands, op.arrays) if o is None and name not in op.optional]
    if missing:
        why = f"without {' and '.join(missing)} it does another thing, which has no row yet"
        raise Mismatch(why, OTHERWISE.get(op.name))
    named = dict(zip(op.arrays, operands))
    if op.variadic and op.variadic in found:
        operands += reading.items(found.pop(op.variadic))
    refuse_arrays(found)
    if "dtype" in op.params and found.get("dtype") is not None:
        found["dtype"] = reading.dtype(found["dtype"])
    params = {k: reading.decided(tupled(v), f"what it does depends on its {k}") for k, v in found.items()}
    hold_conditions(reading, op.name, tests, named, params)
    if op is REGISTER["identity"] and dtype is None:
        return operands[0]
    if op is REGISTER["cast"] and scalar(operands[0]) and params.get("dtype") is not None:
        return said(reading.op("full", shape=(), fill_value=operands[0], **params))  # np.float32(n)
    keeps = op.rules[0].cls in ("same", "free") and op is not REGISTER["cast"]
    if keeps and operands and scalar(operands[0]):
        operands[0] = reading.single(operands[0])  # np.ravel(1)
    weak = natural = False
    if op.natural == "like" and params.get("dtype") is not None:
        reading.said()
        natural = has_always(operands[0], params["dtype"])
    if op.rules[0].cls == "free" and "dtype" in op.params and params.get("dtype") is None:
        params["dtype"] = created(reading, op, operands)
        natural = op.natural == "like"
        weak = natural and operands[0].form == "weak"
    made = reading.op(op, *operands, dtype=params.pop("dtype", dtype), **params)
    if natural:
        made.meta["natural"] = True
    for part in made if isinstance(made, tuple) else (made,):
        if isinstance(part, Node):
            behind(part).meta["read"] = phrase
            behind(part).meta["told"] = telling & params.keys()
    if weak:
        made.form = "weak"
    if phrase.in_list:
        return list(made)
    if not phrase.fields or not isinstance(made, tuple):
        return made
    return results(reading.source.module, phrase.fields)(*made)


def has_always(array: Any, dtype: DType) -> bool:
    """Whether an array has this dtype, whatever the arguments are."""
    known = isinstance(array, Node) and isinstance(array.spec, Spec) and array.origin is not None
    return known and array.spec.dtype == dtype and not open_(array)


def created(reading: Reading, op: Op, operands: Sequence[Any]) -> Any:
    """The dtype of an array for which the call names none: made like another, from numbers, or from nothing.

    Raises:
        Refusal: where what it is made like is no array, or one of unknown dtype.
    """
    if op.natural == "like" or op is REGISTER["cast"]:
        like = operands[0]
        if not isinstance(like, Node) or not isinstance(like.spec, Spec):
            raise Refusal("its operand is no array")
        if like.spec.dtype is None:
            raise Refusal("the dtype of its operand is not known", "give example arguments with args=")
        return like.spec.dtype
    if op.natural == "numbers":
        raise Refusal("its dtype is that of its numbers", "say its dtype")
    return reading.source.default_float


def settled(reading: Reading, axis: Any) -> Any:
    """An axis, or several: which one it is decides the shape of the result, so a recorded one is guarded."""
    if isinstance(axis, (tuple, list)):
        return type(axis)(settled(reading, a) for a in axis)
    number = isinstance(axis, Node) and isinstance(axis.spec, Scalar) and axis.spec.type is int
    why = "how often an axis is repeated" if reading.callee.endswith("tile") else "which axis is meant"
    return reading.known(axis, f"it says {why}") if number else axis


def by_hand(
    reading: Reading, reader: Callable[..., Any], name: str, args: Any, kwargs: Any, bound: Mapping[str, Any]
) -> Any:
    """Ask a reader. It is not given arguments that it does not know and that say nothing new.

    Raises:
        Refusal: where it does not know an argument, or misses one.
    """
    if not known(name):
        return reader(reading, *args, **kwargs)
    taken = inspect.signature(reader).parameters
    anything = any(p.kind is p.VAR_KEYWORD for p in taken.values())
    defaults = shape_of_call(name, bound)[1]
    idle = {k for k, v in bound.items() if k in HARMLESS or k in defaults and says_default(v, defaults[k])}
    given = {k: v for k, v in bound.items() if k in taken or k not in idle}
    for argument in given:
        if argument not in taken and not anything:
            raise Refusal(f"argument {argument!r} cannot be translated")
    for parameter in list(taken.values())[1:]:
        if parameter.default is parameter.empty and not (anything or parameter.name in given):
            raise Refusal(f"argument {parameter.name!r} is missing")
    for flag in given.keys() & {name for name, p in taken.items() if isinstance(p.default, bool)}:
        given[flag] = reading.decided(given[flag], f"what it does depends on its {flag}")
    return reader(reading, **given)


def says_default(value: Any, default: Any) -> bool:
    """Whether an argument says what its default does; 0 says what 0.0 does."""
    if {type(value), type(default)} <= {int, float} and value == default:
        value, default = float(value), float(default)
    return equal(value, default)


@cache
def results(module: str, fields: tuple[str, ...]) -> type[Any]:
    """The named tuple in which a framework returns several results."""
    return namedtuple("results", fields, module=module)
