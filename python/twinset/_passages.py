"""The steps of spans over batches of Arrow, for engines that move rows between machines.

As in _batches.py, each function takes an iterable of pyarrow.RecordBatch and yields others. The
arithmetic is that of the core (python/spans_engine.cc). Texts have numbers, in their order.
"""

import functools
import json
from typing import NamedTuple

import numpy
import pyarrow
import pyarrow.compute

from . import _batches, _twinset
from ._errors import UsageError
from ._kinds import rows_of

SAMPLED = {
    "anchor": "key long, number long, first_run long, runs long",
    "bad": "number long, reason string",
    "counts": "read long, quarantined long, tokens long",
}
RUNS = "key long, check long, number long, begin long"
PLACED = {
    "place": "number long, begin long, first long, first_begin long, nearest long, nearest_begin long",
    "counts": "by_documents string",
}
FOLLOWED = {
    "span": "number long, earlier long, earlier_begin long, earlier_end long, begin long, end long, tokens long, "
            "place string",
    "text": "number long, tokens long, reused_tokens long",
}


# Of tokens of earlier texts, that a worker keeps.
_HELD_BYTES = 64 << 20


class Settings(NamedTuple):
    typed: tuple  # (option, value): as they are typed
    across: bool
    max_record: int


@functools.lru_cache(maxsize=4)
def worker(settings):
    return _twinset.SpanWorker(dict(settings.typed))


def _column(batch, name):
    return batch.column(batch.schema.get_field_index(name))


def _texts(texts):
    return _twinset.Texts.of(pyarrow.table([texts], ["text"]), "text", "", [])


def _table(names, columns):
    return pyarrow.table([pyarrow.array(numpy.asarray(each).view(numpy.int64)) for each in columns], names)


def sample(settings, batches):
    """Rows {id, number, text, part} to rows of SAMPLED."""
    for batch in batches:
        if _column(batch, "id").null_count:
            raise UsageError("a row has no id: each needs one of its own, by which results name it")
        bad = _batches.bad_texts(_column(batch, "text"), settings.max_record)
        wrong = bad.is_valid()
        good = batch.filter(pyarrow.compute.invert(wrong))
        numbers = _column(good, "number")
        tokens, anchors = worker(settings).anchors(_texts(_column(good, "text")))
        rows, keys, first_runs, runs = map(numpy.asarray, anchors)
        keys = keys ^ _column(good, "part").to_numpy()[rows]
        yield rows_of(SAMPLED, "anchor", pyarrow.table(
            [pyarrow.array(keys), numbers.take(pyarrow.array(rows)), pyarrow.array(first_runs), pyarrow.array(runs)],
            ["key", "number", "first_run", "runs"]))
        yield rows_of(SAMPLED, "bad", pyarrow.table([_column(batch, "number").filter(wrong), bad.filter(wrong)],
                                                    ["number", "reason"]))
        yield rows_of(SAMPLED, "counts", pyarrow.table({
            "read": [len(batch)], "quarantined": [len(batch) - len(good)], "tokens": [int(numpy.asarray(tokens).sum())]}))


def repeated(batches):
    """Rows by `key`, without those whose key no other has."""
    held, has_one_before = None, False
    for batch in batches:
        rows = pyarrow.Table.from_batches([batch] if held is None else [held, batch])
        keys = rows["key"].to_numpy()
        equal = numpy.concatenate([[has_one_before], keys[1:] == keys[:-1], [False]])
        keep = equal[:-1] | equal[1:]
        last = len(rows) - 1
        yield from rows.slice(0, last).filter(pyarrow.array(keep[:-1])).to_batches()
        held, has_one_before = rows.slice(last).combine_chunks().to_batches()[0], bool(equal[last])
    if has_one_before:
        yield held


def runs(settings, batches):
    """Rows {number, text, part, anchors: [{first_run, runs}]} to RUNS."""
    for batch in batches:
        anchors = _column(batch, "anchors")
        first_runs, counts = anchors.flatten().flatten()
        ends = numpy.cumsum(anchors.value_lengths().to_numpy().astype(numpy.int64))
        numbers = _column(batch, "number").to_numpy()
        found = worker(settings).runs(_texts(_column(batch, "text")), numbers, ends, first_runs.to_numpy(), counts.to_numpy())
        keys, checks, texts, begins = map(numpy.asarray, found)
        order = numpy.argsort(numbers)
        parts = _column(batch, "part").to_numpy()[order[numpy.searchsorted(numbers, texts, sorter=order)]]
        yield from _table(["key", "check", "number", "begin"], [keys ^ parts, checks ^ parts, texts, begins]).to_batches()


def place(settings, batches):
    """RUNS, by all columns, to rows of PLACED."""
    scan = _twinset.PlaceScan(worker(settings).run_tokens, settings.across)
    for batch in batches:
        found = scan.add(*_batches._numbers(batch, "key", "check", "number", "begin"))
        yield rows_of(PLACED, "place", _table(["number", "begin", "first", "first_begin", "nearest", "nearest_begin"], found))
    yield rows_of(PLACED, "counts", pyarrow.table({"by_documents": [json.dumps(scan.by_documents())]}))


def follow(settings, batches):
    """Rows {number, other, text, places}, those of a number together, first that without another one, which has
    the text and its places; then the texts that these are in. To rows of FOLLOWED."""
    # The rows of the last number may go on in the next batch.
    texts, rest = _twinset.HeldTexts(_HELD_BYTES), None
    for batch in batches:
        rows = pyarrow.Table.from_batches([batch] if rest is None else [*rest.to_batches(), batch])
        last = int(max(numpy.flatnonzero(rows["other"].is_null().to_numpy()), default=0))
        if last > 0:
            yield from _followed(settings, rows.slice(0, last), texts)
        rest = rows.slice(last) if len(rows) else None
    if rest is not None:
        yield from _followed(settings, rest, texts)


def _followed(settings, rows, texts):
    places = rows["places"]
    ends = numpy.cumsum(pyarrow.compute.fill_null(pyarrow.compute.list_value_length(places), 0).to_numpy().astype(numpy.int64))
    columns = pyarrow.compute.list_flatten(places).combine_chunks().flatten()
    followed, found = worker(settings).follow(
        _texts(rows["text"]), rows["number"].to_numpy(), pyarrow.compute.fill_null(rows["other"], -1).to_numpy(), ends,
        *(column.to_numpy() for column in columns), texts)
    *columns, is_first, is_nearest = map(numpy.asarray, found)
    names = numpy.array(["nearest", "first", "both"])[is_first + (is_first & is_nearest)]
    table = _table(["number", "earlier", "earlier_begin", "earlier_end", "begin", "end", "tokens"], columns)
    yield rows_of(FOLLOWED, "span", table.append_column("place", pyarrow.array(names.tolist(), pyarrow.string())))
    yield rows_of(FOLLOWED, "text", _table(["number", "tokens", "reused_tokens"], followed))
