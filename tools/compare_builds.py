#!/usr/bin/env python3
"""Runs every verb of two programs over a collection, and lists each output that differs.

    python3 tools/compare_builds.py OLD NEW INPUT [INPUT...]
    python3 tools/compare_builds.py OLD NEW pages.jsonl --options=--text=html

For a change that should change no byte: OLD is the program before it. Each verb runs in a folder
of its own name, so that paths are equal. What may differ from run to run is masked: times, rates
and memory. Runs that fail in both programs are named at the end. The exit code is 1 if an output differs or a run's exit code
does. Standard library only; zstd must be installed.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# (name, arguments; {in} the inputs, {out} a name of its own for the output)
RUNS = [
    ("dedup", "dedup {in} -o {out} --report {out}.html"),
    ("dedup-contained", "dedup {in} -o {out} --containment 0.9 -r 0.6"),
    ("dedup-sketch", "dedup {in} -o {out} --verify sketch --emit ids"),
    ("dedup-pages", "dedup {in} -o {out} --templates auto"),
    ("explain", "explain dedup @removed --json"),
    ("show", "show dedup"),
    ("show-json", "show dedup --json"),
    ("inspect", "inspect dedup"),
    ("cluster", "cluster {in} -o {out} --report {out}.html"),
    ("cluster-sketch", "cluster {in} -o {out} --verify sketch"),
    ("cluster-simhash", "cluster {in} -o {out} --scheme simhash"),
    ("recut", "recut cluster -r 0.9 -o {out}"),
    ("inspect-cluster", "inspect cluster"),
    ("plan", "plan {in} --json"),
    ("spans", "spans {in} -o {out} --cut"),
    ("sketch", "sketch {in} --scheme simhash --scheme mod -o {out}.jsonl"),
    ("sketch-near", "sketch {in} --scheme simhash -o {out}.jsonl"),
    ("join", "join sketch-near.jsonl -o {out}.jsonl"),
    ("lexicon", "lexicon count {in} -o {out}.df"),
    ("lexicon-build", "lexicon build lexicon.df -o {out}.lexicon"),
    ("discover", "discover {in} -o {out}.labels --json"),
    ("labels", "labels show discover.labels --json"),
    ("detect", "detect {in} -L discover.labels -o {out} --report {out}.html"),
    ("detect-json", "detect {in} -L discover.labels --json"),
    ("detect-merge", "detect --merge detect -o {out}"),
    ("evaluate", "evaluate {in} --sample 150 --json"),
    ("calibrate", "calibrate {in} --scheme simhash -r 0.8 --sample 1000 -o {out}.profile"),
    ("dedup-verbose", "dedup {in} --dry-run --verbose"),
    ("cluster-verbose", "cluster {in} -o {out} --verbose"),
    ("spans-report", "spans {in} -o {out} --report {out}.html --verbose"),
    ("sketch-report", "sketch {in} --scheme simhash -o {out}.jsonl --report {out}.html"),
    ("discover-text", "discover {in} -o {out}.labels --over-chunks 3 --over-files 1 --report {out}.html"),
    ("labels-text", "labels show discover-text.labels --top 20"),
    ("detect-text", "detect {in} -L discover-text.labels --report {out}.html --verbose"),
    ("plan-text", "plan {in}"),
    ("evaluate-text", "evaluate {in} --sample 150"),
    ("judge-page", "judge cluster --by resemblance --judge a -o {out}.judged --page {out}.html"),
    ("lexicon-text", "lexicon show lexicon.df"),
    ("schemes", "schemes"),
    ("done", "cluster {in} -o cluster --report cluster.html"),
    ("wrong", "dedup {in} -o {out} --resemblance 2"),
    ("missing", "dedup no-such-file.jsonl -o {out}"),
]

# Of text: what may differ from run to run.
MASKS = [
    (re.compile(rb"\d+(?:[.,]\d+)* (?:ms|s|min|h|MB|GB|kB|KiB|MiB|GiB)\b(?: of text)?(?: a second)?"), b"#"),
    (re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), b"#"),
    (re.compile(rb'"(?:seconds|cpu_seconds|peak_memory_bytes|spilled_bytes|real)": ?[\d.e+-]+'), b"#"),
]
# Members of JSON objects, at any depth, that tell of the run.
RUN_FACTS = {"run", "started", "seconds", "cpu_seconds", "peak_memory_bytes", "memory_bytes", "stages",
             "cost", "costs", "documents_per_second", "text_bytes_per_second"}


def mask(value):
    if isinstance(value, dict):
        # Numbers of a report.
        if value.get("unit") == "seconds" or "memory" in str(value.get("name", "")):
            return "#"
        return {key: mask(inner) for key, inner in value.items() if key not in RUN_FACTS}
    if isinstance(value, list):
        return [mask(inner) for inner in value]
    return masked_text(value.encode()).decode() if isinstance(value, str) else value


def masked_text(data):
    for pattern, replacement in MASKS:
        data = pattern.sub(replacement, data)
    return data


def content(path):
    """What is compared of a file."""
    data = path.read_bytes()
    if path.suffix == ".zst":
        return subprocess.run(["zstd", "-dc", "--long=27", str(path)], capture_output=True, check=True).stdout
    return comparable(data)


def comparable(data):
    try:
        return json.dumps(mask(json.loads(data)), indent=1).encode()
    except ValueError:
        return masked_text(data)


def first_removed(folder):
    """The id of the first record that dedup removed; one that is nowhere if it removed none."""
    removed = folder / "dedup/removed.jsonl.zst"
    line = content(removed).split(b"\n")[0] if removed.exists() else b""
    return str(json.loads(line).get("id") or "none") if line else "none"


def run_all(program, inputs, folder):
    """Everything that the runs make: name -> content."""
    made = {}
    for name, arguments in RUNS:
        words = [program]
        for word in arguments.split():
            if word == "@removed":
                word = first_removed(folder)
            words += inputs if word == "{in}" else [word.replace("{out}", name)]
        done = subprocess.run(words, cwd=folder, capture_output=True, check=False, timeout=3600)
        made[f"{name}: exit code"] = str(done.returncode).encode()
        made[f"{name}: stdout"] = comparable(done.stdout)
        made[f"{name}: stderr"] = comparable(done.stderr)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            made[str(path.relative_to(folder))] = content(path)
    return made


def first_difference(old, new):
    for number, (a, b) in enumerate(zip(old.split(b"\n"), new.split(b"\n")), 1):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            begin = max(0, at - 60)
            return f"line {number}: {a[begin:at + 60]!r} became {b[begin:at + 60]!r}"
    return f"{len(old)} bytes became {len(new)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--options", default="", help="more options for each verb that reads the inputs")
    arguments = parser.parse_args()
    inputs = [os.path.abspath(name) for name in arguments.inputs] + arguments.options.split()
    results = []
    for program in (arguments.old, arguments.new):
        with tempfile.TemporaryDirectory() as folder:
            results.append(run_all(os.path.abspath(program), inputs, pathlib.Path(folder)))
    old, new = results
    # What fails in both proves little.
    failed = [name for name, _ in RUNS if name not in ("wrong", "missing")
              and old[f"{name}: exit code"] != b"0" and new[f"{name}: exit code"] != b"0"]
    differing = 0
    for name in sorted(old.keys() | new.keys()):
        if name not in new or name not in old:
            print(f"{name}: only the {'old' if name in old else 'new'} program makes it")
        elif old[name] != new[name]:
            print(f"{name}: {first_difference(old[name], new[name])}")
        else:
            continue
        differing += 1
    same = len(old.keys() | new.keys()) - differing
    if failed:
        print(f"fail in both programs: {', '.join(failed)}")
    print(f"compare_builds: {same} equal, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
