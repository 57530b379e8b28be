#!/usr/bin/env python3
"""Builds the page, compares it with the built one in the source tree, and tests it in Chromium.

    python3 tests/page/run.py                  # all
    python3 tests/page/run.py live             # the files named *live*
    python3 tests/page/run.py --build          # writes page/built and, with a program, src/answers.ts; tests nothing

The packages of npm are those of page/package-lock.json. Without Chromium the tests that need a browser are left out,
and the last line says so. Pictures of every view: TWINSET_SCREENSHOTS=FOLDER. Standard library only.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

HOUSE = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = HOUSE / "tests/page"
PAGE = HOUSE / "page"
BUILT = PAGE / "built"
ANSWERS = PAGE / "src/answers.ts"
BROWSER = "browser.mjs"  # imported by the tests that need one
ALONE = ["million_test.mjs"]
ASSETS = ["page.css", "page.js"]
MOST_BYTES = 400_000  # of both, beside the facts of a report


def install():
    """The packages, if they are not those of the lock file."""
    lock, done = PAGE / "package-lock.json", PAGE / "node_modules/.twinset-lock"
    if done.exists() and done.read_bytes() == lock.read_bytes():
        return True
    command = ["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
    if subprocess.run(command, cwd=PAGE, check=False).returncode:
        return False
    done.write_bytes(lock.read_bytes())
    return True


def answers(binary):
    """The types of what the service of this program answers."""
    with tempfile.TemporaryDirectory(prefix="twinset-page-") as folder:
        index, described = f"{folder}/x.index", pathlib.Path(folder) / "openapi.json"
        subprocess.run([binary, "index", "create", index], check=True, capture_output=True)
        with subprocess.Popen([binary, "serve", index, "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True) as service:
            try:
                address = re.search(r"http://\S+/", service.stderr.readline()).group()
                with urllib.request.urlopen(f"{address}openapi.json", timeout=30) as answer:
                    described.write_bytes(answer.read())
            finally:
                service.terminate()
        return subprocess.run(["node", "answers.mjs", str(described)], cwd=PAGE, check=True, capture_output=True).stdout


def build(folder):
    return subprocess.run(["node", "build.mjs", str(folder)], cwd=PAGE, check=False).returncode == 0


def same_as_built():
    """What is wrong with page/built; "" if nothing is."""
    with tempfile.TemporaryDirectory(prefix="twinset-page-") as folder:
        if not build(folder):
            return "the page does not build"
        found = sorted(file.name for file in pathlib.Path(folder).iterdir())
        if found != ASSETS or sorted(file.name for file in BUILT.iterdir()) != ASSETS:
            return f"page/built has other files than {', '.join(ASSETS)}"
        for name in ASSETS:
            if (pathlib.Path(folder) / name).read_bytes() != (BUILT / name).read_bytes():
                return f"page/built/{name} is not what the sources give: python3 tests/page/run.py --build"
    size = sum((BUILT / name).stat().st_size for name in ASSETS)
    return f"page/built has {size} bytes, more than {MOST_BYTES}" if size > MOST_BYTES else ""


def run(file, environment):
    """The tests of a file that passed, that failed, and whether it was tried again."""
    for tried in (False, True):
        done = subprocess.run(["node", "--test", "--test-reporter=tap", str(file)], env=environment, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        print(f"--- {file.name}\n{said.strip()}", flush=True)
        counts = {name: int(number) for name, number in re.findall(r"^# (pass|fail|cancelled|skipped) (\d+)$", said, re.M)}
        bad = counts.get("fail", 0) + counts.get("cancelled", 0) or int(done.returncode != 0 or "pass" not in counts)
        # A browser on a busy machine is late now and then; what is wrong is wrong twice.
        if not bad or tried or BROWSER not in file.read_text():
            break
    return counts.get("pass", 0), bad, tried


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", action="store_true", help="write page/built, and test nothing")
    parser.add_argument("--binary", help="the program, whose reports are opened, too (build/release/twinset)")
    parser.add_argument("names", nargs="*", help="parts of names of test files")
    options = parser.parse_args()
    binary = pathlib.Path(options.binary or HOUSE / "build/release/twinset").resolve()
    if not install():
        print("page: 0 passed, 1 failed: npm gave no packages")
        return 1
    if options.build:
        if binary.exists():
            ANSWERS.write_bytes(answers(binary))
        return 0 if build(BUILT) else 1
    wrong = [same_as_built()]
    print(f"page: {wrong[0]}" if wrong[0] else "the built page is what the sources give", flush=True)
    if binary.exists():
        wrong.append("" if answers(binary) == ANSWERS.read_bytes() else f"{ANSWERS.relative_to(HOUSE)} is not what {binary} answers: make page")
        print(f"page: {wrong[1]}" if wrong[1] else "its types are those of the program's answers", flush=True)
    passed, failed = wrong.count(""), len(wrong) - wrong.count("")
    files = sorted(file for file in HERE.glob("*_test.mjs")
                   if not options.names or any(name in file.name for name in options.names))
    left_out = []
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        left_out = [file.name for file in files if BROWSER in file.read_text()]
        files = [file for file in files if file.name not in left_out]
    environment = dict(os.environ)
    if binary.exists():
        environment["TWINSET_BINARY"] = str(binary)
    # Two files at a time, since much of a browser's time is waiting; what measures time is alone.
    alone = [file for file in files if file.name in ALONE]
    with concurrent.futures.ThreadPoolExecutor(2) as both:
        results = dict(zip(files, both.map(lambda file: None if file in alone else run(file, environment), files)))
    results.update((file, run(file, environment)) for file in alone)
    passed += sum(good for good, _, _ in results.values())
    failed += sum(bad for _, bad, _ in results.values())
    again = [file.name for file, (_, _, tried) in results.items() if tried]
    without = f"; without Chromium left out: {', '.join(left_out)}" if left_out else ""
    tried_again = f"; tried again: {', '.join(again)}" if again else ""
    print(f"page: {passed} passed, {failed} failed{tried_again}{without}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
