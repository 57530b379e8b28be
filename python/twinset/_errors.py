"""The one exception of the package, made from an error of the core."""

import re

_CODES = {2: "usage", 3: "bad_records", 4: "io", 5: "lost_input", 130: "interrupted"}


class Error(Exception):
    """A call that failed: one sentence, which names the file and the remedy.

    code    "usage", "bad_records", "io", "lost_input" or "interrupted"
    file    the file that the sentence names, of those that the call was given or that lie below
            folders that it was given; or None
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


def made(code, message):
    """An exception for an error of the core."""
    kind = {2: UsageError, 4: FileError}.get(code, Error)
    return kind(message, _CODES.get(code, "io"))


def set_place(error, paths):
    """Sets the file and line that the sentence names, if the file is one of the paths that the call
    was given or lies below one: "crawl.jsonl:12: ...", "line 12 of crawl.jsonl"."""
    places = []
    for path in filter(None, (path.rstrip("/") for path in paths)):
        name = re.escape(path).replace(r"\*", "[^\\s:'\"]*").replace(r"\?", "[^\\s:'\"]")
        for found in re.finditer(rf"(?<![\w./-])({name}(?:\.partial)?(?:/[^\s:'\",;]*)?)(?::(\d+)\b)?"
                                 r"(?![\w-]|\.\w)", str(error)):
            places.append((found.start(), -len(found[0]), found[1].rstrip("."), found[2]))
    if places:
        _, _, error.file, line = min(places)
        line = line or next(iter(re.findall(r"\bline (\d+)\b", str(error))), None)
        error.line = int(line) if line else None
