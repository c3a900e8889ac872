"""Compiled: how a framework compiles control flow, where it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """Functions that take the branches and turns of a program as functions.

    Attributes:
        functions: how they are written, by our name: cond, while_loop, fori_loop and scan.
        counter: the function that gives the numbers by which a loop counts, as an array.
        jit: under what a text says that it is compiled, which runs it once with stand-ins; "" where that is
            left to whoever exports it. static: the argument there that names the parameters which must be
            known then. methods: what the function that it gives can do beside being called.
        prints: the function that prints each time that the compiled function runs; "" where there is none.
        spread: whether a state is an argument for each of its values, all arrays. Else it is one value or a
            tuple, and may begin with a number of Python's.
        counts: whether a scan can go through nothing, so many times.
    """

    functions: Mapping[str, str]
    counter: str
    jit: str = ""
    static: str = ""
    methods: tuple[str, ...] = ()
    prints: str = ""
    spread: bool = False
    counts: bool = False
