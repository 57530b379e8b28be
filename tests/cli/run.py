#!/usr/bin/env python3
"""Runs the end-to-end tests: text files that show a command and what it prints.

    python3 tests/cli/run.py --binary build/release/twinset            # all of them
    python3 tests/cli/run.py --binary build/release/twinset dedup.test # one
    python3 tests/cli/run.py --binary ... --update dedup.test          # write what it prints now

A test is a file *.test below this folder, or a page (README.md and those below docs/)
with blocks of ```console. First the tests:

    # What this file shows, in a sentence or two.

    file in.jsonl
    {"id": 1, "text": "a rose is a rose"}
    ----

    $ twinset dedup in.jsonl -o out
    ----
    read 1 document ...
    [exit 0]

    $ printf 'two\\nlines\\n' |
    > twinset dedup - -o out2
    ----
    ...

`file NAME` makes a file of the lines up to `----`. `$ ` begins a command and `> `
goes on with it; `sh` runs it with standard output and error joined. What must come
out stands between `----` and the next command, file or comment; blank lines at its
end do not count. `[exit N]` as the last line is the exit code; without it, 0.

The commands of one file share a folder, fresh and empty at first, with the tested
binary on the PATH, no terminal, LC_ALL=C.UTF-8 and TMPDIR inside the folder. A line
`requires: NAME...` skips the file, saying so, where a command is not installed, or, for the
name `parquet`, where the binary reads no Parquet; then tests/data/parquet is in the folder.

Expected lines are compared as they stand, but for:
    <seconds>   a duration: 0.03, 1.2 s, 12s, 3m 02s      <number>  12, 1,234, 0.5
    <size>      bytes with a unit: 12 B, 1.2 kB, 3.4 MiB  <rate>    a size or number per second
    <version>   1.2.3                                     <path>    a path without blanks
    <any>       anything up to what follows on the line
    ...         alone on a line: any number of lines, none included

In a page, which may have a comment `<!-- requires: NAME... -->`, each line `$ ` of a console block begins a command, `> ` goes on with it, and
the lines up to the next one are what it prints; all blocks of a page share a folder, in
which examples/ is the house's.
Pages show true numbers, so durations, rates and sizes there match any other ones.

Standard library only. Commands not matched are shown as a difference.
"""

import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import harness

HERE = pathlib.Path(__file__).resolve().parent
COMMAND_SECONDS = 120
# Formats that a build may be without: a file of each shows whether it is, and tests that require the format get the
# file's folder.
DATA = HERE.parent / "data"
PARTS_OF_BUILDS = {"parquet": DATA / "parquet/pyarrow.parquet", "mail": DATA / "mail/page.eml"}

NUMBER = r"[0-9][0-9,]*(?:\.[0-9]+)?"
SIZE = NUMBER + r" ?(?:[kMGT]i?B|B|bytes)"
PLACEHOLDERS = {
    "<seconds>": rf"(?:[0-9]+h )?(?:[0-9]+m )?{NUMBER} ?(?:ms|us|s|seconds)?",
    "<number>": NUMBER,
    "<size>": SIZE,
    "<rate>": rf"(?:{SIZE}|{NUMBER})(?: [a-z]+)?/s",
    "<version>": r"[0-9]+\.[0-9]+\.[0-9]+",
    "<path>": r"[^\s'\"]+",
    "<any>": r".*?",
}
SPLIT = re.compile("(" + "|".join(re.escape(p) for p in PLACEHOLDERS) + ")")


class Malformed(Exception):
    """A test file that is not what the head of this file describes."""


class Step:
    """A file to make or a command to run, and where it stands."""

    def __init__(self, kind, line, argument):
        self.kind = kind            # "file" or "command"
        self.line = line            # of its first line, from 1
        self.argument = argument    # the file's name, or the command
        self.lines = []             # the file's content, or the expected output
        self.expected_at = 0        # index of the line after ----
        self.expected_end = 0


def parse(text):
    """(steps, required commands) of a test file."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    steps, required, i = [], [], 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("requires: "):
            required += line.split()[1:]
            i += 1
        elif line == "" or line.startswith("#"):
            i += 1
        elif line.startswith("file "):
            step = Step("file", i + 1, line[5:])
            i += 1
            while i < len(lines) and lines[i] != "----":
                step.lines.append(lines[i])
                i += 1
            if i == len(lines):
                raise Malformed(f"line {step.line}: file without its ----")
            i += 1
            steps.append(step)
        elif line.startswith("$ "):
            step = Step("command", i + 1, line[2:])
            i += 1
            while i < len(lines) and lines[i].startswith("> "):
                step.argument += "\n" + lines[i][2:]
                i += 1
            if i == len(lines) or lines[i] != "----":
                raise Malformed(f"line {step.line}: command without its ----")
            i += 1
            step.expected_at = i
            while i < len(lines) and not lines[i].startswith(("$ ", "file ", "#")):
                step.lines.append(lines[i])
                i += 1
            while step.lines and step.lines[-1] == "":
                step.lines.pop()
            step.expected_end = step.expected_at + len(step.lines)
            steps.append(step)
        else:
            raise Malformed(f"line {i + 1}: neither a command, a file nor a comment: {line}")
    if not any(step.kind == "command" for step in steps):
        raise Malformed("no command in it")
    return steps, required


def parse_page(text):
    """(steps, required commands) of a page's console blocks; no steps if it has none."""
    lines, steps, step = text.split("\n"), [], None
    inside = False
    for i, line in enumerate(lines):
        if line == "```console":
            inside = True
        elif line == "```" and inside:
            inside, step = False, None
        elif inside and line.startswith("$ "):
            step = Step("command", i + 1, line[2:])
            step.expected_at = i + 1
            steps.append(step)
        elif inside and step and line.startswith("> ") and not step.lines:
            step.argument += "\n" + line[2:]
            step.expected_at = i + 1
        elif inside and step:
            step.lines.append(line)
        elif inside:
            raise Malformed(f"line {i + 1}: a console block begins with a command")
    for step in steps:
        while step.lines and step.lines[-1] == "":
            step.lines.pop()
    return steps, [name for names in re.findall(r"<!-- requires: (.*) -->", text) for name in names.split()]


# What differs from run to run, as a page shows it: 1.2 s, 34 MB/s, 56 MiB.
VOLATILE = re.compile(
    rf"(?P<rate>{SIZE}/s)|(?P<size>{SIZE})|(?P<seconds>(?:[0-9]+m )?{NUMBER} ?(?:ms|s|seconds)\b)")


def loosened(line):
    """A page's line with its durations, rates and sizes as placeholders."""
    return VOLATILE.sub(lambda match: f"<{match.lastgroup}>", line)


def line_matches(expected, actual):
    if expected == actual:
        return True
    if "<" not in expected:
        return False
    pattern = "".join(PLACEHOLDERS.get(piece) or re.escape(piece)
                      for piece in SPLIT.split(expected))
    return re.fullmatch(pattern, actual) is not None


def output_matches(expected, actual):
    """Whether the lines match; `...` alone stands for any number of lines."""
    # reach[j]: the expected lines so far can match exactly the first j actual ones.
    reach = [True] + [False] * len(actual)
    for line in expected:
        if line == "...":
            first = reach.index(True) if True in reach else len(reach)
            reach = [j >= first for j in range(len(reach))]
        else:
            reach = [False] + [reach[j] and line_matches(line, actual[j])
                               for j in range(len(actual))]
    return reach[-1]


def normal(lines):
    """Lines without the blank ones at the end, with the exit code as the last."""
    lines = list(lines)
    code = "[exit 0]"
    if lines and re.fullmatch(r"\[exit [0-9]+\]", lines[-1]):
        code = lines.pop()
    while lines and lines[-1] == "":
        lines.pop()
    return lines, code


def run_command(command, folder, binary):
    """What a command of a test prints, as lines with the exit code last."""
    environment = {
        "PATH": f"{folder}/.bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder), "TMPDIR": f"{folder}/.tmp", "LC_ALL": "C.UTF-8", "TERM": "dumb",
    }
    for name, value in os.environ.items():
        if name.startswith(("ASAN_", "UBSAN_", "LSAN_", "TSAN_", "LLVM_")):
            environment[name] = value
    try:
        done = subprocess.run(["sh", "-c", command], cwd=folder / "work", env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=COMMAND_SECONDS, check=False)
        output, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        output, code = (late.stdout or b"") + b"\n(timed out)\n", 124
    code = 128 - code if code < 0 else code
    text = output.decode("utf-8", "backslashreplace")
    return normal(text.split("\n"))[0] + [f"[exit {code}]"]


class Outcome:
    def __init__(self, path):
        self.path = path
        self.passed = 0
        self.failures = []
        self.skipped = ""
        self.updated = None


def reads(binary, part):
    return subprocess.run([binary, "inspect", PARTS_OF_BUILDS[part]], check=False,
                          capture_output=True).returncode == 0


def run_file(path, binary, update):
    outcome = Outcome(path)
    text = path.read_text()
    page = path.suffix == ".md"
    try:
        steps, required = parse_page(text) if page else parse(text)
    except Malformed as wrong:
        outcome.failures.append(f"{path.name}: {wrong}")
        return outcome
    parts = [name for name in required if name in PARTS_OF_BUILDS]
    absent = [name for name in required if name not in parts and shutil.which(name) is None]
    if absent:
        outcome.skipped = f"{path.name}: skipped, {', '.join(absent)} not installed"
        return outcome
    for part in parts:
        if not reads(binary, part):
            outcome.skipped = f"{path.name}: skipped, a build without {part}"
            return outcome
    lines = text.split("\n")
    with harness.folder_for("text") as name:
        folder = pathlib.Path(name)
        for inner in (".bin", ".tmp", "work"):
            (folder / inner).mkdir()
        (folder / ".bin/twinset").symlink_to(binary)
        if page:
            (folder / "work/examples").symlink_to(HERE.parent.parent / "examples")
        for part in parts:
            shutil.copytree(PARTS_OF_BUILDS[part].parent, folder / "work" / part)
        shift = 0
        for step in steps:
            if step.kind == "file":
                target = folder / "work" / step.argument
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text("".join(line + "\n" for line in step.lines))
                continue
            actual, actual_code = normal(run_command(step.argument, folder, binary))
            expected, expected_code = normal(step.lines)
            if page:
                expected = [loosened(line) for line in expected]
            if actual_code == expected_code and output_matches(expected, actual):
                outcome.passed += 1
                continue
            shown = actual + ([actual_code] if actual_code != "[exit 0]" else [])
            wanted = expected + ([expected_code] if expected_code != "[exit 0]" else [])
            difference = "\n".join(difflib.unified_diff(
                wanted, shown, "expected", "printed", lineterm="", n=3))
            outcome.failures.append(
                f"{path.name}:{step.line}: $ {step.argument}\n{difference}")
            if update:
                # Lines that still match keep their placeholders.
                kept = [next((e for e in wanted if not page and e != "<any>"
                                  and line_matches(e, line)), line)
                        for line in shown]
                at = step.expected_at + shift
                lines[at:at + len(step.lines)] = kept
                shift += len(kept) - len(step.lines)
    if update and outcome.failures:
        path.write_text("\n".join(lines))
    return outcome


def self_test():
    """What the comparison gets wrong, as lines; nothing when it is right."""
    for expected, actual, result in [
            (["a"], ["a"], True), (["a"], ["b"], False), (["a"], ["a", "b"], False),
            (["...", "b"], ["a", "b"], True), (["a", "..."], ["a"], True),
            (["a", "...", "c"], ["a", "b"], False), (["...", "b", "...", "c"], ["b", "c"], True),
            (["t <seconds>!"], ["t 1.25 s!"], True), (["t <seconds>!"], ["t one!"], False),
            (["<number> of <number>"], ["12 of 1,234"], True), (["<number>"], ["x"], False),
            (["<size> at <rate>"], ["1.5 MiB at 3 MB/s"], True), (["<version>"], ["1.2"], False),
            (["a.b"], ["axb"], False), (["<any>)"], ["x (y)"], True), ([], ["a"], False)]:
        if output_matches(expected, actual) != result:
            yield f"comparing {expected} with {actual} should be {result}"
    steps, required = parse("# c\nrequires: sh\nfile a\nx\n----\n$ cat a |\n> cat\n----\nx\n\n[exit 1]\n\n$ b\n----\n")
    if ([(s.kind, s.argument, s.lines) for s in steps] !=
            [("file", "a", ["x"]), ("command", "cat a |\ncat", ["x", "", "[exit 1]"]),
             ("command", "b", [])] or required != ["sh"]):
        yield "parsing a test file"
    steps, _ = parse_page("x\n```console\n$ a |\n> b\nc\n\n$ d\n```\n$ e\n")
    if [(s.argument, s.lines, s.expected_at) for s in steps] != [("a |\nb", ["c"], 4), ("d", [], 7)]:
        yield "parsing a page"
    if loosened("3 of 4 in 1.25 s at 30 MB/s, 7 MiB") != "3 of 4 in <seconds> at <rate>, <size>":
        yield "loosening a page's line"
    for wrong in ("$ a\n", "file a\nx\n", "x\n", ""):
        try:
            parse(wrong)
            yield f"{wrong!r} should be malformed"
        except Malformed:
            pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite what is expected")
    parser.add_argument("tests", nargs="*", help="names of test files; all by default")
    arguments = parser.parse_args()
    binary = arguments.binary.resolve()
    if not os.access(binary, os.X_OK):
        print(f"run.py: no program at {binary}; build it first: make build")
        return 2

    house = HERE.parent.parent
    pages = [p for p in [house / "README.md", *sorted((house / "docs").rglob("*.md"))]
             if "```console" in p.read_text()]
    tests = sorted(HERE.rglob("*.test")) + pages
    if arguments.tests:
        tests = [t for t in tests if t.name in arguments.tests or str(t) in arguments.tests]
    wrong = list(self_test())
    passed, failed = (0, 1) if wrong else (1, 0)
    for line in wrong:
        print(f"run.py itself: {line}")
    if not tests:
        print(f"run.py: no test named {' '.join(arguments.tests)}")
        return 2
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for outcome in pool.map(lambda t: run_file(t, binary, arguments.update), tests):
            passed += outcome.passed
            failed += len(outcome.failures)
            if outcome.skipped:
                print(outcome.skipped)
            for failure in outcome.failures:
                print(failure + "\n")
    print(f"end to end: {passed} passed, {failed} failed, in {len(tests)} files")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
