"""Values: what a program handles beside arrays: numbers that are not known yet, kinds, ranges, lists that
grow, what a branch asks.
"""
