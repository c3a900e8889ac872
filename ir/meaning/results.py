"""Results: the specs of what an op gives, from those of what it is given."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ..errors import ShapeError
from ..graphs.graph import Node
from ..sizes.dim import Dim
from ..subscript import Constraint, Subscript, create_subscript_p
from ..subscript.judge import JUDGE
from ..values import dtypes
from ..values.dtypes import DType
from ..values.spec import Spec
from ..values.tree import leaves
from .op import Op, Rule

#: The shapes that come out, None where they do not, and what is assumed.
Fitted: TypeAlias = tuple[tuple[tuple[Dim, ...], ...] | None, list[Constraint]]


def infer(
    op: Op,
    specs: Sequence[Spec | None],
    params: Mapping[str, Any],
    constraints: list[Constraint] | None = None,
) -> list[Spec]:
    """The specs of the op's outputs. `specs` are those of its arrays, None for one that is absent.

    An unknown shape or dtype stays unknown, unless the op does not depend on it. What was assumed of symbolic
    dims, since their hints say so, is added to `constraints`.

    Raises:
        ShapeError: with a numbered report for each clash.
    """
    given = [None if s is None else s.shape for s in specs]
    shapes = output_shapes(
        op, given, [s is None for s in specs], params, [] if constraints is None else constraints
    )
    found = output_dtypes(op, specs, params)
    if len(found) == 1 and len(shapes) != 1:
        found *= len(shapes)
    return [Spec(shape, dtype) for shape, dtype in zip(shapes, found, strict=True)]


def output_shapes(
    op: Op,
    shapes: Sequence[tuple[Dim, ...] | None],
    absent: Sequence[bool],
    params: Mapping[str, Any],
    constraints: list[Constraint],
) -> list[tuple[Dim, ...] | None]:
    unknown = any(shape is None and not gone for shape, gone in zip(shapes, absent))
    if op.shape is not None:
        JUDGE.taken()
        found = op.shape(*shapes, **params)
        constraints += [assumed for assumed in JUDGE.taken() if assumed.broadcasts or assumed.orders]
        return list(found) if isinstance(found, list) else [found]
    if unknown:
        return [None] * (len(op.rules) if len(op.rules) > 1 else 1)
    env = normalised(params, shapes)
    for subscript in op.subscripts:
        outputs, assumed = fitted(subscript, shapes, {n: v for n, v in env.items() if n in subscript.names})
        if outputs is not None:
            constraints += assumed
            return list(outputs)
    matches = [subscript.match(shapes, env) for subscript in op.subscripts]
    best = min(matches, key=lambda m: (any(r.kind in ("rank", "arity") for r in m.reports), len(m.reports)))
    best.raise_if_bad(node=op.name)
    raise ShapeError(f"{op.name} does not fit its operands")


#: What came of shapes and numbers that were matched before, with the shapes, so that their ids stay theirs:
#: shapes that are equal may have other hints.
FITTED: dict[Any, tuple[Any, Fitted]] = {}
#: How many are kept.
MANY = 4096


def fitted(subscript: Subscript, shapes: Sequence[tuple[Dim, ...] | None], env: Mapping[str, Any]) -> Fitted:
    """The shapes that a Subscript gives of these, None where they do not fit, and what is assumed of them. A
    program is read and written several times, and most calls of one are like another.
    """
    key = (subscript.text, *map(id, shapes), *env.items()) if all(map(is_plain, env.values())) else None
    if key is not None and key in FITTED:
        return FITTED[key][1]
    assumed: list[Constraint] = []
    outputs, reports, *_ = checker_of(subscript.text, frozenset(env))(shapes, assumed, **env)
    made = None if reports else outputs, assumed
    if key is not None:
        if len(FITTED) >= MANY:
            FITTED.clear()
        FITTED[key] = tuple(shapes), made
    return made


def is_plain(value: Any) -> bool:
    """Whether values like it are told apart by what they are equal to."""
    return type(value) in (int, str, type(None)) or type(value) is tuple and all(map(is_plain, value))


def has_one_rank(op: Op, params: Mapping[str, Any]) -> bool:
    """Whether what an op gives has the same rank whatever those of its arrays are. With parameters that only
    the running program knows none is said to.
    """
    if op.shape is None or op.variadic is not None or any(isinstance(leaf, Node) for leaf in leaves(params)):
        return False
    JUDGE.taken()
    found = op.shape(*[None] * len(op.arrays), **params)
    return None not in (found if isinstance(found, list) else [found])


@functools.cache
def checker_of(text: str, names: frozenset[str]) -> Callable[..., Any]:
    return create_subscript_p(text, local_variables=tuple(sorted(names)))[0]


def normalised(params: Mapping[str, Any], shapes: Sequence[tuple[Dim, ...] | None]) -> dict[str, Any]:
    """`params` with `axis` counted from the front of the first array, as Subscripts want it."""
    env = dict(params)
    if shapes and shapes[0] is not None and "axis" in env:
        env["axis"] = front(env["axis"], len(shapes[0]))
    return env


def front(axis: Any, rank: int) -> Any:
    """An axis, or a tuple of them, counted from the front; None means all of them where a tuple is expected.

    Raises:
        ShapeError: when there is no such axis.
    """
    if axis is None:
        return None
    if isinstance(axis, (tuple, list)):
        return tuple(front(a, rank) for a in axis)
    if not -rank <= axis < rank:
        raise ShapeError(f"axis {axis} is out of range for an array of rank {rank}")
    return axis % rank


def output_dtypes(op: Op, specs: Sequence[Spec | None], params: Mapping[str, Any]) -> list[DType | None]:
    found: list[DType | None] = []
    for rule in op.rules:
        mine = over(op, rule, specs)
        first = next((s.dtype for s in mine if s is not None), None)
        match rule.cls:
            case "compare" | "bool":
                found.append(dtypes.bool_)
            case "index":
                found.append(dtypes.dtype(params.get("dtype") or dtypes.int64))
            case "free":
                given = params.get("dtype")
                found.append(first if given is None else dtypes.dtype(given))
            case "real":
                found.append(first and first.real)
            case "complex":
                found.append(first and dtypes.COMPLEX[first.name])
            case _:
                found.append(first)
    return found


def over(op: Op, rule: Rule, specs: Sequence[Any]) -> list[Any]:
    """Those of `specs`, which go with the op's arrays, that the rule is about."""
    if rule.cls == "same" and rule.over is None:
        return list(specs[:1])
    if rule.over is None:
        return list(specs)
    names = [*op.arrays, *[op.variadic or ""] * (len(specs) - len(op.arrays))]
    return [spec for name, spec in zip(names, specs) if name in rule.over]
