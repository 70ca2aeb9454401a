#!/usr/bin/env python3
"""The interval of Google's dp_accounting beside ours, on the same 1,000 releases at delta = 1e-6.

    build/venv/bin/python bench/google_accounting.py build/release/bench/bench_accounting

Google's ends are its pessimistic and its optimistic estimate at the default discretisation, 1e-4.
Equal releases are composed by its self_compose, different ones two by two.  Its time is that of the
pessimistic end alone; ours is that of both.
"""
import math
import subprocess
import sys
import time

from dp_accounting.pld import privacy_loss_distribution as pld

DELTA = 1e-6


def one(kind, parameter, pessimistic):
    dots = {} if pessimistic else {"use_connect_dots": False}  # which is for pessimistic ones only
    if kind == "gaussian":
        return pld.from_gaussian_mechanism(parameter, pessimistic_estimate=pessimistic, **dots)
    if kind == "laplace":
        return pld.from_laplace_mechanism(1 / parameter, pessimistic_estimate=pessimistic, **dots)
    if kind == "discrete-laplace":
        return pld.from_discrete_laplace_mechanism(parameter, pessimistic_estimate=pessimistic)
    return pld.from_randomized_response(2 / (math.exp(parameter) + 1), 2,
                                        pessimistic_estimate=pessimistic)


def compose(losses, pessimistic):
    start = time.perf_counter()
    parts = []
    for kind, parameter, count in losses:
        part = one(kind, parameter, pessimistic)
        parts.append(part.self_compose(count) if count > 1 else part)
    while len(parts) > 1:
        pairs = [a.compose(b) for a, b in zip(parts[::2], parts[1::2])]
        parts = pairs + parts[len(pairs) * 2:]
    return parts[0].get_epsilon_for_delta(DELTA), time.perf_counter() - start


def ours(program, mode):
    return [line.split() for line in subprocess.run([program, mode], capture_output=True, text=True,
                                                    check=True).stdout.splitlines()]


def main():
    program = sys.argv[1]
    mixes = {}
    for name, kind, parameter, count in ours(program, "list"):
        mixes.setdefault(name, []).append((kind, float(parameter), int(count)))
    for name, lower, upper, seconds in ours(program, "rows"):
        if name not in mixes:
            continue
        lower, upper, seconds = float(lower), float(upper), float(seconds)
        high, time_high = compose(mixes[name], True)
        low, _ = compose(mixes[name], False)
        inside = low <= lower <= upper <= high
        print(f"1,000 releases, {name} parameters: Google [{low:.9g}, {high:.9g}], width "
              f"{(high - low) / high:.1e}, {time_high:.3f} s; ours [{lower:.15g}, {upper:.15g}], "
              f"width {(upper - lower) / upper:.1e} (wanted 1e-6), {1e3 * seconds:.3f} ms: "
              f"{'inside' if inside else 'NOT INSIDE'}, {time_high / seconds:.0f} x (wanted 20 x)")


if __name__ == "__main__":
    main()
