"""Evaluate over DataFrames of Spark: what twinset.spark.evaluate() does. Its batches are in _samples.py."""

import functools

import numpy
import pyarrow
from pyspark.sql import functions as F

from . import _samples, _twinset
from ._errors import UsageError
from ._kinds import columns_of, only, schema_of
from ._page_frames import hold
from ._passage_frames import check_ids, numbered


def evaluate(rows, sort, settings, typed):
    """The answer of the core about rows {id, text, label, ...}, in the order of `sort`; and the number of rows
    without a text."""
    placed = hold(rows.sort(*sort, "id").select("id", "text", "label", F.monotonically_increasing_id().alias("place")))
    sampled = None
    try:
        check_ids(placed)
        documents = numbered(placed).withColumn("number", F.col("number") + 1)
        sampled = hold(documents.mapInArrow(functools.partial(_samples.sample, settings), schema_of(_samples.SAMPLED)))
        counts = only(sampled, "counts").agg(*(F.coalesce(F.sum(name), F.lit(0)).alias(name) for name, _ in
                                               columns_of(_samples.SAMPLED["counts"]))).first().asDict()
        numbers, drawn = _samples.draw(settings, only(sampled, "rank").toArrow().sort_by("number"),
                                       only(sampled, "alike").toArrow())
        marks = rows.sparkSession.createDataFrame(pyarrow.table(
            {"number": pyarrow.array(numbers, pyarrow.int64()), "sampled": pyarrow.array([True] * len(numbers), pyarrow.bool_())}))
        wanted = F.col("sampled")
        if 0 < counts["labeled"] <= _twinset.most_labeled_documents and counts["labeled_bytes"] <= _twinset.most_labeled_bytes:
            wanted = wanted | (F.col("label").isNotNull() & (F.octet_length("text") <= settings.max_record))
        found = documents.join(F.broadcast(marks), "number", "left").where(wanted).toArrow().sort_by("number")
    finally:
        placed.unpersist()
        if sampled is not None:
            sampled.unpersist()
    if "labels" in typed and not counts["labeled"] and counts["unlabeled"]:
        raise UsageError("no row has a label (labels=)")
    texts = _twinset.Texts.of(found.select(["text", "id", "label"]), "text", "id", ["label"])
    is_sampled = found["sampled"].fill_null(False).to_numpy().astype(numpy.int64)
    return _twinset.evaluate_drawn(typed, texts, {**counts, **drawn}, is_sampled), counts["quarantined"]
