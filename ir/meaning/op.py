"""Op: what an operation means, with no framework in sight; and the register of all of them.

    @op("X[~] -> Y[~]", dtype=inexact)
    def softmax(x, *, axis):
        '''exp(x) over its sum along `axis`.'''
        e = exp(x - stop_gradient(max(x, axis=axis, keepdims=True)))
        return e / sum(e, axis=axis, keepdims=True)

Arrays are positional, parameters keyword-only, in every op. A body that is not `...` is the meaning in terms
of other ops; so is the gradient said, see Op.gradient. The dtype class says which operands share a dtype in a
Program and what dtype comes out; how a framework promotes its own operands before that is told in
backends/typing.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..subscript import Subscript
from . import sampling
from .layers import Table, is_built_in

#: Functions that compute output shapes where no Subscript can: (*shapes, **params) -> a shape or a list of
#: shapes.
ShapeFunction = Callable[..., Any]
#: Functions that say the gradient of an op, see Op.gradient.
Gradient = Callable[..., Any]


#: What `...` alone compiles to, what may stand before it, and no longer than which it is, in bytes.
NOTHING = [("LOAD_CONST", None), ("RETURN_VALUE", None)], [("RETURN_CONST", None)]
BEGINS, SHORT = {"RESUME", "NOP", "COPY_FREE_VARS"}, 16


@dataclass(frozen=True, slots=True)
class Rule:
    """A dtype class, for the arrays named in `over` (default: all of them)."""

    cls: str
    over: tuple[str, ...] | None = None

    def __call__(self, over: str) -> Rule:
        return Rule(self.cls, tuple(over.split()))


same = Rule("same")  # the first array's dtype; other arrays keep their own
promote = Rule("promote")  # all arrays in one dtype, which comes out
inexact = Rule("inexact")  # likewise, and it is a float or complex one
divide = Rule("divide")  # true division
power = Rule("power")
compare = Rule("compare")  # all arrays in one dtype, bool comes out
bitwise = Rule("bitwise")
shift = Rule("shift")
widen = Rule("widen")  # sums and products of small ints come out wider
mean = Rule("mean")
real = Rule("real")  # the real counterpart: abs of complex64 is float32
index = Rule("index")  # positions
bool_ = Rule("bool")  # bool comes out whatever goes in
keep = Rule("keep")  # rounding: ints stay as they are
free = Rule("free")  # parameter `dtype` says it
complex_ = Rule("complex")  # the complex counterpart
#: Classes whose arrays must have one dtype in a Program.
HOMOGENEOUS = frozenset("promote inexact divide power compare bitwise shift complex".split())
#: Classes whose results are not rounded, save where they are computed of each element in its own dtype.
EXACT = frozenset("compare bool index bitwise shift keep same".split())
#: Classes whose results are of other dtypes than what they are made of.
OTHER = frozenset("compare bool index real complex".split())
#: The words that facts of ops are said in, see Op. What is excluded: a division of ints by 0; powers of ints
#: below 0, or too high; what is searched, and in no order; infinities and NaN that LAPACK is given.
WORDS = {
    "size": ("values",),
    "neutral": ("zero", "one", "lowest", "highest"),
    "natural": ("like", "numbers", "int"),
    "excludes": ("zeros", "exponents", "unsorted", "infinities"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """An operation. Frozen; compared by identity; called on Values inside the bodies of other ops.

    Attributes:
        arrays: names of the array operands, in order. `optional` are those that may be None; `variadic` is
            the name of a trailing `*xs`, if any.
        params: keyword parameters and their defaults (`...` where there is none).
        rules: a dtype class for each output.
        body: the meaning in terms of other ops, or None for a primitive.
        static: runs on Python scalars and shapes while the program is traced or called, on no array's values.
        effect: must stay although nothing uses its result.
        raises: which of its operands' values frameworks refuse when it runs: "some" (a singular matrix),
            "ints" (a division of them by 0), those of "indices", "none" (of no elements at all), or "".
        elementwise: the arrays of which each element of the result looks at the one at its place alone; all
            of them, or none, in most ops.
        size: "values" where the size of what comes out depends on the values of what goes in.
        dynamic: parameters that may be known to the running program only, and computed with arrays there.
        neutral: of a reduction, the elements that change nothing in it: "zero", "one", "lowest", "highest".
        natural: which dtype an array has that it makes where none is said: that of its operand ("like"), of
            its `numbers`, or the usual one of ints ("int"); else the usual one of floats.
        numbers: the parameters whose numbers are elements of what it makes, or go into these, in its dtype.
        truth: whether each element of the result is made of nothing but whether those of the operands are 0.
        finds: whether the indices that it gives are positions along its `axis`.
        jumps: whether operands that are rounded a little may make a difference of 1.
        factors: which of its results are unique only up to signs, and up to a basis where values coincide.
        line: whether an array without axes is a line of one element to some frameworks.
        noun: what its result is called where the program that is traced has no name for it; its own name
            unless said. Of several results a word each.
        excludes: what it may be given that nothing is promised of, a word of WORDS; or "".
        domain: the numbers that each array is tried with, in the words of sampling.py.
        samples: the values that a parameter is tried with, by its name, and by "shapes" those of the arrays;
            or why nothing can be tried that way, so that cases written by hand are needed.
        tolerance: how closely its results are compared, a word of sampling.py.
        module: where it is declared, which says its family in tables and nothing of what it means.
    """

    name: str
    arrays: tuple[str, ...]
    optional: frozenset[str]
    variadic: str | None
    params: Mapping[str, Any]
    subscripts: tuple[Subscript, ...]
    shape: ShapeFunction | None
    rules: tuple[Rule, ...]
    body: Callable[..., Any] | None
    doc: str
    static: bool = False
    effect: bool = False
    raises: str = ""
    elementwise: frozenset[str] = frozenset()
    size: str = ""
    dynamic: frozenset[str] = frozenset()
    neutral: str = ""
    natural: str = ""
    numbers: tuple[str, ...] = ()
    truth: bool = False
    finds: bool = False
    jumps: bool = False
    factors: tuple[int, ...] = ()
    line: bool = False
    noun: str = ""
    excludes: str = ""
    domain: Mapping[str, str] = field(default_factory=dict)
    samples: Mapping[str, sampling.Values] | str = field(default_factory=dict)
    tolerance: str = "exact"
    module: str = ""

    @property
    def several(self) -> bool:
        """Whether the op returns a tuple."""
        return len(self.rules) > 1 or bool(
            self.subscripts and any("..." in s.text.split("->")[1] for s in self.subscripts)
        )

    @property
    def is_ours(self) -> bool:
        """Whether it is none of the users'."""
        return self.module.partition(".")[0] == __name__.partition(".")[0]

    def gradient(self, function: Gradient) -> Gradient:
        """Say the op's gradient, in terms of other ops (ir/gradients.py): `@matmul.gradient`. Said in
        `dictionary()`, it holds until that ends.

        Raises:
            ValueError: where that function could not be called.
        """
        taken = inspect.signature(function)
        operands = ("g", "y", *self.arrays, *[self.variadic] * 2 * bool(self.variadic))
        named = {p.name for p in taken.parameters.values() if p.kind is p.KEYWORD_ONLY}
        try:
            taken.bind(*operands, **dict.fromkeys(named & self.params.keys()))
        except TypeError as error:
            raise ValueError(f"the gradient of {self} is no function of its operands: {error}") from None
        GRADIENTS[self] = function
        return function

    def __call__(self, *arrays: Any, **params: Any) -> Any:
        return CALLED[-1](self, arrays, params)

    def __repr__(self) -> str:
        return self.name


#: All ops, by name.
REGISTER: Table[str, Op] = Table("ops")
#: What ops say of their gradients.
GRADIENTS: Table[Op, Gradient] = Table("gradients")

#: What calling an op means: adding it to a Program (ir/program.py), or matching it (ir/passes/pattern.py).
CALLED: list[Callable[[Op, Sequence[Any], dict[str, Any]], Any]] = []


def op(
    *subscripts: str,
    dtype: Rule | tuple[Rule, ...],
    shape: ShapeFunction | None = None,
    static: bool = False,
    effect: bool = False,
    raises: str = "",
    elementwise: bool | str = False,
    size: str = "",
    dynamic: str = "",
    neutral: str = "",
    natural: str = "",
    numbers: str = "",
    truth: bool = False,
    finds: bool = False,
    jumps: bool = False,
    factors: tuple[int, ...] = (),
    line: bool = False,
    noun: str = "",
    excludes: str = "",
    namespace: str = "",
    domain: str = "any",
    samples: Mapping[str, sampling.Values] | str | None = None,
    tolerance: str = "",
    gradient: Gradient | None = None,
) -> Callable[[Callable[..., Any]], Op]:
    """Declare an op from a function whose signature is the op's and whose body, if it is not `...`, is its
    meaning.

    Args:
        subscripts: one or more; the first whose ranks fit is used.
        dtype: the class of the result, or one for each of several results.
        shape: computes output shapes where no Subscript can.
        raises: see Op.
        elementwise: whether each element of the result looks at those at its place alone; where it does so
            of some arrays only, their names.
        dynamic, numbers: names of parameters; see Op for these, and for `size`, `neutral`, `natural`,
            `truth`, `finds`, `jumps`, `factors`, `line`, `noun` and `excludes`.
        namespace: what stands before its name, `mylib` of `mylib.rms_norm`, so that it may be called as one
            that is built in.
        domain: the numbers that tests try it with, "finite", or by array "x: base, y: exponent".
        samples: what they try parameters with that no convention is about, {"order": (0, 1, 2)}, and shapes
            of the arrays, where not just any would do; or why they cannot.
        tolerance: how closely they compare results; unless given, it follows from `dtype` and `elementwise`.
        gradient: its gradient, see Op.gradient: `lambda g, y, x: g * (1 - y * y)`.

    Raises:
        ValueError: when the name is taken, save by the op that the same lines declared before, what is said
            of arrays or parameters is about none of the op's, or a word is none of sampling.py.
    """

    def declare(function: Callable[..., Any]) -> Op:
        rules = dtype if isinstance(dtype, tuple) else (dtype,)
        if not all(isinstance(rule, Rule) for rule in rules):
            raise TypeError(f"dtype={dtype!r} is no class of dtypes, such as tracelate.ir.meaning.op.inexact")
        told = signed(function, namespace)
        named = [*told["arrays"], *filter(None, [told["variadic"]])]
        every = " ".join(told["arrays"]) if elementwise is True else elementwise or ""
        made = Op(
            **told,
            subscripts=tuple(Subscript(text) for text in subscripts),
            shape=shape,
            rules=rules,
            static=static,
            effect=effect,
            raises=raises,
            elementwise=frozenset(every.split()),
            size=size,
            dynamic=frozenset(dynamic.split()),
            neutral=neutral,
            natural=natural,
            numbers=tuple(numbers.split()),
            truth=truth,
            finds=finds,
            jumps=jumps,
            factors=factors,
            line=line,
            noun=noun,
            excludes=excludes,
            domain=sampling.domains(domain, named, told["name"]),
            samples={} if samples is None else samples,
            tolerance=tolerance or closeness(rules, bool(elementwise)),
        )
        if gradient is not None:
            made.gradient(gradient)
        return registered(made)

    return declare


def signed(function: Callable[..., Any], namespace: str) -> dict[str, Any]:
    """What a function says of an op that is declared by it."""
    parameters = inspect.signature(function).parameters.values()
    arrays = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    told = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    return {
        "name": ".".join(filter(None, (namespace, function.__name__.rstrip("_")))),
        "arrays": tuple(p.name for p in arrays),
        "optional": frozenset(p.name for p in arrays if p.default is None),
        "variadic": next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None),
        "params": {p.name: ... if p.default is p.empty else p.default for p in told},
        "body": function if has_body(function) else None,
        "doc": inspect.cleandoc(function.__doc__ or ""),
        "module": function.__module__ or "",
    }


def registered(made: Op) -> Op:
    """The op, found by its name from now on.

    Raises:
        ValueError: when the name is taken, what is said of arrays or parameters is about none of the op's, or
            a word is none.
    """
    known = REGISTER.get(made.name)
    again = known is not None and made.name in REGISTER.newest() and known.module == made.module
    if known is not None and (is_built_in() or not again):
        raise ValueError(f"an op named {made} exists already: give yours a namespace=")
    for fact, words in WORDS.items():
        if (said := getattr(made, fact)) not in ("", *words):
            raise ValueError(f"{fact}={said!r} of {made} is no word: it is one of {', '.join(words)}")
    if not made.elementwise <= {*made.arrays}:
        raise ValueError(f"{made} has no array {', '.join(sorted(made.elementwise - {*made.arrays}))}")
    if not all(noun.isidentifier() for noun in made.noun.split()):
        raise ValueError(f"noun={made.noun!r} of {made} is no name")
    if missing := {*made.dynamic, *made.numbers} - made.params.keys():
        raise ValueError(f"{made} has no parameter {', '.join(sorted(missing))}")
    if made.natural == "numbers" and not made.numbers or made.natural == "like" and not made.arrays:
        raise ValueError(f"natural={made.natural!r} of {made}, which has none")
    sampling.refuse_meaningless(made)
    REGISTER[made.name] = made
    return made


def gradient_of(op: Op) -> Gradient | None:
    """The function that says the op's gradient, see Op.gradient; None where none is said."""
    return GRADIENTS.get(op)


def closeness(rules: Sequence[Rule], elementwise: bool) -> str:
    """The tolerance of an op that says none."""
    found = {rule.cls for rule in rules}
    if elementwise:
        return "exact" if found <= EXACT - {"same"} else "elementwise"
    return "exact" if found <= EXACT else "reduction"


def has_body(function: Callable[..., Any]) -> bool:
    """Whether a function does more than its docstring and `...` say, which compile to `return None`."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or len(code.co_code) > SHORT:
        return True
    steps = [(step.opname, step.argval) for step in dis.get_instructions(code) if step.opname not in BEGINS]
    return steps not in NOTHING
