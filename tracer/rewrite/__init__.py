"""The rewriter: control flow, calls and operators become calls on hooks, so that a tracer can see them.

Only for meaning: names and spans are read from frame positions, which rewritten code keeps.
"""

from .hooks import Branch, Hooks, Plain, Thunk
from .rewriter import rewrite, unread, words
from .runtime import UNDEFINED, Exit
from .source import NoSource

__all__ = ["UNDEFINED", "Branch", "Exit", "Hooks", "NoSource", "Plain", "Thunk", "rewrite", "unread", "words"]
