"""The passes of planning: what is copied and what is written into in place, of a Program that a target can
say.
"""

from __future__ import annotations

from typing import Any

from ...ir.passes import Pass
from .export_copies import owned
from .fresh import keep_fresh, keep_picked
from .in_place import raised
from .leaving import append_once
from .views import named_views


def writes(way: Any) -> bool:
    return bool(way.mutable)


#: In the order in which they run.
PASSES: tuple[Pass, ...] = (
    Pass(
        "fresh",
        "what the program has anew is a copy where the target has a view",
        keep_fresh,
        ("target",),
        writes,
    ),
    Pass(
        "picked",
        "what an index array picks is a copy where the target has a part",
        keep_picked,
        ("target",),
        writes,
    ),
    Pass("in-place", "updates are written in place, or into a copy", raised, ("target",), writes),
    Pass(
        "views",
        "views that have a name are read and written by it",
        named_views,
        ("target",),
        lambda way: writes(way) and not way.exports,
    ),
    Pass(
        "appended-once",
        "what a turn appends before it leaves its loop is handed on by its end alone",
        append_once,
        ("target",),
        lambda way: not way.exports,
    ),
    Pass(
        "own",
        "compiled regions give only memory of their own",
        owned,
        ("target",),
        when=lambda way: way.exports,
    ),
)
