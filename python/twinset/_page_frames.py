"""Detect and discover over DataFrames of Spark: what twinset.spark's functions of these names do.

Their batches are in _pages.py; Spark adds up, in whole numbers, so that no order of its work shows.
"""

import functools
import json
import os
import shutil
import tempfile
import uuid

import pyarrow
from pyspark import SparkContext
from pyspark.sql import Window, functions as F
from pyspark.storagelevel import StorageLevel

from . import _pages, _twinset
from ._kinds import columns_of, only, schema_of


def one_page():
    """A page without chunks: what is asked of it says what is wrong with the options, and what else these tell."""
    return _pages.texts_of(pyarrow.table({"text": [""], "url": ["http://a.invalid/"]}))


@functools.lru_cache(maxsize=None)
def _folder():
    """Files for workers, until this process ends."""
    return tempfile.TemporaryDirectory(prefix="twinset-")


@functools.lru_cache(maxsize=None)
def _shipped(application, path, size, time):
    # Spark knows a file by its name as long as the session lasts, and an executor that comes late asks for it.
    copy = os.path.join(_folder().name, f"{uuid.uuid4().hex}-{os.path.basename(path)}")
    shutil.copyfile(path, copy)
    SparkContext.getOrCreate().addFile(copy)
    return os.path.basename(copy)


def ship(session, path):
    """Has Spark bring a file to its workers. Returns its name there."""
    state = os.stat(path)
    return _shipped(session.sparkContext.applicationId, os.path.realpath(path), state.st_size, state.st_mtime_ns)


def hold(frame):
    return frame.persist(StorageLevel.MEMORY_AND_DISK)


def _shares(rows):
    """The sums of these sums of shares."""
    shares = _twinset.Shares()
    for row in rows:
        shares.add_state(bytes(row.shares))
    return shares


def detect(rows, settings, rules):
    """(summary, frames, what Spark holds) of rows {url, text}. `rules`: threshold, page_threshold, badness."""
    found = hold(rows.mapInArrow(functools.partial(_pages.detect, settings), schema_of(_pages.FOUND)))

    frame = functools.partial(only, found)
    badness = rules["badness"]
    counts = frame("counts").collect()
    sums = [name for name, kind in columns_of(_pages.FOUND["neighborhood"]) if kind == "long"]
    neighborhoods = hold(frame("neighborhood").groupBy("prefix").agg(*(F.sum(name).alias(name) for name in sums)))
    shares = {"page": _shares(counts), "neighborhood": _shares(neighborhoods.mapInArrow(
        functools.partial(_pages.add_shares, badness), "shares binary").collect())}
    summary = {name: sum(row[name] for row in counts) for name, kind in columns_of(_pages.FOUND["counts"]) if kind == "long"}
    summary["badness"] = badness
    # For each chunk that has no label, as many are expected.
    summary["expected_false_labels"] = (summary["chunks"] - summary["labeled_chunks"]) * max(
        (row.false_labels for row in counts), default=0.0)
    judged = {}
    for kind, given, option in (("page", frame("page"), "page_threshold"), ("neighborhood", neighborhoods, "threshold")):
        threshold, share = shares[kind].threshold(rules[option] or rules["threshold"], option)
        judged[kind] = hold(given.mapInArrow(functools.partial(_pages.judge, kind, badness, share), _pages.judged_schema(kind)))
        rows, bad = judged[kind].agg(F.count("*"), F.count(F.when(F.col("bad"), 1))).first()
        summary[f"{kind}_threshold"] = {**threshold, "bad": bad}
    neighborhoods.unpersist()
    summary.update(neighborhoods=rows, by_contains=shares["page"].by_twentieth, by_badness=shares["neighborhood"].by_twentieth)
    return (summary, {"pages": judged["page"], "neighborhoods": judged["neighborhood"], "matches": frame("match"),
                      "recursion": frame("recursion"), "quarantined": frame("bad")}, [found, *judged.values()])


def discover(rows, sort, settings, cut, output):
    """(summary, frames, what Spark holds) of rows {url, text, ...}, in the order of `sort`; writes the labels.
    `cut`: the rules of chunks, as _twinset.cut_rules() gives them."""
    # Equal rows follow each other in any order: neither of them is told from the other.
    placed = hold(rows.sort(*sort, "url", F.xxhash64("text")).select(
        "url", "text", F.monotonically_increasing_id().alias("place")))
    seen = hold(placed.mapInArrow(functools.partial(_pages.see, settings), schema_of(_pages.SEEN)))
    frame, key = functools.partial(only, seen), ["file", "hash"]
    counts = frame("counts").collect()
    summary = {name: sum(row[name] for row in counts) for name, _ in columns_of(_pages.SEEN["counts"])}
    objects = frame("object")
    by_site = objects.groupBy(*key, "site").agg(F.count("*").alias("seen"), F.sum(F.col("first").cast("long")).alias("pages"))
    sums = by_site.groupBy(*key).agg(F.sum("seen").alias("count"), F.sum("pages").alias("documents"),
                                     F.count("*").alias("sites"), F.max("pages").alias("most_in_site"))
    decided = hold(sums.mapInArrow(functools.partial(_pages.decide, settings), _pages.SUMS + ", fate string"))
    summary.update(_frequencies(decided.groupBy("file", "count", "fate").agg(F.count("*").alias("objects")).collect(), summary),
                   sites=frame("site").distinct().count(), rules=cut["rules"])
    labels = decided.where("fate = 'label'").select(*key, "count", "documents", "sites")
    in_order = Window.partitionBy(*key).orderBy("place", "offset")
    places = hold(objects.join(labels.select(*key), key).withColumn("number", F.row_number().over(in_order))
                  .where(F.col("number") <= _twinset.most_label_samples).select(*key, "place", "offset", "length", "number"))
    wanted = places.where("number = 1").groupBy("place").agg(F.collect_list(F.struct(*key, "offset")).alias("wanted"))
    texts = placed.join(wanted, "place").select("url", "text", "wanted").mapInArrow(
        functools.partial(_pages.quote, settings), "file boolean, hash string, text string")
    # A label without a place whose URL is short enough has none.
    samples = (placed.select("place", "url").join(places, "place").groupBy(*key)
               .agg(F.sort_array(F.collect_list(F.when(F.octet_length("url") <= _twinset.most_url_bytes,
                                                       F.struct("url", "offset", "length")))).alias("samples")))
    labels = hold(labels.join(texts, key).join(samples, key)
                  .select(F.when(F.col("file"), "file").otherwise("chunk").alias("kind"), "hash", "count", "documents",
                          "sites", "samples", "text"))
    summary["labels_hash"] = _write_labels(labels, cut, output)
    for each in (placed, decided, places):
        each.unpersist()
    return summary, {"labels": labels, "recursion": frame("recursion"), "quarantined": frame("bad")}, [seen, labels]


def _frequencies(rows, counts):
    """`files` and `chunks` of a summary, of rows {file, count, fate, objects}."""
    found = {}
    for name, is_file, short, stop in (("files", True, 0, counts.pop("stop_files")),
                                       ("chunks", False, counts.pop("short_chunks"), counts.pop("stop_chunks"))):
        own = [row for row in rows if row.file == is_file]

        def objects(*fates):
            return sum(row.objects for row in own if row.fate in fates)
        bars = {}
        for row in own:
            bar = bars.setdefault(row["count"], {"count": row["count"], "objects": 0, "labels": 0})
            bar["objects"] += row.objects
            bar["labels"] += row.objects if row.fate == "label" else 0
        found[name] = {"seen": sum(row["count"] * row.objects for row in own), "distinct": objects(*_pages.FATES),
                       "short_seen": short, "stop_seen": stop, "in_site": objects("in_site"),
                       "over_sites": objects("over_sites"), "labels": objects("label"),
                       "labels_seen": sum(row["count"] * row.objects for row in own if row.fate == "label"),
                       "frequencies": [bars[count] for count in sorted(bars)]}
    return found


def _write_labels(labels, cut, output):
    """A file of these labels. Returns the hash of its content."""
    with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
        path = os.path.join(folder, "labels.jsonl")
        with open(path, "w", encoding="utf-8") as lines:
            lines.write(json.dumps({name: value for name, value in cut.items() if value}) + "\n")
            for row in labels.select("hash", "kind", "count", "documents", "samples", "text").toLocalIterator():
                lines.write(json.dumps(row.asDict(recursive=True), ensure_ascii=False) + "\n")
        done = _twinset.run("labels_import", {"inputs": [path], "output": output}, None, None, None)
        return done["fields"]["hash"]
