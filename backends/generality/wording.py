"""Wording: what the look at dtypes asks of an op that hangs on the program alone. A program is walked several
times, and a function in it once a call; this is asked once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.meaning.op import HOMOGENEOUS, REGISTER, Op
from ...ir.meaning.results import over
from ...ir.ops.contraction import only_multiplies
from ...ir.ops.indexing import UPDATES
from ...ir.passes.algebra import hands_on
from ...ir.passes.fold import bare, raw
from ...ir.values.dtypes import PYTHON, DType, float16
from ...ir.values.spec import Spec
from ..backend import Backend
from ..lowering.halves import wider
from ..lowering.lower import phrase_for, says
from ..lowering.scalars import beside, is_plain
from ..phrase import Phrase
from ..signatures import forms
from ..typing import Operand, traits
from .operands import cast_of, python, wanted_of
from .spelled import Step, steps, used
from .spoken import conditions, sums


@dataclass(eq=False)
class Wording:
    """An op in a program, as source and target word it whatever its operands are.

    Attributes:
        mine: the operands that have a say in the dtype of the result, `casts` what promotion casts them to;
            `typed`: each, and whether it is an array.
        args: the operands, with the numbers that the text has for arrays of one.
        arrays: those that are arrays.
        alike: by dtype, whether the target spells the op out for that as it does in the example.
    """

    node: Node
    target: Backend
    source: Backend
    alike: dict[DType, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        op: Op = self.node.target
        given = [a for a in over(op, op.rules[0], self.node.args) if a is not None]
        self.mine = list(map(raw, given))
        self.casts = list(map(cast_of, given))
        self.typed = [(v, isinstance(v, Node) and isinstance(v.spec, Spec)) for v in self.mine]
        self.compares = op.rules[0].cls == "compare"
        self.wanted = wanted_of(self.node)
        #: Whether it is one of those that writing.py is about.
        self.watched = op in (*UPDATES, REGISTER["concat"], REGISTER["einsum"])

    @cached_property
    def bare(self) -> dict[Any, Any]:
        """The numbers that the text has for arrays of one."""
        return {v: n.value for v, n in zip(self.mine, self.numbers) if n is not None and n.value is not None}

    @cached_property
    def args(self) -> list[Any]:
        return [self.bare.get(raw(a), a) if isinstance(a, Node) else a for a in self.node.args]

    @cached_property
    def arrays(self) -> list[Node]:
        return [raw(a) for a in self.args if isinstance(a, Node) and isinstance(a.spec, Spec)]

    @cached_property
    def wider(self) -> bool:
        """Whether the source computes in more than 16 bits what it is given in 16."""
        return wider(self.node, float16, self.source)

    @cached_property
    def dropped(self) -> bool:
        """Whether the text leaves the op out."""
        return bool(self.node.graph.meta.get("laws")) and len(self.mine) == 2 and hands_on(self.node)

    @cached_property
    def multiplies(self) -> bool:
        """Whether it is an einsum that only multiplies, in NumPy on one side and in torch on the other, which
        refuses several dtypes where it sums, and else promotes them in its own way.
        """
        op, sides = self.node.target, (self.source, self.target)
        if op is not REGISTER["einsum"] or not any(side.own_numbers for side in sides):
            return False
        refused = any("alike" in traits(side.name, op) for side in sides)
        return refused and only_multiplies(self.node.kwargs["subscripts"])

    @cached_property
    def phrase(self) -> Phrase | None:
        """What the target says."""
        return phrase_for(self.node, self.target)

    @cached_property
    def is_said(self) -> bool:
        """Whether the target has words for it: a phrase, or another way."""
        if self.phrase is None and not says(self.node, self.target):
            return False
        # Its words may be of arrays, and others of numbers: torch.maximum, and torch.clamp.
        return not self.bare or self.steps is None or [s.op for s in self.steps] == [self.node.target.name]

    @cached_property
    def steps(self) -> tuple[Step, ...] | None:
        """How the target spells it out, see spelled.py."""
        return steps(self.node, self.args, self.target, self.source)

    @cached_property
    def computed(self) -> set[Node]:
        """The operands with which what is spelled out computes."""
        return used(self.steps or (), self.arrays)

    def spelled_alike(self, dtype: DType) -> bool:
        """Whether it is spelled out in the same steps for operands of another dtype."""
        if dtype not in self.alike:
            self.alike[dtype] = steps(self.node, self.args, self.target, self.source, dtype) == self.steps
        return self.alike[dtype]

    @cached_property
    def spoken(self) -> tuple[tuple[tuple[int, int, str], ...], bool | None, bool]:
        """Of a Question: `when`, `sums` and `same`, where the target says the op with its phrase or none."""
        return self.asked_of(self.phrase)

    @cached_property
    def unspoken(self) -> tuple[tuple[tuple[int, int, str], ...], bool | None, bool]:
        """Likewise, where the op is spelled out."""
        return self.asked_of(None)

    def asked_of(self, phrase: Phrase | None) -> tuple[tuple[tuple[int, int, str], ...], bool | None, bool]:
        read = self.node.meta.get("read")
        when = (
            *conditions(self.node, self.mine, read, 0),
            *conditions(self.node, self.mine, phrase, 2),
        )
        widens = self.node.target.rules[0].cls == "widen"
        return when, sums(phrase) if widens else None, self.same(read, phrase)

    def same(self, read: Phrase | None, phrase: Phrase | None) -> bool:
        """Whether the text calls the function that the user does, or the operator or method that was measured
        to do the same, as far as is known.
        """
        if self.source.name != self.target.name:
            return False
        if phrase is None or read is None or phrase.callee == read.callee:
            return True
        form = {"operator": "operators", "method": "methods"}.get(phrase.form)
        return form is not None and read.callee in forms(self.target.name, form)

    @cached_property
    def numbers(self) -> list[Operand | None]:
        """Of each of `mine`, the number that the text has for an array of one, since in the example both say
        the same.
        """
        return list(map(self.bare_number, self.mine))

    def bare_number(self, value: Any) -> Operand | None:
        node = self.node
        if len(node.args) != 2 or node.target.rules[0].cls not in HOMOGENEOUS or not isinstance(value, Node):
            return None
        if is_plain(value, self.target) and value in node.args and beside(node, value) is not None:
            return Operand(0, PYTHON[float], "python")
        index = next((i for i, a in enumerate(node.args) if raw(a) is value), None)
        found = value if index is None else bare(node, index)
        return None if isinstance(found, Node) else python(found)

    @cached_property
    def others(self) -> Sequence[Node]:
        """The arrays among the operands that have no say in the dtype, where some have."""
        rule = self.node.target.rules[0]
        weighs = rule.over is not None and rule.cls != "same"
        return [a for a in self.arrays if a not in self.mine] if weighs else []
