"""More calls that release: a mean, and linear queries of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sfumato._library import InvalidError, lib
from sfumato._mechanisms import histogram_request, stated
from sfumato._request import Request, chosen_columns, column_list, has_bounds, no_bounds, open_rows
from sfumato._rows import RowsLike
from sfumato.release import Release

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from sfumato._request import Facts


def mean(
    rows: RowsLike,
    column: str | None = None,
    *,
    gamma: float,
    epsilon: float,
    delta: float,
    **facts: Unpack[Facts],
) -> Release:
    """Release the mean of a column without tight bounds, under random differential privacy, a weaker promise.

    The noise is scaled by the differences between records, not by the width of the bounds. This is not differential
    privacy, so no ledger is charged: with probability `gamma`, over the drawing of the records, it promises nothing.
    The records must be independent draws, one per person, in an order that does not depend on their values.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows.
    column : str, optional
        The column. Default: the only one.
    gamma : float
        The probability, over the drawing of the records, that the guarantee fails; for example 0.05.
    epsilon, delta : float
        The privacy loss otherwise; delta is above 0, for example 1e-6.
    **facts
        Bounds, which may be very wide, and so on: see :class:`Facts`.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> income = np.random.default_rng(0).lognormal(10, 0.5, 20000)
    >>> m = sf.mean(income, "income", bounds=(0, 1e9), gamma=0.05, epsilon=1, delta=1e-6, seed=1)
    >>> m.guarantee.kind, round(m.value, -3)
    ('random-dp', 25000.0)
    """
    opened = open_rows(rows, column_list(column), facts)
    names = chosen_columns(opened, column_list(column), facts)
    if len(names) != 1:
        raise InvalidError(f"a mean is of one column, not {len(names)}: name it, column='...'")
    request = Request("mean", names, facts)
    if not has_bounds(request.schema, names[0]):
        raise InvalidError(no_bounds(names))
    request.set(column=names[0], gamma=gamma, epsilon=epsilon, delta=delta)
    return Release(request.release(lib.sfm_mean_release, opened, request.settings))


def linear_request(
    columns: list[str],
    facts: Mapping[str, Any],
    *,
    matrix: Any,
    epsilon: float,
    delta: float = 0,
    queries: Sequence[str] | None = None,
    method: str | None = None,
    bins: Any = None,
    calibration: str | None = None,
    outside: str | None = None,
) -> Request:
    """The settings of linear queries; what they share with the table is the table's."""
    table = histogram_request(columns, facts, epsilon=epsilon, delta=delta, bins=bins, calibration=calibration, outside=outside)
    request = Request("linear", columns, {}, has_schema=False)
    request.keep.append(table)
    request.run = table.run
    request.run.what = request.run.what.replace("histogram", "linear queries", 1)
    request.settings.table = table.settings
    numbers, count = request.doubles(matrix, "matrix", (None, None))
    request.settings.matrix, request.settings.queries, request.settings.cells = numbers, count, request.keep[-1].shape[1]
    if queries is not None and len(queries) != count:
        raise InvalidError(f"there are {len(queries)} queries for {count} rows of the matrix: one name per row")
    request.set(names=queries, method=method)
    return request


def linear(
    rows: RowsLike,
    columns: str | Sequence[str] | None = None,
    *,
    matrix: Any,
    epsilon: float,
    delta: float = 0,
    queries: Sequence[str] | None = None,
    method: str | None = None,
    bins: Any = None,
    calibration: str | None = None,
    outside: str | None = None,
    **facts: Unpack[Facts],
) -> Release:
    """Release sums, differences or averages of the cells of a table.

    Noise is on the table or on the answers, whichever is predicted to be less (:func:`sfumato.plan.linear`). Of a table
    that is released already, :meth:`Release.answer` computes them at no cost.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows.
    columns : str or list of str, optional
        The columns of the table. Default: all.
    matrix : array
        Public: a row per query, a column per cell of the table, whose last column changes fastest.
    epsilon, delta : float
        The privacy budget; normal noise needs a delta.
    queries : list of str, optional
        A name per query.
    method : {"auto", "table", "laplace", "normal", "k-norm"}, optional
        Default: the hardened method of least predicted error. k-norm is idealised.
    bins, calibration, outside : optional
        Of the table, as in :func:`histogram`.
    **facts
        Categories, bounds, person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Release
        A vector of the answers, or the table, if noise on it was taken: then ``release.answer(matrix)``.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> answers = np.array([0, 1, 2, 2, 0, 1] * 100)
    >>> r = sf.linear(answers, "answer", categories={"answer": [0, 1, 2]}, matrix=[[1, 1, 0], [1, 1, 1]],
    ...               queries=["at most 1", "all"], method="laplace", epsilon=1, seed=1)
    >>> r.labels, abs(r.values[0] - 400) < 20
    (['at most 1', 'all'], True)
    """
    settings = stated(locals(), "rows", "columns", "facts")
    opened = open_rows(rows, column_list(columns), facts)
    names = column_list(columns) or [name for name in opened.columns if name != facts.get("person")]
    request = linear_request(names, facts, **settings)
    return Release(request.release(lib.sfm_linear_release, opened, request.settings))


__all__ = ["linear", "linear_request", "mean"]
