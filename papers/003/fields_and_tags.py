#!/usr/bin/env python3
"""Sections 4.1, 5.4, 6.4.1 and 6.4.7 (S-06, S-14, S-22, S-23): simhash with fields of the document, and
with tagged words.

    papers/003/fields_and_tags.py --binary build/release/twinset

Needs the collection llvm-docs-html below TWINSET_DATA. Two pages are near duplicates if they are one
page of the manual in two releases.
"""

import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines, read_summary, wilson  # noqa: E402
from precision import DISTANCES, Pairs, spaced  # noqa: E402

TAKEN = 3  # every third page of the manual, in all its releases
TAGS = "b,i,strong,em,h1,h2,h3,h4,h5,h6"
# Parameters, and the thesis's rows of tables 6.1 (precision) and 6.2 (mean size).
VARIANTS = {
    "Original": ("", (.82, .71, .50, .37), (3.49, 6.06, 7.15, 7.73)),
    "Extra Metadata": ('fields="title,h1"', (.89, .75, .66, .59), (4.07, 4.09, 4.16, 4.34)),
    "Tagged Text": (f'tags="{TAGS}"', (.83, .37, .52, .35), (3.49, 6.06, 7.15, 7.73)),
    # Not in the thesis: more of the same.
    "Metadata, 4 times": ('fields="title,h1", field_weight=400', (), ()),
    "Tagged Text, 10 times": (f'tags="{TAGS}", boost=1000', (), ()),
}
LIKE_IT = 0.1  # "minimal changes, if any" (6.4.7)


def taken(page, folder):
    """Pages, and the number of pairs that are one page in two releases."""
    kept, number, times = [], {}, collections.Counter()
    for line in read_lines(folder / "pages.jsonl.zst"):
        if number.setdefault(line["doc"], len(number)) % TAKEN == 0:
            kept.append({"id": f"{line['version']}/{line['doc']}", "html": line["html"]})
            times[line["doc"]] += 1
    due = sum(count * (count - 1) // 2 for count in times.values())
    return page.write_records("pages.jsonl", kept), len(kept), due


def document(name):
    return name.split("/", 1)[1]


def signatures(page, collection, schemes):
    """{variant: [signature]} by document."""
    out = page.folder / "signatures.jsonl"
    asked = [part for scheme in schemes.values() for part in ("--scheme", scheme)]
    page.twinset("sketch", collection, "--format", "html", "--text", "html", *asked, "-o", out,
                 "--quiet", "--min-tokens", "1")
    of = {variant: [] for variant in schemes}
    lines = read_lines(out)
    for i, line in enumerate(lines):
        of[list(schemes)[i % len(schemes)]].append(line["signature"])
    return of


def main():
    page = Page("Fields and tagged words in simhash", __doc__)
    folder = data_set("llvm-docs-html")
    if folder is None:
        page.skip("there is no llvm-docs-html below TWINSET_DATA")
    collection, pages, due = taken(page, folder)
    df = page.folder / "pages.df"
    page.twinset("lexicon", "count", collection, "--text", "html", "--format", "html", "-o", df,
                 "--quiet")
    schemes = {variant: "simhash(" + ", ".join(filter(None, ["weights=tfidf", f'df="{df}"', more]))
                        + ")" for variant, (more, *_) in VARIANTS.items()}
    rows, sizes, shares, found = [], [], {}, {}
    for variant, scheme in schemes.items():
        out = page.cluster(variant, [collection], "--format", "html", "--text", "html", "--scheme",
                           scheme, "--distance", DISTANCES[-1], "--min-tokens", "1")
        pairs, said = Pairs(out), read_summary(out)["distances"]
        cells = []
        shares[variant], found[variant] = [], []
        for most in DISTANCES:
            within = pairs.within(most)
            page.hold(len(within) == said[most]["pairs"],
                      f"{variant}: the pairs within {most} are counted")
            right = sum(document(a) == document(b) for a, b in within)
            low, high = wilson(right, len(within))
            cells.append(f"{right / len(within):.2f} ({low:.2f} to {high:.2f})")
            shares[variant].append(right / len(within))
            found[variant].append(right / due)
        _, printed, printed_sizes = VARIANTS[variant]
        rows.append((variant, spaced(printed), *cells, spaced(found[variant])))
        sizes.append((variant, spaced(printed_sizes),
                      *(f"{each['mean_size']:.2f}" for each in said), f"{said[-1]['pairs']:,}"))
    signed = signatures(page, collection, schemes)
    changed = {variant: sum(a != b for a, b in zip(signed["Original"], signed[variant])) / pages
               for variant in schemes}
    page.text(f"""
The thesis adds descriptors that people had given to news articles, and boosts words in tags of the
articles by half. Both are made here on {pages:,} pages of the LLVM manual, every third page in up to three
releases: fields are the title and the headings `h1` of a page, tagged are words in `{TAGS}`.
Weights are tf-idf, with the document frequencies of these pages.

In place of a person, a name judges: two pages are near duplicates if they are one page in two
releases, which {due} pairs are. So a page that was rewritten counts as missed, and two pages that are
nothing but lists of links as wrong. Cells are shares of all pairs within the distance, with Wilson's
interval of 95 %.""")
    heads = [f"within {most}" for most in DISTANCES]
    page.table(["precision", "thesis", *heads, "recall within 0 to 3"], rows)
    page.table(["mean size", "thesis", *heads, "pairs within 3"], sizes)
    page.table(["variant", "signatures that differ from the original's"],
               [(variant, f"{100 * changed[variant]:.1f} %") for variant in list(schemes)[1:]])
    conclude(page, shares, found, changed)
    page.finish("precision within 0, 1, 2, 3 bits: " + "; ".join(
        f"{variant.lower()} {spaced(shares[variant])}" for variant in list(schemes)[:3]))


def conclude(page, shares, found, changed):
    plain, fields, tagged = (shares[name] for name in list(VARIANTS)[:3])
    for most in DISTANCES:
        page.hold(found["Extra Metadata"][most] < found["Original"][most] - LIKE_IT,
                  f"fields that name the release cost recall within {most}")
        page.hold(abs(tagged[most] - plain[most]) < LIKE_IT * 1.5,
                  f"tagged words change the precision little within {most}")
        page.hold(found["Tagged Text"][most] > found["Original"][most],
                  f"tagged words find more within {most}")
        page.hold(shares["Tagged Text, 10 times"][most] < plain[most] / 3,
                  f"a large boost takes unlike pages for one another within {most}")
    page.hold(plain[-1] - fields[-1] < plain[0] - fields[0],
              "with fields precision falls less with the distance")
    page.hold(changed["Extra Metadata"] > 0.99, "fields change nearly all signatures")
    page.hold(0.5 < changed["Tagged Text"] < 0.9, "and tags most of them")
    page.text(f"""
## As in the thesis, and not

- The thesis's rows are not of one measure. "Extra Metadata" is of the New York Times alone, and "we relaxed the
  definition of near-duplicate here to include cases such as this where the content of the article was in fact
  different" (6.4.1): its .89 and Original's .82 cannot be compared. Nor can its fall from 0 to 3 bits.
- Here precision falls less with metadata ({plain[0] - plain[-1]:.2f} without, {fields[0] - fields[-1]:.2f} with them), but it is lower at each
  distance, and recall within 3 bits is {found["Extra Metadata"][-1]:.2f} in place of {found["Original"][-1]:.2f}. The thesis's descriptors are
  given by people to tell subjects apart. A page's title here ends in the name of its release, "LLVM 15
  documentation", and so tells apart what is the same. Choose fields that copies share.
- The thesis's Tagged Text falls from .83 to .37 within 1 bit and rises to .52 within 2, while its text has it
  "nearly identical" to the original (.82 .71 .50): the .37 is likely a misprint.
- Boosting tags by half changes little, as in the thesis: precision is at most {max(a - b for a, b in zip(plain, tagged)):.2f} lower, and recall
  higher. The thesis prints the same sizes with and without the boost; here {100 * changed["Tagged Text"]:.0f} % of the
  signatures differ. Boosted ten times, headings outweigh the text, and pages with the same few
  headings are taken for one another.
- All variants are imprecise on these pages: their menus are most of many a page.""")


if __name__ == "__main__":
    main()
