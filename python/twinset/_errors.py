"""The one exception of the package, made from an error of the core."""

import re

_CODES = {2: "usage", 3: "bad_records", 4: "io", 5: "lost_input", 130: "interrupted"}


class Error(Exception):
    """A call that failed: one sentence, which names the file and the remedy.

    code    "usage", "bad_records", "io", "lost_input" or "interrupted"
    file    the file that the sentence names, or None
    line    the line or record in it, from 1, or None
    result  what there is in spite of it: of code "lost_input" the result of the run, else None
    """

    def __init__(self, message, code="usage", file=None, line=None, result=None):
        super().__init__(message)
        self.code = code
        self.file = file
        self.line = line
        self.result = result


class UsageError(Error, ValueError):
    """An Error of code "usage": an option, a spec or a name that the caller can correct."""


class FileError(Error, OSError):
    """An Error of code "io": a file, a disk, a format on disk."""

    def __str__(self):
        return self.args[0]


# "crawl.jsonl:12: ..."; "..., line 12 of crawl.jsonl"; "cannot read crawl.jsonl: ..."
_PLACE = re.compile(r"([^\s:'\"]+):(\d+)\b|\bline (\d+)\b")
_FILE = re.compile(r"(?:^|\b(?:read|write|open|make|of|in|into|file|folder|find) )"
                   r"([^\s:'\",;]*[./][^\s:'\",;]*|/dev/\w+)")


def made(code, message):
    """An exception for an error of the core."""
    file = line = None
    place = _PLACE.search(message)
    if place:
        file = place.group(1)
        line = int(place.group(2) or place.group(3))
    if file is None:
        named = _FILE.search(message)
        file = named.group(1) if named else None
    kind = {2: UsageError, 4: FileError}.get(code, Error)
    return kind(message, _CODES.get(code, "io"), file, line)
