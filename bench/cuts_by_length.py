#!/usr/bin/env python3
"""What the cuts of simhash's features do to texts of each length (S-11, S-15).

    bench/cuts_by_length.py --binary build/release/twinset articles.jsonl.zst     # a minute

Reads lines {"id", "text"} of documents that are not alike. For each length it takes the first words
of every document that has so many, and a copy of that in which one word in twenty is replaced by a
word of the collection; document frequencies are counted from the inputs. Prints for each cut the
median number of features that are left; of the pairs of different documents, and of the pairs of a
text and its copy, the share whose signatures differ in at most 3 bits. A cut is good that takes few
of the former and many of the latter. Standard library only; needs zstd for a packed file.
"""

import argparse
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import tempfile

from packed import read_lines

LENGTHS = [50, 100, 200, 400, 800]
MOST_DOCUMENTS = 200
REPLACED = 1 / 20
DISTANCE = 3
CUTS = [
    ("none", ""),
    ("low threshold", "least=.01"),
    ("high threshold", "least=.5"),
    ("half of that", "least=.25"),
    ("the top 10", "top=10"),
    ("the top 20", "top=20"),
    ("the top tenth", "top=10%"),
    ("the top quarter", "top=25%"),
    ("the middle region", "least=.1, most=.5"),
    ("clipped", "clip=5"),
]


def read_texts(path):
    return [re.findall(r"\w+", json.loads(line)["text"]) for line in read_lines(path)]


def edited(words, vocabulary, rng):
    words = list(words)
    for place in rng.sample(range(len(words)), round(len(words) * REPLACED)):
        words[place] = rng.choice(vocabulary)
    return words


def sketch(twinset, file, scheme):
    """The signature and the number of features of each line; None without a signature."""
    lines = subprocess.run([twinset, "sketch", file, "-q", "--scheme", scheme, "--features", "1"],
                           check=True, stdout=subprocess.PIPE).stdout.splitlines()
    read = [json.loads(line) for line in lines]
    return [(int(line["signature"], 16), line["features"]) if line["signature"] else (None, 0)
            for line in read]


def share(pairs):
    """Of pairs of signatures, those that are near; those without one are near to none."""
    pairs = list(pairs)
    near = sum(1 for a, b in pairs
               if a is not None and b is not None and (a ^ b).bit_count() <= DISTANCE)
    return near / len(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="build/release/twinset")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("texts")
    arguments = parser.parse_args()
    twinset = os.path.abspath(arguments.binary)
    rng = random.Random(arguments.seed)
    texts = read_texts(arguments.texts)
    vocabulary = sorted({word for text in texts for word in text})
    with tempfile.TemporaryDirectory() as folder:
        df = os.path.join(folder, "all.df")
        subprocess.run([twinset, "lexicon", "count", os.path.abspath(arguments.texts), "-o", df,
                        "-q"], check=True)
        for length in LENGTHS:
            some = [text[:length] for text in texts if len(text) >= length][:MOST_DOCUMENTS]
            file = os.path.join(folder, f"{length}.jsonl")
            with open(file, "w", encoding="utf-8") as out:
                for text in some + [edited(text, vocabulary, rng) for text in some]:
                    out.write(json.dumps({"text": " ".join(text)}) + "\n")
            print(f"\n{length} words, {len(some)} documents\n")
            print("| cut | | features | different within 3 bits | copies within 3 bits "
                  "| tf-idf: features | different | copies |")
            print("|---|---|--:|--:|--:|--:|--:|--:|")
            for name, cut in CUTS:
                cells = []
                for weights in ["", f"weights=tfidf, df={df}"]:
                    parameters = ", ".join(part for part in [weights, cut] if part)
                    signed = sketch(twinset, file, f"simhash({parameters})")
                    bits = [signature for signature, _ in signed]
                    originals, copies = bits[:len(some)], bits[len(some):]
                    kept = statistics.median(features for _, features in signed[:len(some)])
                    cells += [f"{kept:g}", f"{share(itertools.combinations(originals, 2)):.4f}",
                              f"{share(zip(originals, copies)):.2f}"]
                print(f"| {name} | `{cut}` | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
