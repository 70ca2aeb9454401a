#!/usr/bin/env python3
"""Evaluates a released function by the formulas of docs/format.md, with the standard library alone; of a released
histogram it prints the cells.

    examples/evaluate.py age.sfm 35 40 45.5        examples/evaluate.py map.sfm -74,40.7 -73.9,40.8
    examples/evaluate.py groups.sfm --group F,north 35 40      examples/evaluate.py table.sfm
"""
import csv
import functools
import itertools
import json
import sys
from math import ceil, comb, cos, exp, factorial, gamma, log, pi, prod, sin, sqrt, tan


def is_smooth(n):
    for p in (3, 5, 7, 11, 13):
        while n % p == 0:
            n //= p
    return n == 1


def lattice_axis(q, lower, upper, h, boundary, cells, order):
    """psi(q - x_k) for each lattice point x_k of one axis, its mirror image added where bounds reflect."""
    s, points, origin = (upper - lower) / cells, cells, lower + (upper - lower) / cells * (1 - order / 2)
    P = cells
    if boundary == "open":
        points = cells + order - 1
        P = (points + ceil(9 * h / s)) | 1
        while not is_smooth(P):
            P += 2
    elif boundary == "reflect":
        P, origin = 2 * cells, lower + s / 2
    W = P * s
    transfer = [1 / W] + [2 / W * exp(-2 * (pi * j * h / W) ** 2) / (sin(pi * j / P) / (pi * j / P)) ** order
                          for j in range(1, (P - 1) // 2 + 1)]

    def psi(y):
        return sum(t * cos(2 * pi * j * y / W) for j, t in enumerate(transfer))

    places = [origin + k * s for k in range(points)]
    return [psi(q - x) + (psi(q - 2 * lower + x) if boundary == "reflect" else 0) for x in places]


def wave_axis(q, lower, upper, h, boundary, terms):
    """lambda_j psi_j(q) / L for 1 and each cosine and sine of one axis, on a torus of length L."""
    margin = 0 if boundary == "periodic" else 8 * h
    period = upper - lower + 2 * margin
    u, size = (q - lower + margin) / period, [exp(-2 * (pi * j * h / period) ** 2) / period for j in range(terms + 1)]
    return [size[0]] + [sqrt(2) * size[j] * wave(2 * pi * j * u) for j in range(1, terms + 1) for wave in (cos, sin)]


def multilinear(release, point, values):
    """Between the points of a regular grid."""
    at, weights = [], []
    for q, d, n in zip(point, release["domain"], release["grid"]):
        t = (q - d["lower"]) / (d["upper"] - d["lower"]) * (n - 1)
        k = min(int(t), n - 2)
        at.append((k, k + 1))
        weights.append((k + 1 - t, t - k))
    total = 0
    for corner in itertools.product((0, 1), repeat=len(point)):
        index = 0
        for a, n, c in zip(at, release["grid"], corner):
            index = index * n + a[c]
        total += values[index] * prod(w[c] for w, c in zip(weights, corner))
    return total


def torus_constant(lower, upper, h, boundary):
    """phi_0 of one axis."""
    if boundary == "reflect":
        return 1 / sqrt(1 + 2 * sum(exp(-2 * (pi * j * h / (upper - lower) / 2) ** 2)
                                    for j in range(1, 2 + ceil(3 * (upper - lower) / h))))
    return sqrt(sqrt(2 * pi) * h / (upper - lower + 16 * h))


def torus_axis(q, lower, upper, h, boundary, terms):
    """phi_j(q) / (sqrt(2 pi) h) for each feature j of one axis."""
    if boundary == "reflect":
        u, r = (q - lower) / (upper - lower) / 2, h / (upper - lower) / 2
        unit = torus_constant(lower, upper, h, boundary) * (upper - lower)
        return [exp(-((pi * j * r) ** 2)) / unit * (sqrt(2) * cos(2 * pi * j * u) if j else 1)
                for j in range(terms + 1)]
    period = upper - lower + 16 * h
    u, r = (q - lower + 8 * h) / period, h / period
    size = [sqrt(sqrt(2 * pi) * r * exp(-2 * (pi * j * r) ** 2)) / (sqrt(2 * pi) * h) for j in range(terms + 1)]
    return [size[0]] + [sqrt(2) * size[j] * wave(2 * pi * j * u) for j in range(1, terms + 1) for wave in (cos, sin)]


PROFILE = {"gaussian": lambda r: exp(-r * r / 2), "laplacian": lambda r: exp(-r), "matern12": lambda r: exp(-r),
           "matern32": lambda r: (1 + sqrt(3) * r) * exp(-sqrt(3) * r),
           "matern52": lambda r: (1 + sqrt(5) * r + 5 * r * r / 3) * exp(-sqrt(5) * r)}


def kernel(name, h, x, y):
    u = [abs(a - b) / width for a, b, width in zip(x, y, h)]
    if name == "cauchy":
        return prod(1 / (1 + v * v) for v in u)
    return PROFILE[name](sum(u) if name == "laplacian" else sqrt(sum(v * v for v in u)))


def mass(name, h):
    """The kernel's integral."""
    d, nu = len(h), {"matern12": 0.5, "matern32": 1.5, "matern52": 2.5}.get(name)
    if nu:
        return prod(h) * 2**d * pi ** (d / 2) * gamma(nu + d / 2) / gamma(nu) / (2 * nu) ** (d / 2)
    return prod({"gaussian": sqrt(2 * pi), "laplacian": 2, "cauchy": pi}[name] * width for width in h)


def solve(matrix, right):
    """Gaussian elimination, for a positive definite matrix."""
    rows = [row + [value] for row, value in zip(matrix, right)]
    for i, pivot in enumerate(rows):
        for row in rows[i + 1:]:
            factor = row[i] / pivot[i]
            row[i:] = [a - factor * b for a, b in zip(row[i:], pivot[i:])]
    solution = []
    for i, row in reversed(list(enumerate(rows))):
        solution.insert(0, (row[-1] - sum(a * b for a, b in zip(row[i + 1:-1], solution))) / row[i])
    return solution


def interpolate(release, point):
    """Values at places, at most 1,024 of them."""
    name, h, values = release["kernel"], release.get("bandwidth"), release["coefficients"]
    total_mass = mass(name, h) if h else 1
    if "rows" not in release or not h:
        sys.exit("evaluate.py: this is a function of its owner's own, not a density; sfumato eval reads it")
    if len(values) > 1024:
        sys.exit("evaluate.py: more than 1,024 values are interpolated from the nearest; sfumato eval does so")
    places = release.get("points") or list(itertools.product(
        *[[d["lower"] + i / (n - 1) * (d["upper"] - d["lower"]) for i in range(n)]
          for n, d in zip(release["grid"], release["domain"])]))
    unit = 1 / (release["rows"] * total_mass)
    if release["method"] == "sobolev":
        name, h = "laplacian", [1 / g for g in release["gamma"]]
    for place, value in zip(places, values):
        if all(abs(a - b) <= 1e-12 * width for a, b, width in zip(place, point, h)):
            return value * unit
    matrix = [[kernel(name, h, x, y) + (i == j) * release["nugget"] for j, y in enumerate(places)]
              for i, x in enumerate(places)]
    return unit * sum(kernel(name, h, point, x) * c for x, c in zip(places, solve(matrix, values)))


def trigonometric(u, terms, whole):
    """sqrt2 cos(pi k u), or (whole) cosines and sines of 2 pi k u in turn; without the constant."""
    if not whole:
        return [sqrt(2) * cos(pi * k * u) for k in range(1, terms)]
    return [sqrt(2) * (cos, sin)[j % 2](2 * pi * (j // 2 + 1) * u) for j in range(terms - 1)]


def legendre(u, count):
    """sqrt(2k+1) P_k(2u - 1), k = 0 .. count-1."""
    p = [1, 2 * u - 1]
    for k in range(1, count):
        p.append(((2 * k + 1) * p[1] * p[k] - k * p[k - 1]) / (k + 1))
    return [sqrt(2 * k + 1) * p[k] for k in range(count)]


def hermite(y, count):
    """The Hermite functions."""
    values = [pi**-0.25 * exp(-y * y / 2)]
    values.append(sqrt(2) * y * values[0])
    for k in range(1, count):
        values.append(sqrt(2 / (k + 1)) * y * values[k] - sqrt(k / (k + 1)) * values[k - 1])
    return values[:count]


def haar(u, terms):
    values = []
    for level in range(terms.bit_length() - 1):
        for k in range(2**level):
            t = 2**level * u - k
            inside = 0 <= t < 1 or (u == 1 and k == 2**level - 1)
            values.append(2 ** (level / 2) * (1 if t < 0.5 else -1) * inside)
    return values


TAPS = [0.2303778133088965, 0.7148465705529156, 0.6308807679298589, -0.027983769416859854,
        -0.18703481171909309, 0.030841381835560764, 0.0328830116668852, -0.010597401785069032]


@functools.lru_cache(maxsize=None)
def phi(x, bits):
    """Daubechies' scaling function of four vanishing moments at x/2^bits."""
    if not 0 < x < 7 << bits:
        return 0
    if bits:
        return sqrt(2) * sum(h * phi(x - (n << bits - 1), bits - 1) for n, h in enumerate(TAPS))
    values = [0, 1, 1, 1, 1, 1, 1, 0]
    for _ in range(64):
        values = [sqrt(2) * sum(h * values[2 * i - n] for n, h in enumerate(TAPS) if 0 <= 2 * i - n <= 7)
                  for i in range(8)]
    return values[x] / sum(values)


def db4(u, terms):
    """The wavelets at multiples of 2^-16, linear in between."""
    node, values = int(u * 65536), [0] * (terms - 1)
    for at, weight in ((node, 1 - (u * 65536 - node)), (node + 1, u * 65536 - node)):
        for level in range(terms.bit_length() - 1):
            x, size = at << level, 2**level
            for n in range(7):
                y = x % 65536 + (n << 16)
                psi = sqrt(2) * sum((-1) ** i * TAPS[7 - i] * phi(y - (i << 15), 15) for i in range(8))
                values[size - 1 + (x // 65536 - n) % size] += weight * 2 ** (level / 2) * psi
    return values


def basis(release, x):
    """The functions of a release's basis at x."""
    b, domain = release["basis"], release["domain"][0]
    width, terms = domain["upper"] - domain["lower"], b["terms"]
    u, family = (x - domain["lower"]) / width, b["family"]
    if family == "span":
        k = [kernel(release["kernel"], release["bandwidth"], [x], [t]) for t in b["points"]]
        return [sum(c * v for c, v in zip(row, k)) for row in rows_of(release["table"], len(k))]
    if family == "hermite":
        y = (x - (domain["lower"] + domain["upper"]) / 2) / b["unit"]
        return [v / sqrt(b["unit"]) for v in hermite(y, terms)]
    if family == "eigen":
        p = legendre(u, b["nodes"])
        values = [sum(c * v for c, v in zip(row, p)) for row in rows_of(release["table"], b["nodes"])]
    elif family == "legendre":
        values = legendre(u, terms)[1:]
    elif family == "haar":
        values = haar(u, terms)
    elif family == "db4":
        values = db4(u, terms)
    else:
        values = trigonometric(u, terms, family == "fourier")
    return [v / sqrt(width) for v in values]


def rows_of(table, width):
    return [table[i:i + width] for i in range(0, len(table), width)]


def expand(release, x):
    """A series or a curve."""
    unit, domain = release["noise"]["step"] or 1, release["domain"][0]
    constant = release["basis"]["family"] in ("fourier", "cosine", "legendre", "haar", "db4")
    total = sum(float(c) * unit * b for c, b in zip(release["coefficients"], basis(release, x)))
    return constant / (domain["upper"] - domain["lower"]) + total / release["rows"]


class Generator:
    """xoshiro256++, started by splitmix64."""

    def __init__(self, seed):
        self.state = []
        for i in range(1, 5):
            z = (seed + i * 0x9E3779B97F4A7C15) % 2**64
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
            self.state.append(z ^ z >> 31)

    def word(self):
        a, b, c, d = self.state
        x, t = (a + d) % 2**64, b << 17
        result = ((x << 23 | x >> 41) + a) % 2**64
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        self.state = [a, b, (c ^ t) % 2**64, (d << 45 | d >> 19) % 2**64]
        return result

    def uniform(self):
        return ((self.word() >> 11) + 0.5) / 2**53

    def normal(self):
        radius = sqrt(-2 * log(self.uniform()))
        return radius * cos(2 * pi * self.uniform())

    def laplace(self):
        size = -log(self.uniform())
        return size if self.word() >> 63 else -size

    def squares(self, count):
        return sum(self.normal() ** 2 for _ in range(count))


def frequencies(name, d, count, generator):
    """Of the kernel with bandwidths of one; gaussian and matern in orthogonal blocks of d, at most 64."""
    found, freedom = [], {"matern12": 1, "matern32": 3, "matern52": 5}.get(name)
    while len(found) < count:
        if name == "laplacian":
            found.append([tan(pi * (generator.uniform() - 0.5)) for _ in range(d)])
        elif name == "cauchy":
            found.append([generator.laplace() for _ in range(d)])
        else:
            block = [[generator.normal() for _ in range(d)] for _ in range(min(d, 64))]
            for k, row in enumerate(block):
                for other in block[:k] * 2:
                    along = sum(a * b for a, b in zip(row, other))
                    row[:] = [a - along * b for a, b in zip(row, other)]
                length = sqrt(sum(a * a for a in row))
                row[:] = [a / length for a in row]
            for row in block:
                length = sqrt(generator.squares(d))
                length *= sqrt(freedom / generator.squares(freedom)) if freedom else 1
                found.append([a * length for a in row])
    return found[:count]


def random_features(release, point):
    h, pairs = release["bandwidth"], release["basis"]["terms"] // 2
    u = [(x - (d["lower"] + d["upper"]) / 2) / w for x, d, w in zip(point, release["domain"], h)]
    c = [int(c) * release["noise"]["step"] for c in release["coefficients"]]
    omegas = frequencies(release["kernel"], len(h), pairs, Generator(release["basis"]["seed"]))
    angles = [sum(a * b for a, b in zip(omega, u)) for omega in omegas]
    total = sum(c[2 * i] * cos(t) + c[2 * i + 1] * sin(t) for i, t in enumerate(angles)) / sqrt(pairs)
    return total / (release.get("rows", c[-1] * 8) * mass(release["kernel"], h))


def group_of(release, labels):
    """The place of a group among the coefficients; the last column's categories change fastest."""
    columns = release.get("groups", [])
    if len(labels) != len(columns):
        sys.exit("evaluate.py: name a category for each column of the groups: --group A[,B...]")
    place = 0
    for column, label in zip(columns, labels):
        place = place * len(column["categories"]) + column["categories"].index(label)
    return place


def category(column, code):
    """A category, or the ends of a bin."""
    if "categories" in column:
        return column["categories"][code]
    lower, width, bins = column["lower"], column["upper"] - column["lower"], column["bins"]
    texts = []
    for k in (code, code + 1):
        edge = column["upper"] if k == bins else lower + k * width / bins
        shown = ("%.*g" % (digits, edge) for digits in range(10, 18))
        texts.append(next((text for text in shown if abs(float(text) - edge) <= width / bins / 1000), "%.17g" % edge))
    return ":".join(texts)


def cells(release):
    """The listed cells of a histogram, one text a column; "" for columns that a margin lacks."""
    columns = release["columns"]
    if release["method"] == "undeclared":
        return release["cells"]
    names = [column["column"] for column in columns]
    sizes = [column.get("bins") or len(column["categories"]) for column in columns]
    listed = []
    for margin in release.get("margins", [names]):
        has = [name in margin for name in names]
        count = prod(size for size, inside in zip(sizes, has) if inside)
        for key in map(int, release["cells"]) if release["method"] == "sparse" else range(count):
            texts = []
            for column, size, inside in reversed(list(zip(columns, sizes, has))):
                texts.append(category(column, key % size) if inside else "")
                key //= size if inside else 1
            listed.append(texts[::-1])
    return listed


def encode_sparse(release, text):
    """The same of a sparse record, "3:0.5 7:1", by number of coordinate from 1."""
    u, bounds = [0.0] * release["dimension"], release["coordinate_bounds"]
    for index, x in (token.split(":") for token in text.split()):
        if not 1 <= int(index) <= release["dimension"]:
            return None
        u[int(index) - 1] = float(x)
    if bounds and release["outside"] == "drop" and not all(bounds[0] <= x <= bounds[1] for x in u):
        return None
    return clip(release, [min(max(x, bounds[0]), bounds[1]) for x in u] if bounds else u)


def clip(release, u):
    length, most = sqrt(sum(x * x for x in u)), release["clip_norm"]
    return [x * most / length for x in u] if most is not None and length > most else u


def encode(release, cells):
    """The coordinates u of a record whose cells are texts, one per column; None: it has no value."""
    if len(cells) != len(release["inputs"]):
        sys.exit("evaluate.py: a point has %d cells, and the machine %d columns" % (len(cells), len(release["inputs"])))
    u, ball = [], 1 / sqrt(len(release["inputs"])) if release["scaling"] == "ball" else 1
    for column, cell in zip(release["inputs"], cells):
        if "categories" in column:
            if cell not in column["categories"]:
                return None
            u += [ball if cell == name else 0.0 for name in column["categories"]]
            continue
        x = float(cell)
        if "lower" in column:
            a, b = column["lower"], column["upper"]
            if release["outside"] == "drop" and not a <= x <= b:
                return None
            x = min(max(x, a), b)
            x = x if release["scaling"] == "none" else (x - (a + b) / 2) / ((b - a) / 2) * ball
        u.append(x)
    return clip(release, u)


def ranges(release):
    """The least and the largest that each coordinate can be."""
    ball = 1 / sqrt(len(release["inputs"])) if release["scaling"] == "ball" else 1
    for column in release["inputs"]:
        if "categories" in column:
            ends = [(0.0, ball)] * len(column["categories"])
        elif "lower" not in column:
            ends = [(-release["radius"], release["radius"])]
        else:
            ends = [(column["lower"], column["upper"]) if release["scaling"] == "none" else (-ball, ball)]
        for a, b in ends:
            yield max(a, -release["radius"]), min(b, release["radius"])


def monomials(z, degree):
    """All of the degree, in order of their number: j_1 <= .. <= j_p, the last one slowest."""
    found = []
    for picked in itertools.combinations_with_replacement(range(len(z)), degree):
        number = sum(comb(j + t, t + 1) for t, j in enumerate(picked))
        times = factorial(degree) // prod(factorial(picked.count(j)) for j in set(picked))
        found.append((number, sqrt(times) * prod(z[j] for j in picked)))
    return [value for _, value in sorted(found)]


def full(place, dimension):
    """A place as coordinates: it may be those that are not zero."""
    if isinstance(place, list):
        return place
    numbers = dict(zip(place["indices"], place["values"]))
    return [numbers.get(i + 1, 0.0) for i in range(dimension)]


def between(name, numbers, u, v):
    """K(u, v) of a kernel as it is written in a machine."""
    if name == "linear":
        return sum(a * b for a, b in zip(u, v))
    if name == "polynomial":
        return (sum(a * b for a, b in zip(u, v)) + float(numbers[1])) ** int(numbers[0])
    return kernel(name, [float(numbers[0])] * len(u), u, v)


def lift(release, u):
    """The features phi(u)."""
    name, *numbers = release["kernel"].split(":")
    form, constant = release["form"], release["constant"]
    if form == "points":
        return [between(name, numbers, u, full(z, len(u))) + constant**2 for z in release["places"]]
    if form == "linear":
        phi = list(u)
    elif form == "monomials":
        shift = float(numbers[1]) if name == "polynomial" else 0
        phi = monomials(([sqrt(shift)] if shift else []) + u, int(numbers[0]) if name == "polynomial" else 1)
    elif form == "random":
        pairs = (release["features"] - (constant > 0)) // 2
        omegas = frequencies(name, len(u), pairs, Generator(release["seed"]))
        angles = [sum(a * b for a, b in zip(omega, u)) / float(numbers[0]) for omega in omegas]
        phi = [wave(t) / sqrt(pairs) for t in angles for wave in (cos, sin)]
    else:
        h, axes = float(numbers[0]), []
        for q, (a, b) in zip(u, ranges(release)):
            terms = int(sqrt(16 * log(10) / 2) / pi * (b - a + 16 * h) / h)
            axes.append([sqrt(2 * pi) * h * x for x in torus_axis(q, a, b, h, "open", terms)])
        phi = [prod(each) for each in itertools.product(*axes)]
    return phi + [constant] * (constant > 0)


def machine(release, cells):
    """The values of a machine's functions; None where a cell has no value."""
    u = encode(release, cells) if release["inputs"] else encode_sparse(release, ",".join(cells))
    if u is None:
        return None
    phi, step = lift(release, u), release["noise"]["step"] or 1
    exact = release["hardened"] and "fit" not in release
    weights = [int(c) * step if exact else c for c in release["coefficients"]]
    a, b = release["label_bounds"] or (-1, 1)
    return [(a + b) / 2 + (b - a) / 2 * sum(w * p for w, p in zip(weights[start:], phi))
            for start in range(0, len(weights), len(phi))]


def evaluate(release, point, labels=()):
    if "nugget" in release:
        return interpolate(release, point)
    if release.get("engine") == "random":
        return random_features(release, point)
    if "basis" in release and "refined" not in release:
        return expand(release, point[0])
    count = prod(len(column["categories"]) for column in release.get("groups", []))
    length = len(release["coefficients"]) // count
    start = length * group_of(release, labels)
    own = release["coefficients"][start:start + length]
    if "refined" in release:
        return multilinear(release, point, own)
    step = (release["noise"]["step"] or 1) * release["noise"].get("factor", 1)
    numbers = [int(c) if release["hardened"] else c for c in own]
    axes = [(d["lower"], d["upper"], h, d.get("boundary", "open"))
            for d, h in zip(release["domain"], release["bandwidth"])]
    if release["method"] == "lattice":
        shape = release["lattice"]
        factors = [lattice_axis(q, *axis, cells, shape["order"]) for q, axis, cells in zip(point, axes, shape["cells"])]
        noisy = sum(numbers) * step
    elif release["method"] == "gp":
        factors = [torus_axis(q, *axis, terms) for q, axis, terms in zip(point, axes, release["torus"]["terms"])]
        # What the constant alone integrates to, 1 over its coefficient of one record.
        noisy = numbers[0] * step / prod(torus_constant(a, b, h, boundary) for a, b, h, boundary in axes)
    else:
        factors = [wave_axis(q, *axis, terms) for q, axis, terms in zip(point, axes, release["torus"]["terms"])]
        noisy = None
    # Under add-remove there are no rows, and groups have none of their own: divide by the noisy total.
    total = release["rows"] if "rows" in release and "groups" not in release else noisy
    return step / total * sum(c * prod(f) for c, f in zip(numbers, itertools.product(*factors)))


if __name__ == "__main__":
    words = sys.argv[1:]
    labels = words.pop(words.index("--group") + 1).split(",") if "--group" in words[:-1] else []
    words = [word for word in words if word != "--group"]
    if len(words) == 0:
        sys.exit("usage: evaluate.py RELEASE.sfm [--group A[,B...]] X[,Y...] ...; of a histogram without points")
    with open(words[0], encoding="utf-8") as file:
        density = json.load(file)
    if density["kind"] == "histogram":
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow([column["column"] for column in density["columns"]] + ["count"])
        for texts, count in zip(cells(density), density["coefficients"]):
            out.writerow(texts + [count])
    elif len(words) < 2:
        sys.exit("evaluate.py: at which points?")
    if density["kind"] == "machine":
        for text in words[1:]:
            values = machine(density, text.split(","))
            print(",".join([text] + (["nan"] if values is None else ["%.17g" % value for value in values])))
        sys.exit()
    if any(len(text.split(",")) != len(density["domain"]) for text in words[1:]):
        sys.exit("evaluate.py: a point has %d coordinates" % len(density["domain"]))
    for text in words[1:]:
        print("%s,%.17g" % (text, evaluate(density, [float(x) for x in text.split(",")], labels)))
