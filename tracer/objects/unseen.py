"""Unseen: what rewritten code may change without telling the hooks."""

from __future__ import annotations

import dis
import functools
import inspect
import types
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

from ...ir.values.tree import by_type, tuple_fields
from ...ir.worklist import Worklist
from ..own import attribute, partial
from ..place import FRAMEWORKS, is_own, module_of, users_own
from ..proxy import is_proxy
from .containers import inside
from .reach import OURS
from .standing import HOLDERS, has_text, original, parts

#: What is left in rewritten code that may change something, or run code of an object's: `del x.y`,
#: `case Point(x=0)`, targets of comprehensions, `[0 for x.y in z]`, and what stands in the body of a class.
STATEMENTS = frozenset({
    "DELETE_ATTR", "MATCH_CLASS", "STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "STORE_SUBSCR",
    "STORE_SLICE", "DELETE_SUBSCR", "LOAD_BUILD_CLASS", "IMPORT_NAME",
})  # fmt: skip
#: Those of `nonlocal`, for variables of other functions.
BINDING = frozenset({"STORE_DEREF", "DELETE_DEREF"})
#: What says of a function that is made that it has annotations.
ANNOTATED = 4
#: What runs any code.
RUNNING = frozenset({"exec", "eval"})


@functools.lru_cache(maxsize=4096)
def works_unseen(code: types.CodeType) -> bool:
    """Whether code, or that of the functions in it, may change something unseen."""
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    named = not RUNNING.isdisjoint((*code.co_names, *code.co_freevars))
    stated = any(may_change(each, code) for each in dis.get_instructions(code))
    return named or stated or any(map(works_unseen, inner))


def may_change(each: dis.Instruction, code: types.CodeType) -> bool:
    """Whether an instruction may change something that is not a variable of the code's own; annotations are
    expressions that Python evaluates.
    """
    if each.opname in BINDING:
        return each.argval in code.co_freevars
    if each.opname in ("MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"):
        return bool((each.arg or 0) & ANNOTATED)
    return each.opname in STATEMENTS


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
    ahead = Worklist(runs, key=id)
    for value in ahead:
        if isinstance(value, types.FunctionType):
            yield value.__code__
            ahead.add(map(inside, value.__closure__ or ()))
        elif (bound := partial(value)) is not None:
            ahead.add([bound.func, *bound.args])
        elif type(value) in (tuple, list):
            ahead.add(value)
        elif isinstance(value, types.GeneratorType):
            yield value.gi_code


#: What changes nothing when it is asked for an attribute or an item, or computed with, and runs no code.
STILL = frozenset({
    str, bytes, int, float, complex, bool, type(None), type(Ellipsis), type(NotImplemented), range, slice,
    list, tuple, dict, set, frozenset, deque, types.FunctionType, types.MethodType, types.CodeType,
    types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.GenericAlias,
    type({}.keys()), type({}.values()), type({}.items()), functools.partial,
})  # fmt: skip


#: Where bases are that do nothing.
BARE = frozenset({"abc", "typing"})


@by_type
def is_still(kind: type) -> bool:
    """Whether what is of a type runs no code but such as the hooks see. Of the user's see `is_loud`."""
    if is_own(module_of(kind)):
        bases = (base for base in kind.__mro__ if base is not object and not is_own(module_of(base)))
        return all(base.__module__ in BARE or is_still(base) for base in bases)
    root = module_of(kind).partition(".")[0]
    return kind in STILL or root in FRAMEWORKS or module_of(kind).startswith(OURS)


def runs_unseen(values: Iterable[Any]) -> bool:
    """Whether Python may run code for one of these that the hooks do not see."""
    return any(
        "__getattr__" in vars(v) if isinstance(v, types.ModuleType)
        else not (is_still(type(v)) or isinstance(v, type) and is_still(v))
        for v in values
    )  # fmt: skip


@by_type
def is_loud(kind: type) -> bool:
    """Whether a class of the user's has methods that nobody sees run: written in C, or without a text."""
    return any(map(is_unseen, vars(kind), repeat(kind), vars(kind).values()))


def is_unseen(name: str, kind: type, value: Any) -> bool:
    value = original(value)
    if type(value) is types.FunctionType:
        written = name in WRITTEN and "__dataclass_fields__" in vars(kind) or tuple_fields(kind) is not None
        return users_own(value) and not has_text(value.__code__.co_filename) and not written
    if type(value) in HOLDERS:
        bound = isinstance(value, (staticmethod, classmethod))  # whose function the hooks are given
        functions = [f for f in parts(value) if f is not None and not bound]
        return any(type(f) is not types.FunctionType or is_unseen(name, kind, f) for f in functions)
    written = isinstance(value, (types.WrapperDescriptorType, types.MethodDescriptorType))
    return written and name.startswith("__") and value.__objclass__ is not object


#: What dataclasses write for a class.
WRITTEN = frozenset(
    """__init__ __repr__ __eq__ __lt__ __le__ __gt__ __ge__ __hash__ __setattr__ __delattr__
    __replace__""".split()
)


#: Where Python's own functions do nothing but compute, and the ones among these that do more.
COMPUTING = frozenset({
    "builtins", "_operator", "operator", "math", "cmath", "itertools", "functools", "_functools", "copy",
    "collections", "_collections", "_collections_abc", "dataclasses", "enum", "typing", "numbers",
})  # fmt: skip
ACTING = frozenset({"exec", "eval", "compile", "input", "breakpoint", "help", "__import__"})


def only_computes(f: Any) -> bool:
    """Whether a function that is not the user's is known to do nothing but compute, or to change what it is a
    method of.
    """
    if isinstance(f, type):
        return issubclass(f, BaseException) or module_of(f) in COMPUTING
    holder = attribute(f, "__self__")
    if holder is not None and not isinstance(holder, types.ModuleType):
        return type(holder) in STILL or is_proxy(holder)
    if type(f).__module__.startswith(OURS):  # a method of a proxy
        return True
    return attribute(f, "__module__", "") in COMPUTING and f.__name__ not in ACTING
