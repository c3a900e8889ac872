"""Modules come out as a person would have written them, and black leaves them as they are."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import io
import textwrap
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracelate.codegen.text.layout import render

Sound = Callable[[ast.Module], str]
Calls = Callable[[Callable[[], object]], int]


LOOKS = [
    '''
    import jax
    import jax.numpy as jnp


    @jax.jit
    def newton_sqrt(a, tol=1e-6):
        """Elementwise square root."""

        def unfinished(x):
            return jnp.max(jnp.abs(x * x - a)) > tol

        def step(x):
            return 0.5 * (x + a / x)

        return jax.lax.while_loop(unfinished, step, a)
    ''',
    """
    @jax.jit
    def rnn(xs, h, w_x, w_h, b):
        def step(h, x):
            h = jnp.tanh(x @ w_x + h @ w_h + b)
            return h, h

        h, outs = jax.lax.scan(step, h, xs)
        return outs, h
    """,
    """
    def heat(u, alpha, steps):
        u = u.clone()
        for _ in range(steps):
            u[1:-1] += alpha * (u[2:] - 2 * u[1:-1] + u[:-2])
        return u
    """,
    '''
    def pool(x, mode):
        """Pool over the last axis."""
        if mode != "mean":
            raise ValueError(f"pool was traced with mode='mean', not {mode!r}")
        return np.mean(x, axis=-1)
    ''',
    '''
    import math

    import jax
    import jax.numpy as jnp


    def forward(params, idx):
        """GPT: idx int64[B, T] -> logits float32[B, T, 65]."""
        _, T = idx.shape
        x = params["wte"]["weight"][idx] + params["wpe"]["weight"][jnp.arange(T)]
        for h in params["h"].values():
            x = block(h, x)
        x = layer_norm(params["ln_f"], x)
        return linear(params["lm_head"], x)


    def linear(params, x):
        y = x @ params["weight"].T
        return y + params["bias"] if "bias" in params else y


    def attend(params, q, k, v, T):
        att = q @ k.swapaxes(-2, -1) * (1.0 / math.sqrt(k.shape[-1]))
        att = jnp.where(params["bias"][:, :, :T, :T] == 0, -jnp.inf, att)
        return (x - mean) / jnp.sqrt(var + eps) * params["weight"] + params["bias"]
    ''',
    """
    def f(x, *, table, n=None):
        if n is None:
            n = x.shape[0]
        elif n > 3:
            n = 3
        else:
            while n:
                n -= 1
        return table[x[..., 0], n // 2 :]
    """,
    """
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(3, 4)

        @torch.no_grad()
        def forward(self, x):
            return self.linear(x).relu()
    """,
]


@pytest.mark.parametrize("source", LOOKS)
def test_what_a_person_wrote_comes_out_as_it_was(source: str, sound: Sound) -> None:
    source = textwrap.dedent(source).lstrip("\n")
    assert sound(ast.parse(source)) == source


# A broad corpus: functions that people wrote.

CORPUS = ["statistics", "textwrap", "heapq", "random", "calendar", "functools", "json.decoder", "difflib"]


def definitions(name: str) -> Iterator[ast.Module]:
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None
    for node in ast.parse(Path(spec.origin).read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield ast.Module([node], [])


@pytest.mark.parametrize("name", CORPUS)
def test_the_standard_library_comes_out_sound(name: str, sound: Sound) -> None:
    count = 0
    for module in definitions(name):
        try:
            render(module)
        except TypeError as refusal:
            assert "no place" in str(refusal)
            continue
        sound(module)
        count += 1
    assert count >= 3


# Blank lines, comments, docstrings.

SPACED = [
    "import os\nimport jax\nx = 1\ndef f(): return 1\ny = 2",
    "from __future__ import annotations\nimport numpy as np\nimport math\nfrom . import a\ndef f(): pass",
    '"""Title."""\nimport a',
    '"""Title."""\n@a\ndef f(): pass',
    '"""Title."""\ndef f(): pass',
    '"""Title."""\nx = 1',
    "def f():\n    import a\n    x = 1\n    def g(): pass\n    def h(): pass\n    return g",
    "if a:\n    def f(): pass\nelse:\n    x = 1\ny = 2",
    "def f():\n    if a:\n        def g(): pass\n    else:\n        x = 1\n    return 2",
    'class A(B):\n    """Title."""\n    x = 1\n    def f(self): pass\n    @p\n    def g(self): pass\nx = A()',
    'class A:\n    """Title."""\n    def f(self):\n        """Doc."""\n        def g(): pass\n        x = g',
    "class A:\n    def f(self): ...\n    def g(self): ...\nclass B: ...",
    "for a, b in x:\n    pass\nelse:\n    y = 1\nwith f() as a, g():\n    pass",
    "try: x = 1\nexcept (A, B) as e: raise C from e\nexcept D: pass\nelse: pass\nfinally: pass",
    "def f(a: int, b: list[int] | None = None, *, c: float = 1.0) -> X:\n    x: int = a\n    return x, b",
    "def a_function_with_a_long_name(shape: tuple[int, ...]) -> dict[str, tuple[int, int, int]]: return {}",
    "global a, b\nassert a, b\ndel a, b\nx = y = 1\n(z,) = x\n[a, b] = c\nx @= y\nraise",
]


@pytest.mark.parametrize("source", SPACED)
def test_blank_lines_are_black_s(source: str, sound: Sound) -> None:
    sound(ast.parse(source))


def test_comments_stand_above_their_statements(sound: Sound) -> None:
    source = "import a\nx = 1\n@d\ndef f():\n    def g(): pass\n    return g\nif x: pass\nelif y: pass"
    tree = ast.parse(source)
    _, assign, function, branch = tree.body
    for node, comment in {
        assign: "one",
        function: "two\n\nlines",
        function.body[0]: "inner",  # type: ignore[attr-defined]
        branch: "branch",
        branch.orelse[0]: "no elif",  # type: ignore[attr-defined]
    }.items():
        node.comment = comment  # type: ignore[attr-defined]
    assert sound(tree) == textwrap.dedent(
        """\
        import a

        # one
        x = 1


        # two
        #
        # lines
        @d
        def f():
            # inner
            def g():
                pass

            return g


        # branch
        if x:
            pass
        else:
            # no elif
            if y:
                pass
        """
    )


@pytest.mark.parametrize("before", ["x = 1", "import a", "def g(): pass", '"""Title."""', "class A: x = 1"])
@pytest.mark.parametrize("commented", ["y = 2", "import b", "def f(): x", "@d\ndef f(): x", "class B: x"])
def test_comments_keep_black_s_blank_lines(before: str, commented: str, sound: Sound) -> None:
    tree = ast.parse(f"{before}\n{commented}")
    tree.body[-1].comment = "why"  # type: ignore[attr-defined]
    sound(tree)


REMARKS = {
    "comment": st.sampled_from(("why", "why\nand how", ": noted", "")),
    "trailing": st.sampled_from(("so", "as long as a line of this width ever may be, and even longer", "")),
    "below": st.sampled_from(("end", "")),
    "paragraph": st.booleans(),
}


@pytest.mark.parametrize("source", [*LOOKS, *SPACED])
@given(data=st.data())
@settings(max_examples=5, deadline=None)
def test_remarks_are_left_by_black(source: str, sound: Sound, data: st.DataObject) -> None:
    """Wherever they stand, and all of them are in the text."""
    tree = ast.parse(textwrap.dedent(source))
    ends = {body[-1] for _, body in bodies(tree) if not isinstance(body[-1], (ast.FunctionDef, ast.ClassDef))}
    said: list[str] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or is_docstring(node):
            continue
        for name, values in REMARKS.items():
            if (name != "below" or node in ends) and data.draw(st.integers(0, 2)) == 2:
                setattr(node, name, value := data.draw(values))
                said += value.split("\n") if isinstance(value, str) and value else []
    text = sound(tree)
    assert sorted(comments(text)) == sorted(said)


def bodies(tree: ast.Module) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            if not isinstance(node, (ast.Module, ast.Lambda, ast.IfExp)) and getattr(node, name, None):
                yield node, getattr(node, name)


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [t.string[1:].removeprefix(" ") for t in tokens if t.type == tokenize.COMMENT]


@pytest.mark.parametrize(
    "text",
    [
        "One line.",
        "One.\n\nMore:\n    indented\n",
        '"quoted"',
        'ends with a "quote"',
        'three """ in it',
        "back\\slash \\n",
        "ends with \\",
        "",
        "   ",
        "tab\there, bell \x07",
        "é, 数",
        "trailing   \n   spaces  \n\n  and more\n\n",
        "x" * 100,
    ],
)
def test_docstrings(text: str, sound: Sound, left_by_black: Callable[[str], None]) -> None:
    function = ast.parse("def f(): return 1").body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body.insert(0, ast.Expr(ast.Constant(text)))
    written = render(ast.Module([function], []))
    left_by_black(written)
    sound(ast.parse(written))
    read = ast.get_docstring(ast.parse(written).body[0])  # type: ignore[arg-type]
    assert read is not None
    assert read.split() == inspect.cleandoc(text).split()


# Size.


@pytest.mark.parametrize(
    "statement",
    ["x = jnp.sin(x) + y * {0}", f"x = f({'a_long_argument_name, ' * 4} x**{{0}})", "if x: y = {0}"],
)
def test_work_is_linear_in_the_number_of_statements(statement: str, calls: Calls) -> None:
    def work(count: int) -> int:
        body = "\n".join(f"    {statement.format(number)}" for number in range(count))
        tree = ast.parse(f"def f(x):\n{body}")
        return calls(lambda: render(tree))

    assert work(400) < 2.1 * work(200)


@pytest.mark.slow
def test_a_hundred_thousand_statements() -> None:
    source = "def f(x):\n" + "    x = x + 1\n" * 100_000
    node = ast.parse("x = x + 1").body[0]
    function = ast.parse("def f(x): pass").body[0]
    function.body = [node] * 100_000  # type: ignore[attr-defined]
    assert render(ast.Module([function], [])) == source
