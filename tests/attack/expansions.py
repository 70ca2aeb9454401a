"""Series of basis functions, and mean curves."""
from hostile_records import CELLS, FEW, column, columns
from search import Attack, line

NORMAL = ["--delta", "1e-6"]


def series(basis, terms, *more):
    return ["series", "{rows}", "--columns", "x", "--bounds", "0:1", "--basis", basis, "--terms",
            terms, "--epsilon", "1", *more]


# Basis, terms, floors with laplace and with normal noise.  The certificate is within 0.1 % of the
# worst pair, of haar exact; what is left is the rounding of sums.
BASES = [("haar", "8", 0.9998, 0.9998), ("fourier", "5", 0.998, 0.998), ("cosine", "4", 0.998, 0.998),
         ("legendre", "4", 0.998, 0.998), ("hermite", "4", 0.994, 0.998), ("db4", "8", 0.99, 0.99),
         ("eigen:gaussian:0.3", "3", 0.998, 0.998)]


def attacks():
    ends = [[0.0], [0.5], [1.0]]
    for basis, terms, laplace, normal in BASES:
        for floor, more in ((laplace, []), (normal, NORMAL)):
            yield Attack("series", f"{basis}, {terms} terms, {'normal' if more else 'laplace'}", "replace",
                         series(basis, terms, *more), known=ends, floor=floor, spread=24, climbs=16,
                         hostile=column(CELLS if basis == "haar" and not more else FEW[:3]))
    yield Attack("series", "hermite, 1 term, laplace", "replace by nothing", series("hermite", "1"),
                 known=[[0.5]], floor=0.999, spread=0, climbs=0, hostile=column(FEW))
    yield from rounded()
    yield from curves()


def rounded():
    """One coefficient, so that sums are rounded once, by at most half a step, and the claim adds one.

    Haar with two terms is +-1/sqrt(width).  At this width one record moves the sum by 6000.1 steps, and
    by 6001 where the other records bring it next to the middle between two steps: one record at 0 or 1
    is 3000.05 steps.
    """
    width = (2 * 4096 / 6000.1)**2
    yield Attack("series", "haar, 2 terms, laplace", "replace, others chosen",
                 ["series", "{rows}", "--columns", "x", "--bounds", f"0:{width!r}", "--basis", "haar",
                  "--terms", "2", "--epsilon", "1"], box=[(0.0, width)], known=[[0.0], [width]],
                 before=b"0\n" * 15, after=f"{width!r}\n".encode() * 5, floor=0.99996, spread=2,
                 climbs=0, crowds=15, crowd=crowd)


def crowd(chance):
    low = chance.randrange(16)
    return b"0\n" * low + b"9\n" * (15 - low)


CURVE = ["curve", "{rows}", "--columns", "a,b,c", "--grid", "0:1", "--kernel", "matern52:0.5", "--clip",
         "1"]


def curves():
    """Curves of three points: opposite ones, far outside the ball that they are brought into."""
    large = 1e6
    for neighbours, more, times in (("replace", [], 1), ("replace 3 records", ["--contributions", "3"], 3)):
        yield Attack("curve", "normal", neighbours, [*CURVE, "--epsilon", "1", *NORMAL, *more],
                     header=b"a,b,c\n", before=line([0.1, 0.2, -0.3]), after=b"nan,1,1\n",
                     record=lambda values, times=times: times * line(values), box=[(-large, large)] * 3,
                     known=[[large] * 3, [-large] * 3], hostile=[times * h for h in columns(3)],
                     floor=0.99999, spread=4, climbs=6)
    yield Attack("curve", "laplace, 1 direction", "replace",
                 [*CURVE, "--epsilon", "0.1"], header=b"a,b,c\n", before=line([0.1, 0.2, -0.3]),
                 after=b"nan,1,1\n", box=[(-large, large)] * 3, known=[[large] * 3, [-large] * 3],
                 hostile=columns(3), floor=0.979, spread=8, climbs=40)
    yield Attack("curve", "laplace, 3 directions", "replace",
                 [*CURVE, "--epsilon", "1000"], header=b"a,b,c\n", before=line([0.1, 0.2, -0.3]),
                 after=b"nan,1,1\n", box=[(-large, large)] * 3, known=[[large] * 3, [-large] * 3],
                 floor=0.999, spread=24, climbs=100)
