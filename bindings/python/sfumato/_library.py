"""The C library: loaded once, with its errors as exceptions and its words as numbers."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable
from typing import Any, cast

from sfumato._declarations import ffi as _ffi
from sfumato._paths import COMMAND, LIBRARY

#: Runs are logged as "sfumato": what begins and ends at INFO, stages at DEBUG. Nothing of a row is, nor how many there are.
logger = logging.getLogger("sfumato")
logger.addHandler(logging.NullHandler())

ffi: Any = _ffi
lib: Any = ffi.dlopen(str(LIBRARY))


def callback(signature: str, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A function of Python as one of C."""
    return cast("Callable[[Callable[..., Any]], Any]", ffi.callback(signature, **options))


class Error(Exception):
    """What the library says went wrong. Every exception of its own is one of these.

    Examples
    --------
    >>> import sfumato as sf
    >>> try:
    ...     sf.loads("no release")
    ... except sf.Error as error:
    ...     print(type(error).__name__)
    InvalidError
    """


class InvalidError(Error, ValueError):
    """An argument, a schema or a file that should be public and well-formed is wrong.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> try:
    ...     sf.density(np.arange(9.0), epsilon=1)
    ... except ValueError as error:
    ...     isinstance(error, sf.InvalidError)
    True
    """


class FileError(Error, OSError):
    """The operating system could not read or write.

    Examples
    --------
    >>> import sfumato as sf
    >>> issubclass(sf.FileError, OSError)
    True
    """


class BudgetExceeded(Error):
    """A ledger, or a session, refuses what was asked. Nothing was charged.

    Examples
    --------
    >>> import os, tempfile
    >>> import sfumato as sf
    >>> path = os.path.join(tempfile.mkdtemp(), "visits.db")
    >>> visits = sf.Ledger.create(path, "visits", epsilon=1).dataset("visits")
    >>> try:
    ...     visits.vector([3.0], sensitivity=1, norm="l1", epsilon=2)
    ... except sf.BudgetExceeded:
    ...     visits.left.spent_epsilon
    '0'
    """


class Stopped(Error):
    """The run was stopped by the caller.

    Examples
    --------
    >>> import sfumato as sf
    >>> issubclass(sf.Stopped, sf.Error)
    True
    """


class SettingWarning(UserWarning):
    """A setting that is allowed but probably a mistake, told before anything is charged, from public facts alone.

    As an error (``warnings.simplefilter("error", sf.SettingWarning)``) it ends the call, and nothing is charged.

    Examples
    --------
    >>> import warnings
    >>> import sfumato as sf
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", sf.SettingWarning)
    ...     try:
    ...         sf.vector([3.0], sensitivity=1, norm="l1", epsilon=50)
    ...     except sf.SettingWarning as warning:
    ...         "epsilon" in str(warning)
    True
    """


class InternalError(Error, RuntimeError):
    """A self-test of the library failed. Nothing was released.

    Examples
    --------
    >>> import sfumato as sf
    >>> issubclass(sf.InternalError, RuntimeError)
    True
    """


class OutOfMemoryError(Error, MemoryError):
    """There was not enough memory.

    Examples
    --------
    >>> import sfumato as sf
    >>> issubclass(sf.OutOfMemoryError, MemoryError)
    True
    """


_EXCEPTIONS: dict[int, type[Error]] = {
    lib.SFM_INVALID: InvalidError,
    lib.SFM_FORMAT: InvalidError,
    lib.SFM_IO: FileError,
    lib.SFM_MEMORY: OutOfMemoryError,
    lib.SFM_REFUSED: BudgetExceeded,
    lib.SFM_STOPPED: Stopped,
    lib.SFM_INTERNAL: InternalError,
}

# Messages of the library name members of its structs and its functions; here they are parameters and
# methods.  The first that matches counts.
_WORDS: tuple[tuple[str, str], ...] = (
    ("settings.context.charge", "ledger"),
    ("context.charge", "ledger"),
    ("context.confidence", "confidence"),
    ("schema.bounds", "bounds"),
    ("schema.categories", "categories"),
    ("schema.person", "person"),
    ("schema.neighbours", "neighbours"),
    ("schema.contributions", "contributions"),
    ("settings.expected_rows", "expected_rows"),
    ("settings.columns.bins", "bins"),
    ("settings.label_lower and label_upper", "label_bounds"),
    ("settings.label_lower", "label_bounds"),
    ("settings.labels", "classes"),
    ("settings.lambdas", "lambda_"),
    ("settings.lambda", "lambda_"),
    ("settings.public_cells", "public"),
    ("settings.places", "places"),
    ("settings.release_grid", "release_grid"),
    ("part.number is", "part is"),
    ("part.of", "their number"),
    ("part.job", "job"),
    ("part.rows", "n"),
    ("part.key", "key"),
    (" (sfm_ledger_key)", " (ledger.dataset('...').key())"),
    ("sfm_partial_write", "Partial.write"),
    ("sfm_partial_merge", "Partial.merge"),
    ("sfm_density_partial_create", "sf.partial.density"),
    ("sfm_rows_split", "sf.partial.split"),
    ("settings.", ""),
    ("context.", ""),
    ("schema.", ""),
    ("sfm_release_group", "Release.group"),
    ("sfm_release_marginal", "Release.marginal"),
    ("sfm_release_refine", "Release.refine"),
    ("sfm_table_margin_of", "Release.marginal"),
    ("sfm_table_cell", "Release.to_dict"),
    ("sfm_release_read_within", "read(allow_large=True)"),
    ("sfm_release_coefficient and sfm_release_label return", "Release.values has"),
    ("sfm_release_coefficient and sfm_release_quantile return", "Release.values has"),
    ("sfm_release_coefficient returns", "Release.values has"),
    ("sfm_machine_at and sfm_machine_decide tell", "Release.decision_function and Release.predict tell"),
    ("sfm_online_ask", "Session.ask"),
    ("sfm_interact_ask", "Session.ask"),
    ("sfm_ledger_create", "Ledger.create"),
    ("sfm_density_release", "density"),
    ("sfm_train_release", "train"),
    ("sfm_count_release", "count"),
)
_PATTERN = re.compile("|".join(re.escape(old) for old, _ in _WORDS))
_NEW: dict[str, str] = dict(_WORDS)


_SETTING = re.compile(r"\b(?:settings|context|schema|charge)\.(\w+) = (\"[^\"]*\"|[\w.+-]*[\w+-])")


def _assigned(found: re.Match[str]) -> str:
    name, value = {"labels": "classes", "lambda": "lambda_", "rff_features": "random_features"}.get(found[1], found[1]), found[2]
    try:
        float(value)
    except ValueError:
        value = value if value.startswith('"') else f'"{value}"'
    return f"{name}={value}"


def shown(value: Any) -> str:
    """What a message may repeat of an argument: never an array or a frame, which may be the private rows."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return repr(value)
    if isinstance(value, (list, tuple)) and len(value) <= 4 and all(isinstance(one, (str, int, float)) for one in value):
        return repr(value)
    return f"<{type(value).__name__}>"


def plain(message: str) -> str:
    """A message of the library in the words of this package."""
    message = _SETTING.sub(_assigned, message).replace("such as 0:100", "such as (0, 100)")
    return _PATTERN.sub(lambda found: _NEW[found[0]], message)


def text(pointer: Any) -> str:
    """A text that the library owns."""
    return str(ffi.string(pointer).decode("utf-8", "replace"))


def text_or_none(pointer: Any) -> str | None:
    return None if pointer == ffi.NULL else text(pointer)


def own_text(pointer: Any) -> str:
    """A text that the library made, which is freed."""
    try:
        return text(pointer)
    finally:
        lib.sfm_free(pointer)


def check(status: int, error: Any) -> None:
    if status == lib.SFM_OK:
        return
    message = plain(text(error.message))
    raise _EXCEPTIONS.get(status, InternalError)(message)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is the error object."""
    error = ffi.new("sfm_error *")
    check(function(*arguments, error), error)


def create(kind: str, function: Any, *arguments: Any) -> Any:
    """What a function returns through its first parameter, a pointer to a pointer to `kind`."""
    out = ffi.new(kind + " **")
    call(function, out, *arguments)
    return out[0]


def owned(pointer: Any, destroy: Any, keep: Any = None) -> Any:
    """The pointer, destroyed when nothing refers to it any more; `keep` lives until then."""
    return ffi.gc(pointer, destroy if keep is None else lambda it, _keep=keep: destroy(it))


_with_locks: weakref.WeakSet[Any] = weakref.WeakSet()


def renew_lock_after_fork(one: Any) -> None:
    """Lets `one` make its lock anew (`_new_lock`), now and in a child: a thread that held it is not there to give it back."""
    one._new_lock()
    _with_locks.add(one)


def _renew_locks() -> None:
    for one in list(_with_locks):
        one._new_lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)


def _read_words() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in ffi.typeof("sfm_enumeration").relements:
        if name == "SFM_ENUMERATION_COUNT":
            continue
        words = lib.sfm_words(getattr(lib, name))
        count = 0
        while words[count] != ffi.NULL:
            count += 1
        key = "sfm_" + name.removeprefix("SFM_ENUMERATION_").lower()
        found[key] = [text(words[i]) for i in range(count)]
    return found


#: The words of each enumeration, in the order of its values.
WORDS = _read_words()


def number_of(enumeration: str, word: str | int, parameter: str) -> int:
    """The value that a word stands for."""
    words = WORDS[enumeration]
    if isinstance(word, str) and word in words:
        return words.index(word)
    raise InvalidError(f"{parameter}={shown(word)} is not one of {', '.join(repr(one) for one in words)}")


def word_of(enumeration: str, number: int) -> str:
    return WORDS[enumeration][number]


class Run:
    """One call that may charge: its progress, and what becomes of an interrupt.

    Python sees signals only in its own code, so the library's progress function is where a Ctrl-C
    arrives. Before the charge it ends the run and nothing is charged. After it, what was paid for is
    finished and stored first; a second one ends the run, and the charge stands.
    """

    def __init__(self, progress: Callable[[Progress], Any] | None, charged_to: str | None, what: str) -> None:
        self.progress = progress
        self.charged = charged_to is not None
        self.what = what if charged_to is None else f"{what}, dataset {charged_to!r}"
        self.stage: int | None = None
        self.prepared = False
        self.interrupt: BaseException | None = None
        self.request: str | None = None  # of the charge, once it is made
        self.stored: str | None = None  # where what was paid for is, if no request returns it

    def call(self, function: Any, *arguments: Any) -> None:
        """Calls a function; rows among the arguments are of this call alone until it ends."""
        error = ffi.new("sfm_error *")
        logger.info("%s: begins", self.what)
        before, _current.run = getattr(_current, "run", None), self
        try:
            with contextlib.ExitStack() as borrowed:
                status = function(
                    *(borrowed.enter_context(one.borrow()) if hasattr(one, "borrow") else one for one in arguments), error
                )
        finally:
            _current.run = before
            end = getattr(self.progress, "end_of_run", None)
            if end is not None:
                end()
        if self.interrupt is not None:
            if status != lib.SFM_OK:
                _note(self.interrupt, plain(text(error.message)))
            if self.request is not None:
                stored = "returns its stored answer" if status == lib.SFM_OK else "goes on"
                said = f"the same call with request={self.request!r} {stored}, at no cost"
                said = f"the charge stands: {self.stored if self.stored and status == lib.SFM_OK else said}"
                _note(self.interrupt, said)
                logger.warning("%s: interrupted; %s", self.what, said)
            else:
                logger.info("%s: interrupted", self.what)
            raise self.interrupt
        logger.info("%s: %s", self.what, "done" if status == lib.SFM_OK else "refused or failed")
        check(status, error)

    def goes_on_after(self, raised: BaseException) -> bool:
        """An interrupt, or an exception of the caller's progress function."""
        again = self.interrupt is not None
        self.interrupt = self.interrupt or raised
        goes_on = self.charged and self.prepared and not again
        if goes_on:
            logger.warning("%s: interrupted after the charge: it goes on until its answer is stored", self.what)
        return goes_on


def _note(raised: BaseException, said: str) -> None:
    if hasattr(raised, "add_note"):
        raised.add_note(said)
    else:  # Python 3.10
        raised.__notes__ = [*getattr(raised, "__notes__", ()), said]


_current = threading.local()


class Progress:
    """Where a run is: the stage (prepared, reading, solving, walking) and how far it is in it.

    Attributes
    ----------
    stage : str
    done : int
        While reading: the rows read. Under add-remove neighbours this number is private.
    total : int
        0 while reading.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> seen = []
    >>> r = sf.density(np.linspace(0, 9, 500), "x", bounds=(0, 10), bandwidth=1, epsilon=1, progress=seen.append)
    >>> seen[0]
    Progress('prepared', 0, 0)
    """

    __slots__ = ("done", "stage", "total")

    def __init__(self, stage: str, done: int, total: int) -> None:
        self.stage, self.done, self.total = stage, done, total

    def __repr__(self) -> str:
        return f"Progress({self.stage!r}, {self.done}, {self.total})"


_STAGES = {
    lib.SFM_STAGE_PREPARED: "prepared",
    lib.SFM_STAGE_READING: "reading",
    lib.SFM_STAGE_SOLVING: "solving",
    lib.SFM_STAGE_WALKING: "walking",
}


def _raised(_kind: type[BaseException], raised: BaseException, _trace: Any) -> bool:
    run: Run | None = getattr(_current, "run", None)
    return run.goes_on_after(raised) if run else False


def interrupted(raised: BaseException) -> None:
    """Tells the call of this thread of an interrupt that came where nothing can be raised."""
    run: Run | None = getattr(_current, "run", None)
    if run is not None and not isinstance(raised, Exception):
        run.interrupt = run.interrupt or raised


def released(_kind: type[BaseException], raised: BaseException, trace: Any) -> None:
    """An interrupt that arrives as C gives an Arrow struct back, which it does all the same."""
    interrupted(raised)
    next(iter(trace.tb_frame.f_locals.values())).release = ffi.NULL


@callback("bool(void *, const sfm_progress *)", error=False, onerror=_raised)
def on_progress(_data: Any, where: Any) -> bool:
    run: Run = _current.run
    if run.interrupt is not None and not run.prepared:  # a remark that was made an error
        return False
    if run.stage != where.stage:
        run.stage = where.stage
        logger.debug("%s: %s", run.what, _STAGES[where.stage])
    if run.progress is not None and run.interrupt is None:
        run.progress(Progress(_STAGES[where.stage], int(where.done), int(where.total)))
    run.prepared = True  # the charge comes after the first call
    return True


def _raised_at_charge(_kind: type[BaseException], raised: BaseException, trace: Any) -> None:
    """An interrupt that arrives as the charge is told of: what was told is in the frame of the call."""
    run: Run | None = getattr(_current, "run", None)
    if run is not None:
        run.goes_on_after(raised)
        run.request = text(trace.tb_frame.f_locals["receipt"].request)


@callback("void(void *, const sfm_receipt *)", onerror=_raised_at_charge)
def on_charge(_data: Any, receipt: Any) -> None:
    _current.run.request = text(receipt.request)


def stop_before(_kind: type[BaseException], raised: BaseException, _trace: Any) -> None:
    """What a function of the caller raises comes out of the call, which ends before the charge."""
    run: Run | None = getattr(_current, "run", None)
    if run is not None:
        run.interrupt = run.interrupt or raised


def _frames_within() -> int:
    """How many frames of this package stand above the caller's own code."""
    frame, count = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] == "sfumato":
        frame, count = frame.f_back, count + 1
    return count


@callback("void(void *, const char *)", onerror=stop_before)
def on_remark(_data: Any, sentence: Any) -> None:
    warnings.warn(plain(text(sentence)), SettingWarning, stacklevel=_frames_within())


def texts(values: Iterable[str], keep: list[Any]) -> Any:
    """An array of C texts, kept alive by `keep`."""
    encoded = [ffi.new("char[]", utf8(value)) for value in values]
    array = ffi.new("const char *[]", encoded)
    keep.extend(encoded)
    keep.append(array)
    return array


def path_of(path: Any) -> bytes:
    """A path as C has it."""
    data = os.fsencode(path)
    if b"\0" in data:
        raise InvalidError(f"the path {os.fspath(path)!r} has a NUL character")
    return data


def whole(value: Any, name: str, most: int = 2**64 - 1) -> int:
    """A whole number that is not cut off."""
    try:
        if isinstance(value, bool) or int(value) != value or value < 0:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise InvalidError(f"{name}={shown(value)} is not a whole number of zero or more") from None
    if int(value) > most:
        raise InvalidError(f"{name}={shown(value)} is too large: at most {most}")
    return int(value)


def real(value: Any, name: str) -> float:
    """A number."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidError(f"{name}={shown(value)} is not a number") from None


def utf8(value: Any) -> bytes:
    if not isinstance(value, str):
        raise InvalidError(f"{shown(value)} is not a text")
    data = value.encode("utf-8")
    if b"\0" in data:
        raise InvalidError(f"{value!r} has a NUL character")
    return data


__all__ = ["COMMAND", "LIBRARY", "ffi", "lib"]
