#!/usr/bin/env python3
"""How well each kind of simhash tells near-duplicates that people have judged.

    bench/judged_pairs.py --binary build/release/twinset pairs.jsonl.zst     # some seconds

Reads lines {"id", "label", "docs": {ID: {"text", "full"}}}, as of the pairs of the Webis group
(github.com/webis-de/ecir20-effect-of-near-duplicates-on-ir-evaluation, s3-document-pair-sample,
one line a pair): two documents each, and a label of 0 (different) to 3 (same). Prints for each
scheme the area under the ROC curve (AUC): the chance that of a pair judged the same (label 1 to 3)
and one judged different the first has the nearer signatures, ties counted half; with the 95 %
interval of 2,000 bootstrap draws of pairs, and how often its AUC is above that of the default in
the same draws. Then how many pairs of both kinds signatures within 7 bits find, the most that a join
takes: an order is of no use to a join if all that it puts first is far. The exact resemblance of the texts, and the schemes that estimate it, stand beside
them. Standard library only; needs zstd for a packed file.
"""

import argparse
import base64
import json
import os
import random
import re
import subprocess
import tempfile

from packed import read_lines

SHINGLE = 5
DRAWS = 2000
MOST_BITS = 7
DEFAULT = "simhash"
SIMHASHES = [
    DEFAULT,
    "simhash(weights=unit)",
    "simhash(bits=128)",
    "simhash(shingle=2)",
    "simhash(shingle=3)",
    "simhash(weights=unit, bits=128)",
    "simhash(weights=unit, shingle=2)",
    "simhash(weights=unit, shingle=3)",
    "simhash(bits=128, shingle=3)",
    "simhash(weights=unit, bits=128, shingle=2)",
    "simhash(weights=unit, bits=128, shingle=3)",
    "simhash(weights=unit, bits=128, shingle=4)",
    "simhash(weights=tfidf, df=DF)",
    "simhash(weights=tfidf, bits=128, df=DF)",
]
ESTIMATES = ["fss", "minhash"]


def read_pairs(path):
    """The documents by id, and the pairs (id, id, judged the same)."""
    documents, pairs = {}, []
    for line in read_lines(path):
        pair = json.loads(line)
        documents.update({name: of["full"] for name, of in pair["docs"].items()})
        a, b = pair["docs"]
        pairs.append((a, b, int(pair["label"]) >= 1))
    return documents, pairs


def shingles(text):
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i:i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1))}


def exact(documents, pairs):
    sets = {name: shingles(text) for name, text in documents.items()}
    return [len(sets[a] & sets[b]) / len(sets[a] | sets[b]) for a, b, _ in pairs]


def signatures(twinset, scheme, documents_file, folder):
    out = os.path.join(folder, "signatures")
    if os.path.exists(out):
        os.remove(out)
    subprocess.run([twinset, "sketch", documents_file, "-o", out, "--scheme", scheme], check=True,
                   stdout=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as file:
        return {line["id"]: line["signature"] for line in map(json.loads, file)}


def nearness(twinset, scheme, documents_file, pairs, folder):
    """Of each pair: minus the bits in which its signatures differ."""
    made = signatures(twinset, scheme, documents_file, folder)
    return [-bin(int(made[a], 16) ^ int(made[b], 16)).count("1") if made[a] and made[b] else -999
            for a, b, _ in pairs]


def estimated(twinset, scheme, documents_file, pairs, folder):
    """Of each pair: the share of equal values in the same places, 4 bits or 4 bytes each."""
    def values_of(signature):
        stored = base64.b64decode(signature)
        if scheme == "fss":
            return [half for byte in stored for half in (byte & 15, byte >> 4)]
        return [stored[i:i + 4] for i in range(0, len(stored), 4)]
    made = {name: values_of(of) for name, of in
            signatures(twinset, scheme, documents_file, folder).items()}
    return [sum(x == y for x, y in zip(made[a], made[b])) / len(made[a]) for a, b, _ in pairs]


def auc(values, same):
    """The chance that a value of a same pair is above one of a different pair, by ranks."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = 0.0
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        ranks += (at + end + 1) / 2 * sum(same[i] for i in order[at:end])
        at = end
    right = sum(same)
    return (ranks - right * (right + 1) / 2) / (right * (len(same) - right))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("pairs", help="lines of judged pairs, .jsonl or .jsonl.zst")
    options = parser.parse_args()
    documents, pairs = read_pairs(options.pairs)
    same = [judged for _, _, judged in pairs]
    values = {f"exact resemblance, {SHINGLE} words": exact(documents, pairs)}
    with tempfile.TemporaryDirectory() as folder:
        documents_file = os.path.join(folder, "documents.jsonl")
        with open(documents_file, "w", encoding="utf-8") as file:
            for name, text in documents.items():
                file.write(json.dumps({"id": name, "text": text}) + "\n")
        df = os.path.join(folder, "df")
        subprocess.run([options.binary, "lexicon", "count", documents_file, "-o", df], check=True,
                       stdout=subprocess.DEVNULL)
        for scheme in ESTIMATES:
            values[scheme] = estimated(options.binary, scheme, documents_file, pairs, folder)
        for scheme in SIMHASHES:
            values[scheme] = nearness(options.binary, scheme.replace("DF", df), documents_file,
                                      pairs, folder)
    draw = random.Random(options.seed)
    drawn = {name: [] for name in values}
    for _ in range(DRAWS):
        taken = [draw.randrange(len(pairs)) for _ in pairs]
        judged = [same[i] for i in taken]
        if not 0 < sum(judged) < len(judged):
            continue
        for name, of in values.items():
            drawn[name].append(auc([of[i] for i in taken], judged))
    print(f"{len(pairs)} pairs, {sum(same)} of them judged the same\n")
    print(f"| scheme | AUC | 95 % | above the default | same within {MOST_BITS} bits "
          f"| different within {MOST_BITS} bits |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, of in values.items():
        ordered = sorted(drawn[name])
        low, high = ordered[len(ordered) // 40], ordered[-1 - len(ordered) // 40]
        above = sum(a > b for a, b in zip(drawn[name], drawn[DEFAULT])) / len(ordered)
        beside = "" if name == DEFAULT else f"{100 * above:.0f} %"
        near = [sum(of[i] >= -MOST_BITS for i in range(len(of)) if same[i] == judged)
                for judged in (True, False)] if name in SIMHASHES else ["", ""]
        title = f"`{name}`" if name in SIMHASHES + ESTIMATES else name
        print(f"| {title} | {auc(of, same):.3f} | {low:.3f}-{high:.3f} | {beside} "
              f"| {near[0]} | {near[1]} |")


if __name__ == "__main__":
    main()
