"""Faults that are known: why, program, and for which targets. Whoever mends one takes it out."""

from __future__ import annotations

#: By reason: the programs, each with its targets, "numpy torch jax".
FAULTS: dict[str, dict[str, str]] = {}
#: By program and target: why.
KNOWN: dict[str, dict[str, str]] = {}
for _why, _programs in FAULTS.items():
    for _name, _targets in _programs.items():
        KNOWN.setdefault(_name, {}).update(dict.fromkeys(_targets.split(), _why))
