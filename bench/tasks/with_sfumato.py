"""The five tasks with sfumato."""
import numpy as np
import pyarrow as pa

import sfumato as sf


def histogram(age):
    made = sf.histogram(age, "age", bins=100, bounds=(0, 100), neighbours="add-remove", epsilon=1)
    return made.refine(total=False).values


def map_of_two(age, hours):
    rows = np.column_stack([age, hours])
    made = sf.histogram(rows, ["age", "hours"], bins=20, bounds=(0, 100), neighbours="add-remove", epsilon=1)
    return made.refine(total=False).values


def table(education, occupation, categories):
    rows = pa.table({"education": education, "occupation": occupation})
    made = sf.histogram(rows, ["education", "occupation"], categories=categories, neighbours="add-remove", epsilon=1)
    return made.refine(total=False).values


def classifier(X, y):
    machine = sf.Classifier(bounds=(0, 1), classes=[-1, 1], epsilon=1, method="objective", loss="huber", parameter=1, lambda_=0.1)
    return machine.fit(X, y).predict


def regression(X, y, bounds, label_bounds):
    return sf.Regressor(bounds=bounds, label_bounds=label_bounds, epsilon=1, loss="huber", lambda_=0.01).fit(X, y).predict
