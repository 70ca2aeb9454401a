"""Tables: their cells as columns, synthetic rows of them, linear queries."""

import numpy as np
import pytest

import sfumato as sf
from sfumato._library import ffi, lib, text

RNG = np.random.default_rng(11)
CELLS = np.column_stack([RNG.integers(0, 3, 500), RNG.uniform(0, 10, 500), RNG.integers(0, 2, 500)]).astype(float)


def table(*columns, **more):
    given = {"categories": {"a": [0, 1, 2], "c": [0, 1]}, "bins": {"b": 7}, "bounds": {"b": (0, 10)}, "epsilon": 5, "seed": 1}
    return sf.histogram(sf.Rows(CELLS, ["a", "b", "c"]), list(columns), **{**given, **more})


TABLES = {
    "dense": lambda: table("a", "b", "c"),
    "margins": lambda: table("a", "b", "c", margins=2),
    "margins in any order": lambda: table("c", "b", "a", margins=["b", ["c", "a"], ["a", "b", "c"]]),
    "sparse": lambda: table("b", "a", form="sparse"),
    "undeclared": lambda: table("c", "a", form="undeclared", delta=1e-3, categories={}, bins=None, bounds=None),
    "refined": lambda: table("a", "b").refine(),
}


@pytest.mark.parametrize("made", TABLES.values(), ids=TABLES)
def test_columns_are_the_texts_of_each_cell(made):
    release, room = made(), ffi.new("char[]", 4096)
    columns = release.to_dict()
    for i, name in enumerate(release.columns):
        for e, found in enumerate(columns[name]):
            lib.sfm_table_text(release._pointer, room, len(room), e, i)
            assert found == text(room)
    wanted = [lib.sfm_release_coefficient(release._pointer, e) for e in range(len(release.values))]
    assert columns["count"] == release.values == wanted


def test_drawn_rows_ask_for_the_texts_of_their_cells_alone(monkeypatch):
    asked, refined, texts, refine = [], [], sf.Release._texts, sf.Release.refine
    monkeypatch.setattr(sf.Release, "_texts", lambda *a, **more: asked.append(len(a[2])) or texts(*a, **more))
    monkeypatch.setattr(sf.Release, "refine", lambda self, **more: refined.append(1) or refine(self, **more))
    many = np.tile(CELLS[:, :2], (40, 1))
    settings = {"categories": {"x0": list(range(1000))}, "bins": {"x1": 30}, "bounds": {"x1": (0, 10)}}
    wide = sf.histogram(many, ["x0", "x1"], **settings, epsilon=5, seed=1)
    first, again = wide.sample(10, seed=3), wide.sample(10, seed=3)
    assert sum(asked) <= 40 and len(refined) == 1
    assert all((first[name] == again[name]).all() for name in first)
    assert wide.share(x0=[0, 1, 2]) > 0.9 and len(refined) == 1
    wide.to_dict()
    assert sum(asked) <= 40 + 1000 + 30
