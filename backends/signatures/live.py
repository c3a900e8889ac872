"""Names and the functions that bear them: the only place where the data meets a framework that runs.

A framework is looked at only once it has been imported, or where the caller asks to load it.
"""

from __future__ import annotations

import importlib
import os
import sys
from functools import cache

from . import users
from .data import canonical, names
from .model import SignatureError

#: Where the functions live whose names begin so: a module, or after the colon a class in it. Of a function's
#: names the one in the first of these is canonical, so the namespace that documents a function comes first.
NAMESPACES: dict[str, dict[str, str]] = {
    "numpy": {
        "np": "numpy",
        "np.linalg": "numpy.linalg",
        "np.fft": "numpy.fft",
        "np.random": "numpy.random",
        "np.random.Generator": "numpy.random:Generator",
        "np.ndarray": "numpy:ndarray",
        "np.ufunc": "numpy:ufunc",
        "scipy.special": "scipy.special",
        "scipy.linalg": "scipy.linalg",
    },
    "jax": {
        "jnp": "jax.numpy",
        "jnp.linalg": "jax.numpy.linalg",
        "jnp.fft": "jax.numpy.fft",
        "jax": "jax",
        "jax.nn": "jax.nn",
        "jax.lax": "jax.lax",
        "jax.random": "jax.random",
        "jax.ops": "jax.ops",
        "jax.image": "jax.image",
        "jax.scipy.special": "jax.scipy.special",
        "jax.scipy.linalg": "jax.scipy.linalg",
        "jax.Array": "jax:Array",
    },
    "torch": {
        "torch.nn.functional": "torch.nn.functional",
        "torch": "torch",
        "torch.linalg": "torch.linalg",
        "torch.fft": "torch.fft",
        "torch.special": "torch.special",
        "torch.Tensor": "torch:Tensor",
    },
}


def callee(framework: str, name: str, *, load: bool = False) -> object:
    """The function of this name, in a framework that has been imported; `load` imports it.

    Raises:
        SignatureError: where the framework has no such name, or has not been imported and `load` is False.
    """
    prefix, _, last = name.rpartition(".")
    place = NAMESPACES[framework].get(prefix)
    if place is None:
        raise SignatureError(name, f"is no name in {framework}")
    holder = namespace(place, load=load)
    if holder is None:
        raise SignatureError(name, f"is not at hand: {place.partition(':')[0]} has not been imported")
    if not hasattr(holder, last):
        raise SignatureError(name, f"is not in the {framework} that is installed")
    found: object = getattr(holder, last)
    return found


def namespace(place: str, *, load: bool = False) -> object | None:
    """The module or class at `place`; None where its module has not been imported and `load` is False."""
    path, _, holder = place.partition(":")
    module = importlib.import_module(path) if load else sys.modules.get(path)
    return getattr(module, holder, None) if module and holder else module


def name_of(function: object) -> str | None:
    """The canonical name of a framework's function, ufunc or method descriptor; None where it has none."""
    found = names_of(function)
    return found[0] if found else None


def names_of(function: object) -> tuple[str, ...]:
    """Every name by which this object can be reached, the canonical one first; () where it has none."""
    _look_around()
    found = _names.get(id(function), [])
    if not found and _wrapped_by_torch(function):
        found = _names.get(id(getattr(function, "__wrapped__", None)), [])
    return tuple(dict.fromkeys([canonical(found[0]), *found])) if found else users.names_of(function)


def _wrapped_by_torch(function: object) -> bool:
    """Whether torch put another function in this one's place, as it does once torch._dynamo is imported."""
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    return any(os.path.join("torch", part) in file for part in ("_compile.py", "_dynamo"))


#: The names of the functions in every namespace seen so far. By identity: frameworks keep their functions
#: alive, and equality says too much (torch.mm == torch.dsmm, since one C function runs behind both).
_names: dict[int, list[str]] = {}
_seen: set[str] = set()
_modules = 0


def _look_around() -> None:
    """Look through every namespace that was imported since the last call."""
    global _modules
    if len(sys.modules) == _modules:
        return
    _modules = len(sys.modules)
    for framework, places in NAMESPACES.items():
        for prefix, place in places.items():
            if prefix not in _seen and (holder := namespace(place)) is not None:
                _seen.add(prefix)
                for last in _words(framework).get(prefix, ()):
                    if (found := getattr(holder, last, None)) is not None:
                        _names.setdefault(id(found), []).append(f"{prefix}.{last}")


@cache
def _words(framework: str) -> dict[str, list[str]]:
    """The names of each namespace, without their prefix."""
    grouped: dict[str, list[str]] = {}
    for name in names(framework):
        prefix, _, last = name.rpartition(".")
        grouped.setdefault(prefix, []).append(last)
    return grouped
