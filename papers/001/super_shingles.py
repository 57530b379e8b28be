#!/usr/bin/env python3
"""Section 5.3 (B-19, B-21): the pairs that super shingles find, and those that they miss.

    papers/001/super_shingles.py --binary build/release/twinset

Pairs of texts with a known resemblance go through `twinset dedup` under one seed after
another; a pair is found if it shares a key, because every candidate is above the given
threshold.
"""

import collections
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from figures import curves  # noqa: E402
from page import Page, Words, read_lines, read_pairs  # noqa: E402

MODULUS, WINDOW = 25, 4  # of super_shingle; the paper prints no window
GROUPS, ROWS = 6, 14     # of mega_shingle: 84 min-hashes


def slack(count):
    """Hoeffding's bound: a mean of `count` draws in [0, 1] is farther off once in 10^8."""
    return math.sqrt(math.log(2e8) / (2 * count))


def pair_of(words, union, share):
    """Two word lists whose union has `union` shingles, `share` of them in both."""
    common = words.take(round(union * share) + 4)
    rest = union - round(union * share)
    return common + words.take(rest // 2), common + words.take(rest - rest // 2)


def write_pairs(page, name, pairs):
    """`pairs` is {kind: [(words, words)]}; an id begins with its kind."""
    records = []
    for kind, twins in pairs.items():
        for i, both in enumerate(twins):
            records += [{"id": f"{kind}/{side}{i}", "text": " ".join(words)}
                        for side, words in zip("ab", both)]
    return page.write_records(name, records)


def found(page, collection, scheme, threshold, seeds):
    """The number of pairs of each kind that a scheme finds, over all seeds."""
    count = collections.Counter()
    for seed in seeds:
        out = page.folder / f"out.{collection.stem}.{seed}"
        page.twinset("dedup", collection, "-o", out, "--quiet", "--max-removed", "1",
                     "--resemblance", threshold, "--scheme", scheme.format(seed=seed))
        count.update(line["id"].split("/")[0] for line in read_lines(out / "removed.jsonl.zst"))
    return count


# --- probabilities

def two_of_six(resemblance):
    p = resemblance ** ROWS
    return 1 - (1 - p) ** GROUPS - GROUPS * p * (1 - p) ** (GROUPS - 1)


def log_choose(count, chosen):
    return math.lgamma(count + 1) - math.lgamma(chosen + 1) - math.lgamma(count - chosen + 1)


def chance_of_run(heads, tails, window):
    """The probability that a random order of heads and tails has `window` heads in a row: one
    minus the share of orders with fewer than `window` heads in each gap between tails. The
    logarithms are exact enough for the printed digits."""
    orders = log_choose(heads + tails, tails)
    without = 0.0
    for j in range(min(tails + 1, heads // window) + 1):
        term = math.exp(log_choose(tails + 1, j)
                        + log_choose(heads - j * window + tails, tails) - orders)
        without += -term if j % 2 else term
        if term < 1e-12:
            break
    return 1 - without


def binomial(count, share):
    """[(k, probability)] for all k that matter."""
    if count == 0:
        return [(0, 1.0)]
    out = []
    for k in range(count + 1):
        chance = math.exp(log_choose(count, k) + k * math.log(share)
                          + (count - k) * math.log1p(-share))
        if chance > 1e-8:
            out.append((k, chance))
        elif out:
            break
    return out


def chance_of_super_shingle(shared, others):
    """For a union with so many shingles in both texts and in one; each is sampled independently."""
    return sum(p * q * chance_of_run(heads, tails, WINDOW)
               for heads, p in binomial(shared, 1 / MODULUS)
               for tails, q in binomial(others, 1 / MODULUS))


# --- the three tables

def near_copies(page):
    rows, dots = [], []
    printed = {0.8: 0.026, 0.9: 0.415, 0.95: 0.879, 0.98: 0.996}
    pairs_each, seeds = 1000, range(1, 11)
    words = Words()
    collection = write_pairs(page, "mega.jsonl", {
        str(resemblance): [pair_of(words, 200, resemblance) for _ in range(pairs_each)]
        for resemblance in printed})
    count = found(page, collection, "mega_shingle(seed={seed})", 0.5, seeds)
    total = pairs_each * len(seeds)
    for resemblance, known in printed.items():
        share = count[str(resemblance)] / total
        chance = two_of_six(resemblance)
        page.hold(round(chance, 3) == known, f"2 of 6 at {resemblance} is {known}")
        page.hold(abs(share - chance) <= slack(total), f"mega_shingle at {resemblance}")
        rows.append((resemblance, known, f"{chance:.4f}", f"{share:.4f}", f"{total:,}"))
        dots.append((resemblance, share))
    page.text(f"""
## Two of six super shingles

As it came to be used later: 84 min-hashes in {GROUPS} groups of {ROWS}; near copies are those that
share 2 groups. Their chance is 1 - (1 - p)^6 - 6 p (1 - p)^5 with p = r^14.""")
    page.table(["r", "known", "computed", "found", "pairs"], rows)
    page.figure("super_shingles.svg", curves(
        "Chance that two documents share two of six super shingles",
        [("computed", [(i / 200, two_of_six(i / 200)) for i in range(100, 201)])],
        "resemblance", "share found", x_range=(0.5, 1), points=[("found", dots)]),
        "Chance of two in common of six, by resemblance")


def short_documents(page):
    rows = []
    pairs_each, seeds = 250, range(1, 5)
    total = pairs_each * len(seeds)
    scheme = f"super_shingle(modulus={MODULUS}, window={WINDOW}, seed={{seed}})"
    unions, resemblances = (60, 120, 300, 600, 1500), (0.5, 0.8, 0.9)
    words = Words()
    collection = write_pairs(page, "short.jsonl", {
        f"{union}.{resemblance}": [pair_of(words, union, resemblance) for _ in range(pairs_each)]
        for union in unions for resemblance in resemblances})
    count = found(page, collection, scheme, 0.3, seeds)
    chances = {}
    for union in unions:
        row = [f"{union:,}", f"{union / MODULUS:.1f}"]
        for resemblance in resemblances:
            shared = round(union * resemblance)
            chance = chances[union, resemblance] = chance_of_super_shingle(shared, union - shared)
            share = count[f"{union}.{resemblance}"] / total
            page.hold(abs(share - chance) <= slack(total),
                      f"super shingles of {union} shingles at {resemblance}")
            row += [f"{chance:.3f}", f"{share:.3f}"]
        rows.append(row)
    page.hold(chances[60, 0.9] < 0.3 and chances[1500, 0.9] > 0.999,
              "short documents share a super shingle less often")
    page.text(f"""
## The 1997 form, by length

"Super shingles do not work well for short documents." Windows of {WINDOW} over the sorted MOD_{MODULUS}
sample (the paper prints no window), one in common. The chance is that of {WINDOW} heads in a row among
the samples of the union, which are {MODULUS} times fewer than its shingles; {total:,} pairs for each.""")
    page.table(["shingles in either", "samples", "r = 0.5", "found", "r = 0.8", "found",
                "r = 0.9", "found"], rows)


def contained(page):
    rows = []
    pairs_each, seeds = 50, range(1, 5)
    total = pairs_each * len(seeds)
    inner = 1000
    scheme = f"super_shingle(modulus={MODULUS}, window={WINDOW}, seed={{seed}})"
    words, pairs = Words(), {}
    for times in (2, 4, 10, 20):
        pairs[str(times)] = []
        for _ in range(pairs_each):
            whole = words.take(inner * times + 4)
            start = inner * (times - 1) // 2
            pairs[str(times)].append((whole[start:start + inner + 4], whole))
    collection = write_pairs(page, "contained.jsonl", pairs)
    count = found(page, collection, scheme, 0.01, seeds)
    counted = collections.Counter()
    for seed in seeds:
        out = page.cluster(f"counted.{seed}", [collection], "--containment", "0.9",
                           "--verify", "sketch",
                           "--scheme", f"mod(modulus={MODULUS}, seed={seed})")
        counted.update(b.split("/")[0] for b, _ in read_pairs(out))
    for kind in pairs:
        times = int(kind)
        chance = chance_of_super_shingle(inner, inner * (times - 1))
        share = count[kind] / total
        page.hold(abs(share - chance) <= slack(total), f"super shingles of one in {times}")
        page.hold(counted[kind] == total, f"counting finds all contained in texts {times} times as long")
        rows.append((f"1 / {times}", f"{chance:.4f}", f"{share:.3f}", f"{counted[kind] / total:.3f}"))
    page.hold(float(rows[-1][2]) < 0.05, "super shingles do not see a twentieth")
    page.text(f"""
## Containment

"Super shingles cannot detect containment." A text of {inner:,} shingles inside longer ones; beside it
what `twinset cluster --containment 0.9 --verify sketch` counts in the same samples, MOD_{MODULUS}.""")
    page.table(["part of the longer text", "chance", "found by super shingles", "found by counting"],
               rows)
    page.text("""
So "cannot" is right for short texts in long ones. Where the contained text is half of the other, the
two resemble each other at 0.5, and super shingles see that. `twinset dedup --containment` refuses
both schemes and says why.""")


def main():
    page = Page("Super shingles", __doc__)
    near_copies(page)
    short_documents(page)
    contained(page)
    page.finish("2 of 6 finds .026, .415, .879, .996 at r = .8, .9, .95, .98, computed and found; "
                "short documents and containment go unseen, as the paper says")


if __name__ == "__main__":
    main()
