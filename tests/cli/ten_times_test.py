#!/usr/bin/env python3
"""B-11: runs over more data than memory give the bytes that enough memory gives.

    python3 tests/cli/ten_times_test.py --binary build/release/twinset            # one of CI
    python3 tests/cli/ten_times_test.py --binary build/release/twinset --times 10 # make ten

Dedup, spans and discover over a made collection of so many times the least budget, under that budget
and under 4 GiB: each peak stays within its budget and a tenth, the small one spills, and the outputs
are equal. (cluster is in memory_test.py.) Standard library only.
"""

import argparse
import hashlib
import json
import multiprocessing
import pathlib
import random
import shutil
import sys

import harness
from memory_test import LEAST_MIB, peak_of

ENOUGH_MIB = 4096
RUNS = [
    ("dedup", ["dedup", "in.jsonl", "-o", "out", "--resemblance", "0.8"]),
    ("spans", ["spans", "in.jsonl", "-o", "out", "--min-tokens", "80"]),
    ("discover", ["discover", "in.jsonl", "-o", "out/labels", "--over-chunks", "3",
                  "--over-files", "1"]),
]


def make_collection(path, size):
    """Texts of 20 paragraphs, some 5 kB: every tenth an edited copy of a recent one, the others of
    paragraphs most of which are new and some of which many texts have."""
    generator = random.Random(11)
    words = [w.encode() for w in harness.vocabulary(generator, 50_000)]
    common = [b" ".join(generator.choices(words, k=40)) for _ in range(2000)]
    # New paragraphs are drawn from pieces, because drawing each word takes longer than the runs.
    pieces = [b" ".join(generator.choices(words, k=10)) for _ in range(100_000)]

    def paragraph():
        if generator.randrange(10) == 0:
            return generator.choice(common)
        return b" ".join(generator.choices(pieces, k=4))

    recent = [[paragraph() for _ in range(20)] for _ in range(1000)]
    with open(path, "wb") as file:
        number = 0
        while file.tell() < size:
            if generator.randrange(10) == 0:
                text = list(generator.choice(recent))
                text[generator.randrange(20)] = paragraph()
            else:
                text = [paragraph() for _ in range(20)]
            recent[generator.randrange(1000)] = text
            file.write(b'{"id": %d, "text": "%s"}\n' % (number, b"\\n\\n".join(text)))
            number += 1


def digests(out):
    """{path below `out`: size and digest}: a run's peak would count the bytes that we hold."""
    return {name: (len(data), hashlib.sha256(data).hexdigest())
            for name, data in harness.snapshot(out).items()}


def check_run(binary, name, options, folder, checks):
    found = {}
    spilled = {}
    out = folder / "out"
    for budget in (LEAST_MIB, ENOUGH_MIB):
        if name == "discover":
            out.mkdir()
        code, said, peak = peak_of(
            binary, [*options, "--threads", 1, "--max-record", "64K", "--memory", f"{budget}MiB"],
            folder)
        if not checks.check(code == 0, f"{name}, {budget} MiB: exit {code}: {said}"):
            return
        print(f"{name}, --memory {budget}MiB: peak {peak:.0f} MiB")
        checks.check(peak <= budget * 1.1, f"{name}: peak {peak:.0f} MiB of {budget} MiB")
        with multiprocessing.Pool(1) as pool:
            found[budget] = pool.apply(digests, [out])
        summary = out / "summary.json"
        if summary.exists():
            spilled[budget] = json.loads(summary.read_text())["run"]["spilled_bytes"]
        shutil.rmtree(out)
    if spilled:
        checks.check(spilled[LEAST_MIB] > 0, f"{name}: nothing spilled, so nothing was shown")
        print(f"{name}: {spilled[LEAST_MIB]:,} bytes spilled, and {spilled[ENOUGH_MIB]:,}")
    checks.check(found[LEAST_MIB] == found[ENOUGH_MIB],
                 f"{name} depends on --memory: {found[ENOUGH_MIB]} {found[LEAST_MIB]}")
    checks.check(sum(size for size, _ in found[LEAST_MIB].values()) > 10_000, f"{name}: hardly an output")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--times", type=float, default=2, help="the least budget, so many times")
    arguments = parser.parse_args()
    checks = harness.Checks("ten_times")
    with harness.folder_for("ten_times", in_memory=False) as name:
        folder = pathlib.Path(name)
        with multiprocessing.Pool(1) as pool:
            pool.apply(make_collection,
                       [folder / "in.jsonl", int(arguments.times * LEAST_MIB * 2**20)])
        for run, options in RUNS:
            check_run(arguments.binary.resolve(), run, options, folder, checks)
    return checks.finish(f"{arguments.times:g} times {LEAST_MIB} MiB")


if __name__ == "__main__":
    sys.exit(main())
