#!/usr/bin/env python3
"""Files of other programs, held against the readers that Python has of them.

    python3 tests/cli/formats_test.py --binary build/release/twinset [--seed N]

Random tables, written by Python's csv module in all its styles: each row must be read as that
module reads it, and come out byte for byte. Then some rows are damaged: each must have one line in
the quarantine (or one together with those that follow, if its quote is not closed), with the line
and the byte where it begins, and all others must come out. Likewise arrays, by its json module: of
whatever elements are kept, an array is written. And where TWINSET_DATA is set the stories of
Reuters-21578, by its reader of HTML: as many, with the same titles, topics and texts (S-24).
Standard library only.
"""

import csv
import html.parser
import io
import json
import os
import pathlib
import random
import re
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


def array(checks, binary, folder, generator):
    """Elements in some layout, of which copies are removed, or all are protected."""
    layout = generator.choice([("[", ",", "]"), ("[\n", ",\n", "\n]\n"), ("[\n  ", ",\n  ", "\n]"),
                               (" [ ", " , ", " ]\n"), ("[\r\n", "\r\n,", "]")])
    spread = generator.choice([None, 2])
    values = []
    for number in range(generator.randrange(0, 40)):
        text = generator.choice(values)["text"] if values and generator.random() < 0.4 else \
            value(generator, 20) + f" {number}"
        one = {"id": number, "text": text, "more": [{"text": "]},{"}, {"id": None}]}
        if generator.random() < 0.3:
            one = dict(reversed(one.items()))
        values.append(one)
    ascii_only = generator.random() < 0.5
    parts = [json.dumps(one, indent=spread, ensure_ascii=ascii_only) for one in values]
    bytes_ = (layout[0] + layout[1].join(parts) + layout[2]).encode()
    (folder / "x.json").write_bytes(bytes_)
    code, _, said = run(binary, "dedup", folder / "x.json", "-o", folder / "json", "-r", "1",
                        "--write-removed", "--analyzer", "code")
    if not checks.check(code == 0, f"array: exit {code}; {said}"):
        return
    first = {}
    kept = [one for one in values if first.setdefault(one["text"], one) is one]
    for part, wanted in (("json", kept), ("json/removed", [v for v in values if v not in kept])):
        got = (folder / part / "x.json").read_bytes()
        checks.check(json.loads(got) == wanted, f"array: elements of {part}: {got[:200]}")
        checks.check(all(json.dumps(one, indent=spread, ensure_ascii=ascii_only).encode() in got
                         for one in wanted), f"array: bytes of {part}")
        if wanted == values and layout[0][0] == "[":
            checks.check(got == bytes_, f"array: all kept, other bytes: {got[:100]}")
    run(binary, "restore", folder / "json", "--all", "-o", folder / "restored")
    if len(kept) < len(values):
        got = (folder / "restored/x.json").read_bytes()
        checks.check(json.loads(got) == [v for v in values if v not in kept], "array: restored")
    # Damage: each broken element is one bad record, and all others come out.
    if len(values) < 3 or spread:
        return
    # The next element is known by the key that the others begin with.
    parts = [json.dumps({"id": one["id"], "text": one["text"], "more": one["more"]})
             for one in values]
    broken = generator.randrange(1, len(parts) - 1)
    parts[broken] = parts[broken][:-generator.randrange(1, 30)]
    (folder / "y.json").write_text("[\n" + ",\n".join(parts) + "\n]\n", newline="")
    code, _, said = run(binary, "dedup", folder / "y.json", "-o", folder / "broken", "--emit", "ids")
    read = json.loads((folder / "broken/summary.json").read_text()) if code == 0 else {}
    checks.check(code == 0 and read["quarantined"] == 1 and
                 read["read"] - read["carried"] == len(parts), f"array: damage; {said}")


class Story(html.parser.HTMLParser):
    """The fields of one story, as Python's reader of HTML sees its tags."""

    def __init__(self, story):
        super().__init__()
        self.open, self.fields, self.attributes = [], {}, {}
        self.feed(story)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.fields.setdefault(tag, [])
        if tag == "d":
            self.fields.setdefault(self.open[-2] + " d", []).append("")
        if tag == "reuters":
            self.attributes = dict(attrs)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        # Python's reader leaves most control characters out, and so do we.
        data = re.sub("[\x00-\x08\x0e-\x1f\x7f]", "", data)
        if not self.open:
            return
        if self.open[-1] == "d":
            self.fields[self.open[-2] + " d"][-1] += data
        self.fields[self.open[-1]].append(data)


def values_by_record(folder, carried):
    """The ids of all records of a run, by number."""
    found = {line["record"]: line["id"] for line in lines_of(folder / "kept.jsonl")}
    found.update({line["record"]: line["id"] for line in removed_of(folder)})
    return [found[number] for number in sorted(found)]


def news(checks, binary, folder, packed):
    """A file of Reuters-21578."""
    bytes_ = subprocess.run(["zstd", "-dcq", packed], capture_output=True, check=True).stdout
    path = folder / packed.name.removesuffix(".zst")
    path.write_bytes(bytes_)
    stories = [Story(story) for story in
               re.findall(r"<REUTERS.*?</REUTERS>", bytes_.decode("latin-1"), re.S)]
    for name, wanted in {
            "id": [s.attributes["newid"] for s in stories],
            "title": [" ".join("".join(s.fields.get("title", [])).split()) for s in stories],
            "topics": [s.fields.get("topics d", []) for s in stories],
            "people": [s.fields.get("people d", []) for s in stories]}.items():
        out = folder / f"{path.name}-{name}"
        code, _, said = run(binary, "dedup", path, "--id", name, "--emit", "ids", "-o", out)
        if not checks.check(code == 0, f"{path.name} {name}: exit {code}; {said}"):
            continue
        read = values_by_record(out, 1)
        as_list = [one if isinstance(one, list) else
                   [] if str(one).startswith(str(path)) else [one] for one in read]
        lists = [one if isinstance(one, list) else [one] if one else [] for one in wanted]
        checks.check([[str(v) for v in one] for one in as_list] == lists,
                     f"{path.name}: {name} of {len(read)} and {len(wanted)} stories")
    # The texts, where the story has a body: the rest is BRIEF, UNPROC and empty ones.
    index = folder / f"{path.name}.index"
    run(binary, "index", "create", index, "--texts")
    code, _, said = run(binary, "index", "add", index, path)
    texts = {str(line["id"]): line["text"] for line in
             map(json.loads, run(binary, "index", "export", index)[1].splitlines())}
    bodies = {s.attributes["newid"]: "".join(s.fields["body"]).strip() for s in stories
              if "body" in s.fields}
    checks.check(len(texts) == len(stories), f"{path.name}: {len(texts)} texts; {said}")
    if path.name != "reut2-017.sgm":  # One byte of it is no UTF-8, and Python is told another charset.
        checks.check(all(texts.get(key) == body for key, body in bodies.items()),
                     f"{path.name}: bodies")
    briefs = [s for s in stories if "body" not in s.fields]
    checks.check(all(texts[s.attributes["newid"]] for s in briefs
                     if "".join(s.fields.get("title", [])) or "".join(s.fields["text"]).strip()),
                 f"{path.name}: briefs have a text")
    # Each story on its own, byte for byte.
    code, _, said = run(binary, "dedup", path, "-o", folder / f"{path.name}-kept", "-r", "0.9",
                        "--write-removed")
    both = [(folder / f"{path.name}-kept" / part / path.name).read_bytes()
            for part in ("", "removed")]
    cut = re.compile(rb"<REUTERS.*?</REUTERS>\s*", re.S)
    checks.check(sorted(cut.findall(both[0]) + cut.findall(both[1])) == sorted(cut.findall(bytes_))
                 and both[0].startswith(b"<!DOCTYPE lewis"), f"{path.name}: bytes; {said}")


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
            array(checks, given.binary, folder, generator)
        data = os.environ.get("TWINSET_DATA")
        if data is None:
            checks.skip("Reuters-21578: TWINSET_DATA is not set")
        else:
            files = sorted((pathlib.Path(data) / "reuters-21578").glob("*.zst"))
            for packed in (files[0], files[17], files[21]):
                news(checks, given.binary, pathlib.Path(scratch), packed)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
