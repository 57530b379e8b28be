#!/usr/bin/env python3
"""Checks that every row of papers/rows.md is shown, and prints where.

    python3 tests/paper_rows_test.py           # the rows that are not wholly shown, and the numbers
    python3 tests/paper_rows_test.py --all     # and for each row the tests and pages that name it
    python3 tests/paper_rows_test.py I-09 S-1  # only the rows that begin so

papers/rows.md lists what the papers describe, a row with an id for each thing. A test, a page or a
benchmark that shows a row names its id:

- tests/**/*.cc: in the comment right above a TEST, in a comment inside of it, or first in its name
  (S18FindsEveryPair, S22AndS23AreThoseOfEveryTwo). A disabled test shows nothing.
- tests/**/*.py and tests/cli/*.test: anywhere. This script does not count.
- papers/NNN/: in a page's script, or in what it printed.
- bench/: in a comment or a text.

"B-05 to B-07" names three. docs/ are listed beside these, but show nothing: prose cannot fail. The
last column of rows.md is empty for a row that is shown, says what is missing of one that is shown in
part, and is `later` for one that nothing shows yet. The rules:

- Rows are in order, none is there twice, and each has a section and a phrase.
- A row that is shown, wholly or in part, is named by something.
- A row of `later` is named by nothing: who shows it changes its column in the same commit.
- No id that is named is on no list.
- PARTLY and LATER below are the numbers of such rows. They only ever fall.

Before it checks the tree it breaks each rule once in a small tree of its own, and requires that the
check fails. Standard library only.
"""

import collections
import pathlib
import re
import sys
import tempfile

PARTLY = 0
LATER = 0

LIST = "papers/rows.md"
LATER_MARK = "later"
ID = re.compile(r"(?<![\w-])([BISR])-(\d\d)(?![\w-])")
RANGE = re.compile(r"(?<![\w-])([BISR])-(\d\d) to \1-(\d\d)(?!\w)")
ROW = re.compile(r"\| ([BISR]-\d\d) \| (.*?) \| (.*?) \|(?: (.*?))? \|$")
TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|RC_GTEST_PROP)"
                  r"\(\s*(\w+),\s*(\w+)", re.M)
NAMED = re.compile(r"(?:[BISR]\d\d(?:And(?=[BISR]\d\d)|(?=[A-Z_]|$)))+")

Row = collections.namedtuple("Row", "id section phrase missing")
# Where an id stands: a file, and the test, heading or function; `shows` is false for prose.
Place = collections.namedtuple("Place", "file name shows")


def ids_in(text):
    """The ids in a text, ranges with all that they span."""
    found = [f"{letter}-{number}" for letter, number in ID.findall(text)]
    for letter, first, last in RANGE.findall(text):
        found += [f"{letter}-{n:02}" for n in range(int(first), int(last) + 1)]
    return set(found)


def ids_in_name(name):
    """The ids that the name of a TEST begins with."""
    begins = NAMED.match(name)
    return {f"{i[0]}-{i[1:]}" for i in re.findall(r"[BISR]\d\d", begins.group())} if begins else set()


def in_cpp_tests(text):
    """(ids, name of the TEST) for each TEST of a source that names any."""
    lines = text.split("\n")
    for test in TEST.finditer(text):
        suite, name = test.groups()
        if name.startswith("DISABLED_") or suite.startswith("DISABLED_"):
            continue
        first = text.count("\n", 0, test.start())
        above = first
        while above > 0 and lines[above - 1].startswith("//"):
            above -= 1
        end = first
        while end < len(lines) and lines[end] != "}" and not lines[end].endswith("; }"):
            end += 1
        end += 1
        inside = [line.partition("//")[2] for line in lines[first:end]]
        found = ids_in("\n".join(lines[above:first] + inside)) | ids_in_name(name)
        if found:
            yield found, f"{suite}.{name}"


def in_sections(text, heading_of):
    """(ids, heading) for each line that names any. Of headings one after the other the first counts."""
    heading, before = "", None
    for line in text.split("\n"):
        here = heading_of(line)
        if here is not None and before is None:
            heading = here
        before = here
        found = ids_in(line)
        if found:
            yield found, heading


def heading_of_page(line):
    return re.sub(r"^#+ ", "", line) if re.match(r"#+ ", line) else None


def heading_of_python(line):
    begins = re.match(r"(?:def|class) (\w+)", line)
    return begins.group(1) if begins else "" if re.match(r"\w", line) else None


def heading_of_texts(line):
    return line.lstrip("# ") if line.startswith("# ") else None


def places(root):
    """{id: its places, in the order of files} of a tree."""
    found = collections.defaultdict(list)

    def add(ids, *place):
        for i in ids:
            if Place(*place) not in found[i]:
                found[i].append(Place(*place))

    for folder in ("tests", "papers", "bench", "docs"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            suffix = path.suffix
            if (suffix not in (".cc", ".py", ".test", ".md") or path.name == "README.md" or
                    name in (LIST, "tests/paper_rows_test.py")):
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            if suffix == ".cc" and folder == "tests":
                for ids, test in in_cpp_tests(text):
                    add(ids, name, test, True)
            elif suffix == ".cc":
                add(ids_in(text), name, "", True)
            elif suffix == ".test":
                for ids, heading in in_sections(text, heading_of_texts):
                    add(ids, name, heading, True)
            elif folder == "papers" and not re.match(r"papers/\d+/", name):
                continue  # parts of pages
            elif folder == "papers" and suffix == ".py":
                printed = path.with_suffix(".md")
                printed = printed.read_text(encoding="utf-8") if printed.exists() else ""
                add(ids_in(text) - ids_in(printed), name, "", True)
            elif suffix == ".py":
                for ids, function in in_sections(text, heading_of_python):
                    add(ids, name, function, True)
            else:
                for ids, heading in in_sections(text, heading_of_page):
                    add(ids, name, heading, folder != "docs")
    return found


class Tree:
    def __init__(self, root):
        root = pathlib.Path(root)
        lines = (root / LIST).read_text(encoding="utf-8").split("\n")
        rows = [ROW.match(line) for line in lines]
        self.unread = [line for line, row in zip(lines, rows)
                       if not row and re.match(r"\|\W*[BISR]-?\d", line)]
        self.rows = [Row(*(cell or "" for cell in row.groups())) for row in rows if row]
        self.places = places(root)
        self.shown_by = {i: [p for p in there if p.shows] for i, there in self.places.items()}
        self.later = [row for row in self.rows if row.missing == LATER_MARK]
        self.partly = [row for row in self.rows if row.missing not in ("", LATER_MARK)]


def check_list(tree):
    for line in tree.unread:
        yield f"{LIST}: not of the form | id | section | phrase | missing |: {line}"
    before = collections.Counter()
    for row in tree.rows:
        letter, number = row.id.split("-")
        before[letter] += 1
        if int(number) != before[letter]:
            yield f"{LIST}: {row.id} is not {letter}-{before[letter]:02}, which comes next"
        if not row.section.strip() or not row.phrase.strip():
            yield f"{LIST}: {row.id} has no section or no phrase"
    if not tree.rows:
        yield f"{LIST}: no rows"


def check_shown(tree):
    for row in tree.rows:
        if row.missing != LATER_MARK and not tree.shown_by.get(row.id):
            only = "".join(f"; {p.file} only tells of it" for p in tree.places.get(row.id, []))
            yield f"{row.id} ({row.phrase}) is named by no test, page or benchmark{only}"


def check_later(tree):
    for row in tree.later:
        for place in tree.shown_by.get(row.id, []):
            yield (f"{row.id} is `{LATER_MARK}` in {LIST}, and {place.file} {place.name} names it: "
                   "empty its column, or say there what is missing")


def check_known(tree):
    known = {row.id for row in tree.rows}
    for i, there in sorted(tree.places.items()):
        if i not in known:
            yield f"{i} is in no row of {LIST}; {there[0].file} {there[0].name} names it"


def check_numbers(tree, partly=None, later=None):
    for name, limit, rows in (("PARTLY", PARTLY if partly is None else partly, tree.partly),
                              ("LATER", LATER if later is None else later, tree.later)):
        if len(rows) > limit:
            yield f"{len(rows)} rows of {LIST} are {name.lower()}, {name} is {limit}: show them"
        if len(rows) < limit:
            yield f"only {len(rows)} rows of {LIST} are {name.lower()}: lower {name} from {limit}"


CHECKS = {
    "rows are in order, with a section and a phrase": check_list,
    "rows are named by what shows them": check_shown,
    "rows of later are named by nothing": check_later,
    "each id that is named has a row": check_known,
    "no more rows are shown in part, or later": check_numbers,
}

# --- the self-test

GOOD_TREE = {
    LIST: "# Rows\n\n| id | section | what | missing |\n|---|---|---|---|\n"
          "| B-01 | 2 | a | |\n| B-02 | 2 | b | no time |\n| B-03 | 2 | c | |\n"
          "| I-01 | 3 | d | |\n| I-02 | 3 | e | |\n| I-03 | 3 | f | |\n"
          "| R-01 | 4 | g | |\n| R-02 | 4 | h | |\n| R-03 | 4 | i | later |\n"
          "| S-01 | 5 | j | |\n| S-02 | 5 | k | |\n",
    # A comment at the head of the file, one above a function and one that a line parts from its TEST
    # show nothing.
    "tests/x/a_test.cc": "// All of it (R-03).\n\n// R-03.\nvoid f() {\n}\n\n// R-03.\n\n"
                         "// Of B-01 (2.1),\n// and more.\nTEST(A, Is) {\n}\n\n"
                         "TEST_P(A,\n       I01AndI02AreEqual) {\n  f();  // B-02: no.\n}\n\n"
                         "// R-03.\nTEST(A, DISABLED_R03) {\n  int R03 = 1;\n}\n",
    "tests/cli/a.test": "# A (I-03).\n\n$ true\n----\n",
    "tests/cli/b_test.py": '"""B."""\ndef f():\n    """R-01."""\n',
    "papers/001/a.py": '"""A (B-03)."""\n',
    "papers/001/a.md": "# A\n\n## Two (R-02)\n\nISO-885, GB-18, X-S-01.\n",
    "papers/README.md": "R-03 is not made again.\n",
    "papers/mails.py": "# R-03.\n",
    "docs/a.md": "# A\n\nR-03 comes.\n",
    "bench/a_bench.cc": "// S-01 to S-02.\n",
    "src/x/a.cc": "// R-03.\n",
    "CHANGELOG.md": "R-03.\n",
}
WHERE = {
    "B-01": ("tests/x/a_test.cc", "A.Is"), "B-02": ("tests/x/a_test.cc", "A.I01AndI02AreEqual"),
    "I-02": ("tests/x/a_test.cc", "A.I01AndI02AreEqual"), "B-03": ("papers/001/a.py", ""),
    "I-03": ("tests/cli/a.test", "A (I-03)."), "R-01": ("tests/cli/b_test.py", "f"),
    "R-02": ("papers/001/a.md", "Two (R-02)"), "S-02": ("bench/a_bench.cc", ""),
}
BREAKS = [  # check, file, text in it, in whose place, a part of the finding
    (check_list, LIST, "| B-01 |", "| B-04 |", "B-04 is not B-01"),
    (check_list, LIST, "| B-02 |", "| B-01 |", "B-01 is not B-02"),
    (check_list, LIST, "| 2 | a |", "| 2 |  |", "B-01 has no section"),
    (check_list, LIST, "| B-01 | 2 |", "| B-01 |", "not of the form"),
    (check_list, LIST, "| B-01 |", "| B-1 |", "not of the form"),
    (check_shown, "tests/x/a_test.cc", "// Of B-01", "// Of it", "B-01 (a) is named by no"),
    (check_shown, "tests/x/a_test.cc", "TEST(A, Is)", "TEST(A, DISABLED_Is)", "B-01 (a)"),
    (check_shown, "tests/x/a_test.cc", "// and more.\n", "\n", "B-01 (a)"),
    (check_shown, "tests/x/a_test.cc", "  // B-02: no.", "", "B-02 (b)"),
    (check_shown, "tests/x/a_test.cc", "I01AndI02AreEqual", "AreI01AndI02", "I-02 (e)"),
    (check_shown, "tests/x/a_test.cc", "I01AndI02Are", "I01AndI025", "I-02 (e)"),
    (check_shown, "papers/001/a.md", "R-02", "R-2", "R-02 (h)"),
    (check_shown, "bench/a_bench.cc", " to ", ", ", ""),
    (check_shown, "bench/a_bench.cc", "S-01 to S-02", "S-02", "S-01 (j)"),
    (check_shown, LIST, "| i | later |", "| i | |", "docs/a.md only tells"),
    (check_later, "tests/x/a_test.cc", "TEST(A, DISABLED_R03)", "TEST(A, R03)", "a_test.cc A.R03"),
    (check_later, "tests/cli/a.test", "I-03", "I-03, R-03", "a.test"),
    (check_known, "docs/a.md", "R-03", "R-04", "R-04 is in no row"),
    (check_known, "bench/a_bench.cc", "to S-02", "to S-03", "S-03 is in no row"),
    (check_numbers, LIST, "| c | |", "| c | no place |", "2 rows"),
    (check_numbers, LIST, "| b | no time |", "| b | |", "lower PARTLY"),
    (check_numbers, LIST, "| c | |", "| c | later |", "2 rows"),
    (check_numbers, LIST, "| i | later |", "| i | |", "lower LATER"),
]


def self_test():
    """The breaks that the checks miss, and their false findings, as lines."""
    def build(name="", old="", new=""):
        with tempfile.TemporaryDirectory() as root:
            for file, text in GOOD_TREE.items():
                assert file != name or old in text, f"{old!r} is not in {name}"
                path = pathlib.Path(root) / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text.replace(old, new, 1) if file == name else text)
            return Tree(root)

    def findings(check, tree):
        return list(check(tree, 1, 1) if check is check_numbers else check(tree))

    good = build()
    for check in CHECKS.values():
        for finding in findings(check, good):
            yield f"{check.__name__} on a good tree: {finding}"
    for i, (file, name) in WHERE.items():
        if [(p.file, p.name) for p in good.shown_by[i]] != [(file, name)]:
            yield f"{i} is at {good.shown_by[i]}, not in {file} {name}"
    for check, name, old, new, piece in BREAKS:
        found = findings(check, build(name, old, new))
        if piece and not any(piece in finding for finding in found):
            yield f"{check.__name__} did not see {new!r} in {name}"
        if not piece and found:
            yield f"{check.__name__} on {new!r} in {name}: {found[0]}"


def print_rows(tree, begins):
    for row in tree.rows:
        if not row.id.startswith(tuple(begins)):
            continue
        print(f"{row.id}  {row.phrase}" + (f"  [missing: {row.missing}]" if row.missing else ""))
        for place in tree.places.get(row.id, []):
            told = "" if place.shows else "  (tells)"
            print(f"        {place.file}" + (f": {place.name}" if place.name else "") + told)
    print()


def main():
    passed = failed = 0
    tree = Tree(pathlib.Path(__file__).resolve().parent.parent)
    asked = ["B", "I", "S", "R"] if "--all" in sys.argv else sys.argv[1:]
    if asked:
        print_rows(tree, asked)
    results = [("the checks see what they should", list(self_test()))]
    results += [(name, list(check(tree))) for name, check in CHECKS.items()]
    for name, findings in results:
        print(f"{'FAILED' if findings else 'ok':<7}{name}")
        for finding in findings:
            print(f"         {finding}")
        passed += not findings
        failed += bool(findings)
    for title, rows in (("shown in part", tree.partly), ("later", tree.later)):
        print(f"\n{title}:")
        for row in rows:
            what = row.missing if row.missing != LATER_MARK else row.phrase
            print(f"  {row.id}  {what}")
    open_rows = len(tree.partly) + len(tree.later)
    print(f"\n{len(tree.rows)} rows: {len(tree.rows) - open_rows} shown, {len(tree.partly)} in part, "
          f"{len(tree.later)} later\n")
    print(f"paper_rows_test: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
