"""The Python examples of the pages run, one page after the other in a folder with a clinic's visits."""

import pathlib
import re

import matplotlib
import numpy as np
import pytest

import sfumato as sf

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def clinic(columns, tmp_path, monkeypatch):
    """A folder as `make demo` leaves it, with fewer visits."""
    demo = (ROOT / "examples/demo").read_text(encoding="utf-8")
    schema = re.search(r"clinic.json <<'SCHEMA'\n(.*?)^SCHEMA$", demo, re.MULTILINE | re.DOTALL)[1]
    (tmp_path / "clinic.json").write_text(schema, encoding="utf-8")
    lines = ["patient,age,hour,sex,lon,lat"]
    for i, (age, hour, sex) in enumerate(zip(columns["age"], columns["hours"], columns["sex"])):
        lines.append(f"P{i % 1700},{age},{hour},{sex},-74,40.7")
    (tmp_path / "visits.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks_of(page):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/guides/python.md", "bindings/python/README.md"])
def test_examples_run_and_protect_a_patient(page, columns, clinic):
    matplotlib.use("Agg")
    X = np.column_stack([columns["age"], columns["hours"]])
    names = {"X": X, "X_new": X[:5], "y": np.where(columns["ill"] > 0, "yes", "no")}
    assert blocks_of(page)
    for block in blocks_of(page):
        exec(compile(block, page, "exec"), names)
    assert sf.read("age.sfm").person == "patient"
    assert "age.sfs" not in "".join(blocks_of(page)) or "patient" in sf.open_online("age.sfs").sentence


def test_the_first_example_has_ten_lines_and_runs_twice(clinic):
    (block,) = blocks_of("README.md")
    assert len(block.strip().splitlines()) <= 10
    for _ in range(2):
        exec(compile(block, "README.md", "exec"), {})
    assert sf.Ledger("python.db").dataset("visits").left.charges == 1


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
