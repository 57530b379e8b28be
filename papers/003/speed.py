#!/usr/bin/env python3
"""Section 6.2 (S-25): signatures a second, and pairs of them a second.

    papers/003/speed.py --binary build/release/twinset
"""

import bisect
import itertools
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, Words  # noqa: E402
from timed import cpu_seconds  # noqa: E402

ARTICLES, MINUTES, HOURS, CORES = 730_000, 10, 2, 8   # section 6.2
TEXTS, WORDS, VOCABULARY = 20_000, 450, 30_000
SIGNATURES = 200_000
DISTANCE = 3
RUNS = 3      # of which the fastest counts
SEED = 25


def write_texts(page):
    """News-like in length and in how often words occur (Zipf's law)."""
    draw = random.Random(SEED)
    words = Words().take(VOCABULARY)
    ends = list(itertools.accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
    tape = [words[bisect.bisect(ends, draw.random() * ends[-1])] for _ in range(500_000)]
    begins = [draw.randrange(len(tape) - WORDS) for _ in range(TEXTS)]
    return page.write_records("texts.jsonl", ({"id": i, "text": " ".join(tape[begin:begin + WORDS])}
                                              for i, begin in enumerate(begins)))


def fastest(run):
    return min(cpu_seconds(run) for _ in range(RUNS))


def main():
    page = Page("Signatures and pairs a second", __doc__)
    texts = write_texts(page)
    df = page.folder / "texts.df"
    page.twinset("lexicon", "count", texts, "-o", df, "--quiet")
    out = page.folder / "signatures.jsonl"
    seconds = {}
    for scheme in ("simhash", f'simhash(weights=tfidf, df="{df}")'):
        def sketch(scheme=scheme):
            out.unlink(missing_ok=True)
            page.twinset("sketch", texts, "--scheme", scheme, "-o", out, "--quiet", "--threads", "1")
        seconds["tf-idf" if "df" in scheme else "tf"] = fastest(sketch)
    with open(out, encoding="utf-8") as lines:
        line = json.loads(next(lines))
    draw = random.Random(SEED)
    made = page.write_records("made.jsonl", ({**line, "id": i, "record": i + 1,
                                              "signature": f"{draw.getrandbits(64):016x}"}
                                             for i in range(SIGNATURES)))
    found = []
    joined = fastest(lambda: found.append(page.twinset("join", made, "--distance", DISTANCE,
                                                       "--threads", "1", "--quiet")))
    # The chance that two random signatures are within 3 bits is 2.4e-15.
    page.hold(found[0] == "", "random signatures have no near pair")
    pairs = SIGNATURES * (SIGNATURES - 1) // 2
    theirs = ARTICLES / (MINUTES * 60 * CORES)
    their_pairs = ARTICLES * (ARTICLES - 1) / 2 / (HOURS * 3600 * CORES)
    page.hold(round(theirs) == 152, "152 signatures a second and core")
    page.hold(4e6 < their_pairs < 9e6, "4.6 million pairs a second and core")
    for weights, took in seconds.items():
        page.hold(TEXTS / took > 10 * theirs, f"{weights}: ten times as many signatures a second at the least")
    page.hold(pairs / joined > 10 * their_pairs, "ten times as many pairs a second at the least")
    page.text(f"""
Signatures of "all 730k articles" took {MINUTES} minutes on {CORES} cores, and "all n^2 comparisons" {HOURS} hours. With each pair
compared once that is {their_pairs / 1e6:.1f} million pairs a second and core; compared both ways, twice as many. Ours are {TEXTS:,} made
texts of {WORDS} words and {SIGNATURES:,} random signatures, one thread, CPU time; reading and writing JSON is part of all.""")
    page.of_this_machine()
    page.table(["a second and core", "thesis", "ours", "times"], [
        *((f"signatures, {weights}", f"{theirs:,.0f}", f"{TEXTS / took:,.0f}", f"{TEXTS / took / theirs:,.0f}")
          for weights, took in seconds.items()),
        (f"pairs within {DISTANCE} bits", f"{their_pairs:,.0f}", f"{pairs / joined:.1e}",
         f"{pairs / joined / their_pairs:,.0f}")])
    page.of_any_machine()
    page.text("""
Tables of permuted signatures (2.6.2) compare few of the pairs, so the more signatures there are the more pairs a
second: [docs/performance.md](../../docs/performance.md#parts) has them for a million, and the speed of comparing every two.""")
    page.finish("more than ten times as many signatures and pairs a second as in the thesis, on one core")


if __name__ == "__main__":
    main()
