#!/usr/bin/env python3
"""Section 7.1.1, figure 5 (I-23): help pages of one template.

    papers/002/help_pages.py --binary build/release/twinset

Manual pages of different functions have the same frequent words; the words that tell them apart
are too rare for a lexicon. Pairs of such pages that imatch takes for copies, and what is left of
them when the texts decide. Needs the collection cppreference-html.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_pairs  # noqa: E402

LEXICONS = [0, 2, 5, 10]
RESEMBLANCES = ["0.5", "0.8", "0.9"]
LISTED = 6


def signed_pairs(page, inputs, name, resemblances):
    """Of each pair of equal signatures the first coordinate at which they are equal, 0 being the whole
    lexicon's; and the pairs that the texts accept at each resemblance."""
    first = {pair: counts[0] for pair, counts in read_pairs(
        page.cluster(name, inputs, "--scheme", "imatch")).items()}
    kept = {}
    for resemblance in resemblances:
        out = page.cluster(f"{name} {resemblance}", inputs, "--scheme", "imatch", "--verify",
                           "exact", "-r", resemblance)
        kept[resemblance] = set(read_pairs(out))
        page.hold(kept[resemblance] <= set(first), f"{name}, -r {resemblance}: the texts only reject")
    return first, kept


def main():
    page = Page("Help pages of one template", __doc__)
    collection = data_set("cppreference-html")
    if collection is None:
        page.skip("needs TWINSET_DATA with cppreference-html")
    inputs = [collection / "pages.jsonl.zst", "--format", "html", "--text", "html"]
    first, kept = signed_pairs(page, inputs, "signatures", RESEMBLANCES)
    rejected = {each: set(first) - kept[each] for each in RESEMBLANCES}
    own, own_kept = signed_pairs(page, [*inputs, "--templates", "drop"], "without templates", ["0.8"])
    rows, pairs_of, share_of = [], [], []
    for k in LEXICONS:
        equal = {pair for pair, coordinate in first.items() if coordinate <= k}
        near = len(equal & kept["0.8"])
        pairs_of.append(len(equal))
        share_of.append(near / len(equal))
        rows.append((k, f"{len(equal):,}", *(f"{len(equal & kept[each]):,}" for each in RESEMBLANCES),
                     f"{len(equal & rejected['0.8']):,}", f"{near / len(equal):.2f}"))
    page.text("""
4,424 pages of one manual: menus, headings and phrases are the same, functions differ. Pairs of pages whose
signatures are equal with K random lexicons beside the whole one, and those whose texts (menus included)
have at least a resemblance. A pair that verification at 0.8 rejects is a *template pair*: equal in the
words of the lexicon, and about different things.""")
    page.table(["K", "equal", *(f"resemblance {each}" for each in RESEMBLANCES), "template pairs at 0.8",
                "share at 0.8"], rows)
    page.hold(pairs_of == sorted(pairs_of), "more lexicons make more pairs equal")
    page.hold(len(rejected["0.8"]) > len(first) / 2, "most pairs are template pairs")
    page.hold(share_of[-1] < share_of[0] + .05, "precision does not rise with K")
    page.text("""
The paper: "the differentiating content uses specialized vocabulary, which is unlikely to be selected as part
of the I-Match lexicon." Some template pairs, under the whole lexicon or the first random one that does not
tell them apart:""")
    listed = sorted((first[pair], *sorted(pair)) for pair in rejected["0.8"])
    page.table(["page", "page", "lexicon"],
               [(f"`{a}`", f"`{b}`", k) for k, a, b in listed[::max(1, len(listed) // LISTED)][:LISTED]])
    page.text("""
So on pages of a template signatures of lexicons can only propose. `dedup` always compares the texts; `cluster` does
with `--verify exact`. Neither sees that a text that is mostly template resembles another for the template's sake:
that is what `--templates drop` is for, which signs and compares what is left of a page without its site's
templates. Before and after:""")
    before, after = [], []
    for k in LEXICONS:
        equal = {pair for pair, coordinate in first.items() if coordinate <= k}
        left = {pair for pair, coordinate in own.items() if coordinate <= k}
        before.append((len(equal), len(equal & rejected["0.8"])))
        after.append((len(left), len(left - own_kept["0.8"])))
    page.table(["K", "equal, whole pages", "template pairs", "accepted at 0.8",
                "equal, without templates", "template pairs", "accepted at 0.8"],
               [(k, f"{was[0]:,}", f"{was[1]:,}", f"{was[0] - was[1]:,}", f"{now[0]:,}", f"{now[1]:,}",
                 f"{now[0] - now[1]:,}") for k, was, now in zip(LEXICONS, before, after)])
    page.hold(after[0][1] < before[0][1] / 2, "the whole lexicon takes fewer pages for copies")
    page.hold(all(was[0] - was[1] > 4 * (now[0] - now[1]) for was, now in zip(before, after)),
              "the texts accept fewer pairs of such pages")
    page.text("""
The whole lexicon takes a third as many pages for copies, and the texts accept a small part of the pairs that they
accepted for their menus. Random parts of the lexicon still propose as many: what is left of a page is short, and
half of few words is equal sooner. So signatures propose, and the texts decide, without templates, too.""")
    page.finish(f"{pairs_of[-1]:,} pairs of pages are equal under one lexicon of eleven, {pairs_of[0]:,} under the "
                f"first; the texts reject {len(rejected['0.8']):,} at 0.8")


if __name__ == "__main__":
    main()
