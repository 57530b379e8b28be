#!/usr/bin/env python3
"""What the package for Python costs beside the program, in processor time of one thread.

    PYTHONPATH=build/release/python build/python/venv/bin/python bench/python_package.py texts.jsonl

The file has a text in `text` of each line. Needs pyarrow; polars and datasketch are measured if they are installed.
"""

import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time
import timeit

import pyarrow
import twinset
import twinset.__main__

TIMES = 3


def least(call):
    """The least processor seconds of some calls, and the last result."""
    best, result = float("inf"), None
    for _ in range(TIMES):
        began = time.process_time()
        result = call()
        best = min(best, time.process_time() - began)
    return best, result


def of_program(*arguments):
    best = float("inf")
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as folder:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([twinset.__main__.program(), *arguments, "-q", "-j", "1"], check=True, cwd=folder)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def ways_of(texts):
    ways = {"list of str": texts, "pyarrow": pyarrow.table({"text": texts})}
    try:
        import polars
        ways["polars"] = polars.DataFrame({"text": texts})
    except ImportError:
        pass
    return ways


def dedup(path, texts):
    written = of_program("dedup", path, "-o", "out")
    decided = of_program("dedup", path, "--dry-run")
    print(f"dedup, program                {written:6.2f} CPU s, dry run {decided:.2f}")
    for name, data in ways_of(texts).items():
        seconds, result = least(lambda data=data: twinset.dedup(data, threads=1))
        print(f"dedup, {name:22} {seconds:6.2f} CPU s, {result.summary.kept:,} of {len(texts):,} kept")


def sign(texts, spec, count=100_000, most_letters=2000):
    many = [texts[i % len(texts)][:most_letters] for i in range(count)]
    megabytes = sum(len(text.encode()) for text in many) / 1e6
    signer = twinset.Signer(spec)
    for name, data in ways_of(many).items():
        seconds, _ = least(lambda data=data: signer.sign(data, threads=1))
        print(f"Signer({spec!r}), {name:12} {megabytes / seconds:6.0f} MB a CPU second, {count:,} texts")


def batches():
    """MinHash of datasketch beside its replacement, in turn."""
    try:
        import datasketch
    except ImportError:
        return
    from twinset.compat.datasketch import MinHash
    elements = [b"%08d" % i for i in range(3000)]
    minhashes = datasketch.MinHash(), MinHash()
    best = [float("inf")] * len(minhashes)
    for _ in range(40):
        for i, minhash in enumerate(minhashes):
            before = time.process_time()
            minhash.update_batch(elements)
            best[i] = min(best[i], time.process_time() - before)
    theirs, ours = best
    print(f"update_batch of 3,000 elements: {ours / len(elements) * 1e9:.0f} ns each, datasketch {theirs / ours:.0f} times that")


def pairs():
    random.seed(1)
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split()
    a = " ".join(random.choice(words) + str(random.randrange(300)) for _ in range(600))[:5000]
    b = a.replace("alpha", "aleph")
    calls = 2000
    seconds = min(timeit.repeat(lambda: twinset.resemblance(a, b), number=calls, repeat=7)) / calls
    print(f"resemblance of two strings of {len(a):,} bytes: {seconds * 1e6:.1f} microseconds")


def main():
    path = os.path.abspath(sys.argv[1])
    with open(path, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    size = sum(len(text.encode()) for text in texts)
    print(f"{pathlib.Path(path).name}: {len(texts):,} texts, {size / 1e6:.0f} MB")
    dedup(path, texts)
    for spec in ("fss", "simhash"):
        sign(texts, spec)
    batches()
    pairs()


if __name__ == "__main__":
    main()
