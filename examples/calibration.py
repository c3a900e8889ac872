"""Calibration of a near-infrared spectrometer: how much of a substance is in a sample, from its spectrum.

The spectra are smoothed, freed of scatter, differentiated and compressed to principal components. A ridge
regression on these predicts the content. Its penalty is chosen by cross-validation, and samples unlike the
others are flagged.
"""

import numpy as np

WINDOW = (-3, 12, 17, 12, -3)  # Savitzky and Golay: a parabola through five neighbours
PENALTIES = (0.0001, 0.001, 0.01, 0.1, 1.0)
COMPONENTS = 6
FOLDS = 5


def calibrate(spectra, content):
    """Fit `content` (per cent, one for each sample) from `spectra` (samples x wavelengths)."""
    features = slopes(without_scatter(smooth(spectra)))
    centred = features - features.mean(axis=0)
    axes, explained = principal_axes(centred)
    scores = centred @ axes
    target = content - content.mean()

    penalties = np.array(PENALTIES)
    errors = held_out_errors(scores, target, penalties)
    best = np.argsort(errors)[0]
    weights = ridge(scores.T @ scores, scores.T @ target, penalties[best])
    predicted = np.clip(scores @ weights + content.mean(), 0.0, 100.0)
    return {
        "predicted": predicted,
        "determination": 1 - np.sum((predicted - content) ** 2) / np.sum(target**2),
        "error by penalty": np.sqrt(errors),
        "penalty": penalties[best],
        "explained": explained,
        "outlier": distances(scores) > 3 * COMPONENTS,
    }


def smooth(spectra):
    """A running parabola along the wavelengths; two are lost at each end."""
    width = spectra.shape[1] - len(WINDOW) + 1
    total = np.zeros((spectra.shape[0], width))
    for offset, weight in enumerate(WINDOW):
        total += weight * spectra[:, offset : offset + width]
    return total / sum(WINDOW)


def without_scatter(spectra):
    """Each spectrum with mean 0 and deviation 1: grains of other sizes only stretch and shift it."""
    centred = spectra - spectra.mean(axis=1, keepdims=True)
    return centred / np.sqrt(spectra.var(axis=1, keepdims=True))


def slopes(spectra):
    """Central differences, in which a baseline that rises slowly is gone."""
    return (spectra[:, 2:] - spectra[:, :-2]) / 2


def principal_axes(centred):
    """The directions of largest variance, as columns, and the share of the variance that each explains."""
    covariance = centred.T @ centred / centred.shape[0]
    variances, axes = np.linalg.eigh(covariance)
    order = np.argsort(-variances)[:COMPONENTS]
    return axes[:, order], variances[order] / np.sum(variances)


def held_out_errors(scores, target, penalties):
    """Mean squared error for every penalty, where each fold is predicted from the other folds."""
    x = scores.reshape(FOLDS, -1, COMPONENTS)
    y = target.reshape(FOLDS, -1)
    gram = x.transpose(0, 2, 1) @ x
    moment = np.einsum("fnc,fn->fc", x, y)
    weights = ridge(gram.sum(axis=0) - gram, moment.sum(axis=0) - moment, penalties[:, None])
    predicted = np.einsum("fnc,pfc->pfn", x, weights)
    return np.mean((predicted - y) ** 2, axis=(1, 2))


def ridge(gram, moment, penalty):
    """The weights w with (gram + penalty * I) w = moment; all three may be stacks."""
    shrunk = gram + penalty[..., None, None] * np.eye(COMPONENTS)
    return np.linalg.solve(shrunk, moment[..., None])[..., 0]


def distances(scores):
    """How far each sample lies from the middle of all, by Mahalanobis: in units of their own spread."""
    covariance = scores.T @ scores / scores.shape[0]
    return np.sum(scores * np.linalg.solve(covariance, scores.T).T, axis=1)


def inputs(samples=60, wavelengths=120):
    """Spectra of mixtures of three substances, with scatter, baseline and noise; number 17 is spoilt."""
    random = np.random.default_rng(0)
    place = np.linspace(0, 1, wavelengths)
    bands = np.exp(-(((place - np.array([[0.3], [0.5], [0.65]])) / 0.08) ** 2))
    content = 100 * random.dirichlet([2, 2, 2], samples)
    scatter = random.uniform(0.8, 1.2, (samples, 1))
    baseline = random.uniform(0, 0.1, (samples, 1)) * place + random.uniform(0, 0.3, (samples, 1))
    noise = 0.001 * random.standard_normal((samples, wavelengths))
    spectra = scatter * (content @ bands / 100) + baseline + noise
    spectra[17] += 0.2 * np.exp(-(((place - 0.85) / 0.03) ** 2))
    return spectra, content[:, 0]


if __name__ == "__main__":
    for name, value in calibrate(*inputs()).items():
        print(f"{name:18}{np.array_str(np.asarray(value), precision=4, suppress_small=True)}")
