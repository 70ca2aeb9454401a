"""Settings that are allowed but probably a mistake are warnings before the charge; rows of a table are near the truth."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import sfumato as sf


def test_a_setting_that_is_seldom_meant_is_a_warning():
    ages = np.arange(50.0)
    with pytest.warns(sf.SettingWarning, match="epsilon = 20") as told:
        sf.density(ages, "age", bounds=(0, 100), bandwidth=5, epsilon=20, seed=1)
    assert told[0].filename == __file__
    with pytest.warns(sf.SettingWarning, match="1/n, n = 50"):
        sf.density(ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=0.1, noise="normal", method="lattice", seed=1)
    with pytest.warns(sf.SettingWarning, match="bandwidth of 'age'"):
        sf.plan.density("age", n=50, bounds=(0, 100), bandwidth=0.1, epsilon=1)
    with pytest.raises(sf.InvalidError, match="classes"):
        sf.train(np.column_stack([ages, ages > 25]), "x1", features=["x0"], bounds={"x0": (0, 100)}, epsilon=1, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sf.density(ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, seed=1)


def test_a_warning_made_an_error_charges_nothing(tmp_path):
    ledger = sf.Ledger.create(tmp_path / "l.db", "visits", epsilon=100)
    with ledger.dataset("visits") as visits, warnings.catch_warnings():
        warnings.simplefilter("error", sf.SettingWarning)
        with pytest.raises(sf.SettingWarning):
            visits.density(np.arange(50.0), "age", bounds=(0, 100), bandwidth=5, epsilon=20)
        with pytest.raises(sf.SettingWarning):
            sf.plan.density("age", n=50, bounds=(0, 100), epsilon=20)
        assert float(visits.left.spent_epsilon) == 0
        visits.density(np.arange(50.0), "age", bounds=(0, 100), bandwidth=5, epsilon=1)


def test_rows_of_a_raw_table_are_near_the_truth():
    rng = np.random.default_rng(0)
    people = (rng.random((4000, 10)) < 0.1).astype(float)
    names = [f"c{i}" for i in range(10)]
    table = sf.histogram(sf.Rows(people, names), names, categories={name: [0, 1] for name in names}, epsilon=1, seed=2)

    def worst(rows):
        return max(abs(np.mean(rows[name] == "1") - people[:, i].mean()) for i, name in enumerate(names))

    assert worst(table.sample(20000, seed=1)) < 0.06
    assert worst(table.sample(20000, seed=1, raw=True)) > 0.08
    refined = table.refine()
    drawn, again = refined.sample(100, seed=3), table.sample(100, seed=3)
    assert all((drawn[name] == again[name]).all() for name in names)
    assert table.share(c0=1) == refined.share(c0=1, raw=True) == pytest.approx(people[:, 0].mean(), abs=0.06)
    assert table.share(c0=[0, 1], c1=["0", 1]) == pytest.approx(1)
    assert table.share(c0=1, c1=1) != table.share(c0=1, c1=1, raw=True)
    with pytest.raises(sf.InvalidError, match="no category"):
        table.share(c0="maybe")
    for name in names:
        assert refined.marginal(name).values == pytest.approx(table.marginal(name).values, abs=1e-3)


def test_check_counts_what_is_clamped():
    found = sf.check(np.array([34.0, 71.0, 130.0, np.nan]), "age", bounds=(0, 120))
    assert (found.records, found.ignored, found.clamped, found.share) == (4, 1, 1, 0.5)


def test_check_counts_what_a_call_would_read(ledger):
    x = np.array([34.0, 71.0, 130.0, np.nan])
    call = (sf.density, x, "age")
    settings = {"bounds": (0, 120), "bandwidth": 5, "epsilon": 1}
    assert sf.check_call(*call, **settings).ignored == 2
    found = sf.check_call(*call, **settings, outside="clamp")
    assert (found.ignored, found.clamped, found.columns[0].above) == (1, 1, 1)
    rows = sf.Rows(np.column_stack([x, [1, 1, 1, 0]]), ["age", "patient"])
    found = sf.check_call(sf.density, rows, "age", **settings, person="patient")
    assert (found.persons, found.persons_over, found.records_over) == (2, 1, 2)
    assert sf.density(rows, "age", **settings, seed=1).rows == 4  # and is read again
    with ledger.dataset("rows") as d:
        with pytest.raises(sf.Error):
            sf.check_call(d.density, rows, "age", **settings)
        assert d.left.charges == 0
    with pytest.raises(sf.InvalidError, match="bandwidth"):
        sf.check_call(*call, **{**settings, "bandwidth": -1})
    with pytest.raises(sf.InvalidError, match="read no rows"):
        sf.check_call(sf.vector, [1.0], sensitivity=1, epsilon=1, seed=1)


def test_check_counts_lines_of_libsvm_text(tmp_path):
    (tmp_path / "rows.txt").write_text("1 1:0.5 3:1\n-1 9:1\n1 x\n2 1:5\n", encoding="utf-8")
    label = {"name": "label", "type": "number", "constraints": {"enum": [-1, 1]}}
    found = sf.check(sf.open_libsvm(tmp_path / "rows.txt", 3), schema={"fields": [label]}, bounds={"values": (0, 1)})
    assert found.columns[0].undeclared == 1 and found.columns[1].above == 1
    assert (found.records, found.malformed, found.beyond) == (4, 1, 1)


def test_promises_within_a_set_are_those_of_the_command(tmp_path):
    import json
    import subprocess

    from sfumato._paths import COMMAND

    ages = np.arange(100.0)
    rows = sf.Rows(np.column_stack([ages, ages % 2]), ["age", "sex"])
    facts = {"bins": {"age": 10}, "bounds": {"age": (0, 100)}, "categories": {"sex": [0, 1]}}
    table = sf.histogram(rows, ["age", "sex"], **facts, epsilon=1, seed=1)
    count = sf.count(rows, "age >= 65", epsilon=1, seed=1)
    for made, asked, line in (
        (table, {"age": (20, 29)}, "age=20:29"),
        (table, {"age": (20, 29), "sex": ["1"]}, "age=20:29 sex=1"),
        (count, {"age": (20, 29)}, "age=20:29"),
        (count, {"age": (20, 80)}, "age=20:80"),
    ):
        made.save(tmp_path / "r.sfm")
        words = [word for one in line.split() for word in ("--prediction", one)]
        words = [str(COMMAND), "verify", str(tmp_path / "r.sfm"), *words, "--random-dp", "0.01", "--json"]
        wanted = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        assert made.guarantee_within(**asked).epsilon == wanted["epsilon"], line
    assert count.guarantee_within(age=(20, 29)).epsilon == 0 and count.guarantee_within(age=(20, 80)).epsilon == 1
    with pytest.raises(sf.InvalidError):
        table.guarantee_within(height=(1, 2))


def test_a_plan_names_the_best_bandwidth():
    facts = {"n": 20000, "bounds": (0, 100), "epsilon": 1, "shape": "normal:40:20"}
    best = sf.plan.density("age", **facts).bandwidth
    assert best == sf.plan.density("age", **facts, bandwidth=9).bandwidth and 0.5 < best[0] < 9
    assert np.isnan(sf.plan.count(n=10, epsilon=1).bandwidth).all()
