"""Vectors of a stated sensitivity: what rounding and the range of numbers may add."""
from search import Attack, line

BASE = [0.1, -0.7, 1.0 / 3, 12.6]


def moved(size):
    """BASE and a move of this size: size(values) is the norm of the move."""

    def record(values):
        norm = size(values)
        scale = (1 - 1e-12) / norm if norm else 0
        return b"".join(line([b + scale * v]) for b, v in zip(BASE, values))

    return record


def l1(values):
    return sum(map(abs, values))


def l2(values):
    return sum(v * v for v in values)**0.5


def linf(values):
    return max(map(abs, values))


def attacks():
    base = b"".join(line([b]) for b in BASE)
    normal = ["--delta", "1e-6"]
    for norm, method, size, more, floor in (
            ("l1:1", "laplace, l1", l1, [], 0.999), ("l2:1", "normal, l2", l2, normal, 0.999),
            ("linf:1", "k-norm, linf", linf, [], 0.999),
            ("l2:1", "gamma, l2", l2, ["--noise", "gamma"], 0.999)):
        yield Attack("vector", method, "a move of the stated size",
                     ["vector", "{rows}", "--sensitivity", norm, "--epsilon", "1", *more],
                     header=b"v\n", before=b"", after=b"", record=moved(size), hub=base,
                     box=[(-1.0, 1.0)] * 4, known=[[1.0, 0.0, 0.0, 0.0], [1.0, -1.0, 1.0, 1.0]],
                     floor=floor, slack=1e-9 if "gamma" in more else 0.0, spread=12, climbs=12)
