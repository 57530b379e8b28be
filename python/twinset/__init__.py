"""Finds documents that are the same, nearly the same, or contained in one another.

    import twinset
    result = twinset.dedup(table)          # pyarrow, polars, duckdb, pandas, a list of str
    table.filter(result.mask)              # one of each
    twinset.resemblance(a, b)              # of two texts, exactly
    twinset.dedup("crawl.jsonl.gz", output="clean")

Each verb of the command line is a function, and each of its options a keyword.
"""

from . import _index, _verbs, schemes
from ._declared import VERBS as _VERBS
from ._errors import Error, FileError, UsageError
from ._index import Index
from ._results import Compared, Passage, Record, Result, RunWarning
from ._twinset import Signer, SignedTexts, Table, containment, resemblance
from ._twinset import version as __version__
from ._verbs import lexicon

for _name in _VERBS:
    globals()[_name] = getattr(_verbs, _name)
for _class in (*_verbs.CLASSES.values(), *_index.CLASSES.values()):
    globals()[_class.__name__] = _class

__all__ = ["Compared", "Error", "FileError", "Index", "Passage", "Record", "Result", "RunWarning",
           "SignedTexts", "Signer", "Table", "UsageError", "containment", "lexicon", "resemblance",
           "schemes", *_VERBS]
