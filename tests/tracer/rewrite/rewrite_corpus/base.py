"""What the corpus shares: small functions for every construct of Python, run as they are and rewritten.

`case(*calls)` gives the arguments of each call. What a function does in passing it tells `log`, in its order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CASES: list[tuple[Callable[..., Any], tuple[tuple[Any, ...], ...]]] = []
LOG: list[Any] = []


def case(*calls: tuple[Any, ...]) -> Callable[[Any], Any]:
    def register(fn: Any) -> Any:
        CASES.append((fn, calls))
        return fn

    return register


def log(value: Any, /, **named: Any) -> Any:
    LOG.append((repr(value), *named.items()) if named else repr(value))
    return value


class Loud:
    """Tells of everything that is done to it."""

    def __init__(self, name: str, truth: bool = True) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "truth", truth)

    def __repr__(self) -> str:
        return self.name

    def __bool__(self) -> bool:
        log(f"bool({self.name})")
        return self.truth

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return log(Loud(f"{self.name}.{name}"))

    def __setattr__(self, name: str, value: Any) -> None:
        log(f"{self.name}.{name} = {value!r}")

    def __delattr__(self, name: str) -> None:
        log(f"del {self.name}.{name}")

    def __getitem__(self, index: Any) -> Any:
        return log(Loud(f"{self.name}[{index!r}]"))

    def __setitem__(self, index: Any, value: Any) -> None:
        log(f"{self.name}[{index!r}] = {value!r}")

    def __delitem__(self, index: Any) -> None:
        log(f"del {self.name}[{index!r}]")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return log(Loud(f"{self.name}{args!r}{kwargs!r}"))

    def __iter__(self) -> Any:
        log(f"iter({self.name})")
        return iter([Loud(f"{self.name}0"), Loud(f"{self.name}1")])

    def __contains__(self, item: Any) -> bool:
        log(f"{item!r} in {self.name}")
        return self.truth

    def __enter__(self) -> Any:
        log(f"enter {self.name}")
        return self.name, (1, 2)

    def __exit__(self, *error: Any) -> bool:
        log(f"exit {self.name} {error[0]}")
        return self.truth

    def __format__(self, spec: str) -> str:
        return f"<{self.name}:{spec}>"


def _operator(name: str) -> Callable[..., Any]:
    def method(self: Loud, *others: Any) -> Any:
        return log(Loud(f"{name}({', '.join(map(repr, (self, *others)))})", self.truth))

    return method


for _name in (
    "add sub mul matmul truediv floordiv mod pow lshift rshift and or xor radd "
    "iadd isub imul imatmul ior lt le gt ge eq ne neg pos invert"
).split():
    setattr(Loud, f"__{_name}__", _operator(_name))

A, B, C, D = (Loud(name) for name in "abcd")
NO = Loud("no", truth=False)
