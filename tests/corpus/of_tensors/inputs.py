"""Example arguments for every entry function of the folder."""

from typing import Callable

import numpy as np
import torch


def _f(rng, *shape, scale=1.0):
    return torch.from_numpy((scale * rng.normal(size=shape)).astype("float32"))


def _w(rng, n_out, n_in):
    """A weight the nn.Linear way."""
    return _f(rng, n_out, n_in, scale=n_in**-0.5)


def _ones(rng, n):
    return 1.0 + _f(rng, n, scale=0.1)


def _int(rng, low, high, *shape):
    return torch.from_numpy(rng.integers(low, high, size=shape))


def _uniform(rng, *shape):
    return torch.from_numpy(rng.uniform(size=shape).astype("float32"))


def _mlp(rng, sizes):
    return [
        (_f(rng, a, b, scale=a**-0.5), _f(rng, b, scale=0.1))
        for a, b in zip(sizes[:-1], sizes[1:])
    ]


def _multi_head_attention(rng):
    params = {name: _w(rng, 16, 16) for name in ("wq", "wk", "wv", "wo")}
    params["bo"] = _f(rng, 16, scale=0.1)
    lengths = torch.tensor([7, 4])
    key_mask = torch.arange(7)[None, :] < lengths[:, None]
    return params, _f(rng, 2, 5, 16), _f(rng, 2, 7, 16), key_mask


def _sliding_window_attention(rng):
    return _f(rng, 2, 10, 36), 3, 4, 1


def _decoder_logits(rng):
    dim, kv_dim, hidden, vocab = 32, 16, 48, 23
    layers = [
        {
            "attn_norm": _ones(rng, dim),
            "wq": _w(rng, dim, dim),
            "wk": _w(rng, kv_dim, dim),
            "wv": _w(rng, kv_dim, dim),
            "wo": _w(rng, dim, dim),
            "mlp_norm": _ones(rng, dim),
            "gate": _w(rng, hidden, dim),
            "up": _w(rng, hidden, dim),
            "down": _w(rng, dim, hidden),
        }
        for _ in range(2)
    ]
    tokens = _int(rng, 0, vocab, 2, 6)
    return tokens, _f(rng, vocab, dim), layers, _ones(rng, dim)


def _ddim_sample(rng):
    # silu(x) - silu(-x) = x: a network that predicts mostly its input, as a trained
    # one does at large times
    (w1, b1), (w2, b2) = _mlp(rng, [3 + 16, 32, 3])
    eye = torch.eye(3)
    w1[:, :6], b1[:6] = 0.0, 0.0
    w1[:3, :3], w1[:3, 3:6] = eye, -eye
    w2.mul_(0.2)
    w2[:6] = 0.9 * torch.cat([eye, -eye])
    layers = [(w1, b1), (w2, b2)]
    return _f(rng, 6, 3), layers, _f(rng, 10, 6, 3), 10, 0.5


def _flow_matching_loss(rng):
    x1, noise, t = _f(rng, 8, 3), _f(rng, 8, 3), _uniform(rng, 8)
    layers = _mlp(rng, [3 + 16 + 4, 32, 3])
    keep = _uniform(rng, 8) > 0.3
    return x1, noise, t, layers, _f(rng, 8, 4), keep


def _info_nce(rng):
    img = _f(rng, 6, 16)
    txt = img + _f(rng, 6, 16, scale=0.8)
    return img, txt, torch.tensor(2.0), _f(rng, 10, 16)


def _focal_dice_loss(rng):
    target = _int(rng, 0, 2, 2, 3, 6, 5)
    logits = 1.5 * (2.0 * target - 1.0) + _f(rng, 2, 3, 6, 5)
    ignore = _uniform(rng, 2, 6, 5) < 0.2
    return logits, target, ignore, torch.tensor([1.0, 2.0, 0.5])


def _smoothed_sequence_loss(rng):
    targets = _int(rng, 1, 20, 3, 7)
    targets[1, 5:] = 0
    targets[2, 3:] = 0
    logits = _f(rng, 3, 7, 20)
    logits.scatter_add_(2, targets.unsqueeze(-1), torch.full((3, 7, 1), 2.0))
    return logits, targets


def _detect(rng):
    # three objects, with several shifted proposals of each
    centers = np.array(
        [[0.3, 0.4, 0.2, 0.3], [0.7, 0.5, 0.3, 0.4], [0.9, 0.9, 0.3, 0.3]]
    )
    boxes = np.repeat(centers, 5, axis=0) + 0.02 * rng.normal(size=(15, 4))
    logits = _f(rng, 15, 3) - 1.0
    logits[torch.arange(15), torch.arange(3).repeat_interleave(5)] += 3.0
    return torch.from_numpy(boxes.astype("float32")), logits, (48, 64)


def _adamw_step(rng):
    shapes = [(4, 6), (6,), (6, 3), (3,)]
    params = [_f(rng, *s) for s in shapes]
    grads = [_f(rng, *s) for s in shapes]
    grads[3] = None
    exp_avgs = [_f(rng, *s, scale=0.1) for s in shapes]
    exp_avg_sqs = [_f(rng, *s, scale=0.1).square() for s in shapes]
    return params, grads, exp_avgs, exp_avg_sqs, 25, 1e-2


def _lion_step(rng):
    shapes = {"in.weight": (5, 4), "in.bias": (5,), "norm.weight": (5,)}
    params, grads, momenta, ema = (
        {name: _f(rng, *s) for name, s in shapes.items()} for _ in range(4)
    )
    return params, grads, momenta, ema, 40, 1e-2


def _sample_next(rng):
    logits = _f(rng, 4, 30, scale=2.0)
    gumbel = torch.from_numpy(rng.gumbel(size=(4, 30)).astype("float32"))
    return logits, gumbel, _int(rng, 0, 30, 4, 6), 0.8, 12, 0.9, 1.2


def _beam_search(rng):
    transition = _f(rng, 11, 11, scale=1.5)
    transition[:, 0] += 1.0
    return transition, _int(rng, 1, 11, 3)


def _bilstm_classify(rng):
    def cell(n_in, hidden):
        return {
            "w_ih": _w(rng, 4 * hidden, n_in),
            "w_hh": _w(rng, 4 * hidden, hidden),
            "bias": _f(rng, 4 * hidden, scale=0.1),
        }

    layers = [{"fwd": cell(n, 6), "bwd": cell(n, 6)} for n in (5, 12)]
    head = {"query": _f(rng, 12), "w": _w(rng, 3, 12), "b": _f(rng, 3, scale=0.1)}
    return _f(rng, 3, 7, 5), layers, head, torch.tensor([7, 4, 5])


def _encode(rng):
    emb_dim, kernel = 6, 3

    def conv(c_out, c_in, k):
        return _f(rng, c_out, c_in, k, scale=(c_in * k) ** -0.5)

    blocks = []
    for c_in, c_out in [(8, 8), (8, 12), (12, 12)]:
        p = {
            "gn1_w": _ones(rng, c_in),
            "gn1_b": _f(rng, c_in, scale=0.1),
            "conv1_w": conv(c_out, c_in, kernel),
            "conv1_b": _f(rng, c_out, scale=0.1),
            "gn2_w": _ones(rng, c_out),
            "gn2_b": _f(rng, c_out, scale=0.1),
            "film_w": _w(rng, 2 * c_out, emb_dim),
            "film_b": _f(rng, 2 * c_out, scale=0.1),
            "conv2_w": conv(c_out, c_out, kernel),
            "conv2_b": _f(rng, c_out, scale=0.1),
        }
        if c_in != c_out:
            p["skip_w"] = conv(c_out, c_in, 1)
        blocks.append(p)

    stem = (conv(8, 2, 5), _f(rng, 8, scale=0.1))
    return _f(rng, 2, 2, 16), stem, blocks, _f(rng, 2, emb_dim)


def _kmeans(rng):
    means = 4.0 * rng.normal(size=(5, 3))
    x = means[rng.integers(0, 5, size=80)] + 0.5 * rng.normal(size=(80, 3))
    return torch.from_numpy(x), 5


def _vq_bottleneck(rng):
    codebook = _f(rng, 10, 4)
    count = 1.0 + 4.0 * _uniform(rng, 10)
    return _f(rng, 2, 4, 3, 5), codebook, count, codebook * count[:, None]


def _gcn_readout(rng):
    # two graphs, of 7 and 5 nodes
    first, second = rng.integers(0, 7, size=(2, 14)), rng.integers(7, 12, size=(2, 9))
    edges = torch.from_numpy(np.concatenate([first, second], axis=1))
    graph_id = torch.tensor([0] * 7 + [1] * 5)
    weights = _mlp(rng, [6, 8, 8, 3])
    return _f(rng, 12, 6), edges, weights, graph_id, 2, 0.2 + _uniform(rng, 23)


def _render(rng):
    pose = torch.eye(4)
    angle = rng.uniform(-0.3, 0.3)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    pose[:3, :3] = torch.tensor([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    pose[:3, 3] = torch.tensor([3.0 * s, 0.0, 3.0 * c])
    blobs = {
        "mean": _f(rng, 7, 3, scale=0.6),
        "log_scale": -1.2 + _f(rng, 7, scale=0.2),
        "density": 3.0 + _f(rng, 7),
        "color": _f(rng, 7, 3, scale=2.0),
    }
    return pose, blobs, _uniform(rng, 32, 80)


def _fit_predict(rng):
    x, x_test = rng.uniform(-2, 2, size=(40, 2)), rng.uniform(-2, 2, size=(15, 2))

    def truth(z):
        return np.sin(2 * z[:, 0]) + 0.5 * z[:, 1] ** 2

    y = truth(x) + 0.05 * rng.normal(size=40)
    return tuple(torch.from_numpy(a) for a in (x, y, x_test, truth(x_test)))


ENTRIES: dict[str, Callable[[np.random.Generator], tuple]] = {
    "attention.multi_head_attention": _multi_head_attention,
    "attention.sliding_window_attention": _sliding_window_attention,
    "decoder.decoder_logits": _decoder_logits,
    "diffusion.ddim_sample": _ddim_sample,
    "diffusion.flow_matching_loss": _flow_matching_loss,
    "losses.info_nce": _info_nce,
    "losses.focal_dice_loss": _focal_dice_loss,
    "losses.smoothed_sequence_loss": _smoothed_sequence_loss,
    "boxes.detect": _detect,
    "optim.adamw_step": _adamw_step,
    "optim.lion_step": _lion_step,
    "sampling.sample_next": _sample_next,
    "sampling.beam_search": _beam_search,
    "recurrent.bilstm_classify": _bilstm_classify,
    "convnet.encode": _encode,
    "codebook.kmeans": _kmeans,
    "codebook.vq_bottleneck": _vq_bottleneck,
    "graph_conv.gcn_readout": _gcn_readout,
    "rendering.render": _render,
    "kernel_regression.fit_predict": _fit_predict,
}
