"""Facts: what emission and reading must know of a framework, op by op facts aside.

Each says a reason, such as that arrays can be written into, and a line of the house asks for the one that is
its own, never for a framework by name. The three records stand in numpy.py, jax.py and torch.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..ir.values.dtypes import DType
from .compiled import Compiled
from .handling import Handling


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """One framework's.

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
        roots: with which words dotted names of its functions begin.
        stack: the callee that joins arrays along a new axis.
        controls: the forms that control flow can have, the usual one first: "python" is Python's own
            statements, "lax" and "export" are the framework's functions of functions.
        x64: whether 64-bit dtypes exist. x64_flag: the flag of the running program that says so, where they
            can be switched off; x64_on: the statement that switches them on.
        control: the form that is chosen. compiled: the one that is compiled, where there is one.
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
        whole: the packages whose functions are calls of a program: nobody looks into their code.
        module_class: the class of objects that hold parameters, by module and name.
        differentiated: the classes, by name, that functions with a derivative of their own are of, or under
            which they are declared.
        to_common, from_common, from_others: how a user makes NumPy's array of one, one of NumPy's, and one of
            another framework's, where that takes no way by NumPy's.
        tries: the dtypes in which a translation is tried with other arguments, in this order.

    Memory:
        mutable: whether arrays can be written into, and so be seen to share memory.
        pure: whether functions leave as it was whatever they are given, containers too.
        negative_strides: whether there are views that go backwards.
        deep_copies_together: whether deep copies, made at once, of what lies in one memory lie in one too.
        overlaps: whether a write may read of the memory that it writes into.
        cast_copies: whether a cast copies also what has the dtype already.
        in_order: how a check asks whether an array lies row by row, and where it lies; None where all do.
        views: what no row speaks of and gives views. writing: the functions that write into their first
            array.
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
            of any number of arrays take them as one list too. list_indices: whether index arrays may be such.
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
        borrowed: dtypes that it only has of another package.
        own_limits: whether the limits of a dtype are numbers of that, not of Python's. dtype_words: how
            dtypes print.
        elements: how many elements an array has.
        without_gradients: the decorator of a function in which gradients are off.
        kind_methods: the methods that ask of what kind an array is. listed_kinds: the kinds that are asked
            for by naming the dtypes, which is faster there; the others by `issubdtype`.
        in_place: what ends the names of methods that write what an op gives into its first operand.
        detached: an array that no gradient sees written into; "" where there are no gradients.
        scatters: the function that joins values to an array where each of the places counts; "" where arrays
            have methods for it. keys: what gives the key that is written in brackets, for that function.
        joins: how a method is told by which op it joins, by the op's name.
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
    roots: tuple[str, ...]
    stack: str
    literals: Mapping[str, str]
    handling: Handling
    shape_error: type[Exception]
    controls: tuple[str, ...] = ("python",)
    x64: bool = True
    x64_flag: str = ""
    x64_on: str = ""
    control: str = "python"
    compiled: Compiled | None = None
    device: str | None = None
    base: str | None = None
    number_type: str | None = None
    takes: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    module_class: tuple[str, str] | None = None
    differentiated: frozenset[str] = frozenset()
    to_common: str = "{}"
    from_common: str = "{}"
    from_others: str = ""
    tries: tuple[str, ...] = ()
    mutable: bool = True
    pure: bool = False
    negative_strides: bool = True
    overlaps: bool = True
    deep_copies_together: bool = False
    cast_copies: bool = False
    in_order: tuple[str, str] | None = None
    views: frozenset[str] = frozenset()
    writing: frozenset[str] = frozenset()
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
    borrowed: frozenset[str] = frozenset()
    own_limits: bool = True
    dtype_words: str = "{}"
    elements: str = "{}.size"
    without_gradients: str = ""
    kind_methods: Mapping[str, str] = field(default_factory=dict)
    listed_kinds: frozenset[str] = frozenset()
    in_place: str = ""
    detached: str = ""
    scatters: str = ""
    keys: str = ""
    joins: Mapping[str, str] = field(default_factory=dict)
