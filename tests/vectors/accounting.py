#!/usr/bin/env python3
"""Writes accounting.csv: losses, epsilon, delta(epsilon) of their composition, to 20 digits.

Independent of the library's inversion.  Three ways, each from the definition
    delta(epsilon) = E (1 - e^(epsilon - S))+,   S the sum of the losses under p:
 "sum"      atoms of all laws listed one by one; what is left of Laplace laws as tilted uniforms,
            whose sum has a piecewise polynomial density; Gaussians by the closed curve; one
            integral over the density where both are there.
 "binomial" many releases of one two-point law: the binomial sum.
 "contour"  many releases of several laws: the Fourier integral by adaptive quadrature in 28
            digits, on a contour of its own.
A few rows are computed in two ways and asserted to agree.  Losses are written
kind:parameter:count[:categories], separated by blanks; epsilon is written so that reading it as a
double gives exactly the number used.

    python3 accounting.py > accounting.csv        (needs mpmath; half an hour)
"""
import itertools
import random
import sys

from mpmath import erfc, exp, expm1, factorial, log, mp, mpc, mpf, pi, quad, sqrt

mp.dps = 28


def positive(x):
    return -expm1(-x) if x > 0 else mpf(0)


def curve(x, mu):
    """E (1 - e^(x - G))+ for a Gaussian loss G of mean mu^2/2, variance mu^2 (0: G = 0)."""
    if mu == 0:
        return positive(-x)
    old, mp.dps = mp.dps, mp.dps + 24
    r = sqrt(mpf(2))
    value = erfc((x / mu - mu / 2) / r) / 2 - exp(x) * erfc((x / mu + mu / 2) / r) / 2
    mp.dps = old
    return +value


def points(kind, p, categories):
    """The atoms of one release of an atomic law: {loss: probability}."""
    p = mpf(p)
    if kind == "discrete-gaussian":
        reach = int(24 * p) + 12
        weight = {x: exp(-mpf(x * x) / (2 * p * p)) for x in range(-reach, reach + 1)}
        total = sum(weight.values())
        return {(1 - 2 * mpf(x)) / (2 * p * p): w / total for x, w in weight.items()}
    k = categories if kind == "randomised-response" else 2
    total = exp(p) + k - 1
    atoms = {p: exp(p) / total, -p: 1 / total}
    if k > 2:
        atoms[mpf(0)] = (k - 2) / total
    return atoms


def convolve(a, b):
    out = {}
    for (s, p), (t, q) in itertools.product(a.items(), b.items()):
        key = mp.nstr(s + t, 22)
        old = out.get(key, (s + t, mpf(0)))
        out[key] = (old[0], old[1] + p * q)
    return dict(v for v in out.values() if v[1] > mpf("1e-50"))


def uniform_sum(widths):
    """Density of the sum of uniforms on [-w, w], and its breaks."""
    n = len(widths)
    norm = factorial(n - 1)
    for w in widths:
        norm *= 2 * w
    terms = []
    for signs in itertools.product((1, -1), repeat=n):
        sign = 1
        for s in signs:
            sign *= s
        terms.append((sign, sum(s * w for s, w in zip(signs, widths))))

    def density(u):
        return sum(s * (u + c) ** (n - 1) for s, c in terms if u + c > 0) / norm

    return density, sorted({c for _, c in terms})


def smooth_part(widths, mu):
    """x -> E (1 - e^(x - U - G))+ over the part of Laplace laws that has a density, all of them."""
    if not widths:
        return lambda x: curve(x, mu)
    q, breaks = uniform_sum(widths)
    scale = exp(-sum(widths) / 2)
    for w in widths:
        scale *= w / 2
    cache = {}

    def value(x):
        key = mp.nstr(x, 22)
        if key not in cache:
            nodes = set(breaks)
            if breaks[0] < x < breaks[-1]:
                nodes.add(x)
            if mu:
                for k in (-30, -12, -6, -3, 0, 3, 6, 12, 30):
                    if breaks[0] < x + k * mu < breaks[-1]:
                        nodes.add(x + k * mu)
            cache[key] = scale * quad(lambda u: exp(u / 2) * q(u) * curve(x - u, mu), sorted(nodes),
                                      method="gauss-legendre")
        return cache[key]

    return value


def by_sum(losses, epsilon):
    atoms, variance, laplace = {mpf(0): mpf(1)}, mpf(0), []
    for kind, p, count, categories in losses:
        if kind == "gaussian":
            variance += count / mpf(p) ** 2
        elif kind == "laplace":
            laplace.append((mpf(p), count))
        else:
            one = points(kind, p, categories)
            for _ in range(count):
                atoms = convolve(atoms, one)
    mu = sqrt(variance)
    total = mpf(0)
    splits = [[(a, b, k - a - b) for a in range(k + 1) for b in range(k + 1 - a)] for _, k in laplace]
    for pattern in itertools.product(*splits):
        mass, place, widths = mpf(1), mpf(0), []
        for (p, k), (a, b, c) in zip(laplace, pattern):
            mass *= factorial(k) / factorial(a) / factorial(b) / factorial(c)
            mass *= mpf(2) ** -(a + b) * exp(-p * b)
            place += (a - b) * p
            widths += [p] * c
        part = smooth_part(widths, mu)
        total += mass * sum(q * part(epsilon - place - s) for s, q in atoms.items())
    return total


def by_binomial(losses, epsilon):
    (_, p, count, _), = losses
    p, total, mass = mpf(p), mpf(0), (1 / (1 + exp(-mpf(p)))) ** count
    for minus in range(count + 1):
        gap = (count - 2 * minus) * p - epsilon
        if gap <= 0:
            break
        total += mass * positive(gap)
        mass *= exp(-p) * (count - minus) / (minus + 1)
    return total


def log_moment(loss, z):
    kind, p, count, categories = loss
    p = mpf(p)
    if kind == "gaussian":
        return count * z * (z + 1) / (2 * p * p)
    if kind == "laplace":
        return count * log(((z + 1) * exp(z * p) + z * exp(-(z + 1) * p)) / (2 * z + 1))
    return count * log(sum(q * exp(z * y) for y, q in points(kind, p, categories).items()))


def by_contour(losses, epsilon):
    def exponent(l):
        return sum(log_moment(x, mpf(l)) for x in losses) - l * epsilon

    l = min((mpf(2) ** (k / mpf(8)) for k in range(-80, 160)),
            key=lambda l: exponent(l) - log(l) - log(l + 1)) * mpf("0.97")
    peak = exponent(l)
    h = mpf("0.001") * l
    spread = sqrt((exponent(l + h) - 2 * peak + exponent(l - h)) / h**2)

    def integrand(t):
        z = mpc(l, t)
        return (exp(sum(log_moment(x, z) for x in losses) - z * epsilon - peak) / (z * (z + 1))).real

    ends = [k / spread for k in (0, 0.5, 1, 2, 3, 4, 6, 8, 11, 15, 20)]
    return exp(peak) * quad(integrand, ends) / pi


def read(text):
    out = []
    for word in text.split():
        kind, p, count, *rest = word.split(":")
        out.append((kind, float(p), int(count), int(rest[0]) if rest else 2))
    return out


def random_losses(rng):
    out, atoms = [], 1
    if rng.random() < 0.5:
        out.append("gaussian:%s:%d" % (round(10 ** rng.uniform(-0.3, 2), 3), rng.randint(1, 50)))
    if rng.random() < 0.6:
        out.append("laplace:%s:%d" % (round(10 ** rng.uniform(-1.3, 0.7), 3), rng.randint(1, 2)))
        if rng.random() < 0.3:
            out.append("laplace:%s:1" % round(10 ** rng.uniform(-1.3, 0.7), 3))
    for kind in rng.sample(["pure", "discrete-laplace", "randomised-response", "discrete-gaussian"],
                           rng.randint(0 if out else 1, 2)):
        count = rng.randint(1, 6)
        p = round(10 ** rng.uniform(-1.5, 0.5), 3)
        rest = ""
        if kind == "randomised-response":
            rest = ":%d" % rng.choice([2, 3, 10, 1000])
        if kind == "discrete-gaussian":
            p, count = round(10 ** rng.uniform(-0.6, 0.5), 3), 1
        if any("laplace" == w.split(":")[0] for w in out):
            count = min(count, 2)
        out.append("%s:%s:%d%s" % (kind, p, count, rest))
    return " ".join(out)


def spread(losses):
    """Standard deviation and mean of the loss, roughly, to choose epsilons."""
    h = mpf("1e-8")
    f = lambda t: sum(log_moment(x, mpf(t)) for x in losses)
    mean, second = (f(h) - f(-h)) / (2 * h), (f(h) - 2 * f(0) + f(-h)) / h**2
    return mean, sqrt(abs(second))


def show(text, epsilon, delta):
    print("%s,%s,%s" % (text, repr(epsilon), mp.nstr(delta, 20)))
    sys.stdout.flush()


def small_rows():
    rng = random.Random(20240607)
    for _ in range(120):
        text = random_losses(rng)
        losses = read(text)
        mean, deviation = spread(losses)
        for _ in range(3):
            epsilon = float(max(0, mean + deviation * rng.uniform(-1, 7)))
            if rng.random() < 0.2:
                epsilon = round(epsilon, 1)
            delta = by_sum(losses, mpf(epsilon))
            if delta > mpf("1e-22"):
                show(text, epsilon, delta)


def large_rows():
    mixed = "gaussian:20.0:250 laplace:0.1:250 discrete-laplace:0.05:250 pure:0.1:250"
    for text, epsilons in [
        (mixed, [0.0, 3.0, 14.0, 25.0, 60.0]),
        ("gaussian:316.0:100000", [0.5, 1.0, 4.0]),
        ("laplace:0.01:100000", [5.0, 20.0, 30.0]),
        ("laplace:0.02:30000 pure:0.01:40000 gaussian:100.0:30000", [15.0, 40.0, 60.0]),
        ("discrete-gaussian:5.0:40 gaussian:2.0:3", [0.1, 5.0, 20.0]),
        ("randomised-response:0.2:500:7 laplace:0.3:200", [5.0, 20.0, 35.0]),
        ("gaussian:1.5:1 " + " ".join("laplace:%s:1 pure:%s:1" % (round(0.05 + 0.01 * i, 2),
                                                                round(0.045 + 0.01 * i, 3))
                                     for i in range(20)), [1.0, 5.0, 9.0]),
    ]:
        for epsilon in epsilons:
            show(text, epsilon, by_contour(read(text), mpf(epsilon)))
    for text, epsilons in [
        ("pure:0.01:100000", [0.0, 5.0, 25.0, 26.7178104308]),
        ("discrete-laplace:0.5:20", [0.0, 5.0, 9.0, 9.999]),
        ("pure:1.0:1", [0.0, 0.5, 0.999999, 0.9999999999]),
        ("pure:0.001:1000000", [0.5, 3.0, 8.0]),
    ]:
        for epsilon in epsilons:
            show(text, epsilon, by_binomial(read(text), mpf(epsilon)))


def agree():
    """Two ways, one number."""
    for text, epsilon, other in [("laplace:0.5:2 gaussian:1.0:1", "0.8", by_contour),
                                 ("laplace:0.3:1 gaussian:0.7:2 pure:0.4:2", "3", by_contour),
                                 ("discrete-gaussian:1.5:1 gaussian:1.0:1", "2", by_contour),
                                 ("pure:0.5:12", "2.25", by_binomial)]:
        losses = read(text)
        one, two = by_sum(losses, mpf(epsilon)), other(losses, mpf(epsilon))
        assert abs(one / two - 1) < mpf("1e-19"), (text, one, two)


def main():
    agree()
    print("losses,epsilon,delta")
    small_rows()
    large_rows()


if __name__ == "__main__":
    main()
