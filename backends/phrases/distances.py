"""How distances are said. Same order as in ir/ops/distances.py."""

from __future__ import annotations

from ...ir.ops import distances as d
from ..rows import say

# fmt: off
say(d.cdist,
    torch="torch.cdist(x, y, p=p)  if p: known",
    types="torch: float32 float64, alike, tensors")
say(d.pdist,
    torch="F.pdist(x, p=p)         if p: known",
    types="torch: float32 float64, tensors")
# fmt: on
