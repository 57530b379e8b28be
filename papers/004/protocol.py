#!/usr/bin/env python3
"""Sections 6.1, 7.2 and 7.3, figures 11 and 12, table 4 (R-25, R-26, R-28): the protocol on made
neighborhoods.

    papers/004/protocol.py --binary build/release/twinset

Common Crawl of 2009 and GeoCities cannot be read again here. A small web is made instead, whose
sites are of known kinds; the steps are the paper's.
"""

import collections
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from figures import curves, power_of_ten  # noqa: E402
from page import Page, mean, wilson  # noqa: E402
from reuse import (Detected, Paragraphs, count_slowly, detect_slowly, discover, html,  # noqa: E402
                   named_chunks, over, threshold_of)

SITES = 1_000
# Kinds of sites, the share of all, and the share of their chunks that they have from a pool.
KINDS = {"own words": (.91, 0, None), "template": (.04, .6, "template"),
         "blog": (.03, .4, "template"), "link farm": (.015, .9, "farm"),
         "spam": (.005, .5, "farm")}
MALICIOUS = ("link farm", "spam")
POOLS = {"template": 30, "farm": 30}     # chunks
OVER = 12
SAMPLE, WORST, SEED = 40, .05, 11
BINS = 20
TITLE = "<!DOCTYPE html><title>page</title>"
# Table 4, of 40; 7.3.
PAPER = [("Ads", 2), ("Blog", 19), ("Empty", 1), ("Forms", 1), ("Forum", 1), ('"Suspect"', 0),
         ("JavaScript", 2), ("Templated/CMS", 17)]


def make_web():
    """Records, and the kind of each site."""
    draw, paragraphs = random.Random(1), Paragraphs(2)
    pools = {name: [paragraphs.take() for _ in range(count)] for name, count in POOLS.items()}
    kinds = [kind for kind, (share, *_) in KINDS.items() for _ in range(round(share * SITES))]
    draw.shuffle(kinds)
    records, truth = [], {}
    for number, kind in enumerate(kinds):
        _, share, pool = KINDS[kind]
        host = f"site{number}.example"
        truth[host] = kind
        for i in range(draw.randint(2, 8)):
            count = draw.randint(4, 16)
            texts = [draw.choice(pools[pool]) if pool and draw.random() < share else
                     paragraphs.take() for _ in range(count)]
            records.append({"url": f"http://{host}/{'a' if i % 2 else 'b'}/{i}.html",
                            "html": html([TITLE, *texts])})
    return records, truth


def threshold(page, detected, found):
    badness = [each.by_chunks() for each in found.values()]
    center = mean(badness)
    deviation = math.sqrt(math.fsum((b - center) ** 2 for b in badness) / len(badness))
    bad = {prefix for prefix, each in found.items() if each.by_chunks() > center + deviation}
    page.hold(abs(threshold_of(badness) - center - deviation) < 1e-12, "mean and deviation")
    page.hold({line["prefix"] for line in detected.neighborhood_lines if line["bad"]} == bad,
              "bad neighborhoods are those above the mean and one standard deviation")
    page.table(["", "neighborhoods", "mean", "deviation", "threshold", "bad", "share"], [
        ("paper, 7.3", "900,000,000", "0.040", "0.123", "0.163", "79,800,000", "9 %"),
        ("paper, 6.1", "913,000,000", "", "", "", "79,900,000", "9 %"),
        ("ours", f"{len(found):,}", f"{center:.3f}", f"{deviation:.3f}", f"{center + deviation:.3f}",
         f"{len(bad):,}", f"{len(bad) / len(found):.0%}")])
    page.hold(abs(79.8e6 / 900e6 - .09) < .005 and abs(.04 + .123 - .163) < 1e-9,
              "the paper's threshold and share hold together")
    return bad


def figure_12(page, detected, found):
    counted = [0] * (BINS + 1)   # the last of those that are labels alone
    for each in found.values():
        counted[each.labeled * BINS // each.chunks] += 1
    page.hold(detected.summary["by_badness"] == counted, "the program's histogram is the slow one")
    below, rows, cumulative = 0, [], [(0, 0)]
    for i, count in enumerate(counted):
        below += count
        cumulative.append((min(1, (i + 1) / BINS), below / len(found)))
        if count:
            rows.append((f"{i / BINS:.2f} to {(i + 1) / BINS:.2f}" if i < BINS else "1", count,
                         f"{below / len(found):.3f}"))
    page.table(["badness", "neighborhoods", "cumulative"], rows)
    shares = [(x, y) for i, count in enumerate(counted)
              for x, y in ((i / BINS, 0), (i / BINS, count / len(found)),
                           (min(1, (i + 1) / BINS), count / len(found)),
                           (min(1, (i + 1) / BINS), 0))]
    page.figure("protocol_badness.svg", curves(
        "Badness of neighborhoods", [("histogram", shares), ("cumulative", cumulative)],
        "badness", "share of neighborhoods"), "Histogram and cumulative distribution of badness")


def figure_11(page, told):
    """By count: chunks."""
    points = [(math.log10(count), math.log10(objects))
              for count, objects, _ in told["chunks"]["frequencies"]]
    page.figure("protocol_chunks.svg", curves(
        "Chunks by frequency", [("threshold", [(math.log10(OVER), 0), (math.log10(OVER), 5)])],
        "times seen", "chunks", (0, 4), (0, 5), [("chunks", points)], power_of_ten, power_of_ten),
        "How many chunks were seen how often")


def contradictions(page):
    """R-26: figures of the paper that cannot hold together."""
    page.text("""
## Figures that contradict one another (R-26)

Beside the two rows above, and the 19.6 million of 7.3:""")
    page.hold(3.7e9 * 1e5 > 1_000 * 40.5e9, "3.7e9 chunks of 1e5 occurrences are not among 40.5e9")
    page.hold(round(242e3 / 4_626) == 52, "242e3 chunks of 4,626 pages are 52 a page")
    page.table(["section", "printed", "against it"], [
        ("7.2", "3.7e9 distinct chunks appear more than 1e5 times",
         "that would be 3.7e14 occurrences and more, of 40.5e9"),
        ("", "", "6,000 chunks are right of that line in figure 2 (6.2), 2,121 are used (7.3)"),
        ("6.2, 6.3", "242e3 chunks on 4,626 pages", f"{242e3 / 4_626:.0f} a page; 48 is printed"),
        ("6.5", "from 120 down to 115 \"non-zero false-positive rate from 0.33% to 0.55%\"",
         "\"from 128 to 120 is like exact matching with no false positives\"")])


def sample(page, bad, found, truth):
    """Table 4: a sample of bad neighborhoods, classified."""
    of = {prefix: truth[prefix.split("/")[0]] for prefix in bad}
    chosen = random.Random(SEED).sample(sorted(bad), SAMPLE)
    counted = collections.Counter(of[prefix] for prefix in chosen)
    everything = collections.Counter(of.values())
    rows = []
    for kind in KINDS:
        low, high = wilson(counted[kind], SAMPLE)
        far_low, far_high = wilson(counted[kind], SAMPLE, 5)
        share = everything[kind] / len(bad)
        page.hold(far_low <= share <= far_high, f"{kind}: the sample is like all bad neighborhoods")
        rows.append((kind, counted[kind], f"{counted[kind] / SAMPLE:.1%}",
                     f"{low:.1%} to {high:.1%}", f"{share:.1%}"))
    page.table(["kind", f"of {SAMPLE}", "share", "interval of 95 %", "of all bad ones"], rows)
    page.table(["paper's table 4", "of 40", "share"],
               [(name, count, f"{count / 40:.1%}") for name, count in PAPER])
    page.hold(sum(count for _, count in PAPER) == 43, "the paper's categories overlap")
    worst = sorted(found, key=lambda prefix: (-found[prefix].by_chunks(), prefix))
    worst = worst[:round(WORST * len(worst))]
    malicious = sum(truth[prefix.split("/")[0]] in MALICIOUS for prefix in worst)
    chosen = random.Random(SEED).sample(worst, 100)
    of_sample = sum(truth[prefix.split("/")[0]] in MALICIOUS for prefix in chosen)
    low, high = wilson(of_sample, 100)
    far_low, far_high = wilson(of_sample, 100, 5)
    page.hold(far_low <= malicious / len(worst) <= far_high, "the sample is like all worst ones")
    page.text(f"""
Of GeoCities' worst 5 % the paper samples 100: 40 are link farms (R-28). Here 100 of the worst {len(worst)} neighborhoods have
{of_sample} of link farms and spam ({low:.0%} to {high:.0%}); of all {len(worst)} it is {malicious / len(worst):.0%}.""")
    return counted


def main():
    page = Page("From chunks to bad neighborhoods", __doc__)
    records, truth = make_web()
    web = page.write_records("web.jsonl", records)
    path, told, labels, _ = discover(page, "web", [web], "--over-chunks", OVER)
    chunks, _ = count_slowly(record["html"] for record in records)
    page.hold(labels == over(chunks, OVER), "labels and counts are the oracle's")
    pool = sum(POOLS.values())
    page.hold(len(labels) == pool, "blind discovery finds the chunks of the pools, no other")
    detected = Detected(page, "found", [web], path)
    pages, found = detect_slowly(named_chunks(records), labels)
    page.hold(detected.like(pages, found), "pages and neighborhoods are those of the slow detection")
    page.text(f"""
These results **cannot be made again**: Common Crawl's crawl of 2009 has 26 TB packed, the GeoCities archive 650 GB,
and the paper's classes are a person's. Made again is the protocol, on {SITES:,} sites of {len(records):,} pages whose kinds are known:
blind discovery, neighborhoods, the threshold, a sample of {SAMPLE} above it and its classes, here the generator's truth.
So the shares below say nothing of the Web; that each step gives what the truth says is what is held. Blind labels
are the chunks seen more than {OVER} times, {len(labels)} (the paper: 2,121).

## Chunks (figure 11, R-25)

The paper has 184 million chunks of GeoCities, 97 million after cleaning; it counts its files as 33 million in 5.1 and
as 26.7 million elsewhere.""")
    figure_11(page, told)
    page.text("""
## Neighborhoods (figure 12, R-26)

The two rows of the paper differ (900 and 913 million, 79.8 and 79.9 million bad); 7.3 also samples 40 "from the
19.6 million above the threshold".""")
    bad = threshold(page, detected, found)
    figure_12(page, detected, found)
    page.text("""
## A sample, classified (table 4, R-26)

The paper's categories overlap, and add up to 43 of 40.""")
    counted = sample(page, bad, found, truth)
    malicious = sum(counted[kind] for kind in MALICIOUS)
    page.text(f"""
As in the paper, blind labels find templates first: {SAMPLE - malicious} of {SAMPLE} bad neighborhoods are benign. Frequency tells copying, not
malice; that takes informed labels ([clones](clones.md)) or a person (`twinset judge`).""")
    contradictions(page)
    page.finish(f"not made again, but the protocol: {len(bad)} of {len(found):,} neighborhoods above mean + 1 sd; of a "
                f"sample of {SAMPLE}, {SAMPLE - malicious} benign and {malicious} malicious, as the truth has it")


if __name__ == "__main__":
    main()
