"""A million rows of four types from an Arrow stream, beside pyarrow's own sums of the same columns.

    frames.py LIBRARY
"""
import ctypes
import json
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

ROWS, TIMES = 1_000_000, 9
SCHEMA = json.dumps({"fields": [{"name": name, "type": "number", "constraints": {"minimum": 0, "maximum": 100}}
                                for name in "abcd"]}).encode()


def stream_of(table):
    capsule = table.__arrow_c_stream__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return capsule, get(capsule, b"arrow_array_stream")


def sum_with_pyarrow(table):
    return [float(pc.sum(pc.cast(c, pa.float64()) if pa.types.is_string(c.type) else c).as_py()) for c in table.columns]


def main():
    pa.set_cpu_count(1)
    library = ctypes.CDLL(sys.argv[1])
    library.sum_stream.restype = ctypes.c_double
    library.sum_stream.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    draw = np.random.default_rng(1)
    columns = {"int32": pa.array(draw.integers(0, 100, ROWS), type=pa.int32()),
               "int64": pa.array(draw.integers(0, 100, ROWS)),
               "double": pa.array(draw.random(ROWS) * 100),
               "float": pa.array((draw.random(ROWS) * 100).astype("f4")),
               "decimal": pa.array(np.round(draw.random(ROWS) * 100, 2)).cast(pa.decimal128(12, 2)),
               "string": pa.array([f"{v:.3f}" for v in draw.random(ROWS) * 100])}
    for names in (("int32", "double", "decimal", "string"), ("int32", "int64", "double", "string"),
                  ("int32", "int64", "double", "decimal"), ("int32", "int64", "float", "double")):
        table = pa.table([columns[name] for name in names], names=list("abcd"))
        ours, theirs, sums = [], [], (ctypes.c_double * 4)()
        for _ in range(TIMES):
            capsule, pointer = stream_of(table)
            ours.append(library.sum_stream(pointer, SCHEMA, sums))
            del capsule
            start = time.perf_counter()
            wanted = sum_with_pyarrow(table)
            theirs.append(time.perf_counter() - start)
        if min(ours) < 0 or any(abs(a - b) > 1e-9 * b for a, b in zip(sums, wanted)):
            sys.exit("frames: other sums")
        print(f"a million rows of {', '.join(names)}: pyarrow {1e3 * min(theirs):.2f} ms, "
              f"sfumato {1e3 * min(ours):.2f} ms: {min(ours) / min(theirs):.2f} x the time (wanted under 3 x)")


if __name__ == "__main__":
    main()
