"""The rewriter: what a rewritten function is, and where its source is found."""

from __future__ import annotations

import importlib.util
import linecache
import pathlib
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest
from rewrite_tools import Seen

from tracelate.tracer.rewrite import NoSource, Plain, rewrite

# What a rewritten function is


def make_counter() -> tuple[types.FunctionType, Callable[[], int]]:
    count = 0

    def bump(by: int = 1, *, scale: list[int] | None = None) -> int:
        """Counts."""
        nonlocal count
        count += by
        return count

    def read() -> int:
        return count

    assert isinstance(bump, types.FunctionType)
    return bump, read


def test_it_is_the_same_function_but_for_its_code() -> None:
    bump, read = make_counter()
    bump.tag = "mine"
    new = rewrite(bump, Plain())
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__closure__"):
        assert getattr(new, name) == getattr(bump, name), name
    for name in ("__defaults__", "__kwdefaults__", "__annotations__", "__dict__", "__globals__"):
        assert getattr(new, name) is getattr(bump, name), name
    assert new.__code__.co_firstlineno == bump.__code__.co_firstlineno
    assert new.__code__.co_freevars == bump.__code__.co_freevars
    assert (bump(), new(5), read()) == (1, 6, 6)


def test_globals_are_live_and_clean() -> None:
    def f():
        global _made_by_f
        _made_by_f = 1
        return globals() is sys.modules[__name__].__dict__ and _made_by_f, sorted(locals())

    before = set(globals())
    assert rewrite(f, Plain())() == (1, [])
    assert set(globals()) - before == {"_made_by_f"}


def test_wrapped_is_kept() -> None:
    import functools

    def inner(x):
        return x

    @functools.wraps(inner)
    def outer(*args):
        return inner(*args)

    new = rewrite(outer, Plain())
    assert new.__wrapped__ is inner and new.__name__ == "inner"
    assert new(3) == 3


def test_what_is_rewritten_is_not_rewritten_again() -> None:
    def f(x):
        return lambda y: x + y

    hooks = Plain()
    new = rewrite(f, hooks)
    inner = new(1)
    assert rewrite(new, hooks) is new
    assert rewrite(inner, hooks) is inner
    other = Seen()
    assert rewrite(inner, other)(2) == 3
    assert other.texts("binary") == ["x + y"]


def test_the_work_is_done_once_for_a_code_object(monkeypatch: pytest.MonkeyPatch) -> None:
    from tracelate.tracer.rewrite import rewriter

    done = []
    compiled = rewriter._compiled
    monkeypatch.setattr(rewriter, "_compiled", lambda *args: done.append(args) or compiled(*args))
    made = [make_counter() for _ in range(3)]
    for (bump, read), by in zip(made, (1, 2, 3)):
        assert rewrite(bump, Plain())(by) == by == read()
    assert len(done) <= 1


def test_an_async_function_comes_back() -> None:
    async def f(x):
        return x

    async def g(x):
        yield x

    assert rewrite(f, Plain()) is f
    assert rewrite(g, Plain()) is g


# Where the source is found


def load(name: str, path: pathlib.Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def module_of(path: pathlib.Path, text: str) -> types.ModuleType:
    path.write_text(text)
    return load(f"made_{path.stem}_{len(text)}", path)


def test_lambdas_are_told_apart_by_their_columns(tmp_path: pathlib.Path) -> None:
    first = "fs = [lambda x: x + 1, lambda x: x + 2, lambda x, y=[lambda: 5]: y[0](), lambda x: x + 1]\n"
    second = "gs = [lambda x: x * i for i in [2] if (lambda: i)()], (lambda i: lambda x: x - i)(4)\n"
    module = module_of(tmp_path / "lambdas.py", first + second)
    seen = Seen()
    assert [rewrite(f, seen)(1) for f in module.fs] == [2, 3, 5, 2]
    assert [rewrite(g, seen)(5) for g in (*module.gs[0], module.gs[1])] == [10, 1]
    columns = []
    for f in (module.fs[0], module.fs[3]):
        columns.append(next(place[2] for place in rewrite(f, Plain()).__code__.co_positions() if place[2]))
    assert columns == [first.index("x + 1"), first.rindex("x + 1")]


def test_hard_indentation(tmp_path: pathlib.Path) -> None:
    module = module_of(
        tmp_path / "indented.py",
        "def outer(k):\n"
        "\tclass Local:\n"
        "\t\tif k:\n"
        "\t\t\tdef f(self, x, z=None, \\\n"
        "  w=\\\n"
        "1):\n"
        '\t\t\t\ttext = """\n'
        "no indent here\n"
        '"""\n'
        "# nor here\n"
        "\t\t\t\tif z is None: \\\n"
        "x += k; w += 1\n"
        "\t\t\t\treturn text, x, w\n"
        "\treturn Local\n",
    )
    Local = module.outer(2)
    new = rewrite(Local.f, Plain())
    assert new(Local(), 3) == Local().f(3) == ("\nno indent here\n", 5, 2)
    assert new.__qualname__ == new.__code__.co_qualname == "outer.<locals>.Local.f"


def test_decorated_and_repeated_definitions(tmp_path: pathlib.Path) -> None:
    module = module_of(
        tmp_path / "decorated.py",
        "import functools\n"
        "def keep(f):\n"
        "    return f\n"
        "@keep\n"
        "@functools.lru_cache(maxsize=(lambda: None)())\n"
        "def f(x):\n"
        "    return [x + 1, {}['k']]\n"
        "first = f.__wrapped__\n"
        "def f(x): return x + 2\n",
    )
    with pytest.raises(KeyError) as caught:
        rewrite(module.first, Plain())(1)
    assert caught.traceback[-1].lineno + 1 == 7
    assert rewrite(module.f, Plain())(1) == 3


def test_futures_are_kept(tmp_path: pathlib.Path) -> None:
    text = "def f():\n    def g(x: 1 + 1) -> int: pass\n    return g.__annotations__\n"
    later = module_of(tmp_path / "later.py", "from __future__ import annotations\n" + text)
    now = module_of(tmp_path / "now.py", text)
    assert rewrite(later.f, Plain())() == {"x": "1 + 1", "return": "int"}
    assert rewrite(now.f, Plain())() == {"x": 2, "return": int}


def test_a_notebook_cell_or_doctest() -> None:
    name, text = "<ipython-input-7>", "def f(x):\n    return x + 1\n"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {}
    exec(compile(text, name, "exec"), space)
    seen = Seen()
    assert rewrite(space["f"], seen)(1) == 2
    assert seen.texts("binary") == ["x + 1"]


def test_no_source() -> None:
    space: dict[str, Any] = {}
    exec("def f(x):\n    return x", space)
    with pytest.raises(NoSource, match="no source for f: its text is not to be had"):
        rewrite(space["f"], Plain())


def test_a_file_that_was_edited_is_not_taken_for_what_runs(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "edited.py"
    module = module_of(path, "def f(x):\n    return x + 1\n")
    path.write_text("def f(x):\n    return x + 22\n")
    with pytest.raises(NoSource, match="its file has changed"):
        rewrite(module.f, Plain())


def test_equal_code_in_two_files_keeps_its_own_file(tmp_path: pathlib.Path) -> None:
    text = "def f(x):\n    return x + 1\n"
    files = [module_of(tmp_path / name, text) for name in ("one.py", "two.py")]
    made = [rewrite(module.f, Plain()) for module in files]
    assert [new.__code__.co_filename for new in made] == [module.__file__ for module in files]


def test_what_is_nested_too_deeply_is_refused(tmp_path: pathlib.Path) -> None:
    depth = 800
    module = module_of(tmp_path / "deep.py", f"def f(x):\n    return {'-' * depth}x\n")
    with pytest.raises(NoSource, match="nested too deeply"):
        rewrite(module.f, Plain())
