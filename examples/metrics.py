"""Image metrics of torchmetrics, as that package is installed: library code that nobody here has written."""

import torch
from torchmetrics.functional.image import (
    peak_signal_noise_ratio,
    spectral_angle_mapper,
    structural_similarity_index_measure,
    universal_image_quality_index,
)

#: Each metric, and the keyword arguments that it is called with.
METRICS = (
    (peak_signal_noise_ratio, {"data_range": 1.0}),
    (spectral_angle_mapper, {}),
    (universal_image_quality_index, {}),
    (structural_similarity_index_measure, {"data_range": 1.0}),
)


def inputs():
    """Two pictures with three channels, a batch of two each: one, and the same with noise."""
    generator = torch.Generator().manual_seed(0)
    target = torch.rand(2, 3, 32, 32, generator=generator)
    noise = 0.1 * torch.randn(2, 3, 32, 32, generator=generator)
    return (target + noise).clamp(0, 1), target


if __name__ == "__main__":
    for metric, options in METRICS:
        print(f"{metric.__name__:36} {metric(*inputs(), **options):.6f}")
