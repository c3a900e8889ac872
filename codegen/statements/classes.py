"""Classes: the namedtuples and dataclasses of the user's that the text makes, and so defines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...backends.backend import NAMES, framework_of
from ...backends.writing.filling import CannotSay
from ...backends.writing.writer import Writer
from ...ir.errors import UnsupportedError
from ...ir.values.tree import children, holdings, record_fields, tuple_fields
from ..checks.defaults import written

#: What has a literal, and containers of it.
WRITTEN = (bool, int, float, complex, str, type(None), type(...), list, tuple, dict)


class Classes:
    """The classes of one file, by name."""

    def __init__(self) -> None:
        self.tuples: dict[str, type] = {}
        self.records: dict[str, type] = {}
        self.attributes: dict[str, dict[str, ast.expr]] = {}

    def namedtuple(self, kind: type) -> str | None:
        """The name of a namedtuple of the user's, which the file then defines; None for a framework's."""
        if kind.__module__.partition(".")[0] in NAMES:
            return None
        self.tuples[kind.__name__] = kind
        return kind.__name__

    def record(self, value: Any, writer: Writer) -> str:
        """The name of a dataclass of the user's, which the file then defines.

        Raises:
            UnsupportedError: where the file's would not hold what this one does.
        """
        kind = type(value)
        unset = [name for name in record_fields(kind) if name not in holdings(value)]
        if unset:
            raise UnsupportedError(
                f"a {kind.__name__} as a result", why=f"its field {unset[0]} has no value yet",
                hint=f"give {unset[0]} a value, such as None",
            )  # fmt: skip
        if self.records.get(kind.__name__) is not kind:
            self.attributes[kind.__name__] = {n: of_class(kind, n, writer) for n in declared(kind)}
            self.records[kind.__name__] = kind
        return kind.__name__

    def names(self) -> set[str]:
        return {*self.tuples, *self.records}

    def imports(self) -> Iterator[str]:
        if self.tuples:
            yield "from collections import namedtuple"
        if self.records:
            yield "from dataclasses import dataclass"

    def definitions(self) -> Iterator[ast.stmt]:
        for name, kind in self.tuples.items():
            items = ast.List([ast.Constant(f) for f in tuple_fields(kind) or ()], ast.Load())
            made = ast.Call(ast.Name("namedtuple", ast.Load()), [ast.Constant(name), items], [])
            yield ast.Assign([ast.Name(name, ast.Store())], made)
        for name, kind in self.records.items():
            body: list[ast.stmt] = [
                ast.AnnAssign(ast.Name(field, ast.Store()), ast.Name("object", ast.Load()), None, 1)
                for field in record_fields(kind)
            ]
            for attribute, value in self.attributes[name].items():
                body.append(ast.Assign([ast.Name(attribute, ast.Store())], value))
            yield ast.ClassDef(name, [], [], body or [ast.Pass()], [ast.Name("dataclass", ast.Load())])


def declared(kind: Any) -> Iterator[str]:
    """What a dataclass has for all its objects: each `ClassVar`, and the default of each `InitVar`."""
    own = record_fields(kind)
    return (name for name in kind.__dataclass_fields__ if name not in own and hasattr(kind, name))


def of_class(kind: type, name: str, writer: Writer) -> ast.expr:
    value = getattr(kind, name)
    try:
        if not plain(value):
            raise CannotSay(f"{kind.__name__}.{name}, which is a {type(value).__name__}, has no literal")
        return written(writer, value)
    except CannotSay as error:
        raise UnsupportedError(
            f"a {kind.__name__} as a result", backend=writer.target.name, why=str(error),
            hint=f"return what it holds, or define {name} outside the class",
        ) from error  # fmt: skip


def plain(value: Any) -> bool:
    if framework_of(value) is not None:
        return True
    return type(value) in WRITTEN and all(plain(item) for _, item in children(value) or ())
