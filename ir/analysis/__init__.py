"""Analysis: which values share memory or come from outside, and on which ranks a text depends."""
