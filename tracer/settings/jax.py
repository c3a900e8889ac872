"""What JAX obeys."""

from __future__ import annotations

from typing import Any

from ..own import attribute
from .setting import CHOICE, DTYPES, ERRORS, OBSERVED, PLACED, PRECISION, Mode, Settings, never

STRICT = "what it makes an error is not one in what is emitted"


def option(name: str, why: str) -> Mode:
    """One that managers set."""
    return Mode(said(name), lambda jax: getattr(jax.config, name), inside=never, why=why)


def said(name: str) -> str:
    return f"jax.{name.removeprefix('jax_')}"


def reset(jax: Any, values: dict[str, Any]) -> None:
    for name, value in values.items():
        if jax.config.values[name] is not value:
            jax.config.update(name, value)


def called(manager: Any) -> str | None:
    """The option that a manager, or what makes it, sets."""
    state = attribute(manager, "state", manager)
    is_option = type(state).__module__ == "jax._src.config" and hasattr(state, "name")
    return said(state.name) if is_option else None


SETTINGS = Settings(
    modes=(
        option("jax_enable_x64", DTYPES),
        option("jax_default_matmul_precision", PRECISION),
        option("jax_numpy_dtype_promotion", STRICT),
        option("jax_numpy_rank_promotion", STRICT),
        option("jax_debug_nans", ERRORS),
        option("jax_debug_infs", ERRORS),
        option("jax_default_prng_impl", "random numbers are not recorded"),
        Mode("jax.config", lambda jax: dict(jax.config.values), lambda jax, values: reset(jax, values)),
    ),
    harmless={
        "jax.named_scope": OBSERVED,
        "jax._src.source_info_util.ExtendNameStackContextManager": OBSERVED,
        "jax.disable_jit": CHOICE,
        "jax.log_compiles": OBSERVED,
        "jax.check_tracer_leaks": OBSERVED,
        "jax.default_device": PLACED,
        "jax.transfer_guard": PLACED,
        "jax.transfer_guard_host_to_device": PLACED,
        "jax.transfer_guard_device_to_host": PLACED,
        "jax.transfer_guard_device_to_device": PLACED,
        "jax.explain_cache_misses": OBSERVED,
        "jax.profiler.trace": OBSERVED,
        "jax.profiler.TraceAnnotation": OBSERVED,
        "jax.profiler.StepTraceAnnotation": OBSERVED,
    },
    setting=frozenset(
        """jax.enable_x64 jax.default_matmul_precision jax.numpy_dtype_promotion jax.numpy_rank_promotion
        jax.debug_nans jax.debug_infs jax.default_prng_impl""".split()
    ),
    called=called,
)
