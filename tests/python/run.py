#!/usr/bin/env python3
"""Builds the package for Python, tests it as imported from the build's folder, and builds its wheel.

    python3 tests/python/run.py --build build/release
    python3 tests/python/run.py --build build/release arrow_test      # only the tests of one file
    python3 tests/python/run.py --large                               # only the documents' blocks, with Ray

The extension is one more target of a build whose libraries are ready. What it is built and tested
with comes from tests/python/requirements.txt, into build/python/venv, once for each content of that
file. The last line is the count. Standard library only.
"""

import argparse
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import unittest
import venv
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
HOUSE = HERE.parent.parent
VENV = HOUSE / "build/python/venv"
PYTHON = VENV / "bin/python"
LARGE = HOUSE / "build/python/large"
# Folder below the build -> target: the package, and the same with its own code under ASan.
PACKAGES = {"python": "twinset_python", "python_asan": "twinset_python_asan"}


def prepare_environment(folder=VENV, requirements=HERE / "requirements.txt"):
    """An environment with these packages in this folder; made once for each content of the file."""
    wanted = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
    stamp = folder / "requirements.sha256"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    venv.create(folder, with_pip=True, clear=True)
    done = subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                           "--no-deps", "-r", requirements], check=False)
    if done.returncode != 0:
        sys.exit(f"python_test: 0 passed, 1 failed: {requirements} cannot be installed")
    stamp.write_text(wanted)


def prepare_large():
    """Libraries that one recipe needs and each run of the tests would wait for."""
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--upgrade",
                    "--target", LARGE, "-r", HERE / "requirements_large.txt"], check=True)


def build_package(build, targets):
    # The last wheel has left its own settings in the build's cache.
    subprocess.run(["cmake", "-S", HOUSE, "-B", build, "-DTWINSET_PYTHON=ON", "-DSKBUILD=OFF",
                    f"-DPython_EXECUTABLE={PYTHON}"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", "twinset_cli", *targets], check=True)


def wheel_faults(build):
    """What is wrong with the wheel, as lines. It is made of the same build: nothing is compiled."""
    folder = HOUSE / "build/python/wheel"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink()
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
              "twinset/_twinset.abi3.so", "twinset/compat/datasketch.py", "/scripts/twinset"]
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
    """In the environment: all tests, or those of some files. Returns (passed, failed)."""
    suite = unittest.TestSuite()
    for path in sorted(HERE.glob("*_test.py")):
        if not names or path.stem in names:
            suite.addTests(unittest.defaultTestLoader.discover(str(HERE), path.name))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1, resultclass=Counted).run(suite)
    for test, reason in result.skipped:
        print(f"skipped {test}: {reason}")
    return result.passed, len(result.failures) + len(result.errors)


class Counted(unittest.TextTestResult):
    """Knows how many passed: testsRun counts those that were skipped in some versions of Python."""

    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def run_inside(build, folder, names, more_paths=()):
    """Runs the tests in the environment, on the package of this folder. Returns (passed, failed)."""
    settings = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, [build / folder, *more_paths])),
                    PYTHONDONTWRITEBYTECODE="1")
    more = build / folder / "environment"
    if more.exists():
        settings.update(line.split("=", 1) for line in more.read_text().splitlines())
    done = subprocess.run([PYTHON, __file__, "--inside", *names], env=settings, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, end="", flush=True)
    counted = re.findall(r"^python: (\d+) passed, (\d+) failed$", done.stdout, re.M)
    if not counted or done.returncode < 0:
        return 0, 1
    return tuple(map(int, counted[-1]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=HOUSE / "build/release")
    parser.add_argument("--inside", action="store_true", help="run the tests in this interpreter")
    parser.add_argument("--no-wheel", action="store_true")
    parser.add_argument("--site", action="store_true", help="make build/site instead, with the API")
    parser.add_argument("--large", action="store_true", help="run only the documents' blocks, with libraries that are large")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if arguments.inside:
        passed, failed = run_tests(arguments.names)
        print(f"python: {passed} passed, {failed} failed")
        return 1 if failed or not passed else 0
    prepare_environment()
    if arguments.site and not (build / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "--preset", "release-tests"], cwd=HOUSE, check=True)
    build_package(build, [PACKAGES["python"]] if arguments.large else PACKAGES.values())
    if arguments.site:
        return subprocess.run([PYTHON, HOUSE / "tools/site.py"],
                              env=dict(os.environ, PYTHONPATH=str(build / "python")), check=False).returncode
    if arguments.large:
        prepare_large()
        passed, failed = run_inside(build, "python", ["docs_test"], [LARGE])
        print(f"python_test: {passed} passed, {failed} failed")
        return 1 if failed or not passed else 0
    passed = failed = 0
    for folder in PACKAGES:
        print(f"--- {folder}", flush=True)
        more_passed, more_failed = run_inside(build, folder, arguments.names)
        passed, failed = passed + more_passed, failed + more_failed
    if not arguments.no_wheel and not arguments.names:
        faults = wheel_faults(build)
        for fault in faults:
            print(f"FAILED {fault}")
        passed, failed = passed + (not faults), failed + bool(faults)
    print(f"python_test: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
