"""What a program asks of how a tensor lies in memory is answered where that is checked, else refused."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import linecache
from typing import Any

import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert

X = torch.arange(12.0).reshape(3, 4)

#: Of tensors of any order in memory.
TENSORS = [
    X, torch.arange(12.0).reshape(4, 3).T, X[:, 1:], X[1:], X[::2], X[:1].expand(3, 4), X[0], X[None], X[:0],
]  # fmt: skip
QUESTIONS = """
    x.is_contiguous(); x.T.is_contiguous(); x[1:].is_contiguous(); (x + 1).is_contiguous(); x.stride()
    x.t().contiguous().is_contiguous(); x[:, 1:].is_contiguous(); x.stride(0); x.stride()[-1]
    x.T.stride(); x.storage_offset(); x[:, 1:].storage_offset(); x.data_ptr() == x.data_ptr(); x.is_conj()
    x.is_neg(); torch.complex(x, x).conj().is_conj(); torch.complex(x, x).conj().imag.is_neg()
    x.is_contiguous(memory_format=torch.channels_last); x.expand(3, 4).is_contiguous()
    x.reshape(-1).is_contiguous(); x.clone().is_contiguous(); x.unsqueeze(0).is_contiguous()
""".replace("\n", ";")
CASES = [each.strip() for each in QUESTIONS.split(";") if each.strip()]


@pytest.mark.parametrize("to", ["torch", "numpy", "jax"])
@pytest.mark.parametrize("question", CASES)
def test_an_answer_is_that_of_the_source(question: str, to: str) -> None:
    fn = defined(question)
    try:
        fn(X)
    except Exception:
        pytest.skip("torch itself has no answer")
    try:
        out = tl.transpile(fn, (X,), to=to)
    except tl.TraceError as refused:
        assert str(refused).count("\n") >= 3  # with the line and a way out
        return
    for tensor in TENSORS:
        laid = tensor.contiguous() if to == "jax" else tensor  # as JAX's arrays always are
        given = {"torch": tensor, "numpy": tensor.numpy()}.get(to)
        given = convert(tensor.numpy(), to) if given is None else given
        try:
            expected = fn(laid)
        except Exception:
            continue
        try:
            found = out(given)
        except AssertionError:
            assert tensor is not X
            continue
        assert found == expected, f"{tensor.shape} {tensor.stride()}\n{out.source}"


def defined(question: str) -> Any:
    text = f"def asked(x):\n    return {question}\n"
    file = f"<asked {question}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {"torch": torch, "__name__": __name__}
    exec(compile(text, file, "exec"), module)
    return module["asked"]


def copied_if_it_must(p):
    y = p.t()
    if not y.is_contiguous():
        y = y.contiguous()
    y += 1
    return p, y


def one_copy(p, q):
    if p.data_ptr() == q.data_ptr():
        q = q.clone()
    q += p
    return q


def test_what_people_do_with_answers_is_refused() -> None:
    for fn, args in ((copied_if_it_must, (X.clone(),)), (one_copy, (X.clone(), X.clone()))):
        with pytest.raises(tl.TraceError, match="memory"):
            tl.transpile(fn, args, to="torch")
