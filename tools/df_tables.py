#!/usr/bin/env python3
"""Writes the tables of document frequencies that are compiled in: src/stats/tables/LANGUAGE.df.

    tools/df_tables.py --binary build/release/twinset              # all
    tools/df_tables.py --binary build/release/twinset german       # one

The documents are texts of Debian's archive: the descriptions of its packages (of the suites that
apt knows), and of the packages named below the manual pages, the pages of help and handbooks, and
the fortunes. They are fetched into a folder that goes at the end. `twinset dedup` leaves one of
those that are nearly the same, and `twinset lexicon count` counts the words of the rest; words of
one document are left out. Only words and numbers of documents are kept, none of the texts. Other
suites make another table with another hash, which is in every fingerprint.

Standard library, apt, dpkg-deb and Debian only.
"""
import argparse
import gzip
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from english_lexicon import descriptions, without_roff

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "src/stats/tables"
# The code of a language in the paths of packages; the packages; the names of pages are its own.
LANGUAGES = {
    "english": ("en", ("manpages", "manpages-dev", "libreoffice-help-en-us", "gimp-help-en",
                       "debian-reference-en", "fortunes", "fortunes-min")),
    "french": ("fr", ("manpages-fr", "libreoffice-help-fr", "gimp-help-fr",
                      "debian-reference-fr")),
    "german": ("de", ("manpages-de", "libreoffice-help-de", "gimp-help-de",
                      "debian-reference-de", "fortunes-de")),
    "italian": ("it", ("manpages-it", "libreoffice-help-it", "gimp-help-it",
                       "debian-reference-it", "fortunes-it")),
    "spanish": ("es", ("manpages-es", "libreoffice-help-es", "gimp-help-es",
                       "debian-reference-es", "fortunes-es")),
}
# Pages of these hold all languages, in folders or under names with the code of each.
SHARED = ("gnome-user-docs", "installation-guide-amd64", "debian-handbook")
SHORTEST = 20  # characters; less is a caption, or an empty page


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def fetch_descriptions(folder, code):
    (folder / "partial").mkdir(parents=True)
    run("apt-get", "update", "-qq", "-o", f"Dir::State::lists={folder}",
        "-o", f"Acquire::Languages={code}", "-o", "Acquire::GzipIndexes=false", stdout=sys.stderr)
    return sorted(folder.glob(f"*Translation-{code}"))


def fetch_package(folder, package):
    """The package's files, pictures left out; its own folder."""
    into = folder / package
    if into.exists():
        return into
    into.mkdir(parents=True)
    run("apt-get", "download", "-qq", package, cwd=into, stdout=sys.stderr,
        stderr=subprocess.DEVNULL)
    archive = next(into.glob("*.deb"))
    files = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE)
    run("tar", "-x", "-C", str(into), "--exclude=*.png", "--exclude=*.svg", "--exclude=*.pdf*",
        "--exclude=*.jpg", stdin=files.stdout)
    if files.wait() != 0:
        raise SystemExit(f"df_tables.py: {archive.name} cannot be unpacked")
    archive.unlink()
    return into


def is_of(path, code):
    """Is a page of a package of all languages in this one?"""
    regional = {"en": ("en-US", "en", "C"), "de": ("de", "de-DE"), "fr": ("fr", "fr-FR"),
                "it": ("it", "it-IT"), "es": ("es", "es-ES")}[code]
    return any(name in path.parts for name in regional) or \
        path.name.endswith(f".{code}.html")


def texts_of_file(path):
    """The documents of a file: none if it is of no kind that is read."""
    name = path.name
    if re.search(r"\.[1-8]\w*\.gz$", name) and "man" in path.parts:
        source = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
        if not source.startswith(".so "):
            yield without_roff(source)
    elif name.endswith((".html", ".htm")):
        yield path.read_text(encoding="utf-8", errors="replace")
    elif name.endswith(".page"):
        source = path.read_text(encoding="utf-8", errors="replace")
        yield html.unescape(re.sub(r"<!--.*?-->|<[^>]*>", " ", source, flags=re.DOTALL))
    elif "fortunes" in str(path) and "games" in path.parts and path.suffix in ("", ".fortunes"):
        source = path.read_bytes()
        try:
            text = source.decode("utf-8")
        except UnicodeDecodeError:
            text = source.decode("latin-1")
        yield from re.split(r"\n%\n", text)


def documents(folder, language):
    """The texts, each with the name of its source."""
    code, packages = LANGUAGES[language]
    for path in fetch_descriptions(folder / f"lists-{code}", code):
        for text in descriptions(path, code):
            yield "package descriptions", text
    for package in packages + SHARED:
        root = fetch_package(folder / "packages", package)
        for path in sorted(root.rglob("*")):
            if not path.is_file() or path.is_symlink():
                continue
            if package in SHARED and not is_of(path.relative_to(root), code):
                continue
            for text in texts_of_file(path):
                yield package, text


def make(binary, folder, language):
    numbers = {}
    with open(folder / f"{language}.jsonl", "w", encoding="utf-8") as out:
        for source, text in documents(folder, language):
            if len(text.strip()) < SHORTEST:
                continue
            numbers[source] = numbers.get(source, 0) + 1
            out.write(json.dumps({"text": text, "source": source}) + "\n")
    kept = f"{language}-texts"
    run(binary, "dedup", f"{language}.jsonl", "-o", kept, "-q", "--no-progress", cwd=folder,
        stdout=subprocess.DEVNULL)
    debian = pathlib.Path("/etc/debian_version").read_text().strip()
    sources = ", ".join(f"{count:,} of {source}" for source, count in numbers.items())
    note = (f"texts of Debian {debian}: {sources}, less near copies; words and numbers of "
            "documents alone, under the license of twinset; the texts, under the licenses of their "
            "packages, are not here")
    table = TABLES / f"{language}.df"
    table.unlink(missing_ok=True)
    kept_text = f"{kept}/{language}.jsonl"
    run(binary, "lexicon", "count", kept_text, "-o", str(table), "--min-df", "2",
        "--note", note, "-q", "--no-progress", cwd=folder, stdout=subprocess.DEVNULL)
    facts = json.loads(run(binary, "lexicon", "show", str(table), "--json", capture_output=True,
                           text=True).stdout)
    print(f"{language}: {facts['documents']:,} documents, {facts['terms']:,} terms, "
          f"{table.stat().st_size:,} bytes", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="the twinset program")
    parser.add_argument("languages", nargs="*", default=sorted(LANGUAGES), metavar="LANGUAGE")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    TABLES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        for language in arguments.languages:
            make(binary, pathlib.Path(name), language)


if __name__ == "__main__":
    main()
