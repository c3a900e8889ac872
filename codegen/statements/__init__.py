"""Statements: a Program as the statements of a function."""
