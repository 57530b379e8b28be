"""The steps of dedup over batches of Arrow, for engines that move rows between machines.

Each function takes an iterable of pyarrow.RecordBatch and yields others, as Spark's mapInArrow() calls
it; it knows nothing of other partitions. The arithmetic is that of the core (python/engine.cc).
"""

import functools
import socket
from typing import NamedTuple

import numpy
import pyarrow
import pyarrow.compute

from . import _twinset
from ._errors import UsageError

KINDS = ("", "identical", "lexical")  # of the numbers that CopyScan gives
REFUSED, BELOW, REACHED = range(3)    # of those that PairJudge gives


class Settings(NamedTuple):
    """All that decides what becomes of a text, and of which build it is expected."""

    scheme: str
    analyzer: str
    html: bool
    resemblance: str
    max_record: int
    version: str
    fingerprint: int


def settings_of(scheme, analyzer, html, resemblance, max_record):
    """The settings as this process has them; an Error of a bad option is raised here."""
    signer = _twinset.Signer(scheme, analyzer=analyzer, html=html, threshold=resemblance)
    return Settings(signer.spec, analyzer, html, resemblance, max_record, _twinset.version, signer.fingerprint)


@functools.lru_cache(maxsize=4)
def signer_of(settings):
    """The signer of this machine. Error (usage): it would sign otherwise than the driver's."""
    signer = _twinset.Signer(settings.scheme, analyzer=settings.analyzer, html=settings.html,
                             threshold=settings.resemblance)
    if _twinset.version != settings.version or signer.fingerprint != settings.fingerprint:
        raise UsageError(f"{socket.gethostname()} has twinset {_twinset.version}, of scheme {signer.fingerprint:016x}, "
                         f"and the driver {settings.version}, of scheme {settings.fingerprint:016x}: "
                         "install one wheel on both")
    return signer


def _numbers(batch, *names):
    """Columns of int64 without nulls, each as an array."""
    return [batch.column(batch.schema.get_field_index(name)).to_numpy(zero_copy_only=False) for name in names]


def _buffer(values):
    """The bytes of an array; of none, pyarrow would end the process if their place is null."""
    array = numpy.asarray(values)
    return pyarrow.py_buffer(array) if array.size else pyarrow.py_buffer(b"")


def _longs(values):
    """A column of whatever holds numbers of 8 bytes; no byte is copied."""
    array = numpy.asarray(values).view(numpy.int64)
    return pyarrow.Array.from_buffers(pyarrow.int64(), len(array), [None, _buffer(array)])


def _ints(values):
    """The same of numbers that fit into 4 bytes."""
    array = numpy.asarray(values).astype(numpy.int32)
    return pyarrow.Array.from_buffers(pyarrow.int32(), len(array), [None, _buffer(array)])


def bad_texts(texts, max_record):
    """Why each text is none, or null."""
    long = pyarrow.compute.greater(pyarrow.compute.binary_length(texts), max_record)
    return pyarrow.compute.if_else(pyarrow.compute.is_null(texts), "no text", pyarrow.compute.if_else(
        long, "longer than max_record", pyarrow.scalar(None, pyarrow.string())))


def sign(settings, batches):
    """Rows with `id` and `text`, and others, to the same with: bad (why the text is none, or null), four
    words of hashes, sketch and keys."""
    signer = signer_of(settings)
    for batch in batches:
        ids = batch.column(batch.schema.get_field_index("id"))
        if ids.null_count:
            raise UsageError("a row has no id: each needs one of its own, by which results name it")
        texts = batch.column(batch.schema.get_field_index("text"))
        bad = bad_texts(texts, settings.max_record)
        empty = pyarrow.scalar("" if pyarrow.types.is_string(texts.type) or pyarrow.types.is_large_string(texts.type)
                               else b"", texts.type)
        given = pyarrow.compute.if_else(bad.is_valid(), empty, texts)
        signed = signer.sign(pyarrow.RecordBatch.from_arrays([given], ["text"]), threads=1)
        tokens, raw = (numpy.asarray(hashes).view(numpy.int64) for hashes in (signed.token_hashes, signed.byte_hashes))
        sketches = pyarrow.Array.from_buffers(pyarrow.binary(), len(batch), [
            None, _buffer(numpy.asarray(signed.offsets).astype(numpy.int32)), _buffer(signed.sketches)])
        keys = pyarrow.ListArray.from_arrays(
            _ints(signed.key_offsets), _longs(signed.keys))
        columns = [*batch.columns, bad, *(pyarrow.array(words[:, i]) for words in (tokens, raw) for i in (0, 1)),
                   sketches, keys]
        yield pyarrow.RecordBatch.from_arrays(columns, [*batch.schema.names, "bad", *HASHES, "sketch", "keys"])


@functools.lru_cache(maxsize=4)
def keep_keys_of(rule, settings):
    """The keep order of a rule. Error (usage): a bad one."""
    return _twinset.KeepKeys(rule, settings.analyzer, settings.html)


def _given(batch, column):
    """A column of strings, numbers or dates."""
    values = batch.column(batch.schema.get_field_index(column))
    if column == "text":
        return _twinset.Texts.of(pyarrow.table([values], ["text"]), "text", "", [])
    texts = pyarrow.array([""] * len(values), pyarrow.string())
    return _twinset.Texts.of(pyarrow.table([texts, values], ["text", "value"]), "text", "", ["value"])


def count_keep_values(rule, settings, batches):
    """Rows {keep} to one {documents, missing, numbers, dates} for each batch."""
    for batch in batches:
        counts = keep_keys_of(rule, settings).count(_given(batch, "keep"))
        yield pyarrow.RecordBatch.from_pylist([dict(zip(KEPT, counts))])


def add_keep_keys(rule, settings, counts, batches):
    """Rows with `keep`, or with `text` if the rule is of texts, to the same with `keep_key` as their last column."""
    keys = keep_keys_of(rule, settings)
    for batch in batches:
        made = keys.keys(_given(batch, "keep" if keys.field else "text"), counts)
        yield pyarrow.RecordBatch.from_arrays([*batch.columns, pyarrow.array(made, pyarrow.binary())],
                                              [*batch.schema.names, "keep_key"])


def fold(batches):
    """Rows {token_high, token_low, byte_high, byte_low, place, keys}, by tokens and place, to rows {place,
    first, kind, keys}: of copies `first` is who stands for them, of others it is null."""
    scan = _twinset.CopyScan()
    for batch in batches:
        first, kind = scan.add(*_numbers(batch, *HASHES, "place"))
        kind = numpy.asarray(kind)
        copies = pyarrow.array(kind > 0)
        keys = batch.column(batch.schema.get_field_index("keys"))
        yield pyarrow.RecordBatch.from_arrays(
            [batch.column(batch.schema.get_field_index("place")),
             pyarrow.compute.if_else(copies, _longs(first), pyarrow.scalar(None, pyarrow.int64())),
             pyarrow.array(numpy.array(KINDS)[kind]),
             pyarrow.compute.if_else(copies, pyarrow.scalar([], keys.type), keys)],
            ["place", "first", "kind", "keys"])


def pair(batches):
    """Rows {key, place}, by both, to pairs {later, earlier, members null}; and one row with the most
    members of a key as its last number."""
    scan = _twinset.PairScan()

    def rows(later, earlier, members):
        return pyarrow.RecordBatch.from_arrays([pyarrow.array(column, pyarrow.int64()) for column in
                                                (later, earlier, members)], ["later", "earlier", "members"])
    for batch in batches:
        later, earlier = map(numpy.asarray, scan.add(*_numbers(batch, "key", "place")))
        yield rows(later, earlier, pyarrow.nulls(len(later), pyarrow.int64()))
    yield rows([None], [None], [scan.largest])


def judge(settings, batches):
    """Pairs {later, earlier} beside their texts and sketches to {later, earlier, state, shared,
    later_shingles, earlier_shingles}."""
    judge_pairs = _twinset.PairJudge(signer_of(settings), settings.analyzer, settings.html, settings.resemblance)
    for batch in batches:
        columns = [batch.column(batch.schema.get_field_index(name)) for name in ("later", "earlier")]
        yield pyarrow.RecordBatch.from_arrays([*columns, *map(_ints, judge_pairs.judge(batch))],
                                              ["later", "earlier", *JUDGED])


KEPT = ("documents", "missing", "numbers", "dates")
HASHES = ("token_high", "token_low", "byte_high", "byte_low")
JUDGED = ("state", "shared", "later_shingles", "earlier_shingles")
PROOF = ("place", "survivor", "shared", "shingles", "survivor_shingles")


def _columns(table, names):
    """Columns of int64 of a table, each in one piece."""
    return [numpy.ascontiguousarray(table[name].to_numpy(), dtype=numpy.int64) for name in names]


def components(pairs):
    """{place, first} of all documents in pairs {later, earlier}: the first that these connect with each."""
    return pyarrow.table(list(map(_longs, _twinset.components(*_columns(pairs, ("later", "earlier"))))), ["place", "first"])


class Decider:
    """The decisions of a run, from the judged pairs of all partitions."""

    def __init__(self):
        self.core = _twinset.Decisions()

    def add(self, table):
        self.core.add(*_columns(table, ("later", "earlier", *JUDGED)))

    def sweep(self):
        """The pairs to be judged next, as a table {later, earlier}; without rows all is decided."""
        return pyarrow.table(list(map(_longs, self.core.sweep())), ["later", "earlier"])

    def removed(self):
        """Near copies, with who stays in their place and the numbers of the proof."""
        return pyarrow.table(list(map(_longs, self.core.removed())), PROOF)
