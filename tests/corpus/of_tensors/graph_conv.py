"""Message passing without a graph library."""

import torch
from torch import Tensor
from torch.nn import functional as F

LEAKY = 0.2


def add_self_loops(edge_index: Tensor, n_nodes: int) -> Tensor:
    loops = torch.arange(n_nodes, device=edge_index.device)
    return torch.cat([edge_index, loops.expand(2, -1)], dim=1)


def sym_norm(edge_index: Tensor, edge_weight: Tensor, n_nodes: int) -> Tensor:
    """The D^-1/2 A D^-1/2 normalisation, one number per edge."""
    src, dst = edge_index
    deg = edge_weight.new_zeros(n_nodes).scatter_add_(0, dst, edge_weight)
    inv_sqrt = deg.pow(-0.5)
    inv_sqrt[torch.isinf(inv_sqrt)] = 0.0  # isolated nodes
    return inv_sqrt[src] * edge_weight * inv_sqrt[dst]


def gcn_readout(
    x: Tensor,
    edge_index: Tensor,
    weights: list[tuple[Tensor, Tensor]],
    graph_id: Tensor,
    n_graphs: int,
    edge_weight: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Graph convolutions (Kipf & Welling) and a mean over each graph of the batch."""
    n = x.size(0)
    n_edges = edge_index.size(1)
    if edge_weight is None:
        edge_weight = torch.ones(n_edges, dtype=x.dtype, device=x.device)

    edge_index = add_self_loops(edge_index, n)
    edge_weight = torch.cat([edge_weight, edge_weight.new_ones(n)])
    norm = sym_norm(edge_index, edge_weight, n)
    src, dst = edge_index[0], edge_index[1]

    for i, (w, b) in enumerate(weights):
        h = x @ w
        messages = h[src] * norm.unsqueeze(-1)
        h = torch.zeros_like(h).index_add_(0, dst, messages) + b
        if i < len(weights) - 1:
            h = F.leaky_relu(h, LEAKY)
        x = h + x if h.shape == x.shape else h

    sums = x.new_zeros(n_graphs, x.size(1))
    sums.index_add_(0, graph_id, x)
    sizes = torch.bincount(graph_id, minlength=n_graphs).clamp(min=1)
    return x, sums / sizes[:, None]
