"""Every callee of the dictionary is given lists, or arrays of NumPy's in JAX, where it takes arrays: they are
constants then, or the call is refused. That the dictionary is at fault is never said.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends import measure
from tracelate.ir.errors import InternalError, TraceError

WORLDS: tuple[measure.World, ...] = (
    ("float32", (3, 3)), ("float32", (4,)), ("int64", (4,)), ("float32", (1, 3)), ("bool", (4,)),
    ("float32", (2, 2, 2, 2)),
)  # fmt: skip
#: So many calls that go well, of each world so many tried.
CALLS, TRIED = 5, 12
SOURCES = {"numpy": np.ones(3, np.float32), "jax": jnp.ones(3)}
NAMES = [name for name in measure.callees("numpy") if name.startswith("np.") and "ndarray" not in name]


def listed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    return type(value)(map(listed, value)) if isinstance(value, (list, tuple)) else value


def function_of(source: str, name: str) -> Any:
    found: Any = {"numpy": np, "jax": jnp}[source]
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def calls(source: str, name: str) -> Iterator[tuple[Any, Any]]:
    """Arguments of calls that go well."""
    function = function_of(source, name)
    count = 0
    for world in WORLDS if function is not None else ():
        for call, _ in itertools.islice(measure.calls("numpy", name, world), TRIED):
            args, kwargs = call.args, call.keywords
            if source == "numpy":
                args, kwargs = listed(args), {key: listed(value) for key, value in kwargs.items()}
            try:
                function(*args, **kwargs)
            except Exception:
                continue
            yield args, kwargs
            count += 1
            if count == CALLS:
                return


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_array_of_the_framework_is_a_constant(name: str, source: str) -> None:
    function = function_of(source, name)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for args, kwargs in calls(source, name):
            try:
                program = tl.symbolic_trace(lambda x: function(*args, **kwargs), (SOURCES[source],))
                program.source("torch")
            except TraceError as error:
                assert not isinstance(error, InternalError) and "fault" not in str(error), (args, kwargs)
