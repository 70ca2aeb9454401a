"""Private rows: files, arrays, data frames and streams, as the library's readers take them.

Nothing here looks at a value. Arrays of numbers and Arrow streams are read where they are; the other
arrays are copied to numbers first, cell by cell.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import itertools
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from sfumato._cells import floats, is_sequence, number, table, unmasked
from sfumato._cells import texts as texts_of
from sfumato._columns import Columns
from sfumato._library import (
    InvalidError,
    call,
    callback,
    create,
    ffi,
    interrupted,
    lib,
    owned,
    path_of,
    released,
    renew_lock_after_fork,
    text,
    texts,
    utf8,
)

#: What rows can be: a path, an array of numbers, a data frame or another source of Arrow streams, or an
#: iterator of batches.
RowsLike = Any

_READ_AS_THEY_ARE = {("f", 4), ("f", 8)} | {(kind, size) for kind in "iu" for size in (1, 2, 4, 8)}


class Rows:
    """Rows that are open. They keep what they read from alive; use them from one thread at a time.

    Parameters
    ----------
    source : path, array, data frame, Arrow stream, or iterator of batches
        A CSV (plain or gzip) or NPY file; an array of numbers, one row per record; anything with
        ``__arrow_c_stream__`` (pandas, polars, pyarrow, DuckDB); or an iterator of such batches.
    columns : sequence of str, optional
        Names for the columns of an array. Default: ``x0``, ``x1``, ...
    once : bool
        Give batches of a stream back once they are read, so that one is in memory at a time. For one
        reading, and only where the number of records is private (add-remove neighbours, no person).

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> rows = sf.Rows(np.array([[34.0], [71.0]]), columns=["age"])
    >>> rows.columns
    ['age']
    """

    def __init__(
        self,
        source: RowsLike,
        columns: Sequence[str] | None = None,
        *,
        once: bool = False,
        _if_empty: Sequence[str] | None = None,
    ) -> None:
        self.numeric = False  # an array, whose cells are numbers
        self._if_empty = _if_empty  # the columns of an iterator without batches
        self._keep: list[Any] = []
        renew_lock_after_fork(self)
        if isinstance(source, (str, os.PathLike)):
            if not os.path.exists(source):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(source))
            self._pointer = create("sfm_rows", lib.sfm_rows_open, path_of(source))
        elif isinstance(source, Columns):
            self._keep.append(source)  # its arrays do not keep themselves alive
            self._pointer = self._from_batches(iter([source]), once)
        elif _is_pandas(source):
            self._pointer = self._from_pandas(source, columns, once)
        elif hasattr(source, "__arrow_c_stream__"):
            self._pointer = self._from_capsule(source, once)
        elif hasattr(source, "__arrow_c_array__"):
            self._pointer = self._from_batches(iter([source]), once)
        elif isinstance(source, Iterator):
            self._pointer = self._from_iterator(source, columns, once)
        elif hasattr(source, "__array__") or isinstance(source, Sequence) or np.isscalar(source):
            self._pointer = self._from_array(source, columns)
        else:
            raise InvalidError(
                f"rows cannot be read from {type(source).__name__}: give a path, an array of numbers, a data frame "
                "(pandas, polars, pyarrow, DuckDB), or an iterator of batches"
            )
        self._pointer = owned(self._pointer, lib.sfm_rows_destroy, self._keep)

    def _new_lock(self) -> None:
        self._lock = threading.Lock()

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        count = lib.sfm_rows_column_count(self._pointer)
        return [text(lib.sfm_rows_column_name(self._pointer, i)) for i in range(count)]

    @contextlib.contextmanager
    def borrow(self) -> Iterator[Any]:
        """The rows for one call alone: they are read in order, so two calls at once would share the records.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> with sf.Rows(np.zeros((3, 1))).borrow() as pointer:
        ...     pointer is not None
        True
        """
        if not self._lock.acquire(blocking=False):
            raise InvalidError("these rows are being read by another call: open them once more for it, sf.Rows(...)")
        report = getattr(_examination, "report", None)
        try:
            if report is not None:
                lib.sfm_rows_examine(self._pointer, report)
            yield self._pointer
        finally:
            if report is not None:
                lib.sfm_rows_examine(self._pointer, ffi.NULL)
            self._lock.release()

    def __repr__(self) -> str:
        return f"Rows(columns={self.columns!r})"

    # ---- arrays ----

    def _from_array(self, source: Any, columns: Sequence[str] | None) -> Any:
        array = numbers(source, None if columns is None else len(columns))
        if array.ndim == 1:
            array = array[:, np.newaxis]
        if array.ndim != 2:
            raise InvalidError(f"an array of rows has one row per record: shape {array.shape} has {array.ndim} axes, not 2")
        width = array.shape[1]
        names = [f"x{i}" for i in range(width)] if columns is None else [str(name) for name in columns]
        if len(names) != width:
            raise InvalidError(f"columns has {len(names)} names for an array of {width} columns")
        return self._from_matrices([array], names)

    @classmethod
    def _side_by_side(cls, arrays: Sequence[np.ndarray[Any, Any]], names: Sequence[str]) -> Rows:
        """Rows of arrays of one type, as :func:`numbers` makes them, which are read where they are."""
        rows: Rows = cls.__new__(cls)
        rows._keep, rows._if_empty = [], None
        renew_lock_after_fork(rows)
        pointer = rows._from_matrices([one[:, np.newaxis] if one.ndim == 1 else one for one in arrays], names)
        rows._pointer = owned(pointer, lib.sfm_rows_destroy, rows._keep)
        return rows

    def _from_matrices(self, arrays: list[np.ndarray[Any, Any]], names: Sequence[str]) -> Any:
        self._keep += arrays
        self.numeric = True
        array = arrays[0]
        plain = array.dtype == np.float64 and array.dtype.isnative and array.flags.c_contiguous and array.flags.aligned
        if len(arrays) == 1 and plain:
            values = ffi.cast("const double *", array.ctypes.data)
            return create("sfm_rows", lib.sfm_rows_from_array, values, *array.shape, texts(names, self._keep))
        views = ffi.new("sfm_array[]", len(arrays))
        for view, array in zip(views, arrays):
            view.first = ffi.cast("void *", array.ctypes.data)
            view.rows, view.columns = array.shape
            view.row_step, view.column_step = array.strides
            view.kind = array.dtype.kind.encode()
            view.size = array.dtype.itemsize
            view.swapped = not array.dtype.isnative
        return create("sfm_rows", lib.sfm_rows_from_arrays, views, len(arrays), texts(names, self._keep))

    def _from_pandas(self, source: Any, columns: Sequence[str] | None, once: bool) -> Any:
        frame = _frame_of(source, columns)
        if _has_pyarrow():
            return self._from_capsule(_arrow_of(frame), once)
        batch = _without_pyarrow(frame)
        self._keep.append(batch)  # its arrays do not keep themselves alive
        return self._from_batches(iter([batch]), once)

    # ---- Arrow streams ----

    def _from_capsule(self, source: Any, once: bool) -> Any:
        capsule = _exported(source)
        self._keep.append(capsule)
        return self._from_stream(_pointer_in(capsule, b"arrow_array_stream", "struct ArrowArrayStream *"), once)

    def _from_iterator(self, batches: Iterator[Any], columns: Sequence[str] | None, once: bool) -> Any:
        first = next(batches, None)
        if first is None:  # whether that is refused is the library's decision: the number of records may be private
            names = columns or self._if_empty or ["x0"]
            return self._from_array(np.empty((0, len(names))), names)
        if _is_pandas(first) or hasattr(first, "__arrow_c_array__") or hasattr(first, "__arrow_c_stream__"):
            return self._from_batches(_chained(first, batches), once)
        parts = list(_chained(first, batches))
        if all(is_sequence(part) for part in parts):
            return self._from_array([row for part in parts for row in part], columns)
        arrays = [numbers(part, None if columns is None else len(columns)) for part in parts]
        arrays = [one[:, np.newaxis] if one.ndim == 1 else one for one in arrays]
        if len({one.shape[1:] for one in arrays}) > 1:
            raise InvalidError("the batches have different numbers of columns")
        return self._from_array(np.concatenate(arrays), columns)

    def _from_batches(self, batches: Iterator[Any], once: bool) -> Any:
        stream = _Stream(batches)
        self._keep.append(stream)
        return self._from_stream(stream.struct, once)

    def _from_stream(self, stream: Any, once: bool) -> Any:
        chunks = lib.SFM_ARROW_CHUNKS_ONCE if once else lib.SFM_ARROW_CHUNKS_KEEP
        return create("sfm_rows", lib.sfm_rows_from_arrow_stream, stream, chunks)


_examination = threading.local()


@contextlib.contextmanager
def examined(report: Any) -> Iterator[None]:
    """Until it ends, rows that a call of this thread reads are compared with its settings, and not released."""
    before, _examination.report = getattr(_examination, "report", None), report
    try:
        yield
    finally:
        _examination.report = before


def open_libsvm(path: str | os.PathLike[str], dimension: int) -> Rows:
    """Opens libsvm (svmlight) text: one line per record, ``LABEL INDEX:VALUE ...``.

    Parameters
    ----------
    path : path
        Plain, or gzip if its name ends in ``.gz``.
    dimension : int
        The largest index, public: a record with a larger one is ignored.

    Returns
    -------
    Rows

    Examples
    --------
    >>> import os, tempfile
    >>> import sfumato as sf
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.txt")
    >>> with open(path, "w") as file:
    ...     _ = file.write("1 1:0.5 3:1\\n-1 2:0.25\\n")
    >>> sf.open_libsvm(path, 3).columns
    []
    """
    rows: Rows = Rows.__new__(Rows)
    rows._keep = []
    rows.numeric, rows._if_empty = False, None
    renew_lock_after_fork(rows)
    pointer = create("sfm_rows", lib.sfm_rows_open_sparse, path_of(path), int(dimension), lib.SFM_COMPRESSION_BY_NAME)
    rows._pointer = owned(pointer, lib.sfm_rows_destroy)
    return rows


def numbers(source: Any, wanted: int | None = None) -> np.ndarray[Any, Any]:
    """An array that the library can read where it is: numbers of 1, 2, 4 or 8 bytes in any order and steps.

    Values that are masked are empty cells; so are dates that are none. Other types become doubles, those of lists and of
    arrays of objects cell by cell. `wanted` is the number of columns, for lists that do not tell.
    """
    array = table(source, wanted) if is_sequence(source) else np.asanyarray(source)
    if array.dtype.kind == "O":
        array = unmasked(array)
        array = table(array, wanted) if array.ndim == 1 else array
        return floats(array.ravel(), array.size).reshape(array.shape)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind in "USV" or kind == "c":
        what = {"U": "texts", "S": "bytes", "V": "records", "c": "complex numbers"}[kind]
        raise InvalidError(
            f"an array of {what} is not one of numbers: give numbers (float, int, bool, datetime64), or a data frame, "
            "whose columns have types of their own"
        )
    if kind == "m":
        raise InvalidError("durations (timedelta64) have no unit as numbers: divide by one, array / numpy.timedelta64(1, 's')")
    with np.errstate(all="ignore"):  # of numbers too large for a double, which become infinite
        if kind == "M":  # as in Arrow streams: seconds since 1970
            array = np.where(np.ma.getmaskarray(array), np.nan, _seconds(np.ma.getdata(array)))
        elif isinstance(array, np.ma.MaskedArray):
            array = np.where(np.ma.getmaskarray(array), np.nan, np.ma.getdata(array).astype(np.float64))
        elif kind == "b":
            array = array.view(np.uint8)
        elif (kind, size) not in _READ_AS_THEY_ARE:
            array = array.astype(np.float64)
    return np.asarray(array)


# ---- pandas ----


def _frame_of(source: Any, columns: Sequence[str] | None = None) -> Any:
    """A pandas frame whose labels of rows are no column: an Arrow stream would have them as one."""
    import pandas as pd

    if not isinstance(source, (pd.DataFrame, pd.Series, pd.Index)):  # an array of pandas, which has no name
        source = pd.Series(source, name="x0")
        columns = columns or ["x0"]
    frame: Any = source.to_frame() if hasattr(source, "to_frame") else source
    nameless = not isinstance(source, pd.DataFrame) and source.name in (None, "x0")
    if nameless and columns is not None and len(columns) == len(frame.columns):
        frame = frame.set_axis(list(columns), axis=1)
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        raise InvalidError("the data frame has two columns with the same name: rename one")
    return frame.reset_index(drop=True)


def _by_cell(dtype: Any) -> bool:
    """Whether a column of pandas holds any objects: its cells become texts, which say the same values."""
    if str(getattr(dtype, "name", "")) == "category":
        return _by_cell(dtype.categories.dtype)
    return dtype == np.dtype(object) or getattr(dtype, "storage", None) == "python"


def _arrow_of(frame: Any, *, batch: bool = False) -> Any:
    """An Arrow table of a pandas frame. No cell decides the type of its column, nor whether there is a table.

    Of a batch all columns are doubles or texts, since an empty cell would make integers doubles.
    """
    import pyarrow as pa

    arrays = []
    for i, dtype in enumerate(frame.dtypes):
        column = frame.iloc[:, i]
        kind = getattr(dtype, "kind", "O")
        if _by_cell(dtype) or (batch and kind not in "fiub"):
            arrays.append(pa.array(texts_of(column.astype(object)), pa.large_string()))
            continue
        try:
            column = column.to_numpy(dtype=np.float64, na_value=np.nan) if batch else column
            plain = isinstance(dtype, np.dtype) or batch
            arrays.append(pa.array(np.asarray(column)) if plain else pa.array(column, from_pandas=True))
        except Exception:  # what is said of a failure may quote a record
            arrays.append(None)
        if arrays[-1] is None:
            raise InvalidError(f"column {str(frame.columns[i])!r} of the type {dtype} cannot be read: give it another type")
    return pa.table(arrays, names=[str(name) for name in frame.columns])


def _without_pyarrow(frame: Any) -> Columns:
    """A batch of the columns of a pandas frame."""
    columns: dict[str, Any] = {}
    for i, (name, dtype) in enumerate(zip(frame.columns, frame.dtypes)):
        column = frame.iloc[:, i]
        if _by_cell(dtype):
            columns[str(name)] = texts_of(column.astype(object))
        elif isinstance(dtype, np.dtype):
            columns[str(name)] = numbers(column.to_numpy())
        elif getattr(dtype, "kind", "O") in "fiub":
            columns[str(name)] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            raise InvalidError(f"column {str(name)!r} has the type {dtype}, which is read by pyarrow: pip install pyarrow")
    return Columns(columns)


_SECONDS = {"W": 604800, "D": 86400, "h": 3600, "m": 60, "s": 1}
_PARTS = {"ms": 1e3, "us": 1e6, "ns": 1e9, "ps": 1e12, "fs": 1e15, "as": 1e18}


def _seconds(dates: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Seconds since 1970, in doubles: no date is too far away. A date that is none is an empty cell."""
    empty = np.isnat(dates)
    unit, step = np.datetime_data(dates.dtype)
    if unit in ("Y", "M"):  # of different lengths: by the calendar, for a million years
        most = 12 * 10**6 // step if unit == "M" else 10**6 // step
        counts = np.clip(np.where(empty, 0, dates.astype("int64")), -most, most)
        dates, unit, step = counts.astype(dates.dtype).astype("datetime64[D]"), "D", 1
    counts = np.where(empty, 0, dates.astype("int64")).astype(np.float64)
    seconds = counts * step * _SECONDS[unit] if unit in _SECONDS else counts * step / _PARTS.get(unit, np.nan)
    return np.where(empty, np.nan, seconds)


def _is_pandas(source: Any) -> bool:
    return type(source).__module__.split(".")[0] == "pandas"


def _has_pyarrow() -> bool:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def _chained(first: Any, rest: Iterable[Any]) -> Iterator[Any]:
    yield first
    yield from rest


def _exported(source: Any) -> Any:
    """The Arrow stream of a frame. What an exporter says of a failure may quote a record, so it is not repeated."""
    try:
        return source.__arrow_c_stream__()
    except Exception as raised:
        kind = type(raised).__name__
    raise InvalidError(
        f"{type(source).__name__} could not give an Arrow stream ({kind}); columns of mixed types are a usual reason: "
        "state the type of each column to the frame"
    )


_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = (ctypes.py_object, ctypes.c_char_p)


def _pointer_in(capsule: Any, name: bytes, kind: str) -> Any:
    return ffi.cast(kind, _capsule_pointer(capsule, name))


class _Stream:
    """An Arrow stream of the batches of an iterator, which must all have the types of the first."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self.pairs = (pair for batch in batches for pair in _structs(batch))
        self.first: tuple[Any, Any, Any] | None = None
        self.types: Any = None
        self.message = ffi.new("char[]", b"a batch failed, or has other types than the first one")
        self.handle = ffi.new_handle(self)
        self.struct = ffi.new("struct ArrowArrayStream *")
        self.struct.get_schema = _get_schema
        self.struct.get_next = _get_next
        self.struct.get_last_error = _get_last_error
        self.struct.release = _release
        self.struct.private_data = self.handle


def _structs(batch: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The schema and the array of each chunk of a batch, and what keeps both alive; no array if there is no chunk."""
    if _is_pandas(batch) and not _has_pyarrow():
        batch = _without_pyarrow(_frame_of(batch))
    if isinstance(batch, Columns):
        yield batch.schema, batch.array, batch
        return
    if hasattr(batch, "__arrow_c_array__"):
        capsules = batch.__arrow_c_array__()
        schema = _pointer_in(capsules[0], b"arrow_schema", "struct ArrowSchema *")
        array = _pointer_in(capsules[1], b"arrow_array", "struct ArrowArray *")
        if schema.release == ffi.NULL or array.release == ffi.NULL:
            raise InvalidError("a batch was given away before")
        yield schema, array, capsules
        return
    capsule = _exported(_arrow_of(_frame_of(batch), batch=True) if _is_pandas(batch) else batch)
    stream = _pointer_in(capsule, b"arrow_array_stream", "struct ArrowArrayStream *")
    for chunk in itertools.count():
        described, array = ffi.new("struct ArrowSchema *"), ffi.new("struct ArrowArray *")
        if stream.get_schema(stream, described) or stream.get_next(stream, array):
            raise InvalidError("a batch could not be read")
        ended = array.release == ffi.NULL
        try:
            if not ended or chunk == 0:
                yield described, None if ended else array, capsule
            if ended:
                return
        finally:
            for struct in (described, array):
                if struct.release != ffi.NULL:
                    struct.release(struct)


def _types(schema: Any) -> Any:
    """The format of a column and of those below it, whose names matter."""
    return (
        ffi.string(schema.format),
        tuple(ffi.string(schema.children[i].name) if schema.children[i].name else b"" for i in range(schema.n_children)),
        tuple(_types(schema.children[i]) for i in range(schema.n_children)),
        None if schema.dictionary == ffi.NULL else _types(schema.dictionary),
    )


_EIO = 5


def _failed(_kind: type[BaseException], raised: BaseException, _trace: Any) -> None:
    interrupted(raised)


@callback("int(struct ArrowArrayStream *, struct ArrowSchema *)", error=_EIO, onerror=_failed)
def _get_schema(stream: Any, out: Any) -> int:
    self: _Stream = ffi.from_handle(stream.private_data)
    self.first = next(self.pairs, None)
    if self.first is None:
        return _EIO
    schema = self.first[0]
    self.types = _types(schema)
    ffi.memmove(out, schema, ffi.sizeof("struct ArrowSchema"))
    schema.release = ffi.NULL  # moved
    return 0


@callback("int(struct ArrowArrayStream *, struct ArrowArray *)", error=_EIO, onerror=_failed)
def _get_next(stream: Any, out: Any) -> int:
    self: _Stream = ffi.from_handle(stream.private_data)
    following, self.first = self.first, None
    while following is None or following[1] is None:
        following = next(self.pairs, None)
        if following is None:
            break
        if _types(following[0]) != self.types:
            return _EIO
    if following is None:
        ffi.memmove(out, ffi.new("struct ArrowArray *"), ffi.sizeof("struct ArrowArray"))
        return 0
    array = following[1]
    ffi.memmove(out, array, ffi.sizeof("struct ArrowArray"))
    array.release = ffi.NULL  # moved
    return 0


@callback("const char *(struct ArrowArrayStream *)", onerror=_failed)
def _get_last_error(stream: Any) -> Any:
    self: _Stream = ffi.from_handle(stream.private_data)
    return self.message


@callback("void(struct ArrowArrayStream *)", onerror=released)
def _release(stream: Any) -> None:
    stream.release = ffi.NULL


def count(rows: Rows) -> int:
    """The number of records, which is public under replace neighbours: line ends, not interpreted."""
    out = ffi.new("uint64_t *")
    with rows.borrow() as pointer:
        call(lib.sfm_rows_count, pointer, out)
    return int(out[0])


__all__ = ["Rows", "RowsLike", "number", "numbers", "open_libsvm", "utf8"]
