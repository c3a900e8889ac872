"""An expression as one line of text, written by astor and mended here.

What astor does unsafely (it notes on a node how tightly its surroundings bind, so that one which stands twice
may lose its parentheses) or what black would not leave (`x[(0), :]`, 'single quotes') is said again here.

The law: what is parsed from the text is the tree that was given; a tree for which this cannot be is refused.
A node is written by `put`, which is told how tightly the surroundings bind. Nothing is kept on the nodes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .astor_classes import Precedence, SourceGenerator, precedence_data, symbol_data
from .literal import escaped, formatted, literal
from .walking import walked

#: Where parentheses may be added when the line is broken. No text holds these: strings are escaped.
SOFT_OPEN, SOFT_CLOSE = "\x01", "\x02"

# How tightly the surroundings bind: an operator that binds less is put in parentheses.
TIGHT: int = Precedence.highest
TEST: int = Precedence.Or
COMMA: int = Precedence.Comma
TUPLE: int = Precedence.Tuple
# A statement's value has soft parentheses already; VALUE lets a tuple go bare in them, SOLE does not.
VALUE: int = Precedence.Return
SOLE: int = Precedence.call_one_arg

#: What makes black put spaces around the colon of a slice.
WEIGHTY = (
    ast.BoolOp, ast.BinOp, ast.Not, ast.Compare, ast.IfExp, ast.Lambda,
    ast.Call, ast.Attribute, ast.Subscript, ast.Starred,
)  # fmt: skip


class ExpressionWriter(SourceGenerator):  # type: ignore[misc]
    """astor's generator for expressions, with parentheses only where they are needed."""

    visit_Await = visit_Yield = visit_YieldFrom = visit_NamedExpr = None

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.level = TIGHT
        self.quote = '"'
        self.text = self.result.append

    def put(self, node: ast.AST, level: int) -> None:
        """Write `node` where the surroundings bind as tightly as `level`."""
        kind = type(node).__name__
        method = getattr(self, "visit_" + kind, None)
        if method is None:
            raise TypeError(f"{kind} has no place in emitted code")
        self.level = level
        method(node)

    def visit(self, node: ast.AST) -> None:
        """What astor itself comes to: the root, and the names of an import."""
        self.put(node, SOLE)

    def newline(self, node: ast.AST | None = None, extra: int = 0) -> None:
        """There is but one line."""

    def opened(self, bound: int) -> str:
        """Open a parenthesis if the surroundings bind tighter than `bound`; gives what closes it."""
        if bound >= self.level:
            return ""
        self.text("(")
        return ")"

    def said(self, node: ast.AST, level: int) -> str:
        """What `put` would write."""
        start = len(self.result)
        self.put(node, level)
        text = "".join(self.result[start:])
        del self.result[start:]
        return text

    def commas(self, nodes: Iterable[ast.AST]) -> None:
        comma = ""
        for node in nodes:
            if comma:
                self.text(comma)
            self.put(node, COMMA)
            comma = ", "

    # Atoms

    def visit_Name(self, node: ast.Name) -> None:
        self.text(node.id)

    def visit_Constant(self, node: ast.Constant) -> None:
        text = getattr(node, "text", "") or literal(node.value, self.quote)  # as it was spelled
        if type(node.value) in (int, float, complex):
            minus, plus = text.startswith("-"), " " in text
            close = self.opened(Precedence.Add if plus else Precedence.USub) if minus or plus else ""
            text += close
        self.text(text)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        outer, self.quote = self.quote, "'"
        pieces = [(isinstance(part, ast.FormattedValue), self.piece(part)) for part in node.values]
        self.quote = outer
        self.text(formatted(pieces, outer))

    def piece(self, part: ast.expr) -> str:
        """A part of an f-string: escaped text, or an expression in braces."""
        if isinstance(part, ast.Constant):
            return escaped(str(part.value)).replace("{", "{{").replace("}", "}}")
        assert isinstance(part, ast.FormattedValue)
        value = self.said(part.value, TEST).replace(SOFT_OPEN, "").replace(SOFT_CLOSE, "")
        conversion = "" if part.conversion == -1 else "!" + chr(part.conversion)
        form = ""
        if part.format_spec is not None:
            assert isinstance(part.format_spec, ast.JoinedStr)
            form = ":" + "".join(map(self.piece, part.format_spec.values))
            if "{{" in form or "}}" in form:
                raise ValueError(f"no format can hold braces: {form}")
        return f"{{{' ' if value.startswith('{') else ''}{value}{conversion}{form}}}"

    # Displays

    def visit_Tuple(self, node: ast.Tuple) -> None:
        if len(node.elts) > 1:
            close = self.opened(TUPLE)
            self.commas(node.elts)
            self.text(close)
        else:
            self.text("(")
            self.commas(node.elts)
            self.text(",)" if node.elts else ")")

    def visit_List(self, node: ast.List) -> None:
        self.text("[")
        self.commas(node.elts)
        self.text("]")

    def visit_Set(self, node: ast.Set) -> None:
        self.text("{" if node.elts else "{*()")
        self.commas(node.elts)
        self.text("}")

    def visit_Dict(self, node: ast.Dict) -> None:
        comma = "{"
        for key, value in zip(node.keys, node.values, strict=True):
            self.text(comma)
            if key is None:
                self.text("**")
                self.put(value, Precedence.BitOr)
            else:
                self.put(key, COMMA)
                self.text(": ")
                self.put(value, COMMA)
            comma = ", "
        self.text("}" if node.keys else "{}")

    def comprehension(self, brackets: str, parts: list[ast.expr], loops: list[ast.comprehension]) -> None:
        self.text(brackets[0])
        self.put(parts[0], COMMA)
        for part in parts[1:]:
            self.text(": ")
            self.put(part, COMMA)
        for loop in loops:
            if loop.is_async:
                raise TypeError("async for has no place in emitted code")
            self.text(" for ")
            self.put(loop.target, VALUE)
            self.text(" in ")
            self.put(loop.iter, Precedence.comprehension)
            for test in loop.ifs:
                self.text(" if ")
                self.put(test, Precedence.comprehension)
        self.text(brackets[1])

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self.comprehension("[]", [node.elt], node.generators)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self.comprehension("{}", [node.elt], node.generators)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self.comprehension("{}", [node.key, node.value], node.generators)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.comprehension("()", [node.elt], node.generators)

    def visit_Starred(self, node: ast.Starred) -> None:
        self.text("*")
        self.put(node.value, Precedence.BitOr)

    # Trailers

    def visit_Attribute(self, node: ast.Attribute) -> None:
        value = node.value
        if isinstance(value, ast.Constant) and type(value.value) in (int, float):
            self.text(f"({self.said(value, SOLE)})")
        else:
            self.put(value, TIGHT)
        self.text("." + node.attr)

    def visit_Call(self, node: ast.Call) -> None:
        self.put(node.func, TIGHT)
        args, keywords = node.args, node.keywords
        if len(args) == 1 and not keywords:
            if isinstance(args[0], ast.GeneratorExp):
                self.put(args[0], SOLE)
                return
            self.text("(")
            self.put(args[0], SOLE)
        else:
            self.text("(")
            self.arguments(args, keywords)
        self.text(")")

    def arguments(self, args: list[ast.expr], keywords: list[ast.keyword]) -> None:
        self.commas(args)
        comma = ", " if args else ""
        for keyword in keywords:
            self.text(f"{comma}{keyword.arg}=" if keyword.arg else comma + "**")
            self.put(keyword.value, COMMA)
            comma = ", "

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.put(node.value, TIGHT)
        self.text("[")
        index = node.slice
        if isinstance(index, ast.Tuple) and len(index.elts) == 1 and isinstance(index.elts[0], ast.Slice):
            self.put(index.elts[0], COMMA)  # a slice cannot stand in parentheses
            self.text(",")
        else:
            self.put(index, Precedence.Subscript)
        self.text("]")

    def visit_Slice(self, node: ast.Slice) -> None:
        parts = [part for part in (node.lower, node.upper, node.step) if part]
        space = " " if any(isinstance(inner, WEIGHTY) for part in parts for inner in walked(part)) else ""
        if node.lower:
            self.put(node.lower, TEST)
            self.text(space)
        self.text(":")
        if node.upper:
            self.text(space)
            self.put(node.upper, TEST)
        if node.step:
            self.text(space + ":" + space if node.upper else ":" + space)
            self.put(node.step, TEST)

    # Operators

    def visit_BinOp(self, node: ast.BinOp) -> None:
        bound = precedence_data[type(node.op)]
        close = self.opened(bound)
        if isinstance(node.op, ast.Pow):
            self.put(node.left, bound + 1)
            self.text(" ** ")
            self.put(node.right, Precedence.PowRHS)
        else:
            spine = [node]  # a sum of a thousand terms is a thousand deep on its left
            while isinstance(left := spine[-1].left, ast.BinOp) and not isinstance(left.op, ast.Pow):
                if precedence_data[type(left.op)] < bound:
                    break
                bound = precedence_data[type(left.op)]
                spine.append(left)
            self.put(spine[-1].left, bound)
            for term in reversed(spine):
                self.text(f" {symbol_data[type(term.op)]} ")
                self.put(term.right, precedence_data[type(term.op)] + 1)
        self.text(close)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        bound = precedence_data[type(node.op)]
        close = self.opened(bound)
        operand = node.operand
        if isinstance(node.op, ast.Not):
            self.text("not ")
            self.put(operand, bound)
        else:
            self.text(symbol_data[type(node.op)])
            power = isinstance(operand, ast.BinOp) and isinstance(operand.op, ast.Pow)
            twice = isinstance(operand, ast.UnaryOp) and type(operand.op) is type(node.op)
            self.put(operand, TIGHT if power or twice else bound)  # black writes -(x**2), and people -(-x)
        self.text(close)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        bound = precedence_data[type(node.op)]
        close = self.opened(bound)
        word = ""
        for value in node.values:
            self.text(word)
            self.put(value, bound + 1)
            word = f" {symbol_data[type(node.op)]} "
        self.text(close)

    def visit_Compare(self, node: ast.Compare) -> None:
        close = self.opened(Precedence.Eq)
        self.put(node.left, Precedence.Eq + 1)
        for op, right in zip(node.ops, node.comparators, strict=True):
            self.text(f" {symbol_data[type(op)]} ")
            self.put(right, Precedence.Eq + 1)
        self.text(close)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        bound = Precedence.IfExp
        soft = bound >= self.level and self.level not in (VALUE, SOLE)
        if soft:
            self.text(SOFT_OPEN)
        close = SOFT_CLOSE if soft else self.opened(bound)
        self.put(node.body, bound + 1)
        self.text(" if ")
        self.put(node.test, bound + 1)
        self.text(" else ")
        self.put(node.orelse, bound)
        self.text(close)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        close = self.opened(Precedence.Lambda)
        parameters = self.parameters(node.args)
        self.text(f"lambda {parameters}: " if parameters else "lambda: ")
        self.put(node.body, Precedence.Lambda)
        self.text(close)

    def parameters(self, node: ast.arguments) -> str:
        positional = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(positional) - len(node.defaults)) + node.defaults
        pieces = [self.parameter(*pair) for pair in zip(positional, defaults, strict=True)]
        if node.posonlyargs:
            pieces.insert(len(node.posonlyargs), "/")
        if node.vararg or node.kwonlyargs:
            pieces.append("*" + (self.parameter(node.vararg) if node.vararg else ""))
        pieces += [self.parameter(*pair) for pair in zip(node.kwonlyargs, node.kw_defaults, strict=True)]
        if node.kwarg:
            pieces.append("**" + self.parameter(node.kwarg))
        return ", ".join(pieces)

    def parameter(self, node: ast.arg, default: ast.expr | None = None) -> str:
        annotation = f": {self.annotation(node.annotation)}" if node.annotation else ""
        if not default:
            return node.arg + annotation
        return f"{node.arg}{annotation}{' = ' if annotation else '='}{self.said(default, COMMA)}"

    def annotation(self, node: ast.expr) -> str:
        text = self.said(node, COMMA)
        union = isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)
        return f"{SOFT_OPEN}{text}{SOFT_CLOSE}" if union or isinstance(node, ast.List) else text
