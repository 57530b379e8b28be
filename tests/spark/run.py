#!/usr/bin/env python3
"""Tests twinset.spark on a cluster of two executors, each a process of its own.

    python3 tests/spark/run.py --build build/release
    python3 tests/spark/run.py --build build/release Spark.test_bad_input     # only this test

The package is that of tests/python/run.py, built by it. Spark comes from tests/spark/requirements.txt,
into build/spark/venv; Java 17 or newer is found by JAVA_HOME or on the path. One session serves all
tests: to start one takes as long as all else. The last line is the count. Standard library only.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
HOUSE = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "python"))
import run as package

VENV = HOUSE / "build/spark/venv"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=HOUSE / "build/release")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
        sys.exit("spark_test: 0 passed, 1 failed: there is no Java; tools/install_dependencies.sh spark")
    package.prepare_environment()
    package.build_package(build, [package.PACKAGES["python"]])
    package.prepare_environment(VENV, HERE / "requirements.txt")
    python = VENV / "bin/python"
    settings = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", PYSPARK_PYTHON=str(python), PYTHONHASHSEED="0",
                    PYTHONPATH=os.pathsep.join(map(str, [build / "python", HERE.parent / "python"])))
    done = subprocess.run([python, HERE / "spark_test.py", *arguments.names], env=settings, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, end="", flush=True)
    # Spark's last words may follow those of the tests.
    counted = re.findall(r"^spark: (\d+) passed, (\d+) failed$", done.stdout, re.M)
    passed, failed = map(int, counted[-1]) if counted else (0, 1)
    print(f"spark_test: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
