"""Meaning: what an op is, with no framework in sight, and what its results are."""
