"""Helpers for emitted torch source."""

import torch
import torch.nn.functional as F
