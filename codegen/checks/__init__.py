"""Checks: what was looked at while tracing, or decides the text, checked at the top of the emitted function.
"""
