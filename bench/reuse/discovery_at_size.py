#!/usr/bin/env python3
"""Time and memory of discovery over many chunks, and of detection with the labels it made.

    bench/reuse/discovery_at_size.py --binary build/bench/twinset                 # 100 million, 13 GB
    bench/reuse/discovery_at_size.py --binary build/bench/twinset --chunks 1000000

Makes pages of 50 paragraphs of some 115 characters, with known counts: of ten chunks four are
there once, and the others six times in all the collection. So discovery with --over-chunks 5 must
find a tenth of the chunks as labels, and count half as many distinct ones as there are chunks; both
are checked. Detection then reads the first part of the collection with these labels. The folder
needs twice the size of the collection; it is removed at the end. Standard library only.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

PAGE_CHUNKS = 50
TIMES = 6                # of ten chunks six are repeated, each so often
PART_CHUNKS = 10_000_000
CHUNK_CHARACTERS = 105   # besides its number
POOL = (1 << 20) - 3     # a prime


class Maker:
    def __init__(self, chunks):
        draw = random.Random(1)
        words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 10)))
                 for _ in range(30_000)]
        pool = " ".join(draw.choices(words, k=200_000))
        self._pool = pool[:POOL] + pool[:CHUNK_CHARACTERS]
        self._repeated = chunks // 10

    def page(self, number):
        begin = number * PAGE_CHUNKS
        pool, repeated = self._pool, self._repeated
        parts = []
        for i in range(begin, begin + PAGE_CHUNKS):
            # The multiplier shares no factor with a power of ten: each number comes once a turn.
            name = (repeated + i if i % 10 < 4 else
                    (i // 10 * 6 + i % 10 - 4) % repeated * 7_919_999 % repeated)
            at = name * 7_919 % POOL
            parts.append(f"<p>{name} {pool[at:at + CHUNK_CHARACTERS]}")
        return "".join(parts)

    def write(self, path, first, count):
        with open(path, "w", encoding="ascii") as file:
            for number in range(first, first + count):
                file.write(f'{{"url": "http://site{number // 1000}.example/{number % 1000}.html", '
                           f'"html": "{self.page(number)}"}}\n')


class Used:
    def __init__(self, command):
        with tempfile.TemporaryFile() as out:
            started = time.monotonic()
            process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL,
                                       stdout=out)
            _, status, used = os.wait4(process.pid, 0)
            self.seconds = time.monotonic() - started
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                sys.exit(f"{command[1]} ended with {process.returncode}")
            self.cpu = used.ru_utime + used.ru_stime
            self.peak = used.ru_maxrss * 1024
            out.seek(0)
            self.output = out.read().decode("utf-8")

    def text(self):
        return (f"{self.seconds:.0f} s, {self.cpu:.0f} CPU s, resident peak {self.peak / 1e9:.2f} GB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--chunks", type=int, default=100_000_000,
                        help="a power of ten; 100000000")
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--archive", type=pathlib.Path,
                        help="to be searched for the labels too; has none of them")
    parser.add_argument("--folder", type=pathlib.Path, help="where the pages are made")
    options = parser.parse_args()
    chunks = options.chunks
    if chunks < 1000 or str(chunks).strip("0") != "1":
        sys.exit("--chunks is a power of ten, 1000 at the least")
    with tempfile.TemporaryDirectory(prefix="twinset-size-", dir=options.folder) as name:
        folder = pathlib.Path(name)
        maker = Maker(chunks)
        parts = []
        for first in range(0, chunks // PAGE_CHUNKS, PART_CHUNKS // PAGE_CHUNKS):
            parts.append(folder / f"{len(parts):03}.jsonl")
            maker.write(parts[-1], first, min(PART_CHUNKS // PAGE_CHUNKS,
                                              chunks // PAGE_CHUNKS - first))
        size = sum(part.stat().st_size for part in parts)
        print(f"{chunks:,} chunks, {chunks // PAGE_CHUNKS:,} pages, {size / 1e9:.1f} GB", flush=True)

        labels = folder / "found.labels"
        read = ("--format", "html", "--text", "html", "--no-progress", "--threads",
                options.threads, "--memory", options.memory)
        used = Used([options.binary, "discover", *parts, "-o", labels, "--over-chunks", TIMES - 1,
                     "--json", "--tmp", folder, *read])
        found = json.loads(used.output)["chunks"]
        print(f"discover: {used.text()}, {size / used.cpu / 1e6:.0f} MB/s of CPU; "
              f"{found['labels']:,} labels, {labels.stat().st_size / 1e9:.2f} GB", flush=True)
        if (found["seen"], found["distinct"], found["labels"]) != (chunks, chunks // 2,
                                                                    chunks // 10):
            sys.exit(f"should be {chunks} chunks, {chunks // 2} distinct, {chunks // 10} labels: "
                     f"{found['seen']}, {found['distinct']}, {found['labels']}")
        used = Used([options.binary, "detect", parts[0], "-L", labels, "-o", folder / "copies",
                     *read])
        found = json.loads((folder / "copies" / "summary.json").read_text())
        size = parts[0].stat().st_size
        print(f"detect: {size / 1e9:.2f} GB, {used.text()}, {size / used.cpu / 1e6:.0f} MB/s of "
              f"CPU; {found['labeled_chunks']:,} of {found['chunks']:,} chunks are labels")
        if found["labeled_chunks"] * 10 != found["chunks"] * 6:
            sys.exit("six of ten chunks should be labels")
        if options.archive:
            used = Used([options.binary, "detect", options.archive.resolve(), "-L", labels,
                         "--no-progress", "--threads", options.threads])
            print(f"detect: {options.archive.name}, {used.text()}")


if __name__ == "__main__":
    main()
