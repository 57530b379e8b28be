"""Rows of several kinds in one DataFrame, of which each has one: a step that finds unlike things reads its rows once.

KINDS = {"page": "url string, chunks long", "counts": "pages long"} declares them, as Spark writes columns.
"""

import pyarrow

_TYPES = {"string": pyarrow.string(), "long": pyarrow.int64(), "double": pyarrow.float64(), "boolean": pyarrow.bool_(),
          "binary": pyarrow.binary()}


def columns_of(columns):
    """(name, type) of each column of a kind."""
    return [column.split() for column in columns.split(", ")]


def schema_of(kinds):
    """The rows, as Spark writes them."""
    return ", ".join(f"{kind} struct<{', '.join(': '.join(column) for column in columns_of(columns))}>"
                     for kind, columns in kinds.items())


def rows_of(kinds, kind, table):
    """A table as rows of one kind."""
    columns = columns_of(kinds[kind])
    own = pyarrow.StructArray.from_arrays(
        [table[name].combine_chunks().cast(_TYPES[type]) for name, type in columns], [name for name, _ in columns])
    types = [pyarrow.struct([(name, _TYPES[type]) for name, type in columns_of(each)]) for each in kinds.values()]
    return pyarrow.RecordBatch.from_arrays(
        [own if each == kind else pyarrow.nulls(len(table), type) for each, type in zip(kinds, types)], list(kinds))


def only(frame, kind):
    """The rows of one kind in a DataFrame."""
    return frame.where(f"{kind} is not null").select(f"{kind}.*")
