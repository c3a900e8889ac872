"""Which construct is written by which function; what stands in no table is left to Python, part by part."""

from __future__ import annotations

import ast

from . import (
    access,
    assign,
    attempt,
    boolean,
    branch,
    calls,
    comprehensions,
    contexts,
    errors,
    exits,
    functions,
    loops,
    match,
    operators,
    strings,
    trying,
    variables,
)
from .walk import Rules

RULES = Rules(
    values={
        attempt.Fails: attempt.fails,
        ast.Attribute: access.attribute,
        ast.BinOp: operators.binary,
        ast.BoolOp: boolean.boolean,
        ast.Call: calls.hooked,
        ast.Compare: operators.compare,
        ast.Dict: calls.dictionary,
        ast.DictComp: comprehensions.comprehension,
        ast.FormattedValue: strings.formatted,
        ast.GeneratorExp: comprehensions.comprehension,
        ast.IfExp: boolean.choice,
        ast.JoinedStr: strings.joined,
        ast.Lambda: functions.lambda_,
        ast.ListComp: comprehensions.comprehension,
        ast.Name: variables.name,
        ast.SetComp: comprehensions.comprehension,
        ast.Starred: calls.starred,
        ast.Subscript: access.subscript,
        ast.UnaryOp: operators.unary,
    },
    tests={
        ast.BoolOp: boolean.boolean_test,
        ast.Compare: operators.compare_test,
        ast.IfExp: boolean.choice_test,
        ast.UnaryOp: operators.unary_test,
    },
    statements={
        ast.AnnAssign: assign.annotated,
        ast.Assert: errors.assert_,
        ast.Assign: assign.assign,
        ast.AsyncFunctionDef: functions.left_alone,
        ast.AugAssign: assign.augmented,
        ast.Break: exits.break_,
        ast.ClassDef: functions.class_,
        ast.Continue: exits.continue_,
        ast.Delete: variables.delete,
        ast.Expr: assign.expression,
        ast.For: loops.for_,
        ast.FunctionDef: functions.function,
        ast.If: branch.if_,
        ast.Match: match.match,
        ast.Raise: errors.raise_,
        ast.Return: exits.return_,
        ast.Try: trying.try_,
        ast.TryStar: trying.try_,
        ast.While: loops.while_,
        ast.With: contexts.with_,
    },
)
