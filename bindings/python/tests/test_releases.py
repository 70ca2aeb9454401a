"""Releases: values, bands, queries, copies, pictures; and nothing that grows."""

import copy
import gc
import pickle
import re
import resource
import threading

import numpy as np
import pytest

import sfumato as sf

X = np.random.default_rng(5).normal(40, 12, 4000).clip(0, 100)


@pytest.fixture(scope="module")
def age():
    return sf.density(X, "age", bounds=(0, 100), bandwidth=4, epsilon=1, seed=9)


def test_values_are_those_of_the_command(age, tmp_path):
    import subprocess

    from sfumato._paths import COMMAND

    age.save(tmp_path / "age.sfm")
    words = [str(COMMAND), "eval", str(tmp_path / "age.sfm"), "--at", "20,35.5,80", "--band"]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip().split("\n")[1:]
    at, values, *_ = np.array([[float(cell) for cell in line.split(",")] for line in lines]).T
    assert np.allclose(age(at), values, rtol=1e-12)
    assert sf.read(tmp_path / "age.sfm") == age


def test_shapes_of_points(age):
    assert isinstance(age(40), float)
    assert age([40, 50]).shape == (2,) and age(np.zeros((3, 1))).shape == (3,) and age(np.zeros((2, 5))).shape == (2, 5)
    assert np.isnan(age(-1))
    import pandas as pd

    assert age(pd.DataFrame({"other": [1.0], "age": [40.0]}))[0] == age(40.0)
    with pytest.raises(sf.InvalidError, match="age"):
        age(pd.DataFrame({"other": [1.0]}))


def test_the_band_holds_around_the_estimate(age):
    x, lower, upper = age.band(grid=50)
    assert x.shape == (50,) and (upper > lower).all()
    assert age.band(0.5).half_width < age.band().half_width < age.band(0.999).half_width
    assert age.band().confidence == 0.95


def test_queries(age):
    mean = age.mean()
    assert mean.lower < X.mean() < mean.upper
    low, high = age.quantile([0.1, 0.9])
    assert low.value < high.value and age.quantile(0.5).lower < age.quantile(0.5).value
    assert abs(age.cdf(40.0).value - 0.5) < 0.1
    assert abs(age.probability(0, 100).value - 1) < 1e-9
    assert 20 < age.mode().value < 60


def test_copies_are_the_same_release(age):
    for other in (copy.copy(age), copy.deepcopy(age), pickle.loads(pickle.dumps(age)), sf.loads(age.dumps())):
        assert other == age and hash(other) == hash(age) and other(40.0) == age(40.0)
    assert age != sf.density(X, "age", bounds=(0, 100), bandwidth=4, epsilon=1, seed=10)


def test_facts(age):
    assert (age.kind, age.method, age.hardened, age.private, age.rows) == ("density", "lattice", True, False, 4000)
    assert age.guarantee.kind == "pure" and age.guarantee.epsilon == 1
    assert "seed" in age.sentence.lower() or "not private" in age.sentence.lower()
    assert age.summary()["kind"] == "density" and age.bounds == [(0, 100)] and age.bandwidth == [4]
    assert "NOT PRIVATE" in repr(age)


def test_refined_and_sampled(age):
    refined = age.refine()
    assert refined.refined and (refined(np.linspace(0, 100, 200)) >= 0).all()
    drawn = age.sample(5000, seed=1)
    assert drawn.shape == (5000, 1) and abs(drawn.mean() - X.mean()) < 2
    assert (drawn == age.sample(5000, seed=1)).all()
    with pytest.raises(TypeError):
        age.refine(shrinks=True)


def test_marginals_and_tables():
    rows = np.column_stack([X, np.random.default_rng(0).integers(0, 2, len(X))])
    table = sf.histogram(
        rows, ["age", "ill"], bins={"age": 4}, bounds={"age": (0, 100)}, categories={"ill": [0, 1]}, epsilon=1, seed=1
    )
    assert table.to_pandas().shape == (8, 3) and table.to_polars().height == 8
    ill = table.marginal("ill")
    assert ill.columns == ["ill"] and abs(sum(ill.values) - 4000) < 100
    drawn = table.sample(100, seed=1)
    assert set(drawn["ill"]) <= {"0", "1"} and drawn["age"].dtype == float
    plane = sf.density(rows, ["age", "ill"], bounds=[(0, 100), (-1, 2)], bandwidth=[5, 0.3], epsilon=1, seed=1)
    assert plane.marginal("age").columns == ["age"] and plane.grid(8)[1].shape == (8, 8)
    assert plane([[40, 0], [40, 1]]).shape == (2,)


def test_a_bad_text_is_refused():
    for bad in ("", "{}", "[1]", "\0", '{"sfumato": 1}', "x" * 1000):
        with pytest.raises(sf.InvalidError):
            sf.loads(bad)


def test_pictures(age):
    import matplotlib

    matplotlib.use("Agg")
    assert age.plot().get_xlabel() == "age"
    svg = age.to_svg()
    assert svg.lstrip().startswith("<?xml") or "<svg" in svg
    shown = age._repr_html_()
    other = sf.density(X, "age", bounds=(0, 100), bandwidth=4, epsilon=1, seed=10)._repr_html_()
    ids = [set(re.findall(r'id="([^"]+)"', one)) for one in (shown, other)]
    assert ids[0] and not ids[0] & ids[1]  # two pictures on one page
    assert set(re.findall(r'href="#([^"]+)"', shown)) <= ids[0]
    assert "<svg" in shown and "epsilon 1" in shown and "not charged" in shown
    plan = sf.plan.density("age", n=1000, bounds=(0, 100), epsilon=1)
    assert "lattice" in str(plan) and "<table" in plan._repr_html_() and plan.plot() is not None


def test_threads_evaluate_at_once(age):
    wanted, x, wrong = age(np.linspace(0, 100, 1000)), np.linspace(0, 100, 1000), []

    def work():
        for _ in range(50):
            if not (age(x) == wanted).all():
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_nothing_grows_over_ten_thousand_fits():
    rows = X[:50].copy()

    def fit():
        sf.density(rows, "age", bounds=(0, 100), bandwidth=20, epsilon=1)

    for _ in range(1000):
        fit()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(10000):
        fit()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20000  # kB


def test_sessions(tmp_path):
    with sf.open_online(tmp_path / "a.sfs", X, "age", bounds=(0, 100), bandwidth=4, epsilon=1, delta=1e-6) as session:
        first = session.ask([20.0, 40.0])
    with sf.open_online(tmp_path / "a.sfs") as again:
        assert (again.ask([20.0, 40.0]) == first).all() and again.columns == ["age"]
        assert again.transcript().kind == "density" and again.guarantee.kind == "gdp"
    with pytest.raises(sf.InvalidError, match="closed"):
        again.ask(3.0)
    with pytest.raises(sf.InvalidError):
        sf.open_online(tmp_path / "none.sfs")


def test_plans_read_nothing():
    plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
    assert plan.best.possible and plan.best.relative < 0.05
    assert plan.relative_error(rows=80000, epsilon=1) < plan.best.relative
    assert plan.rows_for(0.01) > 0 and plan.epsilon_for(0.01) > 0
    assert not plan.preview().private
    with pytest.raises(sf.InvalidError):
        sf.plan.density("age", n=0, bounds=(0, 100), epsilon=1)


def test_a_score_has_the_release_that_was_paid_for(ledger, tmp_path):
    rows = np.column_stack([X / 50 - 1, np.where(X > 50, 1, -1)])
    names = {"columns": ["x", "y"]}
    machine = sf.train(rows, "y", **names, bounds=(-1, 1), classes=[-1, 1], constant=1, epsilon=20, seed=1)
    with ledger.dataset("rows") as d:
        score = d.score(machine, rows, epsilon=1, **names, request="score")
        assert d.score(machine, rows, epsilon=1, **names, request="score").release == score.release
        assert d.left.spent_epsilon == "1"
    assert (score.release.dataset, score.release.request) == ("rows", "score") and score.release.guarantee.epsilon == 1
    assert score == pytest.approx(score.release.value / 4000) and (score.rows, score.table) == (4000, None)
    score.release.save(tmp_path / "score.sfm")
    exact = sf.score(machine, rows, public=True, **names)
    assert exact.release is None and abs(exact - score) < 0.01 and sum(map(sum, exact.table)) == exact.rows == 4000
    assert (exact.table[0][0] + exact.table[1][1]) / 4000 == exact and 0.5 < exact.baseline < 1
    again = pickle.loads(pickle.dumps(score))
    assert again == score and again.release == score.release and again.rows == 4000


def test_sessions_are_charged_planned_and_discarded(ledger, tmp_path):
    rows = sf.Rows(np.column_stack([X / 50 - 1, np.where(X > 50, 1, -1)]), ["x", "y"])
    asked = {"bounds": {"x": (-1, 1)}, "epsilon": 1, "train": {"classes": [-1, 1]}, "epochs": 3, "update": "step"}
    with ledger.dataset("rows") as d:
        session = d.open_online(tmp_path / "a.sfs", rows, "x", bounds={"x": (-1, 1)}, bandwidth=0.1, epsilon=1, delta=1e-6)
        assert d.left.charges == 1 and session.ask(0.1) > 0
        session.close()
        machine = d.open_interactive(tmp_path / "b.sfs", rows, "y", **asked)
        assert d.left.charges == 2 and machine.ask([[0.9]])[0].epochs_left <= 3
    assert machine.plan == sf.plan.interact("x", n=4000, **asked) and machine.plan.rows == 4000
    machine.close()
    sf.Interactive.discard(tmp_path / "b.sfs")
    sf.Online.discard(tmp_path / "a.sfs")
    assert not list(tmp_path.glob("*.sfs"))
    with pytest.raises(sf.Error):
        sf.Online.discard(tmp_path / "a.sfs")


def test_a_weaker_promise_is_said_everywhere():
    weaker = sf.count(X, "x0 > 40", epsilon=1, gamma=0.05, seed=1)
    assert "random-dp, epsilon=1, gamma=0.05" in repr(weaker)
    assert "random-dp, epsilon 1, delta 0, gamma 0.05" in weaker._repr_html_()
    explained = sf.explain(weaker)
    assert explained.words == weaker.sentence and "typical record" in str(explained)
    assert explained.numbers == {"kind": "random-dp", "epsilon": 1, "gamma": 0.05}
    plain = sf.count(X, "x0 > 40", epsilon=1, seed=1)
    assert "random" not in repr(plain) + plain._repr_html_() + str(sf.explain(plain))
    assert sf.explain(plain).numbers == sf.explain(1).numbers
    assert "NOT PRIVATE" in str(sf.explain(plain)) and "NOT PRIVATE" not in str(sf.explain(1))
