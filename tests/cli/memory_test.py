#!/usr/bin/env python3
"""Peak memory stays within --memory, whatever the collection looks like.

    python3 tests/cli/memory_test.py --binary build/release/twinset

The collections that break others: more than ten times the least budget's worth of documents, which
must give the bytes that memory enough gives; a million copies of one document, one shingle in every document, many blank lines in a
row, an archive of pages that unpack to far more, pages full of labels; through dedup, cluster,
spans, detect and plan. The peak is what the kernel reports of the ended
process (ru_maxrss, mapped pages included), and at most the budget and a tenth. A
budget that cannot do is refused with the bytes needed, and those bytes then do.
Standard library only.
"""

import gzip
import json
import multiprocessing
import os
import pathlib
import random
import re
import subprocess
import sys

import harness
import tables

BUDGET_MIB = 256
LEAST_MIB = 96  # of one thread


def peak_of(binary, options, folder):
    """(exit code, stderr, peak resident MiB) of one run."""
    process = subprocess.Popen([str(binary), *map(str, options)], cwd=folder,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True,
                               env=harness.environment(folder))
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, said, usage.ru_maxrss / 1024


def many_documents(path, documents=300_000, sentences=4000):
    """Some 600 MB, nearly all of it new text."""
    generator = random.Random(1)
    words = [w.encode() for w in harness.vocabulary(generator, 50000)]
    pool = [b" ".join(generator.choices(words, k=40)) for _ in range(sentences)]
    with open(path, "wb") as file:
        for number in range(documents):
            text = b" ".join(generator.choices(pool, k=8))
            file.write(b'{"id": %d, "text": "%s"}\n' % (number, text))


def shared_sentences(path):
    """Each sentence in some forty documents: not too many meetings to count."""
    many_documents(path, 100_000, 20_000)


def copies_of_one(path):
    text = b" ".join(b"word%d" % i for i in range(40))
    with open(path, "wb") as file:
        for number in range(1_000_000):
            file.write(b'{"id": %d, "text": "%s"}\n' % (number, text))


def one_shingle_in_all(path):
    generator = random.Random(2)
    words = [w.encode() for w in harness.vocabulary(generator, 50000)]
    with open(path, "wb") as file:
        for number in range(300_000):
            own = b" ".join(generator.choices(words, k=20))
            file.write(b'{"id": %d, "text": "all rights are reserved here %s"}\n' % (number, own))


def mostly_blank(path):
    generator = random.Random(3)
    words = [w.encode() for w in harness.vocabulary(generator, 5000)]
    with open(path, "wb") as file:
        for number in range(2_000):
            text = b" ".join(generator.choices(words, k=40))
            file.write(b'{"id": %d, "text": "%s"}\n' % (number, text))
            if number == 1_000:
                file.write(b"\n" * 400_000)


def archive_of_bombs(path):
    """Pages packed in their records: some of 900 kB, some of 30 MB, over --max-record; and one page
    of 300 MB as it is."""
    generator = random.Random(4)
    words = [w.encode() for w in harness.vocabulary(generator, 5000)]

    def record(file, body, size, more=b""):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + more + b"\r\n"
        file.write(b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2024-05-01T12:00:00Z\r\n"
                   b"Content-Length: %d\r\n\r\n" % (len(head) + size) + head)
        for piece in body:
            file.write(piece)
        file.write(b"\r\n\r\n")

    packed = b"Content-Encoding: gzip\r\n"
    bomb = gzip.compress(bytes(30_000_000), mtime=0)
    with open(path, "wb") as file:
        for number in range(300):
            text = b"<p>" + b" ".join(generator.choices(words, k=300))
            record(file, [text], len(text))
            record(file, [bomb], len(bomb), packed)
            if number % 10 == 0:
                text = gzip.compress(b" ".join(generator.choices(words, k=120_000)), 1, mtime=0)
                record(file, [text], len(text), packed)
        piece = b" ".join(generator.choices(words, k=100_000))
        record(file, [piece] * 500, 500 * len(piece))


def pages_of_labels(path, pages=100, chunks=3000):
    """Some 40 MB, in which every chunk is another label."""
    generator = random.Random(5)
    words = harness.vocabulary(generator, 5000)
    with open(path, "w", encoding="ascii") as file:
        for number in range(pages):
            text = "\n\n".join(" ".join(generator.choices(words, k=24)) for _ in range(chunks))
            file.write(json.dumps({"id": number, "text": text}) + "\n")


def ten_times_the_budget(path):
    """Texts of 5 kB, every tenth an edited copy of an earlier one."""
    generator = random.Random(6)
    words = [w.encode() for w in harness.vocabulary(generator, 50000)]
    pool = [b" ".join(generator.choices(words, k=40)) for _ in range(200_000)]
    last = [generator.choices(pool, k=20) for _ in range(1000)]
    with open(path, "wb") as file:
        while file.tell() < 10 * LEAST_MIB << 20:
            text = generator.choices(pool, k=20)
            if generator.randrange(10) == 0:
                text = list(generator.choice(last))
                text[generator.randrange(20)] = generator.choice(pool)
            last[generator.randrange(1000)] = text
            file.write(b'{"id": %d, "text": "%s"}\n' % (file.tell(), b" ".join(text)))


def check_ten_times_the_budget(binary, folder, checks):
    """B-11: clusters of more than ten times the budget are, byte for byte, those of enough memory."""
    ten_times_the_budget(folder / "ten.jsonl")
    summaries = {}
    for budget in (LEAST_MIB, 4096):
        out = folder / f"out{budget}"
        code, said, peak = peak_of(binary, [
            "cluster", "ten.jsonl", "-o", out, "--threads", 1, "--max-record", "64K", "--resemblance",
            "0.5", "--memory", f"{budget}MiB"], folder)
        if not checks.check(code == 0, f"ten times the budget: exit {code}: {said}"):
            return
        print(f"cluster, --memory {budget}MiB: {(folder / 'ten.jsonl').stat().st_size >> 20} MiB, "
              f"peak {peak:.0f} MiB")
        checks.check(peak <= budget * 1.1, f"ten times the budget: peak {peak:.0f} MiB of {budget} MiB")
        summaries[budget] = json.loads((out / "summary.json").read_text())
    small, large = summaries[LEAST_MIB], summaries[4096]
    checks.check(small["run"]["spilled_bytes"] > 2 * large["run"]["spilled_bytes"],
                 "the small budget does not spill more")
    checks.check(small["clusters"]["all"]["clusters"] > 1000, "hardly a cluster to compare")
    for name in ("clusters.jsonl.zst", "pairs.jsonl.zst"):
        checks.check((folder / f"out{LEAST_MIB}" / name).read_bytes() ==
                     (folder / "out4096" / name).read_bytes(), f"{name} depends on --memory")
    subprocess.run(["rm", "-rf", "ten.jsonl", f"out{LEAST_MIB}", "out4096"], cwd=folder, check=True)


def check_detection(binary, folder, checks):
    """Detection at the least memory, whose rows have none, with a report of more labels than that
    could hold: over the pages, and over the folder that it made."""
    pages_of_labels(folder / "pages.jsonl")
    code, said, _ = peak_of(binary, ["discover", "--from", "pages.jsonl", "-o", "L"], folder)
    checks.check(code == 0, f"discover: exit {code}: {said}")
    for what in (["pages.jsonl", "-L", "L", "-o", "found"],
                 ["--merge", "found", "-o", "merged"]):
        options = ["detect", *what, "--report", "r.html", "--threads", 1]
        code, said, peak = peak_of(binary, [*options, "--memory", f"{LEAST_MIB}MiB"], folder)
        what = " ".join(map(str, options[:2]))
        if checks.check(code == 0, f"{what}: exit {code}: {said}"):
            print(f"{what}, a report: peak {peak:.0f} MiB")
            checks.check(peak <= LEAST_MIB * 1.1, f"{what}: peak {peak:.0f} MiB of {LEAST_MIB} MiB")
        for name in ("r.html", "r.json"):
            (folder / name).unlink(missing_ok=True)


def one_long_group(path):
    """A table of 160 MB in one group of rows, with one row to lose and sentences to cut."""
    generator = random.Random(7)
    words = harness.vocabulary(generator, 50000)
    pool = [" ".join(generator.choices(words, k=40)) for _ in range(4000)]
    texts = [" ".join(generator.choices(pool, k=8)) for _ in range(80_000)]
    texts[5] = texts[3]
    tables.write(path, {"id": [str(i) for i in range(len(texts))], "text": texts}, group_rows=len(texts))


def check_tables(binary, folder, checks):
    """A group of rows that is longer than the budget is written within it."""
    # By another process: what this one takes counts for those that it starts.
    made = multiprocessing.Process(target=one_long_group, args=(folder / "t.parquet",))
    made.start()
    made.join()
    options = ["t.parquet", "-o", "out", "--threads", 1, "--max-record", "1M"]
    code, said, _ = peak_of(binary, ["plan", "t.parquet"], folder)
    if code != 0 and "PARQUET=1" in said:
        checks.skip("tables: this binary reads no Parquet")
        return
    for what, budget in ((["dedup"], LEAST_MIB), (["spans", "--cut"], 2 * LEAST_MIB)):
        code, said, peak = peak_of(binary, [*what, *options, "--memory", f"{budget}MiB"], folder)
        what = " ".join(what)
        if checks.check(code == 0, f"a table, {what}: exit {code}: {said}"):
            print(f"{what} of a table: {(folder / 't.parquet').stat().st_size >> 20} MiB in a group, peak {peak:.0f} MiB")
            checks.check(peak <= budget * 1.1, f"a table, {what}: peak {peak:.0f} MiB of {budget} MiB")
        subprocess.run(["rm", "-rf", "out"], cwd=folder, check=True)


def check_plan_of_shards(binary, folder, checks):
    """The memory that a plan tells for a shard and for the merge is half to twice what these take."""
    (folder / "in").mkdir()
    for number in (1, 2):
        many_documents(folder / f"in/{number}.jsonl", 40_000, 20_000)
    means = ["--threads", 2, "--memory", "1G"]
    planned = subprocess.run([str(binary), "plan", "in", "--cluster", "2x2", "--json", "-q", *map(str, means)],
                             cwd=folder, capture_output=True, text=True, env=harness.environment(folder))
    if not checks.check(planned.returncode == 0, f"plan of shards: {planned.stderr}"):
        return
    stages = json.loads(planned.stdout)["cluster"]["stages"]
    parts = [f"parts/{number}" for number in (1, 2)]
    for told, what in ((stages["read"], ["dedup", "in", "--shard", "1/2", "-o", parts[0]]),
                       (stages["read"], ["dedup", "in", "--shard", "2/2", "-o", parts[1]]),
                       (stages["verify"], ["merge", *parts, "-o", "clean"])):
        code, said, _ = peak_of(binary, [*what, *means], folder)
        name, told = " ".join(what), told["memory_bytes"] / 2**20
        if checks.check(code == 0, f"{name}: exit {code}: {said}"):
            # Its own figure: that of wait4() begins at the size of this script, which these do not reach.
            peak = json.loads((folder / what[-1] / "summary.json").read_text())["run"]["peak_memory_bytes"] / 2**20
            print(f"{name}: planned {told:.0f} MiB, peak {peak:.0f} MiB")
            checks.check(0.5 <= told / peak <= 2, f"{name}: planned {told:.0f} MiB, took {peak:.0f} MiB")
    subprocess.run(["rm", "-rf", "in", "parts", "clean"], cwd=folder, check=True)


RUNS = [
    (archive_of_bombs, ["dedup"]),
    (archive_of_bombs, ["cluster"]),
    (many_documents, ["dedup"]),
    (many_documents, ["plan"]),
    (shared_sentences, ["cluster"]),
    (shared_sentences, ["plan", "--for", "cluster"]),
    (shared_sentences, ["cluster", "--scheme", "min(samples=64)"]),
    (shared_sentences, ["cluster", "--scheme", "fss", "--resemblance", "0.5"]),
    (copies_of_one, ["dedup"]),
    (copies_of_one, ["cluster"]),
    (copies_of_one, ["spans", "--min-tokens", "5"]),
    (mostly_blank, ["dedup"]),
    (mostly_blank, ["cluster", "--scheme", "min(samples=64)"]),
    (one_shingle_in_all, ["cluster", "--containment", "0.8"]),
    (one_shingle_in_all, ["cluster", "--verify", "exact"]),
    (one_shingle_in_all, ["dedup"]),
    (one_shingle_in_all, ["dedup", "--containment", "0.9"]),
]


def main():
    arguments = harness.arguments(__doc__, seed=False)
    checks = harness.Checks("memory")
    peaks = []
    with harness.folder_for("memory", in_memory=False) as name:
        folder = pathlib.Path(name)
        made = None
        for make, (verb, *more) in RUNS:
            what = " ".join([make.__name__, verb, *more])
            path = folder / ("in.warc" if make is archive_of_bombs else "in.jsonl")
            if make is not made:
                make(path)
                made = make
            options = [verb, path, "--threads", 2, "--max-record", "1M", *more]
            if verb != "plan":
                options += ["-o", folder / "out"]
            if verb == "dedup":
                options += ["--emit", "ids"]
            code, said, peak = peak_of(arguments.binary, [*options, "--memory", f"{BUDGET_MIB}M"],
                                       folder)
            if checks.check(code == 0, f"{what}: exit {code}: {said}"):
                print(f"{what}: {path.stat().st_size >> 20} MiB, peak {peak:.0f} MiB")
                peaks.append(peak)
                checks.check(peak <= BUDGET_MIB * 1.1,
                             f"{what}: peak {peak:.0f} MiB over {BUDGET_MIB} MiB and a tenth")
                if verb == "plan":
                    continue
                summary = json.loads((folder / "out/summary.json").read_text())
                if verb == "cluster":
                    clusters = summary["clusters"]["all"]["clusters"]
                    checks.check(clusters == 1 or make is not copies_of_one,
                                 f"{what}: {clusters} clusters, not 1")
                    accounted = summary["documents"] + summary["quarantined"]
                    checks.check(accounted == summary["read"], f"{what}: not conserved")
                elif verb == "spans":
                    checks.check(summary["reused_documents"] == summary["documents"] - 1,
                                 f"{what}: {summary['reused_documents']} copies found")
                else:
                    checks.check(harness.conserved(summary), f"{what}: not conserved")
                    checks.check(make is not copies_of_one or summary["kept"] == 1,
                                 f"{what}: kept {summary['kept']}, not 1")
            subprocess.run(["rm", "-rf", str(folder / "out")], check=True)

        check_ten_times_the_budget(arguments.binary, folder, checks)
        check_detection(arguments.binary, folder, checks)
        check_tables(arguments.binary, folder, checks)
        check_plan_of_shards(arguments.binary, folder, checks)

        # Too small a budget names the bytes that would do; and they do. What the records
        # themselves need is known once they were counted, so it may take two tries.
        options = ["dedup", path, "-o", folder / "out", "--emit", "ids", "--threads", 2,
                   "--max-record", "1M"]
        budget, tries, code = 1 << 20, 0, 2
        while code == 2 and tries < 3:
            code, said, peak = peak_of(arguments.binary, [*options, "--memory", budget], folder)
            needed = re.search(r"needs ([0-9]+)", said)
            tries += 1
            if code == 2 and checks.check(needed and int(needed.group(1)) > budget,
                                          f"a budget of {budget}: {said}"):
                budget = int(needed.group(1))
        if checks.check(code == 0 and tries > 1, f"the bytes asked for, {budget}: {code} {said}"):
            checks.check(peak <= budget / 2**20 * 1.1,
                         f"the bytes asked for, {budget}: peak {peak:.0f} MiB")
    return checks.finish(f"peaks {min(peaks):.0f} to {max(peaks):.0f} MiB" if peaks else "")


if __name__ == "__main__":
    sys.exit(main())
