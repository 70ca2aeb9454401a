"""Rows that hypothesis makes: masked, nullable, of objects, read-only, with categories that nobody stated.

Each is the same release as the plain rows that it means, and no cell decides whether there is one.
"""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import sfumato as sf

MANY = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
SECRET = "secret-cell"
NUMBERS = st.one_of(hnp.integer_dtypes(), hnp.unsigned_integer_dtypes(), hnp.floating_dtypes(), hnp.boolean_dtypes())
SHAPES = st.one_of(st.tuples(st.integers(1, 8)), st.tuples(st.integers(1, 8), st.integers(1, 2)))
#: What a cell of an array of objects can be.
CELLS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(),
    st.booleans(),
    st.none(),
    st.just(SECRET),
    st.sampled_from(["1.5", " 2 ", "1e400", "nan", "inf", "1_0", "", "\0", "٣", b"3", b"\xff"]),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.sampled_from([10**400, -(10**400), 2**70, 3j, {"a": SECRET}, [SECRET], (), object]),
    st.sampled_from([np.float32(2.5), np.int8(-3), np.datetime64("NaT")]),
)


def release(rows, **more):
    with np.errstate(all="ignore"):
        return sf.density(rows, **{"bounds": (-10, 10), "bandwidth": 2, "epsilon": 1, "seed": 1, **more})


def as_number(cell):
    """What a cell means; nothing where it is no number."""
    try:
        return float(cell)
    except (TypeError, ValueError, OverflowError):
        return math.nan


@MANY
@given(st.data())
def test_masked_cells_are_empty(data):
    shape = data.draw(SHAPES)
    array = data.draw(hnp.arrays(data.draw(NUMBERS), shape))
    mask = data.draw(hnp.arrays(np.bool_, shape))
    with np.errstate(all="ignore"):
        plain = np.where(mask, np.nan, array.astype(np.float64))
    masked = np.ma.masked_array(array, mask=mask)
    assert release(masked) == release(plain)
    assert release(masked[::-1]) == release(plain[::-1])
    hidden = masked.copy()
    np.ma.getdata(hidden)[mask] = data.draw(hnp.from_dtype(array.dtype))  # what lies below a mask is nobody's
    assert release(hidden) == release(plain)


@MANY
@given(st.data())
def test_nullable_columns_have_empty_cells(data):
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    kinds = ["Int8", "Int32", "Int64", "UInt16", "Float32", "Float64", "boolean"]
    kind = data.draw(st.sampled_from(kinds))
    whole = st.booleans() if kind == "boolean" else st.integers(0, 100) if "nt" in kind else st.floats(-100, 100, width=32)
    cells = data.draw(st.lists(st.one_of(st.none(), whole), min_size=1, max_size=10))
    plain = np.array([math.nan if one is None else float(one) for one in cells])
    wanted = release(plain, columns="x")
    frame = pd.DataFrame({"x": pd.array(cells, dtype=kind)})
    for rows in (frame, frame["x"], pl.DataFrame({"x": pl.Series(cells, dtype=pl.from_pandas(frame)["x"].dtype)})):
        assert release(rows) == wanted
    column = pa.array(cells, type=pa.Schema.from_pandas(frame).field("x").type)
    cut = data.draw(st.integers(0, len(cells)))
    assert release(pa.table({"x": pa.chunked_array([column[:cut], column[cut:]])})) == wanted
    assert release(iter([pa.record_batch({"x": column[:cut]}), pa.record_batch({"x": column[cut:]})])) == wanted


@MANY
@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=8))
def test_no_object_decides_whether_there_is_an_answer(rows):
    array = np.empty((len(rows), 2), dtype=object)
    for i, row in enumerate(rows):
        for j, one in enumerate(row):
            array[i, j] = one
    plain = np.array([[as_number(one) for one in row] for row in rows])
    wanted = release(plain)
    assert release(array) == wanted and wanted.rows == len(rows)
    assert release(np.asfortranarray(array)) == wanted
    assert release(iter([array])) == wanted


@MANY
@given(CELLS, CELLS)
def test_what_is_said_is_the_same_of_every_label(one, other):
    X = np.linspace(-1, 1, 6).reshape(-1, 1)

    def said(label):
        y = np.empty(6, dtype=object)
        y[:] = [0, 1, 0, 1, 0, label]
        try:
            return str(sf.Classifier(bounds=(-1, 1), classes=[0, 1], seed=1).fit(X, y).release_.rows)
        except (sf.Error, TypeError, ValueError) as error:
            return str(error)

    assert said(one) == said(other) == "6"


@MANY
@given(st.data())
def test_read_only_rows_are_read_where_they_are_and_stay(data):
    shape = (data.draw(st.integers(1, 8)), data.draw(st.integers(1, 4)))
    array = data.draw(hnp.arrays(data.draw(NUMBERS), shape))
    steps = st.sampled_from([1, 2, -1, -2])
    view = array[:: data.draw(steps), :: data.draw(steps)][:, :2]
    if data.draw(st.booleans()):
        view = np.asfortranarray(view)
    before, wanted = view.copy(), release(np.array(view))
    view.flags.writeable = False
    assert release(view) == wanted
    assert release(memoryview(view) if view.dtype.isnative and view.dtype != np.float16 else view) == wanted
    assert view.tobytes() == before.tobytes()


TEXTS = st.sampled_from(["F", "M", "f", "other", SECRET, "", " F", "F ", "M\n", "é", "0", "nan", "None"])


@MANY
@given(st.lists(st.one_of(st.none(), TEXTS), min_size=1, max_size=20), st.sampled_from(["object", "string", "category"]))
def test_values_that_nobody_stated_are_ignored(cells, dtype):
    import pandas as pd
    import polars as pl

    frame = pd.DataFrame({"sex": pd.Series(cells, dtype=dtype)})
    facts = {"categories": {"sex": ["F", "M"]}, "epsilon": 1, "seed": 1}
    known = [one if one is not None and one.strip() in ("F", "M") else None for one in cells]
    made = sf.histogram(frame, **facts)
    assert made.columns == ["sex"] and made.to_dict()["sex"] == ["F", "M"]
    assert made == sf.histogram(pd.DataFrame({"sex": pd.Series(known, dtype="object")}), **facts)
    assert made == sf.histogram(pl.DataFrame({"sex": pl.Series(cells, dtype=pl.String)}), **facts)
    with pytest.raises(sf.InvalidError, match="categories=") as raised:
        sf.histogram(frame, epsilon=1)
    assert all(one.strip() not in str(raised.value).replace("'F', 'M'", "") for one in (SECRET, "other"))


@MANY
@given(st.lists(CELLS, min_size=2, max_size=12), st.integers(1, 4), st.randoms(use_true_random=False))
def test_parts_of_any_rows_are_the_rows(cells, of, random):
    rows = np.array([as_number(one) for one in cells])
    where = np.array([random.randrange(of) for _ in cells])
    given_ = {"bounds": (-10, 10), "bandwidth": 2, "epsilon": 1, "seed": 1}
    parts = []
    for i in range(of):
        part = sf.partial.density(None, "x0", part=(i + 1, of), n=len(rows), **given_)
        if (where == i).any():
            part.add(rows[where == i])
        parts.append(part)
    random.shuffle(parts)
    if all((where == i).any() for i in range(of)):
        assert sf.density(sf.partial.merge(parts), "x0", **given_) == sf.density(rows, "x0", **given_)
