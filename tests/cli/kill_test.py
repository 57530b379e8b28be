#!/usr/bin/env python3
"""Kills runs at random moments; the same command again must give the same output.

    python3 tests/cli/kill_test.py --binary build/release/twinset [--seed N] [--kills 60]

Each round starts a `twinset dedup`, `cluster` or `spans` on one collection, as JSON Lines or, if the
binary reads Parquet, as tables of several groups of rows, and kills it (SIGKILL) at a moment drawn evenly from its usual duration, one to four times
in a row, the threads and the memory budget drawn anew each time. Then it lets the
command end. `make kill` does this ten thousand times.
After each kill nothing may stand under a final name that is not whole, the report
among it; after each round the output must be, byte for byte, that of an undisturbed
run, and the folders around it must hold nothing else. Standard library only.
"""

import argparse
import pathlib
import random
import shutil
import sys
import time

import harness
import tables

BEST_SECONDS = 0.2      # an undisturbed run: long enough to be hit in all its stages
FEWEST_KILLS = 40        # however slow the machine is
LATER, EARLIER = 1.04, 0.8  # one run in seven comes through, and kills fall on the end of runs too

RUNS = {
    "dedup": ["dedup", "--containment", "0.9"],
    "cluster": ["cluster", "--floor", "0.2"],
    "cluster, fss": ["cluster", "--scheme", "fss", "--resemblance", "0.7"],
    "cluster, exact": ["cluster", "--verify", "exact"],
    "spans": ["spans", "--min-tokens", "8", "--cut"],
}
TABLE_RUNS = {
    "dedup, tables": ["dedup", "--write-removed"],
    "spans, tables": ["spans", "--min-tokens", "8", "--cut"],
}


def reads_tables(binary, path):
    return harness.run(binary, ["inspect", path], path.parent).returncode == 0


def write_tables(folder, records):
    """The records over two tables, whose groups have an offset index by turns."""
    folder.mkdir(parents=True, exist_ok=True)
    half = len(records) // 2
    paths = [folder / "a.parquet", folder / "b.parquet"]
    for path, part in zip(paths, (records[:half], records[half:])):
        columns = {name: [str(record[name]) for record in part] for name in ("id", "text", "date")}
        tables.write(path, columns, group_rows=max(1, len(part) // 7), indexed=lambda group: group % 2 == 1)
    return paths


def options(run, paths, out, tmp, generator):
    verb, *more = {**RUNS, **TABLE_RUNS}[run]
    return [verb, *paths[run in TABLE_RUNS], "-o", out, "--report", out.with_suffix(".html"), "--tmp", tmp, *more,
            "--max-record", "1M",  # for a small budget to be enough
            "--threads", generator.choice((1, 2, 3)),
            "--memory", generator.choice(("256M", "1G"))]


def clear(out):
    shutil.rmtree(out, ignore_errors=True)
    out.with_suffix(".html").unlink(missing_ok=True)
    out.with_suffix(".json").unlink(missing_ok=True)


def undisturbed(binary, run, paths, out, tmp, generator, checks):
    """The output of a run let alone, and its seconds when the caches are warm; None if it failed."""
    for _ in range(2):
        clear(out)
        started = time.monotonic()
        done = harness.run(binary, options(run, paths, out, tmp, generator), tmp)
        seconds = time.monotonic() - started
        if not checks.check(done.returncode == 0, f"an undisturbed run: {done.stderr}"):
            return None
    made = harness.snapshot(out)
    clear(out)
    return made, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=100, help="stop killing after so many")
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
            records = harness.collection(arguments.seed, size)
            paths = (harness.write_three(folder / "in", records), write_tables(folder / "tables", records))
            with_tables = reads_tables(binary, paths[True][0])
            names = [*RUNS, *(TABLE_RUNS if with_tables else ())]
            runs = {run: undisturbed(binary, run, paths, out, tmp, generator, checks) for run in names}
            if None in runs.values():
                return checks.finish()
            if min(seconds for _, seconds in runs.values()) > BEST_SECONDS / 2 or size >= 64 << 20:
                break
            size *= 2
        if not with_tables:
            checks.skip("tables: this binary reads no Parquet")
        print(f"{size >> 20} MiB of text; undisturbed runs take "
              + " and ".join(f"{seconds:.2f} s ({run})" for run, (_, seconds) in runs.items()))

        kills = rounds = 0
        began = time.monotonic()
        while kills < arguments.kills:
            if time.monotonic() - began > arguments.seconds:
                print(f"{kills} kills in {arguments.seconds:.0f} s: time is up")
                break
            run = generator.choice(list(runs))
            reference, seconds = runs[run]
            # A machine changes its pace: a run that came through was aimed at too late.
            for _ in range(generator.randint(1, 4)):
                process = harness.start(binary, options(run, paths, out, tmp, generator), folder)
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
                report = out.with_suffix(".html")
                checks.check(not report.exists() or report.read_bytes().endswith(b"</html>\n"),
                             "after a kill: half a report")
                if out.exists():
                    whole = harness.snapshot(out)
                    checks.check(all(reference.get(n) == b for n, b in whole.items()),
                                 f"after a kill: {harness.difference(reference, whole)}")
            runs[run] = reference, seconds
            rounds += 1
            done = harness.run(binary, options(run, paths, out, tmp, generator), folder)
            checks.check(done.returncode == 0,
                         f"round {rounds}: {run}: exit {done.returncode}: {done.stderr}")
            said = harness.difference(reference, harness.snapshot(out))
            checks.check(not said, f"round {rounds}: {run}: {said}")
            report = out.with_suffix(".html")
            checks.check(report.exists() and report.read_bytes().endswith(b"</html>\n"),
                         f"round {rounds}: {run}: no whole report")
            facts = out.with_suffix(".json")
            checks.check(facts.exists() and facts.read_bytes().endswith(b"}\n"),
                         f"round {rounds}: {run}: no whole facts of the report")
            report.unlink(missing_ok=True)
            facts.unlink(missing_ok=True)
            left = [p.name for p in out.parent.iterdir() if p != out] + \
                   [p.name for p in tmp.iterdir()]
            checks.check(not left, f"round {rounds}: {run}: left behind: {left}")
            shutil.rmtree(out, ignore_errors=True)
            if checks.failed > 5:
                break
        checks.check(kills >= min(FEWEST_KILLS, arguments.kills), f"only {kills} kills")
    return checks.finish(f"{kills} kills in {rounds} rounds, seed {arguments.seed}")


if __name__ == "__main__":
    sys.exit(main())
