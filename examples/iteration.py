"""Iterations that stop when the numbers say so: they converge, stop improving, or run out of work."""

import numpy as np
import torch


def kepler(anomaly, eccentricity, tolerance=1e-12):
    """The eccentric anomaly E with E - eccentricity * sin(E) = anomaly, by Newton's method."""
    angle = np.where(eccentricity > 0.8, np.pi, anomaly)
    rounds = 0
    while True:
        error = angle - eccentricity * np.sin(angle) - anomaly
        if np.max(np.abs(error)) < tolerance:
            break
        angle = angle - error / (1 - eccentricity * np.cos(angle))
        rounds += 1
    return angle, rounds


def k_means(points, centres, limit=100):
    """Lloyd's algorithm: the centres, which of them each point belongs to, and the rounds it took.

    A centre that no point belongs to stays where it is.
    """
    centres = centres.copy()
    labels = np.full(len(points), -1)
    for round in range(limit):
        distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=-1)
        nearest = distances.argmin(axis=1)
        if np.all(nearest == labels):
            return centres, labels, round
        labels = nearest
        for k in range(len(centres)):
            mine = labels == k
            if mine.any():
                centres[k] = (points * mine[:, None]).sum(axis=0) / mine.sum()
    return centres, labels, limit


def logistic_regression(x, y, held_x, held_y, rate=0.1, patience=5, limit=200):
    """Adam on the log-likelihood, until the held-out loss has not fallen for `patience` rounds.

    Returns the best weights, the loss that they had, and the number of rounds.
    """
    start = torch.zeros(x.shape[1])
    state = {"weights": start, "mean": start, "square": start}
    best = start
    lowest = torch.tensor(float("inf"))
    waited = 0
    for step in range(limit):
        slope = x.T @ (torch.sigmoid(x @ state["weights"]) - y) / len(y)
        mean = 0.9 * state["mean"] + 0.1 * slope
        square = 0.999 * state["square"] + 0.001 * slope**2
        spread = torch.sqrt(square / (1 - 0.999 ** (step + 1)))
        change = mean / (1 - 0.9 ** (step + 1)) / (spread + 1e-8)
        state = {"weights": state["weights"] - rate * change, "mean": mean, "square": square}

        loss = torch.nn.functional.binary_cross_entropy_with_logits(held_x @ state["weights"], held_y)
        waited += 1
        if loss < lowest:
            best, lowest, waited = state["weights"], loss, 0
        if waited == patience:
            break
    return best, lowest, step + 1


def mandelbrot(real, imaginary, limit):
    """How many steps each point of the grid stays within the circle of radius 2; `limit` at most."""
    c = real[None, :] + 1j * imaginary[:, None]
    z = np.zeros_like(c)
    steps = np.zeros(c.shape, dtype=np.int64)
    inside = np.ones(c.shape, dtype=bool)
    for _ in range(limit):
        z = np.where(inside, z * z + c, z)
        inside &= np.abs(z) <= 2
        if np.all(~inside):
            break
        steps += inside
    return steps


def inputs():
    """For each program, arguments that take every way through it."""
    random = np.random.default_rng(0)
    torch_random = torch.Generator().manual_seed(0)

    cloud = np.concatenate([centre + random.standard_normal((20, 2)) for centre in ([0, 0], [5, 0], [0, 5])])
    far = np.array([[0.5, 0.5], [4.0, 1.0], [50.0, 50.0]])

    x = torch.randn(60, 3, generator=torch_random)
    y = (x @ torch.tensor([2.0, -1.0, 0.5]) + 0.5 * torch.randn(60, generator=torch_random) > 0).float()
    noise = (torch.rand(60, generator=torch_random) > 0.5).float()
    return {
        kepler: [
            (np.linspace(0.1, 3, 7), np.array(0.3)),
            (np.linspace(0.1, 3, 7), np.array(0.95)),
            (np.zeros(4), np.array(0.1)),
        ],
        k_means: [(cloud, cloud[:3]), (cloud[::2], far), (cloud, cloud[:4] + 1), (cloud, cloud[:3], 2)],
        logistic_regression: [
            (x[:40], y[:40], x[40:], y[40:]),
            (x[:40], noise[:40], x[40:], noise[40:]),
            (x[:40], y[:40], x[40:], 1 - y[40:]),
        ],
        mandelbrot: [
            (np.linspace(-2, 1, 12), np.linspace(-1, 1, 9), 30),
            (np.linspace(1, 2, 5), np.linspace(1, 2, 4), 30),
            (np.linspace(-2, 1, 12), np.linspace(-1, 1, 9), 3),
        ],
    }


if __name__ == "__main__":
    for program, arguments in inputs().items():
        print(program.__name__, *program(*arguments[0]), sep="\n", end="\n\n")
