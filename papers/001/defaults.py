#!/usr/bin/env python3
"""Sections 2, 3, 5.1 and 7 (B-02, B-08): the paper's definitions and settings, and twinset's.

    papers/001/defaults.py --binary build/release/twinset
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, Words, read_lines, read_summary  # noqa: E402

SETTINGS = ["--paper", "broder97"]


def make_records():
    """Two versions of a text, a third with other case and punctuation, and other texts."""
    words = Words()
    text = words.take(2000)
    versions = [text, text[:-100] + words.take(100), words.take(2000), words.take(2000)]
    records = [{"id": f"d{i}", "text": " ".join(version)} for i, version in enumerate(versions)]
    return records + [{"id": "d4", "text": ",\n".join(text).upper()}]


def main():
    page = Page("The paper's settings", __doc__)
    collection = page.write_records("five.jsonl", make_records())
    out = page.cluster("out", [collection], *SETTINGS)
    summary = read_summary(out)
    options, scheme = summary["options"], summary["scheme"]
    rose = page.folder / "rose.txt"
    rose.write_text("a rose is a rose is a rose\n", encoding="utf-8")
    compared = json.loads(page.twinset("compare", rose, rose, "--shingle", "4", "--numbers",
                                       "--json"))
    parameters = dict(part.split("=") for part in scheme[4:-1].split(", "))
    rows = []

    def row(section, what, theirs, ours):
        rows.append((what, section, theirs, ours,
                     page.hold(str(theirs) == str(ours), f"{what} is {theirs}")))

    row("2", "shingles in (a rose is a rose is a rose), w = 4", 3, compared["shingles_a"])
    row("2", "resemblance of a document with itself", 1, f"{compared['resemblance']:g}")
    row("3", "shingle size w", 10, parameters["shingle"])
    row("3", "modulus m", 25, parameters["modulus"])
    row("7", "bits of a fingerprint", 40, parameters["bits"])
    row("3", "fingerprints are those of", "rabin", parameters["hash"])
    row("4.1, 7", "threshold of resemblance", 0.5, options["resemblance"])
    row("5.1", "a shingle is common in more than ... documents", 1000, options["max_group"])
    row("4.1", "clusters are", "components", options["shape"])
    row("5.2", "lexically-equivalent documents are set aside", 1, summary["lexical"])
    clusters = [[name["id"] for name in [line["representative"], *line["members"]]]
                for line in read_lines(out / "clusters.jsonl.zst")]
    row("4.1", "clusters of two versions, a copy in capitals, two strangers", "d0 d1 d4",
        "; ".join(" ".join(cluster) for cluster in clusters))
    command = " ".join(f"'{each}'" if " " in each else each for each in SETTINGS)
    page.text(f"""
`twinset cluster IN... -o DIR {command}` is the method as the paper ran it. What it did stands in
`summary.json`; beside it what the paper prints.""")
    page.table(["what", "section", "paper", "twinset", "equal"], rows)
    page.text("""
What differs: unless the paper's settings are asked for, fingerprints are twinset's own, of 64 bits
(see [collisions_40_bits](collisions_40_bits.md)); an element is taken if it is at most
1 / 25 of the largest, not if it is 0 modulo 25, which is as likely and lets samples nest; common
shingles are left out of the samples' sizes on both sides of the quotient, about which the paper is
silent.""")
    page.finish(f"{len(rows)} definitions and settings are the paper's")


if __name__ == "__main__":
    main()
