"""Names for constants at random: however often one name stands for what, every result is the very number."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import importlib.util
import itertools
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import tracelate as tl

X = np.linspace(0.1, 1.0, 24, dtype=np.float32).reshape(8, 3)
COUNT = itertools.count()
LEAVES = """
    K Config.a Config.b cfg.a cfg.b CONFIG['a'] Level.a.value local other.a a self.a self.b math.pi 2.5 1e-3 3
""".split()
SIGNS = st.sampled_from(["+", "-", "*"])
EXPRESSIONS = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.builds("({} {} {})".format, inner, SIGNS, inner) | st.builds("-{}".format, inner),
    max_leaves=4,
)


@settings(max_examples=40, deadline=None)
@given(one=EXPRESSIONS, two=EXPRESSIONS, three=EXPRESSIONS, numbers=st.lists(st.integers(0, 3), min_size=9))
def test_names_never_change_a_number(one: str, two: str, three: str, numbers: list[int]) -> None:
    values = [[0.5, 0.25, 2.0, 3.0][n] for n in numbers]
    text = f"""
        import enum, math
        import numpy as np
        from types import SimpleNamespace

        K = {values[0]}

        class Config:
            a = {values[1]}
            b = a * 2

        class Level(enum.Enum):
            a = {values[2]}

        cfg = SimpleNamespace(a={values[3]}, b=Config.b)
        other = SimpleNamespace(a={values[4]})
        CONFIG = {{"a": {values[5]}}}

        class Model:
            def __init__(self, a={values[6]}):
                self.a, self.b = a, {values[7]}

            def __call__(self, x):
                a = {values[8]}
                local = K * cfg.a
                x = (x + ({one})) * ({two})
                return x - ({three})

        first, second = Model(), Model(0.125)

        def f(x):
            return first(x) * second(x)
    """
    name = f"names_at_random_{next(COUNT)}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        made: Any = importlib.util.module_from_spec(spec)
        sys.modules[name] = made
        try:
            spec.loader.exec_module(made)
            x = X.astype(np.float64)
            out: Any = tl.transpile(made.f, (x,), to="numpy")
            assert np.array_equal(out(x), made.f(x)), out.source
        finally:
            del sys.modules[name]
