"""Estimators in the manner of scikit-learn. They work without it, and pass its checks where it is installed.

What an estimator learns is a :class:`sfumato.Release`, in ``release_``. Its parameters are public and never
come from the rows; so bounds, and classes, must be stated.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato import _mechanisms
from sfumato._cells import floats, is_sequence, table, texts, unmasked
from sfumato._columns import Columns
from sfumato._library import InvalidError, lib
from sfumato._request import _FACTS, cell, column_list, make_schema, no_bounds
from sfumato._rows import Rows, numbers
from sfumato.release import Release, frame_names, free_name, object_columns

if TYPE_CHECKING:
    from typing_extensions import Self

try:
    import sklearn.base as _base
    from sklearn.exceptions import NotFittedError as _NotFittedError
    from sklearn.utils.metaestimators import available_if as _available_if

    HAS_SKLEARN = True
except ImportError:
    from sfumato import _without_sklearn as _base
    from sfumato._without_sklearn import NotFittedError as _NotFittedError
    from sfumato._without_sklearn import available_if as _available_if

    HAS_SKLEARN = False

# Of either kind, which types cannot tell apart.
BaseEstimator: Any = _base.BaseEstimator
ClassifierMixin: Any = _base.ClassifierMixin
DensityMixin: Any = _base.DensityMixin
RegressorMixin: Any = _base.RegressorMixin
NotFittedError: Any = _NotFittedError
available_if: Any = _available_if


_MANY_FITS = (
    "{} fits many times to the same rows and compares scores on them: nothing of that is private, and every fit would cost its "
    "epsilon. Choose from public numbers (sfumato.plan), or privately: candidates= of a density, a list as lambda_ of a machine; "
    "sfumato.score scores on other rows"
)


def _refuse_many_fits() -> None:
    """Looks for a search or a cross-validation around this call, as far as it can be seen from here."""
    if not HAS_SKLEARN:
        return
    from sklearn.model_selection import _validation
    from sklearn.model_selection._search import BaseSearchCV

    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        around = frame.f_locals.get("self")
        if isinstance(around, BaseSearchCV):
            raise InvalidError(_MANY_FITS.format(type(around).__name__))
        if frame.f_code.co_filename == _validation.__file__:
            raise InvalidError(_MANY_FITS.format(frame.f_code.co_name))
        frame = frame.f_back


def _refuse_what_reads_rows() -> None:
    """Looks for a pipeline around this fit whose steps learn from the rows, and for what fits many times."""
    if not HAS_SKLEARN:
        return
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import FunctionTransformer

    _refuse_many_fits()
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        around = frame.f_locals.get("self")
        if isinstance(around, Pipeline) and frame.f_code.co_name == "fit":
            for name, step in around.steps[:-1]:
                public = step is None or step == "passthrough" or isinstance(step, FunctionTransformer)
                if not public and _learns(step):
                    raise InvalidError(
                        f"the step {name!r} ({type(step).__name__}) learns from the private rows, and what it learns is not "
                        "private: use transformers that learn nothing (FunctionTransformer), and state bounds=, which scale the "
                        "columns here"
                    )
        frame = frame.f_back


def _learns(step: Any) -> bool:
    try:
        from sklearn.utils import get_tags
    except ImportError:  # scikit-learn 1.5
        return bool(step._get_tags()["requires_fit"]) if hasattr(step, "_get_tags") else True
    return bool(get_tags(step).requires_fit)


class _Private(BaseEstimator):  # type: ignore[misc]
    """What all estimators share."""

    release_: Release
    n_features_in_: int
    schema: Any
    person: str | None
    _facts_names = tuple(_FACTS)

    def _facts(self) -> dict[str, Any]:
        return {name: value for name in self._facts_names if (value := getattr(self, name, None)) is not None}

    def __sklearn_clone__(self) -> Any:
        from sklearn.base import _clone_parametrized

        _refuse_many_fits()
        return _clone_parametrized(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True  # such a cell is empty, and its row is ignored
        tags.non_deterministic = getattr(self, "seed", None) is None
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": True, "non_deterministic": getattr(self, "seed", None) is None, "poor_score": True}

    def _checked(self, x: Any, *, fits: bool) -> Any:
        """Rows or points whose shape and names fit; no value is looked at."""
        if type(x).__module__.split(".")[0] == "pyarrow" and hasattr(x, "__arrow_c_array__") and hasattr(x, "column_names"):
            import pyarrow as pa

            x = pa.table(x)  # a batch
        names = frame_names(x)
        frame = names is not None
        if names is not None:
            width, count = len(names), len(x)
            if names and not all(isinstance(one, str) for one in names):
                names = None
        else:
            if type(x).__module__.startswith("scipy.sparse"):
                raise TypeError("sparse matrices are not supported; x.toarray() makes an array, open_libsvm reads sparse text")
            wanted = self._stated_width() if fits else self.n_features_in_
            x = numbers(x, wanted) if is_sequence(x) else x if isinstance(x, np.ma.MaskedArray) else np.asarray(x)
            if x.ndim == 1 and x.dtype.kind == "O":
                x = table(unmasked(x), wanted)
            if x.ndim != 2:
                kind = "scalar" if x.ndim == 0 else f"{x.ndim}D"
                raise InvalidError(
                    f"Expected 2D array, got {kind} array instead. Reshape your data: one row per record, array.reshape(-1, 1) "
                    "for one column"
                )
            if x.dtype.kind == "c":
                raise InvalidError("Complex data not supported: give real numbers")
            x = numbers(x) if x.dtype.kind == "O" else x
            count, width = x.shape
        if count == 0 and not (fits and self._count_is_private()):
            raise InvalidError(f"Found array with 0 sample(s) (shape=({count}, {width})) while a minimum of 1 is required.")
        if width == 0:
            raise InvalidError(f"Found array with 0 feature(s) (shape=({count}, {width})) while a minimum of 1 is required.")
        if fits:
            self.n_features_in_ = width
            if names is not None:
                self.feature_names_in_ = np.array(names, dtype=object)
            elif hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
            return x
        if HAS_SKLEARN:
            self._check_names(x)
        if width != self.n_features_in_:
            raise InvalidError(
                f"X has {width} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input"
            )
        return self._without_person(x, frame)

    def _stated_width(self) -> int:
        """How many columns there are, as far as parameters say it."""
        bounds: Any = getattr(self, "bounds", None)
        pairs = hasattr(bounds, "__len__") and (isinstance(bounds, Mapping) or np.ndim(bounds) == 2)
        return len(bounds) + (self.person is not None) if pairs else 1

    def _count_is_private(self) -> bool:
        """Whether the number of records is private: an error without any would tell it."""
        schema = make_schema([], {"schema": self.schema, "neighbours": getattr(self, "neighbours", None)})
        return bool(lib.sfm_schema_neighbours(schema) == lib.SFM_NEIGHBOURS_ADD_REMOVE)

    def _without_person(self, x: Any, frame: bool) -> Any:
        """Points: the columns but for the one that says whose a record is."""
        names = [name for name in self._names() if name != self.person]
        if frame and hasattr(self, "feature_names_in_"):
            return x.select(names) if hasattr(x, "column_names") and hasattr(x, "select") else x[names]
        x = np.asarray(x)
        return x if self.person is None else np.delete(x, self._names().index(self.person), axis=1)

    def _check_names(self, x: Any) -> None:
        try:
            from sklearn.utils.validation import _check_feature_names

            _check_feature_names(self, x, reset=False)
        except ImportError:  # scikit-learn 1.5
            BaseEstimator._check_feature_names(self, x, reset=False)

    def _numbers(self, X: Any, columns: Sequence[str]) -> np.ndarray[Any, Any]:
        """Points as rows of numbers."""
        x = self._checked(X, fits=False)
        if frame_names(x) is not None:
            return np.column_stack([numbers(np.asarray(x[name])).astype(np.float64) for name in columns])
        there = [name for name in self._names() if name != self.person]
        x = np.asarray(x, dtype=np.float64)
        return x if there == list(columns) else x[:, [there.index(name) for name in columns]]

    def _objects(self, X: Any, columns: Sequence[str]) -> list[Any]:
        """Columns of points, each cell as it is."""
        x = self._checked(X, fits=False)
        if frame_names(x) is not None:
            return list(object_columns(x, columns).T)
        there = [name for name in self._names() if name != self.person]
        return [x[:, there.index(name)] for name in columns]

    def _names(self) -> list[str]:
        if hasattr(self, "feature_names_in_"):
            return [str(one) for one in self.feature_names_in_]
        return [f"x{i}" for i in range(self.n_features_in_)]

    def _fitted(self) -> Release:
        if not hasattr(self, "release_"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' before using this method.")
        release: Release = self.release_
        return release

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "release_")

    @property
    def guarantee_(self) -> str:
        """What is promised, in words."""
        return self._fitted().sentence


class Density(DensityMixin, _Private):  # type: ignore[misc]
    """The density of the columns of X.

    Parameters
    ----------
    epsilon, delta : float
        The privacy budget of one fit.
    bounds : pair, list of pairs or dict
        Public; needed.
    bandwidth, method, kernel, engine, features, gamma, release_points, release_grid, boundary, period, noise, terms, body, \
candidates, choice_share, outside, calibration, shape, expected_rows
        As of :func:`sfumato.density`.
    by : str or list of str
        Columns of X with `categories`: one density per combination, at the cost of one; a row has the density of its own.
    categories : dict
        Of the columns `by`.
    person, contributions, neighbours, schema, ledger, request, confidence, progress, seed, threads
        See :class:`sfumato.Facts`.

    Attributes
    ----------
    release_ : Release
    n_features_in_ : int
    feature_names_in_ : array, if X has names

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> x = np.random.default_rng(0).normal(40, 12, (5000, 1)).clip(0, 100)
    >>> d = sf.Density(bounds=(0, 100), epsilon=1, seed=1).fit(x)
    >>> d.score_samples([[40.0], [30.0]]).round(1)
    array([-3.5, -3.7])
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 0.0,
        bounds: Any = None,
        bandwidth: Any = None,
        method: str | None = None,
        kernel: str | None = None,
        engine: str | None = None,
        features: int | None = None,
        gamma: Any = None,
        release_points: Any = None,
        release_grid: Any = None,
        boundary: Any = None,
        period: Any = None,
        by: Any = None,
        categories: Any = None,
        noise: str | None = None,
        terms: int | None = None,
        body: str | None = None,
        candidates: Any = None,
        choice_share: float | None = None,
        outside: str | None = None,
        calibration: str | None = None,
        shape: Any = None,
        expected_rows: int | None = None,
        schema: Any = None,
        person: str | None = None,
        contributions: int | None = None,
        neighbours: str | None = None,
        ledger: Any = None,
        request: str | None = None,
        confidence: float | None = None,
        progress: Any = None,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.epsilon, self.delta, self.bounds, self.bandwidth = epsilon, delta, bounds, bandwidth
        self.method, self.kernel, self.engine, self.boundary, self.period = method, kernel, engine, boundary, period
        self.features, self.gamma, self.release_points, self.release_grid = features, gamma, release_points, release_grid
        self.by, self.categories, self.noise, self.terms, self.body = by, categories, noise, terms, body
        self.candidates, self.choice_share, self.outside, self.calibration = candidates, choice_share, outside, calibration
        self.shape, self.expected_rows, self.schema = shape, expected_rows, schema
        self.person, self.contributions, self.neighbours = person, contributions, neighbours
        self.ledger, self.request, self.confidence = ledger, request, confidence
        self.progress, self.seed, self.threads = progress, seed, threads

    _settings = (
        *("epsilon", "delta", "bandwidth", "method", "kernel", "engine", "features", "gamma", "release_points", "release_grid"),
        *("boundary", "period", "by", "noise", "terms", "body", "candidates", "choice_share", "outside", "calibration", "shape"),
        "expected_rows",
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Release the density of X, one row per record.

        Parameters
        ----------
        X : array or data frame
        y : ignored

        Returns
        -------
        self

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> d = sf.Density(bounds=(0, 10), bandwidth=1, seed=1).fit(X)
        >>> d.release_.columns
        ['x0']
        """
        del y
        _refuse_what_reads_rows()
        rows = self._checked(X, fits=True)
        groups = column_list(self.by) or []
        columns = [name for name in self._names() if name != self.person and name not in groups]
        settings = {name: getattr(self, name) for name in self._settings}
        self.release_ = _mechanisms.density(_named(rows, self._names()), columns, **settings, **self._facts())
        return self

    def _at(self, X: Any, values: Any) -> np.ndarray[Any, Any]:
        """Values of the release, or of the group of each row, at points; NaN for a row of no group."""
        release = self._fitted()
        points, groups = self._numbers(X, release.columns), release.groups
        if not groups:
            return np.asarray(np.atleast_1d(values(release, points)))
        cells = [[cell(one) for one in column] for column in self._objects(X, list(groups[0]))]
        of, found = list(zip(*cells)), np.full(len(points), np.nan)
        for group in groups:
            rows = [i for i, one in enumerate(of) if one == tuple(group.values())]
            found[rows] = values(release.group(**group), points[rows]) if rows else np.nan
        return found

    def score_samples(self, X: Any) -> np.ndarray[Any, Any]:
        """The logarithm of the density at points; -inf where it is not positive, with a warning that says how often.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> d = sf.Density(bounds=(0, 10), bandwidth=1, seed=1).fit(X)
        >>> d.score_samples([[2.0], [5.0]]).shape
        (2,)
        """
        return _logarithm(self._at(X, lambda release, points: release(points)))

    def score(self, X: Any, y: Any = None) -> float:
        """The sum of the logarithms of the density at points.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> d = sf.Density(bounds=(0, 10), bandwidth=1, seed=1).fit(X)
        >>> d.score([[2.0], [5.0]]) < 0
        True
        """
        del y
        return float(self.score_samples(X).sum())

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> Any:
        """Synthetic rows; with `by` a dict of columns.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> d = sf.Density(bounds=(0, 10), bandwidth=1, seed=1).fit(X)
        >>> d.sample(3, seed=1).shape
        (3, 1)
        """
        return self._fitted().sample(n_samples, seed=seed)

    def predict_band(self, X: Any) -> np.ndarray[Any, Any]:
        """The half-widths of the band at points; all hold at once.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> d = sf.Density(bounds=(0, 10), bandwidth=1, seed=1).fit(X)
        >>> d.predict_band([[2.0], [5.0]]).shape
        (2,)
        """
        return self._at(X, lambda release, points: release.widths(points))


def _logarithm(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    positive = values > 0
    if not positive.all():
        message = f"at {int((~positive).sum())} of {len(values)} points the released density is not positive: -inf"
        warnings.warn(message, stacklevel=3)
    return np.asarray(np.log(values, out=np.full(values.shape, -np.inf), where=positive))


def _named(rows: Any, names: Sequence[str]) -> Any:
    """Rows that know their columns."""
    named = frame_names(rows)
    if named is None:
        return Rows(rows, names)
    return rows if named == list(names) else rows.set_axis(list(names), axis=1)


class Series(DensityMixin, _Private):  # type: ignore[misc]
    """The density of one column of X, as a short series.

    Parameters
    ----------
    column : int or str
        Which column of X. Default: the first.
    epsilon, delta : float
    bounds : pair
    basis, unit, kernel, bandwidth, terms, noise, outside, calibration, shape
        As of :func:`sfumato.series`; the basis eigen needs a kernel and its bandwidth.
    person, contributions, schema, ledger, request, confidence, progress, seed, threads
        See :class:`sfumato.Facts`.

    Attributes
    ----------
    release_ : Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> x = np.random.default_rng(0).normal(12, 3, (5000, 1)) % 24
    >>> s = sf.Series(bounds=(0, 24), terms=9, seed=1).fit(x)
    >>> s.score_samples([[12.0]]).shape
    (1,)
    """

    def __init__(
        self,
        *,
        column: int | str = 0,
        epsilon: float = 1.0,
        delta: float = 0.0,
        bounds: Any = None,
        basis: str | None = None,
        unit: float | None = None,
        kernel: str | None = None,
        bandwidth: float | None = None,
        terms: int | None = None,
        noise: str | None = None,
        outside: str | None = None,
        calibration: str | None = None,
        shape: Any = None,
        schema: Any = None,
        person: str | None = None,
        contributions: int | None = None,
        ledger: Any = None,
        request: str | None = None,
        confidence: float | None = None,
        progress: Any = None,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.column, self.epsilon, self.delta, self.bounds = column, epsilon, delta, bounds
        self.basis, self.terms, self.noise, self.outside, self.shape = basis, terms, noise, outside, shape
        self.unit, self.kernel, self.bandwidth, self.calibration = unit, kernel, bandwidth, calibration
        self.schema, self.person, self.contributions = schema, person, contributions
        self.ledger, self.request, self.confidence = ledger, request, confidence
        self.progress, self.seed, self.threads = progress, seed, threads

    _settings = (
        *("epsilon", "delta", "basis", "unit", "kernel", "bandwidth", "terms", "noise", "outside", "calibration", "shape"),
    )

    def _column(self) -> int:
        return self.column if isinstance(self.column, int) else self._names().index(self.column)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Release the series of one column of X.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> s = sf.Series(bounds=(0, 10), basis="cosine", terms=5, seed=1).fit(X)
        >>> s.release_.method
        'series'
        """
        del y
        _refuse_what_reads_rows()
        rows = self._checked(X, fits=True)
        settings = {name: getattr(self, name) for name in self._settings}
        name = self._names()[self._column()]
        self.release_ = _mechanisms.series(_named(rows, self._names()), name, **settings, **self._facts())
        return self

    def score_samples(self, X: Any) -> np.ndarray[Any, Any]:
        """The logarithm of the density at points; -inf where it is not positive, with a warning.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> s = sf.Series(bounds=(0, 10), basis="cosine", terms=5, seed=1).fit(X)
        >>> s.score_samples([[2.0], [5.0]]).shape
        (2,)
        """
        release = self._fitted()
        points = self._numbers(X, [self._names()[self._column()]])[:, 0]
        return _logarithm(np.atleast_1d(release(points)))

    def score(self, X: Any, y: Any = None) -> float:
        """The sum of the logarithms of the density at points.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> s = sf.Series(bounds=(0, 10), basis="cosine", terms=5, seed=1).fit(X)
        >>> s.score([[2.0], [5.0]]) < 0
        True
        """
        del y
        return float(self.score_samples(X).sum())

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> np.ndarray[Any, Any]:
        """Synthetic values.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> s = sf.Series(bounds=(0, 10), basis="cosine", terms=5, seed=1).fit(X)
        >>> s.sample(3, seed=1).shape
        (3, 1)
        """
        return np.asarray(self._fitted().sample(n_samples, seed=seed))


class Histogram(_Private):
    """A table of counts of the columns of X.

    Parameters
    ----------
    epsilon, delta : float
    bins : int, list or dict
        The number of equal bins between the bounds.
    bounds : pair, list of pairs or dict
    categories : dict
        Of columns without bins.
    margins, form, noise, occupied, calibration, gamma, exact, outside
        As of :func:`sfumato.histogram`.
    person, contributions, neighbours, schema, ledger, request, confidence, progress, seed, threads
        See :class:`sfumato.Facts`.

    Attributes
    ----------
    release_ : Release
    counts_ : array
        The noisy counts of the cells.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> x = np.random.default_rng(0).uniform(0, 10, (1000, 1))
    >>> sf.Histogram(bins=5, bounds=(0, 10), seed=1).fit(x).counts_.shape
    (5,)
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 0.0,
        bins: Any = None,
        bounds: Any = None,
        categories: Any = None,
        margins: Any = None,
        form: str | None = None,
        noise: str | None = None,
        occupied: int | None = None,
        calibration: str | None = None,
        gamma: float | None = None,
        exact: str | None = None,
        outside: str | None = None,
        schema: Any = None,
        person: str | None = None,
        contributions: int | None = None,
        neighbours: str | None = None,
        ledger: Any = None,
        request: str | None = None,
        confidence: float | None = None,
        progress: Any = None,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.epsilon, self.delta, self.bins, self.bounds, self.categories = epsilon, delta, bins, bounds, categories
        self.form, self.occupied, self.calibration, self.gamma, self.exact = form, occupied, calibration, gamma, exact
        self.margins, self.noise, self.outside, self.schema = margins, noise, outside, schema
        self.person, self.contributions, self.neighbours = person, contributions, neighbours
        self.ledger, self.request, self.confidence = ledger, request, confidence
        self.progress, self.seed, self.threads = progress, seed, threads

    _settings = (
        *("epsilon", "delta", "bins", "margins", "form", "noise", "occupied", "calibration", "gamma", "exact", "outside"),
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Release the counts of X.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> h = sf.Histogram(bounds=(0, 10), bins=5, seed=1).fit(X)
        >>> h.counts_.shape
        (5,)
        """
        del y
        _refuse_what_reads_rows()
        rows = self._checked(X, fits=True)
        columns = [name for name in self._names() if name != self.person]
        settings = {name: getattr(self, name) for name in self._settings}
        self.release_ = _mechanisms.histogram(_named(rows, self._names()), columns, **settings, **self._facts())
        return self

    @property
    def counts_(self) -> np.ndarray[Any, Any]:
        """The noisy counts of the cells."""
        return np.array(self._fitted().values)

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> dict[str, Any]:
        """Synthetic rows, as a dict of columns.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(0, 9, 500).reshape(-1, 1)
        >>> h = sf.Histogram(bounds=(0, 10), bins=5, seed=1).fit(X)
        >>> list(h.sample(3, seed=1))
        ['x0']
        """
        return dict(self._fitted().sample(n_samples, seed=seed))


class MeanCurve(_Private):
    """The mean of curves, one per row of X, measured at the points of `grid`.

    Parameters
    ----------
    grid : array, optional
        Default: 0, 1, 2, ...
    clip : float
        The largest norm of a curve.
    bandwidth : float
        Of the kernel, in the unit of the grid.
    epsilon, delta : float
    kernel, ridge, variable, mean, spread, calibration
        As of :func:`sfumato.curve`.
    person, contributions, schema, ledger, request, confidence, progress, seed, threads
        See :class:`sfumato.Facts`.

    Attributes
    ----------
    release_ : Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> t = np.linspace(0, 1, 20)
    >>> X = np.sin(3 * t) + np.random.default_rng(0).normal(0, 0.1, (500, 20))
    >>> m = sf.MeanCurve(grid=t, clip=3, bandwidth=0.3, delta=1e-6, seed=1).fit(X)
    >>> m.evaluate([0.5]).shape
    (1,)
    """

    def __init__(
        self,
        *,
        grid: Any = None,
        clip: float = 1.0,
        bandwidth: float = 1.0,
        epsilon: float = 1.0,
        delta: float = 0.0,
        kernel: str | None = None,
        ridge: float | None = None,
        variable: str | None = None,
        mean: Any = None,
        spread: float | None = None,
        calibration: str | None = None,
        schema: Any = None,
        person: str | None = None,
        contributions: int | None = None,
        ledger: Any = None,
        request: str | None = None,
        confidence: float | None = None,
        progress: Any = None,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.grid, self.clip, self.bandwidth, self.epsilon, self.delta = grid, clip, bandwidth, epsilon, delta
        self.variable, self.mean, self.spread, self.calibration = variable, mean, spread, calibration
        self.kernel, self.ridge, self.schema, self.person, self.contributions = kernel, ridge, schema, person, contributions
        self.ledger, self.request, self.confidence = ledger, request, confidence
        self.progress, self.seed, self.threads = progress, seed, threads

    _settings = (*("clip", "bandwidth", "epsilon", "delta", "kernel", "ridge", "variable", "mean", "spread", "calibration"),)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Release the mean of the curves.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> t = np.linspace(0, 1, 20)
        >>> curves = np.sin(3 * t) + np.random.default_rng(0).normal(0, 0.1, (500, 20))
        >>> m = sf.MeanCurve(grid=t, clip=3, bandwidth=0.3, delta=1e-6, seed=1).fit(curves)
        >>> m.release_.kind
        'function'
        """
        del y
        _refuse_what_reads_rows()
        rows = self._checked(X, fits=True)
        columns = [name for name in self._names() if name != self.person]
        if len(columns) < 2:
            raise InvalidError(f"a curve needs at least 2 points, and there is {len(columns)} feature(s)")
        grid = np.arange(len(columns), dtype=float) if self.grid is None else self.grid
        settings = {name: getattr(self, name) for name in self._settings}
        self.release_ = _mechanisms.curve(_named(rows, self._names()), columns, grid=grid, **settings, **self._facts())
        return self

    def evaluate(self, t: Any) -> np.ndarray[Any, Any]:
        """The mean curve at points of its variable.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> t = np.linspace(0, 1, 20)
        >>> curves = np.sin(3 * t) + np.random.default_rng(0).normal(0, 0.1, (500, 20))
        >>> m = sf.MeanCurve(grid=t, clip=3, bandwidth=0.3, delta=1e-6, seed=1).fit(curves)
        >>> m.evaluate([0.2, 0.5]).shape
        (2,)
        """
        return np.atleast_1d(self._fitted()(t))

    def predict_band(self, t: Any) -> np.ndarray[Any, Any]:
        """The half-widths of the band at points of its variable.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> t = np.linspace(0, 1, 20)
        >>> curves = np.sin(3 * t) + np.random.default_rng(0).normal(0, 0.1, (500, 20))
        >>> m = sf.MeanCurve(grid=t, clip=3, bandwidth=0.3, delta=1e-6, seed=1).fit(curves)
        >>> m.predict_band([0.2, 0.5]).shape
        (2,)
        """
        return np.atleast_1d(self._fitted().widths(t))


class _Machine(_Private):
    """What classifiers and regressions share."""

    _settings = (
        *("epsilon", "delta", "method", "kernel", "bandwidth", "degree", "shift", "constant", "scaling", "clip_norm", "loss"),
        *("parameter", "lambda_", "random_features", "places", "public", "public_points", "net", "probes"),
        *("noise", "noise_shape", "calibration"),
        *("outside", "tolerance"),
    )

    def _train(self, rows: Any, y: Any, categories: Any, **of: Any) -> Release:
        """The release of a machine for X and y side by side."""
        names = self._names()
        column = free_name("label", names)
        facts = {**self._facts(), **({"categories": categories} if categories else {})}
        settings = {name: getattr(self, name) for name in self._settings}
        features = [name for name in names if name != self.person]
        numeric = [name for name in features if name not in (categories or {})]
        if facts.get("bounds") is None and self.schema is None and numeric:
            raise InvalidError(no_bounds(numeric))
        together = _beside(rows, names, y, column)
        return _mechanisms.train(together, column, features, **settings, **of, **facts)

    def _values(self, X: Any) -> np.ndarray[Any, Any]:
        release = self._fitted()
        return release.decision_function(self._checked(X, fits=False))

    def predict_band(self, X: Any, *, confidence: float | None = None) -> np.ndarray[Any, Any]:
        """The half-widths of the band of the decision function, at all rows at once.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(-1, 1, 1000).reshape(-1, 1)
        >>> c = sf.Classifier(bounds=(-1, 1), classes=["no", "yes"], seed=1).fit(X, np.where(X[:, 0] > 0, "yes", "no"))
        >>> c.predict_band([[0.9], [-0.9]]).shape
        (2,)
        """
        release = self._fitted()
        return release.predict_band(self._checked(X, fits=False), confidence)[1]


def _beside(rows: Any, names: Sequence[str], y: Any, column: str) -> Any:
    """X and y as one table; y is an array of numbers or a list of texts."""
    if hasattr(rows, "assign"):  # pandas
        return _named(rows, names).assign(**{column: y})
    if hasattr(rows, "with_columns"):  # polars
        import polars as pl

        return rows.with_columns(pl.Series(column, y))
    if frame_names(rows) is not None:  # pyarrow and other Arrow streams
        import pyarrow as pa

        return pa.table(rows).append_column(column, pa.array(y))
    cells = numbers(rows)
    if isinstance(y, list):
        return Rows(Columns({**{name: cells[:, i] for i, name in enumerate(names)}, column: y}))
    return Rows._side_by_side([cells.astype(np.float64, copy=False), y], [*names, column])


def _labels(y: Any, count: int, name: str) -> np.ndarray[Any, Any]:
    """Labels, one per row; no value is looked at, and none decides how the others are read."""
    if y is None:
        raise InvalidError(f"This {name} estimator requires y to be passed, but the target y is None.")
    y = table(y, -1) if is_sequence(y) else y if isinstance(y, np.ma.MaskedArray) else np.asarray(y)
    if isinstance(y, np.ma.MaskedArray):
        y = np.ma.filled(y.astype(np.float64), np.nan) if y.dtype.kind in "fiub" else unmasked(y)
    if y.ndim == 2 and y.shape[1] == 1:
        if HAS_SKLEARN:
            from sklearn.exceptions import DataConversionWarning

            message = "A column-vector y was passed when a 1d array was expected: y.ravel() is one"
            warnings.warn(message, DataConversionWarning, stacklevel=3)
        y = y.ravel()
    if y.ndim != 1:
        raise InvalidError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    if len(y) != count:
        raise InvalidError(f"Found input variables with inconsistent numbers of samples: [{count}, {len(y)}]")
    return np.asarray(y)


def _numbers_of(y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Labels as numbers; what is none is empty."""
    with np.errstate(all="ignore"):
        return y.astype(np.float64) if y.dtype.kind in "fiub" else floats(y, len(y))


_TRUTH = {"true": 1.0, "True": 1.0, "1": 1.0, "false": 0.0, "False": 0.0, "0": 0.0}


def _of_classes(y: np.ndarray[Any, Any], classes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | list[str]:
    """Labels as what the classes are: numbers or texts, whatever array they come in."""
    if classes.dtype.kind == "b" and y.dtype.kind not in "fiub":
        return np.array([_TRUTH.get(one, np.nan) for one in texts(y)])
    return _numbers_of(y) if classes.dtype.kind in "fiub" else texts(y)


def _is_logistic(self: Any) -> bool:
    return bool(self.loss == "logistic")


class Classifier(ClassifierMixin, _Machine):  # type: ignore[misc]
    """A kernel machine that classifies.

    Parameters
    ----------
    epsilon, delta : float
    bounds : pair, list of pairs or dict
        Of the features; public.
    classes : list, or "public"
        The classes, public. "public": the owner states that the classes in y are public, and they are read
        from it. The release in ``release_`` says so, in its sentence and wherever it is shown; its file cannot.
    categories : dict
        Of features that are texts.
    method, kernel, bandwidth, degree, shift, constant, scaling, clip_norm, loss, parameter, lambda\\_, random_features, places, \
public, public_points, net, probes, noise, noise_shape, calibration, outside, tolerance
        As of :func:`sfumato.train`.
    person, contributions, schema, ledger, request, confidence, progress, seed, threads
        See :class:`sfumato.Facts`.

    Attributes
    ----------
    release_ : Release
    classes_ : array

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> X = np.random.default_rng(0).uniform(-1, 1, (2000, 2))
    >>> c = sf.Classifier(bounds=(-1, 1), classes=[0, 1], seed=1).fit(X, (X[:, 0] > 0).astype(int))
    >>> c.predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 0.0,
        bounds: Any = None,
        classes: Any = None,
        categories: Any = None,
        method: str | None = None,
        kernel: str | None = None,
        bandwidth: float | None = None,
        degree: int | None = None,
        shift: float | None = None,
        constant: float | None = None,
        scaling: str | None = None,
        clip_norm: float | None = None,
        loss: str | None = None,
        parameter: float | None = None,
        lambda_: Any = None,
        random_features: int | None = None,
        places: Any = None,
        public: Any = None,
        public_points: int | None = None,
        net: int | None = None,
        probes: int | None = None,
        noise: str | None = None,
        noise_shape: str | None = None,
        calibration: str | None = None,
        outside: str | None = None,
        tolerance: float | None = None,
        schema: Any = None,
        person: str | None = None,
        contributions: int | None = None,
        ledger: Any = None,
        request: str | None = None,
        confidence: float | None = None,
        progress: Any = None,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.epsilon, self.delta, self.bounds, self.classes, self.categories = epsilon, delta, bounds, classes, categories
        self.method, self.kernel, self.bandwidth, self.degree, self.shift = method, kernel, bandwidth, degree, shift
        self.constant, self.scaling, self.clip_norm, self.loss = constant, scaling, clip_norm, loss
        self.parameter, self.lambda_, self.random_features, self.places = parameter, lambda_, random_features, places
        self.public, self.public_points, self.calibration = public, public_points, calibration
        self.net, self.probes, self.noise_shape = net, probes, noise_shape
        self.noise, self.outside, self.tolerance, self.schema = noise, outside, tolerance, schema
        self.person, self.contributions, self.ledger, self.request = person, contributions, ledger, request
        self.confidence, self.progress, self.seed, self.threads = confidence, progress, seed, threads

    def fit(self, X: Any, y: Any) -> Self:
        """Release a classifier of X and y.

        Parameters
        ----------
        X : array or data frame
        y : array
            A label that is not one of the classes is ignored, with its row.

        Returns
        -------
        self

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(-1, 1, 1000).reshape(-1, 1)
        >>> c = sf.Classifier(bounds=(-1, 1), classes=["no", "yes"], seed=1).fit(X, np.where(X[:, 0] > 0, "yes", "no"))
        >>> c.classes_.tolist()
        ['no', 'yes']
        """
        _refuse_what_reads_rows()
        rows = self._checked(X, fits=True)
        y = _labels(y, len(rows), type(self).__name__)
        if self.classes is None:
            raise InvalidError(
                "classes must be stated: classes=['no', 'yes']. They are public, and those in y belong to people; if everyone "
                "may know them, write classes='public', and they are read from y"
            )
        if isinstance(self.classes, str):
            if self.classes != "public":
                raise InvalidError(f"classes={self.classes!r} is neither a list of classes nor 'public'")
            self.classes_ = _public_classes(y)
        else:
            self.classes_ = np.array(self.classes)
        if len(self.classes_) < 2:
            raise InvalidError("Classifier can't train when only one class is present.")
        labels = [int(one) for one in self.classes_] if self.classes_.dtype.kind == "b" else list(self.classes_)
        read = isinstance(self.classes, str)
        self.release_ = self._train(rows, _of_classes(y, self.classes_), self.categories, classes=labels)
        self.release_._stated = "The classes were read from the rows, where the owner states that they are public" if read else ""
        return self

    def decision_function(self, X: Any) -> np.ndarray[Any, Any]:
        """The values of the machine; of two classes the second has the positive ones.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(-1, 1, 1000).reshape(-1, 1)
        >>> c = sf.Classifier(bounds=(-1, 1), classes=["no", "yes"], seed=1).fit(X, np.where(X[:, 0] > 0, "yes", "no"))
        >>> bool(c.decision_function([[0.9]])[0] > 0)
        True
        """
        return self._values(X)

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The classes of rows.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(-1, 1, 1000).reshape(-1, 1)
        >>> c = sf.Classifier(bounds=(-1, 1), classes=["no", "yes"], seed=1).fit(X, np.where(X[:, 0] > 0, "yes", "no"))
        >>> c.predict([[0.9], [-0.9]]).tolist()
        ['yes', 'no']
        """
        values = self._values(X)
        without = int(np.isnan(values.reshape(len(values), -1)).any(axis=1).sum())
        if without:
            first = f"they get the first class, {self.classes_[0]!r}"
            warnings.warn(f"{without} of {len(values)} rows have a cell without a valid value: {first}", stacklevel=2)
        index = values.argmax(axis=1) if values.ndim == 2 else (values > 0).astype(int)
        return np.asarray(self.classes_[index])

    @available_if(_is_logistic)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> np.ndarray[Any, Any]:
        """Probabilities of the classes; for the logistic loss, whose values are log odds.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(-1, 1, 1000).reshape(-1, 1)
        >>> c = sf.Classifier(bounds=(-1, 1), classes=["no", "yes"], loss="logistic", seed=1)
        >>> c = c.fit(X, np.where(X[:, 0] > 0, "yes", "no"))
        >>> c.predict_proba([[0.9]]).shape
        (1, 2)
        """
        values = self._values(X)
        odds = 1 / (1 + np.exp(-values))
        if values.ndim == 1:
            return np.column_stack([1 - odds, odds])
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _public_classes(y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The classes among labels that everyone may know; those that are empty have none."""
    if y.dtype.kind == "O":
        there = [one for one, said in zip(y, texts(y)) if said and "\0" not in said]
        numeric = all(isinstance(one, (bool, int, float, np.number, np.bool_)) for one in there)
        y = np.array(there if numeric else texts(there))
        y = floats(there, len(there)) if y.dtype.kind in "Of" else y
    if y.dtype.kind == "f":
        y = y[np.isfinite(y)]
    if HAS_SKLEARN:
        from sklearn.utils.multiclass import check_classification_targets

        check_classification_targets(y)
    return np.unique(y)


class Regressor(RegressorMixin, _Machine):  # type: ignore[misc]
    """A kernel machine that predicts a number.

    Parameters
    ----------
    epsilon, delta : float
    bounds : pair, list of pairs or dict
        Of the features; public.
    label_bounds : pair
        Of the label; public.
    categories : dict
        Of features that are texts.
    loss : str
        Default: squared.
    method, kernel, bandwidth, degree, shift, constant, scaling, clip_norm, parameter, lambda\\_, random_features, places, \
public, public_points, net, probes, noise, noise_shape, calibration, outside, tolerance
        As of :func:`sfumato.train`.
    person, contributions, schema, ledger, request, confidence, progress, seed, threads
        See :class:`sfumato.Facts`.

    Attributes
    ----------
    release_ : Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> X = np.random.default_rng(0).uniform(-1, 1, (5000, 1))
    >>> r = sf.Regressor(bounds=(-1, 1), label_bounds=(-1, 1), epsilon=5, lambda_=0.01, seed=1).fit(X, X[:, 0] / 2)
    >>> bool(0.2 < r.predict([[0.8]])[0] < 0.6)
    True
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 0.0,
        bounds: Any = None,
        label_bounds: Any = None,
        categories: Any = None,
        method: str | None = None,
        kernel: str | None = None,
        bandwidth: float | None = None,
        degree: int | None = None,
        shift: float | None = None,
        constant: float | None = None,
        scaling: str | None = None,
        clip_norm: float | None = None,
        loss: str = "squared",
        parameter: float | None = None,
        lambda_: Any = None,
        random_features: int | None = None,
        places: Any = None,
        public: Any = None,
        public_points: int | None = None,
        net: int | None = None,
        probes: int | None = None,
        noise: str | None = None,
        noise_shape: str | None = None,
        calibration: str | None = None,
        outside: str | None = None,
        tolerance: float | None = None,
        schema: Any = None,
        person: str | None = None,
        contributions: int | None = None,
        ledger: Any = None,
        request: str | None = None,
        confidence: float | None = None,
        progress: Any = None,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.epsilon, self.delta, self.bounds, self.label_bounds = epsilon, delta, bounds, label_bounds
        self.categories, self.method, self.kernel, self.bandwidth = categories, method, kernel, bandwidth
        self.degree, self.shift, self.constant, self.scaling, self.clip_norm = degree, shift, constant, scaling, clip_norm
        self.loss, self.parameter, self.lambda_, self.random_features = loss, parameter, lambda_, random_features
        self.places, self.public, self.public_points, self.calibration = places, public, public_points, calibration
        self.net, self.probes, self.noise_shape = net, probes, noise_shape
        self.noise, self.outside, self.tolerance = noise, outside, tolerance
        self.schema, self.person, self.contributions, self.ledger, self.request = schema, person, contributions, ledger, request
        self.confidence, self.progress, self.seed, self.threads = confidence, progress, seed, threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # noise
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Release a regression of y on X.

        Parameters
        ----------
        X : array or data frame
        y : array
            Beyond its bounds it is replaced by them.

        Returns
        -------
        self

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(-1, 1, 1000).reshape(-1, 1)
        >>> r = sf.Regressor(bounds=(-1, 1), label_bounds=(-2, 2), seed=1).fit(X, 2 * X[:, 0])
        >>> r.release_.kind
        'machine'
        """
        _refuse_what_reads_rows()
        rows = self._checked(X, fits=True)
        y = _labels(y, len(rows), type(self).__name__)
        if self.label_bounds is None:
            raise InvalidError(
                "label_bounds must be stated: a lower and an upper bound of the label, from knowledge of the subject. They are "
                "public, so they are never read from y"
            )
        self.release_ = self._train(rows, _numbers_of(y), self.categories, label_bounds=self.label_bounds)
        return self

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The numbers predicted for rows.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> X = np.linspace(-1, 1, 1000).reshape(-1, 1)
        >>> r = sf.Regressor(bounds=(-1, 1), label_bounds=(-2, 2), seed=1).fit(X, 2 * X[:, 0])
        >>> bool(0 < r.predict([[0.5]])[0] < 2)
        True
        """
        return self._values(X)


__all__ = ["Classifier", "Density", "Histogram", "MeanCurve", "Regressor", "Series"]
