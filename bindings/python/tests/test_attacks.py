"""What an attack found: sizes that C reads beyond, lifetimes, calls at once, cells that decide or are shown."""

import copy
import threading

import numpy as np
import pytest

import sfumato as sf

RNG = np.random.default_rng(1)
PLANE = RNG.uniform(-1, 1, (300, 2))
LABELLED = np.column_stack([PLANE, np.where(PLANE[:, 0] > 0, 1, -1)])


def train(**settings):
    given = {"columns": ["a", "b", "y"], "classes": [-1, 1], "bounds": (-1, 1), "epsilon": 1, "delta": 1e-6, **settings}
    return sf.train(LABELLED, "y", **given)


@pytest.mark.parametrize(
    "call",
    [
        lambda: train(method="tddl", kernel="gaussian", bandwidth=1, public=np.full((50, 1), 0.25)),
        lambda: train(method="tddl", kernel="gaussian", bandwidth=1, public=np.full((50, 3), 0.25)),
        lambda: train(method="gp", kernel="gaussian", bandwidth=1, places=np.full((5, 1), 0.25)),
        lambda: train(method="gp", kernel="gaussian", bandwidth=1, places=np.full(6, 0.25)),
        lambda: train(lambda_=[[0.1, 0.2], [0.3, 0.4]]),
        lambda: sf.density(PLANE, bounds=(-1, 1), bandwidth=0.2, epsilon=1, delta=1e-6, method="gp", kernel="matern32",
                           release_points=np.full((40, 1), 0.25)),
        lambda: sf.density(PLANE, bounds=(-1, 1), bandwidth=0.2, epsilon=1, delta=1e-6, method="gp", kernel="matern32",
                           release_points=[0.1, 0.2, 0.3, 0.4]),
        lambda: sf.density(PLANE, bounds=(-1, 1), epsilon=1, candidates=np.full((3, 3), 0.2)),
        lambda: sf.density(PLANE[:, :1], bounds=(-1, 1), epsilon=1, bandwidth=[[]]),
        lambda: sf.density(PLANE[:, :1], bounds=(-1, 1), epsilon=1, bandwidth=[[0.1, 0.2]]),
        lambda: sf.curve(PLANE, grid=[0, 1], clip=1, bandwidth=1, epsilon=1, mean=[0.5]),
        lambda: sf.plan.density(["a", "b"], n=100, bounds=(-1, 1), epsilon=1).shape(np.full(20, 0.5)),
        lambda: sf.choose(["a", "b", "c"], [1, 2], sensitivity=1, epsilon=1),
    ],
)  # fmt: skip
def test_c_is_handed_as_many_numbers_as_it_reads(call):
    with pytest.raises(sf.InvalidError, match=r"shape|numbers"):
        call()


def test_points_of_the_right_width_are_taken():
    places = RNG.uniform(-1, 1, (8, 2))
    assert train(method="gp", kernel="gaussian", bandwidth=1, places=places, seed=1).kind == "machine"
    one = sf.density(PLANE[:, :1], bounds=(-1, 1), bandwidth=0.2, epsilon=1, delta=1e-6, method="gp", kernel="matern32",
                     release_points=np.linspace(-1, 1, 7), seed=1)  # fmt: skip
    assert len(one.values) == 7


def test_a_ledger_that_is_closed_while_it_is_charged(ledger):
    def close(_at):
        with ledger.dataset("rows") as other:
            assert other.left.name == "rows"
        ledger.close()

    made = ledger.dataset("rows").density(PLANE[:, 0], bounds=(-1, 1), bandwidth=0.2, epsilon=1, progress=close)
    assert made.dataset == "rows" and ledger.dataset("rows").left.answers == 1


def test_handles_of_threads_that_ended_are_closed(ledger):
    for _ in range(30):
        thread = threading.Thread(target=lambda: ledger.dataset("rows").left)
        thread.start()
        thread.join()
    assert len(ledger._open_in) <= 3


def test_rows_are_of_one_call_at_a_time():
    rows = sf.Rows(np.tile(PLANE, (1000, 1)), ["a", "b"])
    said = []

    def again(at):
        if at.stage == "reading" and not said:
            with pytest.raises(sf.InvalidError, match="another call") as raised:
                sf.count(rows, "a > 0", epsilon=1)
            said.append(str(raised.value))

    whole = sf.histogram(rows, "a", bins=2, bounds={"a": (-1, 1)}, epsilon=100, progress=again)
    assert said and abs(sum(whole.values) - 300000) < 100
    assert abs(sum(sf.histogram(rows, "a", bins=2, bounds={"a": (-1, 1)}, epsilon=100).values) - 300000) < 100


def test_sessions_are_not_copied_and_not_closed_under_a_call(tmp_path):
    session = sf.open_online(tmp_path / "s.sfs", PLANE[:, 0], "x0", bounds=(-1, 1), bandwidth=0.2, epsilon=1, delta=1e-6,
                             kernel="matern32", engine="gram", anchor=tmp_path / "anchor")  # fmt: skip
    with pytest.raises(TypeError, match="open it again"):
        copy.copy(session)
    failed = []

    def ask(i):
        try:
            for j in range(5):
                session.ask((i + j / 10) / 10)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    with pytest.raises(sf.InvalidError, match="by its path alone"):
        sf.open_online(tmp_path / "s.sfs", epsilon=3)


def test_a_band_that_differs_from_place_to_place_has_one_confidence():
    r = sf.density(PLANE[:, :1], bounds=(-1, 1), bandwidth=0.2, epsilon=1, delta=1e-6, method="gp", kernel="matern12",
                   engine="gram", release_points=np.linspace(-1, 1, 6), seed=1)  # fmt: skip
    _, lower, upper = r.band(grid=9)
    assert (upper - lower).max() > 3 * (upper - lower).min()
    with pytest.raises(sf.InvalidError, match="place to place"):
        r.band(0.9, grid=9)


def test_boolean_categories_are_compared_as_what_they_are():
    import pandas as pd

    frame = pd.DataFrame({"v": PLANE[:, 0], "flag": PLANE[:, 1] > 0})
    y = frame["flag"].map({True: "yes", False: "no"})
    made = sf.Classifier(bounds={"v": (-1, 1)}, categories={"flag": [False, True]}, classes=["no", "yes"], epsilon=200, seed=1)
    assert (made.fit(frame, y).predict(frame) == y).mean() > 0.95


def test_a_row_without_a_valid_value_has_no_class():
    made = train(seed=1)
    assert made.predict([[np.nan, 0.0], [0.9, 0.0]]).tolist() == [None, "1"]
    classifier = sf.Classifier(bounds=(-1, 1), classes=[0, 1], seed=1).fit(PLANE, (PLANE[:, 0] > 0).astype(int))
    with pytest.warns(UserWarning, match="1 of 2 rows"):
        assert classifier.predict([[np.nan, 0.0], [0.9, 0.0]]).tolist() == [0, 1]


def test_masked_dates_are_empty():
    days = np.array(["2026-01-01", "2026-01-02", "2026-01-03"], dtype="datetime64[D]")
    settings = {"bounds": (1.7e9, 1.8e9), "bandwidth": 1e6, "epsilon": 1, "seed": 1}
    hidden, missing = np.ma.array(days, mask=[0, 1, 0]), np.array(["2026-01-01", "NaT", "2026-01-03"], dtype="datetime64[D]")
    assert sf.density(hidden, "day", **settings) == sf.density(missing, "day", **settings)


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "25s"])
def test_dates_of_every_unit_are_seconds(unit):
    far = np.array([np.iinfo(np.int64).max, np.iinfo(np.int64).min + 1], dtype="int64").astype(f"datetime64[{unit}]")
    near = np.array(["1971-03-01", "NaT"], dtype="datetime64[D]").astype(f"datetime64[{unit}]")
    from sfumato._rows import numbers

    assert np.isfinite(numbers(far)).all()
    wanted = (near[:1].astype("datetime64[s]").astype("int64")).astype(float)
    assert (numbers(near)[:1] == wanted).all() and np.isnan(numbers(near)[1])


def test_a_schema_says_whom_a_vector_protects():
    schema = {"fields": [{"name": "id", "type": "string"}], "neighbours": "add-remove", "contributions": 5, "person": "id"}
    v = sf.vector([1.0, 2.0], sensitivity=1, epsilon=1, schema=schema, seed=1)
    assert (v.neighbours, v.person) == ("add-remove", "id")
    assert v.summary()["contributions"] == 5 if "contributions" in v.summary() else True
    with pytest.raises(sf.Error):
        sf.vector([1.0], sensitivity=1, epsilon=1, schema="/nonexistent")
    with pytest.raises(sf.InvalidError, match="bounds"):
        sf.vector([1.0], sensitivity=1, epsilon=1, bounds=(0, 1))


@pytest.mark.parametrize("cell", ["secret", None, 10**400, b"secret", {"a": "secret"}, 2**70, float("nan")])
def test_no_cell_decides_whether_there_is_an_answer_or_is_shown(cell):
    x = [1.0, 2.0, cell, 3.0]
    assert sf.density([[one] for one in x], bounds=(0, 10), bandwidth=1, epsilon=1, seed=1).rows == 4
    assert sf.density(np.array(x, dtype=object), bounds=(0, 10), bandwidth=1, epsilon=1, seed=1).rows == 4
    X = np.linspace(0, 1, 4).reshape(-1, 1)
    labels = np.array([0, 1, cell, 1], dtype=object)
    assert sf.Classifier(bounds=(0, 1), classes=[0, 1], seed=1).fit(X, labels).release_.rows == 4
    assert sf.Classifier(bounds=(0, 1), classes=[False, True], seed=1).fit(X, labels).release_.rows == 4
    assert sf.Regressor(bounds=(0, 1), label_bounds=(0, 1), seed=1).fit(X, labels).release_.rows == 4
    for call in (
        lambda: sf.vector([1.0, cell], sensitivity=1, epsilon=1, seed=1),
        lambda: sf.choose(["a", "b"], [1.0, cell], sensitivity=1, epsilon=1, seed=1),
    ):
        try:
            call()
        except (sf.Error, TypeError, ValueError) as error:
            assert "secret" not in str(error) and error.__cause__ is None and error.__context__ is None


def test_the_person_is_no_variable():
    X = np.column_stack([RNG.uniform(0, 1, 200), np.arange(200) % 50])
    made = sf.Density(bounds={"x0": (0, 1)}, person="x1", contributions=4, bandwidth=0.2, epsilon=1, seed=1).fit(X)
    assert made.score_samples(X).shape == (200,) and made.release_.columns == ["x0"]
    regression = sf.Regressor(bounds={"x0": (0, 1)}, person="x1", contributions=4, label_bounds=(0, 1), seed=1).fit(X, X[:, 0])
    assert regression.predict(X).shape == (200,) and regression.predict_band(X).shape == (200,)


def test_batches_whose_columns_change_places_are_refused():
    import pyarrow as pa

    one = pa.record_batch({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    with pytest.raises(sf.Error):
        sf.density(iter([one, one.select(["b", "a"])]), "a", bounds=(0, 9), bandwidth=1, epsilon=1)


def test_an_interrupt_in_an_iterator_comes_out():
    import pyarrow as pa

    def batches():
        yield pa.record_batch({"a": [1.0, 2.0]})
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sf.density(batches(), "a", bounds=(0, 9), bandwidth=1, epsilon=1)


def test_columns_with_the_names_of_counts():
    t = sf.histogram(np.arange(100) % 2, "count", categories={"count": [0, 1]}, epsilon=100, seed=1)
    assert set(t.to_dict()) == {"count", "count_"} and t.to_dict()["count"] == ["0", "1"]
    assert set(t.sample(10, seed=1)["count"]) <= {"0", "1"}


def test_whole_numbers_are_not_cut_off():
    for call in (
        lambda: sf.account([("gaussian", 10, 2.9)], delta=1e-6),
        lambda: sf.density(PLANE, bounds=(-1, 1), bandwidth=0.2, epsilon=1, contributions=2.9),
        lambda: sf.histogram(PLANE, bins=2.5, bounds=(-1, 1), epsilon=1),
        lambda: sf.plan.count(n=10.5, epsilon=1),
        lambda: sf.density(PLANE, bounds=(-1, 1), bandwidth=0.2, epsilon=1, seed=False),
        lambda: sf.score(train(seed=1), LABELLED, public="no", columns=["a", "b", "y"]),
    ):
        with pytest.raises(sf.InvalidError):
            call()


def test_misuse_is_a_value_error_everywhere(tmp_path):
    line, two = np.linspace(0, 1, 100), np.ones((5, 2))
    settings = {"bounds": (0, 1), "bandwidth": 0.1, "epsilon": 1, "seed": 1}
    one = sf.density(line, **settings)
    table = sf.histogram(np.arange(100) % 2, categories={"x0": [0, 1]}, epsilon=1, seed=1)
    plan = sf.plan.density("x", n=500, bounds=(0, 1), epsilon=1)
    gp = {**settings, "method": "gp", "delta": 1e-6, "kernel": "matern32"}
    of = {"bounds": (0, 1), "epsilon": 1}
    for call in (
        *(lambda n=n: sf.plan.density("x", n=n, bounds=(0, 1), epsilon=1) for n in (-5, "x", None, float("nan"), 10**30)),
        lambda: sf.plan.count(n=-5, epsilon=1),
        lambda: sf.plan.count(n=5, epsilon=None),
        lambda: sf.plan.count(n=5, epsilon=1, contributions=1.5),
        lambda: plan.preview(seed=-1),
        lambda: plan.epsilon_for(None),
        *(lambda seed=seed: one.sample(5, seed=seed) for seed in (-1, 2**70, 2.5)),
        *(lambda count=count: one.sample(count) for count in (-1, 2.5, "x")),
        lambda: table.sample(5, seed=-1),
        *(lambda it=it: sf.density(line, confidence=it, **settings) for it in ("x", line, 10**400)),
        lambda: sf.density(line, **{**settings, "seed": 2**70}),
        lambda: sf.density(line, threads=2**40, **settings),
        lambda: sf.density(line, contributions=2**40, **settings),
        *(lambda grid=grid: sf.density(line, release_grid=grid, **gp) for grid in (2.7, -2, "x")),
        lambda: one.band(grid=2.5),
        lambda: one.quantile(0.5, confidence="x"),
        lambda: one.refine(shrink="x"),
        lambda: sf.histogram(line, bins=2**70, **of),
        lambda: sf.histogram(line, bins=2, margins=0.5, **of),
        *(lambda it=it: sf.train(two, "x1", label_bounds=it, **of) for it in (5, (1, 2, 3), ("a", 1))),
        *(lambda it=it: sf.train(two, "x1", classes=it, **of) for it in (5, "ab")),
        lambda: sf.train(two, "x1", classes=[0, 1], lambda_=object(), **of),
        lambda: sf.account([5], delta=1e-6),
        lambda: sf.Ledger.create(tmp_path / "a.db", "a", epsilon="x"),
        lambda: sf.Ledger.create(tmp_path / "a.db", 5, epsilon=1),
        lambda: sf.density(line, progress=5, **settings),
        lambda: sf.density(line, schema=5, **settings),
        lambda: sf.histogram(line, categories={"x0": 5}, epsilon=1),
        lambda: sf.density(line, **{**settings, "epsilon": 10**400}),
        lambda: sf.density(line, **{**settings, "bounds": (0, 10**400)}),
    ):
        with pytest.raises(ValueError) as raised:
            call()
        assert isinstance(raised.value, sf.InvalidError)


def test_bytes_are_classes_too():
    y = np.where(PLANE[:, 0] > 0, b"yes", b"no")
    made = sf.Classifier(bounds=(-1, 1), classes=["no", "yes"], epsilon=50, seed=1).fit(PLANE, y)
    assert (made.predict(PLANE) == np.where(PLANE[:, 0] > 0, "yes", "no")).mean() > 0.9


def test_libsvm_text_is_trained_on(tmp_path):
    lines = [f"{int(label)} 1:{a:.4f} 2:{b:.4f}" for a, b, label in LABELLED]
    (tmp_path / "rows.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    made = sf.train(sf.open_libsvm(tmp_path / "rows.txt", 2), classes=[-1, 1], bounds=(-1, 1), epsilon=1, seed=1)
    assert made.kind == "machine"


def test_what_was_read_stays_said():
    X, y = np.linspace(-1, 1, 100).reshape(-1, 1), np.repeat([0, 1], 50)
    made = sf.Classifier(bounds=(-1, 1), classes="public", seed=1).fit(X, y)
    made.set_params(classes=[0, 1])
    assert "classes were read" in made.guarantee_


def test_a_path_with_nul():
    with pytest.raises((sf.InvalidError, ValueError)):
        sf.density(PLANE, bounds=(-1, 1), bandwidth=0.2, epsilon=1, seed=1).save("x\0y")


def test_a_column_in_place_of_categories_is_not_repeated():
    import pandas as pd

    frame = pd.DataFrame({"sex": ["secret", "M", "secret"], "other": [" secret", "M", "F"]})
    for wrong in (frame["sex"], frame["sex"].tolist(), frame["sex"].to_numpy(), frame["other"], frame["other"].to_numpy()):
        with pytest.raises(sf.InvalidError) as raised:
            sf.histogram(frame, "sex", categories={"sex": wrong}, epsilon=1)
        assert "secret" not in str(raised.value) and raised.value.__context__ is None
    for wrong in (frame["sex"], frame["sex"].tolist()):
        with pytest.raises(sf.InvalidError) as raised:
            sf.train(frame, "sex", ["other"], categories={"other": ["M", "F"]}, classes=wrong, epsilon=1)
        assert "secret" not in str(raised.value)
    with pytest.raises(sf.InvalidError, match="blanks around"):  # a list is stated
        sf.histogram(frame, "sex", categories={"sex": [" F", "M"]}, epsilon=1)


def test_truth_in_arrays_has_categories():
    truth = np.arange(300) % 3 == 0
    wanted = sf.histogram(truth.astype(int), categories={"x0": [0, 1]}, epsilon=1, seed=1)
    for rows in (truth, truth[:, np.newaxis], truth.tolist(), truth.astype(object), truth.astype(float)):
        assert sf.histogram(rows, categories={"x0": [False, True]}, epsilon=1, seed=1) == wanted
    X = np.column_stack([truth, ~truth])
    settings = {"categories": {"x0": [False, True], "x1": [False, True]}, "classes": [False, True], "epsilon": 50, "seed": 1}
    made = sf.Classifier(**settings).fit(X, truth)
    for points in (X, X.tolist(), X.astype(int)):
        assert (made.predict(points) == truth).all()


def test_a_machine_of_categories_alone_needs_no_bounds():
    import pandas as pd

    frame = pd.DataFrame({"sex": ["F", "M"] * 200, "ill": [0, 0, 1, 1] * 100})
    settings = {"categories": {"sex": ["F", "M"], "ill": [0, 1]}, "epsilon": 50, "seed": 1}
    made = sf.Classifier(classes=["F", "M"], **settings).fit(frame, frame["sex"])
    assert (made.predict(frame) == frame["sex"]).all()
    assert sf.Regressor(label_bounds=(0, 1), **settings).fit(frame, frame["ill"]).release_.kind == "machine"
    with pytest.raises(sf.InvalidError, match=r"bounds of 'ill'"):
        sf.Classifier(classes=["F", "M"], categories={"sex": ["F", "M"]}, seed=1).fit(frame, frame["sex"])


def test_bounds_beside_the_categories_of_a_schema():
    import pandas as pd

    frame = pd.DataFrame({"sex": ["F", "M"] * 50, "age": np.linspace(0, 100, 100)})
    schema = {"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}}]}
    stated = {"bins": {"age": 4}, "epsilon": 1, "seed": 1}
    wanted = sf.histogram(frame, categories={"sex": ["F", "M"]}, bounds={"age": (0, 100)}, **stated).values
    assert sf.histogram(frame, schema=schema, bounds=(0, 100), **stated).values == wanted
    assert sf.histogram(frame, schema=schema, bounds=[(0, 100)], **{**stated, "bins": 4}).values == wanted
    made = sf.Classifier(schema=schema, bounds=(0, 100), classes=["F", "M"], seed=1).fit(frame, frame["sex"])
    assert made.release_.columns == ["sex", "age"]
