"""Writes numpy.json, jax.json and torch.json from the frameworks that are installed: `make signatures`.

Signatures come from `inspect` where Python has them, from torch's stubs and schemas where it has not (see
`parser`), and from the short table of corrections where what these say is not what a call may be.
"""

from __future__ import annotations

import enum
import importlib
import inspect
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..backend import speaker
from .live import NAMESPACES, namespace
from .parser import ALIASES, builtin_overloads, python_function

#: Types that are called as functions are, to make a scalar or an array of them.
DTYPES = (
    "bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "bfloat16 float16 float32 float64 complex64 complex128"
).split()

#: Operators of tensors: torch hands these to __torch_function__ under their own names.
OPERATORS = [
    f"__{side}{word}__"
    for word in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
    for side in ("", "r", "i")
] + [f"__{word}__" for word in "getitem setitem neg pos abs invert lt le eq ne gt ge".split()]

#: Builtins of torch whose stubs are not what the parser takes: of sparse tensors, of storages, of a `from_`.
UNTRUE = re.compile(r"sparse_\w+_tensor\w*|dsmm|hsmm|hspmm|saddmm|spmm|sspaddmm|new|set_|can_cast")

#: The ufuncs of jnp take their arrays by position only; inspect shows *args.
JNP_UFUNC = {1: "(x, /, *, out=None, where=None)", 2: "(x1, x2, /, *, out=None, where=None)"}

#: What the methods of np.ndarray run, in numpy._core._methods; inspect shows **kwargs.
FORWARDED = {"max": "_amax", "min": "_amin"} | {name: f"_{name}" for name in "sum prod mean std var".split()}

#: How documentation says that a function is another one: that of torch and JAX, that of NumPy.
SAID = re.compile(r"Alias (?:of|for) :func:`~?([\w.]+)`|is an alias (?:of|for) `~([\w.]+)`", re.IGNORECASE)

#: How the parser's lists end for what makes a tensor, and for what copies one elsewhere.
MAKES = (
    "*, out: tensor|none=None, dtype: dtype|none=None, layout: layout|none=None, device: device|none=None, "
    "pin_memory: bool|none=False, requires_grad: bool|none=False"
)
COPIES = "non_blocking: bool=False, copy: bool=False, *, memory_format: memory_format|none=None"

#: Overloads that introspection cannot tell, with the reason for each.
CORRECTIONS: dict[str, list[str]] = {
    # One argument by position is the end, not the start.
    "np.arange": [
        "(stop, *, step=1, dtype=None, device=None, like=None)",
        "(start, stop, step=1, dtype=None, *, device=None, like=None)",
    ],
    "jnp.arange": [
        "(stop, /, *, step=None, dtype=None, device=None, out_sharding=None)",
        "(start, stop, step=None, dtype=None, *, device=None, out_sharding=None)",
    ],
    # The first operand is the subscripts; inspect shows *operands, *args.
    "np.einsum": ["(subscripts, /, *operands, out=None, optimize=False, **kwargs)"],
    "torch.einsum": ["(equation, /, *operands)"],
    # Sizes may be given one by one or as one sequence; inspect shows *shape, *axes, *args.
    "np.ndarray.reshape": [
        "(self, /, *shape: int, order='C', copy=None)",
        "(self, shape: ints, /, *, order='C', copy=None)",
    ],
    "np.ndarray.resize": [
        "(self, /, *new_shape: int, refcheck=True)",
        "(self, new_shape: ints, /, *, refcheck=True)",
    ],
    "np.ndarray.transpose": ["(self, /, *axes: int)", "(self, axes: ints|none, /)"],
    "jax.Array.reshape": [
        "(self, /, *shape: int, order='C', out_sharding=None)",
        "(self, shape: ints, /, *, order='C', out_sharding=None)",
    ],
    "jax.Array.transpose": ["(self, /, *axes: int)", "(self, axes: ints|none, /)"],
    # Arguments hidden in **kwargs; the documentation has them.
    "np.ndarray.view": ["(self, /, dtype=unspecified, type=unspecified)"],
    "np.ufunc.reduce": [
        "(self, array, /, axis=0, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=True)"
    ],
    # The stubs have overloads of an older release before the parser's own.
    "torch.arange": [f"(end: number, {MAKES})", f"(start: number, end: number, step: number=1, {MAKES})"],
    "torch.full": [f"(size: ints, fill_value: number, {MAKES})"],
    # The stub calls the tensor `other`.
    "torch.Tensor.to": [
        f"(self, /, device: device|none=None, dtype: dtype|none=None, {COPIES})",
        f"(self, /, dtype: dtype, {COPIES})",
        f"(self, /, tensor: tensor, {COPIES})",
    ],
}


def main() -> None:
    for framework in NAMESPACES:
        Path(__file__).with_name(f"{framework}.json").write_text(generated(framework), encoding="utf-8")


def generated(framework: str) -> str:
    """The text of the framework's file, from what is installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # to look at a deprecated function is not to use it
        functions = dict(public_functions(framework))
        found = {name: described(name, function) for name, function in functions.items()}
        overloads = {name: texts for name, texts in found.items() if texts}
        entries = overloads | aliases(functions, overloads)
    lines = {"versions": installed(framework), "aliases": ALIASES if framework == "torch" else {}}
    lines |= dict(sorted(entries.items()))
    body = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in lines.items())
    return f"{{\n{body}\n}}\n"


def installed(framework: str) -> dict[str, str]:
    """The releases of the packages that the framework's namespaces are in, without the build's tag."""
    packages = dict.fromkeys(re.split("[.:]", place)[0] for place in NAMESPACES[framework].values())
    return {name: importlib.import_module(name).__version__.partition("+")[0] for name in packages}


def public_functions(framework: str) -> Iterator[tuple[str, Any]]:
    """Every function of the framework's namespaces by name, the namespaces in their order."""
    for prefix, place in NAMESPACES[framework].items():
        holder = namespace(place, load=True)
        words = [word for word in dir(holder) if not word.startswith("_")]
        for word in words + (OPERATORS if prefix == "torch.Tensor" else []):
            function = getattr(holder, word, None)
            if callable(function) and not foreign(prefix, word, function):
                yield f"{prefix}.{word}", function


def foreign(prefix: str, word: str, function: Any) -> bool:
    """Whether a callable is no function of array programs: a class, a flag, what a namespace only imports."""
    if prefix.startswith("torch") and UNTRUE.fullmatch(word):
        return True
    if isinstance(function, type):
        return not (prefix in ("np", "jnp") and word in DTYPES)
    home = getattr(function, "__module__", None) or ""
    if prefix == "torch.nn.functional" and inspect.isfunction(function) and home != prefix:
        return True
    if prefix == "jnp" and home.startswith("numpy"):
        return True
    return word == "test" or type(function).__module__ in ("typing", "types", "torch._ops", "jax._src.config")


def described(name: str, function: Any) -> list[str]:
    """The overloads of a function; [] where nothing tells them."""
    prefix, _, word = name.rpartition(".")
    if name in CORRECTIONS:
        return CORRECTIONS[name]
    if word in DTYPES:
        return ["(value=0, /)" if prefix == "np" else "(value, /)"]
    if prefix == "jnp" and type(function).__name__ == "ufunc":
        return [JNP_UFUNC[function.nin]]
    framework = speaker(name) or ""
    method = ":" in NAMESPACES[framework][prefix]
    if prefix == "np.ndarray" and word in FORWARDED:
        function = getattr(importlib.import_module("numpy._core._methods"), FORWARDED[word])
    try:
        signature = inspect.signature(python_function(function) if framework == "torch" else function)
    except ValueError:
        return builtin_overloads(function, word, method=method) if framework == "torch" else []
    return [text(signature, method=method)]


def text(signature: inspect.Signature, *, method: bool) -> str:
    """A signature in the data's notation; the array of a method is given by position."""
    parameters = [
        p.replace(annotation=p.empty, default=p.default if p.default is p.empty else Literal(p.default))
        for p in signature.parameters.values()
    ]
    if method:
        parameters[0] = parameters[0].replace(name="self", kind=inspect.Parameter.POSITIONAL_ONLY)
    return str(inspect.Signature(parameters))


class Literal:
    """A default, printing as the data says it: a literal, else the name of what it is, else `unspecified`."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __repr__(self) -> str:
        value = self.value
        if isinstance(value, (tuple, list)):
            return repr(type(value)(map(Literal, value)))
        if isinstance(value, enum.Enum):
            return f"{type(value).__name__}.{value.name}"
        if repr(value) == "<no value>":
            return "np._NoValue"
        if value is None or isinstance(value, (bool, int, float, complex, str)):
            return repr(value)
        if callable(value) and (word := getattr(value, "__qualname__", "")).isidentifier():
            return str(word)
        return str(value) if str(value).startswith("torch.") else "unspecified"


def aliases(functions: dict[str, Any], overloads: dict[str, list[str]]) -> dict[str, str]:
    """Names of one function -> the canonical one, be they names of one object or aliases by documentation.

    Canonical is a name in the first namespace that has one, there a name that is not said to be an alias.
    """
    homes: dict[int, str] = {}
    groups: dict[str, set[str]] = {}
    less: set[str] = set()
    for name, texts in overloads.items():
        function, said = functions[name], documented(name, functions)
        own = f"{name.rpartition('.')[0]}.{getattr(function, '__name__', '')}"
        if name != own and functions.get(own) is function:
            less.add(name)
        if said != name and without_kinds(texts) <= without_kinds(overloads.get(said, [])):
            less.add(name)
            join(groups, name, said)
        join(groups, name, homes.setdefault(id(function), name))
    order = [prefix for places in NAMESPACES.values() for prefix in places]

    def rank(name: str) -> tuple[int, bool, str]:
        return order.index(name.rpartition(".")[0]), name in less, name

    chosen = {name: min(group, key=rank) for name, group in groups.items()}
    return {name: first for name, first in chosen.items() if name != first}


def join(groups: dict[str, set[str]], one: str, other: str) -> None:
    """Make the groups of two names one group."""
    union = groups.get(one, {one}) | groups.get(other, {other})
    groups |= dict.fromkeys(union, union)


def without_kinds(texts: list[str]) -> set[str]:
    return {re.sub(r": [a-z_|]+", "", overload) for overload in texts}


def documented(name: str, functions: dict[str, Any]) -> str:
    """The function that documentation says this one is an alias of, "" where it says none.

    A method of torch, in place or not, is an alias of another where the function of its name is.
    """
    if name.startswith("torch.Tensor."):
        word = name.rpartition(".")[2]
        said = documented(f"torch.{word.rstrip('_')}", functions).rpartition(".")[2]
        return f"torch.Tensor.{said}{'_' if word.endswith('_') else ''}" if said else ""
    found = SAID.search(getattr(functions.get(name), "__doc__", None) or "")
    said = (found[1] or found[2]) if found else ""
    for module, prefix in (("jax.numpy.", "jnp."), ("numpy.", "np.")):
        said = prefix + said.removeprefix(module) if said.startswith(module) else said
    return said


if __name__ == "__main__":
    main()
