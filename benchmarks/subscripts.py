"""A Subscript check: under 2 microseconds."""

from __future__ import annotations

from common import best, figure

from tracelate.ir.subscript import create_subscript_p


def main() -> None:
    check = create_subscript_p("A[~ i j] B[~ j k] -> C[~ i k]")[0]
    shapes = [(2, 3, 4), (2, 4, 9)]
    check(shapes)
    figure(
        "a check of A[~ i j] B[~ j k] -> C[~ i k]",
        1e6 * best(lambda: check(shapes), number=20_000),
        2.0,
        "µs",
    )


if __name__ == "__main__":
    main()
