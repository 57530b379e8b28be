"""Results: the declared fields as attributes, tables of Arrow, and what they look like."""

import html
import json
import os
import re
import threading
import warnings
from typing import NamedTuple, Optional

from . import _twinset
from ._errors import Error


def json_lines(text):
    return {"found": [json.loads(line) for line in text.splitlines()]}


def _array(view):
    """An array of numpy over the same memory, or the memoryview where numpy is not installed."""
    try:
        import numpy
    except ImportError:
        return view
    return numpy.asarray(view)


def _plain(value):
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def _record(value):
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return [_record(each) for each in value]
    return value


class Record:
    """Declared fields: attributes, in the order and by the names of the JSON."""

    __slots__ = ("_values",)

    def __init__(self, values):
        object.__setattr__(self, "_values", {name: _record(value) for name, value in values.items()})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        values = object.__getattribute__(self, "_values")
        if name in values:
            return values[name]
        raise AttributeError(f"no field '{name}'; there are {', '.join(values)}")

    def __setattr__(self, name, value):
        raise AttributeError("a result does not change")

    def __getitem__(self, name):
        return self._values[name]

    def __iter__(self):
        return iter(self._values.items())

    def __contains__(self, name):
        return name in self._values

    def __dir__(self):
        return [*super().__dir__(), *self._values]

    def __eq__(self, other):
        return isinstance(other, Record) and self._values == other._values

    __hash__ = None

    def to_dict(self):
        """Values of plain Python, nested as the JSON is."""
        return {name: _plain(value) for name, value in self._values.items()}

    def __repr__(self):
        inner = ", ".join(f"{name}={value!r}" for name, value in self._values.items()
                          if value not in (None, [], "") and not isinstance(value, (Record, list)))
        return f"{type(self).__name__}({inner})"


class NoTable(Error, AttributeError):
    """The result has no such table; an AttributeError, too, so that hasattr() says so."""


_NO_KEPT = ("the kept records are in the folder of output=, in files with the names of the inputs; "
            "emit='ids' keeps a table of their ids in place of them")
_NO_PAIRS = "this result has no pairs: those of dedup(), cluster() and join() have"


class Result(Record):
    """The result of a verb: its declared fields, and tables of the rows that it speaks of.

    A table goes before a field of the same name: result.removed is the table of removed rows,
    result.summary.removed their number. Those of a folder are read from its files when they are
    asked for.
    """

    __slots__ = ("_text", "_json", "_tables", "_arrays", "_lines", "_texts", "_options", "_temporary",
                 "_into_folder", "_lock")
    _verb = ""    # which made it
    _lists = ()   # that it has as tables
    _held_in = "folder"  # where these are

    def __init__(self, answer, texts=None, options=None, temporary=None, into_folder=None):
        super().__init__(answer["fields"])
        keep = object.__setattr__
        keep(self, "_text", answer["text"])
        keep(self, "_json", answer["json"])
        keep(self, "_tables", answer["tables"])
        keep(self, "_arrays", {name: _array(answer[name])
                               for name in ("mask", "indices", "representatives") if name in answer})
        keep(self, "_lines", answer["lines"])
        keep(self, "_texts", texts)
        keep(self, "_options", options or {})
        keep(self, "_into_folder", into_folder)  # runs again, into such a folder
        keep(self, "_temporary", temporary)      # holds the folder of a call that named none
        keep(self, "_lock", threading.RLock())   # of what is read when it is asked for

    @property
    def summary(self):
        """The declared fields alone."""
        return Record(self.to_dict())

    def __getattribute__(self, name):
        if not name.startswith("_"):
            tables = object.__getattribute__(self, "_tables")
            if name in tables:
                return tables[name]
            if name in type(self)._lists:
                return object.__getattribute__(self, "_read")(name)
        return super().__getattribute__(name)

    def __getattr__(self, name):
        # After a NoTable, which must not be taken for a field of that name.
        if name in type(self)._lists or name == "pairs":
            raise NoTable(_NO_PAIRS if name == "pairs" else _NO_KEPT)
        return super().__getattr__(name)

    def _read(self, name):
        """A list of the folder, or of the lines, as a table."""
        with self._lock:
            if name in self._tables:
                return self._tables[name]
            if self._held_in == "lines" and not self._options.get("output"):
                table = _twinset.table_of_lines(self._verb, name, self._lines)
            else:
                place = self._folder()
                if name == "kept" and self._options.get("emit") != "ids":
                    raise NoTable(_NO_KEPT)
                table = _twinset.table_of(self._verb, name, os.fsencode(place))
            self._tables[name] = table
            return table

    def __str__(self):
        return self._text

    def __dir__(self):
        return [*super().__dir__(), *self._tables, *self._lists]

    @property
    def json(self):
        """summary.json, byte for byte; of verbs that make no folder the fields."""
        return self._json or json.dumps(self.to_dict())

    @property
    def lines(self):
        """The bytes of the lines of a verb that was called without output=."""
        return self._lines

    @property
    def pairs(self):
        """The pairs as a table: of cluster all that it kept, of dedup each removed row with its
        survivor."""
        if "removed" in self._lists:
            return self.removed
        raise NoTable(_NO_PAIRS)

    def _rows(self, name):
        if name in self._arrays:
            array = self._arrays[name]
            if name == "mask" and hasattr(array, "view"):
                return array.view(bool)
            return array.cast("B").cast("?") if name == "mask" else array
        raise Error(f"{name} is of texts in memory; the records of files are in the files of output=")

    @property
    def mask(self):
        """For each row whether it stays: df.filter(result.mask), table.filter(result.mask)."""
        return self._rows("mask")

    @property
    def indices(self):
        """The rows that stay, from 0, ascending: dataset.select(result.indices)."""
        return self._rows("indices")

    @property
    def representatives(self):
        """For each row the row that stands for it: equal ones are one group."""
        return self._rows("representatives")

    _own = "memory"  # how the core names the texts of the call

    def _folder(self):
        folder = self._options.get("output") or self._options.get("from")
        if not folder and self._into_folder is not None:
            keep = object.__setattr__
            temporary, folder = self._into_folder()
            keep(self, "_temporary", temporary)
            keep(self, "_options", dict(self._options, output=folder))
        if folder:
            return folder
        raise Error("this is of finished folders: call the verb with output=")

    def explain(self, id):
        """Why a record was removed, or which records a kept one represents.

        id: a record's id, or FILE:RECORD; of texts in memory also a row, from 0. Then `compared`
        shows the passages of the survivor (A) and the record (B).
        """
        if self._texts is None:
            from . import _verbs
            return _verbs.explain(self._folder(), id)
        gone = self._tables.get("removed", self._tables.get("clusters"))
        if gone is None:
            raise Error("this run decides on no row: explain() is of results of dedup() and cluster()")
        row = id.__index__() if hasattr(id, "__index__") else self._row_of(str(id))
        if not 0 <= row < len(self._texts):
            raise Error(f"there is no row {row}: rows go from 0 to {len(self._texts) - 1}")
        rows = gone["row"]
        if row not in rows:
            if self._texts[row] is None or ("mask" in self._arrays and not self._arrays["mask"][row]):
                raise Error(f"row {row} was left out, neither kept nor removed: it has no text, or "
                            "warnings and quarantined of the result say why")
            stands_for = [i for i, at in enumerate(self.representatives) if at == row and i != row]
            return Record({"row": row, "removed": False, "stands_for": stands_for})
        proof = gone[rows.index(row)]
        proof["removed"] = "survivor_row" in proof
        other = proof["survivor_row" if proof["removed"] else "representative_row"]
        if proof.get("survivor_file", self._own) == self._own:
            proof["compared"] = self._compared(other, row)
        return Record(proof)

    def _compared(self, a, b):
        """Two rows side by side, by the words and shingles of the run."""
        from . import _verbs
        shingle = re.search(r"\bshingle=(\d+)", self._values["scheme"])
        texts = [self._texts[row] for row in (a, b)]
        pages = self._options.get("format") or ""
        if pages == "auto":
            pages = "html" if all(text.lstrip().startswith("<") for text in texts) else ""
        return _verbs.compare(*texts, analyzer=self._options.get("analyzer", "words"), format=pages,
                              shingle=int(shingle[1]) if shingle else None)

    def _row_of(self, id):
        for table in self._tables.values():
            if "row" not in table.column_names:
                continue
            for row, name in zip(table["row"], table["id"]):
                if name == id:
                    return row
        raise Error(f"no row has the id {id!r}")

    def recut(self, resemblance, **options):
        """The clusters of another threshold, from the pairs that cluster() kept. Texts in memory are
        clustered once more, into a folder that goes with this result."""
        from . import _verbs
        with self._lock:
            folder = self._folder()
        return _verbs.recut(folder, resemblance=resemblance, **options)

    def _repr_html_(self):
        numbers = "".join(f"<tr><td>{html.escape(name)}</td><td style='text-align:right'>"
                          f"{html.escape(format(value, ',') if isinstance(value, int) else str(value))}"
                          "</td></tr>"
                          for name, value in self._values.items()
                          if isinstance(value, (int, float, str)) and not isinstance(value, bool)
                          and value != "")
        shown = ""
        for title, table in self._tables.items():
            names = [name for name in table.column_names if "fingerprint" not in name][:8]
            rows = "".join("<tr>" + "".join(f"<td>{html.escape(str(table[i][name])[:40])}</td>"
                                            for name in names) + "</tr>"
                           for i in range(min(len(table), 5)))
            shown += (f"<p>{html.escape(title)}: {len(table):,} rows</p><table><tr>"
                      + "".join(f"<th>{html.escape(name)}</th>" for name in names)
                      + f"</tr>{rows}</table>")
        return f"<table>{numbers}</table>{shown}"


class Passage(NamedTuple):
    """A stretch of one text, whose tokens are all shared or all not: text[begin:end]."""

    begin: int             # characters
    end: int
    shared: bool
    repeat: bool           # shared, but its counterpart is paired with another passage
    tokens: int
    match: Optional[int]   # place in Compared.matches


class Compared(Record):
    """Two texts side by side: numbers, passages, and both texts as a reader sees them."""

    __slots__ = ("_text", "text_a", "text_b", "passages_a", "passages_b", "matches")

    def __init__(self, values, text):
        values = dict(values)
        for name in ("text_a", "text_b", "passages_a", "passages_b", "matches"):
            value = values.pop(name)
            if name.startswith("passages"):
                value = [Passage(*each) for each in value]
            object.__setattr__(self, name, value)
        super().__init__(values)
        object.__setattr__(self, "_text", text)

    def __str__(self):
        return self._text

    def shared(self):
        """The passages that both texts have: (passage of A, passage of B, moved) each."""
        return [(self.passages_a[a], self.passages_b[b], moved) for a, b, _, moved in self.matches]

    def _repr_html_(self):
        def side(text, passages):
            out, at = "", 0
            for passage in passages:
                out += html.escape(text[at:passage.begin])
                mark = "" if passage.shared else " style='background:#fdd'"
                out += f"<span{mark}>{html.escape(text[passage.begin:passage.end])}</span>"
                at = passage.end
            return out + html.escape(text[at:])
        return ("<table><tr><td style='vertical-align:top;white-space:pre-wrap'>"
                + side(self.text_a, self.passages_a)
                + "</td><td style='vertical-align:top;white-space:pre-wrap'>"
                + side(self.text_b, self.passages_b) + "</td></tr></table>")


class RunWarning(UserWarning):
    """A sentence that a run has to say about its inputs or options."""


def warn(result, stacklevel=4):
    """The warnings of a run, as those of Python."""
    for sentence in result._values.get("warnings") or ():
        warnings.warn(sentence, RunWarning, stacklevel=stacklevel)


def raise_if_lost(result, allowed):
    """Inputs that were lost are an error, as they are at the command line; the result comes along."""
    lost = result._values.get("lost_inputs") or ()
    if not lost or allowed:
        return
    first = lost[0]
    raise Error(f"lost: {first.file}: {first.cause}"
                + (f" (and {len(lost) - 1} more)" if len(lost) > 1 else "")
                + "; allow_lost_inputs=True goes on without", "lost_input", first.file, None, result)
