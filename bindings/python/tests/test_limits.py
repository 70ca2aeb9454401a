"""Limits: the statements of the command, with their numbers."""

import json
import math
import subprocess

import pytest

import sfumato as sf
from sfumato._paths import COMMAND

CASES = {
    "count": (lambda: sf.limits.count(n=70, epsilon=0.5, worst=2), "count --n 70 --epsilon 0.5 --worst 2"),
    "histogram": (
        lambda: sf.limits.histogram(cells=64, n=70, epsilon=0.5, delta=1e-6, neighbours="add-remove"),
        "histogram --cells 64 --n 70 --epsilon 0.5 --delta 1e-6 --neighbours add-remove",
    ),
    "any n": (lambda: sf.limits.histogram(cells=64, epsilon=0.5), "histogram --cells 64 --epsilon 0.5"),
    "sparse": (
        lambda: sf.limits.sparse(cells=65536, occupied=3152, n=21574, epsilon=0.5),
        "sparse --cells 65536 --occupied 3152 --n 21574 --epsilon 0.5",
    ),
    "margins": (lambda: sf.limits.margins([2, 2, 5], n=500, epsilon=1), "margins --sizes 2,2,5 --n 500 --epsilon 1"),
    "svm": (
        lambda: sf.limits.svm(n=32561, lambda_=0.01, dimension=14, epsilon=1, accuracy=0.1, failure=0.05),
        "svm --rows 32561 --lambda 0.01 --dimension 14 --epsilon 1 --accuracy 0.1 --failure 0.05",
    ),
    "gaussian": (
        lambda: sf.limits.svm(
            n=10000, lambda_=1 / 100, kernel="gaussian", bandwidth=0.5, dimension=2, accuracy=0.001, failure=0.01
        ),
        "svm --rows 10000 --c 100 --kernel gaussian:0.5 --dimension 2 --accuracy 0.001 --failure 0.01",
    ),
    "kernel": (
        lambda: sf.limits.kernel(n=500000, lambda_=0.002, epsilon=1, delta=1e-6, questions=100000, dimension=2),
        "kernel --rows 500000 --lambda 0.002 --epsilon 1 --delta 1e-6 --questions 100000 --dimension 2",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_limits_are_those_of_the_command(case):
    asked, line = CASES[case]
    words = [str(COMMAND), "limits", *line.split(), "--json"]
    wanted = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)["limits"]
    found = asked()
    assert [one.name for one in found] == [one["name"] for one in wanted]
    for one, other in zip(found, wanted):
        assert (one.kind, one.holds, one.comparable, one.expression) == tuple(
            other[name] for name in ("kind", "holds", "comparable", "expression")
        )
        assert (one.why, one.quantity) == (other["why"], other.get("quantity"))
        assert math.isnan(one.value) if other["value"] is None else one.value == pytest.approx(other["value"], rel=1e-12)
    below, attained = found.between
    assert 0 <= below <= attained
    assert str(found).count("\n") == len(found) - 1 and "<table" in found._repr_html_()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sf.limits.count(n=0, epsilon=1),
        lambda: sf.limits.count(n=2.5, epsilon=1),
        lambda: sf.limits.histogram(cells=10, epsilon=-1),
        lambda: sf.limits.histogram(cells=10, epsilon=1, neighbours="all"),
        lambda: sf.limits.margins([2, 1], epsilon=1),
        lambda: sf.limits.margins([], epsilon=1),
        lambda: sf.limits.svm(n=100, lambda_="much"),
        lambda: sf.limits.svm(n=100, lambda_=0.1, kernel="rbf"),
        lambda: sf.limits.kernel(n=1.5, lambda_=0.1, epsilon=1),
    ],
)
def test_misuse_is_refused(wrong):
    with pytest.raises(sf.InvalidError) as raised:
        wrong()
    assert "settings." not in str(raised.value) and "sfm_" not in str(raised.value)
