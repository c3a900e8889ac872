"""`make demo`: translate the programs of this folder, show both texts side by side, run all and compare."""

import ast
import copy
import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

import calibration
import foo
import gpt_block
import iteration
import metrics
import mixture
import simulation
import tracelate as tl

FRAMEWORKS = ("numpy", "jax", "torch")

#: How an array enters a framework.
ENTER = {"numpy": np.asarray, "jax": jnp.asarray, "torch": torch.asarray}

#: Columns for a line of code: as many as it wants, and the fewest that are worth standing side by side.
WIDE, NARROW = 90, 60

#: Functions beside a program that are no part of it.
ASIDE = ("inputs", "reference")


@dataclasses.dataclass(frozen=True)
class Example:
    """A program: `run` is what its translations are compared with, `x64` whether JAX needs 64 bits for it."""

    name: str
    source: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = dataclasses.field(default_factory=dict)
    run: Callable[..., Any] | None = None
    x64: bool = False


#: Programs with loops and branches that arrays decide, and writes in place: each file has several.
ITERATION, SIMULATION = iteration.inputs(), simulation.inputs()

EXAMPLES = (
    Example("foo", "torch", foo.foo, foo.inputs(), run=foo.reference),
    Example("a GPT block", "torch", gpt_block.block, gpt_block.inputs()),
    Example("calibration", "numpy", calibration.calibrate, calibration.inputs(), x64=True),
    Example("a mixture", "jax", mixture.fit, mixture.inputs()),
    Example("Kepler's equation", "numpy", iteration.kepler, ITERATION[iteration.kepler][0], x64=True),
    Example("a sort", "numpy", simulation.cocktail_sort, SIMULATION[simulation.cocktail_sort][0], x64=True),
    Example("Adam", "torch", iteration.logistic_regression, ITERATION[iteration.logistic_regression][0]),
    *(Example(f.__name__, "torch", f, metrics.inputs(), options) for f, options in metrics.METRICS),
)


def main() -> int:
    """Returns how many translations were refused or failed."""
    console = Console(width=None if sys.stdout.isatty() else 2 * WIDE)
    differences = Table("program", "from", "to", "output", "dtype", "largest value", "largest difference")
    failures = 0
    for example in EXAMPLES:
        for target in FRAMEWORKS:
            if target == example.source:
                continue
            console.rule(f"{example.name}: {example.source} to {target}")
            try:
                for row in translate(example, target, console):
                    differences.add_row(example.name, example.source, target, *row)
            except tl.TraceError as error:
                console.print(str(error), markup=False, highlight=False)
                failures += 1
    console.rule("source and translation, run on the same inputs")
    console.print(differences)
    return failures


def translate(example: Example, target: str, console: Console) -> Iterator[tuple[str, ...]]:
    """Translate, show, run; yields a row of the table for every output."""
    options = {"x64": True} if example.x64 and target == "jax" else {}
    with jax.enable_x64(example.x64):
        out = tl.transpile(example.function, to=target, args=example.args, kwargs=example.kwargs, **options)
        show(console, text_of(example.function), out.source)
        arguments = jax.tree.map(lambda x: ENTER[target](np.asarray(x).copy()), example.args)
        got = out(*arguments, **example.kwargs)
        wanted = (example.run or example.function)(*copy.deepcopy(example.args), **example.kwargs)
    yield from compare(wanted, got)


def show(console: Console, *texts: str) -> None:
    """Programs side by side where the terminal is wide enough, else one below the other."""
    programs = [Syntax(text, "python", theme="ansi_dark", word_wrap=True) for text in texts]
    if console.width < len(texts) * NARROW:
        for program in programs:
            console.print(program)
            console.rule(style="dim")
        return
    table = Table.grid(expand=True, padding=(0, 2))
    for _ in programs:
        table.add_column(ratio=1)
    table.add_row(*programs)
    console.print(table)


def compare(wanted: Any, got: Any) -> Iterator[tuple[str, ...]]:
    """Name, dtype, largest value and largest difference of every output."""
    (paths, form), (values, other) = jax.tree_util.tree_flatten_with_path(wanted), jax.tree.flatten(got)
    assert form == other, f"{form} came out as {other}"
    for (path, value), found in zip(paths, values, strict=True):
        a, b = np.asarray(value), np.asarray(found)
        assert a.shape == b.shape, f"{a.shape} came out as {b.shape}"
        dtype = f"{a.dtype}" if a.dtype == b.dtype else f"{a.dtype}, {b.dtype}"
        largest, difference = np.max(np.abs(a)), np.max(np.abs(a.astype(complex) - b.astype(complex)))
        yield jax.tree_util.keystr(path) or "result", dtype, f"{float(largest):.3g}", f"{difference:.2g}"


def text_of(function: Callable[..., Any]) -> str:
    """What the user wrote: of a program all functions; of a file of several the one; of a library the one,
    without its long docstring.
    """
    module = inspect.getmodule(function)
    if function in (*ITERATION, *SIMULATION):
        return inspect.getsource(function)
    if hasattr(module, "inputs"):
        functions = [f for f in vars(module).values() if inspect.isfunction(f)]
        program = [f for f in functions if f.__module__ == module.__name__ and f.__name__ not in ASIDE]
        return "\n\n".join(inspect.getsource(f) for f in program)
    text = inspect.getsource(function)
    docstring = ast.parse(text).body[0].body[0]
    lines = text.splitlines()
    return "\n".join(lines[: docstring.lineno - 1] + lines[docstring.end_lineno :])


if __name__ == "__main__":
    sys.exit(main())
