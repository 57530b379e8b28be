#!/usr/bin/env python3
"""Section 3.2, figure 3-2 (S-02): the hashes of 800,000 features fill 256 bins evenly.

    papers/003/uniform_features.py --binary build/release/twinset

A document of one word has that word's hash for its signature, so `twinset sketch` prints the
hashes of the features. The words are made: of two to six letters, each like many others but for
one letter, which is harder for a hash function than the words of a language.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from figures import curves  # noqa: E402
from page import Page, chi_square, chi_square_limit, word  # noqa: E402

FEATURES = 800_000
BINS = 256


def binned(values):
    bins = [0] * BINS
    for value in values:
        bins[value] += 1
    return bins


def main():
    page = Page("Hashes of features are uniform", __doc__)
    words = [word(i) for i in range(FEATURES)]
    path = page.folder / "words.jsonl"
    path.write_text("".join(f'{{"text": "{text}"}}\n' for text in words), encoding="utf-8")
    lines = page.twinset("sketch", path, "--scheme", "simhash", "--quiet")
    # Much faster than reading each line as JSON.
    hashes = [int(digits, 16) for digits in re.findall(r'"signature": "(\w{16})"', lines)]
    page.hold(len(hashes) == FEATURES, "each word has a signature")
    page.hold(len(set(hashes)) == FEATURES, "no two of the words share a hash")
    limit = chi_square_limit(BINS - 1)
    ideal = FEATURES / BINS
    rows, passed = [], 0

    def row(name, bins, uniform):
        statistic = chi_square(bins)
        passes = statistic <= limit
        page.hold(passes == uniform,
                  f"{name}: chi-square {'within' if uniform else 'beyond'} the limit")
        rows.append((name, f"{min(bins):,}", f"{max(bins):,}", f"{statistic:,.1f}",
                     "yes" if passes else "no"))
        return passes

    leading = binned(value >> 56 for value in hashes)
    for byte in range(8):
        name = "leading byte" if byte == 0 else f"byte {byte + 1}"
        passed += row(name, binned(value >> (56 - 8 * byte) & 255 for value in hashes), True)
    row("second letter of the word", binned(ord(text[1]) for text in words), False)
    row("sum of the letters, modulo 256", binned(sum(text.encode()) % BINS for text in words),
        False)
    page.text(f"""
The thesis shows the hashes of "over 800,000 features" (Bob Jenkins's function) in {BINS} bins beside a
line at the mean, and gives no statistic. Here are {FEATURES:,} words with the program's function. Of
uniform hashes chi-square exceeds {limit:.0f} once in 10^8 ({BINS - 1} degrees of freedom), and its mean is
{BINS - 1}; a bin has {ideal:,.0f} on average. The last two lines are functions that are not uniform, to
show that the test can fail.""")
    page.table(["bins", "smallest bin", "largest bin", "chi-square", "uniform"], rows)
    steps = [point for i, count in enumerate(leading) for point in ((i, count), (i + 1, count))]
    page.figure("uniform_features.svg", curves(
        "Features by the leading byte of their hash",
        [("features", steps), ("mean", [(0, ideal), (BINS, ideal)])],
        "leading byte", "features in the bin", x_range=(0, 300), y_range=(0, 5000)),
        "Features by the leading byte of their hash: a flat band around the mean")
    page.text("""
Why it matters (3.2): a signature has as many useful bits as the hash. If only eight of the 64 bits
varied, two unrelated documents would differ in four on average, and a distance of three would mean
nothing.""")
    page.finish(f"{FEATURES:,} features in {BINS} bins: chi-square {chi_square(leading):.1f}, the limit "
                f"being {limit:.0f}; {passed} of 8 bytes pass, 2 poor functions fail")


if __name__ == "__main__":
    main()
