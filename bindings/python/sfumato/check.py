"""What the owner looks at before anything is released: do the rows fit what is stated about them?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sfumato._library import InvalidError, Stopped, call, ffi, lib, text
from sfumato._request import column_list, make_schema, open_rows, refuse_unknown
from sfumato._rows import RowsLike, examined

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from sfumato._request import Facts


class ColumnCheck(NamedTuple):
    """PRIVATE: how many cells of a column do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> sf.check(np.array([34.0, 130.0]), "age", bounds=(0, 120)).columns[0].above
    1
    """

    name: str
    below: int
    above: int
    unreadable: int
    empty: int
    undeclared: int


class Check(NamedTuple):
    """PRIVATE: how many records and cells do not fit what is stated. For the owner alone.

    ``records_over`` are those of ``persons_over`` beyond their contributions; of libsvm text ``malformed`` lines are no
    records, and ``beyond`` have an index above the dimension; ``unfinished`` says that bytes follow the last line end.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> found = sf.check(np.array([34.0, 71.0, 130.0, np.nan]), "age", bounds=(0, 120))
    >>> found.records, found.ignored, found.clamped, found.share
    (4, 1, 1, 0.5)
    """

    records: int
    ignored: int
    clamped: int
    misfits: int
    persons: int
    persons_over: int
    records_over: int
    unidentified: int
    malformed: int
    beyond: int
    unfinished: bool
    columns: list[ColumnCheck]

    @property
    def share(self) -> float:
        """The share of the records that would be ignored or clamped because of what is in them."""
        return self.misfits / self.records if self.records else 0.0

    def __str__(self) -> str:
        lines = [
            f"PRIVATE. {self.records} records: {self.ignored} would be ignored; {self.clamped} beyond the bounds "
            "(a density ignores them, others clamp)"
        ]
        for one in self.columns:
            parts = [f"{getattr(one, name)} {name}" for name in one._fields[1:] if getattr(one, name)]
            lines.append(f"{one.name}: {', '.join(parts) or 'all cells fit'}")
        return "\n".join(lines)


def check(rows: RowsLike, columns: str | Sequence[str] | None = None, **facts: Unpack[Facts]) -> Check:
    """Compare private rows with what is stated about them. The result is private: for the owner alone.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream or iterator of batches
        The private rows.
    columns : str or list of str, optional
        Names for the columns of an array.
    **facts
        Bounds, categories, person and so on, or a schema: see :class:`Facts`.

    Returns
    -------
    Check

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> print(sf.check(np.array([34.0, 71.0, 130.0]), "age", bounds=(0, 120)))
    PRIVATE. 3 records: 0 would be ignored; 1 beyond the bounds (a density ignores them, others clamp)
    age: 1 above
    """
    refuse_unknown(facts, ("columns",))
    opened = open_rows(rows, column_list(columns), facts)
    schema, out = make_schema(opened.columns, facts), ffi.new("sfm_rows_report **")
    with opened.borrow() as pointer:
        call(lib.sfm_rows_check, pointer, out, schema)
    return _check_of(out)


def check_call(function: Callable[..., Any], /, *arguments: Any, **settings: Any) -> Check:
    """Compare private rows with what a call that releases would read of them. The result is private: for the owner alone.

    The call reads its rows with its own settings, and ends there: nothing is released, and nothing is charged.

    Parameters
    ----------
    function : callable
        For example :func:`density`.
    *arguments, **settings
        What it would be called with; without a ledger.

    Returns
    -------
    Check

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> found = sf.check_call(sf.density, np.array([34.0, 71.0, 130.0]), "age", bounds=(0, 120), bandwidth=5, epsilon=1)
    >>> found.records, found.ignored
    (3, 1)
    """
    out = ffi.new("sfm_rows_report **")
    with examined(out), contextlib.suppress(Stopped):
        function(*arguments, **settings)
    if out[0] == ffi.NULL:
        raise InvalidError("the call read no rows, so there is nothing to compare: give one that releases rows, like density")
    return _check_of(out)


def _check_of(out: Any) -> Check:
    report: Any = ffi.gc(out[0], lib.sfm_rows_report_destroy)
    found = []
    for i in range(report.column_count):
        one = report.columns[i]
        found.append(ColumnCheck(text(one.name), *(int(getattr(one, name)) for name in ColumnCheck._fields[1:])))
    return Check(
        records=int(report.records),
        ignored=int(report.zero_rows),
        clamped=int(lib.sfm_rows_report_clamped(report)),
        misfits=round(lib.sfm_rows_report_share(report) * report.records),
        persons=int(report.persons),
        persons_over=int(report.persons_over),
        records_over=int(report.records_over),
        unidentified=int(report.unidentified),
        malformed=int(report.malformed),
        beyond=int(report.beyond),
        unfinished=bool(report.unfinished),
        columns=found,
    )


__all__ = ["Check", "ColumnCheck", "check", "check_call"]
