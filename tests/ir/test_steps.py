"""Steps: an op that is spelled out has the names of its body, and shares its steps with others."""

from __future__ import annotations

import pytest

import tracelate as tl
from tracelate.ir.bodies.building import inline
from tracelate.ir.meaning.op import REGISTER
from tracelate.ir.meaning.steps import assigned
from tracelate.ir.passes.common import shared_steps
from tracelate.ir.program import Program
from tracelate.ir.values.spec import Spec

FLOATS = Spec((3, 4), tl.spec((1,), "float32").dtype)


def spelled_out(*names: str) -> Program:
    """A Program that returns these ops of one argument, spelled out."""
    program = Program()
    x = program.placeholder("x")
    x.spec = FLOATS
    results = tuple(inline(program, REGISTER[name], (x,), {"axis": -1}) for name in names)
    program.output(results)
    return program


def test_a_step_is_named_as_in_the_body() -> None:
    program = spelled_out("softmax")
    (step,) = [node for node in program.nodes if "step" in node.meta]
    assert (step.target.name, step.meta["step"]) == ("exp", "weights")


def test_the_lines_of_a_body() -> None:
    body = REGISTER["softmax"].body
    assert body is not None
    assert set(assigned(body).values()) == {"weights"}


def test_a_body_without_source_has_no_names() -> None:
    made: dict[str, object] = {}
    exec("def body(x):\n    y = x + 1\n    return y", made)
    assert assigned(made["body"]) == {}  # type: ignore[arg-type]


@pytest.mark.parametrize("names, steps", [(("softmax", "softmax"), 1), (("softmax", "log_softmax"), 2)])
def test_equal_steps_are_shared(names: tuple[str, ...], steps: int) -> None:
    program = spelled_out(*names)
    before = program.output_node.args[0]
    shared_steps(program)
    assert program.output_node.args[0] == before, "results stay as they are: only steps are merged"
    assert len([node for node in program.nodes if "step" in node.meta]) == steps
    program.lint()
