"""Measures, for `make memory`, which callees of NumPy and torch give arrays of their own: each is called in
many ways, and the framework is asked whether what comes out lies in the memory of what went in.

The arguments are drawn by the names of the callee's parameters, ones that do nothing among them (an axis of
size 1, no padding, one repetition), since it is there that a callee may hand on what it was given.
"""

from __future__ import annotations

import functools
import itertools
import json
import operator
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.values.dtypes import DTYPES
from .backend import backend, speaker
from .loading import load
from .memory import MEASURED, writes
from .rows import CONSTRUCTS, READERS, READS
from .signatures import known, signature
from .signatures.model import Passing

FRAMEWORKS = ("numpy", "torch")
#: What the arrays of a call are: a dtype, and the shape that all of them have.
World = tuple[str, tuple[int, ...]]
WORLDS: tuple[World, ...] = (
    ("float32", (3, 3)), ("float32", (4,)), ("float32", (2, 4)), ("float32", (1, 3)), ("float32", (2, 3, 3)),
    ("float32", (1, 1, 3, 3)), ("float32", (1, 2, 2, 2, 2)), ("float32", ()), ("int64", (3, 3)),
    ("int64", (4,)), ("bool", (3, 3)), ("bool", (4,)), ("complex64", (3, 3)), ("complex64", (4,)),
    ("float32", (1,)), ("float32", (3, 3, 3)), ("float32", (2, 2, 2, 2, 2)),
)  # fmt: skip
#: The parameters that count something.
COUNTS = """
    repeats reps n k chunks sections indices_or_sections split_size split_size_or_sections
    tensor_indices_or_sections groups num_groups output_size
"""
#: Values of parameters, by name.
VALUES: dict[str, Sequence[Any]] = {
    **dict.fromkeys(("axis", "dim", "axes", "dims"), (0, -1, None, (), (0,), (1, 0), (0, 1))),
    **dict.fromkeys(("axis1", "dim0", "source", "start_dim"), (0,)), "dim1": (0, 1, -1),
    **dict.fromkeys(("axis2", "destination", "end_dim", "dim2"), (1, 0, -1)),
    **dict.fromkeys(("shape", "size", "sizes", "newshape"), ((3, 3), (4,), (9,), (2, 3, 3), (-1,), 4, 3, ())),
    **dict.fromkeys(COUNTS.split(), (1, 2, (1,), (1, 1), (2,), 0)),
    **dict.fromkeys(("split_sizes",), ((1, 2), (3,), (4,))),
    **dict.fromkeys(("pad", "pad_width", "padding"), ((0, 0), (1, 1), 0, 1)),
    **dict.fromkeys(("shift", "shifts", "offset", "diagonal", "start"), (0, 1)),
    **dict.fromkeys(("length", "kernel_size", "index", "num_classes"), (1, 2, 4)),
    **dict.fromkeys(("subscripts", "equation"), ("ij->ij", "ij->ji", "i->i", "ii->i", "ij,jk->ik", "ij->i")),
    **dict.fromkeys(("p", "eps", "alpha", "value", "fill_value", "q", "x1", "beta"), (1.0, 0.5)),
    **dict.fromkeys(("copy", "keepdim", "keepdims"), (False, True)),
    **dict.fromkeys(("normalized_shape",), ((3,), (4,), (3, 3))),
    **dict.fromkeys(("num_samples", "steps", "num", "stop", "end", "N", "M"), (3,)),
    **dict.fromkeys(("indexing",), ("ij", "xy")), "decimals": (0, 1), "ord": (2, None),
    "min": (0.5,), "upper": (True,), "training": (False,), "train": (False,), "inplace": (False,),
}  # fmt: skip
ATTEMPTS = 400


@dataclass
class Measured:
    """What was seen of one callee.

    Attributes:
        calls: how many went well. `shared`: how many of them gave something in the memory of an operand;
        `ordered`: whether whatever came out lay in memory row by row; `itself`: whether something that came
            out was an operand itself; `views`: whether something was another array in the memory of one.
    """

    calls: int = 0
    shared: int = 0
    ordered: bool = True
    itself: bool = False
    views: bool = False


def callees(framework: str) -> list[str]:
    """Every name under which the dictionary may know a call of the framework's, methods included."""
    load()
    own = {callee for name, callee in (*READS, *READERS) if name == framework and "." in callee}
    own |= {callee for callee in CONSTRUCTS if speaker(callee) == framework}
    own = {callee for callee in own if not writes(callee)}
    kind = {"numpy": "np.ndarray", "torch": "torch.Tensor"}[framework]
    functions = [name for name in own if not name.startswith(("operator.", "attribute."))]
    methods = {f"{kind}.{name.rpartition('.')[2]}" for name in functions}
    return sorted(own | {name for name in methods if known(name)})


def measure(framework: str, name: str) -> Measured:
    """Call one callee in every way that is found."""
    found = Measured()
    if name.startswith("helper."):
        return found
    for world in WORLDS:
        for call, arrays in itertools.islice(calls(framework, name, world), ATTEMPTS):
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                try:
                    results = list(flat(call()))
                except Exception:
                    continue
            found.calls += 1
            given = [leaf for array in arrays for leaf in flat(array)]
            shared = [result for result in results if any(share(framework, result, a) for a in given)]
            own = [any(result is a for a in given) for result in shared]
            found.shared += bool(shared)
            found.itself |= any(own)
            found.views |= not all(own)
            found.ordered &= all(in_order(framework, result) for result in results)
    return found


def calls(framework: str, name: str, world: World) -> Iterator[tuple[functools.partial[Any], list[Any]]]:
    """Calls with their arrays."""
    root, _, last = name.rpartition(".")
    if root == "attribute":
        x = array(framework, world, 0)
        yield functools.partial(getattr, x, last), [x]
        return
    if root == "operator":
        fn = getattr(operator, last)
        for count in (1, 2):
            operands = [array(framework, world, i) for i in range(count)]
            yield functools.partial(fn, *operands), operands
        return
    target = resolved(framework, name)
    if target is None:
        return
    if not known(name):
        x = array(framework, world, 0)
        yield functools.partial(target, x), [x]
        return
    for overload in signature(name).overloads:
        parameters = [p for p in overload.parameters if p.passing is not Passing.VAR_KEYWORD]
        required = [p for p in parameters if p.required or p.passing is Passing.VAR_POSITIONAL]
        for chosen in [[], *([p] for p in parameters if not p.required and p.name in VALUES)]:
            if any(p.name == "out" for p in required):
                continue
            names = [*required, *(p for p in chosen if p not in required)]
            choices = (candidates(framework, p, world, i) for i, p in enumerate(names))
            for values in itertools.islice(itertools.product(*choices), 60):
                yield bound(target, names, values), [v for v in values if list(flat(v))]


def bound(target: Any, parameters: Any, values: Any) -> functools.partial[Any]:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for parameter, value in zip(parameters, values):
        if parameter.passing is Passing.VAR_POSITIONAL:
            args += list(value) if isinstance(value, (tuple, list)) else [value]
        elif parameter.required and parameter.passing is not Passing.KEYWORD_ONLY:
            args.append(value)
        else:
            kwargs[parameter.name] = value
    return functools.partial(target, *args, **kwargs)


def candidates(framework: str, parameter: Any, world: Any, number: int) -> list[Any]:
    if parameter.name == "dtype":
        return [framework_dtype(framework, world[0]), framework_dtype(framework, "float64")]
    some = list(VALUES.get(parameter.name, ()))
    if some and all(isinstance(v, bool) for v in some):
        return some
    x = array(framework, world, number)
    arrays = [x, [x, array(framework, world, number + 1)], [x], integers(framework, world[1])]
    if len(world[1]) > 1 and number:
        arrays.append(array(framework, (world[0], world[1][1:2]), number))
    if len(world[1]) == 1:
        arrays.append(array(framework, (world[0], world[1] * 2), number))
    return [*some, *arrays, *([] if some or not number else (1, 0))]


def array(framework: str, world: tuple[str, tuple[int, ...]], seed: int) -> Any:
    made = np.random.default_rng(seed).random(world[1]) / 2
    if len(world[1]) > 1 and world[1][-1] == world[1][-2]:  # so that it has an inverse, and a Cholesky factor
        made = (made + np.swapaxes(made, -1, -2)) / 8 + np.eye(world[1][-1]) / 2
    return own(framework, made.astype(world[0]))


def integers(framework: str, shape: tuple[int, ...]) -> Any:
    return own(framework, np.zeros(shape, np.int64))


def own(framework: str, value: Any) -> Any:
    if framework == "numpy":
        return np.array(value)
    return backend(framework).handling.from_numpy(np.array(value))


def framework_dtype(framework: str, name: str) -> Any:
    return np.dtype(name) if framework == "numpy" else backend(framework).handling.dtype(DTYPES[name])


def resolved(framework: str, name: str) -> Any:
    import scipy.linalg
    import scipy.special
    import torch

    made: Any = {"np": np, "torch": torch, "scipy": scipy}[name.partition(".")[0]]
    for part in name.split(".")[1:]:
        made = getattr(made, part, None)
    return made


def flat(value: Any) -> Iterator[Any]:
    """The arrays in nested results."""
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from flat(item)
    elif hasattr(value, "dtype") and hasattr(value, "shape"):
        yield value


def share(framework: str, one: Any, other: Any) -> bool:
    if framework == "numpy":
        return bool(np.may_share_memory(one, other))
    storages = {array.untyped_storage().data_ptr() for array in (one, other)}
    return bool(one.numel()) and len(storages) == 1


def in_order(framework: str, value: Any) -> bool:
    return bool(value.flags.c_contiguous) if framework == "numpy" else bool(value.is_contiguous())


def measured() -> dict[str, dict[str, list[str]]]:
    """What belongs into new.json."""
    written = {}
    for framework in FRAMEWORKS:
        found = {name: measure(framework, name) for name in callees(framework)}
        called = [name for name, m in found.items() if m.calls]
        written[framework] = {
            "new": [name for name in called if not found[name].shared],
            "shared": [name for name in called if found[name].shared],
            "unordered": [name for name in called if not found[name].ordered],
            "itself": [name for name in called if found[name].itself],
            "views": [name for name in called if found[name].views],
        }
        for name in (name for name in found if name not in called):
            print(f"{name} was not called")
    return written


def main() -> None:
    """Write new.json."""
    MEASURED.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
