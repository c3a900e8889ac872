"""Regions: control flow that Python cannot decide while tracing, recorded as regions (ir/graphs/regions.py).

A branch, or the body of a loop, is a function that rewriting has made. It is run once, into a Graph of its
own, and what it did to variables, containers and arrays is undone, compared with the other ways, and put into
the results of the region.
"""
