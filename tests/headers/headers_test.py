#!/usr/bin/env python3
"""Checks that each public header compiles alone, with nothing but the shelf in reach.

    python3 tests/headers/headers_test.py --compilers g++ clang++

A header that leans on what its reader happened to include before, on a header of
src/, or on a library that is not the reader's, fails here. Each is compiled by
itself, included twice, under the house's warnings. Standard library only.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Werror"]


def compile_alone(compiler, folder, header):
    """What the compiler says of `header` below `folder` included twice; '' if all is well."""
    source = f'#include "{header}"\n#include "{header}"\nint main() {{ return 0; }}\n'
    done = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, "-I", str(folder), "-x", "c++", "-"],
        input=source, text=True, capture_output=True, check=False)
    return done.stderr or "the compiler failed silently" if done.returncode else ""


def self_test(compiler):
    """A header that needs another one first must be found out."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "needy.h").write_text("#pragma once\nstd::string name();\n")
        pathlib.Path(folder, "good.h").write_text(
            "#pragma once\n#include <string>\nstd::string name();\n")
        return (compile_alone(compiler, folder, "needy.h") != ""
                and compile_alone(compiler, folder, "good.h") == "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compilers", nargs="+", default=["c++"])
    arguments = parser.parse_args()

    shelf = pathlib.Path(__file__).resolve().parents[2] / "include"
    headers = sorted(p.relative_to(shelf).as_posix() for p in shelf.rglob("*.h"))
    passed = failed = 0
    for compiler in arguments.compilers:
        if self_test(compiler):
            passed += 1
        else:
            failed += 1
            print(f"FAILED {compiler}: a header that needs another is not found out")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            said = pool.map(lambda h: compile_alone(compiler, shelf, h), headers)
            for header, message in zip(headers, said):
                passed += not message
                failed += bool(message)
                if message:
                    print(f"FAILED {compiler} {header}\n{message}")
    if not headers:
        failed += 1
        print(f"FAILED no headers below {shelf}")
    print(f"headers_test: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
