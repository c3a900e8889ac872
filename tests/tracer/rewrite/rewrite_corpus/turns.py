"""What loops do to variables, and functions made in them."""

# ruff: noqa: E702, E713, E714, E731, F821, F823, F841, F842, I001

from __future__ import annotations

from typing import Any

from rewrite_corpus.base import A, NO, case, log

TOTAL = 0


def lazily(items: Any) -> Any:
    """Tells what is asked of it, and when it is closed."""
    try:
        for item in items:
            log(("next", item))
            yield item
    finally:
        log("closed")


# Variables


@case((0,), (1,), (3,))
def unbound_after_no_turn(n):
    try:
        for last in range(n):
            found = last * 2
        log(found)
        return last
    except UnboundLocalError as error:
        log(str(error))
    while n > 5:
        other = n
    return other


@case((0,), (2,))
def deleted_in_a_turn(n):
    x = y = 5
    for i in range(n):
        log(y)
        del y
        if i:
            del x
        y = i
        x = 1
    del y
    try:
        return i, x, y
    except UnboundLocalError as error:
        return str(error)


@case((3,))
def deleted_twice(n):
    x = 1
    for i in range(n):
        del x


@case((3,), (1,))
def bound_in_the_turn_before(n):
    for i in range(n):
        if i:
            log(before)
        if i == 2:
            del before
            continue
        before = i
    while n:
        n -= 1
        log(before)


@case((4,))
def rebinds_its_target_and_its_iterable(n):
    xs = list(range(n))
    for x in xs:
        x = x * 10
        xs = None
        log(x)
    for n in range(n):
        n += 1
    return x, xs, n


@case(([1, 2, 3],))
def changes_the_list_it_loops_over(xs):
    for x in xs:
        if x < 6:
            xs.append(x + 3)
        if x == 2:
            xs.remove(1)
    for key in (box := {"a": 1}):
        box[key + "b"] = 2


@case(([4, 5],))
def targets_of_every_kind(xs):
    box, seen = {}, []
    for box["k"] in xs:
        seen.append(box["k"])
    for i, (box["a"], *rest) in enumerate([(1, 2, 3), (4, 5)]):
        seen.append((i, rest))
        rest = None
    for a.x in xs if False else ():
        pass
    for [p, q] in zip(xs, xs):
        if p == 4:
            continue
        break
    return box, seen, i, rest, p, q


@case(([(1, 2)],), ([(1, 2), 3],), ([(1,)],))
def bad_targets(pairs):
    for a, b in pairs:
        log(a)
    return a, b


@case((3,), (0,))
def walrus_in_tests(n):
    log(n)
    while (m := n - 1) > 0 and (k := m):
        n = m
        if k == 1:
            continue
    while (p := n) > 5:
        n = 0
    else:
        n = "else"
    while any((hit := i) > 1 for i in range(4)) and not (n := n[1:]):
        pass
    return n, m, p, hit


@case(([3, -1, 2],), ([],))
def inside_comprehensions(xs):
    made = []
    for x in xs:
        made.append([x * y for y in xs if y > x])
        total = sum(x + y for y in xs)
        made.append((total, {y: x for y in xs}, [w := x, w + 1]))
        xs = [y for y in xs if y != x]
    return made, xs


@case((2,))
def targets_named_like_variables(n):
    x = 5
    for i in range(n):
        made = [n for n in range(3) if n < (n or x)]
        if made:
            log((n, x, [[i for x in range(2)] for i in range(n)], {i: x for i, x in [(1, 2)]}))
            if x:
                log([x for x in [x] if x])
                x = x + n
    return (x if n else i), [x for x in (n, x) if (i if x else n)], x


@case((3,))
def laziness(n):
    for x in lazily(range(n)):
        if x == 1:
            break
        log(("turn", x))
    for x in lazily(range(1)):
        log(("turn", x))
    else:
        log("else")
    try:
        for x in lazily("ab"):
            raise KeyError(x)
    except KeyError:
        log("caught")
    for x in lazily("cd"):
        return x


@case((A,), (NO,))
def asks_in_order(x):
    for i in x(1) or (2, 3):
        log(i)
        if x.test:
            break
    while x and not NO:
        x = NO
    else:
        log("else")


# Functions


@case((3,))
def closures_over_a_turn(n):
    made, x = [], 0
    for i in range(n):
        x = x + i
        made.append(lambda: (i, x))
        log(made[0]())
    x = "after"
    later = (i + k for k in (1, 2))
    while i < 5:
        i += 2
        log([f() for f in made])
    return list(later), made[0]()


@case((3,))
def counted_by_a_function(n):
    count = 0

    def more():
        nonlocal count
        count += 1
        return count

    while more() < n:
        log(count)
        if more() > 4:
            break
        count = count + 1
    for i in range(n):
        if more() > 5:
            count = 0
    return count


@case((3,))
def functions_made_in_a_turn(n):
    for i in range(n):

        def f(k=i):
            return f.__qualname__, k, i

        class K:
            size = i
            again = [f() for _ in range(1)]

            def m(self):
                return __class__.__qualname__, i

        if i == 1:
            break
    return f(), K().m(), K.size, K.again


@case((4,), (0,))
def recursive(n):
    made = []
    for i in range(n):
        if i % 2:
            continue
        made.append(recursive(i))
    return made


@case((3,))
def yields_in_a_turn(n):
    for i in range(n):
        x = yield i
        while n:
            n -= 1
            if n == 1:
                break
    else:
        yield "else"
    yield n, x


@case((3,))
def looks_at_its_variables(n):
    for i in range(n):
        if i:
            x = i
    return sorted(locals())


@case((3,))
def global_in_a_turn(n):
    global TOTAL
    TOTAL = 0
    for i in range(n):
        TOTAL += i
    while TOTAL:
        TOTAL -= 1
    return TOTAL, i


@case((2,))
def annotated_in_a_turn(n):
    for i in range(n):
        x: int = i
        y: str
        if i:
            y: str = "y"
        f = lambda: (x, y)
    return f()


@case((2,))
def imports_in_a_turn(n):
    for i in range(n):
        import math as m
        import os.path

        from math import floor
    return m.pi, os.path.sep, floor(1.5), i


class Looping:
    for size in range(3):
        if size:
            break
    while size < 5:
        size += 1
    else:
        sized = True

    def __init__(self, *items):
        self.__items = items

    def total(self):
        __sum = 0
        for __item in self.__items:
            if __item:
                __sum += __item
            later = lambda: __sum
        return __sum, later(), self.size, self.sized


@case()
def loops_in_classes():
    return Looping(1, 2).total(), sorted(name for name in vars(Looping) if name[0] != "_")
