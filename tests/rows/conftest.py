"""The tests that derive from the rows: an op that is added is tested here without touching anything.

Its helper modules (domains, samples, lines, running, refusals, programs) are imported as plain modules from
this folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from tracelate.backends.backend import NAMES  # noqa: E402
from tracelate.backends.rows import load as load_phrases  # noqa: E402
from tracelate.ir.meaning.op import REGISTER  # noqa: E402

load_phrases()


@pytest.fixture(autouse=True)
def gelu_of_torchs_own(request: pytest.FixtureRequest) -> None:
    if hasattr(request.node, "callspec") and repr(request.node.callspec.params.get("op")) == "gelu":
        request.getfixturevalue("without_onednn")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "ops(wanted): of which ops a test that takes `op` is about")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `op` runs for every op of the register that is sampled, one that takes `source` for
    every framework.
    """
    if "op" in metafunc.fixturenames:
        wanted = next((mark.args[0] for mark in metafunc.definition.iter_markers("ops")), lambda op: True)
        sampled = [op for op in REGISTER.values() if not op.static and not isinstance(op.samples, str)]
        found = [op for op in sampled if wanted(op)]
        metafunc.parametrize("op", found, ids=repr)
    if "source" in metafunc.fixturenames:
        metafunc.parametrize("source", NAMES)
