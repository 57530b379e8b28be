#!/usr/bin/env python3
"""Section 7.1.1, figure 5 (I-23): help pages of one template.

    papers/002/help_pages.py --binary build/release/twinset

Manual pages of different functions have the same frequent words; the words that tell them apart
are too rare for a lexicon. Pairs of such pages that imatch takes for copies, those of them that
`--mark-templates` tells apart, and what is left when the texts decide. Needs the collection
cppreference-html.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines, read_pairs, read_summary  # noqa: E402

LEXICONS = [0, 2, 5, 10]
RESEMBLANCES = ["0.5", "0.8", "0.9"]
LISTED = 6


def coordinates(folder):
    """Of each pair of equal signatures the first coordinate at which they are equal, 0 being the whole
    lexicon's."""
    return {pair: counts[0] for pair, counts in read_pairs(folder).items()}


def template_pairs(folder, least):
    """The pairs whose texts do not reach a resemblance without the templates of their site, with what
    they have then."""
    found, pairs = {}, iter(read_pairs(folder))
    for line in read_lines(folder / "pairs.jsonl.zst"):
        for shared, own, others in line.get("rests", []):
            pair = next(pairs)
            resemblance = shared / max(1, own + others - shared)
            if resemblance < least:
                found[pair] = resemblance
    return found


def accepted(page, name, inputs, first):
    """The pairs that the texts accept at each resemblance."""
    kept = {}
    for resemblance in RESEMBLANCES:
        kept[resemblance] = set(read_pairs(page.cluster(
            f"{name} {resemblance}", inputs, "--scheme", "imatch", "--verify", "exact", "-r", resemblance)))
        page.hold(kept[resemblance] <= set(first), f"{name}, -r {resemblance}: the texts only reject")
    return kept


def main():
    page = Page("Help pages of one template", __doc__)
    collection = data_set("cppreference-html")
    if collection is None:
        page.skip("needs TWINSET_DATA with cppreference-html")
    inputs = [collection / "pages.jsonl.zst", "--format", "html", "--text", "html"]
    first = coordinates(page.cluster("signatures", inputs, "--scheme", "imatch"))
    folder = page.cluster("marked", inputs, "--scheme", "imatch", "--mark-templates", "-r", "0.8")
    page.hold(coordinates(folder) == first, "marking changes no pair")
    marked = template_pairs(folder, .8)
    counted = read_summary(folder)["counting"]["template_pairs"]
    page.hold(counted == len(marked), "the summary counts the marked pairs")
    kept = accepted(page, "signatures", inputs, first)
    rejected = set(first) - kept["0.8"]
    own = coordinates(page.cluster("without templates", [*inputs, "--templates", "drop"],
                                   "--scheme", "imatch"))
    own_kept = set(read_pairs(page.cluster("own 0.8", [*inputs, "--templates", "drop"], "--scheme", "imatch",
                                           "--verify", "exact", "-r", "0.8")))
    page.text("""
4,424 pages of one manual: menus, headings and phrases are the same, functions differ. Pairs of pages whose
signatures are equal with K random lexicons beside the whole one; those whose texts, menus included, have at
least a resemblance; and *template pairs*, as `cluster --mark-templates -r 0.8` marks them: without the templates
of the site they do not reach 0.8. It finds the same pairs, and compares what is left of their texts.""")
    rows, pairs_of, share_of = [], [], []
    for k in LEXICONS:
        equal = {pair for pair, coordinate in first.items() if coordinate <= k}
        near = len(equal & kept["0.8"])
        pairs_of.append(len(equal))
        share_of.append(near / len(equal))
        rows.append((k, f"{len(equal):,}", *(f"{len(equal & kept[each]):,}" for each in RESEMBLANCES),
                     f"{len(equal & marked.keys()):,}", f"{len(equal & rejected):,}",
                     f"{len(equal & rejected & marked.keys()):,}", f"{len(equal & marked.keys() & kept['0.8']):,}"))
    page.table(["K", "equal", *(f"resemblance {each}" for each in RESEMBLANCES), "template pairs",
                "rejected at 0.8", "... template pairs", "template pairs accepted at 0.8"], rows)
    page.hold(pairs_of == sorted(pairs_of), "more lexicons make more pairs equal")
    page.hold(len(marked) > len(first) / 2, "most pairs are template pairs")
    page.hold(share_of[-1] < share_of[0] + .05, "precision does not rise with K")
    page.hold(len(rejected & marked.keys()) > .98 * len(rejected), "what the texts reject is marked")
    page.text(f"""
Of the {len(rejected):,} pairs that verification at 0.8 rejects, {len(rejected & marked.keys()):,} are template pairs; the other
{len(rejected - marked.keys()):,} say the same under menus that differ. Of the {len(kept["0.8"]):,} that it accepts,
{len(kept["0.8"] & marked.keys()):,} are template pairs, too: their menus are most of them. The paper: "the differentiating content
uses specialized vocabulary, which is unlikely to be selected as part of the I-Match lexicon." Some template
pairs, under the whole lexicon or the first random one that does not tell them apart:""")
    listed = sorted((first[pair], *sorted(pair), rest) for pair, rest in marked.items())
    page.table(["page", "page", "lexicon", "resemblance without templates"],
               [(f"`{a}`", f"`{b}`", k, f"{rest:.2f}")
                for k, a, b, rest in listed[::max(1, len(listed) // LISTED)][:LISTED]])
    told = json.loads(page.twinset("explain", folder, listed[0][1], "--json"))
    page.hold(told["template_pairs"] > 0 and any(each.get("template") for each in told["nearest"]),
              "explain names template pairs")
    page.text("""
So on pages of a template signatures of lexicons can only propose. `dedup` always compares the texts; `cluster` does
with `--verify exact`. Neither sees that a text that is mostly template resembles another for the template's sake.
`--mark-templates` says it of each pair, and `--templates drop` signs and compares what is left of a page in the first
place. Before and after:""")
    before, after = [], []
    for k in LEXICONS:
        equal = {pair for pair, coordinate in first.items() if coordinate <= k}
        left = {pair for pair, coordinate in own.items() if coordinate <= k}
        before.append((len(equal), len(equal & marked.keys())))
        after.append((len(left), len(left - own_kept)))
    page.table(["K", "equal, whole pages", "template pairs", "others", "equal, without templates",
                "rejected at 0.8", "accepted"],
               [(k, f"{was[0]:,}", f"{was[1]:,}", f"{was[0] - was[1]:,}", f"{now[0]:,}", f"{now[1]:,}",
                 f"{now[0] - now[1]:,}") for k, was, now in zip(LEXICONS, before, after)])
    page.hold(after[0][1] < before[0][1] / 2, "the whole lexicon takes fewer pages for copies")
    page.hold(all(now[0] - now[1] >= was[0] - was[1] for was, now in zip(before, after)),
              "without templates no fewer pairs of pages that say the same are found")
    page.text("""
The whole lexicon takes a third as many pages for copies without templates, and finds more pages that say the same
under other menus. Random parts of the lexicon still propose as many: what is left of a page is short, and half of few
words is equal sooner. So signatures propose, and the texts decide, without templates, too.""")
    page.finish(f"{pairs_of[-1]:,} pairs of pages are equal under one lexicon of eleven, {pairs_of[0]:,} under the "
                f"first; {len(marked):,} of them are template pairs")


if __name__ == "__main__":
    main()
