"""Numbers that are read of classes, objects, Enums, other modules and closures keep their names."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import textwrap
from typing import Any

import named_program
import pytest
from named_texts import SOURCES, head, texts

import tracelate as tl

# fmt: off
PROGRAMS = {
    "a class": ("""
        class Config:
            heads = 4  # heads of attention
            width: int = 3
            eps = 1E-6

        def f(x):
            return x.reshape(-1, Config.heads, Config.width) + Config.eps
     """, ["heads = 4  # heads of attention", "width = 3", "eps = 1e-6"],
     "x.reshape(-1, heads, width) + eps"),
    "a class in a class, and one it is made of": ("""
        class Base:
            scale = 2.50

        class Config:
            class Inner(Base):
                shift = 0xFF

        def f(x):
            return x * Config.Inner.scale + Config.Inner.shift
     """, ["scale = 2.50", "shift = 0xFF"], "x * scale + shift"),
    "what a class computes": ("""
        HEADS = 4

        class Config:
            width = 3
            size = width * HEADS  # all of them

        def f(x):
            return x.reshape(-1, Config.size)
     """, ["width = 3", "HEADS = 4", "size = width * HEADS  # all of them"], "x.reshape(-1, size)"),
    "members of Enums": ("""
        import enum

        class Axis(enum.IntEnum):
            ROWS = 0
            COLUMNS = 1

        class Level(enum.Enum):
            LOW = .25

        def f(x):
            return x.sum(Axis.COLUMNS) * Level.LOW.value
     """, ["COLUMNS = 1", "LOW = 0.25"], "LOW"),
    "an object": ("""
        from dataclasses import dataclass

        @dataclass
        class Config:
            eps: float = 1e-5  # as in the paper
            scale: float = 2.

        cfg = Config(scale=3.50)

        def f(x):
            return (x + cfg.eps) * cfg.scale
     """, ["eps = 1e-5  # as in the paper", "scale = 3.50"], "(x + eps) * scale"),
    "an object that is made of names": ("""
        from types import SimpleNamespace

        eps = 1E-5  # as in the paper
        HEADS = 4
        cfg = SimpleNamespace(eps=eps, heads=HEADS)

        def f(x):
            return x * cfg.heads + cfg.eps
     """, ["HEADS = 4", "heads = HEADS", "eps = 1e-5  # as in the paper"], "x * heads + eps"),
    "a namespace": ("""
        from types import SimpleNamespace

        cfg = SimpleNamespace(eps=1e-4, inner=SimpleNamespace(power=3))

        def f(x):
            c = cfg
            return x ** c.inner.power + c.eps
     """, ["power = 3", "eps = 1e-4"], "x**power + eps"),
    "self": ("""
        class Norm:
            def __init__(self, eps=1e-6, gain=2):
                self.eps = eps  # against zeros
                self.gain = gain

            def __call__(self, x):
                return x / (x + self.eps) * self.gain

        norm, other = Norm(), Norm(1e-3)

        def f(x):
            return norm(x) + other(x)
     """, ["eps = 1e-6", "gain = 2", "eps_2 = 0.001"], "x / (x + eps) * gain + x / (x + eps_2) * gain"),
    "a property": ("""
        class Model:
            def __init__(self):
                self.dim, self.heads = 12, 4

            @property
            def width(self):
                return self.dim // self.heads

            def forward(self, x):
                return x.reshape(-1, self.width) * (1 - self.heads)

        f = Model().forward
     """, ["width = 3", "heads = 4"], "x.reshape(-1, width) * (1 - heads)"),
    "objects in a list": ("""
        class Layer:
            def __init__(self, scale):
                self.scale = scale

        layers = [Layer(0.5), Layer(0.25), Layer(0.5), Layer(0.75)]

        def f(x):
            for layer in layers:
                x = x * layer.scale
            return x
     """, ["scale = 0.5", "scale_2 = 0.25", "scale_3 = 0.75"], "scale_2"),
    "items of dicts": ("""
        CONFIG = {"heads": 4, "eps": 1E-5, "inner": dict(scale=2.50), "a b": 1.5, "if": 3.5}
        config = CONFIG

        def f(x):
            y = x.reshape(-1, config["heads"]) * config["inner"]["scale"] + config["eps"]
            return y * config["a b"] - config["if"]
     """, ["heads = 4", "scale = 2.50", "eps = 1e-5"], "y * 1.5 - 3.5"),
    "defaults, and what a module computes of others": ("""
        from types import SimpleNamespace

        class Config:
            heads = 4
            eps = 1E-5

        cfg = SimpleNamespace(scale=2.50)
        WIDTH = Config.heads * 3  # of all heads
        DOUBLE = cfg.scale * 2

        def plus(x, eps=Config.eps):
            return x + eps

        def f(x, heads=Config.heads, width=Config.heads):
            y = x.reshape(-1, WIDTH) * heads
            return plus(y) * DOUBLE + plus(y * width)
     """, ["WIDTH = 4 * 3  # of all heads", "scale = 2.50", "DOUBLE = scale * 2"],
     "plus(y) * DOUBLE + plus(y * width)"),
    "named tuples, and what they are made in": ("""
        from typing import NamedTuple

        class Hyper(NamedTuple):
            rate: float = 1e-3  # of learning
            beta: float = 0.9

        HYPER = Hyper(beta=0.950)

        def f(x):
            made = Hyper(0.25, 0.5)
            return x - HYPER.rate * x * (1 - HYPER.beta) + made.rate
     """, ["rate = 1e-3  # of learning", "beta = 0.950"], "x - rate * x * (1 - beta) + 0.25"),
    "inherited, in slots, and of a class method": ("""
        class Base:
            def __init__(self, eps=1E-6):
                self.eps: float = eps

        class Slots:
            __slots__ = ("k",)
            def __init__(self):
                self.k = 2.50

        class Derived(Base):
            scale = .5

            def __init__(self):
                super().__init__()
                self.slots = Slots()

            @classmethod
            def grow(cls, x):
                return x * cls.scale

            def __call__(self, x):
                return self.grow(x + self.eps) * self.slots.k

        model = Derived()
        f = lambda x: model(x)
     """, ["scale = 0.5", "eps = 1e-6", "k = 2.50"], "(x + eps) * scale * k"),
    "a closure": ("""
        def make(power):
            gain = 2.50  # of the amplifier
            def f(x):
                return x ** power * gain
            return f

        f = make(3)
     """, ["power = 3", "gain = 2.50  # of the amplifier"], "x**power * gain"),
    "what is computed once": ("""
        import os

        BLOCK = int(os.environ.get("NO_SUCH_VARIABLE", 6))
        FLOOR = float("2.5")  # of the sea
        class Model:
            def __init__(self, dim):
                self.scale = dim ** -0.5
        model = Model(16)

        def f(x):
            return x.reshape(-1, BLOCK) * model.scale + FLOOR
     """, ['FLOOR = 2.5  # float("2.5"); of the sea',
           'BLOCK = 6  # int(os.environ.get("NO_SUCH_VARIABLE", 6))',
           "scale = 0.25  # dim ** -0.5"],
     "x.reshape(-1, BLOCK) * scale + FLOOR"),
    "names of a function's": ("""
        HEADS = 4

        class Config:
            eps = 1e-5

        def f(x):
            d = HEADS * 2
            floor: float = Config.eps
            return x.reshape(-1, d) + floor * x.reshape(-1, d)
     """, ["HEADS = 4", "eps = 1e-5"], "x.reshape(-1, d) + floor * x.reshape(-1, d)"),
}
# fmt: on


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("case", PROGRAMS)
def test_constants_keep_their_names(case: str, source: str, module: Any) -> None:
    text, above, line = PROGRAMS[case]
    f = module(SOURCES[source] + textwrap.dedent(text)).f
    for found in texts(f, source=source).values():
        assert sorted(above) == sorted(head(found)), found
        assert line in found, found


def test_constants_of_other_modules(module: Any) -> None:
    config = """
        from types import SimpleNamespace

        EPS = 1E-5  # as in the paper
        HEADS = 4
        E = 5.0
        cfg = SimpleNamespace(shift=.5, scale=HEADS)
    """
    module(config, "constants_of_config")
    text = """
        import math
        import constants_of_config as config
        from constants_of_config import HEADS, E as BASE, cfg
        from math import tau

        def f(x):
            y = x * cfg.scale + config.cfg.shift
            return y.reshape(-1, config.HEADS) + config.EPS - HEADS * BASE + tau
    """
    above = ["HEADS = 4", "scale = HEADS", "shift = 0.5", "EPS = 1e-5  # as in the paper", "BASE = 5.0"]
    for found in texts(module(text).f).values():
        assert sorted(head(found)) == sorted(above), found
        assert "y = x * scale + shift" in found
        assert "y.reshape(-1, HEADS) + EPS - HEADS * BASE + math.tau" in found


def test_what_all_know_by_a_name_may_be_another_thing_in_a_module(module: Any) -> None:
    module("e = 5.0\npi = 3.0\n", "constants_that_differ")
    text = "import constants_that_differ as config\ndef f(x):\n    return x * config.e - config.pi"
    for found in texts(module(text).f).values():
        assert "x * e - pi" in found and head(found) == ["e = 5.0", "pi = 3.0"]


def test_names_of_functions_inside_are_taken(module: Any) -> None:
    """What the text for JAX calls the body of a loop."""
    text = """
        class Config:
            body = 2.5
            turn = 3.5
            cond = 4.5
            step = 5.5

        def f(x):
            while (x < 10).all():
                x = x * Config.body + Config.turn + Config.cond * Config.step
            return x
    """
    texts(module(text).f)


@pytest.mark.parametrize("to", SOURCES)
def test_a_program_of_constants(to: str, golden: Any) -> None:
    out: Any = tl.transpile(named_program.attend, (named_program.X,), to=to, verify=True)
    golden(f"constants_{to}.py.txt", out.source)
