"""Cells of any type, one by one: what becomes of a cell depends on that cell alone, and no cell raises."""

from __future__ import annotations

import array
import datetime
import decimal
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

_SINGLE = frozenset((float, int, bool, str, type(None)))
_NO_ROWS = (str, bytes, bytearray, memoryview, array.array)
_NO_NUMBERS = (complex, np.complexfloating, np.ndarray, np.datetime64, np.timedelta64, datetime.timedelta)


def is_sequence(source: Any) -> bool:
    """Whether this is a list, a tuple or the like of cells, and not one cell or a buffer of numbers."""
    return isinstance(source, Sequence) and not isinstance(source, _NO_ROWS)


def number(one: Any) -> float:
    """A cell as a number; what is none is an empty cell."""
    if one is np.ma.masked or isinstance(one, _NO_NUMBERS):
        return np.nan
    try:
        return float(one)
    except Exception:
        return np.nan


def text(one: Any) -> str:
    """A cell as a text, which says the same value as the cell; "" where it is empty, or has others in it."""
    try:
        if isinstance(one, str):
            return one.encode("utf-8", "replace").decode("utf-8")
        if isinstance(one, (bool, np.bool_)):
            return "true" if one else "false"
        if isinstance(one, (float, np.floating)):
            return "" if one != one else str(int(one)) if float(one).is_integer() else repr(float(one))
        if isinstance(one, (bytes, bytearray)):
            return one.decode("utf-8", "replace")
        if isinstance(one, (datetime.date, datetime.time, np.datetime64)):
            said = str(one) if isinstance(one, np.datetime64) else one.isoformat()
            return "" if said == "NaT" else said
        if isinstance(one, decimal.Decimal):
            return str(one) if one.is_finite() else ""
        if _is_empty(one):
            return ""
        return text(str(one))
    except Exception:
        return ""


def _is_empty(one: Any) -> bool:
    nested = (Sequence, Mapping, Set, memoryview, array.array)
    if one is None or one is np.ma.masked or isinstance(one, (*nested, *_NO_NUMBERS)):
        return True
    return type(one).__name__ in ("NAType", "NaTType") or (hasattr(one, "__array__") and not isinstance(one, np.generic))


def floats(cells: Iterable[Any], count: int) -> np.ndarray[Any, Any]:
    """Cells as numbers."""
    with np.errstate(all="ignore"):  # of wide numbers, which become infinite
        return np.fromiter((number(one) for one in cells), dtype=np.float64, count=count)


def texts(cells: Iterable[Any]) -> list[str]:
    """Cells as texts."""
    with np.errstate(all="ignore"):
        return [one if type(one) is str and one.isascii() else text(one) for one in cells]


def table(source: Any, wanted: int | None = None) -> np.ndarray[Any, Any]:
    """An array of objects from a sequence of cells, or of rows of cells.

    Its shape is that of most of them, so that none decides it; what has another shape is empty. `wanted` is the width if
    two are equally frequent, and if there are no rows.
    """
    rows = list(source)
    widths = [_width(row) for row in rows]
    counts = Counter(widths)
    if not counts:
        return np.empty((0,) if wanted is None or wanted < 0 else (0, wanted), dtype=object)
    width = max(counts, key=lambda one: (counts[one], one == wanted, one))
    if width < 0:
        cells: Iterable[Any] = (row if has < 0 else None for row, has in zip(rows, widths))
        return np.fromiter(cells, dtype=object, count=len(rows))
    empty = [None] * width
    cells = (cell for row, has in zip(rows, widths) for cell in (_listed(row, width) if has == width else empty))
    return np.fromiter(cells, dtype=object, count=len(rows) * width).reshape(len(rows), width)


def _width(row: Any) -> int:
    """How many cells a row has; -1: it is one cell."""
    if type(row) in _SINGLE or isinstance(row, np.generic):
        return -1
    if is_sequence(row) or isinstance(row, array.array) or hasattr(row, "__array__"):
        try:
            return len(row)
        except Exception:  # an array of no axes
            return -1
    return -1


def _listed(row: Any, width: int) -> list[Any]:
    try:
        cells = list(row)
    except Exception:
        return [None] * width
    return cells if len(cells) == width else [None] * width


def unmasked(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array of objects whose masked cells are None."""
    if not isinstance(array, np.ma.MaskedArray):
        return array
    plain = np.array(np.ma.getdata(array), dtype=object)
    plain[np.ma.getmaskarray(array)] = None
    return plain


__all__ = ["floats", "is_sequence", "number", "table", "text", "texts", "unmasked"]
