#!/usr/bin/env python3
"""CPU time of a last tenth deduplicated against an index of nine tenths, beside one run over all.

    TWINSET_DATA=DIR python3 bench/index_months.py --binary build/release/twinset [--rounds 3] [SET...]

A set is one of those below, in the order in which its records are given to the index; each is cut into ten parts.
The index keeps texts, so the last part keeps the records that one run over all keeps of it; the last column counts
those that differ. One thread. Standard library only.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

SETS = {
    "terms": ("terms-versions/pga.jsonl.zst", "date"),
    "large": ("terms-versions-large/contrib.jsonl.zst", "date"),
    "licences": ("scancode-licences/licences.jsonl.zst", None),
    "laws": ("gesetze-de/versions.jsonl.zst", "date"),
    "mails": ("spamassassin/messages.jsonl.zst", None),
}


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_parts(path, field, folder):
    """Ten files of about equal numbers of bytes, and their paths."""
    unpacked = subprocess.run(["zstd", "-dc", "--long=27", path], check=True, capture_output=True).stdout
    lines = unpacked.splitlines(keepends=True)
    if field is not None:
        lines.sort(key=lambda line: json.loads(line)[field])
    total, given = sum(map(len, lines)), 0
    paths = [folder / f"part{i}.jsonl" for i in range(10)]
    files = [open(part, "wb") for part in paths]
    for line in lines:
        files[min(9, given * 10 // total)].write(line)
        given += len(line)
    for file in files:
        file.close()
    return paths, total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("sets", nargs="*", metavar="SET")
    arguments = parser.parse_args()
    data = os.environ.get("TWINSET_DATA")
    if not data:
        print("skipped: TWINSET_DATA is not set")
        return
    binary = arguments.binary.resolve()
    usual = ["-q", "--threads", "1"]
    print("set        MB   all, CPU s  last tenth  ratio  other records kept")
    for name in arguments.sets or SETS:
        path, field = SETS[name]
        with tempfile.TemporaryDirectory() as work:
            folder = pathlib.Path(work)
            parts, size = write_parts(pathlib.Path(data) / path, field, folder)
            index = folder / "seen.index"
            subprocess.run([binary, "index", "create", index, "--scheme", "fss", "-r", "0.8", "--texts", "-q"], check=True)
            for i, part in enumerate(parts[:9]):
                subprocess.run([binary, "dedup", part, "--against", index, "--add", "-o", folder / f"out{i}", *usual],
                               check=True, stdout=subprocess.DEVNULL)
            ratios = []
            for _ in range(arguments.rounds):
                for old in ("all", "last", "copy.index"):
                    shutil.rmtree(folder / old, ignore_errors=True)
                shutil.copytree(index, folder / "copy.index")
                whole = cpu_seconds([binary, "dedup", *parts, "-o", folder / "all", *usual])
                last = cpu_seconds([binary, "dedup", parts[9], "--against", folder / "copy.index", "--add", "-o",
                                    folder / "last", *usual])
                ratios.append((last / whole, whole, last))
            ratio, whole, last = sorted(ratios)[len(ratios) // 2]
            one, other = ((folder / run / parts[9].name).read_bytes().splitlines() for run in ("all", "last"))
            differ = len(set(one) ^ set(other))
            print(f"{name:9} {size / 1e6:4.0f}   {whole:10.2f}  {last:10.2f}  {ratio:5.3f}  {differ} of {len(one)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
