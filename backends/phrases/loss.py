"""How losses are said. Same order as in ir/ops/loss.py. Only torch has words for them."""

from __future__ import annotations

from ...ir.ops import loss as l
from ..rows import say

F = "torch.nn.functional"
WEIGHTS = (", weight=weight", "")

# fmt: off
#    op                  numpy jax   torch
say( l.mse_loss,          None, None, f"{F}.mse_loss(x, target, reduction=reduction)")
say( l.l1_loss,           None, None, f"{F}.l1_loss(x, target, reduction=reduction)")
say( l.smooth_l1_loss,    None, None, f"{F}.smooth_l1_loss(x, target, reduction=reduction, beta=beta)")
say( l.huber_loss,        None, None, f"{F}.huber_loss(x, target, reduction=reduction, delta=delta)")
say( l.binary_cross_entropy,
                          None, None, tuple(f"{F}.binary_cross_entropy(x, target{given}, reduction=reduction)" for given in WEIGHTS))
say( l.binary_cross_entropy_with_logits,
                          None, None, tuple(f"{F}.binary_cross_entropy_with_logits(x, target{given}{positive}, reduction=reduction)"
                                            for given in WEIGHTS for positive in (", pos_weight=pos_weight", "")))
say( l.kl_div,            None, None, f"{F}.kl_div(x, target, reduction=reduction, log_target=log_target)")
say( l.nll_loss,          None, None, tuple(f"{F}.nll_loss(x, target{given}, ignore_index=ignore_index, reduction=reduction)" for given in WEIGHTS))
say( l.cross_entropy,     None, None, tuple(f"{F}.cross_entropy(x, target{given}, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing)"
                                            for given in WEIGHTS))
# fmt: on
