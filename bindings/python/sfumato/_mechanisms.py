"""The calls that release: each reads private rows once and returns a Release."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato import _rows
from sfumato._library import InvalidError, call, callback, ffi, lib, number_of, owned, real, stop_before, text, texts, utf8, whole
from sfumato._request import (
    Bounds,
    Request,
    chosen_columns,
    column_list,
    distinct,
    has_bounds,
    has_categories,
    make_schema,
    no_bounds,
    open_rows,
    pair_of,
    pairs_of,
    per_column,
    refuse_unknown,
    shown,
)
from sfumato._rows import RowsLike
from sfumato._sparse import Gram, sparse_parts
from sfumato.release import Release, coded, frame_columns, object_columns

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from sfumato._request import Facts


def stated(arguments: dict[str, Any], *others: str) -> dict[str, Any]:
    """The settings among the arguments of a call: those that are neither the rows nor facts about them."""
    settings = {name: value for name, value in arguments.items() if name not in others}
    refuse_unknown(arguments["facts"], settings)
    return settings


def density_request(
    columns: list[str],
    facts: Mapping[str, Any],
    *,
    epsilon: float,
    delta: float = 0,
    bandwidth: Any = None,
    method: str | None = None,
    kernel: str | None = None,
    engine: str | None = None,
    features: int | None = None,
    gamma: Any = None,
    release_points: Any = None,
    release_grid: Sequence[int] | int | None = None,
    boundary: Any = None,
    period: Any = None,
    by: str | Sequence[str] | None = None,
    noise: str | None = None,
    terms: int | None = None,
    body: str | None = None,
    candidates: Any = None,
    choice_share: float | None = None,
    outside: str | None = None,
    calibration: str | None = None,
    expected_rows: int | None = None,
    shape: str | Release | None = None,
) -> Request:
    """The settings of a density, which planning and releasing share."""
    request = Request("density", columns, facts)
    without = [name for name in columns if not has_bounds(request.schema, name)]
    if without:
        raise InvalidError(no_bounds(without))
    request.set(columns=columns, dimension=len(columns), epsilon=epsilon, delta=delta, method=method, kernel=kernel)
    request.set(engine=engine, features=features, noise=noise, terms=terms, body=body, choice_share=choice_share)
    request.set(outside=outside, calibration=calibration, expected_rows=expected_rows)
    request.per_column("bandwidth", bandwidth, columns)
    request.per_column("gamma", gamma, columns)
    request.per_column("period", period, columns)
    request.words("boundary", "sfm_boundary", boundary, columns)
    groups = column_list(by)
    if groups:
        request.set(by=groups, by_count=len(groups))
    if release_points is not None:
        request.matrix(release_points, len(columns), release_points="release_points", release_count="")
    if release_grid is not None:
        for axis, count in enumerate(per_column(release_grid, columns, "release_grid", None)):
            request.settings.release_grid[axis] = whole(count, "release_grid", 2**32)
    if candidates is not None:
        if np.ndim(candidates) == 1:
            candidates = [[one] * len(columns) for one in candidates]
        request.matrix(candidates, len(columns), candidates="candidates", candidate_count="")
    set_shape(request, shape, len(columns))
    return request


def set_shape(request: Request, shape: str | Release | None, dimension: int) -> None:
    if shape is None:
        return
    out = ffi.new("sfm_shape **")
    if isinstance(shape, Release):
        call(lib.sfm_shape_from_release, out, shape._pointer)
    else:
        call(lib.sfm_shape_parse, out, utf8(shape), dimension)
    guess = owned(out[0], lib.sfm_shape_destroy)
    request.keep.append(guess)
    request.settings.shape = guess


def density(
    rows: RowsLike,
    columns: str | Sequence[str] | None = None,
    *,
    epsilon: float,
    delta: float = 0,
    bandwidth: Any = None,
    method: str | None = None,
    kernel: str | None = None,
    engine: str | None = None,
    features: int | None = None,
    gamma: Any = None,
    release_points: Any = None,
    release_grid: Sequence[int] | int | None = None,
    boundary: Any = None,
    period: Any = None,
    by: str | Sequence[str] | None = None,
    noise: str | None = None,
    terms: int | None = None,
    body: str | None = None,
    candidates: Any = None,
    choice_share: float | None = None,
    outside: str | None = None,
    calibration: str | None = None,
    expected_rows: int | None = None,
    shape: str | Release | None = None,
    **facts: Unpack[Facts],
) -> Release:
    """Release the density of one or more columns.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows (see :class:`Rows`).
    columns : str or list of str, optional
        The columns. Default: those that have bounds, or all.
    epsilon : float
        The privacy budget that this release costs, 1e-6 to 1e3.
    delta : float
        0: pure epsilon. Above 0: normal noise may be used.
    bandwidth : float, list or dict, optional
        Of the kernel, in the unit of the column. Default: that of least predicted error.
    method : {"auto", "lattice", "gp", "sobolev", "fourier-laplace", "caratheodory"}, optional
        Default: of the hardened methods of about the least predicted error the one with the narrowest band.
    kernel : {"gaussian", "laplacian", "matern12", "matern32", "matern52", "cauchy"}, optional
        Default: gaussian. Others need the method gp.
    engine, features, gamma, release_points, release_grid, noise, terms, body, calibration : optional
        Of the methods; see the guides "density", "engines", "sobolev" and "pure".
    boundary : {"open", "reflect", "periodic"}, list or dict, optional
        What smoothing does at the bounds. Default: reflect where the method can, else open. Reflecting
        ones have the methods lattice and gp, periodic ones all methods but gp and sobolev.
    period : float, list or dict, optional
        Of periodic columns, where it is not the width of the bounds.
    by : str or list of str, optional
        Columns with categories: one density per combination, at the cost of one density.
    candidates : list of float, optional
        Bandwidths from which one is chosen privately, with `choice_share` of the budget.
    outside : {"clamp", "drop"}, optional
        What becomes of values beyond the bounds. Default: their row is ignored.
    expected_rows : int, optional
        Under add-remove neighbours: a public guess of the number of records, for planning.
    shape : str or Release, optional
        A public guess of the distribution, for planning: ``"normal:40:20"``, or an earlier release.
    **facts
        Bounds, categories, person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> ages = np.random.default_rng(0).normal(40, 12, 5000).clip(0, 100)
    >>> r = sf.density(ages, "age", bounds=(0, 100), epsilon=1, seed=1)
    >>> 0.02 < r(40.0) < 0.05
    True
    """
    settings = stated(locals(), "rows", "columns", "facts")
    opened = open_rows(rows, column_list(columns), facts)
    names = chosen_columns(opened, column_list(columns), facts)
    request = density_request(names, facts, **settings)
    return Release(request.release(lib.sfm_density_release, ffi.NULL, opened, request.settings))


def series_request(
    column: str,
    facts: Mapping[str, Any],
    *,
    epsilon: float,
    delta: float = 0,
    basis: str | None = None,
    unit: float | None = None,
    kernel: str | None = None,
    bandwidth: float | None = None,
    terms: int | None = None,
    noise: str | None = None,
    outside: str | None = None,
    calibration: str | None = None,
    shape: str | Release | None = None,
) -> Request:
    request = Request("series", [column], facts)
    if not has_bounds(request.schema, column):
        raise InvalidError(no_bounds([column]))
    request.set(column=column, epsilon=epsilon, delta=delta, basis=basis, unit=unit, kernel=kernel, bandwidth=bandwidth)
    request.set(terms=terms, noise=noise, outside=outside, calibration=calibration)
    set_shape(request, shape, 1)
    return request


def series(
    rows: RowsLike,
    column: str | None = None,
    *,
    epsilon: float,
    delta: float = 0,
    basis: str | None = None,
    unit: float | None = None,
    kernel: str | None = None,
    bandwidth: float | None = None,
    terms: int | None = None,
    noise: str | None = None,
    outside: str | None = None,
    calibration: str | None = None,
    shape: str | Release | None = None,
    **facts: Unpack[Facts],
) -> Release:
    """Release the density of one column as a short series of orthonormal functions.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows.
    column : str, optional
        The column. Default: the only one.
    epsilon, delta : float
        The privacy budget.
    basis : {"fourier", "cosine", "legendre", "hermite", "haar", "db4", "eigen"}, optional
        Default: fourier, for periodic columns. See the guide "series".
    terms : int, optional
        How many functions, with the constant. Default: the number of least predicted error.
    noise : {"laplace", "normal", "gamma"}, optional
        Default: laplace; normal needs a delta.
    unit, kernel, bandwidth, outside, calibration, shape : optional
        See the guide "series".
    **facts
        Bounds, person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> hours = np.random.default_rng(0).normal(12, 3, 5000) % 24
    >>> r = sf.series(hours, "hour", bounds=(0, 24), epsilon=1, terms=9, seed=1)
    >>> r.method
    'series'
    """
    settings = stated(locals(), "rows", "column", "facts")
    opened = open_rows(rows, column_list(column), facts)
    names = chosen_columns(opened, column_list(column), facts)
    if len(names) != 1:
        raise InvalidError(f"a series is of one column, not {len(names)}: name it, column='...'")
    request = series_request(names[0], facts, **settings)
    return Release(request.release(lib.sfm_series_release, ffi.NULL, opened, request.settings))


def histogram_request(
    columns: list[str],
    facts: Mapping[str, Any],
    *,
    epsilon: float,
    delta: float = 0,
    bins: Any = None,
    margins: Any = None,
    form: str | None = None,
    noise: str | None = None,
    occupied: int | None = None,
    calibration: str | None = None,
    gamma: float | None = None,
    exact: str | None = None,
    outside: str | None = None,
) -> Request:
    bounded = facts.get("bounds")
    if bounded is not None and not isinstance(bounded, Mapping):  # of the columns with bins, in their order
        stated = make_schema([], {name: facts[name] for name in ("schema", "categories") if facts.get(name) is not None})
        with_bins = [name for name in columns if not has_categories(stated, name)]
        facts = {**facts, "bounds": dict(_pairs(bounded, with_bins))}
    request = Request("histogram", columns, facts)
    counts = [0] * len(columns) if bins is None else _bins(bins, columns, request.schema)
    if form != "undeclared":
        for name, count in zip(columns, counts):
            if count == 0 and not has_categories(request.schema, name):
                raise InvalidError(
                    f"column {name!r} needs categories, or bins and bounds: categories={{{name!r}: [...]}} or "
                    f"bins={{{name!r}: 20}}, bounds={{{name!r}: (0, 100)}}. They are public, so they are never read from the "
                    "rows, nor from the dtype of a frame, which is made from them"
                )
    listed = ffi.new("sfm_histogram_column[]", len(columns))
    for column, name, count in zip(listed, columns, counts):
        column.name, column.bins = request.text(name), count
    request.keep.append(listed)
    request.settings.columns, request.settings.count = listed, len(columns)
    if form is not None:
        forms = ("dense", "sparse", "undeclared")
        if form not in forms:
            raise InvalidError(f"form={form!r} is not one of {', '.join(map(repr, forms))}")
        request.settings.form = forms.index(form)
    request.set(epsilon=epsilon, delta=delta, noise=noise, occupied=occupied, calibration=calibration, gamma=gamma, exact=exact)
    request.set(outside=outside)
    if margins is not None:
        masks = _margins(margins, columns)
        array = ffi.new("uint64_t[]", masks)
        request.keep.append(array)
        request.settings.margins, request.settings.margin_count = array, len(masks)
    return request


def _pairs(bounds: Bounds, names: list[str]) -> dict[str, tuple[float, float]]:
    return pairs_of(bounds, names)


def _bins(bins: Any, columns: list[str], schema: Any) -> list[int]:
    free = columns if isinstance(bins, Mapping) else [name for name in columns if not has_categories(schema, name)]
    given = dict(zip(free, per_column(bins, free, "bins", 0)))
    for name, count in given.items():
        if not isinstance(count, (int, np.integer)) or not 0 <= count < 2**32:
            raise InvalidError(f"bins={shown(count)} of {name!r} is not a number of equal bins: write for example bins=20")
    return [int(given.get(name, 0)) for name in columns]


def _margins(margins: Any, columns: list[str]) -> list[int]:
    import itertools

    if not isinstance(margins, Iterable):
        margins = whole(margins, "margins")
        margins = list(itertools.combinations(columns, margins))
    masks = []
    for margin in margins:
        mask = 0
        for name in [margin] if isinstance(margin, str) else margin:
            if name not in columns:
                raise InvalidError(f"margins has {name!r}, which is not one of the columns {', '.join(map(repr, columns))}")
            mask |= 1 << columns.index(name)
        masks.append(mask)
    return masks


def histogram(
    rows: RowsLike,
    columns: str | Sequence[str] | None = None,
    *,
    epsilon: float,
    delta: float = 0,
    bins: Any = None,
    margins: int | Sequence[Any] | None = None,
    form: str | None = None,
    noise: str | None = None,
    occupied: int | None = None,
    calibration: str | None = None,
    gamma: float | None = None,
    exact: str | None = None,
    outside: str | None = None,
    **facts: Unpack[Facts],
) -> Release:
    """Release how many records have each combination of categories or bins.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows.
    columns : str or list of str, optional
        The columns. Default: all.
    epsilon, delta : float
        The privacy budget.
    bins : int, list or dict, optional
        The number of equal bins between the bounds, of columns without categories.
    margins : int or list of lists of str, optional
        Several tables of some of the columns at once; 2 stands for all pairs.
    form : {"dense", "sparse", "undeclared"}, optional
        sparse lists only large counts; undeclared counts texts that nobody has stated, and needs a delta.
    noise : {"auto", "laplace", "normal"}, optional
        Normal noise needs a delta.
    occupied, calibration, gamma, exact, outside : optional
        See the guide "histogram".
    **facts
        Categories, bounds, person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> answers = np.array([0, 1, 1, 1, 0, 1] * 100)
    >>> t = sf.histogram(answers, "answer", categories={"answer": [0, 1]}, epsilon=1, seed=1)
    >>> [round(count, -2) for count in t.values]
    [200.0, 400.0]
    """
    settings = stated(locals(), "rows", "columns", "facts")
    opened = open_rows(rows, column_list(columns), facts)
    names = column_list(columns) or [name for name in opened.columns if name != facts.get("person")]
    request = histogram_request(names, facts, **settings)
    return Release(request.release(lib.sfm_histogram_release, opened, request.settings))


def count_request(
    columns: list[str],
    facts: Mapping[str, Any],
    *,
    where: str | None = None,
    epsilon: float | None = None,
    mechanism: Release | None = None,
    gamma: float | None = None,
) -> Request:
    if epsilon is None and mechanism is None:
        raise TypeError("epsilon is missing: the privacy budget that the count costs, epsilon=1")
    request = Request("count", columns, facts)
    request.set(where=where, epsilon=epsilon or 0, gamma=gamma)
    if mechanism is not None:
        request.keep.append(mechanism)
        request.settings.mechanism = mechanism._pointer
    return request


def count(
    rows: RowsLike,
    where: str | None = None,
    *,
    epsilon: float | None = None,
    mechanism: Release | None = None,
    gamma: float | None = None,
    columns: str | Sequence[str] | None = None,
    **facts: Unpack[Facts],
) -> Release:
    """Release how many records satisfy a condition.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows.
    where : str, optional
        The condition, for example ``'age >= 65 and sex == "F"'``. Default: all records.
    epsilon : float
        The privacy budget.
    mechanism : Release, optional
        An optimal mechanism to answer with (:func:`optimal`), whose epsilon is that of the count.
    gamma : float, optional
        Random differential privacy, a weaker promise.
    columns : list of str, optional
        Names for the columns of an array.
    **facts
        Person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> c = sf.count(np.arange(100.0), "age >= 65", columns="age", epsilon=1, seed=1)
    >>> 25 <= c.value <= 45
    True
    """
    settings = stated(locals(), "rows", "columns", "facts")
    opened = open_rows(rows, column_list(columns), facts)
    request = count_request(opened.columns, facts, **settings)
    return Release(request.release(lib.sfm_count_release, opened, request.settings))


def curve_request(
    columns: list[str],
    facts: Mapping[str, Any],
    *,
    grid: Any,
    clip: float,
    bandwidth: float,
    epsilon: float,
    delta: float = 0,
    kernel: str | None = None,
    ridge: float | None = None,
    variable: str | None = None,
    mean: Any = None,
    spread: float | None = None,
    calibration: str | None = None,
) -> Request:
    points = np.asarray(grid, dtype=float).ravel()
    if len(columns) != len(points):
        raise InvalidError(f"grid has {len(points)} points for {len(columns)} columns: one column per point")
    request = Request("curve", columns, facts)
    request.set(columns=columns, count=len(columns), variable=variable, clip=clip, kernel=kernel, bandwidth=bandwidth)
    request.set(ridge=ridge, spread=spread, epsilon=epsilon, delta=delta, calibration=calibration)
    request.vector("grid", points, len(columns))
    if mean is not None:
        request.vector("mean", mean(points) if isinstance(mean, Release) else mean, len(columns))
    return request


def curve(
    rows: RowsLike,
    columns: Sequence[str] | None = None,
    *,
    grid: Any,
    clip: float,
    bandwidth: float,
    epsilon: float,
    delta: float = 0,
    kernel: str | None = None,
    ridge: float | None = None,
    variable: str | None = None,
    mean: Any = None,
    spread: float | None = None,
    calibration: str | None = None,
    **facts: Unpack[Facts],
) -> Release:
    """Release the mean of private curves, one per record, all measured at the same points.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows; a column per point of the grid.
    columns : list of str, optional
        The columns, in the order of the grid. Default: all.
    grid : array
        Where the curves were measured, in ascending order.
    clip : float
        The largest norm of a curve in the kernel's space: longer ones are shortened to it.
    bandwidth : float
        Of the kernel, in the unit of the grid.
    epsilon, delta : float
        The privacy budget.
    mean : array or Release, optional
        A public guess of the mean on the grid, for planning: numbers, or an earlier release of one variable.
    kernel, ridge, variable, spread, calibration : optional
        See the guide "curve".
    **facts
        Person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> t = np.linspace(0, 1, 20)
    >>> curves = np.sin(3 * t) + np.random.default_rng(0).normal(0, 0.1, (500, 20))
    >>> r = sf.curve(curves, grid=t, clip=3, bandwidth=0.3, epsilon=1, delta=1e-6, seed=1)
    >>> r.kind
    'function'
    """
    settings = stated(locals(), "rows", "columns", "facts")
    opened = open_rows(rows, columns, facts)
    request = curve_request(list(columns) if columns is not None else opened.columns, facts, **settings)
    return Release(request.release(lib.sfm_curve_release, ffi.NULL, opened, request.settings))


def features_of(columns: Sequence[str], label: str | None, facts: Mapping[str, Any]) -> list[str]:
    """The columns that a machine learns from where none are named."""
    others = [name for name in columns if name not in (label, facts.get("person"))]
    bounds, categories = facts.get("bounds"), facts.get("categories") or {}
    return [name for name in others if name in bounds or name in categories] if isinstance(bounds, Mapping) else others


def train_request(
    columns: list[str],
    label: str | None,
    facts: Mapping[str, Any],
    *,
    epsilon: float,
    delta: float = 0,
    classes: Sequence[Any] | None = None,
    label_bounds: tuple[float, float] | None = None,
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
    lambda_: float | Sequence[float] | None = None,
    random_features: int | None = None,
    places: Any = None,
    public: Any = None,
    public_points: int | None = None,
    noise_shape: str | None = None,
    gram: Gram | None = None,
    net: int | None = None,
    probes: int | None = None,
    noise: str | None = None,
    calibration: str | None = None,
    outside: str | None = None,
    tolerance: float | None = None,
) -> Request:
    if classes is not None and label_bounds is not None:
        raise InvalidError("classes are of a classifier, label_bounds of a regression: give one of the two")
    request = Request("train", columns, facts)
    without = [name for name in columns if not has_bounds(request.schema, name) and not has_categories(request.schema, name)]
    if without:
        raise InvalidError(no_bounds(without) + "; or categories={...} where it has texts")
    if classes is None and label_bounds is None and label is not None and not has_categories(request.schema, label):
        raise InvalidError(
            f"the classes of {label!r} must be stated: classes=['no', 'yes']; or, to predict a number, its bounds: "
            "label_bounds=(0, 100). Both are public, so they are never read from the rows"
        )
    if columns:
        request.set(features=columns, feature_count=len(columns), label=label)
    elif gram is not None:
        request.set(label=label, public_count=len(gram.between))
        request.settings.gram = gram._as_c(request.keep)
    elif facts.get("bounds") is not None:  # libsvm text
        (lower, upper), *_ = pairs_of(facts["bounds"], ["values"]).values()
        request.set(sparse_bounded=True, sparse_lower=lower, sparse_upper=upper)
    request.set(epsilon=epsilon, delta=delta, method=method)
    request.set(kernel=kernel, bandwidth=bandwidth, degree=degree, shift=shift, constant=constant, scaling=scaling)
    request.set(clip_norm=clip_norm, loss=loss, parameter=parameter, rff_features=random_features, calibration=calibration)
    request.set(outside=outside, tolerance=tolerance, shape=noise_shape, net=net, probes=probes)
    if label_bounds is not None:
        lower, upper = pair_of(label_bounds, "label_bounds")
        request.set(regression=True, label_lower=lower, label_upper=upper)
    elif classes is not None:
        if isinstance(classes, str) or not isinstance(classes, Iterable):
            raise InvalidError(f"classes={shown(classes)} is not a list of classes")
        listed = distinct(classes, "classes")
        request.set(labels=listed, class_count=len(listed), one_vs_rest=len(listed) > 2)
    if lambda_ is not None:
        if np.ndim(lambda_) == 0:
            request.settings.__setattr__("lambda", real(lambda_, "lambda_"))
        else:
            request.vector("lambdas", lambda_, count="lambda_count", parameter="lambda_")
    if places is not None:
        request.matrix(frame_columns(places, columns), len(columns), places="places", place_count="")
    if public is not None:
        _set_public(request, public, columns)
    request.set(public_points=public_points)
    if noise is not None:
        request.settings.noise = number_of("sfm_vector_noise", noise, "noise")
        request.settings.noise_given = True
    return request


def _set_public(request: Request, public: Any, columns: list[str]) -> None:
    """Public points: cells of the columns, of which a category is its place; or sparse rows like the rows themselves."""
    if not columns:
        parts = sparse_parts(public, None, "public")
        request.keep.append(parts)
        starts, indices, values, count = parts.pointers()
        request.settings.public_starts, request.settings.public_indices = starts, indices
        request.settings.public_values, request.settings.public_count = values, count
        return
    categories = [_categories(request.schema, name) for name in columns]
    if any(categories):
        public = coded(object_columns(public, columns), categories)
        if np.isnan(public).any():
            raise InvalidError(
                "public has a cell that is not a number, or not a category: its points have a value in every column"
            )
    request.matrix(frame_columns(public, columns), len(columns), public_cells="public", public_count="")


def _categories(schema: Any, name: str) -> list[str]:
    column = lib.sfm_schema_find(schema, utf8(name))
    return [] if column == ffi.NULL else [text(column.categories[k]) for k in range(column.category_count)]


def train(
    rows: RowsLike,
    label: str | None = None,
    features: str | Sequence[str] | None = None,
    *,
    epsilon: float,
    delta: float = 0,
    classes: Sequence[Any] | None = None,
    label_bounds: tuple[float, float] | None = None,
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
    lambda_: float | Sequence[float] | None = None,
    random_features: int | None = None,
    places: Any = None,
    public: Any = None,
    public_points: int | None = None,
    noise_shape: str | None = None,
    gram: Gram | None = None,
    net: int | None = None,
    probes: int | None = None,
    noise: str | None = None,
    calibration: str | None = None,
    outside: str | None = None,
    tolerance: float | None = None,
    columns: Sequence[str] | None = None,
    **facts: Unpack[Facts],
) -> Release:
    """Train a kernel machine, a classifier or a regression, and release it.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows, with the label.
    label : str
        The column to predict; of libsvm text there is none to name.
    features : str or list of str, optional
        The columns to learn from. Default: those with bounds or categories, or all others.
    epsilon, delta : float
        The privacy budget.
    classes : list, optional
        The classes, public; of two the first is the negative one. Needed for a classifier.
    label_bounds : pair, optional
        A regression instead: the bounds of the label, public.
    method : {"finite", "gp", "rff", "objective", "tddl", "tdil"}, optional
        How noise is added; see the guide "train".
    kernel : {"linear", "polynomial", "gaussian", "laplacian", "matern12", "matern32", "matern52", "cauchy"}, optional
        With `bandwidth`, or `degree` and `shift`.
    loss : {"hinge", "squared-hinge", "logistic", "huber", "epsilon-insensitive", "squared"}, optional
        With `parameter`, in the unit of the label.
    lambda_ : float or list of float, optional
        The penalty; of several one is chosen privately.
    random_features : int, optional
        For the method rff.
    constant : float, optional
        The value of a constant feature, in place of an intercept. Default: none, so that the machine is 0 in the middle of
        the bounds; 1 is a good value where classes are uneven.
    public : array, data frame, scipy.sparse matrix or Sparse, optional
        For the method tddl: public points without labels at which the machine is fitted, and which it shows; the first
        `public_points` of them. Sparse ones are for libsvm text.
    noise_shape : {"auto", "kernel", "isotropic"}, optional
        For the method tddl: of the noise on the values at these points.
    gram : Gram, optional
        For the method tddl: matrices of a kernel of your own, instead of features, kernel and public points. The rows then
        have the label alone.
    net, probes : int, optional
        For the method tdil: the points of its net, and how many rounds there are.
    scaling, clip_norm, places, noise, calibration, outside, tolerance : optional
        See the guide "train".
    columns : list of str, optional
        Names for the columns of an array.
    **facts
        Bounds and categories of the features, person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> x = np.random.default_rng(0).uniform(-1, 1, 2000)
    >>> rows = np.column_stack([x, np.where(x > 0, 1, -1)])
    >>> m = sf.train(rows, "y", columns=["x", "y"], bounds=(-1, 1), classes=[-1, 1], epsilon=1, seed=1)
    >>> m.predict([[0.9], [-0.9]]).tolist()
    ['1', '-1']
    """
    settings = stated(locals(), "rows", "label", "features", "columns", "facts")
    opened = open_rows(rows, columns, facts)
    if opened.columns and label is None:
        raise TypeError("label is missing: the column to predict")
    names = column_list(features) or ([] if gram is not None else features_of(opened.columns, label, facts))
    request = train_request(names, label, facts, **settings)
    return Release(request.release(lib.sfm_train_release, opened, request.settings))


def quantiles(
    rows: RowsLike,
    column: str | None = None,
    *,
    q: Iterable[float],
    epsilon: float,
    resolution: float | None = None,
    outside: str | None = None,
    **facts: Unpack[Facts],
) -> Release:
    """Release quantiles of one column within wide bounds.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows.
    column : str, optional
        The column. Default: the only one.
    q : list of float
        Which quantiles, ascending, each above 0 and below 1.
    epsilon : float
        The privacy budget of all together.
    resolution : float, optional
        How finely values are told apart, in the unit of the column.
    outside : {"clamp", "drop"}, optional
        What becomes of values beyond the bounds.
    **facts
        Bounds, person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> r = sf.quantiles(np.arange(10000.0), "x", q=[0.25, 0.75], bounds=(0, 1e6), epsilon=2, seed=1)
    >>> 2000 < r.values[0] < 3000 and 7000 < r.values[1] < 8000
    True
    """
    opened = open_rows(rows, column_list(column), facts)
    names = chosen_columns(opened, column_list(column), facts)
    if len(names) != 1:
        raise InvalidError(f"quantiles are of one column, not {len(names)}: name it, column='...'")
    request = Request("range", names, facts)
    if not has_bounds(request.schema, names[0]):
        raise InvalidError(no_bounds(names))
    request.set(column=names[0], epsilon=epsilon, resolution=resolution, outside=outside)
    request.vector("quantiles", np.atleast_1d(np.asarray(q, dtype=float)), count="count", parameter="q")
    return Release(request.release(lib.sfm_range_release, opened, request.settings))


def _without_rows(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a call that is handed numbers, not rows: bounds and categories would say nothing."""
    for name in ("bounds", "categories"):
        if facts.get(name) is not None:
            raise InvalidError(f"{name} is about columns of rows, and there are none here: leave it out")
    return {name: value for name, value in facts.items() if name not in ("person", "neighbours", "contributions", "schema")}


def _set_unit(request: Request, facts: Mapping[str, Any]) -> None:
    """Whom the release protects, as stated here or in the schema."""
    schema = make_schema([], facts)
    person = lib.sfm_schema_person(schema)
    request.keep.append(schema)
    if person != ffi.NULL:
        request.settings.person = person
    request.settings.neighbours = lib.sfm_schema_neighbours(schema)
    request.settings.contributions = lib.sfm_schema_contributions(schema)


def _private_numbers(values: Any, name: str) -> Any:
    """Private numbers; what is none is not shown."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidError(f"{name} has something that is not a number")


_BY_NORM = {"linf": "k-norm", "polytope": "k-norm", "body": "k-norm"}


def vector_request(
    length: int,
    facts: Mapping[str, Any],
    *,
    sensitivity: float | None = None,
    epsilon: float,
    delta: float = 0,
    norm: str | None = None,
    ellipsoid: Any = None,
    vertices: Any = None,
    body: tuple[Callable[[Any], bool], float, float] | None = None,
    noise: str | None = None,
    calibration: str | None = None,
) -> Request:
    """The settings of a vector of `length` numbers, which planning and releasing share."""
    shapes = {"ellipsoid": ellipsoid, "polytope": vertices, "body": body}
    given = [name for name, shape in shapes.items() if shape is not None]
    if len(given) > 1 or (given and norm not in (None, given[0])):
        raise InvalidError("what bounds a difference is one of norm, ellipsoid, vertices and body: give one of them")
    if given:
        norm = given[0]
    if sensitivity is None and not given:
        raise TypeError("sensitivity is missing: the largest norm of the difference that one record can make")
    request = Request("vector", [], _without_rows(facts), has_schema=False)
    request.set(norm=norm, sensitivity=1 if given else sensitivity, epsilon=epsilon, delta=delta, calibration=calibration)
    request.set(noise=noise or ("normal" if delta else _BY_NORM.get(str(norm))))
    if ellipsoid is not None:
        request.settings.ellipsoid, _ = request.doubles(ellipsoid, "ellipsoid", (length, length))
    if vertices is not None:
        request.matrix(vertices, length, vertices="vertices", vertex_count="")
    if body is not None:
        _set_body(request, body, length)
    _set_unit(request, facts)
    return request


def _set_body(request: Request, body: tuple[Callable[[Any], bool], float, float], length: int) -> None:
    inside, inner, outer = body

    # A function that raises ends the run before the charge. After it, more noise is drawn, never less.
    @callback("bool(void *, const double *)", error=True, onerror=stop_before)
    def is_inside(_data: Any, x: Any) -> bool:
        return bool(inside(np.frombuffer(ffi.buffer(x, 8 * length)).copy()))

    request.keep.append(is_inside)
    request.settings.body.inside = is_inside
    request.settings.body.inner, request.settings.body.outer = float(inner), float(outer)


def vector(
    theta: Any,
    *,
    sensitivity: float | None = None,
    epsilon: float,
    delta: float = 0,
    norm: str | None = None,
    ellipsoid: Any = None,
    vertices: Any = None,
    body: tuple[Callable[[Any], bool], float, float] | None = None,
    noise: str | None = None,
    calibration: str | None = None,
    **facts: Unpack[Facts],
) -> Release:
    """Release a private vector whose sensitivity you can state.

    Parameters
    ----------
    theta : array
        The private numbers.
    sensitivity : float
        The largest norm of the difference that one record can make. This is your claim: nothing checks it.
    epsilon, delta : float
        The privacy budget.
    norm : {"l1", "l2", "linf"}, optional
        Default: l2.
    ellipsoid : array, optional
        Instead of a norm and a sensitivity: a positive definite matrix S, of which every difference v has v' S^-1 v <= 1.
    vertices : array, optional
        Instead: points, a row each, in whose convex hull with their negatives every difference is (a polytope).
    body : (function, inner, outer), optional
        Instead: whether a point is in a convex body, symmetric about zero, in which every difference is; it contains the
        ball of radius inner and is within that of radius outer. The function is public, and answers the same each time.
    noise : {"laplace", "normal", "gamma", "k-norm"}, optional
        Default: normal with a delta; else k-norm for linf, vertices and body, and laplace for the others.
    calibration : {"exact", "classical"}, optional
        Of normal noise.
    **facts
        Person, neighbours, contributions, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import sfumato as sf
    >>> v = sf.vector([120.0, 80.0], sensitivity=1, norm="l1", epsilon=1, seed=1)
    >>> len(v.values)
    2
    >>> sf.vector([120.0, 80.0], vertices=[[1, 1], [1, -0.5]], epsilon=1, seed=1).method
    'k-norm'
    """
    settings = stated(locals(), "theta", "facts")
    private = np.ravel(_private_numbers(theta, "theta"))
    request = vector_request(len(private), facts, **settings)
    numbers, length = request.doubles(private, "theta", (None,))
    return Release(request.release(lib.sfm_vector_release, numbers, length, request.settings))


def choose(
    candidates: Sequence[str],
    scores: Any,
    *,
    sensitivity: float,
    epsilon: float,
    monotonic: bool = False,
    **facts: Unpack[Facts],
) -> Release:
    """Choose the best of several public candidates by private scores (the exponential mechanism).

    Parameters
    ----------
    candidates : list of str
        Public names.
    scores : array
        Private; higher is better.
    sensitivity : float
        How far one record can move any score. This is your claim: nothing checks it.
    epsilon : float
        The privacy budget.
    monotonic : bool
        Whether a record that is added moves all scores the same way (add-remove neighbours only).
    **facts
        Person, neighbours, contributions, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.choose(["north", "south"], [900, 100], sensitivity=1, epsilon=1, seed=1).value
    'north'
    """
    request = Request("choose", [], _without_rows(facts), has_schema=False)
    request.set(sensitivity=sensitivity, epsilon=epsilon, monotonic=monotonic)
    _set_unit(request, facts)
    names = texts([str(one) for one in candidates], request.keep)
    numbers, length = request.doubles(np.ravel(_private_numbers(scores, "scores")), "scores", (len(candidates),))
    return Release(request.release(lib.sfm_choose_release, names, numbers, length, request.settings))


class Score(float):
    """A score: the accuracy of a classifier, or the mean absolute error of a regression.

    Attributes
    ----------
    release : Release or None
        Of private rows: what was released and charged. Its number is the sum over the rows, with noise.
    rows : int
        All rows; those that could not be used count as wrong.
    unlabelled : int or None
        Of public rows: how many could not be used.
    baseline : float or None
        Of public rows: the score of always answering the most frequent class, or the middle of the label's bounds.
    spread : float or None
        Of public rows and a regression: the root of the mean squared error.
    table : list of list of int, or None
        Of public rows and at most ten classes: how many rows of class i were taken for class j.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> x = np.random.default_rng(0).uniform(-1, 1, 2000)
    >>> rows = sf.Rows(np.column_stack([x, np.where(x > 0, 1, -1)]), ["x", "y"])
    >>> m = sf.train(rows, "y", bounds={"x": (-1, 1)}, classes=[-1, 1], epsilon=1, seed=1)
    >>> s = sf.score(m, rows, epsilon=1, seed=1)
    >>> s > 0.9, s.rows, s.release.guarantee.epsilon
    (True, 2000, 1.0)
    """

    release: Release | None = None
    rows: int = 0
    unlabelled: int | None = None
    baseline: float | None = None
    spread: float | None = None
    table: list[list[int]] | None = None


def score(
    machine: Release,
    rows: RowsLike,
    label: str | None = None,
    *,
    epsilon: float = 0,
    public: bool = False,
    columns: Sequence[str] | None = None,
    **facts: Unpack[Facts],
) -> Score:
    """Score a machine on rows that it was not trained on: accuracy, or the mean absolute error.

    Parameters
    ----------
    machine : Release
    rows : path, array, data frame, Arrow stream or iterator of batches
        Rows with labels.
    label : str, optional
        Default: the machine's own.
    epsilon : float
        The privacy budget, for private rows.
    public : bool
        The rows are public: the score is exact.
    columns : list of str, optional
        Names for the columns of an array.
    **facts
        Person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Score
        A number; of private rows its ``release`` is what was paid for, to be saved.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> x = np.random.default_rng(0).uniform(-1, 1, 2000)
    >>> rows = np.column_stack([x, np.where(x > 0, 1, -1)])
    >>> m = sf.train(rows, "y", columns=["x", "y"], bounds=(-1, 1), classes=[-1, 1], epsilon=1, seed=1)
    >>> sf.score(m, rows, public=True, columns=["x", "y"]) > 0.9
    True
    """
    opened = open_rows(rows, columns, facts)
    request = Request("score", [], facts)
    if not isinstance(public, bool):
        raise InvalidError(f"public={shown(public)} is not True or False")
    request.set(label=label, is_public=public, epsilon=epsilon)
    out, made = ffi.new("sfm_score *"), ffi.new("sfm_release **")
    try:
        request.run.call(lib.sfm_score_rows, out, made, machine._pointer, opened, request.settings)
    except BaseException:
        lib.sfm_release_destroy(made[0])
        raise
    scored = Score(out.error if out.regression else out.accuracy)
    scored.rows = int(out.rows)
    if made[0] != ffi.NULL:
        scored.release = Release(made[0])
        return scored
    scored.unlabelled = int(out.unlabelled)
    if out.regression:
        scored.spread, scored.baseline = out.spread, out.middle
        return scored
    classes, scored.baseline = machine.classes, out.majority
    if len(classes) <= lib.SFM_SCORE_TABLE:
        scored.table = [[int(out.table[i][j]) for j in range(len(classes))] for i in range(len(classes))]
    return scored


open_libsvm = _rows.open_libsvm
