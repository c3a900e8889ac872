"""Lowering: a Program becomes one that the target can say. Ops that it has no word for are replaced by their
meaning, ways out and writes by what it has instead of them.
"""
