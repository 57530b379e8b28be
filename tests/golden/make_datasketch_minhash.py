#!/usr/bin/env python3
"""Writes datasketch_minhash.txt with datasketch itself, release 2 (pip install datasketch):

    python3 tests/golden/make_datasketch_minhash.py > tests/golden/datasketch_minhash.txt

Releases before 2 (pip install 'datasketch<2') write only the lines of release 1, and the
same ones: tried with 1.10 and 2.0.

Each line has the release, the seed, the number of values, the elements in hex with ","
between them (or for a text "text" and the text in hex), and the hash values in hex. The
test of src/scheme/kernels/datasketch_minhash.cc reads it and needs no other file.
"""

import importlib.metadata
import re

import datasketch

SETS = [
    [b""],
    [b"new value"],
    [b"a", b"b", b"c"],
    ["caf\u00e9 \u65e5\u672c".encode(), bytes(range(256)), b"\x00", b"x" * 55, b"x" * 56, b"x" * 64],
    [b"element %d" % i for i in range(300)],
]
TEXTS = [
    "One.",
    "Three short words",
    "A rose is a rose is a rose, said the Gardener; and 42 roses are 42 roses.",
    " ".join("word%d" % (i * i % 97) for i in range(400)),
]
NEWER = int(importlib.metadata.version("datasketch").split(".")[0]) >= 2


def made(release, seed, values):
    if release == 2:
        return datasketch.MinHash(num_perm=values, seed=seed, scheme="affine32")
    if NEWER:
        return datasketch.MinHash(num_perm=values, seed=seed, scheme="legacy")
    return datasketch.MinHash(num_perm=values, seed=seed)


def line(release, seed, values, shown, elements):
    minhash = made(release, seed, values)
    for element in elements:
        minhash.update(element)
    print(release, seed, values, shown, " ".join("%x" % int(value) for value in minhash.hashvalues))


for release in (1, 2) if NEWER else (1,):
    for seed, values in ((1, 16), (1, 128), (0, 64), (4294967295, 32), (12345, 256)):
        for elements in SETS if values < 200 else SETS[-1:]:
            line(release, seed, values, "elements:" + ",".join(e.hex() for e in elements), elements)
    for text in TEXTS:
        words = re.findall(r"\w+", text.lower())
        width = min(5, len(words))
        shingles = [" ".join(words[i : i + width]).encode() for i in range(len(words) - width + 1)]
        line(release, 1, 32, "text:" + text.encode().hex(), shingles)
