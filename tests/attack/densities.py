"""Densities: lattice, gp (spectral and random features), fourier-laplace."""
import math
import random
import struct

from hostile_records import CELLS, FEW, LONG, column, columns
from search import Attack, line

NORMAL = ["--delta", "1e-6"]


def call(method, *more, names="x", bounds="0:1", bandwidth="0.05", epsilon="1"):
    return ["density", "{rows}", "--columns", names, "--bounds", bounds, "--bandwidth", bandwidth,
            "--epsilon", epsilon, "--method", method, *more]


def several(number):
    """The lines of so many records of one column."""
    return lambda values: b"".join(line([value]) for value in values[:number])


def attacks():
    ends = [[0.0], [1.0]]
    yield Attack("density", "lattice", "replace", call("lattice"), known=ends,
                 hostile=column(CELLS + [LONG]))
    yield Attack("density", "lattice", "replace, clamped outside", call("lattice", "--outside", "clamp"),
                 known=ends, hostile=column(FEW), spread=6, climbs=0)
    yield Attack("density", "lattice", "replace 3 records",
                 call("lattice", "--contributions", "3"), record=several(3), box=[(0.0, 1.0)] * 3,
                 known=[[0.0] * 3, [1.0] * 3], hostile=[3 * cell for cell in column(FEW)], spread=6)
    yield Attack("density", "lattice", "add-remove", call("lattice", "--neighbours", "add-remove"),
                 hub=b"", known=ends, hostile=column(FEW), climbs=0)
    yield Attack("density", "lattice, two columns", "replace",
                 call("lattice", names="x,y", bandwidth="0.2"), header=b"x,y\n", before=b"0.3,0.4\n",
                 after=b"nan,0.1\n", box=[(0.0, 1.0)] * 2, known=[[0.0, 0.0], [1.0, 1.0]],
                 hostile=columns(2), spread=6, climbs=0)
    yield numpy()
    for boundary in ("reflect", "periodic"):
        yield Attack("density", f"lattice, {boundary}", "replace",
                     call("lattice", "--boundary", boundary), known=[[0.0], [0.5], [1.0]],
                     hostile=column(FEW), spread=6, climbs=0)
    yield Attack("density", "lattice, normal noise", "replace",
                 call("lattice", "--noise", "normal", *NORMAL), known=ends, hostile=column(FEW),
                 floor=0.99)
    yield Attack("density", "lattice, bandwidth chosen", "replace, the same one chosen",
                 call("lattice", bandwidth="choose:0.02,0.05"), known=ends, hostile=column(FEW), spread=6,
                 climbs=0)
    yield Attack("density", "lattice by groups", "replace",
                 call("lattice", "--by", "g", "--categories", "g=a|b"), header=b"x,g\n",
                 before=b"0.3,a\n", after=b"0.9,c\n",
                 record=lambda v: line([v[0]])[:-1] + (b",a\n" if v[1] < 0.5 else b",b\n"),
                 box=[(0.0, 1.0)] * 2, known=[[0.5, 0.0], [0.5, 1.0]],
                 hostile=[b"0.5,a\n", b"0.5,b\n", b"0.5,c\n", b"0.5,\n", b"nan,a\n", b"0.5\n"], climbs=0)
    plain = ["--boundary", "open", *NORMAL]
    yield Attack("density", "gp", "replace", call("gp", *plain, bandwidth="0.03"), known=ends,
                 hostile=column(FEW), floor=0.99979, climbs=32)
    yield Attack("density", "gp", "add-remove", call("gp", "--neighbours", "add-remove", *plain),
                 hub=b"", known=ends, hostile=column(FEW), floor=0.999)
    yield Attack("density", "gp, two columns", "replace",
                 call("gp", *plain, names="x,y", bandwidth="0.25"), header=b"x,y\n",
                 before=b"0.3,0.4\n", after=b"nan,0.1\n", box=[(0.0, 1.0)] * 2,
                 known=[[0.0, 0.0], [1.0, 1.0]], hostile=columns(2)[::4], floor=0.99, spread=2, climbs=4)
    mirror = ["--boundary", "reflect", *NORMAL]
    yield Attack("density", "gp, reflect", "replace", call("gp", *mirror), known=[[0.0], [0.5], [1.0]],
                 hostile=column(FEW), floor=0.999, climbs=8)
    yield Attack("density", "gp, reflect, wide", "replace", call("gp", *mirror, bandwidth="0.7"),
                 known=ends, hostile=column(FEW), floor=0.999, spread=6, climbs=0)
    yield Attack("density", "gp, reflect", "add-remove", call("gp", "--neighbours", "add-remove", *mirror),
                 hub=b"", known=ends, hostile=column(FEW), floor=0.999, spread=6, climbs=0)
    yield Attack("density", "gp, one column of two reflects", "replace",
                 call("gp", "--boundary", "reflect,open", *NORMAL, names="x,y", bandwidth="0.2"),
                 header=b"x,y\n", before=b"0.3,0.4\n", after=b"nan,0.1\n", box=[(0.0, 1.0)] * 2,
                 known=[[0.0, 0.0], [1.0, 1.0]], hostile=columns(2)[::4], floor=0.99, spread=2, climbs=4)
    cosines = ["--engine", "random", "--features", "2", *NORMAL]
    yield Attack("density", "gp, random features", "replace", call("gp", *cosines), known=ends,
                 hostile=column(FEW), floor=0.99985, spread=30, climbs=40)
    yield Attack("density", "gp, random features", "add-remove",
                 call("gp", *cosines, "--neighbours", "add-remove"), hub=b"", known=ends,
                 hostile=column(FEW), floor=0.999, climbs=8)
    yield from waves()


def numpy():
    """Rows that are doubles in a NPY file, of every kind that there is."""
    kinds = [0.0, 1.0, -0.0, 0.5, 5e-324, 1e308, -1e308, math.inf, -math.inf, math.nan]
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 1), }".ljust(117) + b"\n"
    return Attack("density", "lattice, NPY rows", "replace",
                  ["density", "{rows}", "--columns", "0", "--bounds", "0:1", "--bandwidth", "0.05",
                   "--epsilon", "1", "--method", "lattice"], box=[], spread=0,
                  header=b"\x93NUMPY\1\0\x76\0" + head, before=struct.pack("<d", 0.3),
                  after=struct.pack("<d", 0.9), hostile=[struct.pack("<d", kind) for kind in kinds]
                  + [b"\n" * 8, b"\x93NUMPY\1\0", b"\x1f\x8b\x08\0\0\0\0\0"])


def waves():
    """fourier-laplace: what one row moves in l1, the waves of all columns multiplied out."""
    ring = ["--boundary", "periodic", "--terms"]
    yield Attack("density", "fourier-laplace", "replace", call("fourier-laplace", *ring, "1"),
                 known=farthest(1, 1), hostile=column(FEW), floor=0.9996, spread=4, climbs=12)
    yield Attack("density", "fourier-laplace", "replace 3 records",
                 call("fourier-laplace", *ring, "1", "--contributions", "3"), record=several(3),
                 box=[(0.0, 1.0)] * 3, known=[3 * place for place in farthest(1, 1)], spread=4,
                 climbs=0, floor=0.99984, crowds=20, crowd=lambda chance: line([chance.random()]))
    for number, floor in ((2, 0.8), (3, 0.75)):
        names = ",".join("xyz"[:number])
        yield Attack("density", f"fourier-laplace, {number} columns", "replace",
                     call("fourier-laplace", *ring, "1", names=names, bandwidth="0.2"),
                     header=names.encode() + b"\n", before=line([0.3] * number),
                     after=line([0.4] * number), box=[(0.0, 1.0)] * number,
                     known=farthest(number, 1), hostile=columns(number, FEW[:3]), floor=floor,
                     spread=4, climbs=20)


def products(place, terms):
    """1, cos and sin of every column, up to so many cycles, multiplied out."""
    found = [1.0]
    for u in place:
        turns = [2 * math.pi * j * u for j in range(1, terms + 1)]
        axis = [1.0] + [math.sqrt(2) * wave(t) for t in turns for wave in (math.cos, math.sin)]
        found = [a * b for a in found for b in axis]
    return found


def farthest(number, terms):
    """Two places whose waves are far apart in l1: the climb of search.py, on the formula."""
    chance = random.Random(number)
    best, pair = 0.0, None
    for _ in range(12):
        trial = [chance.random() for _ in range(2 * number)]
        size, now = 0.25, 0.0
        while size > 1e-5:
            moved = [[*trial[:i], (trial[i] + s) % 1, *trial[i + 1:]]
                     for i in range(2 * number) for s in (size, -size)]
            found, ahead = max((distance(m, number, terms), m) for m in moved)
            if found > now:
                now, trial = found, ahead
            else:
                size /= 2
        if now > best:
            best, pair = now, trial
    return [pair[:number], pair[number:]]


def distance(both, number, terms):
    a, b = products(both[:number], terms), products(both[number:], terms)
    return sum(abs(x - y) for x, y in zip(a, b))
