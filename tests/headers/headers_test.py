#!/usr/bin/env python3
"""Checks that each public header compiles alone, with nothing but the shelf in reach, that the
example in its opening comment does, and that common misuse does not.

    python3 tests/headers/headers_test.py --compilers g++ clang++

A header that leans on what its reader happened to include before, on a header of
src/, or on a library that is not the reader's, fails here. Each is compiled by
itself, included twice, under the house's warnings. The lines of its example stand in
examples.cc, in a function. The sources that a library is optional for compile without it.
Standard library only.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
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


# Misuse that must not compile, the headers that it needs, and the same used well.
MISUSES = [
    ("columns", "TextColumn c(std::vector<std::string>{{}});",
     "std::vector<std::string> v; TextColumn c(v);"),
    ("columns", "StringColumn c(std::vector<std::string_view>{{}});",
     "std::vector<std::string_view> v; StringColumn c(v);"),
    ("columns", "std::vector<std::int32_t> o; (void)StringColumn::from_offsets(std::string(), o);",
     "std::vector<std::int32_t> o; (void)StringColumn::from_offsets(\"\", o);"),
    ("columns", "std::vector<std::int16_t> o; (void)StringColumn::from_offsets(\"\", o);",
     "std::vector<std::int64_t> o; (void)StringColumn::from_offsets(\"\", o);"),
    ("columns", "(void)StringColumn::from_offsets(\"\", std::vector<std::int64_t>());",
     "const std::vector<std::int64_t> o; (void)StringColumn::from_offsets(\"\", o);"),
    ("columns", "std::vector<ArrowView> v; "
                "(void)StringColumn::from_views(v, std::vector<std::string_view>());",
     "std::vector<ArrowView> v; std::vector<std::string_view> b; (void)StringColumn::from_views(v, b);"),
    ("ratio", "Ratio r = 0.8;", "Ratio r(4, 5);"),
    ("dedup", "DedupOptions o; o.resemblance = 0.8;", "DedupOptions o; o.resemblance = Ratio(4, 5);"),
    ("dedup", "dedup(DedupOptions(), RunControl());", "(void)dedup(DedupOptions(), RunControl());"),
    ("dedup", "DedupOptions o; o.templates = true;",
     "DedupOptions o; o.templates = Templates::drop;"),
    ("result", "Result<int> r;", "Result<int> r = 1;"),
    ("result", "Error e = \"text\";", "Error e = usage_error(\"text\");"),
    ("scheme", "TextScheme s;", "TextScheme s = make_scheme(\"fss\").value();"),
    ("pair", "double r = resemblance(\"a\", \"b\");",
     "double r = resemblance(\"a\", \"b\").value().value;"),
]


def misuse(compiler, folder, header, statement):
    """What the compiler says of a statement."""
    source = (f'#include "twinset/{header}.h"\nusing namespace twinset;\n'
              f"void f() {{ {statement} }}\n")
    done = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", "-Werror=unused-result", "-I", str(folder), "-x",
         "c++", "-"], input=source, text=True, capture_output=True, check=False)
    return done.stderr if done.returncode else ""


def check_misuses(compiler, folder):
    """One line for each misuse that compiles, and for each use that does not."""
    for header, wrong, right in MISUSES:
        if not misuse(compiler, folder, header, wrong):
            yield f"compiles, and should not: {wrong}"
        said = misuse(compiler, folder, header, right)
        if said:
            yield f"does not compile: {right}\n{said}"


COMMENT = re.compile(r"\s*//.*$")


def code_of(line):
    """A line without its comment and without spaces, which a formatter may move."""
    return re.sub(r"\s+", "", COMMENT.sub("", line))


def example_of(header):
    """The code in the opening comment of a header, in one string: lines that are indented there and
    end as C++ does."""
    opening = header.split("#pragma once")[0]
    lines = [code_of(line[len("//   "):]) for line in opening.split("\n") if line.startswith("//   ")]
    return "".join(lines)


def examples_in(source):
    """The code of examples.cc by header: from its "// x.h" to the next one."""
    parts = re.split(r"^ *// (\w+\.h)$", source, flags=re.M)
    return {name: "".join(code_of(line) for line in code.split("\n"))
            for name, code in zip(parts[1::2], parts[2::2])}


def check_examples(folder, headers, source):
    """One line for each header whose example is not the one that is compiled."""
    compiled = examples_in(source)
    for header in headers:
        shown = example_of((folder / header).read_text())
        name = pathlib.Path(header).name
        if not shown:
            yield f"{header}: its opening comment shows no example"
        for line in shown.split(";"):
            if line.strip("}") and line.lstrip("}") not in compiled.get(name, ""):
                yield f"{header}: examples.cc lacks {line!r}"


def compile_examples(compiler, folder, source):
    done = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", "-I", str(folder), "-x", "c++", "-"],
        input=source, text=True, capture_output=True, check=False)
    return done.stderr if done.returncode else ""


def compile_without_libraries(compiler, root):
    """What the compiler says of the sources that differ in a build without GMime or Parquet; each of
    them needs its TWINSET_HAS_ alone."""
    sources = [path for path in sorted((root / "src").rglob("*.cc")) if "#ifdef TWINSET_HAS_" in path.read_text()]
    if not sources:
        return "no source has a part for builds without a library"
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, "-I", str(root / "include"), "-I",
                           str(root / "src"), *map(str, sources)], text=True, capture_output=True, check=False)
    return done.stderr if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compilers", nargs="+", default=["c++"])
    arguments = parser.parse_args()

    shelf = pathlib.Path(__file__).resolve().parents[2] / "include"
    headers = sorted(p.relative_to(shelf).as_posix() for p in shelf.rglob("*.h"))
    passed = failed = 0
    examples = pathlib.Path(__file__).with_name("examples.cc").read_text()
    findings = list(check_examples(shelf, headers, examples))
    broken = examples.replace("options.output = \"clean\";", "")
    if len(list(check_examples(shelf, headers, broken))) <= len(findings):
        findings.append("an example that was changed is not found out")
    for finding in findings:
        print(f"FAILED {finding}")
    passed += not findings
    failed += bool(findings)
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
        faults = [*check_misuses(compiler, shelf)]
        said = [compile_examples(compiler, shelf, examples), compile_without_libraries(compiler, shelf.parent)]
        for fault in faults + [each for each in said if each]:
            print(f"FAILED {compiler}: {fault}")
        passed += (not faults) + sum(not each for each in said)
        failed += bool(faults) + sum(bool(each) for each in said)
    if not headers:
        failed += 1
        print(f"FAILED no headers below {shelf}")
    print(f"headers_test: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
