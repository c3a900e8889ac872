"""Backend: one record a framework. Facts that belong to a framework rather than to an op stand in numpy.py,
jax.py, torch.py.

A framework is text here, and is imported only once the user has imported it or asks to run in it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from ..ir.errors import TraceError
from ..ir.meaning.layers import Table, remembered
from ..ir.values import dtypes
from ..ir.values.dtypes import DType
from .handling import Handling

NAMES = ("numpy", "jax", "torch")
#: The framework that all others know: their arrays are turned into its arrays and back, Tracelate itself
#: computes in it, and a program of another one takes its functions for Python's own.
COMMON = "numpy"
#: What 64-bit integers are where there are none; see `Backend.x64`.
NARROW: dict[str, DType] = {
    "int64": dtypes.int32, "uint64": dtypes.uint32, "float64": dtypes.float32, "complex128": dtypes.complex64
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Backend:
    """What emission and reading must know of a framework, op by op facts aside. There is one object for equal
    requests, so that it can be a key.

    A line of the house asks for the fact that is its reason, never for a framework by name.

    Attributes:
        words: its name in a sentence.
        module: what a user imports; also where its functions are looked up.
        imports: the longest prefix of a dotted name decides which import it needs and how the prefix is then
            written.
        dtypes: how a dtype is written, by our name; a dtype that is missing does not exist there.
        default_float, default_int: dtypes of arrays made from Python numbers.
        array: the callee that turns nested lists into an array.
        array_type: prefix of its array's methods in the signatures.
        functions: where it has its functions, the usual place first.
        stack: the callee that joins arrays along a new axis.
        controls: the forms that control flow can have, the usual one first: "python" is Python's own
            statements, "lax" and "export" are the framework's functions of functions.
        x64: whether 64-bit dtypes exist. narrows: whether they can be switched off (jax: by a flag of the
            running program, which a text that needs them asks).
        control: the form that is chosen.
        device: what kind of device a text is for, where that is said.
        base: of a column of the users', the framework that it writes for: its phrases speak where the column
            has none, and its dtypes and its memory are the column's.
        handling: what is done with its arrays themselves.

    Its classes:
        packages: those in which its classes and functions live, and such as are written for it alone.
        array_classes: the classes of its arrays, by name.
        number_type: the class of what has no axes, where that is a number of the framework's own and no
        array: no write stays in it, and it is no part of another.
        takes: the other frameworks whose arrays its functions take.

    Memory:
        mutable: whether arrays can be written into, and so be seen to share memory.
        pure: whether functions leave as it was whatever they are given, containers too.
        negative_strides: whether there are views that go backwards.
        deep_copies_together: whether deep copies, made at once, of what lies in one memory lie in one too.
        overlaps: whether a write may read of the memory that it writes into.
        cast_copies: whether a cast copies also what has the dtype already.
        in_order: how a check asks whether an array lies row by row, and where it lies; None where all do.
        may_share: the function that a check asks whether two arrays share memory. memory: where there is
        none, what says in which memory an array lies.

    Calls:
        raises: whether calls raise for the values they are given. shape_error: what they raise for shapes
        that do not fit. linear_error: how the error of linear algebra is called.
        asked: whether it is asked itself, while a trace goes on, what each call gives.
        jits: whether functions are run once with stand-ins for their arguments, compiled whole, and cannot be
        stopped then.
        tree_leaves, tree_map: the functions that give all arrays in nested containers, and containers of what
            another function makes of them; "" where there is none.
        sorts_keys: whether dicts come back from what is compiled with their keys in order.
        compiles_try: whether what compiles a function takes one with a `try` in it.
        gradients: whether there are gradients. loop_gradients: whether they go through a compiled `while`.
        item_detaches: whether they end where a number is taken out of an array.

    Numbers, lists and positions:
        weak: whether arrays made of Python's numbers have no dtype of their own beside others.
        one_element: whether an array of one element that has axes is a number to `float(x)`.
        size_method: whether `x.size` is a method.
        hashed_by_identity: whether arrays have a hash, by which they are found as the objects that they are.
        asks_operands: whether the operators of arrays let an operand of the user's say what they are.
        list_operands: whether lists may stand beside arrays at operators. list_arguments: whether functions
        of any number of arrays take them as one list too. list_indices: whether index arrays may be lists.
        byte_masks: whether arrays of bytes are masks. index_numbers: whether index arrays without axes count
        as numbers, so that what they pick is a part.
        array_parameters: whether an array without axes may stand for a number that is no operand.
        bool_conditions: whether `where` takes a bool of Python's.
        carries_ints: whether a compiled `while` carries ints too. windows: whether what is compiled has
        slices of known length that begin anywhere.

    Dtypes:
        assigned: of which values an assignment makes the array's dtype: "all", "placed" (but not where index
        arrays say the places), or "none".
        wraps: whether floats that are written into ints wrap round.
        wide_parameters: whether ops of 16-bit floats have their parameters in float32.
        sums_first: whether a contraction sums over an axis before it multiplies, of ints in 64 bits, where it
        has more than one element in one operand only.
        lines: ops that take an array without axes for a line of one element, where others refuse it.
        one_dtype: ops that refuse arrays of several dtypes.
        untold: ops that without `dtype=` give arrays of another float than the default.
        borrowed: dtypes that it only has of another package.
        own_limits: whether the limits of a dtype are numbers of that, not of Python's. dtype_words: how
        dtypes print.
        kind_methods: the methods that ask of what kind an array is. listed_kinds: the kinds that are asked
        for by naming the dtypes, which is faster there; the others by `issubdtype`.
        in_place: what ends the names of methods that write what an op gives into its first operand.
        scatters: the function that joins values to an array where each of the places counts; "" where arrays
        have methods for it.
    """

    name: str
    words: str
    module: str
    packages: tuple[str, ...]
    array_classes: tuple[str, ...]
    imports: Mapping[str, tuple[str, str]]
    dtypes: Mapping[str, str]
    default_float: DType
    default_int: DType
    array: str
    array_type: str
    functions: tuple[str, ...]
    stack: str
    literals: Mapping[str, str]
    handling: Handling
    shape_error: type[Exception]
    controls: tuple[str, ...] = ("python",)
    x64: bool = True
    narrows: bool = False
    control: str = "python"
    device: str | None = None
    base: str | None = None
    number_type: str | None = None
    takes: tuple[str, ...] = ()
    mutable: bool = True
    pure: bool = False
    negative_strides: bool = True
    overlaps: bool = True
    deep_copies_together: bool = False
    cast_copies: bool = False
    in_order: tuple[str, str] | None = None
    may_share: str = ""
    memory: str = ""
    raises: bool = True
    linear_error: str = ""
    asked: bool = False
    jits: bool = False
    tree_leaves: str = ""
    tree_map: str = ""
    sorts_keys: bool = False
    compiles_try: bool = True
    gradients: bool = True
    loop_gradients: bool = True
    item_detaches: bool = False
    weak: bool = False
    one_element: bool = False
    size_method: bool = False
    hashed_by_identity: bool = False
    asks_operands: bool = True
    list_operands: bool = False
    list_arguments: bool = False
    list_indices: bool = True
    byte_masks: bool = False
    index_numbers: bool = False
    array_parameters: bool = True
    bool_conditions: bool = True
    carries_ints: bool = False
    windows: bool = False
    assigned: str = "all"
    wraps: bool = False
    wide_parameters: bool = False
    sums_first: bool = False
    lines: frozenset[str] = frozenset()
    one_dtype: frozenset[str] = frozenset()
    untold: frozenset[str] = frozenset()
    borrowed: frozenset[str] = frozenset()
    own_limits: bool = True
    dtype_words: str = "{}"
    kind_methods: Mapping[str, str] = field(default_factory=dict)
    listed_kinds: frozenset[str] = frozenset()
    in_place: str = ""
    scatters: str = ""

    def spelled(self, dotted: str) -> tuple[str, str | None]:
        """How a dotted name is written, and the import line that this needs."""
        prefix = max(
            (p for p in self.imports if dotted == p or dotted.startswith(p + ".")), key=len, default=""
        )
        if not prefix:
            return dotted, None
        alias, line = self.imports[prefix]
        return alias + dotted[len(prefix) :], line

    def with_x64(self, x64: bool) -> Backend:
        """The same framework with 64-bit dtypes on or off, where they can be switched off."""
        return variant(self.name, x64, self.control, self.device) if self.narrows else self

    def narrowed(self, dtype: DType) -> DType:
        """The dtype in which the framework has what is of this one."""
        return dtype if self.x64 else NARROW.get(dtype.name, dtype)

    def with_control(self, control: str | None) -> Backend:
        """The same framework with another form of control flow; None is the usual one.

        Raises:
            ValueError: for a form that it does not have.
        """
        if control is not None and control not in self.controls:
            known = " or ".join(f"{c!r}" for c in self.controls)
            raise ValueError(f"control={control!r} makes no sense for {self.name}: it is {known} there")
        return variant(self.name, self.x64, control or self.controls[0], self.device)

    def with_device(self, device: str | None) -> Backend:
        """The same framework, for texts that run on such a device; None for any."""
        return variant(self.name, self.x64, self.control, device)

    def accepts(self, value: object) -> bool:
        """Whether a value is an array to its functions: one of its own, or of a framework that it takes."""
        return framework_of(value) in (self.name, *self.takes)

    def weakens(self, source: Backend) -> bool:
        """Whether what is weak here was not in a program of the source's."""
        return self.weak and not source.weak

    @property
    def own_numbers(self) -> bool:
        """Whether what has no axes is a number of the framework's, and no array; see `number_type`."""
        return self.number_type is not None

    @property
    def is_common(self) -> bool:
        """Whether its functions and arrays are what others take for Python's own; see COMMON."""
        return self.name == COMMON

    @property
    def compiles(self) -> bool:
        """Whether regions are functions of values, which a compiler can take, and not Python's statements."""
        return self.control != "python"

    @property
    def imported(self) -> Any:
        """The framework's module, imported now if it was not.

        Raises:
            TraceError: when it is not installed.
        """
        try:
            return importlib.import_module(self.module)
        except ImportError as error:
            raise TraceError(
                f"{self.name} is not installed, and this needs to run in it",
                hint=f"pip install tracelate[{self.name}]",
            ) from error


def backend(name: str) -> Backend:
    """The record of "numpy", "jax" or "torch", or of a column of the users'.

    Raises:
        TraceError: for any other name.
    """
    if name not in NAMES and name not in ADDED:
        known = ", ".join((*NAMES, *ADDED))
        raise TraceError(f"{name!r} is no framework that tracelate knows", hint=f"one of {known}")
    return record(name)


#: Columns of the users'.
ADDED: Table[str, Backend] = Table("columns")


def column(name: str, base: str, **facts: Any) -> Backend:
    """Add a column to the dictionary: another way to write for a framework, such as NumPy's functions where
    Numba compiles them. It says what its base says, save where it has phrases of its own, `tl.say(op,
    name="…")`.

    Args:
        base: the framework that it writes for, whose dtypes and memory it has.
        facts: of its record, where they are not its base's: see Backend.

    Raises:
        ValueError: where the name is taken, or no name. TraceError: for an unknown base.
    """
    if name in NAMES or not name.isidentifier():
        raise ValueError(f"{name!r} is no name for a column of your own")
    made = ADDED[name] = replace(backend(base), **{"words": name, **facts, "name": name, "base": base})
    return made


@remembered()
def chain(name: str) -> tuple[str, ...]:
    """A column, and those that speak where it does not."""
    base = backend(name).base
    return (name, *chain(base)) if base else (name,)


def ground(name: str) -> str:
    """The framework for which a column writes."""
    return chain(name)[-1]


@remembered()
def record(name: str) -> Backend:
    if name in ADDED:
        return ADDED[name]
    found: Backend = importlib.import_module(f".{name}", __package__).BACKEND
    return found


@remembered()
def variant(name: str, x64: bool, control: str, device: str | None = None) -> Backend:
    """The record of a framework with other flags: one for each."""
    found = record(name)
    if x64 != found.x64:
        wide = (dtypes.float64, dtypes.int64) if x64 else (dtypes.float32, dtypes.int32)
        found = replace(found, x64=x64, default_float=wide[0], default_int=wide[1])
    if (control, device) == (found.control, found.device):
        return found
    return replace(found, control=control, device=device)


def target_of(
    name: str, x64: bool | None, control: str | None = None, device: str | None = None
) -> Backend:
    """The record to write for: where 64-bit dtypes can be switched off, with them where `x64` says so; None
    is as the framework is configured now, if it is imported.

    Raises:
        ValueError: where the framework has no such form of control flow. TypeError: where `x64` is no bool.
    """
    if x64 not in (None, False, True):
        raise TypeError(f"x64= is True or False, not {x64!r}")
    found = backend(name)
    if x64 is None and found.narrows and (module := sys.modules.get(found.name)) is not None:
        x64 = module.config.jax_enable_x64
    return found.with_x64(bool(x64)).with_control(control).with_device(device)


@cache
def classes() -> dict[tuple[str, str], str]:
    """The classes of arrays, by package and name, and whose they are."""
    known = map(record, NAMES)
    return {(root, kind): own.name for own in known for root in own.packages for kind in own.array_classes}


def framework_of(value: object) -> str | None:
    """Which framework an array belongs to; None for what is no array. Imports nothing."""
    known = classes()
    for kind in type(value).__mro__:
        found = known.get((kind.__module__.partition(".")[0], kind.__name__))
        if found is not None:
            return found
    return None


def is_common(value: object) -> bool:
    """Whether a value is an array, or a number, of the framework that all others know."""
    return framework_of(value) == COMMON


def owner(module: str) -> Backend | None:
    """The framework to which a module belongs, by its dotted name."""
    root = module.partition(".")[0]
    return next((own for own in map(record, NAMES) if root in own.packages), None)


def loaded(name: str) -> bool:
    """Whether the user has imported the framework."""
    return name in sys.modules


def tupled(value: Any) -> Any:
    """Lists as tuples and numbers of NumPy's as Python's, all the way down."""
    if type(value) in (tuple, list):
        return tuple(map(tupled, value))
    return value.item() if is_common(value) and value.shape == () else value
