import torch
import torch.nn.functional as F
from torch import Tensor

FILTER_VALUE = float("-inf")
BEAM_NEG = -1e7  # score of a beam that does not exist (yet)


def penalise_repeats(logits: Tensor, history: Tensor, penalty: float) -> Tensor:
    """Make tokens that already occurred in `history` (B, T) less likely."""
    seen = logits.gather(1, history)
    seen = torch.where(seen < 0, seen * penalty, seen / penalty)
    return logits.scatter(1, history, seen)


def top_p_mask(logits: Tensor, top_p: float, min_keep: int = 1) -> Tensor:
    # True where the token is dropped
    ordered, idx = logits.sort(dim=-1, descending=True)
    cum = ordered.softmax(dim=-1).cumsum(dim=-1)
    drop = cum > top_p
    drop[:, 1:] = drop[:, :-1].clone()  # shift: keep the token crossing the line
    drop[:, :min_keep] = False
    return torch.zeros_like(drop).scatter(1, idx, drop)


def sample_next(
    logits: Tensor,
    gumbel: Tensor,
    history: Tensor | None = None,
    temperature: float = 0.8,
    top_k: int = 0,
    top_p: float = 1.0,
    penalty: float = 1.0,
) -> tuple[Tensor, Tensor]:
    """Draw the next token by the Gumbel-max trick.

    The noise `gumbel` has the shape of `logits`, (B, V). A temperature of zero
    means greedy decoding. Returns the tokens (B,) and their filtered
    distribution (B, V).
    """
    if history is not None and penalty != 1.0:
        logits = penalise_repeats(logits, history, penalty)

    if temperature == 0:
        best = logits.argmax(dim=-1)
        return best, F.one_hot(best, logits.shape[-1]).to(logits.dtype)

    logits = logits / temperature

    if top_k > 0:
        k = min(top_k, logits.size(-1))
        kth = torch.topk(logits, k, dim=-1).values[:, -1:]
        logits = logits.masked_fill(logits < kth, FILTER_VALUE)
    if top_p < 1.0:
        logits = logits.masked_fill(top_p_mask(logits, top_p), FILTER_VALUE)

    tokens = torch.argmax(logits + gumbel, dim=-1)
    return tokens, logits.softmax(dim=-1)


def beam_search(transition, start, n_beams=3, max_len=8, eos_id=0, length_penalty=0.6):
    """Beam search under a bigram model.

    transition: (V, V) logits of the next token given the current one
    start: (B,) first tokens

    Finished beams keep emitting eos at no cost. Returns the sequences
    (B, K, max_len), best first, and their length-normalised scores (B, K).
    """
    log_p = F.log_softmax(transition, dim=-1)
    vocab, batch = log_p.size(0), start.size(0)

    seqs = start.view(batch, 1, 1).repeat(1, n_beams, 1)
    scores = log_p.new_full((batch, n_beams), BEAM_NEG)
    scores[:, 0] = 0.0  # all beams are equal at first: only one may expand
    done = torch.zeros(batch, n_beams, dtype=torch.bool, device=start.device)
    lengths = torch.ones(batch, n_beams, device=start.device)

    eos_only = log_p.new_full((vocab,), BEAM_NEG)
    eos_only[eos_id] = 0.0

    for _ in range(max_len - 1):
        step = log_p[seqs[:, :, -1]]  # (B, K, V)
        step = torch.where(done.unsqueeze(-1), eos_only, step)

        total = (scores.unsqueeze(-1) + step).view(batch, -1)
        scores, flat = total.topk(n_beams, dim=-1)
        parent, token = flat // vocab, flat % vocab

        index = parent.unsqueeze(-1).expand(-1, -1, seqs.size(-1))
        seqs = torch.cat([seqs.gather(1, index), token.unsqueeze(-1)], dim=-1)
        done = done.gather(1, parent)
        lengths = lengths.gather(1, parent) + (~done).float()
        done = done | (token == eos_id)

        if done.all():
            break

    # everyone finished early: pad with eos to a fixed width
    if seqs.size(-1) < max_len:
        seqs = F.pad(seqs, (0, max_len - seqs.size(-1)), value=eos_id)

    final = scores / lengths**length_penalty
    final, order = final.sort(dim=1, descending=True)
    seqs = seqs.gather(1, order.unsqueeze(-1).expand_as(seqs))
    return seqs, final
