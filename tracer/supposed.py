"""Supposed: what is taken of arguments of which there is no example, see unexampled.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..ir.values.dtypes import DType


@dataclass
class Supposed:
    """What is taken of arguments without an example.

    Attributes:
        dtype: that of arrays; None: any, of which the framework's default float stands for all.
        ranks: of arrays by name, or of all; None: nothing is known of their shapes.
        size: of each axis.
        optional: whether that is supposed of parameters too that are None by default.
        met: the parameters of which something was supposed.
    """

    dtype: DType | None = None
    ranks: Mapping[str, int] | int | None = None
    size: int = 0
    optional: bool = False
    met: list[str] = field(default_factory=list)

    def rank(self, name: str, *, optional: bool) -> int | None:
        """How many axes a parameter is supposed to have."""
        self.met.append(name)
        if optional and not self.optional:
            return None
        return self.ranks.get(name) if isinstance(self.ranks, Mapping) else self.ranks
