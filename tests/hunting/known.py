"""Faults that are known: program, target, and why. Whoever mends one takes it out, and none may be added."""

from __future__ import annotations

KNOWN: dict[str, dict[str, str]] = {}
