# %% [markdown]
# # A classifier
#
# A hospital publishes a classifier that predicts an illness from two measurements. It is an estimator as scikit-learn has them; what it learns is a release.

# %%
import numpy as np
import sfumato as sf
from sklearn.metrics import accuracy_score

rng = np.random.default_rng(11)
X = np.column_stack([rng.uniform(20, 90, 12000), rng.uniform(90, 180, 12000)])
chance = 1 / (1 + np.exp(-(0.08 * (X[:, 0] - 60) + 0.06 * (X[:, 1] - 135))))
y = np.where(rng.random(12000) < chance, "ill", "well")
train, test = slice(0, 10000), slice(10000, None)

# %% [markdown]
# Bounds and classes are public and stated. Without them `fit` explains what is missing:

# %%
try:
    sf.Classifier(classes=["well", "ill"]).fit(X[train], y[train])
except ValueError as error:
    print(error)

# %%
model = sf.Classifier(bounds=[(20, 90), (90, 180)], classes=["well", "ill"], constant=1, loss="logistic",
                      epsilon=1, delta=1e-6)
model.fit(X[train], y[train])
print("accuracy", accuracy_score(y[test], model.predict(X[test])))
print("the best possible", accuracy_score(y[test], np.where(chance[test] > 0.5, "ill", "well")))

# %% [markdown]
# The release is one file, which C programs and the command read too.

# %%
print(model.guarantee_)
print(model.predict_proba([[80, 160], [30, 100]]).round(2))
model.release_
