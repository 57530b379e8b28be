#!/usr/bin/env python3
"""Builds the package for Python, tests it as imported from the build's folder, and builds its wheel.

    python3 tests/python/run.py --build build/release
    python3 tests/python/run.py --build build/release arrow_test      # only the tests of one file

The extension is one more target of a build whose libraries are ready. What it is built and tested
with comes from tests/python/requirements.txt, into build/python/venv, once for each content of that
file. The last line is the count. Standard library only.
"""

import argparse
import hashlib
import os
import pathlib
import subprocess
import sys
import unittest
import venv
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
HOUSE = HERE.parent.parent
VENV = HOUSE / "build/python/venv"
PYTHON = VENV / "bin/python"


def prepare_environment():
    requirements = HERE / "requirements.txt"
    wanted = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
    stamp = VENV / "requirements.sha256"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    venv.create(VENV, with_pip=True, clear=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "-r", requirements], check=True)
    stamp.write_text(wanted)


def build_package(build):
    subprocess.run(["cmake", "-S", HOUSE, "-B", build, "-DTWINSET_PYTHON=ON",
                    f"-DPython_EXECUTABLE={PYTHON}"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", "twinset_python", "twinset_cli"], check=True)


def wheel_faults(build):
    """What is wrong with the wheel, as lines. It is made of the same build: nothing is compiled."""
    folder = HOUSE / "build/python/wheel"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink()
    # Beside the build, whose cache is no wheel's; the libraries are those of ccache or of this one.
    subprocess.run([PYTHON, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check",
                    "--no-build-isolation", "--no-deps", "--wheel-dir", folder,
                    f"--config-settings=build-dir={build}", str(HOUSE)], check=True)
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1 or "-cp310-abi3-" not in wheels[0].name:
        return [f"not one wheel for CPython from 3.10 on: {[wheel.name for wheel in wheels]}"]
    print(f"{wheels[0].name}: {wheels[0].stat().st_size:,} bytes")
    with zipfile.ZipFile(wheels[0]) as archive:
        names = archive.namelist()
    wanted = ["twinset/__init__.py", "twinset/__init__.pyi", "twinset/_twinset.pyi", "twinset/py.typed",
              "twinset/_twinset.abi3.so", "/scripts/twinset"]
    faults = [f"the wheel has no {name}" for name in wanted
              if not any(found.endswith(name) for found in names)]
    target = folder / "installed"
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "--upgrade", "--target", target, wheels[0]], check=True)
    told = subprocess.run([PYTHON, "-m", "twinset", "--version"], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=str(target)), cwd=folder, check=False)
    if not told.stdout.startswith("twinset "):
        faults.append(f"python -m twinset --version of the wheel says {told.stdout!r} {told.stderr!r}")
    return faults


def run_tests(names):
    """In the environment: all tests, or those of some files."""
    suite = unittest.TestSuite()
    for path in sorted(HERE.glob("*_test.py")):
        if not names or path.stem in names:
            suite.addTests(unittest.defaultTestLoader.discover(str(HERE), path.name))
    return unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=HOUSE / "build/release")
    parser.add_argument("--inside", action="store_true", help="run the tests in this interpreter")
    parser.add_argument("--no-wheel", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if arguments.inside:
        result = run_tests(arguments.names)
        faults = [] if arguments.no_wheel or arguments.names else wheel_faults(build)
        for fault in faults:
            print(f"FAILED {fault}")
        bad = len(result.failures) + len(result.errors)
        for test, reason in result.skipped:
            print(f"skipped {test}: {reason}")
        passed = result.testsRun - bad - len(result.skipped)
        print(f"python: {passed + (not faults)} passed, {bad + bool(faults)} failed, "
              f"{len(result.skipped)} skipped")
        return 1 if bad or faults or not passed else 0
    prepare_environment()
    build_package(build)
    environment = dict(os.environ, PYTHONPATH=str(build / "python"), PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run([PYTHON, __file__, "--inside", *sys.argv[1:]], env=environment,
                          check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
