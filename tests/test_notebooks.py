"""The notebooks run from top to bottom, and print what is stored in them; `pytest --bless` stores it anew."""

from __future__ import annotations

import pathlib
from typing import Any

import nbclient
import nbformat
import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def printed(cell: Any) -> str:
    """The text that a code cell stores: what it printed, and its last value."""
    texts = [
        out["text"] if out["output_type"] == "stream" else out["data"]["text/plain"]
        for out in cell.outputs
        if out.get("name") != "stderr"
    ]
    return "".join(texts)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_prints_what_it_stores(file: pathlib.Path, request: pytest.FixtureRequest) -> None:
    stored = nbformat.read(file, as_version=4)
    run = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(run, timeout=120, kernel_name="python3", record_timing=False).execute()
    if request.config.getoption("--bless"):
        nbformat.write(run, file)
        return
    for before, after in zip(stored.cells, run.cells, strict=True):
        if before.cell_type == "code":
            assert printed(after) == printed(before), before.source


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_short_and_tidy(file: pathlib.Path) -> None:
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].cell_type == "markdown" and notebook.cells[0].source.startswith("# ")
    for cell in notebook.cells:
        assert len(cell.source.splitlines()) <= 12 and "\x1b" not in cell.source
        assert all(len(line) <= 110 for line in cell.source.splitlines() if cell.cell_type == "code")


def test_there_is_a_first_notebook() -> None:
    assert NOTEBOOKS and NOTEBOOKS[0].name == "01_hello.ipynb"
