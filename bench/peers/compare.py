#!/usr/bin/env python3
"""twinset beside its peers: the same collections, threshold and core, and an exact oracle for all.

    bench/peers/compare.py --binary build/release/twinset              # every peer, at 0.7, 0.8 and 0.9
    bench/peers/compare.py --binary ... --peers gaoya rensa --sets million --thresholds 0.8
    bench/peers/compare.py --binary ... --bad                          # a broken line, a bad byte
    bench/peers/compare.py --write                                     # the pages, of what was measured

Each peer is a file of peers/, and is installed with the versions that it names into an environment of its
own under --work. A way of running is one core and one thread. Its figures:

- CPU seconds (user and system) and wall seconds, of the whole run: parsing, deciding, the list of kept ids;
- the same CPU seconds over those of `LC_ALL=C wc -w` on the same file, run right before on the same core, so
  that what else the machine does counts for both;
- peak memory, the sum over its processes, and the most bytes that lay in its folder, its output included;
- recall: of all pairs with at least the threshold's resemblance, those of which one went;
- wrong: what went though no kept text resembles it as much (bands and components of a graph remove
  such); precision: the rest's share of what went;
- by planted edit: of the copies that still resemble their original as much, those that went, or whose
  original did;
- whether a second run kept the same records.

Resemblance is exact (truth.py). twinset is one row of the table, under the same rules.

Each figure is in --work/results.json as soon as it is known, and a later call measures only what isn't
there; --again measures all that it is asked for. --write puts that file into this folder, and results.md,
results.svg and the table of README.md are made of it. Standard library only; needs python3-venv, and a
network where a peer isn't installed yet.
"""

import argparse
import collections
import datetime
import itertools
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
README = HERE.parent.parent / "README.md"
MARK = "<!-- measured -->"
sys.path.insert(1, str(HERE.parent))
from run import folder_bytes  # of bench/run.py
import truth
LEAST = 0.5  # pairs below are of no use to any threshold
MEGABYTE, GIGABYTE = 1e6, 1e9
CLOCK = 4  # A run may take this many times its CPU seconds by the clock.
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


def resident_bytes(pids):
    total = 0
    for each in pids:
        try:
            with open(f"/proc/{each}/statm", encoding="ascii") as memory:
                total += int(memory.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            pass
    return total


def cpu_seconds(pids):
    """User and system, of each and of its children that ended."""
    ticks = 0
    for each in pids:
        try:
            with open(f"/proc/{each}/stat", encoding="ascii", errors="replace") as stat:
                ticks += sum(map(int, stat.read().rpartition(")")[2].split()[11:15]))
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


Run = collections.namedtuple("Run", "code seconds cpu_seconds peak_bytes disk_bytes failed")


def take_the_core():
    """The one on which all that is measured runs."""
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[-1]})


def counting_seconds(path):
    """CPU seconds in which wc counts the words of the file."""
    before = os.times()
    subprocess.run(["wc", "-w", path], env=dict(os.environ, LC_ALL="C"), stdout=subprocess.DEVNULL, check=True,
                   preexec_fn=take_the_core)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def run(command, folder, options, log):
    """One command on one core; its output goes to `log`."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false",
                       HF_HUB_OFFLINE="1", HF_DATASETS_CACHE=str(folder / "cache"))
    peaks = {"memory": 0, "disk": 0}
    ended = threading.Event()
    with open(log, "wb") as out:
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment,
                                   stdin=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=take_the_core)

        def watch():
            while not ended.wait(0.05):
                pids = descendants(process.pid)
                peaks["memory"] = max(peaks["memory"], resident_bytes(pids))
                peaks["disk"] = max(peaks["disk"], folder_bytes(folder))
                if cpu_seconds(pids) > options.limit:
                    peaks["stopped"] = f"stopped after {options.limit:g} CPU s"
                if time.monotonic() - began > CLOCK * options.limit:
                    peaks["stopped"] = f"stopped after {CLOCK * options.limit:g} s"
                if peaks["memory"] > options.memory * GIGABYTE:
                    peaks["stopped"] = f"stopped at {options.memory:g} GB of memory"
                if "stopped" in peaks:
                    os.killpg(process.pid, 9)
                    return

        watcher = threading.Thread(target=watch)
        watcher.start()
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        watcher.join()
    said = log.read_text(errors="replace").strip().split("\n")[-1][:100]
    failed = peaks.get("stopped") or (process.returncode and f"exit {process.returncode}: {said}")
    return Run(process.returncode, seconds, used.ru_utime + used.ru_stime,
               max(peaks["memory"], used.ru_maxrss * 1024), max(peaks["disk"], folder_bytes(folder)), failed)


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
        installed = subprocess.run([str(folder / "bin/python"), "-m", "pip", "install", "--quiet",
                                    *wanted.split()],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if installed.returncode:
            raise Failure(f"{script.stem} was not installed: {installed.stdout.decode()[-400:]}")
        made.write_text(wanted)
    return folder / "bin/python"


class Peer:
    """One way of running a peer."""

    def __init__(self, script, setting, fixed, python):
        self.fixed = fixed  # Knows no threshold: one run is judged at each.
        self.name = f"{script.stem.partition('_')[2]} {setting}"
        self.script, self.setting, self.python = script, setting, python
        self.versions = " ".join(requirements_of(script))

    def command(self, path, threshold, out):
        return [str(self.python), str(self.script), str(path), str(threshold), self.setting, str(out)]

    def kept(self, out, _):
        file = out / "kept.txt"
        return file.read_text().split("\n")[:-1] if file.exists() else []


class Twinset:
    fixed = False

    def __init__(self, binary, options=()):
        said = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout
        self.versions = said.strip().split("\n")[0]
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
        listed = subprocess.run([str(python), "-c", f"import {script.stem} as s; fixed = getattr(s, 'FIXED', ()); "
                                 "print(*(f'{each}\\t{each in fixed:d}' for each in s.SETTINGS), sep='\\n')"],
                                cwd=script.parent, capture_output=True, text=True, check=False)
        if listed.returncode:
            print(f"{script.stem} cannot be imported: {listed.stderr[-400:]}", file=sys.stderr)
        for line in listed.stdout.splitlines():
            setting, fixed = line.split("\t")
            yield Peer(script, setting, fixed == "1", python)


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


def truth_of(name, work):
    folder = work / "sets"
    folder.mkdir(parents=True, exist_ok=True)
    path, pairs = folder / f"{name}.jsonl", folder / f"{name}.pairs"
    if not path.exists():
        whole = folder / f"{name}.partial"
        sets.write(name, whole)
        whole.rename(path)
    if not pairs.exists():
        whole = folder / f"{name}.pairs.partial"
        truth.write_pairs(path, whole, LEAST)
        whole.rename(pairs)
    return path, Truth(path, pairs)


# --- measuring -------------------------------------------------------------------------------------

class Results:
    """What was measured: a dictionary in a file, which is whole at any moment."""

    def __init__(self, path):
        self.path = path
        self.all = json.loads(path.read_text()) if path.exists() else {"machine": machine(), "sets": {},
                                                                       "runs": [], "broken": []}

    def of(self, list_name, **keys):
        """The entry that has these, or None."""
        return next((each for each in self.all[list_name] if all(each.get(key) == value
                                                                 for key, value in keys.items())), None)

    def put(self, list_name, entry, **keys):
        old = self.of(list_name, **keys)
        if old:
            self.all[list_name].remove(old)
        self.all[list_name].append({**entry, **keys})
        self.save()
        print(list_name, self.all[list_name][-1], file=sys.stderr)

    def save(self):
        part = self.path.with_suffix(".partial")
        part.write_text(json.dumps(self.all, indent=0) + "\n")
        part.rename(self.path)


def measured(peer, path, threshold, options, work):
    """A row's figures but those of its quality, or what happened instead; and the ids that were kept."""
    kept, runs, ratios = [], [], []
    figures = {"versions": peer.versions, "date": str(datetime.date.today()), "load": os.getloadavg()[0], "machine": machine()}
    for _ in range(options.repeats):
        out = emptied(work)
        counting = counting_seconds(path)
        runs.append(run(peer.command(path, threshold, out), out.parent, options, work / "last.log"))
        ratios.append(runs[-1].cpu_seconds / max(counting, 0.01))
        if runs[-1].failed:
            return {**figures, "failed": runs[-1].failed, "cpu": runs[-1].cpu_seconds,
                    "peak": runs[-1].peak_bytes}, []
        kept.append(sorted(peer.kept(out, path)))
    best = min(runs, key=lambda each: each.cpu_seconds)
    return {**figures, "cpu": best.cpu_seconds, "of_wc": ratios[runs.index(best)], "wall": best.seconds, "peak": best.peak_bytes,
            "disk": best.disk_bytes, "same": "-" if len(kept) < 2 else
            "yes" if all(each == kept[0] for each in kept) else "no"}, kept[0]


def emptied(work):
    """A folder for a run's output that isn't there yet, in one that is empty."""
    out = work / "runs" / "out"
    shutil.rmtree(out.parent, ignore_errors=True)
    out.parent.mkdir(parents=True)
    return out


def compare(all_peers, options, work, results):
    for name in options.sets:
        try:
            path, known = truth_of(name, work)
        except sets.Missing as missing:
            print(f"{name} is left out: {missing}", file=sys.stderr)
            continue
        results.all["sets"][name] = {"documents": known.documents, "bytes": known.bytes,
                                     "planted": bool(known.planted)}
        for threshold, peer in itertools.product(options.thresholds, all_peers):
            keys = {"set": name, "threshold": threshold, "peer": peer.name}
            if not options.again and results.of("runs", **keys, versions=peer.versions):
                continue
            # One run of a peer that knows no threshold is judged at each.
            ids = work / "kept" / f"{name} {peer.name}.txt"
            same = peer.fixed and results.of("runs", set=name, peer=peer.name, versions=peer.versions)
            if same and not options.again:
                figures, kept = {**same, **keys}, ids.read_text().split()
            else:
                figures, kept = measured(peer, path, threshold, options, work)
                if peer.fixed:
                    ids.parent.mkdir(exist_ok=True)
                    ids.write_text("\n".join(kept))
            quality = {} if "failed" in figures else known.score(kept, threshold)
            results.put("runs", {**figures, **quality}, **keys)


BROKEN = {
    "a line that is no JSON": b'{"id": "broken", "text": "no end\n',
    "a byte that is no UTF-8":
        b'{"id": "broken", "text": "one byte \xff is wrong, and nothing else is in this text"}\n',
}


def compare_broken(all_peers, options, work, results):
    """What is left of 500 different records when one more, in their middle, is broken."""
    for what, line in BROKEN.items():
        path = work / "broken.jsonl"
        chance = random.Random(3)
        words = ["".join(chance.choices(string.ascii_lowercase, k=6)) for _ in range(2000)]
        records = [json.dumps({"id": str(i), "text": " ".join(chance.choices(words, k=40))})
                   for i in range(500)]
        path.write_bytes("\n".join(records[:250]).encode() + b"\n" + line +
                         "\n".join(records[250:]).encode() + b"\n")
        for peer in all_peers:
            if not options.again and results.of("broken", what=what, peer=peer.name, versions=peer.versions):
                continue
            out = emptied(work)
            ran = run(peer.command(path, 0.8, out), out.parent, options, work / "last.log")
            try:
                kept = len([name for name in peer.kept(out, path) if name != "broken"])
            except (OSError, ValueError):
                kept = 0
            results.put("broken", {"versions": peer.versions, "kept": kept, "code": ran.code}, what=what,
                        peer=peer.name)


# --- tables ----------------------------------------------------------------------------------------

def share(count, of):
    """A share cut, never rounded up, so that 1 is said of all alone."""
    return "-" if not of else "1" if count == of else f"{count * 10000 // of / 10000:.4f}"


def markdown(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|---|" + "--:|" * (len(columns) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def megabytes_a_second(results, got):
    return results["sets"][got["set"]]["bytes"] / got["cpu"] / MEGABYTE


def of_wc(got):
    return f"{got['of_wc']:,.2f}" if "of_wc" in got else "-"


def speed_table(results, rows):
    columns = ["", "CPU s", "of wc -w", "MB/s", "wall s", "peak MB", "disk MB", "removed", "wrong", "precision", "recall",
               "pairs left", "same again"]
    out = []
    for got in rows:
        if "failed" in got:
            out.append([got["peer"], got["failed"]] + [""] * (len(columns) - 2))
            continue
        out.append([got["peer"], f"{got['cpu']:.2f}", of_wc(got), f"{megabytes_a_second(results, got):.1f}",
                    f"{got['wall']:.2f}", f"{got['peak'] / MEGABYTE:.0f}", f"{got['disk'] / MEGABYTE:.0f}",
                    f"{got['removed']:,}", f"{got['removed'] - got['right']:,}",
                    share(got["right"], got["removed"]), share(got["found"], got["pairs"]),
                    f"{got['left']:,}", got["same"]])
    return markdown(columns, out)


def edit_table(rows):
    edits = list(sets.EDITS)
    out = [[got["peer"]] + [share(*got["edits"].get(edit, (0, 0))) for edit in edits]
           for got in rows if "failed" not in got]
    return markdown(["found, of planted copies"] + edits, out)


def rows_of(results, name, threshold):
    """twinset's first, then the others by name."""
    rows = [got for got in results["runs"] if (got["set"], got["threshold"]) == (name, threshold)]
    return sorted(rows, key=lambda got: (not got["peer"].startswith(TWINSET), got["peer"]))


def sections(results):
    for name in sets.NAMES:
        for threshold in sorted({got["threshold"] for got in results["runs"] if got["set"] == name}):
            rows = rows_of(results, name, threshold)
            pairs = next((got["pairs"] for got in rows if "failed" not in got), 0)
            known = results["sets"][name]
            yield (f"### {name}, {threshold}\n\n{known['documents']:,} texts, "
                   f"{known['bytes'] / MEGABYTE:,.1f} MB, {pairs:,} pairs.\n\n{speed_table(results, rows)}")
            if known["planted"]:
                yield edit_table(rows)
    columns = ["", *BROKEN]
    names = sorted({got["peer"] for got in results["broken"]})
    rows = []
    for peer in names:
        of = {got["what"]: f"{got['kept']}, exit {got['code']}" for got in results["broken"]
              if got["peer"] == peer}
        rows.append([peer] + [of.get(what, "-") for what in BROKEN])
    yield "### One broken record among 500: good ones written\n\n" + markdown(columns, rows)


def short_table(results):
    """Of each tool the setting with the best harmonic mean of precision and recall, on two collections."""
    chosen = {name: 0.8 for name in ("low", "million") if rows_of(results, name, 0.8)}
    cells = collections.defaultdict(dict)
    for name, threshold in chosen.items():
        best = {}
        for got in rows_of(results, name, threshold):
            tool = got["peer"] if got["peer"].startswith(TWINSET) else got["peer"].partition(" ")[0]
            quality = -1 if "failed" in got else 2 * got["right"] * got["found"] / (
                got["right"] * got["pairs"] + got["found"] * got["removed"])
            if quality > best.get(tool, (-2, None))[0]:
                best[tool] = quality, got
        for tool, (_, got) in best.items():
            cells[tool][name] = [got["failed"], "", "", "", ""] if "failed" in got else [
                f"{megabytes_a_second(results, got):.1f}", of_wc(got), f"{got['peak'] / MEGABYTE:,.0f}",
                share(got["right"], got["removed"]), share(got["found"], got["pairs"])]
    columns = [f"{name}: {what}" if place == 0 else what for name in chosen
               for place, what in enumerate(["MB/s", "CPU, wc -w = 1", "peak MB", "precision", "recall"])]
    table = markdown(["", *columns], [[tool] + [cell for name in chosen for cell in row.get(name, ["-"] * 5)]
                                      for tool, row in cells.items()])
    return f"{table}\n\n{measured_on(results, [got for name in chosen for got in rows_of(results, name, 0.8)])}"


def machine():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{os.cpu_count()} cores, {model}, Python {platform.python_version()}"


def measured_on(results, runs):
    """The machines of these runs, each with its days."""
    days = collections.defaultdict(set)
    for got in runs:
        days[got.get("machine", results["machine"])].add(got["date"])
    return "; ".join(f"{where}, {' to '.join(sorted({min(dates), max(dates)}))}" for where, dates in sorted(days.items()))


def dots(results):
    """What the picture shows: the runs at 0.8 that removed something rightly or not."""
    return [(got["set"], got["threshold"], got["peer"], megabytes_a_second(results, got),
             got["found"] / got["pairs"], got["right"] / got["removed"])
            for name in sets.NAMES for got in rows_of(results, name, 0.8)
            if "failed" not in got and got["pairs"] and got["removed"]]


def write_pages(results):
    page = HERE / "results.md"
    head = page.read_text().partition(MARK)[0]
    versions = sorted({got["versions"] for got in results["runs"]})
    page.write_text(f"{head}{MARK}\n\n{measured_on(results, results['runs'])}; {'; '.join(versions)}.\n\n" + "\n\n".join(sections(results)) + "\n")
    (HERE / "results.svg").write_text(picture.drawn(dots(results)))
    before, _, rest = README.read_text().partition("<!-- peers -->\n")
    after = rest.partition("<!-- end of peers -->\n")[2]
    README.write_text(f"{before}<!-- peers -->\n{short_table(results)}\n<!-- end of peers -->\n{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", help="the twinset program; without it, nothing is measured")
    parser.add_argument("--work", default="build/peers", help="environments, collections and runs")
    parser.add_argument("--peers", nargs="*", help="these peers only; twinset always runs")
    parser.add_argument("--sets", nargs="*", default=["terms", "low", "planted"], choices=sets.NAMES)
    parser.add_argument("--thresholds", nargs="*", type=float, default=[0.7, 0.8, 0.9])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--limit", type=float, default=1800, help="CPU seconds that a run may take")
    parser.add_argument("--memory", type=float, default=12, help="GB that a run may take")
    parser.add_argument("--bad", action="store_true", help="only what becomes of broken input")
    parser.add_argument("--again", action="store_true", help="also what was measured before")
    parser.add_argument("--write", action="store_true", help="writes the pages of this repository")
    options = parser.parse_args()
    work = pathlib.Path(options.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    results = Results(work / "results.json")
    if options.binary:
        options.binary = os.path.abspath(options.binary)
        all_peers = list(peers(options, work))
        if not options.bad:
            compare(all_peers, options, work, results)
        compare_broken(all_peers, options, work, results)
        print("\n\n".join(sections(results.all)))
    if options.write:
        kept = HERE / "results.json"
        if results.all["runs"]:
            kept.write_text(results.path.read_text())
        write_pages(json.loads(kept.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
