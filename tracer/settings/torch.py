"""What torch obeys."""

from __future__ import annotations

import sys
from typing import Any

from .setting import CHOICE, DTYPES, GRADIENTS, OBSERVED, PRECISION, Mode, Settings, never


def flushes() -> bool:
    """Whether the processor takes the smallest numbers for 0. Nobody else can be asked."""
    least = sys.float_info.min
    return least / 2 == 0


def bytes_of(state: Any) -> bytes:
    found: bytes = state.numpy().tobytes()
    return found


def as_state(torch: Any, value: bytes) -> Any:
    return torch.frombuffer(bytearray(value), dtype=torch.uint8)


SETTINGS = Settings(
    modes=(
        Mode("torch.autocast", lambda torch: torch._C._is_any_autocast_enabled(), None, never,
             lambda on: not on, DTYPES, "say it where it is meant: x.to(torch.bfloat16)", often=True),
        Mode("torch.set_default_dtype", lambda torch: torch.get_default_dtype(),
             lambda torch, v: torch.set_default_dtype(v), never, lambda d: str(d) == "torch.float32", DTYPES,
             "leave torch.float32 the default, and give dtypes where others are meant", often=True),
        Mode("torch.set_default_device", lambda torch: torch.get_default_device(),
             lambda torch, v: torch.set_default_device(v), never, why="where arrays are is not recorded"),
        Mode("torch.set_float32_matmul_precision", lambda torch: torch.get_float32_matmul_precision(),
             lambda torch, v: torch.set_float32_matmul_precision(v), never, why=PRECISION),
        Mode("torch.set_flush_denormal", lambda _: flushes(),
             lambda torch, v: torch.set_flush_denormal(v), never, why="it makes the smallest numbers 0"),
        Mode("torch.set_printoptions", lambda torch: dict(vars(torch._tensor_str.PRINT_OPTS)),
             lambda torch, v: vars(torch._tensor_str.PRINT_OPTS).update(v)),
        Mode("torch.set_grad_enabled", lambda torch: torch.is_grad_enabled(),
             lambda torch, v: torch._C._set_grad_enabled(v)),
        Mode("torch.use_deterministic_algorithms", lambda torch: torch.get_deterministic_debug_mode(),
             lambda torch, v: torch.set_deterministic_debug_mode(v)),
        Mode("torch.set_anomaly_enabled", lambda torch: torch.is_anomaly_enabled(),
             lambda torch, v: torch.set_anomaly_enabled(v)),
        Mode("torch.set_num_threads", lambda torch: torch.get_num_threads(),
             lambda torch, v: torch.set_num_threads(v)),
    ),
    generator=Mode(
        "torch.random",
        lambda torch: bytes_of(torch.get_rng_state()),
        lambda torch, v: torch.set_rng_state(as_state(torch, v)),
        words=("manual_seed", "seed", "set_rng_state"),
    ),
    drawing=(
        lambda value: bytes_of(value.get_state()),
        lambda value, before: value.set_state(as_state(sys.modules["torch"], before)),
    ),
    harmless={
        "torch.no_grad": GRADIENTS,
        "torch.enable_grad": GRADIENTS,
        "torch.set_grad_enabled": GRADIENTS,
        "torch.inference_mode": GRADIENTS,
        "torch.autograd.set_grad_enabled": GRADIENTS,
        "torch.autograd.set_detect_anomaly": GRADIENTS,
        "torch.autograd.detect_anomaly": GRADIENTS,
        "torch.autograd.set_multithreading_enabled": GRADIENTS,
        "torch.autograd.graph.saved_tensors_hooks": GRADIENTS,
        "torch.autograd.graph.save_on_cpu": GRADIENTS,
        "torch.autograd.graph.disable_saved_tensors_hooks": GRADIENTS,
        "torch.autograd.profiler.profile": OBSERVED,
        "torch.autograd.profiler.record_function": OBSERVED,
        "torch.profiler.profile": OBSERVED,
        "torch.profiler.record_function": OBSERVED,
        "torch.random.fork_rng": "the random numbers drawn in it are refused or put back",
        "torch.backends.mkldnn.flags": CHOICE,
        "torch.backends.cudnn.flags": CHOICE,
        "torch.backends.mkl.verbose": OBSERVED,
        "torch.nn.attention.sdpa_kernel": CHOICE,
    },
    setting=frozenset(
        """torch.autocast torch.amp.autocast torch.cpu.amp.autocast torch.cuda.amp.autocast""".split()
    ),
)  # fmt: skip
