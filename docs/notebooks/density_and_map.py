# %% [markdown]
# # A density and a map
#
# A clinic publishes how old its patients are and where its visits come from. The visits are simulated. Two cells release, and cost privacy; the others read releases, at no cost.

# %%
import numpy as np
import pandas as pd
import sfumato as sf

rng = np.random.default_rng(2026)
n = 20000
visits = pd.DataFrame({
    "age": np.where(rng.random(n) < 0.3, rng.normal(9, 4, n), rng.normal(52, 16, n)).clip(0, 100),
    "lon": rng.normal(-73.95, 0.05, n),
    "lat": rng.normal(40.75, 0.04, n),
})

# %% [markdown]
# ## What error to expect
#
# A plan uses public numbers only: how many visits there are, the bounds, and a guess of the shape.

# %%
sf.plan.density("age", n=n, bounds=(0, 100), boundary="reflect", epsilon=0.5, shape="normal:9:4+normal:52:16")

# %% [markdown]
# ## The budget, and the density of age

# %%
import pathlib, tempfile

folder = pathlib.Path(tempfile.mkdtemp())
ledger = sf.Ledger.create(folder / "visits.db", "visits", epsilon=2, delta=1e-6)
clinic = ledger.dataset("visits")
age = clinic.density(visits, "age", bounds=(0, 100), boundary="reflect", bandwidth=2,
                     epsilon=0.5, request="ages")
age

# %% [markdown]
# The shaded band holds for the whole curve at once: it is about privacy, not about the sample. Questions are answered from the release.

# %%
print("median", age.quantile(0.5))
print("share of children", age.probability(0, 18))
print("mean", age.mean())

# %% [markdown]
# ## A map

# %%
city = clinic.density(visits, ["lon", "lat"], bounds={"lon": (-74.15, -73.75), "lat": (40.6, 40.9)},
                      bandwidth=0.015, epsilon=1, request="map")
city

# %% [markdown]
# ## Synthetic visits, and what is left

# %%
print(city.refine().sample(5, seed=1).round(3))
ledger
