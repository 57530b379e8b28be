#!/usr/bin/env python3
"""Section 6.6 (B-29): containment tells how much of a source was copied.

    TWINSET_DATA=... papers/001/containment_clough.py --binary build/release/twinset

Answers that students wrote with a source cut, revised lightly, revised heavily, or
not seen: the collection of Clough and Stevenson, tasks a to c.
"""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, count_all, data_set, mean, read_lines  # noqa: E402

LEVELS = {"cut": "cut and paste", "light": "light revision", "heavy": "heavy revision",
          "non": "source not seen"}
SEED = 66
THRESHOLDS = (0.02, 0.05, 0.1, 0.2, 0.5, 0.8)
PERMUTATIONS = 20_000


def permutation_test(upper, lower):
    """The one-sided p value: the share of random splits of all values whose means are at
    least as far apart, this split included."""
    generator = random.Random(SEED)
    values, count = [*upper, *lower], len(upper)
    total = sum(values)
    observed = mean(upper) - mean(lower)
    as_far = 1
    for _ in range(PERMUTATIONS):
        first = sum(generator.sample(values, count))
        if first / count - (total - first) / len(lower) >= observed - 1e-12:
            as_far += 1
    return as_far / (PERMUTATIONS + 1)


def main():
    page = Page("Containment and reuse", __doc__)
    folder = data_set("clough-stevenson")
    if not folder:
        page.skip("clough-stevenson is not below TWINSET_DATA")
    records = read_lines(folder / "answers.jsonl.zst")
    collection = page.write_records("answers.jsonl", records)
    source = {record["task"]: record["id"] for record in records if record["label"] == "orig"}
    answers = [record for record in records if record["label"] in LEVELS]
    measured = {}
    for size in (3, 5, 10):
        said = {level: [] for level in LEVELS}
        counted = count_all(page, f"w{size}", collection, size)
        for answer in answers:
            both = answer["id"], source[answer["task"]]
            said[answer["label"]].append((counted.containment(*both), counted.resemblance(*both)))
        measured[size] = said
    page.text(f"""
Section 6.6: "Given a source document we can detect if all or parts of it have been substantially
copied". The paper shows no figures. {len(answers)} answers to {len(source)} questions were written with a
source to copy from, to revise lightly, to revise heavily, or none. Mean containment of the answer in
its source, and mean resemblance of the two, exact, every shingle counted:""")
    rows = []
    for level, name in LEVELS.items():
        row = [name, len(measured[5][level])]
        for size in (3, 5, 10):
            row.append(f"{mean([c for c, _ in measured[size][level]]):.3f}")
        row.append(f"{mean([r for _, r in measured[5][level]]):.3f}")
        rows.append(row)
    page.table(["", "answers", "containment, w = 3", "w = 5", "w = 10", "resemblance, w = 5"], rows)
    containment = {level: [c for c, _ in said] for level, said in measured[5].items()}
    rows = []
    names = list(LEVELS)
    for upper, lower in zip(names, names[1:]):
        chance = permutation_test(containment[upper], containment[lower])
        rows.append((f"{LEVELS[upper]} above {LEVELS[lower]}",
                     f"{mean(containment[upper]) - mean(containment[lower]):.3f}",
                     f"{chance:.5f}"))
    page.hold(all(float(row[1]) > 0 for row in rows), "containment falls level by level")
    page.hold(all(float(row[2]) < 0.05 for row in rows[1:]),
              "light is above heavy, and heavy above no revision, beyond chance")
    page.text(f"""
## Is each step beyond chance?

One-sided permutation test, w = 5, {PERMUTATIONS:,} permutations: how often the mean of the upper level
exceeds that of the lower by at least as much when the answers are dealt to the two levels at random.""")
    page.table(["step", "difference", "chance, one-sided"], rows)
    page.text("""
## At a threshold

How many answers of each level lie at or above a threshold of containment, w = 5.""")
    rows = [(threshold, *(f"{sum(c >= threshold for c in containment[level])} of "
                          f"{len(containment[level])}" for level in names))
            for threshold in THRESHOLDS]
    page.table(["containment", *LEVELS.values()], rows)
    copied = [c for level in names[:3] for c in containment[level]]
    highest = max(containment["non"])
    found = sum(c > highest for c in copied)
    cut_without = sum(c == 0 for c in containment["cut"])
    page.text(f"""
With so few answers the step from lightly revised up to cut may be chance: of the answers said to be
cut and pasted {cut_without} share no five words in a row with their source.

The highest containment of an answer written without the source is {highest:.3f}; {found} of the {len(copied)}
answers written with it are above. Resemblance orders the levels likewise, but tells less: the sources
are longer than the answers.""")
    page.finish("mean containment "
                + ", ".join(f"{level} {mean(containment[level]):.3f}" for level in names)
                + f"; {found} of {len(copied)} copied answers are above every original one")


if __name__ == "__main__":
    main()
