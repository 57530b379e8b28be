#!/usr/bin/env python3
"""Builds the package for JavaScript, and tests it in Node against the same core compiled for this machine.

    python3 tests/wasm/run.py --build build/release
    python3 tests/wasm/run.py labels_test.mjs          # only the tests of one file
    python3 tests/wasm/run.py --bench                  # speeds, beside those of the native core

The package is build/wasm, made by `cmake --preset wasm`; the tests are tests/wasm/*_test.mjs, for Node's own
runner, of version 18 or newer. Pages of a whole manual come from TWINSET_DATA, if it is set. The last line is
the count. Standard library only.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HOUSE = HERE.parent.parent


def build_package():
    subprocess.run(["cmake", "--preset", "wasm"], cwd=HOUSE, check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["cmake", "--build", "--preset", "wasm"], cwd=HOUSE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, end="", flush=True)
    if done.returncode != 0 or "warning: " in done.stdout:
        sys.exit("wasm_test: 0 passed, 1 failed: the package is not built, or not without warnings")


def unpack_manual(folder):
    """The pages of a manual as files; False if TWINSET_DATA has none."""
    packed = pathlib.Path(os.environ.get("TWINSET_DATA", "none")) / "llvm-docs-html/pages.jsonl.zst"
    if not packed.exists():
        return False
    lines = subprocess.run(["zstd", "-dcq", "--long=27", packed], check=True, stdout=subprocess.PIPE).stdout.splitlines()
    for number, line in enumerate(lines):
        (folder / f"{number}.html").write_bytes(json.loads(line)["html"].encode())
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=HOUSE / "build/release")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--bench", action="store_true", help="prints speeds (bench/wasm.mjs) and tests nothing")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    build_package()
    subprocess.run(["cmake", "--build", build, "--target", "native_door", "native_sketches"], check=True)
    files = [HERE / name for name in arguments.files] or sorted(HERE.glob("*_test.mjs"))
    with tempfile.TemporaryDirectory() as folder:
        settings = dict(os.environ, TWINSET_BUILD=str(build))
        if unpack_manual(pathlib.Path(folder)):
            settings["TWINSET_MANUAL"] = folder
        if arguments.bench:
            return subprocess.run(["node", HOUSE / "bench/wasm.mjs"], env=settings, check=False).returncode
        done = subprocess.run(["node", "--test", "--test-reporter=tap", *files], env=settings,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    # How long each test took, and where its code stands, is in the way.
    print(re.sub(r"^ *---\n *duration_ms: [\d.]+\n( *type: .*\n)? *\.\.\.\n", "", done.stdout, flags=re.M), flush=True)
    passed, failed = (int((re.findall(rf"^# {word} (\d+)$", done.stdout, re.M) or [0])[-1]) for word in ("pass", "fail"))
    failed += done.returncode != 0 and not failed
    print(f"wasm_test: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
