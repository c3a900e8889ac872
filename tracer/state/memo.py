"""Memo: what is known of the calls so far, so that nobody is asked again about one like them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...backends.reading.inference import Seen
from ...ir.graphs.static import Scalar
from ...ir.values.spec import Spec

if TYPE_CHECKING:
    from ...ir.graphs.fitting import Pairs


@dataclass(slots=True)
class Known:
    """What is known of a call.

    Attributes:
        template: what it gives: a Seen for each array.
        shared: which of these share memory with operands, if that was asked.
        fitted: the sizes that broadcast.
        declared: what the table of callees says of it, if that was asked.
    """

    template: Any
    shared: tuple[bool, ...] | None
    fitted: Pairs
    declared: str | None = None


@dataclass(slots=True)
class Memo:
    """What is known of the calls so far. Tracer.record and Tracer.evaluate write it.

    Attributes:
        results: what is known of each call, by what it is given.
        forms: what values are seen as, by their specs and forms, and the number that stands for that in the
            keys of `results`, which are hashed at every call.
        numbers: these numbers.
        patterns: what torch and the dictionary both say of calls, apart from the sizes of their operands.
        fitted: the sizes that broadcast with each other in the call at hand.
        failed: what a framework raised last for a recorded call.
    """

    results: dict[Any, Known] = field(default_factory=dict)
    forms: dict[tuple[int, Any], tuple[Seen, int]] = field(default_factory=dict)
    numbers: dict[Any, int] = field(default_factory=dict)
    patterns: dict[Any, Seen] = field(default_factory=dict)
    fitted: Pairs = field(default_factory=dict)
    failed: BaseException | None = None

    def seen(self, spec: Any, form: Any) -> tuple[Seen, Any]:
        """What a value of this spec is seen as, and what stands for that in a key. Specs that are one object
        are told apart from others by that alone.
        """
        found = self.forms.get((id(spec), form))
        if found is None:
            made = Seen(spec, form)
            hints = spec.hint if isinstance(spec, Scalar) else hint_key(spec)
            number = self.numbers.setdefault((made, hints), len(self.numbers))
            found = self.forms[id(spec), form] = made, number  # which keeps the spec
        return found


def hint_key(spec: Any) -> Any:
    if isinstance(spec, Spec):
        return spec.hint_shape
    if isinstance(spec, (tuple, list)):
        return tuple(hint_key(s) for s in spec)
    return None
