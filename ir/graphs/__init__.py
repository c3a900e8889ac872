"""Graphs: the calls of a program, the regions and functions in them, and walks over both."""
