#!/usr/bin/env python3
"""Checks that every C++ source has the format of clang-format 14 (`make format`).

    python3 tests/format_test.py

Other versions of clang-format write some lines differently, so only 14 is used.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

HOUSE = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("include", "src", "cli", "python", "service", "wasm", "tests", "fuzz", "bench")


def findings(program, path):
    done = subprocess.run([program, "--dry-run", "-Werror", str(path)], capture_output=True,
                          text=True, check=False)
    return [line for line in done.stderr.split("\n") if "error:" in line]


def main():
    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    version = program and subprocess.run([program, "--version"], capture_output=True, text=True,
                                         check=True).stdout
    if not version or "version 14." not in version:
        print("format_test: 0 passed, 0 failed, all skipped: clang-format 14 is not installed")
        return 0
    paths = sorted(path for folder in FOLDERS for path in (HOUSE / folder).rglob("*")
                   if path.suffix in (".h", ".cc"))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, found in zip(paths, pool.map(lambda p: findings(program, p), paths)):
            failed += bool(found)
            if found:
                print(found[0])
    print(f"format_test: {len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
