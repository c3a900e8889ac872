"""Versions: what is printed of one function of the user's for several of its calls, as one function again.

    def f(x):                   def f_2(x):             def f(x, reverse=False):
        return g(x)                 return g(x[::-1])       return g(x[::-1] if reverse else x)

They differ by what Python knew of their arguments while tracing: flags, words, what is None, which keys there
are. An `if` that Python decided so stands in the text with the user's test.
"""

from __future__ import annotations

import ast
import copy
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ....ir.graphs.graph import Graph
from ....ir.source.remarks import Remarked, module_of
from ....ir.values.spec import Spec
from ...checks.apart import checks_of
from ...text.unparsing import unparsed
from ...text.walking import copied, dumped, walked
from ..written.annotations import parameters
from ..written.named_items import mentioned, stored
from .alternatives import named
from .bodies import LEAVING, Abreast
from .decided import SOME, Decided, Unlike, pairs
from .displays import unbound
from .headers import Bound, Given
from .same import WORDS, Run
from .symbols import Ended, Unclear, Values


class Version(NamedTuple):
    """One of them.

    Attributes:
        graphs: those that it is printed of.
        baked: what Python knew of its parameters in all its calls.
    """

    name: str
    made: ast.FunctionDef
    graphs: Sequence[Graph]
    baked: Mapping[str, Any]


def merged(versions: Sequence[Version], own: Remarked, *, numbers: bool) -> ast.FunctionDef | None:
    """One function for all of them, with the checks that hold for all; None where there is none.

    Args:
        own: the user's.
        numbers: see same.py.
    """
    theirs: Any = own.node
    if any(not is_plain(each.args) for each in (theirs, *(v.made for v in versions))):
        return None
    known = Known(versions, own)
    bodies = [copied(v.made.body[sum(v.made.checks) :]) for v in versions]  # type: ignore[attr-defined]
    abreast = Abreast(bodies, known.bound, known.common, known.decided, own)
    try:
        body = named(abreast.block(bodies))
        abreast.end()
    except Unlike:
        return None
    asked = {name for test in tests(body) for name in mentioned(test)}
    bound = {*stored(body), *(n.arg for s in body for n in walked(s) if isinstance(n, ast.arg))}
    read = {node.id for s in body for node in walked(s) if isinstance(node, ast.Name)}
    wanted = known.taken | (read & {*known.bound})
    own_names = [arg.arg for arg in parameters(theirs.args)]
    captured = {tuple(name for name in names if name not in own_names) for names in known.given}
    if len(captured) > 1:  # variables of others that not all of them read
        return None
    names = [*(name for name in own_names if name in wanted), *captured.pop()]
    if bound & (asked | (wanted - known.common)):  # which are something else by then, or for some
        return None
    if not all(is_version(v, body, names, known, k, numbers=numbers) for k, v in enumerate(versions)):
        return None
    made: Any = copy.copy(versions[0].made)
    doc, checks = made.checks[0], common(versions)
    made.args = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    made.body = [*copied(made.body[:doc]), *copied(checks), *body]
    made.checks = doc, len(checks)
    return made  # type: ignore[no-any-return]


def tests(body: Sequence[ast.stmt]) -> Iterator[ast.expr]:
    """Those that Python decided while tracing."""
    for node in (node for statement in body for node in walked(statement)):
        if isinstance(node, (ast.If, ast.IfExp)) and hasattr(node, "decided"):
            yield node.test


def common(versions: Sequence[Version]) -> list[ast.stmt]:
    """The checks that all of them make, and those that hold of what all of them were given."""
    each = [{dumped(check): check for check in checks_of(version.made)} for version in versions]
    every = {text: check for checks in each for text, check in checks.items()}
    theirs = [(v, checks) for v, checks in zip(versions, each)]
    return [c for text, c in every.items() if all(text in mine or holds(c, v.graphs) for v, mine in theirs)]


def holds(check: ast.stmt, graphs: Sequence[Graph]) -> bool:
    """Whether a check holds of what a function was given in the example, as far as that is structure."""
    if not graphs or not isinstance(check, ast.Assert):
        return False
    asked = compile(ast.Expression(ast.fix_missing_locations(copied(check.test))), "<check>", "eval")
    words = {"__builtins__": {"len": len, "list": list, "all": all, "isinstance": isinstance, "dict": dict}}
    given = ({str(node.target): example(node.spec) for node in graph.placeholders} for graph in graphs)
    try:
        return all(eval(asked, {**words, **values}) is True for values in given)
    except Exception:  # it asks something else
        return False


def example(spec: Any) -> Any:
    """What stands for a value of which this is known, in a check of it."""
    if isinstance(spec, dict):
        return {key: example(each) for key, each in spec.items()}
    if isinstance(spec, (list, tuple)):
        return type(spec)(map(example, spec)) if type(spec) in (list, tuple) else None
    return types.SimpleNamespace(ndim=spec.rank) if isinstance(spec, Spec) else None


def is_plain(given: ast.arguments) -> bool:
    """Whether all parameters may be given by position, and none has a default that is printed."""
    return not (given.posonlyargs or given.vararg or given.kwonlyargs or given.kwarg)


class Known:
    """What Python knew of the parameters of versions.

    Attributes:
        given: the parameters of each version; `taken`: those that there are, `common` those that all have.
        bound: what parameters are in each version that are not the same in all.
        decided: the tests of these.
    """

    def __init__(self, versions: Sequence[Version], user: Remarked) -> None:
        theirs: Any = user.node
        self.given = given = [[arg.arg for arg in v.made.args.args] for v in versions]
        own = [arg.arg for arg in parameters(theirs.args)]
        self.taken = {*[name for names in given for name in names]}
        self.common = set.intersection(*map(set, given))
        rebound = {*stored(theirs.body)}
        self.bound: Bound = {}
        paths: Bound = {}
        held: dict[str, Any] = {}
        keys: dict[str, dict[Any, bool]] = {}
        ranks: dict[str, int | None] = {}
        for name in own:
            items: list[ast.expr] = []
            for k, version in enumerate(versions):
                path = f"{name}__{k}"
                if name in given[k]:
                    asked = Asked.of(version.graphs, name)
                    ranks |= {path: asked.rank} if asked.rank is not None else {}
                    held |= {path: asked.whole} if asked.whole is not None else {}
                    keys[path] = asked.keys
                    items.append(ast.Name(path, ast.Load()))
                elif name in version.baked and version.baked[name] is None:
                    ranks[path] = None
                    items.append(ast.Name(path, ast.Load()))
                elif name in version.baked:
                    items.append(ast.Constant(version.baked[name]))
            if len(items) < len(versions):
                continue
            if name not in rebound:
                paths[name] = items
            if len({unparsed(item).partition("__")[0] for item in items}) > 1 or name not in self.common:
                self.bound[name] = [
                    ast.Name(name, ast.Load()) if name in names else ast.Constant(version.baked[name])
                    for names, version in zip(given, versions)
                ]
        facts = Given(held, keys, ranks, {}, {}, True, 0, (), lambda what: ast.Name(what, ast.Load()))
        self.facts = facts
        self.decided = Decided(paths, facts, module_of(user.key[0]), user.key)


class Asked(NamedTuple):
    """What Python was told of a parameter while tracing, which is checked.

    Attributes:
        rank: that of an array; SOME where it was only asked whether there is one.
        whole: which keys it has, or how many items.
        keys: whether some are there.
    """

    rank: int | None
    whole: Any
    keys: dict[Any, bool]

    @classmethod
    def of(cls, graphs: Sequence[Graph], name: str) -> Asked:
        """What all of these were told."""
        first, *others = (cls.while_traced(graph, name) for graph in graphs)
        return first if all(other == first for other in others) else cls(None, None, {})

    @classmethod
    def while_traced(cls, graph: Graph, name: str) -> Asked:
        spec = next((node.spec for node in graph.placeholders if node.target == name), None)
        facts = graph.meta.get("structure", {}).get(name, {})
        given = name in graph.meta.get("kinds asked", {})
        rank = spec.rank if isinstance(spec, Spec) and name in graph.meta.get("ranks", ()) else None
        return cls(SOME if rank is None and given else rank, facts.get("whole"), {**dict(pairs(facts))})


# Whether each is what it was.


class Chosen(Run):
    """A function for several versions, as one of these runs it."""

    def __init__(self, *given: Any, decided: Decided, number: int, baked: Mapping[str, Any]) -> None:
        super().__init__(*given)
        self.turn = decided, number
        self.baked = baked

    def whole(self, body: Sequence[ast.stmt]) -> tuple[Any, ...]:
        self.env = {name: self.held(ast.Name(name, ast.Load())) for name in self.arguments}
        self.env |= {name: self.constant(value) for name, value in self.baked.items()}
        try:
            self.run(body)
        except Ended:
            pass
        return tuple(self.events), tuple(sorted(self.puts, key=lambda put: put[0]))

    def run_If(self, node: ast.If) -> None:
        if hasattr(node, "decided"):
            side = node.body if self.decides(node.test) else node.orelse
            self.run(side)
            if side and isinstance(side[-1], LEAVING):
                raise Ended
            return
        super().run_If(node)


def is_version(
    version: Version,
    body: Sequence[ast.stmt],
    names: Sequence[str],
    known: Known,
    number: int,
    *,
    numbers: bool,
) -> bool:
    """Whether a function does what one of its versions does."""
    before = version.made.body[sum(version.made.checks) :]  # type: ignore[attr-defined]
    mine = [arg.arg for arg in version.made.args.args]
    baked = {name: version.baked[name] for name in names if name not in mine}
    values = Values()
    try:
        one = Run(values, known.facts, mine, numbers).whole(before)
        values.known = {*WORDS, *unbound(before)}
        other = Chosen(
            values, known.facts, mine, numbers, decided=known.decided, number=number, baked=baked
        )
        return one == other.whole(body)
    except Unclear:
        return False
