"""What is taken from astor. Importing it asks for names of `ast` that newer Pythons warn of."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from astor.code_gen import SourceGenerator, to_source  # type: ignore[import-untyped]
    from astor.op_util import Precedence, precedence_data, symbol_data  # type: ignore[import-untyped]

__all__ = ["Precedence", "SourceGenerator", "precedence_data", "symbol_data", "to_source"]
