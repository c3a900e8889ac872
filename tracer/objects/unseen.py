"""Unseen: what rewritten code may change without telling the hooks."""

from __future__ import annotations

import dis
import functools
import inspect
import types
from collections.abc import Iterable, Iterator
from typing import Any

from .containers import inside

#: What is left in rewritten code that may change something, or run code of an object's: `del x.y`,
#: `case Point(x=0)`, targets of comprehensions, `[0 for x.y in z]`, and what stands in the body of a class.
STATEMENTS = frozenset({
    "DELETE_ATTR", "MATCH_CLASS", "STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "STORE_SUBSCR",
    "STORE_SLICE", "DELETE_SUBSCR", "LOAD_BUILD_CLASS",
})  # fmt: skip
#: Those of `nonlocal`, for variables of other functions.
BINDING = frozenset({"STORE_DEREF", "DELETE_DEREF"})
#: What runs any code.
RUNNING = frozenset({"exec", "eval"})


@functools.lru_cache(maxsize=4096)
def works_unseen(code: types.CodeType) -> bool:
    """Whether code, or that of the functions in it, may change something unseen."""
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    bound = any(i.opname in BINDING and i.argval in code.co_freevars for i in dis.get_instructions(code))
    named = not RUNNING.isdisjoint((*code.co_names, *code.co_freevars))
    stated = any(instruction.opname in STATEMENTS for instruction in dis.get_instructions(code))
    return named or stated or bound or any(map(works_unseen, inner))


@functools.lru_cache(maxsize=4096)
def goes_on_unseen(code: types.CodeType) -> bool:
    """Whether a generator of code, or of that in it, may change something unseen: nobody sees it go on."""
    if code.co_flags & inspect.CO_GENERATOR and works_unseen(code):
        return True
    return any(goes_on_unseen(c) for c in code.co_consts if isinstance(c, types.CodeType))


def may_work_unseen(runs: Iterable[Any]) -> bool:
    """Whether rewritten functions, those over which they close, or generators may change something unseen."""
    return any(map(works_unseen, codes(runs)))


def codes(runs: Iterable[Any]) -> Iterator[types.CodeType]:
    seen: set[int] = set()
    waiting = list(runs)
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, types.FunctionType):
            yield value.__code__
            waiting += map(inside, value.__closure__ or ())
        elif isinstance(value, functools.partial):
            waiting += [value.func, *value.args]
        elif type(value) in (tuple, list):
            waiting += value
        elif isinstance(value, types.GeneratorType):
            yield value.gi_code
