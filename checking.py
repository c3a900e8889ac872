"""check and verify: a function and its translation, run on the same arguments, op by op and as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .backends.arrays import Difference, compare, convert, map_arrays
from .backends.backend import framework_of, target_of
from .backends.lower import lower
from .codegen.compile import bind, load
from .codegen.module import emit
from .ir.errors import UnsupportedError
from .ir.graph import Graph, Node
from .ir.program import Program
from .ir.spec import Spec
from .tracer.interpreter import Interpreter


@dataclass
class Report:
    """What a check found. True where source and translation agree.

    Attributes:
        differences: those of the whole function, worst first.
        first: the first call whose translation differs, as the user wrote it, and how; None where none does.
        compared: how many calls were compared one by one.
    """

    name: str
    source: str
    target: str
    differences: list[Difference] = field(default_factory=list)
    first: tuple[Node, Difference] | None = None
    compared: int = 0

    @property
    def ok(self) -> bool:
        return not self.differences and self.first is None

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        head = f"{self.name}: {self.source} and {self.target} "
        if self.ok:
            return f"{head}agree on the result and on {self.compared} calls one by one"
        lines = [f"{head}differ", *(f"  {d}" for d in self.differences)]
        if self.first is not None:
            node, difference = self.first
            lines.append(f"first at {node.name}: {difference.what}")
            if node.span is not None:
                lines.append(node.span.report())
        return "\n".join(lines)


def compared(
    traced: Any, out: Any, args: Sequence[Any], kwargs: Mapping[str, Any], x64: bool | None
) -> Report:
    """Run both sides and compare.

    Args:
        traced: an api.Traced. `out` is its translation.
        args, kwargs: real arguments of the source framework.
    """
    target = out.framework
    report = Report(traced.graph.name, traced.framework, target)
    narrowed = target == "jax" and not x64
    theirs = traced.fn(*fresh(args), **fresh(kwargs)) if runnable(traced) else traced(*args, **kwargs)
    mine = out(*moved(args, target), **moved(kwargs, target))
    report.differences = sorted(compare(theirs, mine, narrowed=narrowed), key=lambda d: -d.error)
    for node, difference in one_by_one(traced, target, args, kwargs, x64, report):
        report.first = node, difference
        break
    return report


def runnable(traced: Any) -> bool:
    """Whether the source framework can run the function itself: a list beside a tensor is a constant to us,
    an error to torch.
    """
    return not traced.graph.meta.get("lists")


def fresh(value: Any) -> Any:
    """The same arguments in arrays of their own, so that neither run sees the other's writes."""
    return map_arrays(value, lambda a: convert(a, framework_of(a) or "numpy"))


def moved(value: Any, target: str) -> Any:
    return map_arrays(value, lambda a: convert(a, target))


class Recorder(Interpreter):
    """Runs a tape and keeps every value."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.values: dict[Node, Any] = {}

    def run_node(self, node: Node, args: Any, kwargs: Any) -> Any:
        found = super().run_node(node, args, kwargs)
        self.values[node] = fresh(found)  # a copy, since later calls may write into it
        return found


def one_by_one(
    traced: Any, target: str, args: Sequence[Any], kwargs: Mapping[str, Any], x64: bool | None, report: Report
) -> Iterator[tuple[Node, Difference]]:
    """The calls whose translation differs from the source's own value, in order. Calls inside functions count
    as one.
    """
    program = probe(traced.read(()))
    record = target_of(target, x64)
    try:
        lowered = lower(program, record, traced.origin)
        text = emit(lowered, record, traced.origin)
    except UnsupportedError:
        return  # the whole was translated, but not every single value has a counterpart of its own
    function = load(text, program.name, target).function
    bind(function, {name: convert(lowered.constants[name], target) for name in lowered.meta.get("bound", ())})
    got = function(*moved(args, target), **moved(kwargs, target))
    recorder = Recorder(traced.graph)
    traced.run(recorder, *args, **kwargs)
    for node, value in zip(program.meta["probed"], got):
        report.compared += 1
        for difference in compare(recorder.values[node], value, narrowed=target == "jax" and not x64):
            yield node, difference


def probe(program: Program) -> Program:
    """The same Program, returning every array that a call of the tape gave."""
    made: Program = program.copy()  # type: ignore[assignment]
    wanted = [
        n for n in made.nodes
        if n.op == "call_function"
        and n.meta.get("for") is not None
        and isinstance(n.spec, Spec)
        and not n.meta.get("implicit")
    ]  # fmt: skip
    made.erase_node(made.output_node)
    made.output(tuple(wanted))
    made.meta["probed"] = [n.meta["for"] for n in wanted]
    return made
