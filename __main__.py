"""The command line: parse, call the api, print. No logic.

    tracelate transpile model.py:forward --to jax --args "example()" -o forward_jax.py
    tracelate show model.py:forward --at program
    tracelate show model.py:forward --to jax --after stage
    tracelate check model.py:forward --to numpy --args "(torch.ones(3),)"
    tracelate ops
    tracelate passes --to jax

Exit codes: 0, all is well; 1, the program cannot be translated or a check found a difference; 2, the command
line is wrong.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Column, Table

from . import api
from .backends.backend import COMMON, NAMES, backend, target_of
from .backends.coverage import coverage
from .backends.lowering.passes import Way
from .codegen.checks.assertions import FORMS
from .codegen.pipeline import pipeline
from .ir.errors import InternalError, TraceError
from .ir.source.span import Span
from .traced import Traced

FUNCTION = click.argument("function", metavar="PATH.py:FUNCTION")
ARGS = click.option(
    "--args", "expression", metavar="EXPR", help="example arguments, an expression in the file's own names"
)
SPEC = click.option(
    "--spec", "specs", multiple=True, metavar="DTYPE[DIMS]", help="example argument, e.g. 'float32[2, n]'"
)
TARGET = click.option("--to", type=click.Choice(NAMES), required=True, help="the framework to translate into")
SOURCE = click.option(
    "--source", type=click.Choice(NAMES), help="the framework it is written for, where that is unclear"
)
ASSUME = click.option("--assume", metavar="DTYPE", help="the dtype of arguments of which no example is given")
UNROLL = click.option(
    "--unroll", type=click.IntRange(0), metavar="N", help="write out loops of up to N turns, by default none"
)
X64 = click.option("--x64", is_flag=True, default=None, help="JAX with 64-bit dtypes")
CONTROL = click.option(
    "--control",
    metavar="FORM",
    help="the form of control flow: python, or lax for JAX, or export for torch",
)
DEVICE = click.option("--device", metavar="KIND", help="the kind of device that it is for: cpu, cuda, tpu")
GUARDS = click.option(
    "--guards",
    type=click.Choice(FORMS),
    default="assert",
    help="the form of checks: an assert or a raise each, or none",
)
JIT = click.option("--jit", is_flag=True, help="for JAX: @jax.jit on the function in any case")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tracelate")
def cli() -> None:
    """Trace a function of NumPy, JAX or torch; translate it into readable source for any of the three."""


@cli.command()
@FUNCTION
@TARGET
@ARGS
@SPEC
@SOURCE
@ASSUME
@UNROLL
@X64
@CONTROL
@DEVICE
@GUARDS
@JIT
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="write here instead of printing"
)
def transpile(
    function: str,
    to: str,
    output: Path | None,
    x64: bool | None,
    control: str | None,
    device: str | None,
    guards: str,
    jit: bool,
    **given: Any,
) -> None:
    """Print the function's source in another framework."""
    made = traced(function, **given)
    text = made.source(to, x64=x64, control=form(control, to), device=device, guards=guards, jit=jit)
    if output is None:
        code(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.FileError(str(output), error.strerror) from None
    click.echo(f"wrote {output}", err=True)


@cli.command()
@FUNCTION
@click.option(
    "--at", type=click.Choice(("graph", "program", "source")), default="program", help="which stage to print"
)
@click.option(
    "--to", type=click.Choice(NAMES), help="for a source: the framework; for a program: lowered for it"
)
@ARGS
@SPEC
@SOURCE
@ASSUME
@UNROLL
@X64
@CONTROL
@GUARDS
@click.option("--passes", metavar="A,B,…", help="the passes to run before; '' for none")
@click.option("--after", metavar="PASS", help="as this pass leaves it, see `tracelate passes`")
def show(
    function: str,
    at: str,
    to: str | None,
    x64: bool | None,
    control: str | None,
    passes: str | None,
    after: str | None,
    guards: str,
    **given: Any,
) -> None:
    """Print a stage of the translation."""
    if after is not None and at != "program":
        raise click.BadParameter(f"passes leave programs, and this is --at {at}", param_hint="--after")
    names = None if passes is None else tuple(filter(None, passes.split(",")))
    made = traced(function, **given)
    control = form(control, to or made.framework)
    if at == "graph":
        click.echo(str(made.graph))
    elif at == "program":
        options: Any = {"x64": x64, "control": control, "passes": names}
        options |= {"after": after} if after is not None else {}
        plain = to is None and after is None
        code(str(made.read(names) if plain else made.lowered(to or made.framework, **options)))
    else:
        code(made.source(to or made.framework, x64=x64, control=control, passes=names, guards=guards))


@cli.command()
@FUNCTION
@TARGET
@ARGS
@SOURCE
@UNROLL
@X64
@CONTROL
@GUARDS
@click.option(
    "--vary", type=click.IntRange(0), default=0, metavar="N", help="try N other arguments than the example's"
)
def check(
    function: str,
    to: str,
    expression: str | None,
    source: str | None,
    unroll: int | None,
    x64: bool | None,
    control: str | None,
    guards: str,
    vary: int,
) -> None:
    """Run the function and its translation, and compare."""
    if x64 and (target := backend(to)).narrows:  # the translation is to run, too
        exec(target.x64_on, {target.module: target.imported})
    fn, namespace = load(function)
    args = arguments(expression, (), namespace) or ()
    with blaming(fn):
        control = form(control, to)
        options: Any = {"source": source, "x64": x64, "control": control, "guards": guards, "vary": vary}
        options["unroll"] = unroll
        report = api.check(fn, args, to=to, **options)
    click.echo(str(report))
    sys.exit(0 if report.ok else 1)


@cli.command()
@click.option("--family", help="only this family of ops, such as reduction")
def ops(family: str | None) -> None:
    """List the ops and how each framework says them."""
    rows, summary = coverage(family)
    if not rows:
        raise click.BadParameter(f"there is no family {family!r} of ops", param_hint="--family")
    columns = [Column("op", no_wrap=True), *(Column(name, overflow="fold") for name in NAMES)]
    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    wide = None if sys.stdout.isatty() else 10_000  # a pipe has no edge
    Console(width=wide).print(table)
    click.echo(summary)


@cli.command()
@TARGET
@click.option(
    "--source", type=click.Choice(NAMES), default=COMMON, help="the framework that a program is written for"
)
@CONTROL
def passes(to: str, source: str, control: str | None) -> None:
    """List the passes that a program goes through on its way to a framework, in order."""
    table = Table(Column("pass", no_wrap=True), "what holds after it", box=None, pad_edge=False)
    for each in pipeline(Way(target_of(to, None, form(control, to)), backend(source))):
        table.add_row(each.name, each.says)
    Console(width=None if sys.stdout.isatty() else 10_000).print(table)


def form(control: str | None, to: str) -> str | None:
    """The form of control flow that is asked for.

    Raises:
        click.BadParameter: where the target has no such form.
    """
    try:
        target_of(to, None, control)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--control") from None
    return control


def traced(
    function: str,
    expression: str | None,
    specs: tuple[str, ...],
    source: str | None,
    assume: str | None,
    unroll: int | None,
) -> Traced:
    fn, namespace = load(function)
    args = arguments(expression, specs, namespace)
    with blaming(fn):
        return api.symbolic_trace(fn, args, source=source, assume=assume, unroll=unroll)


def load(function: str) -> tuple[Callable[..., Any], dict[str, Any]]:
    """The function that `PATH.py:NAME` names, and the names of its file.

    Raises:
        click.BadParameter: where there is no such file or function.
        TraceError: where the file itself cannot be run.
    """
    path, _, name = function.rpartition(":")
    file = Path(path)
    if not name or not file.is_file():
        raise click.BadParameter(
            f"{function!r} is not PATH.py:FUNCTION of a file that exists", param_hint="FUNCTION"
        )
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    sys.path.insert(0, str(file.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise own_error(error, spec.origin or path) from error
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise click.BadParameter(f"{path} has no {name}", param_hint="FUNCTION")
        found = getattr(found, part)
    if not callable(found) or isinstance(found, type):
        raise click.BadParameter(f"{name} in {path} is no function", param_hint="FUNCTION")
    return found, vars(module)


@contextlib.contextmanager
def blaming(fn: Callable[..., Any]) -> Iterator[None]:
    """Errors that the user's own code raises while it is traced are told by the user's line."""
    try:
        yield
    except TraceError:
        raise
    except Exception as error:
        code = getattr(inspect.unwrap(fn), "__code__", None)
        if code is None:
            raise
        raise own_error(error, code.co_filename) from error


def own_error(error: Exception, file: str) -> TraceError:
    """An error of the user's own program, with its last line in `file`."""
    if isinstance(error, SyntaxError) and error.lineno:
        column = (error.offset or 1) - 1
        place = Span(error.filename or file, error.lineno, column, error.lineno, column + 1)
        return TraceError(f"SyntaxError: {error.msg}", span=place)
    told = f"{type(error).__name__}: {error}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    if not frames:
        return TraceError(told)
    last = frames[-1]
    line, column = last.lineno or 1, last.colno or 0
    return TraceError(told, span=Span(file, line, column, last.end_lineno or line, last.end_colno or column))


def arguments(
    expression: str | None, specs: tuple[str, ...], namespace: dict[str, Any]
) -> tuple[Any, ...] | None:
    """The example arguments that the command line gives; None where it gives none.

    Raises:
        click.BadParameter: where the expression is not one, or fails.
    """
    if expression:
        try:
            value = eval(expression, namespace)
        except Exception as error:
            raise click.BadParameter(
                f"{expression!r} fails: {type(error).__name__}: {error}", param_hint="--args"
            ) from None
        return value if isinstance(value, tuple) else (value,)
    return tuple(map(parsed, specs)) or None


def parsed(text: str) -> Any:
    """`float32[2, n]` as a spec.

    Raises:
        click.BadParameter: where it is none.
    """
    match = re.fullmatch(r"(\w+)\[(.*)\]", text.strip())
    if match is None:
        raise click.BadParameter(f"{text!r} is not DTYPE[DIMS], such as 'float32[2, n]'", param_hint="--spec")
    dims = [d.strip() for d in match[2].split(",") if d.strip()]
    try:
        return api.spec([int(d) if d.isdigit() else d for d in dims], match[1])
    except TypeError as error:
        raise click.BadParameter(str(error), param_hint="--spec") from None


def console() -> Console:
    return Console(soft_wrap=True)


def code(text: str) -> None:
    """Python source, in colour on a terminal, and to the letter anywhere else."""
    if sys.stdout.isatty():
        console().print(Syntax(text, "python", theme="ansi_dark", background_color="default"))
    else:
        click.echo(text, nl=not text.endswith("\n"))


def warn(message: Warning | str, category: type[Warning], *place: Any, **options: Any) -> None:
    """Print a warning as errors are printed: the place is one of ours."""
    click.echo(f"tracelate.{category.__name__}: {message}", err=True)


def main() -> None:
    """Entry point: errors go to stderr, without a traceback but where the fault is ours."""
    warnings.showwarning = warn
    try:
        cli(prog_name="tracelate")
    except TraceError as error:
        if isinstance(error, InternalError):
            traceback.print_exception(error.__cause__)
        click.echo(f"tracelate.{type(error).__name__}: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
