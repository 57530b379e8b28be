"""The steps of detect and discover over batches of Arrow, for engines that move rows between machines.

As in _batches.py, each function takes an iterable of pyarrow.RecordBatch and yields others, and knows
nothing of other partitions. The arithmetic is that of the core (python/reuse_engine.cc).
"""

import os
import tempfile
from typing import NamedTuple

import numpy
import pyarrow
import pyarrow.compute

from . import _batches, _twinset
from ._errors import UsageError
from ._kinds import columns_of, rows_of

# What detect() finds in a part of the pages, and discover() sees: in each row one of these.
FOUND = {
    "page": "url string, chunks long, labeled long, file_label boolean",
    "match": "url string, offset long, length long, kind string, hash string, text string, label_url string, "
             "label_offset long, label_length long",
    "neighborhood": "prefix string, pages long, labeled_pages long, chunks long, labeled long, contains_sum long",
    "recursion": "url string, parts string, times long",
    "bad": "url string, reason string",
    "counts": "read long, quarantined long, pages long, recursion_errors long, chunks long, short_chunks long, "
              "stop_chunks long, labeled_chunks long, labeled_pages long, labeled_files long, false_labels double, shares binary",
}
SEEN = {
    "object": "place long, file boolean, hash string, offset long, length long, site string, first boolean",
    "site": "name string",
    "recursion": "url string",
    "bad": "url string, reason string",
    "counts": "read long, quarantined long, pages long, recursion_errors long, short_chunks long, stop_chunks long, "
              "stop_files long",
}
_LISTS = {"page": "pages", "match": "matches", "neighborhood": "neighborhoods", "recursion": "recursion"}
_BATCH_ROWS, _BATCH_BYTES = 200_000, 64 << 20


class Settings(NamedTuple):
    """How pages are read and cut."""

    typed: tuple     # (option, value): as they are typed
    files: tuple     # (option, name): files that the engine has sent
    max_record: int


def _typed(settings):
    """The options; files are where Spark has put them."""
    if not settings.files:
        return dict(settings.typed)
    from pyspark import SparkFiles
    return {**dict(settings.typed), **{option: SparkFiles.get(name) for option, name in settings.files}}


def gathered(batches):
    """Larger tables of the same rows: what a run does once, as reading labels, it does for more of them."""
    held, rows, size = [], 0, 0
    for batch in batches:
        held.append(batch)
        rows, size = rows + len(batch), size + batch.nbytes
        if rows >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield pyarrow.Table.from_batches(held)
            held, rows, size = [], 0, 0
    if rows:
        yield pyarrow.Table.from_batches(held)


def readable(table, settings):
    """The rows whose texts can be read, and the others as {url, reason}. Error (usage): no URL."""
    if table["url"].null_count:
        raise UsageError("a row has no URL: each needs one, by which its page is placed")
    bad = _batches.bad_texts(table["text"].combine_chunks(), settings.max_record)
    others = bad.is_valid()
    return (table.filter(bad.is_null()),
            pyarrow.table([table["url"].filter(others), bad.filter(others)], ["url", "reason"]))


def texts_of(table):
    return _twinset.Texts.of(table.select(["text", "url"]), "text", "", ["url"])


def detect_in(texts, typed):
    """What the program finds in these texts: its summary, and its lists as tables."""
    with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
        output = os.path.join(folder, "part")
        done = _twinset.run("detect", {**typed, "output": output, "threads": "1"}, texts, None, None)
        return done["fields"], {kind: pyarrow.table(_twinset.table_of("detect", name, os.fsencode(output)))
                                for kind, name in _LISTS.items()}


def detect(settings, batches):
    """Rows {url, text} to rows of FOUND."""
    typed = _typed(settings)
    for table in gathered(batches):
        good, bad = readable(table, settings)
        counts = dict.fromkeys((name for name, _ in columns_of(FOUND["counts"])), 0)
        shares = _twinset.Shares()
        if len(good):
            summary, lists = detect_in(texts_of(good), typed)
            counts.update((name, summary[name]) for name in counts if name in summary)
            for kind, found in lists.items():
                yield rows_of(FOUND, kind, found)
            shares.add_pages(*(lists["page"][name].cast(pyarrow.int64()).to_numpy() for name in _of("page")))
            if unlabeled := summary["chunks"] - summary["labeled_chunks"]:
                counts["false_labels"] = summary["expected_false_labels"] / unlabeled
            shares.add_empty(summary["page_threshold"]["of"] - shares.count)
        counts.update(read=len(table), quarantined=len(bad), shares=shares.state())
        yield rows_of(FOUND, "bad", bad)
        yield rows_of(FOUND, "counts", pyarrow.table({name: [value] for name, value in counts.items()}))


def _of(kind):
    """The columns by which pages or neighborhoods are ranked."""
    return ("chunks", "labeled") if kind == "page" else ("pages", "chunks", "labeled", "contains_sum")


def add_shares(badness, batches):
    """Rows of neighborhoods to one row {shares}: the sums of their shares."""
    shares = _twinset.Shares()
    for batch in batches:
        shares.add_neighborhoods(*_batches._numbers(batch, *_of("neighborhood")), badness)
    yield pyarrow.RecordBatch.from_arrays([pyarrow.array([shares.state()], pyarrow.binary())], ["shares"])


def judged_schema(kind):
    """The rows that judge() yields."""
    kept = [" ".join(column) for column in columns_of(FOUND[kind]) if column[0] != "contains_sum"]
    added = ("contains",) if kind == "page" else ("badness", "badness_pages")
    return ", ".join([*kept, *(f"{name} double" for name in added), "bad boolean"])


def judge(kind, badness, share, batches):
    """Rows of pages or neighborhoods to the same with their shares, and whether these are above `share`."""
    for batch in batches:
        columns = _batches._numbers(batch, *_of(kind))
        *shares, bad = (_twinset.judge_pages(*columns, share) if kind == "page"
                        else _twinset.judge_neighborhoods(*columns, badness, share))
        kept = [name for name, _ in columns_of(FOUND[kind]) if name != "contains_sum"]
        arrays = [batch.column(batch.schema.get_field_index(name)) for name in kept]
        arrays += [pyarrow.array(numpy.asarray(each)) for each in shares]
        names = [each.split()[0] for each in judged_schema(kind).split(", ")]
        yield pyarrow.RecordBatch.from_arrays([*arrays, pyarrow.array(numpy.asarray(bad).astype(bool))], names)


def see(settings, batches):
    """Rows {place, url, text} to rows of SEEN."""
    typed = _typed(settings)
    for table in gathered(batches):
        good, bad = readable(table, settings)
        counts = dict.fromkeys((name for name, _ in columns_of(SEEN["counts"])), 0)
        if len(good):
            pages, objects = map(pyarrow.table, _twinset.page_objects(texts_of(good), typed))
            loops = pages["recursion_error"]
            whole = pages.filter(pyarrow.compute.invert(loops))
            counts.update(pages=len(whole), recursion_errors=len(pages) - len(whole),
                          stop_files=pyarrow.compute.sum(whole["file_stops"], min_count=0).as_py(),
                          **{name: pyarrow.compute.sum(whole[name], min_count=0).as_py()
                             for name in ("short_chunks", "stop_chunks")})
            yield rows_of(SEEN, "object", objects.append_column("place", good["place"].take(objects["row"])))
            yield rows_of(SEEN, "site", pyarrow.table([whole["site"].unique()], ["name"]))
            yield rows_of(SEEN, "recursion", good.take(pages["row"].filter(loops)))
        counts.update(read=len(table), quarantined=len(bad))
        yield rows_of(SEEN, "bad", bad)
        yield rows_of(SEEN, "counts", pyarrow.table({name: [value] for name, value in counts.items()}))


SUMS = "file boolean, hash string, count long, documents long, sites long, most_in_site long"
FATES = ("rare", "label", "in_site", "over_sites")  # of the numbers that fates() gives


def decide(settings, batches):
    """Rows of SUMS to the same with `fate`."""
    typed = _typed(settings)
    for batch in batches:
        files = batch.column(0).cast(pyarrow.int64()).to_numpy(zero_copy_only=False)
        fates = numpy.asarray(_twinset.fates(typed, files, *_batches._numbers(batch, "count", "sites", "most_in_site")))
        yield pyarrow.RecordBatch.from_arrays([*batch.columns, pyarrow.array(numpy.array(FATES)[fates])],
                                              [*batch.schema.names, "fate"])


def quote(settings, batches):
    """Rows {url, text, wanted: [{file, hash, offset}]} to rows {file, hash, text}: the first words of these objects."""
    typed = _typed(settings)
    for batch in batches:
        wanted = batch.column(batch.schema.get_field_index("wanted"))
        rows = pyarrow.compute.list_parent_indices(wanted).cast(pyarrow.int64()).to_numpy()
        file, hash, offset = wanted.flatten().flatten()
        texts = _twinset.quotes(texts_of(pyarrow.Table.from_batches([batch])), typed, rows,
                                file.cast(pyarrow.int64()).to_numpy(zero_copy_only=False), offset.to_numpy())
        yield pyarrow.RecordBatch.from_arrays([file, hash, pyarrow.array(texts, pyarrow.string())], ["file", "hash", "text"])
