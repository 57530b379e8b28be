#!/usr/bin/env python3
"""10,000 malformed records hidden among 1,000,000 good ones.

    python3 tests/cli/bad_records_test.py --binary build/release/twinset [--seed N]

Every good record must come out, byte for byte and in order; every bad one must have
one line in the quarantine, with its number, byte offset and length, and a reason that
fits; nothing else may be in either. Half of the input is read from gzip, and its last
member is cut off in the middle: what came before is kept. Standard library only.
"""

import gzip
import json
import pathlib
import random
import sys

import harness

GOOD, BAD = 1_000_000, 10_000

# A broken line, and the reason it must be given. Each is one line.
KINDS = [
    (lambda g: b'{"id": 1, "text": "' + noise(g) + b'"', "invalid_json"),
    (lambda g: b'{"id": 1, "text": "' + noise(g), "invalid_json"),
    (lambda g: b'{"id": 1, "text": ', "invalid_json"),
    (lambda g: b'{"text" "' + noise(g) + b'"}', "invalid_json"),
    (lambda g: b'{"text": "' + noise(g) + b'"} {"text": "two"}', "invalid_json"),
    (lambda g: b'{"text": "' + noise(g) + b'",}', "invalid_json"),
    (lambda g: b"{'text': '" + noise(g) + b"'}", "invalid_json"),
    (lambda g: b'{"text": "\\x41 ' + noise(g) + b'"}', "invalid_json"),
    (lambda g: b'{"text": "\\u12"}', "invalid_json"),
    (lambda g: b'"' + noise(g) + b'"', "invalid_json"),
    (lambda g: b'[{"text": "' + noise(g) + b'"}]', "invalid_json"),
    (lambda g: b"42", "invalid_json"),
    (lambda g: b"null", "invalid_json"),
    (lambda g: b"plain " + noise(g), "invalid_json"),
    (lambda g: b"}{", "invalid_json"),
    (lambda g: b"\x00\x01\x02\xff\xfe", "invalid_json"),
    (lambda g: b"[" * g.randrange(1, 5000), "invalid_json"),
    (lambda g: b'{"a":' * g.randrange(1, 3000), "invalid_json"),
    (lambda g: b'{"id": 1, "body": "' + noise(g) + b'"}', "missing_text"),
    (lambda g: b"{}", "missing_text"),
    (lambda g: b'{"meta": {"text": "' + noise(g) + b'"}}', "missing_text"),
    (lambda g: b'{"text": 12.5}', "text_not_string"),
    (lambda g: b'{"text": null}', "text_not_string"),
    (lambda g: b'{"text": ["' + noise(g) + b'"]}', "text_not_string"),
    (lambda g: b'{"text": {"text": "' + noise(g) + b'"}}', "text_not_string"),
    (lambda g: b'{"text": true}', "text_not_string"),
]


def noise(generator):
    return generator.randbytes(generator.randrange(1, 30)).hex().encode()


def make(seed):
    """The lines, and for each bad one (number, offset, length, reason)."""
    generator = random.Random(seed)
    words = [w.encode() for w in harness.vocabulary(generator, 20000)]
    places = set(generator.sample(range(GOOD + BAD), BAD))
    lines, bad, offset = [], [], 0
    for place in range(GOOD + BAD):
        if place in places:
            broken, reason = KINDS[len(bad) % len(KINDS)]
            line = broken(generator)
            bad.append((place + 1, offset, len(line), reason))
        else:
            # Eight words drawn at random share no five in a row with any others.
            line = b'{"id": %d, "text": "%s"}' % (place, b" ".join(generator.choices(words, k=8)))
        lines.append(line + b"\n")
        offset += len(line) + 1
    return lines, bad


def check(out, name, lines, bad, checks):
    numbers = {number for number, *_ in bad}
    kept = harness.decompress((out / name).read_bytes(), name)
    wanted = b"".join(line for number, line in enumerate(lines, 1) if number not in numbers)
    checks.check(kept == wanted, f"{name}: the good records did not all come through")
    found = [json.loads(line) for line in (out / "quarantine.jsonl").open("rb")]
    found = [q for q in found if q["file"].endswith(name)]
    told = {q["record"]: q for q in found}
    checks.check(len(told) == len(found), f"{name}: a record is quarantined twice")
    wrong = 0
    for number, offset, length, reason in bad:
        line = told.pop(number, None)
        # A line's end may or may not count to its length.
        right = (line is not None and line["offset"] == offset
                 and line["length"] in (length, length + 1) and line["reason"] == reason)
        if not right and wrong < 5:
            print(f"{name} record {number}: wanted {offset}, {length}, {reason}; got {line}")
        wrong += not right
    checks.check(wrong == 0, f"{name}: {wrong} of {len(bad)} bad records told wrongly")
    return told


def main():
    arguments = harness.arguments(__doc__)
    print(f"seed {arguments.seed}")
    checks = harness.Checks("bad records")
    with harness.folder_for("bad", in_memory=False) as name:
        folder = pathlib.Path(name)
        lines, bad = make(arguments.seed)
        (folder / "plain.jsonl").write_bytes(b"".join(lines))
        # A quarter of them once more, and then a member that is cut off.
        zipped = lines[:GOOD // 4]
        zipped_bad = [b for b in bad if b[0] <= len(zipped)]
        whole = gzip.compress(b"".join(zipped), 1)
        tail = gzip.compress(b'{"id": "cut", "text": "lost"}\n' * 50000, 1)
        (folder / "zipped.jsonl.gz").write_bytes(whole + tail[:len(tail) // 2])

        done = harness.run(arguments.binary, ["dedup", "plain.jsonl", "-o", "plain"], folder)
        if checks.check(done.returncode == 0, f"plain: {done.returncode} {done.stderr}"):
            rest = check(folder / "plain", "plain.jsonl", lines, bad, checks)
            checks.check(not rest, f"plain: good records quarantined: {list(rest.values())[:3]}")
            summary = json.loads((folder / "plain/summary.json").read_text())
            checks.check((summary["read"], summary["kept"], summary["quarantined"]) ==
                         (GOOD + BAD, GOOD, BAD), f"plain: {summary}")
            checks.check(harness.conserved(summary), "plain: not conserved")

        # Identical lines beyond the good ones fold; only the damage is looked at.
        done = harness.run(arguments.binary, ["dedup", "zipped.jsonl.gz", "-o", "zipped"], folder)
        # 5: an input was lost in part.
        if checks.check(done.returncode == 5, f"zipped: {done.returncode} {done.stderr}"):
            kept = harness.decompress((folder / "zipped/zipped.jsonl.gz").read_bytes(), ".gz")
            numbers = {number for number, *_ in zipped_bad}
            wanted = b"".join(l for n, l in enumerate(zipped, 1) if n not in numbers)
            checks.check(kept.startswith(wanted), "zipped: what came before the damage is not kept")
            quarantine = [json.loads(l) for l in (folder / "zipped/quarantine.jsonl").open("rb")]
            damage = [q for q in quarantine if q["reason"] == "truncated_stream"]
            checks.check(len(damage) == 1 and len(quarantine) == len(zipped_bad) + 1,
                         f"zipped: the cut is told {len(damage)} times in {len(quarantine)} lines")

        # --max-bad: the same input, and a limit that it passes.
        done = harness.run(arguments.binary, ["dedup", "plain.jsonl", "-o", "strict", "--max-bad",
                                              BAD - 1], folder)
        checks.check(done.returncode == 3, f"--max-bad {BAD - 1}: exit {done.returncode}")
        checks.check(not (folder / "strict/summary.json").exists(), "--max-bad: wrote an output")
    return checks.finish(f"{BAD:,} among {GOOD:,}, seed {arguments.seed}")


if __name__ == "__main__":
    sys.exit(main())
