"""Modes and managers: each is kept, refused, or no number depends on it. None is ignored."""

from __future__ import annotations

import concurrent.futures
import contextlib
import decimal
import io
import random
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.tracer.trying.managers import HARMLESS, SETTING

X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
ARRAYS = {"numpy": X, "jax": jnp.asarray(X), "torch": torch.from_numpy(X)}
LOCK = threading.Lock()
OTHER = {"numpy": "torch", "jax": "numpy", "torch": "jax"}

#: What is entered in a program, the name in the table, and what refuses it; "" where the numbers stay.
MANAGERS = [
    (lambda: contextlib.nullcontext(), "contextlib.nullcontext", ""),
    (lambda: contextlib.suppress(KeyError), "contextlib.suppress", ""),
    (lambda: contextlib.closing(io.StringIO()), "contextlib.closing", ""),
    (lambda: contextlib.ExitStack(), "contextlib.ExitStack", ""),
    (lambda: contextlib.redirect_stdout(None), "", "redirect_stdout"),
    (lambda: warnings.catch_warnings(), "warnings.catch_warnings", ""),
    (lambda: decimal.localcontext(), "decimal.ContextManager", ""),
    (lambda: LOCK, "_thread.lock", ""),
    (lambda: threading.RLock(), "_thread.RLock", ""),
    (lambda: concurrent.futures.ThreadPoolExecutor(1), "", "ThreadPoolExecutor"),
    (lambda: open(__file__), "", ""),
    (lambda: np.errstate(all="ignore"), "numpy.errstate", ""),
    (lambda: np.errstate(all="raise"), "numpy.errstate", "np.errstate"),
    (lambda: np.errstate(divide="call", call=print), "numpy.errstate", "np.errstate"),
    (lambda: np.printoptions(precision=2), "numpy.printoptions", ""),
    (lambda: torch.autocast("cpu", torch.bfloat16), "torch.autocast", "torch.autocast"),
    (lambda: torch.autocast("cpu", enabled=False), "torch.amp.autocast", ""),
    (lambda: torch.no_grad(), "torch.no_grad", ""),
    (lambda: torch.enable_grad(), "torch.enable_grad", ""),
    (lambda: torch.inference_mode(), "torch.inference_mode", ""),
    (lambda: torch.set_grad_enabled(False), "torch.set_grad_enabled", ""),
    (lambda: torch.autograd.set_grad_enabled(True), "torch.autograd.set_grad_enabled", ""),
    (lambda: torch.autograd.set_detect_anomaly(True), "torch.autograd.set_detect_anomaly", ""),
    (lambda: torch.autograd.detect_anomaly(False), "torch.autograd.detect_anomaly", ""),
    (lambda: torch.autograd.graph.save_on_cpu(), "torch.autograd.graph.save_on_cpu", ""),
    (lambda: torch.autograd.profiler.record_function("a"), "torch.profiler.record_function", ""),
    (lambda: torch.random.fork_rng(), "torch.random.fork_rng", ""),
    (lambda: torch.backends.mkldnn.flags(enabled=False), "torch.backends.mkldnn.flags", ""),
    (lambda: torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH),
     "torch.nn.attention.sdpa_kernel", ""),
    (lambda: torch.device("meta"), "", "torch.device"),
    (lambda: torch.autograd.forward_ad.dual_level(), "", "dual_level"),
    (lambda: jax.enable_x64(True), "jax.enable_x64", "jax.enable_x64"),
    (lambda: jax.default_matmul_precision("bfloat16"), "jax.default_matmul_precision", "matmul_precision"),
    (lambda: jax.numpy_dtype_promotion("strict"), "jax.numpy_dtype_promotion", "dtype_promotion"),
    (lambda: jax.numpy_rank_promotion("raise"), "jax.numpy_rank_promotion", "rank_promotion"),
    (lambda: jax.debug_nans(True), "jax.debug_nans", "jax.debug_nans"),
    (lambda: jax.debug_infs(True), "jax.debug_infs", "jax.debug_infs"),
    (lambda: jax.disable_jit(), "jax.disable_jit", ""),
    (lambda: jax.log_compiles(False), "jax.log_compiles", ""),
    (lambda: jax.checking_leaks(), "jax.check_tracer_leaks", ""),
    (lambda: jax.named_scope("a"), "jax.named_scope", ""),
    (lambda: jax.transfer_guard("allow"), "jax.transfer_guard", ""),
    (lambda: jax.profiler.TraceAnnotation("a"), "jax.profiler.TraceAnnotation", ""),
]  # fmt: skip


def source_of(make: Callable[[], Any]) -> str:
    return next((name for name in ("jax", "torch") if name in make.__code__.co_names), "numpy")


def taken(fn: Any, source: str, refusal: str) -> None:
    """The program is refused with its line, or means the same in another framework."""
    x = ARRAYS[source]
    if not refusal:
        tl.transpile(fn, (x,), to=OTHER[source], source=source, verify=True)
        return
    with pytest.raises(tl.UnsupportedError, match=refusal) as error:
        tl.symbolic_trace(fn, (x,), source=source)
    assert "test_modes.py" in str(error.value)


def by_statement(make: Callable[[], Any]) -> Any:
    def program(x: Any) -> Any:
        with make():
            y = x @ x
        return y

    return program


def by_helper(make: Callable[[], Any]) -> Any:
    inner = by_statement(make)
    return lambda x: inner(x)


def by_stack(make: Callable[[], Any]) -> Any:
    def program(x: Any) -> Any:
        with contextlib.ExitStack() as stack:
            stack.enter_context(make())
            return x @ x

    return program


def by_hand(make: Callable[[], Any]) -> Any:
    def program(x: Any) -> Any:
        manager = make()
        manager.__enter__()
        try:
            y = x @ x
        finally:
            manager.__exit__(None, None, None)
        return y

    return program


FORMS = (by_statement, by_helper, by_stack, by_hand)


@pytest.mark.parametrize("make, name, refusal", MANAGERS)
def test_every_manager_is_kept_or_refused(make: Callable[[], Any], name: str, refusal: str) -> None:
    source = source_of(make)
    taken(by_statement(make), source, refusal)
    for form in FORMS:
        if refusal:
            taken(form(make), source, refusal)
        else:
            tl.symbolic_trace(form(make), (ARRAYS[source],), source=source)


def test_the_table_is_tested() -> None:
    tested = {name for _, name, _ in MANAGERS}
    aliases = {n for n in (HARMLESS.keys() | SETTING) - tested if n.split(".")[-1] in LIKE}
    assert HARMLESS.keys() | SETTING == tested - {""} | aliases


#: Other words for what is tested, and what differs from it in no way that matters.
LIKE = frozenset(
    """localcontext set_multithreading_enabled saved_tensors_hooks disable_saved_tensors_hooks profile
    record_function flags verbose ExtendNameStackContextManager default_device
    transfer_guard_host_to_device transfer_guard_device_to_host transfer_guard_device_to_device
    explain_cache_misses trace StepTraceAnnotation autocast default_prng_impl""".split()
)


@contextlib.contextmanager
def lowered() -> Iterator[None]:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        yield


class Lowered:
    def __enter__(self) -> None:
        self.manager = torch.autocast("cpu", dtype=torch.bfloat16)
        self.manager.__enter__()

    def __exit__(self, *error: Any) -> None:
        self.manager.__exit__(*error)


class Counted:
    def __enter__(self) -> int:
        return 3

    def __exit__(self, *error: Any) -> None:
        pass


def times(x: Any) -> Any:
    with Counted() as k:
        return x * k


@torch.autocast("cpu", dtype=torch.bfloat16)
def halved(x: Any) -> Any:
    return x @ x


@torch.no_grad()
def ungraded(x: Any) -> Any:
    return x @ x


@np.errstate(all="raise")
def raising(x: Any) -> Any:
    return x / x


@pytest.mark.parametrize("make", (lowered, Lowered))
def test_the_users_own_managers_hide_nothing(make: Any) -> None:
    for form in FORMS:
        taken(form(make), "torch", "torch.autocast")


@pytest.mark.parametrize("fn, source, refusal", [
    (halved, "torch", "torch.autocast"), (lambda x: halved(x), "torch", "torch.autocast"),
    (raising, "numpy", "np.errstate"), (ungraded, "torch", ""), (lambda x: ungraded(x), "torch", ""),
    (times, "numpy", ""),
])  # fmt: skip
def test_decorators_are_managers_too(fn: Any, source: str, refusal: str) -> None:
    taken(fn, source, refusal)


def test_what_is_printed_differently_is_refused() -> None:
    def program(x: Any) -> Any:
        with np.printoptions(precision=2):
            print(x)
        return x

    taken(program, "numpy", "printoptions")


def test_a_mode_that_the_caller_set() -> None:
    def program(x: Any) -> Any:
        return x @ x

    torch.set_default_dtype(torch.float64)
    try:
        with pytest.raises(tl.UnsupportedError, match="torch.set_default_dtype around"):
            tl.symbolic_trace(program, (ARRAYS["torch"],))
    finally:
        torch.set_default_dtype(torch.float32)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        with pytest.raises(tl.UnsupportedError, match="torch.autocast around"):
            tl.symbolic_trace(program, (ARRAYS["torch"],))
    with np.errstate(all="raise"), jax.debug_nans(True), torch.no_grad():
        for source in ARRAYS:
            taken(program, source, "")


SET = [
    (lambda x: (torch.set_default_dtype(torch.float64), x)[1], "torch", torch.get_default_dtype),
    (lambda x: (torch.set_grad_enabled(False), x)[1], "torch", torch.is_grad_enabled),
    (lambda x: (torch.use_deterministic_algorithms(True), x)[1], "torch",
     torch.are_deterministic_algorithms_enabled),
    (lambda x: (torch.set_float32_matmul_precision("medium"), x)[1], "torch",
     torch.get_float32_matmul_precision),
    (lambda x: (torch.manual_seed(3), x)[1], "torch", lambda: torch.get_rng_state().tolist()),
    (lambda x: (np.seterr(all="raise"), x)[1], "numpy", np.geterr),
    (lambda x: x * random.random(), "numpy", random.getstate),
    (lambda x: (jax.config.update("jax_enable_x64", True), x)[1], "jax", lambda: jax.config.jax_enable_x64),
    (lambda x: (jax.config.update("jax_log_compiles", True), x)[1], "jax",
     lambda: jax.config.jax_log_compiles),
]  # fmt: skip


@pytest.mark.parametrize("fn, source, read", SET)
def test_what_a_program_leaves_set_is_put_back(fn: Any, source: str, read: Callable[[], Any]) -> None:
    before = read()
    with pytest.raises(tl.UnsupportedError):
        tl.symbolic_trace(fn, (ARRAYS[source],), source=source)
    assert read() == before


def test_numbers_drawn_from_a_generator_of_ones_own_are_constants() -> None:
    taken(lambda x: x * random.Random(3).random(), "numpy", "")


def precise(x: Any) -> Any:
    torch.set_float32_matmul_precision("medium")
    y = x @ x
    torch.set_float32_matmul_precision("highest")
    return y


def by_an_attribute(x: Any) -> Any:
    torch.backends.cuda.matmul.allow_tf32 = True
    y = x @ x
    torch.backends.cuda.matmul.allow_tf32 = False
    return y


def flushing(x: Any) -> Any:
    torch.set_flush_denormal(True)
    y = x * 1e-3
    torch.set_flush_denormal(False)
    return y


def of_other_dtype(x: Any) -> Any:
    torch.set_default_dtype(torch.float64)
    y = x.sum() * torch.ones(2)
    torch.set_default_dtype(torch.float32)
    return y


def raising(x: Any) -> Any:
    before = np.seterr(all="raise")
    y = x / x.sum()
    np.seterr(**before)
    return y


def of_jax(x: Any) -> Any:
    jax.config.update("jax_default_matmul_precision", "bfloat16")
    y = x @ x
    jax.config.update("jax_default_matmul_precision", None)
    return y


@pytest.mark.parametrize(
    ("fn", "name"),
    [
        (precise, "torch.set_float32_matmul_precision"),
        (by_an_attribute, "torch.set_float32_matmul_precision"),
        (flushing, "torch.set_flush_denormal"),
        (of_other_dtype, "torch.set_default_dtype"),
        (raising, "np.seterr"),
        (of_jax, "jax.default_matmul_precision"),
    ],
)
def test_what_a_program_sets_for_some_calls_is_refused(fn: Callable[..., Any], name: str) -> None:
    source = next((s for s in ("jax", "torch") if s in fn.__code__.co_names), "numpy")
    with pytest.raises(tl.UnsupportedError) as caught:
        tl.symbolic_trace(fn, (ARRAYS[source],))
    assert name in str(caught.value) and caught.value.span is not None
    assert torch.get_float32_matmul_precision() == "highest" and torch.get_default_dtype() == torch.float32
    assert float(torch.ones(1) * 1e-40) > 0 and jax.config.jax_default_matmul_precision is None
    assert np.geterr()["divide"] == "warn"
