#!/usr/bin/env python3
"""Files of other programs, held against the readers that Python has of them.

    python3 tests/cli/formats_test.py --binary build/release/twinset [--seed N]

Random tables, written by Python's csv module in all its styles: each row must be read as that
module reads it, and come out byte for byte. Then some rows are damaged: each must have one line in
the quarantine (or one together with those that follow, if its quote is not closed), with the line
and the byte where it begins, and all others must come out.
Standard library only.
"""

import csv
import io
import json
import pathlib
import random
import subprocess
import sys

import harness

TABLES = 60
PIECES = ["a", "word", " ", "\n", "\r\n", '"', '""', ",", ";", "\t", "'", "\\", "é", "水", "\u2028",
          "\U0001f600", "two words", "{}", "=1+1", "\x0b", "#"]
DELIMITERS = {"a.csv": ",", "b.csv": ";", "c.tsv": "\t", "d.csv": "\t"}


def run(binary, *words, fed=None):
    done = subprocess.run([binary, *words], capture_output=True, input=fed)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def removed_of(folder):
    out = subprocess.run(["zstd", "-dcq", folder / "removed.jsonl.zst"], capture_output=True,
                         check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def value(generator, most):
    return "".join(generator.choice(PIECES) for _ in range(generator.randrange(most)))


def style(generator, delimiter):
    """How a table is written. Line ends within fields are those that texts have."""
    return {"delimiter": delimiter, "lineterminator": generator.choice(["\n", "\r\n"]),
            "quoting": generator.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])}


def row_bytes(row, how):
    out = io.StringIO(newline="")
    csv.writer(out, **how).writerow(row)
    return out.getvalue().encode()


def judge(checks, binary, folder, name, generator, packed):
    """A table without damage."""
    how = style(generator, DELIMITERS[name])
    columns = ["id", "text", "other", "date of"]
    generator.shuffle(columns)
    rows = []
    for number in range(generator.randrange(1, 80)):
        copied = rows and generator.random() < 0.2
        text = generator.choice(rows)["text"] if copied else value(generator, 30) + f" {number}"
        # Some ids are numbers.
        rows.append({"id": f"{'' if number % 3 else 'n'}{number}", "text": text,
                     "other": value(generator, 5), "date of": ""})
    mark = generator.choice([b"", b"\xef\xbb\xbf"])
    header = mark + row_bytes(columns, how)
    raws = [row_bytes([row[c] for c in columns], how) for row in rows]
    raws[-1] = raws[-1] if generator.random() < 0.5 else raws[-1].rstrip(b"\r\n")
    blank = how["lineterminator"].encode() if generator.random() < 0.3 else b""
    table = header + blank + b"".join(raws)
    (folder / name).write_bytes(table)
    read = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline=""),
                               delimiter=how["delimiter"]))
    checks.check([row["text"] for row in read] == [row["text"] for row in rows],
                 f"{name}: the module reads what it wrote")
    path = folder / name
    if packed:
        subprocess.run([*packed, path], check=True)
        path = path.with_name(name + (".gz" if packed[0] == "gzip" else ".zst"))
    # Each text equals, to the byte, the one that the module reads.
    judges = folder / "judge.jsonl"
    judges.write_text("".join(json.dumps({"id": row["id"], "text": row["text"]}) + "\n"
                              for row in read))
    code, _, said = run(binary, "dedup", path, "--against", judges, "-o", folder / "against",
                        "-r", "1")
    gone = removed_of(folder / "against") if code == 0 else []
    checks.check(code == 0 and [(str(g["id"]), g["kind"]) for g in gone] ==
                 [(row["id"], "identical") for row in read], f"{name}: texts and ids; {said}")
    first = {}
    kept = [raw for row, raw in zip(rows, raws) if first.setdefault(row["text"], raw) is raw]
    code, _, said = run(binary, "dedup", path, "-o", folder / "out", "-r", "1", "--write-removed",
                        "--analyzer", "code")
    unpack = {".gz": ["gzip", "-dc"], ".zst": ["zstd", "-dcq"]}.get(path.suffix, ["cat"])
    for part, wanted in (("out", kept), ("out/removed", [r for r in raws if r not in kept])):
        got = subprocess.run([*unpack, folder / part / path.name], capture_output=True).stdout
        checks.check(got == header + b"".join(wanted), f"{name}: rows of {part}; {said}")
    code, out, said = run(binary, "dedup", "-", "--format", name[-3:], "-r", "1", "--analyzer",
                          "code", fed=table)
    checks.check(out == header + b"".join(kept), f"{name}: standard input; {said}")


def damage(checks, binary, folder, name, generator):
    """Some rows that are none among others."""
    how = style(generator, DELIMITERS[name])
    delimiter = how["delimiter"]
    end = how["lineterminator"]
    columns = ["id", "text", "other"]
    pieces, bad = [row_bytes(columns, how)], []
    line = 1 + pieces[0].count(b"\n")
    offset = len(pieces[0])
    kept = [pieces[0]]
    open_at = None
    for number in range(200):
        text = f"text {number} " + value(generator, 20)
        raw = row_bytes([str(number), text, "x"], how)
        if generator.random() < 0.15:
            # Fields that are quoted before and after it show where a quote stays open.
            kind = generator.randrange(4)
            fields = [[str(number), "few"], [str(number), "a", "b", "many"],
                      [str(number), '"he said "no" twice"', "x"],
                      [str(number), '"open', "x"]][kind if delimiter != "\t" else kind % 2]
            raw = (delimiter.join(fields) + end).encode()
            # After a quote that is not closed, only a good row is believed.
            lost = kind > 1 and delimiter != "\t"
            if bad and open_at == offset:
                bad[-1] = (*bad[-1][:2], bad[-1][2] + len(raw))
            else:
                bad.append((line, offset, len(raw)))
            if lost or open_at == offset:
                open_at = offset + len(raw)
        else:
            kept.append(raw)
        pieces.append(raw)
        line += raw.count(b"\n")
        offset += len(raw)
    # A row after an open quote, if that is the last one of the file.
    pieces.append(row_bytes(["last", 'the "last" text', "x"], how))
    kept.append(pieces[-1])
    (folder / name).write_bytes(b"".join(pieces))
    code, _, said = run(binary, "dedup", folder / name, "-o", folder / "damaged", "-r", "1",
                        "--analyzer", "code")
    checks.check(code == 0, f"damaged {name}: exit {code}; {said}")
    got = (folder / "damaged" / name).read_bytes() if code == 0 else b""
    checks.check(got == b"".join(kept), f"damaged {name}: good rows")
    listed = [(int(q["detail"].split(":")[0].split()[1]), q["offset"], q["length"])
              for q in lines_of(folder / "damaged/quarantine.jsonl")] if code == 0 else []
    checks.check(listed == bad, f"damaged {name}: quarantine {listed} for {bad}")


def main():
    given = harness.arguments(__doc__)
    checks = harness.Checks("formats")
    generator = random.Random(given.seed)
    print(f"seed {given.seed}")
    with harness.folder_for("formats") as scratch:
        for number in range(TABLES):
            folder = pathlib.Path(scratch) / str(number)
            folder.mkdir()
            name = generator.choice(list(DELIMITERS))
            packed = generator.choice([None, ["gzip", "-kq"], ["zstd", "-q"]])
            judge(checks, given.binary, folder, name, generator, packed)
            damage(checks, given.binary, folder, name, generator)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
