"""The sample of evaluate over batches of Arrow, for engines that move rows between machines.

As in _batches.py, each function takes an iterable of pyarrow.RecordBatch and yields others. The
arithmetic is that of the core (python/evaluate_engine.cc). Texts have numbers from 1, in their order.
"""

from typing import NamedTuple

import numpy
import pyarrow
import pyarrow.compute

from . import _batches, _passages, _twinset
from ._errors import UsageError
from ._kinds import rows_of

RANK = ("score", "tie", "shingle", "bytes", "number")
SAMPLED = {
    "rank": ", ".join(f"{name} long" for name in RANK),
    "alike": "score long, documents long",
    "counts": "read long, quarantined long, documents long, too_long long, labeled long, unlabeled long, "
              "labeled_bytes long",
}


class Settings(NamedTuple):
    rule: tuple  # as _twinset.sample_rule() gives it
    max_record: int

    @property
    def documents(self):
        """The most that are sampled."""
        return self.rule[-1]


def _table(names, columns):
    return pyarrow.table([pyarrow.array(each) for each in columns], list(names))


def sample(settings, batches):
    """Rows {id, number, text, label}, by number, to rows of SAMPLED: the ranks of all that may be sampled."""
    worker = _twinset.SampleWorker(*settings.rule)
    scan = _twinset.Sampling(settings.documents, False)
    for batch in batches:
        if _passages._column(batch, "id").null_count:
            raise UsageError("a row has no id: each needs one of its own, by which results name it")
        bad = _batches.bad_texts(_passages._column(batch, "text"), settings.max_record).is_valid()
        good = batch.filter(pyarrow.compute.invert(bad))
        numbers = _passages._column(good, "number").to_numpy(zero_copy_only=False)
        labeled = _passages._column(good, "label").is_valid().to_numpy(zero_copy_only=False)
        size, has_token, may, *rank = map(numpy.asarray, worker.rank(_passages._texts(_passages._column(good, "text")), numbers))
        has_token, may = has_token.astype(bool), may.astype(bool)
        ranks = [each[may].view(numpy.int64) for each in (*rank, size, numbers)]
        taken = numpy.asarray(scan.add(*map(numpy.ascontiguousarray, ranks))).astype(bool)
        yield rows_of(SAMPLED, "rank", _table(RANK, [each[taken] for each in ranks]))
        yield rows_of(SAMPLED, "counts", pyarrow.table({name: [int(count)] for name, count in {
            "read": len(batch), "quarantined": len(batch) - len(good), "documents": has_token.sum(),
            "too_long": (has_token & ~may).sum(), "labeled": labeled.sum(), "unlabeled": (~labeled).sum(),
            "labeled_bytes": size[labeled].sum()}.items()}))
    yield rows_of(SAMPLED, "alike", _table(("score", "documents"), map(numpy.asarray, scan.refused_alike())))


def draw(settings, ranks, alike):
    """The sample, of the tables of ranks, by number, and of counts of those too alike, of all partitions:
    (numbers, ascending; what evaluate_drawn() asks for)."""
    scan = _twinset.Sampling(settings.documents, True)
    scan.add(*_batches._columns(ranks, RANK))
    scan.add_alike(*_batches._columns(alike, ("score", "documents")))
    return numpy.sort(numpy.asarray(scan.records())), {"too_alike": scan.too_alike, "too_much_text": scan.too_much_text}
