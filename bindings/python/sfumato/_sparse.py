"""Sparse rows that are public, and kernels that are known by their matrices alone."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from sfumato._library import InvalidError, call, ffi, lib, path_of, whole
from sfumato._request import array_of

Array = Any


class Sparse(NamedTuple):
    """Public rows of libsvm text.

    The arrays are those of ``scipy.sparse.csr_array((data, indices, indptr), shape=shape)``, whose own matrices can be
    given wherever these can. A label is NaN where the line has none.

    Examples
    --------
    >>> import sfumato as sf
    >>> rows = sf.Sparse(data=[0.5, 1.0], indices=[0, 2], indptr=[0, 2], shape=(1, 3), labels=[1.0])
    >>> rows.shape
    (1, 3)
    """

    data: Array
    indices: Array
    indptr: Array
    shape: tuple[int, int]
    labels: Array


def read_libsvm(path: str | os.PathLike[str], dimension: int) -> Sparse:
    """Read a PUBLIC file of libsvm text, for example points at which a machine is evaluated.

    Private rows are opened by :func:`open_libsvm`, which shows nothing of them.

    Parameters
    ----------
    path : path
        Plain, or gzip.
    dimension : int
        The largest index.

    Returns
    -------
    Sparse

    Examples
    --------
    >>> import os, tempfile
    >>> import sfumato as sf
    >>> path = os.path.join(tempfile.mkdtemp(), "points.txt")
    >>> with open(path, "w") as file:
    ...     _ = file.write("1 1:0.5 3:1\\n-1 2:0.25\\n")
    >>> points = sf.read_libsvm(path, 3)
    >>> points.indices.tolist(), points.labels.tolist()
    ([0, 2, 1], [1.0, -1.0])
    """
    kinds = ("size_t **", "uint32_t **", "double **", "double **", "size_t *")
    starts, indices, values, labels, count = made = [ffi.new(kind) for kind in kinds]
    call(lib.sfm_sparse_read, path_of(path), whole(dimension, "dimension"), *made)
    try:

        def taken(pointer: Any, kind: type, length: int) -> Array:
            data = ffi.buffer(pointer[0], length * np.dtype(kind).itemsize) if length else b""
            return np.frombuffer(data, dtype=kind).copy()

        indptr = taken(starts, np.uintp, count[0] + 1).astype(np.int64)
        cells = int(indptr[-1])
        numbers, at = taken(values, np.float64, cells), taken(indices, np.uint32, cells)
        return Sparse(numbers, at.astype(np.int64), indptr, (int(count[0]), int(dimension)), taken(labels, np.float64, count[0]))
    finally:
        for pointer in (starts, indices, values, labels):
            lib.sfm_free(pointer[0])


class SparseParts(NamedTuple):
    """Sparse rows as C reads them."""

    starts: Array
    indices: Array
    numbers: Array
    rows: int

    def pointers(self) -> tuple[Any, Any, Any, int]:
        kinds = ("size_t *", "uint32_t *", "double *")
        arrays = (self.starts, self.indices, self.numbers)
        starts, indices, numbers = (ffi.cast(kind, array.ctypes.data) for kind, array in zip(kinds, arrays))
        return starts, indices, numbers, self.rows


def is_sparse(x: Any) -> bool:
    return hasattr(x, "tocsr") or isinstance(x, Sparse)


def sparse_parts(x: Any, dimension: int | None, name: str) -> SparseParts:
    """Sparse rows, or all coordinates of an array, of this many coordinates (None: any number)."""
    if not is_sparse(x):
        rows = np.atleast_2d(np.asarray(x, dtype=np.float64))
        if rows.ndim != 2 or dimension not in (None, rows.shape[1]):
            raise InvalidError(f"{name} has shape {rows.shape}: a row has {dimension} coordinates")
        count, width = rows.shape
        starts, indices = np.arange(count + 1) * width, np.tile(np.arange(width), count)
        return SparseParts(starts.astype(np.uintp), indices.astype(np.uint32), np.ascontiguousarray(rows).ravel(), count)
    found = x.tocsr() if hasattr(x, "tocsr") else x
    if hasattr(found, "sorted_indices"):
        found = found.sorted_indices()
    if dimension not in (None, found.shape[1]):
        raise InvalidError(f"{name} has rows of {found.shape[1]} coordinates: they are {dimension}")
    starts, indices = np.asarray(found.indptr), np.asarray(found.indices)
    numbers = array_of(found.data, name, (None,))
    steps = np.diff(starts) if starts.ndim == 1 and len(starts) else np.array([-1])
    if steps.min(initial=0) < 0 or starts[0] != 0 or not starts[-1] == len(indices) == len(numbers):
        raise InvalidError(f"{name} is not sparse rows: indptr does not divide its numbers")
    if len(indices) and (indices.min() < 0 or indices.max() >= found.shape[1]):
        raise InvalidError(f"{name} has an index that is not one of its {found.shape[1]} coordinates")
    return SparseParts(starts.astype(np.uintp), indices.astype(np.uint32), numbers, len(starts) - 1)


class GramCheck(NamedTuple):
    """PRIVATE: how well the matrices of a kernel are as assumed. For the owner alone.

    ``above`` records have K(x, x) above kappa^2, and ``dropped`` are ignored in all; ``unreadable`` entries are not
    numbers; ``lopsided`` is the largest difference of a pair of entries and ``least`` the least eigenvalue of all
    matrices together, both over kappa^2; ``fits`` whether that eigenvalue is as assumed.
    """

    above: int
    dropped: int
    unreadable: int
    lopsided: float
    least: float
    fits: bool


class Gram(NamedTuple):
    """A kernel of your own, by its matrices: for ``train(method="tddl", gram=...)``. The first two are PRIVATE.

    The guarantee assumes, and nothing checks, that all come from one kernel, for these records and for any other in the
    place of one of them.

    Parameters
    ----------
    train : array
        Between the records, in the order of the rows.
    cross : array
        Between the records and the public points.
    between : array
        Between the public points.
    kappa : float
        K(x, x) is at most its square for every possible record: your claim.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> x, public = np.linspace(-1, 1, 400)[:, None], np.linspace(-1, 1, 5)[:, None]
    >>> k = lambda a, b: np.exp(-((a - b.T) ** 2))
    >>> gram = sf.Gram(k(x, x), k(x, public), k(public, public), kappa=1)
    >>> gram.check().fits
    True
    >>> rows = sf.Rows(np.where(x > 0, 1, -1), ["y"])
    >>> m = sf.train(rows, "y", method="tddl", gram=gram, classes=[-1, 1], epsilon=4, delta=1e-6, seed=1)
    >>> m.decision_function(k(np.array([[0.5]]), public)).shape
    (1,)
    """

    train: Any
    cross: Any
    between: Any
    kappa: float

    def _as_c(self, keep: list[Any]) -> Any:
        """What the library borrows; `keep` owns it."""
        rows, points = len(self.train), len(self.between)
        shapes = {"train": (rows, rows), "cross": (rows, points), "between": (points, points)}
        made = ffi.new("sfm_gram *")
        made.rows, made.points, made.kappa = rows, points, float(self.kappa)
        for name, shape in shapes.items():
            array = array_of(getattr(self, name), f"gram.{name}", shape)
            keep.append(array)
            setattr(made, name, ffi.cast("double *", array.ctypes.data))
        keep.append(made)
        return made

    def check(self) -> GramCheck:
        """Compare the matrices with what is assumed of them. The result is private: for the owner alone.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> sf.Gram(2 * np.eye(3), np.zeros((3, 1)), np.eye(1), kappa=1).check().above
        3
        """
        keep: list[Any] = []
        out = ffi.new("sfm_gram_report *")
        call(lib.sfm_gram_check, out, self._as_c(keep))
        counts = (int(out.above), int(out.dropped), int(out.unreadable))
        return GramCheck(*counts, out.lopsided, out.least, bool(out.fits))


__all__ = ["Gram", "GramCheck", "Sparse", "SparseParts", "is_sparse", "read_libsvm", "sparse_parts"]
