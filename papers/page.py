"""What the pages of papers share: the program at hand, tables, what is held.

A page is a program that re-makes a table, a figure or a claim of a paper with the
built `twinset`, prints it as Markdown beside the paper's figure, and exits with 1 if
ours contradicts it:

    page = Page("The mean size of V_i", __doc__)
    page.table(["i", "paper", "ours"], rows)
    page.hold(100 <= mean <= 200, "V_i has 100 to 200 elements")
    page.finish("the printed 50-100 is 100-200")

Everything printed is the same in every run, but for what stands between
`page.of_this_machine()` and `page.of_any_machine()`; run.py leaves that out when it
compares a page with the committed one. Standard library only; zstd is the command
of that name.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

MACHINE_BEGINS = "<!-- of one machine -->"
MACHINE_ENDS = "<!-- of any machine -->"

# Deviations in standard errors beyond which a figure is held to differ: by chance in
# one of 10^8 (normal), as in the unit tests. Pages have fixed seeds all the same.
FAR = 5.73


def _in_memory(room):
    """A folder in memory with that much room, or None: a disk's syncs take most of a
    short run's time."""
    if not os.access("/dev/shm", os.W_OK):
        return None
    there = os.statvfs("/dev/shm")
    return "/dev/shm" if there.f_bavail * there.f_frsize >= room else None


class Page:
    def __init__(self, title, doc, more=None, room=1 << 30):
        """`more` is {option: settings} beside those of every page; `room` is the bytes its
        folder may take, or a function of the options that tells."""
        parser = argparse.ArgumentParser(description=doc.split("\n")[0])
        parser.add_argument("--binary", required=True, type=pathlib.Path,
                            help="the twinset to ask")
        parser.add_argument("--figures", type=pathlib.Path,
                            help="folder for the page's SVG files; without it none is written")
        for option, settings in (more or {}).items():
            parser.add_argument(option, **settings)
        self.options = parser.parse_args()
        self.binary = self.options.binary.resolve()
        if not os.access(self.binary, os.X_OK):
            sys.exit(f"no program at {self.binary}; build it first: make build")
        self.contradictions = []
        self._folder = tempfile.TemporaryDirectory(prefix="twinset-papers-", dir=_in_memory(
            room(self.options) if callable(room) else room))
        self.folder = pathlib.Path(self._folder.name)
        print(f"# {title}\n")

    # --- what is printed

    def text(self, text):
        """A paragraph, or several."""
        print(text.strip() + "\n")

    def table(self, header, rows):
        """Cells are strings or numbers; the first column is words."""
        print("| " + " | ".join(header) + " |")
        print("|---" + "|--:" * (len(header) - 1) + "|")
        for row in rows:
            print("| " + " | ".join(str(cell) for cell in row) + " |")
        print()

    def figure(self, name, svg, what):
        print(f"![{what}]({name})\n")
        if self.options.figures:
            (self.options.figures / name).write_text(svg)

    def of_this_machine(self):
        print(MACHINE_BEGINS + "\n")

    def of_any_machine(self):
        print(MACHINE_ENDS + "\n")

    # --- what is held

    def hold(self, held, what):
        """`what` is the claim in words; a page with one that does not hold ends in 1."""
        if not held:
            self.contradictions.append(what)
        return "yes" if held else "NO"

    def finish(self, result):
        for what in self.contradictions:
            print(f"CONTRADICTED: {what}\n")
        print("result: " + (f"{len(self.contradictions)} contradicted; " if self.contradictions
                            else "") + result)
        sys.exit(1 if self.contradictions else 0)

    def skip(self, why):
        """Ends the page: what it needs is not here."""
        print(f"result: skipped, {why}")
        sys.exit(0)

    # --- the program and its files

    def twinset(self, *arguments, exit_codes=(0,)):
        """A finished run's standard output."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TWINSET_")}
        environment["LC_ALL"] = "C.UTF-8"
        done = subprocess.run([str(self.binary), *map(str, arguments)], cwd=self.folder,
                              text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment, check=False)
        if done.returncode not in exit_codes:
            sys.exit(f"twinset {' '.join(map(str, arguments))} ended with {done.returncode}: "
                     f"{done.stderr.strip()}")
        return done.stdout

    def write_records(self, name, records):
        path = self.folder / name
        with open(path, "w", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
        return path

    def cluster(self, name, inputs, *options):
        """Runs `twinset cluster` into a folder of that name; its path."""
        out = self.folder / name
        self.twinset("cluster", *inputs, "-o", out, "--quiet", *options)
        return out


def read_lines(path):
    """The objects of a .jsonl or .jsonl.zst file."""
    path = str(path)
    if path.endswith(".zst"):
        data = subprocess.run(["zstd", "-q", "-dc", "--long=27", path], stdout=subprocess.PIPE,
                              check=True).stdout
    else:
        data = pathlib.Path(path).read_bytes()
    return [json.loads(line) for line in data.split(b"\n") if line]


def read_summary(folder):
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def read_pairs(folder):
    """{(id, id of an earlier one): (shared, keys of the first, keys of the other)} of
    what cluster counted."""
    ids, pairs = {}, {}
    for line in read_lines(folder / "pairs.jsonl.zst"):
        ids[line["input"], line["record"]] = line["id"]
        for file, record, shared, own_keys, other_keys in line.get("pairs", []):
            pairs[line["id"], ids[file, record]] = (shared, own_keys, other_keys)
    return pairs


class Counted:
    """What cluster says of any two documents of a folder that keeps all pairs: with
    `mod(modulus=1)`, which counts every shingle, exactly."""

    def __init__(self, folder):
        self._pairs = read_pairs(folder)
        self._original = {}
        ids = {}
        for line in read_lines(folder / "pairs.jsonl.zst"):
            ids[line["input"], line["record"]] = line["id"]
            copied = line.get("identical", line.get("lexical"))
            if copied is not None:
                self._original[line["id"]] = ids[tuple(copied)]

    def _counts(self, a, b):
        """Shared, of a, of b."""
        a, b = self._original.get(a, a), self._original.get(b, b)
        if a == b:
            return 1, 1, 1
        if (a, b) in self._pairs:
            return self._pairs[a, b]
        shared, of_b, of_a = self._pairs.get((b, a), (0, 1, 1))
        return shared, of_a, of_b

    def resemblance(self, a, b):
        shared, of_a, of_b = self._counts(a, b)
        return shared / (of_a + of_b - shared)

    def containment(self, a, b):
        """Of a in b."""
        shared, of_a, _ = self._counts(a, b)
        return shared / of_a


def count_all(page, name, collection, size):
    """Every shingle of `size` words of a small collection counted."""
    return Counted(page.cluster(name, [collection], "--floor", "0", "--verify", "sketch",
                                "--max-group", "0",
                                "--scheme", f"mod(shingle={size}, modulus=1)"))


def data_set(name):
    """The path of a real collection's folder below TWINSET_DATA, or None."""
    root = os.environ.get("TWINSET_DATA")
    path = pathlib.Path(root) / name if root else None
    return path if path and path.is_dir() else None


# --- texts of known resemblance

def word(number):
    """A word for each number, of letters alone: no two numbers share one."""
    letters = []
    while True:
        letters.append("abcdefghijklmnopqrstuvwxyz"[number % 26])
        number //= 26
        if number == 0:
            return "q" + "".join(letters)


class Words:
    """New words: no text made of them shares a shingle with another by chance."""

    def __init__(self):
        self._next = 0

    def take(self, count):
        self._next += count
        return [word(i) for i in range(self._next - count, self._next)]


def shingles(words, size=5):
    return {tuple(words[i:i + size]) for i in range(len(words) - size + 1)}


# --- statistics

def mean(values):
    return math.fsum(values) / len(values)


def variance(values):
    """Unbiased."""
    center = mean(values)
    return math.fsum((value - center) ** 2 for value in values) / (len(values) - 1)
