#!/usr/bin/env python3
"""The theorem of section 3 (B-05, B-06): both samples estimate resemblance without bias.

    papers/001/unbiased.py --binary build/release/twinset

Pairs of texts of known resemblance are estimated again under one seed after another:
MOD_m from the counts of `twinset cluster`. MIN_s is computed here, in Python, by the
paper's definition: no command prints its estimate of a single pair.
"""

import hashlib
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from figures import curves  # noqa: E402
from page import FAR, Page, Words, mean, read_pairs, shingles, variance  # noqa: E402

MODULUS = 25     # section 3
SAMPLES = 100    # s is not printed; sketches of some 100 are the paper's V_i
SEEDS = 50       # as committed; --seeds gives more
TWINS = 20       # pairs of each kind: 50 seeds x 20 pairs = 1,000 estimates
SHARES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]
LENGTH = 1200    # words in the union of a pair
SHORT = 320      # ... for MIN_s: s is a large part of it, which affects the variance


def make_pairs(length):
    """Yields (kind, twin, words of a, words of b). Of the words that only one text has, a has a
    quarter, so that containment and resemblance differ."""
    words = Words()
    for kind, share in enumerate(SHARES):
        for twin in range(TWINS):
            common = words.take(round(length * share))
            rest = length - len(common)
            yield (kind, twin, common + words.take(rest // 4),
                   common + words.take(rest - rest // 4))


def make_records():
    """The records, and {id of b: (id of a, r, c(a, b), size of the union, kind)}."""
    records, truth = [], {}
    for kind, twin, a, b in make_pairs(LENGTH):
        first, second = f"a{kind}.{twin}", f"b{kind}.{twin}"
        records += [{"id": first, "text": " ".join(a)}, {"id": second, "text": " ".join(b)}]
        in_a, in_b = shingles(a), shingles(b)
        both, either = len(in_a & in_b), len(in_a | in_b)
        truth[second] = (first, both / either, both / len(in_a), either, kind)
    return records, truth


class Estimates:
    """The estimates of one estimator for each kind of pair, and the truth."""

    def __init__(self):
        self.said = [[] for _ in SHARES]
        self.true = [0.0] * len(SHARES)
        self.expected_variance = [0.0] * len(SHARES)

    def rows(self, page, name):
        """Table rows; checks the mean and the variance of each kind."""
        out = []
        for said, true, expected in zip(self.said, self.true, self.expected_variance):
            error = math.sqrt(variance(said) / len(said))
            deviation = (mean(said) - true) / error
            ratio = variance(said) / expected
            # The variance of a sample variance of near-normal values: 2 / n.
            slack = 1.1 * FAR * math.sqrt(2 / len(said))
            page.hold(abs(deviation) <= FAR, f"{name} is unbiased at {true:.3f}")
            page.hold(abs(ratio - 1) <= slack, f"the variance of {name} at {true:.3f}")
            out.append((f"{true:.4f}", f"{mean(said):.4f}", f"{deviation:+.1f}", f"{ratio:.2f}",
                        len(said)))
        return out

    def deviations(self):
        """The deviation of each mean, in standard errors."""
        return [abs(mean(said) - true) / math.sqrt(variance(said) / len(said))
                for said, true in zip(self.said, self.true)]

    def beyond(self, errors):
        return sum(each > errors for each in self.deviations())


def min_s(values):
    return set(sorted(values)[:SAMPLES])


def estimate_by_minima(minima, naive, seeds):
    """Fills in both estimators: the theorem's quotient, and that of the two sketches alone."""
    def value(shingle):
        return int.from_bytes(hashlib.blake2b(" ".join(shingle).encode(), digest_size=8).digest(),
                              "little")

    pairs = [(kind, {value(s) for s in shingles(a)}, {value(s) for s in shingles(b)})
             for kind, _, a, b in make_pairs(SHORT)]
    for kind, a, b in pairs:
        either = len(a | b)
        r = len(a & b) / either
        minima.true[kind] = naive.true[kind] = r
        minima.expected_variance[kind] = r * (1 - r) / SAMPLES * (either - SAMPLES) / (either - 1)
    for seed in range(seeds):
        generator = random.Random(seed)
        # A random permutation of the values that occur: a random number for each.
        for kind, a, b in pairs:
            place = {each: generator.random() for each in sorted(a | b)}
            f_a = min_s(place[each] for each in a)
            f_b = min_s(place[each] for each in b)
            smallest = min_s(f_a | f_b)
            minima.said[kind].append(len(smallest & f_a & f_b) / len(smallest))
            naive.said[kind].append(len(f_a & f_b) / len(f_a | f_b))


def main():
    page = Page("Both estimators are unbiased", __doc__, {"--seeds": {
        "type": int, "default": SEEDS, "help": "more seeds, smaller standard errors"}})
    seeds = page.options.seeds
    records, truth = make_records()
    collection = page.write_records("pairs.jsonl", records)
    resemblance, containment, minima, naive = (Estimates() for _ in range(4))
    estimate_by_minima(minima, naive, seeds)
    for _, r, c, either, kind in truth.values():
        resemblance.true[kind] = r
        containment.true[kind] = c
        own = either * r / c
        # Of n shingles some n / m are sampled; the mean of 1 / size is larger than
        # 1 / (mean size) by a share of nearly (m - 1) / n.
        resemblance.expected_variance[kind] = (
            r * (1 - r) * MODULUS / either * (1 + (MODULUS - 1) / either))
        containment.expected_variance[kind] = (
            c * (1 - c) * MODULUS / own * (1 + (MODULUS - 1) / own))
    unseen = 0
    for seed in range(1, seeds + 1):
        out = page.cluster(f"mod{seed}", [collection], "--floor", "0", "--verify", "sketch",
                           "--max-group", "0",
                           "--scheme", f"mod(modulus={MODULUS}, seed={seed})")
        pairs = read_pairs(out)
        for second, (first, _, _, _, kind) in truth.items():
            if (second, first) not in pairs:
                unseen += 1
                continue
            shared, b_keys, a_keys = pairs[second, first]
            resemblance.said[kind].append(shared / (a_keys + b_keys - shared))
            containment.said[kind].append(shared / a_keys)

    page.text(f"""
Section 3: with F = MIN_s and V = MOD_m of randomly permuted shingles,
|MIN_s(F(A) u F(B)) n F(A) n F(B)| / |MIN_s(F(A) u F(B))| and |V(A) n V(B)| / |V(A) u V(B)| are
unbiased estimates of the resemblance, and |V(A) n V(B)| / |V(A)| of the containment of A in B.

{len(truth)} pairs of texts, {TWINS} of each resemblance, the unions of {LENGTH:,} words, are estimated under
{seeds} seeds: {seeds * TWINS:,} estimates in each line. The exact values are counted in Python. A
deviation is in standard errors of the mean; beyond {FAR} the page fails. The last column but one is
the variance of the estimates over the one expected.""")
    header = ["exact", "mean estimate", "deviation", "variance / expected", "estimates"]
    page.text(f"## MOD_m, m = {MODULUS}: resemblance\n\nExpected variance: r (1 - r) / |V(A) u V(B)|.")
    page.table(header, resemblance.rows(page, "the resemblance by MOD_m"))
    page.text(f"## MOD_m, m = {MODULUS}: containment\n\nExpected variance: c (1 - c) / |V(A)|.")
    page.table(header, containment.rows(page, "the containment by MOD_m"))
    page.text(f"""## MIN_s, s = {SAMPLES}: resemblance

Expected variance: r (1 - r) / s times (U - s) / (U - 1), since the s smallest of a union of U
shingles are drawn from it without replacement; the bare r (1 - r) / s is more than that. Here U is
some {SHORT}. Computed in Python.""")
    page.table(header, minima.rows(page, "the resemblance by MIN_s"))
    page.text(f"""
It matters that the quotient is taken over MIN_s of the union. Over the two sketches alone,
|F(A) n F(B)| / |F(A) u F(B)|, it leans where the texts are of unlike length:""")
    page.table(["exact", "mean of the sketches' quotient", "off by"],
               [(f"{true:.4f}", f"{mean(said):.4f}", f"{mean(said) - true:+.4f}")
                for said, true in zip(naive.said, naive.true)])
    page.hold(unseen == 0, "every pair is estimated")
    page.figure("unbiased.svg", curves(
        "Mean estimate against exact value",
        [("exact", [(0, 0), (1, 1)])], "exact", "mean estimate",
        points=[("MOD_m, r", list(zip(resemblance.true, map(mean, resemblance.said)))),
                ("MOD_m, c", list(zip(containment.true, map(mean, containment.said)))),
                ("MIN_s, r", list(zip(minima.true, map(mean, minima.said))))]),
        "Mean estimates lie on the diagonal")
    page.text("""
What the theorem leaves out: with V(A) and V(B) both empty its quotient is 0 / 0. `twinset` calls
such a pair unknown, neither alike nor unlike; here no text is that short.""")
    beyond = sum(each.beyond(3) for each in (resemblance, containment, minima))
    page.text(f"""
Of the {3 * len(SHARES)} means {beyond} {'is' if beyond == 1 else 'are'} off by more than 3 standard errors. By chance that befalls one in 14 such
pages, and chance it is: with `--seeds 300` the farthest mean of MOD_m is off by 2.5, and the
resemblance of 0.6990 by 0.3.""")
    worst = max(max(each.deviations()) for each in (resemblance, containment, minima))
    page.finish(f"unbiased: of {3 * len(SHARES)} means of {seeds * TWINS:,} estimates none is off by more than "
                f"{worst:.1f} standard errors")


if __name__ == "__main__":
    main()
