"""Every callee of the dictionary is called, and its framework asked which operands share memory with what
comes out: that is what the tracer says of the call.
"""

from __future__ import annotations

import functools
import itertools
import json
import operator
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from tracelate.backends import measure, measure_numbers
from tracelate.backends.memory import EACH, MEASURED, NUMBERS, WRITTEN, gives
from tracelate.backends.signatures import canonical, known
from tracelate.ir.analysis.outside import MAYBE, NEW, VIEW
from tracelate.ir.graphs import leaves
from tracelate.ir.graphs.graph import Graph, Node
from tracelate.tracer.intercept import framework as framework_named
from tracelate.tracer.memory import aliasing, numpy_scalars
from tracelate.tracer.values import identity

pytestmark = pytest.mark.complete

#: What is left out, and why.
LEFT_OUT = {
    "np.ndarray.sort": "it gives nothing",
    "torch.Tensor.cuda": "it wants a GPU",
    "torch.Tensor.solve": "torch has it no more",
}
#: How arrays lie in memory: row by row, by columns, every second element; or they are all one.
FORMS = ("rows", "columns", "apart", "twice")
WORLDS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("float32", (3, 3)), ("float32", (4,)), ("float32", ()), ("float32", (1, 3)), ("float32", (1,)),
    ("float32", (0, 3)), ("float32", (3, 3, 3)), ("float32", (2, 2, 2, 2)), ("float32", (1, 1, 2, 2, 2)),
    ("int64", (3, 3)), ("int64", (4,)), ("bool", (4,)), ("complex64", (3, 3)), ("complex64", ()),
)  # fmt: skip
#: Of each world and form so many calls that go well, among so many.
CALLS, ATTEMPTS = 6, 400
#: What is tried each time.
FEW = [(form, WORLDS[i]) for form in ("rows", "apart") for i in (0, 2, 10, 12)]
KEYS = (
    0, -1, slice(None), slice(0, 2), slice(None, None, 2), None, ..., (..., 0), (None, 0), (0, slice(None)),
    [0], [[0, 1]], True, (0, [0]), (slice(0, 1), 0), (), (0, 0), (0, ...),
)  # fmt: skip


ARRAY = measure.array


def own(framework: str, value: Any, form: str) -> Any:
    """An array of the framework's with these elements, in memory as the form says."""
    value = np.array(value)
    if form == "columns":
        value = value.T.copy()
        axes = tuple(range(value.ndim))[::-1]
        return value.T if framework == "numpy" else torch.tensor(value).permute(axes)
    if form == "apart" and value.ndim:
        value = np.repeat(value, 2, -1)
        return (value if framework == "numpy" else torch.tensor(value))[..., ::2]
    return value if framework == "numpy" else torch.tensor(value)


@pytest.fixture
def formed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let arrays be made in a form."""

    def use(form: str) -> None:
        made: dict[Any, Any] = {}

        def array(framework: str, world: Any, seed: int) -> Any:
            if form != "twice":
                return ARRAY(framework, world, seed)
            return made.setdefault((framework, world), ARRAY(framework, world, 0))

        monkeypatch.setattr(measure, "own", lambda framework, value: own(framework, value, form))
        monkeypatch.setattr(measure, "array", array)

    return use


def calls(framework: str, name: str, world: Any) -> Iterator[functools.partial[Any]]:
    if name == "operator.getitem":
        x = measure.array(framework, world, 0)
        mask = measure.own(framework, np.ones(world[1], bool))
        number = measure.own(framework, np.array(0))
        for key in (*KEYS, mask, number, measure.integers(framework, (2,))):
            yield functools.partial(operator.getitem, x, key)
    elif name.endswith("scatter_reduce"):
        x, index = measure.array(framework, world, 0), measure.integers(framework, world[1])
        yield functools.partial(measure.resolved(framework, name), x, 0, index, x, "sum")
    else:
        for call, _ in itertools.islice(measure.calls(framework, name, world), ATTEMPTS):
            training = (call.keywords.get("training"), *call.args[-1:])
            ordered = name.endswith(("quantile", "percentile"))
            if ordered and world[0] == "complex64":  # of which it has an order where there is one
                continue
            if "dropout" not in name or any(t is False for t in training):  # and so is not random
                yield call


def said(framework: str, name: str, call: functools.partial[Any], results: list[Any]) -> tuple[str, str]:
    """What the tracer says of a call on arguments that are as they are here: what its result has in common
    with them, and which object it is.
    """
    found: Any = framework_named(framework)
    tracer = types.SimpleNamespace(framework=found, backend=found.backend, is_argument=lambda node: True)
    graph = Graph("f")
    graph.meta["home"] = graph
    placed: dict[int, Node] = {}

    def node(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(map(node, value))
        if not isinstance(value, (np.ndarray, torch.Tensor)):
            return value
        if id(value) not in placed:
            made = placed[id(value)] = graph.placeholder(f"x{len(placed)}")
            made.spec = found.spec(value)
            leaves.note(made, made.name)
            made.meta["in_order"] = found.in_order(value)
        return placed[id(value)]

    args, kwargs = tuple(map(node, call.args)), {key: node(v) for key, v in call.keywords.items()}
    root, _, last = name.rpartition(".")
    method = root in ("np.ndarray", "torch.Tensor")
    op, target = ("call_method", last) if method else ("call_function", call.func)
    made = graph.create_node(op, target, args, kwargs)
    made.spec = found.spec(results[0]) if len(results) == 1 else tuple(map(found.spec, results))
    parent = args[0] if args and isinstance(args[0], Node) else None
    fact = aliasing.relation(tracer, made, parent and types.SimpleNamespace(node=parent))
    part = graph.create_node("call_function", operator.getitem, (made, 0)) if len(results) > 1 else made
    part.spec = found.spec(results[0])
    if numpy_scalars.is_number(tracer, part):
        return NEW if all(isinstance(result, np.generic) for result in results) else "a number", "made"
    if any(isinstance(result, np.generic) for result in results):
        return "an array", "either"
    which = "either" if len(results) > 1 else identity.gives(tracer, made)
    return MAYBE if fact == VIEW and parent is None else fact, which  # of what is no array, one cannot say


def judged(framework: str, name: str, world: Any) -> tuple[int, list[str]]:
    """How many calls went well, and of which the tracer says what is not so."""
    count, wrong = 0, []
    for call in calls(framework, name, world):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                results = list(measure.flat(call()))
            except Exception:
                continue
        if not results:
            continue
        given = list(measure.flat([*call.args, *call.keywords.values()]))
        fact, which = said(framework, name, call, results)
        count += 1
        same = [array for array in given if array is results[0]]
        if which == "made" and same or which == "operand" and results[0] is not given[0]:
            wrong.append(f"{name}({shown(call)}) of {world} is said to be {which}")
        shares = [[measure.share(framework, result, array) for array in given] for result in results]
        number = [isinstance(r, np.generic) for r in results]
        full = [bool(np.prod(tuple(r.shape))) for r in results]
        if fact == NEW:
            fine = not any(map(any, shares))
        elif fact == VIEW:
            fine = all(s[0] or not f for s, f in zip(shares, full)) and not any(number)
        elif fact == EACH:
            fine = all(i < len(given) and (shares[i][i] or not full[i]) for i in range(len(results)))
        else:
            fine = fact == MAYBE
        if not fine:
            wrong.append(f"{name}({shown(call)}) of {world} is said to be {fact}: {shares}")
        if count == CALLS:
            break
    return count, wrong


def shown(call: functools.partial[Any]) -> str:
    """The arguments of a call, arrays by their shapes."""

    def words(value: Any) -> str:
        if isinstance(value, (list, tuple)):
            return f"[{', '.join(map(words, value))}]"
        return f"array{tuple(value.shape)}" if hasattr(value, "shape") else repr(value)

    return ", ".join([*map(words, call.args), *(f"{k}={words(v)}" for k, v in call.keywords.items())])


NAMES = [(framework, name) for framework in measure.FRAMEWORKS for name in measure.callees(framework)]
CALLED = [(f, name) for f, name in NAMES if not name.startswith("helper.") and name not in LEFT_OUT]


def tried(framework: str, name: str, formed: Any, ways: Any) -> int:
    count, wrong = 0, []
    for form, world in ways:
        formed(form)
        more, faults = judged(framework, name, world)
        count, wrong = count + more, wrong + faults
    assert not wrong, "\n".join(wrong[:5])
    return count


@pytest.mark.parametrize(("framework", "name"), CALLED)
def test_what_a_call_shares_memory_with_is_known(framework: str, name: str, formed: Any) -> None:
    tried(framework, name, formed, FEW)


@pytest.mark.slow
@pytest.mark.parametrize(("framework", "name"), CALLED)
def test_what_all_calls_share_memory_with_is_known(framework: str, name: str, formed: Any) -> None:
    assert tried(framework, name, formed, itertools.product(FORMS, WORLDS)), f"{name} was never called"


def test_none_of_the_dictionary_is_left_out() -> None:
    assert set(LEFT_OUT) < {name for _, name in NAMES}
    assert len(CALLED) > 900
    for framework, name in CALLED:
        names = (name, canonical(name)) if known(name) else (name,)
        assert gives(framework, names) != WRITTEN


@pytest.mark.slow
def test_what_was_measured_is_what_is_measured() -> None:
    assert measure.measured() == json.loads(MEASURED.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_what_gives_numbers_is_what_does() -> None:
    assert measure_numbers.measured() == json.loads(NUMBERS.read_text(encoding="utf-8"))
