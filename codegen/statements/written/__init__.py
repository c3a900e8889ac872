"""Written: what the user wrote around his values, annotations, asserts, names of items, and remarks."""
