"""Evaluation of a classifier from labels and predicted probabilities."""

from __future__ import annotations

import numpy as np

EPS = 1e-12  # avoids 0 / 0 for classes that never occur


def confusion_matrix(y_true: np.ndarray, y_pred: np.ndarray, k: int) -> np.ndarray:
    cm = np.zeros((k, k), dtype=np.int64)
    np.add.at(cm, (y_true, y_pred), 1)  # rows are the true classes
    return cm


def average_ranks(x: np.ndarray) -> np.ndarray:
    """Ranks from 1, ties share their mean rank."""
    order = np.argsort(x, kind="stable")
    s = x[order]
    ranks = np.empty(len(x))
    i = 0
    while i < len(x):
        j = i
        while j + 1 < len(x) and s[j + 1] == s[i]:
            j += 1
        ranks[order[i : j + 1]] = 0.5 * (i + j) + 1
        i = j + 1
    return ranks


def binary_auc(positive: np.ndarray, score: np.ndarray) -> float:
    n_pos = int(positive.sum())
    n_neg = len(positive) - n_pos
    if n_pos == 0 or n_neg == 0:
        return 0.5
    rank_sum = average_ranks(score)[positive].sum()
    return (rank_sum - n_pos * (n_pos + 1) / 2) / (n_pos * n_neg)


def calibration_error(
    confidence: np.ndarray, correct: np.ndarray, n_bins: int = 10
) -> float:
    """Expected calibration error over equal-width bins."""
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    error = 0.0
    for lo, hi in zip(edges[:-1], edges[1:]):
        inside = (confidence > lo) & (confidence <= hi)
        if not inside.any():
            continue
        gap = abs(correct[inside].mean() - confidence[inside].mean())
        error += inside.mean() * gap
    return error


def classification_report(
    y_true: np.ndarray, probs: np.ndarray, n_bins: int = 10
) -> dict[str, np.ndarray | float]:
    """Per-class precision, recall, F1 and one-vs-rest AUC, and overall figures."""
    k = probs.shape[1]
    y_pred = probs.argmax(axis=1)
    cm = confusion_matrix(y_true, y_pred, k)

    tp = np.diag(cm)
    precision = tp / (cm.sum(axis=0) + EPS)
    recall = tp / (cm.sum(axis=1) + EPS)
    f1 = 2 * precision * recall / (precision + recall + EPS)
    support = cm.sum(axis=1)

    # threshold-free part
    auc = np.zeros(k)
    for c in range(k):
        auc[c] = binary_auc(y_true == c, probs[:, c])

    one_hot = np.eye(k)[y_true]
    return {
        "confusion": cm,
        "f1": f1,
        "auc": auc,
        "accuracy": tp.sum() / cm.sum(),
        "weighted_f1": np.average(f1, weights=support),
        "brier": np.mean(np.sum((probs - one_hot) ** 2, axis=1)),
        "ece": calibration_error(probs.max(axis=1), y_pred == y_true, n_bins=n_bins),
    }
