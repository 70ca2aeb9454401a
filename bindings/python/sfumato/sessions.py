"""Sessions: functions and machines that answer questions which are not known yet."""

from __future__ import annotations

import os
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sfumato._library import InvalidError, call, create, ffi, lib, owned, path_of, renew_lock_after_fork, text, word_of
from sfumato._mechanisms import density_request, features_of, train_request
from sfumato._request import Request, chosen_columns, column_list, open_rows
from sfumato._rows import RowsLike
from sfumato._sparse import sparse_parts
from sfumato.release import Guarantee, Release, doubles, frame_columns, guarantee_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Unpack

    from sfumato._request import Facts

Path = Any


class _Session:
    """What both kinds of sessions are: a private file that is open in this process."""

    _kind = ""

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        renew_lock_after_fork(self)
        self._pointer: Any = None
        self._process = os.getpid()
        self._pointer = owned(create(f"sfm_{self._kind}", self._function("open"), path_of(path)), self._function("close"))

    def _new_lock(self) -> None:
        self._lock = threading.RLock()  # a session belongs to one call at a time

    def _function(self, verb: str) -> Any:
        return getattr(lib, f"sfm_{self._kind}_{verb}")

    def _session(self) -> Any:
        if self._pointer is None:
            raise InvalidError("this session is closed")
        if os.getpid() != self._process:
            raise InvalidError("this session was opened by another process: open it again in this one")
        return self._pointer

    def _call(self, function: Any, *arguments: Any) -> None:
        """Calls a function of the open session, alone."""
        with self._lock:
            call(function, self._session(), *arguments)

    def __reduce__(self) -> Any:
        raise TypeError("a session is an open private file, which cannot be copied: open it again by its path")

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of all answers together."""
        with self._lock:
            return guarantee_of(self._function("guarantee")(self._session()))

    @property
    def sentence(self) -> str:
        """The guarantee in words."""
        with self._lock:
            return text(self._function("sentence")(self._session()))

    def transcript(self) -> Release:
        """A release of all answers so far.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "age.sfs")
        >>> ages = np.random.default_rng(0).normal(40, 12, 1000).clip(0, 100)
        >>> session = sf.open_online(path, ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=1e-6)
        >>> session.transcript().kind
        'density'
        """
        out = ffi.new("sfm_release **")
        self._call(self._function("transcript"), out)
        return Release(out[0])

    def close(self) -> None:
        """Close the file; the session can be opened again.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "age.sfs")
        >>> ages = np.random.default_rng(0).normal(40, 12, 1000).clip(0, 100)
        >>> session = sf.open_online(path, ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=1e-6)
        >>> session.close()
        >>> session  # doctest: +ELLIPSIS
        <Online '...age.sfs' (closed)>
        """
        with self._lock:
            if self._pointer is not None and os.getpid() == self._process:
                ffi.release(self._pointer)
            self._pointer = None

    def wipe(self) -> None:
        """Overwrite and remove the file, for ever.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "age.sfs")
        >>> ages = np.random.default_rng(0).normal(40, 12, 1000).clip(0, 100)
        >>> session = sf.open_online(path, ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=1e-6)
        >>> session.wipe()
        >>> os.path.exists(path)
        False
        """
        with self._lock:
            self._call(self._function("wipe"))
            self.close()

    @classmethod
    def discard(cls, path: Path) -> None:
        """Overwrite and remove the file of a session that nobody has open, for ever, also if it can be asked no more.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "age.sfs")
        >>> ages = np.random.default_rng(0).normal(40, 12, 1000).clip(0, 100)
        >>> session = sf.open_online(path, ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=1e-6)
        >>> session.close()
        >>> sf.Online.discard(path)
        >>> os.path.exists(path)
        False
        """
        call(getattr(lib, f"sfm_{cls._kind}_discard"), path_of(path))

    def __exit__(self, _kind: type[BaseException] | None, _raised: BaseException | None, _trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path!r}{' (closed)' if self._pointer is None else ''}>"


class Online(_Session):
    """A private density that answers at points, one at a time. The same point always has the same answer.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import sfumato as sf
    >>> path = os.path.join(tempfile.mkdtemp(), "age.sfs")
    >>> ages = np.random.default_rng(0).normal(40, 12, 1000).clip(0, 100)
    >>> session = sf.open_online(path, ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=1e-6)
    >>> session.columns, session.guarantee.kind
    (['age'], 'gdp')
    """

    _kind = "online"

    def __enter__(self) -> Online:
        return self

    @property
    def columns(self) -> list[str]:
        """The columns of the density."""
        with self._lock:
            session = self._session()
            return [text(lib.sfm_online_column(session, i)) for i in range(lib.sfm_online_about(session).dimension)]

    @property
    def answers(self) -> int:
        """The number of stored answers."""
        with self._lock:
            return int(lib.sfm_online_about(self._session()).answers)

    def ask(self, x: Any) -> Any:
        """The density at points; answers are on disk before they are returned.

        Parameters
        ----------
        x : number, array or data frame

        Returns
        -------
        float or array

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> path = os.path.join(tempfile.mkdtemp(), "age.sfs")
        >>> ages = np.random.default_rng(0).normal(40, 12, 1000).clip(0, 100)
        >>> session = sf.open_online(path, ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=1e-6)
        >>> session.ask([20.0, 40.0]).shape
        (2,)
        """
        columns = self.columns
        points = np.asarray(frame_columns(x, columns), dtype=np.float64)
        shape = points.shape if len(columns) == 1 else points.shape[:-1]
        if len(columns) > 1 and (points.ndim == 0 or points.shape[-1] != len(columns)):
            raise InvalidError(f"points of {', '.join(columns)} have {len(columns)} numbers each")
        points = np.ascontiguousarray(points.reshape(-1, len(columns)))
        values = np.empty(len(points))
        self._call(lib.sfm_online_ask, doubles(values), doubles(points), len(points))
        return values.reshape(shape) if shape else float(values[0])


class Answer(NamedTuple):
    """An answer of an interactive session: its value, its error bar, and where it comes from."""

    value: float
    error: float
    source: str
    epochs_left: int


class InteractPlan(NamedTuple):
    """What a session with a private machine would be like. Values are in the unit of the label.

    An epoch ends when the public model seems off by ``threshold``. Error bars hold while epochs last: ``error_public`` of
    answers by the public model, ``error_released`` of values of the private one. ``once`` is the error bar of one release
    of the same machine with the same guarantee, which answers all questions; ``worst`` about how many questions can end an
    epoch before the public model has learned everything; ``alarms`` how many epochs end without need at most. The parts of
    epsilon are those of one epoch, and the noises are scales.

    Examples
    --------
    >>> import sfumato as sf
    >>> settings = {"bounds": (-1, 1), "train": {"classes": [-1, 1]}, "epochs": 4, "epsilon": 2}
    >>> sf.plan.interact("x", n=20000, **settings).guarantee.epsilon
    2.0
    """

    rows: int
    questions: int
    epochs: int
    lambda_: float
    error_public: float
    error_released: float
    threshold: float
    alarms: float
    worst: float
    once: float
    once_normal: bool
    kappa: float
    used: float
    reach: float
    sensitivity: float
    step: float
    epsilon_threshold: float
    epsilon_question: float
    epsilon_answer: float
    noise_threshold: float
    noise_question: float
    noise_answer: float
    guarantee: Guarantee


def interact_plan(out: Any) -> InteractPlan:
    members = {name: getattr(out, name.rstrip("_")) for name in InteractPlan._fields if name != "guarantee"}
    return InteractPlan(**members, guarantee=guarantee_of(out.guarantee))


class Interactive(_Session):
    """A private machine that answers a limited number of surprising questions, and teaches a public model.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import sfumato as sf
    >>> folder = tempfile.mkdtemp()
    >>> x = np.random.default_rng(0).uniform(-1, 1, 20000)
    >>> rows = sf.Rows(np.column_stack([x, np.where(x > 0, 1, -1)]), ["x", "y"])
    >>> settings = {"bounds": {"x": (-1, 1)}, "train": {"classes": [-1, 1]}, "epochs": 4, "epsilon": 2}
    >>> settings["anchor"] = os.path.join(folder, "anchor")
    >>> session = sf.open_interactive(os.path.join(folder, "m.sfs"), rows, "y", **settings)
    >>> session.columns, session.plan.epochs, session.epochs_left
    (['x'], 4, 4)
    """

    _kind = "interact"

    def __enter__(self) -> Interactive:
        return self

    @property
    def columns(self) -> list[str]:
        """The columns of a question."""
        with self._lock:
            machine = lib.sfm_interact_machine(self._session())
            out = ffi.new("sfm_machine *")
            lib.sfm_release_machine(machine, out)
            return [text(lib.sfm_machine_input(machine, i)) for i in range(out.input_count)]

    @property
    def plan(self) -> InteractPlan:
        """What was planned when the session was made."""
        with self._lock:
            return interact_plan(lib.sfm_interact_planned(self._session()))

    @property
    def epochs_left(self) -> int:
        """How many more values of the private machine can be released."""
        with self._lock:
            return int(lib.sfm_interact_about(self._session()).epochs_left)

    def ask(self, x: Any) -> list[Answer]:
        """Answers at rows of the machine's columns (categories by their index), in order.

        Parameters
        ----------
        x : array, data frame, or sparse rows for a machine of libsvm text

        Returns
        -------
        list of Answer

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> import sfumato as sf
        >>> folder = tempfile.mkdtemp()
        >>> x = np.random.default_rng(0).uniform(-1, 1, 20000)
        >>> rows = sf.Rows(np.column_stack([x, np.where(x > 0, 1, -1)]), ["x", "y"])
        >>> settings = {"bounds": {"x": (-1, 1)}, "train": {"classes": [-1, 1]}, "epochs": 4, "epsilon": 2}
        >>> settings["anchor"] = os.path.join(folder, "anchor")
        >>> session = sf.open_interactive(os.path.join(folder, "m.sfs"), rows, "y", **settings)
        >>> first, second = session.ask([[0.5], [0.5]])
        >>> first.source in ("released", "public")
        True
        """
        columns = self.columns
        if not columns:
            with self._lock:
                machine = ffi.new("sfm_machine *")
                lib.sfm_release_machine(lib.sfm_interact_machine(self._session()), machine)
            parts = sparse_parts(x, machine.dimension, "questions")
            count, out = parts.rows, ffi.new("sfm_interact_answer[]", max(1, parts.rows))
            self._call(lib.sfm_interact_ask_sparse, out, *parts.pointers())
        else:
            cells = np.atleast_2d(np.asarray(frame_columns(x, columns), dtype=np.float64))
            if cells.shape[1] != len(columns):
                raise InvalidError(f"a question has {len(columns)} cells: {', '.join(columns)}")
            cells = np.ascontiguousarray(cells)
            count, out = len(cells), ffi.new("sfm_interact_answer[]", max(1, len(cells)))
            self._call(lib.sfm_interact_ask, out, doubles(cells), count)
        return [
            Answer(out[i].value, out[i].error, word_of("sfm_interact_source", out[i].source), int(out[i].epochs_left))
            for i in range(count)
        ]


def interact_request(
    columns: list[str],
    label: str | None,
    facts: Mapping[str, Any],
    *,
    epsilon: float,
    delta: float = 0,
    questions: int | None = None,
    accuracy: float | None = None,
    epochs: int | None = None,
    update: str | None = None,
    accounting: str | None = None,
    train: Mapping[str, Any] | None = None,
) -> Request:
    """The settings of a session with a machine; what they share with the machine is the machine's."""
    machine = train_request(columns, label, facts, epsilon=epsilon, delta=delta, **(train or {}))
    request = Request("interact", columns, {}, has_schema=False)
    request.keep.append(machine)
    request.run = machine.run
    request.run.what = request.run.what.replace("train", "interact", 1)
    request.set(questions=questions, accuracy=accuracy, epochs=epochs, update=update, accounting=accounting)
    request.settings.train = machine.settings
    return request


def _only_the_path(*others: Any) -> None:
    if any(one is not None for one in others):
        raise InvalidError("a session that is there has its settings: open it by its path alone; a new one needs rows")


def open_online(
    path: Path,
    rows: RowsLike | None = None,
    columns: str | Sequence[str] | None = None,
    *,
    epsilon: float | None = None,
    delta: float = 0,
    bandwidth: Any = None,
    kernel: str | None = None,
    engine: str | None = None,
    outside: str | None = None,
    calibration: str | None = None,
    anchor: Path | None = None,
    **facts: Unpack[Facts],
) -> Online:
    """Open a session that answers questions about a density; with rows, make it first.

    Parameters
    ----------
    path : path
        The session's private file, usually ``*.sfs``.
    rows : path, array, data frame, Arrow stream or iterator of batches, optional
        Without rows an existing session is opened.
    columns : str or list of str, optional
    epsilon, delta : float
        The privacy budget of all answers together.
    bandwidth, kernel, engine, outside, calibration : optional
        As of :func:`density`; see the guide "online".
    anchor : path, optional
        For the engine gram without a ledger: a file on another disk that detects old copies.
    **facts
        Bounds, person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Online

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import sfumato as sf
    >>> path = os.path.join(tempfile.mkdtemp(), "age.sfs")
    >>> ages = np.random.default_rng(0).normal(40, 12, 1000).clip(0, 100)
    >>> with sf.open_online(path, ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=1e-6) as session:
    ...     session.ask(40.0) == session.ask(40.0)
    True
    """
    if rows is None:
        _only_the_path(epsilon, columns, bandwidth, kernel, engine, outside, calibration, anchor, *facts.values())
        return Online(path)
    if epsilon is None:
        raise InvalidError("a new session needs a budget: epsilon=..., delta=...")
    opened = open_rows(rows, column_list(columns), facts)
    names = chosen_columns(opened, column_list(columns), facts)
    request = density_request(
        names,
        facts,
        epsilon=epsilon,
        delta=delta,
        bandwidth=bandwidth,
        kernel=kernel,
        engine=engine,
        outside=outside,
        calibration=calibration,
    )
    kept = ffi.NULL if anchor is None else path_of(anchor)
    request.run.stored = f"open the session by its path alone, {os.fspath(path)!r}"
    request.run.call(lib.sfm_online_create, path_of(path), opened, request.settings, kept)
    return Online(path)


def open_interactive(
    path: Path,
    rows: RowsLike | None = None,
    label: str | None = None,
    features: str | Sequence[str] | None = None,
    *,
    epsilon: float | None = None,
    delta: float = 0,
    questions: int | None = None,
    accuracy: float | None = None,
    epochs: int | None = None,
    update: str | None = None,
    anchor: Path | None = None,
    columns: Sequence[str] | None = None,
    train: dict[str, Any] | None = None,
    **facts: Unpack[Facts],
) -> Interactive:
    """Open a session with a private machine; with rows, make it first.

    Parameters
    ----------
    path : path
        The session's private file, usually ``*.sfs``.
    rows : path, array, data frame, Arrow stream or iterator of batches, optional
        Without rows an existing session is opened.
    label, features
        As of :func:`train`.
    epsilon, delta : float
        The privacy budget of all answers together.
    questions : int, optional
        The expected number.
    accuracy : float, optional
        The largest error bar; or `epochs`, the number of values that can be released.
    epochs : int, optional
    update : {"ridge", "step"}, optional
        How the public model learns from a released value. Default: ridge regression on all of them.
    anchor : path, optional
        Without a ledger: a file on another disk that detects old copies.
    columns : list of str, optional
        Names for the columns of an array.
    train : dict, optional
        More settings of the machine: kernel, bandwidth, classes, label_bounds, loss, lambda\\_ and so on.
    **facts
        Bounds, person, ledger and so on: see :class:`Facts`.

    Returns
    -------
    Interactive

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import sfumato as sf
    >>> x = np.random.default_rng(0).uniform(-1, 1, 20000)
    >>> rows = np.column_stack([x, np.where(x > 0, 1, -1)])
    >>> folder = tempfile.mkdtemp()
    >>> session = sf.open_interactive(os.path.join(folder, "m.sfs"), rows, "y", columns=["x", "y"], bounds=(-1, 1),
    ...                               train={"classes": [-1, 1]}, epsilon=5, epochs=4, questions=100,
    ...                               anchor=os.path.join(folder, "anchor"))
    >>> session.ask([[0.5]])[0].source in ("released", "public")
    True
    """
    if rows is None:
        _only_the_path(epsilon, label, features, questions, accuracy, epochs, update, anchor, columns, train, *facts.values())
        return Interactive(path)
    opened = open_rows(rows, columns, facts)
    if epsilon is None or (label is None and opened.columns):
        raise InvalidError("a new session needs a label and a budget: label=..., epsilon=...")
    names = column_list(features) or features_of(opened.columns, label, facts)
    asked: dict[str, Any] = {"questions": questions, "accuracy": accuracy, "epochs": epochs, "update": update}
    request = interact_request(names, label, facts, epsilon=epsilon, delta=delta, train=train, **asked)
    kept = ffi.NULL if anchor is None else path_of(anchor)
    request.run.stored = f"open the session by its path alone, {os.fspath(path)!r}"
    request.run.call(lib.sfm_interact_create, path_of(path), opened, request.settings, kept)
    return Interactive(path)
