"""What every test shares."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import pathlib
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from hypothesis import settings

#: JAX compiles what is alike in all tests once for all workers, and not anew where its caches were cleared:
#: most of it are single ops, which take longer to compile than whatever is tested of them.
COMPILED = "JAX_COMPILATION_CACHE_DIR"
_made = None if COMPILED in os.environ else tempfile.mkdtemp(prefix="compiled")
if _made:  # before JAX is imported, which reads it then; workers inherit it
    os.environ[COMPILED] = _made
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import audit  # noqa: E402, which stands beside this file
from covering import spare  # noqa: E402, likewise

GOLDEN = pathlib.Path(__file__).with_name("golden")


#: Memory is given back where a process has taken so much more, in bytes.
MUCH = 800 * 2**20
#: How many cases of a test are in `make test`.
FEW = 7
STATM = pathlib.Path("/proc/self/statm")
_held = 0
#: A change is judged by the same programs each time; `--hypothesis-profile=default` looks for others.
settings.register_profile("same", derandomize=True, database=None)
settings.load_profile("same")


def pytest_configure(config: pytest.Config) -> None:
    audit.audited()
    config.addinivalue_line("markers", "slow: left out of `make test`; `make test-all` runs it too")
    config.addinivalue_line("markers", "complete: all its cases are in `make test`, however many")
    config.addinivalue_line(
        "markers", "covering(*columns): of its cases those that have all pairs of values, see covering.py"
    )


def pytest_unconfigure() -> None:
    if _made:
        shutil.rmtree(_made, ignore_errors=True)


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: the garbage collector need not go through it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def looked_in_time() -> Iterator[None]:
    """Nothing is changed before the trace looks at it, see audit.py."""
    audit.MISSED.clear()
    yield
    assert not audit.MISSED


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Give memory back when much was taken: what JAX has compiled for one test no other calls, and a whole
    run would hold more than a machine has.
    """
    global _held
    if "jax" not in sys.modules or held() < _held + MUCH:
        return
    sys.modules["jax"].clear_caches()
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # where the C library has no such function
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    _held = held()


def held() -> int:
    """The memory that this process has, in bytes, of pages of 4 KiB; 0 where the system does not say."""
    try:
        return int(STATM.read_text().split()[1]) * 4096
    except OSError:
        return 0


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow what is more than a test's FEW cases: which stay, say hashes of their names, lest they all
    be of one framework where these take turns. Then take out what a covering test can spare.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not any(item.get_closest_marker(mark) for mark in ("slow", "complete")):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for many in cases.values():
        for item in sorted(many, key=lambda item: zlib.crc32(item.name.encode()))[FEW:]:
            item.add_marker(pytest.mark.slow)
    if not config.getoption("--every") and config.option.markexpr != "not slow":
        without_spare(config, items)


def without_spare(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take out what covering tests can spare, which is slow."""
    tables: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("covering"):
            tables.setdefault(item.nodeid.partition("[")[0], []).append(item)
    spared = {item for table in tables.values() for item in spare(table)}
    if spared:
        config.hook.pytest_deselected(items=[item for item in items if item in spared])
        items[:] = [item for item in items if item not in spared]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every", action="store_true", help="run what covering tests can spare, too")
    parser.addoption(
        "--bless", action="store_true", help="write the golden files anew; read the diff as prose"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """golden(name, text): the emitted text is that of tests/golden/<name>, to the letter."""

    def check(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--bless"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert file.exists(), f"{name} is new: run pytest --bless, and read it"
        assert text == file.read_text(encoding="utf-8"), (
            f"{name} has changed: pytest --bless, and read the diff"
        )

    return check


@pytest.fixture
def without_onednn() -> Iterator[None]:
    """oneDNN's gelu of inf is nan on some processors; torch's own is inf on all."""
    mkldnn: Any = torch.backends.mkldnn
    enabled = mkldnn.enabled
    mkldnn.enabled = False
    yield
    mkldnn.enabled = enabled


@pytest.fixture
def dictionary() -> Iterator[None]:
    """Ops and rows that a test adds are gone after it."""
    import tracelate as tl

    with tl.dictionary():
        yield
