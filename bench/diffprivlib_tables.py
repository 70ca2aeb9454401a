#!/usr/bin/env python3
"""Tables of diffprivlib beside ours at the same epsilon: mean l1 error.

    build/venv/bin/python bench/diffprivlib_tables.py build/release/bench/bench_tables DATA

Its histogram gives every cell geometric noise of scale 1/epsilon, which is for records that are
added or removed, and puts zero for what is negative.  Cells are numbered before it sees them: numpy,
on which its histogramdd rests, wants 4^16 cells for sixteen columns of two.  Ours are tables under add-remove, likewise
without negative counts, and sparse ones.  Edwards: 1,000 releases each; NLTCS: 50 of ours, 3 of
its (each takes seconds).
"""
import subprocess
import sys
import time

import numpy as np
from diffprivlib.tools import histogram

EPSILONS = ["0.1", "0.5", "1", "2"]


def edwards(data):
    cells = np.loadtxt(data + "/mildew/mildew_cells.csv", delimiter=",", skiprows=1, dtype=int)
    return np.repeat(cells[:, :-1] - 1, cells[:, -1], axis=0)


def survey(data):
    return np.loadtxt(data + "/nltcs/nltcs.csv", delimiter=",", skiprows=1, dtype=int)


def error(rows, epsilon, releases):
    cells = 2 ** rows.shape[1]
    keys = rows @ (2 ** np.arange(rows.shape[1])[::-1])
    shape = {"bins": cells, "range": (-0.5, cells - 0.5)}
    truth, _ = np.histogram(keys, **shape)
    start = time.perf_counter()
    total = sum(np.abs(histogram(keys, epsilon=epsilon, **shape)[0] - truth).sum()
                for _ in range(releases))
    return total / releases, (time.perf_counter() - start) / releases


def main():
    bench, data = sys.argv[1:]
    ours = subprocess.run([bench, data] + EPSILONS, check=True, capture_output=True, text=True)
    rows = {"Edwards": (edwards, 1000), "NLTCS": (survey, 3)}
    print("table    epsilon  diffprivlib  ours, plain  ours, sparse  sparse/diffprivlib  "
          "its seconds a release")
    for line in ours.stdout.splitlines():
        name, epsilon, plain, sparse, _ = line.split()
        load, releases = rows[name]
        theirs, seconds = error(load(data), float(epsilon), releases)
        print(f"{name:8} {epsilon:>7} {theirs:12.1f} {float(plain):12.1f} {float(sparse):13.1f} "
              f"{float(sparse) / theirs:19.3f} {seconds:22.4f}")


if __name__ == "__main__":
    main()
