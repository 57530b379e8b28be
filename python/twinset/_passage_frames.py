"""Spans over DataFrames of Spark: what twinset.spark.spans() does. Its batches are in _passages.py."""

import functools
import json

from pyspark.sql import functions as F

from . import _passages
from ._errors import UsageError
from ._kinds import columns_of, only, schema_of
from ._page_frames import hold

_MOST_TEXTS = 2**32 - 1
_SHARES = 11  # below 10 %, ... below 100 %, all


def check_ids(placed):
    """Error (usage): an id that rows share."""
    doubled = placed.groupBy("id").count().where("count > 1 and id is not null").agg(F.min(F.struct("id", "count"))).first()[0]
    if doubled:
        raise UsageError(f"{doubled['count']} rows have the id {doubled['id']!r}: each needs one of its own, by which "
                         "results name it")


def numbered(placed, most=None):
    """Rows with `place`, a monotonically increasing id, to the same with `number`: from 0, without gaps."""
    counts = {row.part: row["count"] for row in
              placed.groupBy(F.shiftright("place", 33).alias("part")).count().collect()}
    if most is not None and sum(counts.values()) > most:
        raise UsageError(f"there are {sum(counts.values())} rows; spans() takes up to {most}")
    before, pairs = 0, [F.lit(0), F.lit(0)]
    for part in sorted(counts):
        pairs += [F.lit(part + 1), F.lit(before)]
        before += counts[part]
    begins = F.create_map(*pairs)
    return placed.withColumn("number", F.element_at(begins, (F.shiftright("place", 33) + 1).cast("int")).cast("long")
                             + F.col("place").bitwiseAND((1 << 33) - 1)).drop("place")


def spans(rows, sort, settings):
    """(summary, frames, what Spark holds) of rows {id, text, ...}, in the order of `sort`."""
    placed = hold(rows.sort(*sort, "id").select("id", "text", F.monotonically_increasing_id().alias("place")))
    documents = numbered(placed, _MOST_TEXTS)
    check_ids(placed)
    sampled = hold(documents.mapInArrow(functools.partial(_passages.sample, settings), schema_of(_passages.SAMPLED)))
    counts = only(sampled, "counts").agg(*(F.coalesce(F.sum(name), F.lit(0)).alias(name) for name, _ in
                                           columns_of(_passages.SAMPLED["counts"]))).first().asDict()
    anchors = only(sampled, "anchor")
    chosen = (anchors.repartition("key").sortWithinPartitions("key").mapInArrow(_passages.repeated, anchors.schema)
              .groupBy("number").agg(F.sort_array(F.collect_list(F.struct("first_run", "runs"))).alias("anchors")))
    found = (documents.join(chosen, "number").select("number", "text", "anchors")
             .mapInArrow(functools.partial(_passages.runs, settings), _passages.RUNS)
             .repartition("key", "check").sortWithinPartitions("key", "check", "number", "begin")
             .mapInArrow(functools.partial(_passages.place, settings), schema_of(_passages.PLACED)))
    found = hold(found)
    repeated = only(found, "counts").collect()
    places = only(found, "place")
    own = documents.join(places.groupBy("number").agg(F.sort_array(F.collect_list(F.struct(
        "begin", "first", "first_begin", "nearest", "nearest_begin"))).alias("places")), "number")
    named = places.select("number", F.col("first").alias("other")).unionByName(
        places.select("number", F.col("nearest").alias("other"))).where("other != number").distinct()
    others = named.join(documents.select(F.col("number").alias("other"), "text"), "other")
    beside = own.select("number", F.lit(None).cast("long").alias("other"), "text", "places").unionByName(
        others.select("number", "other", "text"), allowMissingColumns=True)
    followed = hold(beside.repartition("number").sortWithinPartitions("number", F.col("other").asc_nulls_first())
                    .mapInArrow(functools.partial(_passages.follow, settings), schema_of(_passages.FOLLOWED)))
    ids = documents.select("number", "id")
    texts = only(followed, "text")
    lines = only(followed, "span")
    reused = texts.agg(F.count("*"), F.coalesce(F.sum("reused_tokens"), F.lit(0))).first()
    # A number of n bits is 2^(n - 1) or more.
    by_tokens = _bars(lines, F.length(F.bin("tokens")) - 1)
    by_share = _bars(texts, F.expr("10 * reused_tokens div tokens"))
    summary = {**counts, "spans": sum(by_tokens), "reused_tokens": reused[1], "reused_documents": reused[0],
               "spans_by_tokens": by_tokens, "documents_by_share": by_share + [0] * (_SHARES - len(by_share)),
               "passages_by_documents": [sum(bars) for bars in zip(*_filled([json.loads(row.by_documents) for row in repeated]))]}
    found.unpersist()
    frames = {
        "spans": lines.join(ids, "number").join(ids.select(F.col("number").alias("earlier"), F.col("id").alias("earlier_id")),
                                                "earlier")
                 .select("id", "begin", "end", "earlier_id", "earlier_begin", "earlier_end", "tokens", "place"),
        "texts": texts.join(ids, "number").select("id", "tokens", "reused_tokens"),
        "quarantined": only(sampled, "bad").join(ids, "number").select("id", "reason")}
    return summary, frames, [placed, sampled, followed]


def _bars(frame, number):
    """How many rows have the number 0, 1, ..."""
    counts = {row.number: row["count"] for row in frame.groupBy(number.cast("int").alias("number")).count().collect()}
    return [counts.get(i, 0) for i in range(max(counts, default=-1) + 1)]


def _filled(bars):
    """All of one length."""
    longest = max(map(len, bars), default=0)
    return [each + [0] * (longest - len(each)) for each in bars]
