"""An index opened for questions. What changes one are the functions index_create(), index_add(), ..."""

import contextlib
import inspect
import json
import os

from . import _twinset
from ._declared import QUESTIONS, python_words
from ._errors import Error, set_place
from ._results import Record
from ._verbs import name_of, typed_settings

CLASSES = {name: type(name, (Record,), {"__slots__": (), "__module__": "twinset",
                                        "__doc__": "\n".join(f"{field}  {python_words(text)}" for field, _, text, _ in fields)})
           for name, fields in _twinset.index_values()}


class Index:
    """An index as it was when it was opened: what is added or deleted later does not touch it.

        index = twinset.Index("crawl.index")
        for hit in index.query("a text that may be known").hits:
            print(hit.id, hit.resemblance.value)

    Many threads may ask one Index. Errors: there is no index; it is damaged, or of another version.
    """

    __slots__ = ("_open", "_folder")

    def __init__(self, index):
        self._folder = os.fsdecode(index)
        with self._places():
            self._open = _twinset.OpenIndex.open(os.fsencode(index))

    @contextlib.contextmanager
    def _places(self):
        """Errors of the core know the file that they name."""
        try:
            yield
        except Error as error:
            set_place(error, [self._folder])
            raise

    def stats(self):
        """What it holds, as index_stats() tells."""
        return CLASSES["IndexStats"](self._open.stats())

    def find(self, id):
        """The document of an id; None if there is none."""
        with self._places():
            found = self._open.find(name_of(id))
        return found and CLASSES["IndexDocument"](found)

    def query(self, text, *, html=False, **settings):
        """The documents that a text resembles, contains or is contained in, the best first.

        text   a str, or bytes in UTF-8
        html   it is a page
        """
        typed = typed_settings("query", QUESTIONS["query"], settings)
        with self._places():
            return CLASSES["IndexAnswer"](self._open.query(text, typed, html))

    def query_document(self, id, **settings):
        """The same for a document of the index: by its id, or by its URL, of whose documents the last
        one added counts. The answer has the document itself."""
        typed = typed_settings("query_document", QUESTIONS["query_document"], settings)
        with self._places():
            return CLASSES["IndexAnswer"](self._open.query_document(name_of(id), typed))

    def locate(self, url, **settings):
        """Where the page of a URL is now, in an index of several sweeps with URLs and dates: here, moved to
        another URL, gone, or unknown, with the evidence."""
        typed = typed_settings("locate", QUESTIONS["locate"], settings)
        with self._places():
            return CLASSES["PageLocation"](self._open.locate(url, typed))

    def lookup(self, id, **settings):
        """The documents of an id, or else of a URL, and the clusters that they are in: all documents that
        pairs connect. None is known of it if it has no documents."""
        typed = typed_settings("lookup", QUESTIONS["lookup"], settings)
        with self._places():
            return CLASSES["IndexLookup"](self._open.lookup(name_of(id), typed))

    def group(self, hits, *, asker=None, load=None, **settings):
        """The near copies among the hits of a search, the best first, in groups, and the order to show them in.

        hits   ids or URLs of documents, or dicts {"id", "text", "html", "url", "fields", "hidden"}
        asker  with access=: the values that the asker has in that field
        load   a number for each host: of equal copies the one on the least loaded comes first
        """
        typed = typed_settings("group", QUESTIONS["group"], settings)
        parts = {"hits": list(hits), "access": asker, "load": load}
        if asker is not None:
            parts["access"] = list(asker)
        asked = json.dumps({name: value for name, value in parts.items() if value is not None})
        with self._places():
            return CLASSES["GroupedHits"](self._open.group(asked.encode(), typed))

    def __repr__(self):
        return f"Index({self._folder!r})"


for _name, _options in QUESTIONS.items():
    _method = getattr(Index, _name)
    _signature = inspect.signature(_method)
    _own = [p for p in _signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    _method.__signature__ = _signature.replace(parameters=_own + [option.parameter() for option in _options])
    _method.__doc__ = "\n".join([inspect.cleandoc(_method.__doc__), ""]
                                + [line for option in _options for line in option.doc()])
