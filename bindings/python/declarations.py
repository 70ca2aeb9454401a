#!/usr/bin/env python3
"""Writes the declarations of sfumato's public headers as a module of cffi (out of line, ABI mode).

    declarations.py HEADERS OUTPUT [COMPILER]

HEADERS is the folder that has sfumato/sfumato.h.  The preprocessor reads them; what it leaves are
declarations that cffi parses, but for inline functions.  Constants that are macros come with them.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SYSTEM = ("stdbool.h", "stddef.h", "stdint.h", "stdio.h")


def preprocess(compiler, headers, *options):
    with tempfile.TemporaryDirectory() as folder:
        for name in SYSTEM:  # cffi knows their types
            (pathlib.Path(folder) / name).touch()
        source = pathlib.Path(folder) / "all.c"
        source.write_text("#include <sfumato/sfumato.h>\n", encoding="utf-8")
        return subprocess.run(
            [
                compiler,
                "-E",
                "-P",
                "-undef",
                "-nostdinc",
                "-D__attribute__(x)=",
                "-I",
                folder,
                "-I",
                str(headers),
                *options,
                str(source),
            ],
            check=True,
            capture_output=True,
            text=True,
        ).stdout


def declarations(compiler, headers):
    text = preprocess(compiler, headers)
    text = re.sub(r"static inline [^{;]*\{[^}]*\}", "", text)
    if "{" in re.sub(r"(struct|enum|union)\s*\w*\s*\{", "", text):
        raise SystemExit("declarations: a function with a body is left in the headers")
    macros = []
    for line in preprocess(compiler, headers, "-dM").splitlines():
        found = re.fullmatch(r"#define (SFM_\w+|ARROW_\w+) \(?(-?\d+)\)?", line)
        if found:
            macros.append(f"#define {found[1]} {found[2]}")
    return text + "\n".join(macros) + "\n"


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    import cffi

    headers, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    ffi = cffi.FFI()
    ffi.cdef(declarations(sys.argv[3] if len(sys.argv) == 4 else "cc", headers))
    ffi.set_source("sfumato._declarations", None)
    output.parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_python_code(str(output))


if __name__ == "__main__":
    main()
