"""Control flow: Python's own, and what JAX compiles."""
