"""The hunt: every program, for every target, on its example and on what else it might be called with.

Programs are the functions of the modules in programs/ whose names do not begin with an underscore. A
parameter's example stands under its name in the module's EXAMPLES.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pathlib
import textwrap
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

import tracelate as tl
from tracelate.backends.backend import framework_of, target_of
from tracelate.checking import Report
from tracelate.ir.errors import GraphError
from tracelate.varying import running
from tracelate.varying.paths import arrays_in
from tracelate.varying.report import Varied
from tracelate.varying.vary import varied

FOLDER = pathlib.Path(__file__).parent / "programs"
TARGETS = ("numpy", "torch", "jax")
#: Loops that other arguments make endless are stopped soon: none of the programs computes for long.
running.LONGEST = 0.75


@dataclass(frozen=True)
class Program:
    """A function, what it is called with, and the framework that it is written for."""

    theme: str
    fn: Callable[..., Any]
    args: tuple[Any, ...]
    source: str

    @property
    def name(self) -> str:
        return f"{self.theme}.{self.fn.__name__}"

    @property
    def text(self) -> str:
        return textwrap.dedent(inspect.getsource(self.fn))


@dataclass(frozen=True)
class Found:
    """What the hunt found of one program for one target.

    Attributes:
        kind: "held"; "refused" while tracing or translating; "wrong"; "raw", an error that is none of ours;
            "own example", where a translation refuses what it was made with.
        detail: for people.
    """

    kind: str
    detail: str = ""

    @property
    def fault(self) -> bool:
        return self.kind not in ("held", "refused")


def modules() -> list[ModuleType]:
    names = sorted(file.stem for file in FOLDER.glob("*.py"))
    return [importlib.import_module(name) for name in names]


def programs() -> list[Program]:
    return [program for module in modules() for program in of_module(module)]


def of_module(module: ModuleType) -> Iterator[Program]:
    for name, fn in list(vars(module).items()):  # warnings leave a name in there
        if name.startswith("_") or not inspect.isfunction(fn) or fn.__module__ != module.__name__:
            continue
        parameters = inspect.signature(fn).parameters.values()
        required = [p for p in parameters if p.name in module.EXAMPLES or p.default is p.empty]
        args: tuple[Any, ...] = ()
        for p in required:
            value = module.EXAMPLES[p.name]
            args += value if p.kind is p.VAR_POSITIONAL else (value,)
        yield Program(module.__name__, fn, args, source_of(args, module))


def source_of(args: tuple[Any, ...], module: ModuleType) -> str:
    """The framework of the example's arrays; where it has none, that of the others of its module."""
    found = {framework_of(a) for _, a in arrays_in(args) or arrays_in(module.EXAMPLES)}
    return str(found.pop()) if len(found) == 1 else str(module.SOURCE)


#: The program that was traced last, and its trace or why there is none: its targets come one after the other.
_last: list[Any] = [None, None]


def trace(program: Program) -> Any:
    """A program's trace, which is made once for all targets.

    Raises:
        Exception: what tracing raises.
    """
    if _last[0] is not program:
        try:
            _last[:] = program, tl.symbolic_trace(program.fn, program.args, source=program.source)
        except Exception as error:
            _last[:] = program, error
    if isinstance(_last[1], Exception):
        raise _last[1]
    return _last[1]


def hunt(program: Program, to: str, count: int) -> Found:
    """Try one program for one target, with so many variations."""
    wide = True if to == "jax" else None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            traced = trace(program)
            out = traced.to(to, x64=wide)
        except tl.TraceError as error:
            raw = isinstance(error, (GraphError, tl.InternalError)) or " object at 0x" in str(error)
            kind = "raw" if raw else "refused"
            return Found(kind, str(error))
        except Exception as error:
            return Found("raw", f"{type(error).__name__}: {error}")
        report = varied(Report(program.name, program.source, to), traced, out, target_of(to, wide), count)
    return judged(report, out.source)


def judged(report: Varied, text: str) -> Found:
    own = report.cases[0].outcome
    if report.smallest is not None:
        return Found("wrong", f"{report}\n{text}")
    if own.kind != "held":
        return Found("own example", f"{own.why}\n{text}")
    return Found("held", report.counts())


def normal(program: Program) -> str:
    """A program's text with its names, numbers and strings taken out: what is left is its form."""
    tree = ast.parse(textwrap.dedent(program.text))
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = known.setdefault(node.id, f"v{len(known)}")
        elif isinstance(node, ast.arg):
            node.arg, node.annotation = known.setdefault(node.arg, f"v{len(known)}"), None
        elif isinstance(node, ast.FunctionDef):
            node.name = known.setdefault(node.name, f"v{len(known)}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
            node.value = 0
    return ast.dump(tree)
