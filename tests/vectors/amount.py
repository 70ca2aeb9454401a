#!/usr/bin/env python3
"""Writes amount.csv: what totals allow, what costs, and what epsilon an amount means.

Every row is quantity,x,delta,value; x and delta are the decimals that are meant (not the doubles
next to them), value has 40 digits:

    rho-allowed      epsilon x, delta  ->  the largest rho whose zCDP curve passes there
    square-allowed   epsilon x, delta  ->  mu^2 of the largest mu whose GDP curve passes there
    square-of-pure   pure epsilon x    ->  mu^2, mu = 2 Phi^-1(e^x/(1 + e^x))
    rho-epsilon      rho x, delta      ->  the least epsilon of its zCDP curve
    square-epsilon   mu^2 x, delta     ->  the least epsilon of its GDP curve

Independent of the library.  zCDP: with alpha = 1 + u the bound of Canonne, Kamath & Steinke (2020)
is least where (1 + 2u) rho = epsilon + ln(1 + 1/u); putting rho (or epsilon) from there into
ln delta = u((1+u) rho - epsilon) - u ln(1 + 1/u) - ln(1 + u) leaves one equation in u alone, solved
by bisection.  GDP: gdp.py, and the closed form at 500 digits.  mu of pure: the inverse of erf.

    python3 amount.py > amount.csv        (needs mpmath; two minutes)
"""
import sys

from mpmath import erfc, erfinv, exp, findroot, log, log1p, mp, mpf, sqrt, tanh

import gdp

mp.dps = 60


def order(ln_delta_at):
    """u with ln_delta_at(u) = 0, which falls as ln u grows."""
    low, high = mpf(-200), mpf(200)
    while high - low > mpf(10) ** -58:
        middle = (low + high) / 2
        if ln_delta_at(exp(middle)) > 0:
            low = middle
        else:
            high = middle
    return exp((low + high) / 2)


def ln_delta(u, rho, epsilon):
    return u * ((1 + u) * rho - epsilon) - u * log1p(1 / u) - log1p(u)


def rho_allowed(epsilon, delta):
    def rho(u):
        return (epsilon + log1p(1 / u)) / (1 + 2 * u)
    return rho(order(lambda u: ln_delta(u, rho(u), epsilon) - log(delta)))


def rho_epsilon(rho, delta):
    def epsilon(u):
        return (1 + 2 * u) * rho - log1p(1 / u)
    return max(mpf(0), epsilon(order(lambda u: ln_delta(u, rho, epsilon(u)) - log(delta))))


def square_epsilon(square, delta):
    mu = sqrt(square)
    if gdp.delta_closed(mu, mpf(0)) <= delta:
        return mpf(0)
    low, high = mpf(0), mu ** 2 / 2 + 60 * mu
    assert gdp.delta_closed(mu, high) < delta
    while high - low > mpf(10) ** -50 * high:
        middle = (low + high) / 2
        if gdp.delta_closed(mu, middle) > delta:
            low = middle
        else:
            high = middle
    return high


def square_of_pure(epsilon):
    if epsilon < 5:
        return 8 * erfinv(tanh(epsilon / 2)) ** 2
    log_tail = -log1p(exp(epsilon))  # ln Phi(-mu/2)
    half = findroot(lambda x: log(erfc(x / sqrt(mpf(2))) / 2) - log_tail, sqrt(-2 * log_tail))
    return 4 * half ** 2


def main():
    epsilons = ["0.00001", "0.001", "0.03", "0.1", "0.3", "0.7", "1", "1.1", "3", "10", "41.9",
                "200", "1000"]
    deltas = ["1e-300", "1e-100", "1e-15", "1e-9", "1e-6", "0.001", "0.1", "0.7"]
    amounts = ["0.000000000001", "0.00000012345", "0.001", "0.056028743113", "0.3", "1",
               "7.123456789012", "100", "1500"]
    print("quantity,x,delta,value")

    def row(quantity, x, delta, value):
        print("%s,%s,%s,%s" % (quantity, x, delta, mp.nstr(value, 40)))
        sys.stdout.flush()

    for e in epsilons:
        for d in deltas:
            row("rho-allowed", e, d, rho_allowed(mpf(e), mpf(d)))
            row("square-allowed", e, d, gdp.solve(mpf(e), mpf(d)) ** 2)
    for e in epsilons:
        row("square-of-pure", e, "0", square_of_pure(mpf(e)))
    for a in amounts:
        for d in deltas[1:]:
            row("rho-epsilon", a, d, rho_epsilon(mpf(a), mpf(d)))
            if mpf(a) <= 100:
                row("square-epsilon", a, d, square_epsilon(mpf(a), mpf(d)))


if __name__ == "__main__":
    main()
