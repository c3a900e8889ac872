"""Module: the whole emitted file. Imports, the entry, its parts in the order in which a reader meets them,
helpers last.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from typing import Any

from ..backends.backend import NAMES, Backend, backend
from ..backends.helpers import source as helper_source
from ..backends.writing.filling import CannotSay, Filling, operand_of
from ..ir.errors import UnsupportedError, several
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.leaves import leaves
from ..ir.graphs.regions import Function
from ..ir.graphs.walk import every_graph, every_node, own_nodes
from ..ir.noting import Noted, noting
from ..ir.source.readings import Readings
from ..ir.values.spec import Spec
from .checks.apart import are_many, checked_by_callers, checks_of, folded, last, leading, replace, set_apart
from .checks.assertions import Check, written
from .checks.compact import compact
from .checks.defaults import default as default_of
from .checks.dtypes import dtype_checks, said
from .checks.families import Families
from .checks.gathering import Gathering
from .checks.handed_up import hand_up
from .checks.idle import leave_out_idle
from .checks.kinds import kind_checks, without_needless
from .checks.memory import memory_checks
from .checks.objects import object_checks
from .checks.place import at_definition
from .checks.ranks import rank_checks
from .checks.reaching import Onward, onward
from .checks.relied import Reliance
from .checks.repeated import checked_once
from .checks.statics import static_checks
from .checks.structure import structure_checks
from .compiling import compile_functions
from .finishing import finish
from .hidden import say_in_full
from .jitting import static_argnames
from .mentions import UNREAD, Mentions
from .plan.names import Names
from .statements.classes import Classes
from .statements.constants.arrays import name_shared
from .statements.constants.left_out import leave_out
from .statements.constants.numbers import Constants
from .statements.control.comprehensions import nest
from .statements.control.loop_else import give_else
from .statements.control.printing import prints_in_order
from .statements.emitter import Emitter
from .statements.turns.taken_apart import take_apart
from .statements.written.annotations import Annotations
from .statements.written.augmenting import Augmenting
from .statements.written.comparing import Comparing
from .text.imports import bound_by, import_order, together, used
from .text.layout import render
from .text.unparsing import unparsed
from .text.walking import copied, dumped


class Module:
    """Collects what the functions of one file share: imports, helpers, and each other."""

    def __init__(self, program: Graph, target: Backend, source: Backend, guards: str) -> None:
        self.target = target
        self.source = source
        #: The form of checks, see codegen/checks/assertions.py.
        self.guards = guards
        self.imports: set[str] = set()
        self.helpers: dict[str, None] = {}
        self.defs: dict[str, ast.FunctionDef] = {}
        self.named: dict[Graph, str] = {}
        #: The arrays that functions close over.
        self.closed: dict[Graph, list[str]] = {}
        #: Whether the program prints more than once, so that the order matters.
        self.ordered = False
        self.classes = Classes()
        self.function_name = ""
        #: What the text is decided by beside shapes and dtypes.
        self.noted: Noted = program.meta.get("noted") or Noted()
        self.reliance = Reliance(program, self.noted)
        self.readings: Readings = program.meta.get("readings") or Readings()
        #: Where the function at hand says dtypes that the source does not.
        self.decided: list[Node] = []
        self.refusals: list[UnsupportedError] = []
        #: The names of functions by what tells their bodies apart.
        self.bodies: dict[Hashable, str] = {}
        #: The statements that check arguments.
        self.checks: list[ast.stmt] = []
        self.wide = False
        #: Whether a function has compiled regions, for which it is compiled whole.
        self.jitted = False
        #: Whether the user has something compiled, to which containers are handed that are made anew.
        self.rebuilds = any("compiled" in graph.meta for graph in every_graph(program))
        #: Whether the text has its entry compiled as well, to which they are handed so.
        compiled = target.traces and "compiled" in program.meta
        self.remade = compiled and static_argnames(program) is not None
        #: Where the values of the program go, see checks/reaching.py.
        self.borders: Onward = {}

    def function(self, function: Function) -> str:
        """The name by which a function of the user's goes until it gets one that can be read (mentions.py);
        equal bodies share one.
        """
        if function.graph not in self.named:
            outer = self.function_name, self.decided
            made = self.define(function.graph, function.name)
            self.function_name, self.decided = outer
            name = self.bodies.setdefault(dumped(made), f"{UNREAD}{len(self.defs)}{function.name}")
            if self.defs.setdefault(name, made) is not made and hasattr(made, "graphs"):
                self.defs[name].graphs += made.graphs  # type: ignore[attr-defined]
            self.named[function.graph] = name
        return self.named[function.graph]

    def define(self, graph: Graph, name: str) -> ast.FunctionDef:
        self.function_name, self.decided = name, []
        names = Names(frozenset({*bound(), *functions_of(graph)}))
        emitter = Emitter(graph, self, names)
        arguments = self.arguments(graph, emitter)
        if "meaning" in graph.meta:
            statements = emitter.statements()
            self.reliance.note(said(graph, self.decided))
            made = ast.FunctionDef(name, arguments, statements, [], None)
            made.meaning = True  # type: ignore[attr-defined]
            return made
        body: list[ast.stmt] = []
        if graph.meta.get("doc"):
            body.append(ast.Expr(ast.Constant(graph.meta["doc"])))
        literal = refusing(emitter.writer.literal, self.target.name)
        statements = emitter.statements()
        kinds = list(kind_checks(graph, emitter.writer, self.borders, self.noted))
        held = [c for c in kinds if c.given and unparsed(c.given[0]) in graph.meta.get("structure", ())]
        with at_definition(graph):
            found = held + structure_checks(graph, self.target, literal, statements)  # of what has a length
            found += [*static_checks(graph, literal, self.target)]
            found += [*object_checks(graph, literal, self.target)]
        found += [*(c for c in kinds if c not in held)]
        families = Families(emitter.lists, statements, [a.arg for a in all_arguments(arguments)])
        text = [*written(name, found, "assert"), *statements]
        asked = self.reliance.of(graph, said(graph, self.decided), text)
        gathering = Gathering(leaves(graph), families, self.target.tree_leaves, emitter.writer.name)
        found += rank_checks(graph, asked.ranks, asked.axes, self.guards, gathering)
        if emitter.entry:
            writer, translates = emitter.writer, self.noted.translates
            found += dtype_checks(graph, asked, writer, self.guards, gathering, translates=translates)
            found = [*self.wide_check(), *found]
        found += memory_checks(graph, emitter.writer)
        found = without_needless([*families.merged(found)], statements)
        first = self.checked(found)
        once = checked_once(first, statements)
        self.checks += once[: len(first)]
        counted = len(body), leading(once, self.checks)
        body += once
        made = ast.FunctionDef(name, arguments, body, [], None)
        made.checks = counted  # type: ignore[attr-defined]
        give_else(made)
        nest(made)
        made.emitter, made.graphs = emitter, [graph]  # type: ignore[attr-defined]
        return made

    def set_checks_apart(self, entry: ast.FunctionDef) -> None:
        """Let functions check what nobody has before, and where that is much, in a function of its own."""
        fewer = checked_by_callers(entry, self.defs)
        gained = hand_up(entry, self.defs)
        self.checks += gained
        leave_out_idle(entry, self.defs)
        if fewer or gained:
            self.defs = folded(entry, self.defs)
        for function in (entry, *self.defs.values()):
            if len(checks_of(function)) > 1:
                shorter = compact(checks_of(function), [arg.arg for arg in all_arguments(function.args)])
                replace(function, shorter)
                self.checks += shorter
            if are_many(checks_of(function)):
                call = f"{UNREAD}{len(self.defs)}check"
                what = "inputs" if function is entry else function.name
                self.defs = {**self.defs, call: set_apart(function, f"check_{what}", call)}
                self.checks += checks_of(function)

    def wide_check(self) -> list[Check]:
        """Where 64-bit dtypes exist only if a flag says so, a function that needs them asks it."""
        if not self.wide:
            return []
        target = self.target
        way_out = ast.Constant(target.x64_on)
        return [Check(self.say(target.x64_flag), (way_out,), f"for {target.words} with 64 bits: ")]

    def checked(self, found: list[Check]) -> list[ast.stmt]:
        """Checks of the function at hand, as statements."""
        made = written(self.function_name, found, self.guards)
        self.checks += made
        return made

    def constants(self, graph: Graph) -> list[str]:
        """The arrays that a function closes over, those of the functions that it calls included."""
        if graph not in self.closed:
            found = (node.target for node in every_node(graph) if node.op == "get_attr")
            self.closed[graph] = list(dict.fromkeys(found))
        return self.closed[graph]

    def arguments(self, graph: Graph, emitter: Emitter) -> ast.arguments:
        by_name = {n.target: n for n in graph.placeholders}
        made = ast.arguments([], [], None, [], [], None, [])
        for parameter in graph.meta.get("parameters") or [simple(n) for n in graph.placeholders]:
            arg = ast.arg(parameter.name)
            emitter.names.reserve(parameter.name)
            node = (
                by_name.get(parameter.name)
                or by_name.get(f"*{parameter.name}")
                or by_name.get(f"**{parameter.name}")
            )
            if node is not None:
                emitter.known[node] = ast.Name(parameter.name, ast.Load()), operand_of(node)
            default = default_of(emitter.writer, parameter, emitter.tree)
            match parameter.kind:
                case parameter.VAR_POSITIONAL:
                    made.vararg = arg
                case parameter.VAR_KEYWORD:
                    made.kwarg = arg
                case parameter.KEYWORD_ONLY:
                    made.kwonlyargs.append(arg)
                    made.kw_defaults.append(default)
                case parameter.POSITIONAL_ONLY:
                    made.posonlyargs.append(arg)
                    made.defaults += [default] if default is not None else []
                case _:
                    made.args.append(arg)
                    made.defaults += [default] if default is not None else []
        for constant in self.constants(graph):
            made.kwonlyargs.append(ast.arg(constant))
            made.kw_defaults.append(None)
            emitter.names.reserve(constant)
        return made

    def operation(self, node: Node) -> str:
        """How the user wrote what a node stands for."""
        from ..backends.reading.tape import written_name

        origin = node.origin
        return written_name(origin.op, origin.target, self.source) if origin is not None else str(node.target)

    def text(self, entry: ast.FunctionDef, told: Iterable[str]) -> str:
        """The file. What a caller must know beyond the user's docstring is `told` at its top."""
        self.imports.update(self.classes.imports())
        self.set_checks_apart(entry)
        mentions = Mentions()
        called = last(mentions.called(entry, self.defs))
        functions = [entry, *called.values()]
        found = [d for name in self.helpers for d in helper_source(self.target.name, name, self.imports)]
        helpers = copied(list({d.name: d for d in found}.values()))
        mentions.rename(entry, called, {*bound_by(self.imports), *mentions.every(helpers)})
        mentions.give_way(helpers, functions)
        leave_out(entry, functions[1:])
        for function in functions:
            take_apart(function)
            Augmenting(self.target.mutable or self.source.name != self.target.name).visit(function)
        names = {*mentions.every([*functions, *helpers]), *self.classes.names()}
        constants = self.spelled(functions, names)
        entry, *others = functions
        functions = [entry, *folded(entry, {each.name: each for each in others}).values()]
        for function in functions:
            Comparing().visit(function)
        self.annotate(functions)
        if say_in_full(entry, [*functions, *helpers]):
            self.imports.add("import builtins")
        below = [*self.classes.definitions(), *constants]
        wanted = together(used(self.imports, [*below, *functions, *helpers]))
        imports = [ast.parse(line).body[0] for line in sorted(wanted, key=import_order)]
        mentions.apart(imports, functions)
        head = [*imports, *below]
        said = "".join(f"# {line}\n" for line in told)
        between = "\n" * (1 if head else 2) if said else ""  # not to be taken for the function's own words
        return said + between + render(ast.Module([*head, *functions, *helpers], []))

    def say(self, dotted: str) -> ast.expr:
        """A dotted name of the framework's or of Python's, imported."""
        filling = Filling(self.target, lambda node: (ast.Name(node.name), operand_of(node)), self.imports)
        return filling.name(dotted)

    def spelled(self, functions: Iterable[ast.FunctionDef], taken: set[str]) -> list[ast.stmt]:
        """Let the numbers in functions have the user's words. Gives the definitions of those with names."""
        taken = {*taken, *bound(), *vars(builtins), *bound_by(self.imports)}
        constants = Constants(self.say, self.target, taken, self.readings)
        for function in functions:
            constants.spell(function)
        defined = constants.definitions()
        for first in defined[:1]:
            first.paragraph = True  # type: ignore[attr-defined]
        return defined

    def annotate(self, functions: Iterable[ast.FunctionDef]) -> None:
        """Let functions have the user's annotations."""
        for function in functions:
            Annotations(self.say, self.target.array_type, self.imports).annotate(function)


def beyond(program: Graph, target: Backend) -> Iterator[str]:
    """What a caller must know beyond what the user's docstring says."""
    kinds = {"narrowed": "integers", "narrowed floats": "floats"}
    if found := [words for key, words in kinds.items() if program.meta.get(key)]:
        yield f"64-bit {' and '.join(found)} are 32-bit here, as everywhere in {target.words} without x64."
    if program.meta.get("apart"):
        yield f"Arguments must not share memory: arrays of {target.words} are never written into."


def all_arguments(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (each for each in (arguments.vararg, arguments.kwarg) if each is not None)


@cache
def bound() -> frozenset[str]:
    """What imports bind in an emitted file, for whichever framework: but a letter, which users call their own
    things by, see Mentions.apart.
    """
    lines = (line for framework in NAMES for _, line in backend(framework).imports.values())
    modules = (line for line in lines if line.startswith("import "))
    names = (name for name in bound_by(modules) if len(name) > 1)
    return frozenset({*names, "functools", "namedtuple", "dataclass"})


def functions_of(graph: Graph) -> set[str]:
    """The names of the user's functions that a graph calls, in its branches too."""
    called = (node.target for node in own_nodes(graph) if isinstance(node.target, Function))
    return {function.name for function in called if "meaning" not in function.graph.meta}


def simple(node: Node) -> inspect.Parameter:
    default = node.args[0] if node.args else inspect.Parameter.empty
    return inspect.Parameter(node.target, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


def wide(program: Graph) -> bool:
    """Whether 64-bit values occur, other than in containers."""
    found = (node.spec for node in every_node(program))
    specs = (spec for several in found for spec in (several if isinstance(several, tuple) else (several,)))
    return any(isinstance(s, Spec) and s.dtype is not None and s.dtype.name in WIDE for s in specs)


WIDE = frozenset({"int64", "uint64", "float64", "complex128"})


def emit(
    program: Graph, target: Backend, source: Backend, guards: str = "assert", jit: bool = False
) -> str:
    """The source of a Program that has gone through all passes, see codegen/pipeline.py.

    Args:
        guards: the form of checks, see codegen/checks/assertions.py.
        jit: whether the entry is compiled in any case, see codegen/compiling.py.

    Raises:
        UnsupportedError: where the target cannot say something.
    """
    module = Module(program, target, source, guards)
    module.ordered = prints_in_order(program)
    module.borders = onward(program)
    name_shared(program, target, module.readings)
    module.wide = target.narrows and target.x64 and wide(program)
    with noting(module.noted):
        entry = module.define(program, program.name)
        finish(module, entry)
    program.meta["bound"] = module.constants(program)
    if target.traces:
        compile_functions(module, entry, program, jit)
    if target.without_gradients and program.meta.get("without gradients"):
        entry.decorator_list = [ast.Call(module.say(target.without_gradients), [], [])]
    if module.refusals:
        raise several(module.refusals)
    text = module.text(entry, beyond(program, target))
    program.meta["checks"] = module.checks
    return text


def refusing(literal: Callable[[Any], ast.expr], target: str) -> Callable[[Any], ast.expr]:
    """What writes the constants that arguments are checked to be."""

    def say(value: Any) -> ast.expr:
        try:
            return literal(value)
        except CannotSay as error:
            what, hint = f"an argument that is to be a {type(value).__name__}", "give plain values"
            raise UnsupportedError(what, backend=target, why=str(error), hint=hint) from None

    return say
