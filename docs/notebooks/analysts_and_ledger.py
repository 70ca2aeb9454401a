# %% [markdown]
# # Several analysts, one ledger
#
# The owner gives analysts a budget. Each release is charged before a row is read; what would exceed the budget is refused, and nothing is spent by a mistake.

# %%
import pathlib, tempfile
import numpy as np
import sfumato as sf

salaries = np.random.default_rng(5).lognormal(10.6, 0.5, 6000).clip(0, 200000)
folder = pathlib.Path(tempfile.mkdtemp())
ledger = sf.Ledger.create(folder / "staff.db", "staff", epsilon=1)

# %%
with ledger.dataset("staff") as staff:
    median = staff.quantiles(salaries, q=[0.5], bounds=(0, 1e6), epsilon=0.2, request="median, for Ada")
    high = staff.count(salaries, "x0 > 80000", epsilon=0.1, request="above 80,000, for Ben")
print("median", median.values, "above 80,000:", high.value)
ledger

# %% [markdown]
# A mistake costs nothing; a request that is asked again is the same release, charged once.

# %%
with ledger.dataset("staff") as staff:
    try:
        staff.density(salaries, "salary", bounds=(0, 200000), epsilon=0.3, bandwidth=-1)
    except ValueError as error:
        print("a mistake:", error)
    again = staff.count(salaries, "x0 > 80000", epsilon=0.1, request="above 80,000, for Ben")
    print(again == high, staff.left.spent_epsilon)

# %% [markdown]
# What is too much is refused.

# %%
with ledger.dataset("staff") as staff:
    try:
        staff.density(salaries, "salary", bounds=(0, 200000), epsilon=0.9)
    except sf.BudgetExceeded as refusal:
        print(refusal)

# %%
for entry in ledger.history():
    print(entry.number, entry.kind, entry.request, entry.spent)
print("verified:", ledger.verify(), "entries")
