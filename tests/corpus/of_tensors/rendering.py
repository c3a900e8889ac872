"""Volume rendering of a cloud of coloured Gaussian blobs."""

import torch
import torch.nn.functional as F
from torch import Tensor

NEAR, FAR = 0.5, 6.0
STOP_BELOW = 1e-3  # transmittance at which a ray counts as opaque
SUPPORT = 3.0  # blobs are cut off at this many sigmas


def camera_rays(
    height: int, width: int, focal: float, pose: Tensor
) -> tuple[Tensor, Tensor]:
    """Origins and unit directions of a pinhole camera, (H * W, 3) each."""
    ys, xs = torch.meshgrid(
        torch.arange(height, dtype=pose.dtype, device=pose.device),
        torch.arange(width, dtype=pose.dtype, device=pose.device),
        indexing="ij",
    )
    dirs = torch.stack(
        [
            (xs - 0.5 * (width - 1)) / focal,
            -(ys - 0.5 * (height - 1)) / focal,
            -torch.ones_like(xs),  # the camera looks along -z
        ],
        dim=-1,
    )
    dirs = dirs.reshape(-1, 3) @ pose[:3, :3].T
    origins = pose[:3, 3].expand_as(dirs)
    return origins, F.normalize(dirs, dim=-1)


def field(points: Tensor, blobs: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    # density and colour at (N, 3) points
    inv_scale = torch.exp(-blobs["log_scale"])
    delta = (points[:, None, :] - blobs["mean"]) * inv_scale[:, None]
    r2 = delta.square().sum(dim=-1)

    weight = F.softplus(blobs["density"]) * torch.exp(-0.5 * r2)
    weight = torch.where(r2 < SUPPORT**2, weight, 0.0)
    sigma = weight.sum(dim=-1)
    rgb = weight @ blobs["color"].sigmoid() / (sigma[:, None] + 1e-8)
    return sigma, rgb


def render(
    pose: Tensor,
    blobs: dict[str, Tensor],
    jitter: Tensor | None = None,
    size: tuple[int, int] = (8, 10),
    focal: float = 9.0,
    n_steps: int = 32,
    background: float = 1.0,
) -> dict[str, Tensor]:
    """March all rays of an image front to back.

    `jitter` in [0, 1) of shape (n_steps, H * W) moves each sample inside its
    stratum; the middle is used without it.
    """
    height, width = size
    origins, dirs = camera_rays(height, width, focal, pose)

    edges = torch.linspace(NEAR, FAR, n_steps + 1, device=pose.device)
    color = torch.zeros_like(origins)
    depth = origins.new_zeros(origins.shape[0])
    trans = torch.ones_like(depth)

    for i in range(n_steps):
        step = edges[i + 1] - edges[i]
        u = 0.5 if jitter is None else jitter[i]
        t = (edges[i] + u * step) * torch.ones_like(depth)

        sigma, rgb = field(origins + t[:, None] * dirs, blobs)
        alpha = 1.0 - torch.exp(-sigma * step)
        w = trans * alpha

        color += w[:, None] * rgb
        depth += w * t
        trans *= 1.0 - alpha
        if trans.max() < STOP_BELOW:
            break

    color = color + trans[:, None] * background
    return {
        "rgb": color.clamp(0, 1).view(height, width, 3),
        "depth": (depth + trans * FAR).view(height, width),
        "opacity": (1 - trans).view(height, width),
    }
