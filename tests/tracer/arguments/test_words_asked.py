"""Strings that a program only holds against others: the text asks them too, and is the program for all."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import functools
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from as_written import is_the_users

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(6.0).reshape(2, 3) + 1
TARGETS = ["numpy", "jax", "torch"]
WORDS = ["mean", "sum", "none", "no such"]


def by_statement(x, reduction="mean"):
    if reduction == "mean":
        x = x * 2
    else:
        x = x + 1
    return np.exp(x)


def by_expression(x, reduction="mean", k=3):
    y = x * 2 if reduction != "sum" else x * 3
    if reduction == "mean" and k > 2:
        return y
    return y + 1


def checked_first(x, reduction="mean"):
    if reduction not in ("mean", "sum"):
        raise ValueError(f"no reduction: {reduction!r}")
    if reduction == "mean":
        return x.mean()
    return x.sum()


def one_of_several(x, reduction="mean"):
    y = x**2
    if reduction in ["mean", "none"]:
        y = y + 1
    return y


def in_a_loop(x, reduction="mean"):
    for i in range(5):
        if reduction == "mean":
            x = x * 0.5
        else:
            x = x + i
    return x


def in_rows(x, reduction="mean"):
    out = []
    for row in x:
        if reduction == "mean":
            out.append(row.mean())
        else:
            out.append(row.sum())
    return out


def of_an_array(x, reduction="mean"):
    if x.sum() > 3:
        if reduction == "sum":
            x = x * 2
    return x


def two(x, reduction="mean", other="sum"):
    if reduction == "mean" and other == "sum":
        return x
    if reduction == "mean" or other == "none":
        return x * 2
    return x * 3


def by_return(x, reduction="mean"):
    if reduction == "mean":
        return x.mean()
    elif reduction == "sum":
        return x.sum()
    elif reduction == "none":
        return x.sum() * 0
    raise ValueError(f"unknown reduction {reduction}")


def counted(x, reduction="mean"):
    n = x.shape[0] if reduction == "mean" else 1
    return x / n


# What asks more of them is checked, as for the example.


def caught(x, reduction="mean"):
    try:
        if reduction == "none":
            raise ValueError(f"no {reduction}")
        y = x * 2
    except ValueError:
        y = x
    return y


def by_table(x, reduction="mean"):
    return {"mean": x.mean(), "sum": x.sum()}[reduction]


def handed_on(x, reduction="mean"):
    if reduction == "mean":
        return x
    return getattr(x, reduction)()


def made_small(x, reduction="mean"):
    reduction = reduction.lower()
    if reduction == "mean":
        return x
    return x * 2


def in_a_closure(x, reduction="mean"):
    def inner(v):
        return v * 2 if reduction == "mean" else v

    return inner(x)


def of_other_shapes(x, reduction="mean"):
    if reduction == "mean":
        return x.mean(0)
    return x


def by_length(x, reduction="mean"):
    if reduction == "mean" and len(reduction) == 4:
        return x
    return x * 2


STAYING = [by_statement, by_expression, checked_first, one_of_several, in_a_loop, in_rows, two, of_an_array]
OTHERS = [by_return, counted]
HELD = [caught, by_table, handed_on, made_small, in_a_closure, by_length]
NAMES = {"ids": lambda value: getattr(value, "__name__", None)}


def outcome(fn: Any, framework: str, words: Any) -> Any:
    try:
        return fn(convert(X.copy(), framework), *words)
    except ValueError as error:
        return str(error)


def words_of(program: Any) -> list[tuple[str, ...]]:
    number = sum(isinstance(value, str) for value in program.__defaults__)
    return [*product(WORDS, repeat=number)] if number == 1 else [*product(WORDS[:3], repeat=number)]


def translated(program: Any, to: str, words: Any = ()) -> Any:
    with jax.enable_x64(True):
        return tl.transpile(program, (X.copy(), *words), to=to, x64=True if to == "jax" else None)


@pytest.mark.complete
@pytest.mark.parametrize("program, to", product([*STAYING, *OTHERS], TARGETS), **NAMES)
def test_a_text_is_the_program_for_all(program, to):
    for example in words_of(program):
        if isinstance(outcome(program, "numpy", example), str):
            continue  # it gives nothing
        with jax.enable_x64(True):
            out = translated(program, to, example)
            for words in words_of(program):
                expected, found = outcome(program, "numpy", words), outcome(out, to, words)
                assert not [*compare(expected, found)], f"{words}: {found}\n{out.source}"


@pytest.mark.parametrize("program", STAYING, **NAMES)
def test_it_asks_as_the_program_does(program):
    is_the_users(program, X, "numpy")


@pytest.mark.parametrize("program, to", product([*HELD, of_other_shapes], TARGETS), **NAMES)
def test_what_asks_more_is_checked(program, to):
    with jax.enable_x64(True):
        out = translated(program, to)
        assert not [*compare(program(X), out(convert(X, to)))]
        for word in WORDS[1:]:
            try:
                found = out(convert(X, to), word)
            except AssertionError:
                continue
            assert not [*compare(program(X, word), found)], out.source


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("other", [None, 3, b"mean", ("mean",)])
def test_what_is_no_string_is_none_of_them(to, other):
    out = translated(by_statement, to)
    with jax.enable_x64(True):
        assert not [*compare(by_statement(X, other), out(convert(X, to), other))]


@pytest.mark.parametrize("to", TARGETS)
def test_without_an_example(to):
    out = tl.transpile(by_statement, to=to, x64=False if to == "jax" else None)
    assert 'if reduction == "mean"' in out.source
    for word in WORDS:
        given = convert(X.astype(np.float32), to)
        assert not [*compare(by_statement(X.astype(np.float32), word), out(given, word), kind="reduction")]


def of_jax(x, reduction="mean"):
    if reduction == "mean":
        return jnp.exp(x).mean()
    return jnp.exp(x).sum()


def of_torch(x, reduction="mean"):
    if reduction == "mean":
        return torch.exp(x).mean()
    return torch.exp(x).sum()


@functools.partial(jax.jit, static_argnames="reduction")
def compiled(x, reduction="mean"):
    if reduction == "mean":
        return jnp.exp(x).mean()
    return jnp.exp(x).sum()


OF_OTHERS = [(of_jax, "jax"), (compiled, "jax"), (of_torch, "torch")]


@pytest.mark.parametrize("program, source", OF_OTHERS, **NAMES)
@pytest.mark.parametrize("to", TARGETS)
def test_of_others(program, source, to):
    example = X.astype(np.float32)
    out = tl.transpile(program, (convert(example, source),), to=to)
    assert 'if reduction == "mean"' in out.source
    for word in WORDS:
        expected = program(convert(example, source), word)
        assert not [*compare(expected, out(convert(example, to), word), kind="reduction")], out.source
