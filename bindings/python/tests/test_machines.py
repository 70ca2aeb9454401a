"""Machines by public points, matrices and sparse rows: the bytes and the values of the command."""

import subprocess

import numpy as np
import pytest

import sfumato as sf
from sfumato._paths import COMMAND

RNG = np.random.default_rng(4)
FACTS = {"bounds": {"age": (0, 100), "hours": (0, 24)}, "categories": {"sex": ["F", "M"]}, "classes": [0, 1]}
LINE = ["--features", "age,hours,sex", "--bounds", "0:100,0:24", "--categories", "sex=F|M", "--label", "ill", "--labels", "0|1"]
PUBLIC = {"age": RNG.uniform(0, 100, 30).round(1), "hours": RNG.uniform(0, 24, 30).round(1), "sex": RNG.choice(["F", "M"], 30)}


def machine(csv, **settings):
    given = {"kernel": "gaussian", "bandwidth": 1, "epsilon": 2, "seed": 5, **FACTS, **settings}
    return sf.train(csv, "ill", ["age", "hours", "sex"], **given)


def evaluated(release, *words):
    done = subprocess.run([str(COMMAND), "eval", str(release), *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return np.array([float(line.split(",")[-1]) for line in done.stdout.splitlines()[1:]])


@pytest.fixture
def public(tmp_path):
    lines = [",".join(PUBLIC), *(",".join(map(str, row)) for row in zip(*PUBLIC.values()))]
    (tmp_path / "public.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "public.csv"


@pytest.mark.parametrize("delta", [0, 1e-6])
@pytest.mark.parametrize("shape", ["auto", "kernel", "isotropic"])
def test_public_points_are_those_of_the_command(shape, delta, csv, public, command):
    import pandas as pd

    words = [*LINE, "--kernel", "gaussian:1", "--method", "tddl", "--public", public, "--public-points", "20"]
    words += ["--noise-shape", shape, "--epsilon", "2", *(["--delta", "1e-6"] if delta else []), "--seed", "5"]
    settings = {"method": "tddl", "public_points": 20, "noise_shape": shape, "delta": delta}
    made = machine(csv, public=pd.DataFrame(PUBLIC), **settings)
    assert made.dumps() == command("train", csv, *words)
    assert made == machine(csv, public=PUBLIC, **settings)
    assert made == machine(csv, public=np.array(list(zip(*PUBLIC.values())), dtype=object), **settings)


@pytest.mark.parametrize(
    "wrong", [{**PUBLIC, "sex": ["X"] * 30}, {"age": [1.0], "hours": [2.0]}, [[1, 2]], {**PUBLIC, "age": [float("nan")] * 30}]
)
def test_public_points_have_a_value_in_every_column(wrong, csv):
    with pytest.raises((sf.InvalidError, KeyError)):
        machine(csv, method="tddl", public=wrong)


@pytest.mark.parametrize("settings", [{"net": 100, "probes": 5}, {"probes": 7}, {"delta": 1e-6, "probes": 9}])
def test_points_that_are_chosen_are_those_of_the_command(settings, csv, command):
    words = [*LINE, "--kernel", "gaussian:1", "--method", "tdil", "--lambda", "0.1", "--epsilon", "2", "--seed", "5"]
    names = {"net": "--net", "probes": "--rounds", "delta": "--delta"}
    words += [word for name, value in settings.items() for word in (names[name], value)]
    assert machine(csv, method="tdil", lambda_=0.1, **settings).dumps() == command("train", csv, *words)


def kernel(a, b):
    return np.exp(-((a[:, None] - b[None]) ** 2).sum(-1))


def test_matrices_of_a_kernel_are_those_of_the_command(command, tmp_path):
    x, points, new = (RNG.uniform(-1, 1, (n, 2)) for n in (300, 12, 5))
    gram = sf.Gram(kernel(x, x), kernel(x, points), kernel(points, points), kappa=1)
    labels = np.where(x[:, 0] > 0, 1, -1)
    (tmp_path / "y.csv").write_text("y\n" + "\n".join(map(str, labels)) + "\n", encoding="utf-8")
    for name, matrix in zip(("train", "cross", "between"), gram):
        np.save(tmp_path / f"{name}.npy", matrix)
    np.save(tmp_path / "new.npy", kernel(new, points))
    settings = {"method": "tddl", "gram": gram, "classes": [-1, 1], "epsilon": 4, "delta": 1e-6, "seed": 5}
    made = sf.train(tmp_path / "y.csv", "y", **settings)
    words = ["--gram", "train.npy", "--gram-public", "cross.npy", "--gram-public-public", "between.npy"]
    words = [tmp_path / word if word.endswith("npy") else word for word in words]
    words += ["--label", "y", "--labels", "-1|1", "--method", "tddl", "--kappa", "1", "--epsilon", "4", "--delta", "1e-6"]
    assert made.dumps() == command("train", tmp_path / "y.csv", *words, "--seed", "5")
    assert made == sf.train(sf.Rows(labels, ["y"]), "y", **settings)
    made.save(tmp_path / "m.sfm")
    wanted = evaluated(tmp_path / "m.sfm", "--points", tmp_path / "new.npy")
    assert made.decision_function(kernel(new, points)) == pytest.approx(wanted, rel=1e-12)
    assert gram.check().fits and gram.check().above == 0
    assert sf.Gram(gram.train, gram.cross, gram.between, 0.5).check().above == 300
    with pytest.raises(sf.InvalidError, match=r"gram.cross has shape"):
        sf.train(sf.Rows(labels, ["y"]), "y", **{**settings, "gram": gram._replace(cross=gram.between)})


@pytest.fixture
def sparse(tmp_path):
    from scipy.sparse import random_array

    made = random_array((400, 6), density=0.4, rng=np.random.default_rng(2)).tocsr()
    y = np.where(np.asarray(made.sum(axis=1)).ravel() > 1.1, 1, -1)
    lines = []
    for i, label in enumerate(y):
        row = made[[i]].tocoo()
        cells = sorted(zip(row.col.tolist(), row.data.tolist()))
        lines.append(" ".join([str(label), *(f"{j + 1}:{value!r}" for j, value in cells)]))
    (tmp_path / "rows.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "rows.txt", made, y


def test_sparse_rows_are_trained_on_evaluated_and_asked(sparse, command, tmp_path):
    path, x, y = sparse
    settings = {"classes": [-1, 1], "bounds": (0, 1), "clip_norm": 2, "epsilon": 20, "lambda_": 0.05, "seed": 5}
    rows = sf.open_libsvm(path, 6)
    made = sf.train(rows, **settings)
    words = "--dimension 6 --labels -1|1 --bounds 0:1 --clip-norm 2 --lambda 0.05 --epsilon 20 --method finite --seed 5"
    assert made.dumps() == command("train", path, *words.split())
    made.save(tmp_path / "m.sfm")
    wanted = evaluated(tmp_path / "m.sfm", "--points", path)
    read = sf.read_libsvm(path, 6)
    assert read.shape == (400, 6) and (read.labels == y).all() and read.data == pytest.approx(x.sorted_indices().data)
    for points in (read, x, x.tocsc(), x.tocoo(), x.toarray()):
        assert made.decision_function(points) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        assert (made.predict(points) == np.where(wanted > 0, "1", "-1")).all()
    pointwise, everywhere = made.predict_band(x)
    assert pointwise == pytest.approx(made.predict_band(x.toarray())[0]) and (pointwise <= everywhere).all()
    assert sf.score(made, sf.open_libsvm(path, 6), public=True) == (made.predict(x).astype(int) == y).mean()


def test_sparse_public_points_are_those_of_the_command(sparse, command, tmp_path):
    path, x, _ = sparse
    settings = {"classes": [-1, 1], "bounds": (0, 1), "kernel": "gaussian", "bandwidth": 1, "method": "tddl"}
    points = tmp_path / "public.txt"
    points.write_text("\n".join(path.read_text(encoding="utf-8").splitlines()[:25]) + "\n", encoding="utf-8")
    words = "--dimension 6 --labels -1|1 --bounds 0:1 --kernel gaussian:1 --method tddl --epsilon 5 --delta 1e-6 --seed 5"
    wanted = command("train", path, *words.split(), "--public", points)
    for public in (x[:25], sf.read_libsvm(points, 6)):
        made = sf.train(sf.open_libsvm(path, 6), **settings, public=public, epsilon=5, delta=1e-6, seed=5)
        assert made.dumps() == wanted


def test_a_session_answers_sparse_questions(sparse, tmp_path):
    path, x, _ = sparse
    session = sf.open_interactive(
        tmp_path / "s.sfs",
        sf.open_libsvm(path, 6),
        bounds=(0, 1),
        train={"classes": [-1, 1], "clip_norm": 2, "lambda_": 0.1},
        epochs=3,
        questions=50,
        update="step",
        epsilon=5,
        anchor=tmp_path / "anchor",
    )
    answers = session.ask(x[:10])
    assert len(answers) == 10 and all(np.isfinite(one.value) for one in answers)
    assert len(session.ask(x[:2].toarray())) == 2
    with pytest.raises(sf.InvalidError, match="coordinates"):
        session.ask(x[:, :3])
    plan = sf.plan.interact(dimension=6, n=400, bounds=(0, 1), train={"classes": [-1, 1], "clip_norm": 2}, epochs=3, epsilon=5)
    assert plan.epochs == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"indptr": [0, 3]},
        {"indptr": [1, 2]},
        {"indptr": [0, 2, 1, 2]},
        {"indptr": []},
        {"indices": [0, 9]},
        {"indices": [-1, 1]},
        {"data": [1.0]},
        {"shape": (1, 5)},
    ],
)
def test_sparse_rows_that_are_none_are_refused(wrong, sparse):
    made = sf.train(sf.open_libsvm(sparse[0], 6), classes=[-1, 1], bounds=(0, 1), epsilon=1, seed=1)
    rows = sf.Sparse(data=[0.5, 1.0], indices=[0, 2], indptr=[0, 2], shape=(1, 6), labels=[1.0])
    assert made.decision_function(rows).shape == (1,)
    with pytest.raises(sf.InvalidError):
        made.decision_function(rows._replace(**wrong))
