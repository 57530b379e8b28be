#!/usr/bin/env python3
"""Section 7.1 (R-24): whole files are not enough.

    papers/004/file_level.py --binary build/release/twinset

Needs spamassassin and scancode-licences below TWINSET_DATA. The 50 files seen most
and 40 random ones of the others are listed with their categories.
"""

import collections
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines, wilson  # noqa: E402

COLLECTIONS = {"spamassassin": "messages.jsonl.zst", "scancode-licences": "licences.jsonl.zst"}
TOP, RANDOM, SEED = 50, 40, 1
MALICIOUS = "spam"


def category(name, line, text):
    """The judge: what the collection knows of the document, and its text."""
    if not text.strip():
        return "empty"
    if name == "spamassassin":
        return MALICIOUS if line["label"] == "spam" else "mail of a list or newsletter"
    return "license under two names"


def main():
    page = Page("File level is not enough", __doc__, room=2 << 30)
    folders = {name: data_set(name) for name in COLLECTIONS}
    for name, folder in folders.items():
        if folder is None:
            page.skip(f"there is no {name} below TWINSET_DATA")
    paths = {name: folders[name] / file for name, file in COLLECTIONS.items()}
    labels = page.folder / "files.labels"
    told = json.loads(page.twinset("discover", *paths.values(), "--over-files", 1, "--over-chunks", 1,
                                   "-o", labels, "--json", "--no-progress", "--top", 10 ** 7))
    files = [label for label in told["top"] if label["kind"] == "file"]
    files.sort(key=lambda label: (-label["count"], label["hash"]))
    lines = {name: read_lines(path) for name, path in paths.items()}
    texts = collections.Counter(line["text"] for of in lines.values() for line in of)
    page.hold(sorted(label["count"] for label in files) ==
              sorted(count for count in texts.values() if count > 1),
              "labeled files and their counts are those of equal texts")
    judged = []
    top = files[:TOP]
    chosen = random.Random(SEED).sample(files[TOP:], RANDOM)
    for label in top + chosen:
        path, number = label["url"].rsplit(":", 1)
        name = pathlib.Path(path).parent.name
        line = lines[name][int(number) - 1]
        page.hold(texts[line["text"]] == label["count"], f"{name}:{number} is the label's file")
        judged.append((label["count"], line["id"], category(name, line, line["text"])))
    page.text(f"""
The paper labels files seen more than 1,000 times in Common Crawl; the 50 most frequent and 40 random ones are all
benign: empty files, `robots.txt`, scripts, error pages (R-24). Here {sum(texts.values()):,} documents of two collections stand for a crawl: mails,
a third of them spam, and license texts. {len(files)} files are seen more than once. The judge of the
{TOP} most frequent and {RANDOM} random ones is what the collections know of their documents (a mail is spam or not), and
the text (empty).""")
    rows = []
    parts = {"most frequent": judged[:TOP], "random": judged[TOP:]}
    for kind in sorted({kind for *_, kind in judged}):
        rows.append((kind, *(sum(each == kind for *_, each in part) for part in parts.values())))
    page.table(["category", *(f"{len(part)} {name}" for name, part in parts.items())], rows)
    malicious = sum(kind == MALICIOUS for *_, kind in judged)
    low, high = wilson(malicious, len(judged))
    page.hold(sum(sum(row[1:]) for row in rows) == TOP + RANDOM, "each is judged once")
    page.hold(len(judged) - malicious > 10, "many files that are seen again are benign")
    page.text(f"""
{malicious} of {len(judged)} ({low:.0%} to {high:.0%}) are spam, of mails of which a third are spam; the paper's Web has none among 90. The rest is
empty, or equal by right. So a high count proves copying, and what copying is for is left to the judge.

## What file level misses

Documents that share a file or a chunk longer than 100 characters with another:""")
    page.twinset("detect", *paths.values(), "-L", labels, "-o", page.folder / "found", "--quiet")
    of_files, of_chunks = collections.Counter(), collections.Counter()
    for line in read_lines(page.folder / "found" / "pages.jsonl.zst"):
        name = pathlib.Path(line["file"]).parent.name
        of_files[name] += line["file_label"]
        of_chunks[name] += line["labeled"] > 0
    for name in COLLECTIONS:
        same = sum(texts[line["text"]] > 1 for line in lines[name])
        page.hold(of_files[name] == same, f"{name}: labeled files are the equal texts")
        page.hold(of_chunks[name] > of_files[name], f"{name}: chunks find more")
    page.table(["", "documents", "by files", "by chunks"],
               [(name, f"{len(lines[name]):,}", f"{of_files[name]:,}", f"{of_chunks[name]:,}")
                for name in COLLECTIONS])
    page.text("""
A copy with one word more is no copy at file level. Chunks find it.

## The files""")
    page.table(["seen", "first", "category"], judged)
    page.finish(f"of the {TOP} most frequent and {RANDOM} random files {len(judged) - malicious} are benign, {malicious} spam; file level finds "
                f"{sum(of_files.values()):,} documents with copies, chunks {sum(of_chunks.values()):,}")


if __name__ == "__main__":
    main()
