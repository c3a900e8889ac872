"""Misfits: arguments that a loaded text fails of, told in one sentence: arrays of another framework, and what
its checks cannot even ask.

Nothing of it stands in the text, and it costs a call nothing that goes well: what is loaded is the emitted
function with its body in a `try`, which Python enters for free. Arguments pass through a function of ours in
two places only: around torch's texts, as torch.compile gives up a function that it must leave within a `try`,
and around what jax.jit compiles with static arguments, which it hashes before the function begins.
"""

from __future__ import annotations

import ast
import dis
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..backends.backend import COMMON, Backend, backend, framework_of
from ..backends.signatures import NAMESPACES
from ..ir.values.tree import children, is_record
from .load import Loaded
from .text.unparsing import unparsed
from .text.walking import walked

Judge = Callable[[Exception, Any], Exception]


class Misfits:
    """Judges the errors of one loaded text.

    Args:
        checks: the statements that check arguments, as they were made.
    """

    def __init__(self, loaded: Loaded, entry: str, target: Backend, checks: Sequence[ast.stmt]) -> None:
        self.namespace, self.filename, self.target = loaded.namespace, loaded.filename, target
        self.plain: Any = inspect.unwrap(loaded.function)
        self.wanted = checks
        self.tree = ast.parse(loaded.source)
        self.entry = next(s for s in self.tree.body if isinstance(s, ast.FunctionDef) and s.name == entry)

    @cached_property
    def checks(self) -> dict[int, ast.stmt]:
        """The statements that check arguments, by the lines on which they stand: those that read as one that
        was made.
        """
        if not self.wanted:
            return {}
        text = ast.unparse(ast.fix_missing_locations(ast.Module([*self.wanted], [])))
        said = {unparsed(statement) for statement in ast.parse(text).body}
        found: dict[int, ast.stmt] = {}
        for node in walked(self.tree):
            if isinstance(node, (ast.Assert, ast.If, ast.For, ast.Expr)) and unparsed(node) in said:
                found |= dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), node)
        return found

    # What is called.

    def within(self) -> Any:
        """The emitted function, its body in a `try`, decorated as in the text."""
        found: Any = self.made(self.entry.args, self.entry.body, self.judge)
        for decorator in reversed(self.entry.decorator_list):
            found = eval(compile(ast.Expression(decorator), self.filename, "eval"), self.namespace)(found)
        return found

    def around(self, function: Any, static: Sequence[str] = ()) -> Any:
        """A function that calls this one. What its checks say of `static` arguments that have no hash
        comes before what the compiler says.
        """
        signature = inspect.signature(function)
        checked = self.made(self.entry.args, self.checking(), self.judge)

        def judge(error: Exception, call: tuple[Any, Any]) -> Exception:
            args, kwargs = call
            try:
                given = signature.bind(*args, **kwargs).arguments
            except TypeError:
                return error
            unhashable = next((name for name in static if name in given and not hashable(given[name])), None)
            if unhashable is None:
                return self.judge(error, given)
            try:
                checked(*args, **kwargs)
            except Exception as own:
                return own
            return ValueError(self.static(unhashable, given[unhashable]))

        stars = ast.arguments([], [], ast.arg("args"), [], [], ast.arg("kwargs"), [])
        given = ast.Starred(name("args"), ast.Load())
        call = ast.Call(name("<function>"), [given], [ast.keyword(None, name("kwargs"))])
        body: list[ast.stmt] = [ast.Return(call)]
        made = self.made(stars, body, judge, {"<function>": function})
        made.__wrapped__, made.__doc__ = function, function.__doc__
        for method in self.target.compiled.methods if self.target.compiled is not None else ():
            if hasattr(function, method):
                setattr(made, method, getattr(function, method))
        return made

    def checking(self) -> list[ast.stmt]:
        """The statements at the top of the function that check its arguments."""
        return [node for node in self.entry.body if node.lineno in self.checks] or [ast.Pass()]

    def made(
        self,
        arguments: ast.arguments,
        body: Sequence[ast.stmt],
        judge: Judge,
        known: Mapping[str, Any] | None = None,
    ) -> Any:
        """A function of the text, in its namespace, that has its errors judged.

        Args:
            known: what it calls beside.
        """
        number = sum(key.startswith("<judge") for key in self.namespace)
        told = {**(known or {}), "<judge>": judge}
        names = {key: f"{key[:-1]} {number}>" for key in told}
        self.namespace |= {names[key]: value for key, value in told.items()}
        given: list[ast.expr] = [name(arg.arg) for arg in walked(arguments) if isinstance(arg, ast.arg)]
        call = ast.Dict([ast.Constant(arg.id) for arg in given if isinstance(arg, ast.Name)], given)
        handler = handled(names["<judge>"], ast.Tuple(given, ast.Load()) if known else call)
        doc = body[:1] if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) else []
        tried = ast.Try([*body[len(doc) :]] or [ast.Pass()], [handler], [], [])
        entry = ast.FunctionDef(self.entry.name, arguments, [*doc, tried], [], None)
        for node in (*walked(handler), *(walked(tried) if known else ()), tried, entry):
            if isinstance(node, ast.Name) and node.id in names:
                node.id = names[node.id]
            node.lineno = node.end_lineno = self.entry.lineno
            node.col_offset = node.end_col_offset = 0
        module = ast.fix_missing_locations(ast.Module([entry], []))
        found: dict[str, Any] = {}
        exec(compile(module, self.filename, "exec", dont_inherit=True), self.namespace, found)
        function = found[entry.name]
        function.__wrapped__ = self.plain
        function.__kwdefaults__ = self.plain.__kwdefaults__ if not known else None
        return function

    # What is said.

    def judge(self, error: Exception, given: Mapping[str, Any]) -> Exception:
        """What to raise for an error: itself, where there is nothing better to say."""
        try:
            return self.judged(error, given)
        except Exception:  # of objects that cannot even be looked at
            return error

    def judged(self, error: Exception, given: Mapping[str, Any]) -> Exception:
        arrays = (found for key, value in given.items() for found in self.foreign(key, value))
        foreign = next((self.sentence(*found) for found in arrays), "")
        passed = [*trail(error)]
        own = [trace for trace in passed if trace.tb_frame.f_code.co_filename == self.filename]
        check = self.checks.get(own[-1].tb_lineno) if own else None
        if own and own[-1] is passed[-1] and is_raised(own[-1]):
            if foreign and check is not None:
                return type(error)(foreign)
            if foreign and foreign not in getattr(error, "__notes__", ()):
                error.add_note(foreign)
            return error
        if check is not None:
            kind, text = unasked(check, own[-1].tb_frame.f_locals)
            return kind(foreign or text)
        return TypeError(foreign) if foreign and isinstance(error, (TypeError, AttributeError)) else error

    def foreign(self, path: str, value: Any) -> Iterator[tuple[str, Any]]:
        """The arrays in an argument that are of another framework, which the target does not take."""
        if framework_of(value) is not None:
            if not self.target.accepts(value) and not isinstance(value, np.generic):
                yield path, value
            return
        for key, item in children(value) or ():
            yield from self.foreign(f"{path}.{key}" if is_record(value) else f"{path}[{key!r}]", item)

    def static(self, path: str, value: Any) -> str:
        jit = self.target.regions.jit
        words = f"what {self.entry.name} computes depends on `{path}`, a static argument of {jit}"
        return f"{words}: give it a number or another constant, not a {type(value).__name__}"

    def sentence(self, path: str, array: Any) -> str:
        source, target = backend(framework_of(array) or COMMON), self.target.words
        kind = NAMESPACES[source.name][source.array_type].replace(":", ".")
        words = f"{self.entry.name} was translated for {target} and was given a {kind} as `{path}`"
        return f"{words}: give it {target} arrays, {turned(path, source, self.target)}"


def turned(path: str, source: Backend, target: Backend) -> str:
    """How an array of one framework becomes one of another."""
    common = path if source.is_common else source.to_common.format(path)
    if target.is_common or source.is_common or not target.from_others:
        return target.from_common.format(common)
    return target.from_others.format(path)


def handled(judge: str, given: ast.expr) -> ast.ExceptHandler:
    """`except Exception as error: raise judge(error, given) from error`, where that is another error."""
    found, error = name("<found>"), name("<error>")
    judged = ast.Call(name(judge), [error, given], [])
    other = ast.If(ast.Compare(found, [ast.IsNot()], [error]), [ast.Raise(found, error)], [])
    body: list[ast.stmt] = [ast.Assign([ast.Name("<found>", ast.Store())], judged), other, ast.Raise()]
    return ast.ExceptHandler(name("Exception"), "<error>", body)


def name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def trail(error: Exception) -> Iterator[types.TracebackType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


def is_raised(trace: types.TracebackType) -> bool:
    """Whether a `raise` or an `assert` raised it there."""
    return dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"


def unasked(check: ast.stmt, local: Mapping[str, Any]) -> tuple[type[Exception], str]:
    """The error of a check that cannot be asked of what was given."""
    inner = check.body[0] if isinstance(check, ast.For) else check
    assert isinstance(inner, (ast.Assert, ast.If))
    names = dict.fromkeys(n.id for n in walked(inner.test) if isinstance(n, ast.Name) and n.id in local)
    lacking = dict(ended for node in walked(inner.test) if (ended := end(node, local)) is not None)
    given = " and ".join(
        f"{path} of type {type(value).__name__}"
        for path, value in (lacking or {each: local[each] for each in names}).items()
    )
    if isinstance(inner, ast.Assert):
        return AssertionError, f"{unparsed(inner.test)} cannot be asked of {given}"
    said = [n.value for n in walked(inner.body[0]) if isinstance(n, ast.Constant)]
    told = next((text for text in said if isinstance(text, str)), "")
    return ValueError, f"{told.rpartition(', not')[0] or told}, not {given}"


def end(path: ast.AST, local: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Where a path such as `ws[0].dtype` leads no further, and what is there; None where it leads to its end,
    or this is none.
    """
    steps: list[ast.Attribute | ast.Subscript] = []
    while isinstance(path, (ast.Attribute, ast.Subscript)):
        if isinstance(path, ast.Subscript) and not isinstance(path.slice, ast.Constant):
            return None
        steps.append(path)
        path = path.value
    if not isinstance(path, ast.Name) or path.id not in local:
        return None
    value = local[path.id]
    for step in reversed(steps):
        try:
            if isinstance(step, ast.Attribute):
                value = getattr(value, step.attr)
            elif isinstance(step.slice, ast.Constant):
                value = value[step.slice.value]
        except Exception:
            return unparsed(step.value), value
    return None


def hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
