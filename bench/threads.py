#!/usr/bin/env python3
"""How much of the second core twinset uses, beside what two processes use.

    bench/threads.py --binary build/release/twinset [--rounds 5] [--verbs dedup,cluster] crawl.jsonl manual.warc.gz ...

E = the seconds of two one-thread processes side by side / (2 * the seconds of one two-thread process), in turn, medians of
--rounds: 1 when threads lose nothing to each other that processes would not. Each verb reads each file; detect looks for labels that
discover found in the file before. Standard library only.
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

VERBS = {
    "dedup": ["dedup"],
    "cluster": ["cluster"],
    "spans": ["spans"],
    "discover": ["discover", "--over-chunks", "5"],
    "detect": ["detect"],
}


def seconds_of(commands):
    """Of all side by side. Each is (words, output), a file or folder that is removed first."""
    for _, output in commands:
        if output.is_dir():
            shutil.rmtree(output)
        output.unlink(missing_ok=True)
    begun = time.perf_counter()
    running = [subprocess.Popen([*map(str, words), "-o", str(output)], stderr=subprocess.PIPE, text=True) for words, output in commands]
    told = [process.communicate()[1] for process in running]
    took = time.perf_counter() - begun
    for process, text in zip(running, told):
        if process.returncode != 0:
            raise SystemExit(f"twinset ended with {process.returncode}: {text}")
    return took


def efficiency(binary, words, rounds, folder):
    one, two = [], []
    for _ in range(rounds):
        two.append(seconds_of([([binary, *words, "--threads", 2, "-q"], folder / "two")]))
        one.append(seconds_of([([binary, *words, "--threads", 1, "-q"], folder / f"one{i}") for i in range(2)]))
    return statistics.median(one), statistics.median(two)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--verbs", default=",".join(VERBS))
    arguments = parser.parse_args()
    print(f"{'':44} {'one thread twice':>16} {'two threads':>12}     E")
    for path in arguments.files:
        for verb in arguments.verbs.split(","):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                words = [*VERBS[verb], path]
                if verb == "detect":
                    seconds_of([([arguments.binary, *VERBS["discover"], path, "-q"], folder / "found")])
                    words = [verb, path, "--labels", folder / "found"]
                one, two = efficiency(arguments.binary, words, arguments.rounds, folder)
                print(f"{verb + ' ' + path.name:44} {one:14.2f} s {two:10.2f} s  {one / (2 * two):.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
