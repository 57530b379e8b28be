#!/usr/bin/env python3
"""Runs every test of twinset, and says how long each step took.

    python3 tools/test.py            # what `make test` calls
    python3 tools/test.py kill fuzz  # only the steps of these names; they must be built

Each step has a budget in seconds for two cores. A step that fails stops only the steps
that need it. The exit code is 1 if a step failed, or if the whole took more than 50
minutes: everyone waits for it, so it must not grow unnoticed.

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
LONGEST_SECONDS = 50 * 60
PATIENCE = 5  # A step is stopped after this many times its budget.
JOBS = os.environ.get("JOBS") or str(os.cpu_count())
RELEASE, ASAN = "build/release", "build/asan"
COUNTED = r"passed, \d+ failed"
CTEST = r"tests passed"


@dataclasses.dataclass
class Step:
    name: str
    budget: int  # seconds
    summary: str  # regular expression of its summary line
    command: list
    needs: str = ""  # the step that must have passed before


def build(preset):
    return ["sh", "-c", f"cmake --preset {preset} && cmake --build --preset {preset} "
                        f"--parallel {JOBS}"]


def python(script, *options):
    return [sys.executable, script, *options]


def unit_tests(preset):
    # Label `direct`: tests that are steps of their own here.
    return ["ctest", "--preset", preset, "--parallel", JOBS, "--label-exclude", "direct"]


def hardship(name, budget, script):
    return Step(name, budget, COUNTED, python(script, "--binary", f"{RELEASE}/twinset"),
                "release build")


FIRST = [
    Step("layers", 10, COUNTED, python("tests/layers_test.py")),
    Step("format", 20, COUNTED, python("tests/format_test.py")),
    Step("headers", 20, COUNTED,
         python("tests/headers/headers_test.py", "--compilers", "g++", "clang++")),
    Step("release build", 420, "", build("release-tests")),
    Step("release tests", 150, CTEST, unit_tests("release"), "release build"),
]
SANITIZED = [
    Step("sanitizer build", 600, "", build("asan")),
    Step("sanitizer tests", 500, CTEST, unit_tests("asan"), "sanitizer build"),
    Step("sanitizer end to end", 90, COUNTED,
         python("tests/cli/run.py", "--binary", f"{ASAN}/twinset"), "sanitizer build"),
    Step("fuzz", 60, COUNTED, ["fuzz/run.sh", ASAN, "5"], "sanitizer build"),
]
HARDSHIPS = [
    hardship("end to end", 60, "tests/cli/run.py"),
    Step("install", 60, COUNTED, python("tests/install_test.py", "--build", RELEASE),
         "release build"),
    hardship("same_bytes", 60, "tests/cli/same_bytes_test.py"),
    hardship("bad_records", 60, "tests/cli/bad_records_test.py"),
    hardship("faults", 90, "tests/cli/faults_test.py"),
    hardship("kill", 150, "tests/cli/kill_test.py"),
    hardship("memory", 300, "tests/cli/memory_test.py"),
    Step("papers", 300, COUNTED,
         python("papers/run.py", "--fast", "--binary", f"{RELEASE}/twinset"), "release build"),
]


class Runner:
    """Runs steps and remembers how they ended. Threads: run() from several."""

    def __init__(self):
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
        self.say(f"--- {step.name} (budget {step.budget} s): {' '.join(step.command)}")
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

            timer = threading.Timer(PATIENCE * step.budget, stop)
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
            line = f"stopped after {PATIENCE * step.budget} s; {line}"
        if not passed:
            self.failed.add(step.name)
        verdict = "FAILED" if not passed else "slow" if seconds > step.budget else "ok"
        self.say(f"\n=== {step.name}\n{said.rstrip()}\n")
        self.tell(step, verdict, seconds, usage.ru_utime + usage.ru_stime, line)

    def tell(self, step, verdict, seconds, cpu_seconds, line):
        with self.lock:
            self.lines.append(f"{verdict:7} {step.name:20} {seconds:4.0f} s of {step.budget:3d}"
                              f" {cpu_seconds:5.0f} CPU s  {line}")


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
    if seconds > LONGEST_SECONDS:
        print(f"FAILED  the whole took {seconds:.0f} s of {LONGEST_SECONDS}")
        failed += 1
    print(f"all: {seconds:.0f} s of {LONGEST_SECONDS}, two cores")
    print(f"{len(runner.lines) - len(runner.failed)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
