"""Of the five tasks those that OpenDP has: it has no classifier, and no regression on several columns."""
import numpy as np
import opendp.prelude as dp

dp.enable_features("contrib")


def counts(cells, size):
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    counting = space >> dp.t.then_count_by_categories(list(range(size)), null_category=False)
    return np.maximum((counting >> dp.m.then_laplace(scale=1.0))(cells.tolist()), 0)


def histogram(age):
    return counts(np.clip(age, 0, 99).astype(int), 100)


def map_of_two(age, hours):
    cells = [np.clip(column // 5, 0, 19).astype(int) for column in (age, hours)]
    return counts(20 * cells[0] + cells[1], 400)


def table(education, occupation, categories):
    numbers = {name: {word: i for i, word in enumerate(words)} for name, words in categories.items()}
    size = len(categories["occupation"])
    cells = [size * numbers["education"][a] + numbers["occupation"][b] for a, b in zip(education, occupation)]
    return counts(np.array(cells), size * len(categories["education"]))
