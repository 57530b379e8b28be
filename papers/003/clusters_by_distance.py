#!/usr/bin/env python3
"""Section 6.3, figures 6-1 and 6-2 (S-20, S-29): the bins of signatures, and the sizes of clusters.

    papers/003/clusters_by_distance.py --binary build/release/twinset

Needs the collection spamassassin below TWINSET_DATA: 6,046 mails. As in the thesis each
document leads one cluster, of all the documents within the distance of it.
"""

import collections
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from figures import curves, power_of_ten  # noqa: E402
from page import (Page, chi_square, chi_square_limit, data_set, mean, read_lines,  # noqa: E402
                  read_summary)

BINS = 256
DISTANCES = range(4)


def schemes_of(page, collection):
    """{name: scheme}; idf from the collection itself, as it has no table of the Web's."""
    df = page.folder / "mails.df"
    page.twinset("lexicon", "count", collection, "-o", df, "--quiet")
    return {"tf": "simhash", "tf-idf": f'simhash(weights=tfidf, df="{df}")'}


def signatures(page, collection, scheme):
    """The signature of each document; those without words have none."""
    out = page.folder / "signatures.jsonl"
    page.twinset("sketch", collection, "--scheme", scheme, "-o", out, "--quiet")
    lines = read_lines(out)
    out.unlink()
    return [int(line["signature"], 16) for line in lines if line["signature"]]


def leading_bytes(found):
    bins = [0] * BINS
    for signature in found:
        bins[signature >> 56] += 1
    return bins


def share_of_ones(found, bit):
    return mean([signature >> bit & 1 for signature in found])


def cluster_sizes(found):
    """For each distance {size of a cluster: clusters}, one cluster for each document."""
    copies = collections.Counter(found)
    distinct = list(copies)
    within = [[copies[each]] * len(DISTANCES) for each in distinct]
    for i, one in enumerate(distinct):
        for j in range(i):
            distance = (one ^ distinct[j]).bit_count()
            for most in DISTANCES[distance:]:
                within[i][most] += copies[distinct[j]]
                within[j][most] += copies[one]
    sizes = [collections.Counter() for _ in DISTANCES]
    for each, row in zip(distinct, within):
        for most in DISTANCES:
            sizes[most][row[most]] += copies[each]
    return sizes


def leaning_with_common_words(page, found):
    """Of the uneven bits of `found`, those that lean to the bit of the three common words."""
    text = page.write_records("common.jsonl", [{"text": "the to and"}])
    common = signatures(page, text, "simhash")[0]
    ones = [share_of_ones(found, bit) for bit in range(64)]
    uneven = [bit for bit in range(64) if abs(ones[bit] - 0.5) > 0.05]
    return sum((ones[bit] > 0.5) == (common >> bit & 1) for bit in uneven), len(uneven)


def bins_of_signatures(page, found):
    limit = chi_square_limit(BINS - 1)
    rows, series, statistics = [], [], {}
    for name, each in found.items():
        distinct = sorted(set(each))
        bins = leading_bytes(distinct)
        statistic = statistics[name] = chi_square(bins)
        ones = [share_of_ones(distinct, bit) for bit in range(64)]
        far = sum(abs(share - 0.5) > 0.05 for share in ones)
        page.hold(statistic > limit, f"signatures by {name} are not uniform")
        rows.append((name, f"{len(each):,}", f"{len(distinct):,}", min(bins), max(bins),
                     f"{statistic:,.0f}", f"{min(ones):.2f} to {max(ones):.2f}", far))
        series.append((name, [point for i, count in enumerate(bins)
                              for point in ((i, count), (i + 1, count))]))
    page.hold(statistics["tf-idf"] < statistics["tf"] / 2,
              "idf takes more than half of the unevenness")
    page.text(f"""
## The bins, figure 6-1

The thesis calls the distribution "fairly consistent", finds "the periodic nature of the values"
interesting, and suspects the hash function or groups of similar pages. Here are the signatures of
mails by their leading byte, equal ones once, so that no group of copies fills a bin. Chi-square of
uniform signatures has a mean of {BINS - 1} and exceeds {limit:.0f} once in 10^8. The last column counts the
bits of 64 that are 1 in less than 45 % or more than 55 % of the signatures.""")
    page.table(["weights", "documents", "different signatures", "smallest bin", "largest bin",
                "chi-square", "share of ones, by bit", "uneven bits"], rows)
    leaning, uneven = leaning_with_common_words(page, sorted(set(found["tf"])))
    # 42 of 55 or more by chance: once in 17,000.
    page.hold(leaning > 0.75 * uneven, "uneven bits lean with the hashes of common words")
    top = max(count for _, line in series for _, count in line)
    page.figure("signature_bins.svg", curves(
        "Signatures by their leading byte", series, "leading byte", "signatures in the bin",
        x_range=(0, 300), y_range=(0, math.ceil(top / 50) * 50)),
        "Signatures by their leading byte: peaks at the same distances from one another")
    page.text(f"""
The hash function is not the cause: hashes of features are uniform
([uniform_features](uniform_features.md)), and copies count once here. The cause is the words that all
documents have: "the", "to" and "and" weigh most in almost every text, so they decide bits in almost
every signature. Of the {uneven} uneven bits with tf, {leaning} lean to the signature of the text "the to and".
Each bit that leans less than others repeats a peak at a distance of a power of two, which is the
periodic pattern. With idf these words weigh little, and the pattern is weaker.""")
    return statistics


def sizes_by_distance(page, collection, found, schemes):
    rows, printed = [], {}
    for name, scheme in schemes.items():
        sizes = cluster_sizes(found[name])
        out = page.cluster(f"clusters.{name}", [collection], "--scheme", scheme,
                           "--distance", DISTANCES[-1], "--min-tokens", "1")
        said = read_summary(out)["distances"]
        page.hold([each["distance"] for each in said] == list(DISTANCES), "distances 0 to 3")
        total = sum(sizes[-1].values())
        alone = sizes[-1][1]
        for most, each in zip(DISTANCES, said):
            documents = sum(size * count for size, count in sizes[most].items())
            # The program's mean leaves out documents that are alone at the largest distance.
            ours = (documents - alone) / (total - alone)
            page.hold(abs(ours - each["mean_size"]) < 1e-5,
                      f"mean size of {name} within {most}: {ours:.6f}")
            rows.append((f"{name}, distance {most}", f"{each['pairs']:,}", f"{sizes[most][1]:,}",
                         f"{total - sizes[most][1]:,}", max(sizes[most]),
                         f"{each['mean_size']:.2f}", f"{documents / total:.2f}"))
        means = [each["mean_size"] for each in said]
        page.hold(means == sorted(means), f"sizes of {name} grow with the distance")
        printed[name] = sizes
    without = read_summary(out)["filtered"]
    page.text(f"""
## The sizes, figure 6-2

A document's cluster is all documents within the distance, itself included, so n equal documents are n
clusters of size n. The sizes are counted here from the signatures of `twinset sketch`; pairs and "mean
of these" are `twinset cluster --distance {DISTANCES[-1]}`'s, whose mean is over the documents that
have another within {DISTANCES[-1]} bits, and equal to the one counted here. The {without} mails without a
word are left out (`--min-tokens 1`): they have no signature.""")
    page.table(["weights", "pairs", "alone", "not alone", "largest", "mean of these",
                "mean of all"], rows)
    sizes = printed["tf-idf"]
    widest = max(sizes[-1])
    page.figure("clusters_by_distance.svg", curves(
        "Clusters by size, tf-idf",
        [(f"distance {most}" if most == 0 else f"up to {most}",
          [(math.log10(size), math.log10(sum(count for other, count in sizes[most].items()
                                             if other >= size)))
           for size in sorted(sizes[most])]) for most in DISTANCES],
        "documents in the cluster", "clusters of this size or larger",
        x_range=(0, math.ceil(2 * math.log10(widest)) / 2), y_range=(0, 5),
        x_label=power_of_ten, y_label=power_of_ten),
        "Clusters of a size or larger, both logarithmic, for distances 0 to 3")
    page.text("""
The thesis plots the number of clusters of each size; here each point counts the clusters of that size
or larger, which makes a line of it. As there, the lines move to the right as the distance grows.""")
    return [sum(size * count for size, count in each.items()) / sum(each.values())
            for each in sizes]


def main():
    page = Page("Bins of signatures and sizes of clusters", __doc__)
    folder = data_set("spamassassin")
    if folder is None:
        page.skip("there is no spamassassin below TWINSET_DATA")
    collection = folder / "messages.jsonl.zst"
    schemes = schemes_of(page, collection)
    found = {name: signatures(page, collection, scheme) for name, scheme in schemes.items()}
    statistics = bins_of_signatures(page, found)
    means = sizes_by_distance(page, collection, found, schemes)
    page.finish(f"chi-square of 256 bins {statistics['tf']:,.0f} with tf, "
                f"{statistics['tf-idf']:,.0f} with tf-idf: common words make the periodic pattern; "
                f"mean cluster size {' / '.join(f'{each:.2f}' for each in means)} within 0 / 1 / 2 "
                f"/ 3 bits")


if __name__ == "__main__":
    main()
