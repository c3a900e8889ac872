"""Sizes: expressions for the sizes of arrays, which the emitted program can compute."""
