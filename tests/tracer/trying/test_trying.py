"""`try` and `with`: what a handler could tell from a translation is refused."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate import UnsupportedError

X = np.array([[2.0, 1.0], [0.5, 3.0]])


def inverse(x):
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        return x.T


def with_jitter(x):
    jitter = 1e-6
    while True:
        try:
            return np.linalg.cholesky(x)
        except np.linalg.LinAlgError:
            x = x + jitter * np.eye(x.shape[0])
            jitter *= 10


def suppressed(x):
    y = x
    with contextlib.suppress(ValueError):
        y = np.linalg.inv(x)
    return y


def at_an_index(x):
    try:
        return x[x.argmax()]
    except IndexError:
        return x[-1]


def past_the_end(x):
    s = 0.0
    for i in range(x.shape[0]):
        try:
            s = s + x[i + 1]
        except IndexError:
            pass
    return s


def a_number(x):
    try:
        return x * int(x[0, 0])
    except (ValueError, OverflowError):
        return -x


def a_root(x):
    try:
        return x * math.sqrt(x.sum())
    except ValueError:
        return x


def of_ints(x):
    try:
        return x.astype(int) // x.astype(int)[::-1]
    except:  # noqa: E722
        return x


def helper(x):
    return np.linalg.inv(x)


def in_a_helper(x):
    y = helper(x)
    try:
        return helper(y)
    except Exception:
        return x


def two_deep(x):
    try:
        try:
            return np.linalg.inv(x)
        except KeyError:
            return x
    except (TypeError, (OSError, np.linalg.LinAlgError)):
        return x


@contextlib.contextmanager
def forgiving() -> Iterator[None]:
    try:
        yield
    except ValueError:
        pass


class Forgiving:
    def __enter__(self):
        return 2

    def __exit__(self, *details):
        return True


def in_a_generator(x):
    with forgiving():
        x = np.linalg.inv(x)
    return x


def in_a_manager(x):
    with Forgiving() as k:
        x = np.linalg.inv(x) * k
    return x


def raised_in_a_manager(x):
    with Forgiving():
        if x.sum() > 3:
            raise ValueError("too big")
    return x


VALUES = (
    inverse, with_jitter, suppressed, at_an_index, past_the_end, a_number, a_root, of_ints, in_a_helper,
    two_deep, in_a_generator, in_a_manager, raised_in_a_manager,
)  # fmt: skip


@pytest.mark.parametrize("fn", VALUES, ids=lambda fn: fn.__name__)
def test_what_hangs_on_values_is_refused(fn: Callable[[Any], Any]) -> None:
    """jnp.linalg.inv gives inf where NumPy raises, say, and no handler would run."""
    with pytest.raises(UnsupportedError, match="inside a `?(try|with)`?") as caught:
        tl.symbolic_trace(fn, (np.ones(12) if fn is past_the_end else X,)).source("jax", x64=True)
    assert caught.value.span is not None and caught.value.span.file == __file__
    told = "only the running program knows", "raises for no values"
    assert any(words in str(caught.value) for words in told)


def raised_anew(x):
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError as error:
        raise ValueError("x is not positive definite") from error


def raised_again(x):
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        if x.shape[0] > 2:
            x = x + 1
        raise


def raised_in_a_helper(x):
    return raised_anew(x @ x.T)


@pytest.mark.parametrize("fn", (raised_anew, raised_again, raised_in_a_helper), ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.usefixtures("wide")
def test_handlers_that_raise_go_on_nowhere(fn: Callable[[Any], Any], target: str) -> None:
    """Where the call raises, the program does, one exception or another."""
    x = X @ X.T
    out = tl.symbolic_trace(fn, (x,)).to(target, **({"x64": True} if target == "jax" else {}))
    given = {"numpy": x, "torch": torch.from_numpy(x), "jax": jnp.asarray(x)}[target]
    np.testing.assert_allclose(out(given), fn(x))
    if target != "jax":  # which gives nan
        with pytest.raises((np.linalg.LinAlgError, torch.linalg.LinAlgError, ValueError)):
            out(given * 0)


def caught_further_out(x):
    try:
        return raised_as_another(x)
    except KeyError:
        return x


def raised_as_another(x):
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        raise KeyError("singular") from None


def raised_or_not(x):
    for _ in range(3):
        try:
            x = np.linalg.inv(x)
        except ValueError:
            if x.shape[0] > 2:
                break
            raise
    return x


@pytest.mark.parametrize("fn", (caught_further_out, raised_or_not))
def test_what_is_raised_anew_may_be_caught(fn: Callable[[Any], Any]) -> None:
    with pytest.raises(UnsupportedError, match="inside a `?try`?"):
        tl.symbolic_trace(fn, (X,)).source("numpy")


def reshaped(x):
    try:
        return x.reshape(3, -1).sum(0)
    except ValueError:
        return x


def multiplied(x, y):
    try:
        return x @ y
    except Exception:
        return x @ y.T


def t_multiplied(x):
    with contextlib.suppress(RuntimeError, ValueError, TypeError, Exception):
        x = x @ x[:1]
    return x


def t_one_way(x):
    with Forgiving() as k:
        x = x * k
        x = x[0].cholesky() if x.sum() > 200 else x.sin()
    return x


def grouped(x):
    try:
        return x.reshape(3, -1).sum(0)
    except* ValueError:
        x = x + 1
    return x


SHAPES = (
    (reshaped, (X,)),
    (multiplied, (np.ones((3, 2)), np.ones((3, 2)))),
    (t_multiplied, (torch.ones(2, 2),)),
    (t_one_way, (torch.ones(2, 2),)),
    (grouped, (X,)),
)


@pytest.mark.parametrize("fn, args", SHAPES, ids=lambda value: getattr(value, "__name__", ""))
def test_what_hangs_on_shapes_is_refused(fn: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Arrays of other shapes do not raise."""
    with pytest.raises(tl.TraceError) as caught:
        tl.symbolic_trace(fn, args)
    assert caught.value.span is not None and caught.value.span.file == __file__


def test_what_is_refused_is_not_caught() -> None:
    def unknown(x):
        try:
            return np.set_printoptions(x)
        except Exception:
            return x

    with pytest.raises(UnsupportedError, match="np.set_printoptions"):
        tl.symbolic_trace(unknown, (X,))


def divided(x):
    try:
        k = 10 // (x.shape[0] - 2)
    except ZeroDivisionError:
        k = 0
    return x * k


def rooted(x):
    try:
        k = math.sqrt(x.shape[0] - 4)
    except ValueError:
        k = 0.0
    return x * k


@pytest.mark.parametrize("fn", (divided, rooted))
def test_sizes_that_decide_whether_something_is_raised_are_checked(fn: Callable[[Any], Any]) -> None:
    made = tl.symbolic_trace(fn, (X,)).to("numpy")
    np.testing.assert_array_equal(made(X), fn(X))
    with pytest.raises(AssertionError):
        made(np.ones((5, 2)))


def test_an_exception_that_nobody_catches_stays() -> None:
    def checked(x):
        with np.errstate(all="ignore"):
            try:
                if x.sum() > 30:
                    raise ValueError("too big")
            except KeyError:
                x = x + 1
        return x

    made = tl.symbolic_trace(checked, (X,)).to("torch")
    np.testing.assert_array_equal(made(torch.from_numpy(X)), X)
    with pytest.raises(ValueError, match="too big"):
        made(torch.from_numpy(X * 10))


def test_jax_never_raises_for_values() -> None:
    def inverse(x):
        try:
            return jnp.linalg.inv(x)
        except ValueError:
            return x

    made = tl.symbolic_trace(inverse, (jnp.asarray(X, jnp.float32),)).to("torch")
    np.testing.assert_allclose(made(torch.tensor(X, dtype=torch.float32)), np.linalg.inv(X), rtol=1e-5)


@pytest.mark.usefixtures("wide")
def test_a_bare_except_catches_nothing_of_ours() -> None:
    def turned(x):
        if x.sum() > 0:
            return -x
        return x * 2

    def caught(x):
        try:
            y = turned(x)
            for row in x:
                if row.sum() > 100:
                    break
                y = y + row
        except:  # noqa: E722
            y = x
        return y

    made = tl.symbolic_trace(caught, (X,)).to("jax", x64=True)
    for x in (X, -X, X * 50):
        np.testing.assert_allclose(made(jnp.asarray(x)), caught(x))


def test_a_generator_that_waits_inside_a_try() -> None:
    def rows(x):
        try:
            yield x[0]
            yield x[1]
        except KeyError:
            yield x

    def used(x):
        total = x[0] * 0
        for row in rows(x):
            try:
                total = total + row
            except KeyError:
                total = total * 2
        return np.linalg.inv(x) @ total

    made = tl.symbolic_trace(used, (X,)).to("torch")
    np.testing.assert_allclose(made(torch.from_numpy(X)), used(X))
