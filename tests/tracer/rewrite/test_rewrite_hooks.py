"""The rewriter: hooks see each construct, and stand at the user's expression."""

from __future__ import annotations

import inspect
import sys
from contextlib import nullcontext
from typing import Any

import jax.numpy as jnp
import pytest
from rewrite_tools import Seen, Slow

from tracelate.tracer.rewrite import Plain, rewrite


def test_a_hook_is_called_at_the_users_expression() -> None:
    def f(x):
        y = jnp.sin(x) + 1
        return y

    seen = Seen()
    rewrite(f, seen)(0.5)
    assert seen.texts("call") == ["jnp.sin(x)"]
    assert seen.texts("binary") == ["jnp.sin(x) + 1"]
    assert seen.texts("getattr_") == ["jnp.sin"]


def lines(fn: Any, start: str, count: int) -> str:
    """So many lines of a function's text, from the first on that begins so."""
    text = inspect.getsource(fn)
    return "\n".join(text[text.index(start) :].splitlines()[:count])


def test_the_hooks_of_try_with_and_del() -> None:
    def f(a, box):
        try:
            with box as z:
                del a[0], a[z]
        except (KeyError, TypeError):
            del a[1]

    seen = Seen()
    rewrite(f, seen)([1, 2, 3], nullcontext("no index"))
    assert seen.texts("trying") == [lines(f, "try:", 5)]
    assert seen.texts("manager") == ["box"]
    assert seen.texts("delitem") == ["a[0]", "a[z]", "a[1]"]
    assert seen.texts("caught") == [lines(f, "except", 2)]


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
        "returned": ['max(*rest, **{"key": abs}), later, sum(n for n, m in [(1, 2)])'],
        "unpack": ["a, *rest", "i, (j, k)", "(j, k)", "n, m"],
        "setitem": ["box[a:b, 1]", 'box["n"] -= 1'],
        "setattr_": ["box.x", "box.x += b"],
        "getitem": ['box["k"]', 'box["n"]'],
        "unary": ["-a"],
        "not_": ["not b"],
        "inplace": ["box.x += b", 'box["n"] -= 1'],
        "iter_": ["rest"],
        "generate": ["(n for n, m in [(1, 2)])"],
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
        "joined": ['f"{a!r:>{b}}"'],
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
    assert whys == {
        "a": "the branch yields",
        "b and not a": "the loop yields",
        "x > a": "how many items it keeps depends on the data",
    }


def test_an_assert_shows_its_test_and_its_message() -> None:
    told: list[Any] = []

    class Lenient(Plain):
        def asserted(self, test: Any, message: Any, /) -> bool:
            told.append((test, message and message()))
            return True

    def f(x):
        assert x > 1, f"{x} is too small"
        assert x
        assert x, (y := x)
        return x or y

    with pytest.raises(UnboundLocalError):
        rewrite(f, Lenient())(0)
    assert told == [(False, "0 is too small"), (0, None), (0, None)]


def test_a_raise_shows_its_error() -> None:
    def f(x):
        try:
            raise ValueError(x) from None
        except ValueError:
            raise

    seen = Seen()
    with pytest.raises(ValueError) as caught:
        rewrite(f, seen)(1)
    assert seen.texts("raise_") == ["ValueError(x)"]
    assert [call[2] for call in seen.calls if call[0] == "raise_"] == [caught.value]


def test_a_match_on_plain_values_is_seen() -> None:
    def f(x):
        match x:
            case 1 | -2:
                return "one"
            case None:
                return "none"
            case y if y > 2:
                return "more"
            case str():
                return "text"

    def g(x):
        match x:
            case 1 | -2:
                return "one"
            case None:
                return "none"
            case y if y > 2:
                return "more"

    seen = Seen()
    assert rewrite(g, seen)(3) == "more"
    assert seen.texts("compare") == ["1", "-2", "y > 2"]
    assert seen.texts("is_") == ["None"]
    assert seen.texts("if_") == ["1 | -2", "None", "y > 2"]
    assert [call[2:] for call in seen.calls if call[0] == "compare"][:2] == [("eq", 3, 1), ("eq", 3, -2)]
    seen = Seen()
    assert rewrite(f, seen)(3) == "more"
    assert seen.texts("truth") == ["y > 2"] and seen.texts("if_") == []


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
