#!/usr/bin/env python3
"""Writes gdp.csv: epsilon, delta, mu with delta(mu, epsilon) = delta, mu to 40 digits.

Independent of the library: the curve is found by integrating its derivative,
    d delta / d mu = phi(epsilon/mu - mu/2),    delta(0) = 0,
in mpmath with 60 digits, never from the difference of two normal tails; the root by Newton's
method on log delta.  The closed form at 500 digits is asserted to agree.  epsilon and delta are
written so that reading them as doubles gives exactly the numbers used.

    python3 gdp.py > gdp.csv        (needs mpmath; a minute)
"""
import sys

from mpmath import exp, log, mp, mpf, ncdf, npdf, quad

mp.dps = 60


def density(mu, epsilon):
    return npdf(epsilon / mu - mu / 2)


def delta_by_integral(mu, epsilon):
    """The integrand rises steeply towards mu: geometric panels closing in on it, and its value
    at mu taken out, since quad aims at an absolute error."""
    nodes = [mpf(0)] + [mu * mpf(2) ** -k for k in range(30, 0, -2)]
    nodes += [mu * (1 - mpf(2) ** -k) for k in range(2, 14)] + [mu]
    top = density(mu, epsilon)
    return top * quad(lambda m: density(m, epsilon) / top if m else mpf(0), nodes)


def delta_closed(mu, epsilon):
    old, mp.dps = mp.dps, 500
    value = ncdf(-epsilon / mu + mu / 2) - exp(epsilon) * ncdf(-epsilon / mu - mu / 2)
    mp.dps = old
    return +value


def start(epsilon, delta):
    """Bisection on log mu with the closed form, to eight digits."""
    low, high = log(mpf("1e-9")), log(mpf(100))
    while high - low > mpf("1e-8"):
        middle = (low + high) / 2
        if delta_closed(exp(middle), epsilon) <= delta:
            low = middle
        else:
            high = middle
    return exp(low)


def solve(epsilon, delta):
    mu = start(epsilon, delta)
    for _ in range(4):
        value = delta_by_integral(mu, epsilon)
        step = log(value / delta) * value / density(mu, epsilon)
        mu -= step
        if abs(step) < mu * mpf("1e-40"):
            break
    assert abs(step) < mu * mpf("1e-30"), (epsilon, delta)
    assert abs(delta_closed(mu, epsilon) / delta - 1) < mpf("1e-35"), (epsilon, delta)
    return mu


def main():
    epsilons = ["1e-6", "3e-5", "0.001", "0.03", "0.1", "0.5", "1", "3", "10", "40", "200", "1000"]
    deltas = ["1e-300", "1e-200", "1e-100", "1e-40", "1e-15", "1e-9", "1e-6", "0.001", "0.01",
              "0.1", "0.5", "0.9"]
    print("epsilon,delta,mu")
    for e in epsilons:
        for d in deltas:
            mu = solve(mpf(float(e)), mpf(float(d)))
            print("%s,%s,%s" % (e, d, mp.nstr(mu, 40)))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
