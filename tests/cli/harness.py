"""What the end-to-end harnesses share: collections, runs, outputs, counting.

Standard library only; gzip and zstd are the commands of that name. A harness is a
program that makes a collection from a printed seed, runs the built `twinset` on it
under some hardship, and compares the bytes of what comes out with an undisturbed
run of its own.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time


class Checks:
    """Counts what held and prints what did not."""

    def __init__(self, name):
        self.name = name
        self.passed = 0
        self.failed = 0
        self.skipped = []

    def check(self, held, what):
        if held:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}", flush=True)
        return held

    def skip(self, what):
        self.skipped.append(what)
        print(f"skipped: {what}", flush=True)

    def finish(self, beside=""):
        skipped = f", {len(self.skipped)} skipped" if self.skipped else ""
        print(f"{self.name}: {self.passed} passed, {self.failed} failed{skipped}"
              + (f" ({beside})" if beside else ""))
        return 1 if self.failed or not self.passed else 0


def arguments(description, seed=True):
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    if seed:
        parser.add_argument("--seed", type=int, default=None, help="another seed than today's")
    parsed = parser.parse_args()
    parsed.binary = parsed.binary.resolve()
    if not os.access(parsed.binary, os.X_OK):
        print(f"no program at {parsed.binary}; build it first: make build")
        sys.exit(2)
    if seed and parsed.seed is None:
        parsed.seed = int(time.time())
    return parsed


# --- collections

def vocabulary(generator, words):
    letters = "etaoinshrdlucmfwypvbgk"
    return ["".join(generator.choices(letters, k=generator.randint(2, 9))) for _ in range(words)]


def collection(seed, size_bytes):
    """Records of about `size_bytes` in all, and one at least for each 2,000 of them: two
    thirds new documents, the rest copies of earlier ones - to the byte, in another case,
    with words replaced, with a head put before or a tail cut off, or as a piece of a
    longer one."""
    generator = random.Random(seed)
    words = vocabulary(generator, 20000)
    records, done = [], 0
    while done < size_bytes or len(records) < size_bytes // 2000:
        draw = generator.random()
        if not records or draw < 0.66:
            length = int(min(4000, 20 + generator.paretovariate(1.1) * 40))
            tokens = generator.choices(words, k=length)
            text = " ".join(tokens)
            if generator.random() < 0.1:
                text = text.replace(" ", "\n", 7) + " \u00e9t\u00e9 \u4e2d\u6587 \U0001f600"
        else:
            # The first thousand are copied most: heavy-tailed clusters.
            place = min(int(generator.paretovariate(0.7)), len(records)) - 1
            text = records[place]["text"]
            tokens = text.split(" ")
            kind = generator.randrange(6)
            if kind == 1:
                text = text.upper()
            elif kind == 2:
                for _ in range(generator.choice((1, 3, 10))):
                    tokens[generator.randrange(len(tokens))] = generator.choice(words)
                text = " ".join(tokens)
            elif kind == 3:
                text = " ".join(generator.choices(words, k=8)) + " " + text
            elif kind == 4:
                text = " ".join(tokens[:max(1, len(tokens) * 9 // 10)])
            elif kind == 5 and len(tokens) <= 4000:
                text = " ".join(generator.choices(words, k=len(tokens))) + " " + text
        record = {"id": f"d{len(records)}", "text": text, "date": generator.randrange(10**6)}
        records.append(record)
        done += len(text)
    return records


def jsonl(records):
    return b"".join(json.dumps(r, ensure_ascii=False).encode() + b"\n" for r in records)


def compress(data, suffix):
    if suffix == ".gz":
        return gzip.compress(data, 6, mtime=0)
    if suffix == ".zst":
        return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True,
                              check=True).stdout
    return data


def compress_in_parts(data, suffix):
    """Several members or frames, which end anywhere."""
    step = len(data) // 7 + 1
    return b"".join(compress(data[at:at + step], suffix) for at in range(0, len(data), step))


def decompress(data, name):
    if name.endswith(".gz"):
        return gzip.decompress(data)
    if name.endswith(".zst"):
        return subprocess.run(["zstd", "-q", "-d", "-c"], input=data, capture_output=True,
                              check=True).stdout
    return data


def write_three(folder, records):
    """The records over three files - plain, gzip, zstd - and their paths."""
    third = len(records) // 3
    parts = [("a.jsonl", records[:third]), ("b.jsonl.gz", records[third:2 * third]),
             ("c.jsonl.zst", records[2 * third:])]
    paths = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in parts:
        path = folder / name
        path.write_bytes(compress_in_parts(jsonl(part), path.suffix))
        paths.append(str(path))
    return paths


# --- runs

def environment(folder, extra=None):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("TWINSET_")}
    kept.update({"LC_ALL": "C.UTF-8", "TMPDIR": str(folder)})
    kept.update(extra or {})
    return kept


def run(binary, options, folder, extra=None, timeout=120, **more):
    """A finished run: returncode, stdout and stderr as text."""
    return subprocess.run([str(binary), *map(str, options)], cwd=folder, text=True,
                          errors="backslashreplace", stdin=more.pop("stdin", subprocess.DEVNULL),
                          stdout=more.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                          env=environment(folder, extra), timeout=timeout, check=False, **more)


def start(binary, options, folder, extra=None):
    """A run under way, to be disturbed."""
    return subprocess.Popen([str(binary), *map(str, options)], cwd=folder, text=True,
                            errors="backslashreplace", stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=environment(folder, extra))


def errors(said):
    """The messages of a run that failed, without its warnings."""
    return [line for line in said.split("\n") if line.startswith("twinset: ")
            and not line.startswith(("twinset: warning: ", "twinset: skipped "))]


def snapshot(out):
    """{path below `out`: bytes} of an output, but for what may differ between equal
    runs: the `run` part of the summary."""
    out = pathlib.Path(out)
    found = {}
    for path in sorted(out.rglob("*")):
        if path.is_file():
            name = path.relative_to(out).as_posix()
            data = path.read_bytes()
            if name == "summary.json":
                summary = json.loads(data)
                summary.pop("run", None)
                data = json.dumps(summary, sort_keys=False).encode()
            found[name] = data
    return found


def difference(wanted, got):
    """In a few words how two snapshots differ; '' if they do not."""
    said = [f"missing {n}" for n in wanted if n not in got]
    said += [f"unexpected {n}" for n in got if n not in wanted]
    for name in wanted:
        if name in got and wanted[name] != got[name]:
            a, b = wanted[name], got[name]
            at = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), min(len(a), len(b)))
            said.append(f"{name} differs at byte {at} of {len(a)} and {len(b)}")
    return "; ".join(said[:5])


def conserved(summary):
    """Whether in = kept + removed + quarantined + filtered, in all and in each file."""
    for part in [summary, *summary["files"]]:
        filtered = part["filtered"]
        if isinstance(filtered, dict):
            filtered = sum(filtered.values())
        if part["read"] != part["kept"] + part["removed"] + part["quarantined"] + filtered:
            return False
    return True


def folder_for(name, in_memory=True):
    """A fresh folder that is gone when the harness ends. In memory where that is large
    enough: what is looked for does not need a disk, and a disk's syncs take most of a
    short run's time."""
    place = None
    if in_memory and os.access("/dev/shm", os.W_OK):
        room = os.statvfs("/dev/shm")
        place = "/dev/shm" if room.f_bavail * room.f_frsize >= 1 << 30 else None
    return tempfile.TemporaryDirectory(prefix=f"twinset-{name}-", dir=place,
                                       ignore_cleanup_errors=True)
