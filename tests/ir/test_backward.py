"""What ops say of their gradients, added to a program one call at a time; tests/rows looks at the numbers."""

from __future__ import annotations

from typing import Any

import pytest

import tracelate as tl
from tracelate.ir.errors import GraphError, UnsupportedError
from tracelate.ir.gradients import backward
from tracelate.ir.graphs.graph import Node
from tracelate.ir.graphs.static import Scalar
from tracelate.ir.meaning.op import GRADIENTS, REGISTER, Op, gradient_of, inexact
from tracelate.ir.ops.elementwise import times
from tracelate.ir.program import Program
from tracelate.ir.sizes.dim import sym
from tracelate.ir.values import dtypes
from tracelate.ir.values.spec import Spec

N = sym("n", 3, least=0)


def array(program: Program, name: str, shape: tuple[Any, ...], dtype: str = "float32") -> Node:
    node = program.placeholder(name)
    node.spec = Spec(shape, dtypes.DTYPES[dtype])
    return node


def added(name: str, *operands: Any, without: int = -1, **params: Any) -> str:
    """What the gradient of a call adds to its program, line by line.

    Args:
        operands: shapes of arrays, in lists of bools; numbers and None.
        without: of which result nothing depends.
    """
    program = Program("fn")
    nodes = [
        array(program, letter, tuple(v), "float32" if isinstance(v, tuple) else "bool")
        if isinstance(v, (tuple, list)) else v
        for letter, v in zip("abcde", operands)
    ]  # fmt: skip
    made = program.call(REGISTER[name], *nodes, **params)
    results = made if isinstance(made, tuple) else (made,)
    g = [None if i == without else array(program, f"g{i}", r.spec.shape) for i, r in enumerate(results)]
    before = {*program.nodes}
    found = backward(program, next(n for n in program.nodes if n.target is REGISTER[name]), g)
    for operand, gradient in zip(operands, found, strict=True):
        assert gradient is None or (gradient.spec.shape, gradient.spec.dtype.name) == (operand, "float32")
    program.output(tuple(found))
    program.verify()
    skipped = len(before) - len(program.placeholders) + 1
    return "\n".join(line.partition("  #")[0].strip() for line in str(program).splitlines()[skipped:])


def test_it_adds_what_the_op_says() -> None:
    assert added("tanh", (2, 3)) == "\n".join(
        [
            "multiply = multiply(tanh, tanh)",
            "subtract = subtract(1, multiply)",
            "multiply_1 = multiply(g0, subtract)",
            "return (multiply_1,)",
        ]
    )


def test_what_broadcast_is_summed() -> None:
    assert added("add", (2, 1), (2, 3)) == "sum = sum(g0, axis=(1,), keepdims=True)\nreturn (sum, g0)"
    assert added("add", (3,), (2, 3)) == "sum = sum(g0, axis=(0,))\nreturn (sum, g0)"
    assert "axis=(0, 2), keepdims=True" in added("add", (1, 3, 1), (2, 3, 4))
    text = added("add", (3, 1), (2, 3, 4))
    assert "sum(g0, axis=(0, 2), keepdims=True)\nreshape = reshape(sum, shape=(3, 1))" in text


def test_what_has_fewer_elements_is_stretched() -> None:
    assert added("sum", (2, 3)) == "broadcast_to = broadcast_to(g0, shape=(2, 3))\nreturn (broadcast_to,)"
    assert added("sum", (2, 3), axis=-1).startswith("expand_dims = expand_dims(g0, axis=(1,))\nbroadcast_to")


def test_there_is_none_of_numbers_of_bools_and_of_what_is_absent() -> None:
    assert added("multiply", (2, 3), 2) == "multiply_1 = multiply(g0, 2)\nreturn (multiply_1, None)"
    assert added("where", [3], (3,), 1.0) == "where_1 = where(a, g0, 0)\nreturn (None, where_1, None)"
    steps = {"stride": (1,), "padding": ((0, 0),), "dilation": (1,)}
    assert added("conv", (2, 4, 9), (6, 4, 3), None, **steps).endswith(", None)")


def test_a_result_on_which_nothing_depends_counts_as_zeros() -> None:
    assert added("split", (4, 3), sections=2, without=0) == "\n".join(
        [
            "zeros_like = zeros_like(getitem, dtype=float32)",
            "concat = concat(zeros_like, g1)",
            "return (concat,)",
        ]
    )


def test_sizes_that_are_not_known_are_computed() -> None:
    assert added("mean", (N, 4)) == "\n".join(
        [
            "getattr = getattr(a, 'shape')",
            "getitem = getitem(getattr, 0)",
            "mul = mul(getitem, 4)",
            "divide = divide(g0, mul)",
            "getattr_1 = getattr(a, 'shape')",
            "broadcast_to = broadcast_to(divide, shape=getattr_1)",
            "return (broadcast_to,)",
        ]
    )
    assert added("add", (N, 4), (4,)) == "sum = sum(g0, axis=(0,))\nreturn (g0, sum)"
    assert "split = split(g0, sections=(getitem,))" in added("concat", (N, 4), (3, 4))


def test_a_power_may_be_a_number_that_the_running_program_knows() -> None:
    for operands in ("xn", "nx"):
        program = Program("fn")
        known = {"x": array(program, "x", (3,)), "n": program.placeholder("n")}
        known["n"].spec = Scalar(int)
        g = array(program, "g", (3,))
        made = program.call(REGISTER["pow"], *map(known.get, operands))
        found = backward(program, made, [g])
        program.output(tuple(found))
        program.verify()
        assert [d is not None for d in found] == [name == "x" for name in operands]
        assert ("sub(n, 1)" in str(program)) == (operands == "xn")


def test_what_is_not_spoken_of_is_refused() -> None:
    with pytest.raises(GraphError, match="floor says no gradient"):
        added("floor", (3,))
    with pytest.raises(UnsupportedError, match="the gradient of"):
        added("accumulate", (3,), (), key=(0,), how="maximum")


def test_of_integers_there_is_none_and_of_complex_numbers_it_is_refused() -> None:
    program = Program("fn")
    x, g = (array(program, name, (3,)) for name in "xg")
    z = array(program, "z", (3,), "complex64")
    whole = program.call(REGISTER["cast"], x, dtype=dtypes.int32)
    assert backward(program, whole, [None]) == [None]
    assert backward(program, program.call(REGISTER["cast"], whole, dtype=dtypes.float32), [g]) == [None]
    assert backward(program, program.call(REGISTER["add"], whole, whole), [None]) == [None, None]
    with pytest.raises(UnsupportedError, match="complex"):
        backward(program, program.call(REGISTER["multiply"], z, z), [g])


def declare(**facts: Any) -> Op:
    @tl.op("X[~] -> Y[~]", dtype=inexact, **facts)
    def tripled(x, *, by=3):  # type: ignore[no-untyped-def]
        """x so many times."""
        return times(x, by)

    return tripled


def test_an_op_of_the_users_says_its_own_until_the_dictionary_ends() -> None:
    with tl.dictionary():
        declare(gradient=lambda g, y, x, *, by: g * by)
        assert added("tripled", (3,), by=4) == "multiply = multiply(g0, 4)\nreturn (multiply,)"
        count = len(GRADIENTS)
        tanh = REGISTER["tanh"]
        tanh.gradient(lambda g, y, x: g)
        assert len(GRADIENTS) == count and added("tanh", (3,)) == "return (g0,)"
        with tl.dictionary():
            REGISTER["tripled"].gradient(lambda g, y, x, **params: g * params["by"] * 1.0)
            assert added("tripled", (3,)).startswith("multiply = multiply(g0, 3)\nmultiply_1")
        assert added("tripled", (3,)).startswith("multiply = multiply(g0, 3)\nreturn")
    assert added("tanh", (3,)).count("multiply") > 1


def test_an_op_that_is_declared_again_says_it_again() -> None:
    with tl.dictionary():
        first = declare(gradient=lambda g, y, x: g * 3)
        again = declare()
        assert gradient_of(first) is not None and gradient_of(again) is None


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda g, y: g, "too many positional arguments"),
        (lambda g, y, x, by: g, "missing a required argument: 'by'"),
        (lambda g, y, x, *, factor: g, "missing a required .*argument: 'factor'"),
    ],
)
def test_a_function_that_could_not_be_called_is_none(function: Any, message: str) -> None:
    message = f"the gradient of tripled is no function of its operands: {message}"
    with tl.dictionary(), pytest.raises(ValueError, match=message):
        declare(gradient=function)
    assert "tripled" not in REGISTER
