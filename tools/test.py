#!/usr/bin/env python3
"""Runs every test of twinset, and says how long each step took.

    python3 tools/test.py            # what `make test` calls
    python3 tools/test.py kill fuzz  # only the steps of these names; they must be built

The table of seconds in CONTRIBUTING.md is what each step took when somebody last measured: a step
that takes twice as long is called slow, and TIMES=write makes the table again. A step that fails
stops only the steps that need it. The exit code is 1 if a step failed, if the whole took longer than
LONGEST_SECONDS, or if the table's own seconds exceed LONGEST_IN_TABLE: everyone waits for the whole,
so it must not grow unnoticed, and a machine may be three times slower on a bad day than when the
table was made. A warning of the compiler fails a build here; elsewhere it stops nobody.

Two lanes: while the sanitized build is compiled, the hardships of the release build run
at the same time; most of them keep one core busy. The output of a step is shown when it
ends, and its summary line once more at the end. Standard library only.
"""

import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

HOUSE = pathlib.Path(__file__).resolve().parent.parent
LOGS = HOUSE / "build/test-logs"
LONGEST_SECONDS = 86 * 60
LONGEST_IN_TABLE = 40 * 60
PATIENCE = 10  # A step is stopped after this many times its seconds in the table, and SPARE.
SPARE = 60  # seconds; a short step varies by more than a share
TABLE = HOUSE / "CONTRIBUTING.md"
HEADING = "| step | seconds | CPU seconds |\n|---|--:|--:|\n"
WARNING = r"\bwarning: "
JOBS = os.environ.get("JOBS") or str(os.cpu_count())
RELEASE, ASAN = "build/release", "build/asan"
COUNTED = r"passed, \d+ failed"
CTEST = r"tests passed"


@dataclasses.dataclass
class Step:
    name: str
    summary: str  # regular expression of its summary line
    command: list
    needs: str = ""  # the step that must have passed before
    refuses: str = ""  # regular expression of what its output must not have


def build(preset):
    return ["sh", "-c", f"cmake --preset {preset} && cmake --build --preset {preset} "
                        f"--parallel {JOBS}"]


def python(script, *options):
    return [sys.executable, script, *options]


def unit_tests(preset):
    # Label `direct`: tests that are steps of their own here.
    return ["ctest", "--preset", preset, "--parallel", JOBS, "--label-exclude", "direct"]


def hardship(name, script):
    return Step(name, COUNTED, python(script, "--binary", f"{RELEASE}/twinset"),
                "release build")


FIRST = [
    Step("layers", COUNTED, python("tests/layers_test.py")),
    Step("paper rows", COUNTED, python("tests/paper_rows_test.py")),
    Step("format", COUNTED, python("tests/format_test.py")),
    Step("peers", COUNTED, python("tests/peers_test.py")),
    Step("headers", COUNTED,
         python("tests/headers/headers_test.py", "--compilers", "g++", "clang++")),
    Step("release build", "", build("release-tests"), refuses=WARNING),
    Step("release tests", CTEST, unit_tests("release"), "release build"),
]
SANITIZED = [
    Step("sanitizer build", "", build("asan")),
    Step("sanitizer tests", CTEST, unit_tests("asan"), "sanitizer build"),
    Step("sanitizer end to end", COUNTED,
         python("tests/cli/run.py", "--binary", f"{ASAN}/twinset"), "sanitizer build"),
    Step("fuzz", COUNTED, ["fuzz/run.sh", ASAN, "5"], "sanitizer build"),
]
HARDSHIPS = [
    hardship("end to end", "tests/cli/run.py"),
    Step("install", COUNTED, python("tests/install_test.py", "--build", RELEASE),
         "release build"),
    Step("python", COUNTED, python("tests/python/run.py", "--build", RELEASE), "release build"),
    Step("spark", COUNTED, python("tests/spark/run.py", "--build", RELEASE), "python"),
    Step("wasm", COUNTED, python("tests/wasm/run.py", "--build", RELEASE), "release build"),
    Step("page", COUNTED, python("tests/page/run.py", "--binary", f"{RELEASE}/twinset"), "release build"),
    Step("extension", COUNTED, python("tests/extension/run.py", "--binary", f"{RELEASE}/twinset"), "wasm"),
    hardship("same_bytes", "tests/cli/same_bytes_test.py"),
    hardship("skeleton", "tests/cli/skeleton_test.py"),
    hardship("filter_examples", "tests/cli/filter_examples_test.py"),
    hardship("mail", "tests/cli/mail_test.py"),
    hardship("bad_records", "tests/cli/bad_records_test.py"),
    hardship("formats", "tests/cli/formats_test.py"),
    hardship("faults", "tests/cli/faults_test.py"),
    hardship("kill", "tests/cli/kill_test.py"),
    hardship("index_kill", "tests/cli/index_kill_test.py"),
    hardship("system_faults", "tests/cli/system_faults_test.py"),
    hardship("serve", "tests/cli/serve_test.py"),
    hardship("memory", "tests/cli/memory_test.py"),
    hardship("ten_times", "tests/cli/ten_times_test.py"),
    Step("papers", COUNTED,
         python("papers/run.py", "--fast", "--binary", f"{RELEASE}/twinset"), "release build"),
]


def read_table():
    """Seconds by step, as CONTRIBUTING.md has them; empty if it has no table."""
    _, found, rest = TABLE.read_text().partition(HEADING)
    rows = re.match(r"(?:\|[^\n]*\n)*", rest).group() if found else ""
    return {name: int(seconds.replace(",", "")) for name, seconds in
            re.findall(r"^\| ([\w ]+?) \| ([\d,]+) \|", rows, re.M)}


def seconds_in_table(table):
    """How long the whole takes by `table`: the first steps, then the longer of the two lanes."""
    first, sanitized, hardships = (sum(table.get(step.name, 0) for step in steps)
                                   for steps in (FIRST, SANITIZED, HARDSHIPS))
    return first + max(sanitized, hardships)


def write_table(times):
    """Replaces the rows of the table. `times`: (name, seconds, CPU seconds) of every step."""
    before, found, rest = TABLE.read_text().partition(HEADING)
    if not found:
        raise SystemExit(f"{TABLE.name} has no table that begins with {HEADING!r}")
    rest = re.sub(r"\A(?:\|[^\n]*\n)*", "", rest)
    rows = "".join(f"| {name} | {seconds:,.0f} | {cpu:,.0f} |\n" for name, seconds, cpu in times)
    TABLE.write_text(before + found + rows + rest)


class Runner:
    """Runs steps and remembers how they ended. Threads: run() from several."""

    def __init__(self):
        self.table = read_table()
        self.times = []
        self.failed = set()
        self.lines = []
        self.lock = threading.Lock()
        self.environment = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1")
        # On Debian the program that makes sanitizers' reports readable has a version in its name.
        symbolizer = shutil.which("llvm-symbolizer") or shutil.which("llvm-symbolizer-14")
        if symbolizer:
            self.environment["ASAN_SYMBOLIZER_PATH"] = symbolizer

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def lane(self, steps):
        for step in steps:
            self.run(step)

    def run(self, step):
        if step.needs in self.failed:
            self.failed.add(step.name)
            self.tell(step, "FAILED", 0, 0, f"not run, because '{step.needs}' failed")
            return
        self.say(f"--- {step.name}: {' '.join(step.command)}")
        patience = PATIENCE * (self.table.get(step.name, 600) + SPARE)
        log = LOGS / (re.sub(r"\W", "_", step.name) + ".log")
        began = time.monotonic()
        with open(log, "wb") as out:
            process = subprocess.Popen(step.command, cwd=HOUSE, env=self.environment,
                                       stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            stopped = threading.Event()

            def stop():
                stopped.set()
                os.killpg(process.pid, signal.SIGKILL)

            timer = threading.Timer(patience, stop)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        said = log.read_text(errors="replace")
        summary = [line for line in said.split("\n") if step.summary and
                   re.search(step.summary, line)]
        line = summary[-1].strip() if summary else ""
        passed = process.returncode == 0 and bool(summary or not step.summary)
        if stopped.is_set():
            line = f"stopped after {patience} s; {line}"
        refused = step.refuses and re.search(step.refuses, said)
        if refused:
            passed, line = False, said[refused.start():].split("\n")[0]
        if not passed:
            self.failed.add(step.name)
        slow = seconds > 2 * self.table.get(step.name, seconds) + SPARE
        verdict = "FAILED" if not passed else "slow" if slow else "ok"
        self.say(f"\n=== {step.name}\n{said.rstrip()}\n")
        self.tell(step, verdict, seconds, usage.ru_utime + usage.ru_stime, line)

    def tell(self, step, verdict, seconds, cpu_seconds, line):
        with self.lock:
            self.times.append((step.name, seconds, cpu_seconds))
            self.lines.append(f"{verdict:7} {step.name:20} {seconds:4.0f} s, table "
                              f"{self.table.get(step.name, '-'):>4} {cpu_seconds:5.0f} CPU s  {line}")


def main():
    os.chdir(HOUSE)
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    runner = Runner()
    began = time.monotonic()
    wanted = sys.argv[1:]
    if wanted:
        steps = {step.name: step for step in FIRST + HARDSHIPS + SANITIZED}
        unknown = [name for name in wanted if name not in steps]
        if unknown:
            print(f"no step {', '.join(unknown)}; there are: {', '.join(steps)}")
            return 2
        runner.lane(steps[name] for name in wanted)
    else:
        runner.lane(FIRST)
        beside = threading.Thread(target=runner.lane, args=(HARDSHIPS,))
        beside.start()
        runner.lane(SANITIZED)
        beside.join()
    seconds = time.monotonic() - began
    print("\n=== summary\n" + "\n".join(runner.lines))
    failed = len(runner.failed)
    if os.environ.get("TIMES") == "write" and not wanted and not failed:
        in_order = [step.name for step in FIRST + SANITIZED + HARDSHIPS]
        write_table(sorted(runner.times, key=lambda row: in_order.index(row[0])))
        print(f"the table of seconds in {TABLE.name} is written")
    if seconds > LONGEST_SECONDS:
        print(f"FAILED  the whole took {seconds:.0f} s of {LONGEST_SECONDS}")
        failed += 1
    in_table = seconds_in_table(read_table())
    if in_table > LONGEST_IN_TABLE:
        print(f"FAILED  the whole takes {in_table} s of {LONGEST_IN_TABLE} by the table in {TABLE.name}")
        failed += 1
    print(f"all: {seconds:.0f} s of {LONGEST_SECONDS}, {in_table} s by the table, two cores")
    print(f"{len(runner.lines) - len(runner.failed)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
