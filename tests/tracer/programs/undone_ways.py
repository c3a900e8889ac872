"""Ways out of loops and functions behind which what was changed is put back, each for a kind of state of
undone_programs.py: for test_cores_undone.py.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations


def broken_off(make, change, undo, read):
    def program(x):
        held = make()
        for v in x:
            change(held)
            if v > 1:
                break
            undo(held)
        return x + read(held)

    return program


def continued(make, change, undo, read):
    def program(x):
        held = make()
        for v in x:
            change(held)
            if v > 1:
                continue
            undo(held)
        return x + read(held)

    return program


def broken_off_by_size(make, change, undo, read):
    def program(x):
        held = make()
        for i in range(5):
            change(held)
            if len(x) < i:
                break
            undo(held)
        return x + read(held)

    return program


def while_true(make, change, undo, read):
    def program(x):
        held = make()
        y = abs(x) + 1
        while True:
            change(held)
            if y.sum() > 20:
                break
            undo(held)
            y = y * 2
        return y + read(held)

    return program


def in_the_test(make, change, undo, read):
    def program(x):
        held = make()
        y = abs(x) + 1

        def goes_on():
            change(held)
            return y.sum() < 20

        while goes_on():
            undo(held)
            y = y * 2
        return y + read(held)

    return program


def with_an_else(make, change, undo, read):
    def program(x):
        held = make()
        for i in range(len(x)):
            change(held)
            if x[i] > 1:
                break
            undo(held)
        else:
            undo(held)
        return x + read(held)

    return program


def in_a_nested_if(make, change, undo, read):
    def program(x):
        held = make()
        for v in x:
            if v > 0:
                change(held)
                if v > 1:
                    break
                undo(held)
        return x + read(held)

    return program


def in_a_nested_loop(make, change, undo, read):
    def program(x):
        held = make()
        for v in x:
            for w in x:
                change(held)
                if w > v:
                    break
                undo(held)
        return x + read(held)

    return program


def around_a_nested_loop(make, change, undo, read):
    def program(x):
        held = make()
        s = 0
        for v in x:
            change(held)
            for w in x:
                if w > v:
                    break
                s = s + w
            if v > 2:
                break
            undo(held)
        return x + read(held) + s

    return program


def returned(make, change, undo, read):
    def program(x):
        held = make()

        def go(y):
            change(held)
            if y.sum() > 3:
                return y
            undo(held)
            return y * 2

        y = go(x)
        return y + read(held)

    return program


def returned_by_size(make, change, undo, read):
    def program(x):
        held = make()

        def go(y):
            change(held)
            if len(y) > 2:
                return y
            undo(held)
            return y * 2

        y = go(x)
        return y + read(held)

    return program


def returned_from_a_loop(make, change, undo, read):
    def program(x):
        held = make()

        def go(y):
            for v in y:
                change(held)
                if v > 1:
                    return y
                undo(held)
            return y * 2

        y = go(x)
        return y + read(held)

    return program


def changes_what_it_is_given(y, held, change, undo):
    change(held)
    if y.sum() > 3:
        return y
    undo(held)
    return y * 2


def returned_of_an_argument(make, change, undo, read):
    def program(x):
        held = make()
        y = changes_what_it_is_given(x, held, change, undo)
        return y + read(held)

    return program


def returned_of_a_default(make, change, undo, read):
    def program(x):
        held = make()

        def go(y, held=held):
            change(held)
            if y.sum() > 3:
                return y
            undo(held)
            return y * 2

        y = go(x)
        return y + read(held)

    return program


def ended(make, change, undo, read):
    def program(x):
        held = make()

        def items():
            for v in x:
                change(held)
                if v > 1:
                    return
                yield v
                undo(held)

        s = 0
        for v in items():
            s = s + v
        return x + s + read(held)

    return program


WAYS = [
    broken_off, continued, broken_off_by_size, while_true, in_the_test, with_an_else, in_a_nested_if,
    in_a_nested_loop, around_a_nested_loop, returned, returned_by_size, returned_from_a_loop,
    returned_of_an_argument, returned_of_a_default, ended,
]  # fmt: skip
