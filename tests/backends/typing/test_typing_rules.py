"""What of backends/typing no table of ops shows: exactness, unknowns, `dtype=`, creation."""

import itertools

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import torch
from typing_cases import array, scalar

from tracelate.backends.typing import NoTyping, Operand, Typing, typing
from tracelate.ir.values import dtypes
from tracelate.ir.values.dtypes import DTYPES

pytestmark = pytest.mark.filterwarnings("ignore")
FRAMEWORKS = ("numpy", "jax", "torch")


def computed(operands, op="less"):
    """The compute dtypes of a comparison in the three frameworks."""
    return [typing(framework, "compare", operands, op=op, x64=False).compute.name for framework in FRAMEWORKS]


def test_a_float_beside_an_int_is_compared_in_float64_by_numpy_alone():
    assert computed([array("int64"), array("float32")]) == ["float64", "float32", "float32"]
    x, y = np.array([16777217]), np.float32([16777216])
    assert not (x == y).any()
    assert (jnp.asarray(x) == jnp.asarray(y)).all() and (torch.tensor(x) == torch.tensor(y)).all()

    assert computed([array("int32"), scalar(16777216.5)]) == ["float64", "float32", "float32"]
    x = np.array([16777217], "int32")
    assert (x > 16777216.5).all()
    assert not (jnp.asarray(x) > 16777216.5).any() and not (torch.tensor(x) > 16777216.5).any()


def test_an_int_that_does_not_fit_is_wrapped_by_all_but_numpy():
    assert computed([array("uint8"), scalar(-1)]) == ["int16", "uint8", "uint8"]
    assert computed([array("uint8"), scalar(300)]) == ["int16", "uint8", "uint8"]
    x = np.array([0, 255], "uint8")
    assert (x < 300).all()
    assert (jnp.asarray(x) < 300).tolist() == (torch.tensor(x) < 300).tolist() == [True, False]


def test_numpy_compares_integers_exactly():
    signed, unsigned, unknown = array("int64"), array("uint64"), Operand(0, dtypes.int64, "python")
    exact = Typing(None, dtypes.bool_, exact=True)
    assert typing("numpy", "compare", [signed, unsigned], op="less") == exact
    assert typing("numpy", "compare", [unsigned, scalar(-1)], op="less") == exact
    assert typing("numpy", "compare", [signed, scalar(2**70)], op="less") == exact
    assert np.less(np.array([2**53]), np.array([2**53 + 1], "uint64")).all()  # in float64 they are equal
    # A Python int that is not known may be any int64 when compared; when added it must fit.
    assert typing("numpy", "compare", [array("int32"), unknown], op="less").compute is dtypes.int64
    assert typing("numpy", "compare", [unsigned, unknown], op="less") == exact
    assert typing("numpy", "promote", [array("uint8"), unknown], op="add").compute is dtypes.uint8


def test_torch_keeps_a_scalar_in_float32_beside_half():
    kept = Typing(dtypes.float32, dtypes.bfloat16)
    for op in ("multiply", "divide", "floor_divide"):
        assert typing("torch", "promote", [array("bfloat16"), scalar(0.1)], op=op) == kept
        assert typing("torch", "promote", [array("bfloat16"), array("float64", rank=0)], op=op) == kept
    assert typing("torch", "promote", [array("bfloat16"), scalar(0.1)], op="add").compute is dtypes.bfloat16
    x = torch.arange(1, 200).to(torch.bfloat16)
    assert torch.equal(x * 0.1, (x.float() * 0.1).bfloat16())
    assert not torch.equal(x * 0.1, x * torch.full_like(x, 0.1))


def test_jax_makes_the_default_float_of_the_angle_of_a_float_without_axes():
    for rank, result in ((0, "float32"), (1, "float16")):
        assert typing("jax", "real", [array("float16", rank)], op="angle", x64=False).result.name == result
        assert jnp.angle(jnp.ones((1,) * rank, "float16")).dtype == result
    with pytest.raises(NoTyping, match="depends on ranks"):
        typing("jax", "real", [array("float16", None)], op="angle")


def test_what_is_looked_at_as_another_dtype_may_be_0():
    x, number = array("uint8"), scalar(256)
    with pytest.raises(NoTyping, match="256 as uint8, where it is 0"):
        typing("jax", "bool", [x, number], op="logical_or")
    with pytest.raises(NoTyping, match="rounds what has no axes to uint8"):
        typing("torch", "bool", [x, array("int64", 0)], op="logical_or")
    with pytest.raises(NoTyping, match="rounds what has no axes to bfloat16"):
        typing("torch", "bool", [array("float16", 0), array("bfloat16")], op="logical_or")
    assert not jnp.logical_or(jnp.zeros(1, "uint8"), 256)
    assert not torch.logical_or(torch.zeros(1, dtype=torch.uint8), torch.tensor(256))
    assert np.logical_or(np.zeros(1, "uint8"), 256)


def test_numpy_calls_all_close_to_a_number_that_its_dtype_does_not_hold():
    with pytest.raises(NoTyping, match="overflows beside"):
        typing("numpy", "compare", [array("float16"), scalar(2**53)], op="isclose")
    assert np.isclose(np.ones(1, "float16"), 2**53)


def test_unknown_ranks_matter_in_torch_where_the_kinds_agree():
    vague = Operand(None, dtypes.float64)
    assert typing("torch", "promote", [vague, array("float64")], op="add").result is dtypes.float64
    assert typing("torch", "promote", [vague, array("int64")], op="add").result is dtypes.float64
    assert typing("numpy", "promote", [vague, array("float32")], op="add").result is dtypes.float64
    with pytest.raises(NoTyping, match="depends on ranks that are not known: give args="):
        typing("torch", "promote", [vague, array("float32")], op="add")
    assert (torch.tensor(1.0, dtype=torch.float64) + torch.ones(1)).dtype is torch.float32
    assert (torch.ones(1, dtype=torch.float64) + torch.ones(1)).dtype is torch.float64


def test_unknown_dtypes_matter_where_the_result_depends_on_them():
    for framework in FRAMEWORKS:
        assert typing(framework, "index", [array(None)], op="argmax") == Typing(None, dtypes.int64)
        assert typing(framework, "bool", [Operand(None, None)], op="isnan") == Typing(None, dtypes.bool_)
        with pytest.raises(NoTyping, match="dtypes that are not known: give args="):
            typing(framework, "promote", [array(None), array("int8")], op="add")
    with pytest.raises(NoTyping, match="torch has no subtract of bool"):
        typing("torch", "promote", [Operand(None, dtypes.bool_)] * 2, op="subtract")


def name(result):
    return str(result.dtype).removeprefix("torch.")


def refused(make, by=Exception):
    """The dtype that comes out, None where the framework, or the rules by NoTyping, refuse."""
    try:
        return make()
    except by:
        return None


@pytest.mark.parametrize("op", ["sum", "cumulative_sum", "mean"])
@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_explicit_dtype(op, framework):
    def theirs(of, to):
        if framework == "torch":
            kwargs = {"dtype": getattr(torch, to), **({"dim": 0} if op == "cumulative_sum" else {})}
            return name(
                getattr(torch, op.replace("cumulative_", "cum"))(
                    torch.ones(2).to(getattr(torch, of)), **kwargs
                )
            )
        return name(getattr(np, op.replace("cumulative_", "cum"))(np.ones(2, of), dtype=to))

    cls = "mean" if op == "mean" else "widen"
    for of, to in itertools.product(DTYPES, repeat=2):
        if framework == "numpy" and "bfloat16" in (of, to):
            continue
        mine = refused(
            lambda: typing(framework, cls, [array(of)], op=op, dtype=DTYPES[to]).result.name, by=NoTyping
        )
        if op == "mean" and not DTYPES[to].is_inexact:
            assert mine is None  # NumPy divides integers there, torch refuses
        else:
            assert mine == refused(lambda: theirs(of, to)), (of, to)


def test_explicit_dtype_in_jax():
    for to in ("int8", "float16", "float64", "complex128"):
        for x64 in (False, True):
            with jax.enable_x64(x64):
                total = jnp.sum(jnp.ones(2, "int16"), dtype=to)
            found = typing("jax", "widen", [array("int16")], op="sum", dtype=DTYPES[to], x64=x64)
            assert (found.result.name, found.weak) == (total.dtype.name, total.weak_type)


def test_explicit_dtype_of_a_ufunc_is_no_kind_back():
    for of, to in itertools.product(DTYPES, repeat=2):
        if "bfloat16" not in (of, to):
            mine = refused(
                lambda: typing("numpy", "inexact", [array(of)], op="sin", dtype=DTYPES[to]).result.name,
                by=NoTyping,
            )
            assert mine == refused(lambda: name(np.sin(np.ones(1, of), dtype=to))), (of, to)


def test_creation():
    def made(framework, *values, **kwargs):
        found = typing(framework, "free", [scalar(value) for value in values], op="full", **kwargs)
        return found.result.name, found.weak

    for value in (True, 2, 1.5, 2j):
        assert made("numpy", value) == (name(np.full(2, value)), False)
        assert made("torch", value) == (name(torch.full((2,), value)), False)
        for x64 in (False, True):
            with jax.enable_x64(x64):
                full = jnp.full(2, value)
            assert made("jax", value, x64=x64) == (full.dtype.name, full.weak_type and value is not True)
    assert [made(framework)[0] for framework in FRAMEWORKS] == ["float64", "float64", "float32"]
    assert made("jax", x64=False) == ("float32", False)
    assert made("jax", 1.5, x64=False, dtype=dtypes.int64) == ("int32", False)


def test_negative_powers_of_integers_are_refused():
    for framework in FRAMEWORKS:
        with pytest.raises(NoTyping):
            typing(framework, "power", [array("int32"), scalar(-1)], op="pow")
        assert typing(framework, "power", [array("float32"), scalar(-1)], op="pow").result is dtypes.float32


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("op", ["sum", "mean"])
def test_a_compute_dtype_of_a_sum_means_the_same_everywhere(op, dtype):
    """All add float16 up in float32; NumPy adds bfloat16 up in bfloat16, so it is refused there."""
    data = np.random.default_rng(0).random(4000).astype("float32")
    data = data.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    exact = getattr(np, op)(data.astype("float64"))
    tensor = torch.tensor(data.astype("float64")).to(getattr(torch, dtype))
    with jax.enable_x64(True):
        found = {
            "jax": getattr(jnp, op)(jnp.asarray(data)),
            "torch": getattr(torch, op)(tensor),
            "numpy": getattr(np, op)(data),
        }
    close = {framework: np.isclose(float(value), exact, rtol=1e-2) for framework, value in found.items()}
    accepted = {
        framework: refused(lambda: typing(framework, "mean", [array(dtype)], op=op)) is not None
        for framework in found
    }
    assert accepted == close
