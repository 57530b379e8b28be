#!/usr/bin/env python3
"""Section 5.1 (B-17): a long footer common to 2,000 pages makes no pair of them.

Two pages of `own` words each that share a footer of `footer` words resemble each other at
footer / (footer + 2 own): at 50 % or more if the footer is longer than twice the rest. This
one is, so that the pairs that the cut prevents are true by the texts, not noise of small
samples.

    papers/001/common_footer.py --binary build/release/twinset
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, Words, read_lines, read_summary, shingles  # noqa: E402

PAGES = 2000
FOOTER_WORDS = 400
OWN_WORDS = 130
VERSIONS = 10  # true pairs, planted to check that the cut keeps them


def main():
    page = Page("Common shingles", __doc__)
    words = Words()
    footer = words.take(FOOTER_WORDS)
    records = [{"id": f"p{i}", "text": " ".join(words.take(OWN_WORDS) + footer)}
               for i in range(PAGES)]
    for i in range(VERSIONS):
        text = words.take(1000)
        records += [{"id": f"v{i}", "text": " ".join(text + footer)},
                    {"id": f"w{i}", "text": " ".join(text[:-50] + footer)}]
    collection = page.write_records("pages.jsonl", records)
    rows, summaries = [], {}
    scheme = "mod(shingle=10, modulus=25)"
    for name, max_group in (("cut", 1000), ("kept", 0)):
        out = page.cluster(name, [collection], "--scheme", scheme, "--max-group", str(max_group),
                           "--verify", "sketch")
        summary = summaries[name] = read_summary(out)
        clusters = [[name["id"] for name in [line["representative"], *line["members"]]]
                    for line in read_lines(out / "clusters.jsonl.zst")]
        summary["false"] = sum(1 for cluster in clusters for one in cluster if one[0] == "p")
        summary["true"] = sum(1 for i in range(VERSIONS)
                              if any({f"v{i}", f"w{i}"} <= set(cluster) for cluster in clusters))
        counting = summary["counting"]
        rows.append((f"--max-group {max_group}", counting["common_keys"],
                     f"{counting['meetings']:,}", f"{counting['edges']:,}",
                     f"{summary['clusters']['largest']:,}", f"{summary['false']:,}",
                     f"{summary['true']} of {VERSIONS}"))
    first, second = (shingles(record["text"].split(), 10) for record in records[:2])
    resemblance = len(first & second) / len(first | second)
    page.hold(resemblance > 0.5, "two pages with the footer resemble each other at more than 50 %")
    page.text(f"""
Section 5.1: very common shingles, "for us, this means shingles shared by more than 1000 documents",
"either have no effect on the overall resemblance of the documents or they have the effect of
creating a false resemblance between two basically dissimilar documents. Therefore, we ignore all
very common shingles."

{PAGES:,} pages of {OWN_WORDS} words of their own end in one footer of {FOOTER_WORDS} words; {VERSIONS} pairs
of real versions end in it, too. Two of the pages resemble each other at {resemblance:.2f} by all their
shingles of ten words. With `{scheme}`, at 50 %, by counts alone, as in the paper:""")
    page.table(["", "common shingles", "meetings under a shingle", "pairs", "largest cluster",
                "pages in clusters", "real versions found"], rows)
    listed = summaries["cut"]["common_shingles"]
    cut, kept = summaries["cut"], summaries["kept"]
    page.hold(cut["false"] == 0, "with the cut no page is in a cluster")
    page.hold(cut["true"] == VERSIONS, "with the cut all real versions are found")
    page.hold(kept["false"] == PAGES, "without the cut the footer joins all pages")
    page.hold(listed and all(each["text"] in " ".join(footer) or each["documents"] >= PAGES
                             for each in listed), "the footer's shingles are listed")
    page.text(f"""
A footer joins two pages at 50 % if it is longer than twice the rest of them; with the cut it joins none.
The paper also lists what its common shingles were; `summary.json` does: {len(listed)} shingles, each with
its words, a sample, and its documents ({listed[0]["documents"]:,} for the first).

The paper is silent on whether the ignored shingles count in the denominator. Here they are taken off
both samples: a page is what is left of it without its footer.""")
    page.finish(f"with the cut no pair among {PAGES:,} pages of one footer, and all {VERSIONS} real "
                f"ones; without it {kept['counting']['edges']:,} pairs and one cluster of "
                f"{kept['clusters']['largest']:,}")


if __name__ == "__main__":
    main()
