"""Part: what the classes have in common of whose methods Tracer is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ..backends.backend import Backend
    from ..ir.graphs.graph import Graph
    from ..ir.source.readings import Readings
    from .guessing import Guesses
    from .intercept.base import Framework
    from .memory.sharing import Memory
    from .objects.modes import Modes
    from .objects.outside import Outside
    from .objects.recorded import Recorded
    from .printing import Texts
    from .python.hooks import Tracing
    from .regions.outcomes import Outcomes
    from .rolling import Rolling
    from .settling import Answers
    from .state.entry import Entry
    from .state.memo import Memo
    from .state.names import Names
    from .state.scopes import Scope
    from .state.stack import Stack
    from .structured import Structure
    from .supposed import Supposed
    from .tracer import Tracer
    from .trying.tries import Tries


class Part:
    """A class of methods of Tracer's. What takes the whole is given `self.tracer`.

    Attributes:
        framework, backend: whose calls are recorded.
        supposed, rolling: what is taken of arguments without an example, and which loops are recorded.
        hooks: what rewritten code calls.
        scopes: the graphs that are open, the innermost last.
        stack: the functions and loops of the user's that run.
        entry: the function that is traced.
        names: those that the trace has given.
        memo: what is known of the calls so far.
        memory: which proxies lie in the same memory, and what was written.
        containers: what is known of the user's containers.
        structure: what is asked of those among the arguments.
        texts: the strings that hold values.
        outside: what outlives the call; trace.run makes it.
        modes: the settings of the framework's.
        readings: where the user reads attributes and items.
        tries, answers, guesses, outcomes: what is known of `try`, of tests, of calls without a word, and of
            functions that are traced again.
    """

    framework: Framework
    backend: Backend
    supposed: Supposed
    rolling: Rolling
    hooks: Tracing
    scopes: list[Scope]
    stack: Stack
    entry: Entry
    names: Names
    memo: Memo
    memory: Memory
    containers: Recorded
    structure: Structure
    texts: Texts
    outside: Outside
    modes: Modes
    readings: Readings
    tries: Tries
    answers: Answers
    guesses: Guesses
    outcomes: Outcomes

    @property
    def tracer(self) -> Tracer:
        return cast("Tracer", self)

    @property
    def graph(self) -> Graph:
        """The graph that is open."""
        return self.scopes[-1].graph
