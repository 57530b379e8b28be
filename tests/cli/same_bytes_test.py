#!/usr/bin/env python3
"""The same documents give the same bytes, however they are read and worked on.

    python3 tests/cli/same_bytes_test.py --binary build/release/twinset [--seed N]

Runs one collection through many ways of working - 1, 2 and 7 threads, each SIMD
level of this CPU, memory budgets down to where everything spills, shards that are
merged - and requires every output file to be equal, but for the
`run` part of the summary, and all of the reports, but for what they tell of the run.
Then through many ways of being stored - plain, gzip of many members, zstd of many
frames, standard input - and requires the decoded outputs to be equal (B-11, B-32).
Standard library only.
"""

import gzip
import json
import pathlib
import shutil
import subprocess
import sys

import harness

OPTION_SETS = [
    ["dedup"],
    ["dedup", "--containment", "0.9"],
    ["dedup", "--keep", "newest:date", "--resemblance", "0.6"],
    ["dedup", "--verify", "sketch", "--write-removed"],
    ["cluster", "--floor", "0.2"],
    ["cluster", "--scheme", "min(samples=32)"],
    ["cluster", "--containment", "0.8", "--shape", "stars"],
    ["cluster", "--verify", "exact", "--floor", "0.3"],
    ["cluster", "--scheme", "fss", "--resemblance", "0.7"],
    ["cluster", "--scheme", "super_shingle(modulus=4)", "--verify", "none"],
    ["spans", "--min-tokens", "8", "--cut"],
    ["spans", "--min-tokens", "20", "--all-pairs"],
]
WORKINGS = [
    ("one thread", ["--threads", "1"], {}),
    ("two threads", ["--threads", "2"], {}),
    ("seven threads", ["--threads", "7"], {}),
    ("little memory", ["--threads", "2", "--memory", "256M"], {}),
    ("much memory", ["--threads", "2", "--memory", "4G"], {}),
]


def simd_workings(binary, folder):
    """One for each SIMD level this CPU has, beginning with plain C++."""
    found = []
    for level in ("portable", "sse4", "avx2", "avx3"):
        done = harness.run(binary, ["schemes"], folder, {"TWINSET_SIMD": level})
        if done.returncode == 0:
            found.append((f"SIMD {level}", [], {"TWINSET_SIMD": level}))
    return found


def enough_happens(summary):
    if "clusters" in summary:
        return summary["clusters"]["all"]["clusters"] > 20 and summary["counting"]["edges"] > 100
    if "spans" in summary:
        return summary["spans"] > 100
    return summary["removed"] > 100 and summary["kept"] > 100


def sections(report):
    """All of a report but its head and its last section, which tell of the run."""
    page = report.read_bytes()
    return page[page.index(b"<section"):page.index(b'<section id="run"')]


def facts(report):
    """The same of its facts."""
    kept = json.loads(report.with_suffix(".json").read_text())["sections"]
    return json.dumps([section for section in kept if section["name"] != "run"]).encode()


def run_in_shards(binary, folder, shards, arguments, out, environment):
    """The same run in shards, given to the merge in another order."""
    parts = folder / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    for number in range(1, shards + 1):
        done = harness.run(binary, [*arguments, "--shard", f"{number}/{shards}", "-o", parts / str(number)],
                           folder, environment)
        if done.returncode != 0:
            return done
    return harness.run(binary, ["merge", *sorted(parts.iterdir(), reverse=True), "-o", out],
                       folder, environment)


def check_workings(binary, folder, paths, checks):
    workings = WORKINGS + simd_workings(binary, folder)
    for options in OPTION_SETS:
        reference = None
        shared = [] if options[0] == "spans" else [("three shards", 3, {})]
        for name, more, environment in workings + shared:
            out = folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            verb, *rest = options
            report = folder / "report.html"
            report.unlink(missing_ok=True)
            report.with_suffix(".json").unlink(missing_ok=True)
            # Where nobody looked at pairs there is none to show.
            shown = [] if "none" in options else ["--report", report]
            arguments = [verb, *paths, *shown, "--max-record", "1M", *rest]
            if isinstance(more, int):
                done = run_in_shards(binary, folder, more, arguments, out, environment)
            else:
                done = harness.run(binary, [*arguments, "-o", out, *more], folder, environment)
            what = f"{name} with {' '.join(options)}"
            if not checks.check(done.returncode == 0, f"{what}: {done.stderr}"):
                continue
            got = harness.snapshot(out)
            if shown:
                got["report.html"] = sections(report)
                got["report.json"] = facts(report)
            if reference is None:
                reference = got
                summary = json.loads((out / "summary.json").read_text())
                checks.check(enough_happens(summary),
                             f"{what}: a collection in which little happens")
                checks.check(verb != "dedup" or harness.conserved(summary),
                             f"{what}: records are lost")
            else:
                said = harness.difference(reference, got)
                checks.check(not said, f"{what}: {said}")


def decoded(out):
    """The output as the user reads it: files by bare name, decompressed."""
    found = {}
    for name, data in harness.snapshot(out).items():
        bare = name.removesuffix(".gz").removesuffix(".zst")
        if bare != "summary.json":
            found[bare] = harness.decompress(data, name)
    return found


def unnamed(files):
    """Decoded files with each mention of the input's own name made equal."""
    return {name.replace("stdin.jsonl", "in.jsonl"):
            data.replace(b"in.jsonl.gz", b"in.jsonl").replace(b"in.jsonl.zst", b"in.jsonl")
                .replace(b'file": "-"', b'file": "in.jsonl"')
                .replace(b'"id": "-:', b'"id": "in.jsonl:')
            for name, data in files.items()}


def check_stores(binary, folder, records, checks):
    plain = harness.jsonl(records)
    cut = [0, len(plain) // 3, len(plain) // 2, len(plain)]  # in the middle of lines
    pieces = [plain[a:b] for a, b in zip(cut, cut[1:])]
    stores = {
        "plain": ("in.jsonl", plain),
        "no line end at the end": ("in.jsonl", plain[:-1]),
        "one gzip member": ("in.jsonl.gz", gzip.compress(plain, 1)),
        "gzip members": ("in.jsonl.gz", b"".join(gzip.compress(p) for p in pieces)),
        "zstd frames": ("in.jsonl.zst", b"".join(harness.compress(p, ".zst") for p in pieces)),
        "zstd, long window": ("in.jsonl.zst", subprocess.run(
            ["zstd", "-q", "-c", "--long=27"], input=plain, capture_output=True, check=True).stdout),
    }
    reference = None
    for name, (file, data) in stores.items():
        place = folder / "store" / name.replace(" ", "_").replace(",", "")
        place.mkdir(parents=True)
        (place / file).write_bytes(data)
        done = harness.run(binary, ["dedup", file, "-o", "out"], place)
        if not checks.check(done.returncode == 0, f"{name}: {done.stderr}"):
            continue
        got = unnamed(decoded(place / "out"))
        if name.startswith("no line end"):
            # The last record keeps its missing line end, if it was kept.
            got["in.jsonl"] = got["in.jsonl"].removesuffix(b"\n") + b"\n"
        if reference is None:
            reference = got
        said = harness.difference(reference, got)
        checks.check(not said, f"{name}: {said}")
    place = folder / "store/stdin"
    place.mkdir()
    with open(folder / "store/plain/in.jsonl", "rb") as stdin:
        done = harness.run(binary, ["dedup", "-", "-o", "out"], place, stdin=stdin)
    if checks.check(done.returncode == 0, f"standard input: {done.stderr}"):
        said = harness.difference(reference, unnamed(decoded(place / "out")))
        checks.check(not said, f"standard input: {said}")


def check_order(binary, folder, records, checks):
    """Input order may change which copy of equals stays, and nothing else: with an
    order of its own (highest:rank, all different) the kept set is the same."""
    ranked = [dict(r, rank=i) for i, r in enumerate(records)]
    kept = []
    for name, part in (("forward", ranked), ("backward", ranked[::-1])):
        place = folder / "order" / name
        place.mkdir(parents=True)
        (place / "in.jsonl").write_bytes(harness.jsonl(part))
        done = harness.run(binary, ["dedup", "in.jsonl", "-o", "out", "--keep", "lowest:rank"], place)
        if not checks.check(done.returncode == 0, f"order {name}: {done.stderr}"):
            return
        kept.append(sorted((place / "out/in.jsonl").read_bytes().splitlines()))
    checks.check(kept[0] == kept[1], "input order changed what --keep lowest:rank keeps")


def main():
    arguments = harness.arguments(__doc__)
    print(f"seed {arguments.seed}")
    checks = harness.Checks("same bytes")
    with harness.folder_for("same") as name:
        folder = pathlib.Path(name)
        records = harness.collection(arguments.seed, 4 << 20)
        paths = harness.write_three(folder / "in", records)
        check_workings(arguments.binary, folder, paths, checks)
        check_stores(arguments.binary, folder, records, checks)
        check_order(arguments.binary, folder, records, checks)
    return checks.finish(f"{len(records)} documents, seed {arguments.seed}")


if __name__ == "__main__":
    sys.exit(main())
