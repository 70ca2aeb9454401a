"""Histograms, linear questions and counts: a record is in one cell, or in none."""
from hostile_records import CELLS, FEW, column
from search import Attack

NORMAL = ["--delta", "1e-6", "--noise", "normal"]
TABLE = ["--columns", "g,x", "--categories", "g=a|b|c", "--bins", "4", "--bounds", "0:1"]
HOSTILE = [g + b"," + x + b"\n" for g in (b"a", b"b", b"d", b"", b'"', b" a", b"a\0")
           for x in (b"0", b"1", b"0.25", b"nan", b"-7", b"1e999", b"")]


def histogram(method, neighbours, *more, floor=1.0, record=None, hub=None, hostile=None):
    return Attack("histogram", method, neighbours,
                  ["histogram", "{rows}", *TABLE, "--epsilon", "1", *more], header=b"g,x\n",
                  before=b"a,0.3\nb,0.9\n", after=b"c,nan\n",
                  record=record or (lambda v: cell(v[0], v[1])), box=[(0.0, 1.0)] * 2,
                  known=[[0.1, 0.1], [0.9, 0.9]], hostile=HOSTILE if hostile is None else hostile,
                  hub=hub, floor=floor, spread=6, climbs=0)


def cell(which, place):
    return b"abc"[min(2, int(3 * which)):][:1] + f",{place!r}\n".encode()


def attacks():
    yield histogram("laplace", "replace")
    yield histogram("laplace", "replace, dropped outside", "--outside", "drop", hostile=HOSTILE[:7])
    yield histogram("laplace", "add-remove", "--neighbours", "add-remove", hub=b"", hostile=HOSTILE[::5])
    yield histogram("laplace", "replace 3 records", "--contributions", "3",
                    record=lambda v: 3 * cell(v[0], v[1]), hostile=[3 * h for h in HOSTILE[:7]])
    yield histogram("normal", "replace", *NORMAL, hostile=HOSTILE[:7])
    yield histogram("margins, laplace", "replace", "--margins", "1", hostile=HOSTILE[::3])
    yield histogram("margins, normal", "replace", "--margins", "1", *NORMAL, hostile=HOSTILE[:7])
    yield from sparse()
    yield from linear()
    yield from counts()


def sparse():
    """Cells that are full before and after: the same are listed, and each has its own noise."""
    crowd = b"".join(cell * 60 for cell in (b"a\n", b"b\n", b"c\n"))
    for method, more in (("sparse", ["--categories", "g=a|b|c|d"]),
                         ("sparse, undeclared", ["--undeclared", "--delta", "1e-6"])):
        for neighbours in ("replace", "add-remove"):
            yield Attack("histogram", method + ", full cells", neighbours,
                         ["histogram", "{rows}", "--columns", "g", "--sparse", "--epsilon", "2",
                          "--neighbours", neighbours, *more], header=b"g\n", before=crowd, after=b"",
                         box=[], spread=0, hostile=[b"a\n", b"b\n", b"c\n"],
                         hub=b"" if neighbours == "add-remove" else None)


def linear():
    matrix = b"1,0,2,-1\n-0.5,1,0,0.25\n0,0,0,3\n"
    for method, more in (("laplace", []), ("normal", ["--delta", "1e-6"]), ("table", [])):
        for neighbours in ("replace", "add-remove"):
            yield Attack("linear", method, neighbours,
                         ["linear", "{rows}", "--columns", "x", "--bins", "4", "--bounds", "0:1",
                          "--matrix", "M.csv", "--method", method, "--neighbours", neighbours,
                          "--epsilon", "1", *more], public={"M.csv": matrix},
                         known=[[0.1], [0.3], [0.6], [0.9]], hostile=column(FEW), spread=0, climbs=0,
                         hub=b"" if neighbours == "add-remove" else None)


def counts():
    # A count is brought into 0 .. n: there must be records on both sides of it.
    crowd = b"0.1\n" * 40 + b"0.9\n" * 40
    count = ["count", "{rows}", "--where", "x > 0.5", "--epsilon", "1"]
    for neighbours in ("replace", "add-remove"):
        yield Attack("count", "geometric", neighbours, [*count, "--neighbours", neighbours],
                     before=crowd, known=[[0.1], [0.9]], spread=2, climbs=0,
                     hostile=column(CELLS if neighbours == "replace" else FEW),
                     hub=b"" if neighbours == "add-remove" else None)
    yield Attack("count", "geometric", "replace 3 records", [*count, "--contributions", "3"],
                 before=crowd, record=lambda v: 3 * f"{v[0]!r}\n".encode(), known=[[0.1], [0.9]],
                 hostile=[3 * lines for lines in column(FEW)], spread=2, climbs=0)
