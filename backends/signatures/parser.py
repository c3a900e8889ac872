"""What torch's builtins take, for `generate`: Python cannot inspect them, so torch's own words are read.

The stubs of torch._C come from the same generator as the C++ argument parser, so they have its overloads in
its order. Those of torch.nn.functional are written by hand and untrue (gelu's `approximate` is keyword-only),
and torch.linalg, fft and special have none: there the operators' schemas serve.
"""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any

#: The parser's further names: numpy_compatibility_arg_names in torch/csrc/utils/python_arg_parser.cpp.
ALIASES = {"dim": ["axis"], "keepdim": ["keepdims"], "input": ["x", "a", "x1"], "other": ["x2"]}

#: The kind that a type in a stub or a schema stands for; every other type is "any".
KINDS = {
    "Tensor": "tensor",
    "tuple[Tensor, ...]": "tensors",
    "list[Tensor]": "tensors",
    "tuple[Tensor | None, ...]": "tensors",
    "list[Tensor | None]": "tensors",
    "List[Tensor]": "tensors",
    "Number": "number",
    "number": "number",
    "_complex": "number",
    "_int": "int",
    "int": "int",
    "SymInt": "int",
    "IntLikeType": "int",
    "torch.SymInt": "int",
    "torch.SymFloat": "float",
    "_float": "float",
    "float": "float",
    "_bool": "bool",
    "bool": "bool",
    "str": "str",
    "_size": "ints",
    "Sequence[_int | SymInt]": "ints",
    "Sequence[int]": "ints",
    "List[int]": "ints",
    "Sequence[float]": "floats",
    "Sequence[_float]": "floats",
    "List[float]": "floats",
    "_dtype": "dtype",
    "ScalarType": "dtype",
    "DeviceLikeType": "device",
    "_device": "device",
    "Device": "device",
    "_layout": "layout",
    "Layout": "layout",
    "memory_format": "memory_format",
    "torch.memory_format": "memory_format",
    "MemoryFormat": "memory_format",
    "Generator": "generator",
    "None": "none",
}

#: Defaults that a stub writes by their bare name.
BARE = {"strided": "torch.strided", "contiguous_format": "torch.contiguous_format"}

Stubs = dict[str, list[ast.FunctionDef]]


def builtin_overloads(function: Any, name: str, *, method: bool) -> list[str]:
    """The overloads of a callable written in C++, in the parser's order; [] where torch tells none."""
    if method:
        found = stubs("__init__.pyi", "TensorBase").get(name)
    else:
        found = stubs("_VariableFunctions.pyi").get(function.__name__)
    if found:
        return sizes_first([stub_text(stub, function.__name__, method=method) for stub in found])
    return [] if method else schema_overloads(function.__name__)


def python_function(function: Any) -> Any:
    """The function whose signature counts: torch hides some behind a dispatch on a flag."""
    from torch._jit_internal import boolean_dispatched

    while inspect.isfunction(function) and function in boolean_dispatched:
        function = boolean_dispatched[function]["if_false"]
    return function


@cache
def stubs(file: str, holder: str = "") -> Stubs:
    """The functions in a stub file of torch._C, or in the class `holder` there, overloads in order."""
    import torch

    body = ast.parse((Path(torch.__file__).parent / "_C" / file).read_text(encoding="utf-8")).body
    if holder:
        body = next(node.body for node in body if isinstance(node, ast.ClassDef) and node.name == holder)
    found: Stubs = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found


def stub_text(stub: ast.FunctionDef, function: str, *, method: bool) -> str:
    """One overload in the data's notation."""
    a, positional, keywords = stub.args, [], []
    arguments = [*a.posonlyargs, *a.args]
    defaults = [None] * (len(arguments) - len(a.defaults)) + a.defaults
    for arg, default in zip(arguments[method:], defaults[method:]):
        positional.append(stub_parameter(arg, default, function))
    for arg, default in zip(a.kwonlyargs, a.kw_defaults):
        if not (method and arg.arg == "out"):  # some stubs lend a method the `out` of the function
            keywords.append(stub_parameter(arg, default, function))
    star = [f"*{stub_parameter(a.vararg, None, function)}"] if a.vararg else ["*"] if keywords else []
    return f"({', '.join([*(['self', '/'] if method else []), *positional, *star, *keywords])})"


def stub_parameter(arg: ast.arg, default: ast.expr | None, function: str) -> str:
    """`dim: int|ints|none=None`. A stub leaves strings out where they are defaults, which the schema has."""
    kind = kinds(arg.annotation)
    name = "input" if arg.arg == "self" and kind == "tensor" else arg.arg  # where overloads are deprecated
    if default is None:
        return f"{name}: {kind}"
    said = ast.unparse(default)
    if said == "...":
        found = (a.default_value for s in schemas(function) for a in s.arguments if a.name == name)
        said = next((repr(value) for value in found if value is not None), said)
    return f"{name}: {kind}={BARE.get(said, said)}"


def kinds(annotation: ast.expr | None) -> str:
    """`Tensor | Number | None` -> `tensor|number|none`; a type by which no calls are told apart is `any`."""
    parts: list[ast.expr] = []
    rest = annotation
    while isinstance(rest, ast.BinOp):
        parts.insert(0, rest.right)
        rest = rest.left
    found = [KINDS.get(ast.unparse(part), "any") for part in [rest, *parts] if part]
    return "|".join(dict.fromkeys(found)) if found and "any" not in found else "any"


def sizes_first(texts: list[str]) -> list[str]:
    """`*size: int` before the `size: ints` that it follows in stubs: a value of unknown kind is one size."""
    ordered: list[str] = []
    for text in texts:
        ordered.insert(len(ordered) - bool(re.search(r"\*\w+: int\b", text)), text)
    return list(dict.fromkeys(ordered))


def schemas(name: str) -> list[Any]:
    """The schemas of the ATen operator of this name, without those for TorchScript's lists and numbers."""
    import torch

    found = torch._C._jit_get_schemas_for_operator(f"aten::{name}")
    return [s for s in found if any("Tensor" in str(part.type) for part in [*s.arguments, *s.returns])]


def schema_overloads(name: str) -> list[str]:
    """The overloads that the parser makes of an operator's schemas; one with `out` joins the one without.

    Tensors are tried before numbers, since a tensor of one element is taken for a number too.
    """
    found = schemas(name)
    plain = [s for s in found if not any(a.is_out for a in s.arguments)]
    outs = [s for s in found if s not in plain]
    texts = [schema_text(s, next((o for o in outs if inputs(o) <= inputs(s)), None)) for s in plain]
    return sorted(texts, key=lambda text: -text.count(": tensor"))


def inputs(schema: Any) -> set[str]:
    return {schema_parameter(a) for a in schema.arguments if not a.is_out}


def schema_text(schema: Any, with_out: Any) -> str:
    """One overload in the data's notation."""
    positional = [schema_parameter(a) for a in schema.arguments if not a.kwarg_only]
    keywords = [schema_parameter(a) for a in schema.arguments if a.kwarg_only]
    if with_out:
        several = sum(a.is_out for a in with_out.arguments) > 1
        keywords.append(f"out: {'tensors' if several else 'tensor'}|none=None")
    if any(a.name == "pin_memory" for a in schema.arguments):  # the parser's own, for what makes a tensor
        keywords.append("requires_grad: bool|none=False")
    return f"({', '.join([*positional, '*', *keywords] if keywords else positional)})"


def schema_parameter(argument: Any) -> str:
    """`dim: int|ints|none=None`. A list of stated length may be one item; `self` is the parser's `input`."""
    type_ = str(argument.real_type)
    optional = re.fullmatch(r"Optional\[(.*)\]", type_)
    kind = KINDS.get(optional[1] if optional else type_, "any")
    name = "input" if argument.name == "self" and kind == "tensor" else argument.name
    kind = ("int|" if kind == "ints" and argument.N else "") + kind + ("|none" if optional else "")
    return f"{name}: {kind}" + (f"={argument.default_value!r}" if argument.has_default_value() else "")
