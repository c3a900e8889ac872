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
