"""Memo: what is known of the calls so far, so that nobody is asked again about one like them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...backends.reading.inference import Seen
    from ...ir.graphs.fitting import Pairs


@dataclass(slots=True)
class Memo:
    """What is known of the calls so far. Tracer.record and Tracer.evaluate write it.

    Attributes:
        results: what each call gave, by what it was given: a Seen for each array, which of them share memory
            with operands, and the sizes that broadcast.
        declared: what the table of callees says of a call, likewise.
        patterns: what torch and the dictionary both say of calls, apart from the sizes of their operands.
        fitted: the sizes that broadcast with each other in the call at hand.
        failed: what a framework raised last for a recorded call.
    """

    results: dict[Any, tuple[Any, tuple[bool, ...] | None, Pairs]] = field(default_factory=dict)
    declared: dict[Any, str] = field(default_factory=dict)
    patterns: dict[Any, Seen] = field(default_factory=dict)
    fitted: Pairs = field(default_factory=dict)
    failed: BaseException | None = None
