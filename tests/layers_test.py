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
LINES_AT_MOST = 119_800
