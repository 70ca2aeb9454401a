"""Functions learned from private rows, released with differential privacy.

>>> import numpy as np
>>> import sfumato as sf
>>> ages = np.random.default_rng(0).normal(40, 12, 5000).clip(0, 100)
>>> r = sf.density(ages, "age", bounds=(0, 100), epsilon=1, seed=1)
>>> 39 < r.quantile(0.5).value < 41
True
"""

from __future__ import annotations

from sfumato import limits, partial, plan
from sfumato._library import (
    BudgetExceeded,
    Error,
    FileError,
    InternalError,
    InvalidError,
    OutOfMemoryError,
    Progress,
    SettingWarning,
    Stopped,
    lib,
    text,
)
from sfumato._mechanisms import (
    Score,
    choose,
    count,
    curve,
    density,
    histogram,
    open_libsvm,
    quantiles,
    score,
    series,
    train,
    vector,
)
from sfumato._public import noise, optimal
from sfumato._request import Facts
from sfumato._rows import Rows
from sfumato._sparse import Gram, Sparse, read_libsvm
from sfumato._statistics import linear, mean
from sfumato.account import account, account_curve, account_random, account_sum, explain
from sfumato.check import Check, check, check_call
from sfumato.key import Key
from sfumato.ledger import Dataset, Ledger
from sfumato.partial import Partial
from sfumato.plan import Plan
from sfumato.release import Answers, Band, Estimate, Guarantee, Release, Verified, combine, loads, read
from sfumato.sessions import Interactive, Online, open_interactive, open_online

__version__ = text(lib.sfm_version())

_ESTIMATORS = ("Classifier", "Density", "Histogram", "MeanCurve", "Regressor", "Series")

__all__ = [
    "Answers",
    "Band",
    "BudgetExceeded",
    "Check",
    "Dataset",
    "Error",
    "Estimate",
    "Facts",
    "FileError",
    "Gram",
    "Guarantee",
    "Interactive",
    "InternalError",
    "InvalidError",
    "Key",
    "Ledger",
    "Online",
    "OutOfMemoryError",
    "Partial",
    "Plan",
    "Progress",
    "Release",
    "Rows",
    "Score",
    "SettingWarning",
    "Sparse",
    "Stopped",
    "Verified",
    "account",
    "account_curve",
    "account_random",
    "account_sum",
    "check",
    "check_call",
    "choose",
    "combine",
    "count",
    "curve",
    "density",
    "explain",
    "histogram",
    "limits",
    "linear",
    "loads",
    "mean",
    "noise",
    "open_interactive",
    "open_libsvm",
    "open_online",
    "optimal",
    "partial",
    "plan",
    "quantiles",
    "read",
    "read_libsvm",
    "score",
    "series",
    "train",
    "vector",
]


def __getattr__(name: str) -> object:
    """The estimators load scikit-learn, where it is installed, so they come when they are asked for."""
    if name in _ESTIMATORS:
        from sfumato import estimators

        return getattr(estimators, name)
    raise AttributeError(f"module 'sfumato' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ESTIMATORS, "__version__"])
