"""Other arguments than the example's: made up from its structure, given to source and translation alike.

An example shows one way through a program. What a translation takes for granted of it (a rank, a length, a
dtype, that two arrays are two) shows with the next arguments only.
"""
