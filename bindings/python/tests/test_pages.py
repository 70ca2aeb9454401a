"""The Python examples of the pages run, one page after the other in a folder with a clinic's visits."""

import pathlib
import re

import matplotlib
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("page", ["README.md", "docs/guides/python.md", "bindings/python/README.md"])
def test_examples_run(page, columns, csv, tmp_path, monkeypatch):
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits.csv").write_text(csv.read_text(encoding="utf-8"), encoding="utf-8")
    X = np.column_stack([columns["age"], columns["hours"]])
    names = {"X": X, "X_new": X[:5], "y": np.where(columns["ill"] > 0, "yes", "no")}
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    assert (tmp_path / "age.sfm").exists()


@pytest.mark.parametrize("book", sorted((ROOT / "docs/notebooks").glob("*.py")), ids=lambda path: path.stem)
def test_notebooks_run_and_are_as_they_were_run(book, tmp_path, monkeypatch):
    import json

    monkeypatch.chdir(tmp_path)
    source = book.read_text(encoding="utf-8")
    code = [
        text.strip() for kind, text in re.findall(r"^# %%( \[markdown\])?\n(.*?)(?=^# %%|\Z)", source, re.M | re.S) if not kind
    ]
    cells = json.loads(book.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
    assert code == ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"], "run tools/notebooks"
    names = {}
    for block in code:
        exec(compile(block, book.name, "exec"), names)
