"""Plans: the methods and numbers of the command, for every kind that it plans."""

import json
import subprocess

import numpy as np
import pytest

import sfumato as sf
from sfumato._paths import COMMAND

GRID = np.linspace(0, 1, 93)
CASES = {
    "density": (
        lambda: sf.plan.density("age", n=2000, bounds=(0, 100), epsilon=1, delta=1e-6),
        "density --n 2000 --columns age --bounds 0:100 --epsilon 1 --delta 1e-6",
    ),
    "table": (
        lambda: sf.plan.histogram("cell", n=21574, bins=65536, bounds=(0, 1), epsilon=0.5, occupied=3152),
        "histogram --n 21574 --cells 65536 --occupied 3152 --epsilon 0.5",
    ),
    "table of counts": (
        lambda: sf.plan.histogram("cell", n=21574, bins=65536, bounds=(0, 1), epsilon=0.5, counts=[500, 20, 1] * 100),
        "histogram --n 21574 --cells 65536 --counts COUNTS --epsilon 0.5",
    ),
    "count": (lambda: sf.plan.count(n=30, epsilon=1), "count --n 30 --epsilon 1"),
    "curve": (
        lambda: sf.plan.curve(GRID, n=300, bandwidth=0.1, clip=2.5, epsilon=1, delta=1e-6),
        "curve --n 300 --grid 0:1:93 --kernel matern52:0.1 --clip 2.5 --epsilon 1 --delta 1e-6",
    ),
    "guessed curve": (
        lambda: sf.plan.curve(
            GRID,
            n=300,
            bandwidth=0.1,
            clip=2.5,
            epsilon=1,
            mean=0.6 * np.exp(-(((GRID - 0.5) / 0.2) ** 2) / 2),
            spread=0.1,
        ),
        "curve --n 300 --grid 0:1:93 --kernel matern52:0.1 --clip 2.5 --epsilon 1 --shape bump:0.6:0.5:0.2 --spread 0.1",
    ),
    "vector": (
        lambda: sf.plan.vector(3, sensitivity=1, norm="l2", epsilon=1, delta=1e-6),
        "vector --length 3 --sensitivity l2:1 --epsilon 1 --delta 1e-6",
    ),
    "polytope": (
        lambda: sf.plan.vector(3, vertices=np.eye(3), epsilon=1, contributions=2),
        "vector --length 3 --sensitivity polytope:@VERTICES --epsilon 1 --contributions 2",
    ),
    "series": (
        lambda: sf.plan.series("hour", n=5000, bounds=(0, 24), epsilon=1),
        "series --n 5000 --columns hour --bounds 0:24 --epsilon 1",
    ),
    "train": (
        lambda: sf.plan.train(["a", "b"], n=10000, bounds=(-1, 1), classes=[-1, 1], epsilon=1, delta=1e-6),
        "train --n 10000 --features a,b --bounds -1:1 --epsilon 1 --delta 1e-6",
    ),
    "online": (
        lambda: sf.plan.online(n=5000, questions=1000, bounds=(0, 100), bandwidth=4, epsilon=1, delta=1e-6, kernel="matern32"),
        "online --n 5000 --questions 1000 --bounds 0:100 --bandwidth 4 --epsilon 1 --delta 1e-6 --kernel matern32",
    ),
}


def said(line, folder):
    np.savetxt(folder / "counts.csv", [500, 20, 1] * 100, fmt="%d", header="count", comments="")
    np.savetxt(folder / "vertices.csv", np.eye(3), delimiter=",")
    line = line.replace("COUNTS", f"{folder}/counts.csv").replace("VERTICES", f"{folder}/vertices.csv")
    done = subprocess.run([str(COMMAND), "plan", *line.split(), "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("case", CASES)
def test_plans_are_those_of_the_command(case, tmp_path):
    planned, line = CASES[case]
    plan, wanted = planned(), said(line, tmp_path)
    possible = [plan[i] for i in range(len(plan)) if plan[i].possible]
    assert [one.method for one in possible] == [one["method"] for one in wanted["methods"]]
    assert [one.relative for one in possible] == pytest.approx([one["predicted"]["relative"] for one in wanted["methods"]])
    assert [one.band for one in possible] == pytest.approx([one["band"] for one in wanted["methods"]])
    assert plan.best.method == wanted["best"]
    assert str(plan).startswith("the predicted error of ") and "<table" in plan._repr_html_()


def test_a_session_with_a_machine_is_planned_as_by_the_command(tmp_path):
    machine = {"classes": [-1, 1], "kernel": "gaussian", "bandwidth": 0.5, "lambda_": 0.05, "method": "rff"}
    plan = sf.plan.interact(
        ["age", "hours"],
        n=100000,
        bounds=(0, 100),
        train={**machine, "random_features": 1000},
        questions=1000,
        accuracy=0.2,
        epsilon=1,
        delta=1e-6,
    )
    wanted = said(
        "interact --n 100000 --features age,hours --bounds 0:100 --kernel gaussian:0.5 --lambda 0.05 --method rff:1000 "
        "--questions 1000 --accuracy 0.2 --epsilon 1 --delta 1e-6",
        tmp_path,
    )
    assert (plan.rows, plan.questions, plan.epochs) == (100000, 1000, wanted["epochs"])
    assert (plan.lambda_, plan.threshold, plan.once) == (0.05, wanted["threshold"], wanted["once"]["error"])
    assert (plan.error_public, plan.error_released) == (wanted["error"]["public"], wanted["error"]["released"])
    assert plan.guarantee.epsilon == 1 and plan.once_normal
    with pytest.raises(TypeError, match="did you mean 'accuracy'"):
        sf.plan.interact(["age"], n=100, bounds=(0, 1), acuracy=0.2, epsilon=1)


def test_a_curve_is_planned_from_an_earlier_one():
    curves = np.sin(3 * GRID) + np.random.default_rng(0).normal(0, 0.1, (500, 93))
    settings = {"bandwidth": 0.3, "clip": 3, "epsilon": 1}
    pilot = sf.curve(curves, grid=GRID, **settings, delta=1e-6, seed=1)
    guessed = sf.plan.curve(GRID, n=500, **settings, mean=pilot)
    assert guessed.best.relative == sf.plan.curve(GRID, n=500, **settings, mean=pilot(GRID)).best.relative
    assert guessed.best.relative != sf.plan.curve(GRID, n=500, **settings).best.relative


def test_a_choice_of_bandwidths_is_predicted():
    settings = {"n": 20000, "bounds": (0, 100), "epsilon": 1, "shape": "normal:40:20"}
    found = sf.plan.bandwidth_choice("age", candidates=[0.1, 3, 30], **settings, choice_share=0.2)
    assert found.best == 1 and pytest.approx(found.chance) == 1 / 3 and found.likely > 0.4
    assert found.choice_epsilon == pytest.approx(0.2) and found.epsilon == pytest.approx(0.8)


def test_guarantees_are_accounted_as_by_the_command():
    losses = [("gaussian", 2, 16), ("pure", 0.5)]
    words = ["account", "--gaussian", "2:16", "--pure", "0.5", "--delta", "1e-6", "--epsilon", "3", "--json"]
    wanted = json.loads(subprocess.run([str(COMMAND), *words], capture_output=True, text=True, check=True).stdout)
    assert sf.account(losses, delta=1e-6) == (wanted["epsilon_lower"], wanted["epsilon"])
    assert sf.account_sum(losses, "gdp").mu == wanted["mu"] and sf.account_sum(losses).rho == wanted["rho"]
    x, lower, upper = sf.account_curve(losses, (2, 4), points=3)
    assert x.tolist() == [2, 3, 4] and upper[1] == pytest.approx(wanted["at_epsilon"]["delta"], rel=1e-3)
    assert (lower <= upper).all() and lower[1] == pytest.approx(wanted["at_epsilon"]["delta_lower"], rel=1e-3)
    line = "account --random-dp 1:1e-6:0.05,0.5:0:0.01:3 --json"
    wanted = json.loads(subprocess.run([str(COMMAND), *line.split()], capture_output=True, text=True, check=True).stdout)
    parts = [(1, 1e-6, 0.05), (0.5, 0, 0.01, 3)]
    found = sf.account_random(parts)
    assert (found.kind, found.gamma, found.delta) == ("random-dp", wanted["gamma"], wanted["delta"])
    assert found.epsilon == wanted["epsilon"]
    pure = sf.vector([1.0], sensitivity=1, norm="l1", epsilon=1, seed=1)
    assert sf.account_random([*parts, pure]) == sf.account_random([*parts, pure.guarantee])
    assert sf.account_random([*parts, pure]).epsilon == pytest.approx(found.epsilon + 1)
    four = sf.account([("randomised-response", 1, 1, 4)], delta=1e-3)
    assert four.lower < sf.account([("randomised-response", 1)], delta=1e-3).upper
    with pytest.raises(sf.InvalidError):
        sf.account_sum([("gaussian", 2)], "pure")
    with pytest.raises(sf.InvalidError):
        sf.account_curve([("gaussian", 2)], (0, 1), points=0)
