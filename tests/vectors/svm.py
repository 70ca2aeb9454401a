#!/usr/bin/env python3
"""Writes svm.csv: what is proved of private kernel machines, each number from the steps of its proof
and not from the formula that the library has.

Independent of the library, in mpmath with 40 digits: Chernoff's bound is solved for the noise by a
root, the quantile of the gamma law comes from its integral, the number of random features from the
probability of a failure, the lower bounds from the databases of their proofs: machines in closed
form, privacy by groups, records added until the two are far enough apart.

    python3 svm.py > svm.csv        (needs mpmath; seconds)
"""
from mpmath import ceil, exp, gammainc, inf, log, mp, mpf, pi, sin, sqrt

mp.dps = 40

MOMENT = {"gaussian": mpf(1), "matern32": mpf(3), "matern52": mpf(5) / 3, "cauchy": mpf(2)}


def bisect(good, low, high):
    """The least argument that is good, good above it, to 30 digits."""
    low, high = mpf(low), mpf(high)
    for _ in range(400):
        middle = sqrt(low * high)
        if good(middle):
            high = middle
        else:
            low = middle
    return high


def finite(n, lam, kappa, entry, F, eps, acc, fail):
    """scale (thm 10), accuracy (thm 11), sharp accuracy, epsilon (cor 19)."""
    move = 2 * kappa / (lam * n)  # twice a slope of 1/n times kappa, by strong convexity lam

    def chance(scale, a):  # Chernoff at t = 1/(2 scale): P(entry * sum of F exponentials > a)
        t = 1 / (2 * scale)
        return log(1 - scale * t) * -F - a / entry * t

    scale = move * sqrt(F) / eps
    accuracy = bisect(lambda a: chance(scale, a) <= log(fail), 1e-30, 1e30)
    sharp = bisect(lambda x: gammainc(F, x, inf, regularized=True) <= fail, 1e-30, 1e6)
    noise = 1 / bisect(lambda b: chance(1 / b, acc) <= log(fail), 1e-30, 1e30)
    return scale, accuracy, sharp * scale * entry, move * sqrt(F) / noise


def chance_of_kernel(d, spread, error, P):
    """Rahimi and Recht's claim 1; for sets so small that it says nothing of them, of a larger one."""
    ratio = max(spread / error, mpf(1))
    return log(256) + 2 * log(ratio) - P * error ** 2 / (4 * (d + 2))


def frequencies(d, spread, error, fail):
    P = bisect(lambda p: chance_of_kernel(d, spread, error, p) <= log(fail), 1e-3, mpf(10) ** 60)
    return ceil(P * (1 - mpf(10) ** -30))


def near(lam, acc):
    """The largest e <= 1 with sqrt(e) (T + 2 sqrt((C + T/2) T)) <= acc/2, T = C = 1/lam."""
    C = T = 1 / lam
    return min(mpf(1), (acc / 2 / (T + 2 * sqrt((C + T / 2) * T))) ** 2)


def random(n, lam, kernel, h, d, diameter, eps, acc, fail):
    spread = sqrt(d * MOMENT[kernel]) / h * diameter
    F18 = 2 * frequencies(d, spread, acc, fail)
    P = frequencies(d, spread, near(lam, acc), fail / 2)

    def log_chance(P, scale, a):  # 2 P exponentials of that scale over sqrt P, beyond a/2
        return 2 * P * log(2) - a / 2 * sqrt(P) / (2 * scale)

    def useful(P, scale, a):  # half the exponent pays for the 2 P ln 2, half for the failure
        return (
            2 * P * log(2) <= a * sqrt(P) / (8 * scale)
            and -a * sqrt(P) / (8 * scale) <= log(fail / 2)
            and log_chance(P, scale, a) <= log(fail / 2) * (1 - mpf(10) ** -30)
        )

    move = 2 / (lam * n) * sqrt(2 * P)
    epsilon = bisect(lambda x: useful(P, move / x, acc), 1e-30, 1e60)

    def reachable(a):
        p = frequencies(d, spread, near(lam, a), fail / 2)
        return useful(p, 2 / (lam * n) * sqrt(2 * p) / eps, a)

    accuracy = bisect(reachable, 1e-12, 1e30)
    return F18, 2 * P, accuracy, epsilon


def least_linear(n, lam, kappa, acc, fail):
    """All rows at the place M with y x = M, g of them with the label turned."""
    M = min(kappa, sqrt(lam))
    for g in range(1, n + 1):
        one, other = M / lam, M / lam * (n - 2 * g) / n
        if kappa * (one - other) > 2 * acc:
            return log((1 - fail) / fail) / g, g
    return None, 0


def least_gaussian(n, lam, h, acc, fail):
    """g positive rows on a circle about the negative ones."""
    N = 2
    while exp(-2 / h ** 2 * sin(pi / (N + 1)) ** 2) <= mpf(1) / 2:
        N += 1
    for g in range(1, n + 1):
        if not g / (lam * n) < 1:
            return None, 0
        if g / (lam * n) * mpf("0.5") > 2 * acc:
            return log((1 - fail) * (N - 1) / fail) / g, g
    return None, 0


def show(value):
    return "nan" if value is None else mp.nstr(value, 17)


print("kind,n,lambda,kappa,entry,features,kernel,bandwidth,dimension,diameter,epsilon,accuracy,failure,a,b,c,d")
for n, lam, kappa, entry, F, eps, acc, fail in [
    (1000, "0.125", "1", "1", 1, "1", "0.125", "0.0625"),
    (32561, "0.0078125", "1", "1", 14, "0.5", "0.25", "0.0625"),
    (500, "2", "3", "0.5", 100, "4", "8", "0.0009765625"),
    (10 ** 9, "0.0009765625", "0.5", "0.25", 3000, "0.125", "0.5", "0.5"),
]:
    got = finite(mpf(n), mpf(lam), mpf(kappa), mpf(entry), F, mpf(eps), mpf(acc), mpf(fail))
    print("finite", n, lam, kappa, entry, F, "linear", 0, 0, 0, eps, acc, fail, *map(show, got), sep=",")
for n, lam, kernel, h, d, diameter, eps, acc, fail in [
    (10000, "0.125", "gaussian", "0.5", 2, "2", "1", "0.5", "0.0625"),
    (10 ** 7, "1", "cauchy", "2", 5, "4", "0.5", "0.25", "0.0009765625"),
    (10 ** 12, "0.0078125", "matern52", "0.25", 3, "0.125", "8", "0.125", "0.125"),
    (300, "4", "matern32", "16", 1, "0.5", "2", "4", "0.5"),
]:
    got = random(mpf(n), mpf(lam), kernel, mpf(h), d, mpf(diameter), mpf(eps), mpf(acc), mpf(fail))
    print("random", n, lam, 1, 0, 0, kernel, h, d, diameter, eps, acc, fail, *map(show, got), sep=",")
for n, lam, kappa, acc, fail in [
    (1000, "0.125", "1", "0.001", "0.0625"),
    (1000, "0.125", "1", "0.75", "0.0625"),
    (50, "4", "1", "0.0048828125", "0.25"),
    (50, "4", "3", "0.5", "0.25"),
    (50, "0.25", "1", "2.5", "0.25"),
    (77, "9", "4", "0.03125", "0.4375"),
]:
    bound, g = least_linear(n, mpf(lam), mpf(kappa), mpf(acc), mpf(fail))
    print("linear", n, lam, kappa, 0, 0, "linear", 0, 0, 0, 0, acc, fail, show(bound), g, "nan", "nan", sep=",")
for n, lam, h, acc, fail in [
    (1000, "0.125", "0.5", "0.001", "0.0625"),
    (1000, "0.125", "0.5", "0.125", "0.0625"),
    (1000, "0.125", "1.5", "0.015625", "0.0625"),
    (1000, "0.125", "0.03125", "0.0078125", "0.75"),
    (100, "0.0078125", "0.5", "0.03125", "0.0625"),
    (1000, "0.125", "0.5", "0.5", "0.0625"),
]:
    bound, g = least_gaussian(n, mpf(lam), mpf(h), mpf(acc), mpf(fail))
    print("gaussian", n, lam, 1, 0, 0, "gaussian", h, 2, 0, 0, acc, fail, show(bound), g, "nan", "nan", sep=",")
