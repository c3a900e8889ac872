"""A few lines of torch with an argument that may be None.

The last line adds a list to a tensor. Plain torch refuses that; for tracelate a list beside an array is an
array constant. So `foo` runs only traced or translated, and `reference` says in plain torch what it means.
"""

import torch


def foo(x, y, z=None):
    res = torch.sin(x) + torch.cos(y)
    if z is not None:
        res += torch.tan(z)
    return res + [1, 2, 3]


def reference(x, y, z=None):
    res = torch.sin(x) + torch.cos(y)
    if z is not None:
        res += torch.tan(z)
    return res + torch.tensor([1, 2, 3])


def inputs():
    """Arguments for `foo`."""
    return torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0, 6.0]), torch.tensor([7.0, 8.0, 9.0])


if __name__ == "__main__":
    print(reference(*inputs()))
