"""Releases: what is published. Everything here is post-processing and costs no privacy."""

from __future__ import annotations

import errno
import json
import math
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from sfumato._library import (
    COMMAND,
    InvalidError,
    call,
    create,
    ffi,
    lib,
    own_text,
    owned,
    path_of,
    real,
    shown,
    text,
    text_or_none,
    texts,
    utf8,
    whole,
    word_of,
)
from sfumato._request import array_of, cell, make_schema
from sfumato._rows import number
from sfumato._sparse import sparse_parts

Array = Any


class Guarantee(NamedTuple):
    """What a release promises, in numbers; numbers that do not belong to its kind are 0.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.vector([3.0], sensitivity=1, norm="l1", epsilon=1, seed=1).guarantee
    Guarantee(kind='pure', epsilon=1.0, delta=0.0, mu=0.0, rho=0.0, gamma=0.0)
    """

    kind: str
    epsilon: float
    delta: float
    mu: float
    rho: float
    gamma: float


class Band(NamedTuple):
    """The error band of a release around the function without privacy.

    With the confidence, ``half_width`` holds everywhere at once and ``pointwise`` at one place fixed
    beforehand. Both include ``systematic``, the largest error that is not noise.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
    >>> band = r.band()
    >>> band.confidence, band.systematic < band.pointwise < band.half_width
    (0.95, True)
    """

    confidence: float
    half_width: float
    pointwise: float
    systematic: float


class Estimate(NamedTuple):
    """A number read off a release, and its interval; NaN where there is none.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.Estimate(40.0, 38.5, 41.5))
    40 (38.5 to 41.5)
    """

    value: float
    lower: float
    upper: float

    def __str__(self) -> str:
        return f"{self.value:.6g} ({self.lower:.6g} to {self.upper:.6g})"


class Answers(NamedTuple):
    """Linear queries of a table: with their standard errors, and a band that holds for all of them at once.

    Of a refined table errors and band are NaN.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> t = sf.histogram(np.arange(600) % 3, "x", categories={"x": [0, 1, 2]}, epsilon=1, seed=1)
    >>> a = t.answer([[1, 0, -1]])
    >>> a.values.shape, bool(a.lower[0] < 0 < a.upper[0])
    ((1,), True)
    """

    values: Array
    errors: Array
    lower: Array
    upper: Array


class Verified(NamedTuple):
    """What was checked of a mechanism: ratios of probabilities in integers, and its risk, computed again.

    ``epsilon`` is the largest log ratio at neighbouring counts; no private mechanism has a smaller risk than ``limit``,
    which is NaN where the file does not prove one.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.optimal(10, epsilon=1, loss="squared").verify().entries > 10
    True
    """

    entries: int
    ratios: int
    epsilon: float
    risk: float
    limit: float


def doubles(array: np.ndarray[Any, Any]) -> Any:
    return ffi.cast("double *", array.ctypes.data)


def guarantee_of(stated: Any) -> Guarantee:
    kind = word_of("sfm_guarantee_kind", stated.kind)
    return Guarantee(kind, stated.epsilon, stated.delta, stated.mu, stated.rho, stated.gamma)


def read(path: str | os.PathLike[str], *, allow_large: bool = False) -> Release:
    """Read a release from a file.

    Parameters
    ----------
    path : path
        A ``.sfm`` file. Any file is safe to read; a damaged one is refused.
    allow_large : bool
        Read a file also if using it may take much memory or time. Only for files from people you know.

    Returns
    -------
    Release

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import sfumato as sf
    >>> folder = tempfile.mkdtemp()
    >>> r = sf.density(np.linspace(0, 9, 100), bounds=(0, 10), epsilon=1, seed=1)
    >>> r.save(os.path.join(folder, "x.sfm"))
    >>> sf.read(os.path.join(folder, "x.sfm")) == r
    True
    """
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    if allow_large:
        limits = ffi.new("sfm_resource_limits *", lib.sfm_resource_limits_none())
        return Release(create("sfm_release", lib.sfm_release_read_within, path_of(path), limits))
    return Release(create("sfm_release", lib.sfm_release_read, path_of(path)))


def loads(data: str | bytes) -> Release:
    """Read a release from the text of its file.

    Parameters
    ----------
    data : str or bytes

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> r = sf.density(np.linspace(0, 9, 100), bounds=(0, 10), epsilon=1, seed=1)
    >>> sf.loads(r.dumps()) == r
    True
    """
    raw = data.encode("utf-8") if isinstance(data, str) else bytes(data)
    return Release(create("sfm_release", lib.sfm_release_parse, raw, len(raw), b"the release"))


def _loads(data: str, stated: str = "") -> Release:
    """What a pickle holds: a release that was in memory before, of any size."""
    raw = data.encode("utf-8")
    limits = ffi.new("sfm_resource_limits *", lib.sfm_resource_limits_none())
    release = Release(create("sfm_release", lib.sfm_release_parse_within, raw, len(raw), b"the release", limits))
    release._stated = stated
    return release


class Release:
    """A released function, table, number or machine, with its guarantee.

    Releases are made by :func:`density` and the other calls that release, or read by :func:`read`. They
    never change. They can be pickled, copied, compared and used by several threads at once.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> ages = np.random.default_rng(0).normal(40, 12, 5000).clip(0, 100)
    >>> r = sf.density(ages, "age", bounds=(0, 100), epsilon=1, seed=1)
    >>> r.kind, r.columns
    ('density', ['age'])
    >>> r([20.0, 40.0]).shape
    (2,)
    """

    def __init__(self, pointer: Any) -> None:
        self._pointer = owned(pointer, lib.sfm_release_destroy)
        self._made: Any = None
        self._stated = ""  # what the owner states beside the guarantee; the file does not say it

    # ---- what it is ----

    @property
    def kind(self) -> str:
        """density, function, vector, range, histogram, count, choice, mean, mechanism or machine."""
        return word_of("sfm_kind", lib.sfm_release_kind(self._pointer))

    @property
    def method(self) -> str:
        """How it was made, for example lattice or gp."""
        return text(lib.sfm_release_method(self._pointer))

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee in numbers."""
        return guarantee_of(lib.sfm_release_guarantee(self._pointer))

    @property
    def sentence(self) -> str:
        """The guarantee in words."""
        return text(lib.sfm_release_sentence(self._pointer)) + (f" {self._stated}." if self._stated else "")

    @property
    def hardened(self) -> bool:
        """Whether the guarantee holds for the program as it runs; otherwise for ideal real numbers."""
        return bool(lib.sfm_release_hardened(self._pointer))

    @property
    def private(self) -> bool:
        """False for a release made with a seed, which is for tests."""
        return bool(lib.sfm_release_private(self._pointer))

    @property
    def dataset(self) -> str | None:
        """The dataset that was charged."""
        return text_or_none(lib.sfm_release_dataset(self._pointer))

    @property
    def request(self) -> str | None:
        """The name of its request in the ledger."""
        return text_or_none(lib.sfm_release_request(self._pointer))

    @property
    def neighbours(self) -> str:
        """replace or add-remove."""
        return word_of("sfm_neighbours", lib.sfm_release_neighbours(self._pointer))

    @property
    def person(self) -> str | None:
        """The column of persons, all of whose records are protected together."""
        return text_or_none(lib.sfm_release_person(self._pointer))

    @property
    def rows(self) -> int | None:
        """The number of records, where it is public."""
        out = ffi.new("uint64_t *")
        return int(out[0]) if lib.sfm_release_rows(self._pointer, out) else None

    @property
    def refined(self) -> bool:
        """Whether it was refined, which makes it values on a grid, without a band."""
        return bool(lib.sfm_release_refined(self._pointer))

    @property
    def columns(self) -> list[str]:
        """The columns of the function, of the table, or of the machine's input."""
        if self.kind == "histogram":
            count, name = lib.sfm_table_columns(self._pointer), lib.sfm_table_column
        elif self.kind == "machine":
            count, name = self._machine().input_count, lib.sfm_machine_input
        else:
            count, name = lib.sfm_release_dimension(self._pointer), lib.sfm_release_column
        return [text(name(self._pointer, i)) for i in range(count)]

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """The bounds of the columns."""
        lower, upper = ffi.new("double *"), ffi.new("double *")
        bounds = lib.sfm_machine_bounds if self.kind == "machine" else lib.sfm_release_bounds
        found = []
        for i in range(len(self.columns)):
            if self.kind == "histogram":
                stated = lib.sfm_table_bins(self._pointer, lower, upper, i)
                found.append((lower[0], upper[0]) if stated else (np.nan, np.nan))
                continue
            bounds(self._pointer, lower, upper, i)
            found.append((lower[0], upper[0]))
        return found

    @property
    def bandwidth(self) -> list[float]:
        """The bandwidths of a density, in the unit of each column."""
        return [lib.sfm_release_bandwidth(self._pointer, i) for i in range(lib.sfm_release_dimension(self._pointer))]

    @property
    def values(self) -> list[float]:
        """The released numbers, which are counts of a table, quantiles, a vector or coefficients of a function."""
        return list(map(partial(lib.sfm_release_coefficient, self._pointer), range(lib.sfm_release_length(self._pointer))))

    @property
    def value(self) -> float | str:
        """The one number of a count or a mean, or the candidate that was chosen."""
        if self.kind == "choice":
            chosen = lib.sfm_release_chosen(self._pointer)
            return text(lib.sfm_release_candidate(self._pointer, chosen))
        if lib.sfm_release_length(self._pointer) != 1:
            raise InvalidError(f"this {self.kind} has {lib.sfm_release_length(self._pointer)} numbers: use values")
        return float(lib.sfm_release_coefficient(self._pointer, 0))

    @property
    def labels(self) -> list[str | None]:
        """The texts that belong to the numbers of a vector."""
        return [text_or_none(lib.sfm_release_label(self._pointer, i)) for i in range(lib.sfm_release_length(self._pointer))]

    @property
    def groups(self) -> list[dict[str, str]]:
        """The groups of a release by groups, each with its category of each column."""
        by = [text(lib.sfm_release_by(self._pointer, i)) for i in range(lib.sfm_release_by_count(self._pointer))]
        if not by:
            return []
        label = lib.sfm_release_group_label
        return [
            {name: text(label(self._pointer, g, i)) for i, name in enumerate(by)}
            for g in range(lib.sfm_release_group_count(self._pointer))
        ]

    def summary(self) -> dict[str, Any]:
        """All that ``sfumato show --json`` prints, as a dict.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> r.summary()["method"]
        'lattice'
        """
        out = ffi.new("char **")
        call(lib.sfm_release_summary, self._pointer, out)
        return json.loads(own_text(out[0]))  # type: ignore[no-any-return]

    # ---- the file ----

    def dumps(self) -> str:
        """The text of the ``.sfm`` file.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> sf.loads(r.dumps()) == r
        True
        """
        out, length = ffi.new("char **"), ffi.new("size_t *")
        call(lib.sfm_release_text, self._pointer, out, length)
        try:
            return bytes(ffi.buffer(out[0], length[0])).decode("utf-8")
        finally:
            lib.sfm_free(out[0])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file: whole and durably, or not at all.

        Parameters
        ----------
        path : path
            Usually named ``*.sfm``.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> path = os.path.join(tempfile.mkdtemp(), "x.sfm")
        >>> r.save(path)
        >>> sf.read(path) == r
        True
        """
        call(lib.sfm_release_write, self._pointer, path_of(path))

    def __reduce__(self) -> tuple[Callable[[str, str], Release], tuple[str, str]]:
        return _loads, (self.dumps(), self._stated)

    def __copy__(self) -> Release:
        return self

    def __deepcopy__(self, _memo: Any) -> Release:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Release) and self.dumps() == other.dumps()

    def __hash__(self) -> int:
        return hash(self.dumps())

    def __repr__(self) -> str:
        what = ", ".join(self.columns)
        g = self.guarantee
        promised = f"epsilon={g.epsilon:g}" if g.epsilon else f"rho={g.rho:.4g}"
        promised += f", delta={g.delta:g}" if g.delta else ""
        promised = f"random-dp, {promised}, gamma={g.gamma:g}" if g.kind == "random-dp" else promised
        of, seeded = f" of {what}" if what else "", "" if self.private else ", NOT PRIVATE"
        stated = ", classes read from the rows" if self._stated else ""
        return f"<sfumato {self.kind}{of}: {self.method}, {promised}{stated}{seeded}>"

    # ---- values ----

    def _evaluator(self) -> Any:
        if self._made is None:
            self._made = owned(create("sfm_evaluator", lib.sfm_evaluator_create, self._pointer, 0.0), lib.sfm_evaluator_destroy)
        return self._made

    def _points(self, x: Any, columns: Sequence[str]) -> tuple[np.ndarray[Any, Any], tuple[int, ...]]:
        """Points as rows of numbers, and the shape of the values."""
        width = len(columns)
        x = frame_columns(x, columns)
        points = np.asarray(x, dtype=np.float64)
        if width == 1 and (points.ndim != 2 or points.shape[1] != 1):
            shape = points.shape
            points = points.reshape(-1, 1)
        elif points.ndim >= 1 and points.shape[-1] == width:
            shape = points.shape[:-1]
            points = points.reshape(-1, width)
        else:
            raise InvalidError(f"points of {', '.join(columns)} have {width} numbers each; this array has shape {points.shape}")
        return np.ascontiguousarray(points), shape

    def __call__(self, x: Any) -> Any:
        """The values of the function at points; those of a machine are its decision function.

        Parameters
        ----------
        x : number, array or data frame
            Numbers for one column, rows of numbers for several. Outside the bounds a density is NaN.

        Returns
        -------
        float or array
        """
        if self.kind == "machine":
            return self.decision_function(x)
        self._one_group()
        points, shape = self._points(x, self.columns)
        values = np.empty(len(points))
        call(lib.sfm_evaluator_at, self._evaluator(), doubles(values), doubles(points), len(points))
        return values.reshape(shape) if shape else float(values[0])

    def widths(self, x: Any) -> Any:
        """The half-widths of the band at points; all hold at once, with the stated confidence.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> r.widths([2.0, 5.0]).shape
        (2,)
        """
        self._one_group()
        points, shape = self._points(x, self.columns)
        values = np.empty(len(points))
        call(lib.sfm_evaluator_widths, self._evaluator(), doubles(values), doubles(points), len(points))
        return values.reshape(shape) if shape else float(values[0])

    def _one_group(self) -> None:
        if self.kind not in ("density", "function"):
            raise InvalidError(f"a {self.kind} has no values at points")
        if len(self.groups) > 1:
            first = ", ".join(f"{name}={value!r}" for name, value in self.groups[0].items())
            raise InvalidError(f"this release has groups: take one of them, r.group({first})")

    def grid(self, points: int | Sequence[int] = 101) -> tuple[list[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
        """The values on a regular grid over the bounds.

        Parameters
        ----------
        points : int or list of int
            Points per axis.

        Returns
        -------
        axes : list of array
        values : array

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> (x,), y = r.grid(5)
        >>> x.tolist(), y.shape
        ([0.0, 2.5, 5.0, 7.5, 10.0], (5,))
        """
        self._one_group()
        listed = list(points) if isinstance(points, Iterable) else [points] * len(self.columns)
        counts = [whole(one, "points", 2**32) for one in listed]
        if len(counts) != len(self.columns):
            raise InvalidError(f"a grid of {len(self.columns)} columns has as many numbers of points, not {len(counts)}")
        values = np.empty(counts)
        call(lib.sfm_evaluator_grid, self._evaluator(), doubles(values), counts)
        return [np.linspace(lower, upper, n) for (lower, upper), n in zip(self.bounds, counts)], values

    def band(self, confidence: float | None = None, *, grid: int | None = None) -> Any:
        """The error band, at the stated confidence or another one.

        Parameters
        ----------
        confidence : float, optional
        grid : int, optional
            For functions of one column: the points, lower and upper ends on a grid instead.

        Returns
        -------
        Band, or three arrays (x, lower, upper)

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> r.band(0.5).half_width < r.band().half_width
        True
        >>> x, lower, upper = r.band(grid=101)
        >>> bool((lower < upper).all())
        True
        """
        out = ffi.new("sfm_band *", lib.sfm_release_band(self._pointer))
        if confidence is not None:
            call(lib.sfm_release_band_at, self._pointer, out, real(confidence, "confidence"))
        band = Band(out.confidence, out.half_width, out.pointwise, out.systematic)
        if grid is None:
            return band
        if len(self.columns) != 1:
            raise InvalidError("grid= is for functions of one column; r.grid() and r.widths() are for all")
        if confidence is not None and (lib.sfm_release_place(self._pointer, ffi.new("double[64]"), 0) or self._is_random()):
            raise InvalidError("the band of this release differs from place to place: it has one confidence, the stated one")
        (x,), values = self.grid(whole(grid, "grid", 2**32))
        width = self.widths(x) if confidence is None else np.full(len(x), band.half_width)
        return x, values - width, values + width

    def _is_random(self) -> bool:
        return bool(lib.sfm_release_engine(self._pointer) == lib.SFM_ENGINE_RANDOM)

    # ---- densities ----

    def _query(self, confidence: float | None) -> Any:
        return owned(
            create("sfm_query", lib.sfm_query_create, self._pointer, real(confidence or 0, "confidence")), lib.sfm_query_destroy
        )

    def mean(self, *, confidence: float | None = None) -> Estimate:
        """The mean of a density of one column, with its interval.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> m = r.mean()
        >>> m.lower < 4.5 < m.upper
        True
        """
        query, out = self._query(confidence), ffi.new("sfm_estimate *")
        call(lib.sfm_query_mean, query, out)
        return Estimate(out.value, out.lower, out.upper)

    def quantile(self, p: Any, *, confidence: float | None = None) -> Any:
        """Quantiles of a density of one column, with their intervals.

        Parameters
        ----------
        p : float or list of float
            Between 0 and 1.

        Returns
        -------
        Estimate or list of Estimate

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> low, median = r.quantile([0.1, 0.5])
        >>> low.value < 2 < 4 < median.value < 5
        True
        """
        return self._estimates(lib.sfm_query_quantiles, p, confidence)

    def cdf(self, x: Any, *, confidence: float | None = None) -> Any:
        """The distribution function of a density of one column; intervals hold all at once.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> 0.4 < r.cdf(4.5).value < 0.6
        True
        """
        return self._estimates(lib.sfm_query_cdf, x, confidence)

    def _estimates(self, function: Any, at: Any, confidence: float | None) -> Any:
        points = np.ascontiguousarray(at, dtype=np.float64).ravel()
        query, out = self._query(confidence), ffi.new("sfm_estimate[]", max(1, points.size))
        call(function, query, out, doubles(points), points.size)
        found = list(map(Estimate._make, np.frombuffer(ffi.buffer(out)).reshape(-1, 3)[: points.size].tolist()))
        return found if np.ndim(at) else found[0]

    def probability(self, lower: Any, upper: Any, *, confidence: float | None = None) -> Estimate:
        """The probability of an interval, or of a box.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> 0.4 < r.probability(0, 4.5).value < 0.6
        True
        """
        ends = [np.ascontiguousarray(np.atleast_1d(one), dtype=np.float64) for one in (lower, upper)]
        if any(len(one) != len(self.columns) for one in ends):
            raise InvalidError(f"a box of {len(self.columns)} columns has as many lower and upper ends")
        query, out = self._query(confidence), ffi.new("sfm_estimate *")
        call(lib.sfm_query_probability, query, out, doubles(ends[0]), doubles(ends[1]))
        return Estimate(out.value, out.lower, out.upper)

    def mode(self, *, confidence: float | None = None) -> Estimate:
        """Where a density of one column is largest.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> 0 <= r.mode().value <= 10
        True
        """
        query, out, pieces = self._query(confidence), ffi.new("sfm_estimate *"), ffi.new("size_t *")
        call(lib.sfm_query_mode, query, out, ffi.NULL, pieces, 0)
        return Estimate(out.value, out.lower, out.upper)

    def mode_intervals(self, *, confidence: float | None = None) -> list[tuple[float, float]]:
        """The intervals in one of which the mode without privacy is, from left to right; there are none if it is refined.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> all(lower <= upper for lower, upper in r.mode_intervals())
        True
        """
        query, out, count = self._query(confidence), ffi.new("sfm_estimate *"), ffi.new("size_t *")
        pieces = np.empty((64, 2))  # further ones are joined to the last
        call(lib.sfm_query_mode, query, out, doubles(pieces), count, len(pieces))
        return [(float(lower), float(upper)) for lower, upper in pieces[: count[0]]]

    def group(self, **categories: Any) -> Release:
        """The density of one group, r.group(sex="F").

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> rows = sf.Rows(np.column_stack([np.linspace(0, 9, 500), np.arange(500) % 2]), ["x", "sex"])
        >>> r = sf.density(rows, "x", by="sex", categories={"sex": [0, 1]}, bounds={"x": (0, 10)}, bandwidth=1, epsilon=1, seed=1)
        >>> r.group(sex=1).groups
        [{'sex': '1'}]
        """
        wanted = {name: cell(value) for name, value in categories.items()}
        found = [g for g, labels in enumerate(self.groups) if labels == wanted]
        if not found:
            listed = "; ".join(", ".join(f"{k}={v!r}" for k, v in labels.items()) for labels in self.groups) or "none"
            raise InvalidError(f"there is no such group; the groups are: {listed}")
        return Release(create("sfm_release", lib.sfm_release_group, self._pointer, found[0]))

    def marginal(self, columns: str | Sequence[str]) -> Release:
        """The density, or the table, of some of the columns.

        Parameters
        ----------
        columns : str or list of str

        Returns
        -------
        Release

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> rows = sf.Rows(np.array([[0, 1], [1, 1], [1, 0]] * 100, dtype=float), ["ill", "old"])
        >>> t = sf.histogram(rows, categories={"ill": [0, 1], "old": [0, 1]}, epsilon=1, seed=1)
        >>> t.marginal("old").to_dict()["old"]
        ['0', '1']
        """
        names, keep = [columns] if isinstance(columns, str) else list(columns), []  # type: ignore[var-annotated]
        array = texts(names, keep)
        if self.kind == "histogram":
            out = ffi.new("sfm_release **")
            call(lib.sfm_table_margin_of, out, ffi.NULL, self._pointer, array, len(names))
            return Release(out[0])
        return Release(create("sfm_release", lib.sfm_release_marginal, self._pointer, array, len(names)))

    def refine(self, **settings: Any) -> Release:
        """A better density or table at no cost: less noise, no negative values, the right total.

        Parameters
        ----------
        **settings
            Densities: shrink, nonnegative, normalise (True or False). Where mass may be missing (an open
            boundary, outside="drop"), the integral is at most one; normalise=True makes it one.
            Tables: nonnegative, total, stated, monotone, consistent, keep_margins.

        Returns
        -------
        Release

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> better = r.refine()
        >>> bool((better(np.linspace(0, 10, 101)) >= 0).all())
        True
        """
        table = self.kind == "histogram"
        kind = "sfm_table_refine_settings" if table else "sfm_refine_settings"
        made = ffi.new(kind + " *")
        if table:
            lib.sfm_table_refine_settings_init(made, ffi.sizeof(kind), self._pointer)
        else:
            lib.sfm_refine_settings_init(made, ffi.sizeof(kind))
        known = [name for name, _ in ffi.typeof(kind).fields if name not in ("size", "allow_missing")]
        for name, value in settings.items():
            if name not in known:
                raise TypeError(f"refine has no {name!r}: there are {', '.join(known)}")
            try:
                setattr(made, name, value)
            except (TypeError, OverflowError):
                raise InvalidError(f"{name}={shown(value)} is not what refine takes") from None
        if "normalise" in settings:
            made.allow_missing = False
        function = lib.sfm_table_refine if table else lib.sfm_release_refine
        return Release(create("sfm_release", function, self._pointer, made))

    def sample(self, count: int, *, seed: int | None = None, raw: bool = False) -> Any:
        """Synthetic rows, drawn from a density or a table.

        A dense table that was not refined is refined first, at no cost: otherwise the noise of its cells would be
        records that nobody has.

        Parameters
        ----------
        count : int
        seed : int, optional
            The generator is public; with a seed the rows can be repeated.
        raw : bool
            Of a table: draw from the counts as they were released, negative ones as zero.

        Returns
        -------
        array of numbers for a density, one row each; for a table or groups a dict of columns

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> r.sample(1000, seed=1).shape
        (1000, 1)
        >>> rows = sf.Rows(np.array([[0, 1], [1, 1], [1, 0]] * 100, dtype=float), ["ill", "old"])
        >>> t = sf.histogram(rows, categories={"ill": [0, 1], "old": [0, 1]}, epsilon=1, seed=1)
        >>> list(t.sample(3, seed=1))
        ['ill', 'old']
        """
        count = whole(count, "count", 2**48)
        seed = int.from_bytes(os.urandom(8), "little") if seed is None else whole(seed, "seed")
        if self.kind == "histogram":
            return self._sample_table(count, seed, raw)
        if raw:
            raise InvalidError(f"raw=True is for tables, and this release is a {self.kind}")
        pointer = create("sfm_sample", lib.sfm_sample_create, self._pointer, ffi.NULL, 0, seed)
        sample = owned(pointer, lib.sfm_sample_destroy)
        points = np.empty((count, len(self.columns)))
        of = np.zeros(count, dtype=np.uintp)
        lib.sfm_sample_draw(sample, doubles(points), ffi.cast("size_t *", of.ctypes.data), count)
        groups = self.groups
        if not groups:
            return points
        columns: dict[str, Any] = {name: np.array([one[name] for one in groups], dtype=object)[of] for name in groups[0]}
        columns.update({name: points[:, i] for i, name in enumerate(self.columns)})
        return columns

    def _refined_table(self) -> Release:
        """The table as it is drawn from, which is made once: of a million cells that takes a second."""
        if not lib.sfm_table_sample_refines(self._pointer):
            return self
        if self._made is None:
            self._made = self.refine()
        return self._made  # type: ignore[no-any-return]

    def _sample_table(self, count: int, seed: int, raw: bool) -> dict[str, Any]:
        drawn_from = self if raw else self._refined_table()
        function = lib.sfm_table_sample_create_raw if raw else lib.sfm_table_sample_create
        sample = owned(create("sfm_table_sample", function, drawn_from._pointer, seed), lib.sfm_table_sample_destroy)
        cells = np.empty(count, dtype=np.uintp)
        places = np.empty((count, len(self.columns)))
        lib.sfm_table_sample_draw(sample, ffi.cast("size_t *", cells.ctypes.data), doubles(places), count)
        named = zip(self.columns, self.bounds, self._cell_texts(cells.astype(np.intp)))
        return {name: found if np.isnan(ends[0]) else places[:, i] for i, (name, ends, found) in enumerate(named)}

    # ---- tables ----

    def _texts(self, function: Any, places: np.ndarray[Any, Any], column: int, *, by_cell: bool) -> np.ndarray[Any, Any]:
        """The texts of cells or of codes of a column; each is asked for once."""
        room = ffi.new("char[]", 4096)
        made = []
        for place in places.tolist():
            function(self._pointer, room, len(room), *((place, column) if by_cell else (column, place)))
            made.append(text(room))
        return np.array(made, dtype=object)

    def _cell_texts(self, cells: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
        """The texts of listed cells, an array per column; "" where the margin of a cell does not have the column."""
        width = len(self.columns)
        if lib.sfm_table_sparse(self._pointer) or lib.sfm_table_undeclared(self._pointer):
            found, back = np.unique(cells, return_inverse=True)
            return [self._texts(lib.sfm_table_text, found, i, by_cell=True)[back] for i in range(width)]
        columns, first = [np.full(len(cells), "", dtype=object) for _ in range(width)], 0
        for m in range(lib.sfm_table_margins(self._pointer)):  # in each the last column changes fastest
            of = [i for i in range(width) if lib.sfm_table_margin(self._pointer, m) >> i & 1]
            sizes = [lib.sfm_table_categories(self._pointer, i) for i in of]
            last = first + math.prod(sizes)
            here = (first <= cells) & (cells < last)
            for i, size, codes in zip(of, sizes, np.unravel_index(cells[here] - first, sizes)):
                found, back = (np.arange(size), codes) if size <= len(codes) else np.unique(codes, return_inverse=True)
                columns[i][here] = self._texts(lib.sfm_table_label, found, i, by_cell=False)[back]
            first = last
        return columns

    def share(self, *, raw: bool = False, **values: Any) -> float:
        """The share of the records of a table that have these values, r.share(sex="F", region=["north", "south"]).

        A dense table that was not refined is refined first, as by :meth:`refine`, so that the answer is that of
        :meth:`sample`.

        Parameters
        ----------
        raw : bool
            From the counts as they were released.
        **values
            By column: one value or a list: categories, or numbers, which stand for their bin.

        Returns
        -------
        float

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> rows = sf.Rows(np.array([[0, 1], [1, 1], [1, 0]] * 100, dtype=float), ["ill", "old"])
        >>> t = sf.histogram(rows, categories={"ill": [0, 1], "old": [0, 1]}, epsilon=1, seed=1)
        >>> 0.6 < t.share(ill=1) < 0.75
        True
        """
        keep: list[Any] = []
        conditions = ffi.new("sfm_table_condition[]", max(1, len(values)))
        for condition, (name, wanted) in zip(conditions, values.items()):
            listed = [cell(one) for one in (wanted if isinstance(wanted, (list, tuple, set)) else [wanted])]
            keep.append(ffi.new("char[]", utf8(name)))
            condition.column, condition.values, condition.count = keep[-1], texts(listed, keep), len(listed)
        out, table = ffi.new("double *"), self if raw else self._refined_table()
        call(lib.sfm_table_share, out, table._pointer, conditions, len(values), raw)
        return float(out[0])

    def answer(self, matrix: Any, *, confidence: float | None = None) -> Answers:
        """Sums, differences or averages of the cells of a dense table.

        Parameters
        ----------
        matrix : array
            A row per query, a column per cell, in the order of :attr:`values`.
        confidence : float, optional
            Of the band. Default: that of the release.

        Returns
        -------
        Answers

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> t = sf.histogram(np.arange(600) % 3, "x", categories={"x": [0, 1, 2]}, epsilon=1, seed=1)
        >>> a = t.answer([[1, 1, 0], [1, 1, 1]])
        >>> bool(a.lower[0] < 400 < a.upper[0])
        True
        """
        rows = array_of(matrix, "matrix", (None, None))
        found = np.empty((3, len(rows)))
        stated: Any = (0.95 if self.refined else self.band().confidence) if confidence is None else confidence
        parts = [doubles(one) for one in found]
        call(lib.sfm_table_answer, *parts, self._pointer, doubles(rows), *rows.shape, real(stated, "confidence"))
        values, errors, widths = found
        return Answers(values, errors, values - widths, values + widths)

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns of a data frame: cells and counts of a table, the curve of a density on a grid, numbers and labels.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> rows = sf.Rows(np.array([[0, 1], [1, 1], [1, 0]] * 100, dtype=float), ["ill", "old"])
        >>> t = sf.histogram(rows, categories={"ill": [0, 1], "old": [0, 1]}, epsilon=1, seed=1)
        >>> t.to_dict()["ill"], t.to_dict()["old"]
        (['0', '0', '1', '1'], ['0', '1', '0', '1'])
        """
        if self.kind == "histogram":
            found = self._cell_texts(np.arange(lib.sfm_release_length(self._pointer)))
            columns: dict[str, list[Any]] = {name: one.tolist() for name, one in zip(self.columns, found)}
            columns[free_name("count", columns)] = self.values
            return columns
        if self.kind in ("density", "function"):
            axes, values = self.grid(101 if len(self.columns) == 1 else 33)
            mesh = np.meshgrid(*axes, indexing="ij")
            made = {name: axis.ravel().tolist() for name, axis in zip(self.columns, mesh)}
            return {**made, free_name("value", made): values.ravel().tolist()}
        if self.kind == "range":
            quantiles = [lib.sfm_release_quantile(self._pointer, i) for i in range(len(self.values))]
            return {"quantile": quantiles, "value": self.values}
        labels = self.labels
        return {**({"label": labels} if any(labels) else {}), "value": self.values}

    def to_pandas(self) -> Any:
        """A data frame of what :meth:`to_dict` has.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> r.to_pandas().columns.tolist()
        ['x', 'value']
        """
        import pandas as pd

        return pd.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """A polars data frame of what :meth:`to_dict` has.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> r.to_polars().columns
        ['x', 'value']
        """
        import polars as pl

        return pl.DataFrame(self.to_dict())

    def guarantee_within(self, *, schema: Any = None, **columns: Any) -> Guarantee:
        """What a table or a count promises between records that are all in a set: predictive differential privacy.

        This is weaker than differential privacy: it is a promise only to those whose records are in the set, which is your
        assumption. It is smaller where no replacement within the set can change a count.

        Parameters
        ----------
        schema : path or dict, optional
            Of a count: that with which it was made, for the types of its columns.
        **columns
            The set: by column a pair of numbers (lower, upper), or a list of texts.

        Returns
        -------
        Guarantee

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> t = sf.histogram(np.arange(100.0), "age", bins=10, bounds=(0, 100), epsilon=1, seed=1)
        >>> t.guarantee_within(age=(20, 29)).epsilon, t.guarantee_within(age=(20, 39)).epsilon
        (0.0, 1.0)
        """
        keep: list[Any] = []
        items = ffi.new("sfm_supposition[]", max(1, len(columns)))
        for item, (name, wanted) in zip(items, columns.items()):
            keep.append(ffi.new("char[]", utf8(name)))
            item.column, listed = keep[-1], [wanted] if isinstance(wanted, str) else list(wanted)
            item.interval = len(listed) == 2 and not any(isinstance(one, str) for one in listed)
            if item.interval:
                item.lower, item.upper = (float(one) for one in listed)
            else:
                item.texts, item.text_count = texts([cell(one) for one in listed], keep), len(listed)
        if self.kind != "count":
            out = ffi.new("sfm_guarantee *")
            call(lib.sfm_predict_table, out, self._pointer, items, len(columns))
            return guarantee_of(out)
        if self.guarantee.kind == "random-dp" or self.neighbours != "replace":
            raise InvalidError("this is for replaced records under differential privacy, not for add-remove or random-dp")
        decided, stated = ffi.new("bool *"), make_schema([], {"schema": schema})
        call(lib.sfm_predict_where, decided, lib.sfm_count_where(self._pointer), stated, items, len(columns))
        if decided[0] and not lib.sfm_release_contributions_enforced(self._pointer):
            return Guarantee("pure", 0.0, 0.0, 0.0, 0.0, 0.0)
        return self.guarantee

    # ---- mechanisms ----

    def law(self, count: int) -> Array:
        """The probabilities of the answers 0 to n of a mechanism, if the count is this one.

        Examples
        --------
        >>> import sfumato as sf
        >>> p = sf.optimal(4, epsilon=1).law(2)
        >>> len(p), bool(p.argmax() == 2)
        (5, True)
        """
        facts = ffi.new("sfm_optimal_facts *")
        call(lib.sfm_optimal_describe, self._pointer, facts)
        law = np.empty(facts.n + 1)
        call(lib.sfm_optimal_law, self._pointer, doubles(law), whole(count, "count"))
        return law

    def verify(self) -> Verified:
        """Check a mechanism from its numbers alone, in integers: its privacy and its stated risk.

        What does not hold raises :class:`InvalidError`, which says what and where.

        Examples
        --------
        >>> import sfumato as sf
        >>> checked = sf.optimal(10, epsilon=1).verify()
        >>> round(checked.epsilon, 9), checked.risk >= checked.limit
        (1.0, True)
        """
        out = ffi.new("sfm_optimal_report *")
        call(lib.sfm_optimal_verify, self._pointer, out)
        return Verified(int(out.entries), int(out.ratios), out.epsilon, out.risk, out.limit)

    # ---- machines ----

    def _machine(self) -> Any:
        out = ffi.new("sfm_machine *")
        if not lib.sfm_release_machine(self._pointer, out):
            raise InvalidError(f"this release is a {self.kind}, not a machine")
        return out

    @property
    def classes(self) -> list[str]:
        """The classes of a machine; of two the first is the negative one."""
        return [text(lib.sfm_machine_class(self._pointer, i)) for i in range(self._machine().class_count)]

    def _cells(self, x: Any) -> np.ndarray[Any, Any]:
        """Cells of the machine's columns: numbers, or the index of a category."""
        columns = self.columns
        counts = [lib.sfm_machine_categories(self._pointer, i) for i in range(len(columns))]
        if not any(counts):
            x = frame_columns(x, columns)
            if np.ndim(x) == 2 and np.shape(x)[1] != len(columns):
                raise InvalidError(f"a row has {len(columns)} cells: {', '.join(columns)}")
            return self._points(x, columns)[0]
        category = partial(lib.sfm_machine_category, self._pointer)
        return coded(object_columns(x, columns), [[text(category(i, k)) for k in range(n)] for i, n in enumerate(counts)])

    def _machine_rows(self, x: Any) -> tuple[str, tuple[Any, ...], int, Any]:
        """Rows as a machine reads them: the end of the functions' names, their arguments, how many, what these point to."""
        machine = self._machine()
        if machine.input_count:
            cells = self._cells(x)
            return "", (doubles(cells), len(cells)), len(cells), cells
        parts = sparse_parts(x, machine.dimension, "rows")
        return "_sparse", parts.pointers(), parts.rows, parts

    def decision_function(self, x: Any) -> np.ndarray[Any, Any]:
        """The values of a machine at rows of its columns; one per class if there are more than two.

        Parameters
        ----------
        x : array or data frame; of a machine of libsvm text also sparse rows (scipy.sparse, or :func:`read_libsvm`)

        Returns
        -------
        array

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> x = np.random.default_rng(0).uniform(-1, 1, 2000)
        >>> rows = sf.Rows(np.column_stack([x, np.where(x > 0, 1, -1)]), ["x", "y"])
        >>> m = sf.train(rows, "y", bounds={"x": (-1, 1)}, classes=[-1, 1], epsilon=1, seed=1)
        >>> bool(m.decision_function([[0.9]])[0] > 0)
        True
        """
        functions = self._machine().function_count
        kind, rows, count, _keep = self._machine_rows(x)
        values = np.empty((count, functions))
        call(getattr(lib, "sfm_machine_at" + kind), self._pointer, doubles(values), *rows)
        return values[:, 0] if functions == 1 else values

    def predict(self, x: Any) -> np.ndarray[Any, Any]:
        """The classes (as texts), or the numbers of a regression, at rows of the machine's columns.

        Parameters
        ----------
        x : array or data frame

        Returns
        -------
        array
            None where a row has a cell without a valid value.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> x = np.random.default_rng(0).uniform(-1, 1, 2000)
        >>> rows = sf.Rows(np.column_stack([x, np.where(x > 0, 1, -1)]), ["x", "y"])
        >>> m = sf.train(rows, "y", bounds={"x": (-1, 1)}, classes=[-1, 1], epsilon=1, seed=1)
        >>> m.predict([[0.9], [-0.9]]).tolist()
        ['1', '-1']
        """
        values = self.decision_function(x)
        classes = self.classes
        if not classes:
            return values
        index = values.argmax(axis=1) if values.ndim == 2 else (values > 0).astype(int)
        valid = ~np.isnan(values.reshape(len(values), -1)).any(axis=1)
        predicted = np.array(classes, dtype=object)[index]
        predicted[~valid] = None
        return np.asarray(predicted)

    def predict_band(self, x: Any, confidence: float | None = None) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The half-widths of a machine's band at rows: at one row, and at all rows at once.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> x = np.random.default_rng(0).uniform(-1, 1, 2000)
        >>> rows = sf.Rows(np.column_stack([x, np.where(x > 0, 1, -1)]), ["x", "y"])
        >>> m = sf.train(rows, "y", bounds={"x": (-1, 1)}, classes=[-1, 1], epsilon=1, seed=1)
        >>> at_one, at_all = m.predict_band([[0.9], [-0.9]])
        >>> bool((at_one <= at_all).all())
        True
        """
        kind, rows, count, _keep = self._machine_rows(x)
        confidence = lib.sfm_release_band(self._pointer).confidence if confidence is None else confidence
        pointwise, everywhere = np.empty(count), np.empty(count)
        function = getattr(lib, "sfm_machine_band" + kind)
        call(function, self._pointer, doubles(pointwise), doubles(everywhere), *rows, confidence)
        return pointwise, everywhere

    # ---- pictures ----

    def plot(self, ax: Any = None, *, confidence: float | None = None, caption: bool = True) -> Any:
        """Draw a function of one or two columns, or a table of one, with matplotlib.

        Parameters
        ----------
        ax : matplotlib axes, optional
        confidence : float, optional
            Of the band.
        caption : bool
            Write the guarantee above the picture.

        Returns
        -------
        matplotlib axes

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> r.plot().get_xlabel()
        'x'
        """
        from sfumato._pictures import draw

        return draw(self, ax, confidence, caption)

    def to_svg(self, **options: Any) -> str:
        """The picture that ``sfumato plot`` draws, as SVG.

        Parameters
        ----------
        **options
            Options of the verb without their dashes, for example group="sex=F".

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=1)
        >>> "<svg" in r.to_svg()
        True
        """
        if self.kind == "density" and len(self.columns) > 2:
            raise InvalidError("a picture is of one or two columns: r.marginal(['...', '...']).to_svg()")
        words: list[str] = []
        for name, value in options.items():
            words += ["--" + name.replace("_", "-")] + ([] if value is True else [str(value)])
        with tempfile.TemporaryDirectory() as folder:
            given, made = os.path.join(folder, "release.sfm"), os.path.join(folder, "picture.svg")
            with open(given, "w", encoding="utf-8") as file:
                file.write(self.dumps())
            done = subprocess.run([str(COMMAND), "plot", given, *words, "-o", made], capture_output=True, text=True, check=False)
            if done.returncode:
                raise InvalidError(done.stderr.strip())
            with open(made, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self) -> str:
        from sfumato._pictures import notebook

        return notebook(self)


def frame_names(x: Any) -> list[Any] | None:
    """The names of the columns of a data frame; None of what is none."""
    if type(x).__module__.split(".")[0] == "pyarrow" and hasattr(x, "column_names"):
        return list(x.column_names)
    return list(x.columns) if hasattr(x, "columns") and hasattr(x, "__getitem__") else None


def frame_columns(x: Any, columns: Sequence[str]) -> Any:
    """The columns of a data frame in order; other points as they are."""
    names = frame_names(x)
    if names is not None:
        missing = [name for name in columns if name not in names]
        if missing:
            raise InvalidError(f"the data frame has no column {missing[0]!r}")
        return np.column_stack([np.asarray(x[name]) for name in columns])
    if isinstance(x, Mapping):
        return np.column_stack([np.atleast_1d(np.asarray(x[name])) for name in columns])
    return x


def object_columns(x: Any, columns: Sequence[str]) -> np.ndarray[Any, Any]:
    """Rows of cells of any type, each as it is: categories are compared by what they are."""
    names = list(x) if isinstance(x, Mapping) else frame_names(x)
    if names is not None:
        missing = [name for name in columns if name not in names]
        if missing:
            raise InvalidError(f"there is no column {missing[0]!r}")
        made = [np.asarray(x[name]) for name in columns]
        rows = np.empty((len(made[0]), len(made)), dtype=object)
        for i, column in enumerate(made):
            rows[:, i] = column.tolist() if column.dtype.kind != "O" else column
        return rows
    return np.atleast_2d(np.asarray(x, dtype=object))


def coded(rows: np.ndarray[Any, Any], categories: Sequence[Sequence[str]]) -> np.ndarray[Any, Any]:
    """Cells as numbers: of a column with categories the place of each; NaN where it is none."""
    if rows.shape[1] != len(categories):
        raise InvalidError(f"a row has {len(categories)} cells, not {rows.shape[1]}")
    cells = np.empty(rows.shape)
    for i, listed in enumerate(categories):
        index = {name: float(k) for k, name in enumerate(listed)}
        if index.keys() <= {"0", "1"}:  # False and True of an array
            index |= {"false": index.get("0", np.nan), "true": index.get("1", np.nan)}
        cells[:, i] = [index.get(cell(one), np.nan) if listed else number(one) for one in rows[:, i]]
    return cells


def free_name(name: str, taken: Iterable[str]) -> str:
    """A name for a column that no column has."""
    while name in taken:
        name += "_"
    return name


def combine(releases: Iterable[Release], *, weights: Any = "noise", disjoint: bool = False) -> Release:
    """The weighted mean of several densities of the same columns.

    Parameters
    ----------
    releases : list of Release
    weights : {"noise", "records"} or list of float
        noise: least noise, for one population. records: the density of all records together.
    disjoint : bool
        The owner states that nobody is in two of them; the guarantee is then the weakest of theirs.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> x = np.random.default_rng(0).uniform(0, 10, 4000)
    >>> r = [sf.density(part, "x", bounds=(0, 10), bandwidth=1, epsilon=1, seed=i) for i, part in enumerate([x[:2000], x[2000:]])]
    >>> sf.combine(r, weights="records", disjoint=True).refined
    True
    """
    listed = list(releases)
    made = ffi.new("sfm_combine_settings *")
    lib.sfm_combine_settings_init(made, ffi.sizeof("sfm_combine_settings"))
    words = {"noise": lib.SFM_COMBINE_WEIGHTS_NOISE, "records": lib.SFM_COMBINE_WEIGHTS_RECORDS}
    own = None
    if isinstance(weights, str):
        if weights not in words:
            raise InvalidError(f"weights={weights!r} is not 'noise', 'records' or a list of numbers")
        made.weights = words[weights]
    else:
        own = np.ascontiguousarray(weights, dtype=np.float64)
        if len(own) != len(listed):
            raise InvalidError(f"there are {len(own)} weights for {len(listed)} releases")
        made.weights, made.own = lib.SFM_COMBINE_WEIGHTS_OWN, doubles(own)
    made.disjoint = disjoint
    out = ffi.new("sfm_release **")
    pointers = [one._pointer for one in listed]
    call(lib.sfm_release_combine, out, ffi.NULL, pointers, len(listed), made)
    return Release(out[0])


__all__ = ["Answers", "Band", "Estimate", "Guarantee", "Release", "Verified", "combine", "loads", "read", "utf8"]
