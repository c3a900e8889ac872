"""The checkout is the package: what setup.cfg lists, what sdist and wheel hold, how an installed copy does.

All is built from a copy of the tree in a folder of another name: nothing hangs on what the checkout is
called.
"""

from __future__ import annotations

import configparser
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[1]
BUILT = (".git", ".venv", ".*_cache", ".hypothesis", "build", "dist", "*.egg-info", "__pycache__")
DATA = ("*.json", "py.typed")


def packages() -> list[str]:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    return setup["options"]["packages"].split()


def shipped() -> set[str]:
    """What an installed copy must hold: every module, and the data that the modules read."""
    folders = [ROOT.joinpath(*package.split(".")[1:]) for package in packages()]
    files = [file for folder in folders for pattern in ("*.py", *DATA) for file in folder.glob(pattern)]
    return {f"tracelate/{file.relative_to(ROOT).as_posix()}" for file in files}


def run(*command: str, cwd: pathlib.Path) -> str:
    """What a Python process printed; what it complained of is the assertion's text."""
    done = subprocess.run([sys.executable, *command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(kind: str, tree: pathlib.Path, out: pathlib.Path) -> pathlib.Path:
    """A "wheel" or "sdist" of `tree`, made in a process of its own as pip would make it."""
    script = f"from setuptools import build_meta; print(build_meta.build_{kind}({str(out)!r}))"
    return out / run("-c", script, cwd=tree).split()[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("sdist")
    shutil.copytree(ROOT, folder / "another name", ignore=shutil.ignore_patterns(*BUILT))
    return build("sdist", folder / "another name", folder)


@pytest.fixture(scope="module")
def wheel(sdist: pathlib.Path) -> pathlib.Path:
    """Built from the sdist, as an installer would where there is no wheel."""
    with tarfile.open(sdist) as archive:
        archive.extractall(sdist.parent, filter="data")
    return build("wheel", sdist.parent / sdist.name.removesuffix(".tar.gz"), sdist.parent)


def test_the_list_of_packages_is_the_tree() -> None:
    rooms = [file.parent.relative_to(ROOT) for file in ROOT.glob("[a-z]*/**/__init__.py")]
    outside = {"build", "tests", "examples", "benchmarks", "notebooks"}
    found = {".".join(("tracelate", *room.parts)) for room in rooms if room.parts[0] not in outside}
    assert sorted(packages()) == sorted({"tracelate", *found})


def test_the_sdist_brings_the_tests_and_what_they_need(sdist: pathlib.Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"LICENSE", "Makefile", "README.md", "constraints.txt", "pyproject.toml", "setup.cfg"}
    for folder in ("tests", "examples", "benchmarks", "notebooks"):
        files = (
            file for ending in ("*.py", "*.ini", "*.ipynb", "*.txt") for file in (ROOT / folder).rglob(ending)
        )
        needed |= {file.relative_to(ROOT).as_posix() for file in files}
    assert needed <= names


def test_the_wheel_holds_the_rooms_and_nothing_else(wheel: pathlib.Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == shipped()


def test_an_installed_copy_works_on_its_own(wheel: pathlib.Path, tmp_path: pathlib.Path) -> None:
    run("-m", "pip", "install", "--no-deps", "--no-index", "--target", ".", str(wheel), cwd=tmp_path)
    script = f"""
import importlib, importlib.metadata, sys
sys.path.insert(0, {str(tmp_path)!r})
for name in {packages()}:
    module = importlib.import_module(name)
    assert module.__file__.startswith({str(tmp_path)!r}), module.__file__
print(importlib.metadata.metadata("tracelate")["License-Expression"])
"""
    assert run("-I", "-c", script, cwd=tmp_path).strip() == "Apache-2.0"
    assert (tmp_path / "bin" / "tracelate").exists()
