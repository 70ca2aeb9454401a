"""With a seed every release is, byte for byte, the one that the command makes."""

import numpy as np
import pytest

import sfumato as sf

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
}


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
