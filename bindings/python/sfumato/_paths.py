"""Where the package keeps what is compiled."""

import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / "_native"
#: The loader finds what the library needs beside it.
LIBRARY = next(FOLDER.glob("lib/libsfumato*"), FOLDER / "lib" / "libsfumato.so")
COMMAND = FOLDER / "bin" / "sfumato"
