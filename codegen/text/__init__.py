"""Text: a syntax tree as text that black leaves as it is. It knows nothing of graphs."""
