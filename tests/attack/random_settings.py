"""Densities and series at public settings drawn at random: certificates depend on all of them.

No floor: what the worst pair reaches differs from setting to setting.  A setting that the command
refuses, which it does before a row is read, is left out.
"""
import random

from densities import NORMAL
from expansions import BASES
from hostile_records import column
from search import Attack, is_long, line
from correlated_noise import DOUBLES, placed


def attacks():
    chance = random.Random(20)
    for number in range(200 if is_long() else 10):
        yield draw(chance, number)


def draw(chance, number):
    low = chance.choice([0.0, -3.7, 1e6, -1e-3])
    width = 10**chance.uniform(-3, 3)
    high = low + width
    columns = chance.choice([1, 1, 1, 2])
    times = chance.choice([1, 1, 2, 5])
    bandwidth = width * 10**chance.uniform(-1.7, 0.5)
    kind = chance.choice([lattice, gp, gp, waves, waves, series, series, sobolev])
    if kind in (series, sobolev):
        columns = 1
    name, options, more = kind(chance, bandwidth)
    names = ",".join("xy"[:columns])
    options = [options[0], "{rows}", "--columns", names, "--bounds", f"{low!r}:{high!r}", "--epsilon",
               repr(10**chance.uniform(-2, 1)), "--contributions", str(times), *options[1:]]
    middle = line([low + width * chance.random() for _ in range(columns)])
    return Attack(options[0], name, f"setting {number}: {columns} columns, {times} records", options,
                  header=names.encode() + b"\n", before=middle, after=middle,
                  record=lambda values: times * line(values), box=[(low, high)] * columns,
                  hostile=[times * lines for lines in column([b"nan", b"1e308"])], optional=True, floor=0,
                  spread=12, climbs=8, **more)


def lattice(chance, bandwidth):
    boundary = chance.choice(["open", "reflect", "periodic"])
    noise = chance.choice([["--noise", "laplace"], ["--noise", "normal", *NORMAL]])
    return f"lattice, {boundary}, {noise[1]}", ["density", "--method", "lattice", "--bandwidth",
                                                repr(bandwidth), "--boundary", boundary, *noise], {}


def gp(chance, bandwidth):
    features = chance.choice([0, 2, 8, 64])
    engine = ["--engine", "random", "--features", str(features)] if features else []
    boundary = [] if features else ["--boundary", chance.choice(["open", "reflect"])]
    return f"gp, {features} random features" if features else f"gp, {boundary[1]}", [
        "density", "--method", "gp", "--bandwidth", repr(bandwidth), *engine, *boundary, *NORMAL], {}


def waves(chance, bandwidth):
    terms = str(chance.choice([1, 2, 3, 5, 8]))
    boundary = chance.choice(["open", "periodic"])
    return f"fourier-laplace, {boundary}, {terms} terms", [
        "density", "--method", "fourier-laplace", "--bandwidth", repr(bandwidth), "--terms", terms,
        "--boundary", boundary], {}


def series(chance, bandwidth):
    basis = chance.choice(BASES)[0].replace(":0.3", f":{bandwidth!r}")
    terms = chance.choice([2, 4, 8, 16])
    terms = str(terms + 1 if basis == "fourier" else terms)
    noise = chance.choice([[], NORMAL])
    return f"{basis.split(':')[0]}, {terms} terms, {'normal' if noise else 'laplace'}", [
        "series", "--basis", basis, "--terms", terms, *noise], {}


def sobolev(chance, bandwidth):
    gamma = 10**chance.uniform(-1, 1) / bandwidth
    return "sobolev, markov", ["density", "--method", f"sobolev:{gamma!r}", "--bandwidth",
                               repr(bandwidth), "--release-grid", "17", *NORMAL], {
        "apart": placed, "slack": DOUBLES}
