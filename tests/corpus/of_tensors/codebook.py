# Vector quantisation: k-means to initialise a codebook, and the VQ-VAE bottleneck.

import torch
import torch.nn.functional as F

COMMITMENT = 0.25
LAPLACE = 1e-5  # smoothing of the cluster sizes
TOL = 1e-5


def sq_dists(x, c):
    """Squared euclidean distances, (N, D) and (K, D) -> (N, K)."""
    d = x.pow(2).sum(1, keepdim=True) - 2 * x @ c.t() + c.pow(2).sum(1)
    return d.clamp_(min=0)  # rounding may give tiny negatives


def farthest_points(x, k):
    # deterministic alternative to k-means++
    centers = x.new_empty(k, x.shape[1])
    centers[0] = x.mean(dim=0)
    nearest = sq_dists(x, centers[:1]).squeeze(1)
    for j in range(1, k):
        centers[j] = x[nearest.argmax()]
        nearest = torch.minimum(nearest, sq_dists(x, centers[j : j + 1]).squeeze(1))
    return centers


def kmeans(x, k=8, max_iter=50, init=None):
    """Lloyd's algorithm until the centers stop moving.

    Returns centers (k, D), the assignment (N,) and the inertia.
    """
    centers = farthest_points(x, k) if init is None else init.clone()

    for _ in range(max_iter):
        assign = sq_dists(x, centers).argmin(dim=1)

        sums = torch.zeros_like(centers).index_add_(0, assign, x)
        counts = torch.bincount(assign, minlength=k).to(x.dtype).unsqueeze(1)
        # an empty cluster stays where it is
        new = torch.where(counts > 0, sums / counts.clamp(min=1), centers)

        shift = (new - centers).norm(dim=1).max()
        centers = new
        if shift < TOL:
            break

    dists = sq_dists(x, centers)
    assign = dists.argmin(dim=1)
    inertia = dists.gather(1, assign[:, None]).sum()
    return centers, assign, inertia


def vq_bottleneck(z, codebook, ema_count=None, ema_sum=None, decay=0.99):
    """Quantise a feature map (B, D, H, W) with a codebook (K, D).

    When the EMA buffers are given they are updated in place, and so is the
    codebook; otherwise the codebook gets its usual loss term.
    """
    b, d, h, w = z.shape
    n_codes = codebook.shape[0]

    flat = z.permute(0, 2, 3, 1).reshape(-1, d)
    codes = sq_dists(flat, codebook).argmin(dim=1)
    quant = F.embedding(codes, codebook).view(b, h, w, d).permute(0, 3, 1, 2)

    loss = COMMITMENT * F.mse_loss(z, quant.detach())
    onehot = F.one_hot(codes, n_codes).to(z.dtype)

    if ema_count is None:
        loss = loss + F.mse_loss(quant, z.detach())
    else:
        ema_count.mul_(decay).add_(onehot.sum(dim=0), alpha=1 - decay)
        ema_sum.mul_(decay).add_(onehot.t() @ flat, alpha=1 - decay)
        n = ema_count.sum()
        size = (ema_count + LAPLACE) / (n + n_codes * LAPLACE) * n
        codebook.copy_(ema_sum / size[:, None])

    # straight-through estimator
    quant = z + (quant - z).detach()

    usage = onehot.mean(dim=0)
    perplexity = torch.exp(-(usage * torch.log(usage + 1e-10)).sum())
    return {
        "quantized": quant,
        "codes": codes.view(b, h, w),
        "loss": loss,
        "perplexity": perplexity,
    }
