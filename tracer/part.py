"""Part: what the classes have in common of whose methods Tracer is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .tracer import Tracer


class Part:
    """A class of methods of Tracer's. What takes the whole is given `self.tracer`."""

    @property
    def tracer(self) -> Tracer:
        return cast("Tracer", self)
