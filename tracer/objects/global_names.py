"""Global names: what code reads of modules by name, and what a program puts there."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from operator import is_
from typing import Any

from ...ir.worklist import Worklist
from ..place import FRAMEWORKS
from ..rewrite.runtime import UNDEFINED
from .containers import is_other


class Names(dict[str, Any]):
    """What the names of a module stand for."""


@dataclass(eq=False)
class Globals:
    """The names of a module, `module` its dict."""

    module: dict[str, Any]

    def now(self) -> Names:
        return Names(self.module)


def rebound(now: Names, before: Names) -> list[str]:
    """The names of a module that stand for something else than they did."""
    if len(now) == len(before) and all(map(is_, now.values(), before.values())):
        return []
    both = {**before, **now}
    found = [name for name in both if is_other(now.get(name, UNDEFINED), before.get(name, UNDEFINED))]
    return [name for name in found if not is_pythons(both, name)]


def changed(module: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """The names of a module that stand for something else than they did; they are put back."""
    found = [n for n, v in module.items() if before.get(n, UNDEFINED) is not v and not is_pythons(module, n)]
    found += [n for n in before if n not in module]
    for name in found:
        module.pop(name, None)
        if name in before:
            module[name] = before[name]
    return found


def is_pythons(module: dict[str, Any], name: str) -> bool:
    """Whether Python itself has put a name into a module: a package has the modules in it."""
    inner = sys.modules.get(f"{module.get('__name__')}.{name}")
    return name in ("__warningregistry__", "__builtins__") or inner is not None and inner is module[name]


def named(module: dict[str, Any], read: Collection[str]) -> Iterator[tuple[str, Any]]:
    """The globals among names that code reads, and what it may read of the modules among them."""
    modules = [sys.modules[name] for name in read if name in sys.modules and name not in module]
    for name in read:
        if name in module:
            yield name, module[name]
            modules += [module[name]] if isinstance(module[name], types.ModuleType) else []
    ahead = Worklist(modules, key=lambda value: id(vars(value)))
    for value in ahead:
        inner = vars(value)
        if str(inner.get("__name__")).partition(".")[0] in FRAMEWORKS:
            continue
        for name in read:
            if name in inner:
                yield name, inner[name]
                ahead.add([inner[name]] if isinstance(inner[name], types.ModuleType) else [])


@functools.lru_cache(maxsize=4096)
def names(code: types.CodeType) -> tuple[str, ...]:
    """The globals and attributes that a function names, its inner functions included."""
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return tuple(dict.fromkeys([*code.co_names, *(name for each in inner for name in names(each))]))
