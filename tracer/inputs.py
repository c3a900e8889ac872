"""Arguments of the traced function as proxies, and its parameters as placeholders.

A parameter becomes one placeholder. Containers (tuple, list, dict, namedtuple, dataclass) keep their form:
their leaves are items of the placeholder. Ints and floats are recorded, and so are bools that are parameters
of the program, and strings that it only holds against others; other bools, strings and other objects keep the
example's value, and the emitted function checks it.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..backends.backend import framework_of, is_common
from ..ir.errors import TraceError
from ..ir.graphs.graph import Node
from ..ir.graphs.leaves import note, note_container
from ..ir.graphs.static import Scalar, note_number
from ..ir.sizes.dim import Sym, hint_of, sym
from ..ir.values.carried import carries, refusal
from ..ir.values.spec import Spec
from ..ir.values.tree import children, holdings, is_record, leaves, plain_constant, rebuilt, tuple_fields
from .memory import numpy_scalars
from .proxy import Scalar_, Shape, is_proxy
from .tracer import Tracer
from .values.words import Word

#: Sizes that stand in for a dim that the user named without an example: primes, so that no accident makes two
#: equal.
PRIMES = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)

ANNOTATED = {"int": int, "float": float, "bool": bool, int: int, float: float, bool: bool}


@dataclasses.dataclass(frozen=True, slots=True)
class Placeholder:
    """An example argument without values: `tl.spec((2, "n"), "float32")`."""

    shape: tuple[int | str, ...]
    dtype: Any


class Inputs:
    """Makes the placeholders of one graph.

    Args:
        flags: whether parameters that are bools are recorded, but for those whose names are in `known`.
        words: the parameters that are recorded likewise if they are strings.
    """

    def __init__(
        self,
        tracer: Tracer,
        flags: bool = False,
        known: frozenset[str] = frozenset(),
        words: frozenset[str] = frozenset(),
    ) -> None:
        self.tracer = tracer
        self.flags, self.known, self.words = flags, known, words if flags else frozenset()
        self.static: dict[str, Any] = {}
        self.named: dict[str, int] = tracer.graph.meta.setdefault("named dims", {})
        self.given: dict[str, Any] = {}
        #: The arrays among the parameters, and in containers among them, each with the node that gives it.
        self.arrays: list[tuple[Any, Node]] = []

    def parameter(self, name: str, value: Any, default: Any = inspect.Parameter.empty) -> Any:
        """What the function gets for this parameter. A value that cannot be recorded is kept, and noted as
        static.
        """
        word = type(value) is str and name in self.words
        flag = self.flags and (type(value) is bool or word) and name not in self.known
        self.tracer.entry.formed |= flag
        if self.kept(value) and not flag:
            self.static[name.lstrip("*")] = value
            return value
        own = default is inspect.Parameter.empty or any(map(self.tracer.framework.is_array, leaves(default)))
        args = () if own else (default,)
        node = self.tracer.graph.create_node("placeholder", name, args, name=name.lstrip("*"))
        return Word.given(self.tracer, value, node) if word else self.leaf(value, node, name.lstrip("*"))

    def unknown(self, parameter: inspect.Parameter) -> Any:
        """A parameter without example: what its default or annotation says, else an array of which nothing is
        known.
        """
        name, default = parameter.name, parameter.default
        kind = ANNOTATED.get(parameter.annotation)
        if default is not parameter.empty and default is not None:
            return self.parameter(name, default, default)
        args = () if default is parameter.empty else (default,)
        node = self.tracer.graph.create_node("placeholder", name, args, name=name)
        if kind in (int, float):
            node.spec = Scalar(kind, sym(name) if kind is int else None)
            return Scalar_(self.tracer, node.spec, node=node)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TraceError(
                f"how many arguments *{name} gets is not known", hint="give example arguments with args="
            )
        note(node, name)
        supposed = self.tracer.supposed
        node.spec = Spec(None, supposed.dtype or self.tracer.backend.default_float)
        if (rank := supposed.rank(name, optional=default is None)) is not None:
            node.spec = self.array_spec(Placeholder((supposed.size,) * rank, node.spec.dtype), name)
            node.meta["in_order"] = True
        node.meta["assumed"] = "by default" if supposed.dtype is None else "by the user"
        if supposed.dtype is not None:
            node.graph.meta["pinned"].add(name)
        node.meta["optional"] = name if default is None else ""
        return self.argument(self.tracer.framework.wrap(self.tracer, node), node)

    def kept(self, value: Any) -> bool:
        """Whether a value stays what it is: nothing in it can be recorded."""
        value = self.tracer.framework.given(value)
        if is_proxy(value):  # a recorded bool says that it is one
            return False
        if carries(value):
            raise refusal(value, self.tracer.span())
        if isinstance(value, (bool, str, bytes, type(None), enum.Enum)):
            return True
        if self.tracer.framework.is_array(value) or isinstance(value, (int, float, complex, Placeholder)):
            return False
        if (other := framework_of(value)) is not None:  # whose numbers would be constants of the text
            raise TraceError(
                f"an argument is of {other}, in a program of {self.tracer.framework.name}",
                hint=f"make it an array of {self.tracer.framework.name}, or one of Python's numbers",
            )
        items = children(value)
        return items is None or not is_record(value) and all(self.kept(v) for _, v in items)

    def leaf(self, value: Any, node: Node, path: str) -> Any:
        """The proxy, or container of proxies, for `value`, which `node` gives."""
        tracer = self.tracer
        value, given = tracer.framework.given(value), value
        if is_proxy(value):
            node.spec, node.form = value.node.spec, value.node.form
            node.meta["number"], node.meta["given"] = numpy_scalars.is_number(tracer, value.node), value.node
            node.spec = (
                renamed(node.spec, path)
                if isinstance(node.spec, Spec)
                else Scalar(node.spec.type, symbol(node.spec, path))
            )
            if isinstance(node.spec, Spec):
                note(node, path)
            else:
                note_number(node, path)
            return self.array(tracer.wrap(node, tracer.seen(node)[0]), node)
        if isinstance(value, (int, float, complex)) and not tracer.framework.is_array(value):
            node.spec = Scalar(type(value), sym(path, value) if type(value) is int else value)
            note_number(node, path)
            return Scalar_(tracer, node.spec, node=node)
        if tracer.framework.is_array(value) or isinstance(value, Placeholder):
            note(node, path)
            if is_common(given) and given.dtype != value.dtype:  # as JAX narrows it
                node.graph.meta["pinned"].add(path)
            node.spec = self.array_spec(value, path)
            if tracer.framework.is_array(value) and tracer.framework.weak(value):
                node.form = "weak"
            node.meta["number"] = isinstance(value, np.generic)
            node.meta["in_order"] = isinstance(value, Placeholder) or tracer.framework.in_order(value)
            node.meta["class"] = None if isinstance(value, Placeholder) else type(value)
            proxy = self.argument(tracer.framework.wrap(tracer, node), node)
            if len(tracer.scopes) == 1:
                self.shared(value, path)
            return proxy
        return self.container(value, node, path)

    def shared(self, value: Any, path: str) -> None:
        """Note which arguments of the example share memory with this one."""
        if isinstance(value, Placeholder):
            return
        found = self.tracer.graph.meta.setdefault("together", set())
        share = self.tracer.framework.share
        found |= {frozenset((other, path)) for other, array in self.given.items() if share(array, value)}
        self.given[path] = value

    def argument(self, proxy: Any, node: Node) -> Any:
        """An array that is an argument; what is written into one of the whole program its caller sees."""
        if len(self.tracer.scopes) == 1:
            self.tracer.memory.arguments.append((proxy, node))
        return self.array(proxy, node)

    def array(self, proxy: Any, node: Node) -> Any:
        self.arrays.append((proxy, node))
        return proxy

    def array_spec(self, value: Any, path: str) -> Spec:
        if not isinstance(value, Placeholder):
            found = self.tracer.framework.spec(value)
            sizes = enumerate(map(int, found.shape or ()))
            return Spec(tuple(sym(f"{path}.shape[{i}]", d, 0) for i, d in sizes), found.dtype)
        dims = []
        for i, d in enumerate(value.shape):
            hint = (
                d if isinstance(d, int) else self.named.setdefault(d, PRIMES[len(self.named) % len(PRIMES)])
            )
            dims.append(sym(f"{path}.shape[{i}]", hint, 0))
        return Spec(tuple(dims), value.dtype)

    def container(self, value: Any, node: Node, path: str) -> Any:
        items = children(value)
        assert items is not None
        made: dict[Any, Any] = {}
        attributes = is_record(value)
        if attributes and len(self.tracer.scopes) > 1 and not self.tracer.structure.find(value):
            items = list(holdings(value).items())  # what the text makes of it holds no more
        note_container(node, path, record=attributes)
        node.meta["container"], node.meta["object"] = type(value), id(value)
        for key, given in items:
            if self.kept(given):
                self.static[reached(path, key, attributes)] = given
                made[key] = given
                continue
            reach: Callable[..., Any] = getattr if attributes else operator.getitem
            part = self.tracer.graph.create_node("call_function", reach, (node, key), name=f"{path}_{key}")
            made[key] = self.leaf(given, part, reached(path, key, attributes))
        node.spec = {k: spec_of(v) for k, v in made.items()}
        if (names := tuple_fields(node.meta["container"])) is not None:
            node.meta["fields"] = names
        container = rebuilt(value, made)
        if type(container) is Shape and type(value) is Shape:
            container.of = value.of
            container.tracer, container.make = self.tracer, lambda: node
            container.dim = functools.partial(tuple.__getitem__, container)
        self.tracer.containers.note(container, node)
        self.tracer.structure.add(container, self.tracer.graph, path, value)
        if node.op == "placeholder" and node.target.startswith("*"):  # which Python packs anew
            self.tracer.structure.whole(container)
        return container


def reached(path: str, key: Any, attribute: bool) -> str:
    """How a text says an item, or an attribute, of a container."""
    return f"{path}.{key}" if attribute else f"{path}[{plain_constant(key)!r}]"


def symbol(spec: Scalar, path: str) -> Any:
    return sym(path, spec.hint) if spec.type is int else spec.hint


def renamed(spec: Spec, path: str) -> Spec:
    """The same spec with dims of its own: a function of the user's knows only its own parameters.

    A dim that is 1 whatever the arguments are stays 1: broadcasting may rely on it.
    """
    if spec.shape is None:
        return spec
    dims = (1 if d == 1 else size_of(path, i, hint_of(d)) for i, d in enumerate(spec.shape))
    return Spec(tuple(dims), spec.dtype)


@functools.lru_cache(maxsize=4096)
def size_of(path: str, axis: int, hint: int | None) -> Sym:
    """A size of what a function is given; one for all its calls, which are held against each other."""
    return sym(f"{path}.shape[{axis}]", hint, 0)


def spec_of(value: Any) -> Any:
    """The spec of a proxy, nested as its container is."""
    if is_proxy(value):
        return value.spec if isinstance(value, Scalar_) else value.node.spec
    items = children(value)
    return {k: spec_of(v) for k, v in items} if items is not None else value
