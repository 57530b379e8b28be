#!/usr/bin/env python3
"""How often the predicted numbers of twinset hold: plan's, and cluster's unseen pairs.

    bench/predictions.py --binary build/release/twinset            # some 6 minutes
    bench/predictions.py --binary build/release/twinset --only phrases --seeds 3 --misses

Makes 20 collections of each kind, predicts each number, runs what was predicted, and counts how
often the 95 % interval held the result, the prediction said "not predictable here", or missed. A
number without an interval must be right. The program fails if fewer than 17 of 20 are right or not
predictable. Everything follows from the seeds. Standard library only; needs zstd.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

LEAST_RIGHT = 17  # of 20
HELD, NOT_PREDICTABLE, MISSED = "held", "not predictable", "missed"


class Texts:
    """Random words, written as JSON Lines."""

    def __init__(self, seed, path):
        self.random = random.Random(seed)
        self.file = open(path, "w", encoding="ascii")

    def words(self, count):
        draw = self.random.getrandbits
        return [format(draw(36), "x") for _ in range(count)]

    def edited(self, words, share):
        draw = self.random.random
        return [format(self.random.getrandbits(36), "x") if draw() < share else word
                for word in words]

    def add(self, words):
        self.file.write('{"text": "' + " ".join(words) + '"}\n')

    def many_or_few(self, least, most):
        """Small numbers are as likely as large ones, by their powers."""
        return int(least * (most / least) ** self.random.random())


def families(texts, documents):
    """Texts, and edited versions of each."""
    most = texts.random.randint(2, 12)
    edits = texts.random.uniform(0.005, 0.1)
    while documents > 0:
        text = texts.words(texts.random.randint(20, 120))
        for member in range(min(documents, texts.random.randint(1, most))):
            documents -= 1
            texts.add(texts.edited(text, edits * texts.random.random()) if member else text)


def campaigns(texts, documents):
    """Few templates with random parts, each filled in many times; and texts of no template."""
    share = texts.random.uniform(0.2, 0.9)
    most = texts.many_or_few(30, documents // 4)
    while documents > 0:
        if texts.random.random() > share:
            documents -= 1
            texts.add(texts.words(texts.random.randint(20, 120)))
            continue
        template = texts.words(texts.random.randint(20, 120))
        # The random parts: what they are, of one template, decides how alike its texts are.
        holes = max(1, int(len(template) * texts.random.uniform(0.01, 0.12)))
        for _ in range(min(documents, texts.many_or_few(2, most))):
            documents -= 1
            text = list(template)
            for place in texts.random.sample(range(len(text)), holes):
                text[place] = format(texts.random.getrandbits(36), "x")
            texts.add(text)


def phrases(texts, documents):
    """Ordinary texts, some edited, into which few very common phrases were put."""
    common = [(texts.words(texts.random.randint(5, 20)), texts.many_or_few(2, 800) / 1000)
              for _ in range(texts.random.randint(1, 6))]
    versions = texts.random.uniform(0.02, 0.3)
    while documents > 0:
        text = texts.words(texts.random.randint(20, 120))
        for phrase, share in common:
            if texts.random.random() < share:
                place = texts.random.randrange(len(text))
                text[place:place] = phrase
        texts.add(text)
        documents -= 1
        if texts.random.random() < versions:
            texts.add(texts.edited(text, 0.1 * texts.random.random()))
            documents -= 1


KINDS = {"families": families, "campaigns": campaigns, "phrases": phrases}


def make(kind, seed, most_documents, path):
    texts = Texts(f"{kind} {seed} {most_documents}", path)
    KINDS[kind](texts, texts.many_or_few(most_documents // 10, most_documents))
    texts.file.close()


class Runs:
    """Predictions and results of one collection."""

    def __init__(self, binary, work):
        self.binary = binary
        self.work = work

    def run(self, verb, path, *more):
        """The summary of a run into a fresh folder."""
        output = os.path.join(self.work, "out")
        shutil.rmtree(output, ignore_errors=True)
        command = [self.binary, verb, path, "-o", output, "--quiet", "--tmp", self.work, *more]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(output, "summary.json"), encoding="utf-8") as file:
            return json.load(file)

    def plan(self, path, *more):
        # As little memory as works: so that most collections are sampled.
        command = [self.binary, "plan", path, "--json", "--memory", "113M", "--threads", "1",
                   "--tmp", self.work, *more]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        return json.loads(done.stdout)["predicted"]

    def of_dedup(self, path):
        predicted = self.plan(path)
        done = self.run("dedup", path)
        matching = done["matching"]
        kinds = done["removed_by_kind"]
        # The same candidates, all of whose pairs are compared and joined.
        pairs = self.run("cluster", path, "--scheme", done["scheme"], "-r", "0.8")["counting"]
        came = {"copies": kinds["identical"] + kinds["lexical"],
                "candidate_pairs": matching["candidate_pairs"], "pairs": pairs["edges"],
                "removed": done["removed"], "clusters": matching["clusters"]}
        return scored("dedup", predicted, came)

    def of_cluster(self, path):
        predicted = self.plan(path, "--for", "cluster")
        done = self.run("cluster", path)
        counting = done["counting"]
        # A run without a floor keeps every pair that shares a key.
        every = self.run("cluster", path, "--verify", "sketch", "--floor", "0")["counting"]
        came = {"copies": done["identical"] + done["lexical"], "groups": counting["groups"],
                "common_keys": counting["common_keys"], "meetings": counting["meetings"],
                "candidate_pairs": every["kept_pairs"], "pairs": counting["edges"],
                "clusters": done["clusters"]["all"]["clusters"],
                "clustered_documents": done["clusters"]["all"]["documents"]}
        return scored("cluster", predicted, came)

    def unseen(self, path):
        """The pairs that one shingle in 16 misses, among those that all shingles find."""
        options = ("--containment", "1", "--verify", "exact")
        some = self.run("cluster", path, "--scheme", "mod(modulus=16)", *options)
        seen = self.alike()
        self.run("cluster", path, "--scheme", "mod(modulus=1)", "--max-group", "0", *options)
        every = self.alike()
        came = 1 - seen / every if every else 0
        said = some["limits"].get("unseen_pairs")
        return scored("cluster --containment", {"unseen_pairs": said}, {"unseen_pairs": came})

    def alike(self):
        """The pairs that the last run kept and whose resemblance is at least a half."""
        path = os.path.join(self.work, "out", "pairs.jsonl.zst")
        lines = subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout
        total = 0
        for line in lines.splitlines():
            for _, _, shared, of_a, of_b in json.loads(line).get("pairs", []):
                total += 2 * shared >= of_a + of_b - shared
        return total


def scored(verb, predicted, came):
    """(name, outcome, what was said) of each number that is printed."""
    for name, result in came.items():
        if name not in predicted:
            continue
        said = predicted[name]
        if said is None:
            outcome = NOT_PREDICTABLE
        else:
            outcome = HELD if said["low"] <= result <= said["high"] else MISSED
        yield f"{verb}: {name}", outcome, f"{said} came {result}"


def markdown(scores, kinds):
    yield "| number | " + " | ".join(kinds) + " |"
    yield "|---" * (1 + len(kinds)) + "|"
    for name, of_kind in scores.items():
        cells = []
        for kind in kinds:
            of = of_kind.get(kind, {})
            cells.append(", ".join(str(of.get(each, 0)) for each in (HELD, NOT_PREDICTABLE, MISSED)))
        yield f"| {name} | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--seeds", type=int, default=20, help="collections of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", choices=KINDS, help="one kind of collection")
    parser.add_argument("--number", default="", help="only runs for a number of this name")
    parser.add_argument("--documents", type=int, default=80_000, help="the most of a collection")
    parser.add_argument("--misses", action="store_true", help="print each prediction that missed")
    parser.add_argument("--all", action="store_true", help="print each prediction")
    options = parser.parse_args()
    kinds = [options.only] if options.only else list(KINDS)
    scores = {}
    with tempfile.TemporaryDirectory(prefix="predictions-") as work:
        runs = Runs(os.path.abspath(options.binary), work)
        path = os.path.join(work, "in.jsonl")
        for kind in kinds:
            for seed in range(options.first, options.first + options.seeds):
                outcomes = []
                if options.number != "unseen_pairs":
                    make(kind, seed, options.documents, path)
                    outcomes += [*runs.of_dedup(path), *runs.of_cluster(path)]
                if options.number in ("", "unseen_pairs"):
                    make(kind, seed, options.documents // 10, path)
                    outcomes += runs.unseen(path)
                for name, outcome, said in outcomes:
                    of_kind = scores.setdefault(name, {}).setdefault(kind, {})
                    of_kind[outcome] = of_kind.get(outcome, 0) + 1
                    if options.all or options.misses and outcome == MISSED:
                        print(f"{kind} {seed} {name}: {outcome}: {said}", flush=True)
    print("\n".join(markdown(scores, kinds)))
    least = options.seeds * LEAST_RIGHT / 20
    bad = [f"{kind}: {name}" for name, of_kind in scores.items()
           for kind, of in of_kind.items() if options.seeds - of.get(MISSED, 0) < least]
    for each in bad:
        print(f"{each} is wrong too often", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
