"""Vectors whose differences are in a body of the caller's: the body itself, and one that raises."""

import numpy as np
import pytest

import sfumato as sf

THETA = [1.5, -2.0]


def ellipse(x):
    return x[0] ** 2 + 4 * x[1] ** 2 <= 1


def test_noise_has_the_shape_of_the_body():
    made = sf.vector(THETA, body=(ellipse, 0.5, 1), epsilon=2, seed=1)
    assert (made.method, made.hardened) == ("k-norm", False)
    off = np.array([sf.vector(THETA, body=(ellipse, 0.5, 1), epsilon=2, seed=i).values for i in range(1, 13)]) - THETA
    assert (made.values - np.array(THETA) == off[0]).all()
    assert 1.2 < np.abs(off[:, 0]).mean() / np.abs(off[:, 1]).mean() < 4  # 2, but for chance, and with these seeds always
    plan = sf.plan.vector(2, body=(ellipse, 0.5, 1), epsilon=2)
    assert "k-norm" in [plan[i].method for i in range(len(plan)) if plan[i].possible]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ((lambda x: x[0] >= 0 and x @ x <= 1, 0.5, 1), "opposite|inner"),
        ((lambda x: x @ x <= 1, 0.5, 0.9), "outer"),
        ((lambda x: x @ x <= 1, 2, 3), "inner"),
    ],
)
def test_what_is_no_body_is_refused(body, said):
    with pytest.raises(sf.InvalidError, match=said):
        sf.vector(THETA, body=body, epsilon=1)


def test_a_body_that_raises_charges_nothing(ledger):
    def broken(_x):
        raise LookupError("mine")

    with ledger.dataset("rows") as d:
        with pytest.raises(LookupError, match="mine"):
            d.vector(THETA, body=(broken, 0.5, 1), epsilon=1)
        assert d.left.charges == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"ellipsoid": np.eye(3)},
        {"ellipsoid": [1, 1]},
        {"vertices": [[1, 2, 3]]},
        {"ellipsoid": np.eye(2), "vertices": np.eye(2)},
        {"ellipsoid": np.eye(2), "norm": "l2"},
        {"sensitivity": 1, "norm": "polytope"},
        {"sensitivity": 1, "norm": "l3"},
    ],
)
def test_what_bounds_a_difference_is_stated_once(wrong):
    with pytest.raises(sf.InvalidError):
        sf.vector(THETA, **wrong, epsilon=1, delta=1e-6)


def test_a_sensitivity_is_needed():
    with pytest.raises(TypeError, match="sensitivity"):
        sf.vector(THETA, epsilon=1)
