"""What every function of the three frameworks takes, as data: order, defaults, aliases, overloads.

Reading and writing use only this, so emission needs no framework and nothing about a call is guessed: `model`
binds calls, `data` looks names up, `live` finds functions in frameworks that run, `generate` writes the data.
"""

from .data import canonical, forms, known, names, signature, versions
from .live import NAMESPACES, callee, name_of, names_of, namespace
from .model import (
    NO_VALUE,
    REQUIRED,
    Binding,
    Overload,
    Parameter,
    Passing,
    Signature,
    SignatureError,
    Symbol,
)

__all__ = [
    "NAMESPACES",
    "NO_VALUE",
    "REQUIRED",
    "Binding",
    "Overload",
    "Parameter",
    "Passing",
    "Signature",
    "SignatureError",
    "Symbol",
    "callee",
    "canonical",
    "forms",
    "known",
    "name_of",
    "names",
    "names_of",
    "namespace",
    "signature",
    "versions",
]
