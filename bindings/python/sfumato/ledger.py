"""Budgets: a ledger is a file that refuses a charge beyond the total of its dataset."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple

from sfumato import _mechanisms, _statistics, sessions
from sfumato._library import (
    InvalidError,
    call,
    callback,
    create,
    ffi,
    lib,
    number_of,
    owned,
    path_of,
    real,
    renew_lock_after_fork,
    text,
    utf8,
    word_of,
)
from sfumato.key import Key


class Status(NamedTuple):
    """A dataset: what was fixed, what was spent and what is left. Amounts are exact decimals, as texts."""

    name: str
    accounting: str
    closed: bool
    epsilon: str
    delta: str
    spent_epsilon: str
    spent_delta: str
    left_epsilon: str
    left_delta: str
    protects: str
    charges: int
    answers: int


class Entry(NamedTuple):
    """One entry of the history of a ledger."""

    number: int
    time: str
    kind: str
    dataset: str
    request: str
    parameters: str
    guarantee: str
    amount: str
    unit: str
    spent: str


class Ledger:
    """A ledger of privacy budgets: one SQLite file, which several people and processes may use.

    Parameters
    ----------
    path : path
        An existing ledger; :meth:`create` makes one.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import sfumato as sf
    >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
    >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
    >>> ages = np.random.default_rng(0).normal(40, 12, 1000).clip(0, 100)
    >>> with ledger.dataset("visits") as d:
    ...     r = d.density(ages, "age", bounds=(0, 100), bandwidth=5, epsilon=0.5, request="ages")
    ...     d.left.left_epsilon
    '1.5'
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._open_in: dict[tuple[int, int], Any] = {}
        renew_lock_after_fork(self)
        self._open()

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        dataset: str,
        *,
        epsilon: float,
        delta: float = 0,
        accounting: str = "basic",
        anchor: str | os.PathLike[str] | None = None,
        shared: bool = False,
    ) -> Ledger:
        """Add a dataset to a ledger, which is made if there is none.

        Parameters
        ----------
        path : path
        dataset : str
            Its name.
        epsilon, delta : float
            The total that all releases of its rows together may cost.
        accounting : {"basic", "zcdp", "gdp"}
            How costs add up; it cannot be changed later.
        anchor : path, optional
            A file on another disk, by which an old copy of the ledger is detected.
        shared : bool
            The group of the folder may use the ledger too.

        Returns
        -------
        Ledger

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> [one.name for one in ledger]
        ['visits']
        """
        made = ffi.new("sfm_dataset *")
        name = ffi.new("char[]", utf8(dataset))
        made.name, made.epsilon, made.delta = name, real(epsilon, "epsilon"), real(delta, "delta")
        made.accounting = number_of("sfm_accounting", accounting, "accounting")
        function = lib.sfm_ledger_create_shared if shared else lib.sfm_ledger_create
        try:
            call(function, path_of(path), ffi.NULL if anchor is None else path_of(anchor), made)
        except InvalidError as error:
            if not os.path.exists(path):
                raise
            raise InvalidError(f"{error}. To go on with a ledger that is there: sf.Ledger({os.fspath(path)!r})") from None
        return cls(path)

    def _new_lock(self) -> None:
        self._lock = threading.Lock()

    def _open(self) -> Any:
        """The ledger as this process and thread have it open. Who holds it keeps it open."""
        here = (os.getpid(), threading.get_ident())
        with self._lock:
            found = self._open_in.get(here)
            if found is None:
                living = {thread.ident for thread in threading.enumerate()}
                for where in list(self._open_in):  # of threads that have ended, and of the process before a fork
                    if where[0] != here[0] or where[1] not in living:
                        del self._open_in[where]
                pointer = create("sfm_ledger", lib.sfm_ledger_open, path_of(self.path))
                found = self._open_in[here] = owned(pointer, lib.sfm_ledger_close)
        return found

    def dataset(self, name: str) -> Dataset:
        """One of its datasets, whose methods release and charge it.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> ledger.dataset("visits").left.left_epsilon
        '2'
        """
        call(lib.sfm_ledger_find, self._open(), ffi.new("sfm_dataset_status *"), utf8(name))
        return Dataset(self, name)

    @property
    def datasets(self) -> list[Status]:
        """All datasets, in the order of their creation."""
        out, count = ffi.new("sfm_dataset_status **"), ffi.new("size_t *")
        call(lib.sfm_ledger_status, self._open(), out, count)
        try:
            return [_status(out[0][i]) for i in range(count[0])]
        finally:
            lib.sfm_free(out[0])

    def history(self, dataset: str | None = None) -> list[Entry]:
        """All entries, of one dataset or of all.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> [entry.kind for entry in ledger.history()]
        ['create']
        """
        entries: list[Entry] = []
        raised: list[BaseException] = []

        def stop(_kind: type[BaseException], interrupt: BaseException, _trace: Any) -> None:
            raised.append(interrupt)

        @callback("bool(void *, const sfm_ledger_entry *)", error=False, onerror=stop)
        def visit(_data: Any, entry: Any) -> bool:
            names = ("time", "kind", "dataset", "request", "parameters", "guarantee", "amount", "unit", "spent")
            entries.append(Entry(int(entry.number), *(text(getattr(entry, name)) for name in names)))
            return True

        try:
            call(lib.sfm_ledger_history, self._open(), ffi.NULL if dataset is None else utf8(dataset), visit, ffi.NULL)
        finally:
            for interrupt in raised:
                raise interrupt
        return entries

    def verify(self) -> int:
        """Check the whole ledger: its chain of hashes, sums and answers. Returns the number of entries.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> ledger.verify()
        1
        """
        out = ffi.new("uint64_t *")
        call(lib.sfm_ledger_verify, self._open(), out, ffi.NULL)
        return int(out[0])

    def close_dataset(self, name: str) -> None:
        """Close a dataset for ever: nothing can be charged to it any more.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> ledger.close_dataset("visits")
        >>> ledger.dataset("visits").left.closed
        True
        """
        call(lib.sfm_ledger_close_dataset, self._open(), utf8(name))

    def close(self) -> None:
        """Close the file. It is opened again when it is used again.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> ledger.close()
        >>> len(ledger.datasets)
        1
        """
        with self._lock:
            self._open_in.clear()

    def __getattr__(self, name: str) -> Any:
        if name in Dataset.__dict__ and not name.startswith("_"):
            raise AttributeError(f"a ledger has several datasets: ledger.dataset('...').{name}")
        raise AttributeError(f"a ledger has no {name!r}")

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _raised: BaseException | None, _trace: TracebackType | None) -> None:
        self.close()

    def __iter__(self) -> Iterator[Status]:
        return iter(self.datasets)

    def __reduce__(self) -> tuple[type[Ledger], tuple[str]]:
        return Ledger, (self.path,)

    def __repr__(self) -> str:
        return f"Ledger({self.path!r})"

    def _repr_html_(self) -> str:
        from sfumato._pictures import table

        return table(
            ["dataset", "total", "spent", "left", "accounting", "charges"],
            [[s.name, s.epsilon, s.spent_epsilon, s.left_epsilon, s.accounting, s.charges] for s in self],
        )


def _status(one: Any) -> Status:
    def of(decimals: Any) -> tuple[str, str]:
        return text(decimals.epsilon), text(decimals.delta)

    accounting = word_of("sfm_accounting", one.accounting)
    totals = (*of(one.total), *of(one.spent), *of(one.left))
    return Status(text(one.name), accounting, bool(one.closed), *totals, text(one.protects), int(one.charges), int(one.answers))


class Dataset:
    """A dataset of a ledger. Its methods are the calls that release, charged to it.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import sfumato as sf
    >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
    >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
    >>> visits = ledger.dataset("visits")
    >>> r = visits.count(np.arange(100.0), "age >= 65", columns="age", epsilon=0.5, request="old")
    >>> r.dataset, r.request, visits.left.left_epsilon
    ('visits', 'old', '1.5')
    """

    def __init__(self, ledger: Ledger, name: str) -> None:
        self.ledger, self.name = ledger, name

    @property
    def left(self) -> Status:
        """What was spent and what is left."""
        out = ffi.new("sfm_dataset_status *")
        call(lib.sfm_ledger_find, self.ledger._open(), out, utf8(self.name))
        return _status(out)

    def key(self) -> Key:
        """Its key, for those who read a part of its rows elsewhere. PRIVATE.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> visits.key()
        <sfumato key of 'visits': PRIVATE>
        """
        return Key(create("sfm_key", lib.sfm_ledger_key, self.ledger._open(), utf8(self.name)))

    def density(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.density`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> visits.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1).dataset
        'visits'
        """
        return _mechanisms.density(*arguments, **settings, ledger=self)

    def series(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.series`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> visits.series(np.linspace(0, 23, 500), "hour", bounds=(0, 24), terms=5, epsilon=1).dataset
        'visits'
        """
        return _mechanisms.series(*arguments, **settings, ledger=self)

    def histogram(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.histogram`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> visits.histogram(np.arange(100) % 2, "ill", categories={"ill": [0, 1]}, epsilon=1).dataset
        'visits'
        """
        return _mechanisms.histogram(*arguments, **settings, ledger=self)

    def count(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.count`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> visits.count(np.arange(100.0), "age >= 65", columns="age", epsilon=1).dataset
        'visits'
        """
        return _mechanisms.count(*arguments, **settings, ledger=self)

    def curve(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.curve`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> curves = np.random.default_rng(0).normal(0, 0.1, (50, 4))
        >>> visits.curve(curves, grid=[0, 1, 2, 3], clip=3, bandwidth=1, epsilon=1).dataset
        'visits'
        """
        return _mechanisms.curve(*arguments, **settings, ledger=self)

    def train(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.train`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> rows = sf.Rows(np.column_stack([np.linspace(-1, 1, 200), np.arange(200) >= 100]), ["x", "y"])
        >>> visits.train(rows, "y", bounds={"x": (-1, 1)}, classes=[0, 1], epsilon=1).dataset
        'visits'
        """
        return _mechanisms.train(*arguments, **settings, ledger=self)

    def quantiles(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.quantiles`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> visits.quantiles(np.arange(1000.0), "x", q=[0.5], bounds=(0, 1e6), epsilon=1).dataset
        'visits'
        """
        return _mechanisms.quantiles(*arguments, **settings, ledger=self)

    def vector(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.vector`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> visits.vector([120.0, 80.0], sensitivity=1, norm="l1", epsilon=1).dataset
        'visits'
        """
        return _mechanisms.vector(*arguments, **settings, ledger=self)

    def linear(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.linear`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> asked = {"categories": {"x": [0, 1]}, "matrix": [[1, 1]], "method": "laplace"}
        >>> visits.linear(np.arange(100) % 2, "x", **asked, epsilon=1).dataset
        'visits'
        """
        return _statistics.linear(*arguments, **settings, ledger=self)

    def choose(self, *arguments: Any, **settings: Any) -> Any:
        """:func:`sfumato.choose`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> visits.choose(["north", "south"], [900, 100], sensitivity=1, epsilon=1).dataset
        'visits'
        """
        return _mechanisms.choose(*arguments, **settings, ledger=self)

    def score(self, *arguments: Any, **settings: Any) -> _mechanisms.Score:
        """:func:`sfumato.score`, charged.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> rows = sf.Rows(np.column_stack([np.linspace(-1, 1, 200), np.arange(200) >= 100]), ["x", "y"])
        >>> m = sf.train(rows, "y", bounds={"x": (-1, 1)}, classes=[0, 1], epsilon=1)
        >>> visits.score(m, rows, epsilon=1).release.dataset
        'visits'
        """
        return _mechanisms.score(*arguments, **settings, ledger=self)

    def open_online(self, *arguments: Any, **settings: Any) -> sessions.Online:
        """:func:`sfumato.open_online`, charged: a new session, with its rows.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> ages = np.random.default_rng(0).normal(40, 12, 1000).clip(0, 100)
        >>> settings = {"bounds": (0, 100), "bandwidth": 5, "kernel": "matern32", "epsilon": 1, "delta": 1e-6}
        >>> visits = sf.Ledger.create(path + "2", "visits", epsilon=2, delta=1e-5).dataset("visits")
        >>> with visits.open_online(os.path.join(os.path.dirname(path), "age.sfs"), ages, "age", **settings) as session:
        ...     visits.left.charges
        1
        """
        return sessions.open_online(*arguments, **settings, ledger=self)

    def open_interactive(self, *arguments: Any, **settings: Any) -> sessions.Interactive:
        """:func:`sfumato.open_interactive`, charged: a new session, with its rows.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
        >>> ledger = sf.Ledger.create(path, "visits", epsilon=2)
        >>> visits = ledger.dataset("visits")
        >>> x = np.random.default_rng(0).uniform(-1, 1, 20000)
        >>> rows = sf.Rows(np.column_stack([x, np.where(x > 0, 1, -1)]), ["x", "y"])
        >>> settings = {"bounds": {"x": (-1, 1)}, "train": {"classes": [-1, 1]}, "epochs": 4, "epsilon": 2}
        >>> with visits.open_interactive(os.path.join(os.path.dirname(path), "m.sfs"), rows, "y", **settings) as session:
        ...     visits.left.charges
        1
        """
        return sessions.open_interactive(*arguments, **settings, ledger=self)

    def __enter__(self) -> Dataset:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _raised: BaseException | None, _trace: TracebackType | None) -> None:
        self.ledger.close()

    def __repr__(self) -> str:
        return f"{self.ledger!r}.dataset({self.name!r})"
