"""The five tasks with numpy and scikit-learn, without privacy."""
import numpy as np
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def histogram(age):
    return np.histogram(age, bins=100, range=(0, 100))[0]


def map_of_two(age, hours):
    return np.histogram2d(age, hours, bins=20, range=[(0, 100), (0, 100)])[0].ravel()


def table(education, occupation, categories):
    numbers = {name: {word: i for i, word in enumerate(words)} for name, words in categories.items()}
    counts = np.zeros([len(categories["education"]), len(categories["occupation"])])
    np.add.at(counts, ([numbers["education"][one] for one in education], [numbers["occupation"][one] for one in occupation]), 1)
    return counts.ravel()


def classifier(X, y):
    return LogisticRegression(max_iter=1000).fit(X, y).predict


def regression(X, y, bounds, label_bounds):
    return make_pipeline(StandardScaler(), LinearRegression()).fit(X, y).predict
