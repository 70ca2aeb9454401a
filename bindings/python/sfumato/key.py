"""Keys of datasets, for those who read a part of the rows elsewhere."""

from __future__ import annotations

import os
from typing import Any

from sfumato._library import call, create, ffi, lib, owned, path_of, text


class Key:
    """The key of a dataset. PRIVATE: only those who may read the rows may have it, and it cannot be withdrawn.

    A ledger recognises its rows by a fingerprint under this key; by it persons are divided among parts. It charges
    nothing, and has nothing to do with noise. :meth:`Dataset.key` makes it.

    Examples
    --------
    >>> import os, tempfile
    >>> import sfumato as sf
    >>> folder = tempfile.mkdtemp()
    >>> ledger = sf.Ledger.create(os.path.join(folder, "l.db"), "visits", epsilon=2)
    >>> key = ledger.dataset("visits").key()
    >>> key.write(os.path.join(folder, "visits.key"))
    >>> sf.Key.read(os.path.join(folder, "visits.key")).dataset
    'visits'
    """

    def __init__(self, pointer: Any) -> None:
        self._pointer = owned(pointer, lib.sfm_key_destroy)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Key:
        """Read a file of :meth:`write` or of ``sfumato ledger key``.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> folder = tempfile.mkdtemp()
        >>> ledger = sf.Ledger.create(os.path.join(folder, "l.db"), "visits", epsilon=2)
        >>> ledger.dataset("visits").key().write(os.path.join(folder, "visits.key"))
        >>> sf.Key.read(os.path.join(folder, "visits.key"))
        <sfumato key of 'visits': PRIVATE>
        """
        return cls(create("sfm_key", lib.sfm_key_read, path_of(path)))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write it to a new file, for its owner alone (mode 0600).

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> folder = tempfile.mkdtemp()
        >>> key = sf.Ledger.create(os.path.join(folder, "l.db"), "visits", epsilon=2).dataset("visits").key()
        >>> key.write(os.path.join(folder, "visits.key"))
        >>> sf.Key.read(os.path.join(folder, "visits.key")).to_text() == key.to_text()
        True
        """
        call(lib.sfm_key_write, self._pointer, path_of(path))

    def to_text(self) -> str:
        """The same as text, for a program that sends it to others by itself: PRIVATE, as every copy is.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> folder = tempfile.mkdtemp()
        >>> key = sf.Ledger.create(os.path.join(folder, "l.db"), "visits", epsilon=2).dataset("visits").key()
        >>> sf.Key.from_text(key.to_text()).dataset
        'visits'
        """
        out, length = ffi.new("char **"), ffi.new("size_t *")
        call(lib.sfm_key_to_text, self._pointer, out, length)
        try:
            return str(ffi.string(out[0], length[0]).decode("utf-8"))
        finally:
            lib.sfm_key_text_free(out[0])

    @classmethod
    def from_text(cls, data: str) -> Key:
        """The key of a text of :meth:`to_text`.

        Examples
        --------
        >>> import os, tempfile
        >>> import sfumato as sf
        >>> folder = tempfile.mkdtemp()
        >>> key = sf.Ledger.create(os.path.join(folder, "l.db"), "visits", epsilon=2).dataset("visits").key()
        >>> sf.Key.from_text(key.to_text())
        <sfumato key of 'visits': PRIVATE>
        """
        raw = data.encode("utf-8")
        return cls(create("sfm_key", lib.sfm_key_from_text, raw, len(raw)))

    @property
    def dataset(self) -> str:
        """The name of its dataset."""
        return text(lib.sfm_key_dataset(self._pointer))

    def __reduce__(self) -> Any:
        raise TypeError("a key is private, so it is not pickled: send key.to_text(), and wipe it, or its file")

    def __repr__(self) -> str:
        return f"<sfumato key of {self.dataset!r}: PRIVATE>"


__all__ = ["Key"]
