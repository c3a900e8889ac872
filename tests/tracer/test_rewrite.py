"""The rewriter: what is rewritten cannot be told from the original, and hooks see each construct in place."""

from __future__ import annotations

import copy
import importlib.util
import linecache
import pathlib
import re
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import pytest

from tracelate.tracer.rewrite import UNDEFINED, Exit, NoSource, Plain, rewrite

HERE = pathlib.Path(__file__).parent


def load(name: str, path: pathlib.Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


corpus = load("rewrite_corpus", HERE / "rewrite_corpus.py")


class Slow(Plain):
    """Plain, but every hook is a frame of Python's, as a tracer's are."""


def _slowly(name: str) -> Callable[..., Any]:
    plain = getattr(Plain(), name)

    def hook(self: Slow, /, *args: Any, **kwargs: Any) -> Any:
        return plain(*args, **kwargs)

    return hook


for _name in "call star dstar function getattr_ setattr_ getitem setitem is_ truth iter_".split():
    setattr(Slow, _name, _slowly(_name))


class Seen(Plain):
    """Writes down each hook that is asked, and the text of the user's that it stands for."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __getattribute__(self, name: str) -> Any:
        hook = super().__getattribute__(name)
        if name.startswith("_") or name in ("calls", "texts"):
            return hook

        def seen(*args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            if "tracer/rewrite/hooks.py" not in frame.f_code.co_filename:
                self.calls.append((name, text_at(frame), *args))
            return hook(*args, **kwargs)

        return seen

    def texts(self, name: str) -> list[str]:
        return [call[1] for call in self.calls if call[0] == name]


def text_at(frame: types.FrameType) -> str:
    line, end_line, column, end_column = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    assert None not in (line, end_line, column, end_column)
    lines = linecache.getlines(frame.f_code.co_filename)[line - 1 : end_line]
    lines[-1] = lines[-1].encode()[:end_column].decode()
    lines[0] = lines[0].encode()[column:].decode()
    return "".join(lines)


def plain_text(value: object) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", repr(value))


def outcome(fn: types.FunctionType, *args: Any, **kwargs: Any) -> Any:
    """What a call returns or raises, and where in the file of `fn`; our thunks are part of their function."""
    args, kwargs = copy.deepcopy((args, kwargs))
    try:
        value = fn(*args, **kwargs)
        if isinstance(value, types.GeneratorType):
            value = list(value)
    except Exception as error:
        places: list[tuple[str, int]] = []
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == fn.__code__.co_filename:
                if places and places[-1][0] == frame.f_code.co_qualname:
                    places.pop()
                places.append((frame.f_code.co_qualname, line))
        return type(error), plain_text(error.args), places, type(error.__context__), plain_text(args)
    return plain_text(value), plain_text(args)


CALLS = [
    pytest.param(fn, call, id=f"{fn.__name__}-{place}")
    for fn, calls in corpus.CASES
    for place, call in enumerate(calls or ((),))
]


LOOKS_FOR_FRAMES = ("frame_readers_under_other_names", "warns_at_the_users_line")


@pytest.mark.parametrize("hooks", (Plain(), Slow()), ids=("plain", "slow"))
@pytest.mark.parametrize("fn, call", CALLS)
def test_a_function_does_what_it_did(fn: types.FunctionType, call: tuple[Any, ...], hooks: Plain) -> None:
    if isinstance(hooks, Slow) and fn.__name__ in LOOKS_FOR_FRAMES:
        pytest.skip("a hook with a frame of its own stands between the user's frame and who looks for it")
    results = []
    for each in (fn, rewrite(fn, hooks)):
        corpus.LOG.clear()
        results.append((outcome(each, *call), plain_text(corpus.LOG)))
    assert results[0] == results[1]


def test_methods_of_the_corpus_do_what_they_did() -> None:
    hooks = Plain()
    owners = (corpus.Private, corpus.WithNone, corpus.Deeper)
    methods = [fn for owner in owners for fn in vars(owner).values() if isinstance(fn, types.FunctionType)]
    kept = [(fn, fn.__code__) for fn in methods]
    calls = (corpus.private_names, corpus.private_name_missing, corpus.branches_in_methods)
    before = [outcome(fn) for fn in calls]
    try:
        for fn, _ in kept:
            fn.__code__ = rewrite(fn, hooks).__code__
        assert [outcome(fn) for fn in calls] == before
    finally:
        for fn, code in kept:
            fn.__code__ = code


# Where the hooks stand


def test_a_hook_is_called_at_the_users_expression() -> None:
    def f(x):
        y = jnp.sin(x) + 1
        return y

    seen = Seen()
    rewrite(f, seen)(0.5)
    assert seen.texts("call") == ["jnp.sin(x)"]
    assert seen.texts("binary") == ["jnp.sin(x) + 1"]
    assert seen.texts("getattr_") == ["jnp.sin"]


def test_every_hook_sees_its_construct() -> None:
    def f(a, b, box, z=None):
        a, *rest = box["k"]
        box[a:b, 1] = -a
        box.x = not b
        box.x += b
        box["n"] -= 1
        for i, (j, k) in zip(rest, [(1, 2)]):
            a = b if i < j <= k else b and a or k
        while a in rest and b is not a:
            a += 1
        if z is None:
            z = f"{a!r:>{b}}"
        assert a is not z
        later = [lambda n: n @ a for _ in rest if b]
        return max(*rest, **{"key": abs}), later, sum(n for n, m in [(1, 2)])

    class Box:
        def __init__(self) -> None:
            self.items = {"k": [3, 4, 5], "n": 1}

        def __getitem__(self, key: Any) -> Any:
            return self.items[key]

        def __setitem__(self, key: Any, value: Any) -> None:
            self.items[repr(key)] = value

    seen = Seen()
    assert rewrite(f, seen)(1, 7, Box())[0] == 5
    assert {
        "unpack": ["a, *rest", "i, (j, k)", "(j, k)", "n, m"],
        "setitem": ["box[a:b, 1]", 'box["n"] -= 1'],
        "setattr_": ["box.x", "box.x += b"],
        "getitem": ['box["k"]', 'box["n"]'],
        "unary": ["-a"],
        "not_": ["not b"],
        "inplace": ["box.x += b", 'box["n"] -= 1'],
        "iter_": ["rest", "[(1, 2)]"],
        "for_": ["zip(rest, [(1, 2)])"],
        "while_": ["a in rest and b is not a"],
        "asserted": ["a is not z"],
        "compare": ["i < j <= k"],
        "all_": ["i < j <= k", "a in rest and b is not a"],
        "or_": ["b and a or k"],
        "and_": ["b and a"],
        "ifexp": ["b if i < j <= k else b and a or k"],
        "contains": ["a in rest"],
        "if_": ["z is None"],
        "is_": ["z is None"],
        "is_not": ["a is not z"],
        # Before 3.12 all that stands in an f-string has the place of the whole.
        "format_": ["{b}", "{a!r:>{b}}"] if sys.version_info >= (3, 12) else ['f"{a!r:>{b}}"'] * 2,
        "function": ["lambda n: n @ a", "lambda n: n @ a"],
        "star": ["rest"],
        "dstar": ['{"key": abs}'],
        "call": ["zip(rest, [(1, 2)])", 'max(*rest, **{"key": abs})', "sum(n for n, m in [(1, 2)])"],
    } == {name: seen.texts(name) for name in {call[0] for call in seen.calls} - {"getattr_", "truth"}}
    assert [call[2:] for call in seen.calls if call[0] == "setitem"][0][1:] == ((slice(3, 7, None), 1), -3)


def test_tests_ask_for_truth() -> None:
    def f(a, b):
        if a:
            while b and not a:
                yield
        assert a, b
        match a:
            case int() if b:
                pass
        yield [x for x in (1, 2) if x > a]

    seen = Seen()
    list(rewrite(f, seen)(1, 1))
    assert list(dict.fromkeys(seen.texts("truth"))) == ["a", "b and not a", "b", "x > a"]
    whys = {call[1]: call[3] for call in seen.calls if call[0] == "truth" and len(call) > 3}
    assert whys == {"a": "the branch yields", "b and not a": "the loop yields"}


def test_names_are_mangled_for_the_hook() -> None:
    class Mine:
        def f(self):
            self.__x = 1
            self.__x += 1
            return self.__x

    seen = Seen()
    mine = Mine()
    rewrite(Mine.f, seen)(mine)
    assert {call[3] for call in seen.calls if call[0].endswith("attr_")} == {"_Mine__x"}
    assert vars(mine) == {"_Mine__x": 2}


def test_super_works_with_any_hooks() -> None:
    class Base:
        def f(self):
            return "base"

    class Derived(Base):
        def f(self, flag=True):
            return super().f() + "!" if flag and super().f() else __class__.__name__

    assert rewrite(Derived.f, Slow())(Derived()) == "base!"
    assert rewrite(Derived.f, Seen())(Derived(), False) == "Derived"


def test_a_bad_star_is_a_type_error_still() -> None:
    """Its message names the hook: Python words it before anything is called."""

    def f(xs):
        return max(*xs)

    def g(named):
        return max(**named)

    for fn in (f, g):
        with pytest.raises(TypeError, match=r"argument after|Value after"):
            rewrite(fn, Plain())(5)


def test_a_name_like_a_builtins_is_still_seen() -> None:
    def eval(x):
        return x + 1

    def f(x):
        return eval(x), vars

    seen = Seen()
    assert rewrite(f, seen)(2) == (3, vars)
    assert ("call", "eval(x)", eval, 2) in seen.calls


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


# Branches


class Both(Plain):
    """Runs both branches of each `if_`, then takes the one that the test asks for."""

    def __init__(self) -> None:
        self.branches: list[Any] = []

    def if_(self, test: Any, then: Any, orelse: Any, state: Any, names: Any, /) -> Any:
        ways = then(*state), orelse(*state)
        self.branches.append((state, names, *ways))
        return ways[0] if test else ways[1]


def branches_of(fn: types.FunctionType, *args: Any) -> list[Any]:
    hooks = Both()
    assert rewrite(fn, hooks)(*args) == fn(*args)
    return hooks.branches


def test_a_branch_takes_and_returns_what_it_changes() -> None:
    def f(x, y, z=None):
        res = x + y
        if z is not None:
            tmp = res * 2
            res = tmp + 1
        return res + x

    assert branches_of(f, 1, 2) == [((3,), ("res",), (Exit.FELL, (7,)), (Exit.FELL, (3,)))]


def test_a_branch_tells_how_it_was_left() -> None:
    def f(n, z=None, y=None):
        last = 0
        for i in range(n):
            if z is None:
                last = i
                continue
            else:
                break
        if y is not None:
            return last, "y"
        return last

    assert branches_of(f, 2) == [
        ((0,), (), (Exit.CONTINUED, (0,)), (Exit.BROKE, (0,))),
        ((0,), (), (Exit.CONTINUED, (1,)), (Exit.BROKE, (0,))),
        ((), (), (Exit.RETURNED, (1, "y")), (Exit.FELL, ())),
    ]


def test_a_variable_without_a_value_is_undefined() -> None:
    def f(z=None):
        if z is None:
            y = 1
        else:
            w = 2
        return y if z is None else w

    assert branches_of(f) == [
        ((UNDEFINED, UNDEFINED), ("y", "w"), (Exit.FELL, (1, UNDEFINED)), (Exit.FELL, (UNDEFINED, 2)))
    ]


def test_a_variable_that_is_bound_anew_is_not_handed_on() -> None:
    def f(x, z=None):
        if z is None:
            x = x + 1
            kept = x
        else:
            kept = x
        x = 0
        return x, kept

    assert branches_of(f, 1) == [((1,), ("kept",), (Exit.FELL, (2,)), (Exit.FELL, (1,)))]


@pytest.mark.parametrize(
    "name",
    ("looks_at_its_locals", "globals_in_branches"),
)
def test_a_branch_that_would_show_stays_an_if(name: str) -> None:
    seen = Seen()
    rewrite(getattr(corpus, name), seen)()
    assert seen.texts("if_") == []


def test_a_test_of_a_constant_is_pythons() -> None:
    def f(x):
        if True:
            x = 1
        if not x:
            x = 2
        while 0:
            x = 3
        return x

    seen = Seen()
    assert rewrite(f, seen)(None) == 1
    assert seen.texts("if_") == ["not x"]
    assert seen.texts("while_") == []
