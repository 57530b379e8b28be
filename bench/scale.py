#!/usr/bin/env python3
"""What `twinset plan --cluster` predicts of shards and their merge, beside what these take.

    bench/scale.py --binary build/release/twinset --collection build/release/bench/collection
    bench/scale.py ... --documents 100000 400000 1600000 --shards 4

For each size: made documents (bench/collection) in 16 files, a plan, the shards one after the other, and their merge. It
prints the table of docs/scale.md: predicted : measured. Seconds are CPU seconds, which other work on the machine
changes less than those of the clock; bytes moved are those of the folders of the shards; memory is the peak of one
process, of a shard the largest. --memory is for each. Standard library only.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

FILES = 16


def make(collection, documents, folder):
    folder.mkdir()
    each = -(-documents // FILES)
    for i in range(FILES):
        first = i * each
        with open(folder / f"{i:02}.jsonl", "wb") as file:
            subprocess.run([collection, "write", "--documents", str(documents), "--first", str(first), "--count",
                            str(min(each, documents - first))], stdout=file, check=True)


def run(binary, folder, *options):
    """What a run tells of itself in its folder, the last of its options."""
    subprocess.run([binary, *map(str, options), "-q"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return json.loads((folder / options[-1] / "summary.json").read_text())["run"]


def cpu(stages, *names):
    return sum(stages[name]["cpu_seconds"] for name in names if name in stages)


def compare(arguments, documents, folder):
    """Rows of the table, (name, predicted, measured)."""
    make(arguments.collection.resolve(), documents, folder / "in")
    binary, means = arguments.binary.resolve(), ["--threads", 2, "--memory", arguments.memory]
    plan = json.loads(subprocess.run([binary, "plan", "in", "--cluster", f"{arguments.shards}x2", "--json", "-q",
                                      *map(str, means)], cwd=folder, check=True, capture_output=True).stdout)
    said = plan["cluster"]["stages"]
    shards = [run(binary, folder, "dedup", "in", "--shard", f"{i}/{arguments.shards}", *means, "-o", f"parts{i}")
              for i in range(1, arguments.shards + 1)]
    parts = [f"parts{i}" for i in range(1, arguments.shards + 1)]
    moved = sum(path.stat().st_size for part in parts for path in (folder / part).rglob("*") if path.is_file())
    merge = run(binary, folder, "merge", *parts, *means, "-o", "clean")
    done = merge["stages"]
    later = ("fold", "pair", "verify", "prove", "write")
    rows = [
        ("read in shards, CPU s", cpu(said, "read"), sum(cpu(shard["stages"], "read") for shard in shards)),
        ("moved, MB", said["take over"]["moved_bytes"] / 1e6, moved / 1e6),
        ("memory of a shard, MB", said["read"]["memory_bytes"] / 1e6,
         max(shard["peak_memory_bytes"] for shard in shards) / 1e6),
        ("take over, CPU s", cpu(said, "take over"), cpu(done, "read")),
    ]
    rows += [(f"{name}, CPU s", cpu(said, *names), cpu(done, *names))
             for name, names in (("fold and pair", ("fold", "pair")), ("verify", ("verify", "prove")),
                                 ("write", ("write",)))]
    rows += [("merge, all, CPU s", cpu(said, "take over", *later), cpu(done, "read", *later)),
             ("memory of the merge, MB", max(stage["memory_bytes"] for stage in said.values()) / 1e6,
              merge["peak_memory_bytes"] / 1e6)]
    return plan["text_bytes"], rows


def figure(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--collection", required=True, type=pathlib.Path)
    parser.add_argument("--documents", nargs="+", type=int, default=[100_000, 400_000, 1_600_000])
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--memory", default="2G")
    arguments = parser.parse_args()
    columns = []
    for documents in arguments.documents:
        with tempfile.TemporaryDirectory() as folder:
            columns.append((documents, *compare(arguments, documents, pathlib.Path(folder))))
    print("| predicted : measured | " + " | ".join(f"{documents:,} documents, {text / 1e9:.2f} GB"
                                                   for documents, text, _ in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for i, (name, _, _) in enumerate(columns[0][2]):
        print(f"| {name} | " + " | ".join(f"{figure(rows[i][1])} : {figure(rows[i][2])}" for _, _, rows in columns)
              + " |")


if __name__ == "__main__":
    main()
