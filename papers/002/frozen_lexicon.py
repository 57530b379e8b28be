#!/usr/bin/env python3
"""Section 6.5 (I-24): signatures while the lexicon stays and the collection changes.

    papers/002/frozen_lexicon.py --binary build/release/twinset

A lexicon is made of ham. Then spam comes in, and document frequencies are counted again: the old
lexicon signs every mail as before, and a new one makes signatures that never meet the old ones.
Needs the collection spamassassin.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines  # noqa: E402

SCHEME = "imatch(lexicon={}.lexicon)"


def signatures(page, name, inputs):
    """(path, {id: signatures, None if there are none}, the names of the schemes) of the mails."""
    path = page.folder / f"{name}.signatures.jsonl"
    page.twinset("sketch", inputs, "--scheme", SCHEME.format(name.split()[0]), "-o", path, "-q")
    lines = read_lines(path)
    return (path, {line["id"]: line.get("signature") for line in lines},
            {(line["scheme"], line["fingerprint"]) for line in lines})


def main():
    page = Page("A frozen lexicon", __doc__)
    collection = data_set("spamassassin")
    if collection is None:
        page.skip("needs TWINSET_DATA with spamassassin")
    mails = [{"id": mail["id"], "label": mail["label"], "text": mail["text"]}
             for mail in read_lines(collection / "messages.jsonl.zst")]
    ham = page.write_records("ham.jsonl", [mail for mail in mails if mail["label"] == "ham"])
    both = page.write_records("both.jsonl", mails)
    terms = {}
    for name, inputs in (("old", ham), ("new", both)):
        page.twinset("lexicon", "build", inputs, "-o", f"{name}.lexicon", "-q")
        shown = page.twinset("lexicon", "show", f"{name}.lexicon", "--terms")
        terms[name] = {json.loads(line)["term"] for line in shown.splitlines()}
    first, before, schemes = signatures(page, "old", ham)
    later, after, later_schemes = signatures(page, "old again", both)
    newer, fresh, new_schemes = signatures(page, "new", both)
    kept = [mail for mail in before if before[mail] == after[mail]]
    signed = [mail for mail in before if before[mail] and fresh[mail]]
    fresh_ones = [mail for mail in signed
                  if not any(a == b for a, b in zip(before[mail], fresh[mail]))]
    ham_lines = first.read_bytes().split(b"\n")
    page.text(f"""
A lexicon of {len(before):,} mails, all ham. Then {len(after) - len(before):,} mails of spam come in, and document
frequencies are counted again, over ham and spam: of the terms {len(terms["new"] - terms["old"]):,} are new, and
{len(terms["old"] - terms["new"]):,} of {len(terms["old"]):,} are gone. The mails of ham, signed""")
    page.table(["", "signatures of ham that changed", "lines of the first hash", "of another hash"],
               [("by the old lexicon, alone", "-", f"{len(before):,}", 0),
                ("by the old lexicon, among spam", f"{len(before) - len(kept):,}",
                 f"{len(after) if later_schemes == schemes else 0:,}",
                 f"{0 if later_schemes == schemes else len(after):,}"),
                ("by the new lexicon", f"{len(before) - sum(before[m] == fresh[m] for m in before):,}",
                 f"{len(after) if new_schemes & schemes else 0:,}",
                 f"{0 if new_schemes & schemes else len(after):,}")])
    page.hold(len(kept) == len(before), "the old lexicon signs each mail of ham as before")
    page.hold(schemes == later_schemes and len(schemes) == 1, "all lines of the old lexicon have one hash")
    page.hold(len(new_schemes) == 1 and not new_schemes & schemes, "all lines of the new one have another")
    page.hold(len(signed) > len(before) / 2 and len(fresh_ones) > .9 * len(signed),
              "the new lexicon makes other signatures of the same mails")
    joined = page.twinset("join", first, later).split("\n")
    page.hold(len(joined) > len(ham_lines) / 2, "lines of the old lexicon join, whenever they were made")
    refused = page.refused("join", first, newer)
    page.hold("signatures of two kinds are never joined" in refused, "lines of both lexicons are not joined")
    page.text(f"""
No signature of ham changes while the lexicon is frozen, whatever comes in and however often terms are counted. The new
lexicon is another version: of {len(signed):,} mails that both sign, {len(fresh_ones):,} have no coordinate in common; of
the others some part of both lexicons has the same terms of the mail. Every line has the new hash, and `join` refuses
the two files together: *{refused.split(": ")[-1].strip()}*.""")
    page.finish(f"under the old lexicon {len(before) - len(kept):,} of {len(before):,} mails of ham change "
                f"their signatures; under a new one all lines have another hash, and joining both is refused")


if __name__ == "__main__":
    main()
