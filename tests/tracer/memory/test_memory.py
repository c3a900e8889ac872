"""Memory: what a call gives lies where its framework puts it; writes show there, and nowhere else."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays, to_numpy

NAMES = {"np": np, "torch": torch, "F": F}
#: Calls of `a`, an array that the program has made; those of PARTS give several.
PARTS = {
    "numpy": """np.split(a, 2); np.split(a, [1, 3], axis=1); np.vsplit(a, 2); np.hsplit(a, 2)
        np.array_split(a, 3); np.unstack(a); np.unstack(a, axis=1); np.broadcast_arrays(a, a[0])
        np.broadcast_arrays(a, a); np.broadcast_arrays(a[0], a[0], a)
    """,
    "torch": """a.chunk(2); a.chunk(3, dim=1); a.split(2); torch.split(a, [1, 3], dim=1); a.tensor_split(3)
        torch.split_with_sizes(a, [1, 3]); torch.hsplit(a, 2); a.vsplit(2); a.unbind(); torch.unbind(a, 1)
        torch.broadcast_tensors(a, a[0]); torch.broadcast_tensors(a, a)""",
}
VIEWS = {
    "numpy": """np.flipud(a); np.fliplr(a); np.flip(a, 0); a.T; np.swapaxes(a, 0, 1); a.reshape(-1)
        np.ravel(a); a[1:3].reshape(-1); a.real; np.ascontiguousarray(a); a[::-1]; np.asarray(a); a[:, None]
        a.flatten(); np.rot90(a); a.copy(); np.roll(a, 1); np.copy(a); np.nan_to_num(a)
        np.ascontiguousarray(a.T); np.ascontiguousarray(a[:, 1]); np.meshgrid(a[0], a[1])[0]""",
    "torch": """a.flip(0); a.T; a.reshape(-1); a.view(-1); a.ravel(); a.flatten(); a.contiguous(); +a
        a.detach(); torch.as_tensor(a); F.dropout(a, 0.5, training=False); a.diagonal(); a.real
        a.unflatten(0, (2, 2)); a.narrow(0, 1, 2); a.select(1, 2); a.unsqueeze(0); a.roll(1)
        a.clone(); a.float(); a.t(); a.half(); a.T.contiguous(); a.transpose(0, 1).contiguous()
        a[::2].contiguous(); a[0].expand(4, 4).contiguous()""",
}
#: What must be refused, or may be: whether memory is shared is not known, or the view cannot be written back.
UNSURE = {
    "numpy": """a.T.reshape(-1); a.conj(); np.diag(a); a.swapaxes(0, 1).ravel()
        np.moveaxis(a, 0, 1).reshape(-1); np.broadcast_arrays(a, a[0])[1].reshape(-1)""",
    "torch": """a.T.reshape(-1); a[:, :2].contiguous(); a.conj_physical(); a.transpose(0, 1).flatten()
        a.swapaxes(0, 1).reshape(-1); a.movedim(0, 1).ravel()
        a.permute(1, 0).reshape(-1); torch.broadcast_tensors(a, a[0])[1].reshape(-1)""",
}
X = np.arange(16.0, dtype=np.float32).reshape(4, 4)


def program(name: str, body: str, parameters: str = "x") -> Any:
    text = f"def f({parameters}):\n" + "".join(f"    {line.strip()}\n" for line in body.split(";"))
    file = f"<{name} {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module = dict(NAMES)
    exec(compile(text, file, "exec"), module)
    return module["f"]


def listed(table: dict[str, str]) -> list[tuple[str, str]]:
    lines = ((f, call.strip()) for f, text in table.items() for call in text.replace("\n", ";").split(";"))
    return [(framework, call) for framework, call in lines if call]


def agrees(fn: Any, framework: str, to: str, *args: Any) -> None:
    """The translation gives what the program gives, and leaves of its arguments what that leaves."""
    mine, theirs = ([map_arrays(a, lambda a, f=f: convert(a, f)) for a in args] for f in (framework, to))
    out = tl.transpile(fn, [map_arrays(a, lambda a: convert(a, framework)) for a in args], to=to)
    expected, got = fn(*mine), out(*theirs)
    found = list(compare(expected, got, kind="reduction", narrowed=to == "jax"))
    found += list(compare(mine, theirs, narrowed=False)) if to != "jax" else []
    assert not found, f"{to}: {found[0]}\n{out.source}"


@pytest.mark.parametrize(("framework", "call"), listed(PARTS))
@pytest.mark.parametrize("use", [
    "p[0] = 100.0; return a", "a[0] = 100.0; return p * 1, q", "p += 1; q -= 2; return a, p, q",
])  # fmt: skip
def test_parts_of_an_array_are_views(framework: str, call: str, use: str) -> None:
    if "broadcast" in call and "a[0] = 100.0" not in use:
        pytest.skip("what is broadcast may not be written into")
    f = program(call, f"a = x * 1; p, q, *r = {call}; {use}")
    for to in ("numpy", "torch", "jax"):
        agrees(f, framework, to, X)


@pytest.mark.parametrize(("framework", "call"), listed(VIEWS))
@pytest.mark.parametrize("use", [
    "p[0] = 100.0; return a", "a[0] = 100.0; return p * 1", "s = p.sum(); a[0] = 100.0; return s, a",
])  # fmt: skip
def test_views_and_copies_are_told_apart(framework: str, call: str, use: str) -> None:
    f = program(call, f"a = x * 1; p = {call}; {use}")
    if call == "np.rot90(a)":
        with pytest.raises(tl.UnsupportedError):
            tl.transpile(f, (X,), to="numpy")
        return
    for to in ("numpy", "torch") if "rot" in call else ("numpy", "torch", "jax"):
        agrees(f, framework, to, X)


LINED = {
    "numpy": """np.ascontiguousarray(x.T); np.ascontiguousarray(x[:, 1]); np.ascontiguousarray(x[::2])
        np.ascontiguousarray(x[::-1]); np.ascontiguousarray(np.broadcast_to(x, (2, 4, 4)))""",
    "torch": """x.t().contiguous(); x[:, 1].contiguous(); x[::2].contiguous(); x.permute(1, 0)[1].contiguous()
        x.expand(2, 4, 4).contiguous(); (x * 2).t().contiguous()""",
}


@pytest.mark.parametrize(("framework", "call"), listed(LINED))
@pytest.mark.parametrize("use", ["", "p += 1", "x[0] = 9", "if x.sum() > 0: p += 1"])
def test_what_is_laid_row_by_row_is_a_copy_where_it_was_not(framework: str, call: str, use: str) -> None:
    f = program("lined", f"p = {call}; {use or 'pass'}; return p")
    others = [X, -X, X[:2], X[:1], X[:, :1], X.T, X[:, ::2]]
    for to in ("numpy", "torch"):
        out = tl.transpile(f, (convert(X, framework),), to=to)
        for number, other in enumerate(others):
            own = [convert(other.copy(), name) for name in (framework, to)]
            mine, theirs = own if other.flags.c_contiguous else [a.T for a in map(turned, own)]
            try:
                found = out(theirs)
            except (AssertionError, IndexError, RuntimeError, ValueError):  # a check, or sizes do not fit
                assert number > 1
                continue
            expected = f(mine)
            assert not list(compare((expected, mine), (found, theirs), narrowed=False)), out.source
            kept = to_numpy(theirs).copy()
            found[...] = 77
            assert (to_numpy(theirs) == kept).all() or shares(expected, mine), out.source


def turned(array: Any) -> Any:
    return convert(np.ascontiguousarray(to_numpy(array).T), "torch" if hasattr(array, "stride") else "numpy")


def shares(one: Any, other: Any) -> bool:
    return np.shares_memory(to_numpy(one), to_numpy(other))


@pytest.mark.parametrize(("framework", "call"), listed(UNSURE))
def test_what_may_share_memory_is_not_used_after_a_write(framework: str, call: str) -> None:
    example = (convert(X, framework),)
    for use in ("p[0] = 100.0; return a, p", "a[0] = 100.0; return p * 1"):
        with pytest.raises((tl.UnsupportedError, ValueError)) as error:
            tl.transpile(program(call, f"a = x * 1; p = {call}; {use}"), example, to="numpy")
        assert "memory" in str(error.value) or "view" in str(error.value) or "read-only" in str(error.value)
    before = program(call, f"a = x * 1; p = {call}; s = p.sum(); a[0] = 100.0; return s, a")
    agrees(before, framework, "numpy", X)


@pytest.mark.parametrize(
    "call", ['a, a, indexing="ij"', '[a, x[1], a], indexing="ij"', 'a, a * 2, indexing="xy"']
)
def test_all_results_show_a_write_into_an_array_given_twice(call: str) -> None:
    fn = program("twice", f"a = x[0] * 1; p = torch.meshgrid({call}); a[0] = 100; return tuple(p), a")
    for to in ("numpy", "torch", "jax"):
        out = tl.transpile(fn, (torch.from_numpy(X),), to=to)
        wrong = list(compare(fn(torch.from_numpy(X)), out(convert(torch.from_numpy(X), to))))
        assert not wrong, f"{wrong[0]}\n{out.source}"


def test_how_an_argument_lies_is_checked() -> None:
    f = program("reshaped", "a = x * 1; p = a.reshape(-1); p[0] = 100.0; return a")
    out = tl.transpile(f, (X,), to="numpy")
    assert "assert x.flags.c_contiguous, x.strides" in out.source
    with pytest.raises(AssertionError):
        out(X.T)
    other = tl.transpile(f, (X,), to="torch", guards="raise")
    with pytest.raises(ValueError, match="with its elements in order"):
        other(torch.tensor(X).T)


SEVERAL = {
    "torch": """a.max(0).values; a.max(0)[1]; a.topk(2).values; a.sort(1).indices; torch.std_mean(a)[1]
        torch.var_mean(a, 0)[0]; torch.aminmax(a).max; torch.linalg.qr(a)[1].abs(); torch.linalg.svd(a)[1]""",
    "numpy": "np.linalg.svd(a)[1]; np.linalg.qr(a)[1] ** 2; np.divmod(a, 3)[0]; divmod(a, 3)[1]",
}


@pytest.mark.parametrize(("framework", "call"), listed(SEVERAL))
def test_a_result_of_several_is_read_before_a_later_write(framework: str, call: str) -> None:
    for name in ("a", "x"):
        f = program(call, f"a = x if {name!r} == 'x' else x * 1; v = {call}; a[:] = -7; return v, a")
        for to in ("numpy", "torch", "jax"):
            agrees(f, framework, to, X)
    again = f"s = 0.0; v = {call}; a += 1; s = s + v.sum(); v = {call}; a *= 2; return v, s, a"
    agrees(program(call, again, "a"), framework, "numpy", X)


CASTS = {
    "numpy": "np.float32(a); np.asarray(a, dtype=np.float32); np.single(a); np.asarray(a, np.float32)[1:]",
    "torch": """a.float(); a.to(torch.float32); torch.as_tensor(a, dtype=torch.float32); a.float()[1:]
        a.type(torch.float32); cast(a)""",
}
#: What is done with p, a cast of a; and whether it matters then whether it is a view.
AFTER = {
    "a[0] = 100.0; return p": True, "p[0] = 100.0; return a, p": True, "a += 1; return p.sum(), a": True,
    "if x.sum() > 0: p = p * 2; a[0] = 100.0; return p": True,
    "for row in x: a[0] = a[0] + row; return p": True,
    "q = p if x.sum() > 0 else p * 1; a[0] = 100.0; return q": True,
    "for row in x: p = p + 1; a[0] = 100.0; return p": True,
    "s = p.sum(); a[0] = 100.0; return s, a": False, "a = a * 2; a[0] = 100.0; return p, a": False,
}  # fmt: skip


def cast(a: Any) -> Any:
    return a.float()


@pytest.mark.parametrize(("framework", "call"), listed(CASTS))
@pytest.mark.parametrize("use", AFTER)
def test_a_cast_is_a_view_where_it_changes_no_dtype(framework: str, call: str, use: str) -> None:
    f = program("cast", f"a = x * 1; p = {call}; {use}")
    f.__globals__["cast"] = cast
    for dtype, other in (("float32", "float64"), ("float64", "float32")):
        example = convert(X.astype(dtype), framework)
        try:
            out = tl.transpile(f, (example,), to=framework)
        except tl.UnsupportedError as error:
            assert "memory" in str(error)
            continue
        assert not list(compare(f(+example), out(+example), kind="reduction", narrowed=False)), out.source
        given = convert(X.astype(other), framework)
        try:
            found = out(+given)
        except AssertionError:
            assert AFTER[use]
            continue
        assert not list(compare(f(+given), found, kind="reduction", narrowed=False)), out.source


#: Programs in which NumPy has a number where arrays of another rank have a view, or the other way round.
RANKED = {
    "first = a[0]; a[0] = 7.0; return first + a[0]": 1, "first = a[0]; a[0] = 7.0; return first + a[1]": 2,
    "t = a[0]; a[0] = a[1]; a[1] = t; return a": 1, "r = pick(a); a[0] = 5.0; return r": 1,
    "r = a[0] if x.sum() > 0 else a[1]; a[0] = 5.0; return r": 1,
}  # fmt: skip


def pick(a: Any) -> Any:
    return a[0]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("body", RANKED)
def test_a_number_taken_out_is_a_view_of_an_array_of_another_rank(body: str, to: str) -> None:
    f = program("ranked", f"a = x * 1; {body}")
    f.__globals__["pick"] = pick
    example = X[0] if RANKED[body] == 1 else X
    try:
        out = tl.transpile(f, (example,), to=to)
    except tl.UnsupportedError as error:
        assert "memory" in str(error)
        return
    assert not list(compare(f(+example), out(convert(example, to)), kind="reduction", narrowed=to == "jax"))
    for given in (X, X[0]):
        if given.ndim != example.ndim:
            with pytest.raises(AssertionError):
                out(convert(given, to))


#: How a program says at which place it takes a number out.
PLACES = {
    "a[k]": "", "a[-k]": "", "a[n]": "n = len(a) // 2", "a[c]": "c = {'k': k}['k']", "a[i]": "i = int(k)",
    "take(a)": "take = lambda z: z[k]", "[a[k], a[k - 1]][0]": "", "a[x.argmax() % 2]": "", "a[j[0]]": "",
}  # fmt: skip


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("write", ["a[0] = a[1] = 7.0", "a *= 2", "for i in range(9): a[i % 2] += 1"])
@pytest.mark.parametrize("place", PLACES)
def test_a_number_taken_out_at_any_place_is_no_view_of_an_array_of_another_rank(
    place: str, write: str, to: str
) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    begin = "".join(f"{line}; " for line in [PLACES[place]] if line)
    f = program("placed", f"a = x * 1; {begin}t = {place}; {write}; return t, a", "x, k, j")
    given = {1: np.arange(3, dtype=np.float32), 2: np.arange(9, dtype=np.float32).reshape(3, 3)}
    for rank, other in ((1, 2), (2, 1)):
        try:
            out = tl.transpile(f, (given[rank], 1, np.array([1, 0])), to=to)
        except tl.UnsupportedError as error:
            assert "memory" in str(error)
            continue
        for array in (given[rank], given[other]):
            try:
                found = out(convert(array, to), 1, convert(np.array([1, 0]), to))
            except AssertionError:
                assert array is given[other]
                continue
            wanted = f(array, 1, np.array([1, 0]))
            assert not list(compare(wanted, found, narrowed=to == "jax")), out.source


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("body", [
    "b = a; b += 1; return a", "grow(a); return a", "c = [a]; a += 1; return c[0]",
])  # fmt: skip
def test_what_is_a_number_without_axes_is_not_written_into(body: str, to: str) -> None:
    f = program("numbers", f"a = x * 2; {body}")
    f.__globals__["grow"] = grow
    out = tl.transpile(f, (X,), to=to)
    assert "assert x.ndim > 0, x.shape" in out.source
    assert not list(compare(f(+X), out(convert(X, to)), kind="reduction", narrowed=to == "jax"))
    with pytest.raises(AssertionError):
        out(convert(X[0, 0], to))


def grow(a: Any) -> None:
    a += 1


def form(x: Any) -> Any:
    return x.shape, x.stride(), x.storage_offset()


def reforming() -> list[tuple[str, tuple[int, ...]]]:
    """The methods of torch's that give their tensor another form, and no other numbers in its memory."""
    found = []
    for name in dir(torch.Tensor):
        for args in ((), (0,), (0, 1), (2, 8)) if name.endswith("_") and not name.endswith("__") else ():
            x = torch.arange(16.0).reshape(4, 4)
            before = form(x)
            try:
                getattr(x, name)(*args)
            except Exception:
                continue  # it takes other arguments
            if form(x) != before:
                found.append((name, args))
    return found


@pytest.mark.filterwarnings("ignore")
def test_what_turns_a_tensor_in_its_memory_is_refused() -> None:
    found = reforming()
    names = {name for name, _ in found}
    assert {"t_", "transpose_", "swapaxes_", "swapdims_", "unsqueeze_", "resize_"} <= names
    for name, args in found:
        f = program(name, f"a = x * 1; b = a.view(-1); a.{name}{args}; a[0] = 5; return a, b")
        with pytest.raises(tl.TraceError) as error:
            tl.transpile(f, (torch.arange(16.0).reshape(4, 4),), to="torch")
        assert not isinstance(error.value, tl.InternalError) and f".{name}" in str(error.value)


def test_what_is_detached_in_place_has_its_form() -> None:
    f = program("detached", "a = x * 1; b = a.view(-1); a.detach_(); a[0] = 5; return a, b")
    x = torch.arange(16.0).reshape(4, 4)
    for one, other in zip(f(x), tl.transpile(f, (x,), to="torch")(x), strict=True):
        assert torch.equal(one, other)
