#!/usr/bin/env python3
"""Five tasks on real rows, with sfumato and its peers at epsilon 1, pure: lines, seconds and error of each.

    measure.py DATA PYTHON=PEER...     a table; each PEER (with_sfumato, ...) runs in its own PYTHON
    measure.py --one PEER DATA         one peer, in this Python: a line of JSON

Tables: Adult, 48,842 people, who are added or removed; the error is that of all counts together, per person, and
what is negative is put right by each in its own way.  Classifier: a9a, 32,561 people of 123 columns, of whom one is
replaced; the share of a9a.t that it gets wrong.  Regression: houses of California, four of five rows, of which one is
replaced; root mean square error on the fifth, in 100,000 dollars.  Bounds and categories are stated alike; how much
each machine is regularised was found by trying on these rows, which nobody may do with private ones.  Lines are
those of the function that does it.  Errors and seconds are medians, over 20 releases of tables and 10 of machines.
"""
import csv
import gzip
import importlib
import inspect
import json
import pathlib
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
HOUSES = {"longitude": (-125, -114), "latitude": (32, 42), "housing_median_age": (0, 60), "total_rooms": (0, 20000),
          "total_bedrooms": (0, 4000), "population": (0, 10000), "households": (0, 4000), "median_income": (0, 15)}
TASKS = ("histogram", "map_of_two", "table", "classifier", "regression")


def read(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def read_libsvm(path):
    X, y = [], []
    with gzip.open(path, "rt", encoding="ascii") as file:
        for line in file:
            label, *cells = line.split()
            row = np.zeros(123)
            row[[int(cell.split(":")[0]) - 1 for cell in cells]] = 1
            X.append(row)
            y.append(int(label))
    return np.array(X), np.array(y)


def tables(data):
    people = read(data / "adult/adult.csv.gz")
    age, hours = people["age"].astype(float), people["hours_per_week"].astype(float)
    columns = [people["education"], people["occupation"]]
    categories = {"education": sorted(set(columns[0])), "occupation": sorted(set(columns[1]))}
    return {"histogram": (age,), "map_of_two": (age, hours), "table": (*columns, categories)}


def machines(data):
    X, y = read_libsvm(data / "adult/a9a.libsvm.gz")
    houses = read(data / "housing/california_housing.csv.gz")
    whole = houses["total_bedrooms"] != ""
    H = np.column_stack([houses[name][whole].astype(float) for name in HOUSES])
    H = np.clip(H, *np.array(list(HOUSES.values())).T)
    price = houses["median_house_value"][whole].astype(float) / 100000
    order = np.random.default_rng(1).permutation(len(H))
    fifth, rest = order[::5], np.delete(order, np.s_[::5])
    return {
        "classifier": ((X, y), read_libsvm(data / "adult/a9a.t.libsvm.gz")),
        "regression": ((H[rest], price[rest], list(HOUSES.values()), (0, 5.1)), (H[fifth], price[fifth])),
    }


def lines_of(module, name):
    """Lines of the function, and of those of the module that it calls, but for their first lines."""
    source = inspect.getsource(getattr(module, name))
    helpers = [other for other, one in inspect.getmembers(module, inspect.isfunction)
               if one.__module__ == module.__name__ and other not in TASKS and other + "(" in source]
    return sum(len([line for line in inspect.getsource(getattr(module, one)).split("\n") if line.strip()]) - 1
               for one in (name, *helpers))


def one(peer, data):
    sys.path.insert(0, str(HERE))
    module, plain = importlib.import_module(peer), importlib.import_module("counts")
    found = {}
    for name, given in tables(data).items():
        truth, errors, seconds = getattr(plain, name)(*given), [], []
        for _ in range(20):
            begun = time.perf_counter()
            made = np.asarray(getattr(module, name)(*given), dtype=float)
            seconds.append(time.perf_counter() - begun)
            errors.append(np.abs(made - truth).sum() / len(given[0]))
        found[name] = [lines_of(module, name), float(np.median(seconds)), float(np.median(errors))]
    for name, (given, (X, y)) in machines(data).items():
        if not hasattr(module, name):
            continue
        errors, seconds = [], []
        for _ in range(10):
            begun = time.perf_counter()
            predict = getattr(module, name)(*given)
            seconds.append(time.perf_counter() - begun)
            said = predict(X)
            errors.append((said != y).mean() if name == "classifier" else np.sqrt(((said - y) ** 2).mean()))
        found[name] = [lines_of(module, name), float(np.median(seconds)), float(np.median(errors))]
    print(json.dumps(found))


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--one":
        return one(sys.argv[2], pathlib.Path(sys.argv[3]))
    data, *peers = sys.argv[1:]
    found = {}
    for peer in peers:
        python, name = peer.split("=")
        done = subprocess.run([python, "-W", "ignore", __file__, "--one", name, data], check=True, capture_output=True, text=True)
        found[name] = json.loads(done.stdout.splitlines()[-1])
    print("| task | " + " | ".join(name.replace("_", " ") for name in found) + " |")
    print("|---|" + "---|" * len(found))
    for task in TASKS:
        cells = ["%d lines, %.2g s, error %.3g" % tuple(of[task]) if task in of else "has none" for of in found.values()]
        print("| " + task.replace("_", " ") + " | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
