"""Local: what a branch or a loop has made, so that no expression of the arguments gives it."""

from __future__ import annotations

from .dim import Dim, Sym, sym


def local(name: str, hint: int | None, least: Dim | None = None, most: Dim | None = None) -> Sym:
    """A size or number of its own. `name` must be used once; `least` and `most`: see `sym`."""
    return sym(f"{name}@", hint, least, most)


def is_local(dim: Dim) -> bool:
    """Whether a size depends on one that no expression of the arguments gives."""
    return isinstance(dim, Sym) and any(atom.endswith("@") for atom in dim.atoms)
