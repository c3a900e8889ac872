"""The signature data against torch's parser, asked by its errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from signature_arrays import T

from tracelate.backends.signatures import callee, names, signature

#: The kinds of the types that the parser's messages name.
SAID = {
    "Tensor": "tensor",
    "tuple of Tensors": "tensors",
    "Number": "number",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "tuple of ints": "ints",
    "tuple of floats": "floats",
    "torch.dtype": "dtype",
    "torch.device": "device",
    "torch.layout": "layout",
    "torch.memory_format": "memory_format",
    "torch.Generator": "generator",
}


class Typed:
    """A value of which only its type is known, as the parser's message names it."""

    def __init__(self, type_: str) -> None:
        self.kind = SAID.get(type_)


def messages() -> Iterator[tuple[str, bool, str]]:
    """Every function and method of torch that its parser serves, without the operators; whether it is a
    method; what the parser says to an argument that it does not know.
    """
    for name in names("torch"):
        function, method = callee("torch", name), name.startswith("torch.Tensor.")
        written_in_c = type(function).__name__ in ("builtin_function_or_method", "method_descriptor")
        if written_in_c and "__" not in name:
            yield name, method, message(function, *[T] * method)


def message(function: Any, *args: object) -> str:
    try:
        function(*args, no_such_argument=1)
    except TypeError as error:
        return str(error)
    except RuntimeError:  # a builtin that the parser does not serve
        return ""
    return ""


def test_torch_lists_no_overload_that_the_data_lacks() -> None:
    told = 0
    for name, method, said in messages():
        for listed in re.findall(r"^ \* \((.*)\)$", said, re.MULTILINE):
            told += 1
            args, kwargs = parsed(listed)
            values = [Typed("Tensor")] * method + list(args.values())
            binding = signature(name).bind(values, kwargs, lambda value: getattr(value, "kind", None))
            expected = ["self"] * method + list(args) + list(kwargs)
            assert sorted(binding) == sorted(expected), f"{name}({listed})"
    assert told > 400


def test_torch_lacks_no_argument_that_the_data_does_not_require() -> None:
    told = 0
    for name, method, said in messages():
        if found := re.search(r"missing \d+ required positional arguments?: (.*)", said):
            told += 1
            lacking = re.findall(r'"(\w+)"', found[1])
            overloads = [overload.parameters[method:] for overload in signature(name).overloads]
            required = [[p.name for p in parameters if p.required] for parameters in overloads]
            assert lacking in required, f"{name} lacks {lacking}"
    assert told > 700


def parsed(listed: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments that the parser lists, `Tensor input, *, Tensor out = None`: by position, by name."""
    args: dict[str, Any] = {}
    kwargs: dict[str, Any] = {}
    into = args
    for part in filter(None, listed.split(", ")):
        if part == "*":
            into = kwargs
        elif found := re.fullmatch(r"([\w. ]+) (\w+)(?: = .*)?", part):
            into[found[2]] = Typed(found[1])
    return args, kwargs
