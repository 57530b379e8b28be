"""Shared by the pages of papers: running twinset, tables, and the claims that are checked.

A page is a program that reproduces a table, a figure or a claim of a paper with the
built `twinset`, prints it as Markdown beside the paper's figure, and exits with 1 if
the results contradict the paper:

    page = Page("The mean size of V_i", __doc__)
    page.table(["i", "paper", "ours"], rows)
    page.hold(100 <= mean <= 200, "V_i has 100 to 200 elements")
    page.finish("the printed 50-100 is 100-200")

The output is the same in every run, except between `page.of_this_machine()` and
`page.of_any_machine()`; run.py leaves that out when it compares a page with the committed
one. Needs only the standard library and the command zstd.
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

# A figure differs if it deviates by more standard errors than this: by chance one in 10^8 does
# (normal distribution), as in the unit tests. Pages have fixed seeds nevertheless.
FAR = 5.73


def _in_memory(room):
    """A folder in memory with so much room, or None: on a disk, syncs take most of a short
    run's time."""
    if not os.access("/dev/shm", os.W_OK):
        return None
    there = os.statvfs("/dev/shm")
    return "/dev/shm" if there.f_bavail * there.f_frsize >= room else None


class Page:
    def __init__(self, title, doc, more=None, room=1 << 30):
        """`more` is {option: settings} for options that not every page has; `room` is the bytes
        that its folder may take, or a function of the options that returns them."""
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

    # --- output

    def text(self, text):
        """Prints one paragraph or several."""
        print(text.strip() + "\n")

    def table(self, header, rows):
        """Prints a table. Cells are strings or numbers; the first column is text."""
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

    # --- claims

    def hold(self, held, what):
        """Checks a claim, `what` in words; if one does not hold, the page exits with 1."""
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
        """Ends the page, because something that it needs is missing."""
        print(f"result: skipped, {why}")
        sys.exit(0)

    # --- the program and its files

    def twinset(self, *arguments, exit_codes=(0,)):
        """Runs twinset and returns its standard output."""
        return self._run(arguments, exit_codes).stdout

    def refused(self, *arguments):
        """Runs twinset, which must refuse it as wrong usage, and returns what it said."""
        return self._run(arguments, (2,)).stderr

    def _run(self, arguments, exit_codes):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TWINSET_")}
        environment["LC_ALL"] = "C.UTF-8"
        done = subprocess.run([str(self.binary), *map(str, arguments)], cwd=self.folder,
                              text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment, check=False)
        if done.returncode not in exit_codes:
            sys.exit(f"twinset {' '.join(map(str, arguments))} ended with {done.returncode}: "
                     f"{done.stderr.strip()}")
        return done

    def write_records(self, name, records):
        path = self.folder / name
        with open(path, "w", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
        return path

    def cluster(self, name, inputs, *options):
        """Runs `twinset cluster` into a folder of that name and returns its path."""
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
    """The pairs that cluster counted: {(id, id of an earlier document): (shared, keys of the
    first, keys of the other)}."""
    ids, pairs = {}, {}
    for line in read_lines(folder / "pairs.jsonl.zst"):
        ids[line["input"], line["record"]] = line["id"]
        for file, record, shared, own_keys, other_keys in line.get("pairs", []):
            pairs[line["id"], ids[file, record]] = (shared, own_keys, other_keys)
    return pairs


class Counted:
    """The numbers of any two documents in a folder of cluster that keeps all pairs; exact
    with `mod(modulus=1)`, which counts every shingle."""

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
        """Shingles: shared, of a, of b."""
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
        """Containment of a in b."""
        shared, of_a, _ = self._counts(a, b)
        return shared / of_a


def count_all(page, name, collection, size):
    """Counts every shingle of `size` words in a small collection."""
    return Counted(page.cluster(name, [collection], "--floor", "0", "--verify", "sketch",
                                "--max-group", "0",
                                "--scheme", f"mod(shingle={size}, modulus=1)"))


def data_set(name):
    """The path of a real collection below TWINSET_DATA, or None."""
    root = os.environ.get("TWINSET_DATA")
    path = pathlib.Path(root) / name if root else None
    return path if path and path.is_dir() else None


# --- texts of known resemblance

def word(number):
    """A word for each number, different for each and of letters only."""
    letters = []
    while True:
        letters.append("abcdefghijklmnopqrstuvwxyz"[number % 26])
        number //= 26
        if number == 0:
            return "q" + "".join(letters)


class Words:
    """Makes new words: texts made of them never share a shingle by chance."""

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
    """The unbiased sample variance."""
    center = mean(values)
    return math.fsum((value - center) ** 2 for value in values) / (len(values) - 1)


def chi_square(bins):
    """Of counts that are expected to be equal."""
    expected = sum(bins) / len(bins)
    return math.fsum((count - expected) ** 2 for count in bins) / expected


def chi_square_limit(freedom):
    """Chi-square exceeds this once in 10^8 (Wilson and Hilferty's approximation)."""
    one_sided = 5.612
    share = 2 / (9 * freedom)
    return freedom * (1 - share + one_sided * math.sqrt(share)) ** 3


def wilson(hits, count, z=1.96):
    """The interval of a share, of 95 % if z is not given."""
    center = (hits + z * z / 2) / (count + z * z)
    reach = z / (count + z * z) * math.sqrt(hits * (count - hits) / count + z * z / 4)
    return max(0.0, center - reach), min(1.0, center + reach)
