"""Memory: which proxies lie in the same memory, and what a write into one does to the others."""
