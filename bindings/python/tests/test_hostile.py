"""One hostile cell, beside good ones: the release is the one where that cell is empty, and nothing is raised or said."""

import datetime
import decimal
import fractions
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf


class Raises:
    """A cell that cannot say what it is."""

    def __float__(self):
        raise KeyError("secret")

    def __str__(self):
        raise OSError("secret")

    __index__ = __bool__ = __len__ = __float__
    __repr__ = __str__


HOSTILE = {
    "nan": float("nan"),
    "infinity": float("inf"),
    "text": "secret",
    "empty text": "",
    "half a character": "\ud800",
    "nul": "a\0b",
    "bytes": b"\xff",
    "large": 10**400,
    "huge": 10**5000,
    "wide": np.longdouble("1e4000"),
    "complex": 3j,
    "complex of numpy": np.complex128(3j),
    "list": [1.0],
    "longer list": [1.0, 2.0, 3.0],
    "empty list": [],
    "tuple": (1.0, 2.0),
    "dict": {"a": 1},
    "set": {1},
    "array": np.array([1.0]),
    "number in an array": np.array(1.0),
    "frame": pd.DataFrame({"a": [1]}),
    "missing": pd.NA,
    "no time": pd.NaT,
    "no date": np.datetime64("NaT"),
    "masked": np.ma.masked,
    "duration": datetime.timedelta(1),
    "duration of numpy": np.timedelta64(1, "D"),
    "no decimal": decimal.Decimal("sNaN"),
    "object": object(),
    "raises": Raises(),
}
each = pytest.mark.parametrize("cell", HOSTILE.values(), ids=HOSTILE)
NUMBER = 40
X = np.linspace(-1, 1, NUMBER).reshape(-1, 1)
UP = X[:, 0] > 0


def objects(cells):
    """An array of objects, cell by cell."""
    return np.fromiter(cells, dtype=object, count=len(cells))


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        yield


def with_cell(cells, cell):
    """Cells, of which the fourth is another one."""
    return [cell if i == 3 else one for i, one in enumerate(cells)]


LABELS = {
    "numbers": ([0, 1], [int(one) for one in UP]),
    "fractions": ([0.5, 1.5], [0.5 + one for one in UP]),
    "truth": ([False, True], [bool(one) for one in UP]),
    "truth as words": ([False, True], [str(one) for one in UP]),
    "truth as numbers": ([False, True], [str(int(one)) for one in UP]),
    "texts": (["no", "yes"], ["yes" if one else "no" for one in UP]),
    "three": ([0, 1, 2], [int(one) % 3 for one in range(NUMBER)]),
}


@each
@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("made", [list, tuple, objects, lambda y: np.ma.masked_array(objects(y), mask=False)])
def test_a_label_is_of_its_own_record_alone(kind, made, cell):
    classes, y = LABELS[kind]

    def fit(labels, classes=classes):
        return sf.Classifier(bounds=(-1, 1), classes=classes, seed=1).fit(X, labels).release_

    empty = fit(with_cell(y, None))
    assert fit(made(with_cell(y, cell))) == empty
    if kind in ("numbers", "fractions", "truth", "three"):  # and so it is in an array of one type
        assert fit(np.array(y)) == fit(y)
        assert fit(np.ma.masked_array(np.array(y), mask=with_cell([False] * NUMBER, True))) == empty


@each
@pytest.mark.parametrize("made", [list, objects])
def test_a_number_that_is_a_label_is_of_its_own_record_alone(made, cell):
    y = [float(one) for one in X[:, 0]]

    def fit(labels):
        return sf.Regressor(bounds=(-1, 1), label_bounds=(-1, 1), seed=1).fit(X, labels).release_

    assert fit(made(with_cell(y, cell))) == fit(with_cell(y, None))


@each
def test_public_classes_do_not_raise(cell):
    made = sf.Classifier(bounds=(-1, 1), classes="public", seed=1).fit(X, with_cell([int(one) for one in UP], cell))
    assert len(made.classes_) >= 2


@pytest.mark.parametrize("kind", [pd.Series, pl.Series, pa.array, np.array])
def test_labels_are_the_same_in_every_series(kind):
    for classes, y in ([[0, 1], UP.astype(int)], [[False, True], UP], [["no", "yes"], np.where(UP, "yes", "no")]):
        settings = {"bounds": (-1, 1), "classes": classes, "seed": 1}
        missing = [None if i == 3 else one for i, one in enumerate(y.tolist())]
        assert sf.Classifier(**settings).fit(X, kind(y)).release_ == sf.Classifier(**settings).fit(X, y.tolist()).release_
        assert sf.Classifier(**settings).fit(X, kind(missing)).release_ == sf.Classifier(**settings).fit(X, missing).release_


def test_a_column_of_labels_stays_one_beside_a_label_that_is_none():
    y = [[int(one)] for one in UP]
    with pytest.warns(UserWarning, match="column-vector"):
        one = sf.Classifier(bounds=(-1, 1), classes=[0, 1], seed=1).fit(X, with_cell(y, 7)).release_
    assert one == sf.Classifier(bounds=(-1, 1), classes=[0, 1], seed=1).fit(X, with_cell(UP.astype(int), None)).release_


def test_numbers_of_other_types_are_numbers():
    given = [decimal.Decimal("0.5"), fractions.Fraction(1, 2), np.float32(0.5), "0.5", b"0.5", 0.5]
    settings = {"bounds": (-1, 1), "label_bounds": (-1, 1), "seed": 1}
    assert len({sf.Regressor(**settings).fit(X, with_cell([0.0] * NUMBER, one)).release_.dumps() for one in given}) == 1
