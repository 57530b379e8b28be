# %% [markdown]
# # From a Parquet file to clusters
#
# Each `# %%` begins a cell: Jupyter (with jupytext), VS Code and PyCharm open this file as a notebook,
# and `python docs/tutorial.py` runs it. It needs polars, and matplotlib for the picture.

# %% A table of 515 notices: 100 originals, each with up to nine copies that were edited more and more.
import random

import polars as pl

random.seed(7)
words = [first + last for first in ("lo", "ma", "ti", "re", "su", "ka", "pe", "no") for last in
         ("ran", "mel", "dor", "vis", "tek", "lun", "bas", "ger")]
rows = []
for original in range(100):
    text = [random.choice(words) for _ in range(120)]
    for copy in range(random.choice([1, 2, 3, 10, 10])):
        edited = [random.choice(words) if random.random() < 0.01 * copy else word for word in text]
        rows.append({"id": f"{original}.{copy}", "date": f"2026-01-{copy + 1:02}", "text": " ".join(edited)})
random.shuffle(rows)
pl.DataFrame(rows).write_parquet("notices.parquet")

# %% What the table has, and how many of its rows resemble another.
import twinset

notices = pl.read_parquet("notices.parquet")
result = twinset.dedup(notices, resemblance=0.8, keep="newest:date")
print(result)

# %% The rows that stay; and for each that does not, whom it resembles and how much, counted in the texts.
clean = notices.filter(result.mask)
proofs = pl.DataFrame(result.removed)
assert len(clean) + len(proofs) == len(notices)
print(proofs.select("id", "survivor_id", "kind", "resemblance", "shared_shingles").head())
print(result.explain(proofs["id"][0]))

# %% Two of them side by side: a notebook shows what only one has.
texts = dict(zip(notices["id"], notices["text"]))
twinset.compare(texts[proofs["id"][0]], texts[proofs["survivor_id"][0]])

# %% Clusters: the same threshold, but all that hang together, and nobody goes.
clusters = twinset.cluster(notices, resemblance=0.8)
groups = notices.with_columns(group=pl.Series(clusters.representatives)).group_by("group").len()
print(groups.sort("len", descending=True).head())

# %% Which threshold? The same table at several.
thresholds = [round(0.3 + 0.05 * step, 2) for step in range(14)]
kept = [twinset.dedup(notices, resemblance=threshold).summary.kept for threshold in thresholds]
assert kept == sorted(kept)
print(dict(zip(thresholds, kept)))

# %% The picture: rows that stay at each threshold, resemblances of removed rows, and sizes of clusters.
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("pip install matplotlib draws it")
else:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.5), layout="constrained")
    left.plot(thresholds, kept, marker="o")
    left.set(xlabel="resemblance from which a row goes", ylabel="rows that stay", ylim=(0, None))
    middle.hist(proofs["resemblance"].drop_nulls(), bins=20)
    middle.set(xlabel="resemblance to the survivor", ylabel="removed rows")
    sizes = groups["len"].value_counts().sort("len")
    right.bar(sizes["len"], sizes["count"])
    right.set(xlabel="rows in a cluster", ylabel="clusters")
    figure.savefig("clusters.svg")

# %% [markdown]
# `twinset.plan(notices)` predicts costs and candidates, `twinset.cluster(..., output="groups")` writes all pairs, and
# `.recut(0.9)` of its result makes clusters of another threshold without comparing again:
# [docs/clusters.md](clusters.md), [docs/recipes.md](recipes.md).
