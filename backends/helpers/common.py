"""Helpers for emitted source of any framework."""


def tree_map(function, tree, *others):
    """Nested dicts, lists and tuples of what a function gives of each of their leaves."""
    if isinstance(tree, dict):
        return {key: tree_map(function, tree[key], *(other[key] for other in others)) for key in sorted(tree)}
    if isinstance(tree, (list, tuple)):
        return type(tree)(tree_map(function, *each) for each in zip(tree, *others))
    return function(tree, *others)


def tree_leaves(tree):
    """The leaves of nested dicts, lists and tuples, of dicts in the order of their keys."""
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in tree_leaves(tree[key])]
    if isinstance(tree, (list, tuple)):
        return [leaf for item in tree for leaf in tree_leaves(item)]
    return [tree]


def per_axis(value, n):
    """`value` itself, or one number `n` times."""
    return value if isinstance(value, tuple) else (value,) * n


def ceil_pairs(sizes, window, stride, padding, dilation):
    """What is put before and behind each axis so that a last window may stick out, but not begin behind."""
    pairs = []
    for size, k, s, pair, d in zip(sizes, window, stride, padding, dilation):
        before, after = per_axis(pair, 2)
        span = d * (k - 1) + 1
        steps = -(-(size + before + after - span) // s)
        steps -= steps * s >= size + before
        pairs.append((before, max(after, steps * s + span - size - before)))
    return tuple(pairs)
