#!/usr/bin/env python3
"""Checks the structure of the source tree, and prints its rooms.

    python3 tests/layers_test.py

The rules:

- src/CMakeLists.txt names the rooms in order. A file of a room includes only its
  own room, earlier rooms, and the public shelf include/twinset/. Rooms of verbs do not
  include one another, except for the few pairs of VERBS.
- Only faces/, the room above the verbs, writes for a screen: no other has a to_text() or to_markdown(), the
  colors of a terminal, or a stream to format text.
- base, text and web, and the headers of the shelf that they include, use no thread, lock, file, map or
  network, so that they compile for WebAssembly.
- src/ has no more lines than LINES_AT_MOST, without generated tables. It is raised only in a commit
  that says what was deleted first.
- The public shelf includes only itself and the standard library, and has at most
  PUBLIC_HEADERS_AT_MOST headers. Functions that return rendered text are named to_text, to_json or to_markdown.
  The doors, the command line (cli/), the package for Python (python/) and the service (service/), include the
  shelf and their own files, and the command line service/serve.h; the package for JavaScript (wasm/) includes base, text and web as well, and its
  sketches the rooms up to scheme.
- No file includes itself through others.
- No two headers define a type of one name: a program that links both would use either for both.
- Nothing in src/ prints, aborts or exits: facts are returned, front ends print.
- Only system/files.cc in src/ uses the disk, so that a test with another file system
  sees every byte and every lock; and files_of() alone chooses between the two. Operations on paths alone are allowed, and so is memory
  that does not belong to a file.
- Each library below is included only by the files named beside it.
- Each src/x/y.cc has its tests/x/y_test.cc.
- Each member of an options struct on the shelf is declared as an option, so that the
  command line, summary.json and a run's identity have all of them; and the command line
  sets up its parser in one place, from these declarations.
- No text in src/ spells an option or a verb as the command line does: options are declared in
  _options.cc files, and messages name them with option(), switch_on() and verb().
- Each member of a struct of results on the shelf is declared as a field, so that its JSON, the
  reader of that and the docs have all of them.
- Each header opens with a comment and `#pragma once`; public headers say what
  threads may do. Sources are ASCII and have no TODO.

Before it checks the tree it breaks each rule once in a small tree of its own and requires
that the check fails. Standard library only.
"""

import pathlib
import re
import sys
import tempfile

# src/ file -> why it has no test with its name. An entry is an error if its file is gone or
# has a test.
UNTESTED = {}

# First part of an include -> the files that wrap the library (regular expression over paths).
WRAPPERS = {
    "simdjson": r"none",  # tests and fuzz targets hold our JSON reader against it
    "zstd": r"src/io/zstd\.cc",
    "libdeflate": r"src/io/gzip\.cc",
    "isa-l": r"src/io/gzip\.cc",
    "brotli": r"src/io/brotli\.cc",
    "gmime": r"src/io/mail\.cc",
    "libpsl": r"src/phish/registered_domain\.cc",
    "xxhash": r"src/base/hash\.cc",
    "CLI": r"cli/[a-z_]+\.(h|cc)",
    "boost": r"service/(http|json_tree)\.cc",
    "nanobind": r"python/[a-z_]+\.(h|cc)",
}
# Members of options structs that no option sets, and why.
NOT_OPTIONS = {
    "command": "the command line as typed",
    "columns": "texts in memory, which nobody types",
    "typed": "the names of options that were typed",
    "shards": "the folders that merge() is given",
    "color": "--color is the command line's, which knows the terminal",
}
# Structs of options that are not named ...Options.
OPTION_PARTS = {"InputSettings", "Resources", "TemplateSettings", "ChunkSettings", "PageSettings", "QuerySettings",
                "LocateSettings", "LookupSettings", "GroupSettings", "MessageSettings", "FilterSettings"}
# Members of results that are no fields, and why.
NOT_FIELDS = {
    "RunFacts.json": "the JSON itself",
    "RunFacts.already_done": "tells of the call, not of the run",
    "StageTime.stage": "the key of its value",
    "PlannedStage.stage": "the key of its value",
    "FileCounts.name": "among the facts of its input",
    "DedupSummary.bad_records": "of runs that leave no folder",
    "ClusterSummary.resemblance": "an option of the run",
    "ClusterSummary.counted_pairs": "shown after a run, in no file",
    "SpansSummary.repeated_runs": "shown after a run, in no file",
    "DetectSummary.top_pages": "in the lists of the folder",
    "DetectSummary.top_neighborhoods": "in the lists of the folder",
    "GroupedHit.hit": "a place in the caller's list, which would tell of hidden ones",
    "GroupedHits.order": "written as ids alone",
    "GroupedHits.valued": "for a warning after a run",
    "PlantedEdit.name": "the key of its value",
    "RunEvaluation.plan": "shown after a run, in no file",
    "MethodEvaluation.shared_key": "for choosing a scheme; follows from it",
    "Evaluation.families": "the keys of shares by part",
    "Evaluation.due": "`truth` in words",
    "Calibration.profile": "a file of its own",
    "JudgedTables.categories": "the keys of the verdicts",
    "DetectedNeighborhood.contains_sum": "badness_pages is made from it",
    "DiscoverSummary.bad_records": "shown after a run, in no file",
    "Predicted.predictable": "false: the number is null",
    "Plan.budget": "an option of the run",
    "ShingleCounts.same_without_tokens": "the shares are made from it",
    "Passages.a": "places in texts that JSON has not",
    "Passages.b": "places in texts that JSON has not",
    "Passages.matches": "places in texts that JSON has not",
    "Passages.shared_tokens_a": "shown beside the passages",
    "Passages.shared_tokens_b": "shown beside the passages",
    "ComparedTexts.text_a": "the caller's",
    "ComparedTexts.text_b": "the caller's",
    "ComparedTexts.left_out_a": "places in texts that JSON has not",
    "ComparedTexts.left_out_b": "places in texts that JSON has not",
    "ComparedSpans.text_a": "the caller's",
    "ComparedSpans.text_b": "the caller's",
    "ComparedSpans.pages_b": "tells how text_b is shown",
    "ClusterPlace.pairs_count": "shown after a run, in no file",
    "Explanation.exact": "shown with the passages",
    "Explanation.threshold": "an option of the run",
    "Explanation.texts": "shown with the passages",
    "Explanation.examples": "some of those that stands_for counts",
}
# Structs on the shelf that hold no results.
NOT_RESULTS = {
    "Bytes", "RatioRange", "Choice", "Option", "Real", "AsWritten", "TextForm", "JsonForm", "Computed",
    "Nested", "OptionalNested", "NestedList", "NestedMap", "NumberRows", "FieldRule", "Restored", "Field", "Progress",
    "RunControl", "ClusterResults", "DedupResults", "Shingling", "SpanRule", "TokenRange",
    "ParameterDeclaration", "SchemeDeclaration", "AnalyzerDeclaration", "Validity", "ArrowView",
    "LivePage", "Decision", "PairThreshold", "SignedTexts", "PartFamily", "PairToJudge", "JudgeAnswer", "FileStatus",
    "ListedHit", "HostLoad", "HitList",  # what a caller asks with
    "TextDedupConfig",
    "SampleLimits", "SampleRule",
    "RecordCounts",  # each summary declares the members that it fills
}
# Structs of results that are in no JSON as themselves: values for a caller, parts of results whose
# fields say them in other words, and what is shown alone. One that is declared leaves this list.
NOT_IN_JSON = {
    "SampleRank", "RankedText", "DrawnSample", "KeepCounts",
    "ClusterMember", "LexiconSummary", "Shown", "FileFact", "ExactShare", "Passage", "PassageMatch",
    "TextRange", "Estimate", "Estimates", "SampleCounts", "BitDistance", "Comparison",
    "ShownHit", "CutPage", "CutRules", "ObjectSums", "PageObject",
    "SpanAnchor", "RunRow", "RunPlace", "EarlierPlaces", "FollowedSpan", "FollowedText",
}
# The rooms of verbs, and those of them that another may use. FACES, above them, shows what all of them find.
VERBS = {"dedup": (), "cluster": (), "plan": ("cluster",), "evaluate": ("dedup",), "look": ("cluster", "dedup", "detect", "sketch", "spans"),
         "lexicon": (), "sketch": (), "spans": (), "track": (), "reuse": (), "discover": ("reuse",), "detect": ("reuse",), "phish": ("reuse",),
         "merge": ("cluster", "dedup"), "judge": ("cluster", "look"), "calibrate": ("evaluate",),
         "browse": ("cluster", "dedup", "detect", "look", "spans", "track")}
FACES = "faces"
# Texts for a screen, which faces/ makes; and to_text() elsewhere: file -> why.
SCREEN_TEXT = re.compile(r"^(?:Result<)?std::string>? (to_text|to_markdown)\(", re.M)
SCREEN_STREAM = re.compile(r"iostream|ostream|iomanip|sstream|print|fmt/(?:ostream|color|os)\.h")
SCREEN_COLOR = re.compile(r'"[^"\n]*(?:\\x1b|\\033|\\e)\[')
ELSEWHERE = {
    "src/web/chunks.cc": "the rules of chunks as a file of labels keeps them",
    "src/web/chunks.h": "the same",
}
# Of src/ without generated/ folders. Raised only in a commit that says what was deleted first.
LINES_AT_MOST = 122_000
# Rooms without threads, files and the system, and what their sources may not include.
PURE = ("base", "text", "web")
IMPURE = re.compile(r"thread|mutex|shared_mutex|condition_variable|future|semaphore|stop_token|latch|barrier"
                    r"|filesystem|fstream|(?:pthread|unistd|fcntl|dirent|netdb|poll)\.h"
                    r"|(?:sys|netinet|arpa|net|linux)/.*")
# Functions of the shelf that return a string and render nothing, and why.
STRINGS = {
    "visible_text": "a string, made safe to print",
    "visible_name": "a string, made safe to print",
    "render_message": "a message, spelled for its door",
}
# Texts of src/ that hold a flag or a verb of the command line: file -> (the texts, as a regular
# expression, why). An entry is an error if the file has no such text.
TYPED = {
    "src/base/result.cc": (r"-o", "the spelling of names at the command line is made here"),
    "src/system/files.cc": (r".*`ulimit -f`.*", "a command of the shell"),
    "src/io/content.cc": (r".* --?\w.*", "commands of other programs"),
    "src/io/first_look.cc": (r"(iconv|jq|python3) -.*| -t UTF-8", "commands of other programs"),
    "src/judge/judged_file.cc": (r"twinset judge\\n", "tells who holds a lock"),
    "src/lexicon/lexicon.cc": (r"twinset lexicon ", "a command that a file keeps, to be typed again"),
    "src/faces/schemes_text.cc": (r"# Schemes.*", "a page of the command line's documentation"),
    "src/scheme/schemes/imatch.cc": (r"a lexicon made by twinset .*", "the help of a parameter, as of an option"),
    "src/scheme/schemes/simhash.cc": (r"document frequencies for tfidf.*", "the help of a parameter, as of an option"),
}
# What stands on the shelf: the command line and the package for Python.
DOORS = ("cli/", "python/", "service/")
# What the command line calls of the service.
SERVE = "service/serve.h"
# The door of JavaScript is all of a program for browsers: it sees the rooms that run there, too. Of the rooms up
# to scheme some files run there; its second module, made of these files, sees them.
CORE_DOOR = "wasm/"
SKETCHES_DOOR = ("wasm/sketches_door.cc", "wasm/no_files.cc")
LIBRARY_FILES_AT_MOST = 1  # except in the doors, which use theirs in every file
PUBLIC_HEADERS_AT_MOST = 34

PRINTS_OR_EXITS = re.compile(
    r"\b(?:std::)?(?:cout|cerr|clog)\b"
    r"|\bfmt::v?print(?:ln)?\b"
    r"|(?<![\w.>])(?:std::)?(?:printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|putc|fputc|perror"
    r"|abort|exit|_exit|_Exit|quick_exit|terminate)\s*\("
)
FILE_LAYER = "src/system/files.cc"
# Calls the system for sockets and their paths, and touches no file.
SOCKET_LAYER = "src/system/local_socket.cc"
# Call disk() by themselves, and why; an entry is an error if its file does not. Any other file asks
# files_of() (system/context.h), so that a run, and an answer about it, stays within RunControl::files.
CALL_DISK = {
    "src/scheme/scheme.h": "the default of make_scheme(), for specs that name no file",
}
DISK_CALLS = re.compile(
    r"(?<![\w>])::(?:open|openat|creat|close|read|write|p?readv?|p?writev?|lseek|f?truncate|fsync"
    r"|fdatasync|syncfs|flock|lockf|fcntl|[lf]?stat|f?statvfs|access|unlink|rename|mkdir|rmdir"
    r"|opendir|readdir|link|symlink|mkstemp|mkdtemp)\s*\("
    r"|\b(?:std::)?(?:fopen|freopen|tmpfile)\s*\(|\b(?:std::)?[io]?fstream\b"
    r"|\bfilesystem::(?:remove|remove_all|rename|copy|copy_file|create_\w+|resize_file|exists|status"
    r"|is_\w+|file_size|last_write_time|space|permissions|\w*directory_iterator)\b"
)
MAPPED_FILE = re.compile(r"::mmap\s*\((?:(?!MAP_ANONYMOUS)[^;])*;")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
# A literal, or a comment. Raw strings come before plain ones.
LITERAL_OR_COMMENT = re.compile(
    r'R"([^()\\ ]{0,16})\(.*?\)\1"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"
    r"|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)


def code_only(source):
    """The source with blanks for comments, strings and characters; the lines stay."""
    return LITERAL_OR_COMMENT.sub(lambda m: " " + "\n" * m.group().count("\n"), source)


class Tree:
    """The sources below one root, read once."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = {}
        for folder in ("include", "src", "cli", "python", "wasm", "service"):
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in (".h", ".cc"):
                    name = path.relative_to(self.root).as_posix()
                    self.files[name] = path.read_bytes().decode("utf-8", "replace")
        cmake = (self.root / "src/CMakeLists.txt").read_text()
        self.rooms = re.search(r"set\(twinset_rooms ([a-z ]+)\)", cmake).group(1).split()

    def public(self):
        return [name for name in self.files if name.startswith("include/")]

    def room_of(self, name):
        parts = name.split("/")
        return parts[1] if parts[0] == "src" and len(parts) > 2 else None

    def includes(self, name):
        """(line number, include as written, file of the tree or None) of each include."""
        source = self.files[name]
        found = []
        for match in INCLUDE.finditer(source):
            written = match.group(1) or match.group(2)
            line = source.count("\n", 0, match.start()) + 1
            candidates = [f"include/{written}", f"src/{written}", written]
            if match.group(1):
                candidates.insert(0, str(pathlib.PurePosixPath(name).parent / written))
                if name.startswith((*DOORS, CORE_DOOR)):
                    candidates.insert(0, f"{name.split('/')[0]}/{written}")
            target = next((c for c in candidates if c in self.files), None)
            found.append((line, written, target))
        return found


def check_rooms(tree):
    order = {room: place for place, room in enumerate(tree.rooms)}
    for name in tree.files:
        room = tree.room_of(name)
        if name.startswith("src/") and room not in order:
            yield f"{name}: not in a room; the rooms are {' '.join(tree.rooms)}"
            continue
        for line, written, target in tree.includes(name):
            if target is None:
                # Except for the generated lists, an unknown name that starts with a
                # room's name is an include of a file that does not exist.
                continue
            if name.startswith("include/") and not target.startswith("include/"):
                yield f"{name}:{line}: the public shelf includes \"{written}\" from inside the house"
            elif name.startswith(DOORS) and target.startswith("src/"):
                yield f"{name}:{line}: a door includes \"{written}\"; it may use only the public shelf"
            elif name.startswith(("cli/", "python/")) and target.startswith("service/") and target != SERVE:
                yield f"{name}:{line}: a door includes \"{written}\"; of the service it may use {SERVE} alone"
            elif (name.startswith(CORE_DOOR) and target.startswith("src/") and tree.room_of(target) not in PURE
                  and not (name in SKETCHES_DOOR and order[tree.room_of(target)] <= order["scheme"])):
                yield (f"{name}:{line}: the door of JavaScript includes \"{written}\"; it may use only the public "
                       f"shelf and {', '.join(PURE)}")
            elif name.startswith("src/") and target.startswith((*DOORS, CORE_DOOR)):
                yield f"{name}:{line}: a room includes a door's \"{written}\""
            elif name.startswith("src/") and target.startswith("src/"):
                target_room = tree.room_of(target)
                if order[target_room] > order[room]:
                    yield f"{name}:{line}: room {room} includes \"{written}\" of the later room {target_room}"
                if target_room in VERBS and target_room not in (room, *VERBS.get(room, ())) and room != FACES:
                    yield f"{name}:{line}: {room} includes \"{written}\"; verbs stand apart"


def check_screens(tree):
    for name, source in tree.files.items():
        room = tree.room_of(name)
        if room is None or room == FACES:
            continue
        for line, written, target in tree.includes(name):
            if target is None and SCREEN_STREAM.fullmatch(written):
                yield f"{name}:{line}: <{written}> writes for a screen, as faces/ alone does"
        match = SCREEN_TEXT.search(source)
        if match and name not in ELSEWHERE:
            yield f"{name}: {match.group(1)}() is made in faces/"
        code = re.sub(r"//[^\n]*", "", source)
        if SCREEN_COLOR.search(code):
            yield f"{name}: colors a terminal, as faces/ alone does"
    for name in ELSEWHERE:
        if name in tree.files and not SCREEN_TEXT.search(tree.files[name]):
            yield f"{name}: on ELSEWHERE, but has no text"


def lines_of(tree, room):
    return sum(source.count("\n") for name, source in tree.files.items()
               if name.startswith(f"src/{room}/") and "/generated/" not in name)


def check_lines(tree):
    lines = sum(lines_of(tree, room) for room in tree.rooms)
    if lines > LINES_AT_MOST:
        yield f"src/ has {lines} lines, more than {LINES_AT_MOST}: delete some"


def check_pure(tree):
    """Follows includes into the shelf, which no room owns."""
    wanted = [name for name in tree.files if tree.room_of(name) in PURE or name.startswith(CORE_DOOR) and name not in SKETCHES_DOOR]
    seen = set(wanted)
    for name in wanted:
        for line, written, target in tree.includes(name):
            if target is None and IMPURE.fullmatch(written):
                yield f"{name}:{line}: {', '.join(PURE)} use no threads and no files: <{written}>"
            elif target is not None and tree.room_of(target) == "system":
                yield f"{name}:{line}: {', '.join(PURE)} use no threads and no files: \"{written}\""
            elif target is not None and target.startswith("include/") and target not in seen:
                seen.add(target)
                wanted.append(target)


# A type defined in a header outside of another, templates left out: their names tell them apart.
TYPE = re.compile(r"\n(template [^\n]*\n(?:requires [^\n]*\n)?)?(?:struct|class) (\w+)\b(?!::)[^;{]*\{")


def check_names(tree):
    first = {}
    for name, source in tree.files.items():
        if not name.endswith(".h") or not name.startswith(("src/", "include/")):
            continue
        for match in TYPE.finditer(source):
            template, defined = match.groups()
            other = name if template else first.setdefault(defined, name)
            if other != name:
                yield f"{name} defines {defined}, as {other} does"


def check_cycles(tree):
    state = {}  # 1: on the path, 2: done
    for start in tree.files:
        if start in state:
            continue
        path = [(start, iter(tree.includes(start)))]
        state[start] = 1
        while path:
            name, rest = path[-1]
            target = next((t for _, _, t in rest if t), None)
            if target is None:
                state[name] = 2
                path.pop()
            elif state.get(target) == 1:
                names = [n for n, _ in path]
                yield "include cycle: " + " -> ".join(names[names.index(target):] + [target])
            elif target not in state:
                state[target] = 1
                path.append((target, iter(tree.includes(target))))


def check_printing(tree):
    for name, source in tree.files.items():
        if not name.startswith(("src/", "include/")):
            continue
        for number, line in enumerate(code_only(source).split("\n"), 1):
            match = PRINTS_OR_EXITS.search(line)
            if match:
                yield f"{name}:{number}: prints, aborts or exits: {match.group().strip()}"


def check_disk(tree):
    for name, source in tree.files.items():
        if not name.startswith(("src/", "include/")) or name in (FILE_LAYER, SOCKET_LAYER):
            continue
        code = code_only(source)
        for match in list(DISK_CALLS.finditer(code)) + list(MAPPED_FILE.finditer(code)):
            line = code.count("\n", 0, match.start()) + 1
            yield f"{name}:{line}: passes the file layer by: {match.group().split('(')[0].strip()}"
        calls = name.startswith("src/") and tree.room_of(name) != "system" and re.search(r"\bdisk\(\)", code)
        if calls and name not in CALL_DISK:
            yield f"{name}: calls disk(); files_of(control) has the files that the caller wants"
    for name in CALL_DISK:
        if name in tree.files and not re.search(r"\bdisk\(\)", code_only(tree.files[name])):
            yield f"{name}: on CALL_DISK, but does not call it"


def check_libraries(tree):
    users = {library: {} for library in WRAPPERS}
    for name in tree.files:
        for line, written, target in tree.includes(name):
            library = re.split(r"[/.]", written)[0]
            if target is None and library in WRAPPERS:
                users[library].setdefault(name, line)
    for library, files in users.items():
        for name, line in files.items():
            if not re.fullmatch(WRAPPERS[library], name):
                yield f"{name}:{line}: {library} is wrapped by {WRAPPERS[library]} alone"
        if len(files) > LIBRARY_FILES_AT_MOST and library not in ("CLI", "nanobind", "boost"):
            yield f"{library} is included by more than one file: {', '.join(sorted(files))}"


def check_tests(tree):
    for name in tree.files:
        if name.startswith("src/") and name.endswith(".cc"):
            test = "tests/" + name[len("src/"):-len(".cc")] + "_test.cc"
            if (tree.root / test).exists():
                if name in UNTESTED:
                    yield f"{name}: has a test; take it off UNTESTED"
            elif name not in UNTESTED:
                yield f"{name}: has no {test}"
    for name in UNTESTED:
        if name not in tree.files:
            yield f"{name}: on UNTESTED, but there is no such file"


# A data member in the body of a struct.
MEMBER = re.compile(r"^  [\w:<>, ]+ (\w+)(?:\{.*\}| = [^;]*)?;", re.M)


# Members that cannot have the name of their option, which this is, and why.
OTHER_NAMES = {"run": "for"}  # a word of C++
# "-r, --resemblance SHARE", its member: what stands before the first "," or ")" after "&".
DECLARED = re.compile(r'\{\s*"((?:-\w, )?--[a-z-]+|[a-z]+ [A-Z])[^"]*",\s*(?:\w+[({]\s*)?&?([\w.]+)')


def check_option_names(tree):
    """What a user types, C++ has as a member: --max-record is max_record."""
    for name, source in tree.files.items():
        if not (name.startswith("src/") and name.endswith("_options.cc")):
            continue
        for option, member in DECLARED.findall(source):
            member = member.rsplit(".", 1)[-1]
            option = re.sub(r"^-\w, |^--| [A-Z]$", "", re.sub(r"^-\w, ", "", option)).replace("-", "_")
            if option not in (member, OTHER_NAMES.get(member)):
                yield f"{name}: the option {option} sets the member {member}, of another name"


def check_options(tree):
    """A member is declared if an ..options.cc takes its address: Choice(&options.shape, ..."""
    declarations = "\n".join(source for name, source in tree.files.items()
                             if name.startswith("src/") and name.endswith("_options.cc"))
    declared = set(re.findall(r"&\w+\.(\w+)|(?:_option|_options|shapes)\(\w+\.(\w+)", declarations))
    declared = {name for names in declared for name in names if name}
    for name in tree.public():
        code = code_only(tree.files[name])
        for struct, body in re.findall(r"^struct (\w+)[^;{]*\{\n(.*?)^\};", code, re.M | re.S):
            if not struct.endswith("Options") and struct not in OPTION_PARTS:
                continue
            for member in MEMBER.findall(body):
                if member not in declared and not {member, f"{struct}.{member}"} & set(NOT_OPTIONS):
                    yield f"{name}: {struct}::{member} is declared as an option by no options_of()"
    for name, source in tree.files.items():
        if name.startswith("cli/") and name != "cli/options.cc":
            if re.search(r"\badd_(?:option|flag)(?:_\w+)?\s*[(<]", code_only(source)):
                yield f"{name}: hands an option to the parser by itself; add_options() does"


# "--max-record" or "-o", but not "a-b", "a - b" or "[-a-]".
FLAG = re.compile(r"(?:^|(?<=[\s(\"'`/=,]))(?:--[a-z]|-[a-zA-Z](?![\w\-]))")
STRING = re.compile(r'R?"')


def texts_of(source):
    """(line number, content) of each string; adjacent ones are one."""
    texts, end = [], None
    for match in LITERAL_OR_COMMENT.finditer(source):
        literal = match.group()
        if not STRING.match(literal):
            continue
        content = literal[literal.index('"') + 1:-1]
        if end is not None and not source[end:match.start()].strip():
            texts[-1] = (texts[-1][0], texts[-1][1] + content)
        else:
            texts.append((source.count("\n", 0, match.start()) + 1, content))
        end = match.end()
    return texts


def without_declarations(source):
    """The messages of an _options.cc and its names of new files, on their lines; the declarations
    and their help are the command line's."""
    kept, at = "", 0
    for match in re.finditer(r"_error\(.*?\);\n|\bnew_files = .*?;\n", source, re.DOTALL):
        kept += "\n" * source.count("\n", at, match.start()) + match.group()
        at = match.end()
    return kept


def check_messages(tree):
    """Python, HTTP and programs in C++ read the messages of src/, too."""
    cli = "\n".join(source for name, source in tree.files.items() if name.startswith("cli/"))
    verbs = set(re.findall(r'\badd_verb\(\s*\w+,\s*"(\w+)"', cli))
    typed = re.compile(FLAG.pattern + r"|\btwinset (?:" + "|".join(sorted(verbs) or ["-"]) + r")\b")
    apart = set()
    flags = {flag.replace("-", "_") for name, source in tree.files.items()
             if name.startswith("cli/") or name.endswith("_options.cc")
             for flag in re.findall(r'"(?:-\w, )?--([a-z-]+)', source)}
    for name, source in tree.files.items():
        if not name.startswith(("src/", "include/")) or "/generated/" in name:
            continue
        code = re.sub(r"^[ \t]*//.*", "", source, flags=re.M)
        for named in re.findall(r'\b(?:option|switch_on)\("(\w+)"', code):
            if named not in flags:
                yield f"{name}: names the option {named}, which no verb declares"
        if name.endswith("_fields.cc"):
            continue  # The help of fields, for the docs, as that of options.
        if name.endswith("_options.cc"):
            source = without_declarations(source)
        for line, text in texts_of(source):
            found = typed.search(text)
            if not found:
                continue
            if name in TYPED and re.fullmatch(TYPED[name][0], text, re.DOTALL):
                apart.add(name)
                continue
            yield f"{name}:{line}: spells {found.group()!r} as the command line does: {text[:60]!r}"
    for name in TYPED:
        if name in tree.files and name not in apart:
            yield f"{name}: on TYPED, but has no such text"
def check_fields(tree):
    """A member is declared if a function of a .._fields.cc that takes its struct names it:
    fields_of(Counts& counts) names counts.read."""
    declared = {}  # struct -> members that are named, if it has a fields_of
    named = {}
    for name, source in tree.files.items():
        if not (name.startswith("src/") and name.endswith("_fields.cc")):
            continue
        for match in re.finditer(r"\b(\w+)\((\w+)& (\w+)[,)](.*?)^\}", code_only(source), re.M | re.S):
            function, struct, variable, body = match.groups()
            members = named.setdefault(struct, set())
            members |= set(re.findall(rf"\b{variable}\.(\w+)", body))
            if function == "fields_of":
                declared[struct] = members
    for name in tree.public():
        code = code_only(tree.files[name])
        for struct, body in re.findall(r"^struct (\w+)[^;{]*\{\n(.*?)^\};", code, re.M | re.S):
            if struct.endswith("Options") or struct in OPTION_PARTS | NOT_RESULTS:
                continue
            if struct not in declared:
                if struct not in NOT_IN_JSON:
                    yield f"{name}: {struct} has no fields_of() in a .._fields.cc"
                continue
            if struct in NOT_IN_JSON:
                yield f"{name}: {struct} has a fields_of(); take it off NOT_IN_JSON"
            for member in MEMBER.findall(body):
                if member not in declared[struct] and f"{struct}.{member}" not in NOT_FIELDS:
                    yield f"{name}: {struct}::{member} is declared as a field by no fields_of()"


def check_shelf(tree):
    headers = tree.public()
    if len(headers) > PUBLIC_HEADERS_AT_MOST:
        yield f"{len(headers)} public headers; the shelf holds at most {PUBLIC_HEADERS_AT_MOST}"
    for name in headers:
        opening = tree.files[name].split("#pragma once")[0]
        if "Threads:" not in opening:
            yield f"{name}: the opening comment has no `Threads:` rule"
        strings = re.findall(r"^(?:inline )?(?:std::string|Result<std::string>) (\w+)\(",
                             code_only(tree.files[name]), re.M)
        for function in set(strings) - {"to_text", "to_json", "to_markdown", *STRINGS}:
            yield f"{name}: {function}() returns a string; what renders is named to_text, to_json or to_markdown"


def check_writing(tree):
    for name, source in tree.files.items():
        if name.endswith(".h"):
            if not source.startswith("//"):
                yield f"{name}:1: a header opens with a comment that says what it is"
            if "#pragma once" not in source:
                yield f"{name}: no #pragma once"
        for number, line in enumerate(source.split("\n"), 1):
            if not line.isascii():
                yield f"{name}:{number}: not ASCII"
            if re.search(r"\b(TODO|FIXME|XXX)\b", line):
                yield f"{name}:{number}: unfinished business belongs into an issue"


CHECKS = {
    "rooms include only earlier rooms": check_rooms,
    "only faces/ writes for a screen": check_screens,
    "src/ is within its lines": check_lines,
    "base, text and web use no threads and no files": check_pure,
    "no include cycles": check_cycles,
    "no two headers define a type of one name": check_names,
    "nothing in src/ prints, aborts or exits": check_printing,
    "only the file layer speaks to the disk": check_disk,
    "each library is wrapped in one file": check_libraries,
    "each source has a test of its name": check_tests,
    "each option is declared once": check_options,
    "a member is named as its option": check_option_names,
    "no message spells an option as a door does": check_messages,
    "each field of a result is declared once": check_fields,
    "the public shelf is short and says its thread rules": check_shelf,
    "headers open with a comment; sources are ASCII": check_writing,
}

# A name of the list, or any.
A_SHOWN = min(NOT_IN_JSON, default="None")
# One break of each rule, in a tree without other faults: (check, file, content, a piece of
# the finding).
GOOD_TREE = {
    "src/CMakeLists.txt": "set(twinset_rooms base text system scheme dedup cluster plan evaluate faces)\n",
    "include/twinset/a.h": "// A.\n// Threads: any.\n#pragma once\n#include <string>\n"
                           "struct AOptions : Base {\n  std::string in{4, 5};  ///< y\n"
                           "  B own;\n  std::string command;\n};\n",
    "src/dedup/a_options.cc": "f(&a.in, own_options(a.own), \"--a dedup\");\n",
    "tests/dedup/a_options_test.cc": "",
    "include/twinset/r.h": "// R.\n// Threads: any.\n#pragma once\nstruct RSummary : Base {\n  int n = 1;\n"
                           "  int total() const { return n; }\n  std::vector<int> list;\n};\n",
    "src/plan/r_fields.cc": "void part(RSummary& it, int n) {\n  f(&it.list);\n}\n"
                            "std::vector<Field> fields_of(RSummary& r) {\n  return {&r.n};\n}\n"
                            f"F fields_of({A_SHOWN}& it) {{\n  f(&it.k);\n}}\n",
    "tests/plan/r_fields_test.cc": "",
    "src/base/b.h": "// B.\n#pragma once\n#include \"twinset/a.h\"\n",
    "src/base/hash.cc": "#include \"base/b.h\"\n#include <xxhash.h>\n// abort() and exit(1)\n"
                     "const char* s = \"printf(\"; int snprintf(); void f() { x.exit(); }\n",
    "src/system/files.cc": "int f() { return ::open(\"x\", 0); }\nauto s = \"see `ulimit -f`\";\n",
    "src/text/t.cc": "#include \"base/b.h\"\nvoid* m = ::mmap(0, 1, 3, MAP_PRIVATE | MAP_ANONYMOUS, "
                     "-1, 0);\nauto f = files.open(\"x\"); auto t = Texts::open(1);\n"
                     "auto p = std::filesystem::absolute(\"x\"); // ::open(\n",
    "cli/main.cc": "#include \"twinset/a.h\"\n#include \"own.h\"\n#include <CLI/CLI.hpp>\n"
                   "int main() { printf(\"\"); add_verb(app, \"dedup\", \"x\"); }\n",
    "src/plan/d.h": "// D.\n#pragma once\n",
    "src/dedup/e.h": "// E.\n#pragma once\n",
    "src/faces/f.h": "// F.\n#pragma once\n#include <sstream>\n#include \"dedup/e.h\"\n#include \"plan/d.h\"\n"
                     "std::string to_text(int x);\nauto red = \"\\x1b[31m\";\n",
    "src/system/s.h": "// S.\n#pragma once\n#include <mutex>\n#include <unistd.h>\n",
    "cli/own.h": "// Own.\n#pragma once\n",
    "service/own.h": "// Own.\n#pragma once\n",
    "service/serve.h": "// Serve.\n#pragma once\n",
    "service/http.cc": "#include <boost/beast/http.hpp>\n",
    "cli/serve_command.cc": "#include \"service/serve.h\"\n",
    "tests/system/files_test.cc": "",
    "tests/base/hash_test.cc": "",
    "tests/text/t_test.cc": "",
}
HEAD = "// X.\n// Threads: any.\n#pragma once\n"
BREAKS = [
    (check_rooms, "src/base/x.h", HEAD + '#include "text/u.h"\n', "later room text"),
    (check_rooms, "include/twinset/x.h", HEAD + '#include "base/b.h"\n', "from inside the house"),
    (check_rooms, "cli/x.h", HEAD + '#include "base/b.h"\n', "only the public shelf"),
    (check_rooms, "python/x.h", HEAD + '#include "base/b.h"\n', "only the public shelf"),
    (check_rooms, "service/x.h", HEAD + '#include "base/b.h"\n', "only the public shelf"),
    (check_rooms, "cli/x.h", HEAD + '#include "service/own.h"\n', "of the service it may use"),
    (check_rooms, "wasm/x.h", HEAD + '#include "system/s.h"\n', "and base, text, web"),
    (check_rooms, "wasm/no_files.cc", HEAD + '#include "dedup/e.h"\n', "and base, text, web"),
    (check_rooms, "src/attic/x.h", HEAD, "not in a room"),
    (check_rooms, "src/evaluate/x.h", HEAD + '#include "plan/d.h"\n', "stand apart"),
    (check_rooms, "src/cluster/x.h", HEAD + '#include "dedup/e.h"\n', "stand apart"),
    (check_rooms, "src/dedup/x.h", HEAD + '#include "faces/f.h"\n', "later room faces"),
    (check_screens, "src/dedup/x.h", HEAD + "#include <iostream>\n", "<iostream>"),
    (check_screens, "src/dedup/x.h", HEAD + "#include <fmt/ostream.h>\n", "fmt/ostream"),
    (check_screens, "src/dedup/x.h", HEAD + "std::string to_text(int x) {\n", "to_text() is made"),
    (check_screens, "src/dedup/x.h", HEAD + 'auto red = "\\x1b[31m";\n', "colors"),
    (check_screens, "src/web/chunks.h", HEAD, "on ELSEWHERE"),
    (check_lines, "src/base/x.h", HEAD + "\n" * LINES_AT_MOST, "src/ has"),
    (check_pure, "src/text/x.h", HEAD + "#include <mutex>\n", "<mutex>"),
    (check_pure, "src/base/x.h", HEAD + "#include <filesystem>\n", "<filesystem>"),
    (check_pure, "src/text/x.h", HEAD + "#include <sys/mman.h>\n", "<sys/mman.h>"),
    (check_pure, "src/text/x.h", HEAD + '#include "system/s.h"\n', "system/s.h"),
    (check_pure, "wasm/x.h", HEAD + "#include <thread>\n", "<thread>"),
    (check_pure, "include/twinset/a.h", HEAD + "#include <thread>\n", "twinset/a.h:4"),
    (check_names, "src/base/x.h", HEAD + "struct AOptions {\n};\n", "defines AOptions"),
    (check_cycles, "src/text/u.h", HEAD + '#include "text/u.h"\n', "src/text/u.h -> src/text/u.h"),
    (check_printing, "src/base/x.h", HEAD + "void f() { std::cout << 1; }\n", "cout"),
    (check_printing, "src/base/x.h", HEAD + "void f() { std::abort(); }\n", "abort"),
    (check_printing, "src/base/x.h", HEAD + "void f() { fmt::print(\"\"); }\n", "fmt::print"),
    (check_printing, "src/base/x.h", HEAD + "void f() { exit (1); }\n", "exit"),
    (check_disk, "src/text/x.h", HEAD + "int f() { return ::open(0, 0); }\n", "src/text/x.h:4"),
    (check_disk, "src/text/x.h", HEAD + "auto& f = disk();\n", "files_of"),
    (check_disk, "src/scheme/scheme.h", "", "on CALL_DISK"),
    (check_disk, "src/text/x.h", HEAD + "bool f() { return ::access(0, 0); }\n", "::access"),
    (check_disk, "src/text/x.h", HEAD + "std::ifstream file;\n", "ifstream"),
    (check_disk, "src/text/x.h", HEAD + "auto f = std::filesystem::exists(p);\n", "exists"),
    (check_disk, "src/text/x.h", HEAD + "auto m = ::mmap(0, n, 1,\n  MAP_SHARED, fd, 0);\n", "mmap"),
    (check_libraries, "src/text/x.h", HEAD + "#include <xxhash.h>\n", "src/text/x.h:4"),
    (check_tests, "src/base/x.cc", "", "tests/base/x_test.cc"),
    (check_options, "src/dedup/a_options.cc", "f(&a.in);\n", "AOptions::own"),
    (check_options, "include/twinset/x.h", HEAD + "struct Resources {\n  int k = 1;\n};\n", "::k"),
    (check_option_names, "src/dedup/a_options.cc", 'f({"--max-record N", &a.longest});\n', "longest"),
    (check_options, "cli/x.cc", "void f() { app.add_flag(1); }\n", "cli/x.cc"),
    (check_messages, "src/base/x.h", HEAD + 'auto s = "give a larger --memory";\n', "'--m'"),
    (check_messages, "src/base/x.h", HEAD + 'auto s = "--memory"\n  " is too small";\n', "'--m'"),
    (check_messages, "src/base/x.h", HEAD + 'auto s = "a" // a\n  " (-o";\n', "'-o'"),
    (check_messages, "src/base/x.h", HEAD + 'auto s = "twinset "\n  "dedup makes it";\n', "dedup"),
    (check_messages, "src/base/x.h", HEAD + 'auto s = R"(--x)";\n', "'--x'"),
    (check_messages, "src/text/x_options.cc", 'f("--x");\nreturn usage_error("--y");\n', ":2"),
    (check_messages, "src/text/x_options.cc", 'v.new_files = {{"--y", path}};\n', "'--y'"),
    (check_messages, "src/base/x.h", HEAD + 'auto s = "no " + option("b");\n', "option b, which"),
    (check_messages, "src/lexicon/lexicon.cc", "", "no such text"),
    (check_fields, "src/plan/r_fields.cc", "F fields_of(RSummary& r) {\n  f(&r.n);\n}\n", "RSummary::list"),
    (check_fields, "include/twinset/x.h", HEAD + "struct XSummary {\n  int k = 1;\n};\n", "XSummary has no"),
    (check_fields, "include/twinset/x.h", HEAD + f"struct {A_SHOWN} {{\n  int k = 1;\n}};\n", "NOT_IN_JSON"),
    (check_shelf, "include/twinset/x.h", "// X.\n#pragma once\n", "Threads"),
    (check_shelf, "include/twinset/x.h", HEAD + "std::string show(int x);\n", "show() returns"),
    (check_shelf, "include/twinset/x.h", HEAD + "Result<std::string> f(\n    int x);\n", "f() re"),
    (check_writing, "src/base/x.h", "#pragma once\n", "opens with a comment"),
    (check_writing, "src/base/x.h", "// X.\n", "pragma once"),
    (check_writing, "src/base/x.h", HEAD + "// caf\u00e9\n", "not ASCII"),
]


def self_test():
    """The breaks that the checks miss, and their false findings, as lines."""
    def build(extra):
        with tempfile.TemporaryDirectory() as root:
            for name, content in {**GOOD_TREE, "src/text/u.h": HEAD, **extra}.items():
                path = pathlib.Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
            tree = Tree(root)
            return {check: list(check(tree)) for check in CHECKS.values()}

    for check, findings in build({}).items():
        for finding in findings:
            yield f"{check.__name__} on a good tree: {finding}"
    for check, name, content, piece in BREAKS:
        if not any(piece in finding for finding in build({name: content})[check]):
            yield f"{check.__name__} did not see {content!r} in {name}"
    shelf = {f"include/twinset/x{i}.h": HEAD for i in range(PUBLIC_HEADERS_AT_MOST)}
    if not build(shelf)[check_shelf]:
        yield "check_shelf did not see too many headers"


def print_rooms(tree):
    """The rooms in order: files, lines, lines of tests; and the lines of src/."""
    print(f"\n{'room':<10}{'files':>7}{'lines':>8}{'test lines':>12}")
    totals = [0, 0, 0]
    for room in ["include"] + tree.rooms + ["cli", "python", "wasm", "service"]:
        folder = room + "/" if room in ("include", "cli", "python", "wasm", "service") else f"src/{room}/"
        sources = [s for n, s in tree.files.items() if n.startswith(folder)]
        tests = [p.read_bytes() for p in (tree.root / "tests" / room).rglob("*")
                 if p.is_file() and p.suffix in (".h", ".cc", ".py", ".test")]
        lines = lines_of(tree, room) if room in tree.rooms else sum(s.count("\n") for s in sources)
        row = [len(sources), lines, sum(t.count(b"\n") for t in tests)]
        totals = [t + r for t, r in zip(totals, row)]
        print(f"{room:<10}{row[0]:>7}{row[1]:>8}{row[2]:>12}")
    print(f"{'all':<10}{totals[0]:>7}{totals[1]:>8}{totals[2]:>12}")
    lines = sum(lines_of(tree, room) for room in tree.rooms)
    print(f"src/ has {lines} lines of at most {LINES_AT_MOST}\n")


def main():
    passed = failed = 0
    tree = Tree(pathlib.Path(__file__).resolve().parent.parent)
    results = [("the checks see what they should", list(self_test()))]
    results += [(name, list(check(tree))) for name, check in CHECKS.items()]
    for name, findings in results:
        print(f"{'FAILED' if findings else 'ok':<7}{name}")
        for finding in findings:
            print(f"         {finding}")
        passed += not findings
        failed += bool(findings)
    print_rooms(tree)
    print(f"layers_test: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
