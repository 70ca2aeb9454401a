# %% [markdown]
# # A table, and a synthetic copy
#
# An agency publishes how many people have each combination of sex, region and answer, and from it rows that look like the private ones. The categories are public: they are stated, never read from the rows.

# %%
import numpy as np
import pandas as pd
import sfumato as sf

rng = np.random.default_rng(7)
n = 8000
people = pd.DataFrame({
    "sex": rng.choice(["F", "M"], n),
    "region": rng.choice(["north", "east", "south", "west"], n, p=[0.4, 0.3, 0.2, 0.1]),
})
people["answer"] = np.where(rng.random(n) < np.where(people["region"] == "north", 0.7, 0.4), "yes", "no")
CATEGORIES = {"sex": ["F", "M"], "region": ["north", "east", "south", "west"], "answer": ["no", "yes"]}

# %%
table = sf.histogram(people, ["sex", "region", "answer"], categories=CATEGORIES, epsilon=0.5)
table.to_pandas()

# %% [markdown]
# Counts have noise and may be negative. `refine` makes them consistent, at no cost.

# %%
refined = table.refine()
counts = refined.marginal(["region", "answer"]).to_pandas()
counts.pivot(index="region", columns="answer", values="count").round(0)

# %% [markdown]
# Without privacy:

# %%
people.groupby(["region", "answer"]).size().unstack()

# %% [markdown]
# A synthetic copy of any size:

# %%
pd.DataFrame(refined.sample(8, seed=1))
