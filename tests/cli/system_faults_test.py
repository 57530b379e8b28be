#!/usr/bin/env python3
"""What the system gives goes wrong: memory that is refused at any allocation, and a clock that jumps.

    python3 tests/cli/system_faults_test.py --binary build/release/twinset [--every]

Each allocation of a script of changes of an index and questions to it fails in turn, alone or with all after it (--every; else some
of them, and of more only the message is looked at): a run that fails says so in one message, the index is then sound and as before
the change or after it, and the same command goes through. Then the script runs with clocks that show 1970, 2100 and both in turn, and must give the bytes that it gives with the real
one. Standard library only, and a C++ compiler, which makes the library that is loaded before the program.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

import harness

IO = 4
SOURCE = pathlib.Path(__file__).parent / "preload_faults.cc"


def preload(folder):
    """The library; None if it cannot be made."""
    path = folder / "faults.so"
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O1", "-shared", "-fPIC", "-o", path, SOURCE, "-ldl"]
    try:
        made = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        made = False
    return path if made else None


def write_sweeps(folder):
    """Three files of pages with dates: texts, versions and copies of them."""
    generator = random.Random(5)
    pages = [[f"w{generator.randrange(4000)}" for _ in range(60)] for _ in range(25)]
    for sweep in range(3):
        with (folder / f"s{sweep}.jsonl").open("w") as file:
            for number, words in enumerate(pages):
                words[generator.randrange(60)] = f"e{generator.randrange(10**6)}"
                url = f"http://h{number % 4}.org/{number if sweep < 2 or number % 5 else number + 100}"
                file.write(json.dumps({"id": f"{number}-{sweep}", "url": url, "date": f"2026-0{sweep + 1}-03",
                                       "text": " ".join(words)}) + "\n")


FIELDS = ["--url", "url", "--date", "date"]
ONE = ["--threads", "1"]
SCRIPT = [
    ["index", "create", "x", "--scheme", "fss", "--scheme", "mod", "-r", "0.8", "--texts"],
    ["index", "add", "x", "s0.jsonl", *FIELDS, *ONE],
    ["index", "delete", "x", "3-0", "4-0"],
    ["dedup", "s1.jsonl", "--against", "x", "--add", "-o", "kept", *FIELDS, *ONE],
    ["index", "add", "x", "s2.jsonl", *FIELDS, *ONE],
    ["query", "x", "s1.jsonl", "-q", *ONE],
    ["lookup", "x", "http://h1.org/1", "--json"],
    ["locate", "x", "http://h1.org/5", "http://h2.org/10", "--json"],
    ["index", "compact", "x"],
    ["index", "export", "x", "-q"],
    ["track", "s0.jsonl", "s1.jsonl", "s2.jsonl", *FIELDS, "-o", "changes", *ONE],
]


class Script:
    """Runs the commands in a folder of their own; what they leave can be put back."""

    def __init__(self, binary, folder, library):
        self.binary, self.folder, self.library = binary, folder, library

    def run(self, command, **extra):
        extra = {name: str(value) for name, value in extra.items()}
        return harness.run(self.binary, command, self.folder, extra={"LD_PRELOAD": str(self.library), **extra})

    def made(self):
        """All that the commands have made, by name; an index as its documents and its counts."""
        found = {}
        for out in ("kept", "changes"):
            found[out] = harness.snapshot(self.folder / out) if (self.folder / out).exists() else None
        if not (self.folder / "x/manifest").exists():
            return {**found, "x": None}
        verified = harness.run(self.binary, ["index", "verify", "x", "--json"], self.folder)
        if verified.returncode:
            return {**found, "x": "damaged"}
        stats = json.loads(verified.stdout)
        listed = harness.run(self.binary, ["index", "export", "x", "-q"], self.folder)
        return {**found, "x": (stats["documents"], stats["removed"], listed.stdout)}

    def save(self, to):
        shutil.copytree(self.folder, to)

    def put_back(self, saved):
        shutil.rmtree(self.folder)
        shutil.copytree(saved, self.folder)


def numbers(count, own, every):
    """The allocations that fail: some of the program's beginning, which is the same for all verbs, and more of what
    the verb itself does."""
    if every:
        return [*range(0, count - own, 500), *range(count - own, count)]
    return [*range(0, count - own, 15000), *range(count - own, count, max(1, own // 8))]


def step_between(command, own):
    """Every how many allocations one fails that is only to end the run with a message: dedup does most, and ends threads
    and objects of every kind."""
    return 37 if command[0] == "dedup" else max(1, own // 8)


def ends_with_a_message(done):
    said = harness.errors(done.stderr)
    return done.returncode == IO and len(said) == 1 and "memory" in said[0]


def messages(script, saved, command, refused, checks):
    """Runs in which allocations fail: all after one, that one alone, and in two threads."""
    two = ["2" if before == "--threads" else word for before, word in zip(["", *command], command)]
    ways = [(command, {}), (command, {"TWINSET_FAIL_ONCE": 1})]
    if two != command:
        ways.append((two, {}))
    for number in refused:
        for words, once in ways:
            script.put_back(saved)
            done = script.run(words, TWINSET_FAIL_ALLOCATION=number, **once)
            checks.check(done.returncode == 0 or ends_with_a_message(done),
                         f"{' '.join(words)}, allocation {number}{' alone' if once else ''}: exit {done.returncode}: "
                         f"{done.stderr}")
    return len(refused) * len(ways)


def failing_allocations(script, checks, every):
    counted = script.folder.parent / "counted"
    saved = script.folder.parent / "saved"
    script.run(["--version"], TWINSET_COUNT_ALLOCATIONS=counted)
    beginning = int(counted.read_text())
    tried = failed = 0
    for command in SCRIPT:
        shutil.rmtree(saved, ignore_errors=True)
        script.save(saved)
        before = script.made()
        whole = script.run(command, TWINSET_COUNT_ALLOCATIONS=counted)
        checks.check(whole.returncode == 0, f"{command}: {whole.stderr}")
        after = script.made()
        count = int(counted.read_text())
        own = min(count, max(0, count - beginning) + 500)
        tried += messages(script, saved, command, range(count - own, count, step_between(command, own)), checks)
        for number in numbers(count, own, every):
            for once in ({}, {"TWINSET_FAIL_ONCE": 1}):
                what = f"{' '.join(command)}, allocation {number}{' alone' if once else ''}"
                script.put_back(saved)
                done = script.run(command, TWINSET_FAIL_ALLOCATION=number, **once)
                tried += 1
                made = script.made()
                if done.returncode == 0:
                    checks.check(made == after and done.stdout == whole.stdout, f"{what}: another result")
                    continue
                failed += 1
                checks.check(ends_with_a_message(done), f"{what}: exit {done.returncode}: {done.stderr}")
                checks.check(made["x"] in (before["x"], after["x"]), f"{what}: the index is {str(made['x'])[:200]}")
                again = script.run(command)
                if command[:2] != ["index", "create"] or made["x"] is None:  # It is there, and is not made twice.
                    checks.check(again.returncode == 0, f"{what}, again: {again.stderr}")
                checks.check(script.made() == after, f"{what}, again: another result")
    print(f"{tried} failing allocations; of {failed} that ended a run the same command was given again")


def jumping_clocks(script, checks):
    empty = script.folder.parent / "empty"
    script.save(empty)
    results = {}
    for name, clock in (("the real one", None), ("1970", "0"), ("2100", "4102444800"), ("1970 and 2100", "0,4102444800"),
                        ("2100 and back", "4102444800,0,1"), ("between runs", "")):
        script.put_back(empty)
        printed = []
        for number, command in enumerate(SCRIPT):
            shown = clock if clock != "" else ("4102444800", "0", "1793000000")[number % 3]
            done = script.run(command, **({} if shown is None else {"TWINSET_CLOCK": shown}))
            checks.check(done.returncode == 0, f"{name}: {command}: {done.stderr}")
            printed.append([line for line in done.stdout.split("\n") if not line.startswith(("time", "started"))])
        results[name] = (printed, script.made(), harness.snapshot(script.folder / "x"))
        checks.check(results[name] == results["the real one"], f"a clock of {name}: another result")
        if clock == "0":
            summary = json.loads((script.folder / "kept/summary.json").read_text())
            checks.check("1970-01-01" in json.dumps(summary), "the clock was never asked: these prove nothing")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--every", action="store_true", help="every allocation, not some of them")
    arguments = parser.parse_args()
    checks = harness.Checks("system_faults")
    with harness.folder_for("system") as name:
        folder = pathlib.Path(name)
        library = preload(folder)
        if library is None:
            checks.skip("no C++ compiler makes the library that is loaded before the program")
            checks.passed += 1
            return checks.finish()
        work = folder / "work"
        work.mkdir()
        write_sweeps(work)
        script = Script(arguments.binary.resolve(), work, library)
        jumping_clocks(script, checks)
        script.put_back(folder / "empty")
        failing_allocations(script, checks, arguments.every)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
