#!/usr/bin/env python3
"""twinset beside its peers: the same collections, threshold and core, and an exact oracle for all.

    bench/peers/compare.py --binary build/release/twinset              # every peer, at 0.8
    bench/peers/compare.py --binary ... --peers gaoya rensa --sets low --thresholds 0.7 0.8 0.9
    bench/peers/compare.py --binary ... --bad                          # a broken line, a bad byte
    bench/peers/compare.py --binary ... --write                        # results.md and results.svg

Each peer is a file of peers/, and is installed with the versions that it names into an environment of its
own under --work. A way of running is one core and one thread. Its figures:

- CPU seconds (user and system) and wall seconds, of the whole run: parsing, deciding, the list of kept ids;
- peak memory, the sum over its processes, and the most bytes that lay in its folder while it ran;
- recall: of all pairs with at least the threshold's resemblance, those of which one went;
- precision: of what went, that which a kept text resembles as much (bands and components of a graph
  remove more: texts that resemble nothing that is left);
- by planted edit: of the copies that still resemble their original as much, those that went, or whose
  original did;
- whether a second run kept the same records.

Resemblance is exact (truth.py). twinset is one row of the table, under the same rules. Standard library
only; needs python3-venv, and a network where a peer isn't installed yet.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import platform
import random
import re
import shutil
import string
import subprocess
import sys
import threading
import time

import picture
import sets

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))
from run import folder_bytes  # of bench/run.py
LEAST = 0.5  # pairs below are of no use to any threshold
MEGABYTE = 1e6
TWINSET = "twinset"


class Failure(Exception):
    pass


# --- running ---------------------------------------------------------------------------------------

def descendants(pid):
    found, left = [], [pid]
    while left:
        pid = left.pop()
        found.append(pid)
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as children:
                    left += [int(child) for child in children.read().split()]
        except OSError:
            pass  # ended since
    return found


def resident_bytes(pid):
    total = 0
    for each in descendants(pid):
        try:
            with open(f"/proc/{each}/statm", encoding="ascii") as memory:
                total += int(memory.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            pass
    return total


Run = collections.namedtuple("Run", "code seconds cpu_seconds peak_bytes disk_bytes said")


def run(command, folder, limit, log):
    """One command on one core; its output goes to `log`."""
    core = sorted(os.sched_getaffinity(0))[-1]
    environment = dict(os.environ, OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false",
                       HF_HUB_OFFLINE="1", HF_DATASETS_CACHE=str(folder / "cache"))
    peaks = {"memory": 0, "disk": 0}
    ended = threading.Event()
    with open(log, "wb") as out:
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment,
                                   stdin=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=lambda: os.sched_setaffinity(0, {core}))

        def watch():
            while not ended.wait(0.05):
                peaks["memory"] = max(peaks["memory"], resident_bytes(process.pid))
                peaks["disk"] = max(peaks["disk"], folder_bytes(folder))
                if time.monotonic() - began > limit:
                    os.killpg(process.pid, 9)

        watcher = threading.Thread(target=watch)
        watcher.start()
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        watcher.join()
    return Run(process.returncode, seconds, used.ru_utime + used.ru_stime,
               max(peaks["memory"], used.ru_maxrss * 1024), peaks["disk"],
               log.read_text(errors="replace"))


# --- peers -----------------------------------------------------------------------------------------

def requirements_of(script):
    found = re.search(r"^# requires: (.*)$", script.read_text(), re.M)
    return found.group(1).split() if found else []


def environment_of(script, work):
    """The interpreter of an environment that has what a script requires, made if it isn't there."""
    wanted = " ".join(requirements_of(script))
    folder = work / "environments" / script.stem
    made = folder / "made"
    if not made.exists() or made.read_text() != wanted:
        print(f"installing {wanted}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        installed = subprocess.run([str(folder / "bin/pip"), "install", "--quiet", *wanted.split()],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if installed.returncode:
            raise Failure(f"{script.stem} was not installed: {installed.stdout.decode()[-400:]}")
        made.write_text(wanted)
    return folder / "bin/python"


class Peer:
    """One way of running a peer."""

    def __init__(self, script, setting, python):
        self.name = f"{script.stem.partition('_')[2]} {setting}"
        self.script, self.setting, self.python = script, setting, python
        self.versions = " ".join(requirements_of(script))

    def command(self, path, threshold, out):
        return [str(self.python), str(self.script), str(path), str(threshold), self.setting, str(out)]

    def kept(self, out, _):
        file = out / "kept.txt"
        return file.read_text().split("\n")[:-1] if file.exists() else []


class Twinset:
    versions = ""

    def __init__(self, binary, options=()):
        self.name = " ".join([TWINSET, *options])
        self.binary, self.options = binary, options

    def command(self, path, threshold, out):
        return [self.binary, "dedup", str(path), "-o", str(out), "-r", str(threshold), "-j", "1", "-q",
                *self.options]

    def kept(self, out, path):
        with open(out / path.name, encoding="utf-8", errors="replace") as lines:
            return [json.loads(line)["id"] for line in lines]


def peers(options, work):
    yield Twinset(options.binary)
    yield Twinset(options.binary, ("--verify", "sketch"))
    for script in sorted((HERE / "peers").glob("with_*.py")):
        if options.peers and script.stem.partition("_")[2] not in options.peers:
            continue
        try:
            python = environment_of(script, work)
        except Failure as failure:
            print(failure, file=sys.stderr)
            continue
        listed = subprocess.run([str(python), "-c", f"import {script.stem} as s; print(*s.SETTINGS)"],
                                cwd=script.parent, capture_output=True, text=True, check=False)
        if listed.returncode:
            print(f"{script.stem} cannot be imported: {listed.stderr[-400:]}", file=sys.stderr)
        for setting in listed.stdout.split():
            yield Peer(script, setting, python)


# --- truth -----------------------------------------------------------------------------------------

class Truth:
    """The records of a collection and the exact resemblance of its pairs."""

    def __init__(self, path, pairs):
        self.documents, self.bytes, self.planted = 0, 0, []
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                self.bytes += len(record["text"].encode())
                if "planted" in record:
                    self.planted.append((int(record["id"]), int(record["planted"]["of"]),
                                         record["planted"]["edit"]))
                self.documents += 1
        self.pairs = []
        with open(pairs, encoding="ascii") as lines:
            for line in lines:
                a, b, common, union = map(int, line.split())
                self.pairs.append((a, b, common / union))

    def score(self, kept, threshold):
        """What a list of kept ids is worth."""
        kept = {int(name) for name in kept}
        partners = collections.defaultdict(list)
        found = pairs = left = 0
        at_least = {}
        for a, b, resemblance in self.pairs:
            if resemblance < threshold:
                continue
            at_least[a, b] = True
            pairs += 1
            if a in kept and b in kept:
                left += 1
            else:
                found += 1
            partners[a].append(b)
            partners[b].append(a)
        removed = [d for d in range(self.documents) if d not in kept]
        right = sum(any(other in kept for other in partners[d]) for d in removed)
        edits = collections.defaultdict(lambda: [0, 0])
        for copy, original, edit in self.planted:
            if (min(copy, original), max(copy, original)) in at_least:
                edits[edit][1] += 1
                edits[edit][0] += copy not in kept or original not in kept
        return {"removed": len(removed), "right": right, "pairs": pairs, "found": found, "left": left,
                "edits": {edit: tuple(counts) for edit, counts in edits.items()}}


def truth_of(name, options, work):
    folder = work / "sets"
    folder.mkdir(parents=True, exist_ok=True)
    path, pairs = folder / f"{name}.jsonl", folder / f"{name}.pairs"
    if not path.exists():
        whole = folder / f"{name}.partial"
        sets.write(name, whole)
        whole.rename(path)
    if not pairs.exists():
        whole = folder / f"{name}.pairs.partial"
        python = environment_of(HERE / "truth.py", work)
        subprocess.run([str(python), str(HERE / "truth.py"), str(path), str(whole), str(LEAST)], check=True)
        whole.rename(pairs)
    return path, Truth(path, pairs)


# --- tables ----------------------------------------------------------------------------------------

def share(count, of):
    """A share cut, never rounded up, so that 1 is said of all alone."""
    return "-" if not of else "1" if count == of else f"{count * 10000 // of / 10000:.4f}"


def markdown(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|---|" + "--:|" * (len(columns) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def measured(peer, path, truth, threshold, options, work):
    """A row's figures, or what happened instead."""
    kept = []
    runs = []
    for repeat in range(options.repeats):
        out = work / "runs" / "out"
        shutil.rmtree(out.parent, ignore_errors=True)
        out.parent.mkdir(parents=True)
        runs.append(run(peer.command(path, threshold, out), out.parent, options.limit, work / "last.log"))
        if runs[-1].code:
            last = runs[-1].said.strip().split("\n")[-1][:100]
            return {"failed": f"stopped after {options.limit} s" if runs[-1].seconds >= options.limit
                              else f"exit {runs[-1].code}: {last}"}
        kept.append(sorted(peer.kept(out, path)))
    best = min(runs, key=lambda each: each.cpu_seconds)
    return {"cpu": best.cpu_seconds, "wall": best.seconds, "peak": best.peak_bytes,
            "disk": best.disk_bytes, "same": "-" if len(kept) < 2 else
            "yes" if all(each == kept[0] for each in kept) else "no",
            **truth.score(kept[0], threshold)}


def speed_table(truth, rows):
    columns = ["", "CPU s", "MB/s", "wall s", "peak MB", "disk MB", "removed", "precision", "recall",
               "pairs left", "same again"]
    out = []
    for name, got in rows:
        if "failed" in got:
            out.append([name, got["failed"]] + [""] * (len(columns) - 2))
            continue
        out.append([name, f"{got['cpu']:.2f}", f"{truth.bytes / got['cpu'] / MEGABYTE:.1f}",
                    f"{got['wall']:.2f}", f"{got['peak'] / MEGABYTE:.0f}", f"{got['disk'] / MEGABYTE:.0f}",
                    f"{got['removed']:,}", share(got["right"], got["removed"]),
                    share(got["found"], got["pairs"]), f"{got['left']:,}", got["same"]])
    return markdown(columns, out)


def edit_table(rows):
    edits = list(sets.EDITS)
    out = [[name] + [share(*got["edits"].get(edit, (0, 0))) for edit in edits]
           for name, got in rows if "failed" not in got]
    return markdown(["found, of planted copies"] + edits, out)


def compared(options, work):
    sections, dots = [], []
    for name in options.sets:
        try:
            path, truth = truth_of(name, options, work)
        except sets.Missing as missing:
            print(f"{name} is left out: {missing}", file=sys.stderr)
            continue
        for threshold in options.thresholds:
            pairs = sum(resemblance >= threshold for _, _, resemblance in truth.pairs)
            title = (f"### {name}, {threshold}\n\n{truth.documents:,} texts, "
                     f"{truth.bytes / MEGABYTE:,.1f} MB, {pairs:,} pairs.\n")
            rows = []
            for peer in peers(options, work):
                rows.append((peer.name, measured(peer, path, truth, threshold, options, work)))
                print(f"{name} {threshold} {rows[-1]}", file=sys.stderr)
            sections.append("\n".join([title, speed_table(truth, rows)] +
                                      (["", edit_table(rows)] if truth.planted else [])))
            dots += [(name, threshold, who, truth.bytes / got["cpu"] / MEGABYTE,
                      got["found"] / got["pairs"], got["right"] / got["removed"])
                     for who, got in rows if "failed" not in got and got["pairs"] and got["removed"]]
    return "\n\n".join(sections), dots


BROKEN = {
    "a line that is no JSON": b'{"id": "broken", "text": "no end\n',
    "a byte that is no UTF-8":
        b'{"id": "broken", "text": "one byte \xff is wrong, and nothing else is in this text"}\n',
}


def broken(options, work):
    """What is left of 500 different records when one more, in their middle, is broken."""
    rows = []
    for what, line in BROKEN.items():
        path = work / "broken.jsonl"
        chance = random.Random(3)
        words = ["".join(chance.choices(string.ascii_lowercase, k=6)) for _ in range(2000)]
        records = [json.dumps({"id": str(i), "text": " ".join(chance.choices(words, k=40))})
                   for i in range(500)]
        path.write_bytes("\n".join(records[:250]).encode() + b"\n" + line +
                         "\n".join(records[250:]).encode() + b"\n")
        for peer in peers(options, work):
            out = work / "runs" / "out"
            shutil.rmtree(out.parent, ignore_errors=True)
            out.parent.mkdir(parents=True)
            ran = run(peer.command(path, 0.8, out), out.parent, options.limit, work / "last.log")
            try:
                kept = len([name for name in peer.kept(out, path) if name != "broken"])
            except (OSError, ValueError):
                kept = 0
            rows.append([what, peer.name, str(kept), str(ran.code)])
    return "### One broken record among 500\n\n" + markdown(["", "", "good ones written", "exit code"], rows)


def machine():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{os.cpu_count()} cores, {model}, Python {platform.python_version()}, {datetime.date.today()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, help="the twinset program")
    parser.add_argument("--work", default="build/peers", help="environments, collections and runs")
    parser.add_argument("--peers", nargs="*", help="these peers only; twinset always runs")
    parser.add_argument("--sets", nargs="*", default=list(sets.NAMES), choices=sets.NAMES)
    parser.add_argument("--thresholds", nargs="*", type=float, default=[0.8])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--limit", type=float, default=1800, help="seconds that a run may take")
    parser.add_argument("--bad", action="store_true", help="only what becomes of broken input")
    parser.add_argument("--write", action="store_true", help="writes results.md and results.svg")
    options = parser.parse_args()
    options.binary = os.path.abspath(options.binary)
    work = pathlib.Path(options.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    said = ""
    dots = []
    if not options.bad:
        said, dots = compared(options, work)
        said += "\n\n"
    said += broken(options, work)
    versions = sorted({peer.versions for peer in peers(options, work)} - {""})
    said = f"{machine()}; {'; '.join(versions)}.\n\n{said}\n"
    print(said)
    if options.write:
        page = HERE / "results.md"
        head = page.read_text().partition("<!-- measured -->")[0]
        page.write_text(f"{head}<!-- measured -->\n\n{said}")
        if dots:
            (HERE / "results.svg").write_text(picture.drawn(dots))
    return 0


if __name__ == "__main__":
    sys.exit(main())
