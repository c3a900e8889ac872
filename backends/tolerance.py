"""One table of tolerances, for check, verify and the tests: how far a translation may be from its source.

Rows are precisions, columns what was computed: `exact` (bools, ints, moved data), `elementwise` (a few
roundings), `reduction` (sums in another order) and `linalg` (factorisations). Each entry is (relative,
absolute), the absolute one for values of about 1. Frameworks round transcendental functions differently, so
elementwise is not zero.
"""

from __future__ import annotations

from ..ir.values.dtypes import DType

COLUMNS = ("exact", "elementwise", "reduction", "linalg")
TOLERANCES: dict[str, dict[str, tuple[float, float]]] = {
    dtype: dict(zip(COLUMNS, ((0, 0), *limits)))
    for dtype, limits in {
        "float16": ((2e-3, 1e-3), (1e-2, 1e-2), (5e-2, 5e-2)),
        "bfloat16": ((1.6e-2, 8e-3), (5e-2, 5e-2), (2e-1, 2e-1)),
        "float32": ((2e-6, 1e-6), (2e-5, 2e-5), (1e-3, 1e-4)),
        "float64": ((1e-14, 1e-15), (1e-12, 1e-12), (1e-9, 1e-10)),
    }.items()
}
TOLERANCES["complex64"] = TOLERANCES["float32"]
TOLERANCES["complex128"] = TOLERANCES["float64"]


def tolerance(dtype: DType, kind: str = "reduction") -> tuple[float, float]:
    """(relative, absolute) for values of this dtype; zero for bools and ints."""
    return TOLERANCES[dtype.name][kind] if dtype.name in TOLERANCES else (0, 0)
