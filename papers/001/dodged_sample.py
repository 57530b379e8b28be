#!/usr/bin/env python3
"""Section 6.6 (B-29): a copy that dodges one sample is found by another, and by a secret one.

    papers/001/dodged_sample.py --binary build/release/twinset
"""

import base64
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, Words, read_pairs, read_summary  # noqa: E402

TEXTS = 100
WORDS = 2000
WIDTH = 5
KNOWN = "mod(modulus=25, seed=1)"


def sampled_windows(page, texts):
    """For each text, the places of the windows that the known seed samples: the attacker asks
    twinset, a window at a time."""
    windows = page.write_records("windows.jsonl", (
        {"text": " ".join(text[i:i + WIDTH])} for text in texts for i in range(WORDS - WIDTH + 1)))
    signatures = page.twinset("sketch", windows, "--scheme", KNOWN, "--quiet").splitlines()
    places = [[] for _ in texts]
    for number, line in enumerate(signatures):
        modulus_and_sample = base64.b64decode(json.loads(line)["signature"])
        if len(modulus_and_sample) > 8:
            text, place = divmod(number, WORDS - WIDTH + 1)
            places[text].append(place)
    return places


def dodging_copy(words, text, places):
    """The text, a word changed in each sampled window."""
    copy = list(text)
    edits = 0
    for place in places:
        if copy[place:place + WIDTH] == text[place:place + WIDTH]:
            copy[place + WIDTH - 1] = words.take(1)[0] + "x"
            edits += 1
    return copy, edits


def main():
    page = Page("A sample that is known can be dodged", __doc__)
    words = Words()
    texts = [words.take(WORDS) for _ in range(TEXTS)]
    records, edits = [], 0
    for number, (text, places) in enumerate(zip(texts, sampled_windows(page, texts))):
        copy, changed = dodging_copy(words, text, places)
        edits += changed
        records += [{"id": f"text{number}", "text": " ".join(text)},
                    {"id": f"copy{number}", "text": " ".join(copy)}]
    collection = page.write_records("texts.jsonl", records)
    for name in ("first", "second"):
        secret = os.open(page.folder / name, os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(secret, (f"{len(name):x}" * 32 + "\n").encode())
        os.close(secret)
    rows, caught = [], {}
    for what, scheme in (("the known seed", KNOWN), ("another seed", "mod(modulus=25, seed=2)"),
                         ("a secret", "mod(modulus=25, seed=1, secret=first)"),
                         ("another secret", "mod(modulus=25, seed=1, secret=second)")):
        out = page.cluster(what.replace(" ", "_"), [collection], "--scheme", scheme)
        pairs = read_pairs(out)
        caught[what] = read_summary(out)["clusters"]["all"]["clusters"]
        alike = [shared / (own + other - shared) for shared, own, other in pairs.values()]
        rows.append((what, f"{caught[what]} of {TEXTS}",
                     f"{sum(alike) / len(alike):.3f}" if alike else "-"))
    page.hold(caught["the known seed"] == 0, "no copy is found under the seed that it dodges")
    for what in ("another seed", "a secret", "another secret"):
        page.hold(caught[what] == TEXTS, f"all copies are found under {what}")
    page.text(f"""
Section 6.6 says that the sketches of a registry can be made anew with other parameters. It has to be
so: an attacker who knows which shingles are sampled changes a word in each of them. Here one does,
in {TEXTS} texts of {WORDS:,} words, under `{KNOWN}`, with {edits / TEXTS:.0f} words each. What
`twinset cluster` finds at a resemblance of 0.5, by what chooses the sample, and the exact resemblance
of what it finds:""")
    page.table(["the sample is chosen by", "copies found", "their resemblance"], rows)
    page.text("""
Another seed would do, if nobody knew it; seeds are public, and a `secret` is not
([docs/thresholds.md](../../docs/thresholds.md#against-somebody-who-hides-copies)).""")
    page.finish(f"{caught['the known seed']} of {TEXTS} found under the known seed, "
                f"{caught['a secret']} under a secret")


if __name__ == "__main__":
    main()
