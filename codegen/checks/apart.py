"""Apart: where the checks of a function go. What whoever calls a function of the user's has checked already
is not checked again; and many checks stand in a function of their own, below those of the user's, of which
there is a call where they stood.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any

from ..text.line_breaking import WIDTH
from ..text.unparsing import unparsed
from ..text.walking import dumped, walked
from .guards import is_path
from .needless import is_needless

#: So many checks, and lines of such, stand where the function begins.
MOST, LINES = 3, 4
SAYS = "What the arguments must be."
#: The methods by which Python's containers are changed.
CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem appendleft popleft".split()
)
#: The expressions by which containers are made.
DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
#: The functions of a file, by the names by which they call each other.
Functions = Mapping[str, ast.FunctionDef]


def leading(statements: Sequence[ast.stmt], checks: Collection[ast.stmt]) -> int:
    """How many of the first statements are checks."""
    known = {id(check) for check in checks}
    return next((i for i, each in enumerate(statements) if id(each) not in known), len(statements))


def checks_of(function: ast.FunctionDef) -> list[ast.stmt]:
    """The checks with which a function begins, behind its docstring."""
    first, count = getattr(function, "checks", (0, 0))
    return function.body[first : first + count]


def are_many(checks: Collection[ast.stmt]) -> bool:
    """Whether checks stand in a function of their own; those in loops count, and the loops."""
    loops = [check for check in checks if isinstance(check, ast.For)]
    every = [*checks, *(inner for loop in loops for inner in loop.body)]
    return len(every) > MOST or sum(map(lines_of, every)) > LINES


def lines_of(check: ast.stmt) -> int:
    """How many lines a check takes, without those in it."""
    return 3 if isinstance(check, ast.Assert) and len(unparsed(check)) > WIDTH - 4 else 1


def replace(function: ast.FunctionDef, checks: Sequence[ast.stmt]) -> None:
    first, count = getattr(function, "checks", (0, 0))
    function.body[first : first + count] = checks
    function.checks = (first, len(checks))  # type: ignore[attr-defined]


# What callers have checked.


def checked_by_callers(entry: ast.FunctionDef, defs: Functions) -> bool:
    """Take from each function the checks that whoever calls it makes of the same, before all else. Where
    containers are changed meanwhile, only those of arrays that are in none. Returns whether there were any.
    """
    functions = [entry, *defs.values()]
    sites: dict[str, list[tuple[ast.Call, ast.FunctionDef, set[str]]]] = {}
    mentioned, changing = Counter[str](), False
    bound: dict[int, frozenset[str]] = {}
    for caller in functions:
        known = {atom for check in checks_of(caller) for atom in atoms(check)}
        statements = [(each, walked(each)) for each in caller.body]
        here, own = set[int](), own_containers(caller, [each for _, nodes in statements for each in nodes])
        for node in (node for _, nodes in statements for node in nodes):
            if isinstance(node, ast.Name):
                mentioned[node.id] += 1
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in defs:
                sites.setdefault(node.func.id, []).append((node, caller, known))
                here.add(id(node))
            changing = changing or changes_container(node, own)
        bound |= bound_before(statements, here) if here else {}
    fewer = False
    for name, function in defs.items():
        calls = sites.get(name, [])
        if not calls or mentioned[name] != len(calls):  # it is handed on
            continue
        given = [(arguments(call, function, caller, bound[id(call)]), known) for call, caller, known in calls]
        checks = checks_of(function)
        kept = [
            check
            for check in checks
            if not all(is_needless(check, function, call, caller) for call, caller, _ in calls)
            and (
                changing and looks_inside(check)
                or not all(is_said(check, function, args, known) for args, known in given)
            )
        ]
        replace(function, kept)
        fewer = fewer or len(kept) < len(checks)
    return fewer


def folded(entry: ast.FunctionDef, defs: Functions) -> dict[str, ast.FunctionDef]:
    """The functions without those that are as others are, now that these check as little: whoever calls them
    calls the others.
    """
    left = dict(defs)
    while True:
        known: dict[Any, str] = {}
        twins = {name: known.setdefault(body(made), name) for name, made in left.items()}
        if len(known) == len(left):
            return left
        for name, twin in twins.items():
            if twin != name:
                left[twin].graphs = [*graphs_of(left[twin]), *graphs_of(left.pop(name))]  # type: ignore[attr-defined]
        for function in (entry, *left.values()):
            for node in walked(function):
                if isinstance(node, ast.Name):
                    node.id = twins.get(node.id, node.id)


def body(function: ast.FunctionDef) -> tuple[Any, Hashable]:
    """What tells a function from others: the name that the user gave it, and its text."""
    own = getattr(function, "own", None)
    whole = ast.FunctionDef("", function.args, function.body, function.decorator_list, function.returns)
    return own.node.name if own is not None else function.name, dumped(whole)


def graphs_of(function: ast.FunctionDef) -> list[Any]:
    """The graphs that a function was written for; none of those of our own."""
    return [*getattr(function, "graphs", ())]


def looks_inside(check: ast.stmt) -> bool:
    """Whether a check may be about what is in a container."""
    return any(isinstance(node, (ast.Subscript, ast.Call, ast.For)) for node in walked(check))


def own_containers(function: ast.FunctionDef, nodes: Sequence[ast.AST]) -> set[str]:
    """The names of a function that stand for containers that it has made itself, whenever it binds them."""
    made = Counter[str]()
    for target, value in bindings(nodes):
        if isinstance(target, ast.Name) and isinstance(value, DISPLAYS):
            made[target.id] += 1
    bound = Counter(n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    parameters = {arg.arg for arg in walked(function.args) if isinstance(arg, ast.arg)}
    return {name for name, often in made.items() if often == bound[name]} - parameters


def bindings(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """What is bound to what: `a, b = [], []` binds two."""
    for node in nodes:
        match node:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
                yield from zip(targets, values)
            case ast.Assign(targets, value):
                yield from ((target, value) for target in targets)
            case ast.AnnAssign(target, value=value):
                yield target, value


def changes_container(node: ast.AST, own: Collection[str]) -> bool:
    """Whether a part of a statement may change a container, apart from those that a function has made."""
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        changes = not isinstance(node.ctx, ast.Load) and is_path(node) and not is_whole(node)
        changed: ast.expr = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        changes = node.func.attr in CHANGING and is_path(node.func.value)
        changed = node.func.value
    else:
        return False
    return changes and not (isinstance(changed, ast.Name) and changed.id in own)


def is_whole(node: ast.Attribute | ast.Subscript) -> bool:
    """Whether `x[...]` is meant, which only arrays have."""
    key = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(key, ast.Constant) and key.value is ...


def arguments(
    call: ast.Call, function: ast.FunctionDef, caller: ast.FunctionDef, bound: Collection[str]
) -> dict[str, ast.expr]:
    """What a call gives for the parameters of a function, where that is what its caller was given, or a part
    of it. `bound`: the names that the caller may have bound by then.
    """
    own = caller.args
    parameters = {arg.arg for arg in (*own.posonlyargs, *own.args, *own.kwonlyargs)}
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    if any(isinstance(arg, ast.Starred) for arg in call.args) or function.args.vararg:
        return {}
    found = dict(zip(names, call.args)) | {k.arg: k.value for k in call.keywords if k.arg is not None}
    parameters.difference_update(bound)
    return {name: arg for name, arg in found.items() if is_path(arg) and root(arg) in parameters}


def bound_before(
    statements: Sequence[tuple[ast.stmt, Sequence[ast.AST]]], calls: Collection[int]
) -> dict[int, frozenset[str]]:
    """The names that a function may have bound when it makes each of these calls, by their identity. A
    function in it, and a comprehension, have names of their own.

    Args:
        statements: those of its body, each with all that is in it.
    """
    bound: set[str] = set()
    for part in (part for _, parts in statements for part in parts):
        if isinstance(part, ast.arg):
            bound.add(part.arg)
        elif isinstance(part, ast.comprehension):
            bound |= {node.id for node in walked(part.target) if isinstance(node, ast.Name)}
    found: dict[int, frozenset[str]] = {}
    for statement, parts in statements:
        here = [id(part) for part in parts if id(part) in calls]
        before = frozenset(bound) if here else frozenset()
        bound |= {n.id for n in parts if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        if here:
            # These bind when the call has ended.
            late = isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.Return))
            found |= dict.fromkeys(here, before if late else frozenset(bound))
    return found


def root(path: ast.AST) -> str:
    names = (node.id for node in walked(path) if isinstance(node, ast.Name))
    return next(names, "")


def is_said(
    check: ast.stmt, function: ast.FunctionDef, given: Mapping[str, ast.expr], known: Collection[str]
) -> bool:
    """Whether a check of a function's parameters is one that is known of what it is given."""
    own = {arg.arg for arg in walked(function.args) if isinstance(arg, ast.arg)}
    read = {node.id for node in walked(check) if isinstance(node, ast.Name)} & own
    if not read <= given.keys():
        return False
    said = atoms(put_in(check, given))
    return all(atom in known or is_implied(atom, known) for atom in said)


#: The signs of what a check that raises asks, and of what it so says.
SAYING: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.NotEq: ast.Eq}


def claim(atom: str) -> tuple[ast.expr, type[ast.cmpop], ast.expr] | None:
    """The comparison that something says that is checked, in either form of checks."""
    match ast.parse(atom).body:
        case [ast.Expr(ast.Compare(left, [sign], [right]))]:
            return left, type(sign), right
        case [ast.If(ast.Compare(left, [sign], [right]))] if type(sign) in SAYING:
            return left, SAYING[type(sign)], right
    return None


def is_implied(atom: str, known: Collection[str]) -> bool:
    """Whether it is said which keys a dict has, and that one of them is, or is not, among these."""
    match claim(atom):
        case ast.Constant(key), (ast.In | ast.NotIn) as sign, dictionary:
            wholes = f"list({unparsed(dictionary)})", f"{unparsed(dictionary)}.keys()"
            said = [claim(each) for each in known if any(whole in each for whole in wholes)]
            listed = [c[2] for c in said if c and c[1] is ast.Eq and unparsed(c[0]) in wholes]
            return any((key in held) == (sign is ast.In) for held in map(constants, listed) if held)
    return False


def constants(listed: ast.expr) -> list[Any]:
    """What a list or set holds; nothing where it holds more than constants."""
    items = listed.elts if isinstance(listed, (ast.List, ast.Set)) else []
    found = [each.value for each in items if isinstance(each, ast.Constant)]
    return found if len(found) == len(items) else []


def put_in(code: Any, given: Mapping[str, ast.expr]) -> Any:
    """Some code with these expressions in the place of names. Made anew: parts of code may be one object."""
    match code:
        case ast.Name(name):
            return given.get(name, code)
        case list():
            return [put_in(each, given) for each in code]
        case ast.AST():
            return type(code)(**{field: put_in(value, given) for field, value in ast.iter_fields(code)})
    return code


def atoms(check: ast.stmt) -> Iterator[str]:
    """What a check says, in parts: `a.ndim == b.ndim == 2` says two things."""
    match check:
        case ast.For(ast.Name(each), ast.Tuple(every), [inner]):
            for one in every:
                yield from atoms(put_in(inner, {each: one}))
        case ast.Assert(ast.Compare(left, signs, values)) if all(isinstance(s, ast.Eq) for s in signs):
            for one in (left, *values[:-1]):
                yield unparsed(ast.Compare(one, [ast.Eq()], [values[-1]]))
        case ast.Assert(test):
            yield unparsed(test)
        case _:
            yield unparsed(check)


# A function of their own.


def set_apart(function: ast.FunctionDef, name: str, call: str) -> ast.FunctionDef:
    """Give the checks of a function to one of their own, which it calls.

    Args:
        name: that of the other; `call`: that by which it is called.
    """
    checks = checks_of(function)
    own = function.args
    parameters = [*own.posonlyargs, *own.args, own.vararg, *own.kwonlyargs, own.kwarg]
    read = {n.id for check in checks for n in walked(check) if isinstance(n, ast.Name)}
    given = [arg.arg for arg in parameters if arg is not None and arg.arg in read]
    says = ast.Expr(ast.Constant(SAYS))
    taken = ast.arguments([], [ast.arg(name) for name in given], None, [], [], None, [])
    called = ast.Call(ast.Name(call, ast.Load()), [ast.Name(name, ast.Load()) for name in given], [])
    replace(function, [ast.Expr(called)])
    made = ast.FunctionDef(name, taken, [says, *checks], [], None)
    made.is_check = True  # type: ignore[attr-defined]
    return made


def last(functions: Functions) -> Functions:
    """Functions, those that make checks after all others, which have their names first."""
    return dict(sorted(functions.items(), key=lambda item: hasattr(item[1], "is_check")))
