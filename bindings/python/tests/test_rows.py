"""What rows can be, and what becomes of what they cannot be."""

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import sfumato as sf

DTYPES = st.one_of(
    hnp.integer_dtypes(),
    hnp.unsigned_integer_dtypes(),
    hnp.floating_dtypes(),
    hnp.boolean_dtypes(),
    hnp.datetime64_dtypes(),
    hnp.byte_string_dtypes(),
    hnp.unicode_string_dtypes(),
    hnp.complex_number_dtypes(),
    hnp.timedelta64_dtypes(),
)


def release(rows, **more):
    return sf.density(rows, bounds=(-10, 10), bandwidth=2, epsilon=1, seed=1, **more)


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_array_is_released_or_refused(data):
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6))
    array = data.draw(hnp.arrays(data.draw(DTYPES), shape))
    if array.ndim and data.draw(st.booleans()):
        array = array[:: data.draw(st.sampled_from([1, 2, -1]))]
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            made = release(array)
    except sf.InvalidError as error:
        assert str(error)
    else:
        assert made.rows == len(array)
        assert made == release(np.array(array))


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    hnp.arrays(
        np.float64, st.tuples(st.integers(1, 20), st.just(2)), elements=st.floats(allow_nan=True, allow_infinity=True, width=64)
    )
)
def test_cells_decide_nothing_but_numbers(array):
    made = sf.density(array, ["a", "b"], bounds=(-10, 10), bandwidth=2, epsilon=1, seed=1)
    assert made.rows == len(array) and made.columns == ["a", "b"]


def test_masked_and_missing_cells_are_empty():
    import pandas as pd

    plain = np.array([1.0, np.nan, 3.0, np.nan])
    wanted = release(plain)
    assert release(np.ma.masked_array([1.0, 7, 3, 8], mask=[0, 1, 0, 1])) == wanted
    assert (
        sf.density(
            pd.DataFrame({"x0": pd.array([1, None, 3, None], dtype="Int64")}), bounds=(-10, 10), bandwidth=2, epsilon=1, seed=1
        )
        == wanted
    )


def test_dates_are_seconds_as_in_frames():
    import pyarrow as pa

    days = np.array(["2026-01-01", "NaT", "2026-01-03"], dtype="datetime64[D]")
    bounds = (1.7e9, 1.8e9)
    one = sf.density(days, "day", bounds=bounds, bandwidth=1e6, epsilon=1, seed=1)
    assert one == sf.density(pa.table({"day": days}), "day", bounds=bounds, bandwidth=1e6, epsilon=1, seed=1)


def test_rows_without_records_are_refused_before_the_charge(ledger):
    with ledger.dataset("rows") as d, pytest.raises(sf.InvalidError):
        d.density(np.empty((0, 1)), bounds=(0, 1), epsilon=1)
    assert ledger.dataset("rows").left.charges == 0


def test_no_rows_are_no_error_where_their_number_is_private():
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    nobody = np.empty((0, 1))
    settings = {"bounds": {"x0": (0, 1)}, "neighbours": "add-remove", "bandwidth": 0.1, "epsilon": 1, "seed": 1}
    wanted = sf.density(nobody, **settings)
    frame = pd.DataFrame({"x0": nobody[:, 0]})
    table = pa.table({"x0": nobody[:, 0]})
    for rows in ([], iter([]), iter([nobody]), frame, iter([frame]), pl.DataFrame(frame), iter([pl.DataFrame(frame)]), table):
        assert sf.density(rows, **settings) == wanted
    schema = {"fields": [{"name": "x0", "type": "number", "constraints": {"minimum": 0, "maximum": 1}}]}
    of_schema = {"bandwidth": 0.1, "epsilon": 1, "seed": 1, "schema": {**schema, "neighbours": "add-remove"}}
    assert sf.density(iter([]), **of_schema) == sf.density(nobody, **of_schema)
    two = {**settings, "bounds": {"x0": (0, 1), "x1": (0, 1)}}
    assert sf.density(iter([]), **two) == sf.density(np.empty((0, 2)), **two)
    for empty in ([], nobody, frame, table):
        assert sf.Density(**settings).fit(empty).release_ == wanted
        assert sf.Density(**of_schema).fit(empty).release_.neighbours == "add-remove"
        sf.Histogram(bins=2, bounds=(0, 1), neighbours="add-remove", seed=1).fit(empty)
        with pytest.raises(ValueError, match="0 sample"):
            sf.Density(bounds=(0, 1), bandwidth=0.1, seed=1).fit(empty)
    for rows in ([], iter([]), iter([frame]), frame):
        with pytest.raises(sf.InvalidError, match="no records"):
            sf.density(rows, bounds={"x0": (0, 1)}, bandwidth=0.1, epsilon=1)


def test_one_row_is_released():
    assert release(np.array([1.0])).rows == 1


@pytest.mark.parametrize("rows", [{"a": 1}, object(), None, 3j, "no such file.csv", b"\0", np.zeros((2, 2, 2))])
def test_what_is_no_rows_is_refused(rows):
    with pytest.raises((sf.Error, TypeError, ValueError, FileNotFoundError)):
        release(rows)


def test_batches_of_other_types_are_refused_before_the_charge(ledger):
    import pyarrow as pa

    batches = iter([pa.record_batch({"x": pa.array([1, 2])}), pa.record_batch({"x": pa.array(["a", "b"])})])
    with ledger.dataset("rows") as d, pytest.raises(sf.Error):
        d.density(batches, "x", bounds=(0, 10), bandwidth=1, epsilon=1)
    assert ledger.dataset("rows").left.charges == 0


def test_an_iterator_that_raises_is_no_crash():
    import pyarrow as pa

    def batches():
        yield pa.record_batch({"x": pa.array([1.0, 2.0])})
        raise RuntimeError("secret 42")

    with pytest.raises(sf.Error) as raised:
        sf.density(batches(), "x", bounds=(0, 10), bandwidth=1, epsilon=1)
    assert "secret" not in str(raised.value)


def test_what_an_exporter_says_of_a_record_is_not_repeated():
    class Exporter:
        def __arrow_c_stream__(self, requested_schema=None):
            raise ValueError("secret")

    with pytest.raises(sf.InvalidError) as raised:
        sf.density(Exporter(), bounds=(0, 10), bandwidth=1, epsilon=1)
    assert "secret" not in str(raised.value) and raised.value.__cause__ is None


def test_categories_of_a_dtype_are_not_taken():
    import pandas as pd

    frame = pd.DataFrame({"sex": pd.Categorical(["F", "M", "F"])})
    with pytest.raises(sf.InvalidError, match="categories="):
        sf.histogram(frame, epsilon=1)


def test_bounds_are_never_looked_for():
    with pytest.raises(sf.InvalidError, match="never read from the rows"):
        sf.density(np.arange(10.0), epsilon=1)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"bounds": (0, 0)}, "lower bound"),
        ({"bounds": (3, 1)}, "lower bound"),
        ({"bounds": (0, float("nan"))}, "bounds"),
        ({"bounds": [(0, 1), (0, 1)]}, "bounds has 2 pairs"),
        ({"bounds": "0:1"}, "pair"),
        ({"bounds": (0, 1), "epsilon": 0}, "epsilon"),
        ({"bounds": (0, 1), "epsilon": "a lot"}, "epsilon"),
        ({"bounds": (0, 1), "delta": 2}, "delta"),
        ({"bounds": (0, 1), "bandwidth": -1}, "bandwidth"),
        ({"bounds": (0, 1), "bandwidth": [1, 2]}, "bandwidth has 2 values"),
        ({"bounds": (0, 1), "bandwidth": {"y": 1}}, "bandwidth has 'y'"),
        ({"bounds": (0, 1), "method": "best"}, "'lattice'"),
        ({"bounds": (0, 1), "boundary": "closed"}, "'reflect'"),
        ({"bounds": (0, 1), "shape": "round"}, "shape"),
        ({"bounds": (0, 1), "neighbours": "all"}, "'add-remove'"),
        ({"bounds": (0, 1), "contributions": 0}, "contributions"),
        ({"bounds": (0, 1), "request": "once"}, "ledger"),
        ({"bounds": (0, 1), "terms": 3.5}, "whole number"),
        ({"bounds": (0, 1), "features": -2}, "features"),
        ({"bounds": (0, 1), "columns": "a\0b"}, "NUL"),
        ({"bounds": (0, 1), "confidence": 1.5}, "confidence"),
        ({"bounds": (0, 1), "seed": -1}, ""),
    ],
)
def test_misuse_names_the_parameter(settings, said):
    with pytest.raises(sf.InvalidError) as raised:
        sf.density(np.linspace(0, 1, 50), **{"epsilon": 1, **settings})
    assert said in str(raised.value)
    assert "settings." not in str(raised.value) and "sfm_" not in str(raised.value)


def test_check_says_what_does_not_fit(columns):
    import pandas as pd

    frame = pd.DataFrame({**columns, "person": np.arange(3000) % 1000})
    checked = sf.check(frame, bounds={"age": (0, 60)}, categories={"sex": ["F"]}, person="person", contributions=2)
    age, sex = checked.columns[:2]
    assert checked.records == 3000 and checked.persons == 1000 and checked.persons_over == 1000
    assert age.above == int((columns["age"] > 60).sum()) and sex.undeclared == int((columns["sex"] == "M").sum())


def test_an_unknown_parameter_is_a_type_error():
    with pytest.raises(TypeError, match="did you mean 'bandwidth'"):
        sf.density(np.arange(3.0), bounds=(0, 1), epsilon=1, bandwith=2)
    with pytest.raises(TypeError, match="did you mean 'neighbours'"):
        sf.density(np.arange(3.0), bounds=(0, 1), epsilon=1, neighbors="replace")
    with pytest.raises(TypeError, match="did you mean 'bandwidth'"):
        sf.plan.density("x", n=10, bounds=(0, 1), epsilon=1, bandwith=2)


def test_the_index_of_a_frame_is_no_column(columns):
    import pandas as pd

    frame = pd.DataFrame(columns)
    some = frame[frame["age"] > 40]
    assert sf.Rows(some).columns == list(columns) and sf.Rows(some["age"]).columns == ["age"]
    assert sf.Rows(iter([some, frame])).columns == list(columns)
    wanted = sf.density(some["age"].to_numpy(), "age", bounds=(0, 100), bandwidth=5, epsilon=1, seed=1)
    for rows in (some[["age"]], some["age"], some.set_index("sex")[["age"]]):
        assert sf.density(rows, bounds=(0, 100), bandwidth=5, epsilon=1, seed=1) == wanted


def test_private_rows_in_the_wrong_place_are_not_repeated(columns):
    import pandas as pd

    frame = pd.DataFrame({"age": [41.125, 42.5, 43.75]})
    private = frame["age"]
    wrong = [
        lambda: sf.count(frame, private > 42, epsilon=1),
        lambda: sf.density(frame, "age", bounds=private, epsilon=1),
        lambda: sf.density(frame, "age", bounds=(0, 100), bandwidth=private, epsilon=1),
        lambda: sf.density(frame, "age", bounds=(0, 100), epsilon=private),
        lambda: sf.density(frame, "age", bounds=(0, 100), method=private, epsilon=1),
        lambda: sf.density(frame, private, bounds=(0, 100), epsilon=1),
        lambda: sf.density(frame, "age", bounds=(0, 100), epsilon=1, person=private),
        lambda: sf.histogram(frame, "age", bins=private, bounds=(0, 100), epsilon=1),
        lambda: sf.histogram(frame, "age", categories=private, epsilon=1),
        lambda: sf.count(frame, "age > 1", epsilon=1, contributions=private),
    ]
    for call in wrong:
        with pytest.raises((sf.Error, TypeError, ValueError)) as raised:
            call()
        assert "41.125" not in str(raised.value) and "42.5" not in str(raised.value), str(raised.value)


def test_columns_that_are_misspelt_are_named(columns):
    import pandas as pd

    frame = pd.DataFrame(columns)
    with pytest.raises(sf.InvalidError, match="did you mean 'age'"):
        sf.density(frame, bounds={"agee": (0, 100)}, epsilon=1)
    with pytest.raises(sf.InvalidError, match="did you mean 'sex'"):
        sf.histogram(frame, "sex", categories={"Sex": ["F", "M"]}, epsilon=1)
    with pytest.raises(sf.InvalidError, match=r"of .hours."):
        sf.density(frame, ["age", "hours"], bounds={"age": (0, 100)}, epsilon=1)
    with pytest.raises(sf.InvalidError, match="classes="):
        sf.train(frame, "sex", ["age"], bounds=(0, 100), epsilon=1)
    with pytest.raises(sf.InvalidError, match=r"dataset\('visits'\)"):
        sf.density(frame, "age", bounds=(0, 100), epsilon=1, ledger="visits.db")
    with pytest.raises(FileNotFoundError):
        sf.density("nowhere.csv", "age", bounds=(0, 100), epsilon=1)
    with pytest.raises(sf.InvalidError, match="delta=1e-6"):
        sf.density(frame, "age", bounds=(0, 100), epsilon=1, method="gp")


def test_without_pyarrow_frames_are_read():
    import subprocess
    import sys

    script = """
import sys
if sys.argv[1:]:
    sys.modules["pyarrow"] = None
import pandas as pd, sfumato as sf
frame = pd.DataFrame({"age": [1.0, 2.0, 3.0], "sex": ["F", None, "M"], "ill": pd.array([1, None, 0], "Int64"),
                      "any": pd.Series([1, "a", None], dtype=object), "truth": [True, False, True]}, index=[5, 6, 7])
print(sf.Rows(frame).columns, sf.Rows(frame["age"]).columns, sf.Rows(iter([frame, frame])).columns)
categories = {"sex": ["F", "M"], "ill": [0, 1], "any": [1, "a"], "truth": [False, True]}
print(sf.histogram(frame, list(categories), categories=categories, epsilon=1, seed=1).values)
frame["day"] = pd.to_datetime(["2026-01-01"] * 3, utc=True)
try:
    sf.Rows(frame)
except sf.InvalidError as error:
    print("pip install pyarrow" in str(error))
"""
    said = []
    for words in ([], ["without"]):
        done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.splitlines())
    assert said[1] == [*said[0], "True"]


def test_batches_of_pandas_whose_integers_became_doubles():
    import pandas as pd

    whole = pd.DataFrame({"x": [1, 2, None, 4], "sex": ["F", None, "M", "F"], "kind": ["a", "b", "a", "c"]})
    batches = [pd.DataFrame({"x": [1, 2], "sex": ["F", None]}), pd.DataFrame({"x": [None, 4], "sex": ["M", "F"]})]
    for batch, kinds in zip(batches, ["ab", "ac"]):
        batch["kind"] = pd.Categorical(list(kinds))
    settings = {"bounds": {"x": (0, 8)}, "bins": {"x": 4}, "categories": {"sex": ["F", "M"], "kind": ["a", "b", "c"]}}
    wanted = sf.histogram(whole, epsilon=1, seed=1, **settings)
    assert sf.histogram(iter(batches), epsilon=1, seed=1, **settings) == wanted


def test_objects_are_what_they_say():
    import datetime
    import decimal

    import pandas as pd

    days = [datetime.date(2026, 1, 1), datetime.date(2026, 1, 3), None]
    settings = {"bounds": (1.7e9, 1.8e9), "bandwidth": 1e6, "epsilon": 1, "seed": 1}
    one = sf.density(pd.DataFrame({"day": pd.Series(days, dtype=object)}), **settings)
    assert one == sf.density(pd.DataFrame({"day": pd.to_datetime(days)}), **settings)
    numbers = pd.DataFrame({"x0": pd.Series([decimal.Decimal("1.5"), 2, "3", True, None], dtype=object)})
    assert release(numbers) == release(np.array([1.5, 2, 3, 1, np.nan]))


def test_two_columns_of_one_name_are_refused():
    import pandas as pd

    with pytest.raises(sf.InvalidError, match="same name"):
        sf.Rows(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_arrays_of_pandas_are_rows():
    import pandas as pd

    wanted = release(np.array([1, np.nan, 3]))
    some = [1, None, 3]
    for rows in (pd.array(some, dtype="Int64"), pd.Series(some), pd.Series(some, name="x0"), pd.Index([1, np.nan, 3])):
        assert release(rows, columns="x0") == wanted, type(rows)
    assert release(pd.array(some, dtype="Int64")) == wanted
    assert sf.Rows(pd.Categorical(["a", "b"]), ["kind"]).columns == ["kind"]
