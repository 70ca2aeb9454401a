"""With a seed every release is, byte for byte, the one that the command makes."""

import subprocess
from fractions import Fraction

import numpy as np
import pytest

import sfumato as sf
from sfumato._paths import COMMAND

BOUNDS = {"age": (0, 100), "hours": (0, 24)}
CASES = {
    "lattice": (
        lambda rows: sf.density(rows, "age", bounds=(0, 100), bandwidth=5, epsilon=1, seed=5),
        "density ROWS --columns age --bounds 0:100 --bandwidth 5 --epsilon 1",
    ),
    "bandwidth": (
        lambda rows: sf.density(rows, "age", bounds=(0, 100), epsilon=1, boundary="reflect", shape="normal:40:12", seed=5),
        "density ROWS --columns age --bounds 0:100 --epsilon 1 --boundary reflect --shape normal:40:12",
    ),
    "map": (
        lambda rows: sf.density(
            rows, ["age", "hours"], bounds=BOUNDS, bandwidth={"age": 8, "hours": 3}, epsilon=1, delta=1e-6, method="gp", seed=5
        ),
        "density ROWS --columns age,hours --bounds 0:100,0:24 --bandwidth 8,3 --epsilon 1 --delta 1e-6 --method gp",
    ),
    "mirror": (
        lambda rows: sf.density(
            rows,
            ["age", "hours"],
            bounds=BOUNDS,
            bandwidth={"age": 8, "hours": 3},
            boundary=["reflect", "open"],
            epsilon=1,
            delta=1e-6,
            method="gp",
            seed=5,
        ),
        "density ROWS --columns age,hours --bounds 0:100,0:24 --bandwidth 8,3 --boundary reflect,open --epsilon 1 "
        "--delta 1e-6 --method gp",
    ),
    "groups": (
        lambda rows: sf.density(
            rows, "age", by="sex", categories={"sex": ["F", "M"]}, bounds={"age": (0, 100)}, bandwidth=5, epsilon=1, seed=5
        ),
        "density ROWS --columns age --by sex --categories sex=F|M --bounds 0:100 --bandwidth 5 --epsilon 1",
    ),
    "add-remove": (
        lambda rows: sf.density(rows, "age", bounds=(0, 100), bandwidth=5, epsilon=1, neighbours="add-remove", seed=5),
        "density ROWS --columns age --bounds 0:100 --bandwidth 5 --epsilon 1 --neighbours add-remove",
    ),
    "fourier": (
        lambda rows: sf.density(
            rows, "hours", bounds=(0, 24), bandwidth=2, boundary="periodic", method="fourier-laplace", epsilon=1, seed=5
        ),
        "density ROWS --columns hours --bounds 0:24 --bandwidth 2 --boundary periodic --method fourier-laplace --epsilon 1",
    ),
    "series": (
        lambda rows: sf.series(rows, "hours", bounds=(0, 24), terms=9, epsilon=1, seed=5),
        "series ROWS --columns hours --basis fourier --bounds 0:24 --terms 9 --epsilon 1",
    ),
    "histogram": (
        lambda rows: sf.histogram(
            rows, ["sex", "age"], categories={"sex": ["F", "M"]}, bins={"age": 10}, bounds={"age": (0, 100)}, epsilon=1, seed=5
        ),
        "histogram ROWS --columns sex,age --categories sex=F|M --bins age=10 --bounds age=0:100 --epsilon 1",
    ),
    "count": (
        lambda rows: sf.count(rows, 'age>=65 and sex=="F"', categories={"sex": ["F", "M"]}, epsilon=1, seed=5),
        'count ROWS --where age>=65\xa0and\xa0sex=="F" --categories sex=F|M --epsilon 1',
    ),
    "quantiles": (
        lambda rows: sf.quantiles(rows, "age", q=[0.25, 0.5], bounds=(0, 1000), epsilon=1, seed=5),
        "range ROWS --column age --quantiles 0.25,0.5 --within 0:1000 --epsilon 1",
    ),
    "train": (
        lambda rows: sf.train(rows, "sex", ["age", "hours"], bounds=BOUNDS, classes=["F", "M"], epsilon=1, seed=5),
        "train ROWS --features age,hours --label sex --labels F|M --bounds age=0:100,hours=0:24 --epsilon 1",
    ),
    "regression": (
        lambda rows: sf.train(
            rows,
            "hours",
            ["age"],
            bounds=(0, 100),
            label_bounds=(0, 24),
            loss="squared",
            epsilon=1,
            delta=1e-6,
            kernel="gaussian",
            bandwidth=0.5,
            method="rff",
            random_features=40,
            seed=5,
        ),
        "train ROWS --features age --label hours --bounds 0:100 --label-bounds 0:24 --loss squared --epsilon 1 --delta 1e-6 "
        "--kernel gaussian:0.5 --method rff:40",
    ),
    "mean": (
        lambda rows: sf.mean(rows, "age", bounds=(0, 1e6), gamma=0.05, epsilon=1, delta=1e-6, seed=5),
        "mean ROWS --column age --within 0:1e6 --random-dp 0.05 --epsilon 1 --delta 1e-6",
    ),
    "exact count": (
        lambda rows: sf.count(rows, "age>=100", epsilon=1, gamma=0.1, seed=5),
        "count ROWS --where age>=100 --epsilon 1 --random-dp 0.1",
    ),
}
MATRIX = np.array([[1, 1, 0, 0], [0.5, 0, 0.5, 0], [1, 1, 1, 1]])


@pytest.mark.parametrize("case", CASES)
def test_a_path_gives_the_bytes_of_the_command(case, csv, command):
    release, line = CASES[case]
    words = [word.replace("\xa0", " ") for word in line.replace("ROWS", str(csv)).split(" ")]
    assert release(csv).dumps() == command(*words, "--seed", "5")


@pytest.mark.parametrize("case", [case for case in CASES if case != "count"])
def test_every_kind_of_frame_gives_the_bytes_of_the_command(case, columns, csv):
    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    release, _ = CASES[case]
    frame = pd.DataFrame(columns)
    wanted = release(csv)
    table = pa.table(columns)
    for rows in (frame, pl.DataFrame(frame), table, duckdb.sql("select * from frame"), iter(table.to_batches(max_chunksize=271))):
        assert release(rows) == wanted, type(rows)


def test_arrays_of_every_kind_are_the_same_rows(columns):
    def release(rows):
        return sf.density(rows, ["age", "hours"], bounds=[(0, 100), (0, 24)], bandwidth=[8, 3], epsilon=1, seed=5)

    array = np.column_stack([columns["age"], columns["hours"]])
    wanted = release(array)
    wide = np.zeros((len(array) * 2, 5))
    wide[::2, 1:4:2] = array
    read_only = array.copy()
    read_only.flags.writeable = False
    for rows in (
        np.asfortranarray(array),
        array.astype(">f8"),
        wide[::2, 1:4:2],
        np.ascontiguousarray(array[::-1])[::-1],
        np.ascontiguousarray(array[:, ::-1])[:, ::-1],
        read_only,
        array.astype(np.longdouble),
        np.ma.masked_array(array),
        array.tolist(),
        iter([array[:1000], array[1000:]]),
        array.astype(object).astype(float),
    ):
        assert release(rows) == wanted, type(rows)


@pytest.mark.parametrize("method", ["auto", "table", "laplace", "normal", "k-norm"])
def test_linear_queries_are_those_of_the_command(method, csv, command, tmp_path):
    np.save(tmp_path / "M.npy", MATRIX)
    facts = {"categories": {"sex": ["F", "M"]}, "bins": {"age": 2}, "bounds": {"age": (0, 100)}}
    made = sf.linear(csv, ["sex", "age"], **facts, matrix=MATRIX, method=method, epsilon=1, delta=1e-6, seed=5)
    line = "--columns sex,age --categories sex=F|M --bins age=2 --bounds age=0:100 --epsilon 1 --delta 1e-6 --method"
    assert made.dumps() == command("linear", csv, "--matrix", tmp_path / "M.npy", *line.split(), method, "--seed", "5")
    plan = sf.plan.linear(["sex", "age"], **facts, matrix=MATRIX, method=method, epsilon=1, delta=1e-6)
    taken = next(one for one in plan if one.taken)
    assert taken.possible and (method == taken.method if method != "auto" else taken.hardened)
    assert (made.kind == "histogram") == (taken.method == "table")


def test_linear_queries_have_names(csv, command, tmp_path):
    lines = ["query,a,b,c,d", *(f"q{i}," + ",".join(map(str, row)) for i, row in enumerate(MATRIX))]
    (tmp_path / "M.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    given = {"matrix": MATRIX, "queries": ["q0", "q1", "q2"], "method": "laplace", "epsilon": 1, "seed": 5}
    made = sf.linear(csv, ["sex", "ill"], categories={"sex": ["F", "M"], "ill": [0, 1]}, **given)
    words = ["--columns", "sex,ill", "--categories", "sex=F|M", "--categories", "ill=0|1", "--method", "laplace"]
    assert made.dumps() == command("linear", csv, "--matrix", tmp_path / "M.csv", *words, "--epsilon", "1", "--seed", "5")
    assert made.labels == given["queries"]


OPTIMAL = {
    "minimax": ({}, "--minimax"),
    "equaliser": ({"objective": "equaliser"}, "--equaliser"),
    "uniform": ({"objective": "bayes", "loss": "squared"}, "--prior uniform --loss squared"),
    "prior": ({"prior": np.arange(1, 22) / 231}, "--prior @PRIOR"),
    "own": ({"loss": np.abs(np.subtract.outer(np.arange(21), np.arange(21))) ** 1.5}, "--minimax --loss @LOSS"),
}


@pytest.mark.parametrize("case", OPTIMAL)
def test_mechanisms_for_counts_are_those_of_the_command(case, command, tmp_path):
    settings, line = OPTIMAL[case]
    for name, values in (("PRIOR", settings.get("prior")), ("LOSS", settings.get("loss"))):
        if not isinstance(values, (str, type(None))):
            np.savetxt(tmp_path / name, np.atleast_2d(values), delimiter=",", fmt="%.17g")
    words = line.replace("@PRIOR", f"@{tmp_path}/PRIOR").replace("@LOSS", f"@{tmp_path}/LOSS").split()
    made = sf.optimal(20, epsilon=0.5, **settings)
    assert made.dumps() == command("optimal", "--n", "20", "--epsilon", "0.5", *words)
    assert made.law(3).sum() == pytest.approx(1) and made.verify().risk == pytest.approx(made.summary()["risk"])


def test_a_count_is_answered_by_a_mechanism(csv, command, tmp_path):
    few = tmp_path / "few.csv"
    few.write_text("".join(csv.read_text(encoding="utf-8").splitlines(keepends=True)[:101]), encoding="utf-8")
    mechanism = sf.optimal(100, epsilon=0.5)
    mechanism.save(tmp_path / "m.sfm")
    made = sf.count(few, "age>=40", mechanism=mechanism, seed=5)
    assert made.dumps() == command("count", few, "--where", "age>=40", "--mechanism", tmp_path / "m.sfm", "--seed", "5")


@pytest.mark.parametrize("law", ["laplace", "normal", "gaussian"])
@pytest.mark.parametrize("scale", ["3/2", "40", "0.7"])
def test_noise_is_that_of_the_command(law, scale):
    words = [str(COMMAND), "noise", law, "--scale", scale, "--count", "50", "--seed", "5"]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    drawn = sf.noise(law, scale, (5, 10), seed=5)
    assert drawn.ravel().tolist() == [int(one) for one in said[1:]]
    assert sf.noise(law, Fraction(scale), seed=5) == drawn[0, 0] and drawn.dtype == np.int64
    assert (sf.noise(law, 1000, 20) != sf.noise(law, 1000, 20)).any()


THETA, S = np.array([1.5, -2, 30]), np.array([[2, 0.5, 0], [0.5, 1, 0], [0, 0, 3]])
VERTICES = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, -1, 1]])
VECTORS = {
    "laplace": ({"sensitivity": 2, "norm": "l1"}, "l1:2"),
    "normal": ({"sensitivity": 2, "delta": 1e-6}, "l2:2 --delta 1e-6"),
    "gamma": ({"sensitivity": 2, "noise": "gamma"}, "l2:2 --noise gamma"),
    "linf": ({"sensitivity": 2, "norm": "linf", "contributions": 2}, "linf:2 --contributions 2"),
    "ellipsoid": ({"ellipsoid": S, "delta": 1e-6}, "ellipsoid:@S --delta 1e-6"),
    "round": ({"ellipsoid": S, "noise": "gamma"}, "ellipsoid:@S --noise gamma"),
    "polytope": ({"vertices": VERTICES}, "polytope:@V"),
    "person": ({"sensitivity": 2, "norm": "l1", "person": "id"}, "l1:2 --person id"),
}


@pytest.mark.parametrize("case", VECTORS)
def test_vectors_are_those_of_the_command(case, command, tmp_path):
    settings, line = VECTORS[case]
    np.save(tmp_path / "theta.npy", THETA)
    np.save(tmp_path / "S.npy", S)
    np.savetxt(tmp_path / "V.csv", VERTICES, delimiter=",")
    line = line.replace("@S", f"@{tmp_path}/S.npy").replace("@V", f"@{tmp_path}/V.csv")
    made = sf.vector(THETA, **settings, epsilon=1, seed=5)
    words = ["--sensitivity", *line.split(), "--epsilon", "1", "--seed", "5"]
    assert made.dumps() == command("vector", tmp_path / "theta.npy", *words)


def test_choices_are_those_of_the_command(command, tmp_path):
    lines = ["candidate,score", *(f"{name},{score}" for name, score in (("north", 30), ("south", 28), ("east", 5)))]
    (tmp_path / "scores.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    made = sf.choose(["north", "south", "east"], [30, 28, 5], sensitivity=2, epsilon=1, seed=5)
    words = ["--sensitivity", "2", "--epsilon", "1", "--seed", "5"]
    assert made.dumps() == command("choose", tmp_path / "scores.csv", *words)


def test_curves_are_those_of_the_command(command, tmp_path):
    t = np.arange(17) / 16
    rows = np.sin(3 * t) + np.random.default_rng(0).normal(0, 0.1, (500, 17))
    np.save(tmp_path / "curves.npy", rows)
    names = [str(i) for i in range(17)]
    for delta in (0, 1e-6):
        made = sf.curve(sf.Rows(tmp_path / "curves.npy"), names, grid=t, clip=3, bandwidth=0.3, epsilon=1, delta=delta, seed=5)
        words = ["--columns", "1-17", "--grid", "0:1", "--kernel", "matern52:0.3", "--clip", "3", "--epsilon", "1"]
        words += ["--delta", "1e-6"] if delta else []
        assert made.dumps() == command("curve", tmp_path / "curves.npy", *words, "--seed", "5")
