"""Dedup of a DataFrame of Apache Spark: the answers of `twinset dedup`, from any number of machines.

    from twinset import spark
    found = spark.dedup(df, text="text", id="id", resemblance=0.8)
    found.kept.write.parquet("clean")       # the rows of df, all columns
    found.removed.show()                    # who went, for whom, and the numbers that prove it

Spark schedules, moves rows and retries; nothing of it is replaced. docs/spark.md has the whole.
"""

import contextlib
import functools
import re

import pyarrow
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, functions as F, types as T
from pyspark.storagelevel import StorageLevel

from . import _batches, _twinset
from ._declared import VERBS, share
from ._errors import Error, UsageError
from ._results import Record
from ._verbs import typed_settings

_HEEDED = {"analyzer", "format", "max_record", "resemblance", "scheme"}  # declared options of dedup
_ORDER = re.compile(r"(.+?)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?", re.I | re.S)
_LONGS = "state long, shared long, later_shingles long, earlier_shingles long"


class Deduplicated:
    """What dedup() found.

    kept         the rows of the DataFrame that stay, with all their columns
    removed      {id, survivor, kind, resemblance, containment, survivor_containment, shared_shingles,
                 shingles, survivor_shingles}: a row for each that goes, with who stays in its place
    clusters     {cluster, id}: a row for each document that others are copies of, and for each of these;
                 `cluster` is the id of the one that stays
    quarantined  {id, reason}: rows without a text
    summary      the counts, named as those of summary.json

    removed, clusters and quarantined are held by Spark until unpersist() is called.
    """

    def __init__(self, kept, removed, clusters, quarantined, summary, held):
        self.kept: DataFrame = kept
        self.removed: DataFrame = removed
        self.clusters: DataFrame = clusters
        self.quarantined: DataFrame = quarantined
        self.summary = Record(summary)
        self._held = held

    def unpersist(self):
        """Lets Spark forget what it holds for this result. Its DataFrames must not be used after it."""
        for each in self._held:
            each.unpersist()

    def __repr__(self):
        return f"{type(self).__name__}({self.summary!r})"


@contextlib.contextmanager
def _clear():
    """An Error of a worker is raised here as itself, not as Spark's account of it."""
    try:
        yield
    except PySparkException as error:
        told = re.findall(r"^twinset\.(?:_errors\.)?(UsageError|Error|FileError): (.*)$", str(error), re.M)
        if not told:
            raise
        raise (UsageError if told[-1][0] == "UsageError" else Error)(told[-1][1]) from error


def _settings(options):
    """The checked settings of a run. Errors (usage) name what is unknown, or not done on Spark."""
    verb = VERBS["dedup"]
    if "threshold" in options:
        if "resemblance" in options:
            raise TypeError("dedup() got both threshold= and resemblance=, which are one")
        options = dict(options, resemblance=options.pop("threshold"))
    typed = typed_settings("dedup", verb.options, options)
    declared = {option.name: option for option in verb.options}
    for name, value in typed.items():
        option = declared[name]
        if name not in _HEEDED and value not in (option.default, option.by_default):
            raise UsageError(f"{option.keyword}= is not done on Spark; there are {', '.join(sorted(_HEEDED))}")
    values = {name: typed.get(name) or declared[name].default for name in _HEEDED}
    if values["format"] not in ("", "auto", "html"):
        raise UsageError(f"format= is 'html' for texts that are pages, not {values['format']!r}: Spark reads the rows")
    settings = _batches.settings_of(values["scheme"], values["analyzer"], values["format"] == "html",
                                    share(values["resemblance"]), _bytes(values["max_record"]))
    if not _twinset.pairs_by_keys(settings.scheme):
        raise UsageError(f"scheme= {settings.scheme} does not pair documents by single keys, as fss, minhash and "
                         "super_shingle do: twinset dedup runs it on one machine")
    return settings


def _bytes(size):
    number, unit = re.fullmatch(r"([\d.]+)\s*([KMGT]?)(?:i?B)?", size, re.I).groups()
    return int(float(number) * 1024 ** " KMGT".index(unit.upper() or " "))


def _look(settings):
    """A function of batches that says what is wrong with the machine it runs on. One that lacks the package
    could not read a function of it: so this one is sent as it is."""
    expected = tuple(settings)

    def look(batches):
        import socket

        import pyarrow as arrow
        try:
            from twinset import _batches as there
            there.signer_of(there.Settings(*expected))
            said = None
        except Exception as error:
            said = f"{socket.gethostname()}: {type(error).__name__}: {error}"
        for batch in batches:
            yield arrow.RecordBatch.from_arrays([arrow.array([said] * len(batch), arrow.string())], ["said"])

    return look


def _check_workers(session, settings):
    """Each executor must have this build."""
    context = getattr(session, "sparkContext", None)
    tasks = 2 * context.defaultParallelism if context else 8
    said = session.range(tasks, numPartitions=tasks).mapInArrow(_look(settings), "said string").distinct().collect()
    wrong = sorted(row.said for row in said if row.said)
    if wrong:
        raise UsageError(f"executors cannot run twinset {settings.version}: {'; '.join(wrong)}. "
                         "Install its wheel there, or ship it with archives (docs/spark.md)")


def _field(df, name, what):
    if name not in df.columns:
        raise UsageError(f"the DataFrame has no column '{name}' for {what}=; there are "
                         + ", ".join(map(repr, df.columns)))
    return df.schema[name]


def _rows(df, text, id, order):
    """The columns that a run reads, as id, text and order_0, ...; and how the last ones order the rows."""
    kind = _field(df, text, "text").dataType
    if not isinstance(kind, (T.StringType, T.BinaryType)):
        raise UsageError(f"the column '{text}' of text= holds {kind.simpleString()}, not strings")
    kind = _field(df, id, "id").dataType
    if isinstance(kind, (T.ArrayType, T.MapType, T.StructType, T.FloatType, T.DoubleType, T.VariantType)):
        raise UsageError(f"the column '{id}' of id= holds {kind.simpleString()}, which names no row")
    columns, sort = [df[id].alias("id"), df[text].alias("text")], []
    for i, each in enumerate(order):
        name, descends, nulls = _ORDER.fullmatch(each).groups()
        _field(df, name, "order")
        columns.append(df[name].alias(f"order_{i}"))
        direction = "desc" if (descends or "").lower() == "desc" else "asc"
        sort.append(getattr(F.col(f"order_{i}"), f"{direction}_nulls_{(nulls or 'last').lower()}")())
    return df.select(*columns), sort


class _Run:
    """The steps of one call, over rows that Spark holds."""

    def __init__(self, rows, settings, sort):
        self.session = rows.sparkSession
        self.settings = settings
        self.held = []
        signed = rows.mapInArrow(
            functools.partial(_batches.sign, settings),
            T.StructType([T.StructField(field.name, field.dataType) for field in rows.schema]
                         + [T.StructField("bad", T.StringType())]
                         + [T.StructField(name, T.LongType()) for name in _batches.HASHES]
                         + [T.StructField("sketch", T.BinaryType()),
                            T.StructField("keys", T.ArrayType(T.LongType()))]))
        # Rising in the order of the rows, whatever the partitions: a place in keep order.
        self.documents = self.hold(signed.sort(*sort, "id").withColumn("place", F.monotonically_increasing_id())
                                   .drop(*(name for name in rows.columns if name.startswith("order_"))))

    def hold(self, frame):
        self.held.append(frame.persist(StorageLevel.MEMORY_AND_DISK))
        return self.held[-1]

    def release(self, *kept):
        """Lets Spark forget what only the steps needed."""
        for each in self.held:
            if not any(each is one for one in kept):
                each.unpersist()
        self.held = list(kept)

    def check_ids(self):
        twice = self.documents.groupBy("id").count().where("count > 1").sort("id").first()
        if twice:
            raise UsageError(f"{twice['count']} rows have the id {twice['id']!r}: each needs one of its own, by which "
                             "results name it")

    def fold(self):
        good = self.documents.where("bad is null").select(*_batches.HASHES, "place", "keys")
        return self.hold(good.repartition("token_high", "token_low")
                         .sortWithinPartitions("token_high", "token_low", "place")
                         .mapInArrow(_batches.fold, "place long, first long, kind string, keys array<long>"))

    def pairs(self, folded):
        """Pairs {later, earlier}, each once, and the most documents of one key."""
        keys = folded.where("first is null").select(F.explode("keys").alias("key"), "place")
        found = self.hold(keys.repartition("key").sortWithinPartitions("key", "place")
                          .mapInArrow(_batches.pair, "later long, earlier long, members long").distinct())
        return found.where("members is null").select("later", "earlier"), found.agg(F.max("members"))

    def judged(self, pairs):
        """Pairs beside their texts, judged."""
        for side in ("later", "earlier"):
            pairs = pairs.join(self.documents.select(
                F.col("place").alias(side), F.col("text").alias(f"text_{side}"),
                F.col("sketch").alias(f"sketch_{side}")), side)
        return self.hold(pairs.mapInArrow(functools.partial(_batches.judge, self.settings),
                                          f"later long, earlier long, {_LONGS}"))

    def frame(self, table):
        """A small table of this process, as rows of Spark."""
        fields = [T.StructField(name, T.LongType()) for name in table.column_names]
        return self.session.createDataFrame(table, T.StructType(fields))

    def decide(self, pairs, most):
        """Decides here, over the pairs that sketches do not rule out. Returns (decider, candidates, checked)."""
        decider = _batches.Decider()
        candidates = checked = held = 0
        while True:
            judged = self.judged(pairs)
            counts = {row["state"]: row["count"] for row in judged.groupBy("state").count().collect()}
            passed = sum(counts.values()) - counts.get(_batches.REFUSED, 0)
            if not candidates:
                candidates, checked = sum(counts.values()), passed
            held += passed
            if held > most:
                raise UsageError(f"{held} pairs are more than max_driver_edges={most}: the driver needs about 100 bytes "
                                 "for each. Raise it if the driver has the memory")
            # Of later rounds also those that fail, so that they are not asked for again.
            decider.add((judged.where(f"state != {_batches.REFUSED}") if held == passed else judged).toArrow())
            asked = decider.sweep()
            if len(asked) == 0:
                return decider, candidates, checked
            pairs = self.frame(asked)

    def removed(self, folded, near):
        """All that go, by place: those near a document that stays, and copies."""
        proof = self.frame(near)
        copies = folded.where("first is not null").select("place", "first", "kind")
        numbers = [F.col(name) for name in _batches.PROOF[2:]]
        of_copies = copies.join(proof.withColumnRenamed("place", "first"), "first", "left").select(
            "place", F.coalesce("survivor", "first").alias("survivor"),
            F.when(F.col("survivor").isNull(), F.col("kind")).otherwise("near").alias("kind"), *numbers)
        return proof.select("place", "survivor", F.lit("near").alias("kind"), *numbers).unionByName(of_copies)

    def named(self, removed):
        """The same by ids, with the shares."""
        ids = self.documents.select("place", "id")
        by_survivor = ids.select(F.col("place").alias("survivor_place"), F.col("id").alias("survivor"))
        rows = (removed.withColumnRenamed("survivor", "survivor_place").join(ids, "place")
                .join(by_survivor, "survivor_place"))
        shared, own, other = (F.col(name) for name in _batches.PROOF[2:])
        whole = own + other - shared

        def share_of(total):
            return F.coalesce(shared.cast("double") / total.cast("double"), F.lit(1.0))
        return self.hold(rows.select("id", "survivor", "kind", share_of(whole).alias("resemblance"),
                                     share_of(own).alias("containment"),
                                     share_of(other).alias("survivor_containment"), shared.alias("shared_shingles"),
                                     own.alias("shingles"), other.alias("survivor_shingles")))


def dedup(df, *, text="text", id="id", order=None, max_driver_edges=20_000_000, **options):
    """Finds the rows that are copies of others, and keeps one of each: the answers of `twinset dedup`.

    df      a DataFrame; the columns that are not named here are carried along untouched
    text    the column of texts, of strings or bytes; a row without a text is quarantined
    id      the column by which results name rows: in each row, and in no two the same
    order   names of columns, each perhaps with "desc", as in "date desc": of equal documents the first in
            this order stays. By default that of the ids. Nulls come last; ties are broken by id. It is
            `keep="first"` of a file that is sorted so
    max_driver_edges  the most pairs that the driver holds for its decisions, some 100 bytes each
    options of twinset.dedup(): resemblance (also named threshold), scheme, analyzer, format="html",
            max_record

    The answer is the same for any partitions, tries of tasks and losses of executors.
    Errors (usage): an option that is unknown or not done here; a column that is missing or of another type;
    a null or doubled id; executors without this build of twinset; more pairs than max_driver_edges.
    """
    settings = _settings(options)
    rows, sort = _rows(df, text, id, [order] if isinstance(order, str) else list(order or []))
    with _clear():
        _check_workers(df.sparkSession, settings)
        run = _Run(rows, settings, sort)
        run.check_ids()
        folded = run.fold()
        pairs, largest = run.pairs(folded)
        decider, candidates, checked = run.decide(pairs, max_driver_edges)
        removed = run.named(run.removed(folded, decider.removed()))
        quarantined = run.documents.where("bad is not null").select("id", F.col("bad").alias("reason"))
        kinds = {row["kind"]: row["count"] for row in removed.groupBy("kind").count().collect()}
        sizes = removed.groupBy("survivor").count().agg(F.count("*"), F.max("count")).first()
        read, bad = run.documents.agg(F.count("*"), F.count("bad")).first()
        core = decider.core
        gone = removed.select(F.col("id").alias("gone")).unionByName(quarantined.select(F.col("id").alias("gone")))
        kept = df.join(gone, df[id] == gone["gone"], "left_anti")
        clusters = removed.select(F.col("survivor").alias("cluster"), "id").unionByName(
            removed.select(F.col("survivor").alias("cluster"), F.col("survivor").alias("id")).distinct())
        found = largest.first()[0]
        run.release(run.documents, removed)
        summary = {
            "read": read, "kept": read - bad - sum(kinds.values()), "removed": sum(kinds.values()), "quarantined": bad,
            "removed_by_kind": {kind: kinds.get(kind, 0) for kind in ("identical", "lexical", "near", "contained")},
            "matching": {"clusters": sizes[0], "largest_cluster": (sizes[1] or 0) + 1 if sizes[0] else 0,
                         "candidate_pairs": candidates, "checked_pairs": checked,
                         "verified_pairs": core.verified_pairs, "repair_rounds": core.repair_rounds,
                         "repair_pairs": core.repair_pairs, "largest_key": found},
            "scheme": settings.scheme}
    return Deduplicated(kept, removed, clusters, quarantined, summary, run.held)
