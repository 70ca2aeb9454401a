#!/usr/bin/env python3
"""scipy's HiGHS on the programs of bench_optimal: minimax, absolute loss, n = 70, twenty epsilons.

    build/venv/bin/python bench/highs_optimal.py build/release/bench/bench_optimal

"remap" is the program of the table after the truncated geometric mechanism, all (n+1)^2 of its
entries; "halved" the same with the table the same from both ends, which is what ours starts from.
Building the matrices is not in HiGHS's time; ours includes everything up to the exact table and its
checks.
"""
import subprocess
import sys
import time

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, kron, eye

N = 70


def geometric(epsilon):
    a = np.exp(-epsilon)
    i = np.arange(N + 1)
    g = (1 - a) / (1 + a) * a ** np.abs(i[:, None] - i[None, :])
    g[:, 0] = a ** i / (1 + a)
    g[:, N] = a ** (N - i) / (1 + a)
    return g


def remap(epsilon):
    """Rows: the risk at every count less z; sums.  Columns: T row by row; z."""
    i = np.arange(N + 1)
    loss = np.abs(i[:, None] - i[None, :])
    risks = (geometric(epsilon)[:, :, None] * loss[:, None, :]).reshape(N + 1, -1)
    sums = kron(eye(N + 1), np.ones((1, N + 1))).toarray()
    return risks, sums


def halved(epsilon):
    """T[k][j] = T[n-k][n-j]: columns of a pair are added up, rows of a pair are the same."""
    risks, sums = remap(epsilon)
    entries, half = (N + 1) ** 2, N // 2 + 1
    kept = (entries + 1) // 2
    fold = np.zeros((entries, kept))
    for e in range(entries):
        fold[e, min(e, entries - 1 - e)] = 1
    return (risks @ fold)[:half], (sums @ fold)[:half]


def solve(build, epsilon):
    risks, sums = build(epsilon)
    rows, columns = risks.shape
    above = csr_matrix(np.hstack([risks, -np.ones((rows, 1))]))
    equal = csr_matrix(np.hstack([sums, np.zeros((len(sums), 1))]))
    cost = np.zeros(columns + 1)
    cost[-1] = 1
    start = time.perf_counter()
    found = linprog(cost, A_ub=above, b_ub=np.zeros(rows), A_eq=equal, b_eq=np.ones(len(sums)),
                    bounds=(0, None), method="highs")
    return found.fun, time.perf_counter() - start


def main():
    printed = subprocess.run([sys.argv[1], "rows"], check=True, capture_output=True, text=True)
    ours = [[float(word) for word in line.split()] for line in printed.stdout.splitlines()]
    total = {"remap": 0, "halved": 0}
    worst = 0
    for epsilon, risk, _ in ours:
        for name, build in (("remap", remap), ("halved", halved)):
            value, seconds = min((solve(build, epsilon) for _ in range(3)), key=lambda pair: pair[1])
            total[name] += seconds
            worst = max(worst, abs(value / risk - 1))
    mine = sum(row[2] for row in ours)
    print("scipy's HiGHS on the same remap programs: %.0f ms, %.1f x our %.1f ms (wanted 1 x); on the "
          "halved ones %.0f ms, %.1f x; risks agree to %.1e"
          % (1e3 * total["remap"], total["remap"] / mine, 1e3 * mine, 1e3 * total["halved"],
             total["halved"] / mine, worst))


if __name__ == "__main__":
    main()
