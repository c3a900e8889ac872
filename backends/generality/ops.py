"""The ops of a function, typed in source and target for all that may reach them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from ...ir.graphs.graph import Node
from ...ir.graphs.static import Scalar, number_leaves
from ...ir.meaning.op import REGISTER, Op
from ...ir.passes.fold import raw
from ...ir.values.dtypes import PYTHON, DType
from ...ir.values.spec import Spec
from ..backend import Backend
from ..lowering.masks import is_mask, written_number
from ..typing import Operand
from ..unions import keeps
from ..writing.numbers import exact, is_strong
from . import writing
from .arguments import GIVEN, Arguments
from .calls import Inside
from .held import Held, are_own, converted, follows, given_as, is_float, numbers, rows, strong, unsettled
from .operands import as_given, cast_of, compiled, form_of, number_of, path_of, python, wanted_of
from .spelled import ANYHOW, Step
from .spoken import all_alike, is_free, on_tape, one_dtype, rebinds
from .variants import Answer, Element, Place, Question, Side, Spelling, answer, kind
from .wording import Wording

#: Operands that hang together, by the argument that decides them.
Groups: TypeAlias = dict[Any, list[Held]]
#: A write at a mask as JAX has it: where(mask, value, x).
CHOSEN = (Step("promote", "where", ((0, None), (1, None)), None),)


class Ops:
    """What values may be, by node. `sure`: whether the op at hand is run whatever the arguments are, and what
    the source refuses there needs no check; `multiplies`: see Wording. `floats`: what floats among the
    arguments are given as."""

    def __init__(
        self, arguments: Arguments | Inside, target: Backend, source: Backend, floats: type = float
    ) -> None:
        self.arguments = arguments
        self.target = target
        self.source = source
        self.floats = floats
        self.known: dict[Node, Any] = {}
        self.sure = True
        self.multiplies = False
        self.depth = 0

    # What a value may be.

    def held(self, value: Any) -> Held | None:
        """None for what is no array."""
        if not isinstance(value, Node) or not isinstance(value.spec, Spec):
            return None
        found = self.known.get(value)
        if found is None and (path := path_of(value)) is not None:
            found = self.known[value] = self.leaf(value, path)
        if isinstance(found, Held):
            return found
        dtype = value.spec.dtype
        return None if dtype is None else self.anything(dtype, self.arguments.all)

    def element(self, dtype: DType, form: str = "array") -> Element:
        return given_as((dtype,), form, self.target.x64)[dtype]

    def fixed(self, dtype: DType, form: str = "array") -> Held:
        """What is of one dtype whatever the arguments are."""
        made = self.element(dtype, form)
        if not self.target.weak:
            made = made._replace(given_form="array")
        return Held(made, {made: made}, None, frozenset())

    def anything(self, dtype: DType, behind: frozenset[str]) -> Held:
        """What may be of any dtype that an argument may be of."""
        usual = self.element(dtype)
        options = self.arguments.options(behind)
        made = [usual, *(self.element(d) for d in GIVEN if d in options and d != dtype)]
        return Held(usual, {e: e for e in made}, None, behind)

    def leaf(self, node: Node, path: str) -> Held | None:
        """An array among the arguments; None for what is none."""
        given = self.arguments.given_as(path)
        if given is None:
            return None
        options, leaf = given
        by = given_as(options, form_of(node), self.target.x64)
        return Held(node.spec.dtype, by, leaf, frozenset((path,)), follows=True)

    def joined(self, *several: Held | None) -> Held | None:
        """What is one thing or another."""
        found = [h for h in several if h is not None]
        arrays = [h for h in found if not h.number]
        if not arrays:
            numbers = {e: e for h in found for e in h.by.values()}
            return replace(found[0], by=numbers) if found else None
        first = arrays[0]
        if len(arrays) < len(found):  # the text says the number in the kind of the example
            self.only_kind(arrays)
            self.no_wider(arrays, [h for h in found if h.rounded])
        mixed = len(arrays) < len(found) or any(h.mixed for h in arrays)
        follows = all(h.follows for h in arrays)
        found = arrays
        if all(h.leaf == first.leaf is not None for h in found):
            by: dict[Any, Element] = {}
            if all(by.setdefault(key, e) == e for h in found for key, e in h.by.items()):
                return Held(first.example, by, first.leaf, first.behind, mixed=mixed, follows=follows)
        elements = {e: e for h in found for e in h.by.values()}
        usual = first.usual
        behind = frozenset().union(*(h.behind for h in found))
        if self.target.traces:  # the text has what a region carries, of which nobody knows
            usual, elements = unsettled(usual), {unsettled(e): unsettled(e) for e in elements}
        return Held(usual, {usual: usual, **elements}, None, behind, mixed=mixed, follows=follows)

    def no_wider(self, arrays: Iterable[Held], rounded: Sequence[Held]) -> None:
        """Let these be of the example's dtype where one of more bits would hold a number that the text has
        in fewer.
        """
        bits = [held.usual.given.bits for held in rounded]
        for held in arrays if bits else ():
            if any(e.dtype.is_inexact and e.dtype.bits > min(bits) for e in held.by.values()):
                self.arguments.exactly(held.behind)

    def only_kind(self, arrays: Iterable[Held]) -> None:
        """Let these be of the kind of the example."""
        for held in arrays:
            for other in {kind(e) for e in held.by.values()} - {kind(held.usual), "half"}:
                self.arguments.blame(held.behind, other)

    # Ops.

    def op(self, node: Node) -> Any:
        op: Op = node.target
        if op.rules[0].cls == "free":
            return self.free(node)
        wording = self.wording(node)
        if wording.watched:
            writing.look(self, node)
        mine, given = wording.mine, [self.held(v) if typed else None for v, typed in wording.typed]
        if any(held is None and typed for held, (_, typed) in zip(given, wording.typed)):
            self.arguments.exactly(self.arguments.all)  # of several dtypes, who knows why
            return self.several(node, None)
        groups: Groups = {}
        places = [
            self.place(value, groups, number, wording.compares, cast, held)
            for value, held, number, cast in zip(mine, given, wording.numbers, wording.casts)
        ]
        arrays = [held for held in given if held is not None]
        if self.floats is not float and all(held.usual.dtype.is_inexact for held in arrays):
            places = [self.of_type(place, value) for place, value in zip(places, mine)]
        if not arrays:
            return self.of_numbers(node, [place.given for place in places])
        if any(p.scalar is not None and p.scalar.dtype is None for p in places):
            return self.several(node, None)
        if wording.others:
            self.beside(wording)
        self.multiplies = wording.multiplies
        if wording.wider:
            for held in arrays:
                if kind(held.usual) == "half":
                    self.arguments.exactly(held.behind)
                else:
                    self.arguments.blame(held.behind, "half")
        mixed = self.source.name != self.target.name and any(h.mixed for h in arrays)
        if mixed and not self.target.compiles:  # a number among them may be one in the text
            self.only_kind(h for h in arrays if not h.mixed)
        if wording.wanted is None:
            return self.several(node, None)
        spelled = self.spelled(wording, groups)
        writing.positions(self, node, spelled)
        when, sums, same = wording.spoken if spelled is None else wording.unspoken
        question = Question(
            op.rules[0].cls, op.name, node.meta.get("asked"), tuple(places),
            tuple((columns[0].example, rows(columns)) for columns in groups.values()),
            spelled, wording.dropped, when, wording.wanted, sums, same,
        )  # fmt: skip
        if self.target.compiles and any(h.mixed for h in arrays):
            self.as_numbers(question, list(groups.values()))
        made = self.answered(question, list(groups.values()))
        if made is not None and made.usual.form == "weak" and node.form == "array":
            made = strong(made)
        if made is not None and mixed and all(h.mixed for h in arrays):
            made = replace(made, mixed=True)
        if made is not None and follows(op.rules[0], arrays, any(map(is_float, mine))):
            made = replace(made, follows=True)
        return self.several(node, made)

    def of_numbers(self, node: Node, numbers: Sequence[Operand | None]) -> Any:
        """An array that is made of numbers. JAX's are weak, and some that a compiled loop carries."""
        dtype = wanted_of(node)
        made = self.several(node, None)
        carried = any(number is not None and number.form == "either" for number in numbers)
        if dtype is None or not carried and not self.target.weakens(self.source):
            return made
        element = self.element(dtype, "weak" if carried else "array")._replace(given_form="either")
        loose = Held(element, {element: element}, None, frozenset())
        return [loose, *made[1:]] if isinstance(made, list) else loose

    def as_numbers(self, question: Question, groups: list[list[Held]]) -> None:
        """See to it that it comes out alike on the way on which an operand is a number, where what is
        compiled has an array.
        """
        ways = [[numbers(held) if held.mixed else held for held in columns] for columns in groups]
        table = tuple((columns[0].example, rows(columns)) for columns in ways)
        self.answered(question._replace(groups=table), ways)

    def wording(self, node: Node) -> Wording:
        """What is known of an op whatever its operands are."""
        known: dict[Node, Wording] = self.arguments.wordings
        if node not in known:
            known[node] = Wording(node, self.target, self.source)
        return known[node]

    def beside(self, wording: Wording) -> None:
        """Let floats that have no say in an op's dtype have that of those that do."""
        floats = [h for h in map(self.held, wording.others) if h is not None and kind(h.usual) == "float"]
        first = [h for h in [self.held(wording.mine[0])] if h is not None]
        for held in floats:
            both = frozenset().union(*(h.behind for h in (held, *first)))
            if len(held.by) > 1 and self.arguments.may_be_alike(both):
                checked = not (self.sure and one_dtype(wording.node, self.source)) or self.depth > 0
                if checked or are_own((held, *first), self.arguments.ever):
                    self.arguments.join(both, checked=checked)

    def place(
        self, value: Any, groups: Groups, bare: Operand | None = None, compares: bool = False,
        cast: DType | None = None, held: Held | None = None,
    ) -> Place:  # fmt: skip
        """Where an operand stands among the groups, which it joins. `bare`: the number that the text has for
        an array of one; `held`: what it may be, of an array, if that was asked.
        """
        held = held or self.held(value) or self.either(value, compares)
        if held is None or held.number and isinstance(value.target, Op):
            number = python(value if held is None else number_of(value))
            return Place(0, None, 0, number, compiled(value, number, self.target), cast)
        key = held.leaf or id(value)
        columns = groups.setdefault(key, [])
        if held not in columns:
            columns.append(held)
        rank = 0 if isinstance(value.spec, Scalar) else value.spec.rank
        return Place(rank, list(groups).index(key), columns.index(held), None, bare, cast)

    def of_type(self, place: Place, value: Any) -> Place:
        """A float among the arguments as another type of number."""
        floats = isinstance(value, Node) and isinstance(value.spec, Scalar) and value.spec.type is float
        if place.scalar is None or not floats or not any(map(is_free, number_leaves(on_tape(value)))):
            return place
        given = replace(place.scalar, dtype=PYTHON[self.floats])
        return place._replace(scalar=given, given=given if place.given == place.scalar else place.given)

    def either(self, value: Any, compares: bool) -> Held | None:
        """A number of Python's that is of one kind on one way and of another on another: what is compiled
        has the widest. So may an int among the arguments be a float; where a float is only compared, or ints
        make other arrays in the target, nobody checks that it is no int. None for what is none.
        """
        if not isinstance(value, Node) or not isinstance(value.spec, Scalar):
            return None
        forms = value.form
        if isinstance(forms, tuple):
            return self.of_kinds(forms, PYTHON[value.spec.type] if self.target.traces else None)
        compares |= self.source.default_int != self.target.default_int
        others = {bool: (int, float), int: (float,), float: (int,) if compares else ()}
        kinds = (value.spec.type, *others.get(value.spec.type, ()))
        if len(kinds) == 1 or not any(map(is_free, number_leaves(on_tape(value)))):
            return None
        return self.of_kinds([(PYTHON[kind], "python") for kind in kinds], None)

    def of_kinds(self, forms: Sequence[tuple[DType, str]], widest: DType | None) -> Held:
        elements = [Element(dtype, form, widest or dtype, form) for dtype, form in forms]
        return Held(elements[0], {e: e for e in elements}, None, frozenset(), True)

    def spelled(self, wording: Wording, groups: Groups) -> Spelling | None:
        """How the target spells an op out; None where it has a phrase for it."""
        node = wording.node
        update = wording.watched and node.target is REGISTER["update"]
        if update and not self.target.mutable and any(map(is_mask, node.args[2:])):
            base, value = node.args[:2]
            number = written_number(raw(base), value)
            if number is None and is_strong(value):
                number = number_of(value)
            bare = None if number is None else python(number)  # it is written as one
            places = [self.place(raw(base), groups), self.place(raw(value), groups, bare)]
            return Spelling(CHOSEN, tuple(places), None)
        if update and rebinds(node, self.source, self.target):
            bound = Step("", "", ((1, None),), cast_of(node.args[1]))
            return Spelling((bound,), tuple(self.place(raw(v), groups) for v in node.args[:2]), None)
        if wording.is_said:
            return None
        if wording.steps is None:
            return Spelling(None, (), frozenset())
        reachable = {e.dtype for columns in groups.values() for held in columns for e in held.by.values()}
        alike = frozenset(filter(wording.spelled_alike, reachable))
        spelled = [self.place(a, groups) if a in wording.computed else as_given(a) for a in wording.arrays]
        return Spelling(wording.steps, tuple(spelled), alike)

    def answered(self, question: Question, groups: list[list[Held]]) -> Held | None:
        """What comes out, and what must be checked."""
        found = answer(question, *(Side(side.name, side.x64) for side in (self.source, self.target)))
        if found is None:
            return None
        behind = [frozenset().union(*(h.behind for h in columns)) for columns in groups]
        if not any(h.leaf is not None and self.arguments.is_joined(h.leaf) for h in sum(groups, [])):
            self.blame(question, found, groups, behind)
        example = tuple(columns[0].example for columns in groups)
        first = groups[0][0]
        if len(groups) == 1 and first.leaf is not None:
            if self.sure and not self.depth:
                self.arguments.refuse(first.leaf, frozenset(keys[0] for keys in found.refused))
        usual = found.given.get(example)
        if usual is None:
            return None
        if question.cls in ANYHOW and len({*found.given.values()}) == 1:
            return Held(usual, {usual: usual}, None, frozenset())
        if len(groups) == 1 and first.leaf is not None:
            by = {keys[0]: e for keys, e in found.given.items()}
            return Held(first.example, by, first.leaf, behind[0])
        elements = {usual: usual, **{e: e for e in found.given.values()}}
        return Held(usual, elements, None, frozenset().union(*behind))

    def blame(
        self, question: Question, found: Answer, groups: list[list[Held]], behind: list[frozenset[str]]
    ) -> None:
        """Note what must be checked for an op."""
        for i, other in found.kinds:
            self.arguments.blame(behind[i], other)
        leaves = frozenset(c[0].leaf for c in groups if c[0].leaf is not None)
        several = len(groups) == len(leaves) > 1 and all(len(items) > 1 for _, items in question.groups)
        if found.alike or found.exact and self.arguments.may_be_alike(frozenset().union(*behind)):
            self.arguments.join(frozenset().union(*behind) if found.exact else leaves, checked=True)
        elif found.exact:
            self.arguments.exactly(frozenset().union(*(behind[i] for i in found.exact)))
        elif several and (self.multiplies or self.sure and not self.depth):
            if all_alike(found, groups, self.arguments.ever):  # of several dtypes they are refused
                self.arguments.join(leaves, checked=self.multiplies)

    def several(self, node: Node, held: Held | None) -> Any:
        """The results of an op, by what its first is."""
        specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
        rules = node.target.rules
        given = [a for a in node.args if isinstance(a, Node) and isinstance(a.spec, Spec)]
        if len(specs) == len(given) > 1 and rules[0].cls == "same" and rules[0].over is None:
            return [self.held(a) for a in given]  # each of them the one that it is made of
        made: list[Held | None] = []
        for i, spec in enumerate(specs):
            rule = rules[min(i, len(rules) - 1)]
            if not isinstance(spec, Spec) or spec.dtype is None:
                made.append(None)
            elif held is None:
                made.append(self.fixed(spec.dtype, form_of(node) if self.source.weak else "array"))
            elif i == 0 or rule.cls == rules[0].cls:
                made.append(held)
            else:
                made.append(converted(held, rule.cls, self.fixed(spec.dtype)))
        return made if isinstance(node.spec, tuple) else made[0]

    def free(self, node: Node) -> Held | None:
        """An op whose parameter says its dtype; where the text leaves it out, an array says it."""
        if not isinstance(node.spec, Spec) or node.spec.dtype is None:
            return None
        like = self.held(raw(node.args[0])) if node.args else None
        if node.meta.get("number") and "wrote" in node.meta:
            return self.number(node)
        if node.target is REGISTER["cast"] or like is None:
            made = self.element(node.spec.dtype, form_of(node))._replace(given_form=self.literal_form(node))
            return Held(made, {made: made}, None, frozenset(), bool(node.meta.get("number")))
        if node.kwargs.get("dtype") is None or node.meta.get("natural"):
            return like
        narrowed, bare = self.target.narrowed, node.target.natural == "like" and "read" not in node.meta
        if bare and narrowed(like.usual.dtype) == narrowed(node.spec.dtype) and len(like.by) > 1:
            self.arguments.exactly(like.behind)
        return self.fixed(node.spec.dtype)

    def number(self, node: Node) -> Held:
        """A number of Python's, an array since it is one on another way, and what the text has for it."""
        wrote, dtype = PYTHON[node.meta["wrote"]], node.spec.dtype
        if keeps(node, self.target, self.source):
            made = Element(wrote, "python", wrote, "python")
        elif not node.meta.get("typed") and (
            self.target.traces or not self.target.compiles and self.target.name == self.source.name
        ):
            kind = bool if dtype.kind == "bool" else int if dtype.is_integer else float
            said = PYTHON[complex if dtype.kind == "complex" else kind]
            made = Element(wrote, "python", said, "python")
        else:
            made = self.element(dtype)._replace(dtype=wrote, form="python")
            value = number_of(node)
            cut = made.given.is_inexact and (isinstance(value, Node) or not exact(value, made.given))
            return Held(made, {made: made}, None, frozenset(), True, rounded=cut)
        return Held(made, {made: made}, None, frozenset(), True)

    def literal_form(self, node: Node) -> str:
        """The form of a new array in the target: in JAX that of a number is weak, where no dtype is said."""
        value = number_of(node)
        kind = value.spec.type if isinstance(value, Node) else type(value)
        usual = {float: self.target.default_float, int: self.target.default_int}.get(kind)
        weak = self.target.weak and self.target.narrowed(node.spec.dtype) == usual and not is_strong(node)
        return "weak" if weak else "array"
