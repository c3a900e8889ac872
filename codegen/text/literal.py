"""Constants as Python text: strings in black's quotes, numbers that read back as the same number.

What has no literal (inf, nan, a complex number whose signed zeros no sum gives) is refused.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

SINGLETONS = (bool, type(None))


def literal(value: object, prefer: str = '"') -> str:
    """The text of a constant. A number may begin with a minus, a complex one may be a sum.

    Raises:
        TypeError: for a value that is no constant of Python, such as a tuple or a NumPy scalar.
        ValueError: for a number without a literal.
    """
    kind = type(value)
    if kind is str:
        return enclosed(escaped(value), prefer)  # type: ignore[arg-type]
    if kind is int or kind in SINGLETONS:
        return repr(value)
    if kind is float or kind is complex:
        return _number(value)  # type: ignore[arg-type]
    if kind is bytes:
        return "b" + enclosed(repr(b'"' + value)[3:-1].replace("\\'", "'"), prefer)  # type: ignore[operator]
    if value is ...:
        return "..."
    raise TypeError(f"{kind.__name__} has no literal")


def escaped(text: str) -> str:
    """What stands between the quotes; the quotes in it are not escaped yet."""
    return repr('"' + text)[2:-1].replace("\\'", "'")


def enclosed(body: str, prefer: str = '"') -> str:
    """`body` in the quotes `prefer`, unless the others need fewer backslashes."""
    quote = min(_both(prefer), key=body.count)
    return quote + body.replace(quote, "\\" + quote) + quote


def formatted(pieces: Sequence[tuple[bool, str]], prefer: str = '"') -> str:
    """An f-string of pieces: (True, an expression in its braces) or (False, escaped text).

    Until Python 3.12 the braces must hold neither the quotes around the string nor a backslash.

    Raises:
        ValueError: where no quotes are left.
    """
    fields = "".join(text for field, text in pieces if field)
    quotes = [quote for quote in _both(prefer) if quote not in fields]
    if not quotes or "\\" in fields:
        raise ValueError(f"no f-string can show {fields}")
    plain = "".join(text for field, text in pieces if not field)
    quote = min(quotes, key=plain.count)
    body = (text if field else text.replace(quote, "\\" + quote) for field, text in pieces)
    return f"f{quote}{''.join(body)}{quote}"


def _both(prefer: str) -> str:
    return "\"'" if prefer == '"' else "'\""


def numeral(value: float | complex) -> str:
    """As people write it: 1e-5 and 1e20, where Python says 1e-05 and 1e+20."""
    return repr(value).replace("e+", "e").replace("e-0", "e-")


def _number(value: float | complex) -> str:
    parts = (value.real, value.imag)
    if not all(map(math.isfinite, parts)):
        raise ValueError(f"{value} has no literal")
    if isinstance(value, float):
        return numeral(value)
    size, real = numeral(complex(0.0, abs(value.imag))), numeral(value.real)
    for text in (size, f"-{size}", f"{real} + {size}", f"{real} - {size}"):
        if repr(ast.literal_eval(text)) == repr(value):  # equality would not tell 0.0 from -0.0
            return text
    raise ValueError(f"{value} has no literal")
