"""Speaking: whether a phrase speaks for an op; what its `when` is asked with, which the text has to check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ..ir.graphs.likeness import equal
from ..ir.meaning.operands import scalar
from ..ir.noting import by_rank
from ..ir.values.dtypes import DType
from ..ir.values.spec import Spec
from .backend import Backend
from .lenses import NotExpressible
from .phrase import Lensed, Phrase, PhraseError, holds


class Operand:
    """An array as a predicate sees it: its `rank` (also `ndim`) and its `dtype`, which the text checks where
    they are asked. Its sizes are known only when the text runs.
    """

    def __init__(self, operand: Any, spec: Spec) -> None:
        self._operand, self._spec, self._asked = operand, spec, False

    @property
    def rank(self) -> int | None:
        """The number of its axes; None where that is not known."""
        by_rank(self._operand)
        return self._spec.rank

    ndim = rank

    @property
    def dtype(self) -> DType | None:
        """Its dtype; None where that is not known."""
        self._asked = True
        return self._spec.dtype

    def __getattr__(self, name: str) -> Any:
        raise PhraseError(f"a predicate may ask the rank and the dtype of an array, not its {name}")


def fits(
    phrase: Phrase,
    params: Mapping[str, Any],
    specs: Mapping[str, Any],
    operands: Sequence[Any],
    target: Backend,
) -> bool:
    """Whether this case speaks for an op with these parameters, array specs (None for an absent array) and
    operands, in a text for this target.
    """
    if phrase.device not in (None, target.device):
        return False
    mentioned = set(phrase.holes())
    numbers = {name: operand for name, operand in zip(phrase.op.arrays, operands) if scalar(operand)}
    for test in phrase.conditions:
        mentioned.add(test.name)
        value = params.get(test.name, numbers.get(test.name, specs.get(test.name)))
        if not holds(test, value, specs.get(test.name)):
            return False
    for name, value in params.items():
        if name not in mentioned and not equal(value, phrase.op.params[name]):
            return False
    if any(spec is not None and name not in mentioned for name, spec in specs.items()):
        return False
    try:
        for _, argument in phrase.arguments:
            if isinstance(argument, Lensed):
                argument.lens.to(params[argument.name])
    except NotExpressible:
        return False
    if any(specs[name] is None for name in mentioned if name in specs and name in phrase.holes()):
        return False
    return phrase.when is None or asked(phrase, operands, [*specs.values()], params)[0]


def asked(
    phrase: Phrase, operands: Sequence[Any], specs: Sequence[Any], params: Mapping[str, Any]
) -> tuple[bool, list[str]]:
    """What the predicate of a phrase says, and the names of the operands whose dtypes it asked for that.

    Raises:
        PhraseError: where it fails, or says neither True nor False.
    """
    assert phrase.when is not None
    seen = [Operand(o, s) if isinstance(s, Spec) else s for o, s in zip_longest(operands, specs)]
    try:
        found = phrase.when(*seen, **params)
    except Exception as error:
        raise PhraseError(f"{phrase.op.name}: the `when` of {phrase.text!r} failed: {error!r}") from error
    if not isinstance(found, bool):
        raise PhraseError(f"{phrase.op.name}: the `when` of {phrase.text!r} gave {found!r}, no bool")
    dtypes = [name for name, each in zip(phrase.op.arrays, seen) if isinstance(each, Operand) and each._asked]
    return found, dtypes
