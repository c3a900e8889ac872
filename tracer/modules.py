"""Modules of torch: what holds parameters or buffers cannot be kept as what it is yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.errors import UnsupportedError
from ..ir.source.span import Span
from .objects.containers import is_module
from .own import attribute, partial

if TYPE_CHECKING:
    from .tracer import Tracer


#: What `torch.jit.script` makes.
SCRIPTED = ("ScriptFunction", "ScriptMethod", "RecursiveScriptModule")


def refuse(tracer: Tracer, value: Any) -> None:
    """Raises UnsupportedError for a module with parameters or buffers, or a method of one."""
    while (bound := partial(value)) is not None:
        value = bound.func
    module = attribute(value, "__self__", value)
    kind = type(module)
    if kind.__name__ in SCRIPTED and str(kind.__module__).startswith("torch"):
        raise UnsupportedError(
            "a call of what torch.jit.script has compiled",
            why="it does not run as Python, so that there is nothing to see of what it does",
            span=tracer.span() if tracer.scopes else None,
            hint="call the function that it was made of",
        )
    if not is_module(type(module)) or not [*module.parameters(), *module.buffers()]:
        return
    raise UnsupportedError(
        f"the module {type(module).__name__}",
        why="its parameters and buffers would become constants of the translation",
        span=tracer.span() if tracer.scopes else defined(type(module).forward),
        hint="trace a function of x and the parameters, which calls torch.nn.functional.linear(x, w, b)",
    )


def defined(function: Any) -> Span | None:
    """The line at which a function begins."""
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    line = code.co_firstlineno
    span = Span(code.co_filename, line, 0, line, 0)
    text = span.source_line
    return Span(code.co_filename, line, len(text) - len(text.lstrip()), line, len(text))
