"""Limits: the least error that any private mechanism can have, beside what sfumato has. Nothing here reads data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sfumato._library import InvalidError, call, ffi, lib, number_of, text, text_or_none, whole, word_of
from sfumato._request import Request


class Limit(NamedTuple):
    """One statement about an error.

    ``kind`` is exact (the least risk of all private mechanisms), bound (no private mechanism has less), rate (how it
    grows: with constant 1, so it bounds nothing) or attained (what sfumato has). ``value`` is NaN where its conditions do
    not hold, and ``why`` says so. ``quantity`` is what the value is, of machines: epsilon, accuracy, features, scale or
    failure; None is an error. Among ``comparable`` ones no exact number or bound is above an attained one.

    Examples
    --------
    >>> import sfumato as sf
    >>> [one.name for one in sf.limits.count(n=70, epsilon=0.5) if one.kind == "exact"]
    ['least worst risk', 'least worst risk, large n']
    """

    name: str
    kind: str
    value: float
    holds: bool
    comparable: bool
    expression: str
    why: str
    quantity: str | None


class Limits(tuple[Limit, ...]):
    """Statements about one problem, which print as a table.

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.limits.count(n=70, epsilon=0.5)
    >>> found[0].kind, found[0].holds
    ('exact', True)
    """

    __slots__ = ()

    @property
    def between(self) -> tuple[float, float]:
        """What nobody can go below, and what sfumato attains: 0 and infinite where nothing is known.

        Examples
        --------
        >>> import sfumato as sf
        >>> below, attained = sf.limits.histogram(cells=64, n=70, epsilon=0.5).between
        >>> 0 < below < attained
        True
        """
        known = [one for one in self if one.holds and one.comparable]
        below = max((one.value for one in known if one.kind in ("exact", "bound")), default=0.0)
        return below, min((one.value for one in known if one.kind in ("exact", "attained")), default=float("inf"))

    def _table(self) -> Iterator[list[str]]:
        for one in self:
            value = f"{one.value:.4g}" if one.holds else "-"
            yield [one.kind, value, one.quantity or "error", f"{one.name}, {one.expression}: {one.why}"]

    def __str__(self) -> str:
        return "\n".join(f"{kind:<10}{value:>10}  {what:<9} {said}" for kind, value, what, said in self._table())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from sfumato._pictures import table

        return table(["kind", "value", "of", "statement"], list(self._table()))


def _limits(function: Any, problem: Any) -> Limits:
    out = ffi.new("sfm_limits *")
    call(function, out, problem)
    return Limits(
        Limit(
            text(one.name),
            word_of("sfm_limit_kind", one.kind),
            one.value,
            bool(one.holds),
            bool(one.comparable),
            text(one.expression),
            text(one.why),
            text_or_none(one.quantity),
        )
        for one in out.at[0 : out.count]
    )


def _asked(function: Any, **settings: Any) -> Limits:
    request = Request("limits", [], {}, has_schema=False)
    sizes = settings.pop("sizes", None)
    if sizes is not None:
        array = ffi.new("uint64_t[]", [whole(one, "sizes") for one in sizes])
        request.keep.append(array)
        request.settings.sizes, request.settings.columns = array, len(sizes)
    request.set(**settings)
    return _limits(function, request.settings)


def count(*, n: int, epsilon: float, worst: float | None = None) -> Limits:
    """The error of a private count of 0 to n: its mean, at the worst count.

    Parameters
    ----------
    n : int
    epsilon : float
    worst : float, optional
        The worst mean error of a mechanism: how small its error can then be at other counts. Default: the geometric one's.

    Returns
    -------
    Limits

    Examples
    --------
    >>> import sfumato as sf
    >>> round(sf.limits.count(n=1, epsilon=0.2).between[0], 3)
    0.45
    """
    return _asked(lib.sfm_limits_count, n=n, epsilon=epsilon, worst=worst)


def histogram(*, cells: int, epsilon: float, n: int | None = None, delta: float = 0, neighbours: str | None = None) -> Limits:
    """The error of a private table, summed over its cells.

    Parameters
    ----------
    cells : int
    epsilon : float
    n : int, optional
        The number of records. Default: as many as a bound needs.
    delta : float
        Above 0: normal noise is shown too.
    neighbours : {"replace", "add-remove"}, optional

    Returns
    -------
    Limits

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.limits.histogram(cells=64, n=70, epsilon=0.5))  # doctest: +ELLIPSIS
    bound ...
    """
    return _asked(lib.sfm_limits_histogram, cells=cells, epsilon=epsilon, n=n, delta=delta, neighbours=neighbours)


def sparse(*, cells: int, occupied: int, epsilon: float, n: int | None = None, neighbours: str | None = None) -> Limits:
    """The error of a private table that is mostly empty.

    Parameters
    ----------
    cells, occupied : int
        How many cells there are, and how many at most are not empty.
    epsilon : float
    n : int, optional
        The number of records. Default: as many as a bound needs.
    neighbours : {"replace", "add-remove"}, optional

    Returns
    -------
    Limits

    Examples
    --------
    >>> import sfumato as sf
    >>> len(sf.limits.sparse(cells=65536, occupied=3152, n=21574, epsilon=0.5)) > 1
    True
    """
    return _asked(lib.sfm_limits_sparse, cells=cells, occupied=occupied, epsilon=epsilon, n=n, neighbours=neighbours)


def margins(
    sizes: int | Sequence[int], *, epsilon: float, n: int | None = None, delta: float = 0, neighbours: str | None = None
) -> Limits:
    """The error of all one-way margins of a table, every category counted.

    Parameters
    ----------
    sizes : int or list of int
        The number of categories of every column; one number: so many columns of two categories.
    epsilon : float
    n : int, optional
        The number of records. Default: as many as a bound needs.
    delta : float
        Above 0: normal noise is shown too.
    neighbours : {"replace", "add-remove"}, optional

    Returns
    -------
    Limits

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.limits.margins(16, n=21574, epsilon=0.5) == sf.limits.margins([2] * 16, n=21574, epsilon=0.5)
    True
    """
    listed = [2] * whole(sizes, "sizes") if isinstance(sizes, int) else list(sizes)
    return _asked(lib.sfm_limits_margins, sizes=listed, epsilon=epsilon, n=n, delta=delta, neighbours=neighbours)


def _filled(problem: Any, **members: Any) -> Any:
    """A struct of numbers; None keeps the default."""
    for name, value in members.items():
        if value is not None:
            setattr(problem, name, whole(value, name) if name in _WHOLE else _real(value, name))
    return problem


_WHOLE = ("rows", "features", "dimension", "questions")


def _real(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InvalidError(f"{name} is a number, not a {type(value).__name__}") from None


def svm(
    *,
    n: int,
    lambda_: float,
    kernel: str = "linear",
    bandwidth: float | None = None,
    dimension: int | None = None,
    features: int | None = None,
    diameter: float | None = None,
    radius: float | None = None,
    kappa: float | None = None,
    entry: float | None = None,
    epsilon: float | None = None,
    accuracy: float | None = None,
    failure: float | None = None,
) -> Limits:
    """How near a private kernel machine with hinge loss can be to the one without noise.

    Parameters
    ----------
    n : int
        The number of records.
    lambda_ : float
        The weight of \\|w\\|^2/2; of an objective with C times the mean loss it is 1/C.
    kernel : {"linear", "gaussian", "laplacian", "matern12", "matern32", "matern52", "cauchy"}
        linear stands for any finite number of features.
    bandwidth : float, optional
        Of the other kernels, in the unit of the scaled columns.
    dimension, features : int, optional
        The coordinates of a row, and of its features; of random features cosines and sines together.
    diameter, radius, kappa, entry : float, optional
        See the guide "limits".
    epsilon, accuracy, failure : float, optional
        What is stated decides which statements hold: at an epsilon, for an accuracy, but for a probability.

    Returns
    -------
    Limits

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.limits.svm(n=32561, lambda_=0.01, dimension=14, epsilon=1, accuracy=0.1, failure=0.05)
    >>> any(one.holds and one.quantity == "accuracy" for one in found)
    True
    """
    problem = ffi.new("sfm_svm *", lib.sfm_svm_default())
    problem.kernel = number_of("sfm_kernel_family", kernel, "kernel")
    if kernel == "linear" and features is None:
        features = dimension
    setattr(problem, "lambda", _real(lambda_, "lambda_"))
    _filled(problem, rows=n, bandwidth=bandwidth, dimension=dimension, features=features, diameter=diameter, radius=radius)
    _filled(problem, kappa=kappa, entry=entry, epsilon=epsilon, accuracy=accuracy, failure=failure)
    return _limits(lib.sfm_limits_svm, problem)


def kernel(
    *,
    n: int,
    lambda_: float,
    epsilon: float,
    delta: float = 0,
    kappa: float | None = None,
    lipschitz: float | None = None,
    norm: float | None = None,
    failure: float | None = None,
    questions: int | None = None,
    dimension: int | None = None,
) -> Limits:
    """How errors grow in interactive, semi-interactive and non-interactive learning: rates, which bound nothing.

    Parameters
    ----------
    n : int
        The number of records.
    lambda_ : float
        The weight of \\|w\\|^2/2, which is added to the mean loss.
    epsilon, delta : float
    kappa, lipschitz, norm, failure : float, optional
        See the guide "limits".
    questions : int, optional
        How many are asked, or points are public.
    dimension : int, optional
        The coordinates of a row.

    Returns
    -------
    Limits

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.limits.kernel(n=500000, lambda_=0.002, epsilon=1, delta=1e-6, questions=100000, dimension=2)
    >>> [one.kind for one in found]
    ['rate', 'rate', 'rate']
    """
    problem = ffi.new("sfm_learner *", lib.sfm_learner_default())
    setattr(problem, "lambda", _real(lambda_, "lambda_"))
    _filled(problem, rows=n, epsilon=epsilon, delta=delta, kappa=kappa, lipschitz=lipschitz, norm=norm, failure=failure)
    _filled(problem, questions=questions, dimension=dimension)
    return _limits(lib.sfm_limits_kernel, problem)


__all__ = ["Limit", "Limits", "count", "histogram", "kernel", "margins", "sparse", "svm"]
