#!/usr/bin/env python3
"""A path of the exponential kernel at 8,000 places by numpy's dense Cholesky beside our engines.

    build/venv/bin/python bench/numpy_paths.py build/release/bench/bench_fields

numpy builds the matrix, factors it and multiplies by normals that are given; the engines do the same
job from kernel and places to the path.  The best of three each.
"""
import subprocess
import sys
import time

import numpy as np

COUNT, BANDWIDTH, NUGGET = 8000, 0.1, 2.0**-20


def dense(x, z):
    matrix = np.exp(-np.abs(x[:, None] - x[None, :]) / BANDWIDTH)
    matrix[np.diag_indices(COUNT)] += NUGGET
    return np.linalg.cholesky(matrix) @ z


def main():
    rng = np.random.default_rng(1)
    x, z = np.sort(rng.uniform(size=COUNT)), rng.standard_normal(COUNT)
    theirs = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        dense(x, z)
        theirs = min(theirs, time.perf_counter() - start)
    print(f"exponential kernel at {COUNT:,} places: numpy's dense Cholesky {theirs:.3f} s")
    lines = subprocess.run([sys.argv[1], "dense"], capture_output=True, text=True, check=True).stdout
    for line in lines.splitlines():
        engine, seconds = line.split()
        print(f"  {engine:9} {float(seconds):.6f} s: {theirs / float(seconds):.1f} x as fast")


if __name__ == "__main__":
    main()
