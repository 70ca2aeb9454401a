"""Columns of numbers and of texts as an Arrow stream, which needs no other package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sfumato._library import callback, ffi, released


@callback("void(struct ArrowSchema *)", onerror=released)
def _release_schema(schema: Any) -> None:
    schema.release = ffi.NULL


@callback("void(struct ArrowArray *)", onerror=released)
def _release_array(array: Any) -> None:
    array.release = ffi.NULL


class Columns:
    """One batch: columns of numbers and of texts, by name. It owns all that it points to.

    Parameters
    ----------
    columns : dict
        By name an array of numbers, or a list of texts.
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._keep: list[Any] = []
        self.columns = list(columns)
        self._length = len(next(iter(columns.values()), ()))
        made = [self._texts(one) if isinstance(one, list) else self._numbers(one) for one in columns.values()]
        schemas = [self._schema(b"U" if len(buffers) == 3 else b"g", name) for buffers, name in zip(made, columns)]
        self.array = self._array([None], [self._array(buffers) for buffers in made])
        self.schema = self._schema(b"+s", "", schemas)

    def _numbers(self, column: np.ndarray[Any, Any]) -> list[Any]:
        return [None, np.ascontiguousarray(column, dtype=np.float64)]

    def _texts(self, column: list[str]) -> list[Any]:
        encoded = [one.encode("utf-8", "replace") for one in column]
        offsets = np.zeros(self._length + 1, dtype=np.int64)
        np.cumsum([len(one) for one in encoded], out=offsets[1:])
        return [None, offsets, np.frombuffer(b"".join(encoded) + b"\0", dtype=np.uint8)]

    def _new(self, kind: str, value: Any = None) -> Any:
        made = ffi.new(kind) if value is None else ffi.new(kind, value)
        self._keep.append(made)
        return made

    def _schema(self, form: bytes, name: str, children: Sequence[Any] = ()) -> Any:
        schema = self._new("struct ArrowSchema *")
        schema.format, schema.name = self._new("char[]", form), self._new("char[]", name.encode("utf-8"))
        schema.n_children, schema.release = len(children), _release_schema
        schema.children = self._new("struct ArrowSchema *[]", list(children)) if children else ffi.NULL
        return schema

    def _array(self, buffers: Sequence[Any], children: Sequence[Any] = ()) -> Any:
        self._keep.append(buffers)
        array = self._new("struct ArrowArray *")
        pointers = [ffi.NULL if one is None else ffi.cast("void *", one.ctypes.data) for one in buffers]
        array.length, array.n_buffers, array.n_children = self._length, len(buffers), len(children)
        array.buffers = self._new("const void *[]", pointers)
        array.children = self._new("struct ArrowArray *[]", list(children)) if children else ffi.NULL
        array.release = _release_array
        return array


__all__ = ["Columns"]
