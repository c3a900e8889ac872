"""Writing: an op of a Program as an expression of the target."""
