"""Tiny multilayer perceptron with a hand-written backward pass."""

import numpy as np

SMOOTHING = 0.1  # label smoothing
LEAK = 0.01


def leaky_relu(x):
    return np.where(x > 0, x, LEAK * x)


def forward(params, x):
    """Logits, plus what the backward pass needs: inputs and pre-activations."""
    inputs, pre = [], []
    for i, (w, b) in enumerate(params):
        inputs.append(x)
        x = x @ w + b
        pre.append(x)
        if i < len(params) - 1:
            x = leaky_relu(x)
    return x, inputs, pre


def smoothed_cross_entropy(logits, labels, smoothing=SMOOTHING):
    # returns the mean loss and d loss / d logits
    n, k = logits.shape
    target = np.full_like(logits, smoothing / k)
    target[np.arange(n), labels] += 1.0 - smoothing

    z = logits - logits.max(axis=1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    loss = -(target * log_p).sum(axis=1).mean()
    return loss, (np.exp(log_p) - target) / n


def loss_and_grads(params, x, labels, l2=1e-4, mean=None, std=None):
    """Regularised loss and its gradient for each ``(w, b)`` of ``params``."""
    if mean is not None:
        x = x - mean
    if std is not None:
        x = x / np.maximum(std, 1e-6)

    logits, inputs, pre = forward(params, x)
    loss, delta = smoothed_cross_entropy(logits, labels)

    grads = []
    for i in reversed(range(len(params))):
        w, _ = params[i]
        loss += 0.5 * l2 * np.sum(w**2)  # biases are not penalised
        grads.append((inputs[i].T @ delta + l2 * w, delta.sum(axis=0)))
        if i > 0:
            delta = delta @ w.T
            delta[pre[i - 1] <= 0] *= LEAK

    grads.reverse()
    return loss, grads
