"""Emitted text becomes a callable that shows its source like a file would."""

from __future__ import annotations

import gc
import inspect
import linecache
import traceback

import numpy as np
import pytest

from tracelate.codegen.load import bind, load

SOURCE = '''\
import math


def halve(x):
    """Half of it."""
    return helper(x) / 2


def helper(x):
    if x < 0:
        raise ValueError("negative")
    return math.fabs(x)
'''


def test_the_function_runs() -> None:
    loaded = load(SOURCE, "halve", "numpy")
    assert loaded.function(3) == 1.5
    assert loaded.namespace["halve"] is loaded.function
    assert loaded.source == SOURCE


def test_the_file_name_tells_what_it_is_and_is_never_used_twice() -> None:
    first, second = load(SOURCE, "halve", "numpy"), load(SOURCE, "halve", "numpy")
    assert first.filename.startswith("<tracelate halve → numpy #")
    assert first.filename != second.filename
    assert first.function.__code__.co_filename == first.filename
    assert load(SOURCE, "halve").filename.startswith("<tracelate halve #")


def test_getsource_shows_the_text() -> None:
    loaded = load(SOURCE, "halve", "numpy")
    assert inspect.getsource(loaded.function) == SOURCE.split("\n\n\n")[1] + "\n"
    assert inspect.getsource(loaded.namespace["helper"]) == SOURCE.split("\n\n\n")[2]


def test_a_traceback_shows_the_lines() -> None:
    function = load(SOURCE, "halve", "numpy").function
    linecache.checkcache()
    with pytest.raises(ValueError) as caught:
        function(-1)
    shown = "".join(traceback.format_exception(caught.value))
    assert "<tracelate halve → numpy #" in shown
    assert "return helper(x) / 2" in shown
    assert 'raise ValueError("negative")' in shown


def test_the_lines_go_with_the_function() -> None:
    loaded = load(SOURCE, "halve", "numpy")
    filename, helper = loaded.filename, loaded.namespace["helper"]
    del loaded
    gc.collect()
    assert filename in linecache.cache
    assert inspect.getsource(helper)
    del helper
    gc.collect()
    assert filename not in linecache.cache


def test_a_file_without_the_entry_is_refused() -> None:
    with pytest.raises(NameError, match="no other"):
        load(SOURCE, "other")


def test_no_future_statement_of_ours_gets_into_the_text() -> None:
    assert load("def f(x: int): return x\n", "f").function.__annotations__ == {"x": int}


@pytest.mark.slow
def test_a_hundred_thousand_statements() -> None:
    source = "def count(x):\n" + "    x = x + 1\n" * 100_000 + "    return x\n"
    function = load(source, "count", "numpy").function
    assert function(5) == 100_005
    assert inspect.getsource(function) == source


# Constants.

LOOKUP = "def lookup(x, y=1, *, table, scale=2):\n    return table[x] * scale + y\n"


def test_bind_gives_keyword_only_parameters_their_values() -> None:
    function = load(LOOKUP, "lookup").function
    bind(function, {"table": np.array([10, 20])})
    assert function(1) == 41
    assert function(1, table=[0, 1]) == 3
    assert "table=array" in str(inspect.signature(function))


def test_bind_leaves_the_function_what_it_is() -> None:
    loaded = load(LOOKUP, "lookup")
    bind(loaded.function, {"table": [1]})
    assert loaded.namespace["lookup"] is loaded.function
    assert loaded.function.__kwdefaults__ == {"table": [1], "scale": 2}
    assert loaded.function.__defaults__ == (1,)


@pytest.mark.parametrize("name", ["x", "y", "tables"])
def test_bind_refuses_what_is_not_keyword_only(name: str) -> None:
    with pytest.raises(TypeError, match=f"lookup has no keyword-only parameter {name}"):
        bind(load(LOOKUP, "lookup").function, {name: 1})


JITTED = """\
import jax


@jax.jit
def lookup(x, *, table):
    return x + table
"""


def test_a_jitted_function_is_bound_and_bound_again() -> None:
    jnp = pytest.importorskip("jax.numpy")
    function = load(JITTED, "lookup", "jax").function
    bind(function, {"table": jnp.ones(2)})
    assert function(1.0).tolist() == [2.0, 2.0]
    bind(function, {"table": jnp.zeros(2)})
    assert function(1.0).tolist() == [1.0, 1.0]
    function.source = JITTED
    assert inspect.getsource(function) == "@jax.jit" + JITTED.split("@jax.jit")[1]
