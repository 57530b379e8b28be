#!/usr/bin/env python3
"""Writes src/stats/generated/english_lexicon.cc: the lexicon of English.

    tools/english_lexicon.py --binary build/release/twinset > src/stats/generated/english_lexicon.cc

The documents are the descriptions of Debian's packages (different ones, short and long, of the
suites that apt knows, fetched into a folder of their own) and the English manual pages of this
machine, without their markup. `twinset lexicon` counts them and takes the terms; of these, words
of fewer than 4 characters or with more than one digit are left out, as paper 002 does (section
6.3). Only words and numbers of documents are kept, none of the texts. Another Debian, or other
manual pages, make another lexicon with another hash, which is in every fingerprint.

Standard library, apt and Debian only.
"""
import argparse
import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SECONDARY_TERMS = 12000
LONGEST_SHARED = 25


def fetch_lists(folder):
    """The indexes of the suites, with the long descriptions, which a small image may lack."""
    (folder / "partial").mkdir(parents=True)
    subprocess.run(["apt-get", "update", "-qq", "-o", f"Dir::State::lists={folder}",
                    "-o", "Acquire::Languages=en", "-o", "Acquire::GzipIndexes=false"],
                   check=True, stdout=sys.stderr)
    return sorted(folder.glob("*Translation-en"))


def descriptions(path, language="en"):
    """A text for each stanza: its first line, and its paragraphs without the dots between them."""
    for stanza in path.read_text(encoding="utf-8").split("\n\n"):
        lines, inside = [], False
        for line in stanza.split("\n"):
            if line.startswith(f"Description-{language}:"):
                inside = True
                line = line.partition(":")[2]
            elif not line.startswith(" "):
                inside = False
            if inside and line.strip() != ".":
                lines.append(line.strip())
        if lines:
            yield "\n".join(lines)


def without_roff(source):
    """The words of a manual page: requests and escapes are dropped, their text stays."""
    lines = []
    for line in source.split("\n"):
        if line.startswith((".\\\"", "'\\\"", ".ds", ".de", ".if", ".ie", ".el", ".nr", ".so", ".TH")):
            continue
        if line.startswith((".", "'")):
            line = line.partition(" ")[2]
        line = re.sub(r"\\f(?:\[[^\]]*\]|\(..|.)|\\s[-+]?\d+|\\[&|^,/%:c]", "", line)
        line = re.sub(r"\\\*?(?:\[[^\]]*\]|\(..)|\\e", " ", line).replace("\\-", "-")
        lines.append(line.replace("\\", " "))
    return "\n".join(lines)


def manual_pages():
    for path in sorted(pathlib.Path("/usr/share/man").glob("man[1-8]/*.gz")):
        try:
            source = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
        except OSError:
            continue
        if not source.startswith(".so "):
            yield without_roff(source)


def write_documents(folder):
    """A file of different texts; returns the numbers of descriptions and manual pages."""
    seen = set()
    counts = [0, 0]
    with open(folder / "english.jsonl", "w", encoding="utf-8") as out:
        sources = [text for path in fetch_lists(folder / "lists") for text in descriptions(path)]
        for kind, texts in enumerate((sources, manual_pages())):
            for text in texts:
                digest = hashlib.sha1(text.encode("utf-8", "replace")).digest()
                if digest in seen:
                    continue
                seen.add(digest)
                counts[kind] += 1
                out.write(json.dumps({"text": text}) + "\n")
    return counts


def is_word(term):
    return len(term) >= 4 and sum(character.isdigit() for character in term) <= 1


def table_of(terms):
    """The terms as src/stats/english_terms.h has them."""
    lines, before = [], b""
    for term in terms:
        text = term["term"].encode("utf-8")
        shared = 0
        while shared < min(len(text), len(before), LONGEST_SHARED) and text[shared] == before[shared]:
            shared += 1
        lines.append(chr(ord("a") + shared).encode() + text[shared:] + b" %d\n" % term["df"])
        before = text
    return b"".join(lines)


def literal(data):
    """`data` as lines of C++ literals. A digit must not follow an octal escape of less than three."""
    escaped = "".join("\\n" if byte == 10 else chr(byte) if 32 <= byte < 127 and byte not in (34, 92)
                      else "\\%03o" % byte for byte in data)
    pieces, begin = [], 0
    while begin < len(escaped):
        end = min(begin + 96, len(escaped))
        while end < len(escaped) and "\\" in escaped[max(begin, end - 3):end]:
            end -= 1
        pieces.append(f'    "{escaped[begin:end]}"')
        begin = end
    return "\n".join(pieces)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, help="the twinset program")
    binary = str(pathlib.Path(parser.parse_args().binary).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        described, pages = write_documents(folder)

        def lexicon(*words):
            return subprocess.run([binary, "lexicon", *words], cwd=folder, check=True,
                                  capture_output=True, text=True).stdout

        lexicon("count", "english.jsonl", "-o", "english.df")
        lexicon("build", "english.df", "-o", "english.lexicon", "--secondary", "0.8:1.0",
                "--secondary-terms", str(SECONDARY_TERMS))
        facts = json.loads(lexicon("show", "english.lexicon", "--json"))
        terms = [json.loads(line) for line in
                 lexicon("show", "english.lexicon", "--terms").splitlines()]
    assert len(terms) == facts["terms"]
    terms = [term for term in terms if is_word(term["term"])]
    of_part = {part: sum(term["part"] == part for term in terms) for part in ("primary", "secondary")}
    debian = pathlib.Path("/etc/debian_version").read_text().strip()
    note = (f"{described:,} package descriptions and {pages:,} manual pages of Debian {debian}; "
            "without words of fewer than 4 characters or with more than one digit; "
            "words and numbers of documents alone, under the license of twinset; the texts, under "
            "the licenses of their packages, are not here")
    print(f"""// Generated by tools/english_lexicon.py: {len(terms):,} terms of {facts["documents"]:,} documents.
//
// This file's interface is stats/english_terms.h; the rest is private.
#include "stats/english_terms.h"

namespace twinset::english {{

// clang-format off
const EnglishFacts facts{{
    .documents = {facts["documents"]},
    .files = {facts["files"]},
    .analyzer_version = {facts["analyzer_version"]},
    .unicode = "{facts["unicode"]}",
    .command = "{facts["command"]}",
    .note =
{literal(note.encode())},
    .made_from = "{facts["made_from"]}",
    .content = "{facts["content"]}",
    .min_df = {facts["min_df"]},
    .low = Ratio(1, 5),
    .high = Ratio(4, 5),
    .primary_terms = {of_part["primary"]},
    .secondary_terms = {of_part["secondary"]}}};
const char terms[] =
{literal(table_of(terms))};
// clang-format on
const std::size_t terms_bytes = sizeof terms - 1;

}}  // namespace twinset::english""")


if __name__ == "__main__":
    main()
