#!/usr/bin/env python3
"""Kills runs at random moments; the same command again must give the same output.

    python3 tests/cli/kill_test.py --binary build/release/twinset [--seed N] [--kills 200]

Each round starts `twinset dedup`, or `twinset cluster`, on one collection and kills
it (SIGKILL) at a moment drawn evenly from its usual duration, one to four times
in a row, the threads and the memory budget drawn anew each time. Then it lets the
command end.
After each kill nothing may stand under a final name that is not whole; after each
round the output must be, byte for byte, that of an undisturbed run, and the folders
around it must hold nothing else. Standard library only.
"""

import argparse
import pathlib
import random
import shutil
import sys
import time

import harness

BEST_SECONDS = 0.2      # an undisturbed run: long enough to be hit in all its stages
LONGEST_SECONDS = 300    # the box
FEWEST_KILLS = 40        # what the box must have held, however slow the machine
LATER, EARLIER = 1.04, 0.8  # one run in seven comes through, and kills fall on the end of runs too

VERBS = {"dedup": ["--containment", "0.9"], "cluster": ["--floor", "0.2"]}


def options(verb, paths, out, tmp, generator):
    return [verb, *paths, "-o", out, "--tmp", tmp, *VERBS[verb],
            "--max-record", "1M",  # for a small budget to be enough
            "--threads", generator.choice((1, 2, 3)),
            "--memory", generator.choice(("256M", "1G"))]


def undisturbed(binary, verb, paths, folder, generator, checks):
    """The output of a run let alone, and its seconds when the caches are warm; None if it failed."""
    for _ in range(2):
        shutil.rmtree(folder / verb, ignore_errors=True)
        started = time.monotonic()
        done = harness.run(binary, options(verb, paths, folder / verb, folder / "tmp", generator),
                           folder)
        seconds = time.monotonic() - started
        if not checks.check(done.returncode == 0, f"an undisturbed run: {done.stderr}"):
            return None
    return harness.snapshot(folder / verb), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--kills", type=int, default=200)
    arguments = parser.parse_args()
    binary = arguments.binary.resolve()
    print(f"seed {arguments.seed}")
    generator = random.Random(arguments.seed)
    checks = harness.Checks("kill -9")

    with harness.folder_for("kill") as name:
        folder = pathlib.Path(name)
        tmp, out = folder / "tmp", folder / "out/run"
        tmp.mkdir()
        out.parent.mkdir()

        # A collection whose run takes about as long as wanted.
        size = 2 << 20
        while True:
            paths = harness.write_three(folder / "in", harness.collection(arguments.seed, size))
            runs = {verb: undisturbed(binary, verb, paths, folder, generator, checks)
                    for verb in VERBS}
            if None in runs.values():
                return checks.finish()
            if min(seconds for _, seconds in runs.values()) > BEST_SECONDS / 2 or size >= 64 << 20:
                break
            size *= 2
        print(f"{size >> 20} MiB of text; undisturbed runs take "
              + " and ".join(f"{seconds:.2f} s ({verb})" for verb, (_, seconds) in runs.items()))

        kills = rounds = 0
        began = time.monotonic()
        while kills < arguments.kills:
            if time.monotonic() - began > LONGEST_SECONDS:
                print(f"{kills} kills in {LONGEST_SECONDS} s: the box is full")
                break
            verb = generator.choice(list(VERBS))
            reference, seconds = runs[verb]
            # A machine changes its pace: a run that came through was aimed at too late.
            for _ in range(generator.randint(1, 4)):
                process = harness.start(binary, options(verb, paths, out, tmp, generator), folder)
                time.sleep(generator.random() * seconds)
                process.kill()
                _, said = process.communicate()
                if process.returncode == -9:
                    kills += 1
                    seconds *= LATER
                elif not checks.check(process.returncode == 0,
                                      f"a run not killed in time: {process.returncode} {said}"):
                    break
                else:
                    seconds *= EARLIER
                if out.exists():
                    whole = harness.snapshot(out)
                    checks.check(all(reference.get(n) == b for n, b in whole.items()),
                                 f"after a kill: {harness.difference(reference, whole)}")
            runs[verb] = reference, seconds
            rounds += 1
            done = harness.run(binary, options(verb, paths, out, tmp, generator), folder)
            checks.check(done.returncode == 0,
                         f"round {rounds}: {verb}: exit {done.returncode}: {done.stderr}")
            said = harness.difference(reference, harness.snapshot(out))
            checks.check(not said, f"round {rounds}: {verb}: {said}")
            left = [p.name for p in out.parent.iterdir() if p != out] + \
                   [p.name for p in tmp.iterdir()]
            checks.check(not left, f"round {rounds}: {verb}: left behind: {left}")
            shutil.rmtree(out, ignore_errors=True)
            if checks.failed > 5:
                break
        checks.check(kills >= min(FEWEST_KILLS, arguments.kills), f"only {kills} kills")
    return checks.finish(f"{kills} kills in {rounds} rounds, seed {arguments.seed}")


if __name__ == "__main__":
    sys.exit(main())
