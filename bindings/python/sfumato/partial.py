"""Rows in several places: sums of each part, without noise, and one release from all of them.

A worker makes a part with the settings of the release, and sends it to the owner; the owner adds the parts up and
releases, with the parts in the place of the rows:

>>> import numpy as np
>>> import sfumato as sf
>>> ages = np.random.default_rng(0).normal(40, 12, 5000).clip(0, 100)
>>> settings = {"bounds": (0, 100), "bandwidth": 4, "epsilon": 1, "seed": 1}
>>> one = sf.partial.density(ages[:2000], "age", part=(1, 2), n=5000, **settings)
>>> two = sf.partial.density(ages[2000:], "age", part=(2, 2), n=5000, **settings)
>>> sf.density(sf.partial.merge([one, two]), "age", **settings) == sf.density(ages, "age", **settings)
True
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sfumato import _mechanisms
from sfumato._library import InvalidError, call, create, ffi, lib, owned, path_of, renew_lock_after_fork, shown, text, whole
from sfumato._request import Request, chosen_columns, column_list, open_rows
from sfumato._rows import Rows, RowsLike
from sfumato.plan import split_settings

if TYPE_CHECKING:
    from sfumato.key import Key

Path = Any


class Partial:
    """Sums over a part of the rows. PRIVATE: they have no noise, and of a few records they are these records.

    Made by :func:`density`, :func:`histogram`, :func:`count`, :func:`curve` and :func:`series`, or read. In the place of the
    rows it is released by the call of that name, with the settings that it was made with. It can be pickled, to send it.

    Examples
    --------
    >>> import sfumato as sf
    >>> part = sf.partial.count([[20.0], [40.0]], "x0 > 30", epsilon=1, n=2)
    >>> part.mechanism, part.missing
    ('count', None)
    """

    def __init__(self, pointer: Any, keep: Any = None) -> None:
        self._pointer = owned(pointer, lib.sfm_partial_destroy, keep)
        self._request: Request | None = keep
        renew_lock_after_fork(self)

    def _new_lock(self) -> None:
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[Any]:
        """The sums for one call: they belong to one thread at a time, and to no call of a progress function."""
        if not self._lock.acquire(blocking=False):
            raise InvalidError("this part is in use by another call: wait until it has ended")
        try:
            yield self._pointer
        finally:
            self._lock.release()

    @classmethod
    def read(cls, path: Path) -> Partial:
        """Read a file of :meth:`write` or of ``sfumato partial``.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> settings = {"n": 100, "bounds": (0, 100), "bandwidth": 5, "epsilon": 1}
        >>> part = sf.partial.density(np.arange(50.0), "x", part=(1, 2), **settings)
        >>> path = os.path.join(tempfile.mkdtemp(), "part-1.sfp")
        >>> part.write(path)
        >>> sf.Partial.read(path)
        <sfumato partial density: part 1 of 2, PRIVATE>
        """
        return cls(create("sfm_partial", lib.sfm_partial_read, path_of(path)))

    @classmethod
    def from_bytes(cls, data: bytes) -> Partial:
        """The part of the bytes of :meth:`to_bytes`, to which no rows can be added.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> settings = {"n": 100, "bounds": (0, 100), "bandwidth": 5, "epsilon": 1}
        >>> part = sf.partial.density(np.arange(50.0), "x", part=(1, 2), **settings)
        >>> sf.Partial.from_bytes(part.to_bytes()).missing
        2
        """
        return cls(create("sfm_partial", lib.sfm_partial_from_bytes, ffi.from_buffer(data), len(data)))

    def add(self, rows: RowsLike, columns: str | Sequence[str] | None = None) -> None:
        """Add rows; without a person column this may be done again with others.

        Parameters
        ----------
        rows : path, array, data frame, Arrow stream or iterator of batches
        columns : list of str, optional
            Names for the columns of an array.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> part = sf.partial.count(None, "age > 30", columns="age", n=100, epsilon=1)
        >>> part.add(np.arange(50.0), "age")
        >>> part.add(np.arange(50.0, 100.0), "age")
        >>> part.missing is None
        True
        """
        self._add(open_rows(rows, column_list(columns), {}))

    def _add(self, rows: Rows) -> None:
        if self._request is None:
            raise InvalidError("rows are added to a part that was made here, not to one that was read: make one, and merge it")
        with self._alone() as pointer:
            self._request.another_run().call(lib.sfm_partial_add, pointer, rows)

    def merge(self, other: Partial) -> None:
        """Add another part to this one; both have the same settings, job, number of parts and key.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> settings = {"n": 100, "bounds": (0, 100), "bandwidth": 5, "epsilon": 1}
        >>> part = sf.partial.density(np.arange(50.0), "x", part=(1, 2), **settings)
        >>> part.merge(sf.partial.density(np.arange(50.0, 100.0), "x", part=(2, 2), **settings))
        >>> part.parts, part.missing
        ([(1, 2)], None)
        """
        if not isinstance(other, Partial):
            raise InvalidError(f"{shown(other)} is not a part: Partial.read reads one from a file")
        with self._alone() as pointer:
            if other is self:
                call(lib.sfm_partial_merge, pointer, pointer)
            with other._alone() as others:
                call(lib.sfm_partial_merge, pointer, others)

    def to_bytes(self) -> bytes:
        """PRIVATE bytes, to send it; as the pickle of it is.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> settings = {"n": 100, "bounds": (0, 100), "bandwidth": 5, "epsilon": 1}
        >>> part = sf.partial.density(np.arange(50.0), "x", part=(1, 2), **settings)
        >>> sf.Partial.from_bytes(part.to_bytes()).to_bytes() == part.to_bytes()
        True
        """
        out, size = ffi.new("void **"), ffi.new("size_t *")
        with self._alone() as pointer:
            call(lib.sfm_partial_to_bytes, pointer, out, size)
        try:
            return bytes(ffi.buffer(out[0], size[0]))
        finally:
            lib.sfm_partial_free_bytes(out[0], size[0])

    def write(self, path: Path) -> None:
        """Write it to a file for its owner alone (mode 0600), usually named ``*.sfp``: whole, or not at all.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> settings = {"n": 100, "bounds": (0, 100), "bandwidth": 5, "epsilon": 1}
        >>> part = sf.partial.density(np.arange(50.0), "x", part=(1, 2), **settings)
        >>> path = os.path.join(tempfile.mkdtemp(), "part-1.sfp")
        >>> part.write(path)
        >>> oct(os.stat(path).st_mode)[-3:]
        '600'
        """
        with self._alone() as pointer:
            call(lib.sfm_partial_write, pointer, path_of(path))

    @property
    def mechanism(self) -> str:
        """What it is a part of: density, histogram, count, curve or series."""
        return text(lib.sfm_partial_mechanism(self._pointer))

    @property
    def settings(self) -> dict[str, Any]:
        """All that was stated, and what follows from it; public."""
        return json.loads(text(lib.sfm_partial_settings(self._pointer)))  # type: ignore[no-any-return]

    @property
    def of(self) -> int:
        """How many parts there are."""
        out = ffi.new("uint64_t *")
        lib.sfm_partial_parts(self._pointer, out)
        return int(out[0])

    @property
    def parts(self) -> list[tuple[int, int]]:
        """Which are in it, from the first to the last of each range."""
        first, last, found = ffi.new("uint64_t *"), ffi.new("uint64_t *"), []  # type: ignore[var-annotated]
        while lib.sfm_partial_range(self._pointer, first, last, len(found)):
            found.append((int(first[0]), int(last[0])))
        return found

    @property
    def missing(self) -> int | None:
        """The smallest number that is not in it; None when all are."""
        return int(lib.sfm_partial_missing(self._pointer)) or None

    @property
    def rows(self) -> int | None:
        """How many records all parts have together, as stated; None under add-remove."""
        return int(lib.sfm_partial_rows(self._pointer)) or None

    @property
    def job(self) -> str:
        """What the parts belong to."""
        return text(lib.sfm_partial_job(self._pointer))

    @property
    def keyed(self) -> bool:
        """Whether it was made with the key of a dataset, so that the release can be charged to it."""
        return bool(lib.sfm_partial_keyed(self._pointer))

    def __reduce__(self) -> Any:
        return Partial.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        listed = ", ".join(f"{first}" if first == last else f"{first} to {last}" for first, last in self.parts)
        return f"<sfumato partial {self.mechanism}: part {listed} of {self.of}, PRIVATE>"

    def _as_rows(self) -> Rows:
        """Rows that stand for it in a release."""
        return _Sums(self)


class _Sums(Rows):
    """Rows that stand for parts: they have the columns that the settings name, and no records."""

    def __init__(self, partial: Partial) -> None:
        self._partial = partial
        listed = partial.settings.get("columns") or []
        self._columns = [one["column"] if isinstance(one, dict) else str(one) for one in listed]
        self._pointer = owned(create("sfm_rows", lib.sfm_rows_from_partial, partial._pointer), lib.sfm_rows_destroy, partial)

    @property
    def columns(self) -> list[str]:
        return self._columns

    @contextlib.contextmanager
    def borrow(self) -> Iterator[Any]:
        with self._partial._alone():
            yield self._pointer


class _Part(NamedTuple):
    """What is stated of a part beside the settings of its release."""

    part: tuple[int, int]
    n: int | None
    job: str | None
    key: Key | None

    def of(self, request: Request, rows: Rows | None) -> Partial:
        """The part of a release, and the rows in it."""
        if not isinstance(self.part, (tuple, list)) or len(self.part) != 2:
            raise InvalidError(f"part={shown(self.part)} is not the number of a part and of how many: part=(1, 3)")
        given = ffi.new("sfm_part *")
        lib.sfm_part_init(given, ffi.sizeof("sfm_part"))
        given.number, given.of = (whole(one, "part") for one in self.part)
        if self.n is not None:
            given.rows = whole(self.n, "n")
        if self.job is not None:
            given.job = request.text(self.job, "job")
        if self.key is not None:
            given.key = self.key._pointer
        request.keep += [given, self.key]
        out = ffi.new("sfm_partial **")
        create_part = getattr(lib, f"sfm_{request.mechanism}_partial_create")
        request.another_run().call(create_part, out, request.settings, given)
        made = Partial(out[0], request)
        if rows is not None:
            made._add(rows)
        return made


def _names(rows: Rows | None, columns: list[str] | None, facts: Mapping[str, Any], *, every: bool = False) -> list[str]:
    """The columns of the release: those named, or those that it would take of these rows."""
    if columns is None and rows is None:
        raise InvalidError("columns are missing: where there are no rows yet, name them")
    if rows is None:
        return columns or []
    return (
        columns or [name for name in rows.columns if name != facts.get("person")]
        if every
        else chosen_columns(rows, columns, facts)
    )


def _opened(rows: RowsLike | None, columns: list[str] | None, facts: Mapping[str, Any]) -> Rows | None:
    return None if rows is None else open_rows(rows, columns, facts)


def density(
    rows: RowsLike | None,
    columns: str | Sequence[str] | None = None,
    *,
    part: tuple[int, int] = (1, 1),
    n: int | None = None,
    job: str | None = None,
    key: Key | None = None,
    **settings: Any,
) -> Partial:
    """A part of a density.

    Parameters
    ----------
    rows : path, array, data frame, Arrow stream, iterator of batches, or None
        The private rows of this part; None: they are added later, by :meth:`Partial.add`.
    columns : str or list of str, optional
        As for the release.
    part : (int, int)
        Which part it is, from 1, and of how many.
    n : int
        How many records all parts have together; under add-remove it is private, and left out.
    job : str, optional
        What the parts belong to: parts of other jobs are not added to them.
    key : Key, optional
        Of the dataset that the release will be charged to; needed with `person`.
    **settings
        Those of :func:`sfumato.density`, the same for all parts and for the release.

    Returns
    -------
    Partial

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> sf.partial.density(np.arange(50.0), "x", part=(2, 3), n=200, bounds=(0, 100), bandwidth=5, epsilon=1)
    <sfumato partial density: part 2 of 3, PRIVATE>
    """
    facts, rest = split_settings(settings, _mechanisms.density_request)
    opened = _opened(rows, column_list(columns), facts)
    request = _mechanisms.density_request(_names(opened, column_list(columns), facts), facts, **rest)
    return _Part(part, n, job, key).of(request, opened)


def series(
    rows: RowsLike | None,
    column: str | None = None,
    *,
    part: tuple[int, int] = (1, 1),
    n: int | None = None,
    job: str | None = None,
    key: Key | None = None,
    **settings: Any,
) -> Partial:
    """A part of a series.

    Parameters
    ----------
    rows, part, n, job, key
        As of :func:`density`.
    column : str, optional
    **settings
        Those of :func:`sfumato.series`.

    Returns
    -------
    Partial

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> sf.partial.series(np.arange(20.0), "hour", n=20, bounds=(0, 24), terms=5, epsilon=1).mechanism
    'series'
    """
    facts, rest = split_settings(settings, _mechanisms.series_request)
    opened = _opened(rows, column_list(column), facts)
    names = _names(opened, column_list(column), facts)
    if len(names) != 1:
        raise InvalidError(f"a series is of one column, not {len(names)}: name it, column='...'")
    return _Part(part, n, job, key).of(_mechanisms.series_request(names[0], facts, **rest), opened)


def histogram(
    rows: RowsLike | None,
    columns: str | Sequence[str] | None = None,
    *,
    part: tuple[int, int] = (1, 1),
    n: int | None = None,
    job: str | None = None,
    key: Key | None = None,
    **settings: Any,
) -> Partial:
    """A part of a table.

    Parameters
    ----------
    rows, columns, part, n, job, key
        As of :func:`density`.
    **settings
        Those of :func:`sfumato.histogram`.

    Returns
    -------
    Partial

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.partial.histogram([[0.0], [1.0]], "x", n=2, categories={"x": [0, 1]}, epsilon=1).mechanism
    'histogram'
    """
    facts, rest = split_settings(settings, _mechanisms.histogram_request)
    opened = _opened(rows, column_list(columns), facts)
    request = _mechanisms.histogram_request(_names(opened, column_list(columns), facts, every=True), facts, **rest)
    return _Part(part, n, job, key).of(request, opened)


def count(
    rows: RowsLike | None,
    where: str | None = None,
    *,
    columns: str | Sequence[str] | None = None,
    part: tuple[int, int] = (1, 1),
    n: int | None = None,
    job: str | None = None,
    key: Key | None = None,
    **settings: Any,
) -> Partial:
    """A part of a count.

    Parameters
    ----------
    rows, part, n, job, key
        As of :func:`density`.
    where : str, optional
        The condition.
    columns : list of str, optional
        Names for the columns of an array.
    **settings
        Those of :func:`sfumato.count`.

    Returns
    -------
    Partial

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> settings = {"epsilon": 1, "seed": 1}
    >>> part = sf.partial.count(np.arange(100.0), "age >= 65", columns="age", n=100, **settings)
    >>> 25 <= sf.count(part, "age >= 65", **settings).value <= 45
    True
    """
    facts, rest = split_settings(settings, _mechanisms.count_request)
    opened = _opened(rows, column_list(columns), facts)
    names = opened.columns if opened is not None else column_list(columns) or []
    return _Part(part, n, job, key).of(_mechanisms.count_request(names, facts, where=where, **rest), opened)


def curve(
    rows: RowsLike | None,
    columns: Sequence[str] | None = None,
    *,
    part: tuple[int, int] = (1, 1),
    n: int | None = None,
    job: str | None = None,
    key: Key | None = None,
    **settings: Any,
) -> Partial:
    """A part of a mean curve.

    Parameters
    ----------
    rows, part, n, job, key
        As of :func:`density`.
    columns : list of str, optional
        The columns, in the order of the grid. Default: all.
    **settings
        Those of :func:`sfumato.curve`.

    Returns
    -------
    Partial

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> curves = np.random.default_rng(0).normal(0, 1, (50, 4))
    >>> sf.partial.curve(curves, n=50, grid=[0, 1, 2, 3], clip=3, bandwidth=1, epsilon=1).mechanism
    'curve'
    """
    facts, rest = split_settings(settings, _mechanisms.curve_request)
    opened = _opened(rows, column_list(columns), facts)
    request = _mechanisms.curve_request(_names(opened, column_list(columns), facts, every=True), facts, **rest)
    return _Part(part, n, job, key).of(request, opened)


def merge(parts: Iterable[Partial | str | os.PathLike[str]]) -> Partial:
    """Several parts, or files of them, as one; the parts themselves stay as they are.

    Parameters
    ----------
    parts : list of Partial or path
        Files are read one at a time. In any order, and in any groups.

    Returns
    -------
    Partial

    Examples
    --------
    >>> import sfumato as sf
    >>> settings = {"n": 3, "categories": {"x": [0, 1]}, "epsilon": 1}
    >>> parts = [sf.partial.histogram([[1.0]], "x", part=(i, 3), **settings) for i in (1, 2, 3)]
    >>> sf.partial.merge(parts).missing is None
    True
    """
    merged: Partial | None = None
    for one in parts:
        other = one if isinstance(one, Partial) else Partial.read(one)
        if merged is not None:
            merged.merge(other)
        else:
            merged = Partial.from_bytes(other.to_bytes()) if other is one else other
    if merged is None:
        raise InvalidError("there are no parts to merge")
    return merged


def split(rows: RowsLike, pattern: str, *, parts: int, key: Key, **facts: Any) -> None:
    """Divide a CSV by person into new files, one per part, so that each worker reads its own records alone.

    Parameters
    ----------
    rows : path
        A CSV with a header line, plain or gzip.
    pattern : str
        The files, for their owner alone (mode 0600): ``%`` is the number of the part. All appear, or none.
    parts : int
        How many.
    key : Key
        Of the dataset: by it persons are divided.
    **facts
        The person column, or a schema that states it and its type: see :class:`sfumato.Facts`.

    Examples
    --------
    >>> import os, tempfile
    >>> import sfumato as sf
    >>> folder = tempfile.mkdtemp()
    >>> key = sf.Ledger.create(os.path.join(folder, "l.db"), "visits", epsilon=2).dataset("visits").key()
    >>> with open(os.path.join(folder, "visits.csv"), "w") as file:
    ...     _ = file.write("patient,age\\n7,30\\n8,40\\n7,31\\n")
    >>> sf.partial.split(file.name, os.path.join(folder, "part-%.csv"), parts=2, key=key, person="patient")
    >>> sorted(os.listdir(folder))[1:3]
    ['part-1.csv', 'part-2.csv']
    """
    opened = open_rows(rows, None, facts)
    request = Request("count", [], facts)  # for its context
    request.run.what = "split"
    context = ffi.addressof(request.settings, "context")
    request.run.call(lib.sfm_rows_split, opened, context, key._pointer, path_of(pattern), whole(parts, "parts"))


__all__ = ["Partial", "count", "curve", "density", "histogram", "merge", "series", "split"]
