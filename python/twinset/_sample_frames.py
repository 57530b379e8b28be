"""Evaluate over DataFrames of Spark: what twinset.spark.evaluate() does. Its batches are in _samples.py."""

import functools
import json
import os
import tempfile

import numpy
import pyarrow
from pyspark.sql import functions as F

from . import _samples, _twinset
from ._errors import UsageError
from ._kinds import columns_of, only, schema_of
from ._page_frames import hold
from ._passage_frames import check_ids, numbered


def with_labels_of(rows, path, ignore_unknown):
    """Rows {id, label, ...} with the labels of a file of lines {id, label}, which the core has checked. Error (usage):
    ids that no row has, unless they are ignored."""
    def lines():
        with open(path, "rb") as file:
            packed = file.read(4) == b"\x28\xb5\x2f\xfd"
        with pyarrow.input_stream(path, compression="zstd" if packed else None) as file:
            # Numbers are compared as they are written.
            yield from (json.loads(line, parse_int=str, parse_float=str) for line in file.read().splitlines() if line.strip())
    given = {line["id"]: line["label"] for line in lines()}
    labels = rows.sparkSession.createDataFrame(pyarrow.table(
        {"named": pyarrow.array(given, pyarrow.string()), "given": pyarrow.array(given.values(), pyarrow.string())}))
    names = rows.select(F.col("id").cast("string").alias("named"))
    if not ignore_unknown:
        unknown = labels.join(names, "named", "left_anti").agg(F.count("*"), F.min("named")).first()
        if unknown[0]:
            raise UsageError(f"{path} labels {unknown[0]} ids that no row has, such as {unknown[1]!r}; check id=, or pass "
                             "them over with ignore_unknown_labels=True")
    return rows.drop("label").join(labels.withColumnRenamed("given", "label"), rows["id"].cast("string") == labels["named"],
                                   "left").drop("named")


def _packed(batches):
    """Batches to rows {packed}: each as it is written into a file of Arrow."""
    for batch in batches:
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        yield pyarrow.RecordBatch.from_arrays([pyarrow.array([sink.getvalue().to_pybytes()], pyarrow.binary())], ["packed"])


def evaluate_whole(rows, sort, typed, max_record, max_driver_bytes):
    """The answer of the core about rows {id, text, label, url, ...}, which come to a file of the driver; and the number
    of rows without a text."""
    has_text = F.octet_length("text") <= max_record
    placed = hold(rows.sort(*sort, "id").select("id", F.when(has_text, F.col("text")).alias("text"), "label", "url"))
    try:
        check_ids(placed)
        if placed.where("id is null").limit(1).count():
            raise UsageError("a row has no id: each needs one of its own, by which results name it")
        read, texts, size = placed.agg(F.count("*"), F.count("text"), F.sum(F.octet_length("text"))).first()
        if (size or 0) > max_driver_bytes:
            raise UsageError(f"the texts are {size} bytes, and more than max_driver_bytes={max_driver_bytes}: templates= needs "
                             "them all on the driver, in a file under tmp=. Raise it, or give whole sites alone")
        with tempfile.TemporaryDirectory(prefix="twinset-", dir=typed.get("tmp")) as folder:
            path = os.path.join(folder, "rows.arrow")
            schema = None
            with open(path, "wb") as file:
                for row in placed.mapInArrow(_packed, "packed binary").toLocalIterator():
                    batch = pyarrow.ipc.open_stream(row.packed).read_next_batch()
                    if schema is None:
                        schema, writer = batch.schema, pyarrow.ipc.new_file(file, batch.schema)
                    writer.write_batch(batch)
                if schema is not None:
                    writer.close()
            if schema is None:
                table = pyarrow.table({name: pyarrow.array([], pyarrow.string()) for name in ("id", "text", "label", "url")})
                return _twinset.run("evaluate", typed, _twinset.Texts.of(table, "text", "id", ["label", "url"]), None, None), 0
            # The system reads it as it is needed.
            with pyarrow.memory_map(path) as mapped:
                found = _twinset.Texts.of(pyarrow.ipc.open_file(mapped).read_all(), "text", "id", ["label", "url"])
                return _twinset.run("evaluate", typed, found, None, None), read - texts
    finally:
        placed.unpersist()


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
    # The driver has the sampled rows and the labeled ones: an id of labels_file= may be of another.
    typed = {**typed, "ignore_unknown_labels": "true"} if "labels_file" in typed else typed
    texts = _twinset.Texts.of(found.select(["text", "id", "label"]), "text", "id", ["label"])
    is_sampled = found["sampled"].fill_null(False).to_numpy().astype(numpy.int64)
    return _twinset.evaluate_drawn(typed, texts, {**counts, **drawn}, is_sampled), counts["quarantined"]
