"""Function: an emitted text as what `Traced.to` gives, the function itself with attributes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..backends.arrays import convert, to_numpy
from ..backends.backend import Backend
from ..ir.errors import TraceError
from ..ir.program import Program
from .jitting import static_argnames
from .load import bind, load
from .misfits import Misfits


def callable_of(text: str, program: Program, target: Backend, examples: Any = ()) -> Any:
    """The emitted function, loaded, with its constants bound and its attributes set."""
    target.imported
    loaded = load(text, program.name, target.name)
    misfits = Misfits(loaded, program.name, target, program.meta.get("checks", ()))
    function: Any = misfits.within() if target.compiles_try else loaded.function
    params = {name: convert(program.constants[name], target.name) for name in program.meta.get("bound", ())}
    bind(function, params)
    static = static_argnames(program, examples) if target.traces else None
    names = [name for name in static or () if name in inspect.signature(function).parameters]
    if static is not None and not hasattr(function, "clear_cache"):
        function = target.handling.jitted(function, names)
    if names or not target.compiles_try:
        function = misfits.around(function, names)
    function.source = text
    function.params = params
    function.apply = lambda params, *args, **kwargs: function(*args, **kwargs, **params)
    function.narrowed = bool(program.meta.get("narrowed") or program.meta.get("narrowed floats"))
    function.x64 = target.x64
    function.framework = target.name
    function.save = functools.partial(save, text, params)
    return function


def save(text: str, params: Mapping[str, Any], folder: Any) -> None:
    """Write `model.py`, and `params.safetensors` where the function closes over arrays. Both work without
    tracelate.
    """
    from pathlib import Path

    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    (path / "model.py").write_text(text, encoding="utf-8")
    if params:
        try:
            from safetensors.numpy import save_file
        except ImportError as error:
            raise TraceError(
                "saving arrays needs safetensors", hint="pip install tracelate[safetensors]"
            ) from error
        # Whole and in order: safetensors writes the memory as it lies, whatever the strides say.
        arrays = {name: np.array(to_numpy(value), order="C") for name, value in params.items()}
        save_file(arrays, path / "params.safetensors")
