"""What a framework's function takes: its parameters, its overloads, and a call bound to one of them.

Nothing is guessed here: positional order, defaults, aliases and kinds are what the data says (see `data`). Of
a value only the kind is looked at, so it may be a Proxy, a node or the hole of a phrase.
"""

from __future__ import annotations

import enum
import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...ir.errors import TraceError

#: What no traced value stands for, and a value of unknown kind is a traced one.
SETTINGS = frozenset({"dtype", "device", "layout", "memory_format", "generator", "none"})

#: What a value is taken for beside its own kind; torch takes a tensor of one element where it wants a number.
ALSO = {
    "bool": frozenset({"number"}),
    "int": frozenset({"number", "float", "device"}),
    "float": frozenset({"number"}),
    "complex": frozenset({"number"}),
    "str": frozenset({"device"}),
    "ints": frozenset({"floats"}),
    "tensor": frozenset({"number", "int", "float"}),
}

#: The kinds of Python's and NumPy's scalars; the first that holds, a bool being an int too.
PYTHON_KINDS = {
    "bool": bool, "str": str, "int": numbers.Integral, "float": numbers.Real, "complex": numbers.Complex
}  # fmt: skip

#: The kind of a sequence, by the kinds of its items.
SEQUENCES = {
    "ints": frozenset({"int"}),
    "floats": frozenset({"int", "float"}),
    "tensors": frozenset({"tensor", "none"}),
}

#: The kinds of other objects, by the name of a class of theirs, so that no framework is imported.
KINDS = {
    "Tensor": "tensor",
    "bool": "bool",
    "dtype": "dtype",
    "DType": "dtype",
    "device": "device",
    "layout": "layout",
    "memory_format": "memory_format",
    "Generator": "generator",
}

KindOf = Callable[[object], str | None]


class SignatureError(TraceError):
    """A call that its callee does not take: the function, and what is wrong with which argument."""

    def __init__(self, function: str, why: str) -> None:
        self.function = function
        self.why = why
        super().__init__(f"{function} {why}")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A default that is not plain data, such as `np._NoValue`: its name, by which it is compared."""

    name: str

    def __repr__(self) -> str:
        return self.name


#: NumPy's mark for "not given".
NO_VALUE = Symbol("np._NoValue")
#: The default of a parameter that has none.
REQUIRED = Symbol("required")


class Passing(enum.Enum):
    """How a parameter may be given, in inspect's words."""

    POSITIONAL_ONLY = "positional-only"
    POSITIONAL_OR_KEYWORD = "positional-or-keyword"
    VAR_POSITIONAL = "var-positional"
    KEYWORD_ONLY = "keyword-only"
    VAR_KEYWORD = "var-keyword"


BY_POSITION = (Passing.POSITIONAL_ONLY, Passing.POSITIONAL_OR_KEYWORD)
BY_NAME = (Passing.POSITIONAL_OR_KEYWORD, Passing.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: canonical name, default or REQUIRED, further names, and the kinds it takes if stated."""

    name: str
    passing: Passing
    default: object = REQUIRED
    aliases: tuple[str, ...] = ()
    takes: frozenset[str] = frozenset()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name by which it may be given; none where it goes by position only."""
        return (self.name, *self.aliases) if self.passing in BY_NAME else ()

    @property
    def required(self) -> bool:
        return self.default is REQUIRED and self.passing not in (Passing.VAR_POSITIONAL, Passing.VAR_KEYWORD)

    def accepts(self, value: object, kind_of: KindOf) -> bool:
        """Whether a value of this kind may be given here; every one of them, where it collects several."""
        if not self.takes or "any" in self.takes:
            return True
        if self.passing is Passing.VAR_POSITIONAL and isinstance(value, tuple):
            empty = any(isinstance(item, (tuple, list)) and not item for item in value)
            return not empty and all(self._takes(kind_of(item)) for item in value)
        return self._takes(kind_of(value))

    def _takes(self, kind: str | None) -> bool:
        if kind is None:
            return not self.takes <= SETTINGS
        if kind == "none" and self.default in ((), []):  # torch takes None for an empty list
            return True
        return kind in self.takes or not self.takes.isdisjoint(ALSO.get(kind, ()))


class Binding(dict[str, object]):
    """The arguments that a call gives, by canonical name in the callee's order; `defaults` has the others."""

    __slots__ = ("overload",)

    def __init__(self, overload: Overload) -> None:
        super().__init__()
        self.overload = overload

    @property
    def defaults(self) -> dict[str, object]:
        """The values of the parameters that were not given."""
        omitted = (p for p in self.overload.parameters if p.name not in self and p.default is not REQUIRED)
        return {p.name: p.default for p in omitted}

    def value(self, name: str) -> object:
        """What the callee sees: the argument, or the default.

        Raises:
            KeyError: where the callee has no such parameter, or it is neither given nor has a default.
        """
        return self[name] if name in self else self.defaults[name]


@dataclass(frozen=True)
class Overload:
    """One way to call a function: its parameters in order, and the `text` that says them, for messages."""

    text: str
    parameters: tuple[Parameter, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.parameters)

    @cached_property
    def defaults(self) -> dict[str, object]:
        """The defaults of the parameters that have one."""
        return {p.name: p.default for p in self.parameters if p.default is not REQUIRED}

    def place(self, function: str, args: Sequence[object], kwargs: Mapping[str, object]) -> Binding:
        """Put every argument at its parameter, by count and by name.

        Raises:
            SignatureError: where an argument has no parameter, two have the same, or a required one has none.
        """
        binding, named, taken = Binding(self), dict(kwargs), 0
        for parameter in self.parameters:
            if parameter.passing is Passing.VAR_POSITIONAL:
                if taken < len(args):
                    binding[parameter.name] = tuple(args[taken:])
                    taken = len(args)
            elif parameter.passing is Passing.VAR_KEYWORD:
                binding.update(named)
                named.clear()
            else:
                given = [name for name in parameter.spellings if name in named] if named else []
                by_position = parameter.passing in BY_POSITION and taken < len(args)
                if by_position + len(given) > 1:
                    raise SignatureError(function, f"is given its argument '{parameter.name}' twice")
                if by_position:
                    binding[parameter.name] = args[taken]
                    taken += 1
                elif given:
                    binding[parameter.name] = named.pop(given[0])
                elif parameter.required:
                    raise SignatureError(function, f"lacks its argument '{parameter.name}'")
        if named:
            raise SignatureError(function, f"takes no argument '{next(iter(named))}'")
        if taken < len(args):
            raise SignatureError(function, f"takes {taken} arguments by position, not {len(args)}")
        return binding

    def misfit(self, binding: Binding, kind_of: KindOf) -> str | None:
        """The first parameter whose argument is of a kind that it does not take."""
        for parameter in self.parameters:
            if parameter.name in binding and not parameter.accepts(binding[parameter.name], kind_of):
                return parameter.name
        return None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Signature:
    """All ways to call the function `name`: the first overload that takes a call is called."""

    name: str
    overloads: tuple[Overload, ...]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of every overload, each once; the default is the one that the overloads agree on."""
        found: dict[str, Parameter] = {}
        for overload in self.overloads:
            for parameter in overload.parameters:
                found.setdefault(parameter.name, parameter)
        return tuple(replace(parameter, default=self.default(name)) for name, parameter in found.items())

    def default(self, name: str) -> object:
        """The default of this parameter; REQUIRED where it has none, or where its overloads disagree.

        Raises:
            SignatureError: where no overload has a parameter of this name.
        """
        found = [p.default for overload in self.overloads for p in overload.parameters if p.name == name]
        if not found:
            raise SignatureError(self.name, f"takes no argument '{name}'")
        return found[0] if all(default == found[0] for default in found) else REQUIRED

    def bind(
        self,
        args: Sequence[object],
        kwargs: Mapping[str, object] | None = None,
        kind_of: KindOf | None = None,
    ) -> Binding:
        """The call's arguments under their canonical names, by the first overload that takes them.

        Args:
            args, kwargs: the call; the values may be anything.
            kind_of: "tensor", "int", "dtype" and so on for a value that Python cannot tell, None if unknown.

        Raises:
            SignatureError: where no overload takes the call; it names the argument at fault.
        """
        kind = kinds(kind_of)
        refusals: list[str] = []
        for overload in self.overloads:
            try:
                binding = overload.place(self.name, args, kwargs or {})
            except SignatureError as error:
                refusals.append(error.why)
                continue
            wrong = overload.misfit(binding, kind)
            if wrong is None:
                return binding
            value = binding[wrong]
            refusals.append(f"does not take {kind(value) or type(value).__name__} as '{wrong}'")
        raise SignatureError(self.name, self._refusal(refusals, kwargs or {}))

    def _refusal(self, refusals: Iterable[str], kwargs: Mapping[str, object]) -> str:
        """One reason for all overloads: a name that none of them has, else each one's own."""
        known = {name for overload in self.overloads for p in overload.parameters for name in p.spellings}
        stranger = next((f"takes no argument '{name}'" for name in kwargs if name not in known), None)
        why = stranger or ", or ".join(dict.fromkeys(refusals))
        return f"{why}; it is called as {' or '.join(map(str, self.overloads))}"


def kinds(kind_of: KindOf | None) -> KindOf:
    """`kind_of`, completed by what Python itself can tell of a value."""

    def kind(value: object) -> str | None:
        told = kind_of(value) if kind_of else None
        return told or plain_kind(value, kind)

    return kind


def plain_kind(value: object, item_kind: KindOf) -> str | None:
    """The kind of a Python value, of a sequence by its items, of a framework's object; None if unknown."""
    if value is None:
        return "none"
    for kind, type_ in PYTHON_KINDS.items():
        if isinstance(value, type_):
            return kind
    if isinstance(value, (tuple, list)):
        items = {item_kind(item) for item in value} - {None}
        return next((kind for kind, of in SEQUENCES.items() if items and items <= of), None)
    return next((KINDS[c.__name__] for c in type(value).__mro__ if c.__name__ in KINDS), None)
