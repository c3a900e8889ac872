"""The Subscript DSL, in which every op declares its shapes: `A[#~ i j] B[#~ j k] -> C[~ i k]`.

Written once, it says what shapes an op takes, what it gives, what was assumed about symbolic sizes, and what
is wrong.
"""

from .compiled import Checker as Checker
from .compiled import create_subscript_p as create_subscript_p
from .helpers import subscript_function as subscript_function
from .judge import Constraint as Constraint
from .match import Match as Match
from .report import MatchError as MatchError
from .report import Report as Report
from .report import SubscriptError as SubscriptError
from .subscript import Subscript as Subscript
