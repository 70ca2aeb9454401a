"""Plans: the error of a release, from public numbers alone, before anything is spent."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sfumato import _mechanisms, _statistics
from sfumato._library import InvalidError, call, create, ffi, lib, owned, real, text, text_or_none, whole, word_of
from sfumato._request import column_list
from sfumato.release import Guarantee, Release, doubles, guarantee_of
from sfumato.sessions import InteractPlan, interact_plan, interact_request

if TYPE_CHECKING:
    from collections.abc import Mapping


class Forecast(NamedTuple):
    """One method of a plan.

    Examples
    --------
    >>> import sfumato as sf
    >>> plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
    >>> first = plan[0]
    >>> first.possible, first.relative < 0.1, "bandwidth" in first.parameters
    (True, True, True)
    """

    method: str
    possible: bool
    why_not: str | None
    hardened: bool
    relative: float
    band: float
    parameters: dict[str, Any]
    guarantee: Guarantee | None


class Plan:
    """What every possible method is predicted to cost in accuracy; the least error comes first.

    ``best`` is the one that would be taken: the hardened method of least error, marked by > in the table. It prints as a
    table and draws itself with :meth:`plot`.

    Examples
    --------
    >>> import sfumato as sf
    >>> plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
    >>> print(plan)  # doctest: +ELLIPSIS
    the predicted error of a density of age; no row is read
    method ...
    """

    def __init__(self, pointer: Any, keep: Any, what: str, dimension: int = 1) -> None:
        self.dimension = dimension
        self._pointer = owned(pointer, lib.sfm_plan_destroy, keep)
        self.what = what

    def __len__(self) -> int:
        return int(lib.sfm_plan_length(self._pointer))

    def __getitem__(self, i: int) -> Forecast:
        if not -len(self) <= i < len(self):
            raise IndexError("a plan has as many methods as len(plan)")
        entry = lib.sfm_plan_at(self._pointer, i % len(self))
        absent = text_or_none(entry.absent)
        if absent is not None:
            return Forecast(text(entry.method), False, absent, False, np.nan, np.nan, {}, None)
        guarantee = guarantee_of(entry.guarantee)
        found = {}
        for j in range(entry.parameter_count):
            one = entry.parameters[j]
            numbers = [one.numbers[k] for k in range(one.count)]
            found[text(one.name)] = text_or_none(one.text) or (numbers[0] if len(numbers) == 1 else numbers)
        return Forecast(
            text(entry.method),
            True,
            None,
            bool(entry.hardened),
            entry.predicted.relative,
            entry.band.half_width,
            found,
            guarantee,
        )

    @property
    def best(self) -> Forecast:
        """The method that would be taken."""
        return self[int(lib.sfm_plan_best(self._pointer))]

    def relative_error(self, *, rows: float, epsilon: float) -> float:
        """The predicted relative error with other numbers of records and another epsilon.

        Examples
        --------
        >>> import sfumato as sf
        >>> plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
        >>> plan.relative_error(rows=80000, epsilon=1) < plan.relative_error(rows=20000, epsilon=1)
        True
        """
        out = ffi.new("sfm_forecast *")
        call(lib.sfm_plan_forecast, self._pointer, out, real(rows, "rows"), real(epsilon, "epsilon"))
        return float(out.relative)

    def rows_for(self, relative: float) -> float:
        """The least number of records for a relative error.

        Examples
        --------
        >>> import sfumato as sf
        >>> plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
        >>> plan.rows_for(0.01) > 20000
        True
        """
        out = ffi.new("double *")
        call(lib.sfm_plan_rows_for, self._pointer, out, real(relative, "relative"))
        return float(out[0])

    def epsilon_for(self, relative: float) -> float:
        """The least epsilon for a relative error.

        Examples
        --------
        >>> import sfumato as sf
        >>> plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
        >>> plan.epsilon_for(0.1) < 1
        True
        """
        out = ffi.new("double *")
        call(lib.sfm_plan_epsilon_for, self._pointer, out, real(relative, "relative"))
        return float(f"{out[0]:.6g}")

    @property
    def bandwidth(self) -> list[float]:
        """The bandwidths of the least error of what would be taken, even if others were stated; NaN if there are none."""
        found, out = np.full(max(1, self.dimension), np.nan), ffi.new("sfm_forecast *")
        call(lib.sfm_plan_bandwidth, self._pointer, doubles(found), out)
        return [float(one) for one in found]

    def preview(self, *, seed: int = 1) -> Release:
        """A simulated release of the best method, of records drawn from the guessed shape. It is not private.

        Examples
        --------
        >>> import sfumato as sf
        >>> plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
        >>> plan.preview().private
        False
        """
        out = ffi.new("sfm_release **")
        call(lib.sfm_plan_preview, self._pointer, out, whole(seed, "seed"))
        return Release(out[0])

    def shape(self, x: Any) -> Any:
        """The guessed shape at points.

        Examples
        --------
        >>> import sfumato as sf
        >>> plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
        >>> plan.shape([40.0, 90.0]).argmax().item()
        0
        """
        points = np.ascontiguousarray(x, dtype=np.float64)
        if self.dimension == 1 and points.ndim <= 1:
            points = points.reshape(-1, 1)
        if points.ndim != 2 or points.shape[1] != self.dimension:
            raise InvalidError(f"points have {self.dimension} numbers each, and this array has shape {np.shape(x)}")
        values = np.empty(len(points))
        call(lib.sfm_plan_shape, self._pointer, doubles(values), doubles(points), values.size)
        return values

    def _table(self) -> list[list[str]]:
        listed: list[list[str]] = []
        taken = int(lib.sfm_plan_best(self._pointer))
        for i, one in enumerate(self[i] for i in range(len(self))):
            if not one.possible:
                row = [one.method, "", "", "", one.why_not or ""]
                if row not in listed:
                    listed.append(row)
                continue
            parameters = ", ".join(f"{name} {_short(value)}" for name, value in one.parameters.items() if name in _SHOWN)
            kind = "hardened" if one.hardened else "idealised"
            mark = "> " if i == taken else ""
            listed.append(
                [mark + one.method, f"{100 * one.relative:.3g}\N{NO-BREAK SPACE}%", f"{one.band:.3g}", kind, parameters]
            )
        return listed

    _HEADS = ("method", "error", "band, +-", "kind", "with")

    def __str__(self) -> str:
        rows = [list(self._HEADS), *self._table()]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[4]]).rstrip() for row in rows]
        return "\n".join([f"the predicted error of {self.what}; no row is read", *lines])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from sfumato._pictures import table

        return table(list(self._HEADS), self._table())

    def plot(self, ax: Any = None) -> Any:
        """Draw the predicted error of every possible method, with matplotlib.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> import sfumato as sf
        >>> plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
        >>> plan.plot().get_title(loc="left")
        'a density of age'
        """
        from sfumato._pictures import draw_plan

        return draw_plan(self, ax)


_SHOWN = ("bandwidth", "noise", "terms", "features", "lambda", "kernel", "basis", "engine", "order")


def _short(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(f"{one:.3g}" for one in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _planned(function: Any, what: str, request: Any, *arguments: Any, dimension: int = 1) -> Plan:
    out = ffi.new("sfm_plan **")
    try:
        request.run.call(function, out, request.settings, *arguments)
    except BaseException:
        lib.sfm_plan_destroy(out[0])
        raise
    return Plan(out[0], request, what, dimension)


def density(columns: str | Sequence[str] = "x", *, n: int, epsilon: float, **settings: Any) -> Plan:
    """Plan a density.

    Parameters
    ----------
    columns : str or list of str
    n : int
        The number of records, public or a guess.
    epsilon : float
    **settings
        Those of :func:`sfumato.density`; `shape` is a public guess of the distribution.

    Returns
    -------
    Plan

    Examples
    --------
    >>> import sfumato as sf
    >>> plan = sf.plan.density("age", n=20000, bounds=(0, 100), epsilon=1, shape="normal:40:20")
    >>> plan.best.hardened
    True
    """
    names = column_list(columns) or []
    facts, rest = split_settings(settings, _mechanisms.density_request)
    if facts.get("neighbours") == "add-remove":
        rest.setdefault("expected_rows", n)
    request = _mechanisms.density_request(names, facts, epsilon=epsilon, **rest)
    return _planned(lib.sfm_plan_density, f"a density of {', '.join(names)}", request, _whole(n), dimension=len(names))


class BandwidthChoice(NamedTuple):
    """A private choice among bandwidths, as :func:`bandwidth_choice` predicts it.

    ``best`` is the index of the candidate of least predicted error. ``likely`` is the probability of a candidate whose
    predicted error is at most a tenth above that, ``chance`` the same if all were equally likely. The choice costs
    ``choice_epsilon``; the density has ``epsilon`` and ``delta``.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.plan.bandwidth_choice("age", n=20000, bounds=(0, 100), epsilon=1, candidates=[1, 3, 20]).choice_epsilon
    0.1
    """

    best: int
    likely: float
    chance: float
    choice_epsilon: float
    epsilon: float
    delta: float


def bandwidth_choice(
    columns: str | Sequence[str] = "x", *, n: int, epsilon: float, candidates: Any, **settings: Any
) -> BandwidthChoice:
    """Predict how good a private choice among bandwidths would be.

    Parameters
    ----------
    columns : str or list of str
    n : int
    epsilon : float
    candidates : list of float
    **settings
        Those of :func:`sfumato.density`.

    Returns
    -------
    BandwidthChoice

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.plan.bandwidth_choice("age", n=20000, bounds=(0, 100), epsilon=1, candidates=[1, 3, 20])
    >>> found.likely > found.chance
    True
    """
    names = column_list(columns) or []
    facts, rest = split_settings(settings, _mechanisms.density_request)
    request = _mechanisms.density_request(names, facts, epsilon=epsilon, candidates=candidates, **rest)
    out = ffi.new("sfm_bandwidth_forecast *")
    request.run.call(lib.sfm_plan_bandwidth_choice, out, request.settings, _whole(n))
    return BandwidthChoice(int(out.best), *(getattr(out, name) for name in BandwidthChoice._fields[1:]))


def series(column: str = "x", *, n: int, epsilon: float, **settings: Any) -> Plan:
    """Plan a series: every basis and noise that is not stated.

    Parameters
    ----------
    column : str
    n : int
    epsilon : float
    **settings
        Those of :func:`sfumato.series`.

    Returns
    -------
    Plan

    Examples
    --------
    >>> import sfumato as sf
    >>> len(sf.plan.series("hour", n=5000, bounds=(0, 24), epsilon=1)) > 3
    True
    """
    facts, rest = split_settings(settings, _mechanisms.series_request)
    request = _mechanisms.series_request(column, facts, epsilon=epsilon, **rest)
    return _planned(lib.sfm_plan_series, f"a series of {column}", request, "basis" not in rest, "noise" not in rest, _whole(n))


def histogram(columns: str | Sequence[str], *, n: int, epsilon: float, counts: Any = None, **settings: Any) -> Plan:
    """Plan a histogram.

    Parameters
    ----------
    columns : str or list of str
        Of a table that is not described yet any name: ``"cell"`` with ``bins=64, bounds=(0, 1)`` has 64 cells.
    n : int
    epsilon : float
    counts : array, optional
        A public guess of the counts of occupied cells, of which only the proportions matter, for methods that list large
        counts alone; `occupied` guesses how many there are.
    **settings
        Those of :func:`sfumato.histogram`.

    Returns
    -------
    Plan

    Examples
    --------
    >>> import sfumato as sf
    >>> plan = sf.plan.histogram("sex", n=1000, categories={"sex": ["F", "M"]}, epsilon=1)
    >>> plan.best.relative < 0.01
    True
    """
    names = column_list(columns) or []
    facts, rest = split_settings(settings, _mechanisms.histogram_request)
    request = _mechanisms.histogram_request(names, facts, epsilon=epsilon, **rest)
    every = "form" not in rest and "noise" not in rest
    guess = ffi.new("sfm_table_guess *")
    guess.occupied = request.settings.occupied
    if counts is not None:
        if guess.occupied:
            raise InvalidError("occupied and counts both state how many cells are occupied: leave one out")
        guess.counts, guess.count = request.doubles(np.ravel(counts), "counts", (None,))
    return _planned(lib.sfm_plan_histogram, f"a table of {', '.join(names)}", request, every, guess, _whole(n))


def count(*, n: int, epsilon: float, neighbours: str = "replace", contributions: int = 1, confidence: float = 0.95) -> Plan:
    """Plan a count of up to n records.

    Parameters
    ----------
    n : int
    epsilon : float
    neighbours : {"replace", "add-remove"}
    contributions : int
    confidence : float

    Returns
    -------
    Plan

    Examples
    --------
    >>> import sfumato as sf
    >>> len(sf.plan.count(n=100, epsilon=1))
    3
    """
    from sfumato._library import number_of

    which = number_of("sfm_neighbours", neighbours, "neighbours")
    pointer = create(
        "sfm_plan",
        lib.sfm_plan_count,
        *(_whole(n), real(epsilon, "epsilon"), which),
        *(whole(contributions, "contributions", 2**32 - 1), real(confidence, "confidence"), True),
    )
    return Plan(pointer, None, "a count")


def train(features: str | Sequence[str] | None = None, *, n: int, epsilon: float, dimension: int = 0, **settings: Any) -> Plan:
    """Plan a machine: every method and noise that is not stated.

    Parameters
    ----------
    features : str or list of str
        Of libsvm text none, but its `dimension`.
    n : int
    epsilon : float
    dimension : int
    **settings
        Those of :func:`sfumato.train`.

    Returns
    -------
    Plan

    Examples
    --------
    >>> import sfumato as sf
    >>> plan = sf.plan.train(["x", "y"], n=10000, bounds=(-1, 1), epsilon=1, delta=1e-6)
    >>> len(plan) > 1
    True
    """
    names = column_list(features) or []
    facts, rest = split_settings(settings, _mechanisms.train_request)
    request = _mechanisms.train_request(names, rest.pop("label", None), facts, epsilon=epsilon, **rest)
    return _planned(
        lib.sfm_plan_train, "a machine", request, "method" not in rest, "noise" not in rest, _whole(n), _whole(dimension)
    )


def curve(grid: Any, *, n: int, clip: float, bandwidth: float, epsilon: float, **settings: Any) -> Plan:
    """Plan a mean curve.

    Parameters
    ----------
    grid : array
        Where the curves will be measured.
    n : int
        The number of curves.
    clip, bandwidth, epsilon : float
    **settings
        Those of :func:`sfumato.curve`; `mean` and `spread` are public guesses of the curves.

    Returns
    -------
    Plan

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> plan = sf.plan.curve(np.linspace(0, 1, 93), n=300, bandwidth=0.1, clip=2.5, epsilon=1, delta=1e-6)
    >>> plan.best.relative < 0.2
    True
    """
    facts, rest = split_settings(settings, _mechanisms.curve_request)
    names = [f"x{i}" for i in range(np.size(grid))]
    given = {"grid": grid, "clip": clip, "bandwidth": bandwidth, "epsilon": epsilon}
    request = _mechanisms.curve_request(names, facts, **given, **rest)
    return _planned(lib.sfm_plan_curve, f"a mean curve at {len(names)} points", request, _whole(n))


def vector(length: int, *, epsilon: float, **settings: Any) -> Plan:
    """Plan a vector: every noise that is not stated.

    Parameters
    ----------
    length : int
        How many numbers it has.
    epsilon : float
    **settings
        Those of :func:`sfumato.vector`; its sensitivity is needed.

    Returns
    -------
    Plan

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.plan.vector(100, sensitivity=1, norm="l2", epsilon=1, delta=1e-6).best.method
    'normal'
    """
    facts, rest = split_settings(settings, _mechanisms.vector_request)
    request = _mechanisms.vector_request(_whole(length), facts, epsilon=epsilon, **rest)
    what = f"a vector of {length} numbers"
    return _planned(lib.sfm_plan_vector, what, request, "noise" not in rest, _whole(length), dimension=0)


def online(columns: str | Sequence[str] = "x", *, n: int, questions: int, epsilon: float, **settings: Any) -> Plan:
    """Plan a session that answers questions about a density: the engines that can.

    Parameters
    ----------
    columns : str or list of str
    n : int
    questions : int
        How many it will answer.
    epsilon : float
    **settings
        Those of :func:`sfumato.open_online`, and `shape`, a public guess of the distribution.

    Returns
    -------
    Plan

    Examples
    --------
    >>> import sfumato as sf
    >>> plan = sf.plan.online("age", n=5000, questions=1000, bounds=(0, 100), bandwidth=4, epsilon=1, delta=1e-6)
    >>> plan.best.method
    'spectral'
    """
    names = column_list(columns) or []
    facts, rest = split_settings(settings, _mechanisms.density_request)
    if facts.get("neighbours") == "add-remove":
        rest.setdefault("expected_rows", n)
    request = _mechanisms.density_request(names, facts, epsilon=epsilon, **{"method": "gp", **rest})
    what = f"a session on the density of {', '.join(names)}"
    return _planned(lib.sfm_plan_online, what, request, _whole(n), _whole(questions), dimension=len(names))


def interact(
    features: str | Sequence[str] | None = None, *, n: int, epsilon: float, dimension: int = 0, **settings: Any
) -> InteractPlan:
    """Plan a session with a private machine: how many epochs it has, and how accurate its answers are.

    Parameters
    ----------
    features : str or list of str
        Of libsvm text none, but its `dimension`.
    n : int
    epsilon : float
    dimension : int
    **settings
        Those of :func:`sfumato.open_interactive`: accuracy or epochs, questions, update, train and facts; and
        `accounting`, that of the dataset that will be charged.

    Returns
    -------
    InteractPlan

    Examples
    --------
    >>> import sfumato as sf
    >>> plan = sf.plan.interact(["x", "y"], n=100000, bounds=(-1, 1), epochs=10, train={"classes": [-1, 1]}, epsilon=1)
    >>> plan.epochs, plan.error_public > 0
    (10, True)
    """
    facts, rest = split_settings(settings, interact_request)
    request = interact_request(column_list(features) or [], rest.pop("label", None), facts, epsilon=epsilon, **rest)
    out = ffi.new("sfm_interact_plan *")
    request.run.call(lib.sfm_plan_interact, out, request.settings, _whole(n), _whole(dimension))
    return interact_plan(out)


class Answering(NamedTuple):
    """One method of answering linear queries, as :func:`linear` predicts it.

    ``error`` is the predicted error of an answer (root mean square over all), ``sensitivity`` that of the numbers that get
    the noise; ``taken`` marks the method that would be taken.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.plan.linear("x", categories={"x": [0, 1]}, matrix=[[1, 1]], epsilon=1)[0].method
    'table'
    """

    method: str
    possible: bool
    why_not: str | None
    hardened: bool
    delta: float
    error: float
    sensitivity: float
    taken: bool


def linear(columns: str | Sequence[str], *, matrix: Any, epsilon: float, **settings: Any) -> list[Answering]:
    """Plan linear queries of a table, which need no number of records.

    Parameters
    ----------
    columns : str or list of str
    matrix : array
    epsilon : float
    **settings
        Those of :func:`sfumato.linear`.

    Returns
    -------
    list of Answering

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.plan.linear("x", categories={"x": [0, 1, 2]}, matrix=[[1, 1, 1]], epsilon=1)
    >>> [one.method for one in found if one.taken]
    ['laplace']
    """
    facts, rest = split_settings(settings, _statistics.linear_request)
    request = _statistics.linear_request(column_list(columns) or [], facts, matrix=matrix, epsilon=epsilon, **rest)
    out = ffi.new("sfm_linear_choice *")
    request.run.call(lib.sfm_linear_choose, out, request.settings)
    found = []
    for i in range(out.count):
        one = out.entries[i]
        known = (bool(one.possible), text(one.why) or None, bool(one.possible and one.hardened))
        error = (one.squared / request.settings.queries) ** 0.5 if one.possible else np.nan
        numbers = (one.delta, error, one.sensitivity if one.possible else np.nan)
        found.append(Answering(word_of("sfm_linear_method", one.method), *known, *numbers, i == out.chosen))
    return found


def _whole(n: Any) -> int:
    return whole(n, "n")


def split_settings(settings: Mapping[str, Any], request: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Facts, and the settings that `request` takes."""
    from sfumato._request import _FACTS, refuse_unknown

    facts = {name: value for name, value in settings.items() if name in _FACTS}
    rest = {name: value for name, value in settings.items() if name not in _FACTS}
    positional = ("columns", "column", "facts", "length")
    refuse_unknown(rest, [name for name in inspect.signature(request).parameters if name not in positional])
    return facts, rest


__all__ = [
    "Answering",
    "BandwidthChoice",
    "Forecast",
    "InteractPlan",
    "Plan",
    "bandwidth_choice",
    "count",
    "curve",
    "density",
    "histogram",
    "interact",
    "linear",
    "online",
    "series",
    "train",
    "vector",
]
