"""The density of every data set with one or two columns of numbers, with the fewest words a user would write.

    bench/defaults.py FOLDER SFUMATO [BEFORE] [--releases N] [--only PATTERN]

FOLDER has the data sets; SFUMATO and BEFORE are commands, of which the second is an earlier one to compare with.
Printed: what was chosen, the error of a release against an estimate without privacy (root mean square over the
domain in per cent of its peak, and half the integrated absolute difference), and the band in per cent of the peak,
all of them means over releases with known seeds.  Beside them the error of a histogram with discrete Laplace noise
of the same guarantee, drawn as bars, with 2 n^(1/3) bars (or n^(1/4) to each side), which knows no more.
"""
import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import scipy.fft

CASES = [  # name, file, columns, bounds
    ("faithful waiting", "density1d/faithful.csv", "waiting", "40:100"),
    ("faithful eruptions", "density1d/faithful.csv", "eruptions", "1:6"),
    ("geyser duration", "density1d/geyser.csv", "duration", "0:6"),
    ("galaxies", "density1d/galaxies.csv", "velocity_kms", "5000:40000"),
    ("cps88 wage", "density1d/cps1988_wages.csv", "wage", "0:2500"),
    ("cps88 experience", "density1d/cps1988_wages.csv", "experience", "0:60"),
    ("cpssw8 earnings", "density1d/cpssw8_earnings.csv.gz", "earnings", "0:80"),
    ("cpssw8 age", "density1d/cpssw8_earnings.csv.gz", "age", "18:70"),
    ("islr wage", "density1d/islr_wage.csv", "wage", "0:350"),
    ("islr age", "density1d/islr_wage.csv", "age", "18:80"),
    ("acs income", "density1d/acs12.csv", "income", "0:250000"),
    ("acs age", "density1d/acs12.csv", "age", "0:100"),
    ("acs hours", "density1d/acs12.csv", "hrs_work", "0:100"),
    ("adult age", "adult/adult.csv.gz", "age", "0:100"),
    ("adult age 17", "adult/adult.csv.gz", "age", "17:90"),
    ("adult hours", "adult/adult.csv.gz", "hours_per_week", "0:100"),
    ("california income", "housing/california_housing.csv.gz", "median_income", "0:16"),
    ("california value", "housing/california_housing.csv.gz", "median_house_value", "0:510000"),
    ("california age", "housing/california_housing.csv.gz", "housing_median_age", "0:55"),
    ("ames price", "housing/ames.csv.gz", "Sale_Price", "0:800000"),
    ("ames area", "housing/ames.csv.gz", "Gr_Liv_Area", "0:6000"),
    ("pima glucose", "libsvm_small/pima_diabetes.csv", "glucose", "0:250"),
    ("pima age", "libsvm_small/pima_diabetes.csv", "age", "18:90"),
    ("quakes depth", "spatial2d/quakes.csv", "depth", "0:700"),
    ("quakes mag", "spatial2d/quakes.csv", "mag", "4:7"),
    ("uk", "spatial2d/uk_road_accidents.csv.gz", "lng,lat", "-8:2,49.5:61"),
    ("uk london", "spatial2d/uk_road_accidents.csv.gz", "lng,lat", "-0.2:0,51.45:51.55"),
    ("uber", "spatial2d/nyc_uber_pickups.csv.gz", "lng,lat", "-74.3:-73.7,40.5:41"),
    ("camden", "spatial2d/camden_crimes.csv", "x,y", "523000:532000,181000:188000"),
    ("quakes", "spatial2d/quakes.csv", "lat,long", "-40:-10,165:190"),
    ("shapley", "spatial2d/shapley_galaxies.csv", "x,y", "193:207,-39:-26"),
    ("bei", "spatial2d/bei_trees.csv", "x,y", "0:1000,0:500"),
    ("lansing", "spatial2d/lansing_trees.csv", "x,y", "0:1,0:1"),
    ("adult age x hours", "adult/adult.csv.gz", "age,hours_per_week", "0:100,0:100"),
    ("california place", "housing/california_housing.csv.gz", "longitude,latitude", "-125:-114,32:42"),
]
EPSILONS = (0.1, 1.0)
BINS = {1: 1024, 2: 256}


def read(path, columns):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        names = [name.strip('"') for name in file.readline().rstrip("\r\n").split(",")]
        at = [names.index(one) for one in columns]
        rows = []
        for line in file:
            cells = line.rstrip("\r\n").split(",")
            try:
                rows.append([float(cells[i]) for i in at])
            except (ValueError, IndexError):
                rows.append([np.nan] * len(at))
    return np.array(rows)


def bounds_of(text):
    return np.array([[float(end) for end in one.split(":")] for one in text.split(",")])


def counts_in(points, box):
    """Counts of points in cells of the box; those outside are left out."""
    d = len(box)
    return np.histogramdd(points, [np.linspace(*side, BINS[d] + 1) for side in box])[0]


def smooth(counts, widths):
    """Cells smoothed by a normal kernel that is reflected at the bounds; widths in parts of the domain."""
    spectrum = scipy.fft.dctn(counts, norm="ortho")
    for axis, width in enumerate(widths):
        j = np.arange(counts.shape[axis])
        shape = [1] * counts.ndim
        shape[axis] = -1
        spectrum *= np.exp(-0.5 * (np.pi * j * width) ** 2).reshape(shape)
    return scipy.fft.idctn(spectrum, norm="ortho")


def truth(points, box):
    """An estimate without privacy, of all points: its bandwidth is the best for halves of them by least squares,
    but no narrower than a unit of rounding."""
    d = len(box)
    inside = points[np.all((points >= box[:, 0]) & (points <= box[:, 1]), axis=1)]
    order = np.random.default_rng(1).permutation(len(inside))
    halves = [counts_in(inside[order[i::2]], box) for i in (0, 1)]
    least = np.array([max(unit(inside[:, a]) / (box[a, 1] - box[a, 0]), 1.5 / BINS[d]) for a in range(d)])
    deviation = inside.std(axis=0) / (box[:, 1] - box[:, 0])
    best, score = None, np.inf
    for factor in np.exp(np.linspace(np.log(0.005), np.log(1), 40)):
        widths = np.maximum(factor * deviation, least)
        total = 0
        for one, other in (halves, halves[::-1]):
            f = smooth(one, widths) / one.sum()
            total += (f * f).sum() - 2 * (f * other).sum() / other.sum()
        if total < score:
            best, score = widths, total
    widths = np.maximum(best * 0.5 ** (1 / (4 + d)), least)
    density = np.maximum(smooth(counts_in(inside, box), widths), 0) / len(points)
    return density / np.prod((box[:, 1] - box[:, 0]) / BINS[d])


def unit(column):
    """The usual distance of neighbouring values: what they are rounded to."""
    values = np.unique(column)
    return np.median(np.diff(values)) if len(values) < len(column) / 3 else 0


def centers(box):
    axes = [side[0] + (np.arange(BINS[len(box)]) + 0.5) * (side[1] - side[0]) / BINS[len(box)] for side in box]
    return np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, len(box))


def errors(values, true):
    return 100 * np.sqrt(np.mean((values - true) ** 2)) / true.max(), 50 * np.mean(np.abs(values - true)) / np.mean(true)


def bars(points, box, epsilon, seed):
    """A histogram with noise, as a function on the cells of the truth."""
    n, d = len(points), len(box)
    count = int(round(2 * n ** (1 / 3))) if d == 1 else max(int(round(n ** 0.25)), 2)
    kept = points[np.all((points >= box[:, 0]) & (points <= box[:, 1]), axis=1)]
    table = np.histogramdd(kept, [np.linspace(*side, count + 1) for side in box])[0]
    rng = np.random.default_rng(seed)
    table += np.round(rng.laplace(0, 2 / epsilon, table.shape))
    table /= n * np.prod((box[:, 1] - box[:, 0]) / count)
    at = (np.arange(BINS[d]) * count) // BINS[d]
    return table[np.ix_(*[at] * d)]


def released(command, rows, case, epsilon, seed, points_file, folder):
    name, _, columns, bounds = case
    release = os.path.join(folder, "release.sfm")
    said = subprocess.run([command, "density", rows, "--columns", columns, "--bounds=" + bounds, "--epsilon", str(epsilon),
                           "--seed", str(seed), "--json", "-o", release], capture_output=True, text=True)
    if said.returncode:
        raise SystemExit(f"{name}: {said.stderr}")
    shown = json.loads(said.stdout)
    values = subprocess.run([command, "eval", release, "--points", points_file, "--format", "npy"], check=True,
                            capture_output=True).stdout
    out = os.path.join(folder, "values.npy")
    with open(out, "wb") as file:
        file.write(values)
    return shown, np.load(out)


def run(command, rows, case, epsilon, releases, points_file, folder, true):
    found, shown = [], None
    for seed in range(1, releases + 1):
        shown, values = released(command, rows, case, epsilon, seed, points_file, folder)
        band = shown["band"]["half_width"] if shown.get("band") else np.nan
        found.append((*errors(values.reshape(true.shape), true), 100 * band / true.max()))
    method = shown["method"] + (" " + "x".join(str(c) for c in shown["lattice"]["cells"]) if "lattice" in shown else "")
    note = f"{method}, h {','.join('%.3g' % h for h in shown['bandwidth'])}"
    return np.mean(found, axis=0), note


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("commands", nargs="+")
    parser.add_argument("--releases", type=int, default=10)
    parser.add_argument("--only", default="")
    a = parser.parse_args()
    worse = []
    print("| data, epsilon | rows | " + ("before: rms %, L1 %, band % | " if len(a.commands) > 1 else "") +
          "rms %, L1 %, band % | histogram: rms %, L1 % | chosen |")
    for case in CASES:
        path = os.path.join(a.folder, case[1])
        if not re.search(a.only, case[0]):
            continue
        if not os.path.exists(path):
            print(f"{case[0]}: skipped, {path} is not there", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            points, box = read(path, case[2].split(",")), bounds_of(case[3])
            true = truth(points, box)
            points_file = os.path.join(folder, "points.npy")
            np.save(points_file, centers(box))
            for epsilon in EPSILONS:
                cells = []
                for command in reversed(a.commands):
                    cells.append(run(command, path, case, epsilon, a.releases, points_file, folder, true))
                simple = np.mean([errors(bars(points, box, epsilon, s), true) for s in range(1, a.releases + 1)], axis=0)
                if len(cells) > 1:
                    for what, before, now in zip(("rms", "L1"), cells[0][0], cells[1][0]):
                        if now > 1.05 * before:
                            worse.append(f"{case[0]}, {epsilon:g}: {what} {before:.3g} -> {now:.3g}")
                print(f"| {case[0]}, {epsilon:g} | {len(points)} | " +
                      " | ".join("%.2f, %.2f, %.3g" % tuple(one) for one, _ in cells) +
                      " | %.2f, %.2f" % tuple(simple) + f" | {cells[-1][1]} |", flush=True)
    for line in worse:
        print("worse than before by more than 5 %:", line)


main()
