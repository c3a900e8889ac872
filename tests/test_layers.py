"""The walls of the house: who may import whom, what may be imported when, and how long a file may grow."""

from __future__ import annotations

import ast
import importlib.util
import pathlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

pytestmark = pytest.mark.complete

ROOT = pathlib.Path(__file__).parents[1]
ROOMS = ("ir", "backends", "tracer", "codegen", "varying")
FRAMEWORKS = {"jax", "jaxlib", "torch", "scipy", "flax", "equinox", "torchmetrics", "safetensors"}

#: From the ground up. A room imports itself and what stands below; two of one storey do not know each other.
STOREYS = (
    ("ir",),
    ("backends",),
    ("tracer", "codegen"),
    ("checking", "eager"),
    ("varying",),
    ("traced",),
    ("api",),
    ("tracelate",),
    ("__main__",),
)

#: The same inside a room, for its files and folders. Here those of one storey may know each other, as long as
#: there is no circle.
INSIDE = {
    "ir": (
        ("collector", "facts", "source", "worklist"),
        ("errors",),
        ("sizes",),
        ("values",),
        ("graphs", "subscript"),
        ("meaning",),
        ("noting", "verification"),
        ("program",),
        ("bodies",),
        ("ops",),
        ("analysis", "gradients"),
        ("passes",),
    ),
    "backends": (
        (
            "backend",
            "compiled",
            "facts",
            "handling",
            "numpy",
            "jax",
            "torch",
            "tolerance",
            "typing",
            "memory",
            "signatures",
            "helpers",
            "cells",
            "loading",
            "lenses",
            "begun",
            "flows",
            "small_ints",
        ),
        ("arrays", "copies", "afterwards", "failing", "phrase", "speaking", "overloads", "unions"),
        ("turning",),
        ("said",),
        ("rows", "coverage"),
        ("literals",),
        ("made",),
        ("context", "writing"),
        ("phrases", "measure", "forms", "measure_numbers"),
        ("reading",),
        ("lowering",),
        ("generality",),
    ),
    "codegen": (
        ("load", "text", "plan"),
        ("pipeline",),
        ("checks", "hidden", "mentions"),
        ("compiling", "jitting", "misfits", "statements", "warning"),
        ("finishing",),
        ("function", "module"),
    ),
    "tracer": (
        ("asked", "place", "proxy", "bound", "part", "rewrite", "supposed", "importers", "state"),
        ("own", "faults", "weak", "settling", "settings"),
        ("frozen", "rolling"),
        ("structured",),
        ("objects", "plain", "printing"),
        ("modules", "written_for", "guessing", "interpreter", "recorder", "trying", "memory"),
        ("flags", "untraceable"),
        ("values", "looks"),
        ("digest", "idle"),
        ("regions",),
        ("tracer", "intercept"),
        ("inputs",),
        ("python", "oracle"),
        ("trace",),
        ("unexampled",),
    ),
    "codegen.statements": (
        ("classes", "control", "putting", "written"),
        ("abreast", "listed", "updates"),
        ("constants",),
        ("emitter", "turns"),
    ),
    "tracer.regions": (
        ("templates",),
        ("join", "side", "items", "outcomes", "start", "trees", "undoing"),
        ("together", "leaving", "returning"),
        ("branch",),
        ("expressions", "loop"),
    ),
}

#: Where a file may import the framework that it is named after. Nobody imports such a file at module level:
#: helpers are copied as text into what the emitter writes, interceptors are loaded once a program needs them.
HEAVY_ROOMS = ("tracelate.backends.helpers.", "tracelate.tracer.intercept.")

#: The files that may name a framework: those of one, and what is by nature a row or a rule of each. Everybody
#: else asks for a fact, a field of Backend.
NAMES = {"numpy", "jax", "torch"}
#: What a framework's names begin with, where a text has them.
WORDS = re.compile(r"\b(np|numpy|jnp|jax|torch)\.\w")
PER_FRAMEWORK = (
    *(f"backends/{name}.py" for name in sorted(NAMES)),
    "backends/phrases/",
    "backends/typing/",
    "backends/signatures/",
    "backends/helpers/",
    "backends/measure.py",
    "backends/measure_numbers.py",
    *(f"tracer/intercept/{name}" for name in sorted(NAMES)),
    *(f"tracer/settings/{name}.py" for name in sorted(NAMES)),
    "tracer/objects/tensors.py",
    "tracer/modules.py",
)
#: Those outside of these files, and why.
MAY_ASK = {
    "backends/backend.py": "it says which frameworks there are, and which of them all others know",
    "ir/graphs/node.py": "a module's name stands in what a tape prints, as Python itself writes it",
}

#: Tables grow with the dictionary, a row a line; everything else stays readable in one sitting.
TABLES = ("backends/phrases/", "ir/ops/")
LONGEST = 400


def modules() -> dict[str, pathlib.Path]:
    """The package's modules: "tracelate.ir.graphs.graph", and its file in the checkout."""
    files = [*ROOT.glob("*.py"), *(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))]
    parts = {file: ("tracelate", *file.relative_to(ROOT).with_suffix("").parts) for file in sorted(files)}
    return {".".join(names).removesuffix(".__init__"): file for file, names in parts.items()}


MODULES = modules()
HEAVY = [n for n in MODULES if n.startswith(HEAVY_ROOMS) and FRAMEWORKS & set(n.split("."))]
LIGHT = [name for name in MODULES if name not in HEAVY]


def part(name: str, depth: int) -> str:
    """A word of a module's name: part("tracelate.ir.program", 1) is "ir". Of a shorter name, its last."""
    words = name.split(".")
    return words[min(depth, len(words) - 1)]


def statements(tree: ast.AST, *, deep: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports of a module but those for type checkers only; those inside functions too if `deep`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        elif deep or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from statements(node, deep=deep)


def targets(name: str, node: ast.Import | ast.ImportFrom) -> list[str]:
    """The full names of the modules that an import statement of module `name` names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
    inner = [f"{base}.{alias.name}" for alias in node.names]
    return [module if module in MODULES else base for module in inner]


def imports(name: str, *, deep: bool = True) -> list[tuple[str, str]]:
    """(target, file:line) for every import of module `name`."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    where = MODULES[name].relative_to(ROOT)
    found = statements(tree, deep=deep)
    return [(target, f"{where}:{node.lineno}") for node in found for target in targets(name, node)]


def own(name: str) -> list[tuple[str, str]]:
    """Those of `imports` that are modules of ours."""
    return [(target, where) for target, where in imports(name) if target in MODULES and target != name]


def storey(word: str, storeys: tuple[tuple[str, ...], ...]) -> int:
    """How high `word` stands, the ground being 0. What has no place yet fails the test that asks."""
    for level, words in enumerate(storeys):
        if word in words:
            return level
    return pytest.fail(f"{word} has no place yet: give it one in tests/test_layers.py")


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_down_only(name: str) -> None:
    room = part(name, 1)
    for target, where in own(name):
        other = part(target, 1)
        below = storey(other, STOREYS) < storey(room, STOREYS)
        assert room == other or below, f"{where}: {room} must not import {other}"


@pytest.mark.parametrize("room", INSIDE)
def test_imports_go_down_only_inside_a_room(room: str) -> None:
    home = f"tracelate.{room}."
    for name in (name for name in MODULES if name.startswith(home)):
        mine = name.removeprefix(home).partition(".")[0]
        for target, where in own(name):
            assert target != f"tracelate.{room}", f"{where}: import from the module, not from the room's face"
            if target.startswith(home):
                other = target.removeprefix(home).partition(".")[0]
                level = storey(mine, INSIDE[room])
                assert storey(other, INSIDE[room]) <= level, f"{where}: {mine} must not import {other}"


@pytest.mark.parametrize("folder", sorted({name.rpartition(".")[0] for name in MODULES} - {""}))
def test_no_imports_go_round_between_what_a_folder_holds(folder: str) -> None:
    """Its files and the folders in it, each as one."""
    home = f"{folder}."
    needs: dict[str, set[str]] = {}
    for name in (name for name in MODULES if name.startswith(home)):
        mine = name.removeprefix(home).partition(".")[0]
        others = (
            target.removeprefix(home).partition(".")[0] for target, _ in own(name) if target.startswith(home)
        )
        needs.setdefault(mine, set()).update(other for other in others if other != mine)
    while ends := {name for name in needs if not needs[name] & needs.keys()} or unneeded(needs):
        needs = {name: targets for name, targets in needs.items() if name not in ends}
    assert not needs, f"in a circle, or between two: {', '.join(needs)}"


def test_no_imports_go_round_in_a_circle() -> None:
    needs = {name: {target for target, _ in own(name)} for name in MODULES}
    while ends := {name for name in needs if not needs[name] & needs.keys()} or unneeded(needs):
        needs = {name: targets for name, targets in needs.items() if name not in ends}
    assert not needs, f"in a circle, or between two: {', '.join(needs)}"


def unneeded(needs: dict[str, set[str]]) -> set[str]:
    """The modules that no other imports."""
    return needs.keys() - set().union(*needs.values())


@pytest.mark.parametrize("name", LIGHT)
def test_no_framework_is_imported_at_module_level(name: str) -> None:
    for target, where in imports(name, deep=False):
        assert part(target, 0) not in FRAMEWORKS, f"{where}: import {target} where it is needed"
        assert target not in HEAVY, f"{where}: {target} brings its framework"


@pytest.mark.parametrize("name", HEAVY)
def test_what_is_named_after_a_framework_imports_that_one_only(name: str) -> None:
    for target, where in imports(name):
        found = part(target, 0)
        assert found not in FRAMEWORKS or found in name.split("."), f"{where}: import {target}"


@pytest.mark.parametrize("name", [name for name in MODULES if part(name, 1) == "ir"])
def test_ir_has_never_heard_of_a_framework(name: str) -> None:
    for target, where in imports(name):
        assert part(target, 0) not in FRAMEWORKS, f"{where}: import {target}"


def test_importing_everything_imports_no_framework() -> None:
    script = f"import importlib, sys\nfor name in {LIGHT}: importlib.import_module(name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not {part(name, 0) for name in done.stdout.split()} & FRAMEWORKS


@pytest.mark.parametrize("name", MODULES)
def test_a_file_can_be_read_in_one_sitting(name: str) -> None:
    path = MODULES[name].relative_to(ROOT).as_posix()
    lines = len(MODULES[name].read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST or path.startswith(TABLES), f"{path}: split it by what it is about"


def named(tree: ast.AST) -> Iterator[int]:
    """The lines on which a framework is named, or what only one of them has: `"jax"` as a key, an argument, a
    side of a comparison, and `jnp.` in a text. What people are told may name one.
    """
    told = {id(node) for each in ast.walk(tree) for node in saying(each)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            if node.value in NAMES or WORDS.search(node.value):
                yield node.lineno


def saying(node: ast.AST) -> Iterator[ast.AST]:
    """The texts for people that a node has in it: docstrings, and what errors and options say."""
    parts: list[ast.AST] = []
    if isinstance(node, ast.Expr):
        parts = [node.value] * isinstance(node.value, ast.Constant)
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("Error", "Refusal")):
        parts = [*node.args, *(each for each in node.keywords if each.arg != "backend")]
    elif isinstance(node, ast.keyword) and node.arg in ("why", "hint", "help"):
        parts = [node.value]
    for part in parts:
        yield from ast.walk(part)


def asking() -> dict[str, list[int]]:
    """The files that do it, and their lines."""
    found = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in MODULES.values()}
    mine = {file: text for file, text in found.items() if not file.startswith(PER_FRAMEWORK)}
    lines = {file: [*named(ast.parse(text))] for file, text in mine.items()}
    return {file: numbers for file, numbers in lines.items() if numbers}


def test_no_two_files_of_tests_have_one_name() -> None:
    """Or those that are named on one command line are taken for each other."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert not {name for name, count in names.items() if count > 1}


def test_nobody_asks_which_framework_it_is() -> None:
    others = {file: lines for file, lines in asking().items() if file not in MAY_ASK}
    assert not others, f"ask for the fact that is the reason, a field of Backend: {others}"


@pytest.mark.parametrize("name", LIGHT)
def test_nobody_else_imports_one_of_them(name: str) -> None:
    """But NumPy, in which Tracelate itself computes."""
    if MODULES[name].relative_to(ROOT).as_posix().startswith(PER_FRAMEWORK):
        return
    for target, where in imports(name):
        assert part(target, 0) not in NAMES - {"numpy"}, f"{where}: let a file of {target} do it"


def test_who_may_ask_does() -> None:
    assert not MAY_ASK.keys() - asking().keys()
