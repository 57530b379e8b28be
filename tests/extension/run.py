#!/usr/bin/env python3
"""Builds the browser extension and tests it in Chromium (R-31).

    python3 tests/extension/run.py                  # all
    python3 tests/extension/run.py hostile          # the files named *hostile*
    python3 tests/extension/run.py --built lists    # with the extension that is built already

The packages of npm are those of extension/package-lock.json. Without Chromium the tests that need a browser are
left out, and the last line says so. Standard library only.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HOUSE = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = HOUSE / "tests/extension"
BROWSER = "browser.mjs"  # imported by the tests that need one


def run(file, environment):
    """The tests of a file that passed, and that failed."""
    done = subprocess.run(["node", "--test", "--test-reporter=tap", str(file)], env=environment, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    print(f"--- {file.name}\n{said.strip()}", flush=True)
    counts = {name: int(number) for name, number in re.findall(r"^# (pass|fail|cancelled|skipped) (\d+)$", said, re.M)}
    bad = counts.get("fail", 0) + counts.get("cancelled", 0)
    return counts.get("pass", 0), bad or int(done.returncode != 0 or "pass" not in counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--built", action="store_true", help="do not build the extension")
    parser.add_argument("--binary", help="the program, which reads exported lists (build/release/twinset)")
    parser.add_argument("names", nargs="*", help="parts of names of test files")
    options = parser.parse_args()
    if not options.built and subprocess.run(["make", "--silent", "extension"], cwd=HOUSE, check=False).returncode:
        print("extension: 0 passed, 1 failed: it is not built")
        return 1
    files = sorted(file for file in HERE.glob("*_test.mjs")
                   if not options.names or any(name in file.name for name in options.names))
    left_out = []
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        left_out = [file.name for file in files if BROWSER in file.read_text()]
        files = [file for file in files if file.name not in left_out]
    environment = dict(os.environ)
    binary = pathlib.Path(options.binary or HOUSE / "build/release/twinset").resolve()
    if binary.exists():
        environment["TWINSET_BINARY"] = str(binary)
    # One after another: each has a browser of its own, and some measure milliseconds.
    passed = failed = 0
    again = []
    for file in files:
        good, bad = run(file, environment)
        # A browser on a busy machine is late now and then; what is wrong is wrong twice.
        if bad and BROWSER in file.read_text():
            again.append(file.name)
            good, bad = run(file, environment)
        passed += good
        failed += bad
    without = f"; without Chromium left out: {', '.join(left_out)}" if left_out else ""
    tried_again = f"; tried again: {', '.join(again)}" if again else ""
    print(f"extension: {passed} passed, {failed} failed{tried_again}{without}")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
