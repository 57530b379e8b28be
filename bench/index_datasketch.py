#!/usr/bin/env python3
"""datasketch's MinHashLSH as an index: documents added a second, and milliseconds a question.

    collection write --documents 100000 --mean-words 800 --largest 1000 > in.jsonl
    python3 bench/index_datasketch.py in.jsonl --queries 1000

Words and shingles of five as in peers/peers/with_datasketch.py, 128 values, a threshold of 0.8, all in memory; the
questions are texts of the file. One thread. Needs numpy and datasketch.
"""

import argparse
import json
import re
import resource
import time

import datasketch

WORD = re.compile(r"\w+")


def sketch(text):
    words = WORD.findall(text.lower())
    values = datasketch.MinHash(num_perm=128)
    values.update_batch([" ".join(words[i:i + 5]).encode() for i in range(max(1, len(words) - 4))])
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input")
    parser.add_argument("--queries", type=int, default=1000)
    arguments = parser.parse_args()
    index = datasketch.MinHashLSH(threshold=0.8, num_perm=128)
    texts = []
    started = time.process_time()
    with open(arguments.input, encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            text = json.loads(line)["text"]
            if len(texts) < arguments.queries:
                texts.append(text)
            index.insert(number, sketch(text))
    seconds = time.process_time() - started
    print(f"{number + 1} documents, {(number + 1) / seconds:.0f} a CPU second, "
          f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB of memory")
    times = []
    for text in texts:
        asked = time.perf_counter()
        index.query(sketch(text))
        times.append(1000 * (time.perf_counter() - asked))
    times.sort()
    print(f"query p50 {times[len(times) // 2]:.3f} ms  p99 {times[len(times) * 99 // 100]:.3f} ms")


if __name__ == "__main__":
    main()
