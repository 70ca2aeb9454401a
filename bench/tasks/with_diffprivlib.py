"""The five tasks with diffprivlib."""
import numpy as np
from diffprivlib import models, tools


def histogram(age):
    return tools.histogram(age, epsilon=1, bins=100, range=(0, 100))[0]


def map_of_two(age, hours):
    return tools.histogram2d(age, hours, epsilon=1, bins=20, range=[(0, 100), (0, 100)])[0].ravel()


def table(education, occupation, categories):
    rows = [np.searchsorted(np.sort(categories[name]), column)
            for name, column in (("education", education), ("occupation", occupation))]
    sizes = [len(categories[name]) for name in ("education", "occupation")]
    counts = tools.histogram2d(*rows, epsilon=1, bins=sizes, range=[(-0.5, size - 0.5) for size in sizes])[0]
    order = [np.argsort(np.argsort(categories[name])) for name in ("education", "occupation")]
    return counts[np.ix_(*order)].ravel()


def classifier(X, y):
    return models.LogisticRegression(epsilon=1, data_norm=np.sqrt(14), C=0.01, max_iter=1000).fit(X, y).predict


def regression(X, y, bounds, label_bounds):
    bounds_X = tuple(np.array(bounds, dtype=float).T)
    return models.LinearRegression(epsilon=1, bounds_X=bounds_X, bounds_y=label_bounds).fit(X, y).predict
