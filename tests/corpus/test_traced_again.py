"""What comes out is traced again, and comes out as it is: a text for a framework, translated for that very
framework, is the same text. Checks aside, of which the second text has its own.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import ast
import importlib.util
import pathlib
import re
import warnings
from typing import Any

import jax
import pytest
from test_corpus import ENTRIES, TARGETS, entry, refusal

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays

#: What is not read yet of what is written, with the beginning of the refusal.
NOT_READ = {
    ("convnet.encode", "numpy"): "sliding_window_view cannot be translated",
    ("convnet.encode", "jax"): "jax.lax.reduce_window cannot be translated",
    ("physics_solvers.heat_rod", "numpy"): "asking whether two arrays share memory",
    ("physics_solvers.heat_rod", "torch"): "torch.Tensor.untyped_storage cannot be translated",
    ("kv_attention.decode_step", "torch"): "torch.Tensor.untyped_storage cannot be translated",
    ("codebook.vq_bottleneck", "torch"): "torch.Tensor.untyped_storage cannot be translated",
    ("krylov.kernel_ridge", "numpy"): "np.add.at cannot be translated",
}
#: What comes out otherwise, and why.
OTHERWISE = {
    ("tree_updates.train_update", "numpy"): "a helper that calls itself is flattened",
    ("tree_updates.train_update", "torch"): "a helper that calls itself is flattened",
    ("tree_updates.train_update", "jax"): "dicts that are returned from what is compiled are put together",
    ("physics_solvers.leapfrog", "jax"): "what is compiled gives a dict in the order of its keys",
    ("physics_solvers.relax_poisson", "jax"): "a number with which a loop begins is an array",
    ("krylov.kernel_ridge", "torch"): "names without a statement of their own stand where the loop begins",
    ("optics.propagate", "numpy"): "names without a statement of their own stand where the loop begins",
    ("optics.propagate", "torch"): "names without a statement of their own stand where the loop begins",
    ("losses.focal_dice_loss", "numpy"): "a function that the dictionary writes stands last",
    ("convnet.encode", "torch"): "two calls of a function are two functions, as of None in a container",
}


def module_of(text: str, path: pathlib.Path) -> Any:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class WithoutChecks(ast.NodeTransformer):
    """A text without what it checks, and without what NumPy is to say of its numbers, which is not read."""

    def visit_With(self, node: ast.With) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        silent = all(ast.unparse(item.context_expr).startswith("np.errstate(") for item in node.items)
        return node.body if silent else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        if ast.get_docstring(node) == "What the arguments must be.":
            return None
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_Assert(self, node: ast.Assert) -> None:
        return None

    def visit_For(self, node: ast.For) -> ast.AST | None:
        self.generic_visit(node)
        return node if node.body else None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        match node.value:
            case ast.Call(ast.Name(name)) if re.fullmatch(r"check_\w+", name):
                return None
        return node


def unchecked(text: str) -> str:
    return ast.unparse(WithoutChecks().visit(ast.parse(text)))


def again(name: str, to: str, path: pathlib.Path) -> tuple[str, str]:
    """The text of an entry, and what that is translated to in turn."""
    made = entry(name)
    own = any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(made.args))
    with warnings.catch_warnings(), jax.enable_x64(to == "jax" and not own):
        warnings.simplefilter("ignore")
        text = tl.symbolic_trace(made.fn, made.args).source(to)
        module = module_of(text, path / f"{made.name.replace('.', '_')}_{to}.py")
        args = map_arrays(entry(name).args, lambda array: convert(array, to))
        return text, tl.symbolic_trace(getattr(module, made.fn.__name__), args).source(to)


@pytest.mark.slow
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("name", ENTRIES)
def test_a_text_comes_out_as_it_is(name: str, to: str, tmp_path: pathlib.Path) -> None:
    key = name.partition("/")[2], to
    if refusal(key[0], to) is not None:
        pytest.skip("there is no text")
    if key in NOT_READ:
        with pytest.raises(tl.UnsupportedError, match=f"^{re.escape(NOT_READ[key])}"):
            again(name, to, tmp_path)
        return
    first, second = map(unchecked, again(name, to, tmp_path))
    assert (first == second) is (key not in OTHERWISE)
