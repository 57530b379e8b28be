#!/usr/bin/env python3
"""Speed, memory and recall of twinset, beside what the machine itself can do.

    bench/run.py --build build/bench                 # kernels and a small collection, minutes
    bench/run.py --build build/bench --million       # and a million documents, 2.2 GB
    bench/run.py --build build/bench --five-million  # and five million, 11 GB
    bench/run.py --build build/bench --input crawl.jsonl
    bench/run.py --build build/bench --only clusters # cluster, recut, lists of neighbors

Every ratio is taken within one run, rounds of the two sides in turn, medians
compared: against `LC_ALL=C wc -w` on the same file (CPU time), and two threads
against one (wall time). Recall stands beside every speed, from collections whose
truth is known (bench/collection.cc); on a user's own input it is what
`twinset evaluate` measures. Standard library only.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

MEGABYTE = 1e6
DOCUMENT_BYTES = 2300  # of a generated record, generously


class Usage:
    """What a finished command used."""

    def __init__(self, seconds, cpu_seconds, peak_bytes, spilled_bytes, output):
        self.seconds = seconds
        self.cpu_seconds = cpu_seconds
        self.peak_bytes = peak_bytes
        self.spilled_bytes = spilled_bytes
        self.output = output


class Failure(Exception):
    pass


def folder_bytes(folder):
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(where, name)).st_blocks * 512
            except OSError:
                pass  # deleted since it was listed
    return total


def measure(command, watched=None, **keywords):
    """Runs a command; `watched` is a folder whose largest size is noted."""
    largest = 0
    done = threading.Event()

    def watch():
        nonlocal largest
        while not done.wait(0.1):
            largest = max(largest, folder_bytes(watched))

    watcher = threading.Thread(target=watch, daemon=True)
    with tempfile.TemporaryFile() as output:
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=output, **keywords)
        if watched:
            watcher.start()
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        done.set()
        if watched:
            watcher.join()
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    if process.returncode != 0:
        raise Failure(f"{' '.join(command)} ended with {process.returncode}\n{text[-2000:]}")
    return Usage(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, largest, text)


def median(usages, field):
    return statistics.median(getattr(usage, field) for usage in usages)


def table(title, columns, rows):
    """Prints rows of strings; the first column is left-aligned."""
    widths = [max(len(row[i]) for row in [columns] + rows) for i in range(len(columns))]
    print(f"\n{title}")
    for row in [columns] + rows:
        cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        print("  " + "  ".join(cells).rstrip())
    sys.stdout.flush()


def share(value):
    """A share cut (never rounded up) to four decimals, with its counts."""
    if not value or not value["of"]:
        return "-"
    cut = value["count"] * 10000 // value["of"]
    return f"{cut // 10000}.{cut % 10000:04d} of {value['of']}"


class Bench:
    def __init__(self, options, work):
        self.options = options
        self.work = work
        self.twinset = os.path.join(options.build, "twinset")
        self.collection = os.path.join(options.build, "bench", "collection")

    # --- kernels -----------------------------------------------------------

    def kernels(self):
        folder = os.path.join(self.options.build, "bench")
        for name in sorted(os.listdir(folder)):
            program = os.path.join(folder, name)
            if not name.endswith("_bench") or not os.access(program, os.X_OK):
                continue
            run = measure([program, "--benchmark_format=json", "--benchmark_min_time=0.1"],
                          stderr=subprocess.DEVNULL)
            rows = []
            for each in json.loads(run.output)["benchmarks"]:
                if each.get("run_type") == "aggregate" or "error_occurred" in each:
                    continue
                rate = "-"
                if "bytes_per_second" in each:
                    rate = f"{each['bytes_per_second'] / MEGABYTE:,.0f} MB/s"
                elif "items_per_second" in each:
                    rate = f"{1e9 / each['items_per_second']:,.2f} ns each"
                for part, whole in (("of_first", "one signature"), ("of_words", "words")):
                    if part in each:
                        rate += f", {each[part]:.2f} of {whole}"
                for name, value in each.items():
                    if name.startswith("share_"):
                        rate += f", {name[len('share_'):]} {100 * value:.0f} %"
                rows.append([each["name"], f"{each['cpu_time']:,.1f} {each['time_unit']}", rate])
            table(name, ["benchmark", "CPU", "rate"], rows)

    # --- whole runs --------------------------------------------------------

    def generate(self, documents, name, *more):
        path = os.path.join(self.work, name)
        need = documents * DOCUMENT_BYTES
        if shutil.disk_usage(self.work).free < 2.5 * need:
            raise Failure(f"{self.work} has too little room for {documents} documents and their "
                          f"output ({2.5 * need / 1e9:.1f} GB): give another --work")
        run = measure([self.collection, "write", "--documents", str(documents), "-o", path, *more])
        print(f"made {name}: {documents:,} documents, "
              f"{os.path.getsize(path) / MEGABYTE:,.0f} MB at "
              f"{os.path.getsize(path) / MEGABYTE / run.cpu_seconds:,.0f} MB/s of CPU")
        sys.stdout.flush()
        return path

    def dedup(self, path, threads, memory=None):
        """One run from scratch; its usage and its summary."""
        output = os.path.join(self.work, "out")
        spill = os.path.join(self.work, "spill")
        for folder in (output, spill):
            shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(spill)
        command = [self.twinset, "dedup", path, "-o", output, "--threads", str(threads),
                   "--tmp", spill, "--quiet"]
        if memory:
            command += ["--memory", memory]
        # Its warning that the input loses much is no news here.
        usage = measure(command, watched=spill, stderr=subprocess.DEVNULL)
        with open(os.path.join(output, "summary.json"), encoding="utf-8") as file:
            return usage, json.load(file)

    def check(self, documents, *more):
        output = os.path.join(self.work, "out")
        # An unsound run ends with 1 and still prints: that is a finding to show.
        run = subprocess.run([self.collection, "check", output, "--documents", str(documents),
                              "--json", "--threads", str(os.cpu_count() or 1), *more],
                             stdout=subprocess.PIPE, check=False)
        if run.returncode not in (0, 1):
            raise Failure(f"collection check ended with {run.returncode}")
        return json.loads(run.stdout)

    def against_wc(self, label, path, plain, truth=None):
        """Rounds of wc, one thread, two threads; `plain` is `path` decompressed."""
        words, one, two = [], [], []
        summary = None
        with_c = dict(os.environ, LC_ALL="C")
        for _ in range(self.options.rounds):
            words.append(measure(["wc", "-w", plain], env=with_c))
            usage, summary = self.dedup(path, 1)
            one.append(usage)
            usage, summary = self.dedup(path, 2)
            two.append(usage)
        text = summary["matching"]["text_bytes"] / MEGABYTE
        recall = truth() if truth else {}
        cpu = median(one, "cpu_seconds")
        return [label, f"{os.path.getsize(plain) / MEGABYTE:,.0f}",
                f"{100 * summary['removed'] / max(1, summary['read']):.0f} %",
                f"{median(words, 'cpu_seconds'):.2f}", f"{cpu:.2f}",
                f"{cpu / median(words, 'cpu_seconds'):.2f}", f"{text / cpu:,.0f}",
                f"{median(one, 'seconds') / median(two, 'seconds'):.2f}",
                f"{max(u.peak_bytes for u in one + two) / MEGABYTE:,.0f}",
                share(recall.get("recall 0.9 to 1")), share(recall.get("recall 0.8 to 1"))]

    def whole_runs(self):
        documents = self.options.documents
        copies = self.generate(documents, "copies.jsonl")
        few = self.generate(documents, "few-copies.jsonl", "--clustered", "20")
        rows = [self.against_wc("copies", copies, copies, lambda: self.check(documents)),
                self.against_wc("few copies", few, few,
                                lambda: self.check(documents, "--clustered", "20"))]
        if shutil.which("zstd"):
            subprocess.run(["zstd", "-q", "-f", copies, "-o", copies + ".zst"], check=True)
            rows.append(self.against_wc("copies, .zst", copies + ".zst", copies,
                                        lambda: self.check(documents)))
        for path in self.options.input:
            plain = path
            if path.endswith(".zst"):
                plain = os.path.join(self.work, "plain")
                subprocess.run(["zstd", "-d", "-q", "-f", path, "-o", plain], check=True)
            rows.append(self.against_wc(os.path.basename(path), path, plain))
        table(f"twinset dedup, medians of {self.options.rounds} rounds; wc is LC_ALL=C wc -w on "
              "the same file, plain",
              ["input", "MB", "removed", "wc CPU s", "CPU s", "CPU / wc", "text MB/s",
               "2 threads / 1", "peak MB", "recall 0.9 to 1", "recall 0.8 to 1"], rows)
        for path in (copies, copies + ".zst", few):
            if os.path.exists(path):
                os.remove(path)

    # --- clusters ----------------------------------------------------------

    def cluster(self, path, threads):
        """One run of cluster at 0.5 from scratch; its usage and its summary."""
        output = os.path.join(self.work, "groups")
        shutil.rmtree(output, ignore_errors=True)
        usage = measure([self.twinset, "cluster", path, "-o", output, "--resemblance", "0.5",
                         "--threads", str(threads), "--quiet"], stderr=subprocess.DEVNULL)
        with open(os.path.join(output, "summary.json"), encoding="utf-8") as file:
            return usage, json.load(file)

    def recut(self):
        """The clusters of the last run at 0.7, from its pairs."""
        output = os.path.join(self.work, "tighter")
        shutil.rmtree(output, ignore_errors=True)
        return measure([self.twinset, "recut", os.path.join(self.work, "groups"),
                        "--resemblance", "0.7", "-o", output],
                       stderr=subprocess.DEVNULL)

    def clusters_against_wc(self, label, path, plain):
        """Rounds of wc, one thread, two threads, recut."""
        words, one, two, again = [], [], [], []
        summary = None
        with_c = dict(os.environ, LC_ALL="C")
        for _ in range(self.options.rounds):
            words.append(measure(["wc", "-w", plain], env=with_c))
            two.append(self.cluster(path, 2)[0])
            usage, summary = self.cluster(path, 1)
            one.append(usage)
            again.append(self.recut())
        counting = summary["counting"]
        cpu = median(one, "cpu_seconds")
        return [label, f"{os.path.getsize(plain) / MEGABYTE:,.0f}",
                f"{counting['kept_pairs']:,}", f"{summary['clusters']['all']['documents']:,}",
                f"{median(words, 'cpu_seconds'):.2f}", f"{cpu:.2f}",
                f"{cpu / median(words, 'cpu_seconds'):.2f}",
                f"{counting['text_bytes'] / MEGABYTE / cpu:,.0f}",
                f"{median(one, 'seconds') / median(two, 'seconds'):.2f}",
                f"{100 * median(again, 'cpu_seconds') / cpu:.0f} %",
                f"{max(u.peak_bytes for u in one + two) / MEGABYTE:,.0f}"]

    def clusters(self):
        documents = self.options.documents
        rows = []
        for label, name, more in (("few copies", "few-copies.jsonl", ["--clustered", "20"]),
                                  ("copies", "copies.jsonl", [])):
            path = self.generate(documents, name, *more)
            rows.append(self.clusters_against_wc(label, path, path))
            os.remove(path)
        for path in self.options.input:
            plain = path
            if path.endswith(".zst"):
                plain = os.path.join(self.work, "plain")
                subprocess.run(["zstd", "-d", "-q", "-f", path, "-o", plain], check=True)
            rows.append(self.clusters_against_wc(os.path.basename(path), path, plain))
        table(f"twinset cluster at 0.5, medians of {self.options.rounds} rounds; wc is LC_ALL=C "
              "wc -w on the same file, plain; recut at 0.7 as a share of cluster's CPU time",
              ["input", "MB", "pairs", "in clusters", "wc CPU s", "CPU s", "CPU / wc",
               "text MB/s", "2 threads / 1", "recut", "peak MB"], rows)

    def neighbors(self):
        """S-20: the lists of all documents within the distance, beside the join alone."""
        path = self.generate(self.options.documents, "few-copies.jsonl", "--clustered", "20")
        rows = []
        for scheme, distance in (("simhash(weights=unit)", 3), ("simhash(weights=unit)", 7),
                                 ("simhash(bits=128)", 7)):
            times = {"": [], "--neighbors": []}
            summary = None
            for _ in range(self.options.rounds):
                for more, usages in times.items():
                    output = os.path.join(self.work, "groups")
                    shutil.rmtree(output, ignore_errors=True)
                    usages.append(measure(
                        [self.twinset, "cluster", path, "-o", output, "--scheme", scheme,
                         "--distance", str(distance), "--quiet", *more.split()],
                        stderr=subprocess.DEVNULL))
                    with open(os.path.join(output, "summary.json"), encoding="utf-8") as file:
                        summary = json.load(file)
            alone, listed = (median(usages, "cpu_seconds") for usages in times.values())
            rows.append([scheme, str(distance), f"{summary['distances'][-1]['pairs']:,}",
                         f"{alone:.2f}", f"{listed:.2f}", f"{listed / alone:.2f}"])
        os.remove(path)
        table(f"twinset cluster, medians of {self.options.rounds} rounds, without and with "
              "--neighbors", ["scheme", "distance", "pairs", "CPU s", "with lists", "ratio"], rows)

    def sizes(self):
        rows = []
        columns = ["documents", "MB", "seconds", "CPU s", "MB/s", "peak MB", "spilled MB",
                   "spill / text", "removed", "recall 0.9 to 1", "recall 0.8 to 1", "right removals"]
        for documents in self.options.sizes:
            path = self.generate(documents, "sized.jsonl", "--threads",
                                 str(os.cpu_count() or 1))
            usage, summary = self.dedup(path, os.cpu_count() or 1, self.options.memory)
            truth = self.check(documents)
            size = os.path.getsize(path)
            spilled = max(usage.spilled_bytes, summary["run"].get("spilled_bytes", 0))
            rows.append([f"{documents:,}", f"{size / MEGABYTE:,.0f}", f"{usage.seconds:.1f}",
                         f"{usage.cpu_seconds:.1f}", f"{size / MEGABYTE / usage.seconds:,.0f}",
                         f"{usage.peak_bytes / MEGABYTE:,.0f}", f"{spilled / MEGABYTE:,.0f}",
                         f"{spilled / summary['matching']['text_bytes']:.2f}",
                         f"{summary['removed']:,}", share(truth["recall 0.9 to 1"]),
                         share(truth["recall 0.8 to 1"]), share(truth["precision"])])
            os.remove(path)
            if truth["survivors_not_kept"]:
                print(f"UNSOUND: {truth['survivors_not_kept']} removals have no kept survivor")
            lengths = [[name[len("recall "):], share(value)] for name, value in truth.items()
                       if name.startswith("recall ") and isinstance(value, dict)]
            table(f"recall by exact resemblance and tokens of the shorter, {documents:,} documents",
                  ["pairs", "not both kept"], lengths)
        table(f"twinset dedup by size, {os.cpu_count()} threads, --memory {self.options.memory}",
              columns, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/bench",
                        help="a build with benchmarks [build/bench]")
    parser.add_argument("--work", help="folder for collections and outputs [a temporary one]")
    parser.add_argument("--documents", type=int, default=100_000,
                        help="documents of the small collections [100000, some 220 MB]")
    parser.add_argument("--rounds", type=int, default=3, help="rounds medians are taken of [3]")
    parser.add_argument("--memory", default="2GiB", help="--memory of the runs by size [2GiB]")
    parser.add_argument("--input", action="append", default=[],
                        help="a file of your own, .jsonl or .jsonl.zst; may be repeated")
    parser.add_argument("--only", choices=["kernels", "runs", "clusters", "sizes"], help="one part alone")
    parser.add_argument("--size", type=int, action="append", dest="sizes", default=[],
                        help="a run by size of so many documents; may be repeated")
    for name, documents in (("million", 1_000_000), ("five-million", 5_000_000),
                            ("ten-million", 10_000_000)):
        parser.add_argument(f"--{name}", action="append_const", const=documents, dest="sizes",
                            help=f"{documents:,} documents, "
                                 f"{documents * DOCUMENT_BYTES / 1e9:.0f} GB")
    options = parser.parse_args()
    options.sizes = sorted(options.sizes or [options.documents])
    if options.work:
        os.makedirs(options.work, exist_ok=True)
    work = tempfile.mkdtemp(prefix="twinset-bench-", dir=options.work)
    try:
        bench = Bench(options, work)
        if options.only in (None, "kernels"):
            bench.kernels()
        if options.only in (None, "runs"):
            bench.whole_runs()
        if options.only in (None, "clusters"):
            bench.clusters()
            bench.neighbors()
        if options.only in (None, "sizes"):
            bench.sizes()
    except Failure as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
