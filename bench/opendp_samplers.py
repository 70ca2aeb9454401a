#!/usr/bin/env python3
"""Draws per second of OpenDP's integer Laplace and Gaussian, at the scales of bench_samplers.

    python3 -m venv build/opendp && build/opendp/bin/pip install opendp
    build/opendp/bin/python bench/opendp_samplers.py [build/release/bench/bench_samplers]

With the path of bench_samplers it runs that too and prints the factor.  Each OpenDP call noises a
vector of 20,000 zeros, so that the cost of the call itself does not count.
"""
import subprocess
import sys
import time

import opendp.prelude as dp

SCALES = [("1", 1.0), ("3/2", 1.5), ("10", 10.0), ("2^20", 2.0**20), ("2^40", 2.0**40)]
LENGTH = 20_000


def rate(make, metric, scale):
    space = dp.vector_domain(dp.atom_domain(T=dp.i64)), metric(T=dp.i64)
    measurement = make(*space, scale=scale)
    zeros = [0] * LENGTH
    measurement(zeros)
    start, draws = time.perf_counter(), 0
    while time.perf_counter() - start < 0.5:
        measurement(zeros)
        draws += LENGTH
    return draws / (time.perf_counter() - start)


def ours(program):
    rows = {}
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 5 and cells[2][:1].isdigit():
            rows[cells[0], cells[1]] = float(cells[2])
    return rows


def main():
    dp.enable_features("contrib")
    mine = ours(sys.argv[1]) if len(sys.argv) > 1 else {}
    print("| law | scale | OpenDP draws/s | sfumato draws/s | factor |")
    print("|---|---|---|---|---|")
    for law, make, metric in [
        ("discrete-laplace", dp.m.make_laplace, dp.l1_distance),
        ("discrete-gaussian", dp.m.make_gaussian, dp.l2_distance),
    ]:
        for name, scale in SCALES:
            theirs = rate(make, metric, scale)
            own = mine.get((law, name))
            print(f"| {law} | {name} | {theirs:.4g} |", f"{own:.4g} | {own / theirs:.0f} |" if own else "| |")


if __name__ == "__main__":
    main()
