"""Checks: what was looked at while tracing, or decides the text, is checked where the function begins."""
