"""The tables without privacy, in numpy alone: what the errors of the others are measured against."""
import numpy as np


def histogram(age):
    return np.bincount(age.astype(int), minlength=100)


def map_of_two(age, hours):
    return np.bincount((20 * (age // 5) + hours // 5).astype(int), minlength=400)


def table(education, occupation, categories):
    pairs = list(zip(education.tolist(), occupation.tolist()))
    found = {pair: 0 for pair in pairs}
    for pair in pairs:
        found[pair] += 1
    return np.array([found.get((a, b), 0) for a in categories["education"] for b in categories["occupation"]])
