"""How losses are said. Same order as in ir/ops/loss.py. Only torch has words for them."""

from __future__ import annotations

from ...ir.ops import loss as l
from ..rows import say

# fmt: off
say(l.mse_loss,
    torch="F.mse_loss(x, target, reduction=reduction)",
    types="torch: inexact")
say(l.l1_loss,
    torch="F.l1_loss(x, target, reduction=reduction)",
    types="torch: inexact -> real")
say(l.smooth_l1_loss,
    torch="F.smooth_l1_loss(x, target, reduction=reduction, beta=beta)",
    types="torch: inexact")
say(l.huber_loss,
    torch="F.huber_loss(x, target, reduction=reduction, delta=delta)",
    types="torch: inexact, loose")
say(l.binary_cross_entropy,
    torch="""
        F.binary_cross_entropy(x, target, weight=weight, reduction=reduction)
        F.binary_cross_entropy(x, target, reduction=reduction)
    """)
say(l.binary_cross_entropy_with_logits,
    torch="""
        F.binary_cross_entropy_with_logits(x, target, weight=weight, pos_weight=pos_weight,
                                           reduction=reduction)
        F.binary_cross_entropy_with_logits(x, target, weight=weight, reduction=reduction)
        F.binary_cross_entropy_with_logits(x, target, pos_weight=pos_weight, reduction=reduction)
        F.binary_cross_entropy_with_logits(x, target, reduction=reduction)
    """,
    types="torch: loose")
say(l.kl_div,
    torch="F.kl_div(x, target, reduction=reduction, log_target=log_target)")
say(l.nll_loss,
    torch="""
        F.nll_loss(x, target, weight=weight, ignore_index=ignore_index, reduction=reduction)
        F.nll_loss(x, target, ignore_index=ignore_index, reduction=reduction)
    """)
say(l.cross_entropy,
    torch="""
        F.cross_entropy(x, target, weight=weight, ignore_index=ignore_index, reduction=reduction,
                        label_smoothing=label_smoothing)
        F.cross_entropy(x, target, ignore_index=ignore_index, reduction=reduction,
                        label_smoothing=label_smoothing)
    """,
    types="torch: float")
# fmt: on
