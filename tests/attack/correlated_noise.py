"""Values at places, online sessions and caratheodory: noise that is not independent.

These releases are idealised: doubles, so that differences of two are right to the last bits of the
noise.  Values at places have noise of covariance scale^2 (K + nugget I), so v moves the release by
sqrt(v' (K + nugget I)^-1 v) scales, which may not pass mu.  The noise of caratheodory falls by the
gauge of its body.
"""
import math
from functools import lru_cache

from linear_algebra import cholesky, eigenvalues, multiply, whiten
from hostile_records import FEW, column
from search import Attack

DOUBLES = 1e-9  # what differences of doubles are off by here: noise of 10 in units of 1e-15, amplified
NORMAL = ["--epsilon", "1", "--delta", "1e-6"]


def kernel(name, distance):
    """K at a distance in bandwidths, of one variable."""
    r = abs(distance)
    if name in ("laplacian", "matern12"):
        return math.exp(-r)
    if name == "gaussian":
        return math.exp(-r * r / 2)
    if name == "cauchy":
        return 1 / (1 + r * r)
    r *= math.sqrt(3 if name == "matern32" else 5)
    return (1 + r + (r * r / 3 if name == "matern52" else 0)) * math.exp(-r)


@lru_cache
def factor(name, bandwidth, nugget, places):
    matrix = [[kernel(name, (x - y) / bandwidth) + (nugget if x == y else 0) for y in places]
              for x in places]
    return cholesky(matrix)


def spread_out(release):
    """The places of a release of one variable."""
    if "points" in release:
        return tuple(point[0] for point in release["points"])
    low, high = release["domain"][0]["lower"], release["domain"][0]["upper"]
    size = release["grid"][0]
    return tuple(low + (high - low) * i / (size - 1) for i in range(size))


def placed(a, b):
    """The movement of values at places, over the claim."""
    release = a.release
    sobolev = "gamma" in release
    name = "laplacian" if sobolev else release["kernel"]
    bandwidth = 1 / release["gamma"][0] if sobolev else release["bandwidth"][0]
    lower = factor(name, bandwidth, release["nugget"], spread_out(release))
    moved = [x - y for x, y in zip(a.numbers, b.numbers)]
    return math.hypot(*whiten(lower, moved)) / float(a.claim)


def machine_placed(a, b):
    """The same of a machine, whose coefficients are (K + nugget I)^-1 values."""
    release = a.release
    name, bandwidth = release["kernel"].split(":")
    places = [place[0] for place in release["places"]]
    moved = [x - y for x, y in zip(a.numbers, b.numbers)]
    matrix = [[kernel(name, (x - y) / float(bandwidth)) + release["nugget"] * (x == y) for y in places]
              for x in places]
    size = math.fsum(x * y for x, y in zip(moved, multiply(matrix, moved)))
    return math.sqrt(size) / float(a.claim)


def gauge(moved):
    """-(the least eigenvalue) of the Toeplitz matrix of the moments, without its diagonal."""
    terms = len(moved) // 2
    moments = [complex(0, 0)] + [complex(moved[2 * j], -moved[2 * j + 1]) / math.sqrt(2)
                                 for j in range(terms)]
    size = terms + 1
    real = [[0.0] * (2 * size) for _ in range(2 * size)]  # of a + ib: (a, -b; b, a)
    for i in range(size):
        for j in range(size):
            c = moments[i - j] if i >= j else moments[j - i].conjugate()
            real[i][j] = real[size + i][size + j] = c.real
            real[size + i][j], real[i][size + j] = c.imag, -c.imag
    return -eigenvalues(real)[0]


def trigonometric(a, b):
    """The gauge of caratheodory's body, in both orders: the body is not symmetric."""
    moved = [x - y for x, y in zip(a.numbers[1:], b.numbers[1:])]
    return max(gauge(moved), gauge([-m for m in moved])) / float(a.claim)


def density(method, *more, bandwidth="0.05"):
    return ["density", "{rows}", "--columns", "x", "--bounds", "0:1", "--bandwidth", bandwidth,
            "--method", method, *more]


def attacks():
    ends = [[0.0], [0.5], [1.0]]
    for engine, name in (("gram", "laplacian"), ("gram", "cauchy"), ("markov", "laplacian"),
                         ("markov", "matern52"), ("circulant", "matern32")):
        yield Attack("density", f"gp, {engine}, {name}", "replace",
                     density("gp", "--engine", engine, "--kernel", name, "--release-grid", "9", *NORMAL),
                     known=ends, hostile=column(FEW[:4]), apart=placed, slack=DOUBLES, spread=3, climbs=4,
                     floor=0.998 if name == "cauchy" else 0.99999)
    for engine in ("markov", "gram"):
        yield Attack("density", f"sobolev, {engine}", "replace",
                     density("sobolev:8", "--engine", engine, "--release-grid", "33", *NORMAL,
                             bandwidth="0.1"), known=[[0.0], [1.0]], hostile=column(FEW[:4]), apart=placed,
                     slack=DOUBLES, spread=16, climbs=12, floor=0.99)
    for terms in ("1", "3"):
        yield Attack("density", f"caratheodory, {terms} terms", "replace",
                     density("caratheodory", "--boundary", "periodic", "--terms", terms, "--epsilon", "1"),
                     known=[[0.0], [0.5]], hostile=column(FEW), apart=trigonometric, slack=DOUBLES,
                     spread=12, climbs=16, floor=0.9999)
    yield Attack("train", "hinge, gp at places", "replace",
                 ["train", "{rows}", "--features", "x", "--bounds", "-1:1", "--label", "y", "--lambda", "2",
                  "--kernel", "laplacian:0.5", "--method", "gp", "--places", "places.csv", "--tolerance",
                  "0.001", "--threads", "1", *NORMAL], header=b"x,y\n", before=b"0.5,1\n",
                 after=b"-0.5,1\n", box=[], public={"places.csv": b"x\n-1\n-0.5\n0\n0.5\n1\n"},
                 hostile=[b"1,1\n", b"1,-1\n", b"-1,1\n", b"0.3,1\n", b"nan,1\n", b"1,2\n"], spread=0,
                 apart=machine_placed, slack=DOUBLES, floor=0.997)
    yield from sessions()


def sessions():
    ask = ["online", "ask", "s.sfs", "--at", "0,0.25,0.5,1"]
    close = ["online", "close", "s.sfs", "-o", "out.sfm"]
    for engine, name, more in (("spectral", "gaussian", {"floor": 0.999}),
                               ("markov", "matern32", {"apart": placed, "slack": DOUBLES, "floor": 0.999}),
                               ("gram", "laplacian", {"apart": placed, "slack": DOUBLES, "floor": 0.999})):
        start = ["online", "open", "s.sfs", "{rows}", "--columns", "x", "--bounds", "0:1", "--bandwidth",
                 "0.05", "--kernel", name, "--engine", engine, *NORMAL, "--seed", "{seed}"]
        if engine == "gram":
            start += ["--anchor", "s.anchor"]
        yield Attack("online", f"{engine}, {name}", "replace", [start, ask, close],
                     known=[[0.0], [1.0]], hostile=column(FEW[:3]), spread=1, climbs=0, **more)
