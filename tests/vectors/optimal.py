#!/usr/bin/env python3
"""Writes optimal.csv: n, epsilon, loss, objective, prior and the least risk of any private mechanism.

Independent of the library: the program of the whole table, one probability for every count and
answer and two inequalities for every ratio, by HiGHS.  "none": no mechanism has equal risks.

    build/venv/bin/python tests/vectors/optimal.py > tests/vectors/optimal.csv     (needs scipy)
"""
import math

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

LOSSES = {
    "absolute": lambda i, j: abs(i - j),
    "squared": lambda i, j: (i - j) ** 2,
    "zero-one": lambda i, j: i != j,
    "tilted": lambda i, j: 3 * (i - j) if j < i else j - i,          # dear to say too little
    "stairs": lambda i, j: (abs(i - j) + 1) // 2 * (1 + i % 3),      # flat parts, own to each count
    "lumpy": lambda i, j: (5 * i + 3 * j + i * j) % 7,               # nothing to do with distance
}
PRIORS = {
    "uniform": lambda i, n: 1 / (n + 1),
    "rising": lambda i, n: 2 * (i + 1) / ((n + 1) * (n + 2)),
    "ends": lambda i, n: 0.5 * (i == 0) + 0.5 * (i == n),
}


class Rows:
    def __init__(self):
        self.rows, self.columns, self.values, self.sides = [], [], [], []

    def add(self, entries, side):
        for column, value in entries:
            self.rows.append(len(self.sides))
            self.columns.append(column)
            self.values.append(value)
        self.sides.append(side)

    def matrix(self, columns):
        return coo_matrix((self.values, (self.rows, self.columns)), (len(self.sides), columns)).tocsr()


def least(n, epsilon, loss, objective, prior):
    size, z = n + 1, (n + 1) ** 2
    at = lambda i, j: i * size + j
    below, equal, cost = Rows(), Rows(), np.zeros(z + 1)
    for i in range(size):
        equal.add([(at(i, j), 1) for j in range(size)], 1)
        for other in (i - 1, i + 1):
            if 0 <= other < size:
                for j in range(size):
                    below.add([(at(i, j), 1), (at(other, j), -math.exp(epsilon))], 0)
        risk = [(at(i, j), float(loss(i, j))) for j in range(size)]
        if objective == "bayes":
            for column, value in risk:
                cost[column] = prior(i, n) * value
        else:
            (equal if objective == "equaliser" else below).add(risk + [(z, -1)], 0)
    if objective != "bayes":
        cost[z] = 1
    found = linprog(cost, A_ub=below.matrix(z + 1), b_ub=below.sides, A_eq=equal.matrix(z + 1),
                    b_eq=equal.sides, bounds=(0, None), method="highs",
                    options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10})
    assert found.status in (0, 2), found.message
    return "%.9f" % found.fun if found.status == 0 else "none"


def main():
    print("n,epsilon,loss,objective,prior,risk")
    for n in (1, 2, 3, 7, 12):
        for epsilon in (0.1, 0.5, 1, 2.5):
            for name, loss in LOSSES.items():
                for prior in PRIORS:
                    value = least(n, epsilon, loss, "bayes", PRIORS[prior])
                    print("%d,%g,%s,bayes,%s,%s" % (n, epsilon, name, prior, value))
                for objective in ("minimax", "equaliser"):
                    value = least(n, epsilon, loss, objective, None)
                    print("%d,%g,%s,%s,none,%s" % (n, epsilon, name, objective, value))


if __name__ == "__main__":
    main()
