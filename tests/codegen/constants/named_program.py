"""A program whose constants stand in a module, a class, a dict, an Enum, objects and arrays."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch


class Axis(enum.IntEnum):
    FEATURES = -1


@dataclass(frozen=True)
class Config:
    heads: int = 4  # heads of attention
    eps: float = 1e-5  # as in the paper
    dropped: float = 0.1


CONFIG = {"temperature": 0.75, "largest": 1e4}
WIDTH = 8
config = Config(heads=2)
MEAN = torch.tensor([0.485, 0.456, 0.406, 0.5, 1 / 3, 0.25, 0.125, 0.0])  # of the training set
FLOOR = np.float32(1e-3)


class Norm:
    def __init__(self, eps: float, gain: float = 1.5) -> None:
        self.eps = eps
        self.gain = gain

    def __call__(self, x: Any) -> Any:
        variance = (x * x).mean(dim=Axis.FEATURES, keepdim=True)
        return x / torch.sqrt(variance + self.eps) * self.gain


before, after = Norm(config.eps), Norm(eps=1e-6)


def attend(x: Any) -> Any:
    d_head = WIDTH // config.heads
    h = before(x - MEAN).reshape(-1, config.heads, d_head)
    scores = h @ h.mT / (math.sqrt(d_head) * CONFIG["temperature"])
    scores = torch.clamp(scores, -CONFIG["largest"], CONFIG["largest"])
    mixed = torch.softmax(scores, dim=-1) * (1 - config.dropped) @ h
    return after(mixed.reshape(-1, WIDTH)) + float(FLOOR)


X = torch.linspace(-1.0, 1.0, 24).reshape(3, 8)
