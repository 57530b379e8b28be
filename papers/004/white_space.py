#!/usr/bin/env python3
"""Sections 4.4 and 8.2 (R-04): what normalizing white space finds.

    papers/004/white_space.py --binary build/release/twinset

Copies of a made site, some with other line ends and indentation, by this program's chunks and by those of
the authors' program for Hadoop, which takes bytes as they are. And chunks that two releases of a
manual share: needs llvm-docs-html below TWINSET_DATA.
"""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines  # noqa: E402
from reuse import SHORT, Detected, Paragraphs, content, discover, html, pieces_of_real_page  # noqa: E402

LABELS, COPIED = 311, 5              # chunks of the site; of each copy (8.2 counts one and more)
DIRECT, SPACED, OTHERS = 35, 8, 1_803  # table 6: copies as they are, and with other white space; table 1
RELEASES = (15, 16)
SEED = 8


def respaced(text, draw):
    """The same words with other white space between: line ends, tabs, indentation."""
    between = ["\r\n", "\n    ", "\t", "  ", " "]
    return "".join(draw.choice(between) if character == " " else character for character in text)


def make_pages(known, draw):
    own = Paragraphs(99)
    for i in range(DIRECT + SPACED + OTHERS):
        chunks = [own.take() for _ in range(10)]
        if i < DIRECT + SPACED:
            taken = draw.sample(known, COPIED)
            chunks += taken if i < DIRECT else [respaced(text, draw) for text in taken]
        yield {"url": f"http://p{i}.example/", "html": html(chunks)}


def found_pages(page, name, known, pages, *options):
    labels = discover(page, name, ["--from", known], *options)[0]
    return {int(url.split("//p")[1].split(".")[0]) for url in Detected(page, name, [pages], labels).pages}


def of_a_manual(page, folder):
    """Chunks of the later release; those of them that the earlier one has, as bytes and normalized."""
    by_release = {release: [] for release in RELEASES}
    for line in read_lines(folder / "pages.jsonl.zst"):
        if line["version"] in by_release:
            by_release[line["version"]].append(line["html"])
    before, after = ([piece for text in by_release[release] for piece in pieces_of_real_page(text)
                      if len(content(piece)) > SHORT] for release in RELEASES)
    as_bytes, normalized = set(before), set(map(content, before))
    records = {release: page.write_records(f"{release}.jsonl", (
        {"url": f"http://r{release}.example/{i}.html", "html": text}
        for i, text in enumerate(by_release[release]))) for release in RELEASES}
    labels = discover(page, "manual", ["--from", records[RELEASES[0]]], "--min-chars", SHORT + 1)[0]
    detected = Detected(page, "manual", [records[RELEASES[1]]], labels)
    counts = (len(after), sum(piece in as_bytes for piece in after),
              sum(content(piece) in normalized for piece in after))
    page.hold(detected.summary["labeled_chunks"] == counts[2], "the program finds the normalized ones")
    return counts


def main():
    page = Page("What normalizing white space finds", __doc__, room=2 << 30)
    folder = data_set("llvm-docs-html")
    if folder is None:
        page.skip("there is no llvm-docs-html below TWINSET_DATA")
    draw = random.Random(SEED)
    site = Paragraphs(1)
    known = [site.take() for _ in range(LABELS)]
    source = page.write_records("known.jsonl", [{"url": "http://bank.example/", "html": html(known)}])
    pages = page.write_records("pages.jsonl", make_pages(known, draw))
    ours = found_pages(page, "ours", source, pages)
    bytes_as_they_are = found_pages(page, "hadoop", source, pages, "--chunks", "hadoop")
    page.hold(ours == set(range(DIRECT + SPACED)), "with normalized white space every copy is found, no other")
    page.hold(bytes_as_they_are == set(range(DIRECT)), "by bytes those as they are")
    chunks, same, normalized = of_a_manual(page, folder)
    page.text(f"""
Of the paper's 85 phish of PayPal, 43 copy its page directly, and 8 of these are found only because white space is
normalized (table 6). Those pages are not public. Here {DIRECT + SPACED} made pages copy {COPIED} of a site's {LABELS} chunks, {SPACED} of them
with other line ends, tabs and indentation, and {OTHERS:,} copy none.""")
    page.table(["chunks", "copies as they are", "with other white space", "other pages"], [
        ("paper, of the direct copies", 35, 8, 0),
        ("twinset, normalized", f"{len(ours & set(range(DIRECT)))} of {DIRECT}",
         f"{len(ours - set(range(DIRECT)))} of {SPACED}", 0),
        ("`--chunks hadoop`, bytes", f"{len(bytes_as_they_are)} of {DIRECT}", f"0 of {SPACED}", 0)])
    page.text(f"""
How many copies have other white space is made here, as table 6 has it; that they are found, and only so, is not. Where a
program writes both pages there is less to gain: of {chunks:,} chunks of release {RELEASES[1]} of a manual release {RELEASES[0]} has
{same:,} byte for byte and {normalized:,} normalized, {normalized - same} more.""")
    page.hold(normalized > same, "a few chunks of the manual differ in white space alone")
    page.finish(f"normalized, {DIRECT + SPACED} of {DIRECT + SPACED} copies and no other page; by bytes {DIRECT}; of two releases of a "
                f"manual {normalized - same} of {normalized:,} common chunks differ in white space")


if __name__ == "__main__":
    main()
