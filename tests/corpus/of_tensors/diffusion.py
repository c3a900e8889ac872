# Toy diffusion / flow models on vectors. The network is an MLP given as a list of
# (weight, bias) pairs, which is enough for two moons and swiss rolls.

import math

import torch
import torch.nn.functional as F

T_MAX = 200  # training timesteps
COSINE_S = 0.008
MAX_BETA = 0.999
CLIP_X0 = 3.0  # the data are standardised, three sigmas is plenty


def time_embedding(t, dim=16, max_period=10000.0):
    """Sinusoidal embedding of (fractional) times, shape (len(t), dim)."""
    half = dim // 2
    freqs = torch.exp(
        -math.log(max_period) * torch.arange(half, device=t.device) / half
    )
    args = t.float().unsqueeze(-1) * freqs
    emb = torch.cat([torch.cos(args), torch.sin(args)], dim=-1)
    if dim % 2 == 1:
        emb = F.pad(emb, (0, 1))
    return emb


def mlp(layers, h):
    for i, (w, b) in enumerate(layers):
        h = h @ w + b
        if i < len(layers) - 1:
            h = F.silu(h)
    return h


def cosine_alpha_bar(n=T_MAX, device=None):
    """Cumulative product of the alphas under the cosine schedule."""
    x = torch.linspace(0, n, n + 1, dtype=torch.float64, device=device) / n
    f = torch.cos((x + COSINE_S) / (1 + COSINE_S) * math.pi / 2) ** 2
    betas = (1 - f[1:] / f[:-1]).clamp(max=MAX_BETA)
    return torch.cumprod(1 - betas, dim=0).float()


def ddim_sample(x, layers, noises=None, n_steps=10, eta=0.0):
    """Run the DDIM sampler from pure noise.

    x: (B, D), standard normal
    layers: the noise predictor, takes [x, emb(t)]
    noises: (n_steps, B, D), needed only when eta > 0
    eta: 0 is deterministic DDIM, 1 is (strided) DDPM
    """
    alpha_bar = cosine_alpha_bar(device=x.device)
    steps = torch.linspace(T_MAX - 1, 0, n_steps, device=x.device).round().long()
    steps = steps.tolist() + [-1]

    x0 = x
    for i, (t, t_prev) in enumerate(zip(steps[:-1], steps[1:])):
        a_t = alpha_bar[t]
        a_prev = alpha_bar[t_prev] if t_prev >= 0 else torch.ones_like(a_t)

        tt = torch.full((x.shape[0],), t, device=x.device)
        eps = mlp(layers, torch.cat([x, time_embedding(tt)], dim=1))

        x0 = (x - (1 - a_t).sqrt() * eps) / a_t.sqrt()
        x0 = x0.clamp(-CLIP_X0, CLIP_X0)
        eps = (x - a_t.sqrt() * x0) / (1 - a_t).sqrt()  # consistent with the clip

        sigma = eta * ((1 - a_prev) / (1 - a_t) * (1 - a_t / a_prev)).sqrt()
        x = a_prev.sqrt() * x0 + (1 - a_prev - sigma**2).clamp(min=0).sqrt() * eps
        if noises is not None and t_prev >= 0:
            x = x + sigma * noises[i]

    return x, x0


def flow_matching_loss(x1, noise, t, layers, cond=None, keep=None, sigma_min=1e-4):
    """Conditional flow matching with the optimal-transport path.

    The batch is (B, D), t is (B,) in [0, 1]. `keep` is the bool mask of the
    examples that keep their conditioning (classifier-free guidance dropout).
    """
    t_ = t[:, None]
    x_t = (1 - (1 - sigma_min) * t_) * noise + t_ * x1
    target = x1 - (1 - sigma_min) * noise

    inputs = [x_t, time_embedding(1000 * t)]
    if cond is not None:
        if keep is not None:
            cond = torch.where(keep[:, None], cond, torch.zeros_like(cond))
        inputs.append(cond)

    v = mlp(layers, torch.cat(inputs, dim=-1))
    per_example = F.mse_loss(v, target, reduction="none").mean(dim=1)
    return per_example.mean(), per_example
