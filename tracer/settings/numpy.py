"""What NumPy obeys."""

from __future__ import annotations

from typing import Any

from .setting import ERRORS, Mode, Settings


def quiet(settings: dict[str, str]) -> bool:
    """Whether NumPy goes on after errors of floats."""
    return set(settings.values()) <= {"ignore", "warn"}


def plain(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "override_repr"}


def comparable(value: Any) -> tuple[Any, ...]:
    """The state of random numbers, fit to be compared."""
    kind, keys, *rest = value
    return (kind, tuple(keys.tolist()), *rest)


def state(value: Any) -> Any:
    return value.bit_generator.state if hasattr(value, "bit_generator") else value.get_state()


def put(value: Any, before: Any) -> None:
    if hasattr(value, "bit_generator"):
        value.bit_generator.state = before
    else:
        value.set_state(before)


SETTINGS = Settings(
    modes=(
        Mode("np.errstate", lambda np: np.geterr(), lambda np, v: np.seterr(**v), quiet, why=ERRORS,
             hint="ask for the numbers that are meant: np.isfinite(x).all()", often=True),
        Mode("np.set_printoptions", lambda np: plain(np.get_printoptions()),
             lambda np, v: np.set_printoptions(**v)),
    ),
    generator=Mode(
        "np.random",
        lambda np: comparable(np.random.get_state()),
        lambda np, v: np.random.set_state(v),
    ),
    drawing=(state, put),
    setting=frozenset({"numpy.errstate", "numpy.printoptions"}),
)  # fmt: skip
