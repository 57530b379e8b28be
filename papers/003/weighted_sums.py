#!/usr/bin/env python3
"""Section 3.4, table 3.1 (S-04): the signature is the signs of weighted sums.

    papers/003/weighted_sums.py --binary build/release/twinset

The table is computed from the weights and the hashes of four bits that it prints. Then the
program does the same with its own hashes of 64 bits: a document of one word has that word's
hash for its signature, so the signatures of longer documents can be computed here.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, read_lines  # noqa: E402

# Feature, weight in hundredths, hash.
TABLE = [("medicare", 9, "1001"), ("plan", 1, "1110"), ("democrats", 6, "0010"),
         ("health", 5, "0101"), ("negotiate", 4, "1101")]
PRINTED_SUMS = [3, -5, -11, 11]
PRINTED = "1001"
# The caption: without `plan` nothing changes; without a more important word it may. The other
# signatures are computed.
WITHOUT = {"medicare": "0101", "plan": PRINTED, "democrats": "1101", "health": PRINTED,
           "negotiate": "0001"}


def weighted_sums(features):
    """The sum of each bit; features are (weight, hash as binary digits)."""
    return [sum(weight if bit == "1" else -weight for weight, bit in zip(weights, column))
            for weights, column in ((tuple(weight for weight, _ in features), column)
                                    for column in zip(*(bits for _, bits in features)))]


def signs(sums):
    return "".join("1" if total > 0 else "0" for total in sums)


def hundredths(value):
    return f"{value / 100:+.2f}"


def the_table(page):
    sums = weighted_sums([(weight, bits) for _, weight, bits in TABLE])
    rows = [(name, f"{weight / 100:.2f}", f"`{bits}`",
             *(hundredths(weight if bit == "1" else -weight) for bit in bits))
            for name, weight, bits in TABLE]
    page.hold(sums == PRINTED_SUMS, "the sums are +.03 -.05 -.11 +.11")
    page.hold(signs(sums) == PRINTED, "the simhash is 1001")
    page.text("""
A feature adds its weight to the sum of a bit if its hash has the bit, and subtracts it if not. A
positive sum gives 1; any other gives 0 (the thesis does not mention a sum of zero).""")
    page.table(["feature", "weight", "hash", "bit 1", "bit 2", "bit 3", "bit 4"],
               [*rows, ("sum", "", "", *map(hundredths, sums)),
                ("sum as printed", "", "", *map(hundredths, PRINTED_SUMS)),
                ("simhash", "", f"`{signs(sums)}`", *signs(sums)),
                ("simhash as printed", "", f"`{PRINTED}`", *PRINTED)])
    rows = []
    for left_out in WITHOUT:
        left = weighted_sums([(weight, bits) for name, weight, bits in TABLE if name != left_out])
        changed = sum(a != b for a, b in zip(signs(left), PRINTED))
        page.hold(signs(left) == WITHOUT[left_out], f"without {left_out}: {WITHOUT[left_out]}")
        rows.append((left_out, *map(hundredths, left), f"`{signs(left)}`", changed))
    page.text("""
## Without one of the words

"If a less important word, like plan, is removed, the simhash is unchanged. If a more important word
is removed, the simhash may change values." The thesis prints no signature for that; computed:""")
    page.table(["left out", "bit 1", "bit 2", "bit 3", "bit 4", "simhash", "bits changed"], rows)
    page.text("""
"May" is right: `health` weighs more than `negotiate`, and only `negotiate` changes a bit. Not the
weight alone decides but the sum that it meets.""")


def the_program(page):
    """The same words, each as often as its weight says, through `twinset sketch`."""
    names = [name for name, _, _ in TABLE]
    records = [{"id": name, "text": name} for name in names]
    left_out = [None, *names]
    for without in left_out:
        text = [name for name, weight, _ in TABLE for _ in range(weight) if name != without]
        records.append({"id": f"without {without}", "text": " ".join(text)})
    path = page.write_records("words.jsonl", records)
    out = page.folder / "signatures.jsonl"
    page.twinset("sketch", path, "--scheme", "simhash", "-o", out, "--quiet")
    said = {line["id"]: f"{int(line['signature'], 16):064b}" for line in read_lines(out)}
    whole = said["without None"]
    rows, equal = [], 0
    for without in left_out:
        computed = signs(weighted_sums([(weight, said[name]) for name, weight, _ in TABLE
                                        if name != without]))
        signature = said[f"without {without}"]
        held = page.hold(computed == signature, f"the program's signature without {without}")
        equal += computed == signature
        rows.append((without or "none", f"`{int(signature, 2):016x}`", f"`{int(computed, 2):016x}`",
                     sum(a != b for a, b in zip(signature, whole)), held))
    page.hold(rows[2][3] == 0, "the program's signature without plan is unchanged")
    page.text("""
## The same words in the program

The hashes of the table are made up. Here are the same words with the program's hashes of 64 bits; a
word of weight .09 occurs nine times. "Computed" adds up the signatures of the five words alone, each of
which is the word's hash.""")
    page.table(["left out", "`twinset sketch`", "computed", "bits changed", "equal"], rows)
    return equal


def main():
    page = Page("The signs of weighted sums", __doc__)
    the_table(page)
    equal = the_program(page)
    page.finish(f"sums +.03 -.05 -.11 +.11 and simhash 1001 as printed; without plan or health "
                f"unchanged; {equal} of 6 signatures of the program equal those computed")


if __name__ == "__main__":
    main()
