"""Frames of pyarrow, pandas, polars and DuckDB, in many types and chunks: releases of all of them are the
same as those of the CSV file with the same rows.  The last line is "N passed, N failed".

    arrow_producers.py PROBE_LIBRARY FOLDER
"""
import ctypes
import decimal
import json
import pathlib
import random
import sys

FACTS = {
    "fields": [
        {"name": "id", "type": "integer"},
        {"name": "age", "type": "number", "constraints": {"minimum": 0, "maximum": 100}},
        {"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}},
        {"name": "ward", "type": "integer", "constraints": {"enum": [3, 7, 20]}},
        {"name": "flag", "type": "boolean"},
    ], "person": "id"}
# Records are chosen by their bytes, which are others in a frame: where all are kept its releases are those
# of the CSV, and where two of a person are, those of the first frame.
ALL, TWO = (json.dumps(dict(FACTS, contributions=number)) for number in (50, 2))
NAMES = ["id", "age", "sex", "ward", "flag"]
ROWS = 3000


def make_rows():
    draw = random.Random(5)
    rows = []
    for _ in range(ROWS):
        rows.append((draw.choice([None] + list(range(2000))),
                     draw.choice([None, 150.0, draw.randrange(0, 400) / 4, float(draw.randrange(100))]),
                     draw.choice(["F", "M", "X", None]),
                     draw.choice([3, 7, 20, 4, None]),
                     draw.choice([True, False, None])))
    return rows


class Probe:
    def __init__(self, library, folder):
        self.library = ctypes.CDLL(library)
        self.library.probe.argtypes = [ctypes.c_void_p] + [ctypes.c_char_p] * 4
        self.folder = pathlib.Path(folder)
        self.wanted = self.first = None
        self.passed = self.failed = 0

    def files(self, name):
        """The releases, but for how ids are compared, which they state."""
        made = []
        for kind in (".density", ".count", ".table"):
            release = json.loads((self.folder / (name + kind)).read_text())
            ids = release["guarantee"].pop("person_ids")
            if ids != ("number" if name == "csv" else "value"):
                raise RuntimeError(f"ids are compared as {ids}")
            release["guarantee"].pop("sentence")
            made.append(release)
        return made

    def run(self, pointer, csv, name, schema=ALL):
        message = ctypes.create_string_buffer(1024)
        out = str(self.folder / name).encode()
        status = self.library.probe(pointer, csv, schema.encode(), out, message)
        if status:
            raise RuntimeError(message.value.decode())
        return self.files(name)

    def same(self, name, frame, wanted=True, two=True):
        """frame: whatever has __arrow_c_stream__; wanted: whether its releases are those of the CSV; two:
        whether it can be read twice and has no other columns."""
        try:
            same = self.run(stream_of(frame), None, "frame") == self.wanted
            made = self.run(stream_of(frame), None, "frame", TWO) if two else self.first
            self.first = self.first or made
            good = (same and made == self.first) == wanted
            said = "other releases" if wanted else "the same releases"
        except Exception as error:  # pylint: disable=broad-except
            good, said = False, str(error)
        self.passed += good
        self.failed += not good
        if not good:
            print(f"arrow: {name}: {said}")


def stream_of(frame):
    """The address of the stream in a capsule, which stream_of keeps alive until the next call."""
    capsule = frame.__arrow_c_stream__()
    stream_of.capsule = capsule
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, b"arrow_array_stream")


def write_csv(path, rows):
    def cell(value):
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    lines = [",".join(NAMES)] + [",".join(map(cell, row)) for row in rows]
    path.write_text("\n".join(lines) + "\n")


def with_pyarrow(probe, rows):
    import pyarrow as pa
    columns = list(zip(*rows))

    def texts(values):
        return [None if v is None else str(v).lower() if isinstance(v, bool) else str(v) for v in values]

    ages = {"float64": (columns[1], pa.float64()), "string": (texts(columns[1]), pa.string()),
            "string_view": (texts(columns[1]), pa.string_view()),
            "decimal128": ([None if v is None else decimal.Decimal(str(v)) for v in columns[1]], pa.decimal128(20, 4)),
            "decimal256": ([None if v is None else decimal.Decimal(str(v)) for v in columns[1]], pa.decimal256(60, 9)),
            "float32": (columns[1], pa.float32())}
    ids = {"int64": (columns[0], pa.int64()), "int32": (columns[0], pa.int32()), "uint16": (columns[0], pa.uint16()),
           "double": (columns[0], pa.float64()), "string": (texts(columns[0]), pa.string()),
           "padded": ([None if v is None else f"{v:08d}" for v in columns[0]], pa.large_string())}
    sexes = {"string": pa.string(), "large_string": pa.large_string(), "string_view": pa.string_view(),
             "binary": pa.binary(), "dictionary": pa.dictionary(pa.int8(), pa.string()),
             "large dictionary": pa.dictionary(pa.int64(), pa.large_string())}
    wards = {"int8": (columns[3], pa.int8()), "uint64": (columns[3], pa.uint64()), "double": (columns[3], pa.float64()),
             "string": (texts(columns[3]), pa.string()), "half": (columns[3], pa.float16())}
    flags = {"bool": (columns[4], pa.bool_()), "string": (texts(columns[4]), pa.string()),
             "int": ([None if v is None else int(v) for v in columns[4]], pa.int32())}

    def table(age="float64", who="int64", sex="string", ward="int8", flag="bool"):
        arrays = [pa.array(*ids[who]), pa.array(*ages[age]),
                  pa.array(columns[2], type=pa.string()).cast(sexes[sex]) if sex != "dictionary" and "dict" not in sex
                  else pa.array(columns[2], type=pa.string()).dictionary_encode().cast(sexes[sex]),
                  pa.array(*wards[ward]), pa.array(*flags[flag])]
        return pa.table(arrays, names=NAMES)

    for part, choices in (("age", ages), ("who", ids), ("sex", sexes), ("ward", wards), ("flag", flags)):
        for choice in choices:
            probe.same(f"pyarrow, {part} as {choice}", table(**{part: choice}))
    plain = table()
    for size in (1, 7, 1000):
        chunks = pa.Table.from_batches(plain.to_batches(max_chunksize=size))
        probe.same(f"pyarrow, chunks of {size}", chunks)
    pieces = [plain.slice(start, 500) for start in range(0, ROWS, 500)]
    probe.same("pyarrow, slices", pa.concat_tables(pieces))
    probe.same("pyarrow, a reader", pa.RecordBatchReader.from_batches(plain.schema, plain.to_batches(max_chunksize=64)), two=False)
    other = list(columns[1])
    other[17] = 99.0 if other[17] != 99.0 else 1.0
    other = plain.set_column(1, "age", pa.array(other, type=pa.float64()))
    probe.same("pyarrow, another value in one row", other, wanted=False)
    nested = plain.append_column("more", pa.array([[1, 2]] * ROWS))
    probe.same("pyarrow, with a nested column", nested, two=False)


def with_pandas(probe, rows):
    import pandas as pd
    frame = pd.DataFrame(rows, columns=NAMES)
    probe.same("pandas, as it guesses", frame)
    typed = frame.astype({"id": "Int64", "sex": "category", "ward": "Int16", "flag": "boolean"})
    probe.same("pandas, nullable types and categories", typed)
    text = frame.astype("object").where(frame.notna(), None)
    text["ward"] = [None if v is None else str(int(v)) for v in text["ward"]]
    text["age"] = [None if v is None else str(v) for v in text["age"]]
    probe.same("pandas, texts", text)
    probe.same("pandas, read from CSV", pd.read_csv(probe.folder / "rows.csv"))


def with_polars(probe, rows):
    import polars as pl
    frame = pl.DataFrame(rows, schema=NAMES, orient="row")
    probe.same("polars", frame)
    probe.same("polars, categories", frame.with_columns(pl.col("sex").cast(pl.Categorical)))
    probe.same("polars, texts", frame.with_columns(pl.col("age").cast(pl.String), pl.col("id").cast(pl.String)))
    probe.same("polars, narrow", frame.with_columns(pl.col("ward").cast(pl.Int8), pl.col("id").cast(pl.UInt16)))
    probe.same("polars, read from CSV", pl.read_csv(probe.folder / "rows.csv"))


def with_duckdb(probe, rows):
    import duckdb
    path = probe.folder / "rows.csv"
    probe.same("DuckDB, a query over the CSV", duckdb.sql(f"select * from read_csv('{path}')"))
    probe.same("DuckDB, all texts", duckdb.sql(f"select * from read_csv('{path}', all_varchar=true)"))
    probe.same("DuckDB, decimals and an enumeration", duckdb.sql(
        "select id, cast(age as decimal(9,3)) as age, cast(sex as enum('M', 'X', 'F')) as sex, ward, flag "
        f"from read_csv('{path}')"))


def main():
    probe = Probe(sys.argv[1], sys.argv[2])
    rows = make_rows()
    path = probe.folder / "rows.csv"
    write_csv(path, rows)
    probe.wanted = probe.run(None, str(path).encode(), "csv")
    for producer in (with_pyarrow, with_pandas, with_polars, with_duckdb):
        try:
            producer(probe, rows)
        except ImportError as missing:
            print(f"arrow: skipped {producer.__name__[5:]}: {missing}")
    print(f"{probe.passed} passed, {probe.failed} failed")
    return probe.failed > 0


if __name__ == "__main__":
    sys.exit(main())
