"""Unseen: what rewritten code may change without telling the hooks."""

from __future__ import annotations

import dis
import functools
import types

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
