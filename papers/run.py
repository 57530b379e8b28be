#!/usr/bin/env python3
"""Runs the pages of papers and compares them with the committed ones.

    papers/run.py --binary build/release/twinset             # all of them
    papers/run.py --binary build/release/twinset --fast      # the fast ones, for make test
    papers/run.py --binary build/release/twinset unbiased    # one
    papers/run.py --binary build/release/twinset --update    # writes the pages

A page fails if its exit code is not 0, if its lines or figures differ from those
committed beside it, or if its result differs from the one in README.md. Parts that a page
marks as of one machine are not compared. A page that needs a collection below
TWINSET_DATA is skipped, with a message, if there is none. Read the difference before you
commit the files that --update wrote.
"""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from page import MACHINE_BEGINS, MACHINE_ENDS

HERE = pathlib.Path(__file__).resolve().parent

# --fast leaves these out: they take half a minute or more, need a program of `make bench`, a package
# of PyPI, or a browser.
SLOW = {"web_1996", "linear", "nilsimsa", "one_threshold", "wanted_edits",
        "given_metadata", "lost_and_found", "who_quotes", "phish"}


def comparable(text):
    """The lines that are the same on every machine."""
    between = re.escape(MACHINE_BEGINS) + ".*?" + re.escape(MACHINE_ENDS)
    return re.sub(between, "", text, flags=re.DOTALL).splitlines()


def index_row(script, result):
    """The index with this result, or "" if it already has it."""
    index = HERE / "README.md"
    link = f"({script.parent.name}/{script.stem}.md)"
    lines = index.read_text().split("\n")
    for i, line in enumerate(lines):
        if link in line:
            cells = line.split(" | ")
            lines[i] = " | ".join([*cells[:-1], result + " |"])
            return "" if lines[i] == line else "\n".join(lines)
    sys.exit(f"{index} has no row for {link}")


def run_page(script, options):
    """The faults of a page ('' if there are none) and its result."""
    with tempfile.TemporaryDirectory(prefix="twinset-figures-") as folder:
        command = [sys.executable, str(script), "--binary", str(options.binary),
                   "--figures", folder]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        result = done.stdout.strip().split("\n")[-1].removeprefix("result: ")
        if done.returncode != 0:
            return (done.stderr.strip() or result) + f" (exit code {done.returncode})", result
        if result.startswith("skipped"):
            return "", result
        made = {script.with_suffix(".md"): done.stdout}
        made.update({script.parent / figure.name: figure.read_text()
                     for figure in sorted(pathlib.Path(folder).iterdir())})
        wrong = []
        varying = MACHINE_BEGINS in done.stdout
        for path, text in made.items():
            if options.update:
                path.write_text(text)
                continue
            if path.suffix == ".svg" and varying:
                continue  # drawn from times
            there = path.read_text() if path.exists() else ""
            difference = list(difflib.unified_diff(comparable(there), comparable(text),
                                                   "committed", "made now", lineterm="", n=1))
            if difference:
                wrong.append(f"{path.name} is not as committed:\n" + "\n".join(difference[:20]))
        index = index_row(script, result)
        if index and options.update:
            (HERE / "README.md").write_text(index)
        elif index:
            wrong.append(f"README.md has another result than: {result}")
        return "\n".join(wrong), result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--fast", action="store_true", help="only the pages of seconds")
    parser.add_argument("--update", action="store_true", help="write what is printed now")
    parser.add_argument("pages", nargs="*", help="names of pages; all if none is given")
    options = parser.parse_args()
    options.binary = options.binary.resolve()
    scripts = sorted(HERE.glob("[0-9][0-9][0-9]/*.py"))
    known = {script.stem for script in scripts}
    unknown = sorted(set(options.pages) - known)
    if unknown:
        sys.exit(f"no page is named {unknown[0]}; there are {', '.join(sorted(known))}")
    passed = failed = skipped = 0
    for script in scripts:
        if options.pages and script.stem not in options.pages:
            continue
        if options.fast and script.stem in SLOW:
            continue
        started = time.monotonic()
        wrong, result = run_page(script, options)
        if wrong:
            failed += 1
        elif result.startswith("skipped"):
            skipped += 1
        else:
            passed += 1
        print(f"{'FAILED' if wrong else 'ok':6} {script.parent.name}/{script.stem} "
              f"{time.monotonic() - started:.1f} s: {wrong or result}", flush=True)
    print(f"papers: {passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if failed or not passed + skipped else 0)


if __name__ == "__main__":
    main()
