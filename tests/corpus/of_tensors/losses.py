import torch
import torch.nn.functional as F
from torch import Tensor

EPS = 1e-6  # avoids 0 / 0 for empty masks
MAX_LOGIT_SCALE = 100.0
DICE_SMOOTH = 1.0


# --- contrastive ---------------------------------------------------------------


def info_nce(
    img: Tensor,
    txt: Tensor,
    log_scale: Tensor,
    queue: Tensor | None = None,
    symmetric: bool = True,
) -> dict[str, Tensor]:
    """CLIP-like InfoNCE loss on paired embeddings.

    Row i of `img` belongs with row i of `txt`. Rows of `queue`, if any, are extra
    negatives for the image side, as in MoCo.
    """
    img = F.normalize(img, dim=-1)
    txt = F.normalize(txt, dim=-1)
    scale = log_scale.exp().clamp(max=MAX_LOGIT_SCALE)

    logits = scale * img @ txt.t()
    labels = torch.arange(img.size(0), device=img.device)

    img_logits = logits
    if queue is not None:
        negatives = scale * img @ F.normalize(queue, dim=-1).t()
        img_logits = torch.cat([logits, negatives], dim=1)

    loss = F.cross_entropy(img_logits, labels)
    if symmetric:
        loss = 0.5 * (loss + F.cross_entropy(logits.t(), labels))

    acc = (img_logits.argmax(dim=1) == labels).float().mean()
    return {"loss": loss, "acc": acc, "scale": scale}


# --- segmentation --------------------------------------------------------------


def sigmoid_focal(logits, target, alpha=0.25, gamma=2.0):
    ce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    p = logits.sigmoid()
    p_t = p * target + (1 - p) * (1 - target)
    loss = ce * (1 - p_t) ** gamma
    if alpha >= 0:
        loss = loss * (alpha * target + (1 - alpha) * (1 - target))
    return loss


def soft_dice(probs, target, smooth=DICE_SMOOTH):
    # one value per (image, class)
    inter = (probs * target).flatten(2).sum(-1)
    total = probs.flatten(2).sum(-1) + target.flatten(2).sum(-1)
    return 1.0 - (2.0 * inter + smooth) / (total + smooth)


def focal_dice_loss(
    logits, target, ignore=None, class_weights=None, focal_weight=20.0, dice_weight=1.0
):
    """Weighted sum of focal and Dice losses for multi-label masks.

    logits and target are (B, C, H, W); ignore is a (B, H, W) bool mask of pixels
    that count for nothing. Returns (total, focal, dice).
    """
    target = target.to(logits.dtype)
    probs = logits.sigmoid()
    focal = sigmoid_focal(logits, target)

    if ignore is None:
        focal = focal.mean(dim=(2, 3))
    else:
        valid = (~ignore).unsqueeze(1).to(logits.dtype)
        probs, target = probs * valid, target * valid
        focal = (focal * valid).sum(dim=(2, 3)) / (valid.sum(dim=(2, 3)) + EPS)

    dice = soft_dice(probs, target)

    if class_weights is not None:
        w = class_weights / class_weights.sum()
        focal = (focal * w).sum(dim=1).mean()
        dice = (dice * w).sum(dim=1).mean()
    else:
        focal, dice = focal.mean(), dice.mean()

    return focal_weight * focal + dice_weight * dice, focal, dice


# --- sequences -----------------------------------------------------------------


def smoothed_sequence_loss(
    logits: Tensor,
    targets: Tensor,
    pad_id: int = 0,
    smoothing: float = 0.1,
    topk: tuple[int, ...] = (1, 5),
) -> dict[str, Tensor]:
    """Label-smoothed token cross entropy that skips padding, with metrics."""
    vocab = logits.shape[-1]
    logits, targets = logits.reshape(-1, vocab), targets.reshape(-1)

    mask = targets.ne(pad_id)
    n_tokens = mask.sum().clamp(min=1)

    log_probs = logits.log_softmax(dim=-1)
    nll = -log_probs.gather(1, targets.unsqueeze(1)).squeeze(1)
    uniform = -log_probs.mean(dim=-1)
    loss = (1.0 - smoothing) * nll + smoothing * uniform

    # padding contributes zero to every sum
    loss = loss.masked_fill(~mask, 0.0).sum() / n_tokens
    nll = nll.masked_fill(~mask, 0.0).sum() / n_tokens
    out = {"loss": loss, "perplexity": nll.exp(), "n_tokens": n_tokens}

    ranked = logits.topk(max(topk), dim=-1).indices
    hits = ranked.eq(targets[:, None]) & mask[:, None]
    for k in topk:
        out[f"acc@{k}"] = hits[:, :k].any(dim=1).sum() / n_tokens

    return out
