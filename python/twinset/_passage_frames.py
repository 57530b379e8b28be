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


def check_parts(good):
    """The number of rows without a value of `within`. Error (usage): no row has one."""
    documents, valued = good.agg(F.count("*"), F.count("within")).first()
    if documents > 0 and valued == 0:
        raise UsageError("no row has a value in the column of within=: all of them would meet")
    return documents - valued


def spans(rows, sort, settings):
    """(summary, frames, what Spark holds) of rows {id, text, ...}, in the order of `sort`; if they have `within`, only
    those of equal values of it meet."""
    parts = ["within"] if "within" in rows.columns else []
    placed = hold(rows.sort(*sort, "id").select("id", "text", *parts, F.monotonically_increasing_id().alias("place")))
    # Equal passages of texts of unlike parts have no key in common.
    documents = numbered(placed, _MOST_TEXTS).withColumn("part", F.xxhash64(*parts) if parts else F.lit(0).cast("long"))
    check_ids(placed)
    without_value = check_parts(placed.where(F.octet_length("text") <= settings.max_record)) if parts else 0
    sampled = hold(documents.mapInArrow(functools.partial(_passages.sample, settings), schema_of(_passages.SAMPLED)))
    counts = only(sampled, "counts").agg(*(F.coalesce(F.sum(name), F.lit(0)).alias(name) for name, _ in
                                           columns_of(_passages.SAMPLED["counts"]))).first().asDict()
    anchors = only(sampled, "anchor")
    chosen = (anchors.repartition("key").sortWithinPartitions("key").mapInArrow(_passages.repeated, anchors.schema)
              .groupBy("number").agg(F.sort_array(F.collect_list(F.struct("first_run", "runs"))).alias("anchors")))
    found = (documents.join(chosen, "number").select("number", "text", "part", "anchors")
             .mapInArrow(functools.partial(_passages.runs, settings), _passages.RUNS)
             .repartition("key", "check").sortWithinPartitions("key", "check", "number", "begin")
             .mapInArrow(functools.partial(_passages.place, settings), schema_of(_passages.PLACED)))
    found = hold(found)
    repeated = only(found, "counts").collect()
    places = only(found, "place")
    by_number = places.groupBy("number").agg(F.min("first").alias("head"), F.sort_array(F.collect_list(F.struct(
        "begin", "first", "first_begin", "nearest", "nearest_begin"))).alias("places"))
    named = by_number.select("number", "head", F.explode(F.array_distinct(F.concat("places.first", "places.nearest")))
                             .alias("other")).where("other != number")
    own = by_number.join(documents.select("number", "text"), "number")
    others = named.join(documents.select(F.col("number").alias("other"), "text"), "other")
    beside = own.select("number", "head", F.lit(None).cast("long").alias("other"), "text", "places").unionByName(
        others.select("number", "head", "other", "text"), allowMissingColumns=True)
    # Texts with one source follow each other, so that a worker has its tokens; but all those of a template are not
    # brought to one worker.
    followed = hold(beside.repartition("head", F.shiftright("number", 18))
                    .sortWithinPartitions("head", "number", F.col("other").asc_nulls_first()).drop("head")
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
    if parts:
        summary["without_value"] = {"records": without_value}
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
