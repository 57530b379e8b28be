#!/usr/bin/env python3
"""Checks that a program can be built with the files that `make install` installs.

    python3 tests/install_test.py --build build/release

Installs into a folder of its own, checks that only the program, its completions and manual
page, the public shelf and one library are there, and builds a small program against it
twice: with pkg-config and with find_package; then builds the examples of the README, and runs
what deploy/ runs. Standard library only.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import deployed

HOUSE = pathlib.Path(__file__).resolve().parent.parent

PROGRAM = r"""
#include <cstdio>
#include "twinset/dedup.h"

int main(int argc, char** argv) {
  twinset::DedupOptions options;
  options.inputs = {argv[1]};
  options.output = argv[2];
  const auto done = twinset::dedup(options, twinset::RunControl{});
  if (argc != 3 || !done.ok()) return 1;
  std::printf("%d kept, %d removed\n", static_cast<int>(done.value().total.kept),
              static_cast<int>(done.value().total.removed()));
  return 0;
}
"""
LISTS = """
cmake_minimum_required(VERSION 3.25)
project(stranger CXX)
find_package(twinset REQUIRED)
add_executable(stranger stranger.cc)
target_link_libraries(stranger PRIVATE twinset::twinset)
"""
MADE_BY_THE_PROGRAM = {
    "share/bash-completion/completions/twinset": ["completion", "bash"],
    "share/zsh/site-functions/_twinset": ["completion", "zsh"],
    "share/fish/vendor_completions.d/twinset.fish": ["completion", "fish"],
    "share/man/man1/twinset.1": ["man"],
}
RECORDS = '{"text": "a rose is a rose is a rose"}\n{"text": "A rose is a rose is a rose."}\n'
# The programs of the README, in its order, and their output.
EXAMPLES = {
    "compare_strings": "resemblance 0.697; by sketches 0.696, from 0.634 to 0.751\n"
                       "only in the second: ten\n",
    "dedup_strings": "text 2 goes: lexical, resemblance 1.00 with text 1\n"
                     "text 3 goes: near, resemblance 0.69 with text 1\n",
    "sign_strings": "text 2 resembles text 0 by some 0.70\n1 text has no signature\n",
}


class Failed(Exception):
    pass


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False,
                          **more)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def installed_files(build, prefix):
    run("cmake", "--build", build, "--target", "twinset_archive", "twinset_cli")
    run("cmake", "--install", build, "--prefix", prefix)
    found = sorted(p.relative_to(prefix).as_posix() for p in prefix.rglob("*") if p.is_file())
    headers = {f"include/{p.relative_to(HOUSE / 'include').as_posix()}"
               for p in (HOUSE / "include").rglob("*.h")}
    allowed = headers | {"bin/twinset", *MADE_BY_THE_PROGRAM}
    for name in found:
        if name not in allowed and not name.endswith(
                ("/libtwinset.a", "/libtwinset_parquet.a", "/twinset.pc", "/twinset-config.cmake",
                 "/twinset-config-version.cmake")):
            raise Failed(f"installed, but not of the shelf: {name}")
    for name in allowed:
        if name not in found:
            raise Failed(f"not installed: {name}")
    for name, words in MADE_BY_THE_PROGRAM.items():
        if (prefix / name).read_text() != run(prefix / "bin/twinset", *words):
            raise Failed(f"{name} is not what twinset {' '.join(words)} prints")
    return next((prefix / p).parent for p in found if p.endswith("libtwinset.a"))


def finds_copies(program, folder, name):
    records = folder / "in.jsonl"
    records.write_text(RECORDS)
    said = run(program, records, folder / f"out-{name}")
    if said != "1 kept, 1 removed\n":
        raise Failed(f"{name}: {said}")


def by_pkg_config(libraries, folder, prefix):
    del prefix
    (folder / "stranger.cc").write_text(PROGRAM)
    flags = run("pkg-config", "--static", "--cflags", "--libs", "twinset",
                env={"PKG_CONFIG_PATH": f"{libraries}/pkgconfig", "PATH": "/usr/bin:/bin"}).split()
    run("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", folder / "stranger.cc", "-o",
        folder / "by_pkg_config", *flags)
    finds_copies(folder / "by_pkg_config", folder, "pkg-config")


def by_find_package(libraries, folder, prefix):
    del libraries
    source = folder / "stranger"
    source.mkdir()
    (source / "stranger.cc").write_text(PROGRAM)
    (source / "CMakeLists.txt").write_text(LISTS)
    run("cmake", "-S", source, "-B", source / "build", "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_CXX_COMPILER=g++")
    run("cmake", "--build", source / "build")
    finds_copies(source / "build/stranger", folder, "find_package")


def builds_the_examples(libraries, folder, prefix):
    """Each program of the README is in examples/ and prints the README's output."""
    del prefix
    blocks = (HOUSE / "README.md").read_text().split("```cpp\n")[1:]
    if len(blocks) != len(EXAMPLES):
        raise Failed(f"README.md shows {len(blocks)} programs; there are {len(EXAMPLES)} examples")
    for block, (name, says) in zip(blocks, EXAMPLES.items()):
        source = HOUSE / f"examples/{name}.cc"
        example = " ".join(source.read_text().split())
        for line in block.split("```")[0].splitlines():
            wanted = " ".join(line.split("  //")[0].split())
            if wanted not in example:
                raise Failed(f"README.md shows a line that {source.name} lacks: {wanted}")
        flags = run("pkg-config", "--static", "--cflags", "--libs", "twinset",
                    env={"PKG_CONFIG_PATH": f"{libraries}/pkgconfig",
                         "PATH": "/usr/bin:/bin"}).split()
        run("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", source, "-o", folder / name, *flags)
        said = run(folder / name)
        if said != says:
            raise Failed(f"{source.name}: {said}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="twinset-install-") as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        libraries = None
        for check in (lambda: installed_files(build, prefix),
                      lambda: by_pkg_config(libraries, folder, prefix),
                      lambda: by_find_package(libraries, folder, prefix),
                      lambda: builds_the_examples(libraries, folder, prefix),
                      lambda: deployed.check(prefix / "bin/twinset", folder / "deployed")):
            try:
                libraries = check() or libraries
                passed += 1
            except (Failed, deployed.Wrong) as why:
                failed += 1
                print(f"FAILED {why}")
                if libraries is None:
                    break
    print(f"install: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
