"""Programs that walk along a sequence and carry a state: a Kalman filter, an LSTM, and a beam search."""

import jax
import jax.numpy as jnp
import numpy as np
import torch


def kalman_filter(observations, model, belief):
    """Follow a hidden state through `observations`, of which some are missing (NaN).

    `belief` is the mean and covariance before the first. Returns both after every step, and the
    log-likelihood.
    """
    mean, covariance = belief
    means, covariances = [], []
    likelihood = 0.0
    for observation in observations:
        mean = model["motion"] @ mean
        covariance = model["motion"] @ covariance @ model["motion"].T + model["motion noise"]
        if jnp.all(jnp.isfinite(observation)):
            surprise = observation - model["sensor"] @ mean
            spread = model["sensor"] @ covariance @ model["sensor"].T + model["sensor noise"]
            gain = jnp.linalg.solve(spread, model["sensor"] @ covariance).T
            mean = mean + gain @ surprise
            covariance = covariance - gain @ spread @ gain.T
            likelihood -= 0.5 * (
                surprise @ jnp.linalg.solve(spread, surprise) + jnp.log(jnp.linalg.det(2 * jnp.pi * spread))
            )
        means.append(mean)
        covariances.append(covariance)
    return jnp.stack(means), jnp.stack(covariances), likelihood


def lstm(sequence, lengths, weights, bias):
    """A long short-term memory over `sequence` (time x batch x features); row i ends after lengths[i] steps.

    Returns what it gives at each step, and the last hidden state of each row.
    """
    size = bias.shape[0] // 4
    hidden = torch.zeros(sequence.shape[1], size)
    cell = torch.zeros(sequence.shape[1], size)
    outputs = []
    for t, x in enumerate(sequence):
        gates = torch.cat([x, hidden], dim=1) @ weights + bias
        i, f, g, o = gates.chunk(4, dim=1)
        new_cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
        new_hidden = torch.sigmoid(o) * torch.tanh(new_cell)
        running = (t < lengths)[:, None]
        cell = torch.where(running, new_cell, cell)
        hidden = torch.where(running, new_hidden, hidden)
        outputs.append(torch.where(running, new_hidden, torch.zeros_like(new_hidden)))
    return torch.stack(outputs), hidden


def beam_search(table, start, end, width, limit):
    """The likeliest sentences of at most `limit` words, where table[a, b] = log p(next is b | last is a).

    Stops early once every beam has come to the word `end`.
    """
    words = jnp.full((width, limit + 1), end)
    words = words.at[:, 0].set(start)
    scores = jnp.full(width, -jnp.inf).at[0].set(0.0)
    finished = jnp.zeros(width, dtype=bool)
    for place in range(limit):
        following = table[words[:, place]]
        silent = jnp.full(table.shape[0], -jnp.inf).at[end].set(0.0)
        following = jnp.where(finished[:, None], silent, following)
        scores, chosen = jax.lax.top_k((scores[:, None] + following).reshape(-1), width)
        beam, word = chosen // table.shape[0], chosen % table.shape[0]
        words = words[beam].at[:, place + 1].set(word)
        finished = finished[beam] | (word == end)
        if jnp.all(finished):
            break
    return words, scores


def inputs():
    """For each program, arguments that take every way through it."""
    random = np.random.default_rng(0)
    seen = np.cumsum(random.standard_normal((12, 1)), axis=0)
    gaps = seen.copy()
    gaps[[3, 4, 9]] = np.nan
    model = {
        "motion": jnp.array([[1.0, 1.0], [0.0, 1.0]]),
        "motion noise": 0.1 * jnp.eye(2),
        "sensor": jnp.array([[1.0, 0.0]]),
        "sensor noise": jnp.array([[0.5]]),
    }
    belief = jnp.zeros(2), jnp.eye(2)

    torch_random = torch.Generator().manual_seed(0)
    sequence = torch.randn(6, 3, 2, generator=torch_random)
    weights = torch.randn(6, 16, generator=torch_random)
    bias = torch.randn(16, generator=torch_random)

    table = jax.nn.log_softmax(jnp.asarray(2 * random.standard_normal((7, 7)), dtype="float32"))
    return {
        kalman_filter: [
            (jnp.asarray(gaps, dtype="float32"), model, belief),
            (jnp.asarray(seen, dtype="float32"), model, belief),
            (jnp.full((5, 1), jnp.nan), model, belief),
        ],
        lstm: [
            (sequence, torch.tensor([6, 2, 4]), weights, bias),
            (sequence[:1], torch.tensor([1, 0, 1]), weights, bias),
        ],
        beam_search: [
            (table, 0, 6, 3, 8),
            (table.at[:, 6].add(5.0), 0, 6, 3, 8),
            (table, 2, 5, 4, 5),
        ],
    }


if __name__ == "__main__":
    for program, arguments in inputs().items():
        print(program.__name__, *program(*arguments[0]), sep="\n", end="\n\n")
