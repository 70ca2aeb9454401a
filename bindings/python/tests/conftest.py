"""Rows that the tests simulate, and the command that comes with the package."""

import subprocess

import numpy as np
import pytest

import sfumato as sf
from sfumato._paths import COMMAND


@pytest.fixture(scope="session")
def columns():
    """A clinic: ages, hours and sexes of 3,000 visits."""
    rng = np.random.default_rng(7)
    age = rng.normal(40, 12, 3000).clip(0, 100).round(1)
    hours = rng.uniform(0, 24, 3000).round(2)
    return {"age": age, "hours": hours, "sex": rng.choice(["F", "M"], 3000), "ill": rng.integers(0, 2, 3000)}


@pytest.fixture(scope="session")
def csv(columns, tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.csv"
    lines = [",".join(columns), *(",".join(str(one) for one in row) for row in zip(*columns.values()))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def command(tmp_path):
    """The command's release, as its bytes."""

    def run(*words):
        out = tmp_path / "command.sfm"
        done = subprocess.run([str(COMMAND), *map(str, words), "-o", str(out)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return out.read_text(encoding="utf-8")

    return run


@pytest.fixture
def ledger(tmp_path):
    return sf.Ledger.create(tmp_path / "rows.db", "rows", epsilon=5, delta=1e-5)
