"""Compiled: regions that a compiler takes, with what it wants of them: which values it must know, one shape
and dtype on every way, loops that count.
"""
