"""Writer: the straight-line source of a checker, for the shapes that simply fit.

It goes through the Subscript once, in the order in which `match` determines symbols, with no value at hand:
it only has to know which symbols are known by then. A form that would need more (`...`, @, an unknown to
solve for) becomes a call of `_slow`.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable

from .expr import PRIME, Expr
from .form import BATCH, Arg, Form, Let, Term
from .helpers import FUNCTIONS

#: Names that a checker uses itself, so that a symbol of this name gets another.
TAKEN = re.compile(rf"{'|'.join(FUNCTIONS)}|batch|s\d+|_.*|.*_|.*_(axes|len|loose|rank)")
TEMPLATE = """\
def check({parameters}):
    # {text}
    try:
{body}
    except (ArithmeticError, LookupError, TypeError, ValueError):
        pass  # what is wrong, match says
    return {slow}
"""


class Unwritable(Exception):
    """This form is not worth code."""


class Writer:
    """Writes one checker. `known` symbols have a value by now, `dynamic` ones may be tuples."""

    def __init__(self, form: Form, variables: tuple[str, ...]) -> None:
        self.form = form
        self.variables = variables
        self.lines: list[str] = []
        self.known: set[str] = set()
        self.dynamic: set[str] = set()
        self.loose: set[str] = set()
        self.lengths: set[str] = set()
        self.waiting: list[Let] = list(form.lets)
        env = ", ".join(f"{name!r}: {name}" for name in variables)
        self.slow = f"_slow(_shapes, _constraints, {{{env}}})"

    def source(self, text: str) -> str:
        """The whole function."""
        try:
            self.body()
            lines = self.lines
        except Unwritable:
            lines = ["pass  # this form is left to match"]
        keywords = ", ".join(["", "*", *self.variables]) if self.variables else ""
        return TEMPLATE.format(
            parameters=f"_shapes, _constraints=None, /{keywords}",
            text=" ".join(text.split()),
            body="\n".join(f"        {line}" for line in lines),
            slow=self.slow,
        )

    def write(self, line: str) -> None:
        self.lines.append(line)

    def decline_if(self, condition: str) -> None:
        self.write(f"if {condition}:")
        self.write(f"    return {self.slow}")

    def body(self) -> None:
        if any(arg.variadic for arg in (*self.form.inputs, *self.form.outputs)):
            raise Unwritable
        if self.form.runs & self.form.scalars or any(ident(name) != name for name in self.variables):
            raise Unwritable
        for name in self.variables:
            if name in self.form.names:
                self.know(name)
        self.settle()
        self.unpack()
        for number, arg in enumerate(self.form.inputs):
            if arg.optional:
                self.optional(number, arg)
            else:
                if [term.kind for term in arg.terms] == ["run"]:
                    self.decline_if(f"s{number} is None")  # all other shapes are looked into
                self.input(f"s{number}", arg)
                self.settle()
        for name in sorted(self.loose):
            self.write(f"{ident(name)} = {ident(name)}_loose")
            self.known.add(name)
        self.loose.clear()
        self.settle()
        if self.waiting:
            raise Unwritable
        for expr in self.form.constraints:
            self.decline_if(f"not {self.condition(expr)}")
        outputs = [self.shape(arg) for arg in self.form.outputs]
        self.write(f"return {display(outputs)}, (), False, tuple(_shapes)")

    def unpack(self) -> None:
        count = len(self.form.inputs)
        absent = sum(arg.optional for arg in self.form.inputs)
        names = ", ".join(f"s{number}" for number in range(count))
        if not count:
            self.decline_if("_shapes")
        elif absent:
            padded = f"(*_shapes, *(None,) * ({count} - len(_shapes)))"
            self.write(f"{names}{',' * (count == 1)} = _shapes if len(_shapes) == {count} else {padded}")
        else:
            self.write(f"{names if count > 1 else '(s0,)'} = _shapes")

    def know(self, name: str) -> None:
        """Note that a constructor argument or a clause determined `name`, as a size or a tuple of sizes."""
        self.known.add(name)
        if name in self.form.runs:
            self.write(f"{ident(name)} = _axes({ident(name)})")
        elif name in self.form.dims:
            self.dynamic.add(name)
            self.write(f"{ident(name)}_axes = _axes({ident(name)})")

    def settle(self) -> None:
        while ready := self.ready():
            self.waiting = [let for let in self.waiting if let not in ready]
            for let in ready:
                self.define(let)

    def ready(self) -> list[Let]:
        return [let for let in self.waiting if all(name in self.known for name in let.expr.names)]

    def define(self, let: Let) -> None:
        value = self.expression(let.expr)
        name = ident(let.name)
        if let.name in self.loose:
            raise Unwritable
        if let.length:
            self.write(f"{name}_len = {value}")
            self.decline_if(f"{name}_len != len({name})" if let.name in self.known else f"{name}_len < 0")
            self.lengths.add(let.name)
        elif let.name in self.known:
            self.decline_if(f"{name} != {value}")
        else:
            self.write(f"{name} = {value}")
            self.know(let.name)

    def optional(self, number: int, arg: Arg) -> None:
        """The lines for an argument that may be absent: it may not determine what anything else mentions."""
        others = [term for other, term in self.form.terms() if other is not arg]
        mentioned = {name for term in others for name in term.names}
        mentioned |= {name for let in self.form.lets for name in let.expr.names}
        mentioned |= {name for expr in self.form.constraints for name in expr.names}
        for term in arg.terms:
            if any(name not in self.known and (term.broadcast or name in mentioned) for name in term.names):
                raise Unwritable
        before = len(self.lines)
        self.input(f"s{number}", arg)
        inner = self.lines[before:] or ["pass"]
        self.lines[before:] = [f"if s{number} is not None:", *(f"    {line}" for line in inner)]

    def input(self, shape: str, arg: Arg) -> None:
        """The lines that split one shape, and bind or compare each of its pieces."""
        alone = sum(term.kind == "run" for term in arg.terms) == 1
        widths = [self.width(term, alone) for term in arg.terms]
        if widths.count("") > 1:
            raise Unwritable
        opening = widths.index("") if "" in widths else len(widths)
        front, back = widths[:opening], widths[opening + 1 :]
        rank = f"{shape}_rank"
        least = added([*front, *back])
        closed = opening == len(widths)
        unseen = (front and back) or any(term.kind == "any" for term in arg.terms)
        if closed or unseen or not least.isdigit():  # else looking at the axes fails where there are too few
            self.write(f"{rank} = len({shape})")
            self.decline_if(f"{rank} {'!=' if closed else '<'} {least}")
        for number, (term, width) in enumerate(zip(arg.terms, widths)):
            start = added(front[:number])
            stop = added(front[: number + 1])
            if number == opening:
                start, stop = added(front), self.from_end(added(back), rank)
            elif number > opening:
                start = self.from_end(added(widths[number:]), rank)
                stop = self.from_end(added(widths[number + 1 :]), rank)
            whole = start == "0" and stop == ""
            piece = shape if whole else f"{shape}[{start if start != '0' else ''}:{stop}]"
            self.bind(term, f"{shape}[{start}]" if width == "1" else piece)

    @staticmethod
    def from_end(distance: str, rank: str) -> str:
        if distance == "0":
            return ""
        return f"-{distance}" if distance.isdigit() else f"{rank} - ({distance})"

    def width(self, term: Term, alone: bool) -> str:
        """How many axes a term takes, as an expression; "" for what is left."""
        if term.kind != "run":
            dynamic = term.kind == "symbol" and term.name in self.dynamic
            return f"len({ident(term.name)}_axes)" if dynamic else "1"
        if term.name in self.lengths:
            return f"{ident(term.name)}_len"
        free = self.form.free_batch and term.name == BATCH
        if alone or free or term.broadcast or term.name not in self.known:
            return ""
        return f"len({ident(term.name)})"

    def bind(self, term: Term, piece: str) -> None:
        name = ident(term.name)
        match term.kind:
            case "size":
                also = f" and {piece} != 1" if term.broadcast else ""
                self.decline_if(f"{piece} != {term.size}{also}")
            case "expr" if term.expr is not None:
                if any(unknown not in self.known for unknown in term.expr.names):
                    raise Unwritable
                self.decline_if(f"{piece} != {self.expression(term.expr)}")
            case "symbol" if term.name in self.dynamic:
                if term.broadcast:
                    raise Unwritable
                self.decline_if(f"{piece} != {name}_axes")
            case "symbol" | "run" if not (self.form.free_batch and term.name == BATCH):
                if term.broadcast:
                    self.bind_loose(term, name, piece)
                elif term.name in self.known:
                    self.decline_if(f"{piece} != {name}")
                else:
                    self.write(f"{name} = {piece}")
                    self.known.add(term.name)
                    if term.name in self.loose:
                        self.loose.remove(term.name)
                        self.decline_if(self.misfit(term, f"{name}_loose"))

    def bind_loose(self, term: Term, name: str, piece: str) -> None:
        if term.name in self.known:
            self.decline_if(self.misfit(term, piece))
        elif term.name in self.loose:
            join = "_broadcast" if term.kind == "run" else "_stretch"
            self.write(f"if {piece} != {name}_loose:")
            self.write(f"    {name}_loose = {join}({name}_loose, {piece})")
        else:
            self.write(f"{name}_loose = {piece}")
            self.loose.add(term.name)

    def misfit(self, term: Term, piece: str) -> str:
        """The condition under which `piece` does not broadcast to the value of a known symbol."""
        name = ident(term.name)
        if term.kind == "run":
            return f"{piece} != {name} and _broadcast({piece}, {name}) != {name}"
        return f"{piece} != {name} and {piece} != 1"

    def shape(self, arg: Arg) -> str:
        """The expression for an output's shape."""
        pieces: list[str] = []
        single: list[str] = []
        for term in arg.terms:
            if any(name not in self.known for name in term.names):
                raise Unwritable
            if term.kind == "size":
                single.append(str(term.size))
            elif term.kind == "symbol" and term.name not in self.dynamic:
                single.append(ident(term.name))
            else:
                pieces += [display(single)] if single else []
                single = []
                expr = f"_axes({self.expression(term.expr)})" if term.expr else ident(term.name)
                pieces.append(f"{expr}_axes" if term.name in self.dynamic else expr)
        pieces += [display(single)] if single or not pieces else []
        return " + ".join(pieces)

    def expression(self, expr: Expr) -> str:
        """An expression as source that never answers by the look of a symbolic size."""
        if any(name not in self.known for name in expr.names):
            raise Unwritable
        return f"({ast.unparse(_Renamed().visit(_copied(expr)))})"

    def condition(self, expr: Expr) -> str:
        """A constraint as source. At its top == may stand as it is: what is False goes to match anyway."""
        tree = _copied(expr)
        if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
            sides = (Expr(ast.unparse(side), side, expr.names) for side in (tree.left, *tree.comparators))
            return " == ".join(map(self.expression, sides))
        return self.expression(expr)


def ident(name: str) -> str:
    """A symbol as a Python variable."""
    if name == BATCH:
        return "batch"
    word = name.replace("'", PRIME)
    return f"{word}_" if keyword.iskeyword(word) or TAKEN.fullmatch(word) else word


def added(widths: Iterable[str]) -> str:
    """The sum of widths, the numbers among them folded into one."""
    widths = list(widths)
    constant = sum(int(width) for width in widths if width.isdigit())
    others = [width for width in widths if not width.isdigit()]
    return " + ".join([*others, *([str(constant)] if constant or not others else [])])


def display(items: list[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _copied(expr: Expr) -> ast.expr:
    return ast.parse(expr.text.replace("'", PRIME), mode="eval").body


class _Renamed(ast.NodeTransformer):
    """Symbols by their names in the checker; == through `_same`, which answers for known sizes only."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(ident(node.id.replace(PRIME, "'")), node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return ast.Call(node.func, [self.visit(argument) for argument in node.args], [])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) > 1:
            raise Unwritable
        left, right = self.visit(node.left), self.visit(node.comparators[0])
        if not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            return ast.Compare(left, node.ops, [right])
        call = ast.Call(ast.Name("_same", ast.Load()), [left, right], [])
        return call if isinstance(node.ops[0], ast.Eq) else ast.UnaryOp(ast.Not(), call)
