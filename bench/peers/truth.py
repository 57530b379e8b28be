"""Every pair of similar documents of a collection, found exactly.

    truth.py IN.jsonl OUT.pairs 0.5

Resemblance is that of the sets of five-word shingles: words are runs of letters and digits, in lower
case; a text of fewer than five words has one shingle, of all of them, and one without words has none
and resembles nothing. Nothing here is twinset's: a full inverted index counts what each document
shares with each one before it. Shingles are told apart by 64-bit hashes.

OUT.pairs has a line "a b common union" for each pair whose common / union is the last argument or more;
a < b are places in the input, from 0. One thread. Needs numpy.
"""
# requires: numpy==2.4.6

import json
import re
import sys

import numpy

WORD = re.compile(r"[^\W_]+")
SHINGLE = 5


def shingle_sets(path):
    """One sorted array of uint64 for each document."""
    random = numpy.random.Generator(numpy.random.PCG64(1))
    factors = random.integers(1, 2**64, SHINGLE, dtype=numpy.uint64) | numpy.uint64(1)
    numbers = {}
    values = []
    sets = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = WORD.findall(json.loads(line)["text"].lower())
            ids = numpy.empty(len(words), dtype=numpy.int64)
            for place, word in enumerate(words):
                number = numbers.get(word)
                if number is None:
                    number = numbers[word] = len(numbers)
                    values.append(int(random.integers(0, 2**64, dtype=numpy.uint64)))
                ids[place] = number
            sets.append(ids)
    values = numpy.array(values, dtype=numpy.uint64)
    for place, ids in enumerate(sets):
        hashes = values[ids]
        length = min(SHINGLE, len(hashes))
        if length:
            count = len(hashes) - length + 1
            sums = numpy.zeros(count, dtype=numpy.uint64)
            for i in range(length):
                sums += hashes[i:i + count] * factors[i]
            hashes = numpy.unique(sums)
        sets[place] = hashes
    return sets


def similar_pairs(sets, least):
    """Yields (a, b, common, union), b rising."""
    sizes = numpy.array([len(s) for s in sets], dtype=numpy.int64)
    begins = numpy.concatenate([[0], numpy.cumsum(sizes)])
    names, numbers = numpy.unique(numpy.concatenate(sets), return_inverse=True)
    documents = numpy.repeat(numpy.arange(len(sets), dtype=numpy.int64), sizes)
    order = numpy.argsort(numbers, kind="stable")  # by shingle, then by document
    postings = documents[order]
    firsts = numpy.concatenate([[0], numpy.cumsum(numpy.bincount(numbers, minlength=len(names)))])
    # How many documents before this one have the shingle.
    before = numpy.empty(len(numbers), dtype=numpy.int64)
    before[order] = numpy.arange(len(numbers)) - firsts[numbers[order]]
    for b in range(len(sets)):
        own = slice(begins[b], begins[b + 1])
        counts = before[own]
        total = int(counts.sum())
        if total == 0:
            continue
        # The ranges of postings, one after another.
        starts = firsts[numbers[own]]
        offsets = numpy.repeat(starts - numpy.concatenate([[0], numpy.cumsum(counts)[:-1]]), counts)
        partners, common = numpy.unique(postings[offsets + numpy.arange(total)], return_counts=True)
        union = sizes[partners] + sizes[b] - common
        for i in numpy.nonzero(common >= least * union)[0]:
            yield int(partners[i]), b, int(common[i]), int(union[i])


def main():
    path, out, least = sys.argv[1], sys.argv[2], float(sys.argv[3])
    with open(out, "w", encoding="ascii") as pairs:
        for pair in similar_pairs(shingle_sets(path), least):
            print(*pair, file=pairs)


if __name__ == "__main__":
    main()
