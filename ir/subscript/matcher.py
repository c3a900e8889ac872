"""Matcher: one match under way, by the determination rules, in their order.

Constructor arguments come first, then each input from left to right, each axis from left to right; after
every step, whatever has become known is evaluated. A clash is reported and the first value kept, so that
one error does not hide others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ..sizes.dim import Dim, Shape, Sym, sym
from .expr import Expr
from .form import BATCH, Arg, Form, Let, Term
from .judge import Judge
from .report import shown
from .table import CONSTRUCTOR, WHERE, Table, axes_of, plain, size_of

#: A shape, the argument it is for, and what that is called in messages. The shape of an absent one is None.
Taken: TypeAlias = list[tuple[str, Arg, Shape | None]]
Predicted: TypeAlias = list[tuple[str, Arg, Shape]]
#: What evaluating an expression of a Subscript may raise: its sizes or arguments make no sense.
SENSELESS = (ArithmeticError, LookupError, TypeError, ValueError)
#: What stands in a predicted shape for one axis, or for any number of axes, that could not be determined.
UNKNOWN_AXIS, UNKNOWN_AXES = sym("?"), sym("...")


class Matcher:
    """One match under way."""

    def __init__(self, form: Form, judge: Judge, allow_symbol: bool) -> None:
        self.form = form
        self.allow_symbol = allow_symbol
        self.table = Table(judge)
        self.waiting: list[Let] = list(form.lets)
        self.pending: list[tuple[str, int, Expr, Dim]] = []
        self.lengths: dict[str, int] = {}
        self.each: dict[str, list[Dim]] = {}
        self.missing: dict[str, None] = {}
        self.excused: set[str] = set()  # what a failed input or clause would have determined

    def begin(self, env: Mapping[str, Any], count: int) -> None:
        """Take what the constructor's arguments say."""
        for name in self.form.names:
            if name in env:
                self.give(name, plain(env[name]))
        for arg in self.form.inputs:
            if arg.variadic:
                self.table.values[f"len({arg.name})"] = count - len(self.form.inputs) + 1
        self.settle()

    def give(self, name: str, value: Any) -> None:
        """The constructor's `name` is `value`; None determines no symbol that stands for axes."""
        if name in self.form.dims:
            if value is None:
                return
            try:
                value = tuple(map(size_of, value)) if isinstance(value, tuple) else size_of(value)
            except TypeError:
                self.table.report("expr", f"{name} = {value!r} is no size", symbol=name, got=value)
                return
            if name in self.form.runs and not isinstance(value, tuple):
                value = (value,)
        self.table.values[name] = value
        self.table.origins[name] = CONSTRUCTOR

    def take_all(self, taken: Taken) -> None:
        for label, arg, shape in taken:
            if shape is not None:
                self.take(label, arg, shape)
                self.settle()

    def take(self, label: str, arg: Arg, shape: Shape) -> None:
        if shape == () and self.is_known_scalar(arg):
            return
        widths = self.split(label, arg, shape)
        if widths is None:
            self.excused.update(name for term in arg.terms for name in term.names)
            return
        start = 0
        for term, width in zip(arg.terms, widths):
            self.bind(label, term, start, shape[start : start + width])
            start += width

    def is_known_scalar(self, arg: Arg) -> bool:
        """Whether it is the seed's [scal] where scal = 1, which takes a scalar too."""
        name = arg.terms[0].name if len(arg.terms) == 1 and arg.terms[0].kind == "symbol" else ""
        return self.table.values.get(name) == 1 and self.table.origins.get(name) == WHERE

    def split(self, label: str, arg: Arg, shape: Shape) -> list[int] | None:
        """How many axes each term takes; None, with a report, where they cannot be split so."""
        alone = sum(term.kind == "run" for term in arg.terms) == 1
        widths = [self.width(term, alone) for term in arg.terms]
        rest = len(shape) - sum(width for width in widths if width is not None)
        if widths.count(None) > 1:
            names = " and ".join(str(term) for term, width in zip(arg.terms, widths) if width is None)
            text = f"{label}: failed to determine how many axes {names} take: give the length of all but one"
            self.table.report("undetermined", text, arg=label)
            return None
        if rest < 0 or (rest > 0 and None not in widths):
            least = len(shape) - rest
            bound = f"{'>= ' if None in widths else ''}{least}"
            text = f"{label}: rank must be {bound} but got {len(shape)} (shape {shown(shape)})"
            text += f"; declared [{arg.inside}]"
            self.table.report("rank", text, arg=label, expected=least, got=len(shape))
            return None
        return [rest if width is None else width for width in widths]

    def width(self, term: Term, alone: bool) -> int | None:
        """How many axes a term takes, None where that is open; a run that stands alone takes what is left."""
        value = self.table.values.get(term.name)
        if term.kind != "run":
            return len(value) if term.kind == "symbol" and isinstance(value, tuple) else 1
        if term.name in self.lengths:
            return self.lengths[term.name]
        return None if alone or value is None or term.broadcast or self.is_free(term) else len(axes_of(value))

    def is_free(self, term: Term) -> bool:
        return self.form.free_batch and term.name == BATCH

    def bind(self, label: str, term: Term, start: int, axes: Shape) -> None:
        table = self.table
        match term.kind:
            case "size":
                size: Dim = term.size
                fits = table.judge.fit(axes[0], size) if term.broadcast else table.judge.unify(size, axes[0])
                if fits is None:
                    text = f"{label}: axis {start} must be {size}{' or 1' * term.broadcast} but got {axes[0]}"
                    hint = f"{label} axis {start} should be {size}."
                    details = {"arg": label, "axis": start, "expected": size, "got": axes[0]}
                    table.report("literal", text, **details, suggestion=hint)
            case "expr":
                assert term.expr is not None
                self.pending.append((label, start, term.expr, axes[0]))
                self.settle()
            case "each":
                self.each.setdefault(term.name, []).append(axes[0])
            case "symbol" | "run" if not self.is_free(term):
                if term.broadcast:
                    table.loosen(term.name, axes, label, start)
                else:
                    scalar = term.kind == "symbol" and not isinstance(table.values.get(term.name), tuple)
                    table.fix(term.name, axes, label, start, scalar=scalar)

    def settle(self) -> None:
        """Evaluate every clause, and check every bracketed expression, whose names are known by now."""
        progress = True
        while progress:
            ready = [let for let in self.waiting if self.is_known(let.expr)]
            self.waiting = [let for let in self.waiting if let not in ready]
            for let in ready:
                self.define(let)
            pending, self.pending = self.pending, []
            self.pending = [item for item in pending if not self.solve(*item)]
            progress = bool(ready) or len(self.pending) < len(pending)

    def is_known(self, expr: Expr) -> bool:
        return all(name in self.table.values for name in expr.names)

    def define(self, let: Let) -> None:
        """Take what a clause says, whose names are known."""
        try:
            value = let.expr.value(self.table.values, self.table.judge)
            if let.length:
                self.define_length(let, value)
            elif let.name in self.form.dims or let.name in self.table.values:
                run = let.name in self.form.runs and not isinstance(value, tuple)
                self.table.agree(let.name, (value,) if run else value)
            else:
                self.table.values[let.name] = value
        except SENSELESS as error:
            self.excused.add(let.name)
            self.table.report("expr", f"{let}: {error}", symbol=let.name)

    def define_length(self, let: Let, value: Any) -> None:
        if not isinstance(value, int) or value < 0:
            raise ValueError(f"{value} is no number of axes")
        if any(arg.variadic and arg.name == let.name for arg in self.form.outputs):
            self.table.values[f"len({let.name})"] = value
            return
        self.lengths[let.name] = value
        known = self.table.values.get(let.name, self.table.loose.get(let.name))
        if known is not None and len(axes_of(known)) != value:
            got = len(axes_of(known))
            text = f"len({let.name}) should be {value}, but determined as {got}"
            self.table.report("let", text, symbol=let.name, expected=value, got=got)

    def solve(self, label: str, axis: int, expr: Expr, got: Dim) -> bool:
        """Check `expr` against its axis, or solve it for its one unknown; False where it must wait."""
        table = self.table
        unknown = [name for name in expr.names if name not in table.values]
        if not unknown:
            try:
                value = axes_of(expr.value(table.values, table.judge))
            except SENSELESS as error:
                table.report("expr", f"{label}: ({expr}): {error}", arg=label, axis=axis, got=got)
                return True
            if len(value) != 1 or table.judge.unify(value[0], got) is None:
                text = f"{label}: axis {axis} does not fit: {expr} = {', '.join(map(str, value))} got {got}"
                table.report("expr", text, arg=label, axis=axis, expected=value, got=got)
            return True
        name = unknown[0]
        if len(unknown) > 1 or name in table.loose or name in self.each:
            return False
        parts = self.affine(expr, name)
        if parts is None:
            return False
        slope, rest = parts
        solution = (got - rest) // slope
        negative = isinstance(solution, int) and solution < 0
        if negative or not table.judge.holds("==", (got - rest) % slope, 0):
            self.excused.add(name)
            text = f"{label}: axis {axis}: {expr} = {got} has no integer solution for {name}"
            table.report("expr", text, arg=label, axis=axis, symbol=name, got=got)
        else:
            table.fix(name, (solution,), label, axis, scalar=True)
        return True

    def affine(self, expr: Expr, name: str) -> tuple[Dim, Dim] | None:
        """(a, b) where `expr` is a * name + b with a other than 0."""
        unknown = f"?{name}"  # no size of a user's is called so
        judge = Judge()
        try:
            value = expr.value({**self.table.values, name: sym(unknown)}, judge)
        except SENSELESS:
            return None
        if not isinstance(value, Sym) or judge.constraints:
            return None
        parts = value.linear_in(unknown)
        return parts if parts and parts[0] != 0 else None

    def finish(self) -> Predicted:
        """Everything that had to wait for the last input, and the outputs."""
        self.table.settle_loose(self.form.runs)
        for name, sizes in self.each.items():
            self.table.fix(name, tuple(sizes), "the inputs", scalar=False)
        self.settle()
        for expr in [let.expr for let in self.waiting] + [expr for _, _, expr, _ in self.pending]:
            self.miss(expr)
        for expr in self.form.constraints:
            self.check(expr)
        outputs = [
            out for number, arg in enumerate(self.form.outputs, 1) for out in self.predict(arg, number)
        ]
        defined = {let.name for let in self.waiting}
        for name in self.missing:
            if name not in self.excused and name not in defined:
                self.table.report("undetermined", f"failed to determine this symbol: {name}", symbol=name)
        return outputs

    def miss(self, expr: Expr) -> None:
        self.missing.update(dict.fromkeys(name for name in expr.names if name not in self.table.values))

    def check(self, expr: Expr) -> None:
        table = self.table
        if not self.is_known(expr):
            self.miss(expr)
            return
        values = ", ".join(f"{name} = {table.values[name]}" for name in expr.names)
        try:
            if not expr.truth(table.values, table.judge):
                table.report("constraint", f"constraint failed: {expr} ({values})")
        except SENSELESS as error:
            table.report("expr", f"{expr}: {error} ({values})")

    def predict(self, arg: Arg, number: int) -> Predicted:
        """The output, or the outputs, that `arg` stands for, as far as they are known."""
        label = arg.name or f"output {number}"
        if not arg.variadic:
            return [(label, arg, self.shape(arg, 0))]
        tuples = [self.table.values.get(term.name) for term in arg.terms if term.kind == "each"]
        count = next((len(sizes) for sizes in tuples if isinstance(sizes, tuple)), None)
        count = self.table.values.get(f"len({arg.name})", count)
        if count is None and not tuples:
            self.missing[f"len({arg.name})"] = None
        copies = range(1 if count is None else count)
        return [(f"{label}[{copy}]", arg, self.shape(arg, copy)) for copy in copies]

    def shape(self, arg: Arg, copy: int) -> Shape:
        sizes: list[Dim] = []
        for term in arg.terms:
            try:
                found = self.axes(term, copy)
            except SENSELESS as error:
                found = (UNKNOWN_AXIS,)
                self.complain(f"{term}: {error}", term)
            if any(isinstance(size, int) and size < 0 for size in found):
                self.complain(f"{term} = {', '.join(map(str, found))} is negative", term)
            sizes += found
        return tuple(sizes)

    def axes(self, term: Term, copy: int) -> Shape:
        """The sizes that a term of an output stands for."""
        values = self.table.values
        if term.kind == "size":
            return (term.size,)
        if term.expr is not None:
            if self.is_known(term.expr):
                return axes_of(term.expr.value(values, self.table.judge))
            self.miss(term.expr)
            return (UNKNOWN_AXIS,)
        if term.name in values:
            value = values[term.name]
            return (value[copy],) if term.kind == "each" else axes_of(value)
        if self.allow_symbol and term.kind == "symbol":
            return (sym(term.name),)
        self.missing[term.name] = None
        return (UNKNOWN_AXES if term.kind == "run" else UNKNOWN_AXIS,)

    def complain(self, text: str, term: Term) -> None:
        if all(report.text != text for report in self.table.reports):
            self.table.report("expr", text, symbol=term.name or None)
