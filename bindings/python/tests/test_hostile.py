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
@pytest.mark.parametrize("made", [list, objects])
def test_a_label_is_of_its_own_record_alone(kind, made, cell):
    classes, y = LABELS[kind]

    def fit(labels, classes=classes):
        return sf.Classifier(loss="logistic", bounds=(-1, 1), classes=classes, seed=1).fit(X, labels).release_

    empty = fit(with_cell(y, None))
    assert fit(made(with_cell(y, cell))) == empty
    if kind in ("numbers", "fractions", "truth", "three"):  # and so it is in an array of one type
        assert fit(np.array(y)) == fit(y)
        assert fit(np.ma.masked_array(np.array(y), mask=with_cell([False] * NUMBER, True))) == empty


def test_the_releases_tell_an_empty_cell_from_any_other():
    for classes, y in LABELS.values():
        machine = sf.Classifier(loss="logistic", bounds=(-1, 1), classes=classes, seed=1)
        fits = [machine.fit(X, with_cell(y, one)).release_.dumps() for one in (*classes, None)]
        assert len(set(fits)) == len(fits)
    regression = sf.Regressor(bounds=(-1, 1), label_bounds=(-1, 1), seed=1)
    assert len({regression.fit(X, with_cell(Y, one)).release_.dumps() for one in (Y[3], 0.5, None)}) == 3
    assert len({density(with_cell(Y, one)).dumps() for one in (Y[3], 0.5, None)}) == 3
    words = ["yes" if one else "no" for one in UP]
    tables = [sf.histogram(frame(with_cell(words, one)), categories={"x0": ["no", "yes"]}, epsilon=1, seed=1)
              for one in ("no", "yes", None)]  # fmt: skip
    assert len({one.dumps() for one in tables}) == 3


@each
@pytest.mark.parametrize("made", [list, objects])
def test_a_number_that_is_a_label_is_of_its_own_record_alone(made, cell):
    y = [float(one) for one in X[:, 0]]

    def fit(labels):
        return sf.Regressor(bounds=(-1, 1), label_bounds=(-1, 1), seed=1).fit(X, labels).release_

    assert fit(made(with_cell(y, cell))) == fit(with_cell(y, None))


@each
def test_public_classes_do_not_raise(cell):
    made = sf.Classifier(loss="logistic", bounds=(-1, 1), classes="public", seed=1).fit(
        X, with_cell([int(one) for one in UP], cell)
    )
    assert len(made.classes_) >= 2


@pytest.mark.parametrize("kind", [pd.Series, pl.Series, pa.array, np.array])
def test_labels_are_the_same_in_every_series(kind):
    for classes, y in ([[0, 1], UP.astype(int)], [[False, True], UP], [["no", "yes"], np.where(UP, "yes", "no")]):
        settings = {"loss": "logistic", "bounds": (-1, 1), "classes": classes, "seed": 1}
        missing = [None if i == 3 else one for i, one in enumerate(y.tolist())]
        assert sf.Classifier(**settings).fit(X, kind(y)).release_ == sf.Classifier(**settings).fit(X, y.tolist()).release_
        assert sf.Classifier(**settings).fit(X, kind(missing)).release_ == sf.Classifier(**settings).fit(X, missing).release_


def test_a_column_of_labels_stays_one_beside_a_label_that_is_none():
    y = [[int(one)] for one in UP]
    with pytest.warns(UserWarning, match="column-vector"):
        one = sf.Classifier(loss="logistic", bounds=(-1, 1), classes=[0, 1], seed=1).fit(X, with_cell(y, 7)).release_
    assert (
        one
        == sf.Classifier(loss="logistic", bounds=(-1, 1), classes=[0, 1], seed=1).fit(X, with_cell(UP.astype(int), None)).release_
    )


def test_numbers_of_other_types_are_numbers():
    given = [decimal.Decimal("0.5"), fractions.Fraction(1, 2), np.float32(0.5), "0.5", b"0.5", 0.5]
    settings = {"bounds": (-1, 1), "label_bounds": (-1, 1), "seed": 1}
    assert len({sf.Regressor(**settings).fit(X, with_cell([0.0] * NUMBER, one)).release_.dumps() for one in given}) == 1


Y = [float(one) for one in X[:, 0]]


def density(rows, **more):
    return sf.density(rows, bounds=(-1, 1), bandwidth=0.3, epsilon=1, seed=1, **more)


def frame(cells):
    return pd.DataFrame({"x0": pd.Series(objects(cells), dtype=object)})


def one_each(cells):
    """Rows of one cell; what is a row already is left as it is."""
    return [[one] for one in cells]


@each
@pytest.mark.parametrize(
    "made",
    [
        *(list, tuple, objects, one_each, frame, lambda y: frame(y)["x0"]),
        *(lambda y: objects(y)[:, np.newaxis], lambda y: np.ma.masked_array(objects(y), mask=False)),
        *(lambda y: iter([y[:10], y[10:]]), lambda y: iter([objects(y[:10]), y[10:]])),
        *(lambda y: iter([frame(y[:10]), frame(y[10:])]), lambda y: frame(y).astype("category")["x0"]),
    ],
)
def test_a_cell_is_of_its_own_record_alone(made, cell):
    try:
        rows = made(with_cell(Y, cell))
    except (TypeError, ValueError):  # what pandas does not take as a category
        return
    assert density(rows) == density(with_cell(Y, None))


@each
@pytest.mark.parametrize("made", [list, tuple, objects, lambda y: iter([y[:10], y[10:]])])
def test_a_row_of_another_shape_is_empty(made, cell):
    if isinstance(cell, tuple):
        return
    rows = [[one, one] for one in Y]
    wanted = density(with_cell(rows, [None, None]))
    assert density(made(with_cell(rows, cell))) == wanted
    assert density(made(with_cell(rows, [0.5, cell]))) == density(with_cell(rows, [0.5, None]))


@each
def test_a_cell_of_an_estimator_is_of_its_own_record_alone(cell):
    one = sf.Density(bounds=(-1, 1), bandwidth=0.3, seed=1)
    wanted = one.fit(with_cell([[x] for x in Y], [None])).release_
    for rows in (one_each(with_cell(Y, cell)), objects(with_cell(Y, cell))[:, np.newaxis], frame(with_cell(Y, cell))):
        assert one.fit(rows).release_ == wanted
    if not (isinstance(cell, (list, np.ndarray)) and np.shape(cell) == (1,)):
        assert one.fit(with_cell(one_each(Y), cell)).release_ == wanted
        assert one.fit(objects(with_cell(one_each(Y), cell))).release_ == wanted
    machine = sf.Classifier(loss="logistic", bounds=(-1, 1), classes=[0, 1], seed=1)
    empty = machine.fit(with_cell(one_each(Y), [None]), UP.astype(int)).release_
    assert machine.fit(one_each(with_cell(Y, cell)), UP.astype(int)).release_ == empty


@each
def test_a_category_is_of_its_own_record_alone(cell):
    words = ["yes" if one else "no" for one in UP]

    def table(cells):
        return sf.histogram(frame(cells), categories={"x0": ["no", "yes"]}, epsilon=1, seed=1)

    assert table(with_cell(words, cell)) == table(with_cell(words, None))


def test_wide_numbers_and_masks_say_nothing():
    wide = np.array(Y, dtype=np.longdouble)
    wide[3] = np.longdouble("1e4000")
    assert density(wide) == density(with_cell(Y, None))
    hidden = np.ma.masked_array(wide, mask=with_cell([False] * NUMBER, True))
    assert density(hidden) == density(with_cell(Y, None))
    mask = with_cell([False] * NUMBER, True)
    assert density(np.ma.masked_array(objects(Y), mask=mask)) == density(with_cell(Y, None))
    assert density(np.ma.masked_array(objects(with_cell(Y, object())), mask=mask)) == density(with_cell(Y, None))
    machine = sf.Classifier(loss="logistic", bounds=(-1, 1), classes=["no", "yes"], seed=1)
    words = ["yes" if one else "no" for one in UP]
    hidden = machine.fit(X, np.ma.masked_array(np.array(words), mask=mask)).release_
    assert hidden == machine.fit(X, with_cell(words, None)).release_
    assert (
        machine.fit(np.ma.masked_array(X, mask=np.array(mask)[:, np.newaxis]), words).release_
        == machine.fit(with_cell(X.tolist(), [None]), words).release_
    )


def test_the_shape_of_a_list_is_that_of_most_rows():
    from sfumato._rows import numbers

    assert numbers([[1, 2], 3, [4, 5]]).shape == (3, 2) and numbers([1, [2, 3], 4]).shape == (3,)
    assert numbers([[1, 2], [3]], 1).shape == (2, 1) and numbers([[1, 2], [3]], 2).shape == (2, 2)
    assert numbers([], 3).shape == (0, 3) and numbers([[], []]).shape == (2, 0)
