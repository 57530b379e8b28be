#!/usr/bin/env python3
"""Section 5.3: what super shingles find, and what they do not.

    papers/001/super_shingles.py --binary build/release/twinset

Pairs of texts of exact resemblance go through `twinset dedup` under one seed after
another; a pair is found if it shares a key, since every candidate is over the
threshold given.
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from figures import curves  # noqa: E402
from page import Page, Words, read_lines, read_pairs  # noqa: E402

MODULUS, WINDOW = 25, 4  # of super_shingle; the paper prints no window
GROUPS, ROWS = 6, 14     # of mega_shingle: 84 min-hashes


def slack(count):
    """Hoeffding: a mean of `count` draws in [0, 1] is farther off in one of 10^8."""
    return math.sqrt(math.log(2e8) / (2 * count))


def pair_of(words, union, share):
    """Two word lists whose union has `union` shingles, `share` of them in both."""
    common = words.take(round(union * share) + 4)
    rest = union - round(union * share)
    return common + words.take(rest // 2), common + words.take(rest - rest // 2)


def write_pairs(page, name, pairs):
    records = []
    for i, (a, b) in enumerate(pairs):
        records += [{"id": f"a{i}", "text": " ".join(a)}, {"id": f"b{i}", "text": " ".join(b)}]
    return page.write_records(name, records)


def found(page, collection, scheme, threshold, seeds):
    """How many pairs a scheme finds, over all seeds."""
    count = 0
    for seed in seeds:
        out = page.folder / f"out.{collection.stem}.{seed}"
        page.twinset("dedup", collection, "-o", out, "--quiet", "--max-removed", "1",
                     "--resemblance", threshold, "--scheme", scheme.format(seed=seed))
        count += len(read_lines(out / "removed.jsonl.zst"))
    return count


# --- chances

def two_of_six(resemblance):
    p = resemblance ** ROWS
    return 1 - (1 - p) ** GROUPS - GROUPS * p * (1 - p) ** (GROUPS - 1)


def chance_of_run(heads, tails, window):
    """That a random order of heads and tails has `window` heads in a row: one less the
    ways to lay the heads into the gaps between tails, fewer than `window` in each."""
    without = sum((-1) ** j * math.comb(tails + 1, j)
                  * math.comb(heads - j * window + tails, tails)
                  for j in range(min(tails + 1, heads // window) + 1))
    return 1 - without / math.comb(heads + tails, tails)


def binomial(count, share):
    """[(k, probability)] of all that matter."""
    chance, out = (1 - share) ** count, []
    for k in range(count + 1):
        if chance > 1e-9:
            out.append((k, chance))
        elif out and k > count * share:
            break
        chance *= (count - k) / (k + 1) * share / (1 - share)
    return out


def chance_of_super_shingle(shared, others):
    """Of a union with so many shingles in both and in one: each is sampled by itself."""
    return sum(p * q * chance_of_run(heads, tails, WINDOW)
               for heads, p in binomial(shared, 1 / MODULUS)
               for tails, q in binomial(others, 1 / MODULUS))


# --- the three tables

def near_copies(page):
    rows, dots = [], []
    printed = {0.8: 0.026, 0.9: 0.415, 0.95: 0.879, 0.98: 0.996}
    pairs_each, seeds = 1000, range(1, 11)
    for resemblance, known in printed.items():
        words = Words()
        collection = write_pairs(page, f"mega{resemblance}.jsonl",
                                 [pair_of(words, 200, resemblance) for _ in range(pairs_each)])
        total = pairs_each * len(seeds)
        share = found(page, collection, "mega_shingle(seed={seed})", 0.5, seeds) / total
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
    chances = {}
    for union in (60, 120, 300, 600, 1500):
        row = [f"{union:,}", f"{union / MODULUS:.1f}"]
        for resemblance in (0.5, 0.8, 0.9):
            words = Words()
            collection = write_pairs(page, f"super{union}.{resemblance}.jsonl",
                                     [pair_of(words, union, resemblance)
                                      for _ in range(pairs_each)])
            shared = round(union * resemblance)
            chance = chances[union, resemblance] = chance_of_super_shingle(shared, union - shared)
            share = found(page, collection, scheme, 0.3, seeds) / total
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
    for times in (2, 4, 10, 20):
        words, pairs = Words(), []
        for _ in range(pairs_each):
            whole = words.take(inner * times + 4)
            start = inner * (times - 1) // 2
            pairs.append((whole[start:start + inner + 4], whole))
        collection = write_pairs(page, f"contained{times}.jsonl", pairs)
        chance = chance_of_super_shingle(inner, inner * (times - 1))
        share = found(page, collection, scheme, 0.01, seeds) / total
        counted = 0
        for seed in seeds:
            out = page.cluster(f"counted{times}.{seed}", [collection], "--containment", "0.9",
                               "--scheme", f"mod(modulus={MODULUS}, seed={seed})")
            counted += len(read_pairs(out))
        page.hold(abs(share - chance) <= slack(total), f"super shingles of one in {times}")
        page.hold(counted == total, f"counting finds all contained in texts {times} times as long")
        rows.append((f"1 / {times}", f"{chance:.4f}", f"{share:.3f}", f"{counted / total:.3f}"))
    page.hold(float(rows[-1][2]) < 0.05, "super shingles do not see a twentieth")
    page.text(f"""
## Containment

"Super shingles cannot detect containment." A text of {inner:,} shingles inside longer ones; beside it
what `twinset cluster --containment 0.9` finds by counting the same samples, MOD_{MODULUS}.""")
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
