#!/usr/bin/env python3
"""Section 6.4.8 (S-31): which Hamming distance to decide on.

    papers/003/advice_on_k.py --binary build/release/twinset

The thesis advises to begin with a distance of 0 and to go up as resources allow. The distance
that finds an edited copy depends on the share of words that the edit replaces; here it is
measured with `twinset calibrate`, computed exactly, and held against a first measurement on 25
documents a cell.
"""

import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, wilson, word  # noqa: E402

BITS, USUAL = 64, 3
SEED = 7
DOCUMENTS, TWICE = 450, 100  # of each length; of so many there is a copy, one word longer
FIRST = 25                   # documents a cell of the first measurement
# Words: its shares of copies within 3 bits, with 1, 2 and 5 % of the distinct words replaced.
LENGTHS = {1000: (.92, .44, .04), 200: (.72, .40, .16), 50: (.56, .56, .16)}
REPLACED = (.01, .02, .05)
ALL_OF_NINE = 2.77           # standard errors: all nine intervals hold in 95 % of repetitions
FAR = 5.7                    # a share is that far off once in 10^8


def binomial(n, k):
    return math.comb(n, k) / 2 ** n


def bit_changes(words, replaced):
    """The chance that the sign of a sum of +-1 changes if so many terms are drawn again; a sum of
    zero counts as negative."""
    stay, total = words - replaced, 0.0
    for ups in range(stay + 1):
        kept = 2 * ups - stay
        # The new terms make the sum positive if so many of them are +1.
        positive = sum(binomial(replaced, k) for k in range(replaced + 1)
                       if kept + 2 * k - replaced > 0)
        total += binomial(stay, ups) * 2 * positive * (1 - positive)
    return total


def within(most, words, replaced):
    p = bit_changes(words, replaced)
    return sum(math.comb(BITS, i) * p ** i * (1 - p) ** (BITS - i) for i in range(most + 1))


def collection(page):
    chosen = random.Random(SEED)
    records = []
    for words in LENGTHS:
        for i in range(DOCUMENTS):
            text = " ".join(map(word, chosen.sample(range(10 ** 7), words)))
            texts = [text, text + " " + word(10 ** 7 + i)] if i < TWICE else [text]
            records += [{"id": len(records) + k, "text": each} for k, each in enumerate(texts)]
    return page.write_records("texts.jsonl", records)


def main():
    page = Page("Deciding on a Hamming distance", __doc__)
    told = json.loads(page.twinset("calibrate", collection(page), "--scheme",
                                   "simhash(weights=unit)", "--sample", 10 ** 4, "--json",
                                   "--no-progress"))
    cells = {(row["least_tokens"], row["replaced"]): row["found"] for row in told["planted"]}
    page.text(f"""
Texts of 1,000, 200 and 50 different words; copies in which 1, 2 and 5 % of them are replaced (at
least one). All words weigh the same. "Exact" is the chance that at most {USUAL} of {BITS} bits change:
each bit is the sign of a sum of one +1 or -1 a word, of which so many are drawn again. "25 documents"
is a first measurement, with its interval of 95 %.""")
    rows, near, joint, needed = [], 0, 0, []
    for words, first in LENGTHS.items():
        least = max(bound for bound, _ in cells if bound <= words)
        for replaced, share in zip(REPLACED, first):
            found = cells[least, replaced]
            count = max(1, int(words * replaced + .5))
            hits, copies = found[USUAL]["count"], found[USUAL]["of"]
            exact = within(USUAL, words, count)
            low, high = wilson(hits, copies, FAR)
            page.hold(low <= exact <= high,
                      f"{words} words, {count} replaced: the measured share is the exact one")
            ours = hits / copies
            first_hits = round(share * FIRST)
            low, high = wilson(first_hits, FIRST)
            near += low <= ours <= high
            wide_low, wide_high = wilson(first_hits, FIRST, ALL_OF_NINE)
            joint += wide_low <= ours <= wide_high
            rows.append((f"{words:,}", count, f"{exact:.3f}", f"{ours:.3f}", f"{copies:,}",
                         f"{share:.2f} ({low:.2f} to {high:.2f})"))
            distances = [i for i, at in enumerate(found) if at["count"] >= .9 * at["of"]]
            needed.append((f"{words:,}", f"{replaced:.0%}", *(f"{at['count'] / at['of']:.2f}"
                                                              for at in found),
                           distances[0] if distances else "above 7"))
    page.hold(joint == len(rows), "the nine shares are within the joint interval of the first ones")
    page.hold(near >= len(rows) - 1, "at most one share is outside the interval of its first one")
    page.table(["words", "replaced", "exact", "measured", "copies", "25 documents"], rows)
    page.text(f"""
{near} of 9 measured shares are within the interval of 25 documents, and all 9 within the wider ones that
hold together in 95 % of repetitions. The .92 is high: it is 23 of 25, where the exact chance is
{within(USUAL, 1000, 10):.2f}.""")
    page.text(f"""
## The distance that an edit takes

The share of copies within each distance, and the least one that finds 90 % of them. The share of words
that an edit replaces decides, hardly the length, as long as words weigh the same: a distance of 0 finds
next to no edited copy, 3 finds most copies with 1 % replaced, and none of 0 to 7 finds 90 % of those with
5 % replaced. So "begin with 0 and go up" is advice about costs; which distance to stop at is
a question to one's own documents, which `twinset calibrate` answers with labels.""")
    page.table(["words", "replaced", *map(str, range(8)), "finds 90 %"], needed)
    page.finish(f"3 bits find {rows[0][3]}, {rows[1][3]}, {rows[2][3]} of copies of 1,000 words with 1, "
                f"2, 5 % replaced (exact: {rows[0][2]}, {rows[1][2]}, {rows[2][2]}); {near} of 9 shares "
                "are within the interval of a first measurement on 25 documents, 9 of 9 jointly")


if __name__ == "__main__":
    main()
